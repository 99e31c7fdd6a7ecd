"""Signs that figures of a workspace were not measured: each can have an honest cause, and each says what it is.

Only what comes from the run itself is looked at: stamps, seconds, tokens, characters. Verdicts and rates repeat in
honest work, too.
"""

from __future__ import annotations

import itertools
from collections import defaultdict
from fractions import Fraction
from math import gcd, lcm, sqrt
from typing import TYPE_CHECKING, Any, NamedTuple

from evalschema.excerpt import excerpt, shown
from evalschema.instants import instant_of
from evalschema.rules._across import Contradiction, across
from evalschema.rules._numbers import near, said

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from evalschema.finding import Tokens
    from evalschema.workspace.model import Document, Run, Workspace

#: Fewer runs than this show no pattern.
FEWEST = 3
#: Two steps alone are equal by chance once in some thirty honest cases, so they must be multiples of so many seconds.
ROUND_STEP = 10
MINUTE = 60
#: So many places in other files are named at most.
NAMED = 10

_STARTS = ("executor_start", "grader_start", "started_at")
_ENDS = ("executor_end", "grader_end", "completed_at")


class Stamp(NamedTuple):
    """A moment in the timing of a run."""

    moment: Fraction
    run: Run
    document: Document
    member: str


@across("SUS001", "warning")
def stamps_in_equal_steps(workspace: Workspace) -> Iterator[Contradiction]:
    """Runs end in steps of exactly the same length.

    The time that a model needs varies, so the ends of three runs lie at no regular distance, whatever started them.
    Where all steps are equal to the second, or all are whole minutes, the stamps were most likely written and not
    taken.

    Looked at are the ends of three or more runs: of the whole workspace, and of each configuration. Three runs count
    only when their equal steps are multiples of 10 seconds. Honest cause: a program that records the tick at which it
    looked, and not the moment at which the run was done.
    """
    told: set[frozenset[str]] = set()
    for member in _ENDS:
        stamps = list(_stamps(workspace, (member,)))
        for group in (stamps, *_by_configuration(stamps)):
            group.sort(key=lambda stamp: stamp.moment)
            steps = [float(b.moment - a.moment) for a, b in itertools.pairwise(group)]
            pattern = _pattern(group, steps)
            documents = frozenset(stamp.document.path for stamp in group)
            if pattern is None or documents in told:
                continue
            told.add(documents)
            first, *others = group
            yield Contradiction(
                first.document,
                (first.member,),
                f"{len(group)} runs end {pattern}: no two runs take the same time, so stamps of a clock were expected",
                elsewhere=[(stamp.document, (stamp.member,)) for stamp in others[:NAMED]],
                found=[shown(step) for step in steps[:5]],
            )


def _pattern(group: list[Stamp], steps: list[float]) -> str | None:
    """How the ends follow each other, in words; None where nothing is odd."""
    if len(group) < FEWEST or any(step <= 0 for step in steps):
        return None
    if len(set(steps)) == 1 and (len(group) > FEWEST or steps[0] % ROUND_STEP == 0):
        return f"in steps of exactly {said(steps[0])} s"
    if all(stamp.moment % MINUTE == 0 for stamp in group) or any(step % 1 for step in steps):
        return None  # stamps in whole minutes are told by themselves
    step = gcd(*(int(step) for step in steps))
    return f"in steps that are all multiples of {said(step)} s" if step % MINUTE == 0 else None


def _by_configuration(stamps: list[Stamp]) -> Iterable[list[Stamp]]:
    groups: defaultdict[str, list[Stamp]] = defaultdict(list)
    for stamp in stamps:
        groups[stamp.run.configuration].append(stamp)
    return groups.values() if len(groups) > 1 else ()


@across("SUS002", "warning")
def stamps_without_seconds(workspace: Workspace) -> list[Contradiction] | None:
    """Every stamp of three or more runs lies on a full minute.

    One stamp in sixty does so by chance; that all stamps of three runs do is less likely than one in two hundred
    thousand. Honest cause: a program that cuts the seconds off. Then durations taken from the stamps are off by up to a
    minute.
    """
    stamps = list(_stamps(workspace, (*_STARTS, *_ENDS)))
    if len({id(stamp.run) for stamp in stamps}) < FEWEST:
        return None
    if any(stamp.moment % MINUTE for stamp in stamps):
        return None
    first, *others = stamps
    return [
        Contradiction(
            first.document,
            (first.member,),
            f"all {len(stamps)} stamps of {len({id(stamp.run) for stamp in stamps})} runs lie on a full minute: "
            "stamps of a clock with its seconds were expected",
            elsewhere=[(stamp.document, (stamp.member,)) for stamp in others[:NAMED]],
        )
    ]


