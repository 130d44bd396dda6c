"""Cheapest partitions of ``{0,1}^d`` for augmented index, found by counting classes.

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
from functools import lru_cache
from itertools import accumulate

__all__ = ["Counts", "cheapest_partition_by_counts", "decreasing", "divisions"]

Counts = tuple[int, ...]
"""How many words of a subtree each class has, decreasing, without zeros."""


def divisions(total: int, parts: int, largest: int | None = None) -> Iterator[Counts]:
    """Yield the decreasing sequences of at most ``parts`` positive numbers with the given sum.

    Examples
    --------
    >>> list(divisions(4, 2))
    [(4,), (3, 1), (2, 2)]
    """
    if total == 0:
        yield ()
    elif parts:
        top = total if largest is None else min(total, largest)
        for first in range(top, (total - 1) // parts, -1):
            for rest in divisions(total - first, parts - 1, first):
                yield (first, *rest)


def cheapest_partition_by_counts(weights: Sequence[int], k: int) -> tuple[int, ...]:
    """Return the class of every word in a cheapest partition into at most ``k`` classes.

    Parameters
    ----------
    weights : sequence of int
        Weight of each position; non-negative.
    k : int
        At least 1.

    Notes
    -----
    Complexity: the square of the number of `divisions` of half the words, and the splits of each.

    Examples
    --------
    >>> cheapest_partition_by_counts([1, 0], 2)  # only the first bit counts
    (0, 1, 0, 1)
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
