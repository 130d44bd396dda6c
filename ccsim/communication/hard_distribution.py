"""Distributions over inputs on which every deterministic protocol with few messages errs.

By Yao's principle (`fx` eq. 2.1) such a distribution bounds the error of public-coin protocols from
below. `HardDistribution.check` proves its bound by tables over classes of inputs, by potentials, or
by branch and bound over Alice's maps; it shares no code with the search.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import comb, gcd
from typing import Any, Self

import numpy as np

from ccsim.communication.problem import CommunicationProblem
from ccsim.errors import CertificateError, DomainError
from ccsim.exact import common_denominator, probability_vector

__all__ = ["HardDistribution", "bound_by_potentials", "least_expected_error"]

MAX_ROWS_WITH_POTENTIALS = 22
_ROWS_OF_TABLES, _ROWS_OF_TWO = 20, 25
_FEW_CHOICES = 1 << 16

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

    def check(
        self,
        problem: CommunicationProblem,
        messages: int,
        bound: Fraction,
        potentials: Sequence[Fraction] = (),
    ) -> None:
        """Prove that no deterministic protocol with so many messages has error below ``bound``.

        Parameters
        ----------
        potentials : sequence of Fraction, optional
            One for each row that has weight: then `bound_by_potentials` must give the bound;
            otherwise the least error is recomputed.

        Raises
        ------
        CertificateError
            With the protocol's error that is below the bound, or the cell outside the promise.

        Notes
        -----
        Complexity: exponential in the number of weighted rows; about 20 rows; seconds up to 16.
        """
        self.check_inputs(problem)
        if potentials:
            proved = bound_by_potentials(problem, self, messages, potentials)
            if proved < bound:
                msg = f"the potentials prove that the error is at least {proved}, not {bound}"
                raise CertificateError(msg)
            return
        least = least_expected_error(problem, self, messages)
        if least < bound:
            msg = f"a protocol with {messages} messages has error {least}, less than {bound}"
            raise CertificateError(msg)

    def check_inputs(self, problem: CommunicationProblem) -> None:
        """Check that all weight lies inside the promise of a problem.

        Raises
        ------
        CertificateError
            With the first cell outside.
        """
        for x, y, _ in self.weights:
            if x >= len(problem.alice) or y >= len(problem.bob) or problem.value(x, y) is None:
                msg = f"cell ({x}, {y}) of the distribution lies outside the promise"
                raise CertificateError(msg)

    def signed_rows(self, problem: CommunicationProblem) -> dict[int, dict[int, int]]:
        """Return the weights by row and column, positive on value 1 and negative on value 0."""
        rows: dict[int, dict[int, int]] = {}
        for x, y, w in self.weights:
            rows.setdefault(x, {})[y] = w if problem.value(x, y) else -w
        return rows

    def to_json(self) -> dict[str, Any]:
        """Return the distribution as a part of a certificate."""
        return {"total": self.total, "weights": [list(cell) for cell in self.weights]}


def bound_by_potentials(
    problem: CommunicationProblem,
    mu: HardDistribution,
    messages: int,
    potentials: Sequence[Fraction],
) -> Fraction:
    """Return the bound on the error of deterministic protocols that potentials of rows prove.

    Let ``e`` be the largest excess of the sum of the potentials of a class over its cost, the empty
    class included. Then a partition into ``messages`` classes costs at least the sum of all
    potentials minus ``messages * e``.

    Raises
    ------
    CertificateError
        If there is not one potential for each row that has weight, or there are too many rows.

    Examples
    --------
    >>> from ccsim.communication.problem import equality
    >>> mu = HardDistribution.from_integers(
    ...     [(x, y, 1 + (x == y)) for x in range(3) for y in range(3)]
    ... )
    >>> bound_by_potentials(equality(3), mu, 2, [Fraction(2)] * 3)
    Fraction(1, 6)
    """
    rows = list(mu.signed_rows(problem).values())
    if len(potentials) != len(rows) or len(rows) > MAX_ROWS_WITH_POTENTIALS:
        msg = (
            f"potentials are for as many rows as have weight and at most "
            f"{MAX_ROWS_WITH_POTENTIALS}, not {len(potentials)} for {len(rows)}"
        )
        raise CertificateError(msg)
    unit = common_denominator(potentials)
    largest = unit * mu.total + sum(abs(int(u * unit)) for u in potentials)
    dtype = _dtype(largest)
    excess = over_classes([int(u * unit) for u in potentials], dtype)
    most = int((excess - unit * class_costs(rows, dtype)).max())
    return (sum(potentials, Fraction(0)) - messages * Fraction(most, unit)) / mu.total


def _dtype(largest: int) -> Any:  # noqa: ANN401 - a type of numpy or object
    return np.int64 if largest < 1 << 61 else object


def over_classes(values: Sequence[int], dtype: Any) -> Any:  # noqa: ANN401 - arrays of either type
    """Return the sum of the values of each class, classes numbered by bit mask."""
    sums = np.zeros(1, dtype=dtype)
    for value in values:
        sums = np.concatenate([sums, sums + value])
    return sums


def class_costs(
    rows: Sequence[Mapping[int, int]],
    dtype: Any,  # noqa: ANN401
    included: Sequence[Mapping[int, int]] = (),
) -> Any:  # noqa: ANN401
    """Return what each class costs: in every column the lighter of its ones and its zeros.

    Parameters
    ----------
    rows : sequence of mappings from column to signed weight
    dtype : type of the entries
    included : sequence of the same mappings, optional
        Further rows that all the classes contain.
    """
    costs = np.zeros(1 << len(rows), dtype=dtype)
    for y in {y for row in (*rows, *included) for y in row}:
        sides = []
        for sign in (1, -1):
            side = over_classes([max(sign * row.get(y, 0), 0) for row in rows], dtype)
            side += sum(max(sign * row.get(y, 0), 0) for row in included)
            sides.append(side)
        costs += np.minimum(*sides)
    return costs


def least_expected_error(
    problem: CommunicationProblem, mu: HardDistribution, messages: int
) -> Fraction:
    """Return the least error under ``mu`` of a deterministic protocol.

    Where Bob has few columns all his answers are compared. Up to 20 rows (25 for two messages),
    class after class is joined to every set of rows that the earlier classes can cover. Beyond,
    rows are sent one after another into the classes of Alice's partition; what the remaining rows
    cost alone bounds what they add, because the cost of a union is at least the sum of the costs;
    those suffix optima are found first, from the last row backwards.

    Examples
    --------
    >>> from ccsim.communication.problem import equality
    >>> mu = HardDistribution.from_integers([(0, 0, 1), (0, 1, 1), (1, 0, 1), (1, 1, 1)])
    >>> least_expected_error(equality(2), mu, 1), least_expected_error(equality(2), mu, 2)
    (Fraction(1, 2), Fraction(0, 1))
    """
    rows = list(mu.signed_rows(problem).values())
    if messages >= len(rows):
        return Fraction(0)
    columns = sorted({y for row in rows for y in row})
    if len(columns) <= 6 and comb(1 << len(columns), messages) <= _FEW_CHOICES:
        told = min(messages, 1 << len(columns))
        return Fraction(_least_over_answers(rows, columns, told), mu.total)
    if messages == 2 and len(rows) <= _ROWS_OF_TWO:
        return Fraction(_least_of_two(rows, columns, mu.total), mu.total)
    if len(rows) <= _ROWS_OF_TABLES:
        return Fraction(_joined(class_costs(rows, _dtype(mu.total)), messages), mu.total)
    ordered = sorted(rows, key=lambda row: sum(map(abs, row.values())))
    suffix = [0] * (len(ordered) + 1)
    for start in range(len(ordered) - 1, -1, -1):
        suffix[start] = _cheapest(ordered, start, messages, suffix)
    return Fraction(suffix[0], mu.total)


def _least_over_answers(
    rows: Sequence[Mapping[int, int]], columns: Sequence[int], messages: int
) -> int:
    """Least cost over all choices of Bob's answers, each row served by the best of them."""
    errors = []
    for answers in range(1 << len(columns)):
        wrong = [[(w > 0) != answers >> columns.index(y) & 1 for y, w in r.items()] for r in rows]
        errors.append(
            [
                sum(abs(w) for w, bad in zip(r.values(), each, strict=True) if bad)
                for r, each in zip(rows, wrong, strict=True)
            ]
        )
    served = (map(min, zip(*q, strict=True)) for q in combinations(errors, messages))
    return min(map(sum, served))


