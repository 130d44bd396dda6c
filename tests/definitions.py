"""What results state, decided from the definitions by brute force on small instances.

No code is shared with the kernel, and none of its shortcuts.
"""

from fractions import Fraction
from functools import cache
from itertools import combinations, permutations, product

from ccsim.programs.game import solve_matrix_game

__all__ = [
    "failure",
    "fewest",
    "game_value",
    "least_error",
    "least_expected_error",
    "longest_thresholds",
    "mistake_bound",
    "pool_of",
    "read_support",
    "set_error",
    "shattered_size",
]


# --- Groups and games --------------------------------------------------------------------------


@cache
def game_value(payoff):
    return solve_matrix_game(payoff).value


# --- Dimensions --------------------------------------------------------------------------------


def shattered_size(rows):
    """Largest number of columns on which the rows take all patterns; -1 without rows."""
    if not rows:
        return -1
    width = len(rows[0])
    return max(
        d
        for d in range(width + 1)
        for xs in combinations(range(width), d)
        if len({tuple(row[x] for x in xs) for row in rows}) == 1 << d
    )


@cache
def mistake_bound(rows):
    """Littlestone dimension by its recursive definition."""
    if not rows:
        return -1
    splits = [
        [tuple(row for row in rows if row[x] == bit) for bit in "01"] for x in range(len(rows[0]))
    ]
    below = (min(map(mistake_bound, parts)) for parts in splits if all(parts))
    return 1 + max(below, default=-1)


def longest_thresholds(rows):
    """Largest number of columns that have, in some order, ones from each on in some row."""
    if not rows:
        return -1
    width = len(rows[0])
    return max(
        k
        for k in range(width + 1)
        for xs in permutations(range(width), k)
        if {"0" * i + "1" * (k - i) for i in range(k)} <= {"".join(r[x] for x in xs) for r in rows}
    )


# --- Protocols ---------------------------------------------------------------------------------


def inputs(rows):
    return [(x, y) for x, row in enumerate(rows) for y, bit in enumerate(row) if bit != "*"]


def strategies(rows, k):
    """The sets of inputs on which the deterministic protocols with k messages err."""
    found = set()
    for sent in product(range(k), repeat=len(rows)):
        for answers in product(product("01", repeat=len(rows[0])), repeat=len(set(sent))):
            bob = dict(zip(sorted(set(sent)), answers, strict=True))
            found.add(frozenset((x, y) for x, y in inputs(rows) if bob[sent[x]][y] != rows[x][y]))
    return [each for each in found if not any(other < each for other in found)]


@cache
def least_error(rows, k):
    """The least worst-case error of public-coin protocols, as the value of their game."""
    cells = inputs(rows)
    return game_value(
        tuple(tuple(int(cell in each) for each in strategies(rows, k)) for cell in cells)
    )


def least_expected_error(distribution, rows, k):
    """The least expected error of a deterministic protocol."""
    weight = {(x, y): w for x, y, w in distribution["weights"]}
    assert sum(weight.values()) == distribution["total"]
    assert all(rows[x][y] != "*" for x, y in weight)
    xs = sorted({x for x, _ in weight})
    return min(
        sum(
            class_cost({x for x, m in zip(xs, sent, strict=True) if m == c}, weight, rows)
            for c in range(k)
        )
        for sent in product(range(k), repeat=len(xs))
    ) / Fraction(distribution["total"])


def class_cost(members, weight, rows):
    """What a class costs: on each column the lighter of its ones and its zeros."""
    return sum(
        min(
            sum(w for (x, z), w in weight.items() if x in members and z == y and rows[x][z] == bit)
            for bit in "01"
        )
        for y in range(len(rows[0]))
    )


# --- Representations ---------------------------------------------------------------------------


def differs(h, f):
    return [int(a != b) for a, b in zip(h, f, strict=True)]


@cache
def set_error(H, f):
    """The largest error of the best hypothesis of a set, over distributions on the points."""
    return game_value(tuple(zip(*(differs(h, f) for h in H), strict=True)))


@cache
def failure(support, f, error):
    """The largest weight of sets that fail together on a concept under one distribution."""
    worst = Fraction(0)
    for r in range(1, len(support) + 1):
        for failing in combinations(support, r):
            together = tuple(sorted({h for _, H in failing for h in H}))
            if set_error(together, f) > error:
                worst = max(worst, sum(w for w, _ in failing))
    return worst


def read_support(listed):
    support = tuple((Fraction(each["weight"]), tuple(each["hypotheses"])) for each in listed)
    assert sum(w for w, _ in support) == 1
    return support


def pool_of(statement, width):
    if statement["pool"] is None:
        return ["".join(bits) for bits in product("01", repeat=width)]
    return statement["pool"]


@cache
def fewest(rows, pool, error):
    """The least number of hypotheses of a pool that represent a class."""
    for k in range(1, len(pool) + 1):
        if any(all(set_error(H, f) <= error for f in rows) for H in combinations(pool, k)):
            return k
    return None
