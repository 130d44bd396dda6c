"""The fewest components of a public-coin protocol with nearly its error, against all subsets."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import combinations, count

import pytest

from ccsim import (
    CertificateError,
    CommunicationProblem,
    DeterministicProtocol,
    DomainError,
    NotDecidedError,
    PublicCoinProtocol,
    equality,
    error_table,
    evaluation_problem,
    greater_than,
    minimax_error,
    thresholds,
    worst_error,
)
from ccsim.budget import Budget
from ccsim.communication import FewestSeeds, fewest_seeds, newman_seeds
from ccsim.programs import solve_matrix_game
from protocols import EqualityHashing

CASES = [
    (EqualityHashing(bits=2, repetitions=1).tabulate().to_public_coin(), equality(4), "1/6"),
    (EqualityHashing(bits=3, repetitions=1).tabulate().to_public_coin(), equality(8), "1/10"),
    (minimax_error(greater_than(4), 2).protocol.to_public_coin(), greater_than(4), "1/8"),
    (minimax_error(equality(3), 2).protocol.to_public_coin(), equality(3), "1/9"),
    (
        minimax_error(evaluation_problem(thresholds(2)), 2).protocol.to_public_coin(),
        evaluation_problem(thresholds(2)),
        "0",
    ),
]


def least_error(protocol, problem, chosen):
    """Return the least error of a mixture of the chosen components, by a matrix game."""
    tables = [error_table(protocol.components[i], problem) for i in chosen]
    return solve_matrix_game([[t[cell] for t in tables] for cell in problem.inputs()]).value


@pytest.mark.claim("fx/app-newman")
@pytest.mark.parametrize(("protocol", "problem", "gamma"), CASES)
def test_no_smaller_set_of_components_is_enough(protocol, problem, gamma):
    few = fewest_seeds(protocol, problem, gamma)
    few.check()
    allowed = worst_error(protocol, problem).value + Fraction(gamma)
    assert worst_error(few.mixture, problem).value <= few.allowed == allowed
    for smaller in combinations(range(len(protocol.components)), few.seeds - 1):
        assert not smaller or least_error(protocol, problem, smaller) > allowed


@pytest.mark.parametrize(("protocol", "problem", "gamma"), CASES)
def test_alice_sends_the_seed_with_the_message(protocol, problem, gamma):
    few = fewest_seeds(protocol, problem, gamma)
    private = few.protocol
    assert private.messages == few.seeds * protocol.messages
    assert error_table(private, problem) == error_table(few.mixture, problem)
    if gamma != "0":
        assert few.seeds <= newman_seeds(len(problem.inputs()), gamma)


def test_hashing_needs_few_of_its_seeds():
    protocol = EqualityHashing(bits=3, repetitions=1).tabulate().to_public_coin()
    few = fewest_seeds(protocol, equality(8), "1/6")
    few.check()
    assert few.seeds < len(protocol.components) < newman_seeds(64, "1/6")


def test_one_component_is_enough_when_every_error_is_allowed():
    protocol, problem, _ = CASES[0]
    few = fewest_seeds(protocol, problem, 1)
    few.check()
    assert (few.seeds, few.distributions) == (1, ())


def test_an_exact_protocol_without_loss_may_need_all_its_components():
    half = Fraction(1, 2)
    protocol, problem, _ = CASES[3]
    alone = [PublicCoinProtocol.mixture([(1, part)]) for part in protocol.components]
    assert all(worst_error(one, problem).value > half for one in alone)
    assert fewest_seeds(protocol, problem, 0).seeds == len(protocol.components)


# --- Altered proofs -------------------------------------------------------------------------------

PROTOCOL, PROBLEM, GAMMA = CASES[1]
FEW = fewest_seeds(PROTOCOL, PROBLEM, GAMMA)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"allowed": Fraction(1, 2)}, "the disagreement 3/5 is above the error"),
        ({"allowed": Fraction(0)}, "the disagreement 3/5 is above the error"),
        (
            {"distributions": FEW.distributions[:1]},
            "lower must be at most 1, the bound that the distributions prove, not 4",
        ),
        (
            {"distributions": ()},
            "lower must be at most 1, the bound that the distributions prove, not 4",
        ),
        ({"mixture": PROTOCOL}, "upper: the bound that is proved is 8"),
        ({"lower": FEW.seeds + 1, "upper": FEW.seeds + 1}, "distributions prove, not 5"),
        ({"upper": FEW.seeds + 1}, "upper: the bound that is proved is 4"),
        ({"upper": FEW.seeds - 1}, "upper: the bound that is proved is 4"),
        (
            {"source": PublicCoinProtocol.mixture([(1, PROTOCOL.components[0])])},
            "must consist of components of the protocol",
        ),
    ],
)
def test_altered_results_are_rejected(change, message):
    FEW.check()
    assert isinstance(FEW, FewestSeeds)
    with pytest.raises(CertificateError, match=message):
        replace(FEW, **change).check()


def test_a_weaker_bound_may_be_claimed():
    replace(FEW, lower=FEW.seeds - 1).check()


@pytest.mark.parametrize(
    "limit",
    [{"work": n} for n in range(4)] + [{"time_limit": looks} for looks in (10, 20, 40, 100)],
)
def test_a_search_cut_off_leaves_proved_bounds(limit):
    if "time_limit" in limit:
        limit = {"time_limit": Budget(limit["time_limit"], clock=count().__next__)}
    found = fewest_seeds(PROTOCOL, PROBLEM, GAMMA, **limit)
    assert 1 <= found.lower <= FEW.seeds <= found.upper <= len(PROTOCOL.components)
    found.check()
    if not found.exact:
        with pytest.raises(NotDecidedError, match="the least number of components lies between"):
            _ = found.seeds


def test_components_that_err_alike_count_once():
    problem = CommunicationProblem.from_matrix([[None, 1], [1, None]])
    always = [DeterministicProtocol(alice, (3, 3), 2) for alice in ((0, 0), (0, 1))]
    protocol = PublicCoinProtocol.mixture([("1/2", always[0]), ("1/2", always[1])])
    assert len(protocol.components) == 2
    found = fewest_seeds(protocol, problem, 0, work=0)
    assert (found.lower, found.upper) == (1, 1)
    found.check()


def test_without_time_for_the_error_of_the_protocol_nothing_is_asked():
    with pytest.raises(NotDecidedError, match="fewest_seeds: not decided within the time"):
        fewest_seeds(PROTOCOL, PROBLEM, GAMMA, time_limit=0)


@pytest.mark.parametrize("gamma", ["-1/2", "2"])
def test_what_is_no_allowance_is_refused(gamma):
    with pytest.raises(DomainError, match="excess must be between 0 and 1"):
        fewest_seeds(PROTOCOL, PROBLEM, gamma)
