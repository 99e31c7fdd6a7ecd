"""How much a test tries: a small dose always, the full one with EVALSCHEMA_DOSE=full (`make security` sets it)."""

from __future__ import annotations

import os
from typing import TypeVar

FULL = os.environ.get("EVALSCHEMA_DOSE") == "full"
T = TypeVar("T")


def dose(small: T, full: T) -> T:
    """What is tried now."""
    return full if FULL else small
