"""Properties of the rules about names that refer to one another and about scores that add up.

Consistent documents of every size give no finding; one reference or number broken gives the
right rule at the right place.
"""

from __future__ import annotations

import json
from copy import deepcopy
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from evalschema import validate
from evalschema.rules._engine import rules_of
from tests.dose import FULL
from tests.mutation import EXAMPLES

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

    from hypothesis.strategies import DrawFn

    from evalschema._generated.kinds import Kind

    Break = Callable[[Any, Random], str | None]

DOSE = settings(
    max_examples=1000 if FULL else 40,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
WORDS = st.text(alphabet=st.characters(codec="utf-8", exclude_categories=["Cs"]), min_size=1, max_size=12)


def _found(kind: Kind, document: Any) -> list[tuple[str, str]]:
    before = deepcopy(document)
    findings = [(each.code, each.pointer) for each in validate(document, kind).findings]
    assert document == before, "a rule changed the document"
    return findings


# --- consistent documents -----------------------------------------------------------------------------------------


@st.composite
def evals(draw: DrawFn) -> Any:
    ids = draw(st.lists(st.integers(-5, 10**6), min_size=2, max_size=6, unique=True))
    entries = [
        {
            "id": float(id_) if draw(st.booleans()) else id_,
            # the same prompt time and again, with something else that differs
            "prompt": draw(st.sampled_from(["Plot the week", "List the tides"])),
            "expected_output": "",
            "expectations": [f"Statement {id_}", *draw(st.lists(WORDS, max_size=2))],
        }
        for id_ in ids
    ]
    return {"skill_name": draw(WORDS), "evals": entries}


@st.composite
def eval_metadata(draw: DrawFn) -> Any:
    assertions = draw(st.lists(WORDS, min_size=1, max_size=4))
    return {"eval_id": draw(st.integers()), "eval_name": "tides", "prompt": draw(WORDS), "assertions": assertions}


@st.composite
def trigger_evals(draw: DrawFn) -> Any:
    queries = draw(st.lists(WORDS, min_size=2, max_size=8, unique=True))
    return [{"query": query, "should_trigger": index % 2 == 0} for index, query in enumerate(queries)]


@st.composite
def _result(draw: DrawFn, query: str) -> Any:
    runs = draw(st.integers(1, 9))
    triggers, wanted = draw(st.integers(0, runs)), draw(st.booleans())
    rate = triggers / runs
    return {
        "query": query,
        "should_trigger": wanted,
        "trigger_rate": round(rate, 2) if draw(st.booleans()) else rate,
        "triggers": triggers,
        "runs": runs,
        "pass": (rate >= 0.5) == wanted,
    }


def _counts(results: list[Any]) -> tuple[int, int, int]:
    passed = sum(1 for result in results if result["pass"])
    return passed, len(results) - passed, len(results)


@st.composite
def trigger_results(draw: DrawFn) -> Any:
    results = [draw(_result(str(index))) for index in range(draw(st.integers(1, 6)))]
    passed, failed, total = _counts(results)
    return {
        "skill_name": "tides",
        "description": "",
        "results": results,
        "summary": {"total": total, "passed": passed, "failed": failed},
    }


@st.composite
def optimisation_results(draw: DrawFn) -> Any:
    train, test = draw(st.integers(1, 4)), draw(st.integers(0, 3))
    history: list[dict[str, Any]] = []
    for number in range(1, draw(st.integers(1, 4)) + 1):
        halves = {"train": [draw(_result(f"a{index}")) for index in range(train)]}
        halves["test"] = [draw(_result(f"b{index}")) for index in range(test)]
        entry: dict[str, Any] = {"iteration": number, "description": f"Description {number}"}
        for half, results in halves.items():
            counts = _counts(results) if results else (None, None, None)
            names = (f"{half}_passed", f"{half}_failed", f"{half}_total", f"{half}_results")
            entry |= dict(zip(names, (*counts, results or None), strict=True))
        if draw(st.booleans()):
            entry |= {name: entry[f"train_{name}"] for name in ("passed", "failed", "total", "results")}
        history.append(entry)
    deciding = "test_passed" if test else "train_passed"
    best = max(history, key=lambda entry: int(entry[deciding]))
    scores = {half: f"{best[f'{half}_passed']}/{best[f'{half}_total']}" for half in ("train", "test")}
    return {
        "exit_reason": "max_iterations",
        "original_description": "",
        "best_description": best["description"],
        "best_score": scores["test"] if test else scores["train"],
        "best_train_score": scores["train"],
        "best_test_score": scores["test"] if test else None,
        "final_description": history[-1]["description"],
        "iterations_run": len(history),
        "holdout": 0.4,
        "train_size": train,
        "test_size": test,
        "history": history,
    }


@st.composite
def feedback(draw: DrawFn) -> Any:
    runs = draw(st.lists(WORDS, min_size=2, max_size=6, unique=True))
    reviews = [{"run_id": run, "feedback": draw(WORDS), "timestamp": "2026-01-15T10:30:00Z"} for run in runs]
    return {"reviews": reviews, "status": draw(st.sampled_from(["complete", "in_progress"]))}


@st.composite
def history(draw: DrawFn) -> Any:
    versions = draw(st.lists(WORDS, min_size=3, max_size=6, unique=True))
    rates = [draw(st.integers(0, 100)) / 100 for _ in versions]
    best = draw(st.sampled_from(versions))
    iterations: list[dict[str, Any]] = []
    for index, (version, rate) in enumerate(zip(versions, rates, strict=True)):
        parent = draw(st.integers(0, index - 1)) if index else None
        result = "baseline" if parent is None else "tie"
        if parent is not None and rate != rates[parent]:
            result = "won" if rate > rates[parent] else "lost"
        iterations.append(
            {
                "version": version,
                "parent": None if parent is None else versions[parent],
                "expectation_pass_rate": rate,
                "grading_result": result,
                "is_current_best": version == best,
            }
        )
    return {"started_at": "2026-01-15T10:30:00Z", "skill_name": "tides", "current_best": best, "iterations": iterations}


@st.composite
def comparison(draw: DrawFn) -> Any:
    rubric: dict[str, Any] = {}
    tallies: dict[str, Any] = {}
    for side in ("A", "B"):
        scores: dict[str, Any] = {}
        for section in ("content", "structure"):
            given_scores = draw(st.lists(st.integers(1, 5), min_size=1, max_size=4))
            scores[section] = {f"criterion {index}": score for index, score in enumerate(given_scores)}
            scores[f"{section}_score"] = round(sum(given_scores) / len(given_scores), 1)
        rubric[side] = scores | {"overall_score": round(scores["content_score"] + scores["structure_score"], 1)}
        verdicts = draw(st.lists(st.booleans(), min_size=1, max_size=6))
        passed, total = sum(verdicts), len(verdicts)
        tallies[side] = {
            "passed": passed,
            "total": total,
            "pass_rate": round(passed / total, 2),
            "details": [{"text": "", "passed": verdict} for verdict in verdicts],
        }
    a, b = rubric["A"]["overall_score"], rubric["B"]["overall_score"]
    return {
        "winner": "TIE" if a == b else "A" if a > b else "B",
        "reasoning": "",
        "rubric": rubric,
        "output_quality": {
            side: {"score": round(rubric[side]["overall_score"]), "strengths": [], "weaknesses": []} for side in rubric
        },
        "expectation_results": tallies,
    }


@st.composite
def analysis(draw: DrawFn) -> Any:
    winner, loser = draw(st.lists(st.text("abc/", min_size=1, max_size=6), min_size=2, max_size=2, unique=True))
    side = {"score": 5, "issues": []}
    return {
        "comparison_summary": {
            "winner": "A",
            "winner_skill": f"skills/{winner}x",
            "loser_skill": f"skills/{loser}x",
            "comparator_reasoning": "",
        },
        "winner_strengths": [],
        "loser_weaknesses": [],
        "instruction_following": {"winner": side, "loser": side},
        "improvement_suggestions": [],
        "transcript_insights": {"winner_execution_pattern": "", "loser_execution_pattern": ""},
    }


DOCUMENTS: dict[Kind, Any] = {
    "evals": evals(),
    "eval_metadata": eval_metadata(),
    "trigger_evals": trigger_evals(),
    "trigger_results": trigger_results(),
    "optimisation_results": optimisation_results(),
    "feedback": feedback(),
    "history": history(),
    "comparison": comparison(),
    "analysis": analysis(),
}


# --- one thing broken ---------------------------------------------------------------------------------------------
# Each breaks a document in place and says where that must be found; None where this document cannot be broken so.


def two(items: list[Any], random: Random) -> tuple[int, int]:
    """Two places in a list, the earlier first."""
    first, second = sorted(random.sample(range(len(items)), 2))
    return first, second


def shifted(number: float, random: Random, least: float) -> float:
    """Another number, from 0 on, that is off by at least `least`."""
    delta = random.choice((1, 2, 3)) * least
    return number + delta if number < delta or random.random() < 0.5 else number - delta


def repeated_id(document: Any, random: Random) -> str | None:
    first, second = two(document["evals"], random)
    document["evals"][second]["id"] = document["evals"][first]["id"]
    return f"/evals/{second}/id"


def eval_without_checks(document: Any, random: Random) -> str | None:
    index = random.randrange(len(document["evals"]))
    document["evals"][index]["expectations"] = []
    return f"/evals/{index}"


def copied_eval(document: Any, random: Random) -> str | None:
    copy = deepcopy(random.choice(document["evals"])) | {"id": 10**7}
    document["evals"].append(copy)
    return f"/evals/{len(document['evals']) - 1}"


def verdict_in_definition(document: Any, random: Random) -> str | None:
    index = random.randrange(len(document["assertions"]))
    name, value = random.choice((("passed", True), ("passed", False), ("evidence", "Counted seven rows")))
    document["assertions"][index] = {"text": "The table has seven rows", name: value}
    return f"/assertions/{index}/{name}"


def repeated_query(document: Any, random: Random) -> str | None:
    first, second = two(document, random)
    document[second]["query"] = document[first]["query"]
    return f"/{second}/query"


def one_sided_queries(document: Any, random: Random) -> str | None:
    only = random.random() < 0.5
    for entry in document:
        entry["should_trigger"] = only
    return ""


def wrong_count(document: Any, random: Random) -> str | None:
    name = random.choice(("total", "passed", "failed"))
    document["summary"][name] = shifted(document["summary"][name], random, 1)
    return f"/summary/{name}"


def _other_rate(result: Any, random: Random) -> None:
    right = result["triggers"] / result["runs"]
    result["trigger_rate"] = random.choice([x / 1000 for x in range(1001) if abs(x / 1000 - right) > 0.011])


def wrong_rate(document: Any, random: Random) -> str | None:
    index = random.randrange(len(document["results"]))
    _other_rate(document["results"][index], random)
    return f"/results/{index}/trigger_rate"


def wrong_verdict(document: Any, random: Random) -> str | None:
    index = random.randrange(len(document["results"]))
    document["results"][index]["pass"] ^= True
    document["summary"]["passed"], document["summary"]["failed"], _ = _counts(document["results"])
    return f"/results/{index}/pass"


def surplus_triggers(document: Any, random: Random) -> str | None:
    index = random.randrange(len(document["results"]))
    document["results"][index]["triggers"] = document["results"][index]["runs"] + random.randint(1, 3)
    return f"/results/{index}/triggers"


def other_number_of_iterations(document: Any, random: Random) -> str | None:
    document["iterations_run"] = shifted(document["iterations_run"], random, 1)
    return "/iterations_run"


def other_iteration(document: Any, random: Random) -> str | None:
    index = random.randrange(len(document["history"]))
    document["history"][index]["iteration"] = shifted(index + 1, random, 1)
    return f"/history/{index}/iteration"


def wrong_count_of_a_half(document: Any, random: Random) -> str | None:
    half, index = _half(document, random), random.randrange(len(document["history"]))
    name = f"{half}_{random.choice(('total', 'passed', 'failed'))}"
    document["history"][index][name] = shifted(document["history"][index][name], random, 1)
    return f"/history/{index}/{name}"


def _half(document: Any, random: Random) -> str:
    return random.choice(("train", "test")) if document["test_size"] else "train"


def other_size(document: Any, random: Random) -> str | None:
    name = random.choice(("train_size", "test_size"))
    document[name] = shifted(document[name], random, 1)
    return f"/{name}"


def other_score(document: Any, random: Random) -> str | None:
    name = random.choice(("best_score", "best_train_score", "best_test_score"))
    document[name] = random.choice(("9/9", "0/7", "12/3"))
    return f"/{name}"


def other_description(document: Any, random: Random) -> str | None:
    document["best_description"] = random.choice(("", "Never tried"))
    return "/best_description"


def other_older_count(document: Any, random: Random) -> str | None:
    index = random.randrange(len(document["history"]))
    entry, name = document["history"][index], random.choice(("passed", "failed", "total"))
    entry[name] = shifted(entry[f"train_{name}"], random, 1)
    return f"/history/{index}/{name}"


def wrong_rate_in_history(document: Any, random: Random) -> str | None:
    index, half = random.randrange(len(document["history"])), _half(document, random)
    entry = document["history"][index]
    entry.pop("results", None)
    item = random.randrange(len(entry[f"{half}_results"]))
    _other_rate(entry[f"{half}_results"][item], random)
    return f"/history/{index}/{half}_results/{item}/trigger_rate"


def wrong_verdict_in_history(document: Any, random: Random) -> str | None:
    # in an iteration that stays worse than the best: nothing else follows from it
    index, half = random.randrange(len(document["history"])), _half(document, random)
    item = random.randrange(len(document["history"][index][f"{half}_results"]))
    document["history"][index][f"{half}_results"][item]["pass"] ^= True
    return f"/history/{index}/{half}_results/{item}/pass"


def run_reviewed_twice(document: Any, random: Random) -> str | None:
    first, second = two(document["reviews"], random)
    document["reviews"][second]["run_id"] = document["reviews"][first]["run_id"]
    return f"/reviews/{second}/run_id"


def unknown_best(document: Any, random: Random) -> str | None:
    del random
    document["current_best"] = "no such version at all"
    return "/current_best"


def other_flag(document: Any, random: Random) -> str | None:
    index = random.randrange(len(document["iterations"]))
    document["iterations"][index]["is_current_best"] ^= True
    return f"/iterations/{index}/is_current_best"


def impossible_parent(document: Any, random: Random) -> str | None:
    iterations = document["iterations"]
    index = random.randrange(1, len(iterations))
    later = [iteration["version"] for iteration in iterations[index:]]
    iterations[index]["parent"] = random.choice(["no such version at all", *later])
    return f"/iterations/{index}/parent"


def repeated_version(document: Any, random: Random) -> str | None:
    first, second = two(document["iterations"], random)
    document["iterations"][second]["version"] = document["iterations"][first]["version"]
    return f"/iterations/{second}/version"


def other_baseline(document: Any, random: Random) -> str | None:
    index = random.randrange(len(document["iterations"]))
    document["iterations"][index]["grading_result"] = "baseline" if index else random.choice(("won", "lost", "tie"))
    return f"/iterations/{index}/grading_result"


def turned_result(document: Any, random: Random) -> str | None:
    iterations = document["iterations"]
    rates = {iteration["version"]: iteration["expectation_pass_rate"] for iteration in iterations}
    clear = [
        index
        for index, iteration in enumerate(iterations)
        if iteration["grading_result"] in ("won", "lost")
        and abs(iteration["expectation_pass_rate"] - rates[iteration["parent"]]) > 0.011
    ]
    if not clear:
        return None
    index = random.choice(clear)
    result = iterations[index]["grading_result"]
    iterations[index]["grading_result"] = "lost" if result == "won" else "won"
    return f"/iterations/{index}/grading_result"


def other_winner(document: Any, random: Random) -> str | None:
    if document["winner"] == "TIE":
        return None
    document["winner"] = random.choice([each for each in ("A", "B", "TIE") if each != document["winner"]])
    return "/winner"


def other_overall(document: Any, random: Random) -> str | None:
    side = random.choice("AB")
    scores = document["rubric"][side]
    scores["overall_score"] = shifted(scores["overall_score"], random, 0.25)
    return f"/rubric/{side}/overall_score"


def other_section_score(document: Any, random: Random) -> str | None:
    side, name = random.choice("AB"), random.choice(("content_score", "structure_score"))
    document["rubric"][side][name] = shifted(document["rubric"][side][name], random, 0.12)
    return f"/rubric/{side}/{name}"


def other_tally(document: Any, random: Random) -> str | None:
    side = random.choice("AB")
    counts = document["expectation_results"][side]
    name = random.choice(("passed", "total", "pass_rate"))
    if name == "passed":
        counts[name] = shifted(counts[name], random, 1)
    elif name == "total":
        counts[name] = random.randrange(counts[name])
    else:
        right = counts["passed"] / counts["total"]
        counts[name] = random.choice([x / 100 for x in range(101) if abs(x / 100 - right) > 0.011])
    return f"/expectation_results/{side}/{name}"


def other_quality(document: Any, random: Random) -> str | None:
    side = random.choice("AB")
    score = document["output_quality"][side]
    score["score"] = shifted(score["score"], random, 1.6)
    return f"/output_quality/{side}/score"


def one_skill_twice(document: Any, random: Random) -> str | None:
    summary = document["comparison_summary"]
    summary["loser_skill"] = summary["winner_skill"] + random.choice(("", "/"))
    return "/comparison_summary/loser_skill"


ALONE: dict[Kind, dict[str, Break]] = {
    "evals": {
        "EVL001": repeated_id,
        "EVL002": eval_without_checks,
        "EVL003": copied_eval,
    },
    "trigger_evals": {
        "TRG002": one_sided_queries,
    },
    "trigger_results": {
        "TRR001": wrong_count,
        "TRR002": wrong_rate,
        "TRR003": wrong_verdict,
    },
    "optimisation_results": {
        "OPT001": other_number_of_iterations,
        "OPT002": other_iteration,
        "OPT003": wrong_count_of_a_half,
        "OPT004": other_size,
        "OPT005": other_score,
        "OPT007": other_older_count,
        "OPT008": wrong_rate_in_history,
    },
    "feedback": {
        "FBK001": run_reviewed_twice,
    },
    "history": {
        "HIS001": unknown_best,
        "HIS002": other_flag,
        "HIS003": impossible_parent,
    },
    "comparison": {
        "CMP001": other_winner,
        "CMP003": other_section_score,
        "CMP004": other_tally,
        "CMP005": other_quality,
    },
    "analysis": {
        "ANA001": one_skill_twice,
    },
}
# these break something else as well: one class of queries is gone, another iteration is the best one
WITH_OTHERS: dict[Kind, dict[str, Break]] = {
    "eval_metadata": {
        "EVM001": verdict_in_definition,
    },
    "trigger_evals": {
        "TRG001": repeated_query,
    },
    "trigger_results": {
        "TRR004": surplus_triggers,
    },
    "optimisation_results": {
        "OPT006": other_description,
        "OPT009": wrong_verdict_in_history,
    },
    "history": {
        "HIS004": repeated_version,
        "HIS005": other_baseline,
        "HIS006": turned_result,
    },
    "comparison": {
        "CMP002": other_overall,
    },
}


def _cases(breaks: dict[Kind, dict[str, Break]]) -> list[Any]:
    return [pytest.param(kind, code, each, id=code) for kind, codes in breaks.items() for code, each in codes.items()]


@pytest.mark.parametrize("kind", DOCUMENTS)
@DOSE
@given(data=st.data())
def test_a_consistent_document_gives_no_finding(kind: Kind, data: st.DataObject) -> None:
    assert _found(kind, data.draw(DOCUMENTS[kind])) == []


@pytest.mark.parametrize(("kind", "code", "broken"), _cases(ALONE))
@DOSE
@given(data=st.data(), random=st.randoms(use_true_random=False))
def test_one_thing_broken_gives_one_finding(
    kind: Kind, code: str, broken: Break, data: st.DataObject, random: Random
) -> None:
    document = data.draw(DOCUMENTS[kind])
    place = broken(document, random)
    assert _found(kind, document) == ([] if place is None else [(code, place)])


@pytest.mark.parametrize(("kind", "code", "broken"), _cases(WITH_OTHERS))
@DOSE
@given(data=st.data(), random=st.randoms(use_true_random=False))
def test_one_thing_broken_is_among_the_findings(
    kind: Kind, code: str, broken: Break, data: st.DataObject, random: Random
) -> None:
    document = data.draw(DOCUMENTS[kind])
    place = broken(document, random)
    assert place is None or (code, place) in _found(kind, document)


@pytest.mark.parametrize("kind", DOCUMENTS)
def test_every_rule_of_these_kinds_is_broken_above(kind: Kind) -> None:
    # rules that look at the files beside a document have trees of their own under tests/workspaces
    alone = {rule.code for rule in rules_of(kind) if not rule.code.startswith("WSP")}
    assert {*ALONE.get(kind, ()), *WITH_OTHERS.get(kind, ())} == alone


# --- what the properties above do not reach -----------------------------------------------------------------------


def _example(kind: str) -> Any:
    return json.loads((EXAMPLES / kind / "valid" / "documented.json").read_text("utf-8"))


@pytest.mark.parametrize("number", [1e308, 1.7976931348623157e308, 10**300, 2**1024 - 1])
def test_numbers_beyond_all_scales_are_judged_without_an_overflow(number: float) -> None:
    comparison = _example("comparison")
    for side in ("A", "B"):
        scores = comparison["rubric"][side]
        scores["content"] = {"one": number, "two": number}
        scores |= {"content_score": number, "structure_score": number, "overall_score": number}
        comparison["output_quality"][side]["score"] = 5
    assert ("CMP001", "/winner") not in _found("comparison", comparison)
    whole = int(number)
    results = _example("trigger_results")
    results["results"][0] |= {"triggers": 1.0, "runs": whole}
    results["results"][1] |= {"triggers": whole, "runs": 1.0}
    results["summary"]["total"] = whole
    found = _found("trigger_results", results)
    assert ("TRR002", "/results/0/trigger_rate") in found
    assert ("TRR004", "/results/1/triggers") in found
    assert ("TRR001", "/summary/total") in found
    loop = _example("optimisation_results")
    loop["history"][0] |= {"train_results": [], "train_passed": whole, "train_failed": 1.0}
    assert ("OPT003", "/history/0/train_total") in _found("optimisation_results", loop)


def test_a_broken_entry_silences_the_rules_about_it_and_no_others() -> None:
    document = _example("history")
    document["current_best"] = "v9"
    document["iterations"][1] |= {"expectation_pass_rate": "three quarters"}
    document["iterations"][2]["parent"] = "v7"
    assert _found("history", document) == [
        ("HIS001", "/current_best"),
        ("schema.type", "/iterations/1/expectation_pass_rate"),
        ("HIS003", "/iterations/2/parent"),
    ]


def test_a_message_shows_what_a_text_hides() -> None:
    document = [{"query": "tide\u202e\x1b[31m", "should_trigger": flag} for flag in (True, False)]
    (finding,) = validate(document, "trigger_evals").findings
    assert finding.message.isprintable()
    assert "\\u202e\\u001b" in finding.message


@pytest.mark.parametrize(
    ("rates", "verdicts", "expected"),
    [
        # (should trigger, triggers of 4) and the verdicts that somebody wrote
        ([(True, 3), (True, 2), (False, 1)], [True, False, True], [("warning", 1)]),  # 0.75 explains all
        ([(True, 1), (True, 2), (False, 0)], [True, True, True], [("warning", 0)]),  # 0.25 explains all
        ([(True, 0), (True, 4)], [True, True], [("error", 0)]),  # no threshold counts no trigger at all
        ([(True, 4), (False, 0)], [False, True], [("error", 0)]),  # nor does one refuse all of them
        ([(True, 1), (True, 1)], [True, False], [("error", 0)]),  # nor does one judge the same rate in two ways
        ([(True, 3), (True, 1)], [False, True], [("error", 0), ("error", 1)]),
        ([(True, 3), (False, 3), (True, 1), (False, 1)], [True, False, False, True], []),
    ],
)
def test_verdicts_may_follow_from_another_threshold(
    rates: list[tuple[bool, int]], verdicts: list[bool], expected: list[tuple[str, int]]
) -> None:
    results = [
        {"query": str(i), "should_trigger": wanted, "trigger_rate": n / 4, "triggers": n, "runs": 4, "pass": verdict}
        for i, ((wanted, n), verdict) in enumerate(zip(rates, verdicts, strict=True))
    ]
    passed, failed, total = _counts(results)
    summary = {"total": total, "passed": passed, "failed": failed}
    document = {"skill_name": "tides", "description": "", "results": results, "summary": summary}
    findings = validate(document, "trigger_results").findings
    assert [(each.severity, each.pointer) for each in findings] == [
        (severity, f"/results/{index}/pass") for severity, index in expected
    ]


def test_ids_are_equal_as_json_has_it() -> None:
    document = _example("evals")
    first = document["evals"][0]
    document["evals"] = [first | {"id": id_, "prompt": str(n)} for n, id_ in enumerate((1, "1", 1.0, 0, "0"))]
    found = [place for code, place in _found("evals", document) if code == "EVL001"]
    assert found == ["/evals/2/id"]


def test_the_best_version_is_suggested_where_one_is_flagged() -> None:
    document = _example("history")
    document["current_best"] = "v9"
    (finding,) = validate(document, "history").findings
    assert finding.suggestion == "v2"
    document["iterations"][0]["is_current_best"] = True
    first, second = validate(document, "history").findings
    assert first.suggestion is None
    assert (second.code, second.pointer) == ("HIS002", "/iterations/2/is_current_best")
