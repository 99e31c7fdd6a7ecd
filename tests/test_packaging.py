"""The wheel: built, installed in an environment of its own, and used from there."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel built from a copy of the tree."""
    folder = tmp_path_factory.mktemp("build")
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, folder)
    shutil.copytree(ROOT / "src", folder / "src", ignore=shutil.ignore_patterns("__pycache__", "*.egg-info"))
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder / "dist")]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    (built,) = (folder / "dist").glob("*.whl")
    return built


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the programs of an environment that holds the wheel and what it depends on, nothing of the tree."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, with_pip=False)
    site = next((folder / "lib").glob("python*/site-packages"))
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(site)
    # the dependencies come from where the tests run, so that no network is needed; our own package does not
    here = next(
        Path(path) for path in sys.path if path.endswith("site-packages") and Path(path).is_relative_to(sys.prefix)
    )
    (site / "dependencies.pth").write_text(f"{here}\n", "utf-8")
    return folder / "bin"


def _run(installed: Path, *arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    command = [str(installed / "python"), "-m", "evalschema", *arguments]
    return subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, check=False)


def test_the_wheel_holds_the_package_and_nothing_else(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    assert {name.split("/")[0].split("-")[0] for name in names} == {"evalschema"}
    assert {"evalschema/py.typed", "evalschema/_generated/bundle.json", "evalschema/_generated/models.py"} <= names
    assert wheel.stat().st_size < 2**20


def test_the_installed_command_works_apart_from_the_tree(installed: Path, tmp_path: Path) -> None:
    where = _run(installed, "--version", cwd=tmp_path)
    assert where.returncode == 0, where.stderr
    shutil.copytree(ROOT / "docs" / "demo", tmp_path / "demo")
    healthy = _run(installed, "check", "demo/healthy", cwd=tmp_path)
    assert (healthy.returncode, healthy.stderr) == (0, "")
    broken = _run(installed, "check", "--format", "json", "demo/broken", cwd=tmp_path)
    assert broken.returncode == 1
    assert json.loads(broken.stdout)["summary"]["errors"] > 0
    assert _run(installed, "explain", "GRD003", cwd=tmp_path).returncode == 0
    assert json.loads(_run(installed, "schema", "run", "--bundle", cwd=tmp_path).stdout)["title"] == "Run"


def test_the_installed_package_is_the_one_of_the_wheel(installed: Path, tmp_path: Path) -> None:
    program = "import evalschema; print(evalschema.__file__); from evalschema.models import load; print(load)"
    done = subprocess.run(
        [str(installed / "python"), "-c", program], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert str(ROOT) not in done.stdout


def test_the_wheel_works_from_inside_a_zip_file(wheel: Path, tmp_path: Path) -> None:
    program = (
        f"import sys; sys.path.insert(0, {str(wheel)!r})\n"
        "import evalschema; print(evalschema.validate({}, 'timing').ok, evalschema.__file__)"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout.startswith("False")
    assert wheel.name in done.stdout


def test_an_environment_made_by_pip_has_all_that_is_needed(wheel: Path) -> None:
    """What the wheel asks for is what the package imports from others, no more and no less."""
    import ast
    from email import message_from_string

    with zipfile.ZipFile(wheel) as archive:
        (metadata,) = (name for name in archive.namelist() if name.endswith("/METADATA"))
        lines = message_from_string(archive.read(metadata).decode()).get_all("Requires-Dist") or []
    names = {line: re.split(r"[><=;\[ ]", line)[0].partition(".")[0].replace("-", "_") for line in lines}
    asked = {name for line, name in names.items() if "extra ==" not in line}
    # what extras bring is imported late; `compression` is the standard library's own from Python 3.14 on
    extras = {re.split(r"[><=;\[ .-]", line)[0] for line in lines if "extra ==" in line}
    optional = extras | {"compression"}
    imported: set[str] = set()
    for path in (ROOT / "src").rglob("*.py"):
        if "integrations" in path.parts:
            continue
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Import):
                imported |= {alias.name.split(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
                imported.add(node.module.split(".")[0])
    others = imported - set(sys.stdlib_module_names) - {"evalschema"}
    assert asked <= others, "the wheel asks for what is not imported"
    assert others <= asked | optional, "something is imported that neither the wheel nor an extra asks for"
