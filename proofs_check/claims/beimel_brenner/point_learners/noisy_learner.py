"""Section 4.2: algorithm A1, and error probabilities of learners of points."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations_with_replacement
from typing import Any, TypeAlias

from ccsim.exact import Distribution, Epsilon
from ccsim.exact.exponentials import rational
from ccsim.learning import NoisyConsistentPoint
from ccsim.learning.learners.noisy_points import NULL
from ccsim.learning.sample_size import log_ceiling
from ccsim.privacy import Mechanism
from proofs_check.claims.claim import Kind, claim
from proofs_check.claims.decision import Decision, all_of, at_most
from proofs_check.claims.feldman_xiao.learning import disagreement
from proofs_check.claims.grid import table
from proofs_check.claims.variants import near, plus, times

Record: TypeAlias = tuple[int, int] | None
PointMechanism: TypeAlias = Mechanism[Record, int | None]
Formula: TypeAlias = Callable[[Fraction], Fraction]
Size: TypeAlias = Callable[[Fraction], int]

ONE = Epsilon.of(1)


def quarter_examples(alpha: Fraction) -> int:
    """Return ``ceil(2 ln 4 / alpha)``, a number of examples.

    With probability at least 3/4, a given point of mass ``alpha / 2`` occurs among them.
    """
    return log_ceiling(2 / alpha, Fraction(4), ONE)


def _inconsistent(kept: Sequence[tuple[int, int]], T: int) -> bool:
    return not any(all(y == (x == j) for x, y in kept) for j in range(T))


def _by_the_parenthesis(kept: Sequence[tuple[int, int]], _T: int) -> bool:
    ones = {x for x, y in kept if y}
    return len(ones) > 1 or any((x, 0) in kept for x in ones)


def distribution_of_steps(
    sample: Sequence[Record],
    T: int,
    noise: Fraction,
    silent: Callable[[Sequence[tuple[int, int]], int], bool] = _inconsistent,
    base: int = 0,
) -> dict[int | None, Fraction]:
    """Return the output distribution of A1, computed step by step."""
    kept = [z for z in sample if z is not None]
    if silent(kept, T):
        return {None: Fraction(1)}
    c = next((1 << x for x, y in kept if y), base)
    flips = {h: (h ^ c).bit_count() for h in range(1 << T)}
    return {h: noise**n * (1 - noise) ** (T - n) for h, n in flips.items()}


def same_distributions(
    mechanism: PointMechanism, m: int, stated: Callable[[Sequence[Record]], dict[Any, Fraction]]
) -> Decision:
    """Decide whether a mechanism has the stated distribution on every database of m records."""
    databases = combinations_with_replacement(mechanism.records, m)
    return all_of(
        ((S, mechanism.distribution(S).as_mapping() == stated(S)) for S in databases),
        "the distribution",
    )


@claim(
    "bbkn/alg-A1",
    "section 4.2, algorithm A1",
    "Algorithm A1",
    Kind.DEFINITION,
    over=table("T m", (2, 2), (3, 1)).medium((2, 3), (3, 2)),
    near=[
        near("The noise is larger by 1/100.", noise=times(Fraction(101, 100))),
        near(
            "A1 gives no answer only on the samples in the parenthesis of step 1.",
            silent=_by_the_parenthesis,
        ),
        near("Without a positive example, c is the first point.", base=plus(1)),
    ],
)
def noisy_consistent_point(
    T: int,
    m: int,
    *,
    noise: Formula = lambda alpha: alpha / 8,
    silent: Callable[[Sequence[tuple[int, int]], int], bool] = _inconsistent,
    base: int = 0,
) -> Decision:
    """A1 gives no answer on a sample with which no point function is consistent. (The parenthesis
    of step 1 omits samples with a negative example of every point.) Otherwise let c be the
    consistent point function, or 0 if there is no positive example. A1 outputs c with each value
    flipped independently with probability alpha/8.
    """
    alpha = Fraction(2, 5)
    A1 = NoisyConsistentPoint(T, alpha / 8)
    return same_distributions(
        A1, m, lambda S: distribution_of_steps(S, T, noise(alpha), silent, base)
    )


def distributions(points: int, *masses: Fraction) -> Iterator[tuple[Fraction, ...]]:
    """Yield distributions that are uniform outside point 0, for several masses of point 0."""
    for p in (*masses, *(Fraction(k, 20) for k in range(20))):
        yield p, *[(1 - p) / (points - 1)] * (points - 1)


def chance_of_error(
    concept: int, D: Sequence[Fraction], distribution: Distribution[int | None], alpha: Fraction
) -> Fraction:
    """Return the probability of an error of at least ``alpha``, or of no answer."""
    bad = (
        rational(p)
        for h, p in distribution.items
        if h is None or disagreement(D, concept, h) >= alpha
    )
    return sum(bad, Fraction(0))


def answered(
    inner: PointMechanism, D: Sequence[Fraction], missing: Fraction, alpha: Fraction
) -> Fraction:
    """Return the failure probability on concept 0 if point 0 is missing with the given probability.

    The output distribution depends only on whether point 0 occurs in the sample.
    """
    seen, unseen = (inner.distribution([example]) for example in ((0, 1), (len(D) - 1, 0)))
    found = (1 - missing) * chance_of_error(1, D, seen, alpha)
    return found + missing * chance_of_error(1, D, unseen, alpha)


@claim(
    "bbkn/A1-utility",
    "section 4.2, utility of A1",
    "Utility of A1",
    Kind.LEMMA,
    over=table("alpha points", ("2/5", 3), ("2/5", 5), ("1/4", 4)).medium(("1/4", 8)),
    near=[
        near("One example fewer is enough.", examples=plus(-1)),
        near(
            "c has error at least 4/9 alpha with probability at most 1/4.",
            half=times(Fraction(8, 9)),
        ),
        near("The statement with 9/40 in place of 1/4.", quarter=times(Fraction(9, 10))),
        near("The statement with noise alpha/7.", noise=times(Fraction(8, 7))),
        near("A1 fails with probability at most 7/50.", failure=times(Fraction(7, 25))),
    ],
    uses=["bbkn/alg-A1"],
)
def constant_utility(
    alpha: str,
    points: int,
    *,
    examples: Size = quarter_examples,
    half: Formula = lambda alpha: alpha / 2,
    noise: Formula = lambda alpha: alpha / 8,
    quarter: Fraction = Fraction(1, 4),
    failure: Fraction = Fraction(1, 2),
) -> Decision:
    """From 2 ln 4 / alpha examples of a point function, c has error at least alpha/2 with
    probability at most 1/4, noise alpha/8 causes an error of at least alpha/2 with probability at
    most 1/4, and A1 has error at least alpha with probability at most 1/2.
    """
    a = Fraction(alpha)
    m, half_a, A1 = examples(a), half(a), NoisyConsistentPoint(points, noise(a))
    zero = A1.distribution([NULL])

    def steps(D: tuple[Fraction, ...]) -> Iterator[tuple[str, Decision]]:
        yield "c", at_most((1 - D[0]) ** m if D[0] >= half_a else Fraction(0), quarter)
        yield "noise", at_most(chance_of_error(0, D, zero, half_a), quarter)
        yield "A1", at_most(answered(A1, D, (1 - D[0]) ** m, 2 * half_a), failure)

    return all_of((list(map(str, D)), all_of(steps(D))) for D in distributions(points, half_a))
