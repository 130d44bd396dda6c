"""How large each part of the error of a release is likely to be, from what is public already."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import Any

import numpy as np

from ccsim.data import frozen
from ccsim.release.queries.covers import Cover, Floats, Signs

_SPLITS = 5
"""How often the public points are split at random."""
_MOST_SIGNS = 1 << 25
"""Most signs of concepts on public points that are looked at."""


@frozen
class ErrorEstimate:
    """Estimates, not bounds, of what the error over all queries consists of.

    All are for answers from -1 to 1, and post-processing of what is public or published.
    """

    # what it costs to answer a query by its projection: twice the mass on which the two differ;
    # None where the points of the cover say nothing about the data
    projection: float | None
    fit: float  # how badly the queries found in the last quarter of the rounds were answered before
    noise: float  # how far the largest of the noises of all measurements moves an answer
    # how far the private (else the public) sample is from the distribution on some query
    sampling: float | None


def _halves(behaviours: Signs, split: int) -> tuple[Signs, Signs]:
    """Return the behaviours on two random halves of the public points; the same ones every time."""
    order = np.random.default_rng(split).permutation(behaviours.shape[1])
    middle = len(order) // 2
    return behaviours[:, order[:middle]], behaviours[:, order[middle:]]


def _behaviours(cover: Cover[Any, Any]) -> Signs:
    """Return the signs of all concepts on the public points, or on as many as are looked at."""
    most = max(4, _MOST_SIGNS // cover.concepts)
    if len(cover.public) <= most:
        return cover.behaviours()
    chosen = np.random.default_rng(0).choice(len(cover.public), size=most, replace=False)
    return cover.columns([cover.cell(cover.public[i]) for i in chosen])


def projection_error(cover: Cover[Any, Any]) -> float | None:
    """Return an estimate of the largest error that projecting a query makes.

    The cover of a random half of the public points is compared with the class on the other half,
    over five splits. The missed mass falls as one over the number of points, so half of the mean is
    the estimate. Of very many points a part is compared, and the result scaled likewise.
    """
    behaviours = _behaviours(cover)
    if behaviours.shape[1] < 4:
        return None
    found = [_missed(*_halves(behaviours, split)) for split in range(_SPLITS)]
    return float(np.mean(found) * behaviours.shape[1] / len(cover.public))


def _missed(known: Signs, other: Signs) -> float:
    """Return the largest share on which a concept and its projection differ."""
    packed = np.packbits(known > 0, axis=1)
    keys = np.ascontiguousarray(packed).view(np.dtype((np.void, packed.shape[1]))).ravel()
    order = np.argsort(keys, kind="stable")
    starts = np.flatnonzero(np.r_[True, keys[order][1:] != keys[order][:-1]])
    sizes = np.diff(np.r_[starts, len(order)])
    middles = np.empty(len(order), dtype=np.int64)
    middles[order] = np.repeat(order[starts + sizes // 2], sizes)
    worst = (other != other[middles]).sum(axis=1).max()
    return float(worst / other.shape[1])


def sampling_error(cover: Cover[Any, Any], size: int) -> float | None:
    """Return an estimate of the largest distance of a sample of so many records on any query.

    It is half of how far two halves of the public points are apart, which is about what the whole
    public sample is off, times the root of the quotient of both sizes.
    """
    behaviours = _behaviours(cover)
    points = behaviours.shape[1]
    if points < 4:
        return None
    apart = []
    for split in range(_SPLITS):
        first, second = (half.mean(axis=1) for half in _halves(behaviours, split))
        apart.append(float(np.abs(first - second).max()))
    return float(np.mean(apart)) / 2 * sqrt(points / size)


def misfit(before: Sequence[Floats], transcript: Sequence[tuple[int, int]], size: int) -> float:
    """Return how badly the queries that were found last were answered before."""
    last = range(len(transcript) - max(1, len(transcript) // 4), len(transcript))
    asked = ((before[i], *transcript[i]) for i in last if i >= 0)
    errors = [abs(2 * value / size - 1 - float(answers[query])) for answers, query, value in asked]
    return sum(errors) / len(errors) if errors else 0.0
