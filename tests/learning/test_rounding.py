"""Distributions near floats are exact distributions for all floats."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccsim.learning.learning_program import private_distributions

FINITE = st.floats(-0.5, 1.5)


@pytest.mark.parametrize(
    ("values", "distributions"),
    [
        ([1.2, 0.0], [(0, 1)]),  # what the other has too much may not be taken from this one
        ([1.0 + 1e-9, 0.0, 0.0], [(0, 1, 2)]),
        ([0.9, 0.0, 0.0], [(0, 0, 1), (2, 2, 2)]),
    ],
)
def test_probabilities_are_not_negative(values, distributions):
    check(values, distributions)


@given(st.lists(FINITE, min_size=3, max_size=3))
def test_distributions_are_distributions_whatever_the_floats(values):
    check(values, [(0, 1, 2)])


@given(st.lists(FINITE, min_size=4, max_size=4))
def test_distributions_with_repeated_variables_are_distributions(values):
    check(values, [(0, 1, 1), (2, 3, 3)])


def check(values, distributions):
    found = private_distributions(values, distributions, lambda _: True)
    assert min(found) >= 0
    for distribution in distributions:
        assert sum(times * found[o] for o, times in Counter(distribution).items()) == 1
    assert all(type(p) is Fraction for p in found)
