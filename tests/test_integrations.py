"""Many documents at once: rows that never lose a document, tables of fixed form, and jobs that can be stopped."""

from __future__ import annotations

import json
import logging
import os
import pickle
import re
import shutil
import signal
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable, Iterator
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any, cast

import pytest

from evalschema import Settings, SettingsError, UnknownKindError, check_bytes, check_file
from evalschema.integrations import batch
from evalschema.integrations._extras import needed
from evalschema.integrations.batch import validate_batch, validate_lines
from evalschema.integrations.rows import DOCUMENTS, MEMBERS, RUNS, Column, DocumentRow, FindingRow
from evalschema.integrations.runs import runs
from evalschema.rules._engine import rules_of
from evalschema.settings import Override
from tests.needs import need

ROOT = Path(__file__).parents[1]
EXAMPLES = sorted(
    path for path in (ROOT / "schemas" / "examples").rglob("*.json") if not path.name.endswith(".findings.json")
)
GOOD = b'{"total_tokens": 5210, "duration_ms": 23400, "total_duration_seconds": 23.4}'
BAD = b'{"total_tokens": 5210, "duration_ms": 23400, "total_duration_seconds": 99.4}'
GRADING = {
    "expectations": [{"text": "sums are right", "passed": True, "evidence": "row 3"}],
    "summary": {"passed": 1, "failed": 0, "total": 1, "pass_rate": 1.0},
}
HOSTILE: list[Any] = [
    None,
    "",
    b"",
    b"\xff\xfe",
    b"[" * 500,
    b'{"total_tokens": 1e999}',
    b'{"a\\u0000": "\\u202e"}',
    b'{"\\ud800": 1}',
    '{"\ud800": 1}',
    b"\xef\xbb\xbf" + GOOD,
    memoryview(BAD),
    bytearray(BAD),
    b'{"duration_ms": ' + b"9" * 5000 + b"}",
    b"null",
    b'"' + b"\xe2\x80\xae" * 300 + b'"',
]


def needs(*modules: str) -> None:
    for module in modules:
        need(find_spec(module), f"needs {module}: pip install 'evalschema[{_EXTRAS.get(module, module)}]'")


_EXTRAS = {"pyarrow": "arrow", "pyspark": "spark", "s3fs": "s3", "moto": "s3"}


def names() -> list[str]:
    return [path.relative_to(ROOT).as_posix() for path in EXAMPLES]


def texts() -> list[bytes]:
    return [path.read_bytes() for path in EXAMPLES]


# --- rows ---------------------------------------------------------------------------------------------------------


def test_every_example_has_the_row_that_its_result_says() -> None:
    rows = validate_batch(names(), texts(), keep_text=True)
    assert len(rows) == len(EXAMPLES) > 300
    for row, name, text in zip(rows, names(), texts(), strict=True):
        result = check_bytes(text, path=name)
        assert (row.path, row.kind, row.ok, row.truncated) == (name, result.kind, result.ok, result.truncated)
        counted = {"errors": row.errors, "warnings": row.warnings, "infos": row.infos}
        assert counted == {"errors": len(result.errors), "warnings": len(result.warnings), "infos": len(result.infos)}
        assert (row.size, row.text) == (len(text), None if result.ok else text)
        for found, finding in zip(row.findings, result.findings, strict=True):
            assert json.loads(found.found or "null") == finding.found
            assert json.loads(found.fix or "null") == (list(finding.fix) if finding.fix else None)
            same = ("code", "name", "severity", "pointer", "message", "related", "consequence", "line", "end_column")
            assert [getattr(found, member) for member in same] == [getattr(finding, member) for member in same]


def test_whatever_a_text_is_it_has_one_row_in_its_place() -> None:
    paths = [f"{index}/timing.json" for index in range(len(HOSTILE))]
    rows = validate_batch(paths, HOSTILE)
    assert [row.path for row in rows] == paths
    assert not any(row.ok for row in rows)
    codes = [row.findings[0].code for row in rows]
    assert "internal" not in codes
    assert codes[:5] == ["input.unreadable", "json.empty", "json.empty", "json.encoding", "json.depth"]


