"""Findings that say the same of several places, told once."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from evalschema.output._words import plain

if TYPE_CHECKING:
    from collections.abc import Iterable

    from evalschema.finding import Finding

_INDEX = re.compile(r"/\d+(?=/|$)")
# How many of the further places are listed.
_LISTED = 5


@dataclass(frozen=True, slots=True)
class Group:
    """A finding, and those that repeat it at corresponding places of a list."""

    first: Finding
    others: tuple[Finding, ...]


def grouped(findings: Iterable[Finding]) -> list[Group]:
    """Findings of one code at corresponding places together, in the order in which the file has them."""
    groups: dict[tuple[str | None, ...], list[Finding]] = {}
    for finding in in_order(findings):
        where = _INDEX.sub("/*", finding.pointer)
        # names of members make another mistake of it, numbers do not
        about = finding.expected if finding.code.startswith(("name.", "schema.")) else None
        key = (finding.code, finding.severity, where, str(about), finding.consequence)
        groups.setdefault(key, []).append(finding)
    return [Group(first, tuple(others)) for first, *others in groups.values()]


def in_order(findings: Iterable[Finding]) -> list[Finding]:
    """The findings as a reader who goes through the file meets them."""
    return sorted(findings, key=_place)


def _place(finding: Finding) -> tuple[int, int]:
    return finding.line or 0, finding.column or 0


def others(group: Group) -> str:
    """Where else it is so, in a few words; empty when the finding stands alone."""
    if not group.others:
        return ""
    places = [f"{each.line}" if each.line else plain(each.pointer, 80) for each in group.others[:_LISTED]]
    rest = ", …" if len(group.others) > _LISTED else ""
    lines = "" if not group.first.line else "line " if len(group.others) == 1 else "lines "
    return f"{len(group.others):,} more like it, {lines}{', '.join(places)}{rest}"
