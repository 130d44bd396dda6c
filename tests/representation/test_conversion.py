"""Theorems 3.1 and 3.2: representations and one-way protocols, without loss in size."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ccsim.classes import ConceptClass, k_points, points, thresholds
from ccsim.communication.minimax import minimax_error
from ccsim.communication.problem import evaluation_problem
from ccsim.communication.protocols.tables import (
    DeterministicProtocol,
    PrivateCoinProtocol,
    PublicCoinProtocol,
)
from ccsim.communication.protocols.two_party import error_table, worst_error
from ccsim.errors import DomainError
from ccsim.representation import (
    HypothesisSet,
    ProbabilisticRepresentation,
    failure_probability,
    from_private_coin_protocol,
    from_public_coin_protocol,
    representation_error,
    select,
    to_private_coin_protocol,
    to_public_coin_protocol,
)
from ccsim.representation.error import masses
from tests.small_classes import EMPTY
from tests.strategies import (
    concept_classes,
    deterministic_protocols,
    hypothesis_sets,
    private_coin_protocols,
    probabilistic_representations,
    public_coin_protocols,
)

DISTRIBUTIONS = settings(max_examples=50, derandomize=True, deadline=None)
ERRORS = [Fraction(1, 6), Fraction(1, 4), Fraction(1, 2), Fraction(2, 3)]


def mass(distribution, points):
    return masses(distribution, [points])[0]


@st.composite
def classes_with(draw, protocols, max_points=3, messages=2):
    """Draw a class of at most four concepts, and a protocol for its evaluation."""
    C = draw(concept_classes(max_points=max_points, min_points=1, min_concepts=1))
    C = C.subclass(range(min(len(C), 4)))
    return C, draw(protocols(len(C), len(C.points), draw(st.integers(1, messages))))


@st.composite
def classes_with_representations(draw, of, max_points=3):
    C = draw(concept_classes(max_points=max_points, min_points=1, min_concepts=1))
    return C, draw(of(len(C.points)))


# --- Theorem 3.1: public coins and probabilistic representations ----------------------------------


@pytest.mark.claim("fx/thm-7-le")
@DISTRIBUTIONS
@given(classes_with(public_coin_protocols))
def test_public_coins_with_error_eps_delta_give_an_eps_delta_representation(case):
    C, protocol = case
    worst = worst_error(protocol, evaluation_problem(C)).value
    representation = from_public_coin_protocol(protocol)
    assert representation.size <= protocol.messages
    for eps in ERRORS:
        assert failure_probability(representation, C, eps).upper <= min(worst / eps, 1)


@DISTRIBUTIONS
@given(classes_with(public_coin_protocols))
def test_the_representation_holds_the_rows_of_bob_with_their_probability(case):
    _, protocol = case
    representation = from_public_coin_protocol(protocol)
    for H, weight in zip(representation.sets, representation.weights, strict=True):
        assert weight == sum(
            w
            for w, component in zip(protocol.weights, protocol.components, strict=True)
            if set(component.bob) == set(H.rows)
        )


@pytest.mark.claim("fx/thm-7-ge")
@DISTRIBUTIONS
@given(classes_with_representations(probabilistic_representations))
def test_an_eps_delta_representation_gives_public_coins_with_the_error_of_the_theorem(case):
    C, representation = case
    converted = to_public_coin_protocol(representation, C)
    problem = evaluation_problem(C)
    assert converted.protocol.messages == representation.size
    assert converted.error == worst_error(converted.protocol, problem).value
    for eps in ERRORS:
        delta = failure_probability(representation, C, eps)
        assert delta.exact
        assert converted.error <= 1 - (1 - eps) * (1 - delta.upper) <= eps + delta.upper


@DISTRIBUTIONS
@given(classes_with_representations(probabilistic_representations))
def test_no_choice_of_alice_errs_less_under_the_distribution_that_is_told(case):
    C, representation = case
    converted = to_public_coin_protocol(representation, C)
    row = C.rows[converted.concept]
    least = sum(
        weight * min(mass(converted.distribution, h ^ row) for h in H.rows)
        for weight, H in zip(representation.weights, representation.sets, strict=True)
    )
    assert least == converted.error == max(select(representation, r).value for r in C.rows)


@DISTRIBUTIONS
@given(classes_with(public_coin_protocols))
def test_protocol_to_representation_to_protocol_never_errs_more(case):
    C, protocol = case
    problem = evaluation_problem(C)
    back = to_public_coin_protocol(from_public_coin_protocol(protocol), C)
    assert back.protocol.messages <= protocol.messages
    assert back.error <= worst_error(protocol, problem).value
    before, after = error_table(protocol, problem), error_table(back.protocol, problem)
    for x in range(len(C)):  # not even for a single concept
        points_of = range(len(C.points))
        assert max(after[x, y] for y in points_of) <= max(before[x, y] for y in points_of)


@DISTRIBUTIONS
@given(classes_with_representations(probabilistic_representations))
def test_a_second_round_changes_nothing_any_more(case):
    C, representation = case
    once = to_public_coin_protocol(representation, C)
    twice = to_public_coin_protocol(from_public_coin_protocol(once.protocol), C)
    assert twice.error == once.error
    assert twice.protocol.messages == once.protocol.messages


@pytest.mark.parametrize(
    ("C", "messages"), [(points(2), 2), (points(2), 3), (thresholds(2), 2), (k_points(2, 2), 2)]
)
def test_an_optimal_protocol_comes_back_with_the_same_error(C, messages):
    best = minimax_error(evaluation_problem(C), messages)
    back = to_public_coin_protocol(from_public_coin_protocol(best.protocol), C)
    assert back.error == best.value  # not more by the law, not less because it is optimal


def test_private_coins_and_no_coins_are_public_coins_too():
    flat = DeterministicProtocol((0, 1), (0b01, 0b10), 2)
    sets = from_public_coin_protocol(flat).sets
    assert sets == from_public_coin_protocol(flat.to_private_coin()).sets
    assert sets == from_public_coin_protocol(flat.to_public_coin()).sets
    assert sets == (HypothesisSet((1, 2), 2),)


# --- Theorem 3.2: private coins and deterministic representations ---------------------------------


@pytest.mark.claim("fx/thm-8-le")
@DISTRIBUTIONS
@given(classes_with(private_coin_protocols))
def test_private_coins_with_half_the_error_give_a_deterministic_representation(case):
    C, protocol = case
    worst = worst_error(protocol, evaluation_problem(C)).value
    H = from_private_coin_protocol(protocol)
    assert H.size <= protocol.messages
    assert representation_error(H, C).value <= 2 * worst


@pytest.mark.claim("fx/thm-8-ge")
@DISTRIBUTIONS
@given(classes_with_representations(hypothesis_sets))
def test_a_representation_gives_private_coins_that_err_exactly_as_much(case):
    C, H = case
    protocol, result = to_private_coin_protocol(H, C)
    assert isinstance(protocol, PrivateCoinProtocol)
    assert protocol.messages == H.size
    assert worst_error(protocol, evaluation_problem(C)).value == result.value
    assert result.value == representation_error(H, C).value
    result.check()


@DISTRIBUTIONS
@given(classes_with(deterministic_protocols))
def test_without_coins_the_rows_of_bob_represent_at_least_as_well(case):
    C, protocol = case
    H = from_private_coin_protocol(protocol)
    assert set(H.rows) == set(protocol.bob)
    assert from_private_coin_protocol(protocol.to_private_coin()) == H
    back, result = to_private_coin_protocol(H, C)
    assert result.value <= worst_error(protocol, evaluation_problem(C)).value
    assert back.messages <= protocol.messages


@DISTRIBUTIONS
@given(classes_with_representations(hypothesis_sets))
def test_representation_to_protocol_to_representation_is_the_same_set(case):
    C, H = case
    protocol, _ = to_private_coin_protocol(H, C)
    assert from_private_coin_protocol(protocol) == H


def test_bob_s_tie_counts_as_zero():
    half = Fraction(1, 2)
    protocol = PrivateCoinProtocol(((1,),), ((half, half + Fraction(1, 10**50), 1),))
    assert from_private_coin_protocol(protocol).rows == (0b110,)


def test_the_factor_two_of_the_theorem_is_reached():
    tossing = PrivateCoinProtocol(((1,),), ((Fraction(1, 2),),))
    C = ConceptClass((0,), (0,), (1,))
    assert worst_error(tossing, evaluation_problem(C)).value == Fraction(1, 2)
    assert representation_error(from_private_coin_protocol(tossing), C).value == 1


# --- Between the theorems -------------------------------------------------------------------------


@DISTRIBUTIONS
@given(classes_with_representations(hypothesis_sets))
def test_one_set_gives_the_same_error_with_public_and_with_private_coins(case):
    C, H = case
    R = ProbabilisticRepresentation((Fraction(1),), (H,))
    public, private = to_public_coin_protocol(R, C), to_private_coin_protocol(H, C)
    assert public.error == private.error
    assert isinstance(public.protocol, PublicCoinProtocol)
    for protocol, result in (public, private):
        assert worst_error(protocol, evaluation_problem(C)).value == result.value
        row = C.rows[result.concept]
        assert min(mass(result.distribution, h ^ row) for h in H.rows) == result.value


@pytest.mark.parametrize("C", [points(1), EMPTY])
def test_other_points_and_empty_classes_are_refused(C):
    H = HypothesisSet((0,), 2 if not len(C) else 3)
    reason = "hypotheses must be over the|at least one concept"
    with pytest.raises(DomainError, match=reason):
        to_private_coin_protocol(H, C)
    with pytest.raises(DomainError, match=reason):
        to_public_coin_protocol(ProbabilisticRepresentation((Fraction(1),), (H,)), C)
