"""A workspace → the benchmark document that follows from its files, or the findings that forbid one.

Every figure comes out of a grading or a timing. What no file tells is left out, never estimated; what is left out is
said.
"""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from evalschema.errors import EvalschemaError
from evalschema.instants import instant_of
from evalschema.rules._across import rules_across
from evalschema.rules._numbers import mean, sample_deviation
from evalschema.rules._skill import SKILL_FILE
from evalschema.rules._skill import skill_name as name_in_skill_file
from evalschema.rules.benchmark import METRICS, NEW, OLD
from evalschema.settings import DEFAULT
from evalschema.workspace.reading import Folder, Reader

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from evalschema.finding import Result
    from evalschema.workspace.model import Document, Figure, Run, Workspace

#: The official programs write figures with so many decimals.
DECIMALS = 4
WORKSPACE_SUFFIX = "-workspace"

_NOTED = ("uncertainties", "needs_review", "workarounds")
_KEPT = ("skill_path", "executor_model")
_ENDS = ("executor_end", "grader_end")


class NoWorkspaceError(EvalschemaError, ValueError):
    """There is no workspace under the folder, or several, and nobody knows which one is meant; `found` lists those."""

    def __init__(self, folder: str, found: Sequence[str]) -> None:
        if found:
            named = ", ".join(found[:5]) + (f" and {len(found) - 5} more" if len(found) > 5 else "")
            super().__init__(f"{folder} holds {len(found)} workspaces: name one of {named}")
        else:
            super().__init__(
                f"{folder} holds no workspace: no grading.json lies in the folder of an eval and a configuration"
            )
        self.folder = folder
        self.found = tuple(found)

    def __reduce__(self) -> tuple[type[NoWorkspaceError], tuple[str, tuple[str, ...]]]:
        return type(self), (self.folder, self.found)


@dataclass(frozen=True, slots=True)
class Aggregate:
    """What a workspace comes to: `benchmark`, or None and the results of the files whose errors forbid it.

    `unknown` says, a sentence each, what was left out because no file tells it.
    """

    root: str
    benchmark: dict[str, Any] | None
    refused: tuple[Result, ...] = ()
    unknown: tuple[str, ...] = ()


def aggregate(folder: str | os.PathLike[str], *, skill_name: str | None = None) -> Aggregate:
    """The benchmark that follows from the one workspace in a folder; nothing is written.

    Every form of a workspace is read. No setting silences a finding here: with an error in a grading, or a
    contradiction in a timing or in the metadata, there is no benchmark. `skill_name` is used where it is given; else
    SKILL.md, the evals file or the benchmark that is there are asked for it. Raises `NoWorkspaceError`.
    """
    place = Folder(os.fspath(folder), DEFAULT)
    reader = Reader(DEFAULT)
    workspace = _only_one(place, reader)
    refused = _refused(workspace, reader)
    if refused:
        return Aggregate(workspace.root, None, refused)
    made = _Benchmark(place, workspace, skill_name)
    return Aggregate(workspace.root, made.document(), unknown=tuple(made.unknown()))


def _only_one(folder: Folder, reader: Reader) -> Workspace:
    """The workspace that is meant: the one whose root the folder is, else the only one below."""
    here = os.path.abspath(folder.folder)
    below = sorted(root for root in folder.plans if root == here or root.startswith(here.rstrip(os.sep) + os.sep))
    found: list[Workspace] = []
    for root in [here] if here in below else below:
        workspace = folder.workspace(root, reader)
        if workspace.graded:
            found.append(workspace)
    if len(found) != 1:
        raise NoWorkspaceError(folder.folder, [workspace.root for workspace in found])
    return found[0]


def _refused(workspace: Workspace, reader: Reader) -> tuple[Result, ...]:
    """The results of those files whose errors forbid a benchmark."""
    sources = _sources(workspace)
    for rule in rules_across():
        for document, finding in rule.judge(workspace):
            if document in sources:
                document.added.append(finding)
    wrong = [document for document in sources if _forbids(document)]
    return tuple(reader.result(document) for document in wrong)


def _sources(workspace: Workspace) -> list[Document]:
    """The files that figures, ids and names are taken from."""
    documents = [each.metadata for each in workspace.evals] + [run.metadata for run in workspace.graded]
    for run in workspace.graded:
        documents += [run.grading, run.timing]
    return list(dict.fromkeys(document for document in documents if document is not None))


