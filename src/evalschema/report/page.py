"""The report as one page of HTML that asks nothing of a network: style and script are in it, nothing else runs."""

from __future__ import annotations

import os
from base64 import b64encode
from collections import Counter
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from hashlib import sha256
from itertools import islice
from typing import TYPE_CHECKING, Any

from evalschema import __version__
from evalschema.catalog import packaged
from evalschema.codes import find_code
from evalschema.finding import SEVERITIES, Severity
from evalschema.integrations._extras import needed
from evalschema.output import Count
from evalschema.output._groups import grouped, others
from evalschema.output._words import counted, labelled_notes, named, plain, sums
from evalschema.report.charts import Chart, chart
from evalschema.report.verdicts import LEVELS, Level, Verdict, verdict
from evalschema.rules.benchmark import METRICS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from evalschema.finding import Result
    from evalschema.output._groups import Group
    from evalschema.report.figures import Benchmark, EvalTable
    from evalschema.report.gathering import Material

#: Rows, consequences, files to choose from: what a browser shows without labour.
MOST_ROWS = 20_000
MOST_COSTS = 50
MOST_FILES = 2_000
#: Rows that a browser lays out together when they come into view; page.js has the same number.
PART = 50
# From so many benchmarks on, each is folded up: the verdicts at the head lead to them.
FOLDED = 4


@dataclass(frozen=True, slots=True)
class Section:
    """What the page shows of one benchmark."""

    anchor: str
    title: str
    where: str
    verdict: Verdict
    charts: tuple[Chart, ...]
    tables: tuple[EvalTable, ...]
    more_evals: int
    origin: str


@dataclass(frozen=True, slots=True)
class Line:
    """A finding as the page shows it, with those that are like it at other places of the file."""

    severity: Severity
    rank: int
    code: str
    kind: str
    file: int
    path: str
    place: str
    pointer: str
    message: str
    notes: tuple[tuple[str, str], ...]
    like: str


@dataclass(slots=True)
class Cost:
    """A consequence, with how often it was met."""

    text: str
    severity: Severity
    findings: int = 0
    paths: set[str | None] = field(default_factory=set["str | None"])


def render(material: Material, base: str = ".") -> Iterator[str]:
    """The page, in pieces; ModuleNotFoundError says how to get Jinja2 where it is not installed."""
    jinja = needed("jinja2", "report")
    environment = jinja.Environment(
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        undefined=jinja.StrictUndefined,
        auto_reload=False,
    )
    environment.filters["ticked"] = partial(_ticked, markup=jinja.utils.markupsafe)
    template = environment.from_string(_packaged("page.html"))
    pieces: Iterator[str] = template.generate(**_context(material, base, jinja))
    # larger pieces: a call of write for each word of the template would cost more than all the rest
    while piece := "".join(islice(pieces, 1000)):
        yield piece


def _ticked(text: str, markup: Any) -> Any:
    """A text of ours with what stands between backticks as code; everything in it is escaped."""
    parts = [markup.escape(part) for part in text.split("`")]
    if len(parts) % 2 == 0:
        return markup.escape(text)
    code = markup.Markup("<code>{}</code>")
    return markup.Markup("").join(code.format(part) if odd % 2 else part for odd, part in enumerate(parts))


def _packaged(name: str) -> str:
    return packaged(os.path.join("report", name)).decode()


def _context(material: Material, base: str, jinja: Any) -> dict[str, Any]:
    count = Count()
    for result in material.results:
        count.add(result)
    sections = sections_of(material, base)
    style, script = _packaged("page.css"), _packaged("page.js")
    lines = sorted(_lines(material.results, base), key=lambda line: line.rank)
    return {
        # both are ours, and the policy below names their digests: nothing else is obeyed
        "style": jinja.utils.markupsafe.Markup(style),
        "script": jinja.utils.markupsafe.Markup(script),
        "policy": "; ".join(
            (
                "default-src 'none'",
                f"style-src '{_digest(style)}'",
                f"script-src '{_digest(script)}'",
                "base-uri 'none'",
                "form-action 'none'",
                "require-trusted-types-for 'script'",
            )
        ),
        "version": __version__,
        "made": _now(),
        "paths": [named(path, base) for path in material.paths],
        "headline": headline(sections, count),
        "found": sums(count),
        "count": count,
        "sections": sections,
        "folded": len(sections) >= FOLDED,
        "kinds": _kinds(material.results),
        "costs": _costs(material.results),
        "lines": lines[:MOST_ROWS],
        "part_size": PART,
        "total": count.errors + count.warnings + count.infos,
        "left_out": max(0, len(lines) - MOST_ROWS),
        "truncated": sum(result.truncated for result in material.results),
        "severities": [(name, number) for name, number in zip(SEVERITIES, _by_severity(count), strict=True) if number],
        "kinds_found": sorted({line.kind for line in lines if line.kind}),
        "files_found": list(dict.fromkeys(line.path for line in lines))[:MOST_FILES],
        "codes": _codes(count),
    }


def _digest(text: str) -> str:
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"


