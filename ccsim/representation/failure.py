"""The failure probability of a probabilistic representation, bounded from both sides.

A family of sets fails under a common distribution exactly when the union of the sets does not
represent the concept. If there are many points, a search branches on the sets, and Markov's
inequality for the optimal selection gives an upper bound. If there are few points, all families of
point sets that can have large mass under one distribution are listed; the proof branches on whether
a hypothesis has a large error.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import accumulate, combinations_with_replacement, compress, permutations
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from ccsim.arguments.checked import checked_types
from ccsim.budget import Budget, Progress, TimeLimit
from ccsim.certificates import Answer, Certificate
from ccsim.certificates.envelope import encode_fraction, weights_of
from ccsim.classes import ConceptClass
from ccsim.classes.given import ClassLike, as_class
from ccsim.classes.masks import members
from ccsim.data import frozen
from ccsim.exact import as_fraction, common_denominator
from ccsim.parallel.threads import one_thread
from ccsim.representation.branching import image_of
from ccsim.representation.error import (
    ConceptError,
    RepresentationResult,
    Selection,
    concept_error,
    even_distribution,
    masses,
    select,
)
from ccsim.representation.hypotheses import HypothesisSet, ProbabilisticRepresentation, check_points
from ccsim.texts.labels import text_row

DEFAULT_NODES = 2000
EXACT_NODES = 100_000
MAX_SETS = 400
"""Maximum number of sets for the branching search."""
MAX_POINTS = 6
"""Maximum number of points for listing families."""
_ROUGH = 1e-6
_LARGEST_WEIGHT = (1, 1, 1, 2, 3, 5, 9)
"""For each number of points, a weight that suffices for all threshold functions (Muroga)."""
Booleans = NDArray[np.bool_]
HeavyFamilies = dict[int, tuple[int, ...]]
"""For each family of point sets, weights of points under which all its sets are heavy."""
Node = tuple[Fraction, ...] | int | None
Tree = tuple[Node, ...]
"""A tree in preorder. None splits on whether the next set fails, and a bit mask on whether a
hypothesis has a large error. Convex weights of the hypotheses with a large error refute a case.
``()`` closes a case in which the sets that may still fail have small weight."""


@frozen
class FailureResult(Answer[Fraction]):
    """Bounds on the failure probability of a probabilistic representation.

    Attributes
    ----------
    concept_class : ConceptClass
    representation : ProbabilisticRepresentation
    error : Fraction
    lower, upper : Fraction
        Proved bounds; equal when the probability is known exactly.
    concept : int
        Certificate of the lower bound: under ``distribution``, sets of total weight ``lower`` fail
        for this concept.
    distribution : tuple of Fraction
        Distribution on the points under which the sets fail.
    selections : tuple of tuple of tuple of Fraction, or None
        Certificate of the upper bound by Markov's inequality: weights of a mixture of hypotheses
        for each concept and set.
    trees : tuple or None
        Certificate of the upper bound by branching: one tree for each concept; None if there is
        none.
    """

    asked = ("concept_class", "representation", "error")

    quantity: ClassVar[str] = "the failure probability"

    concept_class: ConceptClass
    representation: ProbabilisticRepresentation
    error: Fraction
    lower: Fraction
    upper: Fraction
    concept: int
    distribution: tuple[Fraction, ...]
    selections: tuple[tuple[tuple[Fraction, ...], ...], ...] | None
    trees: tuple[Tree, ...] | None

    def represents(self, failure: Fraction) -> bool | None:
        """Whether the class is represented with a given failure probability; None if undecided."""
        if self.upper <= failure:
            return True
        return False if self.lower > failure else None

    def without_upper(self) -> Self:
        """Return the result with the upper bound 1, which needs no proof."""
        return replace(self, upper=Fraction(1), selections=None, trees=None)

    def certificate(self) -> Certificate:
        """Return the certificate for the kernel."""
        R = self.representation
        upper: dict[str, Any] = {"branching": {"trees": [[[]]] * len(self.concept_class)}}  # is 1
        if self.upper < 1 and self.trees is not None:
            width = R.num_points
            trees = [[_node_json(node, width) for node in tree] for tree in self.trees]
            upper = {"branching": {"trees": trees}}
        elif self.upper < 1 and self.selections is not None:
            weights = [
                [
                    p
                    for w, distribution in zip(R.weights, distributions, strict=False)
                    for p in (distribution if w == 1 else (w * p for p in distribution))
                ]
                for distributions in self.selections
            ]
            upper = {"selection": {"weights": list(map(weights_of, weights))}}
        distribution = weights_of(self.distribution)
        support = {"sets": [H.to_json() for H in R.sets], "weights": weights_of(R.weights)}
        return Certificate(
            "probabilistic_representation",
            self.concept_class.to_json(),
            {
                "error": encode_fraction(self.error),
                "support": support,
                "lower": encode_fraction(self.lower),
                "upper": encode_fraction(self.upper),
            },
            {"hard_distribution": {"concept": self.concept, "distribution": distribution}},
            upper,
        )


def _node_json(node: Node, width: int) -> list[int | str] | str | None:
    if node is None:
        return None
    return text_row(node, width) if isinstance(node, int) else weights_of(node) if node else []


@checked_types
def failing_weight(
    representation: ProbabilisticRepresentation,
    concept: int,
    error: Fraction | int | str,
    distribution: tuple[Fraction, ...],
) -> Fraction:
    """Return the total weight of the sets all of whose hypotheses have error above ``error``.

    Parameters
    ----------
    representation : ProbabilisticRepresentation
    concept : int
        The concept as a bit mask over the same points.
    error : Fraction, int or str
        Allowed error, between 0 and 1.
    distribution : tuple of Fraction
        Distribution over the points.

    Examples
    --------
    >>> from ccsim.representation import HypothesisSet
    >>> R = ProbabilisticRepresentation.mixture(
    ...     [("1/3", HypothesisSet((0b01,), 2)), ("2/3", HypothesisSet((0b11,), 2))]
    ... )
    >>> failing_weight(R, 0b11, Fraction(1, 4), (Fraction(1, 2), Fraction(1, 2)))
    Fraction(1, 3)
    """
    allowed = as_fraction(error, "error")
    different = [*{h for H in representation.sets for h in H.rows}]
    wrong = masses(distribution, (h ^ concept for h in different))
    far = {h for h, p in zip(different, wrong, strict=True) if p > allowed}
    weighted = zip(representation.weights, representation.sets, strict=True)
    return sum((weight for weight, H in weighted if far.issuperset(H.rows)), Fraction(0))


@checked_types
def failure_probability(
    representation: ProbabilisticRepresentation,
    concept_class: ClassLike,
    error: Fraction | int | str,
    *,
    time_limit: TimeLimit = None,
    progress: Progress | None = None,
    target: Fraction | int | str | None = None,
    work: int = DEFAULT_NODES,
) -> FailureResult:
    """Return bounds on the failure probability of a probabilistic representation.

    It is the largest probability, over all concepts and all distributions over points, that the
    drawn set contains no hypothesis with error at most `error`.

    Parameters
    ----------
    representation : ProbabilisticRepresentation
    concept_class : ConceptClass, total problem, INSTANCE text or matrix
        A non-empty class over the same points.
    error : Fraction, int or str
        Allowed error, between 0 and 1.
    time_limit, progress
        As for `vc_dimension`; bounds are reported after each method.
    target : Fraction, int or str, optional
        Stop as soon as the bounds decide whether the failure probability is at most this.
    work : int
        Maximum number of branching steps for each concept.

    Returns
    -------
    FailureResult
        Exact unless the branching was stopped by ``work`` or ``target``. If the bounds
        differ, ``value`` raises `NotDecidedError`; a larger ``work`` brings them closer.

    Notes
    -----
    Source: `fx` Definition 5 (=2.4). Complexity: fast for up to 6 points and hundreds of sets. For
    more points it is exponential in the number of sets in the worst case and feasible for about 20
    sets. Above `MAX_SETS` sets there is no branching, and the answer may be an interval.

    Examples
    --------
    >>> from ccsim.classes import points
    >>> from ccsim.representation import HypothesisSet
    >>> pairs = [HypothesisSet.from_rows(rows, 4) for rows in ([1, 2], [4, 8])]
    >>> R = ProbabilisticRepresentation.mixture([("1/2", H) for H in pairs])
    >>> result = failure_probability(R, points(2), "1/4")
    >>> result.value, result.concept
    (Fraction(1, 2), 0)
    >>> result.check()
    """
    eps = as_fraction(error, "error", 0, 1)
    goal = None if target is None else as_fraction(target, "target", 0, 1)
    budget = Budget.of(time_limit)
    concept_class = as_class(concept_class, budget)
    check_points(representation.num_points, concept_class)
    even = even_distribution(representation.num_points)
    lower = failing_weight(representation, concept_class.rows[0], eps, even)
    result = FailureResult(
        concept_class, representation, eps, lower, Fraction(1), 0, even, None, None
    )
    few = representation.num_points <= MAX_POINTS
    for step in (_branch, _select) if few else (_contain, _select, _branch):
        if step is _branch and not few and len(representation.sets) > MAX_SETS:
            break
        result = step(result, work, budget)
        if progress is not None:
            progress(result.lower, result.upper)
        if result.exact or (goal is not None and result.represents(goal) is not None):
            break
    return result


@checked_types
def failure_of(
    representation: ProbabilisticRepresentation,
    concept_class: ClassLike,
    error: Fraction | int | str,
) -> FailureResult:
    """Return the exact failure probability, with the worst concept and distribution.

    Parameters
    ----------
    representation, concept_class, error
        As for `failure_probability`. If the bounds differ after 10^5 steps for each concept,
        `NotDecidedError` is raised.

    Examples
    --------
    >>> from ccsim.classes import points
    >>> from ccsim.representation import HypothesisSet
    >>> alone = HypothesisSet.from_rows([1, 2, 4], 4)
    >>> result = failure_of(ProbabilisticRepresentation.mixture([(1, alone)]), points(2), "1/4")
    >>> result.value, result.concept
    (Fraction(1, 1), 3)
    """
    concept_class = as_class(concept_class)
    result = failure_probability(representation, concept_class, error, work=EXACT_NODES)
    _ = result.value  # refuses bounds
    return result


def never_failing(found: RepresentationResult, error: Fraction) -> FailureResult:
    """Return that a set which represents a class fails with probability 0 if it is always drawn."""
    C, H = found.concept_class, found.hypotheses
    R, even = ProbabilisticRepresentation.mixture([(1, H)]), even_distribution(H.num_points)
    trees: tuple[Tree, ...] = tuple((None, weights, ()) for weights in found.weights)
    result = FailureResult(C, R, error, Fraction(0), Fraction(0), 0, even, None, trees)
    return _contain(result, 0, Budget())


def _contain(result: FailureResult, _work: int, _budget: Budget) -> FailureResult:
    """Return that no set fails if all contain all concepts; its trees are short."""
    rows = result.concept_class.rows
    if not all(set(rows).issubset(H.rows) for H in result.representation.sets):
        return result
    trees = tuple((row, (Fraction(1),), ()) for row in rows)
    return replace(result, upper=Fraction(0), trees=trees)


def _select(result: FailureResult, _: int, budget: Budget) -> FailureResult:
    """Improve both bounds by the optimal selection and the worst distribution for each concept."""
    R, rows = result.representation, result.concept_class.rows
    selections: list[Selection] = []
    with budget:
        for row in rows:
            selections.append(select(R, row, budget))  # noqa: PERF401 - one by one
    for f, (row, selection) in enumerate(zip(rows, selections, strict=False)):
        distribution = selection.distribution
        lower = (
            failing_weight(R, row, result.error, distribution) if selection.value else Fraction(0)
        )
        if lower > result.lower:
            result = replace(result, lower=lower, concept=f, distribution=distribution)
    if len(selections) < len(rows):
        return result
    upper = max(_markov(selection, result.error) for selection in selections)
    return replace(result, upper=upper, selections=tuple(each.weights for each in selections))


def _markov(selection: Selection, error: Fraction) -> Fraction:
    if selection.value == 0:
        return Fraction(0)
    return min(Fraction(1), selection.value / error) if error else Fraction(1)


def _branch(result: FailureResult, work: int, budget: Budget) -> FailureResult:
    """Improve the lower bound by branching; also the upper bound if all searches finish."""
    R, error, rows = result.representation, result.error, result.concept_class.rows
    search = FailingHypotheses if R.num_points <= MAX_POINTS else FailingFamilies
    trees: list[Tree] = []
    for f, row in enumerate(rows):
        found = search(R, row, error, result.lower, work, budget)
        if found.tree is not None:
            trees.append(found.tree)
        if found.best > result.lower:  # sets that were not decided yet may fail there as well
            distribution = found.distribution
            lower = failing_weight(R, row, error, distribution)
            result = replace(result, lower=lower, concept=f, distribution=distribution)
    if len(trees) < len(rows):
        return result
    return replace(result, upper=result.lower, trees=tuple(trees))


class FailingFamilies:
    """A search that branches on sets; its result is in the attributes."""

    def __init__(
        self,
        representation: ProbabilisticRepresentation,
        concept: int,
        error: Fraction,
        start: Fraction,
        work: int,
        budget: Budget | None = None,
    ) -> None:
        self.best = start
        # under which the heaviest family fails; empty if none beat the start
        self.distribution: tuple[Fraction, ...] = ()
        self.tree: Tree | None = None
        self._representation, self._concept, self._error = representation, concept, error
        self._budget = budget or Budget()
        self._run(work)

    def _run(self, work: int) -> None:
        self._nodes_left = work
        with self._budget:
            self.tree = self._search(0, (), Fraction(1), ())

    def _search(
        self,
        depth: int,
        included: tuple[int, ...],
        possible: Fraction,
        distribution: tuple[Fraction, ...],
    ) -> Tree | None:
        R = self._representation
        if possible <= self.best:
            return ((),)
        if depth == len(R.sets):
            self.best, self.distribution = possible, distribution
            return ((),)
        if self._nodes_left == 0:
            return None
        self._nodes_left -= 1
        self._budget.spend()
        wider = (*included, depth)
        union = HypothesisSet.from_rows(
            (row for i in wider for row in R.sets[i].rows), R.num_points
        )
        outcome = concept_error(union, self._concept, self._budget)
        within: Tree | None
        if outcome.value > self._error:
            within = self._search(depth + 1, wider, possible, outcome.distribution)
        else:
            within = (self._mixture(wider, union, outcome.weights),)
        if within is None:
            return None
        without = self._search(depth + 1, included, possible - R.weights[depth], distribution)
        return None if without is None else (None, *within, *without)

    def _mixture(
        self, included: tuple[int, ...], union: HypothesisSet, weights: tuple[Fraction, ...]
    ) -> tuple[Fraction, ...]:
        """Assign the weight of each hypothesis of the union to the first set that contains it."""
        left = dict(zip(union.rows, weights, strict=True))
        sets = self._representation.sets
        return tuple(left.pop(row, Fraction(0)) for i in included for row in sets[i].rows)


class FailingHypotheses(FailingFamilies):
    """A search over few points that branches on whether a hypothesis has a large error."""

    def _run(self, work: int) -> None:
        R, concept = self._representation, self._concept
        self._points = R.num_points
        unit = common_denominator(R.weights)
        self._shares = [int(weight * unit) for weight in R.weights]
        wrong = [[h ^ concept for h in H.rows] for H in R.sets]
        self._firsts = [0, *accumulate(map(len, wrong[:-1]))]
        self._wrong = np.array([E for each in wrong for E in each])
        self._floats = np.array([float(weight) for weight in R.weights])
        self._unit = unit
        every = np.arange(1 << self._points)
        light = self._wrong & ~every[:, None] == 0
        # for each light set of points, the sets that then pass
        self._passing = np.logical_or.reduceat(light, self._firsts, axis=1)
        self._weights = self._passing * self._floats
        self._families = dict(heavy_families(self._points, self._error))
        with self._budget, one_thread():
            while not self._prove(work):
                continue

    def _prove(self, work: int) -> bool:
        """Find the heaviest listed family and a proof; return False if it needs another family."""
        families = np.array([*self._families], np.uint64)
        every = np.arange(1 << self._points, dtype=np.uint64)
        self._holds = (families[:, None] >> every & 1).astype(bool)
        failing = np.logical_and.reduceat(self._holds[:, self._wrong], self._firsts, axis=1)
        rough = failing @ self._floats
        for i, distribution in enumerate(self._families.values()):
            if rough[i] > np.max(rough) - _ROUGH:  # by far more than the floats are wrong
                weight = Fraction(sum(compress(self._shares, failing[i].tolist())), self._unit)
                if weight > self.best:
                    self.best = weight
                    self.distribution = tuple(Fraction(w, sum(distribution)) for w in distribution)
        self._limit = self.best * self._unit
        self._nodes: list[tuple[Fraction, ...] | int | None] = []
        self._left = work
        undecided = np.ones(len(self._shares), bool)
        outcome = self._visit((), undecided, self._unit, np.ones(len(self._families), bool))
        if outcome is None and self._left >= 0:
            return False
        self.tree = tuple(self._nodes) if outcome else None
        return True

    def _visit(
        self, heavy: tuple[int, ...], undecided: Booleans, weight: int, families: Booleans
    ) -> bool | None:
        """Append the subtree of a case; return None at the work limit or for an unlisted family."""
        self._budget.spend()
        if weight <= self._limit:
            self._nodes.append(())
            return True
        if not families.any():
            return self._refute(heavy)
        self._left -= 1
        if self._left < 0:
            return None
        dropped = self._weights @ undecided
        removed = (~self._holds[families]).sum(0)
        scores = np.minimum(dropped, float(Fraction(weight - self._limit, self._unit))) * removed
        E = int(scores.argmax())
        passing = self._passing[E] & undecided
        self._nodes.append(E ^ self._concept)
        lost = sum(compress(self._shares, passing.tolist()))
        return self._visit(
            (*heavy, E), undecided, weight, families & self._holds[:, E]
        ) and self._visit(heavy, undecided & ~passing, weight - lost, families)

    def _refute(self, heavy: Sequence[int]) -> bool | None:
        """Append a mixture that proves that not all these sets are heavy, or list their family."""
        found = refutations(self._points, self._error)
        mixture = found.mixture(heavy)
        if mixture is None:
            distribution = found.distribution(heavy)
            limit = self._error * sum(distribution)
            family = sum(
                1 << E
                for E in range(1 << self._points)
                if sum(distribution[x] for x in members(E)) > limit
            )
            self._families[family] = distribution
            return None
        self._nodes.append(mixture)
        return True


class Refutations:
    """Known families of point sets that cannot all have mass above the error, with proofs."""

    def __init__(self, num_points: int, error: Fraction) -> None:
        self._points, self._error = num_points, error
        every = range(1 << num_points)
        self._above = [sum(1 << E for E in every if not S & ~E) for S in every]
        moves = list(permutations(range(num_points)))
        self._images = np.array([[image_of(E, move) for move in moves] for E in every])
        self._known = np.zeros(0, np.uint64)  # families of sets, as masks of their masks
        self._shares: dict[int, dict[int, Fraction]] = {}

    def mixture(self, heavy: Sequence[int]) -> tuple[Fraction, ...] | None:
        """Return a mixture that proves that not all sets are heavy; None if they can be."""
        above = 0
        for E in heavy:
            above |= self._above[E]
        beyond = np.uint64(~above & (1 << 64) - 1)
        found = np.flatnonzero(self._known & beyond == 0)
        if not len(found):
            return self.mixture(heavy) if self._solve(heavy) else None
        weights = dict.fromkeys(heavy, Fraction(0))
        for E, share in self._shares[int(self._known[found[0]])].items():
            weights[next(S for S in heavy if not S & ~E)] += share
        return tuple(weights.values())

    def distribution(self, heavy: Sequence[int]) -> tuple[int, ...]:
        """Return integer weights of the points that maximise the minimum weight of the sets."""
        distribution = self._game(heavy).distribution
        unit = common_denominator(distribution)
        return tuple(int(p * unit) for p in distribution)

    def _game(self, heavy: Sequence[int]) -> ConceptError:
        return concept_error(HypothesisSet.from_rows(heavy, self._points), 0)

    def _solve(self, heavy: Sequence[int]) -> bool:
        """Decide whether not all sets can be heavy; if so, store the proof for all permutations."""
        least = [E for E in sorted(heavy) if not any(S != E and not S & ~E for S in heavy)]
        outcome = self._game(least)
        if outcome.value > self._error:
            return False
        used = {E: p for E, p in zip(least, outcome.weights, strict=True) if p}
        for images in self._images[list(used)].T.tolist():
            moved = dict(zip(images, used.values(), strict=True))
            self._shares.setdefault(sum(1 << E for E in images), moved)
        self._known = np.fromiter(self._shares, np.uint64, len(self._shares))
        return True


@cache
def refutations(num_points: int, error: Fraction) -> Refutations:
    """Return the cached refutations for a number of points and an error."""
    return Refutations(num_points, error)


@cache
def heavy_families(num_points: int, error: Fraction) -> HeavyFamilies:
    """Return the maximal families of point sets that can all have mass above ``error``."""
    subsets = np.arange(1 << num_points)
    points = np.arange(num_points)
    inside = subsets[:, None] >> points & 1
    drawn = combinations_with_replacement(range(_LARGEST_WEIGHT[num_points] + 1), num_points)
    weights = np.array([each[::-1] for each in drawn if any(each)])
    totals = weights.sum(1)
    light = np.array([int(error * total) for total in range(int(np.max(totals)) + 1)])
    heavy = weights @ inside.T > light[totals][:, None]
    families = (heavy @ (np.uint64(1) << subsets.astype(np.uint64))).tolist()
    first: dict[int, NDArray[np.intp]] = {}
    for i in np.argsort(totals, kind="stable").tolist():
        first.setdefault(families[i], weights[i])
    moves = np.array(list(permutations(range(num_points))))
    images = (inside[None, :, :] << moves[:, None, :]).sum(2)  # of each point set, by permutation
    result: HeavyFamilies = {}
    known = np.zeros(0, np.uint64)
    for family in sorted(first, key=int.bit_count, reverse=True):
        if np.any((known & np.uint64(family)) == np.uint64(family)):
            continue
        distribution = first[family]
        members = subsets[[family >> int(s) & 1 == 1 for s in subsets]]
        masks = np.bitwise_or.reduce(np.uint64(1) << images[:, members].astype(np.uint64), axis=1)
        moved = distribution[np.argsort(moves, axis=1)]
        even = moved[masks == np.uint64(family)].sum(0)  # as heavy, and image of itself as it is
        even //= np.gcd.reduce(even)
        for mask, move in zip(masks.tolist(), moves, strict=True):
            if mask not in result:
                image = np.zeros(num_points, np.intp)
                image[move] = even
                result[mask] = tuple(image.tolist())
        known = np.fromiter(result, np.uint64, len(result))
    return result
