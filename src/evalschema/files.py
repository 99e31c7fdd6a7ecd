"""A file, bytes, JSON Lines: from where documents lie to results."""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast

from evalschema.catalog import checked_kind, kind_of, kinds_of_path
from evalschema.finding import Finding, Result, split
from evalschema.plain import is_plain
from evalschema.reading import BOM, SIZE_LIMIT, Unreadable, parse, read, refuse_beyond_limits
from evalschema.rules._beside import run_beside
from evalschema.rules._engine import run
from evalschema.settings import DEFAULT, Settings
from evalschema.validator import findings_of, judge_by_schema, result, unknown_kind, unreadable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import BinaryIO

    from evalschema._generated.kinds import Kind
    from evalschema.lines import Line

# From so many files on, checking them takes longer than starting worker processes.
LARGE_FILES = 1000
# Without O_NONBLOCK a named pipe that nobody writes to would hold us for ever.
_READING = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)


def check_bytes(
    data: bytes,
    kind: Kind | None = None,
    *,
    path: str | None = None,
    schema: dict[str, Any] | None = None,
    settings: Settings = DEFAULT,
) -> Result:
    """Check the bytes of one document; findings carry line and column.

    Without `kind` it is told from `$schema`, `path` (a name, nothing is opened) and shape; overrides in `settings` are
    applied to `path`. Raises `UnknownKindError`, `SchemaError` and `RuleError`, never anything because of the document.
    """
    kind, settings = configured(path, kind, settings)
    return _check(data, kind, path, schema, settings)


def check_file(
    path: str | os.PathLike[str],
    kind: Kind | None = None,
    *,
    schema: dict[str, Any] | None = None,
    settings: Settings = DEFAULT,
) -> Result:
    """Check a file as `check_bytes` does; one that is missing, unreadable or no file gets a finding that says so."""
    name = os.fspath(path)
    kind, settings = configured(name, kind, settings)
    data = file_bytes(name)
    if isinstance(data, Finding):
        return result([data], kind, settings, name)
    if schema is not None:
        return _check(data, kind, name, schema, settings)
    return concluded(examine_file(data, kind, name, settings), settings)


def configured(path: str | None, kind: Kind | None, settings: Settings) -> tuple[Kind | None, Settings]:
    """The kind and the settings for a file: what the overrides say that its path fits; a kind that is given wins.

    Raises `UnknownKindError`.
    """
    if settings.overrides and path is not None:
        from evalschema.walking import settings_for

        settings, told = settings_for(path, settings)
        kind = kind or cast("Kind | None", told)
    if kind is not None:
        checked_kind(kind)
    return kind, settings


def check_lines(
    source: bytes | str | os.PathLike[str] | BinaryIO,
    kind: Kind | None = None,
    *,
    path: str | None = None,
    schema: dict[str, Any] | None = None,
    settings: Settings = DEFAULT,
) -> Iterator[tuple[int, Result]]:
    """Check JSON Lines: the number of each line that is not empty, from 1, with the result of its document.

    `source` is the bytes, the path of a file, or a binary stream, plain, or packed with gzip or zstd (extra `zstd`);
    one line is held at a time. Pointers are within the document of the line, lines and columns are those of the file.
    A file that cannot be opened gives one result with the number 0, a stream that breaks one with the number where.
    """
    from evalschema.lines import lines_of

    if path is None and isinstance(source, str | os.PathLike):
        path = os.fspath(source)
    kind, settings = configured(path, kind, settings)
    stream = stream_of(source)
    if isinstance(stream, Finding):
        yield 0, result([stream], kind, settings, path)
        return
    lines = lines_of(stream)
    try:
        yield from checked_lines(lines, kind, path=path, schema=schema, settings=settings)
    finally:
        lines.close()
        if stream is not source:
            stream.close()


