"""Section 3.2: from the length of a good interval to a good threshold, on consistent samples.

Points are ``0 .. 7``. Following the text, "a lot" means at least ``a = alpha m / 4`` and "too many"
more than ``3 a``; an interval of length ``J`` is ``[x, x + J]``, and the axis is divided into
intervals of ``2J`` points.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement
from typing import TypeAlias

from proofs_check.claims.claim import Kind, claim
from proofs_check.claims.decision import Decision, all_of, at_most, equal, holds
from proofs_check.claims.grid import grid, once
from proofs_check.claims.variants import near, plus, times

Counts: TypeAlias = tuple[tuple[int, ...], tuple[int, ...]]
"""Numbers of examples with label 1, and with label 0, of each point."""

POINTS = 8


def _counted(examples: Sequence[tuple[int, int]]) -> Counts:
    ones, zeros = ([0] * POINTS for _ in range(2))
    for x, label in examples:
        (ones if label else zeros)[x] += 1
    return tuple(ones), tuple(zeros)


@cache
def _consistent(m: int) -> tuple[Counts, ...]:
    """Return all samples of ``m`` examples that are consistent with a threshold."""
    return tuple(
        {
            _counted([(x, int(x < target)) for x in chosen])
            for chosen in combinations_with_replacement(range(POINTS), m)
            for target in range(POINTS + 1)
        }
    )


@cache
def _any_labels(m: int) -> tuple[Counts, ...]:
    """Return all samples of ``m`` examples with arbitrary labels."""
    examples = [(x, label) for x in range(POINTS) for label in (0, 1)]
    return tuple(_counted(S) for S in combinations_with_replacement(examples, m))


def _less(sample: Counts, first: int, last: int) -> int:
    """Return the number of ones or of zeros on the points from first to last, whichever is less."""
    ones, zeros = sample
    return min(sum(ones[first : last + 1]), sum(zeros[first : last + 1]))


def _most_mixed(sample: Counts, length: int) -> int:
    """Return ``Q(J)``: the maximum of `_less` over the intervals ``[x, x + J]``."""
    return max(_less(sample, x, min(x + length, POINTS - 1)) for x in range(POINTS))


def _errors(sample: Counts, threshold: int) -> int:
    """Return the number of examples that ``x < threshold`` labels incorrectly."""
    ones, zeros = sample
    return sum(ones[threshold:]) + sum(zeros[:threshold])


Samples: TypeAlias = Callable[[int], tuple[Counts, ...]]


@claim(
    "bns/sec-3.2",
    "section 3.2, figure 2",
    "Good interval lengths",
    Kind.LEMMA,
    over=grid(m=[4, 5], a=["1/3", "2/3"]),
    near=[
        near("The statement for a 22/5-good interval.", parts=times(Fraction(11, 10))),
        near("Four of the five thresholds are enough.", hypotheses=plus(-1)),
        near(
            "One threshold misclassifies at most 10/11 of the stated number.",
            most=times(Fraction(10, 11)),
        ),
        near("The statement for samples with any labels.", samples=_any_labels),
    ],
)
def five_hypotheses(
    m: int,
    a: str,
    *,
    parts: int = 4,
    hypotheses: int = 5,
    most: Fraction = Fraction(3),
    samples: Samples = _consistent,
) -> Decision:
    """An interval G is k-good if it contains at least alpha m / 4 ones and at least alpha m / 4
    zeros, and no interval of length up to |G|/k contains more than 3 alpha m / 4 ones and more than
    3 alpha m / 4 zeros. Of the five thresholds at the ends of the quarters of a 4-good interval,
    one misclassifies at most 3 alpha m / 4 examples. Checked on all consistent samples of m
    examples on 8 points, for |G| = 4 and 8.
    """
    least = Fraction(a)

    def cases() -> Iterator[tuple[object, Decision]]:
        for S in samples(m):
            for quarter in (1, 2):
                size = 4 * quarter
                longest = size // parts  # points of an interval that shall not be mixed
                if _most_mixed(S, max(longest - 1, 0)) > 3 * least:
                    continue
                for start in range(POINTS - size + 1):
                    if _less(S, start, start + size - 1) < least:
                        continue
                    edges = [start + quarter * i for i in range(hypotheses)]
                    best = min(_errors(S, edge) for edge in edges)
                    yield (S, start, size), at_most(best, most * least)

    return all_of(cases())


@claim(
    "bns/sec-3.2-lengths",
    "section 3.2, computing the interval length",
    "Some power of two is the length of a 2-good interval",
    Kind.LEMMA,
    over=grid(m=[4, 5], a=["1/3", "2/3"]),
    near=[
        near("Q(1) = 0.", longest=plus(1)),
        near("Q(0) = 0 for samples with any labels.", samples=_any_labels),
        near("The statement for lengths of at least 2.", first=plus(1)),
    ],
)
def lengths(
    m: int,
    a: str,
    *,
    longest: int = 0,
    samples: Samples = _consistent,
    first: int = 1,
) -> Decision:
    """Let Q(J) be the maximum of min(ones, zeros) over intervals [x, x + J] of a consistent sample.
    Then Q(0) = 0 and Q does not decrease. If Q(2^d) >= alpha m / 4, then Q(2^j) >= alpha m / 4 and
    Q(2^(j-1)) <= 3 alpha m / 4 for some j >= 0, where Q(1/2) stands for Q(0)."""
    least = Fraction(a)

    def cases() -> Iterator[tuple[object, Decision]]:
        for S in samples(m):
            Q = [_most_mixed(S, J) for J in range(POINTS + 1)]
            yield (S, "from 0"), equal(Q[longest], 0)
            yield (S, "rising"), holds(sorted(Q) == Q, f"{Q} rises")
            if Q[POINTS] >= least:
                steps = [J for J in (1, 2, 4, 8) if first <= J]
                found = [J for J in steps if Q[J] >= least and Q[J // 2] <= 3 * least]
                yield (S, "a length"), holds(bool(found), f"some length is good: {Q}")

    return all_of(cases())


def _windows(offsets: Sequence[int], width: int) -> Iterator[list[tuple[int, int]]]:
    """Yield, for each offset, a division of the points into intervals of the given width."""
    for offset in offsets:
        starts = range(offset, POINTS, width)
        yield [(start, min(start + width, POINTS) - 1) for start in starts]


@claim(
    "bns/sec-3.2-intervals",
    "section 3.2, figure 3",
    "From a length to a 4-good interval with a score much higher than the others",
    Kind.LEMMA,
    over=grid(m=[4, 5], a=["1/3", "2/3"]),
    near=[
        near("The unshifted intervals are enough.", shifted=False),
        near("Intervals of 20J/11 points are enough.", width=times(Fraction(10, 11))),
        near(
            "The interval is 2-good.",
            inner=times(2),
        ),
        near("The statement for samples with any labels.", samples=_any_labels),
        near(
            "One of the five thresholds misclassifies at most 10/11 of the stated number.",
            most=times(Fraction(10, 11)),
        ),
    ],
    uses=["bns/sec-3.2", "bns/sec-3.2-lengths"],
)
def intervals(
    m: int,
    a: str,
    *,
    shifted: bool = True,
    width: Fraction = Fraction(2),
    inner: Fraction = Fraction(1, 2),
    samples: Samples = _consistent,
    most: Fraction = Fraction(3),
) -> Decision:
    """Let Q(J) >= alpha m / 4 and Q(J/2) <= 3 alpha m / 4 for a power J >= 2 of two. Divide the
    axis into intervals A_i of 2J points, and also into intervals B_i, which are the A_i shifted by
    J. Some A_i or B_i has at least alpha m / 4 ones and at least alpha m / 4 zeros and is 4-good;
    all other intervals of its family score 0; and one of the thresholds at the ends of its quarters
    misclassifies at most 3 alpha m / 4 examples.
    """
    least = Fraction(a)

    def cases() -> Iterator[tuple[object, Decision]]:
        for S in samples(m):
            for J in (2, 4):
                if _most_mixed(S, J) < least or _most_mixed(S, J // 2) > 3 * least:
                    continue
                points = int(width * J)
                families = list(_windows((0, J) if shifted else (0,), points))
                good = [
                    (family, window)
                    for family in families
                    for window in family
                    if _less(S, *window) >= least
                ]
                yield (S, J, "some"), holds(bool(good), "some interval is good")
                short = _most_mixed(S, max(int(inner * J) - 1, 0))
                yield (S, J, "good"), at_most(short, 3 * least)
                for family, window in good:
                    rest = [_less(S, *other) for other in family if other != window]
                    yield (S, J, "others"), at_most(max(rest, default=0), 0)
                    edges = [window[0] + J // 2 * i for i in range(5)]
                    best = min(_errors(S, min(edge, POINTS)) for edge in edges)
                    yield (S, J, "threshold"), at_most(best, most * least)

    return all_of(cases())


def _search(Q: Sequence[Fraction], noise: Fraction) -> set[int]:
    """Return the possible results of a binary search that compares noisy values of Q with 2."""
    ends, left = set[int](), [(0, len(Q) - 1)]
    while left:
        low, high = left.pop()
        if high - low == 1:
            ends.add(high)
            continue
        middle = (low + high) // 2
        if Q[middle] + noise >= 2:
            left.append((low, middle))
        if Q[middle] - noise < 2:
            left.append((middle, high))
    return ends


@claim(
    "bns/rem-3.5",
    "Remark 3.5",
    "Guarantees of a noisy binary search",
    Kind.REMARK,
    over=once(),
    near=[
        near(
            "Both bounds are alpha m / 2.",
            big=times(2),
            small=times(Fraction(2, 3)),
        ),
        near("The lower bound is 11 alpha m / 40.", big=times(Fraction(11, 10))),
        near("The upper bound is 5 alpha m / 8.", small=times(Fraction(5, 6))),
        near("The errors are up to 5 alpha m / 16.", noise=times(Fraction(5, 4))),
    ],
    uses=["bns/sec-3.2-lengths"],
)
def overlapping_bounds(
    *, big: Fraction = Fraction(1), small: Fraction = Fraction(3), noise: Fraction = Fraction(1)
) -> Decision:
    """Let Q be a function that does not decrease, from 0 to at least alpha m / 4. A binary search
    compares noisy values of Q, whose errors are at most alpha m / 4, with the number alpha m / 2.
    It ends with Q(j) >= alpha m / 4 and Q(j - 1) <= 3 alpha m / 4. Checked for all such functions
    of 4 arguments whose values are multiples of alpha m / 16, and all errors.
    """

    def cases() -> Iterator[tuple[object, bool]]:
        for steps in combinations_with_replacement(range(17), 4):
            Q = [Fraction(0), *(Fraction(step, 4) for step in steps)]
            if Q[-1] < 1:
                continue
            for end in _search(Q, noise):
                named = [str(value) for value in Q]
                yield (named, end), Q[end] >= big and Q[end - 1] <= small

    return all_of(cases(), "it ends at such a place")
