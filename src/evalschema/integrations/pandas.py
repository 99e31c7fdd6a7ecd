"""pandas frames of documents, findings and runs, with types that know a missing value (`evalschema[pandas]`)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from evalschema.integrations import batch
from evalschema.integrations._extras import needed
from evalschema.integrations.rows import DOCUMENTS, FINDINGS, RUNS, Column

if TYPE_CHECKING:
    from collections.abc import Iterable

    import pandas as pd

    from evalschema.integrations.rows import DocumentRow, RunRow
else:
    pd = needed("pandas", "pandas")

_TYPES = {str: "string", int: "Int64", float: "Float64", bool: "boolean"}


def documents(rows: Iterable[DocumentRow]) -> pd.DataFrame:
    """One row for each document; its findings stay a tuple of `FindingRow`."""
    return _frame(rows, DOCUMENTS)


def findings(rows: Iterable[DocumentRow]) -> pd.DataFrame:
    """One row for each finding of the documents."""
    return _frame(batch.findings(rows), FINDINGS)


def runs(rows: Iterable[RunRow]) -> pd.DataFrame:
    """One row for each run, as `evalschema.integrations.runs` gives them."""
    return _frame(rows, RUNS)


def _frame(rows: Iterable[tuple[Any, ...]], columns: tuple[Column, ...]) -> pd.DataFrame:
    frame = pd.DataFrame(list(rows), columns=[column.name for column in columns])
    types = {column.name: _TYPES[column.type] for column in columns if column.type in _TYPES and not column.repeated}
    return frame.astype(types)
