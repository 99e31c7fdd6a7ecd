"""One JSON object for programs, as `findings.schema.json` describes it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from json import dumps

from evalschema.finding import Result
from evalschema.output import Count


def render(results: Iterable[Result], *, color: bool) -> Iterator[str]:
    """One line a file, inside one object; ASCII alone, so that no console can break it."""
    count = Count()
    yield '{"files": ['
    for result in results:
        yield ("\n  " if count.files == 0 else ",\n  ") + dumps(result.to_dict())
        count.add(result)
    yield ("\n]" if count.files else "]") + f', "summary": {dumps(count.to_dict())}}}\n'
