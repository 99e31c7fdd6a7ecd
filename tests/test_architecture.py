"""The house keeps its form: imports point one way, and what must be cheap stays cheap."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

SRC = Path(__file__).parents[1] / "src" / "evalschema"
PACKAGE = "evalschema"

# From the ground up: a module may import from its own floor's lower neighbours and from every floor below. Imports
# under `if TYPE_CHECKING` are free, for they cost nothing and close no circle when the program runs.
FLOORS = (
    ("draft", "errors", "excerpt", "instants", "likeness", "arithmetic"),
    ("finding", "remarks", "console", "parallel"),
    ("scores",),
    ("catalog", "reading", "settings", "saving"),
    ("verdict", "diagnosis", "codec", "messages", "places", "positions", "bundling"),
    ("slips", "bounds", "work"),
    ("plain",),
    ("names", "explainer", "rules"),
    ("structure", "codes"),
    ("explaining", "repository"),
    ("validator", "walking"),
    ("lines",),
    ("files", "models"),
    ("finalize",),
    ("verifying", "importing"),
    ("workspace", "fix", "output", "baseline"),
    ("integrations", "aggregate"),
    ("report",),
    ("commands",),
    ("cli",),
    ("entry",),
    ("__main__",),
)
# The few upward looks, each made late, inside the function that needs it, and only on a failing or configured path.
LATE = {
    ("settings", "catalog"),
    ("settings", "codes"),
    ("catalog", "verdict"),
    ("structure", "codes"),
    ("reading", "diagnosis"),
    ("walking", "files"),
}


def _floor(module: str) -> int:
    return next(i for i, floor in enumerate(FLOORS) if module.split(".")[0] in floor)


def _modules() -> Iterator[tuple[str, ast.Module]]:
    for path in sorted(SRC.rglob("*.py")):
        name = ".".join(path.relative_to(SRC).with_suffix("").parts)
        if name.split(".")[0] not in ("__init__", "_generated"):
            yield name, ast.parse(path.read_text("utf-8"))


def _imports(tree: ast.Module) -> Iterator[tuple[str, bool]]:
    """What a module imports from the package, and whether it does so late."""

    def visit(node: ast.AST, late: bool) -> Iterator[tuple[str, bool]]:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.If) and "TYPE_CHECKING" in ast.dump(child.test):
                continue
            if isinstance(child, ast.ImportFrom) and child.module and child.module.split(".")[0] == PACKAGE:
                rest = child.module.partition(".")[2]
                yield from ((rest or alias.name, late) for alias in child.names)
            yield from visit(child, late or isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef))

    yield from visit(tree, False)


def test_imports_point_one_way() -> None:
    wrong: list[str] = []
    for module, tree in _modules():
        for target, late in _imports(tree):
            here, there = module.split(".")[0], target.split(".")[0]
            if here == there or there in ("__version__", "_generated"):
                continue
            if _floor(there) > _floor(here) or (_floor(there) == _floor(here) and (here, there) not in LATE):
                if late and (here, there) in LATE:
                    continue
                wrong.append(f"{module} imports {target}")
    assert not wrong


def test_nothing_imports_the_generator_or_the_tests() -> None:
    for module, tree in _modules():
        for node in ast.walk(tree):
            names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            names += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            assert not {name.split(".")[0] for name in names} & {"codegen", "tests", "bench"}, module


def _loaded(program: str) -> set[str]:
    done = subprocess.run(
        [sys.executable, "-c", f"{program}\nimport sys\nprint(*sys.modules)"],
        capture_output=True,
        text=True,
        check=True,
    )
    return set(done.stdout.split())


def test_importing_the_package_loads_nothing() -> None:
    assert not _loaded("import evalschema") & {"click", "jsonschema", "jsonschema_rs", "jiter", "dataclasses", "json"}


@pytest.mark.parametrize(
    "module", ["click", "jsonschema", "referencing", "evalschema._generated.models", "evalschema.structure"]
)
def test_checking_a_sound_document_loads_no_explaining_module(module: str) -> None:
    document = '{"total_tokens": 5210, "duration_ms": 23400, "total_duration_seconds": 23.4}'
    loaded = _loaded(
        f"from evalschema import check_bytes\nassert check_bytes(b'''{document}''', 'timing').findings == ()"
    )
    assert module not in loaded


def test_no_module_has_a_side_effect_on_import() -> None:
    program = """
import os, sys, threading
def state():
    files = sorted(os.listdir("/dev/fd"))
    return os.getcwd(), dict(os.environ), sys.getrecursionlimit(), threading.active_count(), files
before = state()
import pkgutil, importlib, evalschema
for module in pkgutil.walk_packages(evalschema.__path__, "evalschema."):
    if not module.name.endswith("__main__") and ".integrations" not in module.name:
        importlib.import_module(module.name)
assert before == state(), (before, state())
"""
    subprocess.run([sys.executable, "-c", program], check=True)
