"""Arrays of floats are converted to fractions, and the distance is reported."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ccsim
from ccsim.errors import DomainError
from ccsim.exact import Distribution, RoundedTable, fractions_of, probability_vector
from ccsim.programs import solve_matrix_game


@settings(deadline=None)
@given(
    st.lists(st.floats(-100, 100), min_size=1, max_size=9), st.integers(min_value=1, max_value=999)
)
def test_every_fraction_is_the_nearest_with_such_a_denominator(numbers, most):
    found = fractions_of(np.array(numbers), max_denominator=most)
    assert all(value.denominator <= most for value in found.values)
    distances = [abs(v - Fraction(x)) for v, x in zip(found.values, numbers, strict=True)]
    assert found.rounding_error == max(distances)
    for number, distance in zip(numbers, distances, strict=True):
        least = min(
            abs(Fraction(round(number * d), d) - Fraction(number)) for d in range(1, most + 1)
        )
        assert distance <= least


def test_shapes_and_kinds_of_arrays():
    expected = RoundedTable(
        ((Fraction(1, 2), Fraction(1)), (Fraction(0), Fraction(1, 4))), Fraction(0)
    )
    numbers = [[0.5, 1.0], [0.0, 0.25]]
    for array in (
        numbers,
        np.array(numbers),
        np.array(numbers, dtype=np.float32),
        pd.DataFrame(numbers),
        [np.array(row) for row in numbers],
        [[Fraction(1, 2), 1], [np.int64(0), 0.25]],
    ):
        assert fractions_of(array) == expected
    assert fractions_of(pd.Series([0.5])) == RoundedTable((Fraction(1, 2),), Fraction(0))
    assert ccsim.fractions_of is fractions_of


@pytest.mark.parametrize(
    ("array", "message"),
    [
        ([math.nan], r"array\[0\] must be a finite number, not nan"),
        ([[0.5], [math.inf]], r"array\[1\]\[0\] must be a finite number, not inf"),
        ([True], r"array\[0\] must be a finite number, not True"),
        (["0.5"], r"array\[0\] must be a finite number, not '0.5'"),
        ([None], r"array\[0\] must be a finite number, not None"),
        (
            np.zeros((1, 1, 1)),
            r"array must have one or two dimensions, but the entry array\[0\]\[0\] is a",
        ),
        ("0.5", "array must be a list of numbers, not '0.5'"),
        (0.5, "array must be a list of numbers, not 0"),
    ],
)
def test_what_holds_no_numbers_is_refused(array, message):
    with pytest.raises(DomainError, match=message):
        fractions_of(array)


def test_a_denominator_is_positive():
    with pytest.raises(DomainError, match="max_denominator must be at least 1, not 0"):
        fractions_of([0.5], max_denominator=0)


def test_payoffs_and_distributions_come_from_arrays():
    assert solve_matrix_game(np.array([[0, 1], [1, 0]])).value == Fraction(1, 2)
    assert probability_vector(np.array([0, 1])) == (0, 1)
    assert Distribution.from_weights(np.array(["1/3", "2/3"])) == Distribution.from_weights(
        ["1/3", "2/3"]
    )
    assert Distribution.from_table(np.array([[0, 1], [0, 0]])) == Distribution.certain((0, 1))
