"""What a list of graded expectations says about counts and rate beside it; gradings and benchmark runs share it.

A list in which every item has a verdict, and that is at least as long as the total, is the evidence: each number is
held against it, and a number that it contradicts is told once. A shorter list only sets lower bounds, and the rate is
held against the counts.
"""

from __future__ import annotations

from collections.abc import Mapping
from operator import itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple

from evalschema.excerpt import shown
from evalschema.rules._engine import Violation
from evalschema.rules._numbers import near, said

if TYPE_CHECKING:
    from evalschema.finding import Tokens

# The documented examples write 6/7 as 0.85 and 2/3 as 0.67.
RATE_TOLERANCE = 0.01

Consequences = Mapping[str, str]

_VERDICT = itemgetter("passed")


class Tally(NamedTuple):
    """The verdicts of a list: how many items it has, how many say true, how many say false."""

    length: int
    passed: int
    failed: int

    def decides(self, total: float) -> bool:
        """Whether these are the verdicts of all checks."""
        return self.length >= total and self.passed + self.failed == self.length


def tally(items: Any) -> Tally | None:
    """The verdicts of a list, whatever else it holds; None when there is no list, or an empty one."""
    if not isinstance(items, list) or not items:
        return None
    verdicts = [item.get("passed") if isinstance(item, dict) else None for item in items]
    return Tally(len(verdicts), sum(each is True for each in verdicts), sum(each is False for each in verdicts))


def as_count(value: Any) -> int | None:
    """The count that a JSON value stands for (3.0 is 3); None for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float) or value < 0 or value % 1:
        return None
    return int(value)


def agrees(items: Any, passed: float, total: float) -> bool:
    """Whether a list has `total` items of which `passed` are true: the quick look at a sound document."""
    try:
        return len(items) == total and sum(map(_VERDICT, items)) == passed
    except (TypeError, KeyError, OverflowError):
        return False


def adds_up(passed: float, failed: Any, total: float) -> bool:
    """Whether passed and failed make the total: the quick look; not when there is no `failed`, or numbers are huge."""
    try:
        return bool(passed + failed == total)
    except (TypeError, OverflowError):
        return False


def rate_fits(rate: float, passed: float, total: float) -> bool:
    """Whether a rate is that of the counts: the quick look; a total of 0 has no rate."""
    try:
        return -RATE_TOLERANCE <= rate - passed / total <= RATE_TOLERANCE
    except ArithmeticError:
        return False


def contradicted_total(counts: Mapping[str, Any], items: Any, at: Tokens, consequence: str) -> list[Violation] | None:
    """The total where it is not passed plus failed and no list says more; without `failed`, where passed is more."""
    passed, failed, total = int(counts["passed"]), as_count(counts.get("failed")), int(counts["total"])
    if passed <= total if failed is None else passed + failed == total:
        return None
    listed = tally(items)
    if listed is not None and (listed.decides(total) or listed.length > total):
        return None  # then the list tells which of the numbers is wrong
    if failed is None:
        message = f"total is {shown(total)}, but passed alone is {shown(passed)}: write how many checks were graded"
        return [Violation((*at, "total"), message, found=total, related=[(*at, "passed")], consequence=consequence)]
    sum_of_both = shown(passed + failed)
    message = (
        f"total is {shown(total)}, but passed {shown(passed)} and failed {shown(failed)} make {sum_of_both}: "
        "count the checks again"
    )
    return [
        Violation(
            (*at, "total"),
            message,
            found=total,
            expected=passed + failed,
            related=[(*at, "passed"), (*at, "failed")],
            consequence=consequence,
        )
    ]


def contradicted_counts(
    counts: Mapping[str, Any], items: Any, at: Tokens, consequences: Consequences
) -> list[Violation] | None:
    """Each of passed, failed and total that a list of verdicts (`expectations` beside `at`) contradicts."""
    listed = tally(items)
    if listed is None:
        return None
    total = int(counts["total"])
    complete = listed.decides(total)
    violations: list[Violation] = []
    if listed.length > total:
        message = f"total is {shown(total)}, but {_expectations(listed.length)} listed: write {listed.length}"
        violations.append(_count((*at, "total"), message, total, listed.length, consequences["total"], sure=complete))
    for name, verdict, seen in (("passed", "true", listed.passed), ("failed", "false", listed.failed)):
        count = as_count(counts.get(name))
        if count is None or count == seen or (not complete and count > seen):
            continue
        have = f"{seen} of the {listed.length} listed expectations {'has' if seen == 1 else 'have'} `passed` {verdict}"
        wanted = f"write {seen}" if complete else f"at least {seen} was expected"
        message = f"{name} is {shown(count)}, but {have}: {wanted}"
        violations.append(_count((*at, name), message, count, seen, consequences[name], sure=complete))
    return violations


def _count(at: Tokens, message: str, found: int, expected: int, consequence: str, *, sure: bool) -> Violation:
    return Violation(
        at,
        message,
        found=found,
        expected=expected,
        related=[("expectations",)],
        consequence=consequence,
        suggestion=str(expected) if sure else None,
    )


def shortened_list(items: Any, total: float, at: Tokens) -> Violation | None:
    """The list where it is shorter than the total; an empty one says nothing at all."""
    if not isinstance(items, list) or not items or len(items) >= total:
        return None
    return Violation(
        ("expectations",),
        f"{_expectations(len(items))} listed, but total is {shown(int(total))}: list every check with its evidence",
        found=len(items),
        expected=int(total),
        related=[(*at, "total")],
        consequence="the page shows the checks that are listed and no others",
    )


def contradicted_rate(counts: Mapping[str, Any], items: Any, at: Tokens, consequence: str) -> list[Violation] | None:
    """The rate where it is not that of a complete list, or else not that of the counts, or one of no checks at all."""
    rate, passed, total = counts["pass_rate"], int(counts["passed"]), int(counts["total"])
    place = (*at, "pass_rate")
    listed = tally(items)
    if listed is not None and listed.decides(total):
        right = listed.passed / listed.length
        source = f"{listed.passed} of the {listed.length} listed expectations passed"
        related: list[Tokens] = [("expectations",)]
    elif total == 0:
        if rate <= 0:
            return None
        message = f"pass_rate is {shown(rate)}, but nothing was graded (total is 0): no rate follows from that"
        return [Violation(place, message, found=rate, expected=0, related=[(*at, "total")], consequence=consequence)]
    else:
        rates = _rates(passed, as_count(counts.get("failed")), total)
        if not rates or any(near(rate, each, RATE_TOLERANCE) for each in rates):
            return None
        right = rates[0]
        source = f"passed {shown(passed)} of {shown(total)}"
        related = [(*at, "passed"), (*at, "total")]
    if near(rate, right, RATE_TOLERANCE):
        return None
    return [
        Violation(
            place,
            f"pass_rate is {shown(rate)}, but {source}: that is {said(round(right, 4))}",
            found=rate,
            expected=round(right, 4),
            related=related,
            consequence=consequence,
            suggestion=said(round(right, 4)),
        )
    ]


def _rates(passed: int, failed: int | None, total: int) -> list[float]:
    """The rates that counts allow: where they contradict each other, one for each that may be the wrong one.

    None where more passed than there were checks: then the total is told, and a rate is past saying.
    """
    if passed > total:
        return []
    rates = [passed / total]
    if failed is not None and passed + failed != total:
        if passed + failed > 0:
            rates.append(passed / (passed + failed))
        if failed <= total:
            rates.append((total - failed) / total)
    return rates


def _expectations(count: int) -> str:
    return "1 expectation is" if count == 1 else f"{count} expectations are"
