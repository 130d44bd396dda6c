"""The game between random sets of hypotheses and mixtures of neighbourhoods."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from math import isinf

from ccsim.budget import Budget, OutOfWorkError, Progress
from ccsim.classes import ConceptClass
from ccsim.exact import common_denominator
from ccsim.programs.game import solve_integer_game
from ccsim.representation.failing_sets.exact_strategies import even_law, even_mixture, rounded
from ccsim.representation.failing_sets.float_game import NearOptimum, near_optimum
from ccsim.representation.failing_sets.heavy_families import MAX_POINTS
from ccsim.representation.failing_sets.meeting import tried
from ccsim.representation.failing_sets.supposing import FailingHypotheses
from ccsim.representation.failure import FailureResult, failure_probability
from ccsim.representation.hitting_sets.branching import Branching, Refutation, most_met
from ccsim.representation.hitting_sets.coverage import MeetingSearch
from ccsim.representation.hitting_sets.listing import carried, listed, masks_of, members_of
from ccsim.representation.hitting_sets.neighbourhoods import (
    Neighbourhood,
    hypotheses_of,
    uniform_neighbourhoods,
)
from ccsim.representation.hitting_sets.symmetries import (
    MOST_IMAGES,
    Permutation,
    averaged,
    permutations_fixing,
    symmetries_fixing,
)
from ccsim.representation.hypotheses import HypothesisSet, ProbabilisticRepresentation
from ccsim.symmetry.groups import orbit, orbits_of
from ccsim.symmetry.matrix import Symmetry

_NODES = 20_000
_FEW_NODES = 2000
_LISTING = 0.5
"""Part of the time for the neighbourhoods that a search begins with."""
_ROUGH = 1e-6


class FailureGame:
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
        self._C, self._error, self._pool, self._size = concept_class, error, pool, size
        self._budget = budget
        self._hypotheses = hypotheses_of(concept_class, pool)
        self._place = {row: j for j, row in enumerate(self._hypotheses)}
        self._symmetries: tuple[Symmetry, ...] | None = None
        self.rows: dict[Neighbourhood, int] = {}  # with the hypotheses that each holds
        self._sets: list[tuple[int, ...]] = [self._hypotheses[:1]]
        self._known = known
        self._list([Neighbourhood.of_point(len(concept_class.points))], Budget())
        self.lower: Fraction = Fraction(0)
        self.refutation: Refutation | None = None
        first = HypothesisSet.from_rows(self._sets[0], len(concept_class.points))
        one = ProbabilisticRepresentation.mixture([(1, first)])
        self.failure = failure_probability(one, concept_class, error, time_limit=budget)

    def play(self, target: Fraction | None = None, progress: Progress | None = None) -> None:
        """Let the bounds meet, or decide whether the value is at most a target."""
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
        """List what is known and, in a part of the time, what a search begins with, if it does."""
        self._symmetries = symmetries_fixing(self._C, self._pool)
        if len(self._C.points) <= MAX_POINTS:
            question = self._C, self._error, self._hypotheses, self._size
            near = near_optimum(*question, self._symmetries, self._budget, target)
            self._list(near.rows, self._budget)
            self._sets = list(near.sets)
            if near.ended:
                self._anchor(near, target)
            else:
                self._enclose(near, target)
            return near.ended
        with self._budget.share(_LISTING) as budget:
            self._list(self._known, budget)
            for each in uniform_neighbourhoods(self._C, self._error, budget):
                self._list(each, budget)
        return True

    def _list(self, neighbourhoods: Iterable[Neighbourhood], budget: Budget) -> None:
        self.rows = listed(
            self.rows, neighbourhoods, self._C, self._error, self._hypotheses, budget
        )

    def _anchor(self, near: NearOptimum, target: Fraction | None) -> None:
        """Prove what the nearly best strategies give, each side with what it mixes alone."""
        # with all that is tight more strategies are optimal, of which most are worse elsewhere
        every = {
            row: members_of(self._C, self._error, self._hypotheses, row) for row in near.against
        }
        mixed = [hypotheses for each in near.orbits for hypotheses in each]
        sizes = [len(each) for each in near.orbits]
        value, mixture = even_mixture(self._matrix(every, mixed), sizes, self._budget)
        self._fail(self._mixed(mixed, mixture), value)
        if target is not None and self.failure.upper <= target:
            return
        shares = self._carried(near)
        used = {row: self.rows[row] for row in shares}
        even = even_law(self._matrix(used, self._sets), [*shares.values()], self._alike(shares))
        if even is None:
            value, law, _ = self._solve(used, self._sets)
        else:
            value, law = even[0], dict(zip(used, even[1], strict=True))
        self._better_set(value, law)

    def _enclose(self, near: NearOptimum, target: Fraction | None) -> None:
        """Prove about what strategies give that were not played to the end: these are rounded."""
        mixture = rounded({each: share for each, share in near.sets.items() if share > 0})
        self._fail(self._mixed([*mixture], [*mixture.values()]), Fraction(1))
        if target is not None and self.failure.upper <= target:
            return
        value = max(Fraction(near.lower - _ROUGH), Fraction(0))
        self._better_set(value, rounded(self._carried(near)), shortly=self._exactly)

    def _carried(self, near: NearOptimum) -> dict[Neighbourhood, float]:
        """Return the mixture of rows, each share with what is listed for its row."""
        mixed = {row: share for row, share in near.rows.items() if share > 0}
        return carried(mixed, self.rows, self._C, self._error, self._hypotheses)

    def _alike(self, neighbourhoods: Collection[Neighbourhood]) -> list[list[int]]:
        """Return the numbers of neighbourhoods by orbits, if these are listed wholly."""
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
        """Return for each row 1 where a set misses it."""
        places = [sum(1 << self._place[h] for h in set(each)) for each in sets]
        matrix = []
        for held in rows.values():
            self._budget.spend()
            matrix.append([int(not held & each) for each in places])
        return matrix

    def _solve(
        self, rows: Mapping[Neighbourhood, int], sets: Sequence[tuple[int, ...]]
    ) -> tuple[Fraction, dict[Neighbourhood, Fraction], ProbabilisticRepresentation]:
        """Return the value of a restricted game, the law of its rows, the mixture of its sets."""
        value, law, shares, _ = solve_integer_game(self._matrix(rows, sets), self._budget)
        return value, dict(zip(rows, law, strict=True)), self._mixed(sets, shares)

    def _round(self) -> bool:
        """Solve the restricted game and extend it on one side; False if neither side moves."""
        self._budget.spend()
        value, law, mixture = self._solve(self.rows, self._sets)
        chosen = self._better_set(value, law)
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
        """Return how often a mixture fails, and keep it if it fails least of all."""
        failure = failure_probability(
            mixture, self._C, self._error, time_limit=self._budget, target=value, work=_NODES
        )
        if failure.upper < self.failure.upper:
            self.failure = failure
        return failure

    def _failing(
        self, mixture: ProbabilisticRepresentation, value: Fraction
    ) -> Neighbourhood | None:
        """Return where a mixture fails more than a value, if that is known without a proof."""
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
        """Return a set that fails with less than the value; else keep a proof, if there is one."""
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
        law: dict[Neighbourhood, Fraction],
        *,
        symmetric: bool,
        shortly: bool = False,
    ) -> Refutation | tuple[int, ...] | None:
        """Return a set that fails with less than a value under a mixture, or why there is none."""
        unit = common_denominator(law.values())
        used = [near for near in law if law[near]]
        weights = [int(law[near] * unit) for near in used]
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
