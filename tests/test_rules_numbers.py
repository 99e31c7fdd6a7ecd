"""The rules of grading, timing, metrics and benchmark where numbers agree, and where one of them does not."""

from __future__ import annotations

import copy
import json
from functools import wraps
from random import Random
from typing import Any, cast

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from evalschema import validate
from evalschema.catalog import schema
from evalschema.finding import Finding, split
from evalschema.rules import _engine
from evalschema.rules import benchmark as benchmark_rules
from evalschema.rules import grading as grading_rules
from evalschema.rules import metrics as metrics_rules
from evalschema.rules._engine import Look, Rule, all_rules
from evalschema.rules._verdicts import agrees
from tests import consistent
from tests.consistent import BREAKS, MAKERS
from tests.dose import FULL
from tests.mutation import examples, extreme_mutants, mutants

KINDS = tuple(MAKERS)
RANDOMS = st.randoms(use_true_random=False)
DOSE = settings(max_examples=25, deadline=None)


def _seeded(seed: int) -> Random:
    return Random(seed)  # noqa: S311 - documents, not secrets


def _findings(kind: str, document: Any) -> tuple[Finding, ...]:
    return validate(document, cast("Any", kind)).findings


def _told(kind: str, document: Any) -> list[tuple[str, str]]:
    return [(finding.code, finding.pointer) for finding in _findings(kind, document)]


# --- consistent and broken documents ------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
@DOSE
@given(random=RANDOMS)
def test_numbers_that_agree_give_no_finding(kind: str, random: Random) -> None:
    assert _told(kind, MAKERS[kind](random)) == []


@pytest.mark.parametrize(("kind", "name"), [(kind, name) for kind in KINDS for name in BREAKS[kind]])
@DOSE
@given(random=RANDOMS)
def test_a_number_that_does_not_follow_is_told_where_it_stands(kind: str, name: str, random: Random) -> None:
    document = MAKERS[kind](random)
    broken = BREAKS[kind][name](document, random)
    assert (broken.code, broken.pointer) in _told(kind, document)


@pytest.mark.parametrize("name", ["passed", "failed", "pass_rate"])
@DOSE
@given(random=RANDOMS)
def test_with_a_full_list_one_wrong_number_is_one_finding(name: str, random: Random) -> None:
    document = consistent.grading(random)
    broken = BREAKS["grading"][name](document, random)
    assert _told("grading", document) == [(broken.code, broken.pointer)]


@DOSE
@given(random=RANDOMS)
def test_a_total_below_a_full_list_is_one_finding(random: Random) -> None:
    document = consistent.grading(random)
    document["summary"]["total"] = random.randrange(len(document["expectations"]))
    assert _told("grading", document) == [("GRD002", "/summary/total")]


@DOSE
@given(random=RANDOMS)
def test_with_a_short_list_a_wrong_total_does_not_make_the_rate_wrong(random: Random) -> None:
    document = consistent.grading(random, listed=False)
    assert _told("grading", document) == [("GRD004", "/expectations")]
    document["summary"]["total"] += random.randint(1, 5)
    assert _told("grading", document) == [("GRD004", "/expectations"), ("GRD001", "/summary/total")]


@DOSE
@given(random=RANDOMS)
def test_a_wrong_mean_does_not_make_the_delta_wrong(random: Random) -> None:
    document = consistent.benchmark(random)
    broken = BREAKS["benchmark"]["mean"](document, random)
    assert _told("benchmark", document) == [(broken.code, broken.pointer)]


@DOSE
@given(random=RANDOMS)
def test_the_fix_of_a_delta_mends_it(random: Random) -> None:
    document = consistent.benchmark(random)
    before = copy.deepcopy(document)
    BREAKS["benchmark"]["delta"](document, random)
    (finding,) = _findings("benchmark", document)
    assert finding.code == "BEN007"
    assert finding.fix is not None
    for step in finding.fix:
        assert step["op"] == "replace"
        *parents, last = split(step["path"])
        place = document
        for token in parents:
            place = place[token]
        place[last] = step["value"]
    assert document == before


