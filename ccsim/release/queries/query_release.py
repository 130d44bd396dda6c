"""Answers to all queries of a class, as a release hands them out."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Hashable
from dataclasses import replace
from fractions import Fraction
from itertools import accumulate
from typing import Generic, Self, TypeVar

from ccsim.arguments.values import show_value
from ccsim.data import frozen
from ccsim.errors import DomainError, InstanceTooLargeError
from ccsim.exact import Epsilon
from ccsim.exact.probability import SYSTEM, Randomness, uniform_numbers
from ccsim.release.queries.accounting import Accounting
from ccsim.release.queries.covers import Cover
from ccsim.release.queries.error_estimate import ErrorEstimate
from ccsim.release.queries.weights import Transcript

METHODS = ("pap", "private", "public", "histogram")
"""Ways to answer the queries of a cover."""

MAX_SYNTHETIC = 1 << 24
"""Most synthetic records that are drawn at once."""

_UNIT = 1 << 53

Record = TypeVar("Record", bound=Hashable)
Concept = TypeVar("Concept")


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
        """Return the answer to any query of the class, by its projection."""
        return self.answers[self.cover.project(concept)]

    def paid_for(self, method: str, epsilon: Epsilon, noise: float) -> Self:
        """Return the same answers, got by another method that costs epsilon.

        The noise is part of its error; what was estimated from the points of the cover is dropped,
        because they are no public sample.
        """
        estimate = replace(self.estimate, projection=None, noise=noise, sampling=None)
        return replace(self, method=method, epsilon=epsilon, estimate=estimate)

    def synthetic(self, number: int, rng: Randomness = SYSTEM) -> tuple[Record, ...]:
        """Return records at representatives of the cells, drawn from the distribution.

        Probabilities are multiples of ``2^-53``, as the distribution is in floats.
        """
        if number < 0:
            raise DomainError(f"number of records must be at least 0, not {show_value(number)}")
        if number > MAX_SYNTHETIC:
            raise InstanceTooLargeError(
                f"number of records is limited to {MAX_SYNTHETIC}, got {show_value(number)}"
            )
        ends = list(accumulate(round(_UNIT * share) for share in self.cells))
        drawn = uniform_numbers(ends[-1], number, rng)
        return tuple(self.cover.representative(bisect_right(ends, place)) for place in drawn)
