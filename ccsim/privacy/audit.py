"""The auditor decides whether a mechanism is private for *every* pair of neighbouring databases.

All probabilities and comparisons are exact (fractions, or rational functions of a power of ``e``),
so the verdict does not depend on samples or rounding.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import islice
from typing import Any, overload

from ccsim.arguments.checked import checked_types
from ccsim.arguments.renamed import renamed_arguments
from ccsim.budget import Budget, OutOfTimeError, Progress, TimeLimit
from ccsim.errors import NotDecidedError
from ccsim.exact import as_fraction
from ccsim.exact.distribution import Distribution
from ccsim.exact.epsilon import PRECISIONS, Epsilon, Excess
from ccsim.exact.exponentials import DifferentFieldsError, Real
from ccsim.privacy.audit_result import AuditResult
from ccsim.privacy.changes import Numbers
from ccsim.privacy.comparisons import (
    AuditedDistributions,
    Comparisons,
    Nearby,
    Numbered,
    Stated,
    pairs_given,
)
from ccsim.privacy.constructions import Mechanism
from ccsim.privacy.noise_programs.enclosed import ProgramAudit, enclosed
from ccsim.privacy.noise_programs.program import (
    NoiseProgram,
    QueryNeighbours,
    inputs_of,
    tabulated,
)
from ccsim.privacy.qualities import ByQuality, Quality, QualityNeighbours
from ccsim.privacy.relations import Relation

_LEAST = 1
"""Seconds that the first pair may take regardless of the time limit."""


_MOST_AT_ONCE = 1 << 13
"""Maximum number of pairs that are compared at once."""


@overload
def audit(
    mechanism: Mechanism[Any, Any],
    epsilon: Epsilon | Fraction | int | str,
    delta: Fraction | int | str,
    neighbours: int | Stated | Iterable[Sequence[Sequence[Any]]],
    *,
    time_limit: TimeLimit = None,
    progress: Progress | None = None,
) -> AuditResult: ...


@overload
def audit(
    mechanism: NoiseProgram,
    epsilon: Epsilon | Fraction | int | str,
    delta: Fraction | int | str,
    neighbours: int | Relation | QueryNeighbours | Iterable[Sequence[Sequence[Any]]],
    *,
    time_limit: TimeLimit = None,
    progress: Progress | None = None,
) -> AuditResult | ProgramAudit: ...


@checked_types
def audit(
    mechanism: Mechanism[Any, Any] | NoiseProgram,
    epsilon: Epsilon | Fraction | int | str,
    delta: Fraction | int | str,
    neighbours: int | Stated | QueryNeighbours | Iterable[Sequence[Sequence[Any]]],
    *,
    time_limit: TimeLimit = None,
    progress: Progress | None = None,
) -> AuditResult | ProgramAudit:
    """Decide whether a mechanism is ``(epsilon, delta)``-private.

    Parameters
    ----------
    mechanism : Mechanism or NoiseProgram
        The mechanism; `FunctionMechanism` creates one from a function of databases, and the
        decorator `ccsim.privacy.mechanism` makes a noise program from a function of query values.
    epsilon : Epsilon, int, Fraction or str
        Privacy parameter epsilon, at least 0; a text may be a logarithm, such as ``"ln 3"``.
    delta : Fraction, int or str
        Privacy parameter delta, between 0 and 1.
    neighbours : int, iterable of pairs, or a relation
        A positive integer ``m`` means all pairs of databases with ``m`` records that differ in one
        record (a mechanism that is private for one size need not be private for other sizes). An
        iterable lists such pairs. Other relations are `ReplaceNeighbours`, for several sizes,
        `AddRemoveNeighbours`, `LabelNeighbours`, `KeyNeighbours`, `RestrictedNeighbours`,
        `OwnNeighbours` and `GraphNeighbours`. Databases are sequences of records, or multisets if
        the mechanism sorts its databases (`CanonicalMechanism`). `QualityNeighbours` are for
        `audit_by_qualities`. The neighbours of a noise program are `QueryNeighbours` or pairs of
        query vectors.
    time_limit : float or Budget, optional
        Seconds after which no further pair is compared; the first pair may take one second more. If
        a limit is given, an interrupt (Ctrl-C) has the same effect. A violation found earlier still
        decides the audit.
    progress : callable, optional
        Called with the number of pairs compared and the number of all pairs (0 if unknown).

    Returns
    -------
    AuditResult or ProgramAudit
        A `ProgramAudit` if the mechanism is a noise program whose least delta is only enclosed.

    Raises
    ------
    DomainError
        If a parameter is out of range, a pair does not consist of neighbours, a distribution is not
        exact or contains powers of different bases, or the mechanism is declared symmetric although
        its distributions on two orders of a database differ.
    InstanceTooLargeError
        If there are more than `MAX_PAIRS` pairs.
    OutOfTimeError
        If the distributions of a noise program are not computed within the time limit.

    Notes
    -----
    Complexity: one distribution for each database, and two comparisons for each distinct pair of
    distributions. With fractions, 10^5 pairs take seconds.

    Irrational probabilities must be rational functions of powers of one base. If ``e^epsilon`` does
    not belong to the same field, it is replaced by fractions below and above it. This takes two to
    four times as long and requires an epsilon of at most 2^21. If fractions of 400 bits do not
    decide, the audit is undecided.

    Examples
    --------
    >>> from ccsim.privacy.mechanisms.randomized_response import RandomizedResponse
    >>> response = RandomizedResponse((0, 1), Epsilon.of("ln 3"))
    >>> audit(response, "ln 3", 0, 1).verdict, audit(response, "ln 2", 0, 1).witness.delta
    (<Verdict.HOLDS: 'holds'>, Fraction(1, 4))
    >>> audit(response, "ln 2", "1/8", 1).factor
    Fraction(5, 2)
    >>> # publishing a value that two records share is not private, but needs two records
    >>> from ccsim.privacy import FunctionMechanism
    >>> def published(records):
    ...     agree = len(records) > 1 and records[0] == records[1]
    ...     return {records[0] if agree else "nothing": 1}
    >>> [audit(FunctionMechanism((0, 1), published), 1, 0, m).verdict.value for m in (1, 2)]
    ['holds', 'fails']
    """
    bound, allowed = Epsilon.of(epsilon), as_fraction(delta, "delta", 0, 1)
    budget = Budget.of(time_limit, progress)
    if isinstance(mechanism, NoiseProgram):
        return _audit_program(mechanism, bound, allowed, neighbours, budget)
    return _audit(mechanism, bound, allowed, neighbours, budget)


def _audit_program(
    program: NoiseProgram, bound: Epsilon, allowed: Fraction, neighbours: object, budget: Budget
) -> AuditResult | ProgramAudit:
    """Audit a noise program by the table of its classes of outcomes."""
    with budget.heard():
        asked, inputs = inputs_of(program, neighbours)
        mechanism, table = tabulated(program, inputs.vectors)
    pairs = list(inputs)
    classes = _audit(mechanism, bound, allowed, pairs, budget)
    if not table.rough and not any(table.missing):
        return classes
    return enclosed(program, asked, inputs, table, classes)


def _audit(
    mechanism: Mechanism[Any, Any],
    bound: Epsilon,
    allowed: Fraction,
    neighbours: int | Stated | Iterable[Sequence[Sequence[Any]]],
    budget: Budget,
) -> AuditResult:
    """Audit a mechanism with exact distributions."""
    distributions = AuditedDistributions(mechanism)
    compared = _Compared(distributions, neighbours, budget)
    try:
        exact = Comparisons(distributions, bound.exp(), allowed)
        compared.by(exact)
        comparisons: Comparisons | Nearby = exact
    except DifferentFieldsError:
        nearer = (Nearby(distributions, bound, allowed, bits) for bits in PRECISIONS)
        for comparisons, end in ((found, end) for found in nearer for end in found.ends):
            compared.by(end)
            if compared.reason or comparisons.is_settled:
                break
        else:
            compared.reason = f"{PRECISIONS[-1]} bits of e^epsilon do not suffice to decide"
    reason, tightest = compared.reason, comparisons.tightest
    decided = None if reason else tightest
    return AuditResult(
        mechanism,
        bound,
        allowed,
        neighbours if isinstance(neighbours, int | Stated) else compared.pairs(),
        compared.done,
        reason,
        None if decided is None else decided[0],
        comparisons.violation(),
        None if decided is None else distributions.pair(decided[1]),
        comparisons.near,
    )


class _Compared:
    """The pairs of an audit, compared in one or more passes until the time limit."""

    def __init__(
        self, distributions: AuditedDistributions, neighbours: object, budget: Budget
    ) -> None:
        self._distributions, self._neighbours, self._budget = distributions, neighbours, budget
        self._patient = budget.at_least(_LEAST)
        self._given: list[tuple[Numbers, Numbers]] = []
        self._total, self._rest = 0, iter(list[tuple[Numbers, Numbers]]())
        self._is_listed = False
        with budget, budget.heard():
            self._total, self._rest = distributions.compared(neighbours)
            self._is_listed = True
        self.done, self.reason = 0, ""

    def _again(self) -> Iterator[tuple[Numbers, Numbers]]:
        """Yield all pairs from the start, including those already taken from an iterator."""
        if isinstance(self._neighbours, int | Stated):
            yield from self._distributions.compared(self._neighbours)[1]
            return
        yield from tuple(self._given)
        for pair in self._rest:
            self._given.append(pair)
            yield pair

    def by(self, comparisons: Comparisons) -> None:
        """Compare all pairs, or as many as are possible within the time limit."""
        budget, is_complete = self._budget, False
        self.done, self.reason = 0, ""
        if not self._is_listed:
            self.reason = "stopped before the pairs of databases were listed"
            return
        try:
            with budget:
                pairs = self._again()
                number = self._distributions.number
                for first, second in islice(pairs, 1):
                    with self._patient.heard():
                        block = [((first, second), number(first), number(second))]
                        self._count(comparisons, block)
                with budget.heard():
                    self._by_blocks(comparisons, pairs)
                is_complete = True
        except NotDecidedError as error:
            self.reason = str(error)
        if not is_complete and not self.reason:
            ended = "interrupted" if budget.interrupted else "stopped"
            self.reason = f"{ended} after {self.done} of {self._total or 'the'} pairs of databases"
        if not self.done and not self.reason:
            self.reason = "there are no neighbouring databases"

    def _by_blocks(
        self, comparisons: Comparisons, pairs: Iterator[tuple[Numbers, Numbers]]
    ) -> None:
        """Compare the pairs in blocks, which grow with the number of pairs compared before."""
        number, budget, block = self._distributions.number, self._budget, list[Numbered]()
        numbers = dict[int, tuple[Numbers, int]]()  # of the databases of this block, by their ids

        def numbered(database: Numbers) -> int:
            if (known := numbers.get(id(database))) is None:
                known = numbers[id(database)] = database, number(database)
            return known[1]

        size = 1
        try:
            for pair in pairs:
                block.append((pair, numbered(pair[0]), numbered(pair[1])))
                if len(block) >= size or budget.expired:
                    compared, block = block, []
                    self._count(comparisons, compared)
                    numbers.clear()
                    size = min(_MOST_AT_ONCE, self.done // 8 + 1)
        except (NotDecidedError, OutOfTimeError, KeyboardInterrupt):
            comparisons.compare_all(block)  # those before the distribution that is missing
            self.done += comparisons.compared
            raise
        if block:
            self._count(comparisons, block)

    def _count(self, comparisons: Comparisons, block: list[Numbered]) -> None:
        """Compare and count pairs, and look at the time limit."""
        try:
            comparisons.compare_all(block)
        finally:
            self.done += comparisons.compared
        self._budget.report(self.done, self._total)
        if self.done != self._total:
            self._budget.spend(len(block))

    def pairs(self) -> tuple[tuple[tuple[Any, ...], tuple[Any, ...]], ...]:
        """Return those of the given pairs that were compared."""
        return tuple(map(self._distributions.pair, self._given[: self.done]))


@renamed_arguments(law="distribution")
@checked_types
def audit_by_qualities(
    distribution: Callable[[Quality], Distribution[Any]],
    epsilon: Epsilon | Fraction | int | str,
    delta: Fraction | int | str,
    qualities: QualityNeighbours,
    *,
    time_limit: TimeLimit = None,
    progress: Progress | None = None,
) -> AuditResult:
    """Decide whether a mechanism that depends only on a quality function is private.

    If the verdict is ``holds``, the mechanism is ``(epsilon, delta)``-private on every domain, for
    every quality function whose values on each database form one of the compared functions. The
    quality function must have sensitivity 1, and bounded growth if ``qualities`` has a bound.

    Parameters
    ----------
    distribution : callable
        Function that maps a quality function, given as a tuple of values, to the distribution of
        the output.
    epsilon, delta, time_limit, progress
        As for `audit`.
    qualities : QualityNeighbours
        The pairs of quality functions to compare, for example `QualityNeighbours.all_functions` if
        there are few values.

    Returns
    -------
    AuditResult
        The result of the audit, in which each database has one record, the quality function.

    Raises
    ------
    DomainError
        If a parameter is out of range, or ``distribution`` does not return a `Distribution`.

    Notes
    -----
    Complexity: as for `audit`. `check` and the kernel compare all pairs of functions, up to a few
    million.

    Examples
    --------
    A_dist, for two solutions with scores from 0 to 3.

    >>> from ccsim.privacy.mechanisms.stable_choice import StableChoice
    >>> scores = QualityNeighbours.all_functions(solutions=2, most=3)
    >>> for variant in ("printed", "corrected"):
    ...     choice = StableChoice((), "ab", max, Epsilon.of("ln 3"), Fraction(1, 8), variant)
    ...     result = audit_by_qualities(choice.distribution_of_scores, "ln 3", "1/8", scores)
    ...     str(result.verdict), result.least_delta, result.worst.database[0]
    ('fails', Fraction(5, 9), (0, 2))
    ('holds', Fraction(1, 8), (0, 2))
    """
    mechanism = ByQuality(qualities.functions, distribution)
    return audit(mechanism, epsilon, delta, qualities, time_limit=time_limit, progress=progress)


@checked_types
def privacy_curve(
    mechanism: Mechanism[Any, Any],
    epsilons: Iterable[Epsilon | Fraction | int | str],
    neighbours: int | Stated | Iterable[Sequence[Sequence[Any]]],
) -> tuple[tuple[Epsilon, Real | Excess], ...]:
    """Return the least delta of a mechanism for each epsilon.

    Parameters
    ----------
    mechanism, neighbours
        As for `audit`.
    epsilons : iterable of Epsilon, int, Fraction or str
        Values of the privacy parameter epsilon.

    Returns
    -------
    tuple of (Epsilon, Fraction, Exponential or Excess)

    Raises
    ------
    NotDecidedError
        If an audit is undecided.
    DomainError, InstanceTooLargeError
        As `audit`.

    Examples
    --------
    >>> from ccsim.privacy.mechanisms.randomized_response import RandomizedResponse
    >>> response = RandomizedResponse((0, 1), Epsilon.of("ln 3"))
    >>> [str(delta) for _, delta in privacy_curve(response, [0, "ln 2", "ln 3"], 1)]
    ['1/2', '1/4', '0']
    """
    known = isinstance(neighbours, int | Stated)
    compared = neighbours if known else list(pairs_given(neighbours))
    curve = []
    for epsilon in map(Epsilon.of, epsilons):
        result = audit(mechanism, epsilon, 0, compared)
        if result.least_delta is None:
            raise NotDecidedError(result.reason)
        curve.append((epsilon, result.least_delta))
    return tuple(curve)
