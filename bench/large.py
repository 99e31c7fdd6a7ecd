"""One benchmark document of many runs: as a function beside json.loads, and as a command beside other tools."""

from __future__ import annotations

import json
import os
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from bench import inputs, peers, table
from bench.comparing import OURS, Options, Report, compared, joined, own
from bench.inputs import Input, benchmark, with_bad_runs
from bench.measuring import Samples, Work, call, in_turns
from bench.table import Aim, Key
from evalschema import check_bytes

if TYPE_CHECKING:
    from collections.abc import Sequence

SOUND, ONE, SOME, ALL = "all valid", "one run bad", "1 % bad", "all bad"
#: Every so manieth run is bad; 0 is one in the middle.
STATES = {SOUND: None, ONE: 0, SOME: 100, ALL: 1}
LOADS = "json.loads"


def measure(options: Options) -> Report:
    """First the function, on documents of several sizes, then the command on one of them."""
    sizes = (10, 100) if options.quick else (100, 1_000, 10_000, 100_000)
    return joined(_function(sizes, options), _command(sizes[min(2, len(sizes) - 1)], options))


def _function(sizes: Sequence[int], options: Options) -> Report:
    load = os.getloadavg()[0]
    samples: Samples[Key] = Samples({}, {})
    for work in _calls(sizes[0], 1).values():
        work()  # what is imported and compiled once is paid for by the command, below
    for runs in sizes:
        # short ones several times, so that the grain of the clock does not show
        times = 1 if options.quick else max(1, 2_000 // runs)
        samples.taken |= in_turns(_calls(runs, times), options.rounds).taken
    most = max(sizes[:3])
    wanted = [
        *(Aim(f"{runs:,} runs, {SOUND}", (f"{runs:,}", SOUND), (LOADS + f"{runs:,}", SOUND), 1.5) for runs in sizes),
        Aim(f"{most:,} runs, {ONE}", (f"{most:,}", ONE), (LOADS + f"{most:,}", ONE), 2.5),
    ]
    head = [f"time, × {LOADS}", *STATES]
    body: list[list[str]] = []
    for runs in sizes:
        ratios = [samples.ratio((f"{runs:,}", state), (LOADS + f"{runs:,}", state), "elapsed") for state in STATES]
        body.append([f"{runs:,} runs", *(table.shown(ratio) if ratio else "–" for ratio in ratios)])
    what = f"`check_bytes` of one benchmark, beside `json.loads` of the same. {table.machine(options.rounds, load)}"
    return Report("\n\n".join((what, table.aims(samples, wanted), table.rows([head, *body]))))


def _calls(runs: int, times: int) -> dict[Key, Work]:
    """Both functions, so many times, on a document of so many runs in each state."""
    document = benchmark(runs)
    made: dict[Key, Work] = {}
    for state, every in STATES.items():
        text = json.dumps(document if every is None else with_bad_runs(document, every)).encode()
        made[LOADS + f"{runs:,}", state] = partial(call, partial(json.loads, text), times)
        made[f"{runs:,}", state] = partial(call, partial(check_bytes, text, "benchmark"), times)
    return made


def _command(runs: int, options: Options) -> Report:
    document = benchmark(runs)
    wanted = [
        Aim(
            f"{peers.CHECK_JSONSCHEMA.name} to {OURS}",
            (peers.CHECK_JSONSCHEMA.name, SOUND),
            (OURS, SOUND),
            1,
            at_least=True,
        )
    ]

    def laid(place: Path, every: int | None) -> Input:
        shown = document if every is None else with_bad_runs(document, every)
        return inputs.one_document(place, shown, bad=every is not None)

    given = {state: partial(laid, every=every) for state, every in STATES.items()}
    return compared(f"The command on a benchmark of {runs:,} runs.", [own()[0], *peers.ALL], options, given, wanted)


if __name__ == "__main__":
    import sys

    from bench.__main__ import main

    sys.exit(main(["large", *sys.argv[1:]]))
