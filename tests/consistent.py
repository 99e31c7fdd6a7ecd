"""Documents whose numbers agree, made from a random source, and ways to break one number of them."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

Document = dict[str, Any]

METRICS = {"pass_rate": 2, "time_seconds": 1, "tokens": 0}
TOLERANCES = {"pass_rate": 0.01, "time_seconds": 0.1, "tokens": 1.0}


def _maybe_decimal(random: Random, count: int) -> float:
    """A count, now and then written as 3.0."""
    return float(count) if random.random() < 0.1 else count


def _rate(random: Random, passed: int, total: int) -> float:
    return round(passed / total, random.choice((2, 3, 4))) if total else 0


def _checks(random: Random, verdicts: list[bool]) -> list[Document]:
    return [
        {"text": f"check {i} of {random.randrange(10**6)}", "passed": v, "evidence": f"seen in line {i}"}
        for i, v in enumerate(verdicts)
    ]


# --- documents ----------------------------------------------------------------------------------------------------


def grading(random: Random, *, listed: bool = True) -> Document:
    """A grading of 1 to 15 checks; with `listed=False` the list leaves out at least one of them."""
    verdicts = [random.random() < 0.6 for _ in range(random.randint(1 if listed else 2, 15))]
    passed, total = sum(verdicts), len(verdicts)
    calls = {name: random.randrange(20) for name in ("Read", "Write", "Bash")[: random.randint(1, 3)]}
    executor, grader = round(random.uniform(1, 500), 1), round(random.uniform(1, 99), 1)
    return {
        "expectations": _checks(random, verdicts if listed else verdicts[: random.randint(1, total - 1)]),
        "summary": {
            "passed": _maybe_decimal(random, passed),
            "failed": _maybe_decimal(random, total - passed),
            "total": _maybe_decimal(random, total),
            "pass_rate": _rate(random, passed, total),
        },
        "execution_metrics": {"tool_calls": calls, "total_tool_calls": sum(calls.values())},
        "timing": {
            "executor_duration_seconds": executor,
            "grader_duration_seconds": grader,
            "total_duration_seconds": round(executor + grader, random.choice((0, 1, 2))),
        },
    }


def timing(random: Random) -> Document:
    """A timing with all members; stamps in whole seconds."""
    milliseconds = random.randint(1_000, 5_000_000)
    start = datetime(2026, 2, 3, tzinfo=UTC) + timedelta(seconds=random.randrange(10**7))
    executor, grader = random.randint(10, 900), random.randint(10, 300)
    ends = [start + timedelta(seconds=seconds) for seconds in (executor, executor + 1, executor + 1 + grader)]
    return {
        "total_tokens": random.randint(1, 10**6),
        "duration_ms": _maybe_decimal(random, milliseconds),
        "total_duration_seconds": round(milliseconds / 1000, random.choice((0, 1, 3))),
        "executor_start": start.isoformat(),
        "executor_end": ends[0].isoformat(),
        "executor_duration_seconds": executor + random.uniform(-4, 1),
        "grader_start": ends[1].isoformat(),
        "grader_end": ends[2].isoformat(),
        "grader_duration_seconds": grader + random.uniform(-4, 1),
    }


def metrics(random: Random) -> Document:
    """Metrics with 1 to 8 tools."""
    calls = {f"Tool{i}": _maybe_decimal(random, random.randrange(50)) for i in range(random.randint(1, 8))}
    return {
        "tool_calls": calls,
        "total_tool_calls": _maybe_decimal(random, int(sum(calls.values()))),
        "files_created": [],
        "output_chars": random.randrange(10**6),
    }


def benchmark(random: Random, configurations: tuple[str, str] = ("with_skill", "without_skill")) -> Document:
    """A benchmark of 1 to 3 evals with 1 to 3 runs in each of two configurations, the first one the newer."""
    evals, repeats = random.randint(1, 3), random.randint(1, 3)
    tokens = random.sample(range(100, 100_000), evals * repeats * 2)
    runs = [
        _run(random, eval_id, configuration, number, tokens.pop())
        for eval_id in range(evals)
        for configuration in random.sample(configurations, 2)
        for number in range(1, repeats + 1)
    ]
    return benchmark_of(random, runs, configurations)


def benchmark_of(
    random: Random, runs: list[Document], configurations: tuple[str, str] = ("with_skill", "without_skill")
) -> Document:
    """The benchmark of runs that each eval has equally often in each of two configurations."""
    evals = list(dict.fromkeys(run["eval_id"] for run in runs))
    repeats = len(runs) // len(evals) // 2
    return {
        "metadata": {
            "skill_name": "invoice-sorter",
            "timestamp": "2026-02-03T08:15:00Z",
            "evals_run": [random.choice((i, f"eval-{i}", f"eval-{i}-slug")) for i in evals],
            "runs_per_configuration": random.choice((repeats, repeats * len(evals))),
        },
        "runs": runs,
        "run_summary": _summary(random, runs, configurations),
    }


def _run(random: Random, eval_id: int, configuration: str, number: int, tokens: int) -> Document:
    verdicts = [random.random() < 0.6 for _ in range(random.randint(1, 6))]
    passed, total = sum(verdicts), len(verdicts)
    run: Document = {
        "eval_id": eval_id,
        "configuration": configuration,
        "run_number": number,
        "result": {
            "pass_rate": _rate(random, passed, total),
            "passed": _maybe_decimal(random, passed),
            "failed": total - passed,
            "total": _maybe_decimal(random, total),
            "time_seconds": round(random.uniform(1, 400), 2),
            "tokens": _maybe_decimal(random, tokens),
            "errors": 0,
        },
    }
    if random.random() < 0.5:
        run["expectations"] = _checks(random, verdicts)
    return run


def _summary(random: Random, runs: list[Document], configurations: tuple[str, str]) -> Document:
    summary: Document = {}
    for name in random.sample(configurations, 2):
        summary[name] = {}
        for metric, decimals in METRICS.items():
            values = [run["result"][metric] for run in runs if run["configuration"] == name]
            mean = math.fsum(values) / len(values)
            squares = math.fsum((value - mean) ** 2 for value in values)
            more = decimals + random.choice((0, 1, 2))
            summary[name][metric] = {
                "mean": round(mean, more),
                "stddev": round(math.sqrt(squares / (len(values) - 1)), more) if len(values) > 1 else 0,
                "min": min(values),
                "max": max(values),
            }
    new, old = configurations
    summary["delta"] = {
        metric: signed(summary[new][metric]["mean"] - summary[old][metric]["mean"], decimals)
        for metric, decimals in METRICS.items()
    }
    return summary


def signed(value: float, decimals: int) -> str:
    """A difference as a delta writes it."""
    text = f"{value:+.{decimals}f}"
    return "+" + text[1:] if float(text) == 0 else text


# --- one number broken --------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Broken:
    """What a break must lead to: this code at this place."""

    code: str
    pointer: str


Break = Callable[[Document, Random], Broken]


def _other_count(random: Random, count: float) -> int:
    return random.choice([n for n in range(max(0, int(count) - 3), int(count) + 4) if n != count])


def _other_rate(random: Random, rate: float) -> float:
    return random.choice([r / 1000 for r in range(0, 1001, 7) if abs(r / 1000 - rate) > 0.02])


def _apart(random: Random, number: float, least: float) -> float:
    """A number of 0 or more that is at least `least` away."""
    distance = least * random.uniform(1, 10)
    return number - distance if number > distance and random.random() < 0.5 else number + distance


def _grading_count(name: str) -> Break:
    def broken(document: Document, random: Random) -> Broken:
        summary = document["summary"]
        summary[name] = _other_count(random, summary[name])
        if len(document["expectations"]) < summary["total"]:
            return Broken("GRD001", "/summary/total")
        return Broken("GRD002", f"/summary/{name}")

    return broken


def _grading_rate(document: Document, random: Random) -> Broken:
    document["summary"]["pass_rate"] = _other_rate(random, document["summary"]["pass_rate"])
    return Broken("GRD003", "/summary/pass_rate")


def _grading_calls(document: Document, random: Random) -> Broken:
    section = document["execution_metrics"]
    section["total_tool_calls"] = _other_count(random, section["total_tool_calls"])
    return Broken("GRD005", "/execution_metrics/total_tool_calls")


def _grading_seconds(document: Document, random: Random) -> Broken:
    section = document["timing"]
    section["total_duration_seconds"] = _apart(random, section["total_duration_seconds"], 2.1)
    return Broken("GRD006", "/timing/total_duration_seconds")


def _timing_total(document: Document, random: Random) -> Broken:
    document["total_duration_seconds"] = _apart(random, document["total_duration_seconds"], 2.1)
    return Broken("TIM001", "/total_duration_seconds")


def _timing_end(document: Document, random: Random) -> Broken:
    part = random.choice(("executor", "grader"))
    start = datetime.fromisoformat(document[f"{part}_start"])
    document[f"{part}_end"] = (start - timedelta(seconds=random.uniform(0.001, 500))).isoformat()
    return Broken("TIM002", f"/{part}_end")


def _timing_duration(document: Document, random: Random) -> Broken:
    name = f"{random.choice(('executor', 'grader'))}_duration_seconds"
    if random.random() < 0.5:
        document[name] += random.uniform(6, 500)
    else:
        document[name] /= 3
    return Broken("TIM003", f"/{name}")


def _timing_start(document: Document, random: Random) -> Broken:
    end = datetime.fromisoformat(document["executor_end"])
    document["grader_start"] = (end - timedelta(seconds=random.uniform(0.001, 500))).isoformat()
    return Broken("TIM005", "/grader_start")


def _metrics_calls(document: Document, random: Random) -> Broken:
    document["total_tool_calls"] = _other_count(random, document["total_tool_calls"])
    return Broken("MET001", "/total_tool_calls")


def _run_count(name: str) -> Break:
    def broken(document: Document, random: Random) -> Broken:
        index = random.randrange(len(document["runs"]))
        run = document["runs"][index]
        run["result"][name] = _other_count(random, run["result"][name])
        listed = run.get("expectations", ())
        if not listed or len(listed) < run["result"]["total"]:
            return Broken("BEN001", f"/runs/{index}/result/total")
        return Broken("BEN003", f"/runs/{index}/result/{name}")

    return broken


def _run_rate(document: Document, random: Random) -> Broken:
    index = random.randrange(len(document["runs"]))
    result = document["runs"][index]["result"]
    result["pass_rate"] = _other_rate(random, result["pass_rate"])
    return Broken("BEN002", f"/runs/{index}/result/pass_rate")


def _statistic(name: str) -> Break:
    def broken(document: Document, random: Random) -> Broken:
        configuration = random.choice(("with_skill", "without_skill"))
        metric = random.choice(tuple(METRICS))
        statistic = document["run_summary"][configuration][metric]
        if metric == "pass_rate":
            statistic[name] = _other_rate(random, statistic[name])
        else:
            statistic[name] = _apart(random, statistic[name], TOLERANCES[metric] * 2.1)
        return Broken("BEN005", f"/run_summary/{configuration}/{metric}/{name}")

    return broken


def _deviation(document: Document, random: Random) -> Broken:
    configuration = random.choice(("with_skill", "without_skill"))
    metric = random.choice(tuple(METRICS))
    statistic = document["run_summary"][configuration][metric]
    statistic["stddev"] = round(statistic["stddev"] * random.uniform(1.2, 9) + 0.21 * 10 ** (2 - METRICS[metric]), 3)
    document["runs"] += [_twin(run) for run in document["runs"]] if len(document["runs"]) == 2 else []
    return Broken("BEN006", f"/run_summary/{configuration}/{metric}/stddev")


def _twin(run: Document) -> Document:
    """A second run with the same figures, but one token and a hundredth of a second: means and extremes hardly move."""
    result = run["result"] | {
        "tokens": run["result"]["tokens"] + 1,
        "time_seconds": run["result"]["time_seconds"] + 0.01,
    }
    return run | {"run_number": run["run_number"] + 1, "result": result}


def _delta(document: Document, random: Random) -> Broken:
    metric = random.choice(tuple(METRICS))
    decimals = METRICS[metric]
    delta = document["run_summary"]["delta"]
    value = float(delta[metric])
    if abs(value) * 10**decimals > 4 and random.random() < 0.5:
        delta[metric] = signed(-value, decimals)
    else:
        delta[metric] = signed(value + random.choice((-1, 1)) * random.randint(3, 90) / 10**decimals, decimals)
    return Broken("BEN007", "/run_summary/delta")


def _repeats(document: Document, random: Random) -> Broken:
    document["metadata"]["runs_per_configuration"] = random.randint(10, 99)
    return Broken("BEN009", "/metadata/runs_per_configuration")


MAKERS: dict[str, Callable[[Random], Document]] = {
    "grading": grading,
    "timing": timing,
    "metrics": metrics,
    "benchmark": benchmark,
}
BREAKS: dict[str, dict[str, Break]] = {
    "grading": {
        **{name: _grading_count(name) for name in ("passed", "failed", "total")},
        "pass_rate": _grading_rate,
        "total_tool_calls": _grading_calls,
        "total_duration_seconds": _grading_seconds,
    },
    "timing": {
        "total_duration_seconds": _timing_total,
        "end": _timing_end,
        "duration_seconds": _timing_duration,
        "grader_start": _timing_start,
    },
    "metrics": {"total_tool_calls": _metrics_calls},
    "benchmark": {
        **{f"run {name}": _run_count(name) for name in ("passed", "failed", "total")},
        "run pass_rate": _run_rate,
        **{name: _statistic(name) for name in ("mean", "min", "max")},
        "stddev": _deviation,
        "delta": _delta,
        "runs_per_configuration": _repeats,
    },
}
