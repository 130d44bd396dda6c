"""The linear program over all private learners with few examples of a tiny class.

A learner is a law on hypotheses for each multiset of labelled examples (reordering the sample
changes no success probability); privacy, and success on a target, are linear in it. The variables
are these probabilities and the failure probability, which is minimised.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product
from math import comb, lcm

from ccsim.budget import Budget, OutOfTimeError
from ccsim.data import frozen
from ccsim.errors import InstanceTooLargeError
from ccsim.exact.law import Law
from ccsim.learning.learners.occam import TabledLearner, labelled_examples
from ccsim.learning.optimum.bounds import Flow, WeightedTarget
from ccsim.learning.optimum.rounding import private_laws
from ccsim.learning.optimum.rows import Hard, Row, added_terms, coarse_row, error_of, sample_law
from ccsim.learning.optimum.subdivisions import Database, Distribution
from ccsim.learning.optimum.symmetries import Move, Orbits
from ccsim.programs.highs import suggest
from ccsim.programs.integer_program import IntegerProgram, Optimum
from ccsim.programs.program import solve_integer_program

MAX_VARIABLES = 1 << 16
"""Most probabilities in the linear program."""

_UNIT = 1 << 40


@frozen
class LearningSolution:
    """The best learner for some targets, and the prices that prove that none is better."""

    value: Fraction  # its failure probability on the worst of them
    learner: TabledLearner
    targets: list[WeightedTarget]  # those that have a price
    flows: list[Flow]  # both of them are up to symmetry
    # what the flows were counted to add to the success; with all symmetries it may be less
    exceeding: Fraction = Fraction(0)


def check_variables(num_points: int, samples: int) -> None:
    """Refuse a program with more than `MAX_VARIABLES` probabilities of a learner."""
    if max(samples, 1 << min(num_points, MAX_VARIABLES)) > MAX_VARIABLES:  # each is a factor
        number = f"more than {MAX_VARIABLES}"
    else:
        variables = comb(2 * num_points + samples - 1, samples) << num_points
        if variables <= MAX_VARIABLES:
            return
        number = str(variables)
    raise InstanceTooLargeError(
        f"{number} probabilities of a learner are above the limit of {MAX_VARIABLES}"
    )


class LearningProgram:
    """The program for one class, number of examples, accuracy and privacy, up to symmetry.

    For a sample with one example less and a hypothesis there is a variable more: the least
    probability of the hypothesis, whatever the missing example is.
    """

    def __init__(
        self, num_points: int, samples: int, accuracy: Fraction, factor: Fraction,
        moves: Sequence[Move], *, balanced: bool = False,
    ) -> None:  # fmt: skip
        check_variables(num_points, samples)
        self._m, self._n, self._accuracy, self._factor = num_points, samples, accuracy, factor
        self._moves, self._balanced = moves, balanced
        self._orbits = Orbits(num_points, samples, moves, balanced=balanced)
        self._examples = labelled_examples(num_points)
        self._rests = Orbits(num_points, samples - 1, moves, balanced=balanced) if samples else None
        self._rows = [*self._laws(), *self._privacy()]

    @property
    def size(self) -> int:
        """The number of variables."""
        return len(self._orbits.firsts) + (len(self._rests.firsts) if self._rests else 0) + 1

    def _laws(self) -> Iterator[Row]:
        for S in self._orbits.leaders:
            yield added_terms((o, 1) for o in self._orbits.law(S)), 1, 1

    def _near(self, rest: Database, h: int) -> list[int]:
        """Return the orbits of a hypothesis with all samples that have one example more."""
        return [self._orbits.number[tuple(sorted((*rest, z))), h] for z in self._examples]

    def _privacy(self) -> Iterator[Row]:
        a, b = self._factor.as_integer_ratio()
        for i, (rest, h) in enumerate(self._rests.firsts if self._rests else ()):
            least = len(self._orbits.firsts) + i
            for o in self._near(rest, h):
                yield {o: 1, least: -1}, 0, None
                yield {o: -b, least: a}, 0, None

    def _success(self, concept: int, distribution: Distribution) -> Row:
        """Return the constraint that the learner fails on a target no more than it says."""
        unit = lcm(*(p.denominator for p in distribution)) ** self._n
        good = [
            h for h in range(1 << self._m) if error_of(concept ^ h, distribution) <= self._accuracy
        ]
        chances = sample_law(concept, distribution, self._n)
        row = added_terms(
            (self._orbits.number[S, h], int(chance * unit)) for S, chance in chances for h in good
        )
        return {**row, self.size - 1: unit}, unit, None

    def solve(self, targets: Sequence[Hard], budget: Budget, *, exactly: bool) -> LearningSolution:
        """Return the learner with the least failure probability on the worst of some targets.

        Unless ``exactly``, both sides are rounded floats, made private and a proof again: the
        learner is nearly the best one, and the value nearly its failure.
        """
        asked = [self._success(*target) for target in targets]
        rows = [*self._rows, *(asked if exactly else map(coarse_row, asked))]
        free = [
            None if j < self.size - 1 else 0 for j in range(len(self._orbits.firsts), self.size)
        ]
        lower = [*[0] * len(self._orbits.firsts), *free, *(row[1] for row in rows)]
        upper = [*[None] * self.size, *(row[2] for row in rows)]
        cost = [*[0] * (self.size - 1), 1]
        program = IntegerProgram.from_rows([row[0] for row in rows], cost, lower, upper)
        if exactly:
            end = solve_integer_program(program, suggest(program, budget), budget)
            if not isinstance(end, Optimum):
                raise OutOfTimeError
            primal = [Fraction(x, end.x_scale) for x in end.x]
            prices = [Fraction(int(y), end.y_scale) for y in end.y]
        else:
            found = next((s for s in suggest(program, budget) if s.optimal), None)
            if found is None:
                raise OutOfTimeError
            laws = [self._orbits.law(S) for S in self._orbits.leaders]
            primal = private_laws(found.x[: len(self._orbits.firsts)], laws, self._is_private)
            prices = [max(Fraction(y), Fraction(0)) for y in found.y]
        learner = self._learner(primal)
        units = [row[0][self.size - 1] for row in rows[len(self._rows) :]]
        own = prices[len(self._rows) :]
        weights = [y * u if exactly else _cut(y * u) for y, u in zip(own, units, strict=True)]
        paid = prices[len(self._orbits.leaders) : len(self._rows)]
        flows = list(self._flows(paid if exactly else list(map(_cut, paid))))
        total = sum(weights, Fraction(0)) or Fraction(1)
        weighted = [(*target, w / total) for target, w in zip(targets, weights, strict=True) if w]
        flows = [(S, T, h, y / total) for S, T, h, y in flows]
        return LearningSolution(self._value(weighted, flows), learner, weighted, flows)

    def _learner(self, primal: Sequence[Fraction]) -> TabledLearner:
        law = {S: self._orbits.law(S) for S in self._orbits.samples}
        return TabledLearner(
            self._m,
            tuple((S, Law[int].of({h: primal[o] for h, o in enumerate(law[S])})) for S in law),
        )

    def _is_private(self, p: Sequence[int]) -> bool:
        a, b = self._factor.as_integer_ratio()
        near = (self._near(*pair) for pair in (self._rests.firsts if self._rests else ()))
        return all(b * max(p[o] for o in os) <= a * min(p[o] for o in os) for os in near)

    def _flows(self, prices: Sequence[Fraction]) -> Iterator[Flow]:
        """Yield flows from samples where a hypothesis is likely to those where it is not."""
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
        """Return the bound on the failure that targets and flows prove, moved by all symmetries.

        ``exceeding`` is what flows may add to the success.
        """
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
            law = self._orbits.law(S)
            times = sum(sizes[o] for o in set(law)) // len(law)
            best += times * max(gains[o] / sizes[o] for o in law)
        return max(1 - best, Fraction(0))

    def exceeding(self, flows: Sequence[Flow]) -> Fraction:
        """Return what flows between samples may add to the success: nothing if privacy is pure."""
        return Fraction(0)

    def proof(
        self, solution: LearningSolution
    ) -> tuple[Fraction, list[WeightedTarget], list[Flow]]:
        """Return the value, and targets and flows with all symmetries; none if the value is 0."""
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


def _cut(y: Fraction) -> Fraction:
    """Return a multiple of a power of 1/2 near to a number."""
    return Fraction(round(y * _UNIT), _UNIT)
