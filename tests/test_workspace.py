"""Workspaces: what is found across their files, in every form that people write, and that nothing breaks on the way."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from evalschema import Settings, check_file, check_workspace
from evalschema.files import file_bytes
from evalschema.rules._across import Across, rules_across
from evalschema.rules._beside import Beside
from evalschema.rules._engine import all_rules
from evalschema.workspace.layout import by_folder, configuration_of_file, lay_out
from tests.dose import FULL
from tests.needs import need
from tests.trees import SIDE_FILE, TREES, expected, found, names

RULES = [rule for rule in all_rules() if isinstance(rule, Across | Beside)]
ALL = Settings(max_findings=10**6)


# --- trees --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", names())
def test_a_tree_gives_exactly_its_findings(name: str) -> None:
    tree = TREES / name
    assert found(tree) == expected(tree)
    assert expected(tree) or not (tree / SIDE_FILE).exists(), "a tree without findings has no side file"


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
def test_every_rule_has_a_bad_tree_and_a_near_miss(rule: Any) -> None:
    trees = [TREES / name for name in names() if name.startswith(f"{rule.code}-")]
    fires = [any(each["code"] == rule.code for each in expected(tree)) for tree in trees]
    assert any(fires), "no tree in which the rule fires"
    assert not all(fires), "no tree that just passes"


def test_every_rule_across_files_is_run() -> None:
    assert set(rules_across()) == {rule for rule in RULES if isinstance(rule, Across)}


def test_every_tree_is_named_after_a_rule() -> None:
    codes = {rule.code for rule in RULES}
    assert {name.partition("-")[0] for name in names()} <= codes


def test_every_finding_in_another_file_says_where() -> None:
    for name in names():
        tree = TREES / name
        for result in check_workspace(tree):
            for finding in result.findings:
                for place in finding.elsewhere:
                    text = Path(place.path).read_text("utf-8").splitlines()
                    assert place.line, name
                    assert place.column, name
                    assert place.column <= len(text[place.line - 1]) + 1, name


# --- layouts ------------------------------------------------------------------------------------------------------


def _plans(*paths: str) -> dict[str, dict[str, list[tuple[str, int | None]]]]:
    here = os.path.abspath(os.sep)
    plans = lay_out(by_folder(os.path.join(here, *path.split("/")) for path in paths))

    def name(path: str) -> str:
        return os.path.relpath(path, here).replace(os.sep, "/")

    return {
        name(root): {
            name(each.folder): [(spot.configuration, spot.number) for spot in each.spots]
            for each in plan.evals.values()
        }
        for root, plan in plans.items()
    }


@pytest.mark.parametrize(
    ("path", "root", "folder", "spot"),
    [
        ("w/eval-1/with_skill/run-2/grading.json", "w", "w/eval-1", ("with_skill", 2)),
        ("w/runs/eval-1/with_skill/run-2/grading.json", "w", "w/runs/eval-1", ("with_skill", 2)),
        ("w/eval-1-totals/with_skill/grading.json", "w", "w/eval-1-totals", ("with_skill", None)),
        ("w/totals/old_skill/grading.json", "w", "w/totals", ("old_skill", None)),
        ("w/totals/01_with_skill_model_a/outputs/grading.json", "w", "w/totals", ("01_with_skill_model_a", None)),
        ("w/totals/variant/run_3/outputs/grading.json", "w", "w/totals", ("variant", 3)),
        ("w/eval-7/variant/grading.json", "w", "w/eval-7", ("variant", None)),
    ],
)
def test_the_forms_of_a_workspace(path: str, root: str, folder: str, spot: tuple[str, int | None]) -> None:
    assert _plans(path) == {root: {folder: [spot]}}


@pytest.mark.parametrize(
    "path", ["w/grading.json", "w/eval-1/grading.json", "w/iteration-1/grading.json", "skills/pdf-skill/grading.json"]
)
def test_a_grading_without_a_configuration_makes_no_run(path: str) -> None:
    assert not any(spots for evals in _plans(path).values() for spots in evals.values())


def test_iterations_and_workspaces_inside_outputs_are_separate() -> None:
    inner = "w/iteration-1/eval-1/with_skill/outputs/iteration-1/eval-1/with_skill/run-1/grading.json"
    outer = "w/iteration-1/eval-1/with_skill/run-1/grading.json"
    assert set(_plans(inner, outer, "w/iteration-2/eval-1/with_skill/run-1/grading.json")) == {
        "w/iteration-1",
        "w/iteration-1/eval-1/with_skill/outputs/iteration-1",
        "w/iteration-2",
    }


def test_metadata_beside_the_configuration_names_a_folder_of_any_name() -> None:
    paths = "w/totals/eval_metadata.json", "w/totals/plain/grading.json"
    assert _plans(*paths) == {"w": {"w/totals": [("plain", None)]}}


def test_a_second_grading_in_outputs_is_not_a_second_run() -> None:
    paths = "w/eval-1/with_skill/grading.json", "w/eval-1/with_skill/outputs/grading.json"
    assert _plans(*paths) == {"w": {"w/eval-1": [("with_skill", None)]}}


@pytest.mark.parametrize(
    ("name", "configuration"),
    [
        ("grading_with_skill.json", "with_skill"),
        ("without_skill-grading.json", "without_skill"),
        ("grading.json", ""),
        ("notes.json", "notes"),
    ],
)
def test_the_configuration_in_the_name_of_a_file(name: str, configuration: str) -> None:
    assert configuration_of_file(f"w/eval-1/{name}") == configuration


# --- a whole folder -----------------------------------------------------------------------------------------------


@pytest.fixture
def healthy(tmp_path: Path) -> Path:
    """The healthy example workspace, free to be changed."""
    folder = tmp_path / "healthy"
    shutil.copytree(Path(__file__).parents[1] / "docs" / "demo" / "healthy", folder)
    return folder


def _change(path: Path, *at: str | int, value: Any) -> None:
    document = json.loads(path.read_text("utf-8"))
    inside = document
    for token in at[:-1]:
        inside = inside[token]
    inside[at[-1]] = value
    path.write_text(json.dumps(document, indent=2), "utf-8")


def _codes(folder: Path, settings: Settings = ALL) -> set[str]:
    return {finding.code for result in check_workspace(folder, settings) for finding in result.findings}


def test_the_healthy_example_is_clean(healthy: Path) -> None:
    results = list(check_workspace(healthy))
    assert all(result.findings == () for result in results)
    assert [result.path for result in results] == sorted(str(path) for path in healthy.rglob("*.json"))


def test_results_are_those_of_the_files_and_those_across_them(healthy: Path) -> None:
    grading = next(healthy.rglob("grading.json"))
    _change(grading, "summary", "passed", value=0)
    by_path = {result.path: result for result in check_workspace(healthy)}
    alone = check_file(grading)
    assert not alone.ok
    assert by_path[str(grading)].findings == alone.findings


def test_a_mean_says_which_run_was_counted_as_zero(healthy: Path) -> None:
    """The aggregator counts a grading without a rate as 0: the mean names the run and the reason."""
    benchmark = healthy / "iteration-1" / "benchmark.json"
    grading = healthy / "iteration-1" / "eval-1-quarterly-invoice" / "with_skill" / "run-1" / "grading.json"
    document = json.loads(benchmark.read_text("utf-8"))
    for run in document["runs"]:
        if (run["eval_id"], run["configuration"], run["run_number"]) == (1, "with_skill", 1):
            run["result"]["pass_rate"] = 0.0
    rates = [run["result"]["pass_rate"] for run in document["runs"] if run["configuration"] == "with_skill"]
    document["run_summary"]["with_skill"]["pass_rate"]["mean"] = sum(rates) / len(rates)
    benchmark.write_text(json.dumps(document), "utf-8")
    summary = json.loads(grading.read_text("utf-8"))
    del summary["summary"]["pass_rate"]
    grading.write_text(json.dumps(summary), "utf-8")
    findings = [finding for result in check_workspace(healthy) for finding in result.findings]
    (told,) = (finding for finding in findings if finding.code == "WSP013")
    assert told.pointer == "/run_summary/with_skill/pass_rate/mean"
    assert "run 1 of eval 1 with with_skill was counted as 0 because `summary.pass_rate` is missing" in told.message
    assert [place.path for place in told.elsewhere] == [str(grading)]


def test_settings_hold_for_findings_across_files(healthy: Path) -> None:
    for path in healthy.rglob("benchmark.json"):
        _change(path, "runs", 0, "result", "tokens", value=1)
    assert "WSP006" in _codes(healthy)
    assert "WSP006" not in _codes(healthy, Settings(ignore=("WSP006",)))
    assert _codes(healthy, Settings(select=("WSP",))) <= {"WSP006", "WSP013"}
    results = check_workspace(healthy, Settings(severity={"WSP006": "info"}))
    severities = {f.severity for result in results for f in result.findings if f.code == "WSP006"}
    assert severities == {"info"}


def test_every_file_is_read_once(healthy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from evalschema import files
    from evalschema.workspace import reading

    seen: list[str] = []

    def counting(path: str) -> Any:
        seen.append(path)
        return file_bytes(path)

    for module in (files, reading):
        monkeypatch.setattr(module, "file_bytes", counting)
    list(check_workspace(healthy))
    assert sorted(seen) == sorted(str(path) for path in healthy.rglob("*.json"))


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"null", b'"text"', b"\xff", b"\xef\xbb\xbf{}", b'{"runs": 3}'])
@pytest.mark.parametrize("name", ["benchmark.json", "grading.json", "timing.json", "eval_metadata.json"])
def test_a_damaged_file_stops_nothing(healthy: Path, name: str, content: bytes) -> None:
    path = next(healthy.rglob(name))
    path.write_bytes(content)
    results = {result.path: result for result in check_workspace(healthy)}
    assert len(results) == len(list(healthy.rglob("*.json")))
    assert not results[str(path)].ok


def test_any_member_may_hold_anything(healthy: Path) -> None:
    """Every member of every file, one at a time, replaced by a value of each type: no rule may crash."""
    values: list[Any] = [None, True, "text", -1, 1e300, [], [3], {}, {"a": None}]
    for path in (*sorted(healthy.rglob("*.json"))[:6], healthy / "iteration-1" / "benchmark.json"):
        text = path.read_text("utf-8")
        places = list(_places(json.loads(text)))
        for number, place in enumerate(places[:: max(1, len(places) // 12)]):
            path.write_text(text, "utf-8")
            _change(path, *place, value=values[number % len(values)])
            assert list(check_workspace(healthy))
        path.write_text(text, "utf-8")


def _places(value: Any, at: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    children = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    below = [place for key, child in children for place in _places(child, (*at, key))]
    return [at, *below] if at else below


def test_a_part_of_a_workspace_is_checked_as_such(healthy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The root lies above the folder that is checked: its files are still paired."""
    folder = healthy / "iteration-1" / "eval-1-quarterly-invoice"
    _change(folder / "eval_metadata.json", "assertions", value=["Something else is checked"])
    assert _codes(folder) == {"WSP001"}
    monkeypatch.chdir(folder / "with_skill")
    assert next(result.path for result in check_workspace(".")) == os.path.join(".", "run-1", "grading.json")


