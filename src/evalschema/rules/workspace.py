"""Rules across the files of a workspace: gradings against metadata and timings, the benchmark against all of them.

What contradicts itself in numbers is an error, the rest are warnings. A figure of the files is that of the full list of
checks before that of the summary, and that of the grading's own timing before that of timing.json, as the official
aggregator reads them.
"""

from __future__ import annotations

import os
from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Any, NamedTuple

from evalschema.excerpt import excerpt, shown
from evalschema.finding import pointer
from evalschema.rules._across import Contradiction, across
from evalschema.rules._numbers import mean, near, said
from evalschema.rules.benchmark import METRICS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from evalschema.finding import Severity, Tokens
    from evalschema.workspace.model import Document, Eval, Figure, Run, Workspace

#: So many places in other files, and so many things in a message, are named at most.
NAMED, LISTED = 10, 3

RATE_TOLERANCE = 0.01
SECONDS_TOLERANCE = 0.1
#: What is written in whole seconds may be off by half of one.
WHOLE_SECONDS_TOLERANCE = 0.5
TOKENS_TOLERANCE = 1.0

#: Beyond this a float cannot be reckoned with; nothing that was ever measured comes near.
LARGEST = 1e15

#: The members of the result of a run that are compared, in the order in which they are told.
COMPARED = ("pass_rate", "passed", "failed", "total", "time_seconds", "tokens", "errors", "tool_calls")


# --- gradings against what lies beside them -----------------------------------------------------------------------


@across("WSP001", "warning")
def other_checks_graded_than_set(workspace: Workspace) -> Iterator[Contradiction]:
    """A grading judges other checks than the metadata of its eval sets, or another number of them.

    The rate then answers another question than was asked: it cannot be compared with that of a run that was graded by
    the right checks. Graders reword checks, drop one, or add their own. Grade again, with the texts as they are set.

    A check may be named by its text, or by the id or name that the metadata gives it. Metadata without checks is a
    first state, and is passed over.
    """
    for run, grading in workspace.gradings:
        metadata = run.metadata or run.eval.metadata
        if metadata is None:
            continue
        member = "assertions" if metadata.items("assertions") else "expectations"
        checks = [_ways(item) for item in metadata.items(member)]
        graded = [_folded(_check(item)) for item in grading.items("expectations")]
        if not checks or not any(graded):
            continue
        known = {way for ways in checks for way in ways}
        other = [index for index, text in enumerate(graded) if text not in known]
        left_out = [ways for ways in checks if not ways & set(graded)]
        if not other and len(graded) == len(checks):
            continue
        yield Contradiction(
            grading,
            ("expectations", other[0], "text") if other else ("expectations",),
            _told_checks(workspace, metadata, len(graded), len(checks), len(other), len(left_out)),
            elsewhere=[(metadata, (member,))],
            found=len(graded) if len(graded) != len(checks) else None,
            expected=len(checks) if len(graded) != len(checks) else None,
            consequence="the rate cannot be compared with that of a run that was graded by the checks of the eval",
        )


def _ways(check: Any) -> frozenset[str]:
    """Everything by which a grading may name a check of the metadata."""
    if isinstance(check, dict):
        return frozenset(_folded(value) for value in check.values() if isinstance(value, str) and value.strip())
    return frozenset({_folded(check)}) if isinstance(check, str) else frozenset()


def _folded(text: Any) -> str:
    """A text without what an editor changes: case and white space."""
    return " ".join(text.split()).casefold() if isinstance(text, str) else ""


def _told_checks(workspace: Workspace, metadata: Document, graded: int, checks: int, other: int, left_out: int) -> str:
    path = workspace.short(metadata.path)
    parts = [f"{graded} checks are graded, {path} sets {checks}"] if graded != checks else []
    if other and parts:
        parts.append(f"{other} of them {'is' if other == 1 else 'are'} not set there")
    elif other:
        parts.append(
            f"{other} of {graded} graded checks {'is' if other == 1 else 'are'} not among those that {path} sets"
        )
    if left_out:
        parts.append(f"{left_out} of those set {'is' if left_out == 1 else 'are'} not graded")
    return f"{', '.join(parts)}: grade by the texts of the eval"


