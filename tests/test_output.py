"""Every format, whatever stands in the documents: parseable, harmless, valid by the schemas of those who read it."""

from __future__ import annotations

import itertools
import json
import os
import re
import unicodedata
from functools import cache
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, cast
from xml.etree import ElementTree as ET

import pytest
import xmlschema
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from markdown_it import MarkdownIt

from evalschema import check_bytes, check_file, check_lines
from evalschema.catalog import kinds
from evalschema.files import check_lines_file
from evalschema.finding import SEVERITIES, Finding, Place, Result
from evalschema.output import View, format_named, format_of_file, formats
from evalschema.output._fit import DOCUMENT_LIMIT, FINDING_LIMIT, fitted
from evalschema.reading import read
from tests.dose import FULL
from tests.mutation import examples, mutants

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

OTHERS = Path(__file__).parent / "schemas_of_others"
# Each is something that a reader of some format would obey.
HOSTILE = (
    "\x1b[31mred\x1b]0;title\x07\x1b[2J",
    "\u202egnp.exe\u2066",
    "a\n::error::injected",
    "\r::set-output name=x::y",
    " ::warning file=a::injected",
    "::stop-commands::x",
    "##[error]x ##vso[task.setvariable variable=a]b ##teamcity[message text='x']",
    "</script><script>alert(1)</script><img src=x onerror=alert(1)>",
    "|a|`b` ```c``` [x](http://x.example) ![y](http://y.example) <http://z.example>",
    "@someone #12 www.example.com a@b.example :tada: ~~x~~ _y_ **z**",
    "]]><!-- --> &amp; &#10; <?xml?>",
    "\x00\x01\x08\x0b\x7f\x85\u2028\u2029\ufeff\uffff\U000e0041\ufdd0",
    "%0A::error::x %25",
    "{0} [link](1) \\[ {{ }}",
    "'\"&<>\t\\",
    "\n# heading\n\n- list\n\n    code\n---\n",
    "x" * 1_000_000,
)  # fmt: skip
NAMES = (
    "evals/evals.json",
    "::error::x/grading.json",
    "a\n::error::x.json",
    "\x1b[2Jb.json",
    os.fsdecode(b"evil\xff\xfe.json"),
    "`|[x](y)<b>.json",
    "\u202egnp.json",
    "##[error].json",
    "a,b:c%d.json",
    " ::error::spaced.json",
)
COMMAND = re.compile(r"::(error|warning|notice) (file=[^:\n]*)?(title=[^:\n]*)?::[^\n]*")
COLORS = re.compile(r"\x1b\[(?:0|1|2|1;4|1;31|1;35)m")


def shown(name: str, results: Iterable[Result], **view: Any) -> str:
    """The output of a format."""
    return "".join(format_named(name).render(results, View(**view)))


# --- what holds of every output -----------------------------------------------------------------------------------


def assert_harmless(name: str, text: str) -> None:
    """Nothing in the text is obeyed by a terminal or the log of a CI service, but for what is ours."""
    text.encode("utf-8")
    strange = {
        c for c in set(text) if unicodedata.category(c) in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp") and c != "\n"
    }
    assert not strange, [hex(ord(c)) for c in strange]
    assert "##[" not in text
    assert "##vso" not in text
    assert "##teamcity" not in text
    for line in text.split("\n"):
        if line.lstrip().startswith("::"):
            assert name == "github", line[:200]
            assert COMMAND.fullmatch(line), line[:200]


def assert_parseable(name: str, text: str) -> None:
    """The text is what readers of the format take."""
    PARSERS.get(name, _lines_of_people)(text)


def _lines_of_people(text: str) -> None:
    assert text.endswith("\n") or not text


def _json(text: str) -> None:
    assert text.isascii()
    assert "</" not in text
    result = check_bytes(text.encode(), "findings")
    assert result.findings == (), result.findings[:3]
    document = json.loads(text)
    assert document["summary"]["files"] == len(document["files"])


def _jsonl(text: str) -> None:
    lines = text.splitlines()
    assert text.isascii()
    _json(json.dumps({"files": [read(line.encode()) for line in lines], "summary": _sums(lines)}).replace("</", "<\\/"))


def _sums(lines: list[str]) -> dict[str, int]:
    findings = [finding for line in lines for finding in json.loads(line)["findings"]]
    by_severity = {f"{name}s": sum(each["severity"] == name for each in findings) for name in SEVERITIES}
    return {"files": len(lines), **by_severity}


