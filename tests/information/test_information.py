"""Entropies and distances of exact distributions: identities, and inequalities on grids."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import chain, combinations, pairwise, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ccsim import DomainError, InstanceTooLargeError
from ccsim.exact import Distribution, LogSum, binary_entropy, enclose
from ccsim.exact.exponentials import exponential
from ccsim.information import (
    chi_square_distance,
    collision_entropy,
    collision_probability,
    conditional_entropy,
    entropy,
    fano_bound,
    guessing_error,
    min_entropy,
    mutual_information,
    relative_entropy,
    statistical_distance,
)

HALF = Fraction(1, 2)
IRRATIONAL = exponential(-1)

fractions = st.fractions(min_value=Fraction(1, 50), max_value=50, max_denominator=50)
coefficients = st.fractions(min_value=-4, max_value=4, max_denominator=12)


@st.composite
def vectors(draw, size=None, smallest=0):
    length = draw(st.integers(1, 6)) if size is None else size
    shares = draw(st.lists(st.integers(smallest, 9), min_size=length, max_size=length).filter(sum))
    return [Fraction(w, sum(shares)) for w in shares]


@st.composite
def joint_distributions(draw, rows=3, columns=3):
    weights = draw(vectors(size=rows * columns))
    return Distribution.from_table([weights[i * columns : (i + 1) * columns] for i in range(rows)])


def grid(cells, total):
    """Return every vector of fractions with the given denominator and number of entries."""
    for cuts in combinations(range(total + cells - 1), cells - 1):
        ends = (-1, *cuts, total + cells - 1)
        yield [Fraction(b - a - 1, total) for a, b in pairwise(ends)]


# Sums of logarithms.


@given(st.lists(st.tuples(coefficients, fractions), max_size=5))
def test_a_sum_of_logarithms_lies_in_its_enclosure(parts):
    total = LogSum.combination(parts)
    interval = total.enclose(96)
    value = sum(float(c) * math.log2(n) for c, n in parts)
    assert float(interval.lower) - 1e-9 <= value <= float(interval.upper) + 1e-9
    assert interval.width < Fraction(1, 2**60)
    assert float(total) == pytest.approx(value, abs=1e-9)


@given(fractions, fractions)
def test_logarithms_turn_products_into_sums(a, b):
    assert LogSum.log2(a * b) == LogSum.log2(a) + LogSum.log2(b)
    assert LogSum.log2(a / b) == LogSum.log2(a) - LogSum.log2(b)
    assert LogSum.log2(a**3) == 3 * LogSum.log2(a)
    assert (LogSum.log2(a) < LogSum.log2(b)) is (a < b)


@given(st.integers(-20, 20), fractions)
def test_comparison_with_a_rational_number_is_that_of_powers_of_two(exponent, number):
    form = LogSum.log2(number)
    assert (form < exponent) is (number < Fraction(2) ** exponent)
    assert (form >= exponent) is (number >= Fraction(2) ** exponent)
    assert (form == exponent) is (number == Fraction(2) ** exponent)


def test_equal_numbers_hash_alike_and_rational_sums_equal_rational_numbers():
    assert LogSum.log2(8) == Fraction(3)
    assert hash(LogSum.log2(8)) == hash(3)
    assert hash(LogSum()) == hash(0)
    assert LogSum.log2(9) == 2 * LogSum.log2(3)
    assert hash(LogSum.log2(9)) == hash(2 * LogSum.log2(3))
    assert LogSum.log2(3) != "log2(3)"


def test_signs_are_found_where_floats_see_nothing():
    # log2(1 + 2**-60) is positive, yet below the spacing of floats near one
    tiny = LogSum.log2(Fraction(2**60 + 1, 2**60))
    assert tiny.sign() == 1
    assert tiny.compare_nats(Fraction(1, 2**60)) == -1
    assert tiny.compare_nats(Fraction(1, 2**60) - Fraction(1, 2**120)) == 1


def test_nats_are_bits_times_ln_2():
    assert LogSum.log2(3).compare_nats(Fraction(109861, 100000)) == 1
    assert LogSum.log2(3).compare_nats(Fraction(109862, 100000)) == -1
    assert LogSum().compare_nats(0) == 0
    assert LogSum().compare_nats(Fraction(-1)) == 1


@pytest.mark.parametrize(
    ("form", "text"),
    [
        (LogSum(), "0"),
        (LogSum.log2(Fraction(1, 6)), "-log2(3) - 1"),
        (LogSum.log2(3) * Fraction(2, 3) - Fraction(1, 2), "2/3 log2(3) - 1/2"),
        (1 - LogSum.log2(5), "-log2(5) + 1"),
    ],
)
def test_a_sum_of_logarithms_prints_as_a_formula(form, text):
    assert str(form) == text


def test_what_has_no_logarithm_is_refused():
    with pytest.raises(DomainError, match="must be positive, not 0"):
        LogSum.log2(0)
    with pytest.raises(DomainError, match="must be positive, not -1/2"):
        LogSum.log2(Fraction(-1, 2))
    with pytest.raises(InstanceTooLargeError, match="at most 128 bits"):
        LogSum.log2(2**128 + 1)


# Distributions.


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Distribution.from_weights(["1/2", "1/3"]), "sum to 1, not 5/6"),
        (lambda: Distribution.from_weights(["3/2", "-1/2"]), "at least 0, not -1/2"),
        (lambda: Distribution(((0,), (1,))), "a tuple of pairs"),
        (
            lambda: Distribution((((0,), 0.5), ((1,), 0.5))),
            'must be an exact number, not the float 0.5: write "1/2"',
        ),
        (lambda: Distribution((((True,), HALF), ((1,), HALF))), "distinct"),
        (
            lambda: Distribution((("ab", HALF), ("cd", HALF))).marginal(0),
            "must be tuples, not str",
        ),
        (lambda: Distribution(((([],), HALF), ((1,), HALF))), "must be hashable"),
        (lambda: Distribution((((0,), HALF), ((0,), HALF))), "distinct"),
        (
            lambda: next(Distribution((((0,), HALF), ((0, 1), HALF))).given(0)),
            r"a joint distribution must have equal lengths, not \[1, 2\]",
        ),
        (lambda: next(Distribution.uniform([(0, 1)]).given(2)), "between 0 and 1, not 2"),
        (lambda: entropy(Distribution.of({0: IRRATIONAL, 1: 1 - IRRATIONAL})), "must be rational"),
        (lambda: Distribution.uniform([]), "at least one outcome"),
        (lambda: Distribution.uniform([(0, 1)]).marginal(2), "between 0 and 1, not 2"),
        (lambda: fano_bound(Fraction(3, 2)), "between 0 and 1"),
        (lambda: fano_bound(Fraction(1, 2), 1), "at least 2, not 1"),
    ],
)
def test_what_is_no_distribution_is_refused_by_name(make, message):
    with pytest.raises(DomainError, match=message):
        make()


@given(joint_distributions())
def test_the_conditional_distributions_mix_to_the_distribution(distribution):
    total = {}
    for value, weight, part in distribution.given(1):
        assert {outcome[1] for outcome in part.outcomes} == {value[0]}
        for outcome, share in part.as_mapping().items():
            total[outcome] = total.get(outcome, 0) + weight * share
    assert total == distribution.as_mapping()


# Entropies.


@given(vectors(size=2))
def test_entropy_of_a_bit_is_binary_entropy(weights):
    interval = enclose(binary_entropy(weights[0]))
    ours = entropy(Distribution.from_weights(weights)).enclose(120)
    assert max(interval.lower, ours.lower) <= min(interval.upper, ours.upper)


@given(st.integers(1, 40))
def test_all_entropies_of_a_uniform_distribution_are_the_logarithm_of_its_size(n):
    distribution = Distribution.uniform((i,) for i in range(n))
    assert (
        entropy(distribution)
        == collision_entropy(distribution)
        == min_entropy(distribution)
        == LogSum.log2(n)
    )


@given(vectors())
def test_entropies_are_ordered(weights):
    distribution = Distribution.from_weights(weights)
    assert (
        0 <= min_entropy(distribution) <= collision_entropy(distribution) <= entropy(distribution)
    )
    assert entropy(distribution) <= LogSum.log2(len(distribution.weights))
    draws = product(weights, weights)
    same = sum(a * b for (i, (a, b)) in enumerate(draws) if i // len(weights) == i % len(weights))
    assert collision_probability(distribution) == same


@given(joint_distributions())
def test_chain_rule_and_both_formulas_of_information(distribution):
    assert entropy(distribution) == entropy(distribution.marginal(1)) + conditional_entropy(
        distribution, (0,), (1,)
    )
    information = mutual_information(distribution, (0,), (1,))
    assert information == mutual_information(distribution, (1,), (0,))
    parts = [(w, part.marginal(0)) for _, w, part in distribution.given(1)]
    means = (w * relative_entropy(part, distribution.marginal(0)) for w, part in parts)
    assert information == sum(means, LogSum())  # eq. 5.1 of fx
    independent = Distribution.of(
        {
            (a[0], b[0]): x * y
            for a, x in distribution.marginal(0).as_mapping().items()
            for b, y in distribution.marginal(1).as_mapping().items()
        }
    )
    assert information == relative_entropy(distribution, independent)
    assert (information == 0) is (distribution.as_mapping() == independent.as_mapping())


@settings(max_examples=30)
@given(vectors(size=8))
def test_information_of_a_group_adds_up_by_the_chain_rule(weights):
    distribution = Distribution.of(dict(zip(product((0, 1), repeat=3), weights, strict=True)))
    both = mutual_information(distribution, (0, 1), (2,))
    assert both == mutual_information(distribution, (0,), (2,)) + mutual_information(
        distribution, (1,), (2,), given=(0,)
    )
    assert both <= entropy(distribution.marginal(2))


@given(joint_distributions(), st.lists(st.integers(0, 1), min_size=3, max_size=3))
def test_processing_loses_information(distribution, function):
    processed = distribution.map(lambda outcome: (outcome[0], function[outcome[1]]))
    assert mutual_information(processed, (0,), (1,)) <= mutual_information(distribution, (0,), (1,))


@given(joint_distributions())
def test_guessing_error_is_the_best_over_all_guesses(distribution):
    table = distribution.as_mapping()
    best = min(
        1 - sum(table.get((guess[y], y), Fraction(0)) for y in range(3))
        for guess in product(range(3), repeat=3)
    )
    assert guessing_error(distribution, (0,), (1,)) == best


def test_fano_holds_on_every_small_joint_distribution_and_is_attained():
    attained = 0
    for weights in grid(6, 5):
        distribution = Distribution.from_table([weights[:2], weights[2:4], weights[4:]])
        error = guessing_error(distribution, (0,), (1,))
        bound = fano_bound(error, 3)
        assert conditional_entropy(distribution, (0,), (1,)) <= bound
        attained += error > 0 and conditional_entropy(distribution, (0,), (1,)) == bound
    assert attained


# Distances.


def test_statistical_distance_is_the_largest_difference_of_an_event():
    for p, q in product(grid(3, 4), repeat=2):
        events = chain.from_iterable(combinations(range(3), size) for size in range(4))
        largest = max(sum((p[i] - q[i] for i in event), Fraction(0)) for event in events)
        assert (
            statistical_distance(Distribution.from_weights(p), Distribution.from_weights(q))
            == largest
        )


@given(vectors(size=4), vectors(size=4, smallest=1))
def test_divergences_bound_statistical_distance(p, q):
    left, right = Distribution.from_weights(p), Distribution.from_weights(q)
    distance = statistical_distance(left, right)
    divergence = relative_entropy(left, right)
    chi_square = chi_square_distance(left, right)
    assert divergence.compare_nats(2 * distance**2) >= 0  # Pinsker
    assert 4 * distance**2 <= chi_square
    assert divergence <= LogSum.log2(1 + chi_square)
    assert (divergence == 0) is (p == q)


def test_pinsker_has_the_right_constant():
    # near the uniform bit the quotient of both sides tends to one
    step = Fraction(1, 1000)
    p = Distribution.from_weights([Fraction(1, 2) + step, Fraction(1, 2) - step])
    divergence = relative_entropy(p, Distribution.from_weights(["1/2", "1/2"]))
    assert divergence.compare_nats(2 * step**2) == 1
    assert divergence.compare_nats(Fraction(201, 100) * step**2) == -1


@pytest.mark.parametrize("divergence", [relative_entropy, chi_square_distance])
def test_infinite_divergence_is_refused_with_the_outcome(divergence):
    with pytest.raises(DomainError, match=r"is infinite: \(1,\) has probability 0"):
        divergence(Distribution.from_weights(["1/2", "1/2"]), Distribution.from_weights([1]))


def test_weights_of_a_joint_distribution_are_fractions_whatever_was_given():
    distribution = Distribution.from_weights(["1/3", "2/3"])
    assert distribution.weights == (Fraction(1, 3), Fraction(2, 3))
    assert distribution.map(lambda _: (0,)).weights == (Fraction(1),)
