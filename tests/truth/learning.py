"""Private learners and releases, by linear programs over their output distributions.

A learner is the list of its output distributions on all samples. The programs are solved in
floating point; the result is used if it differs from a stated bound by more than `MARGIN`.
"""

from fractions import Fraction
from functools import cache
from itertools import combinations, combinations_with_replacement, product
from math import comb, floor, lcm, prod

from tests.truth.common import UndecidedError, dot, least, require_small
from tests.truth.representations import differs

__all__ = ["MEANINGS"]

MARGIN = 1e-6


# --- Learners ----------------------------------------------------------------------------------


def all_samples(width, n):
    """Return the multisets of examples ``2 x + y`` in lexicographic order."""
    require_small(comb(2 * width + n - 1, n) << width, 2000)
    return list(combinations_with_replacement(range(2 * width), n))


def all_functions(width):
    """Return all functions: function ``h`` has value ``h >> x & 1`` on point ``x``."""
    return ["".join(str(h >> x & 1) for x in range(width)) for h in range(1 << width)]


def is_good(h, f, law, accuracy):
    return dot(law, differs(h, f)) <= accuracy


def chances(f, law, n):
    """Return the probability of each sample for a concept and a distribution."""
    require_small(len(law) ** n, 5000)
    found = {}
    for points in product(range(len(law)), repeat=n):
        p = Fraction(1)
        for x in points:
            p *= law[x]
        if p:
            S = tuple(sorted(2 * x + int(f[x]) for x in points))
            found[S] = found.get(S, 0) + p
    return found


@cache
def grid(width, accuracy):
    """Return distributions on a grid, and some at and near the accuracy, where functions change."""
    steps = {1: 1, 2: 12, 3: 7, 4: 4}.get(width)
    if steps is None:
        raise UndecidedError("too many points")
    laws = {
        tuple(Fraction(k, steps) for k in ks)
        for ks in product(range(steps + 1), repeat=width)
        if sum(ks) == steps
    }
    for edge in (accuracy, accuracy + Fraction(1, 1000), accuracy - Fraction(1, 1000)):
        if not 0 <= edge <= 1:
            continue
        for size in range(1, width):
            for S in combinations(range(width), size):
                rest = [x for x in range(width) if x not in S]
                laws.add(
                    tuple(edge / len(S) if x in S else (1 - edge) / len(rest) for x in range(width))
                )
    return sorted(laws)


def learner_failure(instance, statement):
    """Decide a statement on the worst target of a learner, by a grid and by a subdivision."""
    width, n = len(instance["points"]), statement["samples"]
    samples, accuracy = all_samples(width, n), Fraction(statement["accuracy"])
    laws = {
        S: [Fraction(int(w), sum(map(int, law))) for w in law]
        for S, law in zip(samples, statement["laws"], strict=True)
    }
    low = max(
        (
            failure_on(f, D, laws, n, accuracy)
            for f in instance["rows"]
            for D in grid(width, accuracy)
        ),
        default=Fraction(0),
    )
    if statement["upper"] is not None and Fraction(statement["upper"]) < low:
        return False
    if statement["lower"] is None or Fraction(statement["lower"]) <= low:
        return True
    high = max((worst_failure(f, laws, n, accuracy) for f in instance["rows"]), default=Fraction(0))
    return Fraction(statement["lower"]) <= high + Fraction(MARGIN)


def failure_on(f, D, laws, n, accuracy):
    """Return the failure probability of a learner on one target."""
    width = len(D)
    good = [h for h, row in enumerate(all_functions(width)) if is_good(row, f, D, accuracy)]
    return 1 - sum(p * sum(laws[S][h] for h in good) for S, p in chances(f, D, n).items())


_ONE = 1 << 64
"""Corners are integers over this number, which is halved fewer times than it can be."""


