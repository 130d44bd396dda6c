"""Mistakes of learners by their definitions, on rows given as texts of 0 and 1."""

from functools import cache
from itertools import permutations
from math import factorial

from tests.truth.common import between, require_small

__all__ = ["MEANINGS", "fewest_in_order", "fewest_offline", "fewest_self_directed"]


def fewest_self_directed(rows, width):
    """Return the fewest mistakes of a learner that chooses the points; -1 without rows."""
    require_small(len(rows) << width, 300)

    @cache
    def is_enough(left, points, number):
        if len(left) < 2 or not points:
            return number >= min(len(left), 1) - 1
        return number >= 0 and any(
            is_enough(frozenset(c for c in left if c[x] == guess), points - {x}, number)
            and is_enough(frozenset(c for c in left if c[x] != guess), points - {x}, number - 1)
            for x in points
            for guess in "01"
        )

    numbers = range(-1, len(rows) + 1)
    return next(n for n in numbers if is_enough(frozenset(rows), frozenset(range(width)), n))


def fewest_in_order(rows, order):
    """Return the fewest mistakes of a learner that sees the points in an order; -1 without rows."""
    if not rows or not order:
        return min(len(rows), 1) - 1
    x, *later = order
    after = {b: fewest_in_order([c for c in rows if c[x] == b], later) for b in "01"}
    wrong = {b: after[b] + (after[b] >= 0) for b in "01"}
    return min(max(after["0"], wrong["1"]), max(after["1"], wrong["0"]))


def fewest_offline(rows, width, order):
    """Return the fewest mistakes for the best or the worst order of the points."""
    require_small(factorial(width) * len(rows), 10**4)
    numbers = [fewest_in_order(rows, points) for points in permutations(range(width))]
    return min(numbers) if order == "best" else max(numbers)


def self_directed_complexity(instance, statement):
    return between(statement, fewest_self_directed(instance["rows"], len(instance["points"])))


def offline_mistakes(instance, statement):
    rows, width = instance["rows"], len(instance["points"])
    return between(statement, fewest_offline(rows, width, statement["order"]))


MEANINGS = {
    "self_directed_complexity": self_directed_complexity,
    "offline_mistakes": offline_mistakes,
}
