"""For people at a terminal: grouped by file, equal findings told once, one summary line."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from evalschema.excerpt import excerpt
from evalschema.finding import Finding, Result
from evalschema.output import Count

_COLORS = {"error": "31", "warning": "33", "info": "36", "path": "1", "dim": "2", "ok": "32"}
_INDEX = re.compile(r"/\d+(?=/|$)")


def render(results: Iterable[Result], *, color: bool) -> Iterator[str]:
    """Files without findings are counted and not shown."""

    def paint(text: str, style: str) -> str:
        return f"\x1b[{_COLORS[style]}m{text}\x1b[0m" if color else text

    count = Count()
    for result in results:
        count.add(result)
        if not result.findings:
            continue
        kind = paint(f"  {result.kind}", "dim") if result.kind else ""
        yield paint(excerpt(result.path or "the document", 1000), "path") + kind + "\n"
        for group in _groups(result.findings):
            yield from _lines(group, paint)
        if result.truncated:
            yield "  and more: only the worst are listed (--max-findings)\n"
        yield "\n"
    yield _summary(count, paint)


def _groups(findings: Iterable[Finding]) -> list[list[Finding]]:
    """Findings of one code at corresponding places of a list together."""
    groups: dict[tuple[str, str, str, str], list[Finding]] = {}
    for finding in findings:
        where = _INDEX.sub("/*", finding.pointer)
        key = (finding.code, finding.severity, where, finding.suggestion or "")
        groups.setdefault(key, []).append(finding)
    return list(groups.values())


def _lines(group: list[Finding], paint: _Paint) -> Iterator[str]:
    first = group[0]
    place = f"{first.line}:{first.column}" if first.line else "-"
    where = excerpt(first.pointer, 200)
    head = f"  {place:<8}{paint(first.severity, first.severity)}  {excerpt(first.message, 1000)}"
    yield f"{head}  {paint(f'[{first.code}]', 'dim')}\n"
    if where:
        yield f"          at {where}\n"
    if len(group) > 1:
        more = ", ".join(f"{each.line}" if each.line else excerpt(each.pointer, 80) for each in group[1:6])
        rest = f" and {len(group) - 6} more" if len(group) > 6 else ""
        yield f"          and {len(group) - 1} more like it: {'line ' if first.line else ''}{more}{rest}\n"
    if first.consequence:
        yield f"          costs: {first.consequence}\n"
    if first.suggestion:
        yield f"          did you mean: {excerpt(first.suggestion, 200)}\n"


class _Paint:
    """The type of the function that colours."""

    def __call__(self, text: str, style: str) -> str: ...


def _summary(count: Count, paint: _Paint) -> str:
    files = f"{count.files:,} file{'' if count.files == 1 else 's'}"
    if not (count.errors or count.warnings or count.infos):
        return paint(f"{files} checked, nothing found", "ok") + "\n"
    parts = [
        paint(f"{number:,} {noun}{'' if number == 1 else 's'}", noun)
        for noun, number in (("error", count.errors), ("warning", count.warnings), ("info", count.infos))
        if number
    ]
    return f"{files} checked: {', '.join(parts)}\n"
