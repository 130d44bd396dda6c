"""Rectangle bounds and the partition bound, which bound two-way protocols with an error.

Rectangles have weights. The *sum* at an input is the total weight of the rectangles that contain
it.
"""

from __future__ import annotations

from fractions import Fraction
from math import ceil, floor
from typing import Any, ClassVar

from .reader import *
from .rectangles import Bit, Weights, heaviest
from .rules import *


def summed(F: Matrix, listed: list[Any], layers: int = 1) -> tuple[list[list[list[int]]], int]:
    """Read ``[rows, columns, weight]``; with several layers, the layer precedes the weight.

    Return the sums at the inputs, for each layer, and the total weight.
    """
    parts, total = [[[0] * F.width for _ in F.rows] for _ in range(layers)], 0
    for i, (ours, theirs, *layer, weight) in enumerate(each(entries, listed, 3 + (layers > 1))):
        sums = parts[inside(i, index, layer[0], layers) if layer else 0]
        rows, w = inside(i, distinct, ours, len(F.rows)), inside(i, integer, weight)
        columns, total = inside(i, distinct, theirs, F.width), total + w
        spend(10 + len(rows) * (1 + len(columns)) * (3 + (w.bit_length() >> 8)))
        for x in rows:
            for y in columns:
                sums[x][y] += w
    return parts, total


class RectangleBound(Quantity, kind="rectangle_bound"):
    """The least total weight of rectangles that accept the inputs of a value, up to an error.

    The sum is at least 1 minus the error at each input of the value, and at most the error at each
    input of the other value. Outside the promise, it is arbitrary.
    """

    instance: Problem
    value: Bit
    error: Probability
    smooth: ClassVar[bool] = False  # whether the sum is at most 1 at inputs of the value

    @most
    def rectangles(self, unit: Positive, listed: Entries) -> Fraction:
        """Check rectangles, with weights in parts of a unit; return their total weight."""
        F, ([sums], total) = self.instance, inside("listed", summed, self.instance, listed)
        least, error = ceil((1 - self.error) * unit), floor(self.error * unit)
        for x, held in enumerate(F.defined):
            for y in members(held):
                is_right, s = F.rows[x] >> y & 1 == self.value, sums[x][y]
                fits = (least <= s and (s <= unit or not self.smooth)) if is_right else s <= error
                rule = "the rectangles that contain input {} have total weight {}/{}, out of range"
                require(fits, rule, (x, y), s, unit)
        return Fraction(total, unit)

    @least
    def weights(self, weights: Weights) -> Fraction:
        """Return the dual bound: the weight of inputs divided by that of a heaviest rectangle."""
        F, exact, by_error = self.instance, 0, 0
        rows = [[0] * F.width for _ in F.rows]
        for (x, y), w in weights.items():
            is_right, rows[x][y] = F.rows[x] >> y & 1 == self.value, w
            fits = w >= 0 or self.smooth or not is_right
            require(fits, "the weight of input {} must be at least 0, not {}", (x, y), w)
            exact += w if is_right else 0
            by_error += -max(w, 0) if is_right else min(w, 0)
        top = max(1, heaviest(rows, [0] * len(rows)))
        return max(Fraction(0), (exact + self.error * by_error) / top)


class SmoothRectangleBound(RectangleBound, kind="smooth_rectangle_bound"):
    """The rectangle bound if the sum is also at most 1 at each input of the value."""

    smooth = True


class PartitionBound(Quantity, kind="partition_bound"):
    """The least total weight of rectangles with values that compute the function up to an error.

    The sum is 1 at each input. At an input inside the promise, the rectangles with the wrong value
    have total weight at most the error.
    """

    instance: Problem
    error: Probability

    @most
    def rectangles(self, unit: Positive, listed: Entries) -> Fraction:
        """Check ``[rows, columns, value, weight]``, in parts of a unit; return the total weight."""
        F, error = self.instance, floor(self.error * unit)
        parts, total = inside("listed", summed, F, listed, 2)
        for x, (row, held) in enumerate(zip(F.rows, F.defined, strict=True)):
            for y in range(F.width):
                both = [sums[x][y] for sums in parts]
                rule = "the rectangles that contain input {0} must have total weight {2}, not {1}"
                require(sum(both) == unit, rule, (x, y), sum(both), unit)
                fits = both[1 - (row >> y & 1)] <= error or not held >> y & 1
                rule = (
                    "the rectangles with the wrong value at input {} must weigh at most the error"
                )
                require(fits, rule, (x, y))
        return Fraction(total, unit)

    @least
    def weights(self, weights: Entries) -> Fraction:
        """Return the dual bound of weights ``[x, y, w0, w1]``, for rectangles of value 0 and 1."""
        F, exact, by_error, seen = self.instance, 0, 0, set[tuple[int, int]]()
        parts = [[[0] * F.width for _ in F.rows] for _ in (0, 1)]
        for i, (x, y, *both) in enumerate(each(entries, weights, 4)):
            inside(i, index, x, len(F.rows)), inside(i, index, y, F.width)
            require((x, y) not in seen, "input {} is listed twice", (x, y))
            seen.add((x, y))
            parts[0][x][y], parts[1][x][y] = w = [inside(i, integer, one, None) for one in both]
            right, wrong = w[F.rows[x] >> y & 1], w[1 - (F.rows[x] >> y & 1)]
            is_asked = F.defined[x] >> y & 1
            exact += right if is_asked else min(w)
            by_error += min(0, wrong - right) if is_asked else 0
        top = max(heaviest(rows, [0] * len(rows)) for rows in parts)
        return max(Fraction(0), (exact + self.error * by_error) / max(1, top))
