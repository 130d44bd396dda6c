"""Promises and sample sizes of RecConcave from the paper that the library does not use."""

from __future__ import annotations

from fractions import Fraction

from ccsim.exact.epsilon import Epsilon
from ccsim.learning.sample_size import (
    check_recursion,
    log2_ceiling,
    log_star,
    uniform_convergence_size,
)


def step_promise(
    accuracy: Fraction, failure: Fraction, epsilon: Epsilon, delta: Fraction, last: int, depth: int
) -> int:
    """Return the promise that Lemma 3.14 requires for the given parameters of each step.

    If the quality is quasi-concave on ``0 .. last`` and has a maximum of at least ``r = 8^N (4 /
    (accuracy epsilon)) (log2(32 / (failure delta)) + log^N(last))`` for depth ``N``, with
    logarithms rounded up in the last term, then a point of quality at least ``(1 - accuracy) r`` is
    found except with probability ``2 failure N``.
    """
    check_recursion(accuracy, failure, epsilon, delta, last, depth)
    left = last
    for _ in range(depth):
        left = (left - 1).bit_length()
    return log2_ceiling(8**depth * 4 / accuracy, 32 / (failure * delta), left, 0, epsilon)


def recursion_promise_at_most(
    accuracy: Fraction, failure: Fraction, epsilon: Epsilon, delta: Fraction, bits: int
) -> int:
    """Return the promise of Remark 3.16, which allows for the largest number of calls.

    ``8^N (36 N / (accuracy epsilon)) log2(12 N / (failure delta))`` for ``N = log_star(2^bits)``.
    """
    depth = log_star(1 << bits)
    check_recursion(accuracy, failure, epsilon, delta, 1 << bits, depth)
    factor = 8**depth * 36 * depth / accuracy
    return log2_ceiling(factor, 12 * depth / (failure * delta), 0, 0, epsilon)


def threshold_sample_size_at_most(
    accuracy: Fraction, failure: Fraction, epsilon: Epsilon, delta: Fraction, bits: int
) -> int:
    """Return the number of examples of Remark 3.19, for the largest possible number of calls."""
    return max(
        uniform_convergence_size(accuracy, failure),
        recursion_promise_at_most(accuracy / 2, failure / 2, epsilon, delta, bits),
    )
