"""Randomised protocols from a user's functions, against their definition."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

from ccsim import DomainError, InstanceTooLargeError, PrivateCoinProtocol, PublicCoinProtocol

COINS = {"a": Fraction(1, 2), "b": Fraction(1, 3), "c": Fraction(1, 6), "never": Fraction(0)}
BOBS = {1: "1/4", 2: "3/4"}


def alice(x, coin):
    assert coin != "never"
    return (x + ord(coin)) % 3 if coin != "c" else "all"


def bob(message, y, coin):
    return sum(map(ord, f"{message}{y}{coin}")) // 3 % 2


def test_public_coins_are_seen_by_both():
    P = PublicCoinProtocol.from_functions(alice, bob, range(4), range(3), COINS)
    assert P.messages == 3  # on a and b; on c there is one
    assert P.weights == (Fraction(1, 2), Fraction(1, 3), Fraction(1, 6))
    for x, y in product(range(4), range(3)):
        expected = sum(w for c, w in COINS.items() if w and bob(alice(x, c), y, c))
        assert P.output_probability(x, y) == expected


def test_private_coins_are_seen_by_one():
    P = PrivateCoinProtocol.from_functions(alice, bob, range(4), range(3), COINS, BOBS)
    assert P.messages == 4
    for x, y in product(range(4), range(3)):
        expected = sum(
            w * Fraction(v)
            for (c, w), (d, v) in product(COINS.items(), BOBS.items())
            if w and bob(alice(x, c), y, d)
        )
        assert P.output_probability(x, y) == expected
    deterministic = PrivateCoinProtocol.from_functions(
        alice, lambda m, y: bob(m, y, 0), range(4), range(3), COINS
    )
    for x, y in product(range(4), range(3)):
        expected = sum(w for c, w in COINS.items() if w and bob(alice(x, c), y, 0))
        assert deterministic.output_probability(x, y) == expected


def test_a_list_of_coins_is_uniform():
    P = PublicCoinProtocol.from_functions(lambda x, c: 0, lambda m, y, c: c < 2, [0], [0], range(6))
    assert P.output_probability(0, 0) == Fraction(1, 3)
    Q = PrivateCoinProtocol.from_functions(lambda x, c: c < 2, lambda m, y: m, [0], [0], range(6))
    assert Q.output_probability(0, 0) == Fraction(1, 3)


@pytest.mark.parametrize("kind", [PublicCoinProtocol, PrivateCoinProtocol])
@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"alice": 5}, "alice must be a function, not 5"),
        ({"bob": None}, "bob must be a function"),
        ({"coins": []}, "coins must have at least one outcome"),
        ({"coins": {0: "1/2"}}, "sum"),
        ({"coins": {0: "3/2", 1: "-1/2"}}, "coins"),
        ({"coins": {0: 0.5, 1: 0.5}}, "coins"),
        ({"coins": 5}, "coins"),
        ({"alice": lambda x, c: []}, "alice must return hashable messages"),
        ({"bob": lambda *_: 2}, "bob must answer message 0 with 0 or 1, not 2"),
    ],
)
def test_what_is_wrong_is_one_line(kind, given, message):
    known = {"alice": lambda x, c: 0, "bob": lambda *_: 0, "alice_inputs": [0], "bob_inputs": [0]}
    with pytest.raises(DomainError) as caught:
        kind.from_functions(**known | {"coins": [0]} | given)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("kind", [PublicCoinProtocol, PrivateCoinProtocol])
def test_sizes_are_checked_before_any_call(kind):
    with pytest.raises(InstanceTooLargeError):
        kind.from_functions(print, print, range(1 << 12), range(1 << 12), range(1 << 12))
