"""`evalschema report`: one page for people, on what can be trusted and what cannot."""

from __future__ import annotations

import os
import sys
from typing import Any

import click

from evalschema.commands._judging import judging, settings_of
from evalschema.console import EXIT_FINDINGS, EXIT_NOTHING, opened, output, safe, say, write
from evalschema.finding import SEVERITIES


@click.command()
@click.argument("paths", nargs=-1, required=True, metavar="PATH...", type=click.Path(readable=False))
@click.option(
    "-o",
    "--output",
    "target",
    metavar="FILE",
    type=click.Path(readable=False),
    help="Write the report to this file; an older one is replaced.",
)
@click.option(
    "--format",
    "format_name",
    type=click.Choice(("html", "markdown")),
    help="One page of HTML, or Markdown for a pull request.  [default: by the name of the file, else html]",
)
@judging
def command(paths: tuple[str, ...], **options: Any) -> None:
    """Check files and folders, and write a report for people.

    The page holds everything that it shows: it can be mailed, archived and opened without a network.

    \b
    Exit status:
      0   the report was written, and there is nothing at or above --fail-on (default: error)
      1   the report was written, and there are findings at or above it
      2   wrong usage or configuration, or Jinja2 is not installed
      3   the report could not be written; what was there before is whole
      5   no path led to a document; nothing is written
      70  a bug in evalschema
    """  # noqa: D301
    from evalschema.report.gathering import gather

    if "-" in paths:
        raise click.BadParameter("a report is made from files and folders, not from standard input", param_hint="PATH")
    target: str | None = options["target"]
    as_markdown = (options["format_name"] or _format_of(target)) == "markdown"
    if not as_markdown:
        _need_templates()
    settings = settings_of(options)
    material = gather(paths, settings)
    for path in material.empty:
        say(f"{safe(path)}: no documents found (`evalschema kinds` lists the names)")
    if not material.results:
        sys.exit(EXIT_NOTHING)
    for result in material.results:
        for finding in result.findings:
            if finding.code.startswith("input."):
                say(f"{safe(result.path or '')}: {finding.message}")
    if as_markdown:
        from evalschema.report.comment import render
    else:
        from evalschema.report.page import render
    pieces = render(material)
    if target is None:
        write(pieces)
    else:
        with opened(target) as file:
            for piece in pieces:
                with output(target):
                    file.write(piece)
        say(f"{safe(target)}: written")
    failing = SEVERITIES[: SEVERITIES.index(settings.fail_on) + 1]
    found = {finding.severity for result in material.results for finding in result.findings}
    sys.exit(EXIT_FINDINGS if found.intersection(failing) else 0)


def _format_of(target: str | None) -> str:
    return "markdown" if target and os.path.splitext(target)[1].lower() in (".md", ".markdown") else "html"


def _need_templates() -> None:
    """Refuses before anything is checked."""
    from evalschema.integrations._extras import needed

    try:
        needed("jinja2", "report")
    except ModuleNotFoundError as missing:
        raise click.UsageError(f"{missing}; --format markdown needs nothing") from None
