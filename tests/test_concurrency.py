"""Whoever asks, and however many at once: the same findings as one thread alone, and nothing of the process is changed.

Everything runs in processes of its own, so that nothing is ready made: what is imported late is imported by many
threads at once, and while others fork.
"""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import os
import pickle
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from functools import cache
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from evalschema import DocumentError, RuleError, SchemaError, UnknownKindError, check_bytes, load, validate
from evalschema.catalog import kinds
from evalschema.fix import repair
from evalschema.reading import Unreadable, read
from tests.dose import dose
from tests.fuzz.damage import byte_mutants, hostile_mutants, seeds, spelled

if TYPE_CHECKING:
    from evalschema import Kind
    from tests.conftest import Figure

ROOT = Path(__file__).parents[1]
THREADS = 32
Job = tuple[str, bytes]


def jobs(each: int) -> list[Job]:
    """Documents of all kinds, sound and damaged, and broken bytes."""
    random = Random(3)  # noqa: S311
    found: list[Job] = []
    for kind in kinds():
        sources = seeds(kind)
        found += [(kind, data) for data in sources[:each]]
        found += [(kind, spelled(document, random)) for document in hostile_mutants(kind, each, 11)]
        found += [(kind, data) for data in byte_mutants(sources, each, 11)]
    random.shuffle(found)
    return found


def answer(job: Job) -> str:
    """All that is said of one document, through the library and the repairs, in short."""
    kind: Any = job[0]
    result = check_bytes(job[1], kind)
    told: list[Any] = [result.to_dict(), check_bytes(job[1]).to_dict()]
    if not any(finding.code.startswith("json.") for finding in result.findings):
        told.append(validate(json.loads(job[1]), kind).to_dict())
    if len(job[1]) < 1500:
        told.append(repair(job[1], kind, unsafe=True).data.hex())
    return sha256(json.dumps(told).encode()).hexdigest()


def answers(found: list[Job]) -> list[str]:
    """One after the other."""
    return [answer(job) for job in found]


@cache
def alone(each: int) -> list[str]:
    """What one thread of a process of its own answers."""
    return _told("alone", each)


# --- what runs in processes of its own ------------------------------------------------------------------------------


def _in_threads(found: list[Job]) -> list[str]:
    """Every thread answers all, each in another order; they begin at once."""
    barrier = threading.Barrier(THREADS)

    def work(number: int) -> list[str]:
        barrier.wait()
        turn = number * len(found) // THREADS
        said = answers([*found[turn:], *found[:turn]])
        return [*said[len(found) - turn :], *said[: len(found) - turn]]

    with ThreadPoolExecutor(THREADS) as pool:
        first, *others = pool.map(work, range(THREADS))
    assert all(other == first for other in others), "threads answer differently"
    return first


def _in_forks(found: list[Job], forks: int) -> list[str]:
    """Children that are forked while threads are inside answer as their parent does; the first while it imports."""
    stop = threading.Event()

    def busy(number: int) -> None:
        while not stop.is_set():
            answer(found[number % len(found)])
            number += 1

    workers = [threading.Thread(target=busy, args=(7 * number,), daemon=True) for number in range(8)]
    for worker in workers:
        worker.start()
    said: list[str] = []
    try:
        for number in range(forks):
            time.sleep(0.002 * (number % 7))
            said.append(_forked(found[number % len(found)]))
    finally:
        stop.set()
    for worker in workers:
        worker.join()
    return said


