"""The report of `finalize`: tables for a person, ticks and crosses from checks that were really made."""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING, Any, Protocol

from evalschema.excerpt import shown
from evalschema.output._words import plain

if TYPE_CHECKING:
    from collections.abc import Iterator

    from evalschema.finalize import Check, FinalizeResult
    from evalschema.finding import Finding

TICK, CROSS = "✓", "✗"
# Checks are made in the documented order, and one that rests on a failed one proves nothing.
UNVERIFIED = "not verified"
# How many reasons of a refusal are told; the JSON output lists more.
_REASONS = 20
# How many rows a table has of each sort.
_ROWS = 100
# An underscore between letters is one: escaping it would only spoil names that are copied.
_SPECIAL = re.compile(r"[\\`*~\[\]<>|#&$]|(?<![^\W_])_|_(?![^\W_])")


def report(done: FinalizeResult, *, markdown: bool, elapsed_minimum: float) -> Iterator[str]:
    """The tables, then what became of the run; `markdown` else plain columns.

    A document that could not be read, or is no object, has no tables.
    """
    page: _Page = _Markdown() if markdown else _Plain()
    yield page.heading(3, "Finalize Run Validation")
    if isinstance(done.instance, dict):
        yield from _tables(done, done.instance, page, elapsed_minimum)
    yield page.rule()
    if not done.success:
        yield from _failure(done, page)
        return
    yield page.strong("VALIDATION: PASSED") + "\n\n"
    for finding in done.warnings:
        yield f"{page.strong('Warning:')} {page.text(plain(finding.message))}\n"
    there = " (the same bytes were there)" if done.already_there else ""
    yield f"{TICK} Saved to {plain(done.path or '', 1100)}{there}\n"
    if done.receipt:
        yield f"{TICK} Receipt in {plain(done.receipt, 1100)}\n"


def _tables(done: FinalizeResult, run: dict[str, Any], page: _Page, elapsed_minimum: float) -> Iterator[str]:
    scenario = run.get("scenario")
    yield page.fact("Type", page.text(_cell(run.get("type"))))
    yield page.fact("Scenario", page.text(_cell(scenario.get("name") if isinstance(scenario, dict) else None)))
    yield "\n"
    marks = _Marks(done)
    yield page.heading(4, "Agent Validation")
    yield page.table(["Agent", "Timestamp", "Response", "Tokens", "Status"], _cut(_agents(done, marks)))
    yield page.heading(4, "Judge Validation")
    yield page.table(["Field", "Value", "Status"], [*_cut(_judges(run, marks)), *_cut(_scores(run, marks))])
    yield page.heading(4, "Timestamp Sanity")
    seconds = _elapsed(done, run)
    yield page.item(f"Elapsed: {'unknown' if seconds is None else f'{seconds}s'}")
    yield page.item(f"Expected: ≥{elapsed_minimum * len(done.agents):g}s")
    yield page.item(f"Status: {page.text(_time_status(done))}")


def _cut(rows: Iterator[list[str]]) -> list[list[str]]:
    """The first rows, and how many more there are."""
    kept = list(islice(rows, _ROWS))
    more = sum(1 for _ in rows)
    return [*kept, [f"and {more} more", *([""] * (len(kept[0]) - 1))]] if more else kept


def _agents(done: FinalizeResult, marks: _Marks) -> Iterator[list[str]]:
    if not done.agents:
        yield ["missing", "", "", "", marks.of("agents", "agents")]
    for index, agent in enumerate(done.agents):
        status = marks.of("agents", "agents", str(index))
        if not isinstance(agent, dict):
            yield [f"agent {index + 1}", _cell(agent), "", "", status]
            continue
        yield [
            _cell(agent.get("spec")),
            _cell(agent.get("cli_timestamp")),
            _length(agent.get("response_text")),
            _tokens(agent),
            status,
        ]


def _judges(run: dict[str, Any], marks: _Marks) -> Iterator[list[str]]:
    several = run.get("judges")
    judges: list[Any] = several if isinstance(several, list) else [run.get("judge")]
    for index, judge in enumerate(judges):
        where = ("judges", str(index)) if isinstance(several, list) else ("judge",)
        name = f" {index + 1}" if isinstance(several, list) else ""
        if not isinstance(judge, dict):
            yield [f"Judge{name}", _cell(judge), marks.of("judge", *where)]
            continue
        stamp, text = _cell(judge.get("cli_timestamp")), _length(judge.get("response_text"))
        yield [f"Timestamp{name}", stamp, marks.of("judge", *where, "cli_timestamp")]
        yield [f"Response{name}", text, marks.of("judge", *where, "response_text")]
        counts = [marks.of("judge", *where, member) for member in ("input_tokens", "output_tokens")]
        yield [f"Tokens{name}", _tokens(judge), CROSS if CROSS in counts else counts[0]]


