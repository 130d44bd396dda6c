"""Sanitizers of larger databases by blocks, and symmetric sanitizers by random order.

Main definitions: `RepeatedSanitizer`, `Shuffled`.
"""

from __future__ import annotations

from collections.abc import Hashable
from fractions import Fraction
from itertools import permutations
from math import factorial
from typing import Any

from ccsim.budget import in_time
from ccsim.data import validated
from ccsim.errors import DomainError, InstanceTooLargeError
from ccsim.exact.distribution import Distribution, mixture
from ccsim.exact.exponentials import Real
from ccsim.privacy.constructions import CanonicalMechanism, Mechanism, is_symmetric
from ccsim.privacy.neighbours import Domain
from ccsim.texts.labels import Label

__all__ = ["RepeatedSanitizer", "Shuffled"]

MAX_RELEASES = 1 << 16
"""Maximum number of databases that a repeated sanitizer may release."""
MAX_ORDERS = 5040
"""Maximum number of orders in an average."""


@validated
class RepeatedSanitizer(CanonicalMechanism[Label, tuple[Label, ...]]):
    """The union of a sanitizer's releases for the blocks of the records.

    It is as private as the sanitizer, since a record is in one block. If the releases of all but a
    share ``s`` of the blocks have error at most ``alpha``, the union has error at most ``(1 - s)
    alpha + s`` (`bns` Lemma 5.1). The output depends on the order of the records.

    Attributes
    ----------
    sanitizer : Mechanism
        All databases that it releases have the same size.
    block : int
        Records of a block, at least 1; the databases consist of whole blocks.

    Examples
    --------
    >>> from ccsim.classes import points
    >>> from ccsim.exact import Epsilon
    >>> from ccsim.release.sanitizers.synthetic import SyntheticDatabase
    >>> single = SyntheticDatabase(points(1), Epsilon.of("ln 4"), 1)
    >>> [str(p) for _, p in RepeatedSanitizer(single, 1).distribution((0, 1)).items]
    ['2/9', '5/9', '2/9']
    """

    sanitizer: Mechanism[Any, Any]
    block: int

    def __post_init__(self) -> None:
        if self.block < 1:
            raise DomainError(f"block must be at least 1, not {self.block}")

    @property
    def records(self) -> tuple[Label, ...]:
        """Records of the sanitizer."""
        return self.sanitizer.records

    def distribution_of(self, database: tuple[Label, ...]) -> Distribution[tuple[Label, ...]]:
        """Return the distribution of the union of the releases, in the order of the blocks.

        Raises
        ------
        DomainError
            If the database does not consist of whole blocks, or releases have different sizes.
        InstanceTooLargeError
            If there are more than `MAX_RELEASES` unions.
        """
        if not database or len(database) % self.block:
            raise DomainError(
                f"database must have whole blocks of {self.block} records, not {len(database)}"
            )
        order = Domain.of(self.records)
        unions: dict[tuple[int, ...], Real] = {(): Fraction(1)}
        for start in range(0, len(database), self.block):
            distribution = self.sanitizer.distribution(database[start : start + self.block])
            releases = [(order.numbered(release), p) for release, p in distribution.items]
            if len({len(release) for release, _ in releases}) > 1:
                raise DomainError("all releases of the sanitizer must have the same size")
            unions = _longer(unions, releases)
        return Distribution.of({tuple(order.records[i] for i in u): p for u, p in unions.items()})


def _longer(
    unions: dict[tuple[int, ...], Real], releases: list[tuple[Any, Real]]
) -> dict[tuple[int, ...], Real]:
    longer: dict[tuple[int, ...], Real] = {}
    for union, p in in_time(unions.items()):
        for release, q in releases:
            both = tuple(sorted((*union, *release)))
            longer[both] = longer[both] + p * q if both in longer else p * q
        if len(longer) > MAX_RELEASES:
            raise InstanceTooLargeError(f"the number of releases exceeds the limit {MAX_RELEASES}")
    return longer


@validated
class Shuffled(CanonicalMechanism[Hashable, Hashable]):
    """A mechanism on the records in random order: symmetric, with the same privacy and error.

    Attributes
    ----------
    mechanism : Mechanism

    Examples
    --------
    >>> from ccsim.privacy import RandomizedResponse
    >>> from ccsim.exact import Epsilon
    >>> shuffled = Shuffled(RandomizedResponse((0, 1), Epsilon.of("ln 3")))
    >>> [str(p) for _, p in shuffled.distribution((0, 1)).items]
    ['3/16', '5/16', '5/16', '3/16']
    """

    mechanism: Mechanism[Any, Any]

    symmetric = True

    @property
    def records(self) -> tuple[Hashable, ...]:
        """Records of the mechanism."""
        return self.mechanism.records

    def distribution_of(self, database: tuple[Hashable, ...]) -> Distribution[Hashable]:
        """Return the average of the distributions over all orders.

        Raises
        ------
        InstanceTooLargeError
            If there are more than `MAX_ORDERS` orders.
        """
        if is_symmetric(self.mechanism):
            return self.mechanism.distribution(database)
        if len(database) > 12 or factorial(len(database)) > MAX_ORDERS:
            raise InstanceTooLargeError(
                f"the number of orders of {len(database)} records exceeds the limit {MAX_ORDERS}"
            )
        orders = dict.fromkeys(permutations(database))  # each stands for equally many
        share = Fraction(1, len(orders))
        return mixture((share, self.mechanism.distribution(order)) for order in orders)
