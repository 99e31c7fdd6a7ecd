"""Rules for timing: seconds, milliseconds and intervals that contradict each other, and what was not measured."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from evalschema.excerpt import shown
from evalschema.instants import instant, seconds_shown
from evalschema.rules._engine import Violation, rule
from evalschema.rules._numbers import double, near

if TYPE_CHECKING:
    from collections.abc import Iterator
    from fractions import Fraction

# Seconds between total_duration_seconds and duration_ms: people round to whole seconds.
TOTAL_TOLERANCE = 1.0
# An interval between two stamps in whole seconds can be this much shorter than what a stopwatch says …
SHORTER = 1.5
# … and longer by the time that starting and stopping take, which the stopwatch leaves out.
LONGER, LONGER_SHARE = 5.0, 0.1

PARTS = ("executor", "grader")


@rule("TIM001", needs=("/total_duration_seconds", "/duration_ms"))
def total_is_not_the_milliseconds(timing: Any) -> list[Violation] | None:
    """The total in seconds is not the duration in milliseconds divided by 1000.

    Both are the time of the whole run. The aggregator reads the seconds and never looks at the milliseconds, so a
    wrong total goes into every mean. A second is forgiven for rounding. The milliseconds come from the task
    notification: when in doubt they are right.
    """
    total, milliseconds = timing["total_duration_seconds"], timing.get("duration_ms")
    if milliseconds is None or milliseconds < 0 or _is_total(total, milliseconds):
        return None
    seconds = round(milliseconds / 1000, 3)
    unit = ": it looks like milliseconds" if near(total, milliseconds, TOTAL_TOLERANCE) else ""
    given = shown(int(milliseconds))
    return [
        Violation(
            ("total_duration_seconds",),
            f"total_duration_seconds is {shown(total)}, but duration_ms {given} is {shown(seconds)} s{unit}",
            found=total,
            expected=seconds,
            related=[("duration_ms",)],
            consequence="the benchmark takes the seconds and never looks at the milliseconds",
            suggestion=shown(seconds),
        )
    ]


@rule("TIM002", needs=("/executor_start", "/executor_end", "/grader_start", "/grader_end"))
def end_before_start(timing: Any) -> Iterator[Violation]:
    """An end lies before its start.

    No work takes less than no time: one of the two stamps was written by hand, in another zone, or for another run.
    Take both from the same clock, with its zone.
    """
    for part in PARTS:
        elapsed = _elapsed(timing, f"{part}_start", f"{part}_end")
        if elapsed is not None and elapsed < 0:
            yield Violation(
                (f"{part}_end",),
                f"{part}_end {shown(timing[f'{part}_end'])} lies {seconds_shown(-elapsed)} s before {part}_start "
                f"{shown(timing[f'{part}_start'])}",
                found=timing[f"{part}_end"],
                related=[(f"{part}_start",)],
            )


@rule(
    "TIM003",
    "warning",
    needs=(
        "/executor_start",
        "/executor_end",
        "/executor_duration_seconds",
        "/grader_start",
        "/grader_end",
        "/grader_duration_seconds",
    ),
)
def duration_is_not_the_interval(timing: Any) -> Iterator[Violation]:
    """A duration is not the time between its start and its end.

    What is measured inside an interval cannot take longer than the interval, but for 1.5 seconds of rounding. It can
    take less, since starting and stopping take their time: up to 5 seconds or a tenth of the duration, whichever is
    more.
    """
    for part in PARTS:
        name = f"{part}_duration_seconds"
        elapsed, duration = _elapsed(timing, f"{part}_start", f"{part}_end"), timing.get(name)
        if elapsed is None or elapsed < 0 or duration is None or duration < 0:
            continue
        seconds = double(duration)
        if seconds - SHORTER <= elapsed <= seconds + max(LONGER, seconds * LONGER_SHARE):
            continue
        yield Violation(
            (name,),
            f"{name} is {shown(duration)}, but from {part}_start to {part}_end it is {seconds_shown(elapsed)} s",
            found=duration,
            expected=round(float(elapsed), 3),
            related=[(f"{part}_start",), (f"{part}_end",)],
        )


@rule("TIM004", "warning", needs=("/total_tokens", "/total_duration_seconds"))
def no_tokens_although_time_passed(timing: Any) -> list[Violation] | None:
    """The tokens are 0 although the run took time.

    A model that works uses tokens, so they were not measured. They are told once, when the task completes, and cannot
    be recovered later: leave the member out of this run, and save it at once in the next.
    """
    if timing["total_tokens"] != 0 or timing["total_duration_seconds"] <= 0:
        return None
    return [
        Violation(
            ("total_tokens",),
            f"total_tokens is 0 although {shown(timing['total_duration_seconds'])} s passed: more than 0 was expected",
            found=0,
            related=[("total_duration_seconds",)],
            consequence="the benchmark shows 0 tokens for this run",
        )
    ]


@rule("TIM005", "warning", needs=("/executor_end", "/grader_start"))
def grader_starts_before_the_executor_ends(timing: Any) -> list[Violation] | None:
    """The grader starts before the executor ends.

    What is graded must be finished. Either the stamps come from different clocks, or the grader read half an output:
    then grade again.
    """
    elapsed = _elapsed(timing, "executor_end", "grader_start")
    if elapsed is None or elapsed >= 0:
        return None
    return [
        Violation(
            ("grader_start",),
            f"grader_start {shown(timing['grader_start'])} lies {seconds_shown(-elapsed)} s before executor_end "
            f"{shown(timing['executor_end'])}",
            found=timing["grader_start"],
            related=[("executor_end",)],
        )
    ]


@rule("TIM006", "warning", needs=("/total_duration_seconds",))
def total_of_zero_seconds(timing: Any) -> list[Violation] | None:
    """The total is 0 seconds.

    The aggregator takes 0 as not measured, and the benchmark shows 0.0 s. Write the seconds that the run took; where
    nobody measured them there is no timing to write.
    """
    if timing["total_duration_seconds"] != 0:
        return None
    milliseconds = timing.get("duration_ms")
    if isinstance(milliseconds, int | float) and not _is_total(0, milliseconds):
        return None  # TIM001 says what the total should be
    return [
        Violation(
            ("total_duration_seconds",),
            "total_duration_seconds is 0: the seconds that the run took were expected",
            found=0,
            consequence="the aggregator takes 0 as not measured, and the benchmark shows 0.0 s",
        )
    ]


def _is_total(total: float, milliseconds: float) -> bool:
    return near(total, milliseconds / 1000, TOTAL_TOLERANCE)


def _elapsed(timing: Any, start: str, end: str) -> Fraction | None:
    """Seconds from one stamp to the other, below 0 the wrong way round; None where one cannot be read."""
    first, last = timing.get(start), timing.get(end)
    if not isinstance(first, str) or not isinstance(last, str):
        return None
    try:
        return instant(last) - instant(first)
    except ValueError:
        return None  # such stamps are tolerated
