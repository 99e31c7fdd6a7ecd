"""Where the files of workspaces lie: paths to evals, configurations and runs. Nothing is opened here.

The documented form is `<root>/eval-<id>/<configuration>/run-<number>/grading.json`, in older workspaces under
`<root>/runs/`. People leave `run-<number>` out, give the folder of an eval any name, put the grading into `outputs/`,
or keep one grading a configuration in the folder of the eval. All of these are read; the official aggregator reads the
documented form alone.
"""

from __future__ import annotations

import os
import re
from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

GRADING, TIMING, METADATA, METRICS, BENCHMARK = (
    "grading.json",
    "timing.json",
    "eval_metadata.json",
    "metrics.json",
    "benchmark.json",
)
OUTPUTS, RUNS = "outputs", "runs"
_STANDARD = {TIMING, METADATA, METRICS, BENCHMARK}

_RUN = re.compile(r"run[-_]?(\d{1,9})", re.IGNORECASE)
_OFFICIAL_RUN = re.compile(r"run-\d+(?:-.*)?")
_EVAL = re.compile(r"evals?[-_ ].+", re.IGNORECASE)
_EVAL_NUMBER = re.compile(r"evals?[-_ ](\d{1,9})(?:[-_ ](.*))?", re.IGNORECASE)
# Folders of these names hold evals, iterations or outputs, so they are no configurations.
_NO_CONFIGURATION = re.compile(
    r"(?:eval|iteration|iter|run|output|input|grading|result)s?(?:[-_ ].*|\d*)", re.IGNORECASE
)
_CONFIGURATION = re.compile(
    r"(?:.*[\W_])?(?:with|without|no|old|new|current)[-_ ]skill(?:[\W_].*)?|baseline|control|treatment", re.IGNORECASE
)
_GRADING_WORD = re.compile(r"[-_ .]*grading[-_ .]*", re.IGNORECASE)


@dataclass(slots=True)
class Spot:
    """Where one run lies. `number` is None where no folder `run-<number>` says it; `grading` where there is none."""

    configuration: str
    number: int | None
    folder: str
    grading: str | None = None


@dataclass(slots=True)
class EvalFolder:
    """The folder of one eval, with its runs; `loose` are files in it that may be gradings under other names."""

    folder: str
    spots: list[Spot] = field(default_factory=list[Spot])
    loose: list[str] = field(default_factory=list[str])

    @property
    def number(self) -> int | None:
        """The number in a name such as `eval-3-totals`."""
        match = _EVAL_NUMBER.fullmatch(os.path.basename(self.folder))
        return int(match[1]) if match else None

    @property
    def slug(self) -> str:
        """The name without `eval-` and number: `totals`."""
        name = os.path.basename(self.folder)
        match = _EVAL_NUMBER.fullmatch(name)
        if match:
            return match[2] or name
        return re.sub(r"^evals?[-_ ]", "", name, flags=re.IGNORECASE)


@dataclass(slots=True)
class Plan:
    """One workspace: the folder of an iteration, with the folders of its evals. Paths are absolute."""

    root: str
    evals: dict[str, EvalFolder] = field(default_factory=dict[str, EvalFolder])

    def is_looked_at(self, eval_folder: EvalFolder, spot: Spot) -> bool:
        """Whether the official aggregator reads the run: `[runs/]eval-*/<configuration>/run-*/grading.json`."""
        if spot.grading is None or not os.path.basename(eval_folder.folder).startswith("eval-"):
            return False
        # where there is a folder runs/, it looks nowhere else
        search = os.path.join(self.root, RUNS)
        if os.path.dirname(eval_folder.folder) != (search if self._has_runs_folder() else self.root):
            return False
        return spot.grading == os.path.join(spot.folder, GRADING) and bool(
            _OFFICIAL_RUN.fullmatch(os.path.basename(spot.folder))
        )

    def _has_runs_folder(self) -> bool:
        runs = os.path.join(self.root, RUNS)
        return any(os.path.dirname(folder) == runs for folder in self.evals)


def by_folder(paths: Iterable[str]) -> dict[str, set[str]]:
    """The names of the files in each folder."""
    names: defaultdict[str, set[str]] = defaultdict(set)
    for path in paths:
        folder, _, name = path.rpartition(os.sep)
        names[folder or os.sep].add(name)
    return dict(names)


