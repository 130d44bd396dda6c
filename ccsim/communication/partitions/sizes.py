"""Bounds on what partitions cost from squares that depend on how many rows a class has.

In a column let a class of rows have the excess ``b``, the sum of its signed weights. Where rows are
alike, as those of an orbit are, the squares of ``b`` in all columns add up to at most a function of
the number of rows, and of how they spread over groups of rows that agree less than others do, like
parallel lines. Numbers ``g, h`` of each size bound ``2 |b|`` by ``g b^2 + h b`` and a constant that
need be right only for the few ``b`` that a class of that size may have, and is often attained. What
all classes gain is the best sum of such bounds over sizes that add up to all rows. Two classes gain
``max(|B|, |2b - B|)`` together in a column of excess ``B``, for which the same is done.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from math import gcd
from typing import Any

import highspy
import numpy as np

from ccsim.certificates import encode_integers
from ccsim.communication.partitions.local_search import Floats
from ccsim.communication.partitions.squares import is_positive
from ccsim.communication.partitions.tables import Weights
from ccsim.data import frozen
from ccsim.programs.highs import QuietHighs

_UNIT = 1 << 60
_EXCESSES = 1 << 9  # most values of an excess of a class of one size
_SPARE = 1e-12


@frozen
class SizeBound:
    """A proof that no partition costs less than a bound, by squares for each size of a class."""

    bound: Fraction
    unit: int
    # in parts of the unit: of a row, of two rows, and what two rows of a group have less
    potentials: tuple[int, int, int]
    sizes: tuple[tuple[int, int], ...]  # for 0, 1, ..; rows ``g`` and ``h`` in parts of the unit
    groups: tuple[int, ...]  # A number for each row, the same for rows of a group

    def to_json(self) -> dict[str, Any]:
        """Return what the kernel reads."""
        sizes = [encode_integers(pair) for pair in self.sizes]
        return {
            "unit": self.unit if self.unit < 1 << 53 else str(self.unit),
            "potentials": encode_integers(self.potentials),
            "ends": {"sizes": sizes, "groups": list(self.groups)},
        }


def groups_of(form: Any) -> list[int]:  # noqa: ANN401 - an array of integers
    """Return a number for each row, the same where two rows have the least entry of a form.

    Every row has a number of its own unless these entries make groups of one size.
    """
    n = len(form)
    least = form[~np.eye(n, dtype=bool)].min()
    alike = (form == least) | np.eye(n, dtype=bool)
    groups: list[int] = alike.argmax(axis=1).tolist()
    regular = len(set(Counter(groups).values())) == 1 < len(set(groups))
    if regular and (np.equal.outer(groups, groups) == alike).all():
        return groups
    return list(range(n))


class Sizes:
    """The squares of weights whose rows are alike, and what classes of each size gain at most."""

    def __init__(self, weights: Weights, messages: int) -> None:
        whole: Any = np.array(weights, dtype=object)
        self._whole, self._n = whole, len(whole)
        self._classes = min(messages, self._n)
        self._two = messages == 2
        self._row = int(whole[0].sum())
        self.total = int(np.abs(whole).sum())
        columns: Counter[tuple[int, ...]] = Counter()
        for column in whole.T.tolist():
            step = gcd(*(w - column[0] for w in column)) or 1
            most, first = sum(map(abs, column)), column[0] % step
            columns[sum(column), most, step, first] += 1
        self._columns = columns
        values = sum(2 * most // ((1 + self._two) * step) + 1 for _, most, step, _ in columns)
        self.fits = len(set(whole.sum(axis=1).tolist())) == 1 and values <= _EXCESSES
        if self.fits:
            self._set_potentials()

    def _set_potentials(self) -> None:
        """Find a form of the two kinds of pairs above the squares, and near them."""
        n, form = self._n, self._whole @ self._whole.T
        self._groups = groups_of(form)
        same = np.equal.outer(self._groups, self._groups)
        off = ~np.eye(n, dtype=bool)
        near = form.astype(float)
        alike = max(0.0, near[~same].mean() - near[same & off].mean()) if (same & off).any() else 0
        rest = near + alike * same
        centre = np.eye(n) - 1 / n
        row = float(np.linalg.eigvalsh(centre @ rest @ centre)[-1])
        pair = (rest.sum() / n - row) / n
        least = np.linalg.eigvalsh(row * np.eye(n) + pair - rest)[0]
        row += max(0.0, -float(least)) + _SPARE * float(np.abs(near).max())
        self._potentials = row, pair, alike

    def _excesses(self, size: int, column: tuple[int, ...]) -> tuple[int, range]:
        """Return the excess of all rows, if it is of use, and what a class may have, or a split."""
        all_, most, step, first = column
        factor = 1 + self._two
        all_ *= self._two
        shift, step = factor * size * first - all_, factor * step
        return all_, range((shift + most) % step - most, most + 1, step)

    def _level(self, size: int) -> list[int]:
        """Return the squares of rows, of all rows together, and at least of groups."""
        n, number = self._n, len(set(self._groups))
        least = size // number * (size + size % number) + size % number
        if not self._two:
            return [size, size * size, least]
        triples = ((size, 1), (size * size, n), (least, n // number))
        return [4 * q + t * (n - 4 * size) for q, t in triples]

    def _drift(self, size: int) -> int:
        """Return the sum of the excesses over all columns."""
        return ((1 + self._two) * size - self._two * self._n) * self._row

    def ends(self) -> tuple[Floats, Floats]:
        """Return by floats the best ``g`` and ``h`` of each size, and what a class gains at most.

        One linear program holds all sizes.
        """
        row, pair, alike = self._potentials
        scale = float(max(most for _, most, _, _ in self._columns))
        cost, lower, entries, bounds, start = [], [], [], [], [0]
        width = 2 + len(self._columns)
        for size in range(self._n + 1):
            at = width * size
            singles, pairs, groups = self._level(size)
            form = row * singles + pair * pairs - alike * groups
            cost += [max(form, 0.0) / scale**2, self._drift(size) / scale, *self._columns.values()]
            lower += [0.0] + [-highspy.kHighsInf] * (width - 1)
            for i, column in enumerate(self._columns):
                all_, excesses = self._excesses(size, column)
                for b in excesses:
                    entries += [(at, (b / scale) ** 2), (at + 1, b / scale), (at + 2 + i, 1.0)]
                    start.append(len(entries))
                    bounds.append(2 * max(abs(all_), abs(b)) / scale)
        program: Any = highspy.HighsLp()
        program.num_col_, program.num_row_ = len(cost), len(bounds)
        program.col_cost_, program.col_lower_ = np.array(cost), np.array(lower)
        program.col_upper_ = np.full(len(cost), highspy.kHighsInf)
        program.row_lower_ = np.array(bounds)
        program.row_upper_ = np.full(len(bounds), highspy.kHighsInf)
        program.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
        program.a_matrix_.start_ = np.array(start)
        program.a_matrix_.index_ = np.array([j for j, _ in entries])
        program.a_matrix_.value_ = np.array([v for _, v in entries])
        solver = QuietHighs()
        solver.passModel(program)
        solver.run()
        found = np.array(solver.getSolution().col_value).reshape(-1, width)
        gains = (found * np.array(cost).reshape(-1, width)).sum(axis=1) * scale / 2
        return found[:, :2] / np.array([scale, 1.0]), gains

    def _most(self, gains: Any) -> Any:  # noqa: ANN401 - floats, or integers
        """Return what a partition gains at most."""
        if self._two:
            return max(gains)
        best = gains
        for _ in range(self._classes - 1):
            best = [
                max(map(sum, zip(best, gains[s::-1], strict=False))) for s in range(self._n + 1)
            ]
        return best[-1]

    def estimate(self) -> float:
        """Return the bound by floats, as a part of the sum of all weights."""
        return float((1 - self._most(self.ends()[1].tolist()) / self.total) / 2)

    def bound(self) -> SizeBound | None:
        """Return the bound with its proof, or None where floats were of no use."""
        near, _ = self.ends()
        row, pair, alike = self._potentials
        n = self._n
        potentials = (int(row * _UNIT) + 2 * n * n, int(pair * _UNIT), max(0, int(alike * _UNIT)))
        same = np.equal.outer(self._groups, self._groups).astype(object)
        form = np.diag(np.full(n, potentials[0], object)) + potentials[1] - potentials[2] * same
        if not is_positive(form - _UNIT * (self._whole @ self._whole.T)):
            return None
        sizes, gains = [], []
        for size, (g, h) in enumerate((int(g * _UNIT), int(h * _UNIT)) for g, h in near.tolist()):
            singles, pairs, groups = self._level(size)
            top = max(g, 0) * (
                potentials[0] * singles + potentials[1] * pairs - potentials[2] * groups
            )
            top += _UNIT * h * self._drift(size)
            for column, number in self._columns.items():
                all_, excesses = self._excesses(size, column)
                reach = (2 * _UNIT * max(abs(all_), abs(b)) - (g * b + h) * b for b in excesses)
                top += number * _UNIT * max(reach)
            sizes.append((g, h))
            gains.append(top // (2 * _UNIT**2))
        lost = max(0, self.total + 1 - self._most(gains)) // 2
        return SizeBound(Fraction(lost), _UNIT, potentials, tuple(sizes), tuple(self._groups))
