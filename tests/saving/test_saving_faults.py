"""Real faults: kills at every system call, failing calls, full disks, power cuts, many writers at once.

The default dose is small; EVALSCHEMA_DOSE=full takes more kills, error numbers and power cuts. What a machine does not
allow (strace, mounts) is skipped by name, and fails instead with EVALSCHEMA_NO_SKIP=1.
"""

# pyright: reportPrivateUsage=false

from __future__ import annotations

import errno
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from contextlib import contextmanager
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from evalschema import saving
from evalschema.saving import PathRefused, SaveError, save
from tests.dose import FULL
from tests.needs import need
from tests.saving.writer import content

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Mapping

    from tests.conftest import Figure

WRITER = Path(__file__).with_name("writer.py")
PATH = "results/solo/run.json"
#: How the empty write before and after the save looks in a trace.
MARK = 'write(2, "", 0)'
OLD = b"old bytes\n" * 300
STRAY = re.compile(r"\.evalschema-[0-9a-f]{16}\.tmp")

#: Calls that reach the disk or hold a descriptor; what the interpreter does with memory is left out.
DISK_CALLS = {
    "openat", "open", "mkdirat", "mkdir", "newfstatat", "fstat", "statx", "read", "write", "fsync", "linkat", "link",
    "renameat", "renameat2", "rename", "unlinkat", "unlink", "fchmod", "flock", "getdents64", "close", "lseek", "fcntl",
}  # fmt: skip

pytestmark = [
    pytest.mark.promise("saving"),
    pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork, signals and mounts"),
]


def counted(counts: Mapping[str, int]) -> str:
    """Counts in words: `20 calls; 15 absent; 5 new`."""
    return "; ".join(f"{count:,} {what}" for what, count in counts.items())


@cache
def strace_works() -> bool:
    if shutil.which("strace") is None:
        return False
    command = ["strace", "-o", os.devnull, "-e", "inject=getppid:error=EIO:when=1", "true"]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


@contextmanager
def mounted(folder: Path, *arguments: str) -> Generator[Path]:
    """A file system on the folder for a while; skips where mounting is not allowed."""
    folder.mkdir(exist_ok=True)
    done = subprocess.run(["mount", *arguments, str(folder)], capture_output=True, text=True, check=False)
    need(done.returncode == 0, f"mount is not allowed: {done.stderr.strip()}")
    try:
        yield folder
    finally:
        subprocess.run(["umount", str(folder)], check=True)


def can_mount() -> bool:
    return sys.platform == "linux" and os.geteuid() == 0 and shutil.which("mount") is not None


@contextmanager
def forced(way: str) -> Generator[None]:
    """Saves with a named temporary file, as systems without O_TMPFILE do, or with an anonymous one."""
    with pytest.MonkeyPatch.context() as patch:
        if way == "named":
            patch.setattr(saving, "_O_TMPFILE", 0)
        yield


def forked(work: Callable[[], int]) -> int:
    """Runs `work` in a child and returns its process id; the child exits with what it returns, 70 if it raises."""
    child = os.fork()
    if child:
        return child
    code = 70
    try:
        code = work()
    finally:
        os._exit(code)


def exit_of(child: int) -> int:
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def saved_or_code(data: bytes, path: str, root: Path, *, overwrite: bool) -> int:
    try:
        save(data, path, root, overwrite=overwrite)
    except PathRefused:
        return 1
    except SaveError:
        return 3
    return 0


def over(overwrite: bool) -> str:
    return ", over an old file" if overwrite else ""


class Place:
    """A root with a bystander and, for a replacement, an old file; and what may be found there after a fault."""

    def __init__(self, root: Path, old: bytes | None, new: bytes) -> None:
        root.mkdir()
        (root / "bystander.json").write_bytes(OLD)
        self.root, self.old, self.new = root, old, new
        self.before = "absent" if old is None else "old"
        self.target = root / PATH
        if old is not None:
            self.target.parent.mkdir(parents=True)
            self.target.write_bytes(old)

    def state(self) -> str:
        """absent, old or new; anything else fails the test."""
        assert (self.root / "bystander.json").read_bytes() == OLD
        if not self.target.exists():
            assert self.old is None
            return "absent"
        there = self.target.read_bytes()
        assert there in (self.old, self.new), f"{len(there)} bytes at the path: a part of a file"
        return "new" if there == self.new else "old"

    def strays(self) -> list[Path]:
        """Files that nobody asked for."""
        files = [path for path in self.root.rglob("*") if not path.is_dir()]
        return [path for path in files if path != self.target and path.name != "bystander.json"]

    def save_again(self, way: str) -> None:
        """The next save of the same kind succeeds and clears away what the fault left."""
        with forced(way):
            save(self.new, PATH, self.root, overwrite=self.old is not None)
            if way == "named" or self.old is not None:
                save(self.new + b" ", PATH, self.root, overwrite=True)
        assert self.strays() == []


