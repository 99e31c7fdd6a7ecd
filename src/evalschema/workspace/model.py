"""A workspace that was read: evals, their runs, and the facts that their files state.

Every document may be damaged in every way. What is asked of one is therefore a value of a certain sort, and the answer
is None where the document has none such.
"""

from __future__ import annotations

import os
import re
from collections import defaultdict
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from evalschema.excerpt import excerpt, shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from evalschema.files import Examined
    from evalschema.finding import Finding, Tokens
    from evalschema.positions import Lines
    from evalschema.workspace.layout import EvalFolder

# Beyond this a float cannot be reckoned with; nothing that was ever measured comes near.
LARGEST = 1e15


class Document:
    """A file of a workspace that was read once. `path` is written as the caller wrote the folder."""

    def __init__(self, examined: Examined, path: str) -> None:
        self.examined = examined
        self.path = path
        self.added: list[Finding] = []

    @property
    def kind(self) -> str | None:
        """The kind that the document was checked as."""
        return self.examined.kind

    @cached_property
    def wrong(self) -> frozenset[str]:
        """The places that the document by itself shows to be wrong, as JSON Pointers."""
        return frozenset(each.pointer for each in self.examined.findings if each.severity == "error")

    def value(self, *at: str | int) -> Any:
        """What stands at a place; None where nothing does."""
        value = self.examined.instance
        for token in at:
            value = value.get(token) if isinstance(value, dict) else _item(value, token)
        return value

    def number(self, *at: str | int) -> float | None:
        """The number at a place, when it is one that can be reckoned with."""
        return number(self.value(*at))

    def count(self, *at: str | int) -> int | None:
        """The whole number from 0 at a place; 3.0 is 3."""
        return count(self.value(*at))

    def text(self, *at: str | int) -> str | None:
        """The text at a place."""
        value = self.value(*at)
        return value if isinstance(value, str) else None

    def items(self, *at: str | int) -> list[Any]:
        """The items of the list at a place; none where there is no list."""
        value = self.value(*at)
        return value if isinstance(value, list) else []

    def position(self, at: Tokens) -> tuple[int, int]:
        """Line and column of a place, or of the nearest thing around it that is there."""
        from evalschema.positions import spans

        if self.examined.defect is not None:
            return self._lines.place(self.examined.defect.offset)
        around = [at[:length] for length in range(len(at), -1, -1)]
        found = spans(self._text, around)
        return self._lines.place(next(found[place].start for place in around if place in found))

    @cached_property
    def _text(self) -> str:
        return self.examined.text.decode(errors="replace")

    @cached_property
    def _lines(self) -> Lines:
        from evalschema.positions import Lines

        return Lines(self._text)


def _item(value: Any, index: str | int) -> Any:
    """The item of a list; None where there is none such."""
    return value[index] if isinstance(value, list) and isinstance(index, int) and index < len(value) else None


def number(value: Any) -> float | None:
    """The number that a JSON value is, when it can be reckoned with."""
    return value if type(value) in (int, float) and -LARGEST <= value <= LARGEST else None


def count(value: Any) -> int | None:
    """The whole number from 0 that a JSON value is."""
    known = number(value)
    return int(known) if known is not None and known >= 0 and known == int(known) else None


class Figure(NamedTuple):
    """A figure of a run, and where in which document it stands."""

    value: float
    document: Document
    at: Tokens


