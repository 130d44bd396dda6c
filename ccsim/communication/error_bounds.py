"""The least worst-case error of one-way protocols: bounds on it, and what proves them.

Main definition: `MinimaxResult`. What finds the bounds is in `ccsim.communication.minimax`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, ClassVar, Self

from ccsim.appearance import one_line
from ccsim.certificates import Answer, Certificate, encode_fraction, encode_integers
from ccsim.communication.colouring import ConflictTree
from ccsim.communication.hard_distribution import HardDistribution
from ccsim.communication.partitions.proof import DistributionProof
from ccsim.communication.private_coins.boxes import BoxTree
from ccsim.communication.private_coins.radon import RadonPartitions
from ccsim.communication.private_coins.two_messages import UnsortedInputs
from ccsim.communication.problem import CommunicationProblem
from ccsim.communication.protocols.symmetric import SymmetricProtocol
from ccsim.communication.protocols.tables import (
    DeterministicProtocol,
    PrivateCoinProtocol,
    PublicCoinProtocol,
)
from ccsim.exact import ceil_log2

__all__ = ["COINS", "MinimaxResult"]

COINS = ("public", "private", "deterministic")
"""Kinds of coins."""


@one_line
@dataclass(frozen=True, slots=True)
class MinimaxResult(Answer[Fraction]):
    """The least worst-case error, or bounds on it, with a protocol and a proof of the lower bound.

    Attributes
    ----------
    problem : CommunicationProblem
    messages : int
    coins : str
        ``"public"``, ``"private"`` or ``"deterministic"``.
    lower, upper : Fraction
        Bounds on the least error on the worst input inside the promise; equal when it is known.
    protocol : PublicCoinProtocol, SymmetricProtocol, PrivateCoinProtocol or DeterministicProtocol
        Certificate from above: ``upper`` is its largest error.
    below : DistributionProof, RadonPartitions, UnsortedInputs, BoxTree or ConflictTree
        Certificate from below: a hard distribution, or what holds for private coins or for
        deterministic protocols alone.
    method : str
        How the bounds were found.
    """

    quantity: ClassVar[str] = "the least error"

    problem: CommunicationProblem
    messages: int
    coins: str
    lower: Fraction
    upper: Fraction
    protocol: PublicCoinProtocol | SymmetricProtocol | PrivateCoinProtocol | DeterministicProtocol
    below: DistributionProof | RadonPartitions | UnsortedInputs | BoxTree | ConflictTree
    method: str

    @property
    def bits(self) -> int:
        """Length of a message in bits."""
        return ceil_log2(self.messages)

    @property
    def distribution(self) -> HardDistribution | None:
        """The hard distribution that proves the lower bound, if one does."""
        if self.coins == "deterministic" or not isinstance(self.below, DistributionProof):
            return None
        return self.below.distribution

    @property
    def proof(self) -> RadonPartitions | UnsortedInputs | BoxTree | None:
        """What proves the lower bound for private coins alone, if it holds for these alone."""
        return None if isinstance(self.below, DistributionProof | ConflictTree) else self.below

    def without_lower(self) -> Self:
        """Return the result with the lower bound 0, which needs no proof."""
        nothing = HardDistribution(((*self.problem.inputs()[0], 1),))
        return replace(self, lower=Fraction(0), below=DistributionProof(nothing))

    def certificate(self) -> Certificate:
        """Return the certificate for the kernel."""
        bounds = {"lower": encode_fraction(self.lower), "upper": encode_fraction(self.upper)}
        return Certificate(
            "minimax_error",
            self.problem.to_json(),
            {"messages": encode_integers([self.messages])[0], "coins": self.coins, **bounds},
            self.lower_proof(),
            {"protocol": {"tables": self.protocol.to_json()}},
        )

    def lower_proof(self) -> dict[str, Any]:
        """Return the lower side of a certificate."""
        if isinstance(self.below, DistributionProof | ConflictTree):
            return self.below.to_json()
        return self.below.lower_proof(self.problem, self.messages)
