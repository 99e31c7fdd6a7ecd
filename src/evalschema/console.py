"""Talking to the terminal: output that cannot be broken, notes beside it, and the meaning of the exit status."""

from __future__ import annotations

import os
import re
import stat
import sys
from contextlib import contextmanager, suppress
from io import TextIOWrapper
from typing import TYPE_CHECKING, NoReturn, TextIO

from evalschema.excerpt import excerpt

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable

    from evalschema.draft import Draft

EXIT_FINDINGS = 1
EXIT_USAGE = 2
EXIT_OUTPUT = 3
EXIT_NOTHING = 5
EXIT_BUG = 70


# Runners of CI services take commands from whatever is printed: `::error::` where a line begins (or a word, for lines
# are broken between words), and `##[error]`, `##vso[…]`, `##teamcity[…]` anywhere.
_COMMANDS = re.compile(r"(?<!\S)::|##(?=\[|vso|teamcity)")


# One of the streams that this process was given: to be written to where it stands, whatever it leads to.
_OWN_STREAM = re.compile(r"/dev/fd/([0-9]{1,9})|/dev/(stdout|stderr)")
_STREAMS = {"stdout": 1, "stderr": 2}


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


def end_by(number: int) -> NoReturn:
    """End as the signal ends who does not handle it: at once, and so that the shell ends its loop as well."""
    if sys.platform != "win32":
        import signal

        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)
    os._exit(128 + number)


def nothing_found(files: int) -> str:
    """The one line of a check in which all is well."""
    return f"{files:,} file{'' if files == 1 else 's'} checked, nothing found"


def say(line: str) -> None:
    """A line for the person at the terminal, beside the output."""
    try:
        print(line, file=sys.stderr)
    except OSError:
        return  # nobody is there to read it


def safe(text: str, limit: int = 1000) -> str:
    """At most `limit` characters of a text of others; none that a terminal or a CI service's log would obey."""
    cut = excerpt(text, limit)
    if "::" not in cut and "##" not in cut:
        return cut
    return _COMMANDS.sub(lambda found: f"{found[0][0]}\\u{ord(found[0][1]):04x}", cut)


def wants_color(choice: str = "auto") -> bool:
    """Whether to colour: `always`, `never`, or `auto`, by NO_COLOR, FORCE_COLOR and whether a terminal shows it."""
    if choice != "auto":
        return choice == "always"
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return sys.stdout.isatty() and os.environ.get("TERM") != "dumb"


def columns() -> int | None:
    """The width of the terminal that shows the output; None when it goes elsewhere."""
    try:
        return os.get_terminal_size(sys.stdout.fileno()).columns or None
    except (OSError, ValueError):
        return None


@contextmanager
def output(path: str | None) -> Generator[None]:
    """Inside, an OSError is one of the output to `path` (None: standard output), and becomes `OutputError`."""
    try:
        yield
    except OSError as error:
        about = f"{safe(path)}: " if path else ""
        raise OutputError(f"{about}{error.strerror or error}") from error


@contextmanager
def opened(path: str | None) -> Generator[TextIO]:
    """Standard output, or a file that appears, or is replaced, only when all is written; raises `OutputError`."""
    if path is None:
        yield sys.stdout
        with output(path):
            sys.stdout.flush()
        return
    with output(path):
        draft = _draft(path)
        descriptor = draft if isinstance(draft, int) else draft.descriptor
        file = _File(descriptor, path)
    try:
        yield file
        with output(path):
            file.flush()
            if not isinstance(draft, int):
                draft.publish()
    finally:
        with suppress(OSError):
            file.close()
        if isinstance(draft, int):
            os.close(draft)
        else:
            draft.close()


class _File(TextIOWrapper):
    """The text of an output; a fault of writing it is one of the output, wherever it is written from."""

    def __init__(self, descriptor: int, path: str) -> None:
        binary = open(descriptor, "wb", closefd=False)  # noqa: SIM115 - closed with the text
        super().__init__(binary, encoding="utf-8", errors="backslashreplace", newline="\n")
        self._path = path

    def write(self, text: str, /) -> int:
        with output(self._path):
            return super().write(text)


def _draft(path: str) -> Draft | int:
    """A draft for a file; the descriptor of what cannot be replaced: a pipe, a device, or one of our own streams."""
    from evalschema.draft import Draft

    own = _OWN_STREAM.fullmatch(path)
    if own:
        return os.dup(int(own[1]) if own[1] else _STREAMS[own[2]])
    # a link stays, and what it leads to is replaced
    target = os.path.realpath(path)
    try:
        old = os.stat(target)
    except FileNotFoundError:
        return Draft(target)
    if stat.S_ISREG(old.st_mode):
        return Draft(target, old)
    return os.open(target, os.O_WRONLY)
