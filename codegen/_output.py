"""Write generated files, or compare them with what lies there; nothing else in this package writes to the disk."""

from __future__ import annotations

from difflib import unified_diff
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

ROOT = Path(__file__).resolve().parents[1]
# How many lines of how many differences are shown: enough to see what has changed.
LINES, FILES = 20, 3


def write(products: Mapping[str, str]) -> list[str]:
    """Write the texts (by path, from the root of the tree) that changed; returns their paths."""
    changed = [path for path, text in products.items() if _text(path) != text]
    for path in changed:
        (ROOT / path).parent.mkdir(parents=True, exist_ok=True)
        (ROOT / path).write_bytes(products[path].encode())
    return changed


def compare(products: Mapping[str, str]) -> list[str]:
    """For each file that is missing or differs from its text what is the matter with it; the first in detail."""
    differing = [path for path, text in products.items() if _text(path) != text]
    return [
        _difference(path, _text(path), products[path]) if number < FILES else f"{path}: differs"
        for number, path in enumerate(differing)
    ]


def left_over(products: Iterable[str], owned: Iterable[str]) -> list[Path]:
    """Files in folders that hold nothing but products, and are none."""
    files = [file for folder in owned for file in sorted((ROOT / folder).glob("*")) if file.is_file()]
    return [file for file in files if file.relative_to(ROOT).as_posix() not in set(products)]


def _text(path: str) -> str | None:
    try:
        return (ROOT / path).read_bytes().decode()
    except FileNotFoundError:
        return None


def _difference(path: str, have: str | None, want: str) -> str:
    if have is None:
        return f"{path}: missing"
    names = f"{path} (as it is)", f"{path} (as made)"
    lines = list(unified_diff(have.splitlines(), want.splitlines(), *names, lineterm="", n=1))
    more = [f"... {len(lines) - LINES} more lines"] if len(lines) > LINES else []
    return "\n".join(line if len(line) <= 200 else f"{line[:200]}..." for line in lines[:LINES] + more)
