"""Reading the total that a judge's text states: every form that is read, every one that is not, and why."""

from __future__ import annotations

import json
import time
from decimal import Decimal

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from bench.scores import CONTEST, SHAPES, text_of
from evalschema.scores import Ambiguous, NotStated, Stated, stated_score

STATED = {
    # marks round a line
    "WEIGHTED_TOTAL: 85": "85",
    "  WEIGHTED_TOTAL: 85  ": "85",
    "**WEIGHTED_TOTAL: 85**": "85",
    "**WEIGHTED_TOTAL**: **85**": "85",
    "**WEIGHTED_TOTAL:** 85": "85",
    "__WEIGHTED_TOTAL__: 85": "85",
    "_WEIGHTED_TOTAL: 85_": "85",
    "*__WEIGHTED_TOTAL__* = 85": "85",
    "`WEIGHTED_TOTAL: 85`": "85",
    "## WEIGHTED_TOTAL: 85": "85",
    "- WEIGHTED_TOTAL: 85": "85",
    "+ WEIGHTED_TOTAL: 85": "85",
    "3. WEIGHTED_TOTAL: 85": "85",
    "3) **WEIGHTED_TOTAL**: 85": "85",
    "> WEIGHTED_TOTAL: 85": "85",
    "> > - **WEIGHTED_TOTAL**: 85": "85",
    "```\nWEIGHTED_TOTAL: 85\n```": "85",
    "Verdict.\r\nWEIGHTED_TOTAL: 85\r\nDone.": "85",
    "Verdict.\rWEIGHTED_TOTAL: 85\rDone.": "85",
    # separators and what may stand before them
    "WEIGHTED_TOTAL = 85": "85",
    "WEIGHTED_TOTAL | 85": "85",
    "WEIGHTED_TOTAL：85": "85",
    "WEIGHTED_TOTAL:85": "85",
    "WEIGHTED_TOTAL (out of 100): 85": "85",
    "**WEIGHTED_TOTAL** (out of 100): **85**": "85",
    # rows
    "| **WEIGHTED_TOTAL** | 85/100 | |": "85",
    "| **WEIGHTED_TOTAL** | **77.5/100** | solid |": "77.5",
    "| 5 | WEIGHTED_TOTAL | 85 | solid |": "85",
    "| WEIGHTED_TOTAL | | 85 |": "85",
    "| WEIGHTED_TOTAL: | 85 |": "85",
    "| WEIGHTED_TOTAL: 85 | solid |": "85",
    "| a | b | |---| | x | 3/10 | | **WEIGHTED_TOTAL** | 85/100 | | all in one line": "85",
    "| WEIGHTED_TOTAL | 85/100 | 8.5/10 | 3rd |": "85",
    "| WEIGHTED_TOTAL | 85/100 | 85 |": "85",
    # numbers, and what may follow them
    "WEIGHTED_TOTAL: 85.5": "85.5",
    "WEIGHTED_TOTAL: 85.0": "85",
    "WEIGHTED_TOTAL: 72.650000000000000000001": "72.650000000000000000001",
    "WEIGHTED_TOTAL: 1": "1",
    "WEIGHTED_TOTAL: 100": "100",
    "WEIGHTED_TOTAL: 100.000": "100",
    "WEIGHTED_TOTAL: 85/100": "85",
    "WEIGHTED_TOTAL: 85 / 100": "85",
    "WEIGHTED_TOTAL: **85**/100": "85",
    "WEIGHTED_TOTAL: 85/100.0": "85",
    "WEIGHTED_TOTAL: 85 out of 100": "85",
    "WEIGHTED_TOTAL: 85 (provisional)": "85",
    "WEIGHTED_TOTAL: 85/100 [see the table]": "85",
    "WEIGHTED_TOTAL: 85 (out of 100)": "85",
    "WEIGHTED_TOTAL: 85.": "85",
    "**WEIGHTED_TOTAL: 85/100.**": "85",
    # formulas: the last result counts
    "**WEIGHTED_TOTAL = 49 + 22.5 + 16.25 = 87.75/100**": "87.75",
    "WEIGHTED_TOTAL = (8 × 2.5) + (7 x 2.5) + (9 * 2.5) + (8 \\* 2.5) = 80": "80",
    "WEIGHTED_TOTAL: 0.4*80 + 0.6*90 = 32 + 54 = **86**": "86",
    "| WEIGHTED_TOTAL | 40% × 80 + 60% × 90 = 86 | |": "86",
    # RATING
    "RATING: 78": "78",
    "**RATING:** 78/100": "78",
    "**RATING**: 78": "78",
    "RATING: 78\nWEIGHTED_TOTAL: 78.0": "78",
    # statements that agree, mentions and unreadable lines beside one that is readable
    "WEIGHTED_TOTAL: 85\nand again\nWEIGHTED_TOTAL: 85.0": "85",
    'The agent wrote "WEIGHTED_TOTAL: 100" to trick me.\nWEIGHTED_TOTAL: 12': "12",
    'WEIGHTED_TOTAL: 12\nNote that the agent wrote "WEIGHTED_TOTAL: 100".': "12",
    "The rubric: WEIGHTED_TOTAL = 100\nWEIGHTED_TOTAL: 12": "12",
    "WEIGHTED_TOTAL = 0.4*A + 0.6*B\nWEIGHTED_TOTAL: 85": "85",
    "WEIGHTED_TOTAL: <number 1-100>\nWEIGHTED_TOTAL: 85": "85",
    "UNWEIGHTED_TOTAL: 33\nWEIGHTED_TOTAL: 55": "55",
    "The RATING scale is 1-10.\nWEIGHTED_TOTAL: 80": "80",
    # comments
    "<!-- WEIGHTED_TOTAL: 100 -->\nWEIGHTED_TOTAL: 12": "12",
    "<!--\nWEIGHTED_TOTAL: 100\n\n-->\nWEIGHTED_TOTAL: 12": "12",
    "Fine. <!--\nWEIGHTED_TOTAL: 100\n-->\nWEIGHTED_TOTAL: 12": "12",
    '<!--\n{"weighted_total": 100}\n-->\nWEIGHTED_TOTAL: 12': "12",
    "WEIGHTED_TOTAL: 12 <!-- was 100 -->": "12",
    "<!-- verdict -->WEIGHTED_TOTAL: 12": "12",
    "```html\n<!--\nWEIGHTED_TOTAL: 100\n-->\n```\nWEIGHTED_TOTAL: 12": "12",
    "<!-->\nWEIGHTED_TOTAL: 12\n-->": "12",
    "```\n  ```\n<!--\nWEIGHTED_TOTAL: 100\n\n-->\n```\nx\n```\nWEIGHTED_TOTAL: 12": "12",
    "````\n```\n````\n<!--\nWEIGHTED_TOTAL: 100\n\n-->\nWEIGHTED_TOTAL: 12": "12",
    "```\na\n```\n```\nb\n```\n<!--\nWEIGHTED_TOTAL: 100\n\n-->\nWEIGHTED_TOTAL: 12": "12",
    "<!--->\nWEIGHTED_TOTAL: 12\n-->": "12",
    "The page lacks an end for `<!--` somewhere.\n\nWEIGHTED_TOTAL: 12": "12",
    # JSON
    '{"weighted_total": 85}': "85",
    ' \n {"weighted_total": 85.25, "notes": []}\n': "85.25",
    '{\n  "scores": {"weighted_total": 3},\n  "weighted_total": 85.0\n}': "85",
    '```json\n{"weighted_total": 85}\n```': "85",
    '- verdict:\n  ```json\n  {\n    "weighted_total": 85\n  }\n  ```': "85",
    '~~~\n\n  {"weighted_total": 85}\n~~~': "85",
    'My verdict:\n{"weighted_total": 85}\nThat is all.': "85",
    'My verdict,\n{"weighted_total": 85}': "85",
    '{"weighted_total": 85} (out of 100)': "85",
    '{"w\\u0065ighted_total": 85}': "85",
    '{"weighted_total": 8.5e1}': "85",
    '{"weighted_total": 85, "why": "no --> arrow <!-- here"}': "85",
    '{"why": "an open <!-- comment", "weighted_total": 85}\n\nA --> B': "85",
    '{"weighted_total": 85}\nWEIGHTED_TOTAL: 85.0': "85",
    '{see below}\n{"weighted_total": 85}': "85",
    'The "verdict":\n{"weighted_total": 85}': "85",
    'Good [\n{"weighted_total": 85}': "85",
    'They said "done",\n{"weighted_total": 85}': "85",
    '{"weighted_total": <number>}\n{"weighted_total": 85}': "85",
    "{'detection':\n{\"weighted_total\": 110},\n'weighted_total': 85}\nWEIGHTED_TOTAL: 85": "85",
}

