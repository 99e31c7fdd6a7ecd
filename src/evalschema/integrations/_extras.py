"""Packages that only some need: imported when they are asked for, with a word on how to get them."""

from __future__ import annotations

from importlib import import_module
from typing import Any


def needed(module: str, extra: str) -> Any:
    """A module of an optional package; ImportError names the extra that brings it."""
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        if error.name != module.partition(".")[0]:
            raise
        raise ModuleNotFoundError(
            f"{error.name} is not installed: pip install 'evalschema[{extra}]'", name=error.name
        ) from error
