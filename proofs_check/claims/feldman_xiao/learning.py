"""Sections 2.1 and 2.2: learning, privacy and representations, checked literally."""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import chain, combinations, combinations_with_replacement, product
from math import factorial, prod

from ccsim import (
    points,
    private_sample_complexity,
)
from ccsim.exact import Distribution, Epsilon
from ccsim.exact.exponentials import Real
from ccsim.information import divergence, likelier_event
from ccsim.instances import parse_class
from ccsim.learning import PrivateOccam, PrivateSampleComplexity
from ccsim.learning.learners.occam import Example, labelled_examples
from ccsim.privacy import Mechanism
from proofs_check.claims.claim import Kind, claim
from proofs_check.claims.decision import Decision, all_of, at_least, equal
from proofs_check.claims.evidence import recheck
from proofs_check.claims.grid import grid, table
from proofs_check.claims.grids import distributions_with_denominator
from proofs_check.claims.variants import near, plus, times

Compared = Callable[[Fraction, Fraction], bool]
QUARTER = Fraction(1, 4)


def disagreement(distribution: Sequence[Fraction], first: int, second: int) -> Fraction:
    """Return the total probability of the points on which two bit masks differ."""
    return sum((w for x, w in enumerate(distribution) if (first ^ second) >> x & 1), Fraction(0))


def _orders(counts: Sequence[int]) -> Fraction:
    """Return the number of orders of a multiset with given multiplicities."""
    return Fraction(factorial(sum(counts)), prod(map(factorial, counts)))


def failure_chance(
    learner: Mechanism[Example, int],
    concept: int,
    distribution: Sequence[Fraction],
    size: int,
    accuracy: Fraction,
    orders: Callable[[Sequence[int]], Fraction] = _orders,
) -> Real:
    """Return a learner's probability of an error above ``accuracy``, by a sum over multisets."""
    total: Real = Fraction(0)
    support = [x for x, w in enumerate(distribution) if w]
    for chosen in combinations_with_replacement(support, size):
        chance = prod(
            (distribution[x] for x in chosen), start=orders(list(Counter(chosen).values()))
        )
        output = learner.distribution([(x, concept >> x & 1) for x in chosen])
        total = total + chance * _missed(output, concept, distribution, accuracy)
    return total


def _missed(
    output: Distribution[int],
    concept: int,
    distribution: Sequence[Fraction],
    accuracy: Fraction,
) -> Real:
    bad = (q for h, q in output.items if disagreement(distribution, concept, h) > accuracy)
    return sum(bad, Fraction(0))


@claim(
    "fx/def-13",
    "Definition 13 (=2.1)",
    "PAC learning",
    Kind.DEFINITION,
    over=table(
        "instance examples",
        *(("points:b=1", n) for n in (2, 3, 4)),
        *(("intervals:n=2", n) for n in (2, 3)),
    ).medium(("points:b=1", 5), ("intervals:n=2", 4)),
    near=[
        near("An error of exactly eps counts as a failure.", beyond=operator.ge),
        near("All multisets count as equally likely.", orders=lambda _: Fraction(1)),
    ],
)
def pac_learning(
    instance: str,
    examples: int,
    *,
    beyond: Compared = operator.gt,
    orders: Callable[[Sequence[int]], Fraction] = _orders,
) -> Decision:
    """A learner (eps, delta)-learns C from n examples if for every f in C and every distribution D
    its hypothesis has error above eps with probability at most delta (for the given eps and delta;
    one n need not suffice for all). The probability over sequences of independent examples is equal
    to the probability computed from multisets. Checked at eps = 1/4 for the exponential mechanism.
    """
    C = parse_class(instance)
    learner = PrivateOccam(len(C.points), C.rows, Epsilon.of("ln 4"))

    def by_definition(f: int, D: Sequence[Fraction]) -> Real:
        total: Real = Fraction(0)
        for S in product(range(len(D)), repeat=examples):
            output = learner.distribution([(x, f >> x & 1) for x in S])
            chance = prod((D[x] for x in S), start=Fraction(1))
            for h, q in output.items:
                wrong = sum((w for x, w in enumerate(D) if h >> x & 1 != f >> x & 1), Fraction(0))
                total = total + chance * q * beyond(wrong, QUARTER)
        return total

    return all_of(
        (
            (f, list(map(str, D))),
            equal(failure_chance(learner, f, D, examples, QUARTER, orders), by_definition(f, D)),
        )
        for f in C.rows
        for D in distributions_with_denominator(len(C.points), 4)
    )


def _labelled(concept: int, distribution: Sequence[Fraction]) -> list[Fraction]:
    return [
        w if concept >> x & 1 == y else Fraction(0)
        for x, w in enumerate(distribution)
        for y in (0, 1)
    ]