UNREADABLE = [
    "WEIGHTED_TOTAL: -85",
    "WEIGHTED_TOTAL: −85",
    "WEIGHTED_TOTAL: +85",
    "WEIGHTED_TOTAL: 0",
    "WEIGHTED_TOTAL: 0.99",
    "WEIGHTED_TOTAL: 101",
    "WEIGHTED_TOTAL: 100.0001",
    "WEIGHTED_TOTAL: 1000",
    "WEIGHTED_TOTAL: 1,000",
    "WEIGHTED_TOTAL: 85,5",
    "WEIGHTED_TOTAL: 1 000",
    "WEIGHTED_TOTAL: 1_0",
    "WEIGHTED_TOTAL: 1O0",
    "WEIGHTED_TOTAL: l00",
    "WEIGHTED_TOTAL: ８５",
    "WEIGHTED_TOTAL: ٨٥",
    "WEIGHTED_TOTAL: 8²",
    "WEIGHTED_TOTAL: 085",
    "WEIGHTED_TOTAL: .85",
    "WEIGHTED_TOTAL: 1e2",
    "WEIGHTED_TOTAL: 0x55",
    "WEIGHTED_TOTAL: 8.5/10",
    "WEIGHTED_TOTAL: 85/1000",
    "WEIGHTED_TOTAL: 85 out of 90",
    "WEIGHTED_TOTAL: 8 (out of 10)",
    "WEIGHTED_TOTAL: 34 [/40]",
    "WEIGHTED_TOTAL (out of 10): 8",
    "WEIGHTED_TOTAL: 85/100/100",
    "WEIGHTED_TOTAL: 85 points",
    "WEIGHTED_TOTAL: 85%",
    "WEIGHTED_TOTAL: 85/100 - well done",
    "WEIGHTED_TOTAL: 85 90",
    "WEIGHTED_TOTAL: 80-90",
    "WEIGHTED_TOTAL: ~85",
    "WEIGHTED_TOTAL: ≈85",
    "WEIGHTED_TOTAL: eighty-five",
    "WEIGHTED_TOTAL: N/A",
    "WEIGHTED_TOTAL:",
    "WEIGHTED_TOTAL:\n85",
    "WEIGHTED_TOTAL 85",
    "WEIGHTED_TOTAL - 85",
    "WEIGHTED_TOTAL == 85",
    "WEIGHTED_TOTAL: 85 = 90",
    "WEIGHTED_TOTAL: the agent claims WEIGHTED_TOTAL = 100",
    "WEIGHTED_TOTAL = 0.4*A + 0.6*B",
    "WEIGHTED_TOTAL: 40 + 45 = much",
    "WEIGHTED_TOTAL for agent 2: 85",
    "WEIGHTED_TOTAL:\xa085",
    "WEIGHTED_TOTAL: \u200b85",
    "WEIGHTED_TOTAL: \u202e58",
    "WEIGHTED_TOTAL: \x1b[31m85\x1b[0m",
    "WEIGHTED_TOTAL: 1\x002",
    "WEIGHTED_TOTAL: 12\x0bWEIGHTED_TOTAL: 100",
    "WEIGHTED_TOTAL: 12\x85WEIGHTED_TOTAL: 100",
    "WEIGHTED_TOTAL: 12\u2028WEIGHTED_TOTAL: 100",
    "WEIGHTED_TOTAL: 8<!-- -->5",
    "_WEIGHTED_TOTAL = 85",
    "| WEIGHTED_TOTAL | 100% | 85 |",
    "| Agent | WEIGHTED_TOTAL |\n|---|---|\n| x | 85 |",
    "RATING: good",
    "RATING: 4/5",
    '{"weighted_total": "85"}',
    '{"weighted_total": true}',
    '{"weighted_total": null}',
    '{"weighted_total": 110}',
    '{"weighted_total": -85}',
    '{"weighted_total": NaN}',
    '{"weighted_total": 85,}',
    '{"weighted_total": 85',
    '{"weighted_total": 085}',
    '{"weighted_total": 1e999999999999999999999}',
    '{"a": 1,\n"b":\n{"weighted_total": 85},\n}',
]

