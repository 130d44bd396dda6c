"""The error of a one-way protocol: on an input, in the worst case, under a distribution."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from operator import itemgetter

from ccsim.appearance import one_line
from ccsim.border import checked_fields, checked_types
from ccsim.budget import Budget, TimeLimit
from ccsim.certificates import Certificate, encode_fraction
from ccsim.classes.masks import members
from ccsim.communication.given import ProblemLike, as_problem
from ccsim.communication.hard_distribution import Distribution, as_distribution
from ccsim.communication.problem import CommunicationProblem
from ccsim.communication.protocols.one_way import OneWayProtocol
from ccsim.communication.protocols.symmetric import SymmetricProtocol
from ccsim.communication.protocols.tables import (
    DeterministicProtocol,
    PrivateCoinProtocol,
    PublicCoinProtocol,
)
from ccsim.errors import CertificateError, DomainError
from ccsim.exact import common_denominator
from ccsim.symmetry.groups import orbits_of
from ccsim.symmetry.matrix import Symmetry

__all__ = [
    "WorstInput",
    "error_on",
    "error_table",
    "expected_error",
    "protocol_certificate",
    "worst_error",
]


@checked_fields
@one_line
@dataclass(frozen=True, slots=True)
class WorstInput:
    """The largest error of a protocol and an input where it is made.

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


def check_shape(protocol: OneWayProtocol, problem: CommunicationProblem) -> None:
    """Refuse a protocol whose numbers of inputs are not those of the problem.

    Raises
    ------
    DomainError
    """
    shape = (len(problem.alice), len(problem.bob))
    if (protocol.num_alice, protocol.num_bob) != shape:
        raise DomainError(
            f"the protocol is for {protocol.num_alice} x {protocol.num_bob} inputs, "
            f"the problem has {shape[0]} x {shape[1]}"
        )


@checked_types
def error_on(protocol: OneWayProtocol, problem: CommunicationProblem, x: int, y: int) -> Fraction:
    """Return the probability of a wrong answer on inputs ``x`` and ``y``; 0 outside the promise.

    Examples
    --------
    >>> from ccsim.communication.problem import equality
    >>> constant = DeterministicProtocol((0, 0), (0b00,), 2)
    >>> error_on(constant, equality(2), 0, 0), error_on(constant, equality(2), 0, 1)
    (Fraction(1, 1), Fraction(0, 1))
    """
    value = problem.value(x, y)
    if value is None:
        return Fraction(0)
    one = protocol.output_probability(x, y)
    return 1 - one if value else one


@checked_types
def error_table(protocol: OneWayProtocol, problem: ProblemLike) -> dict[tuple[int, int], Fraction]:
    """Return the error on every input inside the promise.

    A symmetric protocol for a problem that has its symmetries errs on each input as the average of
    its components over the input's orbit.

    Complexity: inputs times components of the protocol.

    Raises
    ------
    DomainError
        If protocol and problem have different shapes.
    """
    problem = as_problem(problem)
    check_shape(protocol, problem)
    if isinstance(protocol, SymmetricProtocol) and _symmetric(problem, protocol.symmetries):
        base = error_table(protocol.base, problem)
        moves = (
            [(cell, symmetry.cell(*cell)) for cell in base] for symmetry in protocol.symmetries
        )
        orbits: dict[tuple[int, int], list[tuple[int, int]]] = {}
        for cell, first in orbits_of(base, moves).items():
            orbits.setdefault(first, []).append(cell)
        means = {
            first: sum((base[cell] for cell in orbit), Fraction(0)) / len(orbit)
            for first, orbit in orbits.items()
        }
        return {cell: means[first] for first, orbit in orbits.items() for cell in orbit}
    return {
        (x, y): Fraction(wrong, unit)
        for x, (errors, unit) in enumerate(_integer_errors(protocol, problem))
        for y, wrong in errors
    }


