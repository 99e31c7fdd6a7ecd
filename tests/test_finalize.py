"""Nothing is saved unless every check passes: each way to be refused, what is said then, and what is left behind."""

from __future__ import annotations

import copy
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import evalschema.finalize as finalizing
from evalschema import validate
from evalschema.codes import all_codes
from evalschema.commands.finalize import command
from evalschema.errors import SettingsError
from evalschema.finalize import CHECKS, SIZE_LIMIT, FinalizeResult, checks_of, finalize, remedies
from evalschema.finding import Finding
from evalschema.output._run_report import report
from evalschema.saving import SaveCode, SaveError

SCHEMAS = Path(__file__).parents[1] / "schemas"
EXAMPLES = SCHEMAS / "examples" / "run" / "valid"
SOLO = json.loads((EXAMPLES / "documented.json").read_text("utf-8"))
DUEL = json.loads((EXAMPLES / "duel-headings.json").read_text("utf-8"))
JUDGES = json.loads((EXAMPLES / "solo-several-judges.json").read_text("utf-8"))
RELAY = json.loads((EXAMPLES / "RUN004-teams-of-a-relay.json").read_text("utf-8"))
SPEC = "harbour:pilot"
PLACE = "results/missed-tide/harbour-pilot.json"

posix = pytest.mark.skipif(sys.platform == "win32", reason="needs links, modes and pipes as POSIX has them")


def changed(run: Any, *changes: tuple[str, Any]) -> Any:
    """A copy of a run with the values at some pointers replaced, or taken out where the new value is `...`."""
    run = copy.deepcopy(run)
    for place, value in changes:
        *way, last = [int(token) if token.isdigit() else token for token in place.split("/")[1:]]
        at = run
        for token in way:
            at = at[token]
        if value is ...:
            del at[last]
        else:
            at[last] = value
    return run


def written(run: Any) -> bytes:
    """A run as some program might have written it: neither sorted nor indented as we would."""
    return json.dumps(run, ensure_ascii=False, indent=3).encode()


def files(root: Path) -> list[str]:
    """Everything below a folder, folders included."""
    return sorted(str(path.relative_to(root)).replace(os.sep, "/") for path in root.rglob("*"))


