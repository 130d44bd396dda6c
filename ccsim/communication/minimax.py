"""The least worst-case error of a one-way protocol with a given number of messages.

Main definitions: `minimax_error`, `MinimaxResult`.

* Public coins: a game between protocols and inputs, solved exactly (`public_coins`).
* Deterministic protocols: the error on the worst input is 0 or 1; it is 0 when Alice's inputs can
  be coloured with the messages so that no two of a colour conflict (`colouring`).
* Private coins: the least error is irrational in general; it is enclosed, and known exactly where
  both bounds agree (`private_coins`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, ClassVar, Self

from ccsim.border import checked_types
from ccsim.budget import Budget, Progress, TimeLimit
from ccsim.certificates import Certificate, encode_fraction, encode_fractions
from ccsim.communication.colouring import colour_conflicts
from ccsim.communication.hard_distribution import HardDistribution
from ccsim.communication.partitions.proof import PartitionProof
from ccsim.communication.private_coins.bounds import bound_private_coins
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
from ccsim.communication.public_coins.solver import PublicCoinSolver
from ccsim.communication.uncolourable import check_uncolourable
from ccsim.errors import CertificateError, DomainError
from ccsim.exact import as_fraction, ceil_log2
from ccsim.exact.bounds import Bounds
from ccsim.exact.field_types import check_fields

__all__ = ["COINS", "DEFAULT_GAP", "MinimaxResult", "least_error", "minimax_error"]

COINS = ("public", "private", "deterministic")
"""Kinds of coins."""

DEFAULT_GAP = Fraction(1, 1000)
"""Distance of the bounds for private coins at which the search stops."""


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
            check_uncolourable(self.problem, self.messages)
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


@checked_types
def minimax_error(
    problem: CommunicationProblem,
    messages: int,
    coins: str = "public",
    progress: Progress | None = None,
    *,
    gap: Fraction | int | str = DEFAULT_GAP,
    time_limit: TimeLimit = None,
    target: Fraction | None = None,
) -> MinimaxResult:
    """Return the least worst-case error of a one-way protocol with ``messages`` messages.

    Parameters
    ----------
    problem : CommunicationProblem
        At most 20 inputs of Alice after covered ones are removed (25 for two messages, or with many
        symmetries), unless deterministic.
    messages : int
        At least 1; need not be a power of two.
    coins : str
        ``"public"`` or ``"deterministic"`` for the value; ``"private"`` for bounds, which agree
        where Radon's theorem or a distribution proves what a protocol reaches.
    progress : callable, optional
        Called with a float lower and upper estimate after every round.
    gap : Fraction, int or str
        For private coins: distance of the bounds at which the search stops, in [0, 1].
    time_limit : float or Budget, optional
        Seconds after which there is an answer, with the bounds that are proved by then: the search
        stops in time to read off the proofs. With a limit, however large, an interrupt (Ctrl-C)
        stops it likewise. Without one, public coins are solved to the end, and for private coins
        the work is bounded, so that the same call gives the same answer.
    target : Fraction, optional
        Stop as soon as the bounds decide whether the error is at most this.

    Returns
    -------
    MinimaxResult

    Raises
    ------
    DomainError
        If ``messages`` is below 1 or ``coins`` is unknown.
    InstanceTooLargeError
        If too many inputs of Alice remain.

    Notes
    -----
    Complexity: rounds of one float program with a row for each orbit of inputs under the symmetries
    of the problem, and a few exact pricings of ``2**n m + (k-2) 3**(n-1)`` steps.
    `docs/benchmarks-minimax.md` holds measured times: seconds for random 10 x 10 matrices and for
    most symmetric problems with 16 inputs of Alice.

    Examples
    --------
    >>> from ccsim.communication.problem import equality
    >>> result = minimax_error(equality(4), 2)
    >>> result.value
    Fraction(3, 13)
    >>> result.check()
    """
    return least_error(
        PublicCoinSolver(problem),
        messages,
        coins,
        Budget.of(time_limit, progress),
        gap=gap,
        target=target,
    )


def least_error(
    solver: PublicCoinSolver,
    messages: int,
    coins: str,
    budget: Budget,
    *,
    gap: Fraction | int | str = DEFAULT_GAP,
    target: Fraction | None = None,
) -> MinimaxResult:
    """Return `minimax_error` of the solver's problem, continuing from its last search.

    Raises
    ------
    DomainError, InstanceTooLargeError
    """
    problem = solver.problem
    if messages < 1:
        raise DomainError(f"messages must be at least 1, not {messages}")
    if coins not in COINS:
        raise DomainError(f"coins must be one of {', '.join(COINS)}, not {coins!r}")
    if coins == "deterministic":
        return _deterministic(problem, messages)
    if coins == "public":
        best = solver.solve(messages, budget, target)
        return MinimaxResult(
            problem,
            messages,
            coins,
            best.lower,
            best.upper,
            best.protocol,
            best.distribution,
            best.method,
            potentials=best.potentials,
            partitions=best.partitions,
        )
    best = solver.solve(messages, budget.share(1 / 2))
    if best.upper == 0:
        return replace(_deterministic(problem, messages), coins="private")
    allowed = as_fraction(gap, "gap", 0, 1)
    public = (best.lower, best.distribution)
    bounds = bound_private_coins(problem, messages, public, allowed, budget, target)
    same = bounds.distribution is best.distribution
    return MinimaxResult(
        problem,
        messages,
        coins,
        bounds.lower,
        bounds.upper,
        bounds.protocol,
        bounds.distribution,
        "enclosure",
        bounds.proof,
        best.potentials if same else (),
        best.partitions if same else None,
    )


def _deterministic(problem: CommunicationProblem, messages: int) -> MinimaxResult:
    colours = colour_conflicts(problem, messages)
    zero, one = Fraction(0), Fraction(1)
    if colours is None:
        constant = DeterministicProtocol((0,) * len(problem.alice), (0,), len(problem.bob))
        return MinimaxResult(
            problem, messages, "deterministic", one, one, constant, None, "colouring"
        )
    used = max(colours) + 1
    answers = [0] * used
    for x, colour in enumerate(colours):
        answers[colour] |= problem.ones[x]
    protocol = DeterministicProtocol(tuple(colours), tuple(answers), len(problem.bob))
    return MinimaxResult(
        problem, messages, "deterministic", zero, zero, protocol, None, "colouring"
    )
