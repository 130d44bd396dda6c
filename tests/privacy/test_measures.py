"""Renyi, concentrated and Gaussian privacy, and trade-off functions, against their definitions."""

from __future__ import annotations

import math
import random
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, pairwise

import mpmath
import numpy as np
import pytest
from scipy.optimize import linprog
from scipy.stats import norm

from ccsim.errors import CertificateError, DomainError, NotDecidedError
from ccsim.exact import Distribution, Epsilon
from ccsim.information import trade_off_points
from ccsim.kernel import Rejected
from ccsim.kernel import check as checked_by_kernel
from ccsim.privacy import (
    ExponentialMechanism,
    FunctionMechanism,
    RandomizedResponse,
    Verdict,
    audit,
    concentrated_privacy,
    gaussian_privacy,
    renyi_privacy,
    trade_off,
)
from ccsim.privacy.composition import rho_of_pure

F = Fraction
RESPONSE = RandomizedResponse((0, 1), Epsilon.of("ln 3"))
SEEDS = range(6)


def table(rows):
    """Return the mechanism on one record whose output distributions are the rows."""
    return FunctionMechanism(range(len(rows)), lambda D: dict(enumerate(rows[D[0]])))


def drawn(seed, databases=3, outputs=4):
    """Return random distributions without impossible outputs, some of them far apart."""
    rng = random.Random(seed)  # noqa: S311 - a seed, not a secret
    rows = []
    for _ in range(databases):
        weights = [rng.choice((1, 2, 7, 90, 1000)) * rng.randint(1, 9) for _ in range(outputs)]
        rows.append([F(w, sum(weights)) for w in weights])
    return rows


def ordered(rows):
    return [(p, q) for p in rows for q in rows if p is not q]


def divergence(p, q, order):
    """Return the Renyi divergence by its definition, with 60 digits."""
    with mpmath.workdps(60):
        ps, qs = ([mpmath.mpf(x.numerator) / x.denominator for x in law] for law in (p, q))
        if order == math.inf:
            return max(mpmath.log(a / b) for a, b in zip(ps, qs, strict=True))
        if order == 1:
            return mpmath.fsum(a * mpmath.log(a / b) for a, b in zip(ps, qs, strict=True))
        a = mpmath.mpf(F(order).numerator) / F(order).denominator
        powers = [x**a * y ** (1 - a) for x, y in zip(ps, qs, strict=True)]
        return mpmath.log(mpmath.fsum(powers)) / (a - 1)


def exactly(value):
    return mpmath.mpf(value.numerator) / value.denominator


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("order", ["1", "3/2", "2", "7", "61/3", "infinity"])
def test_renyi_privacy_is_the_largest_divergence(seed, order):
    rows = drawn(seed)
    found = renyi_privacy(table(rows), order, 1)
    a = math.inf if order == "infinity" else F(order)
    with mpmath.workdps(60):
        largest = max(divergence(p, q, a) for p, q in ordered(rows))
        assert exactly(found.lower) <= largest <= exactly(found.upper)
    assert found.upper <= found.lower * (1 + F(1, 2**60))
    worst = [rows[D[0]] for D in found.worst]
    assert divergence(*worst, a) == largest
    found.check()
    if a.denominator == 1 if a != math.inf else False:
        powers = (
            sum(x**a / y ** (a - 1) for x, y in zip(*pair, strict=True)) for pair in ordered(rows)
        )
        assert found.moment == (None if a == 1 else max(powers))


@pytest.mark.parametrize("seed", SEEDS)
def test_concentrated_privacy_is_the_supremum_over_the_orders(seed):
    rows = drawn(seed)
    found = concentrated_privacy(table(rows), 1)
    assert found.lower < found.upper <= found.lower * (1 + F(1, 2**29))
    orders = [1 + F(2) ** k * j / 8 for k in range(-20, 12) for j in range(8, 16)]
    best = 0
    for p, q in ordered(rows):
        values = [divergence(p, q, a) / exactly(a) for a in (F(1), *orders)]
        best = max(best, *values)
    assert best <= exactly(found.upper)
    assert best >= exactly(found.lower) * (1 - mpmath.mpf(2) ** -8)
    p, q = (rows[D[0]] for D in found.worst)
    assert divergence(p, q, found.order) / exactly(found.order) >= exactly(found.lower)
    found.check()


