"""Deterministic protocols given by functions of Alice and Bob."""

from __future__ import annotations

import pytest

from ccsim import DeterministicProtocol, greater_than, worst_error
from ccsim.errors import DomainError, InstanceTooLargeError


def never(*_):
    raise AssertionError("called before the size is checked")


def test_the_answers_are_those_of_the_functions():
    words, letters = ["ab", "ba", "c", ""], ["a", "b"]
    P = DeterministicProtocol.from_functions(frozenset, lambda m, y: y in m, words, letters)
    assert P.messages == 3  # ab and ba send the same
    for x, word in enumerate(words):
        for y, letter in enumerate(letters):
            assert P.answer(x, y) == (letter in word)


def test_all_of_greater_than_is_sent_without_error_and_halves_with_some():
    f = greater_than(4)
    exact = DeterministicProtocol.from_functions(lambda x: x, lambda m, y: m > y, f.alice, f.bob)
    assert worst_error(exact, f).value == 0
    half = DeterministicProtocol.from_functions(
        lambda x: x // 2, lambda m, y: 2 * m > y, f.alice, f.bob
    )
    assert worst_error(half, f).value == 1


@pytest.mark.parametrize(
    ("alice", "bob", "message"),
    [
        (3, max, "alice must be a function, not 3"),
        (min, "b", "bob must be a function, not 'b'"),
        (lambda x: [x], max, "alice must return hashable messages"),
        (lambda x: x, lambda _m, _y: 2, "bob must answer message 0 with 0 or 1, not 2"),
    ],
)
def test_what_is_no_protocol_is_refused(alice, bob, message):
    with pytest.raises(DomainError, match=message):
        DeterministicProtocol.from_functions(alice, bob, [0, 1], [0, 1])


def test_the_size_is_checked_before_any_call():
    with pytest.raises(InstanceTooLargeError):
        DeterministicProtocol.from_functions(never, never, range(10**5), range(10**5))
