"""The command: parse, call, print."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, NoReturn

import click

from evalschema import __version__
from evalschema.errors import EvalschemaError, SchemaError, SettingsError, UnknownKindError

EXIT_FINDINGS, EXIT_USAGE, EXIT_OUTPUT, EXIT_NOTHING, EXIT_BUG = 1, 2, 3, 5, 70
_SEVERITIES = ("error", "warning", "info")


@click.group(context_settings={"help_option_names": ["-h", "--help"]}, no_args_is_help=True)
@click.version_option(__version__, message="%(prog)s %(version)s")
def command() -> None:
    """Tell whether result files of agent evaluations can be trusted, and where exactly they can not.

    Start with: evalschema check PATH
    """


class _Formats(click.ParamType[str]):
    """The names of the output formats, looked up only when one is asked for."""

    name = "format"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        from evalschema.output import formats

        if value not in formats():
            self.fail(f"{value!r} is no format: choose one of {', '.join(formats())}", param, ctx)
        return str(value)


@command.command()
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@click.option("--kind", help="Take every document for one of this kind (see `evalschema kinds`).")
@click.option("--schema", "schema_file", metavar="FILE", help="Check against this JSON Schema instead of a shipped kind.")
@click.option("--lines", is_flag=True, help="One document a line (JSON Lines); files named .jsonl and .ndjson always are.")
@click.option("--strict", is_flag=True, help="Make warnings errors; infos stay infos.")
@click.option("--select", multiple=True, metavar="CODE", help="Only these codes, names, or beginnings such as GRD or schema.")
@click.option("--ignore", multiple=True, metavar="CODE", help="Not these codes; may be repeated.")
@click.option("--severity", multiple=True, metavar="CODE=SEVERITY", help="Give a code another severity: error, warning, info, off.")
@click.option("--fail-on", type=click.Choice(_SEVERITIES), help="Exit with 1 from this severity on.  [default: error]")
@click.option("--max-findings", type=click.IntRange(min=1), help="List at most so many findings of one document.  [default: 100]")
@click.option("--config", metavar="FILE", help="Read this configuration file instead of the nearest one.")
@click.option("--no-config", is_flag=True, help="Read no configuration file.")
@click.option("--format", "format_name", type=_Formats(), default="text", show_default=True, help="How to show the findings: text or json.")
@click.option("--elapsed-minimum", type=click.FloatRange(min=0), help="Seconds that a run takes for each agent, at least.  [default: 30]")
@click.option("--extra-labels", is_flag=True, help="Read judges' totals under labels that only some of them use, too.")
def check(paths: tuple[str, ...], **options: Any) -> None:
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
    _print(format_named(options["format_name"]).render(results, color=_wants_color()))
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
                raise SettingsError(f"--severity {pair!r}: write CODE=SEVERITY with one of {', '.join((*_SEVERITIES, OFF))}")
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
                _say(f"{_safe(path)}: no documents found in this folder (`evalschema kinds` shows the names that are looked for)")
        elif excluded(path):
            _say(f"{_safe(path)}: excluded by the configuration")
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


@command.command()
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
def identify(paths: tuple[str, ...]) -> None:
    """Tell the kind of each file, and why it is taken for that."""
    from evalschema.catalog import identify as identity_of
    from evalschema.files import file_bytes
    from evalschema.finding import Finding
    from evalschema.reading import Unreadable, read, without_bom
    from evalschema.walking import walk

    unknown = seen = False
    for path in paths:
        for document in walk(path) if os.path.isdir(path) else (path,):
            seen = True
            data = sys.stdin.buffer.read() if document == "-" else file_bytes(document)
            try:
                if isinstance(data, Finding):
                    kind, why = None, data.message
                else:
                    identity = identity_of(read(without_bom(data)), document)
                    kind, why = identity.kind, identity.why
            except Unreadable as reason:
                kind, why = None, f"no JSON: {reason.message}"
            unknown = unknown or kind is None
            _print([f"{_safe(document)}: {kind or 'unknown'} ({why})\n"])
    sys.exit(EXIT_FINDINGS if unknown else 0 if seen else EXIT_NOTHING)


@command.command()
def kinds() -> None:
    """List the kinds of documents, with what they are and the names of their files."""
    from evalschema import catalog

    width = max(map(len, catalog.kinds()))
    for kind in catalog.kinds():
        schema = catalog.schema(kind)
        _print([f"{kind:<{width}}  {schema['description'].partition('. ')[0].rstrip('.')}\n"])


@command.command()
@click.argument("kind")
@click.option("--bundle", is_flag=True, help="Put the definitions that it refers to inside, so that the file stands alone.")
def schema(kind: str, bundle: bool) -> None:
    """Print the JSON Schema of a kind."""
    import json

    from evalschema.bundling import bundled
    from evalschema.catalog import schema as schema_of

    contents = bundled(kind) if bundle else schema_of(kind)
    _print([json.dumps(contents, indent=2, ensure_ascii=False) + "\n"])


@command.command()
@click.argument("code", required=False)
def explain(code: str | None) -> None:
    """Explain a code or the name of a rule: what it says, why it matters, examples, how to silence it.

    Without a code, list all of them.
    """
    from evalschema.codes import all_codes, find_code
    from evalschema.explaining import page

    if code is None:
        width = max(len(entry.code) for entry in all_codes())
        _print(f"{entry.code:<{width}}  {entry.severity:<8} {entry.summary}\n" for entry in all_codes())
        return
    entry = find_code(code)
    if entry is None:
        from evalschema.settings import known_code

        known_code(code, "explain")
        raise SettingsError(f"explain: {code!r} names several codes; `evalschema explain` lists all")
    _print([page(entry)])


def _wants_color() -> bool:
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def _safe(text: str) -> str:
    from evalschema.excerpt import excerpt

    return excerpt(text, 1000)


def _say(line: str) -> None:
    """A line for the person at the terminal, beside the output."""
    try:
        click.echo(line, err=True)
    except OSError:
        pass  # nobody is there to read it


class _OutputError(Exception):
    """Our own output could not be written."""


def _print(pieces: Any) -> None:
    out = sys.stdout
    for piece in pieces:
        try:
            out.write(piece)
        except OSError as error:
            raise _OutputError(error.strerror) from error
    try:
        out.flush()
    except OSError as error:
        raise _OutputError(error.strerror) from error


def main() -> NoReturn:
    """Run the command line and exit; every way out has its own status."""
    for stream in (sys.stdout, sys.stderr):
        # a console that cannot show a character shows its number, and never makes us fail
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    try:
        command.main(standalone_mode=False)
        status = 0
    except click.exceptions.Exit as stop:
        status = stop.exit_code
    except click.ClickException as wrong:
        wrong.show()
        status = EXIT_USAGE
    except click.Abort:
        status = 130
    except (SettingsError, SchemaError, UnknownKindError) as wrong:
        _say(f"evalschema: {_safe(str(wrong))}")
        status = EXIT_USAGE
    except _OutputError as failure:
        _say(f"evalschema: the output could not be written: {failure}")
        status = EXIT_OUTPUT
    except SystemExit as stop:
        status = stop.code if isinstance(stop.code, int) else 0
    except EvalschemaError as bug:
        _say(f"evalschema: {bug}")
        status = _bug()
    except Exception as bug:  # noqa: BLE001
        _say(f"evalschema: internal error: {type(bug).__name__}: {_safe(str(bug))}; please report it")
        status = _bug()
    _leave(status)


def _bug() -> int:
    if os.environ.get("EVALSCHEMA_DEBUG"):
        import traceback

        traceback.print_exc()
    return EXIT_BUG


def _leave(status: int) -> NoReturn:
    """Exit without Python's own complaint about an output that is gone."""
    try:
        sys.stdout.flush()
    except OSError:
        status = EXIT_OUTPUT
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    sys.exit(status)


if __name__ == "__main__":
    main()
