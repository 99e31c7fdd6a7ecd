"""Instants: the same texts as the engine that gives the verdict, placed as the standard library places them."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from fractions import Fraction

from evalschema.instants import instant, instant_of, is_instant, seconds_shown
from evalschema.verdict import keyword_holds

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

RUNS = 40_000


def seeds() -> Iterator[bytes]:
    """Instants and what is nearly one."""
    days = ("2026-01-15", "2024-02-29", "0000-01-01", "9999-12-31", "1900-02-29", "2026-13-01", "2026-1-5")
    times = ("T10:30:00", "t23:59:60", "T24:00:00", " 10:30:00", "T10:30", "T10:30:00.123456789", "T10:30:00,5")
    zones = ("Z", "z", "+05:30", "-23:59", "+24:00", "+0530", "", "Z\n", " UTC")
    for i, zone in enumerate(zones):
        yield from (f"{day}{times[(i + j) % len(times)]}{zone}".encode() for j, day in enumerate(days))


def run(data: bytes) -> None:
    """Place the text, as one engine or another does."""
    text = data.decode("utf-8", "replace")
    assert is_instant(text) == keyword_holds("format", "date-time", text), "the verdict on the text is another"
    moment = instant_of(text)
    if moment is None:
        return
    assert moment == instant(text)
    assert Fraction(seconds_shown(moment)) == moment
    try:
        known = datetime.fromisoformat(text.upper()) - _EPOCH
    except (ValueError, OverflowError):
        return  # year 0, a leap second: the standard library knows neither
    # it cuts off what is finer than a microsecond
    microseconds = Fraction(known.days * 86_400 + known.seconds) + Fraction(known.microseconds, 10**6)
    assert 0 <= moment - microseconds < Fraction(1, 10**6)
