"""The joint distribution of all steps of RecConcave, to which composition applies (`bns` 3.3)."""

from __future__ import annotations

from fractions import Fraction

from ccsim.exact.distribution import Distribution
from ccsim.exact.epsilon import Value, arithmetic
from ccsim.exact.steps import StepFunction
from ccsim.privacy.mechanisms.exponential import Interval, Part, RangeDistribution
from ccsim.privacy.mechanisms.recursive_concave import Level, RecConcave


def joint_distribution(
    algorithm: RecConcave, quality: StepFunction
) -> Distribution[tuple[int | Interval | None, ...]]:
    """Return the joint distribution of all decisions of the algorithm, the innermost call first.

    Each call adds the interval released from each family (or None) and the returned point. Only the
    last point is published; composition bounds the privacy of all decisions together. Complexity:
    at most ``4 (T + 1)`` outcomes for each outcome of the inner call; suitable for ranges of a few
    hundred points.
    """
    return _joint_distribution(algorithm, algorithm.level(quality))


def _joint_distribution(
    algorithm: RecConcave, level: Level
) -> Distribution[tuple[int | Interval | None, ...]]:
    powers = arithmetic(algorithm.epsilon)
    if level.inner is None:
        distribution = RangeDistribution(
            level.quality, powers, (Part(Fraction(1), ((0, level.quality.last),)),)
        )
        return Distribution.of(
            {(x,): distribution.value(x, x) for x in range(level.quality.last + 1)}
        )
    inner = _joint_distribution(algorithm, algorithm.inner_level(level, level.inner))
    last_powers = arithmetic(algorithm.last_epsilon or algorithm.epsilon)
    choices = arithmetic(algorithm.choice_epsilon or algorithm.epsilon)
    found: dict[tuple[int | Interval | None, ...], Value] = {}
    for before, weight in inner.items:
        k = before[-1]
        pair = algorithm.choose(level, k, choices)  # type: ignore[arg-type]  # an index of L
        for released, share, intervals in algorithm.cases(level, pair):
            if share == 0:
                continue
            last_step = RangeDistribution(
                level.quality, last_powers, (Part(Fraction(1), intervals),)
            )
            for first, end in intervals:
                for x in range(first, end + 1):
                    found[(*before, *released, x)] = weight * share * last_step.value(x, x)
    return Distribution.of(found)