def _now() -> str:
    """The time to the minute; SOURCE_DATE_EPOCH makes pages of equal files equal."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH", "")
    moment = datetime.fromtimestamp(int(epoch), UTC) if epoch.isdecimal() else datetime.now(UTC)
    return moment.strftime("%Y-%m-%d %H:%M UTC")


def _by_severity(count: Count) -> tuple[int, int, int]:
    return count.errors, count.warnings, count.infos


# --- what can be trusted ------------------------------------------------------------------------------------------


def sections_of(material: Material, base: str) -> list[Section]:
    """The benchmarks with their verdicts, the worst first."""
    ranked = sorted(
        ((verdict(each), each) for each in material.benchmarks), key=lambda pair: list(LEVELS).index(pair[0].level)
    )
    return [_section(number, judged, each, base) for number, (judged, each) in enumerate(ranked, 1)]


def _section(number: int, judged: Verdict, benchmark: Benchmark, base: str) -> Section:
    where = named(benchmark.path or benchmark.root or ".", base)
    drawn = (chart(metric, benchmark.strips_of(metric)) for metric in METRICS)
    if benchmark.gradings:
        origin = "computed from the gradings and timings"
    else:
        origin = "as the benchmark lists them: no grading lies beside it"
    return Section(
        anchor=f"benchmark-{number}",
        title=benchmark.skill or where,
        where=where,
        verdict=judged,
        charts=tuple(each for each in drawn if each is not None),
        tables=benchmark.tables,
        more_evals=max(0, benchmark.evals - len(benchmark.tables)) if benchmark.gradings else 0,
        origin=origin,
    )


def headline(sections: list[Section], count: Count) -> str:
    """The answer in a sentence."""
    levels: Counter[Level] = Counter(section.verdict.level for section in sections)
    if not sections:
        files = counted(count.files, "file")
        if count.errors:
            return f"{files} checked: {counted(count.errors, 'error')}, so that not all of it can be trusted."
        return f"{files} checked: no error was found."
    if len(sections) == 1:
        return {
            "fails": "The benchmark cannot be trusted as it stands.",
            "open": "Whether the benchmark can be trusted cannot be told.",
            "care": "The benchmark can be trusted with care.",
            "holds": "The benchmark can be trusted.",
        }[sections[0].verdict.level]
    words = {
        "holds": "can be trusted",
        "care": "can be trusted with care",
        "fails": "cannot be trusted as they stand" if levels["fails"] != 1 else "cannot be trusted as it stands",
        "open": "cannot be told",
    }
    parts = [f"{levels[level]} {words[level]}" for level in ("holds", "care", "fails", "open") if levels[level]]
    return f"Of {len(sections)} benchmarks, {', '.join(parts)}."


# --- what was found -----------------------------------------------------------------------------------------------


def _lines(results: list[Result], base: str) -> Iterator[Line]:
    for file, result in enumerate(results):
        for group in grouped(result.findings):
            yield _line(file, group, result, base)


def _line(file: int, group: Group, result: Result, base: str) -> Line:
    first = group.first
    path = named(result.path, base)
    return Line(
        severity=first.severity,
        rank=SEVERITIES.index(first.severity),
        code=plain(first.code, 80),
        kind=plain(first.kind or result.kind or "", 80),
        file=file,
        path=path,
        place=f"{path}:{first.line or 1}:{first.column or 1}",
        pointer=plain(first.pointer, 200),
        message=plain(first.message),
        notes=tuple(labelled_notes(first, base)),
        like=others(group),
    )


def _costs(results: list[Result]) -> tuple[list[Cost], int, int]:
    """The consequences, the worst and most frequent first; how many are not listed; findings of which none is known."""
    costs: dict[str, Cost] = {}
    unknown = 0
    for result in results:
        for finding in result.findings:
            if finding.consequence is None:
                unknown += 1
                continue
            text = plain(finding.consequence)
            cost = costs.setdefault(text, Cost(text, finding.severity))
            if SEVERITIES.index(finding.severity) < SEVERITIES.index(cost.severity):
                cost.severity = finding.severity
            cost.findings += 1
            cost.paths.add(result.path)
    ranked = sorted(costs.values(), key=lambda cost: (SEVERITIES.index(cost.severity), -cost.findings, cost.text))
    return ranked[:MOST_COSTS], max(0, len(ranked) - MOST_COSTS), unknown


def _kinds(results: list[Result]) -> list[tuple[str, int, int, int]]:
    """Of every kind: its name, the files, those without an error, and all findings in them."""
    files, sound, findings = Counter[str](), Counter[str](), Counter[str]()
    for result in results:
        kind = result.kind or "not known"
        files[kind] += 1
        sound[kind] += result.ok
        findings[kind] += len(result.findings)
    return [(kind, files[kind], sound[kind], findings[kind]) for kind in sorted(files)]


def _codes(count: Count) -> list[tuple[str, str, str, int, str]]:
    """Every code that was met: code, name, severity, how often, and what it says in general."""
    rows = sorted(count.codes.items(), key=lambda row: (SEVERITIES.index(row[0][2]), -row[1], row[0]))
    return [
        (plain(code, 80), plain(name, 80), severity, number, known.summary if (known := find_code(code)) else "")
        for (code, name, severity), number in rows
    ]
