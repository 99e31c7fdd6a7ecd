"""Rules across the files of a workspace: a rule gets the workspace and says in which document something is wrong."""

from __future__ import annotations

from functools import cache
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Any

from evalschema import rules
from evalschema.catalog import kinds
from evalschema.errors import RuleError
from evalschema.finding import Finding, Patch, Place, Severity, Tokens, pointer, relocated
from evalschema.rules._engine import Check, Rule, Violation, rules_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from evalschema.settings import Settings
    from evalschema.workspace.model import Document, Workspace


class Contradiction(Violation):
    """A place in one document of a workspace, what is wrong there, and the places in other files that it rests on."""

    __slots__ = ("document", "elsewhere")

    def __init__(
        self,
        document: Document,
        at: Tokens,
        message: str,
        *,
        elsewhere: Iterable[tuple[Document, Tokens]] = (),
        found: Any = None,
        expected: Any = None,
        related: Iterable[Tokens] = (),
        consequence: str | None = None,
        suggestion: str | None = None,
        fix: Patch | None = None,
        severity: Severity | None = None,
    ) -> None:
        super().__init__(
            at,
            message,
            found=found,
            expected=expected,
            related=related,
            consequence=consequence,
            suggestion=suggestion,
            fix=fix,
            severity=severity,
        )
        self.document = document
        self.elsewhere = tuple(elsewhere)


class Across(Rule):
    """A rule that gets a whole workspace.

    Documents may be damaged in every way; the rule asks them, and gets None for what is not sound.
    """

    def run(self, instance: Any, broken: frozenset[Tokens], settings: Settings) -> Iterator[Finding]:
        """Nothing: a single document is not what the rule is about."""
        del instance, broken, settings
        return iter(())

    def judge(self, workspace: Workspace) -> Iterator[tuple[Document, Finding]]:
        """Each finding, with the document in which it lies; `RuleError` when the function raises."""
        try:
            for violation in self.check(workspace) or ():
                if not isinstance(violation, Contradiction):
                    raise TypeError(f"{self.code} names no document")
                yield violation.document, self._located(violation)
        except Exception as cause:
            raise RuleError(self.code, self.kind) from cause

    def _located(self, violation: Contradiction) -> Finding:
        others = (Place(document.path, pointer(at), *document.position(at)) for document, at in violation.elsewhere)
        kind = violation.document.kind
        return relocated(self._finding((), violation), kind=kind, elsewhere=tuple(others))


def across(code: str, severity: Severity) -> Callable[[Check], Across]:
    """Make a rule of a function of a workspace."""

    def make(check: Check) -> Across:
        return Across(code, severity, check)

    return make


@cache
def rules_across() -> tuple[Across, ...]:
    """Every rule about whole workspaces, by code: those of the modules that bear the name of no kind."""
    modules = (module.name for module in iter_modules(rules.__path__))
    found = [rule for name in modules if not name.startswith("_") and name not in kinds() for rule in rules_of(name)]
    return tuple(sorted((rule for rule in found if isinstance(rule, Across)), key=lambda rule: rule.code))
