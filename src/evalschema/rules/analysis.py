"""Analyses: two skills, of which one was better."""

from __future__ import annotations

from typing import Any

from evalschema.excerpt import shown
from evalschema.rules._engine import Violation, rule


@rule("ANA001", "warning", needs=("/comparison_summary/winner_skill", "/comparison_summary/loser_skill"))
def winner_is_loser(document: Any) -> list[Violation] | None:
    """The winner and the loser are the same skill.

    The suggestions are made for the loser; where both names lead to one skill, nobody knows which version they are
    for.

    Write the path of each of the two versions, such as the skill and the snapshot that was taken before it was
    changed.
    """
    summary = document["comparison_summary"]
    winner, loser = summary["winner_skill"], summary["loser_skill"]
    if winner.rstrip("/") != loser.rstrip("/"):
        return None
    return [
        Violation(
            ("comparison_summary", "loser_skill"),
            f"loser_skill is {shown(loser)}, the same as winner_skill: write the path of each of the two versions",
            found=loser,
            related=(("comparison_summary", "winner_skill"),),
        )
    ]
