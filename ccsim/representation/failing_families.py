"""The heaviest family of hypothesis sets that fail together for a concept, with a proof.

Sets fail together under some distribution exactly when their union does not represent the concept.
Over many points a search branches on the sets; over few points all ways to fail are listed, and the
proof supposes of one hypothesis after the other that it errs too much or not.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import accumulate, combinations_with_replacement, compress, permutations

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from ccsim.budget import Budget
from ccsim.classes.masks import members
from ccsim.exact import common_denominator
from ccsim.representation.branching import image_of
from ccsim.representation.error import ConceptError, concept_error
from ccsim.representation.hypotheses import HypothesisSet, ProbabilisticRepresentation

MAX_SETS = 400
"""Most sets that are branched on; the search and its proof are as deep as there are sets."""

MAX_POINTS = 6
"""Most points over which families are listed."""

_ROUGH = 1e-6
_LARGEST_WEIGHT = (1, 1, 1, 2, 3, 5, 9)
"""By number of points, a weight that suffices for every threshold function (Muroga)."""

Booleans = NDArray[np.bool_]

HeavyFamilies = dict[int, tuple[int, ...]]
"""For each family, a mask of point sets, integer weights of points under which all are heavy."""

Node = tuple[Fraction, ...] | int | None
Tree = tuple[Node, ...]
"""Nodes, each followed by those below it: None decides on the next set, which fails or does not, a
bit mask on a hypothesis, which errs too much or does not; convex weights of the hypotheses that do
show that one does not; ``()`` stands where what may still fail is light."""


class FailingFamilies:
    """One search; the result is in the attributes."""

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
        self.distribution: tuple[Fraction, ...] = ()
        self._representation = representation
        self._concept = concept
        self._error = error
        self._nodes_left = work
        self._budget = budget or Budget()
        self.tree: Tree | None = None
        with self._budget:
            self.tree = self._search(0, (), Fraction(1), ())

    def _search(
        self, depth: int, included: tuple[int, ...], possible: Fraction, law: tuple[Fraction, ...]
    ) -> Tree | None:
        R = self._representation
        if possible <= self.best:
            return ((),)
        if depth == len(R.sets):
            self.best, self.distribution = possible, law
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
        without = self._search(depth + 1, included, possible - R.weights[depth], law)
        return None if without is None else (None, *within, *without)

    def _mixture(
        self, included: tuple[int, ...], union: HypothesisSet, weights: tuple[Fraction, ...]
    ) -> tuple[Fraction, ...]:
        """Give the weight of each hypothesis of the union to the first set that holds it."""
        left = dict(zip(union.rows, weights, strict=True))
        sets = self._representation.sets
        return tuple(left.pop(row, Fraction(0)) for i in included for row in sets[i].rows)


class FailingHypotheses:
    """One search; the result is in the attributes."""

    def __init__(
        self,
        representation: ProbabilisticRepresentation,
        concept: int,
        error: Fraction,
        start: Fraction,
        work: int,
        budget: Budget | None = None,
    ) -> None:
        R, self._concept, self._error = representation, concept, error
        self._points = R.num_points
        self._budget = budget or Budget()
        unit = common_denominator(R.weights)
        self._shares = [int(weight * unit) for weight in R.weights]
        wrong = [[h ^ concept for h in H.rows] for H in R.sets]
        self._firsts = [0, *accumulate(map(len, wrong[:-1]))]
        self._wrong = np.array([E for each in wrong for E in each])
        self._floats = np.array([float(weight) for weight in R.weights])
        self._unit = unit
        self.best, self.distribution = start, ()
        self.tree: Tree | None = None
        every = np.arange(1 << self._points)
        light = self._wrong & ~every[:, None] == 0
        # for each light set of points, the sets that then pass
        self._passing = np.logical_or.reduceat(light, self._firsts, axis=1)
        self._weights = self._passing * self._floats
        self._families = dict(heavy_families(self._points, error))
        # its matrices are small: threads would wait for each other
        with self._budget, threadpool_limits(1, "blas"):
            while not self._prove(work):
                continue

    # distribution under which the heaviest family fails; empty if none beat the start
    distribution: tuple[Fraction, ...]

    def _prove(self, work: int) -> bool:
        """Find the heaviest of the listed families and a tree; False if a family was not listed."""
        families = np.array([*self._families], np.uint64)
        every = np.arange(1 << self._points, dtype=np.uint64)
        self._holds = (families[:, None] >> every & 1).astype(bool)
        failing = np.logical_and.reduceat(self._holds[:, self._wrong], self._firsts, axis=1)
        rough = failing @ self._floats
        for i, law in enumerate(self._families.values()):
            if rough[i] > np.max(rough) - _ROUGH:  # by far more than the floats are wrong
                weight = Fraction(sum(compress(self._shares, failing[i].tolist())), self._unit)
                if weight > self.best:
                    self.best = weight
                    self.distribution = tuple(Fraction(w, sum(law)) for w in law)
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
        """Add the tree of a case; None if a family is not listed, or no work is left."""
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
        """Add the mixture that refutes that sets of points are heavy together, or list a family."""
        found = refutations(self._points, self._error)
        mixture = found.mixture(heavy)
        if mixture is None:
            law = found.law(heavy)
            limit = self._error * sum(law)
            family = sum(
                1 << E for E in range(1 << self._points) if sum(law[x] for x in members(E)) > limit
            )
            self._families[family] = law
            return None
        self._nodes.append(mixture)
        return True


@cache
def heavy_families(num_points: int, error: Fraction) -> HeavyFamilies:
    """Return the largest families of point sets that weigh more than a bound together.

    Complexity: some thousand weights and the permutations of the points; a second for 6 points.
    """
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
        law = first[family]
        members = subsets[[family >> int(s) & 1 == 1 for s in subsets]]
        masks = np.bitwise_or.reduce(np.uint64(1) << images[:, members].astype(np.uint64), axis=1)
        moved = law[np.argsort(moves, axis=1)]
        even = moved[masks == np.uint64(family)].sum(0)  # as heavy, and image of itself as it is
        even //= np.gcd.reduce(even)
        for mask, move in zip(masks.tolist(), moves, strict=True):
            if mask not in result:
                image = np.zeros(num_points, np.intp)
                image[move] = even
                result[mask] = tuple(image.tolist())
        known = np.fromiter(result, np.uint64, len(result))
    return result


class Refutations:
    """What has been found for a number of points and a bound."""

    def __init__(self, num_points: int, error: Fraction) -> None:
        self._points, self._error = num_points, error
        every = range(1 << num_points)
        self._above = [sum(1 << E for E in every if not S & ~E) for S in every]
        moves = list(permutations(range(num_points)))
        self._images = np.array([[image_of(E, move) for move in moves] for E in every])
        self._known = np.zeros(0, np.uint64)  # families of sets, as masks of their masks
        self._shares: dict[int, dict[int, Fraction]] = {}

    def mixture(self, heavy: Sequence[int]) -> tuple[Fraction, ...] | None:
        """Return convex weights of sets that refute that all are heavy; None if they can be."""
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

    def law(self, heavy: Sequence[int]) -> tuple[int, ...]:
        """Return integer weights of the points that make the lightest of some sets heaviest."""
        distribution = self._game(heavy).distribution
        unit = common_denominator(distribution)
        return tuple(int(p * unit) for p in distribution)

    def _game(self, heavy: Sequence[int]) -> ConceptError:
        return concept_error(HypothesisSet.from_rows(heavy, self._points), 0)

    def _solve(self, heavy: Sequence[int]) -> bool:
        """Whether not all are heavy; if so, note why, for all permutations of the points."""
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
    """Return what has been found in this process for a number of points and a bound."""
    return Refutations(num_points, error)
