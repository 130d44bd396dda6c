"""Optimal public-coin protocols by column generation.

The least worst-case error is the value of a game between deterministic protocols and inputs (Yao's
principle, `fx` eq. 2.1). Columns (protocols) are generated from a float master program and priced
exactly by subset tables; the answer counts only after an exact solution of the restricted game
whose hard distribution survives exact pricing in integers.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import numpy as np

from ccsim.communication.domination import Reduced, reduce_problem
from ccsim.communication.hard_distribution import HardDistribution
from ccsim.communication.one_way import PublicCoinProtocol
from ccsim.communication.pricing import (
    best_answers,
    cheapest_partition,
    check_rows,
    good_partitions,
    subset_costs,
)
from ccsim.communication.problem import CommunicationProblem
from ccsim.exact import common_denominator
from ccsim.exact.growing_game import GrowingGame
from ccsim.exact.matrix_game import solve_integer_game

__all__ = ["Optimum", "Progress", "solve_public_coins"]

_FLOAT_SCALE = 1 << 40
_GAP = 1e-9
_TRIES, _TRIES_AT_THE_END = 10, 100

Progress = Callable[[float, float], None]

Optimum = tuple[Fraction, PublicCoinProtocol, HardDistribution, str]
"""Value, protocol that reaches it, distribution that forbids better, and how they were found."""


class _Columns:
    """The deterministic protocols generated so far, by the cells on which they err."""

    def __init__(self, reduced: Reduced, messages: int) -> None:
        self.reduced = reduced
        self.messages = messages
        self.cells = reduced.cells()
        self.number = {cell: i for i, cell in enumerate(self.cells)}
        self.protocols: list[tuple[list[int], list[int]]] = []
        self.errors: list[list[int]] = []
        self.master = GrowingGame(len(self.cells))
        self._known: set[tuple[int, ...]] = set()
        self._rng = np.random.default_rng(0)

    def price(self, weights: list[int], tries: int = _TRIES, enough: Fraction | None = None) -> int:
        """Add good protocols for integer weights on the cells and return the least cost.

        Nothing is added when the least cost is ``enough``.
        """
        matrix = self.reduced.signed(dict(zip(self.cells, weights, strict=True)))
        costs = subset_costs(matrix)
        cost, best = cheapest_partition(costs, self.messages)
        if cost == enough:
            return cost
        for classes in (best, *good_partitions(costs, self.messages, tries, self._rng)):
            self._add(classes, [best_answers(matrix, members) for members in classes])
        return cost

    def _add(self, classes: list[int], bob: list[int]) -> None:
        problem, reduced = self.reduced.problem, self.reduced
        answer = {
            i: bob[m]
            for m, members in enumerate(classes)
            for i in range(members.bit_length())
            if members >> i & 1
        }
        errors = [
            number
            for (i, j), number in self.number.items()
            if (answer[i] >> j & 1) != problem.value(reduced.rows[i], reduced.columns[j])
        ]
        if tuple(errors) not in self._known:
            self._known.add(tuple(errors))
            self.protocols.append((classes, bob))
            self.errors.append(errors)
            self.master.add_column(errors)

    def solve_exactly(self) -> tuple[Fraction, tuple[Fraction, ...], tuple[Fraction, ...]]:
        """Return value, weights of cells and weights of protocols of the game so far, exactly."""
        matrix = [[0] * len(self.errors) for _ in self.cells]
        for column, errors in enumerate(self.errors):
            for cell in errors:
                matrix[cell][column] = 1
        value, cells, protocols, _ = solve_integer_game(matrix)
        return value, cells, protocols


def solve_public_coins(
    problem: CommunicationProblem, messages: int, progress: Progress | None = None
) -> Optimum:
    """Return the least worst-case error of a public-coin protocol with both certificates.

    Raises
    ------
    InstanceTooLargeError
        If more than 16 inputs of Alice remain after covered ones are removed, and neither one
        message nor one for each of them settles the question.

    Examples
    --------
    >>> from ccsim.communication.problem import equality
    >>> value, protocol, distribution, _ = solve_public_coins(equality(3), 2)
    >>> value, protocol.messages, distribution.total
    (Fraction(2, 9), 2, 9)
    """
    reduced = reduce_problem(problem)
    if messages >= len(reduced.rows) or not reduced.cells():
        return _without_error(problem, reduced)
    if messages == 1:
        return _without_message(problem, reduced)
    check_rows(len(reduced.rows))
    columns = _Columns(reduced, messages)
    columns.price([1] * len(columns.cells))
    stable = [1 / len(columns.cells)] * len(columns.cells)
    stable_bound = 0.0
    while True:
        before = len(columns.errors)
        upper, floats = columns.master.solve()
        smoothed = [(a + b) / 2 for a, b in zip(floats, stable, strict=True)]
        for candidate in (smoothed, floats):
            weights = [round(w * _FLOAT_SCALE) for w in candidate]
            bound = columns.price(weights) / max(sum(weights), 1)
            if bound > stable_bound:
                stable, stable_bound = candidate, bound
        if progress is not None:
            progress(stable_bound, upper)
        if upper - stable_bound > _GAP and len(columns.errors) > before:
            continue
        value, mu, mixture = columns.solve_exactly()
        scale = common_denominator(mu)
        weights, least = [int(w * scale) for w in mu], value * scale
        if columns.price(weights, _TRIES_AT_THE_END, least) == least:
            return _result(columns, value, mu, mixture)


def _result(
    columns: _Columns, value: Fraction, mu: tuple[Fraction, ...], mixture: tuple[Fraction, ...]
) -> Optimum:
    reduced = columns.reduced
    protocol = PublicCoinProtocol.mixture(
        (weight, reduced.lift(classes, bob, columns.messages))
        for weight, (classes, bob) in zip(mixture, columns.protocols, strict=False)
        if weight
    )
    distribution = HardDistribution.from_mapping(
        {
            (reduced.rows[i], reduced.columns[j]): weight
            for (i, j), weight in zip(columns.cells, mu, strict=True)
        }
    )
    return value, protocol, distribution, "columns"


def _without_error(problem: CommunicationProblem, reduced: Reduced) -> Optimum:
    """Every remaining input of Alice has a message of its own."""
    classes = [1 << i for i in range(len(reduced.rows))]
    bob = [
        sum(1 << j for j, y in enumerate(reduced.columns) if problem.ones[x] >> y & 1)
        for x in reduced.rows
    ]
    protocol = reduced.lift(classes, bob, max(len(classes), 1)).to_public_coin()
    x, y = problem.inputs()[0]
    point = HardDistribution(((x, y, 1),))
    return Fraction(0), protocol, point, "trivial"


def _without_message(problem: CommunicationProblem, reduced: Reduced) -> Optimum:
    """Let a fair coin answer for Bob; two inputs of Alice that he cannot tell apart forbid better.

    Every remaining column takes both values, or it would have been removed as constant.
    """
    everyone, all_ones = (1 << len(reduced.rows)) - 1, (1 << len(reduced.columns)) - 1
    half = Fraction(1, 2)
    protocol = PublicCoinProtocol.mixture(
        (half, reduced.lift([everyone], [answers], 1)) for answers in (0, all_ones)
    )
    y = reduced.columns[0]
    zero = next(x for x in reduced.rows if problem.value(x, y) == 0)
    one = next(x for x in reduced.rows if problem.value(x, y) == 1)
    return half, protocol, HardDistribution.from_integers([(zero, y, 1), (one, y, 1)]), "coin"
