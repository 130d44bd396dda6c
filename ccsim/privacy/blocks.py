"""Screening of many pairs of distributions at once, by arrays of floats rounded outwards.

The floats enclose the probabilities, so that a pair that passes the screen provably requires no
more than an earlier pair. All other pairs are compared exactly.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Indices = npt.NDArray[np.int64]

_MOST_CELLS = 1 << 24
_LARGE = 2.0**900  # at most all factors beyond it; products with probabilities are still finite
_SLACK = 2.0**-40  # well above the rounding errors of sums of 2**10 terms
_MOST_OUTCOMES = 1 << 10


class Table:
    """The numbers of the masses of many distributions, one row each, and enclosures of the masses.

    A mass has number 0 if the outcome is impossible, and its given number plus 1 otherwise.
    """

    def __init__(self, bits: int) -> None:
        self._unit = 2.0**-bits
        self._outcomes: dict[Hashable, int] = {}
        self._rows = np.zeros((16, 4), np.int32)
        self._lower, self._upper = np.zeros(16), np.zeros(16)
        self._filled, self._known = 0, 1

    def extend(self, shares: Sequence[dict[Any, int]], ends: Sequence[tuple[int, int]]) -> bool:
        """Add the new distributions and masses; return False if the table becomes too large."""
        for share in shares[self._filled :]:
            for outcome in share:
                self._outcomes.setdefault(outcome, len(self._outcomes))
        width = len(self._outcomes)
        if width > _MOST_OUTCOMES or len(shares) * width > _MOST_CELLS:
            return False
        self._rows = _grown(self._rows, (len(shares), width))
        for row, share in enumerate(shares[self._filled :], self._filled):
            self._rows[row, [self._outcomes[o] for o in share]] = [m + 1 for m in share.values()]
        self._filled = len(shares)
        self._lower, self._upper = (
            _grown(known, (len(ends) + 1,)) for known in (self._lower, self._upper)
        )
        for number, (low, high) in enumerate(ends[self._known - 1 :], self._known):
            self._lower[number] = np.nextafter(float(low), -np.inf) * self._unit if low else 0
            self._upper[number] = np.nextafter(float(high), np.inf) * self._unit
        self._known = len(ends) + 1
        return True

    def within(
        self, first: Indices, second: Indices, factor: int, most: int, below: Callable[..., bool]
    ) -> npt.NDArray[np.bool_]:
        """Return which divergences for ``factor / 2**bits`` are at most ``most / 2**bits``.

        If ``most`` is 0, ``below`` decides for two masses that the floats do not separate.
        """
        p, q = self._rows[first], self._rows[second]
        times = min(factor, int(_LARGE / self._unit)) * self._unit * (1 - _SLACK)
        excess = np.maximum(self._upper[p] - self._lower[q] * times, 0)
        passed: npt.NDArray[np.bool_] = excess.sum(axis=1) <= most * self._unit * (1 - _SLACK)
        if most or passed.all():
            return passed
        open_pairs = np.flatnonzero(~passed)
        row, column = np.nonzero(excess[open_pairs])
        p, q = p[open_pairs][row, column], q[open_pairs][row, column]
        codes, place = np.unique(p.astype(np.int64) * self._known + q, return_inverse=True)
        split = (divmod(int(code), self._known) for code in codes)
        fine = np.array([bool(b) and below(a - 1, b - 1) for a, b in split])[place]
        passed[open_pairs] = np.bincount(row, ~fine, len(open_pairs)) == 0
        return passed


def _grown(array: npt.NDArray[Any], shape: Iterable[int]) -> npt.NDArray[Any]:
    """Return the array, or a larger one with the same entries if the shape requires it."""
    wanted = tuple(shape)
    if all(need <= have for need, have in zip(wanted, array.shape, strict=True)):
        return array
    sizes = [
        max(have, 2 * need) if need > have else have
        for need, have in zip(wanted, array.shape, strict=True)
    ]
    larger = np.zeros(sizes, array.dtype)
    larger[tuple(slice(have) for have in array.shape)] = array
    return larger
