"""One schema of every document that passes: the canonical schemas together, loosened by the tolerances.

Types that are made of it describe what a program may meet, not only what the documentation asks for: a member whose
absence is tolerated is optional, a tolerated type joins the union, a tolerated word makes the enumeration a text.
"""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from codegen.sources import data, kinds, schemas, title

if TYPE_CHECKING:
    from collections.abc import Iterator

Schema = dict[str, Any]

# Any JSON value, in the words of the two generators.
JSON: Schema = {"customTypePath": "evalschema.codec.Json", "tsType": "unknown"}
_TYPES: dict[str, Schema] = {
    "array": {"type": "array", "items": JSON},
    "object": {"type": "object", "additionalProperties": JSON},
} | {name: {"type": name} for name in ("string", "number", "integer", "boolean", "null")}
_PREDICATES = ("Path", "GeneralPath", "Shape")
_KEPT = ("title", "description", "deprecated", "type", "required", "enum", "const")


def documents() -> Schema:
    """A schema titled Document: any document of any kind, with every definition of every kind under its title."""
    definitions = _definitions()
    for entry in data("tolerances"):
        _loosen(definitions, entry)
    roots = [{"$ref": f"#/$defs/{title(kind)}"} for kind in kinds()]
    used = _reachable(definitions, roots)
    return {
        "title": "Document",
        "description": "A document of any kind.",
        "anyOf": roots,
        "$defs": {name: definition for name, definition in sorted(definitions.items()) if name in used},
    }


def _definitions() -> dict[str, Schema]:
    """The roots of all schemas and their definitions by title, each once; references lead from one to another."""
    found: dict[str, Schema] = {}
    for file, schema in schemas().items():
        inner = {key: value for key, value in schema.get("$defs", {}).items() if key not in _PREDICATES}
        for name, definition in {schema["title"]: schema, **inner}.items():
            if name in found:
                raise ValueError(f"schemas/{file}: {name} is defined twice; titles are unique over all files")
            found[name] = _typed(definition, file)
    return found


def _reachable(definitions: dict[str, Schema], value: Any) -> set[str]:
    """The titles that a schema leads to."""
    found: set[str] = set()
    left = [value]
    while left:
        each = left.pop()
        left += each.values() if isinstance(each, dict) else each if isinstance(each, list) else ()
        if isinstance(each, dict) and isinstance(each.get("$ref"), str):
            name = each["$ref"].rpartition("/")[2]
            left += () if name in found else (definitions[name],)
            found.add(name)
    return found


def _typed(schema: Any, file: str) -> Schema:
    """What the schema says about types, in terms of titles; where it says nothing, any JSON value."""
    if not isinstance(schema, dict):
        return dict(JSON)
    kept: Schema = {key: deepcopy(value) for key, value in schema.items() if key in _KEPT}
    if "$ref" in schema:
        kept["$ref"] = "#/$defs/" + _title_of(schema["$ref"], file)
    if "properties" in schema:
        kept["properties"] = {name: _typed(member, file) for name, member in schema["properties"].items()}
    inner = [key for key in ("additionalProperties", "items") if isinstance(schema.get(key), dict)]
    kept |= {key: _typed(schema[key], file) for key in inner}
    kept |= {key: [_typed(branch, file) for branch in schema[key]] for key in ("anyOf", "oneOf") if key in schema}
    return kept if kept.keys() & {"$ref", "anyOf", "const", "enum", "oneOf", "type"} else kept | JSON


def _title_of(reference: str, file: str) -> str:
    other, _, inner = reference.partition("#")
    name: str = inner.rpartition("/")[2] or schemas()[other or file]["title"]
    return name


# --- tolerances ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Site:
    """A place where a schema is used: `holder[key]` is that schema."""

    holder: Any
    key: str

    @property
    def schema(self) -> Schema:
        """The schema as it stands there."""
        found: Schema = self.holder[self.key]
        return found


def sites(definitions: dict[str, Schema], kind: str, place: str) -> list[Site]:
    """Where the values at `place` (a JSON Pointer, * for any step) of a document of `kind` are described."""
    found = [Site(definitions, title(kind))]
    for step in place.split("/")[1:]:
        found = [inner for site in found for inner in _inside(definitions, site.schema, step)]
    return found


def objects(definitions: dict[str, Schema], schema: Schema) -> Iterator[Schema]:
    """The definitions, branches of unions included, that `schema` stands for."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        if name in definitions:
            yield from objects(definitions, definitions[name])
    for keyword in ("anyOf", "oneOf", "allOf"):
        for branch in schema.get(keyword, ()):
            yield from objects(definitions, branch)
    yield schema


def _inside(definitions: dict[str, Schema], schema: Schema, step: str) -> Iterator[Site]:
    for each in objects(definitions, schema):
        properties = each.get("properties", {})
        names = list(properties) if step == "*" else [step] if step in properties else []
        yield from (Site(properties, name) for name in names)
        if not names or step == "*":
            yield from (Site(each, key) for key in ("additionalProperties", "items") if _is_declared(each, key))


def _is_declared(schema: Schema, key: str) -> bool:
    return isinstance(schema.get(key), dict) and schema[key] != JSON


def _loosen(definitions: dict[str, Schema], entry: dict[str, Any]) -> None:
    """Apply one tolerance; raises ValueError when its place is not in the schema."""
    found = sites(definitions, entry["kind"], entry["place"])
    if not found:
        raise ValueError(f"schemas/tolerances.json: {entry['kind']} has no place {entry['place']}")
    if entry["keyword"] == "required":
        for site in found:
            for each in objects(definitions, site.schema):
                if entry["property"] in each.get("required", ()):
                    each["required"].remove(entry["property"])
                    # null counts as missing
                    _join(Site(each["properties"], entry["property"]), {"type": "null"})
    elif entry["keyword"] in ("type", "enum"):
        for site in found:
            for also in _types(entry.get("when")):
                _join(site, also)


def _types(when: Schema | None) -> list[Schema]:
    """The types of the values that fit a condition, as far as it names any."""
    if when is not None and "type" in when:
        named = when["type"]
        return [_TYPES[name] for name in ([named] if isinstance(named, str) else named)]
    if when is not None and all(isinstance(word, str) for word in when.get("enum", [None])):
        return [_TYPES["string"]]
    return [JSON]


def _join(site: Site, also: Schema) -> None:
    """Add an alternative to the schema that stands at a site."""
    schema = site.schema
    if "anyOf" not in schema or "$ref" in schema:
        described = {key: value for key, value in schema.items() if key in ("title", "description")}
        site.holder[site.key] = schema = described | {
            "anyOf": [{k: v for k, v in schema.items() if k not in described}]
        }
    if also not in schema["anyOf"]:
        schema["anyOf"].append(also)