@DOSE
@given(random=RANDOMS, first=st.sampled_from(["old_skill", "without_skill"]))
def test_a_delta_is_new_minus_old_whatever_stands_first(random: Random, first: str) -> None:
    document = consistent.benchmark(random, ("new_skill", first))
    assert "BEN007" not in {code for code, _ in _told("benchmark", document)}
    delta = document["run_summary"]["delta"]
    reversed_delta = {
        name: consistent.signed(-float(delta[name]), places) for name, places in consistent.METRICS.items()
    }
    document["run_summary"]["delta"] = reversed_delta
    # a difference within the rounding of the means has no sign to get wrong
    if abs(float(delta["pass_rate"])) > 0.03:
        assert ("BEN007", "/run_summary/delta") in _told("benchmark", document)


@DOSE
@given(random=RANDOMS)
def test_other_pairs_may_be_taken_in_either_order(random: Random) -> None:
    document = consistent.benchmark(random, ("spring", "autumn"))
    assert "BEN007" not in {code for code, _ in _told("benchmark", document)}
    delta = document["run_summary"]["delta"]
    for name, places in consistent.METRICS.items():
        delta[name] = consistent.signed(-float(delta[name]), places)
    assert "BEN007" not in {code for code, _ in _told("benchmark", document)}


# --- what must never crash ----------------------------------------------------------------------------------------

ODD: list[Any] = [
    None, True, False, 0, -1, 3.0, 0.5, 1e308, -1e308, 5e-324, 2**1023, 2**1024 - 1, -(2**1024) + 1,
    "", "x", "+0.50", "9" * 200, "2026-02-03T08:15:00Z", "2026-02-03T08:15:60Z", "0001-01-01T00:00:00+23:59",
    "<name>", "eval-" + "-" * 500, "\u202e\x00", [], [None], [[]], {}, {"passed": True}, {"mean": 1}, [{"passed": 1}],
]  # fmt: skip


def _places(value: Any, at: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    children: Any = enumerate(value) if isinstance(value, list) else value.items() if isinstance(value, dict) else ()
    return [at, *(place for key, child in children for place in _places(child, (*at, key)))]


def _put(document: Any, place: tuple[Any, ...], value: Any) -> Any:
    if not place:
        return value
    holder = document
    for token in place[:-1]:
        holder = holder[token]
    holder[place[-1]] = value
    return document


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=100, deadline=None)
@given(random=RANDOMS)
def test_no_value_at_any_place_makes_a_rule_crash(kind: str, random: Random) -> None:
    document = MAKERS[kind](random)
    for _ in range(random.randint(1, 3)):
        place = random.choice(_places(document))
        document = _put(document, place, copy.deepcopy(random.choice(ODD)))
    before = copy.deepcopy(document)
    for finding in _findings(kind, document):
        assert len(json.dumps(finding.to_dict(), allow_nan=False)) < 4096
    assert document == before, "an instance is never changed"


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=50, deadline=None)
@given(random=RANDOMS)
def test_no_missing_member_makes_a_rule_crash(kind: str, random: Random) -> None:
    document = MAKERS[kind](random)
    for _ in range(random.randint(1, 4)):
        places = [place for place in _places(document) if place]
        if not places:
            break
        *parents, last = random.choice(places)
        holder = document
        for token in parents:
            holder = holder[token]
        del holder[last]
    _findings(kind, document)


# --- edges that a random document seldom meets --------------------------------------------------------------------


@example(rate=0.85, passed=6, total=7)
@example(rate=0.67, passed=2, total=3)
@example(rate=0.33, passed=1, total=3)
@example(rate=1.0, passed=1.0, total=1.0)
@given(
    rate=st.just(0.0),
    passed=st.just(0),
    total=st.integers(1, 2**200),
)
def test_rounded_and_whole_rates_pass(rate: float, passed: float, total: float) -> None:
    document = {
        "expectations": [{"text": "a", "passed": passed > 0, "evidence": "seen"}],
        "summary": {"passed": passed, "failed": total - passed, "total": total, "pass_rate": rate},
    }
    assert {code for code, _ in _told("grading", document)} <= {"GRD004"}


def _one_run(**result: Any) -> dict[str, Any]:
    document = consistent.benchmark(_seeded(7))
    run = document["runs"][0]
    run.pop("expectations", None)
    run["result"] |= result
    return document


def test_a_run_without_failed_is_held_against_passed() -> None:
    document = _one_run(passed=3, total=2, pass_rate=1)
    del document["runs"][0]["result"]["failed"]
    assert ("BEN001", "/runs/0/result/total") in _told("benchmark", document)
    document = _one_run(passed=2, total=2, pass_rate=1)
    del document["runs"][0]["result"]["failed"]
    assert "BEN001" not in {code for code, _ in _told("benchmark", document)}


