"""Evals: identifiers that identify, evals that can be graded, none of them twice."""

from __future__ import annotations

import os
from functools import cache
from typing import TYPE_CHECKING, Any

from evalschema.catalog import bundle
from evalschema.excerpt import shown
from evalschema.finding import pointer
from evalschema.rules._beside import beside
from evalschema.rules._engine import Violation, rule
from evalschema.rules._skill import skill_folder, skill_name

if TYPE_CHECKING:
    from collections.abc import Iterator

# what may differ between two evals that are one and the same task
_LABELS = frozenset({"id", "name", "eval_name"})


@rule("EVL001", needs=("/evals/*/id",))
def repeated_eval_id(document: Any) -> list[Violation] | None:
    """Two evals share an id.

    Folders, gradings and benchmarks name an eval by its id alone, so the results of both evals end up under one name,
    and nobody can tell later which task a grade belongs to. The number 1 and the text "1" are different ids; 1 and
    1.0 are the same.

    Give every eval an id of its own. Renumber the later one, not the earlier one: results may refer to it already.
    """
    ids = [entry["id"] for entry in document["evals"]]
    if len(set(ids)) == len(ids):
        return None
    first: dict[Any, int] = {}
    found: list[Violation] = []
    for index, id_ in enumerate(ids):
        earlier = first.setdefault(id_, index)
        if earlier != index:
            found.append(
                Violation(
                    ("evals", index, "id"),
                    f"the id {shown(id_)} is that of {pointer(('evals', earlier))} already: give each eval its own",
                    found=id_,
                    related=(("evals", earlier, "id"),),
                )
            )
    return found


@rule("EVL002", "info", each="/evals", needs=("/expectations", "/assertions"))
def eval_without_checks(entry: Any) -> list[Violation] | None:
    """An eval has nothing that its result could be graded by.

    It names neither `expectations` nor `assertions`, or only empty lists. Prompts are often written first and the
    checks later, so this is a remark: until checks are there, a run of this eval can be looked at but not graded.

    Write `expectations`: a list of statements, each of which can be verified by itself.
    """
    if (
        entry.get("expectations")
        or entry.get("assertions")
        or any(_is_filled_list(entry.get(n)) for n in _other_names())
    ):
        return None
    return [
        Violation(
            (),
            "there is nothing to grade this eval by: write expectations, statements that can be verified one by one",
        )
    ]


@cache
def _other_names() -> tuple[str, ...]:
    """The wrong names under which expectations are known to stand: a finding of their own says so."""
    aliases = bundle()["aliases"]
    return tuple(each["wrong"] for each in aliases if each["kind"] == "evals" and each["right"] == "/expectations")


def _is_filled_list(value: Any) -> bool:
    return isinstance(value, list) and bool(value)


@rule("EVL003", "warning", needs=("/evals/*/prompt",))
def copied_eval(document: Any) -> Iterator[Violation] | None:
    """An eval is a copy of another: everything but its id and name is equal.

    Both ask the same and are graded by the same, so the task counts twice in every mean. Evals that share a prompt
    and differ in a fixture or an expectation are no copies.

    Delete one, or finish what the copy was begun for. To run a task several times, run its one eval several times.
    """
    evals = document["evals"]
    if len({entry["prompt"] for entry in evals}) == len(evals):
        return None
    return _copies(evals)


def _copies(evals: list[Any]) -> Iterator[Violation]:
    first: dict[Any, int] = {}
    for index, entry in enumerate(evals):
        earlier = first.setdefault(
            _comparable({name: value for name, value in entry.items() if name not in _LABELS}), index
        )
        # where the id is the same as well, EVL001 has said it
        if earlier != index and _comparable(evals[earlier].get("id")) != _comparable(entry.get("id")):
            yield Violation(
                ("evals", index),
                f"this eval is {pointer(('evals', earlier))} once more, with another id: delete it or change it",
                related=(("evals", earlier),),
            )


def _comparable(value: Any) -> Any:
    """A hashable stand-in that is equal exactly when the JSON values are: 1 and 1.0, but not 1 and true."""
    match value:
        case dict():
            return "object", frozenset((name, _comparable(each)) for name, each in value.items())
        case list():
            return "list", tuple(_comparable(each) for each in value)
        case bool():
            return "boolean", value
        case _:
            return value


# --- what lies beside the file ------------------------------------------------------------------------------------


@beside("WSP008", "warning")
def named_file_missing(document: Any, path: str) -> Iterator[Violation]:
    """An eval names a file that does not exist, or that lies outside the skill's folder.

    Paths are relative to the folder of the skill, the nearest one above that holds a SKILL.md; without one, to the
    folder of the evals file. A file that is missing is missing for everyone who runs the eval later: the model is asked
    to read what is not there, and the run fails, or worse, does not. Nothing outside the folder is looked for: who gets
    the skill does not get what lies there.

    Add the file, or correct the path. This is looked for in files alone, not in documents that a program hands over.
    """
    base = skill_folder(path) or os.path.dirname(os.path.abspath(path))
    for index, entry in enumerate(_list_in(document, "evals")):
        for number, name in enumerate(_list_in(entry, "files")):
            if isinstance(name, str) and name and (fault := _fault(base, name, path)):
                yield Violation(("evals", index, "files", number), fault, found=name)


def _list_in(value: Any, name: str) -> list[Any]:
    """The list under a name; empty where there is none."""
    items = value.get(name) if isinstance(value, dict) else None
    return items if isinstance(items, list) else []


def _fault(base: str, name: str, path: str) -> str | None:
    """What is wrong with a path below `base`; None when something lies there."""
    parts = name.replace("\\", "/").split("/")
    if os.path.isabs(name) or parts[0] == "" or parts[0][1:2] == ":" or ".." in parts or "\0" in name:
        return f"{shown(name)} leads out of the skill's folder: name a file inside it, relative to it"
    target = os.path.join(base, *parts)
    if os.path.commonpath((os.path.realpath(base), os.path.realpath(target))) != os.path.realpath(base):
        return f"{shown(name)} leads out of the skill's folder through a link: put the file itself there"
    if os.path.lexists(target):
        return None
    beside_it = os.path.join(os.path.dirname(os.path.abspath(path)), *parts)
    if os.path.lexists(beside_it):
        right = os.path.relpath(beside_it, base).replace(os.sep, "/")
        return (
            f"{shown(name)} lies beside the evals file: paths are relative to the skill's folder, write {shown(right)}"
        )
    where = "the folder of SKILL.md" if skill_folder(path) else "the folder of this file"
    return f"{shown(name)} does not exist in {where}: add the file or correct the path"


@beside("WSP009", "warning")
def skill_of_another_name(document: Any, path: str) -> list[Violation] | None:
    """The skill's name is not the one in its SKILL.md.

    `skill_name` stands for the `name` in the front matter of the skill that the evals are for. Benchmarks and histories
    carry it on, so that results of a renamed skill, or of evals that were copied from another one, are told apart from
    its own by nobody. Write the name as SKILL.md has it.
    """
    stated = document.get("skill_name") if isinstance(document, dict) else None
    folder = skill_folder(path)
    name = skill_name(folder) if folder else None
    if not isinstance(stated, str) or name is None or stated == name:
        return None
    return [
        Violation(
            ("skill_name",),
            f"skill_name is {shown(stated)}, SKILL.md says {shown(name)}",
            found=stated,
            expected=name,
            suggestion=name,
            fix=({"op": "replace", "path": "/skill_name", "value": name},),
        )
    ]
