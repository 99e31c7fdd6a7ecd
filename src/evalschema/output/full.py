"""For people who want to see the lines: every mistake once, with the part of the file that it lies in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from evalschema.output import Count, View
from evalschema.output._frame import Frames
from evalschema.output._groups import Group, grouped, others
from evalschema.output._words import labelled_notes, named, plain
from evalschema.output.text import Paint, closing, painter

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from evalschema.finding import Result

SUFFIXES = ()


def render(results: Iterable[Result], view: View) -> Iterator[str]:
    """Files without findings are counted and not shown."""
    paint = painter(view.color)
    count = Count()
    for result in results:
        count.add(result)
        yield "".join(_file(result, view, paint)) if result.findings else ""
    yield from closing(count, view, paint)


def _file(result: Result, view: View, paint: Paint) -> Iterator[str]:
    frames = Frames(view.source(result.path) if result.path else None)
    path = named(result.path, view.base)
    for group in grouped(result.findings):
        yield from _finding(group, path, frames, view, paint)
    if result.truncated:
        yield f"{path}: more was found; only the worst are listed\n\n"


def _finding(group: Group, path: str, frames: Frames, view: View, paint: Paint) -> Iterator[str]:
    first = group.first
    rows = list(frames.rows(first))
    margin = max((len(str(row.number)) for row in rows), default=1)
    bar = f"{' ' * margin} |"
    yield f"{paint(first.severity, first.severity)} {plain(first.code, 80)}: {plain(first.message)}\n"
    where = f" at {plain(first.pointer, 200)}" if first.pointer else ""
    place = f":{first.line}:{first.column}" if first.line else ""
    yield f"{' ' * margin}--> {paint(path + place, 'path')}{where}\n"
    if rows:
        yield f"{bar}\n"
    for row in rows:
        yield f"{row.number:>{margin}} | {row.text}".rstrip() + "\n"
        if row.mark:
            yield f"{bar} {paint(row.mark, first.severity)}\n"
    if rows:
        yield f"{bar}\n"
    also = [("also", others(group))] if group.others else []
    for label, text in [*also, *labelled_notes(first, view.base)]:
        yield f"{' ' * margin} = {paint(f'{label}: ', 'label')}{text}\n"
    yield "\n"
