"""The linear program over all private learners with few examples of a tiny class.

A learner is a law on hypotheses for each multiset of labelled examples (reordering the sample
changes no success probability); privacy, and success on a target, are linear in it. The variables
are these probabilities and the failure probability, which is minimised.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations_with_replacement, product
from math import comb, factorial, prod
from typing import TypeAlias

from ccsim.appearance import one_line
from ccsim.budget import Budget, OutOfTimeError
from ccsim.errors import InstanceTooLargeError
from ccsim.exact.law import Law
from ccsim.learning.learners.occam import Example, labelled_examples
from ccsim.learning.learners.tabled import TabledLearner
from ccsim.learning.optimum.bounds import Flow, WeightedTarget
from ccsim.learning.optimum.subdivisions import Database, Distribution
from ccsim.privacy.neighbours import neighbouring_databases
from ccsim.programs import LinearProgram, OptimalSolution, solve_linear_program

__all__ = ["MAX_VARIABLES", "LearningProgram", "LearningSolution"]

MAX_VARIABLES = 1200
"""Most probabilities in the linear program."""

Hard: TypeAlias = tuple[int, Distribution]
"""A concept (bit mask) and a distribution over points."""
Row: TypeAlias = tuple[dict[int, int | Fraction], str, int]


@one_line
@dataclass(frozen=True, slots=True)
class LearningSolution:
    """The best learner for some targets, and the prices that prove that none is better.

    Attributes
    ----------
    value : Fraction
        Its failure probability on the worst of them.
    learner : TabledLearner
    targets : tuple of WeightedTarget
        Those that have a price; none if the value is 0.
    flows : tuple of Flow
    """

    value: Fraction
    learner: TabledLearner
    targets: tuple[WeightedTarget, ...]
    flows: tuple[Flow, ...]


def check_variables(num_points: int, samples: int) -> None:
    """Refuse a program with more than `MAX_VARIABLES` probabilities of a learner.

    Raises
    ------
    InstanceTooLargeError

    Examples
    --------
    >>> check_variables(2, 3)
    >>> check_variables(4, 3)
    Traceback (most recent call last):
    ...
    ccsim.errors.InstanceTooLargeError: 1920 probabilities of a learner are above the limit of 1200
    """
    if max(samples, 1 << min(num_points, MAX_VARIABLES)) > MAX_VARIABLES:  # each is a factor
        number = f"more than {MAX_VARIABLES}"
    else:
        variables = comb(2 * num_points + samples - 1, samples) << num_points
        if variables <= MAX_VARIABLES:
            return
        number = str(variables)
    raise InstanceTooLargeError(
        f"{number} probabilities of a learner are above the limit of {MAX_VARIABLES}"
    )


class LearningProgram:
    """The program for one class, number of examples, accuracy and privacy.

    Parameters
    ----------
    num_points : int
    samples : int
        At least 0.
    accuracy : Fraction
    factor : Fraction
        ``e^epsilon``.

    Raises
    ------
    InstanceTooLargeError
        If there are more than `MAX_VARIABLES` probabilities.
    """

    def __init__(self, num_points: int, samples: int, accuracy: Fraction, factor: Fraction) -> None:
        self._m, self._n, self._accuracy = num_points, samples, accuracy
        check_variables(num_points, samples)
        records = labelled_examples(num_points)
        self._databases = list(combinations_with_replacement(records, samples))
        self._hypotheses = range(1 << num_points)
        self._number = {key: i for i, key in enumerate(product(self._databases, self._hypotheses))}
        self._near = [
            pair
            for first, second in (neighbouring_databases(records, samples) if samples else ())
            for a, b in [(tuple(sorted(first)), tuple(sorted(second)))]
            for pair in product([(a, b), (b, a)], self._hypotheses)
        ]
        self._rows = [*self._laws(), *self._privacy(factor)]

    def _laws(self) -> Iterator[Row]:
        for database in self._databases:
            yield {self._number[database, h]: 1 for h in self._hypotheses}, "=", 1

    def _privacy(self, factor: Fraction) -> Iterator[Row]:
        for (first, second), h in self._near:
            yield {self._number[first, h]: 1, self._number[second, h]: -factor}, "<=", 0

    def _success(self, concept: int, distribution: Distribution) -> Row:
        """Return the constraint that the learner fails on a target no more than it says."""
        row: dict[int, int | Fraction] = {
            self._number[database, h]: chance
            for database, chance in _sample_law(concept, distribution, self._n)
            for h in self._hypotheses
            if chance and _error(concept ^ h, distribution) <= self._accuracy
        }
        return {**row, len(self._number): 1}, ">=", 1

    def solve(self, targets: Sequence[Hard], budget: Budget) -> LearningSolution:
        """Return the learner with the least failure probability on the worst of some targets.

        Raises
        ------
        OutOfTimeError
            If the program was not solved within the time of the budget.
        """
        failure = len(self._number)
        rows = [*self._rows, *(self._success(*target) for target in targets)]
        program = LinearProgram.minimise([0] * failure + [1], rows)
        left = budget.remaining if budget.limited else None
        solution = solve_linear_program(program, left)
        if not isinstance(solution, OptimalSolution):
            raise OutOfTimeError
        laws, primal = [], solution.primal
        for database in self._databases:
            masses = {h: primal[self._number[database, h]] for h in self._hypotheses}
            laws.append((database, Law[int].of({**masses})))
        prices = solution.dual[len(self._databases) :]
        flows = tuple(
            (first, second, h, -price)
            for ((first, second), h), price in zip(self._near, prices, strict=False)
            if price
        )
        weighted = tuple(
            (*target, price)
            for target, price in zip(targets, prices[len(self._near) :], strict=True)
            if price
        )
        learner = TabledLearner(self._m, tuple(laws))
        if not solution.value:  # which needs no proof
            return LearningSolution(solution.value, learner, (), ())
        return LearningSolution(solution.value, learner, weighted, flows)


def _error(wrong: int, distribution: Distribution) -> Fraction:
    return sum((w for x, w in enumerate(distribution) if wrong >> x & 1), Fraction(0))


def _sample_law(
    concept: int, distribution: Distribution, samples: int
) -> Iterator[tuple[Database, Fraction]]:
    """Yield the multisets of labelled examples of a target with their probabilities."""
    for drawn in combinations_with_replacement(range(len(distribution)), samples):
        ways = factorial(samples) // prod(factorial(drawn.count(x)) for x in set(drawn))
        chance = ways * prod((distribution[x] for x in drawn), start=Fraction(1))
        examples: list[Example] = sorted((x, concept >> x & 1) for x in drawn)
        yield tuple(examples), chance