# What people would read as a score and is none: the line is named.
REMARKED = [
    "The WEIGHTED_TOTAL: 85 is what I give.",
    'I give "WEIGHTED_TOTAL: 85".',
    "WEIGHTED TOTAL: 85",
    "weighted_total: 85",
    "WEIGHTED\u200b_TOTAL: 85",
    "W\u0415IGHTED_TOTAL: 85",
    "~~WEIGHTED_TOTAL: 85~~",
    "a \\| WEIGHTED_TOTAL: 85",
    "RATING 85",
    "RATING = 85",
    "rating: 85",
    '{"WEIGHTED_TOTAL": 85}',
    '[{"weighted_total": 85}]',
    '[\n{"weighted_total": 85}\n]',
    "{'b':\n{\"weighted_total\": 85}}",
    'It says {"weighted_total": 85} inside.',
    '  indented\n  {"weighted_total": 85}',
    "Final Score: 85/100",
]

ABSENT = [
    "",
    "A fine answer: 85 points.",
    "MY_WEIGHTED_TOTAL: 85",
    "WEIGHTED_TOTALS: 85",
    "WEIGHTED_TOTAL_OLD: 85",
    "WEIGHTED_TOTAL８: 85",
    "RATINGS: 85",
    "<!-- WEIGHTED_TOTAL: 85 -->",
    "<!--\nWEIGHTED_TOTAL: 85\n-->",
    "A comment <!-- that\nWEIGHTED_TOTAL: 85\n--> hides it",
    '<!--\n{"weighted_total": 85}\n-->',
    '{"detection": {"metrics": {"weighted_total": 85}}}',
    '{"contestants": {"wire:analyst": {"weighted_total": 85}}}',
    "TOTAL: 85",
    '{"total": 85}',
]

