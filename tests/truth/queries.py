"""Exact learning with queries by its definition, on rows given as texts of 0 and 1."""

from functools import cache
from itertools import product

from tests.truth.common import between, require_small

__all__ = ["MEANINGS", "fewest_queries"]


def answers(rows, width, queries):
    """Return a function that lists, for each query, the concepts that are left by each answer."""

    def listed(left):
        if "membership" in queries:
            for x in range(width):
                yield [frozenset(c for c in left if c[x] == b) for b in "01"]
        if "equivalence" in queries:
            proposed = rows if "proper" in queries else map("".join, product("01", repeat=width))
            for h in proposed:
                wrong = [frozenset(c for c in left if c[x] != h[x]) for x in range(width)]
                yield [left & {h}, *wrong]

    return listed


def fewest_queries(rows, width, queries):
    """Return the least depth of a tree of queries that identifies every row; -1 without rows."""
    require_small(len(rows) << width, 300)
    listed = answers(rows, width, queries)

    @cache
    def is_enough(left, number):
        return len(left) <= 1 or (
            number > 0
            and any(all(is_enough(side, number - 1) for side in sides) for sides in listed(left))
        )

    numbers = range(len(rows) + 1) if rows else [-1]
    return next(number for number in numbers if number < 0 or is_enough(frozenset(rows), number))


def query_complexity(instance, statement):
    rows, width = instance["rows"], len(instance["points"])
    return between(statement, fewest_queries(rows, width, statement["queries"]))


MEANINGS = {"query_complexity": query_complexity}
