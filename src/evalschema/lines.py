"""A stream of JSON Lines, plain or compressed, to its lines: one after the other, in bounded memory."""

from __future__ import annotations

import io
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any, BinaryIO, TypeAlias

from evalschema.reading import SIZE_LIMIT

if TYPE_CHECKING:
    from collections.abc import Generator

# The files that hold one document a line.
LINES_SUFFIXES = tuple(f"{plain}{packed}" for plain in (".jsonl", ".ndjson") for packed in ("", ".gz", ".zst"))
# No JSON text begins with these bytes, so that they tell more surely than the name of a file.
GZIP = b"\x1f\x8b"
ZSTD = b"\x28\xb5\x2f\xfd"
_LINE_FEED = 10
_BUFFER = 1 << 17


# The number of a line, its bytes without the line feed, and how many it has; what lies beyond the limit is not kept.
Line: TypeAlias = tuple[int, bytes, int]


class BrokenStreamError(Exception):
    """The stream cannot be read on: it is cut off, damaged, or its reader is not installed."""


def lines_of(stream: BinaryIO) -> Generator[Line]:
    """All lines, numbered from 1, blank ones included; what is packed with gzip or zstd comes out unpacked.

    Raises `BrokenStreamError` behind the last line that could be read. The stream stays open.
    """
    with ExitStack() as closing:
        try:
            yield from split_lines(_unpacked(stream, closing))
        except ModuleNotFoundError as error:
            hint = "is compressed with zstd, which this Python cannot read: pip install 'evalschema[zstd]'"
            raise BrokenStreamError(hint) from error
        except Exception as error:
            # only reading happens inside, and what that raises differs from one stream and one packer to the next
            raise BrokenStreamError(f"cannot be read on: {_reason(error)}") from error


def _unpacked(stream: BinaryIO, closing: ExitStack) -> Any:
    source: Any = stream
    if not isinstance(source, io.BufferedReader):
        source = io.BufferedReader(source, _BUFFER)
        # a reader that is thrown away closes what it reads, which is the caller's
        closing.callback(source.detach)
    start = source.peek(4)[:4]
    if start.startswith(GZIP):
        from gzip import GzipFile

        return GzipFile(fileobj=source)
    return _zstd(source) if start == ZSTD else source


def _zstd(source: Any) -> Any:
    import sys

    if sys.version_info >= (3, 14):
        from compression.zstd import ZstdFile
    else:
        from backports.zstd import ZstdFile
    return ZstdFile(source)


def sections(stream: BinaryIO, size: int) -> Generator[tuple[int, int]] | None:
    """Where a plain file can be cut between lines: from and to which byte pieces of about `size` go, none empty.

    None for what is packed: that can only be read from its beginning. The stream must be able to seek.
    """
    stream.seek(0)
    return None if stream.read(4).startswith((GZIP, ZSTD)) else _sections(stream, size)


def _sections(stream: BinaryIO, size: int) -> Generator[tuple[int, int]]:
    start, whole = 0, stream.seek(0, io.SEEK_END)
    while start < whole:
        end = min(start + size, whole)
        if end < whole:
            # the piece ends behind the first line feed from its last byte on
            end -= 1
            stream.seek(end)
            while part := stream.read(_BUFFER):
                found = part.find(b"\n")
                if found >= 0:
                    end += found + 1
                    break
                end += len(part)
        yield start, end
        start = end


class Section(io.RawIOBase):
    """A stream that begins and ends inside another one."""

    def __init__(self, stream: BinaryIO, start: int, end: int) -> None:
        self._stream = stream
        self._left = end - start
        stream.seek(start)

    def readable(self) -> bool:
        """It is."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Fill the buffer as far as the section goes."""
        data = self._stream.read(min(len(buffer), self._left))
        buffer[: len(data)] = data
        self._left -= len(data)
        return len(data)


def lines_between(stream: BinaryIO, start: int, end: int) -> Generator[Line]:
    """The lines of a plain stream between two bytes, numbered from 1 as in `lines_of`; raises `BrokenStreamError`."""
    with io.BufferedReader(Section(stream, start, end), _BUFFER) as section:
        try:
            yield from split_lines(section)
        except OSError as error:
            raise BrokenStreamError(f"cannot be read on: {_reason(error)}") from error


def split_lines(text: Any) -> Generator[Line]:
    """The lines of a stream that is unpacked, and has `readline`."""
    number = 0
    readline = text.readline
    while data := readline(SIZE_LIMIT + 1):
        number += 1
        if data[-1] == _LINE_FEED:
            yield number, data[:-1], len(data) - 1
            continue
        size = len(data)
        while rest := readline(_BUFFER):
            size += len(rest)
            if rest[-1] == _LINE_FEED:
                size -= 1
                break
        yield number, data, size


def _reason(error: Exception) -> str:
    reason = getattr(error, "strerror", None) or str(error) or type(error).__name__
    return reason[:1].lower() + reason[1:]
