"""The least number of examples of a private learner of a tiny class, with proofs of both bounds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor
from typing import ClassVar

from ccsim.border import checked_types
from ccsim.budget import Budget, Progress, TimeLimit
from ccsim.classes import ConceptClass
from ccsim.classes.given import ClassLike, as_class
from ccsim.errors import CertificateError, DomainError, InstanceTooLargeError, NotDecidedError
from ccsim.exact import as_fraction
from ccsim.exact.bounds import Bounds, check_fields
from ccsim.exact.epsilon import Epsilon
from ccsim.learning.optimum.bounds import LeastPrivateFailure
from ccsim.learning.optimum.program import check_variables
from ccsim.learning.optimum.search import least_private_failure
from ccsim.learning.packing.factors import check_written

__all__ = ["PrivateSampleComplexity", "private_sample_complexity"]


_UNIT = 1000


@dataclass(frozen=True, slots=True)
class PrivateSampleComplexity(Bounds[int]):
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
        For ``lower - 1`` examples; None if ``lower`` is 1.
    possible : LeastPrivateFailure or None
        For ``upper`` examples.
    accuracy : Fraction
    epsilon : Epsilon
        If ``e^epsilon`` is irrational, ``impossible`` is for a fraction above it, and ``possible``
        for one below.
    reason : str
        Why no more examples were tried, where it was not the limit.
    """

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

    def check(self, time_limit: TimeLimit = None) -> None:
        """Check both bounds.

        Parameters
        ----------
        time_limit : float or Budget, optional

        Raises
        ------
        CertificateError
        OutOfTimeError
            If it takes longer.
        """
        budget = Budget.of(time_limit)
        check_fields(self)
        if not 0 <= self.failure <= 1 or not 0 <= self.accuracy <= 1:
            raise CertificateError(
                f"accuracy and failure lie in [0, 1], not {self.accuracy} and {self.failure}"
            )
        self.check_order(1)
        self._check_impossible(budget)
        self._check_possible(budget)

    def _check_impossible(self, budget: Budget) -> None:
        if self.lower > 1:
            if self.impossible is None or self.impossible.samples != self.lower - 1:
                raise CertificateError(f"nothing shows that {self.lower - 1} examples are too few")
            self._check_concerns(self.impossible)
            if self.impossible.epsilon.exp() < self.epsilon.exp():
                raise CertificateError(
                    f"the lower bound is for {self.impossible.epsilon}, below {self.epsilon}"
                )
            self.impossible.check(budget)
            if self.impossible.lower <= self.failure:
                raise CertificateError(
                    f"{self.lower - 1} examples may fail {self.impossible.lower} only"
                )

    def _check_possible(self, budget: Budget) -> None:
        if self.upper is not None:
            if self.possible is None or self.possible.samples != self.upper:
                raise CertificateError(f"nothing shows that {self.upper} examples are enough")
            self._check_concerns(self.possible)
            if self.possible.epsilon.exp() > self.epsilon.exp():
                raise CertificateError(
                    f"the learner is private for {self.possible.epsilon}, above {self.epsilon}"
                )
            self.possible.check(budget)
            if self.possible.upper > self.failure:
                raise CertificateError(f"{self.upper} examples may fail {self.possible.upper}")

    def _check_concerns(self, bounds: LeastPrivateFailure) -> None:
        if (bounds.concept_class, bounds.accuracy) != (self.concept_class, self.accuracy):
            raise CertificateError(
                f"the bounds for {bounds.samples} examples are of another class or accuracy"
            )


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
) -> PrivateSampleComplexity:
    """Bound the least number of examples of an ``epsilon``-private learner.

    Parameters
    ----------
    concept_class : ConceptClass
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
    """
    allowed = as_fraction(failure, "failure", 0, 1)
    accurate, bound = as_fraction(accuracy, "accuracy", 0, 1), Epsilon.of(epsilon)
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
            time_limit=budget, progress=progress, target=allowed,
        )  # fmt: skip

    lower, impossible, reason = 1, None, ""
    for samples in range(1, limit + 1):
        if trying is not None:
            trying(samples)
        try:
            found = search(samples, above)
            if found.lower > allowed:
                lower, impossible = samples + 1, found
                continue
            found = found if above == below else search(samples, below)
        except (InstanceTooLargeError, NotDecidedError) as error:  # in size, or in time
            reason = str(error)
            break
        if found.upper <= allowed:
            return PrivateSampleComplexity(
                concept_class, allowed, lower, samples, impossible, found, accurate, bound
            )
    return PrivateSampleComplexity(
        concept_class, allowed, lower, None, impossible, None, accurate, bound, reason
    )


def _around(epsilon: Epsilon) -> tuple[Fraction, Fraction]:
    """Return ``e^epsilon``, or fractions below and above it."""
    factor = epsilon.exp()
    if isinstance(factor, Fraction):
        return factor, factor
    ends = factor.enclose()
    return Fraction(floor(ends.lower * _UNIT), _UNIT), Fraction(ceil(ends.upper * _UNIT), _UNIT)
