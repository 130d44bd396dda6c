"""The comparisons of an audit: the delta and the factor that each pair of distributions requires.

`AuditedDistributions` checks each distribution once and gives equal distributions one number. For
most pairs, bounds that are multiples of ``2**-96`` prove that they require no more than an earlier
pair (`Screen`). The remaining pairs are compared exactly: rational distributions are brought to a
common denominator, so that a comparison consists of products of integers; distributions with powers
of ``e`` are compared as in `ccsim.information`.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cmp_to_key, partial
from itertools import islice
from math import lcm
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from ccsim.arguments.values import show_value
from ccsim.budget import in_time
from ccsim.data import validated
from ccsim.errors import DomainError, InstanceTooLargeError, NotDecidedError
from ccsim.exact.distribution import Distribution
from ccsim.exact.epsilon import PRECISIONS, Epsilon, Excess, fractions_near
from ccsim.exact.exponentials import Exponential, Real
from ccsim.information import divergence, least_factor, likelier_event
from ccsim.privacy.blocks import Indices, Table
from ccsim.privacy.changes import MAX_ENTRIES, MAX_PAIRS, Numbers
from ccsim.privacy.constructions import Mechanism, is_symmetric
from ccsim.privacy.neighbours import (
    Domain,
    RestrictedNeighbours,
    count_neighbours,
    identity,
    neighbouring_databases,
)
from ccsim.privacy.qualities import QualityNeighbours
from ccsim.privacy.relations import OwnNeighbours, Relation

Database: TypeAlias = tuple[Any, ...]
Counted: TypeAlias = "tuple[int, dict[Hashable, int]]"
"""A denominator, and the numerators of the probabilities."""


@validated
class Violation:
    """A pair of neighbours, an event, and the probabilities of the event on both databases.

    Attributes
    ----------
    database, neighbour : tuple
        Neighbouring databases.
    event : tuple
        The outcomes whose probability on ``database`` exceeds ``e^epsilon`` times the probability
        on ``neighbour``.
    probability, neighbour_probability : Fraction or Exponential
        Probabilities of the event on ``database`` and on ``neighbour``.
    delta : Fraction, Exponential or Excess
        ``probability - e^epsilon neighbour_probability``, maximal over all events.
    """

    database: Database
    neighbour: Database
    event: tuple[Hashable, ...]
    probability: Real
    neighbour_probability: Real
    delta: Real | Excess


class Comparisons:
    """The comparisons made so far; equal pairs of distributions are compared once."""

    near: tuple[Fraction, Fraction] | None = None

    def __init__(self, distributions: AuditedDistributions, bound: Real, delta: Fraction) -> None:
        self.bound, self.delta = bound, delta
        self.worst: tuple[Real, tuple[Numbers, Numbers]] | None = None
        self.tightest: tuple[Real | None, tuple[Numbers, Numbers]] | None = None
        self._distributions = distributions
        self.compared = 0  # pairs of the last block
        self._screen = Screen(distributions, self.bound, delta)
        self._seen: set[tuple[int, int]] = set()
        self._counted: list[Counted | None] = []

    def compare(self, database: Numbers, neighbour: Numbers) -> None:
        """Compare the distributions of two neighbours, in both orders."""
        i, j = self._distributions.number(database), self._distributions.number(neighbour)
        self._compare(i, j, (database, neighbour))
        self._compare(j, i, (neighbour, database))

    def compare_all(self, block: Sequence[Numbered]) -> None:
        """Compare the distributions of many pairs of neighbours, in the order of the pairs."""
        numbers = [number for _, i, j in block for number in (i, j)]
        self.compared = 0
        for place in self._screen.remaining(numbers):
            self.compared = place // 2
            (database, neighbour), i, j = block[self.compared]
            if place % 2:
                self._compare(j, i, (neighbour, database))
            else:
                self._compare(i, j, (database, neighbour))
        self.compared = len(block)

    def _compare(self, i: int, j: int, pair: tuple[Numbers, Numbers]) -> None:
        """Compare the distributions of an ordered pair of neighbours."""
        if (i, j) in self._seen:
            return
        self._seen.add((i, j))
        if self._screen.rests(i, j):
            return
        p, q = self._distributions.distributions[i], self._distributions.distributions[j]
        first, second = self._in_integers(i), self._in_integers(j)
        excess: Real
        factor: Real | None
        if first is None or second is None or not isinstance(self.bound, Fraction):
            excess, factor = divergence(p, q, self.bound), least_factor(p, q, self.delta)
        else:
            excess = _divergence(first, second, self.bound)
            factor = _least_factor(first, second, self.delta)
        if self.worst is None or excess > self.worst[0]:
            self.worst = excess, pair
        if self.tightest is None or (
            self.tightest[0] is not None and (factor is None or factor > self.tightest[0])
        ):
            self.tightest = factor, pair
        self._screen.needs(self.worst[0], self.tightest[0])

    def violation(self) -> Violation | None:
        """Return the worst event."""
        if self.worst is None:
            return None
        excess, pair = self.worst
        p, q = (
            self._distributions.distributions[self._distributions.number(database)]
            for database in pair
        )
        event = likelier_event(p, q, self.bound)
        on_database, on_neighbour = p.mass(event), q.mass(event)
        database, neighbour = map(self._distributions.database, pair)
        return Violation(database, neighbour, event, on_database, on_neighbour, excess)

    def _in_integers(self, number: int) -> Counted | None:
        """Return a distribution with one common denominator.

        The result is None if a probability is irrational.
        """
        while len(self._counted) <= number:
            self._counted.append(_counted(self._distributions.distributions[len(self._counted)]))
        return self._counted[number]


class Nearby:
    """Comparisons with fractions below and above ``e^epsilon``, if it has no exact representation.

    For a pair of databases and an event, the excess is a linear function of the factor, and the
    maximum of all excesses is convex. So an event that is worst at both fractions is worst between
    them. Privacy at the lower fraction implies privacy at ``e^epsilon``; a violation at the upper
    fraction implies a violation at ``e^epsilon``.
    """

    def __init__(
        self, distributions: AuditedDistributions, epsilon: Epsilon, delta: Fraction, bits: int
    ) -> None:
        below, above = fractions_near(epsilon, bits)
        self.near = min(below, _HIGH) if bits == PRECISIONS[0] else below, above
        self.ends = tuple(Comparisons(distributions, end, delta) for end in self.near)
        self.delta, self._epsilon = delta, epsilon

    @property
    def tightest(self) -> tuple[Real | None, tuple[Numbers, Numbers]] | None:
        """The pair that requires the largest factor, which does not depend on epsilon."""
        return self.ends[0].tightest

    @property
    def is_settled(self) -> bool:
        """Whether the worst event, and whether it violates delta, is known."""
        (first, second), (below, _) = self.ends, self.near
        if (found := self._worst()) is None or first.worst is None:
            return True
        if not found.neighbour_probability:  # it asks for as much at all factors from the lower one
            return second.worst is None or first.worst[0] == second.worst[0]
        excess = found.probability - below * found.neighbour_probability
        is_worst = second.worst is not None and excess == first.worst[0]
        return is_worst and self._violates(found) is not None

    def violation(self) -> Violation | None:
        """Return the worst event; if it is not known, an event that violates delta, or None."""
        found = self._worst()
        return found if found is None or self.is_settled or self._violates(found) else None

    def _violates(self, found: Violation) -> bool | None:
        try:
            return found.delta > self.delta
        except NotDecidedError:
            return None

    def _worst(self) -> Violation | None:
        """Return the worst event at the upper fraction; if there is none, that at the lower one."""
        first, second = self.ends
        found = (second if second.worst is not None else first).violation()
        if found is None or not found.neighbour_probability:
            return found
        p, q = found.probability, found.neighbour_probability
        return replace(found, delta=Excess(p, self._epsilon, q))


def _counted(distribution: Distribution[Hashable]) -> Counted | None:
    shares: dict[int, Fraction] = {}  # many outcomes may share a probability
    for _, p in distribution.items:
        if not isinstance(p, Fraction):
            return None
        shares[id(p)] = p
    common = lcm(*(p.denominator for p in shares.values()))
    of = {key: p.numerator * (common // p.denominator) for key, p in shares.items()}
    return common, {outcome: of[id(p)] for outcome, p in in_time(distribution.items)}


def _divergence(first: Counted, second: Counted, factor: Fraction) -> Fraction:
    """Return the hockey-stick divergence of two distributions."""
    (whole, p), (other_whole, q) = first, second
    times, less = factor.denominator * other_whole, factor.numerator * whole
    excess = 0
    for outcome, mass in in_time(p.items()):
        more = mass * times - q.get(outcome, 0) * less
        if more > 0:
            excess += more
    return Fraction(excess, whole * times) if excess else _ZERO


def _least_factor(first: Counted, second: Counted, delta: Fraction) -> Fraction | None:
    """Return the least factor that suffices for two distributions and a delta, or None."""
    (whole, p), (other_whole, q) = first, second
    if not delta:
        above, below = whole, other_whole
        for outcome, mass in in_time(p.items()):
            other = q.get(outcome, 0)
            if not other:
                return None
            if mass * below > above * other:
                above, below = mass, other
        return Fraction(above * other_whole, below * whole)
    both = [(mass, q[outcome]) for outcome, mass in in_time(p.items()) if outcome in q]
    alone = sum(mass for outcome, mass in p.items() if outcome not in q)
    excess, beside = alone * delta.denominator - delta.numerator * whole, 0
    if excess > 0:
        return None
    both.sort(key=cmp_to_key(_by_falling_ratio))
    above, below = whole * delta.denominator, other_whole  # that stands for 1
    for mass, other in both:
        excess, beside = excess + mass * delta.denominator, beside + other
        if excess * below > above * beside:
            above, below = excess, beside
    return Fraction(above * other_whole, below * whole * delta.denominator)


def _by_falling_ratio(one: tuple[int, int], other: tuple[int, int]) -> int:
    return other[0] * one[1] - one[0] * other[1]


_ZERO = Fraction(0)
_HIGH = Fraction(1 << 512)
"""Factor above which the worst event is usually the set of outcomes impossible on one side."""


_FEW = 16
"""Number of ordered pairs up to which each is screened separately."""

_BITS = 96
"""Number of fractional bits of a probability."""

Ends: TypeAlias = "tuple[int, int]"
Shared: TypeAlias = "list[tuple[int, int]]"
"""Indices of the masses under two distributions; -1 stands for mass 0."""


class _Factor:
    """A factor with its lower and upper bound, and the pairs of masses compared with it."""

    def __init__(self, value: Real) -> None:
        self.value, (self.lower, self.upper) = value, _ends(value)
        self.below: dict[tuple[int, int], bool] = {}


class Screen:
    """The largest delta and factor that a pair has required, to skip pairs that require no more."""

    def __init__(self, distributions: AuditedDistributions, bound: Real, delta: Fraction) -> None:
        self._distributions, self._bound = distributions, _Factor(bound)
        self._delta = _ends(delta)[0]
        self._ends: list[Ends] = []
        self._worst: int | None = None
        self._tightest: _Factor | None = None
        self._is_unbounded = self._is_one_enough = False
        self._table = Table(_BITS)

    def needs(self, excess: Real, factor: Real | None) -> None:
        """Record the largest divergence at the bound, and the required factor (None: infinite)."""
        self._worst = _ends(excess)[0] if excess else 0
        self._is_unbounded = factor is None
        if factor is not None and (self._tightest is None or self._tightest.value != factor):
            self._tightest = _Factor(factor)
        # a pair that a factor up to the bound is enough for has no excess over the bound
        self._is_one_enough = factor is not None and not self._delta and factor <= self._bound.value

    def rests(self, i: int, j: int) -> bool:
        """Return whether two distributions provably require no more than the earlier pairs."""
        if self._worst is None:
            return False
        pairs = self._shared(i, j)
        if not self._is_unbounded and self._tightest is not None:
            if not self._is_within(pairs, self._tightest, self._delta):
                return False
            if self._is_one_enough:
                return True
        return self._is_within(pairs, self._bound, self._worst)

    def remaining(self, numbers: list[int]) -> Iterable[int]:
        """Return the places of the ordered pairs to compare, for pairs of consecutive numbers."""
        self._enclose()
        known = self._worst is not None and len(numbers) > _FEW
        if not known or not self._table.extend(self._distributions.shares, self._ends):
            return range(len(numbers))
        first = np.array(numbers)
        second = first.reshape(-1, 2)[:, ::-1].ravel()
        rest = np.ones(len(numbers), bool)
        if not self._is_unbounded and self._tightest is not None:
            rest = self._are_within(first, second, self._tightest, self._delta)
        if self._is_unbounded or self._tightest is None or not self._is_one_enough:
            rest &= self._are_within(first, second, self._bound, self._worst or 0)
        return np.flatnonzero(~rest).tolist()

    def _are_within(
        self, first: Indices, second: Indices, factor: _Factor, most: int
    ) -> npt.NDArray[np.bool_]:
        below = partial(self._is_below, factor=factor)
        return self._table.within(first, second, factor.lower, most, below)

    def _enclose(self) -> None:
        masses = self._distributions.masses
        while len(self._ends) < len(masses):
            self._ends.append(_ends(masses[len(self._ends)]))

    def _shared(self, i: int, j: int) -> Shared:
        first, second = self._distributions.shares[i], self._distributions.shares[j]
        self._enclose()
        return [(mass, second.get(outcome, -1)) for outcome, mass in first.items()]

    def _is_within(self, pairs: Shared, factor: _Factor, most: int) -> bool:
        """Return whether the divergence for a factor is provably at most ``most / 2**96``."""
        excess, ends, lower = 0, self._ends, factor.lower
        close = False
        for p, q in pairs:
            if q < 0:
                excess += ends[p][1] << _BITS
            elif (over := (ends[p][1] << _BITS) - ends[q][0] * lower) > 0:
                excess += over
                close = True
        if excess <= most << _BITS:
            return True
        if most or not close:
            return False
        return all(q >= 0 and self._is_below(p, q, factor) for p, q in pairs)

    def _is_below(self, p: int, q: int, factor: _Factor) -> bool:
        """Return whether the first of two masses is at most a factor times the second."""
        ends = self._ends
        if ends[p][1] << _BITS <= ends[q][0] * factor.lower:
            return True
        if ends[p][0] << _BITS > ends[q][1] * factor.upper:
            return False
        if (p, q) not in factor.below:
            masses = self._distributions.masses
            factor.below[p, q] = masses[p] <= factor.value * masses[q]
        return factor.below[p, q]


def _ends(value: Real) -> Ends:
    """Return integers that enclose a number times ``2**96``."""
    if isinstance(value, Exponential):
        interval = value.enclose(2 * _BITS)
        lower, upper = interval.lower, interval.upper
    else:
        lower = upper = value
    down = (lower.numerator << _BITS) // lower.denominator
    return down, -((-upper.numerator << _BITS) // upper.denominator)


MAX_PROBABILITIES = 1 << 23
"""Maximum total number of probabilities of distinct distributions."""

_MOST_SEEN = 1 << 16
"""Maximum number of objects whose numbers are cached."""

Numbered: TypeAlias = "tuple[tuple[Numbers, Numbers], int, int]"
"""A pair of databases, and the numbers of their distributions."""

Stated: TypeAlias = QualityNeighbours | RestrictedNeighbours | Relation
"""Neighbours given by a rule."""


def pairs_given(neighbours: object) -> Iterable[Any]:
    """Return the pairs of databases that were given to `audit` explicitly."""
    if isinstance(neighbours, str) or not isinstance(neighbours, Iterable):
        raise DomainError(
            f"neighbours must be a positive integer or pairs of databases, not {neighbours!r}"
        )
    return neighbours


class AuditedDistributions:
    """The distributions of a mechanism, each checked when it is first needed.

    The declarations of the mechanism are not trusted. Records are read once and must be distinct,
    the probabilities of a `Distribution` must sum to 1, and equal outcomes must have the same type.
    If a mechanism is declared symmetric but does not sort, its distributions must be symmetric.
    """

    def __init__(self, mechanism: Mechanism[Any, Any]) -> None:
        self.mechanism = mechanism
        self.domain: Domain[Any] = Domain.of(mechanism.records)
        if not self.domain.records:
            raise DomainError(f"{type(mechanism).__name__} must have at least one record")
        self.symmetric = is_symmetric(mechanism)
        self._is_claimed = bool(mechanism.symmetric) and not self.symmetric
        self.distributions: list[Distribution[Any]] = []
        self._found: dict[Numbers, int] = {}
        self._known: dict[frozenset[tuple[Hashable, int]], int] = {}
        self.shares: list[dict[Hashable, int]] = []
        self.masses: list[Real] = []
        self._masses: dict[Real, int] = {}
        self._seen: dict[int, tuple[Real, int]] = {}
        self._sums: set[tuple[int, ...]] = set()  # numbers of masses whose sum is 1
        self._outcomes: dict[Hashable, tuple[Hashable, Hashable]] = {}
        self._probabilities = 0
        self._related: tuple[int, Iterable[tuple[Numbers, Numbers]]] | None = None

    def database(self, numbers: Sequence[int]) -> tuple[Any, ...]:
        """Return the records with the given numbers."""
        return tuple(map(self.domain.records.__getitem__, numbers))

    def pair(self, numbers: tuple[Numbers, Numbers]) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
        """Return a pair of databases, given by the indices of their records."""
        first, second = numbers
        return self.database(first), self.database(second)

    def compared(self, neighbours: object) -> tuple[int, Iterator[tuple[Numbers, Numbers]]]:
        """Return the number of pairs (0 if unknown) and the pairs."""
        if isinstance(neighbours, int):
            return self.pairs(neighbours)
        if isinstance(neighbours, Relation):
            return self.related(neighbours)
        if isinstance(neighbours, QualityNeighbours):
            return len(found := self.of_qualities(neighbours)), iter(found)
        if isinstance(neighbours, RestrictedNeighbours):
            return len(found := self.restricted(neighbours)), iter(found)
        return 0, map(self.given, pairs_given(neighbours))

    def pairs(self, size: object) -> tuple[int, Iterator[tuple[Numbers, Numbers]]]:
        """Return the number of pairs of neighbouring databases of a given size, and the pairs."""
        if type(size) is not int or size < 1:
            raise DomainError(
                f"the number of entries of a database must be a positive integer, not {size!r}"
            )
        records = len(self.domain.records)
        free = min(records, size) if self.symmetric else size
        known = free <= MAX_PAIRS.bit_length() or records == 1  # otherwise there are 2**free / size
        total = count_neighbours(records, size, symmetric=self.symmetric) if known else None
        if total is None or total > MAX_PAIRS:
            number = f"more than 2^{free - 2}" if total is None else str(total)
            raise InstanceTooLargeError(
                f"{number} pairs of neighbouring databases exceed the limit of {MAX_PAIRS}; use "
                "fewer records"
            )
        if total * size > MAX_ENTRIES:
            raise InstanceTooLargeError(
                f"{total} pairs of databases of {size} entries exceed the limit of {MAX_ENTRIES} "
                "entries in total; use fewer records"
            )
        if not total:
            return 0, iter(())
        return total, neighbouring_databases(range(records), size, symmetric=self.symmetric)

    def related(self, relation: Relation) -> tuple[int, Iterator[tuple[Numbers, Numbers]]]:
        """Return the number of pairs of a relation, and the pairs."""
        total, pairs = self._related or (0, ())
        if self._related is None:
            total, pairs = relation.numbered(self.domain.records, symmetric=self.symmetric)
            if isinstance(relation, OwnNeighbours):  # whose function is called once for each pair
                self._related = total, pairs
        return total, iter(pairs)

    def of_relation(self, pair: Sequence[Any], relation: Relation) -> tuple[Numbers, Numbers]:
        """Return a pair of databases, given by their records, that must satisfy a relation."""
        first, second = pair
        if not relation.are_neighbours(
            first, second, self.domain.records, symmetric=self.symmetric
        ):
            raise DomainError(f"{first} and {second} must be neighbours, but they are not")
        return self.domain.numbered(first), self.domain.numbered(second)

    def restricted(self, compared: RestrictedNeighbours) -> list[tuple[Numbers, Numbers]]:
        """Return the pairs of databases that differ in one entry and agree on the public part."""
        group, (_, every) = self.groups(compared), self.pairs(compared.size)
        found = []
        for first, second in in_time(every):
            place = next(i for i, (a, b) in enumerate(zip(first, second, strict=True)) if a != b)
            if place >= compared.public and group[first[place]] == group[second[place]]:
                found.append((first, second))
        return found

    def groups(self, compared: RestrictedNeighbours) -> tuple[int, ...]:
        """Return the group of each record."""
        if compared.public and self.symmetric:
            raise DomainError(
                f"public entries must be 0, since {type(self.mechanism).__name__} sorts its "
                "databases"
            )
        return compared.numbered(self.domain.records)

    def of_qualities(self, compared: QualityNeighbours) -> list[tuple[Numbers, Numbers]]:
        """Return the compared pairs of quality functions, each a database of one record."""
        if identity(self.domain.records) != identity(compared.functions):
            raise DomainError("records of the mechanism must be the quality functions to compare")
        pairs: list[tuple[Numbers, Numbers]] = [
            ((i,), (j,)) for i, j in islice(compared, MAX_PAIRS + 1)
        ]
        if len(pairs) > MAX_PAIRS:
            raise InstanceTooLargeError(
                f"pairs of quality functions exceed the limit of {MAX_PAIRS}; list fewer pairs"
            )
        return pairs

    def given(self, pair: object) -> tuple[Numbers, Numbers]:
        """Return a pair of neighbours, given by their records."""
        if not isinstance(pair, Sequence) or isinstance(pair, str) or len(pair) != 2:
            raise DomainError(f"neighbours must be pairs of databases, not {show_value(pair)}")
        first, second = (self.domain.numbered(database) for database in pair)
        differing = sum(map(int.__ne__, first, second))
        if len(first) != len(second) or differing != 1:
            raise DomainError(
                "neighbours must have the same length and differ in one entry: "
                f"{self.database(first)} and {self.database(second)} differ in {differing} "
                "entries; for another relation, use GraphNeighbours"
            )
        return first, second

    def number(self, database: Numbers) -> int:
        """Return the number of the distribution on a database; equal ones share a number."""
        key = tuple(sorted(database)) if self.symmetric else database
        found = self._found.get(key)
        if found is None:
            found = self._found[key] = self._numbered(key)
            order = tuple(sorted(database)) if self._is_claimed else key
            if self._is_claimed and found != self.number(order):
                raise DomainError(
                    f"{type(self.mechanism).__name__} is declared symmetric, but its distributions "
                    f"on {self.database(order)} and {self.database(key)} differ; set symmetric to "
                    "False"
                )
        return found

    def _numbered(self, database: Numbers) -> int:
        try:
            distribution = self.mechanism.distribution(self.database(database))
        except Exception as error:
            error.add_note(
                f"in the distribution of {type(self.mechanism).__name__} on the database "
                f"{self.database(database)}"
            )
            raise
        if type(distribution) is not Distribution:
            name = type(self.mechanism).__name__
            raise DomainError(
                f"the distribution of {name} on {self.database(database)} must be a Distribution, "
                f"not {distribution!r}"
            )
        shares = self._known_shares(distribution)
        if shares is None:
            distribution = Distribution(distribution.items)  # which checks it again
            shares = {outcome: self._mass(p) for outcome, p in distribution.items}
            if len(self._sums) >= _MOST_SEEN:
                self._sums.clear()
            self._sums.add(tuple(sorted(shares.values())))
        for outcome in in_time(shares):
            before = self._outcomes.get(outcome)
            if before is not None and before[0] is outcome:
                continue
            own = identity(outcome)
            other, known = self._outcomes.setdefault(outcome, (outcome, own))
            if own != known:
                raise DomainError(
                    f"outcomes {other!r} and {outcome!r} are equal but have different types; use "
                    "one type"
                )
        number = self._known.setdefault(frozenset(shares.items()), len(self.distributions))
        if number == len(self.distributions):
            self.distributions.append(distribution)
            self.shares.append(shares)
            self._probabilities += len(distribution)
            if self._probabilities > MAX_PROBABILITIES:
                raise NotDecidedError(
                    f"the total number of probabilities exceeds the limit {MAX_PROBABILITIES}"
                )
        return number

    def _known_shares(self, distribution: Distribution[Any]) -> dict[Hashable, int] | None:
        """Return the masses by outcome if all are known objects whose sum was checked before."""
        items: object = distribution.items
        if type(items) is not tuple or any(type(i) is not tuple or len(i) != 2 for i in items):
            return None
        seen = self._seen
        try:
            shares = {outcome: seen[id(p)][1] for outcome, p in items}
        except (KeyError, TypeError):
            return None
        known = len(shares) == len(items) and tuple(sorted(shares.values())) in self._sums
        return shares if known else None

    def _mass(self, p: Real) -> int:
        """Return the index of a probability; the same object may occur several times."""
        if (seen := self._seen.get(id(p))) is not None:
            return seen[1]
        number = self._masses.setdefault(p, len(self.masses))
        if number == len(self.masses):
            self.masses.append(p)
        if len(self._seen) >= _MOST_SEEN:
            self._seen.clear()
        self._seen[id(p)] = p, number
        return number
