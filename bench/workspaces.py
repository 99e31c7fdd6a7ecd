"""What is found in each of many workspaces, and whether their benchmarks follow from their files: a Markdown table.

    python -m bench.workspaces [FOLDER ...]

Each folder in a FOLDER is one workspace; without any it is the examples. Counts and codes only: no text of a file is
shown.
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bench import table
from evalschema import Settings, check_workspace
from evalschema.aggregate import aggregate
from evalschema.rules._numbers import near
from evalschema.rules.benchmark import METRICS
from evalschema.workspace.reading import Folder, Reader

if TYPE_CHECKING:
    from collections.abc import Sequence

    from evalschema.finding import Finding
    from evalschema.workspace.model import Run, Workspace

DEMO = Path(__file__).parents[1] / "docs" / "demo"
ALL = Settings(max_findings=10**6)
HEAD = ("", "evals × configurations, gradings", "form", "across files", "errors in single files", "its benchmark")


#: What may differ, and the findings that say why.
REASONS = {
    "another mean": ("WSP006", "WSP013"),
    "another deviation": ("BEN006",),
    "another delta": ("BEN007",),
    "figures without a file": ("BEN012", "TIM004", "WSP005", "WSP006"),
}


def rows(folders: Sequence[Path]) -> list[tuple[str, ...]]:
    """A row a workspace; folders that are none are left out."""
    found: list[tuple[str, ...]] = []
    for each in sorted(path for folder in folders for path in folder.iterdir() if path.is_dir()):
        workspace = _workspace(each)
        if workspace is None:
            continue
        findings = [finding for result in check_workspace(each, ALL) for finding in result.findings]
        size = f"{len(workspace.evals)} × {len(workspace.configurations)}, {len(workspace.graded)}"
        across = [finding for finding in findings if finding.code.startswith(("WSP", "SUS"))]
        alone = sum(finding.severity == "error" for finding in findings if finding not in across)
        found.append(
            (
                str(len(found) + 1),
                size,
                _form(workspace.graded),
                _by_code(across),
                str(alone),
                _benchmark(each, findings),
            )
        )
    return found


def _workspace(folder: Path) -> Workspace | None:
    place, reader = Folder(str(folder), ALL), Reader(ALL)
    return next((each for unit in place.units() for each in place.workspaces(unit, reader)), None)


def _form(runs: list[Run]) -> str:
    """How the gradings lie, the commonest form."""
    forms: Counter[str] = Counter()
    for run in runs:
        folder = "eval-*" if Path(run.eval.folder).name.startswith("eval-") else "slug"
        inside = Path(run.grading.path).relative_to(run.eval.folder).parts[:-1] if run.grading else ()
        names = [
            "configuration",
            *(["run-N"] if run.is_numbered else []),
            *(["outputs"] if "outputs" in inside else []),
        ]
        forms["/".join([folder, *(names if inside else ["a file each"])])] += 1
    return forms.most_common(1)[0][0]


def _by_code(findings: list[Finding]) -> str:
    counts = Counter((finding.code, finding.severity) for finding in findings)
    return ", ".join(f"{code} {severity} × {count}" for (code, severity), count in sorted(counts.items())) or "nothing"


def _benchmark(folder: Path, findings: list[Finding]) -> str:
    """Whether the benchmark is the one that follows from the files, and if not, which finding says why."""
    made = aggregate(folder)
    if made.benchmark is None:
        return f"not aggregated: {len(made.refused)} files have errors"
    import json

    there = json.loads((folder / "benchmark.json").read_text("utf-8-sig"))
    if not isinstance(there.get("run_summary"), dict):
        return "another format: " + _codes(findings, ("kind.foreign",))
    differing = _differing(there["run_summary"], made.benchmark["run_summary"])
    told = [f"{what}: {_codes(findings, codes)}" for what, codes in REASONS.items() if what in differing]
    return "; ".join(told) or "the same"


def _codes(findings: list[Finding], wanted: tuple[str, ...]) -> str:
    return ", ".join(sorted({finding.code for finding in findings if finding.code in wanted})) or "NO FINDING SAYS WHY"


def _differing(there: dict[str, Any], made: dict[str, Any]) -> set[str]:
    """What is not the same beyond rounding; a deviation from other figures is no second difference."""
    found: set[str] = set()
    for configuration, statistics in there.items():
        for metric, known in METRICS.items():
            if configuration == "delta":
                ours, theirs = made.get("delta", {}).get(metric), statistics.get(metric)
                if ours is not None and theirs and not near(float(ours), float(theirs), 2 * 10.0**-known.decimals):
                    found.add("another delta")
                continue
            statistic, ours = statistics.get(metric), made.get(configuration, {}).get(metric)
            if statistic is None:
                continue
            if ours is None:
                found.add("figures without a file")
                continue
            if any(not near(ours[name], statistic[name], known.tolerance) for name in ("mean", "min", "max")):
                found.add("another mean")
            elif not near(ours["stddev"], statistic["stddev"], max(0.1 * ours["stddev"], known.tolerance)):
                found.add("another deviation")
    return found


def main(*folders: Path) -> None:
    print(table.rows([HEAD, *rows(folders or [DEMO / "healthy", DEMO / "broken"])]))


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
