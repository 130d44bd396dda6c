"""Linear programs over all private learners of a tiny class with few examples, up to symmetry.

A learner is a distribution on hypotheses for each multiset of labelled examples. A symmetry is a
permutation of the points, followed by exchanges of labels on some of them, that maps the class to
itself.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations, combinations_with_replacement, permutations, product
from math import comb, factorial, lcm, prod
from typing import TypeAlias

import highspy
import numpy as np
import numpy.typing as npt

from ccsim.budget import Budget, OutOfTimeError, check_time, in_time
from ccsim.classes import ConceptClass
from ccsim.data import frozen
from ccsim.errors import InstanceTooLargeError
from ccsim.exact.distribution import Distribution
from ccsim.learning.learners.occam import Example, TabledLearner, labelled_examples
from ccsim.learning.worst_failure import Database, PointWeights
from ccsim.programs.highs import QuietHighs, suggest
from ccsim.programs.integer_program import IntegerProgram, Optimum
from ccsim.programs.program import solve_integer_program

WeightedTarget: TypeAlias = tuple[int, PointWeights, Fraction]
"""A concept (bit mask), a distribution over points, and a weight."""
Flow: TypeAlias = tuple[Database, Database, int, Fraction]
"""Two neighbouring databases, a hypothesis (bit mask), and an amount."""
Hard: TypeAlias = tuple[int, PointWeights]  # a concept (bit mask) and a distribution over points
Row: TypeAlias = tuple[dict[int, int], int, int | None]
"""Coefficients of the variables, and bounds of their sum."""
Cut = tuple[int, tuple[int, ...]]  # the number of a pair of samples, and a set of hypotheses

MAX_VARIABLES = 1 << 16  # maximum number of probabilities in the linear program. Beyond: bounds

_MOST = 1 << 10
"""Maximum number of permutations with flips; on more points only the identity is used."""
_BROKEN = 2e-7  # by more than this, floats break an inequality
_APART = 1 / 256  # both sides of a solution that is good to `_BROKEN` differ by no more than this
_FEW = 200
"""Number of variables above which the interior-point method is faster than the simplex method."""
_NOTHING = 1e-10  # prices below this are left out of proofs
_ABOVE = Fraction(1, 1 << 16)
_SHARE = 1 << 44
_SHARES = (40, 34, 30, 27, 24, 22, 20, 18, 16, 14, 12, 10, 8, 6, 4, 2, 0)
_UNIT = 1 << 40


@frozen
class LearningSolution:
    """The best learner for some targets, and the dual values that prove its optimality."""

    value: Fraction  # its failure probability on the worst of them
    learner: TabledLearner
    targets: list[WeightedTarget]  # those that have a price
    flows: list[Flow]  # both of them are up to symmetry
    exceeding: Fraction = Fraction(0)  # what flows add at most; it may be less with all symmetries


def check_variables(num_points: int, samples: int, most: int | None = None) -> None:
    """Refuse a learner with more probabilities than a limit, by default `MAX_VARIABLES`."""
    most = MAX_VARIABLES if most is None else most
    if max(samples, 1 << min(num_points, most)) > most:  # each is a factor
        number = f"more than {most}"
    else:
        variables = comb(2 * num_points + samples - 1, samples) << num_points
        if variables <= most:
            return
        number = str(variables)
    raise InstanceTooLargeError(
        f"{number} probabilities of a learner exceed the limit of {most}; use fewer "
        "points or examples"
    )


class LearningProgram:
    """The linear program for pure privacy, a class, a sample size and an accuracy."""

    def __init__(
        self, num_points: int, samples: int, accuracy: Fraction, factor: Fraction,
        moves: Sequence[Move], *, balanced: bool = False,
    ) -> None:  # fmt: skip
        check_variables(num_points, samples)
        self._m, self._n, self._accuracy, self._factor = num_points, samples, accuracy, factor
        self._moves = moves
        self._orbits = Orbits(num_points, samples, moves, balanced=balanced)
        self._examples = labelled_examples(num_points)
        self._rests = Orbits(num_points, samples - 1, moves, balanced=balanced) if samples else None
        self._rows = [*self._distributions(), *self._privacy()]

    @property
    def size(self) -> int:
        """The number of variables."""
        return len(self._orbits.firsts) + (len(self._rests.firsts) if self._rests else 0) + 1

    def _distributions(self) -> Iterator[Row]:
        for S in in_time(self._orbits.leaders):
            yield added_terms((o, 1) for o in self._orbits.of_sample(S)), 1, 1

    def _near(self, rest: Database, h: int) -> list[int]:
        """Return the orbits of ``(S, h)`` for all samples ``S = (*rest, z)``."""
        return [self._orbits.number[tuple(sorted((*rest, z))), h] for z in self._examples]

    def _privacy(self) -> Iterator[Row]:
        a, b = self._factor.as_integer_ratio()
        for i, (rest, h) in enumerate(in_time(self._rests.firsts if self._rests else ())):
            least = len(self._orbits.firsts) + i
            for o in self._near(rest, h):
                yield {o: 1, least: -1}, 0, None
                yield {o: -b, least: a}, 0, None

    def _success(self, concept: int, distribution: PointWeights) -> Row:
        """Return the constraint that the failure on a target is at most the last variable."""
        check_time()
        unit = lcm(*(p.denominator for p in distribution)) ** self._n
        errors = [Fraction(0)]  # of the functions, by the points where they are wrong
        for w in distribution:
            errors += [error + w for error in errors]
        good = [h for h in range(1 << self._m) if errors[concept ^ h] <= self._accuracy]
        chances = sample_distribution(concept, distribution, self._n)
        row = added_terms(
            (self._orbits.number[S, h], int(chance * unit)) for S, chance in chances for h in good
        )
        return {**row, self.size - 1: unit}, unit, None

    def solve(self, targets: Sequence[Hard], budget: Budget, *, exactly: bool) -> LearningSolution:
        """Return a learner that exactly minimises the largest failure on the given targets."""
        asked = [self._success(*target) for target in targets]
        primal, prices = self._optimum([*self._rows, *asked], budget)
        weights = prices[len(self._rows) :]
        flows = list(self._flows(prices[len(self._orbits.leaders) : len(self._rows)]))
        total = sum(weights, Fraction(0)) or Fraction(1)
        weighted = [(*target, w / total) for target, w in zip(targets, weights, strict=True) if w]
        flows = [(S, T, h, y / total) for S, T, h, y in flows]
        return LearningSolution(
            self._value(weighted, flows), self._learner(primal), weighted, flows
        )

    def _optimum(
        self, rows: Sequence[Row], budget: Budget
    ) -> tuple[list[Fraction], list[Fraction]]:
        """Return the optimal variables, and each row's dual value times its last coefficient."""
        first, last = len(self._orbits.firsts), self.size - 1
        lower = [*[0] * first, *[None] * (last - first), 0, *(row[1] for row in rows)]
        upper = [*[None] * self.size, *(row[2] for row in rows)]
        terms = [row[0] for row in rows]
        program = IntegerProgram.from_rows(terms, [*[0] * last, 1], lower, upper)
        end = solve_integer_program(program, suggest(program, budget), budget)
        if not isinstance(end, Optimum):
            raise OutOfTimeError
        prices = (Fraction(int(y), end.y_scale) for y in end.y)
        scaled = [y * row.get(last, 1) for y, row in zip(prices, terms, strict=True)]
        return [Fraction(x, end.x_scale) for x in end.x], scaled

    def _learner(self, primal: Sequence[Fraction]) -> TabledLearner:
        orbits = {S: self._orbits.of_sample(S) for S in self._orbits.samples}
        return TabledLearner(
            self._m,
            tuple(
                (
                    S,
                    Distribution[int].of({h: primal[o] for h, o in enumerate(orbits[S])}),
                )
                for S in orbits
            ),
        )

    def _flows(self, prices: Sequence[Fraction]) -> Iterator[Flow]:
        """Yield the dual values of the privacy constraints as flows between neighbours."""
        a, size = self._factor.numerator, len(self._examples)
        for i, (rest, h) in enumerate(self._rests.firsts if self._rests else ()):
            own = prices[2 * size * i : 2 * size * (i + 1)]
            near = [tuple(sorted((*rest, z))) for z in self._examples]
            wanted, offered = list(own[0::2]), [a * y for y in own[1::2]]
            for S, T in product(range(size), repeat=2):
                if amount := min(offered[S], wanted[T]):
                    offered[S] -= amount
                    wanted[T] -= amount
                    if S != T:
                        yield near[S], near[T], h, amount / self._factor

    def _value(
        self,
        targets: Sequence[WeightedTarget],
        flows: Sequence[Flow],
        exceeding: Fraction = Fraction(0),
    ) -> Fraction:
        """Return the bound on the failure that targets and flows prove, averaged over moves."""
        if not targets:
            return Fraction(0)
        gains = [Fraction(0)] * len(self._orbits.firsts)
        for concept, D, weight in targets:
            row, unit, _ = self._success(concept, D)
            for o, chance in row.items():
                if o < len(gains):
                    gains[o] += weight * Fraction(chance, unit)
        for S, T, h, y in flows:
            gains[self._orbits.number[S, h]] -= y
            gains[self._orbits.number[T, h]] += self._factor * y
        sizes = Counter(self._orbits.number.values())
        best = exceeding
        for S in self._orbits.leaders:
            orbits = self._orbits.of_sample(S)
            times = sum(sizes[o] for o in set(orbits)) // len(orbits)
            best += times * max(gains[o] / sizes[o] for o in orbits)
        return max(1 - best, Fraction(0))

    def exceeding(self, flows: Sequence[Flow]) -> Fraction:
        """Return the amount by which delta raises the bound on the success; 0 for pure privacy."""
        return Fraction(0)

    def proof(
        self, solution: LearningSolution
    ) -> tuple[Fraction, list[WeightedTarget], list[Flow]]:
        """Return the value, and targets and flows closed under symmetry.

        Targets and flows are empty for value 0.
        """
        targets: dict[Hard, Fraction] = defaultdict(Fraction)
        moved: dict[tuple[Database, Database, int], Fraction] = defaultdict(Fraction)
        for move in self._moves if solution.value else ():
            for f, D, w in solution.targets:
                targets[move.function(f), move.distribution(D)] += w / len(self._moves)
            for S, T, h, y in solution.flows:
                moved[move.sample(S), move.sample(T), move.function(h)] += y / len(self._moves)
        flows = [(*f, y) for f, y in moved.items()]
        saved = solution.exceeding - self.exceeding(flows) if flows else Fraction(0)
        return solution.value + saved, [(*t, w) for t, w in targets.items()], flows


