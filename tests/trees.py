"""Small workspaces, and what is found in them: `python -m tests.trees NAME…` prints it for review."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from evalschema import check_workspace

TREES = Path(__file__).parent / "workspaces"
SIDE_FILE = "findings.json"


def found(tree: Path) -> list[dict[str, Any]]:
    """The findings in a tree, in the order in which they come, as its side file lists them."""
    return [
        {
            "path": Path(result.path or "").relative_to(tree).as_posix(),
            "code": finding.code,
            "severity": finding.severity,
            "pointer": finding.pointer,
        }
        for result in check_workspace(tree)
        for finding in result.findings
    ]


def expected(tree: Path) -> list[dict[str, Any]]:
    """What the side file of a tree lists; nothing where there is none."""
    side = tree / SIDE_FILE
    return json.loads(side.read_text("utf-8")) if side.exists() else []


def names() -> list[str]:
    """The names of all trees: a code, then the situation."""
    return sorted(path.name for path in TREES.iterdir() if path.is_dir())


def written(findings: list[dict[str, Any]]) -> str:
    """The text of a side file."""
    return "[\n" + ",\n".join("  " + json.dumps(each) for each in findings) + "\n]\n" if findings else "[]\n"


if __name__ == "__main__":
    for name in sys.argv[1:] or names():
        print(f"# {name}\n{written(found(TREES / name))}", end="")
