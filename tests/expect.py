"""Print what is found in an example, in the form of its `.findings.json`: review before you commit it."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from evalschema import check_bytes


def found(path: Path) -> list[dict[str, Any]]:
    """The findings of an example in `schemas/examples/<kind>/{valid,invalid}/`, as its side file lists them."""
    kind: Any = path.parent.parent.name
    result = check_bytes(path.read_bytes(), kind)
    return [{"code": each.code, "severity": each.severity, "pointer": each.pointer} for each in result.findings]


def side_file(path: Path) -> Path:
    """The file that lists what is found in an example."""
    return path.with_name(path.name.removesuffix(".json") + ".findings.json")


def written(findings: list[dict[str, Any]]) -> str:
    """The text of a side file."""
    if not findings:
        return "[]\n"
    return "[\n" + ",\n".join("  " + json.dumps(each) for each in findings) + "\n]\n"


if __name__ == "__main__":
    for name in sys.argv[1:]:
        print(f"# {side_file(Path(name)).name}\n{written(found(Path(name)))}", end="")