class ApproximateProgram(LearningProgram):
    """The linear program for approximate privacy, up to symmetry."""

    def __init__(  # noqa: PLR0913 - what is asked, and of which learners
        self, num_points: int, samples: int, accuracy: Fraction, factor: Fraction,
        moves: Sequence[Move], delta: Fraction, goal: Fraction | None = None, *,
        balanced: bool = False,
    ) -> None:  # fmt: skip
        super().__init__(num_points, samples, accuracy, factor, moves, balanced=balanced)
        self._delta, self._goal = delta, goal
        self._pairs = list(self._neighbours())
        of_sample = self._orbits.of_sample
        first, second = ([of_sample(pair[k]) for pair in in_time(self._pairs)] for k in (0, 1))
        self._first = np.array(first, np.int64).reshape(-1, 1 << self._m)
        self._second = np.array(second, np.int64).reshape(-1, 1 << self._m)
        self._cuts: list[Cut] = []
        self._floats = _Floats(self.size, self._rows)

    @property
    def size(self) -> int:
        """The number of variables."""
        return len(self._orbits.firsts) + 1

    def _privacy(self) -> Iterator[Row]:
        """Yield nothing, because the many privacy inequalities are added only when violated."""
        return iter(())

    def _neighbours(self) -> Iterator[tuple[Database, Database]]:
        """Yield one pair of neighbouring samples from each orbit of such pairs."""
        seen = set[tuple[tuple[int, int], ...]]()
        for rest in self._rests.leaders if self._rests else ():
            check_time()
            near = [tuple(sorted((*rest, z))) for z in self._examples]
            for S, T in permutations(near, 2):
                both = zip(self._orbits.of_sample(S), self._orbits.of_sample(T), strict=True)
                if (key := tuple(sorted(both))) not in seen:
                    seen.add(key)
                    yield S, T

    def solve(self, targets: Sequence[Hard], budget: Budget, *, exactly: bool) -> LearningSolution:
        """Return a learner that minimises the largest failure probability on the given targets.

        The targets extend those of the last call. Unless ``exactly`` is set, a solution in floats
        is rounded to a private learner.
        """
        with budget.heard():
            asked = [self._success(*target) for target in targets]
        self._floats.ask(asked)
        x, y = self._floats.solve(budget)
        while new := self._broken(x):
            if self._goal is not None and x[-1] > float(self._goal) + 1e-6:
                break
            self._add(new)
            x, y = self._floats.solve(budget)
        samples = [self._orbits.of_sample(S) for S in self._orbits.leaders]
        if exactly:
            primal, prices = self._exactly(asked, budget)
        else:
            primal = private_distributions(x[:-1], samples, self._is_private)
            prices = [Fraction(round(p * _UNIT) if p > _NOTHING else 0, _UNIT) for p in y]
        own, paid = prices[: len(asked)], prices[len(asked) :]
        total = sum(own, Fraction(0)) or Fraction(1)
        weighted = [(*target, w / total) for target, w in zip(targets, own, strict=True) if w]
        flows = [
            (*self._pairs[i], h, price / total)
            for (i, hs), price in zip(self._cuts, paid, strict=True)
            if price
            for h in hs
        ]
        exceeding = self._delta * sum(paid, Fraction(0)) / total
        value = self._value(weighted, flows, exceeding)
        return LearningSolution(value, self._learner(primal), weighted, flows, exceeding)

    def _broken(self, x: Sequence[float]) -> list[Cut]:
        """Return violated privacy inequalities.

        For positive delta, these are the most violated ones, one for each pair of samples.
        """
        values = np.array(x)
        gains = values[self._first] - float(self._factor) * values[self._second]
        excess = np.maximum(gains, 0.0).sum(axis=1) - float(self._delta)
        broken = [
            (int(i), tuple(np.flatnonzero(gains[i] > 0).tolist()))
            for i in np.flatnonzero(excess > _BROKEN)
        ]
        if self._delta:
            return broken
        return [(i, (h,)) for i, hs in broken for h in hs if gains[i, h] > _BROKEN / 10]

    def _add(self, cuts: Sequence[Cut]) -> None:
        self._cuts += cuts
        self._floats.limit([self._terms(i, hs) for i, hs in cuts], -float(self._delta))

    def _terms(self, i: int, hs: Sequence[int]) -> dict[int, float]:
        terms: dict[int, float] = {}
        for h in hs:
            o, r = int(self._first[i, h]), int(self._second[i, h])
            terms[o] = terms.get(o, 0.0) - 1.0
            terms[r] = terms.get(r, 0.0) + float(self._factor)
        return terms

    def _exactly(
        self, asked: Sequence[Row], budget: Budget
    ) -> tuple[list[Fraction], list[Fraction]]:
        """Return the exact optimum, and the dual values of targets and of privacy inequalities."""
        (a, b), (p, q) = self._factor.as_integer_ratio(), self._delta.as_integer_ratio()
        while True:
            limits = list[Row]()
            for i, hs in self._cuts:
                pairs = ((int(self._first[i, h]), int(self._second[i, h])) for h in hs)
                terms = added_terms((v, c) for o, r in pairs for v, c in ((o, -q * b), (r, q * a)))
                limits.append((terms, -p * b, None))
            primal, prices = self._optimum([*self._rows, *asked, *limits], budget)
            new = [cut for cut in self._broken_exactly(primal) if cut not in self._cuts]
            if not new:
                own = len(self._rows) + len(asked)
                paid = (y * q * b for y in prices[own:])
                return primal, [*prices[len(self._rows) : own], *paid]
            self._add(new)

    def _broken_exactly(self, p: Sequence[Fraction]) -> Iterator[Cut]:
        for i, pair in enumerate(zip(self._first.tolist(), self._second.tolist(), strict=True)):
            gains = [p[o] - self._factor * p[r] for o, r in zip(*pair, strict=True)]
            if sum(max(gain, Fraction(0)) for gain in gains) > self._delta:
                yield i, tuple(h for h, gain in enumerate(gains) if gain > 0)

    def _is_private(self, p: Sequence[int]) -> bool:
        """Return whether distributions, as integers over a common denominator, are private."""
        a, b = self._factor.as_integer_ratio()
        allowed = (
            self._delta * b * sum(p[o] for o in self._orbits.of_sample(self._orbits.leaders[0]))
        )
        pairs = zip(self._first.tolist(), self._second.tolist(), strict=True)
        return all(
            sum(max(0, b * p[o] - a * p[r]) for o, r in zip(*pair, strict=True)) <= allowed
            for pair in in_time(pairs)
        )

    def exceeding(self, flows: Sequence[Flow]) -> Fraction:
        """Return delta times the sum, over pairs of samples, of the largest flow of the pair."""
        most: dict[tuple[Database, Database], Fraction] = {}
        for S, T, _, y in flows:
            most[S, T] = max(most.get((S, T), Fraction(0)), y)
        return self._delta * sum(most.values(), Fraction(0))