@pytest.fixture
def crash() -> Iterator[Callable[[str], None]]:
    """Makes a rule of a kind fail on documents that hold a word."""
    rule = rules_of("timing")[0]
    sound = rule.check

    def arm(word: str) -> None:
        def failing(timing: Any, *rest: Any) -> Any:
            if word in timing:
                raise ZeroDivisionError(f"{word} \x1b[31m")
            return sound(timing, *rest)

        object.__setattr__(rule, "check", failing)

    yield arm
    object.__setattr__(rule, "check", sound)


def test_a_crash_costs_one_document_and_no_other(crash: Callable[[str], None]) -> None:
    crash("boom")
    doomed = GOOD[:-1] + b', "boom": 1}'
    rows = validate_batch(["a", "b", "c", "d"], [GOOD, doomed, BAD, GOOD], "timing", keep_text=True)
    assert [row.ok for row in rows] == [True, False, False, True]
    (finding,) = rows[1].findings
    assert (finding.code, finding.severity, rows[1].text) == ("internal", "error", doomed)
    assert finding.message.startswith(f"the rule {rules_of('timing')[0].code} failed with ZeroDivision")
    assert "\x1b" not in finding.message
    lines = list(validate_lines("x.jsonl", b"\n".join([GOOD, doomed, BAD]), "timing"))
    assert [(row.record, [found.code for found in row.findings]) for row in lines] == [
        (1, []),
        (2, ["internal"]),
        (3, ["TIM001"]),
    ]
    assert list(runs(["b"], [doomed], "timing")) == []


def test_any_other_failure_is_a_row_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(*_: Any, **__: Any) -> Any:
        raise RecursionError("too deep")

    monkeypatch.setattr(batch, "check_bytes", failing)
    (row,) = validate_batch(["a"], [GOOD])
    assert row.findings[0].message.startswith("evalschema failed with RecursionError: too deep")


def test_the_function_and_its_rows_can_be_pickled() -> None:
    work = partial(validate_batch, kind="timing", settings=Settings(severity={"TIM001": "warning"}))
    there = pickle.loads(pickle.dumps(work))  # noqa: S301 - our own bytes
    rows = there(["a", "b"], [GOOD, BAD])
    assert [(row.ok, row.warnings) for row in rows] == [(True, 0), (True, 1)]
    assert pickle.loads(pickle.dumps(rows)) == rows  # noqa: S301


def test_the_batch_loads_no_engine() -> None:
    program = "import sys, evalschema.integrations.batch, evalschema.integrations.runs; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.split()
    assert not {"pyarrow", "pandas", "polars", "pyspark", "fsspec", "numpy", "multiprocessing"} & set(loaded)


def test_what_the_caller_got_wrong_is_raised() -> None:
    with pytest.raises(ValueError, match="shorter"):
        validate_batch(["a", "b"], [GOOD])
    with pytest.raises(UnknownKindError):
        validate_batch(["a"], [GOOD], cast("Any", "timings"))
    with pytest.raises(UnknownKindError):
        next(validate_lines("a", GOOD, cast("Any", "timings")))


def test_settings_for_some_paths_hold_here_as_well() -> None:
    settings = Settings(overrides=(Override("old/**", severity={"TIM001": "info"}), Override("odd/*", kind="timing")))
    rows = validate_batch(["old/a/timing.json", "new/timing.json", "odd/x"], [BAD, BAD, b"{}"], settings=settings)
    assert [(row.ok, row.kind) for row in rows] == [(True, "timing"), (False, "timing"), (False, "timing")]


