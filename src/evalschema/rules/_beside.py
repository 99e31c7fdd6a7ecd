"""Rules about a document and what lies beside it on disk; they run only for files, never for bytes or instances."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from evalschema.errors import RuleError
from evalschema.rules._engine import Check, Rule, rules_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from evalschema.finding import Finding, Severity, Tokens
    from evalschema.settings import Settings


class Beside(Rule):
    """A rule that gets the instance and the path of its file, and may look at what the path leads to.

    The instance may be damaged in every way: the rule looks before it reads.
    """

    def run(self, instance: Any, broken: frozenset[Tokens], settings: Settings) -> Iterator[Finding]:
        """Nothing: what is known of an instance alone is not enough."""
        del instance, broken, settings
        return iter(())

    def look(self, instance: Any, path: str) -> Iterator[Finding]:
        """The findings in the document of the file at `path`; `RuleError` when the function raises."""
        try:
            for violation in self.check(instance, path) or ():
                yield self._finding((), violation)
        except Exception as cause:
            raise RuleError(self.code, self.kind) from cause


def beside(code: str, severity: Severity) -> Callable[[Check], Beside]:
    """Make a rule of a function of an instance and the path of its file."""

    def make(check: Check) -> Beside:
        return Beside(code, severity, check)

    return make


def run_beside(kind: str, instance: Any, path: str) -> list[Finding]:
    """What the rules of `kind` find in the file at `path` and beside it."""
    return [finding for rule in _besides(kind) for finding in rule.look(instance, path)]


@cache
def _besides(kind: str) -> tuple[Beside, ...]:
    return tuple(rule for rule in rules_of(kind) if isinstance(rule, Beside))
