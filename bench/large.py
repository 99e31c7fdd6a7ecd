"""One large benchmark document, sound and with one error: how many times `json.loads` of it the answer takes."""

from __future__ import annotations

import json
from copy import deepcopy
from functools import partial
from time import perf_counter
from typing import TYPE_CHECKING

from bench.rules import benchmark
from evalschema import check_bytes

if TYPE_CHECKING:
    from collections.abc import Callable


def seconds(work: Callable[[], object], rounds: int = 5) -> float:
    """The best of some rounds."""
    times: list[float] = []
    for _ in range(rounds):
        start = perf_counter()
        work()
        times.append(perf_counter() - start)
    return min(times)


def main() -> None:
    for runs in (100, 1_000, 10_000):
        document = benchmark(runs)
        sound = json.dumps(document).encode()
        broken_document = deepcopy(document)
        broken_document["runs"][runs // 2]["result"] |= {"pass_rate": "0.5"}
        broken = json.dumps(broken_document).encode()
        base = seconds(partial(json.loads, sound))
        for name, data in (("sound", sound), ("one error", broken)):
            taken = seconds(partial(check_bytes, data, "benchmark"))
            errors = len(check_bytes(data, "benchmark").errors)
            size = f"{runs:>6} runs, {len(data) / 1e6:.2f} MB, {name} ({errors} found)"
            print(f"{size}: {taken / base:.2f} × json.loads")


if __name__ == "__main__":
    main()
