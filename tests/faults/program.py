"""The command in a process of its own, forked with all modules loaded or started anew; and what goes wrong with it."""

from __future__ import annotations

import os
import re
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from typing import TYPE_CHECKING, NoReturn

from tests.needs import need

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Mapping, Sequence

ROOT = Path(__file__).parents[2]
DEMO = ROOT / "docs" / "demo"
#: The one sign of an exception that nobody caught, whoever shows it.
TRACEBACKS = (b"Traceback (most recent call last)", b"Exception ignored", b"internal error", b"Fatal Python error")
#: Files that the program may leave behind when it is killed in the one moment in which it cannot clear them away.
STRAY = re.compile(r"\.evalschema-[0-9a-f]{16}\.tmp")
#: In seconds: what takes longer than this hangs.
PATIENCE = 60


@dataclass(frozen=True)
class Done:
    """How a command ended: its exit status (negative: the signal), and what it wrote."""

    status: int
    stdout: bytes
    stderr: bytes

    @property
    def said(self) -> str:
        """Both outputs together, as text."""
        return (self.stdout + self.stderr).decode("utf-8", "backslashreplace")


def checked(done: Done) -> Done:
    """The same, once it is sure that nothing fell through."""
    assert not any(sign in done.stdout + done.stderr for sign in TRACEBACKS), done.said
    return done


@contextmanager
def started(arguments: Sequence[str], cwd: Path, prepare: Callable[[], None] | None = None) -> Generator[Running]:
    """The command line in a forked child that waits for a word before it begins; `prepare` is called in the child."""
    warm_up()
    # pipes, for limits on files do not hold for them
    (gate, opener), (out, out_end), (err, err_end) = os.pipe(), os.pipe(), os.pipe()
    sys.stdout.flush()
    sys.stderr.flush()
    child = os.fork()
    if not child:
        _be_the_program(arguments, cwd, prepare, gate, out_end, err_end)
    for each in (gate, out_end, err_end):
        os.close(each)
    try:
        yield Running(child, opener, out, err)
    finally:
        for each in (opener, out, err):
            os.close(each)


@dataclass(frozen=True)
class Running:
    """A command that waits, or is under way."""

    child: int
    gate: int
    out: int
    err: int

    def go(self) -> None:
        """The word that it waits for."""
        os.write(self.gate, b"!")

    def wait(self) -> Done:
        """How it ended; one that hangs is killed, and fails the test."""
        end = time.monotonic() + PATIENCE
        said: dict[int, list[bytes]] = {self.out: [], self.err: []}
        reading = set(said)
        while reading:
            ready, _, _ = select.select(list(reading), [], [], max(0.0, end - time.monotonic()))
            if not ready:
                os.kill(self.child, signal.SIGKILL)
                os.waitpid(self.child, 0)
                raise AssertionError("it hangs")
            for each in ready:
                part = os.read(each, 1 << 16)
                said[each].append(part)
                if not part:
                    reading.remove(each)
        _, status = os.waitpid(self.child, 0)
        return Done(os.waitstatus_to_exitcode(status), *(b"".join(parts) for parts in said.values()))


def _be_the_program(
    arguments: Sequence[str], cwd: Path, prepare: Callable[[], None] | None, gate: int, out: int, err: int
) -> NoReturn:
    status = 99
    try:
        os.read(gate, 1)
        os.chdir(cwd)
        for number, target in enumerate((os.open(os.devnull, os.O_RDONLY), out, err)):
            os.dup2(target, number)
        sys.stdin, sys.stdout, sys.stderr = open(0, encoding="utf-8"), open(1, "w", encoding="utf-8"), open(2, "w", 1)  # noqa: SIM115
        os.closerange(3, 512)
        sys.argv = ["evalschema", *arguments]
        # a report tells when it was made
        os.environ["SOURCE_DATE_EPOCH"] = "1770000000"
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, signal.default_int_handler if number == signal.SIGINT else signal.SIG_DFL)
        if prepare is not None:
            prepare()
        from evalschema.entry import main

        try:
            main()
        except SystemExit as stop:
            status = stop.code if isinstance(stop.code, int) else 0
    except BaseException:
        import traceback

        os.write(2, traceback.format_exc().encode("utf-8", "backslashreplace"))
    finally:
        os._exit(status)


@cache
def warm_up() -> None:
    """Load what the command loads late, and set up its engines: a forked child has them then."""
    import evalschema
    from evalschema.settings import DEFAULT

    for module in walk_packages(evalschema.__path__, "evalschema."):
        if not module.name.startswith(("evalschema.integrations", "evalschema.__main__")):
            import_module(module.name)
    from evalschema.report.gathering import gather
    from evalschema.report.page import render

    list(render(gather([str(DEMO / "broken"), str(DEMO / "healthy")], DEFAULT)))
    evalschema.check_file(DEMO / "runs" / "run.json", "run")