def test_paths_are_shown_as_the_folder_was_written(healthy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(healthy.parent)
    paths = [result.path for result in check_workspace("healthy")]
    assert all(path and path.startswith("healthy" + os.sep) for path in paths)


def test_an_unreadable_file_is_told_and_the_rest_judged(healthy: Path) -> None:
    timing = next(healthy.rglob("timing.json"))
    timing.unlink()
    os.mkfifo(timing)
    assert "input.not-a-file" in _codes(healthy)


def test_excluded_files_are_not_read(healthy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(healthy.parent)
    results = check_workspace("healthy", Settings(exclude=("benchmark.json",)))
    assert not any(result.path and result.path.endswith("benchmark.json") for result in results)


def test_a_folder_that_git_ignores_is_looked_at_when_it_is_named(healthy: Path) -> None:
    """Workspaces are often kept out of the repository."""
    need(shutil.which("git"), "needs git")
    root = healthy.parent
    subprocess.run(["git", "init", "-q", str(root)], check=True)
    (root / ".gitignore").write_text("healthy/\n", "utf-8")
    assert len(list(check_workspace(healthy))) == len(list(healthy.rglob("*.json")))
    assert not list(check_workspace(root)), "below a folder that is looked at, what git ignores is left out"


def test_what_is_no_folder_is_checked_as_a_file(healthy: Path) -> None:
    path = next(healthy.rglob("timing.json"))
    assert [result.path for result in check_workspace(path)] == [str(path)]
    (missing,) = check_workspace(healthy / "nowhere")
    assert [finding.code for finding in missing.findings] == ["input.missing"]


def test_a_foreign_benchmark_in_a_workspace_is_told(healthy: Path) -> None:
    """A folder elsewhere may hold any benchmark.json; beside gradings it is meant as the one of the workspace."""
    path = healthy / "iteration-1" / "benchmark.json"
    path.write_text('{"winner": "with_skill", "score": 3}', "utf-8")
    assert "kind.foreign" in _codes(healthy)


def test_loose_files_that_are_no_gradings_are_left_alone(tmp_path: Path) -> None:
    shutil.copytree(TREES / "WSP007-one-file-a-configuration", tmp_path / "w")
    folder = tmp_path / "w" / "iteration-1" / "eval-1-totals"
    (folder / "ledger.json").write_text('{"rows": [1, 2]}', "utf-8")
    (folder / "broken.json").write_text('{"rows": [1, 2', "utf-8")
    paths = {Path(result.path or "").name for result in check_workspace(tmp_path / "w")}
    assert paths == {"eval_metadata.json", "grading_with_skill.json", "grading_without_skill.json"}


def test_runs_are_paired_by_their_figures_where_nothing_names_them(healthy: Path) -> None:
    """Folders without numbers and metadata, as a benchmark that was written by hand often has them."""
    iteration = healthy / "iteration-1"
    for number, folder in enumerate(sorted(iteration.glob("eval-*"))):
        (folder / "eval_metadata.json").unlink()
        folder.rename(iteration / f"eval-{'ab'[number]}")
    benchmark = iteration / "benchmark.json"
    document = json.loads(benchmark.read_text("utf-8"))
    for run in document["runs"]:
        run.pop("eval_name", None)
    benchmark.write_text(json.dumps(document), "utf-8")
    assert _codes(healthy) == set()
    _change(benchmark, "runs", 0, "result", "tokens", value=9)
    assert "WSP006" in _codes(healthy)


def test_many_paths_are_laid_out_in_no_time() -> None:
    """20,000 gradings with their timings: each is looked at a fixed number of times."""
    paths = [
        f"/w/eval-{number}/{configuration}/run-{run}/{name}"
        for number in range(1000)
        for configuration in ("with_skill", "without_skill")
        for run in range(10)
        for name in ("grading.json", "timing.json")
    ]
    (plan,) = lay_out(by_folder(paths)).values()
    assert len(plan.evals) == 1000
    assert all(len(each.spots) == 20 for each in plan.evals.values())


def _numbers(value: Any, at: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    children = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    below = [place for key, child in children for place in _numbers(child, (*at, key))]
    return [at] if type(value) in (int, float) else below


def test_no_number_of_a_benchmark_can_be_changed_unseen(healthy: Path) -> None:
    """A third of all numbers, each another one time: bench/workspace_perturbation.py does the rest, in all files."""
    benchmark = healthy / "iteration-1" / "benchmark.json"
    text = benchmark.read_text("utf-8")
    document = json.loads(text)
    places = [place for place in _numbers(document) if place[-1] not in ("tool_calls", "errors")]
    assert len(places) > 80
    for place in places[:: 1 if FULL else 3]:
        value = document
        for token in place:
            value = value[token]
        _change(benchmark, *place, value=value + max(3, abs(value)) if value > 1 else (value + 0.4) % 1)
        results = {result.path: result for result in check_workspace(healthy)}
        assert results[str(benchmark)].findings, place
        benchmark.write_text(text, "utf-8")


# --- files that an evals file names -------------------------------------------------------------------------------


def test_a_single_evals_file_is_looked_up_on_disk_and_bytes_are_not() -> None:
    from evalschema import check_bytes

    path = TREES / "WSP008-missing-file" / "ledger" / "evals" / "evals.json"
    assert [finding.code for finding in check_file(path).findings] == ["WSP008"]
    assert check_bytes(path.read_bytes(), "evals", path=str(path)).findings == ()


@pytest.mark.skipif(sys.platform == "win32", reason="needs links")
def test_a_link_out_of_the_skill_is_not_followed(tmp_path: Path) -> None:
    skill = tmp_path / "ledger"
    shutil.copytree(TREES / "WSP008-relative-to-the-skill" / "ledger", skill)
    secret = tmp_path / "secret.csv"
    secret.write_text("1\n", "utf-8")
    named = skill / "evals" / "files" / "ledger.csv"
    named.unlink()
    named.symlink_to(secret)
    (finding,) = check_file(skill / "evals" / "evals.json").findings
    assert "through a link" in finding.message
    named.unlink()
    named.symlink_to(tmp_path / "nothing-there")
    (same,) = check_file(skill / "evals" / "evals.json").findings
    assert same.message == finding.message, "whether something exists outside is not told"


def test_without_a_skill_the_folder_of_the_file_counts(tmp_path: Path) -> None:
    source = TREES / "WSP008-beside-the-evals-file" / "ledger" / "evals"
    shutil.copytree(source, tmp_path / "evals")
    assert check_file(tmp_path / "evals" / "evals.json").findings == ()


# --- the command --------------------------------------------------------------------------------------------------


def _check(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1] / "src")}
    command = [sys.executable, "-m", "evalschema", "check", *arguments]
    return subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, check=False)