def _stamps(workspace: Workspace, members: Iterable[str]) -> Iterator[Stamp]:
    for run in workspace.runs:
        for member in members:
            if run.timing is not None and (moment := instant_of(run.timing.value(member))) is not None:
                yield Stamp(moment, run, run.timing, member)


# --- measurements -------------------------------------------------------------------------------------------------


class Measured(NamedTuple):
    """A measurement of a run: its value in a unit, and where it stands."""

    value: float
    unit: str
    document: Document
    at: Tokens


def _measurements(run: Run) -> dict[str, Measured]:
    """What was measured in a run; 0 is what was not."""
    places: tuple[tuple[str, str, Document | None, Tokens], ...] = (
        ("time", "ms", run.timing, ("duration_ms",)),
        ("time", "s", run.timing, ("total_duration_seconds",)),
        ("time", "s", run.grading, ("timing", "total_duration_seconds")),
        ("tokens", "tokens", run.timing, ("total_tokens",)),
        ("tokens", "tokens", run.grading, ("timing", "total_tokens")),
        ("output", "characters of output", run.metrics, ("output_chars",)),
        ("output", "characters of output", run.grading, ("execution_metrics", "output_chars")),
        ("transcript", "characters of transcript", run.metrics, ("transcript_chars",)),
        ("transcript", "characters of transcript", run.grading, ("execution_metrics", "transcript_chars")),
    )
    found: dict[str, Measured] = {}
    for name, unit, document, at in places:
        value = None if document is None else document.number(*at)
        if document is not None and value is not None and value > 0:
            found.setdefault(name, Measured(value, unit, document, at))
    return found


@across("SUS003", "warning")
def figures_copied_from_another_run(workspace: Workspace) -> Iterator[Contradiction]:
    """Two runs have the same measurements to the last digit.

    Time, tokens, characters of output and of transcript: where at least two of them are known and all are equal, one
    run is a copy of the other, or both were copied from a third. Two runs of a model, even of one prompt, never agree
    so. Run it again, or take the copy out: a copy makes the deviation smaller than it is.

    Honest cause: one run that two evals or configurations share on purpose; then say so, and count it once.
    """
    first: dict[Any, tuple[Run, dict[str, Measured]]] = {}
    for run in workspace.runs:
        measured = _measurements(run)
        if len(measured) < 2:
            continue
        trace = tuple((name, each.unit, each.value) for name, each in measured.items())
        earlier, theirs = first.setdefault(trace, (run, measured))
        if earlier is run:
            continue
        figures = " and ".join(f"{said(each.value)} {each.unit}" for each in measured.values())
        place = next(iter(measured.values()))
        yield Contradiction(
            place.document,
            place.at,
            f"{run} has {figures}, to the last digit those of {earlier} ({workspace.short(earlier.folder)}): "
            "run it again, or take the copy out",
            elsewhere=[(each.document, each.at) for each in theirs.values()],
            consequence="a copy makes the deviation smaller than it is",
        )


@across("SUS005", "warning")
def one_figure_for_all_evals(workspace: Workspace) -> Iterator[Contradiction]:
    """A measurement is the same in all runs of a configuration, over three or more evals.

    Different tasks take different times and tokens. One figure for all of them is a default, an estimate, or the total
    divided by the number of runs. Means from it are no measurement, and their deviation of 0 looks like certainty.
    Leave out what was not measured.

    Honest cause: a limit that every run reached, such as a time-out.
    """
    for configuration in workspace.configurations:
        runs = [(run, _measurements(run)) for run in workspace.runs if run.configuration == configuration]
        if len({id(run.eval) for run, _ in runs}) < FEWEST:
            continue
        for name in dict.fromkeys(name for _, measured in runs for name in measured):
            known = [measured[name] for _, measured in runs if name in measured]
            if len(known) < len(runs) or len({(each.value, each.unit) for each in known}) > 1:
                continue
            first, *others = known
            yield Contradiction(
                first.document,
                first.at,
                f"each of the {len(known)} runs with {excerpt(configuration)} has {said(first.value)} {first.unit}, "
                "whatever the eval: leave out what was not measured",
                elsewhere=[(each.document, each.at) for each in others[:NAMED]],
                found=first.value,
            )


# --- figures that cannot be ---------------------------------------------------------------------------------------

RATE_TOLERANCE = 0.01
#: So many different sums of rates are reckoned with at most; beyond, nearly every mean is possible anyway.
_MOST_SUMS = 20_000


