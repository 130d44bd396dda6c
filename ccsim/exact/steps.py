"""Step functions with few steps on long ranges of integers, for example of length 2^64."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import pairwise

from ccsim.arguments.checked import iterated
from ccsim.arguments.values import show_value
from ccsim.data import validated
from ccsim.errors import DomainError
from ccsim.exact.fractions import as_fraction, common_denominator


@validated
class StepFunction:
    """A step function on the integers ``0 .. last``.

    Attributes
    ----------
    starts : tuple of int
        First point of each step, in increasing order from 0.
    values : tuple of Fraction
        Value of each step.
    last : int
        Last point of the range.

    >>> wide = StepFunction.from_steps({0: 0, 2**63: 5}, 2**64)
    >>> wide(2**63 - 1), wide(2**64)
    (Fraction(0, 1), Fraction(5, 1))
    """

    starts: tuple[int, ...]
    values: tuple[Fraction, ...]
    last: int

    def __post_init__(self) -> None:
        starts = self.starts
        if not starts or starts[0] != 0 or any(a >= b for a, b in pairwise(starts)):
            raise DomainError("starts of steps must be increasing and begin with 0")
        if len(self.values) != len(starts):
            raise DomainError(
                f"there must be one value for each of {len(starts)} starts, not {len(self.values)}"
            )
        if self.last < starts[-1]:
            raise DomainError(
                f"last must be at least the last start {show_value(starts[-1])}, "
                f"not {show_value(self.last)}"
            )

    @classmethod
    def of(cls, values: Iterable[Fraction | int | str]) -> StepFunction:
        """Return the function with the given values at 0, 1, 2, ..."""
        given = enumerate(iterated(values, "values"))
        listed = [as_fraction(value, f"value {i}") for i, value in given]
        if not listed:
            raise DomainError("there must be at least one value")
        return cls._merged(range(len(listed)), listed, len(listed) - 1)

    @classmethod
    def from_steps(cls, steps: dict[int, Fraction | int], last: int) -> StepFunction:
        """Return the function given by a mapping from the start of each step to its value."""
        for start in steps:
            if isinstance(start, bool) or not isinstance(start, int):
                raise DomainError(f"starts must be integers, not {show_value(start)}")
        starts = sorted(steps)
        values = [
            value if type(value := steps[s]) is Fraction else _as_value(value, s) for s in starts
        ]
        return cls._merged(starts, values, last)

    @classmethod
    def _merged(cls, starts: Sequence[int], values: Sequence[Fraction], last: int) -> StepFunction:
        kept = [i for i in range(len(starts)) if i == 0 or values[i] != values[i - 1]]
        return cls(tuple(starts[i] for i in kept), tuple(values[i] for i in kept), last)

    def __call__(self, point: int) -> Fraction:
        """Return the value at a point."""
        if not 0 <= point <= self.last:
            raise DomainError(
                f"point must be between 0 and {show_value(self.last)}, not {show_value(point)}"
            )
        return self.values[self.step_at(point)]

    def step_at(self, point: int) -> int:
        """Return the number of the step that contains a point."""
        return bisect_right(self.starts, point) - 1

    @property
    def highest(self) -> Fraction:
        """The largest value."""
        return max(self.values)

    def end(self, step: int) -> int:
        """Return the last point of the step with a given number."""
        return self.last if step + 1 == len(self.starts) else self.starts[step + 1] - 1

    def pieces(self) -> Iterator[tuple[int, int, Fraction]]:
        """Yield the first point, the last point and the value of each step."""
        for step, (start, value) in enumerate(zip(self.starts, self.values, strict=True)):
            yield start, self.end(step), value

    def extended(self, last: int, value: Fraction | int) -> StepFunction:
        """Return the function extended to a longer range by a constant value."""
        if last == self.last:
            return self
        starts = (*self.starts, self.last + 1)
        return StepFunction._merged(starts, (*self.values, Fraction(value)), last)

    def integers(self) -> tuple[list[int], int]:
        """Return the values multiplied by their common denominator, and the denominator."""
        scale = common_denominator(self.values)
        if scale == 1:
            return [value.numerator for value in self.values], 1
        return [value.numerator * (scale // value.denominator) for value in self.values], scale

    def is_quasi_concave(self) -> bool:
        """Whether the function is quasi-concave (`bns` Definition 3.6)."""
        rising = [b > a for a, b in pairwise(self.values)]
        return all(earlier or not later for earlier, later in pairwise(rising))

    def longest_runs(self) -> list[tuple[int, Fraction]]:
        """Return, for each value, the length of the longest run of points with at least this value.

        The pairs of length and value are in decreasing order of the value.

        Complexity: one pass with a stack, and sorting; 10^5 steps take 0.2 s.

        >>> [(n, int(v)) for n, v in StepFunction.of([2, 1, 3, 1, 2, 2]).longest_runs()]
        [(1, 3), (2, 2), (6, 1)]
        """
        values, scale = self.integers()
        longest: dict[int, int] = {}
        stack: list[tuple[int, int]] = []  # values that still go on, with where they began
        for start, value in zip(self.starts, values, strict=True):
            began = start
            while stack and stack[-1][0] >= value:
                passed, began = stack.pop()
                longest[passed] = max(longest.get(passed, 0), start - began)
            stack.append((value, began))
        for value, began in stack:
            longest[value] = max(longest.get(value, 0), self.last + 1 - began)
        runs, most = [], 0
        for value in sorted(longest, reverse=True):
            most = max(most, longest[value])
            runs.append((most, Fraction(value, scale)))
        return runs


def _as_value(value: Fraction | int, start: int) -> Fraction:
    return as_fraction(value, f"value at {show_value(start)}")
