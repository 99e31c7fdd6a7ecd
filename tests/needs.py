"""What some tests need and not every machine has: they are skipped by name, or fail where skipping is forbidden."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

NODE_TOOLS = Path(__file__).parent / "node" / "node_modules"


def need(condition: object, reason: str) -> None:
    """Goes on when the condition holds; else skips with the reason, or fails when EVALSCHEMA_NO_SKIP is 1."""
    if not condition:
        if os.environ.get("EVALSCHEMA_NO_SKIP") == "1":
            pytest.fail(f"not allowed to skip: {reason}")
        pytest.skip(reason)


def node() -> str:
    """The Node interpreter; skips when it, or what `npm ci` installs in tests/node, is not here."""
    found = shutil.which("node")
    need(found, "needs Node")
    need(NODE_TOOLS.exists(), "needs the Node tools: npm ci --prefix tests/node")
    return str(found)
