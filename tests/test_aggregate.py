"""Aggregating a workspace: every figure is that of the files, nothing is invented, and nothing comes of wrong files."""

from __future__ import annotations

import json
import math
import os
import shutil
import subprocess
import sys
from pathlib import Path
from statistics import mean, stdev
from typing import Any

import pytest

from evalschema import Settings, check_workspace, validate
from evalschema.aggregate import Aggregate, NoWorkspaceError, aggregate
from tests.trees import TREES

ROOT = Path(__file__).parents[1]
STRICT = Settings(strict=True)
METRICS = ("pass_rate", "time_seconds", "tokens")


@pytest.fixture
def healthy(tmp_path: Path) -> Path:
    """The healthy example workspace, free to be changed."""
    folder = tmp_path / "healthy"
    shutil.copytree(ROOT / "docs" / "demo" / "healthy", folder)
    return folder


def _read(path: Path) -> Any:
    return json.loads(path.read_text("utf-8"))


def _write(path: Path, document: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(document), "utf-8")


def _made(folder: Path, **options: Any) -> dict[str, Any]:
    done = aggregate(folder, **options)
    assert done.benchmark is not None, [each.message for result in done.refused for each in result.errors]
    return done.benchmark


def _grading(passed: int, total: int, **more: Any) -> dict[str, Any]:
    checks = [{"text": f"check {n}", "passed": n < passed, "evidence": f"line {n}"} for n in range(total)]
    summary = {"passed": passed, "failed": total - passed, "total": total, "pass_rate": round(passed / total, 2)}
    return {"expectations": checks, "summary": summary, **more}


def _timing(seconds: float, tokens: int, **more: Any) -> dict[str, Any]:
    duration = round(seconds * 1000)
    return {"total_tokens": tokens, "duration_ms": duration, "total_duration_seconds": seconds, **more}


def _workspace(folder: Path, form: str = "eval-{id}/{configuration}/run-{run}", runs: int = 3) -> Path:
    """A workspace of three evals, two configurations and some runs, in a form."""
    for number in (1, 2, 3):
        for which, configuration in enumerate(("with_skill", "without_skill")):
            for run in range(1, runs + 1):
                place = folder / form.format(id=number, configuration=configuration, run=run)
                _write(place / "grading.json", _grading((number + run + which) % 4 + 1, 5))
                _write(
                    place / "timing.json", _timing(40.5 + 7 * number + 3 * run + which, 9000 + 531 * number + 77 * run)
                )
    return folder


# --- figures ------------------------------------------------------------------------------------------------------


def test_the_healthy_example_gives_the_benchmark_that_is_there(healthy: Path) -> None:
    made, there = _made(healthy), _read(healthy / "iteration-1" / "benchmark.json")
    assert made["metadata"]["evals_run"] == there["metadata"]["evals_run"]
    assert made["metadata"]["skill_name"] == there["metadata"]["skill_name"]
    for configuration in ("with_skill", "without_skill"):
        for metric in METRICS:
            for name, value in made["run_summary"][configuration][metric].items():
                assert value == pytest.approx(there["run_summary"][configuration][metric][name], abs=0.06)
    assert made["run_summary"]["delta"] == there["run_summary"]["delta"]
    assert len(made["runs"]) == len(there["runs"])


def test_statistics_are_those_of_the_runs(tmp_path: Path) -> None:
    made = _made(_workspace(tmp_path), skill_name="ledger")
    for configuration in ("with_skill", "without_skill"):
        results = [run["result"] for run in made["runs"] if run["configuration"] == configuration]
        assert len(results) == 9
        for metric in METRICS:
            values = [result[metric] for result in results]
            statistic = made["run_summary"][configuration][metric]
            assert statistic["mean"] == pytest.approx(mean(values), abs=0.0001)
            assert statistic["stddev"] == pytest.approx(stdev(values), abs=0.0001)
            assert (statistic["min"], statistic["max"]) == (min(values), max(values))
    assert made["metadata"]["runs_per_configuration"] == 3
    assert validate(made, "benchmark", settings=STRICT).findings == ()


def test_a_rate_is_that_of_the_counts_and_not_its_rounding(tmp_path: Path) -> None:
    _write(tmp_path / "eval-1" / "with_skill" / "run-1" / "grading.json", _grading(2, 3))
    (run,) = _made(tmp_path)["runs"]
    assert run["result"]["pass_rate"] == 0.6667


def test_tokens_come_from_timing_although_the_grading_has_a_duration(tmp_path: Path) -> None:
    """The official aggregator writes the characters of the output here."""
    place = tmp_path / "eval-1" / "with_skill" / "run-1"
    metrics = {"output_chars": 910, "total_tool_calls": 4, "errors_encountered": 1}
    timing = {"total_duration_seconds": 61.4}
    _write(place / "grading.json", _grading(2, 3, timing=timing, execution_metrics=metrics))
    _write(place / "timing.json", _timing(61.4, 18240))
    (run,) = _made(tmp_path)["runs"]
    assert run["result"]["tokens"] == 18240
    assert (run["result"]["tool_calls"], run["result"]["errors"]) == (4, 1)