class _Floats:
    """The linear program in floats, to which rows can be added; the last column is the failure."""

    def __init__(self, columns: int, rows: Sequence[Row]) -> None:
        self._highs = QuietHighs()
        self._solver = "ipm" if columns > _FEW else "simplex"
        self._highs.setOptionValue("run_crossover", "off")
        self._asked, self._limits, self._last = list[int](), list[int](), columns - 1
        self._rows = 0
        none = np.array([], np.int32), np.array([])
        for j in in_time(range(columns)):
            self._highs.addCol(float(j == columns - 1), 0.0, highspy.kHighsInf, 0, *none)
        for terms, side, _ in in_time(rows):
            self._add(terms, float(side), float(side))

    def _add(self, terms: dict[int, int] | dict[int, float], least: float, most: float) -> int:
        index = np.array([*terms], np.int32)
        values: npt.NDArray[np.float64] = np.array([*terms.values()], np.float64)
        self._highs.addRow(least, most, len(index), index, values)
        self._rows += 1
        return self._rows - 1

    def limit(self, rows: Sequence[dict[int, float]], least: float) -> None:
        """Add inequalities, each of which bounds a linear form from below."""
        number, ends = len(rows), np.cumsum([0, *map(len, rows)])
        index = np.fromiter((j for row in rows for j in row), np.int32, ends[-1])
        values = np.fromiter((c for row in rows for c in row.values()), np.float64, ends[-1])
        sides = np.full(number, least), np.full(number, highspy.kHighsInf)
        starts = ends[:-1].astype(np.int32)
        self._highs.addRows(number, *sides, len(index), starts, index, values)
        self._limits += range(self._rows, self._rows + number)
        self._rows += number

    def ask(self, rows: Sequence[Row]) -> None:
        """Add the constraints of the targets that the program does not contain yet."""
        for terms, unit, _ in rows[len(self._asked) :]:
            shares = {j: float(Fraction(c, unit)) for j, c in terms.items()}
            kept = {j: share for j, share in shares.items() if share > 1e-9}
            self._asked.append(self._add(kept, 1.0, highspy.kHighsInf))

    def solve(self, budget: Budget) -> tuple[list[float], list[float]]:
        """Return the solution, and the dual values of the targets, then of the inequalities."""
        if not math.isinf(budget.remaining):  # the solver adds up the time of all its runs
            self._highs.setOptionValue("time_limit", self._highs.getRunTime() + budget.remaining)
        for solver in (self._solver, "simplex"):  # interior points may come to a standstill
            self._highs.setOptionValue("solver", solver)
            self._highs.run()
            budget.spend()
            if self._is_solved():
                break
        else:
            raise OutOfTimeError
        solution = self._highs.getSolution()
        prices = solution.row_dual
        return list(solution.col_value), [prices[i] for i in (*self._asked, *self._limits)]

    def _is_solved(self) -> bool:
        """Return whether the solver found an optimum, or a solution with small residuals."""
        if self._highs.getModelStatus() == highspy.HighsModelStatus.kOptimal:
            return True
        found = self._highs.getInfo()
        worst = max(found.max_primal_infeasibility, found.max_dual_infeasibility)
        _, apart = self._highs.getInfoValue("primal_dual_objective_error")
        return bool(worst < _BROKEN and apart < _APART)


