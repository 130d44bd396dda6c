"""How a privacy budget is split among the many steps of a sanitizer, and what they add up to."""

from __future__ import annotations

from fractions import Fraction
from math import floor

from ccsim.arguments.checked import checked_types
from ccsim.data import frozen
from ccsim.errors import DomainError
from ccsim.exact.epsilon import BallArithmetic, Epsilon
from ccsim.exact.fractions import as_fraction
from ccsim.exact.intervals import ball_interval

_DIGITS = 48
"""Bits to which an irrational epsilon is rounded, down for a step and up for a sum."""


@frozen
class Steps:
    """The privacy of each step."""

    epsilon: Epsilon  # of each
    delta: Fraction  # of each that has one
    # what composition spends of delta for a smaller sum of the epsilons; with 0 they are added
    slack: Fraction


@checked_types
def composed_epsilon(
    epsilon: Epsilon | Fraction | int | str, times: int, slack: Fraction | int | str
) -> Epsilon:
    """Return what the epsilons of so many steps add up to, rounded up.

    The least of ``times epsilon`` and, with some slack, ``sqrt(2 times ln(1/slack)) epsilon + times
    epsilon (e^epsilon - 1)`` (Dwork, Rothblum and Vadhan; for ``epsilon <= 1`` at most ``bns``
    Theorem 2.5).
    """
    epsilon = Epsilon.of(epsilon)
    slack = as_fraction(slack, "slack")
    if times < 1:
        raise DomainError(f"times must be at least 1, not {times}")
    if not 0 <= slack < 1:
        raise DomainError(f"slack must be at least 0 and below 1, not {slack}")
    added = epsilon * times
    if not slack:
        return added
    balls = BallArithmetic(epsilon)
    with balls.working():
        each = balls.exp(1).log()
        root = (balls.number(2 * times) * (1 / balls.number(slack)).log()).sqrt()
        most = ball_interval(root * each + times * each * (balls.exp(1) - 1)).upper
        if most >= ball_interval(balls.exp(times).log()).lower:
            return added
    return Epsilon(-rounded_down(-most))


@checked_types
def split_budget(
    epsilon: Epsilon | Fraction | int | str,
    delta: Fraction | int | str,
    times: int,
    with_delta: int,
) -> Steps:
    """Return equal steps that together keep a budget, with the largest epsilon by composition."""
    epsilon = Epsilon.of(epsilon)
    delta = as_fraction(delta, "delta")
    _check_budget(epsilon, delta)
    plain = Steps(epsilon / times, delta / with_delta, Fraction(0))
    slack = delta / 2
    low, high = Fraction(0), epsilon.enclose().lower
    for _ in range(_DIGITS):
        middle = (low + high) / 2
        step = Epsilon(middle)
        kept = composed_epsilon(step, times, slack).enclose().upper <= epsilon.enclose().lower
        low, high = (middle, high) if kept else (low, middle)
    if low <= plain.epsilon.enclose().upper * Fraction(101, 100):
        return plain
    return Steps(Epsilon(rounded_down(low)), delta / (2 * with_delta), slack)


@checked_types
def printed_share(
    epsilon: Epsilon | Fraction | int | str,
    number: Fraction | int | str,
    delta: Fraction | int | str,
) -> Epsilon:
    """Return ``epsilon / sqrt(number ln(5 / delta))``, the share as printed, rounded down."""
    epsilon = Epsilon.of(epsilon)
    delta = as_fraction(delta, "delta")
    number = as_fraction(number, "number")
    _check_budget(epsilon, delta)
    balls = BallArithmetic(epsilon)
    with balls.working():
        root = (balls.number(number) * balls.number(5 / delta).log()).sqrt()
        share = ball_interval(balls.exp(1).log() / root).lower
    return Epsilon(rounded_down(share))


def _check_budget(epsilon: Epsilon, delta: Fraction) -> None:
    """Refuse what is no budget."""
    if not epsilon.is_positive:
        raise DomainError(f"epsilon must be positive, not {epsilon}")
    if not 0 < delta < 1:
        raise DomainError(f"delta must lie between 0 and 1, not {delta}")


def rounded_down(number: Fraction) -> Fraction:
    """Return a number of few bits that is at most the given one, and close to it."""
    size = abs(number.numerator).bit_length() - number.denominator.bit_length()
    unit = Fraction(2) ** (size - _DIGITS)
    return floor(number / unit) * unit
