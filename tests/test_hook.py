"""The hooks as pre-commit and prek run them, what `evalschema init` writes, and the action for GitHub."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from codegen.hooks import hooks, path_patterns
from evalschema.catalog import kinds, kinds_of_path
from tests.needs import need
from tests.test_cli_check import BAD, CLEAN, FOREIGN, WARNED

ROOT = Path(__file__).parents[1]
BIN = Path(sys.executable).parent
MANIFEST: list[dict[str, Any]] = YAML(typ="safe").load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))
NAMES = (
    "grading.json", "a/b/grading.json", "xgrading.json", "grading.jsonl", "evals/evals.json",
    "eval_metadata.json", "outputs/metrics.json", "a/outputs/metrics.json", "metrics.json", "timing.json",
    "a/timing.json.bak", "history.json", "comparison-1.json", "comparison-12.json", "comparison.json",
    "comparison-x.json", "analysis.json", "benchmark.json", "feedback.json", "trigger-eval.json",
    "trigger_evals.json", "eval_set.json", "trigger-eval-set.json", "package.json", "trigger-queries.json",
    "my-eval_set.json", "tsconfig.json", "run.json", "findings.json",
)  # fmt: skip


# --- the manifest -------------------------------------------------------------------------------------------------


def test_the_manifest_is_what_the_schemas_make() -> None:
    (text,) = hooks().values()
    assert (ROOT / ".pre-commit-hooks.yaml").read_text("utf-8") == text, "repair with: make gen"


def test_pre_commit_takes_the_manifest() -> None:
    subprocess.run([BIN / "pre-commit", "validate-manifest", ROOT / ".pre-commit-hooks.yaml"], check=True)


def test_the_hooks_see_the_files_that_the_catalog_knows() -> None:
    by_id = {hook["id"]: hook for hook in MANIFEST}
    for name in NAMES:
        assert bool(re.search(by_id["evalschema"]["files"], name)) is bool(kinds_of_path(name)), name
        for kind in kinds():
            hook = by_id.get(f"evalschema-{kind.replace('_', '-')}")
            assert bool(hook and re.search(hook["files"], name)) is (kind in kinds_of_path(name)), (kind, name)
    assert len(by_id) == 1 + sum(bool(path_patterns(kind)) for kind in kinds())


def test_every_hook_runs_alone_and_says_what_it_found() -> None:
    for hook in MANIFEST:
        assert hook["require_serial"] is True
        assert hook["verbose"] is True
        assert hook["language"] == "python"
        # JSON Lines have no type of their own, so that a filter by type would drop files that a user adds
        assert not {"types", "types_or"} & set(hook)
        kind = re.fullmatch(r"evalschema check --by-shape(?: --kind (\w+))?", hook["entry"])
        assert kind
        assert kind[1] is None or kind[1] in kinds()


# --- run ----------------------------------------------------------------------------------------------------------


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A git repository for the hooks of the manifest, run by the command that is installed here, without network."""
    need(shutil.which("git"), "needs git")
    for name in [name for name in os.environ if name.startswith(("GIT_", "GITHUB_", "CI", "PRE_COMMIT"))]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("PRE_COMMIT_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("PREK_HOME", str(tmp_path / "prek"))
    monkeypatch.setenv("PATH", f"{BIN}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("PRE_COMMIT_COLOR", "never")
    folder = tmp_path / "repository"
    folder.mkdir()
    monkeypatch.chdir(folder)
    git("init", "-q")
    return folder


def git(*arguments: str) -> None:
    identity = ["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "core.hooksPath=/dev/null"]
    subprocess.run(["git", *identity, *arguments], check=True, capture_output=True)


def configure(*ids: str, **changes: Any) -> None:
    """Use those hooks of the manifest, as a repository of its own would give them."""
    chosen = [hook | {"language": "system"} | changes for hook in MANIFEST if hook["id"] in ids]
    with open(".pre-commit-config.yaml", "w", encoding="utf-8") as file:
        json.dump({"repos": [{"repo": "local", "hooks": chosen}]}, file)
    git("add", "-A")


def put(path: str, document: Any) -> None:
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).write_text(json.dumps(document, indent=2), "utf-8")
    git("add", "-A")


def run(runner: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [str(BIN / runner), "run", "--all-files", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)


@pytest.mark.parametrize("runner", ["pre-commit", "prek"])
def test_a_hook_fails_for_bad_files_and_shows_warnings_of_good_ones(repository: Path, runner: str) -> None:
    configure("evalschema")
    put("eval-1/run-1/timing.json", CLEAN)
    put("model/metrics.json", FOREIGN)
    put("model/history.json", [FOREIGN, FOREIGN])
    put("package.json", {"name": "x"})
    passed = run(runner)
    assert passed.returncode == 0, passed.stdout + passed.stderr
    assert "1 file checked, nothing found" in passed.stdout
    put("eval-1/run-2/timing.json", WARNED)
    warned = run(runner)
    assert warned.returncode == 0
    assert "TIM004" in warned.stdout
    put("eval-1/run-3/timing.json", BAD)
    failed = run(runner)
    assert failed.returncode == 1
    assert "eval-1/run-3/timing.json" in failed.stdout
    assert '"23.4"' in failed.stdout
    assert "metrics" not in failed.stdout


@pytest.mark.parametrize("runner", ["pre-commit", "prek"])
def test_foreign_files_alone_are_no_failure(repository: Path, runner: str) -> None:
    configure(*(hook["id"] for hook in MANIFEST))
    for name in ("metrics.json", "history.json", "analysis.json", "benchmark.json", "timing.json", "feedback.json"):
        put(f"model/{name}", FOREIGN)
    done = run(runner)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_hook_of_a_kind_leaves_others_alone_and_takes_names_of_ones_own(repository: Path) -> None:
    put("run-1/timing.json", BAD)
    put("run-1/grading.json", {"expectations": "none"})
    configure("evalschema-timing")
    done = run("pre-commit")
    assert done.returncode == 1
    assert "grading.json" not in done.stdout
    put("graded/one.json", {"expectations": "none"})
    configure("evalschema-grading", files=r"^graded/.*\.json$")
    done = run("pre-commit")
    assert done.returncode == 1
    assert "graded/one.json  grading" in done.stdout


def test_a_baseline_is_an_argument_of_the_hook(repository: Path) -> None:
    put("run-1/timing.json", BAD)
    subprocess.run(
        [BIN / "evalschema", "check", "--write-baseline", "known.json", "."], check=True, capture_output=True
    )
    configure("evalschema", args=["--baseline", "known.json"])
    assert run("pre-commit").returncode == 0
    put("run-2/timing.json", BAD)
    done = run("pre-commit")
    assert done.returncode == 1
    assert "run-2/timing.json" in done.stdout
    assert "run-1/timing.json" not in done.stdout


@pytest.mark.parametrize(("runner", "processes"), [("pre-commit", 2), ("prek", 1)])
def test_many_files_in_two_processes_give_one_result(repository: Path, runner: str, processes: int) -> None:
    """A command line has a limit, so that long names go to several processes: one after the other, and whole."""
    long = "a-folder-with-the-long-name-that-generated-workspaces-like-to-have-with-a-description-of-the-task"
    sound = json.dumps(CLEAN)
    for number in range(2000):
        path = Path(f"{long}/eval-{number:04}/run-1/timing.json")
        path.parent.mkdir(parents=True)
        path.write_text(json.dumps(BAD) if number % 500 == 250 else sound, "utf-8")
    configure("evalschema")
    done = run(runner)
    assert done.returncode == 1
    named: list[str] = []
    sums: list[int] = []
    counted: list[int] = []
    for line in done.stdout.splitlines():
        if found := re.search(r"eval-(\d+)/run-1/timing.json  timing$", line):
            named.append(found[1])
        elif found := re.match(r" *([\d,]+) files checked(?:: (\d+) errors? in)?", line):
            sums.append(int(found[1].replace(",", "")))
            # each process says its own sum behind its own findings: none is torn apart by another
            assert len(named) == int(found[2] or 0) + sum(counted)
            counted.append(int(found[2] or 0))
    assert sum(sums) == 2000
    assert len(sums) >= processes
    assert named == ["0250", "0750", "1250", "1750"]


def test_try_repo_builds_and_runs_the_hook(repository: Path) -> None:
    """From the checkout itself, in an environment that pre-commit makes: needs a package index."""
    need((ROOT / ".git").exists(), "needs a checkout")
    command = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--dest", str(repository.parent), "click"]
    reached = subprocess.run(command, capture_output=True, check=False, timeout=60).returncode == 0
    need(reached, "needs a package index")
    source = repository.parent / "source"
    # what is committed, with the work in progress on top: pre-commit installs a commit
    subprocess.run(["git", "clone", "-q", "--no-hardlinks", ROOT, source], check=True)
    for name in ("pyproject.toml", "README.md", "LICENSE", ".pre-commit-hooks.yaml"):
        shutil.copy(ROOT / name, source)
    shutil.copytree(ROOT / "src", source / "src", dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__"))
    git("-C", str(source), "add", "-A")
    git("-C", str(source), "commit", "-q", "--allow-empty", "-m", "as it is")
    put("run-1/timing.json", BAD)
    command = [str(BIN / "pre-commit"), "try-repo", str(source), "evalschema", "--all-files"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 1, done.stdout + done.stderr
    assert "run-1/timing.json  timing" in done.stdout


# --- init ---------------------------------------------------------------------------------------------------------


def init(*arguments: str) -> str:
    done = subprocess.run([BIN / "evalschema", "init", *arguments], capture_output=True, text=True, check=True)
    return done.stdout


def test_init_writes_what_works(repository: Path) -> None:
    shown = init()
    assert shown.count(": written\n") == 3
    subprocess.run([BIN / "pre-commit", "validate-config"], check=True)
    hook = YAML(typ="safe").load(Path(".pre-commit-config.yaml").read_text("utf-8"))["repos"][0]["hooks"][0]
    (everything,) = (each for each in MANIFEST if each["id"] == "evalschema")
    for member in ("id", "entry", "language", "require_serial", "verbose"):
        assert hook[member] == everything[member], member
    for name in NAMES:
        assert bool(re.search(hook["files"], name)) is bool(kinds_of_path(name))
    associations = json.loads(Path(".vscode/settings.json").read_text("utf-8"))["json.schemas"]
    for entry in associations:
        schema = json.loads(Path(entry["url"]).read_text("utf-8"))
        assert not [each for each in _references(schema) if not each.startswith("#")]
    assert {Path(entry["url"]).name.partition(".")[0] for entry in associations} == {
        kind for kind in kinds() if path_patterns(kind)
    }


def _references(value: Any) -> list[str]:
    if isinstance(value, list):
        return [each for item in value for each in _references(item)]
    if not isinstance(value, dict):
        return []
    own = [value["$ref"]] if isinstance(value.get("$ref"), str) else []
    return own + [each for item in value.values() for each in _references(item)]


def test_init_never_changes_a_file(repository: Path) -> None:
    kept = {
        ".pre-commit-config.yaml": "repos: []\n",
        ".vscode/settings.json": '{ // mine\n "a": 1 }',
        "evalschema.toml": "strict = true\n",
        ".evalschema/schemas/grading.schema.json": "{}",
    }
    for name, text in kept.items():
        Path(name).parent.mkdir(exist_ok=True, parents=True)
        Path(name).write_text(text, "utf-8")
    shown = init()
    assert {name: Path(name).read_text("utf-8") for name in kept} == kept
    assert "  - repo: local\n" in shown
    assert '{"fileMatch": ["**/grading.json"]' in shown
    assert "grading.schema.json: there already, and not as this version has it" in shown
    assert Path(".evalschema/schemas/evals.schema.json").exists()
    again = init()
    assert again == shown


def test_a_dry_run_writes_nothing(repository: Path) -> None:
    before = sorted(Path.cwd().iterdir())
    assert init("--dry-run").count("would be") == 4
    assert sorted(Path.cwd().iterdir()) == before


def test_the_configuration_shows_every_setting(repository: Path) -> None:
    import tomllib

    from evalschema import settings as module

    init()
    assert module.load_settings(".")[1] == str(repository / "evalschema.toml")
    text = Path("evalschema.toml").read_text("utf-8")
    settings = re.sub(r"^# (?=[\[\w\"].*(?:=|\]))", "", text, flags=re.MULTILINE)
    table = tomllib.loads(settings)
    assert set(table) == set(_declared(module, "_KEYS"))
    assert set(table["overrides"][0]) == set(_declared(module, "_OVERRIDE_KEYS"))
    Path("evalschema.toml").write_text(settings, "utf-8")
    module.load_settings(".")


def _declared(module: Any, name: str) -> Any:
    return getattr(module, name)


def test_what_is_commented_out_is_the_default(repository: Path) -> None:
    from evalschema.settings import DEFAULT

    init()
    text = Path("evalschema.toml").read_text("utf-8")
    for name in ("strict", "fail-on", "elapsed-minimum", "extra-labels", "max-findings"):
        value = json.loads(re.findall(rf"^# {name} = (.*)$", text, re.MULTILINE)[0])
        assert value == getattr(DEFAULT, name.replace("-", "_"))


@pytest.mark.parametrize("name", NAMES)
def test_the_globs_of_the_editor_fit_what_the_patterns_fit(name: str) -> None:
    from fnmatch import fnmatchcase

    from evalschema.commands._globs import globs

    for kind in kinds():
        for pattern in path_patterns(kind):
            # there are no folders in the middle of these globs, so that fnmatch reads them as an editor does
            fits = any(fnmatchcase(f"root/{name}", each.replace("**/", "*/")) for each in globs(pattern))
            assert fits is bool(re.search(pattern, name)), (kind, pattern)


@pytest.mark.parametrize("pattern", ["grading.json", "(^|/)a.*$", "(^|/)a{2}$", "(^|/)(?=a)$", "(^|/)a"])
def test_a_pattern_without_a_glob_is_refused(pattern: str) -> None:
    from evalschema.commands._globs import globs

    with pytest.raises(ValueError, match="pattern"):
        globs(pattern)


# --- completion ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("evalschema che", {"check"}),
        ("evalschema check --format js", {"json", "jsonl"}),
        ("evalschema check --kind grad", {"grading"}),
        ("evalschema check --select GRD00", None),
        ("evalschema check --write-b", {"--write-baseline"}),
        ("evalschema completion fi", {"fish"}),
    ],
)
def test_shells_complete(typed: str, offered: set[str] | None) -> None:
    words = typed.split()
    environment = {
        **os.environ,
        "_EVALSCHEMA_COMPLETE": "bash_complete",
        "COMP_WORDS": typed,
        "COMP_CWORD": str(len(words) - 1),
    }
    done = subprocess.run([BIN / "evalschema"], env=environment, capture_output=True, text=True, check=True)
    found = {line.partition(",")[2] for line in done.stdout.split()}
    assert found == offered if offered else "GRD001" in found


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_scripts_are_sound(shell: str, tmp_path: Path) -> None:
    done = subprocess.run([BIN / "evalschema", "completion", shell], capture_output=True, text=True, check=True)
    assert "_EVALSCHEMA_COMPLETE" in done.stdout
    if shutil.which(shell):
        (tmp_path / "script").write_text(done.stdout, "utf-8")
        subprocess.run([shell, "-n", tmp_path / "script"], check=True)


# --- the action ---------------------------------------------------------------------------------------------------


def action() -> dict[str, Any]:
    content: dict[str, Any] = YAML(typ="safe").load((ROOT / "action.yml").read_text("utf-8"))
    return content


def test_the_action_has_the_form_that_github_asks_for() -> None:
    command = [str(BIN / "check-jsonschema"), "--builtin-schema", "vendor.github-actions", str(ROOT / "action.yml")]
    subprocess.run(command, check=True, capture_output=True)


def test_the_action_pins_what_it_uses_and_takes_no_text_for_code() -> None:
    text = (ROOT / "action.yml").read_text("utf-8")
    for step in action()["runs"]["steps"]:
        if "uses" in step:
            assert re.fullmatch(r"[\w/-]+@[0-9a-f]{40}", step["uses"])
            assert re.search(re.escape(step["uses"]) + r" # v\d+\.\d+\.\d+\n", text)
        # an expression in a script would run what stands in it
        assert "${{" not in step.get("run", "")


def test_the_action_installs_itself_checks_and_reports(repository: Path) -> None:
    """Its steps, run here as the runner would, with the package of the tests in place of the installation."""
    put("run-1/timing.json", BAD)
    put("run-2/timing.json", WARNED)
    output, summary = Path("../output"), Path("../summary")
    environment = {
        **os.environ,
        "GITHUB_ACTIONS": "true",
        "GITHUB_WORKSPACE": str(repository),
        "GITHUB_ACTION_PATH": str(ROOT),
        "GITHUB_OUTPUT": str(output.resolve()),
        "GITHUB_STEP_SUMMARY": str(summary.resolve()),
        "RUNNER_TEMP": str(repository.parent),
        "EVALSCHEMA_PATHS": ".",
        "EVALSCHEMA_ARGS": "--statistics\n--ignore\nTIM001",
    }
    (step,) = (step for step in action()["runs"]["steps"] if step.get("id") == "check")
    script = step["run"].replace('"$RUNNER_TEMP/evalschema-venv/bin/python"', f'"{BIN}/python"')
    assert script != step["run"]
    # what is checked may come from anybody, and must not be run
    Path("click.py").write_text("raise SystemExit(99)\n", "utf-8")
    done = subprocess.run(
        ["bash", "-eo", "pipefail", "-c", script], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    outputs = dict(line.split("=", 1) for line in output.read_text("utf-8").splitlines())
    assert outputs["status"] == "1"
    assert json.loads(Path(outputs["sarif"]).read_text("utf-8"))["runs"][0]["results"]
    assert "### evalschema: 1 error, 1 warning in 2 files" in summary.read_text("utf-8")
    assert "::error file=run-1/timing.json" in done.stdout
    assert "schema.type  wrong-type" in done.stdout
