"""Rules for benchmark: runs against their own lists, the summary against the runs, the delta against the means.

A configuration is a member of `run_summary` other than `delta` that holds a metric. Figures are recomputed only where
every configuration has runs of every eval that is named: a shortened document, as in documentation, cannot be
recomputed.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from itertools import repeat
from math import dist, sqrt
from operator import itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple

from evalschema.excerpt import excerpt, shown
from evalschema.finding import pointer
from evalschema.rules._engine import Violation, look, rule, view
from evalschema.rules._numbers import mean, near, said
from evalschema.rules._verdicts import (
    adds_up,
    agrees,
    contradicted_counts,
    contradicted_rate,
    contradicted_total,
    rate_fits,
    shortened_list,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

# Beyond this, squares no longer fit a float; nothing that was ever measured comes near.
LARGEST = 1e150


class Metric(NamedTuple):
    """How a metric is compared and written: `tolerance` is for means, `coarsest` the largest unit of a last digit."""

    largest: float
    tolerance: float
    coarsest: float
    decimals: int
    unit: str


METRICS = {
    "pass_rate": Metric(largest=1, tolerance=0.01, coarsest=0.1, decimals=2, unit=""),
    "time_seconds": Metric(largest=LARGEST, tolerance=0.1, coarsest=1, decimals=1, unit=" s"),
    "tokens": Metric(largest=LARGEST, tolerance=1, coarsest=1, decimals=0, unit=" tokens"),
}

# A deviation within this share of the right one is taken for rounding on the way.
DEVIATION_SHARE = 0.1

NEW, OLD = frozenset({"with_skill", "new_skill"}), frozenset({"without_skill", "old_skill"})

DRAWN = {
    "passed": "the viewer draws it as it stands, beside checks that say otherwise",
    "failed": "the checks that the viewer lists say otherwise",
    "total": "the viewer draws it as it stands, beside checks that say otherwise",
}

_IDENTITY = ("/runs/*/eval_id", "/runs/*/configuration")
# Which eval and configuration a run is of, how it is named there, and what two different runs never share.
_CELL, _NAME = itemgetter("eval_id", "configuration"), itemgetter("eval_id", "configuration", "run_number")
_TRACE = itemgetter("time_seconds", "tokens")
_DELTA = re.compile(r"([+-]?[0-9]{1,150}(?:\.([0-9]{1,50}))?) ?(%|pp|s)?")
_PLACEHOLDER = re.compile(r"<[^<>]+>")


# --- single runs --------------------------------------------------------------------------------------------------


@look(each="/runs")
def nothing_to_say(run: Any) -> bool:
    """Whether counts, rate, list and tokens of a run are surely as they should be."""
    result, items = run["result"], run.get("expectations")
    passed, total, seconds = result["passed"], result["total"], result["time_seconds"]
    if passed + result["failed"] != total or not rate_fits(result["pass_rate"], passed, total):
        return False
    return (result["tokens"] != 0 or seconds <= 0) and (not items or agrees(items, passed, total))


@rule("BEN001", each="/runs", needs=("/result/passed", "/result/total"))
def run_total_is_not_passed_plus_failed(run: Any) -> list[Violation] | None:
    """The total of a run is not passed plus failed.

    An expectation is met or it is not, so the two counts make the total. The viewer draws passed and total as they
    stand, so that a run shows "(5/0)" or a share that nobody measured. Without `failed` the total must at least reach
    passed.

    Where the run lists all its checks, BEN003 says which of the three numbers is wrong.
    """
    result = run["result"]
    if adds_up(result["passed"], result.get("failed"), result["total"]):
        return None
    drawn = "the viewer draws passed and total as they stand"
    return contradicted_total(result, run.get("expectations"), ("result",), drawn)


@rule("BEN002", each="/runs", needs=("/result/pass_rate", "/result/passed", "/result/total"))
def run_rate_contradicts_the_counts(run: Any) -> list[Violation] | None:
    """The pass rate of a run is not the share of its expectations that passed.

    The viewer draws the rate and the counts side by side, and colours by the rate; the means rest on it. A rate may
    be rounded, so 0.01 is forgiven: 0.85 stands for 6/7.

    Where the run lists all its checks, the rate is that of the list; otherwise it is passed divided by total. No rate
    above 0 follows from a total of 0.
    """
    result = run["result"]
    passed, total = result["passed"], result["total"]
    items = run.get("expectations")
    if rate_fits(result["pass_rate"], passed, total) and (items is None or agrees(items, passed, total)):
        return None
    drawn = "the viewer draws and colours this rate beside counts that say otherwise"
    return contradicted_rate(result, items, ("result",), drawn)


@rule("BEN003", each="/runs", needs=("/result/passed", "/result/total"))
def run_counts_contradict_its_list(run: Any) -> list[Violation] | None:
    """A count of a run is not what its list of expectations shows.

    The list with its evidence is what was graded, the result is only counted from it. A list that is as long as the
    total must give just the counts of the result; a shorter one sets lower bounds, and is itself told as a warning,
    because the checks that are missing have no evidence. A run without a list is fine.
    """
    items = run.get("expectations")
    if not items:
        return None
    result = run["result"]
    passed, total = result["passed"], result["total"]
    failed = result.get("failed")
    if (failed is None or adds_up(passed, failed, total)) and agrees(items, passed, total):
        return None
    violations = contradicted_counts(result, items, ("result",), DRAWN) or []
    shortened = shortened_list(items, total, ("result",))
    if shortened is not None:
        shortened.severity = "warning"
        violations.append(shortened)
    return violations


@rule("BEN004", needs=(*_IDENTITY, "/runs/*/run_number"))
def run_listed_twice(benchmark: Any) -> list[Violation] | None:
    """Two runs have the same eval, configuration and number.

    Eval, configuration and run number together name a run. When two share a name, one was copied, or numbered wrong:
    both go into every mean, and nobody can tell which grading belongs to which. Number the runs of each eval and
    configuration 1, 2, 3 and so on.
    """
    runs = benchmark["runs"]
    if len(set(map(_NAME, runs))) == len(runs):
        return None
    first: dict[Any, int] = {}
    violations: list[Violation] = []
    for index, run in enumerate(runs):
        earlier = first.setdefault((run["eval_id"], run["configuration"], run["run_number"]), index)
        if earlier != index:
            violations.append(
                Violation(
                    ("runs", index, "run_number"),
                    f"{_run(run)} stands already at {pointer(('runs', earlier))}: number the runs of an eval and "
                    "configuration 1, 2, 3 and so on, or take the copy out",
                    found=run["run_number"],
                    related=[("runs", earlier, "run_number")],
                    consequence="the viewer draws both under one name",
                )
            )
    return violations


# --- the summary against the runs ---------------------------------------------------------------------------------


@rule("BEN005", needs=_IDENTITY)
def summary_differs_from_the_runs(benchmark: Any) -> Iterator[Violation]:
    """A mean, minimum or maximum of the summary is not that of the runs.

    The summary is what everyone looks at, and it is nothing but arithmetic over `runs`. When it says something else,
    either runs were left out after it was written, or the figure was never computed. Rates may differ by 0.01,
    seconds by 0.1 and tokens by 1, for rounding.

    Only a benchmark is recomputed in which every configuration has runs of every eval.
    """
    for configuration, (summary, count, figures) in _recomputed(benchmark).items():
        runs = "only run" if count == 1 else f"{count} runs"
        for metric, measured in figures.items():
            _, tolerance, _, _, unit = METRICS[metric]
            statistic = summary.get(metric)
            if not isinstance(statistic, dict):
                continue
            for name, right in (("mean", measured.mean), ("min", measured.least), ("max", measured.most)):
                stated = _number(statistic.get(name), METRICS[metric].largest)
                if stated is None or near(stated, right, tolerance):
                    continue
                yield Violation(
                    ("run_summary", configuration, metric, name),
                    f"{name} is {shown(stated)}, but over the {runs} of {excerpt(configuration)} it is "
                    f"{said(round(right, 4))}{unit}",
                    found=stated,
                    expected=round(right, 4),
                    related=[("runs",)],
                    consequence="the viewer draws this mean, never that of the runs" if name == "mean" else None,
                    suggestion=said(round(right, 4)),
                )


@rule("BEN006", "warning", needs=_IDENTITY)
def deviation_differs_from_the_runs(benchmark: Any) -> Iterator[Violation]:
    """A standard deviation is not the sample deviation of the runs.

    The aggregator divides by n - 1, since runs are a sample; the viewer draws "mean ± deviation", and with too small
    a deviation a difference looks more certain than it is. Dividing by n instead (the population deviation) is common
    and told as info. Anything within a tenth of the right value, or within the rounding of the last digit, is passed
    over; so is a configuration with a single run.
    """
    for configuration, (summary, count, figures) in _recomputed(benchmark).items():
        if count < 2:
            continue
        for metric, measured in figures.items():
            _, _, coarsest, _, unit = METRICS[metric]
            statistic = summary.get(metric)
            stated = _number(statistic.get("stddev")) if isinstance(statistic, dict) else None
            if stated is None:
                continue
            distance = dist(measured.values, repeat(measured.mean, count))
            sample, population = distance / sqrt(count - 1), distance / sqrt(count)
            rounding = half_unit(stated, coarsest)
            if near(stated, sample, max(rounding, sample * DEVIATION_SHARE)):
                continue
            is_population = near(stated, population, max(rounding, population * DEVIATION_SHARE))
            fits = f"fits the population deviation {said(round(population, 4))} (divisor n)"
            yield Violation(
                ("run_summary", configuration, metric, "stddev"),
                f"{shown(stated)} {fits if is_population else 'was found'}, but the sample deviation (divisor n - 1) "
                f"of the {count} runs of {excerpt(configuration)} is {said(round(sample, 4))}{unit}",
                found=stated,
                expected=round(sample, 4),
                related=[("runs",)],
                consequence="the viewer draws it behind the mean, as ±",
                suggestion=said(round(sample, 4)),
                severity="info" if is_population else None,
            )


@rule("BEN007", needs=_IDENTITY)
def delta_is_not_the_difference_of_the_means(benchmark: Any) -> list[Violation] | None:
    """The delta is not the difference of the two means.

    The delta is what readers take home: new minus old, where new is `with_skill` or `new_skill`, and old is
    `without_skill` or `old_skill`. With a wrong sign an improvement is drawn as a loss: tools that subtract in the
    order of the alphabet write that whenever `old_skill` comes first. For any other pair of configurations either
    order is right, as long as all members keep it.

    A delta may be rounded to its last digit, and may come from unrounded means. `s` after seconds is ignored; `%` and
    `pp` after a rate are points of percentage; other text is not judged. The fix writes the differences: two decimals
    for the rate, one for seconds, whole tokens.
    """
    configurations = _configurations(benchmark)
    delta = _summary(benchmark).get("delta")
    if len(configurations) != 2 or not isinstance(delta, dict):
        return None
    orders = _orders(*configurations)
    if not all(_wrong_members(delta, configurations, order, {}) for order in orders):
        return None
    complete = _recomputed(benchmark)
    if not complete:
        return None
    recomputed = {
        (configuration, metric): measured.mean
        for configuration, (_, _, figures) in complete.items()
        for metric, measured in figures.items()
    }
    attempts = [(order, _wrong_members(delta, configurations, order, recomputed)) for order in orders]
    (new, old), wrong = min(attempts, key=lambda attempt: len(attempt[1]))
    if not wrong:
        return None
    told: list[str] = []
    reversed_rate = None
    for metric, right in wrong.items():
        stated, a, b = delta[metric], configurations[new][metric]["mean"], configurations[old][metric]["mean"]
        told.append(
            f"{metric} is {excerpt(stated)}, but {excerpt(new)} {said(a)} minus {excerpt(old)} {said(b)} makes {right}"
        )
        read = read_delta(stated, metric)
        if metric == "pass_rate" and len(orders) == 1 and read is not None and read[0] * float(right) < 0:
            reversed_rate = "an improvement as a loss" if right[0] == "+" else "a loss as an improvement"
    found = [delta[metric] for metric in wrong]
    return [
        Violation(
            ("run_summary", "delta"),
            "; ".join(told),
            found=found if len(found) > 1 else found[0],
            expected=list(wrong.values()) if len(found) > 1 else next(iter(wrong.values())),
            related=[("run_summary", name, metric, "mean") for metric in wrong for name in (new, old)],
            consequence=f"the viewer draws {reversed_rate or 'the delta as it stands'}",
            fix=tuple(
                {"op": "replace", "path": pointer(("run_summary", "delta", metric)), "value": right}
                for metric, right in wrong.items()
            ),
        )
    ]


def _orders(first: str, second: str) -> list[tuple[str, str]]:
    """The pairs (new, old) in which the difference of two configurations may be taken."""
    if first in NEW and second in OLD:
        return [(first, second)]
    if first in OLD and second in NEW:
        return [(second, first)]
    return [(first, second), (second, first)]


def _wrong_members(
    delta: dict[str, Any],
    configurations: dict[str, dict[str, Any]],
    order: tuple[str, str],
    recomputed: dict[tuple[str, str], float],
) -> dict[str, str]:
    """The members of the delta that do not fit the means, with what they should be.

    A mean may itself be rounded, by as much as it differs from the recomputed one. Where it differs by more it is
    wrong, which BEN005 tells, and the delta may come from the right one.
    """
    wrong: dict[str, str] = {}
    for metric, (_, tolerance, _, decimals, _) in METRICS.items():
        read = read_delta(delta.get(metric), metric)
        new, old = (_mean(configurations[name], metric) for name in order)
        if read is None or new is None or old is None:
            continue
        value, rounding = read
        slack = rounding
        right: list[float] = []
        for name, stated in zip(order, (new, old), strict=True):
            computed = recomputed.get((name, metric))
            if computed is None:
                slack += half_unit(stated, tolerance) if recomputed else 0
                right.append(stated)
            elif near(stated, computed, tolerance):
                slack += abs(stated - computed)
                right.append(stated)
            else:
                slack += rounding
                right.append(computed)
        if not near(value, new - old, slack) and not near(value, right[0] - right[1], slack):
            wrong[metric] = _signed(new - old, decimals)
    return wrong


def _mean(statistics: dict[str, Any], metric: str) -> float | None:
    statistic = statistics.get(metric)
    return _number(statistic.get("mean"), METRICS[metric].largest) if isinstance(statistic, dict) else None


def read_delta(stated: Any, metric: str) -> tuple[float, float] | None:
    """The value of a member of the delta and half a unit of its last digit; None for what cannot be judged."""
    match = _DELTA.fullmatch(stated.strip()) if isinstance(stated, str) and len(stated) <= 250 else None
    if match is None:
        return None
    number, decimals, unit = match.groups()
    if unit and metric != ("time_seconds" if unit == "s" else "pass_rate"):
        return None
    scale = 0.01 if unit in ("%", "pp") else 1.0
    return float(number) * scale, scale * 10.0 ** -len(decimals or "") / 2


def _signed(value: float, decimals: int) -> str:
    text = f"{value:+.{decimals}f}"
    return f"{0:+.{decimals}f}" if float(text) == 0 else text


# --- what the metadata says ---------------------------------------------------------------------------------------


@rule("BEN009", "warning", needs=(*_IDENTITY, "/metadata/runs_per_configuration"))
def runs_per_configuration_is_not_the_count(benchmark: Any) -> list[Violation] | None:
    """`runs_per_configuration` is neither the runs of each eval and configuration nor those of each configuration.

    The viewer prints it as it stands, and readers take it for the size of the sample. The official script always
    writes 3, however many runs there are. Write the number of runs that every eval has in every configuration.
    """
    stated = benchmark["metadata"]["runs_per_configuration"]
    cells = Counter(map(_CELL, benchmark["runs"]))
    totals: Counter[str] = Counter()
    for (_, configuration), count in cells.items():
        totals[configuration] += count
    sizes = set(cells.values())
    if sizes == {stated} or set(totals.values()) == {stated}:
        return None
    counted = f"{min(sizes)}" if len(sizes) == 1 else f"{min(sizes)} to {max(sizes)}"
    each = ", ".join(f"{excerpt(name)} has {count}" for name, count in list(totals.items())[:3])
    more = " and so on" if len(totals) > 3 else ""
    return [
        Violation(
            ("metadata", "runs_per_configuration"),
            f"runs_per_configuration is {shown(int(stated))}, but an eval has {counted} "
            f"{'run' if sizes == {1} else 'runs'} in a configuration (in all {each}{more})",
            found=stated,
            expected=min(sizes) if len(sizes) == 1 else None,
            related=[("runs",)],
            consequence=f'the viewer says "{shown(int(stated))} runs per configuration"',
            suggestion=str(min(sizes)) if len(sizes) == 1 else None,
        )
    ]


@rule("BEN010", "warning", needs=("/runs/*/eval_id", "/runs/*/eval_name", "/metadata/evals_run"))
def eval_not_named_in_evals_run(benchmark: Any) -> list[Violation] | None:
    """`evals_run` does not name an eval that the runs are of.

    The viewer heads the benchmark with this list. An entry names an eval by its id, by its name, or as `eval-<id>`
    with or without a slug behind. An entry of which there is no run is told as BEN013.
    """
    unnamed, _ = _naming(benchmark)
    if not unnamed:
        return None
    listed = ", ".join(_word(each) for each in unnamed[:5]) + (" and others" if len(unnamed) > 5 else "")
    return [
        Violation(
            ("metadata", "evals_run"),
            f"evals_run does not name {'eval' if len(unnamed) == 1 else f'{len(unnamed)} evals,'} {listed}, "
            f"which {'has' if len(unnamed) == 1 else 'have'} runs: list every eval by its id or name",
            related=[("runs",)],
            consequence="the viewer heads the benchmark with this list",
        )
    ]


@rule("BEN011", "warning")
def placeholder_left(benchmark: Any) -> list[Violation] | None:
    """A placeholder of the template is left in the metadata.

    The official script writes `<model-name>` and `<path/to/skill>` for a person to fill in. Without the model a
    result cannot be repeated or compared. Of these members the viewer draws `skill_name` alone.
    """
    metadata = benchmark.get("metadata") if isinstance(benchmark, dict) else None
    if not isinstance(metadata, dict):
        return None
    left = {
        name: value
        for name, value in metadata.items()
        if isinstance(value, str) and value[:1] == "<" and _PLACEHOLDER.fullmatch(value)
    }
    if not left:
        return None
    listed = ", ".join(f"{excerpt(name)} is {excerpt(value)}" for name, value in list(left.items())[:5])
    return [
        Violation(
            ("metadata",),
            f"{listed}: write what it stands for",
            found=list(left.values()) if len(left) > 1 else next(iter(left.values())),
            related=[("metadata", name) for name in left],
            consequence="the viewer heads the benchmark with the placeholder" if "skill_name" in left else None,
        )
    ]


@rule("BEN012", "warning", each="/runs", needs=("/result/tokens", "/result/time_seconds"))
def run_without_tokens_although_time_passed(run: Any) -> list[Violation] | None:
    """A run used 0 tokens although it took time.

    A model that works uses tokens, so they were not measured, or the aggregator did not find them: it reads no
    timing.json where the grading has a total duration of its own. The mean and the delta of the tokens then say
    nothing.
    """
    result = run["result"]
    if result["tokens"] != 0 or result["time_seconds"] <= 0:
        return None
    return [
        Violation(
            ("result", "tokens"),
            f"tokens is 0 although {shown(result['time_seconds'])} s passed: more than 0 was expected",
            found=0,
            related=[("result", "time_seconds")],
            consequence="the run goes into the mean of the tokens with 0",
        )
    ]


@rule("BEN013", "warning", needs=(*_IDENTITY, "/runs/*/eval_name", "/metadata/evals_run"))
def configuration_without_runs(benchmark: Any) -> list[Violation] | None:
    """A configuration of the summary has no runs, or none of some eval.

    Then the document is shortened, or its figures come from elsewhere: nothing of the summary can be recomputed, and
    the configurations are not compared on the same evals. List every run, or take out what was not run.
    """
    configurations = _configurations(benchmark)
    groups = _groups(benchmark)
    evals = _evals(benchmark)
    _, surplus = _naming(benchmark)
    violations: list[Violation] = []
    for name in configurations:
        if name not in groups:
            message = f"{excerpt(name)} has figures, but no runs: list its runs"
        else:
            ran = {run["eval_id"] for run in groups[name]}
            if not surplus and len(ran) == len(evals):
                continue
            missing = [_word(each) for each in evals if each not in ran] + [_word(entry) for entry in surplus]
            listed = ", ".join(missing[:5]) + (" and others" if len(missing) > 5 else "")
            message = (
                f"{excerpt(name)} has no run of {'eval' if len(missing) == 1 else 'evals'} {listed}: list every run"
            )
        related = [("runs",), ("metadata", "evals_run")] if surplus else [("runs",)]
        violations.append(Violation(("run_summary", name), message, related=related))
    return violations


@rule("BEN014", "warning", needs=("/runs/*/eval_name",))
def eval_under_several_names(benchmark: Any) -> list[Violation] | None:
    """One eval id stands under several names.

    The viewer groups by id and heads the group with a name; runs of two different evals under one id are mixed into
    one. Give every eval an id of its own, and one name.
    """
    first: dict[Any, tuple[int, str]] = {}
    told: set[tuple[Any, str]] = set()
    violations: list[Violation] = []
    for index, run in enumerate(benchmark["runs"]):
        name, eval_id = run.get("eval_name"), run.get("eval_id")
        if name is None or eval_id is None or not isinstance(eval_id, int | float | str):
            continue
        earlier, known = first.setdefault(eval_id, (index, name))
        if known == name or (eval_id, name) in told:
            continue
        told.add((eval_id, name))
        violations.append(
            Violation(
                ("runs", index, "eval_name"),
                f'eval {_word(eval_id)} is called "{excerpt(name)}" here and "{excerpt(known)}" at '
                f"{pointer(('runs', earlier))}: use one name an id",
                found=name,
                expected=known,
                related=[("runs", earlier, "eval_name")],
                consequence="the viewer heads all runs of the id with one of the names",
            )
        )
    return violations


@rule("BEN015")
def summary_without_a_configuration(benchmark: Any) -> list[Violation] | None:
    """The summary holds no configuration.

    The aggregator writes such a file, and says nothing, when it finds no run: most often the gradings do not lie
    where it looks (`eval-*/<configuration>/run-*/grading.json`). There is nothing to compare. Move the gradings, and
    aggregate again.
    """
    summary = benchmark.get("run_summary") if isinstance(benchmark, dict) else None
    if not isinstance(summary, dict) or any(name != "delta" for name in summary):
        return None
    has = "holds `delta` alone" if summary else "is empty"
    return [
        Violation(
            ("run_summary",),
            f"run_summary {has}: the statistics of at least one configuration were expected",
            consequence="every figure of the summary is a dash",
        )
    ]


@rule("BEN016", "warning")
def more_than_two_configurations(benchmark: Any) -> list[Violation] | None:
    """The summary has more than two configurations.

    The table of the viewer has two columns and draws the first two members beside `delta`; the rest is in the file
    and on no page. Compare two at a time, in a file each.
    """
    count = len(_configurations(benchmark))
    if count < 3:
        return None
    members = [name for name in _summary(benchmark) if name != "delta"]
    unseen = ", ".join(excerpt(name) for name in members[2:5]) + (" and others" if len(members) > 5 else "")
    return [
        Violation(
            ("run_summary",),
            f"run_summary has {count} configurations: compare two at a time",
            found=count,
            expected=2,
            related=[("run_summary", name) for name in members[2:]],
            consequence=f"the viewer draws {excerpt(members[0])} and {excerpt(members[1])} alone, and not {unseen}",
        )
    ]


@rule("BEN017", "warning", needs=("/runs/*/result/time_seconds",))
def no_run_took_time(benchmark: Any) -> list[Violation] | None:
    """Every run took 0 seconds.

    Nothing was measured: the aggregator found neither durations in the gradings nor a timing.json beside them, and
    wrote 0. Save the timing when a task completes, and aggregate again.
    """
    runs = benchmark["runs"]
    if any(run["result"]["time_seconds"] != 0 for run in runs):
        return None
    what = "the only run" if len(runs) == 1 else f"each of the {len(runs)} runs"
    return [
        Violation(
            ("runs",),
            f"time_seconds is 0 in {what}: the seconds that a run took were expected",
            related=[("runs", 0, "result", "time_seconds")],
            consequence="the viewer draws 0.0 s for every run and in the summary",
        )
    ]


@rule("BEN018", "warning")
def two_configurations_without_delta(benchmark: Any) -> list[Violation] | None:
    """Two configurations are compared, and there is no delta.

    The difference is what such a benchmark is made for, and the viewer does not compute it. Write `delta`: the means
    of the first less those of the second, as strings with a sign.
    """
    if "delta" in _summary(benchmark):
        return None
    configurations = _configurations(benchmark)
    if len(configurations) != 2:
        return None
    new, old = _orders(*configurations)[0]
    return [
        Violation(
            ("run_summary",),
            f"delta is missing: write the means of {excerpt(new)} minus those of {excerpt(old)}",
            related=[("run_summary", new), ("run_summary", old)],
            consequence="the viewer draws a dash for every difference",
        )
    ]


@rule("BEN019", "warning", needs=(*_IDENTITY, "/runs/*/result/time_seconds", "/runs/*/result/tokens"))
def run_copied(benchmark: Any) -> list[Violation] | None:
    """Runs of one eval and configuration agree in seconds and tokens to the last digit.

    Two runs of a model never take the same time and the same tokens: one of them was copied, to reach the number of
    runs that was asked for. Copies make the deviation smaller than it is. Only values above 0 are compared; 0 is what
    was not measured.
    """
    runs = benchmark["runs"]
    # equal to the last digit is meant, so floats are compared as they are
    if len({(*_CELL(run), *_TRACE(run["result"])) for run in runs}) == len(runs):
        return None
    first: dict[Any, int] = {}
    violations: list[Violation] = []
    for index, run in enumerate(runs):
        result = run["result"]
        if result["time_seconds"] <= 0 or result["tokens"] <= 0:
            continue
        earlier = first.setdefault((*_CELL(run), *_TRACE(result)), index)
        # two runs of one number are the same run, listed twice: BEN004
        if earlier == index or runs[earlier].get("run_number") == run.get("run_number"):
            continue
        violations.append(
            Violation(
                ("runs", index, "result"),
                f"{_run(run)} took {shown(result['time_seconds'])} s and {shown(int(result['tokens']))} tokens, "
                f"to the last digit the same as {pointer(('runs', earlier))}: run it again, or take the copy out",
                related=[("runs", earlier, "result")],
                consequence="a copy makes the deviation smaller than it is",
            )
        )
    return violations


# --- reading the document -----------------------------------------------------------------------------------------


def _summary(benchmark: Any) -> dict[str, Any]:
    """The `run_summary`; empty where there is none that is an object."""
    summary = benchmark.get("run_summary") if isinstance(benchmark, dict) else None
    return summary if isinstance(summary, dict) else {}


@view
def _configurations(benchmark: Any) -> dict[str, dict[str, Any]]:
    """The members of the summary that are configurations: all but `delta` that hold a metric."""
    return {
        name: member
        for name, member in _summary(benchmark).items()
        if name != "delta"
        and isinstance(member, dict)
        and any(isinstance(member.get(metric), dict) for metric in METRICS)
    }


@view
def _groups(benchmark: Any) -> dict[str, list[Any]]:
    """The runs of each configuration."""
    groups: defaultdict[str, list[Any]] = defaultdict(list)
    for run in benchmark["runs"]:
        groups[run["configuration"]].append(run)
    return dict(groups)


class Recomputed(NamedTuple):
    """A configuration: its member of the summary, how many runs it has, and what these give for each metric."""

    summary: dict[str, Any]
    runs: int
    figures: dict[str, Measured]


@view
def _recomputed(benchmark: Any) -> dict[str, Recomputed]:
    """What the runs of each configuration give; empty unless each has runs of every eval."""
    groups = _groups(benchmark)
    evals = _evals(benchmark)
    configurations = _configurations(benchmark)
    for name in configurations:
        if name not in groups or len({run["eval_id"] for run in groups[name]}) != len(evals):
            return {}
    _, surplus = _naming(benchmark)
    if surplus:
        return {}
    complete: dict[str, Recomputed] = {}
    for name, summary in configurations.items():
        results = [run.get("result") for run in groups[name]]
        figures = {metric: found for metric in METRICS if (found := _measured(results, metric)) is not None}
        complete[name] = Recomputed(summary, len(results), figures)
    return complete


@view
def _naming(benchmark: Any) -> tuple[list[Any], list[Any]]:
    """The evals of the runs that `evals_run` does not name, and its entries of which there is no run.

    Entries are only called surplus where all evals are named: otherwise they may be other names for those that are
    not.
    """
    metadata = benchmark.get("metadata")
    entries = metadata.get("evals_run") if isinstance(metadata, dict) else None
    if not isinstance(entries, list):
        return [], []
    evals = _evals(benchmark)
    entries = [entry for entry in entries if isinstance(entry, int | float | str)]
    if evals.keys() == set(entries):
        return [], []
    ids: defaultdict[str, list[Any]] = defaultdict(list)
    for each in evals:
        ids[_text(each)].append(each)
    named: set[Any] = set()
    others: list[Any] = []
    for entry in entries:
        text = _text(entry)
        meant = [text] if text in ids else [stem for stem in _stems(text) if stem in ids]
        for stem in meant:
            named.update(ids[stem])
        if not meant:
            others.append(entry)
    if others:
        names: defaultdict[Any, set[Any]] = defaultdict(set)
        for run in benchmark["runs"]:
            if isinstance(name := run.get("eval_name"), str):
                names[name].add(run["eval_id"])
        named = named.union(*(names[entry] for entry in others if entry in names))
        others = [entry for entry in others if entry not in names]
    unnamed = [each for each in evals if each not in named]
    return unnamed, [] if unnamed else others


@view
def _evals(benchmark: Any) -> dict[Any, None]:
    """The ids of the evals that the runs are of, in their order."""
    return dict.fromkeys([run["eval_id"] for run in benchmark["runs"]])


def _stems(text: str) -> list[str]:
    """The ids that `eval-<id>` or `eval-<id>-slug` may mean."""
    if not text.startswith("eval-"):
        return []
    parts = text[5:].split("-", 16)
    return ["-".join(parts[: count + 1]) for count in range(len(parts))]


class Measured(NamedTuple):
    """The values of a metric, and what is computed from them."""

    values: list[float]
    mean: float
    least: float
    most: float


def _measured(results: list[Any], metric: str) -> Measured | None:
    """The statistics of a metric over at least one result; None where one lacks it, or has no number there."""
    try:
        values = [result[metric] for result in results]
    except (KeyError, TypeError):
        return None
    if not set(map(type, values)) <= {int, float}:
        return None
    if metric == "pass_rate" and not all(map(_has_own_rate, results)):
        return None  # the wrong rate is told where it stands; a mean made of it would be told as wrong, too
    least, most = min(values), max(values)
    if least < 0 or most > METRICS[metric].largest:
        return None
    return Measured(values, mean(values), least, most)


def _has_own_rate(result: Any) -> bool:
    """Whether the rate of a run is that of its counts, or its counts are not known."""
    passed, total = result.get("passed"), result.get("total")
    if type(passed) not in (int, float) or type(total) not in (int, float):
        return True
    return rate_fits(result["pass_rate"], passed, total)


def _number(value: Any, largest: float = LARGEST) -> float | None:
    """The number that a JSON value is; None for what is none, or not in the range from 0 to `largest`."""
    return value if type(value) in (int, float) and 0 <= value <= largest else None


def half_unit(number: float, coarsest: float) -> float:
    """Half a unit of the last digit that a number is written with, where a unit is at most `coarsest`; 3.0 is 3."""
    if number % 1 == 0:
        return coarsest / 2
    mantissa, _, exponent = repr(number).partition("e")
    decimals = len(mantissa.partition(".")[2]) - int(exponent or 0)
    return min(10.0**-decimals, coarsest) / 2


def _run(run: Any) -> str:
    """A run in words."""
    return f"run {shown(run.get('run_number'))} of eval {_word(run['eval_id'])} with {excerpt(run['configuration'])}"


def _text(value: Any) -> str:
    """An id or name as text: 3.0 as 3."""
    return value if isinstance(value, str) else str(int(value)) if value % 1 == 0 else str(value)


def _word(value: Any) -> str:
    """An id or name for a message."""
    return excerpt(_text(value))
