"""Protocols given by functions: their coins, and the calls of Alice's and Bob's functions."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any, TypeAlias, cast

from ccsim.arguments.values import show_value
from ccsim.errors import DomainError
from ccsim.exact import probability_vector
from ccsim.texts.labels import is_bit, listed

Coins: TypeAlias = Iterable[Any] | Mapping[Any, Fraction | int | str]
"""Equally likely outcomes, or outcomes with their probabilities."""


def weighted_coins(coins: Coins, name: str) -> tuple[tuple[Any, Fraction], ...]:
    """Return outcomes of coins with their probabilities; those of probability 0 are left out."""
    if isinstance(coins, Mapping):
        weights = probability_vector(coins.values(), name)
        return tuple((coin, w) for coin, w in zip(coins, weights, strict=True) if w)
    outcomes = tuple(coins) if isinstance(coins, str) else tuple(listed(coins, name))
    if not outcomes:
        raise DomainError(f"{name} must have an outcome")
    return tuple((coin, Fraction(1, len(outcomes))) for coin in outcomes)


def check_functions(alice: object, bob: object) -> None:
    """Refuse what cannot be called."""
    for function, side in ((alice, "alice"), (bob, "bob")):
        if not callable(function):
            raise DomainError(f"{side} must be a function, not {show_value(function)}")


def sent_messages(
    alice: Callable[..., Hashable], calls: Iterable[Sequence[Any]]
) -> tuple[tuple[int, ...], tuple[Hashable, ...]]:
    """Return the number of the message of each call, and the messages as they first appear."""
    sent = [alice(*given) for given in calls]
    try:
        numbers = {message: m for m, message in enumerate(dict.fromkeys(sent))}
    except TypeError:
        raise DomainError("alice must return hashable messages") from None
    return tuple(numbers[message] for message in sent), tuple(numbers)


def answer_mask(bob: Callable[..., Any], number: int, calls: Iterable[Sequence[Any]]) -> int:
    """Return Bob's answers to a message, one a call, as a bit mask."""
    mask = 0
    for y, given in enumerate(calls):
        answer = bob(*given)
        if not is_bit(answer):
            raise DomainError(
                f"bob must answer message {number} with 0 or 1, not {show_value(answer)}"
            )
        mask |= int(cast("int", answer)) << y
    return mask
