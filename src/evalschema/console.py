"""Talking to the terminal: output that cannot be broken, notes beside it, and the meaning of the exit status."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable

from evalschema.excerpt import excerpt

EXIT_FINDINGS = 1
EXIT_USAGE = 2
EXIT_OUTPUT = 3
EXIT_NOTHING = 5
EXIT_BUG = 70


class OutputError(Exception):
    """Our own output could not be written."""


def write(pieces: Iterable[str]) -> None:
    """Write the output as it comes; raises `OutputError`."""
    try:
        for piece in _guarded(pieces):
            sys.stdout.write(piece)
        sys.stdout.flush()
    except OSError as error:
        raise OutputError(error.strerror or str(error)) from error


def _guarded(pieces: Iterable[str]) -> Iterable[str]:
    """The pieces; an OSError of whoever makes them is not one of the output."""
    iterator = iter(pieces)
    while True:
        try:
            piece = next(iterator)
        except StopIteration:
            return
        except OSError as error:
            raise RuntimeError(f"an input could not be handled: {error}") from error
        yield piece


def say(line: str) -> None:
    """A line for the person at the terminal, beside the output."""
    try:
        print(line, file=sys.stderr)
    except OSError:
        return  # nobody is there to read it


def safe(text: str) -> str:
    """A path or another text of others, fit for one line."""
    return excerpt(text, 1000)


def wants_color() -> bool:
    """Whether the output is a terminal that shows colours, and nobody asked for none (NO_COLOR)."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
