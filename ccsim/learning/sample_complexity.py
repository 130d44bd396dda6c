"""The least number of examples of a private learner of a tiny class, with proofs of both bounds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from math import ceil, floor
from typing import Any, ClassVar, Self

from ccsim.appearance import counted
from ccsim.arguments.checked import checked_types
from ccsim.budget import Budget, Progress, TimeLimit
from ccsim.certificates import Answer, Certificate, Certificates, encode_fraction
from ccsim.classes import ConceptClass
from ccsim.classes.given import ClassLike, as_class
from ccsim.data import frozen
from ccsim.errors import DomainError, InstanceTooLargeError
from ccsim.exact import as_fraction
from ccsim.exact.bounds import check_fields
from ccsim.exact.epsilon import Epsilon
from ccsim.learning.learning_program import check_variables
from ccsim.learning.least_failure import LeastPrivateFailure, least_private_failure
from ccsim.learning.packing import check_written

_UNIT = 1000


@frozen
class PrivateSampleComplexity(Answer[int]):
    """Bounds on the least number of examples with which a class is learned privately.

    Attributes
    ----------
    concept_class : ConceptClass
    failure : Fraction
        The failure probability that is allowed.
    lower : int
        No private learner with fewer examples fails so little.
    upper : int or None
        A private learner with so many does; None if none was found within the limit.
    impossible : LeastPrivateFailure or None
        For ``lower - 1`` examples; None if ``lower`` is 0.
    possible : LeastPrivateFailure or None
        For ``upper`` examples.
    accuracy : Fraction
    epsilon : Epsilon
        If ``e^epsilon`` is irrational, ``impossible`` is for a fraction above it, and ``possible``
        for one below.
    reason : str
        Why no more examples were tried, where it was not the limit.
    delta : Fraction
        0 for pure privacy.
    """

    question = "the least number of examples of private learners"
    asked = ("concept_class", "accuracy", "failure", "epsilon", "delta")

    quantity: ClassVar[str] = "the least number of examples"

    concept_class: ConceptClass
    failure: Fraction
    lower: int
    upper: int | None
    impossible: LeastPrivateFailure | None
    possible: LeastPrivateFailure | None
    accuracy: Fraction
    epsilon: Epsilon
    reason: str = ""
    delta: Fraction = Fraction(0)

    def without_upper(self) -> Self:
        """Return the result without the learner, whose check takes longest."""
        reason = f"the learner that was found with {self.upper} has not been checked"
        return self if self.upper is None else replace(
            self, upper=None, possible=None, reason=reason
        )  # fmt: skip

    def certificate(self) -> Certificate | Certificates:
        """Return the certificate; two of them, one for each bound, if ``e^epsilon`` is irrational.

        From below it is about a fraction above ``e^epsilon``, from above about one below.
        """
        check_written(self.epsilon)
        below, above = _around(self.epsilon)
        few: dict[str, Any] = {"trivial": {}}
        enough: dict[str, Any] | None = None
        if self.impossible is not None:
            check_fields(self.impossible)
            proof = self.impossible.certificate().lower
            few = {"too_few": {"samples": self.impossible.samples, "proof": proof}}
        if self.possible is not None:
            check_fields(self.possible)
            proof = self.possible.certificate().upper
            enough = {"enough": {"samples": self.possible.samples, "proof": proof}}
        if below == above:
            return self._stated(above, self.lower, self.upper, few, enough)
        parts = [self._stated(above, self.lower, None, few, None)]
        if (self.upper, enough) != (None, None):
            parts.append(self._stated(below, None, self.upper, None, enough))
        return Certificates(tuple(parts))

    def _stated(
        self,
        factor: Fraction,
        lower: int | None,
        upper: int | None,
        *proofs: dict[str, Any] | None,
    ) -> Certificate:
        kind, instance = "private_sample_complexity", self.concept_class.to_json()
        own: dict[str, Any] = {"hypotheses": None}
        if self.delta:
            kind, own = "approximate_sample_complexity", {"delta": encode_fraction(self.delta)}
        statement = {
            **own,
            "accuracy": encode_fraction(self.accuracy),
            "failure": encode_fraction(self.failure),
            "factor": encode_fraction(factor),
            "lower": lower,
            "upper": upper,
        }
        return Certificate(kind, instance, statement, *proofs)


@checked_types
def private_sample_complexity(  # noqa: PLR0913 - what is asked, and how far
    concept_class: ClassLike,
    accuracy: Fraction | int | str,
    failure: Fraction | int | str,
    epsilon: Epsilon | Fraction | int | str,
    *,
    time_limit: TimeLimit = None,
    progress: Progress | None = None,
    trying: Callable[[int], None] | None = None,
    limit: int = 3,
    delta: Fraction | int | str = 0,
) -> PrivateSampleComplexity:
    """Bound the least number of examples of an ``(epsilon, delta)``-private learner.

    Parameters
    ----------
    concept_class : ConceptClass, total problem, INSTANCE text or matrix
        At most 3 points or so.
    accuracy, failure : Fraction, int or str
        A learner must have error at most ``accuracy`` except with probability ``failure``, on each
        concept under each distribution. Its hypotheses are arbitrary.
    epsilon : Epsilon, int, Fraction or str
        If ``e^epsilon`` is irrational, fractions within 1/1000 of it prove the bounds.
    time_limit : float or Budget, optional
        Seconds after which the search stops with the bounds that it has. With a limit, however
        large, an interrupt (Ctrl-C) stops it likewise.
    progress : callable, optional
        Called with bounds on the least failure for one number of examples after another.
    trying : callable, optional
        Called with each number of examples that is tried.
    limit : int
        Most examples that are tried.
    delta : Fraction, int or str
        From 0, for pure privacy, to 1, where any learner is private.

    Raises
    ------
    InstanceTooLargeError
        If the linear program over mechanisms is too large already for one example. If it becomes so
        later, the bounds proved by then are returned with the reason. If a fraction near
        ``e^epsilon`` is too long.

    Examples
    --------
    >>> from ccsim import points
    >>> result = private_sample_complexity(points(1), "1/4", "1/6", "ln 3")
    >>> result.lower, result.upper
    (2, 2)
    >>> pair = "some_functions:n=2,chosen=3"
    >>> pure = private_sample_complexity(pair, "1/4", "1/3", "ln 3", limit=4)
    >>> approximate = private_sample_complexity(pair, "1/4", "1/3", "ln 3", limit=4, delta="1/10")
    >>> pure.value, approximate.value
    (4, 3)
    """
    allowed = as_fraction(failure, "failure", 0, 1)
    accurate, bound = as_fraction(accuracy, "accuracy", 0, 1), Epsilon.of(epsilon)
    slack = as_fraction(delta, "delta", 0, 1)
    if limit < 1:
        raise DomainError(f"limit must be at least 1, not {limit}")
    budget = Budget.of(time_limit)
    concept_class = as_class(concept_class, budget)
    check_variables(len(concept_class.points), 1)
    check_written(bound)
    below, above = _around(bound)

    def search(samples: int, factor: Fraction) -> LeastPrivateFailure:
        return least_private_failure(
            concept_class, samples, accurate, Epsilon(Fraction(0), factor),
            time_limit=budget, progress=progress, target=allowed, delta=slack,
        )  # fmt: skip

    lower, impossible, reason = 0, None, ""
    for samples in range(limit + 1):
        if trying is not None:
            trying(samples)
        try:
            found = search(samples, above)
            if found.lower > allowed:
                lower, impossible = samples + 1, found
                continue
            found = found if above == below else search(samples, below)
        except InstanceTooLargeError as error:
            reason = str(error)
            break
        if found.upper <= allowed:
            return PrivateSampleComplexity(
                concept_class, allowed, lower, samples, impossible, found, accurate, bound,
                delta=slack,
            )  # fmt: skip
        if budget.expired:
            reason = f"the time limit was over with {counted(samples, 'example', 'examples')}"
            break
    return PrivateSampleComplexity(
        concept_class, allowed, lower, None, impossible, None, accurate, bound, reason, slack
    )


def _around(epsilon: Epsilon) -> tuple[Fraction, Fraction]:
    """Return ``e^epsilon``, or fractions below and above it."""
    factor = epsilon.exp()
    if isinstance(factor, Fraction):
        return factor, factor
    ends = factor.enclose()
    return Fraction(floor(ends.lower * _UNIT), _UNIT), Fraction(ceil(ends.upper * _UNIT), _UNIT)
