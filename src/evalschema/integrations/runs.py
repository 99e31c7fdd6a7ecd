"""Sound documents to rows of runs: what was measured, in one table, whichever kind of file it was written to."""

from __future__ import annotations

from itertools import repeat
from typing import TYPE_CHECKING, Any

from evalschema.catalog import checked_kind
from evalschema.errors import RuleError
from evalschema.files import Examined, concluded, examine
from evalschema.integrations.batch import Text, as_bytes
from evalschema.integrations.rows import RunRow
from evalschema.settings import DEFAULT, Settings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from evalschema._generated.kinds import Kind


def runs(
    paths: Iterable[str | None],
    texts: Iterable[Text],
    kind: Kind | None = None,
    settings: Settings = DEFAULT,
    *,
    records: Iterable[int | None] | None = None,
) -> Iterator[RunRow]:
    """The runs in raw documents: those of benchmarks, gradings and runs of agents; other kinds have none.

    A document with an error gives no row: a figure that is contradicted elsewhere in its file must not reach a mean.
    `validate_batch`, which takes the same, says which those are and why. Raises `UnknownKindError`.
    """
    if kind is not None:
        checked_kind(kind)
    numbers = repeat(None) if records is None else records
    for path, text, record in zip(paths, texts, numbers, strict=records is not None):
        if text is None:
            continue
        try:
            examined = examine(as_bytes(text), kind, path or None, settings)
        except RuleError:
            continue
        tell = _TELLERS.get(examined.kind or "")
        if tell and _is_sound(examined, settings):
            for run in tell(examined.instance):
                yield RunRow(path or "", record, examined.kind or "", **run)


def _is_sound(examined: Examined, settings: Settings) -> bool:
    """Whether the settings find no error, and no broken structure lies under those that they silence."""
    broken = any(each.severity == "error" and "." in each.code for each in examined.findings)
    return not broken and concluded(examined, settings).ok


def _of_benchmark(benchmark: Any) -> Iterator[dict[str, Any]]:
    about = benchmark.get("metadata")
    for run in benchmark["runs"]:
        measured = run.get("result")
        yield {
            "subject": _text(about, "skill_name"),
            "timestamp": _text(about, "timestamp"),
            "model": _text(about, "executor_model"),
            "eval": _text(run, "eval_id"),
            "configuration": _text(run, "configuration"),
            "run": _count(run, "run_number"),
            **_verdicts(measured),
            "seconds": _number(measured, "time_seconds"),
            "tokens": _count(measured, "tokens"),
            "tool_calls": _count(measured, "tool_calls"),
            "errors": _count(measured, "errors"),
        }


def _of_grading(grading: Any) -> Iterator[dict[str, Any]]:
    metrics = grading.get("execution_metrics")
    yield {
        **_verdicts(grading.get("summary")),
        "seconds": _number(grading.get("timing"), "total_duration_seconds"),
        "tool_calls": _count(metrics, "total_tool_calls"),
        "errors": _count(metrics, "errors_encountered"),
    }


def _of_run(run: Any) -> Iterator[dict[str, Any]]:
    judged = run["scores"] if isinstance(run["scores"], list) else [run["scores"]]
    for judge, scores in enumerate(judged):
        for contestant, score in scores.items():
            agents = [each for each in run["agents"] if contestant in (each["spec"], each.get("team"))]
            yield {
                "subject": run["scenario"]["name"],
                "timestamp": run["timestamp"],
                "configuration": run["type"],
                "contestant": contestant,
                "judge": judge,
                "score": float(score),
                "tokens": int(sum(agent["input_tokens"] + agent["output_tokens"] for agent in agents)),
            }


_TELLERS: dict[str, Callable[[Any], Iterator[dict[str, Any]]]] = {
    "benchmark": _of_benchmark,
    "grading": _of_grading,
    "run": _of_run,
}


def _verdicts(summary: Any) -> dict[str, Any]:
    counts = {name: _count(summary, name) for name in ("passed", "failed", "total")}
    return {**counts, "pass_rate": _number(summary, "pass_rate")}


def _number(holder: Any, name: str) -> float | None:
    value = _member(holder, name)
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def _count(holder: Any, name: str) -> int | None:
    value = _number(holder, name)
    # what does not fit into 64 bits is no count of anything, and no table could hold it
    return None if value is None or abs(value) >= 2**63 else int(_member(holder, name))


def _text(holder: Any, name: str) -> str | None:
    value = _member(holder, name)
    return str(value) if isinstance(value, str | int) and not isinstance(value, bool) else None


def _member(holder: Any, name: str) -> Any:
    """The member; None where it is missing, as some may although the document holds no error."""
    return holder.get(name) if isinstance(holder, dict) else None
