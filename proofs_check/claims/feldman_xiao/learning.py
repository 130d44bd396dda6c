"""Sections 2.1 and 2.2: learning, privacy and representations, read literally on small objects."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import chain, combinations, combinations_with_replacement, product
from math import factorial, prod

import numpy as np

from ccsim import (
    ConceptClass,
    HypothesisSet,
    ProbabilisticRepresentation,
    failure_probability,
    private_sample_complexity,
    representation_error,
)
from ccsim.exact import Epsilon, Law
from ccsim.exact.exponentials import Real
from ccsim.information import divergence
from ccsim.instances import parse_class
from ccsim.learning import PrivateOccam
from ccsim.learning.learners.occam import Example, labelled_examples
from ccsim.privacy import CanonicalMechanism, Mechanism, audit
from proofs_check.claims.claim import Claim, Instance, Kind, Size
from proofs_check.claims.evidence import recheck
from proofs_check.claims.grids import laws_with_denominator, random_weights

__all__ = ["CLAIMS", "disagreement", "failure_chance"]


def disagreement(law: Sequence[Fraction], first: int, second: int) -> Fraction:
    """Return the probability of the points on which two bit masks differ."""
    return sum((w for x, w in enumerate(law) if (first ^ second) >> x & 1), Fraction(0))


def failure_chance(
    learner: Mechanism[Example, int],
    concept: int,
    law: Sequence[Fraction],
    size: int,
    accuracy: Fraction,
) -> Real:
    """Return the probability that a learner errs by more than ``accuracy``, by multisets."""
    total: Real = Fraction(0)
    support = [x for x, w in enumerate(law) if w]
    for points in combinations_with_replacement(support, size):
        counts = Counter(points).values()
        chance = prod((law[x] for x in points), start=Fraction(1))
        chance *= Fraction(factorial(size), prod(map(factorial, counts)))
        output = learner.law([(x, concept >> x & 1) for x in points])
        total = total + chance * _missed(output, concept, law, accuracy)
    return total


def _missed(output: Law[int], concept: int, law: Sequence[Fraction], accuracy: Fraction) -> Real:
    bad = (q for h, q in output.items if disagreement(law, concept, h) > accuracy)
    return sum(bad, Fraction(0))


def pac_learning(size: Size) -> Iterator[Instance]:
    """Add up the failures of a private learner over multisets, and over ordered samples."""
    accuracy = Fraction(1, 4)
    for text, most in (("points:b=1", 4), ("intervals:n=2", 3)):
        C = parse_class(text)
        learner = PrivateOccam(len(C.points), C.rows, Epsilon.of("ln 4"))
        for n in range(1, most + (size is not Size.SMALL)):

            def agree(
                concept: int, law: Sequence[Fraction], n: int = n, learner: PrivateOccam = learner
            ) -> bool:
                ordered: Real = Fraction(0)
                for points in product(range(len(law)), repeat=n):
                    output = learner.law([(x, concept >> x & 1) for x in points])
                    chance = prod((law[x] for x in points), start=Fraction(1))
                    ordered = ordered + chance * _missed(output, concept, law, accuracy)
                return bool(ordered == failure_chance(learner, concept, law, n, accuracy))

            cases = (
                ((concept, law), agree(concept, law))
                for concept in C.rows
                for law in laws_with_denominator(len(C.points), 4)
            )
            yield Instance.all_of(f"{text} n={n}", cases, "both sums agree, exactly")


def agnostic_learning(size: Size) -> Iterator[Instance]:
    """Where a concept labels the examples, the excess of a hypothesis is its error."""
    for text in ("points:b=1", "thresholds:b=1", "intervals:n=2"):
        C = parse_class(text)
        m = len(C.points)
        examples = labelled_examples(m)

        def excess(P: Sequence[Fraction], h: int, C: ConceptClass = C) -> Fraction:
            def wrong(g: int) -> Fraction:
                pairs = zip(labelled_examples(len(C.points)), P, strict=True)
                return sum((w for (x, y), w in pairs if (g >> x & 1) != y), Fraction(0))

            return wrong(h) - min(map(wrong, C.rows))

        denominator = 3 if size is Size.SMALL else 5
        yield Instance.tightest(
            f"{text}: excess of a concept",
            (
                (P, Fraction(0), excess(P, h))
                for P in laws_with_denominator(len(examples), denominator)
                for h in C.rows
            ),
        )
        yield Instance.all_of(
            f"{text}: examples labelled by a concept",
            (
                ((f, D, h), excess(_labelled(f, D), h) == disagreement(D, f, h))
                for f in C.rows
                for D in laws_with_denominator(m, denominator)
                for h in range(2**m)
            ),
            "the excess is the error",
        )


def _labelled(concept: int, law: Sequence[Fraction]) -> list[Fraction]:
    return [w if concept >> x & 1 == y else Fraction(0) for x, w in enumerate(law) for y in (0, 1)]


def privacy_by_events(size: Size) -> Iterator[Instance]:
    """Compare the sum of positive parts with the largest difference of any event."""
    outcomes, denominator = (3, 4) if size is Size.SMALL else (4, 4)
    laws = list(laws_with_denominator(outcomes, denominator))
    events = list(
        chain.from_iterable(combinations(range(outcomes), r) for r in range(outcomes + 1))
    )
    for factor in (Fraction(1), Fraction(3, 2), Fraction(3)):

        def agree(p: Sequence[Fraction], q: Sequence[Fraction], factor: Fraction = factor) -> bool:
            largest = max(sum((p[o] - factor * q[o] for o in e), Fraction(0)) for e in events)
            left, right = (Law.of(dict(enumerate(law))) for law in (p, q))
            return bool(divergence(left, right, factor) == largest)

        yield Instance.all_of(
            f"e^alpha={factor}, laws on {outcomes} outcomes with denominator {denominator}",
            (((p, q), agree(p, q)) for p, q in product(laws, repeat=2)),
            "least beta = largest P(E) - e^alpha Q(E)",
        )


class _Chain(CanonicalMechanism[Example, int]):
    """Output the first of two points' indicators the likelier, the more examples speak for it."""

    symmetric = True

    def __init__(self, epsilon: Epsilon, size: int) -> None:
        self.chances: list[Real] = [Fraction(1, 4)]
        for _ in range(size):
            p, e = self.chances[-1], epsilon.exp()
            up, down = e * p, 1 - (1 - p) / e
            self.chances.append(min(up, down))

    @property
    def records(self) -> tuple[Example, ...]:
        """Two points with either label."""
        return labelled_examples(2)

    def law_of(self, database: tuple[Example, ...]) -> Law[int]:
        """Return the law of the indicator."""
        chance = self.chances[sum(x != label for x, label in database)]
        return Law.of({0b01: chance, 0b10: 1 - chance})


