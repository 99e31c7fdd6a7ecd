"""Charts as numbers: where each point, mean and deviation lies, in percent of the width and pixels of the height."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from math import ceil, floor, log10
from typing import TYPE_CHECKING

from evalschema.report.verdicts import NAMES, figure
from evalschema.rules._numbers import said
from evalschema.rules.benchmark import NEW, OLD

if TYPE_CHECKING:
    from collections.abc import Sequence

    from evalschema.report.figures import Strip

# The points of a row lie around MIDDLE, at most SPREAD away from it; the mean with its deviation lies below them.
MIDDLE, SPREAD, STEP = 23.0, 17.0, 10.0
#: Where the drawing begins and how wide it is, in percent: half a point must not be cut off at its edges.
LEFT, WIDTH = 2.0, 96.0
# Points nearer than this share of the width would cover each other.
NEAR = 1.6
#: More points than this are not drawn; mean and deviation are those of all.
MOST_DOTS = 500


@dataclass(frozen=True, slots=True)
class Dot:
    """A run in the chart."""

    x: str
    y: str
    label: str
    sound: bool


@dataclass(frozen=True, slots=True)
class Row:
    """One configuration in the chart, with what is written beside it."""

    configuration: str
    dots: tuple[Dot, ...]
    mean_x: str
    low_x: str
    high_x: str
    stated_x: str | None
    mean: str
    deviation: str | None
    runs: int
    missing: int
    stated: str | None
    least: str
    most: str
    differs: bool
    description: str


@dataclass(frozen=True, slots=True)
class Chart:
    """One metric: its ticks as pairs of place and text, a row a configuration, and the difference in words."""

    metric: str
    title: str
    ticks: tuple[tuple[str, str], ...]
    rows: tuple[Row, ...]
    difference: str | None


TITLES = {"pass_rate": "Pass rate", "time_seconds": "Time of a run", "tokens": "Tokens of a run"}
_MORE = {
    "pass_rate": ("passes", "more", "fewer"),
    "time_seconds": ("takes", "longer", "less"),
    "tokens": ("uses", "more", "fewer"),
}


def chart(metric: str, strips: Sequence[Strip]) -> Chart | None:
    """The chart of one metric; None when no run tells it."""
    drawn = [strip for strip in strips if strip.points]
    if not drawn:
        return None
    step, top = (0.25, 1.0) if metric == "pass_rate" else _scale(max(map(_largest, drawn)))
    ticks = tuple((_x(i * step, top), figure(metric, i * step)) for i in range(round(top / step) + 1))
    rows = tuple(_row(strip, top) for strip in drawn)
    return Chart(metric, TITLES[metric], ticks, rows, difference(drawn))


def _largest(strip: Strip) -> float:
    return max(*strip.values, strip.mean + (strip.deviation or 0.0), strip.stated or 0.0)


def _scale(largest: float) -> tuple[float, float]:
    """A step that people count in, and the end of the axis: at most five steps."""
    if largest <= 0:
        return 1.0, 1.0
    rough = largest / 4
    power = 10.0 ** floor(log10(rough))
    step = next(factor * power for factor in (1, 2, 2.5, 5, 10) if factor * power >= rough)
    return step, step * ceil(largest / step)


def _x(value: float, top: float) -> str:
    return f"{LEFT + WIDTH * min(1.0, max(0.0, value / top)):.2f}%"


def _row(strip: Strip, top: float) -> Row:
    deviation = strip.deviation or 0.0
    metric = strip.metric
    apart = strip.standing == "differs" or (strip.standing == "alone" and strip.stated is not None)
    values = ", ".join(figure(metric, value) for value in strip.values[:20])
    more = f" and {len(strip.points) - 20} more" if len(strip.points) > 20 else ""
    told = "" if strip.deviation is None else f", deviation {spread(metric, strip.deviation)}"
    stated = None if strip.stated is None else figure(metric, strip.stated)
    says = f"; the benchmark says {stated}" if stated else ""
    return Row(
        configuration=strip.configuration,
        dots=_dots(strip, top),
        mean_x=_x(strip.mean, top),
        low_x=_x(strip.mean - deviation, top),
        high_x=_x(strip.mean + deviation, top),
        stated_x=_x(strip.stated, top) if apart and strip.stated is not None else None,
        mean=figure(metric, strip.mean),
        deviation=None if strip.deviation is None else spread(metric, strip.deviation),
        runs=len(strip.points),
        missing=strip.missing,
        stated=stated,
        least=figure(metric, min(strip.values)),
        most=figure(metric, max(strip.values)),
        differs=strip.standing == "differs",
        description=f"{strip.configuration}, {NAMES[metric]} of {len(strip.points)} runs: {values}{more}; "
        f"mean {figure(metric, strip.mean)}{told}{says}",
    )


def _dots(strip: Strip, top: float) -> tuple[Dot, ...]:
    """Points at their value; those that would cover each other lie one above the other."""
    piles: defaultdict[int, list[int]] = defaultdict(list)
    for index, point in enumerate(strip.points):
        piles[round(100 * min(1.0, max(0.0, point.value / top)) / NEAR)].append(index)
    height: dict[int, float] = {}
    for pile in piles.values():
        step = min(STEP, 2 * SPREAD / max(1, len(pile) - 1))
        for place, index in enumerate(pile):
            height[index] = MIDDLE + step * (place - (len(pile) - 1) / 2)
    return tuple(
        Dot(
            _x(point.value, top),
            f"{height[index]:.1f}",
            f"{point.label}: {figure(strip.metric, point.value)}"
            + ("" if point.sound else ", from a file that has an error or is not there"),
            point.sound,
        )
        for index, point in enumerate(strip.points[:MOST_DOTS])
    )


def spread(metric: str, value: float) -> str:
    """A deviation or a difference as a person writes it: that of a rate in points of a hundred."""
    match metric:
        case "pass_rate":
            return f"{said(round(value * 100, 1))} points"
        case "time_seconds":
            return f"{said(round(value, 1))} s"
        case _:
            return f"{value:,.0f} tokens"


def _in_words(metric: str, value: float) -> str:
    return spread(metric, value).replace("points", "percentage points")


def difference(strips: Sequence[Strip]) -> str | None:
    """How the new configuration differs from the old one, in a sentence; None when it is not told which those are."""
    if len(strips) < 2 or not (len(strips) == 2 or (strips[0].configuration in NEW and strips[1].configuration in OLD)):
        return None
    new, old = strips[0], strips[1]
    metric, by = new.metric, new.mean - old.mean
    does, more, less = _MORE[metric]
    if spread(metric, by).startswith(("0 ", "-0 ")):
        return f"On average {new.configuration} and {old.configuration} do not differ."
    deviations = [each for each in (new.deviation, old.deviation) if each is not None]
    if not deviations:
        doubt = ": one run each, which says nothing about chance"
    elif max(deviations) > abs(by):
        doubt = (
            f"; but runs of one configuration deviate by {_in_words(metric, max(deviations))}, so this may be chance"
        )
    else:
        doubt = ""
    amount = _in_words(metric, abs(by))
    return f"On average {new.configuration} {does} {amount} {more if by > 0 else less} than {old.configuration}{doubt}."