@dataclass(eq=False)
class Run:
    """One run of an eval with a configuration: what lies in its folder.

    `number` is 1 where no folder says it. `is_looked_at` tells whether the official aggregator reads its grading.
    """

    eval: Eval
    configuration: str
    number: int
    is_numbered: bool
    folder: str
    grading: Document | None = None
    timing: Document | None = None
    metrics: Document | None = None
    metadata: Document | None = None
    is_looked_at: bool = False

    def __str__(self) -> str:
        return f"run {self.number} of {self.eval} with {excerpt(self.configuration)}"

    @property
    def documents(self) -> Iterator[Document]:
        """The documents that belong to the run alone."""
        yield from (each for each in (self.grading, self.timing, self.metrics) if each is not None)

    @cached_property
    def figures(self) -> dict[str, Figure]:
        """What the files say, under the names that a benchmark has for it; what no file says is left out."""
        return {
            name: figure
            for name, figure in (
                *self._counts(),
                ("time_seconds", self._seconds()),
                ("tokens", self._tokens()),
                ("tool_calls", self._metric("total_tool_calls")),
                ("errors", self._metric("errors_encountered")),
            )
            if figure is not None
        }

    @cached_property
    def taken(self) -> dict[str, float]:
        """What the official aggregator takes for rate, seconds and tokens when it reads the run, right or wrong."""
        grading, timing = self.grading, self.timing
        if grading is None:
            return {}
        seconds = grading.number("timing", "total_duration_seconds") or 0.0
        tokens = 0.0
        if not seconds and timing is not None:
            seconds = timing.number("total_duration_seconds") or 0.0
            tokens = timing.number("total_tokens") or 0.0
        return {
            "pass_rate": grading.number("summary", "pass_rate") or 0.0,
            "time_seconds": seconds,
            "tokens": tokens or grading.number("execution_metrics", "output_chars") or 0.0,
        }

    def _counts(self) -> Iterator[tuple[str, Figure | None]]:
        """Rate and counts: of the full list, which is the evidence, else of the summary."""
        grading = self.grading
        if grading is None:
            return
        summary = {name: grading.count("summary", name) for name in ("passed", "failed", "total")}
        passed, total = summary["passed"], summary["total"]
        verdicts = self.verdicts
        if verdicts is not None and (total is None or total <= len(verdicts)):
            passed, total = sum(verdicts), len(verdicts)
        known = {"passed": passed, "total": total}
        if passed is not None and total is not None:
            known["failed"] = total - passed
        for name, value in known.items():
            if value is not None:
                stated = summary[name] == value
                yield name, Figure(value, grading, ("summary", name) if stated else ("expectations",))
        rate = grading.number("summary", "pass_rate")
        if passed is not None and total:
            at = (
                ("summary", "pass_rate")
                if rate is not None and abs(rate - passed / total) <= 0.01
                else ("expectations",)
            )
            yield "pass_rate", Figure(passed / total, grading, at)
        elif rate is not None:
            yield "pass_rate", Figure(rate, grading, ("summary", "pass_rate"))

    @cached_property
    def verdicts(self) -> list[bool] | None:
        """The verdicts of the list of expectations; None unless every item has one."""
        items = [] if self.grading is None else self.grading.items("expectations")
        passed: list[Any] = [item.get("passed") if isinstance(item, dict) else None for item in items]
        return passed if passed and all(isinstance(each, bool) for each in passed) else None

    def _seconds(self) -> Figure | None:
        """The time of the run; 0 is what was not measured."""
        return (
            _positive(self.grading, "timing", "total_duration_seconds")
            or _positive(self.timing, "total_duration_seconds")
            or _thousandth(_positive(self.timing, "duration_ms"))
        )

    def _tokens(self) -> Figure | None:
        """The tokens of the run: never the characters of its output."""
        return _positive(self.timing, "total_tokens") or _positive(self.grading, "timing", "total_tokens")

    def _metric(self, name: str) -> Figure | None:
        """A count of the execution metrics: of the grading's, which the aggregator reads, else of metrics.json."""
        places: tuple[tuple[Document | None, Tokens], ...] = (
            (self.grading, ("execution_metrics", name)),
            (self.metrics, (name,)),
        )
        for document, at in places:
            if document is not None and (value := document.count(*at)) is not None:
                return Figure(value, document, at)
        return None


def _positive(document: Document | None, *at: str | int) -> Figure | None:
    value = None if document is None else document.number(*at)
    return None if document is None or value is None or value <= 0 else Figure(value, document, at)


def _thousandth(figure: Figure | None) -> Figure | None:
    return figure and figure._replace(value=figure.value / 1000)


@dataclass(eq=False)
class Eval:
    """One eval of a workspace: its folder, its metadata where it has some, and its runs."""

    folder: str
    place: EvalFolder
    runs: list[Run] = field(default_factory=list[Run])
    metadata: Document | None = None

    def __str__(self) -> str:
        return f"eval {word(self.id)}"

    @cached_property
    def id(self) -> int | str:
        """What identifies the eval: the id of its metadata or a grading, the number of its folder, else its name."""
        for document, name in self._sources():
            known = identifier(document.value(name))
            if known is not None:
                return known
        return os.path.basename(self.folder) if self.place.number is None else self.place.number

    @cached_property
    def name(self) -> str | None:
        """The name of the eval where a file says one."""
        return next((text for document, _ in self._sources() if (text := document.text("eval_name"))), None)

    @cached_property
    def names(self) -> frozenset[str]:
        """Everything by which a benchmark may call the eval, as text."""
        folder = os.path.basename(self.folder)
        return frozenset({written(self.id), folder, self.place.slug, self.name or folder})

    def _sources(self) -> Iterator[tuple[Document, str]]:
        if self.metadata is not None:
            yield self.metadata, "eval_id"
        for run in self.runs:
            if run.grading is not None:
                yield run.grading, "eval_id"


def identifier(value: Any) -> int | str | None:
    """The id that a JSON value is: a whole number, or a text that is not empty."""
    whole = count(value)
    return whole if whole is not None else value if isinstance(value, str) and value else None


def written(value: Any) -> str:
    """An id as text: 3.0 as 3."""
    whole = count(value)
    return str(whole) if whole is not None else value if isinstance(value, str) else shown(value)


def word(value: Any) -> str:
    """An id for a message."""
    return excerpt(written(value))