@frozen
class Move:
    """A permutation of the points followed by flips."""

    places: tuple[int, ...]  # point ``x`` moves to ``places[x]``
    flips: int  # points (bit mask, after the permutation) whose labels are exchanged

    def function(self, h: int) -> int:
        """Return the image of a function."""
        return sum((h >> x & 1) << y for x, y in enumerate(self.places)) ^ self.flips

    def sample(self, S: Database) -> Database:
        """Return the image of a multiset of labelled examples."""
        moved = ((self.places[x], label ^ (self.flips >> self.places[x] & 1)) for x, label in S)
        return tuple(sorted(moved))

    def distribution(self, D: PointWeights) -> PointWeights:
        """Return the image of a distribution over the points."""
        return tuple(D[self.places.index(y)] for y in range(len(D)))


def class_symmetries(concept_class: ConceptClass) -> tuple[Move, ...]:
    """Return the symmetries of a class on at most 4 points; for more points, only the identity."""
    m, rows = len(concept_class.points), set(concept_class.rows)
    if m > _MOST or factorial(m) << m > _MOST:
        return (Move(tuple(range(m)), 0),)
    moves = (Move(p, flips) for p in permutations(range(m)) for flips in range(1 << m))
    return tuple(move for move in moves if {move.function(f) for f in rows} == rows)


