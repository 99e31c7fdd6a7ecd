"""100,000 JSON lines beside other tools."""

from __future__ import annotations

from functools import partial

from bench import inputs, peers
from bench.comparing import OURS, TWO, Options, Report, compared, ours, own
from bench.table import Aim

SOUND = "all valid"
_PEERS = (peers.NATIVE, peers.JSONVET, peers.SOURCEMETA, peers.AJV, peers.JSON_LOADS)


def measure(options: Options) -> Report:
    """All lines valid, or one in a hundred bad; a tenth of them all valid, for what memory grows with, or all bad."""
    amount = 200 if options.quick else 100_000
    tenth, bad = f"all of {amount // 10:,} valid", f"all of {amount // 10:,} bad"
    shapes = {SOUND: (amount, 0), "1 % bad": (amount, 100), tenth: (amount // 10, 0), bad: (amount // 10, 1)}
    native = peers.NATIVE.name
    wanted = [
        Aim(f"one worker to {native}", (OURS, SOUND), (native, SOUND), 2.3),
        Aim(f"two workers to {native}", (TWO, SOUND), (native, SOUND), 1.2),
        Aim("memory", (OURS, SOUND), None, 100, "memory"),
        Aim("memory to that for a tenth of the lines", (OURS, SOUND), (OURS, tenth), 1.1, "memory"),
    ]
    tools = [*own("--kind", "grading"), ours("evalschema, kind told from each line"), *_PEERS]
    given = {state: partial(inputs.lines, amount=count, every=every) for state, (count, every) in shapes.items()}
    return compared(f"{amount:,} lines.", tools, options, given, wanted)


if __name__ == "__main__":
    import sys

    from bench.__main__ import main

    sys.exit(main(["lines", *sys.argv[1:]]))