@across("WSP002", "warning")
def grading_of_another_eval(workspace: Workspace) -> Iterator[Contradiction]:
    """A grading names another eval, or another configuration, than the place where it lies.

    The id and the name of the eval stand in its metadata, the configuration is the name of the folder. A grading that
    says something else was most likely copied or written into the wrong folder, and its result counts for the wrong
    eval or configuration. Programs go by the folder. Move the grading, or correct what it says.
    """
    for run, grading in workspace.gradings:
        metadata = run.metadata or run.eval.metadata
        wrong: list[tuple[str, str, str, Document | None]] = []
        if metadata is not None:
            stated, known = grading.value("eval_id"), metadata.value("eval_id")
            if _is_id(stated) and _is_id(known) and not _same_id(stated, known):
                wrong.append(("eval_id", _word(stated), _word(known), metadata))
            name, right = grading.text("eval_name"), metadata.text("eval_name")
            if name and right and _folded(name) != _folded(right):
                wrong.append(("eval_name", excerpt(name), excerpt(right), metadata))
        configuration = grading.text("configuration")
        if configuration and configuration != run.configuration and configuration in workspace.configurations:
            wrong.append(("configuration", excerpt(configuration), excerpt(run.configuration), None))
        if wrong:
            told = [
                f"{member} is {stated}, {workspace.short(source.path) if source else 'the folder'} says {right}"
                for member, stated, right, source in wrong
            ]
            yield Contradiction(
                grading,
                (wrong[0][0],),
                f"{'; '.join(told)}: move the grading or correct it",
                related=[(member,) for member, *_ in wrong[1:]],
                elsewhere=[(source, (member,)) for member, _, _, source in wrong if source],
                found=wrong[0][1],
                expected=wrong[0][2],
                consequence="programs go by the folder, so the result may count for the wrong eval",
            )


def _is_id(value: Any) -> bool:
    return type(value) in (int, float) or (isinstance(value, str) and bool(value))


def _same_id(a: Any, b: Any) -> bool:
    """Whether two ids mean the same: 4 and "4", 4 and "eval-4" with or without a slug."""
    a, b = _text(a), _text(b)
    return a == b or any(x in (f"eval-{y}", f"eval_{y}") or x.startswith(f"eval-{y}-") for x, y in ((a, b), (b, a)))


def _text(value: Any) -> str:
    if isinstance(value, str):
        return value
    return str(int(value)) if type(value) is int or value % 1 == 0 else str(value)


def _word(value: Any) -> str:
    return excerpt(_text(value))


_TIMINGS = {
    "total_duration_seconds": SECONDS_TOLERANCE,
    "executor_duration_seconds": SECONDS_TOLERANCE,
    "grader_duration_seconds": SECONDS_TOLERANCE,
    "duration_ms": 1.0,
    "total_tokens": TOKENS_TOLERANCE,
}


@across("WSP003", "warning")
def timing_of_the_grading_differs(workspace: Workspace) -> Iterator[Contradiction]:
    """The timing inside a grading is not timing.json, or keeps the aggregator from reading it.

    Both tell of one run, so their figures are the same; where they are not, one belongs to another run. And as soon as
    the grading has a total duration of its own above 0, the official aggregator does not open timing.json: the tokens
    that are told there alone are lost, and the benchmark shows the characters of the output in their place, or 0.

    Take the section `timing` out of the grading: timing.json has it all. `evalschema aggregate` reads both.
    """
    for run, grading in workspace.gradings:
        timing = run.timing
        if timing is None:
            continue
        differing = [
            (member, stated, there)
            for member, tolerance in _TIMINGS.items()
            if (stated := grading.number("timing", member)) is not None
            and (there := timing.number(member)) is not None
            and not near(stated, there, tolerance)
        ]
        path = workspace.short(timing.path)
        if differing:
            told = [f"{member} is {shown(stated)}, {path} says {shown(there)}" for member, stated, there in differing]
            yield Contradiction(
                grading,
                ("timing", differing[0][0]),
                f"{'; '.join(told)}: one of the two belongs to another run",
                related=[("timing", member) for member, *_ in differing[1:]],
                elsewhere=[(timing, (member,)) for member, *_ in differing],
                found=differing[0][1],
                expected=differing[0][2],
                consequence="the aggregator takes the time of the grading, where it is above 0",
            )
        tokens = timing.number("total_tokens")
        if tokens and tokens > 0 and (grading.number("timing", "total_duration_seconds") or 0) > 0:
            drawn = run.taken["tokens"]
            instead = f"the {said(drawn)} characters of the output" if drawn else "0"
            yield Contradiction(
                grading,
                ("timing", "total_duration_seconds"),
                f"with a total duration in the grading the {said(tokens)} tokens of {path} are not read: "
                "take `timing` out of the grading",
                elsewhere=[(timing, ("total_tokens",))],
                consequence=f"the aggregator takes {instead} for the tokens of the run",
            )


_METRIC_COUNTS = ("total_tool_calls", "total_steps", "errors_encountered", "output_chars", "transcript_chars")


