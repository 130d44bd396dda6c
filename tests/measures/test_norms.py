"""The norm gamma_2 of known matrices, of promise problems, and of approximations of signs."""

# ruff: noqa: S311 - seeds, not secrets

import random
from fractions import Fraction

import numpy as np
import pytest

from ccsim import equality
from ccsim.communication.partitions.squares import is_surely_positive
from ccsim.measures import gamma_2
from tests.truth import is_true

__all__ = []

CLOSE = Fraction(1, 10**5)
DISJOINT = [[int(x & y == 0) for y in range(16)] for x in range(16)]
INNER = [[(x & y).bit_count() % 2 for y in range(8)] for x in range(8)]


@pytest.mark.parametrize(
    ("problem", "alpha", "value"),
    [
        ("equality:n=8", 1, "2.5"),
        ("equality:n=8", 3, "2.5"),
        ("greater_than:n=16", 1, "2.727778"),
        (DISJOINT, 1, "2.958497"),
        (DISJOINT, 2, "2.906292"),
        (INNER, 1, "2.828427"),
        (["1*", "*0"], 1, "1"),
        (["10*", "01*", "***"], "5/2", "1"),
    ],
)
def test_values(problem, alpha, value):
    result = gamma_2(problem, alpha)
    result.check()
    assert result.lower <= Fraction(value) + CLOSE / 10
    assert result.upper >= Fraction(value) - CLOSE / 10
    assert result.upper - result.lower < CLOSE


@pytest.mark.parametrize("seed", range(16))
def test_bounds_are_close_and_true(seed):
    rng = random.Random(seed)
    height, width = rng.randint(1, 5), rng.randint(1, 5)
    entries = rng.choice(("01", "01*", "0001", "01**"))
    rows = ["1" * width] + ["".join(rng.choices(entries, k=width)) for _ in range(height - 1)]
    result = gamma_2(rows, rng.choice([1, "3/2", 2, 100]))
    assert result.upper - result.lower < CLOSE
    result.check()
    document = result.certificate().to_dict()
    assert is_true(document) is not False
    for side, ends in (("upper", result.lower - Fraction(1, 4)), ("lower", result.upper + 1)):
        wrong = document | {"statement": document["statement"] | {side: str(ends)}}
        assert is_true(wrong) is False


def test_matrices_too_large_for_newton_steps():
    result = gamma_2("equality:n=40")
    assert abs(result.lower - Fraction(29, 10)) < CLOSE
    assert result.upper - result.lower < CLOSE
    assert gamma_2("equality:n=40", 2, time_limit=0).upper < 4


@pytest.mark.parametrize("problem", ["random", "equality:n=70", "greater_than:n=80"])
def test_norms_without_time_for_an_elimination_are_proved(problem):
    random.seed(0)
    if problem == "random":
        problem = [[random.randrange(2) for _ in range(70)] for _ in range(70)]
    found = gamma_2(problem, time_limit=0)
    assert 1 < found.lower < found.upper
    found.check()


def test_floats_prove_a_form_positive_only_if_it_is():
    """The Gram matrix of 150 vectors in dimension 149 has the eigenvalue 0."""
    vectors = np.random.default_rng(0).integers(-1000, 1000, (150, 149))
    form = np.triu(vectors @ vectors.T).astype(float)
    assert not is_surely_positive(form, -1)
    assert not is_surely_positive(form, 0)
    assert is_surely_positive(form, 1 << 20)


def test_bounds_at_no_time_are_proved():
    result = gamma_2(equality(100), time_limit=0)
    assert result.lower <= Fraction(296, 100) <= result.upper
    result.check()
