"""Known wrong names and places: where a value stands that the format wants under another name.

String similarity finds typos, it never finds `config` for `configuration` or `met` for `passed`; `aliases.json` lists
what people and models really write.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from evalschema.catalog import bundle
from evalschema.excerpt import excerpt
from evalschema.finding import Finding, Patch, Severity, Tokens, pointer, split
from evalschema.places import ABSENT, get, moved, walk
from evalschema.slips import misspelt

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

FINDING_NAMES = {
    "name.alias": "wrong-name",
    "name.misplaced": "wrong-place",
    "name.typo": "misspelt-name",
    "name.unknown": "unknown-name",
}


@dataclass(frozen=True, slots=True)
class Alias:
    """An entry of aliases.json, made ready. `right` is None for a name that no renaming saves; `when` is JSON text."""

    at: tuple[str, ...]
    wrong: str
    right: tuple[str, ...] | None
    when: str | None
    safe: bool
    severity: Severity | None
    why: str
    instead: str | None

    def suits(self, value: Any) -> bool:
        """Whether the value is what would be expected in the right place."""
        if self.when is None:
            return True
        from evalschema.verdict import fits_text

        return fits_text(self.when, value)


@dataclass(frozen=True, slots=True)
class Hit:
    """A known wrong name found in the instance, and the place where its value belongs."""

    alias: Alias
    at: Tokens
    target: Tokens

    @property
    def wrong(self) -> str:
        """The name that stands there; "" for the whole document."""
        return self.alias.wrong

    @property
    def place(self) -> Tokens:
        """Where the value stands."""
        return (*self.at, self.wrong) if self.wrong else self.at

    @property
    def is_renamed(self) -> bool:
        """Whether the member stands in the right object under another name."""
        return self.alias.right is not None and len(self.alias.right) == 1


@cache
def _aliases(kind: str) -> tuple[Alias, ...]:
    return tuple(
        Alias(
            split(entry["at"]),
            entry["wrong"],
            split(entry["right"]) if entry.get("right") is not None else None,
            json.dumps(entry["when"]) if "when" in entry else None,
            entry.get("safe", False),
            entry.get("severity"),
            entry.get("why", ""),
            entry.get("instead"),
        )
        for entry in bundle()["aliases"]
        if entry["kind"] == kind
    )


@cache
def _noteworthy(kind: str) -> tuple[Alias, ...]:
    """The aliases that are worth a word even when nothing is missing."""
    return tuple(alias for alias in _aliases(kind) if alias.severity is not None and alias.right is not None)


@cache
def known_wrong_names(kind: str) -> frozenset[str]:
    """The names that `aliases.json` lists for a kind: what they mean is known, so they are nobody's slip of the pen."""
    return frozenset(alias.wrong for alias in _aliases(kind))


def find_hits(kind: str, instance: Any) -> list[Hit]:
    """Known wrong names whose value suits and whose right place is empty."""
    return list(_hits(_aliases(kind), instance))


def _hits(aliases: Iterable[Alias], instance: Any) -> Iterator[Hit]:
    holders: dict[tuple[str, ...], _Holders] = {}
    for alias in aliases:
        if alias.right is None:
            continue
        if alias.at not in holders:
            holders[alias.at] = _Holders(instance, alias.at)
        for at, holder, value in holders[alias.at].values(alias.wrong):
            # an empty `right` says that the value should stand for the whole object
            if (alias.right == () or get(holder, alias.right) is ABSENT) and alias.suits(value):
                yield Hit(alias, at, (*at, *alias.right))


class _Holders:
    """What stands at the places where a wrong name may stand; most names stand nowhere, which one look tells."""

    def __init__(self, instance: Any, place: tuple[str, ...]) -> None:
        self._all = list(walk(instance, place))
        self._names = frozenset().union(*(holder for _, holder in self._all if isinstance(holder, dict)))

    def values(self, name: str) -> Iterator[tuple[Tokens, Any, Any]]:
        """The place of each that has the name, itself, and the value under it; "" stands for the holder itself."""
        if name == "":
            yield from ((at, holder, holder) for at, holder in self._all)
        elif name in self._names:
            for at, holder in self._all:
                if isinstance(holder, dict) and name in holder:
                    yield at, holder, holder[name]


def notes(kind: str, instance: Any) -> list[Finding]:
    """What is said about an instance that fits its schema: members under another name than the one that is read."""
    noteworthy = _noteworthy(kind)
    found = list(noted(kind, list(_hits(noteworthy, instance)), instance)) if noteworthy else []
    return [*found, *misspelt(kind, instance, known_wrong_names(kind)), *decoys(kind, instance)]


def noted(kind: str, hits: list[Hit], instance: Any) -> Iterator[Finding]:
    """Wrong names of members that nobody requires: each name once a document, at its first place, the fix for all."""
    groups: dict[tuple[str, str], list[Hit]] = {}
    for hit in hits:
        if hit.wrong and hit.alias.severity is not None:
            groups.setdefault((hit.wrong, str(hit.target[-1])), []).append(hit)
    for group in groups.values():
        safe = [hit for hit in group if hit.alias.safe and isinstance(get(instance, hit.target[:-1]), dict)]
        fix = tuple(step for hit in safe for step in move(hit)) if group[0] in safe else None
        yield misplaced(kind, group[0], group[0].alias.severity or "warning", fix)


def misplaced(kind: str, hit: Hit, severity: Severity = "warning", fix: Patch | None = None) -> Finding:
    """The finding at a member that stands under a wrong name or at a wrong place."""
    right = str(hit.target[-1])
    code = "name.alias" if hit.is_renamed else "name.misplaced"
    message = f"`{hit.wrong}` is read as `{right}`: rename it"
    if not hit.is_renamed:
        message = f"`{hit.wrong}` is not read here: it belongs at {excerpt(pointer(hit.target), 120)}"
    return Finding(
        code=code,
        name=FINDING_NAMES[code],
        severity=severity,
        kind=kind,
        pointer=pointer(hit.place),
        message=message,
        found=hit.wrong,
        expected=excerpt(pointer(hit.target), 120),
        suggestion=right,
        fix=fix,
    )


def decoys(kind: str, instance: Any) -> Iterator[Finding]:
    """Members that people write and no program reads, whose content no renaming can save."""
    for alias in _aliases(kind):
        if alias.right is not None:
            continue
        article = "an" if kind[0] in "aeiou" else "a"
        for at, _, value in _Holders(instance, alias.at).values(alias.wrong):
            if alias.suits(value):
                yield Finding(
                    code="name.unknown",
                    name=FINDING_NAMES["name.unknown"],
                    severity=alias.severity or "warning",
                    kind=kind,
                    pointer=pointer((*at, alias.wrong)),
                    message=f"`{alias.wrong}` is no member of {article} {kind}: {alias.why}",
                    found=alias.wrong,
                    suggestion=alias.instead,
                )


def move(hit: Hit) -> Patch:
    """The patch that puts the value where it belongs."""
    return (moved(hit.place, hit.target),)


def whereabouts(at: Tokens) -> str:
    """A place in a sentence."""
    return f"at {excerpt(pointer(at), 80)}" if at else "at the top of the document"