@across("WSP004", "warning")
def metrics_of_the_grading_differ(workspace: Workspace) -> Iterator[Contradiction]:
    """The execution metrics of a grading are not those of metrics.json.

    The grader copies them, so they are the same to the digit. Otherwise they are of another run, or were counted again
    by someone who did not run it. The aggregator reads those of the grading. Copy metrics.json once more.
    """
    for run, grading in workspace.gradings:
        metrics = run.metrics
        if metrics is None:
            continue
        calls = metrics.value("tool_calls")
        tools = [("tool_calls", name) for name in calls] if isinstance(calls, dict) else []
        places: list[tuple[str, ...]] = [*((name,) for name in _METRIC_COUNTS), *tools]
        differing = [
            (at, stated, there)
            for at in places
            if (stated := grading.number("execution_metrics", *at)) is not None
            and (there := metrics.number(*at)) is not None
            and stated != there
        ]
        if differing:
            path = workspace.short(metrics.path)
            told = [
                f"{excerpt(at[-1])} is {said(stated)}, {path if n == 0 else 'metrics.json'} says {said(there)}"
                for n, (at, stated, there) in enumerate(differing[:LISTED])
            ]
            more = f"; and {len(differing) - LISTED} more" if len(differing) > LISTED else ""
            at, stated, there = differing[0]
            yield Contradiction(
                grading,
                ("execution_metrics", *at),
                f"{'; '.join(told)}{more}: copy metrics.json",
                related=[("execution_metrics", *place) for place, _, _ in differing[1:NAMED]],
                elsewhere=[(metrics, place) for place, _, _ in differing[:NAMED]],
                found=stated,
                expected=there,
            )


# --- the benchmark against the files ------------------------------------------------------------------------------


@across("WSP005", "warning")
def benchmark_lists_other_runs(workspace: Workspace) -> list[Contradiction] | None:
    """The benchmark lists other runs than there are gradings.

    Either runs were added or deleted after it was written, or the aggregator did not find them, or the list was written
    by hand. Its means are then those of other runs than the folder holds. Aggregate again: `evalschema aggregate` finds
    the gradings in all forms of a workspace.
    """
    benchmark = workspace.benchmark
    if benchmark is None or not isinstance(benchmark.value("runs"), list):
        return None
    entries = benchmark.items("runs")
    if len(entries) == len(workspace.graded) and not all(map(_is_named, entries)):
        return None  # a run that says not what it is of cannot be looked up, and nothing else is known to be wrong
    ungraded = [listed.at for listed in workspace.listed if listed.run is None]
    found = {id(listed.run) for listed in workspace.listed if listed.run is not None}
    unlisted = [grading for run, grading in workspace.gradings if id(run) not in found]
    if not ungraded and not unlisted:
        return None
    parts = [
        f"runs lists {_counted(len(entries), 'run')}, but the folder holds {_counted(len(workspace.graded), 'grading')}"
    ]
    if unlisted:
        named = ", ".join(workspace.short(grading.path) for grading in unlisted[:LISTED])
        parts.append(f"not listed: {named}{_and_more(unlisted)}")
    if ungraded:
        named = ", ".join(_entry(entries[index]) for index in ungraded[:LISTED])
        parts.append(f"without a grading: {named}{_and_more(ungraded)}")
    return [
        Contradiction(
            benchmark,
            ("runs",),
            f"{'; '.join(parts)}: aggregate again",
            related=[("runs", index) for index in ungraded[:NAMED]],
            elsewhere=[(grading, ()) for grading in unlisted[:NAMED]],
            found=len(entries),
            expected=len(workspace.graded),
            consequence="the means are those of other runs than the folder holds",
        )
    ]


def _is_named(entry: Any) -> bool:
    """Whether an entry of `runs` says of which eval and configuration it is."""
    if not isinstance(entry, dict) or not isinstance(entry.get("configuration"), str):
        return False
    return _is_id(entry.get("eval_id")) or _is_id(entry.get("eval_name"))


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _and_more(items: list[Any]) -> str:
    return f" and {len(items) - LISTED} more" if len(items) > LISTED else ""


def _entry(entry: Any) -> str:
    """An entry of `runs` in words."""
    if not isinstance(entry, dict):
        return shown(entry)
    name = entry.get("eval_id", entry.get("eval_name"))
    number = f"run {shown(entry['run_number'])} of " if "run_number" in entry else ""
    configuration = entry.get("configuration")
    with_ = f" with {excerpt(configuration)}" if isinstance(configuration, str) else ""
    return f"{number}eval {_word(name) if _is_id(name) else shown(name)}{with_}"


