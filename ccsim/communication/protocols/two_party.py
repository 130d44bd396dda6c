"""Protocols of any kind: the errors on a problem, as methods and functions."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from fractions import Fraction
from operator import itemgetter
from typing import Protocol, TypeAlias, runtime_checkable

from ccsim.arguments.checked import checked_types
from ccsim.budget import Budget, TimeLimit
from ccsim.classes.masks import members
from ccsim.communication.given import ProblemLike, as_problem
from ccsim.communication.hard_distribution import Distribution, as_distribution
from ccsim.communication.problem import CommunicationProblem
from ccsim.communication.protocols.play import Play
from ccsim.data import validated
from ccsim.errors import DomainError
from ccsim.exact import common_denominator

IntegerErrors: TypeAlias = Iterator[tuple[list[tuple[int, int]], int]]
"""For each input of Alice, Bob's inputs inside the promise with their errors, and their unit."""


@validated
class WorstInput:
    """The worst-case error of a protocol, and an input that attains it.

    Attributes
    ----------
    value : Fraction
        Largest error over the inputs inside the promise.
    x, y : int
        The first input, in row order, with that error.
    """

    value: Fraction
    x: int
    y: int


@runtime_checkable
class TwoPartyProtocol(Protocol):
    """Base class of all protocols, one-way and two-way."""

    __slots__ = ()

    @property
    @abstractmethod
    def num_alice(self) -> int:
        """Number of inputs of Alice."""

    @property
    @abstractmethod
    def num_bob(self) -> int:
        """Number of inputs of Bob."""

    @property
    @abstractmethod
    def cost_bits(self) -> int:
        """Number of bits that the players send, on the worst input and for the worst coins."""

    @abstractmethod
    def play(
        self, x: int | str, y: int | str, problem: ProblemLike | None = None, *, seed: int = 0
    ) -> Play:
        """Run the protocol on two inputs and return coins, messages and answer."""

    @abstractmethod
    def output_probability(self, x: int, y: int) -> Fraction:
        """Return the probability that Bob answers 1 on inputs ``x`` and ``y``."""

    def check_shape(self, problem: CommunicationProblem) -> None:
        """Raise `DomainError` unless the problem has the same numbers of inputs."""
        shape = (len(problem.alice), len(problem.bob))
        if (self.num_alice, self.num_bob) != shape:
            raise DomainError(
                f"the protocol has {self.num_alice} x {self.num_bob} inputs, "
                f"but the problem has {shape[0]} x {shape[1]}"
            )

    def error_on(self, problem: CommunicationProblem, x: int, y: int) -> Fraction:
        """Return the probability of a wrong answer on ``x`` and ``y``; 0 outside the promise."""
        value = problem.value(x, y)
        if value is None:
            return Fraction(0)
        one = self.output_probability(x, y)
        return 1 - one if value else one

    @checked_types
    def error_table(self, problem: ProblemLike) -> dict[tuple[int, int], Fraction]:
        """Return the error on every input inside the promise; see `ccsim.error_table`."""
        problem = as_problem(problem)
        self.check_shape(problem)
        return {
            (x, y): Fraction(wrong, unit)
            for x, (errors, unit) in enumerate(self._integer_errors(problem))
            for y, wrong in errors
        }

    @checked_types
    def worst_error(self, problem: ProblemLike, *, time_limit: TimeLimit = None) -> WorstInput:
        """Return the largest error over the inputs inside the promise; see `ccsim.worst_error`."""
        budget = Budget.of(time_limit)
        problem = as_problem(problem, budget)
        self.check_shape(problem)
        worst = WorstInput(Fraction(-1), 0, 0)
        for x, (errors, unit) in enumerate(budget.each(self._integer_errors(problem))):
            y, wrong = max(errors, key=itemgetter(1), default=(0, -2 * unit))
            if (error := Fraction(wrong, unit)) > worst.value:
                worst = WorstInput(error, x, y)
        return worst

    @checked_types
    def expected_error(self, problem: ProblemLike, distribution: Distribution) -> Fraction:
        """Return the expected error under a distribution; see `ccsim.expected_error`."""
        problem = as_problem(problem)
        self.check_shape(problem)
        given = as_distribution(distribution)
        for x, y, _ in given.weights:
            if x >= len(problem.alice) or y >= len(problem.bob):
                raise DomainError(
                    f"distribution must be on pairs of inputs of the problem, not on ({x}, {y})"
                )
        weighed = given.as_mapping().items()
        return sum(
            (weight * self.error_on(problem, *cell) for cell, weight in weighed), Fraction(0)
        )

    def _integer_errors(self, problem: CommunicationProblem) -> IntegerErrors:
        """Yield, for each input of Alice, the errors as integers in a unit, and the unit.

        Fractions would be slow to add.
        """
        for x, inside in enumerate(problem.promise):
            errors = [self.error_on(problem, x, y) for y in members(inside)]
            unit = common_denominator(errors)
            yield [(y, int(e * unit)) for y, e in zip(members(inside), errors, strict=True)], unit


