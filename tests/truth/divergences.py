"""Renyi, concentrated and Gaussian privacy, and the errors of tests, from their definitions.

Divergences are computed in balls of rising precision. The supremum over the orders is enclosed
between the largest value at the orders tried and, for each interval of orders, the value of the
convex function ``(a - 1) D_a`` on a chord. Tests are enumerated as sets of outcomes, and mixtures
of two of them.
"""

from fractions import Fraction
from itertools import combinations, pairwise, product

from flint import arb, ctx, fmpq

from tests.truth.common import UndecidedError, require_small
from tests.truth.privacy import (
    INFINITY,
    Number,
    at,
    at_most,
    coefficients,
    events,
    neighbours,
    number,
)

__all__ = ["MEANINGS"]

PRECISIONS = 128, 512, 2048
DEPTH = 40  # most halvings of an interval of orders


def ball(p, t):
    """Return a ball around a probability."""
    if t is None:
        return arb(fmpq(p.over[0].p, p.over[0].q)) / arb(fmpq(p.under[0].p, p.under[0].q))
    return at(p.over, t) / at(p.under, t)


def tables(instance):
    """Return the exact probabilities on each ordered pair of neighbours."""
    t, outcomes = instance["t"], len(instance["outcomes"])
    laws = []
    for law in instance["laws"]:
        weights = [Number(t, coefficients(w)) for w in law]
        assert len(weights) == outcomes
        assert all(w.sign() >= 0 for w in weights)
        whole = sum(weights[1:], weights[0])
        assert whole.sign() > 0
        laws.append([w / whole for w in weights])
    near = neighbours(instance)
    require_small(len(near) * outcomes, 4000)
    found = []
    for i, j in near:
        pairs = [(p, q) for p, q in zip(laws[i], laws[j], strict=True) if p.sign() or q.sign()]
        found.append(pairs)
    return found


def is_infinite(pairs):
    return any(p.sign() and not q.sign() for p, q in pairs)


def are_equal(pairs):
    return all((p - q).sign() == 0 for p, q in pairs)


def divergence(pairs, order, t):
    """Return a ball around the divergence of two distributions without impossible outcomes."""
    balls = [(ball(p, t), ball(q, t)) for p, q in pairs if p.sign()]
    if order is None:
        largest = (balls[0][0] / balls[0][1]).log()
        for p, q in balls[1:]:
            largest = largest.max((p / q).log())
        return largest
    if order == 1:
        return sum((p * (p / q).log() for p, q in balls), arb(0))
    s = arb(fmpq(order.numerator, order.denominator)) - 1
    return sum((p * (s * (p / q).log()).exp() for p, q in balls), arb(0)).log() / s


def read_bound(text):
    return None if text is None else INFINITY if text == "infinity" else Fraction(text)


def decided(statement, every, value):
    """Decide bounds on the largest value of a function of pairs, given in balls."""
    lower, upper = (read_bound(statement[side]) for side in ("lower", "upper"))
    if any(map(is_infinite, every)):
        return upper is None
    if lower is INFINITY:
        return False
    different = [pairs for pairs in every if not are_equal(pairs)]
    if not different:
        return (lower is None or lower <= 0) and (upper is None or upper >= 0)
    for ctx.prec in PRECISIONS:
        least, most = arb(0), arb(0)
        for pairs in different:
            low, high = value(pairs, lower, upper)
            least, most = least.max(low), most.max(high)
        verdicts = []
        if lower is not None:
            b = arb(fmpq(lower.numerator, lower.denominator))
            verdicts.append(True if least >= b else False if most < b else None)
        if upper is not None:
            b = arb(fmpq(upper.numerator, upper.denominator))
            verdicts.append(True if most <= b else False if least > b else None)
        if False in verdicts:
            return False
        if None not in verdicts:
            return True
    raise UndecidedError("bounds are too close")


def renyi_divergence(instance, statement):
    """Decide a statement on the largest divergence of an order."""
    order = None if statement["order"] == "infinity" else Fraction(statement["order"])
    assert order is None or order >= 1
    t = instance["t"]

    def value(pairs, *_):
        return (divergence(pairs, order, t),) * 2

    return decided(statement, tables(instance), value)


def renyi_moment(instance, statement):
    """Decide a statement on the largest sum of p^a q^(1-a)."""
    a, every = int(statement["order"]), tables(instance)
    assert a >= 2
    require_small(a, 200)
    assert instance["t"] is None or all(w.over.degree() <= 0 for t in every for p in t for w in p)
    largest = Fraction(1)
    for pairs in every:
        if is_infinite(pairs):
            largest = INFINITY
            break
        both = [[Fraction(int((w.over[0] / w.under[0]).p), int((w.over[0] / w.under[0]).q))
                 for w in pair] for pair in pairs]  # fmt: skip
        largest = max(largest, sum(p**a / q ** (a - 1) for p, q in both if q))
    lower, upper = (read_bound(statement[side]) for side in ("lower", "upper"))
    if largest is INFINITY:
        return upper is None
    if lower is INFINITY:
        return False
    return (lower is None or lower <= largest) and (upper is None or largest <= upper)


