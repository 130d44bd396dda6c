"""Exact strategies that give alike rows, or alike columns, of a game the same probability.

Where symmetries map rows to one another, and columns likewise, neither player loses by that, and
the exact game has a row or a column for each orbit.

Main definitions: `even_law`, `even_mixture`.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import accumulate
from math import lcm

import numpy as np

from ccsim.budget import Budget
from ccsim.programs.game_program import solve_integer_game
from ccsim.representation.failing_sets.tight_laws import tight_law

__all__ = ["even_law", "even_mixture"]

Matrix = Sequence[Sequence[int]]


def even_mixture(
    payoff: Matrix, sizes: Sequence[int], budget: Budget
) -> tuple[Fraction, list[Fraction]]:
    """Return what even mixtures of columns pay at most, the least of it, and the best of them.

    Parameters
    ----------
    payoff : matrix of int
    sizes : sequence of int
        How many columns each group has, one group after the other.
    budget : Budget

    Returns
    -------
    tuple
        The value, and the probability of each column.

    Raises
    ------
    OutOfTimeError

    Examples
    --------
    >>> value, mixture = even_mixture([[3, 0, 1], [0, 3, 1]], [2, 1], Budget())
    >>> str(value), [str(p) for p in mixture]
    ('1', ['0', '0', '1'])
    """
    unit = lcm(*sizes)
    starts = [0, *accumulate(sizes[:-1])]
    means = np.add.reduceat(np.array(payoff), starts, axis=1) * (unit // np.array(sizes))
    value, _, shares, _ = solve_integer_game(np.unique(means, axis=0).tolist(), budget)
    even = [share / size for share, size in zip(shares, sizes, strict=True) for _ in range(size)]
    return value / unit, even


def even_law(
    payoff: Matrix, near: Sequence[float], groups: Sequence[Sequence[int]]
) -> tuple[Fraction, list[Fraction]] | None:
    """Return what columns pay at least under the exact even law near to a given one, and that law.

    None if there is no such law, or if it is too far from the given one to be found.

    Parameters
    ----------
    payoff : matrix of int
    near : sequence of float
        Weights of the rows.
    groups : sequence of sequences of int
        The rows, by numbers, that are to have the same weight.

    Examples
    --------
    >>> value, law = even_law([[0, 4], [4, 0], [1, 1]], [0.5, 0.5, 0.0], [[0, 1], [2]])
    >>> str(value), [str(p) for p in law]
    ('2', ['1/2', '1/2', '0'])
    """
    unit, whole = lcm(*map(len, groups)), np.array(payoff)
    means = [(whole[list(each)].sum(0) * (unit // len(each))).tolist() for each in groups]
    found = tight_law(means, [sum(near[i] for i in each) for each in groups])
    if found is None:
        return None
    law = [Fraction(0)] * len(near)
    for each, share in zip(groups, found[1], strict=True):
        for i in each:
            law[i] = share / len(each)
    return found[0] / unit, law
