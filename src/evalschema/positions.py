"""JSON Pointer to line and column, for text that is known to be JSON; only failing documents come here.

Values that lead to no wanted place are skipped by the standard library's own scanner, at its speed, and nothing is read
behind the last wanted place.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from json import JSONDecoder
from json.decoder import scanstring  # type: ignore[attr-defined]
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from evalschema.finding import Tokens

_SPACE = re.compile(r"[ \t\n\r]*")
_skip = JSONDecoder().raw_decode


@dataclass(frozen=True, slots=True)
class Span:
    """Where a value stands in the text, as offsets in code points; `key` is where the name of a member begins."""

    start: int
    end: int
    key: int | None = None


def spans(text: str, places: Iterable[Tokens]) -> dict[Tokens, Span]:
    """The spans of those places that exist."""
    wanted: dict[Any, Any] = {}
    for place in places:
        branch = wanted
        for token in place:
            branch = branch.setdefault(str(token), {})
        branch[None] = place
    found: dict[Tokens, Span] = {}
    start = _space(text, 0)
    if wanted.pop(None, None) is not None:
        # the end of the document is known without a look at what lies between
        found[()] = Span(start, len(text.rstrip(" \t\r\n")))
    if wanted:
        _visit(text, start, wanted, None, found, to_end=False)
    return found


def _space(text: str, i: int) -> int:
    match = _SPACE.match(text, i)
    return match.end() if match else i


def _visit(
    text: str, start: int, wanted: dict[Any, Any], key: int | None, found: dict[Tokens, Span], *, to_end: bool
) -> int:
    """Record the value at `start` and what is wanted inside it; returns its end, if that is asked for by `to_end`."""
    itself = None in wanted
    if len(wanted) > itself and text[start] in "{[":
        visit = _visit_object if text[start] == "{" else _visit_array
        end = visit(text, start, wanted, found, to_end=to_end or itself)
    else:
        end = _skip(text, start)[1]
    if itself:
        found[wanted[None]] = Span(start, end, key)
    return end


def _visit_object(text: str, start: int, wanted: dict[Any, Any], found: dict[Tokens, Span], *, to_end: bool) -> int:
    i = _space(text, start + 1)
    left = len(wanted) - (None in wanted)
    while text[i] != "}":
        key_at = i
        name, i = scanstring(text, i + 1, True)
        i = _space(text, _space(text, i) + 1)
        if (inside := wanted.get(name)) is None:
            i = _skip(text, i)[1]
        else:
            left -= 1
            i = _visit(text, i, inside, key_at, found, to_end=to_end or left > 0)
            if not (left or to_end):
                return i
        i = _space(text, i)
        if text[i] == ",":
            i = _space(text, i + 1)
    return i + 1


def _visit_array(text: str, start: int, wanted: dict[Any, Any], found: dict[Tokens, Span], *, to_end: bool) -> int:
    i = _space(text, start + 1)
    left = len(wanted) - (None in wanted)
    index = 0
    while text[i] != "]":
        if (inside := wanted.get(str(index))) is None:
            i = _skip(text, i)[1]
        else:
            left -= 1
            i = _visit(text, i, inside, None, found, to_end=to_end or left > 0)
            if not (left or to_end):
                return i
        i = _space(text, i)
        index += 1
        if text[i] == ",":
            i = _space(text, i + 1)
    return i + 1


class Lines:
    """Offsets of a text as lines and columns, both from 1, columns in code points."""

    def __init__(self, text: str) -> None:
        self._starts = [0, *(match.end() for match in re.finditer("\n", text))]

    def place(self, offset: int) -> tuple[int, int]:
        """The line and column of an offset."""
        line = bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1] + 1