def test_seconds_come_from_milliseconds_where_the_total_is_missing(tmp_path: Path) -> None:
    place = tmp_path / "eval-1" / "with_skill" / "run-1"
    _write(place / "grading.json", _grading(2, 3))
    _write(place / "timing.json", {"duration_ms": 51191, "total_tokens": 32476})
    (run,) = _made(tmp_path)["runs"]
    assert run["result"]["time_seconds"] == 51.191


def test_what_is_not_known_is_left_out_and_said(tmp_path: Path) -> None:
    _workspace(tmp_path)
    (tmp_path / "eval-2" / "with_skill" / "run-1" / "timing.json").unlink()
    done = aggregate(tmp_path)
    assert done.benchmark is not None
    incomplete = [run for run in done.benchmark["runs"] if "tokens" not in run["result"]]
    assert [(run["eval_id"], run["configuration"], run["run_number"]) for run in incomplete] == [(2, "with_skill", 1)]
    summary = done.benchmark["run_summary"]
    assert set(summary["with_skill"]) == {"pass_rate"}, "a mean over some runs is none"
    assert set(summary["without_skill"]) == set(METRICS)
    assert set(summary["delta"]) == {"pass_rate"}
    assert "skill_name" not in done.benchmark["metadata"]
    said = " ".join(done.unknown)
    assert "skill_name" in said
    assert "1 of 18 runs" in said
    assert "null" not in json.dumps(done.benchmark)


def test_uneven_runs_have_no_number_per_configuration(tmp_path: Path) -> None:
    _workspace(tmp_path)
    shutil.rmtree(tmp_path / "eval-3" / "without_skill" / "run-3")
    done = aggregate(tmp_path, skill_name="ledger")
    assert done.benchmark is not None
    assert "runs_per_configuration" not in done.benchmark["metadata"]
    assert any("runs_per_configuration" in each for each in done.unknown)


def test_run_notes_are_what_the_executor_flagged(tmp_path: Path) -> None:
    flagged = {"uncertainties": ["is row 9 a total?"], "needs_review": [], "workarounds": ["skipped row 3", 7]}
    _write(tmp_path / "eval-1" / "with_skill" / "run-1" / "grading.json", _grading(2, 3, user_notes_summary=flagged))
    (run,) = _made(tmp_path)["runs"]
    assert run["notes"] == ["is row 9 a total?", "skipped row 3"]


# --- forms --------------------------------------------------------------------------------------------------------

FORMS = [
    "eval-{id}/{configuration}/run-{run}",
    "runs/eval-{id}/{configuration}/run-{run}",
    "eval-{id}-rows/{configuration}/run-{run}/outputs",
    "eval-{id}/{configuration}/run_{run}",
]


@pytest.mark.parametrize("form", FORMS)
def test_every_form_gives_the_same(tmp_path: Path, form: str) -> None:
    plain = _made(_workspace(tmp_path / "plain"), skill_name="ledger")
    other = _made(_workspace(tmp_path / "other", form), skill_name="ledger")
    for made in (plain, other):
        del made["metadata"]["timestamp"]
    assert other == plain


def test_without_folders_for_runs_each_configuration_has_one(tmp_path: Path) -> None:
    made = _made(_workspace(tmp_path, "eval-{id}/{configuration}", runs=1), skill_name="ledger")
    assert {run["run_number"] for run in made["runs"]} == {1}
    assert made["metadata"]["runs_per_configuration"] == 1
    assert validate(made, "benchmark", settings=STRICT).findings == ()


def test_an_eval_that_nothing_numbers_is_called_by_its_folder(tmp_path: Path) -> None:
    made = _made(_workspace(tmp_path, "rows-{id}/{configuration}", runs=1), skill_name="ledger")
    assert made["metadata"]["evals_run"] == ["rows-1", "rows-2", "rows-3"]
    assert validate(made, "benchmark").ok


# --- the difference -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("new", "old"), [("with_skill", "without_skill"), ("with_skill", "old_skill"), ("new_skill", "old_skill")]
)
def test_the_delta_is_new_minus_old_whatever_the_alphabet(tmp_path: Path, new: str, old: str) -> None:
    for configuration, passed in ((new, 4), (old, 1)):
        place = tmp_path / "eval-1" / configuration / "run-1"
        _write(place / "grading.json", _grading(passed, 4))
        _write(
            place / "timing.json",
            _timing(60.0 if configuration == new else 50.0, 1000 if configuration == new else 900),
        )
    summary = _made(tmp_path)["run_summary"]
    assert list(summary) == [new, old, "delta"], "the viewer draws the first two members, and the new one first"
    assert summary["delta"] == {"pass_rate": "+0.75", "time_seconds": "+10.0", "tokens": "+100"}