SITUATIONS = [(way, overwrite) for overwrite in (False, True) for way in ("anonymous", "named")]


class Traced:
    """The writer under strace: which calls the save makes, and the save with one of them killed or failing."""

    def __init__(self, tmp_path: Path, way: str, overwrite: bool) -> None:
        need(sys.platform == "linux" and strace_works(), "strace with fault injection is not here")
        need(way == "named" or saving._O_TMPFILE, "no O_TMPFILE here")
        self.tmp_path, self.way, self.overwrite = tmp_path, way, overwrite
        self.new: bytes = content(30_000, 1)
        self.runs = 0

    def run(self, *switches: str) -> tuple[Place, int, str, list[str]]:
        """A fresh place, the exit code, what the writer said, and the lines of the trace."""
        self.runs += 1
        place = Place(self.tmp_path / f"root-{self.runs}", OLD if self.overwrite else None, self.new)
        log = self.tmp_path / "strace.log"
        writer = [sys.executable, "-S", "-s", "-B", str(WRITER), str(place.root), PATH, str(len(self.new)), "1"]
        writer += [word for word, wanted in (("overwrite", self.overwrite), ("named", self.way == "named")) if wanted]
        done = subprocess.run(
            ["strace", "-o", str(log), *switches, *writer],
            capture_output=True,
            text=True,
            check=False,
            # the same calls each time: the k-th call of a run has to be the k-th of the next
            env={"PYTHONHASHSEED": "0", "PATH": os.environ["PATH"]},
        )
        return place, done.returncode, done.stdout, log.read_text(encoding="utf-8", errors="replace").splitlines()

    def calls(self) -> list[tuple[str, int, bool]]:
        """Name and ordinal of each call between the marks, and whether it only sweeps up after others."""
        place, code, said, lines = self.run()
        assert (code, said, place.state(), place.strays()) == (0, "saved", "new", [])
        seen: Counter[str] = Counter()
        found: list[tuple[str, int, bool]] = []
        marks = 0
        sweeping = False
        for line in lines:
            call = re.match(r"(\w+)\(", line)
            if call is None:
                continue
            seen[call[1]] += 1
            if MARK in line:
                marks += 1
            elif marks == 1:
                # the folder is listed between two other calls, and only for sweeping
                if re.match(r"fcntl\(\d+, F_DUPFD_CLOEXEC", line):
                    sweeping = True
                found.append((call[1], seen[call[1]], sweeping))
                if call[1] == "close":
                    sweeping = False
        assert marks == 2
        return found


@pytest.mark.parametrize(("way", "overwrite"), SITUATIONS)
def test_kill_at_every_system_call_leaves_old_or_whole(
    way: str, overwrite: bool, tmp_path: Path, figure: Figure
) -> None:
    traced = Traced(tmp_path, way, overwrite)
    states: Counter[str] = Counter()
    calls = traced.calls()
    for name, at, _ in calls:
        place, code, _, lines = traced.run("-e", f"trace={name},write", "-e", f"inject={name}:signal=SIGKILL:when={at}")
        # killed, and within the save: otherwise this point was not tried
        assert code in (-signal.SIGKILL, 128 + signal.SIGKILL), (name, at)
        assert sum(MARK in line for line in lines) == 1, (name, at)
        states[place.state()] += 1
        strays = place.strays()
        states["left a temporary file"] += len(strays)
        assert all(STRAY.fullmatch(stray.name) for stray in strays)
        assert len(strays) <= 1
        if way == "anonymous":
            # without overwriting never; with it in the one call between the name and the rename, and whole then
            assert all(overwrite and stray.read_bytes() == traced.new for stray in strays)
        place.save_again(way)
    if way == "anonymous":
        assert states["left a temporary file"] <= (1 if overwrite else 0)
    figure(f"SIGKILL at every call, {way}{over(overwrite)}", counted({"calls": len(calls), **states}))
    assert len(calls) > 15
    assert states["new"] > 0
    assert states["old" if overwrite else "absent"] > 8


