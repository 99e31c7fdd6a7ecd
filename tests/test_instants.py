"""Instants: every text that is one is placed exactly, and nothing else is taken for one."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from evalschema.instants import instant, is_instant, seconds_shown


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("1970-01-01T00:00:00Z", 0),
        ("1970-01-01t00:00:00z", 0),
        ("1969-12-31T23:59:59Z", -1),
        ("2026-01-15T16:00:00+05:30", 1768473000),
        ("2026-01-15T10:30:00Z", 1768473000),
        ("2026-01-14T10:31:00-23:59", 1768473000),
        ("2026-01-15T10:30:00-00:00", 1768473000),
        ("2024-02-29T00:00:00Z", 1709164800),
        ("2000-02-29T00:00:00Z", 951782400),
        ("0000-01-01T00:00:00Z", -62167219200),
        ("0000-02-29T00:00:00Z", -62162121600),
        ("9999-12-31T23:59:59Z", 253402300799),
        # a leap second counts as the second after it, wherever its zone puts it
        ("2016-12-31T23:59:60Z", 1483228800),
        ("2017-01-01T00:00:00Z", 1483228800),
        ("2016-12-31T15:59:60-08:00", 1483228800),
        ("2017-01-01T05:29:60+05:30", 1483228800),
    ],
)
def test_an_instant_is_placed(text: str, seconds: int) -> None:
    assert instant(text) == seconds
    assert is_instant(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "2026-01-15",
        "2026-01-15T10:30:00",
        "2026-01-15 10:30:00Z",
        "2026-01-15T10:30Z",
        "2026-01-15T10:30:00Z\n",
        " 2026-01-15T10:30:00Z",
        "2026-01-15T10:30:00Z -1 hour",
        "2026-01-15T10:30:00.Z",
        "2026-01-15T10:30:00,5Z",
        "2026-01-15T10:30:00+0530",
        "2026-01-15T10:30:00+05",
        "2026-01-15T10:30:00+24:00",
        "2026-01-15T10:30:00+05:60",
        "2026-01-15T10:30:00 UTC",
        "2026-01-15T24:00:00Z",
        "2026-01-15T10:60:00Z",
        "2026-01-15T10:30:61Z",
        "2026-01-15T10:30:60Z",
        "2016-12-31T23:59:60-08:00",
        "2026-00-15T10:30:00Z",
        "2026-13-15T10:30:00Z",
        "2026-01-00T10:30:00Z",
        "2026-01-32T10:30:00Z",
        "2026-04-31T10:30:00Z",
        "2026-02-29T10:30:00Z",
        "1900-02-29T10:30:00Z",
        "2026-99-99T99:99:99Z",
        "26-01-15T10:30:00Z",
        "12026-01-15T10:30:00Z",
        "-2026-01-15T10:30:00Z",
        "２０２６-01-15T10:30:00Z",
        "2026-01-15T10:30:00.٣Z",
        "20260115T103000Z",
        "2026-W03-4T10:30:00Z",
        "yesterday",
        "@0",
    ],
)
def test_what_is_no_instant_is_refused(text: str) -> None:
    assert not is_instant(text)
    with pytest.raises(ValueError, match=r"no |a leap second"):
        instant(text)


def test_a_fraction_is_exact() -> None:
    digits = "9" * 100
    assert instant(f"1970-01-01T00:00:00.{digits}Z") == Fraction(int(digits), 10**100) < 1
    assert instant(f"1970-01-01T00:00:00.{digits}9999Z") == Fraction(int(digits), 10**100)
    assert instant("1970-01-01T00:00:00.1Z") == Fraction(1, 10)
    assert instant("2016-12-31T23:59:60.5Z") == Fraction("1483228800.5")
    # a float of either would make these 30 s
    gap = instant("2026-01-15T10:30:29.9999999Z") - instant("2026-01-15T10:30:00Z")
    assert gap < 30
    assert seconds_shown(gap) == "29.9999999"


ZONES = st.integers(-23 * 60 - 59, 23 * 60 + 59).map(lambda minutes: timezone(timedelta(minutes=minutes)))


@settings(deadline=None)
@given(st.datetimes(min_value=datetime(2, 1, 1), max_value=datetime(9998, 12, 30), timezones=ZONES))
@example(datetime(1900, 3, 1, tzinfo=UTC))
@example(datetime(2000, 3, 1, tzinfo=UTC))
def test_it_agrees_with_datetime_where_that_can_tell(moment: datetime) -> None:
    since = moment - datetime(1970, 1, 1, tzinfo=UTC)
    assert instant(moment.isoformat()) == since.days * 86_400 + since.seconds + Fraction(since.microseconds, 10**6)


@settings(deadline=None)
@given(st.text() | st.text(alphabet="0123456789-:T.Z+", max_size=30))
def test_no_text_raises_anything_else(text: str) -> None:
    assert is_instant(text) in (True, False)


@pytest.mark.parametrize(
    ("seconds", "text"), [("0", "0"), ("30", "30"), ("-1.5", "-1.5"), ("100", "100"), ("0.000001", "0.000001")]
)
def test_seconds_are_shown_in_full(seconds: str, text: str) -> None:
    assert seconds_shown(Fraction(seconds)) == text


@settings(deadline=None)
@given(st.decimals(allow_nan=False, allow_infinity=False, min_value=-(10**11), max_value=10**11, places=30))
def test_seconds_are_shown_exactly(seconds: Decimal) -> None:
    assert Decimal(seconds_shown(Fraction(seconds))) == seconds
