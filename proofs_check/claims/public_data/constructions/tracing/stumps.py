"""Releases of decision stumps, the one-way marginals of sign vectors, and their sample sizes.

Main definitions: `exact_means`, `rounded_means`, `MarginalRelease`, `public_records_needed`,
`private_records_needed`.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import ceil
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from ccsim.arguments.checked import checked_types
from ccsim.data import validated
from ccsim.errors import DomainError
from ccsim.exact import Epsilon, as_fraction
from ccsim.exact.exponentials import enclose_log
from ccsim.privacy.composition import largest_rho
from ccsim.privacy.noise import GaussianNoise

__all__ = [
    "Answers",
    "MarginalRelease",
    "Signs",
    "StumpRelease",
    "exact_means",
    "private_records_needed",
    "public_records_needed",
    "rounded_means",
]

Signs: TypeAlias = npt.NDArray[np.int8]
"""Records in rows, signs +1 and -1 in columns."""
Answers: TypeAlias = npt.NDArray[np.float64]
StumpRelease: TypeAlias = Callable[[Signs, np.random.Generator], Answers]
"""Any release: records to an answer for each sign."""


def exact_means(records: Signs, _: np.random.Generator) -> Answers:
    """Return the means of the signs, without any protection.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> exact_means(np.array([[1, 1], [1, -1]], dtype=np.int8), rng).tolist()
    [1.0, 0.0]
    """
    means: Answers = records.sum(axis=0, dtype=np.int64) / len(records)
    return means


@checked_types
def rounded_means(step: Fraction | int | str) -> StumpRelease:
    """Return the release of means rounded to multiples of a step.

    Raises
    ------
    DomainError
        If the step is not positive.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> rounded_means("1/2")(np.array([[1], [1], [-1]], dtype=np.int8), rng).tolist()
    [0.5]
    """
    width = float(as_fraction(step, "step", 0))
    if not width:
        raise DomainError("step must be positive")

    def release(records: Signs, rng: np.random.Generator) -> Answers:
        return width * np.rint(exact_means(records, rng) / width)

    return release


@validated
class MarginalRelease:
    """Means of private records with Gaussian noise, means of public records, or both.

    The public records are at the end of the table. Independent discrete Gaussian noise is added to
    each count of private records: one record changes ``p`` counts by at most 1, so that variance
    ``v`` gives ``p / (2 v)``-concentrated privacy. The two means are weighted by the inverses of
    their largest variances, including the noise.

    Attributes
    ----------
    public : int
        Number of public records.
    variance : Fraction or None
        Variance of the noise on each count of ones; None if there are no private records.

    Examples
    --------
    >>> release = MarginalRelease.private_for(100, Epsilon.of(1), "1/400", public=1)
    >>> int(release.variance)
    1296
    >>> records = np.ones((30_001, 100), dtype=np.int8)
    >>> answers = release(records, np.random.default_rng(0))
    >>> bool(abs(answers - 1).max() < 0.02)
    True
    """

    public: int = 0
    variance: Fraction | None = None

    @classmethod
    def private_for(
        cls, signs: int, epsilon: Epsilon, delta: Fraction | int | str, public: int = 0
    ) -> MarginalRelease:
        """Return an ``(epsilon, delta)``-private release of private records."""
        if signs < 1:
            raise DomainError(f"signs must be at least 1, not {signs}")
        return cls(public, Fraction(signs) / (2 * largest_rho(epsilon, delta)))

    def __post_init__(self) -> None:
        if self.public < 0 or not (self.public or self.variance):
            raise DomainError(
                f"public must be at least 1 without a variance and at least 0 with a variance, "
                f"not {self.public}"
            )

    def __call__(self, records: Signs, rng: np.random.Generator) -> Answers:
        """Release answers to all stumps, between -1 and 1.

        Raises
        ------
        DomainError
            If the numbers of private and public records do not fit the release.
        """
        private = len(records) - self.public
        if private < 0 or (private > 0) != (self.variance is not None):
            raise DomainError(
                f"a release {'with' if self.variance else 'without'} noise must have "
                f"{self.public} public and {'some' if self.variance else 'no'} private records, "
                f"not {len(records)} records in total"
            )
        total, weights = np.zeros(records.shape[1]), 0.0
        if self.public:
            total += self.public * exact_means(records[private:], rng)
            weights += self.public
        if self.variance is not None:
            noise = GaussianNoise(self.variance).draw(records.shape[1], rng)
            # added as integers: the rounding of a sum of quotients would show what was added
            noisy = (records[:private].sum(axis=0, dtype=np.int64) + 2 * noise) / private
            weight = 1 / (1 / private + 4 * float(self.variance) / private**2)
            total += weight * noisy
            weights += weight
        return np.clip(total / weights, -1, 1)


@checked_types
def public_records_needed(
    signs: int, accuracy: Fraction | int | str, failure: Fraction | int | str
) -> int:
    """Return the number of records for accurate means: ``(2 / alpha^2) ln(2 p / beta)``.

    Parameters
    ----------
    signs : int
        Number ``p`` of coordinates, each -1 or 1; at least 1.
    accuracy, failure : Fraction, int or str
        Above 0; the failure is at most 1.

    Raises
    ------
    DomainError

    Notes
    -----
    Source: Hoeffding's inequality for signs; `pap` section 4 states ``O(log(p) / alpha^2)``.

    Examples
    --------
    >>> public_records_needed(1000, "1/10", "1/10")
    1981
    """
    alpha, beta = _checked(signs, accuracy, failure)
    return ceil(2 / alpha**2 * enclose_log(2 * signs / beta).upper)


@checked_types
def private_records_needed(
    signs: int,
    accuracy: Fraction | int | str,
    failure: Fraction | int | str,
    epsilon: Epsilon | Fraction | int | str,
    delta: Fraction | int | str | None = None,
) -> int:
    """Return a sufficient number of private records of `MarginalRelease` without public records.

    Half of the accuracy and of the failure is for sampling, which needs ``(8 / alpha^2) ln(4 p /
    beta)`` records, and half for the noise, which needs ``(4 sqrt(v) / alpha) sqrt(2 ln(4 p /
    beta))`` for variance ``v``.

    Parameters
    ----------
    signs, accuracy, failure
        As in `public_records_needed`.
    epsilon : Epsilon, Fraction, int or str
    delta : Fraction, int or str, optional
        By default ``1 / (4 n)`` for ``n`` records, as in Theorem 13.

    Raises
    ------
    DomainError

    Notes
    -----
    The tail of discrete Gaussian noise is at most ``2 e^(-t^2 / (2 v))``.

    Source: `pap` section 4 states ``O(log(p) / alpha^2 + sqrt(p) / alpha)``.

    Examples
    --------
    >>> private_records_needed(1000, "1/10", "1/10", Epsilon.of(1))
    28701
    """
    epsilon = Epsilon.of(epsilon)
    alpha, beta = _checked(signs, accuracy, failure)
    log = enclose_log(4 * signs / beta).upper
    low, high = 0, ceil(8 / alpha**2 * log)

    def enough(n: int) -> bool:
        rho = largest_rho(epsilon, Fraction(1, 4 * n) if delta is None else delta)
        return n**2 * alpha**2 >= 16 * Fraction(signs) / rho * log

    least = high
    while not enough(high):
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return max(least, high)


def _checked(
    signs: int, accuracy: Fraction | int | str, failure: Fraction | int | str
) -> tuple[Fraction, Fraction]:
    alpha, beta = as_fraction(accuracy, "accuracy", 0), as_fraction(failure, "failure", 0, 1)
    if signs < 1 or not alpha or not beta:
        raise DomainError(
            f"signs must be at least 1, accuracy and failure positive, not {signs}, {alpha} and "
            f"{beta}"
        )
    return alpha, beta
