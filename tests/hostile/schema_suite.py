"""The official test suite of JSON Schema, draft 2020-12, as the source of jsonschema (PyPI) carries it.

`make` puts that source into `.suites`, checked by its hash, which `requirements.txt` beside this file holds.
"""

from __future__ import annotations

import json
import re
import tarfile
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

SOURCE = Path(__file__).parents[2] / ".suites/jsonschema-4.26.0.tar.gz"
_TESTS = "jsonschema-4.26.0/json/tests/draft2020-12/"
_REMOTES = "jsonschema-4.26.0/json/remotes/"
_ADDRESS = "http://localhost:1234/"


@dataclass(frozen=True, slots=True)
class Case:
    """One instance that a schema takes or not; `file` is relative to the folder of the draft."""

    file: str
    name: str
    schema: Any
    instance: Any
    valid: bool


@cache
def _files() -> dict[str, Any]:
    with tarfile.open(SOURCE) as archive:
        found = ((each.name, archive.extractfile(each)) for each in archive if each.name.endswith(".json"))
        return {name: json.loads(file.read()) for name, file in found if file and name.startswith((_TESTS, _REMOTES))}


def cases() -> Iterator[Case]:
    """All cases, in the order of the suite."""
    for path, groups in _files().items():
        if path.startswith(_TESTS):
            for group in groups:
                for test in group["tests"]:
                    name = f"{group['description']}: {test['description']}"
                    yield Case(path.removeprefix(_TESTS), name, group["schema"], test["data"], test["valid"])


def remotes() -> dict[str, Any]:
    """The schemas that the suite refers to, by their addresses: what it would fetch, were that allowed."""
    found = {path.removeprefix(_REMOTES): contents for path, contents in _files().items() if path.startswith(_REMOTES)}
    # those of other drafts are for other suites
    return {_ADDRESS + path: each for path, each in found.items() if not re.match(r"draft(?!2020-12/)", path)}