@checked_types
def error_on(protocol: TwoPartyProtocol, problem: CommunicationProblem, x: int, y: int) -> Fraction:
    """Return the probability of a wrong answer on inputs ``x`` and ``y``; 0 outside the promise.

    Parameters
    ----------
    protocol : TwoPartyProtocol
    problem : CommunicationProblem
    x, y : int
        Numbers of the inputs of Alice and Bob.

    Examples
    --------
    >>> from ccsim import DeterministicProtocol, equality
    >>> constant = DeterministicProtocol((0, 0), (0b00,), 2)
    >>> error_on(constant, equality(2), 0, 0), error_on(constant, equality(2), 0, 1)
    (Fraction(1, 1), Fraction(0, 1))
    """
    return protocol.error_on(problem, x, y)


@checked_types
def error_table(
    protocol: TwoPartyProtocol, problem: ProblemLike
) -> dict[tuple[int, int], Fraction]:
    """Return the error on every input inside the promise.

    Complexity: the number of inputs times the number of components of the protocol.

    Parameters
    ----------
    protocol : TwoPartyProtocol
    problem : CommunicationProblem, ConceptClass, INSTANCE text or matrix

    Examples
    --------
    >>> from ccsim import DeterministicProtocol, equality
    >>> constant = DeterministicProtocol((0, 0), (0b00,), 2)
    >>> [str(error) for error in error_table(constant, equality(2)).values()]
    ['1', '0', '0', '1']
    """
    return protocol.error_table(problem)


@checked_types
def worst_error(
    protocol: TwoPartyProtocol, problem: ProblemLike, *, time_limit: TimeLimit = None
) -> WorstInput:
    """Return the largest error over the inputs inside the promise (`fx` section 2.3).

    Parameters
    ----------
    protocol : TwoPartyProtocol
    problem : CommunicationProblem, ConceptClass, INSTANCE text or matrix
        A problem with the same numbers of inputs as the protocol.
    time_limit : float or Budget, optional
        Seconds after which `NotDecidedError` is raised.

    Raises
    ------
    NotDecidedError
        If the time limit is reached first.

    Examples
    --------
    >>> from ccsim import DeterministicProtocol, equality
    >>> worst_error(DeterministicProtocol((0, 1), (0b01, 0b10), 2), equality(2)).value
    Fraction(0, 1)
    """
    return protocol.worst_error(problem, time_limit=time_limit)


@checked_types
def expected_error(
    protocol: TwoPartyProtocol,
    problem: ProblemLike,
    distribution: Distribution,
) -> Fraction:
    """Return the expected error under a distribution over inputs.

    Parameters
    ----------
    protocol : TwoPartyProtocol
    problem : CommunicationProblem, ConceptClass, INSTANCE text or matrix
    distribution : mapping from (x, y) to probability, matrix of probabilities, or HardDistribution
        Probability outside the promise contributes no error.

    Examples
    --------
    >>> from ccsim import DeterministicProtocol, equality
    >>> D = {(0, 0): Fraction(1, 3), (0, 1): Fraction(2, 3)}
    >>> expected_error(DeterministicProtocol((0, 0), (0b00,), 2), equality(2), D)
    Fraction(1, 3)
    """
    return protocol.expected_error(problem, distribution)
