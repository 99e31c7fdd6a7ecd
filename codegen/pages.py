"""`pages.json`: for each code a document in which it is found and one in which it just is not."""

from __future__ import annotations

import json
from functools import cache
from typing import TYPE_CHECKING, Any

from codegen.sources import examples

if TYPE_CHECKING:
    from pathlib import Path

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
    for code in (entry.code for entry in all_codes()):
        failing = next(iter(examples(f"*/invalid/{code}-*")), None)
        passing = next(iter(examples(f"*/valid/{code}-*")), None)
        entry = _failing(code, failing) if failing else {}
        if passing:
            entry["passing"] = passing.read_text("utf-8")
        if entry:
            entries[code] = entry
    return entries


def _failing(code: str, path: Path) -> dict[str, Any]:
    from evalschema.files import check_bytes

    kind: Any = path.parent.parent.name
    found = [finding for finding in check_bytes(path.read_bytes(), kind).findings if finding.code == code]
    return {
        "failing": path.read_text("utf-8"),
        "pointers": [finding.pointer for finding in found],
        "messages": [finding.message for finding in found],
    }
