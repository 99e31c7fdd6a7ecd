"""One target under atheris; `python -m tests.fuzz` starts this, with libFuzzer's own switches behind the name."""

from __future__ import annotations

import importlib
import sys
from typing import Any

from tests.fuzz.replay import inputs, target


def main() -> None:
    """Run the target on what libFuzzer makes up, with the modules of ours instrumented that it uses."""
    name = sys.argv.pop(1)
    atheris: Any = importlib.import_module("atheris")  # has no types
    with atheris.instrument_imports(include=["evalschema"]):
        chosen = target(name)
        # much is imported late, inside of functions: what the seeds need is imported now, so that it is followed
        for data in inputs(name):
            chosen.run(data)
    atheris.Setup(sys.argv, chosen.run)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