def concentrated_privacy(instance, statement):
    """Decide a statement on the supremum of D_a / a over all orders above 1."""
    t = instance["t"]

    def value(pairs, _, upper):
        tried = {Fraction(1): divergence(pairs, Fraction(1), t)}
        for k in range(-24, 40):
            order = 1 + Fraction(2) ** k
            tried[order] = divergence(pairs, order, t)
        best = best_order(pairs, t, tried)
        tried[best] = divergence(pairs, best, t)
        low = arb(0)
        for order, found in tried.items():
            low = low.max(found / exact(order))
        return low, low if upper is None else covered(pairs, t, upper, sorted(tried), low)

    return decided(statement, tables(instance), value)


def exact(number):
    return arb(fmpq(number.numerator, number.denominator))


def best_order(pairs, t, tried):
    """Return an order for which D_a / a is almost the largest, by a ternary search."""
    values = [float((found / exact(order)).mid()) for order, found in tried.items()]
    orders = list(tried)
    k = values.index(max(values))
    low, high = orders[max(k - 1, 0)], orders[min(k + 1, len(orders) - 1)]
    for _ in range(60):
        one, other = (2 * low + high) / 3, (low + 2 * high) / 3
        one, other = (1 + Fraction(round((a - 1) * 2**40) or 1, 2**40) for a in (one, other))
        at_one, at_other = (divergence(pairs, a, t) / exact(a) for a in (one, other))
        if float(at_one.mid()) < float(at_other.mid()):
            low = one
        else:
            high = other
    return low


def covered(pairs, t, upper, orders, low):
    """Return `upper` if it is proved to be an upper bound, and a trivial bound otherwise."""
    trivial, rho = divergence(pairs, None, t), exact(upper * (1 - Fraction(1, 2**80)))
    known = {}

    def cumulant(a):
        if a not in known:
            known[a] = arb(0) if a == 1 else divergence(pairs, a, t) * exact(a - 1)
        return known[a]

    if not trivial <= rho * exact(orders[-1]) or low > rho:
        return trivial
    left = [(a, b, 0) for a, b in pairwise(orders)]
    while left:
        a, b, depth = left.pop()
        s, u, k, m = exact(a - 1), exact(b - 1), cumulant(a), cumulant(b)
        slope = (m - k) / (u - s)
        start = k - slope * s
        ends = k <= rho * s * (1 + s) and m <= rho * u * (1 + u)
        inside = slope - rho <= 2 * rho * s or slope - rho >= 2 * rho * u
        if ends and (inside or 4 * rho * start + (slope - rho) ** 2 <= 0):
            continue
        if depth == DEPTH or len(known) > 4000:
            return trivial
        left += [(a, (a + b) / 2, depth + 1), ((a + b) / 2, b, depth + 1)]
    return rho.min(trivial)


def quantile(p):
    return -(arb(2).sqrt()) * (2 * p).erfcinv()


def gaussian_privacy(instance, statement):
    """Decide a statement on the least mu, by the errors of all tests without random bits."""
    t, every = instance["t"], tables(instance)

    def value(pairs, *_):
        require_small(len(pairs), 10)
        balls = [(ball(p, t), ball(q, t)) for p, q in pairs]
        best = arb(0)
        for size in range(1, len(balls)):
            for event in combinations(range(len(balls)), size):
                alpha = sum((balls[o][0] for o in event), arb(0))
                beta = sum((q for o, (_, q) in enumerate(balls) if o not in event), arb(0))
                best = best.max(-quantile(alpha) - quantile(beta))
        return best, best

    return decided(statement, every, value)


def type_two_error(instance, statement):
    """Decide a statement on the least type II error, over mixtures of two sets of outcomes."""
    t = instance["t"]
    level = number(statement["level"], t)
    one = Number(t, [1])
    if not at_most(level, one):
        level = one
    listed = list(events(instance))
    require_small(len(listed), 600)
    count = 1 << len(instance["outcomes"])
    least = one - level
    for start in range(0, len(listed), count):
        errors = [(p, one - q) for p, q in listed[start : start + count]]
        for (a, b), (c, d) in product(errors, repeat=2):
            if not at_most(a, level):
                continue
            is_mixed = not at_most(c, level)
            error = b + (d - b) * (level - a) / (c - a) if is_mixed else b
            least = error if at_most(error, least) else least
    lower, upper = (
        None if statement[side] is None else number(statement[side], t)
        for side in ("lower", "upper")
    )
    return (lower is None or at_most(lower, least)) and (upper is None or at_most(least, upper))


MEANINGS = {
    "concentrated_privacy": concentrated_privacy,
    "gaussian_privacy": gaussian_privacy,
    "renyi_divergence": renyi_divergence,
    "renyi_moment": renyi_moment,
    "type_two_error": type_two_error,
}
