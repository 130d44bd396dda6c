"""Section 6.1 (= section 2.1 of the appendix): the basic learner of lines and its stability.

Only the masses of the points on the hidden line matter: with ``q_1, q_2, ...`` on the line, total
``r``, the learner sees no positive example with probability ``(1 - r)^t``, only the i-th point with
probability ``(1 - r + q_i)^t - (1 - r)^t``, and otherwise two points, which give the line.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product
from math import ceil, floor

import flint
import numpy as np
import sympy

from ccsim.errors import NotDecidedError
from ccsim.exact import LogSum, compare, enclose
from proofs_check.claims.claim import Claim, Instance, Kind, Size, Verdict

__all__ = ["CLAIMS", "learn"]

Example = tuple[tuple[int, int], int]
"""A point of the plane and its label."""

Hypothesis = tuple[str, int, int]
"""A line (slope, intercept), a point, or zero."""

ZERO: Hypothesis = ("zero", 0, 0)


def learn(p: int, sample: Sequence[Example]) -> Hypothesis:
    """Return the output of the basic learner.

    The paper does not say what two positive points with equal x, which are on no line, give; here
    the first pair on a common line decides, otherwise the first positive point.
    """
    positive = list(dict.fromkeys(point for point, label in sample if label))
    for i, (x, y) in enumerate(positive):
        for u, v in positive[:i]:
            if x != u:
                slope = (y - v) * pow(x - u, -1, p) % p
                return "line", slope, (y - slope * x) % p
    return ("point", *positive[0]) if positive else ZERO


def output_law(masses: Sequence[Fraction], t: int) -> tuple[Fraction, list[Fraction], Fraction]:
    """Return the probabilities of zero, of each point, and of the line."""
    off = 1 - sum(masses, Fraction(0))
    none = off**t
    points = [(off + q) ** t - none for q in masses]
    return none, points, 1 - none - sum(points, Fraction(0))


def basic_algorithm(size: Size) -> Iterator[Instance]:
    """Run the learner on every sample and add up the probabilities of its outputs."""
    for p, line, most in ((2, (1, 1), 4), (3, (2, 1), 2 if size is Size.SMALL else 3)):
        plane = [(x, y) for x in range(p) for y in range(p)]
        on = [(x, (line[0] * x + line[1]) % p) for x in range(p)]
        shares = {point: 2 + i if point in on else 1 for i, point in enumerate(plane)}
        weights = {point: Fraction(w, sum(shares.values())) for point, w in shares.items()}
        for t in range(1, most + 1):
            law: dict[Hypothesis, Fraction] = {}
            for points in product(plane, repeat=t):
                h = learn(p, [(point, int(point in on)) for point in points])
                chance = Fraction(1)
                for point in points:
                    chance *= weights[point]
                law[h] = law.get(h, Fraction(0)) + chance
            none, alone, two = output_law([weights[point] for point in on], t)
            expected = {ZERO: none, ("line", *line): two}
            expected |= {("point", *point): one for point, one in zip(on, alone, strict=True)}
            same = law == {h: chance for h, chance in expected.items() if chance}
            yield Instance.of(f"p={p} t={t}", same, f"{len(plane) ** t} samples, exact law")


def _masses(size: Size) -> list[tuple[Fraction, ...]]:
    """Return vectors of masses on the points of a line, with r below 1."""
    found = [
        tuple(Fraction(w, d) for w in shares)
        for d in (6, 30)
        for shares in ((1,), (1, 1), (2, 1), (3, 1), (1, 1, 1), (3, 1, 1), (2, 1, 1, 1))
    ]
    rng = np.random.default_rng(3)
    for _ in range({Size.SMALL: 10, Size.MEDIUM: 60, Size.LARGE: 300}[size]):
        number = int(rng.integers(1, 5))
        shares = rng.integers(1, 20, size=number)
        scale = int(shares.sum() * rng.integers(2, 50))
        found.append(tuple(Fraction(int(w), scale) for w in shares))
    return found


def _exp(exponent: Fraction) -> sympy.Expr:
    return sympy.exp(sympy.Rational(exponent.numerator, exponent.denominator))


def _decided(name: str, left: sympy.Expr, right: Fraction) -> Instance:
    """Decide ``left <= right`` by intervals."""
    order = compare(left, right)
    slack = right - enclose(left).upper
    verdict = Instance.of(name, None if order is None else order <= 0, f"{right} is larger")
    return Instance(name, verdict.verdict, f"slack {float(slack):.3g}", slack)


def output_bounds(size: Size) -> Iterator[Instance]:
    """Exact probabilities against the three bounds, for the heaviest point."""
    for masses in _masses(size):
        r, q = sum(masses, Fraction(0)), max(masses)
        for t in (2, 8, 32):
            none, alone, two = output_law(masses, t)
            name = f"masses {', '.join(map(str, masses))} t={t}"
            yield Instance.at_most(f"{name}: none", 1 - r * t, none)
            yield _decided(f"{name}: one", 1 - (r - q) * t - _exp(-r * t), max(alone))
            bound = (1 - _exp(-r * t / 2)) * (1 - _exp(-(r - q) * t / 2))
            yield _decided(f"{name}: two", bound, two)


def _good_for(masses: Sequence[Fraction], t: int) -> list[tuple[str, Fraction, Fraction]]:
    """Return the events for which t is good, their probabilities and what they should exceed."""
    r, q = sum(masses, Fraction(0)), max(masses)
    none, alone, two = output_law(masses, t)
    ln6 = LogSum.log2(6)
    found = []
    if 3 * r * t <= 1:
        found.append(("None", none, Fraction(2, 3)))
    if ln6.compare_nats(r * t) <= 0 and 6 * (r - q) * t <= 1:
        found.append(("One", max(alone), Fraction(2, 3)))
    if ln6.compare_nats((r - q) * t / 2) <= 0:
        found.append(("Two", two, Fraction(25, 36)))
    return found


def good_sizes(size: Size) -> Iterator[Instance]:
    """Every t that is good for an event, on masses for which each of the three occurs."""
    for event in ("None", "One", "Two"):
        cases = [
            ((masses, t), wanted, chance)
            for masses in [*_masses(size), (Fraction(1, 8), Fraction(1, 2000))]
            for t in (*range(2, 65, 2), 128, 256)
            for name, chance, wanted in _good_for(masses, t)
            if name == event
        ]
        yield Instance.tightest(f"t good for {event}", cases)


def stable_errors(size: Size) -> Iterator[Instance]:
    """Where an output has probability at least 2/3, its error is at most ln(3/2)/t."""
    limit = LogSum.log2(Fraction(3, 2))

    def cases() -> Iterator[tuple[object, bool]]:
        for masses in _masses(size):
            r, q = sum(masses, Fraction(0)), max(masses)
            for t in (1, 2, 3, 4, 8, 16, 32, 64):
                none, alone, _ = output_law(masses, t)
                if none >= Fraction(2, 3):
                    yield (masses, t, "None"), limit.compare_nats(r * t) >= 0
                if max(alone) >= Fraction(2, 3):
                    yield (masses, t, "One"), limit.compare_nats((r - q) * t) >= 0

    yield Instance.all_of("outputs of probability at least 2/3", cases(), "error t <= ln(3/2)")


def _bad_integers(r: Fraction, rest: Fraction) -> int:
    """Count the integers log2(t) in the two open intervals of eq. (2.4), where rest is r - q."""

    def between(low: sympy.Expr, high: sympy.Expr) -> set[int]:
        a, b = (sympy.log(end, 2) for end in (low, high))
        candidates = range(floor(enclose(a).lower), ceil(enclose(b).upper) + 1)
        return {k for k in candidates if compare(a, k) == -1 and compare(k, b) == -1}

    ln6, one, other = sympy.log(6), sympy.Rational(str(r)), sympy.Rational(str(rest))
    first = between(1 / (3 * one), ln6 / one)
    return len(first | between(1 / (6 * other), 2 * ln6 / other))


BAD = (
    (Fraction(1, 3), Fraction(1, 5)),
    (Fraction(1, 340), Fraction(1, 50000)),
    (Fraction(1, 313) + Fraction(2, 5200), Fraction(2, 5200)),
    (Fraction(1, 9), Fraction(1, 3027)),
)
"""Pairs (r, r - q); for the last one both intervals hold as many integers as they can."""


def bad_printed(_size: Size) -> Iterator[Instance]:
    """Count the bad integers for a few masses."""
    for r, rest in BAD:
        number = _bad_integers(r, rest)
        yield Instance.of(f"r={r}, r-q={rest}", number <= 3, f"{number} bad integers")


def bad_corrected(_size: Size) -> Iterator[Instance]:
    """Enclose the lengths of both intervals, and count the integers for a few masses."""
    ln6 = sympy.log(6)
    for name, length, most in (
        ("first interval", sympy.log(3 * ln6, 2), 3),
        ("second interval", sympy.log(12 * ln6, 2), 5),
    ):
        yield _decided(f"{name}: length at most {most}", length, Fraction(most))
    for r, rest in BAD:
        number = Fraction(_bad_integers(r, rest))
        yield Instance.at_most(f"r={r}, r-q={rest}: bad integers", number, Fraction(8))


def _stable(masses: Sequence[Fraction], error: Fraction, k: int) -> bool:
    """Decide whether some output with error at most ``error`` has probability 2/3 at t = 2^k."""
    r = sum(masses, Fraction(0))
    for precision in (128, 512, 2048):
        with flint.ctx.workprec(precision):
            none, *alone = (
                flint.arb(flint.fmpq(base.numerator, base.denominator)) ** (1 << k)
                for base in (1 - r, *(1 - r + q for q in masses))
            )
            chances = [(r, none)]
            chances += [(r - q, a - none) for q, a in zip(masses, alone, strict=True)]
            two = 1 - none - sum((a - none for a in alone), flint.arb(0))
            good = [chance for wrong, chance in [*chances, (Fraction(0), two)] if wrong <= error]
            limit = flint.arb(flint.fmpq(2, 3))
            if any(chance >= limit for chance in good):
                return True
            if all(chance < limit for chance in good):
                return False
    raise NotDecidedError(f"probabilities at masses {masses} are too close to 2/3")


def _window(masses: Sequence[Fraction], error: Fraction, width: int) -> list[int]:
    """Return the bad exponents among ``width`` integers from log2(ln(3/2)/error) on."""
    start = ceil(
        enclose(sympy.log(sympy.log(sympy.Rational(3, 2)) / sympy.Rational(error), 2)).upper
    )
    return [k for k in range(start, start + width) if not _stable(masses, error, k)]


COUNTEREXAMPLE = ((Fraction(1, 313), Fraction(1, 5200), Fraction(1, 5200)), Fraction(1, 280))


def random_size_printed(_size: Size) -> Iterator[Instance]:
    """Count the bad exponents among the integers of an interval of length 6/delta = 15."""
    masses, error = COUNTEREXAMPLE
    bad = _window(masses, error, 15)
    share, name = Fraction(len(bad), 15), "p=3 eps=1/280 delta=2/5"
    yield Instance.at_most(f"{name}, bad exponents {bad}", share, Fraction(1, 5), "of 7..21")


def random_size(size: Size) -> Iterator[Instance]:
    """Count the bad exponents in windows of ceil(16/delta) integers, at random masses."""
    rng = np.random.default_rng(4)
    cases: list[tuple[tuple[Fraction, ...], Fraction]] = [COUNTEREXAMPLE]
    for _ in range({Size.SMALL: 40, Size.MEDIUM: 300, Size.LARGE: 3000}[size]):
        number = int(rng.integers(1, 5))
        masses = tuple(Fraction(1, int(10 ** rng.uniform(1, 5))) for _ in range(number))
        cases.append((masses, Fraction(1, int(10 ** rng.uniform(0.5, 4)))))
    for delta in (Fraction(2, 5), Fraction(1, 4)):
        width = ceil(16 / delta)
        yield Instance.tightest(
            f"delta={delta}, {width} exponents",
            (
                ((masses, error), Fraction(len(_window(masses, error, width)), width), delta / 2)
                for masses, error in cases
            ),
        )


CLAIMS = (
    Claim(
        "fx/alg-basic",
        "proof of Lemma 16 (=6.2), algorithm",
        "Basic learner of lines",
        "From t examples: the line through two different positive points, else the point function "
        "of the only positive one, else zero. Its law is (1-r)^t for zero, (1-r+q_i)^t - (1-r)^t "
        "for the i-th point, and the rest for the line. Two positive points with equal x are on no "
        "line; a fixed choice is needed for them.",
        Kind.DEFINITION,
        basic_algorithm,
        uses=("fx/def-line",),
    ),
    Claim(
        "fx/claim-17-formulas",
        "eqs. (2.1)-(2.3) (=6.1-6.3)",
        "Probabilities of the basic learner's outputs",
        "Pr[None] >= 1 - r t, Pr[One] >= 1 - (r-q) t - e^(-rt) already for the heaviest point, "
        "Pr[Two] >= (1 - e^(-rt/2)) (1 - e^(-(r-q)t/2)) for even t.",
        Kind.LEMMA,
        output_bounds,
        uses=("fx/alg-basic",),
    ),
    Claim(
        "fx/good-t",
        "proof of Claim 17 (=6.3)",
        "Sample sizes at which the basic learner is stable",
        "t <= 1/(3r) gives Pr[None] >= 2/3; ln(6)/r <= t <= 1/(6(r-q)) gives Pr[One] >= 2/3 for "
        "the heaviest point; t >= 2 ln(6)/(r-q), t even, gives Pr[Two] >= 25/36.",
        Kind.LEMMA,
        good_sizes,
        uses=("fx/claim-17-formulas",),
    ),
    Claim(
        "fx/bad-lengths",
        "after eq. (2.4) (=6.4), as printed",
        "At most 3 sample sizes are bad",
        "At most 3 integers log2(t) lie in the two intervals of eq. (2.4).",
        Kind.ERRATUM,
        bad_printed,
        recorded=Verdict.FAILS,
    ),
    Claim(
        "fx/bad-lengths-corrected",
        "after eq. (2.4) (=6.4), corrected",
        "At most 8 sample sizes are bad",
        "The intervals have lengths log2(3 ln 6) < 3 and log2(12 ln 6) < 5, so they hold at most "
        "3 + 5 integers.",
        Kind.LEMMA,
        bad_corrected,
        corrects="fx/bad-lengths",
    ),
    Claim(
        "fx/eq-2.5",
        "eq. (2.5) (=6.5) and the bounds around it",
        "Stable outputs have small error",
        "If zero has probability at least 2/3 then r <= ln(3/2)/t; if a point of mass q has, then "
        "r - q <= ln(3/2)/t. So for t >= ln(3/2)/eps the error is at most eps.",
        Kind.LEMMA,
        stable_errors,
        uses=("fx/alg-basic",),
    ),
    Claim(
        "fx/claim-17",
        "Claim 17 (=6.3), as printed",
        "A random sample size makes the basic learner stable",
        "For k uniform among the integers of an interval of length 6/delta from log2(ln(3/2)/eps) "
        "on, with probability 1 - delta/2 some hypothesis of error at most eps is the output at "
        "t = 2^k with probability at least 2/3.",
        Kind.ERRATUM,
        random_size_printed,
        recorded=Verdict.FAILS,
        uses=("fx/bad-lengths",),
    ),
    Claim(
        "fx/claim-17-corrected",
        "Claim 17 (=6.3), corrected",
        "A random sample size from a longer window makes the basic learner stable",
        "The same for k uniform among ceil(16/delta) consecutive integers from "
        "ceil(log2(ln(3/2)/eps)) on: at most 8 of them are bad.",
        Kind.LEMMA,
        random_size,
        uses=("fx/good-t", "fx/bad-lengths-corrected", "fx/eq-2.5"),
        corrects="fx/claim-17",
    ),
)
