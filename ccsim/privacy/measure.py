"""The base class of results on measures of privacy, and their certificates."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, Self, cast

from ccsim.appearance import one_line
from ccsim.budget import Budget, TimeLimit
from ccsim.certificates import Certificate, Certified
from ccsim.certificates.envelope import encode_fraction
from ccsim.errors import CertificateError, NotDecidedError
from ccsim.exact import Interval
from ccsim.exact.epsilon import Epsilon
from ccsim.privacy.audit_result import Label, Neighbours, Pair, TabulatedMechanism, Verdict
from ccsim.privacy.constructions import Mechanism
from ccsim.privacy.losses import DIGITS

_SPARE = 64
"""Further bits of precision in the checks of a certificate."""


@one_line
@dataclass(frozen=True)
class Claim:
    """A kind of certificate, its parameters, and the proofs without the pair of databases."""

    kind: str
    asked: Mapping[str, Any]
    least: Mapping[str, Any]  # by the form of the proof
    most: Mapping[str, Any]
    exact: Fraction | None = None  # the value of both bounds, if they are not the result's
    outcomes: str = field(default="")  # key of a list of outcomes in the proof from below


class PrivacyMeasure(Certified):
    """Base class of the least parameters for which a mechanism is private in some sense.

    Attributes
    ----------
    lower : Fraction or None
        Lower bound on the least parameter. None if it is infinite.
    upper : Fraction or None
        Upper bound. None if the parameter is infinite, or not all pairs were compared.
    """

    __slots__ = ()

    mechanism: Mechanism[Any, Any]
    neighbours: Neighbours
    target: Fraction | Epsilon | None
    pairs: int
    reason: str
    lower: Fraction | None
    upper: Fraction | None
    worst: Pair | None

    @property
    def is_infinite(self) -> bool:
        """Whether no finite parameter suffices, as an output is impossible on a neighbour."""
        return self.lower is None

    @property
    def verdict(self) -> Verdict | None:
        """Whether the mechanism is private for the target; None if no target was given."""
        return self._by_bounds()

    def _by_bounds(self) -> Verdict | None:
        """Return the verdict that the two bounds give."""
        if (goal := self.target) is None:
            return None
        target = goal.enclose() if isinstance(goal, Epsilon) else Interval(goal, goal)
        if self.lower is None or self.lower > target.upper:
            return Verdict.FAILS
        if self.upper is not None and self.upper <= target.lower:
            return Verdict.HOLDS
        return Verdict.NOT_DECIDED

    def if_stopped(self, reason: str) -> Self:
        """Return the result of a comparison that stops at this point, without upper bound."""
        return replace(cast("Any", self), reason=self.reason or reason, upper=None)  # type: ignore[no-any-return]

    def bits(self, *numbers: Fraction) -> int:
        """Return a precision for which the kernel's enclosures prove the bounds."""
        sizes = [max(map(int.bit_length, number.as_integer_ratio())) for number in numbers]
        lower = self.lower or Fraction(1)
        small = max(0, lower.denominator.bit_length() - lower.numerator.bit_length())
        return DIGITS + _SPARE + 2 * sum(sizes) + small

    @abstractmethod
    def _claim(self) -> Claim:
        """Return what the certificate states besides the distributions."""

    def certificate(
        self, record: Label = None, outcome: Label = None, *, time_limit: TimeLimit = None
    ) -> Certificate:
        """Return the certificate for the kernel: the distributions and the proofs of the bounds.

        Parameters
        ----------
        record, outcome : callable, optional
            Distinct labels of records and outcomes.
        time_limit : float or Budget, optional
            Seconds for computing the distributions.

        Raises
        ------
        OutOfTimeError
            If computing the distributions takes longer than the time limit.
        NotDecidedError
            If no pair was compared.
        CertificateError
            If a field contradicts the distributions or the neighbours.
        """
        claim = self._claim()
        if not self.pairs:
            raise NotDecidedError(self.reason)
        with nullcontext() if time_limit is None else Budget.of(time_limit).heard():
            table = TabulatedMechanism(self, self.worst, (), (record, outcome))
        instance = table.instance
        if instance["t"] is not None:
            wider = instance["t"]["bits"] + self.bits() + _SPARE
            instance = instance | {"t": instance["t"] | {"bits": wider}}
        bounds = self._bounds(claim)
        proofs = self._least(claim, table, bounds[0]), self._most(claim, bounds[1])
        statement = {**claim.asked, "lower": bounds[0], "upper": bounds[1]}
        return Certificate(claim.kind, instance, statement, *proofs)

    def _bounds(self, claim: Claim) -> tuple[str | None, str | None]:
        """Return the encoded bounds that are proved."""
        exact, stopped = claim.exact, self.upper is None
        ends = (self.lower, self.upper) if exact is None else (exact, None if stopped else exact)
        lower, upper = (None if end is None else encode_fraction(end) for end in ends)
        if self.worst is None:
            return None, upper
        return "infinity" if self.lower is None else lower, upper

    def _least(
        self, claim: Claim, table: TabulatedMechanism, bound: str | None
    ) -> dict[str, Any] | None:
        if self.worst is None or bound is None:
            return None
        places = dict(zip(("database", "neighbour"), table.places(self.worst), strict=True))
        if self.lower is None:
            p, q = (table.distributions[i].as_mapping() for i in places.values())
            missing = [table.outcomes[o] for o in p if o not in q]
            if not missing:
                raise CertificateError(
                    "lower must be a number: each outcome of the database is possible on its "
                    "neighbour"
                )
            return {"impossible": places | {"outcome": missing[0]}}
        [(form, proof)] = claim.least.items()
        proof = dict(proof)
        if claim.outcomes:
            listed = [table.outcomes.get(outcome) for outcome in proof[claim.outcomes]]
            if None in listed:
                raise CertificateError(f"{claim.outcomes} must be outputs of the mechanism")
            proof[claim.outcomes] = sorted(i for i in listed if i is not None)
        own = {} if claim.exact is not None else {"bound": bound}
        return {form: places | proof | own}

    def _most(self, claim: Claim, bound: str | None) -> dict[str, Any] | None:
        if bound is None:
            return None
        [(form, proof)] = claim.most.items()
        return {form: dict(proof) | ({} if claim.exact is not None else {"bound": bound})}
