"""Documents made from our own schemas: valid by construction, then broken where hypothesis chooses.

Knows the keywords that the schemas use, and no more: a keyword that is not known here is an error, never ignored.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from hypothesis import strategies as st

from evalschema.catalog import bundle, file_name
from evalschema.verdict import validator

_ANNOTATIONS = frozenset({"$schema", "$defs", "title", "description", "$comment", "examples"})
_CONDITIONS = frozenset({"if", "then", "else"})
_KNOWN = frozenset(
    {
        "$ref", "type", "enum", "const", "required", "properties", "additionalProperties", "items", "minimum",
        "maximum", "exclusiveMinimum", "minLength", "minItems", "maxItems", "pattern", "format", "anyOf", "oneOf",
    }
)  # fmt: skip
_DEEPEST = 8

ANYTHING: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 10**6) | st.floats(-1e6, 1e6) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=4,
)
_NAMES = st.text("abcdefgh_~/0", min_size=1, max_size=6)
_FORMATS = {
    "date-time": st.builds(
        "{:04}-{:02}-{:02}T{:02}:{:02}:{:02}{}".format,
        st.integers(1, 9999), st.integers(1, 12), st.integers(1, 28), st.integers(0, 23), st.integers(0, 59),
        st.integers(0, 59), st.sampled_from(("Z", "+05:30", "-23:59", ".25Z", "z")),
    ),
    "json-pointer": st.lists(st.text("ab01", max_size=3), max_size=3).map(
        lambda tokens: "".join(f"/{token}" for token in tokens)
    ),
}  # fmt: skip


@st.composite
def documents(draw: st.DrawFn, kind: str) -> Any:
    """A document that is valid for the kind."""
    file = file_name(kind)
    root = bundle()["schemas"][file]
    document = _value(draw, root, file, 0)
    # what one condition takes out may make another one ask for more
    return _conformed(draw, root, root, file, _conformed(draw, root, root, file, document))


@st.composite
def broken_documents(draw: st.DrawFn, kind: str) -> Any:
    """A document that was valid for the kind, with one to four damages; now and then it is valid all the same."""
    document = draw(documents(kind))
    for _ in range(draw(st.integers(1, 4))):
        places = [(holder, key) for holder in _containers(document) for key in _keys(holder)]
        if not places:
            return draw(ANYTHING)
        holder, key = draw(st.sampled_from(places))
        match draw(st.integers(0, 3)):
            case 0:
                del holder[key]
            case 1 if isinstance(holder, dict):
                holder[draw(st.sampled_from((f"{key}s", str(key).upper(), "config", "")) | _NAMES)] = holder.pop(key)
            case 1:
                holder.insert(key, draw(ANYTHING))
            case _:
                holder[key] = draw(ANYTHING)
    return document


def _containers(value: Any) -> list[Any]:
    found: list[Any] = []
    if isinstance(value, dict | list):
        found.append(value)
        for inner in value.values() if isinstance(value, dict) else value:
            found += _containers(inner)
    return found


def _keys(holder: Any) -> list[Any]:
    return list(holder) if isinstance(holder, dict) else list(range(len(holder)))


def _value(draw: st.DrawFn, schema: Any, file: str, depth: int) -> Any:
    if schema is True or not schema.keys() - _ANNOTATIONS:
        return draw(ANYTHING)
    unknown = schema.keys() - _ANNOTATIONS - _CONDITIONS - _KNOWN
    assert not unknown, f"generation does not know {unknown}"
    if "$ref" in schema:
        return _value(draw, *_resolved(schema["$ref"], file), depth)
    for union in ("anyOf", "oneOf"):
        if union in schema:
            return _value(draw, draw(st.sampled_from(schema[union])), file, depth)
    if "const" in schema:
        return schema["const"]
    if "enum" in schema:
        return draw(st.sampled_from(schema["enum"]))
    types = schema.get("type", "object" if "properties" in schema else None)
    match draw(st.sampled_from(types)) if isinstance(types, list) else types:
        case "object":
            return _object(draw, schema, file, depth)
        case "array":
            return _array(draw, schema, file, depth)
        case "string":
            return _text(draw, schema)
        case "integer":
            least = schema["exclusiveMinimum"] + 1 if "exclusiveMinimum" in schema else schema.get("minimum", -1000)
            return draw(st.integers(least, schema.get("maximum", 10**6)))
        case "number":
            return _number(draw, schema)
        case "boolean":
            return draw(st.booleans())
        case "null":
            return None
        case other:
            raise AssertionError(f"generation does not know the type {other}")


def _resolved(reference: str, file: str) -> tuple[Any, str]:
    other, _, inside = reference.partition("#")
    file = other or file
    schema = bundle()["schemas"][file]
    for token in inside.split("/")[1:]:
        schema = schema[token]
    return schema, file


def _object(draw: st.DrawFn, schema: Mapping[str, Any], file: str, depth: int) -> dict[str, Any]:
    properties = schema.get("properties", {})
    members: dict[str, Any] = {}
    for name, inner in properties.items():
        if inner is False or name == "$schema":
            continue
        if name in schema.get("required", ()) or (depth < _DEEPEST and draw(st.integers(0, 2)) == 0):
            members[name] = _value(draw, inner, file, depth + 1)
    rest = schema.get("additionalProperties", True)
    if rest is not False and draw(st.integers(0, 3)) == 0:
        names = draw(st.lists(_NAMES.filter(lambda name: name not in properties), max_size=3, unique=True))
        members |= {name: _value(draw, rest, file, depth + 1) for name in names}
    return members


def _array(draw: st.DrawFn, schema: Mapping[str, Any], file: str, depth: int) -> list[Any]:
    least = schema.get("minItems", 0)
    count = draw(st.integers(least, min(schema.get("maxItems", least + 2), least + 2)))
    return [_value(draw, schema.get("items", True), file, depth + 1) for _ in range(count)]


def _text(draw: st.DrawFn, schema: Mapping[str, Any]) -> str:
    if "pattern" in schema:
        # \Z for $, which in Python would let a line feed follow
        return draw(st.from_regex(re.compile(re.sub(r"\$$", r"\\Z", schema["pattern"]), re.ASCII)))
    if "format" in schema:
        return draw(_FORMATS[schema["format"]])
    least = schema.get("minLength", 0)
    # what must be long is one text, repeated
    text = draw(st.text('ab "\\/é\n', min_size=min(least, 1), max_size=8))
    return text * -(-least // len(text)) if len(text) < least else text


def _number(draw: st.DrawFn, schema: Mapping[str, Any]) -> Any:
    least, most = schema.get("minimum", schema.get("exclusiveMinimum", -1e6)), schema.get("maximum", 1e6)
    floats = st.floats(least, most, exclude_min="exclusiveMinimum" in schema)
    return draw(floats | st.integers(int(least) + 1, int(most)))


def _conformed(draw: st.DrawFn, schema: Any, root: Any, file: str, document: Any) -> Any:
    """The document as the conditions of a schema ask for it: members taken out, added or made anew."""
    if not isinstance(document, dict) or schema is True:
        return document
    for name, inner in schema.get("properties", {}).items():
        if name not in document or schema is root:
            continue
        if inner.get("not") is True:
            del document[name]
        elif "type" in inner and not validator({"type": inner["type"]}).is_valid(document[name]):
            document[name] = _of_type(draw, _member(root, name, file), file, inner["type"])
    for name in schema.get("required", ()):
        if name not in document:
            document[name] = _value(draw, *_member_in(root, name, file), 1)
    if "if" in schema:
        holds = validator(schema["if"]).is_valid(document)
        document = _conformed(draw, schema.get("then" if holds else "else", True), root, file, document)
    return document


def _member_in(root: Any, name: str, file: str) -> tuple[Any, str]:
    """What the branches of a root say about a member: the same in all of them."""
    branch, file = _resolved(root["oneOf"][0]["$ref"], file) if "oneOf" in root else (root, file)
    return branch["properties"][name], file


def _member(root: Any, name: str, file: str) -> Any:
    return _member_in(root, name, file)[0]


def _of_type(draw: st.DrawFn, schema: Any, file: str, wanted: str) -> Any:
    """A value of a union, of the branch with the wanted type."""
    while "$ref" in schema:
        schema, file = _resolved(schema["$ref"], file)
    for branch in schema["anyOf"]:
        inner, there = _resolved(branch["$ref"], file) if "$ref" in branch else (branch, file)
        if inner["type"] == wanted:
            return _value(draw, inner, there, 1)
    raise AssertionError(f"no branch is of type {wanted}")
