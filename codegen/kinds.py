"""The names of the kinds as a type, so that editors complete them and checkers refuse misspelt ones."""

from __future__ import annotations

from codegen.sources import kinds


def kinds_module() -> str:
    """The text of `kinds.py`."""
    lines = "\n".join(f'    "{kind}",' for kind in kinds())
    return (
        '"""The kinds of documents. Made from schemas/ by `make gen`; do not edit."""\n\n'
        "from typing import Literal, TypeAlias\n\n"
        f"Kind: TypeAlias = Literal[\n{lines}\n]\n"
        '"""The name of a kind: that of its schema file."""\n'
    )
