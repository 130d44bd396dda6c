"""Section 4.1: few random sets represent points, which are learned improperly from few examples."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import ceil

import numpy as np
import numpy.typing as npt

from ccsim import (
    HypothesisSet,
    ProbabilisticRepresentation,
)
from ccsim.exact import Epsilon
from ccsim.exact.exponentials import exponential
from ccsim.exact.probability import generator
from ccsim.learning import RepresentationLearner, Target, two_point_failure
from ccsim.learning.packing import proper_point_lower_bound
from ccsim.learning.sample_size import occam_sample_size
from proofs_check.claims.beimel_brenner.constructions.random_sets import RandomSetSystem
from proofs_check.claims.claim import Kind, claim
from proofs_check.claims.decision import Decision, all_of, at_least, at_most, below
from proofs_check.claims.evidence import rounded_up
from proofs_check.claims.grid import table
from proofs_check.claims.variants import near, times

HALF = Fraction(1, 2)
FACTOR = Fraction(8)
"""Number of random sets, in units of e p^2 / b."""
WORTHWHILE = 12
"""Bits from which on there can be fewer sets than points."""


@dataclass(frozen=True, slots=True)
class _Drawn:
    """A drawn system of sets: the number of good points and the largest `_crowd`.

    ``at_two`` lists, for each set, which of two good points it contains.
    """

    good: int
    crowd: int
    at_two: tuple[int, ...]


@cache
def _drawn(distribution: RandomSetSystem) -> _Drawn:
    matrix = distribution.draw(generator(0))
    good = distribution.good(matrix, 1 << distribution.b)
    some = list(good)[:: max(1, min(50, len(good) // 2))]
    crowd = max((_crowd(matrix, j, good[j]) for j in some), default=0)
    if len(good) < 1 << distribution.b:
        return _Drawn(len(good), crowd, ())
    at_two = (int(i) << 2 | int(x) | int(y) << 1 for i, (x, y) in enumerate(matrix[:, some[:2]]))
    return _Drawn(len(good), crowd, tuple(at_two))


def _crowd(matrix: npt.NDArray[np.bool_], point: int, chosen: Sequence[int]) -> int:
    """Return the maximum number of chosen sets of a point that contain a common further point."""
    if not matrix[list(chosen), point].all():
        return len(chosen)
    return int(np.delete(matrix[list(chosen)].sum(axis=0), point).max())


def _system(
    b: int, accuracy: Fraction, constant: Fraction = FACTOR, containing: Fraction = Fraction(1)
) -> RandomSetSystem:
    p = b * (1 + ceil(1 / accuracy))
    sets = ceil((constant * exponential(1) * p * p / b).enclose().upper)
    return RandomSetSystem(b, sets, ceil(Fraction(4 * p << b, sets)), ceil(containing * p))


@claim(
    "bbkn/lemma-4.1",
    "Lemma 4.1, with explicit constants",
    "Few random sets represent points",
    Kind.LEMMA,
    over=table("b accuracy", (12, "1/2"), (5, "1/4")).medium(
        (13, "9/20"), (13, "1/4"), (14, "1/2")
    ),
    near=[
        near("5/13 of the sets are enough.", constant=times(Fraction(5, 13))),
        near(
            "Every other selected point is in fewer than 8b/11 of the p sets.",
            crowd=times(Fraction(8, 11)),
        ),
        near("Each point is in 13p/7 sets.", containing=times(Fraction(13, 7))),
        near("The failure probability is at most 1/200.", failure=times(Fraction(1, 100))),
    ],
)
def random_sets(
    b: int,
    accuracy: str,
    *,
    constant: Fraction = FACTOR,
    crowd: Callable[[int], Fraction] = Fraction,
    containing: Fraction = Fraction(1),
    failure: Fraction = HALF,
) -> Decision:
    """Let T = 2^b, p = b (1 + ceil(1/alpha)) and k = ceil(8 e p^2 / b); for alpha = 1/2, k < T from
    b = 12 on. Draw k random sets of ceil(4pT/k) out of 2T points. With probability at least 1/2,
    one can select T of the points and, for each of them, p of the sets that contain it, such that
    every other selected point is in fewer than b of these p sets. The sets restricted to T such
    points represent them with an error below b/p < alpha. Checked by the exact distribution and by
    drawing the sets.
    """
    distribution = _system(b, Fraction(accuracy), constant, containing)
    found = _drawn(distribution)
    return all_of(
        [
            *([("sets", below(distribution.sets, 1 << b))] if b >= WORTHWHILE else []),
            ("points", at_least(found.good, 1 << b)),
            ("condition (3)", below(found.crowd, crowd(b), f"of {distribution.witnesses} sets")),
            ("error", below(Fraction(found.crowd, distribution.witnesses), Fraction(accuracy))),
            ("distribution", at_most(distribution.failure, failure)),
        ]
    )


@claim(
    "bbkn/thm-4.2",
    "Theorem 4.2, with explicit constants",
    "Improper private learning with O(log d) samples",
    Kind.THEOREM,
    over=table("b accuracy epsilon", (13, "9/10", "1/50"), (13, "9/10", "1")),
    near=near("One fifteenth of the examples is enough.", examples=times(Fraction(1, 15))),
    uses=["bbkn/thm-3.2", "bbkn/lemma-4.1"],
)
def logarithmic(
    b: int, accuracy: str, epsilon: str, *, examples: Callable[..., int] = occam_sample_size
) -> Decision:
    """POINT_b is learned improperly, with failure probability beta, by the exponential mechanism
    over the |H| = ceil(8 e b (1 + ceil(2/alpha))^2) < 2^b sets of Lemma 4.1 for error alpha/2, from
    max(72/alpha, 12/(eps alpha)) ln(3|H|/beta) examples. Checked for beta = 1/4 on two points, one
    of mass alpha + 1/100."""
    alpha, beta, eps = Fraction(accuracy), Fraction(1, 4), Epsilon.of(epsilon)
    distribution = _system(b, alpha / 2)
    found = _drawn(distribution)
    H = HypothesisSet.from_rows(found.at_two, 2 + distribution.sets.bit_length())
    R = ProbabilisticRepresentation.mixture([(1, H)])
    mass = alpha + Fraction(1, 100)
    target = Target((0, 1), (mass, 1 - mass), (1, 0))
    m = ceil(examples(distribution.sets, eps, alpha, beta))
    failure = two_point_failure(RepresentationLearner(alpha, beta, eps, R), target, m)
    return all_of(
        [
            ("sets", below(distribution.sets, 1 << b)),
            ("error", at_most(Fraction(found.crowd, distribution.witnesses), alpha / 2)),
            ("failure", at_most(rounded_up(failure.upper), beta, f"{m} examples")),
        ]
    )


@claim(
    "bbkn/thm-4.2-separation",
    "section 4, after Lemma 3.10",
    "Improper private learners need fewer examples than proper ones",
    Kind.THEOREM,
    over=table("b", (4096,), (16384,)).medium((1 << 16,)),
    near=near("The statement for 6/5 of the examples.", examples=times(Fraction(6, 5))),
    uses=["bbkn/thm-4.2", "bbkn/lemma-3.9"],
)
def improper_needs_less(b: int, *, examples: Callable[..., int] = occam_sample_size) -> Decision:
    """For large b the learner of Theorem 4.2 takes fewer examples than every proper private learner
    of POINT_b, which needs a number of order b by Lemma 3.9. For eps = 1 and alpha = beta = 1/10
    this holds from b = 4096 on.
    """
    tenth, one = Fraction(1, 10), Epsilon.of(1)
    sets = ceil((FACTOR * exponential(1) * b * (1 + 2 / tenth) ** 2).enclose().upper)
    improper = examples(sets, one, tenth, tenth)
    return below(improper, proper_point_lower_bound(1 << b, one, tenth, tenth))