def _least_of_two(rows: Sequence[Mapping[int, int]], columns: Sequence[int], total: int) -> int:
    """Least cost of two classes: what both majorities save, the first row in the first class."""
    dtype = _dtype(total)
    saved = np.zeros(1 << len(rows) - 1, dtype=dtype)
    for y in columns:
        first, *others = (row.get(y, 0) for row in rows)
        inside = over_classes(others, dtype)
        inside += first
        saved += np.abs(inside)
        inside -= first + sum(others)
        saved += np.abs(inside)
    return (total - int(saved.max())) // 2


def _joined(costs: Any, messages: int) -> int:  # noqa: ANN401 - an array of either type
    """Least cost of a partition: each class joins the lowest row left to some of those above it."""
    everything = len(costs) - 1
    covered = {0: 0}  # what the classes so far cover, and the least cost of covering it
    for _ in range(messages - 1):
        reached = np.full(len(costs), costs[everything], dtype=costs.dtype)
        seen = np.zeros(len(costs), dtype=bool)
        for done, cost in covered.items():
            left = everything & ~done
            lowest = left & -left
            classes = lowest | _sets_within(left ^ lowest)
            unions = done | classes
            reached[unions] = np.minimum(reached[unions], cost + costs[classes])
            seen[unions] = True
        covered = {int(S): reached[S] for S in np.flatnonzero(seen) if everything != S}
    return int(min([cost + costs[everything & ~done] for done, cost in covered.items()]))


def _sets_within(rows: int) -> Any:  # noqa: ANN401 - an array of bit masks
    found = np.zeros(1, dtype=np.int64)
    for x in range(rows.bit_length()):
        if rows >> x & 1:
            found = np.concatenate([found, found | 1 << x])
    return found


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
