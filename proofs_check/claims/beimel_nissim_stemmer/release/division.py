"""Section 5.1: a sanitizer of labelled concepts from a sanitizer, and the resulting learner."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement, product
from typing import Any, TypeAlias

from ccsim.classes import Label
from ccsim.exact import Interval
from ccsim.exact.exponentials import enclose_log, rational
from ccsim.instances import parse_class
from proofs_check.claims.beimel_nissim_stemmer.constructions.accuracy_bound import least_accuracy
from proofs_check.claims.beimel_nissim_stemmer.constructions.labelled import labelled_class
from proofs_check.claims.beimel_nissim_stemmer.constructions.reductions.by_label import (
    DividedByLabel,
    Part,
)
from proofs_check.claims.beimel_nissim_stemmer.constructions.reductions.padding import PaddedByLabel
from proofs_check.claims.beimel_nissim_stemmer.constructions.reductions.sizes import (
    label_reduction,
    learning_size,
)
from proofs_check.claims.beimel_nissim_stemmer.constructions.utility import estimates_of
from proofs_check.claims.beimel_nissim_stemmer.release.labelled import (
    LN2,
    TWO,
    least_factor,
    noisy_count,
)
from proofs_check.claims.claim import Kind, Verdict, claim, not_checked
from proofs_check.claims.decision import Decision, above, all_of, at_least, at_most, equal
from proofs_check.claims.grid import table
from proofs_check.claims.variants import near, plus, times


def _far(first: tuple[Fraction, ...], second: tuple[Fraction, ...]) -> Fraction:
    return max(abs(a - b) for a, b in zip(first, second, strict=True))


def _label(point: Label) -> int:
    return int(str(point)[-1])


@cache
def _divided(block: int) -> DividedByLabel:
    return DividedByLabel(noisy_count(2, 1), TWO, block, LN2)


Groups: TypeAlias = tuple[tuple[int, ...], ...]
PAIRS: Groups = ((0, 1), (2, 3))


@claim(
    "bns/lemma-5.4-printed",
    "proof of Lemma 5.4",
    "The four outputs of Algorithm B are independent",
    Kind.ERRATUM,
    over=table("block database", (1, "0|0 0|1"), (2, "0|0 1|0 1|1")),
    near=near(
        "The joint distribution is the product over two pairs, one for each label.", groups=PAIRS
    ),
    recorded=Verdict.FAILS,
    survives="yes: even with a better parameter: the pair of a label is 2 epsilon-private and "
    "both pairs are independent, so Algorithm B is 4 epsilon-private",
)
def independent_outputs(
    block: int, database: str, *, groups: Groups = ((0,), (1,), (2,), (3,))
) -> Decision:
    """The proof adds the privacy parameters of the noisy numbers m_0, m_1 (epsilon each) and of the
    releases S_0, S_1 (2 epsilon each) by Theorem 2.3, which is about mechanisms with independent
    coins. Under this reading, the joint distribution of the four outputs is the product of their
    distributions. But m_y and S_y depend on the same noise.
    """
    distribution = _divided(block).distribution(database.split())
    flat: dict[tuple[Any, ...], Fraction] = {}
    for ((m0, s0), (m1, s1)), p in distribution.items:
        flat[m0, s0, m1, s1] = rational(p)

    def marginal(group: tuple[int, ...]) -> dict[tuple[Any, ...], Fraction]:
        found: defaultdict[tuple[Any, ...], Fraction] = defaultdict(Fraction)
        for outcome, p in flat.items():
            found[tuple(outcome[i] for i in group)] += p
        return found

    parts = [(group, marginal(group)) for group in groups]

    def as_product(outcome: tuple[Any, ...]) -> Decision:
        expected = Fraction(1)
        for group, part in parts:
            expected *= part[tuple(outcome[i] for i in group)]
        return equal(flat[outcome], expected)

    return all_of((outcome, as_product(outcome)) for outcome in flat)


def _logarithm(factor: Fraction, of: Fraction) -> Interval:
    ends = enclose_log(of)
    return Interval(factor * ends.lower, factor * ends.upper)


SMALL = tuple(map(Fraction, ("1/1000000", "1/10", "1/2", "9/10")))


@claim(
    "bns/lemma-5.4",
    "Lemma 5.4, with the privacy losses counted",
    "Algorithm B: a sanitizer of labelled concepts from a sanitizer",
    Kind.LEMMA,
    over=table("block records", (1, 3)).medium((2, 4)),
    near=[
        near(
            "Algorithm B is ln(396/25)-private at epsilon = ln 2.", factor=times(Fraction(99, 100))
        ),
        near("The error is at most a + (198/100) M / t.", lost=times(Fraction(99, 100))),
        near("t is at least 4/3 times its lower bound.", least=times(Fraction(4, 3))),
        near("t is at most 11/14 of its upper bound.", most=times(Fraction(11, 14))),
    ],
    corrects="bns/lemma-5.4-printed",
)
def divided_by_label(
    block: int,
    records: int,
    *,
    factor: Fraction = Fraction(16),
    lost: Fraction = Fraction(2),
    least: int = 100,
    most: int = 150,
) -> Decision:
    """From an epsilon-private sanitizer of C, Algorithm B is a 4 epsilon-private sanitizer of
    C^label (the paper has 6 epsilon), and no smaller parameter is enough. If the noise is at most
    M/2 and the releases are a-close to the padded records, the error of its database is at most a +
    2 M/t (the paper has 6 M/t). This is at most 5 alpha + 4 beta for a = 4 alpha + 4 beta and t =
    ceil(6/alpha^2) M. Moreover (100 m / alpha^2) ln(1/(alpha beta)) <= t <= (150/(alpha^2 beta))
    ln(2/(alpha beta)) (m + 1/epsilon). The privacy is checked by an audit at epsilon = ln 2, the
    error over all databases of 3 + M records, noisy numbers and releases of two entries, and the
    bounds on t on a grid.
    """
    divided = _divided(block)

    def sizes() -> Iterator[tuple[object, Decision]]:
        for a, b, epsilon, m in product(SMALL, SMALL, (Fraction(1, 8), Fraction(8)), (1, 99)):
            t = label_reduction(a, b, epsilon, m).size
            lower = _logarithm(least * m / a**2, 1 / (a * b))
            upper = _logarithm(most / (a**2 * b) * (m + 1 / epsilon), 2 / (a * b))
            yield (
                (a, b, epsilon, m),
                all_of([("least", at_least(t, lower)), ("most", at_most(t, upper))]),
            )

    stated = label_reduction("1/10", "1/20", "ln 2", records)
    return all_of(
        [
            ("stated epsilon", equal(stated.counted_epsilon.exp(), 16)),
            ("stated accuracy", equal(stated.labelled_accuracy, Fraction(5, 10) + Fraction(4, 20))),
            ("privacy", equal(least_factor(divided, records), factor)),
            ("error", _error_of_division(divided, 3 + block, lost)),
            ("size", all_of(sizes())),
        ]
    )


def _error_of_division(divided: DividedByLabel, t: int, lost: Fraction) -> Decision:
    """Compare the error with the bound that follows from the releases and the changed numbers."""
    labelled, M = labelled_class(TWO), divided.block
    multiples = range(0, t + M, M)

    def near_by(chosen: list[int]) -> Iterator[tuple[Part, Fraction]]:
        for number in multiples:
            if abs(number - len(chosen)) <= M:
                padded = tuple((chosen + [0] * number)[:number])
                for release in combinations_with_replacement((0, 1), 2 if number else 0):
                    far = _far(estimates_of(TWO, padded), estimates_of(TWO, release))
                    yield (number, release), far

    def cases() -> Iterator[tuple[object, Decision]]:
        for D in combinations_with_replacement(labelled.points, t):
            true = estimates_of(labelled, D)
            parts = [[int(str(z)[0]) for z in D if _label(z) == y] for y in (0, 1)]
            for (first, a), (second, b) in product(near_by(parts[0]), near_by(parts[1])):
                bound = max(a, b) + lost * M / t
                if first[0] + second[0] and bound < 1:
                    found = estimates_of(labelled, divided.database((first, second)))
                    yield (D, first, second), at_most(_far(true, found), bound)

    return all_of(cases())


@claim(
    "bns/lemma-5.4-padding",
    "Lemma 5.4, simpler",
    "A sanitizer of labelled concepts for the same number of records, by padding",
    Kind.THEOREM,
    over=table("instance m", ("points:b=1", 3), ("points:b=1", 2), ("thresholds:b=1", 2)),
    near=[
        near(
            "The sanitizer is ln(198/25)-private at epsilon = ln 2.",
            factor=times(Fraction(99, 100)),
        ),
        near("The error is at most 1.98 alpha + k/m.", twice=times(Fraction(99, 100))),
        near("The error is at most 2 alpha + 99/100 k/m.", noise=times(Fraction(99, 100))),
    ],
    uses=["bns/def-label"],
)
def padded_by_label(
    instance: str,
    m: int,
    *,
    factor: Fraction = Fraction(8),
    twice: Fraction = Fraction(2),
    noise: Fraction = Fraction(1),
) -> Decision:
    """From an (alpha, beta, epsilon, m)-sanitizer of C, padding the records of each label with
    copies of one point gives an improper sanitizer of C^label for m records. It is 3
    epsilon-private, and no smaller parameter is enough at m = 3. If the releases for both labels
    are alpha-close and the noise added to the number of ones is k, the error is at most 2 alpha +
    k/m. The privacy is checked by an audit at epsilon = ln 2, and the error for all databases of m
    examples, numbers, and releases of two entries.
    """
    C = parse_class(instance)
    padded = PaddedByLabel(noisy_count(2, m), C, LN2)
    labelled = labelled_class(C)
    releases = list(combinations_with_replacement(C.points, 2))

    def cases() -> Iterator[tuple[object, Decision]]:
        for D in combinations_with_replacement(labelled.points, m):
            true, ones = estimates_of(labelled, D), sum(map(_label, D))
            wholes = [tuple(int(str(z)[0]) if _label(z) == y else 0 for z in D) for y in (0, 1)]
            offs = [
                [(R, _far(estimates_of(C, whole), estimates_of(C, R))) for R in releases]
                for whole in wholes
            ]
            for (R, a), (T, b), shown in product(offs[0], offs[1], range(m + 1)):
                found = padded.estimates(((m - shown, R), (shown, T)))
                bound = twice * max(a, b) + noise * abs(shown - ones) / m
                yield (D, R, T, shown), at_most(_far(true, found.values), bound, trivial=1)

    private = at_most(least_factor(padded, m), factor)
    return all_of([("privacy", private), ("error", all_of(cases()))])


def _gamma(alpha: Fraction, beta: Fraction) -> Fraction:
    return 5 * alpha + 4 * beta


@claim(
    "bns/thm-5.5",
    "Theorem 5.5",
    "Learner from a sanitizer",
    Kind.THEOREM,
    over=table("accuracy failure records", ("1/20", "1/50", 99), ("1/150", "1/150", 3)),
    near=[
        near(
            "The statement for failure probabilities up to 31/100.", failures=plus(Fraction(1, 50))
        ),
        near("The number of examples is enough for gamma/52.", gamma=times(Fraction(1, 52))),
    ],
    uses=["bns/lemma-5.3", "bns/lemma-5.4", "bns/thm-2.20"],
)
def learner_of_a_sanitizer(
    accuracy: str,
    failure: str,
    records: int,
    *,
    failures: Fraction = Fraction(29, 100),
    gamma: Callable[[Fraction, Fraction], Fraction] = _gamma,
) -> Decision:
    """For alpha, epsilon <= 1/8, an (alpha, beta, epsilon, m)-sanitizer of C gives a proper (15
    alpha + 12 beta, 10 beta, 6 epsilon, t)-learner of C with t = O(m). The learner is even 4
    epsilon-private. The corrected Theorem 2.20 gives m >= VC/2 for failure probabilities up to
    29/100; this covers all beta with 10 beta < 1. Hence the t of Lemma 5.4 at epsilon = 1/8 is
    enough for Lemma 5.3 with gamma = 5 alpha + 4 beta. This t is more than 1000 times as large as
    necessary.
    """
    a, b = Fraction(accuracy), Fraction(failure)
    made = label_reduction(a, b, "1/8", records)
    size = made.size
    return all_of(
        [
            ("accuracy", equal(made.learner_accuracy, 15 * a + 12 * b)),
            ("failure", equal(made.learner_failure, 10 * b)),
            ("VC", above(least_accuracy(failures, "1/8"), Fraction(1, 8))),
            ("size", at_least(size, learning_size(2 * records, gamma(a, b), 5 * b))),
        ]
    )


rem_5_6 = not_checked(
    "bns/rem-5.6",
    "Remark 5.6",
    "Efficiency of the reduction",
    Kind.REMARK,
    "Given an efficient proper sanitizer and an efficient nonprivate learner, the "
    "reduction is an efficient private learner.",
    reason="a statement about the running time of arbitrary algorithms: the reduction "
    "calls the sanitizer twice and the learner once",
    uses=["bns/thm-5.5"],
)
