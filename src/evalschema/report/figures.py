"""What a benchmark says and what its files say: rates, times and tokens of every run, and the checks of every eval."""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from evalschema.excerpt import excerpt
from evalschema.output._groups import grouped
from evalschema.rules._numbers import mean, near, said, sample_deviation
from evalschema.rules.benchmark import METRICS, NEW, OLD
from evalschema.workspace.model import number, written

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from evalschema.finding import Result
    from evalschema.workspace.model import Document, Eval, Run, Workspace

#: What is drawn of one workspace: beyond this nobody looks, and a browser labours.
MOST_EVALS = 200
MOST_CHECKS = 100
#: How many errors of a benchmark are told beside its verdict.
MOST_TOLD = 3

Mark: TypeAlias = Literal["passed", "failed", "unknown"]
#: What the benchmark's mean is to that of the files; "alone" where there are no files.
Standing: TypeAlias = Literal["follows", "differs", "untold", "alone"]


@dataclass(frozen=True, slots=True)
class Point:
    """The figure of one run. `sound` is false when the file that it comes from has an error."""

    value: float
    label: str
    sound: bool


@dataclass(frozen=True, slots=True)
class Strip:
    """One metric over the runs of one configuration; the deviation needs two runs.

    `stated` is the mean in the summary of the benchmark. `missing` runs tell no figure.
    """

    metric: str
    configuration: str
    points: tuple[Point, ...]
    missing: int
    stated: float | None
    standing: Standing | None

    @property
    def values(self) -> list[float]:
        """The figures, in the order of the runs."""
        return [point.value for point in self.points]

    @property
    def mean(self) -> float:
        """The mean of the runs that tell the figure."""
        return mean(self.values)

    @property
    def deviation(self) -> float | None:
        """The sample deviation (divisor n - 1)."""
        return sample_deviation(self.values) if len(self.points) > 1 else None


@dataclass(frozen=True, slots=True)
class Check:
    """One check of an eval, with its verdict in every run of every configuration."""

    text: str
    marks: tuple[tuple[Mark, ...], ...]


@dataclass(frozen=True, slots=True)
class EvalTable:
    """The checks of one eval by configuration. `rest` checks are not listed."""

    title: str
    configurations: tuple[str, ...]
    checks: tuple[Check, ...]
    rest: int


@dataclass(frozen=True, slots=True)
class Errors:
    """How many files of a benchmark have errors, and its other findings.

    `told` are the first errors of the benchmark itself, `costs` what most errors of the gradings cost.
    """

    benchmark: int
    gradings: int
    timings: int
    others: int
    warnings: int
    suspicions: int
    told: tuple[str, ...] = ()
    costs: str | None = None


@dataclass(frozen=True, slots=True)
class Benchmark:
    """One benchmark, or one workspace that has none.

    `path` is that of its benchmark.json. `listed` is how many runs it lists, `gradings` how many there are beside it,
    `timings` how many of those have a timing.
    """

    root: str
    path: str | None
    skill: str | None
    configurations: tuple[str, ...]
    strips: tuple[Strip, ...]
    tables: tuple[EvalTable, ...]
    evals: int
    gradings: int
    timings: int
    listed: int | None
    errors: Errors

    def strips_of(self, metric: str) -> list[Strip]:
        """The strips of one metric that any run tells, in the order of the configurations."""
        return [strip for strip in self.strips if strip.metric == metric and strip.points]


def benchmark_of(workspace: Workspace, results: Mapping[str, Result]) -> Benchmark:
    """What a workspace with gradings says; `results` are those of its files, by path."""
    runs = workspace.graded
    configurations = tuple(sorted(workspace.configurations, key=_newest_first))
    benchmark = workspace.benchmark
    known = [each for each in workspace.evals if any(run.grading for run in each.runs)]
    return Benchmark(
        root=workspace.root,
        path=None if benchmark is None else benchmark.path,
        skill=_skill(benchmark),
        configurations=tuple(excerpt(name) for name in configurations),
        strips=tuple(
            _strip(metric, name, [run for run in runs if run.configuration == name], benchmark, results)
            for metric in METRICS
            for name in configurations
        ),
        tables=tuple(table for each in known[:MOST_EVALS] if (table := _table(each, configurations)) is not None),
        evals=len(known),
        gradings=len(runs),
        timings=sum(run.timing is not None for run in runs),
        listed=None if benchmark is None else len(benchmark.items("runs")),
        errors=_errors(workspace, results),
    )


def lone_benchmark(document: Document, result: Result) -> Benchmark:
    """What a benchmark says that lies by itself: nothing is there to compare it with."""
    entries = [entry for entry in document.items("runs") if isinstance(entry, dict)]
    names = {name for entry in entries if isinstance(name := entry.get("configuration"), str)}
    configurations = tuple(sorted(names, key=_newest_first))
    strips: list[Strip] = []
    for metric in METRICS:
        for name in configurations:
            own = [entry for entry in entries if entry.get("configuration") == name]
            points = [
                Point(value, f"eval {excerpt(written(entry.get('eval_id')))}, run {_run_number(entry)}", sound=False)
                for entry in own
                if (value := _stated_figure(entry, metric)) is not None
            ]
            stated = document.number("run_summary", name, metric, "mean")
            standing: Standing | None = None if stated is None else "alone"
            strips.append(Strip(metric, excerpt(name), tuple(points), len(own) - len(points), stated, standing))
    return Benchmark(
        root=os.path.dirname(document.path),
        path=document.path,
        skill=_skill(document),
        configurations=tuple(excerpt(name) for name in configurations),
        strips=tuple(strips),
        tables=(),
        evals=len({written(entry.get("eval_id")) for entry in entries}),
        gradings=0,
        timings=0,
        listed=len(document.items("runs")),
        errors=Errors(
            len(result.errors), 0, 0, 0, len(result.warnings), _suspicions(result), told=_first_errors(result)
        ),
    )


