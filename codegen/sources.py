"""The hand-written sources: schemas, and the data files beside them."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from codegen._output import ROOT

SCHEMAS = ROOT / "schemas"
SUFFIX = ".schema.json"


@cache
def schemas() -> dict[str, dict[str, Any]]:
    """Every schema by file name, sorted."""
    return {path.name: json.loads(path.read_text("utf-8")) for path in sorted(SCHEMAS.glob(f"*{SUFFIX}"))}


@cache
def data(name: str) -> list[dict[str, Any]]:
    """The entries of `schemas/<name>.json`."""
    if not (SCHEMAS / f"{name}.json").exists():
        return []
    entries: list[dict[str, Any]] = json.loads((SCHEMAS / f"{name}.json").read_text("utf-8"))[name]
    return entries


@cache
def kinds() -> tuple[str, ...]:
    """The kinds: the schemas that say how their documents are told."""
    return tuple(name.removesuffix(SUFFIX) for name, schema in schemas().items() if "Shape" in schema.get("$defs", {}))
