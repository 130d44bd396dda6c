"""Finding packings of targets that force a private learner to see many examples.

Two constructions, both followed by the same step. For *proper* learners every concept gets the
distribution under which the other concepts err most (`bbkn` Theorem 3.6, where the class is minimal
for itself). For learners with any hypotheses the concepts are a code: under one distribution any
two are further apart than twice the accuracy. Where the errors exceed the accuracy, most of the
mass can be moved to one point on which the targets' concepts agree: samples then differ in few
examples, which multiplies the bound by about the inverse of the mass that stays (`bbkn` Lemma 3.9).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import chain, product
from math import inf

from ccsim.arguments.checked import checked_types
from ccsim.budget import Budget, Progress, TimeLimit
from ccsim.classes import ConceptClass
from ccsim.classes.given import ClassLike, as_class
from ccsim.dimensions import representative_domain, vc_dimension
from ccsim.errors import DomainError, InstanceTooLargeError
from ccsim.exact import as_fraction
from ccsim.exact.epsilon import Epsilon
from ccsim.learning.packing import (
    MAX_SAMPLES,
    LearningPacking,
    PackingBound,
    check_written,
    packing_bound,
    samples_allowed,
)
from ccsim.representation import HypothesisSet, concept_error

MAX_CONCEPTS, MAX_PROPER = 512, 128
"""Most concepts in general, and for proper learners, where a game is solved for each."""
MAX_POINTS, MAX_PROPER_POINTS = 1 << 13, 1 << 10
"""Most points, likewise: each target has a mass on every point."""
_MOST_CENTERS, _MOST_BASES = 8, 8


@checked_types
def learning_lower_bound(
    concept_class: ClassLike,
    accuracy: Fraction | int | str,
    failure: Fraction | int | str,
    epsilon: Epsilon | Fraction | int | str,
    *,
    time_limit: TimeLimit = None,
    progress: Progress | None = None,
    proper: bool = False,
) -> PackingBound:
    """Return a lower bound on the examples of every private learner of a class, by a packing.

    Parameters
    ----------
    concept_class : ConceptClass, total problem, INSTANCE text or matrix
        At least one concept and one point; at most 512 concepts over 8192 points, 128 over 1024
        for proper learners.
    accuracy, failure : Fraction, int or str
        A learner has error at most ``accuracy``, except with probability ``failure``, on each
        concept under each distribution. Strictly between 0 and 1.
    epsilon : Epsilon, int, Fraction or str
        Positive.
    time_limit : float or Budget, optional
        Seconds after which the search stops with the best packing found by then; its check comes on
        top. With a limit, however large, an interrupt (Ctrl-C) stops it likewise.
    progress : callable, optional
        Called with the bound whenever it moves, and infinity.
    proper : bool
        Whether hypotheses are concepts of the class; otherwise they are arbitrary.

    Returns
    -------
    PackingBound
        The best that was found; other packings may prove more.

    Raises
    ------
    InstanceTooLargeError
        If there are too many concepts or points, or the bound is above ``2^128``.

    Notes
    -----
    Complexity: for proper learners a rational game for each concept, 10 s for 128 concepts over
    128 points; then all pairs of targets for each point and label that they may share.

    Examples
    --------
    >>> from ccsim.classes import points, thresholds
    >>> learning_lower_bound(points(4), "1/10", "1/10", 1, proper=True).samples
    37
    >>> learning_lower_bound(points(4), "1/10", "1/10", 1).samples
    11
    """
    allowed, risk = as_fraction(accuracy, "accuracy", 0, 1), as_fraction(failure, "failure", 0, 1)
    bound, budget = Epsilon.of(epsilon), Budget.of(time_limit, progress)
    concept_class = as_class(concept_class, budget)
    if not 0 < allowed < 1:
        raise DomainError(f"accuracy must lie strictly between 0 and 1, not {allowed}")
    if not concept_class.rows or not concept_class.points:
        raise DomainError("a packing needs a class with a concept and a point")
    limit = MAX_PROPER if proper else MAX_CONCEPTS
    if len(concept_class) > limit:
        raise InstanceTooLargeError(
            f"packings are searched among at most {limit} concepts, not {len(concept_class)}"
        )
    n, most = len(concept_class.points), MAX_PROPER_POINTS if proper else MAX_POINTS
    if n > most:
        raise InstanceTooLargeError(f"packings are searched over at most {most} points, not {n}")
    check_written(bound)
    pool = HypothesisSet.from_rows(concept_class.rows, n) if proper else None
    anywhere = (0, (Fraction(1), *[Fraction(0)] * (n - 1)))
    best = 0, LearningPacking(concept_class, pool, allowed, (anywhere,))
    with budget:
        for star, base in _stars(concept_class, allowed, budget, proper=proper):
            budget.spend()
            nearest = _moved(best[1], star, base, Fraction(0))
            samples = samples_allowed(nearest.distances(0), bound, risk, MAX_SAMPLES)
            if samples > best[0]:
                best = samples, _reaching(nearest, star, base, samples, bound, risk)
                budget.report(samples, inf)
    packing = best[1]
    return packing_bound(packing, risk, bound, range(min(_MOST_CENTERS, len(packing.targets))))


def _stars(
    C: ConceptClass, accuracy: Fraction, budget: Budget, *, proper: bool
) -> Iterator[tuple[list[_Separated], _Base | None]]:
    """Yield targets to be tried together, and the point to which their mass may be moved."""
    families = _codes(C, accuracy, budget)
    for family in chain([_apart(C, budget)], families) if proper else families:
        separated = [target for target in family if target.error > accuracy]
        for base in (None, *_bases(C, separated, budget)):
            if star := [t for t in separated if base is None or _agrees(C, t, base)]:
                yield star, base


@dataclass(frozen=True, slots=True)
class _Separated:
    """A target, and an error that separates it from the others of its family.

    Proper answers that are good for another target have at least that error; of arbitrary ones,
    which may lie in the middle, every answer has it for one target of each two at least.
    """

    concept: int
    law: tuple[Fraction, ...]
    error: Fraction


_Base = tuple[int, int]
"""A point, and its label by all concepts of a packing."""


def _agrees(C: ConceptClass, target: _Separated, base: _Base) -> bool:
    return C.rows[target.concept] >> base[0] & 1 == base[1]


def _apart(C: ConceptClass, budget: Budget) -> list[_Separated]:
    """Return for each concept the distribution under which the other concepts err most."""
    family: list[_Separated] = []
    for i, row in enumerate(C.rows):
        if budget.expired:
            break
        if others := (*C.rows[:i], *C.rows[i + 1 :]):
            game = concept_error(HypothesisSet.from_rows(others, len(C.points)), row)
            family.append(_Separated(i, game.distribution, game.value))
    return family


def _codes(C: ConceptClass, accuracy: Fraction, budget: Budget) -> Iterator[list[_Separated]]:
    """Yield concepts with a least distance under a uniform distribution, for each distance."""
    shattered = vc_dimension(C, time_limit=budget).points
    parts = (shattered[:size] for size in range(1, len(shattered) + 1))
    for chosen in (representative_domain(C).points, *parts):
        law = tuple(Fraction(int(x in chosen), max(len(chosen), 1)) for x in range(len(C.points)))
        cells = sum(1 << x for x in chosen)
        for apart in range(len(chosen), 0, -1):
            error = Fraction(apart, 2 * len(chosen))
            if error <= accuracy:
                break
            code: list[int] = []
            for i, row in enumerate(C.rows):
                if all(((row ^ C.rows[j]) & cells).bit_count() >= apart for j in code):
                    code.append(i)
            yield [_Separated(i, law, error) for i in code]


def _bases(C: ConceptClass, family: Sequence[_Separated], budget: Budget) -> list[_Base]:
    """Return the examples that agree with most concepts of a family."""
    shared = Counter[_Base]()
    for base in product(range(len(C.points)), (0, 1)):
        budget.spend()
        shared[base] = sum(_agrees(C, t, base) for t in family)
    return [base for base, _ in shared.most_common(_MOST_BASES)]


def _moved(
    packing: LearningPacking, star: Sequence[_Separated], base: _Base | None, slack: Fraction
) -> LearningPacking:
    """Return the packing of targets of which a share goes to the base.

    With no slack so much goes there that the separating error becomes the accuracy; the targets are
    no packing then, but the limit of packings. With slack 1 nothing does.
    """
    targets = []
    for target in star:
        least = Fraction(1) if base is None else packing.accuracy / target.error
        share = least + (1 - least) * slack
        law = [share * p for p in target.law]
        if base is not None:
            law[base[0]] += 1 - share
        targets.append((target.concept, tuple(law)))
    return replace(packing, targets=tuple(targets))


def _reaching(
    limit: LearningPacking,
    star: Sequence[_Separated],
    base: _Base | None,
    samples: int,
    epsilon: Epsilon,
    failure: Fraction,
) -> LearningPacking:
    """Return a packing that proves as much as its limit does.

    The numbers of examples below are excluded by a strict inequality, and so by packings near by.
    """
    slack = Fraction(1)
    while True:
        packing = _moved(limit, star, base, slack)
        if samples_allowed(packing.distances(0), epsilon, failure) >= samples:
            return packing
        slack /= 2
