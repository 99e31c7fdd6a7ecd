"""Runs in turns, compared round by round: what slows a round slows both sides of a ratio."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median, quantiles
from time import perf_counter, process_time
from typing import Generic, Literal, NamedTuple, TypeVar

Measure = Literal["elapsed", "processor", "memory"]
Name = TypeVar("Name", bound=Hashable)
LAUNCH = Path(__file__).with_name("launch.py")


class Failed(Exception):
    """A program did not do what is measured: it could not start, or its verdict was another one."""


class Sample(NamedTuple):
    """What one run took: seconds that passed, seconds of processor time, MB of its largest process."""

    elapsed: float
    processor: float
    memory: float


Work = Callable[[], Sample]


class Ratio(NamedTuple):
    """The middle of the ratios of all rounds, and the quartiles around it."""

    middle: float
    low: float
    high: float


@dataclass
class Samples(Generic[Name]):
    """What the runs took, by name, in the order of the rounds; and why some have none."""

    taken: dict[Name, list[Sample]]
    failed: dict[Name, str]

    def ratio(self, name: Name, base: Name, measure: Measure) -> Ratio | None:
        """How many times `base` is what `name` took; None where one of them was not measured."""
        if name not in self.taken or base not in self.taken:
            return None
        pairs = zip(self.taken[name], self.taken[base], strict=True)
        return spread([getattr(one, measure) / getattr(other, measure) for one, other in pairs])

    def memory(self, name: Name) -> float | None:
        """The largest memory of all rounds, in MB."""
        return max(sample.memory for sample in self.taken[name]) if name in self.taken else None


def spread(ratios: Sequence[float]) -> Ratio:
    """Median and quartiles."""
    if len(ratios) == 1:
        return Ratio(ratios[0], ratios[0], ratios[0])
    low, _, high = quantiles(ratios, n=4, method="inclusive")
    return Ratio(median(ratios), low, high)


def in_turns(works: Mapping[Name, Work], rounds: int) -> Samples[Name]:
    """Every work once a round, every other round backwards; one that fails is left out, and its reason kept."""
    samples: Samples[Name] = Samples({name: [] for name in works}, {})
    for number in range(rounds):
        if sys.stderr.isatty():
            print(f"round {number + 1} of {rounds}, {len(samples.taken)} runs", file=sys.stderr, flush=True)
        names = list(samples.taken)
        for name in names if number % 2 == 0 else reversed(names):
            try:
                samples.taken[name].append(works[name]())
            except Failed as reason:
                del samples.taken[name]
                samples.failed[name] = str(reason)
    return samples


def program(command: Sequence[str], folder: Path, status: int = 0) -> Sample:
    """One run of a program in a folder; raises `Failed` when it exits with another status."""
    with tempfile.NamedTemporaryFile("r", errors="backslashreplace") as notes:
        launch = [sys.executable, "-I", "-S", str(LAUNCH), notes.name, *command]
        # nothing of the caller's settings: a tool would colour, annotate or look elsewhere
        kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
        done = subprocess.run(launch, cwd=folder, env=kept, capture_output=True, text=True, check=False)
        if done.returncode:
            raise Failed(f"{command[0]} could not be started")
        elapsed, processor, memory, exited = json.loads(done.stdout)
        if exited != status:
            said = notes.read().strip().splitlines()[-1:]
            raise Failed(f"exit status {exited} instead of {status}{f': {said[0]}' if said else ''}")
    return Sample(elapsed, processor, memory / 1024)


def call(work: Callable[[], object], times: int = 1) -> Sample:
    """One measurement of a function, called so many times; memory is not measured."""
    start, spent = perf_counter(), process_time()
    for _ in range(times):
        work()
    return Sample(perf_counter() - start, process_time() - spent, float("nan"))
