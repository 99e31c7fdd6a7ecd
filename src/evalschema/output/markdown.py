"""Markdown for a comment on a pull request or the summary of a job: the worst first, as long as a comment may be."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from evalschema.output import Count, View
from evalschema.output._groups import Group, grouped, others
from evalschema.output._words import counted, named, notes_of, plain, statistics, sums

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from evalschema.finding import Result, Severity

SUFFIXES = (".md", ".markdown")

# GitHub takes 65,536 characters for a comment; the rest is for what surrounds it.
LIMIT = 60_000
_KEPT = 300
_TICKS = re.compile("`+")


def render(results: Iterable[Result], view: View) -> Iterator[str]:
    """Nothing until all is known: the sums stand at the head."""
    count = Count()
    kept: dict[Severity, list[str]] = {"error": [], "warning": [], "info": []}
    groups = 0
    for result in results:
        count.add(result)
        for group in grouped(result.findings):
            groups += 1
            if len(kept[group.first.severity]) < _KEPT:
                kept[group.first.severity].append(_item(group, result, view))
        yield ""
    if count.codes or not view.brief:
        yield "".join(_page(count, [item for items in kept.values() for item in items], groups, view))


def _page(count: Count, items: list[str], groups: int, view: View) -> Iterator[str]:
    found = ", ".join(words for words, _ in sums(count)) or "nothing found"
    where = f" in {counted(count.unsound, 'file')}" if count.codes else ""
    # the comment in front lets a program find its own remark again and replace it
    yield f"<!-- evalschema -->\n### evalschema: {found}{where}\n\n{counted(count.files, 'file')} checked.\n\n"
    room, shown = LIMIT, 0
    for item in items:
        room -= len(item)
        if room < 0:
            break
        shown += 1
        yield item
    if shown < groups:
        yield f"\nand {counted(groups - shown, 'more finding')}.\n"
    if view.statistics and items:
        yield "\n```text\n" + "".join(statistics(count))[: LIMIT // 20] + "```\n"


def _item(group: Group, result: Result, view: View) -> str:
    first = group.first
    place = f"{named(result.path, view.base)}:{first.line or 1}:{first.column or 1}"
    where = f" at {code(plain(first.pointer, 200))}" if first.pointer else ""
    more = f", and {code(others(group))}" if group.others else ""
    notes = "".join(f"<br>{code(note)}" for note in notes_of(first, view.base))
    return (
        f"- **{first.severity}** {code(place)}<br>{code(plain(first.message))}<br>"
        f"{code(plain(first.code, 80))}{where}{more}{notes}\n"
    )


def code(text: str) -> str:
    """The text as code, in which nothing acts: no link, no mention, no tag, no emphasis."""
    fence = "`" * (max(map(len, _TICKS.findall(text)), default=0) + 1)
    pad = " " if text[:1] in ("`", " ") or text[-1:] in ("`", " ") else ""
    return f"{fence}{pad}{text}{pad}{fence}"
