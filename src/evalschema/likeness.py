"""Whether a name is a slip of the pen for another: the same words, one of them with a letter wrong.

A word too many or another word is no slip: `api_duration_ms` is not `duration_ms`, and `executor_duration_ms` is not
`executor_duration_seconds`, however much of the text they share.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

# Longer names are nobody's slip; comparing them would only cost time.
NAME_LIMIT = 80
_SEPARATORS = re.compile(r"[\W_]+")
_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[^A-Z\W_]+")


def closest(name: str, others: Iterable[str], shortest: int = 4) -> str | None:
    """The first of the names that is `name` but for a slip; those that differ in case or separators alone come first.

    Words of fewer than `shortest` letters must agree to the letter.
    """
    slips = [other for other in others if _is_slip(name, other, shortest)]
    return min(slips, key=lambda other: _folded(other) != _folded(name), default=None)


@lru_cache(maxsize=4096)
def _is_slip(a: str, b: str, shortest: int) -> bool:
    if a == b or len(a) > NAME_LIMIT or len(b) > NAME_LIMIT:
        return False
    first, second = _folded(a), _folded(b)
    if not first or not second:
        return False
    if first == second:
        return True
    if abs(len(first) - len(second)) > 2:
        return False  # no slip adds or drops so many letters
    ours, theirs = _words(a), _words(b)
    if len(ours) != len(theirs):
        # a separator too many or too few is the slip then, and may hide a letter
        return max(len(first), len(second)) > 2 * shortest and _distance(first, second) <= 1
    slips = [(x, y) for x, y in zip(ours, theirs, strict=True) if x != y]
    return len(slips) == 1 and _is_slip_of_a_word(*slips[0], shortest)


def _is_slip_of_a_word(a: str, b: str, shortest: int) -> bool:
    length = max(len(a), len(b))
    return length >= shortest and _distance(a, b) <= (1 if length < 2 * shortest else 2)


def _words(name: str) -> list[str]:
    """The words of a name in snake, kebab or camel case, in small letters."""
    return [word.lower() for word in _WORDS.findall(name)]


@lru_cache(maxsize=1024)
def _folded(name: str) -> str:
    return _SEPARATORS.sub("", name.lower())


def _distance(a: str, b: str) -> int:
    """How many letters to add, drop, change or swap with their neighbour make `a` into `b`; 3 stands for more."""
    if abs(len(a) - len(b)) > 2:
        return 3
    before: list[int] = []
    row = list(range(len(b) + 1))
    for i, x in enumerate(a):
        earlier, before, row = before, row, [i + 1]
        for j, y in enumerate(b):
            best = min(before[j + 1] + 1, row[j] + 1, before[j] + (x != y))
            if i and j and x == b[j - 1] and y == a[i - 1]:
                best = min(best, earlier[j - 1] + 1)
            row.append(best)
    return min(row[-1], 3)
