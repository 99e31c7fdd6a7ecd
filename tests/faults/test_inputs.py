"""What is given as a file and is none, changes under our hands, or bears a name that means something elsewhere."""

from __future__ import annotations

import json
import os
import re
import shutil
import socket
import threading
import unicodedata
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from evalschema import check_file, check_lines, check_workspace
from evalschema import files as files_module
from tests.dose import dose
from tests.faults.program import DEMO, be_nobody, open_folder, run

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

    from tests.conftest import Figure

pytestmark = [
    pytest.mark.promise("hostile input"),
    pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork, named pipes and links"),
]
TIMING = b'{"total_tokens": 5210, "duration_ms": 23400, "total_duration_seconds": 23.4}'
#: Every command that reads a file, as it is given one named THING.
READERS: dict[str, list[str]] = {
    "check": ["check", "THING"],
    "check --lines": ["check", "--lines", "THING"],
    "check --by-shape": ["check", "--by-shape", "THING"],
    "check --format full": ["check", "--format", "full", "THING"],
    "check --schema": ["check", "--schema", "THING", "timing.json"],
    "check --baseline": ["check", "--baseline", "THING", "timing.json"],
    "check --write-baseline": ["check", "--write-baseline", "THING", "timing.json"],
    "check --config": ["check", "--config", "THING", "timing.json"],
    "fix": ["fix", "THING"],
    "fix --diff": ["fix", "--diff", "THING"],
    "identify": ["identify", "THING"],
    "report": ["report", "THING", "--format", "markdown"],
    "aggregate": ["aggregate", "THING"],
    "finalize": ["finalize", "--type", "solo", "--data", "THING"],
    "import-run": ["import-run", "--agent", "THING", "--judge", "THING"],
    "verify": ["verify", "THING"],
}


def _link_to_itself(path: Path) -> None:
    path.symlink_to(path.name)


def _socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as bound:
        # the path of a socket is short: it is bound where we stand
        here = Path.cwd()
        os.chdir(path.parent)
        try:
            bound.bind(path.name)
        finally:
            os.chdir(here)


THINGS: dict[str, Callable[[Path], object]] = {
    "nothing": lambda path: path,
    "a pipe that nobody writes to": os.mkfifo,
    "a link to an endless device": lambda path: path.symlink_to("/dev/zero"),
    "a socket": _socket,
    "an empty folder": Path.mkdir,
    "a link to itself": _link_to_itself,
    "a link to nothing": lambda path: path.symlink_to("gone"),
}


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("thing", THINGS)
def test_what_is_no_file_is_told_by_every_command(thing: str, reader: str, tmp_path: Path, figure: Figure) -> None:
    name = "thing.jsonl" if reader == "check --lines" else "thing.json"
    (tmp_path / "timing.json").write_bytes(TIMING)
    THINGS[thing](tmp_path / name)
    before = sorted(os.listdir(tmp_path))
    done = run([name if word == "THING" else word for word in READERS[reader]], tmp_path)
    created = reader == "check --write-baseline" and thing in ("nothing", "a link to nothing")
    # a hook is given no folders: with nothing of its kind in them there is nothing to tell
    is_fine = created or (reader == "check --by-shape" and thing == "an empty folder")
    assert done.status == 0 if is_fine else done.status in (1, 2, 3, 5), done.said
    assert len(done.said) > 20
    if not created:
        assert sorted(os.listdir(tmp_path)) == before
    figure("commands given what is no file", f"{len(READERS) * len(THINGS)} pairs, 0 hang or crash")


@pytest.mark.parametrize("name", ["evalschema.toml", "pyproject.toml", "SKILL.md", ".pre-commit-config.yaml", ".git"])
@pytest.mark.parametrize("thing", [name for name in THINGS if name != "nothing"])
def test_what_is_found_by_its_name_may_be_anything(thing: str, name: str, tmp_path: Path) -> None:
    """Nobody named these files: they are looked for, in folders that may come from anybody."""
    shutil.copytree(DEMO / "healthy", tmp_path / "work")
    THINGS[thing](tmp_path / "work" / name)
    for arguments in (
        ["check", "."],
        ["check", "evals/evals.json"],
        ["fix", "--diff", "."],
        ["init", ".", "--dry-run"],
    ):
        done = run(arguments, tmp_path / "work")
        assert done.status in (0, 2), done.said