def _forked(job: Job) -> str:
    """What a child answers; one that hangs is killed, and answers nothing."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.write(writer, answer(job).encode())
        os._exit(0)
    os.close(writer)
    deadline = time.monotonic() + 60
    while os.waitpid(child, os.WNOHANG) == (0, 0):
        if time.monotonic() > deadline:
            os.kill(child, 9)
            os.waitpid(child, 0)
            break
        time.sleep(0.005)
    with open(reader, "rb") as pipe:
        return pipe.read().decode()


def _in_tasks(found: list[Job]) -> list[str]:
    async def gathered() -> list[str]:
        return list(await asyncio.gather(*(asyncio.to_thread(answer, job) for job in found)))

    return asyncio.run(gathered())


def _in_processes(found: list[Job], method: str) -> list[str]:
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context(method)) as pool:
        return list(pool.map(answer, found, chunksize=8))


WAYS: dict[str, Callable[[int], list[str]]] = {
    "alone": lambda each: answers(jobs(each)),
    "threads": lambda each: _in_threads(jobs(each)),
    "fork": lambda each: _in_forks(jobs(each), dose(40, 20)),
    "asyncio": lambda each: _in_tasks(jobs(each)),
    "spawn": lambda each: _in_processes(jobs(each), "spawn"),
    "forkserver": lambda each: _in_processes(jobs(each), "forkserver"),
}


def _told(way: str, each: int) -> list[str]:
    """The answers of a fresh process."""
    done = subprocess.run(
        [sys.executable, "-W", "ignore::DeprecationWarning", "-m", "tests.test_concurrency", way, str(each)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    assert done.returncode == 0, done.stderr
    told: list[str] = json.loads(done.stdout)
    return told


# --- the tests ----------------------------------------------------------------------------------------------------


@pytest.mark.promise("concurrency")
def test_threads_say_what_one_says(figure: Figure) -> None:
    rounds = dose(2, 20)
    for _ in range(rounds):
        assert _told("threads", 1) == alone(1)
    figure(f"threads that begin at once, {THREADS}, on all kinds", f"the same as one, {rounds} times")


@pytest.mark.promise("concurrency")
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_children_that_are_forked_while_threads_are_inside_say_the_same(figure: Figure) -> None:
    expected = alone(1)
    right = tried = 0
    for _ in range(dose(1, 20)):
        said = _told("fork", 1)
        right += sum(a == expected[i % len(expected)] for i, a in enumerate(said))
        tried += len(said)
    assert right == tried, f"{tried - right} of {tried} children hang or say something else"
    figure("children forked while 8 threads are inside", f"{right} of {tried} say the same")


READY = """
import sys, threading
from evalschema import validator
done = threading.Event()
threading.Thread(target=done.wait).start()
validator._load_before_fork()
done.set()
before = set(sys.modules)
import tests.test_concurrency
brought = set(sys.modules) - before
from tests.test_concurrency import answers, jobs
found = jobs(6)
known = set(sys.modules)
answers(found)
late = sorted(name for name in set(sys.modules) - known)
assert not late, late
assert not {name for name in brought if name.startswith("evalschema.")}, brought
"""


def test_nothing_is_loaded_late_once_a_fork_has_been_prepared() -> None:
    done = subprocess.run([sys.executable, "-c", READY], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.promise("concurrency")
@pytest.mark.parametrize("way", ["asyncio", "spawn", "forkserver"])
def test_tasks_and_processes_say_the_same(way: str, figure: Figure) -> None:
    if way in ("spawn", "forkserver") and way not in multiprocessing.get_all_start_methods():
        pytest.skip(f"this system has no {way}")
    each = dose(1, 20)
    told = _told(way, each)
    assert told == alone(each)
    figure(f"documents through {way}", f"{len(told)} of {len(told)} the same")


@pytest.mark.promise("concurrency")
def test_what_is_returned_and_raised_can_be_sent_to_another_process(figure: Figure) -> None:
    count = 0
    for kind, data in jobs(3):
        result = check_bytes(data, kind)  # type: ignore[arg-type]
        assert pickle.loads(pickle.dumps(result)) == result  # noqa: S301
        count += 1
    for error in _errors():
        again = pickle.loads(pickle.dumps(error))  # noqa: S301
        assert type(again) is type(error)
        assert str(again) == str(error)
        assert vars(again) == vars(error)
    figure("results that come back from pickling as they were", f"{count} of {count}")


def _errors() -> list[Exception]:
    found: list[Exception] = [RuleError("GRD001", "grading")]

    def caught(kind: type[Exception], work: Callable[[], object]) -> None:
        with pytest.raises(kind) as raised:
            work()
        found.append(raised.value)

    unknown: Any = "gradin"
    caught(Unreadable, lambda: read(b'{"a": 1,}'))
    caught(DocumentError, lambda: load({}, "timing"))
    caught(UnknownKindError, lambda: validate({}, unknown))
    caught(SchemaError, lambda: validate({}, schema={"$ref": "#/nowhere"}))
    return found


def test_a_kind_is_still_a_kind_in_another_thread() -> None:
    kind: Kind = "timing"
    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(validate, {}, kind).result() == validate({}, kind)


STATE = """
import atexit, decimal, gc, locale, logging, os, random, signal, sys, threading, time, warnings
def state():
    mask = os.umask(0); os.umask(mask)
    return {
        "folder": os.getcwd(), "environment": dict(os.environ), "mask": mask, "recursion": sys.getrecursionlimit(),
        "digits": sys.get_int_max_str_digits(), "switch": sys.getswitchinterval(), "path": list(sys.path),
        "hooks": (sys.excepthook, sys.displayhook, sys.gettrace(), sys.getprofile(), threading.excepthook),
        "signals": {number: signal.getsignal(number) for number in sorted(signal.valid_signals())},
        "locale": locale.setlocale(locale.LC_ALL), "zone": time.tzname,
        "collecting": (gc.isenabled(), gc.get_threshold()), "handlers": list(logging.root.handlers),
        "filters": list(warnings.filters), "random": random.getstate(), "decimal": repr(decimal.getcontext()),
        "threads": threading.active_count(), "files": sorted(os.listdir("/dev/fd")),
        "streams": (sys.stdout, sys.stderr),
    }
before = state()
"""
IMPORT = """
import importlib, pkgutil, evalschema
for module in pkgutil.walk_packages(evalschema.__path__, "evalschema."):
    if not module.name.endswith("__main__") and ".integrations" not in module.name:
        importlib.import_module(module.name)
"""
USE = """
from evalschema import check_bytes, check_file, dump, load, validate
from evalschema.fix import repair
from tests.test_concurrency import answers, jobs
answers(jobs(1))
check_file("nowhere.json")
dump(load({"total_tokens": 5, "duration_ms": 1000, "total_duration_seconds": 1.0}, "timing"))
"""
COMPARE = """
after = state()
changed = [name for name in before if before[name] != after[name]]
assert not changed, [(name, before[name], after[name]) for name in changed]
"""


@pytest.mark.promise("concurrency")
@pytest.mark.skipif(not os.path.exists("/dev/fd"), reason="needs /dev/fd")
def test_neither_import_nor_use_changes_anything_of_the_process(figure: Figure) -> None:
    for program in (IMPORT, USE):
        done = subprocess.run(
            [sys.executable, "-c", STATE + program + COMPARE], cwd=ROOT, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
    figure("settings of the process that import or use changes", f"0 of {STATE.count(': ') - 1}")


if __name__ == "__main__":
    sys.stdout.write(json.dumps(WAYS[sys.argv[1]](int(sys.argv[2]))))
