"""`python -m tests.promises FILE…`: the figures that a run of `make security` noted, into SECURITY.md.

They are kept in tests/promises.json as they were noted; several files (of runs of parts) are put together. A row of the
table of promises for which nothing was noted stops it.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import TypeAlias

ROOT = Path(__file__).parents[1]
PAGE, KEPT = ROOT / "SECURITY.md", Path(__file__).with_name("promises.json")
#: What was tried and what came of it, by the promise.
Figures: TypeAlias = dict[str, dict[str, str]]
_ROW = re.compile(r"(?m)^\| \*\*([a-z ]+)\*\* \|")
_SECTION = re.compile(r"(?s)(<!-- what follows is made by `make security` -->\n).*?(<!-- as far as here -->)")


def rows(page: str) -> list[str]:
    """The promises in the table, in its order."""
    return _ROW.findall(page)


def section(page: str) -> str:
    """The part of the page that holds the figures."""
    found = _SECTION.search(page)
    assert found is not None, "SECURITY.md has lost the marks between which the figures stand"
    return found[0]


def with_figures(page: str, figures: Figures) -> str:
    """The page with these figures, in the order of the table."""
    lines = ["", "| promise | tried | reached |", "|---|---|---|"]
    for row in rows(page):
        lines += [f"| {row} | {_cell(what)} | {_cell(value)} |" for what, value in sorted(figures.get(row, {}).items())]
    return _SECTION.sub(lambda found: "\n".join([found[1].rstrip("\n"), *lines, "", found[2]]), page)


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def main(paths: list[str]) -> int:
    """Put the figures of the files together and into the page; 1 when a promise has none."""
    figures: Figures = {}
    for path in paths:
        for promise, reached in json.loads(Path(path).read_text("utf-8")).items():
            figures.setdefault(promise, {}).update(reached)
    page = PAGE.read_text("utf-8")
    without = [row for row in rows(page) if not figures.get(row)]
    KEPT.write_text(json.dumps(figures, indent=2, sort_keys=True, ensure_ascii=False) + "\n", "utf-8")
    PAGE.write_text(with_figures(page, figures), "utf-8")
    for row in without:
        print(f"no figure was noted for the promise {row!r}: is no test marked with it?", file=sys.stderr)
    return 1 if without else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
