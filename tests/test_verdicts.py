"""Whole verdicts: what a judge states in any usual layout is read, and no false claim is supported by a text.

`scores/verdicts.json` holds texts and the totals in them, `scores/false-claims.json` texts and a claim that they do not
support, each with the reason. A text is a list of lines; where two contestants are judged, there is a total for each.
"""

from __future__ import annotations

import json
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from evalschema.arithmetic import computed
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