def _forbids(document: Document) -> bool:
    """Whether a document must not be used: a grading with an error, another file that is unreadable or contradictory.

    What a timing or the metadata lacks, or has in another type, is not known, and that is all.
    """
    errors = [each for each in (*document.examined.findings, *document.added) if each.severity == "error"]
    if document.kind == "grading":
        return bool(errors)
    return any(not each.code.startswith(("schema.", "name.")) for each in errors)


class _Benchmark:
    """The document of a workspace, member by member."""

    def __init__(self, folder: Folder, workspace: Workspace, skill_name: str | None) -> None:
        self._folder = folder
        self._workspace = workspace
        self._skill_name = skill_name or self._known_name()
        self._configurations = sorted(workspace.configurations, key=_newest_first)
        self._evals = [each for each in workspace.evals if any(run.grading for run in each.runs)]
        if all(isinstance(each.id, int) for each in self._evals):
            self._evals.sort(key=lambda each: each.id)
        self._runs = [
            run
            for configuration in self._configurations
            for each in self._evals
            for run in sorted(each.runs, key=lambda run: run.number)
            if run.configuration == configuration and run.grading is not None
        ]
        self._per_configuration = _uniform(
            Counter((id(run.eval), run.configuration) for run in self._runs),
            len(self._evals) * len(self._configurations),
        )

    def document(self) -> dict[str, Any]:
        """The benchmark."""
        return {
            "metadata": self._metadata(),
            "runs": [self._run(run) for run in self._runs],
            "run_summary": self._summary(),
        }

    def unknown(self) -> Iterator[str]:
        """What no file tells."""
        if self._skill_name is None:
            yield "skill_name is left out: neither a SKILL.md nor an evals file tells it; give --skill-name"
        if self._per_configuration is None:
            yield "runs_per_configuration is left out: not every eval has as many runs with each configuration"
        for metric, name in (("time_seconds", "seconds"), ("tokens", "tokens")):
            missing = [run for run in self._runs if metric not in run.figures]
            if missing:
                yield (
                    f"{metric} is left out in {len(missing)} of {len(self._runs)} runs: no file tells the {name} of "
                    f"{self._workspace.short(missing[0].folder)}{' and others' if len(missing) > 1 else ''}"
                )

    # --- metadata ---

    def _metadata(self) -> dict[str, Any]:
        known = self._workspace.benchmark
        metadata: dict[str, Any] = {}
        if self._skill_name is not None:
            metadata["skill_name"] = self._skill_name
        metadata["timestamp"] = self._timestamp()
        metadata["evals_run"] = [each.id for each in self._evals]
        if self._per_configuration is not None:
            metadata["runs_per_configuration"] = self._per_configuration
        for name in _KEPT:
            text = None if known is None else known.text("metadata", name)
            if text and not _is_placeholder(text):
                metadata[name] = text
        return metadata

    def _timestamp(self) -> str:
        """When the last run ended; else what the benchmark that is there says; else now."""
        stamps = [run.timing.text(member) for run in self._runs if run.timing is not None for member in _ENDS]
        ends = [(end, stamp) for stamp in stamps if stamp is not None and (end := instant_of(stamp)) is not None]
        if ends:
            return max(ends)[1]
        known = self._workspace.benchmark
        stated = None if known is None else known.text("metadata", "timestamp")
        if stated is not None and instant_of(stated) is not None:
            return stated
        return datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")

    def _known_name(self) -> str | None:
        """The name of the skill: of the SKILL.md above or beside the workspace, of its evals file, of its benchmark."""
        root = os.path.abspath(self._workspace.root)
        folders = [root, *_above(root)]
        for folder in folders:
            skill = folder if os.path.isfile(os.path.join(folder, SKILL_FILE)) else _skill_beside(folder)
            if skill is not None and (name := name_in_skill_file(skill)):
                return name
        for folder in folders:
            for path in (os.path.join(folder, "evals", "evals.json"), os.path.join(folder, "evals.json")):
                if name := _stated_name(path):
                    return name
        known = self._workspace.benchmark
        stated = None if known is None else known.text("metadata", "skill_name")
        return stated if stated and not _is_placeholder(stated) else None

    # --- runs ---

    def _run(self, run: Run) -> dict[str, Any]:
        figures = run.figures
        result: dict[str, Any] = {
            name: _plain(name, figures[name])
            for name in ("pass_rate", "passed", "failed", "total", "time_seconds", "tokens", "tool_calls")
            if name in figures
        }
        # errors are counted as they are recorded: none recorded are none
        result["errors"] = _plain("errors", figures["errors"]) if "errors" in figures else 0
        entry: dict[str, Any] = {"eval_id": run.eval.id}
        if run.eval.name:
            entry["eval_name"] = run.eval.name
        entry |= {"configuration": run.configuration, "run_number": run.number, "result": result}
        if run.grading is not None:
            entry["expectations"] = run.grading.items("expectations")
            entry["notes"] = [
                note
                for name in _NOTED
                for note in run.grading.items("user_notes_summary", name)
                if isinstance(note, str)
            ]
        return entry

    # --- summary ---

    def _summary(self) -> dict[str, Any]:
        means: dict[str, dict[str, float]] = {}
        summary: dict[str, Any] = {}
        for configuration in self._configurations:
            runs = [run for run in self._runs if run.configuration == configuration]
            # a mean over some of the runs would stand beside means over all of them, and look like one
            values = {
                metric: [run.figures[metric].value for run in runs]
                for metric in METRICS
                if all(metric in run.figures for run in runs)
            }
            summary[configuration] = {metric: _statistic(metric, known) for metric, known in values.items()}
            means[configuration] = {metric: mean(known) for metric, known in values.items()}
        pair = self._configurations[:2]
        if len(self._configurations) == 2 or (len(pair) == 2 and pair[0] in NEW and pair[1] in OLD):
            new, old = pair
            summary["delta"] = {
                metric: _signed(means[new][metric] - means[old][metric], known.decimals)
                for metric, known in METRICS.items()
                if metric in means[new] and metric in means[old]
            }
        return summary