@across("WSP016", "warning")
def run_under_another_name(workspace: Workspace) -> Iterator[Contradiction]:
    """A run of the benchmark has another id or number than the files it was made from.

    By its eval's name, or by its figures, it is one that lies in the folder; by its `eval_id` or `run_number` it is
    another, or none. Who looks up a run by what the benchmark calls it finds the wrong files. Aggregate again.

    Ids are those of the metadata, of a grading or of the folder's name; where a folder has no number for the run, it is
    run 1.
    """
    benchmark = workspace.benchmark
    if benchmark is None:
        return
    for index, run in workspace.listed:
        if run is None or run.grading is None:
            continue
        source = _source_of_id(run)
        stated, number = benchmark.value("runs", index, "eval_id"), benchmark.number("runs", index, "run_number")
        path = workspace.short(run.grading.path)
        if _is_id(stated) and source is not None and not _same_id(stated, run.eval.id) and stated not in run.eval.names:
            yield Contradiction(
                benchmark,
                ("runs", index, "eval_id"),
                f"eval_id is {_word(stated)}, but the run is that of {path}, which is {run.eval}: aggregate again",
                found=stated,
                expected=run.eval.id,
                elsewhere=[source],
            )
        if number is not None and number != run.number:
            yield Contradiction(
                benchmark,
                ("runs", index, "run_number"),
                f"run_number is {said(number)}, but the run is that of {path}, which is run {run.number}: "
                "aggregate again",
                found=number,
                expected=run.number,
                elsewhere=[(run.grading, ())],
            )


def _source_of_id(run: Run) -> tuple[Document, Tokens] | None:
    """Where the id of a run's eval is stated, or the document whose folder bears its number; None where nothing is."""
    for document in (run.eval.metadata, run.grading):
        if document is not None and _is_id(document.value("eval_id")):
            return document, ("eval_id",)
    return None if run.grading is None or run.eval.place.number is None else (run.grading, ())


class Difference(NamedTuple):
    """A figure of a benchmark that is not that of the files; `because` says how it came about, where that shows."""

    member: str
    stated: float
    figure: Figure
    because: str
    severity: Severity


@across("WSP006", "error")
def run_differs_from_its_files(workspace: Workspace) -> Iterator[Contradiction]:
    """The figures of a run in the benchmark are not those of its grading and timing.

    The benchmark is computed from the files beside it, so each figure of a run can be looked up: rate and counts in
    grading.json, seconds and tokens in timing.json. The list of checks is the evidence: where a summary is missing or
    wrong, the list counts. Differences come from runs that were graded again, from a member that is missing (the
    official aggregator then counts 0 and says nothing), or from figures that nobody measured.

    Tokens that are 0, or the characters of the output, are a warning: the official aggregator writes them where it
    finds no tokens. Rates may differ by 0.01, seconds by 0.1 and tokens by 1, for rounding. Aggregate again.
    """
    benchmark = workspace.benchmark
    if benchmark is None:
        return
    for index, run in workspace.listed:
        if run is None or run.grading is None:
            continue
        differing = list(differences(benchmark.value("runs", index, "result"), run))
        by_severity: defaultdict[Severity, list[Difference]] = defaultdict(list)
        for difference in differing:
            if pointer(("runs", index, "result", difference.member)) not in benchmark.wrong:
                by_severity[difference.severity].append(difference)
        for severity, found in by_severity.items():
            yield _differing(workspace, benchmark, index, run, found, severity)
        if not any(difference.member in ("pass_rate", "passed", "total") for difference in differing):
            # other verdicts with other counts are one difference, which is told
            yield from _verdicts(workspace, benchmark, index, run)
        yield from _characters(workspace, benchmark, index, run)


def differences(result: Any, run: Run) -> Iterator[Difference]:
    """The figures of a run's entry in a benchmark that are not those of its files."""
    if not isinstance(result, dict):
        return
    for member in COMPARED:
        stated: Any = result.get(member)
        figure = run.figures.get(member)
        if type(stated) not in (int, float) or abs(stated) > LARGEST or figure is None:
            continue
        if near(stated, figure.value, _tolerance(member, stated)):
            continue
        taken = run.taken.get(member)
        because = _because(member, stated, run) if taken is not None and near(stated, taken, TOKENS_TOLERANCE) else ""
        # nothing draws tool calls; tokens are 0 where nobody measured them, characters where the aggregator found none
        mild = member == "tool_calls" or (member == "tokens" and (stated == 0 or because))
        yield Difference(member, stated, figure, because, "warning" if mild else "error")


def _tolerance(member: str, stated: float) -> float:
    match member:
        case "pass_rate":
            return RATE_TOLERANCE
        case "time_seconds":
            return WHOLE_SECONDS_TOLERANCE if stated == int(stated) else SECONDS_TOLERANCE
        case "tokens":
            return TOKENS_TOLERANCE
        case _:
            return 0.0