def checked_lines(
    lines: Iterable[Line],
    kind: Kind | None,
    *,
    path: str | None,
    schema: dict[str, Any] | None,
    settings: Settings,
) -> Iterator[tuple[int, Result]]:
    """As `check_lines`, for lines that are had already, and with the kind and the settings that are `configured`."""
    from dataclasses import replace

    from evalschema.lines import BrokenStreamError

    number, sound = 0, Result((), kind, path)
    try:
        for number, line, size in lines:
            if size > SIZE_LIMIT:
                yield number, too_long(size, kind, path, settings, number)
            elif line.strip():
                # most lines are sound, and of the kind of the line before
                checked = _check(line, kind, path, schema, settings, first_line=number, like=sound)
                if not checked.findings:
                    sound = checked
                yield number, checked
    except BrokenStreamError as reason:
        broken = _input_finding("input.unreadable", "unreadable-file", str(reason), path or "")
        yield number + 1, result([replace(broken, path=path, line=number + 1, column=1)], kind, settings, path)


def stream_of(source: bytes | str | os.PathLike[str] | BinaryIO) -> BinaryIO | Finding:
    """The source as a stream, or the finding that says why there is none."""
    from io import BytesIO

    if isinstance(source, bytes):
        return BytesIO(source)
    if not isinstance(source, str | os.PathLike):
        return source
    descriptor = _opened(os.fspath(source))
    return descriptor if isinstance(descriptor, Finding) else open(descriptor, "rb")


def too_long(size: int, kind: str | None, path: str | None, settings: Settings, number: int) -> Result:
    """The result for a line that is too long to be kept."""
    reason = Unreadable("json.size", f"the document has {size:,} bytes, at most {SIZE_LIMIT:,} are read")
    return concluded(Examined(path, kind, b"", None, [unreadable(reason, kind)], reason), settings, number)


def check_lines_file(
    source: bytes | str | os.PathLike[str] | BinaryIO,
    kind: Kind | None = None,
    *,
    path: str | None = None,
    schema: dict[str, Any] | None = None,
    settings: Settings = DEFAULT,
) -> Result:
    """Check JSON Lines as one entry: all findings together, each with its line; the kind when all lines agree on it."""
    if path is None and isinstance(source, str | os.PathLike):
        path = os.fspath(source)
    entry = LinesEntry(settings.max_findings)
    for _, checked in check_lines(source, kind, path=path, schema=schema, settings=settings):
        entry.add(checked)
    return entry.result(kind, path, settings)


@dataclass(slots=True)
class LinesEntry:
    """What is known of a JSON Lines file so far, at most `limit` findings of it: grows line by line, or part by part.

    `kinds` are those of its documents.
    """

    limit: int
    findings: list[Finding] = field(default_factory=list[Finding])
    kinds: set[str | None] = field(default_factory=set["str | None"])
    truncated: bool = False

    def add(self, checked: Result) -> None:
        """Add the document of one more line."""
        self.kinds.add(checked.kind)
        if checked.findings:
            self._add(checked.findings, truncated=checked.truncated)

    def join(self, part: LinesEntry, behind: int) -> None:
        """Add a part of the file that was looked at by itself, with lines numbered from 1, and lies behind others."""
        from dataclasses import replace

        self.kinds |= part.kinds
        moved = [
            replace(
                each,
                line=None if each.line is None else each.line + behind,
                end_line=None if each.end_line is None else each.end_line + behind,
            )
            for each in part.findings
        ]
        self._add(moved, truncated=part.truncated)

    def _add(self, findings: Sequence[Finding], *, truncated: bool) -> None:
        self.findings += findings
        self.truncated = self.truncated or truncated or len(self.findings) > self.limit
        del self.findings[self.limit :]

    def result(self, kind: str | None, path: str | None, settings: Settings) -> Result:
        """The entry of the whole file; `kind` is the one that was asked for."""
        if not self.kinds:
            from dataclasses import replace

            nothing = unreadable(Unreadable("json.empty", "the file is empty: one document a line was expected"), kind)
            return result([replace(nothing, path=path)], kind, settings, path)
        told = next(iter(self.kinds)) if len(self.kinds) == 1 else None
        return Result(tuple(self.findings), told, path, self.truncated)