def _newest_first(configuration: str) -> tuple[int, str]:
    """The new configuration first, then the old one, as the viewer draws them and the delta is meant."""
    return (0 if configuration in NEW else 1 if configuration in OLD else 2), configuration


def _uniform(cells: Counter[tuple[int, str]], expected: int) -> int | None:
    """The number of runs in each eval and configuration; None where they differ."""
    sizes = set(cells.values())
    return sizes.pop() if len(sizes) == 1 and len(cells) == expected else None


def _plain(name: str, figure: Figure) -> float:
    return round(figure.value, DECIMALS) if name in ("pass_rate", "time_seconds") else int(figure.value)


def _statistic(metric: str, values: list[float]) -> dict[str, float]:
    """Mean, sample deviation, smallest and largest; a single run deviates by 0, as the official aggregator has it."""
    deviation = sample_deviation(values) if len(values) > 1 else 0.0
    least, most = min(values), max(values)
    return {
        "mean": round(mean(values), DECIMALS),
        "stddev": round(deviation, DECIMALS),
        "min": int(least) if metric == "tokens" else round(least, DECIMALS),
        "max": int(most) if metric == "tokens" else round(most, DECIMALS),
    }


def _signed(value: float, decimals: int) -> str:
    text = f"{value:+.{decimals}f}"
    return text.replace("-", "+") if not float(text) else text


def _is_placeholder(text: str) -> bool:
    return text.startswith("<") and text.endswith(">")


# --- what the skill is called -------------------------------------------------------------------------------------


def _above(folder: str) -> Iterator[str]:
    """The folders above one, up to the root of its repository."""
    while not os.path.exists(os.path.join(folder, ".git")):
        parent = os.path.dirname(folder)
        if parent == folder:
            return
        yield parent
        folder = parent


def _skill_beside(folder: str) -> str | None:
    """The folder `pdf` beside a folder `pdf-workspace`, as the documentation lays them out, where it holds a skill."""
    if not folder.endswith(WORKSPACE_SUFFIX):
        return None
    beside = folder.removesuffix(WORKSPACE_SUFFIX)
    return beside if os.path.isfile(os.path.join(beside, SKILL_FILE)) else None


def _stated_name(path: str) -> str | None:
    """The `skill_name` of an evals file."""
    from evalschema.files import file_bytes
    from evalschema.reading import Unreadable, read, without_bom

    data = file_bytes(path) if os.path.isfile(path) else None
    try:
        document = read(without_bom(data)) if isinstance(data, bytes) else None
    except Unreadable:
        return None
    name = document.get("skill_name") if isinstance(document, dict) else None
    return name if isinstance(name, str) and name else None