def called(*arguments: str, data: bytes | None = None) -> tuple[int, str]:
    """The exit status and the output of the command."""
    done = CliRunner().invoke(command, list(arguments), input=data)
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done.exit_code, done.output


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to save below, which is the current one too."""
    folder = tmp_path / "root"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


# --- the documented flows -----------------------------------------------------------------------------------------

SHORT = "Converted once, where the log is read."

# name: what is changed, the check that fails, why, and where
FLOWS: dict[str, tuple[list[tuple[str, Any]], str, str, list[tuple[str, str]]]] = {
    "input: no type": ([("/type", ...)], "input", "`type` is missing", [("schema.required", "")]),
    "input: unknown type": (
        [("/type", "trio")],
        "input",
        '"trio" was found, "solo", "duel" or "relay" was expected',
        [("schema.enum", "/type")],
    ),
    "input: no scenario": (
        [("/scenario", ...)],
        "input",
        "`scenario` is missing: the scenario that the agents were given",
        [("schema.required", "")],
    ),
    "input: no time of the run": (
        [("/timestamp", "yesterday")],
        "input",
        '"yesterday" is no time with date and zone (RFC 3339), such as 2026-01-15T10:30:00Z',
        [("schema.format", "/timestamp")],
    ),
    "agents: no real time": (
        [("/agents/0/cli_timestamp", "2026-99-99T99:99:99Z")],
        "agents",
        '"2026-99-99T99:99:99Z" is no time with date and zone (RFC 3339), such as 2026-01-15T10:30:00Z',
        [("schema.format", "/agents/0/cli_timestamp")],
    ),
    "agents: a short answer": (
        [("/agents/0/response_text", SHORT)],
        "agents",
        "the text has 38 characters, at least 200 are needed",
        [("schema.minLength", "/agents/0/response_text")],
    ),
    "agents: no tokens": (
        [("/agents/0/output_tokens", 0)],
        "agents",
        "0 is too small: more than 0 was expected",
        [("schema.exclusiveMinimum", "/agents/0/output_tokens")],
    ),
    "agents: none": (
        [("/agents", ...)],
        "agents",
        "`agents` is missing: the agent; exactly one",
        [("schema.required", "")],
    ),
    "agents: two in a solo run": (
        [("/agents", [SOLO["agents"][0], DUEL["agents"][0]])],
        "agents",
        "the list has 2 items, at most 1 is allowed",
        [("schema.maxItems", "/agents")],
    ),
    "judge: none": (
        [("/judge", ...)],
        "judge",
        "`judge` is missing: every run is judged: by one judge, or by several in judges",
        [("schema.required", "")],
    ),
    "judge: no time": (
        [("/judge/cli_timestamp", ...)],
        "judge",
        "`cli_timestamp` is missing: when the judge was called",
        [("schema.required", "/judge")],
    ),
    "judge: a short verdict": (
        [("/judge/response_text", "WEIGHTED_TOTAL: 87.5"), ("/judge/output_tokens", 9)],
        "judge",
        "the text has 20 characters, at least 100 are needed",
        [("schema.minLength", "/judge/response_text")],
    ),
    "judge: negative tokens": (
        [("/judge/input_tokens", -1)],
        "judge",
        "-1 is too small: more than 0 was expected",
        [("schema.exclusiveMinimum", "/judge/input_tokens")],
    ),
    "judge: no score": (
        [("/judge/response_text", "A calm and complete answer. " * 20), ("/judge/output_tokens", 120)],
        "judge",
        "the judge states no score: no line begins with WEIGHTED_TOTAL or RATING:, and no JSON object has a "
        "weighted_total",
        [("RUN002", "/judge/response_text")],
    ),
    "judge: two scores": (
        [("/judge/response_text", SOLO["judge"]["response_text"] + "\nRATING: 40")],
        "judge",
        "it cannot be told which score the judge gives: line 18 states 87.5, line 20 states 40",
        [("RUN003", "/judge/response_text")],
    ),
    "judge: before the agent": (
        [("/judge/cli_timestamp", "2026-01-15T10:29:00Z")],
        "judge",
        'the judge was called 60 s before "harbour:pilot"',
        [("RUN007", "/judge/cli_timestamp")],
    ),
    "judge: judges as well": (
        [("/judges", [SOLO["judge"]])],
        "judge",
        "a run has judge or judges, not both",
        [("schema.not", "/judge")],
    ),
    "scores: none": (
        [("/scores", ...)],
        "scores",
        "`scores` is missing: the claimed scores: one map for one judge, a list of maps for several judges",
        [("schema.required", "")],
    ),
    "scores: another": (
        [(f"/scores/{SPEC}", 92)],
        "scores",
        "92 is claimed, but the judge states 87.5 (line 18)",
        [("RUN001", f"/scores/{SPEC}")],
    ),
    "scores: cut": (
        [(f"/scores/{SPEC}", 87)],
        "scores",
        "87 is claimed, but the judge states 87.5 (line 18)",
        [("RUN005", f"/scores/{SPEC}")],
    ),
    "scores: out of range": (
        [(f"/scores/{SPEC}", 101)],
        "scores",
        "101 is too large: at most 100 was expected",
        [("schema.maximum", f"/scores/{SPEC}")],
    ),
    "scores: of another agent": (
        [("/scores", {"harbour:cook": 87.5})],
        "scores",
        'no agent is called "harbour:cook", and there is no score for "harbour:pilot"',
        [("RUN004", "/scores")],
    ),
    "output_path: none": (
        [("/output_path", ...)],
        "output_path",
        "`output_path` is missing: where the run is saved once every check passed, relative to the root of the results",
        [("schema.required", "")],
    ),
    "output_path: upwards": (
        [("/output_path", "results/../../x.json")],
        "output_path",
        '"results/../../x.json" steps up with ".."; expected a path that stays below the root',
        [("path.traversal", "/output_path")],
    ),
    "output_path: of a receipt": (
        [("/output_path", "x.receipt.json")],
        "output_path",
        '"x.receipt.json" is the name of a receipt: choose one that does not end in .receipt.json',
        [("path.receipt", "/output_path")],
    ),
}


@pytest.fixture(params=FLOWS)
def flow(request: pytest.FixtureRequest) -> tuple[bytes, dict[str, Any], list[tuple[str, str]]]:
    """The bytes of a run that is refused, the JSON that says so without its findings, and those in short."""
    changes, check, error, findings = FLOWS[request.param]
    answer = {"success": False, "error": error, "failed_check": check, "warnings": []}
    return written(changed(SOLO, *changes)), answer, findings


def test_a_failed_check_is_reported_and_leaves_nothing_behind(
    flow: tuple[bytes, dict[str, Any], list[tuple[str, str]]], root: Path
) -> None:
    data, answer, findings = flow
    done = finalize(data, type="solo", root=root, receipt=True)
    found = done.to_dict()
    told = found.pop("findings")
    assert found == answer
    assert [(finding["code"], finding["pointer"]) for finding in told] == findings
    assert all(finding["line"] >= 1 for finding in told)
    assert not done
    assert not done.fault
    status, output = called("--type", "solo", "--data", "-", "--format", "json", "--receipt", data=data)
    assert (status, json.loads(output)) == (1, answer | {"findings": told})
    assert validate(json.loads(output), "finalize_result").findings == ()
    status, output = called("--type", "solo", "--data", "-", data=data)
    assert status == 1
    assert "VALIDATION FAILED" in output
    assert f"Failed Check: {answer['failed_check']}" in output
    assert "This run will NOT be saved." in output
    assert files(root) == []


def test_a_parsed_run_is_refused_alike_without_lines(
    flow: tuple[bytes, dict[str, Any], list[tuple[str, str]]], root: Path
) -> None:
    data, answer, findings = flow
    found = finalize(json.loads(data), type="solo", root=root).to_dict()
    told = found.pop("findings")
    assert found == answer
    assert [(finding["code"], finding["pointer"]) for finding in told] == findings
    assert not any("line" in finding for finding in told)
    assert files(root) == []


def test_a_run_that_passes_is_saved_as_it_was_given(root: Path) -> None:
    data = written(SOLO)
    expected = {
        "success": True,
        "path": PLACE,
        "validation": {
            "agents_validated": 1,
            "judge_validated": True,
            "scores_verified": True,
            "timestamp_sane": True,
        },
        "sha256": sha256(data).hexdigest(),
        "warnings": [],
        "findings": [],
    }
    done = finalize(data, type="solo", root=root)
    assert done
    assert done.to_dict() == expected
    assert not done.already_there
    assert (root / PLACE).read_bytes() == data
    status, output = called("--type", "solo", "--data", "-", "--format", "json", data=data)
    assert (status, json.loads(output)) == (0, expected)
    assert validate(expected, "finalize_result").findings == ()
    assert files(root) == ["results", "results/missed-tide", PLACE]


@pytest.mark.parametrize(
    ("run", "wanted", "agents"), [(SOLO, "solo", 1), (DUEL, "duel", 2), (JUDGES, "solo", 1), (RELAY, "relay", 4)]
)
def test_every_type_of_run_passes(run: Any, wanted: Any, agents: int, root: Path) -> None:
    done = finalize(written(run), type=wanted, root=root)
    assert done.to_dict()["validation"] == {
        "agents_validated": agents,
        "judge_validated": True,
        "scores_verified": True,
        "timestamp_sane": True,
    }
    assert "VALIDATION: PASSED" in "".join(report(done, markdown=False, elapsed_minimum=30))


def test_a_parsed_run_is_saved_as_indented_json(root: Path) -> None:
    run = changed(SOLO, ("/scenario/title", "Die Flut am Höft"))
    before = copy.deepcopy(run)
    done = finalize(run, root=root)
    text = (root / PLACE).read_text("utf-8")
    assert text == json.dumps(run, indent=2, ensure_ascii=False) + "\n"
    assert done.sha256 == sha256(text.encode()).hexdigest()
    assert run == before


def test_too_little_time_is_a_warning_alone(root: Path) -> None:
    run = changed(SOLO, ("/judge/cli_timestamp", "2026-01-15T10:30:12Z"))
    message = "12 s passed since the first agent was called, but 1 agent takes at least 30 s"
    answer = finalize(written(run), type="solo", root=root).to_dict()
    assert answer["success"] is True
    assert answer["validation"]["timestamp_sane"] is False
    assert answer["warnings"] == [message]
    assert [finding["code"] for finding in answer["findings"]] == ["RUN006"]
    status, output = called("--type", "solo", "--data", "-", data=written(run))
    assert status == 0
    assert "- Elapsed: 12s\n- Expected: ≥30s\n- Status: ✗ WARN" in output
    assert f"Warning: {message}\n" in output
    lower = called("--type", "solo", "--data", "-", "--elapsed-minimum", "12", "--format", "json", data=written(run))
    assert json.loads(lower[1])["validation"]["timestamp_sane"] is True


def test_extra_labels_are_read_on_demand(root: Path) -> None:
    text = SOLO["judge"]["response_text"].replace("WEIGHTED_TOTAL", "Final Score")
    data = written(changed(SOLO, ("/judge/response_text", text)))
    assert called("--type", "solo", "--data", "-", data=data)[0] == 1
    assert files(root) == []
    assert called("--type", "solo", "--data", "-", "--extra-labels", data=data)[0] == 0


def test_another_type_than_was_asked_for_is_refused(root: Path) -> None:
    answer = finalize(written(SOLO), type="duel", root=root).to_dict()
    assert answer["failed_check"] == "input"
    assert answer["error"] == 'the run is of type "solo", "duel" was asked for: name the type that it is of'
    assert [(finding["code"], finding["pointer"]) for finding in answer["findings"]] == [("finalize.type", "/type")]
    assert called("--type", "relay", "--data", "-", data=written(SOLO))[0] == 1
    assert files(root) == []


# --- which check failed -------------------------------------------------------------------------------------------


def test_the_first_failed_check_in_the_documented_order_is_named(root: Path) -> None:
    breaks = {
        "input": ("/scenario", ...),
        "agents": ("/agents/0/input_tokens", 0),
        "judge": ("/judge/input_tokens", 0),
        "scores": (f"/scores/{SPEC}", 0),
        "output_path": ("/output_path", "/x.json"),
    }
    assert tuple(breaks) == CHECKS
    for count in range(len(CHECKS)):
        run = changed(SOLO, *[breaks[check] for check in CHECKS[count:]])
        done = finalize(run, root=root)
        assert done.failed_check == CHECKS[count]
        assert [check for check in CHECKS if done.failures(check)] == list(CHECKS[count:])
        assert [check for check in CHECKS if done.passed(check)] == list(CHECKS[:count])
        assert done.to_dict()["error"] == done.failures(CHECKS[count])[0].message
    assert files(root) == []


@pytest.mark.parametrize(
    ("missing", "failed"),
    [
        (["agents", "judge", "scores"], ["agents", "judge", "scores"]),
        (["judge", "output_path"], ["judge", "output_path"]),
        (["timestamp", "scores"], ["input", "scores"]),
    ],
)
def test_members_that_are_missing_together_fail_the_check_of_each(
    missing: list[str], failed: list[str], root: Path
) -> None:
    done = finalize(changed(SOLO, *[(f"/{name}", ...) for name in missing]), root=root)
    assert [check for check in CHECKS if done.failures(check)] == failed
    assert done.failed_check == failed[0]


def test_a_misspelt_member_fails_its_own_check(root: Path) -> None:
    for check, name in {"judge": "jugde", "agents": "agent", "scores": "score", "output_path": "outputPath"}.items():
        run = {name if member == check else member: value for member, value in SOLO.items()}
        done = finalize(run, root=root)
        assert (done.errors[0].code, done.failed_check) == ("name.typo", check)


def test_every_example_that_is_refused_fails_the_check_of_its_place(root: Path) -> None:
    """The place of a finding tells the check: that of the rule's own page, and for schemas the member."""
    by_code = {
        "RUN001": "scores", "RUN002": "judge", "RUN003": "judge", "RUN004": "scores", "RUN005": "scores",
        "RUN007": "judge", "RUN009": "agents",
    }  # fmt: skip
    seen: set[str] = set()
    for path in sorted((EXAMPLES.parent / "invalid").glob("*.json")):
        if path.name.endswith(".findings.json"):
            continue
        done = finalize(path.read_bytes(), root=root, overwrite=True)
        code = path.name.partition("-")[0]
        warned = {finding.code for finding in done.warnings}
        if done.success:
            assert code in warned, path.name
            continue
        assert validate(done.to_dict(), "finalize_result").findings == (), path.name
        if code in by_code:
            seen.add(code)
            assert done.failed_check == by_code[code], path.name
        elif done.errors[0].pointer:
            member = done.errors[0].pointer.split("/")[1].removesuffix("s").removesuffix("core")
            expected = {"agent": "agents", "judge": "judge", "s": "scores", "output_path": "output_path"}
            assert done.failed_check == expected.get(member, "input"), path.name
    assert seen == set(by_code)
    assert not [path for path in files(root) if "receipt" in path or "tmp" in path]


