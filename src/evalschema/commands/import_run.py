"""`evalschema import-run`: what programs stored of a benchmark run to the document that `finalize` takes."""

from __future__ import annotations

import json
import re
import sys
from typing import TYPE_CHECKING

import click

from evalschema.console import EXIT_FINDINGS, opened, safe, say

if TYPE_CHECKING:
    from evalschema.importing import Gap

# With which option a member is given that no file holds; a time or a count cannot be: it was measured or it was not.
_OPTIONS = {
    "/type": "--type",
    "/scenario/name": "--scenario",
    "/scenario/title": "--scenario",
    "/output_path": "--output-path",
}
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]{0,9})(\.[0-9]{1,17})?")


@click.command()
@click.option(
    "--agent", "agents", multiple=True, required=True, metavar="FILE", help="What an agent answered; once for each."
)
@click.option(
    "--judge", "judges", multiple=True, required=True, metavar="FILE", help="What a judge answered; once for each."
)
@click.option("--type", "run_type", type=click.Choice(("solo", "duel", "relay")), help="Needed for several agents.")
@click.option("--scenario", metavar="NAME/TITLE", help="The scenario; /TITLE where a file holds the name.")
@click.option(
    "--spec", "specs", multiple=True, metavar="SPEC", help="The name of an agent; once for each, in their order."
)
@click.option(
    "--score",
    "scores",
    multiple=True,
    metavar="[SPEC=]NUMBER",
    help="The score that is claimed, where it is stored elsewhere; never what you read in the verdict.",
)
@click.option("--output-path", metavar="PATH", help="Where the run is to be saved, relative to the root of finalize.")
@click.option(
    "-o", "output", metavar="FILE", type=click.Path(readable=False), help="Write to this file, else to standard output."
)
def command(
    agents: tuple[str, ...],
    judges: tuple[str, ...],
    run_type: str | None,
    scenario: str | None,
    specs: tuple[str, ...],
    scores: tuple[str, ...],
    output_path: str | None,
    output: str | None,
) -> None:
    """Make the run that `finalize` takes of the files that another program stored.

    Read are results of `claude -p --output-format json`, the pairs of files of a runner, and flat files. Nothing is
    made up: what no file holds is left out and told, and finalize refuses it.

    \b
    Exit status:
      0  the run was written, every member is there
      1  a member is missing; or the files contradict one another, then nothing is written
      2  wrong usage
      3  the output could not be written
    """  # noqa: D301
    from evalschema.importing import import_run

    name, _, title = (scenario or "").partition("/")
    made = import_run(
        agents,
        judges,
        type=run_type,
        scenario=(name or None, title or None),
        specs=specs,
        scores=_scores(scores),
        output_path=output_path,
    )
    for fault in made.faults:
        say(f"evalschema: {safe(fault)}")
    if made.run is None:
        sys.exit(EXIT_FINDINGS)
    with opened(output) as file:
        # only ASCII, so that no console or locale can spoil it
        file.write(json.dumps(made.run, indent=2) + "\n")
    for gap in made.gaps:
        say(f"missing: {_told(gap)}")
    sys.exit(EXIT_FINDINGS if made.gaps else 0)


def _scores(given: tuple[str, ...]) -> dict[str, float] | float | None:
    """The claims by spec, or the single one that names nobody."""
    by_name: dict[str, float] = {}
    for text in given:
        spec, named, number = text.rpartition("=")
        match = _NUMBER.fullmatch(number)
        if match is None:
            raise click.BadParameter(f"{safe(text)} does not end in a number", param_hint="--score")
        value = float(number) if match[1] else int(number)
        if not named:
            if len(given) > 1:
                raise click.BadParameter(f"{safe(text)} does not say whose it is", param_hint="--score")
            return value
        by_name[spec] = value
    return by_name or None


def _told(gap: Gap) -> str:
    option = _OPTIONS.get(gap.pointer)
    if option is None and gap.pointer.endswith("/spec"):
        option = "--spec"
    if option is None and gap.pointer.startswith("/scores/"):
        option = "--score"
    where = f" (not in {safe(gap.file)})" if gap.file else ""
    return safe(gap.pointer) + where + (f", give it with {option}" if option else "")
