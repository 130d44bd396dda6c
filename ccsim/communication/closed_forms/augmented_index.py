"""The least error of augmented index, by counting classes along the tree of prefixes.

Flipping ``x_i`` by any function of the prefix ``x_1 ... x_{i-1}`` is a symmetry, so the orbits of
inputs are the positions, a hard distribution is a weight for each position, and a protocol matters
only by its error in each position. With cheapest partitions (`class_counts`) as columns, a game of
``d`` rows is solved exactly (`docs/closed-forms.md`, section 2).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from typing import ClassVar

from ccsim.appearance import one_line
from ccsim.border import checked_types
from ccsim.certificates import Answer, Certificate, Certificates
from ccsim.communication.closed_forms.class_counts import (
    cheapest_partition_by_counts,
    divisions,
)
from ccsim.communication.closed_forms.families import family_certificate
from ccsim.communication.closed_forms.index import index_lower_bound
from ccsim.communication.closed_forms.on_tables import on_table
from ccsim.errors import CertificateError, DomainError, InstanceTooLargeError
from ccsim.exact import common_denominator, probability_vector
from ccsim.programs import solve_matrix_game

__all__ = ["MAX_COUNTS", "AugmentedIndexValue", "augmented_index_error", "position_errors"]

MAX_COUNTS = 350
"""Most ways to divide ``2**(d-1)`` words among the classes."""

MAX_TABLE = 4
"""Most positions for which a distribution is proved on the table."""


@one_line
@dataclass(frozen=True, slots=True)
class AugmentedIndexValue(Answer[Fraction]):
    """The least error of augmented index with its optimal protocol and hard distribution.

    Attributes
    ----------
    d, messages : int
        Number of positions and of messages.
    lower, upper : Fraction
        Least error of a public-coin protocol on the worst input inside the promise, twice.
    weights : tuple of Fraction
        Probability of each position under the hard distribution; ``x`` is uniform.
    shares : tuple of Fraction
        Probability of each partition of the protocol.
    partitions : tuple of tuple of int
        Class of each word ``x``, bit ``i - 1`` of which is ``x_i``. Public coins draw a partition
        and, for every prefix, whether the next bit is flipped.
    """

    asked = ("d", "messages")

    quantity: ClassVar[str] = "the least error of augmented index"

    d: int
    messages: int
    lower: Fraction
    upper: Fraction
    weights: tuple[Fraction, ...]
    shares: tuple[Fraction, ...]
    partitions: tuple[tuple[int, ...], ...]

    def certificate(self) -> Certificate | Certificates:
        """Return the certificate for the kernel.

        The protocol is on the table. From below the ball bound is enough where it is the value, for
        equal weights; otherwise the table has the distribution, too.

        Raises
        ------
        InstanceTooLargeError
            If the table would have more than `MAX_TABLE` positions.
        CertificateError
            If weights, shares or partitions are not what they are called.
        """
        d, k = self.d, self.messages
        if d < 1 or k < 1 or len(self.weights) != d or len(self.shares) != len(self.partitions):
            raise CertificateError(
                f"{d} positions and {len(self.partitions)} partitions need as many weights and "
                f"shares, not {len(self.weights)} and {len(self.shares)}"
            )
        for partition in self.partitions:
            if len(partition).bit_length() != d + 1 or len(partition) != 1 << d:
                raise CertificateError(f"a partition is of 2^{d} words, not of {len(partition)}")
        try:
            probability_vector(self.weights, "weights")
            probability_vector(self.shares, "shares")
        except DomainError as error:
            raise CertificateError(str(error)) from None
        parts = [*zip(self.shares, self.partitions, strict=True)]
        if set(self.weights) == {Fraction(1, d)} and self.lower == index_lower_bound(d, k):
            ball = family_certificate("augmented index", d, k, (self.lower, {"ball": {}}), None)
            above = on_table(d, k, (None, self.upper), parts, self.weights)
            return Certificates((ball, above))
        if d > MAX_TABLE:
            raise InstanceTooLargeError(
                f"augmented index of {d} positions is proved from below by the ball bound, or on "
                f"a table of at most {MAX_TABLE} positions"
            )
        return on_table(d, k, (self.lower, self.upper), parts, self.weights)


def position_errors(d: int, partition: Sequence[int]) -> tuple[Fraction, ...]:
    """Return the error of a partition in each position, for uniform ``x`` and Bob's best answers.

    Examples
    --------
    >>> [str(e) for e in position_errors(2, [0, 0, 0, 1])]  # 11 alone
    ['1/4', '1/4']
    """
    errors = []
    for i in range(d):
        counts: dict[tuple[int, int], list[int]] = {}
        for x, label in enumerate(partition):
            counts.setdefault((x & (1 << i) - 1, label), [0, 0])[x >> i & 1] += 1
        errors.append(Fraction(sum(min(pair) for pair in counts.values()), 1 << d))
    return tuple(errors)


@checked_types
def augmented_index_error(d: int, messages: int) -> AugmentedIndexValue:
    """Return the least public-coin error of augmented index, exactly.

    Equal weights are tried first; they were optimal wherever this was run.

    Parameters
    ----------
    d, messages : int
        At least 1, and few enough divisions of ``2**(d-1)`` words among the classes: all numbers of
        messages for ``d <= 5``, up to 3 for ``d = 6``, 2 for ``d <= 10``.

    Raises
    ------
    DomainError
        If a parameter is below 1.
    InstanceTooLargeError
        If there are more than `MAX_COUNTS` divisions.

    Notes
    -----
    Complexity: some rounds of an exact game of ``d`` rows and of the recursion; milliseconds for
    ``d <= 4``, seconds at the limit.

    Examples
    --------
    >>> result = augmented_index_error(4, 3)
    >>> result.value, result.check()
    (Fraction(15, 64), None)
    """
    for name, number in (("d", d), ("messages", messages)):
        if number < 1:
            raise DomainError(f"augmented_index: {name} must be at least 1, not {number}")
    if d > MAX_COUNTS:
        raise InstanceTooLargeError(
            f"augmented_index: d must be at most {MAX_COUNTS}, for there are too many words"
        )
    k = min(messages, 1 << d)
    if _too_many(d, k):
        raise InstanceTooLargeError(
            f"augmented_index: d={d}, messages={messages} has more than {MAX_COUNTS} divisions"
        )
    uniform = (Fraction(1, d),) * d
    partitions = [cheapest_partition_by_counts([1] * d, k)]
    weights, least = uniform, sum(position_errors(d, partitions[0]), Fraction(0)) / d
    while True:
        columns = [position_errors(d, partition) for partition in partitions]
        game = solve_matrix_game(list(zip(*columns, strict=True)))
        if least == game.value:
            break
        cheapest = cheapest_partition_by_counts(_integers(game.row_strategy), k)
        errors = position_errors(d, cheapest)
        cost = sum((w * e for w, e in zip(game.row_strategy, errors, strict=True)), Fraction(0))
        if cost > least:
            weights, least = game.row_strategy, cost
        partitions.append(cheapest)
    used = [(p, part) for p, part in zip(game.column_strategy, partitions, strict=True) if p]
    shares, chosen = zip(*used, strict=True)
    return AugmentedIndexValue(d, messages, game.value, game.value, weights, shares, chosen)


def _integers(weights: Sequence[Fraction]) -> list[int]:
    scale = common_denominator(weights)
    return [int(w * scale) for w in weights]


def _too_many(d: int, k: int) -> bool:
    """Whether there are more than `MAX_COUNTS` divisions of half the words."""
    return len(list(islice(divisions(1 << d - 1, k), MAX_COUNTS + 1))) > MAX_COUNTS