def test_a_configuration_that_nobody_can_read_or_hold_is_told(tmp_path: Path) -> None:
    with open_folder() as place:
        (place / "timing.json").write_bytes(TIMING)
        for content, says in (
            (b"strict = " + b"9" * 5000, "no valid TOML"),
            (b"x = " + b"[" * 100_000, "no valid TOML"),
            (b"\xff", "no valid TOML"),
            (b"#" * (5 << 20), "more than 4,194,304 bytes"),
            (None, "cannot be read"),
        ):
            configuration = place / "evalschema.toml"
            configuration.write_bytes(content or b"strict = true\n")
            configuration.chmod(0o644 if content else 0o000)
            done = run(["check", "timing.json"], place, be_nobody)
            assert (done.status, says in done.said) == (2, True), done.said
            configuration.unlink()


# --- links that lead in circles -----------------------------------------------------------------------------------


@pytest.mark.parametrize("command", ["check .", "report . --format markdown", "aggregate .", "identify .", "fix ."])
def test_links_in_circles_are_walked_once(command: str, tmp_path: Path) -> None:
    for name in ("plain", "linked"):
        shutil.copytree(DEMO / "healthy", tmp_path / name)
    usual = run(command.split(), tmp_path / "plain")
    links = tmp_path / "linked"
    (links / "here").symlink_to(".")
    (links / "iteration-1" / "up").symlink_to("../..")
    (links / "iteration-1" / "a").symlink_to("b")
    (links / "iteration-1" / "b").symlink_to("a")
    done = run(command.split(), links)
    assert (done.status, done.stdout) == (usual.status, usual.stdout)


def test_finalize_follows_no_link(tmp_path: Path) -> None:
    shutil.copytree(DEMO / "runs", tmp_path / "runs")
    (tmp_path / "results").symlink_to("results")
    done = run(["finalize", "--type", "solo", "--data", "runs/run.json"], tmp_path)
    assert (done.status, "path.symlink" in done.said) == (1, True)


# --- files that change --------------------------------------------------------------------------------------------


def _become(make: Callable[[Path], object]) -> Callable[[Path], None]:
    def change(path: Path) -> None:
        path.unlink()
        make(path)

    return change


