"""What an audit found: the verdict, the event that decides it, and what is the least that holds."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from contextlib import nullcontext
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from typing import Any, Self, TypeAlias

from ccsim.appearance import one_line
from ccsim.border import checked_fields
from ccsim.budget import Budget, TimeLimit
from ccsim.certificates import Certificate, Certificates, Certified
from ccsim.errors import NotDecidedError
from ccsim.exact import Interval
from ccsim.exact.epsilon import Epsilon
from ccsim.exact.exponentials import Real, enclose_log
from ccsim.exact.several_bases.excess import Excess
from ccsim.privacy.mechanism import Mechanism
from ccsim.privacy.neighbours import RestrictedNeighbours
from ccsim.privacy.privacy_certificate import privacy_certificate
from ccsim.privacy.qualities import QualityNeighbours

__all__ = ["AuditResult", "Database", "Pair", "Verdict", "Violation"]

Database: TypeAlias = tuple[Any, ...]
Pair: TypeAlias = tuple[Database, Database]


class Verdict(StrEnum):
    """Outcome of an audit."""

    HOLDS = "holds"
    FAILS = "fails"
    NOT_DECIDED = "not decided"


@checked_fields
@one_line
@dataclass(frozen=True, slots=True)
class Violation:
    """A pair of neighbours and an event, with its probability on either.

    Attributes
    ----------
    database, neighbour : tuple
        Databases that differ in one entry.
    event : tuple
        Outcomes that are likelier on the database.
    probability, neighbour_probability : Fraction or Exponential
        Of the event on the database and on the neighbour.
    delta : Fraction, Exponential or Excess
        ``probability - e^epsilon neighbour_probability``, the largest for any event.
    """

    database: Database
    neighbour: Database
    event: tuple[Hashable, ...]
    probability: Real
    neighbour_probability: Real
    delta: Real | Excess


@one_line
@dataclass(frozen=True, slots=True)
class AuditResult(Certified):
    """Whether a mechanism is ``(epsilon, delta)``-private on all neighbours that were looked at.

    Databases are sequences, or multisets for a mechanism that sorts them.

    Attributes
    ----------
    mechanism : Mechanism
    epsilon : Epsilon
    delta : Fraction
    neighbours : int, tuple of Pair, QualityNeighbours or RestrictedNeighbours
        What was compared: all neighbouring databases with so many entries, or pairs of quality
        functions, or databases that agree on what is public (the first ``pairs`` of them, if that
        was not decided), or these pairs.
    pairs : int
        Unordered pairs of neighbouring databases; both directions of each are compared.
    reason : str
        Why not all of them were compared; empty otherwise.
    factor : Fraction, Exponential or None
        Least ``e^epsilon`` for which it is private at ``delta``; None if there is none, or not all
        neighbours were compared.
    worst : Violation or None
        The neighbours and the event that need the largest delta.
    tightest : Pair or None
        The ordered pair of neighbours that needs ``factor``; None as there.
    near : (Fraction, Fraction) or None
        Fractions at most and at least ``e^epsilon``, if it is not computed with together with the
        probabilities: the events that are worst at both of them are worst at ``e^epsilon``.
    """

    question = "whether a mechanism is private"
    asked = ("mechanism", "epsilon", "delta", "neighbours")
    answered = ("verdict",)

    mechanism: Mechanism[Any, Any]
    epsilon: Epsilon
    delta: Fraction
    neighbours: int | tuple[Pair, ...] | QualityNeighbours | RestrictedNeighbours
    pairs: int
    reason: str
    factor: Real | None
    worst: Violation | None
    tightest: Pair | None
    near: tuple[Fraction, Fraction] | None = None

    @property
    def verdict(self) -> Verdict:
        """Equal to the text ``"holds"``, ``"fails"`` or ``"not decided"``."""
        if self.worst is not None and self.worst.delta > self.delta:
            return Verdict.FAILS
        return Verdict.NOT_DECIDED if self.reason else Verdict.HOLDS

    @property
    def size(self) -> int | None:
        """Records of each database; None if pairs were given, which may have several sizes."""
        if isinstance(self.neighbours, RestrictedNeighbours):
            return self.neighbours.size
        return self.neighbours if isinstance(self.neighbours, int) else None

    @property
    def least_delta(self) -> Real | Excess | None:
        """Least delta for which it is private at ``epsilon``; None if that was not decided."""
        return None if self.reason or self.worst is None else self.worst.delta

    @property
    def witness(self) -> Violation | None:
        """The violation of the stated parameters, if there is one."""
        return self.worst if self.verdict is Verdict.FAILS else None

    @property
    def least_epsilon(self) -> Interval | None:
        """Enclosure of the least epsilon at ``delta``; None if no epsilon is enough."""
        return None if self.factor is None else enclose_log(self.factor)

    def if_stopped(self, reason: str) -> Self:
        """Return what is stated of an audit that is stopped, now: only a violation decides."""
        return replace(self, reason=self.reason or reason, factor=None, tightest=None)

    def certificate(
        self,
        record: Callable[[Any], str] | None = None,
        outcome: Callable[[Any], str] | None = None,
        *,
        time_limit: TimeLimit = None,
    ) -> Certificate | Certificates:
        """Return the certificate for the kernel: the laws, which are asked for again, and events.

        It states the least delta, and then the least ``e^epsilon``; of a stopped audit only that
        the violation is one. With fractions `near` ``e^epsilon`` the least delta is stated at both.

        Parameters
        ----------
        record, outcome : callable, optional
            Distinct labels of records and outcomes.
        time_limit : float or Budget, optional

        Raises
        ------
        OutOfTimeError
            If computing the laws takes longer.
        NotDecidedError
            If nothing was decided.
        DomainError
            If two records, or two outcomes, have the same label.
        CertificateError
            If a field repeats what the laws or the neighbours say, and wrongly.
        """
        if self.verdict is Verdict.NOT_DECIDED:
            raise NotDecidedError(self.reason)
        with nullcontext() if time_limit is None else Budget.of(time_limit).heard():
            return privacy_certificate(self, (record, outcome))
