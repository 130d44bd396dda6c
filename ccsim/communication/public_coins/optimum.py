"""What a search for the least error with public coins leaves.

Main definition: `Optimum`.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from ccsim.appearance import one_line
from ccsim.communication.partitions.proof import DistributionProof
from ccsim.communication.protocols.symmetric import SymmetricProtocol
from ccsim.communication.protocols.tables import PublicCoinProtocol

__all__ = ["Optimum"]


@one_line
@dataclass(frozen=True, slots=True)
class Optimum:
    """Bounds on the least error, equal unless time ran out, with their proofs and the method."""

    lower: Fraction
    upper: Fraction
    protocol: PublicCoinProtocol | SymmetricProtocol
    below: DistributionProof
    method: str
