"""The least error of augmented index, by counting classes along the tree of prefixes.

Flipping ``x_i`` by any function of the prefix ``x_1 ... x_{i-1}`` is a symmetry, so the orbits of
inputs are the positions, a hard distribution is a weight for each position, and a protocol matters
only by its error in each position. With cheapest partitions (`cheapest_partition_by_counts`) as
columns, a game of ``d`` rows is solved exactly (`docs/closed-forms.md`, section 2).

Under weights ``w`` of the positions a partition costs, at every prefix ``P`` of length ``i - 1``
and for every class, ``w_i`` times the smaller of its numbers of words that go on with 0 and with 1.
So the cheapest partition of the words below a prefix depends only on how many of them each class
has there, and is found by recursion on the tree of prefixes.

At the root no counts are given. Two halves with ``a`` and ``b`` classes make at most ``k`` if ``a +
b - k`` pairs are joined, each at the cost of the smaller count. The cheapest way takes the smallest
counts of both halves: any way pays that many counts, ``r`` of the one half and the others of the
other, and to join each of the smallest with the largest left over pays no more.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate, islice
from typing import ClassVar

from ccsim.arguments.checked import checked_types
from ccsim.certificates import Answer, Certificate, Certificates
from ccsim.communication.closed_forms.families import family_certificate
from ccsim.communication.closed_forms.index import index_lower_bound
from ccsim.communication.closed_forms.on_tables import on_table
from ccsim.data import frozen
from ccsim.errors import CertificateError, DomainError, InstanceTooLargeError
from ccsim.exact import common_denominator, probability_vector
from ccsim.programs import solve_matrix_game

MAX_COUNTS = 350
"""Most ways to divide ``2**(d-1)`` words among the classes."""

MAX_TABLE = 4
"""Most positions for which a distribution is proved on the table."""


@frozen
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
    """Return a partition's error in each position, for uniform ``x`` and Bob's best answers."""
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


Counts = tuple[int, ...]
"""How many words of a subtree each class has, decreasing, without zeros."""


def divisions(total: int, parts: int, largest: int | None = None) -> Iterator[Counts]:
    """Yield the decreasing sequences of at most ``parts`` positive numbers with the given sum."""
    if total == 0:
        yield ()
    elif parts:
        top = total if largest is None else min(total, largest)
        for first in range(top, (total - 1) // parts, -1):
            for rest in divisions(total - first, parts - 1, first):
                yield (first, *rest)


def cheapest_partition_by_counts(weights: Sequence[int], k: int) -> tuple[int, ...]:
    """Return the class of every word in a cheapest partition into at most ``k`` classes.

    Complexity: the square of the number of `divisions` of half the words, and the splits of each.
    """
    d = len(weights)
    if d == 1:
        return (0, min(1, k - 1))
    search = _Search(weights)
    halves = list(divisions(1 << d - 1, k))
    costs = [search.cost(counts) for counts in halves]
    sums = [tuple(accumulate(reversed(counts), initial=0)) for counts in halves]
    best: tuple[int, int, int, int] | None = None
    for i, left in enumerate(halves):
        for j, right in enumerate(halves[: i + 1]):
            joined = max(0, len(left) + len(right) - k)
            crossing, taken = min(
                (sums[i][r] + sums[j][joined - r], r)
                for r in range(max(0, joined - len(right)), min(joined, len(left)) + 1)
            )
            cost = weights[0] * crossing + costs[i] + costs[j]
            if best is None or cost < best[0]:
                best = cost, i, j, taken
    if best is None:
        return ()
    _, i, j, taken = best
    left, right = halves[i], halves[j]
    joined = max(0, len(left) + len(right) - k)
    return search.labels(*_joined(left, right, joined, taken))


def _joined(
    left: Counts, right: Counts, joined: int, taken: int
) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """Return the counts of two halves with class numbers, ``joined`` of them shared, cheaply.

    The ``taken`` smallest of the left half are joined with the largest of the right one, and the
    smallest of the right one with the largest of the left one.
    """
    numbers = [-1] * len(right)
    for r in range(taken):
        numbers[r] = len(left) - 1 - r
    for r in range(joined - taken):
        numbers[len(right) - 1 - r] = r
    fresh = len(left)
    for position, number in enumerate(numbers):
        if number < 0:
            numbers[position], fresh = fresh, fresh + 1
    return list(zip(left, range(len(left)), strict=True)), list(zip(right, numbers, strict=True))


class _Search:
    """Cheapest divisions below a prefix, by the counts there, under fixed weights."""

    def __init__(self, weights: Sequence[int]) -> None:
        self._weights = weights
        self._known: dict[Counts, tuple[int, Counts]] = {}

    def cost(self, counts: Counts) -> int:
        """Return the least cost of words with the given counts, below a prefix."""
        return self._solve(counts)[0]

    def _solve(self, counts: Counts) -> tuple[int, Counts]:
        """Return the least cost and the counts, class by class, that go on with 0."""
        if len(counts) == sum(counts):
            return 0, counts  # one word each
        if counts not in self._known:
            weight = self._weights[len(self._weights) - sum(counts).bit_length() + 1]
            options = []
            for crossing, zeros in _splits(counts):
                ones = [n - a for n, a in zip(counts, zeros, strict=True)]
                cost = self.cost(decreasing(zeros)) + self.cost(decreasing(ones))
                options.append((weight * crossing + cost, zeros))
            self._known[counts] = min(options)
        return self._known[counts]

    def labels(self, left: list[tuple[int, int]], right: list[tuple[int, int]]) -> tuple[int, ...]:
        """Return the class of every word, given counts and classes in both halves."""
        halves = [self._below(sorted(half, reverse=True)) for half in (left, right)]
        return tuple(halves[x & 1][x >> 1] for x in range(2 * len(halves[0])))

    def _below(self, counted: list[tuple[int, int]]) -> tuple[int, ...]:
        """Return the class of every word below a prefix, by the bits that follow."""
        if sum(n for n, _ in counted) == 1:
            return (counted[0][1],)
        counts = tuple(n for n, _ in counted)
        zeros = self._solve(counts)[1]
        if len(counts) == sum(counts):  # one word each: any order will do
            zeros = tuple(int(j < len(counts) // 2) for j in range(len(counts)))
        left = [(a, label) for a, (_, label) in zip(zeros, counted, strict=True) if a]
        right = [(n - a, c) for a, (n, c) in zip(zeros, counted, strict=True) if n > a]
        return self.labels(left, right)


def decreasing(counts: Sequence[int]) -> Counts:
    """Return the positive counts in decreasing order."""
    return tuple(sorted((n for n in counts if n), reverse=True))


@lru_cache(maxsize=1 << 14)
def _splits(counts: Counts) -> tuple[tuple[int, Counts], ...]:
    """Return the ways to send half of the words on with 0, the cheapest for each outcome.

    Each is the sum of the smaller parts, and how many words of each class go on with 0.
    """
    best: dict[tuple[Counts, Counts], tuple[int, Counts]] = {}

    def extend(zeros: Counts, left: int) -> None:
        j = len(zeros)
        if j == len(counts):
            if left == 0:
                ones = tuple(n - a for n, a in zip(counts, zeros, strict=True))
                crossing = sum(min(pair) for pair in zip(zeros, ones, strict=True))
                key = decreasing(zeros), decreasing(ones)
                best[key] = min(best.get(key, (crossing, zeros)), (crossing, zeros))
            return
        most = zeros[-1] if j and counts[j - 1] == counts[j] else counts[j]
        for a in range(min(most, left), -1, -1):
            if left - a <= sum(counts[j + 1 :]):
                extend((*zeros, a), left - a)

    extend((), sum(counts) // 2)
    return tuple(best.values())
