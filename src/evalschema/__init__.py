"""Tells whether a result file of an agent evaluation can be trusted, and where exactly it can not.

>>> from evalschema import validate
>>> validate({"total_tokens": 5210, "duration_ms": 23400, "total_duration_seconds": 23.4}, "timing").ok
True
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from evalschema._generated.kinds import Kind
    from evalschema.errors import (
        DocumentError,
        EvalschemaError,
        RuleError,
        SchemaError,
        SettingsError,
        UnknownKindError,
    )
    from evalschema.files import check_bytes, check_file, check_lines
    from evalschema.finding import Finding, Result, Severity
    from evalschema.models import dump, load
    from evalschema.settings import Settings
    from evalschema.validator import validate
    from evalschema.workspace import check_workspace

__all__ = [
    "DocumentError",
    "EvalschemaError",
    "Finding",
    "Kind",
    "Result",
    "RuleError",
    "SchemaError",
    "Settings",
    "SettingsError",
    "Severity",
    "UnknownKindError",
    "__version__",
    "check_bytes",
    "check_file",
    "check_lines",
    "check_workspace",
    "dump",
    "load",
    "validate",
]

__version__ = "0.1.0"

# Names are looked up when they are first asked for: `import evalschema` costs next to nothing, and a program that only
# validates never loads the dataclasses.
_HOMES = {
    "Kind": "_generated.kinds",
    "check_bytes": "files",
    "check_file": "files",
    "check_lines": "files",
    "Finding": "finding",
    "Result": "finding",
    "Severity": "finding",
    "dump": "models",
    "load": "models",
    "Settings": "settings",
    "validate": "validator",
    "check_workspace": "workspace",
}


if not TYPE_CHECKING:  # checkers know the names from the imports above, and must not accept others

    def __getattr__(name: str) -> Any:
        if name not in __all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from importlib import import_module

        value = getattr(import_module(f"{__name__}.{_HOMES.get(name, 'errors')}"), name)
        globals()[name] = value
        return value


def __dir__() -> list[str]:
    return sorted(__all__)
