"""Trigger results: rates, verdicts and counts that must follow from how often the skill triggered."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from evalschema.excerpt import shown
from evalschema.rules._engine import Violation, rule
from evalschema.rules._numbers import near, said

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from evalschema.finding import Tokens

THRESHOLD = 0.5
# what a rate may be off: it is written with two decimals or more
RATE_TOLERANCE = 0.01


@rule("TRR001", needs=("/summary/total", "/summary/passed", "/summary/failed", "/results/*/pass"))
def summary_contradicts_results(document: Any) -> list[Violation] | None:
    """A count of the summary is not that of the results.

    The results are the evidence: their number is the total, those with `pass` true are passed, the others failed. A
    summary that says something else was written by hand, or belongs to another set of results.

    Count again, or run the evaluation again when results are missing.
    """
    return miscounted(document["summary"], "", document["results"], ("summary",), ("results",))


@rule("TRR002", each="/results", needs=("/trigger_rate", "/triggers", "/runs"))
def trigger_rate_contradicts_triggers(result: Any) -> list[Violation] | None:
    """A trigger rate is not triggers divided by runs, give or take 0.01.

    The verdict is drawn from the rate, so a wrong rate makes a wrong verdict look right. Of 0 runs the only rate is
    0.

    Write triggers divided by runs, as a fraction from 0 to 1.
    """
    violation = wrong_rate(result)
    return [violation] if violation else None


@rule(
    "TRR003",
    needs=("/results/*/pass", "/results/*/should_trigger", "/results/*/triggers", "/results/*/runs"),
)
def verdict_contradicts_triggers(document: Any) -> list[Violation] | None:
    """A result passes although the skill did the wrong thing, or fails although it did the right one.

    A query passes when the skill triggered in at least half of the runs exactly if it should. The evaluation can be
    run with another threshold than 0.5, which the file does not record: where one threshold explains all verdicts of
    the file, this is a single warning; where none does, it is an error at every verdict that 0.5 does not explain.

    Run the evaluation again; never write a verdict by hand.
    """
    return wrong_verdicts([(("results", index), result) for index, result in enumerate(document["results"])])


@rule("TRR004", each="/results", needs=("/triggers", "/runs"))
def more_triggers_than_runs(result: Any) -> list[Violation] | None:
    """A skill triggered more often than it was run.

    Each run triggers once at most, so one of the two counts is wrong, and with it the rate and the verdict.

    Count both again.
    """
    violation = surplus_triggers(result)
    return [violation] if violation else None


# --- what the description loop asks as well, for the results inside its history -------------------------------------


def miscounted(counts: Any, prefix: str, results: Sequence[Any], at: Tokens, place: Tokens) -> list[Violation]:
    """What is wrong with the counts at `at`, whose names begin with `prefix`, held against the results at `place`."""
    total = len(results)
    passed = sum(1 for result in results if result["pass"])
    right = {"total": total, "passed": passed, "failed": total - passed}
    stated = {name: counts[prefix + name] for name in right}
    if stated == right:
        return []
    if _lost(stated, right):
        message = f"{prefix}total is {shown(stated['total'])}, but the number of results is {total}: some are missing"
        return [Violation((*at, prefix + "total"), message, found=stated["total"], expected=total, related=[place])]
    evidence = {"total": "", "passed": f" that pass (of {total})", "failed": f" that fail (of {total})"}
    return [
        Violation(
            (*at, prefix + name),
            f"{prefix}{name} is {shown(stated[name])}, but the number of results{evidence[name]} is {right[name]}: "
            f"write {right[name]}",
            found=stated[name],
            expected=right[name],
            related=[place],
            suggestion=str(right[name]),
        )
        for name in right
        if stated[name] != right[name]
    ]


def _lost(stated: dict[str, Any], right: dict[str, int]) -> bool:
    """Whether the counts agree with one another, and results alone are missing: then no count is wrong by itself."""
    return int(stated["passed"]) + int(stated["failed"]) == stated["total"] > right["total"] and all(
        stated[name] >= right[name] for name in right
    )


def wrong_rate(result: Any, at: Tokens = ()) -> Violation | None:
    """What is wrong with the rate of the result at `at`; nothing where the counts themselves are impossible."""
    triggers, runs, rate = result["triggers"], result["runs"], result["trigger_rate"]
    if triggers > runs:
        return None
    # both are whole, but 3.0 is whole as well, and a float has not the range of an integer
    expected = int(triggers) / int(runs) if runs else 0
    if near(rate, expected, RATE_TOLERANCE):
        return None
    return Violation(
        (*at, "trigger_rate"),
        f"trigger_rate is {shown(rate)}, but {shown(triggers)} triggers in {shown(runs)} runs make {said(expected)}",
        found=rate,
        expected=round(expected, 4),
        related=((*at, "triggers"), (*at, "runs")),
        suggestion=said(expected),
    )


def surplus_triggers(result: Any, at: Tokens = ()) -> Violation | None:
    """What is wrong with the counts of the result at `at`."""
    triggers, runs = result["triggers"], result["runs"]
    if triggers <= runs:
        return None
    return Violation(
        (*at, "triggers"),
        f"triggers is {shown(triggers)}, but there were {shown(runs)} runs, and each triggers once at most",
        found=triggers,
        related=((*at, "runs"),),
    )


def wrong_verdicts(results: Iterable[tuple[Tokens, Any]]) -> list[Violation] | None:
    """What is wrong with the verdicts of results, each given with its place, that were judged by one threshold."""
    judged = [(at, result) for at, result in results if result["runs"]]
    # twice the triggers against the runs is the rate against one half, without a division
    strays = [
        (at, result)
        for at, result in judged
        if result["pass"] != ((2 * result["triggers"] >= result["runs"]) == result["should_trigger"])
    ]
    if not strays:
        return None
    low, high = _threshold(result for _, result in judged)
    if low < high:
        first = (*strays[0][0], "pass")
        return [
            Violation(
                first,
                f"verdicts that do not follow from the threshold {said(THRESHOLD)}: {len(strays)} of {len(judged)}, "
                f"this one first; all follow from one above {said(low)} and up to {said(high)}: say which was used",
                found=strays[0][1]["pass"],
                expected=not strays[0][1]["pass"],
                related=[(*at, "pass") for at, _ in strays[1:]],
                severity="warning",
            )
        ]
    return list(_contradictions(strays))


def _threshold(results: Iterable[Any]) -> tuple[float, float]:
    """The thresholds that explain all verdicts: above the first number, up to the second; none unless it is larger."""
    low, high = 0.0, 1.0
    for result in results:
        triggers, runs = int(result["triggers"]), int(result["runs"])
        rate = triggers / runs if triggers < runs else 1.0
        if result["pass"] == result["should_trigger"]:
            high = min(high, rate)
        else:
            low = max(low, rate)
    return low, high


def _contradictions(strays: Iterable[tuple[Tokens, Any]]) -> Iterator[Violation]:
    for at, result in strays:
        passed, wanted = result["pass"], "should" if result["should_trigger"] else "should not"
        yield Violation(
            (*at, "pass"),
            f"pass is {shown(passed)}, but the skill {wanted} trigger and did in {shown(result['triggers'])} of "
            f"{shown(result['runs'])} runs",
            found=passed,
            expected=not passed,
            related=((*at, "should_trigger"), (*at, "triggers"), (*at, "runs")),
        )
