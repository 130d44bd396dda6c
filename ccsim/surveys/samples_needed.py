"""How many examples a learner needs in practice: measured, with error bars."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from ccsim.budget import Budget, OutOfTimeError, TimeLimit
from ccsim.data import frozen
from ccsim.errors import DomainError
from ccsim.learning.learner import Learner, LearningTrial, Target, learning_trial

_OCTAVES = 10


@frozen
class SamplesNeeded:
    """A measured number of examples."""

    estimate: int  # least number on the grid at which no more than the allowed share of runs failed
    # largest number on the grid at which the failure probability was above the allowed one with the
    # confidence of the trials; 0 if none was tried
    insufficient: int
    # least number at which it was below with that confidence; None if there was none
    sufficient: int | None
    trials: int  # runs for each number


def samples_needed(
    learner: Callable[[int], Learner],
    target: Target,
    largest: int,
    runs: int,
    seed: int,
    *,
    time_limit: TimeLimit = None,
) -> SamplesNeeded:
    """Measure the number of examples with which a learner meets its accuracy on a target.

    Numbers on a grid of ratio about ``2**(1/4)`` are tried upwards, then by bisection,
    and the neighbours of the threshold until the intervals of Clopper and Pearson are clear on
    both sides.
    """
    budget, grid = Budget.of(time_limit), _grid(largest)
    tried: dict[int, LearningTrial] = {}

    def trial(i: int) -> LearningTrial:
        if i not in tried:
            budget.spend()
            found = learning_trial(learner(grid[i]), target, runs, seed + i, time_limit=budget)
            if found.runs < runs:
                raise OutOfTimeError
            tried[i] = found
        return tried[i]

    def enough(i: int) -> bool:
        return Fraction(trial(i).failures, runs) <= allowed

    learner(largest).check_work()
    allowed = learner(largest).failure
    low, high = -1, max(len(grid) - 1 - 4 * _OCTAVES, 0)
    while not enough(high):  # from below, because runs on few examples are quick
        if high == len(grid) - 1:
            raise DomainError(
                f"{trial(high).failures} of {runs} runs failed even with {largest} examples"
            )
        low, high = high, min(high + 4, len(grid) - 1)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    above, below = high, low
    while above < len(grid) - 1 and trial(above).interval.upper > allowed:
        above += 1
    while below >= 0 and trial(below).interval.lower <= allowed:
        below -= 1
    sufficient = grid[above] if trial(above).interval.upper <= allowed else None
    return SamplesNeeded(grid[high], grid[below] if below >= 0 else 0, sufficient, runs)


def _grid(largest: int) -> list[int]:
    """Return increasing numbers up to the largest, about four in an octave."""
    numbers = {largest}
    number = largest
    while number > 1:
        number = number * 84 // 100
        numbers.add(number)
    return sorted(numbers - {0})
