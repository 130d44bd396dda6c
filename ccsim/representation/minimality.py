"""Whether hypotheses represent a class and none can be dropped (`bbkn` Definition 3.5).

A hypothesis is *needed* if for some concept under some distribution all others err too much.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from ccsim.arguments.checked import checked_types
from ccsim.budget import Budget, OutOfTimeError, Progress, TimeLimit
from ccsim.certificates import Certificate, Certificates, Certified, encode_fraction, weights_of
from ccsim.classes import ConceptClass
from ccsim.classes.given import ClassLike, as_class
from ccsim.data import frozen
from ccsim.errors import CertificateError
from ccsim.exact import as_fraction
from ccsim.representation.error import RepresentationResult, mass, representation_error
from ccsim.representation.hypotheses import HypothesisSet


@frozen
class MinimalityResult(Certified):
    """Whether hypotheses are a minimal representation of a class, with the proof.

    Attributes
    ----------
    error : Fraction
        With which concepts are to be represented.
    whole : RepresentationResult
        Of all hypotheses, with the class.
    needed : tuple of (concept, distribution)
        For each hypothesis a concept's number and a distribution under which every other
        hypothesis errs more than ``error``; empty if the representation is not minimal.
    others : RepresentationResult or None
        If one hypothesis can be dropped, how well the others represent the class.
    """

    question = "whether a representation is minimal"
    asked = ("concept_class", "hypotheses", "error")
    answered = ("minimal",)

    error: Fraction
    whole: RepresentationResult
    needed: tuple[tuple[int, tuple[Fraction, ...]], ...]
    others: RepresentationResult | None

    @property
    def concept_class(self) -> ConceptClass:
        """The class that is represented."""
        return self.whole.concept_class

    @property
    def hypotheses(self) -> HypothesisSet:
        """The hypotheses that represent it, or fail to."""
        return self.whole.hypotheses

    @property
    def minimal(self) -> bool:
        """Whether the hypotheses represent the class and no proper part of them does."""
        return bool(self.needed)

    @property
    def dropped(self) -> int | None:
        """The hypothesis, as a bit mask, that can be dropped."""
        if self.others is None:
            return None
        [row] = set(self.whole.hypotheses.rows) - set(self.others.hypotheses.rows)
        return row

    def certificate(self) -> Certificates:
        """Return the certificates of the errors of the hypotheses, and of all but one of them.

        Raises
        ------
        CertificateError
            If these errors do not say what the result does.
        """
        if self.needed:
            if not self.whole.represents(self.error):
                raise CertificateError(f"the hypotheses err {self.whole.upper}")
            return Certificates((self.whole.certificate(), *self._of_the_others()))
        if self.others is None:
            if self.whole.represents(self.error) is not False:
                raise CertificateError("none of the hypotheses is shown to be needed, or dropped")
            return Certificates((self.whole.certificate(),))
        known, rest = set(self.whole.hypotheses.rows), set(self.others.hypotheses.rows)
        if (
            not rest < known
            or len(known - rest) != 1
            or self.others.concept_class != self.whole.concept_class
        ):
            raise CertificateError("the others must be all hypotheses but one, for the same class")
        if not self.others.represents(self.error):
            raise CertificateError(f"without one of them the hypotheses err {self.others.upper}")
        return Certificates((self.whole.certificate(), self.others.certificate()))

    def _of_the_others(self) -> Iterator[Certificate]:
        """Yield for each hypothesis how much all others err on the concept that needs it."""
        C, H = self.whole.concept_class, self.whole.hypotheses
        if len(self.needed) != H.size:
            raise CertificateError(f"of {H.size} hypotheses {len(self.needed)} are needed")
        for row, (concept, law) in zip(H.rows, self.needed, strict=True):
            rest = [h for h in H.rows if h != row]
            if not 0 <= concept < len(C):
                raise CertificateError(f"concept must be a number below {len(C)}, not {concept}")
            wrong = [mass(law, h ^ C.rows[concept]) for h in rest]
            if rest and min(wrong) <= self.error:
                raise CertificateError(f"without hypothesis {row:b} the others err {min(wrong)}")
            if rest:  # no representation is empty
                yield Certificate(
                    "deterministic_representation",
                    C.to_json(),
                    {
                        "hypotheses": HypothesisSet.from_rows(rest, H.num_points).to_json(),
                        "lower": encode_fraction(min(wrong)),
                        "upper": None,
                    },
                    {"hard_distribution": {"concept": concept, "distribution": weights_of(law)}},
                    None,
                )


@checked_types
def minimality(
    hypotheses: HypothesisSet,
    concept_class: ClassLike,
    error: Fraction | int | str,
    *,
    time_limit: TimeLimit = None,
    progress: Progress | None = None,
) -> MinimalityResult:
    """Decide whether hypotheses represent a class and no proper subset of them does.

    Parameters
    ----------
    hypotheses : HypothesisSet
        Over the points of the class.
    concept_class : ConceptClass, total problem, INSTANCE text or matrix
        At least one concept and one point.
    error : Fraction, int or str
        Between 0 and 1.
    time_limit : float or Budget, optional
        Seconds after which nothing is known.
    progress : callable, optional
        Called with the number of hypotheses that are known to be needed, and of all.

    Returns
    -------
    MinimalityResult
        With a proof of each direction.

    Raises
    ------
    NotDecidedError
        If the time limit is over before.

    Notes
    -----
    Source: `bbkn` Definition 3.5. It may hold of sets larger than the smallest representation.

    Complexity: a rational game for each hypothesis and concept.

    Examples
    --------
    >>> from ccsim.classes import points
    >>> C = points(2)
    >>> result = minimality(HypothesisSet.from_rows(C.rows, 4), C, "1/4")
    >>> result.minimal, [concept for concept, _ in result.needed]
    (True, [0, 1, 2, 3])
    >>> minimality(HypothesisSet.from_rows([0, *C.rows], 4), C, "1/4").dropped
    0
    """
    allowed = as_fraction(error, "error", 0, 1)
    budget = Budget.of(time_limit, progress)
    concept_class = as_class(concept_class, budget)
    whole = _solved(hypotheses, concept_class, budget)
    if not whole.represents(allowed):
        return MinimalityResult(allowed, whole, (), None)
    needed = []
    for row in hypotheses.rows:
        rest = set(hypotheses.rows) - {row}
        if not rest:
            return MinimalityResult(allowed, whole, ((whole.concept, whole.distribution),), None)
        remaining = HypothesisSet.from_rows(rest, hypotheses.num_points)
        others = _solved(remaining, concept_class, budget)
        if others.represents(allowed):
            return MinimalityResult(allowed, whole, (), others)
        needed.append((others.concept, others.distribution))
        budget.report(len(needed), hypotheses.size)
    return MinimalityResult(allowed, whole, tuple(needed), None)


def _solved(
    hypotheses: HypothesisSet, concept_class: ConceptClass, budget: Budget
) -> RepresentationResult:
    found = representation_error(hypotheses, concept_class, time_limit=budget)
    if not found.exact:
        raise OutOfTimeError
    return found


@checked_types
def is_minimal_representation(
    hypotheses: HypothesisSet,
    concept_class: ClassLike,
    error: Fraction | int | str,
    *,
    time_limit: TimeLimit = None,
    progress: Progress | None = None,
) -> bool:
    """Whether hypotheses represent a class and no proper subset of them does.

    Parameters
    ----------
    hypotheses, concept_class, error, time_limit, progress
        As for `minimality`, which gives the proof.

    Examples
    --------
    >>> from ccsim.classes import points
    >>> C = points(2)
    >>> is_minimal_representation(HypothesisSet.from_rows(C.rows, 4), C, "1/4")
    True
    >>> is_minimal_representation(HypothesisSet.from_rows([0, *C.rows], 4), C, "1/4")
    False
    """
    budget = Budget.of(time_limit)
    found = minimality(hypotheses, concept_class, error, time_limit=budget, progress=progress)
    return found.minimal
