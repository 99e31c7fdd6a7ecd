"""Wrong names: what people write leads to the right name, what only looks alike does not."""

# pyright: reportPrivateUsage=false

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest

from evalschema import slips, validate
from evalschema.catalog import bundle, kinds
from evalschema.likeness import closest
from evalschema.names import notes
from evalschema.plain import is_plain
from evalschema.slips import misspelt
from evalschema.verdict import is_valid
from tests.dose import FULL
from tests.mutation import examples, mutants

GRADING: Any = {
    "expectations": [{"text": "The sum is 12", "passed": True, "evidence": "line 3"}],
    "summary": {"passed": 1, "failed": 0, "total": 1, "pass_rate": 1.0},
}
TIMING: Any = {"total_tokens": 5210, "duration_ms": 23400, "total_duration_seconds": 23.4}
EVALS: Any = {
    "skill_name": "sums",
    "evals": [{"id": 1, "prompt": "add 5 and 7", "expected_output": "12", "expectations": ["The sum is 12"]}],
}


def run(configuration: str) -> dict[str, Any]:
    result = {"pass_rate": 1.0, "passed": 1, "failed": 0, "total": 1, "time_seconds": 3.5, "tokens": 900, "errors": 0}
    return {"eval_id": 1, "configuration": configuration, "run_number": 1, "result": result}


BENCHMARK: Any = {
    "metadata": {
        "skill_name": "sums", "timestamp": "2026-02-03T08:15:00Z", "evals_run": [1], "runs_per_configuration": 1
    },
    "runs": [run("with_skill")],
    "run_summary": {
        "with_skill": {
            "pass_rate": {"mean": 1.0, "stddev": 0.0},
            "time_seconds": {"mean": 3.5, "stddev": 0.0},
            "tokens": {"mean": 900, "stddev": 0.0},
        }
    },
}  # fmt: skip
DOCUMENTS: dict[Any, Any] = {"grading": GRADING, "timing": TIMING, "evals": EVALS, "benchmark": BENCHMARK}


def renamed(document: Any, place: str, wrong: str, to: str = "") -> Any:
    """The document with the member at `place` under another name, in the object at `to` where that is given."""
    damaged = deepcopy(document)

    def at(path: str) -> Any:
        value = damaged
        for token in path.split("/")[1:]:
            value = value[int(token)] if isinstance(value, list) else value[token]
        return value

    parent, _, name = place.rpartition("/")
    value = at(parent).pop(name)
    at(to or parent)[wrong] = value
    return damaged


@pytest.mark.parametrize(
    ("kind", "place", "wrong", "right"),
    [
        ("benchmark", "/runs/0/configuration", "config", "configuration"),
        ("grading", "/expectations/0/text", "name", "text"),
        ("grading", "/expectations/0/passed", "met", "passed"),
        ("grading", "/expectations/0/evidence", "details", "evidence"),
        ("grading", "/expectations", "assertions", "expectations"),
        ("evals", "/evals/0/expectations", "assertions", "expectations"),
        ("benchmark", "/run_summary", "configurations", "run_summary"),
        ("timing", "/total_duration_seconds", "duration", "total_duration_seconds"),
        ("benchmark", "/runs/0/result/time_seconds", "duration", "time_seconds"),
        ("grading", "/expectations/0/passed", "passd", "passed"),
        ("grading", "/expectations/0/evidence", "Evidence", "evidence"),
        ("grading", "/summary/pass_rate", "passRate", "pass_rate"),
        ("grading", "/summary/pass_rate", "pass_rte", "pass_rate"),
        ("grading", "/summary/pass_rate", "passrate", "pass_rate"),
        ("benchmark", "/runs/0/eval_id", "evalId", "eval_id"),
        ("benchmark", "/runs/0/run_number", "run_numbre", "run_number"),
        ("evals", "/evals/0/prompt", "promt", "prompt"),
        ("timing", "/total_duration_seconds", "total-duration-seconds", "total_duration_seconds"),
    ],
)
def test_a_wrong_name_leads_to_the_right_one(kind: Any, place: str, wrong: str, right: str) -> None:
    assert validate(DOCUMENTS[kind], kind).findings == ()
    findings = validate(renamed(DOCUMENTS[kind], place, wrong), kind).findings
    told = [finding for finding in findings if finding.code.startswith("name.")]
    assert [finding.suggestion for finding in told] == [right]
    assert f"`{wrong}`" in told[0].message


