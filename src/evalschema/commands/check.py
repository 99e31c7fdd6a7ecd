"""`evalschema check`: files, folders and standard input to findings."""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NoReturn, cast

import click

from evalschema.commands._inputs import Inputs, Sources
from evalschema.commands._judging import Named, judging, settings_of
from evalschema.commands._progress import is_wanted
from evalschema.console import EXIT_BUG, EXIT_FINDINGS, EXIT_NOTHING, columns, safe, say, wants_color, write
from evalschema.errors import SchemaError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from evalschema._generated.kinds import Kind
    from evalschema.finding import Result, Severity
    from evalschema.output._outlets import Outlet
    from evalschema.repository import Changed
    from evalschema.settings import Settings

_SEVERITIES: tuple[Severity, ...] = ("error", "warning", "info")


def _kinds() -> Iterable[str]:
    from evalschema.catalog import kinds

    return kinds()


def _formats() -> Iterable[str]:
    from evalschema.output import formats

    return formats()


class _Check(click.Command):
    """A command in which `--changed` may stand alone; what follows it is always a path."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        end = args.index("--") if "--" in args else len(args)
        whole = ["--changed=HEAD" if each == "--changed" else each for each in args[:end]]
        return super().parse_args(ctx, whole + args[end:])


class _Names(click.Path):
    """Paths that nobody looks at before their turn: there may be many, and what leads nowhere gets a finding."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The path as it was written."""
        del param, ctx
        return value


@click.command(cls=_Check)
@click.argument("paths", nargs=-1, required=True, metavar="PATH...", type=_Names())
@click.option(
    "--kind",
    type=Named("kind", _kinds),
    metavar="KIND",
    help="Take every document for one of this kind (see `evalschema kinds`).",
)
@click.option(
    "--schema",
    "schema_file",
    metavar="FILE",
    type=click.Path(readable=False),
    help="Check against this JSON Schema instead of a shipped kind.",
)
@click.option(
    "--lines", is_flag=True, help="One document a line (JSON Lines); files named .jsonl and .ndjson always are."
)
@click.option(
    "--by-shape",
    is_flag=True,
    help="Leave out files whose name others use, too (metrics.json), unless their members are those of a kind.",
)
@click.option("--no-workspace", is_flag=True, help="In folders check each file by itself, and not across files.")
@click.option(
    "--changed",
    metavar="[=REV]",
    help="Check only what has changed since the last commit, or since the current branch left REV, and all of a "
    "workspace in which anything has.",
)
@click.option(
    "--list-files", is_flag=True, help="Check nothing: list the files that are read, missing, not understood."
)
@click.option(
    "--baseline",
    metavar="FILE",
    type=click.Path(readable=False),
    help="Leave out the findings that this file accepts; only new ones show and count.",
)
@click.option(
    "--write-baseline",
    metavar="FILE",
    type=click.Path(readable=False),
    help="Accept all that is found now: write it to this file.",
)
@click.option(
    "--format",
    "format_name",
    type=Named("format", _formats),
    metavar="FORMAT",
    help="Show the findings as text, full (with the lines of the file), concise, json, jsonl, github, gitlab, junit, "
    "sarif, markdown or agent.  [default: text, and github beside it under GITHUB_ACTIONS]",
)
@click.option(
    "--output",
    "outputs",
    multiple=True,
    metavar="FILE",
    type=click.Path(readable=False),
    help="Write them to a file as well, in the format that its name ends in, or FORMAT=FILE; may be repeated.",
)
@click.option(
    "--jobs",
    metavar="N",
    type=click.IntRange(min=1),
    help="Check in so many processes at once.  [default: one for each core where there is much to check, else 1]",
)
@click.option("--statistics", is_flag=True, help="Count every code at the end.")
@click.option("-q", "--quiet", is_flag=True, help="Show only what makes the check fail, and nothing when nothing does.")
@click.option(
    "--color",
    type=click.Choice(("auto", "always", "never")),
    default="auto",
    show_default=True,
    help="Colour the text; auto looks at the terminal, NO_COLOR and FORCE_COLOR.",
)
@judging
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
    from evalschema.output._fit import fitted
    from evalschema.output._outlets import deliver

    settings = settings_of(options)
    kind = cast("Kind", checked_kind(options["kind"])) if options["kind"] is not None else None
    schema = _user_schema(options["schema_file"]) if options["schema_file"] else None
    if options["list_files"]:
        if options["changed"] is not None:
            raise click.UsageError("--list-files lists all files: leave out --changed")
        _list_files(paths, settings)
    sources = Sources(lines=options["lines"])
    outlets = _outlets(options, settings, sources)
    accepted = _accepted(options, sources)
    # what is accepted must not take the room of what is new
    looking = replace(settings, max_findings=sys.maxsize) if accepted else settings
    together = not options["no_workspace"]
    by_shape, jobs = options["by_shape"], options["jobs"]
    changed = _changed(options["changed"], paths)
    inputs = Inputs(sources, looking, kind, schema, by_shape=by_shape, together=together, jobs=jobs, changed=changed)
    if is_wanted() and not options["quiet"]:
        inputs.watch()
    results = inputs.results(paths)
    if accepted:
        results = map(accepted.rest, results)
    outcome = _Outcome(settings.fail_on)
    shown = (fitted(result, settings.max_findings) for result in outcome.watch(results))
    deliver(shown, outlets, before=inputs.hide if sys.stdout.isatty() else None)
    if accepted:
        accepted.close()
    if inputs.crashed:
        sys.exit(EXIT_BUG)
    if not outcome.seen and not options["by_shape"] and not changed:
        sys.exit(EXIT_NOTHING)
    sys.exit(EXIT_FINDINGS if outcome.failed else 0)


