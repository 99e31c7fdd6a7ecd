"""The report as Markdown for a pull request: the verdicts and the figures, then the findings as `check` shows them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from evalschema.output import Count, View, format_named
from evalschema.output.markdown import code
from evalschema.report.page import headline, sections_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from evalschema.report.gathering import Material
    from evalschema.report.page import Section

# GitHub takes 65,536 characters for a comment; the findings take at most 60,000 of them.
LIMIT = 5_000


def render(material: Material, base: str = ".") -> Iterator[str]:
    """The comment, in pieces."""
    count = Count()
    for result in material.results:
        count.add(result)
    sections = sections_of(material, base)
    # the remark in front lets a program find its own comment again and replace it
    head = f"<!-- evalschema report -->\n## {headline(sections, count)}\n"
    yield head
    room = LIMIT - len(head)
    for shown, section in enumerate(sections):
        text = _section(section)
        room -= len(text)
        if room < 0:
            yield f"\nand {len(sections) - shown} more benchmarks\n"
            break
        yield text
    yield "\n"
    yield from format_named("markdown").render(material.results, View(base=base))


def _section(section: Section) -> str:
    reasons = "".join(f"  - {code(reason)}\n" for reason in section.verdict.reasons[:8])
    more = len(section.verdict.reasons) - 8
    text = (
        f"\n- {code(section.where)}: **{section.verdict.words}**\n  - {code(section.verdict.sentence)}\n{reasons}"
        + (f"  - and {more} more\n" if more > 0 else "")
    )
    if section.charts:
        text += "\n| | configuration | runs | mean | deviation | the benchmark says |\n|---|---|--:|--:|--:|--:|\n"
        for chart in section.charts:
            for row in chart.rows:
                stated = row.stated or "–"
                differs = " (differs)" if row.differs else ""
                text += (
                    f"| {chart.title} | {_cell(row.configuration)} | {row.runs} | {row.mean} | {row.deviation or '–'} "
                    f"| {stated}{differs} |\n"
                )
    return text


def _cell(text: str) -> str:
    """A name of the document in a table, where a bar would end the cell even inside code."""
    return code(text.replace("|", "\\|"))