def test_a_figure_beside_its_object_is_told_with_its_place() -> None:
    findings = validate(renamed(BENCHMARK, "/runs/0/result/pass_rate", "pass_rate", "/runs/0"), "benchmark").findings
    assert [(finding.code, finding.pointer, finding.related) for finding in findings] == [
        ("name.misplaced", "/runs/0/result", ("/runs/0/pass_rate",))
    ]
    assert findings[0].fix == ({"op": "move", "from": "/runs/0/pass_rate", "path": "/runs/0/result/pass_rate"},)


@pytest.mark.parametrize(
    ("members", "suggestion"),
    [
        ({"executor_strat": "2026-02-03T08:15:00Z"}, "executor_start"),
        ({"executorStart": "2026-02-03T08:15:00Z"}, "executor_start"),
        ({"grader_duration_second": 3.5}, "grader_duration_seconds"),
        # another word, another unit, a part of the whole: no slips
        ({"api_duration_ms": 9000}, None),
        ({"executor_duration_ms": 9000}, None),
        ({"output_tokens": 9000}, None),
        ({"executor_started": "2026-02-03T08:15:00Z"}, None),
        # the right member is there, or could not hold the value
        ({"executor_start": "2026-02-03T08:15:00Z", "executor_strat": "2026-02-03T08:15:00Z"}, None),
        ({"executor_strat": 9}, None),
        ({"schema": "v1"}, None),
    ],
)
def test_slips_in_optional_names_are_told_in_sound_documents(members: dict[str, Any], suggestion: str | None) -> None:
    findings = validate({**TIMING, **members}, "timing").findings
    if suggestion is None:
        assert findings == ()
    else:
        assert [(each.code, each.severity, each.suggestion) for each in findings] == [
            ("name.typo", "warning", suggestion)
        ]
        assert findings[0].fix is not None


def test_one_member_is_meant_by_one_name_and_never_by_a_known_one() -> None:
    both = {**TIMING, "executor_strat": "2026-02-03T08:15:00Z", "executorStart": "2026-02-03T08:15:00Z"}
    assert [finding.found for finding in misspelt("timing", both, frozenset())] == ["executor_strat"]
    assert list(misspelt("timing", both, frozenset({"executor_strat", "executorStart"}))) == []


def test_one_slip_in_many_places_is_told_once_with_a_repair_for_all() -> None:
    runs = [{**run("with_skill"), "run_number": number + 1, "noets": ["slow"]} for number in range(3)]
    findings = validate({**BENCHMARK, "runs": runs}, "benchmark").findings
    told = [finding for finding in findings if finding.code == "name.typo"]
    assert [finding.pointer for finding in told] == ["/runs/0/noets"]
    assert [step["path"] for step in told[0].fix or ()] == [f"/runs/{number}/notes" for number in range(3)]


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("mean_time_seconds", "time_seconds"),
        ("total_expectations", "expectations"),
        ("executor_duration_seconds", "total_duration_seconds"),
        ("ids", "id"),
        ("", "id"),
        ("___", "id"),
        ("x" * 100_000, "x" * 99_999),
        ("runs", "run_number"),
        ("steps", "total_steps"),
        ("executer_strat", "executor_start"),
    ],
)
def test_what_means_something_else_is_no_slip(wrong: str, right: str) -> None:
    assert closest(right, [wrong]) is None


def test_the_nearest_of_several_is_taken() -> None:
    assert closest("pass_rate", ["pass_rte", "passRate"]) == "passRate"


@pytest.mark.parametrize("kind", kinds())
def test_the_quick_look_misses_nothing_that_is_said_of_a_sound_document(kind: str) -> None:
    quick = 0
    for document in (*examples(kind), *mutants(kind, 1000 if FULL else 150, seed=8)):
        if slips._is_quiet(kind)(document):
            assert not list(slips._slips(slips._documented(kind), document, frozenset(), ()))
        if is_plain(kind)(document):
            quick += 1
            assert is_valid(kind)(document)
            assert not notes(kind, document)
    # evals have a wrong name that is documented as well, so that each of them is looked at
    assert bool(quick) == (kind != "evals")


def test_every_alias_has_its_reason_and_no_alias_is_a_documented_name() -> None:
    for alias in bundle()["aliases"]:
        assert alias["why"]
        assert alias["right"] != f"/{alias['wrong']}"
        if alias["right"] is None:
            assert alias["severity"] in ("warning", "info")
