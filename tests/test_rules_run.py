"""Rules for runs, as far as examples cannot show them: settings, messages, bounds, and damaged documents."""

from __future__ import annotations

import copy
import json
import re
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalschema import validate
from evalschema.rules._engine import rules_of
from evalschema.settings import Settings

if TYPE_CHECKING:
    from evalschema.finding import Finding

EXAMPLES = Path(__file__).parents[1] / "schemas" / "examples" / "run"
SOLO = json.loads((EXAMPLES / "valid" / "solo-table.json").read_text("utf-8"))
DUEL = json.loads((EXAMPLES / "valid" / "duel-headings.json").read_text("utf-8"))
RELAY = json.loads((EXAMPLES / "valid" / "RUN004-teams-of-a-relay.json").read_text("utf-8"))
JUDGES = json.loads((EXAMPLES / "valid" / "solo-several-judges.json").read_text("utf-8"))
SPEC = SOLO["agents"][0]["spec"]


def changed(run: Any, *changes: tuple[str, Any]) -> Any:
    """A copy of a run with the values at some pointers replaced."""
    run = copy.deepcopy(run)
    for place, value in changes:
        *way, last = [int(token) if token.isdigit() else token for token in place.split("/")[1:]]
        at = run
        for token in way:
            at = at[token]
        at[last] = value
    return run


def found(run: Any, **chosen: Any) -> list[Finding]:
    return list(validate(run, "run", settings=Settings(**chosen)).findings)


def places(run: Any, **chosen: Any) -> list[tuple[str, str]]:
    return [(finding.code, finding.pointer) for finding in found(run, **chosen)]


def judged(score: str, claim: Any) -> Any:
    """The solo run with a verdict that ends in `score`, and a claim."""
    verdict = (
        f"The cause is named, the change is small, and a test would have caught it; nothing is missing here.\n{score}"
    )
    return changed(SOLO, ("/judge/response_text", verdict), ("/judge/output_tokens", 30), (f"/scores/{SPEC}", claim))


def test_messages_carry_the_numbers() -> None:
    (finding,) = found(judged("\nWEIGHTED_TOTAL: 87.25/100", 90))
    assert finding.message == "90 is claimed, but the judge states 87.25 (line 3)"
    assert (finding.found, finding.expected, finding.related) == (90, 87.25, ("/judge/response_text",))
    (finding,) = found(changed(SOLO, ("/judge/cli_timestamp", "2026-03-02T09:12:07.5Z")))
    assert finding.message == "7.5 s passed since the first agent was called, but 1 agent takes at least 30 s"
    assert (finding.found, finding.expected) == (7.5, 30.0)
    (finding,) = found(changed(SOLO, ("/judge/cli_timestamp", "2026-03-02T09:11:59.5Z")))
    assert finding.message == f'the judge was called 0.5 s before "{SPEC}"'
    (finding,) = found(changed(SOLO, ("/judge/output_tokens", 1000)))
    length = len(SOLO["judge"]["response_text"])
    assert finding.message.startswith(
        f"the verdict has {length} characters for 1000 output tokens, {length / 1000:.3f}"
    )
    (finding,) = found(changed(JUDGES, ("/scores", JUDGES["scores"][:2])))
    assert finding.message == "scores lists 2, but there are 3 judges"
    (finding,) = found(changed(SOLO, ("/scores", {"mill:other": 87.5})))
    assert finding.message == f'no agent is called "mill:other", and there is no score for "{SPEC}"'


@pytest.mark.parametrize(
    ("stated", "claim", "code"),
    [
        ("72.5", 72, "RUN005"),
        ("72.5", 73, "RUN005"),
        ("72.5", 74, "RUN001"),
        ("72.5", 71, "RUN001"),
        ("87.75", 87.7, "RUN005"),
        ("87.75", 87.8, "RUN005"),
        ("87.75", 87, "RUN005"),
        ("87.75", 88, "RUN005"),
        ("87.75", 87.9, "RUN001"),
        ("86.5", 86, "RUN005"),
        ("85", 80, "RUN001"),
        ("85", 85.5, "RUN001"),
        ("85.04", 85, "RUN005"),
        ("85.000000000000000000000000000000000001", 85, "RUN005"),
    ],
)
def test_a_claim_that_lost_digits_is_told_from_a_wrong_one(stated: str, claim: float, code: str) -> None:
    assert places(judged(f"WEIGHTED_TOTAL: {stated}", claim)) == [(code, f"/scores/{SPEC}")]


