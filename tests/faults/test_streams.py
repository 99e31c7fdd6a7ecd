"""Outputs that are closed, full or gone, consoles that cannot encode, signals in the middle, and a bare environment."""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.dose import dose
from tests.faults.program import DEMO, ROOT, STRAY, TRACEBACKS, start_anew
from tests.needs import need

if TYPE_CHECKING:
    from tests.conftest import Figure

pytestmark = [
    pytest.mark.promise("hostile input"),
    pytest.mark.skipif(os.name != "posix", reason="needs a shell, and signals"),
]


@pytest.fixture(scope="module")
def work(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the two example workspaces, which nobody changes."""
    folder = tmp_path_factory.mktemp("streams")
    shutil.copytree(DEMO, folder, dirs_exist_ok=True)
    return folder


# --- streams ------------------------------------------------------------------------------------------------------

#: A line for the shell, the exit status, and what is said about it, if anybody can read it.
STREAMS: list[tuple[str, int, str]] = [
    ("$E check broken >/dev/full", 3, "No space left on device"),
    ("$E check healthy/evals/evals.json >/dev/full", 3, "No space left on device"),
    ("$E check --format json broken >/dev/full", 3, "No space left on device"),
    ("$E --help >/dev/full", 3, "No space left on device"),
    ("$E report healthy >/dev/full", 3, "No space left on device"),
    ("$E fix --diff broken >/dev/full", 3, "No space left on device"),
    ("$E schema run >/dev/full", 3, "No space left on device"),
    ("$E check broken 2>/dev/full >/dev/null", 1, ""),
    ("$E check --no-such-switch 2>/dev/full", 2, ""),
    ("$E no-such-command 2>/dev/full >/dev/full", 2, ""),
    ("$E check broken >/dev/full 2>/dev/full", 3, ""),
    ("$E check healthy >&-", 3, "standard output is closed"),
    ("$E check healthy/evals/evals.json >&-", 3, "standard output is closed"),
    ("$E check healthy 2>&-", 0, "nothing found"),
    ("$E no-such-command 2>&-", 2, ""),
    ("$E check healthy >&- 2>&- <&-", 3, ""),
    ("$E check - <&-", 1, "json.empty"),
    ("$E finalize --type solo --data - <&-", 1, "json.empty"),
    ("$E fix - <&-", 1, "no repair is known"),
    ("$E identify - <&-", 1, "empty"),
    ("$E check --output json=/dev/full healthy", 3, "/dev/full: No space left on device"),
]
#: Commands with much to say, whose reader leaves at once.
LOUD = [
    *("check broken", "check --format json broken", "explain"),
    *("schema run", "report healthy", "fix --diff --unsafe broken"),
]


@pytest.mark.parametrize(("line", "status", "says"), dose([*STREAMS[:2], *STREAMS[8:12:2], STREAMS[15]], STREAMS))
def test_a_stream_that_is_closed_or_full_has_its_status(line: str, status: int, says: str, work: Path) -> None:
    need("/dev/full" not in line or os.path.exists("/dev/full"), "needs /dev/full")
    done = start_anew(line, work, status=status)
    assert says in (done.stdout + done.stderr).decode()


@pytest.mark.parametrize("command", dose(LOUD[:2], LOUD))
def test_a_reader_who_leaves_is_no_fault_of_ours(command: str, work: Path) -> None:
    """A pipe whose reader is gone is an output that could not be written: told, and no traceback."""
    done = start_anew(f"$E {command} | true", work)
    # the pipe may take all of it before it is closed
    assert done.returncode in (0, 1, 3)
    assert done.returncode != 3 or b"Broken pipe" in done.stderr


@pytest.mark.promise("output")
@pytest.mark.parametrize(
    "environment",
    dose(
        [{"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}, {"PYTHONIOENCODING": "ascii:strict"}],
        [
            {"LC_ALL": "C"},
            {"LC_ALL": "POSIX", "LANG": "C"},
            {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"},
            {"PYTHONIOENCODING": "ascii"},
            {"PYTHONIOENCODING": "ascii:strict"},
            {"PYTHONIOENCODING": "cp1252"},
            {"PYTHONIOENCODING": "cp437:strict"},
            {"PYTHONIOENCODING": "latin-1"},
            {"PYTHONIOENCODING": "utf-8:surrogateescape"},
        ],
    ),
)
def test_a_console_that_cannot_show_a_character_shows_its_number(
    environment: dict[str, str], tmp_path: Path, figure: Figure
) -> None:
    shutil.copytree(DEMO, tmp_path / "ä€𝄞")
    for line, status in (
        ("$E check --format full ä€𝄞/broken", 1),
        ("$E fix --diff --unsafe ä€𝄞/broken", 1),
        ("$E finalize --type solo --data ä€𝄞/runs/cut.json", 1),
        ("$E check ä€𝄞/broken --output ä€𝄞/report.md", 1),
    ):
        done = start_anew(line, tmp_path, environment, status)
        assert done.stdout
        if not environment.get("PYTHONIOENCODING", "ascii").startswith("utf"):
            encoding = environment.get("PYTHONIOENCODING", "utf-8").partition(":")[0]
            (done.stdout + done.stderr).decode(encoding)
    assert (tmp_path / "ä€𝄞" / "report.md").read_text("utf-8")
    figure("consoles that cannot encode", f"{dose(2, 9)} environments, no failure")


# --- environments -------------------------------------------------------------------------------------------------


def test_a_bare_environment_is_enough(work: Path) -> None:
    """No HOME, no PATH, nothing at all: git is not found then, and folders are walked without it."""
    python = f"{sys.executable} -m evalschema"
    for line, status in dose([("check broken", 1)], [("check healthy", 0), ("check broken", 1), ("explain GRD001", 0)]):
        start_anew(f"env -i PYTHONPATH={ROOT / 'src'} {python} {line}", work, status=status)
        start_anew(f"HOME=/no/such/folder XDG_CONFIG_HOME=/dev/null $E {line}", work, status=status)


@pytest.mark.parametrize("command", dose(["check ."], ["check .", "check x", "fix .", "init", "report .", "kinds"]))
def test_a_current_folder_that_is_gone_is_told(command: str, tmp_path: Path) -> None:
    (tmp_path / "gone").mkdir()
    done = start_anew(f"cd gone && rmdir ../gone && $E {command}", tmp_path, status=2)
    assert b"the current folder is gone" in done.stderr


# --- signals ------------------------------------------------------------------------------------------------------

ENDS: Counter[int] = Counter()


@pytest.fixture(scope="module")
def much(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that takes some seconds to check or to repair."""
    folder = tmp_path_factory.mktemp("much")
    for number in range(300):
        run = folder / "work" / f"run-{number}"
        run.mkdir(parents=True)
        shutil.copy(DEMO / "broken" / "iteration-1" / "benchmark.json", run)
    return folder


@pytest.mark.promise("saving")
@pytest.mark.parametrize(
    ("command", "number"),
    dose(
        [("check", signal.SIGINT), ("check", signal.SIGTERM), ("fix", signal.SIGTERM)],
        list(product(("check", "fix", "report"), (signal.SIGINT, signal.SIGTERM, signal.SIGHUP))),
    ),
)
def test_a_signal_in_the_middle_ends_it_and_leaves_nothing(
    command: str, number: signal.Signals, much: Path, tmp_path: Path, figure: Figure
) -> None:
    arguments = {
        "check": ["check", "--output", "out.json", "--output", "out.md", "work"],
        "fix": ["fix", "work"],
        "report": ["report", "-o", "out.html", "work"],
    }[command]
    original = (much / "work" / "run-0" / "benchmark.json").read_bytes()
    ends: Counter[int] = Counter()
    draw = random.Random(20260115)  # noqa: S311 - the same moments each time
    for _ in range(dose(1, 12)):
        folder = tmp_path / "here"
        shutil.copytree(much, folder)
        process = subprocess.Popen(
            [sys.executable, "-m", "evalschema", *arguments],
            cwd=folder,
            env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        assert process.stdout is not None
        if command != "report":
            # the first lines say that it is under way
            os.read(process.stdout.fileno(), 1)
        else:
            time.sleep(1)
        time.sleep(draw.uniform(0, 0.3))
        process.send_signal(number)
        out, err = process.communicate(timeout=60)
        assert not any(sign in out + err for sign in TRACEBACKS), err
        ends[process.returncode] += 1
        assert process.returncode in (-number, 0, 1)
        repaired = {path.read_bytes() for path in (folder / "work").rglob("*.json")} - {original}
        assert len(repaired) <= (1 if command == "fix" else 0)
        left = {path.name for path in folder.rglob("*") if path.is_file()} - {"benchmark.json"}
        assert not [name for name in left if STRAY.fullmatch(name)]
        if process.returncode < 0:
            assert not left
        shutil.rmtree(folder)
    assert ends[-number] > 0
    ENDS.update(ends)
    figure("commands stopped by a signal", f"{ENDS.total()}: nothing half, nothing left")


def test_a_signal_that_is_ignored_stays_ignored(much: Path) -> None:
    """What nohup asks for."""
    line = "trap '' HUP; $E check -q work >/dev/null & sleep 0.7; kill -HUP $!; wait $!; echo $?"
    done = start_anew(line, much)
    assert done.stdout.split() == [b"1"]
