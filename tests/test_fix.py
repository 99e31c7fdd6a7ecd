"""Repairs: patches on text change what they name and nothing else; what does not help is undone; files stay whole."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from collections.abc import Callable
from copy import deepcopy
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random
from shutil import which
from typing import TYPE_CHECKING, Any

import jsonpatch
import pytest
from click.testing import CliRunner

from evalschema import check_bytes
from evalschema.catalog import bundle, kinds
from evalschema.commands.fix import command
from evalschema.finding import Finding, Result, Severity, pointer, split
from evalschema.fix import PatchError, Repair, Text, repair, repair_lines
from evalschema.fix.derived import derived
from evalschema.fix.repairing import CHECKS
from evalschema.fix.replacing import NotReplaced, replace_file
from evalschema.fix.tree import is_same
from evalschema.settings import Settings
from evalschema.verdict import fits_text
from tests.dose import FULL
from tests.mutation import examples, extreme_mutants, mutants

if TYPE_CHECKING:
    from collections.abc import Iterator

STYLES: tuple[dict[str, Any], ...] = ({"indent": 2}, {"indent": "\t"}, {}, {"separators": (",", ":")})
GRADING = """{
  "expectations": [
    { "name": "the total is 12.50", "met": true, "details": "line 3" },
    { "text": "\\u00fcber alles", "passed": false, "evidence": "" }
  ],
  "summary": { "passed": 1, "failed": 1, "total": 2, "pass_rate": 5e-1 },
  "note": 1.0
}
"""


def edited(text: str, *patch: dict[str, Any]) -> str:
    document = Text(text)
    document.apply(patch)
    return str(document)


def move(source: str, path: str) -> dict[str, Any]:
    return {"op": "move", "from": source, "path": path}


def add(path: str, value: Any) -> dict[str, Any]:
    return {"op": "add", "path": path, "value": value}


# --- text ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "patch", "after"),
    [
        # a renamed member keeps its place, its spelling, and everything around it
        ('{"a" : 1.0,\r\n "b":[ ]}\n', [move("/a", "/c")], '{"c" : 1.0,\r\n "b":[ ]}\n'),
        ('{"a":{"x~/":1e3}}', [move("/a/x~0~1", "/a/y")], '{"a":{"y":1e3}}'),
        ('[{"a": 1}, {"a": 1}]', [move("/1/a", "/1/b")], '[{"a": 1}, {"b": 1}]'),
        # new members look like their neighbours
        ('{\n  "a": 1\n}\n', [add("/b", 2)], '{\n  "a": 1,\n  "b": 2\n}\n'),
        (
            '{\r\n\t"a": 1\r\n}',
            [add("/b", {"c": [1]})],
            '{\r\n\t"a": 1,\r\n\t"b": {\r\n\t\t"c": [\r\n\t\t\t1\r\n\t\t]\r\n\t}\r\n}',
        ),
        ('{"a": 1}', [add("/b", {"c": 2})], '{"a": 1, "b": {"c": 2}}'),
        ('{"a":1}', [add("/b", {"c": [1, 2]})], '{"a":1,"b":{"c":[1,2]}}'),
        ('{ "a": 1 }', [add("/b", "ü")], '{ "a": 1, "b": "ü" }'),
        ("{}", [add("/b", 2)], '{"b": 2}'),
        ('{\n    "a": {}\n}', [add("/a/b", 2)], '{\n    "a": {\n        "b": 2\n    }\n}'),
        ('{\n  "a": {"x": 1, "y": 2}\n}', [add("/a/b", 2)], '{\n  "a": {"x": 1, "y": 2, "b": 2}\n}'),
        ("[1, 2]", [add("/1", 9)], "[1, 9, 2]"),
        ("[1, 2]", [add("/-", 9)], "[1, 2, 9]"),
        ("[\n  1\n]", [add("/0", 9)], "[\n  9,\n  1\n]"),
        # what moves to another depth is indented as that depth is, and spelled as it was
        (
            '{\n  "r": {\n    "n": [\n      1.50\n    ]\n  },\n  "z": 0\n}',
            [move("/r/n", "/n")],
            '{\n  "r": {},\n  "z": 0,\n  "n": [\n    1.50\n  ]\n}',
        ),
        (
            '{\n  "pass_rate": 1.0,\n  "x": 1\n}\n',
            [add("/summary", {}), move("/pass_rate", "/summary/pass_rate")],
            '{\n  "x": 1,\n  "summary": {\n    "pass_rate": 1.0\n  }\n}\n',
        ),
        # the first, the last and the only member leave no comma and no hole
        ('{ "a": 1, "b": 2 }', [{"op": "remove", "path": "/a"}], '{ "b": 2 }'),
        ('{\n  "a": 1,\n  "b": 2\n}', [{"op": "remove", "path": "/b"}], '{\n  "a": 1\n}'),
        ('{ "a": 1 }', [{"op": "remove", "path": "/a"}], "{}"),
        ('{"a": 1, "b": 2}', [{"op": "remove", "path": "/a"}], '{"b": 2}'),
        ("[1, 2, 3]", [{"op": "remove", "path": "/1"}], "[1, 3]"),
        # a value that stays inside its replacement keeps its spelling
        (
            '[\n  {"a": 1.00}\n]\n',
            [{"op": "replace", "path": "", "value": {"evals": [{"a": 1.0}]}}],
            '{\n  "evals": [\n    {"a": 1.00}\n  ]\n}\n',
        ),
        ('[{"a":1e2}]', [{"op": "replace", "path": "", "value": {"evals": [{"a": 100.0}]}}], '{"evals":[{"a":1e2}]}'),
        ('{\n  "q": [\n    1.0\n  ]\n}\n', [move("/q", "")], "[\n  1.0\n]\n"),
        ('"{\\n \\"a\\": 1.0}"\n', [{"op": "replace", "path": "", "value": {"a": 1.0}}], '{\n "a": 1.0}\n'),
        ('{"d": 0.50}', [{"op": "replace", "path": "/d", "value": "+0.5"}], '{"d": "+0.5"}'),
        ('{"d": 0.50}', [{"op": "replace", "path": "/d", "value": 0.5}], '{"d": 0.50}'),
    ],
)  # fmt: skip
def test_a_patch_changes_what_it_names_and_keeps_the_rest(before: str, patch: list[dict[str, Any]], after: str) -> None:
    assert edited(before, *patch) == after


@pytest.mark.parametrize(
    "operation",
    [
        {"op": "remove", "path": "/x"},
        {"op": "remove", "path": ""},
        {"op": "replace", "path": "/x", "value": 1},
        {"op": "replace", "path": "/a/0", "value": 1},
        {"op": "add", "path": "/x/y", "value": 1},
        {"op": "add", "path": "/l/2", "value": 1},
        {"op": "add", "path": "/l/01", "value": 1},
        {"op": "add", "path": "/l/x", "value": 1},
        {"op": "move", "from": "/o", "path": "/o/p"},
        {"op": "move", "from": "/x", "path": "/x"},
        {"op": "swap", "path": "/a"},
    ],
    ids=json.dumps,
)
def test_a_patch_that_does_not_fit_is_refused(operation: dict[str, Any]) -> None:
    with pytest.raises(PatchError):
        edited('{"a": 1, "l": [0], "o": {"p": 1}}', operation)


def test_two_patches_made_for_one_document_cannot_overwrite_each_other() -> None:
    for second in (move("/b", "/c"), add("/c", 0)):
        document = Text('{"a": 1, "b": 2}')
        document.apply((move("/a", "/c"),), overwriting=False)
        assert json.loads(str(document)) == {"c": 1, "b": 2}
        with pytest.raises(PatchError):
            document.apply((second,), overwriting=False)


def random_value(random: Random, depth: int = 0) -> Any:
    if depth < 4 and random.random() < 0.6:
        if random.random() < 0.5:
            return {random.choice("abcde/~é"): random_value(random, depth + 1) for _ in range(random.randrange(4))}
        return [random_value(random, depth + 1) for _ in range(random.randrange(4))]
    return random.choice((None, True, False, 0, 1, 1.0, 1e300, -0.5, "", "a\nb", "ü", "{", '"', 10**30))


def spelled(value: Any, random: Random, depth: int = 0) -> str:
    """The value in a style that no program writes: the spaces and line ends are as they come."""

    def gap() -> str:
        return random.choice(("", "", " ", "\n" + "  " * depth, "\r\n\t", "\n\n  "))

    if isinstance(value, dict):
        inside = [
            f"{gap()}{json.dumps(k)}{gap()}:{gap()}{spelled(v, random, depth + 1)}{gap()}" for k, v in value.items()
        ]
        return "{" + (",".join(inside) or gap()) + "}"
    if isinstance(value, list):
        return "[" + (",".join(f"{gap()}{spelled(v, random, depth + 1)}{gap()}" for v in value) or gap()) + "]"
    if type(value) is float:
        return random.choice((repr(value), f"{value:.20e}", repr(value).upper()))
    return json.dumps(value, ensure_ascii=random.random() < 0.5)


def places(value: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    yield at
    for key, child in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        yield from places(child, (*at, key))


def random_operation(document: Any, random: Random) -> dict[str, Any]:
    all_places = list(places(document))
    target = random.choice(all_places)
    if random.random() < 0.5:
        target = (*target, random.choice(("new", "-", 0, "a")))
    match random.randrange(4):
        case 0:
            return {"op": "add", "path": pointer(target), "value": random_value(random, 2)}
        case 1:
            return {"op": "replace", "path": pointer(random.choice(all_places)), "value": random_value(random, 2)}
        case 2:
            return {"op": "remove", "path": pointer(random.choice(all_places))}
        case _:
            return {"op": "move", "from": pointer(random.choice(all_places)), "path": pointer(target)}


def test_patched_text_holds_what_an_independent_library_makes_of_the_data() -> None:
    random = Random(11)  # noqa: S311
    applied = 0
    for _ in range(40_000 if FULL else 4_000):
        document = random_value(random)
        if not isinstance(document, dict | list):
            continue
        text = spelled(document, random)
        operation = random_operation(document, random)
        if operation["op"] == "remove" and not operation["path"]:
            continue  # RFC 6902 leaves open what is left then
        if operation["op"] == "move" and operation["path"].startswith(operation["from"]):
            continue  # into itself, or onto itself: the library lets some of it pass
        try:
            expected = jsonpatch.apply_patch(deepcopy(document), [deepcopy(operation)])
        except (jsonpatch.JsonPatchException, jsonpatch.JsonPointerException, TypeError):
            with pytest.raises(PatchError):
                edited(text, operation)
            continue
        found = edited(text, operation)
        assert is_same(json.loads(found), expected), (text, operation, found)
        applied += 1
    assert applied > 1_000


# --- repairs ------------------------------------------------------------------------------------------------------


def replayed(data: bytes, done: Repair) -> Any:
    """What an independent library makes of the data with the patches of the steps."""
    document = json.loads(data)
    for step in done.steps:
        assert step.patch is not None
        document = jsonpatch.apply_patch(document, deepcopy(list(step.patch)))
    return document


def assert_sound(data: bytes, kind: Any, *, unsafe: bool) -> Repair:
    done = repair(data, kind, unsafe=unsafe)
    before, after = done.before, done.after
    assert len(after.errors) <= len(before.errors)
    if len(after.errors) == len(before.errors):
        assert len(after.findings) <= len(before.findings)
    assert check_bytes(done.data, kind).findings == after.findings[:100]
    assert is_same(json.loads(done.data), replayed(data, done))
    assert bool(done.steps) == (done.data != data)
    assert repair(done.data, kind, unsafe=unsafe).data == done.data
    return done


@pytest.mark.parametrize("unsafe", [False, True])
@pytest.mark.parametrize("kind", kinds())
def test_no_damaged_document_gets_worse_and_twice_is_the_same_as_once(kind: str, *, unsafe: bool) -> None:
    count = 600 if FULL else 25
    for index, document in enumerate((*mutants(kind, count, seed=5), *extreme_mutants(kind, count // 5))):
        text = json.dumps(document, ensure_ascii=False, **STYLES[index % len(STYLES)])
        assert_sound(text.encode(), kind, unsafe=unsafe)


@cache
def sound_examples(kind: Any) -> list[Any]:
    """The examples in which nothing is found."""
    return [each for each in examples(kind) if not check_bytes(json.dumps(each).encode(), kind).findings]


def disguised(document: Any, alias: dict[str, Any]) -> Any | None:
    """A sound document with one member under the wrong name or at the wrong place; None where it has no such member."""
    at = [key for key in split(alias["at"]) if key != "*"] if "*" not in alias["at"] else None
    for place in places(document):
        if (list(place) != at) if at is not None else not fits_place(place, split(alias["at"])):
            continue
        damaged = deepcopy(document)
        holder = damaged
        for key in place:
            holder = holder[key]
        *way, name = split(alias["right"])
        inner = holder
        for key in way:
            inner = inner.get(key) if isinstance(inner, dict) else None
        if not isinstance(inner, dict) or name not in inner or alias["wrong"] in holder:
            continue
        if not fits_text(json.dumps(alias["when"]), inner[name]):
            continue
        holder[alias["wrong"]] = inner.pop(name)
        if way and not inner:
            holder.pop(way[0])
        return damaged
    return None


def fits_place(place: tuple[Any, ...], wanted: tuple[str, ...]) -> bool:
    return len(place) == len(wanted) and all(w in ("*", str(p)) for p, w in zip(place, wanted, strict=True))


# The names inside are wrong as well, which has a test of its own; and a member that no example has.
OTHERS = ("grades", "output_files")
SAFE = [each for each in bundle()["aliases"] if each["safe"] and each["right"] and each["wrong"] not in ("", *OTHERS)]


@pytest.mark.parametrize("alias", SAFE, ids=lambda alias: f"{alias['kind']}{alias['at']}/{alias['wrong']}")
def test_every_safe_wrong_name_is_put_right_without_loss(alias: dict[str, Any]) -> None:
    kind = alias["kind"]
    pairs = ((document, disguised(document, alias)) for document in sound_examples(kind))
    document, damaged = next(pair for pair in pairs if pair[1] is not None)
    done = assert_sound(json.dumps(damaged, indent=2).encode(), kind, unsafe=False)
    assert is_same(json.loads(done.data), document)


def test_names_are_put_right_and_nothing_else_is_touched() -> None:
    done = repair(GRADING.encode(), "grading")
    expected = GRADING.replace('"name"', '"text"').replace('"met"', '"passed"').replace('"details"', '"evidence"')
    assert done.data.decode() == expected
    assert [step.code for step in done.steps] == ["name.alias"] * 3
    assert done.after.findings == ()


@pytest.mark.parametrize("end", ["\n", "\r\n", "", "\n\n  \n"])
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_line_ends_and_the_end_of_the_file_are_kept(newline: str, end: str) -> None:
    text = GRADING.rstrip().replace("\n", newline) + end
    done = repair(text.encode(), "grading")
    assert done.data.decode().count("\r") == text.count("\r")
    assert done.data.decode().endswith("}" + end)
    assert done.after.ok


def test_a_byte_order_mark_comes_off_and_the_rest_stays() -> None:
    data = b'{"total_tokens": 5, "elapsed_ms": 2000, "total_duration_seconds": 2.00}\r\n'
    done = repair(b"\xef\xbb\xbf" + data, "timing")
    assert done.data == data.replace(b"elapsed_ms", b"duration_ms")
    assert [step.code for step in done.steps] == ["json.bom", "name.alias"]


def test_a_markdown_fence_comes_off_what_is_json_inside() -> None:
    document = b'{"total_tokens": 5, "duration_ms": 2000, "total_duration_seconds": 2.0}\n'
    assert repair(b"```json\n" + document + b"```\n", "timing").data == document
    broken = b'```json\n{"total_tokens": 5,}\n```\n'
    assert repair(broken, "timing").data == broken


def test_a_list_of_evals_gets_its_object_however_long_it_is() -> None:
    evals = [
        {"id": i, "prompt": f"tidy {i}", "expected_output": "a table", "expectations": ["one"]} for i in range(300)
    ]
    text = json.dumps(evals, indent=4) + "\n"
    done = repair(text.encode(), "evals")
    assert json.loads(done.data) == {"evals": evals}
    assert done.data.decode() == '{\n    "evals": ' + text.rstrip().replace("\n", "\n    ") + "\n}\n"
    assert done.after.ok


def test_a_set_comes_out_of_its_object_only_when_nothing_is_lost() -> None:
    queries = [{"query": "a", "should_trigger": True}, {"query": "b", "should_trigger": False}]
    assert json.loads(repair(json.dumps({"queries": queries}).encode(), "trigger_evals").data) == queries
    more = json.dumps({"queries": queries, "note": "x"}).encode()
    assert repair(more, "trigger_evals").data == more


def test_a_document_comes_out_of_a_text() -> None:
    inside = '{"total_tokens": 5, "duration_ms": 2000,\n "total_duration_seconds": 2.00}'
    assert repair(json.dumps(inside).encode(), "timing").data.decode() == inside
    other = json.dumps('{"a": 1}').encode()
    assert repair(other, "timing").data == other


def test_a_list_under_a_wrong_name_is_renamed_with_the_names_in_it() -> None:
    grades = [{"expectation": "x is there", "pass": True, "reason": "line 2"}]
    document = {"grades": grades, "summary": {"passed": 1, "failed": 0, "total": 1, "pass_rate": 1.0}}
    done = repair(json.dumps(document).encode(), "grading")
    assert json.loads(done.data)["expectations"] == [{"text": "x is there", "passed": True, "evidence": "line 2"}]
    assert done.after.findings == ()


def test_a_number_for_a_signed_text_is_written_out() -> None:
    benchmark = examples_of_benchmark()
    benchmark["run_summary"]["delta"]["pass_rate"] = float(benchmark["run_summary"]["delta"]["pass_rate"])
    done = repair(json.dumps(benchmark).encode(), "benchmark")
    assert isinstance(json.loads(done.data)["run_summary"]["delta"]["pass_rate"], str)
    assert done.after.findings == ()


def examples_of_benchmark() -> Any:
    """A benchmark of two configurations in which nothing is found, and whose figures follow from its runs."""
    for document in sound_examples("benchmark"):
        bare = {name: value for name, value in document.items() if name != "run_summary"}
        configurations = {"with_skill", "without_skill", "delta"} <= document["run_summary"].keys()
        if configurations and repair(json.dumps(bare).encode(), "benchmark", unsafe=True).after.ok:
            return deepcopy(document)
    raise AssertionError("no example fits")


def test_meaning_is_never_changed_silently() -> None:
    grading = {
        "expectations": [{"text": "a", "passed": "PASS", "evidence": "e"}],
        "summary": {"passed": 1, "failed": 0, "total": 1, "pass_rate": "100%"},
    }
    data = json.dumps(grading).encode()
    assert repair(data, "grading").data == data
    assert json.loads(repair(data, "grading", unsafe=True).data)["expectations"] == grading["expectations"]
    assert [finding.suggestion for finding in check_bytes(data, "grading").findings] == ["true", "1"]


def test_what_does_not_help_is_undone() -> None:
    # the name is right then, but the rate contradicts the counts: one error for another, and a second one in its train
    grading = {
        "expectations": [{"text": "a", "passed": True, "evidence": "e"}],
        "summary": {"passed": 1, "failed": 0, "total": 1, "score": 0.25},
    }
    data = json.dumps(grading).encode()
    done = repair(data, "grading", unsafe=True)
    assert json.loads(done.data)["summary"]["pass_rate"] == 1.0


# --- what is kept and what is undone, with findings made up -------------------------------------------------------


Check = Callable[[Any], "Iterator[Finding]"]


def wrong(code: str, *fix: dict[str, Any], severity: Severity = "error") -> Finding:
    return Finding(code=code, name=code, severity=severity, pointer="", message=code, fix=fix or None)


def repaired(monkeypatch: pytest.MonkeyPatch, check: Check, document: Any, **options: Any) -> Any:
    """What becomes of a document when `check` tells what is wrong with it."""

    def check_made_up(data: bytes, kind: Any = None, *, path: Any = None, settings: Settings) -> Result:
        found = (settings.judged(finding) for finding in check(json.loads(data)))
        return Result(tuple(finding for finding in found if finding), kind or "timing", path)

    monkeypatch.setattr("evalschema.fix.repairing.check_bytes", check_made_up)
    done = repair(json.dumps(document).encode(), **options)
    return json.loads(done.data)


def test_a_change_whose_finding_stays_is_undone(monkeypatch: pytest.MonkeyPatch) -> None:
    def check(document: Any) -> Iterator[Finding]:
        yield wrong("name.alias", move("/a", "/b"))
        if "a" in document:
            yield wrong("schema.type")  # fewer findings alone are no reason

    assert repaired(monkeypatch, check, {"a": 1}) == {"a": 1}


def test_a_number_that_answers_nothing_is_undone(monkeypatch: pytest.MonkeyPatch) -> None:
    def check(_: Any) -> Iterator[Finding]:
        yield replace(wrong("schema.required"), expected="total_duration_seconds")

    assert repaired(monkeypatch, check, {"duration_ms": 2000}, unsafe=True) == {"duration_ms": 2000}


@pytest.mark.parametrize(
    ("new", "is_kept"),
    [
        ([], True),
        (["error"], True),
        (["warning"], True),
        (["warning"] * 5, True),
        (["error", "info"], False),
        (["error", "error"], False),
    ],
)
def test_fewer_errors_or_nothing_more(monkeypatch: pytest.MonkeyPatch, new: list[Severity], *, is_kept: bool) -> None:
    def check(document: Any) -> Iterator[Finding]:
        if "a" in document:
            yield wrong("name.alias", move("/a", "/b"))
        else:
            yield from (wrong(f"schema.{number}", severity=severity) for number, severity in enumerate(new))

    assert repaired(monkeypatch, check, {"a": 1}) == ({"b": 1} if is_kept else {"a": 1})


@pytest.mark.parametrize("new", [["warning"], ["info", "info"]])
def test_no_warning_for_an_info(monkeypatch: pytest.MonkeyPatch, new: list[Severity]) -> None:
    def check(document: Any) -> Iterator[Finding]:
        if "a" in document:
            yield wrong("name.alias", move("/a", "/b"), severity="info")
        else:
            yield from (wrong(f"schema.{number}", severity=severity) for number, severity in enumerate(new))

    assert repaired(monkeypatch, check, {"a": 1}) == {"a": 1}


def test_what_did_not_help_at_first_is_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    def check(document: Any) -> Iterator[Finding]:
        for name in sorted(document.keys() & {"a", "b", "c"}):
            yield wrong(f"name.{name}", move(f"/{name}", f"/{name.upper()}"))
        if "A" in document and "b" in document:
            yield from (wrong("schema.type"), wrong("schema.enum"))
        if "C" in document:
            yield from (wrong(f"schema.{number}") for number in range(5))

    monkeypatch.setattr("evalschema.fix.repairing.AHEAD", 0)
    assert repaired(monkeypatch, check, {"a": 1, "b": 2, "c": 3}) == {"A": 1, "B": 2, "c": 3}


def test_of_two_claims_to_one_place_the_first_is_met_and_nothing_is_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    def check(document: Any) -> Iterator[Finding]:
        for name in sorted(document.keys() & {"a", "b"}):
            yield wrong(f"name.{name}", move(f"/{name}", "/x"))

    assert repaired(monkeypatch, check, {"a": 1, "b": 2}) == {"x": 1, "b": 2}


def test_indices_are_those_of_the_list_as_it_is_by_then(monkeypatch: pytest.MonkeyPatch) -> None:
    def check(document: Any) -> Iterator[Finding]:
        for index, item in enumerate(document):
            if item < 0:
                yield wrong(f"name.{item}", {"op": "remove", "path": f"/{index}"})

    assert repaired(monkeypatch, check, [-1, 5, -2, 6, 7]) == [5, 6, 7]


def test_what_is_silenced_may_not_break_either(monkeypatch: pytest.MonkeyPatch) -> None:
    def check(document: Any) -> Iterator[Finding]:
        if "a" in document:
            yield wrong("name.alias", move("/a", "/b"))
        else:
            yield from (wrong("schema.type"), wrong("schema.enum"))

    for settings in (
        Settings(select=("name",)),
        Settings(ignore=("schema",)),
        Settings(severity={"schema.type": "off", "schema.enum": "off"}),
    ):
        assert repaired(monkeypatch, check, {"a": 1}, settings=settings) == {"a": 1}


def test_a_document_that_would_be_taken_for_another_kind_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    def check_made_up(data: bytes, kind: Any = None, *, path: Any = None, settings: Settings) -> Result:
        document = json.loads(data)
        found = (wrong("name.alias", move("/a", "/b")),) if "a" in document else ()
        return Result(found, kind or ("timing" if found else "metrics"), path)

    monkeypatch.setattr("evalschema.fix.repairing.check_bytes", check_made_up)
    assert repair(b'{"a": 1}').data == b'{"a": 1}'
    assert repair(b'{"a": 1}', "timing").data == b'{"b": 1}'


def test_a_document_that_never_comes_to_rest_is_left_after_some_checks(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = 0

    def check(document: Any) -> Iterator[Finding]:
        nonlocal calls
        calls += 1
        (name,) = document
        yield wrong(f"name.{name}", move(f"/{name}", f"/{name}x"))

    repaired(monkeypatch, check, {"a": 1})
    assert calls <= CHECKS + 2


# --- numbers ------------------------------------------------------------------------------------------------------


ITEMS = [{"text": f"check {i}", "passed": i < 2, "evidence": "seen"} for i in range(3)]
COUNTED = {"passed": 2, "failed": 1, "total": 3, "pass_rate": 0.6667}


@pytest.mark.parametrize(
    ("stated", "expected"),
    [
        ({}, {"summary": COUNTED}),
        ({"summary": {"passed": 3, "failed": 0, "total": 3, "pass_rate": 1.0}}, {"summary": COUNTED}),
        ({"summary": {"passed": 2, "failed": 1, "total": 3}}, {"summary": COUNTED}),
        ({"summary": {}}, {"summary": COUNTED}),
        ({"pass_rate": 0.67}, {"summary": {**COUNTED, "pass_rate": 0.67}}),
        ({"passed_count": 2, "total": 3, "eval_id": 4}, {"eval_id": 4, "summary": COUNTED}),
        # two of three in a list that is shortened: what the list lacks nobody can count
        (
            {"summary": {"passed": 4, "failed": 1, "total": 5, "pass_rate": 1.0}},
            {"summary": {"passed": 4, "failed": 1, "total": 5, "pass_rate": 0.8}},
        ),
    ],
)
def test_the_summary_follows_from_the_list(stated: dict[str, Any], expected: dict[str, Any]) -> None:
    done = assert_sound(json.dumps({"expectations": ITEMS, **stated}).encode(), "grading", unsafe=True)
    assert json.loads(done.data) == {"expectations": ITEMS, **expected}
    assert done.after.ok


def test_numbers_are_left_alone_unless_asked_for() -> None:
    data = json.dumps({"expectations": ITEMS}).encode()
    assert repair(data, "grading").data == data


@pytest.mark.parametrize(
    "grading",
    [
        {"expectations": [*ITEMS, {"text": "open", "passed": None, "evidence": ""}]},
        {"expectations": [*ITEMS, {"text": "open", "passed": "yes", "evidence": ""}]},
        {"expectations": []},
        {"expectations": ITEMS, "summary": "two of three"},
    ],
)
def test_nothing_is_counted_that_is_not_all_there(grading: dict[str, Any]) -> None:
    data = json.dumps(grading).encode()
    assert repair(data, "grading", unsafe=True).data == data


def test_seconds_follow_from_milliseconds_only_where_none_are_stated() -> None:
    def seconds(timing: dict[str, Any]) -> Any:
        return json.loads(repair(json.dumps(timing).encode(), "timing", unsafe=True).data).get("total_duration_seconds")

    assert seconds({"total_tokens": 5, "duration_ms": 23332}) == 23.332
    assert seconds({"total_tokens": 5, "duration_ms": 23332, "total_duration_seconds": None}) == 23.332
    assert seconds({"total_tokens": 5, "duration_ms": 23332, "total_duration_seconds": 0}) == 23.332
    # either of the two may be the one that was measured
    assert seconds({"total_tokens": 5, "duration_ms": 23.3, "total_duration_seconds": 23.3}) == 23.3


def test_the_statistics_and_the_delta_follow_from_the_runs() -> None:
    benchmark = examples_of_benchmark()
    whole = json.dumps(benchmark).encode()
    assert repair(whole, "benchmark", unsafe=True).data == whole
    means = {
        (name, metric): figures["mean"]
        for name in ("with_skill", "without_skill")
        for metric, figures in benchmark["run_summary"][name].items()
        if isinstance(figures, dict) and "mean" in figures
    }
    for damage in ("run_summary", "delta", "mean", "wrong"):
        damaged = deepcopy(benchmark)
        summary = damaged["run_summary"]
        if damage == "run_summary":
            del damaged["run_summary"]
        elif damage == "delta":
            del summary["delta"]
        elif damage == "mean":
            del summary["with_skill"]["pass_rate"]["mean"]
        else:
            summary["without_skill"]["pass_rate"]["mean"] = 0.99
        done = assert_sound(json.dumps(damaged).encode(), "benchmark", unsafe=True)
        assert done.after.findings == (), damage
        found = json.loads(done.data)["run_summary"]
        for (name, metric), mean in means.items():
            assert found[name][metric]["mean"] == pytest.approx(mean, abs=0.01 if metric == "pass_rate" else 1)
        assert found["delta"]["pass_rate"][0] in "+-"


def test_a_shortened_benchmark_is_not_computed() -> None:
    named = examples_of_benchmark()
    named["metadata"]["evals_run"] = [*named["metadata"]["evals_run"], 99]
    lacking = examples_of_benchmark()
    lacking["runs"].append({**lacking["runs"][0], "eval_id": 99})
    for benchmark in (named, lacking):
        del benchmark["run_summary"]
        done = repair(json.dumps(benchmark).encode(), "benchmark", unsafe=True)
        assert "run_summary" not in json.loads(done.data)


@pytest.mark.parametrize(
    ("first", "second", "delta"),
    [
        ("with_skill", "without_skill", "+0.50"),
        ("without_skill", "with_skill", "-0.50"),
        ("old_skill", "new_skill", "-0.50"),
        ("new_skill", "old_skill", "+0.50"),
        ("plain", "fancy", "+0.50"),
    ],
)
def test_the_delta_is_new_minus_old(first: str, second: str, delta: str) -> None:
    summary = {name: {"pass_rate": {"mean": mean}} for name, mean in ((first, 1.0), (second, 0.5))}
    found = dict(derived("benchmark", {"runs": [], "run_summary": summary}))
    assert found[("run_summary", "delta")] == {"pass_rate": delta}


# --- JSON Lines ---------------------------------------------------------------------------------------------------


def test_lines_are_repaired_each_by_itself() -> None:
    sound = b'{"total_tokens": 5, "duration_ms": 2000, "total_duration_seconds": 2.0}'
    wrong = sound.replace(b"duration_ms", b"elapsed_ms")
    data = b"\r\n".join([sound, wrong, b"", b"{broken", wrong]) + b"\n"
    done = repair_lines(data, "timing")
    assert done.data == b"\r\n".join([sound, sound, b"", b"{broken", sound]) + b"\n"
    assert len(done.before.errors) == len(done.after.errors) == 1


def test_a_line_stays_a_line() -> None:
    inside = '{"total_tokens": 5,\n"duration_ms": 2000, "total_duration_seconds": 2.0}'
    data = json.dumps(inside).encode()
    assert repair(data, "timing").data == inside.encode()
    assert repair_lines(data, "timing").data == data


# --- files --------------------------------------------------------------------------------------------------------


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "timing.json"
    path.write_bytes(b"old")
    return path


def alone(path: Path) -> bool:
    return [each.name for each in path.parent.iterdir()] == [path.name]


def test_a_file_is_replaced_whole_and_keeps_its_mode(file: Path) -> None:
    file.chmod(0o640)
    replace_file(str(file), b"old", b"new bytes")
    assert file.read_bytes() == b"new bytes"
    assert stat.S_IMODE(file.stat().st_mode) == 0o640
    assert alone(file)


def test_a_file_that_changed_meanwhile_is_left_alone(file: Path) -> None:
    for other in (b"older", b"ol", b"odd", b""):
        file.write_bytes(other)
        with pytest.raises(NotReplaced, match="changed by another program"):
            replace_file(str(file), b"old", b"new")
        assert file.read_bytes() == other
    assert alone(file)


def test_a_file_that_changes_at_the_last_moment_is_left_alone(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sync = os.fsync

    def late(descriptor: int) -> None:
        sync(descriptor)
        file.write_bytes(b"else")

    monkeypatch.setattr(os, "fsync", late)
    with pytest.raises(NotReplaced, match="changed by another program"):
        replace_file(str(file), b"old", b"new")
    assert file.read_bytes() == b"else"
    assert alone(file)


@pytest.mark.skipif(not hasattr(os, "symlink"), reason="no links here")
def test_links_are_not_written_through(file: Path, tmp_path: Path) -> None:
    link = tmp_path / "link.json"
    link.symlink_to(file)
    with pytest.raises(NotReplaced, match="is a link"):
        replace_file(str(link), b"old", b"new")
    assert link.is_symlink()
    assert file.read_bytes() == b"old"


def test_a_file_that_may_not_be_written_is_left_alone(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def denied(_path: str, mode: int) -> bool:
        return not mode & os.W_OK

    monkeypatch.setattr(os, "access", denied)
    with pytest.raises(NotReplaced, match="make it writable"):
        replace_file(str(file), b"old", b"new")
    assert file.read_bytes() == b"old"


def test_a_full_disk_leaves_the_old_file(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: Any) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "write", full)
    with pytest.raises(NotReplaced, match="No space left on device"):
        replace_file(str(file), b"old", b"new")
    monkeypatch.undo()
    assert file.read_bytes() == b"old"
    assert alone(file)


def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "missing"):
        with pytest.raises(NotReplaced):
            replace_file(str(path), b"", b"new")
    assert list(tmp_path.iterdir()) == []


# --- the command --------------------------------------------------------------------------------------------------


WRONG = '{\n  "total_tokens": 5210,\n  "elapsed_ms": 23400,\n  "total_duration_seconds": 23.40\n}\n'
RIGHT = WRONG.replace("elapsed_ms", "duration_ms")


def run(*arguments: str, data: bytes | None = None) -> tuple[int, str, str]:
    done = CliRunner().invoke(command, list(arguments), input=data)
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done.exit_code, done.stdout, done.stderr


def test_the_command_repairs_files_in_place(tmp_path: Path) -> None:
    path = tmp_path / "timing.json"
    path.write_text(WRONG)
    code, out, err = run("--no-config", str(tmp_path))
    assert (code, path.read_text()) == (0, RIGHT)
    assert out == f"{path}: 1 repair (name.alias), no finding left\n"
    assert "1 of 1 file repaired" in err
    again = run("--no-config", str(tmp_path))
    assert again[:2] == (0, "")
    assert "0 of 1 file repaired" in again[2]


@pytest.mark.skipif(which("patch") is None, reason="no program to apply a diff with")
def test_a_diff_is_shown_and_nothing_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.chdir(tmp_path)
    for newline, end in (("\n", ""), ("\r\n", ""), ("\n", "no end")):
        data = WRONG.replace("\n", newline).rstrip("\r\n" if end else "").encode()
        (tmp_path / "timing.json").write_bytes(data)
        code, _, _ = run("--no-config", "--diff", "timing.json")
        assert (code, (tmp_path / "timing.json").read_bytes()) == (1, data)
        # bytes, for the line ends count
        done = subprocess.run(
            [sys.executable, "-m", "evalschema", "fix", "--no-config", "--diff", "timing.json"],
            capture_output=True,
            check=False,
        )
        subprocess.run(["patch", "-p0", "--binary", "-s"], input=done.stdout, check=True)
        assert (tmp_path / "timing.json").read_bytes() == data.replace(b"elapsed_ms", b"duration_ms")
    assert run("--no-config", "--diff", "timing.json")[:2] == (0, "")


def test_a_diff_on_a_log_commands_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CI", "true")
    path = tmp_path / "timing.json"
    path.write_text('{\n"note": "##vso[x]\x9b2J\u202e",\n' + WRONG[1:])
    _, out, _ = run("--no-config", "--diff", str(path))
    assert "elapsed_ms" in out
    assert not {"\x9b", "\u202e"} & set(out)
    assert "##vso" not in out


def test_standard_input_goes_to_standard_output(tmp_path: Path) -> None:
    code, out, err = run("--no-config", "--kind", "timing", "-", data=WRONG.encode())
    assert (code, out) == (0, RIGHT)
    assert "standard input: 1 repair" in err


def test_the_status_tells_what_is_left(tmp_path: Path) -> None:
    path = tmp_path / "grading.json"
    path.write_text(json.dumps({"expectations": ITEMS}))
    code, out, err = run("--no-config", str(path))
    assert code == 1
    assert out == f"{path}: no repair is known, 1 error left\n"
    assert "1 file could be repaired further: look at --unsafe --diff" in err
    assert run("--no-config", "--unsafe", str(path))[0] == 0
    assert json.loads(path.read_text())["summary"] == COUNTED
    assert run("--no-config", str(tmp_path / "missing.json"))[0] == 1
    (tmp_path / "empty").mkdir()
    assert run("--no-config", str(tmp_path / "empty"))[0] == 5
    assert CliRunner().invoke(command, []).exit_code == 2


@pytest.mark.skipif(not hasattr(os, "symlink"), reason="no links here")
def test_a_file_that_cannot_be_written_is_told_and_the_others_are_repaired(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").write_text(WRONG)
    (tmp_path / "a").mkdir()
    link, path = tmp_path / "a" / "timing.json", tmp_path / "timing.json"
    link.symlink_to(tmp_path / "elsewhere")
    path.write_text(WRONG)
    code, _, err = run("--no-config", str(link), str(path))
    assert code == 3
    assert "is a link" in err
    assert (tmp_path / "elsewhere").read_text() == WRONG
    assert path.read_text() == RIGHT


def test_what_the_settings_leave_out_is_not_repaired(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "evalschema.toml").write_text('ignore = ["name.alias"]\n')
    (tmp_path / "timing.json").write_text(WRONG)
    assert run("timing.json")[0] == 0
    assert run("--no-config", "--ignore", "name", "timing.json")[0] == 0
    assert run("--no-config", "--select", "TIM", "timing.json")[0] == 0
    assert (tmp_path / "timing.json").read_text() == WRONG
    assert run("--no-config", "timing.json")[0] == 0
    assert (tmp_path / "timing.json").read_text() == RIGHT