@pytest.mark.parametrize(("way", "overwrite"), SITUATIONS)
def test_every_call_failing_is_answered_with_old_or_whole(
    way: str, overwrite: bool, tmp_path: Path, figure: Figure
) -> None:
    traced = Traced(tmp_path, way, overwrite)
    numbers = ["EIO", "ENOSPC", "EDQUOT", "EROFS", "EACCES", "EMFILE", "EINTR"] if FULL else ["EIO"]
    answers: Counter[str] = Counter()
    calls = [call for call in traced.calls() if call[0] in DISK_CALLS]
    for number in numbers:
        for name, at, sweeping in calls:
            place, code, said, lines = traced.run(
                "-e", f"trace={name},write", "-e", f"inject={name}:error={number}:when={at}"
            )
            injected = next(index for index, line in enumerate(lines) if "(INJECTED)" in line)
            assert sum(MARK in line for line in lines[:injected]) == 1, (name, at)
            state = place.state()
            answers[f"exit {code}, {said}, {state}"] += 1
            assert place.strays() == [], (name, at)
            assert code in (0, 3), (name, at, said)
            if code == 0:
                assert state == "new", (name, at)
                # repeated after EINTR, or done by a name where /proc may not be linked from; EIO is never passed over
                assert number != "EIO" or sweeping, (name, at)
            else:
                assert said.startswith("io.")
                assert (said == "io.durability-unknown") is (state == "new"), (name, at, said)
            place.save_again(way)
    figure(f"every call failing, {way}{over(overwrite)}", counted({"runs": len(numbers) * len(calls), **answers}))
    assert len(calls) > 12
    assert answers[f"exit 3, io.error, {'old' if overwrite else 'absent'}"] > 5
    assert answers["exit 3, io.durability-unknown, new"] > 0


@pytest.mark.parametrize(("way", "overwrite"), SITUATIONS)
def test_kill_at_a_random_moment_leaves_old_or_whole(way: str, overwrite: bool, tmp_path: Path, figure: Figure) -> None:
    need(way == "named" or saving._O_TMPFILE, "no O_TMPFILE here")
    kills = 1000 if FULL else 60
    draw = random.Random(20260115)  # noqa: S311 - the same moments each time
    new = content(4_000_000, 1)
    states: Counter[str] = Counter()
    with forced(way):
        begun = time.monotonic()
        for number in range(3):
            assert (
                exit_of(forked(partial(saved_or_code, new, f"warm-{number}.json", tmp_path, overwrite=overwrite))) == 0
            )
        usual = (time.monotonic() - begun) / 3
        for number in range(kills):
            place = Place(tmp_path / f"root-{number}", OLD if overwrite else None, new)
            child = forked(partial(saved_or_code, new, PATH, place.root, overwrite=overwrite))
            time.sleep(draw.uniform(0, 1.3 * usual))
            os.kill(child, signal.SIGKILL)
            exit_of(child)
            states[place.state()] += 1
            strays = place.strays()
            assert len(strays) <= 1
            assert all(STRAY.fullmatch(stray.name) for stray in strays)
            if way == "anonymous":
                assert all(overwrite and stray.read_bytes() == new for stray in strays)
            states["left a temporary file"] += len(strays)
            if strays:
                place.save_again(way)
            shutil.rmtree(place.root)
    figure(f"SIGKILL at a random moment, {way}{over(overwrite)}", counted({"kills": kills, **states}))
    assert states["absent"] + states["old"] > 0
    if FULL:
        assert states["new"] > 0


