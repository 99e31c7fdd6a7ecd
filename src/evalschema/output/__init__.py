"""How results are shown: one module a format, each with `render(results, view)`, which yields the text in pieces."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Protocol, cast

from evalschema.errors import SettingsError
from evalschema.finding import Finding, Result, Severity

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator


def _nothing(path: str) -> None:
    return None


@dataclass(frozen=True, slots=True)
class View:
    """How results are to be shown; every format takes from it what concerns it.

    `width` is the number of columns of the terminal, None where lines are not to be broken. `failing` are the
    severities that make the command fail. `brief` wants no word where nothing was found, `statistics` wants the counts
    of every code. `base` is the folder that paths are shown relative to. `source` gives the bytes that were checked
    under a path, None where there are none (any more).
    """

    color: bool = False
    width: int | None = None
    failing: frozenset[Severity] = frozenset({"error"})
    brief: bool = False
    statistics: bool = False
    base: str = "."
    source: Callable[[str], bytes | None] = _nothing


@dataclass(slots=True)
class Count:
    """How many files were seen and what was found in them; grows while a format renders."""

    files: int = 0
    errors: int = 0
    warnings: int = 0
    infos: int = 0
    unsound: int = 0
    fixable: int = 0
    codes: Counter[tuple[str, str, Severity]] = field(default_factory=Counter[tuple[str, str, Severity]])

    def add(self, result: Result) -> None:
        """Count one more file."""
        self.files += 1
        if result.findings:
            self.unsound += 1
            for finding in result.findings:
                self._add(finding)

    def _add(self, finding: Finding) -> None:
        if finding.severity == "error":
            self.errors += 1
        elif finding.severity == "warning":
            self.warnings += 1
        else:
            self.infos += 1
        self.fixable += finding.fix is not None
        self.codes[finding.code, finding.name, finding.severity] += 1

    def to_dict(self) -> dict[str, int]:
        """The summary of the JSON output."""
        return {"files": self.files, "errors": self.errors, "warnings": self.warnings, "infos": self.infos}


class Format(Protocol):
    """What a module of this package offers."""

    # how the names of files end that this format is written to when nobody says which
    SUFFIXES: tuple[str, ...]

    def render(self, results: Iterable[Result], view: View) -> Iterator[str]:
        """The output, piece by piece, at least one (it may be empty) a result; results are consumed as they come."""
        ...


@cache
def formats() -> tuple[str, ...]:
    """The names of all formats."""
    return tuple(sorted(module.name for module in iter_modules(__path__) if not module.name.startswith("_")))


def format_named(name: str) -> Format:
    """The format of that name; raises `SettingsError`."""
    if name not in formats():
        raise SettingsError(f"there is no format {name!r}: choose one of {', '.join(formats())}")
    return cast("Format", import_module(f"{__name__}.{name}"))


def format_of_file(target: str) -> tuple[Format, str]:
    """The format and the path that `FORMAT=FILE` or the end of a file's name says; raises `SettingsError`."""
    name, equals, path = target.partition("=")
    if equals and path and name in formats():
        return format_named(name), path
    suffixes = {suffix: each for each in map(format_named, formats()) for suffix in each.SUFFIXES}
    ending = max((suffix for suffix in suffixes if target.lower().endswith(suffix)), key=len, default=None)
    if ending is None:
        raise SettingsError(
            f"--output {target}: its name does not say in which format; end it in one of "
            f"{', '.join(sorted(suffixes))}, or write FORMAT=FILE with one of {', '.join(formats())}"
        )
    return suffixes[ending], target
