"""Whole verdicts: what a judge states in any usual layout is read, and no false claim is supported by a text.

`scores/verdicts.json` holds texts and the totals in them, `scores/false-claims.json` texts and a claim that they do not
support, each with the reason. A text is a list of lines; where two contestants are judged, there is a total for each.
"""

from __future__ import annotations

import itertools
import json
import time
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from evalschema.arithmetic import computed
from evalschema.finalize import finalize
from evalschema.remarks import reads_like_total
from evalschema.scores import Ambiguous, NotStated, Reading, Stated, stated_score

if TYPE_CHECKING:
    from collections.abc import Iterator

TABLES = Path(__file__).parent / "scores"
VERDICTS: list[dict[str, Any]] = json.loads((TABLES / "verdicts.json").read_text("utf-8"))
FALSE_CLAIMS: list[dict[str, Any]] = json.loads((TABLES / "false-claims.json").read_text("utf-8"))
A, B = "lamp:keeper", "lamp:mate"


def _readings(entry: dict[str, Any], scores: Any) -> Iterator[tuple[Reading, Decimal]]:
    """What the text of an entry states, beside the score that is expected or claimed."""
    text, extra_labels = "\n".join(entry["text"]), entry.get("extra_labels", False)
    if isinstance(scores, str):
        yield stated_score(text, extra_labels=extra_labels), Decimal(scores)
        return
    for spec, score in scores.items():
        others = [name for name in (A, B) if name != spec]
        yield stated_score(text, spec, others=others, extra_labels=extra_labels), Decimal(score)


@pytest.mark.parametrize("entry", VERDICTS, ids=[entry["why"] for entry in VERDICTS])
def test_a_verdict_in_a_usual_layout_is_read(entry: dict[str, Any]) -> None:
    for reading, score in _readings(entry, entry["stated"]):
        assert isinstance(reading, Stated), reading
        assert reading.value == score


@pytest.mark.promise("hostile input")
@pytest.mark.parametrize("entry", FALSE_CLAIMS, ids=[entry["why"] for entry in FALSE_CLAIMS])
def test_a_false_claim_is_supported_by_no_text(entry: dict[str, Any]) -> None:
    supported = [isinstance(r, Stated) and r.value == claim for r, claim in _readings(entry, entry["claimed"])]
    assert not all(supported)


def test_the_tables_are_large_and_every_reason_is_another() -> None:
    for table, least in ((VERDICTS, 100), (FALSE_CLAIMS, 150)):
        assert len(table) >= least
        assert len({entry["why"] for entry in table}) == len(table)
        assert len({json.dumps([entry["text"], entry.get("extra_labels")]) for entry in table}) == len(table)


@pytest.mark.parametrize("entry", [entry for entry in VERDICTS if isinstance(entry["stated"], str)], ids=str)
def test_a_bare_line_with_another_total_makes_every_verdict_ambiguous(entry: dict[str, Any]) -> None:
    text, extra_labels = "\n".join(entry["text"]), entry.get("extra_labels", False)
    for doubled in (f"{text}\n\nWEIGHTED_TOTAL: 17\n", f"WEIGHTED_TOTAL: 17\n\n{text}"):
        assert isinstance(stated_score(doubled, extra_labels=extra_labels), Ambiguous)


@pytest.mark.promise("hostile input")
def test_no_false_claim_of_the_table_is_saved(tmp_path: Path) -> None:
    for index, entry in enumerate(FALSE_CLAIMS):
        run = _run_of(entry, f"results/{index}.json")
        done = finalize(run, root=tmp_path, extra_labels=entry.get("extra_labels", False))
        assert not done.success, entry["why"]
        assert done.failed_check in ("judge", "scores"), done.findings
        assert {finding.code for finding in done.errors} <= {"RUN001", "RUN002", "RUN003", "RUN005"}
    assert not list(tmp_path.iterdir())


