"""How results are shown: one module a format, each with `render(results)`, which yields the text piece by piece."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import Protocol, cast

from evalschema.finding import Result


@dataclass(slots=True)
class Count:
    """How many files were seen and what was found in them; grows while a format renders."""

    files: int = 0
    errors: int = 0
    warnings: int = 0
    infos: int = 0

    def add(self, result: Result) -> None:
        """Count one more file."""
        self.files += 1
        for finding in result.findings:
            if finding.severity == "error":
                self.errors += 1
            elif finding.severity == "warning":
                self.warnings += 1
            else:
                self.infos += 1

    def to_dict(self) -> dict[str, int]:
        """The summary of the JSON output."""
        return {"files": self.files, "errors": self.errors, "warnings": self.warnings, "infos": self.infos}


class Format(Protocol):
    """What a module of this package offers."""

    def render(self, results: Iterable[Result], *, color: bool) -> Iterator[str]:
        """The output, piece by piece; `results` are consumed as they come."""
        ...


@cache
def formats() -> tuple[str, ...]:
    """The names of all formats."""
    return tuple(sorted(module.name for module in iter_modules(__path__) if not module.name.startswith("_")))


def format_named(name: str) -> Format:
    """The format of that name."""
    return cast("Format", import_module(f"{__name__}.{name}"))
