"""Distributions over inputs on which every deterministic protocol with few messages errs.

By Yao's principle (`fx` eq. 2.1) such a distribution bounds the error of public-coin protocols from
below. `HardDistribution.check` proves its bound by branch and bound over Alice's maps; it shares no
code with the subset tables that the search uses.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import gcd
from typing import Any, Self

from ccsim.communication.problem import CommunicationProblem
from ccsim.errors import CertificateError, DomainError
from ccsim.exact import common_denominator, probability_vector

__all__ = ["HardDistribution", "least_expected_error"]

Cell = tuple[int, int]


@dataclass(frozen=True, slots=True)
class HardDistribution:
    """A distribution over pairs of inputs as positive integers and their sum.

    Attributes
    ----------
    weights : tuple of (x, y, w)
        Cells in increasing order with positive integer weights of greatest common divisor 1.

    Examples
    --------
    >>> mu = HardDistribution.from_mapping({(0, 0): Fraction(1, 3), (1, 1): Fraction(2, 3)})
    >>> mu.weights, mu.total
    (((0, 0, 1), (1, 1, 2)), 3)
    """

    weights: tuple[tuple[int, int, int], ...]

    def __post_init__(self) -> None:
        cells = [(x, y) for x, y, _ in self.weights]
        if not cells or cells != sorted(set(cells)) or min(w for *_, w in self.weights) < 1:
            msg = "weights must be positive integers on distinct cells in increasing order"
            raise DomainError(msg)
        if min(min(cell) for cell in cells) < 0:
            msg = f"cells must be pairs of input numbers from 0, not {min(cells, key=min)}"
            raise DomainError(msg)

    @classmethod
    def from_mapping(cls, mu: Mapping[Cell, Fraction | int | str]) -> Self:
        """Return the distribution with the given probabilities (non-negative, sum 1)."""
        probabilities = probability_vector(mu.values(), "mu")
        scale = common_denominator(probabilities)
        return cls.from_integers(
            (x, y, int(p * scale)) for (x, y), p in zip(mu, probabilities, strict=True)
        )

    @classmethod
    def from_matrix(cls, mu: Iterable[Iterable[Fraction | int | str]]) -> Self:
        """Return the distribution whose probabilities stand in a matrix, rows Alice's inputs.

        Examples
        --------
        >>> HardDistribution.from_matrix([["1/2", 0], [0, "1/2"]]).weights
        ((0, 0, 1), (1, 1, 1))
        """
        return cls.from_mapping({(x, y): p for x, row in enumerate(mu) for y, p in enumerate(row)})

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
        """Return the probability of each cell that has any."""
        total = self.total
        return {(x, y): Fraction(w, total) for x, y, w in self.weights}

    def check(self, problem: CommunicationProblem, messages: int, bound: Fraction) -> None:
        """Prove that no deterministic protocol with so many messages has error below ``bound``.

        Raises
        ------
        CertificateError
            With the protocol's error that is below the bound, or the cell outside the promise.

        Notes
        -----
        Complexity: exponential in the number of weighted rows; about 16 rows.
        """
        for x, y, _ in self.weights:
            if x >= len(problem.alice) or y >= len(problem.bob) or problem.value(x, y) is None:
                msg = f"cell ({x}, {y}) of the distribution lies outside the promise"
                raise CertificateError(msg)
        least = least_expected_error(problem, self, messages)
        if least < bound:
            msg = f"a protocol with {messages} messages has error {least}, less than {bound}"
            raise CertificateError(msg)

    def to_json(self) -> dict[str, Any]:
        """Return the distribution as a part of a certificate."""
        return {"total": self.total, "weights": [list(cell) for cell in self.weights]}


def least_expected_error(
    problem: CommunicationProblem, mu: HardDistribution, messages: int
) -> Fraction:
    """Return the least error under ``mu`` of a deterministic protocol, by branch and bound.

    Rows are sent one after another into the classes of Alice's partition. What the remaining rows
    cost alone bounds what they add, because the cost of a union is at least the sum of the costs;
    those suffix optima are found first, from the last row backwards.

    Examples
    --------
    >>> from ccsim.communication.problem import equality
    >>> mu = HardDistribution.from_integers([(0, 0, 1), (0, 1, 1), (1, 0, 1), (1, 1, 1)])
    >>> least_expected_error(equality(2), mu, 1), least_expected_error(equality(2), mu, 2)
    (Fraction(1, 2), Fraction(0, 1))
    """
    rows: dict[int, dict[int, int]] = {}
    for x, y, w in mu.weights:  # a positive weight stands for value 1, a negative one for value 0
        rows.setdefault(x, {})[y] = w if problem.value(x, y) else -w
    ordered = sorted(rows.values(), key=lambda row: sum(map(abs, row.values())))
    suffix = [0] * (len(ordered) + 1)
    for start in range(len(ordered) - 1, -1, -1):
        suffix[start] = _cheapest(ordered, start, messages, suffix)
    return Fraction(suffix[0], mu.total)


def _cheapest(rows: list[dict[int, int]], start: int, messages: int, suffix: list[int]) -> int:
    """Least cost of the rows from ``start`` on, given the least costs of all later suffixes."""
    best = suffix[start + 1] + sum(abs(w) for w in rows[start].values())
    classes: list[tuple[dict[int, int], dict[int, int]]] = []

    def place(i: int, cost: int) -> None:
        nonlocal best
        if cost + suffix[i] >= best and i > start:
            return
        if i == len(rows):
            best = cost
            return
        for members in classes:
            added = _add(members, rows[i])
            place(i + 1, cost + added)
            _remove(members, rows[i])
        if len(classes) < messages:
            classes.append(({}, {}))
            _add(classes[-1], rows[i])
            place(i + 1, cost)
            classes.pop()

    place(start, 0)
    return best


def _add(members: tuple[dict[int, int], dict[int, int]], row: dict[int, int]) -> int:
    """Put a row into a class and return by how much the class becomes more expensive."""
    ones, zeros = members
    added = 0
    for y, w in row.items():
        before = min(ones.get(y, 0), zeros.get(y, 0))
        side = ones if w > 0 else zeros
        side[y] = side.get(y, 0) + abs(w)
        added += min(ones.get(y, 0), zeros.get(y, 0)) - before
    return added


def _remove(members: tuple[dict[int, int], dict[int, int]], row: dict[int, int]) -> None:
    for y, w in row.items():
        members[0 if w > 0 else 1][y] -= abs(w)
