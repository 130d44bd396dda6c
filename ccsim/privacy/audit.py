"""The auditor: whether a mechanism is private for *every* pair of neighbouring databases.

Main definitions: `audit`, `AuditResult`, `Violation`, `privacy_curve`.

Every probability is exact (a fraction, or a rational function of a power of ``e``), and so is every
comparison: the verdict rests on no sample and no rounding.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from itertools import combinations_with_replacement, product
from typing import Any

from ccsim.certificates import Certificate, encode_fraction, encode_fractions
from ccsim.errors import CertificateError, DomainError, InstanceTooLargeError, NotDecidedError
from ccsim.exact import Interval, as_fraction
from ccsim.exact.exponentials import Real, enclose_log, rational
from ccsim.privacy.divergence import divergence, least_factor, likelier_event
from ccsim.privacy.epsilon import Epsilon
from ccsim.privacy.law import Law
from ccsim.privacy.mechanism import Mechanism
from ccsim.privacy.neighbours import count_neighbours, neighbouring_databases

__all__ = ["MAX_PAIRS", "AuditResult", "Verdict", "Violation", "audit", "privacy_curve"]

MAX_PAIRS = 1 << 22
"""Most pairs of neighbouring databases that are looked at."""

Database = tuple[Any, ...]
Pair = tuple[Database, Database]
Progress = Callable[[int, int], None]


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
        complete = size and count_neighbours(len(records), size, symmetric=symmetric) == self.pairs
        if self.verdict is not Verdict.HOLDS or not complete:
            msg = self.reason or "only some neighbouring databases were compared"
            raise NotDecidedError(msg)
        kinds: dict[frozenset[tuple[Hashable, Real]], int] = {}
        kind: dict[tuple[int, ...], int] = {}
        for database in _databases(self.mechanism, size):
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
            If a number is irrational, or not all neighbouring databases were compared.
        """
        records, worst = self.mechanism.records, self.worst
        if worst is None or self.least_delta is None:
            msg = "a certificate needs a decided audit"
            raise DomainError(msg)
        size = len(worst.database)
        if count_neighbours(len(records), size, symmetric=self.mechanism.symmetric) != self.pairs:
            msg = "a certificate needs all neighbouring databases"
            raise DomainError(msg)
        databases = _databases(self.mechanism, size)
        laws = [self.mechanism.law([records[r] for r in d]).as_mapping() for d in databases]
        outcomes = list(dict.fromkeys(o for law in laws for o in law))
        delta, factor = encode_fraction(rational(self.least_delta)), self.epsilon.exp()
        place = {d: i for i, d in enumerate(databases)}
        pair = [[records.index(r) for r in d] for d in (worst.database, worst.neighbour)]
        if self.mechanism.symmetric:
            pair = [sorted(d) for d in pair]
        first, second = (place[tuple(d)] for d in pair)
        event = sorted(outcomes.index(o) for o in worst.event)
        return Certificate(
            "privacy",
            {
                "type": "mechanism",
                "name": type(self.mechanism).__name__,
                "records": [record(r) for r in records],
                "outcomes": [outcome(o) for o in outcomes],
                "size": size,
                "symmetric": self.mechanism.symmetric,
                "laws": [
                    encode_fractions(rational(law.get(o, Fraction(0))) for o in outcomes)
                    for law in laws
                ],
            },
            {"factor": encode_fraction(rational(factor)), "lower": delta, "upper": delta},
            {"database": first, "neighbour": second, "event": event} if event else {},
            {},
        )


def _databases(mechanism: Mechanism[Any, Any], size: int) -> list[tuple[int, ...]]:
    """Return all databases as lists of numbers of records, in lexicographic order."""
    numbers = range(len(mechanism.records))
    if mechanism.symmetric:
        return list(combinations_with_replacement(numbers, size))
    return list(product(numbers, repeat=size))


class _Comparisons:
    """The comparisons made so far; equal pairs of laws are compared once."""

    def __init__(self, mechanism: Mechanism[Any, Any], epsilon: Epsilon, delta: Fraction) -> None:
        self.mechanism, self.bound, self.delta = mechanism, epsilon.exp(), delta
        self.worst: tuple[Real, Pair] | None = None
        self.tightest: tuple[Real | None, Pair] | None = None
        self._laws: dict[Database, tuple[int, Law[Any]]] = {}
        self._numbers: dict[frozenset[tuple[Hashable, Real]], int] = {}
        self._seen: set[tuple[int, int]] = set()

    def _law(self, database: Database) -> tuple[int, Law[Any]]:
        key = tuple(sorted(database, key=repr)) if self.mechanism.symmetric else database
        if key not in self._laws:
            law = self.mechanism.law(key)
            number = self._numbers.setdefault(frozenset(law.items), len(self._numbers))
            self._laws[key] = (number, law)
        return self._laws[key]

    def compare(self, database: Database, neighbour: Database) -> None:
        """Compare the laws of an ordered pair of neighbours."""
        (i, p), (j, q) = self._law(database), self._law(neighbour)
        if (i, j) in self._seen:
            return
        self._seen.add((i, j))
        pair = database, neighbour
        excess = divergence(p, q, self.bound)
        if self.worst is None or excess > self.worst[0]:
            self.worst = excess, pair
        factor = least_factor(p, q, self.delta)
        if self.tightest is None or (
            self.tightest[0] is not None and (factor is None or factor > self.tightest[0])
        ):
            self.tightest = factor, pair

    def violation(self) -> Violation | None:
        """Return the worst event."""
        if self.worst is None:
            return None
        excess, (database, neighbour) = self.worst
        p, q = self._law(database)[1], self._law(neighbour)[1]
        event = likelier_event(p, q, self.bound)
        on_database, on_neighbour = (sum((law[o] for o in event), Fraction(0)) for law in (p, q))
        return Violation(database, neighbour, event, on_database, on_neighbour, excess)