def test_every_verdict_of_the_table_is_saved(tmp_path: Path) -> None:
    for index, entry in enumerate(VERDICTS):
        run = _run_of(entry | {"claimed": entry["stated"]}, f"results/{index}.json")
        done = finalize(run, root=tmp_path, extra_labels=entry.get("extra_labels", False))
        assert done.success, (entry["why"], done.errors)
    assert len(list((tmp_path / "results").iterdir())) == len(VERDICTS)


def _run_of(entry: dict[str, Any], path: str) -> dict[str, Any]:
    """A run whose judge says the text of an entry; a contestant of whom nothing is claimed gets what is stated."""
    claimed = entry["claimed"]
    verdict = "\n".join(entry["text"])
    if not verdict.lstrip().startswith("{"):
        verdict = f"{'The answer was read with care, and its claims were tried. ' * 2}\n\n{verdict}"
    scores = {A: float(claimed)} if isinstance(claimed, str) else dict.fromkeys((A, B), 50.0)
    if not isinstance(claimed, str):
        scores |= {spec: float(claim) for spec, claim in claimed.items()}
    return {
        "type": "solo" if isinstance(claimed, str) else "duel",
        "timestamp": "2026-03-02T09:20:00Z",
        "scenario": {"name": "lamp", "title": "The lamp that stayed dark"},
        "agents": [
            {
                "spec": spec,
                "cli_timestamp": "2026-03-02T09:12:00Z",
                "response_text": f"Agent {spec}: the wick was wet, so it was dried and lit again. " * 4,
                "input_tokens": 1200,
                "output_tokens": 60,
            }
            for spec in scores
        ],
        "judge": {
            "cli_timestamp": "2026-03-02T09:14:30Z",
            "response_text": verdict.ljust(100),
            "input_tokens": 2400,
            "output_tokens": 60,
        },
        "scores": scores,
        "output_path": path,
    }


# Each way to write a label, with each sign, number and beginning: what a person reads as 41 contradicts a quoted 99.
LABELS = (
    "weighted_total|Weighted Total|**Weighted total**|W\u0415IGHTED_TOTAL|WEIGHTED\u200b_TOTAL|WEIGHTED\\_TOTAL|"
    "WEIGHTED_TOTAL|weighted-total|`WEIGHTED_TOTAL`|WEIGHTED TOTAL|weightedTotal|[WEIGHTED_TOTAL]|Final score"
)
SIGNS = (": ", " = ", "\uff1a", ": **", " \u2192 ", " - ", " is ", " := ", " == ", ": about ")
NUMBERS = (
    "41",
    "41/100",
    "41 out of 100",
    "41.0",
    "41%",
    "41 points",
    "forty-one",
    "41, not 99",
    "0.5*40 + 0.5*42 = 41",
)
BEGINNINGS = (
    "",
    "- ",
    "## ",
    "1. ",
    "\u2022 ",
    "\U0001f3c1 ",
    "Correction: ",
    "My verdict: ",
    "**Verdict:** ",
    "So my ",
)


@pytest.mark.promise("hostile input")
@pytest.mark.parametrize("label", LABELS.split("|"))
def test_no_way_to_write_a_verdict_lets_a_quotation_win(label: str) -> None:
    for sign, number, beginning in itertools.product(SIGNS, NUMBERS, BEGINNINGS):
        verdict = f"{beginning}{label}{sign}{number}"
        reading = stated_score(f"The answer ends:\n> WEIGHTED_TOTAL: 99/100\n\n{verdict}\n")
        assert not isinstance(reading, Stated), verdict


def test_many_contestants_are_read_at_once() -> None:
    specs = [f"relay:runner-{index:03}" for index in range(150)]
    text = "\n".join(f"## {spec}\nThin.\nWEIGHTED_TOTAL: {index % 100 + 1}" for index, spec in enumerate(specs))
    start = time.process_time()
    for index, spec in enumerate(specs):
        reading = stated_score(text, spec, others=specs)
        assert isinstance(reading, Stated)
        assert reading.value == index % 100 + 1
    assert time.process_time() - start < 5
    crowd = [f"relay:runner-{index:03}" for index in range(1000)]
    reading = stated_score(text, crowd[0], others=crowd)
    assert isinstance(reading, NotStated)
    assert "more than 200 contestants" in reading.why


