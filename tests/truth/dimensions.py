"""Dimensions of classes, computed from their definitions."""

from functools import cache
from itertools import combinations, permutations
from math import comb, perm

from tests.truth.common import between, require_small
from tests.truth.randomized_littlestone import half_of_mean_depth

__all__ = ["MEANINGS", "longest_thresholds", "mistake_bound", "shattered_size"]


def shattered_size(rows, width=None):
    """Return the largest number of columns on which rows have all labellings; -1 without rows."""
    if not rows:
        return -1
    width = len(rows[0]) if width is None else width
    most = len(set(rows)).bit_length() - 1
    require_small(sum(comb(width, d) for d in range(min(most, width) + 1)) * len(rows), 10**6)
    return max(
        d
        for d in range(min(most, width) + 1)
        for xs in combinations(range(width), d)
        if len({tuple(row[x] for x in xs) for row in rows}) == 1 << d
    )


@cache
def mistake_bound(rows):
    """Return the Littlestone dimension by its recursive definition."""
    if not rows:
        return -1
    splits = [
        [tuple(row for row in rows if row[x] == bit) for bit in "01"] for x in range(len(rows[0]))
    ]
    below = (min(map(mistake_bound, parts)) for parts in splits if all(parts))
    return 1 + max(below, default=-1)


def longest_thresholds(rows):
    """Return the largest number of columns for which, in some order, rows are thresholds."""
    if not rows:
        return -1
    width = len(rows[0])
    return max(
        k
        for k in range(width + 1)
        for xs in permutations(range(width), k)
        if {"0" * i + "1" * (k - i) for i in range(k)} <= {"".join(r[x] for x in xs) for r in rows}
    )


def vc(instance, statement):
    return between(statement, shattered_size(instance["rows"], len(instance["points"])))


def dual_vc(instance, statement):
    columns = ["".join(row[x] for row in instance["rows"]) for x in range(len(instance["points"]))]
    return between(statement, shattered_size(columns, len(instance["concepts"])))


def littlestone(instance, statement):
    require_small(len(instance["rows"]) * len(instance["points"]), 200)
    return between(statement, mistake_bound(tuple(sorted(instance["rows"]))))


def thresholds(instance, statement):
    width = len(instance["points"])
    require_small(sum(perm(width, k) for k in range(width + 1)), 2000)
    return between(statement, longest_thresholds(instance["rows"]))


def randomized_littlestone(instance, statement):
    rows = instance["rows"]
    require_small(len(rows) << len(instance["points"]), 400)
    return between(statement, half_of_mean_depth(rows))


def effective_domain(instance, statement):
    columns = {tuple(row[x] for row in instance["rows"]) for x in range(len(instance["points"]))}
    return between(statement, len(columns))


MEANINGS = {
    "vc_dimension": vc,
    "dual_vc_dimension": dual_vc,
    "littlestone_dimension": littlestone,
    "threshold_dimension": thresholds,
    "randomized_littlestone_dimension": randomized_littlestone,
    "effective_domain": effective_domain,
}
