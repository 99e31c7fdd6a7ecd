"""Promises: a test marked with one says what it reached, and the figures are listed at the end of a run.

`@pytest.mark.promise("saving")` names a row of the table in SECURITY.md; `make security` runs every test so marked, in
the full dose, and fails on any miss, and where one was skipped. EVALSCHEMA_FIGURES=FILE writes the figures down; the
last value of what is counted over several tests is the one that holds.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
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
    figures: dict[str, dict[str, str]] = {}
    for promise, what, value in noted:
        figures.setdefault(promise, {})[what] = value
    for promise, reached in sorted(figures.items()):
        for what, value in sorted(reached.items()):
            terminalreporter.write_line(f"{promise} | {what} | {value}")
    path = os.environ.get("EVALSCHEMA_FIGURES")
    if path:
        Path(path).write_text(json.dumps(figures, indent=2, sort_keys=True) + "\n", "utf-8")


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """A promise that was not tried is not kept: where skipping is forbidden, no mark of any sort may do it."""
    config = session.config
    reporter: pytest.TerminalReporter | None = config.pluginmanager.get_plugin("terminalreporter")
    if reporter is None or os.environ.get("EVALSCHEMA_NO_SKIP") != "1":
        return
    if "promise" in str(config.getoption("markexpr")) and reporter.stats.get("skipped", []):
        reporter.write_line("a test of a promise was skipped, and none may be", red=True)
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
