"""`evalschema kinds`: what there is."""

from __future__ import annotations

import click

from evalschema.console import write


@click.command()
def command() -> None:
    """List the kinds of documents, with what they are and the names of their files."""
    from evalschema import catalog

    width = max(map(len, catalog.kinds()))
    write(
        f"{kind:<{width}}  {catalog.schema(kind)['description'].partition('. ')[0].rstrip('.')}\n"
        for kind in catalog.kinds()
    )