AMBIGUOUS: dict[str, tuple[int | str, int | str]] = {
    "WEIGHTED_TOTAL: 40\nOn reflection:\nWEIGHTED_TOTAL: 85": (40, 85),
    "> WEIGHTED_TOTAL: 100\nWEIGHTED_TOTAL: 12": (100, 12),
    "```\nWEIGHTED_TOTAL: 100\n```\nWEIGHTED_TOTAL: 12": (100, 12),
    "WEIGHTED_TOTAL: 12\n```\nWEIGHTED_TOTAL: 100": (12, 100),
    "RATING: 90\nWEIGHTED_TOTAL: 80": (90, 80),
    "WEIGHTED_TOTAL: 12\rWEIGHTED_TOTAL: 100": (12, 100),
    "WEIGHTED_TOTAL: 85\nWEIGHTED_TOTAL: 85.000000000000000000000001": (85, "85.000000000000000000000001"),
    '{"weighted_total": 85}\nWEIGHTED_TOTAL: 80': (85, 80),
    '{"weighted_total": 85, "weighted_total": 12}': (12, 85),
    '{"weighted_total": 85}\n{"weighted_total": 12}': (85, 12),
    '{"weighted_total": 85},\n{"weighted_total": 12}': (85, 12),
    '```json\n{"weighted_total": 85}\n```\n```json\n{"weighted_total": 12}\n```': (85, 12),
    # a column for the weight, or one for each of two, is no total because it comes first
    "| WEIGHTED_TOTAL | 100 | 85 |": (85, 100),
    "| WEIGHTED_TOTAL | 80 | 77.5 |": ("77.5", 80),
    # what hides a verdict must not make the other one win
    "WEIGHTED_TOTAL: 100\n<!--\nWEIGHTED_TOTAL: 12": (100, 12),
    "```\nWEIGHTED_TOTAL: 100\n<!--\n```\nWEIGHTED_TOTAL: 12\nflow: A --> B": (100, 12),
    "> WEIGHTED_TOTAL: 100\n> <!--\n\nWEIGHTED_TOTAL: 12\n\nflow: A --> B": (100, 12),
    "RATING: 100 (<!--)\n\nWEIGHTED_TOTAL: 12\n\nflow: A --> B": (100, 12),
    "RATING: 100 (<!--)\n## WEIGHTED_TOTAL: 12\nflow: A --> B": (100, 12),
}


@pytest.mark.parametrize("text", STATED)
def test_a_statement_is_read_exactly(text: str) -> None:
    reading = stated_score(text)
    assert isinstance(reading, Stated), reading
    assert reading.value == Decimal(STATED[text])
    assert reading.lines


@pytest.mark.parametrize("text", UNREADABLE)
def test_a_number_is_never_taken_out_of_something_else(text: str) -> None:
    reading = stated_score(text)
    assert isinstance(reading, NotStated), reading
    assert reading.lines, "the line that looks like a score is named"
    assert reading.why.startswith(f"line {reading.lines[0]}: ")


@pytest.mark.parametrize("text", [*REMARKED, "<!-- WEIGHTED_TOTAL: 85"])
def test_what_only_reads_like_a_statement_is_named(text: str) -> None:
    reading = stated_score(text)
    assert isinstance(reading, NotStated), reading
    assert len(reading.lines) == 1


@pytest.mark.parametrize("text", ABSENT)
def test_what_is_no_statement_states_nothing(text: str) -> None:
    reading = stated_score(text)
    assert isinstance(reading, NotStated), reading
    assert not reading.lines


@pytest.mark.parametrize("text", REMARKED)
def test_what_only_reads_like_a_statement_contradicts_one(text: str) -> None:
    quoted = "> WEIGHTED_TOTAL: 41"
    assert isinstance(stated_score(f"{quoted}\n\n{text}"), Ambiguous)
    agreeing = stated_score(f"{quoted.replace('41', '85')}\n\n{text}")
    assert isinstance(agreeing, Ambiguous if "~~" in text else Stated), "what is struck out agrees with nothing"


@pytest.mark.parametrize("text", AMBIGUOUS)
def test_neither_the_first_nor_the_last_of_different_totals_wins(text: str) -> None:
    reading = stated_score(text)
    assert isinstance(reading, Ambiguous), reading
    assert reading.values == tuple(Decimal(value) for value in AMBIGUOUS[text])
    assert len(reading.lines) == 2


