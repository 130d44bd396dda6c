"""Section 4.1: the choosing mechanism."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import product

from ccsim.exact import Distribution, Epsilon, Interval
from ccsim.exact.exponentials import Real
from ccsim.privacy import AuditResult, QualityNeighbours, audit_by_qualities
from ccsim.privacy.mechanisms.choosing import (
    ChoosingMechanism,
    choosing_sample_size,
)
from proofs_check.claims.beimel_nissim_stemmer.constructions.choosing_on_counts import paper_delta
from proofs_check.claims.beimel_nissim_stemmer.constructions.choosing_threshold import (
    choosing_delta,
    largest_release,
)
from proofs_check.claims.beimel_nissim_stemmer.constructions.qualities import good_solutions
from proofs_check.claims.claim import Kind, claim
from proofs_check.claims.decision import Decision, Side, all_of, at_least, at_most, equal, holds
from proofs_check.claims.evidence import recheck
from proofs_check.claims.grid import grid, table
from proofs_check.claims.variants import near, plus, times

JUST_LESS, JUST_MORE = times(Fraction(999, 1000)), times(Fraction(1001, 1000))


def _count(database: Sequence[int], solution: int) -> int:
    return database.count(solution)


@cache
def _mechanism(solutions: int, threshold: str, growth: int) -> ChoosingMechanism:
    names = tuple(range(solutions))
    fields = (Fraction(1, 8), growth, threshold, Fraction(1), Fraction(1, 2))
    return ChoosingMechanism(names, names, _count, Epsilon.of("ln 16"), *fields, any_size=True)


@claim(
    "bns/alg-choosing",
    "Figure 8",
    "Choosing mechanism",
    Kind.DEFINITION,
    over=grid(threshold=["paper", "fixed"], growth=[1, 2]),
    near=[
        near("The noise has scale 40/(11 eps).", scale=times(Fraction(10, 11))),
        near("A solution is chosen with weight e^(11/40 eps q).", weight=times(Fraction(11, 10))),
        near("Solutions of quality 0 can be chosen.", least=plus(-1)),
        near("The threshold is larger by 1/2.", shift=plus(Fraction(1, 2))),
    ],
)
def choosing_distribution(
    threshold: str,
    growth: int,
    *,
    scale: Fraction = Fraction(4),
    weight: Fraction = Fraction(1, 4),
    least: int = 1,
    shift: Fraction = Fraction(0),
) -> Decision:
    """The mechanism adds Laplace noise of scale 4/eps to the best quality and compares it with the
    threshold alpha m / 2, or, for qualities of k-bounded growth, with the fixed threshold 1 +
    (4/eps) ln(k/(2 delta)). If the threshold is reached, a solution of quality at least 1 is output
    with probability proportional to e^(eps q / 4). Checked at e^eps = 16, delta = 1/8 for all
    counts of three points up to 4: there e^(eps/4) = 2, and the fixed threshold is 3 for growth 1
    and 4 for growth 2. The noise has median 0, and from 0 to x times its scale its tail decreases
    by the factor e^-x.
    """
    mechanism = _mechanism(3, threshold, growth)

    def cases() -> Iterator[tuple[object, Decision]]:
        for counts in product(range(5), repeat=3):
            size = sum(counts)
            middle = Fraction(size, 2) if threshold == "paper" else Fraction(2 + growth)
            above = max(counts) - middle - shift
            tail = Epsilon.of("ln 16").exp(-abs(above) / scale) / 2
            released = tail if above < 0 else 1 - tail
            weights = [Epsilon.of("ln 16").exp(weight * q) if q >= least else 0 for q in counts]
            expected: dict[int | None, Real] = {None: Fraction(1)}
            if any(weights):
                total = sum(weights, Fraction(0))
                expected = {i: released * w / total for i, w in enumerate(weights) if w}
                expected[None] = 1 - released
            found = mechanism.distribution_of_scores(counts, size).as_mapping()
            yield (
                counts,
                holds(found == Distribution.of(expected).as_mapping(), f"{threshold}, {counts}"),
            )

    return all_of(cases())


SETTINGS = [
    ("1", "2", "1/10", 3),
    ("1", "1", "1/10", 3),
    ("1", "2", "1/10", 4),
    ("1", "1", "1/100", 3),
]

Size = Callable[[Fraction, Fraction, Epsilon, Fraction], int]


@cache
def _paper(points: int, size: int, epsilon: str, accuracy: str) -> Interval:
    return paper_delta(points, size, Epsilon.of(epsilon), Fraction(accuracy))


@claim(
    "bns/lemma-4.4",
    "Lemma 4.4",
    "Privacy of the choosing mechanism",
    Kind.LEMMA,
    over=table("accuracy epsilon delta points", *SETTINGS),
    near=near("Two ninths of the records are enough.", size=times(Fraction(2, 9))),
    uses=["bns/def-4.2", "bns/prop-2.25", "bns/alg-choosing"],
)
def choosing_privacy(
    accuracy: str, epsilon: str, delta: str, points: int, *, size: Size = choosing_sample_size
) -> Decision:
    """For qualities of k-bounded growth, the choosing mechanism with threshold alpha m / 2 is (eps,
    delta)-private on m >= (16/(alpha eps)) ln(16 k / (alpha beta eps delta)) records. Checked for
    counts, where k = 1, and beta = 1/2: on the four instances it is private from 7, 11, 7 and 30
    records on, and the lemma requires 41, 93, 41 and 130.
    """
    stated = Fraction(accuracy), Fraction(1, 2), Epsilon.of(epsilon), Fraction(delta)
    needed = _paper(points, int(size(*stated)), epsilon, accuracy)
    return at_most(needed, Fraction(delta))


def _utility(accuracy: str, epsilon: str, failure: str, delta: str) -> ChoosingMechanism:
    domain = (0, 1)
    fields = (Fraction(delta), 1, "paper", Fraction(accuracy), Fraction(failure))
    return ChoosingMechanism(domain, domain, _count, Epsilon.of(epsilon), *fields, any_size=True)


@claim(
    "bns/lemma-4.5",
    "Lemma 4.5",
    "Utility of the choosing mechanism",
    Kind.LEMMA,
    over=table(
        "accuracy epsilon failure delta",
        ("1", "ln 9", "1/10", "1/10"),
        ("1", "ln 4", "1/10", "1/10"),
        ("1", "ln 6561", "1/1000000", "1/2"),
    ),
    near=near("Two fifths of the records are enough.", size=times(Fraction(2, 5))),
    uses=["bns/lemma-4.4", "bns/def-4.1"],
)
def choosing_utility(
    accuracy: str, epsilon: str, failure: str, delta: str, *, size: Size = choosing_sample_size
) -> Decision:
    """On the number of records of Lemma 4.4 the output is alpha-good, of quality at least max q -
    alpha m, except with probability beta; if max q < alpha m, outputting nothing is good. Checked
    for all counts on two points.
    """
    choosing = _utility(accuracy, epsilon, failure, delta)
    fields = choosing.accuracy, choosing.failure, choosing.epsilon, choosing.delta
    m = int(size(*fields))

    def bad(ones: int) -> Real:
        counts = m - ones, ones
        distribution = choosing.distribution_of_scores(counts, m)
        good_ones = good_solutions(counts, m, choosing.accuracy)
        wrong = sum((distribution[x] for x in (0, 1) if x not in good_ones), Fraction(0))
        return wrong + (distribution[None] if max(counts) >= choosing.accuracy * m else 0)

    return all_of((f"{ones} of {m}", at_most(bad(ones), choosing.failure)) for ones in range(m + 1))


@cache
def _audited(epsilon: str, growth: int, released: Fraction, most: int) -> AuditResult:
    choosing = ChoosingMechanism(
        (), tuple(range(growth + 1)), max, Epsilon.of(epsilon), Fraction(1, 8), growth,
        released=released,
    )  # fmt: skip
    every = QualityNeighbours.all_functions(growth + 1, most, growth)
    return recheck(
        audit_by_qualities(lambda q: choosing.distribution_of_scores(q, 0), epsilon, "1/8", every)
    )


@claim(
    "bns/choosing-fixed-threshold",
    "after Figure 8, not in the paper",
    "A threshold for the choosing mechanism on databases of any size",
    Kind.THEOREM,
    over=table("epsilon growth most", ("ln 16", 1, 5), ("ln 16", 2, 4), ("ln(81/16)", 1, 5)),
    near=[
        near(
            "For growth 11/10 the threshold of growth 1 is enough.", share=times(Fraction(11, 10))
        ),
        near(
            "The release probability is larger by 1/1000 than the least threshold allows.",
            largest=JUST_MORE,
        ),
        near("The least delta is 999/1000 of the delta of the formula.", formula=JUST_LESS),
        near("The least delta is 1001/1000 of the delta of the formula.", formula=JUST_MORE),
    ],
    uses=["bns/alg-choosing", "bns/def-4.2"],
)
def fixed_threshold(
    epsilon: str,
    growth: int,
    most: int,
    *,
    share: Fraction = Fraction(1),
    largest: Fraction = Fraction(1),
    formula: Fraction = Fraction(1),
) -> Decision:
    """With the threshold 1 + (4/eps) ln(k/(2 delta)) the choosing mechanism is (eps, delta)-private
    for all qualities of k-bounded growth, on databases of any size. With the threshold 1 + (4/eps)
    ln(1/(2 s)), a best quality of 1 is released with probability s; the least delta on k + 1
    solutions of quality at most M is then a maximum of M numbers, and it determines the largest s
    for a given delta, hence the least threshold. Checked at delta = 1/8 on all pairs of quality
    functions."""
    delta, privacy = Fraction(1, 8), Epsilon.of(epsilon)
    most_released = Fraction(1, 2)
    first = min(share * delta / growth, most_released)
    best = min(Fraction(str(largest_release(growth, privacy, delta))) * largest, most_released)

    def needed(released: Fraction) -> Side:
        found = _audited(epsilon, growth, released, most).least_delta
        assert found is not None  # noqa: S101 - nothing stops the audit
        return found

    return all_of(
        [
            ("fixed", at_most(needed(first), delta)),
            ("least", at_most(needed(best), delta)),
            (
                "formula",
                equal(needed(first), formula * choosing_delta(first, growth, privacy, most)),
            ),
            ("order", at_least(best, delta / growth)),
        ]
    )
