"""Section 3.1: minimal representations, and sample complexity of proper private learners.

Lower bounds hold for every private learner. The least failure probability of learners with few
examples, on the targets of the proof, is the value of a linear program.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import combinations, product
from math import prod
from operator import le, lt
from typing import Any, TypeAlias

from ccsim import ConceptClass, HypothesisSet, deterministic_representation_size
from ccsim.exact import Epsilon
from ccsim.instances import parse_class
from ccsim.learning import LearningPacking, packing_bound
from ccsim.learning.learners.occam import Example, labelled_examples
from ccsim.representation import minimality, representation_error
from proofs_check.claims.beimel_brenner.constructions.optimal_mechanism import (
    Task,
    least_private_failure_on,
)
from proofs_check.claims.claim import Kind, claim
from proofs_check.claims.decision import Decision, all_of, at_least, equal
from proofs_check.claims.evidence import recheck
from proofs_check.claims.feldman_xiao.learning import disagreement
from proofs_check.claims.grid import grid, table
from proofs_check.claims.grids import classes_up_to_symmetry
from proofs_check.claims.variants import near, plus, times

Rows: TypeAlias = tuple[int, ...]
Target: TypeAlias = tuple[int, tuple[Fraction, ...]]
"""Number of a concept, and a distribution."""
Others: TypeAlias = Callable[[int], int]


@cache
def _represents(H: Rows, C: ConceptClass, error: Fraction) -> bool:
    return representation_error(HypothesisSet(H, len(C.points)), C).value <= error


@cache
def _is_minimal(H: Rows, C: ConceptClass, error: Fraction) -> bool:
    return recheck(minimality(HypothesisSet(H, len(C.points)), C, error)).minimal


@claim(
    "bbkn/def-3.5",
    "Definition 3.5",
    "Minimal hypothesis classes",
    Kind.DEFINITION,
    over=grid(error=["1/3"]).medium(error=["0", "1/2"]),
    near=[
        near("The statement if the set itself counts as a subset.", part=le),
        near("The statement if only subsets of one hypothesis are tested.", sizes=lambda H: [1]),
    ],
)
def minimal_by_subsets(
    error: str,
    *,
    part: Callable[[Any, Any], bool] = lt,
    sizes: Callable[[Rows], Any] = lambda H: range(1, len(H) + 1),
) -> Decision:
    """A set of hypotheses is minimal for a class if it represents the class with a given error and
    no proper subset does. It suffices to test the subsets that omit one hypothesis, and every
    hypothesis that cannot be omitted is needed for some concept and distribution. Checked for all
    sets over two points."""
    allowed = Fraction(error)

    def minimal(H: Rows, C: ConceptClass) -> bool:
        parts = (G for r in sizes(H) for G in combinations(H, r) if part({*G}, {*H}))
        return _represents(H, C, allowed) and not any(_represents(G, C, allowed) for G in parts)

    return all_of(
        (
            ((C.rows, H), minimal(H, C) == _is_minimal(H, C, allowed))
            for C in classes_up_to_symmetry(2)
            if len(C.points) == 2
            for n in range(1, 5)
            for H in combinations(range(4), n)
        ),
        "no proper subset represents the class",
    )


@cache
def least_failure(
    C: ConceptClass,
    pool: Rows,
    accuracy: Fraction,
    targets: tuple[Target, ...],
    m: int,
    factor: int,
) -> Fraction:
    """Return the least failure, on given targets, of private learners with a pool of hypotheses."""
    tasks: list[Task[Example]] = []
    for f, distribution in targets:
        row, chances = C.rows[f], dict[tuple[Example, ...], Fraction]()
        good = [i for i, h in enumerate(pool) if disagreement(distribution, row, h) <= accuracy]
        for drawn in product([x for x, p in enumerate(distribution) if p], repeat=m):
            sample = tuple(sorted((x, row >> x & 1) for x in drawn))
            chance = prod((distribution[x] for x in drawn), start=Fraction(1))
            chances[sample] = chances.get(sample, Fraction(0)) + chance
        tasks.append({(sample, i): p for sample, p in chances.items() for i in good})
    records = labelled_examples(len(C.points))
    return least_private_failure_on(records, m, len(pool), tasks, Fraction(factor))


@cache
def _needed(C: ConceptClass, H: Rows, accuracy: Fraction) -> tuple[Target, ...]:
    """Return, for each necessary hypothesis, a target on which all others exceed the accuracy."""
    found = []
    for h in H:
        rest = HypothesisSet.from_rows({*H} - {h}, len(C.points))
        others = recheck(representation_error(rest, C))
        if not others.represents(accuracy):
            found.append((others.concept, others.distribution))
    return tuple(found)


def concepts(C: ConceptClass) -> Rows:
    """Return the class itself as hypotheses."""
    return C.rows


@cache
def _fewest(C: ConceptClass) -> Rows:
    return recheck(deterministic_representation_size(C, ACCURACY)).representation.hypotheses.rows


def _and_another(H: Rows) -> Rows:
    return (*H, max(H) ^ 1)


REPRESENTATIONS = table(
    "instance hypotheses m factor",
    ("points:b=1", concepts, 1, 4),
    ("points:b=1", concepts, 4, 2),
    ("points:b=2", concepts, 1, 2),
    ("thresholds:b=2", concepts, 2, 4),
    ("intervals:n=3", _fewest, 1, 4),
).medium(("points:b=2", concepts, 2, 4), ("points:b=3", concepts, 1, 4))
ACCURACY = Fraction(1, 3)


@claim(
    "bbkn/thm-3.6",
    "Theorem 3.6, with explicit constants",
    "Lower bound by minimal hypothesis classes",
    Kind.THEOREM,
    over=REPRESENTATIONS,
    near=[
        near("The statement with |H| in place of |H| - 1.", others=plus(1)),
        near("The statement with eps (m - 1).", steps=plus(-1)),
        near("The statement for a set with one hypothesis that can be omitted.", used=_and_another),
    ],
    uses=["bbkn/def-3.5", "bbkn/group"],
)
def minimal_hypotheses_need_examples(
    instance: str,
    hypotheses: Callable[[ConceptClass], Rows],
    m: int,
    factor: int,
    *,
    others: Others = lambda size: size - 1,
    steps: Callable[[int], int] = int,
    used: Callable[[Rows], Rows] = tuple,
) -> Decision:
    """If H is minimal for C with error alpha, every eps-private (alpha, beta)-learner of C with
    hypotheses in H has m >= (ln(|H| - 1) + ln((1 - beta) / beta)) / eps examples: beta e^(eps m) >=
    (|H| - 1) (1 - beta). Checked at alpha = 1/3 for the smallest beta of all private learners, on
    targets that each require a different hypothesis of H.
    """
    C = parse_class(instance)
    H = used(hypotheses(C))
    beta = least_failure(C, H, ACCURACY, _needed(C, H, ACCURACY), m, factor)
    least = others(len(H)) * (1 - beta)
    return at_least(beta * factor ** steps(m), least, f"{beta} is the least failure")


@claim(
    "bbkn/thm-3.6-sharper",
    "after Theorem 3.6",
    "A lower bound with 2 ln(1/beta)",
    Kind.THEOREM,
    over=REPRESENTATIONS,
    near=[
        near("The statement with |H| in place of |H| - 1.", others=plus(1)),
        near("The bounds hold for one example fewer.", steps=plus(-1)),
        near("The bound contains ln(1/beta) more than twice.", lost=times(Fraction(99, 100))),
        near("The failure probability is larger by 1/100.", larger=times(Fraction(101, 100))),
    ],
    uses=["bbkn/thm-3.6"],
)
def failure_counted_twice(  # noqa: PLR0913 - four parameters and four ingredients
    instance: str,
    hypotheses: Callable[[ConceptClass], Rows],
    m: int,
    factor: int,
    *,
    others: Others = lambda size: size - 1,
    steps: Callable[[int], int] = int,
    lost: Callable[[int], Fraction] = lambda g: Fraction((1 + g) ** 2, g),
    larger: Fraction = Fraction(1),
) -> Decision:
    """Under the hypotheses of Theorem 3.6 the learner fails with probability at least (|H| - 1)
    e^(eps s) / (e^(eps m) + (|H| - 1) e^(2 eps s)) for every s <= m, because the good outputs for
    each target keep probability 1 - beta e^(eps s) while the first s examples are exchanged. With
    two hypotheses the best learner attains the largest of these bounds. So the bound contains
    ln(1/beta) twice: eps m >= ln(|H| - 1) + 2 ln(1/beta) - ln((1 + e^eps)^2 / e^eps). At the
    smallest beta of all learners, `packing_bound` requires m examples.
    """
    C = parse_class(instance)
    H = hypotheses(C)
    targets, N, g, k = _needed(C, H, ACCURACY), others(len(H)), factor, steps(m)
    beta = least_failure(C, H, ACCURACY, targets, m, factor)
    most = max(Fraction(N * g**s, g**k + N * g ** (2 * s)) for s in range(k + 1)) * larger
    pool = HypothesisSet.from_rows(H, len(C.points))
    packing = LearningPacking(C, pool, ACCURACY, targets)
    bound = recheck(packing_bound(packing, beta, Epsilon.of(f"ln {factor}")))
    return all_of(
        [
            ("failure", (equal if len(H) == 2 else at_least)(beta, most)),
            ("twice", at_least(g**k * lost(g) * beta**2, N)),
            ("packing", equal(bound.samples, k)),
        ]
    )
