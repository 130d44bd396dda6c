"""Exact strategies near to what floats suggest, the same for all that symmetries make alike.

At a corner of the optimal laws of a game the columns that are tight determine it, while an exact
linear program over some of the columns may end at another corner, which the others refute. Where
symmetries map rows to one another, and columns likewise, neither player loses by giving them the
same probability, and the exact game has a row or a column for each orbit.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import accumulate
from math import lcm
from typing import TypeVar, cast

import flint
import numpy as np

from ccsim.budget import Budget
from ccsim.programs.game import solve_integer_game
from ccsim.programs.integer_program import independent

Matrix = Sequence[Sequence[int]]

Option = TypeVar("Option")

_GRAIN = 10**6
_UNIT = 1 << 30
"""Of rounded laws: less than any difference that counts, and no long number."""
_CLOSE = 1e-9
"""What pays so little more, as part of the largest payoff, is tight."""


def even_mixture(
    payoff: Matrix, sizes: Sequence[int], budget: Budget
) -> tuple[Fraction, list[Fraction]]:
    """Return what even mixtures of columns pay at most, the least of it, and the best of them."""
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


def rounded(shares: Mapping[Option, float]) -> dict[Option, Fraction]:
    """Return a law near to given shares, without those that are next to nothing."""
    weights = {option: round(share * _UNIT) for option, share in shares.items()}
    total = sum(weights.values())
    return {option: Fraction(weight, total) for option, weight in weights.items() if weight}


def tight_law(
    matrix: Matrix, near: Sequence[float]
) -> tuple[Fraction, tuple[Fraction, ...]] | None:
    """Return what the columns pay that pay least under a law near to a given one, and that law.

    None if there is no such law, or if it is too far from the given one to be found.

    Complexity: a rational linear system of as many equations as there are rows.
    """
    number = len(matrix)
    payoff = np.array(matrix, float)
    paid = np.array(near) @ payoff
    tight = np.flatnonzero(paid < paid.min() + _CLOSE * payoff.max()).tolist()
    columns = dict.fromkeys(tuple(row[j] for row in matrix) for j in tight)
    # unknown are the value and the weights; the columns pay it, and the weights add up to 1
    equations = [[-1, *column] for column in columns]
    equations.append([0] + [1] * number)
    system = flint.fmpz_mat(equations)
    basic, rows = independent(system), independent(system.transpose())
    free = {j + 1: round(near[j] * _GRAIN) for j in {*range(number)} - {j - 1 for j in basic}}
    target = [
        (_GRAIN if i == len(equations) - 1 else 0)
        - sum(weight * equations[i][j] for j, weight in free.items())
        for i in rows
    ]
    kernel = flint.fmpz_mat([[equations[i][j] for j in basic] for i in rows])
    found = cast("flint.fmpq_mat", kernel.solve(flint.fmpz_mat(len(rows), 1, target)))
    numerators, scale = found.numer_denom()
    solution = [free.get(j, 0) * int(scale) for j in range(number + 1)]
    for j, entry in zip(basic, numerators.entries(), strict=True):
        solution[j] = int(entry)
    unit = _GRAIN * int(scale)
    *rest, total = map(int, (system * flint.fmpz_mat(number + 1, 1, solution)).entries())
    if min(solution) < 0 or any(rest) or total != unit:
        return None
    value, *law = (Fraction(entry, unit) for entry in solution)
    return value, tuple(law)