CHANGES: dict[str, Callable[[Path], object]] = {
    "vanishes": Path.unlink,
    "is cut": lambda path: os.truncate(path, len(TIMING) // 2),
    "is emptied": lambda path: os.truncate(path, 0),
    "grows": lambda path: path.write_bytes(TIMING + b" " * 10_000 + TIMING),
    "is replaced": _become(lambda path: path.write_bytes(b"[]")),
    "becomes a pipe": _become(os.mkfifo),
    "becomes a folder": _become(Path.mkdir),
    "becomes a link to itself": _become(_link_to_itself),
}


@contextmanager
def changing(path: Path, change: Callable[[Path], object], after: str) -> Generator[None]:
    """The change happens once, right after the call of that name was made on the file."""
    with pytest.MonkeyPatch.context() as patch:
        real = getattr(os, after)
        done = threading.Event()

        def changed(*arguments: object, **named: object) -> object:
            result = real(*arguments, **named)
            if not done.is_set() and (after != "open" or str(arguments[0]).endswith(path.name)):
                done.set()
                change(path)
            return result

        patch.setattr(os, after, changed)
        yield
        assert done.is_set(), "the moment did not come"


@pytest.mark.parametrize("after", ["open", "fstat", "read"])
@pytest.mark.parametrize("change", CHANGES)
def test_a_file_that_changes_while_it_is_read_is_read_once(change: str, after: str, tmp_path: Path) -> None:
    """What was opened is what is judged; whatever is read is a document, or a finding, and never half of each."""
    path = tmp_path / "timing.json"
    path.write_bytes(TIMING)
    with changing(path, CHANGES[change], after):
        result = check_file(path)
    codes = {finding.code.partition(".")[0] for finding in result.findings}
    assert codes <= {"json", "input"}
    if after == "read" or change in ("vanishes", "is replaced", "becomes a pipe", "becomes a folder"):
        assert result.ok


@pytest.mark.parametrize("change", CHANGES)
def test_lines_that_change_while_they_are_read_are_told(change: str, tmp_path: Path) -> None:
    path = tmp_path / "timing.jsonl"
    path.write_bytes((TIMING + b"\n") * 3)
    with changing(path, CHANGES[change], "fstat"):
        results = [result for _, result in check_lines(path)]
    assert len(results) <= 4
    assert {finding.code.partition(".")[0] for result in results for finding in result.findings} <= {
        "json",
        "input",
        "kind",
    }


@pytest.mark.parametrize("command", ["check --format full", "check --baseline", "fix", "fix --diff", "report"])
@pytest.mark.parametrize("change", CHANGES)
def test_a_file_that_is_another_when_it_is_read_again(change: str, command: str, tmp_path: Path) -> None:
    """Lines for the output, the content for a baseline, the file to be replaced: each is looked at once more."""
    path = tmp_path / "timing.json"
    before = TIMING.replace(b"23.4}", b'"23.4"}').replace(b"duration_ms", b"elapsed_ms")
    path.write_bytes(before)
    (tmp_path / "accepted.json").write_bytes(b'{"version": 1, "findings": []}')
    arguments = [*READERS[command]]
    arguments[-1 if "THING" in arguments[-1] else arguments.index("THING")] = "timing.json"
    if command == "check --baseline":
        arguments = ["check", "--baseline", "accepted.json", "timing.json"]
    real = files_module.file_bytes

    def prepare() -> None:
        count = 0

        def changed(name: str) -> object:
            nonlocal count
            found = real(name)
            if name == "timing.json":
                count += 1
                if count == 1:
                    CHANGES[change](path)
            return found

        files_module.file_bytes = changed  # type: ignore[assignment]

    done = run(arguments, tmp_path, prepare)
    assert done.status in (1, 3), done.said
    if command == "fix":
        assert done.status == 3
        assert not path.is_file() or path.read_bytes() != before
    assert not [name for name in os.listdir(tmp_path) if name.endswith(".tmp")]


def test_a_folder_that_is_emptied_while_it_is_walked_is_checked_to_its_end(tmp_path: Path, figure: Figure) -> None:
    rounds = dose(3, 40)
    for number in range(rounds):
        folder = tmp_path / f"work-{number}"
        shutil.copytree(DEMO / "broken", folder)
        names = sorted(path for path in folder.rglob("*.json"))
        results = check_workspace(folder)
        found = [next(results)]
        for path in names[number % 3 :: 2]:
            path.unlink()
        found += results
        assert all(result.path for result in found)
        codes = {finding.code for result in found for finding in result.findings}
        assert not {code for code in codes if code.startswith("input.")} - {"input.missing"}
    figure("folders emptied while they are walked", f"{rounds} of {rounds} checked to their end")


def test_a_folder_that_may_not_be_entered_is_passed_over(tmp_path: Path) -> None:
    with open_folder() as place:
        shutil.copytree(DEMO / "healthy", place / "work")
        shutil.copytree(DEMO / "broken", place / "work" / "closed")
        (place / "work" / "closed").chmod(0)
        (place / "work" / "evals" / "evals.json").chmod(0)
        done = run(["check", "work"], place, be_nobody)
        (place / "work" / "closed").chmod(0o755)
        (place / "work" / "evals" / "evals.json").chmod(0o644)
        assert done.status == 1
        assert "permission denied" in done.said
        assert "benchmark" not in done.said


# --- names --------------------------------------------------------------------------------------------------------

NAMES = {
    "all at once": b"\xff\n::error file=x::pwned\n\x1b[2J\x07" + "\u202e\x9b31m\u2028##vso[y]<b>`|".encode() + b".json",
    "not UTF-8": b"timing\xff\xfe.json",
    "a newline and a command": b"timing\n::error file=x::pwned\n.json",
    "an escape": b"timing\x1b[2J\x1b]0;pwned\x07.json",
    "turned around": "timing\u202enosj.gpj.json".encode(),
    "C1 controls": "timing\x9b31m\u0085.json".encode(),
    "a separator of lines": "timing\u2028::error::x.json".encode(),
    "a switch": b"--output=pwned.json",
    "markup": b"<img src=x onerror=alert(1)>`|*.json",
    "a formula": b"=cmd|' C calc'!A0.json",
    "percent and colon": b"a%0A::error::b,c=d.json",
    "a teamcity command": b"##teamcity[x] ##vso[y] .json",
    "very long": b"n" * 250 + b".json",
}
FORMATS = ("text", "full", "concise", "json", "jsonl", "github", "gitlab", "junit", "sarif", "markdown", "agent")


def harmless(said: bytes, *, commands: bool) -> None:
    """No raw control, bidi or escape character, and no line that a runner would take for a command."""
    text = said.decode("utf-8")
    strange = {c for c in text if unicodedata.category(c) in ("Cc", "Cf", "Cs", "Zl", "Zp")} - {"\n"}
    assert not strange, strange
    if commands:
        assert not re.search(r"(?m)^::|##\[|##vso|##teamcity", text)


@pytest.mark.promise("output")
@pytest.mark.parametrize("name", dose(["all at once", "a switch"], list(NAMES)))
def test_names_of_files_do_no_harm_in_any_output(name: str, tmp_path: Path, figure: Figure) -> None:
    path = tmp_path / "work" / os.fsdecode(NAMES[name])
    path.parent.mkdir()
    path.write_bytes(b'{"a": 1,}')
    given = os.path.join("work", path.name)
    bare = ["--", path.name]
    for arguments in (
        *(["check", "--format", each, given] for each in FORMATS),
        ["check", given],
        ["check", "--config", given, "work"],
        ["check", "--schema", given, "work"],
        ["check", "--baseline", given, "work"],
        ["check", "--write-baseline", given, "work"],
        ["check", "work"],
        ["check", "--list-files", "work"],
        ["check", *bare],
        ["identify", given],
        ["fix", given],
        ["fix", "--diff", given],
        ["report", "--format", "markdown", given],
        ["report", given],
        ["aggregate", given],
        ["aggregate", "work", given],
        ["finalize", "--type", "solo", "--data", given],
        ["finalize", "--type", "solo", "--root", given, "--data", given],
        ["import-run", "--agent", given, "--judge", given],
        ["verify", given],
        ["init", given],
        ["explain", given],
        ["explain", "a", given],
        ["schema", given],
        ["kinds", given],
        ["completion", given],
        [given],
        ["check", f"--{path.name}"],
        ["check", "--kind", given, given],
        ["check", "--output", f"json=nowhere/{path.name}", given],
        ["check", "--format", given, given],
    ):
        done = run(arguments, path.parent if arguments[-2:] == bare else tmp_path)
        assert done.status in (0, 1, 2, 3, 5), done.said
        # annotations are for the runner; the page of a report is HTML, where line ends are its own
        harmless(done.stdout, commands="github" not in arguments)
        harmless(done.stderr, commands=True)
    assert os.listdir(tmp_path) == ["work"]
    figure("hostile names of files", f"{dose(2, len(NAMES))} names, every command and format, 0 let through")


def test_a_name_that_is_not_utf_8_is_checked_by_the_library(tmp_path: Path) -> None:
    folder = os.path.join(os.fsencode(tmp_path), b"run\xff")
    os.mkdir(folder)
    path = os.path.join(folder, b"timing.json")
    with open(path, "wb") as file:
        file.write(TIMING[:-1])
    for result in (*check_workspace(tmp_path), check_file(os.fsdecode(path))):
        assert [finding.code for finding in result.findings] == ["json.truncated"]
        json.dumps(result.to_dict()).encode()
