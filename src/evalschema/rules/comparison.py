"""Comparisons: a winner that scored higher, and scores that add up."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from evalschema.excerpt import shown
from evalschema.rules._engine import Violation, rule
from evalschema.rules._numbers import mean, near, said

if TYPE_CHECKING:
    from collections.abc import Iterator

SIDES = ("A", "B")
SECTIONS = ("content", "structure")
# a section score is rounded to one decimal
SECTION_TOLERANCE = 0.06
# the overall score is the sum of two such
OVERALL_TOLERANCE = 0.11
# the quality score is the overall score as a whole number
QUALITY_TOLERANCE = 1
RATE_TOLERANCE = 0.01
# beyond any scale of scores; sums and means of numbers near the largest one overflow
LARGEST_SCORE = 1e9


@rule("CMP001", needs=("/winner", "/rubric/A/overall_score", "/rubric/B/overall_score"))
def winner_scores_lower(document: Any) -> list[Violation] | None:
    """The winner has the lower overall score, or a tie has two different ones.

    The winner is chosen by the overall score first. One that scores lower is an error: whoever reads `winner` learns
    the opposite of what the rubric says. A tie between different scores is a warning: ties are for outputs that are
    equal.

    Read the reasoning to learn whether the winner or a score is wrong. Outputs that really are equal get equal
    scores.
    """
    winner = document["winner"]
    scores = {side: document["rubric"][side]["overall_score"] for side in SIDES}
    a, b = scores["A"], scores["B"]
    # scores are taken as they are written: no rounding lets a lower number win
    if a == b or winner == ("A" if a > b else "B"):
        return None
    higher = "A" if a > b else "B"
    what = "a tie" if winner == "TIE" else f"the winner is {winner}"
    return [
        Violation(
            ("winner",),
            f"{what}, but the overall score of A is {shown(a)} and that of B is {shown(b)}",
            found=winner,
            expected=higher,
            related=[("rubric", side, "overall_score") for side in SIDES],
            severity="warning" if winner == "TIE" else None,
        )
    ]


@rule(
    "CMP002",
    "warning",
    needs=(
        "/rubric/*/overall_score",
        "/rubric/*/content_score",
        "/rubric/*/structure_score",
        "/rubric/*/content",
        "/rubric/*/structure",
    ),
)
def overall_is_not_content_plus_structure(document: Any) -> Iterator[Violation]:
    """An overall score is not the sum of the two section scores, give or take 0.11.

    Two sections of up to 5 points make an overall score of up to 10. The tolerance is what rounding the two sections
    to one decimal can make. A sum that follows from the criteria themselves is right as well: then the section score
    is the wrong number, and CMP003 says so.

    Add up the two section scores.
    """
    for side in SIDES:
        scores = document["rubric"][side]
        stated = [scores[f"{section}_score"] for section in SECTIONS]
        exact = [_mean_of(scores[section]) for section in SECTIONS]
        overall = scores["overall_score"]
        if not _comparable(overall, *stated):
            continue
        computed = [score if each is None else each for score, each in zip(stated, exact, strict=True)]
        if near(overall, sum(stated), OVERALL_TOLERANCE) or near(overall, sum(computed), OVERALL_TOLERANCE):
            continue
        yield Violation(
            ("rubric", side, "overall_score"),
            f"overall_score of {side} is {said(overall)}, but content {said(stated[0])} and structure "
            f"{said(stated[1])} make {said(sum(stated))}",
            found=overall,
            expected=round(sum(stated), 4),
            related=[("rubric", side, f"{section}_score") for section in SECTIONS],
        )


@rule(
    "CMP003",
    "warning",
    needs=("/rubric/*/content", "/rubric/*/content_score", "/rubric/*/structure", "/rubric/*/structure_score"),
)
def section_score_is_not_the_mean(document: Any) -> Iterator[Violation]:
    """A section score is not the mean of its criteria, give or take 0.06.

    The criteria are what was judged; the section score only sums them up, to one decimal. Where they differ, the
    overall score and the winner rest on a number that nobody gave.

    Write the mean of the criteria, to one decimal.
    """
    for side in SIDES:
        for section in SECTIONS:
            scores = document["rubric"][side]
            score, expected = scores[f"{section}_score"], _mean_of(scores[section])
            if expected is None or not _comparable(score) or near(score, expected, SECTION_TOLERANCE):
                continue
            yield Violation(
                ("rubric", side, f"{section}_score"),
                f"{section}_score of {side} is {said(score)}, but the mean of its {len(scores[section])} criteria is "
                f"{said(expected)}",
                found=score,
                expected=round(expected, 1),
                related=(("rubric", side, section),),
                suggestion=said(round(expected, 1)),
            )


@rule(
    "CMP004",
    needs=("/expectation_results/*/passed", "/expectation_results/*/total", "/expectation_results/*/pass_rate"),
)
def tally_contradicts_details(document: Any) -> Iterator[Violation]:
    """The counts or the rate of an output contradict each other, or the expectations that are listed.

    A list as long as `total` is the evidence, and each number is compared with it: the total, the expectations that
    are met, and the rate, give or take 0.01. A shorter list is abridged, which is a warning; then it is only wrong
    when it lists more that are met, or missed, than were counted, and the rate is compared with the counts.

    Count again; list all expectations.
    """
    results = document.get("expectation_results")
    if not isinstance(results, dict):
        return
    for side in SIDES:
        yield from _tally(results[side], ("expectation_results", side))


def _tally(tally: Any, at: tuple[str, str]) -> Iterator[Violation]:
    passed, total, rate = tally["passed"], tally["total"], tally["pass_rate"]
    details = tally.get("details")
    listed = details if isinstance(details, list) else None
    verdicts = [
        each["passed"] for each in listed or () if isinstance(each, dict) and isinstance(each.get("passed"), bool)
    ]
    met = sum(verdicts)
    place = (*at, "details")
    if listed is not None and len(verdicts) == len(listed) >= total:
        count = len(listed)
        if count != total:
            yield Violation(
                (*at, "total"),
                f"total is {shown(total)}, but {count} expectations are listed",
                found=total,
                expected=count,
                related=(place,),
                suggestion=str(count),
            )
        if passed != met:
            yield Violation(
                (*at, "passed"),
                f"passed is {shown(passed)}, but {met} of the {count} expectations that are listed are met",
                found=passed,
                expected=met,
                related=(place,),
                suggestion=str(met),
            )
        yield from _rate(rate, met, count, at, place)
        return
    if passed > total:
        # then a rate is past saying
        yield Violation(
            (*at, "passed"),
            f"passed is {shown(passed)}, but total is {shown(total)}",
            found=passed,
            related=((*at, "total"),),
        )
        return
    missed = len(verdicts) - met
    if met > passed or missed > total - passed:
        more = f"{met} are listed as met" if met > passed else f"{missed} are listed as missed"
        yield Violation(
            (*at, "passed"),
            f"passed is {shown(passed)} of {shown(total)}, but {more}",
            found=passed,
            related=((*at, "total"), place),
        )
    elif listed is not None and len(listed) < total:
        yield Violation(
            place,
            f"{len(listed)} of {shown(total)} expectations are listed: list them all",
            found=len(listed),
            expected=total,
            related=((*at, "total"),),
            severity="warning",
        )
    yield from _rate(rate, passed, total, at, (*at, "passed"))


def _rate(rate: float, passed: int, total: int, at: tuple[str, str], place: tuple[str, ...]) -> Iterator[Violation]:
    expected = int(passed) / int(total) if total else 0
    if not near(rate, expected, RATE_TOLERANCE):
        yield Violation(
            (*at, "pass_rate"),
            f"pass_rate is {shown(rate)}, but {shown(passed)} of {shown(total)} make {said(expected)}",
            found=rate,
            expected=round(expected, 4),
            related=(place, (*at, "total")),
            suggestion=said(expected),
        )


@rule("CMP005", "warning", needs=("/rubric/*/overall_score", "/output_quality/*/score"))
def quality_far_from_overall(document: Any) -> Iterator[Violation]:
    """The quality score of an output is more than 1 away from its overall score.

    Both rate the same output from 1 to 10, one as a whole number, and they should agree. Where they do not, one of
    the two was given on another scale, or to the other output.

    Look for exchanged letters first, then for the scale.
    """
    for side in SIDES:
        overall, score = document["rubric"][side]["overall_score"], document["output_quality"][side]["score"]
        if not _comparable(overall, score) or near(score, overall, QUALITY_TOLERANCE):
            continue
        yield Violation(
            ("output_quality", side, "score"),
            f"the score of {side} is {said(score)}, but its overall_score is {said(overall)}",
            found=score,
            expected=round(overall),
            related=(("rubric", side, "overall_score"),),
        )


def _mean_of(criteria: Any) -> float | None:
    """The mean of the scores; None where there is nothing to take a mean of."""
    scores = list(criteria.values())
    return mean(scores) if scores and _comparable(*scores) else None


def _comparable(*scores: float) -> bool:
    return all(score <= LARGEST_SCORE for score in scores)