@pytest.mark.parametrize("seed", SEEDS)
def test_pure_privacy_costs_at_most_half_the_square(seed):
    rows = drawn(seed)
    epsilon = renyi_privacy(table(rows), "infinity", 1)
    assert epsilon.moment == audit(table(rows), 0, 0, 1).factor
    assert concentrated_privacy(table(rows), 1).upper <= epsilon.upper**2 / 2
    for a in (2, "5/2", 40):  # Bun and Steinke, Proposition 3.3, with any order
        assert renyi_privacy(table(rows), a, 1).lower <= F(a) * epsilon.upper**2 / 2
    stated = Epsilon.of("ln 3")
    assert concentrated_privacy(RESPONSE, 1).upper <= rho_of_pure(stated)


@pytest.mark.parametrize("seed", SEEDS)
def test_gaussian_privacy_is_what_the_best_test_requires(seed):
    rows = drawn(seed)
    found = gaussian_privacy(table(rows), 1)
    largest = -math.inf
    for p, q in ordered(rows):
        for size in range(1, len(p)):
            for event in combinations(range(len(p)), size):
                alpha, beta = sum(p[o] for o in event), 1 - sum(q[o] for o in event)
                largest = max(largest, -norm.ppf(float(alpha)) - norm.ppf(float(beta)))
    assert float(found.lower) == pytest.approx(largest, rel=1e-9)
    assert found.lower < found.upper <= found.lower * (1 + F(1, 2**50))
    found.check()


def least_error(p, q, level):
    """Return the least type II error of a test, by a linear program."""
    p, q = np.array(p, float), np.array(q, float)
    return 1 + linprog(-q, A_ub=[p], b_ub=[level], bounds=(0, 1)).fun


@pytest.mark.parametrize("seed", SEEDS)
def test_a_trade_off_function_is_the_least_error_of_tests(seed):
    rows = drawn(seed, databases=2)
    points = trade_off_points(*(Distribution.of(dict(enumerate(row))) for row in rows))
    assert points[0][0] == 0
    assert points[-1] == (1, 0)
    for (a, b), (c, d) in pairwise(points):
        for share in (0, F(1, 3), 1):
            level, error = a + share * (c - a), b + share * (d - b)
            assert least_error(*rows, float(level)) == pytest.approx(float(error), abs=1e-7)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_trade_off_function_of_a_mechanism_is_the_hull_of_those_of_its_pairs(seed):
    rows = drawn(seed, databases=3, outputs=3)
    found = trade_off(table(rows), 1)
    found.check()
    levels = [F(i, 20) for i in range(21)]
    levels += [(one[0] + other[0]) / 2 for one, other in pairwise(found.points)]
    least = [min(least_error(p, q, float(a)) for p, q in ordered(rows)) for a in levels]
    ours = [float(found.at(a)) for a in levels]
    assert all(f <= m + 1e-7 for f, m in zip(ours, least, strict=True))
    slopes = [(d - b) / (c - a) for (a, b), (c, d) in pairwise(found.points)]
    assert all(one < other for one, other in pairwise(slopes))
    same = all(abs(f - m) < 1e-7 for f, m in zip(ours, least, strict=True))
    assert found.is_minimum == same
    for (alpha, beta), pair in zip(found.points, found.worst, strict=True):
        p, q = (rows[D[0]] for D in pair)
        assert least_error(p, q, float(alpha)) == pytest.approx(float(beta), abs=1e-7)


