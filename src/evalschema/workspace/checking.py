"""Check a folder: every document by itself, and the files of each workspace together."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from evalschema.files import check_file
from evalschema.rules._across import rules_across
from evalschema.settings import DEFAULT
from evalschema.walking import is_document
from evalschema.workspace.reading import Folder, Reader

if TYPE_CHECKING:
    from collections.abc import Iterator

    from evalschema.finding import Result
    from evalschema.settings import Settings
    from evalschema.workspace.reading import Unit


def check_workspace(folder: str | os.PathLike[str], settings: Settings = DEFAULT) -> Iterator[Result]:
    """Check all documents under a folder, and across the files of every workspace in it.

    One result a file, sorted by path, with everything that was found in it. A workspace is a folder that holds evals,
    configurations and gradings, in any of the forms that people write; there may be several, and none. Every file is
    read once, and a workspace is held in memory until its last file was told. What is no folder is checked as a file.
    Raises `RuleError` when a rule crashes.
    """
    name = os.fspath(folder)
    if os.path.isdir(name):
        return _results(Folder(name, settings), settings)
    return iter((check_file(name, settings=settings),))


def _results(folder: Folder, settings: Settings) -> Iterator[Result]:
    waiting = folder.waiting()
    judged: set[Unit] = set()
    done: dict[str, Result] = {}
    for path in folder.paths:
        if waiting:
            for unit in [unit for above in folder.above(path) for unit in waiting.pop(above, ())]:
                if unit not in judged:
                    judged.add(unit)
                    done |= judged_together(folder, unit, settings)
        if path in done:
            yield done.pop(path)
        elif is_document(path):
            yield check_file(path, settings=settings)


def judged_together(folder: Folder, unit: Unit, settings: Settings) -> dict[str, Result]:
    """The results of all files that the workspaces of a unit are made of, by path."""
    reader = Reader(settings)
    for workspace in folder.workspaces(unit, reader):
        for rule in rules_across():
            for document, finding in rule.judge(workspace):
                document.added.append(finding)
    return {document.path: reader.result(document) for document in reader.documents()}
