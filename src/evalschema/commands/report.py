"""`evalschema report`: one page for people, on what can be trusted and what cannot."""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from evalschema.console import EXIT_FINDINGS, EXIT_NOTHING, opened, output, safe, say, write
from evalschema.finding import SEVERITIES

if TYPE_CHECKING:
    from evalschema.settings import Settings


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
@click.option("--strict", is_flag=True, help="Make warnings errors; infos stay infos.")
@click.option("--ignore", multiple=True, metavar="CODE", help="Not these codes; may be repeated.")
@click.option("--fail-on", type=click.Choice(SEVERITIES), help="Exit with 1 from this severity on.  [default: error]")
@click.option(
    "--max-findings", type=click.IntRange(min=1), help="List at most so many findings of one document.  [default: 100]"
)
@click.option(
    "--config",
    metavar="FILE",
    type=click.Path(readable=False),
    help="Read this configuration file instead of the nearest one.",
)
@click.option("--no-config", is_flag=True, help="Read no configuration file.")
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
    settings = _settings(options)
    material = gather(paths, settings)
    for path in material.empty:
        say(f"{safe(path)}: no documents found (`evalschema kinds` lists the names)")
    if not material.results:
        sys.exit(EXIT_NOTHING)
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


def _settings(options: dict[str, Any]) -> Settings:
    """The configuration file's settings with the switches on top."""
    from evalschema.settings import DEFAULT, known_code, load_settings

    settings = DEFAULT if options["no_config"] else load_settings(config=options["config"])[0]
    for code in options["ignore"]:
        known_code(code, "--ignore")
    changes: dict[str, Any] = {name: options[name] for name in ("fail_on", "max_findings") if options[name] is not None}
    if options["strict"]:
        changes["strict"] = True
    return replace(settings, ignore=(*settings.ignore, *options["ignore"]), **changes)
