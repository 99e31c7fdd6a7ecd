"""Files and objects wherever fsspec finds them, checked by several processes (`evalschema[fsspec]`, `evalschema[s3]`).

The workers read whole files themselves, so that reading and checking both spread over them. Lines of JSON Lines files
are read here and handed out in parcels: one large file keeps all workers busy.
"""

from __future__ import annotations

import os
from collections import deque
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from hashlib import sha256
from typing import TYPE_CHECKING, Any, NamedTuple

from evalschema.catalog import checked_kind
from evalschema.files import file_bytes, too_long
from evalschema.finding import Finding
from evalschema.integrations._extras import needed
from evalschema.integrations.batch import crashed, row_of, unreadable, validate_batch
from evalschema.lines import LINES_SUFFIXES, BrokenStreamError, lines_of
from evalschema.parallel import cores
from evalschema.reading import SIZE_LIMIT
from evalschema.settings import DEFAULT, Settings

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from concurrent.futures import Future

    from evalschema._generated.kinds import Kind
    from evalschema.integrations.rows import DocumentRow

# A parcel is large enough to hide what sending it costs, and small enough that no worker holds much.
PARCEL_FILES = 64
PARCEL_LINES = 512
PARCEL_BYTES = 1 << 20
# What stores call the marks that change with the content of an object.
_MARKS = ("size", "ETag", "etag", "md5Hash", "mtime", "LastModified", "last_modified", "updated")


class Input(NamedTuple):
    """A file or object. `state` is what its store says of its content; None where that was not asked.

    `digest` is the SHA-256 that its content had before, `record` the line of a JSON Lines file up to which all is done.
    """

    url: str
    state: str | None = None
    digest: str | None = None
    record: int = 0


class Event(NamedTuple):
    """Something that is known: a row, or None where the content is still what it was; `done` closes the input."""

    input: Input
    row: DocumentRow | None
    done: bool


@dataclass(frozen=True, slots=True)
class Work:
    """What every worker needs to know."""

    kind: Kind | None = None
    settings: Settings = DEFAULT
    storage_options: Mapping[str, Any] = field(default_factory=dict[str, Any])
    keep_text: bool = False


def check_urls(
    urls: Iterable[str],
    kind: Kind | None = None,
    settings: Settings = DEFAULT,
    *,
    workers: int | None = None,
    storage_options: Mapping[str, Any] | None = None,
    keep_text: bool = False,
) -> Iterator[DocumentRow]:
    """Check what the URLs and paths lead to, globs included: one row for each document, in their order.

    `workers` are processes, by default one for each core; with 0 all is done here. `storage_options` go to fsspec. A
    document that cannot be read, or that kills a worker, gives a row that says so.

    Raises `UnknownKindError`, ValueError for a URL that fsspec does not know, and what a store raises that cannot list.

    The workers import the main module anew: a script needs `if __name__ == "__main__":`.
    """
    if kind is not None:
        checked_kind(kind)
    work = Work(kind, settings, storage_options or {}, keep_text)
    for event in events(listed(urls, work.storage_options), work, workers):
        if event.row is not None:
            yield event.row


def listed(urls: Iterable[str], storage_options: Mapping[str, Any]) -> Iterator[Input]:
    """The inputs that URLs stand for; the files that a glob matches, sorted by name, with their states."""
    url_to_fs = needed("fsspec.core", "fsspec").url_to_fs
    for url in urls:
        system, path = url_to_fs(url, **storage_options)
        local = is_local(system)
        if any(sign in path for sign in "*?[") and not (local and os.path.exists(path)):
            chain = url.partition("::")[2]
            system.invalidate_cache()  # what was listed before may be of another day
            for name, info in sorted(system.glob(path, detail=True).items()):
                if info["type"] == "file":
                    full = name if local else system.unstrip_protocol(name)
                    yield Input(f"{full}::{chain}" if chain else full, _state(info))
        elif local or url.endswith(LINES_SUFFIXES):
            yield Input(url, _asked_state(system, path))
        else:
            # asking an object store costs as much as reading a small object
            yield Input(url)


def is_local(system: Any) -> bool:
    """Whether a file system of fsspec is that of this machine."""
    return "file" in ((system.protocol,) if isinstance(system.protocol, str) else system.protocol)


def _state(info: Mapping[str, Any]) -> str:
    return " ".join(str(info[mark]) for mark in _MARKS if info.get(mark) is not None)