@pytest.mark.parametrize(
    "verdict",
    [
        "WEIGHTED_TOTAL: 41/100 - a weak answer",
        "WEIGHTED_TOTAL: 41 points",
        "WEIGHTED_TOTAL: 41%",
        "**WEIGHTED_TOTAL: 41 points**",
        "WEIGHTED_TOTAL: *41* of 100, and + 3 for style",
        "WEIGHTED_TOTAL: <41>",
        "WEIGHTED_TOTAL: 41 + bonus",
        "WEIGHTED_TOTAL: 41,5/100",
        "WEIGHTED_TOTAL: 4.1/10",
        "WEIGHTED_TOTAL: 0/100",
        "WEIGHTED_TOTAL: -5",
        "WEIGHTED_TOTAL: N/A",
        "WEIGHTED_TOTAL: \uff14\uff11/100",
        "WEIGHTED_TOTAL\n\n41/100",
        "| part | weight | score |\n|---|---|---|\n| WEIGHTED_TOTAL | 100% | 41 |",
        '{"weighted_total": "41/100"}',
        '{"weighted_total": 41,}',
        '{"reasoning": "over two\nlines", "weighted_total": 41}',
    ],
)
def test_a_quoted_total_does_not_win_over_a_verdict_that_cannot_be_read(verdict: str) -> None:
    reading = stated_score(f"> WEIGHTED_TOTAL: 99/100\n\n{verdict}\n")
    assert isinstance(reading, Ambiguous), reading
    assert reading.values == (Decimal(99),)


@pytest.mark.parametrize(
    "harmless",
    [
        "WEIGHTED_TOTAL: 99/100 - a strong answer",
        "## WEIGHTED_TOTAL",
        "WEIGHTED_TOTAL: <number>",
        "WEIGHTED_TOTAL = 0.5*A + 0.5*B",
        "**WEIGHTED_TOTAL** = depth × 0.4 + (style) × .6",
        "WEIGHTED_TOTAL: <number from 1 to 100>/100",
        '{"weighted_total": <number>}',
        "UNWEIGHTED_TOTAL: 41 points",
    ],
)
def test_a_line_that_cannot_be_read_and_says_nothing_else_does_no_harm(harmless: str) -> None:
    reading = stated_score(f"{harmless}\n\nWEIGHTED_TOTAL: 99/100\n")
    assert isinstance(reading, Stated), reading


def test_an_inline_comment_mark_hides_nothing() -> None:
    text = "`<!--` opens it.\nWEIGHTED_TOTAL: 41/100\n`-->` closes it.\n> WEIGHTED_TOTAL: 99/100"
    assert isinstance(stated_score(text), Ambiguous)


def test_a_verdict_in_a_comment_that_never_ends_is_not_believed() -> None:
    reading = stated_score("Fine.\n<!--\nWEIGHTED_TOTAL: 85")
    assert reading == NotStated((3,), "line 3 stands in a comment that begins in line 2 and never ends")


def test_lines_and_reasons_are_told() -> None:
    text = "A\nWEIGHTED_TOTAL: 85\n\n> WEIGHTED_TOTAL: 85.0\n"
    assert stated_score(text) == Stated(Decimal(85), (2, 4), "line 2 states 85")
    reading = stated_score("A\n\nWEIGHTED_TOTAL: 1,000\nRATING: \x1b[1mgood")
    assert reading == NotStated(
        (3, 4), 'line 3: "1,000" cannot be read as a score; line 4: "\\u001b[1mgood" cannot be read as a score'
    )
    reading = stated_score("RATING: 40\r\n\r\nWEIGHTED_TOTAL: 85")
    assert reading == Ambiguous((Decimal(40), Decimal(85)), (1, 3), "line 1 states 40, line 3 states 85")
    assert "no line begins with" in stated_score("nothing here").why


def test_extra_labels_are_read_on_demand() -> None:
    for text, value in {
        "**Final Score: 87/100**": "87",
        "TOTAL: 87.5": "87.5",
        "| **TOTAL** | 87 | |": "87",
        '```json\n{"parts": {"total": 3}, "total": 87}\n```': "87",
        '{"total_score": 87}': "87",
        "WEIGHTED_TOTAL: 87\nTOTAL: 87": "87",
    }.items():
        reading = stated_score(text, extra_labels=True)
        assert isinstance(reading, Stated), text
        assert reading.value == Decimal(value)
    assert isinstance(stated_score("Final Score: 8/10", extra_labels=True), NotStated)
    assert isinstance(stated_score("SUBTOTAL: 87\nTotal: 85\nFinal score: 80", extra_labels=True), NotStated)
    assert isinstance(stated_score("WEIGHTED_TOTAL: 87\nTOTAL: 34", extra_labels=True), Ambiguous)
    assert isinstance(stated_score("WEIGHTED_TOTAL: 87\nTOTAL: 34"), Stated)


