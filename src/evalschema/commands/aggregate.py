"""`evalschema aggregate`: the gradings and timings of a workspace to its benchmark."""

from __future__ import annotations

import json
import os
import sys
from typing import TYPE_CHECKING

import click

from evalschema.console import EXIT_FINDINGS, EXIT_NOTHING, EXIT_OUTPUT, columns, safe, say, wants_color, write

if TYPE_CHECKING:
    from collections.abc import Sequence

    from evalschema.finding import Result


@click.command()
@click.argument("folder", metavar="DIR", type=click.Path(readable=False))
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    type=click.Path(readable=False),
    help="Write the benchmark to this file instead of showing it.",
)
@click.option("--overwrite", is_flag=True, help="Replace a file that is already there.")
@click.option("--skill-name", metavar="NAME", help="The skill that was measured, where no file tells its name.")
def command(folder: str, *, output: str | None, overwrite: bool, skill_name: str | None) -> None:
    """Compute the benchmark of the workspace in a folder from its gradings and timings.

    All forms of a workspace are read. What no file tells is left out; nothing is estimated.

    \b
    Exit status:
      0   the benchmark was shown or written
      1   a grading has an error, or a file contradicts itself: the findings are shown, nothing is written
      2   wrong usage, or several workspaces in the folder
      3   the file could not be written; what was there before is whole
      5   no workspace in the folder
      70  a bug in evalschema
    """  # noqa: D301
    from evalschema.aggregate import NoWorkspaceError, aggregate

    if not os.path.isdir(folder):
        raise click.BadParameter(f"{safe(folder)} is no folder", param_hint="DIR")
    try:
        made = aggregate(folder, skill_name=skill_name)
    except NoWorkspaceError as none:
        if none.found:
            raise click.UsageError(safe(str(none))) from None
        say(safe(str(none)))
        sys.exit(EXIT_NOTHING)
    if made.benchmark is None:
        _show(made.refused)
        sys.exit(EXIT_FINDINGS)
    for left_out in made.unknown:
        say(f"note: {safe(left_out)}")
    text = json.dumps(made.benchmark, indent=2, ensure_ascii=False) + "\n"
    if output is None:
        write([text])
    else:
        _save(text.encode(), output, overwrite=overwrite)


def _show(results: Sequence[Result]) -> None:
    """The findings that forbid a benchmark."""
    from evalschema.output import View, format_named

    write(format_named("text").render(results, View(color=wants_color("auto"), width=columns())))
    say("nothing was aggregated: a benchmark from these files would not be true")


def _save(data: bytes, output: str, *, overwrite: bool) -> None:
    from evalschema.saving import PathRefused, SaveError, save

    folder, name = os.path.split(output)
    try:
        saved = save(data, name, folder or ".", overwrite=overwrite)
    except (PathRefused, SaveError) as refusal:
        hint = ": give --overwrite to replace it" if getattr(refusal, "code", "") == "path.exists" else ""
        say(f"evalschema: {safe(output)} was not written: {safe(str(refusal))}{hint}")
        sys.exit(EXIT_OUTPUT)
    say(f"{safe(output)}: {'already there' if saved.already_there else 'written'}, {saved.bytes:,} bytes")
