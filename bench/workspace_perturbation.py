"""One number of a healthy workspace is changed: whether it is found, and whether that names the right file.

Usage: python -m bench.workspace_perturbation [--tries N] [--seed N] [WORKSPACE…]

Every documented number of every file takes part, deltas included, that the workspace tells more than once: as such, or
as something that is computed from it. Those that stand nowhere else (the steps of a run, say) cannot be found by
anyone; they are counted. A change is larger than what rounding explains.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import shutil
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

from evalschema import Settings, check_workspace

HEALTHY = Path(__file__).parents[1] / "docs" / "demo" / "healthy"
ALL = Settings(max_findings=10**6)
Tokens = tuple[str | int, ...]

#: Places of numbers, by the name of the file; `*` is any name or index.
PLACES = {
    "benchmark.json": (
        "metadata/runs_per_configuration",
        "metadata/evals_run/*",
        "runs/*/eval_id",
        "runs/*/run_number",
        "runs/*/result/*",
        "run_summary/*/*/*",
        "run_summary/delta/*",
    ),
    "grading.json": ("summary/*", "timing/*", "execution_metrics/*", "execution_metrics/tool_calls/*", "eval_id"),
    "timing.json": ("total_tokens", "duration_ms", "*_duration_seconds"),
    "eval_metadata.json": ("eval_id",),
    "metrics.json": ("*", "tool_calls/*"),
}


class Number(NamedTuple):
    """A number in a file of a workspace."""

    path: Path
    at: Tokens
    value: float | str


def numbers(folder: Path) -> list[Number]:
    """Every documented number of a workspace."""
    found: list[Number] = []
    for path in sorted(folder.rglob("*.json")):
        patterns = [pattern.split("/") for pattern in PLACES.get(path.name, ())]
        for at, value in _scalars(json.loads(path.read_text("utf-8-sig"))):
            if any(_fits(at, pattern) for pattern in patterns) and _number(value) is not None:
                found.append(Number(path, at, value))
    return found


def _scalars(value: Any, at: Tokens = ()) -> list[tuple[Tokens, Any]]:
    children = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else None
    return (
        [(at, value)] if children is None else [each for key, child in children for each in _scalars(child, (*at, key))]
    )


def _fits(at: Tokens, pattern: list[str]) -> bool:
    return len(at) == len(pattern) and all(
        re.fullmatch(want.replace("*", ".*"), str(have)) for have, want in zip(at, pattern, strict=True)
    )


def _number(value: Any) -> float | None:
    """The number that a value is, or that the text of a delta says."""
    if isinstance(value, str):
        return float(value) if re.fullmatch(r"[+-][0-9.]+", value) else None
    return value if type(value) in (int, float) else None


def is_told_once(number: Number, folder: Path) -> bool:
    """Whether nothing else in the workspace tells the number, or is computed from it."""
    name = str(number.at[-1])
    if number.path.name == "grading.json" and number.at[0] == "execution_metrics":
        return not _has_counterpart(number, folder)
    if number.path.name == "metrics.json":
        grading = number.path.parent.parent / "grading.json"
        copied = grading.exists() and _value(grading, ("execution_metrics", *number.at)) is not None
        summed = name == "total_tool_calls" or len(number.at) == 2
        return not copied and not (summed and _value(number.path, ("tool_calls",)))
    if number.at[0] == "runs" and name in ("tool_calls", "errors"):
        return not _has_run_metrics(folder, name)
    if number.path.name == "timing.json" and name in ("executor_duration_seconds", "grader_duration_seconds"):
        return _value(number.path, (name.replace("duration_seconds", "end"),)) is None
    if number.path.name == "grading.json" and name in ("executor_duration_seconds", "grader_duration_seconds"):
        timing = _value(number.path, ("timing",))
        return not all(timing.get(f"{part}_duration_seconds") for part in ("executor", "grader"))
    return False


def _has_counterpart(number: Number, folder: Path) -> bool:
    """Whether metrics.json or the benchmark has the same figure of the run, or the tool calls can be summed."""
    metrics = number.path.parent / "outputs" / "metrics.json"
    if metrics.exists() and _value(metrics, number.at[1:]) is not None:
        return True
    calls = _value(number.path, ("execution_metrics", "tool_calls"))
    if calls and (len(number.at) == 3 or number.at[-1] == "total_tool_calls"):
        return True
    members = {"errors_encountered": "errors", "total_tool_calls": "tool_calls"}
    member = members.get(str(number.at[-1]))
    runs = _value(folder / "benchmark.json", ("runs",)) or []
    if member is not None:
        return any(isinstance(run, dict) and member in run.get("result", {}) for run in runs)
    # the aggregator writes characters where it finds no tokens
    tokens = [run.get("result", {}).get("tokens") for run in runs if isinstance(run, dict)]
    return number.at[-1] == "output_chars" and bool(number.value) and number.value in tokens


def _has_run_metrics(folder: Path, name: str) -> bool:
    member = {"tool_calls": "total_tool_calls", "errors": "errors_encountered"}[name]
    return any(_value(path, ("execution_metrics", member)) is not None for path in folder.rglob("grading.json"))


def _value(path: Path, at: Tokens) -> Any:
    value = json.loads(path.read_text("utf-8-sig")) if path.exists() else None
    for token in at:
        value = value.get(token) if isinstance(value, dict) else None
    return value


def changed(number: Number, chance: random.Random) -> float | str:
    """Another number of the same sort, further away than rounding explains."""
    name, value = str(number.at[-1]), _number(number.value)
    if value is None:
        raise TypeError("only numbers are changed")
    if isinstance(number.value, str):
        decimals = len(number.value.partition(".")[2])
        step = max(10.0**-decimals * chance.randint(4, 60), abs(value) * 0.2)
        return f"{value + chance.choice((-1, 1)) * step:+.{decimals}f}"
    statistic = number.at[0] == "run_summary"
    if "pass_rate" in (name, *number.at[-2:-1]):
        away = [rate for rate in (chance.uniform(0, 1) for _ in range(100)) if abs(rate - value) > 0.05]
        return round(away[0] if name != "stddev" else value + chance.uniform(0.1, 0.4), 3)
    if statistic or name.endswith(("seconds", "_ms")):
        step = max(2.0 if not name.endswith("_ms") else 2500.0, abs(value) * chance.uniform(0.2, 1.5))
        return type(number.value)(max(0, value + step)) if isinstance(number.value, int) else round(value + step, 3)
    if name in ("tokens", "total_tokens", "output_chars", "transcript_chars"):
        return int(value + max(10, value * chance.uniform(0.2, 2)))
    return int(value) + chance.randint(1, 9)


def tried(folder: Path, tries: int, chance: random.Random) -> tuple[Counter[str], Counter[str]]:
    """How many changes were found, named the right file, or were missed; and the places of those that were missed."""
    counts: Counter[str] = Counter()
    missed: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as temporary:
        copy = Path(temporary) / "workspace"
        shutil.copytree(folder, copy)
        everything = numbers(copy)
        several = [number for number in everything if not is_told_once(number, copy)]
        counts["numbers"], counts["told once"] = len(everything), len(everything) - len(several)
        before = _findings(copy)
        for _ in range(tries):
            number = chance.choice(several)
            text = number.path.read_bytes()
            document = json.loads(text.decode("utf-8-sig"))
            inside = document
            for token in number.at[:-1]:
                inside = inside[token]
            inside[number.at[-1]] = changed(number, chance)
            number.path.write_text(json.dumps(document), "utf-8")
            new = _findings(copy) - before
            number.path.write_bytes(text)
            counts["tries"] += 1
            counts["found"] += bool(new)
            named = any(str(number.path) in paths for _, _, paths in new)
            counts["right file"] += named
            if not named:
                place = "/".join("*" if isinstance(token, int) else token for token in number.at)
                missed[f"{number.path.name} {place}"] += 1
    return counts, missed


def _findings(folder: Path) -> set[tuple[str, str, tuple[str, ...]]]:
    """What is found: code, place with message, and the files that are named."""
    return {
        (
            finding.code,
            f"{finding.pointer} {finding.message}",
            (result.path or "", *(p.path for p in finding.elsewhere)),
        )
        for result in check_workspace(folder, ALL)
        for finding in result.findings
    }


def main() -> None:
    parser = argparse.ArgumentParser(description="Change one number of a healthy workspace; see whether it is found.")
    parser.add_argument("workspaces", nargs="*", type=Path, metavar="WORKSPACE")
    parser.add_argument("--tries", type=int, default=200, help="changes a workspace (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="of the random choices (default: %(default)s)")
    options = parser.parse_args()
    total: Counter[str] = Counter()
    for folder in options.workspaces or [HEALTHY]:
        counts, missed = tried(folder, options.tries, random.Random(options.seed))
        total += counts
        print(
            f"{folder.name}: {counts['found']} of {counts['tries']} found, {counts['right file']} named the file; "
            f"{counts['told once']} of {counts['numbers']} numbers are told once"
        )
        for place, count in missed.most_common():
            print(f"  missed {count} times: {place}")
    print(f"together: {total['found']} of {total['tries']} found, {total['right file']} named the right file")


if __name__ == "__main__":
    main()
