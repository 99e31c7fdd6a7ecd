"""Tool calls against their total: metrics hold both, and gradings a copy of them."""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING, Any

from evalschema.excerpt import shown
from evalschema.rules._engine import Violation
from evalschema.rules._numbers import double

if TYPE_CHECKING:
    from evalschema.finding import Tokens


def wrong_total(metrics: Any, at: Tokens, consequence: str | None = None) -> list[Violation] | None:
    """The total where the calls of the tools do not sum to it; an empty map, or none, says nothing."""
    calls, total = metrics.get("tool_calls"), metrics.get("total_tool_calls")
    if not calls or total is None:
        return None
    try:
        counted = sum(calls.values())
    except OverflowError:
        counted = sum(map(int, calls.values()))  # a huge count beside one that is written as 3.0
    if not isfinite(double(counted)):
        return None  # a sum beyond all doubles cannot be said
    if counted == total or total < 0 or min(calls.values()) < 0:
        return None  # counts below 0 are told by the structure
    tools = "1 tool" if len(calls) == 1 else f"{len(calls)} tools"
    return [
        Violation(
            (*at, "total_tool_calls"),
            f"total_tool_calls is {shown(int(total))}, but the calls of {tools} sum to {shown(int(counted))}",
            found=total,
            expected=int(counted),
            related=[(*at, "tool_calls")],
            consequence=consequence,
        )
    ]
