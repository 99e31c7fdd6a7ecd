"""The bar of a long check: on a terminal only, and never in the way of anything else."""

from __future__ import annotations

import json
import os
import re
import select
import subprocess
import sys
import time
from pathlib import Path

import pytest

from evalschema.commands import _progress
from tests.needs import need

SOUND = {"total_tokens": 5210, "duration_ms": 23400, "total_duration_seconds": 23.4}
BAD = SOUND | {"total_duration_seconds": "23.4"}
SLOW = """
import time
from evalschema import files
plain = files.examine
def examine(data, *rest):
    time.sleep({})
    return plain(data, *rest)
files.examine = examine
from evalschema.entry import main
main()
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Timings in 30 folders, the last three of them bad."""
    need(os.name == "posix", "needs a pseudo-terminal")
    for number in range(30):
        (tmp_path / f"run-{number:02}").mkdir()
        text = json.dumps(SOUND if number < 27 else BAD)
        (tmp_path / f"run-{number:02}" / "timing.json").write_text(text, "utf-8")
    return tmp_path


def shown(folder: Path, *arguments: str, pause: float = 0.03, both: bool = False, **more: str) -> tuple[str, bytes]:
    """What a terminal was sent that shows standard error, with `both` standard output as well, and the output."""
    import pty

    master, terminal = pty.openpty()
    variables = {k: v for k, v in os.environ.items() if not k.startswith(("GITHUB_", "CI", "NO_COLOR", "FORCE_COLOR"))}
    with subprocess.Popen(
        [sys.executable, "-c", SLOW.format(pause), "check", "--color", "never", *arguments],
        cwd=folder,
        stdout=terminal if both else subprocess.PIPE,
        stderr=terminal,
        env=variables | {"TERM": "xterm", "COLUMNS": "80"} | more,
    ) as process:
        os.close(terminal)
        seen = bytearray()
        end = time.monotonic() + 60
        while time.monotonic() < end and select.select([master], [], [], 30)[0]:
            try:
                part = os.read(master, 65536)
            except OSError:
                break
            if not part:
                break
            seen += part
        os.close(master)
        output = process.stdout.read() if process.stdout is not None else b""
    assert process.returncode in (0, 1)
    return seen.decode(), output


def screen(sent: str) -> list[str]:
    """The lines that a person sees at the end."""
    lines = [""]
    column = 0
    for sign in sent:
        if sign == "\n":
            lines.append("")
        elif sign == "\r":
            column = 0
        else:
            lines[-1] = lines[-1][:column].ljust(column) + sign + lines[-1][column + 1 :]
            column += 1
    return [line.rstrip() for line in lines]


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_long_check_shows_how_far_it_is_and_nothing_stays(folder: Path, jobs: str) -> None:
    sent, output = shown(folder, "--jobs", jobs, ".")
    # how often it is drawn is a matter of time
    assert re.search(r"\] [0-9]+ of 30", sent)
    assert "#" in sent
    assert screen(sent) == [""]
    assert b"30 files checked: 3 errors" in output


def test_findings_on_the_same_terminal_stay_whole(folder: Path) -> None:
    for arguments in ((".",), (".", "nowhere.json"), ("--format", "json", "."), ("--format", "concise", ".")):
        sent, _ = shown(folder, *arguments, both=True)
        # the lines of JSON end only when the next one begins
        assert (" of 3" in sent) == ("json" not in arguments)
        plain, _ = shown(folder, *arguments, both=True, pause=0.0, TERM="dumb")
        assert " of 3" not in plain
        assert screen(sent) == screen(plain)


@pytest.mark.parametrize(("arguments", "term"), [(["--quiet"], "xterm"), ([], "dumb")])
def test_who_wants_none_gets_none(folder: Path, arguments: list[str], term: str) -> None:
    sent, _ = shown(folder, *arguments, ".", TERM=term)
    assert sent == ""


def test_what_is_done_soon_needs_none(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    now = 100.0
    monkeypatch.setattr(_progress, "monotonic", lambda: now)
    progress = _progress.Progress()
    progress.expect(12)
    progress.advance()
    now = 100.49
    progress.advance(2)
    progress.hide()
    assert capsys.readouterr().err == ""
    now = 100.6
    progress.advance(3)
    assert capsys.readouterr().err == f"\r[{'#' * 12}{'.' * 12}] 6 of 12"


def test_nothing_of_it_goes_to_a_file(folder: Path) -> None:
    command = [sys.executable, "-c", SLOW.format(0.05), "check", "."]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.stderr == ""
