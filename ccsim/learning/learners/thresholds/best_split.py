"""How to divide a budget among the steps of RecConcave, for learning thresholds.

The split depends on the parameters alone and never on a sample, so it costs no privacy.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

from ccsim.arguments.checked import checked_types
from ccsim.errors import DomainError
from ccsim.exact.epsilon import Epsilon
from ccsim.exact.fractions import as_fraction
from ccsim.learning.learners.thresholds.rec_concave import RecConcaveThresholdLearner
from ccsim.learning.learners.thresholds.two_calls import least_proved_size, proved_failure

_UNIT = 1000
"""Shares of epsilon are multiples of one part in so many."""
_SEARCH_BITS = 53
_TRIES = 60
_ROUNDS = 7

Point = tuple[float, ...]
"""Shares of the innermost call and of each choice, and accuracy of the run over the target."""
_START: Point = (0.28, 0.25, 1.35)
_MOVES: tuple[Point, ...] = ((0.05, 0, 0), (0, -0.04, 0), (0, 0, 0.15))


@checked_types
def best_split(
    accuracy: Fraction | int | str,
    failure: Fraction | int | str,
    epsilon: Epsilon | Fraction | int | str,
    bits: int,
    delta: Fraction | int | str,
    choice: str = "optimal",
) -> RecConcaveThresholdLearner:
    """Return the learner of thresholds that is proved to need few examples, not always the fewest.

    Searched are the shares of the innermost call, the choices and the last step, and the accuracy
    of the run, so that `proved_failure` is at most half of the failure for few examples.

    Complexity: some hundreds of evaluations of `proved_failure`; a second at the default sizes.
    """
    epsilon = Epsilon.of(epsilon)
    delta = as_fraction(delta, "delta")
    failure = as_fraction(failure, "failure")
    accuracy = as_fraction(accuracy, "accuracy")
    if accuracy > Fraction(1, 2):
        raise DomainError(f"accuracy must be at most 1/2, not {accuracy}")
    equal = RecConcaveThresholdLearner(
        accuracy, failure, epsilon, bits, delta=delta, depth=2, choice=choice
    )

    def at(point: Point) -> RecConcaveThresholdLearner:
        inner, each = (Fraction(round(share * _UNIT), _UNIT) for share in point[:2])
        run = accuracy / 2 * Fraction(round(point[2] * _UNIT), _UNIT)
        return replace(equal, split=(inner, each, 1 - inner - 2 * each), run_accuracy=run)

    def inside(point: Point) -> bool:
        shares = (*point[:2], 1 - point[0] - 2 * point[1])
        return min(shares) >= 2 / _UNIT and 2 / _UNIT < point[2] * float(accuracy) <= 1

    best = at(_START)
    start, high = _START, least_proved_size(best.run, failure / 2)
    low = high // 2
    for _ in range(_ROUNDS):
        size = (low + high) // 2

        def failed(point: Point, size: int = size) -> Fraction:
            if not inside(point):
                return Fraction(2)
            return proved_failure(at(point).run, size, _SEARCH_BITS)

        start = _descent(failed, start)
        if failed(start) <= failure / 2:
            best, high = at(start), size
        else:
            low = size
    return best


def _descent(value: Callable[[Point], Fraction], start: Point) -> Point:
    """Return a point of small value, by the method of Nelder and Mead."""
    n = len(start)
    points = [
        tuple(a + b for a, b in zip(start, move, strict=True)) for move in ((0.0,) * n, *_MOVES)
    ]
    known = sorted((value(point), point) for point in points)
    for _ in range(_TRIES // 2):
        middle = [sum(point[i] for _, point in known[:-1]) / n for i in range(n)]
        worst = known[-1][1]

        def moved(by: float, middle: list[float] = middle, worst: Point = worst) -> Point:
            return tuple(c + by * (w - c) for c, w in zip(middle, worst, strict=True))

        reflected = moved(-1)
        found = value(reflected)
        if found < known[0][0]:
            further = moved(-2)
            known[-1] = min((found, reflected), (value(further), further))
        elif found < known[-2][0]:
            known[-1] = found, reflected
        else:
            nearer = moved(-0.5 if found < known[-1][0] else 0.5)
            if (again := value(nearer)) < min(found, known[-1][0]):
                known[-1] = again, nearer
            else:
                best = known[0][1]
                halves = [
                    tuple((a + b) / 2 for a, b in zip(best, point, strict=True))
                    for _, point in known[1:]
                ]
                known = [known[0], *((value(point), point) for point in halves)]
        known.sort()
    return known[0][1]
