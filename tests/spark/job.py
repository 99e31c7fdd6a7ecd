"""Starts a local Spark, checks hostile documents and runs the examples of the how-to; prints what it saw as JSON.

    python -m tests.spark.job FOLDER PAGE

The current folder holds what the examples read; FOLDER holds documents as files, the names of which say what to expect.
"""

from __future__ import annotations

import json
import os
import re
import sys
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
os.environ["PYSPARK_PYTHON"] = sys.executable


def main(folder: str, page: str) -> None:
    from pyspark.sql import SparkSession

    from evalschema.integrations import spark

    quiet: dict[str, bool | float | int | str | None] = {
        "spark.ui.enabled": "false",
        "spark.sql.shuffle.partitions": "2",
        "spark.driver.host": "127.0.0.1",
    }
    session = SparkSession.builder.master("local[2]").config(map=quiet).getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    files = session.read.format("binaryFile").load(folder)
    checked = spark.check(files, "timing", keep_text=True).cache()
    seen: dict[str, Any] = {
        "rows": sorted([Path(row.path).name, row.ok, row.text is not None, _codes(row)] for row in checked.collect()),
        "findings": sorted({row.code for row in spark.findings(checked).collect()}),
        "schema": checked.schema.simpleString(),
    }
    # what the engine's own reader makes of the same documents
    own = session.read.schema("total_tokens long, duration_ms long, total_duration_seconds double").json(folder)
    seen["silent"] = own.where("total_duration_seconds is null").count()

    examples = re.findall(r"^```py\n(.*?)^```$", Path(page).read_text("utf-8"), re.MULTILINE | re.DOTALL)
    names: dict[str, Any] = {}
    with redirect_stdout(sys.stderr):
        for example in examples:
            exec(compile(example, page, "exec"), names)  # noqa: S102 - the examples of our own page
    seen["examples"] = len(examples)
    seen["checked"] = names["checked"].count()
    seen["quarantine"] = names["quarantine"].count()
    seen["sound"] = names["sound"].count()
    seen["rest"] = names["rest"].count()
    seen["lines"] = spark.check(names["lines"], "grading", path="file_path", text="value").where("ok").count()
    numbered = spark.check(names["whole"], "grading", lines=True).select("record").collect()
    seen["records"] = [row.record for row in numbered]
    session.stop()
    print(json.dumps(seen))


def _codes(row: Any) -> list[str]:
    return [finding.code for finding in row.findings]


if __name__ == "__main__":
    main(*sys.argv[1:])
