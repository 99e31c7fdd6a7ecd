"""The kinds of documents. Made from schemas/ by `make gen`; do not edit."""

from typing import Literal, TypeAlias

Kind: TypeAlias = Literal[
    "analysis",
    "benchmark",
    "comparison",
    "eval_metadata",
    "evals",
    "feedback",
    "finalize_result",
    "findings",
    "grading",
    "history",
    "metrics",
    "optimisation_results",
    "run",
    "timing",
    "trigger_evals",
    "trigger_results",
]
"""The name of a kind: that of its schema file."""
