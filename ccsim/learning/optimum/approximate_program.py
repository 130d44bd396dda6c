"""The linear program over all ``(epsilon, delta)``-private learners of a tiny class.

That what the factor leaves of the probabilities after an exchange sums to ``delta`` at most is one
inequality for each set of hypotheses and each two neighbouring samples. Those that a solution
breaks are added until it breaks none; a price of one is a flow on each hypothesis of its set.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import permutations

import highspy
import numpy as np
import numpy.typing as npt

from ccsim.budget import Budget, OutOfTimeError, check_time, in_time
from ccsim.learning.optimum.bounds import Flow
from ccsim.learning.optimum.program import LearningProgram, LearningSolution
from ccsim.learning.optimum.rounding import private_laws
from ccsim.learning.optimum.rows import Hard, Row, added_terms
from ccsim.learning.optimum.subdivisions import Database
from ccsim.learning.optimum.symmetries import Move
from ccsim.programs.highs import QuietHighs, suggest
from ccsim.programs.integer_program import IntegerProgram, Optimum
from ccsim.programs.program import solve_integer_program

_UNIT = 1 << 40
_BROKEN = 2e-7
"""By more than this, floats break an inequality."""
_APART = 1 / 256
"""Both sides of a solution that is good to `_BROKEN` differ by no more than this."""
_FEW = 200
"""With more variables interior points, which need no basis, are quicker by far than vertices."""
_NOTHING = 1e-10
"""Prices below this are left out of proofs."""

Cut = tuple[int, tuple[int, ...]]
"""The number of a pair of samples, and a set of hypotheses."""


class ApproximateProgram(LearningProgram):
    """The program for one class, number of examples, accuracy and privacy, up to symmetry."""

    def __init__(  # noqa: PLR0913 - what is asked, and of which learners
        self, num_points: int, samples: int, accuracy: Fraction, factor: Fraction,
        moves: Sequence[Move], delta: Fraction, goal: Fraction | None = None, *,
        balanced: bool = False,
    ) -> None:  # fmt: skip
        super().__init__(num_points, samples, accuracy, factor, moves, balanced=balanced)
        self._delta, self._goal = delta, goal
        self._pairs = list(self._neighbours())
        law = self._orbits.law
        first, second = ([law(pair[k]) for pair in in_time(self._pairs)] for k in (0, 1))
        self._first = np.array(first, np.int64).reshape(-1, 1 << self._m)
        self._second = np.array(second, np.int64).reshape(-1, 1 << self._m)
        self._cuts: list[Cut] = []
        self._floats = _Floats(self.size, self._rows)

    @property
    def size(self) -> int:
        """The number of variables."""
        return len(self._orbits.firsts) + 1

    def _privacy(self) -> Iterator[Row]:
        """Yield nothing: these inequalities are too many."""
        return iter(())

    def _neighbours(self) -> Iterator[tuple[Database, Database]]:
        """Yield two neighbouring samples of each orbit of such pairs."""
        seen = set[tuple[tuple[int, int], ...]]()
        for rest in self._rests.leaders if self._rests else ():
            check_time()
            near = [tuple(sorted((*rest, z))) for z in self._examples]
            for S, T in permutations(near, 2):
                both = zip(self._orbits.law(S), self._orbits.law(T), strict=True)
                if (key := tuple(sorted(both))) not in seen:
                    seen.add(key)
                    yield S, T

    def solve(self, targets: Sequence[Hard], budget: Budget, *, exactly: bool) -> LearningSolution:
        """Return the learner with the least failure probability on the worst of some targets.

        The targets are those of the last call, and maybe more. Unless ``exactly``, both sides are
        rounded floats, made private and a proof again.
        """
        asked = [self._success(*target) for target in targets]
        self._floats.ask(asked)
        x, y = self._floats.solve(budget)
        while new := self._broken(x):
            if self._goal is not None and x[-1] > float(self._goal) + 1e-6:
                break
            self._add(new)
            x, y = self._floats.solve(budget)
        laws = [self._orbits.law(S) for S in self._orbits.leaders]
        if exactly:
            primal, prices = self._exactly(asked, budget)
        else:
            primal = private_laws(x[:-1], laws, self._is_private)
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
        """Return the inequalities that are broken most, one for each pair of samples at most."""
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
        """Return the optimum of the program, and the prices of the targets and inequalities."""
        (a, b), (p, q) = self._factor.as_integer_ratio(), self._delta.as_integer_ratio()
        while True:
            pairs = [
                [(int(self._first[i, h]), int(self._second[i, h])) for h in hs]
                for i, hs in self._cuts
            ]
            limits: list[Row] = [
                (
                    added_terms((v, c) for o, r in hs for v, c in ((o, -q * b), (r, q * a))),
                    -p * b,
                    None,
                )
                for hs in pairs
            ]
            rows = [*self._rows, *asked, *limits]
            lower = [*[0] * self.size, *(row[1] for row in rows)]
            upper = [*[None] * self.size, *(row[2] for row in rows)]
            cost = [*[0] * (self.size - 1), 1]
            program = IntegerProgram.from_rows([row[0] for row in rows], cost, lower, upper)
            end = solve_integer_program(program, suggest(program, budget), budget)
            if not isinstance(end, Optimum):
                raise OutOfTimeError
            primal = [Fraction(x, end.x_scale) for x in end.x]
            new = [cut for cut in self._broken_exactly(primal) if cut not in self._cuts]
            if not new:
                prices = [Fraction(int(y), end.y_scale) for y in end.y]
                own = prices[len(self._rows) :]
                units = [*(row[0][self.size - 1] for row in asked), *[q * b] * len(limits)]
                return primal, [y * u for y, u in zip(own, units, strict=True)]
            self._add(new)

    def _broken_exactly(self, p: Sequence[Fraction]) -> Iterator[Cut]:
        for i, pair in enumerate(zip(self._first.tolist(), self._second.tolist(), strict=True)):
            gains = [p[o] - self._factor * p[r] for o, r in zip(*pair, strict=True)]
            if sum(max(gain, Fraction(0)) for gain in gains) > self._delta:
                yield i, tuple(h for h, gain in enumerate(gains) if gain > 0)

    def _is_private(self, p: Sequence[int]) -> bool:
        """Decide whether laws, in parts of a unit, are private."""
        a, b = self._factor.as_integer_ratio()
        allowed = self._delta * b * sum(p[o] for o in self._orbits.law(self._orbits.leaders[0]))
        return all(
            sum(max(0, b * p[o] - a * p[r]) for o, r in zip(*pair, strict=True)) <= allowed
            for pair in zip(self._first.tolist(), self._second.tolist(), strict=True)
        )

    def exceeding(self, flows: Sequence[Flow]) -> Fraction:
        """Return what flows may add to the success, as probabilities exceed the factor's."""
        most: dict[tuple[Database, Database], Fraction] = {}
        for S, T, _, y in flows:
            most[S, T] = max(most.get((S, T), Fraction(0)), y)
        return self._delta * sum(most.values(), Fraction(0))