def _stated_figure(entry: dict[str, Any], metric: str) -> float | None:
    result = entry.get("result")
    return number(result.get(metric)) if isinstance(result, dict) else None


def _run_number(entry: dict[str, Any]) -> str:
    value = number(entry.get("run_number"))
    return "?" if value is None else said(value)


def _newest_first(configuration: str) -> tuple[int, str]:
    return (0 if configuration in NEW else 1 if configuration in OLD else 2), configuration


def _skill(benchmark: Document | None) -> str | None:
    name = None if benchmark is None else benchmark.text("metadata", "skill_name")
    return excerpt(name) if name else None


def _strip(
    metric: str, configuration: str, runs: Sequence[Run], benchmark: Document | None, results: Mapping[str, Result]
) -> Strip:
    points: list[Point] = []
    for run in runs:
        figure = run.figures.get(metric)
        if figure is not None:
            result = results.get(figure.document.path)
            sound = result is None or result.ok
            points.append(Point(figure.value, f"{_title(run.eval)}, run {run.number}", sound))
    stated = None if benchmark is None else benchmark.number("run_summary", configuration, metric, "mean")
    standing: Standing | None = None
    if stated is not None:
        # a mean over some of the runs says nothing about one over all of them
        if len(points) < len(runs):
            standing = "untold"
        else:
            files = mean([point.value for point in points])
            standing = "follows" if near(stated, files, METRICS[metric].tolerance) else "differs"
    return Strip(metric, excerpt(configuration), tuple(points), len(runs) - len(points), stated, standing)


def _title(made: Eval) -> str:
    name = made.name or made.place.slug
    own = excerpt(written(made.id))
    return f"eval {own}" if not name or name == own else f"eval {own} ({excerpt(name)})"


def _table(made: Eval, configurations: Sequence[str]) -> EvalTable | None:
    """The checks of an eval; they are told by their texts, and by how often a text came before."""
    runs = {
        name: [run for run in made.runs if run.configuration == name and run.grading is not None]
        for name in configurations
    }
    verdicts: dict[str, list[dict[tuple[str, int], Mark]]] = {
        name: [_verdicts(run) for run in own] for name, own in runs.items()
    }
    texts = list(dict.fromkeys(key for own in verdicts.values() for graded in own for key in graded))
    if not texts:
        return None
    checks = tuple(
        Check(
            excerpt(key[0], 300) or "(a check without text)",
            tuple(tuple(graded.get(key, "unknown") for graded in verdicts[name]) for name in configurations),
        )
        for key in texts[:MOST_CHECKS]
    )
    return EvalTable(
        _title(made), tuple(excerpt(name) for name in configurations), checks, max(0, len(texts) - MOST_CHECKS)
    )


def _verdicts(run: Run) -> dict[tuple[str, int], Mark]:
    seen: Counter[str] = Counter()
    found: dict[tuple[str, int], Mark] = {}
    for item in [] if run.grading is None else run.grading.items("expectations"):
        text = item.get("text") if isinstance(item, dict) else None
        passed = item.get("passed") if isinstance(item, dict) else None
        words = " ".join(text.split()) if isinstance(text, str) else ""
        found[words, seen[words]] = "passed" if passed is True else "failed" if passed is False else "unknown"
        seen[words] += 1
    return found


def _errors(workspace: Workspace, results: Mapping[str, Result]) -> Errors:
    """What was found in the files of a workspace, each file counted once."""

    def unsound(documents: Iterable[Document | None]) -> int:
        paths = {document.path for document in documents if document is not None}
        return sum(not results[path].ok for path in paths if path in results)

    runs = workspace.graded
    gradings, timings = [run.grading for run in runs], [run.timing for run in runs]
    others = [
        *(run.metrics for run in runs),
        *(run.metadata for run in runs),
        *(each.metadata for each in workspace.evals),
    ]
    paths = {each.path for each in (workspace.benchmark, *gradings, *timings, *others) if each is not None}
    found = [results[path] for path in paths if path in results]
    benchmark = None if workspace.benchmark is None else results.get(workspace.benchmark.path)
    return Errors(
        benchmark=0 if benchmark is None else len(benchmark.errors),
        gradings=unsound(gradings),
        timings=unsound(timings),
        others=unsound(others),
        warnings=sum(len(each.warnings) for each in found),
        suspicions=sum(map(_suspicions, found)),
        told=() if benchmark is None else _first_errors(benchmark),
        costs=_most_common_cost(
            results[each.path] for each in dict.fromkeys(gradings) if each and each.path in results
        ),
    )


def _first_errors(result: Result) -> tuple[str, ...]:
    """What the errors of a document say, like ones once."""
    return tuple(excerpt(group.first.message, 300) for group in grouped(result.errors)[:MOST_TOLD])


def _most_common_cost(results: Iterable[Result]) -> str | None:
    costs = Counter(each.consequence for result in results for each in result.errors if each.consequence)
    return excerpt(costs.most_common(1)[0][0], 200) if costs else None


def _suspicions(result: Result) -> int:
    return sum(finding.code.startswith("SUS") for finding in result.findings)
