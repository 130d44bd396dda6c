"""Inequalities between products of determinants, and products of inequalities that are 1 > 1.

In a three-term relation exactly one term has its sign; its absolute value exceeds those of the two
others. Floats suggest which inequalities to multiply; the weights are then computed in integers.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import gcd

import flint
import numpy as np
import numpy.typing as npt

from ccsim.communication.chirotopes.nodes import Product
from ccsim.programs.highs import QuietHighs

Ints = npt.NDArray[np.int64]


class Inequalities:
    """The three-term relations of lines, and the products that their signs exclude."""

    def __init__(self, r: int, lines: int) -> None:
        number = {basis: v for v, basis in enumerate(combinations(range(lines), r))}
        self.count = len(number)
        self.relations: list[tuple[int, ...]] = []
        determinants, parities = list[list[list[int]]](), list[list[int]]()
        for rest in combinations(range(lines), r - 2):
            for b, c, d, e in combinations([x for x in range(lines) if x not in rest], 4):
                self.relations.append((*rest, b, c, d, e))
                pairs = ((b, c), (d, e)), ((b, d), (e, c)), ((b, e), (c, d))
                orders = [[(*rest, *two) for two in pair] for pair in pairs]
                determinants.append([[number[tuple(sorted(o))] for o in both] for both in orders])
                parities.append([sum(map(_parity, both)) % 2 for both in orders])
        self.determinants: Ints = np.array(determinants, np.int64).reshape(-1, 3, 2)
        self.parities: Ints = np.array(parities, np.int64).reshape(-1, 3)
        draw = np.random.default_rng(0)  # without ties the solver's answer is unique
        self.costs = draw.integers(1000, 2000, len(self.relations) * 2)

    def excluded(self, signs: Sequence[int]) -> tuple[Product, list[int]] | None:
        """Return a contradictory product of inequalities, and the determinants whose signs it uses.

        The search tries to use few determinants. The result is None if no product is found. A sign
        is 0 or 1 for a positive or negative determinant, or -1 if it is unknown.
        """
        known = np.array(signs)
        found = self._solved(known)
        if found is None:
            return None
        for v in found[1]:
            if v in found[1]:
                fewer = np.full_like(known, -1)
                rest = [w for w in found[1] if w != v]
                fewer[rest] = known[rest]
                found = self._solved(fewer) or found
        return found

    def _solved(self, known: Ints) -> tuple[Product, list[int]] | None:
        """Return a product of inequalities of determinants with known signs, if there is one."""
        at = np.flatnonzero((known[self.determinants] >= 0).all((1, 2)))
        if not len(at):
            return None
        terms = known[self.determinants[at]].sum(2) + self.parities[at] & 1
        largest = np.where(
            terms[:, 0] == terms[:, 1], 2, np.where(terms[:, 0] == terms[:, 2], 1, 0)
        )
        # columns of inequalities: for each relation the largest term with each of the others
        place = np.arange(len(at))
        pairs = [(largest + i) % 3 for i in (1, 2)]
        columns = np.zeros((self.count, 2 * len(at)), dtype=np.int64)
        for i, lesser in enumerate(pairs):
            for j in (0, 1):
                columns[self.determinants[at, largest, j], 2 * place + i] += 1
                columns[self.determinants[at, lesser, j], 2 * place + i] -= 1
        costs = self.costs.reshape(-1, 2)[at].ravel()
        support = _suggested(columns, costs)
        weights = _weights(columns[:, support]) if support else None
        if weights is None:
            return None
        made, used = [], set[int]()
        for column, weight in zip(support, weights, strict=True):
            i = column // 2
            order = (int(largest[i]), int(pairs[column % 2][i]))
            made.append((weight, *_ordered(self.relations[at[i]], order)))
            used.update(map(int, self.determinants[at[i]].ravel()))
        return Product(tuple(made)), sorted(used)


def _parity(order: Sequence[int]) -> int:
    return sum(a > b for a, b in combinations(order, 2)) % 2


def _ordered(lines: tuple[int, ...], first: tuple[int, int]) -> tuple[int, ...]:
    """Return the lines of a relation in an order with two given terms first."""
    *rest, b, c, d, e = lines
    beside = c, d, e  # b in each term
    return (*rest, b, *(beside[i] for i in (*first, 3 - sum(first))))


def _suggested(columns: Ints, costs: Ints) -> list[int]:
    """Return columns with a positive combination that is 0, by floats, or none."""
    rows = np.vstack((columns, np.ones_like(costs)))
    filled = rows.any(1)
    rows = rows[filled]
    where, index = np.nonzero(rows)
    starts = np.searchsorted(where, np.arange(len(rows) + 1))
    ends = np.zeros(len(rows))
    ends[-1] = 1
    solver = QuietHighs()
    solver.pass_rows(costs, (0.0, np.inf), (0.0, 0.0), (starts, index, rows[where, index]))
    last = len(rows) - 1
    solver.changeRowBounds(last, 1.0, 1.0)
    solver.run()
    if solver.modelStatusToString(solver.getModelStatus()) != "Optimal":
        return []
    x = np.array(solver.getSolution().col_value)
    return [int(j) for j in np.flatnonzero(x > 1e-9)]


def _weights(columns: Ints) -> list[int] | None:
    """Return positive integers with which columns sum to 0, or None."""
    matrix = flint.fmpz_mat(columns.tolist())
    kernel, nullity = matrix.nullspace()
    if nullity != 1:
        return None
    weights = [int(kernel[i, 0]) for i in range(columns.shape[1])]
    common = gcd(*weights) * (1 if weights[0] > 0 else -1)
    weights = [weight // common for weight in weights]
    return weights if min(weights) > 0 else None
