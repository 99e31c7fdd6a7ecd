"""Document text made fit for a message: cut, and without anything that a terminal or a log would obey."""

from __future__ import annotations

from typing import Any

LIMIT = 60


def excerpt(text: str, limit: int = LIMIT) -> str:
    r"""At most `limit` characters of `text`; control, format, bidi, surrogate and odd space characters as \\uXXXX."""
    cut = text[:limit]
    if not cut.isprintable():
        cut = "".join(c if c.isprintable() else f"\\u{ord(c):04x}" for c in cut)
    return cut + "…" if len(text) > limit else cut


def shown(value: Any) -> str:
    """A JSON value in a few words: scalars as JSON writes them, containers by their size."""
    match value:
        case str():
            return f'"{excerpt(value)}"'
        case True | False:
            return "true" if value else "false"
        case None:
            return "null"
        case int():
            # no str() of a number with thousands of digits: Python refuses it, and nobody reads it
            return str(value) if value.bit_length() <= 128 else f"an integer of {value.bit_length()} bits"
        case float():
            return repr(value)
        case dict():
            return "an empty object" if not value else f"an object with {_count(value, 'member')}"
        case list():
            return "an empty list" if not value else f"a list of {_count(value, 'item')}"
        case _:
            return f"a {type(value).__name__}"


def short(value: Any) -> Any:
    """The value itself where it is a short scalar, else its description: what a finding carries as found."""
    match value:
        case str():
            return excerpt(value)
        case None | bool() | float():
            return value
        case int() if value.bit_length() <= 1024:
            return value
        case list() if len(value) <= 20 and all(isinstance(item, str | int | float | None) for item in value):
            return [short(item) for item in value]
        case _:
            return shown(value)


def _count(items: Any, noun: str) -> str:
    return f"1 {noun}" if len(items) == 1 else f"{len(items)} {noun}s"