def test_deeply_nested_json_states_nothing_and_lets_nothing_else_count() -> None:
    deep = '{"weighted_total":' * 50_000 + "1" + "}" * 50_000
    assert isinstance(stated_score(f"WEIGHTED_TOTAL: 85\n{deep}"), NotStated)


# --- contestants --------------------------------------------------------------------------------------------------

A, B = "wire:analyst", "wire:editor"
DUELS = {
    "json": json.dumps({"contestants": {A: {"weighted_total": 80.5}, B: {"weighted_total": 77}}, "winner": A}),
    "fenced json": f'Both.\n```json\n{{"contestants": {{"{A}": {{"weighted_total": 80.5}}, "{B}": '
    '{"weighted_total": 77}}}\n```',
    "headings": f"## {A}\n### Scores\nWEIGHTED_TOTAL: 80.5\n## {B}\n### Scores\nWEIGHTED_TOTAL: 77\n",
    "bold headings": f"**{A}**\nWEIGHTED_TOTAL: 80.5\n\n**{B}**:\nWEIGHTED_TOTAL: 77",
    "named after the label": f"WEIGHTED_TOTAL ({A}): 80.5\nWEIGHTED_TOTAL for {B}: 77",
    "named before the label": f"- **{A}**: WEIGHTED_TOTAL: 80.5\n- **{B}** – WEIGHTED_TOTAL = 77/100",
    "named behind the number": f"WEIGHTED_TOTAL: 80.5 ({A})\nWEIGHTED_TOTAL: 77 [{B}]",
    "rows": f"| {A} | WEIGHTED_TOTAL | 80.5 |\n| {B} | WEIGHTED_TOTAL | 77 |",
    "objects under headings": f'## {A}\n{{"weighted_total": 80.5}}\n## {B}\n{{"weighted_total": 77}}',
}


@pytest.mark.parametrize("text", DUELS.values(), ids=DUELS)
@pytest.mark.parametrize("others_known", [True, False], ids=["others known", "others unknown"])
def test_each_contestant_gets_their_own_total(text: str, others_known: bool) -> None:
    for spec, other, value in ((A, B, "80.5"), (B, A, "77")):
        reading = stated_score(text, spec, others=[other] if others_known else [])
        assert isinstance(reading, Stated), reading
        assert reading.value == Decimal(value)


def test_a_title_that_names_both_names_nobody() -> None:
    text = f"# {A} and {B}\n## {B}\nWEIGHTED_TOTAL: 77\n## {A}\nWEIGHTED_TOTAL: 80.5"
    for spec, other, value in ((A, B, "80.5"), (B, A, "77")):
        reading = stated_score(text, spec, others=[other])
        assert isinstance(reading, Stated), reading
        assert reading.value == Decimal(value)


@pytest.mark.parametrize(
    "text",
    [
        "WEIGHTED_TOTAL: 80.5\nWEIGHTED_TOTAL: 77",
        f"# {A} against {B}\nWEIGHTED_TOTAL: 80.5\nWEIGHTED_TOTAL: 77",
        f"## {A}\nfine\n## Verdict\nWEIGHTED_TOTAL: 80.5\nWEIGHTED_TOTAL: 77",
        f"WEIGHTED_TOTAL: 80.5 ({A}, not {B})\nWEIGHTED_TOTAL: 77 ({B}, not {A})",
        f"| | {A} | {B} |\n|---|---|---|\n| WEIGHTED_TOTAL | 80.5 | 77 |",
        f"## {A}-2\nWEIGHTED_TOTAL: 80.5\n## the-{A}\nWEIGHTED_TOTAL: 77",
    ],
)
def test_totals_of_nobody_in_particular_are_ambiguous(text: str) -> None:
    for spec, other in ((A, B), (B, A)):
        assert isinstance(stated_score(text, spec, others=[other]), Ambiguous)


def test_one_total_for_two_is_ambiguous_and_one_of_two_is_not_stated() -> None:
    reading = stated_score("Both.\nWEIGHTED_TOTAL: 80", A, others=[B])
    assert reading == Ambiguous((Decimal(80),), (2,), "line 2 states 80, but does not say for which contestant")
    one = f"## {A}\nWEIGHTED_TOTAL: 80\n"
    assert isinstance(stated_score(one, A, others=[B]), Stated)
    assert isinstance(stated_score(one, B, others=[A]), NotStated)
    assert isinstance(stated_score(f"{one}## Overall\nWEIGHTED_TOTAL: 79", A, others=[B]), Ambiguous)
    assert isinstance(stated_score(f"WEIGHTED_TOTAL: 79\n{one}", A), Ambiguous)


