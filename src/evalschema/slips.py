"""Optional members under a misspelt name: nothing is missing then, and what was written is read by nobody.

Sound documents come here too, so that the first look is one question to the fast engine.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from evalschema.catalog import bundle, schema
from evalschema.finding import Finding, Tokens, pointer, split
from evalschema.verdict import fits, validator

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

# Deeper than any document goes: a definition that holds itself ends here.
_DEPTH = 12


class _Members:
    """What is documented for the objects at one place, and below it.

    `optional` maps a name to the definition that its value must fit. Where names are free, `declared` is empty.
    """

    __slots__ = ("declared", "each", "inner", "optional")

    def __init__(self) -> None:
        self.declared: set[str] = set()
        self.optional: dict[str, str] = {}
        self.inner: dict[str, _Members] = {}
        self.each: _Members | None = None

    def has_optional(self) -> bool:
        """Whether there is an optional member here or further inside."""
        return bool(self.optional or self.inner or self.each)


@cache
def _documented(kind: str) -> _Members:
    return _described(f"{kind}.schema.json", "", schema(kind), 0)


def _described(file: str, inside: str, node: Mapping[str, Any], depth: int) -> _Members:
    """What a part of a schema, which stands at `inside` in its file, says about members."""
    members = _Members()
    if depth > _DEPTH:
        return members
    if (reference := node.get("$ref")) is not None:
        target, _, inside = reference.partition("#")
        file = target or file
        node = bundle()["schemas"][file]
        for token in split(inside):
            node = node[token]
    for keyword in ("anyOf", "oneOf"):
        for index, branch in enumerate(node.get(keyword, ())):
            _merge(members, _described(file, f"{inside}/{keyword}/{index}", branch, depth + 1))
    properties, free = node.get("properties", {}), node.get("additionalProperties")
    for name in properties:
        child = _described(file, f"{inside}/properties/{name}", properties[name], depth + 1)
        if child.has_optional():
            members.inner[name] = child
    for keyword in ("items", "additionalProperties"):
        if isinstance(each := node.get(keyword), dict):
            child = _described(file, f"{inside}/{keyword}", each, depth + 1)
            members.each = child if child.has_optional() else members.each
    if properties and not isinstance(free, dict):
        members.declared |= set(properties)
        optional = [name for name in properties if name not in node.get("required", ()) and name != "$schema"]
        members.optional |= {name: f"{file}#{inside}/properties/{name}" for name in optional}
    return members


def _merge(members: _Members, branch: _Members) -> None:
    """Add what an alternative documents; a member that another alternative requires is not optional."""
    both = members.declared & branch.declared
    optional = members.optional | branch.optional
    members.optional = {
        name: reference
        for name, reference in optional.items()
        if name not in both or (name in members.optional and name in branch.optional)
    }
    members.declared |= branch.declared
    members.inner |= branch.inner
    members.each = branch.each or members.each


@cache
def schema_of_names(kind: str) -> dict[str, Any] | None:
    """A schema for sound instances in which no name is worth a word: objects with optional members have no other ones.

    None for kinds with a wrong name that it would not see, because it is documented as well, say.
    """
    return None if _has_hidden_names(kind) else _closed(_documented(kind))


@cache
def _is_quiet(kind: str) -> Callable[[Any], bool]:
    return validator(_closed(_documented(kind))).is_valid


def _closed(members: _Members) -> dict[str, Any]:
    """A schema that only says which names are documented."""
    each = True if members.each is None else _closed(members.each)
    names: dict[str, Any] = {name: _closed(inner) for name, inner in members.inner.items()}
    closed: dict[str, Any] = {"properties": names, "items": each, "additionalProperties": each}
    if members.optional:
        closed["properties"] = dict.fromkeys(members.declared, each) | names
        closed["additionalProperties"] = False
    return closed


@cache
def _has_hidden_names(kind: str) -> bool:
    """Whether a name that is worth a word in a sound document would not look strange."""
    entries = (entry for entry in bundle()["aliases"] if entry["kind"] == kind)
    return any(
        not _looks_strange(_documented(kind), split(entry["at"]), entry["wrong"])
        for entry in entries
        if "severity" in entry or entry.get("right") is None
    )


def _looks_strange(members: _Members | None, at: tuple[str, ...], name: str) -> bool:
    for step in at:
        if members is None:
            return False
        members = members.each if step == "*" else members.inner.get(step)
    return members is not None and bool(members.optional) and name not in members.declared


def misspelt(kind: str, instance: Any, known: frozenset[str]) -> Iterator[Finding]:
    """Unknown members whose name is nearly that of an optional one which is absent, and whose value would suit it.

    `known` are names whose meaning is known: those are nobody's slip of the pen. Each name is told once, at its first
    place; the fix is for all of them.
    """
    if _is_quiet(kind)(instance):
        return
    groups: dict[tuple[str, str], dict[Tokens, Tokens]] = {}
    for at, wrong, right in _slips(_documented(kind), instance, known, ()):
        groups.setdefault((wrong, right), {})[*at, wrong] = (*at, right)
    if groups:
        from evalschema.excerpt import excerpt
        from evalschema.places import moved

        for (wrong, right), places in groups.items():
            yield Finding(
                code="name.typo",
                name="misspelt-name",
                severity="warning",
                kind=kind,
                pointer=pointer(next(iter(places))),
                message=f"`{excerpt(wrong)}` is no documented member: did you mean `{right}`? rename it",
                found=excerpt(wrong),
                expected=right,
                suggestion=right,
                fix=tuple(moved(source, target) for source, target in places.items()),
            )


def _slips(members: _Members, value: Any, known: frozenset[str], at: Tokens) -> Iterator[tuple[Tokens, str, str]]:
    """Each object with a slip: its place, the wrong name and the right one."""
    if isinstance(value, dict):
        if members.optional and not value.keys() <= members.declared:
            for wrong, right in _slips_of(members, value, known):
                yield at, wrong, right
        for name, inner in members.inner.items():
            if name in value:
                yield from _slips(inner, value[name], known, (*at, name))
    if members.each is not None and isinstance(value, dict | list):
        for key, item in value.items() if isinstance(value, dict) else enumerate(value):
            if not isinstance(key, str) or key not in members.inner:
                yield from _slips(members.each, item, known, (*at, key))


def _slips_of(members: _Members, value: dict[str, Any], known: frozenset[str]) -> Iterator[tuple[str, str]]:
    from evalschema.likeness import closest

    absent = sorted(members.declared - value.keys() - {"$schema"})
    taken: set[str] = set()
    for wrong in value:
        if wrong in members.declared or wrong in known:
            continue
        right = closest(wrong, absent, shortest=5)
        # a required one that is missing is told as such
        if right in members.optional and right not in taken and fits(members.optional[right], value[wrong]):
            taken.add(right)
            yield wrong, right
