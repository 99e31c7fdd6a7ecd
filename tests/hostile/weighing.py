"""Weigh checks in processes of their own: a fresh one for each, made ready first, so that only the document counts.

    python -m tests.hostile.weighing MIB EVERY

Prints, a line each, what `weigh` says of every shape of that size and of every so manieth schema. Needs fork.
"""

from __future__ import annotations

import gc
import json
import os
import resource
import sys
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple, cast

from evalschema import SchemaError, check_bytes, validate
from evalschema.catalog import kinds
from evalschema.entry import CIRCLES
from tests.hostile.shapes import MIB, SHAPES, own_shapes
from tests.hostile.strangers import bombs
from tests.mutation import mutants

if TYPE_CHECKING:
    from evalschema._generated.kinds import Kind


class Weight(NamedTuple):
    """Seconds of processor time, the most memory that was held (bytes, all of the process), and how it ended."""

    name: str
    size: int
    seconds: float
    memory: int
    status: int


def make_ready() -> None:
    """Set what the command sets, load what explaining takes, and build what is kept for every kind."""
    gc.set_threshold(*CIRCLES)
    for kind in kinds():
        for document in mutants(kind, 5):
            check_bytes(json.dumps(document).encode(), cast("Kind", kind))


def weigh(name: str, size: int, work: Callable[[], object], address_space: int | None = None) -> Weight:
    """Work in a child; `address_space` is all the memory that it may ask for, in bytes."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            if address_space is not None:
                resource.setrlimit(resource.RLIMIT_AS, (address_space, address_space))
            begun = time.process_time()
            work()
            os.write(writing, str(time.process_time() - begun).encode())
            os._exit(0)
        finally:
            os._exit(1)
    os.close(writing)
    with os.fdopen(reading) as answer:
        seconds = float(answer.read() or "inf")
    _, status, used = os.wait4(child, 0)
    return Weight(name, size, seconds, used.ru_maxrss * 1024, os.waitstatus_to_exitcode(status))


def _stranger(schema: object, instance: object) -> None:
    try:
        validate(instance, schema=schema)  # type: ignore[arg-type]
    except SchemaError:
        return


def weigh_shapes(size: int) -> list[Weight]:
    """Every shape of a size in bytes, read and checked."""
    # the program itself, which has nothing to look at
    weights = [weigh("nothing", 2, lambda: check_bytes(b"{}", "timing"))]
    for name, (kind, shape) in {**SHAPES, **own_shapes()}.items():
        data = shape(size)
        weights.append(weigh(name, len(data), lambda data=data, kind=kind: check_bytes(data, cast("Kind", kind))))  # type: ignore[misc]
    return weights


def weigh_bombs(every: int) -> list[Weight]:
    """Every so manieth schema that asks for too much, with one gibibyte to ask for it."""
    return [
        weigh(bomb.name, 0, lambda bomb=bomb: _stranger(bomb.schema, bomb.instance), 1 << 30)  # type: ignore[misc]
        for bomb in list(bombs())[::every]
    ]


def main() -> None:
    make_ready()
    mebibytes, every = float(sys.argv[1]), int(sys.argv[2])
    for weight in (*weigh_shapes(int(mebibytes * MIB)), *weigh_bombs(every)):
        print(json.dumps(weight), flush=True)


if __name__ == "__main__":
    main()
