"""`evalschema verify`: whether a saved run is still the one that its receipt speaks of, and still passes."""

from __future__ import annotations

import sys

import click

from evalschema.console import EXIT_FINDINGS, write


@click.command()
@click.argument("paths", nargs=-1, required=True, metavar="FILE...", type=click.Path(readable=False))
def command(paths: tuple[str, ...]) -> None:
    """Check saved runs against the receipts beside them, which `finalize --receipt` wrote.

    The bytes must be those of the receipt, and the checks, repeated with its settings, must give its verdict. A receipt
    is not signed: who can write both files can write both anew.

    \b
    Exit status:
      0  every run is as its receipt says
      1  one is not, or it or its receipt is missing
    """  # noqa: D301
    from evalschema.finalize import RECEIPT_SUFFIX
    from evalschema.output._words import plain
    from evalschema.verifying import verify

    failed = False
    # a receipt stands for its run, so that all files of a folder may be named
    runs = (f"{path.removesuffix(RECEIPT_SUFFIX)}.json" if path.endswith(RECEIPT_SUFFIX) else path for path in paths)
    for path in dict.fromkeys(runs):
        troubles = verify(path)
        failed = failed or bool(troubles)
        write([f"{plain(path)}: {plain(trouble)}\n" for trouble in troubles or ["as its receipt says"]])
    sys.exit(EXIT_FINDINGS if failed else 0)
