"""Dataclasses and documents: what goes in comes out, to the letter."""

from __future__ import annotations

import json
import pickle
import subprocess
import sys
from copy import deepcopy
from dataclasses import fields
from functools import cache, reduce
from types import UnionType
from typing import TYPE_CHECKING, Any, Literal, Union, get_args, get_origin, get_type_hints

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from codegen.sources import title
from codegen.tolerant import documents
from evalschema import DocumentError, UnknownKindError, catalog, dump, load, models, validate
from evalschema._generated import models as generated
from evalschema.codec import Record, decode, encode
from tests.dose import FULL
from tests.mutation import EXAMPLES, examples, mutants

if TYPE_CHECKING:
    from collections.abc import Iterator

KINDS = catalog.kinds()


def hint_of(kind: str) -> Any:
    """The class, or the list or union of classes, that documents of a kind become."""
    return getattr(generated, title(kind))


def round_trip(kind: str, document: Any) -> str:
    return json.dumps(dump(load(document, kind)))  # type: ignore[call-overload]


# --- to the letter ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_every_example_without_errors_survives(kind: str) -> None:
    sound = [document for document in examples(kind) if validate(document, kind).ok]  # type: ignore[arg-type]
    assert sound
    for document in sound:
        before = json.dumps(document)
        loaded: Any = load(document, kind)  # type: ignore[call-overload]
        assert json.dumps(dump(loaded)) == before
        assert json.dumps(document) == before, "the document was changed"
        assert misfits(hint_of(kind), loaded) == []


# One value of every JSON type, and the forms that tolerances ask for.
OTHERS: tuple[Any, ...] = (None, True, 3, 1.5, "x", "2026-01-15", [], ["x"], {}, {"text": "x"})


@pytest.mark.parametrize("kind", KINDS)
def test_every_damage_that_is_no_error_survives(kind: str) -> None:
    """Each member absent, and of every other type: what is tolerated has its place in the types."""
    loaded = 0
    for document in damaged(documented(kind)):
        if validate(document, kind).ok:  # type: ignore[arg-type]
            assert round_trip(kind, document) == json.dumps(document)
            assert misfits(hint_of(kind), load(document, kind)) == []  # type: ignore[call-overload]
            loaded += 1
    assert loaded, "no damage was tolerated: extra members always are"


def documented(kind: str) -> Any:
    return json.loads((EXAMPLES / kind / "valid" / "documented.json").read_text("utf-8"))


def damaged(document: Any) -> Iterator[Any]:
    """The document with one value taken out, or another in its place, or one member more, for each sort of place."""
    for path in (path for path in places(document) if not any(isinstance(step, int) and step for step in path)):
        for value in (..., *OTHERS):
            changed = deepcopy(document)
            holder = reduce(lambda inside, step: inside[step], path[:-1], changed)
            if value is ...:
                del holder[path[-1]]
            else:
                holder[path[-1]] = deepcopy(value)
            yield changed
        if isinstance(path[-1], str):
            changed = deepcopy(document)
            holder = reduce(lambda inside, step: inside[step], path[:-1], changed)
            members = dict(holder)
            holder.clear()
            holder |= {"x-unknown": {"nested": [1, 1.0, None, {"deep": True}]}} | members
            yield changed


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, child in list(pairs):
        yield (*path, key)
        yield from places(child, (*path, key))


@pytest.mark.parametrize("kind", KINDS)
def test_random_damages_that_are_no_errors_survive(kind: str) -> None:
    for document in mutants(kind, 2000 if FULL else 200, seed=7):
        if validate(document, kind).ok:  # type: ignore[arg-type]
            assert round_trip(kind, document) == json.dumps(document)
            assert misfits(hint_of(kind), load(document, kind)) == []  # type: ignore[call-overload]


# --- documents made of the types themselves -----------------------------------------------------------------------

TEXTS = st.text(max_size=5)
NUMBERS = st.integers() | st.floats(allow_nan=False, allow_infinity=False)
ANY = st.recursive(
    st.none() | st.booleans() | NUMBERS | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=5,
)
SIMPLE: dict[str, st.SearchStrategy[Any]] = {
    "string": TEXTS,
    "integer": st.integers() | st.integers(-(10**6), 10**6).map(float),
    "number": NUMBERS,
    "boolean": st.booleans(),
    "null": st.none(),
}


@cache
def strategy(name: str) -> st.SearchStrategy[Any]:
    return made(documents()["$defs"][name])


def made(schema: dict[str, Any]) -> st.SearchStrategy[Any]:
    """Values that fit a schema of types."""
    if "$ref" in schema:
        return st.deferred(lambda: strategy(schema["$ref"].rpartition("/")[2]))
    for keyword in ("anyOf", "oneOf"):
        if keyword in schema:
            return st.one_of([made(branch) for branch in schema[keyword]])
    if "enum" in schema or "const" in schema:
        return st.sampled_from(schema.get("enum", [schema.get("const")]))
    types = schema.get("type", [])
    return st.one_of([typed(schema, each) for each in ([types] if isinstance(types, str) else types)] or [ANY])