def test_what_cannot_be_read_fails_as_input_wherever_it_breaks(root: Path) -> None:
    text = written(SOLO).decode()
    broken = {
        "json.empty": b"",
        "json.repeated-key": text.replace('"harbour:pilot": 87.5', '"harbour:pilot": 87.5, "harbour:pilot": 100'),
        "json.not-a-number": text.replace("87.5\n", "NaN\n"),
        "json.truncated": text[: len(text) // 2],
        "json.markdown": f"```json\n{text}\n```",
        "json.encoding": text.encode("utf-16"),
        "json.depth": "[" * 100_000,
    }
    for code, data in broken.items():
        done = finalize(data.encode() if isinstance(data, str) else data, type="solo", root=root)
        assert [finding.code for finding in done.errors] == [code]
        assert (done.failed_check, done.agents_validated, done.judge_validated) == ("input", 0, False)
        assert (done.scores_verified, done.timestamp_sane) == (False, False)
        assert "✓" not in "".join(report(done, markdown=True, elapsed_minimum=30))
    assert files(root) == []


@pytest.mark.parametrize(
    "document", [None, [], "solo", 7, {}, {"type": "solo"}, {"agents": 3, "judge": [], "scores": 1}]
)
def test_no_document_makes_it_raise(document: Any, root: Path) -> None:
    done = finalize(document, type="solo", root=root)
    assert done.failed_check == "input"
    assert validate(done.to_dict(), "finalize_result").findings == ()
    assert "".join(report(done, markdown=True, elapsed_minimum=30))
    assert "".join(report(done, markdown=False, elapsed_minimum=30))


def test_python_values_that_are_no_json_are_refused(root: Path) -> None:
    for at, value, code in (
        ("/scenario/day", date(2026, 1, 15), "json.type"),
        ("/agents", tuple(SOLO["agents"]), "json.type"),
        (f"/scores/{SPEC}", float("nan"), "json.not-a-number"),
        ("/scenario/title", "\ud800", "json.surrogate"),
    ):
        done = finalize(changed(SOLO, (at, value)), root=root)
        assert [finding.code for finding in done.errors] == [code]
        assert done.failed_check == "input"
    assert files(root) == []


def test_what_is_saved_is_what_was_checked(root: Path) -> None:
    """A dictionary that shows one claim to who looks and another to who writes cannot be saved unchecked."""

    class TwoFaced(dict[str, Any]):
        def items(self) -> Any:
            return {SPEC: 100}.items()

    done = finalize(changed(SOLO, ("/scores", TwoFaced({SPEC: 87.5}))), root=root)
    if done:
        assert json.loads((root / PLACE).read_bytes())["scores"] == {SPEC: 87.5}
    else:
        assert done.failed_check == "scores"
        assert files(root) == []


# --- flags that are computed --------------------------------------------------------------------------------------


def flags(done: FinalizeResult) -> tuple[int, bool, bool, bool]:
    return done.agents_validated, done.judge_validated, done.scores_verified, done.timestamp_sane


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ([], (2, True, True, True)),
        ([("/timestamp", "today")], (0, False, False, False)),
        ([("/agents/1/output_tokens", 0)], (1, False, False, False)),
        ([("/agents/0/cli_timestamp", ...), ("/agents/1/response_text", "")], (0, False, False, False)),
        ([("/agents/0", 7)], (1, False, False, False)),
        ([("/agents", [])], (0, False, False, False)),
        ([("/agents/1/spec", DUEL["agents"][0]["spec"])], (1, False, False, True)),
        ([("/judge/response_text", "Both are good. " * 20)], (2, False, False, True)),
        ([("/judge/cli_timestamp", "2026-03-02T09:13:00Z")], (2, False, False, False)),
        ([("/judge/cli_timestamp", "soon")], (2, False, False, False)),
        ([("/judge/cli_timestamp", "2026-03-02T09:14:31Z"), ("/agents/0/cli_timestamp", "2026-03-02T09:14:00Z")],
         (2, True, True, False)),
        ([("/scores/mill:stoker", 1)], (2, True, False, True)),
        ([("/scores", {})], (2, True, False, True)),
        ([("/output_path", "x")], (2, True, True, True)),
    ],
)  # fmt: skip
def test_each_flag_follows_from_the_findings(
    changes: list[tuple[str, Any]], expected: tuple[int, bool, bool, bool], root: Path
) -> None:
    assert flags(finalize(changed(DUEL, *changes), root=root)) == expected


