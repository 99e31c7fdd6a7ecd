"""Places in an instance: the values that stand there, and patches that put them elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from evalschema.finding import Tokens, pointer

if TYPE_CHECKING:
    from collections.abc import Iterator

ABSENT = object()


def walk(instance: Any, place: tuple[str, ...]) -> Iterator[tuple[Tokens, Any]]:
    """The values at a place that may hold `*`, which stands for every object and list in a list or object."""
    found: list[tuple[Tokens, Any]] = [((), instance)]
    for step in place:
        deeper: list[tuple[Tokens, Any]] = []
        for at, value in found:
            if step == "*" and isinstance(value, list):
                deeper += [((*at, index), item) for index, item in enumerate(value) if isinstance(item, dict | list)]
            elif step == "*" and isinstance(value, dict):
                deeper += [((*at, key), item) for key, item in value.items() if isinstance(item, dict | list)]
            elif isinstance(value, dict) and step in value:
                deeper.append(((*at, step), value[step]))
        found = deeper
    yield from found


def get(instance: Any, at: Tokens) -> Any:
    """The value at a place, `ABSENT` when there is none."""
    for token in at:
        if isinstance(instance, dict):
            instance = instance.get(token, ABSENT)
        elif isinstance(instance, list) and isinstance(token, int) and token < len(instance):
            instance = instance[token]
        else:
            return ABSENT
    return instance


def moved(source: Tokens, target: Tokens) -> dict[str, Any]:
    """The operation of a patch that puts a value elsewhere."""
    return {"op": "move", "from": pointer(source), "path": pointer(target)}
