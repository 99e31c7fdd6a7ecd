"""`evalschema check` as a program: what goes where, what the exit status says, what stands in the way."""

from __future__ import annotations

import json
import os
import pty
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from evalschema.output import formats

CLEAN = {"total_tokens": 5210, "duration_ms": 23400, "total_duration_seconds": 23.4}
BAD = {"total_tokens": 5210, "duration_ms": 23400, "total_duration_seconds": "23.4"}
WARNED = {"total_tokens": 0, "duration_ms": 23400, "total_duration_seconds": 23.4}
FOREIGN = {"loss": 0.25, "epoch": 3, "accuracy": [0.5, 0.75]}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a clean, a bad and a warned timing, and a foreign file of a general name; the current one."""
    documents = {"clean/timing.json": CLEAN, "bad/timing.json": BAD, "warned/timing.json": WARNED}
    for path, document in (documents | {"training/metrics.json": FOREIGN}).items():
        (tmp_path / path).parent.mkdir()
        (tmp_path / path).write_text(json.dumps(document, indent=2), "utf-8")
    monkeypatch.chdir(tmp_path)
    for name in [name for name in os.environ if name.startswith(("GITHUB_", "CI", "FORCE_COLOR", "NO_COLOR"))]:
        monkeypatch.delenv(name)
    return tmp_path


def run(*arguments: str, status: int | None = None, **more: Any) -> subprocess.CompletedProcess[str]:
    """The command, run; with `status` it has to be that."""
    command = [sys.executable, "-m", "evalschema", "check", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60, **more)
    assert "Traceback" not in done.stderr
    assert status is None or done.returncode == status, done.stdout + done.stderr
    return done


# --- exit status and what it depends on ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        (["clean"], 0),
        (["bad"], 1),
        (["warned"], 0),
        (["--strict", "warned"], 1),
        (["--fail-on", "warning", "warned"], 1),
        (["--ignore", "schema.type", "bad"], 0),
        (["no-such-file.json"], 1),
        (["training"], 5),
        (["--strict", "training/metrics.json"], 1),
        (["--strict", "--by-shape", "training/metrics.json"], 0),
        (["--by-shape", "bad/timing.json"], 1),
        (["--format", "no-such-format", "clean"], 2),
        (["--output", "report.unknown", "clean"], 2),
        (["--output", "no/such/folder/report.json", "clean"], 3),
        (["--baseline", "no-such-baseline.json", "clean"], 2),
        (["--color", "sometimes", "clean"], 2),
        ([], 2),
    ],
)
def test_the_exit_status_says_what_happened(folder: Path, arguments: list[str], status: int) -> None:
    run(*arguments, status=status)


def test_an_output_that_cannot_be_written_is_told_before_anything_is_checked(folder: Path) -> None:
    done = run("--output", "no/such/report.sarif", ".", status=3)
    assert "no/such/report.sarif: No such file or directory" in done.stderr
    assert done.stdout == ""


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
def test_a_full_disk_is_told(folder: Path) -> None:
    for arguments in (["--output", "json=/dev/full", "bad"], ["bad"]):
        with open("/dev/full", "w") as full:
            command = [sys.executable, "-m", "evalschema", "check", *arguments]
            output = full if len(arguments) == 1 else subprocess.DEVNULL
            done = subprocess.run(command, stdout=output, stderr=subprocess.PIPE, text=True, check=False)
        assert done.returncode == 3
        assert "No space left on device" in done.stderr


# --- output -------------------------------------------------------------------------------------------------------


def test_one_check_fills_many_files(folder: Path) -> None:
    names = ["r.json", "r.jsonl", "r.sarif", "r.xml", "r.md", "r.txt", "gitlab=g.json", "agent=a.txt", "concise=c.txt"]
    done = run(".", *(each for name in names for each in ("--output", name)), status=1)
    assert "3 files checked: 1 error, 1 warning in 2 files" in done.stdout
    for name in names:
        path = Path(name.rpartition("=")[2])
        alone = run("--format", _format(name), ".").stdout
        assert path.read_text("utf-8") == alone, name
    assert not list(folder.glob("*.part"))


def _format(name: str) -> str:
    endings = {
        ".json": "json",
        ".jsonl": "jsonl",
        ".sarif": "sarif",
        ".xml": "junit",
        ".md": "markdown",
        ".txt": "text",
    }
    kind, equals, _ = name.partition("=")
    return kind if equals else endings[Path(name).suffix]


def test_a_file_is_replaced_only_when_the_check_is_complete(folder: Path) -> None:
    Path("report.json").write_text("old", "utf-8")
    run("--output", "report.json", "--config", "no-such.toml", ".", status=2)
    assert Path("report.json").read_text("utf-8") == "old"
    run("--output", "report.json", ".", status=1)
    assert json.loads(Path("report.json").read_text("utf-8"))["summary"]["files"] == 3


def test_paths_are_relative_to_the_caller(folder: Path) -> None:
    assert run(str(folder / "bad"), status=1).stdout.startswith("bad/timing.json  timing\n")
    assert run(".", status=1).stdout.startswith("bad/timing.json  timing\n")
    assert run("../bad", cwd=folder / "clean", status=1).stdout.startswith("../bad/timing.json  timing\n")


def test_quiet_shows_what_fails_and_nothing_else(folder: Path) -> None:
    assert run("--quiet", "clean", "warned", status=0).stdout == ""
    shown = run("--quiet", ".", status=1).stdout
    assert "bad/timing.json" in shown
    assert "warned" not in shown
    assert "TIM004" in run("--quiet", "--fail-on", "warning", "warned", status=1).stdout
    assert json.loads(run("--quiet", "--format", "json", "clean").stdout)["summary"]["files"] == 1
    run("--quiet", "--output", "all.json", ".")
    assert json.loads(Path("all.json").read_text("utf-8"))["summary"]["warnings"] == 1


def test_statistics_are_asked_for(folder: Path) -> None:
    row = "1  error    schema.type  wrong-type\n"
    assert row in run("--statistics", ".").stdout
    assert row not in run(".").stdout


@pytest.mark.parametrize(
    ("arguments", "environment", "colored"),
    [
        ([], {}, False),
        (["--color", "always"], {}, True),
        (["--color", "always"], {"NO_COLOR": "1"}, True),
        ([], {"FORCE_COLOR": "1"}, True),
        ([], {"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
        (["--color", "never"], {"FORCE_COLOR": "1"}, False),
    ],
)
def test_colour_is_shown_where_it_is_wanted(
    folder: Path, arguments: list[str], environment: dict[str, str], colored: bool
) -> None:
    done = run(*arguments, "bad", "--output", "report.txt", env={**os.environ, **environment})
    assert ("\x1b[" in done.stdout) is colored
    assert "\x1b[" not in Path("report.txt").read_text("utf-8")


@pytest.mark.parametrize(
    ("environment", "colored"), [({}, True), ({"NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False)]
)
def test_a_terminal_gets_colour_and_short_lines(folder: Path, environment: dict[str, str], colored: bool) -> None:
    main, terminal = pty.openpty()
    command = [sys.executable, "-m", "evalschema", "check", "bad"]
    subprocess.run(command, stdout=terminal, env={**os.environ, "TERM": "xterm", **environment}, check=False)
    os.close(terminal)
    text = os.read(main, 65536).decode()
    os.close(main)
    assert ("\x1b[1;31merror" in text) is colored


def test_annotations_come_by_themselves_beside_the_text(folder: Path) -> None:
    actions = {**os.environ, "GITHUB_ACTIONS": "true", "GITHUB_WORKSPACE": str(folder)}
    lines = run(".", env=actions, status=1).stdout.splitlines()
    assert lines[0] == "bad/timing.json  timing"
    assert [line.split(",")[0] for line in lines[-2:]] == [
        "::error file=bad/timing.json",
        "::warning file=warned/timing.json",
    ]
    assert "::error" not in run("--format", "text", ".", env=actions).stdout
    assert "::error" not in run(".", status=1).stdout


def test_standard_input_has_a_frame_and_a_baseline(folder: Path) -> None:
    text = Path("bad/timing.json").read_text("utf-8")
    shown = run("--kind", "timing", "--format", "full", "-", input=text, status=1).stdout
    assert "--> standard input:4:29 at /total_duration_seconds" in shown
    assert '4 |   "total_duration_seconds": "23.4"' in shown
    run("--kind", "timing", "--write-baseline", "known.json", "-", input=text, status=0)
    run("--kind", "timing", "--baseline", "known.json", "-", input=text, status=0)
    run("--kind", "timing", "-", input=text, status=1)


def test_findings_beyond_the_limit_are_cut_and_that_is_said(folder: Path) -> None:
    expectations = [{"name": f"n{i}", "met": True, "details": "d"} for i in range(200)]
    Path("grading.json").write_text(json.dumps({"expectations": expectations}), "utf-8")
    (entry,) = json.loads(run("--format", "json", "grading.json").stdout)["files"]
    assert entry["truncated"] is True
    assert len(entry["findings"]) == 100
    (entry,) = json.loads(run("--format", "json", "--max-findings", "7", "grading.json").stdout)["files"]
    assert len(entry["findings"]) == 7
    assert "more than that: only the worst are listed" in run("grading.json").stdout


HOSTILE_NAME = b"::error::x\n::error::y##[error]\x1b[31m\xff\xe2\x80\xae.json"


@pytest.mark.parametrize("name", formats())
def test_names_of_files_do_no_harm(folder: Path, name: str) -> None:
    Path("evil").mkdir()
    path = os.fsencode("evil") + b"/" + HOSTILE_NAME
    try:
        with open(path, "wb") as file:
            file.write(json.dumps(BAD).encode())
    except OSError:
        pytest.skip("needs a file system that takes any name")
    os.chdir("evil")
    command = [sys.executable, "-m", "evalschema", "check", "--kind", "timing", "--format", name]
    for more in ([HOSTILE_NAME], [HOSTILE_NAME + b".gone"], [b"--baseline", b"../none", HOSTILE_NAME]):
        done = subprocess.run([*command, *more], capture_output=True, check=False)
        assert done.returncode in (1, 2)
        for stream in (done.stdout, done.stderr):
            text = stream.decode("utf-8")
            assert text.replace("\n", "").isprintable()
            assert "##[" not in text
            for line in text.splitlines():
                assert not line.lstrip().startswith("::") or (name == "github" and re.match(r"::error file=", line))


def test_notes_about_files_do_no_harm(folder: Path) -> None:
    Path("evalschema.toml").write_text('exclude = ["*x.json"]', "utf-8")
    Path("::error::x.json").write_text("{}", "utf-8")
    done = run("::error::x.json", status=5)
    assert done.stderr == ":\\u003aerror::x.json: excluded by the configuration\n"


# --- names that others use as well --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "content", "kind", "checked"),
    [
        ("metrics.json", FOREIGN, None, False),
        ("metrics.json", FOREIGN, "metrics", False),
        ("outputs/metrics.json", FOREIGN, None, True),
        ("history.json", [1, 2, 3], None, False),
        ("timing.json", BAD, None, True),
        ("timing.json", BAD, "timing", True),
        ("timing.json", BAD, "metrics", False),
        ("grading.json", FOREIGN, None, True),
        ("grading.json", FOREIGN, "grading", True),
        ("evals.json", [{"query": "q", "should_trigger": True}], "evals", False),
        ("evals.json", [{"query": "q", "should_trigger": True}], None, True),
        ("anything.json", FOREIGN, None, True),
        ("anything.json", FOREIGN, "grading", True),
    ],
)
def test_by_shape_leaves_out_what_belongs_to_others(
    folder: Path, name: str, content: Any, kind: str | None, checked: bool
) -> None:
    path = folder / "x" / name
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps(content), "utf-8")
    options = ["--kind", kind] if kind else []
    shown = json.loads(run("--by-shape", "--format", "json", *options, str(path)).stdout)
    assert shown["summary"]["files"] == checked


@pytest.mark.parametrize(
    ("content", "checked"), [('{"loss": 0.25,', False), ('{"total_tokens": 5210,', True), ("", False)]
)
def test_by_shape_leaves_out_a_broken_file_without_a_known_member(folder: Path, content: str, checked: bool) -> None:
    Path("timing.json").write_text(content, "utf-8")
    assert run("--by-shape", "timing.json").returncode == checked


def test_a_rule_that_crashes_stops_no_other_file(tmp_path: Path) -> None:
    (tmp_path / "timing.json").write_text('{"total_tokens": 5, "duration_ms": 1000, "total_duration_seconds": 1.0}')
    (tmp_path / "grading.json").write_text("{}")
    program = (
        "import sys\n"
        "import evalschema.rules.timing as rules\n"
        "from evalschema.rules._engine import rule\n"
        "rules.crash = rule('TIM999')(lambda timing: 1 / 0)\n"
        "sys.argv = ['evalschema', 'check', '--format', 'json', 'timing.json', 'grading.json']\n"
        "from evalschema.cli import main\n"
        "main()\n"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 70
    assert "timing.json: rule TIM999 crashed" in done.stderr
    files = json.loads(done.stdout)["files"]
    assert [entry["findings"][0]["code"] for entry in files] == ["internal", "kind.foreign"]
