"""Several processes: the same output as one, whatever happens to them."""

from __future__ import annotations

import gzip
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from evalschema import parallel
from evalschema.output import formats
from evalschema.parallel import Died, in_order
from tests.dose import dose
from tests.needs import need

ROOT = Path(__file__).parents[1]
SOUND = {"total_tokens": 5210, "duration_ms": 23400, "total_duration_seconds": 23.4}
BAD = {"total_tokens": 5210, "duration_ms": 23400, "total_duration_seconds": "23.4"}

# --- the crew -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Sum:
    """Numbers to be added; -1 kills who adds it, -2 does so only in company, -3 raises."""

    numbers: tuple[int, ...]
    again: bool = False

    def parts(self) -> list[Sum]:
        """Each number alone."""
        return [] if self.again else [replace(self, numbers=(each,), again=True) for each in self.numbers]


def added(task: Sum) -> int:
    if -1 in task.numbers or (-2 in task.numbers and not task.again):
        os.kill(os.getpid(), signal.SIGKILL)
    if -3 in task.numbers:
        raise ValueError("minus three")
    return sum(task.numbers)


@pytest.fixture(params=["fork", "spawn"])
def start(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Both ways to make workers."""
    if request.param == "spawn":
        monkeypatch.setattr(parallel, "_forked", lambda: None)
    else:
        need(sys.platform not in ("win32", "darwin"), "workers are forked on Linux and the BSDs")
    return str(request.param)


def children(of: int) -> set[int]:
    """The processes that one has started and not yet seen off."""
    with subprocess.Popen(["ps", "-A", "-o", "pid=,ppid="], stdout=subprocess.PIPE, text=True) as listing:
        assert listing.stdout is not None
        pairs = [tuple(map(int, line.split())) for line in listing.stdout]
    return {number for number, parent in pairs if parent == of and number != listing.pid}


def test_outcomes_come_in_the_order_of_the_tasks(start: str) -> None:
    items = [each for number in range(40) for each in (Sum((number, 1)), f"behind {number}")]
    expected = [each for n in range(40) for each in ((Sum((n, 1)), n + 1), (f"behind {n}", None))]
    assert list(in_order(items, added, 3)) == expected


def test_a_dead_worker_costs_only_what_killed_it(start: str) -> None:
    items = [Sum((1, 2)), Sum((3, -1, 4)), Sum((5, -2)), Sum((6,)), Sum((-1,))]
    found = list(in_order(items, added, 2))
    assert [task.numbers for task, _ in found] == [(1, 2), (3,), (-1,), (4,), (5,), (-2,), (6,), (-1,)]
    outcomes = [outcome for _, outcome in found]
    assert [each for each in outcomes if not isinstance(each, Died)] == [3, 3, 4, 5, -2, 6]
    assert {each.reason for each in outcomes if isinstance(each, Died)} == {"was ended by SIGKILL"}


def test_what_the_work_raises_comes_at_its_turn(start: str) -> None:
    stream = in_order([Sum((1,)), Sum((-3,)), Sum((2,))], added, 2)
    assert next(stream) == (Sum((1,)), 1)
    with pytest.raises(ValueError, match="minus three") as raised:
        next(stream)
    assert "in added" in raised.value.__notes__[0]


def test_no_more_is_held_than_said_and_none_is_left_over(start: str) -> None:
    before = children(os.getpid())
    taken: list[int] = []

    def items() -> Iterator[Sum]:
        for number in range(1000):
            taken.append(number)
            yield Sum((number,))

    stream = in_order(items(), added, 2)
    for _ in range(10):
        next(stream)
    assert len(taken) <= 10 + 2 * parallel.WINDOW + 1
    stream.close()
    time.sleep(0.1)
    left = children(os.getpid()) - before
    # what watches over shared resources belongs to the standard library, and stays until the program ends
    assert len(left) <= (1 if start == "spawn" else 0)


# --- the command --------------------------------------------------------------------------------------------------


def command(*arguments: str, before: str = "", **more: Any) -> list[str]:
    """The command line, with something done in the process before it begins: its forked workers inherit it."""
    program = f"import os, signal, sys, time\n{before}\nfrom evalschema.entry import main\nmain()"
    return [sys.executable, "-c", program, "check", *arguments]


def run(*arguments: str, status: int | None = None, before: str = "", **more: Any) -> subprocess.CompletedProcess[str]:
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("GITHUB_", "CI"))}
    done = subprocess.run(
        command(*arguments, before=before),
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        env=environment,
        **more,
    )
    assert "Traceback" not in done.stderr, done.stderr
    assert status is None or done.returncode == status, done.stdout + done.stderr
    return done


SPAWN = "from evalschema import parallel; parallel._forked = lambda: None"


def all_formats(folder: Path, jobs: int, *arguments: str, before: str = "") -> tuple[int, str, str, dict[str, bytes]]:
    """What is told on standard output and error, and in a file of every format."""
    folder.mkdir()
    outputs = [part for name in formats() for part in ("--output", f"{name}={folder / name}")]
    done = run("--jobs", str(jobs), *outputs, *arguments, before=before, cwd=ROOT)
    return done.returncode, done.stdout, done.stderr, {name: (folder / name).read_bytes() for name in formats()}


def trees(into: Path) -> Path:
    """All examples, each under a name of its kind in a folder of its own."""
    names = {"run": "run.json", "evals": "evals/evals.json"}
    for path in sorted((ROOT / "schemas/examples").glob("*/*/*.json")):
        if not path.name.endswith(".findings.json"):
            kind = path.parts[-3]
            target = into / f"{path.stem}-{path.parts[-2]}" / names.get(kind, f"{kind}.json")
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(path.read_bytes())
    return into


@pytest.mark.parametrize("what", ["files", "folder", "workspaces", "folders without workspaces"])
def test_the_output_is_that_of_one_process(tmp_path: Path, what: str) -> None:
    examples = [str(path.relative_to(ROOT)) for path in sorted((ROOT / "schemas/examples").glob("*/*/*.json"))]
    arguments = {
        "files": [*examples[::7], "nowhere.json", *examples[1::7]],
        "folder": [str(trees(tmp_path / "examples"))],
        "workspaces": ["tests/workspaces", "docs/demo"],
        "folders without workspaces": ["--no-workspace", "tests/workspaces", "docs/demo", str(tmp_path)],
    }[what]
    expected = all_formats(tmp_path / "1", 1, *arguments)
    assert expected[0] == 1
    ways = (
        [(3, "")] + ([(2, SPAWN)] if what == "workspaces" else []) + dose([], [(1, ""), (2, ""), (2, SPAWN), (5, "")])
    )
    for jobs, before in dict.fromkeys(ways):
        assert all_formats(tmp_path / f"{jobs}{bool(before)}", jobs, *arguments, before=before) == expected


def lines(count: int) -> bytes:
    """JSON Lines of some megabytes: blank lines, bad ones, a byte order mark and broken text among the sound ones."""
    random = Random(1)  # noqa: S311

    def timing(of: dict[str, Any]) -> bytes:
        return json.dumps(of | {"notes": random.randbytes(150).hex()}).encode()

    odd = {7: b"", 1000: timing(BAD), 1001: b"   ", count // 2: b"\xef\xbb\xbf" + timing(SOUND)}
    odd |= {count - 9: b'{"total_tokens": ', count - 3: timing(BAD)}
    return b"\n".join(odd.get(number) or timing(SOUND) for number in range(count))


@pytest.mark.parametrize("form", ["plain", "packed", "cut off"])
def test_lines_of_one_file_are_checked_as_in_one_process(tmp_path: Path, form: str) -> None:
    content = lines(8000)
    name = "timings.jsonl" if form == "plain" else "timings.jsonl.gz"
    if form != "plain":
        content = gzip.compress(content, 1)
    if form == "cut off":
        content = content[: len(content) * 4 // 5]
    (tmp_path / name).write_bytes(content)
    for limit in dose(("3",), ("1", "3", "100")):
        expected = all_formats(tmp_path / f"1-{limit}", 1, "--max-findings", limit, str(tmp_path / name))
        assert expected[0] == 1
        for jobs in dose((2,), (2, 3)):
            found = all_formats(tmp_path / f"{jobs}-{limit}", jobs, "--max-findings", limit, str(tmp_path / name))
            assert found == expected


# --- what may happen to workers -----------------------------------------------------------------------------------

KILLS = """
from evalschema import files
plain = files.examine
def examine(data, *rest):
    if b"KILLS" in data:
        os.kill(os.getpid(), signal.SIGKILL)
    return plain(data, *rest)
files.examine = examine
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Timings in 40 folders, every tenth of them bad."""
    for number in range(40):
        place = tmp_path / f"run-{number:02}"
        place.mkdir()
        (place / "timing.json").write_text(json.dumps(SOUND if number % 10 else BAD), "utf-8")
    return tmp_path


def told(done: subprocess.CompletedProcess[str]) -> dict[str, list[str]]:
    """The codes that were found in each file, by its path, in order."""
    return {each["path"]: [found["code"] for found in each["findings"]] for each in json.loads(done.stdout)["files"]}


def test_a_document_that_kills_its_worker_is_told_and_the_rest_is_checked(folder: Path) -> None:
    need(hasattr(os, "fork"), "only a copy of the process inherits what kills it")
    for name in ("run-07", "run-23"):
        (folder / name / "timing.json").write_text(json.dumps(SOUND | {"note": "KILLS"}), "utf-8")
    for where in (["."], ["--no-workspace", "."], sorted(str(path) for path in folder.glob("*/timing.json"))):
        done = run("--jobs", "2", "--format", "json", *where, before=KILLS, cwd=folder, status=70)
        found = {
            os.path.relpath(path, folder if os.path.isabs(path) else "."): codes for path, codes in told(done).items()
        }
        assert len(found) == 40
        assert {path for path, codes in found.items() if codes == ["internal"]} == {
            "run-07/timing.json",
            "run-23/timing.json",
        }
        assert sum(codes == ["schema.type"] for codes in found.values()) == 4
        assert done.stderr.count("died") == 0
        assert done.stderr.count("timing.json: the process that checked this document was ended by SIGKILL") == 2


def test_a_line_that_kills_its_worker_is_told_and_the_rest_is_checked(tmp_path: Path) -> None:
    need(hasattr(os, "fork"), "only a copy of the process inherits what kills it")
    texts = lines(8000).split(b"\n")
    texts[2500] = json.dumps(SOUND | {"note": "KILLS"}).encode()
    for name, content in (("a.jsonl", b"\n".join(texts)), ("a.jsonl.gz", gzip.compress(b"\n".join(texts), 1))):
        (tmp_path / name).write_bytes(content)
        done = run("--jobs", "2", "--format", "json", name, before=KILLS, cwd=tmp_path, status=70)
        (entry,) = json.loads(done.stdout)["files"]
        found = {each["line"]: each["code"] for each in entry["findings"]}
        assert found == {
            1001: "schema.type",
            2501: "internal",
            4001: "json.bom",
            7992: "json.truncated",
            7998: "schema.type",
        }
        assert f"{name}: line 2,501: the process that checked this document was ended by SIGKILL" in done.stderr


def test_a_workspace_that_kills_its_worker_is_told_and_its_files_are_checked_each_by_itself(tmp_path: Path) -> None:
    need(hasattr(os, "fork"), "only a copy of the process inherits what kills it")
    import shutil

    for name in ("WSP003-other-seconds", "WSP006-rounded", "WSP010-one-configuration"):
        shutil.copytree(ROOT / "tests/workspaces" / name, tmp_path / name)
    kills = """
from evalschema.workspace import checking
plain = checking.judged_together
def judged_together(folder, unit, settings):
    if any("WSP006" in top for top in unit.tops()):
        os.kill(os.getpid(), signal.SIGKILL)
    return plain(folder, unit, settings)
checking.judged_together = judged_together
"""
    whole = told(run("--format", "json", ".", cwd=tmp_path))
    done = run("--jobs", "2", "--format", "json", ".", cwd=tmp_path, before=kills, status=70)
    found = told(done)
    assert found.pop("./WSP006-rounded/iteration-1") == ["internal"]
    assert "WSP006-rounded/iteration-1: the process that judged this workspace died" in done.stderr
    assert found.keys() == whole.keys()
    assert {path: found[path] for path in found if "WSP006" not in path} == {
        path: codes for path, codes in whole.items() if "WSP006" not in path
    }


CRASHES = """
from evalschema.errors import RuleError
from evalschema import files
plain = files.examine
def examine(data, *rest):
    if b"CRASHES" in data:
        raise RuleError("TIM001", "timing")
    return plain(data, *rest)
files.examine = examine
"""


@pytest.mark.parametrize("where", [["."], ["--no-workspace", "."], ["run-06/timing.json", "run-07/timing.json"]])
def test_a_rule_that_crashes_is_told_as_in_one_process(folder: Path, where: list[str]) -> None:
    (folder / "run-07" / "timing.json").write_text(json.dumps(SOUND | {"note": "CRASHES"}), "utf-8")
    arguments = ("--format", "json", *where)
    one, three = (run("--jobs", jobs, *arguments, before=CRASHES, cwd=folder, status=70) for jobs in ("1", "3"))
    assert (one.stdout, one.stderr) == (three.stdout, three.stderr)
    assert told(one)["./run-07/timing.json" if where[-1] == "." else "run-07/timing.json"] == ["internal"]
    assert len(told(one)) == (40 if where[-1] == "." else 2)


SLOW = """
from evalschema import files
plain = files.examine
def examine(data, *rest):
    time.sleep(0.3)
    return plain(data, *rest)
files.examine = examine
"""


@pytest.mark.parametrize("how", ["SIGINT", "SIGTERM", "SIGKILL"])
def test_nothing_is_left_of_a_check_that_is_ended(folder: Path, how: str) -> None:
    need(hasattr(os, "fork"), "signals are those of POSIX")
    line = command("--jobs", "3", "--output", "report.json", ".", before=SLOW)
    with subprocess.Popen(
        line, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
    ) as it:
        workers = _until(lambda: children(it.pid), lambda found: len(found) == 3)
        number = getattr(signal, how)
        if how == "SIGINT":
            os.killpg(it.pid, number)  # as a terminal does it
        else:
            it.send_signal(number)
        _, complaint = it.communicate(timeout=30)
    assert it.returncode == -number
    assert complaint.strip() == b""
    _until(lambda: {worker for worker in workers if _runs(worker)}, lambda left: not left)
    if how != "SIGKILL":
        assert sorted(os.listdir(folder)) == [f"run-{number:02}" for number in range(40)]


def _until(look: Callable[[], set[int]], fits: Callable[[set[int]], bool]) -> set[int]:
    end = time.monotonic() + 20
    while not fits(found := look()):
        assert time.monotonic() < end, found
        time.sleep(0.05)
    return found


def _runs(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


def test_an_output_that_nobody_reads_ends_the_workers(folder: Path) -> None:
    line = command("--jobs", "2", "--format", "jsonl", ".", before=SLOW.replace("0.3", "0.02"))
    with subprocess.Popen(line, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as it:
        assert it.stdout is not None
        it.stdout.close()
        assert it.stderr is not None
        complaint = it.stderr.read()
    assert it.returncode == 3
    assert b"Traceback" not in complaint


@pytest.mark.parametrize("jobs", ["0", "-1", "two", "1.5", ""])
def test_a_number_of_jobs_that_is_none_is_refused(folder: Path, jobs: str) -> None:
    done = run("--jobs", jobs, ".", cwd=folder, status=2)
    assert "Invalid value for '--jobs'" in done.stderr


def test_little_is_checked_without_workers(folder: Path) -> None:
    forbids = "from evalschema import parallel\nparallel.in_order = None"
    run(".", cwd=folder, before=forbids, status=1)
    run("--jobs", "1", ".", cwd=folder, before=forbids, status=1)
