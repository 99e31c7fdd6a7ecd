"""Places in a text: every value stands where a scanner of the tests' own finds it."""

from __future__ import annotations

from collections.abc import Iterator

from evalschema.finding import pointer, split
from evalschema.positions import Lines, spans
from tests.fuzz.agreement import read_strictly
from tests.fuzz.choices import Choices
from tests.fuzz.examples import documents
from tests.fuzz.places import line_and_column, stands
from tests.test_fix import random_value, spelled

RUNS = 4000


def seeds() -> Iterator[bytes]:
    """Sound documents, and numbers that texts in every style are made from."""
    yield from documents(40)
    yield from (bytes(range(i, i + 60)) for i in range(0, 190, 10))


def run(data: bytes) -> None:
    """Compare all places of a document: of the bytes where they are one, else of one that is made from them."""
    try:
        read_strictly(data)
        text = data.decode()
    except (ValueError, RecursionError):
        choices = Choices(data)
        text = spelled(random_value(choices), choices)
    expected = stands(text)
    # some are asked for that do not exist
    asked = [split(each) for each in (*expected, *(f"{each}/0" for each in expected), "/~0~1/x")]
    found = spans(text, asked)
    assert {pointer(at): (span.start, span.end, span.key) for at, span in found.items()} == {
        at: (stand.start, stand.end, stand.key) for at, stand in expected.items()
    }
    assert [pointer(split(at)) for at in expected] == list(expected)
    lines = Lines(text)
    offsets = sorted({0, len(text), *(stand.start for stand in list(expected.values())[:50])})
    assert [lines.place(offset) for offset in offsets] == [line_and_column(text, offset) for offset in offsets]
    one = list(expected)[-1]
    assert list(spans(text, [split(one)])) == [split(one)]
