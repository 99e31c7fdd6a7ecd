"""Rules for grading: counts, rate and durations that contradict each other, checks counted twice or never made."""

from __future__ import annotations

import re
from collections import Counter
from math import inf
from operator import itemgetter
from typing import Any

from evalschema.excerpt import excerpt, shown
from evalschema.rules._calls import wrong_total
from evalschema.rules._engine import Violation, look, rule
from evalschema.rules._numbers import double, near, said
from evalschema.rules._verdicts import (
    adds_up,
    agrees,
    contradicted_counts,
    contradicted_rate,
    contradicted_total,
    rate_fits,
    shortened_list,
)

# What the viewer makes of a wrong count.
DRAWN = {
    "passed": "the viewer draws it as it stands, beside checks that say otherwise",
    "failed": "the grades tab draws it as it stands, beside checks that say otherwise",
    "total": "the viewer draws it as it stands, beside checks that say otherwise",
}
AVERAGED = "the aggregator averages this rate as it stands, and every mean that it goes into is wrong"

# Seconds by which executor and grader may miss the total: each of the three is rounded on its own.
SECONDS_TOLERANCE = 1.0

# A longer text quotes output, where such words are what the run produced.
EVIDENCE_LIMIT = 200

_TEXT, _VERDICT = itemgetter("text"), itemgetter("passed")

_TOOL_FAILURE = re.compile(
    r"""
    \bpars(e|ing)\ (error|failure) | (failed|unable)\ to\ parse | (could\ not|cannot|can't)\ (be\ )?parse
    | jsondecodeerror | invalid\ json | time[ -]?out | timed[ -]out
    | (no|empty)\ response | (did\ not|didn't|failed\ to)\ respond
    | rate[ -]limit | too\ many\ requests | service\ unavailable | internal\ server\ error
    | \bapi\ (call\ )?(error|fail) | connection\ (error|refused|reset|failed) | traceback
    | (grader|grading|judge|judging|evaluator)\ (call\ )?(error|fail|crash|timed)
    | (error|failure)\ (in|from|while|during)\ (the\ )?(grader|grading|judge|judging|evaluat)
    | (could\ not|cannot)\ (be\ )?grade
    """,
    re.IGNORECASE | re.VERBOSE,
)


@look()
def nothing_to_say(grading: Any) -> bool:
    """Whether counts, rate, sums and texts are surely as they should be."""
    summary, items = grading["summary"], grading["expectations"]
    passed, total = summary["passed"], summary["total"]
    if not len(items) == total == passed + summary["failed"] or not rate_fits(summary["pass_rate"], passed, total):
        return False
    if sum(map(_VERDICT, items)) != passed or len(set(map(_TEXT, items))) != total:
        return False
    if total - passed > 1 and len({item["evidence"] for item in items if not item["passed"]}) != total - passed:
        return False
    metrics, timing = grading.get("execution_metrics"), grading.get("timing")
    if metrics and (calls := metrics.get("tool_calls")) and sum(calls.values()) != metrics["total_tool_calls"]:
        return False
    if not timing:
        return True
    total, executor = timing["total_duration_seconds"], timing.get("executor_duration_seconds")
    grader = timing.get("grader_duration_seconds")
    return not executor or not grader or -SECONDS_TOLERANCE <= executor + grader - total <= SECONDS_TOLERANCE


@rule("GRD001", needs=("/summary/passed", "/summary/failed", "/summary/total"))
def total_is_not_passed_plus_failed(grading: Any) -> list[Violation] | None:
    """The total is not passed plus failed.

    An expectation is met or it is not, so the two counts make the total. Programs never add them up: the benchmark
    page draws passed and total, the grades tab passed and failed, each as it stands, and they tell different stories
    of one run.

    Where `expectations` lists every check, the list says which of the three numbers is wrong, and GRD002 reports that
    one. Otherwise count the checks again and write all three.
    """
    summary = grading["summary"]
    if adds_up(summary["passed"], summary["failed"], summary["total"]):
        return None
    drawn = "benchmark and grades tab draw counts that do not fit each other"
    return contradicted_total(summary, grading.get("expectations"), ("summary",), drawn)


