"""Write generated files, or compare them with what lies there; nothing else in this package touches the disk to write."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from difflib import unified_diff
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


@dataclass(frozen=True, slots=True)
class Drift:
    """A generated file that is not what the generator makes of its sources."""

    path: str
    diff: str


def write(products: Mapping[str, str], owned: tuple[str, ...]) -> list[str]:
    """Write the products that changed and remove left-overs from the `owned` folders; returns what was touched."""
    touched: list[str] = []
    for path, text in products.items():
        file = ROOT / path
        if not file.exists() or file.read_bytes() != text.encode():
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(text.encode())
            touched.append(path)
    for path in _left_over(products, owned):
        (ROOT / path).unlink()
        touched.append(path)
    return touched


def compare(products: Mapping[str, str], owned: tuple[str, ...]) -> list[Drift]:
    """Where the files differ from the products, are missing, or are no longer made."""
    drifts: list[Drift] = []
    for path, text in products.items():
        file = ROOT / path
        have = file.read_bytes().decode() if file.exists() else ""
        if have != text:
            lines = unified_diff(have.splitlines(), text.splitlines(), f"{path} (as it is)", f"{path} (as made)", lineterm="")
            drifts.append(Drift(path, "\n".join(list(lines)[:40])))
    drifts += [Drift(path, f"{path} is no longer made") for path in _left_over(products, owned)]
    return drifts


def _left_over(products: Mapping[str, str], owned: tuple[str, ...]) -> list[str]:
    """Files in folders that hold nothing but products, and are none."""
    return [
        str(file.relative_to(ROOT))
        for folder in owned
        for file in sorted((ROOT / folder).glob("*"))
        if file.is_file() and str(file.relative_to(ROOT)) not in products
    ]
