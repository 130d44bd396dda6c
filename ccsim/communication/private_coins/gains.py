"""Compiled: which law or answer of a case should be cut, in floats.

A mixture of corners (see `mixtures`) errs less than one protocol by what laws and answers vary
together: the error is a sum of products, and the mean of a product is not the product of means.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

from ccsim.compiled import compiled

__all__ = ["best_cut"]

Floats: TypeAlias = np.ndarray[Any, np.dtype[np.float64]]
Bytes: TypeAlias = np.ndarray[Any, np.dtype[np.int8]]

_NEVER = 1e-12
_LONGER = 1.5


@compiled
def _means(shares: Floats, vertices: Bytes, answers: Floats, law: int) -> tuple[Floats, Floats]:
    """Return the share of each vertex of a law, and the sum of the answers that go with it."""
    k = answers.shape[2]
    parts, sums = np.zeros(k), np.zeros((k, *answers.shape[1:]))
    for p in range(len(shares)):
        parts[vertices[p, law]] += shares[p]
        sums[vertices[p, law]] += shares[p] * answers[p]
    return parts, sums


@compiled
def _gain(signed: Floats, step: Floats, apart: Floats, gains: Floats) -> float:
    """Add what a mixture gains by two vertices of a law to ``gains``; return what is above 0."""
    total = 0.0
    for y in range(len(signed)):
        for j in range(len(step)):
            gain = signed[y] * step[j] * apart[y, j]
            gains[y, j] += gain
            total += max(gain, 0.0)
    return total


@compiled
def _longest(law: Floats, size: int, first: int, second: int) -> tuple[int, int]:
    """Return an edge, or the longest one of the simplex if that is much longer."""
    longest = _LONGER * np.abs(law[first] - law[second]).max()
    for j in range(size):
        for i in range(j):
            length = np.abs(law[i] - law[j]).max()
            if length > longest:
                longest, first, second = length, i, j
    return first, second


@compiled
def best_cut(
    signed: Floats,
    laws: Floats,
    sizes: Bytes,
    ends: Floats,
    mixture: tuple[Floats, Bytes, Bytes],
    finest: float,
) -> tuple[float, int, int, int, float, int, int]:
    """Return the gain of the best edge of a law, and that of the best answer, with their places.

    ``signed`` holds the weights of inputs, negative where the value is 0; edges shorter than
    ``finest`` are not cut.
    """
    shares, vertices, high = mixture
    n, k = laws.shape[:2]
    answers = np.where(high == 1, ends[1], ends[0])
    best, law, first, second = 0.0, -1, 0, 0
    worth = np.zeros(ends.shape[1:])
    for x in range(n):
        parts, sums = _means(shares, vertices, answers, x)
        gains = np.zeros(ends.shape[1:])
        for j in range(k):
            for i in range(j):
                if min(parts[i], parts[j]) > _NEVER:
                    apart = parts[j] * sums[i] - parts[i] * sums[j]
                    step = laws[x, i] - laws[x, j]
                    gain = _gain(signed[x], step, apart, gains)
                    if gain > best and np.abs(step).max() > finest:
                        best, law, first, second = gain, x, i, j
        worth += np.maximum(gains, 0.0)
    if law >= 0:
        first, second = _longest(laws[law], sizes[law], first, second)
    place = int(worth.argmax())
    return best, law, first, second, worth.max(), place // k, place % k