def audit(
    mechanism: Mechanism[Any, Any],
    epsilon: Epsilon | Fraction | int | str,
    delta: Fraction | int | str = 0,
    neighbours: int | Iterable[Sequence[Sequence[Any]]] = 1,
    progress: Progress | None = None,
) -> AuditResult:
    """Decide whether a mechanism is ``(epsilon, delta)``-private.

    Parameters
    ----------
    mechanism : Mechanism
    epsilon : Epsilon, int, Fraction or str
        At least 0; text may be a logarithm, such as ``"ln 3"``.
    delta : Fraction, int or str
        Between 0 and 1.
    neighbours : int or iterable of pairs
        A number of entries stands for all pairs of neighbouring databases of that length over the
        mechanism's records; otherwise the pairs themselves.
    progress : callable, optional
        Called with the number of pairs compared and of all pairs (0 if it is not known).

    Returns
    -------
    AuditResult

    Raises
    ------
    DomainError
        If a parameter is out of range, or two databases of a pair are no neighbours.
    InstanceTooLargeError
        If there are more than `MAX_PAIRS` pairs.

    Notes
    -----
    Complexity: a law for each database, two comparisons of laws for each pair whose laws have not
    been compared before. 10^5 pairs take seconds with fractions.

    Examples
    --------
    >>> from ccsim.privacy.randomized_response import RandomizedResponse
    >>> response = RandomizedResponse((0, 1), Epsilon.of("ln 3"))
    >>> audit(response, "ln 3").verdict, audit(response, "ln 2").witness.delta
    (<Verdict.HOLDS: 'holds'>, Fraction(1, 4))
    >>> audit(response, "ln 2", delta="1/8").factor
    Fraction(5, 2)
    """
    bound, allowed = Epsilon.of(epsilon), as_fraction(delta, "delta", 0, 1)
    total, pairs = _pairs(mechanism, neighbours)
    done, reason = 0, ""
    comparisons = _Comparisons(mechanism, bound, allowed)
    try:
        for first, second in pairs:
            comparisons.compare(first, second)
            comparisons.compare(second, first)
            done += 1
            if progress is not None:
                progress(done, total)
    except NotDecidedError as error:
        reason = str(error)
    worst = comparisons.violation()
    if worst is not None and worst.delta > allowed:
        verdict = Verdict.FAILS
    else:
        verdict = Verdict.NOT_DECIDED if reason or not done else Verdict.HOLDS
        reason = reason or ("" if done else "there are no neighbouring databases")
    decided = worst is not None and comparisons.tightest is not None and not reason
    return AuditResult(
        mechanism,
        bound,
        allowed,
        done,
        verdict,
        reason,
        worst.delta if decided and worst is not None else None,
        comparisons.tightest[0] if decided and comparisons.tightest is not None else None,
        worst,
        comparisons.tightest[1] if comparisons.tightest is not None else None,
    )


def privacy_curve(
    mechanism: Mechanism[Any, Any],
    epsilons: Iterable[Epsilon | Fraction | int | str],
    neighbours: int | Iterable[Sequence[Sequence[Any]]] = 1,
) -> tuple[tuple[Epsilon, Real], ...]:
    """Return the least delta for each epsilon.

    Examples
    --------
    >>> from ccsim.privacy.randomized_response import RandomizedResponse
    >>> response = RandomizedResponse((0, 1), Epsilon.of("ln 3"))
    >>> [str(delta) for _, delta in privacy_curve(response, [0, "ln 2", "ln 3"])]
    ['1/2', '1/4', '0']
    """
    pairs = list(_pairs(mechanism, neighbours)[1])
    curve = []
    for epsilon in map(Epsilon.of, epsilons):
        result = audit(mechanism, epsilon, 0, pairs)
        if result.least_delta is None:
            raise NotDecidedError(result.reason)
        curve.append((epsilon, result.least_delta))
    return tuple(curve)


def _pairs(
    mechanism: Mechanism[Any, Any], neighbours: int | Iterable[Sequence[Sequence[Any]]]
) -> tuple[int, Iterable[Pair]]:
    """Return the number of pairs (0 if unknown) and the pairs."""
    if isinstance(neighbours, int):
        records, symmetric = mechanism.records, mechanism.symmetric
        total = count_neighbours(len(records), neighbours, symmetric=symmetric)
        if total > MAX_PAIRS:
            msg = f"{total} pairs of neighbouring databases are above the limit of {MAX_PAIRS}"
            raise InstanceTooLargeError(msg)
        return total, neighbouring_databases(records, neighbours, symmetric=symmetric)
    return 0, (_given(pair) for pair in neighbours)


def _given(pair: Sequence[Sequence[Any]]) -> Pair:
    first, second = (tuple(database) for database in pair)
    if len(first) != len(second) or sum(a != b for a, b in zip(first, second, strict=True)) != 1:
        msg = f"neighbours must have the same length and differ in one entry: {first}, {second}"
        raise DomainError(msg)
    return first, second
