"""A law known in floats, as the exact one under which the same columns pay equally much.

At a corner of the optimal laws of a game the columns that are tight determine it, while an exact
linear program over some of the columns may end at another corner, which the others refute.

Main definition: `tight_law`.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import cast

import flint
import numpy as np

from ccsim.programs.basis import independent

__all__ = ["tight_law"]

_GRAIN = 10**6
_CLOSE = 1e-9
"""What pays so little more, as part of the largest payoff, is tight."""


def tight_law(
    matrix: Sequence[Sequence[int]], near: Sequence[float]
) -> tuple[Fraction, tuple[Fraction, ...]] | None:
    """Return what the columns pay that pay least under a law near to a given one, and that law.

    None if there is no such law, or if it is too far from the given one to be found.

    Parameters
    ----------
    matrix : sequence of sequences of int
        Payoffs, the rows with positive weight by the columns.
    near : sequence of float
        Weights of the rows.

    Notes
    -----
    Complexity: a rational linear system of as many equations as there are rows.

    Examples
    --------
    >>> value, law = tight_law([[1, 0, 0], [0, 1, 0], [0, 0, 1]], [1 / 3] * 3)
    >>> str(value), [str(share) for share in law]
    ('1/3', ['1/3', '1/3', '1/3'])
    >>> tight_law([[1], [0]], [0.75, 0.25])[0]
    Fraction(3, 4)
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
