"""Promises: a test marked with one says what it reached, and the figures are listed at the end of a run.

`@pytest.mark.promise("saving")` names a row of the table in SECURITY.md; `make security` runs every test so marked, in
the full dose, and fails on any miss.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from typing import TypeAlias

import pytest

# What was tried, and what came of it, in figures.
Figure: TypeAlias = Callable[[str, object], None]
_REACHED = pytest.StashKey[defaultdict[str, dict[str, str]]]()


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "promise(name): holds us to a promise that SECURITY.md makes")
    config.stash[_REACHED] = defaultdict[str, dict[str, str]](dict)


@pytest.fixture
def figure(request: pytest.FixtureRequest) -> Figure:
    """Notes what a promise's test reached: `figure("n_ cases refused", "188 of 188")`."""
    mark = request.node.get_closest_marker("promise")
    assert mark is not None, "only tests of a promise note figures"
    reached = request.config.stash[_REACHED][mark.args[0]]

    def note(what: str, value: object) -> None:
        reached[what] = str(value)

    return note


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    reached = config.stash[_REACHED]
    # shown where promises were asked for; a run of all tests is long enough without
    if reached and "promise" in str(config.getoption("markexpr")):
        terminalreporter.section("promises")
        for promise, figures in sorted(reached.items()):
            for what, value in figures.items():
                terminalreporter.write_line(f"{promise} | {what} | {value}")
