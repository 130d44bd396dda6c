"""Sums of geometric weights over polyhedra equal truncated sums over all points."""

import random
from fractions import Fraction
from itertools import product

import pytest

from ccsim.privacy.noise_programs.lattice_sums import Problem, sum_of, sum_out
from ccsim.privacy.noise_programs.noises import Geometric, OneSidedGeometric, lift_rational

RATIOS = (Fraction(1, 2), Fraction(1, 4), Fraction(1, 8))


def weight(noise, z):
    r = noise.ratio
    if isinstance(noise, OneSidedGeometric):
        return (1 - r) * r**z if z >= 0 else Fraction(0)
    return (1 - r) / (1 + r) * r ** abs(z)


def summed(noises, constraints):
    factors = [noise.pieces(i, lift_rational) for i, noise in enumerate(noises)]
    found = Fraction(1)
    for factor in sum_out(Problem(factors, list(constraints)), range(len(noises))):
        found *= sum((Fraction(str(c)) for _, terms in factor for c in terms.values()), Fraction(0))
    return found


def truncated(noises, constraints, most):
    """Return the probability of the points of a box, and that of its complement."""
    inside = [{z: weight(noise, z) for z in range(-most, most + 1)} for noise in noises]
    total, kept = Fraction(0), Fraction(1)
    for shares in inside:
        kept *= sum(shares.values())
    for point in product(range(-most, most + 1), repeat=len(noises)):
        if all(sum(a * point[i] for i, a in form) + c >= 0 for form, c in constraints):
            share = Fraction(1)
            for i, z in enumerate(point):
                share *= inside[i][z]
            total += share
    return total, 1 - kept


@pytest.mark.parametrize("seed", range(40))
def test_sums_lie_between_truncated_sums(seed):
    rng = random.Random(seed)  # noqa: S311 - a test
    number = rng.randint(1, 3)
    kinds = (Geometric, Geometric, OneSidedGeometric)
    noises = [rng.choice(kinds)(rng.choice(RATIOS)) for _ in range(number)]
    constraints = []
    for _ in range(rng.randint(0, 3)):
        form = tuple((i, a) for i in range(number) if (a := rng.choice((0, 1, -1, 1, -1, 2, -2))))
        constraints.append((form, rng.randint(-3, 3)))
    low, beyond = truncated(noises, constraints, 9 if number < 3 else 7)
    assert low <= summed(noises, constraints) <= low + beyond


def test_a_sum_of_two_equal_geometric_terms_has_a_polynomial_factor():
    noises = [Geometric(Fraction(1, 2))] * 2
    equal = [(((0, 1), (1, 1)), 0), (((0, -1), (1, -1)), 0)]
    # sum of (1/3)^2 (1/4)^|z|
    assert summed(noises, equal) == Fraction(1, 9) * Fraction(5, 3)


def test_sums_of_one_variable_over_an_interval():
    ((_, below), (_, above)) = Geometric(Fraction(1, 3)).pieces(0, lift_rational)
    assert str(sum_of(above, 2, None)) == "1/12"
    assert str(sum_of(above, 0, 1)) == "2/3"
    assert str(sum_of(below, None, -1)) == "1/4"
