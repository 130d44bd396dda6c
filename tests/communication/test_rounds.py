"""Protocols of a few rounds: upper bounds with private coins for large problems."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from ccsim import communication_complexity, deterministic_representation_size, minimax_error
from ccsim.budget import Budget
from ccsim.communication import CommunicationProblem, worst_error
from ccsim.communication.private_coins.rounds import fewest_messages, least_error
from ccsim.communication.public_coins.domination import reduce_problem


@pytest.mark.parametrize("seed", range(6))
def test_the_error_is_that_of_the_protocol_inside_the_promise(seed):
    draws = np.random.default_rng(seed)
    rows = ["".join(draws.choice(list("01*"), 12, p=[0.5, 0.3, 0.2])) for _ in range(30)]
    problem = CommunicationProblem.from_matrix(rows)
    reduced = reduce_problem(problem)
    for messages in (6, 12, 20):
        rounds = least_error(reduced.values(), messages, Budget())
        protocol = rounds.protocol(reduced)
        assert protocol.messages <= messages
        assert worst_error(protocol, problem).value == rounds.error < 1


@pytest.mark.parametrize("error", ["1/4", "1/3", "2/5"])
def test_few_messages_have_the_error_that_is_counted(error):
    allowed = Fraction(error)
    rounds = fewest_messages(np.eye(64), allowed, 63, Budget())
    answers, sent = rounds.messages()
    assert len(answers) < 36
    wrong = [
        [sum(answers[m] >> y & 1 != (x == y) for m in row) for y in range(64)]
        for x, row in enumerate(sent.tolist())
    ]
    assert max(map(max, wrong)) == rounds.error * len(rounds.played)
    assert rounds.error <= allowed
    assert fewest_messages(np.eye(64), allowed, 2, Budget()) is None


def test_no_error_needs_a_message_for_each_input():
    assert fewest_messages(np.eye(30), Fraction(0), 29, Budget()) is None


def test_a_problem_too_large_for_a_search_has_fewer_messages_than_inputs_at_once():
    found = communication_complexity("equality:n=100", "1/4", coins="private", time_limit=0)
    assert found.upper < 64
    found.check()
    found = minimax_error("equality:n=100", 40, "private", time_limit=0)
    assert found.upper <= Fraction(2, 5)
    found.check()


@pytest.mark.parametrize(("name", "most"), [("points:b=7", 50), ("thresholds:b=7", 110)])
def test_a_class_of_many_points_has_a_representation_smaller_than_itself(name, most):
    found = deterministic_representation_size(name, "1/4", time_limit=3)
    assert found.upper == found.representation.hypotheses.size < most
    assert found.representation.represents(Fraction(1, 4))
    found.check()
    found.representation.check()