def _because(member: str, stated: float, run: Run) -> str:
    """Why the official aggregator takes another figure than the files say; "" where nothing tells."""
    grading, timing = run.grading, run.timing
    if grading is None:
        return ""
    match member:
        case "pass_rate" if stated == 0 and grading.value("summary") is None:
            return "`summary` is missing"
        case "pass_rate" if stated == 0 and grading.value("summary", "pass_rate") is None:
            return "`summary.pass_rate` is missing"
        case "time_seconds" if stated == 0 and timing is not None and timing.value("total_duration_seconds") is None:
            return "timing.json has no total_duration_seconds"
        case "tokens" if grading.number("timing", "total_duration_seconds"):
            return "timing.json is not read where the grading has a duration" + _in_place(stated)
        case "tokens":
            return "timing.json has no tokens" + _in_place(stated)
        case _:
            return ""


def _in_place(stated: float) -> str:
    return ", so the characters of the output stand here" if stated else ""


def _differing(
    workspace: Workspace, benchmark: Document, index: int, run: Run, found: list[Difference], severity: Severity
) -> Contradiction:
    told: list[str] = []
    last = None
    for difference in found:
        path = workspace.short(difference.figure.document.path)
        because = f" ({difference.because})" if difference.because else ""
        where = "it" if path == last else path
        told.append(f"{difference.member} is {shown(difference.stated)}, {where} says {_value(difference)}{because}")
        last = path
    place = ("runs", index, "result")
    drawn = {"pass_rate", "passed", "total", "time_seconds", "errors"} & {each.member for each in found}
    return Contradiction(
        benchmark,
        (*place, found[0].member) if len(found) == 1 else place,
        f"{run}: {'; '.join(told)}",
        found=found[0].stated if len(found) == 1 else [each.stated for each in found],
        expected=_rounded(found[0]) if len(found) == 1 else [_rounded(each) for each in found],
        related=[(*place, each.member) for each in found] if len(found) > 1 else (),
        elsewhere=[(each.figure.document, each.figure.at) for each in found],
        consequence="the viewer draws the figures of the benchmark, never those of the files" if drawn else None,
        severity=severity,
    )


def _value(difference: Difference) -> str:
    return said(round(difference.figure.value, 4))


def _rounded(difference: Difference) -> float:
    value = round(difference.figure.value, 4)
    return int(value) if value == int(value) and difference.member != "pass_rate" else value


def _verdicts(workspace: Workspace, benchmark: Document, index: int, run: Run) -> Iterator[Contradiction]:
    """The verdicts in the list of a run that are not those of its grading; lists of other texts are not compared."""
    grading = run.grading
    if grading is None:
        return
    ours, theirs = benchmark.items("runs", index, "expectations"), grading.items("expectations")
    if len(ours) != len(theirs) or [_check(item) for item in ours] != [_check(item) for item in theirs]:
        return
    wrong = [
        number
        for number, (here, there) in enumerate(zip(ours, theirs, strict=True))
        if isinstance(here.get("passed"), bool)
        and isinstance(there.get("passed"), bool)
        and here["passed"] != there["passed"]
    ]
    for number in wrong:
        yield Contradiction(
            benchmark,
            ("runs", index, "expectations", number, "passed"),
            f"{run}: check {number + 1} has `passed` {shown(ours[number]['passed'])}, "
            f"{workspace.short(grading.path)} says {shown(theirs[number]['passed'])}",
            found=ours[number]["passed"],
            expected=theirs[number]["passed"],
            elsewhere=[(grading, ("expectations", number, "passed"))],
        )


def _check(item: Any) -> str | None:
    text = item.get("text") if isinstance(item, dict) else None
    return text if isinstance(text, str) else None


def _characters(workspace: Workspace, benchmark: Document, index: int, run: Run) -> Iterator[Contradiction]:
    """Tokens of a run of which no file tells any."""
    grading, stated = run.grading, benchmark.number("runs", index, "result", "tokens")
    if grading is None or not stated or "tokens" in run.figures:
        return
    characters = grading.count("execution_metrics", "output_chars")
    if characters is None:
        return
    same = near(stated, characters, TOKENS_TOLERANCE)
    what = "these are the characters" if same else f"there are {characters} characters"
    yield Contradiction(
        benchmark,
        ("runs", index, "result", "tokens"),
        f"{run}: tokens is {shown(stated)}, but no file of the run tells tokens, and {what} of its output in "
        f"{workspace.short(grading.path)}: save total_tokens in timing.json when a task completes",
        found=stated,
        elsewhere=[(grading, ("execution_metrics", "output_chars"))],
        consequence="a row that is headed Tokens shows characters" if same else None,
        severity="warning",
    )


