"""One line a finding, `path:line:column: severity code message`: for grep, editors and problem matchers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from evalschema.output import Count, View
from evalschema.output._groups import in_order
from evalschema.output._words import named, plain, statistics

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from evalschema.finding import Result

SUFFIXES = (".log",)


def render(results: Iterable[Result], view: View) -> Iterator[str]:
    """Nothing but findings, and the statistics where they are wanted."""
    count = Count()
    for result in results:
        count.add(result)
        path = named(result.path, view.base) if result.findings else ""
        yield "".join(
            f"{path}:{each.line or 1}:{each.column or 1}: {each.severity} {plain(each.code)} {plain(each.message)}\n"
            for each in in_order(result.findings)
        )
    if view.statistics:
        yield "".join(statistics(count))
