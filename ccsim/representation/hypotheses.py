"""Sets of Boolean hypotheses, and distributions over such sets, that represent a class."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any, Self

from ccsim.appearance import counted
from ccsim.arguments.checked import iterated
from ccsim.arguments.renamed import renamed_arguments
from ccsim.certificates.envelope import encode_fraction
from ccsim.classes import ConceptClass
from ccsim.data import validated
from ccsim.errors import DomainError
from ccsim.exact import probability_vector
from ccsim.exact.bounds import check_fields
from ccsim.exact.probability import check_parts, weighted
from ccsim.texts.labels import check_masks, check_size, text_row


@validated
class HypothesisSet:
    """A non-empty set of Boolean functions over numbered points.

    Attributes
    ----------
    rows : tuple of int
        Distinct bit masks in increasing order; bit ``x`` is the value on point ``x``.
    num_points : int

    Examples
    --------
    >>> H = HypothesisSet.from_matrix([[0, 1], [1, 0], [0, 1]])
    >>> H.rows, H.size
    ((1, 2), 2)
    """

    rows: tuple[int, ...]
    num_points: int

    def __post_init__(self) -> None:
        check_fields(self, DomainError)
        if not self.rows or list(self.rows) != sorted(set(self.rows)):
            raise DomainError(
                "there must be at least one hypothesis, all distinct and in increasing order"
            )
        check_size(1, self.num_points, "the set of hypotheses")
        if self.num_points < 0 or self.rows[0] < 0 or self.rows[-1] >= 1 << self.num_points:
            raise DomainError(
                f"hypotheses must be at least 0 and below 2**{self.num_points}, and num_points at "
                "least 0"
            )

    @classmethod
    def from_rows(cls, rows: Iterable[int], num_points: int) -> Self:
        """Return the set of the given bit masks; duplicates are dropped."""
        masks = tuple(iterated(rows, "rows", "integers"))
        check_masks(masks, "rows")
        return cls(tuple(sorted(set(masks))), num_points)

    @classmethod
    def from_matrix(cls, matrix: Iterable[Iterable[int]]) -> Self:
        """Return the set of the rows of a 0/1 matrix."""
        as_class = ConceptClass.from_matrix(matrix)
        return cls.from_rows(as_class.rows, len(as_class.points))

    def __str__(self) -> str:
        """Return the sizes: ``3 hypotheses over 4 points``."""
        sizes = counted(self.size, "hypothesis", "hypotheses")
        return f"{sizes} over {counted(self.num_points, 'point', 'points')}"

    @property
    def size(self) -> int:
        """Number of hypotheses; the dimension is its ``log2``."""
        return len(self.rows)

    def to_json(self) -> list[str]:
        """Return the rows as text."""
        return [text_row(row, self.num_points) for row in self.rows]


@validated
class ProbabilisticRepresentation:
    """A distribution over sets of hypotheses.

    Attributes
    ----------
    weights : tuple of Fraction
        Probabilities of the sets; positive, with sum 1.
    sets : tuple of HypothesisSet
        Distinct sets of hypotheses over the same points.

    Examples
    --------
    >>> H = HypothesisSet((0,), 2)
    >>> G = HypothesisSet((1, 2), 2)
    >>> R = ProbabilisticRepresentation.mixture([("1/4", H), ("1/4", G), ("1/2", H)])
    >>> R.weights, R.size
    ((Fraction(3, 4), Fraction(1, 4)), 2)
    """

    weights: tuple[Fraction, ...]
    sets: tuple[HypothesisSet, ...]

    def __post_init__(self) -> None:
        weights = probability_vector(self.weights, "weights")
        check_parts(self.sets, HypothesisSet, "sets")
        if len(weights) != len(self.sets) or 0 in weights or len(set(self.sets)) != len(self.sets):
            raise DomainError("sets must be distinct, each with a positive weight")
        if len({H.num_points for H in self.sets}) != 1:
            raise DomainError("all sets must be over the same points")
        object.__setattr__(self, "weights", weights)

    @classmethod
    @renamed_arguments(parts="components")
    def mixture(cls, components: Iterable[tuple[object, HypothesisSet]]) -> Self:
        """Return the distribution with the given weights; equal sets are merged."""
        joined: dict[HypothesisSet, Fraction] = {}
        for share, hypotheses in weighted(components, (HypothesisSet,), "HypothesisSet"):
            joined[hypotheses] = joined.get(hypotheses, Fraction(0)) + share
        kept = {H: weight for H, weight in joined.items() if weight}
        return cls(tuple(kept.values()), tuple(kept))

    @property
    def num_points(self) -> int:
        """Number of points."""
        return self.sets[0].num_points

    def __str__(self) -> str:
        """Return the sizes: ``5 sets of at most 3 hypotheses over 4 points``."""
        sizes = counted(self.size, "hypothesis", "hypotheses")
        each = f"at most {sizes} over {counted(self.num_points, 'point', 'points')}"
        return f"{counted(len(self.sets), 'set', 'sets')} of {each}"

    @property
    def size(self) -> int:
        """Largest number of hypotheses in a set; the dimension is its ``log2``."""
        return max(H.size for H in self.sets)

    def to_json(self) -> list[dict[str, Any]]:
        """Return the support as a part of a certificate."""
        return [
            {"weight": encode_fraction(weight), "hypotheses": H.to_json()}
            for weight, H in zip(self.weights, self.sets, strict=True)
        ]


def check_points(num_points: int, concept_class: ConceptClass) -> None:
    """Raise `DomainError` unless hypotheses are over the points of the class."""
    if num_points != len(concept_class.points):
        raise DomainError(
            f"hypotheses must be over the {len(concept_class.points)} points of the class, "
            f"not over {num_points}"
        )
    check_not_empty(concept_class)


def check_not_empty(concept_class: ConceptClass) -> None:
    """Raise `DomainError` if a class has no concepts or no points."""
    if not concept_class.rows or not concept_class.points:
        raise DomainError("the class must have at least one concept and one point")
