"""`evalschema check`: files, folders and standard input to findings."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import click

from evalschema.console import EXIT_FINDINGS, EXIT_NOTHING, safe, say, wants_color, write
from evalschema.errors import SchemaError, SettingsError

_SEVERITIES = ("error", "warning", "info")


class _Formats(click.ParamType[str]):
    """The names of the output formats, looked up only when one is asked for."""

    name = "format"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        from evalschema.output import formats

        if value not in formats():
            self.fail(f"{value!r} is no format: choose one of {', '.join(formats())}", param, ctx)
        return str(value)


@click.command()
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@click.option("--kind", help="Take every document for one of this kind (see `evalschema kinds`).")
@click.option(
    "--schema", "schema_file", metavar="FILE", help="Check against this JSON Schema instead of a shipped kind."
)
@click.option(
    "--lines", is_flag=True, help="One document a line (JSON Lines); files named .jsonl and .ndjson always are."
)
@click.option("--strict", is_flag=True, help="Make warnings errors; infos stay infos.")
@click.option(
    "--select", multiple=True, metavar="CODE", help="Only these codes, names, or beginnings such as GRD or schema."
)
@click.option("--ignore", multiple=True, metavar="CODE", help="Not these codes; may be repeated.")
@click.option(
    "--severity",
    multiple=True,
    metavar="CODE=SEVERITY",
    help="Give a code another severity: error, warning, info, off.",
)
@click.option("--fail-on", type=click.Choice(_SEVERITIES), help="Exit with 1 from this severity on.  [default: error]")
@click.option(
    "--max-findings", type=click.IntRange(min=1), help="List at most so many findings of one document.  [default: 100]"
)
@click.option("--config", metavar="FILE", help="Read this configuration file instead of the nearest one.")
@click.option("--no-config", is_flag=True, help="Read no configuration file.")
@click.option(
    "--format",
    "format_name",
    type=_Formats(),
    default="text",
    show_default=True,
    help="How to show the findings: text or json.",
)
@click.option(
    "--elapsed-minimum",
    type=click.FloatRange(min=0),
    help="Seconds that a run takes for each agent, at least.  [default: 30]",
)
@click.option("--extra-labels", is_flag=True, help="Read judges' totals under labels that only some of them use, too.")
def command(paths: tuple[str, ...], **options: Any) -> None:
    """Check files, folders, or standard input (-).

    \b
    Exit status:
      0   nothing at or above --fail-on (default: error)
      1   findings at or above it; missing and unreadable files included
      2   wrong usage, configuration or schema
      3   the output could not be written
      5   no path led to a document
      70  a bug in evalschema
    """  # noqa: D301
    from evalschema.catalog import checked_kind
    from evalschema.output import format_named

    settings = _settings(options)
    kind = checked_kind(options["kind"]) if options["kind"] else None
    schema = _user_schema(options["schema_file"]) if options["schema_file"] else None
    outcome = _Outcome(settings.fail_on)
    results = outcome.watch(_results(paths, kind, schema, settings, lines=options["lines"]))
    write(format_named(options["format_name"]).render(results, color=wants_color()))
    if not outcome.seen:
        sys.exit(EXIT_NOTHING)
    sys.exit(EXIT_FINDINGS if outcome.failed else 0)


class _Outcome:
    """What the exit status depends on, noted while the results go by."""

    def __init__(self, fail_on: str) -> None:
        self.failing = _SEVERITIES[: _SEVERITIES.index(fail_on) + 1]
        self.failed = False
        self.seen = False

    def watch(self, results: Iterator[Any]) -> Iterator[Any]:
        for result in results:
            self.seen = True
            self.failed = self.failed or any(finding.severity in self.failing for finding in result.findings)
            yield result


def _settings(options: dict[str, Any]) -> Any:
    """The configuration file's settings with the switches on top."""
    from evalschema.settings import DEFAULT, OFF, known_code, load_settings

    settings = DEFAULT if options["no_config"] else load_settings(config=options["config"])[0]
    changes: dict[str, Any] = {}
    for name in ("select", "ignore"):
        for code in options[name]:
            known_code(code, f"--{name}")
    if options["select"]:
        changes["select"] = options["select"]
    if options["ignore"]:
        changes["ignore"] = (*settings.ignore, *options["ignore"])
    if options["severity"]:
        changes["severity"] = {**settings.severity}
        for pair in options["severity"]:
            code, equals, severity = pair.partition("=")
            if not equals or severity not in (*_SEVERITIES, OFF):
                raise SettingsError(
                    f"--severity {pair!r}: write CODE=SEVERITY with one of {', '.join((*_SEVERITIES, OFF))}"
                )
            known_code(code, "--severity")
            changes["severity"][code] = severity
    for name in ("fail_on", "max_findings", "elapsed_minimum"):
        if options[name] is not None:
            changes[name] = options[name]
    for name in ("strict", "extra_labels"):
        if options[name]:
            changes[name] = True
    return replace(settings, **changes)


def _user_schema(path: str) -> dict[str, Any]:
    """A schema of the user's own, read as strictly as any document."""
    from evalschema.files import file_bytes
    from evalschema.finding import Finding
    from evalschema.reading import Unreadable, read, without_bom
    from evalschema.verdict import validator

    data = file_bytes(path)
    if isinstance(data, Finding):
        raise SchemaError(f"the schema {path} {data.message}")
    try:
        schema = read(without_bom(data))
    except Unreadable as reason:
        raise SchemaError(f"the schema {path} is no JSON: {reason.message}") from None
    if not isinstance(schema, dict):
        raise SchemaError(f"the schema {path} is no JSON object")
    validator(schema)
    return schema


def _results(paths: Sequence[str], kind: str | None, schema: Any, settings: Any, *, lines: bool) -> Iterator[Any]:
    from evalschema.walking import matcher, walk

    excluded = matcher(settings.exclude)
    for path in paths:
        if path != "-" and os.path.isdir(path):
            empty = True
            for document in walk(path, settings.exclude):
                empty = False
                yield _result(document, kind, schema, settings, lines=lines)
            if empty:
                say(
                    f"{safe(path)}: no documents found in this folder (`evalschema kinds` shows the names that are looked for)"
                )
        elif excluded(path):
            say(f"{safe(path)}: excluded by the configuration")
        else:
            yield _result(path, kind, schema, settings, lines=lines)


def _result(path: str, kind: Any, schema: Any, settings: Any, *, lines: bool) -> Any:
    from evalschema.files import LINES_SUFFIXES, check_bytes, check_file, check_lines_file, file_bytes
    from evalschema.finding import Finding
    from evalschema.walking import settings_for

    if settings.overrides:
        settings, given = settings_for(path, settings)
        kind = kind or given
    if path == "-":
        data = sys.stdin.buffer.read()
        return check_lines_file(data, kind, path="-", schema=schema, settings=settings) if lines else check_bytes(
            data, kind, path="-", schema=schema, settings=settings
        )  # fmt: skip
    if lines or path.endswith(LINES_SUFFIXES):
        content = file_bytes(path)
        if not isinstance(content, Finding):
            return check_lines_file(content, kind, path=path, schema=schema, settings=settings)
    return check_file(path, kind, schema=schema, settings=settings)
