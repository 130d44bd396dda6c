"""Labelled samples of boxes over long axes, on which learners are tried."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

import numpy as np

from ccsim.exact.probability import uniform_below
from ccsim.learning.learners.rectangles.learner import Rectangle

__all__ = ["BOX_TARGETS"]

Examples = list[tuple[tuple[int, ...], int]]


def _labelled(points: list[tuple[int, ...]], box: Rectangle) -> Examples:
    return [(point, box(point)) for point in points]


def _even(bits: int, dimension: int, size: int, rng: np.random.Generator) -> Examples:
    """Draw evenly spread points, of which about half are in the box."""
    end = 1 << bits
    side = int(end * 0.5 ** (1 / dimension))
    starts = [uniform_below(end - side + 1, rng) for _ in range(dimension)]
    box = Rectangle(tuple((start, start + side - 1) for start in starts))
    points = [tuple(uniform_below(end, rng) for _ in range(dimension)) for _ in range(size)]
    return _labelled(points, box)


def _scales(bits: int, dimension: int, size: int, rng: np.random.Generator) -> Examples:
    """Draw powers of two as coordinates; the box holds the middle ones."""
    box = Rectangle(((1 << bits // 8, 1 << 7 * bits // 8),) * dimension)
    drawn = rng.integers(0, bits, size=(size, dimension)).tolist()
    return _labelled([tuple(1 << e for e in row) for row in drawn], box)


def _ties(bits: int, dimension: int, size: int, rng: np.random.Generator) -> Examples:
    """Draw coordinates from few values, some of them neighbours."""
    end = 1 << bits
    values = sorted({0, end // 8, end // 4, min(end // 4 + 1, end - 1), end // 2, end - 1})
    box = Rectangle(((values[1], values[-2]),) * dimension)
    drawn = rng.integers(0, len(values), size=(size, dimension)).tolist()
    return _labelled([tuple(values[i] for i in row) for row in drawn], box)


BOX_TARGETS: Mapping[str, Callable[[int, int, int, np.random.Generator], Examples]] = (
    MappingProxyType({"even": _even, "all scales": _scales, "heavy ties": _ties})
)
"""What draws a sample, for the bits of a coordinate, the dimension and the number of examples."""
