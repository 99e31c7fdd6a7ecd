# pyright: strict, reportUnnecessaryTypeIgnoreComment=true
"""What programs do with loaded documents, and what type checkers must refuse.

Each refusal is marked with an ignore comment: a checker that accepts the line reports the comment as unused.
"""

from typing import assert_type

from evalschema import dump, load
from evalschema.models import Document, DuelRun, Grading, PatchOperation, RelayRun, Run, SoloRun, TriggerEval


def tags_tell_runs_apart(run: Run) -> str:
    if run.type == "solo":
        assert_type(run, SoloRun)
    elif run.type == "duel":
        assert_type(run, DuelRun)
    else:
        assert_type(run, RelayRun)
    return run.scenario.name


def tolerated_values_have_to_be_looked_at(grading: Grading) -> int:
    metrics = grading.execution_metrics
    if metrics is None or not isinstance(metrics.total_steps, int):
        return 0
    return metrics.total_steps


def documents_come_back(document: dict[str, object]) -> None:
    assert_type(load(document), Document)
    assert_type(load(document, "trigger_evals"), list[TriggerEval])
    dump(load(document, "grading"))["summary"]
    dump(load(document, "trigger_evals")).append({})


def other_configurations_are_typed(document: object) -> float:
    return load(document, "benchmark").run_summary.extras["old_skill"].pass_rate.mean


def mistakes_are_refused(document: object, grading: Grading) -> None:
    load(document, "gradings")  # type: ignore[call-overload]
    print(grading.sumary)  # type: ignore[attr-defined]
    grading.summary = None  # type: ignore[assignment]
    PatchOperation(op="rename", path="")  # type: ignore[arg-type]
    PatchOperation("add", "")  # type: ignore[call-arg]
    Grading(expectations=[])  # type: ignore[call-arg]
    dump(document)  # type: ignore[call-overload]
