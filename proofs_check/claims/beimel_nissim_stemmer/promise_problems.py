"""Section 3.3, before the algorithm: quasi-concave functions, and problems with a promise."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement, product
from typing import TypeAlias

from ccsim.exact import Epsilon
from ccsim.exact.steps import StepFunction
from ccsim.learning.learners.thresholds import threshold_agreement
from ccsim.privacy.mechanisms.recursive_concave import RecConcave
from proofs_check.claims.claim import Kind, claim
from proofs_check.claims.decision import Decision, all_of, at_most, equal, holds
from proofs_check.claims.grid import grid, table
from proofs_check.claims.variants import near, plus

Triple: TypeAlias = tuple[int, int, int]
Example: TypeAlias = tuple[int, int]


def _all_triples(length: int) -> Iterator[Triple]:
    yield from combinations_with_replacement(range(length), 3)


def _adjacent(length: int) -> Iterator[Triple]:
    return ((i - 1, i, i + 1) for i in range(1, length - 1))


@claim(
    "bns/def-3.6",
    "Definition 3.6",
    "Quasi-concavity",
    Kind.DEFINITION,
    over=grid(length=[1, 3, 4, 5], values=[3]).medium(values=[4]),
    near=[
        near("Q(l) >= max{Q(i), Q(j)}.", bound=max),
        near("Q(l) >= (Q(i) + Q(j))/2.", bound=lambda a, b: (a + b) / 2),
        near("The condition is required only for i = l - 1 and j = l + 1.", triples=_adjacent),
    ],
)
def quasi_concavity(
    length: int,
    values: int,
    *,
    bound: Callable[[Fraction, Fraction], Fraction] = min,
    triples: Callable[[int], Iterator[Triple]] = _all_triples,
) -> Decision:
    """Q is quasi-concave if Q(l) >= min{Q(i), Q(j)} for all i <= l <= j. Equivalently, for every v
    the points where Q is at least v form an interval. Both definitions are compared with the
    program for every function with the given number of values.
    """

    def cases() -> Iterator[tuple[object, bool]]:
        for listed in product(range(values), repeat=length):
            q = [Fraction(v) for v in listed]
            stated = all(q[k] >= bound(q[i], q[j]) for i, k, j in triples(length))
            runs = all(_is_interval([x for x in range(length) if q[x] >= v]) for v in set(q))
            found = StepFunction.of(q).is_quasi_concave()
            yield listed, stated == runs == found

    return all_of(cases(), "by triples, by levels, and by the program alike")


def _is_interval(points: Sequence[int]) -> bool:
    return len(points) == points[-1] - points[0] + 1


@cache
def _distribution(promise: Fraction, accuracy: Fraction) -> RecConcave:
    eighth = Fraction(1, 8)
    return RecConcave(promise, accuracy, Epsilon.of("ln 4"), eighth, depth=2, base=2)


@claim(
    "bns/def-3.7",
    "Definition 3.7",
    "Quasi-concave promise problems",
    Kind.DEFINITION,
    over=table("accuracy promise", ("1/2", 4), ("1/4", 4)),
    near=[
        near("The statement without quasi-concavity.", quasi_concave=lambda q: True),
        near(
            "The statement without a solution of quality r.", reached=lambda best, r: best >= r / 2
        ),
        near("A quality of (1 - alpha) r is not good.", better=operator.gt),
    ],
    uses=["bns/def-3.6"],
)
def promise_problems(
    accuracy: str,
    promise: int,
    *,
    quasi_concave: Callable[[StepFunction], bool] = StepFunction.is_quasi_concave,
    reached: Callable[[Fraction, Fraction], bool] = operator.ge,
    better: Callable[[Fraction, Fraction], bool] = operator.ge,
) -> Decision:
    """If Q(S, .) is quasi-concave and some solution has quality at least r, then a good output has
    quality at least (1 - alpha) r; otherwise every output is good. So the good outputs form a
    nonempty interval, and the failure probability of RecConcave is the probability of qualities
    below (1 - alpha) r under its output distribution. Checked for all functions with values 0, r/2,
    3r/4 and r on 4 solutions.
    """
    r, alpha = Fraction(promise), Fraction(accuracy)
    enough = (1 - alpha) * r

    def cases() -> Iterator[tuple[object, Decision]]:
        for listed in product(sorted({Fraction(0), r / 2, 3 * r / 4, r}), repeat=4):
            q = StepFunction.of(listed)
            if not (quasi_concave(q) and reached(q.highest, r)):
                continue
            good = [x for x in range(4) if better(listed[x], enough)]
            named = list(map(str, listed))
            one = bool(good) and _is_interval(good)
            yield (named, "interval"), holds(one, f"good outputs {good} are an interval")
            distribution = _distribution(r, alpha).distribution(q)
            missed = sum((distribution.value(x, x) for x in range(4) if x not in good), Fraction(0))
            yield (named, "missed"), equal(distribution.probability_below(enough), missed)

    return all_of(cases())


def _labelled(m: int, bits: int) -> Iterator[tuple[tuple[Example, ...], int]]:
    """Yield the samples of ``m`` examples labelled by a threshold, each with its threshold."""
    for chosen in combinations_with_replacement(range(2**bits), m):
        for j in range(2**bits + 1):
            yield tuple((x, int(x < j)) for x in chosen), j


def _other_way(m: int, bits: int) -> Iterator[tuple[tuple[Example, ...], int]]:
    """Yield the samples of `_labelled` with the first label changed."""
    for S, j in _labelled(m, bits):
        (x, label), *rest = S
        yield ((x, 1 - label), *rest), j


Samples: TypeAlias = Callable[[int, int], Iterable[tuple[tuple[Example, ...], int]]]


@claim(
    "bns/ex-3.8",
    "Example 3.8",
    "The agreement of thresholds is quasi-concave",
    Kind.EXAMPLE,
    over=grid(m=[1, 2, 3, 4], bits=[1, 2]).medium(m=[5, 6], bits=[1, 2, 3]),
    near=[
        near("The statement for samples with one changed label.", samples=_other_way),
        near("The target has quality m + 1.", target=plus(1)),
        near("A quality of (1 - alpha) m - 1 is enough.", enough=plus(-1)),
    ],
    uses=["bns/def-3.7", "bns/def-2.8"],
)
def agreement(
    m: int,
    bits: int,
    *,
    samples: Samples = _labelled,
    target: Callable[[int], int] = int,
    enough: Callable[[Fraction], Fraction] = Fraction,
) -> Decision:
    """On a sample of m examples labelled by c_j of THRESH_d, the number Q(S, k) of examples that
    c_k labels correctly is quasi-concave in k, and equal to m at k = j. Moreover c_k has empirical
    error at most alpha if and only if Q(S, k) >= (1 - alpha) m. Checked for all such samples, and
    alpha = 0, 1/m, ..., 1."""

    def cases() -> Iterator[tuple[object, Decision]]:
        for S, j in samples(m, bits):
            Q = threshold_agreement(S, bits)
            yield (S, "shape"), holds(Q.is_quasi_concave(), "Q is quasi-concave")
            yield (S, j), equal(Q(j), target(m))
            for k in range(2**bits + 1):
                error = Fraction(sum((x < k) != y for x, y in S), m)
                for wrong in range(m + 1):
                    alpha = Fraction(wrong, m)
                    alike = (error <= alpha) == (Q(k) >= enough((1 - alpha) * m))
                    yield (S, k, str(alpha)), holds(alike, "small error, large quality")

    return all_of(cases())


def _inconsistent(m: int, bits: int) -> Iterator[tuple[Example, ...]]:
    """Yield the samples that are consistent with no threshold."""
    examples = [(x, label) for x in range(2**bits) for label in (0, 1)]
    for S in combinations_with_replacement(examples, m):
        zeros, ones = ([x for x, label in S if label == wanted] for wanted in (0, 1))
        if zeros and ones and max(ones) >= min(zeros):
            yield S


@claim(
    "bns/rem-3.9",
    "Remark 3.9",
    "Agreement that is not quasi-concave",
    Kind.REMARK,
    over=grid(m=[2, 3], bits=[1, 2]),
    near=[
        near("For these samples Q is below m - 1.", most=plus(-1)),
        near("For these samples Q is never quasi-concave.", quantifier=all),
        near(
            "For these samples Q is always quasi-concave.",
            quantifier=lambda truths: not any(truths),
        ),
    ],
    uses=["bns/ex-3.8"],
)
def inconsistent_samples(
    m: int,
    bits: int,
    *,
    most: Callable[[int], int] = lambda m: m - 1,
    quantifier: Callable[[Iterable[bool]], bool] = any,
) -> Decision:
    """If no threshold labels a sample, no k has Q(S, k) = m, so the promise r = m is not satisfied;
    and Q is not quasi-concave for some of these samples. The smallest is ((0, 0), (1, 1)) over two
    points, where the values of Q are 1, 0, 1."""
    known = {S: threshold_agreement(S, bits) for S in _inconsistent(m, bits)}
    bounds = ((S, at_most(Q.highest, most(m))) for S, Q in known.items())
    bent = quantifier(not Q.is_quasi_concave() for Q in known.values())
    smallest = [int(v) for v in threshold_agreement([(0, 0), (1, 1)], 1).values]
    return all_of(
        [
            ("promise", all_of(bounds)),
            ("shape", holds(bool(bent), f"not quasi-concave, of {len(known)} samples")),
            ("the smallest", holds(smallest == [1, 0, 1], f"Q = {smallest}")),
        ]
    )
