"""Privacy of mechanisms given as tables of probabilities, which may be irrational."""

from fractions import Fraction
from itertools import combinations, combinations_with_replacement, permutations, product

from flint import arb, ctx, fmpq, fmpq_poly

from tests.truth import noise_programs
from tests.truth.common import UndecidedError, require_small

__all__ = ["MEANINGS"]

INFINITY = object()


class Number:
    """A quotient of two polynomials in ``t``; they are constant if there is no ``t``."""

    def __init__(self, t, over, under=None):
        self.t, self.over = t, fmpq_poly(over)
        self.under = fmpq_poly([1] if under is None else under)

    def __add__(self, other):
        return Number(
            self.t, self.over * other.under + other.over * self.under, self.under * other.under
        )

    def __sub__(self, other):
        return self + Number(other.t, -other.over, other.under)

    def __mul__(self, other):
        return Number(self.t, self.over * other.over, self.under * other.under)

    def __truediv__(self, other):
        return Number(self.t, self.over * other.under, self.under * other.over)

    def sign(self):
        return sign(self.over, self.t) * sign(self.under, self.t)


def sign(polynomial, t):
    """Return the sign of a polynomial at t, by a test for 0 and then by increasing precision."""
    if polynomial.degree() <= 0:
        return (polynomial[0] > 0) - (polynomial[0] < 0)
    if t["base"] is None:
        zero = False  # e is transcendental, and so is each of its roots
    else:  # t is the only positive root of X^root - base, and a simple one
        base = Fraction(t["base"])
        power = fmpq_poly([-fmpq(base.numerator, base.denominator)] + [0] * (t["root"] - 1) + [1])
        common = polynomial.gcd(power)
        zero = common[0] * common[common.degree()] < 0
    if zero:
        return 0
    for precision in (128, 512, 2048, 8192, 32768):
        ctx.prec = precision
        value = at(polynomial, t)
        if value > 0:
            return 1
        if value < 0:
            return -1
    raise UndecidedError("no sign")


def at(polynomial, t):
    """Return an interval that contains the value of a polynomial at t."""
    root = t["root"]
    if t["base"] is None:
        x = (arb(1) / root).exp()
    else:
        base = Fraction(t["base"])
        x = ((arb(base.numerator) / base.denominator).log() / root).exp()
    value = arb(0)
    for k in range(polynomial.degree(), -1, -1):
        c = polynomial[k]
        value = value * x + arb(c.p) / arb(c.q)
    return value


def coefficients(given):
    return [int(c) for c in given] if isinstance(given, list) else [int(given)]


def number(given, t):
    """Return a stated number: infinity, a fraction, or a quotient of polynomials."""
    if given == "infinity":
        return INFINITY
    if isinstance(given, dict):
        made = Number(t, coefficients(given["over"]), coefficients(given["under"]))
        assert sign(made.under, t) > 0
        return made
    q = Fraction(given)
    return Number(t, [fmpq(q.numerator, q.denominator)])


def at_most(first, second):
    """Whether one number, or infinity, is at most another number."""
    if second is INFINITY:
        return True
    return first is not INFINITY and (second - first).sign() >= 0


def largest(values, start):
    best = start
    for value in values:
        if not at_most(value, best):
            best = value
    return best


# --- Mechanisms --------------------------------------------------------------------------------


def neighbours(instance):
    """Return all ordered pairs of databases that are compared."""
    kind = instance["type"]
    if kind == "mechanism on pairs":
        near = {tuple(pair) for pair in instance["pairs"]}
    elif kind == "mechanism of qualities":
        near = near_qualities(instance)
    elif kind == "mechanism of sizes":
        near = near_sizes(instance)
    else:
        near = near_databases(instance)
    return {(i, j) for a, b in near for i, j in ((a, b), (b, a))}


def near_qualities(instance):
    unit, growth = int(instance["unit"]), instance["growth"]
    functions = [tuple(Fraction(int(v), unit) for v in q) for q in instance["qualities"]]
    assert len(set(functions)) == len(instance["laws"])
    found = set()
    for (i, p), (j, q) in product(enumerate(functions), repeat=2):
        assert len(p) == len(q)
        changes = [a - b for a, b in zip(p, q, strict=True)]
        added = max(sum(c > 0 for c in changes), sum(c < 0 for c in changes))
        if p != q and max(map(abs, changes)) <= 1 and (growth is None or added <= growth):
            found.add((i, j))
    if instance["pairs"] is None:
        return found
    listed = {tuple(pair) for pair in instance["pairs"]}
    assert listed <= found
    return listed


def near_databases(instance):
    size, records = instance["size"], range(len(instance["records"]))
    symmetric, public, groups = (instance[key] for key in ("symmetric", "public", "groups"))
    group = [0] * len(records) if groups is None else groups
    assert len(group) == len(records)
    databases = list(
        combinations_with_replacement(records, size) if symmetric else product(records, repeat=size)
    )
    assert len(databases) == len(instance["laws"])
    assert public == 0 or not symmetric
    found = set()
    for (i, first), (j, second) in product(enumerate(databases), repeat=2):
        if symmetric:
            gone, come = list(first), list(second)
            for entry in first:
                if entry in come:
                    come.remove(entry)
                    gone.remove(entry)
            changed = list(zip(gone, come, strict=True))
        else:
            changed = [(a, b) for a, b in zip(first, second, strict=True) if a != b]
        if len(changed) == 1 and first[:public] == second[:public]:
            [(a, b)] = changed
            if group[a] == group[b]:
                found.add((i, j))
    return found


