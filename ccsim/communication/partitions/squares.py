"""Bounds on what partitions cost from the squares of what columns gain.

With ``b_y(S)`` the sum of the signed weights of a class ``S`` in column ``y``, a partition gains
``sum |b_y(S)|``, and costs half of what all weights exceed that by. Where ``g h >= 1`` is
``|b| <= (g b^2 + h) / 2``. With the same ``g_y`` for all classes the squares are a quadratic form
``Q`` of the indicators of the classes. If ``diag(u) - Q`` is positive definite, ``u`` bounds them:
the indicators less ``1/k`` sum to 0, and their squares in each row to ``(k - 1) / k``.

The best ``g`` and ``u`` are those of a semidefinite program whose other side puts rows on a sphere:
from below it is a bound as Grothendieck's inequality compares (Alon and Naor 2006, section 4).
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from ccsim.certificates import encode_integers
from ccsim.communication.partitions.local_search import Floats
from ccsim.communication.partitions.tables import Weights
from ccsim.data import frozen

_UNIT = 1 << 52
_ROUNDS = 400
_LOST = 1e-10  # part of a potential that is added to it for what floats may have lost


@frozen
class SquareBound:
    """What proves that no partition costs less than a bound, by squares."""

    bound: Fraction
    unit: int
    potentials: tuple[int, ...]  # ``u`` in parts of the unit, for each row
    ends: tuple[tuple[int, int], ...]  # for each column ``g`` in parts of the unit, and ``h``

    def to_json(self) -> dict[str, Any]:
        """Return what the kernel reads."""
        return {
            "unit": self.unit,
            "potentials": encode_integers(self.potentials),
            "ends": [encode_integers(pair) for pair in self.ends],
        }


class Sphere:
    """Rows on a sphere instead of in classes: the best ones for weights that may change.

    Complexity: ``rows columns sqrt(2 rows)`` operations a round.
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

    def improve(self, weights: Floats, rounds: int) -> None:
        """Improve columns and rows in turn; nothing gets worse."""
        k, sums = self._messages, weights.sum(axis=0)
        for turn in range(rounds + 1):
            balances = weights.T @ self._places
            squares = sums**2 / k + (balances**2).sum(axis=1)
            self.gains = np.sqrt(k * squares) + 1e-30
            if turn < rounds:
                self._scale(weights @ (k * balances / self.gains[:, None]))
        self._sums, self._balances = sums, balances

    def correlations(self) -> Floats:
        """Return what a unit of weight gains in each row and column."""
        k = self._messages
        found: Floats = k * (self._sums / k + self._places @ self._balances.T) / self.gains
        return found

    def potentials(self) -> tuple[Floats, Floats]:
        """Return floats near the best ``u`` and ``g``."""
        return self.lengths / self._square**0.5, self._messages / self.gains


def bound_by_squares(weights: Weights, messages: int) -> SquareBound | None:
    """Return a bound on the cost of every partition of rows into so many classes.

    Complexity: a few hundred rounds of `Sphere`, and the cube of the number of rows in integers of
    some 100 bits: 0.1 s for 40 rows, 1 s for 100.
    """
    whole: Any = np.array(weights, dtype=object)
    signed = whole.astype(float)
    rows, k = len(whole), messages
    size = np.abs(signed).sum()
    sphere = Sphere(rows, k)
    sphere.improve(signed / size, _ROUNDS)
    u, g = sphere.potentials()
    lows = [max(1, int(_UNIT * each / size)) for each in g.tolist()]
    pairs = tuple((low, -(-_UNIT // low)) for low in lows)
    scaled: Any = whole * np.array(lows, dtype=object)
    form = scaled @ whole.T
    near = u * (_UNIT * size)
    least = float(np.linalg.eigvalsh(np.diag(near) - form.astype(float))[0])
    spare = max(0.0, -least) + _LOST * float(near.max()) + rows * rows
    for _ in range(3):
        potentials = [int(each + spare) + 1 for each in near.tolist()]
        if is_positive(np.diag(np.array(potentials, dtype=object)) - form):
            break
        spare *= 2
    else:
        return None
    squared = sum(low * int(s) ** 2 for low, s in zip(lows, whole.sum(axis=0), strict=True))
    twice = Fraction((k - 1) * sum(potentials) + squared, k * _UNIT) + k * sum(h for _, h in pairs)
    bound = max(Fraction(0), int(np.abs(whole).sum()) - twice / 2) / 2
    return SquareBound(bound, _UNIT, tuple(potentials), pairs)


def is_positive(form: Any) -> bool:  # noqa: ANN401 - an array of integers
    """Say whether a symmetric form is shown to be positive definite by elimination in integers.

    What is cut off is less than 1 in each entry, and is made good by the size on the diagonal.
    """
    form = form.copy()
    rows = len(form)
    for i in range(rows):
        if form[i, i] <= 0:
            return False
        rest = form[i + 1 :, i]
        form[i + 1 :, i + 1 :] -= np.outer(rest, rest) // form[i, i]
        form[range(i + 1, rows), range(i + 1, rows)] -= rows
    return True
