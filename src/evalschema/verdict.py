"""Whether an instance fits a schema, and nothing more: the fast engine.

Only jsonschema-rs answers here. What is wrong with a document that does not fit is explained by `evalschema.explainer`,
which hands its questions about texts and numbers back to this engine, so that the two never disagree.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from jsonschema_rs import Draft202012Validator, ReferencingError, RegexOptions, Registry, ValidationError

from evalschema.catalog import bundle, file_name
from evalschema.errors import SchemaError

DIALECT = "https://json-schema.org/draft/2020-12/schema"
# Bytes of a compiled pattern. Texts are read in a time that grows with their length times this size.
PATTERN_SIZE = 64 * 1024
# As measured: nanoseconds for one character, for each byte of a compiled pattern.
_NANOSECONDS = 1 / 28


def validator(schema: dict[str, Any]) -> Draft202012Validator:
    """The schema made ready; raises `SchemaError`.

    References reach the schema itself and the shipped ones, nothing else. Formats are asserted, an unknown one is an
    error, and patterns run in linear time (no look-around, no back references).
    """
    dialect = schema.get("$schema", DIALECT)
    if dialect != DIALECT:
        from evalschema.excerpt import shown

        raise SchemaError(f"the schema is written for {shown(dialect)}, only {DIALECT} is supported")
    try:
        return Draft202012Validator(
            schema,
            registry=_registry(),
            validate_formats=True,
            ignore_unknown_formats=False,
            pattern_options=RegexOptions(size_limit=PATTERN_SIZE),
            offline=True,
        )
    except (ValidationError, ReferencingError, ValueError) as error:
        from evalschema.excerpt import excerpt

        raise SchemaError(f"the schema cannot be used: {excerpt(str(error).partition(chr(10))[0], 300)}") from error


@cache
def _registry() -> Registry:
    return Registry(list(bundle()["schemas"].items()))


@cache
def is_valid(kind: str) -> Callable[[Any], bool]:
    """The verdict on instances of a kind."""
    return validator({"$ref": file_name(kind)}).is_valid


@cache
def _reference(reference: str) -> Callable[[Any], bool]:
    return validator({"$ref": reference}).is_valid


def fits(reference: str, instance: Any) -> bool:
    """Whether an instance fits a shipped definition, named as in `common.schema.json#/$defs/Rate`."""
    return _reference(reference)(instance)


def fits_text(schema: str, instance: Any) -> bool:
    """Whether an instance fits a small schema of our own data (conditions of aliases and tolerances), which is text."""
    return _small(schema)(instance)


@cache
def _small(text: str) -> Callable[[Any], bool]:
    import json

    return validator(json.loads(text)).is_valid


@cache
def _keyword(keyword: str, value: Any) -> Callable[[Any], bool]:
    return validator({keyword: value}).is_valid


def keyword_holds(keyword: str, value: str | float, instance: Any) -> bool:
    """The verdict of a single keyword with a scalar value: `pattern`, `format`, `multipleOf`."""
    return _keyword(keyword, value)(instance)


def pattern_weight(pattern: str) -> float:
    """Nanoseconds that a usable pattern may take for one character of a text, at most."""
    size = 1024
    while size < PATTERN_SIZE:
        try:
            Draft202012Validator({"pattern": pattern}, pattern_options=RegexOptions(size_limit=size))
        except ValueError:
            size *= 2
        else:
            break
    return size * _NANOSECONDS
