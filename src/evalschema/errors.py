"""Faults that are raised. What is wrong with a document is returned as a finding instead."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from evalschema.finding import Result


class EvalschemaError(Exception):
    """Base of everything that evalschema raises."""


class DocumentError(EvalschemaError, ValueError):
    """The document has errors and the caller asked for an exception; `result` holds all findings."""

    def __init__(self, result: Result) -> None:
        first = result.errors[0]
        more = f" (and {len(result.errors) - 1} more)" if len(result.errors) > 1 else ""
        super().__init__(f"{first.pointer or 'the document'}: {first.message} [{first.code}]{more}")
        self.result = result

    def __reduce__(self) -> tuple[type[DocumentError], tuple[Result]]:
        return type(self), (self.result,)


class UnknownKindError(EvalschemaError, ValueError):
    """A kind was named that does not exist."""


class SchemaError(EvalschemaError, ValueError):
    """A schema cannot be used: it breaks the metaschema, or refers to something that is not here."""


class SettingsError(EvalschemaError, ValueError):
    """A setting is unknown, misspelt or of the wrong type."""


class RuleError(EvalschemaError):
    """A rule crashed: our bug, never the document's. `code` names the rule, `__cause__` what it raised."""

    def __init__(self, code: str, kind: str) -> None:
        super().__init__(f"rule {code} crashed on a document of kind {kind}; this is a bug in evalschema")
        self.code = code
        self.kind = kind

    def __reduce__(self) -> tuple[type[RuleError], tuple[str, str]]:
        return type(self), (self.code, self.kind)
