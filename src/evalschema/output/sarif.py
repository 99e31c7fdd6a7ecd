"""SARIF 2.1.0: for code scanning and editors; a valid log also when nothing was found."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from evalschema import __version__
from evalschema.output._fingerprint import Fingerprints
from evalschema.output._json import written
from evalschema.output._words import encodable, notes_of, plain, shown_path

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from evalschema.finding import Finding, Result, Severity
    from evalschema.output import View

SUFFIXES = (".sarif", ".sarif.json")

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_LEVELS: dict[Severity, str] = {"error": "error", "warning": "warning", "info": "note"}


def render(results: Iterable[Result], view: View) -> Iterator[str]:
    """The results first, a line each, then the rules that they name."""
    base = os.environ.get("GITHUB_WORKSPACE") or view.base
    fingerprints = Fingerprints()
    rules: dict[str, int] = {}
    names: dict[str, str] = {}
    yield f'{{"$schema": {written(_SCHEMA)}, "version": "2.1.0", "runs": [{{'
    yield '"columnKind": "unicodeCodePoints", "results": ['
    before = "\n  "
    for result in results:
        uri = _uri(result.path, base) if result.findings else ""
        pieces: list[str] = []
        for finding in result.findings:
            index = rules.setdefault(finding.code, len(rules))
            names.setdefault(finding.code, finding.name)
            pieces.append(before + written(_result(finding, index, uri, base, fingerprints.of(finding, uri))))
            before = ",\n  "
        yield "".join(pieces)
    driver = {"name": "evalschema", "semanticVersion": __version__, "version": __version__}
    described = [_rule(code, names[code]) for code in rules]
    yield f'\n], "tool": {{"driver": {written(driver | {"rules": described})}}}, '
    yield '"invocations": [{"executionSuccessful": true}]}]}\n'


def _result(finding: Finding, index: int, uri: str, base: str, fingerprint: str) -> dict[str, Any]:
    parts = [plain(finding.message), *notes_of(finding, base)]
    places = (
        _location(_uri(each.path, base), {"startLine": each.line or 1, "startColumn": each.column or 1}, each.pointer)
        for each in finding.elsewhere
    )
    # a list of locations holds each of them once
    related = list({written(place): place for place in places}.values())
    result: dict[str, Any] = {
        "ruleId": plain(finding.code, 80),
        "ruleIndex": index,
        "level": _LEVELS[finding.severity],
        "message": {"text": "\n".join(_message(part) for part in parts)},
        "locations": [_location(uri, _region(finding), finding.pointer)],
        "partialFingerprints": {"evalschema/v1": fingerprint},
    }
    return result | {"relatedLocations": related} if related else result


def _location(uri: str, region: dict[str, int], pointer: str) -> dict[str, Any]:
    place = {"physicalLocation": {"artifactLocation": {"uri": uri, "uriBaseId": "%SRCROOT%"}, "region": region}}
    return place | ({"logicalLocations": [{"fullyQualifiedName": plain(pointer)}]} if pointer else {})


def _region(finding: Finding) -> dict[str, int]:
    # a result without a place is refused by code scanning, so that the first line stands for the whole file
    members = {
        "startLine": finding.line or 1,
        "startColumn": finding.column,
        "endLine": finding.end_line,
        "endColumn": finding.end_column,
    }
    return {name: value for name, value in members.items() if value is not None}


def _rule(code: str, name: str) -> dict[str, Any]:
    from evalschema.codes import find_code

    described: dict[str, Any] = {"id": plain(code, 80), "name": plain(name, 80)}
    known = find_code(code)
    if known:
        described |= {
            "shortDescription": {"text": _message(known.summary)},
            # code scanning takes 1,024 characters
            "fullDescription": {"text": _message(known.page)[:1000]},
            "help": {"text": _message(known.page), "markdown": known.page},
            "defaultConfiguration": {"level": _LEVELS[known.severity]},
        }
    return described


def _message(text: str) -> str:
    """The text as a message, in which brackets would make a link."""
    return text.replace("\\", "\\\\").replace("[", "\\[").replace("]", "\\]")


def _uri(path: str | None, base: str) -> str:
    """The path as a relative reference; bytes that are no UTF-8 keep their value."""
    return quote(os.fsencode(encodable(shown_path(path, base)).replace(os.sep, "/")))