def _asked_state(system: Any, path: str) -> str | None:
    try:
        return _state(system.info(path))
    except Exception:
        # whatever it is, reading meets it as well, and says so in a row
        return None


class Parcel(NamedTuple):
    """What a worker gets at once: inputs to read, or lines of one input with their numbers."""

    inputs: tuple[Input, ...]
    records: tuple[int, ...] = ()
    lines: tuple[bytes, ...] = ()

    def split(self) -> list[Parcel]:
        """A parcel for each document."""
        if not self.records:
            return [Parcel((each,)) for each in self.inputs]
        pairs = zip(self.records, self.lines, strict=True)
        return [Parcel(self.inputs, (record,), (line,)) for record, line in pairs]

    def events(self, rows: Iterable[DocumentRow | None]) -> Iterator[Event]:
        """What became known: a row for each document, in order."""
        if self.records:
            return (Event(self.inputs[0], row, False) for row in rows)
        return (Event(each, row, True) for each, row in zip(self.inputs, rows, strict=True))


def events(inputs: Iterable[Input], work: Work, workers: int | None = None) -> Iterator[Event]:
    """What becomes known of the inputs, in their order; a JSON Lines file is closed by an event without a row."""
    parcels = _parcels(inputs, work.storage_options)
    if workers == 0:
        for parcel in parcels:
            yield from parcel.events(_checked(parcel, work)) if isinstance(parcel, Parcel) else (parcel,)
        return
    crew = Crew(workers or cores(), work)
    try:
        yield from crew.events(parcels)
    finally:
        crew.close()


def _parcels(inputs: Iterable[Input], storage_options: Mapping[str, Any]) -> Iterator[Parcel | Event]:
    """Parcels to check, and between them what is known without checking."""
    waiting: list[Input] = []
    for each in inputs:
        has_lines = each.url.partition("::")[0].endswith(LINES_SUFFIXES)
        if not has_lines:
            waiting.append(each)
        if waiting and (has_lines or len(waiting) == PARCEL_FILES):
            yield Parcel(tuple(waiting))
            waiting = []
        if has_lines:
            yield from _parcels_of_lines(each, storage_options)
    if waiting:
        yield Parcel(tuple(waiting))


def _parcels_of_lines(each: Input, storage_options: Mapping[str, Any]) -> Iterator[Parcel | Event]:
    stream = _opened(each.url, storage_options)
    if isinstance(stream, Finding):
        yield Event(each, row_of(stream, each.url), False)
        return
    records: list[int] = []
    texts: list[bytes] = []
    held = record = 0
    with stream:
        try:
            for record, line, size in lines_of(stream):
                if record <= each.record or not line.strip():
                    continue
                if size > len(line):
                    found = too_long(size, None, each.url, DEFAULT, record).findings[0]
                    yield Event(each, row_of(found, each.url, record), False)
                    continue
                records.append(record)
                texts.append(line)
                held += size
                if held >= PARCEL_BYTES or len(records) == PARCEL_LINES:
                    yield Parcel((each,), tuple(records), tuple(texts))
                    records, texts, held = [], [], 0
        except BrokenStreamError as error:
            broken = str(error)
        else:
            broken = ""
    if records:
        yield Parcel((each,), tuple(records), tuple(texts))
    if broken:
        yield Event(each, row_of(unreadable(broken), each.url, record + 1), False)
    else:
        yield Event(each._replace(record=record), None, True)


def _opened(url: str, storage_options: Mapping[str, Any]) -> Any:
    """The stream, or the finding that says why there is none."""
    try:
        system, path = needed("fsspec.core", "fsspec").url_to_fs(url, **storage_options)
        if is_local(system) and not os.path.isfile(path):
            return file_bytes(path)
        return system.open(path, "rb")
    except Exception as error:
        return _why(error)


def _why(error: Exception) -> Finding:
    if isinstance(error, FileNotFoundError):
        return Finding("input.missing", "missing-file", "error", "", "there is no such file or object")
    return unreadable(f"cannot be read: {type(error).__name__}: {error}")


def _checked(parcel: Parcel, work: Work) -> list[DocumentRow | None]:
    """The rows of a parcel, in its order; None for an input whose content has the digest that it had."""
    paths = [each.url for each in parcel.inputs]
    if parcel.records:
        paths *= len(parcel.records)
        rows = validate_batch(
            paths, parcel.lines, work.kind, work.settings, records=parcel.records, keep_text=work.keep_text
        )
        return list(rows)
    found: list[DocumentRow | None] = []
    for each, data in zip(parcel.inputs, _read(paths, work.storage_options), strict=True):
        if isinstance(data, Finding):
            found.append(row_of(data, each.url))
        elif each.digest is not None and sha256(data).hexdigest() == each.digest:
            found.append(None)
        else:
            found += validate_batch([each.url], [data], work.kind, work.settings, keep_text=work.keep_text)
    return found


