"""Section 3.1: representations of single points, by themselves and by the fewest hypotheses."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import comb

from ccsim import HypothesisSet, deterministic_representation_size, representation_error
from ccsim.representation import minimality, single_points
from ccsim.representation.size import DeterministicSizeResult
from proofs_check.claims.claim import Kind, claim
from proofs_check.claims.decision import Decision, all_of, at_least, equal, holds
from proofs_check.claims.evidence import recheck
from proofs_check.claims.grid import grid, table
from proofs_check.claims.near_miss import near, plus, times


def _points(number: int) -> tuple[int, ...]:
    return single_points(number).rows


@claim(
    "bbkn/prop-3.7",
    "Proposition 3.7",
    "Points are minimal for themselves",
    Kind.LEMMA,
    over=grid(points=[2, 3, 5], below=["1/100", "1/2", "3/4", "1"]).medium(points=[4, 8]),
    near=[
        near("The same for an error of 1.", limit=plus(Fraction(1, 100))),
        near("The same with the constant 0.", sets=lambda n: (0, *_points(n))),
        near("The same without the last point.", sets=lambda n: _points(n)[:-1]),
    ],
)
def minimal_for_themselves(
    points: int,
    below: str,
    *,
    limit: Fraction = Fraction(1),
    sets: Callable[[int], tuple[int, ...]] = _points,
) -> Decision:
    """The class of at least two single points represents itself with any error below 1, and no
    proper part of it does."""
    H, error = HypothesisSet.from_rows(sets(points), points), limit - Fraction(below)
    result = recheck(minimality(H, single_points(points), error))
    return holds(result.minimal, f"error {error}: it errs {result.whole.value}")


@cache
def _least_size(points: int, error: Fraction) -> DeterministicSizeResult:
    return deterministic_representation_size(single_points(points), error)


@claim(
    "bbkn/lemma-3.10",
    "Lemma 3.10, sharpened by Sperner's theorem",
    "Representations of points have at least b hypotheses",
    Kind.LEMMA,
    over=table(
        "points below", (2, "1/100"), (3, "1/4"), (4, "1/100"), (6, "1/100"), (7, "1/6")
    ).medium((5, "1/100"), (8, "1/100")),
    near=[
        near("binom(n, floor(n/2)) is above the number of points.", antichain=plus(-1)),
        near("The same for an error of 1/2.", limit=plus(Fraction(1, 100))),
    ],
)
def at_least_logarithmic(
    points: int,
    below: str,
    *,
    limit: Fraction = Fraction(1, 2),
    antichain: Callable[[int], int] = lambda n: comb(n, n // 2),
) -> Decision:
    """If n hypotheses represent the single points of a domain with an error below 1/2, then
    binom(n, floor(n/2)) is at least the number of points, since the sets of hypotheses that accept
    a point form an antichain. For 2^b points this is more than the paper's n >= b."""
    result = recheck(_least_size(points, limit - Fraction(below)))
    return at_least(antichain(result.size), points, f"{result.size} hypotheses are the fewest")


@claim(
    "bbkn/lemma-3.10-tight",
    "Lemma 3.10, converse",
    "As many points as Sperner's theorem allows",
    Kind.EXAMPLE,
    over=grid(k=[1, 2, 3]),
    near=[
        near("The same with 1/100 less error.", error=times(Fraction(99, 100))),
        near("The same with the subsets of k + 1 hypotheses.", size=plus(1)),
    ],
    uses=["bbkn/lemma-3.10"],
)
def as_many_as_allowed(
    k: int,
    *,
    error: Callable[[int], Fraction] = lambda k: Fraction(k * k - 1, 2 * k * k - 1),
    size: Callable[[int], int] = int,
) -> Decision:
    """For odd n = 2k + 1 the bound of Lemma 3.10 is attained: n hypotheses represent binom(n, k)
    points with error (k^2 - 1)/(2k^2 - 1) < 1/2, each point being accepted by k of them."""
    n = 2 * k + 1
    columns = list(combinations(range(n), size(k)))
    sets = tuple(sum((i in c) << x for x, c in enumerate(columns)) for i in range(n))
    H = HypothesisSet.from_rows(sets, len(columns))
    represented = recheck(representation_error(H, single_points(len(columns))))
    return all_of(
        [
            ("points", equal(len(columns), comb(n, n // 2))),
            ("error", equal(represented.value, error(k))),
        ]
    )