@rule("GRD002", needs=("/summary/passed", "/summary/total"))
def counts_contradict_the_list(grading: Any) -> list[Violation] | None:
    """A count in the summary is not what the list of expectations shows.

    The list with its evidence is what was graded; the summary is only counted from it. A list that is as long as the
    total, with a verdict in every item, is the whole of it: passed and failed must be just what it holds. A shorter
    list still sets a lower bound, and a list longer than the total shows that the total is wrong. Items without a
    true or false are left out of the count.

    Such a file reports a result that its own evidence does not support. Count the verdicts, and write each number
    that is named.
    """
    summary = grading["summary"]
    passed, total = summary["passed"], summary["total"]
    items = grading.get("expectations")
    if agrees(items, passed, total) and adds_up(passed, summary.get("failed"), total):
        return None
    return contradicted_counts(summary, items, ("summary",), DRAWN)


@rule("GRD003", needs=("/summary/pass_rate", "/summary/passed", "/summary/total"))
def pass_rate_contradicts_the_counts(grading: Any) -> list[Violation] | None:
    """The pass rate is not the share of expectations that passed.

    The benchmark averages this one number and never computes it from the counts: a wrong rate makes every later mean
    wrong, and nothing on the page shows it. A rate may be rounded, so 0.01 is forgiven: 0.67 stands for 2/3, and 0.85
    for 6/7.

    Where every check is listed, the rate is that of the list; otherwise it is passed divided by total. No rate above
    0 follows from a total of 0: where nothing was graded nothing passed.
    """
    summary = grading["summary"]
    passed, total = summary["passed"], summary["total"]
    items = grading.get("expectations")
    if rate_fits(summary["pass_rate"], passed, total) and agrees(items, passed, total):
        return None
    return contradicted_rate(summary, items, ("summary",), AVERAGED)


@rule("GRD004", "warning", needs=("/expectations", "/summary/total"))
def list_shorter_than_total(grading: Any) -> list[Violation] | None:
    """The list of expectations is shorter than the total.

    The checks that are missing have no evidence: nobody can verify them, and the pages show only those that are
    listed. Shortened gradings are fine in documentation; a grader should list every check.
    """
    total = grading["summary"]["total"]
    if len(grading["expectations"]) >= total:
        return None
    violation = shortened_list(grading["expectations"], total, ("summary",))
    return [violation] if violation else None


@rule("GRD005", "warning", needs=("/execution_metrics/tool_calls", "/execution_metrics/total_tool_calls"))
def execution_tool_calls_differ_from_total(grading: Any) -> list[Violation] | None:
    """The tool calls of the execution metrics do not sum to their total.

    `total_tool_calls` is the sum over all tools. A smaller sum often means that the map was shortened to a few tools,
    a larger one that the total is older than the map. Copy both from the metrics.json of the run. An empty map says
    nothing and is passed over.
    """
    metrics = grading.get("execution_metrics")
    return wrong_total(metrics, ("execution_metrics",)) if metrics else None


@rule(
    "GRD006",
    "warning",
    needs=(
        "/timing/executor_duration_seconds",
        "/timing/grader_duration_seconds",
        "/timing/total_duration_seconds",
    ),
)
def durations_differ_from_total(grading: Any) -> list[Violation] | None:
    """The durations of executor and grader do not sum to the total.

    A run is executed and then graded; the total is both together, within a second for rounding. The benchmark takes
    the total as the time of the run. A part that is 0 was not measured, and then nothing is compared.
    """
    timing = grading.get("timing")
    if not timing:
        return None
    executor, grader = timing.get("executor_duration_seconds"), timing.get("grader_duration_seconds")
    total = timing.get("total_duration_seconds")
    if not executor or not grader or total is None:
        return None
    both = double(executor) + double(grader)
    if both == inf or near(both, total, SECONDS_TOLERANCE):
        return None
    return [
        Violation(
            ("timing", "total_duration_seconds"),
            f"total_duration_seconds is {shown(total)}, but executor {shown(executor)} and grader {shown(grader)} "
            f"make {said(both)}",
            found=total,
            expected=round(both, 4),
            related=[("timing", "executor_duration_seconds"), ("timing", "grader_duration_seconds")],
            consequence="the aggregator takes the total as the time of the run",
        )
    ]


