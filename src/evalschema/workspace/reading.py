"""Read the workspaces under a folder: every file once, paired by where it lies."""

from __future__ import annotations

import os
from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from evalschema.files import Examined, concluded, examine_file, file_bytes
from evalschema.finding import Finding, Result
from evalschema.validator import result
from evalschema.walking import json_files, settings_for
from evalschema.workspace.layout import (
    BENCHMARK,
    GRADING,
    METADATA,
    METRICS,
    OUTPUTS,
    TIMING,
    EvalFolder,
    Plan,
    Spot,
    by_folder,
    configuration_of_file,
    lay_out,
)
from evalschema.workspace.model import Document, Eval, Run, Workspace, ordered

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from evalschema.settings import Settings

HISTORY, ANALYSIS = "history.json", "analysis.json"


class Reader:
    """Reads files, each at most once; keeps those that workspaces are made of."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._documents: dict[str, Document] = {}
        self._refused: dict[str, Finding] = {}

    def document(self, path: str) -> Document:
        """The document of a file; one that cannot be read holds nothing."""
        known = self._documents.get(path)
        if known is None:
            known = self._documents[path] = Document(self._examined(path), path)
        return known

    def documents(self) -> list[Document]:
        """Everything that was read."""
        return list(self._documents.values())

    def _examined(self, path: str) -> Examined:
        settings, kind = settings_for(path, self._settings)
        data = file_bytes(path)
        if isinstance(data, Finding):
            self._refused[path] = data
            return Examined(path, kind, b"", None, [data])
        return examine_file(data, kind, path, settings)

    def result(self, document: Document) -> Result:
        """What was found in a document, by itself and together with others."""
        settings, _ = settings_for(document.path, self._settings)
        examined = document.examined
        examined.findings += document.added
        document.added = []
        if document.path in self._refused:
            return result(examined.findings, examined.kind, settings, document.path)
        return concluded(examined, settings)


@dataclass(eq=False)
class Unit:
    """Workspaces that must be judged together, for they share a history; not yet read."""

    plans: list[Plan] = field(default_factory=list[Plan])
    histories: list[str] = field(default_factory=list[str])
    verdicts: dict[str, list[str]] = field(default_factory=dict[str, list[str]])

    def tops(self) -> Iterator[str]:
        """The absolute folders under which its files lie."""
        yield from (plan.root for plan in self.plans)
        yield from map(os.path.dirname, self.histories)
        yield from self.verdicts


class Folder:
    """The files under a folder: which of them are documents, and which of those make workspaces.

    Paths are shown as the folder was written. `paths` are all JSON files; those that are known already, sorted, may be
    given, and may be some of them, when they hold whole workspaces (`pieces`).
    """

    def __init__(self, folder: str, settings: Settings, paths: Sequence[str] | None = None) -> None:
        self.folder = folder
        self.paths = json_files(folder, settings.exclude) if paths is None else paths
        self._here = os.path.abspath(folder)
        # all paths begin with the folder as it was written: the rest needs no second look at the file system's rules
        self._below, self._written = os.path.join(self._here, ""), len(os.path.join(folder, ""))
        self._shown = {self._below + path[self._written :]: path for path in self.paths}
        self._names = by_folder(self._shown)
        self.plans = lay_out(self._names)

    def waiting(self) -> dict[str, list[Unit]]:
        """The workspaces by the folders under which their files lie, none above the one that is checked."""
        here = self._here
        waiting: defaultdict[str, list[Unit]] = defaultdict(list)
        for unit in self.units():
            for top in unit.tops():
                waiting[top if _is_in(top, here) else here].append(unit)
        return dict(waiting)

    def spans(self) -> list[tuple[int, int]]:
        """From and to which index of `paths` the files of each unit lie; between them others may lie as well."""
        waiting = self.waiting()
        spans: dict[Unit, tuple[int, int]] = {}
        if waiting:
            for index, path in enumerate(self.paths):
                for above in self.above(path):
                    for unit in waiting.get(above, ()):
                        spans[unit] = spans.get(unit, (index, 0))[0], index + 1
        return list(spans.values())

    def units(self) -> list[Unit]:
        """The workspaces, those under one history together."""
        units: dict[str, Unit] = {}
        for root, plan in sorted(self.plans.items()):
            unit = units.setdefault(self._topmost(root), Unit())
            unit.plans.append(plan)
            unit.histories += [each for each in self._histories(root) if each not in unit.histories]
        for folder, names in sorted(self._names.items()):
            if ANALYSIS not in names:
                continue
            compared = [name for name in names if name == ANALYSIS or name.startswith("comparison")]
            if len(compared) > 1:
                root = next((r for r in sorted(self.plans, key=len, reverse=True) if _is_in(folder, r)), folder)
                unit = units.setdefault(self._topmost(root), Unit())
                unit.verdicts[folder] = [os.path.join(folder, name) for name in sorted(compared)]
        return list(units.values())

    def _histories(self, folder: str) -> list[str]:
        """The histories in a folder and above it, the nearest first."""
        return [os.path.join(each, HISTORY) for each in self._upwards(folder) if HISTORY in self._names.get(each, ())]

    def _topmost(self, root: str) -> str:
        histories = self._histories(root)
        return histories[-1] if histories else root

    def above(self, path: str) -> Iterator[str]:
        """The absolute folders that a shown path lies in, the nearest first."""
        return self._upwards(os.path.dirname(self._below + path[self._written :]))

    def _upwards(self, folder: str) -> Iterator[str]:
        """A folder and those above it, up to the one that is checked."""
        while True:
            yield folder
            parent = os.path.dirname(folder)
            if folder == self._here or parent == folder:
                return
            folder = parent

    def shown(self, path: str) -> str:
        """An absolute path as the folder was written."""
        if path in self._shown:
            return self._shown[path]
        if path.startswith(self._below):
            return os.path.join(self.folder, path[len(self._below) :])
        below = os.path.relpath(path, self._here)
        return self.folder if below == os.curdir else os.path.join(self.folder, below)

    def has(self, folder: str, name: str) -> str | None:
        """The path of a file in an absolute folder, as shown; None where it is not there."""
        return self.shown(os.path.join(folder, name)) if name in self._names.get(folder, ()) else None

    def workspace(self, root: str, reader: Reader) -> Workspace:
        """The workspace with an absolute root, read."""
        return _Maker(self, self.plans[root], reader).workspace()

    def workspaces(self, unit: Unit, reader: Reader) -> list[Workspace]:
        """The workspaces of a unit, read; those without any grading are none."""
        made: list[Workspace] = []
        for plan in unit.plans:
            workspace = self.workspace(plan.root, reader)
            if workspace.graded:
                made.append(workspace)
        for path in unit.histories:
            document = reader.document(self.shown(path))
            for workspace in made:
                if workspace.history is None and _is_in(os.path.abspath(workspace.root), os.path.dirname(path)):
                    workspace.history = document
        for folder, paths in unit.verdicts.items():
            documents = [reader.document(self.shown(path)) for path in paths]
            made.append(
                Workspace(
                    self.shown(folder),
                    [],
                    comparisons=[each for each in documents if each.kind == "comparison"],
                    analyses=[each for each in documents if each.kind == "analysis"],
                )
            )
        return made


def _is_in(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder.rstrip(os.sep) + os.sep)


class _Maker:
    """Reads the files of one plan."""

    def __init__(self, folder: Folder, plan: Plan, reader: Reader) -> None:
        self._folder = folder
        self._plan = plan
        self._reader = reader

    def workspace(self) -> Workspace:
        evals = [self._eval(self._plan.evals[path]) for path in ordered(self._plan.evals)]
        return Workspace(self._folder.shown(self._plan.root), evals, self._read(self._plan.root, BENCHMARK))

    def _read(self, folder: str, name: str) -> Document | None:
        path = self._folder.has(folder, name)
        return None if path is None else self._reader.document(path)

    def _first(self, name: str, folders: Iterable[str]) -> Document | None:
        return next((found for folder in folders if (found := self._read(folder, name)) is not None), None)

    def _eval(self, place: EvalFolder) -> Eval:
        made = Eval(self._folder.shown(place.folder), place, metadata=self._read(place.folder, METADATA))
        made.runs = [self._run(made, place, spot) for spot in sorted(place.spots, key=_by_run)]
        made.runs += self._loose_runs(made, place)
        if made.metadata is None:
            made.metadata = next((run.metadata for run in made.runs if run.metadata is not None), None)
        return made

    def _run(self, made: Eval, place: EvalFolder, spot: Spot) -> Run:
        outputs = os.path.join(spot.folder, OUTPUTS)
        folders = [spot.folder] if spot.grading == os.path.join(spot.folder, GRADING) else [spot.folder, outputs]
        configuration = os.path.join(place.folder, spot.configuration)
        return Run(
            made,
            spot.configuration,
            1 if spot.number is None else spot.number,
            spot.number is not None,
            self._folder.shown(spot.folder),
            grading=None if spot.grading is None else self._reader.document(self._folder.shown(spot.grading)),
            timing=self._first(TIMING, folders),
            metrics=self._first(METRICS, (outputs, spot.folder)),
            metadata=self._first(METADATA, (spot.folder, configuration)),
            is_looked_at=self._plan.is_looked_at(place, spot),
        )

    def _loose_runs(self, made: Eval, place: EvalFolder) -> Iterator[Run]:
        """Runs whose gradings lie in the folder of the eval, one a configuration."""
        from evalschema.catalog import kinds_of_shape

        for path in ordered(place.loose):
            configuration = configuration_of_file(path)
            shown = self._folder.shown(path)
            named = configuration != os.path.splitext(os.path.basename(path))[0]
            if not configuration or (not named and not _looks_graded(shown)):
                continue
            document = self._reader.document(shown)
            if "grading" in kinds_of_shape(document.examined.instance):
                yield Run(made, configuration, 1, is_numbered=False, folder=made.folder, grading=document)


def _by_run(spot: Spot) -> tuple[str, int]:
    return spot.configuration, spot.number or 0


def _looks_graded(path: str) -> bool:
    """Whether a file under any name may hold a grading: what is certainly none is not parsed."""
    data = file_bytes(path)
    return isinstance(data, bytes) and b'"expectations"' in data and b'"passed"' in data
