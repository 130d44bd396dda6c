"""Labelled samples, held in memory or drawn when they are looked at.

Points of a large domain are 64-bit integers. A learner asks a sample for the examples at some
positions; because the examples of an i.i.d. sample are independent, one that is never asked for
need not be drawn, and a learner that subsamples sixty million examples runs in a second.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Protocol, TypeAlias, runtime_checkable

import numpy as np
import numpy.typing as npt

from ccsim.appearance import one_line
from ccsim.arguments.checked import checked_fields, checked_types
from ccsim.data import validated
from ccsim.errors import DomainError
from ccsim.exact.fractions import probability_vector

Points: TypeAlias = npt.NDArray[np.uint64]
Bits: TypeAlias = npt.NDArray[np.bool_]


@runtime_checkable
class Sample(Protocol):
    """A sequence of labelled examples."""

    def __len__(self) -> int:
        """Return the number of examples."""

    def take(self, positions: npt.NDArray[np.int64]) -> tuple[Points, Bits]:
        """Return points and labels of the examples at distinct positions."""

    def positives(self, start: int, stop: int) -> Points:
        """Return the distinct points of the positive examples in a range of positions."""


@checked_fields
@one_line
@dataclass(frozen=True, slots=True, eq=False)
class TabledSample:
    """A sample held in memory.

    Attributes
    ----------
    points : array of uint64
    labels : array of bool, of the same length

    Examples
    --------
    >>> sample = TabledSample.of([(3, 1), (5, 0)])
    >>> len(sample), sample.take(np.array([1]))[0].tolist()
    (2, [5])
    """

    points: Points
    labels: Bits

    def __post_init__(self) -> None:
        if self.points.shape != self.labels.shape or self.points.ndim != 1:
            raise DomainError(
                f"points and labels must be lists of one length, not {self.points.shape} and "
                + (f"{self.labels.shape}")
            )

    @classmethod
    def of(cls, examples: Sequence[tuple[int, int]]) -> TabledSample:
        """Return the sample of the given examples."""
        points = np.array([x for x, _ in examples], dtype=np.uint64)
        return cls(points, np.array([bool(label) for _, label in examples], dtype=np.bool_))

    def __len__(self) -> int:
        return len(self.points)

    def take(self, positions: npt.NDArray[np.int64]) -> tuple[Points, Bits]:
        """Return points and labels of the examples at the positions."""
        return self.points[positions], self.labels[positions]

    def positives(self, start: int, stop: int) -> Points:
        """Return the distinct points of the positive examples in a range of positions."""
        return np.unique(self.points[start:stop][self.labels[start:stop]])


@validated
class Target:
    """A distribution on finitely many labelled points of a large domain.

    Attributes
    ----------
    points : tuple of int
        Distinct, below ``2**64``.
    masses : tuple of Fraction
        Probabilities of the points; they sum to 1.
    labels : tuple of int
        0 or 1 for each point.
    best : Fraction
        Error of the best concept, for agnostic learning, where a point may be there twice with
        different labels; 0 if a concept gives the labels.

    Examples
    --------
    >>> target = Target((7, 9), (Fraction(1, 4), Fraction(3, 4)), (1, 0))
    >>> target.error(np.array([True, True]))
    Fraction(3, 4)
    """

    points: tuple[int, ...]
    masses: tuple[Fraction, ...]
    labels: tuple[int, ...]
    best: Fraction = Fraction(0)

    def __post_init__(self) -> None:
        probability_vector(self.masses, "masses")
        if not len(self.points) == len(self.masses) == len(self.labels):
            raise DomainError(
                f"a target needs as many masses and labels as points, {len(self.points)}"
            )

    def error(self, predictions: Bits) -> Fraction:
        """Return the probability of the points on which predictions differ from the labels."""
        wrong = np.flatnonzero(predictions != np.array(self.labels, dtype=np.bool_))
        return sum((self.masses[i] for i in wrong), Fraction(0))

    def domain(self) -> Points:
        """Return the points as an array."""
        return np.array(self.points, dtype=np.uint64)


class DrawnSample:
    """An i.i.d. sample of a target whose examples are drawn when they are first asked for.

    Each position must be asked for at most once, which keeps the sample i.i.d.; every learner of
    this package does.

    Parameters
    ----------
    target : Target
    size : int
        Number of examples.
    rng : numpy.random.Generator

    Notes
    -----
    Rounding: the masses are rounded to doubles; the errors that are reported are exact.
    """

    @checked_types
    def __init__(self, target: Target, size: int, rng: np.random.Generator) -> None:
        self._size, self._rng = size, rng
        self._points = target.domain()
        self._labels = np.array(target.labels, dtype=np.bool_)
        masses = np.array([float(mass) for mass in target.masses])
        self._masses: npt.NDArray[Any] = masses / masses.sum()
        self._cumulative: npt.NDArray[Any] = np.cumsum(self._masses)

    def __len__(self) -> int:
        return self._size

    def take(self, positions: npt.NDArray[np.int64]) -> tuple[Points, Bits]:
        """Draw the examples at the positions."""
        drawn = np.searchsorted(self._cumulative, self._rng.random(len(positions)), side="right")
        drawn = np.minimum(drawn, len(self._points) - 1)
        return self._points[drawn], self._labels[drawn]

    def positives(self, start: int, stop: int) -> Points:
        """Draw which positive points occur in a range of positions, however long it is."""
        counts = self._rng.multinomial(stop - start, self._masses)
        return self._points[(counts > 0) & self._labels]
