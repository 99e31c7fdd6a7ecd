"""Evals: identifiers that identify, evals that can be graded, none of them twice."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from evalschema.catalog import bundle
from evalschema.excerpt import shown
from evalschema.finding import pointer
from evalschema.rules._engine import Violation, rule

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