@claim(
    "fx/def-14",
    "Definition 14 (=2.2)",
    "Agnostic learning",
    Kind.DEFINITION,
    over=grid(instance=["points:b=1", "thresholds:b=1", "intervals:n=2"], denominator=[3]).medium(
        denominator=[5]
    ),
    near=[
        near("The excess is taken over the worst concept.", best=max),
        near("The excess is taken over the first concept.", best=next),
    ],
)
def agnostic_learning(
    instance: str,
    denominator: int,
    *,
    best: Callable[[Iterator[Fraction]], Fraction] = min,
) -> Decision:
    """The excess of h is its disagreement with labelled examples minus the least disagreement of a
    concept in C. It is nonnegative for h in C, and equal to the error if a concept labels the
    examples."""
    C = parse_class(instance)
    m = len(C.points)
    examples = labelled_examples(m)

    def excess(P: Sequence[Fraction], h: int) -> Fraction:
        def wrong(g: int) -> Fraction:
            pairs = zip(examples, P, strict=True)
            return sum((w for (x, y), w in pairs if (g >> x & 1) != y), Fraction(0))

        return wrong(h) - best(map(wrong, C.rows))

    def cases() -> Iterator[tuple[object, Decision]]:
        for P in distributions_with_denominator(len(examples), denominator):
            for h in C.rows:
                yield ("any labels", list(map(str, P)), h), at_least(excess(P, h), 0)
        for f, D, h in product(C.rows, distributions_with_denominator(m, denominator), range(2**m)):
            error = disagreement(D, f, h)
            yield ("labels of", f, h), equal(excess(_labelled(f, D), h), error)

    return all_of(cases())


def _every_event(outcomes: int) -> list[tuple[int, ...]]:
    sizes = (combinations(range(outcomes), size) for size in range(outcomes + 1))
    return list(chain.from_iterable(sizes))


@claim(
    "fx/def-dp",
    "section 2.1 (=2.2)",
    "Differential privacy",
    Kind.DEFINITION,
    over=grid(factor=["1", "3/2", "3"], outcomes=[3]).medium(outcomes=[4]),
    near=[
        near(
            "The least beta is the largest value over events of one outcome.",
            events=lambda n: [(o,) for o in range(n)],
        ),
        near(
            "The least beta is the value for the event of all outcomes with P > Q.",
            attained=lambda p, q, _: likelier_event(p, q, Fraction(1)),
        ),
        near(
            "The least beta is the largest P(E) - 11/10 e^alpha Q(E).",
            weight=times(Fraction(11, 10)),
        ),
    ],
)
def privacy_by_events(
    factor: str,
    outcomes: int,
    *,
    events: Callable[[int], list[tuple[int, ...]]] = _every_event,
    attained: Callable[
        [Distribution[int], Distribution[int], Real], Iterable[int]
    ] = likelier_event,
    weight: Fraction = Fraction(1),
) -> Decision:
    """The least beta with P(E) <= e^alpha Q(E) + beta for all events E, where P and Q are
    distributions, is the largest P(E) - e^alpha Q(E). The event of all outcomes with P > e^alpha Q
    attains it. Checked for all P and Q whose probabilities are multiples of 1/4.
    """
    bound = Fraction(factor)
    distributions = list(distributions_with_denominator(outcomes, 4))

    def cases() -> Iterator[tuple[object, Decision]]:
        for p, q in product(distributions, repeat=2):
            value = {
                E: sum((p[o] - weight * bound * q[o] for o in E), Fraction(0))
                for E in events(outcomes)
            }
            left, right = (
                Distribution.of(dict(enumerate(distribution))) for distribution in (p, q)
            )
            least = divergence(left, right, bound)
            name = f"P={','.join(map(str, p))} Q={','.join(map(str, q))}"
            yield name, equal(least, max(value.values()))
            E = tuple(sorted(attained(left, right, bound)))
            reached = sum((p[o] - bound * q[o] for o in E), Fraction(0))
            yield f"{name} where attained", equal(least, reached)

    return all_of(cases())


@cache
def _complexity(failure: Fraction, alpha: Fraction, limit: int) -> PrivateSampleComplexity:
    """Return the private sample complexity of two points; both bounds are re-checked."""
    found = recheck(
        private_sample_complexity(points(1), QUARTER, failure, Epsilon(alpha), limit=limit)
    )
    for side in (found.impossible, found.possible):
        if side is not None:
            recheck(side)
    return found


@claim(
    "fx/def-scdp",
    "section 2.2",
    "Sample complexity of private learning",
    Kind.DEFINITION,
    over=table("alpha examples", ("1/2", 3), ("1", 2), ("1/4", 6)).medium(("1/5", 7)),
    near=[
        near("The sample complexity is smaller by one.", shift=plus(-1)),
        near("The sample complexity is larger by one.", shift=plus(1)),
        near(
            "The sample complexities are the same for failure probability 5/22.",
            failure=times(Fraction(10, 11)),
        ),
        near(
            "The sample complexities are the same for failure probability 11/40.",
            failure=times(Fraction(11, 10)),
        ),
    ],
)
def two_points(
    alpha: str, examples: int, *, shift: int = 0, failure: Fraction = QUARTER
) -> Decision:
    """SCDP(C) is the least n for which a 1/4-private (1/4, 1/4)-learner exists. For the class of
    two points it is 6, which a learner and linear programs over all learners prove. With alpha =
    1/2 in place of 1/4 it is 3, and with alpha = 1 it is 2.
    """
    return equal(_complexity(failure, Fraction(alpha), examples + 2), examples + shift)
