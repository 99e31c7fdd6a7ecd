"""The total that a judge's text states: never an exception, and no statement wins over another that contradicts it."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from evalschema.scores import Ambiguous, Reading, Stated, stated_score
from tests.test_scores import ABSENT, AMBIGUOUS, DUELS, STATED, UNREADABLE, A, B

RUNS = 8000


def seeds() -> Iterator[bytes]:
    """Every form that is known, of the three sorts of answers, and verdicts on two."""
    texts = (*STATED, *UNREADABLE, *ABSENT, *AMBIGUOUS, *DUELS.values())
    yield from (text.encode("utf-8", "surrogatepass") for text in texts)


def run(data: bytes) -> None:
    """Read the text alone, for one of two, and with another statement before or behind it."""
    text = data.decode("utf-8", "surrogateescape")
    extra = len(data) % 2 == 1
    reading = stated_score(text, extra_labels=extra)
    for each in (reading, stated_score(text, A, extra_labels=extra), stated_score(text, A, others=[B])):
        _assert_sound(each, text)
    assert stated_score(text, extra_labels=extra) == reading, "the same text, another answer"
    if isinstance(reading, Stated):
        _assert_holds(reading, text, extra=extra)


def _assert_sound(reading: Reading, text: str) -> None:
    last = text.replace("\r\n", "\n").replace("\r", "\n").count("\n") + 1
    assert all(1 <= line <= last for line in reading.lines)
    assert len(reading.lines) <= 20
    assert reading.why
    assert reading.why.isprintable()
    if isinstance(reading, Stated):
        assert 1 <= reading.value <= 100
        assert reading.lines
    if isinstance(reading, Ambiguous):
        assert reading.values
        assert all(1 <= value <= 100 for value in reading.values)


def _assert_holds(reading: Stated, text: str, *, extra: bool) -> None:
    """Where the text states a total, none that is written before or behind it takes its place."""
    other = Decimal(17) if reading.value != 17 else Decimal(18)
    behind = stated_score(f"{text}\n\nWEIGHTED_TOTAL: {other}\n", extra_labels=extra)
    assert not (isinstance(behind, Stated) and behind.value == other), "a later statement wins"
    if text[:1].isspace() and text.lstrip().startswith("{"):
        return  # an object that is indented counts at the very beginning alone
    before = stated_score(f"WEIGHTED_TOTAL: {other}\n\n{text}", extra_labels=extra)
    assert not isinstance(before, Stated), "a statement before it is lost"
    assert not isinstance(before, Ambiguous) or other in before.values
    again = stated_score(f"WEIGHTED_TOTAL: {reading.value:f}\n\n{text}", extra_labels=extra)
    assert isinstance(again, Stated), "the same statement once more makes it doubtful"
    assert again.value == reading.value
