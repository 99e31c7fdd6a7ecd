"""Schemas of strangers, each with an instance: those that cannot be used, and those that ask for too much."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

#: What is expected where the schema cannot be used at all.
UNUSABLE = "unusable"
LIMIT = "limit.work"


@dataclass(frozen=True, slots=True)
class Stranger:
    """A schema and an instance; `code` is that of the first finding, empty where the instance fits."""

    name: str
    schema: Any
    instance: Any
    code: str = ""


def nested(depth: int, innermost: Any) -> Any:
    """A value inside so many lists."""
    for _ in range(depth):
        innermost = [innermost]
    return innermost


def _chain(length: int, keyword: str) -> dict[str, Any]:
    """Definitions that refer twice to the next one: 2^length ways to the last."""
    steps = {f"d{i}": {keyword: [{"$ref": f"#/$defs/d{i + 1}"}] * 2} for i in range(length)}
    return {"$defs": {**steps, f"d{length}": {"type": "string"}}, "$ref": "#/$defs/d0"}


def _recursive(keyword: str, *arms: Any) -> dict[str, Any]:
    return {"$defs": {"n": {keyword: list(arms)}}, "$ref": "#/$defs/n"}


_DEEPER = {"type": "array", "items": {"$ref": "#/$defs/n"}}
_DEEPER_TOO = {"items": {"$ref": "#/$defs/n"}, "type": "array"}
_DYNAMIC = {"type": "array", "items": {"$dynamicRef": "#n"}}


def bombs() -> Iterator[Stranger]:
    """Small schemas, or small instances, that ask for more work than there is time, or memory, in the world."""
    twice = _recursive("anyOf", _DEEPER, _DEEPER_TOO)
    for depth in (16, 20, 60):
        yield Stranger(f"any-of-two-arms-{depth}", twice, nested(depth, "x"), LIMIT)
    yield Stranger("one-of-two-arms", _recursive("oneOf", _DEEPER, _DEEPER_TOO), nested(60, "x"), LIMIT)
    yield Stranger(
        "all-of-two-arms", _recursive("allOf", {"items": {"$ref": "#/$defs/n"}}, _DEEPER_TOO), nested(60, []), LIMIT
    )
    yield Stranger(
        "not-not",
        {
            "$defs": {"n": {"not": {"not": _recursive("allOf", _DEEPER, _DEEPER_TOO)["$defs"]["n"]}}},
            "$ref": "#/$defs/n",
        },
        nested(60, []),
        LIMIT,
    )
    yield Stranger(
        "dynamic", {"$dynamicAnchor": "n", "anyOf": [_DYNAMIC, {**_DYNAMIC, "minItems": 1}]}, nested(60, "x"), LIMIT
    )
    dialect = {"$schema": "https://json-schema.org/draft/2020-12/schema"}
    yield Stranger(
        "dialect-in-the-arms",
        _recursive("anyOf", {**dialect, **_DEEPER}, {**dialect, **_DEEPER_TOO}),
        nested(40, "x"),
        LIMIT,
    )
    yield Stranger(
        "dependent",
        {
            "$defs": {
                "n": {
                    "dependentSchemas": {"a": {"properties": {"a": {"$ref": "#/$defs/n"}}}},
                    "dependencies": {"a": {"properties": {"a": {"$ref": "#/$defs/n"}}}},
                }
            },
            "$ref": "#/$defs/n",
        },
        _objects(60),
        LIMIT,
    )
    yield Stranger(
        "by-any-name",
        {
            "$defs": {
                "n": {"properties": {"a": {"$ref": "#/$defs/n"}}, "patternProperties": {"a": {"$ref": "#/$defs/n"}}}
            },
            "$ref": "#/$defs/n",
        },
        _objects(60),
        LIMIT,
    )
    for keyword in ("allOf", "anyOf", "oneOf"):
        yield Stranger(f"chain-25-{keyword}", _chain(25, keyword), 1, LIMIT)
        yield Stranger(f"chain-60-{keyword}", _chain(60, keyword), "x", UNUSABLE)
    conditions = {f"d{i}": {key: {"$ref": f"#/$defs/d{i + 1}"} for key in ("if", "then")} for i in range(25)}
    yield Stranger("chain-if", {"$defs": {**conditions, "d25": {"type": "string"}}, "$ref": "#/$defs/d0"}, "x", LIMIT)
    yield Stranger(
        "unevaluated",
        {"$defs": {"n": {"anyOf": [_DEEPER, {"type": "integer"}], "unevaluatedItems": False}}, "$ref": "#/$defs/n"},
        nested(60, "x"),
        LIMIT,
    )
    yield Stranger(
        "unevaluated-items", {"contains": {"type": "string"}, "unevaluatedItems": False}, [1] * 100_000, LIMIT
    )
    wide = [{"properties": {f"x{i}": True}} for i in range(1000)]
    yield Stranger("unevaluated-members", {"allOf": wide, "unevaluatedProperties": False}, _members(20_000), LIMIT)
    yield Stranger(
        "any-of-5000", {"items": {"anyOf": [{"required": [f"k{i}"]} for i in range(5000)]}}, [{}] * 20_000, LIMIT
    )
    yield Stranger("words-10000", {"items": {"enum": [{"a": i} for i in range(10_000)]}}, [{"a": -1}] * 10_000, LIMIT)
    yield Stranger("a-large-constant", {"items": {"const": list(range(10_000))}}, [list(range(9_999))] * 2_000, LIMIT)
    yield Stranger(
        "contains-in-contains", {"contains": {"contains": {"contains": {"const": 1}}}}, [[[0] * 300] * 100] * 30, LIMIT
    )
    yield Stranger("wrong-items", {"items": {"type": "string"}}, [0] * 1_000_000, LIMIT)
    yield Stranger("wrong-names", {"additionalProperties": False}, _members(200_000), LIMIT)
    yield Stranger("names-too-long", {"propertyNames": {"maxLength": 2}}, _members(200_000), LIMIT)
    yield Stranger("missing-members", {"items": {"required": [f"r{i}" for i in range(1000)]}}, [{}] * 10_000, LIMIT)
    yield Stranger(
        "patterns-for-names",
        {"patternProperties": {f"(a{{{i}}}|b)*$": False for i in range(300)}},
        _members(10_000),
        LIMIT,
    )
    heavy = "(a|b)*a(a|b){250}x"
    yield Stranger("pattern-slow-on-long", {"pattern": heavy}, "ab" * 5_000_000, LIMIT)
    yield Stranger("pattern-slow-many-times", _chain_of({"pattern": heavy}), "ab" * 100_000, LIMIT)


def _objects(depth: int) -> Any:
    value: Any = {}
    for _ in range(depth):
        value = {"a": value}
    return value


def _members(count: int) -> dict[str, int]:
    return {f"key-{i}": i for i in range(count)}


def _chain_of(last: Any) -> dict[str, Any]:
    chain = _chain(12, "allOf")
    chain["$defs"]["d12"] = last
    return chain


def others() -> Iterator[Stranger]:
    """Everything else that a schema may do to who uses it."""
    yield Stranger("backtracking", {"pattern": "(a+)+$"}, "a" * 100_000 + "!", "schema.pattern")
    yield Stranger("backtracking-either", {"pattern": "^(a|a)*$"}, "a" * 100_000 + "!", "schema.pattern")
    yield Stranger("backtracking-digits", {"pattern": r"^\d+\d+\d+x$"}, "1" * 100_000, "schema.pattern")
    yield Stranger("anchor-and-line-end", {"pattern": "^a$"}, "a\n", "schema.pattern")
    yield Stranger("unique-10000", {"uniqueItems": True}, [{"a": i} for i in range(10_000)])
    yield Stranger(
        "unique-mixed",
        {"uniqueItems": True},
        [*([i, {"a": [i]}] for i in range(50_000)), [1, {"a": [1]}]],
        "schema.uniqueItems",
    )
    yield Stranger("unique-true-and-1", {"uniqueItems": True}, [1, True, 0, False])
    yield Stranger("long-text", {"maxLength": 3}, "x" * 10_000_000, "schema.maxLength")
    yield Stranger("long-words", {"enum": ["x" * 1000 + str(i) for i in range(3000)]}, 1, "schema.enum")
    yield Stranger("recursive-and-honest", _recursive("anyOf", _DEEPER, {"type": "integer"}), nested(60, 1))
    yield Stranger(
        "recursive-and-wrong", _recursive("anyOf", _DEEPER, {"type": "integer"}), nested(60, "x"), "schema.type"
    )
    yield Stranger("old-dependencies", {"dependencies": {"a": ["b"]}}, {"a": 1}, "schema.dependentRequired")
    yield Stranger("metaschema", {"$ref": "https://json-schema.org/draft/2020-12/schema"}, {"type": 5}, "schema.enum")
    yield Stranger("shipped", {"$ref": "timing.schema.json"}, {"total_tokens": "many"}, "schema.required")
    yield Stranger(
        "address-of-its-own",
        {"$id": "http://127.0.0.1:9/a", "$defs": {"b": {"$id": "b", "type": "string"}}, "$ref": "b"},
        1,
        "schema.type",
    )
    yield Stranger(
        "name-of-a-shipped-one",
        {"$id": "timing.schema.json", "$defs": {"X": {"type": "string"}}, "$ref": "#/$defs/X"},
        1,
        "schema.type",
    )
    yield Stranger("formats-of-hosts", {"format": "idn-hostname"}, "xn--" + "a" * 1_000_000, "schema.format")
    yield Stranger("formats-of-patterns", {"format": "regex"}, "(" * 100_000, "schema.format")
    yield Stranger("formats-of-addresses", {"format": "uri"}, "http://" + "[:" * 500_000, "schema.format")
    yield Stranger("formats-of-mail", {"format": "email"}, "a" * 1_000_000 + "@" + "b." * 500_000, "schema.format")
    yield Stranger("formats-of-pointers", {"format": "json-pointer"}, "/~" * 1_000_000, "schema.format")
    yield Stranger("formats-of-times", {"format": "date-time"}, "2026-01-01T00:00:00." + "1" * 5_000_000 + "Z")
    yield Stranger("multiples", {"items": {"multipleOf": 1e-300}}, [1.7e308, 2**1023] * 10_000)
    for address in (
        "http://127.0.0.1:9/s.json", "https://127.0.0.1:9/s.json", "ftp://127.0.0.1:9/s.json", "file:///etc/passwd",
        "file:///etc/passwd#/root", "data:application/json,{}", "urn:example:s", "//127.0.0.1:9/s.json", "/etc/passwd",
        "../../etc/passwd", "s.json", "\\\\127.0.0.1\\s", "jar:file:///s!/s.json", "gopher://127.0.0.1:9/",
        "#/$defs/nowhere", "#nowhere", "grading.schema.json#/$defs/nowhere",
    ):  # fmt: skip
        yield Stranger(f"reference-{address}", {"$ref": address}, 1, UNUSABLE)
        yield Stranger(f"dynamic-reference-{address}", {"$dynamicRef": address}, 1, UNUSABLE)
        if address[0] != "#" and "grading" not in address:
            yield Stranger(f"dialect-{address}", {"$schema": address, "type": "string"}, 1, UNUSABLE)
            yield Stranger(f"relative-to-{address}", {"$id": address, "$ref": "other.json"}, 1, UNUSABLE)
            yield Stranger(f"dialect-inside-{address}", {"allOf": [{"$id": "x", "$schema": address}]}, 1, UNUSABLE)
    for name, schema in (
        ("itself", {"$ref": "#"}),
        ("itself-dynamic", {"$dynamicAnchor": "a", "$dynamicRef": "#a"}),
        ("each-other", {"$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}, "$ref": "#/$defs/a"}),
        ("itself-in-all-of", {"allOf": [{"$ref": "#"}]}),
        ("itself-in-not", {"not": {"$ref": "#"}}),
        ("itself-in-if", {"if": {"$ref": "#"}}),
        ("references-20000", _references(20_000)),
        ("references-9000", _references(9_000)),
        ("patterns-20000", {"allOf": [{"pattern": f"a{{{i % 900}}}"} for i in range(20_000)]}),
        ("pattern-large", {"pattern": "((a{1,100}){1,100}){1,100}"}),
        ("pattern-of-classes", {"pattern": "(\\p{L}{1,100}){1,100}"}),
        ("look-ahead", {"pattern": "^(?=a)a$"}),
        ("look-behind", {"pattern": "(?<!a)b"}),
        ("back-reference", {"pattern": r"(a)\1"}),
        ("pattern-open", {"pattern": "("}),
        ("pattern-open-in-names", {"patternProperties": {"[": True}}),
        ("format-misspelt", {"format": "data-time"}),
        ("type-misspelt", {"type": "strng"}),
        ("type-of-items", {"items": [1]}),
        ("reference-number", {"$ref": 5}),
        ("deep", _deep(70)),
        ("very-deep", _deep(100_000)),
        ("not-a-number", {"const": float("nan")}),
        ("infinite", {"maximum": float("inf")}),
        ("a-tuple", {"enum": (1, 2)}),
        ("a-name-that-is-none", {"properties": {1: {"type": "string"}}}),
        ("half-a-pair", {"const": "\ud800"}),
        ("a-list", [{"type": "string"}]),
    ):
        yield Stranger(name, schema, 1, UNUSABLE)


def _references(count: int) -> dict[str, Any]:
    steps = {f"d{i}": {"$ref": f"#/$defs/d{i + 1}"} for i in range(count)}
    return {"$defs": {**steps, f"d{count}": {"type": "string"}}, "$ref": "#/$defs/d0"}


def _deep(depth: int) -> dict[str, Any]:
    schema: dict[str, Any] = {"type": "string"}
    for _ in range(depth):
        schema = {"not": schema}
    return schema
