"""Every example in the documentation is run: consoles show what the command really prints, Python blocks work."""

from __future__ import annotations

import doctest
import os
import re
import shutil
import subprocess
import sys
from fnmatch import fnmatchcase
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGES = sorted({ROOT / "README.md", ROOT / "SECURITY.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")})
BLOCK = re.compile(r"^```(\w+)[^\n]*\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def _blocks(language: str) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    for page in PAGES:
        if not page.exists() or "_build" in page.parts:
            continue
        for number, (name, text) in enumerate(BLOCK.findall(page.read_text("utf-8"))):
            if name == language:
                found.append((f"{page.relative_to(ROOT)}#{number}", text))
    return found


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder as a reader has it: the example workspaces and runs, and nothing else."""
    for name in ("healthy", "broken", "runs"):
        shutil.copytree(ROOT / "docs" / "demo" / name, tmp_path / name)
    monkeypatch.chdir(tmp_path)
    for name in [name for name in os.environ if name.startswith(("GITHUB_", "EVALSCHEMA_"))]:
        monkeypatch.delenv(name)
    return tmp_path


@pytest.mark.parametrize(("place", "text"), _blocks("console"), ids=lambda value: value.split("\n")[0][:60])
def test_a_console_shows_what_is_printed(place: str, text: str, folder: Path) -> None:
    """Lines that begin with `$ ` are commands; a line `...` stands for any lines."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    for command, expected in re.findall(r"^\$ ((?:[^\n]*\\\n)*[^\n]*)\n((?:(?!\$ )[^\n]*\n)*)", text, re.MULTILINE):
        done = subprocess.run(  # noqa: S602
            command,
            shell=True,
            cwd=folder,
            env={**os.environ, "PATH": path, "COLUMNS": "80"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        printed = [line.rstrip() for line in done.stdout.rstrip().split("\n")]
        wanted = [line.rstrip() for line in expected.rstrip().split("\n")]
        assert _alike(printed, wanted), f"{place}: `{command}` printed\n{done.stdout}"


def _alike(printed: list[str], wanted: list[str]) -> bool:
    if "..." not in wanted:
        return printed == wanted
    at = wanted.index("...")
    head, tail = wanted[:at], wanted[at + 1 :]
    if printed[:at] != head:
        return False
    return not tail or any(_alike(printed[i:], tail) for i in range(at, len(printed) + 1))


def _pages_of_python() -> list[tuple[str, str]]:
    """The Python blocks of each page, joined: later ones use the names of earlier ones."""
    pages: dict[str, list[str]] = {}
    for place, text in _blocks("python"):
        pages.setdefault(place.partition("#")[0], []).append(text)
    return [(page, "\n".join(blocks)) for page, blocks in pages.items()]


@pytest.mark.parametrize(("page", "text"), _pages_of_python(), ids=lambda value: value.split("\n")[0][:60])
def test_the_python_examples_of_a_page_work(page: str, text: str, folder: Path) -> None:
    assert folder.exists()
    if ">>>" not in text:
        exec(compile(text, page, "exec"), {"__name__": "example"})  # noqa: S102
        return
    test = doctest.DocTestParser().get_doctest(text, {}, page, page, 0)
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    output: list[str] = []
    runner.run(test, out=output.append)
    assert runner.failures == 0, "".join(output)


@pytest.mark.parametrize(("place", "text"), _blocks("toml"), ids=lambda value: value.split("\n")[0][:60])
def test_a_configuration_example_is_valid(place: str, text: str, folder: Path) -> None:
    from evalschema.settings import load_settings

    name = "pyproject.toml" if "[tool." in text else "evalschema.toml"
    (folder / name).write_text(text, "utf-8")
    load_settings(str(folder), str(folder / name))


def test_every_link_of_the_documentation_leads_somewhere() -> None:
    wrong: list[str] = []
    for page in PAGES:
        if not page.exists() or "_build" in page.parts:
            continue
        text = re.sub(r"```.*?```|`[^`\n]*`", "", page.read_text("utf-8"), flags=re.DOTALL)
        wrong += [
            f"{page.relative_to(ROOT)}: {target}"
            for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", text)
            if not fnmatchcase(target, "*://*") and not (page.parent / target).exists()
        ]
    assert not wrong


def test_the_documentation_speaks_of_the_project_alone() -> None:
    """No path of a machine, and nothing of where it was written, stands in any file that is shipped or committed."""
    done = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False)
    names = done.stdout.split("\0") if done.returncode == 0 else []
    words = re.compile("/" + "work/|/" + "root/|\\.lib" + "rary|score" + "board")
    for name in names:
        path = ROOT / name
        if path.suffix in {".py", ".md", ".json", ".toml", ".yaml", ".yml", ".ts", ".mjs", ""} and path.is_file():
            assert not words.search(path.read_text("utf-8", errors="replace")), name


def test_docstrings_of_the_package_work() -> None:
    import evalschema

    failures, tests = doctest.testmod(evalschema)
    assert failures == 0
    assert tests > 0
