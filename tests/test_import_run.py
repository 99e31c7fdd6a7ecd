"""Files as programs store them become a run that passes; what no file holds stays missing, and then refuses."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from evalschema.commands.import_run import command
from evalschema.errors import SettingsError
from evalschema.finalize import finalize
from evalschema.importing import Gap, import_run

ANSWER = (
    "The ferry list shows each boat twice because the two tables are joined on the day alone. I joined them on the day "
    "and the boat, and kept the old query beside it for one run: both give the same boats, the new one each of them "
    "once. No other report uses that query."
)
VERDICT = (
    "The cause is named and the check is a good one: both queries ran side by side on the same week. What is missing "
    "is a word on the boats that have no crew yet.\n\n| **WEIGHTED_TOTAL** | **82.5/100** | |\n"
)
SPEC, NAME, TITLE = "quay:clerk", "double-boats", "The list that showed every boat twice"
STARTED, JUDGED = "2026-02-11T07:20:00Z", "2026-02-11T07:21:40Z"


def cli(text: str, output_tokens: int, **other: Any) -> dict[str, Any]:
    """What a call on the command line prints."""
    return {
        "type": "result",
        "subtype": "success",
        "is_error": False,
        "duration_ms": 21874,
        "num_turns": 1,
        "result": text,
        "session_id": "0b0f7c1e-0000-4000-8000-000000000001",
        "total_cost_usd": 0.0312,
        "usage": {
            "input_tokens": 3,
            "cache_creation_input_tokens": 1400,
            "cache_read_input_tokens": 12_000,
            "output_tokens": output_tokens,
            "service_tier": "standard",
        },
        "permission_denials": [],
    } | other


def runner(role: str, **other: Any) -> dict[str, Any]:
    """One of the two files that a runner writes."""
    common = {"run_id": "5d41a7c0", "spec": SPEC, "scenario": NAME, "input_tokens": 1403, "cost_usd": 0.02}
    if role == "agent":
        mine: dict[str, Any] = {
            "theme": "quay", "agent": "clerk", "timestamp": STARTED, "response": ANSWER,
            "response_length": len(ANSWER) + 1, "output_tokens": 70,
        }  # fmt: skip
    else:
        mine = {"timestamp": JUDGED, "score": 82.5, "judge_response": VERDICT, "output_tokens": 55}
    return common | mine | other


def flat(role: str, **other: Any) -> dict[str, Any]:
    """One of two files in which a model wrote down what happened."""
    if role == "agent":
        mine: dict[str, Any] = {
            "agent": {"theme": "quay", "role": "clerk", "spec": SPEC}, "cli_timestamp": STARTED,
            "response_text": ANSWER, "token_usage": {"input_tokens": 1403, "output_tokens": 70},
        }  # fmt: skip
    else:
        mine = {
            "mode": "solo", "spec": SPEC, "timestamp": JUDGED, "evaluation": VERDICT, "weighted_total": 82.5,
            "scores": {"correctness": 9, "depth": 8}, "tokens": {"input": 2210, "output": 55},
        }  # fmt: skip
    return mine | other


def without(document: dict[str, Any], *members: str) -> dict[str, Any]:
    return {name: value for name, value in document.items() if name not in members}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def stored(**documents: Any) -> None:
    """Files in the current folder, each with the name of its keyword."""
    for name, document in documents.items():
        Path(f"{name}.json").write_text(json.dumps(document), "utf-8")


def imported(agent: Any, judge: Any, **known: Any) -> Any:
    stored(agent=agent, judge=judge)
    return import_run(["agent.json"], ["judge.json"], **known)


def called(*arguments: str) -> tuple[int, str, str]:
    done = CliRunner().invoke(command, list(arguments))
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done.exit_code, done.stdout, done.stderr


KNOWN: dict[str, Any] = {"scenario": (NAME, TITLE), "output_path": "results/double-boats/clerk.json"}


def test_a_pair_of_a_runner_becomes_a_run_that_passes(folder: Path) -> None:
    made = imported(runner("agent"), runner("judge"), scenario=(None, TITLE), output_path="results/clerk.json")
    assert made.run == {
        "type": "solo",
        "timestamp": STARTED,
        "scenario": {"name": NAME, "title": TITLE},
        "agents": [
            {"spec": SPEC, "cli_timestamp": STARTED, "response_text": ANSWER, "input_tokens": 1403, "output_tokens": 70}
        ],
        "judge": {"cli_timestamp": JUDGED, "response_text": VERDICT, "input_tokens": 1403, "output_tokens": 55},
        "scores": {SPEC: 82.5},
        "output_path": "results/clerk.json",
    }
    assert (made.gaps, made.faults) == ((), ())
    done = finalize(made.run, type="solo", root=folder)
    assert (done.success, done.findings) == (True, ())


def test_a_flat_pair_becomes_a_run_that_passes(folder: Path) -> None:
    made = imported(flat("agent"), flat("judge"), **KNOWN)
    assert (made.gaps, made.faults) == ((), ())
    assert made.run["agents"][0] == {
        "spec": SPEC, "cli_timestamp": STARTED, "response_text": ANSWER, "input_tokens": 1403, "output_tokens": 70
    }  # fmt: skip
    assert made.run["judge"]["input_tokens"] == 2210
    assert made.run["scores"] == {SPEC: 82.5}
    assert finalize(made.run, type="solo", root=folder).findings == ()


@pytest.mark.parametrize("name", ["response_text", "judge_response", "response", "evaluation", "verdict"])
@pytest.mark.parametrize("claim", ["score", "weighted_total", "total"])
def test_the_names_in_use_are_read(name: str, claim: str, folder: Path) -> None:
    judge = without(flat("judge"), "evaluation", "weighted_total") | {name: VERDICT, claim: 82.5}
    made = imported(flat("agent"), judge, **KNOWN)
    assert (made.gaps, made.faults) == ((), ())
    assert finalize(made.run, root=folder).success
    agent = without(flat("agent"), "response_text", "cli_timestamp") | {"result": ANSWER, "timestamp": STARTED}
    assert imported(agent, judge, **KNOWN).run == made.run


def test_results_of_the_command_line_hold_no_time(folder: Path) -> None:
    made = imported(cli(ANSWER, 70), cli(VERDICT, 55), specs=[SPEC], scores=82.5, **KNOWN)
    assert made.run["agents"] == [
        {"spec": SPEC, "response_text": ANSWER, "input_tokens": 13_403, "output_tokens": 70}
    ]  # fmt: skip
    assert made.run["scores"] == {SPEC: 82.5}
    assert made.faults == ()
    assert made.gaps == (
        Gap("/timestamp", "agent.json"),
        Gap("/agents/0/cli_timestamp", "agent.json"),
        Gap("/judge/cli_timestamp", "judge.json"),
    )
    done = finalize(made.run, type="solo", root=folder)
    assert not done
    assert {finding.pointer for finding in done.errors} == {"", "/agents/0", "/judge"}
    assert not (folder / "results").exists()


def test_a_result_beside_a_judge_who_was_timed(folder: Path) -> None:
    made = imported(cli(ANSWER, 70), runner("judge"), **KNOWN)
    assert [gap.pointer for gap in made.gaps] == ["/timestamp", "/agents/0/cli_timestamp"]
    assert made.run["agents"][0]["spec"] == SPEC


@pytest.mark.parametrize(
    ("role", "member", "gap"),
    [
        ("agent", "timestamp", "/agents/0/cli_timestamp"),
        ("agent", "response", "/agents/0/response_text"),
        ("agent", "input_tokens", "/agents/0/input_tokens"),
        ("agent", "output_tokens", "/agents/0/output_tokens"),
        ("judge", "timestamp", "/judge/cli_timestamp"),
        ("judge", "judge_response", "/judge/response_text"),
        ("judge", "input_tokens", "/judge/input_tokens"),
        ("judge", "output_tokens", "/judge/output_tokens"),
        ("judge", "score", f"/scores/{SPEC}"),
    ],
)
@pytest.mark.parametrize("null", [False, True])
def test_what_is_missing_stays_missing_and_refuses(role: str, member: str, gap: str, null: bool, folder: Path) -> None:
    files = {"agent": runner("agent"), "judge": runner("judge")}
    files[role] = files[role] | {member: None} if null else without(files[role], member)
    made = imported(files["agent"], files["judge"], **KNOWN)
    assert made.faults == ()
    assert Gap(gap, f"{role}.json") in made.gaps
    assert len(made.gaps) == (2 if gap == "/agents/0/cli_timestamp" else 1)
    assert not finalize(made.run, type="solo", root=folder)
    assert not (folder / "results").exists()


def test_the_claim_is_never_read_in_the_verdict(folder: Path) -> None:
    """A claim that is taken from the text would always agree with it, and the check would prove nothing."""
    made = imported(runner("agent"), without(runner("judge"), "score"), **KNOWN)
    assert made.run["scores"] == {}
    wrong = imported(runner("agent"), runner("judge", score=92), **KNOWN)
    assert wrong.run["scores"] == {SPEC: 92}
    assert [finding.code for finding in finalize(wrong.run, root=folder).errors] == ["RUN001"]


@pytest.mark.parametrize(
    ("agent", "judge", "fault"),
    [
        (runner("agent"), runner("judge", run_id="ffffffff"),
         'the run_id: agent.json says "5d41a7c0", judge.json says "ffffffff"'),
        (runner("agent"), runner("judge", spec="quay:cook"),
         'the spec: agent.json says "quay:clerk", judge.json says "quay:cook"'),
        (runner("agent"), runner("judge", scenario="other"),
         'the name of the scenario: what was given says "double-boats", judge.json says "other"'),
        (flat("agent", input_tokens=5), flat("judge"),
         "agent.json: input_tokens says 5, token_usage.input_tokens says 1403"),
        (without(flat("agent"), "response_text") | {"response": ANSWER, "result": "Done."}, flat("judge"),
         'agent.json: response says "The ferry list shows each boat twice because the two tables …", result says '
         '"Done."'),
        (flat("agent"), flat("judge", score=82), "judge.json: score says 82, weighted_total says 82.5"),
        (flat("agent"), flat("judge", scores={SPEC: 80}),
         'the score of "quay:clerk": judge.json says 80, judge.json says 82.5'),
        (cli("", 1, is_error=True, subtype="error_max_turns"), flat("judge"),
         'agent.json: the call failed ("error_max_turns"): what it holds is no answer'),
        (flat("agent"), cli("API Error: overloaded", 1, is_error=True),
         'judge.json: the call failed ("success"): what it holds is no answer'),
        ([], flat("judge"), "agent.json: an empty list was found, an object was expected"),
    ],
)  # fmt: skip
def test_files_that_do_not_belong_together_make_no_run(agent: Any, judge: Any, fault: str, folder: Path) -> None:
    made = imported(agent, judge, **KNOWN)
    assert made.run is None
    assert made.faults == (fault,)
    arguments = ("--agent", "agent.json", "--judge", "judge.json", "--scenario", f"{NAME}/{TITLE}")
    assert called(*arguments, "-o", "run.json") == (1, "", f"evalschema: {fault}\n")
    assert not (folder / "run.json").exists()


def test_what_was_given_may_not_contradict_a_file(folder: Path) -> None:
    for known, what in (
        ({"specs": ["quay:cook"]}, 'the spec: what was given says "quay:cook", agent.json says "quay:clerk"'),
        ({"scores": 82}, 'the score of "quay:clerk": what was given says 82, judge.json says 82.5'),
        ({"scores": {SPEC: 80}}, 'the score of "quay:clerk": what was given says 80, judge.json says 82.5'),
        ({"scenario": ("boats", TITLE)}, 'the name of the scenario: what was given says "boats"'),
    ):
        made = imported(runner("agent"), runner("judge"), **known)
        assert made.run is None
        assert made.faults[0].startswith(what)
    same = imported(runner("agent"), runner("judge"), specs=[SPEC], scores=82.5, **KNOWN)
    assert (same.gaps, same.faults) == ((), ())


def test_damaged_files_are_faults(folder: Path) -> None:
    stored(judge=runner("judge"))
    for content, words in (
        (b"", "the file is empty"),
        (b'{"response": "a\nb"}', "over the end of its line"),
        (b"# Verdict\n\nGood.", "agent.json: "),
        (b'{"spec": "a", "spec": "b"}', "agent.json: "),
    ):
        Path("agent.json").write_bytes(content)
        made = import_run(["agent.json"], ["judge.json"], **KNOWN)
        assert made.run is None
        assert words in made.faults[0]
    made = import_run(["nowhere.json"], ["."], **KNOWN)
    assert made.faults == (
        "nowhere.json: there is no such file or folder", ".: is a folder, a file was expected"
    )  # fmt: skip


def test_values_of_other_types_are_kept_for_the_checks(folder: Path) -> None:
    judge = runner("judge", judge_response={"weighted_total": 82.5}, input_tokens="12")
    agent = cli(ANSWER, 70, usage={"input_tokens": "3", "cache_read_input_tokens": 5, "output_tokens": True})
    made = imported(agent, judge, **KNOWN)
    assert made.run["judge"]["response_text"] == {"weighted_total": 82.5}
    assert made.run["judge"]["input_tokens"] == "12"
    assert made.run["agents"][0]["input_tokens"] == "3"
    assert finalize(made.run, root=folder).failed_check == "input"  # no time of the run


def test_a_byte_order_mark_is_taken_off(folder: Path) -> None:
    stored(judge=runner("judge"))
    Path("agent.json").write_bytes(b"\xef\xbb\xbf" + json.dumps(runner("agent")).encode())
    assert import_run(["agent.json"], ["judge.json"], **KNOWN).faults == ()


def test_a_duel_has_a_file_for_each_agent(folder: Path) -> None:
    verdict = json.dumps({"contestants": {SPEC: {"weighted_total": 82.5}, "quay:cook": {"weighted_total": 71}},
                          "winner": SPEC, "justification": "The clerk proved it." * 6})  # fmt: skip
    stored(
        a=runner("agent"),
        b=runner("agent", spec="quay:cook", run_id="11111111", response=f"{ANSWER} So I think."),
        j=without(runner("judge", judge_response=verdict, scores={SPEC: 82.5, "quay:cook": 71}), "score", "run_id"),
    )
    made = import_run(["a.json", "b.json"], ["j.json"], type="duel", **KNOWN)
    assert (made.gaps, made.faults) == ((), ())
    assert made.run is not None
    assert made.run["scores"] == {SPEC: 82.5, "quay:cook": 71}
    assert finalize(made.run, type="duel", root=folder).success
    untold = import_run(["a.json", "b.json"], ["j.json"], **KNOWN)
    assert untold.gaps == (Gap("/type", None),)


def test_claims_of_a_duel_can_be_given(folder: Path) -> None:
    stored(a=cli(ANSWER, 70), b=cli(ANSWER + "!", 70), j=cli(VERDICT, 55))
    status, output, told = called(
        "--agent", "a.json", "--agent", "b.json", "--judge", "j.json", "--type", "duel", "--spec", "a:b=c",
        "--spec", "d:e", "--score", "a:b=c=80", "--score", "d:e=71.5", "--scenario", "n/t", "--output-path", "r.json",
    )  # fmt: skip
    assert status == 1
    assert json.loads(output)["scores"] == {"a:b=c": 80, "d:e": 71.5}
    assert told.splitlines() == [
        "missing: /timestamp (not in a.json)",
        "missing: /agents/0/cli_timestamp (not in a.json)",
        "missing: /agents/1/cli_timestamp (not in b.json)",
        "missing: /judge/cli_timestamp (not in j.json)",
    ]


def test_several_judges_have_a_map_of_scores_each(folder: Path) -> None:
    second = runner("judge", judge_response=VERDICT.replace("82.5", "80"), score=80)
    stored(a=runner("agent"), j1=runner("judge"), j2=second)
    made = import_run(["a.json"], ["j1.json", "j2.json"], **KNOWN)
    assert made.run is not None
    assert made.run["scores"] == [{SPEC: 82.5}, {SPEC: 80}]
    assert "judge" not in made.run
    assert finalize(made.run, root=folder).success
    stored(j2=without(second, "score"))
    assert import_run(["a.json"], ["j1.json", "j2.json"], **KNOWN).gaps == (Gap(f"/scores/1/{SPEC}", "j2.json"),)


def test_arguments_that_fit_no_run_are_wrong_usage(folder: Path) -> None:
    stored(a=runner("agent"), b=runner("agent"), j=runner("judge"))
    with pytest.raises(SettingsError, match="specs are 2, agents are 1"):
        import_run(["a.json"], ["j.json"], specs=["a", "b"])
    with pytest.raises(SettingsError, match="say whose it is"):
        import_run(["a.json", "b.json"], ["j.json"], scores=80)
    with pytest.raises(SettingsError, match="a single judge only"):
        import_run(["a.json"], ["j.json", "j.json"], scores={"a": 80})
    pair = ("--agent", "a.json", "--judge", "j.json")
    for wrong in ("much", "1e3", "a=", "NaN", "٤", "0x10", "9" * 400, "=", "01"):
        assert called(*pair, "--score", wrong)[0] == 2
    assert called(*pair, "--score", "80", "--score", "81")[0] == 2
    assert called("--agent", "a.json")[0] == 2
    assert called("--judge", "j.json")[0] == 2
    assert called(*pair, "--type", "trio")[0] == 2


def test_the_command_writes_what_finalize_takes(folder: Path) -> None:
    stored(a=runner("agent"), j=runner("judge"))
    arguments = ("--agent", "a.json", "--judge", "j.json", "--scenario", f"/{TITLE}", "--output-path", "r/run.json")
    status, output, told = called(*arguments)
    assert (status, told) == (0, "")
    assert output.isascii()
    assert called(*arguments, "-o", "run.json") == (0, "", "")
    assert Path("run.json").read_text("utf-8") == output
    assert finalize(output.encode(), type="solo", root=folder).success
    assert sorted(path.name for path in folder.iterdir()) == ["a.json", "j.json", "r", "run.json"]


@pytest.mark.parametrize(
    ("more", "status", "words"),
    [
        (("-o", "nowhere/run.json"), 3, "nowhere/run.json"),
        (("--spec", "a", "--spec", "b"), 2, "specs are 2, agents are 1"),
    ],
)
def test_other_ways_out_have_their_own_status(more: tuple[str, ...], status: int, words: str, folder: Path) -> None:
    stored(a=runner("agent"), j=runner("judge"))
    arguments = [sys.executable, "-m", "evalschema", "import-run", "--agent", "a.json", "--judge", "j.json", *more]
    done = subprocess.run(arguments, cwd=folder, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (status, "")
    assert words in done.stderr


def test_the_command_tells_how_to_give_what_is_missing(folder: Path) -> None:
    stored(a=cli(ANSWER, 70), j=cli(VERDICT, 55))
    status, output, told = called("--agent", "a.json", "--judge", "j.json")
    assert status == 1
    assert json.loads(output)["scenario"] == {}
    assert told.splitlines() == [
        "missing: /timestamp (not in a.json)",
        "missing: /scenario/name, give it with --scenario",
        "missing: /scenario/title, give it with --scenario",
        "missing: /agents/0/spec (not in a.json), give it with --spec",
        "missing: /agents/0/cli_timestamp (not in a.json)",
        "missing: /judge/cli_timestamp (not in j.json)",
        "missing: /output_path, give it with --output-path",
    ]
    assert "give it with --score" in called("--agent", "a.json", "--judge", "j.json", "--spec", SPEC)[2]


def test_texts_of_the_files_cannot_speak_to_a_terminal(folder: Path) -> None:
    evil = "\x1b[31m\n::error::" + "x" * 300
    made = imported(runner("agent", spec=evil), runner("judge"), **KNOWN)
    assert all(fault.isprintable() and len(fault) < 400 for fault in made.faults)
    assert made.faults
    _, output, told = called("--agent", "agent.json", "--judge", "judge.json")
    assert output == ""
    assert told.count("\n") == len(made.faults)