def test_lines_have_their_number_and_findings_the_line_of_the_file() -> None:
    data = b"\n".join([GOOD, b"", BAD, BAD])
    rows = list(validate_lines("x.jsonl", data))
    assert [(row.record, [found.line for found in row.findings]) for row in rows] == [(1, []), (3, [3]), (4, [4])]
    assert rows == list(validate_batch(["x.jsonl"] * 3, [GOOD, BAD, BAD], records=[1, 3, 4]))
    *_, last = validate_lines("x.jsonl.gz", b"\x1f\x8b" + data)
    assert (last.record, last.findings[0].code) == (1, "input.unreadable")


def test_a_path_that_is_no_text_is_written_as_one() -> None:
    (row,) = validate_batch(["caf\udce9/timing.json"], [BAD])
    assert row.path == "caf\\udce9/timing.json"


# --- runs ---------------------------------------------------------------------------------------------------------


def test_runs_of_every_kind_that_has_some() -> None:
    found = list(runs(names(), texts()))
    kinds = {run.kind for run in found}
    assert kinds == {"benchmark", "grading", "run"}
    sound = {row.path for row in validate_batch(names(), texts()) if row.ok and row.kind in kinds}
    assert {run.path for run in found} == sound


def test_a_run_says_what_its_document_says() -> None:
    path = ROOT / "schemas/examples/benchmark/valid/two-runs-each.json"
    document = json.loads(path.read_text("utf-8"))
    for run, written in zip(runs(["b"], [path.read_bytes()]), document["runs"], strict=True):
        result = written["result"]
        assert (run.subject, run.eval) == (document["metadata"]["skill_name"], str(written["eval_id"]))
        assert (run.configuration, run.run) == (written["configuration"], written["run_number"])
        assert (run.passed, run.total, run.tokens) == (result["passed"], result["total"], result["tokens"])
        assert run.pass_rate == pytest.approx(result["pass_rate"])
        assert run.seconds == pytest.approx(result["time_seconds"])


def test_a_duel_has_a_row_for_each_contestant_and_judge() -> None:
    path = ROOT / "schemas/examples/run/valid/duel-two-judges.json"
    found = [(run.contestant, run.judge, run.score) for run in runs(["d"], [path.read_bytes()])]
    scores = json.loads(path.read_text("utf-8"))["scores"]
    assert found == [(name, judge, score) for judge, given in enumerate(scores) for name, score in given.items()]


def test_a_contradicted_figure_reaches_no_mean() -> None:
    wrong = json.dumps(GRADING | {"summary": GRADING["summary"] | {"pass_rate": 0.4}})  # type: ignore[operator]
    assert list(runs(["grading.json"] * 2, [wrong, None])) == []
    assert [run.pass_rate for run in runs(["grading.json"], [json.dumps(GRADING)])] == [1.0]
    # what is not even a grading has no figures, whatever is silenced
    assert list(runs(["grading.json"], [b'{"summary": 3}'], "grading", Settings(ignore=("schema", "name")))) == []


# --- tables -------------------------------------------------------------------------------------------------------


def _all_rows() -> list[DocumentRow]:
    paths = [f"caf\udce9/{index}/timing.json" for index in range(len(HOSTILE))]
    return [*validate_batch(names(), texts(), keep_text=True), *validate_batch(paths, HOSTILE, keep_text=True)]


def test_the_arrow_schema_is_fixed() -> None:
    needs("pyarrow")
    from evalschema.integrations.arrow import ARROW_SCHEMA, FINDINGS_SCHEMA

    found = "found: string, expected: string, related: list<element: string not null> not null"
    found += ", suggestion: string, fix: string, consequence: string"
    places = "line: int64, column: int64, end_line: int64, end_column: int64"
    texts = ("code", "name", "severity", "pointer", "message")
    finding = f"{', '.join(f'{name}: string not null' for name in texts)}, {found}, {places}"
    assert [str(field).removeprefix("pyarrow.Field<").removesuffix(">") for field in ARROW_SCHEMA] == [
        "path: string not null",
        "record: int64",
        "kind: string",
        "ok: bool not null",
        "errors: int64 not null",
        "warnings: int64 not null",
        "infos: int64 not null",
        "truncated: bool not null",
        "size: int64 not null",
        "digest: string not null",
        f"findings: list<element: struct<{finding}> not null> not null",
        "text: binary",
    ]
    assert FINDINGS_SCHEMA.names == ["path", "record", "kind", *FindingRow._fields]


