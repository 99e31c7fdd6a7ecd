"""`evalschema identify`: the kind of each file, and why."""

from __future__ import annotations

import os
import sys

import click

from evalschema.console import EXIT_FINDINGS, EXIT_NOTHING, safe, say, write


@click.command()
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
def command(paths: tuple[str, ...]) -> None:
    """Tell the kind of each file, and why it is taken for that."""
    from evalschema.catalog import identify as identity_of
    from evalschema.files import file_bytes, input_bytes
    from evalschema.finding import Finding
    from evalschema.reading import Unreadable, read, without_bom
    from evalschema.walking import walk

    unknown = seen = False
    for path in paths:
        for document in walk(path) if os.path.isdir(path) else (path,):
            seen = True
            data = input_bytes() if document == "-" else file_bytes(document)
            try:
                if isinstance(data, Finding):
                    kind, why = None, data.message
                else:
                    identity = identity_of(read(without_bom(data)), document)
                    kind, why = identity.kind, identity.why
            except Unreadable as reason:
                kind, why = None, f"no JSON: {reason.message}"
            unknown = unknown or kind is None
            write([f"{safe(document)}: {kind or 'unknown'} ({why})\n"])
    if not seen:
        say("no documents found (`evalschema kinds` lists the names that are looked for)")
    sys.exit(EXIT_FINDINGS if unknown else 0 if seen else EXIT_NOTHING)
