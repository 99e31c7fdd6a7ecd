"""The examples: every document of `schemas/examples` gives exactly the findings that lie beside it."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from evalschema import catalog
from evalschema.codes import all_codes, find_code
from evalschema.rules._across import Across
from evalschema.rules._beside import Beside
from evalschema.rules._engine import all_rules
from tests.expect import found, side_file

SCHEMAS = Path(__file__).parents[1] / "schemas"
EXAMPLES = SCHEMAS / "examples"
DOCUMENTS = sorted(path for path in EXAMPLES.glob("*/*/*.json") if not path.name.endswith(".findings.json"))


def _name(path: Path) -> str:
    return str(path.relative_to(EXAMPLES))


def _code(path: Path) -> str:
    """The code that the name of an example begins with; "" where it begins with none."""
    stem = path.name.removesuffix(".json")
    return next((entry.code for entry in all_codes() if stem.startswith(f"{entry.code}-")), "")


@pytest.mark.parametrize("path", DOCUMENTS, ids=_name)
def test_an_example_gives_exactly_its_findings(path: Path) -> None:
    side = side_file(path)
    expected = json.loads(side.read_text("utf-8")) if side.exists() else []
    assert found(path) == expected
    severities = {finding["severity"] for finding in expected}
    if path.parent.name == "valid":
        assert "error" not in severities, "a valid example has no error"
        assert _code(path) not in {finding["code"] for finding in expected}, (
            "a near miss passes the rule it is named after"
        )
    else:
        code = _code(path)
        assert code, "an invalid example is named after the code that it shows"
        assert code in {finding["code"] for finding in expected}


def test_every_folder_is_a_kind_and_every_file_belongs() -> None:
    assert {path.name for path in EXAMPLES.iterdir()} == set(catalog.kinds())
    for folder in EXAMPLES.iterdir():
        assert {path.name for path in folder.iterdir()} <= {"valid", "invalid"}, folder.name
    sides = {path for path in EXAMPLES.glob("*/*/*") if path.name.endswith(".findings.json")}
    assert sides <= {side_file(path) for path in DOCUMENTS}, "an orphan lists findings of no document"
    assert set(EXAMPLES.glob("*/*/*")) == sides | set(DOCUMENTS)


# rules about several files have trees of their own: tests/workspaces
@pytest.mark.parametrize(
    "rule", [rule for rule in all_rules() if not isinstance(rule, Across | Beside)], ids=lambda rule: rule.code
)
def test_every_rule_has_a_bad_example_and_a_near_miss(rule: Any) -> None:
    folder = EXAMPLES / rule.kind
    assert list(folder.glob(f"invalid/{rule.code}-*.findings.json")), "no example in which the rule fires"
    misses = [path for path in folder.glob(f"valid/{rule.code}-*.json") if not path.name.endswith(".findings.json")]
    assert misses, "no example that just passes"


def test_every_code_of_an_example_is_known() -> None:
    for path in EXAMPLES.glob("*/*/*.findings.json"):
        for finding in json.loads(path.read_text("utf-8")):
            assert find_code(finding["code"]) is not None, f"{_name(path)} names {finding['code']}"


# --- coverage: what a schema demands is shown both ways -----------------------------------------------------------

_BOUNDS = (
    "minLength",
    "minItems",
    "maxItems",
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "pattern",
    "format",
    "enum",
    "const",
)


@cache
def _demands(kind: str) -> dict[tuple[str, str], Any]:
    """(place, keyword or member) of everything that a schema demands; places have `*` for any index or key."""
    demands: dict[tuple[str, str], Any] = {}
    schemas = catalog.bundle()["schemas"]

    def visit(schema: Any, here: str, place: str, trail: tuple[tuple[int, str], ...]) -> None:
        if not isinstance(schema, dict):
            return
        reference = schema.get("$ref")
        if reference is not None:
            file, _, fragment = reference.partition("#")
            file = file or here
            if (place.count("/"), reference) in trail:
                return
            target = schemas[file]
            for token in fragment.split("/")[1:]:
                target = target[token]
            visit(target, file, place, (*trail, (place.count("/"), reference)))
        for member in schema.get("required", ()):
            demands[place, f"required {member}"] = schema
        for keyword in _BOUNDS:
            if keyword in schema:
                demands[place, keyword] = schema
        for name, member in schema.get("properties", {}).items():
            visit(member, here, f"{place}/{name}", trail)
        for keyword in ("items", "additionalProperties"):
            visit(schema.get(keyword), here, f"{place}/*", trail)
        for keyword in ("oneOf", "anyOf", "allOf"):
            for branch in schema.get(keyword, ()):
                visit(branch, here, place, trail)

    visit({"$ref": catalog.file_name(kind)}, "", "", ())
    return demands


def _raw_failures(kind: str, instance: Any) -> set[tuple[str, str]]:
    from evalschema.explainer import explain_kind
    from evalschema.finding import pointer

    failures, _ = explain_kind(kind, instance)
    return {
        (pointer(failure.at), f"required {failure.member}" if failure.keyword == "required" else failure.keyword)
        for failure in failures
    }


def _fits(place: str, pattern: str) -> bool:
    have, want = place.split("/"), pattern.split("/")
    return len(have) == len(want) and all(w in ("*", h) for h, w in zip(have, want, strict=True))


@pytest.mark.parametrize("kind", catalog.kinds())
def test_every_demand_of_a_schema_is_broken_in_some_example(kind: str) -> None:
    broken: set[tuple[str, str]] = set()
    for path in DOCUMENTS:
        if path.parent.parent.name == kind:
            broken |= _raw_failures(kind, json.loads(path.read_text("utf-8")))
    missing = [
        f"{place or '(root)'} {what}"
        for place, what in _demands(kind)
        if what != "const" and not any(what == have and _fits(where, place) for where, have in broken)
    ]
    assert not missing, f"{len(missing)} demands that no example breaks: {missing[:12]}"


@pytest.mark.parametrize("kind", catalog.kinds())
def test_every_word_of_an_enumeration_is_used_in_some_valid_example(kind: str) -> None:
    used: dict[str, set[Any]] = {}
    enumerations = {place: schema["enum"] for (place, what), schema in _demands(kind).items() if what == "enum"}
    for path in DOCUMENTS:
        if path.parent.parent.name == kind and path.parent.name == "valid":
            _collect(json.loads(path.read_text("utf-8")), "", enumerations, used)
    for place, words in enumerations.items():
        assert set(words) <= used.get(place, set()), f"{place}: not every word is used in a valid example"


def _collect(value: Any, place: str, wanted: dict[str, Any], used: dict[str, set[Any]]) -> None:
    for pattern in wanted:
        if isinstance(value, str) and _fits(place, pattern):
            used.setdefault(pattern, set()).add(value)
    children = enumerate(value) if isinstance(value, list) else value.items() if isinstance(value, dict) else ()
    for key, child in children:
        _collect(child, f"{place}/{key}", wanted, used)
