"""Randomised response: each record is reported truthfully or replaced by another value."""

from __future__ import annotations

from collections.abc import Hashable
from fractions import Fraction
from itertools import product
from typing import Any, Self

from ccsim.data import validated
from ccsim.errors import DomainError, InstanceTooLargeError
from ccsim.exact.distribution import Distribution, independent
from ccsim.exact.epsilon import Epsilon
from ccsim.privacy.constructions import CanonicalMechanism, Rows, Setting

MAX_REPORTS = 1 << 13
"""Maximum number of outcomes of the distribution."""


@validated
class RandomizedResponse(CanonicalMechanism[Hashable, tuple[Hashable, ...]]):
    """Report each record independently with random noise (`k`-ary randomised response).

    The true value is reported with ``e^epsilon`` times the probability of each other value. The
    mechanism is ``epsilon``-private, and this epsilon is optimal.

    Attributes
    ----------
    domain : tuple
        Two or more distinct values of a record.
    epsilon : Epsilon

    Examples
    --------
    >>> response = RandomizedResponse(("no", "yes"), Epsilon.of("ln 3"))
    >>> response.distribution(["yes"])[("yes",)]
    Fraction(3, 4)
    """

    domain: tuple[Hashable, ...]
    epsilon: Epsilon

    def __post_init__(self) -> None:
        if len(set(self.domain)) != len(self.domain) or len(self.domain) < 2:
            raise DomainError(f"records must have two or more distinct values, not {self.domain!r}")

    @classmethod
    def on_class(
        cls, num_points: int, concepts: Rows, epsilon: Epsilon, delta: Fraction, **given: Setting
    ) -> Self:
        """Return the mechanism on the labelled examples of the points."""
        examples = tuple(product(range(num_points), (0, 1)))
        return cls(examples, epsilon, **given)

    @property
    def records(self) -> tuple[Hashable, ...]:
        """The domain."""
        return self.domain

    def distribution_of(self, database: tuple[Hashable, ...]) -> Distribution[tuple[Any, ...]]:
        """Return the distribution of the list of reports.

        Raises
        ------
        InstanceTooLargeError
            If there are more than `MAX_REPORTS` lists.
        """
        if len(self.domain) ** min(len(database), MAX_REPORTS.bit_length()) > MAX_REPORTS:
            raise InstanceTooLargeError(
                f"{len(self.domain)}^{len(database)} lists of reports exceed the limit of "
                f"{MAX_REPORTS}; use fewer records"
            )
        return independent(
            Distribution.proportional({r: self.epsilon.exp(int(r == record)) for r in self.domain})
            for record in database
        )