@pytest.mark.parametrize(("way", "overwrite"), SITUATIONS)
def test_full_disk_of_twenty_sizes_leaves_old_or_whole(
    way: str, overwrite: bool, tmp_path: Path, figure: Figure
) -> None:
    need(can_mount(), "mounting needs root on Linux")
    new = content(200_000, 1)
    outcomes: Counter[str] = Counter()
    with forced(way):
        for step in range(20):
            with mounted(tmp_path / "disk", "-t", "tmpfs", "-o", f"size={24 + 12 * step}k", "tmpfs") as disk:
                place = Place(disk / "root", OLD if overwrite else None, new)
                fault: SaveError | None = None
                try:
                    save(new, PATH, place.root, overwrite=overwrite)
                except SaveError as caught:
                    fault = caught
                assert fault is None or (fault.code, fault.written) == ("io.no-space", False)
                assert place.state() == ("new" if fault is None else place.before)
                outcomes["saved" if fault is None else "io.no-space"] += 1
                assert place.strays() == []
    figure(f"full disk, {way}{over(overwrite)}", counted(outcomes))
    assert outcomes["io.no-space"] >= 12
    assert outcomes["saved"] >= 2


@pytest.mark.parametrize("way", ["anonymous", "named"])
def test_disk_without_inodes_is_no_space(way: str, tmp_path: Path) -> None:
    need(can_mount(), "mounting needs root on Linux")
    with mounted(tmp_path / "disk", "-t", "tmpfs", "-o", "nr_inodes=3", "tmpfs") as disk, forced(way):
        (disk / "results").mkdir()
        (disk / "results" / "full.json").write_bytes(OLD)
        with pytest.raises(SaveError) as caught:
            save(OLD + b" ", "results/run.json", disk)
        assert caught.value.code == "io.no-space"
        assert [path.name for path in (disk / "results").iterdir()] == ["full.json"]


@pytest.mark.parametrize("way", ["anonymous", "named"])
def test_read_only_disk_is_said(way: str, tmp_path: Path) -> None:
    need(can_mount(), "mounting needs root on Linux")
    with mounted(tmp_path / "disk", "-t", "tmpfs", "tmpfs") as disk, forced(way):
        save(OLD, "results/run.json", disk)
        subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)
        for path, overwrite in (("results/next.json", False), ("results/run.json", True), ("fresh/run.json", False)):
            with pytest.raises(SaveError) as caught:
                save(b"new", path, disk, overwrite=overwrite)
            assert caught.value.code == "io.read-only"
        # what is there already needs no writing
        assert save(OLD, "results/run.json", disk).already_there
        assert (disk / "results" / "run.json").read_bytes() == OLD


@pytest.mark.parametrize("way", ["anonymous", "named"])
def test_folder_of_another_user_is_said(way: str, tmp_path: Path) -> None:
    need(os.geteuid() == 0, "changing the user needs root")
    # the folders above must be open to the other user; pytest makes them for one
    with mounted(tmp_path / "disk", "-t", "tmpfs", "-o", "mode=755", "tmpfs") as disk, forced(way):
        save(OLD, "results/run.json", disk)
        inside = os.open(disk, os.O_RDONLY)

        def work() -> int:
            os.fchdir(inside)
            os.setgid(65534)
            os.setuid(65534)
            codes: list[str] = []
            for path, overwrite in (
                ("results/next.json", False),
                ("results/run.json", True),
                ("fresh/run.json", False),
            ):
                try:
                    save(b"new", path, ".", overwrite=overwrite)
                except SaveError as fault:
                    codes.append(fault.code)
            return 0 if codes == ["io.permission"] * 3 else 1

        try:
            assert exit_of(forked(work)) == 0
        finally:
            os.close(inside)
        assert [path.name for path in (disk / "results").iterdir()] == ["run.json"]
        assert (disk / "results" / "run.json").read_bytes() == OLD