@settings(deadline=None)
@given(st.decimals("1", "100", places=4), st.integers(-3, 3))
def test_a_claim_is_right_when_it_is_the_same_decimal(stated: Decimal, shift: int) -> None:
    claim = float(stated + Decimal(shift).scaleb(-4))
    if not 1 <= claim <= 100:
        return
    codes = {code for code, _ in places(judged(f"WEIGHTED_TOTAL: {stated}", claim))}
    assert (codes == set()) == (shift == 0)
    assert codes <= {"RUN001", "RUN005"}


def test_the_elapsed_minimum_is_a_setting_for_each_agent() -> None:
    close = changed(DUEL, ("/judge/cli_timestamp", "2026-03-02T09:14:50Z"))
    assert places(close) == []
    assert places(close, elapsed_minimum=85) == []
    assert places(close, elapsed_minimum=85.1) == [("RUN006", "/judge/cli_timestamp")]
    assert places(changed(close, ("/judge/cli_timestamp", DUEL["agents"][1]["cli_timestamp"])), elapsed_minimum=0) == []
    at_once = changed(SOLO, ("/judge/cli_timestamp", SOLO["agents"][0]["cli_timestamp"]))
    assert places(at_once) == [("RUN006", "/judge/cli_timestamp")]
    assert places(at_once, elapsed_minimum=0) == []


def test_extra_labels_are_a_setting() -> None:
    for label in ("Final Score", "TOTAL"):
        run = judged(f"**{label}: 87.5/100**", 87.5)
        assert places(run) == [("RUN002", "/judge/response_text")]
        assert places(run, extra_labels=True) == []
        assert places(changed(run, (f"/scores/{SPEC}", 88)), extra_labels=True) == [("RUN005", f"/scores/{SPEC}")]
    answer = SOLO["agents"][0]["response_text"] + "\nFinal Score: 100"
    run = changed(SOLO, ("/agents/0/response_text", answer))
    assert places(run) == []
    assert places(run, extra_labels=True) == [("RUN010", "/agents/0/response_text")]


def test_a_relay_with_one_agent_outside_the_teams_is_scored_by_agents() -> None:
    run = copy.deepcopy(RELAY)
    del run["agents"][3]["team"]
    assert ("RUN004", "/scores") in places(run)
    (finding,) = [finding for finding in found(run) if finding.code == "RUN004"]
    assert finding.expected == [agent["spec"] for agent in run["agents"]]


def test_a_relay_of_a_single_team_needs_no_name_in_the_verdict() -> None:
    run = copy.deepcopy(RELAY)
    for agent in run["agents"]:
        agent["team"] = "upper"
    run["scores"] = {"upper": 85}
    run["judge"]["response_text"] = SOLO["judge"]["response_text"].replace("87.5", "85")
    assert places(run) == []


def test_each_judge_is_read_and_timed_for_themselves() -> None:
    run = changed(
        JUDGES,
        ("/judges/0/response_text", "No total here. " * 10),
        ("/judges/1/response_text", "Two of them. " * 10 + "\nRATING: 70\nRATING: 80"),
        ("/judges/2/cli_timestamp", "2026-03-02T09:00:00Z"),
    )
    assert places(run) == [
        ("RUN002", "/judges/0/response_text"),
        ("RUN003", "/judges/1/response_text"),
        ("RUN007", "/judges/2/cli_timestamp"),
    ]


