"""Whether a benchmark can be trusted, in a sentence with numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

from evalschema.output._words import counted
from evalschema.rules._numbers import said

if TYPE_CHECKING:
    from collections.abc import Iterator

    from evalschema.report.figures import Benchmark, Strip

Level: TypeAlias = Literal["holds", "care", "fails", "open"]

#: From bad to good: the order in which a reader wants them.
LEVELS: dict[Level, str] = {
    "fails": "cannot be trusted",
    "open": "cannot be told",
    "care": "with care",
    "holds": "can be trusted",
}
NAMES = {"pass_rate": "pass rate", "time_seconds": "time", "tokens": "tokens"}


@dataclass(frozen=True, slots=True)
class Verdict:
    """How far a benchmark can be trusted: the level, a sentence, and what it rests on, a sentence each."""

    level: Level
    sentence: str
    reasons: tuple[str, ...]

    @property
    def words(self) -> str:
        """The level in words."""
        return LEVELS[self.level]


def verdict(benchmark: Benchmark) -> Verdict:
    """The verdict on a benchmark.

    It cannot be trusted with an error in it, in a grading or in a timing, or when a rate or a time that it states is
    not that of the files. It holds when every mean that it states follows from the files and none of
    those has a warning.
    """
    reasons = tuple(_reasons(benchmark))
    if _fails(benchmark):
        return Verdict("fails", _failing(benchmark), reasons)
    if benchmark.path is None:
        runs = counted(benchmark.gradings, "grading")
        return Verdict("open", f"There is no benchmark here: what is shown was computed from {runs}.", reasons)
    stated = _stated(benchmark)
    if not benchmark.gradings:
        what = f"none of the {counted(len(stated), 'mean')} that it states" if stated else "nothing that it states"
        return Verdict("open", f"No grading lies beside it, so that {what} can be traced to a run.", reasons)
    if not stated:
        return Verdict("open", "It states no mean that could be compared with its files.", reasons)
    follow = [strip for strip in stated if strip.standing == "follows"]
    files = f"the {counted(benchmark.gradings, 'grading')} beside it"
    if benchmark.timings:
        files = f"the {counted(benchmark.gradings, 'grading')} and {counted(benchmark.timings, 'timing')} beside it"
    if len(follow) < len(stated):
        sentence = f"{len(follow)} of the {counted(len(stated), 'mean')} that it states follow from {files}."
        return Verdict("care", sentence, reasons)
    every = (
        "The one mean that it states follows" if len(stated) == 1 else f"All {len(stated)} means that it states follow"
    )
    if reasons:
        return Verdict("care", f"{every} from {files}, but read first what was found.", reasons)
    return Verdict("holds", f"{every} from {files}, and nothing was found against any of these files.", reasons)


def _stated(benchmark: Benchmark) -> list[Strip]:
    return [strip for strip in benchmark.strips if strip.standing is not None]


def _differing(benchmark: Benchmark) -> list[Strip]:
    return [strip for strip in benchmark.strips if strip.standing == "differs"]


def _fails(benchmark: Benchmark) -> bool:
    errors = benchmark.errors
    wrong = any(strip.metric != "tokens" for strip in _differing(benchmark))
    return bool(errors.benchmark or errors.gradings or errors.timings or wrong)


def _failing(benchmark: Benchmark) -> str:
    """The heaviest facts in one sentence."""
    errors, parts = benchmark.errors, list[str]()
    differing = _differing(benchmark)
    if differing:
        verb = "is" if len(differing) == 1 else "are"
        parts.append(
            f"{len(differing)} of the {counted(len(_stated(benchmark)), 'mean')} that it states {verb} not what its "
            "files say"
        )
    if errors.benchmark:
        parts.append(f"the benchmark itself has {counted(errors.benchmark, 'error')}")
    for wrong, all_of_them, noun in (
        (errors.gradings, benchmark.gradings, "grading"),
        (errors.timings, benchmark.timings, "timing"),
    ):
        if wrong:
            verb = "has" if wrong == 1 else "have"
            parts.append(f"{wrong} of {counted(all_of_them, noun)} {verb} errors")
    text = parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])}, and {parts[-1]}"
    return f"{text[:1].upper()}{text[1:]}."


def _reasons(benchmark: Benchmark) -> Iterator[str]:
    """What the reader should know, the heaviest first."""
    for strip in _differing(benchmark):
        yield (
            f"{strip.configuration}: the benchmark says {figure(strip.metric, strip.stated or 0.0)} as the mean "
            f"{NAMES[strip.metric]}, {_runs(strip)} {figure(strip.metric, strip.mean)}"
        )
    errors = benchmark.errors
    for told in errors.told:
        yield f"in the benchmark: {told}"
    if errors.gradings:
        costs = f"; what that costs most often: {errors.costs}" if errors.costs else ""
        yield f"{counted(errors.gradings, 'grading')} with errors{costs}"
    if errors.timings:
        yield f"{counted(errors.timings, 'timing')} with errors: time and tokens of such a run are lost or wrong"
    if errors.others:
        yield f"{counted(errors.others, 'file')} of metadata or metrics with errors"
    for strip in benchmark.strips:
        if strip.standing == "untold":
            yield (
                f"{strip.configuration}: the mean {NAMES[strip.metric]} cannot be traced, for "
                f"{counted(strip.missing, 'run')} of {strip.missing + len(strip.points)} "
                f"{'tells' if strip.missing == 1 else 'tell'} none"
            )
    if benchmark.listed is not None and benchmark.gradings and benchmark.listed != benchmark.gradings:
        yield (
            f"the benchmark lists {counted(benchmark.listed, 'run')}, and there are "
            f"{counted(benchmark.gradings, 'grading')}"
        )
    if errors.suspicions:
        yield f"{counted(errors.suspicions, 'sign')} that figures were written and not measured (the codes SUS)"
    others = errors.warnings - errors.suspicions
    if others > 0:
        yield counted(others, "warning")


def _runs(strip: Strip) -> str:
    return (
        "the file of its only run says" if len(strip.points) == 1 else f"the files of its {len(strip.points)} runs say"
    )


def figure(metric: str, value: float) -> str:
    """A figure as a person writes it: a rate in percent, a time in seconds, tokens in groups of three digits."""
    match metric:
        case "pass_rate":
            return f"{said(round(value * 100, 1))} %"
        case "time_seconds":
            return f"{said(round(value, 1))} s"
        case _:
            return f"{value:,.0f}"
