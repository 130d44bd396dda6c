"""Newman's theorem in a finite form: few seeds, private coins, and exact errors."""

from dataclasses import replace
from decimal import Decimal, getcontext
from fractions import Fraction
from math import floor

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ccsim.communication.minimax import minimax_error
from ccsim.communication.problem import CommunicationProblem, augmented_index, equality
from ccsim.communication.protocols.conversions import newman, newman_seeds
from ccsim.communication.protocols.tables import DeterministicProtocol, PublicCoinProtocol
from ccsim.communication.protocols.two_party import error_table, worst_error
from ccsim.errors import CertificateError, DomainError, NotDecidedError
from protocols import EqualityHashing
from tests.strategies import public_coin_protocols


@pytest.mark.parametrize("inputs", [2, 3, 16, 256, 10**6])
@pytest.mark.parametrize(
    "gamma", [Fraction(1, 4), Fraction(1, 10), Fraction(2, 3), Fraction(1, 10**30)]
)
def test_number_of_seeds_is_the_formula(inputs, gamma):
    getcontext().prec = 120
    bound = Decimal(inputs).ln() * gamma.denominator**2 / (2 * gamma.numerator**2)
    assert newman_seeds(inputs, gamma) == floor(bound) + 1


@pytest.mark.parametrize(
    ("inputs", "gamma", "seeds"), [(16, "1/4", 23), (2, "0.5", 2), (1, "1/9", 1)]
)
def test_number_of_seeds_of_small_cases(inputs, gamma, seeds):
    assert newman_seeds(inputs, gamma) == seeds


@pytest.mark.parametrize("inputs", [2, 5, 16])
@pytest.mark.parametrize("gamma", [Fraction(1, 4), Fraction(1, 3)])
def test_so_many_seeds_suffice_by_the_union_bound(inputs, gamma):
    getcontext().prec = 60
    exponent = -2 * Decimal(gamma.numerator) ** 2 / gamma.denominator**2
    seeds = newman_seeds(inputs, gamma)
    assert inputs * (exponent * seeds).exp() < 1 <= inputs * (exponent * (seeds - 1)).exp()


@pytest.mark.parametrize(
    ("inputs", "gamma", "reason"),
    [
        (0, Fraction(1, 2), "inputs must be at least 1, not 0"),
        (4, Fraction(0), "excess must be strictly between 0 and 1, not 0"),
        (4, 1, "excess must be strictly between 0 and 1, not 1"),
        (4, 0.25, "excess must be an exact number, not the float 0.25"),
        (4, "x", "excess must be a fraction p/q"),
    ],
)
def test_what_is_no_allowance_is_refused(inputs, gamma, reason):
    with pytest.raises(DomainError, match=reason):
        newman_seeds(inputs, gamma)


HASHING = EqualityHashing(bits=3, repetitions=1)


@pytest.mark.claim("fx/app-newman")
@pytest.mark.parametrize("gamma", [Fraction(1, 3), Fraction(1, 8)])
@pytest.mark.parametrize("seed", [0, 1])
def test_private_coins_lose_at_most_gamma(gamma, seed):
    public, problem = HASHING.tabulate(), equality(8)
    result = newman(public, problem, gamma, seed)
    assert result.public_error == worst_error(public, problem).value == Fraction(1, 2)
    assert result.private_error == worst_error(result.protocol, problem).value
    assert result.private_error <= result.public_error + gamma
    assert result.seeds == newman_seeds(64, gamma)
    assert result.protocol.messages <= result.seeds * public.messages
    assert result.tries >= 1


@settings(max_examples=30, derandomize=True, deadline=None)
@given(public_coin_protocols(3, 2, 2), st.integers(0, 9))
def test_every_public_coin_protocol_has_a_private_coin_protocol_nearly_as_good(public, seed):
    problem = CommunicationProblem.from_matrix([[0, 1], [1, None], [1, 0]])
    result = newman(public, problem, "1/3", seed)
    errors = error_table(result.protocol, problem)
    assert result.private_error == max(errors.values()) <= result.public_error + Fraction(1, 3)


def test_alice_draws_from_the_components_that_were_sampled():
    best = minimax_error(equality(4), 2)
    result = newman(best.protocol, best.problem, Fraction(1, 4), seed=7)
    drawn = result.protocol.messages // 2
    assert drawn <= min(result.seeds, len(best.protocol.components))
    for row in result.protocol.alice:
        weights = [sum(row[2 * r : 2 * r + 2]) * result.seeds for r in range(drawn)]
        assert all(w.denominator == 1 and w >= 1 for w in weights)
        assert sum(weights) == result.seeds


def test_the_same_seed_gives_the_same_protocol_and_another_one_may_not():
    best = minimax_error(equality(5), 2)
    results = [newman(best.protocol, best.problem, "1/4", seed) for seed in (3, 3, 4)]
    assert results[0] == results[1]
    assert results[0].protocol != results[2].protocol


def test_one_input_needs_one_seed():
    problem = CommunicationProblem.from_matrix([[1]])
    constant = DeterministicProtocol((0,), (1,), 1).to_public_coin()
    result = newman(constant, problem, "1/2", seed=0)
    assert (result.seeds, result.tries, result.private_error) == (1, 1, 0)
    assert result.protocol.messages == 1


def test_only_inputs_inside_the_promise_count():
    best = minimax_error(augmented_index(2), 2)
    result = newman(best.protocol, best.problem, "1/4", seed=0)
    assert result.seeds == newman_seeds(8, "1/4") < newman_seeds(12, "1/4")


def test_a_search_without_success_says_what_it_tried():
    with pytest.raises(
        NotDecidedError, match="seeds has error at most 5/6; raise tries or change seed"
    ):
        newman(HASHING.tabulate(), equality(8), "1/3", seed=0, tries=0)


def test_a_protocol_for_another_problem_is_refused():
    with pytest.raises(
        DomainError, match="the protocol has 8 x 8 inputs, but the problem has 4 x 4"
    ):
        newman(HASHING.tabulate(), equality(4), Fraction(1, 3), seed=0)


def test_results_are_data():
    best = minimax_error(equality(3), 2)
    result = newman(best.protocol, best.problem, "1/4", seed=0)
    assert replace(result) == result
    assert hash(result) == hash(replace(result))


def test_list_that_errs_more_than_allowed_is_drawn_again():
    f = CommunicationProblem.from_matrix([[0], [1]])
    right, wrong = (DeterministicProtocol((0, 1), bob, 1) for bob in ((0, 1), (1, 0)))
    mixed = PublicCoinProtocol((Fraction(3, 4), Fraction(1, 4)), (right, wrong))
    found = [newman(mixed, f, "1/2", seed) for seed in range(60)]
    assert {result.seeds for result in found} == {2}  # both of them wrong: an error of 1 > 3/4
    assert max(result.tries for result in found) > 1
    assert all(result.private_error <= Fraction(3, 4) for result in found)
    for result in found[:5]:
        result.check()
        with pytest.raises(CertificateError, match="the bound that is proved is"):
            replace(result, private_error=result.private_error + Fraction(1, 9)).check()