def test_a_minimum_of_trade_off_functions_need_not_be_convex():
    rows = [[F(1, 2), F(1, 2)], [F(9, 10), F(1, 10)], [F(999, 1000), F(1, 1000)]]
    mechanism = table(rows)
    assert not trade_off(mechanism, [((0,), (1,)), ((1,), (2,))]).is_minimum
    assert trade_off(RESPONSE, 1).is_minimum


def test_randomised_response_has_its_closed_forms():
    for a in (2, 3, 10):
        closed = F(3, 4) ** a * F(1, 4) ** (1 - a) + F(1, 4) ** a * F(3, 4) ** (1 - a)
        assert renyi_privacy(RESPONSE, a, 2).moment == closed
    half_log = mpmath.log(3) / 2  # the relative entropy, which is the limit of D_a / a
    rho = concentrated_privacy(RESPONSE, 2)
    assert rho.order == 1
    assert float(rho.lower) == pytest.approx(float(half_log), rel=1e-12)
    mu = gaussian_privacy(RESPONSE, 2)
    assert float(mu.lower) == pytest.approx(2 * norm.ppf(0.75), rel=1e-12)
    assert trade_off(RESPONSE, 2).points == ((0, 1), (F(1, 4), F(1, 4)), (1, 0))


def gaussian(centre, sigma=2, last=9):
    weights = [
        round(math.exp(-((x - centre) ** 2) / (2 * sigma**2)) * 2**50)
        for x in range(-last, last + 1)
    ]
    return [F(w, sum(weights)) for w in weights]


def test_truncated_gaussian_noise_has_almost_the_cost_of_gaussian_noise():
    """``a / (2 sigma^2)`` is the divergence of Gaussian noise, and ``1 / sigma`` its mu."""
    mechanism = table([gaussian(0), gaussian(1)])
    found = concentrated_privacy(mechanism, 1)
    assert float(found.lower) == pytest.approx(1 / 8, rel=1e-3)
    assert found.upper <= found.lower * (1 + F(1, 2**15))
    for a in (2, 5):
        assert float(renyi_privacy(mechanism, a, 1).lower) == pytest.approx(a / 8, rel=1e-2)
    assert 0.5 < float(gaussian_privacy(mechanism, 1).lower) < 0.52


@pytest.mark.needs("dp_accounting")
def test_divergences_are_those_of_dp_accounting():
    from dp_accounting import NeighboringRelation, RandomizedResponseDpEvent
    from dp_accounting.rdp import RdpAccountant

    orders = [1.5, 2, 3.25, 8, 64]
    accountant = RdpAccountant(orders, NeighboringRelation.REPLACE_ONE)
    accountant.compose(RandomizedResponseDpEvent(0.5, 2))  # the other answer with probability 1/4
    for a, epsilon in zip(orders, accountant._rdp, strict=True):
        assert float(renyi_privacy(RESPONSE, F(a), 1).upper) == pytest.approx(epsilon, rel=1e-9)


MEASURES = {
    "renyi": lambda mechanism, near, **how: renyi_privacy(mechanism, 2, near, **how),
    "entropy": lambda mechanism, near, **how: renyi_privacy(mechanism, 1, near, **how),
    "ratio": lambda mechanism, near, **how: renyi_privacy(mechanism, "infinity", near, **how),
    "concentrated": concentrated_privacy,
    "gaussian": gaussian_privacy,
}


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("flip", [False, True])
def test_an_impossible_output_makes_the_parameters_infinite(measure, flip):
    rows = [[F(1), F(0)], [F(3, 4), F(1, 4)]]
    found = MEASURES[measure](table(rows[::-1] if flip else rows), 1, target=1000)
    assert found.is_infinite
    assert (found.lower, found.upper, found.verdict) == (None, None, Verdict.FAILS)
    found.check()
    with pytest.raises(CertificateError):
        replace(found, worst=found.worst[::-1]).check()


