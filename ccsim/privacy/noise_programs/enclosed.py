"""Audits of noise programs whose table of outcomes only encloses the divergences.

The table is that of a mechanism that differs from the program in two ways: infinitely many values
of a noisy output may form one class, and the probability that is not enumerated is an outcome of
its own. Both change the least delta by at most an amount that is computed here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction

from ccsim.budget import Budget, TimeLimit, check_time
from ccsim.certificates import Certificate, Certificates, Certified
from ccsim.data import frozen
from ccsim.errors import CertificateError
from ccsim.exact import Interval
from ccsim.exact.epsilon import Epsilon, Excess, fractions_near
from ccsim.exact.exponentials import Exponential, Real, enclose_log
from ccsim.information import least_factor
from ccsim.privacy.audit_result import AuditResult, Verdict
from ccsim.privacy.comparisons import Violation
from ccsim.privacy.noise_programs.lattice_sums import Number, Terms, value_at
from ccsim.privacy.noise_programs.noises import Lift
from ccsim.privacy.noise_programs.outcomes import Table, real
from ccsim.privacy.noise_programs.program import (
    Inputs,
    NoiseProgram,
    QueryNeighbours,
    inputs_of,
    tabulated,
)
from ccsim.privacy.relations import Relation

_FIRM = Fraction(1 << 60)
"""Factor up to which a lower bound on the least factor is computed if something is missing."""


@frozen
class ProgramAudit(Certified):
    """Whether a noise program is private, with bounds on the least delta and ``e^epsilon``.

    Attributes
    ----------
    program : NoiseProgram
        The audited program.
    epsilon : Epsilon
        Privacy parameter epsilon.
    delta : Fraction
        Privacy parameter delta.
    neighbours : QueryNeighbours or Relation
        The compared pairs of query vectors, or the relation of databases.
    classes : AuditResult
        The audit of the table whose columns are classes of outcomes; the bounds are derived from
        it.
    lower, upper : Fraction or None
        Bounds on the least delta for which the program is private with ``epsilon``; None if the
        audit was stopped.
    least_factor, greatest_factor : Fraction, Exponential or None
        Bounds on the least ``e^epsilon`` for which the program is private with ``delta``. None
        stands for infinity, or for an audit that was stopped.
    """

    question = "whether a noise program is private"
    asked = ("program", "epsilon", "delta", "neighbours")
    answered = ("verdict",)

    program: NoiseProgram
    epsilon: Epsilon
    delta: Fraction
    neighbours: QueryNeighbours | Relation
    classes: AuditResult
    lower: Fraction | None
    upper: Fraction | None
    least_factor: Real | None
    greatest_factor: Real | None

    @property
    def verdict(self) -> Verdict:
        """The verdict; not decided if delta lies between the bounds on the least delta."""
        if self.lower is not None and self.lower > self.delta:
            return Verdict.FAILS
        holds = self.upper is not None and self.upper <= self.delta
        return Verdict.HOLDS if holds else Verdict.NOT_DECIDED

    @property
    def reason(self) -> str:
        """Why the audit is undecided; empty if it is decided."""
        if self.classes.reason or self.verdict is not Verdict.NOT_DECIDED:
            return self.classes.reason
        return "delta lies between the bounds on the least delta"

    @property
    def pairs(self) -> int:
        """Number of compared pairs of query vectors, unordered."""
        return self.classes.pairs

    @property
    def worst(self) -> Violation | None:
        """The pair and the event with the largest excess found."""
        return self.classes.worst

    @property
    def witness(self) -> Violation | None:
        """The violation of ``(epsilon, delta)``-privacy; None if there is no violation."""
        return self.worst if self.verdict is Verdict.FAILS else None

    @property
    def least_delta(self) -> Interval | None:
        """Enclosure of the least delta for ``epsilon``; None if the audit was stopped."""
        if self.lower is None or self.upper is None:
            return None
        return Interval(self.lower, self.upper)

    @property
    def factor(self) -> Real | None:
        """The least ``e^epsilon``, if it is known exactly and finite."""
        return self.least_factor if self.least_factor == self.greatest_factor else None

    @property
    def least_epsilon(self) -> Interval | None:
        """Enclosure of the least epsilon for ``delta``; None if it may be infinite."""
        if self.least_factor is None or self.greatest_factor is None:
            return None
        low, high = enclose_log(self.least_factor), enclose_log(self.greatest_factor)
        return Interval(low.lower, high.upper)

    def certificate(self, *, time_limit: TimeLimit = None) -> Certificate | Certificates:
        """Return the certificate of the audit of the classes.

        The certificate proves the lower bounds. It does not prove the upper bounds, which `check`
        computes again.

        Raises
        ------
        NotDecidedError
            If the audit of the classes is undecided.
        """
        return self.classes.certificate(time_limit=time_limit)

    def check(self, time_limit: TimeLimit = None) -> None:
        """Check the audit of the classes with the kernel, and compute the classes and bounds again.

        Parameters
        ----------
        time_limit : number, Budget or None, optional
            Maximum number of seconds.

        Raises
        ------
        CertificateError
            If a proof is wrong, or the classes or the bounds are not those of the program.
        NotDecidedError
            If the audit of the classes is undecided.
        """
        budget = Budget.of(time_limit)
        Certified.check(self, budget)
        with budget.heard():
            _, inputs = inputs_of(self.program, self.neighbours)
            mechanism, table = tabulated(self.program, inputs.vectors)
            asked = mechanism, tuple(inputs), self.epsilon, self.delta
            classes = self.classes
            if asked != (classes.mechanism, classes.neighbours, classes.epsilon, classes.delta):
                raise CertificateError("classes must be the audit of the classes of the program")
            if self != enclosed(self.program, self.neighbours, inputs, table, classes):
                raise CertificateError("the bounds must follow from the audit of the classes")


def enclosed(
    program: NoiseProgram,
    neighbours: QueryNeighbours | Relation,
    inputs: QueryNeighbours | Inputs,
    table: Table,
    classes: AuditResult,
) -> ProgramAudit:
    """Return the audit of a program from the audit of its classes."""

    def again(delta: Fraction) -> Real | None:
        """Return the least factor of the classes for another delta."""
        largest: Real = Fraction(1)
        laws = [classes.mechanism.distribution((vector,)) for vector in inputs.vectors]
        for i, j in inputs.pairs:
            check_time()
            for p, q in ((laws[i], laws[j]), (laws[j], laws[i])):
                found = least_factor(p, q, delta)
                if found is None:
                    return None
                largest = max(largest, found)
        return largest

    epsilon, delta = classes.epsilon, classes.delta
    if classes.least_delta is None:
        bounds = None, None, None, None
        return ProgramAudit(program, epsilon, delta, neighbours, classes, *bounds)
    tails = _Tails(table, inputs)
    missing = max(table.missing)
    below, above = fractions_near(epsilon)
    slack = missing + tails.excess(*_factor_of(epsilon, (below, above)))
    found = _ends(classes.least_delta)
    lower = max(found.lower - missing * (1 + above), Fraction(0))
    upper = min(found.upper + slack, Fraction(1))
    if missing:
        least, greatest = _factors(missing + tails.mass, missing, delta, again)
    else:
        least, greatest = _factors_of_tails(tails, classes.factor, delta, again)
    return ProgramAudit(program, epsilon, delta, neighbours, classes, lower, upper, least, greatest)


def _factor_of(epsilon: Epsilon, near: tuple[Fraction, Fraction]) -> tuple[Fraction, Fraction]:
    """Return ``e^epsilon`` twice if it is rational, and otherwise fractions below and above it."""
    exact = epsilon.exp()
    if isinstance(exact, Exponential) and exact.is_rational:
        exact = exact.as_fraction()
    return (exact, exact) if isinstance(exact, Fraction) else near


def _ends(value: Real | Excess) -> Interval:
    return Interval(value, value) if isinstance(value, Fraction) else value.enclose()


def _factors(
    slack: Fraction, missing: Fraction, delta: Fraction, again: Callable[[Fraction], Real | None]
) -> tuple[Real | None, Real | None]:
    """Return bounds on the least factor if some outcomes are not enumerated."""
    more = delta + missing * (1 + _FIRM)
    found = again(more) if more <= 1 else Fraction(1)
    least = _FIRM if found is None or found > _FIRM else found
    return least, again(delta - slack) if delta >= slack else None


def _factors_of_tails(
    tails: _Tails, factor: Real | None, delta: Fraction, again: Callable[[Fraction], Real | None]
) -> tuple[Real | None, Real | None]:
    """Return bounds on the least factor if only infinitely many values form one class."""
    if factor is None or not tails.excess(factor, factor):
        return factor, factor
    if not delta:
        largest = tails.largest_ratio()
        found = factor if largest is None or largest < factor else largest
        if largest is not None and not tails.excess(found, found):
            return found, found
        return found, None
    return factor, again(delta - tails.mass) if delta >= tails.mass else None


class _Tails:
    """The classes of infinitely many values that are not alike, and the compared pairs."""

    def __init__(self, table: Table, neighbours: QueryNeighbours | Inputs) -> None:
        self._table, self._neighbours = table, neighbours
        self._lift: Lift = table.lift
        masses = [_ends(row[o]).upper for o in table.rough for row in table.rows]
        self.mass = max(masses, default=Fraction(0)) * len(table.rough)

    def _each(self) -> Iterator[tuple[int, int, int, Terms | None, Terms | None]]:
        """Yield each class with each ordered pair of inputs and the functions on them."""
        for o, tails in self._table.rough.items():
            check_time()
            for i, j in self._neighbours.pairs:
                for a, b in ((i, j), (j, i)):
                    yield o, a, b, tails[a] if tails else None, tails[b] if tails else None

    def excess(self, low: Real, high: Real) -> Fraction:
        """Return a bound on what the classes hide at every factor from low to high."""
        hidden: dict[tuple[int, int], Fraction] = {}
        below, above = self._lift(low), self._lift(1) / self._lift(high)
        for o, a, b, p, q in self._each():
            mass = _ends(self._table.rows[a][o]).upper
            if not mass:
                continue
            if p is None or q is None or not (_is_within(p, q, below) or _is_within(q, p, above)):
                hidden[a, b] = hidden.get((a, b), Fraction(0)) + mass
        return max(hidden.values(), default=Fraction(0))

    def largest_ratio(self) -> Real | None:
        """Return a ratio that no factor below it suffices for; None if it is infinite."""
        largest: Number = self._lift(1)
        for _, _, _, p, q in self._each():
            if not p:
                continue
            if not q:
                return None
            lead, other = _leading(p), _leading(q)
            if lead[:2] > other[:2]:
                return None
            if lead[:2] == other[:2]:
                largest = max(largest, lead[2] / other[2])
            if (below := value_at(q, 1)) != 0:
                largest = max(largest, value_at(p, 1) / below)
        return real(largest)


def _parts(terms: Terms) -> list[tuple[Number, int, Number]]:
    """Return the base, the power and the coefficient of each term; the last one grows fastest."""
    found = []
    for (bases, powers), c in terms.items():
        s = bases[0][1] if bases else c / c
        found.append((s, powers[0][1] if powers else 0, c))
    return sorted(found, key=lambda part: part[:2])


def _leading(terms: Terms) -> tuple[Number, int, Number]:
    return _parts(terms)[-1]


def _is_within(p: Terms, q: Terms, factor: Number) -> bool:
    """Whether ``p <= factor q`` provably holds at all integers from 1."""
    gap = dict(p)
    for key, c in q.items():
        gap[key] = gap[key] - factor * c if key in gap else -factor * c
    parts = _parts({key: c for key, c in gap.items() if c != 0})
    if all(c <= 0 for _, _, c in parts):
        return True
    base, power, lead = parts[-1]
    if lead > 0:
        return False
    total = lead * base
    for s, k, c in parts[:-1]:
        if c > 0:
            if k > power and s * 2 ** (k - power) > base:
                return False  # relative to the leading term, this one may rise at first
            total = total + c * s
    return bool(total <= 0)
