"""Where output goes: standard output and files, several at once, from results that are made only once."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass, replace
from itertools import tee
from typing import TYPE_CHECKING, TextIO

from evalschema.console import opened, output

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from evalschema.finding import Result
    from evalschema.output import Format, View


@dataclass(frozen=True, slots=True)
class Outlet:
    """A format, how it is to be shown, and the path of the file that takes it; None is standard output.

    `failing_alone` leaves out what does not make the command fail.
    """

    format: Format
    view: View
    path: str | None = None
    failing_alone: bool = False


def deliver(
    results: Iterator[Result], outlets: Sequence[Outlet], *, before: Callable[[str], None] | None = None
) -> None:
    """Show the results in all outlets, side by side: none has to wait, or to keep what the others have shown.

    `before` is called with whatever is about to be written to standard output. Raises `OutputError` when one cannot be
    written; whatever making the results raises passes through.
    """
    with ExitStack() as stack:
        pending: list[tuple[Iterator[str], TextIO, Outlet]] = []
        for outlet, stream in zip(outlets, tee(results, len(outlets)), strict=True):
            file = stack.enter_context(opened(outlet.path))
            shown = _failing(stream, outlet.view) if outlet.failing_alone else stream
            pending.append((outlet.format.render(shown, outlet.view), file, outlet))
        while pending:
            pending = [each for each in pending if _advance(*each, before)]


def _advance(pieces: Iterator[str], file: TextIO, outlet: Outlet, before: Callable[[str], None] | None) -> bool:
    piece = next(pieces, None)
    if piece:
        if before is not None and outlet.path is None:
            before(piece)
        with output(outlet.path):
            file.write(piece)
    return piece is not None


def _failing(results: Iterator[Result], view: View) -> Iterator[Result]:
    for result in results:
        kept = tuple(finding for finding in result.findings if finding.severity in view.failing)
        yield result if len(kept) == len(result.findings) else replace(result, findings=kept)