def test_tables_hold_every_row_and_survive_parquet(tmp_path: Path) -> None:
    needs("pyarrow")
    import pyarrow.parquet as pq

    from evalschema.integrations import arrow

    rows = _all_rows()
    for table, expected in (
        (arrow.documents_table(rows), len(rows)),
        (arrow.findings_table(rows), sum(len(row.findings) for row in rows)),
        (arrow.runs_table(runs(names(), texts())), len(list(runs(names(), texts())))),
        (arrow.documents_table([]), 0),
    ):
        table.validate(full=True)
        pq.write_table(table, tmp_path / "t.parquet")
        assert pq.read_table(tmp_path / "t.parquet").equals(table)
        assert table.num_rows == expected
    first = arrow.documents_table(rows).to_pylist()
    assert [each["digest"] for each in first] == [row.digest for row in rows]
    assert [[found["message"] for found in each["findings"]] for each in first] == [
        [found.message for found in row.findings] for row in rows
    ]


def test_batches_of_an_engine_are_checked_as_they_come() -> None:
    needs("pyarrow")
    import pyarrow as pa

    from evalschema.integrations.arrow import ARROW_SCHEMA, check_batches

    given = pa.RecordBatch.from_pydict({"path": ["a", "b", None], "text": [GOOD, BAD, None]})
    (checked,) = check_batches([given], "timing")
    assert checked.schema == ARROW_SCHEMA
    assert checked.column("ok").to_pylist() == [True, False, False]
    lines = pa.RecordBatch.from_pydict({"path": ["a", "b", "c"], "text": [b"\n".join([GOOD] * 5000), BAD, None]})
    parts = list(check_batches([lines], "timing", lines=True))
    assert sum(part.num_rows for part in parts) == 5002
    assert max(part.num_rows for part in parts) < 5000


def test_pandas_frames_know_missing_values() -> None:
    needs("pandas")
    from evalschema.integrations import pandas as frames

    rows = _all_rows()
    found = frames.findings(rows)
    assert len(found) == sum(len(row.findings) for row in rows)
    assert str(found["line"].dtype) == "Int64"
    assert found["line"].isna().any()
    documents = frames.documents(rows)
    assert (documents["ok"] == [row.ok for row in rows]).all()
    measured = frames.runs(runs(names(), texts()))
    means = measured.groupby(["kind", "configuration"], dropna=False)["pass_rate"].mean()
    assert 0 < means["benchmark", "with_skill"] < 1
    for empty in (frames.findings([]), frames.documents([]), frames.runs([])):
        assert len(empty) == 0
    assert frames.findings([]).dtypes.equals(found.dtypes)


def test_polars_frames_have_a_fixed_schema() -> None:
    needs("polars")
    from evalschema.integrations import polars as frames

    rows = _all_rows()
    found, documents, measured = frames.findings(rows), frames.documents(rows), frames.runs(runs(names(), texts()))
    assert found.height == sum(len(row.findings) for row in rows)
    assert documents["ok"].to_list() == [row.ok for row in rows]
    assert documents["findings"].list.len().to_list() == [len(row.findings) for row in rows]
    assert measured["kind"].n_unique() == 3
    assert [frames.findings([]).schema, frames.documents([]).schema] == [found.schema, documents.schema]


def test_a_missing_package_is_named_with_its_extra() -> None:
    with pytest.raises(ModuleNotFoundError, match=re.escape("pip install 'evalschema[quack]'")):
        needed("no_such_package.inner", "quack")


