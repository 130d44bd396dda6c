"""The least delta of the choosing mechanism with the paper's threshold, on counts of few points.

Main definitions: `paper_delta`, `least_paper_size`.

An exact audit compares rational functions of high degree and takes minutes for a hundred records.
This module encloses the same distributions, and treats databases that differ only by the names of
their points as one.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from ccsim.arguments.checked import checked_types
from ccsim.budget import Budget, TimeLimit
from ccsim.errors import DomainError, InstanceTooLargeError, NotDecidedError
from ccsim.exact.epsilon import BallArithmetic, Epsilon, Value
from ccsim.exact.fractions import as_fraction
from ccsim.exact.intervals import Interval, ball_interval
from ccsim.privacy.mechanisms.choosing import choosing_sample_size

__all__ = ["least_paper_size", "paper_delta"]

MAX_COUNTS = 1 << 20
"""Maximum number of databases, up to the names of points."""


@checked_types
def paper_delta(
    points: int,
    size: int,
    epsilon: Epsilon | Fraction | int | str,
    accuracy: Fraction | int | str,
    precision: int = 128,
    *,
    time_limit: TimeLimit = None,
) -> Interval:
    """Return the least delta of the choosing mechanism with the paper's threshold.

    Parameters
    ----------
    points : int
        Number of values of a record, at least 2; the quality of a value is its count.
    size : int
        Records, at least 1; the threshold is ``accuracy size / 2``.
    epsilon : Epsilon, Fraction, int or str
        Positive.
    accuracy : Fraction, int or str
        Positive, at most 1.
    precision : int
        Bits of the balls.
    time_limit : float or Budget, optional

    Returns
    -------
    Interval
        It contains the least delta over all neighbouring databases.

    Raises
    ------
    DomainError
        If a parameter is out of range.
    InstanceTooLargeError
        If there are more than `MAX_COUNTS` partitions of the records.
    OutOfTimeError

    Notes
    -----
    Complexity: the pairs of different parts, for each partition of the records into at most
    ``points`` parts; 10^4 partitions take a few seconds. Source: `bns` Lemma 4.4.

    Examples
    --------
    The lemma asks for 41 records at ``(1/2, 1/10)``; 7 are enough, and 6 are not.

    >>> found = [paper_delta(3, size, Epsilon.of(2), Fraction(1)) for size in (6, 7)]
    >>> [float(delta.upper) <= 0.1 for delta in found], round(float(found[0].lower), 4)
    ([False, True], 0.1075)
    """
    epsilon = Epsilon.of(epsilon)
    accuracy = as_fraction(accuracy, "accuracy")
    _check(points, epsilon, accuracy)
    if size < 1:
        raise DomainError(f"size must be at least 1, not {size}")
    budget = Budget.of(time_limit)
    balls = BallArithmetic(epsilon, precision)
    found = Fraction(0), Fraction(0)
    with balls.working():
        powers = [balls.exp(Fraction(i, 4)) for i in range(size + 1)]
        middle = accuracy * size / 2
        released = [balls.laplace_tail(balls.exp((best - middle) / 4)) for best in range(size + 1)]
        bound = balls.exp(1)
        for number, counts in enumerate(_partitions(size, points, size)):
            if number >= MAX_COUNTS:
                raise InstanceTooLargeError(
                    f"size must have at most {MAX_COUNTS} integer partitions, but {size} has more"
                )
            budget.spend()
            distribution = _distribution(counts, powers, released)
            for i, j in _moves(counts):
                moved = list(counts)
                moved[i], moved[j] = moved[i] - 1, moved[j] + 1
                other = _distribution(moved, powers, released)
                excess = sum(
                    (_positive(p - bound * q) for p, q in zip(distribution, other, strict=True))
                )
                ends = ball_interval(balls.number(0) + excess)
                found = max(found[0], ends.lower), max(found[1], ends.upper)
    return Interval(*found)


@checked_types
def least_paper_size(
    points: int,
    epsilon: Epsilon | Fraction | int | str,
    delta: Fraction | int | str,
    accuracy: Fraction | int | str,
    failure: Fraction | int | str,
    *,
    time_limit: TimeLimit = None,
) -> int:
    """Return the least number of records from which the paper's threshold is private on counts.

    All sizes from this number up to that of the lemma are private; the next smaller size is not.

    Parameters
    ----------
    points, epsilon, accuracy
        As for `paper_delta`.
    delta, failure : Fraction, int or str
        As for `choosing_sample_size`.
    time_limit : float or Budget, optional

    Raises
    ------
    DomainError
        If a parameter is out of range, or the lemma fails: its own size is not private.
    NotDecidedError
        If an enclosure contains delta.
    OutOfTimeError

    Examples
    --------
    >>> half, tenth = Fraction(1, 2), Fraction(1, 10)
    >>> least_paper_size(2, Epsilon.of(2), tenth, Fraction(1), half)
    6
    """
    epsilon = Epsilon.of(epsilon)
    failure = as_fraction(failure, "failure")
    accuracy = as_fraction(accuracy, "accuracy")
    delta = as_fraction(delta, "delta")
    _check(points, epsilon, accuracy)
    budget = Budget.of(time_limit)
    size = choosing_sample_size(accuracy, failure, epsilon, delta)
    largest = size
    while size > 0:
        found = paper_delta(points, size, epsilon, accuracy, time_limit=budget)
        if found.lower <= delta < found.upper:
            raise NotDecidedError(
                f"the least delta for {size} records is undecided with 128 bits of precision"
            )
        if found.upper > delta:
            break
        size -= 1
    if size == largest:
        raise DomainError(
            f"the mechanism must be private on {size} records by the lemma, but is not"
        )
    return size + 1


def _check(points: int, epsilon: Epsilon, accuracy: Fraction) -> None:
    if points < 2:
        raise DomainError(f"points must be at least 2, not {points}")
    if not epsilon.is_positive:
        raise DomainError(f"epsilon must be positive, not {epsilon}")
    if not 0 < accuracy <= 1:
        raise DomainError(f"accuracy must be positive and at most 1, not {accuracy}")


def _partitions(size: int, parts: int, most: int) -> Iterator[tuple[int, ...]]:
    """Yield the partitions of a number of records into counts, each listed in decreasing order."""
    if parts == 1:
        if size <= most:
            yield (size,)
        return
    for first in range(-(-size // parts), min(size, most) + 1):
        for rest in _partitions(size - first, parts - 1, first):
            yield (first, *rest)


def _moves(counts: tuple[int, ...]) -> Iterator[tuple[int, int]]:
    """Yield the replacements of one record; points with equal counts are not distinguished."""
    places = {count: i for i, count in reversed(list(enumerate(counts)))}
    last = {count: i for i, count in enumerate(counts)}
    for count, i in places.items():
        for other in places:
            j = last[other]
            if count > 0 and i != j:
                yield i, j


def _distribution(
    counts: list[int] | tuple[int, ...], powers: list[Value], released: list[Value]
) -> Value:
    """Return the probability of choosing each point, and that of releasing nothing."""
    best = max(counts)
    total = sum(powers[count] for count in counts if count)
    chosen = [released[best] * powers[c] / total if c else released[best] * 0 for c in counts]
    return [*chosen, 1 - released[best]]


def _positive(difference: Value) -> Value:
    return difference.max(difference * 0)
