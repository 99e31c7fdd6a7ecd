"""JSON Lines for pipelines: one entry a document, clean ones included, the same as in the JSON output."""

from __future__ import annotations

from typing import TYPE_CHECKING

from evalschema.output._json import entry

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from evalschema.finding import Result
    from evalschema.output import View

SUFFIXES = (".jsonl", ".ndjson")


def render(results: Iterable[Result], view: View) -> Iterator[str]:
    """A line a document."""
    for result in results:
        yield entry(result) + "\n"
