"""10,000 small files, one a folder and in 100 folders, beside other tools."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from bench import inputs, peers
from bench.comparing import OURS, TWO, Options, Report, compared, joined, ours, own
from bench.inputs import STATES, Input
from bench.table import Aim

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


SOUND, SOME = "all valid", "1 % bad"


def measure(options: Options) -> Report:
    """Both layouts, each with all files valid, one in a hundred bad, all bad."""
    amount = 100 if options.quick else 10_000
    alone = ours("evalschema, each file by itself", "--no-workspace")
    return joined(
        _layout(f"{amount:,} files, one a folder.", inputs.one_a_folder, amount, [*own(), alone], options, (1.7, 1.05)),
        _layout(
            f"{amount:,} files in 100 folders.",
            inputs.in_100_folders,
            amount,
            own("--kind", "grading"),
            options,
            (2.8, 1.8),
        ),
    )


def _layout(
    what: str,
    lay: Callable[..., Input],
    amount: int,
    tools: Sequence[peers.Peer],
    options: Options,
    limits: tuple[float, float],
) -> Report:
    native, slow = peers.JSONVET.name, peers.CHECK_JSONSCHEMA.name
    wanted = [
        Aim(f"one worker to {native}", (OURS, SOUND), (native, SOUND), limits[0]),
        Aim(f"two workers to {native}", (TWO, SOUND), (native, SOUND), limits[1]),
        Aim(f"{slow} to one worker", (slow, SOUND), (OURS, SOUND), 6, at_least=True),
        Aim(f"{SOME} to {SOUND}", (OURS, SOME), (OURS, SOUND), 1.1),
    ]
    given = {state: partial(lay, amount=amount, every=every) for state, every in STATES.items()}
    return compared(what, [*tools, *peers.ALL], options, given, wanted)


if __name__ == "__main__":
    import sys

    from bench.__main__ import main

    sys.exit(main(["files", *sys.argv[1:]]))
