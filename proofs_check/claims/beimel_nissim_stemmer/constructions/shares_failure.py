"""The exact failure probability of SanPoints for databases with few different counts.

Main definitions: `san_points_failure`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import floor

from ccsim.arguments.checked import checked_types
from ccsim.budget import in_time
from ccsim.errors import DomainError
from ccsim.exact.epsilon import BallArithmetic, Value
from ccsim.exact.intervals import Interval, ball_interval
from ccsim.release.sanitizers.frequent_points import SanPoints
from ccsim.release.sanitizers.steps import CountChoice, RoundedLaplace

__all__ = ["san_points_failure"]


@checked_types
def san_points_failure(
    sanitizer: SanPoints, counts: Sequence[int], precision: int = 128
) -> Interval:
    """Return an interval around the probability that event ``E1`` or ``E2`` occurs in a run.

    These events are that a chosen point gets noise above ``accuracy size``, or that a point with
    more records is never chosen (`bns` Theorem 4.6). The events concern the noise before the shares
    are clamped to ``[0, 1]``.

    Parameters
    ----------
    sanitizer : SanPoints
    counts : sequence of int
        Number of records of each point, at least 1; their sum is the number of records.
    precision : int
        Bits of the balls.

    Raises
    ------
    DomainError
        If there are no records, or fewer than the paper's threshold requires.

    Notes
    -----
    Complexity: number of rounds, times number of different counts, times the product of the numbers
    (plus 1) of points with each count.

    Examples
    --------
    >>> from ccsim.exact import Epsilon
    >>> tiny = SanPoints(1, Fraction(9, 10), Fraction(1, 2), Epsilon.of("ln 16"), Fraction(1, 8))
    >>> float(san_points_failure(tiny, [3]).upper)  # 1/8, or noise of 3: 7/8 2^-10
    0.1258544921875
    """
    size = sum(counts)
    if not counts or min(counts) < 1:
        raise DomainError(
            f"counts must have at least one entry, all at least 1, not {list(counts)}"
        )
    if size < sanitizer.needed:
        raise DomainError(f"database must have at least {sanitizer.needed} records, not {size}")
    groups = sorted(Counter(counts).items(), reverse=True)
    values = [count for count, _ in groups]
    most = sanitizer.accuracy * size
    noise, balls = RoundedLaplace(sanitizer.epsilon), BallArithmetic(sanitizer.epsilon, precision)
    with balls.working():
        near = 1 - 2 * noise.tail(floor(most) + 1, balls)
        states: dict[tuple[int, ...], Value] = {tuple(n for _, n in groups): balls.number(1)}
        for _ in in_time(range(sanitizer.rounds)):
            after: dict[tuple[int, ...], Value] = {}
            for left, p in states.items():
                for following, share in _steps(sanitizer.choice, size, values, left, near, balls):
                    after[following] = after.get(following, balls.number(0)) + p * share
            states = after
        good = (
            p
            for left, p in states.items()
            if not any(n for count, n in zip(values, left, strict=True) if count > most)
        )
        return ball_interval(1 - sum(good, balls.number(0)))


def _steps(
    choice: CountChoice,
    size: int,
    values: Sequence[int],
    left: tuple[int, ...],
    near: Value,
    balls: BallArithmetic,
) -> Iterator[tuple[tuple[int, ...], Value]]:
    """Yield the states after a round, each with its probability without excessive noise."""
    ways = [i for i, n in enumerate(left) if n]
    if not ways:
        yield left, balls.number(1)
        return
    best = values[ways[0]]
    passes = choice.released(best, size, balls)
    weights = [left[i] * balls.exp(Fraction(values[i] - best, 4)) for i in ways]
    whole = sum(weights, balls.number(0))
    yield left, 1 - passes
    for i, weight in zip(ways, weights, strict=True):
        fewer = (*left[:i], left[i] - 1, *left[i + 1 :])
        yield fewer, passes * weight / whole * near