def balance(S: Database) -> Database:
    """Return a sample without pairs of examples of one point with opposite labels."""
    times = Counter(S)
    return tuple((x, y) for x, y in times for _ in range(times[x, y] - times[x, 1 - y]))


class Orbits:
    """Pairs of a multiset of a given number of labelled examples and a function, up to symmetry."""

    def __init__(
        self, num_points: int, samples: int, moves: Sequence[Move], *, balanced: bool = False
    ) -> None:
        functions = range(1 << num_points)
        self.samples: list[Database] = list(
            combinations_with_replacement(labelled_examples(num_points), samples)
        )
        images = [[move.function(h) for h in functions] for move in moves]
        seen: dict[tuple[Database, int], int] = {}
        self.number = dict[tuple[Database, int], int]() if balanced else seen
        self.firsts: list[tuple[Database, int]] = []
        self.leaders: list[Database] = []
        for S in self.samples:
            check_time()
            core = balance(S) if balanced else S
            if (core, 0) not in seen:
                self.leaders.append(S)
                moved = [move.sample(core) for move in moves]
                for h in functions:
                    if (core, h) not in seen:
                        for T, image in zip(moved, images, strict=True):
                            seen[T, image[h]] = len(self.firsts)
                        self.firsts.append((S, h))
            if balanced:
                self.number.update(((S, h), seen[core, h]) for h in functions)

    def of_sample(self, S: Database) -> list[int]:
        """Return, for each function, the number of the orbit of a sample paired with it."""
        size = len(self.number) // len(self.samples)
        return [self.number[S, h] for h in range(size)]