def _integer_errors(
    protocol: OneWayProtocol, problem: CommunicationProblem
) -> Iterator[tuple[list[tuple[int, int]], int]]:
    """Yield for each input of Alice Bob's inputs inside the promise with their errors, in a unit.

    Fractions would be slow to add.
    """
    if isinstance(protocol, DeterministicProtocol):
        protocol = protocol.to_public_coin()
    if isinstance(protocol, PublicCoinProtocol):
        yield from _errors_of_mixture(protocol, problem)
    elif isinstance(protocol, PrivateCoinProtocol):
        yield from _errors_of_tables(protocol, problem)
    else:
        for x, inside in enumerate(problem.promise):
            errors = [error_on(protocol, problem, x, y) for y in members(inside)]
            unit = common_denominator(errors)
            yield [(y, int(e * unit)) for y, e in zip(members(inside), errors, strict=True)], unit


def _errors_of_mixture(
    protocol: PublicCoinProtocol, problem: CommunicationProblem
) -> Iterator[tuple[list[tuple[int, int]], int]]:
    unit = common_denominator(protocol.weights)
    parts = [
        (int(weight * unit), component)
        for weight, component in zip(protocol.weights, protocol.components, strict=True)
    ]
    for x, (ones, inside) in enumerate(zip(problem.ones, problem.promise, strict=True)):
        shares = [0] * protocol.num_bob
        for share, component in parts:
            for y in members((component.bob[component.alice[x]] ^ ones) & inside):
                shares[y] += share
        yield [(y, shares[y]) for y in members(inside)], unit


def _errors_of_tables(
    protocol: PrivateCoinProtocol, problem: CommunicationProblem
) -> Iterator[tuple[list[tuple[int, int]], int]]:
    grid = common_denominator(p for row in protocol.bob for p in row)
    bob = [[p.numerator * (grid // p.denominator) for p in row] for row in protocol.bob]
    for law, ones, inside in zip(protocol.alice, problem.ones, problem.promise, strict=True):
        unit = common_denominator(law)
        answers = [0] * protocol.num_bob
        for p, row in zip(law, bob, strict=True):
            if share := int(p * unit):
                answers = [one + share * a for one, a in zip(answers, row, strict=True)]
        scale = unit * grid
        yield (
            [(y, scale - answers[y] if ones >> y & 1 else answers[y]) for y in members(inside)],
            scale,
        )


def _symmetric(problem: CommunicationProblem, symmetries: tuple[Symmetry, ...]) -> bool:
    """Whether the problem has all these symmetries."""
    try:
        for symmetry in symmetries:
            symmetry.verify(problem.ones, len(problem.bob), problem.promise)
    except CertificateError:
        return False
    return True


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
    budget = Budget.of(time_limit)
    problem = as_problem(problem, budget)
    check_shape(protocol, problem)
    if isinstance(protocol, SymmetricProtocol):
        table = error_table(protocol, problem)
        x, y = max(table, key=lambda cell: (table[cell], [-c for c in cell]))
        return WorstInput(table[x, y], x, y)
    worst = WorstInput(Fraction(-1), 0, 0)
    for x, (errors, unit) in enumerate(_integer_errors(protocol, problem)):
        budget.spend()
        y, wrong = max(errors, key=itemgetter(1), default=(0, -2 * unit))
        if (error := Fraction(wrong, unit)) > worst.value:
            worst = WorstInput(error, x, y)
    return worst


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
    problem = as_problem(problem)
    check_shape(protocol, problem)
    given = as_distribution(distribution)
    for x, y, _ in given.weights:
        if x >= len(problem.alice) or y >= len(problem.bob):
            raise DomainError(
                f"distribution must be on pairs of inputs of the problem, ({x}, {y}) is none"
            )
    return sum(
        (
            weight * error_on(protocol, problem, *cell)
            for cell, weight in given.as_mapping().items()
        ),
        Fraction(0),
    )


@checked_types
def protocol_certificate(
    protocol: DeterministicProtocol | PrivateCoinProtocol | PublicCoinProtocol | SymmetricProtocol,
    problem: CommunicationProblem,
) -> Certificate:
    """Return the certificate that the protocol's worst error is what it is, from both sides."""
    worst = worst_error(protocol, problem)
    value = encode_fraction(worst.value)
    return Certificate(
        "protocol_error",
        problem.to_json(),
        {"protocol": protocol.to_json(), "lower": value, "upper": value},
        {"input": {"cell": [worst.x, worst.y]}},
        {"all_inputs": {}},
    )
