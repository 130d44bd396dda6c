"""Lower bounds on the number of records for private data release."""

from __future__ import annotations

from fractions import Fraction
from math import ceil, floor, inf

from ccsim.arguments.checked import checked_types
from ccsim.budget import Budget, Progress, TimeLimit
from ccsim.certificates import Certificate, Certified
from ccsim.certificates.envelope import encode_fraction, encode_integers
from ccsim.classes import ConceptClass
from ccsim.classes.given import ClassLike, as_class
from ccsim.data import frozen
from ccsim.dimensions import representative_domain
from ccsim.errors import DomainError, InstanceTooLargeError
from ccsim.exact import as_fraction
from ccsim.exact.epsilon import Epsilon
from ccsim.learning.packing import (
    MAX_SAMPLES,
    check_factor,
    check_written,
    exclusion,
    rational_factor,
    samples_allowed,
)


@frozen
class ReleaseBound(Certified):
    r"""A lower bound on the number of records for private release of a class of predicates.

    Attributes
    ----------
    concept_class : ConceptClass
        The predicates.
    points : tuple of int
        One or more points, any two of which are separated by some predicate.
    accuracy : Fraction
        Strict upper bound on the errors of all answers; above 0 and at most 1/2.
    failure : Fraction
        Allowed probability of a larger error, strictly between 0 and 1.
    epsilon : Epsilon
        Privacy parameter epsilon.
    factor : Fraction
        A number of at least ``e^epsilon``, equal to it if it is rational. The bound is proved for
        ``ln(factor)``-private mechanisms.
    records : int
        The bound: no ``epsilon``-private mechanism has this accuracy and failure on all databases
        of a smaller positive size.

    Notes
    -----
    Let ``k = ceil(2 accuracy m)`` for ``m`` records. Consider the database of ``m`` copies of the
    first point, and for every other point the database in which ``k`` of the copies are replaced by
    that point. For any two of these databases some predicate has answers that differ by ``k / m``,
    at least twice the accuracy, so no answers are accurate for both. Each database differs from the
    first in at most ``k`` records. Hence, as in `LearningPacking`, for every ``s <= k``,

        (number of points - 1) (1 - failure e^(epsilon s)) e^(epsilon (s - k)) <= failure.

    `bbkn` Theorem 7.2 is about the class of points. It has ``s = 0``, and ``k = 3 accuracy m``,
    which must be an integer.
    """

    question = "a lower bound on the number of records of private sanitizers"
    asked = ("concept_class", "accuracy", "failure", "epsilon")
    answered = ("records",)

    concept_class: ConceptClass
    points: tuple[int, ...]
    accuracy: Fraction
    failure: Fraction
    epsilon: Epsilon
    factor: Fraction
    records: int

    def databases(self, records: int) -> tuple[tuple[int, ...], ...]:
        """Return the databases used in the proof, for a given number of records."""
        first, *others = self.points
        moved = ceil(2 * self.accuracy * records)
        kept = (first,) * (records - moved)
        return ((first,) * records, *(kept + (x,) * moved for x in others))

    def certificate(self) -> Certificate:
        """Return the certificate for the kernel, for ``ln(factor)``-private mechanisms."""
        check_factor(self.factor, self.epsilon)
        last = max(self.records - 1, 0)
        replaced = ceil(2 * self.accuracy * last)
        others = {self.factor: max(len(self.points) - 1, 1)}
        exchanged, bits = exclusion(others, replaced, self.failure)
        records, last_one, times = encode_integers([self.records, last, exchanged[self.factor]])
        excluded = {
            "records": last_one,
            "points": list(self.points),
            "exchanged": times,
            "bits": bits,
        }
        return Certificate(
            "release",
            self.concept_class.to_json(),
            {
                "accuracy": encode_fraction(self.accuracy),
                "failure": encode_fraction(self.failure),
                "factor": encode_fraction(self.factor),
                "lower": records,
                "upper": None,
            },
            {"points": excluded} if last else {"trivial": {}},
            None,
        )


