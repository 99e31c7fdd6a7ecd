"""Comparing and saying numbers, the same way in every rule.

A document may hold any finite number: integers that no double can take, and doubles whose sum is infinite. Nothing here
raises for them.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import copysign, fsum, inf, isfinite, sqrt

# What a comparison forgives beyond its stated tolerance: the noise of binary fractions, far below any figure written.
NOISE = 1e-9


def near(a: float, b: float, tolerance: float) -> bool:
    """Whether two numbers differ by at most `tolerance` (an absolute amount, 0 for exact)."""
    if a == b:
        return True
    a, b = double(a), double(b)
    return abs(a - b) <= tolerance + NOISE * max(1.0, min(abs(a), abs(b)))


def double(x: float) -> float:
    """The number as a double; an integer beyond all doubles as an infinity."""
    try:
        return float(x)
    except OverflowError:
        return copysign(inf, x > 0 or -1)


def ratio(part: float, whole: float) -> float:
    """`part` divided by `whole`, which is not 0."""
    try:
        return part / whole
    except OverflowError:
        return double(part) / double(whole) if isfinite(double(whole)) else 0.0


def said(x: float) -> str:
    """A number for a message: integers whole, others with at most four decimals and no empty ones."""
    if (isinstance(x, int) and x.bit_length() > 64) or not isfinite(double(x)):
        return f"{double(x):.3g}"
    if x == int(x) and abs(x) < 1e15:
        return str(int(x))
    text = f"{x:.4f}".rstrip("0").rstrip(".") if abs(x) < 1e15 else f"{x:.3g}"
    return text if float(text) else f"{x:.3g}"


def mean(values: Sequence[float]) -> float:
    """The arithmetic mean of at least one value."""
    return _sum(values) / len(values)


def sample_deviation(values: Sequence[float]) -> float:
    """The sample standard deviation (divisor n - 1) of at least two values."""
    return _deviation(values, len(values) - 1)


def population_deviation(values: Sequence[float]) -> float:
    """The population standard deviation (divisor n) of at least one value."""
    return _deviation(values, len(values))


def _sum(values: Sequence[float]) -> float:
    try:
        return fsum(values)
    except (OverflowError, ValueError):
        return sum(map(double, values))


def _deviation(values: Sequence[float], divisor: int) -> float:
    centre = mean(values)
    distances = [double(value) - centre for value in values]
    # a product, for a power of a double raises where the product is infinite
    return sqrt(abs(_sum([distance * distance for distance in distances]) / divisor))