def worst_failure(f, laws, n, accuracy):
    """Return a bound on the failure by subdivision: functions good on a whole part succeed."""
    width = len(f)
    depth = {1: 0, 2: 9, 3: 6}.get(width)
    if depth is None:
        raise UndecidedError("too many points")
    apart = [[x for x in range(width) if h[x] != f[x]] for h in all_functions(width)]
    most = floor(accuracy * _ONE)
    unit = [tuple(_ONE * (x == y) for x in range(width)) for y in range(width)]
    worst, parts = Fraction(0), [unit]
    require_small(width**n * 2 ** (depth * (width - 1)), 200000)

    @cache  # a corner is one of many parts
    def good_at(D):
        return frozenset(h for h, S in enumerate(apart) if sum(D[x] for x in S) <= most)

    @cache  # few sets are good on some part
    def learned(good):
        shares = {
            points: sum(laws[tuple(sorted(2 * x + int(f[x]) for x in points))][h] for h in good)
            for points in product(range(width), repeat=n)
        }
        common = lcm(*(Fraction(share).denominator for share in shares.values()))
        return [(points, int(share * common)) for points, share in shares.items()], common

    while parts:
        corners = parts.pop()
        edge = max(
            (
                (sum(abs(a - b) for a, b in zip(p, q, strict=True)), i, j)
                for (i, p), (j, q) in combinations(enumerate(corners), 2)
            ),
            default=(0, 0, 0),
        )
        if edge[0] <= 2 * _ONE >> depth:
            good = frozenset.intersection(*map(good_at, corners))
            worst = max(worst, failure_at_corners(corners, *learned(good), n))
            continue
        _, i, j = edge
        middle = tuple((a + b) // 2 for a, b in zip(corners[i], corners[j], strict=True))
        parts += [[*corners[:k], middle, *corners[k + 1 :]] for k in (i, j)]
    return worst


def failure_at_corners(corners, shares, common, n):
    """Return the largest failure if each example is drawn from some corner."""
    least = min(
        sum(
            share * prod(D[x] for D, x in zip(chosen, points, strict=True))
            for points, share in shares
        )
        for chosen in combinations_with_replacement(corners, n)
    )
    return 1 - Fraction(least, common * _ONE**n)


@cache
def best_learner(rows, width, n, accuracy, factor, pool=None, delta=None):
    """Return the least failure on the targets of the grid, and a learner that attains it."""
    samples, functions = all_samples(width, n), all_functions(width)
    allowed = [h for h, row in enumerate(functions) if pool is None or row in pool]
    place = {S: k for k, S in enumerate(samples)}
    number = len(samples) * len(functions)
    programmed, bounds, beyond = [], [], number + 1  # variables for what exceeds the factor
    for f in rows:
        for D in grid(width, accuracy):
            row = [(number, -1)]
            good = [h for h in allowed if is_good(functions[h], f, D, accuracy)]
            for S, p in chances(f, D, n).items():
                row += [(place[S] * len(functions) + h, -p) for h in good]
            programmed.append(row)
            bounds.append(-1.0)
    for rest in combinations_with_replacement(range(2 * width), n - 1) if n else ():
        near = [place[tuple(sorted((*rest, e)))] for e in range(2 * width)]
        for i, j in product(near, repeat=2):
            first = beyond
            for h in allowed if i != j else ():
                k = len(functions)
                programmed.append([(i * k + h, 1), (j * k + h, -factor)])
                if delta is not None:
                    programmed[-1].append((beyond, -1))
                    beyond += 1
                bounds.append(0.0)
            if delta is not None and first < beyond:
                programmed.append([(e, 1) for e in range(first, beyond)])
                bounds.append(float(delta))
    require_small(len(bounds), 8000)
    k = len(functions)
    laws = [[(i * k + h, 1) for h in range(k)] for i in range(len(samples))]
    most = [int(h in allowed) for _ in samples for h in range(k)] + [1] * (beyond - number)
    cost = [0] * number + [1] + [0] * (beyond - number - 1)
    value, found = least(cost, programmed, bounds, laws, most)
    listed = [found[i * k : i * k + k] for i in range(len(samples))]
    return value, dict(zip(samples, listed, strict=True))


def exact_laws(laws):
    """Return exact distributions near those of a learner."""
    made = {}
    for S, law in laws.items():
        weights = [Fraction(max(0.0, p)).limit_denominator(10**6) for p in law]
        made[S] = [w / sum(weights) for w in weights]
    return made


def failure_interval(instance, n, accuracy, factor, pool=None, delta=None):
    """Return bounds on the least failure of private learners, valid up to the margin."""
    rows, width = tuple(instance["rows"]), len(instance["points"])
    low, laws = best_learner(rows, width, n, accuracy, factor, pool, delta)

    def high():
        made = exact_laws(laws)
        return max((worst_failure(f, made, n, accuracy) for f in rows), default=Fraction(0))

    return low - MARGIN, high


def private_failure(instance, statement):
    """Decide a statement on the least failure, by a grid of targets and the best learner."""
    accuracy, factor = (Fraction(statement[key]) for key in ("accuracy", "factor"))
    delta = Fraction(statement["delta"]) if "delta" in statement else None
    n = statement["samples"]
    low, high = failure_interval(instance, n, accuracy, factor, delta=delta)
    if statement["upper"] is not None and float(Fraction(statement["upper"])) < low:
        return False
    if statement["lower"] is None or float(Fraction(statement["lower"])) <= low:
        return True
    return float(Fraction(statement["lower"])) <= float(high()) + MARGIN


def sample_complexity(instance, statement):
    """Decide whether fewer examples than the lower bound fail, and the upper bound suffices."""
    accuracy, allowed, factor = (
        Fraction(statement[key]) for key in ("accuracy", "failure", "factor")
    )
    delta = Fraction(statement["delta"]) if "delta" in statement else None
    pool = statement.get("hypotheses")
    pool = None if pool is None else tuple(sorted(set(pool)))
    lower, upper = (None if b is None else int(b) for b in map(statement.get, ("lower", "upper")))
    if upper is not None:
        low, _ = failure_interval(instance, upper, accuracy, factor, pool, delta)
        if low > float(allowed):
            return False
    if lower is not None and lower > 0:
        if pool == ():
            return True
        low, high = failure_interval(instance, lower - 1, accuracy, factor, pool, delta)
        if low <= float(allowed):
            if high() + Fraction(MARGIN) <= allowed:
                return False
            raise UndecidedError("between the learner that is found and what is excluded")
    return True


# --- Releases ----------------------------------------------------------------------------------


@cache
def release_failure(rows, width, m, accuracy, factor):
    """Return the least failure of a private release on databases of m points.

    One output is good for several databases if, for each concept, a number is within the accuracy
    of all their answers: any two of them differ by less than twice the accuracy.
    """
    require_small(comb(width + m - 1, m), 25)
    databases = list(combinations_with_replacement(range(width), m))
    shares = [[Fraction(sum(int(f[x]) for x in D), m) for f in rows] for D in databases]
    near = [
        {
            j
            for j, s in enumerate(shares)
            if all(abs(a - b) < 2 * accuracy for a, b in zip(s, t, strict=True))
        }
        for t in shares
    ]
    answers = cliques(near)
    require_small(len(answers) * len(databases), 1000)
    place = {D: i for i, D in enumerate(databases)}
    number, k = len(databases) * len(answers), len(answers)
    programmed, bounds = [], []
    for i in range(len(databases)):
        good = [(i * k + a, -1) for a, S in enumerate(answers) if i in S]
        programmed.append([(number, -1), *good])
        bounds.append(-1.0)
    for rest in combinations_with_replacement(range(width), m - 1):
        around = [place[tuple(sorted((*rest, x)))] for x in range(width)]
        for i, j in product(around, repeat=2):
            for a in range(k) if i != j else ():
                programmed.append([(i * k + a, 1), (j * k + a, -factor)])
                bounds.append(0.0)
    require_small(len(bounds), 8000)
    laws = [[(i * k + a, 1) for a in range(k)] for i in range(len(databases))]
    return least([0] * number + [1], programmed, bounds, laws, [1] * (number + 1))[0]


def cliques(near):
    """Return all maximal sets in which any two members are near each other."""
    found = []

    def extend(chosen, open_, done):
        if not open_ and not done:
            found.append(chosen)
            require_small(len(found), 200)
        for i in sorted(open_):
            extend(chosen | {i}, open_ & near[i] - {i}, done & near[i] - {i})
            open_, done = open_ - {i}, done | {i}

    extend(frozenset(), frozenset(range(len(near))), frozenset())
    return found


def release(instance, statement):
    """Decide whether all smaller numbers of records are excluded."""
    accuracy, allowed, factor = (
        Fraction(statement[key]) for key in ("accuracy", "failure", "factor")
    )
    rows, width = tuple(instance["rows"]), len(instance["points"])
    assert statement["upper"] is None
    for m in range(1, int(statement["lower"])):
        found = release_failure(rows, width, m, accuracy, factor)
        if found < float(allowed) - MARGIN:
            return False
        if found < float(allowed) + MARGIN:
            raise UndecidedError("too close")
    return True


MEANINGS = {
    "learner_failure": learner_failure,
    "private_failure": private_failure,
    "approximate_private_failure": private_failure,
    "approximate_sample_complexity": sample_complexity,
    "private_sample_complexity": sample_complexity,
    "release": release,
}
