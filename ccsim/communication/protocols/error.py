"""The error of a one-way protocol as functions; the methods of protocols have the same names."""

from __future__ import annotations

from fractions import Fraction

from ccsim.arguments.checked import checked_types
from ccsim.budget import TimeLimit
from ccsim.certificates import Certificate, encode_fraction
from ccsim.communication.given import ProblemLike
from ccsim.communication.hard_distribution import Distribution
from ccsim.communication.problem import CommunicationProblem
from ccsim.communication.protocols.one_way import OneWayProtocol, WorstInput
from ccsim.communication.protocols.symmetric import SymmetricProtocol
from ccsim.communication.protocols.tables import (
    DeterministicProtocol,
    PrivateCoinProtocol,
    PublicCoinProtocol,
)


@checked_types
def error_on(protocol: OneWayProtocol, problem: CommunicationProblem, x: int, y: int) -> Fraction:
    """Return the probability of a wrong answer on inputs ``x`` and ``y``; 0 outside the promise.

    Parameters
    ----------
    protocol : OneWayProtocol
    problem : CommunicationProblem
    x, y : int
        Numbers of the inputs of Alice and Bob.

    Examples
    --------
    >>> from ccsim.communication.problem import equality
    >>> constant = DeterministicProtocol((0, 0), (0b00,), 2)
    >>> error_on(constant, equality(2), 0, 0), error_on(constant, equality(2), 0, 1)
    (Fraction(1, 1), Fraction(0, 1))
    """
    return protocol.error_on(problem, x, y)


@checked_types
def error_table(protocol: OneWayProtocol, problem: ProblemLike) -> dict[tuple[int, int], Fraction]:
    """Return the error on every input inside the promise.

    Complexity: inputs times components of the protocol.

    Parameters
    ----------
    protocol : OneWayProtocol
    problem : CommunicationProblem, ConceptClass, INSTANCE text or matrix

    Raises
    ------
    DomainError
        If protocol and problem have different shapes.

    Examples
    --------
    >>> from ccsim.communication.problem import equality
    >>> constant = DeterministicProtocol((0, 0), (0b00,), 2)
    >>> [str(error) for error in error_table(constant, equality(2)).values()]
    ['1', '0', '0', '1']
    """
    return protocol.error_table(problem)


@checked_types
def worst_error(
    protocol: OneWayProtocol, problem: ProblemLike, *, time_limit: TimeLimit = None
) -> WorstInput:
    """Return the largest error over the inputs inside the promise (`fx` section 2.3).

    Parameters
    ----------
    protocol : OneWayProtocol
    problem : CommunicationProblem, ConceptClass, INSTANCE text or matrix
        Of the same shape.
    time_limit : float or Budget, optional
        Seconds after which nothing is known.

    Raises
    ------
    DomainError
        If protocol and problem have different shapes.
    NotDecidedError
        If the time limit is over before.

    Examples
    --------
    >>> from ccsim.communication.problem import equality
    >>> worst_error(DeterministicProtocol((0, 1), (0b01, 0b10), 2), equality(2)).value
    Fraction(0, 1)
    """
    return protocol.worst_error(problem, time_limit=time_limit)


@checked_types
def expected_error(
    protocol: OneWayProtocol,
    problem: ProblemLike,
    distribution: Distribution,
) -> Fraction:
    """Return the error under a distribution over inputs.

    Parameters
    ----------
    distribution : mapping from (x, y) to probability, matrix of them, or HardDistribution
        What it puts outside the promise costs nothing.

    Raises
    ------
    DomainError
        If it is none, or not on pairs of inputs of the problem.

    Examples
    --------
    >>> from ccsim.communication.problem import equality
    >>> D = {(0, 0): Fraction(1, 3), (0, 1): Fraction(2, 3)}
    >>> expected_error(DeterministicProtocol((0, 0), (0b00,), 2), equality(2), D)
    Fraction(1, 3)
    """
    return protocol.expected_error(problem, distribution)


@checked_types
def protocol_certificate(
    protocol: DeterministicProtocol | PrivateCoinProtocol | PublicCoinProtocol | SymmetricProtocol,
    problem: CommunicationProblem,
) -> Certificate:
    """Return the certificate that the protocol's worst error is what it is, from both sides.

    Parameters
    ----------
    protocol : DeterministicProtocol, PrivateCoinProtocol, PublicCoinProtocol or SymmetricProtocol
    problem : CommunicationProblem

    Examples
    --------
    >>> from ccsim.communication.problem import equality
    >>> constant = DeterministicProtocol((0, 0), (0b00,), 2)
    >>> protocol_certificate(constant, equality(2)).kind
    'protocol_error'
    """
    worst = worst_error(protocol, problem)
    value = encode_fraction(worst.value)
    return Certificate(
        "protocol_error",
        problem.to_json(),
        {"protocol": protocol.to_json(), "lower": value, "upper": value},
        {"input": {"cell": [worst.x, worst.y]}},
        {"all_inputs": {}},
    )