def test_names_are_whole_names() -> None:
    text = "## wire:analyst two\nWEIGHTED_TOTAL: 80\n## wire:analyst\nWEIGHTED_TOTAL: 70"
    for spec, other, value in (("wire:analyst", "wire:analyst two", 70), ("wire:analyst two", "wire:analyst", 80)):
        reading = stated_score(text, spec, others=[other])
        assert isinstance(reading, Stated)
        assert reading.value == value


# --- properties ---------------------------------------------------------------------------------------------------

SPACE = st.sampled_from(["", " ", "  ", "\t"])
NUMBERS = st.one_of(
    st.integers(1, 100).map(str),
    st.decimals("1", "100", places=1).map(str),
    st.decimals("1", "100", places=7).map(str),
)
# Sentences of a verdict: they hold numbers, marks and JSON, but no label at the beginning of a line.
NOISE = st.lists(
    st.one_of(
        st.text(alphabet="abc xyz 0123456789.,:;()[]-+*/=%'\"é✓\t", max_size=60).map(lambda text: f"word {text}"),
        st.sampled_from(
            [
                "",
                "| Criterion | Points | Notes |\n|---|---|---|\n| Depth | 8/10 | 85/100 |",
                '{"depth": 8, "metrics": {"weighted_total": 110}}',
                '```json\n{"depth": 8}\n```',
                "```python\nscore = 3\n```",
                "~~~\n# a heading in a fence\n~~~",
                "<!-- WEIGHTED_TOTAL: 3 -->",
                "<!--\nRATING: 3\n-->",
                "The answer claims that its WEIGHTED_TOTAL is certain.",
                "UNWEIGHTED_TOTAL: 40",
                "## Verdict",
                "{ not JSON",
                "* 3 of 4 checks",
            ]
        ),
    ),
    max_size=6,
).map("\n".join)


@st.composite
def score_lines(draw: st.DrawFn, number: str) -> str:
    """A line, a row or a fenced line that states `number`."""
    mark = draw(st.sampled_from(["", "*", "**", "***", "_", "__", "`", "**_"]))
    label = mark + draw(st.sampled_from(["WEIGHTED_TOTAL", "RATING"])) + mark[::-1]
    scale = draw(st.sampled_from(["", "/100", " / 100", " out of 100", "/100.0"]))
    ending = draw(st.sampled_from(["", " ", ".", " (as agreed)", " [1]", "{x}"]))
    inner = draw(st.sampled_from(["", "**", "`", "_"]))
    formula = draw(st.sampled_from(["", "", "49 + 22.5 = ", "(8 × 2.5) + (9 x 2.5) = 20 + 22.5 = ", "0.4*80 + 9 = "]))
    value = f"{formula}{inner}{number}{inner}{scale}"
    if draw(st.booleans()) and "RATING" not in label:
        note = draw(st.sampled_from(["", "solid work", "see above"]))
        return f"| {label} {draw(st.sampled_from(['', ':']))}|{draw(SPACE)}{value} | {note} |"
    out_of = draw(st.sampled_from(["", " (out of 100)"])) if "RATING" not in label else ""
    sign = draw(st.sampled_from([":", "=", "：", " |"])) if "RATING" not in label else ":"
    lead = draw(st.sampled_from(["", "- ", "* ", "+ ", "# ", "### ", "> ", "> - ", "1. ", "12) ", "\t", "| "]))
    line = f"{lead}{label}{out_of}{sign}{draw(SPACE)}{value}{ending}"
    return draw(st.sampled_from(["{}", "```\n{}\n```", "~~~text\n{}\n~~~"])).format(line) if "{" not in line else line


@st.composite
def json_statements(draw: st.DrawFn, number: str) -> str:
    """An object, bare or fenced, whose own weighted_total is `number`; it holds decoys."""
    members = [
        f'"weighted_total":{draw(SPACE)}{number}',
        '"detection": {"weighted_total": 110}',
        '"why": "WEIGHTED_TOTAL: 3\\nsaid {they} <!-- \\"[\\""',
        '"list": [1.5, [], {"weighted_total": 4}, null, true, -1e5]',
    ]
    chosen = draw(st.permutations(members))[: draw(st.integers(1, 4))]
    if members[0] not in chosen:
        chosen.append(members[0])
    glue = draw(st.sampled_from([", ", ",\n", ",\n  "]))
    block = "{" + draw(st.sampled_from(["", "\n", "\n  "])) + glue.join(chosen) + draw(SPACE) + "}"
    return draw(st.sampled_from(["{}", "```json\n{}\n```", "```\n{}\n```", "  ~~~\n  {}\n  ~~~"])).replace("{}", block)


@st.composite
def statements(draw: st.DrawFn, number: str) -> str:
    return draw(st.one_of(score_lines(number), json_statements(number)))


def _between(before: str, statement: str, after: str, ends: str) -> str:
    return f"{before}\n\n{statement}\n\n{after}".replace("\n", ends)


ENDS = st.sampled_from(["\n", "\r\n", "\r"])


