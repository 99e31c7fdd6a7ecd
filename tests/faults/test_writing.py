"""Every command that writes, when writing goes wrong: full disks, failing calls, kills, limits, folders of others.

Whatever happens, a file is the old or the new one, whole; nothing is left beside it; and exit status 3 tells of it.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
from collections import Counter, defaultdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.dose import dose
from tests.faults.program import (
    OLD,
    STRAY,
    WRITERS,
    Writer,
    be_nobody,
    checked,
    files,
    open_folder,
    run,
    small_disk,
    strace_attaches,
    traced,
    writing_calls,
)
from tests.needs import need

if TYPE_CHECKING:
    from tests.conftest import Figure

pytestmark = [
    pytest.mark.promise("saving"),
    pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork, signals and mounts"),
]
ERRORS = dose(["EIO"], ["EIO", "ENOSPC", "EDQUOT", "EROFS", "EACCES", "EMFILE", "EINTR"])
PAGE = 4096
#: The commands that a small dose tries: one for each way in which something is written.
SOME = dose(
    ["check --output", "check --write-baseline", "fix", "aggregate", "finalize --receipt", "init"], list(WRITERS)
)
#: What the faults of one sort led to, over all commands.
TOTALS: defaultdict[str, Counter[str]] = defaultdict(Counter)


def note(figure: Figure, what: str, answers: Counter[str]) -> None:
    """The sum over all commands so far, and how they ended."""
    TOTALS[what] += answers
    ends = "; ".join(f"{count:,} {answer}" for answer, count in sorted(TOTALS[what].items()))
    figure(what, ends)


def every(points: list[tuple[str, int]]) -> list[tuple[str, int]]:
    """The calls that are tried: all of them, but only some of the many by which one command writes twenty files."""
    if len(points) < 40:
        return points
    return [*points[: dose(12, 40)], *points[dose(12, 40) :: dose(17, 7)]]


@pytest.mark.parametrize("over_old", dose([True], [True, False]))
@pytest.mark.parametrize("name", SOME)
def test_every_failing_call_is_told_and_leaves_old_or_new(
    name: str, over_old: bool, tmp_path: Path, figure: Figure
) -> None:
    need(strace_attaches(), "strace that may attach to a process is not here")
    writer = Writer(name, tmp_path, over_old=over_old)
    answers: Counter[str] = Counter()
    points = every(writing_calls(writer, tmp_path))
    for error in ERRORS:
        for call, at in points:
            folder = writer.fresh()
            done, lines = traced(writer.arguments, folder, tmp_path / "log", f"{call}:error={error}:when={at}")
            assert any("(INJECTED)" in line for line in lines), (call, at)
            answer = writer.answered(done, folder)
            answers[answer] += 1
            shutil.rmtree(folder)
    assert answers["told, old"] > 0
    note(figure, "system calls made to fail", answers)


@pytest.mark.parametrize("over_old", dose([True], [True, False]))
@pytest.mark.parametrize("name", dose(["check --output", "fix", "init"], list(WRITERS)))
def test_a_kill_at_every_call_leaves_old_or_new(name: str, over_old: bool, tmp_path: Path, figure: Figure) -> None:
    need(strace_attaches(), "strace that may attach to a process is not here")
    writer = Writer(name, tmp_path, over_old=over_old)
    states: Counter[str] = Counter()
    for call, at in every(writing_calls(writer, tmp_path)):
        folder = writer.fresh()
        done, _ = traced(writer.arguments, folder, tmp_path / "log", f"{call}:signal=SIGKILL:when={at}")
        assert done.status == -signal.SIGKILL, (call, at)
        states[writer.state(folder, killed=True)] += 1
        strays = [path for path in files(folder) if STRAY.fullmatch(Path(path).name)]
        # only what replaces a file has a temporary name, in the one call between the name and the rename
        assert len(strays) <= (1 if over_old or name.startswith("fix") else 0)
        states["left a temporary file"] += len(strays)
        for stray in strays:
            assert (folder / stray).read_bytes() in writer.after.values()
        shutil.rmtree(folder)
    assert states["old"] > 0
    note(figure, "SIGKILL at a system call", states)


@pytest.mark.parametrize("name", SOME)
def test_a_full_disk_is_told_and_leaves_old_or_new(name: str, tmp_path: Path, figure: Figure) -> None:
    writer = Writer(name, tmp_path, over_old=True)
    answers: Counter[str] = Counter()
    with small_disk(tmp_path / "disk", size="16m") as disk:
        for free in dose([0, 1, 3], [*range(24), 40, 80, 160]):
            folder = writer.fresh(disk / "work")
            used = os.statvfs(disk)
            size = (used.f_blocks - used.f_bfree + free) * PAGE
            subprocess.run(["mount", "-o", f"remount,size={size}", str(disk)], check=True)
            done = run(writer.arguments, folder)
            answer = writer.answered(done, folder)
            assert answer == "done, new" or "no space left" in done.said.lower(), done.said
            answers[answer] += 1
            subprocess.run(["mount", "-o", "remount,size=16m", str(disk)], check=True)
            shutil.rmtree(folder)
    assert answers["told, old"] > 0
    note(figure, "disks without room", answers)


@pytest.mark.parametrize("name", SOME)
def test_a_limit_on_the_size_of_files_is_told_and_leaves_old_or_new(name: str, tmp_path: Path, figure: Figure) -> None:
    """The full disk that every user can have."""
    import resource

    writer = Writer(name, tmp_path, over_old=True)
    size = max(len(writer.after[path]) for path in writer.made)
    answers: Counter[str] = Counter()
    for limit in dose([1, size // 2, size - 1], [0, 1, 100, *range(1000, size, max(1000, size // 20)), size - 1, size]):
        prepare = partial(resource.setrlimit, resource.RLIMIT_FSIZE, (limit, limit))
        folder = writer.fresh()
        answers[writer.answered(run(writer.arguments, folder, prepare), folder)] += 1
        shutil.rmtree(folder)
    assert answers["told, old"] + answers["told, some"] > 0
    note(figure, "limits on the size of files", answers)


@pytest.mark.parametrize("name", WRITERS)
def test_a_folder_that_may_not_be_written_is_told(name: str, tmp_path: Path) -> None:
    with open_folder() as place:
        writer = Writer(name, tmp_path, over_old=True)
        folder = writer.fresh(place / "work")
        for path in (folder, *folder.rglob("*")):
            path.chmod(0o555 if path.is_dir() else 0o444)
        done = run(writer.arguments, folder, be_nobody)
        assert writer.answered(done, folder) == "told, old"
        assert "denied" in done.said.lower() or "may not be written" in done.said


@pytest.mark.parametrize("name", ["check --output", "report", "aggregate", "finalize", "import-run", "init"])
def test_a_folder_that_is_none_is_told(name: str, tmp_path: Path) -> None:
    writer = Writer(name, tmp_path, over_old=False)
    folder = writer.fresh()
    (folder / "out").rmdir()
    (folder / "out").write_bytes(OLD)
    done = run(writer.arguments, folder)
    assert done.status in (2, 3), done.said
    assert (folder / "out").read_bytes() == OLD
    assert files(folder).keys() == {*writer.before, "out"}


@pytest.mark.parametrize("descriptors", dose([5, 8], list(range(5, 16))))
@pytest.mark.parametrize("name", dose(["check --output", "fix", "finalize"], list(WRITERS)))
def test_a_full_table_of_descriptors_leaves_old_or_new(
    name: str, descriptors: int, tmp_path: Path, figure: Figure
) -> None:
    import resource

    writer = Writer(name, tmp_path, over_old=True)
    folder = writer.fresh()
    limit = partial(resource.setrlimit, resource.RLIMIT_NOFILE, (descriptors, descriptors))
    done = run(writer.arguments, folder, limit)
    state = writer.state(folder)
    assert done.status in (1, 2, 3, 5, writer.usual.status), done.said
    assert done.status == 3 or done.status == writer.usual.status or "open files" in done.said, done.said
    if done.status == 0:
        assert state == "new", done.said
    note(figure, "tables of descriptors that are full", Counter({"told" if done.status == 3 else "done or found": 1}))


def test_an_output_is_one_of_our_own_streams_or_what_a_link_leads_to(tmp_path: Path) -> None:
    """A link stays a link, the mode of a replaced file stays, and a device is never replaced."""
    folder = Writer("check --output", tmp_path, over_old=False).fresh()
    (folder / "real.json").write_bytes(OLD)
    (folder / "real.json").chmod(0o600)
    (folder / "link.json").symlink_to("real.json")
    (folder / "dangling.json").symlink_to("new.json")
    outputs = ("link.json", "dangling.json", "/dev/stdout", "/dev/null", "/dev/fd/1")
    before = {path: os.lstat(path).st_ino for path in ("/dev/stdout", "/dev/null")}
    for target in outputs:
        done = run(["check", "-q", "healthy", "--output", f"json={target}"], folder)
        assert done.status == 0, done.said
        assert done.stdout.startswith(b'{"files"') is ("/1" in target or "stdout" in target)
    assert (folder / "link.json").is_symlink()
    assert (folder / "real.json").stat().st_mode & 0o777 == 0o600
    assert (folder / "real.json").read_bytes() == (folder / "new.json").read_bytes() != OLD
    assert before == {path: os.lstat(path).st_ino for path in before}


def test_a_file_where_init_needs_a_folder_is_told(tmp_path: Path) -> None:
    for name in (".vscode", ".evalschema"):
        (tmp_path / name).write_bytes(OLD)
        done = run(["init", "."], tmp_path)
        assert (done.status, f"{name}/" in done.stderr.decode()) == (3, True), done.said
        assert (tmp_path / name).read_bytes() == OLD
        (tmp_path / name).unlink()


def test_temporary_files_that_a_kill_left_are_swept_by_the_next_writer(tmp_path: Path) -> None:
    writer = Writer("fix", tmp_path, over_old=True)
    folder = writer.fresh()
    left = folder / "broken" / "iteration-1" / f".evalschema-{'0' * 16}.tmp"
    left.write_bytes(OLD)
    assert writer.answered(checked(run(writer.arguments, folder)), folder) == "done, new"
    assert not left.exists()
