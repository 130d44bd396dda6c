"""Strategies that are nearly best in the game of random sets over few points, in floats.

Over few points all ways to fail are listed, so that the game between sets of hypotheses and
neighbourhoods can be played with both sides at once. What is found only suggests where the exact
game begins.

Main definition: `near_optimum`.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from threadpoolctl import threadpool_limits

from ccsim.budget import Budget
from ccsim.classes import ConceptClass
from ccsim.representation.failing_sets.float_game import FloatGame, NearOptimum
from ccsim.symmetry.matrix import Symmetry

__all__ = ["near_optimum"]

_PLAYED = 0.65
"""Of the time, for what needs no proof; the rest is for proofs."""
_PART = 0.6
"""Of what is left then, for a bound or for rows told apart."""


def near_optimum(
    concept_class: ConceptClass,
    error: Fraction,
    pool: Sequence[int],
    size: int,
    symmetries: Sequence[Symmetry],
    budget: Budget,
    target: Fraction | None = None,
) -> NearOptimum:
    """Return neighbourhoods and sets of hypotheses that nearly best strategies mix.

    Parameters
    ----------
    concept_class : ConceptClass
        Over at most `heavy_families.MAX_POINTS` points.
    error : Fraction
    pool : sequence of int
        The hypotheses admitted, as bit masks.
    size : int
        Most hypotheses of a set.
    symmetries : sequence of Symmetry
        Generators of symmetries of the class and the pool, or some of them.
    budget : Budget
        When about two thirds of it are spent, the strategies that are there are returned.
    target : Fraction, optional
        If the value is less, sets that show so are enough.

    Notes
    -----
    Complexity: a linear program of some hundred rows and columns a round, some dozen rounds; a
    moment for 5 points, seconds for 6 points and sets of 4, half a minute or more for sets of 6.

    Examples
    --------
    >>> from ccsim.classes import points
    >>> found = near_optimum(points(1), Fraction(1, 4), range(4), 1, [], Budget())
    >>> sorted(found.sets.items()), len(found.rows), found.lower
    ([((1,), 0.5), ((2,), 0.5)], 2, 0.5)
    """
    game = FloatGame(concept_class, error, pool, size, symmetries)
    with threadpool_limits(1, "blas"):  # its matrices are small: threads would wait for each other
        with budget.share(_PLAYED) as share:
            while game.extend(share, target):
                continue
        if expired := share.expired:
            with budget.share(_PART) as share:
                game.bound(share)
        game.settle()
        if symmetries:
            game.tell_apart(symmetries)
            with budget.share(_PART) as share:
                while game.extend(share, target):
                    continue
            expired = share.expired
    return game.outcome(ended=not expired)
