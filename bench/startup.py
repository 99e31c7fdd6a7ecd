"""Cold starts, beside what the interpreter and the libraries cost by themselves, and beside other tools."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from bench import inputs, peers
from bench.comparing import OURS, Options, Report, compared, ours
from bench.inputs import Input
from bench.peers import Peer
from bench.table import Aim

if TYPE_CHECKING:
    from collections.abc import Callable

ONE = "one small file"
DOCUMENT = {"total_tokens": 5210, "duration_ms": 23400, "total_duration_seconds": 23.4}
LIBRARIES = "import click, jsonschema_rs, json, pathlib, dataclasses"


def _python(name: str, program: str) -> Peer:
    command: Callable[[Input], list[str]] = lambda _: [sys.executable, "-c", program]  # noqa: E731
    return Peer(name, None, command)


TOOLS = (
    ours(OURS, jobs=None),  # a plain command, as a hook gives it
    Peer("evalschema --version", None, lambda _: [str(Path(sys.executable).with_name("evalschema")), "--version"]),
    _python("import evalschema", "import evalschema"),
    _python("import json", "import json"),
    _python("import click", "import click"),
    _python("import of the libraries", LIBRARIES),
    peers.JSONVET,
    peers.SOURCEMETA,
    peers.AJV,
    peers.CHECK_JSONSCHEMA,
)


def measure(options: Options) -> Report:
    """A start takes so little that three times as many rounds cost nothing."""
    slow = peers.CHECK_JSONSCHEMA.name
    wanted = [
        Aim("`import evalschema` to `import json`", ("import evalschema", ONE), ("import json", ONE), 2),
        Aim(f"one file to `{LIBRARIES}`", (OURS, ONE), ("import of the libraries", ONE), 1.25),
        Aim(f"one file to {slow}", (OURS, ONE), (slow, ONE), 1),
        Aim(f"memory to {slow}", (OURS, ONE), (slow, ONE), 1, "memory"),
    ]
    more = replace(options, rounds=3 * options.rounds)
    return compared("One small file, from a cold start.", TOOLS, more, {ONE: _small}, wanted)


def _small(place: Path) -> Input:
    path = place / "timing.json"
    path.write_text(json.dumps(DOCUMENT), "utf-8")
    return Input(path, inputs.schema(place, "timing"), bad=False)


if __name__ == "__main__":
    from bench.__main__ import main

    sys.exit(main(["startup", *sys.argv[1:]]))
