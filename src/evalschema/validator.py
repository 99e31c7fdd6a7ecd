"""Structure, then rules: the findings of one instance, in order."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

from evalschema.errors import SchemaError
from evalschema.excerpt import shown
from evalschema.finding import Finding, Result, pointer
from evalschema.plain import is_plain
from evalschema.reading import Unreadable, plain
from evalschema.rules._engine import run
from evalschema.settings import DEFAULT, Settings
from evalschema.verdict import is_valid, validator

if TYPE_CHECKING:
    from jsonschema_rs import Draft202012Validator

    from evalschema._generated.kinds import Kind
    from evalschema.bounds import Bounds


def validate(
    instance: Any, kind: Kind | None = None, *, schema: dict[str, Any] | None = None, settings: Settings = DEFAULT
) -> Result:
    """Check a parsed document; never raises for a bad one, and never changes it.

    Without `kind` it is told from the document. With `schema`, a JSON Schema of your own, the document is checked
    against that alone. Raises `UnknownKindError`, `SchemaError`, and `RuleError` when a rule crashes.
    """
    from evalschema.catalog import checked_kind, identify

    if kind is not None:
        checked_kind(kind)
    try:
        instance = plain(instance)
    except Unreadable as reason:
        return result([unreadable(reason, kind)], kind, settings)
    if schema is not None:
        given: Any = schema  # callers without a type checker pass anything
        if not isinstance(given, dict):
            raise SchemaError(f"a schema is an object, this is of type {type(given).__name__}")
        return judge_by_schema(schema, instance, settings)
    told: str | None = kind
    if told is None:
        told = identify(instance).kind
    if told is None:
        return result([unknown_kind(instance)], None, settings)
    return judge(told, instance, settings)


def judge(kind: str, instance: Any, settings: Settings) -> Result:
    """The result for an instance that is known to be plain JSON, of a kind that is known to exist."""
    return result(findings_of(kind, instance, settings), kind, settings)


def findings_of(kind: str, instance: Any, settings: Settings) -> list[Finding]:
    """All findings, in no particular order and before any setting is applied."""
    if is_plain(kind)(instance):
        return run(kind, instance, frozenset(), settings)
    if is_valid(kind)(instance):
        return [*run(kind, instance, frozenset(), settings), *_notes(kind, instance)]
    from evalschema.structure import structure

    found = structure(kind, instance)
    findings = found.findings
    if found.complete:
        findings += run(kind, instance, found.broken, settings)
    else:
        findings.append(too_much_work(kind))
    return findings


def _notes(kind: str, instance: Any) -> list[Finding]:
    from evalschema.names import notes

    return notes(kind, instance)


def usable(schema: dict[str, Any]) -> tuple[Draft202012Validator, Bounds]:
    """A schema of the user's own, made ready, and what it asks for; raises `SchemaError` when it cannot be used."""
    from evalschema.bounds import Bounds, refuse_unbounded

    refuse_unbounded(schema)
    return validator(schema), Bounds(schema)


def judge_by_schema(schema: dict[str, Any], instance: Any, settings: Settings) -> Result:
    """The result against a schema of the user's own; raises `SchemaError` when it cannot be used."""
    engine, bounds = usable(schema)
    judged = bounds.allow(instance)
    if judged and engine.is_valid(instance):
        return result([], None, settings)
    # explaining counts its steps, so that it may be asked where the verdict can not
    from evalschema.structure import structure_of_schema

    found = structure_of_schema(schema, instance)
    unexplained = judged and not found.findings
    findings = found.findings if found.complete and not unexplained else [*found.findings, too_much_work(None)]
    return result(findings, None, settings)


def result(findings: list[Finding], kind: str | None, settings: Settings, path: str | None = None) -> Result:
    """The findings as the settings judge them, sorted by place and code, cut to the limit with the worst kept."""
    if not findings:
        return Result((), kind, path)
    judged = [each for finding in findings if (each := settings.judged(finding)) is not None]
    judged.sort(key=_order)
    if len(judged) <= settings.max_findings:
        return Result(tuple(judged), kind, path)
    worst = sorted(range(len(judged)), key=lambda i: (_RANK[judged[i].severity], i))[: settings.max_findings]
    return Result(tuple(judged[i] for i in sorted(worst)), kind, path, truncated=True)


_RANK = {"error": 0, "warning": 1, "info": 2}


def _order(finding: Finding) -> tuple[Any, ...]:
    """By place, indices as numbers, then by code."""
    tokens = finding.pointer.split("/")
    return ([(0, int(t), "") if _is_index(t) else (1, 0, t) for t in tokens], finding.code, finding.message)


def _is_index(token: str) -> bool:
    """Whether a token can be an index: a member may be named with digits without end, which Python will not count."""
    return len(token) < 20 and token.isdecimal()


def unreadable(reason: Unreadable, kind: str | None) -> Finding:
    """The finding for what is no JSON."""
    from evalschema.codes import find_code

    code = find_code(reason.code)
    return Finding(
        code=reason.code,
        name=code.name if code else reason.code,
        severity="error",
        kind=kind,
        pointer=pointer(reason.at),
        message=reason.message,
        related=(pointer(reason.related),) if reason.related else (),
    )


def unknown_kind(instance: Any) -> Finding:
    """The finding for a document whose kind nothing tells."""
    from evalschema.messages import names

    named = instance.get("$schema") if isinstance(instance, dict) else None
    if isinstance(named, str):
        return Finding(
            code="kind.unknown",
            name="unknown-kind",
            severity="error",
            pointer="/$schema",
            message=f"{shown(named.rpartition('/')[2])} names no kind, nor do the members (see `evalschema kinds`)",
            found=shown(named),
        )
    has = list(instance)[:4] if isinstance(instance, dict) else []
    held = f"has {names(has)}" if has else "has no member that is known"
    return Finding(
        code="kind.unknown",
        name="unknown-kind",
        severity="error",
        pointer="",
        message=f"the kind of this document cannot be told: it {held}; name it with --kind or in `$schema`",
    )


def too_much_work(kind: str | None) -> Finding:
    """The finding that says that the list of findings is not complete."""
    return Finding(
        code="limit.work",
        name="too-much-work",
        severity="error",
        kind=kind,
        pointer="",
        message="there is more wrong than can be looked at; what was found so far is listed, rules were not run",
    )


# --- forks --------------------------------------------------------------------------------------------------------

# What is loaded when a document first needs it; a test sees that nothing is missing.
_LATE = (
    "difflib", "gzip", "evalschema._generated.loading", "evalschema._generated.models", "evalschema.bounds",
    "evalschema.codes", "evalschema.diagnosis", "evalschema.files", "evalschema.fix", "evalschema.fix.derived",
    "evalschema.likeness", "evalschema.lines", "evalschema.messages", "evalschema.models", "evalschema.names",
    "evalschema.places", "evalschema.positions", "evalschema.structure", "evalschema.walking",
)  # fmt: skip


def _load_before_fork() -> None:
    """Load everything while other threads run: a child would wait for ever for a module that one of them is loading."""
    threading = sys.modules.get("threading")
    if threading is None or threading.active_count() < 2:
        return
    from importlib import import_module

    for name in _LATE:
        import_module(name)
    from evalschema.codes import all_codes

    all_codes()  # the rules of all kinds


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_load_before_fork)