def _read(urls: list[str], storage_options: Mapping[str, Any]) -> list[bytes | Finding]:
    """The content of each, or why there is none; those of one store at once, as many of them answer many at once."""
    url_to_fs = needed("fsspec.core", "fsspec").url_to_fs
    contents: list[bytes | Finding] = [b""] * len(urls)
    remote: dict[Any, list[tuple[int, str]]] = {}
    for index, url in enumerate(urls):
        if os.path.isabs(url):
            contents[index] = file_bytes(url)
            continue
        try:
            system, path = url_to_fs(url, **storage_options)
        except Exception as error:
            contents[index] = _why(error)
            continue
        if is_local(system):
            contents[index] = file_bytes(path)
        else:
            remote.setdefault(system, []).append((index, path))
    for system, places in remote.items():
        paths = [path for _, path in places]
        parts = system.cat_ranges(paths, 0, SIZE_LIMIT + 1, on_error="return")
        for (index, path), part in zip(places, parts, strict=True):
            contents[index] = part if isinstance(part, bytes) else _read_one(system, path)
    return contents


def _read_one(system: Any, path: str) -> bytes | Finding:
    """The whole object: some stores refuse a range of one that is empty."""
    try:
        content: bytes = system.cat_file(path)
    except Exception as error:
        return _why(error)
    return content


class Crew:
    """Worker processes. When one dies, what they held is checked anew, alone, until the culprit is known."""

    def __init__(self, workers: int, work: Work) -> None:
        self._workers = workers
        self._work = work
        self._executor = _executor(workers)

    def events(self, parcels: Iterable[Parcel | Event]) -> Iterator[Event]:
        """The events of all parcels, in order; few parcels are under way at a time."""
        pending: deque[tuple[Parcel, Future[list[DocumentRow | None]]] | Event] = deque()
        for parcel in parcels:
            pending.append((parcel, self._submit(parcel)) if isinstance(parcel, Parcel) else parcel)
            if len(pending) > 2 * self._workers:
                yield from self._settled(pending.popleft())
        while pending:
            yield from self._settled(pending.popleft())

    def close(self) -> None:
        """Let the workers go; what they have not begun is dropped."""
        self._executor.shutdown(cancel_futures=True)

    def _submit(self, parcel: Parcel) -> Future[list[DocumentRow | None]]:
        try:
            return self._executor.submit(_checked, parcel, self._work)
        except BrokenProcessPool:
            self._executor.shutdown()
            self._executor = _executor(self._workers)
            return self._executor.submit(_checked, parcel, self._work)

    def _settled(self, pending: tuple[Parcel, Future[list[DocumentRow | None]]] | Event) -> Iterator[Event]:
        if isinstance(pending, Event):
            yield pending
            return
        parcel, future = pending
        try:
            yield from parcel.events(future.result())
        except BrokenProcessPool:
            for part in parcel.split():
                yield from part.events(self._alone(part))

    def _alone(self, parcel: Parcel) -> list[DocumentRow | None]:
        with _executor(1) as executor:
            try:
                return executor.submit(_checked, parcel, self._work).result()
            except BrokenProcessPool:
                record = parcel.records[0] if parcel.records else None
                data = parcel.lines[0] if parcel.lines else b""
                died = crashed("the process that checked the document died")
                return [row_of(died, parcel.inputs[0].url, record, data, keep_text=self._work.keep_text)]


def _executor(workers: int) -> ProcessPoolExecutor:
    import multiprocessing

    # a fork would copy the threads' locks of the stores' clients
    method = "forkserver" if "forkserver" in multiprocessing.get_all_start_methods() else "spawn"
    return ProcessPoolExecutor(workers, multiprocessing.get_context(method), initializer=_begin)


def _begin() -> None:
    """Make this process a worker: an interrupt is for the parent to handle, and without it there is nothing to do."""
    import signal
    import threading
    from multiprocessing import parent_process

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = parent_process()

    def leave() -> None:
        if parent is not None:
            parent.join()
            os._exit(1)

    threading.Thread(target=leave, daemon=True).start()
