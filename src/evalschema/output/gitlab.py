"""A Code Quality report of GitLab: shown in merge requests."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from evalschema.output._fingerprint import Fingerprints
from evalschema.output._json import written
from evalschema.output._words import named, plain, sentence

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from evalschema.finding import Finding, Result, Severity
    from evalschema.output import View

SUFFIXES = (".gitlab.json", "gl-code-quality-report.json")

_SEVERITIES: dict[Severity, str] = {"error": "major", "warning": "minor", "info": "info"}


def render(results: Iterable[Result], view: View) -> Iterator[str]:
    """One list, a line an entry."""
    base = os.environ.get("CI_PROJECT_DIR") or view.base
    fingerprints = Fingerprints()
    before = "[\n  "
    for result in results:
        path = named(result.path, base) if result.findings else ""
        pieces: list[str] = []
        for finding in result.findings:
            pieces.append(before + written(_entry(finding, path, base, fingerprints.of(finding, path))))
            before = ",\n  "
        yield "".join(pieces)
    yield "[]\n" if before == "[\n  " else "\n]\n"


def _entry(finding: Finding, path: str, base: str, fingerprint: str) -> dict[str, object]:
    begin = finding.line or 1
    return {
        "description": sentence(finding, base),
        "check_name": plain(finding.code, 80),
        "fingerprint": fingerprint,
        "severity": _SEVERITIES[finding.severity],
        "location": {"path": path, "lines": {"begin": begin, "end": finding.end_line or begin}},
    }
