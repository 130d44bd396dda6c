"""Representations improved and derandomised through protocols, verified exactly."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import prod

import pytest

from ccsim import (
    ConceptClass,
    DomainError,
    HypothesisSet,
    InstanceTooLargeError,
    NotDecidedError,
    ProbabilisticRepresentation,
    boost,
    derandomize,
    failure_probability,
    from_public_coin_protocol,
    inner_product_representation,
    minimax_error,
    points,
    to_public_coin_protocol,
)
from ccsim.communication import evaluation_problem, newman_seeds, repetitions_for
from ccsim.exact import binomial_tail
from ccsim.representation import single_points

THREE = single_points(3)
PAIRS = ProbabilisticRepresentation.mixture(
    (Fraction(1, 3), HypothesisSet.from_rows(rows, 3)) for rows in ([1, 2], [1, 4], [2, 4])
)
"""Two random ones of three points."""

BOOSTS = [
    (PAIRS, THREE, "1/3", "1/2"),
    (inner_product_representation(1, 1), points(1), "1/3", "1/3"),
    (inner_product_representation(2, 2), points(2), "1/2", "1/4"),
]


@pytest.mark.claim("fx/app-boost")
@pytest.mark.parametrize(("weak", "C", "error", "failure"), BOOSTS)
def test_boosting_reaches_error_and_failure(weak, C, error, failure):
    boosted = boost(weak, C, error, failure)
    boosted.result.check()
    assert boosted.result.represents(Fraction(failure)) is True
    assert boosted.error_after <= Fraction(error) * Fraction(failure)
    assert boosted.error_before == to_public_coin_protocol(weak, C).error
    assert boosted.repetitions == repetitions_for(
        boosted.error_before, Fraction(error) * Fraction(failure)
    )
    assert boosted.representation.size <= weak.size**boosted.repetitions
    assert to_public_coin_protocol(boosted.representation, C).error == boosted.error_after


@pytest.mark.claim("fx/eq-2.2")
def test_three_runs_err_as_the_binomial_distribution_says_or_less():
    boosted = boost(PAIRS, THREE, "1/3", "1/2")
    p, runs = boosted.error_before, boosted.repetitions
    assert boosted.error_after <= binomial_tail(runs, p, runs // 2 + 1)


@pytest.mark.parametrize(("weak", "C"), [(PAIRS, THREE), (BOOSTS[1][0], points(1))])
def test_a_boosted_set_holds_the_majorities_of_one_hypothesis_of_each_drawn_set(weak, C):
    boosted = boost(weak, C, "1/3", "2/3")
    assert boosted.repetitions in {3, 5}
    runs, points_ = boosted.repetitions, range(weak.num_points)
    mixture = []
    for drawn in product(zip(weak.weights, weak.sets, strict=True), repeat=runs):
        rows = {
            sum(1 << x for x in points_ if 2 * sum(h >> x & 1 for h in chosen) > runs)
            for chosen in product(*(H.rows for _, H in drawn))
        }
        weight = prod(w for w, _ in drawn)
        mixture.append((weight, HypothesisSet.from_rows(rows, weak.num_points)))
    assert boosted.representation == ProbabilisticRepresentation.mixture(mixture)


def test_boosting_improves_what_was_too_weak():
    before = failure_probability(PAIRS, THREE, "1/4")
    assert before.represents(Fraction(1, 4)) is False
    boosted = boost(PAIRS, THREE, "1/4", "1/4")
    assert boosted.repetitions > 1
    assert boosted.result.represents(Fraction(1, 4)) is True


def test_a_protocol_that_tosses_a_coin_cannot_be_boosted():
    both = ConceptClass.from_matrix([[0], [1]])
    coin = ProbabilisticRepresentation.mixture(
        (Fraction(1, 2), HypothesisSet((row,), 1)) for row in (0, 1)
    )
    with pytest.raises(DomainError, match="best protocol must be below 1/2, not 1/2"):
        boost(coin, both, "1/4", "1/4")
    with pytest.raises(DomainError, match="error and failure must be positive, not 0 and 1/4"):
        boost(PAIRS, THREE, 0, "1/4")


def test_boosting_refuses_tables_that_are_too_large():
    with pytest.raises(InstanceTooLargeError, match="runs takes more than 1048576 steps"):
        boost(PAIRS, THREE, "1/1000", "1/1000")


@pytest.mark.claim("fx/app-newman")
@pytest.mark.parametrize("gamma", ["1/4", "1/3"])
@pytest.mark.parametrize(
    ("drawn", "C"),
    [
        (PAIRS, THREE),
        (inner_product_representation(2, 2), points(2)),
        (inner_product_representation(3, 1), points(3)),
        (
            from_public_coin_protocol(minimax_error(evaluation_problem(points(2)), 2).protocol),
            points(2),
        ),
    ],
)
def test_few_draws_represent_with_little_more_error(drawn, C, gamma):
    fixed = derandomize(drawn, C, gamma, seed=0)
    fixed.result.check()
    assert fixed.value == to_public_coin_protocol(drawn, C).error
    assert fixed.result.value <= fixed.value + Fraction(gamma)
    assert fixed.draws == newman_seeds(len(C) * len(C.points), gamma)
    assert fixed.hypotheses.size <= fixed.draws * drawn.size
    assert derandomize(drawn, C, gamma, seed=0) == fixed


def test_a_search_without_success_says_what_it_tried():
    with pytest.raises(
        NotDecidedError, match="sets has error at most 7/12; raise tries or change seed"
    ):
        derandomize(PAIRS, THREE, "1/4", seed=0, tries=0)
