"""Instants from RFC 3339 texts, exact to the last digit.

The standard library's datetime is no help here: it has no year 0, no leap second and no more than six digits of a
second, and it accepts texts without a zone.
"""

from __future__ import annotations

import re
from decimal import Context, Decimal
from fractions import Fraction

LONGEST_FRACTION = 100

_FORM = re.compile(
    r"([0-9]{4})-([0-9]{2})-([0-9]{2})[Tt]([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\.([0-9]+))?"
    r"(?:[Zz]|([+-])([0-9]{2}):([0-9]{2}))"
)
_DAYS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_DAY = 86_400


def instant(text: str) -> Fraction:
    """The seconds from 1970-01-01T00:00:00Z to the RFC 3339 time `text`; `ValueError` when it is none.

    Years 0000 to 9999 and a zone. Digits of a second count up to the 100th. A leap second (23:59:60 UTC) counts as the
    second that follows it, as in POSIX.
    """
    match = _FORM.fullmatch(text)
    if match is None:
        raise ValueError("no RFC 3339 time with date and zone")
    year, month, day, hour, minute, second = map(int, match.groups()[:6])
    digits, sign, zone_hour, zone_minute = match.groups()[6:]
    if not 1 <= month <= 12 or not 1 <= day <= _length(year, month):
        raise ValueError("no such day")
    if hour > 23 or minute > 59 or second > 60:
        raise ValueError("no such time of day")
    offset = 0
    if sign is not None:
        if int(zone_hour) > 23 or int(zone_minute) > 59:
            raise ValueError("no such zone")
        offset = int(f"{sign}1") * (int(zone_hour) * 3600 + int(zone_minute) * 60)
    whole = _days(year, month, day) * _DAY + hour * 3600 + minute * 60 + second - offset
    if second == 60 and whole % _DAY:
        raise ValueError("a leap second is at 23:59:60 UTC only")
    if digits is None:
        return Fraction(whole)
    digits = digits[:LONGEST_FRACTION]
    return whole + Fraction(int(digits), 10 ** len(digits))


def instant_of(value: object) -> Fraction | None:
    """The instant that a value of any type names; None when it names none."""
    try:
        return instant(value) if isinstance(value, str) else None
    except ValueError:
        return None


def is_instant(text: str) -> bool:
    """Whether `text` is an RFC 3339 time that `instant` takes."""
    return instant_of(text) is not None


def seconds_shown(seconds: Fraction) -> str:
    """A difference of instants for a message, exact: no exponent, no empty digits."""
    # a fraction of decimal digits divides out; 100 of them and the seconds of 10,000 years need no more than this
    exact = Context(prec=LONGEST_FRACTION + 20).divide(Decimal(seconds.numerator), Decimal(seconds.denominator))
    text = f"{exact:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def _length(year: int, month: int) -> int:
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    return 29 if month == 2 and leap else _DAYS[month - 1]


def _days(year: int, month: int, day: int) -> int:
    """Days from 1970-01-01 in the Gregorian calendar, carried back to year 0."""
    # Years that begin in March have their leap day at the end, so that each month begins at a fixed day: 0, 31, 61, …
    year, month = (year, month - 3) if month > 2 else (year - 1, month + 9)
    return year * 365 + year // 4 - year // 100 + year // 400 + (153 * month + 2) // 5 + day - 719_469
