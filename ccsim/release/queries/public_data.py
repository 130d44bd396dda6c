"""Query release assisted by public data: the algorithm of `pap`, and methods for comparison."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Hashable, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import accumulate
from math import log, sqrt
from typing import Any, Generic, Self, TypeVar

import numpy as np

from ccsim.arguments.checked import checked_types
from ccsim.arguments.values import show_value
from ccsim.data import frozen, validated
from ccsim.errors import DomainError, InstanceTooLargeError
from ccsim.exact import Epsilon, as_fraction
from ccsim.exact.probability import SYSTEM, Randomness, uniform_numbers
from ccsim.privacy.noise import GeometricNoise
from ccsim.release.queries.covers import Counts, Cover, Floats, Signs
from ccsim.release.queries.multiplicative_weights import (
    Accounting,
    MultiplicativeWeights,
    Transcript,
    affordable_round,
)

FEWEST_ROUNDS, MOST_ROUNDS = 4, 40
_GOAL = 0.03  # deviation of a measured answer that the default number of rounds aims at

Record = TypeVar("Record", bound=Hashable)
Concept = TypeVar("Concept")


def mixed_start(cover: Cover[Any, Any], share: Fraction) -> tuple[Fraction, ...]:
    """Return a mixture of the public records' distribution on the cells and the uniform one."""
    part = as_fraction(share, "share of public records", 0)
    if part >= 1:
        raise DomainError(f"share of public records must be below 1, not {part}")
    counts = cover.counts(cover.public)
    even = (1 - part) / cover.cells
    return tuple(even + part * Fraction(int(n), len(cover.public)) for n in counts)


@validated
class WeightsOptions:
    """Options of private multiplicative weights."""

    form: str = "worst-query"  # see `MultiplicativeWeights`
    rounds: int | None = None  # by default 4 to 40, with a deviation of 0.03 if possible
    threshold: Fraction = Fraction(1, 4)
    public_share: Fraction = Fraction(0)  # of the weights at the start; 0 in the paper

    def weights(
        self, cover: Cover[Any, Any], size: int, epsilon: Epsilon, delta: Fraction
    ) -> MultiplicativeWeights:
        """Return the mechanism for a given number of records."""
        times = _default_rounds(self.form, size, epsilon, delta)
        times = times if self.rounds is None else self.rounds
        once = affordable_round(self.form, times, epsilon, delta)
        start = mixed_start(cover, self.public_share) if self.public_share else None
        return MultiplicativeWeights(cover, once, times, self.threshold, start=start)


@checked_types
def release_queries(
    cover: Cover[Record, Concept],
    private: Sequence[Record],
    epsilon: Epsilon | Fraction | int | str,
    delta: Fraction | int | str,
    rng: Randomness = SYSTEM,
    method: str = "pap",
    options: WeightsOptions | None = None,
) -> QueryRelease[Record, Concept]:
    """Answer all queries of a class on private records with public records (`pap` Algorithm 3)."""
    budget, slack = Epsilon.of(epsilon), as_fraction(delta, "delta", 0)
    if slack >= 1:
        raise DomainError(f"delta must be below 1, not {slack}")
    if method not in METHODS:
        raise DomainError(f"method must be one of {', '.join(METHODS)}, not {method!r}")
    if method == "public":
        return _public(cover)
    if not len(private):
        raise DomainError("private sample must have at least one record, not 0")
    counts = cover.counts(private)
    if method == "histogram":
        return _histogram(cover, counts, budget, rng)
    size, weights = (
        len(private),
        (options or WeightsOptions()).weights(cover, len(private), budget, slack),
    )
    transcript, stages = weights.run(counts, rng)
    noise = 2 * weights.round.noise.deviation / size * sqrt(2 * log(2 * weights.rounds))
    estimate = ErrorEstimate(
        None if method == "private" else projection_error(cover),
        misfit([stage.answers for stage in stages], transcript, size),
        noise,
        None if method == "private" else sampling_error(cover, size),
    )
    return QueryRelease(
        method,
        cover,
        tuple(stages[-1].released.tolist()),
        _distribution(stages[-1].cells),
        budget,
        slack,
        weights.accounting(slack),
        transcript,
        estimate,
    )


def _default_rounds(form: str, size: int, epsilon: Epsilon, delta: Fraction) -> int:
    for times in range(MOST_ROUNDS, FEWEST_ROUNDS, -1):
        if 2 * affordable_round(form, times, epsilon, delta).noise.deviation <= _GOAL * size:
            return times
    return FEWEST_ROUNDS


def _public(cover: Cover[Record, Concept]) -> QueryRelease[Record, Concept]:
    counts = cover.counts(cover.public).astype(np.float64)
    cells = counts / counts.sum()
    estimate = ErrorEstimate(0.0, 0.0, 0.0, sampling_error(cover, len(cover.public)))
    answers, none = tuple(cover.sums(cells).tolist()), Epsilon(Fraction(0))
    shares = _distribution(cells)
    return QueryRelease("public", cover, answers, shares, none, Fraction(0), None, (), estimate)


