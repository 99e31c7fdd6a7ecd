"""Spark: raw text in, checked documents out, on as many machines as the cluster has (`evalschema[spark]`).

Read the text as it is (`binaryFile`, or `text` for JSON Lines). Spark's own JSON reader turns what does not fit into
nulls, or all numbers into texts, and what would have been found is gone.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from evalschema.integrations._extras import needed
from evalschema.integrations.arrow import ARROW_SCHEMA, check_batches
from evalschema.settings import DEFAULT, Settings

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from evalschema._generated.kinds import Kind


def check(
    frame: DataFrame,
    kind: Kind | None = None,
    settings: Settings = DEFAULT,
    *,
    path: str = "path",
    text: str = "content",
    lines: bool = False,
    keep_text: bool = False,
) -> DataFrame:
    """Check the documents of a frame: one row for each, with the columns of `ARROW_SCHEMA`.

    `path` and `text` name the columns; those of `spark.read.format("binaryFile")` are the default. With `lines` every
    text is a whole JSON Lines file. `keep_text` keeps the text of documents with errors, for a quarantine.
    """
    from_arrow_schema = needed("pyspark.sql.pandas.types", "spark").from_arrow_schema
    work = partial(check_batches, kind=kind, settings=settings, lines=lines, keep_text=keep_text)
    named = frame.select(frame[path].alias("path"), frame[text].alias("text"))
    return named.mapInArrow(work, from_arrow_schema(ARROW_SCHEMA))


def findings(documents: DataFrame) -> DataFrame:
    """One row for each finding in checked documents: `FINDINGS_SCHEMA`."""
    functions = needed("pyspark.sql.functions", "spark")
    exploded = documents.select("path", "record", "kind", functions.explode("findings").alias("finding"))
    return exploded.select("path", "record", "kind", "finding.*")