def test_a_finding_turns_the_flag_of_its_check(root: Path) -> None:
    """Not one flag is a constant: an error that is put into a good result shows."""
    good = finalize(DUEL, root=root)
    assert flags(good) == (2, True, True, True)
    for pointer, expected in {
        "": (0, False, False, False),
        "/agents": (0, False, False, False),
        "/agents/1/spec": (1, False, False, False),
        "/judges/0": (2, False, False, False),
        "/scores": (2, True, False, True),
        "/output_path": (2, True, True, True),
    }.items():
        error = Finding("schema.type", "wrong-type", "error", pointer, "made up", kind="run")
        bad = replace(good, findings=(error,))
        assert flags(bad) == expected, pointer
        assert not bad.success


def test_ticks_stand_only_where_a_check_was_made(root: Path) -> None:
    def rows(run: Any) -> dict[str, str]:
        lines = "".join(report(finalize(run, root=root), markdown=True, elapsed_minimum=30)).splitlines()
        cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("|")]
        return {row[0]: row[-1] for row in cells if row[0] not in ("Agent", "Field") and not row[0].startswith("-")}

    every = rows(DUEL)
    assert set(every.values()) == {"✓"}
    assert list(every) == [
        "mill:sifter", "mill:stoker", "Timestamp", "Response", "Tokens", "Score mill:sifter", "Score mill:stoker"
    ]  # fmt: skip
    later = dict.fromkeys(list(every)[2:], "not verified")
    assert rows(changed(DUEL, ("/agents/1/output_tokens", 0))) == every | later | {"mill:stoker": "✗"}
    assert rows(changed(DUEL, ("/scenario", ...))) == dict.fromkeys(every, "not verified")
    scores = dict.fromkeys(list(every)[5:], "not verified")
    assert rows(changed(DUEL, ("/judge/input_tokens", ...))) == every | scores | {"Tokens": "✗"}
    assert rows(changed(DUEL, ("/judge/response_text", "Fine. " * 60))) == every | scores | {"Response": "✗"}
    assert rows(changed(DUEL, ("/scores/mill:stoker", 99))) == every | {"Score mill:stoker": "✗"}
    assert rows(changed(DUEL, ("/scores", ...))) == dict(list(every.items())[:5]) | {"Score": "✗"}
    assert rows(changed(DUEL, ("/output_path", "x"))) == every
    missing = rows(changed(DUEL, ("/agents", ...), ("/judge", ...)))
    assert missing == {"missing": "✗", "Judge": "✗", "Score mill:sifter": "not verified",
                       "Score mill:stoker": "not verified"}  # fmt: skip
    both = rows(JUDGES)
    assert [name for name in both if name.startswith("Score")] == ["Score 1", "Score 2", "Score 3"]
    assert set(both.values()) == {"✓"}
    second = changed(JUDGES, ("/scores/1/mill:sifter", 3))
    assert [name for name, status in rows(second).items() if status == "✗"] == ["Score 2"]


