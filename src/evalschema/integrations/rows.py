"""The rows that a table of checked documents is made of, and what their columns hold."""

from __future__ import annotations

import types
from typing import Any, NamedTuple, get_args, get_origin, get_type_hints


class FindingRow(NamedTuple):
    """A finding as columns; see `evalschema.Finding`. `found`, `expected` and `fix` are JSON texts."""

    code: str
    name: str
    severity: str
    pointer: str
    message: str
    found: str | None
    expected: str | None
    related: tuple[str, ...]
    suggestion: str | None
    fix: str | None
    consequence: str | None
    line: int | None
    column: int | None
    end_line: int | None
    end_column: int | None


class DocumentRow(NamedTuple):
    """What is known about one document, sound or not.

    `record` is the line of a JSON Lines file that holds it, from 1; None for a document that has a file to itself.
    `errors`, `warnings` and `infos` count the listed findings; `truncated` says that there are more. `size` counts the
    bytes that were checked, `digest` is their SHA-256 in hexadecimal digits. `text` are the bytes themselves: only of
    documents with errors, and only where they were asked for.
    """

    path: str
    record: int | None
    kind: str | None
    ok: bool
    errors: int
    warnings: int
    infos: int
    truncated: bool
    size: int
    digest: str
    findings: tuple[FindingRow, ...]
    text: bytes | None


class RunRow(NamedTuple):
    """One run of an agent, out of a document without errors.

    A benchmark gives a row for each of its runs, a grading one row, a run of agents one for each contestant and judge.
    `subject` is the skill or the scenario, `run` counts from 1, `judge` from 0; `seconds` is how long the run took.
    """

    path: str
    record: int | None
    kind: str
    subject: str | None = None
    timestamp: str | None = None
    model: str | None = None
    eval: str | None = None
    configuration: str | None = None
    contestant: str | None = None
    run: int | None = None
    judge: int | None = None
    passed: int | None = None
    failed: int | None = None
    total: int | None = None
    pass_rate: float | None = None
    score: float | None = None
    seconds: float | None = None
    tokens: int | None = None
    tool_calls: int | None = None
    errors: int | None = None


class Column(NamedTuple):
    """What a column holds: `type` is str, int, float, bool, bytes or `FindingRow`; `repeated` makes it a list."""

    name: str
    type: Any
    nullable: bool
    repeated: bool


def _columns(row: type[FindingRow] | type[DocumentRow] | type[RunRow]) -> tuple[Column, ...]:
    return tuple(_column(name, hint) for name, hint in get_type_hints(row).items())


def _column(name: str, hint: Any) -> Column:
    nullable = get_origin(hint) is types.UnionType
    inner = get_args(hint)[0] if nullable else hint
    repeated = get_origin(inner) is tuple
    return Column(name, get_args(inner)[0] if repeated else inner, nullable, repeated)


#: The columns of the three tables, of which the schemas of all engines are made. A finding comes with its document.
DOCUMENTS = _columns(DocumentRow)
FINDINGS = (*(column for column in DOCUMENTS if column.name in ("path", "record", "kind")), *_columns(FindingRow))
RUNS = _columns(RunRow)
MEMBERS = _columns(FindingRow)
