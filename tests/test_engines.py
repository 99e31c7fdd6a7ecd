"""The two engines: whatever the fast one refuses, the slow one explains, and neither goes anywhere."""

from __future__ import annotations

import json
import socket
from typing import Any

import pytest

from evalschema import SchemaError, catalog, validate
from evalschema.explainer import explain, explain_kind
from evalschema.verdict import is_valid, validator
from tests.dose import FULL
from tests.mutation import mutants


@pytest.mark.parametrize("kind", catalog.kinds())
def test_both_engines_give_the_same_verdict_on_damaged_documents(kind: str) -> None:
    refused = 0
    for document in mutants(kind, 2000 if FULL else 250):
        failures, complete = explain_kind(kind, document)
        assert complete
        assert is_valid(kind)(document) == (not failures), json.dumps(document)
        refused += bool(failures)
    assert refused > 25, "the mutants are too tame to tell anything"


@pytest.mark.parametrize("kind", catalog.kinds())
def test_checking_changes_nothing_and_never_raises(kind: str) -> None:
    for document in mutants(kind, 2000 if FULL else 120, seed=1):
        before = json.dumps(document)
        result = validate(document, kind)  # type: ignore[arg-type]
        assert json.dumps(document) == before
        assert result.ok == (not result.errors)
        assert is_valid(kind)(document) or result.findings, "a document that does not fit has a finding"
        assert validate(document, kind).findings == result.findings  # type: ignore[arg-type]


_TAGGED = {
    "anyOf": [
        {
            "type": "object",
            "properties": {"version": {"const": 1}, "title": {"type": "string"}},
            "required": ["version"],
        },
        {
            "type": "object",
            "properties": {"version": {"const": 2}, "name": {"type": "string"}},
            "required": ["version"],
        },
    ]
}


@pytest.mark.parametrize(
    ("schema", "instance", "expected"),
    [
        (_TAGGED, {"version": 1, "title": 5}, [("schema.type", "/title")]),
        (_TAGGED, {"version": 3}, [("schema.enum", "/version")]),
        (_TAGGED, {"title": "x"}, [("schema.required", "")]),
        (_TAGGED, {"version": True}, [("schema.enum", "/version")]),
        (_TAGGED, [], [("schema.type", "")]),
        ({"anyOf": [{"type": "integer"}, {"type": "string"}]}, None, [("schema.type", "")]),
        (
            {"additionalProperties": False},
            {"a": 1, "b": 2},
            [("schema.additionalProperties", "/a"), ("schema.additionalProperties", "/b")],
        ),
        (
            {"patternProperties": {"^x": {"type": "integer"}}, "additionalProperties": False},
            {"x1": "a"},
            [("schema.type", "/x1")],
        ),
        ({"dependentRequired": {"a": ["b"]}}, {"a": 1}, [("schema.dependentRequired", "")]),
        ({"type": "string", "format": "date-time"}, "2026-01-15T10:30:00", [("schema.format", "")]),
        ({"multipleOf": 0.01}, 19.99, []),
        ({"multipleOf": 0.1}, 0.35, [("schema.multipleOf", "")]),
        ({"uniqueItems": True}, [1, 1.0], [("schema.uniqueItems", "")]),
        ({"if": {"properties": {"a": {"const": 1}}}, "then": {"required": ["b"]}}, {"a": 1}, [("schema.required", "")]),
        (
            {"$ref": "timing.schema.json"},
            {"total_duration_seconds": "1"},
            [("schema.required", ""), ("schema.type", "/total_duration_seconds")],
        ),
        ({"items": False}, [1], [("schema.false schema", "/0")]),
        ({"minimum": 3}, True, []),
        ({"type": "integer"}, 3.0, []),
    ],
)
def test_a_schema_of_ones_own_is_explained(
    schema: dict[str, Any], instance: Any, expected: list[tuple[str, str]]
) -> None:
    found = [(finding.code, finding.pointer) for finding in validate(instance, schema=schema).findings]
    assert found == expected
    assert validator(schema).is_valid(instance) == (not expected)


@pytest.mark.parametrize(
    "schema",
    [
        {"$ref": "http://127.0.0.1:9/x.json"},
        {"$ref": "file:///etc/hostname"},
        {"$ref": "#/$defs/nowhere"},
        {"$schema": "http://127.0.0.1:9/meta.json", "type": "object"},
        {"type": "strng"},
        {"format": "data-time"},
        {"pattern": "(?=x)"},
        {"pattern": "("},
    ],
)
def test_a_schema_that_cannot_be_used_is_refused_and_nothing_is_fetched(
    schema: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: Any, **__: Any) -> Any:
        pytest.fail("a connection was tried")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    with pytest.raises(SchemaError):
        validate({}, schema=schema)


def test_a_schema_that_branches_without_end_is_given_up() -> None:
    schema: dict[str, Any] = {
        "$defs": {
            "n": {
                "anyOf": [
                    {"type": "array", "items": {"$ref": "#/$defs/n"}},
                    {"items": {"$ref": "#/$defs/n"}, "type": "array"},
                ]
            }
        },
        "$ref": "#/$defs/n",
    }
    instance: Any = "x"
    for _ in range(30):
        instance = [instance]
    result = validate(instance, schema=schema)
    assert [finding.code for finding in result.errors] == ["limit.work"]


def test_a_schema_that_refers_to_itself_alone_is_no_endless_loop() -> None:
    failures, _ = explain({"$defs": {"a": {"type": "string"}}, "$ref": "#/$defs/a"}, 1)
    assert [failure.keyword for failure in failures] == ["type"]


def _refuse_connection(*_: Any, **__: Any) -> None:
    pytest.fail("a connection was tried")


@pytest.mark.parametrize("kind", catalog.kinds())
def test_a_reference_in_a_document_is_never_followed(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket.socket, "connect", _refuse_connection)
    validate({"$schema": "http://127.0.0.1:9/x", "$ref": "http://127.0.0.1:9/y", "$id": "file:///etc/hostname"}, kind)  # type: ignore[arg-type]


def test_threads_share_validators() -> None:
    from concurrent.futures import ThreadPoolExecutor

    documents = list(mutants("grading", 64))
    alone = [validate(document, "grading") for document in documents]
    with ThreadPoolExecutor(16) as pool:
        together = list(pool.map(validate, documents * 4, ["grading"] * 4 * len(documents)))
    assert together == alone * 4