@across("WSP013", "error")
def summary_differs_from_the_files(workspace: Workspace) -> Iterator[Contradiction]:
    """A mean in the summary is that of the runs as the benchmark lists them, but not that of the files.

    The summary is what everyone looks at. It was computed correctly, from figures that are not those of the gradings
    and timings: a run was counted as 0 because a member was missing, or was graded again later. The message names the
    runs that make the difference. Aggregate again.

    Tokens are a warning where the difference is what the official aggregator does with characters. A mean that does not
    follow from the list of runs at all is BEN005.
    """
    benchmark = workspace.benchmark
    summary = None if benchmark is None else benchmark.value("run_summary")
    if benchmark is None or not isinstance(summary, dict):
        return
    right: dict[tuple[str, str], float] = {}
    wrong: list[tuple[str, str, float, list[tuple[Run, Difference]]]] = []
    for configuration in summary:
        if configuration == "delta":
            continue
        for metric, known in METRICS.items():
            compared = _compared(workspace, benchmark, configuration, metric)
            stated = benchmark.number("run_summary", configuration, metric, "mean")
            if compared is None or stated is None:
                continue
            listed, files, differing = compared
            right[configuration, metric] = files
            if differing and near(stated, listed, known.tolerance) and not near(stated, files, known.tolerance):
                wrong.append((configuration, metric, stated, differing))
    for configuration, metric, stated, differing in wrong:
        files = right[configuration, metric]
        reasons = [_reason(run, difference) for run, difference in differing[:LISTED]]
        more = f"; and {len(differing) - LISTED} more runs" if len(differing) > LISTED else ""
        yield Contradiction(
            benchmark,
            ("run_summary", configuration, metric, "mean"),
            f"mean is {said(stated)}, the files say {said(round(files, 4))}: {'; '.join(reasons)}{more}",
            found=stated,
            expected=round(files, 4),
            elsewhere=[(difference.figure.document, difference.figure.at) for _, difference in differing[:NAMED]],
            consequence=_drawn(benchmark, metric, right),
            severity="error" if any(difference.severity == "error" for _, difference in differing) else "warning",
        )


def _compared(
    workspace: Workspace, benchmark: Document, configuration: str, metric: str
) -> tuple[float, float, list[tuple[Run, Difference]]] | None:
    """The mean of the runs of a configuration as they are listed, and as the files say, with the runs that differ.

    None unless each run that is listed has a grading, and each has the figure in both.
    """
    listed: list[float] = []
    files: list[float] = []
    differing: list[tuple[Run, Difference]] = []
    for index, run in workspace.listed:
        if benchmark.value("runs", index, "configuration") != configuration:
            continue
        stated = benchmark.number("runs", index, "result", metric)
        if run is None or stated is None or metric not in run.figures:
            return None
        listed.append(stated)
        files.append(run.figures[metric].value)
        result = benchmark.value("runs", index, "result")
        differing += [(run, each) for each in differences(result, run) if each.member == metric]
    return (mean(listed), mean(files), differing) if listed else None


def _reason(run: Run, difference: Difference) -> str:
    because = f" because {difference.because}" if difference.because else f", its file says {_value(difference)}"
    return f"{run} was counted as {said(difference.stated)}{because}"


def _drawn(benchmark: Document, metric: str, right: dict[tuple[str, str], float]) -> str:
    """What the viewer draws, with the difference as the files give it where that is known."""
    members = [name for name in benchmark.value("run_summary") if name != "delta" and (name, metric) in right]
    stated = benchmark.text("run_summary", "delta", metric)
    if len(members) != 2 or stated is None:
        return "the viewer draws this mean, never that of the files"
    new, old = members if members[0] not in ("without_skill", "old_skill") else members[::-1]
    decimals = METRICS[metric].decimals
    files = f"{right[new, metric] - right[old, metric]:+.{decimals}f}"
    return f"the viewer draws this mean, and the delta {excerpt(stated)}; the files make it {files}"


# --- what is missing, and where it lies ---------------------------------------------------------------------------


@across("WSP007", "warning")
def grading_where_the_aggregator_does_not_look(workspace: Workspace) -> list[Contradiction] | None:
    """Gradings lie where the official aggregator does not look.

    It reads `eval-*/<configuration>/run-<number>/grading.json`, and the same under `runs/` where there is such a
    folder, and nothing else. A grading one level higher, in `outputs/`, or below a folder whose name does not begin
    with `eval-` is left out without a word; where it finds none at all it writes an empty benchmark, and its exit
    status is 0.

    Move the gradings, with the timing beside each, or aggregate with `evalschema aggregate`, which reads every form.
    """
    unseen = [(run, grading) for run, grading in workspace.gradings if not run.is_looked_at]
    if not unseen:
        return None
    graded = len(workspace.graded)
    whole = len(unseen) == graded
    one = "the only grading lies" if graded == 1 else f"1 of {graded} gradings lies"
    several = f"all {graded} gradings lie" if whole else f"{len(unseen)} of {graded} gradings lie"
    return [
        Contradiction(
            unseen[0][1],
            (),
            f"{one if len(unseen) == 1 else several} where the official aggregator does not look "
            f"({_misplacement(unseen)}): it reads eval-*/<configuration>/run-<number>/grading.json",
            elsewhere=[(grading, ()) for _, grading in unseen[1:NAMED]],
            found=len(unseen),
            consequence="it finds no run, and writes an empty benchmark with exit status 0"
            if whole
            else f"it leaves these {len(unseen)} out, and says nothing",
        )
    ]


