"""Section 2.5: Laplace noise and sensitivity, and the generic private learner."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations_with_replacement, product
from typing import Any, TypeAlias

from ccsim.exact import Epsilon
from ccsim.exact.exponentials import Real, exponential
from ccsim.instances import parse_class
from ccsim.learning import PrivateOccam
from ccsim.learning.learners.occam import Example, empirical_errors, labelled_examples
from ccsim.privacy import Composed, Mechanism, NoisyThreshold, audit, laplace_tail
from ccsim.privacy.neighbours import sensitivity
from proofs_check.claims.claim import Kind, claim
from proofs_check.claims.decision import Decision, all_of, at_least, at_most, equal
from proofs_check.claims.evidence import recheck
from proofs_check.claims.grid import grid
from proofs_check.claims.variants import near, times

Vector: TypeAlias = tuple[int, ...]
STEP = Fraction(1, 64)
LN4 = Epsilon.of("ln 4")
JUST_LESS = times(Fraction(999, 1000))


@claim(
    "bns/def-2.22",
    "Definition 2.22",
    "Laplace distribution",
    Kind.DEFINITION,
    over=grid(scale=["1/2", "1", "3"]),
    near=[
        near("The density is 65/128 e^(-|x|/b) / b.", height=times(Fraction(65, 64))),
        near("The scale is 65/64 b.", width=times(Fraction(65, 64))),
    ],
)
def laplace_distribution(
    scale: str, *, height: Fraction = Fraction(1, 2), width: Fraction = Fraction(1)
) -> Decision:
    """Lap(b) has density e^(-|x|/b) / (2b). The tail probabilities used for noise are those of this
    distribution: between x and x + h they decrease by h times a value of the density in this
    interval, for x from -3b to 3b and h = b/64; and they are symmetric.
    """
    b = Fraction(scale)
    w = width * b

    def density(x: Fraction) -> Real:
        return height / w * exponential(-abs(x) / w)

    def tail(x: Fraction) -> Real:
        return laplace_tail(Epsilon(x), b)

    def cases() -> Iterator[tuple[object, Decision]]:
        h = STEP * b
        for i in range(-24, 24):
            x = i * b / 8
            fall, ends = tail(x) - tail(x + h), (density(x), density(x + h))
            yield f"at most, at {x}", at_most(fall, h * max(ends))
            yield f"at least, at {x}", at_least(fall, h * min(ends))
            yield f"symmetric at {x}", equal(tail(x) + tail(-x), 1)

    return all_of(cases())


def _taxicab(first: Vector, second: Vector) -> int:
    return sum(abs(a - b) for a, b in zip(first, second, strict=True))


def _largest(first: Vector, second: Vector) -> int:
    return max(abs(a - b) for a, b in zip(first, second, strict=True))


def _one_apart(m: int) -> Iterator[tuple[Vector, Vector]]:
    for S, T in product(product(range(3), repeat=m), repeat=2):
        if sum(x != y for x, y in zip(S, T, strict=True)) == 1:
            yield S, T


def _one_more(m: int) -> Iterator[tuple[Vector, Vector]]:
    for S in product(range(3), repeat=m):
        yield S, S[:-1]


def _histogram(database: Vector) -> Vector:
    return tuple(database.count(x) for x in range(3))


QUERIES: dict[str, Callable[[Vector], Vector]] = {
    "one count": lambda D: (D.count(1),),
    "all counts": _histogram,
    "sum": lambda D: (sum(D),),
    "counts below": lambda D: tuple(sum(x < t for x in D) for t in (1, 2)),
    "distinct records": lambda D: (len(set(D)),),
}


@claim(
    "bns/def-2.23",
    "Definition 2.23",
    "Sensitivity",
    Kind.DEFINITION,
    over=grid(query=sorted(QUERIES), m=[1, 2, 3]),
    near=[
        near("The sensitivity is the largest change of a coordinate.", norm=_largest),
        near("Neighbours are databases with and without a record.", pairs=_one_more),
    ],
    uses=["bns/def-2.1"],
)
def sensitivity_by_definition(
    query: str,
    m: int,
    *,
    norm: Callable[[Vector, Vector], int] = _taxicab,
    pairs: Callable[[int], Iterator[tuple[Vector, Vector]]] = _one_apart,
) -> Decision:
    """f has sensitivity k if |f(D) - f(D')|_1 <= k for all neighbours D, D'. The sensitivity is the
    least such k.
    """
    f = QUERIES[query]
    stated = max(norm(f(S), f(T)) for S, T in pairs(m))
    return equal(sensitivity(f, range(3), m), stated)


def _above(
    f: Callable[[Vector], Vector], m: int, k: Fraction
) -> Iterator[tuple[object, Composed[Any]]]:
    """Yield, for some thresholds, the mechanism that compares each noisy coordinate with one."""

    def coordinate(i: int, threshold: Fraction) -> Mechanism[Any, Any]:
        return NoisyThreshold(range(3), lambda D: f(D)[i], LN4, LN4 * (threshold / k), k)

    for thresholds in product((-1, 1, m + 1), repeat=len(f((0,) * m))):
        parts = (coordinate(i, Fraction(t)) for i, t in enumerate(thresholds))
        yield thresholds, Composed(tuple(parts))


@claim(
    "bns/thm-2.24",
    "Theorem 2.24",
    "Laplace mechanism",
    Kind.THEOREM,
    over=grid(query=["one count", "all counts", "sum", "counts below"], m=[1, 2]),
    near=[
        near("The mechanism is private with 999/1000 of e^eps.", factor=JUST_LESS),
        near("The statement with noise for the largest change of a coordinate.", norm=_largest),
        near("The bound on large noise is 999/1000 of the stated one.", bound=JUST_LESS),
    ],
    uses=["bns/def-2.22", "bns/def-2.23"],
)
def laplace_mechanism(
    query: str,
    m: int,
    *,
    factor: Fraction = Fraction(4),
    norm: Callable[[Vector, Vector], int] = _taxicab,
    bound: Fraction = Fraction(1),
) -> Decision:
    """Adding noise Lap(k/eps) to each of n coordinates of a function of sensitivity k is
    eps-private, and some coordinate of the noise exceeds t in absolute value with probability at
    most n e^(-eps t / k). Checked at e^eps = 4 on the events that compare each coordinate with -1,
    1 or m + 1, some of which attain e^eps; and for t from k to 6 k.
    """
    f = QUERIES[query]
    k = Fraction(max(norm(f(S), f(T)) for S, T in _one_apart(m)))
    n = len(f((0,) * m))

    def cases() -> Iterator[tuple[object, Decision]]:
        for thresholds, mechanism in _above(f, m, k):
            found = recheck(audit(mechanism, LN4, Fraction(0), m)).factor
            yield ("privacy", thresholds), at_most(found or 0, factor)
        for t in range(1, 7):
            quiet = 1 - 2 * laplace_tail(LN4 * t)
            limit = bound * n * LN4.exp(-t)
            yield ("noise above", t), at_most(1 - quiet**n, limit, trivial=1)

    return all_of(cases())


def _few_kinds(num_points: int, m: int) -> Iterator[list[Example]]:
    """Yield the samples with at most two distinct examples."""
    for first, second in combinations_with_replacement(labelled_examples(num_points), 2):
        for copies in range(1, m + 1):
            yield [first] * copies + [second] * (m - copies)


@claim(
    "bns/klnrs",
    "after Proposition 2.25, cited",
    "Generic private learner",
    Kind.THEOREM,
    over=grid(instance=["points:b=1", "points:b=3", "thresholds:b=3"], m=[4, 8]),
    near=[
        near("The statement with 9/11 of the hypotheses.", share=times(Fraction(9, 11))),
        near("The bound with the additional factor (20/21)^(t m).", decay=times(Fraction(21, 20))),
    ],
    uses=["bns/prop-2.25", "bns/def-2.8"],
)
def generic_learner(
    instance: str, m: int, *, share: Fraction = Fraction(1), decay: Fraction = Fraction(2)
) -> Decision:
    """The exponential mechanism over H, with the number of correct labels as quality, outputs a
    hypothesis whose empirical error exceeds the minimum over H by more than t with probability at
    most |H| e^(-eps t m / 2). Checked at e^eps = 4, on all samples of at most two different
    examples, for every t.
    """
    C = parse_class(instance)
    learner = PrivateOccam(len(C.points), C.rows, LN4)

    def cases() -> Iterator[tuple[object, Decision]]:
        for S in _few_kinds(len(C.points), m):
            distribution = [(empirical_errors(S, h), p) for h, p in learner.distribution(S).items]
            least = min(errors for errors, _ in distribution)
            for excess in range(1, m + 1):
                bad: Sequence[Real] = [p for errors, p in distribution if errors >= least + excess]
                limit = share * len(C.rows) / decay**excess
                yield (S, excess), at_most(sum(bad, Fraction(0)), limit, trivial=1)

    return all_of(cases())