@pytest.mark.parametrize("measure", MEASURES)
def test_equal_distributions_cost_nothing(measure):
    found = MEASURES[measure](table([[F(1, 3), F(2, 3)]] * 2), 1, target=0)
    assert (found.lower, found.upper, found.worst, found.verdict) == (0, 0, None, Verdict.HOLDS)
    found.check()
    assert trade_off(table([[F(1, 3), F(2, 3)]] * 2), 1).points == ((0, 1), (1, 0))


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("flip", [False, True])
def test_both_orders_of_a_pair_are_compared(measure, flip):
    rows = [[F(1, 2), F(1, 2)], [F(99, 100), F(1, 100)]]
    pair = [((1,), (0,))] if flip else [((0,), (1,))]
    one, other = MEASURES[measure](table(rows), 1), MEASURES[measure](table(rows), pair)
    assert (one.lower, one.upper) == (other.lower, other.upper)
    if measure in {"renyi", "entropy"}:
        values = [divergence(p, q, 2 if measure == "renyi" else 1) for p, q in ordered(rows)]
        assert float(one.lower) == pytest.approx(float(max(values)))
        assert float(min(values)) < 0.9 * float(max(values))


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("epsilon", ["1/2", "ln(3)/2"])
def test_irrational_probabilities_are_enclosed(measure, epsilon):
    def votes(database, answer):
        return sum(record == answer for record in database)

    mechanism = ExponentialMechanism("ab", "ab", votes, Epsilon.of(epsilon))
    found = MEASURES[measure](mechanism, 2)
    rows = [
        [float(p) for _, p in sorted(mechanism.distribution(D).items)] for D in ("aa", "ab", "bb")
    ]
    near = [(rows[0], rows[1]), (rows[1], rows[2])]
    both = [(p, q) for pair in near for p, q in (pair, pair[::-1])]
    if measure == "gaussian":
        value = max(-norm.ppf(p[0]) - norm.ppf(q[1]) for p, q in both)
        value = max(value, *(-norm.ppf(p[1]) - norm.ppf(q[0]) for p, q in both))
    else:
        orders = {"renyi": [2], "entropy": [1], "ratio": [math.inf]}.get(
            measure, [1, *(1 + 2.0**k for k in range(-15, 6))]
        )
        scale = (lambda a: a) if measure == "concentrated" else (lambda _: 1)
        rational = [[list(map(F, law)) for law in pair] for pair in both]
        value = float(max(divergence(p, q, a) / scale(a) for p, q in rational for a in orders))
    assert float(found.lower) == pytest.approx(value, rel=1e-6)
    found.check()
    trade_off(mechanism, 2).check()


@pytest.mark.parametrize("measure", MEASURES)
def test_a_target_is_decided_on_both_sides(measure):
    ask = MEASURES[measure]
    found = ask(RESPONSE, 1)
    assert found.verdict is None
    middle = (found.lower + found.upper) / 2
    assert ask(RESPONSE, 1, target=found.upper + F(1, 10**6)).verdict is Verdict.HOLDS
    assert ask(RESPONSE, 1, target=found.lower - F(1, 10**6)).verdict is Verdict.FAILS
    if measure in {"entropy", "concentrated", "gaussian"}:
        assert replace(
            found, target=middle if measure != "entropy" else Epsilon(middle)
        ).verdict is (Verdict.NOT_DECIDED)


def test_exact_numbers_decide_targets_that_are_attained():
    assert renyi_privacy(RESPONSE, 2, 1, target="ln(7/3)").verdict is Verdict.HOLDS
    assert renyi_privacy(RESPONSE, "infinity", 1, target="ln 3").verdict is Verdict.HOLDS
    assert renyi_privacy(RESPONSE, "infinity", 1, target="1").verdict is Verdict.FAILS


@pytest.mark.parametrize("measure", MEASURES)
def test_a_measure_that_is_stopped_has_no_upper_bound(measure):
    found = MEASURES[measure](RESPONSE, 9, time_limit=0, target=10)
    assert found.upper is None
    assert found.verdict is Verdict.NOT_DECIDED
    assert found.reason.startswith("stopped after ")
    if found.worst is not None:
        found.check()


