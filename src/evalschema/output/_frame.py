"""The lines of a document around a finding, with a mark under what is meant."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from unicodedata import east_asian_width

from evalschema.output._words import plain

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from evalschema.finding import Finding

# Lines before and behind the one in question, and how many code points of a line are looked at.
AROUND = 2
WINDOW = 100
BOM = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the frame: its number, its text, and the mark under it (empty for the lines around)."""

    number: int
    text: str
    mark: str = ""


class Frames:
    """Frames of one document; the text may have changed since it was checked, and nothing here may fail for that."""

    def __init__(self, data: bytes | None) -> None:
        text = (data or b"").removeprefix(BOM).decode(errors="replace")
        self._lines: Sequence[str] = text.split("\n")

    def rows(self, finding: Finding) -> Iterator[Row]:
        """The lines around the finding, escaped and cut; none where the place is not known."""
        if finding.line is None or finding.column is None or finding.line > len(self._lines):
            return
        at = finding.line - 1
        line = self._lines[at].removesuffix("\r")
        start = min(finding.column - 1, len(line))
        end = start + 1
        if finding.end_column and finding.end_line == finding.line:
            end = max(end, min(finding.end_column - 1, len(line)))
        # a very long line is shown around the place, the lines beside it from the same column
        left = max(0, start - WINDOW // 2) if len(line) > WINDOW else 0
        last = len(self._lines) - (not self._lines[-1] and at < len(self._lines) - 1)
        for i in range(max(0, at - AROUND), min(last, at + AROUND + 1)):
            shown = _window(self._lines[i].removesuffix("\r"), left)
            if i != at:
                yield Row(i + 1, shown)
                continue
            before = _clean(line[left:start])
            width = _width(_clean(line[start : min(end, left + WINDOW)]))
            yield Row(i + 1, shown, " " * (_width(before) + (left > 0)) + "^" * max(width, 1))


def _window(line: str, left: int) -> str:
    cut = _clean(line[left : left + WINDOW])
    return f"{'…' if left and cut else ''}{cut}{'…' if len(line) > left + WINDOW else ''}"


def _clean(text: str) -> str:
    return plain(text.replace("\t", "    "), 4 * WINDOW)


def _width(text: str) -> int:
    """The columns of a terminal that the text takes."""
    return sum(2 if east_asian_width(character) in "WF" else 1 for character in text)
