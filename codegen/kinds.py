"""The names of the kinds as a type, so that editors complete them and checkers refuse misspelt ones."""

from __future__ import annotations

from codegen.sources import kinds


def kinds_module() -> dict[str, str]:
    """The text of `kinds.py`, and the mark that makes the folder a package."""
    lines = "\n".join(f'    "{kind}",' for kind in kinds())
    text = (
        '"""The kinds of documents. Made from schemas/ by `make gen`; do not edit."""\n\n'
        "from typing import Literal, TypeAlias\n\n"
        f"Kind: TypeAlias = Literal[\n{lines}\n]\n"
        '"""The name of a kind: that of its schema file."""\n'
    )
    return {
        "src/evalschema/_generated/__init__.py": '"""Made from schemas/ by `make gen`; do not edit."""\n',
        "src/evalschema/_generated/kinds.py": text,
    }
