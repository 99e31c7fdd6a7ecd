"""How far a long check is, for the person at the terminal."""

from __future__ import annotations

import os
import shutil
import sys
from contextlib import suppress
from time import monotonic

# In seconds: before this a check needs no bar, and no eye sees more than this.
PATIENCE = 0.5
_STEP = 0.1
_CELLS = 24


def is_wanted() -> bool:
    """Whether somebody looks on: standard error is a terminal that can go back to the beginning of a line."""
    return sys.stderr.isatty() and os.environ.get("TERM") != "dumb"


class Progress:
    """A bar on standard error. Whoever writes to the same terminal takes it away first (`hide`); it comes back."""

    def __init__(self) -> None:
        self._total = 0
        self._done = 0
        self._due = monotonic() + PATIENCE
        self._shown = 0
        self._is_free = True

    def expect(self, more: int) -> None:
        """So much more is to be done."""
        self._total += more

    def advance(self, by: int = 1) -> None:
        """So much more is done."""
        self._done += by
        now = monotonic()
        if now >= self._due and self._is_free:
            self._due = now + _STEP
            self._show()

    def hide(self, text: str = "") -> None:
        """Leave the line empty, and stand at its beginning; a line that `text` does not end is not touched again."""
        if self._shown:
            self._write(f"\r{' ' * self._shown}\r")
            self._shown = 0
        if text:
            self._is_free = text.endswith("\n")

    def _show(self) -> None:
        total = max(self._total, 1)
        done = min(self._done, total)
        cells = _CELLS * done // total
        text = f"[{'#' * cells}{'.' * (_CELLS - cells)}] {done:,} of {total:,}"
        # a line that is full would be broken, and a broken one cannot be taken away
        text = text[: shutil.get_terminal_size().columns - 1]
        self._write(f"\r{text}{' ' * (self._shown - len(text))}")
        self._shown = max(self._shown, len(text))

    def _write(self, text: str) -> None:
        # nobody may be there any more
        with suppress(OSError):
            sys.stderr.write(text)
            sys.stderr.flush()
