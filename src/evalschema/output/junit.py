"""A JUnit report: a test case a file, which fails where the check does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from evalschema.output._groups import in_order
from evalschema.output._words import counted, named, plain, sentence

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from evalschema.finding import Finding, Result
    from evalschema.output import View

SUFFIXES = (".junit.xml", ".xml")

_ENTITIES = {ord("&"): "&amp;", ord("<"): "&lt;", ord(">"): "&gt;", ord('"'): "&quot;"}


def render(results: Iterable[Result], view: View) -> Iterator[str]:
    """The sums stand at the head, so that nothing is written until all is known."""
    cases: list[str] = []
    failures = 0
    for result in results:
        failed = any(finding.severity in view.failing for finding in result.findings)
        failures += failed
        cases.append("".join(_case(result, view, failed=failed)))
        yield ""
    sums = f'tests="{len(cases)}" failures="{failures}" errors="0"'
    yield '<?xml version="1.0" encoding="UTF-8"?>\n'
    yield f'<testsuites name="evalschema" {sums}>\n  <testsuite name="evalschema" {sums} skipped="0" time="0">\n'
    yield from cases
    yield "  </testsuite>\n</testsuites>\n"


def _case(result: Result, view: View, *, failed: bool) -> Iterator[str]:
    name = _escaped(named(result.path, view.base))
    head = f'    <testcase name="{name}" classname="evalschema.{_escaped(result.kind or "unknown")}" time="0"'
    if not result.findings:
        yield f"{head}/>\n"
        return
    yield f"{head}>\n"
    failing = [finding for finding in in_order(result.findings) if finding.severity in view.failing]
    others = [finding for finding in in_order(result.findings) if finding.severity not in view.failing]
    if failed:
        words = failing[0].message if len(failing) == 1 else f"{counted(len(failing), 'finding')}: {failing[0].message}"
        yield f'      <failure message="{_escaped(plain(words))}" type="{_escaped(plain(failing[0].code, 80))}">'
        yield f"{_escaped(_text(failing, view.base))}</failure>\n"
    if others:
        yield f"      <system-out>{_escaped(_text(others, view.base))}</system-out>\n"
    yield "    </testcase>\n"


def _text(findings: list[Finding], base: str) -> str:
    return "\n".join(
        f"{each.line or 1}:{each.column or 1}: {each.severity} {plain(each.code, 80)} {sentence(each, base)}"
        for each in findings
    )


def _escaped(text: str) -> str:
    """The text, which holds nothing that XML cannot write, for an attribute or an element."""
    return text.translate(_ENTITIES)
