"""Feedback: one review a run."""

from __future__ import annotations

from typing import Any

from evalschema.excerpt import shown
from evalschema.finding import pointer
from evalschema.rules._engine import Violation, rule


@rule("FBK001", needs=("/reviews/*/run_id",))
def run_reviewed_twice(document: Any) -> list[Violation] | None:
    """Two reviews are about one run.

    Reviews are looked up by `run_id`. When the next iteration is reviewed, the page shows the last remark of each run
    that is not empty; whatever was said before it is lost.

    Join the two remarks in one review.
    """
    ids = [review["run_id"] for review in document["reviews"]]
    if len(set(ids)) == len(ids):
        return None
    first: dict[str, int] = {}
    found: list[Violation] = []
    for index, run_id in enumerate(ids):
        earlier = first.setdefault(run_id, index)
        if earlier != index:
            found.append(
                Violation(
                    ("reviews", index, "run_id"),
                    f"the run {shown(run_id)} is reviewed at {pointer(('reviews', earlier))} already: join the two",
                    found=run_id,
                    related=(("reviews", earlier, "run_id"),),
                    consequence="the review page of the next iteration shows one of the two remarks",
                )
            )
    return found
