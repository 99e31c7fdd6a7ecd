"""A job over many files: results and a quarantine as Parquet, and a manifest that lets it go on where it was stopped.

    into/documents/part-00000.parquet    a row for each document, sound or not
    into/quarantine/part-00000.parquet   those with errors once more, with their text
    into/manifest/part-00000.json        the inputs that are done with the two

A part counts from the moment its manifest is there, which is written last.
"""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from io import BytesIO
from typing import TYPE_CHECKING, Any, NamedTuple

from evalschema import __version__
from evalschema.catalog import checked_kind
from evalschema.draft import Draft
from evalschema.errors import SettingsError
from evalschema.integrations._extras import needed
from evalschema.integrations.arrow import documents_table
from evalschema.integrations.pool import Event, Input, Work, events, is_local, listed
from evalschema.settings import DEFAULT, Settings

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from evalschema._generated.kinds import Kind
    from evalschema.integrations.rows import DocumentRow

PART_ROWS = 20_000
# Texts in the quarantine of one part are held until it is written.
PART_TEXT = 64 * 2**20
# What may go better the next time, and so is tried again.
_PASSING = ("input.", "internal")


@dataclass(frozen=True, slots=True)
class Summary:
    """What a job did: `documents` it checked, how many of them were `bad`, and how many inputs it `skipped` as done."""

    documents: int
    bad: int
    skipped: int


def run(
    urls: Iterable[str],
    into: str | os.PathLike[str],
    kind: Kind | None = None,
    settings: Settings = DEFAULT,
    *,
    workers: int | None = None,
    storage_options: Mapping[str, Any] | None = None,
    part_rows: int = PART_ROWS,
) -> Summary:
    """Check what the URLs and paths lead to, and write the results to a folder: a path or a URL of its own.

    Started again with the same folder, it goes on: an input that its store calls unchanged is not read; one with equal
    SHA-256 is not checked; a JSON Lines file is read on behind the last line that was written. A file that could not be
    read, or crashed, is tried again. One process at a time may write to a folder.

    Raises `SettingsError` when the folder holds results of another version of evalschema, of another kind or of other
    settings; and `UnknownKindError`.
    """
    if kind is not None:
        checked_kind(kind)
    work = Work(kind, settings, storage_options or {}, keep_text=True)
    folder = _Folder(os.fspath(into), work)
    documents = bad = 0
    try:
        for event in events(folder.open(listed(urls, work.storage_options)), work, workers):
            folder.add(event)
            if event.row is not None:
                documents += 1
                bad += not event.row.ok
            if len(folder.part.rows) >= part_rows or folder.part.text >= PART_TEXT:
                folder.write()
    finally:
        # what is known is kept, also when the job is interrupted
        folder.write()
    return Summary(documents, bad, folder.skipped)


class _Done(NamedTuple):
    """How far an input is: `record` is the last line that was written, `closed` that there is no more."""

    state: str | None
    digest: str | None
    record: int
    closed: bool


@dataclass(slots=True)
class _Part:
    """What the next part will hold."""

    rows: list[DocumentRow] = field(default_factory=list["DocumentRow"])
    done: dict[str, _Done] = field(default_factory=dict[str, _Done])
    text: int = 0


class _Folder:
    def __init__(self, into: str, work: Work) -> None:
        self._system, self._root = needed("fsspec.core", "fsspec").url_to_fs(into, **work.storage_options)
        self._judged_by = _fingerprint(work)
        self._number = 0
        self._done: dict[str, _Done] = {}
        self.skipped = 0
        self.part = _Part()
        while (manifest := self._manifest(self._number)) is not None:
            if manifest["version"] != __version__:
                version = manifest["version"]
                raise SettingsError(
                    f"{into} holds results of evalschema {version}, not {__version__}: name another folder"
                )
            if manifest["judged_by"] != self._judged_by:
                raise SettingsError(f"{into} holds results of another kind or other settings: name another folder")
            self._done.update({url: _Done(*done) for url, done in manifest["inputs"].items()})
            self._number += 1

    def open(self, inputs: Iterable[Input]) -> Iterator[Input]:
        """The inputs that are not done, each with what is known of it."""
        for each in inputs:
            done = self._done.get(each.url)
            if done is None:
                yield each
            elif done.closed and each.state is not None and done.state == each.state:
                self.skipped += 1
            elif done.digest is not None:
                yield each._replace(digest=done.digest)
            elif done.state == each.state:
                yield each._replace(record=done.record)
            else:
                yield each

    def add(self, event: Event) -> None:
        """Note what became known."""
        each, row, done = event
        digest, record = each.digest, each.record
        if row is None:
            self.skipped += digest is not None
        else:
            self.part.rows.append(row)
            self.part.text += len(row.text or b"")
            record = row.record or 0
            digest = None if record else row.digest
            if any(found.code.startswith(_PASSING) for found in row.findings):
                return
        what = _Done(each.state, digest, record, done)
        if self._done.get(each.url) != what:
            self.part.done[each.url] = what

    def write(self) -> None:
        """Write the part, its manifest last, and begin the next."""
        part, self.part = self.part, _Part()
        if not part.rows and not part.done:
            return
        bad = [row for row in part.rows if not row.ok]
        self._put("documents", "parquet", _parquet([row._replace(text=None) for row in part.rows]))
        self._put("quarantine", "parquet", _parquet(bad))
        manifest = {
            "version": __version__,
            "judged_by": self._judged_by,
            "documents": len(part.rows),
            "bad": len(bad),
            "inputs": part.done,
        }
        self._put("manifest", "json", json.dumps(manifest).encode())
        self._number += 1

    def _place(self, table: str, suffix: str, number: int) -> str:
        return f"{self._root}/{table}/part-{number:05}.{suffix}"

    def _manifest(self, number: int) -> dict[str, Any] | None:
        try:
            manifest: dict[str, Any] = json.loads(self._system.cat_file(self._place("manifest", "json", number)))
        except FileNotFoundError:
            return None
        return manifest

    def _put(self, table: str, suffix: str, data: bytes) -> None:
        """Whole or not at all: object stores do so of themselves, on a disk the finished file gets its name."""
        place = self._place(table, suffix, self._number)
        if not is_local(self._system):
            self._system.pipe_file(place, data)
            return
        os.makedirs(os.path.dirname(place), exist_ok=True)
        draft = Draft(place)
        try:
            draft.write(data)
            draft.publish()
        finally:
            draft.close()


def _parquet(rows: list[DocumentRow]) -> bytes:
    buffer = BytesIO()
    needed("pyarrow.parquet", "arrow").write_table(documents_table(rows), buffer, compression="zstd")
    return buffer.getvalue()


def _fingerprint(work: Work) -> str:
    return sha256(json.dumps([work.kind, asdict(work.settings)], sort_keys=True).encode()).hexdigest()
