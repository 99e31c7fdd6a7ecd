"""From the paths on the command line to results."""

from __future__ import annotations

import os
from contextlib import closing
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple

from evalschema.commands._progress import Progress
from evalschema.commands._working import (
    Batch,
    Block,
    Checker,
    Crash,
    Files,
    LinesCrash,
    LinesPart,
    Sound,
    Tree,
    crash,
)
from evalschema.console import safe, say
from evalschema.errors import RuleError, SettingsError
from evalschema.lines import LINES_SUFFIXES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from evalschema._generated.kinds import Kind
    from evalschema.files import LinesEntry
    from evalschema.finding import Finding, Result
    from evalschema.lines import Line
    from evalschema.parallel import Died
    from evalschema.repository import Changed
    from evalschema.settings import Settings
    from evalschema.workspace.reading import Folder


class Sources:
    """The bytes that are checked; those of standard input are kept, for they cannot be had twice."""

    def __init__(self, *, lines: bool) -> None:
        self._all_lines = lines
        self._input: bytes | Finding | None = None

    def has_lines(self, path: str | None) -> bool:
        """Whether the file holds one document a line."""
        return self._all_lines or (path or "").endswith(LINES_SUFFIXES)

    def read(self, path: str) -> bytes | Finding:
        """The bytes, or the finding that says why there are none."""
        from evalschema.files import file_bytes, input_bytes

        if path != "-":
            return file_bytes(path)
        if self._input is None:
            # lines may be more than one document may be
            self._input = input_bytes(-1) if self._all_lines else input_bytes()
        return self._input

    def again(self, path: str | None) -> bytes | None:
        """The bytes once more; None when the file is gone."""
        data = self.read(path) if path is not None else None
        return data if isinstance(data, bytes) else None


# From so many bytes of JSON Lines on, checking takes longer than starting workers.
LARGE_LINES = 1 << 23
# What a worker gets at once: large enough to hide what sending it costs, and small enough that no worker holds much.
_FILES = 256
_LINES, _BYTES = 512, 1 << 20
# How much larger JSON is than what packers make of it, at least.
_PACKED = 4


class _Note(NamedTuple):
    """Something to say when its turn comes."""

    text: str


class _Begun(NamedTuple):
    """From here on come the documents of a folder."""

    folder: str


class _Ended(NamedTuple):
    """The documents of a folder end here."""

    folder: str


class _EndOfLines(NamedTuple):
    """The parts of a JSON Lines file end here."""

    path: str