def lay_out(names: Mapping[str, set[str]]) -> dict[str, Plan]:
    """The workspaces among JSON files, by their roots; nested ones are separate.

    `names` are those of the files in each absolute folder.
    """
    plans: dict[str, Plan] = {}
    spots = [found for folder in sorted(names) if GRADING in names[folder] and (found := _spot(folder)) is not None]
    sure = {eval_folder for eval_folder, spot in spots if _is_sure(eval_folder, spot, names)}
    taken: set[str] = set()
    for eval_folder, spot in spots:
        # a second grading in outputs/ is not what the run was graded by
        if eval_folder in sure and spot.folder not in taken:
            taken.add(spot.folder)
            _eval_of(plans, eval_folder).spots.append(spot)
    _add_ungraded(plans, names)
    _add_loose(plans, names)
    return plans


def _spot(folder: str) -> tuple[str, Spot] | None:
    """The folder of the eval and the run whose grading lies in `folder`; None where nothing can be a configuration."""
    above, _, name = folder.rpartition(os.sep)
    run = folder
    if name == OUTPUTS:
        run = above
        above, _, name = run.rpartition(os.sep)
    match = _RUN.fullmatch(name)
    if match:
        above, _, name = above.rpartition(os.sep)
    if not name or (_NO_CONFIGURATION.fullmatch(name) and not _CONFIGURATION.fullmatch(name)):
        return None
    return above or os.sep, Spot(name, int(match[1]) if match else None, run, f"{folder}{os.sep}{GRADING}")


def _is_sure(eval_folder: str, spot: Spot, names: Mapping[str, set[str]]) -> bool:
    """Whether a name, the metadata or a numbered run tells that the folder is that of an eval."""
    return (
        spot.number is not None
        or METADATA in names.get(eval_folder, ())
        or _CONFIGURATION.fullmatch(spot.configuration) is not None
        or _EVAL.fullmatch(os.path.basename(eval_folder)) is not None
    )


def _eval_of(plans: dict[str, Plan], eval_folder: str) -> EvalFolder:
    root = _root_of(eval_folder)
    if root not in plans:
        plans[root] = Plan(root)
    evals = plans[root].evals
    if eval_folder not in evals:
        evals[eval_folder] = EvalFolder(eval_folder)
    return evals[eval_folder]


def _root_of(eval_folder: str) -> str:
    root = os.path.dirname(eval_folder)
    return os.path.dirname(root) if os.path.basename(root) == RUNS else root


def _add_ungraded(plans: dict[str, Plan], names: Mapping[str, set[str]]) -> None:
    """Add evals that have nothing but their metadata, and runs that have a timing and no grading."""
    known = {folder: each for plan in plans.values() for folder, each in plan.evals.items()}
    spots = [(folder, spot) for folder, each in known.items() for spot in each.spots]
    taken = {spot.folder for _, spot in spots}
    inside = {path for folder, spot in spots for path in (os.path.join(folder, spot.configuration), spot.folder)}
    roots = {os.path.dirname(folder) for folder in known}
    for folder in sorted(names):
        if METADATA in names[folder] and os.path.dirname(folder) in roots and not (folder in known or folder in inside):
            known[folder] = _eval_of(plans, folder)
    for folder in sorted(names):
        if TIMING in names[folder] and GRADING not in names[folder] and (found := _spot(folder)) is not None:
            eval_folder, spot = found
            spot.grading = None
            if eval_folder in known and spot.folder not in taken:
                taken.add(spot.folder)
                known[eval_folder].spots.append(spot)


def _add_loose(plans: dict[str, Plan], names: Mapping[str, set[str]]) -> None:
    """Note files in the folders of evals without runs that may be their gradings, one a configuration."""
    known = {folder: each for plan in plans.values() for folder, each in plan.evals.items()}
    loose: dict[str, list[str]] = {}
    for folder, inside in names.items():
        each = known.get(folder)
        if (each is not None and each.spots) or not (each or _EVAL.fullmatch(folder.rpartition(os.sep)[2])):
            continue
        if candidates := inside - _STANDARD:
            loose[folder] = [f"{folder}{os.sep}{name}" for name in sorted(candidates)]
    # where no file can be a grading of a configuration, folders that are called like evals make no workspace
    roots = {_root_of(folder) for folder, paths in loose.items() if any(map(configuration_of_file, paths))}
    for folder in sorted(loose):
        root = _root_of(folder)
        if root in roots or root in plans:
            _eval_of(plans, folder).loose = loose[folder]


def configuration_of_file(path: str) -> str:
    """The configuration that the name of a grading says: `with_skill` of `grading_with_skill.json`; "" for none."""
    return _GRADING_WORD.sub("", os.path.splitext(os.path.basename(path))[0])