def run(arguments: Sequence[str], cwd: Path, prepare: Callable[[], None] | None = None) -> Done:
    """The command in a forked child, to its end."""
    with started(arguments, cwd, prepare) as running:
        running.go()
        return checked(running.wait())


def start_anew(
    script: str, cwd: Path, environment: Mapping[str, str] | None = None, status: int | None = None
) -> subprocess.CompletedProcess[bytes]:
    """A line for the shell, in which `$E` is the real command, started as people start it."""
    variables = {name: value for name, value in os.environ.items() if name != "GITHUB_ACTIONS"}
    variables |= {"E": f"{sys.executable} -m evalschema", "PYTHONPATH": str(ROOT / "src"), **(environment or {})}
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", script],
        cwd=cwd,
        env=variables,
        capture_output=True,
        check=False,
        timeout=PATIENCE,
    )
    assert not any(sign in done.stdout + done.stderr for sign in TRACEBACKS), done.stderr
    assert status is None or done.returncode == status, (done.returncode, done.stdout[-500:], done.stderr[-500:])
    return done


# --- commands that write ------------------------------------------------------------------------------------------

IMPORTED = [
    *("--agent", "runs/agent.json", "--judge", "runs/judge.json", "--scenario", "/The_lamp", "--spec", "lamp:keeper"),
    *("--score", "82.5", "--output-path", "results/run.json", "--type", "solo"),
]
FINALIZED = ["--type", "solo", "--data", "runs/run.json", "--root", "out", "--overwrite"]
#: Every command that writes files, in a folder that `workspace` makes; the files follow from a run without a fault.
WRITERS: dict[str, list[str]] = {
    "check --output": ["check", "broken", "--output", "out/report.json"],
    "check --output, two": ["check", "broken", "-q", "--output", "sarif=out/two.sarif", "--output", "out/two.md"],
    "check --write-baseline": ["check", "broken", "--write-baseline", "out/baseline.json"],
    "fix": ["fix", "--unsafe", "broken/iteration-1/benchmark.json"],
    "fix, a folder": ["fix", "broken"],
    "report": ["report", "healthy", "-o", "out/report.html"],
    "report, Markdown": ["report", "healthy", "--format", "markdown", "-o", "out/report.md"],
    "aggregate": ["aggregate", "healthy", "-o", "out/benchmark.json", "--overwrite"],
    "finalize": ["finalize", *FINALIZED],
    "finalize --receipt": ["finalize", *FINALIZED, "--receipt"],
    "import-run": ["import-run", *IMPORTED, "-o", "out/run.json"],
    "init": ["init", "out"],
}  # fmt: skip
OLD = b"old bytes, longer than nothing\n"


def files(folder: Path) -> dict[str, bytes]:
    """All files of a folder by name."""
    found = [path for path in folder.rglob("*") if not path.is_dir()]
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in found}


class Writer:
    """A command that writes: what it makes of a workspace, and whether what a fault left may be there."""

    def __init__(self, name: str, folder: Path, *, over_old: bool) -> None:
        self.arguments = WRITERS[name]
        self._pristine = folder / "pristine"
        self._count = 0
        self._folder = folder
        shutil.copytree(DEMO, self._pristine, ignore=shutil.ignore_patterns("run.py"))
        (self._pristine / "out").mkdir()
        whole = self.fresh()
        self.usual = run(self.arguments, whole)
        self.after = files(whole)
        shutil.rmtree(whole)
        self.made = [path for path, data in self.after.items() if files(self._pristine).get(path) != data]
        assert self.made, self.usual.said
        if over_old and self.arguments[0] not in ("fix", "init"):
            for path in self.made:
                (self._pristine / path).parent.mkdir(parents=True, exist_ok=True)
                (self._pristine / path).write_bytes(self._older(path))
        self.before = files(self._pristine)

    def _older(self, path: str) -> bytes:
        # a baseline is only renewed where one lies
        return self.after[path] + b" " if "baseline" in path else OLD

    def fresh(self, at: Path | None = None) -> Path:
        """A workspace as it was before."""
        self._count += 1
        folder = at or self._folder / f"fresh-{self._count}"
        shutil.copytree(self._pristine, folder, dirs_exist_ok=at is not None)
        return folder

    def state(self, folder: Path, *, killed: bool = False) -> str:
        """old, new or some; anything else fails: a part of a file, a change elsewhere, a file that nobody asked for."""
        found = files(folder)
        if killed:
            found = {path: data for path, data in found.items() if not STRAY.fullmatch(path.rpartition("/")[2])}
        for path, data in found.items():
            allowed = (self.before.get(path), self.after.get(path))
            assert data in allowed, f"{path}: {len(data)} bytes that are neither the old nor the new ones"
        assert self.before.keys() <= found.keys()
        new = [path for path in self.made if found.get(path) == self.after[path]]
        return "new" if len(new) == len(self.made) else "some" if new else "old"

    def answered(self, done: Done, folder: Path) -> str:
        """What a fault led to: `told, old` (or some, new) with exit status 3, or `done, new` as without a fault."""
        state = self.state(folder)
        assert done.status in (3, self.usual.status), (done.status, done.said[-600:])
        if done.status == self.usual.status:
            assert state == "new", f"exit status {done.status}, and not everything was written: {done.said[-600:]}"
            return "done, new"
        return f"told, {state}"


