"""Release of a synthetic database for any small class, by the exponential mechanism.

Main definitions: `SyntheticDatabase`.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations_with_replacement
from math import comb

from ccsim.border import checked_fields
from ccsim.classes import ConceptClass
from ccsim.classes.labels import Label
from ccsim.errors import DomainError, InstanceTooLargeError
from ccsim.exact import Epsilon
from ccsim.privacy.mechanisms.exponential import ChoiceByScore, ExponentialMechanism
from ccsim.release.sanitizer import max_query_error

__all__ = ["SyntheticDatabase"]

MAX_OUTPUTS = 1 << 16
"""Most databases among which one is chosen."""


@checked_fields
@dataclass(frozen=True, slots=True)
class SyntheticDatabase(ChoiceByScore[Label, tuple[Label, ...]]):
    """A database of a given size whose queries are likely near those of the records.

    Of ``m`` records a database of largest error ``a`` has a probability proportional to
    ``e^(-epsilon m a / 2)``. One record changes ``m a`` by at most 1, so it is ``epsilon``-private
    (Blum, Ligett and Roth, 2008).

    Attributes
    ----------
    concept_class : ConceptClass
        With at least one concept and one point.
    epsilon : Epsilon
    size : int
        Of the outputs, at least 1.

    Raises
    ------
    InstanceTooLargeError
        If there are more than `MAX_OUTPUTS` outputs.

    Examples
    --------
    >>> from ccsim.instances import parse_class
    >>> synthetic = SyntheticDatabase(parse_class("points:b=1"), Epsilon.of("ln 4"), 2)
    >>> [str(p) for _, p in synthetic.law((0, 0)).items]
    ['4/7', '2/7', '1/7']
    """

    concept_class: ConceptClass
    epsilon: Epsilon
    size: int

    symmetric = True

    def __post_init__(self) -> None:
        points = len(self.concept_class.points)
        if not points or not self.concept_class.rows:
            raise DomainError("class must have a concept and a point")
        if self.size < 1:
            raise DomainError(f"size must be at least 1, not {self.size}")
        outputs = comb(points + self.size - 1, self.size)
        if outputs > MAX_OUTPUTS:
            raise InstanceTooLargeError(
                f"outputs must be at most {MAX_OUTPUTS}, not {outputs} of size {self.size}"
            )

    @property
    def records(self) -> tuple[Label, ...]:
        """The points."""
        return self.concept_class.points

    @property
    def exponential(self) -> ExponentialMechanism:
        """The exponential mechanism by which it chooses."""
        outputs = tuple(combinations_with_replacement(self.concept_class.points, self.size))
        return ExponentialMechanism(self.records, outputs, self._score, self.epsilon)

    def _score(self, database: tuple[Label, ...], output: tuple[Label, ...]) -> Fraction:
        if not database:
            return Fraction(0)
        return -len(database) * max_query_error(self.concept_class, database, output).error