def _misplacement(unseen: list[tuple[Run, Document]]) -> str:
    """What is wrong with the places of gradings, the commonest first."""
    reasons: Counter[str] = Counter()
    for run, grading in unseen:
        inside = os.path.basename(os.path.dirname(grading.path))
        if not os.path.basename(run.eval.folder).startswith("eval-"):
            reasons["the folder of the eval is not named eval-…"] += 1
        if inside == "outputs":
            reasons["the grading lies in outputs/"] += 1
        elif not run.is_numbered:
            reasons["there is no folder run-…"] += 1
        elif os.path.basename(run.eval.folder).startswith("eval-"):
            reasons["there is a folder runs/ beside"] += 1
    return ", ".join(reason for reason, _ in reasons.most_common())


@across("WSP010", "warning")
def eval_without_a_run_that_others_have(workspace: Workspace) -> Iterator[Contradiction]:
    """An eval lacks a configuration, or a run, that the other evals of the workspace have.

    Configurations are compared by their means over all evals; where one of them misses an eval, the two means are over
    different tasks, and the difference says as much about the tasks as about the skill. Run what is missing, or leave
    the eval out of all configurations.
    """
    if len(workspace.evals) < 2:
        return
    runs = Counter((id(run.eval), run.configuration) for run in workspace.graded)
    for configuration in workspace.configurations:
        counts = {id(each): runs[id(each), configuration] for each in workspace.evals}
        usual, having = Counter(counts.values()).most_common(1)[0]
        usual = usual or max(counts.values())
        if usual == 0 or (having == len(counts) and usual in counts.values()):
            continue
        for each in workspace.evals:
            has = counts[id(each)]
            if has < usual and (place := _place_of(each)) is not None:
                yield _lacking(workspace, each, configuration, place, has, usual)


def _lacking(
    workspace: Workspace, each: Eval, configuration: str, place: Document, has: int, usual: int
) -> Contradiction:
    ungraded = [run for run in each.runs if run.configuration == configuration and run.grading is None]
    timings = [run.timing for run in ungraded if run.timing is not None]
    if timings:
        lacks = f"{workspace.short(timings[0].path)} has no grading beside it"
    elif has:
        lacks = f"{each} has {_counted(has, 'grading')} with {excerpt(configuration)}, the other evals have {usual}"
    else:
        lacks = f"{each} has no grading with {excerpt(configuration)}, the other evals have"
    return Contradiction(
        place,
        (),
        f"{lacks}: run it, or leave the eval out of all configurations",
        elsewhere=[(timing, ()) for timing in timings[:NAMED]],
        found=has,
        expected=usual,
        consequence="the configurations are compared over different evals",
    )


def _place_of(each: Eval) -> Document | None:
    """The document at which something about an eval as a whole is told."""
    if each.metadata is not None:
        return each.metadata
    return next((document for run in each.runs for document in run.documents), None)


# --- identity -----------------------------------------------------------------------------------------------------


@across("WSP012", "error")
def eval_ids_of_mixed_types(workspace: Workspace) -> list[Contradiction] | None:
    """The ids of the evals are numbers in some metadata files and texts in others.

    Both the official aggregator and the review page sort by the id, and stop with an exception when a text meets a
    number. Write all ids in one type; the documented one is a whole number.
    """
    stated = [
        (each.metadata, each.metadata.value("eval_id"))
        for each in workspace.evals
        if each.metadata is not None and _is_id(each.metadata.value("eval_id"))
    ]
    texts = [(document, value) for document, value in stated if isinstance(value, str)]
    numbers = [(document, value) for document, value in stated if not isinstance(value, str)]
    if not texts or not numbers:
        return None
    fewer, more = (texts, numbers) if len(texts) <= len(numbers) else (numbers, texts)
    return [
        Contradiction(
            document,
            ("eval_id",),
            f"eval_id is {shown(value)}, a {'text' if isinstance(value, str) else 'number'}, but {len(more)} of "
            f"{len(stated)} evals have a {'number' if isinstance(value, str) else 'text'}: write all ids in one type",
            found=value,
            elsewhere=[(other, ("eval_id",)) for other, _ in more[:NAMED]],
            consequence="the aggregator and the review page stop with TypeError",
        )
        for document, value in fewer
    ]


