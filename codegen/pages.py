"""`pages.json`: for each code a document in which it is found and one in which it just is not."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from codegen.sources import examples, trees

if TYPE_CHECKING:
    from evalschema.codes import Code

PATH = "src/evalschema/_generated/pages.json"


def pages() -> dict[str, str]:
    """The text of `pages.json`, an entry a line."""
    lines = [f"{json.dumps(code)}: {json.dumps(entry, ensure_ascii=False)}" for code, entry in shown().items()]
    return {PATH: "{\n" + ",\n".join(lines) + "\n}\n"}


@cache
def shown() -> dict[str, dict[str, Any]]:
    """By code: `failing`, an example, with `pointers` and `messages` of what is found in it; `passing`, a near miss.

    The shortest examples are taken; codes without any are left out.
    """
    from evalschema.codes import all_codes

    entries: dict[str, dict[str, Any]] = {}
    for known in all_codes():
        code = known.code
        failing = next(iter(examples(f"*/invalid/{code}-*")), None)
        passing = next(iter(examples(f"*/valid/{code}-*")), None)
        entry = _failing(code, failing) if failing else _of_trees(known)
        if passing:
            entry["passing"] = passing.read_text("utf-8")
        if entry:
            entries[code] = entry
    return entries


def _of_trees(known: Code) -> dict[str, Any]:
    """The entry of a code that is about several files: of the smallest trees, those files that it is about."""
    from evalschema import check_workspace

    entry: dict[str, Any] = {}
    about: set[str] = set()
    for tree in trees(known.code):
        results = list(check_workspace(tree))
        found = [(result.path, each) for result in results for each in result.findings if each.code == known.code]
        if any(each.severity == known.severity for _, each in found) and "failing" not in entry:
            paths = dict.fromkeys(
                [*(path for path, _ in found), *(p.path for _, each in found for p in each.elsewhere)]
            )
            entry["failing"] = _files(tree, [Path(path) for path in paths if path])
            entry["pointers"] = [f"{_below(tree, path)} {each.pointer}".rstrip() for path, each in found]
            entry["messages"] = [each.message for _, each in found]
            about = {Path(path).name for path in paths if path}
        elif not found and "passing" not in entry:
            entry["passing"] = tree
    if "passing" in entry:
        passing: Path = entry["passing"]
        alike = [path for path in sorted(passing.rglob("*")) if path.name in about or path.name == "SKILL.md"]
        entry["passing"] = _files(passing, alike or sorted(passing.rglob("*.json")))
    return entry


def _files(tree: Path, paths: list[Path]) -> str:
    return "\n".join(f"{_below(tree, path)}\n{path.read_text('utf-8')}" for path in paths)


def _below(tree: Path, path: Path | str | None) -> str:
    return Path(path or "").relative_to(tree).as_posix()


def _failing(code: str, path: Path) -> dict[str, Any]:
    from evalschema.files import check_bytes

    kind: Any = path.parent.parent.name
    found = [finding for finding in check_bytes(path.read_bytes(), kind).findings if finding.code == code]
    return {
        "failing": path.read_text("utf-8"),
        "pointers": [finding.pointer for finding in found],
        "messages": [finding.message for finding in found],
    }
