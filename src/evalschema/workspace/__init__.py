"""A workspace as one thing: its files found and paired, judged together, and aggregated."""

from __future__ import annotations

from evalschema.workspace.checking import check_workspace

__all__ = ["check_workspace"]