def two_points(size: Size) -> Iterator[Instance]:
    """Follow the largest chance that privacy allows along a chain of samples."""
    alpha, goal = Epsilon.of("1/4"), Fraction(3, 4)
    chances = _Chain(alpha, 6).chances
    yield Instance.of("n=5", chances[5] < goal, f"success at most {float(chances[5]):.4f} < 3/4")
    yield Instance.of("n=6", chances[6] >= goal, f"success {float(chances[6]):.4f} >= 3/4")
    result = audit(_Chain(alpha, 6), alpha, 0, neighbours=6)
    result.check()
    detail = f"{result.pairs} pairs of samples"
    yield Instance.of("n=6: privacy", result.verdict.value == "holds", detail)
    if size is not Size.SMALL:
        found = private_sample_complexity(parse_class("points:b=1"), "1/4", "1/4", alpha, limit=6)
        found.check()
        for bounds in (found.impossible, found.possible):
            if bounds is not None:
                recheck(bounds)
        detail = f"between {found.lower} and {found.upper} by linear programs over all learners"
        yield Instance.of("all learners", found.lower == found.upper == 6, detail)


def _random_sets(C: ConceptClass, rng: np.random.Generator, number: int) -> list[HypothesisSet]:
    bound = 1 << len(C.points)
    return [
        HypothesisSet.from_rows(
            (int(h) for h in rng.integers(bound, size=int(rng.integers(1, 4)))), len(C.points)
        )
        for _ in range(number)
    ]


