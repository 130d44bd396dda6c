"""SanPoints: estimated shares of frequent points, and of sets of points (`bns` section 4.2)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from fractions import Fraction
from itertools import combinations
from math import ceil
from typing import Annotated, TypeAlias

from ccsim.arguments.parameters import Parameter
from ccsim.arguments.renamed import Renamed
from ccsim.arguments.values import show_value
from ccsim.data import frozen, validated
from ccsim.errors import DomainError
from ccsim.exact.distribution import Distribution, independent
from ccsim.exact.epsilon import Epsilon, arithmetic
from ccsim.exact.exponentials import Real
from ccsim.exact.probability import SYSTEM, Randomness
from ccsim.learning.sample_size import check_accounting
from ccsim.privacy.constructions import CanonicalMechanism, Rows, Setting
from ccsim.privacy.mechanisms.choosing import choosing_sample_size
from ccsim.release.sanitizer import (
    QueryError,
    Records,
    Release,
    SortedRecords,
    check_accuracy,
    max_point_error,
)
from ccsim.release.sanitizers.budget import (
    composed_epsilon,
    k_points_sample_size,
    printed_share,
    san_points_sample_size,
    split_budget,
)
from ccsim.release.sanitizers.steps import CountChoice, RoundedLaplace

_ALMOST = Fraction(9, 10)  # of accuracy and failure in audits: the fewest rounds
Accuracy: TypeAlias = Annotated[
    Fraction, Parameter("Accuracy that determines the number of rounds", above=0, below=1)
]
Failure: TypeAlias = Annotated[Fraction, Parameter("Allowed failure probability", above=0, below=1)]

Estimates = tuple[tuple[int, Fraction], ...]  # the chosen points, in order, with their shares


@frozen
class PointShares:
    """The output of the sanitizer `SanPoints`, and its error.

    Attributes
    ----------
    estimates : Estimates
        The chosen points in the order of choice, with their released shares.
    bottoms : int
        Number of rounds in which no point was chosen.
    true : dict[int, Fraction]
        Shares of the points among the records. Not private.
    accuracy : Fraction
        Accuracy of the sanitizer.
    error : QueryError
        Largest error over all points. Not private.
    """

    estimates: Estimates
    bottoms: int
    true: dict[int, Fraction] = field(repr=False)
    accuracy: Fraction
    error: QueryError

    @property
    def released(self) -> Mapping[int, Fraction]:
        """The released share of each point."""
        return dict(self.estimates)

    def release(self, rounds: int) -> Release:
        """Return the estimated shares as a `Release`."""
        more = {"rounds": rounds, "bottoms": self.bottoms}
        return Release("shares", tuple(sorted(self.released.items())), more, lambda: self.error)


@validated
class SanPoints(CanonicalMechanism[int, tuple[tuple[int, int], ...]]):
    """Estimate the shares of frequent points, found by rounds of the choosing mechanism.

    Each round chooses a new point with many records and publishes its noisy count. The output is
    the set of chosen points with their noisy counts, clamped to ``0 .. m`` for ``m`` records;
    `sanitize` returns shares.

    Replacing a record changes two counts, each of which is published at most once. So the noise
    costs ``2 epsilon`` in total, and the choice in each round costs ``(epsilon, delta)``. (The
    paper counts the noise in every round.)

    Attributes
    ----------
    last : int
        Largest record; records are ``0 .. last``.
    accuracy : Fraction
        The accuracy ``alpha``, strictly between 0 and 1.
    failure : Fraction
        The failure probability ``beta``, strictly between 0 and 1.
    epsilon, delta : Epsilon, Fraction
        Epsilon and delta of every step; see `for_budget`.
    slack : Fraction
        The part of delta that advanced composition uses.
    threshold : str
        Threshold of the choosing mechanism: ``fixed`` or ``paper``, as in `ChoosingMechanism`.
    any_size : bool
        Whether the threshold of the paper may be used for fewer records than its proof requires.

    Examples
    --------
    >>> tiny = SanPoints(1, Fraction(9, 10), Fraction(1, 2), Epsilon.of("ln 16"), Fraction(1, 8))
    >>> tiny.rounds, [(set(x), str(p)) for x, p in tiny.chosen_distribution([0, 0, 0]).items]
    (3, [(set(), '1/8'), ({0}, '7/8')])
    >>> tenth, millionth = Fraction(1, 10), Fraction(1, 10**6)
    >>> wide = SanPoints.for_budget(2**64 - 1, tenth, tenth, Epsilon.of(1), millionth)
    >>> import numpy as np
    >>> shares = wide.sanitize({7: 60_000, 2**63: 40_000}, np.random.default_rng(0))
    >>> sorted(shares.released) == [7, 2**63], float(shares.error.error) < 0.01
    (True, True)
    >>> float(wide.privacy[0]) <= 1, wide.privacy[1] <= millionth
    (True, True)
    """

    last: int
    accuracy: Fraction
    failure: Fraction
    epsilon: Epsilon
    delta: Fraction
    slack: Fraction = Fraction(0)
    threshold: str = "fixed"
    any_size: bool = False

    symmetric = True
    family, entries = "points", "points"

    def __post_init__(self) -> None:
        if self.last < 0:
            raise DomainError(f"last record must be at least 0, not {show_value(self.last)}")
        check_accuracy(self.accuracy, self.failure)
        if not 0 <= self.slack < 1:
            raise DomainError(f"slack must be at least 0 and below 1, not {self.slack}")
        self.choice  # noqa: B018 - checks the other fields

    @classmethod
    def for_task(cls, **given: Setting) -> SanPoints:
        """Return the sanitizer that ``ccsim sanitize`` runs."""
        asked = (given[name] for name in ("last", "accuracy", "failure", "epsilon", "delta"))
        return cls.for_budget(*asked)

    @classmethod
    def on_class(
        cls,
        num_points: int,
        concepts: Rows,
        epsilon: Epsilon,
        delta: Fraction,
        *,
        accuracy: Accuracy = _ALMOST,
        failure: Failure = _ALMOST,
        **_: Setting,
    ) -> SanPoints:
        """Return the sanitizer of the points of a class."""
        return cls.for_budget(num_points - 1, accuracy, failure, epsilon, delta)

    @classmethod
    def least_records(cls, **given: Setting) -> int:
        """Return a number of records that is proved to suffice for the accuracy and failure."""
        asked = (given[name] for name in ("accuracy", "failure", "epsilon", "delta"))
        return san_points_sample_size(*asked)

    def release_records(self, records: Sequence[int], rng: Randomness = SYSTEM) -> Release:
        """Draw a random release of the given records."""
        return self.sanitize(records, rng).release(self.rounds)

    @classmethod
    def for_budget(
        cls,
        last: int,
        accuracy: Fraction,
        failure: Fraction,
        epsilon: Epsilon,
        delta: Fraction,
        accounting: str = "counted",
        threshold: str = "fixed",
    ) -> SanPoints:
        """Return the sanitizer for a total epsilon and delta.

        With ``counted``, each step has the largest epsilon that composition allows. With
        ``printed``, each step has ``epsilon / sqrt((32 / accuracy) ln(5 / delta))`` and
        ``accuracy delta / 5``, as in the paper.
        """
        check_accounting(accounting)
        rounds = ceil(2 / accuracy)
        if accounting == "printed":
            share = printed_share(epsilon, 32 / accuracy, delta)
            each = share, accuracy * delta / 5, delta / 5
        else:
            steps = split_budget(epsilon, delta, rounds + 2, rounds)
            each = steps.epsilon, steps.delta, steps.slack
        return cls(last, accuracy, failure, *each, threshold)

    @property
    def records(self) -> tuple[int, ...]:
        """The domain as a tuple."""
        return tuple(range(self.last + 1))

    @property
    def rounds(self) -> int:
        """Number of rounds: ``2 / accuracy``, rounded up."""
        return ceil(2 / self.accuracy)

    @property
    def privacy(self) -> tuple[Epsilon, Fraction]:
        """Epsilon and delta of the release; raises `DomainError` if they are not proved."""
        if self.any_size and self.threshold == "paper":
            raise DomainError(
                "privacy is not proved for threshold 'paper' with any_size; use threshold 'fixed'"
            )
        total = composed_epsilon(self.epsilon, self.rounds + 2, self.slack)
        return total, min(self.rounds * self.delta + self.slack, Fraction(1))

    @property
    def needed(self) -> int:
        """Number of records required for privacy; 0 for the fixed threshold."""
        if self.threshold == "fixed" or self.any_size:
            return 0
        half, risk = self.accuracy / 2, self.accuracy * self.failure / 4
        return choosing_sample_size(half, risk, self.epsilon, self.delta)

    @property
    def choice(self) -> CountChoice:
        """The mechanism of a round."""
        return CountChoice(self.epsilon, self.delta, 1, self.threshold, self.accuracy / 2)

    def _check_size(self, size: int) -> None:
        if size < self.needed:
            raise DomainError(
                f"database must have at least {self.needed} records for the paper's threshold, not "
                f"{size}"
            )

    chosen_law = Renamed("chosen_distribution")

    def chosen_distribution(self, database: Sequence[int]) -> Distribution[frozenset[int]]:
        """Return the distribution of the set of chosen points, over all sets of points."""
        counts = Counter(database)
        self._check_size(len(database))
        sets: dict[frozenset[int], Real] = {frozenset(): Fraction(1)}
        for _ in range(self.rounds):
            longer: dict[frozenset[int], Real] = {}
            for taken, weight in sets.items():
                left = {x: n for x, n in counts.items() if x not in taken}
                for point, p in self.choice.distribution(left, len(database)).items:
                    key = taken if point is None else taken | {point}
                    longer[key] = longer.get(key, Fraction(0)) + weight * p
            sets = longer
        return Distribution.of(sets)

    def distribution_of(
        self, database: tuple[int, ...]
    ) -> Distribution[tuple[tuple[int, int], ...]]:
        """Return the distribution of the chosen points and noisy counts (for tiny databases)."""
        counts, size = Counter(database), len(database)
        noise, powers = RoundedLaplace(self.epsilon), arithmetic(self.epsilon)

        def noisy(point: int) -> Distribution[tuple[int, int]]:
            tails = [noise.tail(value - counts[point], powers) for value in range(1, size + 1)]
            ends = [Fraction(1), *tails, Fraction(0)]
            return Distribution.of({(point, v): ends[v] - ends[v + 1] for v in range(size + 1)})

        return self.chosen_distribution(database).then(
            lambda chosen: independent([noisy(x) for x in sorted(chosen)])
        )

    def sanitize(self, records: Records, rng: Randomness = SYSTEM) -> PointShares:
        """Draw the estimated shares, over a domain of any size; each round sorts the counts."""
        known = SortedRecords.of(records, self.last)
        size, left = known.size, known.counts()
        self._check_size(size)
        noise, found = RoundedLaplace(self.epsilon), list[tuple[int, Fraction]]()
        true: dict[int, Fraction] = {}
        for _ in range(self.rounds):
            points = list(left)
            place = self.choice.draw([left[x] for x in points], size, rng)
            if place is not None:
                count = left.pop(points[place])
                noisy = min(max(count + noise.draw(rng), 0), size)
                found.append((points[place], Fraction(noisy, size)))
                true[points[place]] = Fraction(count, size)
        error = max_point_error(records, dict(found), self.last)
        return PointShares(tuple(found), self.rounds - len(found), true, self.accuracy, error)


@validated
class PointSets(CanonicalMechanism[int, tuple[int, ...]]):
    """Estimate the shares of all sets of ``k`` points by sums of estimates for single points.

    `SanPoints` estimates the shares of single points with accuracy ``alpha / k``. The output lists,
    for all sets in order, the sum of the noisy counts of the points of the set.

    Attributes
    ----------
    sanitizer : SanPoints
        The sanitizer of single points, with ``1 / k`` of the accuracy.
    k : int
        Size of the sets, from 1 to the number of points.

    Examples
    --------
    >>> single = SanPoints(2, Fraction(9, 10), Fraction(1, 2), Epsilon.of("ln 16"), Fraction(1, 8))
    >>> pairs = PointSets(single, 2)
    >>> str(pairs.distribution([0, 0])[2, 2, 0])
    '259/512'
    """

    sanitizer: SanPoints
    k: int

    symmetric = True
    family, entries, published = "k_points", "points", "numbers"

    def __post_init__(self) -> None:
        if not 1 <= self.k <= self.sanitizer.last + 1:
            raise DomainError(
                f"k must be between 1 and the number of points, not {show_value(self.k)}"
            )

    @classmethod
    def for_task(cls, **given: Setting) -> PointSets:
        """Return the sanitizer that ``ccsim sanitize`` runs."""
        single = given | {"accuracy": given["accuracy"] / given["k"]}
        return cls(SanPoints.for_task(**single), given["k"])

    @classmethod
    def on_class(
        cls,
        num_points: int,
        concepts: Rows,
        epsilon: Epsilon,
        delta: Fraction,
        *,
        k: Annotated[int, Parameter("Size of the sets of points", least=1)] = 1,
        accuracy: Accuracy = _ALMOST,
        failure: Failure = _ALMOST,
        **_: Setting,
    ) -> PointSets:
        """Return the sanitizer of all sets of ``k`` points of a class."""
        single = SanPoints.for_budget(num_points - 1, accuracy, failure, epsilon, delta)
        return cls(single, k)

    @classmethod
    def least_records(cls, **given: Setting) -> int:
        """Return a number of records that is proved to suffice for the accuracy and failure."""
        names = ("accuracy", "failure", "epsilon", "delta", "k")
        return k_points_sample_size(*(given[name] for name in names))

    def release_records(self, records: Sequence[int], rng: Randomness = SYSTEM) -> Release:
        """Draw a random release of the given records."""
        return self.sanitize(records, rng).release(self.sanitizer.rounds)

    @property
    def records(self) -> tuple[int, ...]:
        """The domain as a tuple."""
        return self.sanitizer.records

    @property
    def privacy(self) -> tuple[Epsilon, Fraction]:
        """Epsilon and delta of the release."""
        return self.sanitizer.privacy

    def distribution_of(self, database: tuple[int, ...]) -> Distribution[tuple[int, ...]]:
        """Return the distribution of the noisy counts of all sets, ordered as by `combinations`."""

        def sums(outcome: tuple[tuple[int, int], ...]) -> tuple[int, ...]:
            noisy = dict(outcome)
            return tuple(
                sum(noisy.get(x, 0) for x in chosen)
                for chosen in combinations(self.records, self.k)
            )

        return self.sanitizer.distribution_of(database).map(sums)

    def sanitize(self, records: Records, rng: Randomness = SYSTEM) -> PointShares:
        """Draw the shares of the points; the error is that of the worst set of ``k`` points."""
        single = self.sanitizer.sanitize(records, rng)
        known = SortedRecords.of(records, self.sanitizer.last)
        counts, released = known.counts(), single.released
        named = counts.keys() | released.keys()
        spare = (x for x in range(self.sanitizer.last + 1) if x not in named)
        points = [*sorted(named), *(x for x, _ in zip(spare, range(self.k), strict=False))]
        true = {x: Fraction(counts.get(x, 0), known.size) for x in points}
        shares = {x: released.get(x, Fraction(0)) for x in points}
        by_error = sorted(points, key=lambda x: shares[x] - true[x])
        worst = max(
            (
                QueryError(
                    ",".join(map(str, sorted(chosen))),
                    sum((true[x] for x in chosen), Fraction(0)),
                    sum((shares[x] for x in chosen), Fraction(0)),
                )
                for chosen in (by_error[: self.k], by_error[-self.k :])
            ),
            key=lambda query: query.error,
        )
        return replace(single, accuracy=self.sanitizer.accuracy * self.k, error=worst)