@cache
def _schema(name: str) -> Draft202012Validator:
    schema = json.loads((OTHERS / name).read_text("utf-8"))
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema, format_checker=Draft202012Validator.FORMAT_CHECKER)


def _sarif(text: str) -> None:
    assert text.isascii()
    log = read(text.encode())
    assert not list(_schema("sarif-2.1.0-subset.schema.json").iter_errors(log))
    run = log["runs"][0]
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert all(rules[result["ruleIndex"]] == result["ruleId"] for result in run["results"])
    prints = [result["partialFingerprints"]["evalschema/v1"] for result in run["results"]]
    assert len(set(prints)) == len(prints)
    for result in run["results"]:
        # a link to nowhere: brackets without a backslash before them
        assert not re.search(r"(?<!\\)(?:\\\\)*\[[^]]*(?<!\\)(?:\\\\)*\]\(", result["message"]["text"])


def _gitlab(text: str) -> None:
    assert text.isascii()
    entries = read(text.encode())
    assert not list(_schema("gitlab-code-quality-subset.schema.json").iter_errors(entries))
    assert len({entry["fingerprint"] for entry in entries}) == len(entries)


@cache
def _junit_schema() -> xmlschema.XMLSchema:
    return xmlschema.XMLSchema(OTHERS / "junit-subset.xsd")


def _junit(text: str) -> None:
    _junit_schema().validate(text)
    suite = ET.fromstring(text)[0]  # noqa: S314
    assert int(suite.attrib["tests"]) == len(suite)
    assert int(suite.attrib["failures"]) == sum(case.find("failure") is not None for case in suite)


def _markdown(text: str) -> None:
    assert len(text) < 65_536
    wanted = ("inline", "html_block", "fence", "heading", "paragraph", "bullet_list", "list_item")
    for token in MarkdownIt("gfm-like").parse(text):
        assert token.type.removesuffix("_open").removesuffix("_close") in wanted, token
        assert token.type != "html_block" or token.content.strip() == "<!-- evalschema -->"
        for part in token.children or ():
            assert part.type in ("text", "code_inline", "html_inline", "strong_open", "strong_close"), part
            assert part.type != "html_inline" or part.content == "<br>"
            if part.type == "text":
                # what stands outside of code is ours alone
                assert re.fullmatch(r"[\w ,.:%-]*", part.content), part


def _agent(text: str) -> None:
    for line in text.split("\n"):
        if line.startswith("  patch: "):
            assert isinstance(read(line.removeprefix("  patch: ").encode()), list)


PARSERS: dict[str, Callable[[str], None]] = {
    "json": _json,
    "jsonl": _jsonl,
    "sarif": _sarif,
    "gitlab": _gitlab,
    "junit": _junit,
    "markdown": _markdown,
    "agent": _agent,
}


def test_every_format_is_known_here() -> None:
    people = {"text", "full", "concise", "github"}
    assert set(formats()) - people == set(PARSERS)


# --- hostile documents --------------------------------------------------------------------------------------------


def poisoned(document: Any, text: str, random: Random) -> Any:
    """The document with the text in place of some values, and as a member or in place of a name."""
    match document:
        case dict():
            changed = {name: poisoned(value, text, random) for name, value in document.items()}
            if random.random() < 0.3:
                changed[text] = 0
            if changed and random.random() < 0.1:
                changed[f"{text}{random.random()}"] = changed.pop(random.choice(list(changed)))
            return changed
        case list():
            return [poisoned(item, text, random) for item in document]
        case str() if random.random() < 0.5:
            return text
        case _ if random.random() < 0.1:
            return text
        case _:
            return document


@cache
def hostile_results() -> tuple[tuple[Result, bytes], ...]:
    """Documents of all kinds, with every hostile text in many of their places, under names as bad."""
    random = Random(5)  # noqa: S311
    names = itertools.cycle(NAMES)
    results: list[tuple[Result, bytes]] = []
    for kind in kinds():
        sources = [*mutants(kind, 12 if FULL else 3), *examples(kind)[: 12 if FULL else 2]]
        for text in HOSTILE:
            for source in sources if len(text) < 1000 else sources[:1]:
                data = json.dumps(poisoned(source, text, random)).encode()
                results.append((fitted(check_bytes(data, cast("Any", kind), path=next(names)), 100), data))
    return tuple(results)


def test_the_hostile_documents_are_found_wanting() -> None:
    findings = [finding for result, _ in hostile_results() for finding in result.findings]
    assert len(findings) > 3000
    assert len({finding.code for finding in findings}) > 25


