"""Numbers: compared with stated tolerances, said in short, and never a reason to crash."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalschema import catalog, validate
from evalschema.rules._numbers import mean, near, population_deviation, ratio, said, sample_deviation
from tests.dose import FULL
from tests.mutation import extreme_mutants

_numbers = st.integers(-(2**1024) + 1, 2**1024 - 1) | st.floats(allow_nan=False, allow_infinity=False)


@pytest.mark.parametrize(
    ("a", "b", "tolerance", "expected"),
    [
        (0.67, 2 / 3, 0.01, True),
        (0.85, 6 / 7, 0.01, True),
        (0.65, 2 / 3, 0.01, False),
        (0.1 + 0.2, 0.3, 0, True),
        (1, 1.0, 0, True),
        (1, 2, 1, True),
        (1, 2.0001, 1, False),
        (2**1024 - 1, 2**1024 - 1, 0, True),
        (2**1024 - 1, 1, 0, False),
        (1.7e308, -1.7e308, 1, False),
    ],
)
def test_numbers_are_near_within_the_tolerance(a: float, b: float, tolerance: float, expected: bool) -> None:
    assert near(a, b, tolerance) is expected
    assert near(b, a, tolerance) is expected


@pytest.mark.parametrize(
    ("x", "text"),
    [
        (3, "3"),
        (3.0, "3"),
        (0.85, "0.85"),
        (2 / 3, "0.6667"),
        (-0.5, "-0.5"),
        (0.00001, "1e-05"),
        (0.0, "0"),
        (1e300, "1e+300"),
        (10**300, "1e+300"),
        (1234567.5, "1234567.5"),
    ],
)
def test_numbers_are_said_in_short(x: float, text: str) -> None:
    assert said(x) == text


@given(_numbers, _numbers, st.floats(0, 100))
def test_no_number_is_too_much(a: float, b: float, tolerance: float) -> None:
    assert near(a, b, tolerance) == near(b, a, tolerance)
    assert near(a, a, 0)
    assert said(a)
    mean([a, b])
    sample_deviation([a, b])
    population_deviation([a, b])
    if b:
        ratio(a, b)


@given(st.lists(st.floats(-1e6, 1e6), min_size=2, max_size=30))
def test_deviations_are_those_of_the_standard_library(values: list[float]) -> None:
    import statistics

    assert math.isclose(sample_deviation(values), statistics.stdev(values), rel_tol=1e-6, abs_tol=1e-6)
    assert math.isclose(population_deviation(values), statistics.pstdev(values), rel_tol=1e-6, abs_tol=1e-6)


@pytest.mark.parametrize("kind", catalog.kinds())
def test_a_document_with_extreme_numbers_is_judged(kind: str) -> None:
    for document in extreme_mutants(kind, 2000 if FULL else 60):
        validate(document, kind)  # type: ignore[arg-type]
