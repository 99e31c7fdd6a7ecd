"""SECURITY.md says what the tests hold us to: the same promises, and the figures that they noted."""

from __future__ import annotations

import ast
import json
from pathlib import Path

from tests.promises import KEPT, PAGE, ROOT, Figures, rows, with_figures


def marks() -> dict[str, list[str]]:
    """Every promise that a test is marked with, and the files of those tests."""
    found: dict[str, list[str]] = {}
    for path in sorted(Path(__file__).parent.rglob("test_*.py")):
        if "node_modules" in path.parts:
            continue
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "promise":
                (name,) = node.args
                assert isinstance(name, ast.Constant), f"{path.name}: the name of a promise is written out"
                found.setdefault(str(name.value), []).append(path.name)
    return found


def test_every_promise_has_tests_and_every_mark_is_a_promise() -> None:
    promised = rows(PAGE.read_text("utf-8"))
    assert len(promised) == len(set(promised)) == 9
    assert set(promised) == set(marks())


def test_the_page_shows_the_figures_that_were_noted() -> None:
    """Who changes one by hand, or forgets to write them down after a run, is told here."""
    page = PAGE.read_text("utf-8")
    figures: Figures = json.loads(KEPT.read_text("utf-8"))
    assert with_figures(page, figures) == page, "python -m tests.promises tests/promises.json"
    assert set(figures) <= set(rows(page))


def test_what_was_noted_is_what_tests_note() -> None:
    """A figure that no test notes any more is an old one: its first words stand in some test."""
    sources = "".join(
        path.read_text("utf-8") for path in (ROOT / "tests").rglob("*.py") if "node_modules" not in path.parts
    )
    figures: Figures = json.loads(KEPT.read_text("utf-8"))
    for promise, reached in figures.items():
        for what in reached:
            words = what.split(",")[0].split(" ")
            assert " ".join(words[:2]) in sources, f"{promise}: {what}"


def test_the_page_names_files_and_targets_that_exist() -> None:
    page = PAGE.read_text("utf-8")
    makefile = (ROOT / "Makefile").read_text("utf-8")
    spans = [span for span in page.split("`")[1::2] if span]
    for span in spans:
        if span.startswith("make "):
            assert f"\n{span.split()[-1]}:" in makefile, span
        for word in span.split():
            if word.startswith(("tests/", "docs/", "src/", "schemas/", "requirements/")):
                assert (ROOT / word).exists(), span
