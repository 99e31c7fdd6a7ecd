"""The page of known wrong names: what people write, where, and what it is read as."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from codegen.sources import data, kinds

if TYPE_CHECKING:
    from collections.abc import Iterable

PATH = "docs/reference/names.md"
_HEAD = """<!-- Made from schemas/aliases.json by `make gen`; do not edit. -->

# Wrong names

Names and places that people and models write in place of the documented ones. Where the right member is absent and the
value is what would be expected there, the finding names the right one (`name.alias`, `name.misplaced`), in place of
"is missing". No likeness of letters finds `configuration` behind `config`, or `passed` behind `met`: they are listed.
Slips of the pen (`passd`, `passRate`, `promt`) are found without a list (`name.typo`): the same words, one of them with
a letter wrong. A word too many is no slip, for it means something else: `api_duration_ms` is not `duration_ms`.

*Repair*: **safe** names are put right by `evalschema fix`, for nothing is lost by it; **unsafe** ones only with
`--unsafe`, for the name does not prove what is meant; for the rest only the author can say. *Seen* is how many public
files, without copies, hold the name at that place, and in how many repositories they lie. {often} names were seen in
five files or more; for each of them the values in the files were compared with what the right member holds, and where
they are something else, nothing is suggested.
"""
_COLUMNS = ("in", "written", "right", "what is known about it", "repair", "seen")


def names() -> dict[str, str]:
    """The text of the page."""
    entries = data("aliases")
    often = sum(entry.get("seen", {}).get("files", 0) >= 5 for entry in entries)
    tables = [_section(kind, [entry for entry in entries if entry["kind"] == kind]) for kind in kinds()]
    return {PATH: _HEAD.replace("{often}", str(often)) + "".join(tables)}


def _section(kind: str, entries: list[dict[str, Any]]) -> str:
    if not entries:
        return ""
    ordered = sorted(entries, key=lambda entry: (entry["at"], -entry.get("seen", {}).get("files", 0)))
    return f"\n## {kind}\n\n" + _table(_row(entry) for entry in ordered)


def _table(rows: Iterable[tuple[str, ...]]) -> str:
    lines = [_COLUMNS, ("---",) * len(_COLUMNS), *rows]
    return "".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |\n" for line in lines)


def _row(entry: dict[str, Any]) -> tuple[str, ...]:
    wrong = f"`{entry['wrong']}`" if entry["wrong"] else "the list alone"
    match entry["right"]:
        case None:
            right = f"not one member (see `{entry['instead']}`)" if "instead" in entry else "belongs elsewhere"
        case "":
            right = "the document itself"
        case _ if entry["right"].count("/") == 1 and entry["wrong"]:
            right = f"`{entry['right'][1:]}`"
        case _:
            right = f"`{entry['at'] + entry['right']}`"
    repair = "safe" if entry["safe"] else "unsafe"
    if not entry["right"]:
        repair = "only told" if entry["right"] is None else "safe, when the object holds nothing else"
    seen = entry.get("seen")
    figures = f"{seen['files']:,} in {seen['repositories']}" if seen else ""
    return f"`{entry['at'] or '/'}`", wrong, right, entry["why"], repair, figures
