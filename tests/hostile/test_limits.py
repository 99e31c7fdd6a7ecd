"""Limits: at each all is well, one beyond it has its own answer; the page that lists them is true."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from evalschema import Finding, SchemaError, Settings, SettingsError, check_bytes, check_lines, reading, validate
from evalschema import finalize as finalizing
from evalschema.excerpt import excerpt
from evalschema.explainer import FAILURE_LIMIT
from evalschema.finding import Result
from evalschema.output import View, format_named
from evalschema.output._fit import fitted
from evalschema.saving import path_refusal
from evalschema.settings import from_table
from evalschema.work import LIMIT, Work, WorkLimitError
from tests.dose import FULL
from tests.hostile.cases import GOOD, with_
from tests.hostile.running import evalschema
from tests.hostile.strangers import nested

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.conftest import Figure

pytestmark = pytest.mark.promise("limits")
PAGE = Path(__file__).parents[2] / "docs/reference/limits.md"
ROWS = {
    name.strip(): (int(most.replace(",", "")), beyond.strip())
    for name, most, beyond in re.findall(r"^\| ([^|]+)\| ([\d,]+) \| ([^|]+)\|$", PAGE.read_text("utf-8"), re.MULTILINE)
}


def codes(result: Result) -> str:
    return " ".join(finding.code for finding in result.findings)


def read(data: bytes) -> str:
    """The code of the refusal; empty when the document is read."""
    try:
        reading.read(data)
    except reading.Unreadable as reason:
        return reason.code
    return ""


def schema(given: Any, instance: Any = 1) -> str:
    try:
        return codes(validate(instance, schema=given))
    except SchemaError:
        return "unusable"


def sized(count: int) -> str:
    """What is said of a document of so many bytes; the full dose takes documents that are as large."""
    return read(b"[]".ljust(count))


def run_of_size(count: int) -> str:
    result = finalizing.finalize(GOOD.ljust(count), type="duel", root="nowhere")
    return "json.size" if result.findings[0].code == "json.size" else ""


def path(text: str) -> str:
    refused = path_refusal(text)
    return refused.code if refused else ""


def patterned(count: int) -> dict[str, Any]:
    return {"allOf": [{"pattern": f"^a{{{i}}}$"} for i in range(count)]}


def referring(count: int) -> dict[str, Any]:
    return {"$defs": {"a": {"type": "integer"}}, "allOf": [{"$ref": "#/$defs/a"}] * count}


def chained(count: int) -> dict[str, Any]:
    steps = {f"d{i}": {"$ref": f"#/$defs/d{i + 1}"} for i in range(count - 2)}
    return {"$defs": {**steps, f"d{count - 2}": {"type": "integer"}}, "$ref": "#/$defs/d0"}


def deep_schema(count: int) -> dict[str, Any]:
    inner: dict[str, Any] = {}
    for _ in range(count - 1):
        inner = {"items": inner}
    return inner


#: What is said at a value of the limit that is named.
TRIED: dict[str, Callable[[int], str]] = {
    "objects and lists inside one another": lambda n: read(json.dumps(nested(n - 1, {})).encode()),
    "bytes of a document, or of a line of JSON Lines": sized,
    "bytes of a run that is finalized": run_of_size,
    "digits of a number, in a row": lambda n: read(b"[0." + b"1" * n + b", 1" + b"0" * 300 + b"." + b"0" * n + b"]"),
    "bits of an integer": lambda n: read(str((1 << n) - 1).encode()),
    "power of ten of a number": lambda n: read(f"[1.7e{n}, -1.7E+{n}]".encode()),
    "bytes of the path": lambda n: path(("a" * 150 + "/") * 6 + "b" * (n - 911) + ".json"),
    "bytes of one name in it": lambda n: path("a" * (n - 5) + ".json"),
    "names in it": lambda n: path("a/" * (n - 1) + "b.json"),
    "objects and lists inside one another in a schema": lambda n: schema({"$comment": "", **deep_schema(n)}),
    "subschemas that apply to one value, each through another": lambda n: schema(chained(n)),
    "references": lambda n: schema(referring(n)),
    "patterns": lambda n: schema(patterned(n)),
}  # fmt: skip


@pytest.mark.parametrize("name", TRIED)
def test_at_the_limit_and_beyond_it(name: str, figure: Figure, monkeypatch: pytest.MonkeyPatch) -> None:
    most, beyond = ROWS[name]
    if "bytes of a document" in name:
        assert most == reading.SIZE_LIMIT
        if not FULL:
            monkeypatch.setattr(reading, "SIZE_LIMIT", most := 4096)
    tried = TRIED[name]
    assert tried(most) == ""
    code = re.search(r"`(\S+)`", beyond)
    assert tried(most + 1) == (code[1] if code else "unusable")
    figure(name, f"{most:,} accepted, {most + 1:,} refused")


# --- what is cut rather than refused ------------------------------------------------------------------------------


def flood(count: int, message: str) -> Result:
    return Result(tuple(Finding("A", "a", "error", f"/{i}", message) for i in range(count)))


def findings_kept(most: int) -> None:
    for count in (most, most + 1):
        data = json.dumps([{"query": "", "should_trigger": i} for i in range(count)]).encode()
        result = check_bytes(data, "trigger_evals", settings=Settings(ignore=("TRG", "schema.minLength")))
        assert (len(result.findings), result.truncated) == (most, count > most)


def explained(most: int) -> None:
    assert most == FAILURE_LIMIT
    shape = {"items": {"type": "string"}}
    assert "limit.work" not in codes(validate([0] * (most - 1), schema=shape))
    assert "limit.work" in codes(validate([0] * most, schema=shape))


def finding_cut(most: int) -> None:
    short = fitted(flood(1, "m" * (most - 300)), 100)
    assert not short.truncated
    cut = fitted(flood(1, "m" * most), 100)
    assert cut.truncated
    assert len(json.dumps(cut.findings[0].to_dict())) <= most


def document_cut(most: int) -> None:
    assert not fitted(flood(15, "m" * 4000), 100).truncated
    cut = fitted(flood(30, "m" * 4000), 100)
    assert cut.truncated
    assert 15 <= len(cut.findings) < 30
    assert len("".join(format_named("jsonl").render([cut], View()))) <= most


def text_cut(most: int) -> None:
    assert excerpt("x" * most) == "x" * most
    assert excerpt("x" * (most + 1)) == "x" * most + "…"


def markdown_cut(most: int) -> None:
    findings = tuple(Finding(f"A{i}", "a", "error", f"/{i}", "m" * 300) for i in range(1000))
    text = "".join(format_named("markdown").render([Result(findings)], View()))
    assert most - 5000 < len(text) < most + 1000
    assert re.search(r"and [\d,]+ more findings", text)


def annotations_cut(most: int) -> None:
    different = Result(tuple(Finding(f"A{i}", "a", "error", f"/{i}", "m") for i in range(most + 1)), None, "a.json")
    lines = "".join(format_named("github").render([different], View())).splitlines()
    assert sum(line.startswith("::error ") for line in lines) == most
    assert "and 2 more errors" in lines[-1]


def pattern_size(most: int) -> None:
    assert schema({"pattern": "(a|b){250}"}, "x") == "schema.pattern"
    assert schema({"pattern": f"a{{{most // 8}}}"}) == "unusable"


def steps(most: int) -> None:
    assert most == LIMIT
    work = Work()
    work.charge(most)
    with pytest.raises(WorkLimitError):
        work.charge(1)


CUT: dict[str, Callable[[int], None]] = {
    "findings of a document (`--max-findings`, `max-findings`)": findings_kept,
    "failures that are explained in a document": explained,
    "characters of one finding in JSON": finding_cut,
    "characters of the findings of a document in JSON": document_cut,
    "characters of a text of the document in a message": text_cut,
    "characters of a report in Markdown": markdown_cut,
    "annotations of each severity on GitHub": annotations_cut,
    "bytes of a compiled pattern": pattern_size,
    "steps of explaining, of about ten microseconds": steps,
}


@pytest.mark.parametrize("name", CUT)
def test_what_is_too_much_is_cut_and_that_is_said(name: str, figure: Figure) -> None:
    most, _ = ROWS[name]
    CUT[name](most)
    figure(name, f"{most:,}")


def test_the_page_lists_what_is_tried_and_nothing_else() -> None:
    assert set(ROWS) == {*TRIED, *CUT}


# --- what may be set ----------------------------------------------------------------------------------------------

WRONG = json.dumps([{"query": "rise", "should_trigger": i} for i in range(300)]).encode()


@pytest.mark.parametrize("most", [1, 99, 250, 1_000_000])
def test_the_number_of_findings_may_be_set(most: int, tmp_path: Path) -> None:
    (tmp_path / "eval_set.json").write_bytes(WRONG)
    (tmp_path / "evalschema.toml").write_text(f"max-findings = {most}\n")
    kept = len(check_bytes(WRONG, "trigger_evals", settings=Settings(max_findings=most)).findings)
    assert kept == min(most, 300) or kept > 300
    command = ("check", "eval_set.json", "--format", "json")
    by_switch = evalschema(*command, "--no-config", "--max-findings", str(most), folder=tmp_path).findings()
    by_file = evalschema(*command, folder=tmp_path).findings()
    # what 64 KiB hold is the other limit
    assert len(by_switch) == len(by_file) <= kept
    assert len(by_switch) == kept or len(by_switch) > 150


@pytest.mark.parametrize("most", [0, -1])
def test_no_findings_at_all_is_no_limit(most: int) -> None:
    with pytest.raises(SettingsError):
        Settings(max_findings=most)
    with pytest.raises(SettingsError):
        from_table({"max-findings": most}, "evalschema.toml")


def test_a_line_that_is_too_long_is_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("evalschema.lines.SIZE_LIMIT", 4096)
    monkeypatch.setattr("evalschema.files.SIZE_LIMIT", 4096)
    lines = b"[]".ljust(4096) + b"\n" + b"[]".ljust(4097) + b"\n[]\n"
    found = [codes(result) for _, result in check_lines(lines, "trigger_evals")]
    assert found[1] == "json.size"
    assert found[0] == found[2] != "json.size"


def test_a_path_at_the_limit_is_saved(tmp_path: Path) -> None:
    path = "/".join(["d" * 120] * 5 + ["x" * 100 + ".json"])
    assert finalizing.finalize(with_("/output_path", path), type="solo", root=tmp_path).path == path
