"""Sets of trigger queries: each query once, and both classes of them."""

from __future__ import annotations

from typing import Any

from evalschema.excerpt import shown
from evalschema.finding import pointer
from evalschema.rules._engine import Violation, rule


@rule("TRG001", needs=("/*/query",))
def repeated_query(queries: Any) -> list[Violation] | None:
    """Two entries have the same query.

    Results are matched to queries by their text: both entries are run as one, and the one that comes last decides
    whether the skill should have triggered. In the description loop a query that lands in both halves is missing from
    the test half.

    Delete one of the two. To run each query several times, set the number of runs per query instead.
    """
    if len({entry["query"] for entry in queries}) == len(queries):
        return None
    first: dict[str, int] = {}
    found: list[Violation] = []
    for index, entry in enumerate(queries):
        query = entry["query"]
        earlier = first.setdefault(query, index)
        if earlier != index:
            found.append(
                Violation(
                    (index, "query"),
                    f"the query {shown(query)} is that of {pointer((earlier,))} already: delete one of them",
                    found=query,
                    related=((earlier, "query"),),
                    consequence="the evaluation runs both as one query and judges it by the should_trigger of the last",
                )
            )
    return found


@rule("TRG002", "info", needs=("/*/should_trigger",))
def one_sided_queries(queries: Any) -> list[Violation] | None:
    """All queries should trigger the skill, or none should.

    A set with one class cannot tell a good description from one that always triggers, or never does. Some people keep
    the two classes in two files on purpose, so this is a remark.

    Add queries of the other class, best some that nearly belong to the first.
    """
    wanted = {entry["should_trigger"] for entry in queries}
    if len(wanted) != 1:
        return None
    count, (should_trigger,) = len(queries), wanted
    if should_trigger:
        message = f"queries that should trigger: {count} of {count}; add some that should not"
    else:
        message = f"queries that should trigger: 0 of {count}; add some that should"
    return [Violation((), message)]
