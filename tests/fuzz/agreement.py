"""What must hold of every document, however damaged: all ways of asking agree, and what is said is right."""

from __future__ import annotations

import json
import re
import time
from functools import cache
from typing import TYPE_CHECKING, Any

from evalschema import check_bytes, validate
from evalschema.explainer import explain_kind
from evalschema.output import View
from evalschema.output.json import render
from evalschema.settings import Settings
from evalschema.verdict import is_valid
from tests.fuzz.places import line_and_column, resolved, stands

if TYPE_CHECKING:
    from evalschema.finding import Result

BOM = b"\xef\xbb\xbf"
# Of CPU, for one document; a hang is anything longer.
SECONDS = 2.0
ALL = Settings(max_findings=10**9)


def read_strictly(data: bytes) -> Any:
    """The instance by the standard library, made strict by its hooks; `ValueError` for anything that is refused."""
    text = data.decode()
    value = json.loads(text, parse_constant=_refused, object_pairs_hook=_unique, parse_float=_finite, parse_int=_short)
    json.dumps(value, ensure_ascii=False).encode()
    if _depth(value) > 64:
        raise ValueError("too deep")
    return value


def _refused(name: str) -> Any:
    raise ValueError(name)


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len(dict(pairs)) < len(pairs):
        raise ValueError("repeated key")
    return dict(pairs)


def _finite(digits: str) -> float:
    value = float(digits)
    if value in (float("inf"), float("-inf")) or sum(map(str.isdigit, digits)) > 1024:
        raise ValueError("number out of range")
    return value


def _short(digits: str) -> int:
    if len(digits.lstrip("-")) > 1024 or int(digits).bit_length() > 1024:
        raise ValueError("number out of range")
    return int(digits)


def _depth(value: Any) -> int:
    level, depth = [value], 0
    while containers := [each for each in level if isinstance(each, dict | list)]:
        depth += 1
        level = [item for each in containers for item in (each.values() if isinstance(each, dict) else each)]
    return depth


def timely(data: bytes, kind: Any, settings: Settings = ALL) -> Result:
    """The result for the bytes, within the time that one document may take."""
    start = time.thread_time()
    result = check_bytes(data, kind, settings=settings)
    took = time.thread_time() - start
    assert took < SECONDS, f"{took:.1f} s for {len(data):,} bytes"
    return result


def assert_judged(data: bytes, kind: Any) -> Result:
    """The quick part: no exception, in time, and the verdict of the fast engine is that of the findings."""
    result = timely(data, kind)
    try:
        instance = read_strictly(data.removeprefix(BOM))
    except (ValueError, RecursionError):
        unread = [finding for finding in result.findings if finding.code != "json.bom"]
        assert len(unread) == 1, "what cannot be read has one finding"
        assert unread[0].code.startswith("json.")
        return result
    assert not [each for each in result.findings if each.code.startswith("json.") and each.code != "json.bom"], (
        "the readers disagree"
    )
    failures, complete = explain_kind(kind, instance)
    assert complete
    assert is_valid(kind)(instance) == (not failures), "the engines disagree"
    assert not failures or result.findings, "a document that does not fit has a finding"
    return result


def assert_agreed(data: bytes, kind: Any) -> Result:
    """All of it: what is asked twice or otherwise is answered alike, and every place that is named is there."""
    result = assert_judged(data, kind)
    assert check_bytes(data, kind, settings=ALL) == result, "the same bytes, other findings"
    _assert_written_by_schema(result)
    text = data.removeprefix(BOM)
    try:
        instance = read_strictly(text)
    except (ValueError, RecursionError):
        _assert_within(data, result)
        return result
    before = json.dumps(instance)
    told = validate(instance, kind, settings=ALL)
    assert json.dumps(instance) == before, "checking changed the document"
    assert [_said(each) for each in told.findings] == [
        _said(each) for each in result.findings if each.code != "json.bom"
    ], "library and bytes disagree"
    _assert_placed(text.decode(), instance, result)
    return result


def _said(finding: Any) -> Any:
    return finding.code, finding.severity, finding.pointer, finding.message, repr(finding.found), finding.related


def _assert_written_by_schema(result: Result) -> None:
    text = "".join(render([result], View()))
    assert text.isascii()
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f]|^::|\n##|</", text), "raw characters in the output"
    assert is_valid("findings")(json.loads(text)), "the output does not fit its own schema"


def _assert_within(data: bytes, result: Result) -> None:
    """Of what cannot be read no more is known than that the place lies in the text, or just behind it."""
    lines = data.removeprefix(BOM).decode(errors="replace").split("\n")
    for finding in result.findings:
        assert finding.line is not None
        assert finding.column is not None
        assert 1 <= finding.line <= len(lines)
        assert 1 <= finding.column <= len(lines[finding.line - 1]) + 1


def _assert_placed(text: str, instance: Any, result: Result) -> None:
    where = stands(text) if result.findings else {}
    for finding in result.findings:
        for pointer in (finding.pointer, *finding.related):
            resolved(instance, pointer)
        if finding.code == "json.bom":
            assert (finding.line, finding.column) == (1, 1)
            continue
        stand = where[finding.pointer]
        offset, end = stand.start, stand.end
        if finding.code.startswith("name."):
            wrong = where.get(finding.related[0]) if finding.related else None
            if wrong is not None and wrong.key is not None and finding.code in _POINTED_AT_RELATED:
                stand = wrong
            offset, end = stand.start if stand.key is None else stand.key, stand.end
        assert (finding.line, finding.column) == line_and_column(text, offset), finding
        assert (finding.end_line, finding.end_column) == line_and_column(text, end), finding


# the wrong name is what the reader must change, so that line and column are its own
_POINTED_AT_RELATED = frozenset({"name.alias", "name.typo", "name.misplaced"})


@cache
def file_name(kind: str) -> str | None:
    """A name that files of the kind bear; None where no name says so."""
    names = (
        "evals.json", "history.json", "grading.json", "metrics.json", "timing.json", "benchmark.json",
        "comparison-1.json", "analysis.json", "eval_metadata.json", "feedback.json", "trigger-eval.json",
    )  # fmt: skip
    from evalschema.catalog import kinds_of_path

    return next((name for name in names if kind in kinds_of_path(name)), None)