def test_a_broken_run_leaves_the_others_judged() -> None:
    document = consistent.benchmark(_seeded(11))
    assert len(document["runs"]) > 2
    document["runs"][0]["result"]["passed"] = "3"
    result = document["runs"][1]["result"]
    result["pass_rate"] = 0.0 if result["pass_rate"] > 0.5 else 1.0
    told = _told("benchmark", document)
    assert ("schema.type", "/runs/0/result/passed") in told
    assert ("BEN002", "/runs/1/result/pass_rate") in told


def test_a_deviation_of_a_single_run_is_passed_over() -> None:
    random = next(r for r in map(_seeded, range(99)) if len(consistent.benchmark(copy.copy(r))["runs"]) == 2)
    document = consistent.benchmark(random)
    document["run_summary"]["with_skill"]["tokens"]["stddev"] = 400
    assert _told("benchmark", document) == []


def test_an_identity_repeated_with_all_its_figures_is_one_finding_a_copy() -> None:
    document = consistent.benchmark(_seeded(3))
    document["runs"].append(copy.deepcopy(document["runs"][0]))
    codes = [code for code, _ in _told("benchmark", document)]
    assert codes.count("BEN004") == 1
    assert "BEN019" not in codes


@pytest.mark.parametrize(
    ("stated", "value"),
    [
        ("+0.50", (0.5, 0.005)),
        ("0.5", (0.5, 0.05)),
        ("-0.125", (-0.125, 0.0005)),
        ("+38pp", (0.38, 0.005)),
        ("+11.1%", (0.111, 0.0005)),
        ("+11.1 %", (0.111, 0.0005)),
    ],
)
def test_a_delta_of_rates_is_read_with_its_unit(stated: str, value: tuple[float, float]) -> None:
    read = benchmark_rules.read_delta(stated, "pass_rate")
    assert read == pytest.approx(value)


@pytest.mark.parametrize(
    ("stated", "metric"),
    [
        ("+0.5s", "pass_rate"),
        ("+38%", "time_seconds"),
        ("+38%", "tokens"),
        ("+2.470 (+93.2%)", "pass_rate"),
        ("٣", "tokens"),
        ("1e5", "tokens"),
        ("", "tokens"),
        ("+" + "9" * 400, "tokens"),
        (0.5, "pass_rate"),
        (None, "pass_rate"),
    ],
)
def test_what_is_no_difference_is_not_judged(stated: Any, metric: str) -> None:
    assert benchmark_rules.read_delta(stated, metric) is None


@pytest.mark.parametrize(
    ("number", "half"),
    [(12, 0.5), (12.0, 0.5), (0.05, 0.005), (0.123, 0.0005), (1e-05, 5e-06), (1e20, 0.5), (0, 0.5)],
)
def test_half_a_unit_of_the_last_digit(number: float, half: float) -> None:
    assert benchmark_rules.half_unit(number, 1) == pytest.approx(half)


def test_metrics_are_those_of_the_schema() -> None:
    assert set(metrics_rules.MEMBERS) == set(schema("metrics")["properties"]) - {"$schema"}


def test_ten_thousand_runs_are_judged() -> None:
    runs: list[dict[str, Any]] = [
        {
            "eval_id": number // 4,
            "configuration": ("with_skill", "without_skill")[number % 2],
            "run_number": number // 2 % 2 + 1,
            "result": {
                "pass_rate": number % 5 / 4,
                "passed": number % 5,
                "failed": 4 - number % 5,
                "total": 4,
                "time_seconds": 20 + number % 7,
                "tokens": 1000 + number,
                "errors": 0,
            },
        }
        for number in range(10_000)
    ]
    document = consistent.benchmark_of(_seeded(5), runs)
    assert _told("benchmark", document) == []
    runs[9_999]["result"]["time_seconds"] += 10_000
    assert _told("benchmark", document) == [
        ("BEN005", "/run_summary/without_skill/time_seconds/max"),
        ("BEN005", "/run_summary/without_skill/time_seconds/mean"),
        ("BEN006", "/run_summary/without_skill/time_seconds/stddev"),
    ]


