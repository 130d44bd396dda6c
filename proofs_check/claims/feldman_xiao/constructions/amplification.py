"""Error reduction by repetition: the majority of independent runs (`fx` eq. 2.2)."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations_with_replacement, product
from math import comb, factorial, prod

import numpy as np

from ccsim.arguments.checked import checked_types
from ccsim.communication import (
    DeterministicProtocol,
    OneWayProtocol,
    PrivateCoinProtocol,
    PublicCoinProtocol,
    Transcript,
)
from ccsim.data import validated
from ccsim.errors import DomainError, InstanceTooLargeError
from ccsim.exact import binomial_tail

MAX_TABLE = 1 << 20
"""Largest number of table entries that `AmplifiedProtocol.tabulate` builds."""


@validated
class AmplifiedProtocol(OneWayProtocol):
    """The majority answer of ``repetitions`` independent runs of a protocol.

    Its error on an input is the tail of a binomial law in the error of one run, so that it is exact
    however large the tables would be; `tabulate` builds them when they are small.

    Attributes
    ----------
    base : protocol
        The protocol that is repeated, with fresh coins each time.
    repetitions : int
        Odd, so that there are no ties.

    Examples
    --------
    >>> base = PublicCoinProtocol.mixture(
    ...     [
    ...         ("3/4", DeterministicProtocol((0,), (1,), 1)),
    ...         ("1/4", DeterministicProtocol((0,), (0,), 1)),
    ...     ]
    ... )
    >>> AmplifiedProtocol(base, 3).output_probability(0, 0)
    Fraction(27, 32)
    """

    base: OneWayProtocol
    repetitions: int

    def __post_init__(self) -> None:
        if self.repetitions < 1 or self.repetitions % 2 == 0:
            raise DomainError(f"repetitions must be odd and positive, not {self.repetitions}")

    @property
    def num_alice(self) -> int:
        """Number of inputs of Alice."""
        return self.base.num_alice

    @property
    def num_bob(self) -> int:
        """Number of inputs of Bob."""
        return self.base.num_bob

    @property
    def messages(self) -> int:
        """Number of messages: one message of the base for each repetition."""
        return int(self.base.messages**self.repetitions)

    def output_probability(self, x: int, y: int) -> Fraction:
        """Return the probability that the majority answers 1."""
        one = self.base.output_probability(x, y)
        return binomial_tail(self.repetitions, one, self.repetitions // 2 + 1)

    def run(self, x: int, y: int, rng: np.random.Generator) -> Transcript:
        """Run the base as often as needed; the message lists the single messages in base ``k``."""
        runs = [self.base.run(x, y, rng) for _ in range(self.repetitions)]
        message = 0
        for single in reversed(runs):
            message = message * self.base.messages + single.message
        majority = int(2 * sum(single.answer for single in runs) > self.repetitions)
        return Transcript(x, y, None, message, majority)

    def tabulate(self) -> PrivateCoinProtocol | PublicCoinProtocol | DeterministicProtocol:
        """Return the exact tables of the amplified protocol.

        Raises
        ------
        InstanceTooLargeError
            If the tables have more than `MAX_TABLE` entries.
        DomainError
            If the base is not one of the three kinds of tables.
        """
        base, k = self.base, self.repetitions
        if isinstance(base, DeterministicProtocol):
            return base
        if isinstance(base, PrivateCoinProtocol):
            self._check_size(self.messages * (self.num_alice + self.num_bob))
            return self._tabulate_private(base)
        if isinstance(base, PublicCoinProtocol):
            multisets = comb(len(base.components) + k - 1, k)
            self._check_size(multisets * (self.num_alice + self.messages))
            return PublicCoinProtocol.mixture(_majority_mixture(base, k))
        raise DomainError(f"base must be a table, not {type(base).__name__}")

    @staticmethod
    def _check_size(entries: int) -> None:
        if entries > MAX_TABLE:
            raise InstanceTooLargeError(
                f"the amplified tables have {entries} entries; the limit is {MAX_TABLE}"
            )

    def _tabulate_private(self, base: PrivateCoinProtocol) -> PrivateCoinProtocol:
        k = self.repetitions
        messages = list(product(range(base.messages), repeat=k))
        alice = tuple(
            tuple(prod((row[m] for m in ms), start=Fraction(1)) for ms in messages)
            for row in base.alice
        )
        bob = tuple(
            tuple(_majority_of([base.bob[m][y] for m in ms]) for y in range(base.num_bob))
            for ms in messages
        )
        return PrivateCoinProtocol(alice, bob)


@checked_types
def amplify(protocol: OneWayProtocol, repetitions: int) -> AmplifiedProtocol:
    """Return the majority of ``repetitions`` independent runs (`fx` eq. 2.2).

    Parameters
    ----------
    protocol : OneWayProtocol
    repetitions : int
        An odd number.

    Examples
    --------
    >>> from ccsim.communication.protocols.tables import DeterministicProtocol, PublicCoinProtocol
    >>> right, wrong = (DeterministicProtocol((0, 0), (bob,), 1) for bob in (0b1, 0b0))
    >>> noisy = PublicCoinProtocol.mixture([(Fraction(2, 3), right), (Fraction(1, 3), wrong)])
    >>> amplify(noisy, 3).output_probability(0, 0)
    Fraction(20, 27)
    """
    return AmplifiedProtocol(protocol, repetitions)


def _majority_of(ones: list[Fraction]) -> Fraction:
    """Probability that most of independent bits are 1, by convolution of their laws."""
    law = [Fraction(1)]
    for one in ones:
        law = [
            (law[i] if i < len(law) else 0) * (1 - one) + (law[i - 1] if i else 0) * one
            for i in range(len(law) + 1)
        ]
    return sum(law[len(ones) // 2 + 1 :], Fraction(0))


def _majority_mixture(
    base: PublicCoinProtocol, k: int
) -> Iterator[tuple[Fraction, DeterministicProtocol]]:
    """Components of the amplified mixture, one for each multiset of ``k`` components.

    The order of the runs does not matter to the majority, so a multiset stands for all its orders.
    """
    for chosen in combinations_with_replacement(range(len(base.components)), k):
        orders = factorial(k) // prod(factorial(chosen.count(i)) for i in set(chosen))
        weight = orders * prod((base.weights[i] for i in chosen), start=Fraction(1))
        parts = [base.components[i] for i in chosen]
        used = sorted({tuple(P.alice[x] for P in parts) for x in range(base.num_alice)})
        number = {ms: m for m, ms in enumerate(used)}
        alice = tuple(number[tuple(P.alice[x] for P in parts)] for x in range(base.num_alice))
        bob = tuple(
            sum(
                1 << y
                for y in range(base.num_bob)
                if 2 * sum(P.bob[m] >> y & 1 for P, m in zip(parts, ms, strict=True)) > k
            )
            for ms in used
        )
        yield weight, DeterministicProtocol(alice, bob, base.num_bob)
