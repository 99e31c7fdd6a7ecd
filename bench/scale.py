"""How the cost of checking grows: with size, documents, findings, files, workers; and what it holds in memory.

    python -m bench.scale [ROUNDS] [SECTION ...]

All figures are ratios in one run, of processor time where one process works and of elapsed time where several do: the
best of the rounds, which are interleaved. The sections are the functions below; without any, all of them run.
"""

from __future__ import annotations

import gzip
import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from copy import deepcopy
from functools import partial
from pathlib import Path
from random import Random
from time import perf_counter, process_time
from typing import Any

from bench.inputs import benchmark
from evalschema.integrations.batch import validate_batch, validate_lines
from tests.consistent import grading

Works = dict[str, tuple[Callable[[], object], float]]


def measured(works: Works, rounds: int, clock: Callable[[], float] = process_time) -> dict[str, float]:
    """Seconds of each work for one of the things that it handles, the best round of all."""
    best = dict.fromkeys(works, float("inf"))
    for _ in range(rounds):
        for name, (work, amount) in works.items():
            start = clock()
            work()
            best[name] = min(best[name], (clock() - start) / amount)
    return best


def show(title: str, figures: dict[str, float], unit: str) -> None:
    print(f"\n{title} (× {unit})")
    for name, value in figures.items():
        print(f"  {name:44} {value / figures[unit]:8.2f}")


def alone(works: Works, rounds: int, whole: str, shared: str) -> None:
    """The share of the processor time that more workers do not take over: it limits what they gain."""
    spent = measured({name: works[name] for name in (whole, shared)}, rounds)
    print(f"  of the processor time {spent[shared] / spent[whole]:.2f} stays in the process that hands out the work")


def gradings(count: int, wrong: float = 0.0, seed: int = 1) -> list[bytes]:
    """Gradings of about 1.8 KB; a share of them claims another pass rate than its list."""
    random = Random(seed)
    texts: list[bytes] = []
    while len(texts) < count:
        document = grading(random)
        if len(document["expectations"]) < 6:
            continue
        for check in document["expectations"]:
            check["evidence"] += ", and the file that the agent wrote names the same sum for the region"
        if random.random() < wrong:
            document["summary"]["pass_rate"] = 0.123
        texts.append(json.dumps(document).encode())
    return texts


def _parsing() -> tuple[Callable[[], object], float]:
    """The unit: json.loads of a grading of about 1.8 KB."""
    pool = gradings(2000)
    return lambda: [json.loads(text) for text in pool], len(pool)


def documents(rounds: int) -> None:
    """The cost of one document, and how it stays when there are more."""
    pool = gradings(2000)
    names = [f"eval-{index}/run-1/grading.json" for index in range(len(pool))]
    works: Works = {"json.loads": _parsing()}
    for count in (200, 2000, 20_000, 100_000):
        times = count // len(pool) or 1
        part = min(count, len(pool))

        def work(times: int = times, part: int = part) -> None:
            for _ in range(times):
                validate_batch(names[:part], pool[:part])

        works[f"{count:,} gradings, kind told"] = (work, count)
    works["2,000 gradings, kind named"] = (lambda: validate_batch(names, pool, "grading"), len(pool))
    data = b"\n".join(pool)
    packed = gzip.compress(data)
    works["2,000 lines"] = (lambda: list(validate_lines("g.jsonl", data, "grading")), len(pool))
    works["2,000 lines, gzip"] = (lambda: list(validate_lines("g.jsonl.gz", packed, "grading")), len(pool))
    show(f"documents of {len(data) // len(pool):,} bytes", measured(works, rounds), "json.loads")


