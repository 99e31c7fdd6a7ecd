"""One JSON object for programs, as `findings.schema.json` describes it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from evalschema.output import Count, View
from evalschema.output._json import entry, written

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from evalschema.finding import Result

SUFFIXES = (".json",)


def render(results: Iterable[Result], view: View) -> Iterator[str]:
    """One line a file, inside one object."""
    count = Count()
    yield '{"files": ['
    for result in results:
        yield ("\n  " if count.files == 0 else ",\n  ") + entry(result)
        count.add(result)
    yield ("\n]" if count.files else "]") + f', "summary": {written(count.to_dict())}}}\n'
