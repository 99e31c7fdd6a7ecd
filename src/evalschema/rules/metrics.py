"""Rules for metrics: a total that is not its sum, and files that hold nothing of the format."""

from __future__ import annotations

from typing import Any

from evalschema.messages import names
from evalschema.rules._calls import wrong_total
from evalschema.rules._engine import Violation, rule

MEMBERS = (
    "tool_calls",
    "total_tool_calls",
    "total_steps",
    "files_created",
    "errors_encountered",
    "output_chars",
    "transcript_chars",
)


@rule("MET001", "warning", needs=("/tool_calls", "/total_tool_calls"))
def tool_calls_differ_from_total(metrics: Any) -> list[Violation] | None:
    """The tool calls do not sum to their total.

    `total_tool_calls` is the sum over all tools. A smaller sum often means that the map was shortened to a few tools,
    a larger one that calls were counted on after the total was written. An empty map says nothing and is passed over.
    """
    return wrong_total(metrics, (), "the grader copies both into the grading")


@rule("MET002", "warning", needs=tuple(f"/{name}" for name in MEMBERS))
def no_documented_member(metrics: Any) -> list[Violation] | None:
    """The document has none of the members that metrics are documented to have.

    Every member is optional, but a file with none of them tells the grader nothing: it is a report in a format of its
    own, or some other program's metrics.json. Write the counts, or give the file another name.
    """
    if any(name in metrics for name in MEMBERS):
        return None
    has = [name for name in metrics if name != "$schema"]
    held = f"it has {names(has[:4])}{' and more' if len(has) > 4 else ''}" if has else "it is empty"
    return [
        Violation(
            (),
            f"none of {names(MEMBERS)} is here, {held}: write what was counted, or rename the file",
            consequence="the grader finds nothing to copy into the grading",
        )
    ]
