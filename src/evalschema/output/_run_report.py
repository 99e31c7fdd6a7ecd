"""The report of `finalize`: tables for a person, ticks and crosses from checks that were really made."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from evalschema.excerpt import excerpt, shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from evalschema.finalize import FinalizeResult
    from evalschema.finding import Finding

TICK, CROSS = "✓", "✗"
_SPECIAL = str.maketrans({c: f"\\{c}" for c in "\\`*_[]<>|#"})


def report(done: FinalizeResult, *, markdown: bool, elapsed_minimum: float) -> Iterator[str]:
    """The tables, then what became of the run; `markdown` else plain columns."""
    page: _Page = _Markdown() if markdown else _Plain()
    run = done.instance if isinstance(done.instance, dict) else {}
    yield page.heading(3, "Finalize Run Validation")
    scenario = run.get("scenario")
    yield page.fact("Type", page.text(_cell(run.get("type"))))
    name = scenario.get("name") if isinstance(scenario, dict) else None
    yield page.fact("Scenario", page.text(_cell(name)))
    yield "\n"
    yield page.heading(4, "Agent Validation")
    yield page.table(["Agent", "Timestamp", "Response", "Tokens", "Status"], list(_agents(done)))
    yield page.heading(4, "Judge Validation")
    yield page.table(["Field", "Value", "Status"], list(_judges(done, run)))
    yield page.heading(4, "Timestamp Sanity")
    yield from _times(done, run, page, elapsed_minimum)
    yield page.rule()
    if done.success:
        yield page.strong("VALIDATION: PASSED") + "\n\n"
        for finding in done.warnings:
            yield f"{page.strong('Warning:')} {page.text(finding.message)}\n"
        there = " (the same bytes were there)" if done.already_there else ""
        yield f"{TICK} Saved to {page.text(excerpt(done.path or '', 1100))}{there}\n"
        if done.receipt:
            yield f"{TICK} Receipt in {page.text(excerpt(done.receipt, 1100))}\n"
        return
    yield from _failure(done, page)


def _agents(done: FinalizeResult) -> Iterator[list[str]]:
    for index, agent in enumerate(done.agents):
        if not isinstance(agent, dict):
            yield [f"agent {index + 1}", shown(agent), "", "", CROSS]
            continue
        broken = any(_lies_in(finding, "agents", str(index)) for finding in done.failures("agents"))
        tokens = f"in={_cell(agent.get('input_tokens'))} out={_cell(agent.get('output_tokens'))}"
        yield [
            _cell(agent.get("spec")),
            _cell(agent.get("cli_timestamp")),
            _length(agent.get("response_text")),
            tokens,
            CROSS if broken else TICK,
        ]


def _judges(done: FinalizeResult, run: dict[str, Any]) -> Iterator[list[str]]:
    judges = run.get("judges")
    several = isinstance(judges, list)
    for index, judge in enumerate(judges if isinstance(judges, list) else [run.get("judge")]):
        where = ("judges", str(index)) if several else ("judge",)
        name = f" {index + 1}" if several else ""
        if not isinstance(judge, dict):
            yield [f"Judge{name}", "missing" if judge is None else shown(judge), CROSS]
            continue
        for title, member, value in (
            ("Timestamp", "cli_timestamp", _cell(judge.get("cli_timestamp"))),
            ("Response", "response_text", _length(judge.get("response_text"))),
            ("Tokens", "tokens", f"in={_cell(judge.get('input_tokens'))} out={_cell(judge.get('output_tokens'))}"),
        ):
            members = ("input_tokens", "output_tokens") if member == "tokens" else (member,)
            broken = any(_concerns(finding, where, name) for finding in done.failures("judge") for name in members)
            yield [f"{title}{name}", value, CROSS if broken else TICK]
    yield from _scores(done, run)


def _scores(done: FinalizeResult, run: dict[str, Any]) -> Iterator[list[str]]:
    scores = run.get("scores")
    unread = any(finding.code in ("RUN002", "RUN003") for finding in done.failures("judge"))
    for index, claims in enumerate(scores if isinstance(scores, list) else [scores]):
        where = ("scores", str(index)) if isinstance(scores, list) else ("scores",)
        if not isinstance(claims, dict):
            yield ["Score", "missing" if claims is None else shown(claims), CROSS]
            continue
        for spec, score in claims.items():
            broken = any(_concerns(finding, where, spec) for finding in done.failures("scores"))
            yield [f"Score {_cell(spec)}", f"{_cell(score)}/100", CROSS if broken or unread else TICK]


def _times(done: FinalizeResult, run: dict[str, Any], page: _Page, elapsed_minimum: float) -> Iterator[str]:
    seconds = _elapsed(done, run)
    minimum = elapsed_minimum * len(done.agents)
    yield page.item(f"Elapsed: {f'{seconds}s' if seconds is not None else 'unknown'}")
    yield page.item(f"Expected: ≥{minimum:g}s")
    status = f"{TICK} PASS" if done.timestamp_sane and seconds is not None else f"{CROSS} {_time_trouble(done)}"
    yield page.item(f"Status: {page.text(status)}")


def _elapsed(done: FinalizeResult, run: dict[str, Any]) -> str | None:
    """The seconds from the first agent to the last judge, exact; None where a time is missing or is none."""
    from evalschema.instants import instant, seconds_shown

    several = run.get("judges")
    judges: list[Any] = several if isinstance(several, list) else [run.get("judge")]
    try:
        begun = min(instant(agent["cli_timestamp"]) for agent in done.agents)
        ended = max(instant(judge["cli_timestamp"]) for judge in judges)
    except (KeyError, TypeError, ValueError, AttributeError):
        return None
    return seconds_shown(ended - begun)


def _time_trouble(done: FinalizeResult) -> str:
    for finding in done.findings:
        if finding.code == "RUN006":
            return f"WARN {finding.message}"
        if finding.code == "RUN007" or "timestamp" in finding.pointer:
            return f"FAIL {finding.message}"
    return "FAIL not known"


def _failure(done: FinalizeResult, page: _Page) -> Iterator[str]:
    from evalschema.finalize import remedies

    check = done.failed_check
    reasons = done.failures(check) if check else ()
    yield page.heading(3, "❌ VALIDATION FAILED")
    for finding in reasons[:20]:
        yield page.fact("Failed Check", f"{check} ({finding.code})")
        yield page.fact("Reason", page.text(finding.message))
        value = "nothing" if finding.found is None else shown(finding.found)
        yield page.fact("Value", f"{page.text(value)} at {page.text(excerpt(finding.pointer, 200)) or 'the document'}")
        yield "\n"
    others = len(done.errors) - len(reasons[:20])
    if others:
        yield f"{others} more error{'s' if others > 1 else ''} in other checks (--format json lists all)\n\n"
    saved = done.path is not None
    yield page.strong("This run was saved, but not as asked." if saved else "This run will NOT be saved.") + "\n\n"
    steps = remedies(reasons)
    if steps:
        yield "To fix:\n"
        for step in steps:
            yield page.item(page.text(step))


def _lies_in(finding: Finding, *tokens: str) -> bool:
    """Whether the finding lies at a place, in it, or above it."""
    have = finding.pointer.split("/")[1:]
    return all(a == b for a, b in zip(have, tokens, strict=False))


def _concerns(finding: Finding, where: tuple[str, ...], member: str) -> bool:
    escaped = member.replace("~", "~0").replace("/", "~1")
    if len(finding.pointer.split("/")) - 1 > len(where):
        return _lies_in(finding, *where, escaped)
    expected = finding.expected if isinstance(finding.expected, list) else [finding.expected]
    # a missing member is told at its holder: it concerns the row of that member alone
    return _lies_in(finding, *where) and (finding.code != "schema.required" or member in expected)


def _cell(value: Any) -> str:
    if value is None:
        return "missing"
    return excerpt(value) if isinstance(value, str) else shown(value)


def _length(text: Any) -> str:
    return f"{len(text)} chars" if isinstance(text, str) else _cell(text)


class _Page(Protocol):
    """How the parts of a report are written."""

    def text(self, text: str) -> str:
        """A text that must not become markup."""
        ...

    def heading(self, level: int, text: str) -> str:
        """A heading; 1 is the highest level."""
        ...

    def strong(self, text: str) -> str:
        """A text that stands out."""
        ...

    def fact(self, name: str, value: str) -> str:
        """A name with its value, on a line."""
        ...

    def item(self, text: str) -> str:
        """One line of a list."""
        ...

    def table(self, head: list[str], rows: list[list[str]]) -> str:
        """A table of cells that are not yet fit for markup."""
        ...

    def rule(self) -> str:
        """What parts the tables from the verdict."""
        ...


class _Markdown:
    def text(self, text: str) -> str:
        return text.translate(_SPECIAL)

    def heading(self, level: int, text: str) -> str:
        return f"{'#' * level} {text}\n\n"

    def strong(self, text: str) -> str:
        return f"**{text}**"

    def fact(self, name: str, value: str) -> str:
        return f"**{name}:** {value}\n"

    def item(self, text: str) -> str:
        return f"- {text}\n"

    def table(self, head: list[str], rows: list[list[str]]) -> str:
        lines = [head, ["-" * len(cell) for cell in head], *([self.text(cell) for cell in row] for row in rows)]
        return "".join(f"| {' | '.join(line)} |\n" for line in lines) + "\n"

    def rule(self) -> str:
        return "\n---\n"


class _Plain:
    def text(self, text: str) -> str:
        return text

    def heading(self, level: int, text: str) -> str:
        return f"{text}\n{'=' * len(text)}\n" if level == 3 else f"{text}\n"

    def strong(self, text: str) -> str:
        return text

    def fact(self, name: str, value: str) -> str:
        return f"{name + ':':<14}{value}\n"

    def item(self, text: str) -> str:
        return f"- {text}\n"

    def table(self, head: list[str], rows: list[list[str]]) -> str:
        widths = [max(len(row[i]) for row in (head, *rows)) for i in range(len(head))]
        lines: list[str] = []
        for row in (head, *rows):
            cells = (f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True))
            lines.append(f"  {'  '.join(cells)}".rstrip())
        return "\n".join(lines) + "\n\n"

    def rule(self) -> str:
        return "\n"