def file_bytes(path: str) -> bytes | Finding:
    """The content of a regular file, or the finding that says why there is none."""
    descriptor = _opened(path)
    if isinstance(descriptor, Finding):
        return descriptor
    try:
        return _read_all(descriptor, SIZE_LIMIT + 1)
    except OSError as error:
        return _input_finding("input.unreadable", "unreadable-file", f"cannot be read: {_reason(error)}", path)
    finally:
        os.close(descriptor)


def input_bytes(limit: int = SIZE_LIMIT + 1) -> bytes | Finding:
    """What standard input holds, up to `limit` bytes (-1: all of it), or the finding that says why there is nothing."""
    import sys

    try:
        # None comes from one that is told not to wait
        return sys.stdin.buffer.read(limit) or b""
    except OSError as error:
        return _input_finding("input.unreadable", "unreadable-file", f"cannot be read: {_reason(error)}", "-")


def _opened(path: str) -> int | Finding:
    """The descriptor of a regular file, or the finding that says why there is none: looked at only once it is open."""
    try:
        descriptor = os.open(path, _READING)
    except FileNotFoundError:
        return _input_finding("input.missing", "missing-file", "there is no such file or folder", path)
    except (OSError, ValueError) as error:
        return _input_finding("input.unreadable", "unreadable-file", f"cannot be read: {_reason(error)}", path)
    mode = os.fstat(descriptor).st_mode
    if stat.S_ISREG(mode):
        return descriptor
    os.close(descriptor)
    thing = "a folder" if stat.S_ISDIR(mode) else "a device, pipe or socket"
    return _input_finding("input.not-a-file", "not-a-file", f"is {thing}, a file was expected", path)


def _read_all(descriptor: int, limit: int) -> bytes:
    """Everything up to `limit` bytes; most documents fit into the first read."""
    first = os.read(descriptor, 8192)
    if len(first) < 8192:
        return first
    parts, size = [first], len(first)
    while size < limit and (part := os.read(descriptor, min(1 << 20, limit - size))):
        parts.append(part)
        size += len(part)
    return b"".join(parts)


def _reason(error: OSError | ValueError) -> str:
    reason = getattr(error, "strerror", None) or str(error)
    return reason[:1].lower() + reason[1:]


def _input_finding(code: str, name: str, message: str, path: str) -> Finding:
    return Finding(code=code, name=name, severity="error", pointer="", message=message, path=path)


@dataclass(slots=True, eq=False)
class Examined:
    """A document that was looked at once: what it holds, and what was found before any setting is applied.

    `text` are its bytes without a byte order mark. `defect` says why they are no JSON; the instance is then None.
    """

    path: str | None
    kind: str | None
    text: bytes
    instance: Any
    findings: list[Finding]
    defect: Unreadable | None = None


def _check(
    data: bytes,
    kind: str | None,
    path: str | None,
    schema: dict[str, Any] | None,
    settings: Settings,
    first_line: int = 1,
    like: Result | None = None,
) -> Result:
    """The result of a document; `like`, that of a sound one before it, where the two are the same."""
    if schema is None:
        examined = examine(data, kind, path, settings, None if like is None else like.kind)
        if like is not None and not examined.findings and examined.kind == like.kind:
            return like
        return concluded(examined, settings, first_line)
    text = data[len(BOM) :] if data.startswith(BOM) else data
    extra = [] if text is data else [_bom(kind)]
    try:
        instance = read(text)
    except Unreadable as reason:
        examined = Examined(path, kind, text, None, [unreadable(reason, kind), *extra], reason)
    else:
        found = judge_by_schema(schema, instance, settings).findings
        examined = Examined(path, kind, text, instance, [*extra, *found])
    return concluded(examined, settings, first_line)


