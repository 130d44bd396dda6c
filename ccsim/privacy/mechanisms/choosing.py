"""The choosing mechanism: select one of many solutions if the best quality is large.

`bns` section 4.1. If a quality function has bounded growth, an additional record changes the
quality of few solutions. Therefore the exponential mechanism over the solutions of quality at least
1 is private if the best quality is large enough, which is checked by a noisy comparison with a
threshold.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from fractions import Fraction
from math import ceil
from typing import Annotated, Any, Self, cast

from ccsim.arguments.parameters import Parameter
from ccsim.data import validated
from ccsim.errors import DomainError
from ccsim.exact import Distribution, Epsilon, as_fraction
from ccsim.exact.epsilon import arithmetic
from ccsim.exact.exponentials import Real, enclose_log
from ccsim.privacy.constructions import OverDomain, Rows, Setting
from ccsim.privacy.mechanisms.stable_choice import records_inside, require_scores

THRESHOLDS = ("fixed", "paper")


def choosing_sample_size(
    accuracy: Fraction,
    failure: Fraction,
    epsilon: Epsilon,
    delta: Fraction,
    growth: int = 1,
) -> int:
    """Return the number of records from which the paper's threshold is private.

    ``ceil(16 / (accuracy epsilon) ln(16 growth / (accuracy failure epsilon delta)))`` (`bns` Lemma
    4.4), rounded up from a rigorous enclosure.
    """
    privacy = epsilon.enclose()
    inside = 16 * growth / (accuracy * failure * privacy.lower * delta)
    return ceil(16 / (accuracy * privacy.lower) * enclose_log(inside).upper)


def _growth(num_points: int, concepts: Sequence[int]) -> int:
    """Return the maximum number of concepts that contain a common point."""
    return max((sum(row >> x & 1 for row in concepts) for x in range(num_points)), default=0)


@validated
class ChoosingMechanism(OverDomain[Hashable]):
    """Output a solution of high quality, or None if all noisy qualities are too small.

    The best quality plus noise of scale ``4 / epsilon`` is compared with a threshold. If it is at
    or above the threshold, a solution of quality ``q``, at least 1, is output with probability
    proportional to ``e^(epsilon q / 4)``. If no quality is at least 1, the output is None. The
    growth bound is not verified.

    With the fixed threshold ``1 + (4 / epsilon) ln(1 / (2 released))``, where ``released`` is
    ``delta / growth`` by default, the mechanism is ``(epsilon, delta)``-private for databases of
    any size (own result;
    `proofs_check.claims.beimel_nissim_stemmer.constructions.choosing_threshold` contains the proof
    and the least threshold). The threshold of the paper is ``accuracy / 2`` times the number of
    records; with it, the mechanism is private for `choosing_sample_size` or more records.

    Attributes
    ----------
    domain, solutions : tuple
        Possible records, and possible outputs, which must not include None.
    quality : callable
        Function that maps a database, in the order of the domain, and a solution to a non-negative
        integer. Fractions are invalid, because a solution whose quality decreases from 19/10 to
        9/10 would violate privacy.
    epsilon : Epsilon
    delta : Fraction
        Privacy parameter delta, above 0 and at most 1/2.

    Examples
    --------
    >>> count = lambda database, solution: database.count(solution)
    >>> choose = ChoosingMechanism("ab", "ab", count, Epsilon.of("ln 16"), Fraction(1, 8))
    >>> choose.distribution(("a",)).items
    ((None, Fraction(7, 8)), ('a', Fraction(1, 8)))
    """

    domain: Sequence[Hashable] | str
    solutions: Sequence[Hashable] | str
    quality: Callable[[tuple[Any, ...], Any], int]
    epsilon: Epsilon
    delta: Fraction
    growth: Annotated[
        int, Parameter("Maximum number of qualities increased by one record", least=1)
    ] = 1
    threshold: Annotated[str, Parameter("Rule for the threshold", choices=THRESHOLDS)] = "fixed"
    accuracy: Annotated[
        Fraction, Parameter("Accuracy of the paper's threshold", above=0, most=1)
    ] = Fraction(1)
    failure: Annotated[
        Fraction, Parameter("Failure probability of the paper's threshold", above=0, most=1)
    ] = Fraction(1, 2)
    any_size: Annotated[bool, Parameter("Allow fewer records than the paper requires")] = False
    released: Annotated[
        Fraction | None,
        Parameter(
            "Release probability if the best quality is 1 (default delta / growth)",
            above=0,
            most="1/2",
        ),
    ] = None

    entries = "points"

    def __post_init__(self) -> None:
        if len({*self.solutions, None}) <= len(self.solutions):
            raise DomainError("solutions must be distinct and must not include None")
        if not 0 < self.delta <= Fraction(1, 2):
            raise DomainError(f"delta must be positive and at most 1/2, not {self.delta}")
        if not self.epsilon.is_positive:
            raise DomainError(f"epsilon must be positive, not {self.epsilon}")

    @classmethod
    def on_class(
        cls, num_points: int, concepts: Rows, epsilon: Epsilon, delta: Fraction, **given: Setting
    ) -> Self:
        """Return the mechanism that selects a concept that contains many of the points."""
        given.setdefault("growth", max(1, _growth(num_points, concepts)))
        return cls(tuple(range(num_points)), concepts, records_inside, epsilon, delta, **given)

    def neighbours(self, size: int) -> int:
        """Return the size; raise `DomainError` if the class needs a larger growth bound."""
        if self.quality is records_inside:
            own = _growth(len(self.domain), cast("Sequence[int]", self.solutions))
            if self.growth < own:
                raise DomainError(
                    f"growth must be at least {own}, the number of concepts that contain a common "
                    f"point, not {self.growth}"
                )
        return size

    def release_probability(self, best: Fraction, size: int) -> Real:
        """Return the probability that a solution is output, given the best quality."""
        if self.threshold == "fixed":
            # e^(-(threshold - best) epsilon / 4)
            first = self.delta / self.growth if self.released is None else self.released
            ratio = self.epsilon.exp((best - 1) / 4) * (2 * first)
            return arithmetic(self.epsilon).laplace_tail(ratio)  # type: ignore[no-any-return]
        needed = choosing_sample_size(
            self.accuracy, self.failure, self.epsilon, self.delta, self.growth
        )
        if size < needed and not self.any_size:
            raise DomainError(
                f"database must have at least {needed} records for the paper's threshold, not "
                f"{size}"
            )
        ratio = self.epsilon.exp((best - self.accuracy * size / 2) / 4)
        return arithmetic(self.epsilon).laplace_tail(ratio)  # type: ignore[no-any-return]

    def distribution_of(self, database: tuple[Hashable, ...]) -> Distribution[Hashable]:
        """Return the distribution of the chosen solution."""
        qualities = [self.quality(database, solution) for solution in self.solutions]
        return self.distribution_of_scores(qualities, len(database))

    def distribution_of_scores(
        self, qualities: Sequence[Fraction | int], size: int | None = None
    ) -> Distribution[Hashable]:
        """Return the output distribution, given the quality of each solution.

        The number of records, ``size``, determines the threshold of the paper; the fixed threshold
        does not depend on it.
        """
        require_scores(qualities, self.solutions)
        if size is None and self.threshold == "paper":
            raise DomainError(
                "the threshold of the paper depends on the number of records; set it with --samples"
            )
        read = (as_fraction(quality, "quality", 0) for quality in qualities)
        scores = dict(zip(self.solutions, read, strict=True))
        for solution, score in scores.items():
            if score.denominator != 1:
                raise DomainError(f"quality of {solution!r} must be an integer, not {score}")
        best = max(scores.values(), default=Fraction(0))
        released = self.release_probability(best, size or 0)
        good = {s: score for s, score in scores.items() if score >= 1}
        if not good:
            return Distribution.certain(None)
        weights = {s: self.epsilon.exp((score - best) / 4) for s, score in good.items()}
        total = sum(weights.values(), Fraction(0))
        chosen = {s: released * weight / total for s, weight in weights.items()}
        return Distribution.of({None: 1 - released, **chosen})
