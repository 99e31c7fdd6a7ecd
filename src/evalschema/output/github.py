"""Workflow commands: annotations on the lines of a pull request. Errors first, as many as GitHub shows."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from evalschema.output._groups import Group, grouped, others
from evalschema.output._words import counted, named, notes_of, plain

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from evalschema.finding import Finding, Result, Severity
    from evalschema.output import View

SUFFIXES = ()

_COMMANDS: dict[Severity, str] = {"error": "error", "warning": "warning", "info": "notice"}
# GitHub shows ten of each sort a step and drops the others without a word.
SHOWN = 10


def render(results: Iterable[Result], view: View) -> Iterator[str]:
    """Nothing until all is known, for the worst must come first."""
    base = os.environ.get("GITHUB_WORKSPACE") or view.base
    kept: dict[Severity, list[str]] = {"error": [], "warning": [], "info": []}
    left: dict[Severity, int] = dict.fromkeys(kept, 0)
    for result in results:
        for group in grouped(result.findings):
            severity = group.first.severity
            if len(kept[severity]) < SHOWN:
                kept[severity].append(_annotation(group, result, base))
            else:
                left[severity] += 1
        yield ""
    for severity, lines in kept.items():
        if left[severity]:
            more = counted(left[severity] + 1, f"more {severity}")
            lines[-1] = f"::{_COMMANDS[severity]} title=evalschema::and {more}: the log of this step lists them\n"
        yield "".join(lines)


def _annotation(group: Group, result: Result, base: str) -> str:
    first = group.first
    about = {
        "file": named(result.path, base),
        **_region(first),
        "title": f"{plain(first.code, 80)} {plain(first.name, 80)}",
    }
    where = f"at {plain(first.pointer, 200)}" if first.pointer else ""
    text = "\n".join(
        filter(None, (plain(first.message), where, others(group) and f"and {others(group)}", *notes_of(first, base)))
    )
    properties = ",".join(f"{name}={_property(value)}" for name, value in about.items())
    return f"::{_COMMANDS[first.severity]} {properties}::{_escaped(text)}\n"


def _region(finding: Finding) -> dict[str, str]:
    if finding.line is None:
        return {}
    region = {"line": finding.line, "endLine": finding.end_line or finding.line}
    # columns of a place that spans lines are refused
    if region["endLine"] == finding.line and finding.column:
        region |= {"col": finding.column, "endColumn": finding.end_column or finding.column}
    return {name: str(value) for name, value in region.items()}


def _escaped(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _escaped(text).replace(":", "%3A").replace(",", "%2C")
