"""Bytes to instance: the three readers agree, and what is refused has a reason and a place."""

from __future__ import annotations

import pickle
from collections.abc import Iterator

from evalschema.codes import find_code
from evalschema.diagnosis import diagnosis
from evalschema.fix.tree import is_same
from evalschema.reading import Unreadable, read, refusal
from tests.fuzz.agreement import read_strictly
from tests.fuzz.damage import PIECES
from tests.fuzz.examples import documents
from tests.test_reading import REFUSED

RUNS = 10_000


def seeds() -> Iterator[bytes]:
    """Sound documents, every defect that has a code, and their pieces."""
    yield from documents(40)
    yield from (data for data, *_ in REFUSED if len(data) < 3000)
    yield from (b"[" + piece + b"]" for piece in PIECES)


def run(data: bytes) -> None:
    """Read the bytes in three ways."""
    try:
        strict = read_strictly(data)
    except (ValueError, RecursionError):
        defect = _refused(data)
        slow = diagnosis(data)
        assert slow is not None, "refused without a defect"
        assert (slow.code, slow.offset, slow.at) == (defect.code, defect.offset, defect.at)
        code = find_code(defect.code)
        assert code is not None, defect.code
        assert defect.message.isprintable(), defect.message
        assert 0 <= defect.offset <= len(data)
        assert str(pickle.loads(pickle.dumps(defect))) == str(defect)  # noqa: S301
        return
    instance = read(data)
    assert is_same(instance, strict)
    assert diagnosis(data) is None
    assert refusal(instance) is None


def _refused(data: bytes) -> Unreadable:
    try:
        read(data)
    except Unreadable as defect:
        return defect
    raise AssertionError("the standard library refuses what we read")
