"""Input distributions under which every deterministic protocol with few messages errs.

By Yao's principle (`fx` eq. 2.1), the expected error bounds the public-coin error from below.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from math import gcd
from typing import Annotated, Self, TypeAlias

from ccsim.arguments.values import show_value
from ccsim.certificates.envelope import encode_integers
from ccsim.communication.problem import CommunicationProblem
from ccsim.data import validated
from ccsim.errors import CertificateError, DomainError
from ccsim.exact import common_denominator, probability_vector
from ccsim.exact.bounds import check_fields
from ccsim.texts.labels import rows_of

Cell = tuple[int, int]


@validated
class HardDistribution:
    """A distribution on pairs of inputs, given by positive integer weights.

    Attributes
    ----------
    weights : tuple of (x, y, w)
        Cells in increasing order, with positive integer weights whose greatest common divisor is 1.

    Examples
    --------
    >>> mu = HardDistribution.from_mapping({(0, 0): Fraction(1, 3), (1, 1): Fraction(2, 3)})
    >>> mu.weights, mu.total
    (((0, 0, 1), (1, 1, 2)), 3)
    """

    weights: tuple[tuple[int, int, int], ...]

    def __post_init__(self) -> None:
        check_fields(self, DomainError)
        cells = [(x, y) for x, y, _ in self.weights]
        if not cells or cells != sorted(set(cells)) or min(w for *_, w in self.weights) < 1:
            raise DomainError(
                "weights must be positive integers on distinct cells in increasing order"
            )
        if min(min(cell) for cell in cells) < 0:
            raise DomainError(
                f"cells must be pairs of non-negative integers, not {min(cells, key=min)}"
            )

    @classmethod
    def from_mapping(cls, distribution: Mapping[Cell, Fraction | int | str]) -> Self:
        """Return the distribution with the given probabilities (non-negative, sum 1)."""
        for cell in list[object](distribution):
            if not isinstance(cell, tuple) or [type(i) for i in cell] != [int, int]:
                raise DomainError(
                    f"distribution must be on pairs of input numbers, not on {show_value(cell)}"
                )
        probabilities = probability_vector(distribution.values(), "distribution")
        scale = common_denominator(probabilities)
        return cls.from_integers(
            (x, y, int(p * scale)) for (x, y), p in zip(distribution, probabilities, strict=True)
        )

    @classmethod
    def from_matrix(cls, matrix: Iterable[Iterable[Fraction | int | str]]) -> Self:
        """Return the distribution given by a matrix of probabilities; rows are inputs of Alice.

        Examples
        --------
        >>> HardDistribution.from_matrix([["1/2", 0], [0, "1/2"]]).weights
        ((0, 0, 1), (1, 1, 1))
        """
        rows = rows_of(matrix, "the distribution")
        return cls.from_mapping(
            {(x, y): p for x, row in enumerate(rows) for y, p in enumerate(row)}
        )

    @classmethod
    def from_integers(cls, weights: Iterable[tuple[int, int, int]]) -> Self:
        """Return the distribution proportional to non-negative integer weights."""
        positive = sorted((x, y, w) for x, y, w in weights if w)
        divisor = gcd(*(w for *_, w in positive))
        return cls(tuple((x, y, w // divisor) for x, y, w in positive))

    @property
    def total(self) -> int:
        """Sum of the weights."""
        return sum(w for *_, w in self.weights)

    def as_mapping(self) -> dict[Cell, Fraction]:
        """Return the probabilities of the cells in the support."""
        total = self.total
        return {(x, y): Fraction(w, total) for x, y, w in self.weights}

    def check_inputs(self, problem: CommunicationProblem) -> None:
        """Raise `CertificateError` unless all weight lies inside the promise of a problem."""
        for x, y, _ in self.weights:
            if x >= len(problem.alice) or y >= len(problem.bob) or problem.value(x, y) is None:
                raise CertificateError(
                    f"cell ({x}, {y}) of the distribution must lie inside the promise"
                )

    def signed_rows(self, problem: CommunicationProblem) -> dict[int, dict[int, int]]:
        """Return the weights of each row by column, negated where the value is 0."""
        rows: dict[int, dict[int, int]] = {}
        for x, y, w in self.weights:
            rows.setdefault(x, {})[y] = w if problem.value(x, y) else -w
        return rows

    def to_json(self) -> list[list[int | str]]:
        """Return the distribution for use in a certificate."""
        return [[x, y, *encode_integers([w])] for x, y, w in self.weights]


Probability: TypeAlias = Fraction | int | str
Distribution: TypeAlias = Annotated[
    Mapping[Cell, Probability] | Iterable[Iterable[Probability]] | HardDistribution,
    "a mapping from pairs of inputs to probabilities, or a matrix of them",
]
"""Accepted forms of a distribution on pairs of inputs."""


def as_distribution(given: Distribution) -> HardDistribution:
    """Return the distribution given in one of the accepted forms."""
    if isinstance(given, HardDistribution):
        return given
    if isinstance(given, Mapping):
        return HardDistribution.from_mapping(given)
    return HardDistribution.from_matrix(given)
