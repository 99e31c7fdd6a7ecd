"""What formats say alike: texts made harmless, places, repairs in words, sums."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from evalschema.console import safe
from evalschema.excerpt import excerpt, shown
from evalschema.finding import Finding, Patch, Place, split

if TYPE_CHECKING:
    from collections.abc import Iterator

    from evalschema.output import Count

# How many places in other files are listed.
_LISTED = 5
# All halves of surrogate pairs but those that stand for a single byte.
_HALVES = re.compile("[\ud800-\udc7f\udd00-\udfff]")

# Every text goes through it, ours as well: a format does not rely on who wrote a message.
plain = safe


def shown_path(path: str | None, base: str) -> str:
    """The path of a file as `base`, the folder that the reader is in, sees it; outside of that as it was given."""
    if not path or path == "-":
        return "standard input" if path else "the document"
    absolute, folder = os.path.abspath(path), os.path.join(os.path.abspath(base), "")
    return absolute[len(folder) :] if absolute.startswith(folder) else path


def named(path: str | None, base: str) -> str:
    """The path fit for a line."""
    return plain(lossless(shown_path(path, base)), 4096)


def lossless(text: str) -> str:
    r"""The text with bytes that are no UTF-8 (in names of files) as \xNN."""
    if text.isascii():
        return text
    return encodable(text).encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def encodable(path: str) -> str:
    r"""The path with halves of surrogate pairs as \uNNNN: Windows allows any, few can be encoded."""
    return _HALVES.sub(lambda half: f"\\u{ord(half[0]):04x}", path)


def repair_of(finding: Finding) -> str | None:
    """The repair in a few words: the fix where there is one, else the suggestion, unless the message holds it."""
    if finding.fix:
        return plain(_steps(finding.fix), 400)
    if finding.suggestion and finding.suggestion not in finding.message:
        return plain(finding.suggestion, 200)
    return None


def sentence(finding: Finding, base: str) -> str:
    """The finding on one line: what is wrong and where, what it costs, how it is repaired."""
    where = f" (at {plain(finding.pointer, 200)})" if finding.pointer else ""
    parts = [plain(finding.message) + where, *notes_of(finding, base)]
    return "; ".join(parts)


def notes_of(finding: Finding, base: str) -> list[str]:
    """What the finding costs, how it is repaired, which other files it rests on: each with its label, if known."""
    return [f"{label}: {text}" for label, text in labelled_notes(finding, base)]


def labelled_notes(finding: Finding, base: str) -> list[tuple[str, str]]:
    """The same, as pairs of label and text."""
    others = ", ".join(_elsewhere(place, base) for place in finding.elsewhere[:_LISTED])
    rest = ", …" if len(finding.elsewhere) > _LISTED else ""
    notes = (("costs", finding.consequence), ("repair", repair_of(finding)))
    known = [(label, plain(text)) for label, text in notes if text]
    return [*known, ("see", others + rest)] if others else known


def _elsewhere(place: Place, base: str) -> str:
    at = f":{place.line}:{place.column or 1}" if place.line else ""
    return named(place.path, base) + at + (f" {plain(place.pointer, 80)}" if place.pointer else "")


def _steps(fix: Patch) -> str:
    steps = [_step(operation) for operation in fix[:3]]
    more = [f"{len(fix) - 3} more steps"] if len(fix) > 3 else []
    return ", then ".join([*steps, *more])


def _step(operation: dict[str, object]) -> str:
    place, value = str(operation["path"]), shown(operation.get("value"))
    match operation["op"]:
        case "move":
            return _move(str(operation["from"]), place)
        case "copy":
            return f"copy {excerpt(str(operation['from']), 200)} to {excerpt(place, 200)}"
        case "remove":
            return f"remove {excerpt(place, 200)}"
        case verb:
            return f"{'add' if verb == 'add' else 'write'} {value} at {excerpt(place, 200) or 'the root'}"


def _move(source: str, place: str) -> str:
    if source.rpartition("/")[0] == place.rpartition("/")[0]:
        old, new = split(source)[-1:], split(place)[-1:]
        return f"rename `{excerpt(''.join(old))}` to `{excerpt(''.join(new))}`"
    return f"move {excerpt(source, 200)} to {excerpt(place, 200)}"


def counted(number: int, noun: str) -> str:
    """The number with its noun, in the plural where it has to be."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def sums(count: Count) -> list[tuple[str, str]]:
    """What was found, by severity: the words and the severity; empty when nothing was."""
    by_severity = (("error", count.errors), ("warning", count.warnings), ("info", count.infos))
    return [(counted(number, severity), severity) for severity, number in by_severity if number]


def statistics(count: Count) -> Iterator[str]:
    """A line for each code, the most frequent first."""
    rows = sorted(count.codes.items(), key=lambda row: (-row[1], row[0]))
    if not rows:
        return
    width = max(len(f"{number:,}") for _, number in rows)
    codes = max(len(plain(code, 40)) for (code, _, _), _ in rows)
    for (code, name, severity), number in rows:
        yield f"{number:>{width},}  {severity:<7}  {plain(code, 40):<{codes}}  {plain(name, 80)}\n"