@checked_types
def release_lower_bound(
    concept_class: ClassLike,
    accuracy: Fraction | int | str,
    failure: Fraction | int | str,
    epsilon: Epsilon | Fraction | int | str,
    *,
    time_limit: TimeLimit = None,
    progress: Progress | None = None,
) -> ReleaseBound:
    """Return a lower bound on the number of records for every private release of a class.

    Parameters
    ----------
    concept_class : ConceptClass, total problem, INSTANCE text or matrix
        A class with at least one point.
    accuracy : Fraction, int or str
        Strict upper bound on the errors, above 0 and at most 1/2; for larger values the constant
        answer 1/2 is always accurate.
    failure : Fraction, int or str
        Allowed failure probability, strictly between 0 and 1.
    epsilon : Epsilon, int, Fraction or str
        Privacy parameter epsilon, positive.
    time_limit : float or Budget, optional
        Seconds for reading an INSTANCE text; the computation takes at most two seconds more.
    progress : callable, optional
        Called once, with the bound and infinity.

    Raises
    ------
    InstanceTooLargeError
        If the bound is above ``2^128``, or a rational number above ``e^epsilon`` is too long.

    Notes
    -----
    Complexity: one comparison of all columns.

    Source: `bbkn` Theorem 7.2 and `bns` Lemma 4.15, sharpened.

    Examples
    --------
    >>> from ccsim.classes import points
    >>> bound = release_lower_bound(points(4), "1/8", "1/10", "ln 2")
    >>> bound.records
    33
    >>> bound.check()
    """
    budget = Budget.of(time_limit, progress)
    concept_class = as_class(concept_class, budget)
    allowed, risk = as_fraction(accuracy, "accuracy", 0), as_fraction(failure, "failure", 0, 1)
    bound = Epsilon.of(epsilon)
    if not 0 < allowed <= Fraction(1, 2):
        raise DomainError(f"accuracy must be positive and at most 1/2 for a release, not {allowed}")
    if not concept_class.points:
        raise DomainError("the class must have at least one point")
    check_written(bound)
    chosen = representative_domain(concept_class).points
    apart = {Fraction(1): len(chosen) - 1}
    moved = samples_allowed(apart, bound, risk, MAX_SAMPLES)
    records = floor(Fraction(moved - 1) / (2 * allowed)) + 1 if moved else 1
    if records > MAX_SAMPLES:
        raise InstanceTooLargeError(
            f"the bound is above the limit of {MAX_SAMPLES} records; choose a larger accuracy or "
            "epsilon"
        )
    factor = rational_factor(bound, lambda above: samples_allowed(apart, above, risk) == moved)
    budget.report(records, inf)
    return ReleaseBound(concept_class, chosen, allowed, risk, bound, factor, records)


@checked_types
def sanitizer_lower_bound(
    concept_class: ClassLike,
    accuracy: Fraction | int | str,
    failure: Fraction | int | str,
    epsilon: Epsilon | Fraction | int | str,
    *,
    time_limit: TimeLimit = None,
    progress: Progress | None = None,
) -> ReleaseBound:
    """Return a lower bound on the number of records for every private sanitizer of a class.

    Sanitizers may be proper or improper. Their errors must be at most the accuracy, while
    `release_lower_bound` requires errors below it. The argument is the same with ``k = floor(2
    accuracy m) + 1`` for ``m`` records. The result has a slightly larger accuracy, for which both
    requirements give the same bound.

    Parameters
    ----------
    concept_class : ConceptClass, total problem, INSTANCE text or matrix
        A class with at least one point.
    accuracy : Fraction, int or str
        Allowed error, strictly between 0 and 1/2; for larger values the constant answer 1/2 is
        always accurate.
    failure, epsilon, time_limit, progress
        As for `release_lower_bound`, which raises the same errors.

    Notes
    -----
    Complexity: two comparisons of all columns.

    Source: `bns` Lemma 4.15: ``m >= (1 / (3 epsilon alpha)) (ln(X_C - 1) + ln((1 - beta) / beta))``
    for integer ``3 alpha m``, sharpened.

    Examples
    --------
    >>> from ccsim.classes import points
    >>> sanitizer_lower_bound(points(4), "1/8", "1/8", "1/2").records
    40
    """
    concept_class = as_class(concept_class, Budget.of(time_limit))
    allowed = as_fraction(accuracy, "accuracy", 0)
    if not 0 < allowed < Fraction(1, 2):
        raise DomainError(
            f"accuracy must be strictly between 0 and 1/2 for a sanitizer, not {allowed}"
        )
    most = release_lower_bound(concept_class, allowed, failure, epsilon).records
    # 2 alpha m is an integer, or its distance from the next one at least 1 over its denominator
    room = Fraction(1, 2 * (2 * allowed).denominator * most)
    enlarged = min(allowed + room, Fraction(1, 2))
    return release_lower_bound(concept_class, enlarged, failure, epsilon, progress=progress)
