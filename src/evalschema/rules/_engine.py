"""Make rules of functions, find them, run them; knows nothing of any kind.

A rule is a function in the module that bears its kind's name. It gets the instance and yields what is wrong. The engine
runs it only where the structure that it needs holds, so that a rule needs no type guards, and a document with one
broken section still gets the findings of the sound ones.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache, cached_property, wraps
from importlib import import_module
from importlib.util import find_spec
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from evalschema import rules
from evalschema.errors import RuleError
from evalschema.excerpt import short
from evalschema.finding import Finding, Patch, Severity, Tokens, pointer, split

if TYPE_CHECKING:
    from evalschema.settings import Settings


class Violation:
    """What a rule yields: a place and what is wrong there.

    `at` and `related` are reference tokens, relative to the item when the rule runs over the items of a list.
    `severity` is for the few rules that know two.
    """

    __slots__ = ("at", "consequence", "expected", "fix", "found", "message", "related", "severity", "suggestion")

    def __init__(
        self,
        at: Tokens,
        message: str,
        *,
        found: Any = None,
        expected: Any = None,
        related: Iterable[Tokens] = (),
        consequence: str | None = None,
        suggestion: str | None = None,
        fix: Patch | None = None,
        severity: Severity | None = None,
    ) -> None:
        self.at = at
        self.message = message
        self.found = found
        self.expected = expected
        self.related = tuple(related)
        self.consequence = consequence
        self.suggestion = suggestion
        self.fix = fix
        self.severity: Severity | None = severity


Check: TypeAlias = Callable[..., Iterable[Violation] | None]


@dataclass(frozen=True)
class Rule:
    """One check across members, with everything that is said about it.

    `needs` are the places (split JSON Pointers, `*` for any token) that must be sound for it to run; `each` is the list
    whose items it gets one by one.
    """

    code: str
    severity: Severity
    check: Check
    needs: tuple[tuple[str, ...], ...] = ()
    each: tuple[str, ...] | None = None

    @property
    def kind(self) -> str:
        """The kind whose documents it judges: the name of its module."""
        return self.check.__module__.rpartition(".")[2]

    @cached_property
    def name(self) -> str:
        """What the rule is called: the defect, in words joined by `-`."""
        return self.check.__name__.replace("_", "-")

    @cached_property
    def page(self) -> str:
        """What is said about the rule: the docstring of its function."""
        return inspect.getdoc(self.check) or ""

    @property
    def summary(self) -> str:
        """The defect in one sentence."""
        return self.page.partition("\n")[0]

    @cached_property
    def takes_settings(self) -> bool:
        """Whether the function asks for the settings as well."""
        return "settings" in inspect.signature(self.check).parameters

    @cached_property
    def is_plain(self) -> bool:
        """Whether the bare function tells of an instance whether anything is wrong with it."""
        lazy = inspect.isgeneratorfunction(self.check)
        return type(self) is Rule and self.each is None and not self.takes_settings and not lazy

    def __call__(self, *args: Any) -> Iterable[Violation] | None:
        return self.check(*args)

    def run(self, instance: Any, broken: frozenset[Tokens], settings: Settings) -> Iterable[Finding]:
        """The findings in `instance`, which has the `broken` places; `RuleError` when the function raises."""
        try:
            if self.each is None:
                if broken and any(_touches(place, need) for place in broken for need in self.needs):
                    return ()
                violations = self.check(instance, settings) if self.takes_settings else self.check(instance)
                # most documents are sound, so that nothing is made until a rule has something to say
                return [self._finding((), violation) for violation in violations] if violations else ()
            return self._run_over_items(instance, broken, settings)
        except Exception as cause:
            raise RuleError(self.code, self.kind) from cause

    def _run_over_items(self, instance: Any, broken: frozenset[Tokens], settings: Settings) -> list[Finding]:
        found: list[Finding] = []
        each = self.each or ()
        check = self.check
        extra = (settings,) if self.takes_settings else ()
        # a comprehension, for a list may be long, and most of its items are sound
        told = [(index, some) for index, item in self._items(instance, broken) if (some := check(item, *extra))]
        for index, violations in told:
            found += [self._finding((*each, index), violation) for violation in violations]
        return found

    def _items(self, instance: Any, broken: frozenset[Tokens]) -> Iterable[tuple[int, Any]]:
        """The sound items of the list, with their indices."""
        each = self.each or ()
        items = instance
        for token in each:
            items = items.get(token) if isinstance(items, dict) else None
        if not isinstance(items, list):
            return ()
        doubtful = _doubtful(_look(self.kind, each), items)
        if not broken:
            return doubtful
        depth = len(each)
        inside: dict[Any, list[Tokens]] = {}
        for place in broken:
            # a failure of the list itself (too short, say) leaves its items sound
            if place[:depth] == each and len(place) > depth:
                inside.setdefault(place[depth], []).append(place[depth + 1 :])
        needs = self.needs or ((),)
        damaged = [
            (index, items[index])
            for index, places in inside.items()
            if index in range(len(items)) and not any(_touches(place, need) for place in places for need in needs)
        ]
        return [*damaged, *((index, item) for index, item in doubtful if index not in inside)]

    def _finding(self, base: Tokens, violation: Violation) -> Finding:
        return Finding(
            code=self.code,
            name=self.name,
            severity=violation.severity if violation.severity is not None else self.severity,
            kind=self.kind,
            pointer=pointer(base + violation.at),
            message=violation.message,
            found=short(violation.found),
            expected=short(violation.expected),
            related=tuple(pointer(base + place) for place in violation.related),
            consequence=violation.consequence,
            suggestion=violation.suggestion,
            fix=violation.fix,
        )


def rule(
    code: str, severity: Severity = "error", *, needs: Iterable[str] = (), each: str | None = None
) -> Callable[[Check], Rule]:
    """Make a rule of a function; `needs` and `each` are JSON Pointers."""
    places = tuple(split(need) for need in needs)
    items = None if each is None else split(each)

    def make(check: Check) -> Rule:
        return Rule(code, severity, check, places, items)

    return make


@dataclass(frozen=True, slots=True)
class Look:
    """A quick answer for several rules: whether none of them has anything to say. They are asked where it doubts."""

    says_nothing: Callable[[Any], bool]
    each: tuple[str, ...] | None


def look(*, each: str | None = None) -> Callable[[Callable[[Any], bool]], Look]:
    """Make a look of a function, for all rules of its module, or for those over the items of the list `each`.

    It gets what is sound, and is worth its lines where many documents or items are: most have nothing wrong.
    """

    def make(says_nothing: Callable[[Any], bool]) -> Look:
        return Look(says_nothing, None if each is None else split(each))

    return make


def _nothing_to_say(look: Look | None, instance: Any) -> bool:
    try:
        return look is not None and look.says_nothing(instance)
    except Exception:
        return False  # a doubt: the rules themselves know what to do


def _touches(place: Tokens, need: tuple[str, ...]) -> bool:
    """Whether a failure at `place` lies at, above or below a place that is needed."""
    return all(want in ("*", str(have)) for have, want in zip(place, need, strict=False))


@cache
def rules_of(kind: str) -> tuple[Rule, ...]:
    """The rules of a kind, in the order of their module; none where the kind has no module."""
    name = f"{rules.__name__}.{kind}"
    if find_spec(name) is None:
        return ()
    return tuple(value for value in vars(import_module(name)).values() if isinstance(value, Rule))


@cache
def _look(kind: str, each: tuple[str, ...] | None) -> Look | None:
    """The look for the rules of a kind over such items, or for all of them."""
    if not rules_of(kind):
        return None
    module = import_module(f"{rules.__name__}.{kind}")
    return next((value for value in vars(module).values() if isinstance(value, Look) and value.each == each), None)


@cache
def all_rules() -> tuple[Rule, ...]:
    """Every rule of every kind, by code."""
    kinds = [module.name for module in iter_modules(rules.__path__) if not module.name.startswith("_")]
    return tuple(sorted((each for kind in kinds for each in rules_of(kind)), key=lambda each: each.code))


@cache
def _plain(kind: str) -> tuple[tuple[Rule, ...], tuple[Rule, ...]]:
    """The rules of a kind whose functions take the instance alone and answer at once, and the others."""
    plain = tuple(each for each in rules_of(kind) if each.is_plain)
    return plain, tuple(each for each in rules_of(kind) if not each.is_plain)


# What was worked out of the document whose rules run; a context variable, so that threads and tasks do not share it.
_views: ContextVar[dict[Any, Any] | None] = ContextVar("views", default=None)
T = TypeVar("T")


def view(function: Callable[[Any], T]) -> Callable[[Any], T]:
    """Make a function of the instance that works once a document, however many rules ask it; none may change it."""

    @wraps(function)
    def seen(instance: Any) -> T:
        views = _views.get()
        if views is None:
            return function(instance)
        # the instance lives as long as its rules run, so that its identity is no other's
        key = (function, id(instance))
        if key not in views:
            views[key] = function(instance)
        known: T = views[key]
        return known

    return seen


def _doubtful(look: Look | None, items: list[Any]) -> Iterable[tuple[int, Any]]:
    """The items, with their indices, that a look leaves to the rules: all where there is none."""
    views = _views.get()
    if look is None or views is None:
        return enumerate(items)
    key = (look, id(items))
    if key not in views:
        says_nothing = look.says_nothing
        try:
            views[key] = [(index, item) for index, item in enumerate(items) if not says_nothing(item)]
        except Exception:
            views[key] = [(index, item) for index, item in enumerate(items) if not _nothing_to_say(look, item)]
    doubtful: list[tuple[int, Any]] = views[key]
    return doubtful


def run(kind: str, instance: Any, broken: frozenset[Tokens], settings: Settings) -> list[Finding]:
    """The findings of all rules of `kind`; `broken` are the places where the structure does not hold."""
    if () in broken:
        return []  # not even the root is what it should be
    if not broken and _nothing_to_say(_look(kind, None), instance):
        return []
    plain, others = _plain(kind)
    token = _views.set({})
    try:
        # most documents are sound: then the bare functions, one after the other, are all that is needed
        left = others if not broken and _are_silent(plain, instance) else rules_of(kind)
        return [finding for each in left for finding in each.run(instance, broken, settings)]
    finally:
        _views.reset(token)


def _are_silent(rules: tuple[Rule, ...], instance: Any) -> bool:
    """Whether no rule has anything to say; not where one crashes, for the slow way tells which."""
    try:
        for each in rules:
            if each.check(instance):
                return False
    except Exception:
        return False
    return True
