"""The least worst-case error of one-way protocols: bounds on it, what proves them, and the check.

Main definition: `MinimaxResult`. What finds the bounds is in `ccsim.communication.minimax`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, ClassVar, Self

from ccsim.budget import Budget, TimeLimit
from ccsim.certificates import Certificate, encode_fraction, encode_fractions
from ccsim.communication.colouring import check_uncolourable
from ccsim.communication.hard_distribution import HardDistribution
from ccsim.communication.partitions.proof import PartitionProof
from ccsim.communication.private_coins.boxes import BoxTree
from ccsim.communication.private_coins.radon import RadonPartitions
from ccsim.communication.private_coins.two_messages import UnsortedInputs
from ccsim.communication.problem import CommunicationProblem
from ccsim.communication.protocols.error import worst_error
from ccsim.communication.protocols.symmetric import SymmetricProtocol
from ccsim.communication.protocols.tables import (
    DeterministicProtocol,
    PrivateCoinProtocol,
    PublicCoinProtocol,
)
from ccsim.errors import CertificateError
from ccsim.exact import ceil_log2
from ccsim.exact.bounds import Bounds, check_fields

__all__ = ["COINS", "MinimaxResult"]

COINS = ("public", "private", "deterministic")
"""Kinds of coins."""


@dataclass(frozen=True, slots=True)
class MinimaxResult(Bounds[Fraction]):
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
        Certificate from above: its error is at most ``upper`` on every input.
    distribution : HardDistribution or None
        Certificate from below, unless the coins are deterministic or there is a ``proof``: every
        deterministic protocol with so many messages errs at least ``lower`` under it. For
        deterministic protocols the check colours again.
    method : str
        How the bounds were found.
    proof : RadonPartitions, UnsortedInputs, BoxTree or None
        Certificate from below that holds for private coins alone.
    potentials : tuple of Fraction
        Where they help, one for each input of Alice that has weight in the distribution: a proof
        of its bound that is checked faster than by recomputing (`HardDistribution.check`).
    partitions : PartitionProof or None
        A proof of the distribution's bound where recomputing would be too long.
    """

    quantity: ClassVar[str] = "the least error"

    problem: CommunicationProblem
    messages: int
    coins: str
    lower: Fraction
    upper: Fraction
    protocol: PublicCoinProtocol | SymmetricProtocol | PrivateCoinProtocol | DeterministicProtocol
    distribution: HardDistribution | None
    method: str
    proof: RadonPartitions | UnsortedInputs | BoxTree | None = None
    potentials: tuple[Fraction, ...] = ()
    partitions: PartitionProof | None = None

    @property
    def bits(self) -> int:
        """Length of a message in bits."""
        return ceil_log2(self.messages)

    def check(self, time_limit: TimeLimit = None) -> None:
        """Check both directions from the definitions, the lower bound last.

        Parameters
        ----------
        time_limit : float or Budget, optional

        Raises
        ------
        CertificateError
            With the input on which the protocol errs more, or the protocol that errs less.
        OutOfTimeError
            If the lower bound takes longer to check.
        """
        check_fields(self)
        self._check_coins()
        if self.protocol.messages > self.messages:
            raise CertificateError(
                f"the protocol uses {self.protocol.messages} messages, not {self.messages}"
            )
        worst = worst_error(self.protocol, self.problem)
        if worst.value > self.upper:
            x, y = self.problem.alice[worst.x], self.problem.bob[worst.y]
            raise CertificateError(
                f"the protocol errs {worst.value} on ({x}, {y}), more than {self.upper}"
            )
        budget = Budget.of(time_limit)
        if isinstance(self.proof, BoxTree):
            self.proof.check(self.problem, self.messages, self.lower, budget)
        elif self.proof is not None:
            self.proof.check(self.problem, self.messages, self.lower)
        elif self.distribution is not None and self.partitions is not None:
            self.partitions.check(
                self.problem, self.distribution, self.messages, self.lower, budget
            )
        elif self.distribution is not None:
            self.distribution.check(
                self.problem, self.messages, self.lower, self.potentials, budget
            )
        elif self.lower > 0:
            check_uncolourable(self.problem, self.messages, budget)
        self.check_order(Fraction(0), Fraction(1))

    def without_lower(self) -> Self:
        """Return the result with the lower bound 0, which needs no proof."""
        nothing = HardDistribution(((*self.problem.inputs()[0], 1),))
        return replace(
            self,
            lower=Fraction(0),
            distribution=None if self.coins == "deterministic" else nothing,
            proof=None,
            potentials=(),
            partitions=None,
        )

    def _check_coins(self) -> None:
        """Check that protocol and proof are of the kind that the coins ask for."""
        if self.coins not in COINS:
            raise CertificateError(f"coins must be one of {', '.join(COINS)}, not {self.coins!r}")
        if isinstance(self.protocol, PublicCoinProtocol | SymmetricProtocol) != (
            self.coins == "public"
        ) or (
            self.coins == "deterministic" and not isinstance(self.protocol, DeterministicProtocol)
        ):
            raise CertificateError(f"the protocol is not {self.coins}")
        if self.coins != "private" and self.proof is not None:
            raise CertificateError(
                f"the proof of the lower bound holds for private coins alone, not {self.coins}"
            )
        if self.coins != "deterministic":
            if self.distribution is None and self.proof is None and self.lower > 0:
                raise CertificateError(
                    f"no distribution proves that the error is at least {self.lower}"
                )
        elif not {self.lower, self.upper} <= {0, 1}:
            raise CertificateError(
                f"the worst error of a deterministic protocol is 0 or 1, not {self.upper}"
            )

    def certificate(self) -> Certificate:
        """Return the certificate for the kernel."""
        bounds = {"lower": encode_fraction(self.lower), "upper": encode_fraction(self.upper)}
        return Certificate(
            "minimax_error",
            self.problem.to_json(),
            {"messages": self.messages, "coins": self.coins, **bounds},
            self.lower_proof(),
            {"protocol": self.protocol.to_json()},
        )

    def lower_proof(self) -> dict[str, Any]:
        """Return the lower side of a certificate; where it is empty the checker recomputes."""
        if self.proof is not None:
            return self.proof.to_json()
        if self.distribution is None:
            return {}
        proof: dict[str, Any] = {"distribution": self.distribution.to_json()}
        if self.potentials:
            proof["potentials"] = encode_fractions(self.potentials)
        elif self.partitions is not None:
            proof["partitions"] = self.partitions.to_json()
        return proof
