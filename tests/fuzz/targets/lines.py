"""JSON Lines: all lines, numbered, and no exception however the stream is packed or broken."""

from __future__ import annotations

import gzip
import io
from collections.abc import Iterator

from evalschema import check_bytes, check_lines
from evalschema.lines import GZIP, ZSTD, BrokenStreamError, lines_of
from tests.fuzz.examples import documents

_LINE = b'{"total_tokens": 5210, "duration_ms": 23400, "total_duration_seconds": 99.4}'

RUNS = 1500


def seeds() -> Iterator[bytes]:
    """Lines, plain and packed."""
    yield from (b"\n".join((_LINE, document.replace(b"\n", b""), b"", b" \r", _LINE)) for document in documents(10))
    yield b"\xef\xbb\xbf" + _LINE + b"\r\n{nope\n\xff"
    yield gzip.compress(_LINE + b"\n" + _LINE, mtime=0)
    yield gzip.compress(_LINE, mtime=0)[:-5]
    yield ZSTD + b"\x00" * 20


def run(data: bytes) -> None:
    """Split the stream, and check each line as a document of its own."""
    lines: list[tuple[int, bytes, int]] = []
    try:
        for line in lines_of(io.BytesIO(data)):
            lines.append(line)  # noqa: PERF402
        broken = False
    except BrokenStreamError as reason:
        broken = bool(str(reason))
    assert [number for number, *_ in lines] == list(range(1, len(lines) + 1))
    assert all(size == len(line) and b"\n" not in line for _, line, size in lines)
    if not data.startswith((GZIP, ZSTD)):
        assert not broken
        assert b"\n".join(line for _, line, _ in lines) == data.removesuffix(b"\n")
    results = list(check_lines(data, "timing"))
    assert len(results) == sum(bool(line.strip()) for _, line, _ in lines) + broken
    for number, result in results[: len(results) - broken]:
        assert [each.message for each in result.findings] == [
            each.message for each in check_bytes(lines[number - 1][1], "timing").findings
        ]
        assert all(each.line == number for each in result.findings)
