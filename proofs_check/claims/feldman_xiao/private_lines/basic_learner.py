"""Section 6.1 (= section 2.1 of the appendix): the basic learner of lines and its stability.

An instance is given by the masses of the points on the hidden line; ``r`` is their sum, ``q`` the
largest of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import product
from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np

from ccsim.exact import Interval, LogSum, enclose
from ccsim.learning.learners.lines import basic_line_hypothesis
from proofs_check.claims.claim import Kind, claim
from proofs_check.claims.decision import Decision, all_of, at_least, at_most, holds
from proofs_check.claims.feldman_xiao.constructions.stable_lines import basic_line_distribution
from proofs_check.claims.grid import grid, table
from proofs_check.claims.variants import near, plus, times

if TYPE_CHECKING:
    import sympy

DistributionOf = Callable[[Sequence[Fraction], int], tuple[Any, ...]]

TWO_THIRDS = Fraction(2, 3)


def masses_of(text: str) -> tuple[Fraction, ...]:
    """Return the masses listed in a text such as ``1/6,1/30``."""
    return tuple(map(Fraction, text.split(",")))


def _without_none(masses: Sequence[Fraction], t: int) -> tuple[Any, ...]:
    none, *points, line = basic_line_distribution(masses, t)
    return none, *(point + none for point in points), line - none * len(points)


@claim(
    "fx/alg-basic",
    "proof of Lemma 16 (=6.2), algorithm",
    "Basic learner of lines",
    Kind.DEFINITION,
    over=table("p a b t", (2, 1, 1, 1), (2, 1, 1, 3), (2, 0, 1, 4), (3, 2, 1, 2)).medium(
        (3, 2, 1, 3), (2, 1, 1, 6)
    ),
    near=[
        near(
            "The learner outputs zero if there is one positive point.",
            learner=lambda p, positives: basic_line_hypothesis(p, positives[1:] and positives),
        ),
        near(
            "The learner outputs the first positive point.",
            learner=lambda p, positives: basic_line_hypothesis(p, positives[:1]),
        ),
        near("The i-th point has probability (1-r+q_i)^t.", distribution=_without_none),
    ],
    uses=["fx/def-line"],
)
def basic_algorithm(
    p: int,
    a: int,
    b: int,
    t: int,
    *,
    learner: Callable[[int, Sequence[int]], int] = basic_line_hypothesis,
    distribution: DistributionOf = basic_line_distribution,
) -> Decision:
    """From t examples of a line, the basic learner outputs the line through two different positive
    points. If there is only one positive point, it outputs the function that is 1 only on this
    point, and if there is none, zero. Let r be the mass of the line and q_i that of its i-th point.
    The output is zero with probability (1-r)^t, the i-th point of the line with probability
    (1-r+q_i)^t - (1-r)^t, and the line with the remaining probability. Checked by counting all
    samples, under unequal masses on all points of the plane.
    """
    on = [p * x + (a * x + b) % p for x in range(p)]
    shares = [2 + x if x in on else 1 for x in range(p * p)]
    found: dict[int, Fraction] = {}
    for points in product(range(p * p), repeat=t):
        h = learner(p, sorted(set(points) & set(on)))
        chance = Fraction(prod(shares[x] for x in points), sum(shares) ** t)
        found[h] = found.get(h, Fraction(0)) + chance
    numbers = [0, *(1 + x for x in on), 1 + p * p + p * a + b]
    chances = distribution([Fraction(shares[x], sum(shares)) for x in on], t)
    stated = {h: chance for h, chance in zip(numbers, chances, strict=True) if chance}
    return holds(found == stated, f"{p ** (2 * t)} samples have the stated law")


def _random_masses(number: int) -> list[str]:
    rng = np.random.default_rng(3)
    found = []
    for _ in range(number):
        shares = rng.integers(1, 20, size=int(rng.integers(1, 5)))
        scale = int(shares.sum() * rng.integers(2, 50))
        found.append(",".join(str(Fraction(int(share), scale)) for share in shares))
    return found


FEW = ["1/1000", "1/1000,1/1000", "1/6,1/6,1/6", "1/3,1/6", "1/30,1/2000", "1/40"]


@claim(
    "fx/claim-17-formulas",
    "eqs. (2.1)-(2.3) (=6.1-6.3)",
    "Probabilities of the basic learner's outputs",
    Kind.LEMMA,
    over=grid(masses=[*FEW, *_random_masses(6)], t=[2, 8, 32]).medium(masses=_random_masses(60)),
    near=[
        near("Pr[None] >= 1 - 0.99 r t.", none=times(Fraction(99, 100))),
        near("The exponent of Pr[One] is -1.01 r t.", seen=times(Fraction(101, 100))),
        near("The term of Pr[One] is 0.99 (r-q) t.", rival=times(Fraction(99, 100))),
        near(
            "The exponents of Pr[Two] have 0.505 in place of 1/2.", half=times(Fraction(101, 100))
        ),
    ],
    uses=["fx/alg-basic"],
)
def output_bounds(
    masses: str,
    t: int,
    *,
    none: Fraction = Fraction(1),
    seen: Fraction = Fraction(1),
    rival: Fraction = Fraction(1),
    half: Fraction = Fraction(1, 2),
) -> Decision:
    """Let r be the mass of the line and q that of its heaviest point. Let None, One and Two be the
    events that the basic learner outputs zero, the heaviest point and the line. Then Pr[None] >= 1
    - r t; Pr[One] >= 1 - (r-q) t - e^(-rt); and Pr[Two] >= (1 - e^(-rt/2)) (1 - e^(-(r-q)t/2)) for
    even t.
    """
    given = masses_of(masses)
    r, q = sum(given, Fraction(0)), max(given)
    zero, *points, line = basic_line_distribution(given, t)
    one = 1 - rival * (r - q) * t - _exp(-seen * r * t)
    two = (1 - _exp(-half * r * t)) * (1 - _exp(-half * (r - q) * t))
    cases = [("none", zero, 1 - none * r * t), ("one", max(points), one), ("two", line, two)]
    return all_of(
        (event, at_least(chance, bound if event == "none" else enclose(bound), trivial=0))
        for event, chance, bound in cases
        if event != "two" or len(given) > 1
    )


def _exp(exponent: Fraction) -> sympy.Expr:
    import sympy

    return sympy.exp(sympy.Rational(exponent.numerator, exponent.denominator))


def _two_masses(r_times: str, rest_times: str) -> tuple[Fraction, ...]:
    """Return the masses of at most two points for which ``512 r`` and ``512 (r-q)`` are given."""
    r, rest = Fraction(r_times) / 512, Fraction(rest_times) / 512
    return (r - rest, rest) if rest else (r,)


SIZED: list[tuple[tuple[Fraction, ...], int]] = [
    ((Fraction(1, 3),), 1),
    *((_two_masses(r, "0"), 512) for r in ("1/3", "2/5", "81/200", "41/100")),
    *((_two_masses(r, "1/6"), 512) for r in ("171/100", "9/5", "20")),
    *((_two_masses("9/5", rest), 512) for rest in ("37/200", "2/5")),
    *((_two_masses("40", rest), 512) for rest in ("81/200", "41/100", "18/5")),
    *(((Fraction(of, 6000 * 128),) * 60, 128) for of in (238, 365)),
]
"""Masses of points on the line, and a sample size, near the ends of what is good."""


_distribution = cache(basic_line_distribution)


@claim(
    "fx/good-t",
    "proof of Claim 17 (=6.3)",
    "Sample sizes at which the basic learner is stable",
    Kind.LEMMA,
    over=grid(event=["None", "One", "Two"]),
    near=[
        near("The bound on None holds for t <= 1/(2.4 r).", least=times(Fraction(5, 4))),
        near("The bound on One holds from t = 0.95 ln(6)/r on.", seen=times(Fraction(19, 20))),
        near("The bound on One holds for t <= 1/(5.4 (r-q)).", rare=times(Fraction(10, 9))),
        near("The bound on Two holds from t = 1.3 ln(6)/(r-q) on.", found=times(Fraction(13, 20))),
        near("None has probability at least 0.667.", chance=plus(Fraction(1, 3000))),
        near("Two has probability at least 0.88.", two=times(Fraction(127, 100))),
    ],
    uses=["fx/claim-17-formulas"],
)
def good_sizes(
    event: str,
    *,
    least: Fraction = Fraction(1, 3),
    seen: Fraction = Fraction(1),
    rare: Fraction = Fraction(1, 6),
    found: Fraction = Fraction(2),
    chance: Fraction = TWO_THIRDS,
    two: Fraction = Fraction(25, 36),
) -> Decision:
    """The notation is that of fx/claim-17-formulas. If t <= 1/(3r), then Pr[None] >= 2/3. If
    ln(6)/r <= t <= 1/(6(r-q)), then Pr[One] >= 2/3. If t is even and t >= 2 ln(6)/(r-q), then
    Pr[Two] >= 25/36.
    """

    def cases() -> Iterator[tuple[object, Decision]]:
        for masses, t in SIZED:
            r, q = sum(masses, Fraction(0)), max(masses)
            none, *points, line = _distribution(masses, t)
            good = {
                "None": r * t <= least,
                "One": _ln(6).upper * seen <= r * t and (r - q) * t <= rare,
                "Two": _ln(6).upper * found <= (r - q) * t,
            }
            stated = {"None": (none, chance), "One": (max(points), chance), "Two": (line, two)}
            if good[event]:
                yield f"r t={float(r * t):.4g} t={t}", at_least(*stated[event])

    return all_of(cases())


def _ln(number: Fraction | int) -> Interval:
    return LogSum.log2(number).enclose_nats()


@claim(
    "fx/eq-2.5",
    "eq. (2.5) (=6.5) and the bounds around it",
    "Stable outputs have small error",
    Kind.LEMMA,
    over=grid(output=["zero", "a point"]),
    near=[
        near("The bound is ln(1.498)/t.", base=plus(Fraction(-1, 500))),
        near("A probability of 0.66 is enough.", chance=plus(Fraction(-1, 150))),
    ],
    uses=["fx/alg-basic"],
)
def stable_errors(
    output: str, *, base: Fraction = Fraction(3, 2), chance: Fraction = TWO_THIRDS
) -> Decision:
    """If the basic learner outputs zero with probability at least 2/3, then the error r of zero is
    at most ln(3/2)/t. If it outputs the point of mass q with probability at least 2/3, then its
    error r - q is at most ln(3/2)/t. So for t >= ln(3/2)/eps the error is at most eps."""

    def cases() -> Iterator[tuple[object, Decision]]:
        for masses, t in SIZED:
            none, *points, _ = _distribution(masses, t)
            r, point = sum(masses, Fraction(0)), points.index(max(points))
            zero = output == "zero"
            if (none if zero else points[point]) >= chance:
                error = r if zero else r - masses[point]
                yield f"t={t}", at_most(error * t, _ln(base))

    return all_of(cases())
