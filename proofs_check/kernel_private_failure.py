"""The kernel's checks of the least failure of private learners: flows and subdivided simplices."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations_with_replacement

from proofs_check.kernel import CLASS, Claim, Matrix, Part, bounds, members, ones, show

__all__ = ["private_failure"]

MAX_CHANCES = 1 << 16  # of an answer to a sample: functions times samples

_Sample = tuple[int, ...]  # non-decreasing numbers of examples: point x with label y is 2 x + y
_Law = list[Fraction]  # on the points


@dataclass(slots=True)
class _Learning:
    """The samples of `size` labelled points, and what is good for a concept and a distribution."""

    points: int
    size: int
    accuracy: Fraction
    samples: list[_Sample] = field(init=False)
    place: dict[_Sample, int] = field(init=False)

    def __post_init__(self) -> None:
        every = combinations_with_replacement(range(2 * self.points), self.size)
        self.samples = list(every)
        self.place = {S: i for i, S in enumerate(self.samples)}

    def are_neighbours(self, i: int, j: int) -> bool:
        return (Counter(self.samples[i]) - Counter(self.samples[j])).total() == 1

    def neighbours(self, i: int) -> Iterator[int]:
        S = self.samples[i]
        for position in range(self.size):
            for example in range(2 * self.points):
                if example != S[position]:
                    changed = (*S[:position], example, *S[position + 1 :])
                    yield self.place[tuple(sorted(changed))]

    def good(self, concept: int, laws: Sequence[_Law]) -> list[int]:
        """Return the functions whose error is at most the accuracy under each of the laws."""

        def error(h: int, law: _Law) -> Fraction:
            return sum((law[x] for x in members(h ^ concept)), Fraction(0))

        functions = range(1 << self.points)
        return [h for h in functions if all(error(h, D) <= self.accuracy for D in laws)]

    def chances(self, concept: int, laws: Sequence[_Law]) -> dict[int, Fraction]:
        """Return the probabilities of the samples with one example drawn from each law."""
        found: dict[_Sample, Fraction] = {(): Fraction(1)}
        for law in laws:
            longer: dict[_Sample, Fraction] = {}
            for S, p in found.items():
                for x, mass in enumerate(law):
                    if mass:
                        T = tuple(sorted((*S, 2 * x + (concept >> x & 1))))
                        longer[T] = longer.get(T, Fraction(0)) + p * mass
            found = longer
        return {self.place[S]: p for S, p in found.items()}


def private_failure(instance: Part, statement: Part, lower: Part, upper: Part) -> Claim:
    """Check bounds on the least failure probability of private learners of a class."""
    C = Matrix.read(instance, CLASS)
    *stated, number, allowed, ratio = statement.fields(
        "lower", "upper", "samples", "accuracy", "factor"
    )
    m, n = len(C.columns), number.integer(1)
    accuracy, factor = allowed.probability(), ratio.fraction()
    ratio.require(factor >= 1, "must be at least 1, not {}", factor)
    instance.require(m, "must have a point")
    fits = n <= MAX_CHANCES and m < MAX_CHANCES.bit_length()
    fits = fits and math.comb(2 * m + n - 1, n) << m <= MAX_CHANCES
    number.require(fits, f"more than {MAX_CHANCES} answers to samples, too large to recompute")
    learning = _Learning(m, n, accuracy)
    least, most, claim = bounds(stated, lower, upper, Part.probability)
    if least is not None and (least or lower.value != {}):
        lower.exactly(_forced(lower, C, learning, factor), least, "the failure that is forced")
    if most is not None:
        upper.exactly(_reached(upper, C, learning, factor), most, "the failure that is reached")
    what = f"private_failure of {C.title}, with {n} examples at error {show(accuracy)}"
    return f"{what}, e^epsilon = {show(factor)}", claim


def _forced(proof: Part, C: Matrix, learning: _Learning, factor: Fraction) -> Fraction:
    """Return 1 minus the success that targets and flows leave."""
    targets, flows = proof.fields("targets", "flows")
    number, m, weights = len(learning.samples), learning.points, []
    gains = [[Fraction(0)] * (1 << m) for _ in range(number)]
    for target in targets.entries():
        concept, law, weight = target.entries(3)
        f, D = C.rows[concept.index(len(C.rows))], law.law(m)
        weights.append(weight.positive())
        good = learning.good(f, [D])
        for i, p in learning.chances(f, [D] * learning.size).items():
            for h in good:
                gains[i][h] += weights[-1] * p
    targets.sums_to_one(weights)
    for flow in flows.entries():
        source, sink, function, amount = flow.entries(4)
        i, j, y = source.index(number), sink.index(number), amount.fraction()
        amount.require(y > 0, "must be positive, not {}", y)
        sink.require(learning.are_neighbours(i, j), f"sample {j} is no neighbour of sample {i}")
        h = ones(function.text_row(m))
        gains[i][h] -= y
        gains[j][h] += factor * y
    return 1 - sum((max(row) for row in gains), Fraction(0))


def _reached(proof: Part, C: Matrix, learning: _Learning, factor: Fraction) -> Fraction:
    """Return the largest failure of a learner on any part of any simplex of distributions."""
    listed, trees = proof.fields("laws", "subdivisions")
    m = learning.points
    laws = [_answer(law, m) for law in listed.entries(len(learning.samples))]
    for i, law in enumerate(laws):
        for j in learning.neighbours(i):
            for h, p in law.items():
                rule = f"on samples {i} and {j} the learner is not private"
                listed.require(p <= factor * laws[j].get(h, 0), rule)
    vertices = [[Fraction(x == y) for x in range(m)] for y in range(m)]
    worst = Fraction(0)
    for f, tree in zip(C.rows, trees.entries(len(C.rows)), strict=True):
        left = [(tree, vertices)]
        while left:
            part, corners = left.pop()
            if part.value is None:
                worst = max(worst, 1 - _success(f, corners, laws, learning))
                continue
            a, b, *parts = part.entries(4)
            edge = a.index(m), b.index(m)
            b.require(edge[0] != edge[1], "must be another corner than {}", edge[0])
            middle = [(corners[edge[0]][x] + corners[edge[1]][x]) / 2 for x in range(m)]
            for i, half in zip(edge, parts, strict=True):
                left.append((half, [*corners[:i], middle, *corners[i + 1 :]]))
    return worst


def _answer(law: Part, points: int) -> dict[int, Fraction]:
    """Read a law on functions of the points."""
    answers: dict[int, Fraction] = {}
    for pair in law.entries():
        function, chance = pair.entries(2)
        h = ones(function.text_row(points))
        function.require(h not in answers, "this function stands twice")
        answers[h] = chance.positive()
    law.sums_to_one(list(answers.values()))
    return answers


def _success(
    f: int, corners: list[_Law], laws: list[dict[int, Fraction]], learning: _Learning
) -> Fraction:
    """Return the least chance of an answer good at all corners, whichever are drawn from."""
    good = learning.good(f, corners)
    success = [sum((law.get(h, Fraction(0)) for h in good), Fraction(0)) for law in laws]
    choices = combinations_with_replacement(corners, learning.size)
    return min(
        sum((p * success[i] for i, p in learning.chances(f, chosen).items()), Fraction(0))
        for chosen in choices
    )
