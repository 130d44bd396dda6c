"""Bounds on private-coin errors: an explicit protocol above, the public-coin game below."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction

import pytest

from ccsim import (
    CertificateError,
    CommunicationProblem,
    NotDecidedError,
    communication_complexity,
    equality,
    evaluation_problem,
    greater_than,
    index,
    minimax_error,
    thresholds,
    worst_error,
)
from ccsim.cli.main import main
from ccsim.communication.private_coins import best_alice, best_bob
from proofs_check import kernel

INSTANCES = [
    (equality(3), 2),
    (greater_than(4), 2),
    (greater_than(4), 3),
    (evaluation_problem(thresholds(2)), 2),
    (index(2), 2),
    (CommunicationProblem.from_matrix([[0, 1, None], [1, None, 0], [None, 0, 1]]), 2),
]


@pytest.mark.parametrize(("problem", "messages"), INSTANCES, ids=str)
def test_private_coins_lie_between_public_ones_and_one_half(problem, messages):
    result = minimax_error(problem, messages, "private")
    assert result.lower == minimax_error(problem, messages).value
    assert result.lower <= result.upper <= Fraction(1, 2)
    assert worst_error(result.protocol, problem).value == result.upper
    assert result.protocol.messages <= messages
    result.check()
    kernel.check(json.loads(result.certificate().to_json()))


def test_thresholds_on_three_points_come_close_to_the_irrational_value():
    upper = minimax_error(evaluation_problem(thresholds(2)), 2, "private").upper
    # the value is (3 - sqrt 5) / 2: the smaller root of v^2 - 3 v + 1
    assert upper < Fraction(39, 100)
    assert upper**2 - 3 * upper + 1 <= 0


def test_one_message_and_enough_messages_are_exact():
    assert minimax_error(equality(3), 1, "private").value == Fraction(1, 2)
    assert minimax_error(equality(3), 3, "private").value == 0


def test_an_interval_has_no_value():
    result = minimax_error(equality(3), 2, "private")
    assert not result.exact
    with pytest.raises(NotDecidedError, match="between 2/9 and 1/2"):
        _ = result.value


def test_best_replies_do_not_lose():
    problem = evaluation_problem(thresholds(2))
    start = minimax_error(problem, 2, "private").protocol
    alice = best_alice(problem, start.bob)
    reply = replace(start, alice=alice)
    assert worst_error(reply, problem).value <= worst_error(start, problem).value
    answer = replace(start, alice=alice, bob=best_bob(problem, alice))
    assert worst_error(answer, problem).value <= worst_error(reply, problem).value


def test_altered_bounds_are_rejected():
    result = minimax_error(greater_than(4), 2, "private")
    with pytest.raises(CertificateError, match="the protocol errs"):
        replace(result, upper=result.upper - Fraction(1, 10**6)).check()
    with pytest.raises(CertificateError, match="less than"):
        replace(result, lower=result.lower + Fraction(1, 10**6)).check()
    with pytest.raises(CertificateError, match="no distribution"):
        replace(result, distribution=None).check()


def test_complexity_is_decided_or_open():
    assert communication_complexity(equality(3), "1/2", "private").messages == 1
    with pytest.raises(NotDecidedError, match=r"with 2 messages .* between 2/9 and 1/2"):
        communication_complexity(equality(3), "1/3", "private")


def test_the_command_prints_the_interval_and_status_3(capsys, tmp_path):
    file = tmp_path / "private.json"
    argv = ["error", "equality:n=3", "--messages", "2", "--coins", "private"]
    assert main([*argv, "--json", "--certificate", str(file)]) == 3
    data = json.loads(capsys.readouterr().out)
    assert (data["value"], data["exact"]) == (None, False)
    assert (data["lower"], data["upper"]) == ("2/9", "1/2")
    assert kernel.check(kernel.read(file))
    assert main(argv) == 3
    assert "2/9 (0.222222) to 1/2 (0.5)" in capsys.readouterr().out
