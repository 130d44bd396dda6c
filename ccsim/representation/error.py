"""Whether a set of hypotheses represents a class, decided by one rational game for each concept.

A set ``H`` represents ``f`` with error ``v`` when for every distribution ``D`` over points some
``h`` in ``H`` has ``Pr_D[h != f] <= v``. By the minimax theorem this is so exactly when a convex
mixture of ``H`` disagrees with ``f`` on no point with probability above ``v``: the mixture proves
it, and an optimal ``D`` refutes every smaller error.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from ccsim.border import checked_types
from ccsim.certificates import Certificate, encode_fraction, encode_fractions
from ccsim.classes import ConceptClass
from ccsim.errors import CertificateError, DomainError
from ccsim.exact import probability_vector
from ccsim.exact.bounds import check_fields
from ccsim.programs.game_program import solve_integer_game
from ccsim.representation.failing_sets.selection import mass
from ccsim.representation.hypotheses import HypothesisSet, check_points

__all__ = ["ConceptError", "RepresentationResult", "concept_error", "representation_error"]


@dataclass(frozen=True, slots=True)
class ConceptError:
    """How well a set of hypotheses represents one concept.

    Attributes
    ----------
    value : Fraction
        Largest, over distributions, of the least error of a hypothesis.
    distribution : tuple of Fraction
        Distribution over points under which every hypothesis errs at least ``value``.
    weights : tuple of Fraction
        Convex weights of the hypotheses that disagree on no point with probability above ``value``.
    """

    value: Fraction
    distribution: tuple[Fraction, ...]
    weights: tuple[Fraction, ...]


def concept_error(hypotheses: HypothesisSet, concept: int) -> ConceptError:
    """Return the representation error of one concept, given as a bit mask.

    Complexity: one game of points times hypotheses; 100 x 100 well under a second.

    Examples
    --------
    >>> result = concept_error(HypothesisSet((0b01, 0b10), 2), 0b11)
    >>> result.value, result.weights
    (Fraction(1, 2), (Fraction(1, 2), Fraction(1, 2)))
    """
    if concept in hypotheses.rows:
        weights = tuple(Fraction(row == concept) for row in hypotheses.rows)
        uniform = (Fraction(1, hypotheses.num_points),) * hypotheses.num_points
        return ConceptError(Fraction(0), uniform, weights)
    matrix = [
        [(row ^ concept) >> x & 1 for row in hypotheses.rows] for x in range(hypotheses.num_points)
    ]
    value, distribution, weights, _ = solve_integer_game(matrix)
    return ConceptError(value, distribution, weights)


@dataclass(frozen=True, slots=True)
class RepresentationResult:
    """The least error with which a set of hypotheses represents a class.

    Attributes
    ----------
    concept_class : ConceptClass
    hypotheses : HypothesisSet
    value : Fraction
        Largest representation error of a concept.
    concept : int
        A concept with that error.
    distribution : tuple of Fraction
        Certificate from below: every hypothesis errs at least ``value`` on ``concept`` under it.
    weights : tuple of tuple of Fraction
        Certificate from above: for each concept convex weights of the hypotheses.
    """

    concept_class: ConceptClass
    hypotheses: HypothesisSet
    value: Fraction
    concept: int
    distribution: tuple[Fraction, ...]
    weights: tuple[tuple[Fraction, ...], ...]

    def represents(self, error: Fraction) -> bool:
        """Whether the set represents the class with the given error."""
        return self.value <= error

    def check(self) -> None:
        """Check both directions by substitution.

        Raises
        ------
        CertificateError
            Naming the hypothesis that errs less, or the concept and point where the mixture errs
            more.
        """
        check_fields(self)
        C, H = self.concept_class, self.hypotheses
        check_concept(self.concept, C, H.num_points)
        target = C.rows[self.concept]
        check_law(self.distribution, H.num_points, "distribution")
        for h in H.rows:
            error = mass(self.distribution, h ^ target)
            if error < self.value:
                raise CertificateError(
                    f"hypothesis {h:b} errs {error} on the concept, less than {self.value}"
                )
        if len(self.weights) != len(C.rows):
            raise CertificateError(
                f"weights are there for {len(self.weights)} of {len(C.rows)} concepts"
            )
        for f, row in enumerate(C.rows):
            check_law(self.weights[f], H.size, f"weights of concept {C.concepts[f]}")
            for x in range(H.num_points):
                error = sum(
                    (w for w, h in zip(self.weights[f], H.rows, strict=True) if (h ^ row) >> x & 1),
                    Fraction(0),
                )
                if error > self.value:
                    raise CertificateError(
                        f"the mixture for concept {C.concepts[f]} errs {error} on point "
                        f"{C.points[x]}, more than {self.value}"
                    )

    def certificate(self) -> Certificate:
        """Return the certificate for the kernel."""
        value = encode_fraction(self.value)
        return Certificate(
            "deterministic_representation",
            self.concept_class.to_json(),
            {"hypotheses": self.hypotheses.to_json(), "lower": value, "upper": value},
            {"concept": self.concept, "distribution": encode_fractions(self.distribution)},
            {"weights": [encode_fractions(weights) for weights in self.weights]},
        )


@checked_types
def representation_error(
    hypotheses: HypothesisSet, concept_class: ConceptClass
) -> RepresentationResult:
    """Return the least error with which a set of hypotheses represents a class.

    Parameters
    ----------
    hypotheses : HypothesisSet
        Over the points of the class.
    concept_class : ConceptClass
        At least one concept and one point.

    Raises
    ------
    DomainError
        If the numbers of points differ or the class is empty.

    Notes
    -----
    Source: `fx` Definition 4 (=2.3), decided as in the proof of Theorem 8 (=3.2).

    Examples
    --------
    >>> from ccsim.classes import points
    >>> result = representation_error(HypothesisSet((0b0000,), 4), points(2))
    >>> result.value, result.represents(Fraction(1, 2))
    (Fraction(1, 1), False)
    >>> result.check()
    """
    check_points(hypotheses.num_points, concept_class)
    errors = [concept_error(hypotheses, row) for row in concept_class.rows]
    worst = max(range(len(errors)), key=lambda f: errors[f].value)
    return RepresentationResult(
        concept_class,
        hypotheses,
        errors[worst].value,
        worst,
        errors[worst].distribution,
        tuple(error.weights for error in errors),
    )


def check_concept(concept: int, concept_class: ConceptClass, num_points: int) -> None:
    """Refuse a result whose concept or number of points is not one of the class.

    Raises
    ------
    CertificateError
    """
    if num_points != len(concept_class.points):
        raise CertificateError(
            f"hypotheses are over {num_points} points, the class over {len(concept_class.points)}"
        )
    if not 0 <= concept < len(concept_class):
        raise CertificateError(
            f"concept must be a number below {len(concept_class)}, not {concept}"
        )


def check_law(values: tuple[Fraction, ...], length: int, name: str) -> None:
    """Refuse what is no distribution over ``length`` outcomes.

    Raises
    ------
    CertificateError
    """
    try:
        probability_vector(values, name)
    except DomainError as error:
        raise CertificateError(str(error)) from None
    if len(values) != length:
        raise CertificateError(f"{name} must have {length} entries, not {len(values)}")
