"""`evalschema verify`: whether a saved run is still the one that its receipt speaks of, and still passes."""

from __future__ import annotations

import sys

import click

from evalschema.console import EXIT_FINDINGS, safe, write


@click.command()
@click.argument("paths", nargs=-1, required=True, metavar="FILE...", type=click.Path())
def command(paths: tuple[str, ...]) -> None:
    """Check saved runs against the receipts beside them, which `finalize --receipt` wrote.

    The bytes must be those of the receipt, and the checks, repeated with its settings, must give its verdict.
    """
    from evalschema.verifying import verify

    failed = False
    for path in paths:
        troubles = verify(path)
        failed = failed or bool(troubles)
        write([f"{safe(path)}: {safe(trouble)}\n" for trouble in troubles] or [f"{safe(path)}: as its receipt says\n"])
    sys.exit(EXIT_FINDINGS if failed else 0)
