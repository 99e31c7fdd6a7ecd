"""`evalschema init`: what a repository needs to check its files by itself, written where nothing lies yet."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

import click

from evalschema import __version__
from evalschema.console import opened, output, safe, write

if TYPE_CHECKING:
    from collections.abc import Iterator

# Of a folder of the repository's own: editors take schemas from the disk, and need no network.
_SCHEMAS = ".evalschema/schemas"
_CONFIGURATION = """\
# Settings of evalschema; what is commented out shows the default, or an example.
# Switches on the command line win over this file.

# true: warnings are errors
# strict = false

# from which severity on the check fails: "error", "warning" or "info"
# fail-on = "error"

# codes, names of rules, or the letters that codes begin with
# select = ["GRD", "BEN", "schema", "name", "json", "kind"]
# ignore = ["TIM004"]

# files that are not looked at: globs as in .gitignore
# exclude = ["vendor/", "**/drafts/"]

# seconds that a run takes for each agent, at least
# elapsed-minimum = 30

# true: read judges' totals also under labels that only some judges use
# extra-labels = false

# how many findings are listed for one document
# max-findings = 100

# a code can have another severity: "error", "warning", "info" or "off"
# [severity]
# "schema.enum" = "error"

# other settings for the files that a glob fits, and their kind where neither name nor members tell it
# [[overrides]]
# path = "archive/**/summary.json"
# kind = "benchmark"
# ignore = ["BEN009"]
# severity = { "schema.format" = "info" }
"""
_HOOK = """\
  - repo: local
    hooks:
      - id: evalschema
        name: evalschema
        entry: evalschema check --by-shape
        language: python
        additional_dependencies: ["evalschema=={version}"]
        files: |
          (?x)(
{patterns}
          )
        require_serial: true
        verbose: true
"""


@click.command()
@click.argument("folder", default=".", type=click.Path(file_okay=False, exists=True))
@click.option("--dry-run", is_flag=True, help="Say what would be written, and write nothing.")
def command(folder: str, *, dry_run: bool) -> None:
    """Write a pre-commit hook, settings for VS Code, and a commented evalschema.toml into a repository.

    Files that exist are never changed: what they lack is printed instead.
    """
    hook, associations = _hook(), _associations()
    settings = '{\n  "json.schemas": [\n' + associations + "\n  ]\n}\n"
    files = (
        (".pre-commit-config.yaml", f"repos:\n{hook}", f"; to be added under repos:\n\n{hook}"),
        ("evalschema.toml", _CONFIGURATION, ""),
        (".vscode/settings.json", settings, f'; to be added to "json.schemas":\n\n{associations}\n'),
    )
    for name, text, missing in files:
        path = os.path.normpath(os.path.join(folder, name))
        done = _put(path, text, dry_run=dry_run) or f"there already, and left alone{missing}"
        write([f"{safe(path)}: {done}\n"])
    write(_schemas(os.path.normpath(os.path.join(folder, _SCHEMAS)), dry_run=dry_run))
    write(["next: pre-commit install, and evalschema check .\n"])


def _schemas(folder: str, *, dry_run: bool) -> Iterator[str]:
    """Writes the schemas of all kinds, each standing alone; yields what was done."""
    from evalschema.bundling import bundled
    from evalschema.catalog import file_name, kinds

    count = 0
    for kind in kinds():
        path = os.path.join(folder, file_name(kind))
        done = _put(path, json.dumps(bundled(kind), indent=2, ensure_ascii=False) + "\n", dry_run=dry_run)
        count += done is not None
        if done is None:
            yield f"{safe(path)}: there already, and not as this version has it: delete it to renew it\n"
    yield f"{safe(folder)}: the schemas of {count} kinds {'would be' if dry_run else 'are'} there\n"


def _put(path: str, text: str, *, dry_run: bool) -> str | None:
    """Write the file if nothing lies there, and say so; None when something else does."""
    if os.path.lexists(path):
        return "there already" if _has(path, text) else None
    if not dry_run:
        with output(path):
            os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
        with opened(path) as file:
            file.write(text)
    return "would be written" if dry_run else "written"


def _hook() -> str:
    from evalschema.catalog import kinds

    patterns = sorted({pattern for kind in kinds() for pattern in _patterns(kind)})
    lines = "\n".join(f"            {'| ' if number else ''}{pattern}" for number, pattern in enumerate(patterns))
    return _HOOK.format(version=__version__, patterns=lines)


def _patterns(kind: str) -> list[str]:
    """The patterns of the names that files of a kind bear, the telling ones first."""
    from evalschema.catalog import schema

    definitions = schema(kind)["$defs"]
    return [definitions[name]["pattern"] for name in ("Path", "GeneralPath") if name in definitions]


def _associations() -> str:
    """Which files VS Code checks by which schema: those of telling names, or of general ones if a kind has no other."""
    from evalschema.catalog import file_name, kinds
    from evalschema.commands._globs import globs

    named = {kind: patterns[0] for kind in kinds() if (patterns := _patterns(kind))}
    entries = [{"fileMatch": globs(named[kind]), "url": f"./{_SCHEMAS}/{file_name(kind)}"} for kind in named]
    return ",\n".join(f"    {json.dumps(entry)}" for entry in entries)


def _has(path: str, text: str) -> bool:
    from evalschema.files import file_bytes

    return file_bytes(path) == text.encode()
