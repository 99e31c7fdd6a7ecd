"""What is checked at a time, here or in a worker process: some files, a part of a folder, a part of a file of lines."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, TypeGuard

from evalschema.errors import RuleError
from evalschema.lines import LINES_SUFFIXES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from evalschema._generated.kinds import Kind
    from evalschema.files import LinesEntry
    from evalschema.finding import Finding, Result
    from evalschema.lines import Line
    from evalschema.settings import Settings
    from evalschema.workspace.reading import Folder


class Sound(NamedTuple):
    """All that has to be said of a document in which nothing was found."""

    path: str | None
    kind: str | None


class Crash(NamedTuple):
    """A document, or a workspace, on which a rule of ours crashed; `lost` says what is not known now."""

    path: str
    message: str
    kind: str | None
    lost: str = "nothing can be said about this document"


class LinesPart(NamedTuple):
    """What is known of a part of a JSON Lines file, and how many lines it has."""

    entry: LinesEntry
    lines: int


class LinesCrash(NamedTuple):
    """A part of a JSON Lines file on which a rule of ours crashed."""

    message: str
    kind: str | None


ALONE = "its files were checked each by itself"
Told: TypeAlias = "Sound | Crash | LinesPart | LinesCrash | Result"


@dataclass(frozen=True, slots=True)
class Files:
    """Files, each checked by itself; those of a folder only where they are documents.

    `again` is one that killed a worker before.
    """

    paths: Sequence[str]
    of_folder: bool = False
    again: bool = False

    def parts(self) -> list[Files]:
        """Each file alone; nothing when it was tried alone before."""
        return [] if self.again else [replace(self, paths=(path,), again=True) for path in self.paths]


@dataclass(frozen=True, slots=True)
class Tree:
    """Files of a folder that hold whole workspaces; `laid_out` is the folder where it is at hand."""

    folder: str
    paths: Sequence[str]
    settings: Settings
    laid_out: Folder | None = None
    again: bool = False

    def parts(self) -> list[Any]:
        """The workspaces one by one, then, where one cannot be judged, that this is so and its files."""
        from evalschema.workspace.checking import pieces, top_of

        folder = self.folder_of()
        if not self.again:
            cut = pieces(folder, 1)
            return [replace(self, paths=p, again=True) if w else Files(p, True, True) for p, w in cut]
        top = top_of(folder, folder.units())
        died = Crash(top, "the process that judged this workspace died", None, ALONE)
        return [died, *(Files((path,), True, True) for path in self.paths)]

    def folder_of(self) -> Folder:
        """The folder that holds these files alone."""
        from evalschema.workspace.reading import Folder

        return self.laid_out or Folder(self.folder, self.settings, self.paths)


@dataclass(frozen=True, slots=True)
class Block:
    """A part of a JSON Lines file: from and to which byte. `mark` tells whether it is still the same file."""

    path: str
    start: int
    end: int
    mark: tuple[int, int]
    again: bool = False

    def parts(self) -> list[Block]:
        """Each line alone; nothing when it was tried alone before."""
        return [] if self.again else list(self._lines())

    def _lines(self) -> Iterator[Block]:
        from evalschema.files import stream_of
        from evalschema.finding import Finding
        from evalschema.lines import lines_between

        stream = stream_of(self.path)
        if isinstance(stream, Finding):
            yield replace(self, again=True)  # gone: this says so
            return
        start = self.start
        with stream:
            for _, _, size in lines_between(stream, self.start, self.end):
                end = min(start + size + 1, self.end)
                yield replace(self, start=start, end=end, again=True)
                start = end


@dataclass(frozen=True, slots=True)
class Batch:
    """Lines of a JSON Lines file that was read already."""

    path: str
    lines: Sequence[bytes]
    again: bool = False

    def parts(self) -> list[Batch]:
        """Each line alone; nothing when it was tried alone before."""
        return [] if self.again else [replace(self, lines=(line,), again=True) for line in self.lines]


@dataclass(frozen=True, slots=True)
class Checker:
    """Checks tasks, in whatever process. `all_lines`: every file is one of lines; `by_shape` as in `Inputs`."""

    settings: Settings
    kind: Kind | None
    schema: dict[str, Any] | None
    all_lines: bool
    by_shape: bool

    def has_lines(self, path: str) -> bool:
        """Whether the file holds one document a line."""
        return self.all_lines or path.endswith(LINES_SUFFIXES)

    def prepare(self) -> None:
        """Load what every document needs."""
        from evalschema.files import check_bytes

        check_bytes(b"[]", "trigger_evals")

    def __call__(self, task: Files | Tree | Block | Batch) -> list[Told]:
        """What has to be told, in order, and as little as can be."""
        from evalschema.finding import Result

        def is_sound(told: Told) -> TypeGuard[Result]:
            return isinstance(told, Result) and not told.findings and not told.truncated

        return [Sound(each.path, each.kind) if is_sound(each) else each for each in self.told(task)]

    def told(self, task: Files | Tree | Block | Batch) -> Iterator[Told]:
        """The same in this process: one after the other, as it is."""
        if isinstance(task, Files):
            return self._files(task)
        if isinstance(task, Tree):
            return self._tree(task)
        return iter((self.lines(task.path, _lines_of(task)),))

    def _files(self, task: Files) -> Iterator[Result | Crash]:
        from evalschema.files import check_file, check_lines_file, file_bytes
        from evalschema.walking import is_document

        for path in task.paths:
            if is_document(path) if task.of_folder else not self.by_shape or self.is_ours(path, file_bytes(path)):
                # read line by line: such a file may be larger than one document may be
                check = check_lines_file if self.has_lines(path) else check_file
                try:
                    yield check(path, self.kind, schema=self.schema, settings=self.settings)
                except RuleError as bug:
                    yield crash(path, bug)

    def is_ours(self, path: str, data: bytes | Finding) -> bool:
        """Whether the members are those of a kind (the one asked for, if any), or the name can mean nothing else."""
        from evalschema.catalog import is_general, kinds_of_path, kinds_of_shape, members
        from evalschema.reading import Unreadable, read, without_bom

        named = kinds_of_path(path)
        general = bool(named) and is_general(path)
        if not general and self.kind is None:
            return True
        if not isinstance(data, bytes):
            return True
        try:
            shaped = kinds_of_shape(read(without_bom(data)))
        except Unreadable:
            return not general or any(f'"{name}"'.encode() in data for kind in named for name in members(kind))
        if self.kind is None:
            return bool(shaped)
        return self.kind in shaped or (not shaped and not general)

    def _tree(self, task: Tree) -> Iterator[Result | Crash]:
        from evalschema.workspace.checking import check_folder

        def crashed(path: str, bug: RuleError) -> Crash:
            lost = ALONE if os.path.isdir(path) else Crash._field_defaults["lost"]
            return Crash(path, str(bug), bug.kind, lost)

        return check_folder(task.folder_of(), task.settings, crashed)

    def lines(self, path: str, lines: Iterable[Line]) -> LinesPart | LinesCrash:
        """What is known of some lines of a file."""
        from evalschema.files import LinesEntry, checked_lines, configured

        kind, settings = configured(path, self.kind, self.settings)
        part = LinesEntry(settings.max_findings)
        counted = _Counted(lines)
        try:
            for _, result in checked_lines(counted, kind, path=path, schema=self.schema, settings=settings):
                part.add(result)
        except RuleError as bug:
            return LinesCrash(str(bug), bug.kind)
        return LinesPart(part, counted.number)


def crash(path: str, bug: RuleError) -> Crash:
    """What is known when a rule crashed."""
    return Crash(path, str(bug), bug.kind)


class _Counted:
    """Lines, and the number of the last one."""

    def __init__(self, lines: Iterable[Line]) -> None:
        self._lines = lines
        self.number = 0

    def __iter__(self) -> Iterator[Line]:
        for line in self._lines:
            self.number = line[0]
            yield line


def _lines_of(task: Block | Batch) -> Iterator[Line]:
    if isinstance(task, Batch):
        yield from ((number, line, len(line)) for number, line in enumerate(task.lines, 1))
        return
    from evalschema.files import stream_of
    from evalschema.finding import Finding
    from evalschema.lines import BrokenStreamError, lines_between

    stream = stream_of(task.path)
    if isinstance(stream, Finding):
        raise BrokenStreamError(stream.message)
    with stream:
        status = os.fstat(stream.fileno())
        if (status.st_dev, status.st_ino) != task.mark or status.st_size < task.end:
            raise BrokenStreamError("was replaced or cut while it was read")
        yield from lines_between(stream, task.start, task.end)
