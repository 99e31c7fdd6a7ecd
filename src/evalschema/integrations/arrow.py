"""Rows as Arrow tables with fixed schemas: for Parquet and every engine that speaks Arrow (`evalschema[arrow]`)."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any

from evalschema.integrations._extras import needed
from evalschema.integrations.batch import findings, validate_batch, validate_lines
from evalschema.integrations.rows import DOCUMENTS, FINDINGS, MEMBERS, RUNS, Column, FindingRow
from evalschema.settings import DEFAULT, Settings

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    import pyarrow as pa

    from evalschema._generated.kinds import Kind
    from evalschema.integrations.rows import DocumentRow, RunRow
else:
    pa = needed("pyarrow", "arrow")

#: How many rows a record batch holds when the input does not say.
BATCH_ROWS = 4096


def _field(column: Column) -> pa.Field[Any]:
    single = _TYPES[column.type] if column.type in _TYPES else pa.struct([_field(member) for member in MEMBERS])
    if column.repeated:
        single = pa.list_(pa.field("element", single, nullable=False))
    return pa.field(column.name, single, nullable=column.nullable)


_TYPES: dict[Any, pa.DataType] = {
    str: pa.string(),
    int: pa.int64(),
    float: pa.float64(),
    bool: pa.bool_(),
    bytes: pa.binary(),
}
ARROW_SCHEMA = pa.schema([_field(column) for column in DOCUMENTS])
FINDINGS_SCHEMA = pa.schema([_field(column) for column in FINDINGS])
RUNS_SCHEMA = pa.schema([_field(column) for column in RUNS])


def documents_table(rows: Iterable[DocumentRow]) -> pa.Table:
    """One row for each document, with its findings in a list: `ARROW_SCHEMA`."""
    return pa.Table.from_batches([_batch(list(rows), ARROW_SCHEMA)])


def findings_table(rows: Iterable[DocumentRow]) -> pa.Table:
    """One row for each finding: `FINDINGS_SCHEMA`."""
    return pa.Table.from_batches([_batch(list(findings(rows)), FINDINGS_SCHEMA)])


def runs_table(rows: Iterable[RunRow]) -> pa.Table:
    """One row for each run, as `evalschema.integrations.runs` gives them: `RUNS_SCHEMA`."""
    return pa.Table.from_batches([_batch(list(rows), RUNS_SCHEMA)])


def check_batches(
    batches: Iterable[pa.RecordBatch],
    kind: Kind | None = None,
    settings: Settings = DEFAULT,
    *,
    lines: bool = False,
    keep_text: bool = False,
) -> Iterator[pa.RecordBatch]:
    """Record batches with the columns `path` and `text` to batches of `ARROW_SCHEMA`: what Spark calls a map in Arrow.

    Each text is one document, or with `lines` the whole of a JSON Lines file, plain or packed, with a document a line.
    """
    for batch in batches:
        paths, texts = batch.column("path").to_pylist(), batch.column("text").to_pylist()
        if not lines:
            yield _batch(validate_batch(paths, texts, kind, settings, keep_text=keep_text), ARROW_SCHEMA)
            continue
        for path, text in zip(paths, texts, strict=True):
            rows = _rows_of_file(path or "", text, kind, settings, keep_text=keep_text)
            while part := list(islice(rows, BATCH_ROWS)):
                yield _batch(part, ARROW_SCHEMA)


def _rows_of_file(
    path: str, text: bytes | str | None, kind: Kind | None, settings: Settings, *, keep_text: bool
) -> Iterator[DocumentRow]:
    if text is None:
        return iter(validate_batch([path], [text], kind, settings))
    data = text if isinstance(text, bytes) else text.encode(errors="surrogatepass")
    return validate_lines(path, data, kind, settings, keep_text=keep_text)


def _batch(rows: Sequence[tuple[Any, ...]], schema: pa.Schema) -> pa.RecordBatch:
    columns: Iterable[Any] = zip(*rows, strict=True) if rows else [()] * len(schema)
    arrays = [pa.array(_values(values, field), field.type) for values, field in zip(columns, schema, strict=True)]
    return pa.RecordBatch.from_arrays(arrays, schema=schema)


def _values(values: Sequence[Any], field: pa.Field[Any]) -> Sequence[Any]:
    """The values of a column; findings as the dicts that Arrow makes structs of."""
    if field.name != "findings":
        return values
    return [[FindingRow._asdict(finding) for finding in found] for found in values]
