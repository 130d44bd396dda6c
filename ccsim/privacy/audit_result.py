"""What an audit found: the verdict, the event that decides it, and what is the least that holds."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from typing import Any, Self, TypeAlias

from ccsim.budget import Budget, TimeLimit
from ccsim.certificates import Certificate
from ccsim.errors import DomainError
from ccsim.exact import Interval
from ccsim.exact.epsilon import Epsilon
from ccsim.exact.exponentials import Real, enclose_log
from ccsim.privacy.audit_check import check_audit
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
    delta : Fraction or Exponential
        ``probability - e^epsilon neighbour_probability``, the largest for any event.
    """

    database: Database
    neighbour: Database
    event: tuple[Hashable, ...]
    probability: Real
    neighbour_probability: Real
    delta: Real


@dataclass(frozen=True, slots=True)
class AuditResult:
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
    verdict : Verdict
        Equal to the text ``"holds"``, ``"fails"`` or ``"not decided"``.
    reason : str
        Why nothing was decided; empty otherwise.
    least_delta : Fraction, Exponential or None
        Least delta for which it is private at ``epsilon``.
    factor : Fraction, Exponential or None
        Least ``e^epsilon`` for which it is private at ``delta``; None if there is none.
    worst : Violation or None
        The neighbours and the event that need ``least_delta``.
    tightest : Pair or None
        The ordered pair of neighbours that needs ``factor``.
    """

    mechanism: Mechanism[Any, Any]
    epsilon: Epsilon
    delta: Fraction
    neighbours: int | tuple[Pair, ...] | QualityNeighbours | RestrictedNeighbours
    pairs: int
    verdict: Verdict
    reason: str
    least_delta: Real | None
    factor: Real | None
    worst: Violation | None
    tightest: Pair | None

    @property
    def witness(self) -> Violation | None:
        """The violation of the stated parameters, if there is one."""
        return self.worst if self.verdict is Verdict.FAILS else None

    @property
    def least_epsilon(self) -> Interval | None:
        """Enclosure of the least epsilon at ``delta``; None if no epsilon is enough."""
        return None if self.factor is None else enclose_log(self.factor)

    def check(self, time_limit: TimeLimit = None) -> None:
        """Check everything that is stated, from the definition of privacy.

        The laws are asked for again, and compared on all neighbours by code that the audit does not
        use. If the comparison was stopped at a violation, that violation is checked.

        Parameters
        ----------
        time_limit : float or Budget, optional

        Raises
        ------
        CertificateError
            If something is stated that is not so.
        NotDecidedError
            If nothing was decided.
        OutOfTimeError
            If comparing all neighbours takes longer.
        """
        check_audit(self, Budget.of(time_limit))

    def if_stopped(self, reason: str) -> Self:
        """Return what is stated of an audit that is stopped, now: only a violation decides."""
        verdict = Verdict.NOT_DECIDED if self.verdict is Verdict.HOLDS else self.verdict
        return replace(self, verdict=verdict, reason=reason, least_delta=None, factor=None)

    def certificate(
        self,
        record: Callable[[Any], str] = str,
        outcome: Callable[[Any], str] = str,
        *,
        time_limit: TimeLimit = None,
    ) -> Certificate:
        """Return the certificate for the kernel: the law on every database, and the worst event.

        Parameters
        ----------
        record, outcome : callable
            Labels of records and outcomes.
        time_limit : float or Budget, optional

        Raises
        ------
        OutOfTimeError
            If computing the laws takes longer.
        DomainError
            If nothing was decided, or not all neighbouring databases were compared.
        """
        if self.worst is None or self.least_delta is None:
            raise DomainError("a certificate needs a decided audit")
        rule = QualityNeighbours | RestrictedNeighbours
        stated_by = self.neighbours if isinstance(self.neighbours, rule) else None
        if not isinstance(self.neighbours, int) and stated_by is None:
            raise DomainError("a certificate needs all neighbouring databases")
        worst = self.worst
        event = worst.database, worst.neighbour, worst.event
        stated = self.mechanism, self.epsilon, self.least_delta, event
        return privacy_certificate(*stated, (record, outcome), Budget.of(time_limit), stated_by)
