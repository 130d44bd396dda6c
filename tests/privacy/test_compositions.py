"""Privacy of several runs: products of small mechanisms by brute force, and known values."""

# ruff: noqa: S311 - seeds, not secrets

from __future__ import annotations

import copy
import math
import random
from dataclasses import replace
from fractions import Fraction
from itertools import permutations

import pytest

from ccsim import CertificateError, DomainError, NotDecidedError, audit
from ccsim.exact import Epsilon
from ccsim.kernel import Rejected, check
from ccsim.privacy import (
    DominantMechanism,
    FunctionMechanism,
    RandomizedResponse,
    composed_delta,
    composed_epsilon,
    dominating_pair,
    loss_products,
    optimal_composition,
)
from ccsim.privacy.dominating import edges_of
from ccsim.privacy.loss_products import Product, Rounding
from tests.truth.compositions import dominating, excess

RESPONSE = RandomizedResponse((0, 1), Epsilon.of("ln 3"))
EPSILONS = ("0", "ln(3/2)", "ln 2", "ln 4", "ln 9")


def rows(seed, number=3, width=3, weights=(0, 1, 2, 3, 5)):
    """Return random output distributions with few different probabilities."""
    rng = random.Random(seed)
    found = []
    while len(found) < number:
        row = [rng.choice(weights) for _ in range(width)]
        if sum(row):
            found.append([Fraction(w, sum(row)) for w in row])
    return found


def mechanism(table):
    return FunctionMechanism(tuple(range(len(table))), lambda d: dict(enumerate(table[d[0]])))


def ordered(table):
    return [(table[i], table[j]) for i, j in permutations(range(len(table)), 2)]


def factor(epsilon):
    return Epsilon.of(epsilon).exp()


@pytest.mark.parametrize("seed", range(12))
def test_dominating_pair_has_the_privacy_curve(seed):
    """The curve is that of the audits at every epsilon, and of the pair found by second slopes."""
    table = rows(seed)
    pair = dominating_pair(mechanism(table), 1)
    for epsilon in EPSILONS:
        assert pair.delta(epsilon) == audit(mechanism(table), epsilon, 0, 1).least_delta
    expected = {(p, q) for p, q in dominating(ordered(table)) if p}
    assert {(p, q) for p, q in zip(pair.p, pair.q, strict=True) if p} == expected


def test_one_direction_of_a_pair_is_not_enough():
    """A pair in only one order has a smaller curve, and its delta is rejected by the kernel."""
    table = [["1/2", "1/2", "0"], ["1/2", "1/4", "1/4"]]
    table = [list(map(Fraction, row)) for row in table]
    both = composed_delta(mechanism(table), 2, "ln 2", 1)
    one = excess([list(zip(*table, strict=True))] * 2, Fraction(2))
    assert one < both.value
    with pytest.raises(CertificateError, match="may require a delta of"):
        replace(both, lower=one, upper=one).check()


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("runs", [1, 2, 4])
def test_deltas_are_those_of_all_products_of_outcomes(seed, runs):
    table = rows(seed)
    given = dominating(ordered(table))
    for epsilon in EPSILONS[1:4]:
        found = composed_delta(mechanism(table), runs, epsilon, 1)
        assert found.value == excess([given] * runs, factor(epsilon))
        fixed = composed_delta(mechanism(table), runs, epsilon, 1, adaptive=False)
        pairs = [[list(zip(p, q, strict=True))] * runs for p, q in ordered(table)]
        assert fixed.value == max(excess(each, factor(epsilon)) for each in pairs)
        assert fixed.value <= found.value
        found.check()
        fixed.check()