def added_terms(terms: Iterable[tuple[int, int]]) -> dict[int, int]:
    """Return terms ``(variable, coefficient)`` with the coefficients of equal variables added."""
    row: dict[int, int] = {}
    for o, a in terms:
        row[o] = row.get(o, 0) + a
    return {o: a for o, a in row.items() if a}


def error_of(wrong: int, distribution: PointWeights) -> Fraction:
    """Return the mass of a set of wrong points, given as a bit mask."""
    return sum((w for x, w in enumerate(distribution) if wrong >> x & 1), Fraction(0))


def sample_distribution(
    concept: int, distribution: PointWeights, samples: int
) -> Iterator[tuple[Database, Fraction]]:
    """Yield each multiset of examples that a target may give, with its probability."""
    for drawn in combinations_with_replacement(range(len(distribution)), samples):
        ways = factorial(samples) // prod(factorial(drawn.count(x)) for x in set(drawn))
        chance = ways * prod((distribution[x] for x in drawn), start=Fraction(1))
        examples: list[Example] = sorted((x, concept >> x & 1) for x in drawn)
        yield tuple(examples), chance


def near_the_accuracy(num_points: int, accuracy: Fraction) -> list[PointWeights]:
    """Return distributions whose support points, except one, have mass just above the accuracy."""
    mass, found = accuracy + _ABOVE, list[PointWeights]()
    for heavy in range(num_points):
        rest = [x for x in range(num_points) if x != heavy]
        for chosen in (S for k in range(1, num_points) for S in combinations(rest, k)):
            if len(chosen) * mass < 1:
                distribution = [mass if x in chosen else Fraction(0) for x in range(num_points)]
                distribution[heavy] = 1 - len(chosen) * mass
                found.append(tuple(distribution))
    return sorted(found)


def private_distributions(
    values: Sequence[float],
    samples: Sequence[Sequence[int]],
    is_private: Callable[[Sequence[int]], bool],
) -> list[Fraction]:
    """Return private distributions: the given ones, mixed with a small share of the uniform one."""
    functions = len(samples[0])
    for share in _SHARES:
        mixed = [
            max(0, round(Fraction(v) * (_SHARE - (_SHARE >> share))))
            + (_SHARE >> share) // functions
            for v in values
        ]
        exact = [functions * w for w in mixed]
        for variables in samples:
            lacking = _SHARE - sum(times * mixed[o] for o, times in Counter(variables).items())
            for o in set(variables):
                exact[o] += lacking
        if min(exact) >= 0 and is_private(exact):
            return [Fraction(w, functions * _SHARE) for w in exact]
    return [Fraction(1, functions)] * len(values)
