"""Patterns of file names as the globs that editors understand."""

from __future__ import annotations

import re
from itertools import product

_START = "(^|/)"
# One part of a pattern: a group, or a class, an escaped or a plain sign; and whether it may be missing or repeated.
_PART = re.compile(
    r"(?:\((?P<group>(?:[^()]|\([^()]*\))*)\)|(?P<sign>\[[^\]]+\]|\\.|[^\\()\[\]{}|^$.+*?]))(?P<how>[+?]?)"
)


def globs(pattern: str) -> list[str]:
    """Globs that together fit every path that the pattern fits; for patterns as the schemas have them.

    Raises ValueError for a pattern that holds something else.
    """
    if not pattern.startswith(_START) or not pattern.endswith("$"):
        raise ValueError(f"the pattern {pattern!r} does not begin with {_START} and end with $")
    return [f"**/{each}" for each in _alternatives(pattern.removeprefix(_START).removesuffix("$"))]


def _alternatives(pattern: str) -> list[str]:
    """Every way to fulfil a pattern, with classes left as they are."""
    return [text for branch in _branches(pattern) for text in _sequence(branch)]


def _branches(pattern: str) -> list[str]:
    """The pattern cut at the bars that lie in no group."""
    branches, depth = [""], 0
    for sign in pattern:
        depth += (sign == "(") - (sign == ")")
        if sign == "|" and depth == 0:
            branches.append("")
        else:
            branches[-1] += sign
    return branches


def _sequence(pattern: str) -> list[str]:
    choices: list[list[str]] = []
    at = 0
    while at < len(pattern):
        part = _PART.match(pattern, at)
        if part is None:
            raise ValueError(f"the pattern holds something that has no glob: {pattern[at:]!r}")
        options = [part["sign"].removeprefix("\\")] if part["group"] is None else _alternatives(part["group"])
        if part["how"] == "?":
            options.append("")
        elif part["how"]:
            # as many as there are: more than that is no harm in a glob
            options = [f"{option}*" for option in options]
        choices.append(options)
        at = part.end()
    return ["".join(texts) for texts in product(*choices)]
