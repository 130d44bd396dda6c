"""The least worst-case error of one-way protocols: bounds on it, and what proves them.

Main definition: `MinimaxResult`. What finds the bounds is in `ccsim.communication.minimax`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, ClassVar, Self, TypeAlias

from ccsim.appearance import in_short, in_words, one_line
from ccsim.certificates import Answer, Certificate, encode_fraction, encode_integers
from ccsim.certificates.shown import (
    about_instance,
    data_frame,
    html_table,
    picture_of,
    question_of,
    with_picture,
)
from ccsim.communication.colouring import ConflictTree
from ccsim.communication.hard_distribution import HardDistribution
from ccsim.communication.partitions.proof import DistributionProof, prove_by_squares
from ccsim.communication.partitions.tables import MAX_ROWS, MAX_ROWS_OF_TWO
from ccsim.communication.private_coins.boxes import BoxTree
from ccsim.communication.private_coins.excluded_signs import ExcludedSigns
from ccsim.communication.private_coins.radon import RadonPartitions
from ccsim.communication.private_coins.relations.dependencies import DependencyTree
from ccsim.communication.private_coins.simplices import SimplexTree
from ccsim.communication.private_coins.two_messages import UnsortedInputs
from ccsim.communication.problem import CommunicationProblem
from ccsim.communication.protocols.symmetric import SymmetricProtocol
from ccsim.communication.protocols.tables import (
    DeterministicProtocol,
    PrivateCoinProtocol,
    PublicCoinProtocol,
)
from ccsim.exact import ceil_log2
from ccsim.symmetry.subsets import MAX_EXCHANGED_ROWS

__all__ = ["COINS", "ErrorCurve", "MinimaxResult"]

COINS = ("public", "private", "deterministic")
"""Kinds of coins."""

PrivateProof: TypeAlias = (
    ExcludedSigns | RadonPartitions | UnsortedInputs | BoxTree | DependencyTree | SimplexTree
)
"""What shows that private coins cannot err less."""


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
    below : DistributionProof, ExcludedSigns, RadonPartitions, UnsortedInputs, BoxTree,
        DependencyTree, SimplexTree or ConflictTree
        Certificate from below: a hard distribution, or what holds for private coins or for
        deterministic protocols alone.
    method : str
        How the bounds were found.
    """

    asked = ("problem", "messages", "coins")

    quantity: ClassVar[str] = "the least error"

    problem: CommunicationProblem
    messages: int
    coins: str
    lower: Fraction
    upper: Fraction
    protocol: PublicCoinProtocol | SymmetricProtocol | PrivateCoinProtocol | DeterministicProtocol
    below: PrivateProof | DistributionProof | ConflictTree
    method: str

    @property
    def bits(self) -> int:
        """Length of a message in bits."""
        return ceil_log2(self.messages)

    @property
    def needed(self) -> str | None:
        """What would make the bounds one value, in a sentence; None where they are one."""
        if self.exact:
            return None
        if self.coins == "private":
            return "a smaller gap or more time; the value may be irrational, and is then never one"
        if self.method != "bounds":
            return "more time"
        return (
            f"an exact search, which takes at most {MAX_ROWS} inputs of Alice that no other one "
            f"covers ({MAX_ROWS_OF_TWO} with two messages or with many symmetries, "
            f"{MAX_EXCHANGED_ROWS} if any two of them may be exchanged)"
        )

    @property
    def distribution(self) -> HardDistribution | None:
        """The hard distribution that proves the lower bound, if one does."""
        if self.coins == "deterministic" or not isinstance(self.below, DistributionProof):
            return None
        return self.below.distribution

    @property
    def proof(self) -> PrivateProof | None:
        """What proves the lower bound for private coins alone, if it holds for these alone."""
        return None if isinstance(self.below, DistributionProof | ConflictTree) else self.below

    def to_dict(self) -> dict[str, Any]:
        """Return what ``ccsim error --json`` prints."""
        return {
            "question": question_of(self),
            **about_instance(self.problem),
            "messages": self.messages,
            "bits": self.bits,
            "coins": self.coins,
            "value": encode_fraction(self.value) if self.exact else None,
            "exact": self.exact,
            "lower": encode_fraction(self.lower),
            "upper": encode_fraction(self.upper),
            "needed": self.needed,
        }

    def without_lower(self) -> Self:
        """Return the result with the lower bound 0, which needs no proof."""
        nothing = HardDistribution(((*self.problem.inputs()[0], 1),))
        return replace(self, lower=Fraction(0), below=DistributionProof(nothing))

    def with_quick_lower(self) -> Self:
        """Return the result with a lower bound that is soon checked, if need be 0.

        The hard distribution is the same where there is one; squares prove less of it.
        """
        law = self.distribution
        found = None if law is None else prove_by_squares(self.problem, law, self.messages)
        if found is None:
            return self.without_lower()
        return replace(self, lower=found[0], below=found[1])

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


class ErrorCurve(tuple[MinimaxResult, ...]):
    """The least errors of one problem, one for each number of messages, which tell themselves.

    Examples
    --------
    >>> from ccsim import equality, error_curve
    >>> curve = error_curve(equality(4))
    >>> curve
    ErrorCurve(equality:n=4: 4 x 4, total; public coins; 1 to 4 messages)
    >>> [row["value"] for row in curve.to_dict()]
    ['1/2', '3/13', '1/8', '0']
    """

    __slots__ = ()

    def __repr__(self) -> str:
        if not self:
            return "ErrorCurve()"
        numbers = [result.messages for result in self]
        asked = in_words(self[0].problem)
        ends = f"{in_short(min(numbers))} to {in_short(max(numbers))} messages"
        return f"ErrorCurve({asked}; {self[0].coins} coins; {ends})"

    def to_dict(self) -> list[dict[str, Any]]:
        """Return what ``ccsim error --json`` prints for several numbers of messages."""
        return [result.to_dict() for result in self]

    def to_dataframe(self) -> Any:  # noqa: ANN401 - of pandas, if it is there
        """Return a pandas frame with a row for each number of messages; exact numbers are texts.

        Raises
        ------
        DomainError
            If pandas is not installed.
        """
        return data_frame(self.to_dict())

    def _repr_html_(self) -> str:
        """Return the table that a notebook shows, with the curve."""
        rows = [
            (r.messages, r.bits, " to ".join(map(in_short, sorted({r.lower, r.upper}))))
            for r in self
        ]
        return with_picture(html_table(("messages", "bits", "least error"), rows), self)

    def _repr_svg_(self) -> str | None:
        """Return the curve, if matplotlib is installed."""
        return picture_of(self)