def typed(schema: dict[str, Any], type_: str) -> st.SearchStrategy[Any]:
    if type_ == "array":
        return st.lists(made(schema["items"]), max_size=3)
    if type_ != "object":
        return SIMPLE[type_]
    members, required = schema.get("properties", {}), schema.get("required", ())
    described = st.fixed_dictionaries(
        {name: made(members[name]) for name in required},
        optional={name: made(member) for name, member in members.items() if name not in required},
    )
    others = st.dictionaries(TEXTS, made(schema.get("additionalProperties", {})), max_size=2)
    both = st.tuples(described, others).map(lambda pair: pair[1] | pair[0])
    return both.flatmap(
        lambda whole: st.permutations(list(whole)).map(lambda names: {name: whole[name] for name in names})
    )


@pytest.mark.parametrize("kind", KINDS)
def test_every_document_of_the_types_survives(kind: str) -> None:
    hint = hint_of(kind)

    @settings(
        max_examples=1000 if FULL else 50,
        deadline=None,
        derandomize=not FULL,
        suppress_health_check=[HealthCheck.too_slow],
    )
    @given(strategy(title(kind)))
    def survives(document: Any) -> None:
        before = json.dumps(document)
        record = decode(hint, document)
        assert json.dumps(encode(record)) == before
        assert misfits(hint, record) == []
        assert decode(hint, json.loads(before)) == record

    survives()


def misfits(hint: Any, value: Any) -> list[str]:
    """Where a value is not what its type hint says; a whole number may be written as 3.0."""
    origin, arguments = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        return [] if any(misfits(branch, value) == [] for branch in arguments) else [f"{value!r} is no {hint}"]
    if origin is list and isinstance(value, list):
        return [each for item in value for each in misfits(arguments[0], item)]
    if origin is dict and isinstance(value, dict):
        return [each for item in value.values() for each in misfits(arguments[1], item)]
    if isinstance(hint, type) and issubclass(hint, Record) and type(value) is hint:
        hints = get_type_hints(hint)
        found = (
            (field.name, misfits(hints[field.name], getattr(value, field.name))) for field in fields(hint) if field.init
        )
        return [f"{hint.__name__}.{name}: {each}" for name, inner in found for each in inner]
    fits = {
        object: True,
        Literal: value in arguments,
        float: type(value) in (int, float),
        int: type(value) is int or (type(value) is float and value.is_integer()),
        type(None): value is None,
    }
    return [] if fits.get(origin or hint, type(value) is hint) else [f"{value!r} is no {hint}"]


# --- what JSON tells apart ----------------------------------------------------------------------------------------

TIMING = {"total_duration_seconds": 23.4, "total_tokens": 5210, "duration_ms": 23400}


def test_absent_and_null_stay_what_they_are() -> None:
    absent = {name: value for name, value in TIMING.items() if name != "total_tokens"}
    null = TIMING | {"total_tokens": None}
    assert load(absent, "timing").total_tokens is None
    assert load(null, "timing").total_tokens is None
    assert dump(load(absent, "timing")) == absent
    assert dump(load(null, "timing")) == null
    assert load(absent, "timing") != load(null, "timing")


def test_a_required_null_is_written_although_nothing_was_loaded() -> None:
    made = models.FileFindings(path="-", kind=None, ok=True, findings=[])
    assert dump(made) == {"path": "-", "kind": None, "ok": True, "findings": []}


def test_an_optional_field_set_to_none_is_taken_out() -> None:
    timing = load(TIMING | {"executor_start": "2026-01-15T10:30:00Z"}, "timing")
    timing.executor_start = None
    assert dump(timing) == TIMING


def test_whole_numbers_stay_whole_and_others_stay_others() -> None:
    document = {"total_duration_seconds": 23, "total_tokens": 5210.0, "duration_ms": 23400}
    dumped = dump(load(document, "timing"))
    assert [type(dumped[name]) for name in document] == [int, float, int]


def test_members_keep_their_order_and_new_ones_follow() -> None:
    document = {
        "x": 1,
        "duration_ms": 23400,
        "total_duration_seconds": 23.4,
        "y": {"b": 1, "a": 2},
        "total_tokens": 5210,
    }
    timing = load(document, "timing")
    assert list(dump(timing)) == list(document)
    assert list(dump(timing)["y"]) == ["b", "a"]
    timing.executor_duration_seconds = 20
    timing.extras["z"] = True
    assert list(dump(timing)) == [*document, "executor_duration_seconds", "z"]


