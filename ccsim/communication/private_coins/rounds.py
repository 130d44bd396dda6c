"""Protocols in which Alice's coins choose one of a few rounds, each with messages of its own.

In each round Alice's inputs are divided into groups, and Bob answers by the group that she sends.
The weight of an input is multiplied with each round that errs on it. All rounds have the same
probability. With few rounds and groups there are fewer messages than inputs, so that this gives
upper bounds for problems that are too large for a search.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from fractions import Fraction
from itertools import chain, product
from math import isqrt
from typing import Any

import numpy as np

from ccsim.budget import Budget, OutOfWorkError
from ccsim.classes.masks import bits_of, masks_of
from ccsim.communication.partitions.search import improve_partition
from ccsim.communication.protocols.tables import DeterministicProtocol, PrivateCoinProtocol
from ccsim.communication.public_coins.domination import Reduced
from ccsim.data import frozen

Array = np.ndarray[Any, np.dtype[Any]]

FEW_ROWS = 20
"""Number of inputs of Alice up to which a search finds better protocols."""
_FACTORS = (14, 6)  # binary logarithms of the factor of a weight
_UNIT = 28  # binary logarithm of the sum of the weights
_SEEDS = 2  # of random groups
_MOST = 4  # most rounds, relative to the least number for an error
_PART, _SHORT = 0.2, 0.1  # of the time that is left; seconds that are too few
_WORK, _AT_ONCE = 1 << 32, 1 << 24  # steps without a time limit, and after it


@frozen
class Rounds:
    """Rounds with the same probability, and the largest error.

    A round is the group of each input of Alice, with Bob's answers to each group.
    """

    played: tuple[tuple[Array, Array], ...]
    error: Fraction

    def messages(self) -> tuple[list[int], Array]:
        """Return Bob's different answers as masks, and the message of each input in each round."""
        sent = []
        for groups, answers in self.played:
            masks = masks_of(answers)
            sent.append([masks[g] for g in groups.tolist()])
        used = sorted(set(chain(*sent)))
        numbers = {mask: m for m, mask in enumerate(used)}
        return used, np.array([[numbers[mask] for mask in row] for row in sent]).T

    def laws(self) -> list[tuple[Fraction, ...]]:
        """Return the distribution of the message of each input of Alice."""
        answers, sent = self.messages()
        shares = [Fraction(n, len(self.played)) for n in range(len(self.played) + 1)]
        return [
            tuple(shares[n] for n in np.bincount(row, minlength=len(answers)).tolist())
            for row in sent
        ]

    def protocol(self, reduced: Reduced) -> PrivateCoinProtocol:
        """Return the protocol for a problem, given rounds for the remaining inputs."""
        laws, of_bit = self.laws(), (Fraction(0), Fraction(1))
        answers = tuple(self.messages()[0])
        alone = DeterministicProtocol((0,) * len(laws), answers, len(reduced.columns))
        bob = bits_of(reduced.lift(alone).bob, len(reduced.answers)).tolist()
        sent = tuple(laws[x] for x in reduced.imitates)
        return PrivateCoinProtocol(sent, tuple(tuple(of_bit[v] for v in row) for row in bob))


def fewest_messages(values: Array, error: Fraction, most: int, budget: Budget) -> Rounds | None:
    """Return rounds with the given error and at most `most` messages, the fewest that are found.

    The values are 0, 1, and ``nan`` outside the promise.
    """
    best, least = None, -(-error.denominator // error.numerator) if error else most + 1
    numbers = [isqrt(most), most // least, *_growing(most // least)]
    with _limited(budget) as limited:
        for seed, factor, first in product(range(_SEEDS), _FACTORS, numbers):
            # a third of the answers may be the same, or be unused
            groups, rounds = first, min(most * 3 // 2 // max(first, 1), _MOST * least)
            while groups > 1 and least <= rounds and values.size * groups * least < limited.work:
                played = _played(values, groups, rounds, (factor, seed), limited)
                found = next((found for found in played if found.error <= error), None)
                if found is None:
                    break
                if (used := len(found.messages()[0])) <= most:
                    best, most = found, used - 1
                # with fewer groups, until no rounds are found
                groups, rounds = groups - 1 - groups // 16, len(found.played)
    return best


def least_error(values: Array, messages: int, budget: Budget) -> Rounds | None:
    """Return rounds with at most this number of messages, with the least error that is found."""
    best = None
    with _limited(budget) as limited:
        for factor, groups in product(_FACTORS, _growing(messages // 2)):
            most = messages * 3 // 2 // groups
            for found in _played(values, groups, most, (factor, 0), limited):
                is_better = best is None or found.error < best.error
                if is_better and len(found.messages()[0]) <= messages:
                    best = found
    return best


@contextmanager
def _limited(budget: Budget) -> Iterator[Budget]:
    """Yield a budget of part of the time, or of little work if the time is over."""
    part = budget.share(_PART) if budget.limited else budget.share(work=_WORK)
    if budget.limited and part.remaining < _SHORT:
        part = budget.at_once().share(work=_AT_ONCE)
    with suppress(OutOfWorkError), part:
        yield part


def _growing(most: int) -> list[int]:
    """Return numbers of groups from 2 to `most`, each about 5/4 times the one before it."""
    found = [2]
    while found[-1] < most:
        found.append(min(most, max(found[-1] + 1, found[-1] * 5 // 4)))
    return found


def _played(
    values: Array, groups: int, most: int, choice: tuple[int, int], budget: Budget
) -> Iterator[Rounds]:
    """Yield all rounds so far, after each of at most `most` rounds, for a factor and a seed."""
    factor, seed = choice
    ones, inside = values == 1, ~np.isnan(values)
    signs = np.where(ones, 1, -1) * inside
    errors = np.zeros(values.shape, np.int64)
    played: list[tuple[Array, Array]] = []
    draws = np.random.default_rng(seed)
    for number in range(1, most + 1):
        budget.spend(values.size * groups)
        weights = (1 << 30 >> np.minimum(factor * (errors.max() - errors), 31)) * inside
        whole = ((weights << _UNIT) // weights.sum() * signs).astype(np.int32)
        chosen = draws.integers(groups, size=len(values))
        answers = improve_partition(whole, groups, chosen, draws.permutation(len(values))) > 0
        played.append((chosen, answers))
        errors += (answers[chosen] != ones) & inside
        yield Rounds(tuple(played), Fraction(int(errors.max()), number))
