"""Amplification of privacy: random samples of the records, and shuffled reports.

The mechanisms have exact output distributions, so that `ccsim.privacy.audit` decides their privacy.
`subsampled_parameters` amplifies parameters of arbitrary mechanisms.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from fractions import Fraction
from itertools import combinations, product
from math import comb
from typing import Any, Generic, TypeVar

from ccsim.arguments.checked import checked_types
from ccsim.budget import in_time
from ccsim.data import validated
from ccsim.errors import DomainError, InstanceTooLargeError
from ccsim.exact.distribution import Distribution, mixture
from ccsim.exact.epsilon import Epsilon
from ccsim.exact.exponentials import Real
from ccsim.exact.fractions import as_fraction
from ccsim.privacy.constructions import CanonicalMechanism, Mechanism, is_symmetric

Record = TypeVar("Record", bound=Hashable)
Outcome = TypeVar("Outcome", bound=Hashable)

MAX_SAMPLES = 1 << 16
"""Maximum number of samples of a database."""
MAX_HISTOGRAMS = 1 << 18
"""Maximum number of histograms of shuffled reports."""


@checked_types
def subsampled_parameters(
    epsilon: Epsilon | Fraction | int | str,
    delta: Fraction | int | str,
    rate: Fraction | int | str,
) -> tuple[Real, Fraction]:
    """Return ``e^epsilon`` and delta of a private mechanism on a random sample of the records.

    Parameters
    ----------
    epsilon, delta
        Parameters of the mechanism. Delta is between 0 and 1.
    rate : Fraction, int or str
        The sampling rate, between 0 and 1.

    Returns
    -------
    factor : Fraction or Exponential
        ``1 + rate (e^epsilon - 1)``.
    delta : Fraction
        ``rate delta``.

    Notes
    -----
    The result holds in two cases, and is optimal in both. In the first, each record is in the
    sample independently with probability ``rate`` (Poisson sampling), and one of two neighbours has
    one more record than the other. In the second, a sample of ``m`` of ``n`` records is drawn
    without replacement, ``rate`` is ``m / n``, and neighbours differ in one record. The mechanism
    must be private for the same kind of neighbours. For Poisson sampling and neighbours that differ
    in one record, the result does not hold in general.

    Source: Balle, Barthe and Gaboardi, Privacy amplification by subsampling (2018), Theorems 8
    and 9.

    Examples
    --------
    >>> subsampled_parameters("ln 3", "1/1000", "1/10")
    (Fraction(6, 5), Fraction(1, 10000))
    """
    bound, slack = Epsilon.of(epsilon), as_fraction(delta, "delta", 0, 1)
    share = as_fraction(rate, "rate", 0, 1)
    return 1 + share * (bound.exp() - 1), share * slack


@validated
class PoissonSampled(CanonicalMechanism[Record, Outcome], Generic[Record, Outcome]):
    """A mechanism on a sample that contains each record independently with the same probability.

    The sample is shorter than the database: records that are not sampled are removed. Use
    `Subsampled` for mechanisms that replace them with a null record.

    Attributes
    ----------
    mechanism : Mechanism
        The mechanism to run, defined for databases of every size.
    rate : Fraction or Exponential
        Probability with which each record is sampled, between 0 and 1.

    Examples
    --------
    >>> from ccsim.privacy import FunctionMechanism
    >>> count = FunctionMechanism((0, 1), lambda d: {sum(d): 1})
    >>> PoissonSampled(count, Fraction(1, 2)).distribution((1, 1)).as_mapping()
    {0: Fraction(1, 4), 1: Fraction(1, 2), 2: Fraction(1, 4)}
    """

    mechanism: Mechanism[Record, Outcome]
    rate: Real

    def __post_init__(self) -> None:
        if not 0 <= self.rate <= 1:
            raise DomainError(f"rate must be between 0 and 1, not {self.rate}")

    @property
    def records(self) -> tuple[Record, ...]:
        """The records of the mechanism."""
        return self.mechanism.records

    @property
    def symmetric(self) -> bool:
        """Whether the mechanism is symmetric by construction."""
        return is_symmetric(self.mechanism)

    def distribution_of(self, database: tuple[Record, ...]) -> Distribution[Outcome]:
        """Return the distribution: a mixture over the samples.

        Raises
        ------
        InstanceTooLargeError
            If the database has more than `MAX_SAMPLES` samples.
        """
        size = len(database)
        _check_samples(1 << min(size, MAX_SAMPLES), size)
        chances = [self.rate**kept * (1 - self.rate) ** (size - kept) for kept in range(size + 1)]
        return mixture(
            (chances[sum(kept)], self.mechanism.distribution(_kept(database, kept)))
            for kept in in_time(product((0, 1), repeat=size))
            if chances[sum(kept)]
        )


@validated
class SampledWithoutReplacement(CanonicalMechanism[Record, Outcome], Generic[Record, Outcome]):
    """A mechanism on a uniformly random sample of a given number of the records.

    Attributes
    ----------
    mechanism : Mechanism
        The mechanism to run.
    size : int
        Number of sampled records, at least 0; the order of the records is kept.

    Examples
    --------
    >>> from ccsim.privacy import RandomizedResponse, audit
    >>> response = RandomizedResponse((0, 1), Epsilon.of("ln 3"))
    >>> audit(SampledWithoutReplacement(response, 1), 0, 0, 10).factor  # 1 + (3 - 1) / 10
    Fraction(6, 5)
    """

    mechanism: Mechanism[Record, Outcome]
    size: int

    def __post_init__(self) -> None:
        if self.size < 0:
            raise DomainError(f"size must be at least 0, not {self.size}")

    @property
    def records(self) -> tuple[Record, ...]:
        """The records of the mechanism."""
        return self.mechanism.records

    @property
    def symmetric(self) -> bool:
        """Whether the mechanism is symmetric by construction."""
        return is_symmetric(self.mechanism) or self.size <= 1

    def distribution_of(self, database: tuple[Record, ...]) -> Distribution[Outcome]:
        """Return the distribution: the average over the samples.

        Raises
        ------
        DomainError
            If the database has fewer records than a sample.
        InstanceTooLargeError
            If the database has more than `MAX_SAMPLES` samples.
        """
        if self.size > len(database):
            raise DomainError(
                f"a sample of {self.size} records needs as many records, not {len(database)}"
            )
        number = comb(len(database), self.size)
        _check_samples(number, len(database))
        share = Fraction(1, number)
        return mixture(
            (share, self.mechanism.distribution(sample))
            for sample in in_time(combinations(database, self.size))
        )


@validated
class Shuffled(CanonicalMechanism[Record, Hashable], Generic[Record]):
    """The shuffled reports of a local randomiser: how often each report occurs.

    Each person's record is randomised separately, and a shuffler removes the order of the reports.

    Attributes
    ----------
    randomizer : Mechanism
        A mechanism on databases of one record.

    Examples
    --------
    >>> from ccsim.privacy import RandomizedResponse, audit
    >>> response = RandomizedResponse((0, 1), Epsilon.of("ln 3"))
    >>> audit(Shuffled(response), "ln 3", 0, 4).factor
    Fraction(3, 1)
    >>> [str(audit(Shuffled(response), "ln 2", 0, people).least_delta) for people in (1, 4)]
    ['1/4', '27/256']
    """

    randomizer: Mechanism[Record, Any]
    symmetric = True

    @property
    def records(self) -> tuple[Record, ...]:
        """The records of the randomiser."""
        return self.randomizer.records

    def distribution_of(self, database: tuple[Record, ...]) -> Distribution[Hashable]:
        """Return the distribution of the multiset of reports, as pairs of report and number.

        Raises
        ------
        InstanceTooLargeError
            If there are more than `MAX_HISTOGRAMS` multisets of reports.
        """
        reports: dict[Hashable, int] = {}
        parts: list[list[tuple[int, Real]]] = []
        known: dict[Hashable, list[tuple[int, Real]]] = {}
        for record in database:
            if record not in known:
                items = self.randomizer.distribution((record,)).items
                known[record] = [(reports.setdefault(o, len(reports)), p) for o, p in items]
            parts.append(known[record])
        width = len(reports)
        if width and comb(len(database) + width - 1, width - 1) > MAX_HISTOGRAMS:
            raise InstanceTooLargeError(
                f"the multisets of {len(database)} reports with {width} values exceed the limit of "
                f"{MAX_HISTOGRAMS}; use fewer records"
            )
        found: dict[tuple[int, ...], Real] = {(0,) * width: Fraction(1)}
        for part in parts:
            longer: dict[tuple[int, ...], Real] = {}
            for counts, p in in_time(found.items()):
                for i, q in part:
                    more = (*counts[:i], counts[i] + 1, *counts[i + 1 :])
                    longer[more] = longer[more] + p * q if more in longer else p * q
            found = longer
        names = list(reports)
        return Distribution.of(
            {
                frozenset((names[i], n) for i, n in enumerate(counts) if n): p
                for counts, p in found.items()
            }
        )


def _kept(database: Sequence[Record], kept: Sequence[int]) -> tuple[Record, ...]:
    return tuple(record for record, keep in zip(database, kept, strict=True) if keep)


def _check_samples(number: int, size: int) -> None:
    if number > MAX_SAMPLES:
        raise InstanceTooLargeError(
            f"the samples of {size} records exceed the limit of {MAX_SAMPLES}; use fewer records"
        )