def test_nothing_has_no_negative_sign(tmp_path: Path) -> None:
    for configuration, seconds in (("with_skill", 50.01), ("without_skill", 50.02)):
        place = tmp_path / "eval-1" / configuration / "run-1"
        _write(place / "grading.json", _grading(1, 4))
        _write(place / "timing.json", _timing(seconds, 900))
    assert _made(tmp_path)["run_summary"]["delta"] == {"pass_rate": "+0.00", "time_seconds": "+0.0", "tokens": "+0"}


def test_one_configuration_has_no_delta(tmp_path: Path) -> None:
    _write(tmp_path / "eval-1" / "with_skill" / "run-1" / "grading.json", _grading(2, 3))
    assert list(_made(tmp_path)["run_summary"]) == ["with_skill"]


# --- the viewer ---------------------------------------------------------------------------------------------------


def test_the_viewer_finds_all_that_it_reads(tmp_path: Path) -> None:
    """What the tab of the official viewer stops at, or draws as a dash, 0 % or NaN, is never written."""
    made = _made(_workspace(tmp_path), skill_name="ledger")
    for run in made["runs"]:
        assert isinstance(run["configuration"], str)
        result = run["result"]
        assert 0 <= result["pass_rate"] <= 1
        assert all(isinstance(result[name], int) for name in ("passed", "failed", "total", "errors", "tokens"))
        assert isinstance(result["time_seconds"], float)
        assert all(isinstance(check["passed"], bool) for check in run["expectations"])
    for configuration in ("with_skill", "without_skill"):
        for metric in METRICS:
            assert all(math.isfinite(value) for value in made["run_summary"][configuration][metric].values())
    assert all(text[0] in "+-" for text in made["run_summary"]["delta"].values())
    assert isinstance(made["metadata"]["evals_run"], list)


def test_no_placeholder_is_carried_on(tmp_path: Path) -> None:
    _workspace(tmp_path)
    there = {"skill_name": "<skill-name>", "skill_path": "<path/to/skill>", "executor_model": "model-a"}
    _write(tmp_path / "benchmark.json", {"metadata": there, "runs": [], "run_summary": {}})
    made = _made(tmp_path)
    assert "<" not in json.dumps(made)
    assert made["metadata"]["executor_model"] == "model-a"


# --- metadata -----------------------------------------------------------------------------------------------------


def _skill(folder: Path, name: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "SKILL.md").write_text(f"---\nname: {name}\n---\n", "utf-8")


