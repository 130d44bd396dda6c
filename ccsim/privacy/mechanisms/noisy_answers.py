"""Integer queries with geometric noise, and noisy comparisons of queries with thresholds.

Two-sided geometric noise takes the value ``z`` with probability ``(1 - r) / (1 + r) r^|z|`` for ``r
= e^(-epsilon / s)``. A Laplace variable of scale ``s / epsilon`` has density ``epsilon / (2 s)
e^(-epsilon |z| / s)``; only its tail probabilities are needed, and they are exponentials.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from fractions import Fraction
from itertools import pairwise, product
from math import ceil, floor
from typing import Annotated, Any, Self

from ccsim.arguments.checked import checked_types
from ccsim.arguments.parameters import Parameter
from ccsim.arguments.values import show_value
from ccsim.budget import in_time
from ccsim.data import validated
from ccsim.errors import DomainError, NotDecidedError
from ccsim.exact import as_fraction
from ccsim.exact.distribution import Distribution
from ccsim.exact.epsilon import BallArithmetic, Epsilon
from ccsim.exact.exponentials import Real
from ccsim.exact.intervals import ball_interval
from ccsim.exact.probability import SYSTEM, Randomness, uniform_below
from ccsim.privacy.constructions import OverDomain, Rows, Setting

_BITS = 128
"""Maximum number of random bits of a comparison with the ratio of the noise."""


def geometric_tail(ratio: Real, least: int) -> Real:
    """Return ``Pr[Z >= least]`` for two-sided geometric noise ``Z``."""
    if least > 0:
        return ratio**least / (1 + ratio)
    return 1 - ratio ** (1 - least) / (1 + ratio)


def truncated_geometric_distribution(
    value: int, ratio: Real, low: int, high: int
) -> Distribution[int]:
    """Return the distribution of a value plus two-sided geometric noise, clamped to an interval."""
    inner: list[Real] = [geometric_tail(ratio, x - value) for x in range(low + 1, high + 1)]
    tails = [Fraction(1), *inner, Fraction(0)]
    return Distribution.of(
        {low + i: first - second for i, (first, second) in enumerate(pairwise(tails))}
    )


class GeometricNoise:
    """A source of two-sided geometric noise with ratio ``e^-epsilon``, for a positive epsilon."""

    def __init__(self, epsilon: Epsilon) -> None:
        balls = BallArithmetic(epsilon, 2 * _BITS)
        with balls.working():
            ends = ball_interval(balls.exp(Fraction(-1)))
        self._ends = floor(ends.lower * 2**_BITS), ceil(ends.upper * 2**_BITS)

    def draw(self, rng: Randomness = SYSTEM) -> int:
        """Draw a number with exactly this distribution, as a difference of two one-sided numbers.

        Complexity: ``O(1 + 1 / epsilon)`` random numbers.
        """
        return self._successes(rng) - self._successes(rng)

    def _successes(self, rng: Randomness) -> int:
        """Return the number of successes before the first failure, with exact probabilities."""
        count = 0
        while True:
            number = uniform_below(1 << _BITS, rng)
            if number >= self._ends[1]:
                return count
            if number >= self._ends[0]:
                raise NotDecidedError(f"a random draw is undecided after {_BITS} random bits")
            count += 1


@validated
class TruncatedGeometric(OverDomain[int]):
    """An integer query plus geometric noise, clamped to a range of answers.

    The mechanism is ``epsilon``-private if the query changes by at most the sensitivity between
    neighbours.

    Attributes
    ----------
    domain : tuple
        The values of a record.
    query : callable
        Function that maps a database, in the order of the domain, to an integer.
    epsilon : Epsilon
        Privacy parameter epsilon; if it is a logarithm, ``e^(epsilon / sensitivity)`` must be
        rational.
    low, high : int
        The smallest and the largest answer.
    sensitivity : int

    Examples
    --------
    >>> count = TruncatedGeometric((0, 1), sum, Epsilon.of("ln 2"), 0, 2)
    >>> [str(count.distribution((1, 1))[answer]) for answer in range(3)]
    ['1/6', '1/6', '2/3']
    """

    domain: Sequence[Hashable] | str
    query: Callable[[tuple[Any, ...]], int]
    epsilon: Epsilon
    low: int
    high: int
    sensitivity: int = 1

    def __post_init__(self) -> None:
        if self.low > self.high or self.sensitivity < 1:
            raise DomainError(
                f"low must be at most high, and sensitivity at least 1, not {self.low} and "
                f"{self.high}, and {self.sensitivity}"
            )

    def distribution_of(self, database: tuple[Hashable, ...]) -> Distribution[int]:
        """Return the distribution of the answer."""
        value = _whole(self.query(database), "query")
        ratio = self.epsilon.exp(Fraction(-1, self.sensitivity))
        return truncated_geometric_distribution(value, ratio, self.low, self.high)


@validated
class NoisyArgmax(OverDomain[Hashable]):
    """Choose the outcome with the largest noisy score; ties go to the first.

    Independent geometric noise with ``r = e^(-epsilon / (2 s))`` is added to each integer score.
    Only the outcome is published. The mechanism is ``epsilon``-private if no score changes by more
    than the sensitivity ``s`` between neighbours.

    Attributes
    ----------
    domain, outcomes : tuple
        The values of a record, and one or more distinct outcomes.
    score : callable
        Function that maps a database, in the order of the domain, and an outcome to an integer.
    epsilon : Epsilon
        Privacy parameter epsilon; if it is a logarithm, ``e^(epsilon / (2 s))`` must be rational.

    Examples
    --------
    >>> vote = NoisyArgmax("ab", "ab", lambda votes, o: votes.count(o), Epsilon.of("ln 4"))
    >>> vote.distribution(("a",))["a"]
    Fraction(20, 27)
    """

    domain: Sequence[Hashable] | str
    outcomes: Sequence[Hashable] | str
    score: Callable[[tuple[Any, ...], Any], int]
    epsilon: Epsilon
    sensitivity: Annotated[
        int,
        Parameter("Sensitivity assumed for the noise (true value: 1)", least=1, called="scale"),
    ] = 1

    @classmethod
    def on_class(
        cls, num_points: int, concepts: Rows, epsilon: Epsilon, delta: Fraction, **given: Setting
    ) -> Self:
        """Return the mechanism that chooses a concept by its number of correct labels."""

        def correct(sample: tuple[Any, ...], concept: int) -> int:
            return sum((concept >> x & 1) == label for x, label in sample)

        examples = tuple(product(range(num_points), (0, 1)))
        return cls(examples, concepts, correct, epsilon, **given)

    def __post_init__(self) -> None:
        if not self.outcomes or len(set(self.outcomes)) < len(self.outcomes):
            raise DomainError("outcomes must be one or more distinct values")

    def distribution_of(self, database: tuple[Hashable, ...]) -> Distribution[Hashable]:
        """Return the distribution of the outcome.

        Notes
        -----
        Above the largest and below the smallest score, the probability that an outcome wins with
        noisy score ``z`` is a sum of geometric sequences in ``z``, so the infinite sums have closed
        forms. Complexity: ``len(outcomes)**2`` times the spread of the scores, plus
        ``2**len(outcomes)``.
        """
        scores = [_whole(self.score(database, o), "score") for o in self.outcomes]
        ratio = self.epsilon.exp(Fraction(-1, 2 * self.sensitivity))
        low, high = min(scores), max(scores)
        chances = []
        for i in range(len(scores)):
            total = _below(scores, i, low, ratio) + _above(scores, i, high, ratio)
            for z in range(low, high + 1):
                total = total + _wins(scores, i, z, ratio)
            chances.append(total)
        return Distribution.of(dict(zip(self.outcomes, chances, strict=True)))


def _whole(value: object, name: str) -> int:
    """Return the answer of a query after a check that it is an integer."""
    if not isinstance(value, int) or isinstance(value, bool):
        raise DomainError(f"{name} must be an integer, not {show_value(value)}")
    return value


def _mass(ratio: Real, z: int) -> Real:
    return (1 - ratio) / (1 + ratio) * ratio ** abs(z)


def _beaten(i: int, j: int, z: int) -> int:
    """Return the least noisy score with which outcome ``j`` beats outcome ``i`` of score ``z``."""
    return z if j < i else z + 1


def _wins(scores: Sequence[int], i: int, z: int, ratio: Real) -> Real:
    """Return the probability that outcome ``i`` wins with noisy score ``z``."""
    chance = _mass(ratio, z - scores[i])
    for j, score in enumerate(scores):
        if j != i:
            chance = chance * (1 - geometric_tail(ratio, _beaten(i, j, z) - score))
    return chance


def _above(scores: Sequence[int], i: int, high: int, ratio: Real) -> Real:
    """Return the probability that outcome ``i`` wins with a noisy score above all scores.

    For ``z > high`` every factor is ``1 - c_j r^z``; the product is expanded in powers of ``r^z``.
    """
    expansion: list[Real] = [Fraction(1)]
    for j, score in enumerate(scores):
        if j != i:
            c = ratio ** (_beaten(i, j, 0) - score) / (1 + ratio)
            longer: list[Real] = [*expansion, Fraction(0)]
            for k, term in enumerate(expansion):
                longer[k + 1] = longer[k + 1] - c * term
            expansion = longer
    total: Real = Fraction(0)
    for k, term in enumerate(expansion):  # sum over z > high of term r^(k z) mass
        step = ratio ** (k + 1)
        total = total + term * step ** (high + 1) / (1 - step)
    return total * (1 - ratio) / (1 + ratio) * ratio ** -scores[i]


def _below(scores: Sequence[int], i: int, low: int, ratio: Real) -> Real:
    """Return the probability that outcome ``i`` wins with a noisy score below all scores.

    For ``z < low`` every factor is ``c_j r^-z``.
    """
    constant: Real = (1 - ratio) / (1 + ratio) * ratio ** scores[i]
    for j, score in enumerate(scores):
        if j != i:
            constant = constant * ratio ** (score - _beaten(i, j, 0) + 1) / (1 + ratio)
    step = ratio ** len(scores)  # sum over z < low of r^(-z len(scores))
    return constant * step ** (1 - low) / (1 - step)


@checked_types
def laplace_tail(exponent: Epsilon | Fraction | int | str, scale: Fraction | int | str = 1) -> Real:
    """Return the probability that Laplace noise of the given scale exceeds ``exponent``.

    Parameters
    ----------
    exponent : Epsilon
        The number that the noise must exceed; it may be negative.
    scale : Fraction or int
        The scale of the noise, positive.

    Raises
    ------
    DomainError
        If the scale is not positive.

    Examples
    --------
    >>> laplace_tail("ln 3"), laplace_tail(0)
    (Fraction(1, 6), Fraction(1, 2))
    >>> laplace_tail(-1)
    ((-1/2 + e)/(e))
    """
    exponent = Epsilon.of_any_sign(exponent, "exponent")
    scale = as_fraction(scale, "scale")
    if scale <= 0:
        raise DomainError(f"scale must be positive, not {scale}")
    times = 1 / scale
    above = exponent.exp(-times)  # e^(-t / (b scale))
    if above <= 1:
        return above / 2
    return 1 - exponent.exp(times) / 2


@validated
class NoisyThreshold(OverDomain[bool]):
    """Output whether the answer to a query plus Laplace noise is above a threshold.

    The mechanism is ``epsilon``-private if the query changes by at most the sensitivity between
    neighbours.

    Attributes
    ----------
    domain : tuple
        The values of a record.
    query : callable
        Function that maps a database, in the order of the domain, to an integer or fraction.
    epsilon : Epsilon
    threshold : Epsilon
        The threshold in units of the scale of the noise, that is, ``epsilon t / sensitivity`` for a
        threshold ``t``; it may contain logarithms. For example, ``t = ln(1/(2 delta)) / epsilon +
        1`` at sensitivity 1 is ``Epsilon(0, 1/(2 delta)) + epsilon``.
    sensitivity : Fraction
        Sensitivity of the query; the noise has scale ``sensitivity / epsilon``.

    Examples
    --------
    >>> epsilon = Epsilon.of("ln 2")
    >>> above = NoisyThreshold((0, 1), sum, epsilon, epsilon * 2)
    >>> above.distribution((1, 1))[True], above.distribution((1, 0))[True]
    (Fraction(1, 2), Fraction(1, 4))
    """

    domain: Sequence[Hashable] | str
    query: Callable[[tuple[Any, ...]], Fraction | int]
    epsilon: Epsilon
    threshold: Epsilon
    sensitivity: Fraction = Fraction(1)

    def __post_init__(self) -> None:
        if self.sensitivity <= 0:
            raise DomainError(f"sensitivity must be positive, not {self.sensitivity}")

    def distribution_of(self, database: tuple[Hashable, ...]) -> Distribution[bool]:
        """Return the distribution of the answer."""
        value = as_fraction(self.query(database), "query")
        above = laplace_tail(self.threshold + self.epsilon * (-value / self.sensitivity))
        return Distribution.of({True: above, False: 1 - above})


MAX_SPREAD = 1 << 12
"""Maximum number of values of a noisy threshold."""


def first_above(
    missing: Sequence[int], epsilon: Epsilon, sensitivity: int = 1
) -> Distribution[int | None]:
    """Return the distribution of the first query whose noisy answer reaches a noisy threshold.

    ``missing`` is the distance of each true answer below the threshold. If the noise of the
    threshold is beyond all these distances, the probability is a polynomial in a power of the
    ratio, so the infinite sums have closed forms. Complexity: number of queries times the spread of
    the answers, plus the square of the number of queries.
    """
    if not missing:
        return Distribution.certain(None)
    if max(map(abs, missing)) > MAX_SPREAD:
        raise DomainError(f"answers must lie within {MAX_SPREAD} of the threshold")
    ratio = epsilon.exp(Fraction(-1, 4 * sensitivity))
    low, high = -max(0, *missing), max(0, *(-least for least in missing)) + 1
    found = [Fraction(0) + _far(missing, k, low, high, ratio) for k in range(len(missing))]
    for noise in in_time(range(low + 1, high)):
        chance = _threshold_mass(noise, ratio)
        for k, least in enumerate(missing):
            reached = geometric_tail(ratio, least + noise)
            found[k] = found[k] + chance * reached
            chance = chance * (1 - reached)
    none = 1 - sum(found, Fraction(0))
    return Distribution.of({**dict(enumerate(found)), None: none})


def _threshold_mass(noise: int, ratio: Real) -> Real:
    """Return the probability of a value of the threshold's geometric noise of ratio ``r^2``."""
    return (1 - ratio**2) / (1 + ratio**2) * ratio ** (2 * abs(noise))


