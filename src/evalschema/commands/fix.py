"""`evalschema fix`: repairs what can be repaired, in the files themselves or as a diff."""

from __future__ import annotations

import os
import sys
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

import click

from evalschema.commands._inputs import Sources
from evalschema.commands._judging import judging, settings_of
from evalschema.console import EXIT_FINDINGS, EXIT_NOTHING, EXIT_OUTPUT, output, safe, say, write

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from evalschema._generated.kinds import Kind
    from evalschema.finding import Result
    from evalschema.fix import Repair
    from evalschema.settings import Settings

_SEVERITIES = ("error", "warning", "info")


@click.command()
@click.argument("paths", nargs=-1, required=True, metavar="PATH...", type=click.Path(readable=False))
@click.option("--diff", "as_diff", is_flag=True, help="Show what would change, and write nothing.")
@click.option(
    "--unsafe",
    is_flag=True,
    help="Also compute numbers anew from the rest of the document, and rename what probably means a known member.",
)
@click.option("--kind", metavar="KIND", help="Take every document for one of this kind (see `evalschema kinds`).")
@click.option(
    "--lines", is_flag=True, help="One document a line (JSON Lines); files named .jsonl and .ndjson always are."
)
@judging
def command(paths: tuple[str, ...], *, as_diff: bool, unsafe: bool, **options: Any) -> None:
    """Repair files, files in folders, or standard input (-).

    What loses nothing is repaired: wrong names and places, wrappers, byte order marks. Everything else in a file stays
    as it is written. Each change is checked, and undone where it did not help.

    \b
    Exit status:
      0   nothing at or above `fail-on` (default: error) is left; with --diff: nothing would change
      1   findings are left, or a file could not be read; with --diff: something would change
      2   wrong usage or configuration
      3   a file or the output could not be written
      5   no path led to a document
      70  a bug in evalschema
    """  # noqa: D301
    from evalschema.catalog import checked_kind

    settings = settings_of(options)
    kind = cast("Kind", checked_kind(options["kind"])) if options["kind"] else None
    fixing = _Fixing(Sources(lines=options["lines"]), settings, kind, unsafe=unsafe, as_diff=as_diff)
    for path in _documents(paths, settings):
        fixing.fix(path)
    fixing.close()
    sys.exit(fixing.status())


def _documents(paths: Sequence[str], settings: Settings) -> Iterator[str]:
    """The files that the paths lead to, and - for standard input."""
    from evalschema.walking import matcher, walk

    excluded = matcher(settings.exclude)
    for path in paths:
        if path != "-" and os.path.isdir(path):
            yield from walk(path, settings.exclude)
        elif excluded(path):
            say(f"{safe(path)}: excluded by the configuration")
        else:
            yield path


@dataclass
class _Counts:
    """How many files there were, how many changed, and what went wrong."""

    files: int = 0
    repaired: int = 0
    further: int = 0
    failed: bool = False
    unwritten: bool = False


