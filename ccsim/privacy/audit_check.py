"""The check of an audit from the definition of privacy, by code that the audit does not use."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from fractions import Fraction
from itertools import combinations
from typing import TYPE_CHECKING, Any

from ccsim.budget import Budget, in_time
from ccsim.errors import CertificateError, DomainError, NotDecidedError
from ccsim.exact import as_fraction
from ccsim.exact.epsilon import Epsilon
from ccsim.exact.exponentials import Exponential, Real
from ccsim.exact.law import Law
from ccsim.privacy.audited_laws import AuditedLaws, Numbers
from ccsim.privacy.domain import identity
from ccsim.privacy.neighbours import RestrictedNeighbours, databases
from ccsim.privacy.qualities import QualityNeighbours

if TYPE_CHECKING:
    from ccsim.privacy.audit_result import AuditResult, Violation

__all__ = ["check_audit"]

Ordered = tuple[Numbers, Numbers]
"""A pair of neighbouring databases, one of them first."""


def check_audit(result: AuditResult, budget: Budget) -> None:
    """Check everything that the result of an audit states; see `AuditResult.check`."""
    with budget.heard():
        _check(result, budget)


def _check(result: AuditResult, budget: Budget) -> None:
    check = _Check(result, budget)
    check.parameters()
    if result.verdict == "not decided":
        check.require(bool(result.reason), "nothing is decided, but no reason is given")
        raise NotDecidedError(result.reason)
    if (found := result.worst) is None:
        raise CertificateError(
            "a decided audit has a pair of databases and an event that need the least delta"
        )
    check.witness(found)
    if result.reason:
        check.stopped()
    else:
        check.all_neighbours()
    check.worst(found)


class _Check:
    """The parts of the check, over the laws of the mechanism on which all of them look."""

    def __init__(self, result: AuditResult, budget: Budget) -> None:
        self._result, self._budget = result, budget
        self._laws = AuditedLaws(result.mechanism)
        self._factor: Real = Fraction(1)
        self._qualities: set[Ordered] = set()
        self._groups: tuple[int, ...] = ()

    def require(self, condition: bool, rule: str) -> None:  # noqa: FBT001 - a condition
        """Reject the result unless a condition holds."""
        if not condition:
            raise CertificateError(rule)

    def parameters(self) -> None:
        """Check that the parameters are some, and that the verdict is one."""
        stated = self._result
        try:
            self._factor = Epsilon.of(stated.epsilon).exp()
            as_fraction(stated.delta, "delta", 0, 1)
        except DomainError as error:
            raise CertificateError(str(error)) from None
        verdicts = ("holds", "fails", "not decided")
        self.require(stated.verdict in verdicts, f"{stated.verdict!r} is no verdict")

    def witness(self, found: Violation) -> None:
        """Check that a violation, if one is stated, is one."""
        stated = self._result
        if stated.verdict == "fails":
            p, q = self._event(found)
            if p <= self._factor * q + stated.delta:
                raise CertificateError(
                    f"the event of the witness has probabilities {p} and {q}: no violation"
                )

    def worst(self, found: Violation) -> None:
        """Check what is stated of the worst event, and the verdict."""
        stated = self._result
        p, q = self._pair((found.database, found.neighbour), "the witness")
        likelier = {o for o, mass, other in _side_by_side(p, q) if mass > self._factor * other}
        self.require(
            len(found.event) == len(likelier) and set(found.event) == likelier,
            f"the event of the witness must be the {len(likelier)} outcomes that are likelier",
        )
        first, second = self._event(found)
        self._equal("the probability of the event", found.probability, first)
        self._equal("its probability on the neighbour", found.neighbour_probability, second)
        self._equal("the delta of the witness", found.delta, first - self._factor * second)
        if stated.verdict == "fails":
            return
        rule = f"neighbouring databases need delta = {found.delta}, more than {stated.delta}"
        self.require(found.delta <= stated.delta, rule)

    def _event(self, found: Violation) -> list[Real]:
        """Return the probabilities of the worst event."""
        laws = self._pair((found.database, found.neighbour), "the witness")
        event = set(found.event)
        return [sum((p for o, p in law.items if o in event), Fraction(0)) for law in laws]

    def stopped(self) -> None:
        """Check what is stated of an audit that was stopped when it had found a violation."""
        stated = self._result
        self.require(stated.verdict == "fails", "only a violation is decided by some of the pairs")
        nothing = stated.least_delta is None and stated.factor is None
        self.require(nothing, "the least delta and factor are not known from some of the pairs")
        if isinstance(stated.neighbours, int):
            known = self._laws.pairs(stated.neighbours)[0]
        elif isinstance(stated.neighbours, QualityNeighbours):
            known = len(self._laws.of_qualities(stated.neighbours))
        elif isinstance(stated.neighbours, RestrictedNeighbours):
            known = sum(1 for _ in self._every_pair()) // 2
        else:
            known = len(stated.neighbours)
        within = type(stated.pairs) is int and 1 <= stated.pairs <= known
        self.require(within, f"of {known} pairs {stated.pairs!r} cannot have been compared")
        if stated.tightest is not None:
            self._pair(stated.tightest, "the tightest pair")

    def all_neighbours(self) -> None:
        """Check the least delta, the least factor and the number of pairs on all neighbours."""
        stated, number = self._result, self._laws.number
        found, near = 0, set[tuple[int, int]]()
        for first, second in self._every_pair():
            self._budget.spend()
            found += 1
            near.add((number(first), number(second)))
        self._equal("the number of pairs", stated.pairs, found // 2, int)
        least = stated.factor
        if least is not None:
            self.require(_is_exact(least) and least >= 1, f"the least factor cannot be {least!r}")
        most: Real = Fraction(0)
        for i, j in near:
            self._budget.spend()
            p, q = self._laws.laws[i], self._laws.laws[j]
            most = max(most, _excess(p, q, self._factor))
            if stated.verdict == "holds" and most > stated.delta:
                raise CertificateError(
                    f"neighbouring databases need delta = {most}, more than {stated.delta}"
                )
            if least is not None and (excess := _excess(p, q, least)) > stated.delta:
                raise CertificateError(
                    f"neighbouring databases need delta = {excess} at the least factor {least}"
                )
        self._equal("the least delta", stated.least_delta, most)
        worst: Violation | None = stated.worst
        self._equal("the delta of the witness", None if worst is None else worst.delta, most)
        self.require(stated.tightest is not None, "the pair that needs the factor is missing")
        self._tightest(*self._pair(stated.tightest or ((), ()), "the tightest pair"))

    def _tightest(self, p: Law[Any], q: Law[Any]) -> None:
        """Check that a pair of laws needs the least factor.

        The excess falls with the factor as long as an outcome is likelier by more than it, until it
        is the mass of the outcomes that the neighbour never has.
        """
        stated, least = self._result, self._result.factor
        if least is None:
            alone = sum((m for _, m, other in _side_by_side(p, q) if not other), Fraction(0))
            rule = f"the tightest pair needs no more than delta = {alone}: some factor is enough"
            self.require(alone > stated.delta, rule)
        elif least > 1:
            falls = any(n and m >= least * n for _, m, n in _side_by_side(p, q))
            is_needed = falls and _excess(p, q, least) == stated.delta
            self.require(is_needed, f"the tightest pair needs less than the factor {least}")

    def _pair(self, pair: tuple[Iterable[Any], Iterable[Any]], name: str) -> list[Law[Any]]:
        """Return the laws on a stated pair of databases, which must be among those compared."""
        neighbours = self._result.neighbours
        try:
            first, second = self._laws.given(tuple(tuple(database) for database in pair))
            if isinstance(neighbours, int):
                compared = len(first) == neighbours
            elif isinstance(neighbours, QualityNeighbours):
                compared = (first, second) in self._of_qualities(neighbours)
            elif isinstance(neighbours, RestrictedNeighbours):
                place = next(i for i, a in enumerate(first) if a != second[i])
                allowed = self._allowed(neighbours, first, place)
                compared = len(first) == neighbours.size and second[place] in allowed
            else:
                compared = {first, second} in [set(self._laws.given(each)) for each in neighbours]
        except (DomainError, TypeError) as error:
            raise CertificateError(f"{name}: {error}") from None
        self.require(compared, f"{name} is not among the neighbours that were compared")
        return [self._laws.laws[self._laws.number(database)] for database in (first, second)]

    def _every_pair(self) -> Iterator[Ordered]:
        """Yield every ordered pair of neighbours that the result says was compared."""
        neighbours, symmetric = self._result.neighbours, self._laws.symmetric
        if isinstance(neighbours, QualityNeighbours):
            yield from sorted(self._of_qualities(neighbours))
            return
        if not isinstance(neighbours, int | RestrictedNeighbours):
            for pair in neighbours:
                first, second = self._laws.given(pair)
                yield first, second
                yield second, first
            return
        size = neighbours if isinstance(neighbours, int) else neighbours.size
        self._laws.pairs(size)  # whether they are few enough
        records = range(len(self._laws.domain.records))
        for database in databases(len(records), size, symmetric=symmetric):
            changed = {
                (*database[:place], record, *database[place + 1 :])
                for place in range(size)
                for record in (
                    records
                    if isinstance(neighbours, int)
                    else self._allowed(neighbours, database, place)
                )
                if record != database[place]
            }
            for other in {tuple(sorted(d)) for d in changed} if symmetric else changed:
                yield database, other

    def _allowed(self, stated: RestrictedNeighbours, database: Numbers, place: int) -> set[int]:
        """Return the records that may stand at a place of a database in a neighbour of it."""
        if not self._groups:
            try:
                self._groups = self._laws.groups(stated)
            except DomainError as error:
                raise CertificateError(str(error)) from None
        groups = self._groups
        if place < stated.public:
            return {database[place]}
        return {i for i, group in enumerate(groups) if group == groups[database[place]]}

    def _of_qualities(self, stated: QualityNeighbours) -> set[Ordered]:
        """Return the ordered pairs of quality functions that are compared, by the definition."""
        functions, found = stated.functions, self._qualities
        if found:
            return found
        rule = "the records of the mechanism are not the quality functions"
        self.require(identity(self._laws.domain.records) == identity(functions), rule)
        numbers = range(len(functions))
        listed = combinations(numbers, 2) if stated.pairs is None else stated.pairs
        for i, j in listed:
            self._budget.spend()
            changes = [b - a for a, b in zip(functions[i], functions[j], strict=True)]
            grown = max(sum(c > 0 for c in changes), sum(c < 0 for c in changes))
            near = grown > 0 and all(-1 <= c <= 1 for c in changes)
            near = near and (stated.growth is None or grown <= stated.growth)
            if near:
                found |= {((i,), (j,)), ((j,), (i,))}
            else:
                rule = f"quality functions {i} and {j} are no neighbours"
                self.require(stated.pairs is None, rule)
        return found

    def _equal(self, what: str, stated: object, found: object, kind: type | None = None) -> None:
        """Require that a stated number is the one found, and of an exact type."""
        exact = type(stated) is kind if kind else _is_exact(stated)
        if not exact or stated != found:
            raise CertificateError(f"{what} is {found}, not {stated}")


def _is_exact(number: object) -> bool:
    return type(number) in (Fraction, Exponential)


def _excess(p: Law[Any], q: Law[Any], factor: Real) -> Real:
    """Return the sum of the positive differences of ``p`` and ``factor`` times ``q``."""
    total: Real = Fraction(0)
    for _, mass, other in _side_by_side(p, q):
        more = mass - factor * other
        total = total + more if more > 0 else total
    return total


def _side_by_side(p: Law[Any], q: Law[Any]) -> Iterator[tuple[Hashable, Real, Real]]:
    """Yield each outcome of a law with its probabilities under both."""
    other = q.as_mapping()
    for outcome, mass in in_time(p.items):
        yield outcome, mass, other.get(outcome, Fraction(0))