def _far(missing: Sequence[int], k: int, low: int, high: int, ratio: Real) -> Real:
    """Return the probability that query ``k`` is output and the noise is ``<= low`` or ``>= high``.

    If the threshold's noise is at least ``high``, a query reaches the threshold with probability
    ``c x`` for ``x = r^noise``; if it is at most ``low``, a query does not reach the threshold with
    probability ``d y`` for ``y = r^-noise``.
    """
    above: list[Real] = [Fraction(1)]
    below: list[Real] = [Fraction(1)]
    for i in range(k + 1):
        c = ratio ** missing[i] / (1 + ratio)
        d = ratio ** (1 - missing[i]) / (1 + ratio)
        above = _times(above, Fraction(0), c) if i == k else _times(above, Fraction(1), -c)
        below = _times(below, Fraction(1), -d) if i == k else _times(below, Fraction(0), d)
    total = _tail_sum(above, high, ratio) + _tail_sum(below, -low, ratio)
    return (1 - ratio**2) / (1 + ratio**2) * total


def _times(polynomial: Sequence[Real], constant: Real, linear: Real) -> list[Real]:
    """Return a polynomial times ``constant + linear x``."""
    longer: list[Real] = [constant * term for term in polynomial] + [Fraction(0)]
    for power, term in enumerate(polynomial):
        longer[power + 1] = longer[power + 1] + linear * term
    return longer


def _tail_sum(polynomial: Sequence[Real], least: int, ratio: Real) -> Real:
    """Return the sum, over all ``t >= least``, of ``r^(2 t)`` times the polynomial at ``r^t``."""
    total: Real = Fraction(0)
    for power, term in enumerate(polynomial):
        step = ratio ** (power + 2)
        total = total + term * step**least / (1 - step)
    return total