def test_messages_carry_the_numbers() -> None:
    document = {
        "expectations": [
            {"text": "a", "passed": True, "evidence": "b"},
            {"text": "c", "passed": False, "evidence": "d"},
        ],
        "summary": {"passed": 2, "failed": 1, "total": 2, "pass_rate": 0.9},
    }
    rate, passed = _findings("grading", document)
    assert (passed.found, passed.expected) == (2, 1)
    assert (rate.found, rate.expected) == (0.9, 0.5)
    assert "2" in passed.message
    assert "1 of the 2" in passed.message
    assert "0.9" in rate.message
    assert "0.5" in rate.message
    assert rate.consequence is not None
    assert "averages" in rate.consequence


def test_a_reversed_delta_says_what_is_drawn() -> None:
    document = consistent.benchmark(_seeded(21))
    for metric, (mean, delta) in {"pass_rate": (0.75, "-0.50"), "tokens": (900.0, "+10")}.items():
        for run in document["runs"]:
            right = mean if run["configuration"] == "with_skill" else mean / 3
            run["result"][metric] = right
        for name, value in (("with_skill", mean), ("without_skill", mean / 3)):
            document["run_summary"][name][metric] = {"mean": value, "stddev": 0, "min": value, "max": value}
        document["run_summary"]["delta"][metric] = delta
    (finding,) = [finding for finding in _findings("benchmark", document) if finding.code == "BEN007"]
    assert finding.found == ["-0.50", "+10"]
    assert finding.expected == ["+0.50", "+600"]
    assert "pass_rate is -0.50, but with_skill 0.75 minus without_skill 0.25 makes +0.50" in finding.message
    assert finding.consequence == "the viewer draws an improvement as a loss"


def test_the_mean_of_a_summary_is_told_with_that_of_the_runs() -> None:
    document = consistent.benchmark(_seeded(1))
    document["run_summary"]["with_skill"]["tokens"]["mean"] = 10**7
    (finding,) = _findings("benchmark", document)
    assert finding.expected == pytest.approx(
        sum(run["result"]["tokens"] for run in document["runs"] if run["configuration"] == "with_skill")
        / sum(run["configuration"] == "with_skill" for run in document["runs"])
    )
    assert finding.message.startswith("mean is 10000000, but over the ")


def test_document_text_is_escaped_in_messages() -> None:
    document = consistent.benchmark(_seeded(2), ("with\u202eskill", "x\x1b[31m"))
    document["run_summary"]["with\u202eskill"]["tokens"]["mean"] += 10**7
    findings = _findings("benchmark", document)
    assert "BEN005" in {finding.code for finding in findings}
    for finding in findings:
        for text in (finding.message, finding.consequence or ""):
            assert text.isprintable()


@pytest.mark.parametrize("rule", [rule for rule in all_rules() if rule.kind in KINDS], ids=lambda rule: rule.code)
def test_a_page_says_more_than_the_defect(rule: Any) -> None:
    first, _, rest = rule.page.partition("\n\n")
    assert first.endswith(".")
    assert "\n" not in first
    assert len(rest) > 100


# --- looks --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["benchmark", "grading"])
def test_a_look_hides_nothing_that_the_rules_say(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    modules = {"benchmark": benchmark_rules, "grading": grading_rules}
    assert [each for each in vars(modules[kind]).values() if isinstance(each, Look)]
    many = 2000 if FULL else 300
    documents = [*examples(kind), *mutants(kind, many, seed=3), *extreme_mutants(kind, many)]
    for seed in range(100):
        for name in BREAKS[kind]:
            document = MAKERS[kind](_seeded(seed))
            BREAKS[kind][name](document, _seeded(seed))
            documents.append(document)
    with_looks = [_findings(kind, document) for document in documents]

    def no_look(kind: str, each: tuple[str, ...] | None) -> None:
        del kind, each

    monkeypatch.setattr(_engine, "_look", no_look)
    assert with_looks == [_findings(kind, document) for document in documents]


@pytest.mark.parametrize("kind", ["benchmark", "grading"])
def test_sound_documents_end_at_a_look(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def noted(each: Rule) -> Any:
        return wraps(each.check)(lambda *_: asked.append(each.code))

    for each in all_rules():
        if each.kind == kind and (each.each or kind == "grading"):
            monkeypatch.setitem(each.__dict__, "check", noted(each))
    for seed in range(20):
        assert _told(kind, MAKERS[kind](_seeded(seed))) == []
    assert asked == []


def test_a_sum_beyond_all_doubles_agrees_with_nothing() -> None:
    assert not agrees([{"passed": 3.0}, {"passed": 10**400}], 1, 2)
