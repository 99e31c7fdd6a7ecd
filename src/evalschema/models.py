"""Documents as typed dataclasses: `load` makes them, `dump` gives the document back without loss.

The dataclasses are made from the schemas; take them from here: `from evalschema.models import Grading`. They are read
when the first one is asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, overload

from evalschema.codec import decode, encode

if TYPE_CHECKING:
    from collections.abc import Sequence

    from evalschema._generated.kinds import Kind
    from evalschema._generated.loading import Load
    from evalschema._generated.models import *  # noqa: F403 - the names follow from the schemas
    from evalschema.codec import Record


def _typed(function: Load) -> Load:
    """Give the function below the signatures that were made for it: one a kind."""
    return function


@_typed
def load(document: Any, kind: Kind | None = None) -> Any:
    """The dataclass of a parsed document; without `kind` it is told from the document.

    Nothing is shared with the document. Warnings are no hindrance: what is tolerated has its place in the dataclass.
    Raises `DocumentError`, which holds all findings, when the document has errors, and `UnknownKindError`.
    """
    from evalschema._generated import models
    from evalschema.catalog import schema
    from evalschema.validator import validate

    result = validate(document, kind)
    result.raise_for_errors()
    # a document without errors is of a known kind, and classes bear the titles of their schemas
    hint = getattr(models, schema(str(result.kind))["title"])
    return decode(hint, document)


@overload
def dump(document: Record) -> dict[str, Any]: ...
@overload
def dump(document: Sequence[Record]) -> list[Any]: ...
def dump(document: Any) -> Any:
    """The document that a dataclass (for some kinds: a list of them) stands for, ready for `json.dumps`.

    `dump(load(document))` equals the document: unknown members, null and absent ones, 1 and 1.0, the order of members.
    Nothing is checked; `validate` does that. Raises `TypeError` for values that JSON cannot hold.
    """
    return encode(document)


if not TYPE_CHECKING:  # checkers see the names above, and refuse misspelt ones

    def __getattr__(name: str) -> Any:
        if not name.startswith("_"):
            from evalschema._generated import models

            if hasattr(models, name):
                return getattr(models, name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
