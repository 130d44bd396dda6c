"""The mechanism that is as private as given parameters allow."""

from __future__ import annotations

from collections.abc import Hashable
from fractions import Fraction

from ccsim.data import validated
from ccsim.errors import DomainError
from ccsim.exact.distribution import Distribution
from ccsim.exact.epsilon import Epsilon
from ccsim.privacy.constructions import CanonicalMechanism


@validated
class DominantMechanism(CanonicalMechanism[Hashable, tuple[Hashable, ...]]):
    """The mechanism on one bit that can simulate every ``(epsilon, delta)``-private mechanism.

    It reveals the bit with probability ``delta``, and otherwise publishes a randomised response.
    Let the bit select one of two neighbours. The output of any ``(epsilon, delta)``-private
    mechanism on the selected neighbour can then be obtained by post-processing the output of this
    mechanism. So the least delta of several runs of this mechanism is also sufficient for
    arbitrary, adaptively chosen mechanisms with these parameters.

    Attributes
    ----------
    epsilon : Epsilon
        Privacy parameter epsilon, at least 0.
    delta : Fraction
        Privacy parameter delta, between 0 and 1.

    Examples
    --------
    >>> from ccsim.privacy import composed_delta
    >>> parts = [
    ...     DominantMechanism(Epsilon.of("ln 3"), Fraction(0)),
    ...     DominantMechanism(Epsilon.of("ln 2"), Fraction(1, 100)),
    ... ]
    >>> composed_delta(parts, [1, 2], "ln 6", 1).value
    Fraction(733, 4000)
    """

    epsilon: Epsilon
    delta: Fraction

    def __post_init__(self) -> None:
        if not 0 <= self.delta <= 1:
            raise DomainError(f"delta must be between 0 and 1, not {self.delta}")

    @property
    def records(self) -> tuple[Hashable, ...]:
        """The two bits."""
        return 0, 1

    def distribution_of(self, database: tuple[Hashable, ...]) -> Distribution[tuple[Hashable, ...]]:
        """Return the distribution for a database of one bit.

        Raises
        ------
        DomainError
            If the database does not have one record.
        """
        if len(database) != 1:
            raise DomainError(f"the database must have one record, not {len(database)}")
        [bit] = database
        factor = self.epsilon.exp()
        truth = (1 - self.delta) * factor / (1 + factor)
        return Distribution.of(
            {
                ("revealed", bit): self.delta,
                ("reported", bit): truth,
                ("reported", 1 - int(bit == 1)): (1 - self.delta) / (1 + factor),
            }
        )
