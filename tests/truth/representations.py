"""Representations of a class by sets of hypotheses, and by mixtures of sets."""

from fractions import Fraction
from functools import cache
from itertools import combinations, product
from math import comb

from tests.truth.common import between, game_value, require_small

__all__ = ["MEANINGS"]


def differs(h, f):
    return [int(a != b) for a, b in zip(h, f, strict=True)]


@cache
def set_error(H, f):
    """Return the largest error of the best hypothesis of a set, over distributions on points."""
    if not f:
        return Fraction(0)
    return game_value(tuple(zip(*(differs(h, f) for h in H), strict=True)))


@cache
def failure(support, f, error):
    """Return the largest weight of sets that fail together, for a concept and a distribution."""
    require_small(len(support), 8)
    worst = Fraction(0)
    for r in range(1, len(support) + 1):
        for failing in combinations(support, r):
            weight = sum(w for w, _ in failing)
            if weight > worst:
                together = tuple(sorted({h for _, H in failing for h in H}))
                if set_error(together, f) > error:
                    worst = weight
    return worst


def deterministic(instance, statement):
    H = tuple(sorted(set(statement["hypotheses"])))
    return between(statement, max((set_error(H, f) for f in instance["rows"]), default=Fraction(0)))


def probabilistic(instance, statement):
    error, listed = Fraction(statement["error"]), statement["support"]
    weights = [int(w) for w in listed["weights"]]
    support = tuple(
        (Fraction(w, sum(weights)), tuple(sorted(set(H))))
        for w, H in zip(weights, listed["sets"], strict=True)
        if w
    )
    worst = (failure(support, f, error) for f in instance["rows"])
    return between(statement, max(worst, default=Fraction(0)))


def pool_of(instance, statement):
    """Return the hypotheses that may be used: all functions if none are listed."""
    width = len(instance["points"])
    pool = statement["pool"]
    if pool is None:
        require_small(width, 4)
        return tuple("".join(bits) for bits in product("01", repeat=width))
    return tuple(sorted(set(pool)))


def fewest(rows, pool, error):
    """Return the fewest hypotheses of a pool that represent a class; None if impossible."""
    if not rows:
        return 1
    if any(set_error(pool, f) > error for f in rows):
        return None
    for k in range(1, len(pool) + 1):
        require_small(comb(len(pool), k) * len(rows), 4000)
        if any(all(set_error(H, f) <= error for f in rows) for H in combinations(pool, k)):
            return k
    raise AssertionError


@cache
def failing_together(pool, f, error):
    """Return the maximal sets of hypotheses that all fail under a common distribution."""
    require_small(len(pool), 8)
    found = []
    for size in range(len(pool), 0, -1):
        for K in map(frozenset, combinations(pool, size)):
            if not any(K <= L for L in found) and set_error(tuple(sorted(K)), f) > error:
                found.append(K)
    return found


@cache
def failure_of_best(rows, pool, error, k):
    """Return the least failure of a distribution over sets of at most k hypotheses, by a game.

    The other player chooses a concept and a distribution; only the failing hypotheses matter.
    """
    worst = [K for f in rows for K in failing_together(pool, f, error)]
    if not worst:
        return Fraction(0)
    k = min(k, len(pool))
    require_small(comb(len(pool), k) * len(worst), 20000)
    sets = [frozenset(H) for H in combinations(pool, k)]
    return game_value(tuple({tuple(int(H <= K) for H in sets): None for K in worst}))


def least_failure(instance, statement):
    pool = pool_of(instance, statement)
    rows, error = tuple(instance["rows"]), Fraction(statement["error"])
    return between(statement, failure_of_best(rows, pool, error, statement["size"]))


def size(instance, statement):
    """Decide a statement on the minimum size of a set, or of random sets that may fail."""
    pool = pool_of(instance, statement)
    rows, error = tuple(instance["rows"]), Fraction(statement["error"])
    allowed = Fraction(statement["failure"])
    if allowed == 0:
        truth = fewest(rows, pool, error)
    else:
        every = range(1, len(pool) + 1)
        truth = next((k for k in every if failure_of_best(rows, pool, error, k) <= allowed), None)
    return statement["upper"] is None if truth is None else between(statement, truth)


MEANINGS = {
    "deterministic_representation": deterministic,
    "probabilistic_representation": probabilistic,
    "least_failure": least_failure,
    "representation_size": size,
}
