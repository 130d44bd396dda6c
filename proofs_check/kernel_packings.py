"""The kernel's checks of packings: how many examples or records privacy demands at least."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable
from fractions import Fraction
from functools import partial
from itertools import combinations
from math import ceil

from proofs_check.kernel import CLASS, Claim, Matrix, Part, bounds, members, show

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
        if pool.value is None:
            for (i, first), (j, second) in combinations(enumerate(targets), 2):
                shared = _good_for_both(listed, first, second, accuracy)
                listed.require(not shared, f"a function is good for targets {i} and {j}")
        for number, h in enumerate([] if pool.value is None else pool.rows(len(C.columns))):
            wrong = [sum((D[x] for x in members(h ^ f)), Fraction(0)) for f, D in targets]
            good = [i for i, error in enumerate(wrong) if error <= accuracy]
            listed.require(len(good) < 2, f"hypothesis {number} is good for targets {good}")
        f, D = targets.pop(center.index(len(targets)))
        growths = Counter(1 + _distance(f, D, g, E) * (factor - 1) for g, E in targets)
        _small(stated[0], least, growths)
        rule = "{} examples are allowed already, below the stated {}"
        enough = least > 0 and not _excluded(growths, least - 1, failure)
        lower.require(not enough, rule, least - 1, least)
        rule = "the stated {} examples are excluded too"
        lower.require(not _excluded(growths, least, failure), rule, least)
    kind = "any hypotheses"
    if pool.value is not None:
        kind = f"{len(pool.entries())} hypotheses, {pool.identity()}"
    what = f"packing of {C.title}, {kind}, accuracy {show(accuracy)}, failure {show(failure)}"
    return f"{what}, e^epsilon = {show(factor)}, examples", claim


def _good_for_both(
    place: Part, first: _Target, second: _Target, accuracy: Fraction
) -> set[tuple[Fraction, Fraction]]:
    """Return the pairs of errors of the functions that are good for two targets."""
    (f, D), (g, E) = first, second
    if sum(min(D[x], E[x]) for x in members(f ^ g)) > 2 * accuracy:
        return set()  # as both errors together are at least that
    errors = {(Fraction(0), Fraction(0))}
    for x in members(f ^ g):
        if D[x] or E[x]:  # on x a function errs for one of the two
            both = {pair for a, b in errors for pair in ((a + D[x], b), (a, b + E[x]))}
            errors = {pair for pair in both if max(pair) <= accuracy}
            place.require(len(errors) <= MAX_ERRORS, "too many functions to recompute")
    return errors


def _distance(f: int, D: list[Fraction], g: int, E: list[Fraction]) -> Fraction:
    """Return the statistical distance of labelled examples."""
    agree = (min(p, q) for x, (p, q) in enumerate(zip(D, E, strict=True)) if not (f ^ g) >> x & 1)
    return 1 - sum(agree, Fraction(0))


def _small(place: Part, power: int, bases: Iterable[Fraction]) -> None:
    bits = sum(g.numerator.bit_length() + g.denominator.bit_length() for g in bases)
    place.require(power * bits <= MAX_POWER_BITS, "too large to recompute, {}", power)


def _excluded(growths: Counter[Fraction], m: int, failure: Fraction) -> bool:
    """Decide whether the answers good for the other targets are too likely together."""
    top, bottom = 0, 1  # of the sum, not in lowest terms, which would take most of the time
    for g, number in growths.items():
        weight = number * _likely(g, m, failure)
        top = top * weight.denominator + weight.numerator * bottom
        bottom *= weight.denominator
    return top > failure * bottom


def _likely(g: Fraction, m: int, failure: Fraction) -> Fraction:
    """Return the largest ``(1 - failure g^s) g^(s - m)``, which rises while the key is false."""
    s = bisect_left(range(m), True, key=lambda s: failure * g**s * (1 + g) >= 1)  # noqa: FBT003
    return (1 - failure * g**s) / g ** (m - s)


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
        for x, y in combinations(points, 2):
            listed.require(C.columns[x] != C.columns[y], f"no concept tells {x} from {y}")
        _small(stated[0], least, [factor])
        for m, wanted in ((least - 1, True), (least, False)):
            likely = _likely(factor, ceil(2 * accuracy * m), failure)
            excluded = (len(points) - 1) * likely > failure
            rule = "{} records are allowed already" if wanted else "{} records are excluded too"
            lower.require(m == 0 or excluded == wanted, rule, m)
    what = f"release of {C.title}, accuracy {show(accuracy)}, failure {show(failure)}"
    return f"{what}, e^epsilon = {show(factor)}, records", claim