# --- strace -------------------------------------------------------------------------------------------------------


@cache
def strace_attaches() -> bool:
    """Whether a running process can be traced, and its calls made to fail."""
    if sys.platform != "linux" or shutil.which("strace") is None:
        return False
    command = ["strace", "-o", os.devnull, "-e", "inject=getppid:error=EIO:when=1", "-p", str(os.getpid())]
    tracer = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    try:
        return _attached(tracer)
    finally:
        tracer.terminate()
        tracer.communicate()


def _attached(tracer: subprocess.Popen[bytes]) -> bool:
    assert tracer.stderr is not None
    ready, _, _ = select.select([tracer.stderr], [], [], 10)
    return bool(ready) and b" attached" in os.read(tracer.stderr.fileno(), 4096)


#: Calls by which something is written, made, named, removed or made durable; `openat` where it is opened for writing.
WRITING = (
    "openat", "write", "pwrite64", "fsync", "fdatasync", "ftruncate", "linkat", "link", "rename", "renameat",
    "renameat2", "unlink", "unlinkat", "mkdir", "mkdirat", "fchmod", "chmod", "fchown", "flock",
)  # fmt: skip
_FOR_WRITING = re.compile(r"O_WRONLY|O_RDWR|O_CREAT")
_CALL = re.compile(r"(?:\d+ +)?(\w+)\((.*)")


def traced(arguments: Sequence[str], cwd: Path, log: Path, inject: str | None = None) -> tuple[Done, list[str]]:
    """The forked command under strace from its first call on, and the lines of the trace."""
    # a second call could be a repeated one; only the one that is meant fails
    switches = ["-e", f"trace={','.join(WRITING)}", *(["-e", f"inject={inject}"] if inject else [])]
    with started(arguments, cwd) as running:
        tracer = subprocess.Popen(
            ["strace", "-o", str(log), *switches, "-p", str(running.child)],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )
        assert _attached(tracer)
        running.go()
        done = running.wait()
        tracer.communicate(timeout=PATIENCE)
    return checked(done), log.read_text("utf-8", "replace").splitlines()


def writing_calls(writer: Writer, tmp_path: Path) -> list[tuple[str, int]]:
    """Name and ordinal of every call by which the command writes."""
    folder = writer.fresh()
    done, lines = traced(writer.arguments, folder, tmp_path / "strace.log")
    assert writer.answered(done, folder) == "done, new"
    shutil.rmtree(folder)
    seen: Counter[str] = Counter()
    found: list[tuple[str, int]] = []
    for line in lines:
        call = _CALL.match(line)
        if call is None:
            continue
        seen[call[1]] += 1
        if call[1] != "openat" or _FOR_WRITING.search(line):
            found.append((call[1], seen[call[1]]))
    return found


# --- places -------------------------------------------------------------------------------------------------------


@contextmanager
def small_disk(folder: Path, **options: object) -> Generator[Path]:
    """A file system in memory on a new folder; skips where mounting is not allowed."""
    need(sys.platform == "linux" and os.geteuid() == 0 and shutil.which("mount"), "mounting needs root on Linux")
    folder.mkdir()
    words = ",".join(f"{name}={value}" for name, value in {"mode": "755", **options}.items())
    done = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", words, "tmpfs", str(folder)], capture_output=True, text=True, check=False
    )
    need(done.returncode == 0, f"mount is not allowed: {done.stderr.strip()}")
    try:
        yield folder
    finally:
        subprocess.run(["umount", str(folder)], check=True)


def be_nobody() -> None:
    """Give up the rights of root, in a child; who is not root has none to give up."""
    if os.geteuid() == 0:
        os.setgroups([])
        os.setgid(65534)
        os.setuid(65534)


@contextmanager
def open_folder() -> Generator[Path]:
    """A folder for temporary files that every user may enter; those of pytest are for one."""
    folder = Path(tempfile.mkdtemp())
    try:
        folder.chmod(0o755)
        yield folder
    finally:
        for path in folder.rglob("*"):
            if path.is_dir() and not path.is_symlink():
                path.chmod(0o755)
        shutil.rmtree(folder)