# --- several processes --------------------------------------------------------------------------------------------


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """150 gradings, every tenth wrong, and 1,200 lines in a packed file."""
    import gzip

    for index in range(150):
        folder = tmp_path / "in" / f"eval-{index:03}" / "run-1"
        folder.mkdir(parents=True)
        wrong = {"passed": 1, "failed": 1, "total": 1, "pass_rate": 1.0}
        document = GRADING | {"summary": wrong} if index % 10 == 3 else GRADING
        (folder / "grading.json").write_text(json.dumps(document), "utf-8")
    lines = b"\n".join([BAD if index % 100 == 7 else GOOD for index in range(1200)])
    (tmp_path / "in" / "timings.jsonl.gz").write_bytes(gzip.compress(lines))
    return tmp_path


def test_workers_give_the_rows_that_one_process_gives(tree: Path) -> None:
    needs("fsspec")
    from evalschema.integrations.pool import check_urls

    (tree / "in" / "odd[1]").mkdir()
    (tree / "in" / "odd[1]" / "timing.json").write_bytes(BAD)
    with zipfile.ZipFile(tree / "all.zip", "w") as packed:
        packed.writestr("a/timing.json", BAD)
        packed.writestr("b/timing.json", GOOD)
    inside = tree / "in"
    urls = [
        f"{inside}/**/grading.json",
        str(inside / "timings.jsonl.gz"),
        str(inside / "none" / "grading.json"),
        str(inside),
        str(inside / "odd[1]" / "timing.json"),
        f"zip://*/timing.json::{tree / 'all.zip'}",
        (inside / "eval-003/run-1/grading.json").as_uri(),
    ]
    here = list(check_urls(urls, workers=0))
    assert list(check_urls(urls, workers=2)) == here
    assert len(here) == 150 + 1200 + 6
    assert sum(not row.ok for row in here) == 15 + 12 + 5
    assert [row.findings[0].code for row in here[1350:] if not row.ok] == [
        "input.missing",
        "input.not-a-file",
        "TIM001",
        "TIM001",
        "GRD002",
    ]
    with pytest.raises(UnknownKindError):
        list(check_urls(urls, cast("Any", "gradings")))


class Deadly(bytes):
    """A text that kills the process that unpacks it, as a document that exhausts the memory does."""

    def __reduce__(self) -> Any:
        return os._exit, (1,)


def test_a_document_that_kills_its_worker_costs_no_other() -> None:
    needs("fsspec")
    from evalschema.integrations import pool

    one = pool.Input("x.jsonl")
    parcels: list[pool.Parcel | pool.Event] = [
        pool.Parcel((one,), (1, 2), (GOOD, BAD)),
        pool.Parcel((one,), (3, 4, 5), (GOOD, Deadly(b"{}"), BAD)),
        *(pool.Parcel((one,), (number,), (GOOD,)) for number in range(6, 12)),
        pool.Event(one, None, True),
    ]
    crew = pool.Crew(2, pool.Work("timing", keep_text=True))
    try:
        *found, last = crew.events(parcels)
    finally:
        crew.close()
    assert last == pool.Event(one, None, True)
    rows = [cast("DocumentRow", event.row) for event in found]
    assert [row.record for row in rows] == list(range(1, 12))
    assert [row.record for row in rows if not row.ok] == [2, 4, 5]
    assert (rows[3].findings[0].code, rows[3].text) == ("internal", b"{}")


# --- jobs ---------------------------------------------------------------------------------------------------------


def _job(tree: Path, **options: Any) -> tuple[int, int, int]:
    from evalschema.integrations import job

    inputs = tree / "in"
    urls = [f"{inputs}/**/grading.json", str(inputs / "timings.jsonl.gz")]
    settled: dict[str, Any] = {"workers": 0, "part_rows": 400, **options}
    done = job.run(urls, tree / "out", **settled)
    return done.documents, done.bad, done.skipped


