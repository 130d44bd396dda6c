"""The field of rational functions of e^(1/r): arithmetic, order and logarithms are exact."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ccsim.errors import DomainError
from ccsim.exact.exponentials import Exponential, enclose_log, exponential, power

exponents = st.fractions(min_value=-3, max_value=3, max_denominator=4)
coefficients = st.fractions(min_value=-5, max_value=5, max_denominator=6)


POWERS = {base: (lambda e, b=base: power(Fraction(b), e)) for base in (2, "3/2", "9/4", 8, 72)}
POWERS["e"] = exponential


@st.composite
def numbers(draw, base=None):
    raised = POWERS[base or draw(st.shared(st.sampled_from(sorted(POWERS, key=str)), key="base"))]
    terms = [draw(coefficients) * raised(draw(exponents)) for _ in range(2)]
    return exponential(0) * draw(coefficients) + terms[0] + terms[1]


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


@pytest.mark.parametrize("raised", [exponential, POWERS[8]])
def test_a_sign_is_minus_one_zero_or_one(raised):
    x, zero = raised(Fraction(1, 2)), exponential(0) - exponential(0)
    assert [(1 - x).sign(), zero.sign(), (x - 1).sign()] == [-1, 0, 1]


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


@given(st.fractions(min_value="1/9", max_value=9, max_denominator=9), exponents)
@settings(max_examples=100, deadline=None)
def test_a_power_is_a_fraction_exactly_if_it_is_rational(base, exponent):
    found = power(base, exponent)
    assert float(found) == pytest.approx(float(base) ** float(exponent))
    n = exponent.denominator
    assert found**n == base**exponent.numerator
    roots = [round(x ** (1 / n)) for x in (base.numerator, base.denominator)]
    is_power = [r**n for r in roots] == [base.numerator, base.denominator]
    assert isinstance(found, Fraction) == is_power


def test_powers_of_one_number_are_computed_with_together():
    two = [power(Fraction(2**k), Fraction(1, n)) for k in range(1, 7) for n in range(1, 7)]
    for x in two:
        for y in two:
            assert (x < y) == (float(x) < float(y) - 1e-9)
    assert power(Fraction(12), Fraction(1, 2)) > 3
    assert power(Fraction(1), Fraction(1, 2)) == 1


def test_irrational_powers_of_two_numbers_are_not_mixed():
    root = power(Fraction(2), Fraction(1, 2))
    for other in (exponential(1), power(Fraction(3), Fraction(1, 2))):
        for ask in (lambda x=other: root + x, lambda x=other: x == root, lambda x=other: root < x):
            with pytest.raises(DomainError, match="cannot be combined exactly"):
                ask()
        assert root + other / other == 1 + root


@pytest.mark.parametrize("exponent", [Fraction(1, 70000), Fraction(70001, 2), Fraction(60000)])
def test_powers_that_are_too_large_are_refused_before_work(exponent):
    with pytest.raises(DomainError, match="at most"):
        power(Fraction(10**40 + 1), exponent)


def test_a_number_that_cancels_is_zero():
    root = power(Fraction(2), Fraction(1, 2))
    product = (root - 1) * (root + 1)
    assert product == 1
    assert isinstance(product, Exponential)
    assert hash(product) == hash(Fraction(1))
    top, bottom = 1, 1
    for _ in range(50):
        top, bottom = top + 2 * bottom, top + bottom  # in turn above and below the root of 2
        assert (root < Fraction(top, bottom)) == (top**2 > 2 * bottom**2)
    assert 0 < abs(root - Fraction(top, bottom)) < Fraction(1, 10**36)


def test_negative_terms_are_subtracted_in_text():
    e = exponential(1)
    assert str(Fraction(1, 2) - e / 6) == "1/2 - 1/6*e"
    assert str(1 - e) == "1 - e"
    assert str(-e * e) == "-e^2"
