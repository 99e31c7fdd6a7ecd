"""`evalschema explain`: what a code says, why it matters, and how to silence it."""

from __future__ import annotations

import click

from evalschema.console import write
from evalschema.errors import SettingsError


@click.command()
@click.argument("code", required=False)
def command(code: str | None) -> None:
    """Explain a code or the name of a rule: what it says, why it matters, examples, how to silence it.

    Without a code, list all of them.
    """
    from evalschema.codes import all_codes, find_code
    from evalschema.explaining import page
    from evalschema.settings import known_code

    if code is None:
        width = max(len(entry.code) for entry in all_codes())
        write(f"{entry.code:<{width}}  {entry.severity:<8} {entry.summary}\n" for entry in all_codes())
        return
    entry = find_code(code)
    if entry is None:
        known_code(code, "explain")
        raise SettingsError(f"explain: {code!r} is the beginning of several codes; `evalschema explain` lists all")
    write([page(entry)])