def _codes_in(done: subprocess.CompletedProcess[str]) -> set[str]:
    return {finding["code"] for entry in json.loads(done.stdout)["files"] for finding in entry["findings"]}


def test_the_command_looks_across_files_unless_told_not_to(healthy: Path) -> None:
    _change(healthy / "iteration-1" / "benchmark.json", "runs", 0, "result", "time_seconds", value=200.0)
    arguments = ("healthy", "--format", "json", "--no-config")
    together = _check(*arguments, cwd=healthy.parent)
    assert together.returncode == 1
    assert "WSP006" in _codes_in(together)
    (finding,) = (
        finding
        for entry in json.loads(together.stdout)["files"]
        for finding in entry["findings"]
        if finding["code"] == "WSP006"
    )
    assert set(finding["elsewhere"][0]) == {"path", "pointer", "line", "column"}
    for alone in (("--no-workspace",), ("--kind", "timing"), ("--lines",)):
        assert not {code for code in _codes_in(_check(*arguments, *alone, cwd=healthy.parent)) if code[:3] == "WSP"}


def test_our_own_output_is_valid(healthy: Path) -> None:
    from evalschema import check_bytes

    _change(healthy / "iteration-1" / "benchmark.json", "runs", 0, "result", "time_seconds", value=200.0)
    done = _check("healthy", "--format", "json", cwd=healthy.parent)
    assert check_bytes(done.stdout.encode(), "findings").findings == ()


