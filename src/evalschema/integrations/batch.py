"""Many documents at once, whatever the engine that holds them: texts to rows, with no table library.

Every function here can be pickled and keeps no state, so that it runs as it is in a process pool, in Spark or Dask.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import replace
from hashlib import sha256
from io import BytesIO
from itertools import starmap
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple, TypeAlias

from evalschema.catalog import checked_kind
from evalschema.errors import RuleError
from evalschema.excerpt import excerpt
from evalschema.files import check_bytes, too_long
from evalschema.finding import Finding, Result
from evalschema.integrations.rows import DocumentRow, FindingRow
from evalschema.lines import BrokenStreamError, lines_of
from evalschema.settings import DEFAULT, Settings

if TYPE_CHECKING:
    from evalschema._generated.kinds import Kind

# What a table holds where a document should be; None stands for a null.
Text: TypeAlias = bytes | bytearray | memoryview | str | None


def validate_batch(
    paths: Iterable[str | None],
    texts: Iterable[Text],
    kind: Kind | None = None,
    settings: Settings = DEFAULT,
    *,
    records: Iterable[int | None] | None = None,
    keep_text: bool = False,
) -> list[DocumentRow]:
    """Check raw documents: one row for each text, in their order.

    `paths` name the documents, and tell their kind where `kind` does not; nothing is opened. A text is best given as
    bytes: decoding it hides what is wrong with its encoding. `records` are the numbers of lines of JSON Lines files.
    With `keep_text` the rows of documents with errors carry the text.

    Never raises because of a document: where evalschema itself fails, the row has a finding `internal`. Raises
    `UnknownKindError`, and ValueError when there are more paths than texts, or fewer.
    """
    if kind is not None:
        checked_kind(kind)
    numbered = zip(paths, texts, strict=True) if records is None else zip(paths, texts, records, strict=True)
    return [_row(each, kind, settings, keep_text=keep_text) for each in starmap(_Document, numbered)]


def validate_lines(
    path: str,
    source: bytes | BinaryIO,
    kind: Kind | None = None,
    settings: Settings = DEFAULT,
    *,
    keep_text: bool = False,
) -> Iterator[DocumentRow]:
    """Check JSON Lines, plain or packed with gzip or zstd: one row for each line that is not blank, as they are read.

    Lines and columns of the findings are those of the file. A stream that breaks gives a last row that says so. Raises
    `UnknownKindError`.
    """
    if kind is not None:
        checked_kind(kind)
    record = 0
    try:
        for record, line, size in lines_of(BytesIO(source) if isinstance(source, bytes) else source):
            if size > len(line):
                checked = too_long(size, kind, path, settings, record)
                yield _as_row(checked, path, record, line, keep_text=False)._replace(size=size)
            elif line.strip():
                yield _row(_Document(path, line, record), kind, settings, keep_text=keep_text)
    except BrokenStreamError as error:
        yield row_of(unreadable(str(error)), path, record + 1)


class _Document(NamedTuple):
    path: str | None
    text: Text
    record: int | None = None


def row_of(
    finding: Finding, path: str, record: int | None = None, data: bytes = b"", *, keep_text: bool = False
) -> DocumentRow:
    """The row for a document of which nothing is known but one finding."""
    found = finding if record is None else replace(finding, line=record)
    return _as_row(Result((found,), finding.kind, path), path, record, data, keep_text=keep_text)


def unreadable(message: str) -> Finding:
    """The finding for a document of which no byte was had."""
    return Finding("input.unreadable", "unreadable-file", "error", "", message)


def crashed(message: str) -> Finding:
    """The finding for a document on which evalschema failed: what else is wrong with it is not known."""
    return Finding(
        "internal", "internal-error", "error", "", f"{message}; this is a bug in evalschema, please report it"
    )


def findings(rows: Iterable[DocumentRow]) -> Iterator[tuple[Any, ...]]:
    """One row for each finding of the documents: their path, record and kind, then the members of `FindingRow`."""
    for row in rows:
        for finding in row.findings:
            yield (row.path, row.record, row.kind, *finding)


def _row(document: _Document, kind: Kind | None, settings: Settings, *, keep_text: bool) -> DocumentRow:
    path, text, record = document.path or "", document.text, document.record
    if text is None:
        return row_of(unreadable("is null, the text of a document was expected"), path, record)
    data = text if type(text) is bytes else as_bytes(text)
    try:
        checked = check_bytes(data, kind, path=path or None, settings=settings)
        if record is not None and record > 1 and checked.findings:
            checked = _moved(checked, record - 1)
        return _as_row(checked, path, record, data, keep_text=keep_text)
    except RuleError as error:
        cause = error.__cause__
        reason = f"the rule {error.code} failed with {type(cause).__name__}: {excerpt(str(cause))}"
    except Exception as error:
        # whatever goes wrong with one document must not cost the others, and there is nobody to hear an exception here
        reason = f"evalschema failed with {type(error).__name__}: {excerpt(str(error))}"
    return row_of(crashed(reason), path, record, data, keep_text=keep_text)


def as_bytes(text: bytes | bytearray | memoryview | str) -> bytes:
    """The bytes of a text, encoded where it comes decoded."""
    return text.encode(errors="surrogatepass") if isinstance(text, str) else bytes(text)


def _moved(checked: Result, lines: int) -> Result:
    moved = (
        replace(each, line=_plus(each.line, lines), end_line=_plus(each.end_line, lines)) for each in checked.findings
    )
    return replace(checked, findings=tuple(moved))


def _plus(line: int | None, lines: int) -> int | None:
    return None if line is None else line + lines


def _as_row(checked: Result, path: str, record: int | None, data: bytes, *, keep_text: bool) -> DocumentRow:
    path = _text(path)
    digest = sha256(data).hexdigest()
    if not checked.findings:
        return DocumentRow(path, record, checked.kind, True, 0, 0, 0, False, len(data), digest, (), None)
    errors = len(checked.errors)
    return DocumentRow(
        path=path,
        record=record,
        kind=checked.kind,
        ok=not errors,
        errors=errors,
        warnings=len(checked.warnings),
        infos=len(checked.infos),
        truncated=checked.truncated,
        size=len(data),
        digest=digest,
        findings=tuple(map(_finding_row, checked.findings)),
        text=data if errors and keep_text else None,
    )


def _finding_row(finding: Finding) -> FindingRow:
    return FindingRow(
        code=finding.code,
        name=finding.name,
        severity=finding.severity,
        pointer=_text(finding.pointer),
        message=_text(finding.message),
        found=_json(finding.found),
        expected=_json(finding.expected),
        related=tuple(map(_text, finding.related)),
        suggestion=None if finding.suggestion is None else _text(finding.suggestion),
        fix=_json(list(finding.fix)) if finding.fix else None,
        consequence=finding.consequence,
        line=finding.line,
        column=finding.column,
        end_line=finding.end_line,
        end_column=finding.end_column,
    )


def _json(value: Any) -> str | None:
    return None if value is None else _text(json.dumps(value, ensure_ascii=False))


def _text(text: str) -> str:
    """The text itself, unless it holds half surrogates, as names that are no UTF-8 do: those no table can hold."""
    return text if text.isascii() else text.encode(errors="backslashreplace").decode()
