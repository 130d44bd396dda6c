"""What is known of the least error with public coins, and where it is known without a search."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from ccsim.communication.hard_distribution import HardDistribution
from ccsim.communication.partitions.proof import PartitionProof
from ccsim.communication.problem import CommunicationProblem
from ccsim.communication.protocols.symmetric import SymmetricProtocol
from ccsim.communication.protocols.tables import DeterministicProtocol, PublicCoinProtocol
from ccsim.communication.public_coins.domination import Reduced

__all__ = ["Optimum", "without_error", "without_message"]


@dataclass(frozen=True, slots=True)
class Optimum:
    """Bounds on the least error, equal unless time ran out, with their proofs and the method."""

    lower: Fraction
    upper: Fraction
    protocol: PublicCoinProtocol | SymmetricProtocol
    distribution: HardDistribution
    method: str
    potentials: tuple[Fraction, ...] = ()
    partitions: PartitionProof | None = None


def without_error(problem: CommunicationProblem, reduced: Reduced) -> Optimum:
    """Every remaining input of Alice has a message of its own."""
    bob = [
        sum(1 << j for j, y in enumerate(reduced.columns) if problem.ones[x] >> y & 1)
        for x in reduced.rows
    ]
    table = DeterministicProtocol(tuple(range(len(bob))), tuple(bob or [0]), len(reduced.columns))
    x, y = problem.inputs()[0]
    point = HardDistribution(((x, y, 1),))
    zero = Fraction(0)
    return Optimum(zero, zero, reduced.lift(table).to_public_coin(), point, "trivial")


def without_message(problem: CommunicationProblem, reduced: Reduced) -> Optimum:
    """Let a fair coin answer for Bob; two inputs of Alice that he cannot tell apart forbid better.

    Every remaining column takes both values, or it would have been removed as constant.
    """
    everyone, width, half = (0,) * len(reduced.rows), len(reduced.columns), Fraction(1, 2)
    protocol = PublicCoinProtocol.mixture(
        (half, reduced.lift(DeterministicProtocol(everyone, (answers,), width)))
        for answers in (0, (1 << width) - 1)
    )
    y = reduced.columns[0]
    zero = next(x for x in reduced.rows if problem.value(x, y) == 0)
    one = next(x for x in reduced.rows if problem.value(x, y) == 1)
    hard = HardDistribution.from_integers([(zero, y, 1), (one, y, 1)])
    return Optimum(half, half, protocol, hard, "coin")
