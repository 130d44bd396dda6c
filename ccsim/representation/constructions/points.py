"""Representations of single points by sets that overlap little.

A hypothesis is a set of points here. If a point ``j`` lies in ``p`` listed sets, and every other
point in at most ``c`` of them, then under any distribution one of the ``p`` sets has error at most
``c / p`` on the indicator of ``j``: their errors sum to at most ``c``. This is how `bbkn` section
4.1 represents points, and the listed sets are the whole proof.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

from ccsim.arguments.checked import checked_types
from ccsim.certificates import Certificate, Certified, encode_fraction
from ccsim.classes import ConceptClass, points
from ccsim.classes.masks import members
from ccsim.data import frozen
from ccsim.errors import CertificateError, DomainError
from ccsim.representation.hypotheses import HypothesisSet


@checked_types
def single_points(size: int) -> ConceptClass:
    """Return the indicator functions of single points over ``size`` points, any positive number.

    Parameters
    ----------
    size : int
        At least 1.

    Examples
    --------
    >>> single_points(3).rows, single_points(4) == points(2)
    ((1, 2, 4), True)
    """
    if size < 1:
        raise DomainError(f"single points: size must be at least 1, not {size}")
    if size & (size - 1) == 0:
        return points(size.bit_length() - 1)
    return ConceptClass.from_rows(
        [1 << j for j in range(size)], range(size), name=f"{size} single points"
    )


@frozen
class PointRepresentation(Certified):
    """Hypotheses that represent the single points of a domain, with the sets that show it.

    Attributes
    ----------
    hypotheses : HypothesisSet
    witnesses : tuple of tuple of int
        For each point the numbers of hypotheses whose uniform mixture answers for its indicator;
        a hypothesis may be listed several times.
    value : Fraction
        Largest share of the witnesses of a point that are wrong on one point: the hypotheses
        represent all indicators with this error, perhaps with a smaller one.

    Examples
    --------
    >>> H = HypothesisSet.from_matrix([[1, 1, 0], [1, 0, 1], [0, 1, 1]])
    >>> pairs = PointRepresentation.from_witnesses(H, [(0, 1), (0, 2), (1, 2)])
    >>> pairs.value
    Fraction(1, 2)
    >>> pairs.check()
    """

    question = "the error of a representation of points"
    asked = ("hypotheses",)
    answered = ("value",)

    hypotheses: HypothesisSet
    witnesses: tuple[tuple[int, ...], ...]
    value: Fraction

    @classmethod
    def from_witnesses(
        cls, hypotheses: HypothesisSet, witnesses: list[tuple[int, ...]]
    ) -> PointRepresentation:
        """Return the representation with the error that the witnesses prove.

        Raises
        ------
        DomainError
            If a point has no witness.
        """
        if not all(witnesses):
            raise DomainError(f"point {witnesses.index(())} has no witness")
        worst = Fraction(0)
        for j, chosen in enumerate(witnesses):
            wrong: Counter[int] = Counter()
            for i in chosen:
                wrong.update(members(hypotheses.rows[i] ^ 1 << j))
            most = max(wrong.values(), default=0)
            worst = max(worst, Fraction(most, len(chosen)))
        return cls(hypotheses, tuple(witnesses), worst)

    @property
    def size(self) -> int:
        """Number of hypotheses."""
        return self.hypotheses.size

    @property
    def concept_class(self) -> ConceptClass:
        """The class of the single points that is represented."""
        return single_points(self.hypotheses.num_points)

    def represents(self, error: Fraction) -> bool:
        """Whether the witnesses prove that every point is represented with the given error."""
        return self.value <= error

    def certificate(self) -> Certificate:
        """Return the certificate for the kernel: an upper bound on the error."""
        if not all(0 <= i < self.size for chosen in self.witnesses for i in chosen):
            raise CertificateError(f"witnesses must be numbers below {self.size}")
        counts = [Counter(chosen) for chosen in self.witnesses]
        weights = [[listed[i] for i in range(self.size)] for listed in counts]
        return Certificate(
            "deterministic_representation",
            self.concept_class.to_json(),
            {
                "hypotheses": self.hypotheses.to_json(),
                "lower": None,
                "upper": encode_fraction(self.value),
            },
            None,
            {"mixtures": {"weights": weights}},
        )


def containing_sets(hypotheses: HypothesisSet) -> list[tuple[int, ...]]:
    """Return, for each point, the numbers of the sets that contain it."""
    containing: list[list[int]] = [[] for _ in range(hypotheses.num_points)]
    for i, row in enumerate(hypotheses.rows):
        for j in members(row):
            containing[j].append(i)
    return [tuple(numbers) for numbers in containing]