def test_a_trade_off_function_that_is_stopped_has_no_certificate():
    found = trade_off(RESPONSE, 9, time_limit=0)
    with pytest.raises(NotDecidedError, match="stopped after"):
        found.certificate()


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("seed", [0, 1])
def test_altered_results_are_refused(measure, seed):
    found = MEASURES[measure](table(drawn(seed)), 1)
    step = F(1, 10**6)
    altered = [
        {"lower": found.lower + step},
        {"upper": found.upper - step},
        {"worst": found.worst[::-1]},
        {"worst": (found.worst[0], found.worst[0])},
        {"pairs": found.pairs + 1},
        {"mechanism": table(drawn(seed + 9))},
    ]
    if getattr(found, "moment", None) is not None and measure == "renyi":
        altered = [{"moment": found.moment + step}, {"moment": found.moment - step}, *altered[3:]]
    elif measure == "gaussian":  # which is symmetric
        altered = [each for each in altered if each != {"worst": found.worst[::-1]}]
        altered += [{"points": ()}, {"event": found.event[1:]}]
    for change in altered:
        with pytest.raises(CertificateError):
            replace(found, **change).check()


def is_refused(result):
    try:
        result.check()
    except CertificateError:
        return True
    return False


def test_missing_orders_are_refused():
    found = concentrated_privacy(table([[F(9, 10), F(1, 10)], [F(99, 100), F(1, 100)]]), 1)
    orders = found.orders
    assert 3 < found.order < 4
    assert orders[0] < found.order < orders[-1]
    without = [replace(found, orders=orders[:i] + orders[i + 1 :]) for i in range(len(orders))]
    assert sum(map(is_refused, without)) >= 3
    for kept in (orders[1:2], orders[:-2], orders[: len(orders) // 2], orders[::3], orders[::-1]):
        assert is_refused(replace(found, orders=kept))
    with pytest.raises(CertificateError, match="the last order is too small for the bound"):
        replace(found, orders=orders[:-2]).check()


@pytest.mark.parametrize("flip", [1, -1])
def test_the_kernel_compares_both_orders_of_a_pair(flip):
    rows = [[F(1, 2), F(1, 2)], [F(99, 100), F(1, 100)]][::flip]
    document = renyi_privacy(table(rows), "3/2", 1).certificate().to_dict()
    values = sorted(float(divergence(p, q, F(3, 2))) for p, q in ordered(rows))
    assert values[0] < 0.8 < values[1]
    document["statement"] |= {"lower": None, "upper": "4/5"}
    document["lower"] = None
    document["upper"]["all_neighbours"]["bound"] = "4/5"
    with pytest.raises(Rejected, match="a divergence is above the bound"):
        checked_by_kernel(document)


@pytest.mark.parametrize("flip", [1, -1])
def test_the_kernel_compares_tests_of_both_orders_of_a_pair(flip):
    rows = [[F(1, 2), F(1, 2)], [F(99, 100), F(1, 100)]][::flip]
    document = trade_off(table(rows), 1).certificate().parts[0].to_dict()
    level = F(1, 100)
    errors = sorted(least_error(p, q, float(level)) for p, q in ordered(rows))
    assert errors[0] < 0.6 < errors[1]
    document["statement"] = {"level": str(level), "lower": "3/5", "upper": None}
    document |= {"lower": {"all_neighbours": {"bound": "3/5"}}, "upper": None}
    with pytest.raises(Rejected, match="a test has an error below the bound"):
        checked_by_kernel(document)


def test_orders_are_validated():
    for order in ("1/2", 0, -3, 1 << 21, "half"):
        with pytest.raises(DomainError, match="order"):
            renyi_privacy(RESPONSE, order, 1)
    with pytest.raises(DomainError, match="target must be at least 0"):
        gaussian_privacy(RESPONSE, 1, target=-1)


def test_progress_counts_the_pairs():
    told = []
    concentrated_privacy(RESPONSE, 3, progress=lambda *two: told.append(two))
    assert told[0] == (1, 12)
    assert told[-1] == (12, 12)