def _histogram(
    cover: Cover[Record, Concept], counts: Counts, epsilon: Epsilon, rng: Randomness
) -> QueryRelease[Record, Concept]:
    """Answer all queries by noisy counts of cells; replacing a record changes two counts by 1."""
    drawn = GeometricNoise(epsilon, 2)
    noisy = counts + drawn.draw(len(counts), rng)
    size = int(counts.sum())
    cells = _nearest_distribution(noisy / size)
    noise = 2 * drawn.deviation * sqrt(cover.cells) / size
    estimate = ErrorEstimate(projection_error(cover), 0.0, noise, sampling_error(cover, size))
    answers, shares = tuple(cover.sums(cells).tolist()), _distribution(cells)
    return QueryRelease(
        "histogram", cover, answers, shares, epsilon, Fraction(0), None, (), estimate
    )


def _nearest_distribution(values: Floats) -> Floats:
    """Return the probability distribution at minimum Euclidean distance from a vector."""
    ordered = np.sort(values)[::-1]
    excess = (np.cumsum(ordered) - 1) / np.arange(1, len(values) + 1)
    cut = excess[np.flatnonzero(ordered > excess)[-1]]
    nearest: Floats = np.maximum(values - cut, 0)
    return nearest


def _distribution(cells: Floats) -> tuple[float, ...]:
    """Return weights divided by their sum, which rounding may have changed from 1."""
    return tuple((cells / cells.sum()).tolist())


METHODS = ("pap", "private", "public", "histogram")  # ways to answer the queries of a cover

MAX_SYNTHETIC = 1 << 24  # maximum number of synthetic records of one release

_UNIT = 1 << 53


@frozen
class QueryRelease(Generic[Record, Concept]):
    """Answers to all queries of a class."""

    method: str  # one of `METHODS`
    cover: Cover[Record, Concept]
    answers: tuple[float, ...]  # the answer, from -1 to 1, to each concept of the cover
    cells: tuple[float, ...]  # the distribution on the cells that it knows of, for synthetic data
    epsilon: Epsilon  # 0 if no private record was looked at
    delta: Fraction
    accounting: Accounting | None  # what the rounds cost, if there were rounds
    transcript: Transcript  # the measured queries with their values
    estimate: ErrorEstimate

    def answer(self, concept: Concept) -> float:
        """Return the answer to any query of the class, from its projection."""
        return self.answers[self.cover.project(concept)]

    def paid_for(self, method: str, epsilon: Epsilon, noise: float) -> Self:
        """Return the same answers, with the epsilon of the method that produced them."""
        estimate = replace(self.estimate, projection=None, noise=noise, sampling=None)
        return replace(self, method=method, epsilon=epsilon, estimate=estimate)

    def synthetic(self, number: int, rng: Randomness = SYSTEM) -> tuple[Record, ...]:
        """Return records at representatives of the cells, drawn with a precision of ``2^-53``."""
        if number < 0:
            raise DomainError(f"number of records must be at least 0, not {show_value(number)}")
        if number > MAX_SYNTHETIC:
            raise InstanceTooLargeError(
                f"number of records must be at most {MAX_SYNTHETIC}, not {show_value(number)}"
            )
        ends = list(accumulate(round(_UNIT * share) for share in self.cells))
        drawn = uniform_numbers(ends[-1], number, rng)
        return tuple(self.cover.representative(bisect_right(ends, place)) for place in drawn)


_SPLITS = 5  # how often the public points are split at random
_MOST_SIGNS = 1 << 22  # most signs of concepts on public points that are looked at


@frozen
class ErrorEstimate:
    """Estimates (not bounds) of the parts of the largest error; answers range from -1 to 1."""

    projection: float | None  # twice the mass on which a query and its projection differ
    fit: float  # how badly the queries found in the last quarter of the rounds were answered before
    noise: float  # how far the largest of the noises of all measurements moves an answer
    sampling: float | None  # how far the sample is from the distribution on some query


def _halves(behaviours: Signs, split: int) -> tuple[Signs, Signs]:
    """Return the behaviours on two random, but reproducible, halves of the public points."""
    order = np.random.default_rng(split).permutation(behaviours.shape[1])
    middle = len(order) // 2
    return behaviours[:, order[:middle]], behaviours[:, order[middle:]]


def _behaviours(cover: Cover[Any, Any]) -> Signs:
    """Return the signs of all concepts on the public points, or on a limited number of them."""
    most = max(4, _MOST_SIGNS // cover.concepts)
    if len(cover.public) <= most:
        return cover.behaviours()
    chosen = np.random.default_rng(0).choice(len(cover.public), size=most, replace=False)
    return cover.columns([cover.cell(cover.public[i]) for i in chosen])


def projection_error(cover: Cover[Any, Any]) -> float | None:
    """Return an estimate of the largest error caused by the projection of a query to the cover.

    The public points are split into halves five times. The result is half the mean distance of the
    cover of one half from the class on the other half, because the missed mass is inversely
    proportional to the number of points.
    """
    behaviours = _behaviours(cover)
    if behaviours.shape[1] < 4:
        return None
    found = [_missed(*_halves(behaviours, split)) for split in range(_SPLITS)]
    return float(np.mean(found) * behaviours.shape[1] / len(cover.public))


def _missed(known: Signs, other: Signs) -> float:
    """Return the largest fraction of points on which a concept and its projection differ."""
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
    """Estimate the distance of a sample from its distribution, from halves of the public points."""
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
    """Return the mean error of the last selected queries before their selection."""
    last = range(len(transcript) - max(1, len(transcript) // 4), len(transcript))
    asked = ((before[i], *transcript[i]) for i in last if i >= 0)
    errors = [abs(2 * value / size - 1 - float(answers[query])) for answers, query, value in asked]
    return sum(errors) / len(errors) if errors else 0.0
