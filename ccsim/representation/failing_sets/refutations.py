"""Mixtures that show that sets of few points cannot all be heavy, each found once up to symmetry.

If convex weights of some sets of points put at most the bound on every point, then under any law
one of these sets weighs at most the bound. The same mixture serves for all permutations of the
points and wherever smaller sets stand in the place of its own, so that a search meets few new ones.

Main definition: `Refutations`.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import permutations

import numpy as np

from ccsim.exact import common_denominator
from ccsim.representation.error import ConceptError, concept_error
from ccsim.representation.hitting_sets.left import image_of
from ccsim.representation.hypotheses import HypothesisSet

__all__ = ["Refutations", "refutations"]


class Refutations:
    """What has been found for a number of points and a bound.

    Parameters
    ----------
    num_points : int
        At most 6.
    error : Fraction
        Sets that weigh more are heavy.

    Examples
    --------
    >>> Refutations(3, Fraction(1, 2)).mixture((0b001, 0b110))
    (Fraction(1, 2), Fraction(1, 2))
    >>> found = Refutations(3, Fraction(1, 4))
    >>> found.mixture((0b011, 0b110)), found.law((0b011, 0b110))
    (None, (0, 1, 0))
    """

    def __init__(self, num_points: int, error: Fraction) -> None:
        self._points, self._error = num_points, error
        every = range(1 << num_points)
        self._above = [sum(1 << E for E in every if not S & ~E) for S in every]
        moves = list(permutations(range(num_points)))
        self._images = np.array([[image_of(E, move) for move in moves] for E in every])
        self._known = np.zeros(0, np.uint64)  # families of sets, as masks of their masks
        self._shares: dict[int, dict[int, Fraction]] = {}

    def mixture(self, heavy: Sequence[int]) -> tuple[Fraction, ...] | None:
        """Return convex weights of sets that refute that all are heavy; None if they can be."""
        above = 0
        for E in heavy:
            above |= self._above[E]
        beyond = np.uint64(~above & (1 << 64) - 1)
        found = np.flatnonzero(self._known & beyond == 0)
        if not len(found):
            return self.mixture(heavy) if self._solve(heavy) else None
        weights = dict.fromkeys(heavy, Fraction(0))
        for E, share in self._shares[int(self._known[found[0]])].items():
            weights[next(S for S in heavy if not S & ~E)] += share
        return tuple(weights.values())

    def law(self, heavy: Sequence[int]) -> tuple[int, ...]:
        """Return integer weights of the points that make the lightest of some sets heaviest."""
        distribution = self._game(heavy).distribution
        unit = common_denominator(distribution)
        return tuple(int(p * unit) for p in distribution)

    def _game(self, heavy: Sequence[int]) -> ConceptError:
        return concept_error(HypothesisSet.from_rows(heavy, self._points), 0)

    def _solve(self, heavy: Sequence[int]) -> bool:
        """Whether not all are heavy; if so, note why, for all permutations of the points."""
        least = [E for E in sorted(heavy) if not any(S != E and not S & ~E for S in heavy)]
        outcome = self._game(least)
        if outcome.value > self._error:
            return False
        used = {E: p for E, p in zip(least, outcome.weights, strict=True) if p}
        for images in self._images[list(used)].T.tolist():
            moved = dict(zip(images, used.values(), strict=True))
            self._shares.setdefault(sum(1 << E for E in images), moved)
        self._known = np.fromiter(self._shares, np.uint64, len(self._shares))
        return True


@cache
def refutations(num_points: int, error: Fraction) -> Refutations:
    """Return what has been found in this process for a number of points and a bound.

    Examples
    --------
    >>> refutations(2, Fraction(1, 2)) is refutations(2, Fraction(1, 2))
    True
    """
    return Refutations(num_points, error)