class Listed(NamedTuple):
    """A run that a benchmark lists: its place in the list, and the run that it is, where one was found."""

    at: int
    run: Run | None


@dataclass(eq=False)
class Workspace:
    """The files of one iteration that belong together."""

    root: str
    evals: list[Eval]
    benchmark: Document | None = None
    history: Document | None = None
    comparisons: list[Document] = field(default_factory=list[Document])
    analyses: list[Document] = field(default_factory=list[Document])

    @cached_property
    def runs(self) -> list[Run]:
        """Every run, graded or not."""
        return [run for each in self.evals for run in each.runs]

    @cached_property
    def graded(self) -> list[Run]:
        """The runs that have a grading."""
        return [run for run, _ in self.gradings]

    @cached_property
    def gradings(self) -> list[tuple[Run, Document]]:
        """The runs that have a grading, each with it."""
        return [(run, run.grading) for run in self.runs if run.grading is not None]

    @cached_property
    def configurations(self) -> list[str]:
        """The configurations of which there is a grading, sorted."""
        return sorted({run.configuration for run in self.graded})

    def short(self, path: str) -> str:
        """A path below the root, for a message."""
        return excerpt(os.path.relpath(path, self.root).replace(os.sep, "/"), 200)

    @cached_property
    def listed(self) -> list[Listed]:
        """The runs of the benchmark, each with the run of the workspace that it is.

        They are told by eval, configuration and number; those left over by their figures, where a configuration has as
        many left of the one as of the other.
        """
        if self.benchmark is None:
            return []
        entries = self.benchmark.items("runs")
        found: dict[int, Run] = {}
        for keys_of_entry, keys_of_run in ((_ids, _run_ids), (_names, _run_names)):
            free: defaultdict[Any, list[Run]] = defaultdict(list)
            taken = set(map(id, found.values()))
            for run in self.graded:
                if id(run) not in taken:
                    for key in keys_of_run(run):
                        free[key].append(run)
            for index, entry in enumerate(entries):
                if index not in found:
                    candidates = (run for key in keys_of_entry(entry) for run in free[key] if id(run) not in taken)
                    for run in candidates:
                        found[index] = run
                        taken.add(id(run))
                        break
        self._match_by_figures(entries, found)
        return [Listed(index, found.get(index)) for index in range(len(entries))]

    def _match_by_figures(self, entries: list[Any], found: dict[int, Run]) -> None:
        taken = set(map(id, found.values()))
        for configuration in self.configurations:
            runs = [run for run in self.graded if run.configuration == configuration and id(run) not in taken]
            left = [i for i, entry in enumerate(entries) if i not in found and _configuration(entry) == configuration]
            if len(left) != len(runs) or len(runs) > _MOST_MATCHED:
                continue
            pairs = [(_likeness(entries[index], run), index, run) for index in left for run in runs]
            for likeness, index, run in sorted(pairs, key=lambda pair: -pair[0]):
                if likeness and index not in found and id(run) not in taken:
                    found[index] = run
                    taken.add(id(run))


# More runs than this that nothing names are not matched: the work grows with the square of them.
_MOST_MATCHED = 100

_Key = tuple[str, str, int | None]


def _configuration(entry: Any) -> Any:
    return entry.get("configuration") if isinstance(entry, dict) else None


def _keys(entry: Any, *names: str) -> list[_Key]:
    """The configuration, each name of the eval and the number that an entry of `runs` states."""
    configuration = _configuration(entry)
    if not isinstance(configuration, str):
        return []
    stated = count(entry.get("run_number"))
    return [(configuration, written(entry[name]), stated) for name in names if identifier(entry.get(name)) is not None]


def _ids(entry: Any) -> list[_Key]:
    return _keys(entry, "eval_id")


def _names(entry: Any) -> list[_Key]:
    return _keys(entry, "eval_id", "eval_name")


def _run_ids(run: Run) -> list[_Key]:
    return [(run.configuration, written(run.eval.id), number) for number in (run.number, None)]


def _run_names(run: Run) -> list[_Key]:
    return [(run.configuration, name, number) for name in run.eval.names for number in (run.number, None)]


def _likeness(entry: Any, run: Run) -> int:
    """How many figures of an entry are those of a run."""
    result = entry.get("result")
    if not isinstance(result, dict):
        return 0
    return sum(
        (stated := number(result.get(name))) is not None and abs(stated - figure.value) <= 0.05
        for name, figure in run.figures.items()
    )


_NUMBER = re.compile(r"(\d{1,9})")


def ordered(folders: Iterable[str]) -> list[str]:
    """Paths in the order that people expect: numbers in names by their value."""
    return sorted(folders, key=_by_numbers)


def _by_numbers(path: str) -> list[tuple[int, int, str]]:
    # what is split off by the group stands at every other place
    return [(0, int(part), "") if place % 2 else (1, 0, part) for place, part in enumerate(_NUMBER.split(path))]