def _batches() -> Iterator[tuple[tuple[Result, bytes], ...]]:
    results = hostile_results()
    return (results[i : i + 100] for i in range(0, len(results), 100))


@pytest.mark.parametrize("name", formats())
def test_hostile_documents_do_no_harm(name: str) -> None:
    for batch in _batches():
        sources = {result.path: data for result, data in batch}
        text = shown(name, [result for result, _ in batch], source=sources.get)
        assert_harmless(name, text)
        assert_parseable(name, text)


@pytest.mark.parametrize("name", ["text", "full"])
def test_colours_are_the_only_escapes(name: str) -> None:
    for batch in _batches():
        results = [result for result, _ in batch]
        text = shown(name, results, color=True, width=60)
        assert COLORS.sub("", text) == shown(name, results, width=60)
        assert_harmless(name, COLORS.sub("", text))


@pytest.mark.parametrize("name", formats())
def test_documents_that_are_no_json_do_no_harm(name: str) -> None:
    texts = [
        b'"\\ud800"',
        b'{"a": "\x1b\n::error::x"}',
        b"::error::x",
        b"\xff\xfe\x00[",
        b"[1,]\r",
        "\u202e".encode(),
        b"",
        b"\x00",
    ]
    for data, path in zip(texts * 2, itertools.cycle(NAMES[:-1]), strict=False):
        result = fitted(check_bytes(data, "grading", path=path), 100)
        assert result.findings
        text = shown(name, [result], source={path: data}.get)
        assert_harmless(name, text)
        assert_parseable(name, text)


LINES = st.text(st.characters(codec="utf-8"), max_size=40) | st.sampled_from([text[:200] for text in HOSTILE])
VALUES = (
    st.none() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | LINES | st.lists(LINES, max_size=3)
)
POINTERS = st.lists(LINES, max_size=3).map(
    lambda tokens: "".join("/" + each.replace("~", "~0").replace("/", "~1") for each in tokens)
)
ELSEWHERE = st.builds(Place, st.sampled_from(NAMES) | LINES.filter(bool), POINTERS, st.none() | st.integers(1, 99))
PLACES = st.none() | st.integers(1, 10**6)
PATCHES = st.none() | st.lists(
    st.fixed_dictionaries({"op": st.just("move"), "from": POINTERS, "path": POINTERS})
    | st.fixed_dictionaries({"op": st.sampled_from(["add", "replace"]), "path": POINTERS, "value": VALUES}),
    min_size=1,
    max_size=4,
).map(tuple)
FINDINGS = st.builds(
    Finding, code=LINES.filter(bool), name=LINES.filter(bool), severity=st.sampled_from(SEVERITIES), pointer=POINTERS,
    message=LINES.filter(bool), found=VALUES, expected=VALUES, related=st.lists(POINTERS, max_size=2).map(tuple),
    elsewhere=st.lists(ELSEWHERE, max_size=2, unique=True).map(tuple),
    suggestion=st.none() | LINES, fix=PATCHES, consequence=st.none() | LINES, line=PLACES, column=PLACES,
)  # fmt: skip
RESULTS = st.builds(
    Result, st.lists(FINDINGS, max_size=4).map(tuple), st.sampled_from([None, *kinds()]),
    LINES | st.sampled_from(NAMES), st.booleans(),
)  # fmt: skip


@pytest.mark.parametrize("name", formats())
@settings(max_examples=1000 if FULL else 40, deadline=None)
@given(results=st.lists(RESULTS, max_size=3))
def test_findings_full_of_anything_do_no_harm(name: str, results: list[Result]) -> None:
    """Formats do not rely on the messages of rules to be clean."""
    text = shown(name, [fitted(result, 100) for result in results])
    assert_harmless(name, text)
    assert_parseable(name, text)


# --- limits -------------------------------------------------------------------------------------------------------


@settings(max_examples=100, deadline=None)
@given(result=RESULTS)
def test_small_results_are_shown_whole(result: Result) -> None:
    if all(len(json.dumps(finding.to_dict())) < 2000 for finding in result.findings):
        assert fitted(result, 100) == result


def test_findings_and_documents_are_cut_to_their_limits() -> None:
    for result, _ in hostile_results():
        entry = shown("jsonl", [result])
        assert len(entry) <= DOCUMENT_LIMIT
        assert all(len(json.dumps(finding)) <= FINDING_LIMIT for finding in json.loads(entry)["findings"])


