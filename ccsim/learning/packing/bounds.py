"""Bounds that packings prove, with what is needed to check them in fractions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction

from ccsim.arguments.checked import checked_types
from ccsim.certificates import (
    Certificate,
    Certified,
    encode_fraction,
    encode_integers,
    weights_of,
)
from ccsim.classes import ConceptClass
from ccsim.data import frozen
from ccsim.errors import CertificateError, DomainError
from ccsim.exact import as_fraction
from ccsim.exact.epsilon import Epsilon
from ccsim.learning.packing.factors import check_factor, check_written, rational_factor
from ccsim.learning.packing.packing import LearningPacking
from ccsim.learning.packing.sizes import MAX_SAMPLES, exclusion, samples_allowed
from ccsim.representation import HypothesisSet


@frozen
class PackingBound(Certified):
    """How many examples a packing proves to be needed.

    Attributes
    ----------
    packing : LearningPacking
    center : int
        The target with which the others are compared.
    failure : Fraction
        Probability with which a learner may miss the accuracy; strictly between 0 and 1.
    epsilon : Epsilon
        Privacy of the learner.
    factor : Fraction
        At least ``e^epsilon``, and equal if that is rational. Already ``ln(factor)``-private
        learners, which include all ``epsilon``-private ones, need so many examples.
    samples : int
        No ``epsilon``-private learner with fewer examples has this accuracy and failure.
    """

    question = "a lower bound on the number of examples of private learners"
    asked = ("concept_class", "accuracy", "failure", "epsilon", "hypotheses")
    answered = ("samples",)

    packing: LearningPacking
    center: int
    failure: Fraction
    epsilon: Epsilon
    factor: Fraction
    samples: int

    @property
    def concept_class(self) -> ConceptClass:
        """The class that is learned."""
        return self.packing.concept_class

    @property
    def accuracy(self) -> Fraction:
        """The largest error of a good hypothesis."""
        return self.packing.accuracy

    @property
    def hypotheses(self) -> HypothesisSet | None:
        """The hypotheses that a learner may return; None for all functions of the points."""
        return self.packing.hypotheses

    def certificate(self) -> Certificate:
        """Return the certificate for the kernel, about ``ln(factor)``-private learners."""
        check_factor(self.factor, self.epsilon)
        packing, centers = self.packing, range(len(self.packing.targets))
        if self.center not in centers:
            raise CertificateError(
                f"center must be one of {len(centers)} targets, not {self.center}"
            )
        hypotheses = packing.hypotheses
        order = [self.center, *(i for i in centers if i != self.center)]
        growths = [1 + packing.distance(self.center, i) * (self.factor - 1) for i in order[1:]]
        exchanged, bits = exclusion(Counter(growths), max(self.samples - 1, 0), self.failure)
        samples, last = encode_integers([self.samples, self.samples - 1])
        excluded = {
            "samples": last,
            "targets": [[f, weights_of(law)] for f, law in map(packing.targets.__getitem__, order)],
            "exchanged": encode_integers(exchanged[g] for g in growths),
            "bits": bits,
        }
        return Certificate(
            "private_sample_complexity",
            packing.concept_class.to_json(),
            {
                "hypotheses": None if hypotheses is None else hypotheses.to_json(),
                "accuracy": encode_fraction(packing.accuracy),
                "failure": encode_fraction(self.failure),
                "factor": encode_fraction(self.factor),
                "lower": samples,
                "upper": None,
            },
            {"packing": excluded} if self.samples else {"trivial": {}},
            None,
        )


@checked_types
def packing_bound(
    packing: LearningPacking,
    failure: Fraction | int | str,
    epsilon: Epsilon | Fraction | int | str,
    centers: Sequence[int] | None = None,
) -> PackingBound:
    """Return the least number of examples that a packing allows.

    Parameters
    ----------
    packing : LearningPacking
    failure : Fraction, int or str
        Strictly between 0 and 1.
    epsilon : Epsilon, int, Fraction or str
        Positive.
    centers : sequence of int, optional
        Targets that are tried as center; all unless given.

    Raises
    ------
    CertificateError
        If some hypothesis is good for two targets.
    DomainError
        If two targets draw and label examples in the same way: then no learner at all is good for
        both, private or not.
    InstanceTooLargeError
        If the bound is above ``2^128``, or a fraction above ``e^epsilon`` too long.

    Notes
    -----
    Complexity: all pairs of targets, times points.

    Examples
    --------
    >>> from ccsim.classes import all_functions
    >>> uniform = (Fraction(1, 3),) * 3
    >>> cube = LearningPacking(
    ...     all_functions(3), None, Fraction(1, 4), tuple((f, uniform) for f in (0, 3, 5, 6))
    ... )
    >>> packing_bound(cube, "1/10", "ln 2").samples
    9
    """
    risk, bound = as_fraction(failure, "failure", 0, 1), Epsilon.of(epsilon)
    check_written(bound)
    if (shared := packing.shared()) is not None:
        raise CertificateError("some hypothesis is good for targets {} and {}".format(*shared))
    best: tuple[int, int] | None = None
    for center in range(len(packing.targets)) if centers is None else centers:
        samples = samples_allowed(packing.distances(center), bound, risk, MAX_SAMPLES)
        if best is None or samples > best[0]:
            best = samples, center
    if best is None:
        raise DomainError("a packing needs at least one center")
    samples, center = best
    distances = packing.distances(center)
    factor = rational_factor(
        bound, lambda above: samples_allowed(distances, above, risk) == samples
    )
    return PackingBound(packing, center, risk, bound, factor, samples)
