"""The minimum error under a distribution, against all protocols and Yao's principle."""

import json
from dataclasses import replace
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ccsim import kernel, random_class
from ccsim.communication.distributional import DistributionProof, distributional_error
from ccsim.communication.hard_distribution import HardDistribution
from ccsim.communication.minimax import minimax_error
from ccsim.communication.problem import (
    CommunicationProblem,
    augmented_index,
    equality,
    evaluation_problem,
    greater_than,
)
from ccsim.communication.protocols.tables import DeterministicProtocol
from ccsim.communication.protocols.two_party import expected_error
from ccsim.errors import CertificateError, DomainError
from tests.strategies import concept_classes, distributions, problems


def uniform(problem):
    cells = problem.inputs()
    return dict.fromkeys(cells, Fraction(1, len(cells)))


def least_error_by_definition(problem, mu, messages):
    """Return the minimum over all maps of Alice and all tables of Bob."""
    n, m = len(problem.alice), len(problem.bob)
    return min(
        expected_error(DeterministicProtocol(alice, bob, m), problem, mu)
        for alice in product(range(messages), repeat=n)
        for bob in product(range(1 << m), repeat=messages)
    )


@st.composite
def weighted_problems(draw, max_alice=3, max_bob=2):
    """Draw a problem and a distribution on its promise; weights may be 0."""
    problem = draw(problems(max_alice, max_bob))
    cells = problem.inputs()
    return problem, dict(zip(cells, draw(distributions(len(cells))), strict=True))


@settings(max_examples=60, derandomize=True, deadline=None)
@given(weighted_problems(), st.integers(1, 2))
def test_least_error_is_the_minimum_over_all_protocols(case, messages):
    problem, mu = case
    result = distributional_error(problem, mu, messages)
    assert result.value == least_error_by_definition(problem, mu, messages)
    assert expected_error(result.protocol, problem, mu) == result.value
    result.check()
    kernel.check(json.loads(result.certificate().to_json()))


@settings(max_examples=60, derandomize=True, deadline=None)
@given(weighted_problems(max_alice=4, max_bob=4), st.integers(1, 4))
def test_error_falls_with_messages_and_never_exceeds_the_worst_case(case, messages):
    problem, mu = case
    value = distributional_error(problem, mu, messages).value
    assert distributional_error(problem, mu, messages + 1).value <= value
    assert value <= minimax_error(problem, messages).value
    if messages >= len(problem.alice):
        assert value == 0


@pytest.mark.claim("fx/eq-2.1")
@settings(max_examples=25, derandomize=True, deadline=None)
@given(problems(), st.integers(1, 3))
def test_the_hard_distribution_reaches_the_least_worst_case_error(problem, messages):
    worst = minimax_error(problem, messages)
    under = distributional_error(problem, worst.distribution.as_mapping(), messages)
    assert under.value == worst.value
    assert under.distribution == worst.distribution


@settings(max_examples=25, derandomize=True, deadline=None)
@given(concept_classes(min_points=1, min_concepts=1))
def test_one_message_answers_the_likelier_value_on_each_point(C):
    problem = evaluation_problem(C)
    likelier = sum(
        min(ones, len(C) - ones)
        for ones in (sum(row >> x & 1 for row in C.rows) for x in range(len(C.points)))
    )
    value = distributional_error(problem, uniform(problem), 1).value
    assert value == Fraction(likelier, len(problem.inputs()))


@pytest.mark.parametrize(
    ("problem", "messages", "value"),
    [
        (equality(4), 1, "1/4"),
        (equality(4), 2, "3/16"),
        (equality(4), 4, 0),
        (greater_than(4), 1, "1/4"),
        (greater_than(4), 2, "1/8"),
        (augmented_index(2), 2, "1/4"),
        (augmented_index(3), 4, "1/6"),
    ],
)
def test_known_values_under_the_uniform_distribution(problem, messages, value):
    assert distributional_error(problem, uniform(problem), messages).value == Fraction(value)


def test_weights_of_any_size_are_exact():
    tiny = Fraction(1, 10**60)
    mu = {(0, 0): tiny, (0, 1): 2 * tiny, (1, 0): 1 - 4 * tiny, (1, 1): tiny}
    assert distributional_error(equality(2), mu, 1).value == 2 * tiny
    kernel.check(json.loads(distributional_error(equality(2), mu, 1).certificate().to_json()))


