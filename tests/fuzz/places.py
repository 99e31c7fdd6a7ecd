"""Where everything stands in a JSON text, told by a scanner of the tests' own: what positions are measured against."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

_TOKEN = re.compile(r'[ \t\r\n]*("(?:[^"\\]|\\.)*"|[{}\[\],:]|[^ \t\r\n{}\[\],:"]+)')


@dataclass(frozen=True)
class Stand:
    """Offsets of a value in code points, and of the name in front of it."""

    start: int
    end: int
    key: int | None


def stands(text: str) -> dict[str, Stand]:
    """The place of every value of a strict JSON text, by JSON Pointer."""
    found: dict[str, Stand] = {}
    _value(text, 0, "", None, found)
    return found


def _value(text: str, i: int, at: str, key: int | None, found: dict[str, Stand]) -> int:
    first, start, end = _next(text, i)
    if first in "{[":
        index = 0
        while True:
            part, part_start, after = _next(text, end)
            if part in "]}":
                end = after
                break
            if part == ",":
                _, part_start, after = _next(text, after)
            if first == "{":
                name = json.loads(text[part_start:after]).replace("~", "~0").replace("/", "~1")
                _, _, colon_end = _next(text, after)
                end = _value(text, colon_end, f"{at}/{name}", part_start, found)
            else:
                end = _value(text, part_start, f"{at}/{index}", None, found)
                index += 1
    found[at] = Stand(start, end, key)
    return end


def _next(text: str, i: int) -> tuple[str, int, int]:
    match = _TOKEN.match(text, i)
    assert match, f"no JSON at {i}"
    return match[1], match.start(1), match.end()


def line_and_column(text: str, offset: int) -> tuple[int, int]:
    """Both from 1; a line ends at a line feed and nowhere else."""
    return text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset)


def resolved(instance: Any, pointer: str) -> Any:
    """What a JSON Pointer (RFC 6901) leads to; raises where it leads nowhere."""
    assert pointer == "" or pointer.startswith("/"), pointer
    for token in pointer.split("/")[1:]:
        name = token.replace("~1", "/").replace("~0", "~")
        if isinstance(instance, list):
            assert re.fullmatch("0|[1-9][0-9]*", name), pointer
            instance = instance[int(name)]
        else:
            instance = instance[name]
    return instance