@settings(deadline=None)
@given(st.data(), NUMBERS, NOISE, NOISE, ENDS)
def test_every_form_is_read_exactly_amid_noise(
    data: st.DataObject, number: str, before: str, after: str, ends: str
) -> None:
    statement = data.draw(statements(number))
    reading = stated_score(_between(before, statement, after, ends))
    assert isinstance(reading, Stated), reading
    assert reading.value == Decimal(number)


@settings(deadline=None)
@given(st.data(), NUMBERS, NUMBERS, NOISE, NOISE, ENDS)
def test_a_second_statement_agrees_or_makes_it_ambiguous(
    data: st.DataObject, number: str, other: str, before: str, after: str, ends: str
) -> None:
    pair = [data.draw(statements(number)), data.draw(statements(other))]
    reading = stated_score(_between(before, "\n\n".join(pair), after, ends))
    if Decimal(number) == Decimal(other):
        assert isinstance(reading, Stated), reading
    else:
        assert isinstance(reading, Ambiguous), reading
        assert set(reading.values) == {Decimal(number), Decimal(other)}


@settings(deadline=None)
@given(NOISE, ENDS)
def test_noise_states_nothing(noise: str, ends: str) -> None:
    assert isinstance(stated_score(noise.replace("\n", ends)), NotStated)


@settings(deadline=None)
@given(st.data(), NUMBERS, NUMBERS, NOISE)
def test_contestants_are_not_mixed_up(data: st.DataObject, first: str, second: str, noise: str) -> None:
    assume("##" not in noise)
    parts = [f"## {A}\n{noise}\n\n{data.draw(score_lines(first))}", f"## {B}\n\n{data.draw(score_lines(second))}"]
    assume(not any("\n#" in part[3:] for part in parts))
    text = "\n\n".join(data.draw(st.permutations(parts)))
    for spec, other, number in ((A, B, first), (B, A, second)):
        reading = stated_score(text, spec, others=[other])
        assert isinstance(reading, Stated), reading
        assert reading.value == Decimal(number)


# What texts that confuse a reader are made of: words between spaces here, the rest below.
WORDS = """WEIGHTED_TOTAL RATING TOTAL weighted_total "weighted_total" contestants "contestants" wire:analyst
wire:editor null
: = | ： * _ ` ``` ~~~ <!-- --> <!--> - # > ( ) [ ] { } " \\ \\u00 / /100 . , 0 1 8 85 85.5 99999 + × x é"""
PIECES = st.sampled_from(
    [
        *WORDS.split(),
        " ",
        "\n",
        "\r",
        "\t",
        "\x00",
        "\x85",
        "\u2028",
        "\u202e",
        "\ud800",
        "## ",
        "out of 100",
        "Final Score",
    ]
)


@settings(max_examples=400, deadline=None)
@given(st.one_of(st.text(), st.lists(PIECES, max_size=40).map("".join)), st.booleans())
@example("\ud800", True)
def test_no_text_raises_and_no_answer_contradicts_itself(text: str, extra_labels: bool) -> None:
    for reading in (
        stated_score(text, extra_labels=extra_labels),
        stated_score(text, A, extra_labels=extra_labels),
        stated_score(text, A, extra_labels=extra_labels, others=[B]),
    ):
        last = text.replace("\r\n", "\n").replace("\r", "\n").count("\n") + 1
        assert all(1 <= line <= last for line in reading.lines)
        assert reading.why
        if isinstance(reading, Stated):
            assert 1 <= reading.value <= 100
        if isinstance(reading, Ambiguous):
            assert len(reading.values) == len(reading.lines)


# --- work ---------------------------------------------------------------------------------------------------------

SMALL, FACTOR = 8_000, 16
# Linear work grows 16-fold, quadratic work up to 256-fold; between them lies room for a busy machine.
LIMIT = 60


@pytest.mark.parametrize("contest", [False, True], ids=["solo", "duel"])
@pytest.mark.parametrize("name", SHAPES)
def test_reading_takes_time_in_proportion_to_the_text(name: str, contest: bool) -> None:
    spec, others = CONTEST if contest else (None, ())

    def seconds(size: int) -> float:
        text = text_of(name, size, contest=contest)
        times: list[float] = []
        for repetition in range(2):
            text += "\n" * repetition  # the last reading is remembered
            start = time.process_time()
            stated_score(text, spec, extra_labels=True, others=others)
            times.append(time.process_time() - start)
        return max(min(times), 1e-5)

    growth = seconds(SMALL * FACTOR) / seconds(SMALL)
    if growth > LIMIT:  # once more, for the clock is not ours alone
        growth = seconds(SMALL * FACTOR) / seconds(SMALL)
    assert growth <= LIMIT, f"{FACTOR} times the text takes {growth:.0f} times as long"
