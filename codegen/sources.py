"""The hand-written sources: schemas, the data files beside them, and the examples."""

from __future__ import annotations

import json
from functools import cache
from typing import TYPE_CHECKING, Any

from codegen._output import ROOT

if TYPE_CHECKING:
    from pathlib import Path

SCHEMAS = ROOT / "schemas"
SUFFIX = ".schema.json"


@cache
def schemas() -> dict[str, dict[str, Any]]:
    """Every schema by file name, sorted."""
    return {path.name: json.loads(path.read_text("utf-8")) for path in sorted(SCHEMAS.glob(f"*{SUFFIX}"))}


@cache
def data(name: str) -> list[dict[str, Any]]:
    """The entries of `schemas/<name>.json`."""
    entries: list[dict[str, Any]] = json.loads((SCHEMAS / f"{name}.json").read_text("utf-8"))[name]
    return entries


@cache
def kinds() -> tuple[str, ...]:
    """The kinds: the schemas that say how their documents are told."""
    return tuple(name.removesuffix(SUFFIX) for name, schema in schemas().items() if "Shape" in schema.get("$defs", {}))


def title(kind: str) -> str:
    """What the documents of a kind are called in types."""
    name: str = schemas()[kind + SUFFIX]["title"]
    return name


def trees(code: str) -> list[Path]:
    """The small workspaces that are named after a code, the smallest first."""
    found = [path for path in (ROOT / "tests" / "workspaces").glob(f"{code}-*") if path.is_dir()]
    return sorted(found, key=lambda path: (sum(each.stat().st_size for each in path.rglob("*.json")), path.as_posix()))


def examples(pattern: str) -> list[Path]:
    """The example documents whose path below `schemas/examples` fits, the shortest first."""
    found = [path for path in SCHEMAS.glob(f"examples/{pattern}.json") if not path.name.endswith(".findings.json")]
    return sorted(found, key=lambda path: (path.stat().st_size, path.as_posix()))
