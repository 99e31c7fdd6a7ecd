"""Results of the description loop: a best description that is one of the history, with the score that it has there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from evalschema.excerpt import shown
from evalschema.rules._engine import Violation, rule
from evalschema.rules.trigger_results import miscounted, surplus_triggers, wrong_rate, wrong_verdicts

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from evalschema.finding import Tokens

HALVES = ("train", "test")
_HISTORY = (
    "/history/*/train_passed",
    "/history/*/train_total",
    "/history/*/train_results",
    "/history/*/test_passed",
    "/history/*/test_total",
    "/history/*/test_results",
)


class Score(NamedTuple):
    """How many queries of a half passed of how many."""

    passed: int
    total: int

    def __str__(self) -> str:
        return f"{int(self.passed)}/{int(self.total)}"


@rule("OPT001", needs=("/iterations_run",))
def iterations_run_contradicts_history(document: Any) -> list[Violation] | None:
    """The number of iterations is not the number of entries in the history.

    Every iteration leaves one entry. With another number, entries were lost or added by hand, and the best one may be
    among them.

    Restore the entries, or run the loop again.
    """
    stated, history = document["iterations_run"], document.get("history")
    # an entry that is broken counts as well: only the list itself must be there
    if not isinstance(history, list) or stated == len(history):
        return None
    counted = len(history)
    return [
        Violation(
            ("iterations_run",),
            f"iterations_run is {shown(stated)}, but history holds {counted} iterations",
            found=stated,
            expected=counted,
            related=(("history",),),
            suggestion=str(counted),
            consequence=f"the report says that {shown(stated)} iterations were run, above a table of {counted}",
        )
    ]


@rule("OPT002", "warning", needs=("/history/*/iteration",))
def iterations_out_of_order(document: Any) -> list[Violation] | None:
    """The iterations are not numbered 1, 2, 3 and so on.

    The loop counts from 1 and leaves none out, so an iteration is missing, doubled or out of place. Told once, at the
    first that is not as expected.

    Put the iterations in order; number them from 1.
    """
    for index, entry in enumerate(document["history"]):
        number = entry["iteration"]
        if number != index + 1:
            return [
                Violation(
                    ("history", index, "iteration"),
                    f"iteration is {shown(number)}, but this is entry {index + 1} of the history",
                    found=number,
                    expected=index + 1,
                    consequence="the report marks its best row by this number",
                )
            ]
    return None


@rule(
    "OPT003",
    each="/history",
    needs=(
        "/train_passed",
        "/train_failed",
        "/train_total",
        "/train_results",
        "/test_passed",
        "/test_failed",
        "/test_total",
        "/test_results",
    ),
)
def counts_contradict_results(entry: Any) -> Iterator[Violation]:
    """The counts of an iteration are not those of its results.

    The results of a half are the evidence: their number is its total, those with `pass` true are passed, the others
    failed. Where a half has no results, passed and failed must make the total. The best iteration is chosen by these
    counts.

    Count again, or run the loop again when results are missing.
    """
    for half in HALVES:
        results = entry[f"{half}_results"]
        passed, failed, total = (entry[f"{half}_{name}"] for name in ("passed", "failed", "total"))
        if passed is None or failed is None or total is None:
            continue
        if results:
            for violation in miscounted(entry, f"{half}_", results, (), (f"{half}_results",)):
                if violation.at == ("test_passed",):
                    violation.consequence = "the report marks its best row by this number"
                yield violation
        elif (expected := int(passed) + int(failed)) != total:
            yield Violation(
                (f"{half}_total",),
                f"{half}_total is {shown(total)}, but passed {shown(passed)} and failed {shown(failed)} make "
                f"{shown(expected)}",
                found=total,
                expected=expected,
                related=((f"{half}_passed",), (f"{half}_failed",)),
            )


@rule("OPT004", "warning", needs=("/train_size", "/test_size", *_HISTORY))
def size_is_not_the_number_of_results(document: Any) -> Iterator[Violation]:
    """A half of the queries has another size than the number of its results.

    Every query of a half is run in every iteration. Fewer results mean that queries were lost on the way; a query
    that stands twice in the set, or in both halves, has this effect: results are matched by the text of the query.
    Scores of iterations with different numbers of results cannot be compared.

    Look for repeated queries in the set (TRG001), and run the loop again.
    """
    history = document["history"]
    for half in HALVES:
        size = document[f"{half}_size"]
        counts = [score.total if (score := _score(entry, half)) else 0 for entry in history]
        if all(count == size for count in counts):
            continue
        if len(set(counts)) == 1:
            yield Violation(
                (f"{half}_size",),
                f"{half}_size is {shown(size)}, but every iteration has {shown(counts[0])} results of that half",
                found=size,
                expected=counts[0],
                related=[("history", 0, f"{half}_results")],
                consequence=f"the report says that the {half} half has {shown(size)} queries",
            )
            continue
        for index, count in enumerate(counts):
            if count != size:
                yield Violation(
                    ("history", index, f"{half}_results"),
                    f"iteration {index + 1} has {shown(count)} results of that half, but {half}_size is {shown(size)}",
                    found=count,
                    expected=size,
                    related=((f"{half}_size",),),
                )


@rule(
    "OPT005",
    needs=(
        "/best_score",
        "/best_train_score",
        "/best_test_score",
        "/best_description",
        "/history/*/description",
        *_HISTORY,
    ),
)
def best_score_contradicts_history(document: Any) -> Iterator[Violation]:
    """A best score is not the one that the best iteration has in the history.

    The best iteration is the one with the most passed queries of the test half, or of the train half when nothing was
    held out. `best_score` is its score on that half, `best_train_score` and `best_test_score` are its scores on both,
    and `best_test_score` is null when nothing was held out.

    Take the scores from the entry of the best iteration, or run the loop again.
    """
    best = _best(document)
    if best is None:
        return
    half, entries = best
    described = [
        index for index in entries if document["history"][index]["description"] == document["best_description"]
    ]
    for member, wanted, among in (
        ("best_score", half, entries),
        ("best_train_score", "train", described or entries),
        ("best_test_score", "test", entries),
    ):
        stated = document[member]
        if wanted == "test" and half == "train":
            if stated is not None:
                yield Violation(
                    (member,), f"{member} is {shown(stated)}, but nothing was held out: write null", found=stated
                )
            continue
        scores = [(index, _score(document["history"][index], wanted)) for index in among]
        if any(str(score) == stated for _, score in scores):
            continue
        index, expected = scores[0]
        yield Violation(
            (member,),
            f"{member} is {shown(stated)}, but the best iteration, {index + 1} of the history, has {expected}",
            found=stated,
            expected=str(expected),
            related=(("history", index, f"{wanted}_passed"), ("history", index, f"{wanted}_total")),
            suggestion=str(expected),
            consequence="the report prints it as the best score" if member == "best_score" else None,
        )


@rule("OPT006", needs=("/best_description", "/history/*/description", *_HISTORY))
def best_description_of_another_iteration(document: Any) -> list[Violation] | None:
    """The best description is not that of an iteration with the best score.

    It is what goes into the skill in the end. Where the history shows a better one, or never tried this one at all,
    the wrong description is installed.

    Take the description of the iteration with the most passed queries of the test half, or of the train half when
    nothing was held out.
    """
    best = _best(document)
    if best is None:
        return None
    half, entries = best
    history, stated = document["history"], document["best_description"]
    if any(history[index]["description"] == stated for index in entries):
        return None
    tried = [index for index, entry in enumerate(history) if entry["description"] == stated]
    where = f"that of iteration {tried[0] + 1} ({_score(history[tried[0]], half)})" if tried else "in no iteration"
    score = _score(history[entries[0]], half)
    return [
        Violation(
            ("best_description",),
            f"the best description is {where}, but iteration {entries[0] + 1} passed most on the {half} half ({score})",
            found=stated,
            expected=history[entries[0]]["description"],
            related=[("history", index, "description") for index in (*tried[:1], entries[0])],
            consequence="the report shows it as the best, and it is what goes into the skill",
        )
    ]


@rule(
    "OPT007",
    each="/history",
    needs=(
        "/train_passed",
        "/train_failed",
        "/train_total",
        "/train_results",
        "/passed",
        "/failed",
        "/total",
        "/results",
    ),
)
def older_members_differ(entry: Any) -> Iterator[Violation]:
    """A member that is kept for older reports is not what it stands for.

    `passed`, `failed`, `total` and `results` repeat the train half under the names of an older version. Older reports
    read them, newer ones do not, so that the two show different results for one iteration.

    Copy the members of the train half, or leave the older names out.
    """
    results = entry["train_results"]
    passed = sum(1 for result in results if result["pass"])
    counted = {"passed": passed, "failed": len(results) - passed, "total": len(results)}
    for name in ("passed", "failed", "total"):
        expected = counted[name] if results else entry[f"train_{name}"]
        if name in entry and entry[name] != expected:
            yield Violation(
                (name,),
                f"{name} is {shown(entry[name])}, but that of the train half is {shown(expected)}",
                found=entry[name],
                expected=expected,
                related=((f"train_{name}",),),
            )
    if entry.get("results", results) != results:
        yield Violation(
            ("results",),
            "results are not those of the train half: copy train_results, or leave them out",
            related=(("train_results",),),
        )


@rule("OPT008", each="/history", needs=("/train_results", "/test_results"))
def result_contradicts_triggers(entry: Any) -> Iterator[Violation]:
    """A result in the history has more triggers than runs, or a rate that is not triggers divided by runs.

    As TRR002 and TRR004 say of trigger results: the verdict is drawn from the rate, and the rate from the two counts.

    Run the loop again; never write a rate by hand.
    """
    for at, result in _results(entry):
        for violation in (surplus_triggers(result, at), wrong_rate(result, at)):
            if violation:
                yield violation


@rule("OPT009", needs=("/history/*/train_results", "/history/*/test_results"))
def history_verdict_contradicts_triggers(document: Any) -> list[Violation] | None:
    """A result in the history passes although the skill did the wrong thing, or fails although it did the right one.

    As TRR003 says of trigger results: a query passes when the skill triggered in at least half of the runs exactly if
    it should. Where one other threshold explains all verdicts of the file, this is a single warning; where none does,
    it is an error at every verdict that 0.5 does not explain.

    Run the loop again; never write a verdict by hand.
    """
    return wrong_verdicts(
        (("history", index, *at), result)
        for index, entry in enumerate(document["history"])
        for at, result in _results(entry)
    )


def _results(entry: Any) -> Iterator[tuple[Tokens, Any]]:
    """The results of both halves of an iteration, with their places in it."""
    for half in HALVES:
        for index, result in enumerate(entry[f"{half}_results"] or ()):
            yield (f"{half}_results", index), result


def _score(entry: Any, half: str) -> Score | None:
    """The score of an iteration on a half: that of its results, else the stated one; None without such a half."""
    results = entry[f"{half}_results"]
    if results:
        return Score(sum(1 for result in results if result["pass"]), len(results))
    passed, total = entry[f"{half}_passed"], entry[f"{half}_total"]
    return None if passed is None or total is None else Score(passed, total)


def _best(document: Any) -> tuple[str, Sequence[int]] | None:
    """The half that decides, and the iterations that passed most of it; None where nothing was run."""
    history = document["history"]
    if not history:
        return None
    half = "test" if any(_score(entry, "test") for entry in history) else "train"
    passed = [score.passed if (score := _score(entry, half)) else 0 for entry in history]
    return half, [index for index, count in enumerate(passed) if count == max(passed)]