def test_what_is_cut_is_said_and_the_worst_stay() -> None:
    infos = tuple(Finding("A", "a", "info", f"/{i}", "x" * 3000) for i in range(60))
    error = Finding("B", "b", "error", "/99", "the worst")
    cut = fitted(Result((*infos, error), "grading", "a.json"), 100)
    assert cut.truncated
    assert 10 < len(cut.findings) < 30
    assert cut.findings[-1] == error
    assert [finding.pointer for finding in cut.findings[:-1]] == [f"/{i}" for i in range(len(cut.findings) - 1)]
    assert fitted(Result((*infos, error), None, None), 1).findings == (error,)


def test_a_pointer_that_is_too_long_becomes_that_of_what_holds_the_place() -> None:
    long = Finding(
        "A",
        "a",
        "error",
        "/runs/0/" + "k" * 5000,
        "m",
        related=("/" + "r" * 5000, "/runs"),
        fix=({"op": "remove", "path": "/x", "value": "y" * 9000},),
    )
    (cut,) = fitted(Result((long,)), 100).findings
    assert (cut.pointer, cut.related, cut.fix) == ("/runs/0", ("/runs",), None)


# --- what the formats say -----------------------------------------------------------------------------------------

BENCHMARK = {
    "metadata": {"skill_name": "tides", "timestamp": "2026-02-03T08:00:00Z", "evals_run": [1]},
    "runs": [
        {"eval_id": 1, "config": "with_skill", "run_number": n, "result": {"pass_rate": 1.0, "passed": 1, "total": 1}}
        for n in range(1, 31)
    ],
    "run_summary": {},
}  # fmt: skip
GRADING = b"""{
  "expectations": [
    { "text": "The tide table has seven rows", "passed": true, "evidence": "rows 1 to 7" },
    { "text": "Times are local", "passed": false, "evidence": "UTC in column 2" }
  ],
  "summary": { "passed": 2, "failed": 0, "total": 2, "pass_rate": 1.0 }
}
"""


def benchmark_result(path: str = "b.json") -> Result:
    return check_bytes(json.dumps(BENCHMARK, indent=2).encode(), "benchmark", path=path)


def grading_result(path: str = "a/grading.json") -> Result:
    return check_bytes(GRADING, "grading", path=path)


def test_text_tells_equal_findings_once() -> None:
    text = shown("text", [benchmark_result()])
    assert text.count("stands in its place") == 1
    assert "and 29 more like it, lines " in text
    assert re.search(r"^ +\d+:7  error    `configuration` is missing", text, re.MULTILINE)
    assert "repair: rename `config` to `configuration`" in text


def test_text_follows_the_file_and_sums_up() -> None:
    clean = Result((), "evals", "evals.json")
    lines = shown("text", [clean, grading_result()]).splitlines()
    places = [int(line.split(":")[0]) for line in lines if re.match(r" +\d+:\d+ ", line)]
    assert places == sorted(places)
    assert len(places) == 3
    assert lines[0] == "a/grading.json  grading"
    assert lines[-1] == "2 files checked: 3 errors in 1 file"
    assert shown("text", [clean]) == "1 file checked, nothing found\n"
    assert shown("text", [clean], brief=True) == ""


@pytest.mark.parametrize("width", [40, 60, 80, 200])
def test_text_keeps_to_the_width_of_the_terminal(width: int) -> None:
    lines = shown("text", [benchmark_result(), grading_result()], width=width).splitlines()
    words = [line for line in lines if line.startswith("  ")]
    assert max(map(len, words)) <= max(width, 51)
    assert " ".join(" ".join(words).split()) == " ".join(
        " ".join(
            line for line in shown("text", [benchmark_result(), grading_result()]).splitlines() if line[:2] == "  "
        ).split()
    )


def test_statistics_count_every_code() -> None:
    for name in ("text", "full", "concise", "markdown"):
        text = shown(name, [benchmark_result(), grading_result()], statistics=True)
        assert re.search(r"^30  error    name\.alias  +wrong-name$", text, re.MULTILINE), name
        assert re.search(r"^ 2  error    GRD002 ", text, re.MULTILINE), name


