"""The field of rational functions of e^(1/r): arithmetic, order and logarithms are exact."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ccsim.errors import DomainError
from ccsim.exact.exponentials import enclose_log, exponential

exponents = st.fractions(min_value=-3, max_value=3, max_denominator=4)
coefficients = st.fractions(min_value=-5, max_value=5, max_denominator=6)


@st.composite
def numbers(draw):
    return draw(coefficients) + draw(coefficients) * exponential(draw(exponents))


@given(numbers(), numbers(), numbers())
@settings(max_examples=60, deadline=None)
def test_it_is_a_commutative_ring(x, y, z):
    assert x + y == y + x
    assert x * y == y * x
    assert (x + y) * z == x * z + y * z
    assert x - x == 0
    assert hash(x + y) == hash(y + x)


@given(numbers())
@settings(max_examples=60, deadline=None)
def test_every_number_but_zero_has_an_inverse(x):
    if x == 0:
        with pytest.raises(ZeroDivisionError):
            1 / x
    else:
        assert x / x == 1
        assert x * (1 / x) == 1
        assert x**-2 * x**2 == 1


@given(numbers(), numbers())
@settings(max_examples=60, deadline=None)
def test_order_agrees_with_enclosures(x, y):
    a, b = x.enclose(), y.enclose()
    assert a.width < Fraction(1, 2**60)
    if a.upper < b.lower:
        assert x < y
    elif b.upper < a.lower:
        assert y < x
    assert (x < y) + (x == y) + (x > y) == 1


@given(exponents, exponents)
def test_powers_of_e_add_their_exponents(a, b):
    assert exponential(a) * exponential(b) == exponential(a + b)
    assert math.isclose(float(exponential(a)), math.exp(a))


def test_numbers_closer_than_any_float_are_told_apart():
    convergent = Fraction(0)
    for k in reversed([2, 1, 2, 1, 1, 4, 1, 1, 6, 1, 1, 8, 1, 1, 10, 1, 1, 12, 1, 1, 14]):
        convergent = Fraction(k) + (1 / convergent if convergent else 0)
    assert abs(exponential(1) - convergent) < Fraction(1, 2**53)
    assert exponential(1) != convergent
    assert (exponential(1) < convergent) != (convergent < exponential(1))


def test_a_rational_value_equals_its_fraction_and_has_its_hash():
    x = exponential(Fraction(1, 2)) * exponential(Fraction(-1, 2)) / 3
    assert x.is_rational
    assert x == Fraction(1, 3)
    assert hash(x) == hash(Fraction(1, 3))
    assert x.as_fraction() == Fraction(1, 3)
    with pytest.raises(DomainError, match="must be rational"):
        exponential(1).as_fraction()


def test_equal_numbers_written_with_different_roots_have_the_same_hash():
    x = exponential(Fraction(1, 2))
    y = exponential(Fraction(1, 6)) ** 3
    assert x == y
    assert hash(x) == hash(y)


def test_logarithms_are_enclosed():
    interval = enclose_log(exponential(Fraction(-5, 3)))
    assert interval.lower <= Fraction(-5, 3) <= interval.upper
    assert float(enclose_log(Fraction(7)).lower) == pytest.approx(math.log(7))
    with pytest.raises(DomainError, match="positive"):
        enclose_log(1 - exponential(1))


def test_exponents_out_of_range_are_refused():
    with pytest.raises(DomainError, match="65536"):
        exponential(10**6)


def test_numbers_with_one_numerator_and_different_denominators_differ():
    e = exponential(1)
    assert 1 / (1 + e) != 1 / (2 + e)
    assert e / (1 + e) != e
    assert len({1 / (1 + e), 1 / (2 + e), e / (e + e * e)}) == 2
