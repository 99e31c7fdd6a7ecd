"""Mutated documents by the hundred thousand, beside the doses that the tests take.

    python -m tests.fuzz.documents --count 100000 [--seed 1] [KIND...]

Tells what was tried and every fault; exits with 1 when there is one. Each fault is kept in --keep as a file.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
import time
import traceback
from collections.abc import Iterator
from pathlib import Path
from random import Random

from evalschema.catalog import kinds
from tests.fuzz.agreement import assert_agreed, assert_judged
from tests.fuzz.damage import byte_mutants, hostile_mutants, seeds, spelled

# One in so many is asked everything; the others only for the verdict, in time and without an exception.
THOROUGH = 10


def document_inputs(kind: str, count: int, seed: int = 0) -> Iterator[bytes]:
    """Mutated documents of a kind, as bytes."""
    random = Random(f"styles {kind} {seed}")  # noqa: S311
    return (spelled(document, random) for document in hostile_mutants(kind, count, seed))


def byte_inputs(kind: str, count: int, seed: int = 0) -> Iterator[bytes]:
    """Documents of a kind with mutated bytes."""
    return byte_mutants(seeds(kind), count, f"{kind} {seed}")


def examined(kind: str, inputs: Iterator[bytes], thorough: int = THOROUGH) -> Iterator[tuple[bytes, Exception | None]]:
    """Each input with what it broke, if anything."""
    for index, data in enumerate(inputs):
        try:
            (assert_judged if index % thorough else assert_agreed)(data, kind)
        except Exception as fault:
            yield data, fault
        else:
            yield data, None


def main() -> None:
    """Run the numbers that the command line asks for."""
    parser = argparse.ArgumentParser()
    parser.add_argument("kinds", nargs="*")
    parser.add_argument("--count", type=int, default=100_000)
    parser.add_argument("--bytes", type=int, default=0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--keep", type=Path, default=Path("faults"))
    asked = parser.parse_args()
    faulty = 0
    for kind in asked.kinds or kinds():
        for what, inputs in (
            ("documents", document_inputs(kind, asked.count, asked.seed)),
            ("bytes", byte_inputs(kind, asked.bytes, asked.seed)),
        ):
            start, tried, faults = time.process_time(), 0, 0
            for data, fault in examined(kind, inputs):
                tried += 1
                if fault is not None:
                    faults += 1
                    _keep(asked.keep, kind, data, fault)
            if tried:
                spent = time.process_time() - start
                print(f"{kind} | {what} | seed {asked.seed} | {tried:,} | {faults} faults | {spent:.0f} s", flush=True)
            faulty += faults
    sys.exit(1 if faulty else 0)


def _keep(folder: Path, kind: str, data: bytes, fault: Exception) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{kind}-{hashlib.sha256(data).hexdigest()[:12]}"
    path.with_suffix(".json").write_bytes(data)
    path.with_suffix(".txt").write_text("".join(traceback.format_exception(fault)), "utf-8")


if __name__ == "__main__":
    main()
