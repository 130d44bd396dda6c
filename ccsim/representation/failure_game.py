"""The game between random sets of hypotheses and mixtures of neighbourhoods.

The rows are neighbourhoods, the columns sets of hypotheses. Tight columns determine a vertex of the
set of optimal distributions. In the exact game, each orbit of rows or columns under symmetries is
one row or column, with one probability.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from itertools import accumulate
from math import isinf, lcm
from typing import TypeVar, cast

import flint
import numpy as np

from ccsim.budget import Budget, OutOfWorkError, Progress
from ccsim.classes import ConceptClass
from ccsim.exact import common_denominator
from ccsim.programs.game import solve_integer_game
from ccsim.programs.integer_program import independent
from ccsim.representation.branching import Branching, MeetingSearch, Refutation, most_met
from ccsim.representation.failure import (
    MAX_POINTS,
    FailingHypotheses,
    FailureResult,
    failure_probability,
)
from ccsim.representation.float_game import FloatGame, NearOptimum, near_optimum
from ccsim.representation.hypotheses import HypothesisSet, ProbabilisticRepresentation
from ccsim.representation.meeting import tried
from ccsim.representation.neighbourhoods import (
    MOST_IMAGES,
    Listing,
    Neighbourhood,
    Permutation,
    averaged,
    masks_of,
    permutations_fixing,
    symmetries_fixing,
)
from ccsim.symmetry.groups import orbit, orbits_of
from ccsim.symmetry.matrix import Symmetry

_NODES = 20_000
_FEW_NODES = 2000
_LISTING = 0.5  # part of the time for the neighbourhoods that a search begins with
_ROUGH = 1e-6
_GRAIN = 10**6
_UNIT = 1 << 30  # of rounded laws: less than any difference that counts, and no long number
_CLOSE = 1e-9  # what pays so little more, as part of the largest payoff, is tight
Matrix = Sequence[Sequence[int]]
Option = TypeVar("Option")


class FailureGame(Listing):
    """The rows and columns found so far, and the bounds that they prove."""

    def __init__(
        self,
        concept_class: ConceptClass,
        error: Fraction,
        pool: tuple[int, ...] | None,
        size: int,
        budget: Budget,
        known: Iterable[Neighbourhood] = (),
    ) -> None:
        super().__init__(concept_class, error, pool)
        self._size, self._budget = size, budget
        self._place = {row: j for j, row in enumerate(self._hypotheses)}
        self._symmetries: tuple[Symmetry, ...] | None = None
        self._sets: list[tuple[int, ...]] = [self._hypotheses[:1]]
        self._known = known
        self.lower: Fraction = Fraction(0)
        self.refutation: Refutation | None = None
        first = HypothesisSet.from_rows(self._sets[0], len(concept_class.points))
        one = ProbabilisticRepresentation.mixture([(1, first)])
        self.failure = failure_probability(one, concept_class, error, time_limit=budget)

    def play(self, target: Fraction | None = None, progress: Progress | None = None) -> None:
        """Play until the bounds coincide, or decide whether the value is at most a target."""
        with self._budget:
            self._exactly = target is None  # then how few are needed is not asked
            moved = self._symmetries is not None or self._begin(target)
            while True:
                if progress is not None:
                    progress(self.lower, self.failure.upper)
                decided = target is not None and not self.lower <= target < self.failure.upper
                if decided or not moved or not self.lower < self.failure.upper:
                    return
                moved = self._round()

    def _begin(self, target: Fraction | None) -> bool:
        """List known and initial neighbourhoods; return whether an exact search follows."""
        self._symmetries = symmetries_fixing(self._C, self._pool)
        if len(self._C.points) <= MAX_POINTS:
            game = FloatGame(self._C, self._error, self._hypotheses, self._size, self._symmetries)
            near = near_optimum(game, self._budget, target)
            self._list(near.rows, self._budget)
            self._sets = list(near.sets)
            if near.ended:
                self._anchor(near, target)
            else:
                self._enclose(near, target)
            return near.ended
        with self._budget.share(_LISTING) as budget:
            self._list(self._known, budget)
            self._list_uniform(budget)
        return True

    def _anchor(self, near: NearOptimum, target: Fraction | None) -> None:
        """Prove bounds by exact games restricted to the supports of near-optimal strategies."""
        # with all that is tight more strategies are optimal, of which most are worse elsewhere
        every = {row: self._held(row) for row in near.against}
        mixed = [hypotheses for each in near.orbits for hypotheses in each]
        sizes = [len(each) for each in near.orbits]
        value, mixture = even_mixture(self._matrix(every, mixed), sizes, self._budget)
        self._fail(self._mixed(mixed, mixture), value)
        if target is not None and self.failure.upper <= target:
            return
        shares = self._carried(_mixed_part(near.rows))
        used = {row: self.rows[row] for row in shares}
        even = even_distribution(
            self._matrix(used, self._sets), [*shares.values()], self._alike(shares)
        )
        if even is None:
            value, distribution, _ = self._solve(used, self._sets)
        else:
            value, distribution = even[0], dict(zip(used, even[1], strict=True))
        self._better_set(value, distribution)

    def _enclose(self, near: NearOptimum, target: Fraction | None) -> None:
        """Prove bounds from rounded strategies of a float game that reached the time limit."""
        mixture = rounded(_mixed_part(near.sets))
        self._fail(self._mixed([*mixture], [*mixture.values()]), Fraction(1))
        if target is not None and self.failure.upper <= target:
            return
        value = max(Fraction(near.lower - _ROUGH), Fraction(0))
        distribution = rounded(self._carried(_mixed_part(near.rows)))
        self._better_set(value, distribution, shortly=self._exactly)

    def _alike(self, neighbourhoods: Collection[Neighbourhood]) -> list[list[int]]:
        """Return the indices of neighbourhoods, grouped by orbit if all orbits are complete."""
        place = {near: i for i, near in enumerate(neighbourhoods)}
        images = [[near.image(each) for near in place] for each in self._symmetries or ()]
        if any(image not in place for each in images for image in each):
            images = []
        orbits: dict[Neighbourhood, list[int]] = {}
        moves = (zip(place, each, strict=True) for each in images)
        for near, first in orbits_of(place, moves).items():
            orbits.setdefault(first, []).append(place[near])
        return [*orbits.values()]

    def _mixed(
        self, sets: Sequence[tuple[int, ...]], shares: Sequence[Fraction]
    ) -> ProbabilisticRepresentation:
        n = len(self._C.points)
        mixture = zip(shares, (HypothesisSet.from_rows(each, n) for each in sets), strict=True)
        return ProbabilisticRepresentation.mixture(mixture)

    def _matrix(
        self, rows: Mapping[Neighbourhood, int], sets: Sequence[tuple[int, ...]]
    ) -> list[list[int]]:
        """Return the matrix with entry 1 where a set of hypotheses misses a neighbourhood."""
        places = [sum(1 << self._place[h] for h in set(each)) for each in sets]
        matrix = []
        for held in rows.values():
            self._budget.spend()
            matrix.append([int(not held & each) for each in places])
        return matrix

    def _solve(
        self, rows: Mapping[Neighbourhood, int], sets: Sequence[tuple[int, ...]]
    ) -> tuple[Fraction, dict[Neighbourhood, Fraction], ProbabilisticRepresentation]:
        """Return the value of a restricted game, with optimal mixtures of rows and of sets."""
        value, distribution, shares, _ = solve_integer_game(self._matrix(rows, sets), self._budget)
        return value, dict(zip(rows, distribution, strict=True)), self._mixed(sets, shares)

    def _round(self) -> bool:
        """Solve the restricted game and extend one side; return whether this was possible."""
        self._budget.spend()
        value, distribution, mixture = self._solve(self.rows, self._sets)
        chosen = self._better_set(value, distribution)
        if chosen is not None:
            self._sets.append(chosen)
            return True
        near = self._failing(mixture, value)
        worse = near is not None
        if near is None:
            failure = self._fail(mixture, value)
            worse = failure.lower > value
            near = Neighbourhood.under(failure.concept, failure.distribution)
        number = len(self.rows)
        images = orbit(near, self._symmetries or (), Neighbourhood.image, MOST_IMAGES)
        self._list(images, self._budget)
        return worse or len(self.rows) > number

    def _fail(self, mixture: ProbabilisticRepresentation, value: Fraction) -> FailureResult:
        """Return the failure probability of a mixture, and keep it if it is the smallest so far."""
        failure = failure_probability(
            mixture, self._C, self._error, time_limit=self._budget, target=value, work=_NODES
        )
        if failure.upper < self.failure.upper:
            self.failure = failure
        return failure

    def _failing(
        self, mixture: ProbabilisticRepresentation, value: Fraction
    ) -> Neighbourhood | None:
        """Return a neighbourhood on which the failure of a mixture exceeds a value, or None."""
        hurried = self.failure.upper == 1 and not isinf(self._budget.remaining)
        if len(self._C.points) > MAX_POINTS or hurried:  # a proof is to be there when time is up
            return None
        best, near = value, None
        for f, row in enumerate(self._C.rows):
            found = FailingHypotheses(mixture, row, self._error, best, 0, self._budget)
            if found.best > best:
                best, near = found.best, Neighbourhood.under(f, found.distribution)
        return near

    def _better_set(
        self, value: Fraction, raw: dict[Neighbourhood, Fraction], *, shortly: bool = False
    ) -> tuple[int, ...] | None:
        """Return a set with failure below the value; otherwise keep a proof, if one is found."""
        even = averaged(raw, self._symmetries) if self._symmetries else raw
        is_even = bool(self._symmetries) and even == raw
        outcome = self._exceed(value, raw, symmetric=is_even, shortly=shortly)
        if even != raw and not isinstance(outcome, tuple):  # it is as good, and its tree is small
            mean = self._exceed(value, even, symmetric=True, shortly=shortly)
            outcome = mean if isinstance(mean, Refutation) else outcome
        if not isinstance(outcome, Refutation):
            return outcome
        total = sum(outcome.proof.weights)
        bound = 1 - Fraction(most_met(outcome.visited, total, self._size), total)
        if bound > self.lower:
            self.lower, self.refutation = bound, outcome
        return None

    def _exceed(
        self,
        value: Fraction,
        distribution: dict[Neighbourhood, Fraction],
        *,
        symmetric: bool,
        shortly: bool = False,
    ) -> Refutation | tuple[int, ...] | None:
        """Return a set with failure below a value under a mixture of rows, or a refutation."""
        unit = common_denominator(distribution.values())
        used = [near for near in distribution if distribution[near]]
        weights = [int(distribution[near] * unit) for near in used]
        items = masks_of(self._hypotheses, [self.rows[near] for near in used], self._budget)
        fixing = permutations_fixing(self._C, self._pool, used)

        def moves(chosen: Sequence[int]) -> list[Permutation]:
            found = fixing(chosen) if symmetric else []
            return [m for m in found if [weights[i] for i in m] == weights]

        target = int((1 - value) * unit)
        if len(self._C.points) <= MAX_POINTS and self._exactly:
            if symmetric:  # a small tree, if there is one
                budget = self._budget.share(work=_FEW_NODES)
                with suppress(OutOfWorkError):
                    return self._met(MeetingSearch(items, weights, moves, budget), target, used)
            found = tried(used, items, weights, self._size, target, self._budget)
            if found is not None or shortly:
                return found
        return self._met(MeetingSearch(items, weights, moves, self._budget), target, used)

    def _met(
        self, search: MeetingSearch, target: int, used: Sequence[Neighbourhood]
    ) -> Refutation | tuple[int, ...]:
        outcome = search.exceed(self._size, target)
        if outcome is not None:
            return outcome
        tree, permutations = tuple(search.tree), tuple(search.permutations)
        return Refutation(
            Branching(tuple(used), permutations, tree, search.weights), search.visited
        )


def _mixed_part(shares: Mapping[Option, float]) -> dict[Option, float]:
    return {option: share for option, share in shares.items() if share > 0}


def even_mixture(
    payoff: Matrix, sizes: Sequence[int], budget: Budget
) -> tuple[Fraction, list[Fraction]]:
    """Return the least payment of a mixture uniform on groups of columns, and the mixture."""
    unit = lcm(*sizes)
    starts = [0, *accumulate(sizes[:-1])]
    means = np.add.reduceat(np.array(payoff), starts, axis=1) * (unit // np.array(sizes))
    value, _, shares, _ = solve_integer_game(np.unique(means, axis=0).tolist(), budget)
    even = [share / size for share, size in zip(shares, sizes, strict=True) for _ in range(size)]
    return value / unit, even


def even_distribution(
    payoff: Matrix, near: Sequence[float], groups: Sequence[Sequence[int]]
) -> tuple[Fraction, list[Fraction]] | None:
    """Return the least payment under a distribution uniform on groups, and the distribution."""
    unit, whole = lcm(*map(len, groups)), np.array(payoff)
    means = [(whole[list(each)].sum(0) * (unit // len(each))).tolist() for each in groups]
    found = tight_distribution(means, [sum(near[i] for i in each) for each in groups])
    if found is None:
        return None
    distribution = [Fraction(0)] * len(near)
    for each, share in zip(groups, found[1], strict=True):
        for i in each:
            distribution[i] = share / len(each)
    return found[0] / unit, distribution


def rounded(shares: Mapping[Option, float]) -> dict[Option, Fraction]:
    """Return a rational distribution close to the given one, without negligible probabilities."""
    weights = {option: round(share * _UNIT) for option, share in shares.items()}
    total = sum(weights.values())
    return {option: Fraction(weight, total) for option, weight in weights.items() if weight}


def tight_distribution(
    matrix: Matrix, near: Sequence[float]
) -> tuple[Fraction, tuple[Fraction, ...]] | None:
    """Return the least payment under an exact distribution close to a given one in floats."""
    number = len(matrix)
    payoff = np.array(matrix, float)
    paid = np.array(near) @ payoff
    tight = np.flatnonzero(paid < paid.min() + _CLOSE * payoff.max()).tolist()
    columns = dict.fromkeys(tuple(row[j] for row in matrix) for j in tight)
    # unknown are the value and the weights; the columns pay it, and the weights add up to 1
    equations = [[-1, *column] for column in columns]
    equations.append([0] + [1] * number)
    system = flint.fmpz_mat(equations)
    basic, rows = independent(system), independent(system.transpose())
    free = {j + 1: round(near[j] * _GRAIN) for j in {*range(number)} - {j - 1 for j in basic}}
    target = [
        (_GRAIN if i == len(equations) - 1 else 0)
        - sum(weight * equations[i][j] for j, weight in free.items())
        for i in rows
    ]
    kernel = flint.fmpz_mat([[equations[i][j] for j in basic] for i in rows])
    found = cast("flint.fmpq_mat", kernel.solve(flint.fmpz_mat(len(rows), 1, target)))
    numerators, scale = found.numer_denom()
    solution = [free.get(j, 0) * int(scale) for j in range(number + 1)]
    for j, entry in zip(basic, numerators.entries(), strict=True):
        solution[j] = int(entry)
    unit = _GRAIN * int(scale)
    *rest, total = map(int, (system * flint.fmpz_mat(number + 1, 1, solution)).entries())
    if min(solution) < 0 or any(rest) or total != unit:
        return None
    value, *distribution = (Fraction(entry, unit) for entry in solution)
    return value, tuple(distribution)