@pytest.mark.parametrize("spec", ["1984:Thought Police", "a|b:c", "(x", "a:b\\1", "x:O'Brien", "größe:é", "a:b.*"])
def test_any_spec_can_be_asked_for(spec: str) -> None:
    other = DUEL["agents"][0]["spec"]
    text = json.dumps(DUEL, ensure_ascii=False).replace(DUEL["agents"][1]["spec"], json.dumps(spec)[1:-1])
    run = json.loads(text)
    assert places(run) == []
    run["scores"][spec] = 63
    assert places(run) == [("RUN001", "/scores/" + spec.replace("~", "~0").replace("/", "~1"))]
    run["judge"]["response_text"] = json.dumps(
        {"contestants": {other: {"weighted_total": 82.5}, spec: {"weighted_total": 63}}, "why": "x" * 400}
    )
    assert places(run) == []


def test_names_are_escaped_and_cut_in_messages() -> None:
    name = "\x1b[31m\n::error::\u202e" + "x" * 500
    findings = found(changed(SOLO, ("/scores", {name: 87.5}), ("/agents/0/spec", name + "!")))
    assert findings
    for finding in findings:
        assert finding.message.isprintable()
        assert len(finding.message) < 400


def test_a_long_verdict_is_read_as_well() -> None:
    text = "A sentence about the answer that goes on for a while.\n" * 4000
    run = changed(judged("", 85), ("/judge/response_text", f"{text}RATING: 85.5"), ("/judge/output_tokens", 50_000))
    (finding,) = found(run)
    assert finding.message == "85 is claimed, but the judge states 85.5 (line 4001)"


def test_every_page_tells_how_to_fix_it() -> None:
    rules = rules_of("run")
    assert [rule.code for rule in rules] == [f"RUN{number:03}" for number in range(1, 11)]
    for rule in rules:
        _, mark, steps = rule.page.partition("\n\nTo fix:\n\n")
        assert mark, rule.code
        assert all(line.startswith(("- ", "  ")) for line in steps.splitlines())


# Values of every type that a damaged document may hold, in the place of any member.
DAMAGE: st.SearchStrategy[Any] = st.sampled_from(
    [
        None,
        True,
        0,
        -1,
        1e300,
        10**400,
        3.0,
        "",
        "x",
        "2026-03-02T09:14:30Z",
        [],
        {},
        [[]],
        [{}],
        {"a": 1},
        {"judge": {}},
    ]
)


def _paths(value: Any, at: str = "") -> list[str]:
    children = enumerate(value) if isinstance(value, list) else value.items() if isinstance(value, dict) else ()
    return [path for key, child in children for path in (f"{at}/{key}", *_paths(child, f"{at}/{key}"))]


@pytest.mark.parametrize("run", [SOLO, DUEL, RELAY, JUDGES], ids=["solo", "duel", "relay", "judges"])
@settings(deadline=None)
@given(data=st.data())
def test_no_damage_makes_a_rule_crash(run: Any, data: st.DataObject) -> None:
    run = copy.deepcopy(run)
    for _ in range(data.draw(st.integers(1, 3))):
        path = data.draw(st.sampled_from(_paths(run)))
        *way, last = path.split("/")[1:]
        at = run
        for token in way:
            at = at[int(token) if isinstance(at, list) else token]
        key: Any = int(last) if isinstance(at, list) else last
        if data.draw(st.booleans()):
            del at[key]
        else:
            at[key] = copy.deepcopy(data.draw(DAMAGE))
        if not _paths(run):
            break
    before = copy.deepcopy(run)
    validate(run, "run")
    assert run == before


@pytest.mark.parametrize("run", [SOLO, DUEL, RELAY, JUDGES], ids=["solo", "duel", "relay", "judges"])
def test_whole_numbers_may_be_written_as_fractions(run: Any) -> None:
    text = json.dumps(run)
    for record in [*run["agents"], *run.get("judges", [run.get("judge")])]:
        for name in ("input_tokens", "output_tokens"):
            text = re.sub(rf'"{name}": {record[name]}(?=[,}}])', f'"{name}": {record[name]}.0', text)
    assert text.count(".0") > 3
    assert places(json.loads(text)) == []
