"""Release of the best solution, or of the most frequent vote, if it has a large lead.

`StableChoice` is A_dist of Smith and Thakurta, as restated in `bns` section 2.5.3. The noise and
threshold printed there are too small, because the lead of the best solution over the second can
change by 2 between neighbours (erratum 1); the default variant is corrected. `StableMode` is the
release step of the learner of lines (`fx` Lemma 16 (=6.2), after Dwork and Lei's
propose-test-release).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Sequence
from fractions import Fraction
from math import ceil
from typing import Annotated, Any, Self

from ccsim.arguments.parameters import Parameter
from ccsim.data import validated
from ccsim.errors import DomainError
from ccsim.exact import as_fraction
from ccsim.exact.distribution import Distribution
from ccsim.exact.epsilon import Arithmetic, Epsilon, Value, arithmetic
from ccsim.privacy.constructions import CanonicalMechanism, OverDomain, Rows, Setting
from ccsim.privacy.mechanisms.noisy_answers import laplace_tail

VARIANTS = ("corrected", "corrected-small", "optimal", "printed")
"""Rules for noise and threshold; see `release_probability`."""

PRECISION = 200
"""Precision in bits for enclosing the delta of the printed rule."""
MAX_LEAD = 1 << 20
"""Largest lead in the recursion of the optimal rule."""


def release_probability(
    lead: Fraction | int,
    delta: Fraction,
    powers: Arithmetic,
    variant: str = "corrected",
) -> Value:
    """Return the probability that the best solution is released, in the arithmetic ``powers``.

    ``lead`` is the lead of the best score over the second; delta is below 1/2 for corrected
    variants.

    Method: ``printed``: Laplace noise ``1 / epsilon``, threshold ``ln(1/delta) / epsilon``; it is
    not ``(epsilon, delta)``-private. ``corrected``: noise ``2 / epsilon``, threshold
    ``2 + (2 / epsilon) ln(1/(2 delta))``. ``corrected-small``: noise ``2 / epsilon``, threshold
    ``(2 / epsilon) ln(1/delta)``, private for ``epsilon <= ln 2``. ``optimal``: ``p_n`` for
    ``n = ceil(lead / 2)``, where ``p_0 = 0`` and ``p_(n+1)`` is the least of 1,
    ``e^epsilon p_n + delta`` and ``1 - e^(-epsilon) (1 - p_n - delta)``; no private mechanism on
    counts that outputs the best solution or nothing, and nothing in case of ties, has a larger
    release probability (`release_bound`).
    """
    ahead = as_fraction(lead, "lead", 0)
    check_stable(delta, powers.epsilon, variant)
    if variant == "optimal":
        return _optimal(ahead, delta, powers)
    if variant == "printed":
        ratio = powers.exp(ahead) * powers.number(delta)
    elif variant == "corrected":
        ratio = powers.exp((ahead - 2) / 2) * powers.number(2 * delta)
    else:
        ratio = powers.exp(ahead / 2) * powers.number(delta)
    return powers.laplace_tail(ratio)


def check_stable(delta: Fraction, epsilon: Epsilon, variant: str) -> None:
    """Refuse invalid parameters of a variant."""
    if variant not in VARIANTS:
        raise DomainError(f"variant must be one of {', '.join(VARIANTS)}, not {variant!r}")
    if not epsilon.is_positive:
        raise DomainError(f"epsilon must be positive, not {epsilon}")
    if variant.startswith("corrected") and not 0 < delta < Fraction(1, 2):
        raise DomainError(f"delta must be positive and below 1/2 for {variant}, not {delta}")
    if not 0 < delta <= 1:
        raise DomainError(f"delta must be positive and at most 1 for {variant}, not {delta}")
    if variant == "corrected-small" and epsilon.exp() > 2:
        raise DomainError(f"epsilon must be at most ln 2 for corrected-small, not {epsilon}")


def choice_privacy(epsilon: Epsilon, delta: Fraction, variant: str) -> tuple[Epsilon, Fraction]:
    """Return epsilon and delta for which A_dist is private (`bns` Proposition 2.26, erratum 1).

    They are the parameters of A_dist, except for the printed rule, which is
    ``(2 epsilon, e^(2 epsilon) delta / 2)``-private (with ``1 - e^(-2 epsilon) / (2 delta)`` if
    that delta is above 1/2). The result is rounded up to a multiple of a thousandth of the given
    delta.
    """
    check_stable(delta, epsilon, variant)
    if variant != "printed":
        return epsilon, delta
    powers, unit = arithmetic(epsilon, PRECISION), delta / 1000
    with powers.working():
        needed = powers.laplace_tail(powers.exp(2) * powers.number(delta))
        most = powers.result(needed / powers.number(unit)).upper  # type: ignore[union-attr]
    return epsilon * 2, ceil(most) * unit


def require_scores(scores: Sequence[object], solutions: Sequence[object]) -> None:
    """Check that there is one quality for each solution."""
    if len(scores) != len(solutions):
        raise DomainError(
            f"there must be {len(solutions)} qualities, one for each solution, not {len(scores)}"
        )


def optimal_releases(delta: Fraction, powers: Arithmetic) -> Iterator[Value]:
    """Yield the probabilities ``p_0, p_1, ...`` of the optimal rule; see `release_probability`."""
    up, down, allowed, one = (
        powers.exp(1),
        powers.exp(-1),
        powers.number(delta),
        powers.number(1),
    )
    found = powers.number(0)
    while True:
        yield found
        if found != one:
            found = powers.least(up * found + allowed, one - down * (one - found - allowed), one)


def _optimal(lead: Fraction, delta: Fraction, powers: Arithmetic) -> Value:
    steps = -(-lead // 2)
    if steps > MAX_LEAD:
        raise DomainError(f"lead must be at most {2 * MAX_LEAD} for the optimal rule, not {lead}")
    one = powers.number(1)
    for number, found in enumerate(optimal_releases(delta, powers)):
        if number == steps or found == one:
            break
    return found


def best_and_lead(scores: Sequence[Fraction | int]) -> tuple[int, Fraction]:
    """Return the index of the first best score, and its lead over the second best."""
    best = max(range(len(scores)), key=lambda i: (scores[i], -i))
    second = max(score for i, score in enumerate(scores) if i != best)
    return best, Fraction(scores[best] - second)


def records_inside(database: Sequence[int], concept: int) -> int:
    """Return the number of records (points) to which a concept gives label 1."""
    return sum(concept >> x & 1 for x in database)


@validated
class StableChoice(OverDomain[Hashable]):
    """A_dist: output the best solution if its lead plus noise is above a threshold, otherwise None.

    The lead of the best solution is the difference between its quality and the second-best quality.
    The default variant is ``(epsilon, delta)``-private if no quality changes by more than 1 between
    neighbours (`bns` Proposition 2.26, corrected). If qualities are counts, this ``delta`` is
    optimal. If there is only one solution, it is always output; if there is none, the output is
    None. Ties are broken in favour of the first solution.

    Attributes
    ----------
    domain : tuple
        The values of a record.
    solutions : tuple
        Distinct solutions other than None.
    quality : callable
        Function that maps a database, in the order of the domain, and a solution to an integer or
        fraction.
    epsilon : Epsilon
    delta : Fraction

    Examples
    --------
    >>> count = lambda database, solution: database.count(solution)
    >>> choice = StableChoice("ab", "ab", count, Epsilon.of("ln 4"), Fraction(1, 8))
    >>> choice.distribution(["a", "a", "a"])["a"], choice.distribution(["a", "b", "b"])["b"]
    (Fraction(1, 4), Fraction(1, 16))
    """

    domain: Sequence[Hashable] | str
    solutions: Sequence[Hashable] | str
    quality: Callable[[tuple[Any, ...], Any], Fraction | int]
    epsilon: Epsilon
    delta: Fraction
    variant: Annotated[str, Parameter("Rule for noise and threshold", choices=VARIANTS)] = (
        "corrected"
    )

    entries = "points"

    def __post_init__(self) -> None:
        if len({*self.solutions, None}) <= len(self.solutions):
            raise DomainError("solutions must be distinct and must not include None")
        check_stable(self.delta, self.epsilon, self.variant)

    @classmethod
    def on_class(
        cls, num_points: int, concepts: Rows, epsilon: Epsilon, delta: Fraction, **given: Setting
    ) -> Self:
        """Return the mechanism that selects a concept that contains many of the points."""
        return cls(tuple(range(num_points)), concepts, records_inside, epsilon, delta, **given)

    def distribution_of(self, database: tuple[Hashable, ...]) -> Distribution[Hashable]:
        """Return the distribution of the chosen solution."""
        return self.distribution_of_scores([self.quality(database, s) for s in self.solutions])

    def distribution_of_scores(
        self, qualities: Sequence[Fraction | int], size: int | None = None
    ) -> Distribution[Hashable]:
        """Return the distribution of the chosen solution, given the quality of each solution.

        The distribution does not depend on the number of records.
        """
        scores = [as_fraction(quality, "quality") for quality in qualities]
        require_scores(scores, self.solutions)
        if len(scores) < 2:
            return Distribution.certain(self.solutions[0] if scores else None)
        best, lead = best_and_lead(scores)
        powers = arithmetic(self.epsilon)
        released = release_probability(lead, self.delta, powers, self.variant)
        return Distribution.of({self.solutions[best]: released, None: 1 - released})


def votes_to_change(votes: Sequence[Hashable], candidates: Sequence[Hashable]) -> tuple[int, int]:
    """Return the most frequent candidate, and the number of votes that must change to replace it.

    A rival listed before the mode replaces it in case of a tie, a rival listed after it only with a
    larger number of votes. Changing a vote for the mode into a vote for the rival gains two.
    """
    count = Counter(votes)
    mode = max(range(len(candidates)), key=lambda i: (count[candidates[i]], -i))
    lead = [count[candidates[mode]] - count[c] for c in candidates]
    distance = min(
        (lead[i] + 1) // 2 if i < mode else lead[i] // 2 + 1
        for i in range(len(candidates))
        if i != mode
    )
    return mode, max(distance, 1)


@validated
class StableMode(CanonicalMechanism[Hashable, Hashable]):
    """Output the most frequent vote (the mode) if it is stable, otherwise a default.

    Let ``c`` be the least number of changed votes that change the mode. The mode is released if
    ``c`` plus Laplace noise of scale ``1 / epsilon`` exceeds
    ``ln(1/(2 delta)) / epsilon + margin``. With margin 1 the mechanism is
    ``(epsilon, delta)``-private, and this ``delta`` is optimal.

    Attributes
    ----------
    candidates : tuple
        Two or more distinct values of a vote, in the order of tie-breaking.
    default : candidate
        The output if the mode is not released.
    epsilon : Epsilon
    delta : Fraction
        Privacy parameter delta, above 0 and at most 1/2.

    Examples
    --------
    >>> release = StableMode(("0", "a", "b"), "0", Epsilon.of("ln 2"), Fraction(1, 8))
    >>> release.distribution(["a", "a", "b"])["a"]
    Fraction(1, 8)
    """

    candidates: tuple[Hashable, ...]
    default: Hashable
    epsilon: Epsilon
    delta: Fraction
    margin: Annotated[Fraction, Parameter("Votes added to the threshold; 1 in the paper")] = (
        Fraction(1)
    )
    scale: Annotated[
        Fraction, Parameter("Scale of the noise in units of 1/epsilon; 1 in the paper", above=0)
    ] = Fraction(1)

    symmetric = True
    entries = "hypotheses"

    def __post_init__(self) -> None:
        distinct = set(self.candidates)
        if len(distinct) != max(len(self.candidates), 2) or self.default not in distinct:
            raise DomainError(
                "candidates must be two or more distinct values that include the default "
                f"{self.default!r}"
            )
        if not 0 < self.delta <= Fraction(1, 2):
            raise DomainError(f"delta must be positive and at most 1/2, not {self.delta}")

    @classmethod
    def on_class(
        cls, num_points: int, concepts: Rows, epsilon: Epsilon, delta: Fraction, **given: Setting
    ) -> Self:
        """Return the mechanism whose votes are the empty set, single points and concepts."""
        votes = tuple(dict.fromkeys((0, *(1 << x for x in range(num_points)), *concepts)))
        return cls(votes, 0, epsilon, delta, **given)

    @property
    def records(self) -> tuple[Hashable, ...]:
        """The candidates."""
        return self.candidates

    def stability(self, database: Sequence[Hashable]) -> tuple[int, int, Epsilon]:
        """Return the index of the mode, ``c``, and ``epsilon`` times the threshold."""
        mode, distance = votes_to_change(database, self.candidates)
        least = Epsilon(Fraction(0), 1 / (2 * self.delta))
        return mode, distance, least + self.epsilon * self.margin

    def distribution_of(self, database: tuple[Hashable, ...]) -> Distribution[Hashable]:
        """Return the distribution of the released candidate."""
        mode, distance, threshold = self.stability(database)
        gap = threshold + self.epsilon * -distance
        released = laplace_tail(gap, self.scale)
        distribution = Distribution.of({True: released, False: 1 - released})
        return distribution.map(lambda stable: self.candidates[mode] if stable else self.default)
