"""What a schema of the user's own may cost: foreseen before an engine is asked, for no engine can be stopped.

A schema of a hundred bytes can ask for more work than a machine does in a year: two references to the next definition,
in each of sixty definitions, make 2^60 steps. The steps for one value are counted here without taking them, over the
graph of the subschemas and down to the depth of the instance.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field
from gc import get_referents
from typing import Any

from evalschema.errors import SchemaError
from evalschema.excerpt import excerpt, shown
from evalschema.reading import DEPTH_LIMIT, refusal
from evalschema.verdict import DIALECT, pattern_weight

# Subschemas that apply to one value, each through the one before it; every one takes room on the native stack.
CHAIN_LIMIT = 64
# Engines resolve references in a time that grows with the square of their number.
REFERENCE_LIMIT = 10_000
PATTERN_LIMIT = 1_000
# Nanoseconds that the verdict may take, as foreseen; far more than any honest document needs.
EFFORT_LIMIT = 5_000_000_000
_STEP = 50

_ONE = ("not", "if", "then", "else")
_MANY = ("allOf", "anyOf", "oneOf")
_INSIDE = ("additionalProperties", "items", "contains", "propertyNames", "unevaluatedItems", "unevaluatedProperties")
_LARGE = 1 << 80


@dataclass(slots=True, eq=False)
class _Node:
    """A subschema: the others that it applies to the same value, and those for what lies inside it."""

    schema: dict[str, Any]
    here: list[_Node] = field(default_factory=list["_Node"])
    inside: list[_Node] = field(default_factory=list["_Node"])
    # of these only one applies to a member or an item
    either: list[list[_Node]] = field(default_factory=list[list["_Node"]])
    patterns: float = 0.0
    again: int = 1


def refuse_unbounded(schema: dict[str, Any]) -> None:
    """Raise `SchemaError` for what no engine may be given: no JSON, too many references or patterns."""
    if reason := refusal(schema):
        raise SchemaError(f"the schema cannot be used: {reason.message}")
    references = patterns = 0
    level: list[Any] = [schema]
    while level:
        for each in level:
            if type(each) is dict:
                # a schema inside a schema may name a dialect of its own
                if "$id" in each and each.get("$schema", DIALECT) != DIALECT:
                    dialect = shown(each["$schema"])
                    raise SchemaError(f"a schema is written for {dialect}, only {DIALECT} is supported")
                references += "$ref" in each or "$dynamicRef" in each
                patterns += "pattern" in each
                named = each.get("patternProperties")
                patterns += len(named) if isinstance(named, dict) else 0
        level = get_referents(*[each for each in level if isinstance(each, dict | list)])
    if references > REFERENCE_LIMIT:
        raise SchemaError(f"the schema has {references:,} references, at most {REFERENCE_LIMIT:,} are followed")
    if patterns > PATTERN_LIMIT:
        raise SchemaError(f"the schema has {patterns:,} patterns, at most {PATTERN_LIMIT:,} are tried")


class Bounds:
    """What a usable schema asks for at most.

    Raises `SchemaError` when it leads back to itself without going deeper into the instance.
    """

    def __init__(self, schema: dict[str, Any]) -> None:
        self._root = _graph(schema)
        self._order = _ordered(self._root)

    def allow(self, instance: Any) -> bool:
        """Whether the verdict on an instance is surely had in a few seconds."""
        nodes, characters, depth = _measured(instance)
        steps, weight = _effort(self._order, self._root, depth)
        return nodes * steps * _STEP + characters * weight <= EFFORT_LIMIT


def _measured(instance: Any) -> tuple[int, int, int]:
    """How many values the instance has, how many characters they have, and how deep they lie."""
    nodes = characters = depth = 0
    level: list[Any] = [instance]
    while level and depth <= DEPTH_LIMIT:
        nodes += len(level)
        depth += 1
        # most of a large level is of one sort, and passed over by native calls
        types = set(map(type, level))
        if str in types:
            characters += sum([len(value) for value in level if type(value) is str])
        if not any(issubclass(each, dict | list) for each in types):
            break
        containers = [value for value in level if isinstance(value, dict | list)]
        # these calls list the keys of a dict only sometimes
        characters += sum([len("".join(value)) for value in containers if isinstance(value, dict)])
        level = get_referents(*containers)
    return nodes, characters, depth


def _graph(schema: dict[str, Any]) -> _Node:
    """The subschemas that can be reached, as nodes; shipped and official ones ask for little, and are left out."""
    root = _Node(schema)
    known = {id(schema): root}
    resolve = _Resolver(schema)
    waiting: deque[tuple[_Node, Any]] = deque([(root, resolve.root)])

    def node(subschema: Any, base: Any) -> list[_Node]:
        if not isinstance(subschema, dict):
            return []
        found = known.get(id(subschema))
        if found is None:
            found = known[id(subschema)] = _Node(subschema)
            waiting.append((found, base))
        return [found]

    def nodes(subschemas: Any, base: Any) -> list[_Node]:
        values = subschemas.values() if isinstance(subschemas, dict) else subschemas
        return [each for subschema in values for each in node(subschema, base)] if isinstance(values, Iterable) else []

    while waiting:
        here, base = waiting.popleft()
        each = here.schema
        base = resolve.inside(each, base)
        for keyword in _ONE:
            here.here += node(each.get(keyword), base)
        for keyword in (*_MANY, "dependentSchemas", "dependencies"):
            here.here += nodes(each.get(keyword, ()), base)
        for keyword in ("$ref", "$dynamicRef"):
            for target, its_base in resolve.targets(each.get(keyword), base, keyword):
                here.here += node(target, its_base)
        for keyword in _INSIDE:
            here.inside += node(each.get(keyword), base)
        here.inside += nodes(each.get("patternProperties", ()), base)
        here.either = [nodes(each.get(keyword, ()), base) for keyword in ("properties", "prefixItems")]
        patterns = [each["pattern"]] if isinstance(each.get("pattern"), str) else []
        here.patterns = sum(map(pattern_weight, (*patterns, *each.get("patternProperties", ()))))
        # what is left over is told by asking the other subschemas once more
        here.again = 2 if "unevaluatedItems" in each or "unevaluatedProperties" in each else 1
    return root


class _Resolver:
    """References within the schema; those to other schemas lead nowhere here."""

    def __init__(self, schema: dict[str, Any]) -> None:
        self._schema = schema
        self.root: Any = None

    def _start(self) -> Any:
        # most schemas refer to nothing but their own definitions, which needs no help
        from referencing import Registry
        from referencing.jsonschema import DRAFT202012

        if self.root is None:
            resource = DRAFT202012.create_resource(self._schema)
            address = resource.id() or ""
            self.root = Registry().with_resource(address, resource).crawl().resolver(address)
        return self.root

    def inside(self, schema: dict[str, Any], base: Any) -> Any:
        """The base that references of a subschema count from."""
        if not isinstance(schema.get("$id"), str) or schema is self._schema:
            return base
        from referencing.jsonschema import DRAFT202012

        return (base or self._start()).in_subresource(DRAFT202012.create_resource(schema))

    def targets(self, reference: Any, base: Any, keyword: str) -> list[tuple[Any, Any]]:
        """The subschemas that a reference may mean, each with its base."""
        if not isinstance(reference, str):
            return []
        from referencing.exceptions import Unresolvable

        try:
            found = (base or self._start()).lookup(reference)
        except Unresolvable:
            return []
        targets = [(found.contents, found.resolver)]
        if keyword == "$dynamicRef":
            name = reference.rpartition("#")[2]
            # which of them is meant depends on the way there: all are taken
            targets += [(each, found.resolver) for each in self._anchors(name) if each is not found.contents]
        return targets

    def _anchors(self, name: str) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = []
        level: list[Any] = [self._schema]
        while level:
            found += [each for each in level if isinstance(each, dict) and each.get("$dynamicAnchor") == name]
            level = get_referents(*[each for each in level if isinstance(each, dict | list)])
        return found


def _ordered(root: _Node) -> list[_Node]:
    """All nodes, each behind those that it applies to the same value; `SchemaError` where that goes in a circle."""
    order: list[_Node] = []
    heights: dict[_Node, int] = {}
    reached = {root}
    waiting = [root]
    while waiting:
        start = waiting.pop()
        path: list[tuple[_Node, int]] = [(start, 0)] if start not in heights else []
        on_path = {start}
        while path:
            node, position = path.pop()
            if position < len(node.here):
                path.append((node, position + 1))
                following = node.here[position]
                if following in on_path:
                    raise SchemaError(f"the schema refers to itself without end{_where(node.schema)}")
                if following not in heights:
                    on_path.add(following)
                    path.append((following, 0))
                continue
            on_path.discard(node)
            heights[node] = 1 + max((heights[each] for each in node.here), default=0)
            if heights[node] > CHAIN_LIMIT:
                chain = f"more than {CHAIN_LIMIT} subschemas apply to one value, each through another"
                raise SchemaError(f"{chain}{_where(node.schema)}: flatten the schema")
            order.append(node)
            for each in (*node.inside, *(each for group in node.either for each in group)):
                if each not in reached:
                    reached.add(each)
                    waiting.append(each)
    return order


def _where(schema: dict[str, Any]) -> str:
    reference = schema.get("$ref", schema.get("$dynamicRef"))
    return f" (by {excerpt(reference)})" if isinstance(reference, str) else ""


def _effort(order: list[_Node], root: _Node, depth: int) -> tuple[float, float]:
    """Steps, and nanoseconds a character for patterns, on the way from the root to one innermost value, at most."""
    below: dict[_Node, tuple[float, float]] = dict.fromkeys(order, (0.0, 0.0))
    for _ in range(depth):
        level: dict[_Node, tuple[float, float]] = {}
        for node in order:
            steps, weight = 1.0, node.patterns
            for each in node.here:
                steps += node.again * level[each][0]
                weight += node.again * level[each][1]
            for each in node.inside:
                steps += below[each][0]
                weight += below[each][1]
            for group in node.either:
                steps += max((below[each][0] for each in group), default=0.0)
                weight += max((below[each][1] for each in group), default=0.0)
            level[node] = (min(steps, _LARGE), min(weight, _LARGE))
        if level == below:
            break
        below = level
    return below[root]