def test_full_shows_the_lines_and_marks_the_place() -> None:
    text = shown("full", [grading_result()], source={"a/grading.json": GRADING}.get)
    frame = next(part for part in text.split("\n\n") if "/summary/failed" in part).splitlines()
    line, mark = next((a, b) for a, b in itertools.pairwise(frame) if "^" in b)
    assert line.startswith('6 |   "summary": { "passed": 2, "failed": 0')
    at, end = mark.index("^"), mark.rindex("^") + 1
    assert line[at:end] == "0"
    assert line[:at].endswith('"failed": ')


@pytest.mark.parametrize("before", ['""', '\t\t""', '"\u202e\x7f"', '"日本"', f'"{"x" * 300}"', '"é"'])
def test_the_mark_stands_under_the_value(before: str) -> None:
    data = f'{{ "total_tokens": {before}, "duration_ms": 1, "total_duration_seconds": "x" }}'.encode()
    result = check_bytes(data, "timing", path="timing.json")
    text = shown("full", [result], source={"timing.json": data}.get)
    frames = text.split("\n\n")
    frame = next(part for part in frames if " at /total_duration_seconds\n" in part).splitlines()
    line, mark = next((a, b) for a, b in itertools.pairwise(frame) if "^" in b)
    wide = sum(unicodedata.east_asian_width(character) == "W" for character in line)
    assert line[mark.index("^") - wide :].startswith('"x"')


def test_full_does_without_a_file_that_is_gone_or_has_changed() -> None:
    for data in (None, b"", b"{}", b"\xff"):
        text = shown("full", [grading_result()], source={"a/grading.json": data}.get)
        assert "pass_rate is 1.0" in text
        assert "costs: " in text


def test_concise_is_one_line_a_finding() -> None:
    lines = shown("concise", [grading_result(), Result((), None, "b.json"), check_file("no/such.json")]).splitlines()
    assert len(lines) == 4
    assert all(re.fullmatch(r"[^:]+:\d+:\d+: (error|warning|info) \S+ .+", line) for line in lines)
    assert lines[-1].startswith("no/such.json:1:1: error input.missing ")


def test_github_shows_errors_first_and_says_how_many_are_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GITHUB_WORKSPACE", raising=False)
    warnings = [Result((Finding("W1", "w", "warning", f"/{i}", f"w {i}"),), None, f"{i}.json") for i in range(25)]
    errors = [Result((Finding("E1", "e", "error", f"/{i}", f"e {i}"),), None, f"{i}.json") for i in range(10)]
    lines = shown("github", [*warnings, *errors]).splitlines()
    assert [line.split(" ")[0] for line in lines] == ["::error"] * 10 + ["::warning"] * 10
    assert lines[9].startswith("::error file=9.json,title=E1 e::e 9")
    assert lines[-1] == "::warning title=evalschema::and 16 more warnings: the log of this step lists them"


