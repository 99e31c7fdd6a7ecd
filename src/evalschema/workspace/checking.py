"""Check a folder: every document by itself, and the files of each workspace together."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NoReturn, TypeVar

from evalschema.errors import RuleError
from evalschema.files import check_file
from evalschema.rules._across import rules_across
from evalschema.settings import DEFAULT
from evalschema.walking import is_document
from evalschema.workspace.reading import Folder, Reader

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from evalschema.finding import Result
    from evalschema.repository import Changed
    from evalschema.settings import Settings
    from evalschema.workspace.reading import Unit

T = TypeVar("T")


def check_workspace(folder: str | os.PathLike[str], settings: Settings = DEFAULT) -> Iterator[Result]:
    """Check all documents under a folder, and across the files of every workspace in it.

    One result a file, sorted by path, with everything that was found in it. A workspace is a folder that holds evals,
    configurations and gradings, in any of the forms that people write; there may be several, and none. Every file is
    read once, and a workspace is held in memory until its last file was told. What is no folder is checked as a file.
    Raises `RuleError` when a rule crashes.
    """
    name = os.fspath(folder)
    if os.path.isdir(name):
        return check_folder(Folder(name, settings), settings, _passed_on)
    return iter((check_file(name, settings=settings),))


def _passed_on(path: str, bug: RuleError) -> NoReturn:
    raise bug


def check_folder(folder: Folder, settings: Settings, crashed: Callable[[str, RuleError], T]) -> Iterator[Result | T]:
    """As `check_workspace`, for a folder that is listed already.

    `crashed` makes what stands for a file, or for a workspace as a whole, on which a rule crashed; the files of such a
    workspace are then checked each by itself.
    """
    waiting = folder.waiting()
    judged: set[Unit] = set()
    done: dict[str, Result] = {}
    for path in folder.paths:
        if waiting:
            for unit in [unit for above in folder.above(path) for unit in waiting.pop(above, ())]:
                if unit not in judged:
                    judged.add(unit)
                    try:
                        done |= judged_together(folder, unit, settings)
                    except RuleError as bug:
                        yield crashed(top_of(folder, (unit,)), bug)
        if path in done:
            yield done.pop(path)
        elif is_document(path):
            try:
                yield check_file(path, settings=settings)
            except RuleError as bug:
                yield crashed(path, bug)


def top_of(folder: Folder, units: Iterable[Unit]) -> str:
    """The topmost of the folders, as shown, in which the files of some workspaces lie."""
    return folder.shown(min((top for unit in units for top in unit.tops()), key=len))


def pieces(folder: Folder, size: int) -> Iterator[tuple[Sequence[str], bool]]:
    """The paths of a folder, in order, in pieces of `size` or somewhat more; no workspace is spread over two of them.

    True comes with the pieces that hold one: of their paths alone, `Folder` makes the same workspaces.
    """
    spans = sorted(folder.spans())
    start = 0
    while start < len(folder.paths):
        end = min(start + size, len(folder.paths))
        holds_one = False
        while spans and spans[0][0] < end:
            end = max(end, spans.pop(0)[1])
            holds_one = True
        yield folder.paths[start:end], holds_one
        start = end


def touched(folder: Folder, settings: Settings, changed: Changed) -> Folder:
    """The folder with the files alone that have changed, and with all files of workspaces below which any has.

    A file that is gone, or is no document, may change what is found in the others of its workspace.
    """
    kept: list[str] = []
    for some, has_workspace in pieces(folder, 1):
        if not has_workspace:
            kept += filter(changed.has, some)
        elif any(map(changed.any_below, _tops(Folder(folder.folder, settings, some)))):
            kept += some
    return Folder(folder.folder, settings, kept)


def _tops(folder: Folder) -> set[str]:
    return {top for unit in folder.units() for top in unit.tops()}


def judged_together(folder: Folder, unit: Unit, settings: Settings) -> dict[str, Result]:
    """The results of all files that the workspaces of a unit are made of, by path."""
    reader = Reader(settings)
    for workspace in folder.workspaces(unit, reader):
        for rule in rules_across():
            for document, finding in rule.judge(workspace):
                document.added.append(finding)
    return {document.path: reader.result(document) for document in reader.documents()}