# --- the report ---------------------------------------------------------------------------------------------------

PLAIN = """\
Finalize Run Validation
=======================
Type:         solo
Scenario:     missed-tide

Agent Validation
  Agent          Timestamp             Response   Tokens            Status
  harbour:pilot  2026-01-15T10:30:00Z  398 chars  in=1234 out=5678  ✓

Judge Validation
  Field      Value                 Status
  Timestamp  2026-01-15T10:33:00Z  ✓
  Response   934 chars             ✓
  Tokens     in=2345 out=890       ✓
  Score      87.5/100              ✓

Timestamp Sanity
- Elapsed: 180s
- Expected: ≥30s
- Status: ✓ PASS

VALIDATION: PASSED

✓ Saved to results/missed-tide/harbour-pilot.json
"""

MARKDOWN = """\
### Finalize Run Validation

**Type:** solo
**Scenario:** missed-tide

#### Agent Validation

| Agent | Timestamp | Response | Tokens | Status |
| ----- | --------- | -------- | ------ | ------ |
| harbour:pilot | 2026-01-15T10:30:00Z | 398 chars | in=1234 out=5678 | ✓ |

#### Judge Validation

| Field | Value | Status |
| ----- | ----- | ------ |
| Timestamp | 2026-01-15T10:33:00Z | ✓ |
| Response | 934 chars | ✓ |
| Tokens | in=2345 out=890 | ✓ |
| Score | 87/100 | ✗ |

#### Timestamp Sanity

- Elapsed: 180s
- Expected: ≥30s
- Status: ✓ PASS

---
### ❌ VALIDATION FAILED

**Failed Check:** scores (RUN005)
**Reason:** 87 is claimed, but the judge states 87.5 (line 18)
**Value:** 87 at /scores/harbour:pilot

**This run will NOT be saved.**

To fix:
- write the number just as the judge states it, with all its digits
- repair the program that cuts it: every other run that it stored has lost its digits as well
"""


def test_the_report_is_plain_in_a_file(root: Path) -> None:
    status, output = called("--type", "solo", "--data", "-", data=written(SOLO))
    assert (status, output) == (0, PLAIN)
    again = called("--type", "solo", "--data", "-", data=written(SOLO))[1]
    assert again == PLAIN.rstrip() + " (the same bytes were there)\n"


def test_the_report_is_markdown_on_a_terminal(root: Path) -> None:
    done = finalize(changed(SOLO, (f"/scores/{SPEC}", 87)), root=root)
    assert "".join(report(done, markdown=True, elapsed_minimum=30)) == MARKDOWN


@posix
def test_a_terminal_is_told_from_a_file(root: Path) -> None:
    import pty

    (root / "run.json").write_bytes(written(SOLO))
    inner, outer = pty.openpty()
    arguments = [sys.executable, "-m", "evalschema", "finalize", "--type", "solo", "--data", "run.json"]
    done = subprocess.run(arguments, stdout=outer, stderr=outer, stdin=subprocess.DEVNULL, cwd=root, check=False)
    os.close(outer)
    shown = os.read(inner, 65536).decode()
    os.close(inner)
    assert done.returncode == 0
    assert shown.startswith("### Finalize Run Validation")
    assert "**VALIDATION: PASSED**" in shown


