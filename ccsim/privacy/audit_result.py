"""What an audit found: the verdict, the event that decides it, and what is the least that holds."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from itertools import product
from typing import Any, TypeAlias

from ccsim.certificates import Certificate
from ccsim.errors import CertificateError, DomainError, NotDecidedError
from ccsim.exact import Interval
from ccsim.exact.exponentials import Real, enclose_log
from ccsim.privacy.epsilon import Epsilon
from ccsim.privacy.mechanism import Mechanism
from ccsim.privacy.neighbours import count_neighbours, databases
from ccsim.privacy.privacy_certificate import privacy_certificate

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

    Attributes
    ----------
    mechanism : Mechanism
    epsilon : Epsilon
    delta : Fraction
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

    def check(self) -> None:
        """Check the verdict from the definition of privacy.

        A violation is looked at alone. That there is none is checked on all neighbours again, by
        code that the audit does not use.

        Raises
        ------
        CertificateError
            If the databases are no neighbours or the event does not violate the inequality; or if
            other neighbours do.
        NotDecidedError
            If nothing was decided, or not all neighbouring databases were compared.
        """
        if (found := self.witness) is None:
            self._check_all()
            return
        differing = sum(a != b for a, b in zip(found.database, found.neighbour, strict=True))
        if differing != 1:
            msg = f"the databases of the witness differ in {differing} entries, not in 1"
            raise CertificateError(msg)
        left, right = (
            self.mechanism.law(d).as_mapping() for d in (found.database, found.neighbour)
        )
        p, q = (
            sum((law.get(o, Fraction(0)) for o in set(found.event)), Fraction(0))
            for law in (left, right)
        )
        if p <= self.epsilon.exp() * q + self.delta:
            msg = f"the event of the witness has probabilities {p} and {q}: no violation"
            raise CertificateError(msg)

    def _check_all(self) -> None:
        """Check that no event of any neighbours violates the inequality."""
        records, symmetric = self.mechanism.records, self.mechanism.symmetric
        size = 0 if self.worst is None else len(self.worst.database)
        if self.verdict is not Verdict.HOLDS or not self._is_complete:
            msg = self.reason or "only some neighbouring databases were compared"
            raise NotDecidedError(msg)
        kinds: dict[frozenset[tuple[Hashable, Real]], int] = {}
        kind: dict[tuple[int, ...], int] = {}
        for database in databases(len(records), size, symmetric=symmetric):
            law = frozenset(self.mechanism.law([records[r] for r in database]).items)
            kind[database] = kinds.setdefault(law, len(kinds))
        laws, factor = [dict(law) for law in kinds], self.epsilon.exp()
        near = {
            (i, kind[tuple(sorted(changed)) if symmetric else changed])
            for database, i in kind.items()
            for place, record in product(range(size), range(len(records)))
            if (changed := (*database[:place], record, *database[place + 1 :])) != database
        }
        for i, j in near:
            excess: Real = Fraction(0)
            for outcome, p in laws[i].items():
                more = p - factor * laws[j].get(outcome, Fraction(0))
                excess = excess + more if more > 0 else excess
            if excess > self.delta:
                msg = f"neighbouring databases need delta = {excess}, more than {self.delta}"
                raise CertificateError(msg)

    def certificate(
        self, record: Callable[[Any], str] = str, outcome: Callable[[Any], str] = str
    ) -> Certificate:
        """Return the certificate for the kernel: the law on every database, and the worst event.

        Parameters
        ----------
        record, outcome : callable
            Labels of records and outcomes.

        Raises
        ------
        DomainError
            If nothing was decided, or not all neighbouring databases were compared.
        """
        if self.worst is None or self.least_delta is None:
            msg = "a certificate needs a decided audit"
            raise DomainError(msg)
        if not self._is_complete:
            msg = "a certificate needs all neighbouring databases"
            raise DomainError(msg)
        worst = self.worst
        event = worst.database, worst.neighbour, worst.event
        return privacy_certificate(
            self.mechanism, self.epsilon, self.least_delta, event, record, outcome
        )

    @property
    def _is_complete(self) -> bool:
        """Whether all neighbouring databases of one length were compared."""
        size = 0 if self.worst is None else len(self.worst.database)
        number, symmetric = len(self.mechanism.records), self.mechanism.symmetric
        return bool(size) and count_neighbours(number, size, symmetric=symmetric) == self.pairs