class _Fixing:
    def __init__(self, sources: Sources, settings: Settings, kind: Kind | None, *, unsafe: bool, as_diff: bool) -> None:
        self.sources = sources
        self.settings = settings
        self.kind: Kind | None = kind
        self.unsafe = unsafe
        self.as_diff = as_diff
        self.counts = _Counts()

    def fix(self, path: str) -> None:
        """Repair one file and tell about it."""
        self.counts.files += 1
        data = self.sources.read(path)
        if not isinstance(data, bytes):
            self.counts.failed = True
            say(f"{_name(path)}: {data.message}")
            return
        done = self._repaired(path, data, unsafe=self.unsafe)
        changed = done.data != data
        self.counts.repaired += changed
        self.counts.failed |= changed if self.as_diff else self._fails(done.after)
        if self.as_diff:
            if changed:
                write(_diff(path, data, done.data))
        elif path == "-":
            _pass_on(done.data)
        elif changed and not self._written(path, data, done.data):
            return
        self._tell(path, done)

    def _repaired(self, path: str, data: bytes, *, unsafe: bool) -> Repair:
        from evalschema.files import configured
        from evalschema.fix import repair, repair_lines

        kind, settings = configured(path, self.kind, self.settings)
        mend = repair_lines if self.sources.has_lines(path) else repair
        return mend(data, kind, path=path, settings=settings, unsafe=unsafe)

    def _written(self, path: str, old: bytes, new: bytes) -> bool:
        from evalschema.fix.replacing import NotReplaced, replace_file

        try:
            replace_file(path, old, new)
        except NotReplaced as refusal:
            self.counts.unwritten = True
            self.counts.repaired -= 1
            say(f"{_name(path)}: {safe(str(refusal))}")
            return False
        return True

    def _fails(self, result: Result) -> bool:
        failing = _SEVERITIES[: _SEVERITIES.index(self.settings.fail_on) + 1]
        return any(finding.severity in failing for finding in result.findings)

    def _tell(self, path: str, done: Repair) -> None:
        if not self.unsafe and self._fails(done.after):
            self.counts.further += self._repaired(path, done.data, unsafe=True).data != done.data
        left = _left(done.after)
        if not done.steps and not left:
            return
        codes = Counter(step.code for step in done.steps)
        made = ", ".join(f"{code} {count}" if count > 1 else code for code, count in sorted(codes.items()))
        repairs = f"{_count(len(done.steps), 'repair')} ({made})" if made else "no repair is known"
        line = f"{_name(path)}: {repairs}, {left or 'no finding'} left"
        if self.as_diff or path == "-":
            say(line)
        else:
            write([line + "\n"])

    def close(self) -> None:
        """Say at the end what was done in all."""
        counts = self.counts
        verb = "would be repaired" if self.as_diff else "repaired"
        if counts.files:
            say(f"{counts.repaired:,} of {_count(counts.files, 'file')} {verb}")
        else:
            say("no documents found (`evalschema kinds` lists the names that are looked for)")
        if counts.further:
            say(f"{_count(counts.further, 'file')} could be repaired further: look at --unsafe --diff")

    def status(self) -> int:
        """The exit status."""
        if self.counts.unwritten:
            return EXIT_OUTPUT
        if not self.counts.files:
            return EXIT_NOTHING
        return EXIT_FINDINGS if self.counts.failed else 0


def _name(path: str) -> str:
    return "standard input" if path == "-" else safe(os.path.normpath(path))


def _left(result: Result) -> str:
    """How much is left, by severity; "" for nothing."""
    parts = ((result.errors, "error"), (result.warnings, "warning"), (result.infos, "info"))
    return ", ".join(_count(len(findings), noun) for findings, noun in parts if findings)


def _count(n: int, noun: str) -> str:
    return f"1 {noun}" if n == 1 else f"{n:,} {noun}s"


def _pass_on(data: bytes) -> None:
    """The document to standard output, byte for byte."""
    with output(None):
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()


def _diff(path: str, old: bytes, new: bytes) -> Iterator[str]:
    """A unified diff that `patch` can apply; where a terminal or the log of a CI service shows it, made harmless."""
    from difflib import unified_diff

    is_shown = sys.stdout.isatty() or bool(os.environ.get("CI"))
    before, after = (_lines(data.decode("utf-8", "backslashreplace")) for data in (old, new))
    for line in unified_diff(before, after, _name(path), _name(path)):
        text, end = (line[:-1], "\n") if line.endswith("\n") else (line, "\n\\ No newline at end of file\n")
        yield (_harmless(text) if is_shown else text) + end


def _lines(text: str) -> list[str]:
    """The lines with their ends; only a line feed ends one."""
    lines = text.split("\n")
    return [line + "\n" for line in lines[:-1]] + ([lines[-1]] if lines[-1] else [])


def _harmless(line: str) -> str:
    """A line of a document as a terminal may see it, and no command to the runner of a CI service."""
    from evalschema.output._words import plain

    end = "\r" if line.endswith("\r") else ""
    parts: list[Any] = [plain(part, len(part) * 6 + 1) for part in line.removesuffix("\r").split("\t")]
    return "\t".join(parts) + end
