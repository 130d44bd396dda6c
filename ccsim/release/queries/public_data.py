"""Query release assisted by public data: the algorithm of `pap`, and what it is compared with.

The public points choose a cover, the private records are counted on its cells, and every query of
the class is answered by its projection. Only the private records are protected; whatever the
public ones are, the privacy statement is the same.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from fractions import Fraction
from math import log, sqrt
from typing import Any, TypeVar

import numpy as np

from ccsim.arguments.checked import checked_types
from ccsim.data import validated
from ccsim.errors import DomainError
from ccsim.exact import Epsilon, as_fraction
from ccsim.exact.probability import SYSTEM, Randomness
from ccsim.privacy.noise import GeometricNoise
from ccsim.release.queries.accounting import affordable_round
from ccsim.release.queries.covers import Counts, Cover, Floats
from ccsim.release.queries.error_estimate import (
    ErrorEstimate,
    misfit,
    projection_error,
    sampling_error,
)
from ccsim.release.queries.multiplicative_weights import MultiplicativeWeights
from ccsim.release.queries.query_release import METHODS, QueryRelease

FEWEST_ROUNDS, MOST_ROUNDS = 4, 40
_GOAL = 0.03
"""Deviation of a measured answer that the default number of rounds aims at."""

Record = TypeVar("Record", bound=Hashable)
Concept = TypeVar("Concept")


def mixed_start(cover: Cover[Any, Any], share: Fraction) -> tuple[Fraction, ...]:
    """Return a share of the public records' distribution on the cells, and the rest uniform."""
    part = as_fraction(share, "share of public records", 0)
    if part >= 1:
        raise DomainError(f"share of public records must be below 1, not {part}")
    counts = cover.counts(cover.public)
    even = (1 - part) / cover.cells
    return tuple(even + part * Fraction(int(n), len(cover.public)) for n in counts)


@validated
class WeightsOptions:
    """How private multiplicative weights are run."""

    form: str = "worst-query"  # see `MultiplicativeWeights`
    # at least 1; By default as many, from 4 to 40, as can be measured with a deviation of at most
    # 0.03 of an answer: a function of the budget and the number of records
    rounds: int | None = None
    threshold: Fraction = Fraction(1, 4)
    # how much of the weights at the start is the public sample's; 0 is the paper's algorithm
    public_share: Fraction = Fraction(0)

    def weights(
        self, cover: Cover[Any, Any], size: int, epsilon: Epsilon, delta: Fraction
    ) -> MultiplicativeWeights:
        """Return the mechanism on so many records."""
        times = _default_rounds(self.form, size, epsilon, delta)
        times = times if self.rounds is None else self.rounds
        once = affordable_round(self.form, times, epsilon, delta)
        start = mixed_start(cover, self.public_share) if self.public_share else None
        return MultiplicativeWeights(cover, once, times, self.threshold, start=start)


@checked_types
def release_queries(
    cover: Cover[Record, Concept],
    private: Sequence[Record],
    epsilon: Epsilon,
    delta: Fraction,
    rng: Randomness = SYSTEM,
    method: str = "pap",
    options: WeightsOptions | None = None,
) -> QueryRelease[Record, Concept]:
    """Answer all queries of a class on private records, with the help of public ones.

    Complexity: that of `MultiplicativeWeights.draw`. Source: `pap` Algorithm 3.
    """
    budget, slack = Epsilon.of(epsilon), as_fraction(delta, "delta", 0)
    if slack >= 1:
        raise DomainError(f"delta must be below 1, not {slack}")
    if method not in METHODS:
        raise DomainError(f"method must be one of {', '.join(METHODS)}, not {method!r}")
    if method == "public":
        return _public(cover)
    if not len(private):
        raise DomainError("private sample must have a record")
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
    """Count with noise: a record that is replaced changes two counts by 1."""
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
    """Return the distribution of least Euclidean distance."""
    ordered = np.sort(values)[::-1]
    excess = (np.cumsum(ordered) - 1) / np.arange(1, len(values) + 1)
    cut = excess[np.flatnonzero(ordered > excess)[-1]]
    nearest: Floats = np.maximum(values - cut, 0)
    return nearest


def _distribution(cells: Floats) -> tuple[float, ...]:
    """Return weights of sum 1 in spite of rounding."""
    return tuple((cells / cells.sum()).tolist())
