"""Greater-than by bisection, with and without hashes, for all coins and all inputs."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from ccsim import DomainError, InstanceTooLargeError, error_table, greater_than, worst_error
from ccsim.kernel import check
from protocols import GreaterThanBisection, GreaterThanHashing

__all__ = []

SMALL = [
    GreaterThanHashing(bits=1, repetitions=1),
    GreaterThanHashing(bits=2, repetitions=1),
    GreaterThanHashing(bits=2, repetitions=3),
    GreaterThanHashing(bits=3, repetitions=1),
    GreaterThanHashing(bits=3, repetitions=2),
    GreaterThanHashing(bits=4, repetitions=1),
    *(GreaterThanBisection(bits=bits) for bits in range(1, 6)),
]
named = pytest.mark.parametrize("protocol", SMALL, ids=[P.name for P in SMALL])


def outcome(protocol, x, y, coins):
    """Return answer, bits and messages of one run, by the functions of the family."""
    sent, bits = (), 0
    while not isinstance(turn := protocol.turn(sent, coins), int):
        speaker, length = turn
        message = protocol.message(x if speaker == "alice" else y, sent, coins)
        assert 0 <= message < 1 << length
        sent, bits = (*sent, message), bits + length
    return turn, bits, sent


@named
def test_errors_are_those_of_all_coins(protocol):
    table = protocol.tabulate()
    runs = {
        (x, y): [outcome(protocol, x, y, coins) for coins in range(protocol.num_coins)]
        for x, y in product(range(protocol.num_alice), range(protocol.num_bob))
    }
    for (x, y), outcomes in runs.items():
        one = Fraction(sum(answer for answer, _, _ in outcomes), len(outcomes))
        assert table.output_probability(x, y) == one
        assert protocol.value(x, y) == (x > y)
        assert protocol.error(x, y) == abs(one - (x > y))
    assert error_table(table, greater_than(protocol.num_alice)) == {
        cell: protocol.error(*cell) for cell in runs
    }
    assert protocol.stated_error == max(protocol.error(*cell) for cell in runs)
    assert protocol.cost_bits == max(bits for outcomes in runs.values() for _, bits, _ in outcomes)
    assert table.cost_bits <= protocol.cost_bits
    for seed in range(4):
        cell = protocol.hard_input(np.random.default_rng(seed))
        assert protocol.error(*cell) == protocol.stated_error


@named
def test_plays_are_runs_and_list_the_inputs_that_send_the_same(protocol):
    size = protocol.num_alice
    for seed in range(4):
        x, y = (5 * seed + 1) % size, (3 * seed + 2) % size
        play = protocol.play(x, y, seed=seed)
        coins = 0 if play.coins == "none" else int(play.coins.partition(",")[0])
        assert (play.answer, play.bits) == outcome(protocol, x, y, coins)[:2]
        assert play.is_correct is (play.answer == (x > y))
        cells = [*product(range(size), range(size))]
        sent = {cell: outcome(protocol, *cell, coins)[2] for cell in cells}
        assert tuple(each.message for each in play.messages) == sent[x, y]
        for i, each in enumerate(play.messages, 1):
            same = [cell for cell in cells if sent[cell][:i] == sent[x, y][:i]]
            assert same == [*product(each.alice, each.bob)]


def test_deterministic_bisection_is_certified():
    protocol = GreaterThanBisection(bits=3)
    [tree] = protocol.tabulate().components
    tree.check(greater_than(8))
    assert "at most" in check(tree.certificate(greater_than(8)).to_dict())
    assert protocol.cost_bits == 7


def test_large_members_play_and_are_simulated():
    protocol = GreaterThanHashing(bits=1000, repetitions=20)
    assert protocol.cost_bits == 10 * 21 + 2
    play = protocol.play(1 << 999, (1 << 999) - 1)
    assert play.is_correct
    assert play.messages[0].alice is None
    found = GreaterThanHashing(bits=64, repetitions=2)
    x, y = found.hard_input(np.random.default_rng(0))
    simulated = found.simulate(x, y, runs=500, seed=1)
    assert simulated.exact == 1 - Fraction(3, 4) ** 6
    assert simulated.agrees


def test_a_wrong_hash_is_found_by_the_table():
    class Constant(GreaterThanHashing):
        """A protocol that sends the same hash for all inputs."""

        def _sent(self, part, number, coins):
            return 0

    wrong = Constant(bits=2, repetitions=1)
    assert worst_error(wrong.tabulate(), greater_than(4)).value == 1 != wrong.stated_error


def test_sizes_are_checked():
    with pytest.raises(InstanceTooLargeError, match="trees would take"):
        GreaterThanHashing(bits=8, repetitions=2).tabulate()
    with pytest.raises(InstanceTooLargeError, match="repetitions must be at most"):
        GreaterThanHashing(bits=1 << 10, repetitions=1 << 10)
    with pytest.raises(DomainError, match="bits must be an integer, at least 1, not 0"):
        GreaterThanBisection(bits=0)
