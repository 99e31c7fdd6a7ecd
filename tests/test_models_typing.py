"""Type checkers accept every use of every class, and refuse misuse."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from dataclasses import is_dataclass
from pathlib import Path

from evalschema._generated import models

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "tests" / "typing"
FILES = [str(FOLDER / "every_model.py"), str(FOLDER / "usage.py")]


def test_the_sample_uses_every_class() -> None:
    used = {
        node.attr
        for node in ast.walk(ast.parse((FOLDER / "every_model.py").read_text("utf-8")))
        if isinstance(node, ast.Attribute)
    }
    assert {name for name, value in vars(models).items() if is_dataclass(value)} - {"Record"} <= used


def test_no_class_is_numbered_or_vague() -> None:
    tree = ast.parse(Path(str(models.__file__)).read_text("utf-8"))
    names = [node.name for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
    assert len(names) > 40
    assert [name for name in names if name[-1].isdigit() or name.endswith("Model")] == []
    assert "Any" not in {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}


def test_mypy_agrees() -> None:
    checked = checker("mypy", "--strict", "--no-error-summary")
    assert (checked.stdout, checked.returncode) == ("", 0)


def test_pyright_agrees() -> None:
    checked = json.loads(checker("pyright", "--outputjson", "--pythonpath", sys.executable).stdout)
    assert checked["generalDiagnostics"] == []
    assert checked["summary"]["filesAnalyzed"] == len(FILES)


def checker(*command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", *command, *FILES], cwd=ROOT, capture_output=True, text=True, check=False
    )