def test_texts_of_the_document_stay_texts(root: Path) -> None:
    evil = "::error::x\n\x1b[31m| **b** <!-- `c` [l](u) ##[error] \u202e _i_ a_b"
    run = changed(SOLO, ("/agents/0/spec", evil), ("/scenario/name", evil), ("/scores", {evil: 87.5, "x" * 500: 1}))
    done = finalize(run, root=root)
    for markdown in (False, True):
        text = "".join(report(done, markdown=markdown, elapsed_minimum=30))
        lines = text.splitlines()
        assert all(line.isprintable() and len(line) < 700 for line in lines)
        assert not any(line.lstrip().startswith("::") or "##[" in line for line in lines)
    assert r"\| \*\*b\*\* \<!-- \`c\` \[l\](u)" in text
    assert "a_b" in text
    assert r"\_i\_" in text
    output = called("--type", "solo", "--data", "-", "--format", "json", data=written(run))[1]
    assert output.isascii()
    assert not any(line.lstrip().startswith("::") for line in output.splitlines())


def test_long_lists_of_errors_are_cut_without_losing_the_reason(root: Path) -> None:
    agent = changed(RELAY["agents"][0], ("/input_tokens", 0), ("/output_tokens", 0))
    run = changed(RELAY, ("/agents", [agent] * 300), ("/scenario", ...))
    done = finalize(run, root=root)
    assert len(done.errors) > 600
    answer = done.to_dict()
    assert (len(answer["findings"]), answer["truncated"], answer["failed_check"]) == (100, True, "input")
    assert answer["error"] == "`scenario` is missing: the scenario that the agents were given"
    assert answer["findings"][0]["message"] == answer["error"]
    assert validate(answer, "finalize_result").findings == ()
    assert done.agents_validated == 0
    done = finalize(changed(run, ("/scenario", RELAY["scenario"])), root=root)
    text = "".join(report(done, markdown=False, elapsed_minimum=30))
    assert text.count("Failed Check:") == 20
    assert f"{len(done.errors) - 20} more errors; --format json lists them" in text
    assert "  and 200 more\n" in text
    assert text.partition("Judge Validation")[0].count("  ✗\n") == 100


def test_a_flood_of_errors_takes_little_time_and_space(root: Path) -> None:
    run = changed(SOLO, ("/scores", {f"agent:{index}": 0 for index in range(100_000)}))
    data = written(run)
    start = time.process_time()
    status, output = called("--type", "solo", "--data", "-", "--format", "json", data=data)
    assert (status, json.loads(output)["failed_check"]) == (1, "scores")
    assert len(output) < 100_000
    relay = written(changed(RELAY, ("/agents", [{}] * 100_000)))
    status, output = called("--type", "relay", "--data", "-", data=relay)
    assert (status, "Failed Check: input (limit.work)" in output) == (1, True)
    assert len(output) < 100_000
    assert time.process_time() - start < 30
    assert files(root) == []


# --- remedies -----------------------------------------------------------------------------------------------------


def refusing_codes() -> Iterator[str]:
    """Every code that can refuse a run: its rules, the keywords of its schema, reading, paths and disks."""
    text = json.loads((SCHEMAS / "run.schema.json").read_text("utf-8"))

    def keywords(schema: Any) -> Iterator[str]:
        if isinstance(schema, dict):
            yield from schema
            for value in schema.values():
                yield from keywords(value)
        elif isinstance(schema, list):
            for value in schema:
                yield from keywords(value)

    # what holds a schema is not reported itself: that schema is; and the type is told by an enumeration
    used = {*keywords(text), "format", "anyOf", "oneOf"} - {"additionalProperties", "const", "items"}
    for entry in all_codes():
        area, _, rest = entry.code.partition(".")
        if area == "schema" and rest not in used:
            continue
        # these are never errors of a run: its kind is given, and a byte order mark is a warning
        if area == "kind" or entry.code in ("json.bom", "name.unknown") or entry.kind not in (None, "run"):
            continue
        yield entry.code


@pytest.mark.parametrize("code", list(refusing_codes()))
def test_every_code_that_can_refuse_says_what_to_do(code: str) -> None:
    steps = remedies([Finding(code, "", "error", "", "")])
    assert steps
    for step in steps:
        assert step[0].islower() or step[0] in "`—"
        assert not step.endswith(".")
        assert "\n" not in step


def test_steps_are_told_once_and_in_the_order_of_the_findings() -> None:
    findings = [Finding(code, "", "error", "", "") for code in ("path.exists", "RUN001", "path.exists", "no.code")]
    first, second = remedies(findings[:1]), remedies(findings[1:2])
    assert remedies(findings) == first + second


def test_a_refusal_shows_its_steps(root: Path) -> None:
    for changes, _, _, findings in FLOWS.values():
        done = finalize(changed(SOLO, *changes), root=root)
        text = "".join(report(done, markdown=False, elapsed_minimum=30))
        steps = [line.removeprefix("- ") for line in text.partition("To fix:\n")[2].splitlines()]
        check = done.failed_check
        assert check
        assert steps == remedies(done.failures(check))
        assert steps
        assert findings


# --- where the data comes from ------------------------------------------------------------------------------------


def test_the_data_is_a_file_standard_input_or_the_json_itself(root: Path) -> None:
    data = written(SOLO)
    (root / "run.json").write_bytes(data)
    for argument, given in (("run.json", None), ("-", data), (data.decode(), None), ("  \n" + data.decode(), None)):
        status, output = called("--type", "solo", "--data", argument, "--format", "json", "--overwrite", data=given)
        assert status == 0
        saved = (root / PLACE).read_bytes()
        assert saved.strip() == data
        assert json.loads(output)["sha256"] == sha256(saved).hexdigest()