class Inputs:
    """Checks what the paths lead to, one document after the other, or some at a time in `jobs` worker processes.

    `by_shape` leaves out files whose name others use as well, unless their members are those of a kind. `together`
    looks across the files of the workspaces in a folder, too; a kind or a schema for all files rules that out. Without
    `jobs` there is one for each core where there is much to check. The results and their order depend on none of this.
    `changed` leaves out what has not changed, but not from a workspace in which anything has.
    """

    def __init__(
        self,
        sources: Sources,
        settings: Settings,
        kind: Kind | None,
        schema: dict[str, Any] | None,
        *,
        by_shape: bool,
        together: bool = True,
        jobs: int | None = None,
        changed: Changed | None = None,
    ) -> None:
        self._sources = sources
        self._settings = settings
        self._by_shape = by_shape
        self._together = together and kind is None and schema is None and not sources.has_lines(None)
        self._jobs = jobs
        self._changed = changed
        self._check = Checker(settings, kind, schema, sources.has_lines(None), by_shape)
        self._parcel = _FILES
        self._progress: Progress | None = None
        self.crashed = False

    def results(self, paths: Sequence[str]) -> Iterator[Result]:
        """The results in the order of the paths, folders in that of their files' names.

        Hooks hand over paths in any order: `by_shape` sorts them.
        """
        if self._changed is not None:
            paths = [path for path in paths if self._may_have_changed(path, self._changed)]
        listed = {path: self._listed(path) for path in paths if path != "-" and os.path.isdir(path)}
        files = len(paths) + sum(len(_paths_of(each)) for each in listed.values())
        jobs = self._workers(paths, files)
        # towards the end no worker shall wait long for the others
        self._parcel = max(1, min(_FILES, files // (16 * jobs)))
        items = self._items(sorted(paths) if self._by_shape else paths, listed, several=jobs > 1)
        if jobs > 1:
            from evalschema.parallel import in_order

            told = in_order(items, self._check, jobs, prepare=self._check.prepare)
        else:
            told = ((item, self._check.told(item) if hasattr(item, "parts") else None) for item in items)
        if self._progress is not None:
            listed_files = chain.from_iterable(map(_paths_of, listed.values()))
            self._progress.expect(len(paths) - len(listed) + sum(map(_may_be_document, listed_files)))
            self._progress.expect(sum(map(self._size_of_lines, paths)) // _BYTES)
        with closing(told):
            try:
                for result in self._results(told):
                    self._advance()
                    yield result
            finally:
                self.hide()

    def watch(self) -> None:
        """Show how far it is, while the results are made."""
        self._progress = Progress()

    def hide(self, text: str = "") -> None:
        """Leave the terminal to a text."""
        if self._progress is not None:
            self._progress.hide(text)

    def _advance(self) -> None:
        if self._progress is not None:
            self._progress.advance()

    def _say(self, line: str) -> None:
        self.hide()
        say(line)

    def _listed(self, folder: str) -> Folder | list[str]:
        """The JSON files of a folder; with the workspaces that they make, where those are wanted."""
        if self._together:
            from evalschema.workspace.checking import touched
            from evalschema.workspace.reading import Folder

            found = Folder(folder, self._settings)
            return found if self._changed is None else touched(found, self._settings, self._changed)
        from evalschema.walking import json_files

        files = json_files(folder, self._settings.exclude)
        return files if self._changed is None else list(filter(self._changed.has, files))

    def _may_have_changed(self, path: str, changed: Changed) -> bool:
        """Whether a path is to be looked at: a folder, a file that has changed, or one that nobody knows."""
        if os.path.isdir(path):
            # where git cannot tell, that is said before a long list is made
            changed.any_below(path)
            return True
        if os.path.lexists(path):
            return changed.has(path)
        if changed.names(path):
            raise SettingsError(f"{path} is a revision and no file: write --changed={path}")
        return not changed.has(path)

    def _workers(self, paths: Sequence[str], files: int) -> int:
        if self._jobs is not None:
            return self._jobs
        from evalschema.files import LARGE_FILES

        if files < LARGE_FILES and sum(map(self._size_of_lines, paths)) < LARGE_LINES:
            return 1
        from evalschema.parallel import cores

        return cores()

    def _size_of_lines(self, path: str) -> int:
        """About how many bytes of JSON Lines a file holds."""
        if path == "-" or not self._check.has_lines(path):
            return 0
        try:
            size = os.stat(path).st_size
        except (OSError, ValueError):
            return 0
        return size * _PACKED if path.endswith((".gz", ".zst")) else size

    def _items(self, paths: Sequence[str], listed: Mapping[str, Folder | list[str]], *, several: bool) -> Iterator[Any]:
        """Tasks, and between them what is to be told without any work, all in order."""
        from evalschema.walking import matcher

        excluded = matcher(self._settings.exclude)
        files: list[str] = []
        for path in paths:
            is_file = path != "-" and path not in listed and not excluded(path)
            lines = self._parts_of_lines(path) if is_file and not self._by_shape else None
            if is_file and lines is None:
                files.append(path)
            if files and (not is_file or lines is not None or (several and len(files) >= self._parcel)):
                yield Files(tuple(files))
                files = []
            if lines is not None:
                yield from lines
            elif path in listed:
                yield _Begun(path)
                yield from self._parts_of_folder(path, listed[path], several=several)
                yield _Ended(path)
            elif path == "-":
                yield from self._from_input()
            elif not is_file and not self._by_shape:
                yield _Note(f"{safe(path)}: excluded by the configuration")
        if files:
            yield Files(tuple(files))

    def _parts_of_folder(self, path: str, listed: Folder | list[str], *, several: bool) -> Iterator[Files | Tree]:
        if isinstance(listed, list):
            size = self._parcel if several else len(listed) or 1
            yield from (Files(listed[at : at + size], True) for at in range(0, len(listed), size))
        elif not several:
            yield Tree(path, listed.paths, self._settings, listed)
        else:
            from evalschema.workspace.checking import pieces

            for some, has_workspace in pieces(listed, self._parcel):
                yield Tree(path, some, self._settings) if has_workspace else Files(some, True)

    def _parts_of_lines(self, path: str) -> Iterator[Any] | None:
        """The parts of a file of lines that is worth being cut; None for every other."""
        if self._size_of_lines(path) < 2 * _BYTES or not os.path.isfile(path):
            return None
        from evalschema.files import stream_of
        from evalschema.finding import Finding

        stream = stream_of(path)
        return None if isinstance(stream, Finding) else self._cut(path, stream)

    def _cut(self, path: str, stream: BinaryIO) -> Iterator[Any]:
        from evalschema.lines import sections

        with stream:
            found = sections(stream, _BYTES)
            if found is None:
                stream.seek(0)
                yield from self._batches(path, stream)
            else:
                status = os.fstat(stream.fileno())
                for start, end in found:
                    yield Block(path, start, end, (status.st_dev, status.st_ino))
        yield _EndOfLines(path)

    def _batches(self, path: str, stream: BinaryIO) -> Iterator[Any]:
        """What is packed is unpacked here, for it can only be read from its beginning."""
        from evalschema.lines import BrokenStreamError, lines_of
        from evalschema.reading import SIZE_LIMIT

        waiting: list[bytes] = []
        held = 0
        broken: BrokenStreamError | None = None
        lines = lines_of(stream)
        with closing(lines):
            try:
                for _, line, size in lines:
                    if waiting and (len(waiting) == _LINES or held + size > _BYTES):
                        yield Batch(path, waiting)
                        waiting, held = [], 0
                    if size > SIZE_LIMIT:
                        yield self._check.lines(path, [(1, b"", size)])
                    else:
                        waiting.append(line)
                        held += size
            except BrokenStreamError as reason:
                broken = reason
        if waiting:
            yield Batch(path, waiting)
        if broken:
            yield self._check.lines(path, _broken(broken))

    def _from_input(self) -> Iterator[Any]:
        """The result of standard input, which only this process can read."""
        from evalschema.files import check_bytes, check_lines_file
        from evalschema.validator import result

        kind, settings, data = self._check.kind, self._settings, self._sources.read("-")
        if self._by_shape and not self._check.is_ours("-", data):
            return
        if not isinstance(data, bytes):
            yield result([data], kind, settings, "-")
            return
        check = check_lines_file if self._check.has_lines("-") else check_bytes
        try:
            yield check(data, kind, path="-", schema=self._check.schema, settings=settings)
        except RuleError as bug:
            yield crash("-", bug)

    def _results(self, told: Iterable[tuple[Any, Any]]) -> Iterator[Result]:
        """What is told, as results; what is to be said beside them is said when its turn comes."""
        from evalschema.finding import Result
        from evalschema.parallel import Died

        empty, lines = True, _Lines()
        for item, outcome in told:
            if isinstance(item, _Note):
                self._say(item.text)
            elif isinstance(item, _Begun):
                empty = True
            elif isinstance(item, _Ended):
                if empty and self._changed is None:
                    there = self._what_is_there(item.folder)
                    self._say(f"{safe(item.folder)}: no documents found in this folder ({there})")
            elif isinstance(item, _EndOfLines):
                yield self._entry(item.path, lines)
                lines = _Lines()
            elif isinstance(item, Block | Batch):
                self._advance()
                lines.add(
                    self._dead_line(item.path, lines, outcome) if isinstance(outcome, Died) else next(iter(outcome))
                )
            elif isinstance(item, LinesPart | LinesCrash):
                lines.add(item)
            elif isinstance(item, Result | Crash):
                yield self._result(item)
            else:
                for each in [_dead(item.paths[0], outcome)] if isinstance(outcome, Died) else outcome:
                    empty = False
                    yield self._result(each)

    def _result(self, told: Sound | Crash | Result) -> Result:
        if isinstance(told, Sound):
            from evalschema.finding import Result

            return Result((), told.kind, told.path)
        return self._crashed(told) if isinstance(told, Crash) else told

    def _crashed(self, crash: Crash) -> Result:
        """What stands for a document that a rule of ours crashed on: never a clean result, and the rest goes on."""
        from evalschema.finding import Result

        self._say_crash(crash.path, crash.message)
        return Result((_internal(crash.path, f"{crash.message}; {crash.lost}"),), crash.kind, crash.path)

    def _say_crash(self, path: str, message: str) -> None:
        self.crashed = True
        self._say(f"evalschema: {safe(path)}: {message}")

    def _entry(self, path: str, lines: _Lines) -> Result:
        """The result of a file that was checked in parts."""
        from evalschema.files import configured

        if lines.crash is not None:
            return self._crashed(Crash(path, *lines.crash))
        kind, settings = configured(path, self._check.kind, self._settings)
        return lines.entry(settings).result(kind, path, settings)

    def _dead_line(self, path: str, lines: _Lines, died: Died) -> LinesPart:
        from evalschema.files import LinesEntry

        message = f"the process that checked this document {died.reason}"
        self._say_crash(path, f"line {lines.count + 1:,}: {message}")
        finding = replace(_internal(path, f"{message}; {Crash._field_defaults['lost']}"), line=1, column=1)
        return LinesPart(LinesEntry(1, [finding], {None}), 1)

    def _what_is_there(self, folder: str) -> str:
        """What a person may have meant who checks a folder in which nothing is found."""
        from evalschema.catalog import kinds_of_path
        from evalschema.walking import json_files

        named = [path for path in json_files(folder, self._settings.exclude) if kinds_of_path(path)]
        if not named:
            return "`evalschema kinds` lists the names"
        files = "1 file bears" if len(named) == 1 else f"{len(named):,} files bear"
        return f"{files} the name of a kind and hold none of its members; to check one all the same: {safe(named[0])}"


class _Lines:
    """What is known of a JSON Lines file so far: of the parts before which nothing is missing."""

    def __init__(self) -> None:
        self.count = 0
        self.crash: LinesCrash | None = None
        self._parts: list[tuple[LinesEntry, int]] = []

    def add(self, part: LinesPart | LinesCrash) -> None:
        """Add the part that lies behind the others."""
        if isinstance(part, LinesCrash):
            self.crash = self.crash or part
        else:
            self._parts.append((part.entry, self.count))
            self.count += part.lines

    def entry(self, settings: Settings) -> LinesEntry:
        """All parts together."""
        from evalschema.files import LinesEntry

        whole = LinesEntry(settings.max_findings)
        for part, behind in self._parts:
            whole.join(part, behind)
        return whole


def _paths_of(listed: Folder | list[str]) -> Sequence[str]:
    return listed if isinstance(listed, list) else listed.paths


def _may_be_document(path: str) -> bool:
    from evalschema.catalog import kinds_of_path

    return bool(kinds_of_path(path))


def _dead(path: str, died: Died) -> Crash:
    return Crash(path, f"the process that checked this document {died.reason}", None)


def _internal(path: str, message: str) -> Finding:
    from evalschema.finding import Finding

    return Finding("internal", "internal-error", "error", "", message, path=path)


def _broken(reason: Exception) -> Iterator[Line]:
    yield from ()
    raise reason
