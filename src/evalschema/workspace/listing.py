"""Which files of a folder are read and as what, which are missing, and which are not understood."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from evalschema.excerpt import excerpt
from evalschema.walking import is_document
from evalschema.workspace.layout import BENCHMARK, GRADING, METADATA, OUTPUTS, TIMING
from evalschema.workspace.reading import Folder, Reader

if TYPE_CHECKING:
    from collections.abc import Iterator

    from evalschema.settings import Settings
    from evalschema.workspace.model import Document, Workspace

READ, MISSING, UNKNOWN = "read", "missing", "not understood"


def listing(folder: str | os.PathLike[str], settings: Settings) -> Iterator[str]:
    """The lines: a heading for each workspace with its files under it, then the documents that belong to none.

    Files in `outputs/` that are no documents are what runs produced; they are not listed.
    """
    place, reader = Folder(os.fspath(folder), settings), Reader(settings)
    told: set[str] = set()
    for unit in place.units():
        for workspace in place.workspaces(unit, reader):
            rows = {**_read(workspace), **_missing(workspace)}
            if not _is_below(workspace.root, place.folder):
                # what lies above the folder was not looked at, so that nobody knows what is missing there
                rows.pop(os.path.join(workspace.root, BENCHMARK), None)
            told |= set(rows)
            for path in place.paths:
                if path not in told and _is_below(path, workspace.root) and not _is_output(path, workspace.root):
                    rows[path] = _other(path, reader)
                    told.add(path)
            yield f"{excerpt(workspace.root, 1000)}: {_size(workspace)}"
            yield from _lines(rows)
    rest = {path: _other(path, reader) for path in place.paths if path not in told and is_document(path)}
    if rest:
        yield f"{excerpt(place.folder, 1000)}: {len(rest)} in no workspace"
        yield from _lines(rest)


def _lines(rows: dict[str, tuple[str, str]]) -> Iterator[str]:
    for path, (status, what) in sorted(rows.items()):
        yield f"  {status:<16}{excerpt(path, 1000)}{f'  ({what})' if what else ''}"


def _size(workspace: Workspace) -> str:
    counts = (
        (len(workspace.evals), "eval"),
        (len(workspace.configurations), "configuration"),
        (len(workspace.graded), "grading"),
    )
    return ", ".join(f"{count} {noun}{'' if count == 1 else 's'}" for count, noun in counts)


def _read(workspace: Workspace) -> dict[str, tuple[str, str]]:
    """The files of a workspace, with what they are read as."""
    rows: dict[str, tuple[str, str]] = {}

    def add(document: Document | None, what: str) -> None:
        if document is not None:
            rows[document.path] = (READ, what)

    add(workspace.benchmark, "benchmark")
    add(workspace.history, "history")
    for document in (*workspace.comparisons, *workspace.analyses):
        add(document, document.kind or "")
    for each in workspace.evals:
        add(each.metadata, f"metadata of {each}")
        for run in each.runs:
            hidden = "" if run.is_looked_at else ", where the official aggregator does not look"
            add(run.metadata, f"metadata of {each}")
            add(run.grading, f"grading of {run}{hidden}")
            add(run.timing, f"timing of {run}")
            add(run.metrics, f"metrics of {run}")
    return rows


def _missing(workspace: Workspace) -> dict[str, tuple[str, str]]:
    """The files that a complete workspace has and this one has not."""
    rows: dict[str, tuple[str, str]] = {}
    if workspace.evals and workspace.benchmark is None:
        rows[os.path.join(workspace.root, BENCHMARK)] = (MISSING, "evalschema aggregate makes it")
    for each in workspace.evals:
        if each.metadata is None:
            rows[os.path.join(each.folder, METADATA)] = (MISSING, f"metadata of {each}")
        for run in each.runs:
            for name, document in ((GRADING, run.grading), (TIMING, run.timing)):
                if document is None and run.folder != each.folder:
                    rows[os.path.join(run.folder, name)] = (MISSING, f"{name.removesuffix('.json')} of {run}")
    return rows


def _other(path: str, reader: Reader) -> tuple[str, str]:
    """A file that no workspace needs: a document by itself, or not understood."""
    if not is_document(path):
        return UNKNOWN, ""
    kind = reader.document(path).kind
    return (READ, kind) if kind else (UNKNOWN, "")


def _is_below(path: str, folder: str) -> bool:
    return f"{os.path.abspath(path)}{os.sep}".startswith(os.path.abspath(folder).rstrip(os.sep) + os.sep)


def _is_output(path: str, root: str) -> bool:
    return OUTPUTS in os.path.relpath(path, root).split(os.sep) and not is_document(path)
