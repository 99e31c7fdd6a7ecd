"""The page of a code: what it says, why it matters, a failing and a passing example, how to silence it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from os.path import join
from typing import TYPE_CHECKING, Any

from evalschema.catalog import packaged

if TYPE_CHECKING:
    from evalschema.codes import Code


@cache
def _examples() -> Mapping[str, Any]:
    """For each code the text of a document in which it is found, and of one that just passes."""
    data: dict[str, Any] = json.loads(packaged(join("_generated", "pages.json")))
    return data


def page(entry: Code) -> str:
    """The page as plain text for a terminal."""
    about = f"{entry.severity}{f', kind {entry.kind}' if entry.kind else ''}"
    parts = [f"{entry.code} {entry.name} ({about})", entry.page]
    example = _examples().get(entry.code, {})
    if "failing" in example:
        where = ", ".join(example["pointers"]) or "the document"
        parts.append(f"Found in this document, at {where}:\n\n{_indented(example['failing'])}")
    if "passing" in example:
        parts.append(f"Not found in this one:\n\n{_indented(example['passing'])}")
    parts.append(
        f"To silence it: --ignore {entry.code} on the command line, or in evalschema.toml\n\n"
        f'    ignore = ["{entry.code}"]\n\n'
        f"To change its severity: --severity {entry.code}=info, or\n\n"
        f'    [severity]\n    "{entry.code}" = "info"'
    )
    return "\n\n".join(parts) + "\n"


def _indented(text: str) -> str:
    return "\n".join(f"    {line}" if line else "" for line in text.rstrip().split("\n"))
