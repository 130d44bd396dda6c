"""How long an interval of high quality is: the question that RecConcave asks itself.

Steps 2 to 5 and 7 to 8 of the algorithm (`bns` section 3.3, figure 5), on step functions.
"""

from __future__ import annotations

from dataclasses import field
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from ccsim.data import frozen
from ccsim.exact.steps import StepFunction
from ccsim.privacy.mechanisms.range_choice import Interval


@frozen
class Level:
    """What a call of the algorithm computes from its quality function.

    Attributes
    ----------
    quality : StepFunction
        On ``0 .. T``.
    extended : StepFunction
        On ``0 .. T'`` for the least power of two ``T'`` that is at least ``T``.
    lengths : tuple of Fraction
        ``L(0) .. L(log T' + 1)``: the best that an interval of length ``2^j`` keeps everywhere.
    inner : StepFunction or None
        The quality function of the recursive call; None where the exponential mechanism is used.
    promise, accuracy : Fraction
        ``r`` and ``alpha``.
    depth : int
        Calls that are allowed, this one included.
    """

    quality: StepFunction
    extended: StepFunction
    lengths: tuple[Fraction, ...]
    inner: StepFunction | None
    promise: Fraction
    accuracy: Fraction
    depth: int
    _ranks: npt.NDArray[np.int64] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        values, _ = self.extended.integers()
        order = {value: rank for rank, value in enumerate(sorted(set(values)))}
        ranks = np.fromiter((order[value] for value in values), np.int64, len(values))
        object.__setattr__(self, "_ranks", ranks)

    @classmethod
    def of(
        cls, quality: StepFunction, promise: Fraction, accuracy: Fraction, depth: int, base: int
    ) -> Level:
        """Return what a call computes; on ranges ``0 .. base`` and at depth 1 nothing is to do."""
        if quality.last <= base or depth == 1:
            return cls(quality, quality, (), None, promise, accuracy, depth)
        log = (quality.last - 1).bit_length()
        extended = quality.extended(1 << log, min(Fraction(0), quality(quality.last)))
        runs = extended.longest_runs()
        lengths: list[Fraction] = []
        k = 0
        for j in range(log + 1):
            while runs[k][0] < 1 << j:
                k += 1
            lengths.append(runs[k][1])
        lengths.append(min(Fraction(0), lengths[-1]))
        floor = (1 - accuracy) * promise
        inner = [min(lengths[j] - floor, promise - lengths[j + 1]) for j in range(log + 1)]
        return cls(
            quality, extended, tuple(lengths), StepFunction.of(inner), promise, accuracy, depth
        )

    def best_of_family(self, offset: int, length: int) -> tuple[Interval, Fraction | None] | None:
        """Return the best interval of a division, the first one of several, and its lead.

        Complexity: linear in the number of steps; no interval is listed.
        """
        f = self.extended
        if offset > f.last:
            return None
        _, place = self._highest(offset, f.last)
        start = offset + (place - offset) // length * length
        interval = start, min(start + length - 1, f.last)
        top = self._highest(*interval)[0]
        rest = [
            self._highest(a, b)[0]
            for a, b in ((offset, start - 1), (interval[1] + 1, f.last))
            if a <= b
        ]
        return interval, (top - max(rest) if rest else None)

    def _highest(self, first: int, last: int) -> tuple[Fraction, int]:
        """Return the largest value of the extended quality on an interval, and its first place."""
        f = self.extended
        i, j = f.step_at(first), f.step_at(last)
        step = i + int(np.argmax(self._ranks[i : j + 1]))
        return f.values[step], max(first, f.starts[step])