def _scores(run: dict[str, Any], marks: _Marks) -> Iterator[list[str]]:
    scores = run.get("scores")
    for index, claims in enumerate(scores if isinstance(scores, list) else [scores]):
        where = ("scores", str(index)) if isinstance(scores, list) else ("scores",)
        if not isinstance(claims, dict) or not claims:
            yield ["Score", _cell(claims), marks.of("scores", *where)]
            continue
        title = f"Score {index + 1}" if isinstance(scores, list) else "Score"
        for spec, score in claims.items():
            name = title if len(claims) == 1 else f"{title} {_cell(spec)}"
            yield [name, f"{_cell(score)}/100", marks.of("scores", *where, spec)]


class _Marks:
    """What the rows say: a cross where an error lies at their place, in it or above it; a tick where none can."""

    def __init__(self, done: FinalizeResult) -> None:
        from evalschema.finalize import CHECKS, places_of

        failed = done.failed_check
        self._open = CHECKS[CHECKS.index(failed) + 1 :] if failed else ()
        self._at = {place for finding in done.errors for place in places_of(finding)}
        self._within = {place[:depth] for place in self._at for depth in range(len(place) + 1)}

    def of(self, check: Check, *tokens: str) -> str:
        """The mark of the row about a place that belongs to a check."""
        # an error of the whole document fails the checks of input, and so leaves the others open
        if tokens in self._within or any(tokens[:depth] in self._at for depth in range(1, len(tokens))):
            return CROSS
        return UNVERIFIED if check in self._open else TICK


def _elapsed(done: FinalizeResult, run: dict[str, Any]) -> str | None:
    """The seconds from the first agent to the last judge, exact; None where a time is missing or is none."""
    from evalschema.instants import instant, seconds_shown

    several = run.get("judges")
    judges: list[Any] = several if isinstance(several, list) else [run.get("judge")]
    try:
        begun = min(instant(agent["cli_timestamp"]) for agent in done.agents)
        ended = max(instant(judge["cli_timestamp"]) for judge in judges)
    except (KeyError, TypeError, ValueError):
        return None
    return seconds_shown(ended - begun)


def _time_status(done: FinalizeResult) -> str:
    from evalschema.finalize import places_of

    if done.timestamp_sane:
        return f"{TICK} PASS"
    for finding in done.findings:
        if finding.code == "RUN006":
            return f"{CROSS} WARN {plain(finding.message)}"
        stamped = any(place[-1:] == ("cli_timestamp",) for place in places_of(finding))
        if finding.severity == "error" and stamped:
            return f"{CROSS} FAIL {plain(finding.message)}"
    return UNVERIFIED


def _failure(done: FinalizeResult, page: _Page) -> Iterator[str]:
    from evalschema.finalize import remedies

    check = done.failed_check
    reasons = done.failures(check)[:_REASONS] if check else ()
    yield page.heading(3, "❌ VALIDATION FAILED")
    for finding in reasons:
        yield page.fact("Failed Check", f"{check} ({finding.code})")
        yield page.fact("Reason", page.text(plain(finding.message)))
        where = f" at {plain(finding.pointer, 200)}" if finding.pointer else ""
        where += f" (line {finding.line})" if finding.line else ""
        yield page.fact("Value", page.text(_value(done, finding) + where))
        yield "\n"
    others = len(done.errors) - len(reasons)
    if others:
        yield f"{others} more error{'s' if others > 1 else ''}; --format json lists them\n\n"
    saved = done.path is not None
    yield page.strong("This run was saved, but not as asked." if saved else "This run will NOT be saved.") + "\n\n"
    yield "To fix:\n"
    for step in remedies(reasons):
        yield page.item(step)


def _value(done: FinalizeResult, finding: Finding) -> str:
    """What was provided: what the finding names, else what lies at its place."""
    if finding.found is not None:
        return plain(shown(finding.found))
    if done.instance is None:
        return "no JSON"
    from evalschema.finalize import places_of

    value = done.instance
    for token in places_of(finding)[0]:
        if isinstance(value, list) and token.isdecimal() and int(token) < len(value):
            value = value[int(token)]
        elif isinstance(value, dict) and token in value:
            value = value[token]
        else:
            return "nothing"
    return plain(shown(value))


def _cell(value: Any) -> str:
    if value is None:
        return "missing"
    return plain(value, 60) if isinstance(value, str) else shown(value)


def _length(text: Any) -> str:
    return f"{len(text)} chars" if isinstance(text, str) else _cell(text)


def _tokens(call: dict[str, Any]) -> str:
    return f"in={_cell(call.get('input_tokens'))} out={_cell(call.get('output_tokens'))}"


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
        return _SPECIAL.sub(r"\\\g<0>", text)

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
