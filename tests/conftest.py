"""Promises: a test marked with one says what it reached, and the figures are listed at the end of a run.

`@pytest.mark.promise("saving")` names a row of the table in SECURITY.md; `make security` runs every test so marked, in
the full dose, and fails on any miss.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import pytest

# What was tried, and what came of it, in figures.
Figure: TypeAlias = Callable[[str, object], None]


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "promise(name): holds us to a promise that SECURITY.md makes")


@pytest.fixture
def figure(request: pytest.FixtureRequest) -> Figure:
    """Notes what a promise's test reached: `figure("n_ cases refused", "188 of 188")`."""
    mark = request.node.get_closest_marker("promise")
    assert mark is not None, "only tests of a promise note figures"
    properties: list[tuple[str, object]] = request.node.user_properties

    def note(what: str, value: object) -> None:
        # with the report of the test it comes from whichever process ran it
        properties.append(("figure", (mark.args[0], what, str(value))))

    return note


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    # shown where promises were asked for; a run of all tests is long enough without
    if "promise" not in str(config.getoption("markexpr")):
        return
    reports = [report for state in ("passed", "failed") for report in terminalreporter.getreports(state)]
    noted = [value for report in reports for name, value in report.user_properties if name == "figure"]
    terminalreporter.section("promises")
    for promise, what, value in sorted(dict.fromkeys(map(tuple, noted))):
        terminalreporter.write_line(f"{promise} | {what} | {value}")