def _changed(revision: str | None, paths: Sequence[str]) -> Changed | None:
    """What has changed since a revision; None when that was not asked."""
    if revision is None:
        return None
    if "-" in paths:
        raise click.UsageError("--changed asks git about files, and standard input is none")
    from evalschema.repository import Changed

    return Changed(revision)


def _list_files(paths: Sequence[str], settings: Settings) -> NoReturn:
    """List the files of folders, and exit: a file that was named needs no listing."""
    from evalschema.workspace.listing import listing

    lines = [line for path in paths if os.path.isdir(path) for line in listing(path, settings)]
    write(f"{line}\n" for line in lines)
    sys.exit(0 if lines else EXIT_NOTHING)


_KEYWORDS = frozenset(
    {
        "$ref", "$dynamicRef", "$defs", "$schema", "$id", "allOf", "anyOf", "oneOf", "not", "if", "type",
        "enum", "const", "required", "properties", "patternProperties", "additionalProperties", "propertyNames",
        "unevaluatedProperties", "items", "prefixItems", "contains", "unevaluatedItems", "minimum", "maximum",
        "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minLength", "maxLength", "pattern", "format",
        "minItems", "maxItems", "uniqueItems", "minProperties", "maxProperties", "dependentRequired",
        "dependentSchemas", "dependencies", "title", "description", "$comment",
    }
)  # fmt: skip


class _Outcome:
    """What the exit status depends on, noted while the results go by."""

    def __init__(self, fail_on: str) -> None:
        self.failing = _SEVERITIES[: _SEVERITIES.index(fail_on) + 1]
        self.failed = False
        self.seen = False

    def watch(self, results: Iterator[Result]) -> Iterator[Result]:
        for result in results:
            self.seen = True
            self.failed = self.failed or any(finding.severity in self.failing for finding in result.findings)
            yield result


def _user_schema(path: str) -> dict[str, Any]:
    """A schema of the user's own, read as strictly as any document."""
    from evalschema.files import file_bytes
    from evalschema.finding import Finding
    from evalschema.reading import Unreadable, read, without_bom
    from evalschema.validator import usable

    data = file_bytes(path)
    if isinstance(data, Finding):
        raise SchemaError(f"the schema {path} {data.message}")
    try:
        schema = read(without_bom(data))
    except Unreadable as reason:
        raise SchemaError(f"the schema {path} is no JSON: {reason.message}") from None
    if not isinstance(schema, dict):
        raise SchemaError(f"the schema {path} is no JSON object")
    usable(schema)
    if schema and not _KEYWORDS & schema.keys():
        raise SchemaError(f"{path} is no JSON Schema, it has none of its keywords: is it a document to be checked?")
    return schema


def _accepted(options: dict[str, Any], sources: Sources) -> _Accepted | None:
    if options["baseline"] or options["write_baseline"]:
        return _Accepted(options["baseline"], options["write_baseline"], sources)
    return None


class _Accepted:
    """What a baseline leaves of the results, and what is said about it at the end."""

    def __init__(self, baseline: str | None, record: str | None, sources: Sources) -> None:
        from evalschema.baseline import Baseline, Record

        self._sources = sources
        self._record = Record(record) if record else None
        self._baseline = Baseline(baseline) if baseline and not record else None

    def rest(self, result: Result) -> Result:
        data = self._sources.again(result.path) if result.findings else None
        lines = self._sources.has_lines(result.path)
        if self._record:
            result = self._record.accept(result, data, lines=lines)
        if self._baseline:
            result = self._baseline.new(result, data, lines=lines)
        return result

    def close(self) -> None:
        from evalschema.output._words import counted

        if self._record:
            self._record.write()
            accepted = counted(len(self._record.entries), "finding")
            say(f"{safe(self._record.path)}: {accepted} accepted from now on")
        if self._baseline:
            if self._baseline.met:
                say(f"baseline: {counted(self._baseline.met, 'accepted finding')} not shown")
            stale = self._baseline.stale()
            for entry in stale[:5]:
                say(f"baseline: {entry.code} at {safe(entry.pointer) or 'the root'} of {safe(entry.path)} is gone")
            if stale:
                say(f"baseline: nothing is left of {counted(len(stale), 'finding')}; --write-baseline renews the file")


def _outlets(options: dict[str, Any], settings: Settings, sources: Sources) -> list[Outlet]:
    """Where the output goes, and in which format."""
    from evalschema.output import View, format_named, format_of_file
    from evalschema.output._outlets import Outlet

    failing = frozenset(_SEVERITIES[: _SEVERITIES.index(settings.fail_on) + 1])
    file_view = View(failing=failing, statistics=options["statistics"], source=sources.again)
    quiet = options["quiet"]
    view = replace(file_view, color=wants_color(options["color"]), width=columns(), brief=quiet)
    names = [options["format_name"] or "text"]
    if not options["format_name"] and os.environ.get("GITHUB_ACTIONS") == "true":
        names.append("github")
    shown = [Outlet(format_named(name), view, failing_alone=quiet) for name in names]
    return [*shown, *(Outlet(each, file_view, path) for each, path in map(format_of_file, options["outputs"]))]
