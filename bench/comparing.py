"""A comparison: tools by inputs, in turns; who is absent is named, and the rest goes on."""

from __future__ import annotations

import os
import sys
import tempfile
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from bench import table
from bench.measuring import Failed, Work, in_turns, program
from bench.peers import Peer

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from bench.inputs import Input
    from bench.table import Aim, Key

EVALSCHEMA = str(Path(sys.executable).with_name("evalschema"))
OURS = "evalschema"
TWO = "evalschema, two workers"


@dataclass(frozen=True)
class Options:
    """How much is measured."""

    rounds: int
    #: Small inputs: whether it works, not what it takes.
    quick: bool = False
    #: Whether other tools are installed and run.
    peers: bool = True


@dataclass(frozen=True)
class Report:
    """What a comparison found, in Markdown, and what of our own could not be measured."""

    text: str
    broken: tuple[str, ...] = ()


def ours(name: str, *switches: str, jobs: int | None = 1) -> Peer:
    """Our own command with these switches and so many workers; None leaves them to the command."""

    def command(given: Input) -> list[str]:
        workers = [] if jobs is None else ["--jobs", str(jobs)]
        return [EVALSCHEMA, "check", *switches, *workers, *map(str, given.files or (given.path,))]

    return Peer(name, None, command)


def own(*switches: str) -> list[Peer]:
    """Our command with one worker, and with two."""
    return [ours(OURS, *switches), ours(TWO, *switches, jobs=2)]


def works(tools: Sequence[Peer], inputs: Mapping[str, Input]) -> dict[Key, Work]:
    """Each tool on each input."""
    return {
        (tool.name, name): partial(program, tool.command(given), given.path.parent, tool.status if given.bad else 0)
        for tool in tools
        for name, given in inputs.items()
    }


def installed(tools: Sequence[Peer], options: Options) -> tuple[list[Peer], dict[str, str]]:
    """The tools that can be run, and why others are absent; without peers those that need nothing installed."""
    there: list[Peer] = []
    absent: dict[str, str] = {}
    for tool in tools:
        try:
            if tool.environment is not None:
                if not options.peers:
                    raise Failed("left out as asked for")
                tool.environment.install()
        except Failed as reason:
            absent[tool.name] = str(reason)
        else:
            there.append(tool)
    return there, absent


def compared(
    what: str,
    tools: Sequence[Peer],
    options: Options,
    given: Mapping[str, Callable[[Path], Input]],
    wanted: Sequence[Aim],
) -> Report:
    """Measure and report; each input is made in a folder of its own, which is gone afterwards."""
    load = os.getloadavg()[0]
    there, absent = installed(tools, options)
    with tempfile.TemporaryDirectory() as folder:
        inputs: dict[str, Input] = {}
        for name, make in given.items():
            place = Path(folder, name)
            place.mkdir()
            inputs[name] = make(place)
        samples = in_turns(works(there, inputs), options.rounds)
    versions = "; ".join(tool.versions for tool in there if tool.environment)
    notes = [
        f"{what} {table.machine(options.rounds, load)}",
        *([f"Beside it: {versions}."] if versions else []),
        *(f"Absent: {name}: {reason}." for name, reason in absent.items()),
        *(f"Failed: {' on '.join(key)}: {reason}." for key, reason in samples.failed.items()),
    ]
    parts = [
        "\n".join(notes),
        table.aims(samples, wanted),
        table.times(samples, OURS),
        table.resources(samples, OURS),
    ]
    broken = tuple(f"{' on '.join(key)}: {reason}" for key, reason in samples.failed.items() if key[0].startswith(OURS))
    return Report("\n\n".join(parts), broken)


def joined(*reports: Report) -> Report:
    """Reports one below the other."""
    return replace(
        reports[0],
        text="\n\n".join(report.text for report in reports),
        broken=tuple(line for report in reports for line in report.broken),
    )
