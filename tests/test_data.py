"""The data beside the schemas: it fits its own schema, and speaks of places that exist."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from evalschema import catalog
from evalschema.finding import split
from evalschema.verdict import fits

SCHEMAS = Path(__file__).parents[1] / "schemas"
DATA = ("aliases", "tolerances", "consequences")


def _entries(name: str) -> list[Any]:
    entries: list[Any] = json.loads((SCHEMAS / f"{name}.json").read_text("utf-8"))[name]
    return entries


@pytest.mark.parametrize("name", DATA)
def test_the_data_fits_its_schema(name: str) -> None:
    assert fits(f"{name}.schema.json", json.loads((SCHEMAS / f"{name}.json").read_text("utf-8")))
    assert not fits(f"{name}.schema.json", {name: [{"kind": "grading"}]})


@pytest.mark.parametrize("name", DATA)
def test_no_entry_stands_twice(name: str) -> None:
    keys = [
        json.dumps({**entry, "evidence": 0, "seen": 0, "reason": 0, "why": 0}, sort_keys=True)
        for entry in _entries(name)
    ]
    assert len(keys) == len(set(keys))
    assert {entry["kind"] for entry in _entries(name)} <= set(catalog.kinds())


@pytest.mark.parametrize("entry", _entries("consequences"), ids=lambda entry: f"{entry['kind']}{entry['place']}")
def test_a_consequence_is_that_of_a_documented_place(entry: Any) -> None:
    assert _leads_somewhere({"$ref": catalog.file_name(entry["kind"])}, "", split(entry["place"]))


@pytest.mark.parametrize(
    "entry", _entries("aliases"), ids=lambda entry: f"{entry['kind']}{entry['at']}/{entry['wrong']}"
)
def test_an_alias_leads_to_a_documented_place(entry: Any) -> None:
    if entry.get("right") is not None:
        place = (*split(entry["at"]), *split(entry["right"]))
        assert _leads_somewhere({"$ref": catalog.file_name(entry["kind"])}, "", place)


def _leads_somewhere(schema: Any, here: str, place: tuple[str, ...]) -> bool:
    """Whether a schema documents the place, in some alternative."""
    if not isinstance(schema, dict):
        return False
    if "$ref" in schema:
        file, _, fragment = schema["$ref"].partition("#")
        here = file or here
        schema = catalog.bundle()["schemas"][here]
        for token in split(fragment):
            schema = schema[token]
    if not place:
        return True
    step, *rest = place
    inside = [schema.get("properties", {}).get(step)]
    if step == "*" or isinstance(schema.get("additionalProperties"), dict):
        inside += [schema.get("items"), schema.get("additionalProperties"), *schema.get("properties", {}).values()]
    branches = [branch for keyword in ("anyOf", "oneOf", "allOf") for branch in schema.get(keyword, ())]
    return any(_leads_somewhere(each, here, tuple(rest)) for each in inside) or any(
        _leads_somewhere(branch, here, place) for branch in branches
    )