@rule("GRD007", "warning", needs=("/expectations/*/text",))
def expectation_graded_twice(grading: Any) -> list[Violation] | None:
    """The same expectation is graded twice.

    Each item of the list counts once, so a text that stands twice weighs double in the pass rate; with two verdicts
    nobody knows which one holds. Keep one of them, and correct the summary.
    """
    expectations = grading["expectations"]
    if len(set(map(_TEXT, expectations))) == len(expectations):
        return None
    first: dict[str, int] = {}
    violations: list[Violation] = []
    for index, item in enumerate(expectations):
        text = item["text"]
        earlier = first.setdefault(text, index)
        if earlier == index:
            continue
        same = expectations[earlier].get("passed") == item.get("passed")
        violations.append(
            Violation(
                ("expectations", index, "text"),
                f'"{excerpt(text)}" is graded already, as expectation {earlier + 1}'
                f"{'' if same else ', with the other verdict'}: keep one of the two",
                related=[("expectations", earlier, "text")],
                consequence="the expectation counts twice in the pass rate",
            )
        )
    return violations


@rule("GRD008", "warning", needs=("/expectations/*/passed", "/expectations/*/evidence"))
def tool_failure_as_evidence(grading: Any) -> list[Violation] | None:
    """Several failed checks share one evidence that reads like a failure of the tools.

    "parse error", "timed out" or "no response", the same words under check after check: then the grader broke down,
    and the run was never judged. As it stands it is published as a low pass rate, and looks like a bad skill. Grade
    the run again.

    Only evidence of at most 200 characters counts, under at least two failed checks: a longer one quotes what the run
    put out.
    """
    failed = [item["evidence"] for item in grading["expectations"] if not item["passed"]]
    if len(failed) < 2 or len(set(failed)) == len(failed):
        return None
    shared = {
        text: count
        for text, count in Counter(failed).items()
        if count > 1 and len(text) <= EVIDENCE_LIMIT and _TOOL_FAILURE.search(text)
    }
    return [
        Violation(
            ("expectations", index, "evidence"),
            f'"{excerpt(item["evidence"])}" is the evidence of {shared[item["evidence"]]} failed checks '
            "and reads like a failure of the tools, no proof: grade the run again",
            found=item["evidence"],
            consequence="a check that was never made counts as failed",
        )
        for index, item in enumerate(grading["expectations"])
        if not item["passed"] and item["evidence"] in shared
    ]


@rule("GRD009", "warning", needs=("/timing/total_duration_seconds",))
def durations_without_total(grading: Any) -> list[Violation] | None:
    """The timing has durations, but no total.

    Programs read `total_duration_seconds` alone. Without it the aggregator looks for a timing.json beside the
    grading; where there is none the run took 0.0 seconds, whatever the other durations say. Write the total, or leave
    the whole section out.
    """
    timing = grading.get("timing")
    if not timing or "total_duration_seconds" in timing:
        return None
    durations = {name: value for name, value in timing.items() if "duration" in name and _is_number(value)}
    if not durations:
        return None
    parts = [timing.get("executor_duration_seconds"), timing.get("grader_duration_seconds")]
    total = sum(parts) if all(_is_number(part) and part < 1e15 for part in parts) else None
    named = " and ".join(f"{excerpt(name)} {shown(value)}" for name, value in list(durations.items())[:2])
    hint = "write the seconds of the whole run" if total is None else f"together they are {said(round(total, 4))} s"
    return [
        Violation(
            ("timing",),
            f"total_duration_seconds is missing beside {named}: {hint}",
            expected=round(total, 4) if total is not None else None,
            related=[("timing", name) for name in durations],
            consequence="the aggregator reads timing.json instead, and shows 0.0 s where there is none",
        )
    ]


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
