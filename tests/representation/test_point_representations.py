"""Constructions that represent points: random sets, projective planes, codes, hashing."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, product

import numpy as np
import pytest

from ccsim import (
    CertificateError,
    DomainError,
    HypothesisSet,
    InstanceTooLargeError,
    NotDecidedError,
    failure_probability,
    from_public_coin_protocol,
    inner_product_representation,
    points,
    projective_plane_representation,
    reed_solomon_representation,
    representation_error,
)
from ccsim.certificates import verify
from ccsim.representation import PointRepresentation, plane_lines, single_points
from ccsim.representation.constructions import finite_field
from proofs_check.claims.beimel_brenner.constructions.random_sets import (
    RandomSetSystem,
    random_set_system,
    thinned_plane_representation,
)
from protocols import EqualityHashing

CONSTRUCTIONS = [
    random_set_system(3, "1/2", seed=1),
    thinned_plane_representation(5, "1/2", seed=0),
    reed_solomon_representation(4, 2, 3),
    reed_solomon_representation(3, 1, 2),
]


@pytest.mark.parametrize("made", CONSTRUCTIONS, ids=lambda made: f"{made.size} sets")
def test_witnesses_prove_no_less_than_the_games(made):
    made.check()
    exact = representation_error(made.hypotheses, made.concept_class)
    assert exact.value <= made.value
    assert verify(json.loads(made.certificate().to_json())).endswith(f"at most {made.value}")


@pytest.mark.claim("bbkn/lemma-4.1")
def test_random_sets_represent_256_points_with_error_one_quarter():
    made = random_set_system(8, "1/4", seed=0)
    made.check()
    assert made.concept_class == points(8)
    assert made.represents(Fraction(1, 4))
    distribution = RandomSetSystem.of_lemma(8, "1/4")
    assert made.size <= distribution.sets == 4350
    for j, chosen in enumerate(made.witnesses):
        assert len(chosen) == distribution.witnesses == 8 * (1 + 4)
        assert all(made.hypotheses.rows[i] >> j & 1 for i in chosen)


@pytest.mark.claim("bbkn/lemma-4.1")
@pytest.mark.parametrize(("b", "error"), [(6, "1/2"), (8, "1/4"), (9, "1/3")])
def test_a_point_is_bad_with_probability_below_the_papers_bound(b, error):
    distribution = RandomSetSystem.of_lemma(b, error)
    assert (
        distribution.bad_point
        <= Fraction(2, distribution.witnesses) + Fraction(2, 2**b)
        <= Fraction(1, 4)
    )
    assert distribution.failure < Fraction(1, 2)


def test_the_union_bound_is_no_less_than_the_exact_probability():
    distribution = RandomSetSystem(b=1, sets=2, set_size=2, witnesses=1)
    systems = list(product(combinations(range(4), 2), repeat=2))
    bad = 0
    for system in systems:
        matrix = np.array([[x in chosen for x in range(4)] for chosen in system])
        bad += 0 not in distribution.good(matrix)
    # point 0 is good if it lies in a set that holds no other point, which no pair is
    assert bad == len(systems)
    assert distribution.bad_point == 1
    single = RandomSetSystem(b=1, sets=2, set_size=1, witnesses=1)
    missed = sum(0 not in pair for pair in product(range(4), repeat=2))
    assert single.bad_point == Fraction(missed, 16)


def test_measured_failures_agree_with_the_bound():
    distribution = RandomSetSystem.of_lemma(4, "1/2")
    interval = distribution.measured_failure(trials=40, seed=3, confidence=Fraction(99, 100))
    assert interval.lower <= distribution.failure
    always = RandomSetSystem(b=2, sets=3, set_size=1, witnesses=2)
    assert always.measured_failure(30, 0, Fraction(99, 100)).upper == 1


def test_the_same_seed_gives_the_same_sets():
    assert random_set_system(5, "1/2", seed=5) == random_set_system(5, "1/2", seed=5)
    assert random_set_system(5, "1/2", seed=5) != random_set_system(5, "1/2", seed=6)


def test_a_distribution_without_good_points_gives_up():
    distribution = RandomSetSystem(b=2, sets=3, set_size=1, witnesses=2)
    with pytest.raises(NotDecidedError, match="none of 5 random set systems had 4 points"):
        distribution.representation(seed=0, tries=5)


@pytest.mark.claim("bbkn/proj-plane")
@pytest.mark.parametrize("q", [2, 3, 4, 5])
def test_two_points_lie_on_one_line(q):
    lines = plane_lines(q)
    number = q * q + q + 1
    assert len(lines) == number
    for i, j in combinations(range(number), 2):
        assert sum(line >> i & line >> j & 1 for line in lines) == 1


@pytest.mark.claim("bbkn/sec-4.1-weak")
@pytest.mark.parametrize("q", [2, 3, 4])
def test_lines_represent_the_points_of_a_plane_with_error_1_over_q_plus_1(q):
    plane = projective_plane_representation(q)
    plane.check()
    assert plane.value == Fraction(1, q + 1)
    assert representation_error(plane.hypotheses, plane.concept_class).value == plane.value
    assert verify(json.loads(plane.certificate().to_json())).endswith(f"exactly 1/{q + 1}")


@pytest.mark.claim("bbkn/sqrt-construction")
def test_fewer_lines_than_points_are_enough():
    thinned = thinned_plane_representation(13, "1/2", seed=0)
    thinned.check()
    number = thinned.hypotheses.num_points
    assert 2 * number >= 13 * 13 + 13 + 1
    assert 2 * thinned.size < number
    assert thinned.represents(Fraction(1, 2))


def test_codes_represent_256_points_by_64_sets():
    code = reed_solomon_representation(16, 2, 4)
    code.check()
    assert (code.hypotheses.num_points, code.size, code.value) == (256, 64, Fraction(1, 4))
    assert code.concept_class == points(8)
    assert verify(json.loads(code.certificate().to_json()))


@pytest.mark.claim("fx/app-eq-hash")
@pytest.mark.parametrize(("b", "count"), [(1, 1), (2, 1), (2, 2), (3, 1)])
def test_inner_products_represent_points_as_the_hashing_protocol_does(b, count):
    made = inner_product_representation(b, count)
    protocol = from_public_coin_protocol(EqualityHashing(bits=b, repetitions=count).tabulate())
    # Bob answers 0 to what he cannot receive, so both have the same sets but for the zero function
    cleaned = [{row for row in H.rows if row} for H in made.sets]
    assert [({row for row in H.rows if row} in cleaned) for H in protocol.sets].count(False) == 0
    assert made.size <= 2**count


@pytest.mark.parametrize(("b", "count"), [(1, 1), (2, 1), (3, 1), (2, 2)])
def test_inner_products_fail_no_more_than_markov_says(b, count):
    made = inner_product_representation(b, count)
    for error in (Fraction(1, 2), Fraction(1)):
        result = failure_probability(made, points(b), error)
        result.check()
        assert result.exact
        assert result.upper <= Fraction(1, 2**count) / error


def test_single_points_are_the_family_where_their_number_is_a_power_of_two():
    assert single_points(8) == points(3)
    assert single_points(5).rows == (1, 2, 4, 8, 16)


# --- Rejections -----------------------------------------------------------------------------------


def _fano():
    hypotheses = HypothesisSet.from_rows(plane_lines(2), 7)
    witnesses = [
        tuple(i for i, row in enumerate(hypotheses.rows) if row >> j & 1) for j in range(7)
    ]
    return PointRepresentation.from_witnesses(hypotheses, witnesses)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"value": Fraction(1, 4)}, "upper: the bound that is proved is 1/3, not the stated 1/4"),
        ({"witnesses": ((0, 1, 2),)}, "must have 7 entries, not 1"),
        ({"witnesses": ((),) * 7}, "the weights must not all be 0"),
        ({"witnesses": ((9,),) * 7}, "witnesses must be at least 0 and below 7"),
    ],
)
def test_altered_representations_are_rejected(change, message):
    fano = _fano()
    fano.check()
    with pytest.raises(CertificateError, match=message):
        replace(fano, **change).check()


def test_a_line_that_misses_the_point_is_found():
    fano = _fano()
    missing = next(i for i, row in enumerate(fano.hypotheses.rows) if not row & 1)
    altered = replace(fano, witnesses=((missing,) * 3, *fano.witnesses[1:]))
    with pytest.raises(
        CertificateError, match="upper: the bound that is proved is 1, not the stated 1/3"
    ):
        altered.check()


def test_without_one_line_the_plane_fails_on_a_point_that_is_named():
    fano = _fano()
    fewer = HypothesisSet.from_rows(fano.hypotheses.rows[1:], 7)
    result = representation_error(fewer, fano.concept_class)
    result.check()
    assert result.value > fano.value
    assert fano.hypotheses.rows[0] >> result.concept & 1


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (
            lambda: random_set_system(0, "1/2", 0),
            DomainError,
            "b must be at least 1",
        ),
        (lambda: random_set_system(3, 0, 0), DomainError, "error positive, not 3 and 0"),
        (lambda: random_set_system(20, "1/9", 0), InstanceTooLargeError, "sets times points"),
        (lambda: RandomSetSystem(2, 3, 9, 1), DomainError, "set_size must be between 1 and 8"),
        (lambda: RandomSetSystem(2, 0, 1, 1), DomainError, "must be at least 1"),
        (lambda: plane_lines(6), DomainError, "prime power, not 6"),
        (lambda: plane_lines(1), DomainError, "prime power, not 1"),
        (lambda: plane_lines(67), InstanceTooLargeError, "at most 64, not 67"),
        (lambda: thinned_plane_representation(3, 0, 0), DomainError, "must be positive"),
        (
            lambda: thinned_plane_representation(3, "1/9", 0),
            NotDecidedError,
            "none of 100 random sets of lines had",
        ),
        (lambda: reed_solomon_representation(4, 3, 2), DomainError, "dimension <= length"),
        (
            lambda: reed_solomon_representation(64, 3, 5),
            DomainError,
            "at most 4096, not 3, 5 and 64",
        ),
        (
            lambda: inner_product_representation(0, 1),
            DomainError,
            "b and count must be at least 1",
        ),
        (lambda: inner_product_representation(9, 2), InstanceTooLargeError, "at most 16, not 18"),
        (lambda: single_points(0), DomainError, "at least 1, not 0"),
        (
            lambda: PointRepresentation.from_witnesses(HypothesisSet((1, 2), 2), [(0,), ()]),
            DomainError,
            "point 1 has none",
        ),
    ],
)
def test_what_is_out_of_range_is_refused(call, error, message):
    with pytest.raises(error, match=message):
        call()


@pytest.mark.parametrize("q", [2, 3, 4, 5, 8, 9, 67])
def test_a_finite_field_has_the_distributions_of_a_field(q):
    field = finite_field(q, "test")
    rng = np.random.default_rng(q)
    a, b, c = (rng.integers(q, size=200) for _ in range(3))
    split = field.sum(field.product(a, b), field.product(a, c))
    assert (field.product(a, field.sum(b, c)) == split).all()
    assert (field.product(a, field.product(b, c)) == field.product(field.product(a, b), c)).all()
    assert (field.sum(a, b) == field.sum(b, a)).all()
    assert (field.product(a, 1) == a).all()
    assert (field.sum(a, 0) == a).all()
    for x in range(1, q):
        assert sorted(field.product(np.full(q, x), np.arange(q)).tolist()) == list(range(q))
        assert sorted(field.sum(np.full(q, x), np.arange(q)).tolist()) == list(range(q))


@pytest.mark.parametrize(
    ("q", "error"), [(6, DomainError), (1, DomainError), (81, InstanceTooLargeError)]
)
def test_there_are_fields_of_prime_power_order_alone(q, error):
    with pytest.raises(error, match=f"test: the order .* {q}"):
        finite_field(q, "test")
