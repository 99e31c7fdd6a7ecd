"""For people at a terminal: by file, every mistake once, what it costs and how it is repaired, one line of sums."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from evalschema.console import nothing_found
from evalschema.output import Count, View
from evalschema.output._groups import Group, grouped, others
from evalschema.output._words import counted, named, notes_of, plain, statistics, sums

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from evalschema.finding import Result

SUFFIXES = (".txt",)

# The width of a place, so that the texts of different files stand below each other.
_MARGIN = 7
# Legible on dark and on light: yellow and cyan vanish on white, blue on black. What counts is bold.
_STYLES = {"error": "1;31", "warning": "1;35", "info": "1", "path": "1;4", "dim": "2", "label": "1"}


class Paint(Protocol):
    """Colours a text, or leaves it."""

    def __call__(self, text: str, style: str) -> str:
        """The text in that style."""
        ...


def painter(color: bool) -> Paint:  # noqa: FBT001
    """The function that colours; without colours it changes nothing."""
    return _colored if color else lambda text, style: text


def _colored(text: str, style: str) -> str:
    return f"\x1b[{_STYLES[style]}m{text}\x1b[0m" if style in _STYLES else text


def render(results: Iterable[Result], view: View) -> Iterator[str]:
    """Files without findings are counted and not shown."""
    paint = painter(view.color)
    count = Count()
    for result in results:
        count.add(result)
        yield "".join(_file(result, view, paint)) if result.findings else ""
    yield from closing(count, view, paint)


def _file(result: Result, view: View, paint: Paint) -> Iterator[str]:
    groups = grouped(result.findings)
    path, kind = named(result.path, view.base), f"  {result.kind}" if result.kind else ""
    fits = view.width is None or len(path + kind) < view.width
    yield paint(path, "path") + (paint(kind, "dim") if fits else "") + "\n"
    places = [f"{group.first.line}:{group.first.column}" if group.first.line else "-" for group in groups]
    margin = max(_MARGIN, *map(len, places))
    for group, place in zip(groups, places, strict=True):
        yield from _lines(group, place.rjust(margin), view, paint)
    if result.truncated:
        yield f"{' ' * (margin + 4)}and more than that: only the worst are listed\n"
    yield "\n"


def _lines(group: Group, place: str, view: View, paint: Paint) -> Iterator[str]:
    first = group.first
    indent = len(place) + 13
    where = f"at {plain(first.pointer, 200)}" if first.pointer else ""
    more = f"and {others(group)}" if group.others else ""
    about = "  ".join(filter(None, (plain(first.code, 80), where, more)))
    lead = f"  {place}  {paint(f'{first.severity:<7}', first.severity)}  "
    paragraphs = [
        (plain(first.message), "plain"),
        (about, "dim"),
        *((note, "plain") for note in notes_of(first, view.base)),
    ]
    for text, style in paragraphs:
        for line in _broken(text, max(view.width - indent - 1, 30) if view.width else len(text)):
            yield f"{lead or ' ' * indent}{paint(line, style)}\n"
            lead = ""


def _broken(text: str, room: int) -> Iterator[str]:
    line = ""
    for word in text.split(" "):
        if line and len(line) + 1 + len(word) > room:
            yield line
            line = word
        else:
            line = f"{line} {word}" if line else word
    yield line


def closing(count: Count, view: View, paint: Paint) -> Iterator[str]:
    """The statistics, where they are wanted, and the sums."""
    found = sums(count)
    if not found and view.brief:
        return
    if view.statistics and found:
        yield "".join(statistics(count)) + "\n"
    if not found:
        yield f"{nothing_found(count.files)}\n"
        return
    files = f"{counted(count.files, 'file')} checked"
    where = f" in {counted(count.unsound, 'file')}" if count.files > 1 else ""
    yield f"{files}: {', '.join(paint(words, severity) for words, severity in found)}{where}\n"
    if count.fixable:
        some = "all" if count.fixable == sum(count.codes.values()) else f"{count.fixable:,}"
        yield f"{some} of them can be repaired by the program: evalschema fix --diff PATH shows how\n"
