"""Whether a regular expression of Python's can be slow: a proof by its structure, on the safe side.

Python's engine tries again: where a pattern leaves a choice, and what follows fails, the other choices are tried. The
time stays proportional to the text when no choice is left open by the next character, or when what is tried again is
short. That is what is looked for here: a pattern without objections is linear, one with objections may be as well.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from re import _compiler, _constants, _parser  # type: ignore[attr-defined]
from typing import Any, TypeAlias

# All of ASCII, and a sign of each sort beyond it: what two sets have in common is looked for among these.
_SIGNS = "".join(map(chr, range(128))) + "\x85\xa0é²٣\u0301\u200b\u2028漢\uff1a\U0001f600\ud800"

Items: TypeAlias = "Sequence[tuple[Any, Any]]"
_SINGLE = ("LITERAL", "NOT_LITERAL", "ANY", "IN", "RANGE", "CATEGORY")
_REPEATS = ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT")
_SEARCHING = ("search", "sub", "subn", "split", "findall", "finditer")


def objections(pattern: str | bytes, flags: int = 0, *, searched: bool) -> list[str]:
    """Why the pattern may take more than linear time; `searched` when it may begin anywhere in the text."""
    parsed = _parser.parse(pattern, flags)
    proof = _Proof(parsed.state, parsed.state.flags, isinstance(pattern, bytes))
    proof.look(list(parsed), [], loop=False)
    if searched:
        proof.look_at_starts(list(parsed))
    return proof.found


class _Proof:
    def __init__(self, state: Any, flags: int, is_bytes: bool) -> None:
        self._state = state
        self._flags = flags
        self._is_bytes = is_bytes
        self.found: list[str] = []

    # --- what characters ---------------------------------------------------------------------------------------

    def _signs(self, item: tuple[Any, Any]) -> frozenset[str]:
        """The signs that a single item matches."""
        compiled = _compiler.compile(_parser.SubPattern(self._state, [item]), self._flags)
        if self._is_bytes:
            return frozenset(sign for sign in _SIGNS[:128] if compiled.fullmatch(sign.encode()))
        return frozenset(sign for sign in _SIGNS if compiled.fullmatch(sign))

    def _first(self, items: Items) -> tuple[frozenset[str], bool]:
        """What a match can begin with, and whether it can be empty."""
        signs: frozenset[str] = frozenset()
        for item in items:
            more, empty = self._first_of(item)
            signs |= more
            if not empty:
                return signs, False
        return signs, True

    def _first_of(self, item: tuple[Any, Any]) -> tuple[frozenset[str], bool]:
        name, value = str(item[0]), item[1]
        if name in _SINGLE:
            return self._signs(item), False
        if name in _REPEATS:
            signs, empty = self._first(list(value[2]))
            return signs, empty or value[0] == 0
        if name == "BRANCH":
            parts = [self._first(list(branch)) for branch in value[1]]
            return frozenset().union(*(signs for signs, _ in parts)), any(empty for _, empty in parts)
        if name == "GROUPREF":
            return frozenset(_SIGNS), True
        inner = inside(item)
        if inner is None or name in ("ASSERT", "ASSERT_NOT"):
            return frozenset(), True
        return self._first(inner)

    def _all(self, items: Items) -> frozenset[str]:
        """Every sign that can stand in a match, or is looked at on the way."""
        signs: frozenset[str] = frozenset()
        for item in items:
            signs |= self._signs(item) if str(item[0]) in _SINGLE else frozenset()
            for inner in _parts(item):
                signs |= self._all(inner)
        return signs

    # --- choices ---------------------------------------------------------------------------------------------

    def look(self, items: Items, then: Items, *, loop: bool) -> None:
        """Object to every choice that stays open; `then` is what follows, `loop` whether all this is repeated."""
        for index, item in enumerate(items):
            name, value = str(item[0]), item[1]
            rest = [*items[index + 1 :], *then]
            if name in _REPEATS:
                self._look_at_repeat(name, value, rest, loop=loop)
            elif name == "BRANCH":
                branches = [list(branch) for branch in value[1]]
                if loop and self._overlap(branches, rest):
                    self.found.append("branches that begin alike, inside a repetition")
                for branch in branches:
                    self.look(branch, rest, loop=loop)
            elif name in ("ASSERT", "ASSERT_NOT"):
                inner = list(value[1])
                if loop and _has_unbounded(inner):
                    self.found.append("a look at a run of any length, inside a repetition")
                self.look(inner, [], loop=loop)
            elif name == "GROUPREF" and loop:
                self.found.append("a reference back, inside a repetition")
            elif (held := inside(item)) is not None:
                self.look(held, [] if name == "ATOMIC_GROUP" else rest, loop=loop)

    def _look_at_repeat(self, name: str, value: Any, rest: Items, *, loop: bool) -> None:
        least, most, body = value[0], value[1], list(value[2])
        endless = most is _constants.MAXREPEAT
        first, empty = self._first(body)
        if endless and empty:
            self.found.append("a repetition of what can be empty")
        if name != "POSSESSIVE_REPEAT" and least != most and first & self._first(rest)[0]:
            # where it ends is open, so that all that follows may be tried from each of its ends
            if loop:
                self.found.append("a repetition whose end is open, inside another")
            elif endless and _has_unbounded(rest):
                self.found.append("a repetition whose end is open, and another behind it")
        again = [*body, *([] if name == "POSSESSIVE_REPEAT" else rest)] if endless or most > 1 else rest
        self.look(body, again, loop=loop or endless)

    def _overlap(self, branches: Sequence[Items], rest: Items) -> bool:
        seen: frozenset[str] = frozenset()
        for branch in branches:
            signs, empty = self._first(branch)
            signs |= self._first(rest)[0] if empty else frozenset()
            if seen & signs:
                return True
            seen |= signs
        return False

    # --- starts ----------------------------------------------------------------------------------------------

    def look_at_starts(self, items: Items) -> None:
        """Object when one run of characters can be read anew from many starts."""
        for alternative in _alternatives(items):
            first, empty = self._first(alternative)
            anchored = (
                bool(alternative)
                and str(alternative[0][0]) == "AT"
                and str(alternative[0][1]).startswith("AT_BEGINNING")
            )
            if anchored and str(alternative[0][1]) == "AT_BEGINNING_STRING":
                continue
            if anchored and not self._flags & re.MULTILINE:
                continue
            for runs, fails in _runs(alternative):
                signs = self._all(runs)
                if not fails:
                    continue  # what was read belongs to the match then, and is not read again
                if anchored and "\n" not in signs:
                    continue  # one start a line, and the run ends with the line
                if not anchored and not empty and not signs & first:
                    continue  # no start lies inside of the run
                self.found.append("a run that can be read anew from each of its characters")


def inside(item: tuple[Any, Any]) -> list[Any] | None:
    """What a group or a look around holds; None for any other item."""
    name, value = str(item[0]), item[1]
    if name == "SUBPATTERN":
        return list(value[3])
    if name == "ATOMIC_GROUP":
        return list(value)
    if name in ("ASSERT", "ASSERT_NOT"):
        return list(value[1])
    return None


def _parts(item: tuple[Any, Any]) -> Iterator[list[Any]]:
    """The parts of an item that are patterns themselves."""
    name, value = str(item[0]), item[1]
    if name in _REPEATS:
        yield list(value[2])
    elif name == "BRANCH":
        yield from (list(branch) for branch in value[1])
    elif (held := inside(item)) is not None:
        yield held


def unbounded(item: tuple[Any, Any]) -> bool:
    """Whether an item is a repetition without a limit."""
    return str(item[0]) in _REPEATS and item[1][1] is _constants.MAXREPEAT


def _has_unbounded(items: Items) -> bool:
    return any(unbounded(item) or any(map(_has_unbounded, _parts(item))) for item in items)


def _alternatives(items: Items) -> Iterator[list[Any]]:
    """What a pattern can be at its top, one after the other."""
    if items and str(items[0][0]) == "BRANCH":
        for branch in items[0][1][1]:
            yield from _alternatives([*branch, *items[1:]])
    elif items and str(items[0][0]) == "SUBPATTERN":
        yield from _alternatives([*items[0][1][3], *items[1:]])
    else:
        yield list(items)


def _runs(items: Items) -> Iterator[tuple[Items, bool]]:
    """The unbounded repetitions of a sequence, each with whether what follows it can fail."""
    for index, item in enumerate(items):
        fails = any(not _cannot_fail(each) for each in items[index + 1 :])
        if unbounded(item):
            # a body of several parts can fail in the middle of its last round, having read what it gives back
            yield list(item[1][2]), fails or len(item[1][2]) > 1 or str(item[1][2][0][0]) not in _SINGLE
        else:
            for part in _parts(item):
                yield from ((runs, fails or inner) for runs, inner in _runs(part))


def _cannot_fail(item: tuple[Any, Any]) -> bool:
    return str(item[0]) in _REPEATS and item[1][0] == 0