def test_github_paths_begin_at_the_root_of_the_repository(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("GITHUB_WORKSPACE", str(tmp_path))
    (tmp_path / "sub").mkdir()
    monkeypatch.chdir(tmp_path / "sub")
    assert "file=sub/grading.json,line=6,endLine=6,col=" in shown("github", [grading_result("grading.json")])
    log = json.loads(shown("sarif", [grading_result("grading.json")]))
    assert (
        log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
        == "sub/grading.json"
    )


def test_people_see_paths_from_where_they_are(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    for given_path, seen in (
        (str(tmp_path / "a" / "g.json"), "a/g.json"),
        ("./a/g.json", "a/g.json"),
        ("/else/g.json", "/else/g.json"),
    ):
        assert shown("concise", [grading_result(given_path)]).startswith(f"{seen}:6:")
        assert json.loads(shown("json", [grading_result(given_path)]))["files"][0]["path"] == given_path


def test_gitlab_and_sarif_recognise_a_finding_that_has_moved() -> None:
    moved = check_bytes(b"\n\n" + GRADING, "grading", path="a/grading.json")

    def prints(result: Result) -> list[Any]:
        log = json.loads(shown("sarif", [result]))["runs"][0]["results"]
        report = json.loads(shown("gitlab", [result]))
        return [[each["partialFingerprints"] for each in log], [each["fingerprint"] for each in report]]

    assert prints(moved) == prints(grading_result())
    assert moved.findings[0].line != grading_result().findings[0].line


def test_nothing_found_is_a_whole_report_as_well() -> None:
    clean = [Result((), "evals", "evals.json")]
    for name in formats():
        for results in (clean, []):
            text = shown(name, results)
            assert_parseable(name, text)
    assert json.loads(shown("sarif", []))["runs"][0]["results"] == []
    assert json.loads(shown("gitlab", clean)) == []
    assert 'tests="1" failures="0"' in shown("junit", clean)


def test_junit_fails_where_the_check_fails() -> None:
    warning = Result((Finding("W1", "w", "warning", "", "only a warning"),), "timing", "t.json")
    assert 'tests="2" failures="1"' in shown("junit", [warning, grading_result()])
    assert 'failures="2"' in shown("junit", [warning, grading_result()], failing=frozenset({"error", "warning"}))


def test_markdown_of_a_flood_fits_into_a_comment() -> None:
    flood = [
        Result(tuple(Finding(f"E{i}", "e", "error", f"/{i}", "m" * 300) for i in range(100)), None, f"{n}.json")
        for n in range(10)
    ]
    text = shown("markdown", flood)
    assert 40_000 < len(text) < 65_536
    assert re.search(r"^and [\d,]+ more findings\.$", text, re.MULTILINE)
    assert "### evalschema: 1,000 errors in 10 files" in text


def test_agent_says_what_to_do_and_what_never_to_do() -> None:
    info = Finding("I1", "i", "info", "/x", "worth knowing")
    result = benchmark_result()
    text = shown("agent", [Result((*result.findings, info), "benchmark", "b.json")])
    assert "never invent" in text
    assert "worth knowing" not in text
    (patch,) = (json.loads(line.removeprefix("  patch: ")) for line in text.splitlines() if "  patch: " in line)
    assert patch == [{"op": "move", "from": f"/runs/{n}/config", "path": f"/runs/{n}/configuration"} for n in range(30)]
    assert shown("agent", [Result((info,))]) == "1 file checked, nothing to repair.\n"


def test_agent_joins_only_what_is_repaired_alike() -> None:
    rates = [Finding("B1", "b", "error", f"/runs/{n}/rate", f"rate is {n}, write {n + 1}") for n in range(3)]
    text = shown("agent", [Result(tuple(rates), "benchmark", "b.json")])
    assert all(f"/runs/{n}/rate [B1]: rate is {n}, write {n + 1}\n" in text for n in range(3))
    same = [Finding("B1", "b", "error", f"/runs/{n}/rate", "leave it out") for n in range(3)]
    text = shown("agent", [Result(tuple(same), "benchmark", "b.json")])
    assert "- /runs/0/rate [B1]: leave it out\n  likewise: /runs/1/rate, /runs/2/rate\n" in text


def test_places_in_other_files_are_named() -> None:
    finding = Finding("W1", "w", "error", "", "m", elsewhere=(Place("b.json", "/runs/0", 4, 5), Place("c.json", "")))
    for name in set(formats()) - {"json", "jsonl", "concise"}:
        text = shown(name, [Result((finding,), None, "a.json")])
        assert "see" in text, name
        assert "b.json:4:5 /runs/0, c.json" in text, name
    (related, _) = json.loads(shown("sarif", [Result((finding,), None, "a.json")]))["runs"][0]["results"][0][
        "relatedLocations"
    ]
    assert related["physicalLocation"]["artifactLocation"]["uri"] == "b.json"
    assert related["physicalLocation"]["region"] == {"startLine": 4, "startColumn": 5}


def test_json_lines_are_shown_with_the_lines_of_the_file() -> None:
    data = json.dumps(json.loads(GRADING)).encode() + b"\n\n[]\n"
    result = check_lines_file(data, "grading", path="all.jsonl")
    assert {finding.line for finding in result.findings} == {1, 3}
    assert len(list(check_lines(data, "grading"))) == 2
    text = shown("full", [result], source={"all.jsonl": data}.get)
    assert "--> all.jsonl:3:1" in text


@pytest.mark.parametrize(
    ("target", "name", "path"),
    [
        ("r.json", "json", "r.json"),
        ("r.JSONL", "jsonl", "r.JSONL"),
        ("out/r.sarif", "sarif", "out/r.sarif"),
        ("r.sarif.json", "sarif", "r.sarif.json"),
        ("r.xml", "junit", "r.xml"),
        ("r.md", "markdown", "r.md"),
        ("r.txt", "text", "r.txt"),
        ("gl-code-quality-report.json", "gitlab", "gl-code-quality-report.json"),
        ("gitlab=r.json", "gitlab", "r.json"),
        ("agent=repair.txt", "agent", "repair.txt"),
    ],
)
def test_the_name_of_a_file_says_the_format(target: str, name: str, path: str) -> None:
    assert format_of_file(target) == (format_named(name), path)