def size(rounds: int) -> None:
    """One benchmark document with more and more runs: the cost of a run, beside json.loads of the same."""
    works: Works = {}
    for count in (10, 100, 1000, 10_000, 50_000):
        text = json.dumps(benchmark(count)).encode()
        times = max(1, 2000 // count)

        def parse(text: bytes = text, times: int = times) -> None:
            for _ in range(times):
                json.loads(text)

        def check(text: bytes = text, times: int = times) -> None:
            for _ in range(times):
                (row,) = validate_batch(["benchmark.json"], [text])
                assert row.ok  # noqa: S101 - a document with findings would measure something else

        works[f"json.loads, {count:,} runs"] = (parse, times * count)
        works[f"checked, {count:,} runs"] = (check, times * count)
    show("one document, cost of a run", measured(works, rounds), "json.loads, 100 runs")


def findings(rounds: int) -> None:
    """Bad documents: what a finding costs, alone and among many."""
    sound = benchmark(2000)
    works: Works = {}
    for count in (0, 1, 10, 100, 1000):
        document = deepcopy(sound)
        for run in document["runs"][:count]:
            run["result"]["time_seconds"] = "12 s"
        text = json.dumps(document).encode()
        works[f"2,000 runs, {count:,} of a wrong type"] = (partial(validate_batch, ["benchmark.json"], [text]), 1)
    show("findings in one document", measured(works, rounds), "2,000 runs, 0 of a wrong type")
    works = {}
    for share in (0.0, 0.01, 0.1, 1.0):
        texts = gradings(1000, share)
        names = ["grading.json"] * len(texts)
        works[f"{share:.0%} of 1,000 documents are bad"] = (partial(validate_batch, names, texts), 1)
    show("bad documents among good ones", measured(works, rounds), "0% of 1,000 documents are bad")


def _tree(folder: Path, count: int) -> None:
    for index, text in enumerate(gradings(count, seed=count)):
        place = folder / f"group-{index // 1000}" / f"eval-{index}"
        place.mkdir(parents=True)
        (place / "grading.json").write_bytes(text)


def files(rounds: int) -> None:
    """Files on a disk: listed, read, checked, written as Parquet; by one process and by two."""
    from evalschema.integrations import job
    from evalschema.integrations.pool import check_urls, listed

    with tempfile.TemporaryDirectory() as name:
        works: Works = {}
        for count in (1000, 10_000):
            folder = Path(name) / str(count)
            _tree(folder, count)
            glob = [f"{folder}/**/grading.json"]
            works[f"{count:,} files listed"] = (lambda glob=glob: list(listed(glob, {})), count)  # type: ignore[misc]
            for workers in (0, 1, 2):

                def check(glob: list[str] = glob, workers: int = workers) -> None:
                    for _ in check_urls(glob, workers=workers):
                        pass

                works[f"{count:,} files, {workers or 'no'} workers"] = (check, count)
            out = Path(name) / f"out-{count}"

            def write(glob: list[str] = glob, out: Path = out) -> None:
                shutil.rmtree(out, ignore_errors=True)
                job.run(glob, out, workers=0)

            works[f"{count:,} files, no workers, Parquet"] = (write, count)
            works[f"{count:,} files, all done before"] = (
                lambda glob=glob, out=out: job.run(glob, out, workers=0),  # type: ignore[misc]
                count,
            )
        works["json.loads"] = _parsing()
        show("files, elapsed time of one", measured(works, rounds, perf_counter), "json.loads")
        alone(works, rounds, "10,000 files, no workers", "10,000 files, 2 workers")
        written = Path(name) / "out-10000"
        for table in ("documents", "manifest"):
            held = sum(path.stat().st_size for path in (written / table).iterdir())
            print(f"  {table}: {held / 10_000:.0f} bytes a document")


def lines(rounds: int) -> None:
    """One file of JSON Lines by several workers: elapsed time, start of the workers included."""
    from evalschema.integrations.pool import check_urls

    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "gradings.jsonl"
        count = 100_000
        path.write_bytes(b"\n".join(gradings(2000) * (count // 2000)))
        works: Works = {}
        for workers in (0, 1, 2):

            def check(workers: int = workers) -> None:
                for _ in check_urls([str(path)], "grading", workers=workers):
                    pass

            works[f"{count:,} lines, {workers or 'no'} workers"] = (check, count)
        works["json.loads"] = _parsing()
        show(f"lines, {path.stat().st_size / 1e6:.0f} MB", measured(works, rounds, perf_counter), "json.loads")
        alone(works, rounds, f"{count:,} lines, no workers", f"{count:,} lines, 2 workers")


# not getrusage: what it says of a child begins with the memory of its parent
_PEAK = """
import sys
from evalschema import check_lines
from evalschema.integrations.pool import check_urls, listed
work, path = sys.argv[1:]
if work == "lines":
    for _ in check_lines(path, "grading"): pass
elif work == "listed":
    kept = list(listed([path], {}))
elif work == "pool":
    for _ in check_urls([path], workers=0): pass
with open("/proc/self/status") as status:
    print(next(line.split()[1] for line in status if line.startswith("VmHWM")))
"""


def memory(rounds: int) -> None:
    """The largest memory of a process, in MB: what grows with the input, and what does not. Needs /proc."""
    del rounds
    with tempfile.TemporaryDirectory() as name:
        texts = gradings(2000)
        print("\nlargest memory of a process (MB)")
        for count in (2000, 20_000, 200_000):
            path = Path(name) / f"{count}.jsonl"
            path.write_bytes(b"\n".join(texts * (count // 2000)))
            print(f"  {count:,} lines, {path.stat().st_size / 1e6:.0f} MB {_peak('lines', str(path)):40.0f}")
            path.unlink()
        for count in (1000, 10_000, 50_000):
            folder = Path(name) / str(count)
            _tree(folder, count)
            glob = f"{folder}/**/grading.json"
            print(f"  {count:,} files, listed {_peak('listed', glob):8.0f}, checked {_peak('pool', glob):8.0f}")


def _peak(work: str, path: str) -> float:
    done = subprocess.run([sys.executable, "-c", _PEAK, work, path], capture_output=True, text=True, check=True)
    return int(done.stdout) / 1024


def spark(rounds: int) -> None:
    """Spark on this machine: what its start costs, and what a document costs in it, beside the plain function."""
    import os
    from importlib.util import find_spec

    if find_spec("pyspark") is None:
        print("\nSpark is not installed: pip install --group scale")
        return
    os.environ |= {"SPARK_LOCAL_IP": "127.0.0.1", "PYSPARK_PYTHON": sys.executable}
    from pyspark.sql import SparkSession

    from evalschema.integrations import spark as adapter

    start = perf_counter()
    quiet: dict[str, Any] = {"spark.ui.enabled": "false", "spark.driver.host": "127.0.0.1"}
    session = SparkSession.builder.master("local[2]").config(map=quiet).getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "gradings.jsonl"
        texts = gradings(2000)
        path.write_bytes(b"\n".join(texts * 50))
        frame = session.read.text(str(path)).selectExpr("'g' as path", "value").repartition(8).cache()
        frame.count()
        print(f"\nSpark stood ready after {perf_counter() - start:.0f} s")
        works: Works = {
            "json.loads": _parsing(),
            "plain function, one process": (lambda: validate_batch(["g"] * 2000, texts, "grading"), 2000),
            "Spark, local[2], 100,000 lines": (
                lambda: adapter.check(frame, "grading", text="value").where("not ok").count(),
                100_000,
            ),
        }
        show("Spark, elapsed time of a document", measured(works, rounds, perf_counter), "json.loads")
    session.stop()


SECTIONS = (documents, size, findings, files, lines, memory, spark)


def main(rounds: str = "5", *sections: str) -> None:
    for section in SECTIONS:
        if not sections or section.__name__ in sections:
            section(int(rounds))


if __name__ == "__main__":
    main(*sys.argv[1:])