def test_data_that_is_no_file_is_a_failed_check(root: Path, tmp_path: Path) -> None:
    found = {"nowhere.json": "input.missing", ".": "input.not-a-file", "": "input.missing", "solo": "input.missing"}
    if sys.platform != "win32":
        os.mkfifo(tmp_path / "pipe")
        found |= {str(tmp_path / "pipe"): "input.not-a-file", "/dev/zero": "input.not-a-file"}
    for argument, code in found.items():
        status, output = called("--type", "solo", "--data", argument, "--format", "json")
        answer = json.loads(output)
        assert status == 1
        assert (answer["failed_check"], answer["findings"][0]["code"]) == ("input", code)
        assert json.dumps(argument) in answer["error"] or len(argument) > 60
        assert validate(answer, "finalize_result").findings == ()
    assert files(root) == []


def test_at_most_16_mebibytes_are_finalized(root: Path) -> None:
    data = written(SOLO)
    most = data + b" " * (SIZE_LIMIT - len(data))
    assert finalize(most, root=root).success
    assert (root / PLACE).stat().st_size == SIZE_LIMIT
    (root / PLACE).unlink()
    for refused in (finalize(most + b" ", root=root), finalize(changed(SOLO, ("/log", "x" * SIZE_LIMIT)), root=root)):
        assert [finding.code for finding in refused.errors] == ["json.size"]
        assert refused.failed_check == "input"
    status, output = called("--type", "solo", "--data", "-", "--format", "json", data=most + b"   ")
    assert status == 1
    assert json.loads(output)["error"] == (
        "the document has more than 16,777,216 bytes, which is what is finalized at most"
    )
    assert not (root / PLACE).exists()


def test_bytes_in_other_clothes_are_bytes(root: Path) -> None:
    data = written(SOLO)
    for given in (bytearray(data), memoryview(data)):
        assert finalize(given, root=root).sha256 == sha256(data).hexdigest()


def test_a_byte_order_mark_is_kept_and_warned_of(root: Path) -> None:
    data = b"\xef\xbb\xbf" + written(SOLO)
    done = finalize(data, root=root)
    assert done.success
    assert [finding.code for finding in done.warnings] == ["json.bom"]
    assert (root / PLACE).read_bytes() == data


def test_no_configuration_is_read(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    silence = 'ignore = ["RUN001", "path", "schema"]\nelapsed-minimum = 0\nextra-labels = true\n'
    (root / "evalschema.toml").write_text(silence + '[severity]\nRUN005 = "off"\n', "utf-8")
    (root / "pyproject.toml").write_text(f"[tool.evalschema]\n{silence}", "utf-8")
    monkeypatch.setenv("EVALSCHEMA_CONFIG", "evalschema.toml")
    for value, code in ((92, "RUN001"), (87, "RUN005"), (0, "schema.minimum")):
        status, output = called(
            "--type", "solo", "--data", "-", "--format", "json", data=written(changed(SOLO, (f"/scores/{SPEC}", value)))
        )
        assert (status, json.loads(output)["findings"][0]["code"]) == (1, code)
    text = SOLO["judge"]["response_text"].replace("WEIGHTED_TOTAL", "Final Score")
    assert finalize(changed(SOLO, ("/judge/response_text", text)), root=root).failed_check == "judge"
    close = changed(SOLO, ("/judge/cli_timestamp", SOLO["agents"][0]["cli_timestamp"]), ("/output_path", "close.json"))
    assert not finalize(close, root=root).timestamp_sane
    (root / "evalschema.toml").write_text("no = [toml", "utf-8")
    assert called("--type", "solo", "--data", "-", data=written(SOLO))[0] == 0


@posix
def test_no_text_reaches_a_shell(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("a process was started")

    for name in ("system", "popen", "fork", "posix_spawn", "posix_spawnp", "execv", "execve"):
        monkeypatch.setattr(os, name, refuse)
    monkeypatch.setattr(subprocess, "Popen", refuse)
    attack = "a[$(touch PWNED)]"
    places = (
        "/agents/0/input_tokens", "/agents/0/cli_timestamp", "/judge/output_tokens", "/judge/cli_timestamp",
        f"/scores/{SPEC}", "/output_path", "/type", "/timestamp", "/scenario/name",
    )  # fmt: skip
    for place in places:
        data = written(changed(SOLO, (place, attack)))
        assert called("--type", "solo", "--data", data.decode())[0] == (0 if place == "/scenario/name" else 1), place
    assert "PWNED" not in "".join(files(root))


@pytest.mark.parametrize("minimum", ["nan", "inf", "-1", "soon"])
def test_a_minimum_that_is_no_number_of_seconds_is_wrong_usage(minimum: str, root: Path) -> None:
    assert called("--type", "solo", "--data", "-", "--elapsed-minimum", minimum, data=written(SOLO))[0] == 2
    if minimum != "soon":
        with pytest.raises(SettingsError, match="expected a number of seconds"):
            finalize(SOLO, root=root, elapsed_minimum=float(minimum))
    assert files(root) == []


def test_wrong_usage_has_its_own_status() -> None:
    assert called("--type", "trio", "--data", "-")[0] == 2
    assert called("--data", "-")[0] == 2
    assert called("--type", "solo")[0] == 2


# --- where it is saved --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("results/../../x.json", "path.traversal"),
        ("/etc/escape.json", "path.absolute"),
        ("results/\0.json", "path.character"),
        ("results/CON.json", "path.reserved"),
        (".git/hooks/pre-commit", "path.hidden"),
        ("-rf.json", "path.character"),
        ("results/a\u202ejson.json", "path.character"),
        ("results/" + "x" * 300 + ".json", "path.length"),
        ("results//x.json", "path.segments"),
        ("results/x.txt", "path.suffix"),
        ("results/x.RECEIPT.json", "path.receipt"),
    ],
)
def test_a_path_that_leads_elsewhere_is_refused(path: str, code: str, root: Path, tmp_path: Path) -> None:
    before = files(tmp_path)
    data = written(changed(SOLO, ("/output_path", path)))
    status, output = called("--type", "solo", "--data", "-", "--format", "json", "--overwrite", data=data)
    answer = json.loads(output)
    assert status == 1
    assert answer["failed_check"] == "output_path"
    assert [(finding["code"], finding["pointer"]) for finding in answer["findings"]] == [(code, "/output_path")]
    assert files(tmp_path) == before