def _table(tree: Path, name: str) -> Any:
    import pyarrow.parquet as pq

    return pq.read_table(tree / "out" / name)


def test_a_job_writes_all_and_the_bad_ones_with_their_text(tree: Path) -> None:
    needs("fsspec", "pyarrow")
    assert _job(tree, workers=2) == (1350, 27, 0)
    documents, bad = _table(tree, "documents"), _table(tree, "quarantine")
    assert (documents.num_rows, bad.num_rows) == (1350, 27)
    assert documents.column("text").null_count == 1350
    assert bad.column("text").to_pylist()[-1] == BAD
    assert not any(bad.column("ok").to_pylist())
    assert sorted(path.name for path in (tree / "out" / "manifest").iterdir()) == [
        f"part-{number:05}.json" for number in range(len(list((tree / "out" / "documents").iterdir())))
    ]


def test_a_job_that_is_started_again_does_what_is_left(tree: Path) -> None:
    needs("fsspec", "pyarrow")
    inputs = tree / "in"
    gone = inputs / "eval-149" / "run-1" / "grading.json"
    kept = gone.rename(tree / "kept.json")
    assert _job(tree) == (1349, 27, 0)
    before = {path: path.stat().st_mtime_ns for path in (tree / "out").rglob("*.*")}
    assert _job(tree) == (0, 0, 150)
    assert {path: path.stat().st_mtime_ns for path in (tree / "out").rglob("*.*")} == before
    # new; the same content under another time; other content
    kept.rename(gone)
    os.utime(inputs / "eval-000" / "run-1" / "grading.json", (1, 1))
    (inputs / "eval-001" / "run-1" / "grading.json").write_bytes(b"{")
    assert _job(tree) == (2, 1, 149)
    assert _job(tree) == (0, 0, 151)
    assert _table(tree, "documents").num_rows == 1351


def test_what_could_not_be_read_is_tried_again(tree: Path) -> None:
    needs("fsspec", "pyarrow")
    from evalschema.integrations import job

    late = tree / "late" / "timing.json"
    assert job.run([str(late)], tree / "out", workers=0) == job.Summary(1, 1, 0)
    late.parent.mkdir()
    late.write_bytes(GOOD)
    assert job.run([str(late)], tree / "out", workers=0) == job.Summary(1, 0, 0)
    assert job.run([str(late)], tree / "out", workers=0) == job.Summary(0, 0, 1)


