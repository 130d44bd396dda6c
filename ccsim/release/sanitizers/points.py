"""Release of a histogram of the frequent points, with exact failure probabilities.

Points with small noisy counts are not published, so points without records need not be examined
(Korolova, Kenthapadi, Mishra and Ntoulas, 2009; for the concepts of `bns` section 4.2).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from fractions import Fraction
from math import ceil
from typing import Self

from ccsim.arguments.values import show_value
from ccsim.data import validated
from ccsim.errors import DomainError
from ccsim.exact import Epsilon
from ccsim.exact.distribution import Distribution, independent
from ccsim.exact.epsilon import BallArithmetic
from ccsim.exact.exponentials import Real, enclose_log
from ccsim.exact.probability import SYSTEM, Randomness
from ccsim.privacy.constructions import CanonicalMechanism, Rows, Setting
from ccsim.privacy.mechanisms.noisy_answers import GeometricNoise, geometric_tail
from ccsim.release.sanitizer import Release, check_accuracy, check_budget, max_point_error

_MOST_NOISE = 1 << 24  # largest noise whose probability is an exact number

Kept = tuple[tuple[Hashable, int], ...]  # points with their noisy counts, those that are kept


def least_kept_count(epsilon: Epsilon, delta: Fraction) -> int:
    """Return the least noisy count that is published.

    It is the least ``T >= 2`` with ``r^(T - 1) / (1 + r) <= delta`` for ``r = e^(-epsilon / 2)``.
    """
    check_budget(epsilon, delta)
    ratio = epsilon.exp(Fraction(-1, 2))
    needed = -2 * enclose_log(delta * (1 + ratio)).upper
    noise = max(1, ceil(needed / epsilon.enclose().upper)) if needed > 0 else 1
    if noise > _MOST_NOISE:
        raise DomainError(
            f"epsilon is too small, as the noise would be about {show_value(noise)}; choose a "
            "larger epsilon"
        )
    while geometric_tail(ratio, noise) > delta:
        noise += 1
    return noise + 1


@validated
class StabilityHistogram(CanonicalMechanism[Hashable, Kept]):
    """Publish the noisy counts of all points whose noisy count is above a threshold.

    The count of each point with a record is perturbed by two-sided geometric noise of ratio ``r =
    e^(-epsilon / 2)``. The point is kept if its noisy count is at least ``T``, the value of
    `least`. Noisy counts above the number of records are lowered to that number.

    The counts of neighbours differ by 1 at two points. Each of these points costs ``epsilon / 2``,
    unless it occurs in only one of the databases. Such a point is published with probability at
    most ``delta``, and there is at most one for each database. So the mechanism is
    ``(epsilon, delta)``-private. The least delta is exactly ``r^(T - 1) / (1 + r)``, which is
    attained on databases of one record.

    Attributes
    ----------
    domain : sequence
        The values of a record; it may be a range of 2^64 integers.
    epsilon : Epsilon
        Privacy parameter epsilon, positive.
    delta : Fraction
        Privacy parameter delta, strictly between 0 and 1.

    Examples
    --------
    >>> histogram = StabilityHistogram("ab", Epsilon.of("ln 4"), Fraction(1, 6))
    >>> histogram.least, [str(p) for _, p in histogram.distribution("aab").items]
    (3, ['5/9', '1/9', '5/18', '1/18'])
    >>> wide = StabilityHistogram(range(2**64), Epsilon.of(1), Fraction(1, 10**6))
    >>> import numpy as np
    >>> [point for point, _ in wide.draw([7] * 500 + [2**63] * 5, np.random.default_rng(0))]
    [7]
    """

    domain: Sequence[Hashable] | str
    epsilon: Epsilon
    delta: Fraction

    symmetric = True
    family, entries = "points", "points"

    def __post_init__(self) -> None:
        least_kept_count(self.epsilon, self.delta)

    @property
    def privacy(self) -> tuple[Epsilon, Fraction]:
        """Epsilon and delta."""
        return self.epsilon, self.delta

    @classmethod
    def for_task(cls, **given: Setting) -> StabilityHistogram:
        """Return the sanitizer that ``ccsim sanitize`` runs."""
        return cls(range(given["last"] + 1), given["epsilon"], given["delta"])

    @classmethod
    def on_class(
        cls, num_points: int, concepts: Rows, epsilon: Epsilon, delta: Fraction, **given: Setting
    ) -> Self:
        """Return the histogram of the points of a class."""
        return cls(tuple(range(num_points)), epsilon, delta, **given)

    @classmethod
    def least_records(cls, **given: Setting) -> int:
        """Return a number of records that is proved to suffice for the accuracy and failure."""
        asked = (given[name] for name in ("accuracy", "failure", "epsilon", "delta"))
        return histogram_sample_size(*asked)

    def release_records(self, records: Sequence[int], rng: Randomness = SYSTEM) -> Release:
        """Draw a random release of the given records."""
        shares = {int(str(x)): Fraction(n, len(records)) for x, n in self.draw(records, rng)}
        last = int(str(self.domain[-1]))
        return Release(
            "shares",
            tuple(sorted(shares.items())),
            {"least_kept": self.least},
            lambda: max_point_error(records, shares, last),
        )

    @property
    def records(self) -> tuple[Hashable, ...]:
        """The domain as a tuple."""
        return tuple(self.domain)

    @property
    def least(self) -> int:
        """The least noisy count that is published."""
        return least_kept_count(self.epsilon, self.delta)

    def distribution_of(self, database: tuple[Hashable, ...]) -> Distribution[Kept]:
        """Return the distribution of published points and noisy counts (for tiny databases)."""
        ratio, least, most = self.epsilon.exp(Fraction(-1, 2)), self.least, len(database)

        def seen(point: Hashable, count: int) -> Distribution[Kept]:
            chances: dict[Kept, Real] = {(): 1 - geometric_tail(ratio, least - count)}
            for value in range(least, most):
                step = [geometric_tail(ratio, value + i - count) for i in (0, 1)]
                chances[((point, value),)] = step[0] - step[1]
            chances[((point, most),)] = geometric_tail(ratio, max(least, most) - count)
            return Distribution.of(chances)

        distributions = [seen(point, count) for point, count in Counter(database).items()]
        return independent(distributions).map(
            lambda parts: tuple(kept for part in parts for kept in part)
        )

    def draw(self, database: Sequence[Hashable], rng: Randomness = SYSTEM) -> Kept:
        """Draw the published points and noisy counts from the exact distribution, over any domain.

        Points are listed in the order of the domain, because the order of the records is private.
        """
        counts, domain = Counter(database), self.domain
        places = domain if isinstance(domain, range) else {x: i for i, x in enumerate(domain)}
        if any(point not in places for point in counts):
            number = 1 + next(i for i, x in enumerate(database) if x not in places)
            raise DomainError(f"record {number} must be in the domain, but is not")
        place = places.index if isinstance(places, range) else places.__getitem__
        least, noise = self.least, GeometricNoise(self.epsilon / 2)
        ordered = sorted(counts, key=place)  # type: ignore[arg-type]  # of a range, integers
        noisy = ((point, counts[point] + noise.draw(rng)) for point in ordered)
        return tuple((point, min(value, len(database))) for point, value in noisy if value >= least)


def histogram_sample_size(
    accuracy: Fraction, failure: Fraction, epsilon: Epsilon, delta: Fraction
) -> int:
    """Return a number of records from which a histogram has the required failure on every database.

    Proof: let ``A = floor(accuracy m)``. Each of at most ``m < (A + 1) / accuracy`` points with at
    most ``A`` records may have a noisy count above ``A``, and each of at most ``1 / accuracy``
    other points may have an error above ``A`` or not be published. So the failure is at most
    ``((A + 1) t(A + 1) + t(A + 1) + t(A + 2 - T)) / accuracy`` for the tail
    ``t(k) = r^k / (1 + r)``, which decreases from ``A + 1 >= r / (1 - r)``.
    """
    check_accuracy(accuracy, failure)
    kept = least_kept_count(epsilon, delta)
    balls = BallArithmetic(epsilon)
    with balls.working():
        ratio = balls.exp(Fraction(-1, 2))
        allowed = balls.number(failure * accuracy)
        most = kept
        while True:
            far = geometric_tail(ratio, most + 1)
            bound = (most + 1) * far + far + geometric_tail(ratio, most + 2 - kept)
            if bound <= allowed and (most + 1) * (1 - ratio) >= ratio:
                return ceil(most / accuracy)
            most += 1
