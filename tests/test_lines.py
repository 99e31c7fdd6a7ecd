"""JSON Lines: the same results whatever they come from and however they are packed, in bounded memory."""

from __future__ import annotations

import gzip
import io
import json
import os
import subprocess
import sys
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any, cast

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from evalschema import check_bytes, check_lines
from evalschema.files import check_lines_file
from evalschema.lines import GZIP, LINES_SUFFIXES, ZSTD, BrokenStreamError, lines_of
from evalschema.settings import Settings
from tests.dose import FULL
from tests.needs import need

GOOD = b'{"total_tokens": 5210, "duration_ms": 23400, "total_duration_seconds": 23.4}'
BAD = b'{"total_tokens": 5210, "duration_ms": 23400, "total_duration_seconds": 99.4}'
MIXED = b"\xef\xbb\xbf" + GOOD + b"\n\n \r\n" + BAD + b"\r\n{nope\n\xff\n" + GOOD


def zstd() -> Any:
    name = "compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd"
    need(find_spec(name.partition(".")[0]), f"needs {name}: pip install 'evalschema[zstd]'")
    return __import__(name, fromlist=["compress"])


def pack(data: bytes, how: str) -> bytes:
    return {"": lambda: data, ".gz": lambda: gzip.compress(data), ".zst": lambda: bytes(zstd().compress(data))}[how]()


def told(results: Any) -> list[Any]:
    return [(number, [(f.code, f.line, f.column) for f in result.findings], result.kind) for number, result in results]


EXPECTED = [
    (1, [("json.bom", 1, 1)], "timing"),
    (4, [("TIM001", 4, 72)], "timing"),
    (5, [("json.quotes", 5, 2)], "timing"),
    (6, [("json.encoding", 6, 1)], "timing"),
    (7, [], "timing"),
]


@pytest.mark.parametrize("how", ["", ".gz", ".zst"])
def test_bytes_files_and_streams_give_the_same(how: str, tmp_path: Path) -> None:
    packed = pack(MIXED, how)
    path = tmp_path / f"all.jsonl{how}"
    path.write_bytes(packed)
    assert path.name.endswith(LINES_SUFFIXES)
    assert told(check_lines(packed, "timing")) == EXPECTED
    assert told(check_lines(path, "timing")) == told(check_lines(str(path), "timing")) == EXPECTED
    with path.open("rb") as stream:
        assert told(check_lines(stream, "timing")) == EXPECTED
        assert not stream.closed
    held = io.BytesIO(packed)
    assert told(check_lines(held, "timing")) == EXPECTED
    assert not held.closed
    whole = check_lines_file(path, "timing")
    assert whole.path == str(path)
    assert [(f.code, f.line) for f in whole.findings] == [(f[0], f[1]) for _, found, _ in EXPECTED for f in found]


@pytest.mark.parametrize("how", [".gz", ".zst"])
def test_packed_pieces_that_follow_one_another_are_one_file(how: str) -> None:
    assert told(check_lines(pack(MIXED[:90], how) + pack(MIXED[90:], how), "timing")) == EXPECTED


def test_a_line_is_judged_as_the_file_that_holds_it_alone() -> None:
    documents = [GOOD, BAD, b"[1,", b'{"a": 1, "a": 2}', b"\xef\xbb\xbf" + BAD, b"[" * 99]
    for (_, result), document in zip(check_lines(b"\n".join(documents)), documents, strict=True):
        alone = check_bytes(document)
        assert [(f.code, f.pointer, f.column, f.message) for f in result.findings] == [
            (f.code, f.pointer, f.column, f.message) for f in alone.findings
        ]


@given(st.lists(st.binary(max_size=20).map(lambda line: line.replace(b"\n", b"") or b"x"), max_size=20), st.booleans())
def test_lines_are_split_at_line_feeds_alone(lines: list[bytes], last_has_one: bool) -> None:
    assume(not lines or not lines[0].startswith((GZIP, ZSTD)))
    data = b"\n".join(lines) + (b"\n" if last_has_one and lines else b"")
    assert list(lines_of(io.BytesIO(data))) == [(i, line, len(line)) for i, line in enumerate(lines, 1)]


def test_what_is_cut_off_is_told_behind_the_last_line() -> None:
    packed = gzip.compress(MIXED)
    *before, (number, last) = check_lines(packed[:-9], "timing", path="runs.jsonl.gz")
    assert told(before) == EXPECTED[:-1]
    finding = last.findings[0]
    assert (number, finding.code, finding.line, finding.path) == (7, "input.unreadable", 7, "runs.jsonl.gz")
    assert finding.message.startswith("cannot be read on: ")


def test_damage_is_told_and_not_raised() -> None:
    packed = bytearray(gzip.compress(os.urandom(3000).hex().encode()))
    packed[100:200] = bytes(100)
    [(_, result)] = list(check_lines(bytes(packed)))[-1:]
    assert [finding.code for finding in result.findings] == ["input.unreadable"]


