"""How many steps a backtracking engine takes for a regular expression on a text: counted, so that no clock is asked.

Works as Python's engine does, without its shortcuts, so that it never takes fewer steps in the long run. The parsed
pattern becomes functions that take an offset and what is to be done with the offset behind the match.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from re import _compiler, _constants, _parser  # type: ignore[attr-defined]
from typing import Any, TypeAlias

from tests.patterns import inside, unbounded

Then: TypeAlias = Callable[[int], bool]
Matcher: TypeAlias = Callable[[int, Then], bool]
_SINGLE = ("LITERAL", "NOT_LITERAL", "ANY", "IN", "RANGE", "CATEGORY")
_PREFERRED = 'a1 x0-\n`"{[(<|*#:=\\.,/_>~'


class TooManyStepsError(Exception):
    """More steps than were allowed."""


class Machine:
    """A pattern that counts its steps while it matches texts."""

    def __init__(self, pattern: str | bytes, flags: int = 0, *, budget: int = 20_000_000) -> None:
        # offsets of bytes and of Latin-1 text are the same
        self._bytes = isinstance(pattern, bytes)
        self._parsed = _parser.parse(pattern, flags)
        self._state = self._parsed.state
        self._flags = self._state.flags
        self._text = ""
        self._groups: dict[int, tuple[int, int]] = {}
        self._opened: dict[int, int] = {}
        self._budget = budget
        self.steps = 0
        self._run = self._sequence(list(self._parsed))

    def match(self, text: str, at: int = 0, *, full: bool = False, least: int = 0) -> tuple[int, int] | None:
        """The span of the match at an offset: of the whole text when `full`, of `least` characters at least."""
        self._text, self._groups = text, {}
        end = -1

        def done(i: int) -> bool:
            nonlocal end
            end = i
            return i == len(text) if full else i - at >= least

        return (at, end) if self._run(at, done) else None

    def spans(self, text: str) -> list[tuple[int, int]]:
        """The spans of all matches, as `finditer` gives them."""
        found: list[tuple[int, int]] = []
        at = least = 0
        while at <= len(text):
            span = self.match(text, at, least=least)
            if span is None:
                at, least = at + 1, 0
            else:
                found.append(span)
                # behind an empty match one that is not empty may begin at the same place
                at, least = span[1], int(span[0] == span[1])
        return found

    def _step(self) -> None:
        self.steps += 1
        if self.steps > self._budget:
            raise TooManyStepsError

    # --- parts of a pattern --------------------------------------------------------------------------------------

    def _sequence(self, items: list[Any]) -> Matcher:
        parts = [self._part(item) for item in items]

        def run(i: int, then: Then) -> bool:
            return parts_from(0, i, then)

        def parts_from(index: int, i: int, then: Then) -> bool:
            if index == len(parts):
                return then(i)
            return parts[index](i, lambda j: parts_from(index + 1, j, then))

        return run

    def _part(self, item: tuple[Any, Any]) -> Matcher:
        name, value = str(item[0]), item[1]
        if name in _SINGLE:
            is_one = self._sign(item)

            def single(i: int, then: Then) -> bool:
                self._step()
                return i < len(self._text) and is_one(self._text[i]) and then(i + 1)

            return single
        if name in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"):
            return self._repeat(name, value[0], value[1], list(value[2]))
        if name == "BRANCH":
            branches = [self._sequence(list(branch)) for branch in value[1]]
            return lambda i, then: any(branch(i, then) for branch in branches)
        if name == "SUBPATTERN":
            return self._group(value[0], self._sequence(list(value[3])))
        if name == "ATOMIC_GROUP":
            body = self._sequence(list(value))
            return lambda i, then: (end := self._first_end(body, i)) is not None and then(end)
        if name in ("ASSERT", "ASSERT_NOT"):
            return self._look(value, wanted=name == "ASSERT")
        if name == "AT":
            where = str(value)
            return lambda i, then: self._stands(where, i) and then(i)
        assert name == "GROUPREF", f"{name} is not known here"
        return lambda i, then: self._reference(value, i, then)

    def _sign(self, item: tuple[Any, Any]) -> Callable[[str], bool]:
        compiled = _compiler.compile(_parser.SubPattern(self._state, [item]), self._flags)
        known: dict[str, bool] = {}

        def is_one(sign: str) -> bool:
            if sign not in known:
                known[sign] = bool(compiled.fullmatch(sign.encode("latin-1") if self._bytes else sign))
            return known[sign]

        return is_one

    def _first_end(self, body: Matcher, i: int) -> int | None:
        end: int | None = None

        def done(j: int) -> bool:
            nonlocal end
            end = j
            return True

        return end if body(i, done) else None

    def _repeat(self, name: str, least: int, most: Any, body_items: list[Any]) -> Matcher:
        limit = sys.maxsize if most is _constants.MAXREPEAT else int(most)
        if len(body_items) == 1 and str(body_items[0][0]) in _SINGLE:
            return self._run_of(name, least, limit, self._sign(body_items[0]))
        body = self._sequence(body_items)
        if name == "POSSESSIVE_REPEAT":

            def possessive(i: int, then: Then) -> bool:
                count = 0
                while count < limit:
                    self._step()
                    end = self._first_end(body, i)
                    if end is None or (end == i and count >= least):
                        break
                    i, count = end, count + 1
                return count >= least and then(i)

            return possessive

        def again(i: int, count: int, then: Then) -> bool:
            self._step()

            def more() -> bool:
                return count < limit and body(i, lambda j: (j > i or count < least) and again(j, count + 1, then))

            if name == "MIN_REPEAT":
                return (count >= least and then(i)) or more()
            return more() or (count >= least and then(i))

        return lambda i, then: again(i, 0, then)

    def _run_of(self, name: str, least: int, limit: int, is_one: Callable[[str], bool]) -> Matcher:
        def longest(i: int) -> int:
            end, stop = i, min(len(self._text), i + limit)
            while end < stop and is_one(self._text[end]):
                self._step()
                end += 1
            return end

        def run(i: int, then: Then) -> bool:
            self._step()
            end = longest(i)
            if name == "POSSESSIVE_REPEAT":
                return end - i >= least and then(end)
            ends = range(i + least, end + 1)
            for each in ends if name == "MIN_REPEAT" else reversed(ends):
                self._step()
                if then(each):
                    return True
            return False

        return run

    def _group(self, number: int | None, body: Matcher) -> Matcher:
        if number is None:
            return body

        def run(i: int, then: Then) -> bool:
            before = self._groups.get(number)

            def closed(j: int) -> bool:
                inner = self._groups.get(number)
                self._groups[number] = (i, j)
                if then(j):
                    return True
                self._restore(number, inner)
                return False

            if body(i, closed):
                return True
            self._restore(number, before)
            return False

        return run

    def _restore(self, number: int, span: tuple[int, int] | None) -> None:
        if span is None:
            self._groups.pop(number, None)
        else:
            self._groups[number] = span

    def _reference(self, number: int, i: int, then: Then) -> bool:
        if number not in self._groups:
            return False
        start, end = self._groups[number]
        piece = self._text[start:end]
        self.steps += len(piece)
        return self._text.startswith(piece, i) and then(i + len(piece))

    def _look(self, value: Any, *, wanted: bool) -> Matcher:
        direction, items = value
        body = self._sequence(list(items))
        width = items.getwidth()[0] if direction < 0 else 0

        def run(i: int, then: Then) -> bool:
            self._step()
            found = i >= width and self._first_end(body, i - width) is not None
            return found == wanted and then(i)

        return run

    def _stands(self, where: str, i: int) -> bool:
        self._step()
        text = self._text
        lines = bool(self._flags & re.MULTILINE)
        if where == "AT_BEGINNING":
            return i == 0 or (lines and text[i - 1] == "\n")
        if where == "AT_BEGINNING_STRING":
            return i == 0
        if where == "AT_END":
            return i == len(text) or (text[i] == "\n" and (lines or i == len(text) - 1))
        if where == "AT_END_STRING":
            return i == len(text)
        assert where in ("AT_BOUNDARY", "AT_NON_BOUNDARY"), where
        between = (i > 0 and _is_word(text[i - 1])) != (i < len(text) and _is_word(text[i]))
        return between == (where == "AT_BOUNDARY")


def _is_word(sign: str) -> bool:
    return sign.isalnum() or sign == "_"


# --- texts that are made to be slow ---------------------------------------------------------------------------------


def attacks(pattern: str | bytes, flags: int, size: int) -> Iterator[str]:
    """Texts of about a size that press each repetition of the pattern: repeated alone, and with what leads to it."""
    parsed = _parser.parse(pattern, flags)
    sampler = _Sampler(parsed.state, isinstance(pattern, bytes))
    for lead, body in sampler.repetitions(list(parsed), ""):
        pump = sampler.sample(body, once=True) or "a"
        for unit, before in ((pump, lead), (lead + pump, ""), (pump + pump[:1], lead)):
            run = unit * max(1, (size - len(before)) // len(unit))
            yield from (before + run + end for end in ("", "\x00", "\n", "x" if "x" not in unit else "!"))
    for unit in (" ", "\n", "-", "a", "1", "`", "<", "|", '"', "{", "\n ", "a ", "\n`", '{"'):
        yield unit * (size // len(unit))


class _Sampler:
    def __init__(self, state: Any, is_bytes: bool) -> None:
        self._state = state
        self._is_bytes = is_bytes

    def repetitions(self, items: list[Any], lead: str) -> Iterator[tuple[str, list[Any]]]:
        """The unbounded repetitions, each with a text that leads to it."""
        for item in items:
            name = str(item[0])
            if unbounded(item):
                yield lead, list(item[1][2])
            parts = [list(branch) for branch in item[1][1]] if name == "BRANCH" else []
            if (inner := inside(item)) is not None:
                parts.append(inner)
            elif name.endswith("_REPEAT"):
                parts.append(list(item[1][2]))
            for part in parts:
                yield from self.repetitions(part, lead)
            lead += self.sample([item], once=False)

    def sample(self, items: list[Any], *, once: bool) -> str:
        """A short text that the items match, if nothing around them forbids it; what may be left out is left out."""
        return "".join(self._sample(item, once=once) for item in items)

    def _sample(self, item: Any, *, once: bool) -> str:
        name, value = str(item[0]), item[1]
        if name in _SINGLE:
            compiled = _compiler.compile(_parser.SubPattern(self._state, [item]), self._state.flags)
            signs = [*_PREFERRED, *map(chr, range(128))]
            if self._is_bytes:
                return next((sign for sign in signs if compiled.fullmatch(sign.encode("latin-1", "ignore"))), "")
            return str(next((sign for sign in signs if compiled.fullmatch(sign)), ""))
        if name == "BRANCH":
            return self.sample(list(value[1][0]), once=once)
        if name.endswith("_REPEAT"):
            return self.sample(list(value[2]), once=once) * min(max(int(value[0]), int(once)), 50)
        if name in ("SUBPATTERN", "ATOMIC_GROUP"):
            return self.sample(inside(item) or [], once=once)
        return ""
