"""Polars frames of documents, findings and runs (`evalschema[polars]`)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from evalschema.integrations import batch
from evalschema.integrations._extras import needed
from evalschema.integrations.rows import DOCUMENTS, FINDINGS, MEMBERS, RUNS, Column, FindingRow

if TYPE_CHECKING:
    from collections.abc import Iterable

    import polars as pl

    from evalschema.integrations.rows import DocumentRow, RunRow
else:
    pl = needed("polars", "polars")

_TYPES: dict[Any, Any] = {str: pl.String, int: pl.Int64, float: pl.Float64, bool: pl.Boolean, bytes: pl.Binary}


def documents(rows: Iterable[DocumentRow]) -> pl.DataFrame:
    """One row for each document, with its findings in a list of structs."""
    structured = (row._replace(findings=[FindingRow._asdict(each) for each in row.findings]) for row in rows)  # type: ignore[arg-type]
    return _frame(structured, DOCUMENTS)


def findings(rows: Iterable[DocumentRow]) -> pl.DataFrame:
    """One row for each finding of the documents."""
    return _frame(batch.findings(rows), FINDINGS)


def runs(rows: Iterable[RunRow]) -> pl.DataFrame:
    """One row for each run, as `evalschema.integrations.runs` gives them."""
    return _frame(rows, RUNS)


def _frame(rows: Iterable[tuple[Any, ...]], columns: tuple[Column, ...]) -> pl.DataFrame:
    return pl.DataFrame(list(rows), schema={column.name: _type(column) for column in columns}, orient="row")


def _type(column: Column) -> Any:
    single = _TYPES[column.type] if column.type in _TYPES else pl.Struct({each.name: _type(each) for each in MEMBERS})
    return pl.List(single) if column.repeated else single
