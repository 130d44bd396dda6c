"""Small examples of functions of `ccsim.exact` that no other test calls by name."""

from __future__ import annotations

import re
from fractions import Fraction

import numpy as np
import pytest

from ccsim.errors import CertificateError, DomainError
from ccsim.exact.bounds import check_fields
from ccsim.exact.distribution import exact_mass, exact_masses, total_mass
from ccsim.exact.epsilon import Arithmetic, Epsilon, arithmetic
from ccsim.exact.fractions import check_prime, next_prime
from ccsim.exact.probability import check_parts, uniform_numbers


def test_arithmetic_arithmetic_laplace_tail():
    assert arithmetic(Epsilon.of(1)).laplace_tail(Fraction(1, 3)) == Fraction(1, 6)
    assert arithmetic(Epsilon.of(1)).laplace_tail(Fraction(3)) == Fraction(5, 6)


def test_arithmetic_exactarithmetic():
    assert Arithmetic(Epsilon.of("ln 4")).exp(Fraction(1, 2)) == Fraction(2, 1)


def test_bounds_check_fields():
    from dataclasses import dataclass

    @dataclass(frozen=True)
    class Size:
        value: int
        parts: tuple[Fraction, ...] = ()

    check_fields(Size(1, (Fraction(1, 2), 1)))
    with pytest.raises(CertificateError, match=re.escape("parts of Size must be tuple[Fraction,")):
        check_fields(Size(1, (0.5,)))


def test_masses_exact_mass():
    assert exact_mass(1, "heads") == Fraction(1, 1)


def test_masses_exact_masses():
    assert exact_masses([("a", 0), ("b", 1)], "weight") == (
        ("a", Fraction(0, 1)),
        ("b", Fraction(1, 1)),
    )


def test_masses_total_mass():
    assert total_mass([Fraction(1, 4)] * 3) == Fraction(3, 4)


def test_primes_check_prime():
    with pytest.raises(DomainError, match=re.escape("lines: p must be a prime, not 91")):
        check_prime("lines: p", 91)


def test_primes_next_prime():
    assert next_prime(90) == 97


def test_probability_check_parts():
    with pytest.raises(
        DomainError, match=re.escape("numbers must contain only objects of type int, not '2'")
    ):
        check_parts((1, "2"), int, "numbers")


def test_probability_uniform_numbers():
    assert sum(number < 3 for number in uniform_numbers(3, 10, np.random.default_rng(0))) == 10
