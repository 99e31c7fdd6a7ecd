"""The kinds: their schemas, where their files lie, how a document is told. All from the bundle, never the network."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from os.path import dirname, join
from typing import Any

from evalschema.errors import UnknownKindError

_SUFFIX = ".schema.json"


def packaged(name: str) -> bytes:
    """A data file of the package, from wherever it was imported: a folder, a wheel, a zip file."""
    # importlib.resources would do the same, for a tenth of a second's import
    loader: Any = __spec__.loader
    data: bytes = loader.get_data(join(dirname(__file__), name))
    return data


@cache
def bundle() -> Mapping[str, Any]:
    """All data of the package, read once: `schemas` by file name, `aliases`, `tolerances`, `consequences`."""
    data: dict[str, Any] = json.loads(packaged(join("_generated", "bundle.json")))
    return data


def file_name(kind: str) -> str:
    """The name of the schema file of a kind, which is also its identity in references."""
    return kind + _SUFFIX


def schema(kind: str) -> Mapping[str, Any]:
    """The canonical schema of a kind; raises `UnknownKindError`."""
    found: Mapping[str, Any] = bundle()["schemas"][file_name(checked_kind(kind))]
    return found


@cache
def kinds() -> tuple[str, ...]:
    """The names of all kinds, sorted: the schemas that say how their documents are told."""
    schemas = bundle()["schemas"]
    return tuple(sorted(name.removesuffix(_SUFFIX) for name in schemas if "Shape" in schemas[name].get("$defs", {})))


def checked_kind(kind: str) -> str:
    """The kind itself; raises `UnknownKindError` with the nearest name when there is none such."""
    if kind in kinds():
        return kind
    from difflib import get_close_matches

    close = get_close_matches(str(kind).replace("-", "_").lower(), kinds(), n=1, cutoff=0.5)
    hint = f": did you mean {close[0]!r}?" if close else ""
    raise UnknownKindError(f"there is no kind {kind!r}{hint} (kinds: {', '.join(kinds())})")


@dataclass(frozen=True, slots=True)
class Identity:
    """The kind of a document, None when it could not be told, and why it is taken for that."""

    kind: str | None
    why: str


def identify(instance: Any, path: str | None = None) -> Identity:
    """The kind of an instance: what its `$schema` names, else what path and shape together say.

    A name decides, unless the document lacks the shape of that kind and has that of exactly one other.
    """
    if isinstance(instance, dict) and isinstance(named := instance.get("$schema"), str):
        kind = _kind_of_address(named)
        if kind is not None:
            return Identity(kind, f"its $schema names {file_name(kind)}")
    named_kinds = kinds_of_path(path) if path is not None else ()
    for kind in named_kinds:
        if has_shape(kind, instance):
            return Identity(kind, "its name and its members say so")
    shaped = kinds_of_shape(instance)
    if len(shaped) == 1:
        instead = f", although its name says {named_kinds[0]}" if named_kinds else ""
        return Identity(shaped[0], f"its members say so{instead}")
    if named_kinds:
        return Identity(named_kinds[0], "its name says so")
    if shaped:
        return Identity(None, f"its members fit several kinds: {', '.join(shaped)}")
    return Identity(None, "neither its name nor its members are those of a known kind")


def _kind_of_address(address: str) -> str | None:
    name = address.split("#")[0].split("?")[0].rpartition("/")[2]
    kind = name.removesuffix(_SUFFIX)
    return kind if name != kind and kind in kinds() else None


def kind_of(instance: Any, path: str | None = None, like: str | None = None) -> str | None:
    """The kind of an instance, as `identify` tells it, and sooner for one that is what its name says.

    `like` is a kind that it probably is: that of its neighbour. A wrong one costs time and nothing else.
    """
    if not (isinstance(instance, dict) and "$schema" in instance):
        for kind in kinds_of_path(path) if path is not None else ():
            if has_shape(kind, instance):
                return kind
        if like is not None and _has_shape_of_no_other(like)(instance):
            return like
    return identify(instance, path).kind


@cache
def _has_shape_of_no_other(kind: str) -> Callable[[Any], bool]:
    from evalschema.verdict import validator

    others = [{"$ref": _shape(other)} for other in kinds() if other != kind]
    return validator({"$ref": _shape(kind), "not": {"anyOf": others}}).is_valid


def kinds_of_path(path: str) -> tuple[str, ...]:
    """The kinds whose files bear such a name."""
    return told_by_path(path)[0]


def is_general(path: str) -> bool:
    """Whether files of other domains bear the name as well, so that it says little by itself."""
    return told_by_path(path)[1]


def told_by_path(path: str) -> tuple[tuple[str, ...], bool]:
    """`kinds_of_path` and `is_general` in one."""
    return _told_by(_end(path))


def _end(path: str) -> str:
    """The part of a path that tells the kind: the name of the file, behind that of its folder where a kind asks it."""
    before, _, name = path.replace("\\", "/").rpartition("/")
    folder = before.rpartition("/")[2]
    return f"{folder}/{name}" if folder in _folders() else name


@lru_cache(maxsize=1024)
def _told_by(end: str) -> tuple[tuple[str, ...], bool]:
    """The kinds of files whose path ends so, and whether that says little."""
    told = [(kind, general) for kind, pattern, general in _paths() if pattern.search(end)]
    return tuple(kind for kind, _ in told), all(general for _, general in told)


@cache
def _paths() -> tuple[tuple[str, re.Pattern[str], bool], ...]:
    """The patterns of all kinds; True behind those of names that others use as well."""
    return tuple(
        (kind, re.compile(definition["pattern"]), name == "GeneralPath")
        for kind in kinds()
        for name in ("Path", "GeneralPath")
        if (definition := schema(kind)["$defs"].get(name))
    )


@cache
def _folders() -> frozenset[str]:
    """The names of folders that stand in a pattern, one before the name of the file at most."""
    inner = (pattern.pattern.removeprefix("(^|/)").split("/")[:-1] for _, pattern, _ in _paths())
    return frozenset(name for names in inner for name in names)


def has_shape(kind: str, instance: Any) -> bool:
    """Whether the instance has the telltale members of the kind."""
    return _has_shape(kind)(instance)


@cache
def _has_shape(kind: str) -> Callable[[Any], bool]:
    from evalschema.verdict import validator

    return validator({"$ref": _shape(kind)}).is_valid


def _shape(kind: str) -> str:
    return f"{file_name(kind)}#/$defs/Shape"


def kinds_of_shape(instance: Any) -> tuple[str, ...]:
    """The kinds whose telltale members the instance has."""
    return tuple(kind for kind in kinds() if has_shape(kind, instance))


@cache
def members(kind: str) -> tuple[str, ...]:
    """The names of the members that the schema of a kind documents for its root."""
    found = schema(kind)
    while "oneOf" in found:
        found = schema(kind)["$defs"][found["oneOf"][0]["$ref"].rpartition("/")[2]]
    if "items" in found:
        found = schema(kind)["$defs"][found["items"]["$ref"].rpartition("/")[2]]
    return tuple(name for name in found.get("properties", ()) if name != "$schema")
