"""Mutated documents and mutated bytes: command, library and hook agree, and nothing raises or hangs.

20,000 mutations in all, 200,000 in the full dose.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections import Counter
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from ruamel.yaml import YAML

from evalschema import check_file
from evalschema.catalog import has_shape, kinds
from evalschema.output._fit import fitted
from evalschema.settings import DEFAULT, Settings
from tests.dose import dose
from tests.fuzz.agreement import BOM, assert_agreed, file_name, read_strictly
from tests.fuzz.documents import byte_inputs, document_inputs, examined
from tests.fuzz.replay import REGRESSIONS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tests.conftest import Figure

DOCUMENTS, BYTES = dose((450, 800), (4500, 8000))
IN_FILES = dose(8, 1500)
# Over all kinds, so that one figure tells it.
TRIED = Counter[str]()
MANIFEST = Path(__file__).parents[2] / ".pre-commit-hooks.yaml"


@pytest.mark.promise("hostile input")
@pytest.mark.parametrize("kind", kinds())
def test_no_mutation_raises_hangs_or_divides_the_engines(kind: str, figure: Figure) -> None:
    inputs = chain(document_inputs(kind, DOCUMENTS), byte_inputs(kind, BYTES))
    count = 0
    for data, fault in examined(kind, inputs):
        count += 1
        assert fault is None, f"{fault!r} on {data[:2000]!r}"
    TRIED["mutations"] += count
    figure("mutations without a crash, a hang or a disagreement", f"{TRIED['mutations']:,} of {TRIED['mutations']:,}")


@pytest.mark.promise("hostile input")
@pytest.mark.parametrize("path", sorted((REGRESSIONS / "documents").iterdir()), ids=lambda path: path.stem[:40])
def test_what_once_broke_the_check_breaks_it_no_more(path: Path) -> None:
    kind = max((each for each in kinds() if path.name.startswith(f"{each}-")), key=len)
    assert_agreed(path.read_bytes(), kind)


@pytest.mark.promise("hostile input")
@pytest.mark.parametrize("kind", kinds())
def test_command_library_and_hook_say_the_same(kind: Any, figure: Figure, tmp_path: Path) -> None:
    name = file_name(kind)
    paths: list[str] = []
    for index, data in enumerate(chain(document_inputs(kind, IN_FILES, 7), byte_inputs(kind, IN_FILES, 7))):
        folder = tmp_path / f"{index:05}"
        folder.mkdir()
        (folder / (name or "document.json")).write_bytes(data)
        paths.append(f"{index:05}/{name or 'document.json'}")
    for given in (kind, None):
        switches = ["--kind", kind] if given else []
        expected = _library(paths, given, tmp_path)
        assert _command(["check", *switches], paths, tmp_path) == expected
        if name is not None:
            entry = _hook(kind if given else None)
            shown = _command(entry, paths, tmp_path)
            assert shown == {path: expected[path] for path in shown}
            _assert_left_out(kind, expected.keys() - shown.keys(), tmp_path)
    TRIED["files"] += len(paths)
    figure("damaged files on which command, library and hook agree", f"{TRIED['files']:,} of {TRIED['files']:,}")


def _hook(kind: str | None) -> list[str]:
    """What the hook for a kind, or for all, runs."""
    wanted = "evalschema" if kind is None else f"evalschema-{kind.replace('_', '-')}"
    entries = {hook["id"]: hook["entry"] for hook in YAML(typ="safe").load(MANIFEST.read_text("utf-8"))}
    return str(entries[wanted]).split()[1:]


def _library(paths: Iterable[str], kind: Any, folder: Path) -> dict[str, Any]:
    """What `check_file` says of each file, cut to what the command shows of one."""
    found: dict[str, Any] = {}
    for path in paths:
        result = check_file(folder / path, kind, settings=Settings())
        entry = json.loads(json.dumps(fitted(result, DEFAULT.max_findings).to_dict()))
        found[path] = entry | {"path": path}
    return found


def _command(arguments: list[str], paths: list[str], folder: Path) -> dict[str, Any]:
    """The entries of the JSON output, by path, from the command as a program of its own."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("GITHUB_", "CI"))}
    found: dict[str, Any] = {}
    for start in range(0, len(paths), 500):
        done = subprocess.run(
            [sys.executable, "-m", "evalschema", *arguments, "--format", "json", *paths[start : start + 500]],
            cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=600,
        )  # fmt: skip
        assert done.returncode in (0, 1), done.stderr
        assert not done.stderr, done.stderr
        assert not re.search("[^\n -~]", done.stdout), "raw characters in the output"
        found |= {entry["path"]: entry for entry in json.loads(done.stdout)["files"]}
    return found


def _assert_left_out(kind: str, paths: Iterable[str], folder: Path) -> None:
    """The hook leaves out what is not of its kind by its members, and nothing else."""
    for path in paths:
        try:
            instance = read_strictly((folder / path).read_bytes().removeprefix(BOM))
        except (ValueError, RecursionError):
            continue  # then a member's name decides, which the tests of the hook look at
        assert not has_shape(kind, instance), path
