"""Results of audits: the verdict, the event that decides it, and the least delta and epsilon.

Certificates contain the distributions on all databases and the deciding events. Databases are
sequences of records, or multisets if the mechanism sorts its databases (`CanonicalMechanism`). A
distribution is given by weights that are proportional to the probabilities: integers, or
polynomials with integer coefficients in a common power of ``e`` or of a fraction.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace
from enum import StrEnum
from fractions import Fraction
from typing import Any, Protocol, Self, TypeAlias

from ccsim.budget import Budget, TimeLimit, check_time
from ccsim.certificates import Certificate, Certificates, Certified
from ccsim.certificates.envelope import encode_integers
from ccsim.data import frozen
from ccsim.errors import CertificateError, DomainError, NotDecidedError
from ccsim.exact import Interval
from ccsim.exact.distribution import Distribution
from ccsim.exact.epsilon import Epsilon, Excess, fractions_near
from ccsim.exact.exponentials import Exponential, Real, enclose_log, rational
from ccsim.privacy.changes import Change, Numbers, Rule
from ccsim.privacy.comparisons import AuditedDistributions, Database, Violation
from ccsim.privacy.constructions import Mechanism
from ccsim.privacy.encoding import (
    enclosure,
    encode_polynomial,
    encode_real,
    integral,
    over_common_denominator,
)
from ccsim.privacy.neighbours import RestrictedNeighbours, count_neighbours, databases
from ccsim.privacy.noise_programs.decision_trees import decision_trees
from ccsim.privacy.noise_programs.program import ProgramTable
from ccsim.privacy.qualities import QualityNeighbours
from ccsim.privacy.relations import Relation, SizedRelation

Pair: TypeAlias = tuple[Database, Database]
Neighbours: TypeAlias = int | tuple[Pair, ...] | QualityNeighbours | RestrictedNeighbours | Relation
Label: TypeAlias = Callable[[Any], str] | None
Labels: TypeAlias = tuple[Label, Label]


class Verdict(StrEnum):
    """Outcome of an audit."""

    HOLDS = "holds"
    """The mechanism is private on all pairs of databases that were compared."""
    FAILS = "fails"
    """A pair of databases and an event violate privacy."""
    NOT_DECIDED = "not decided"
    """The audit ended before a violation was found or excluded."""


@frozen
class AuditResult(Certified):
    """Whether a mechanism is ``(epsilon, delta)``-private on the compared neighbours.

    Databases are sequences, or multisets if the mechanism sorts its databases.

    Attributes
    ----------
    mechanism : Mechanism
        The audited mechanism.
    epsilon : Epsilon
        Privacy parameter epsilon.
    delta : Fraction
        Privacy parameter delta.
    neighbours : int, tuple of Pair, or a relation
        The neighbours to compare, as given to `audit`. If the audit is undecided, only the first
        ``pairs`` pairs were compared.
    pairs : int
        Number of compared pairs of neighbouring databases, unordered; each is compared in both
        directions.
    reason : str
        Reason why not all pairs were compared; empty if all were.
    factor : Fraction, Exponential or None
        Least ``e^epsilon`` for which the mechanism is private with ``delta``; None if no such
        number exists, or if not all pairs were compared.
    worst : Violation or None
        The neighbours and the event that require the largest delta at ``epsilon``.
    tightest : Pair or None
        The ordered pair of neighbours that requires ``factor``; None if ``factor`` is None.
    near : (Fraction, Fraction) or None
        Fractions below and above ``e^epsilon``, if the probabilities and ``e^epsilon`` do not
        belong to a common field. An event that is worst at both fractions is also worst at
        ``e^epsilon``.
    """

    question = "whether a mechanism is private"
    asked = ("mechanism", "epsilon", "delta", "neighbours")
    answered = ("verdict",)

    mechanism: Mechanism[Any, Any]
    epsilon: Epsilon
    delta: Fraction
    neighbours: Neighbours
    pairs: int
    reason: str
    factor: Real | None
    worst: Violation | None
    tightest: Pair | None
    near: tuple[Fraction, Fraction] | None = None

    @property
    def verdict(self) -> Verdict:
        """The verdict, equal to the text ``"holds"``, ``"fails"`` or ``"not decided"``."""
        if self.worst is not None and self.worst.delta > self.delta:
            return Verdict.FAILS
        return Verdict.NOT_DECIDED if self.reason else Verdict.HOLDS

    @property
    def size(self) -> int | None:
        """Number of records of each database; None if it differs or is not stated."""
        if isinstance(self.neighbours, RestrictedNeighbours):
            return self.neighbours.size
        if isinstance(self.neighbours, SizedRelation):
            least, most = self.neighbours.sizes
            return most if least == most else None
        return self.neighbours if isinstance(self.neighbours, int) else None

    @property
    def least_delta(self) -> Real | Excess | None:
        """Least delta for which the mechanism is private with ``epsilon``; None if undecided."""
        return None if self.reason or self.worst is None else self.worst.delta

    @property
    def witness(self) -> Violation | None:
        """The violation of ``(epsilon, delta)``-privacy; None if there is no violation."""
        return self.worst if self.verdict is Verdict.FAILS else None

    @property
    def least_epsilon(self) -> Interval | None:
        """Enclosure of the least epsilon for ``delta``; None if no epsilon suffices."""
        return None if self.factor is None else enclose_log(self.factor)

    def if_stopped(self, reason: str) -> Self:
        """Return the result if the audit stops at this point; it is decided only by a violation."""
        return replace(self, reason=self.reason or reason, factor=None, tightest=None)

    def certificate(
        self,
        record: Callable[[Any], str] | None = None,
        outcome: Callable[[Any], str] | None = None,
        *,
        time_limit: TimeLimit = None,
    ) -> Certificate | Certificates:
        """Return the certificate for the kernel: the distributions (recomputed) and the events.

        The certificate states the least delta and the least ``e^epsilon``, or only the violation if
        the audit was stopped. With ``near``, it states the least delta at both fractions.

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
            If the audit is undecided.
        DomainError
            If two records, or two outcomes, have the same label.
        CertificateError
            If a field contradicts the distributions or the neighbours.
        """
        if self.verdict is Verdict.NOT_DECIDED:
            raise NotDecidedError(self.reason)
        with nullcontext() if time_limit is None else Budget.of(time_limit).heard():
            return _certificate_of(self, (record, outcome))


def _certificate_of(result: AuditResult, labels: Labels) -> Certificate | Certificates:
    """Return the certificate of an audit that found a worst event."""
    if (worst := result.worst) is None:
        raise CertificateError("worst must be a violation in a decided audit, not None")
    if (result.tightest is None) != bool(result.reason):
        raise CertificateError(
            "tightest must be a pair if all pairs were compared (reason is empty), and None "
            "otherwise"
        )
    if result.reason and result.factor is not None:
        raise CertificateError(
            "factor must be None unless all pairs were compared (reason is empty)"
        )
    made = _Made(result, worst, labels)
    pair = made.places((worst.database, worst.neighbour))
    stated = [made.distributions[i].mass(worst.event) for i in pair]
    if stated != [worst.probability, worst.neighbour_probability]:
        raise CertificateError(
            f"the probabilities of the worst event must be {stated[0]} and {stated[1]}"
        )
    claims = []
    for factor, delta in made.excesses:
        asked = {"factor": encode_real(factor, made.root), "delta": None}
        claims.append(made.statement(asked, pair, worst.event, delta))
    if result.tightest is None:
        return claims[-1]
    pair = made.places(result.tightest)
    event = event_needing(made.distributions[pair[0]], made.distributions[pair[1]], result.factor)
    asked = {"factor": None, "delta": encode_real(result.delta, made.root)}
    return Certificates((*claims, made.statement(asked, pair, event, result.factor)))


def _excesses(result: AuditResult, worst: Violation) -> list[tuple[Real, Real]]:
    """Return the stated factors (``e^epsilon`` or fractions near it), each with its least delta."""
    p, q, delta = worst.probability, worst.neighbour_probability, worst.delta
    if result.near is None:
        if isinstance(delta, Excess):
            raise CertificateError(
                "near must be a pair of fractions if e^epsilon is not in the field of the "
                "probabilities"
            )
        return [(result.epsilon.exp(), delta)]
    below, above = fractions_near(result.epsilon)
    if not 1 <= result.near[0] <= below or not above <= result.near[1]:
        raise CertificateError("near must be two fractions, one below and one above e^epsilon")
    if delta != (Excess(p, result.epsilon, q) if q else p):
        raise CertificateError("the delta of the worst event must be its excess")
    # without the event on the neighbour nothing depends on the factor
    return [(end, p - end * q) for end in result.near[: 2 if q else 1]]


class ComparedPairs(Protocol):
    """A result about all pairs of neighbours, or about the pairs compared until it was stopped."""

    @property
    def mechanism(self) -> Mechanism[Any, Any]:
        """The mechanism."""
        ...

    @property
    def neighbours(self) -> Neighbours:
        """The neighbours to compare."""
        ...

    @property
    def pairs(self) -> int:
        """Number of compared pairs."""
        ...

    @property
    def reason(self) -> str:
        """Reason why not all pairs were compared; empty if all were."""
        ...


class TabulatedMechanism:
    """The instance of a certificate: the distributions on the compared databases."""

    def __init__(
        self, result: ComparedPairs, pair: Pair | None, numbers: Sequence[Real], labels: Labels
    ) -> None:
        self._audited = audited = AuditedDistributions(result.mechanism)
        try:
            listed, about, pairs = _compared(result, pair, audited)
        except DomainError as error:
            raise CertificateError(str(error)) from None
        self.complete = not result.reason
        if self.complete and result.pairs != pairs:
            raise CertificateError(f"pairs must be {pairs}, not {result.pairs}")
        if "size" in about or "least" in about:
            about["records"] = _labels("records", audited.domain.records, labels[0])
        self.distributions = []
        for each in listed:
            check_time()
            self.distributions.append(audited.distributions[audited.number(each)])
        self._place = {database: i for i, database in enumerate(listed)}
        every = dict.fromkeys(o for distribution in self.distributions for o in distribution)
        self.outcomes = {o: i for i, o in enumerate(every)}
        t, table = _table(self.distributions, list(every), numbers)
        self.instance = about | {
            "name": type(result.mechanism).__name__,
            "outcomes": _labels("outcomes", every, labels[1]),
            "t": t,
            "laws": table,
        }
        if isinstance(result.mechanism, ProgramTable):
            self.instance["name"] = result.mechanism.program.name
            self.instance |= decision_trees(result.mechanism, listed, self.outcomes, self.instance)
        self.root: int = 1 if t is None else self.instance["t"]["root"]

    def places(self, databases: Iterable[Any]) -> list[int]:
        """Return the indices of databases in the list of the certificate."""
        try:
            numbers = [self._audited.domain.numbered(database) for database in databases]
        except (DomainError, TypeError) as error:
            raise CertificateError(str(error)) from None
        sort = self._audited.symmetric
        found = [self._place.get(tuple(sorted(d)) if sort else d) for d in numbers]
        if None in found:
            raise CertificateError("worst and tightest must be pairs of compared neighbours")
        return [i for i in found if i is not None]


class _Made(TabulatedMechanism):
    """The instance of the certificate of an audit, with the excesses that it states."""

    def __init__(self, result: AuditResult, worst: Violation, labels: Labels) -> None:
        self.excesses = _excesses(result, worst)
        numbers = [number for pair in self.excesses for number in pair]
        numbers += [result.delta] if result.factor is None else [result.delta, result.factor]
        super().__init__(result, (worst.database, worst.neighbour), numbers, labels)

    def statement(
        self, asked: dict[str, Any], pair: list[int], event: Iterable[Hashable], value: Real | None
    ) -> Certificate:
        """Return the certificate that a value is least or, for a stopped audit, a lower bound."""
        bound = "infinity" if value is None else encode_real(value, self.root)
        proof: dict[str, Any] = dict(zip(("database", "neighbour"), pair, strict=True))
        proof |= {"outcomes": sorted(self.outcomes[o] for o in event), "bound": bound}
        known = value is not None and self.complete
        return Certificate(
            "privacy",
            self.instance,
            asked | {"lower": bound, "upper": bound if known else None},
            {"event": proof},
            {"all_neighbours": {"bound": bound}} if known else None,
        )


def event_needing(
    p: Distribution[Any], q: Distribution[Any], factor: Real | None
) -> list[Hashable]:
    """Return an event whose probabilities require at least the given factor (None: infinity)."""
    if factor is None:
        return [o for o, mass in p.items if not q[o]]
    return [o for o, mass in p.items if mass >= factor * q[o]]


def _compared(
    result: ComparedPairs, pair: Pair | None, audited: AuditedDistributions
) -> tuple[list[Numbers], dict[str, Any], int]:
    """Return the listed databases, their description in the instance, and the number of pairs."""
    neighbours, symmetric = result.neighbours, audited.symmetric
    if isinstance(neighbours, QualityNeighbours) and not result.reason:
        pairs = len(audited.of_qualities(neighbours))
        unit = math.lcm(*(Fraction(v).denominator for q in neighbours.functions for v in q))
        about: dict[str, Any] = {
            "type": "mechanism of qualities",
            "qualities": [encode_integers(int(v * unit) for v in q) for q in neighbours.functions],
            "unit": encode_integers([unit])[0],
            "growth": neighbours.growth,
            "pairs": None if neighbours.pairs is None else list(map(list, neighbours.pairs)),
        }
        return [(i,) for i in range(len(neighbours.functions))], about, pairs
    if isinstance(neighbours, int | RestrictedNeighbours) and not result.reason:
        records, public, groups = audited.domain.records, 0, None
        size = neighbours if isinstance(neighbours, int) else neighbours.size
        audited.pairs(size)  # whether they are few enough
        pairs = count_neighbours(len(records), size, symmetric=symmetric)
        if isinstance(neighbours, RestrictedNeighbours):
            public, groups = neighbours.public, list(audited.groups(neighbours))
            pairs = len(audited.restricted(neighbours))
        about = {
            "type": "mechanism",
            "size": size,
            "symmetric": symmetric,
            "public": public,
            "groups": groups,
        }
        return databases(len(records), size, symmetric=symmetric), about, pairs
    if isinstance(neighbours, SizedRelation) and not result.reason:
        rule = neighbours.rule(audited.domain.records, symmetric=symmetric)
        pairs = rule.count()
        return list(rule.databases()), _declaration(rule), pairs
    given: Any = neighbours
    if result.reason and pair is not None:
        given = (pair,)
    if not isinstance(neighbours, Relation):
        numbers = [audited.given(each) for each in given]
    elif result.reason:
        numbers = [audited.of_relation(each, neighbours) for each in given]
    else:
        numbers = list(audited.related(neighbours)[1])
    found = [[tuple(sorted(d)) if symmetric else d for d in pair] for pair in numbers]
    listed = list(dict.fromkeys(database for pair in found for database in pair))
    place = {database: i for i, database in enumerate(listed)}
    shown = [[place[database] for database in pair] for pair in found]
    return listed, {"type": "mechanism on pairs", "pairs": shown}, len(numbers)


def _declaration(rule: Rule) -> dict[str, Any]:
    """Return the description of a rule in the instance of a certificate."""
    groups = None if rule.is_single else list(rule.groups)
    if rule.change is Change.REPLACE and rule.least == rule.most:
        about: dict[str, Any] = {"type": "mechanism", "size": rule.most, "public": 0}
    else:
        about = {"type": "mechanism of sizes", "least": rule.least, "most": rule.most}
        about["change"] = str(rule.change)
    return about | {"symmetric": rule.symmetric, "groups": groups}


def _labels(what: str, things: Iterable[Any], label: Label) -> list[str]:
    found = list(map(label or str, things))
    if len(set(found)) == len(found):
        return found
    if label is None:
        return [f"{i}: {shown}" for i, shown in enumerate(found)]
    shown = next(shown for shown in found if found.count(shown) > 1)
    raise DomainError(
        f"{what} must have different labels in a certificate, but two have the label {shown!r}"
    )


def _table(
    distributions: Sequence[Distribution[Any]],
    outcomes: Sequence[Hashable],
    numbers: Sequence[Real],
) -> tuple[dict[str, Any] | None, list[Any]]:
    """Return the encoded ``t`` and all distributions' weights; equal distributions appear once."""
    one = {id(distribution): distribution for distribution in distributions}
    reals = {id(p): p for distribution in one.values() for _, p in distribution.items}
    every = [*numbers, *reals.values()]
    irrational = [p for p in every if isinstance(p, Exponential) and not p.is_rational]
    if not irrational:
        rows: dict[int, Any] = {}
        for key, distribution in one.items():
            known: Mapping[Any, Real] = distribution.as_mapping()
            masses = [Fraction(rational(known.get(o, Fraction(0)))) for o in outcomes]
            unit = math.lcm(*(p.denominator for p in masses))
            rows[key] = encode_integers(p.numerator * (unit // p.denominator) for p in masses)
        return None, [rows[id(distribution)] for distribution in distributions]
    root, base = math.lcm(*(p.root for p in irrational)), irrational[0].base
    if any(p.base != base for p in irrational):
        raise CertificateError(
            "the probabilities, epsilon and delta of a certificate must be powers of one common "
            "base"
        )
    weights: dict[int, list[list[int]]] = {}
    for key, distribution in one.items():
        check_time()
        known = distribution.as_mapping()
        masses_of = [known.get(o, Fraction(0)) for o in outcomes]
        weights[key] = integral(over_common_denominator(masses_of, root))
    t = enclosure(root, base, weights.values(), (encode_real(n, root) for n in numbers))
    shown = {
        key: [encode_polynomial(w) for w in distribution] for key, distribution in weights.items()
    }
    return t, [shown[id(distribution)] for distribution in distributions]