def near_sizes(instance):
    records, symmetric = range(len(instance["records"])), instance["symmetric"]
    require_small(len(records) ** instance["most"], 300)
    assert 0 <= instance["least"] <= instance["most"] >= 1
    assert instance["groups"] is None or len(instance["groups"]) == len(records)
    assert instance["groups"] is None or instance["change"] != "add or remove one"
    group = instance["groups"] or [0] * len(records)
    assert all(0 <= g < len(records) for g in group)
    every = combinations_with_replacement if symmetric else lambda R, m: product(R, repeat=m)
    databases = [
        D for m in range(instance["least"], instance["most"] + 1) for D in every(records, m)
    ]
    assert len(databases) == len(instance["laws"])
    orders = [sorted(set(permutations(D))) if symmetric else [D] for D in databases]
    return {
        (i, j)
        for (i, first), (j, second) in product(enumerate(orders), repeat=2)
        if any(
            differ(D, E, instance["change"], group) for D, E in product(first[:1], second) if D != E
        )
    }


def differ(D, E, change, group):
    """Whether a sequence of records differs from another one by a change, in this order."""
    if change == "replace one":
        changed = [(a, b) for a, b in zip(D, E, strict=False) if a != b]
        return (
            len(D) == len(E) and len(changed) == 1 and group[changed[0][0]] == group[changed[0][1]]
        )
    if change == "add or remove one":
        return any(E[:i] + E[i + 1 :] == D for i in range(len(E)))
    assert change in ("replace key", "remove key")
    without = [
        ([r for r in D if group[r] != key], [r for r in E if group[r] != key], key)
        for key in set(group)
    ]
    if change == "replace key":
        return any(rest == other for rest, other, _ in without)
    return any(list(D) == other for _, other, key in without if key not in {group[r] for r in D})


def events(instance):
    """Yield the probabilities of every event under both distributions of neighbouring pairs."""
    t, outcomes = instance["t"], range(len(instance["outcomes"]))
    require_small(len(outcomes), 8)
    weights = [[Number(t, coefficients(w)) for w in law] for law in instance["laws"]]
    near = neighbours(instance)
    require_small(len(near) << len(outcomes), 4000)
    laws = []
    for law in weights:
        assert len(law) == len(outcomes)
        assert all(w.sign() >= 0 for w in law)
        total = sum(law[1:], law[0])
        assert total.sign() > 0
        laws.append([w / total for w in law])
    zero = Number(t, [0])
    for i, j in near:
        for size in range(len(outcomes) + 1):
            for event in combinations(outcomes, size):
                yield sum((laws[i][o] for o in event), zero), sum((laws[j][o] for o in event), zero)


def within(statement, value, t):
    lower, upper = (
        None if statement[side] is None else number(statement[side], t)
        for side in ("lower", "upper")
    )
    return (lower is None or at_most(lower, value)) and (upper is None or at_most(value, upper))


def privacy(instance, statement):
    """Decide a statement on the least delta for a factor, or the least factor for a delta."""
    t = instance["t"]
    if isinstance(instance["laws"], dict):
        return noise_programs.privacy(instance, statement, neighbours(instance))
    assert (statement["factor"] is None) != (statement["delta"] is None)
    if statement["delta"] is None:
        factor = number(statement["factor"], t)
        assert factor is not INFINITY
        differences = (p - factor * q for p, q in events(instance))
        return within(statement, largest(differences, Number(t, [0])), t)
    delta, best = number(statement["delta"], t), Number(t, [1])
    for p, q in events(instance):
        excess = None if delta is INFINITY else p - delta
        if excess is not None and excess.sign() > 0:
            best = largest([INFINITY if q.sign() == 0 else excess / q], best)
        if best is INFINITY:
            break
    return within(statement, best, t)


def release_probability(instance, statement):
    """Decide a statement on the largest probability of releasing the more frequent point.

    Without a lead, it is 0. Replacing a record changes the lead by 2, and a probability p to at
    most the smaller of f p + d and 1 - (1 - p - d) / f. The mechanism that attains this is private.
    """
    t = instance["t"]
    f, d = (number(statement[key], t) for key in ("factor", "delta"))
    if INFINITY in (f, d):
        return statement["upper"] is None or Fraction(statement["upper"]) >= 1
    one, p = Number(t, [1]), Number(t, [0])
    require_small(statement["lead"], 12)
    for _ in range(-(-statement["lead"] // 2)):
        first, second = f * p + d, one - (one - p - d) / f
        p = first if at_most(first, second) else second
        p = p if at_most(p, one) else one
    return within(statement, p, t)


MEANINGS = {
    "privacy": privacy,
    "release_probability": release_probability,
}
