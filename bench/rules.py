"""What the rules cost on clean documents, beside json.loads of the same text.

    python -m bench.rules

Prints ratios, best of several rounds: the rules of grading alone and through the engine on a document of 2 KB, and
all rules of a benchmark of 10,000 runs, also in milliseconds.
"""

from __future__ import annotations

import gc
import json
from time import process_time
from typing import TYPE_CHECKING, Any

from bench.inputs import benchmark
from evalschema.rules._engine import Rule, rules_of, run
from evalschema.settings import DEFAULT

if TYPE_CHECKING:
    from collections.abc import Callable

ROUNDS = 15


def seconds(work: Callable[[], object], repeat: int = 1) -> float:
    """The time of one call: the best round."""
    best = float("inf")
    for _ in range(ROUNDS):
        start = process_time()
        for _ in range(repeat):
            work()
        best = min(best, process_time() - start)
    return best / repeat


def grading() -> dict[str, Any]:
    """A clean grading of about 2 KB, as a grader writes it."""
    passed = [True, True, False, True, True, True, True]
    return {
        "expectations": [
            {
                "text": f"The report names region {number} with its total in euros",
                "passed": verdict,
                "evidence": f"Row {number + 2} of regions.csv has name and sum; both checked against source {number}",
            }
            for number, verdict in enumerate(passed)
        ],
        "summary": {"passed": 6, "failed": 1, "total": 7, "pass_rate": 0.86},
        "execution_metrics": {
            "tool_calls": {"Read": 5, "Write": 2, "Bash": 8},
            "total_tool_calls": 15,
            "total_steps": 6,
            "errors_encountered": 0,
            "output_chars": 12450,
            "transcript_chars": 3200,
        },
        "timing": {
            "executor_duration_seconds": 165.0,
            "grader_duration_seconds": 26.0,
            "total_duration_seconds": 191.0,
        },
        "claims": [],
        "user_notes_summary": {"uncertainties": [], "needs_review": [], "workarounds": []},
    }


def main() -> None:
    gc.disable()
    small = grading()
    text = json.dumps(small, indent=1)
    base = seconds(lambda: json.loads(text), 2000)
    checks = [rule.check for rule in rules_of("grading")]

    def alone() -> None:
        for check in checks:
            check(small)

    print(f"grading of {len(text)} characters, × json.loads ({base * 1e6:.1f} µs)")
    print(f"    {len(checks)} rules alone      {seconds(alone, 2000) / base:.2f}")
    whole = seconds(lambda: run("grading", small, frozenset(), DEFAULT), 2000)
    print(f"    through the engine {whole / base:.2f}")

    large = benchmark(10_000)
    assert run("benchmark", large, frozenset(), DEFAULT) == []  # noqa: S101
    large_text = json.dumps(large)
    base = seconds(lambda: json.loads(large_text))
    whole = seconds(lambda: run("benchmark", large, frozenset(), DEFAULT))
    print(f"benchmark of 10,000 runs, {len(large_text) / 1e6:.1f} MB, × json.loads ({base * 1e3:.0f} ms)")
    print(f"    all rules          {whole / base:.2f} ({whole * 1e3:.0f} ms)")
    for rule in rules_of("benchmark"):
        took = seconds(lambda rule=rule: _run(rule, large))  # type: ignore[misc]
        if took > base / 100:
            print(f"    {rule.code}             {took / base:.2f} ({took * 1e3:.1f} ms)")


def _run(rule: Rule, document: Any) -> list[Any]:
    return list(rule.run(document, frozenset(), DEFAULT))


if __name__ == "__main__":
    main()