def test_results_of_other_rules_are_not_mixed(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    needs("fsspec", "pyarrow")
    _job(tree)
    with pytest.raises(SettingsError, match="other settings"):
        _job(tree, settings=Settings(strict=True))
    monkeypatch.setattr("evalschema.integrations.job.__version__", "99.0")
    with pytest.raises(SettingsError, match=r"not 99\.0"):
        _job(tree)


INTERRUPTED = """
import sys
from evalschema.integrations import job
if __name__ == "__main__":
    job.run(sys.argv[2:], sys.argv[1], workers=2, part_rows=200)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="needs signals")
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_a_job_that_was_killed_goes_on(how: signal.Signals, tree: Path) -> None:
    needs("fsspec", "pyarrow")
    from evalschema.integrations import job

    inputs = tree / "in"
    with (inputs / "many.jsonl").open("wb") as file:
        file.writelines((BAD if index % 100 == 7 else GOOD) + b"\n" for index in range(60_000))
    urls = [f"{inputs}/**/grading.json", str(inputs / "many.jsonl"), str(inputs / "timings.jsonl.gz")]
    program = tree / "program.py"
    program.write_text(INTERRUPTED, "utf-8")
    command = [sys.executable, str(program), str(tree / "out"), *urls]
    with subprocess.Popen(command, stderr=subprocess.PIPE, start_new_session=True) as child:
        while not (tree / "out" / "manifest" / "part-00002.json").exists():
            assert child.poll() is None, child.communicate()
            time.sleep(0.02)
        child.send_signal(how)
        child.wait(60)
    (tree / "out" / "documents" / ".part-99999.parquet.unfinished").write_bytes(b"half")
    assert _wait_until_nobody_runs(str(program))
    first = _table(tree, "documents").num_rows
    assert 600 <= first < 61_350
    done = job.run(urls, tree / "out", workers=0, part_rows=20_000)
    documents = _table(tree, "documents").select(["path", "record"]).to_pylist()
    assert len(documents) == len({tuple(each.values()) for each in documents}) == 61_350
    assert first + done.documents >= 61_350
    assert _table(tree, "quarantine").num_rows == 15 + 600 + 12


def _wait_until_nobody_runs(program: str) -> bool:
    """Whether all workers leave when the process that started them is gone."""
    if not Path("/proc").exists():
        return True
    for _ in range(200):
        running = [path for path in Path("/proc").glob("[0-9]*/cmdline") if _runs(path, program)]
        if not running:
            return True
        time.sleep(0.05)
    return False


def _runs(path: Path, program: str) -> bool:
    try:
        return program.encode() in path.read_bytes()
    except OSError:
        return False


# --- engines and stores -------------------------------------------------------------------------------------------


def test_spark_checks_every_document_and_the_examples_work(tmp_path: Path) -> None:
    """A real Spark: hostile documents as files, then every example of the how-to, in one session."""
    needs("pyspark", "pyarrow", "pandas")
    need(shutil.which("java"), "needs Java 17")
    documents = tmp_path / "documents"
    documents.mkdir()
    written = {"good": GOOD, "bad": BAD, "empty": b"", "latin": b'{"caf\xe9": 1}', "deep": b"[" * 999, "text": b'"0.5"'}
    for name, content in written.items():
        (documents / name).write_bytes(content)
    for name in ("healthy", "broken"):
        shutil.copytree(ROOT / "docs" / "demo" / name, tmp_path / name)
    gradings = [json.loads(path.read_bytes()) for path in sorted((tmp_path / "healthy").rglob("grading.json"))]
    (tmp_path / "gradings.jsonl").write_text("".join(json.dumps(each) + "\n" for each in gradings), "utf-8")

    page = ROOT / "docs" / "how-to" / "use-with-spark.md"
    command = [sys.executable, "-m", "tests.spark.job", str(documents), str(page)]
    done = subprocess.run(
        command, cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-3000:]
    seen = json.loads(done.stdout.splitlines()[-1])
    # Spark leaves out files without a byte; the how-to says so
    del written["empty"]
    expected = {name: validate_batch([name], [content], "timing")[0] for name, content in written.items()}
    assert seen["rows"] == sorted(
        [name, row.ok, not row.ok, [found.code for found in row.findings]] for name, row in expected.items()
    )
    assert seen["findings"] == sorted({found.code for row in expected.values() for found in row.findings})
    assert seen["schema"].startswith("struct<path:string,record:bigint,kind:string,ok:boolean,errors:bigint,")
    # four of the documents are wrong, and the reader of the engine says nothing about any of them
    assert seen["silent"] < 4
    bad = sum(
        not check_file(path).ok for name in ("healthy", "broken") for path in (tmp_path / name).rglob("grading.json")
    )
    total = len(list(tmp_path.rglob("grading.json")))
    assert (seen["checked"], seen["quarantine"], seen["sound"], seen["rest"]) == (total, bad, total - bad, 0)
    assert (seen["lines"], seen["records"]) == (len(gradings), list(range(1, len(gradings) + 1)))
    assert seen["examples"] == 5


@pytest.fixture
def bucket(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Any, dict[str, Any]]]:
    """An empty bucket named corpus in a store on loopback that speaks S3, and how to reach it."""
    needs("s3fs", "moto", "pyarrow")
    from moto.server import ThreadedMotoServer

    monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    options = {"key": "k", "secret": "s", "client_kwargs": {"endpoint_url": f"http://{host}:{port}"}}
    store = needed("fsspec", "s3").filesystem("s3", **options)
    store.mkdir("corpus")
    yield store, options
    server.stop()


def test_objects_of_a_store_are_checked_and_results_written_to_it(bucket: tuple[Any, dict[str, Any]]) -> None:
    import pyarrow.parquet as pq

    from evalschema.integrations import job
    from evalschema.integrations.pool import check_urls

    store, options = bucket
    for index in range(80):
        store.pipe_file(f"corpus/in/{index:02}/timing.json", BAD if index % 20 == 7 else GOOD)
    store.pipe_file("corpus/in/03/timing.json", b"")
    store.pipe_file("corpus/in/all.jsonl", b"\n".join([GOOD, BAD]))
    urls = ["s3://corpus/in/*/timing.json", "s3://corpus/in/all.jsonl", "s3://corpus/in/none/timing.json"]
    here = list(check_urls(urls, workers=0, storage_options=options))
    assert here == list(check_urls(urls, workers=2, storage_options=options))
    assert len(here) == 83
    bad = [(row.path.removeprefix("s3://corpus/in/"), row.findings[0].code) for row in here if not row.ok]
    assert bad == [
        ("03/timing.json", "json.empty"),
        *((f"{index:02}/timing.json", "TIM001") for index in (7, 27, 47, 67)),
        ("all.jsonl", "TIM001"),
        ("none/timing.json", "input.missing"),
    ]

    def again(*inputs: str) -> tuple[int, int, int]:
        done = job.run(inputs or urls[:2], "s3://corpus/out", workers=0, storage_options=options)
        return done.documents, done.bad, done.skipped

    assert again() == (82, 6, 0)
    assert again() == (0, 0, 81)
    store.pipe_file("corpus/in/09/timing.json", BAD)
    assert again() == (1, 1, 80)
    # objects that are named one by one are read, for asking about each costs as much; then the digest decides
    assert again("s3://corpus/in/09/timing.json", "s3://corpus/in/10/timing.json") == (0, 0, 2)
    tables = [pq.read_table(f"corpus/out/{name}", filesystem=store) for name in ("documents", "quarantine")]
    assert [table.num_rows for table in tables] == [83, 7]


# --- documentation ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("heading", "columns"), [("Documents", DOCUMENTS), ("Findings", MEMBERS), ("Runs", RUNS)])
def test_the_reference_lists_every_column(heading: str, columns: tuple[Column, ...]) -> None:
    page = (ROOT / "docs" / "reference" / "batch.md").read_text("utf-8")
    section = page.partition(f"## {heading}\n")[2].partition("\n## ")[0]
    listed = re.findall(r"^\| `(\w+)` \| ([\w ]+) \| (yes|no) \|", section, re.MULTILINE)
    words = {str: "string", int: "integer", bool: "boolean", float: "number", bytes: "binary", FindingRow: "finding"}
    assert listed == [
        (
            column.name,
            f"list of {words[column.type]}s" if column.repeated else words[column.type],
            "yes" if column.nullable else "no",
        )
        for column in columns
    ]


def test_the_examples_of_the_how_to_work(tmp_path: Path) -> None:
    """Those that need an extra; the others are run with those of all pages."""
    needs("fsspec", "pyarrow", "polars")
    for name in ("healthy", "broken"):
        shutil.copytree(ROOT / "docs" / "demo" / name, tmp_path / name)
    page = (ROOT / "docs" / "how-to" / "millions-of-documents.md").read_text("utf-8")
    first, *others = re.findall(r"^```py\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    assert len(others) == 2
    for number, text in enumerate((first, first, "".join(others))):
        program = tmp_path / f"program{number}.py"
        program.write_text(text, "utf-8")
        done = subprocess.run([sys.executable, program], cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        printed = done.stdout
        expected = ("Summary(documents=16, bad=", "Summary(documents=0, bad=0, skipped=16)", "name.alias")[number]
        assert expected in printed