@pytest.mark.parametrize(("way", "overwrite"), SITUATIONS)
def test_of_eight_processes_exactly_one_wins(way: str, overwrite: bool, tmp_path: Path, figure: Figure) -> None:
    need(way == "named" or saving._O_TMPFILE, "no O_TMPFILE here")
    rounds = 200 if FULL else 40
    wins: Counter[int] = Counter()
    contents = [content(50_000, writer) for writer in range(8)]
    with forced(way):
        for number in range(rounds):
            root = tmp_path / f"root-{number}"
            root.mkdir()
            gate, opener = os.pipe()

            def work(writer: int, root: Path = root, gate: int = gate, opener: int = opener) -> int:
                os.close(opener)
                # all of them wait for the end of the file
                os.read(gate, 1)
                return saved_or_code(contents[writer], PATH, root, overwrite=overwrite)

            children = [forked(partial(work, writer)) for writer in range(8)]
            os.close(gate)
            os.close(opener)
            codes = [exit_of(child) for child in children]
            there = (root / PATH).read_bytes()
            if overwrite:
                assert codes == [0] * 8
                assert there in contents
            else:
                assert sorted(codes) == [0] + [1] * 7
                assert there == contents[codes.index(0)]
            wins[contents.index(there)] += 1
            assert [path.name for path in (root / PATH).parent.iterdir()] == ["run.json"]
    figure(f"eight writers, {way}{over(overwrite)}", counted({"rounds": rounds, "winners": len(wins)}))
    assert wins.total() == rounds


def after_power_cut(tmp_path: Path, before: Callable[[Path], object], work: Callable[[Path], None]) -> dict[str, bytes]:
    """The files on a disk that lost its power at the end of `work`; `before` is on the disk for good."""
    image, copy = tmp_path / "disk.img", tmp_path / "copy.img"
    with image.open("wb") as file:
        file.truncate(16 << 20)
    subprocess.run(["mkfs.ext4", "-q", "-F", str(image)], check=True)
    # a long interval between commits: nothing becomes durable by luck
    with mounted(tmp_path / "disk", "-o", "loop,commit=300", str(image)) as disk:
        before(disk)
        os.sync()
        work(disk)
        shutil.copyfile(image, copy)
    with mounted(tmp_path / "disk", "-o", "loop", str(copy)) as disk:
        return {path.relative_to(disk).as_posix(): path.read_bytes() for path in disk.rglob("*.json") if path.is_file()}


@pytest.mark.parametrize(("way", "overwrite"), SITUATIONS)
def test_saved_file_survives_a_power_cut(way: str, overwrite: bool, tmp_path: Path, figure: Figure) -> None:
    need(can_mount() and shutil.which("mkfs.ext4"), "a loop device with ext4 needs root on Linux")
    new = content(100_000, 1)
    cuts = 10 if FULL else 1

    def before(disk: Path) -> None:
        if overwrite:
            (disk / PATH).parent.mkdir(parents=True)
            (disk / PATH).write_bytes(OLD)

    with forced(way):
        for _ in range(cuts):
            found = after_power_cut(tmp_path, before, lambda disk: assert_saved(new, disk, overwrite=overwrite))
            assert found == {PATH: new}
    figure(f"power cut, {way}{over(overwrite)}", counted({"cuts": cuts, "whole": cuts}))


def assert_saved(data: bytes, root: Path, *, overwrite: bool) -> None:
    assert save(data, PATH, root, overwrite=overwrite).durable


def test_power_cut_of_this_test_does_lose_what_was_not_synced(tmp_path: Path) -> None:
    """The control: the same save with fsync taken away is lost, so the test above can fail."""
    need(can_mount() and shutil.which("mkfs.ext4"), "a loop device with ext4 needs root on Linux")

    def no_fsync(_: int) -> None:
        pass

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", no_fsync)
        new = content(100_000, 1)
        assert after_power_cut(tmp_path, os.listdir, lambda disk: assert_saved(new, disk, overwrite=False)) == {}


def test_full_descriptor_table_is_an_error_of_the_environment(tmp_path: Path) -> None:
    import resource

    def work() -> int:
        resource.setrlimit(resource.RLIMIT_NOFILE, (3, 3))
        try:
            save(OLD, PATH, tmp_path)
        except SaveError as fault:
            return 0 if (fault.code, fault.errno) == ("io.error", errno.EMFILE) else 1
        return 2

    assert exit_of(forked(work)) == 0
    assert list(tmp_path.rglob("*.json")) == []


def test_limit_on_the_size_of_files_leaves_nothing(tmp_path: Path) -> None:
    import resource

    def work() -> int:
        resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, 10_000))
        try:
            save(content(100_000, 1), PATH, tmp_path)
        except SaveError as fault:
            return 0 if (fault.code, fault.errno) == ("io.error", errno.EFBIG) else 1
        return 2

    assert exit_of(forked(work)) == 0
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []
