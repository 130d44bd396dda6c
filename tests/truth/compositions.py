"""Compositions of mechanisms: products of all outcomes of small rational mechanisms."""

from fractions import Fraction
from itertools import combinations, product
from math import prod

from tests.truth.common import require_small
from tests.truth.privacy import coefficients, neighbours

__all__ = ["MEANINGS", "dominating", "excess", "laws_of"]


def laws_of(instance):
    """Return the output distributions of a mechanism with rational probabilities."""
    require_small(0 if instance["t"] is None else 1, 0)
    written = [[coefficients(weight) for weight in law] for law in instance["laws"]]
    require_small(max(len(weight) for law in written for weight in law), 1)
    weights = [[sum(weight) for weight in law] for law in written]
    return [[Fraction(w, sum(law)) for w in law] for law in weights]


def dominating(pairs):
    """Return the masses under P and Q of the pair with the largest curve of some pairs.

    The curve is the largest line ``p - t q`` over all events; its slopes change where lines meet.
    """
    lines = set()
    for p, q in pairs:
        require_small(len(p), 5)
        for size in range(len(p) + 1):
            for event in combinations(range(len(p)), size):
                lines.add((sum(p[o] for o in event), sum(q[o] for o in event)))
    require_small(len(lines), 120)
    at = {Fraction(0)}
    for (a, b), (c, d) in combinations(lines, 2):
        if b != d and (a - c) / (b - d) > 0:
            at.add((a - c) / (b - d))
    places = sorted(at)
    values = [max(a - t * b for a, b in lines) for t in places]
    ends = zip(places, values, places[1:], values[1:], strict=False)
    slopes = [(w - v) / (u - t) for t, v, u, w in ends] + [Fraction(0)]
    found = [(values[-1], Fraction(0))]
    for t, before, after in zip(places[1:], slopes, slopes[1:], strict=False):
        found.append((t * (after - before), after - before))
    return [(p, q) for p, q in found if p]


def excess(pairs, factor):
    """Return the largest ``p(E) - factor q(E)`` for a product of pairs."""
    require_small(prod(map(len, pairs)), 50000)
    masses = ((prod(p for p, _ in outcome), prod(q for _, q in outcome))
              for outcome in product(*pairs))  # fmt: skip
    return sum((max(p - factor * q, 0) for p, q in masses), Fraction(0))


def composition(instance, statement):
    """Decide a statement on the least delta for a factor, or the least factor for a delta."""
    mechanisms, times = instance["mechanisms"], list(map(int, instance["times"]))
    laws = [laws_of(mechanism) for mechanism in mechanisms]
    near = [sorted(neighbours(mechanism)) for mechanism in mechanisms]
    if instance["adaptive"]:
        dominated = [
            dominating([(law[i], law[j]) for i, j in pairs])
            for law, pairs in zip(laws, near, strict=True)
        ]
        products = [dominated]
    else:
        assert all(pairs == near[0] for pairs in near)
        products = [[list(zip(law[i], law[j], strict=True)) for law in laws] for i, j in near[0]]
    runs = [
        [pair for pair, k in zip(each, times, strict=True) for _ in range(k)] for each in products
    ]

    def delta(factor):
        return max((excess(pairs, factor) for pairs in runs), default=Fraction(0))

    assert (statement["factor"] is None) != (statement["delta"] is None)
    if statement["delta"] is None:
        value = delta(Fraction(statement["factor"]))
        return all(
            statement[side] is None or (Fraction(statement[side]) - value) * sign >= 0
            for side, sign in (("lower", -1), ("upper", 1))
        )
    return within_factor(statement, delta)


def within_factor(statement, delta):
    """Whether the least factor lies within stated bounds, by the delta at and just below them."""
    allowed, tiny = Fraction(statement["delta"]), Fraction(1, 10**9)
    lower, upper = statement["lower"], statement["upper"]
    if upper is not None and upper != "infinity" and delta(Fraction(upper)) > allowed:
        return False
    if lower is None or lower == "1":
        return True
    before = Fraction(10**30) if lower == "infinity" else max(1, Fraction(lower) * (1 - tiny))
    return delta(before) > allowed


MEANINGS = {"composition": composition}
