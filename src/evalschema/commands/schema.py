"""`evalschema schema`: the JSON Schema of a kind."""

from __future__ import annotations

import click

from evalschema.console import write


@click.command()
@click.argument("kind")
@click.option(
    "--bundle", is_flag=True, help="Put the definitions that it refers to inside, so that the file stands alone."
)
def command(kind: str, bundle: bool) -> None:  # noqa: FBT001
    """Print the JSON Schema of a kind."""
    import json

    from evalschema.bundling import bundled
    from evalschema.catalog import schema

    contents = bundled(kind) if bundle else schema(kind)
    write([json.dumps(contents, indent=2, ensure_ascii=False) + "\n"])
