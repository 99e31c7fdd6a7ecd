"""Metadata of an eval: it says what is asked, never how it went."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from evalschema.excerpt import shown
from evalschema.rules._engine import Violation, rule

if TYPE_CHECKING:
    from collections.abc import Iterator


@rule("EVM001", "warning", each="/assertions")
def verdict_in_definition(assertion: Any) -> Iterator[Violation] | None:
    """An assertion of the definition carries a verdict: a `passed` that is true or false, or an `evidence`.

    The definition is shared by all runs of the eval, with the skill and without it, so a verdict in it belongs to
    none of them; the pages and the aggregator read verdicts from `grading.json` alone. A template whose `passed` is
    null and whose `evidence` is empty is none.

    Move the verdict into the `grading.json` of the run that it is about, and leave the statement here.
    """
    if not isinstance(assertion, dict):
        return None
    if not isinstance(assertion.get("passed"), bool) and not _says_something(assertion.get("evidence")):
        return None
    return _verdicts(assertion)


def _says_something(evidence: Any) -> bool:
    return isinstance(evidence, str) and bool(evidence.strip())


def _verdicts(assertion: dict[str, Any]) -> Iterator[Violation]:
    for name in ("passed", "evidence"):
        value = assertion.get(name)
        if value is not None:
            yield Violation(
                (name,),
                f"{name} is {shown(value)} in a definition: verdicts belong into the grading.json of the run",
                found=value,
                consequence="no program reads a verdict here",
            )
