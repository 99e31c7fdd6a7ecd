"""Histories: versions that exist, one best among them, each made from an earlier one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from evalschema.excerpt import shown
from evalschema.rules._engine import Violation, rule
from evalschema.rules._numbers import near, said

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from evalschema.finding import Tokens

# two rates that are rounded to two decimals each tell nothing about their order within this
RATE_TOLERANCE = 0.01
_OUTCOMES = ("won", "lost", "tie")
_RESULTS = ("baseline", *_OUTCOMES)


@rule("HIS001", needs=("/current_best", "/iterations/*/version"))
def unknown_best_version(document: Any) -> list[Violation] | None:
    """The version that performs best is none of the versions.

    `current_best` is where the next iteration begins and what is kept in the end; with a name that no iteration bears
    there is nothing to go on from.

    Write the `version` of one of the iterations, to the letter.
    """
    best, iterations = document["current_best"], document["iterations"]
    versions = [iteration["version"] for iteration in iterations]
    if best in versions:
        return None
    flagged = [iteration["version"] for iteration in iterations if iteration.get("is_current_best") is True]
    return [
        Violation(
            ("current_best",),
            f"current_best is {shown(best)}, but {_known(versions, len(versions))}",
            found=best,
            expected=versions,
            related=(("iterations",),),
            suggestion=flagged[0] if len(flagged) == 1 else None,
        )
    ]


@rule("HIS002", needs=("/current_best", "/iterations/*/version", "/iterations/*/is_current_best"))
def contradicting_best_flag(document: Any) -> list[Violation] | None:
    """`current_best` and `is_current_best` name different versions, or several versions are flagged.

    The same fact is written twice; where the two places differ, nobody can tell which version is the best one.

    Set `is_current_best` to true at the version that `current_best` names, and to false at all others.
    """
    best, iterations = document["current_best"], document["iterations"]
    flagged = [index for index, iteration in enumerate(iterations) if iteration["is_current_best"]]
    named = [index for index, iteration in enumerate(iterations) if iteration["version"] == best]
    best_at: Tokens = ("current_best",)
    if not named:
        # HIS001 says that; what is left to say is that two versions cannot both be the best
        wrong, why, related = flagged[1:], "but an earlier version is flagged as well", _flags(flagged[:1])
    elif not flagged:
        wrong, why, related = named[:1], "but current_best names this version", [best_at]
    else:
        wrong = [index for index in flagged if index not in named]
        why, related = f"but current_best is {shown(best)}", [best_at, *_flags(named[:1])]
    return [
        Violation(
            ("iterations", index, "is_current_best"),
            f"is_current_best is {'true' if flagged else 'false'} at {shown(iterations[index]['version'])}, {why}",
            found=bool(flagged),
            expected=not flagged,
            related=related,
        )
        for index in wrong
    ]


def _flags(indices: Sequence[int]) -> list[Tokens]:
    return [("iterations", index, "is_current_best") for index in indices]


@rule("HIS003", needs=("/iterations/*/version", "/iterations/*/parent"))
def unknown_or_later_parent(document: Any) -> list[Violation]:
    """A version was made from one that does not exist, or that comes after it.

    Iterations are listed in the order in which they were made, so a parent stands before its children. With a parent
    that is unknown, or later, or the version itself, the result of the version has nothing that it could be compared
    with.

    Write the `version` of an earlier iteration, or null for the first.
    """
    iterations = document["iterations"]
    first = _first_places(iterations)
    found: list[Violation] = []
    for index, iteration in enumerate(iterations):
        parent = iteration["parent"]
        if parent is None or first.get(parent, index) < index:
            continue
        at = first.get(parent)
        if at is None:
            reason = _known([each["version"] for each in iterations[: min(index, _MOST)]], index, "earlier version")
        elif iterations[at]["version"] == iteration["version"]:
            reason = "that is this version itself"
        else:
            reason = f"that version comes later, as iteration {at + 1}, and this is iteration {index + 1}"
        found.append(
            Violation(
                ("iterations", index, "parent"),
                f"parent is {shown(parent)}, but {reason}",
                found=parent,
                related=() if at is None else (("iterations", at, "version"),),
            )
        )
    return found


@rule("HIS004", needs=("/iterations/*/version",))
def repeated_version(document: Any) -> list[Violation]:
    """Two iterations bear the same version.

    Parents and `current_best` refer to iterations by version, so they refer to both.

    Give every iteration a version of its own: v0, v1 and so on.
    """
    iterations = document["iterations"]
    first = _first_places(iterations)
    return [
        Violation(
            ("iterations", index, "version"),
            f"the version {shown(iteration['version'])} is that of iteration {first[iteration['version']] + 1} "
            "already: give each iteration its own",
            found=iteration["version"],
            related=(("iterations", first[iteration["version"]], "version"),),
        )
        for index, iteration in enumerate(iterations)
        if first[iteration["version"]] != index
    ]


@rule("HIS005", "warning", each="/iterations", needs=("/parent", "/grading_result"))
def misplaced_baseline(iteration: Any) -> list[Violation] | None:
    """A version with a parent is called the baseline, or one without a parent is not.

    The baseline is what the first version scores, before anything was changed. Every later version has a parent, and
    won, lost or tied against it.

    Write `baseline` where `parent` is null, and the outcome of the comparison everywhere else.
    """
    result, parent = iteration["grading_result"], iteration["parent"]
    if result not in _RESULTS or (result == "baseline") == (parent is None):
        return None
    if parent is None:
        message = (
            f"grading_result is {shown(result)}, but without a parent there is nothing to compare with: write baseline"
        )
    else:
        message = (
            f'grading_result is "baseline", but the version has the parent {shown(parent)}: write won, lost or tie'
        )
    return [
        Violation(
            ("grading_result",),
            message,
            found=result,
            expected="baseline" if parent is None else list(_OUTCOMES),
            related=(("parent",),),
        )
    ]


@rule(
    "HIS006",
    "warning",
    needs=(
        "/iterations/*/version",
        "/iterations/*/parent",
        "/iterations/*/grading_result",
        "/iterations/*/expectation_pass_rate",
    ),
)
def result_against_the_rates(document: Any) -> Iterator[Violation]:
    """A version won with a lower pass rate than its parent, or lost with a higher one.

    Either a rate or the result is wrong, or the comparison went by something that the rates do not show. Rates that
    differ by at most 0.01 are taken as equal, and a tie or a win between equals is never reported.

    Compare the two gradings, and correct what was copied wrongly.
    """
    iterations = document["iterations"]
    first = _first_places(iterations)
    for index, iteration in enumerate(iterations):
        result, parent = iteration["grading_result"], first.get(iteration["parent"])
        if parent is None or parent >= index or result not in ("won", "lost"):
            continue
        rate, before = iteration["expectation_pass_rate"], iterations[parent]["expectation_pass_rate"]
        if near(rate, before, RATE_TOLERANCE) or (rate > before) == (result == "won"):
            continue
        yield Violation(
            ("iterations", index, "grading_result"),
            f'grading_result is "{result}", but the rate went from {said(before)} to {said(rate)}',
            found=result,
            expected="won" if rate > before else "lost",
            related=(
                ("iterations", index, "expectation_pass_rate"),
                ("iterations", parent, "expectation_pass_rate"),
            ),
        )


def _first_places(iterations: Sequence[Any]) -> dict[str, int]:
    """Where each version stands first."""
    first: dict[str, int] = {}
    for index, iteration in enumerate(iterations):
        first.setdefault(iteration["version"], index)
    return first


# A sentence bears no more versions than these.
_MOST = 5


def _known(versions: Sequence[str], count: int, what: str = "version") -> str:
    """What versions there are, `count` in all, as the end of a sentence that shows the first."""
    if not versions:
        return f"there is no {what}"
    some = ", ".join(shown(version) for version in versions[:_MOST])
    more = f" and {count - _MOST} more" if count > _MOST else ""
    return f"the {what}s are {some}{more}" if count > 1 else f"the only {what} is {some}"
