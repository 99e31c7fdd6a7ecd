"""A stream of JSON Lines, plain or compressed, to its lines: one after the other, in bounded memory."""

from __future__ import annotations

import io
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any, BinaryIO, TypeAlias

from evalschema.reading import SIZE_LIMIT

if TYPE_CHECKING:
    from collections.abc import Generator

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
            yield from _split(_unpacked(stream, closing))
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


def _split(text: Any) -> Generator[Line]:
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
