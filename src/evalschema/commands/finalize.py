"""`evalschema finalize`: check a run, and save it when no check fails."""

from __future__ import annotations

import math
import os
import sys
from typing import TYPE_CHECKING, cast

import click

from evalschema.console import EXIT_FINDINGS, EXIT_OUTPUT, write

if TYPE_CHECKING:
    from evalschema.finalize import RunType
    from evalschema.finding import Finding


@click.command()
@click.option(
    "--type", "run_type", required=True, type=click.Choice(("solo", "duel", "relay")), help="What kind of run it is."
)
@click.option(
    "--data",
    required=True,
    metavar="FILE|-|JSON",
    help="The run: a file, - for standard input, or the JSON itself, told by its first bracket.",
)
@click.option(
    "--root",
    default=".",
    show_default=True,
    metavar="DIR",
    type=click.Path(readable=False),
    help="Runs are saved below this folder only.",
)
@click.option("--overwrite", is_flag=True, help="Replace a file that is already there.")
@click.option("--receipt", is_flag=True, help="Also write <name>.receipt.json, which `evalschema verify` checks later.")
@click.option(
    "--elapsed-minimum",
    type=click.FloatRange(min=0),
    default=30.0,
    show_default=True,
    help="Seconds that a run takes for each agent, at least; less is a warning.",
)
@click.option("--extra-labels", is_flag=True, help="Read judges' totals under labels that only some of them use, too.")
@click.option(
    "--format",
    "format_name",
    type=click.Choice(("text", "json")),
    default="text",
    show_default=True,
    help="How to report.",
)
def command(
    run_type: str,
    data: str,
    root: str,
    *,
    overwrite: bool,
    receipt: bool,
    elapsed_minimum: float,
    extra_labels: bool,
    format_name: str,
) -> None:
    """Save a benchmark run below --root at its own output_path, unless a check fails.

    No configuration file is read, and no rule can be silenced.

    \b
    Exit status:
      0  saved; warnings do not refuse
      1  a check failed, nothing was saved
      2  wrong usage
      3  the file could not be written; what was there before is whole
    """  # noqa: D301
    from evalschema.finalize import FinalizeResult, finalize
    from evalschema.output._json import written
    from evalschema.output._run_report import report

    if not math.isfinite(elapsed_minimum):
        raise click.BadParameter("a number of seconds was expected", param_hint="--elapsed-minimum")
    document = _document(data)
    if isinstance(document, bytes):
        done = finalize(
            document,
            type=cast("RunType", run_type),
            root=root,
            overwrite=overwrite,
            elapsed_minimum=elapsed_minimum,
            extra_labels=extra_labels,
            receipt=receipt,
        )
    else:
        done = FinalizeResult((document,))
    if format_name == "json":
        write([written(done.to_dict(), indent=2) + "\n"])
    else:
        write(report(done, markdown=sys.stdout.isatty(), elapsed_minimum=elapsed_minimum))
    sys.exit(EXIT_OUTPUT if done.fault else 0 if done.success else EXIT_FINDINGS)


def _document(data: str) -> bytes | Finding:
    """The bytes of the run, or the finding that says why there are none."""
    from dataclasses import replace

    from evalschema.excerpt import shown
    from evalschema.files import file_bytes, input_bytes
    from evalschema.finalize import SIZE_LIMIT

    if data.lstrip()[:1] in ("{", "["):
        return os.fsencode(data)
    # one more than the limit shows that there are too many
    found = input_bytes(SIZE_LIMIT + 1) if data == "-" else file_bytes(data)
    return found if isinstance(found, bytes) else replace(found, message=f"{shown(data)}: {found.message}")
