"""The kernel's checks of the least failure of private learners: flows and subdivided simplices."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations_with_replacement

from .instances import CLASS, Matrix, bounds
from .parts import Claim, Part, members, multisets, ones, show, size, times

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

    def good(self, part: Part, concept: int, laws: Sequence[_Law]) -> list[int]:
        """Return the functions whose error is at most the accuracy under each of the laws."""
        functions = list(range(1 << self.points))
        for law in laws:
            unit, shares = part.scaled(law)
            part.afford(len(functions) * (10 + self.points * (1 + (unit.bit_length() >> 10))))
            allowed = math.floor(self.accuracy * unit)
            functions = [
                h for h in functions if sum(shares[x] for x in members(h ^ concept)) <= allowed
            ]
        return functions

    def chances(self, part: Part, concept: int, laws: Sequence[_Law]) -> dict[int, Fraction]:
        """Return the probabilities of the samples with one example drawn from each law."""
        unit = 1
        found: dict[_Sample, int] = {(): 1}  # in parts of the unit
        for law in laws:
            denominator, shares = part.scaled(law)
            unit *= denominator
            bits = unit.bit_length()
            step = 20 + 2 * self.size + (bits >> 9) + times(bits, denominator.bit_length())
            part.afford(len(found) * len(law) * step)
            longer: dict[_Sample, int] = {}
            for S, p in found.items():
                for x, share in enumerate(shares):
                    if share:
                        T = tuple(sorted((*S, 2 * x + (concept >> x & 1))))
                        longer[T] = longer.get(T, 0) + p * share
            found = longer
        part.afford(len(found) * (30 + times(unit.bit_length(), unit.bit_length())))
        return {self.place[S]: Fraction(p, unit) for S, p in found.items()}


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
    fits = fits and multisets(2 * m, n, MAX_CHANCES) << m <= MAX_CHANCES
    number.require(fits, f"more than {MAX_CHANCES} answers to samples, too large to recompute")
    number.afford(multisets(2 * m, n, MAX_CHANCES) * (20 + 2 * n))
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
        good = learning.good(target, f, [D])
        for i, p in learning.chances(target, f, [D] * learning.size).items():
            target.afford(20 + times(size(weights[-1]), size(p)))
            gain = weights[-1] * p
            for h in good:
                target.afford(20 + times(size(gains[i][h]), size(gain)))
                gains[i][h] += gain
    targets.sums_to_one(weights)
    for flow in flows.entries():
        source, sink, function, amount = flow.entries(4)
        i, j, y = source.index(number), sink.index(number), amount.fraction()
        amount.require(y > 0, "must be positive, not {}", y)
        sink.require(learning.are_neighbours(i, j), f"sample {j} is no neighbour of sample {i}")
        h = ones(function.text_row(m))
        flow.afford(60 + 2 * learning.size + times(size(gains[i][h], gains[j][h]), size(y, factor)))
        gains[i][h] -= y
        gains[j][h] += factor * y
    proof.afford(sum(10 + times(size(p), size(p)) for row in gains for p in row))
    return 1 - proof.total([max(row) for row in gains])


def _reached(proof: Part, C: Matrix, learning: _Learning, factor: Fraction) -> Fraction:
    """Return the largest failure of a learner on any part of any simplex of distributions."""
    listed, trees = proof.fields("laws", "subdivisions")
    m = learning.points
    laws = [_answer(law, m) for law in listed.entries(len(learning.samples))]
    for i, law in enumerate(laws):
        step = 10 + 3 * learning.size + sum(30 + times(size(p), size(factor)) for p in law.values())
        listed.afford(2 * m * learning.size * step)
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
                worst = max(worst, 1 - _success(part, f, corners, laws, learning))
                continue
            a, b, *parts = part.entries(4)
            edge = a.index(m), b.index(m)
            b.require(edge[0] != edge[1], "must be another corner than {}", edge[0])
            bits = size(*corners[edge[0]], *corners[edge[1]])
            part.afford(m * 60 + times(bits, bits))
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
    part: Part, f: int, corners: list[_Law], laws: list[dict[int, Fraction]], learning: _Learning
) -> Fraction:
    """Return the least chance of an answer good at all corners, whichever are drawn from."""
    good = learning.good(part, f, corners)
    success = [part.total([law[h] for h in good if h in law]) for law in laws]
    least = Fraction(1)
    for chosen in combinations_with_replacement(corners, learning.size):
        chances = learning.chances(part, f, chosen)
        least = min(least, part.mean(list(chances.values()), [success[i] for i in chances]))
    return least