def test_adaptive_runs_may_require_more_than_runs_on_one_pair():
    """A second run that depends on the first output exceeds every pair; the bound covers it."""
    table = [["1/2", "1/3", "1/6"], ["1/4", "1/4", "1/2"], ["1/3", "1/2", "1/6"]]
    table = [list(map(Fraction, row)) for row in table]
    t = Fraction(2)
    adaptive = composed_delta(mechanism(table), 2, "ln 2", 1)
    fixed = composed_delta(mechanism(table), 2, "ln 2", 1, adaptive=False)
    chosen = max(
        sum(
            max(
                sum((max(a * p - t * b * q, 0) for p, q in zip(*second, strict=True)), Fraction(0))
                for second in ordered(table)
            )
            for a, b in zip(*first, strict=True)
        )
        for first in ordered(table)
    )
    assert fixed.value < chosen <= adaptive.value
    sold = replace(fixed, adaptive=True, pair=None)
    with pytest.raises(CertificateError, match="may require a delta of"):
        sold.check()


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize(("bits", "grid"), [(40, None), (64, 7), (128, 300)])
def test_rounded_losses_enclose_the_exact_delta(seed, bits, grid):
    table = rows(seed, number=2, width=4)
    named = [dict(enumerate(row)) for row in table]
    pairs = mechanism(table)
    edges = edges_of([(pairs.distribution((0,)), pairs.distribution((1,)))], up=True)
    for runs in (1, 3, 5):
        for t in (Fraction(1), Fraction(7, 4), Fraction(5)):
            exact = Product([(edges, runs)], Rounding(), up=True).excess(t)
            low, high = (
                Product([(edges, runs)], Rounding(bits, grid), up=up).excess(t)
                for up in (False, True)
            )
            assert low <= exact <= high, named
            assert grid != 300 or high - low < Fraction(1, 50)


def test_a_grid_is_used_for_many_losses_and_certified(monkeypatch):
    table = rows(3, number=2, width=3, weights=(2, 3, 5))
    exact = composed_delta(mechanism(table), 5, "ln 2", 1)
    limit = composed_epsilon(mechanism(table), 5, "1/20", 1)
    monkeypatch.setattr(loss_products, "_MOST_WORK", 100)
    rounded = composed_delta(mechanism(table), 5, "ln 2", 1)
    assert rounded.grid is not None
    assert rounded.lower <= exact.value <= rounded.upper < rounded.lower + Fraction(1, 1000)
    rounded.check()
    enclosed = composed_epsilon(mechanism(table), 5, "1/20", 1)
    assert enclosed.lower <= limit.value <= enclosed.upper < enclosed.lower * Fraction(101, 100)
    enclosed.check()


def test_several_mechanisms_compose_in_every_order():
    parts = [mechanism(rows(1)), mechanism(rows(2)), RESPONSE]
    found = composed_delta(parts, [1, 2, 1], "ln 3", 1)
    turned = composed_delta(parts[::-1], [1, 2, 1], "ln 3", 1)
    assert found.value == turned.value
    pairs = [dominating(ordered(rows(seed))) for seed in (1, 2, 2)]
    quarter = [(Fraction(3, 4), Fraction(1, 4)), (Fraction(1, 4), Fraction(3, 4))]
    assert found.value == excess([*pairs, quarter], Fraction(3))
    found.check()


@pytest.mark.parametrize("delta", ["0", "1/50", "1/4"])
@pytest.mark.parametrize("seed", range(5))
def test_least_epsilon_is_where_delta_is_reached(seed, delta):
    table = rows(seed, number=2, weights=(1, 2, 3))
    found = composed_epsilon(mechanism(table), 3, delta, 1)
    found.check()
    given = [dominating(ordered(table))] * 3
    assert excess(given, found.value) <= Fraction(delta)
    below = found.value * Fraction(999999, 1000000)
    assert found.value == 1 or excess(given, below) > Fraction(delta)


def test_no_epsilon_suffices_for_outputs_that_only_one_database_has():
    table = [["1/2", "1/2"], ["1", "0"]]
    found = composed_epsilon(mechanism(table), 2, "1/4", 1)
    assert (found.upper, found.epsilon) == (None, None)
    found.check()


def test_randomised_responses_are_the_optimal_composition():
    """Exact compositions agree with Theorem 3.3 of Kairouz, Oh and Viswanath."""
    for times, epsilon in ((5, "ln 9"), (20, "5"), (40, "ln 1000")):
        exact = composed_delta(RESPONSE, times, epsilon, 1)
        known = optimal_composition("ln 3", 0, times, epsilon)
        assert known.lower <= exact.upper
        assert exact.lower <= known.upper
    leaky = composed_delta(DominantMechanism(Epsilon.of("ln 2"), Fraction(1, 100)), 9, "ln 8", 1)
    known = optimal_composition("ln 2", "1/100", 9, "ln 8")
    assert known.lower <= leaky.value <= known.upper


