"""The targets, and the inputs that every run gives them: seeds, and what once broke them."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator
from pathlib import Path
from typing import Protocol, cast

import tests.fuzz.targets

REGRESSIONS = Path(__file__).parent / "regressions"


class Target(Protocol):
    """A module of `targets/`."""

    RUNS: int

    def seeds(self) -> Iterator[bytes]:
        """The inputs to begin with."""
        ...

    def run(self, data: bytes) -> None:
        """Raises where the input breaks a promise."""
        ...


def targets() -> tuple[str, ...]:
    """The names of all targets, sorted."""
    return tuple(sorted(module.name for module in pkgutil.iter_modules(tests.fuzz.targets.__path__)))


def target(name: str) -> Target:
    """The target of a name."""
    return cast("Target", importlib.import_module(f"tests.fuzz.targets.{name}"))


def regressions(name: str) -> list[bytes]:
    """The inputs that once broke a target."""
    return [path.read_bytes() for path in sorted((REGRESSIONS / name).glob("*"))]


def inputs(name: str) -> list[bytes]:
    """What every run gives a target."""
    return [*target(name).seeds(), *regressions(name)]
