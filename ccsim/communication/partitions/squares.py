"""Bounds on the cost of partitions from squared balances ``b`` (Alon and Naor 2006, section 4).

If ``W`` is the sum of all weights, a partition costs ``(W - sum |b|) / 2``; the sum is over classes
and columns. If ``g h >= 1``, then ``2 |b| <= g b^2 + h``. The terms ``g b^2`` of a class sum to
a quadratic form ``Q``, which ``u`` bounds if ``diag(u) - Q`` is positive definite.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from math import gcd
from typing import Any

import highspy
import numpy as np

from ccsim.budget import Budget
from ccsim.certificates.envelope import encode_integers
from ccsim.communication.partitions.search import Floats
from ccsim.communication.partitions.tables import Weights
from ccsim.data import frozen
from ccsim.parallel.threads import one_thread
from ccsim.programs.highs import QuietHighs

_UNIT = 1 << 52
_SIZE_UNIT = 1 << 60
_ROUNDS = 400
_ROUNDED = 1 << 21  # products of entries from which on they are summed in floats
_FLOPS = 3 * 10**8  # of all rounds together, about, where products are summed in floats
_LOST = 1e-10  # part of a potential that is added to it for what floats may have lost
_EXCESSES = 1 << 9  # most values of an excess of a class of one size
_SPARE = 1e-12


@frozen
class SquareBound:
    """A proof of a lower bound on the cost of all partitions, from squared balances."""

    bound: Fraction
    unit: int
    potentials: tuple[int, ...]  # ``u`` in parts of the unit, for each row
    ends: tuple[tuple[int, int], ...]  # for each column ``g`` in parts of the unit, and ``h``

    def to_json(self) -> dict[str, Any]:
        """Return the proof in the format of certificates."""
        return {
            "unit": self.unit,
            "potentials": encode_integers(self.potentials),
            "ends": [encode_integers(pair) for pair in self.ends],
        }


class Sphere:
    """A relaxation: each row has a unit vector instead of a class.

    A round takes ``rows * columns * sqrt(2 rows)`` steps.
    """

    def __init__(self, rows: int, messages: int) -> None:
        rank = min(rows, int((2 * rows) ** 0.5) + 3)
        self._square = 1 - 1 / messages
        self._messages = messages
        self._places = np.random.default_rng(0).normal(size=(rows, rank))
        self.lengths = np.ones(rows)
        self._scale(self._places)

    def _scale(self, towards: Floats) -> None:
        self.lengths = np.linalg.norm(towards, axis=1) + 1e-30
        self._places = towards * (self._square**0.5 / self.lengths)[:, None]

    def improve(self, weights: Floats, rounds: int, budget: Budget) -> None:
        """Improve columns and rows alternately; no step decreases the value."""
        k, sums = self._messages, weights.sum(axis=0)
        for turn in budget.each(range(rounds + 1)):
            balances = weights.T @ self._places
            squares = sums**2 / k + (balances**2).sum(axis=1)
            self.gains = np.sqrt(k * squares) + 1e-30
            if turn < rounds:
                self._scale(weights @ (k * balances / self.gains[:, None]))
        self._sums, self._balances = sums, balances

    def correlations(self) -> Floats:
        """Return the gain of a unit of weight in each entry."""
        k = self._messages
        found: Floats = k * (self._sums / k + self._places @ self._balances.T) / self.gains
        return found

    def potentials(self) -> tuple[Floats, Floats]:
        """Return approximations of the best ``u`` and ``g`` in floats."""
        return self.lengths / self._square**0.5, self._messages / self.gains


def bound_by_squares(
    weights: Weights, messages: int, budget: Budget | None = None
) -> SquareBound | None:
    """Return a lower bound, in cubic time, on the cost of partitions into ``k`` classes."""
    budget = budget or Budget()
    whole: Any = np.array(weights, dtype=object)
    signed = whole.astype(float)
    (rows, columns), k = signed.shape, messages
    is_large = rows * rows * columns > _ROUNDED
    size = np.abs(signed).sum()
    sphere = Sphere(rows, k)
    most = int(_FLOPS / (4 * rows * columns * (2 * rows) ** 0.5)) if is_large else _ROUNDS
    with one_thread():
        sphere.improve(signed / size, max(20, min(_ROUNDS, most)), budget)
    u, g = sphere.potentials()
    lows = [max(1, int(_UNIT * each / size)) for each in g.tolist()]
    pairs = tuple((low, -(-_UNIT // low)) for low in lows)
    scaled: Any = signed * np.array(lows, float) if is_large else whole * np.array(lows, object)
    with one_thread():
        form = scaled @ (signed if is_large else whole).T
        near = u * (_UNIT * size)
        least = float(np.linalg.eigvalsh(np.diag(near) - form.astype(float))[0])
    spare = max(0.0, -least) + _LOST * float(near.max()) + rows * rows
    lost = _lost(scaled, signed) + 1e-15 * float(near.max()) + 2 * rows**2 if is_large else 0.0
    for _ in range(3):
        potentials = [int(each + spare) + 1 for each in near.tolist()]
        whole_form = np.diag(np.array(potentials, dtype=float if is_large else object)) - form
        if is_large and is_surely_positive(whole_form, -lost):
            break
        if not is_large and is_positive(whole_form, budget):
            break
        spare *= 2
    else:
        return None
    squared = sum(low * int(s) ** 2 for low, s in zip(lows, whole.sum(axis=0), strict=True))
    twice = Fraction((k - 1) * sum(potentials) + squared, k * _UNIT) + k * sum(h for _, h in pairs)
    bound = max(Fraction(0), int(np.abs(whole).sum()) - twice / 2) / 2
    return SquareBound(bound, _UNIT, tuple(potentials), pairs)


def _lost(left: Floats, right: Floats) -> float:
    """Return a bound on the norm of the rounding errors of ``left @ right.T``, and of its factors.

    Each entry is off by at most its number of terms plus 4 roundings of the sum of the moduli.
    """
    moduli = (np.abs(left) @ np.abs(right).T).sum(axis=1)
    return 2 * (left.shape[1] + 4) * float(np.finfo(float).eps * moduli.max())


def is_surely_positive(form: Floats, extra: float) -> bool:
    """Return whether floats prove that an upper triangle plus a multiple of 1 is positive.

    If a form that is lowered by all rounding errors has a Cholesky factorisation in floats, the
    form is positive definite (Rump 2006).
    """
    diagonal = form.diagonal() + extra
    size = float(np.abs(diagonal).sum() + np.abs(form).max())
    error = 4 * (len(form) + 2) * np.finfo(float).eps * size
    upper = np.triu(form)
    with one_thread():
        try:
            np.linalg.cholesky(upper + np.triu(form, 1).T + (extra - error) * np.eye(len(form)))
        except np.linalg.LinAlgError:
            return False
    return True


def is_positive(form: Any, budget: Budget) -> bool:  # noqa: ANN401 - an array of integers
    """Return whether integer elimination, with rounding, proves a form positive definite."""
    form = form.copy()
    rows = len(form)
    for i in budget.each(range(rows)):
        if form[i, i] <= 0:
            return False
        rest = form[i + 1 :, i]
        form[i + 1 :, i + 1 :] -= np.outer(rest, rest) // form[i, i]
        form[range(i + 1, rows), range(i + 1, rows)] -= rows
    return True


@frozen
class SizeBound:
    """A proof that no partition costs less than a bound, from squares for each class size."""

    bound: Fraction
    unit: int
    # in parts of the unit: of a row, of two rows, and what two rows of a group have less
    potentials: tuple[int, int, int]
    sizes: tuple[tuple[int, int], ...]  # for 0, 1, ..; rows ``g`` and ``h`` in parts of the unit
    groups: tuple[int, ...]  # A number for each row, the same for rows of a group

    def to_json(self) -> dict[str, Any]:
        """Return the proof in the format of certificates."""
        sizes = [encode_integers(pair) for pair in self.sizes]
        return {
            "unit": self.unit if self.unit < 1 << 53 else str(self.unit),
            "potentials": encode_integers(self.potentials),
            "ends": {"sizes": sizes, "groups": list(self.groups)},
        }


def groups_of(form: Any) -> list[int]:  # noqa: ANN401 - an array of integers
    """Return group numbers of the rows if the smallest entries of a form define equal groups.

    Otherwise, each row is a group of its own.
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
    """Squares of weights with interchangeable rows, and the largest gain of a class by its size.

    For each size, ``2 |b|`` is at most ``g b^2 + h b`` plus a constant for every balance ``b``. In
    a column with balance ``B``, two classes together gain ``max(|B|, |2b - B|)``.
    """

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
            with one_thread():
                self._set_potentials()

    def _set_potentials(self) -> None:
        """Find a form slightly above ``Q`` with one coefficient within groups and one across."""
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
        """Return the balance of all rows in a column, and the excesses possible for a class.

        With two classes, an excess is the difference between their balances; otherwise, 0 is
        returned in place of the balance.
        """
        all_, most, step, first = column
        factor = 1 + self._two
        all_ *= self._two
        shift, step = factor * size * first - all_, factor * step
        return all_, range((shift + most) % step - most, most + 1, step)

    def _level(self, size: int) -> list[int]:
        """Return the values of the three parts of the form: single rows, all pairs, and groups."""
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
        """Return approximations of the best ``g`` and ``h``, and the gain of a class, by size."""
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
        solver, (index, value) = QuietHighs(), zip(*entries, strict=True)
        most, starts = highspy.kHighsInf, np.array(start)
        solver.pass_rows(cost, (lower, most), (bounds, most), (starts, index, value))
        solver.run()
        found = np.array(solver.getSolution().col_value).reshape(-1, width)
        gains = (found * np.array(cost).reshape(-1, width)).sum(axis=1) * scale / 2
        return found[:, :2] / np.array([scale, 1.0]), gains

    def _most(self, gains: Any) -> Any:  # noqa: ANN401 - floats, or integers
        """Return the maximum gain of a partition."""
        if self._two:
            return max(gains)
        best = gains
        for _ in range(self._classes - 1):
            best = [
                max(map(sum, zip(best, gains[s::-1], strict=False))) for s in range(self._n + 1)
            ]
        return best[-1]

    def estimate(self) -> float:
        """Return the bound in floats, as a fraction of the total weight."""
        return float((1 - self._most(self.ends()[1].tolist()) / self.total) / 2)

    def bound(self, budget: Budget | None = None) -> SizeBound | None:
        """Return the bound with its proof, or None if the floats are unusable."""
        budget = budget or Budget()
        near, _ = self.ends()
        row, pair, alike = self._potentials
        n = self._n
        potentials = (
            int(row * _SIZE_UNIT) + 2 * n * n,
            int(pair * _SIZE_UNIT),
            max(0, int(alike * _SIZE_UNIT)),
        )
        same = np.equal.outer(self._groups, self._groups).astype(object)
        form = np.diag(np.full(n, potentials[0], object)) + potentials[1] - potentials[2] * same
        if not is_positive(form - _SIZE_UNIT * (self._whole @ self._whole.T), budget):
            return None
        sizes, gains = [], []
        for size, pair_of_size in budget.each(enumerate(near.tolist())):
            g, h = (int(each * _SIZE_UNIT) for each in pair_of_size)
            singles, pairs, groups = self._level(size)
            top = max(g, 0) * (
                potentials[0] * singles + potentials[1] * pairs - potentials[2] * groups
            )
            top += _SIZE_UNIT * h * self._drift(size)
            for column, number in self._columns.items():
                all_, excesses = self._excesses(size, column)
                reach = (
                    2 * _SIZE_UNIT * max(abs(all_), abs(b)) - (g * b + h) * b for b in excesses
                )
                top += number * _SIZE_UNIT * max(reach)
            sizes.append((g, h))
            gains.append(top // (2 * _SIZE_UNIT**2))
        lost = max(0, self.total + 1 - self._most(gains)) // 2
        return SizeBound(Fraction(lost), _SIZE_UNIT, potentials, tuple(sizes), tuple(self._groups))
