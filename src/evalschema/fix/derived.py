"""Numbers that follow from others in the same document, computed anew: what `--unsafe` writes.

Only evidence counts: a list with a verdict in every item gives the counts and the rate, counts give the rate, complete
runs give the statistics and these the delta, milliseconds give the seconds. Where the evidence is not all there, as in
a shortened document, nothing is computed from it.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any, TypeGuard

from evalschema.places import ABSENT, get
from evalschema.rules._numbers import mean, near, sample_deviation
from evalschema.rules._verdicts import RATE_TOLERANCE, as_count, tally
from evalschema.rules.benchmark import METRICS, NEW, OLD

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from evalschema.finding import Tokens

# How many decimals a computed figure keeps: as many as the official aggregator.
DECIMALS = 4


def derived(kind: str, instance: Any) -> Iterator[tuple[Tokens, Any]]:
    """The members of a document that are missing or wrong by its own evidence, each with the value that follows."""
    if isinstance(instance, dict) and (derive := _KINDS.get(kind)) is not None:
        yield from derive(instance)


def _of_grading(grading: dict[str, Any]) -> Iterator[tuple[Tokens, Any]]:
    yield from _counted(grading, ("summary",), grading.get("expectations"))


def _of_timing(timing: dict[str, Any]) -> Iterator[tuple[Tokens, Any]]:
    milliseconds, seconds = timing.get("duration_ms"), timing.get("total_duration_seconds")
    # a total that is there and not 0 may be the one that was measured
    if _is_number(milliseconds) and 0 < milliseconds < 1e15 and not seconds and not isinstance(seconds, str | bool):
        yield ("total_duration_seconds",), round(milliseconds / 1000, 3)


def _of_benchmark(benchmark: dict[str, Any]) -> Iterator[tuple[Tokens, Any]]:
    runs = benchmark.get("runs")
    if not isinstance(runs, list):
        return
    for index, run in enumerate(runs):
        if isinstance(run, dict):
            for at, value in _counted(run, ("result",), run.get("expectations")):
                yield ("runs", index, *at), value
    stated, groups = benchmark.get("run_summary"), _groups(benchmark, runs)
    if isinstance(stated, dict):
        configurations = {name: value for name, value in stated.items() if name != "delta" and isinstance(value, dict)}
        if groups and groups.keys() >= configurations.keys():
            yield from _figures(configurations, groups)
        yield from _differences(stated, configurations)
    elif stated is None and groups:
        statistics = {name: _statistics(results) for name, results in groups.items()}
        if all(statistics.values()):
            delta = _delta(statistics)
            yield ("run_summary",), statistics | ({"delta": delta} if delta else {})


def _figures(configurations: dict[str, Any], groups: dict[str, list[Any]]) -> Iterator[tuple[Tokens, Any]]:
    """The statistics that are missing, or not those of the runs."""
    for name, stated in configurations.items():
        for at, value in _restated(stated, _statistics(groups[name])):
            yield ("run_summary", name, *at), value


def _differences(summary: dict[str, Any], configurations: dict[str, Any]) -> Iterator[tuple[Tokens, Any]]:
    """The delta where it is missing, or the members that it lacks; wrong ones are the matter of a rule."""
    delta, stated = _delta(configurations), summary.get("delta")
    if not delta:
        return
    if stated is None:
        yield ("run_summary", "delta"), delta
    elif isinstance(stated, dict):
        for name, value in delta.items():
            if stated.get(name) is None:
                yield ("run_summary", "delta", name), value


_KINDS = {"grading": _of_grading, "timing": _of_timing, "benchmark": _of_benchmark}


# --- counts and rates ---------------------------------------------------------------------------------------------


def _counted(holder: dict[str, Any], at: tuple[str], items: Any) -> Iterator[tuple[Tokens, Any]]:
    """The counts and the rate in the member of `holder` that `at` names, by a list of verdicts or by each other."""
    stated = holder.get(at[0])
    counts: dict[str, Any] = stated if isinstance(stated, dict) else {}
    right = _counts(counts, items)
    if stated is None:
        if right:
            yield at, right
        return
    if not isinstance(stated, dict):
        return
    for name, value in right.items():
        found = counts.get(name, ABSENT)
        if name == "failed" and found is ABSENT and at == ("result",):
            continue  # no program asks for it there
        agrees = _is_number(found) and near(found, value, RATE_TOLERANCE if name == "pass_rate" else 0)
        if not agrees:
            yield (*at, name), value


def _counts(counts: Mapping[str, Any], items: Any) -> dict[str, Any]:
    """What the four numbers are; those that cannot be told are left out."""
    listed, total = tally(items), as_count(counts.get("total"))
    passed, failed = as_count(counts.get("passed")), as_count(counts.get("failed"))
    if listed is not None and listed.decides(total or 0):
        passed, total = listed.passed, listed.length
    elif total is None and passed is not None and failed is not None:
        total = passed + failed
    elif passed is None and failed is not None and total is not None:
        passed = total - failed
    if passed is None or not total or not 0 <= passed <= total:
        return {}
    rate = round(passed / total, DECIMALS)
    return {"passed": passed, "failed": total - passed, "total": total, "pass_rate": rate}


def _is_number(value: Any) -> TypeGuard[int | float]:
    return isinstance(value, int | float) and not isinstance(value, bool)


# --- statistics ---------------------------------------------------------------------------------------------------


def _groups(benchmark: dict[str, Any], runs: list[Any]) -> dict[str, list[Any]] | None:
    """The results of the runs of each configuration; None unless each configuration has runs of every eval."""
    results: defaultdict[str, list[Any]] = defaultdict(list)
    evals: defaultdict[str, set[Any]] = defaultdict(set)
    for run in runs:
        if not isinstance(run, dict):
            return None
        name, eval_id = run.get("configuration"), run.get("eval_id")
        if not isinstance(name, str) or name in ("", "delta") or not isinstance(eval_id, int | str):
            return None
        results[name].append(run.get("result"))
        evals[name].add(eval_id)
    named = get(benchmark, ("metadata", "evals_run"))
    everything = set().union(*evals.values())
    if any(each != everything for each in evals.values()):
        return None
    if isinstance(named, list) and len(named) > len(everything):
        return None
    return dict(results)


def _statistics(results: list[Any]) -> dict[str, dict[str, float]]:
    """The statistics of each metric that all results have."""
    statistics: dict[str, dict[str, float]] = {}
    for metric, (largest, *_) in METRICS.items():
        found: list[Any] = [result.get(metric) if isinstance(result, dict) else None for result in results]
        values = [value for value in found if _is_number(value) and 0 <= value <= largest]
        if len(values) < len(found):
            continue
        deviation = sample_deviation(values) if len(values) > 1 else 0.0
        statistics[metric] = {
            "mean": round(mean(values), DECIMALS),
            "stddev": round(deviation, DECIMALS),
            "min": min(values),
            "max": max(values),
        }
    return statistics


def _restated(stated: dict[str, Any], right: dict[str, dict[str, float]]) -> Iterator[tuple[Tokens, Any]]:
    """The figures of one configuration that are missing, or not those of the runs."""
    for metric, figures in right.items():
        found = stated.get(metric)
        if found is None:
            yield (metric,), figures
        elif isinstance(found, dict):
            for name, value in figures.items():
                figure = found.get(name)
                if figure is None:
                    is_wrong = name in found or name in ("mean", "stddev")
                else:
                    is_wrong = _is_number(figure) and not near(figure, value, 10**-DECIMALS)
                if is_wrong:
                    yield (metric, name), value


def _delta(configurations: Mapping[str, Any]) -> dict[str, str]:
    """The differences of the means of two configurations, new minus old, as the aggregator writes them."""
    if len(configurations) != 2:
        return {}
    new, old = configurations
    if new in OLD or old in NEW:
        new, old = old, new
    delta: dict[str, str] = {}
    for metric, (largest, _, _, decimals, _) in METRICS.items():
        a, b = (get(configurations, (name, metric, "mean")) for name in (new, old))
        if _is_number(a) and _is_number(b) and abs(a) <= largest and abs(b) <= largest:
            text = f"{a - b:+.{decimals}f}"
            delta[metric] = text if float(text) else f"{0:+.{decimals}f}"
    return delta
