"""Sections 2.2 and 2.3: errors, PAC learning and private learning, checked literally."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import product
from math import comb, prod
from typing import Any, TypeAlias

import numpy as np

from ccsim import ConceptClass
from ccsim.exact import Epsilon
from ccsim.exact.epsilon import arithmetic
from ccsim.exact.exponentials import Real
from ccsim.instances import parse_class
from ccsim.learning import Target, worst_failure
from ccsim.learning.learners.occam import Example, empirical_errors, labelled_examples
from ccsim.privacy import Deterministic, Mechanism, audit
from ccsim.privacy.mechanisms.stable_choice import release_probability
from proofs_check.claims.beimel_nissim_stemmer.constructions.approximate_points import (
    ApproximatePoints,
)
from proofs_check.claims.claim import Kind, claim
from proofs_check.claims.decision import Decision, all_of, at_least, at_most, below, equal, holds
from proofs_check.claims.evidence import recheck
from proofs_check.claims.grid import grid, table
from proofs_check.claims.grids import distributions_with_denominator
from proofs_check.claims.variants import near, times

Sample: TypeAlias = Sequence[Example]
DISTRIBUTIONS_OF = 6
"""The denominator of distributions that are listed."""


def _labels(row: int, size: int) -> tuple[int, ...]:
    return tuple(row >> x & 1 for x in range(size))


@claim(
    "bns/def-2.6",
    "Definition 2.6",
    "Generalisation error",
    Kind.DEFINITION,
    over=grid(points=[2, 3]),
    near=[
        near(
            "All points of the distribution have equal weight.",
            copies=lambda weight: int(weight > 0),
        ),
        near("The error is the probability that h(x) = 1 and c(x) = 0.", differ=operator.gt),
    ],
)
def generalization_error(
    points: int,
    *,
    copies: Callable[[Fraction], int] = lambda weight: int(weight * DISTRIBUTIONS_OF),
    differ: Callable[[int, int], bool] = operator.ne,
) -> Decision:
    """The error of h for c and D is the probability that h(x) differs from c(x), where x is drawn
    from D. Checked against the fraction of equally likely draws, for all h, c and D."""

    def cases() -> Iterator[tuple[object, Decision]]:
        for D in distributions_with_denominator(points, DISTRIBUTIONS_OF):
            drawn = [x for x, weight in enumerate(D) for _ in range(copies(weight))]
            for c, h in product(range(2**points), repeat=2):
                target = Target(tuple(range(points)), D, _labels(c, points))
                error = target.error(np.array(_labels(h, points), dtype=np.bool_))
                wrong = sum(differ(h >> x & 1, c >> x & 1) for x in drawn)
                yield (c, h, list(map(str, D))), equal(error, Fraction(wrong, len(drawn)))

    return all_of(cases())


@claim(
    "bns/def-2.8",
    "Definition 2.8",
    "Empirical error",
    Kind.DEFINITION,
    over=grid(points=[2], m=[1, 2, 3]),
    near=[
        near("A repeated example counts once.", counted=lambda S: sorted(set(S))),
        near(
            "The empirical error is the fraction of the examples for which y equals h(x).",
            differ=operator.eq,
        ),
    ],
    uses=["bns/def-2.6"],
)
def empirical_error(
    points: int,
    m: int,
    *,
    counted: Callable[[Sample], Sample] = list,
    differ: Callable[[int, int], bool] = operator.ne,
) -> Decision:
    """The empirical error of h on a labelled sample is the fraction of the examples (x, y), with
    their multiplicities, for which y differs from h(x). If a concept gives the labels, it is the
    generalisation error for the distribution that draws one of the examples uniformly."""

    def cases() -> Iterator[tuple[object, Decision]]:
        for S, h in product(product(labelled_examples(points), repeat=m), range(2**points)):
            chosen = counted(S)
            wrong = Fraction(sum(differ(h >> x & 1, y) for x, y in chosen), len(chosen))
            yield (S, h), equal(Fraction(empirical_errors(S, h), m), wrong)
            seen = dict(S)
            if all(seen[x] == y for x, y in S):
                drawn = [x for x, _ in S]
                masses = tuple(Fraction(drawn.count(x), m) for x in seen)
                target = Target(tuple(seen), masses, tuple(seen.values()))
                values = np.array([h >> x & 1 for x in seen], dtype=np.bool_)
                yield (S, h, "drawn from"), equal(target.error(values), wrong)

    return all_of(cases())


def _fewest_ones(sample: Sample) -> int:
    """Return the consistent threshold ``x < j`` with the least ``j``."""
    return (1 << max((x + 1 for x, y in sample if y), default=0)) - 1


def _memory(sample: Sample) -> int:
    """Return the function that is 1 exactly on the positive examples."""
    return sum(1 << x for x in {x for x, y in sample if y})


@claim(
    "bns/def-2.7",
    "Definition 2.7",
    "PAC learning",
    Kind.DEFINITION,
    over=grid(m=[1, 2, 3], accuracy=["1/4", "1/2"]).medium(m=[4]),
    near=[
        near("The failure probability is smaller by 1/100.", failure=times(Fraction(99, 100))),
        near("An error of exactly alpha is too large.", beyond=operator.ge),
        near("The statement for a learner that memorises the positive examples.", learner=_memory),
    ],
    uses=["bns/def-2.6"],
)
def pac_learning(
    m: int,
    accuracy: str,
    *,
    failure: Callable[[Fraction, int], Fraction] = lambda alpha, m: (1 - alpha) ** m,
    beyond: Callable[[Fraction, Fraction], bool] = operator.gt,
    learner: Callable[[Sample], int] = _fewest_ones,
) -> Decision:
    """A learner is an (alpha, beta, m)-PAC learner if its hypothesis is alpha-good with probability
    at least 1 - beta, for every concept and distribution. It is proper if all its hypotheses are
    concepts. The consistent threshold with the fewest ones, over two points, is a proper learner,
    and its least beta is (1 - alpha)^m, which no distribution attains."""
    C, alpha = ConceptClass.from_rows([0b00, 0b01, 0b11], range(2)), Fraction(accuracy)
    size, beta = len(C.points), failure(alpha, m)

    def missed(row: int, D: Sequence[Fraction]) -> Fraction:
        total = Fraction(0)
        for drawn in product(range(size), repeat=m):
            wrong = row ^ learner([(x, row >> x & 1) for x in drawn])
            error = sum((D[x] for x in range(size) if wrong >> x & 1), Fraction(0))
            total += beyond(error, alpha) * prod((D[x] for x in drawn), start=Fraction(1))
        return total

    mechanism = Deterministic(labelled_examples(size), learner)
    worst = worst_failure(mechanism, C, m, accuracy)  # type: ignore[arg-type]
    examples = ([(x, row >> x & 1) for x in range(size)] for row in C.rows)
    outputs = {learner(S) for known in examples for S in product(known, repeat=m)}
    grid_of_distributions = (
        ((row, list(map(str, D))), below(missed(row, D), beta))
        for D in distributions_with_denominator(size, 8)
        for row in C.rows
    )
    mass = alpha + Fraction(1, 1000)  # of the last point, which the target 11 alone has
    seldom = missed(0b11, (1 - mass, mass))
    return all_of(
        [
            ("proper", holds(outputs <= set(C.rows), f"hypotheses {sorted(outputs)}")),
            ("a mass just above alpha", equal(seldom, failure(mass, m))),
            ("listed distributions", all_of(grid_of_distributions)),
            ("a distribution that is found", below(worst.lower, beta)),
            ("all distributions", at_least(worst.upper, beta)),
        ]
    )


def _published(_size: int, _delta: Fraction) -> Mechanism[Any, Any]:
    return Deterministic(labelled_examples(2), _memory)


def _released(size: int, delta: Fraction) -> Mechanism[Any, Any]:
    return ApproximatePoints(size, Epsilon.of("ln 4"), delta, proper=False)


@claim(
    "bns/def-2.15",
    "Definition 2.15",
    "Private PAC learning",
    Kind.DEFINITION,
    over=table("m accuracy delta", (2, "1/4", "1/8"), (3, "1/4", "1/8"), (3, "1/2", "1/20")),
    near=[
        near("The failure probability is smaller by 1/100.", failure=times(Fraction(99, 100))),
        near("The mechanism is private with 999/1000 of delta.", slack=times(Fraction(999, 1000))),
        near(
            "The statement for a learner that publishes the positive examples.", learner=_published
        ),
        near("The learner is proper.", hypotheses=lambda C: set(C.rows)),
    ],
    uses=["bns/def-2.2", "bns/def-2.7"],
)
def private_learning(
    m: int,
    accuracy: str,
    delta: str,
    *,
    failure: Fraction = Fraction(1),
    slack: Fraction = Fraction(1),
    learner: Callable[[int, Fraction], Mechanism[Any, Any]] = _released,
    hypotheses: Callable[[ConceptClass], set[int]] = lambda C: {0, *C.rows},
) -> Decision:
    """An (alpha, beta, eps, delta, m)-PPAC learner for C using H is (eps, delta)-private on all
    databases of m labelled examples, consistent or not, and an (alpha, beta, m)-PAC learner using
    H. Checked for two points, where H contains the class and the zero function: the learner runs
    A_dist on the positive examples, and outputs zero if A_dist outputs nothing, with e^eps = 4. Its
    least beta is the probability of failure for a target of mass slightly above alpha.
    """
    C, alpha, d = parse_class("points:b=1"), Fraction(accuracy), Fraction(delta)
    mechanism, epsilon = learner(2, d), Epsilon.of("ln 4")
    private = recheck(audit(mechanism, epsilon, slack * d, m)).least_delta or 0
    worst = worst_failure(mechanism, C, m, alpha, gap="1/10000")

    def silent(ones: int) -> Real:
        released: Real = release_probability(ones, d, arithmetic(epsilon)) if ones else Fraction(0)
        return 1 - released

    chances = (comb(m, k) * alpha**k * (1 - alpha) ** (m - k) * silent(k) for k in range(m + 1))
    beta = failure * sum(chances, Fraction(0))
    outputs = {
        h for S in product(mechanism.records, repeat=m) for h, _ in mechanism.distribution(S).items
    }
    return all_of(
        [
            ("privacy", at_most(private, slack * d)),
            ("utility", at_most(worst.lower, beta)),
            ("not better", at_least(worst.upper, beta)),
            ("hypotheses", holds(outputs <= hypotheses(C), f"hypotheses {sorted(outputs)}")),
        ]
    )