def test_renamed_members_have_their_names_in_json() -> None:
    operation = models.PatchOperation(op="move", path="/b", from_="/a")
    assert dump(operation) == {"op": "move", "path": "/b", "from": "/a"}
    timing = load(TIMING | {"$schema": "timing.schema.json"}, "timing")
    assert timing.schema == "timing.schema.json"
    assert dump(timing)["$schema"] == "timing.schema.json"


def test_unknown_members_are_kept_at_every_depth() -> None:
    document = {
        "skill_name": "tides",
        "evals": [{"id": 1, "prompt": "p", "expected_output": "o", "tags": [{"a": None}]}],
    }
    loaded = load(document, "evals")
    assert loaded.evals[0].extras == {"tags": [{"a": None}]}
    assert dump(loaded) == document


def test_members_under_any_name_are_typed_where_the_schema_describes_them() -> None:
    statistic = {"mean": 0.5, "stddev": 0.1}
    summary = {name: {"pass_rate": statistic} for name in ("with_skill", "old_skill")}
    record = decode(models.RunSummary, summary)
    assert isinstance(record.extras["old_skill"], models.ConfigurationSummary)
    assert record.extras["old_skill"].pass_rate.mean == pytest.approx(0.5)
    assert encode(record) == summary


def test_a_run_is_told_by_its_tag() -> None:
    for run in (each for each in examples("run") if validate(each, "run").ok):
        assert type(load(run, "run")).__name__ == f"{run['type'].title()}Run"


def test_a_root_list_is_a_list() -> None:
    document = [{"query": "When is high water?", "should_trigger": True}, {"query": "Hello", "should_trigger": False}]
    loaded = load(document, "trigger_evals")
    assert [type(each) for each in loaded] == [models.TriggerEval] * 2
    assert dump(loaded) == document


def test_nothing_is_shared_between_document_and_dataclass() -> None:
    document: dict[str, Any] = TIMING | {"notes": {"list": [1]}}
    timing = load(document, "timing")
    document["notes"]["list"].append(2)
    assert timing.extras == {"notes": {"list": [1]}}
    dump(timing)["notes"]["list"].append(3)
    assert timing.extras == {"notes": {"list": [1]}}


def test_copies_and_pickles_keep_what_a_record_remembers() -> None:
    document = {"x": 1} | TIMING | {"total_tokens": None}
    timing = load(document, "timing")
    for copied in (deepcopy(timing), pickle.loads(pickle.dumps(timing))):  # noqa: S301 - our own bytes
        assert copied == timing
        assert list(dump(copied)) == list(document)
        assert dump(copied) == document


def test_a_misspelt_attribute_is_refused() -> None:
    with pytest.raises(AttributeError):
        load(TIMING, "timing").total_token = 3  # type: ignore[attr-defined]


@pytest.mark.parametrize("value", [{1, 2}, (1,), b"x", 1j])
def test_what_json_cannot_hold_is_refused(value: Any) -> None:
    timing = load(TIMING, "timing")
    timing.extras["odd"] = value
    with pytest.raises(TypeError, match=f"a document cannot hold a value of type {type(value).__name__}"):
        dump(timing)


# --- load ---------------------------------------------------------------------------------------------------------


def test_a_document_with_errors_is_refused_with_its_findings() -> None:
    with pytest.raises(DocumentError) as caught:
        load({"total_tokens": -1}, "timing")
    assert {finding.code for finding in caught.value.result.errors} == {"schema.minimum", "schema.required"}


def test_the_kind_is_told_from_the_document() -> None:
    assert isinstance(load(TIMING), models.Timing)
    with pytest.raises(DocumentError, match="kind of this document cannot be told"):
        load({"colour": "blue"})
    with pytest.raises(UnknownKindError, match="did you mean 'timing'"):
        load(TIMING, "timings")  # type: ignore[call-overload]


def test_only_what_is_asked_for_is_imported() -> None:
    program = """
import sys, evalschema
assert evalschema.validate({"total_tokens": 1, "duration_ms": 1500, "total_duration_seconds": 1.5}, "timing").ok
assert not {"evalschema.models", "evalschema.codec", "evalschema._generated.models"} & set(sys.modules)
from evalschema import models
assert "evalschema._generated.models" not in sys.modules
models.Timing
assert "evalschema._generated.models" in sys.modules
assert not {"jsonschema", "referencing", "click"} & set(sys.modules)
"""
    subprocess.run([sys.executable, "-c", program], check=True)


def test_names_that_are_no_class_are_refused() -> None:
    with pytest.raises(AttributeError, match=r"module 'evalschema\.models' has no attribute 'Gradings'"):
        models.Gradings  # type: ignore[attr-defined]  # noqa: B018
    assert not hasattr(models, "_private")