def deterministic_representations(size: Size) -> Iterator[Instance]:
    """Solve the game, and try every distribution of a grid: none is worse, and one is as bad."""
    rng = np.random.default_rng(5)
    for text in ("points:b=2", "thresholds:b=2", "all_functions:n=3"):
        C = parse_class(text)
        for H in _random_sets(C, rng, 5 if size is Size.SMALL else 25):
            result = representation_error(H, C)
            recheck(result)
            grid = laws_with_denominator(len(C.points), 4)
            worst = max(min(disagreement(D, f, h) for h in H.rows) for D in grid for f in C.rows)
            name = f"{text} hypotheses={','.join(map(str, H.rows))}"
            yield Instance.at_most(
                name, worst, result.value, "no distribution of the grid is worse"
            )


def probabilistic_representations(size: Size) -> Iterator[Instance]:
    """Compute the failure probability, and try every distribution of a grid."""
    rng = np.random.default_rng(6)
    for text in ("points:b=2", "thresholds:b=2", "all_functions:n=3"):
        C = parse_class(text)
        for i in range(3 if size is Size.SMALL else 12):
            sets = _random_sets(C, rng, 3)
            R = ProbabilisticRepresentation.mixture(
                zip(random_weights(rng, 3, least=1), sets, strict=True)
            )
            for eps in (Fraction(1, 4), Fraction(2, 5)):
                result = failure_probability(R, C, eps)
                recheck(result)
                worst = max(
                    sum(
                        (
                            weight
                            for weight, H in zip(R.weights, R.sets, strict=True)
                            if all(disagreement(D, f, h) > eps for h in H.rows)
                        ),
                        Fraction(0),
                    )
                    for D in laws_with_denominator(len(C.points), 4)
                    for f in C.rows
                )
                yield Instance.at_most(f"{text} random={i} eps={eps}", worst, result.upper)


def _definition(
    key: str, number: str, title: str, statement: str, check: Callable[[Size], Iterator[Instance]]
) -> Claim:
    return Claim(key, number, title, statement, Kind.DEFINITION, check)


CLAIMS = (
    _definition(
        "fx/def-13",
        "Definition 13 (=2.1)",
        "PAC learning",
        "A learner (eps, delta)-learns C from n examples if for every f in C and distribution D "
        "its hypothesis errs by more than eps with probability at most delta (for the given eps "
        "and delta: no single n serves all). The exact failure probability is computed.",
        pac_learning,
    ),
    _definition(
        "fx/def-14",
        "Definition 14 (=2.2)",
        "Agnostic learning",
        "The excess of h is its disagreement with labelled examples minus the least of C; it is "
        "not negative on C, and the error where a concept labels the examples.",
        agnostic_learning,
    ),
    _definition(
        "fx/def-dp",
        "section 2.1 (=2.2)",
        "Differential privacy",
        "The least beta for alpha is the largest P(E) - e^alpha Q(E) over events E, attained where "
        "P exceeds e^alpha Q.",
        privacy_by_events,
    ),
    _definition(
        "fx/def-scdp",
        "section 2.2",
        "Sample complexity of private learning",
        "SCDP(C) is the least n for which a 1/4-private (1/4, 1/4)-learner exists; for the two "
        "points it is 6.",
        two_points,
    ),
    _definition(
        "fx/def-4",
        "Definition 4 (=2.3)",
        "Deterministic representation dimension",
        "H represents C with error eps if for every f in C and D some h in H has error at most "
        "eps; the least eps is computed as the value of a game.",
        deterministic_representations,
    ),
    _definition(
        "fx/def-5",
        "Definition 5 (=2.4)",
        "Probabilistic representation dimension",
        "A law on sets H is an (eps, delta)-representation if for every f and D a random H holds "
        "no hypothesis of error at most eps with probability at most delta.",
        probabilistic_representations,
    ),
)
