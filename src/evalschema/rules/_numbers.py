"""Comparing and saying numbers, the same way in every rule."""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum, sqrt

# What a comparison forgives beyond its stated tolerance: the noise of binary fractions, far below any figure written.
NOISE = 1e-9


def near(a: float, b: float, tolerance: float) -> bool:
    """Whether two numbers differ by at most `tolerance` (an absolute amount, 0 for exact)."""
    return abs(a - b) <= tolerance + NOISE * max(1.0, abs(a), abs(b))


def said(x: float) -> str:
    """A number for a message: integers whole, others with at most four decimals and no empty ones."""
    if x == int(x) and abs(x) < 1e15:
        return str(int(x))
    text = f"{x:.4f}".rstrip("0").rstrip(".")
    return text if float(text) else f"{x:.3g}"


def mean(values: Sequence[float]) -> float:
    """The arithmetic mean of at least one value."""
    return fsum(values) / len(values)


def sample_deviation(values: Sequence[float]) -> float:
    """The sample standard deviation (divisor n - 1) of at least two values."""
    return _deviation(values, len(values) - 1)


def population_deviation(values: Sequence[float]) -> float:
    """The population standard deviation (divisor n) of at least one value."""
    return _deviation(values, len(values))


def _deviation(values: Sequence[float], divisor: int) -> float:
    centre = mean(values)
    return sqrt(fsum((value - centre) ** 2 for value in values) / divisor)
