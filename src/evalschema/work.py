"""How much has been done to explain why an instance does not fit a schema of the user's own, and when that is too much.

Everything is counted, never timed: the same schema and instance give the same answer on every machine. A unit is about
ten microseconds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextvars import ContextVar
from functools import cache
from gc import get_referents
from typing import Any

from evalschema.verdict import pattern_weight, validator

LIMIT = 200_000
_UNIT = 10_000  # nanoseconds


class WorkLimitError(Exception):
    """The schema asks for more work than any honest document needs."""


class Work:
    """What may still be done for one explanation."""

    def __init__(self, limit: int = LIMIT) -> None:
        self._left = float(limit)
        self._sizes: dict[int, int] = {}
        self._prepared: dict[tuple[str, int], Callable[[Any], bool]] = {}

    def charge(self, units: float) -> None:
        """Note that so much is about to be done; raises `WorkLimitError`."""
        self._left -= units
        if self._left < 0:
            raise WorkLimitError

    def size(self, instance: Any) -> int:
        """How many values the instance holds; it is alive as long as the explanation."""
        if not isinstance(instance, dict | list):
            return 1
        if id(instance) not in self._sizes:
            count = 0
            level: list[Any] = [instance]
            while level:
                count += len(level)
                level = get_referents(*[each for each in level if isinstance(each, dict | list)])
            self._sizes[id(instance)] = count
        return self._sizes[id(instance)]

    def prepared(self, keyword: str, value: Any) -> Callable[[Any], bool]:
        """The verdict of one keyword; the schema that holds its value lives as long as the explanation."""
        key = keyword, id(value)
        if key not in self._prepared:
            self.charge(10 + self.size(value) / 50)
            self._prepared[key] = validator({keyword: value}).is_valid
        return self._prepared[key]


# a context variable, so that threads and tasks do not share it
_work: ContextVar[Work] = ContextVar("work")


def begin(limit: int = LIMIT) -> None:
    """A new explanation begins here."""
    _work.set(Work(limit))


def charge(units: float = 1) -> None:
    """Note that so much is about to be done; raises `WorkLimitError`."""
    _work.get().charge(units)


def value_holds(keyword: str, value: Any, instance: Any) -> bool:
    """The verdict of `enum` or `const`, whose values may be of any size; made ready once for each explanation."""
    return _work.get().prepared(keyword, value)(instance)


def counted(keyword: str, holds: Callable[..., Any]) -> Callable[..., Iterator[Any]]:
    """The function of a keyword, which notes what it is about to do."""
    cost = _COSTS.get(keyword)

    def holds_counted(engine: Any, value: Any, instance: Any, schema: Any) -> Iterator[Any]:
        work = _work.get()
        work.charge(1)
        if cost is not None:
            work.charge(cost(work, value, instance, schema))
        yield from holds(engine, value, instance, schema) or ()

    return holds_counted


# --- what a keyword costs beyond what it hands on to others -------------------------------------------------------


def _length(value: Any) -> int:
    return len(value) if isinstance(value, str | list | dict) else 0


def _names(work: Work, value: Any, instance: Any, schema: Any) -> float:
    return _length(value) / 50


def _companions(work: Work, value: Any, instance: Any, schema: Any) -> float:
    return sum(_length(each) for each in value.values()) / 50 if isinstance(value, dict) else 0


def _whole(work: Work, value: Any, instance: Any, schema: Any) -> float:
    return work.size(instance) / 50


def _pattern(work: Work, value: Any, instance: Any, schema: Any) -> float:
    return _weight(value) * len(instance) / _UNIT if isinstance(instance, str) else 0


def _patterns(work: Work, patterns: Any, instance: Any) -> float:
    if not isinstance(instance, dict) or not isinstance(patterns, Mapping):
        return 0
    characters = sum(map(len, instance))
    return len(patterns) * len(instance) / 5 + sum(map(_weight, patterns)) * characters / _UNIT


def _pattern_properties(work: Work, value: Any, instance: Any, schema: Any) -> float:
    return _patterns(work, value, instance)


def _additional(work: Work, value: Any, instance: Any, schema: Any) -> float:
    return _length(instance) / 20 + _patterns(work, schema.get("patternProperties", {}), instance)


def _inside(work: Work, value: Any, instance: Any, schema: Any) -> float:
    return _length(instance) / 20


def _members(work: Work, value: Any, instance: Any, schema: Any) -> float:
    return _length(value) / 20


def _branches(work: Work, value: Any, instance: Any, schema: Any) -> float:
    # the branch that is meant is looked for among all, by the members of the first
    first = value[0] if isinstance(value, list) and value else None
    members = _length(first.get("properties")) if isinstance(first, dict) else 0
    return _length(value) * (1 + members / 20)


def _left_over(work: Work, value: Any, instance: Any, schema: Any) -> float:
    # jsonschema looks each of them up in a list of those that were evaluated
    return _length(instance) ** 2 / 2000


@cache
def _weight(pattern: str) -> float:
    return pattern_weight(pattern)


_COSTS: Mapping[str, Callable[[Work, Any, Any, Any], float]] = {
    "required": _names,
    "dependentRequired": _companions,
    "dependencies": _companions,
    "uniqueItems": _whole,
    "enum": _whole,
    "const": _whole,
    "pattern": _pattern,
    "patternProperties": _pattern_properties,
    "additionalProperties": _additional,
    "items": _inside,
    "properties": _members,
    "anyOf": _branches,
    "oneOf": _branches,
    "unevaluatedProperties": _left_over,
    "unevaluatedItems": _left_over,
}
