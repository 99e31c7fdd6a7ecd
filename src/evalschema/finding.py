"""The values that every check returns: findings, and the result that holds them."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Any, Literal, TypeAlias

from evalschema.errors import DocumentError

Severity: TypeAlias = Literal["error", "warning", "info"]
SEVERITIES: tuple[Severity, ...] = ("error", "warning", "info")
Token: TypeAlias = str | int
Tokens: TypeAlias = tuple[Token, ...]
Patch: TypeAlias = tuple[dict[str, Any], ...]


def pointer(tokens: Tokens) -> str:
    """The JSON Pointer (RFC 6901) of the place that `tokens` lead to; "" is the whole document."""
    return "".join("/" + str(token).replace("~", "~0").replace("/", "~1") for token in tokens)


def split(text: str) -> tuple[str, ...]:
    """The reference tokens of a JSON Pointer, as texts: the instance decides which of them are indices."""
    return tuple(token.replace("~1", "/").replace("~0", "~") for token in text.split("/")[1:])


@dataclass(frozen=True, slots=True)
class Place:
    """A place in another file: its path, a JSON Pointer in the document that it holds, and where that stands."""

    path: str
    pointer: str
    line: int | None = None
    column: int | None = None

    def to_dict(self) -> dict[str, Any]:
        """The place as in the JSON output."""
        place = {"path": self.path, "pointer": self.pointer, "line": self.line, "column": self.column}
        return {name: value for name, value in place.items() if value is not None}


@dataclass(frozen=True, slots=True)
class Finding:
    """One fact about one place in an instance.

    `pointer` is where it lies: for a missing member the object that lacks it. `related` are other places of the same
    document that it rests on, `elsewhere` those of other files. `found` and `expected` are JSON values, short ones.
    `fix` is a JSON Patch (RFC 6902) that repairs it without loss. Lines and columns are 1-based and count code points;
    they are known only when the document was read from text and something was wrong with it.
    """

    code: str
    name: str
    severity: Severity
    pointer: str
    message: str
    kind: str | None = None
    found: Any = None
    expected: Any = None
    related: tuple[str, ...] = ()
    elsewhere: tuple[Place, ...] = ()
    suggestion: str | None = None
    fix: Patch | None = None
    consequence: str | None = None
    path: str | None = None
    line: int | None = None
    column: int | None = None
    end_line: int | None = None
    end_column: int | None = None

    def to_dict(self) -> dict[str, Any]:
        """The finding as in the JSON output; members that say nothing are left out."""
        found = {name: getattr(self, name) for name in _FINDING if name not in ("kind", "path")}
        found["elsewhere"] = [place.to_dict() for place in self.elsewhere] or None
        return {
            name: list(value) if isinstance(value, tuple) else value
            for name, value in found.items()
            if value is not None and value != ()
        }


_FINDING = tuple(field.name for field in fields(Finding))


@dataclass(frozen=True, slots=True)
class Result:
    """What is known about one document: true when it holds no error.

    `kind` is None when it could not be told. `truncated` says that there are more findings than are listed.
    """

    findings: tuple[Finding, ...]
    kind: str | None = None
    path: str | None = None
    truncated: bool = False

    @property
    def ok(self) -> bool:
        """Whether the document holds no error."""
        return not self.errors

    def __bool__(self) -> bool:
        return self.ok

    @property
    def errors(self) -> tuple[Finding, ...]:
        """The findings of severity error."""
        return self._of("error")

    @property
    def warnings(self) -> tuple[Finding, ...]:
        """The findings of severity warning."""
        return self._of("warning")

    @property
    def infos(self) -> tuple[Finding, ...]:
        """The findings of severity info."""
        return self._of("info")

    def _of(self, severity: Severity) -> tuple[Finding, ...]:
        return tuple(finding for finding in self.findings if finding.severity == severity)

    def raise_for_errors(self) -> None:
        """Raise `DocumentError`, which holds this result, when the document has an error."""
        if self.errors:
            raise DocumentError(self)

    def to_dict(self) -> dict[str, Any]:
        """The entry of this document in the JSON output (`findings.schema.json`)."""
        entry: dict[str, Any] = {"path": self.path, "kind": self.kind, "ok": self.ok}
        entry["findings"] = [finding.to_dict() for finding in self.findings]
        return entry | {"truncated": True} if self.truncated else entry


def relocated(finding: Finding, **changes: Any) -> Finding:
    """The finding with some of its members changed."""
    return replace(finding, **changes)