def test_only_inputs_with_weight_count_against_the_limit():
    mu = {(x, 0): Fraction(int(x < 2), 2) for x in range(40)}
    result = distributional_error(equality(40), mu, 1)
    assert result.value == Fraction(1, 2)
    assert distributional_error(equality(21), uniform(equality(21)), 3).value == Fraction(19, 441)


PARTIAL = CommunicationProblem.from_matrix([[0, None], [1, 1]])


def test_weight_zero_may_lie_outside_the_promise():
    assert distributional_error(PARTIAL, {(0, 0): 1, (0, 1): "0"}, 1).value == 0


@pytest.mark.parametrize(
    ("mu", "messages", "reason"),
    [
        ({(0, 0): 1}, 0, "messages must be at least 1, not 0"),
        ({(0, 0): "1/2", (0, 1): "1/2"}, 1, r"supported inside the promise, not on \(0, 1\)"),
        ({(0, 2): 1}, 1, r"must be on pairs of inputs of the problem, not on \(0, 2\)"),
        ({(-1, 0): 1}, 1, r"must be pairs of non-negative integers, not \(-1, 0\)"),
        ({(0, 0): "1/2"}, 1, "distribution must sum to 1, not 1/2"),
        ({(0, 0): 2, (1, 0): -1}, 1, r"distribution\[1\] must be at least 0, not -1"),
        ({(0, 0): 1.0}, 1, r"distribution\[0\] must be an exact number, not the float 1.0"),
        ({(0, 0): 1, (0, 1): "x"}, 1, r"distribution\[1\] must be a fraction p/q"),
        ({}, 1, "distribution must sum to 1, not 0"),
    ],
)
def test_what_is_no_distribution_on_the_promise_is_refused(mu, messages, reason):
    with pytest.raises(DomainError, match=reason):
        distributional_error(PARTIAL, mu, messages)


@pytest.mark.parametrize("messages", [2, 3, 7])
def test_bounds_of_stopped_searches_enclose_the_least_error(messages):
    for seed in range(8):
        problem = evaluation_problem(random_class(9, 8, seed))
        exact = distributional_error(problem, uniform(problem), messages)
        stopped = distributional_error(problem, uniform(problem), messages, time_limit=0)
        assert stopped.lower <= exact.value <= stopped.upper
        stopped.check()


def test_beyond_the_exact_size_are_proved_bounds():
    problem = evaluation_problem(random_class(140, 140, 0))
    result = distributional_error(problem, uniform(problem), 2, time_limit=0)
    assert Fraction(40, 100) < result.lower < result.upper < Fraction(45, 100)
    result.check()
    problem = equality(400)  # of which the kernel checks no squares
    result = distributional_error(problem, uniform(problem), 3, time_limit=0)
    assert (result.lower, result.certificate().lower) == (0, None)
    assert result.upper < Fraction(1, 400)
    result.check()


def test_weights_of_a_thousand_digits_have_bounds():
    mu = {(x, y): Fraction(1, 30**2) for x in range(30) for y in range(30)}
    mu[0, 0], mu[1, 1] = mu[0, 0] + Fraction(1, 10**1000), mu[1, 1] - Fraction(1, 10**1000)
    result = distributional_error(equality(30), mu, 2, time_limit=0)
    assert 0 <= result.lower <= result.upper < Fraction(1, 30)
    result.check()


RESULT = distributional_error(equality(3), uniform(equality(3)), 2)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"upper": Fraction(1, 5)}, "the bound that is proved is 2/9"),
        ({"lower": Fraction(1, 4)}, "the bound that is proved is 2/9"),
        ({"messages": 1}, "must be an index below 1"),
        ({"messages": 3}, "costs less"),
        (
            {"protocol": DeterministicProtocol((0, 0, 0), (0,), 3)},
            "the bound that is proved is 1/3",
        ),
        (
            {"below": DistributionProof(HardDistribution(((0, 0, 1), (1, 0, 1), (2, 0, 1))))},
            "the bound that is proved is 0",
        ),
    ],
)
def test_altered_results_are_rejected(change, reason):
    RESULT.check()
    with pytest.raises(CertificateError, match=reason):
        replace(RESULT, **change).check()


def test_a_distribution_may_be_a_mapping_a_matrix_or_an_object():
    problem = equality(2)
    matrix = [["1/4", "1/4"], ["1/4", "1/4"]]
    mapping = {(x, y): Fraction(1, 4) for x in range(2) for y in range(2)}
    answers = [
        distributional_error(problem, mu, 1)
        for mu in (matrix, mapping, HardDistribution.from_matrix(matrix))
    ]
    assert answers[0] == answers[1] == answers[2]
    assert answers[0].value == Fraction(1, 2)
