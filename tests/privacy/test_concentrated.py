"""Concentrated privacy, and the stated costs of noise."""

from __future__ import annotations

import math
from collections import Counter
from decimal import Decimal, localcontext
from fractions import Fraction

import numpy as np
import pytest

from ccsim.budget import Budget, OutOfTimeError
from ccsim.errors import DomainError, InstanceTooLargeError
from ccsim.exact import Epsilon
from ccsim.exact.exponentials import enclose_log
from ccsim.privacy.composition import (
    epsilon_of_rho,
    largest_choice,
    largest_rho,
    least_variance,
    rho_of_choice,
    rho_of_gaussian,
    rho_of_pure,
)
from ccsim.privacy.noise import GaussianNoise, GeometricNoise, _tails

STEP = Fraction(1, 2**64)


@pytest.mark.parametrize("epsilon", ["1", "1/10", "ln 3", "8"])
@pytest.mark.parametrize("delta", ["1/1000000", "1/2"])
def test_rho_is_largest(epsilon, delta) -> None:
    rho, value = largest_rho(Epsilon.of(epsilon), delta), float(Epsilon.of(epsilon))
    log = math.log(1 / Fraction(delta))
    closed = (math.sqrt(log + value) - math.sqrt(log)) ** 2
    assert float(rho) == pytest.approx(closed, rel=1e-9)
    assert epsilon_of_rho(rho, delta) <= Epsilon.of(epsilon).enclose().upper + 2 * STEP
    assert epsilon_of_rho(rho + 4 * STEP, delta) > Epsilon.of(epsilon).enclose().upper


@pytest.mark.parametrize("rho", ["1/77", "1/10000000000", "3", "17/4"])
@pytest.mark.parametrize("delta", ["1/1000000", "1/2", "9999/10000"])
def test_the_epsilon_of_rho_is_rounded_up_by_less_than_a_step(rho, delta) -> None:
    root = epsilon_of_rho(rho, delta) - Fraction(rho)
    exact = 4 * Fraction(rho) * enclose_log(1 / Fraction(delta)).upper
    assert (root - STEP) ** 2 < exact <= root**2


def test_budget_and_cost_are_inverse() -> None:
    rho = Fraction(1, 77)
    assert rho_of_gaussian(least_variance(rho)) == rho
    assert rho_of_gaussian(least_variance(rho, 3), 3) == rho
    assert rho * (1 - Fraction(1, 2**20)) < rho_of_choice(largest_choice(rho)) <= rho
    assert rho * (1 - Fraction(1, 2**20)) < rho_of_pure(largest_choice(rho, 2)) <= rho


def test_a_choice_costs_a_quarter_by_the_definition() -> None:
    """Renyi divergences, at many orders, of two distributions with log-ratios in ``epsilon``."""
    for epsilon in (0.1, 0.5, 1.0, 2.0):
        bound = float(rho_of_choice(Epsilon.of(str(epsilon))))
        for p in (0.01, 0.1, 0.3, 0.5, 0.7, 0.9):
            odds = p / (1 - p) * math.exp(epsilon)
            q = odds / (1 + odds)
            for order in (1.01, 1.5, 2, 4, 16):
                moment = p**order * q ** (1 - order) + (1 - p) ** order * (1 - q) ** (1 - order)
                assert math.log(moment) / (order - 1) <= order * bound * (1 + 1e-9)


@pytest.mark.parametrize(
    "noise",
    [
        GeometricNoise(Epsilon.of("ln 3")),
        GeometricNoise(Epsilon.of("1/10")),
        GaussianNoise(Fraction(9)),
        GaussianNoise(Fraction(1, 3)),
    ],
)
def test_tables_enclose_the_tails(noise) -> None:
    lows, highs = _tails(noise)
    if isinstance(noise, GeometricNoise):
        masses = [math.exp(-float(noise.epsilon) * k) for k in range(3000)]
    else:
        masses = [math.exp(-k * k / (2 * float(noise.variance))) for k in range(3000)]
    whole = masses[0] + 2 * math.fsum(masses[1:])
    for k in range(1, min(len(lows), 30)):
        tail = 2 * math.fsum(masses[k:]) / whole
        assert float(lows[k - 1]) / 2**64 == pytest.approx(tail, rel=1e-9, abs=1e-18)
    assert all(0 <= int(high) - int(low) <= 2 for low, high in zip(lows, highs, strict=True))
    assert (int(lows[-1]), int(highs[-1])) == (0, 1)


def test_draws_have_the_distribution() -> None:
    number, rng = 20_000, np.random.default_rng(7)
    seen = Counter(GeometricNoise(Epsilon.of("ln 2")).draw(number, rng).tolist())
    for value in range(-4, 5):
        expected = number / 3 * 0.5 ** abs(value)
        assert abs(seen[value] - expected) < 4.5 * math.sqrt(expected)
    drawn = GaussianNoise(Fraction(400)).draw(number, rng)
    assert abs(drawn.std() - 20) < 0.5
    assert abs(drawn.mean()) < 0.6


def test_refusals() -> None:
    with pytest.raises(DomainError, match="delta must be strictly between 0 and 1, not 0"):
        largest_rho(Epsilon.of(1), 0)
    with pytest.raises(DomainError, match="rho must be at least 0"):
        epsilon_of_rho(Fraction(-1), "1/2")
    for make in (rho_of_gaussian, GaussianNoise):
        with pytest.raises(DomainError, match="variance must be positive, not 0"):
            make(Fraction(0))
    with pytest.raises(DomainError, match="rho must be positive, not 0"):
        least_variance(Fraction(0))
    with pytest.raises(DomainError, match="epsilon must be positive, not 0"):
        GeometricNoise(Epsilon.of(0))
    with pytest.raises(InstanceTooLargeError, match="deviation of at most 65536, not 1e"):
        GaussianNoise(Fraction(10**20)).draw(1, np.random.default_rng(0))


@pytest.mark.parametrize("scale", ["1/10000000000", "1/1000", "1", "700", "2000", "65000"])
def test_the_deviation_of_geometric_noise_at_all_scales(scale):
    known = Fraction(scale)
    with localcontext(prec=60, Emin=-(10**6)):
        ratio = (-Decimal(known.numerator) / Decimal(known.denominator)).exp()
        true = (2 * ratio).sqrt() / (1 - ratio)
    found = GeometricNoise(Epsilon.of(2 * known), 2).deviation
    assert found == pytest.approx(float(true), rel=1e-12)


def test_making_the_table_of_wide_noise_ends_with_the_time():
    noise = GeometricNoise(Epsilon.of("1/211"))
    budget = Budget(0)
    with budget, budget.heard(), pytest.raises(OutOfTimeError):
        noise.draw(1, np.random.default_rng(0))