def examine(data: bytes, kind: str | None, path: str | None, settings: Settings, like: str | None = None) -> Examined:
    """Read a document and look for everything that can be found in it alone; nothing is opened.

    `like` is the kind that is tried first where neither `kind` nor the name tells it.
    """
    text = data[len(BOM) :] if data.startswith(BOM) else data
    try:
        instance = parse(text)
        told = kind if kind is not None else kind_of(instance, path, like)
        if told is not None and is_plain(told)(instance):
            findings = run(told, instance, frozenset(), settings)
        else:
            refuse_beyond_limits(instance, text)
            findings = [unknown_kind(instance)] if told is None else findings_of(told, instance, settings)
    except Unreadable as reason:
        if kind is None and path is not None:
            kind = next(iter(kinds_of_path(path)), None)
        findings = [unreadable(reason, kind)] if text is data else [unreadable(reason, kind), _bom(kind)]
        return Examined(path, kind, text, None, findings, reason)
    if text is not data:
        findings.append(_bom(told))
    return Examined(path, told, text, instance, findings)


def examine_file(data: bytes, kind: str | None, path: str, settings: Settings) -> Examined:
    """As `examine`, for a file that lies on disk: what it names there is looked for as well."""
    examined = examine(data, kind, path, settings)
    if examined.kind is not None and examined.defect is None:
        examined.findings += run_beside(examined.kind, examined.instance, path)
    return examined


def concluded(examined: Examined, settings: Settings, first_line: int = 1) -> Result:
    """The result of what was examined, as the settings judge it, each finding with its line and column."""
    if not examined.findings:
        return Result((), examined.kind, examined.path)
    checked = result(examined.findings, examined.kind, settings, examined.path)
    return _placed(checked, examined, first_line) if checked.findings else checked


def _bom(kind: str | None) -> Finding:
    from evalschema.messages import consequence_of_mark

    consequence = consequence_of_mark(kind)
    return Finding(
        code="json.bom",
        name="byte-order-mark",
        severity="warning" if consequence is None else "error",
        kind=kind,
        pointer="",
        message="the file begins with a byte order mark: save it as UTF-8 without one",
        consequence=consequence,
    )


def _placed(checked: Result, examined: Examined, first_line: int) -> Result:
    """The result with the line and column of every finding."""
    from dataclasses import replace

    from evalschema.positions import Lines, spans

    if examined.defect is not None:
        # bytes that are no UTF-8 come as many marks, but what lies before the defect keeps its place
        line, column = Lines(examined.text.decode(errors="replace")).place(examined.defect.offset)
        found = [
            replace(each, path=checked.path, line=first_line, column=1)
            if each.code == "json.bom"
            else replace(each, path=checked.path, line=line + first_line - 1, column=column)
            for each in checked.findings
        ]
        return replace(checked, findings=tuple(found))
    text = examined.text.decode()
    lines = Lines(text)
    places = {each: split(each) for finding in checked.findings for each in (finding.pointer, *finding.related)}
    spanned = spans(text, places.values())
    placed: list[Finding] = []
    for finding in checked.findings:
        span = spanned.get(places[finding.pointer])
        if finding.code in ("name.alias", "name.typo", "name.misplaced") and finding.related:
            # the wrong name is what the reader must change, so that is where the finding points
            other = spanned.get(places[finding.related[0]])
            if other is not None and other.key is not None:
                span = other
        if span is None or finding.code == "json.bom":
            placed.append(replace(finding, path=checked.path, line=first_line, column=1))
            continue
        start = span.key if span.key is not None and finding.code.startswith("name.") else span.start
        line, column = lines.place(start)
        end_line, end_column = lines.place(span.end)
        placed.append(
            replace(
                finding,
                path=checked.path,
                line=line + first_line - 1,
                column=column,
                end_line=end_line + first_line - 1,
                end_column=end_column,
            )
        )
    return replace(checked, findings=tuple(placed))