@posix
def test_links_are_not_followed(root: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "victim.json").write_text("VICTIM", "utf-8")
    (root / "results").symlink_to(outside)
    (root / "link.json").symlink_to(outside / "victim.json")
    for path, code in (("results/new/run.json", "path.symlink"), ("link.json", "path.symlink")):
        for overwrite in (False, True):
            done = finalize(changed(SOLO, ("/output_path", path)), root=root, overwrite=overwrite, receipt=True)
            assert [(finding.code, finding.pointer) for finding in done.errors] == [(code, "/output_path")]
            assert (done.failed_check, done.fault) == ("output_path", False)
    assert files(outside) == ["victim.json"]
    assert (outside / "victim.json").read_text("utf-8") == "VICTIM"


def test_what_lies_in_the_way_is_kept(root: Path) -> None:
    (root / "results").write_text("OLD", "utf-8")
    (root / "folder.json").mkdir()
    for path, code in ((PLACE, "path.not-a-folder"), ("folder.json", "path.not-a-file")):
        done = finalize(changed(SOLO, ("/output_path", path)), root=root, overwrite=True)
        assert [finding.code for finding in done.errors] == [code]
    assert files(root) == ["folder.json", "results"]
    assert (root / "results").read_text("utf-8") == "OLD"


@posix
def test_another_file_is_replaced_only_when_that_is_asked_for(root: Path) -> None:
    target, twin = root / PLACE, root / "twin.json"
    target.parent.mkdir(parents=True)
    target.write_text("OLD", "utf-8")
    target.chmod(0o640)
    os.link(target, twin)
    data = written(SOLO)
    status, output = called("--type", "solo", "--data", "-", "--format", "json", data=data)
    assert (status, json.loads(output)["findings"][0]["code"]) == (1, "path.exists")
    assert target.read_text("utf-8") == "OLD"
    done = finalize(data, root=root, overwrite=True)
    assert done.success
    assert not done.already_there
    assert target.read_bytes() == data
    assert target.stat().st_mode & 0o777 == 0o640
    assert twin.read_text("utf-8") == "OLD"
    assert finalize(data, root=root).already_there
    assert files(root) == ["results", "results/missed-tide", PLACE, "twin.json"]


def test_a_root_that_is_no_folder_is_a_fault(root: Path) -> None:
    status, output = called(
        "--type", "solo", "--data", "-", "--root", "nowhere", "--format", "json", data=written(SOLO)
    )
    answer = json.loads(output)
    assert status == 3
    assert (answer["success"], answer["failed_check"]) == (False, "output_path")
    assert answer["findings"][0]["code"] == "io.root"
    assert files(root) == []


@pytest.mark.parametrize(("there", "sentence"), [(False, "This run will NOT be saved."), (True, "but not as asked.")])
def test_a_fault_of_the_disk_has_its_own_status(
    there: bool, sentence: str, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def sick(*_: object, **__: object) -> None:
        code: SaveCode = "io.durability-unknown" if there else "io.no-space"
        raise SaveError(code, "the disk is sick", 5, written=there)

    monkeypatch.setattr(finalizing, "save", sick)
    status, output = called("--type", "solo", "--data", "-", data=written(SOLO))
    assert status == 3
    assert sentence in output
    answer = json.loads(called("--type", "solo", "--data", "-", "--format", "json", data=written(SOLO))[1])
    assert (answer["success"], answer["failed_check"], answer["error"]) == (False, "output_path", "the disk is sick")
    assert validate(answer, "finalize_result").findings == ()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_report_that_cannot_be_written_has_its_own_status(root: Path) -> None:
    arguments = [sys.executable, "-m", "evalschema", "finalize", "--type", "solo", "--data", "-"]
    with open("/dev/full", "w", encoding="utf-8") as full:
        done = subprocess.run(arguments, input=written(SOLO), stdout=full, stderr=subprocess.PIPE, check=False)
    assert done.returncode == 3
    assert b"could not be written" in done.stderr
    assert (root / PLACE).exists()


def test_the_checks_of_a_finding_follow_from_its_place() -> None:
    def check(code: str, pointer: str, expected: Any = None) -> set[str]:
        return set(checks_of(Finding(code, "", "error", pointer, "", expected=expected)))

    assert check("RUN003", "/judges/2/response_text") == {"judge"}
    assert check("schema.type", "") == {"input"}
    assert check("schema.required", "", "judge") == {"judge"}
    assert check("schema.required", "", ["type", "scores"]) == {"input", "scores"}
    assert check("schema.required", "/agents/3", "spec") == {"agents"}
    assert check("schema.required", "/scenario", "title") == {"input"}
    assert check("json.repeated-key", "/scores/a") == {"input"}
    assert check("io.error", "/output_path") == {"output_path"}


def test_the_document_is_not_changed(root: Path) -> None:
    for changes, *_ in FLOWS.values():
        run = changed(SOLO, *changes)
        before = copy.deepcopy(run)
        finalize(run, type="solo", root=root)
        assert run == before