# --- remarks ------------------------------------------------------------------------------------------------------


def test_the_contradicting_line_is_named_and_shown() -> None:
    reading = stated_score("> WEIGHTED_TOTAL: 99/100\n\nCorrection: W\u0415IGHTED_TOTAL: 41\n")
    assert reading == Ambiguous(
        (Decimal(99),),
        (1, 3),
        'line 1 states 99, but line 3 says something else: "Correction: W\u0415IGHTED_TOTAL: 41"',
    )
    reading = stated_score("Fine.\nWEIGHTED_TOTAL: 99/100\n\x1b[1mWeighted total: 41")
    assert isinstance(reading, Ambiguous)
    assert reading.why.endswith('line 3 says something else: "\\u001b[1mWeighted total: 41"')


def test_where_nothing_is_stated_the_first_remark_is_named() -> None:
    reading = stated_score("Fine.\n**Weighted total:** 85/100\n")
    assert isinstance(reading, NotStated)
    assert reading.lines == (2,)
    assert reading.why.endswith('line 2 is no such line: "**Weighted total:** 85/100"')


def test_remarks_that_agree_do_no_harm_whatever_their_scale() -> None:
    for remark in ("Weighted total: 8.5/10", "Weighted total: 17/20", "Overall score: 8.5", "weighted_total: 85%"):
        assert isinstance(stated_score(f"{remark}\n\nWEIGHTED_TOTAL: 85"), Stated), remark


def test_a_remark_about_somebody_else_does_no_harm() -> None:
    text = f"## {A}\nWEIGHTED_TOTAL: 80\n## {B}\nWEIGHTED_TOTAL: 70\n\nThe weighted total for {B} is 70."
    assert isinstance(stated_score(text, A, others=[B]), Stated)
    assert isinstance(stated_score(text.replace("is 70", "is 71"), A, others=[B]), Stated)
    assert isinstance(stated_score(text.replace("is 70", "is 71"), B, others=[A]), Ambiguous)


@pytest.mark.parametrize(
    "name", ["weighted_total", "Weighted Total", "weightedTotal", "W\u0415IGHTED_TOTAL", "\uff37EIGHTED\u200b_TOTAL"]
)
def test_names_that_read_like_the_total(name: str) -> None:
    assert reads_like_total(name)


@pytest.mark.parametrize("name", ["total", "weighted", "weighted_totals", "unweighted_total", "weighted_found", ""])
def test_names_that_do_not(name: str) -> None:
    assert not reads_like_total(name)


@pytest.mark.parametrize(
    "unit",
    [
        "so weighted total: 85\n",
        "Total: 85/100\n",
        "so RATING: 85 \n",
        "\\boxed{85}\n",
        "final words ",
        "\U0001d416\U0001d404",
        '{"a": 1}\n',
    ],
)
def test_a_text_with_too_much_of_anything_states_nothing(unit: str) -> None:
    text = unit * 120_000 + '\nWEIGHTED_TOTAL: 85\n{"weighted_total": 85}'
    reading = stated_score(text)
    assert isinstance(reading, NotStated)
    assert "which no verdict needs" in reading.why


# --- arithmetic ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("formula", "value"),
    [
        ("49 + 22.5 + 16.25", "87.75"),
        ("(8 × 2.5) + (7 x 2.5) − 3", "34.5"),
        ("40% × 80 + 60% * 90", "86"),
        ("(9 + 8 + 9 + 8) · 2.5", "85"),
        ("(36 + 48) ÷ 2 - [1 + 1]", "40"),
        ("34 / 40 \\* 100", "85"),
        (" 85 ", "85"),
    ],
)
def test_formulas_are_computed_exactly(formula: str, value: str) -> None:
    assert computed(formula) == Fraction(value)


@pytest.mark.parametrize(
    "formula", ["", "1 +", "(1", "1)", "1 / 0", "2 3", "a + 1", "1..5", "* 2", "(" * 400 + "1", "1 + " * 200 + "1", "%"]
)
def test_what_is_no_formula_is_not_computed(formula: str) -> None:
    assert computed(formula) is None