class _Floats:
    """The program in floats, which grows by rows; the failure is the last column."""

    def __init__(self, columns: int, rows: Sequence[Row]) -> None:
        self._highs = QuietHighs()
        self._solver = "ipm" if columns > _FEW else "simplex"
        self._highs.setOptionValue("run_crossover", "off")
        self._asked, self._limits, self._last = list[int](), list[int](), columns - 1
        self._rows = 0
        none = np.array([], np.int32), np.array([])
        for j in range(columns):
            self._highs.addCol(float(j == columns - 1), 0.0, highspy.kHighsInf, 0, *none)
        for terms, side, _ in rows:
            self._add(terms, float(side), float(side))

    def _add(self, terms: dict[int, int] | dict[int, float], least: float, most: float) -> int:
        index = np.array([*terms], np.int32)
        values: npt.NDArray[np.float64] = np.array([*terms.values()], np.float64)
        self._highs.addRow(least, most, len(index), index, values)
        self._rows += 1
        return self._rows - 1

    def limit(self, rows: Sequence[dict[int, float]], least: float) -> None:
        """Add inequalities: sums are at least so much."""
        number, ends = len(rows), np.cumsum([0, *map(len, rows)])
        index = np.fromiter((j for row in rows for j in row), np.int32, ends[-1])
        values = np.fromiter((c for row in rows for c in row.values()), np.float64, ends[-1])
        sides = np.full(number, least), np.full(number, highspy.kHighsInf)
        starts = ends[:-1].astype(np.int32)
        self._highs.addRows(number, *sides, len(index), starts, index, values)
        self._limits += range(self._rows, self._rows + number)
        self._rows += number

    def ask(self, rows: Sequence[Row]) -> None:
        """Add the targets that are new."""
        for terms, unit, _ in rows[len(self._asked) :]:
            shares = {j: float(Fraction(c, unit)) for j, c in terms.items()}
            kept = {j: share for j, share in shares.items() if share > 1e-9}
            self._asked.append(self._add(kept, 1.0, highspy.kHighsInf))

    def solve(self, budget: Budget) -> tuple[list[float], list[float]]:
        """Return the solution, and the prices of the targets and then of the inequalities."""
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
        """Say whether the solution is one, though the values of both sides may differ a little."""
        if self._highs.getModelStatus() == highspy.HighsModelStatus.kOptimal:
            return True
        found = self._highs.getInfo()
        worst = max(found.max_primal_infeasibility, found.max_dual_infeasibility)
        _, apart = self._highs.getInfoValue("primal_dual_objective_error")
        return bool(worst < _BROKEN and apart < _APART)