@across("SUS004", "warning")
def mean_that_no_counts_can_give(workspace: Workspace) -> Iterator[Contradiction]:
    """A mean of pass rates that no counts of passed checks can give.

    Rates are fractions of the number of checks: two runs of 4 checks each have means of 0, 0.125, 0.25 and so on, and
    never 0.7. A mean between the possible ones was not computed from runs. The same holds for the smallest and the
    largest rate, and for a deviation that is larger than rates between 0 and 1 can have with that mean.

    Rates and their means may be off by 0.01, for rounding. Looked at are configurations whose runs the benchmark does
    not list; where it lists them, the mean is compared with them. The numbers of checks are those of the evals'
    metadata, or of their gradings with another configuration. Honest cause: runs that are missing, or that were graded
    by another number of checks.
    """
    benchmark = workspace.benchmark
    summary = None if benchmark is None else benchmark.value("run_summary")
    if benchmark is None or not isinstance(summary, dict):
        return
    if not all(isinstance(entry, dict) and entry.get("configuration") for entry in benchmark.items("runs")):
        return  # then nobody knows whose runs are listed
    totals = [_checks(each) for each in workspace.evals]
    per_eval = benchmark.count("metadata", "runs_per_configuration")
    if not totals or None in totals or not per_eval:
        return
    checks = [total for total in totals if total] * per_eval
    for configuration in summary:
        if configuration == "delta" or _is_listed(benchmark, configuration, len(checks)):
            continue
        yield from _impossible(benchmark, configuration, checks)


def _checks(each: Any) -> int | None:
    """How many checks an eval has: of its metadata, else of its gradings when they agree."""
    named = 0 if each.metadata is None else len(each.metadata.items("assertions"))
    graded = {int(run.figures["total"].value) for run in each.runs if "total" in run.figures}
    if named and graded <= {named}:
        return named
    return graded.pop() if not named and len(graded) == 1 else None


def _is_listed(benchmark: Document, configuration: str, count: int) -> bool:
    """Whether the runs of a configuration are listed, all of them or more than were expected."""
    listed = [
        entry
        for entry in benchmark.items("runs")
        if isinstance(entry, dict) and entry.get("configuration") == configuration
    ]
    return len(listed) >= count


def _impossible(benchmark: Document, configuration: str, checks: list[int]) -> Iterator[Contradiction]:
    place = ("run_summary", configuration, "pass_rate")
    mean, deviation = benchmark.number(*place, "mean"), benchmark.number(*place, "stddev")
    count = len(checks)
    listed = ", ".join(map(str, sorted(set(checks))[:5]))
    means = _means(checks)
    if mean is not None and means and not any(_rounds_to(each, mean) for each in means):
        below = max((each for each in means if each <= mean), default=None)
        above = min((each for each in means if each >= mean), default=None)
        around = " and ".join(said(each) for each in (below, above) if each is not None)
        yield Contradiction(
            benchmark,
            (*place, "mean"),
            f"mean is {shown(mean)}, which {count} run{'' if count == 1 else 's'} of {listed} checks cannot give: "
            f"next to it lie {around}",
            found=mean,
            related=[("metadata", "runs_per_configuration")],
        )
    for name in ("min", "max"):
        stated = benchmark.number(*place, name)
        if stated is not None and not any(
            _rounds_to(passed / total, stated) for total in set(checks) for passed in range(total + 1)
        ):
            yield Contradiction(
                benchmark,
                (*place, name),
                f"{name} is {shown(stated)}, which no run of {listed} checks can have",
                found=stated,
                related=[("metadata", "runs_per_configuration")],
            )
    if mean is not None and deviation is not None and 0 <= mean <= 1 and count > 1:
        most = sqrt(mean * (1 - mean) * count / (count - 1))
        if deviation > most + 0.01:
            yield Contradiction(
                benchmark,
                (*place, "stddev"),
                f"stddev is {shown(deviation)}, but {count} rates between 0 and 1 with the mean {shown(mean)} deviate "
                f"by {said(most)} at most",
                found=deviation,
                related=[(*place, "mean")],
            )


def _means(checks: list[int]) -> list[float]:
    """Every mean of rates that runs with so many checks can have; empty when there are too many to reckon with."""
    unit = lcm(*checks)
    sums = {0}
    for total in checks:
        sums = {known + passed * (unit // total) for known in sums for passed in range(total + 1)}
        if len(sums) > _MOST_SUMS:
            return []
    return [each / unit / len(checks) for each in sums]


def _rounds_to(exact: float, stated: float) -> bool:
    """Whether a figure may be written as `stated`: 0.85 stands for 6/7, and a mean of such rates is off by as much."""
    return near(exact, stated, RATE_TOLERANCE)