def test_hundred_runs_of_one_tenth():
    """The value of the documentation of `optimal_composition`: 2.79e-7 at epsilon 5."""
    found = composed_delta(DominantMechanism(Epsilon.of("1/10"), Fraction(0)), 100, 5, 1)
    known = optimal_composition("1/10", 0, 100, 5)
    assert found.lower <= known.upper
    assert known.lower <= found.upper
    assert f"{float(found.upper):.3g}" == "2.79e-07"
    found.check()


def test_heterogeneous_parameters_are_a_sum_over_subsets():
    """The formula of Murtagh and Vadhan for several epsilons and deltas."""
    factors, deltas = (2, 3, 5), (Fraction(1, 50), Fraction(0), Fraction(1, 9))
    parts = [
        DominantMechanism(Epsilon.of(f"ln {f}"), d) for f, d in zip(factors, deltas, strict=True)
    ]
    for t in (1, 3, 6, 20):
        total = Fraction(0)
        for subset in range(8):
            inside = math.prod(f for i, f in enumerate(factors) if subset >> i & 1)
            outside = math.prod(f for i, f in enumerate(factors) if not subset >> i & 1)
            total += max(Fraction(inside - t * outside), Fraction(0))
        total /= math.prod(1 + f for f in factors)
        expected = 1 - math.prod(1 - d for d in deltas) * (1 - total)
        assert composed_delta(parts, [1, 1, 1], f"ln {t}" if t > 1 else 0, 1).value == expected


def altered(document, *path, to):
    made = copy.deepcopy(document)
    inner = made
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = to
    return made


@pytest.mark.parametrize(
    ("path", "to", "message"),
    [
        (("statement", "upper"), "1/4", "not the stated 1/4"),
        (("upper", "losses_up", "bound"), "1/4", "may require a delta of 3/8"),
        (("lower", "losses_down", "bound"), "1/2", "are proved to require only a delta of 3/8"),
        (("instance", "times"), [4], "may require a delta of 75/128"),
        (("statement", "factor"), "5/2", "may require a delta of"),
        (("lower", "losses_down", "pair"), [0, 1], "pair must be null"),
        (("upper", "losses_up", "rounding"), [8, 3], "may require"),
        (("upper", "losses_up", "rounding"), [7, None], "at least 8"),
        (("instance", "adaptive"), False, "pair must be null exactly for adaptive runs"),
        (("instance", "times"), [0], "must be at least 1"),
    ],
)
def test_altered_certificates_are_rejected(path, to, message):
    document = composed_delta(RESPONSE, 3, "ln 3", 1).certificate().to_dict()
    assert check(document)
    with pytest.raises(Rejected, match=message):
        check(altered(document, *path, to=to))


def test_invalid_arguments_are_refused():
    with pytest.raises(DomainError, match="one number of runs for each mechanism"):
        composed_delta([RESPONSE, RESPONSE, RESPONSE], [1, 2], 1, 1)
    with pytest.raises(DomainError, match="at least 1"):
        composed_delta(RESPONSE, 0, 1, 1)
    other = RandomizedResponse(("a", "b"), Epsilon.of("ln 3"))
    with pytest.raises(DomainError, match="the same records"):
        composed_delta([RESPONSE, other], 1, 1, 1, adaptive=False)
    with pytest.raises(DomainError, match="must be fractions"):
        dominating_pair(RandomizedResponse((0, 1), Epsilon.of(1)), 1)


def test_a_time_limit_ends_the_question():
    with pytest.raises(NotDecidedError):
        composed_delta(mechanism(rows(1, number=12, width=12)), 30, 1, 1, time_limit=0)


@pytest.mark.needs("dp_accounting")
@pytest.mark.parametrize("runs", [1, 10, 100])
def test_enclosures_and_figures_of_dp_accounting_overlap(runs):
    from ccsim.interchange import to_privacy_loss

    response = RandomizedResponse((0, 1), Epsilon.of("ln(6/5)"))
    pair = [response.distribution((bit,)) for bit in (0, 1)]
    found = composed_delta(response, runs, "1/2", 1)
    high, low = (
        to_privacy_loss(*pair, interval=1e-4, pessimistic=pessimistic)
        .self_compose(runs)
        .get_delta_for_epsilon(0.5)
        for pessimistic in (True, False)
    )
    assert low - 1e-9 <= float(found.upper)
    assert float(found.lower) <= high + 1e-9