def test_files_are_listed_with_what_they_are_read_as(healthy: Path) -> None:
    folder = healthy / "iteration-1" / "eval-1-quarterly-invoice" / "with_skill" / "run-1"
    (folder / "timing.json").unlink()
    (folder / "notes.json").write_text("{}", "utf-8")
    (folder / "outputs").mkdir()
    (folder / "outputs" / "items.json").write_text("[]", "utf-8")
    done = _check("--list-files", "healthy", cwd=healthy.parent)
    assert done.returncode == 0
    lines = [line.strip() for line in done.stdout.splitlines()]
    run = "healthy/iteration-1/eval-1-quarterly-invoice/with_skill/run-1".replace("/", os.sep)
    assert f"healthy{os.sep}iteration-1: 2 evals, 2 configurations, 8 gradings" in lines
    assert f"missing         {os.path.join(run, 'timing.json')}  (timing of run 1 of eval 1 with with_skill)" in lines
    assert f"not understood  {os.path.join(run, 'notes.json')}" in lines
    assert not [line for line in lines if "items.json" in line]
    assert f"read            {os.path.join('healthy', 'evals', 'evals.json')}  (evals)" in lines


def test_a_folder_without_anything_has_nothing_to_list(tmp_path: Path) -> None:
    assert _check("--list-files", ".", cwd=tmp_path).returncode == 5