def test_the_name_of_the_skill_comes_from_where_it_is_known(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    workspace = _workspace(tmp_path / "ledger-workspace" / "iteration-1")
    assert "skill_name" not in _made(workspace)["metadata"]
    _write(workspace / "benchmark.json", {"metadata": {"skill_name": "from-benchmark"}})
    assert _made(workspace)["metadata"]["skill_name"] == "from-benchmark"
    evals = {"skill_name": "from-evals", "evals": [{"id": 1, "prompt": "Add up.", "expected_output": "One number"}]}
    _write(tmp_path / "evals" / "evals.json", evals)
    assert _made(workspace)["metadata"]["skill_name"] == "from-evals"
    _skill(tmp_path / "ledger", "from-skill-beside")
    assert _made(workspace)["metadata"]["skill_name"] == "from-skill-beside"
    _skill(tmp_path / "ledger-workspace", "from-skill-above")
    assert _made(workspace)["metadata"]["skill_name"] == "from-skill-above"
    assert _made(workspace, skill_name="given")["metadata"]["skill_name"] == "given"


def test_the_time_is_that_of_the_last_run(tmp_path: Path) -> None:
    for run, end in ((1, "2026-05-04T11:18:07+02:00"), (2, "2026-05-04T09:12:30Z")):
        place = tmp_path / "eval-1" / "with_skill" / f"run-{run}"
        _write(place / "grading.json", _grading(run, 3))
        _write(place / "timing.json", _timing(60.0 + run, 900 + run, executor_end=end))
    assert _made(tmp_path)["metadata"]["timestamp"] == "2026-05-04T11:18:07+02:00"


def test_twice_gives_the_same(tmp_path: Path) -> None:
    _workspace(tmp_path)
    first = _made(tmp_path, skill_name="ledger")
    _write(tmp_path / "benchmark.json", first)
    assert _made(tmp_path) == first
    assert all(result.findings == () for result in check_workspace(tmp_path))


# --- refusals -----------------------------------------------------------------------------------------------------


def _refusing(done: Aggregate) -> set[str]:
    assert done.benchmark is None
    return {each.code for result in done.refused for each in result.errors}


def test_a_grading_with_an_error_refuses(tmp_path: Path) -> None:
    _workspace(tmp_path)
    path = tmp_path / "eval-2" / "with_skill" / "run-1" / "grading.json"
    grading = _read(path)
    del grading["summary"]["pass_rate"]
    _write(path, grading)
    done = aggregate(tmp_path)
    assert _refusing(done) == {"schema.required"}
    assert [result.path for result in done.refused] == [str(path)]


@pytest.mark.parametrize("content", ["{", "[]", "{}", "null", ""])
def test_a_grading_that_is_none_refuses(tmp_path: Path, content: str) -> None:
    _workspace(tmp_path)
    (tmp_path / "eval-2" / "with_skill" / "run-1" / "grading.json").write_text(content, "utf-8")
    assert _refusing(aggregate(tmp_path))


def test_a_timing_that_contradicts_itself_refuses(tmp_path: Path) -> None:
    _workspace(tmp_path)
    _write(tmp_path / "eval-2" / "with_skill" / "run-1" / "timing.json", {**_timing(60.0, 900), "duration_ms": 6000})
    assert _refusing(aggregate(tmp_path)) == {"TIM001"}


def test_ids_of_mixed_types_refuse() -> None:
    assert _refusing(aggregate(TREES / "WSP012-text-among-numbers")) == {"WSP012"}


def test_two_folders_of_one_eval_refuse() -> None:
    """Their runs would stand under the same names."""
    assert _refusing(aggregate(TREES / "WSP015-one-id-in-two-folders")) == {"WSP015"}


def test_a_wrong_benchmark_refuses_nothing() -> None:
    made = _made(TREES / "WSP006-graded-again")
    rates = {run["configuration"]: run["result"]["pass_rate"] for run in made["runs"]}
    assert rates == {"with_skill": 1.0, "without_skill": 0.0}


def test_the_folder_of_several_workspaces_names_them(tmp_path: Path) -> None:
    for name in ("iteration-1", "iteration-2"):
        _workspace(tmp_path / name)
    with pytest.raises(NoWorkspaceError, match="holds 2 workspaces") as raised:
        aggregate(tmp_path)
    assert [Path(each).name for each in raised.value.found] == ["iteration-1", "iteration-2"]
    assert _made(tmp_path / "iteration-2")["runs"]


def test_a_folder_without_gradings_is_no_workspace(tmp_path: Path) -> None:
    (tmp_path / "eval-1").mkdir()
    with pytest.raises(NoWorkspaceError, match="no workspace"):
        aggregate(tmp_path)


# --- the command --------------------------------------------------------------------------------------------------


def _run(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    command = [sys.executable, "-m", "evalschema", "aggregate", *arguments]
    return subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, check=False)


def test_the_command_shows_the_benchmark(healthy: Path) -> None:
    done = _run("healthy", cwd=healthy.parent)
    assert done.returncode == 0, done.stderr
    assert validate(json.loads(done.stdout), "benchmark", settings=STRICT).findings == ()


def test_the_command_never_replaces_a_file_unasked(healthy: Path) -> None:
    target = healthy / "iteration-1" / "benchmark.json"
    before = target.read_bytes()
    refused = _run("healthy", "-o", "healthy/iteration-1/benchmark.json", cwd=healthy.parent)
    assert refused.returncode == 3
    assert "--overwrite" in refused.stderr
    assert target.read_bytes() == before
    done = _run("healthy", "-o", "healthy/iteration-1/benchmark.json", "--overwrite", cwd=healthy.parent)
    assert done.returncode == 0, done.stderr
    assert validate(_read(target), "benchmark", settings=STRICT).findings == ()
    again = _run("healthy", "-o", "healthy/iteration-1/benchmark.json", cwd=healthy.parent)
    assert again.returncode == 0
    assert "already there" in again.stderr


def test_the_command_shows_why_it_refuses(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "docs" / "demo" / "broken", tmp_path / "broken")
    done = _run("broken", "-o", "new.json", cwd=tmp_path)
    assert done.returncode == 1
    assert "GRD002" in done.stdout
    assert not (tmp_path / "new.json").exists()


@pytest.mark.parametrize(
    ("arguments", "status"),
    [(["nowhere"], 2), (["empty"], 5), (["two"], 2), (["one", "-o", "no/such/folder/b.json"], 3)],
)
def test_the_command_says_what_it_cannot_do(tmp_path: Path, arguments: list[str], status: int) -> None:
    (tmp_path / "empty").mkdir()
    _workspace(tmp_path / "two" / "a")
    _workspace(tmp_path / "two" / "b")
    _workspace(tmp_path / "one")
    done = _run(*arguments, cwd=tmp_path)
    assert done.returncode == status, done.stderr
    assert done.stderr
    assert "Traceback" not in done.stderr
