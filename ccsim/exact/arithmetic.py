"""Powers of e^epsilon for long computations: exact numbers, or balls of a stated precision.

Probabilities of a mechanism are fractions or rational functions of a power of e; where a law has a
hundred thousand of them their sums are enclosed instead, with an error that is always known.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from typing import Any, TypeAlias

import flint

from ccsim.data import validated
from ccsim.errors import DomainError
from ccsim.exact.epsilon import Epsilon
from ccsim.exact.exponentials import Real
from ccsim.exact.intervals import Interval, ball_interval, ball_of

Value: TypeAlias = Any
"""A fraction, an `Exponential`, or a ball: what an arithmetic computes with."""

Probability: TypeAlias = Real | Interval
"""An exact number, or an interval that contains it."""


class Arithmetic(ABC):
    """Where the powers of ``e^epsilon`` are computed; values take ``+ - * /`` and comparisons."""

    epsilon: Epsilon

    @abstractmethod
    def exp(self, multiple: Fraction | int) -> Value:
        """Return ``e^(multiple * epsilon)``."""

    @abstractmethod
    def number(self, value: Fraction | int) -> Value:
        """Return a rational number as a value."""

    @abstractmethod
    def least(self, *values: Value) -> Value:
        """Return the smallest of some values."""

    @abstractmethod
    def result(self, value: Value) -> Probability:
        """Return a value as an exact number or an interval."""

    @contextmanager
    def working(self) -> Iterator[None]:
        """Compute inside of this context."""
        yield

    def largest(self, *values: Value) -> Value:
        """Return the largest of some values."""
        return -self.least(*(-value for value in values))

    def laplace_tail(self, ratio: Value) -> Value:
        """Return ``Pr[Z > t]`` for Laplace noise ``Z`` of scale ``b``, from ``e^(-t / b)``."""
        one = self.number(1)
        return (self.least(ratio, one) + 1 - 1 / self.largest(ratio, one)) / 2


@validated
class ExactArithmetic(Arithmetic):
    """Exact numbers: fractions, and rational functions of a power of ``e``."""

    epsilon: Epsilon

    def exp(self, multiple: Fraction | int) -> Value:
        """Return ``e^(multiple * epsilon)``."""
        return self.epsilon.exp(Fraction(multiple))

    def number(self, value: Fraction | int) -> Value:
        """Return the number."""
        return Fraction(value)

    def least(self, *values: Value) -> Value:
        """Return the smallest of some values."""
        return min(values)

    def result(self, value: Value) -> Probability:
        """Return the value."""
        return value  # type: ignore[no-any-return]  # a Real, as everything here


@validated
class BallArithmetic(Arithmetic):
    """Balls that contain the number, with centres of so many bits."""

    epsilon: Epsilon
    precision: int = 128  # bits, at least 32; about so many digits of a result are right

    def __post_init__(self) -> None:
        if self.precision < 32:
            raise DomainError(f"precision must be at least 32 bits, not {self.precision}")

    def exp(self, multiple: Fraction | int) -> Value:
        """Return ``e^(multiple * epsilon)``."""
        times = Fraction(multiple)
        return (self.epsilon.ball() * ball_of(times)).exp()

    def number(self, value: Fraction | int) -> Value:
        """Return the ball around the number."""
        return ball_of(Fraction(value))

    def least(self, *values: Value) -> Value:
        """Return a ball around the smallest of some values."""
        found = values[0]
        for value in values[1:]:
            found = found.min(value)
        return found

    def result(self, value: Value) -> Probability:
        """Return the ball as an interval."""
        return ball_interval(value)

    @contextmanager
    def working(self) -> Iterator[None]:
        """Compute with the precision inside of this context."""
        with flint.ctx.workprec(self.precision):
            yield


def arithmetic(epsilon: Epsilon, precision: int | None = None) -> Arithmetic:
    """Return exact arithmetic, or balls of so many bits."""
    return ExactArithmetic(epsilon) if precision is None else BallArithmetic(epsilon, precision)