def test_a_stream_that_fails_is_told_and_not_raised() -> None:
    class Failing(io.RawIOBase):
        def __init__(self) -> None:
            self.parts = [GOOD + b"\n", GOOD + b"\n" + GOOD[:10]]

        def readable(self) -> bool:
            return True

        def readinto(self, buffer: Any) -> int:
            if not self.parts:
                raise OSError(5, "Input/output error")
            part = self.parts.pop(0)
            buffer[: len(part)] = part
            return len(part)

    stream: Any = Failing()
    *before, (number, last) = check_lines(stream, "timing")
    assert [number for number, _ in before] == [1, 2]
    assert (number, last.findings[0].message) == (3, "cannot be read on: input/output error")


def test_without_the_package_zstd_is_a_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    packed = pack(GOOD, ".zst")
    for name in ("backports.zstd", "compression.zstd"):
        monkeypatch.setitem(sys.modules, name, None)
    [(_, result)] = check_lines(packed, "timing")
    assert "evalschema[zstd]" in result.findings[0].message


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_what_is_no_file_is_told_at_once(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.jsonl")
    codes = {"pipe.jsonl": "input.not-a-file", ".": "input.not-a-file", "none.jsonl": "input.missing"}
    for name, code in codes.items():
        [(number, result)] = check_lines(tmp_path / name)
        assert (number, [finding.code for finding in result.findings]) == (0, [code])
        assert [finding.code for finding in check_lines_file(tmp_path / name).findings] == [code]


def test_a_line_beyond_the_limit_is_told_with_its_size(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("lines", "files", "reading"):
        monkeypatch.setattr(f"evalschema.{module}.SIZE_LIMIT", len(GOOD))
    monkeypatch.setattr("evalschema.lines._BUFFER", 16)
    for size in (len(GOOD) + 1, len(GOOD) + 2, len(GOOD) + 500):
        for end in (b"\n" + GOOD, b""):
            long = GOOD + b" " * (size - len(GOOD))
            (_, first), (number, second), *rest = check_lines(GOOD + b"\n" + long + end, "timing")
            assert not first.findings
            assert (number, second.findings[0].code, second.findings[0].line) == (2, "json.size", 2)
            assert f"has {size:,} bytes" in second.findings[0].message
            assert [(number, result.findings) for number, result in rest] == ([(3, ())] if end else [])


def test_findings_are_cut_as_before() -> None:
    result = check_lines_file(b"\n".join([BAD] * 9), "timing", settings=Settings(max_findings=4))
    assert (len(result.findings), result.truncated, result.kind) == (4, True, "timing")


def test_who_stops_reading_leaves_nothing_open(tmp_path: Path) -> None:
    path = tmp_path / "runs.jsonl.gz"
    path.write_bytes(gzip.compress(MIXED))
    lines = check_lines(path, "timing")
    next(lines)
    del lines  # a file that stays open warns, and warnings are errors here


def test_the_stream_of_the_caller_is_handed_back_at_the_break() -> None:
    stream = io.BytesIO(gzip.compress(GOOD)[:-4])
    with pytest.raises(BrokenStreamError):
        list(lines_of(stream))
    assert not stream.closed


# what getrusage says of a child begins with the memory of its parent, so that Linux is asked itself
MEMORY = """
import os, resource, sys
from evalschema import check_lines
seen = bad = 0
for number, result in check_lines(sys.argv[1], "timing"):
    seen += 1
    bad += not result.ok
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
if os.path.exists("/proc/self/status"):
    with open("/proc/self/status") as status:
        peak = 1024 * next(int(line.split()[1]) for line in status if line.startswith("VmHWM"))
print(seen, bad, peak)
"""


def _write(path: Path, megabytes: int, how: str) -> int:
    """A file of so many megabytes before packing, one line in a hundred wrong; the number of its lines."""
    padded = json.loads(GOOD) | {"note": "x" * 400}
    block = [json.dumps(padded)] * 99 + [json.dumps(padded | {"total_duration_seconds": 99.4})]
    data = ("\n".join(block) + "\n").encode()
    times = megabytes * 2**20 // len(data) + 1
    openers = {"": io.open, ".gz": partial(gzip.open, compresslevel=1), ".zst": how == ".zst" and zstd().open}
    with cast("Any", openers[how])(path, "wb") as file:
        for _ in range(times):
            file.write(data)
    return times * 100


@pytest.mark.skipif(sys.platform == "win32", reason="needs getrusage")
@pytest.mark.parametrize("how", ["", ".gz", ".zst"])
def test_memory_stays_under_100_mb_and_does_not_grow_with_the_file(how: str, tmp_path: Path) -> None:
    peaks: list[int] = []
    for megabytes in (5, 1000 if FULL else 50):
        path = tmp_path / f"{megabytes}.jsonl{how}"
        lines = _write(path, megabytes, how)
        done = subprocess.run([sys.executable, "-c", MEMORY, path], capture_output=True, text=True, check=True)
        seen, bad, peak = map(int, done.stdout.split())
        assert (seen, bad) == (lines, lines // 100)
        peaks.append(peak)
        path.unlink()
    assert peaks[1] < 100 * 2**20
    assert peaks[1] < peaks[0] + 8 * 2**20