@across("WSP014", "warning")
def eval_id_differs_from_the_folder(workspace: Workspace) -> Iterator[Contradiction]:
    """The id in the metadata is not the number in the name of the eval's folder.

    The folder `eval-4-totals` is that of eval 4 for everyone who looks at it; programs take the id of the metadata
    where there is one, and the number of the folder where there is none. Rename the folder, or correct the id.
    """
    for each in workspace.evals:
        number = each.place.number
        if each.metadata is None or number is None:
            continue
        stated = each.metadata.value("eval_id")
        if type(stated) in (int, float) and stated != number:
            yield Contradiction(
                each.metadata,
                ("eval_id",),
                f"eval_id is {shown(stated)}, but the folder is {excerpt(os.path.basename(each.folder))}: "
                "rename the folder or correct the id",
                found=stated,
                expected=number,
            )


@across("WSP015", "error")
def eval_id_in_two_folders(workspace: Workspace) -> Iterator[Contradiction]:
    """Two folders of one workspace say that they are the same eval.

    Programs put the runs of both under one id, as if a second sample of one task; and the numbers of the runs repeat.
    Give every eval an id of its own.
    """
    first: dict[str, Eval] = {}
    for each in workspace.evals:
        earlier = first.setdefault(_text(each.id), each)
        if earlier is each:
            continue
        here, there = _place_of(each), _place_of(earlier)
        if here is None or there is None or here is there:
            continue
        yield Contradiction(
            here,
            ("eval_id",) if here.value("eval_id") is not None else (),
            f"{workspace.short(each.folder)} and {workspace.short(earlier.folder)} are both eval {_word(each.id)}: "
            "give each eval an id of its own",
            found=here.value("eval_id"),
            elsewhere=[(there, ("eval_id",) if there.value("eval_id") is not None else ())],
            consequence="the runs of two tasks are counted as runs of one",
        )


# --- what others say of it ----------------------------------------------------------------------------------------


@across("WSP011", "error")
def verdict_differs_from_its_grounds(workspace: Workspace) -> Iterator[Contradiction]:
    """A history or an analysis says something else than what it rests on.

    A history gives a version the pass rate of its gradings, and the best version is chosen by it. An analysis explains
    why the winner of a comparison won. Where they do not say what their grounds say, the wrong version is kept, or the
    wrong skill is praised.

    The gradings of a version are those of the workspace whose folder bears its name. Where it has a configuration
    `with_skill` or `new_skill`, the rate is that of this one, and of all runs otherwise. The mean of the rates and the
    share of all checks are both right, within 0.01. An analysis is compared with the comparisons in its folder.
    """
    yield from _history(workspace)
    for analysis in workspace.analyses:
        winner = analysis.text("comparison_summary", "winner")
        others = [(each, each.text("winner")) for each in workspace.comparisons]
        if winner is None or not others or any(other is None or other == winner for _, other in others):
            continue
        said_there = ", ".join(sorted({excerpt(other) for _, other in others if other}))
        yield Contradiction(
            analysis,
            ("comparison_summary", "winner"),
            f"the winner is {excerpt(winner)}, but {workspace.short(others[0][0].path)} says {said_there}: "
            "analyse what the comparison found",
            found=winner,
            expected=others[0][1],
            elsewhere=[(each, ("winner",)) for each, _ in others[:NAMED]],
            consequence="the strengths of one skill are told as those of the other",
        )


def _history(workspace: Workspace) -> Iterator[Contradiction]:
    if workspace.history is None or not workspace.graded:
        return
    version = os.path.basename(os.path.abspath(workspace.root))
    for index, entry in enumerate(workspace.history.items("iterations")):
        if not isinstance(entry, dict) or entry.get("version") != version:
            continue
        stated = workspace.history.number("iterations", index, "expectation_pass_rate")
        new = [run for run in workspace.graded if run.configuration in ("with_skill", "new_skill")]
        runs = new or workspace.graded
        rates = [run.figures["pass_rate"].value for run in runs if "pass_rate" in run.figures]
        if stated is None or len(rates) < len(runs):
            continue
        passed, total = (
            sum(run.figures[name].value for run in runs if name in run.figures) for name in ("passed", "total")
        )
        share = passed / total if total else None
        if near(stated, mean(rates), RATE_TOLERANCE) or (share is not None and near(stated, share, RATE_TOLERANCE)):
            continue
        yield Contradiction(
            workspace.history,
            ("iterations", index, "expectation_pass_rate"),
            f"the rate of {excerpt(version)} is {shown(stated)}, but from {_counted(len(runs), 'grading')} "
            f"it is {said(round(mean(rates), 4))}",
            found=stated,
            expected=round(mean(rates), 4),
            elsewhere=_graded_places(runs),
            consequence="the best version is chosen by this rate",
        )


def _graded_places(runs: Iterable[Run]) -> list[tuple[Document, Tokens]]:
    places = [run.figures["pass_rate"] for run in runs]
    return [(figure.document, figure.at) for figure in places[:NAMED]]
