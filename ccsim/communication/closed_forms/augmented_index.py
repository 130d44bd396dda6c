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

from ccsim.border import checked_types, show_value
from ccsim.communication.closed_forms.class_counts import (
    Counts,
    cheapest_partition_by_counts,
    decreasing,
    divisions,
)
from ccsim.communication.closed_forms.codes import check_positions
from ccsim.errors import CertificateError, DomainError, InstanceTooLargeError
from ccsim.exact import common_denominator, probability_vector
from ccsim.exact.bounds import check_fields
from ccsim.programs import solve_matrix_game

__all__ = ["MAX_COUNTS", "AugmentedIndexValue", "augmented_index_error", "position_errors"]

MAX_COUNTS = 350
"""Most ways to divide ``2**(d-1)`` words among the classes."""


@dataclass(frozen=True, slots=True)
class AugmentedIndexValue:
    """The least error of augmented index with its optimal protocol and hard distribution.

    Attributes
    ----------
    d, messages : int
        Number of positions and of messages.
    value : Fraction
        Least error of a public-coin protocol on the worst input inside the promise.
    weights : tuple of Fraction
        Probability of each position under the hard distribution; ``x`` is uniform.
    shares : tuple of Fraction
        Probability of each partition of the protocol.
    partitions : tuple of tuple of int
        Class of each word ``x``, bit ``i - 1`` of which is ``x_i``. Public coins draw a partition
        and, for every prefix, whether the next bit is flipped.
    """

    d: int
    messages: int
    value: Fraction
    weights: tuple[Fraction, ...]
    shares: tuple[Fraction, ...]
    partitions: tuple[tuple[int, ...], ...]

    def check(self) -> None:
        """Check the protocol by counting, the weights by joining subtrees from the leaves upwards.

        Complexity: milliseconds for ``d <= 4``, up to a minute for ``d = 5`` and 8 messages.

        Raises
        ------
        CertificateError
            With the position in which the protocol errs more, or the cost of a cheaper partition.
        """
        check_fields(self)
        self._check_shapes()
        columns = [position_errors(self.d, partition) for partition in self.partitions]
        for i, row in enumerate(zip(*columns, strict=True), start=1):
            wrong = sum((p * e for p, e in zip(self.shares, row, strict=True)), Fraction(0))
            if wrong > self.value:
                raise CertificateError(
                    f"the protocol errs {wrong} in position {i}, more than {self.value}"
                )
        least = _least_cost(self.weights, self.messages)
        if least < self.value:
            raise CertificateError(
                f"a partition errs {least} under the weights, less than {self.value}"
            )

    def _check_shapes(self) -> None:
        """Check that weights, shares and partitions are what they are called, and not too many."""
        if self.d < 1 or self.messages < 1:
            raise CertificateError(f"there are no {self.d} positions with {self.messages} messages")
        if len(self.weights) != self.d or len(self.shares) != len(self.partitions):
            raise CertificateError(
                f"{self.d} positions and {len(self.partitions)} partitions need as many weights "
                f"and shares, not {len(self.weights)} and {len(self.shares)}"
            )
        try:
            probability_vector(self.weights, "weights")
            probability_vector(self.shares, "shares")
        except DomainError as error:
            raise CertificateError(str(error)) from None
        for partition in self.partitions:
            if len(partition).bit_length() != self.d + 1 or len(partition) != 1 << self.d:
                raise CertificateError(
                    f"a partition is of 2^{self.d} words, not of {len(partition)}"
                )
            if len(set(partition)) > self.messages:
                raise CertificateError(
                    f"a partition has {len(set(partition))} classes, more than {self.messages}"
                )
        if _too_many(self.d, min(self.messages, 1 << self.d)):
            raise InstanceTooLargeError(
                f"the words have more than {MAX_COUNTS} divisions, too many to be compared"
            )


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
            raise DomainError(
                f"augmented_index: {name} must be at least 1, not {show_value(number)}"
            )
    check_positions("augmented_index", d)
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
    return AugmentedIndexValue(d, messages, game.value, weights, shares, chosen)


def _integers(weights: Sequence[Fraction]) -> list[int]:
    scale = common_denominator(weights)
    return [int(w * scale) for w in weights]


def _too_many(d: int, k: int) -> bool:
    """Whether there are more than `MAX_COUNTS` divisions of half the words."""
    return len(list(islice(divisions(1 << d - 1, k), MAX_COUNTS + 1))) > MAX_COUNTS


def _least_cost(weights: Sequence[Fraction], k: int) -> Fraction:
    """Return the least cost of a partition into at most ``k`` classes, from the leaves upwards.

    All divisions below a prefix are made by joining two of half the size in every possible way.
    """
    d = len(weights)
    table: dict[Counts, Fraction] = {(1,): Fraction(0)}
    for i in range(d - 1, -1, -1):
        larger: dict[Counts, Fraction] = {}
        for left, left_cost in table.items():
            for right, right_cost in table.items():
                if left < right:
                    continue
                for counts, crossing in _joins(left, right, k).items():
                    cost = left_cost + right_cost + weights[i] * Fraction(crossing, 1 << d)
                    larger[counts] = min(cost, larger.get(counts, cost))
        table = larger
    return min(table.values())


def _joins(left: Counts, right: Counts, k: int) -> dict[Counts, int]:
    """Return the counts that arise when classes of two halves are identified, with their cost."""
    found: dict[Counts, int] = {}

    def extend(j: int, free: Counts, made: Counts, crossing: int) -> None:
        if len(made) + max(len(left) - j, len(free)) > k:
            return
        if j == len(left):
            counts = decreasing((*made, *free))
            found[counts] = min(crossing, found.get(counts, crossing))
            return
        extend(j + 1, free, (*made, left[j]), crossing)
        for position, n in enumerate(free):
            if n not in free[:position]:
                rest = free[:position] + free[position + 1 :]
                extend(j + 1, rest, (*made, left[j] + n), crossing + min(left[j], n))

    extend(0, right, (), 0)
    return found
