"""One quick question about what was just parsed: whether there is nothing to be said of it, but what the rules say.

Most documents end here: nobody looks at their members one by one, and what only others need is not loaded.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from evalschema.catalog import bundle, file_name, schema
from evalschema.finding import split
from evalschema.reading import DEPTH_LIMIT
from evalschema.slips import schema_of_names
from evalschema.verdict import validator

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

Schema = dict[str, Any]
# A definition that holds itself ends here, and what it holds is taken for anything.
_DEPTH = 12
_SCALARS = ["null", "boolean", "string", "number"]


@cache
def is_plain(kind: str) -> Callable[[Any], bool]:
    """Whether what was parsed is within the limits of reading, fits its kind, and holds no name to talk about.

    It is never so for kinds with a wrong name that is documented as well. A no says nothing: it is to be looked at.
    """
    names = schema_of_names(kind)
    if names is None:
        return lambda _: False
    asked = [{"$ref": file_name(kind)}, names, _limits(file_name(kind), schema(kind), 0) or True]
    levels = {str(level): _anything(level) for level in range(DEPTH_LIMIT + 1)}
    return validator({"allOf": asked, "$defs": levels}).is_valid


def _anything(level: int) -> Schema:
    """A schema for values in so many containers, whatever they are: numbers are finite, and no container is too deep.

    To the engine an infinite number is of no type at all.
    """
    if level == DEPTH_LIMIT:
        return {"type": _SCALARS}
    return {"type": [*_SCALARS, "array", "object"], "items": _any(level + 1), "additionalProperties": _any(level + 1)}


def _any(level: int) -> Schema:
    return {"$ref": f"#/$defs/{level}"}


def _limits(file: str, node: Any, level: int, *, of_several: bool = False) -> Schema | None:
    """A schema for the values in so many containers that fit `node`, a part of a schema file, and its names.

    None where that they are within the limits follows from their fitting. What no keyword here tells is taken for
    anything; and so are other members where this is part of one `of_several`, whose names are not told apart.
    """
    if level > _DEPTH or not isinstance(node, dict):
        return _any(level)
    if (reference := node.get("$ref")) is not None:
        return _limits(*_resolved(file, reference), level, of_several=of_several)
    if "enum" in node or "const" in node:
        return None
    for keyword in ("anyOf", "oneOf"):
        if keyword in node:
            # each value fits one of them, and is held against what is asked of the others as well: limits, no more
            return _all([_limits(file, branch, level, of_several=True) for branch in node[keyword]])
    if "type" not in node:
        return _any(level)
    types = node["type"] if isinstance(node["type"], list) else [node["type"]]
    items = _limits(file, node.get("items"), level + 1, of_several=of_several) if "array" in types else None
    members = _limits_of_members(file, node, level + 1, of_several=of_several) if "object" in types else None
    return _all([{"items": items} if items else None, members])


def _limits_of_members(file: str, node: Mapping[str, Any], level: int, *, of_several: bool) -> Schema | None:
    """The same for the members of objects that fit `node`."""
    free = node.get("additionalProperties")
    properties = node.get("properties", {})
    limits = {name: _limits(file, each, level, of_several=of_several) for name, each in properties.items()}
    optional = limits.keys() - {*node.get("required", ()), "$schema"}
    no_others = free is False or (optional and not of_several and not isinstance(free, dict))
    others = None if no_others else _limits(file, free, level, of_several=of_several)
    if others is not None:
        return {"properties": {name: each or True for name, each in limits.items()}, "additionalProperties": others}
    limited = {name: each for name, each in limits.items() if each is not None}
    return {"properties": limited} if limited else None


def _all(parts: list[Schema | None]) -> Schema | None:
    limited = [part for part in parts if part is not None]
    return {"allOf": limited} if len(limited) > 1 else next(iter(limited), None)


def _resolved(file: str, reference: str) -> tuple[str, Any]:
    """What a reference in a schema file leads to, and in which file."""
    target, _, inside = reference.partition("#")
    node: Any = bundle()["schemas"][target or file]
    for token in split(inside):
        node = node[token]
    return target or file, node
