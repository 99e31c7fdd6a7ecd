"""Damage documents at random, always the same way for the same seed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from random import Random
from typing import Any

EXAMPLES = Path(__file__).parents[1] / "schemas" / "examples"
VALUES: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 3.0, 0.5, 1.5, 101, 10**30, 1e300, "", "x", "12", "with_skill", "2026-01-15T10:30:00Z",
    "2026-13-15T10:30:00Z", "A", "solo", [], [None], ["x"], {}, {"": 0}, {"text": "x"}, "a\nb", "ü𝒙", "</script>",
)  # fmt: skip

EXTREMES = (
    2**1024 - 1,
    -(2**1024) + 1,
    2**53,
    10**308,
    1.7e308,
    -1.7e308,
    5e-324,
    1e-300,
    0,
    -0.0,
    0.1,
    1,
    3.0,
    10**20,
)


def examples(kind: str) -> list[Any]:
    """The documents of the kind's examples."""
    paths = sorted(path for path in (EXAMPLES / kind).glob("*/*.json") if not path.name.endswith(".findings.json"))
    return [json.loads(path.read_text("utf-8")) for path in paths]


def mutants(kind: str, count: int, seed: int = 0) -> Iterator[Any]:
    """`count` damaged documents of a kind, each with one to four damages."""
    random = Random(f"{kind} {seed}")  # noqa: S311
    sources = examples(kind)
    for _ in range(count):
        document = deepcopy(random.choice(sources))
        for _ in range(random.choice((1, 1, 1, 2, 4))):
            document = damaged(document, random)
        yield document


def extreme_mutants(kind: str, count: int) -> Iterator[Any]:
    """Documents of a kind in which some numbers are as large, as small or as fine as JSON allows; otherwise sound."""
    random = Random(f"{kind} extreme")  # noqa: S311
    sources = examples(kind)
    for _ in range(count):
        document = deepcopy(random.choice(sources))
        places = [(holder, key) for holder, key in _places(document) if type(holder[key]) in (int, float)]
        for holder, key in random.sample(places, min(len(places), random.choice((1, 2, 5, len(places))))):
            holder[key] = random.choice(EXTREMES)
        yield document


def damaged(document: Any, random: Random) -> Any:
    """The document with one more damage, made in place."""
    places = list(_places(document))
    if not places or random.random() < 0.02:
        return deepcopy(random.choice(VALUES))
    holder, key = random.choice(places)
    match random.randrange(5):
        case 0:
            del holder[key]
        case 1 | 2:
            holder[key] = deepcopy(random.choice(VALUES))
        case 3 if isinstance(holder, list):
            holder.insert(key, deepcopy(random.choice([holder[key], *VALUES])))
        case 3:
            holder[random.choice((f"{key}s", key.upper(), "config", "pass_rate", ""))] = holder.pop(key)
        case _:
            other, name = random.choice(places)
            holder[key] = deepcopy(other[name])
    return document


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, child in pairs:
        yield value, key
        yield from _places(child)
