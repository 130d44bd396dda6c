"""The kernel's checks of packings: how many examples or records privacy demands at least."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import combinations
from math import ceil, floor

from .instances import CLASS, Matrix, bounds
from .parts import Claim, Part, members, products, show, size, times

__all__ = ["packing", "release"]

MAX_ERRORS = 1 << 16  # pairs of errors of functions that are good for two targets
MAX_POWER_BITS = 1 << 22  # of the powers that are compared: examples or records times digits

_Target = tuple[int, list[Fraction]]


def _parameters(accuracy: Part, failure: Part, factor: Part) -> tuple[Fraction, Fraction, Fraction]:
    """Read the accuracy, the failure that is allowed, and ``e^epsilon``."""
    allowed, risk, ratio = accuracy.probability(), failure.probability(), factor.fraction()
    failure.require(0 < risk < 1, "must lie strictly between 0 and 1, not {}", risk)
    factor.require(ratio >= 1, "must be at least 1, not {}", ratio)
    return allowed, risk, ratio


def packing(instance: Part, statement: Part, lower: Part, upper: Part) -> Claim:
    """Check a lower bound on the number of examples of private learners."""
    C = Matrix.read(instance, CLASS)
    keys = ("lower", "upper", "accuracy", "failure", "factor", "pool")
    *stated, accurate, failing, ratio, pool = statement.fields(*keys)
    accuracy, failure, factor = _parameters(accurate, failing, ratio)
    least, _, claim = bounds(stated, lower, upper, partial(Part.integer, least=0))
    upper.require(upper.value is None, "a packing proves no upper bound")
    if least is not None:
        listed, center = lower.fields("targets", "center")
        pairs = [part.entries(2) for part in listed.entries()]
        targets = [(C.rows[f.index(len(C.rows))], D.law(len(C.columns))) for f, D in pairs]
        scaled = _scaled(listed, targets)
        allowed = floor(accuracy * scaled.unit)
        if pool.value is None:
            for i, j in combinations(range(len(targets)), 2):
                shared = _good_for_both(listed, scaled, i, j, allowed)
                listed.require(not shared, f"a function is good for targets {i} and {j}")
        for number, h in enumerate([] if pool.value is None else pool.rows(len(C.columns))):
            listed.afford(len(targets) * (5 + len(C.columns) * scaled.steps))
            wrong = [sum(D[x] for x in members(h ^ f)) for f, D in scaled.targets]
            good = [i for i, error in enumerate(wrong) if error <= allowed]
            listed.require(len(good) < 2, f"hypothesis {number} is good for targets {good}")
        middle = center.index(len(targets))
        others = [i for i in range(len(targets)) if i != middle]
        growths = Counter(1 + scaled.distance(middle, i) * (factor - 1) for i in others)
        _small(stated[0], least, growths)
        rule = "{} examples are allowed already, below the stated {}"
        enough = least > 0 and not _excluded(lower, growths, least - 1, failure)
        lower.require(not enough, rule, least - 1, least)
        rule = "the stated {} examples are excluded too"
        lower.require(not _excluded(lower, growths, least, failure), rule, least)
    kind = "any hypotheses"
    if pool.value is not None:
        kind = f"{len(pool.entries())} hypotheses, {pool.identity()}"
    what = f"packing of {C.title}, {kind}, accuracy {show(accuracy)}, failure {show(failure)}"
    return f"{what}, e^epsilon = {show(factor)}, examples", claim


@dataclass(frozen=True, slots=True)
class _Scaled:
    """Targets with the masses of their points in one common unit."""

    unit: int
    steps: int  # of adding two masses
    targets: list[tuple[int, list[int]]]

    def distance(self, i: int, j: int) -> Fraction:
        """Return the statistical distance of labelled examples of two targets."""
        (f, D), (g, E) = self.targets[i], self.targets[j]
        agree = (
            p if p < q else q
            for x, (p, q) in enumerate(zip(D, E, strict=True))
            if not (f ^ g) >> x & 1
        )
        return 1 - Fraction(sum(agree), self.unit)


def _scaled(place: Part, targets: list[_Target]) -> _Scaled:
    """Bring the masses of all targets to one unit."""
    unit = place.common([p for _, D in targets for p in D])
    bits, entries = unit.bit_length(), sum(len(D) for _, D in targets)
    place.afford(entries * (10 + (bits >> 6) + times(bits, 64)) + len(targets) * times(bits, bits))
    scaled = [(f, [p.numerator * (unit // p.denominator) for p in D]) for f, D in targets]
    return _Scaled(unit, 2 + (bits >> 10), scaled)


def _good_for_both(place: Part, scaled: _Scaled, i: int, j: int, allowed: int) -> bool:
    """Decide whether a function errs by no more than is allowed for either of two targets."""
    (f, D), (g, E) = scaled.targets[i], scaled.targets[j]
    place.afford(20 + ((f | g).bit_length() >> 6) + (f ^ g).bit_count() * scaled.steps)
    differ = [x for x in members(f ^ g) if D[x] or E[x]]  # where a function errs for one of them
    if sum(min(D[x], E[x]) for x in differ) > 2 * allowed:
        return False  # as both errors together are at least that
    errors = {(0, 0)}
    for x in differ:
        place.afford(12 * len(errors) * scaled.steps)
        both = {pair for a, b in errors for pair in ((a + D[x], b), (a, b + E[x]))}
        errors = {pair for pair in both if max(pair) <= allowed}
        place.require(len(errors) <= MAX_ERRORS, "too many functions to recompute")
    return bool(errors)


def _small(place: Part, power: int, bases: Iterable[Fraction]) -> None:
    bits = size(*bases)
    place.require(power * bits <= MAX_POWER_BITS, "too large to recompute, {}", power)


def _excluded(place: Part, growths: Counter[Fraction], m: int, failure: Fraction) -> bool:
    """Decide whether the answers good for the other targets are too likely together."""
    top, bottom = 0, 1  # of the sum, not in lowest terms, which would take most of the time
    for g, number in growths.items():
        over, under = _likely(place, g, m, failure)
        bits = size(bottom), size(over, under)
        place.afford(2 * min(times(*bits), products(sum(bits))))
        top, bottom = top * under + number * over * bottom, bottom * under
    p, q = failure.as_integer_ratio()
    return top * q > p * bottom


def _likely(place: Part, g: Fraction, m: int, failure: Fraction) -> tuple[int, int]:
    """Return the largest ``(1 - failure g^s) g^(s - m)`` as a quotient.

    It rises with `s` as long as ``failure g^s (1 + g)`` is below 1.
    """
    (a, b), (p, q) = g.as_integer_ratio(), failure.as_integer_ratio()
    place.afford(4 * products(size(g) * m + size(failure)))

    def is_below(power: tuple[int, int]) -> bool:
        place.afford(4 * products(size(*power, failure, g)))
        return p * (a + b) * power[0] < q * b * power[1]

    s = 0
    if m and is_below((1, 1)):
        squares = [(a, b)]  # g to the powers 1, 2, 4, ...
        while 1 << len(squares) <= m and is_below(squares[-1]):
            squares.append((squares[-1][0] ** 2, squares[-1][1] ** 2))
        s, reached = 1, (1, 1)  # reached is g^(s - 1), which is below
        for i, (over, under) in reversed(list(enumerate(squares))):
            further = reached[0] * over, reached[1] * under
            if s + (1 << i) <= m and is_below(further):
                s, reached = s + (1 << i), further
    most = q * b**s - p * a**s  # over q b^s
    return most * b ** (m - s), q * b**s * a ** (m - s)


def release(instance: Part, statement: Part, lower: Part, upper: Part) -> Claim:
    """Check a lower bound on the number of records of private releases of counting queries."""
    C = Matrix.read(instance, CLASS)
    keys = ("lower", "upper", "accuracy", "failure", "factor")
    *stated, accurate, failing, ratio = statement.fields(*keys)
    accuracy, failure, factor = _parameters(accurate, failing, ratio)
    accurate.require(0 < 2 * accuracy <= 1, "must be above 0, at most 1/2, not {}", accuracy)
    least, _, claim = bounds(stated, lower, upper, partial(Part.integer, least=1))
    upper.require(upper.value is None, "a packing proves no upper bound")
    if least is not None:
        (listed,) = lower.fields("points")
        points = [entry.index(len(C.columns)) for entry in listed.entries()]
        listed.require(points, "must hold at least one point")
        first: dict[int, int] = {}
        for x in points:
            rule = f"no concept tells {first.get(C.columns[x])} from {x}"
            listed.require(C.columns[x] not in first, rule)
            first[C.columns[x]] = x
        _small(stated[0], least, [factor])
        for m, wanted in ((least - 1, True), (least, False)):
            over, under = _likely(lower, factor, ceil(2 * accuracy * m), failure)
            p, q = failure.as_integer_ratio()
            excluded = (len(points) - 1) * over * q > p * under
            rule = "{} records are allowed already" if wanted else "{} records are excluded too"
            lower.require(m == 0 or excluded == wanted, rule, m)
    what = f"release of {C.title}, accuracy {show(accuracy)}, failure {show(failure)}"
    return f"{what}, e^epsilon = {show(factor)}, records", claim
