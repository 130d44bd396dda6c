"""Failure probabilities of learners on their worst target; effective domains of classes.

A target is a concept and a distribution on the points. A function is good for it if its error is at
most `accuracy`. A learner is ``ln(factor)``-private if exchanging one example multiplies the
probability of any output by at most `factor`. It is ``(ln(factor), delta)``-private if the excesses
of output probabilities over `factor` times those after an exchange sum to at most `delta`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from itertools import combinations_with_replacement, permutations
from math import comb, factorial, floor, prod
from typing import Annotated, Any, ClassVar

from .reader import *
from .rules import *

Sample = tuple[int, ...]
Weights = list[int]


def target(value: object, it: Quantity) -> tuple[int, Weights]:
    """Read a concept and a distribution, ``[concept, weights]``."""
    f, weights = entries(value, 2)
    return it.instance.rows[index(f, len(it.instance.rows))], law(weights, it.instance.width)


def weight(law: Weights, points: int) -> int:
    """Return the weight of a set of points under a distribution."""
    return sum(law[x] for x in members(points))


def at_least_one(value: object, _: object) -> Fraction:
    """Read the privacy factor ``e^epsilon``, which is at least 1."""
    require((found := fraction(value)) >= 1, "must be at least 1, not {}", found)
    return found


Factor = Annotated[Fraction, at_least_one]
Target = Annotated[tuple[int, Weights], target]
Targets = Annotated[list[tuple[int, Weights]], lambda value, it: each(target, value, it)]
Laws = Annotated[dict[Sample, Weights], lambda value, it: it.read_laws(value)]


class Learning:
    """Samples are sorted tuples of examples; ``2 x + y`` stands for point ``x`` with label ``y``.

    A function is an integer whose bit ``x`` is the label of point ``x``.
    """

    instance: Class
    samples: Natural
    accuracy: Probability

    def every_sample(self) -> list[Sample]:
        """Return all samples; reject if there are too many samples or functions."""
        m, n = self.instance.width, self.samples
        require(0 < m < 16, "the class must have 1 to 15 points, not {}", m)
        require(n < 1 << 12, "samples must be below 4096, not {}", n)
        spend((comb(2 * m + n - 1, n) << m) * (20 + 2 * n))
        return list(combinations_with_replacement(range(2 * m), n))

    def read_laws(self, value: object) -> dict[Sample, Weights]:
        """Read a distribution on all functions for each sample; all have the same total weight."""
        samples = self.every_sample()
        laws = each(law, value, 1 << self.instance.width, length=len(samples))
        require(len(different(map(sum, laws))) == 1, "distributions must have equal total weights")
        return dict(zip(samples, laws, strict=True))

    def drawn(self, f: int, D: Weights, steps: int) -> Iterator[tuple[Sample, int]]:
        """Yield the samples of a target with probabilities, summed over orders of the examples."""
        m, n = self.instance.width, self.samples
        spend(comb(m + n - 1, n) * (50 + 8 * n + steps))
        for points in combinations_with_replacement(range(m), n):
            orders = factorial(n) // prod(map(factorial, Counter(points).values()))
            chance = prod(map(D.__getitem__, points), start=orders)
            yield tuple(2 * x + (f >> x & 1) for x in points), chance

    def good(self, f: int, laws: list[Weights]) -> list[int]:
        """Return the functions that are good for a concept under each of the distributions."""
        left = list(range(1 << self.instance.width))
        for D in laws:
            spend(len(left) * (30 + len(D) * (2 + (sum(D).bit_length() >> 8))))
            allowed = floor(self.accuracy * sum(D))
            left = [h for h in left if weight(D, h ^ f) <= allowed]
        return left


class LearnerFailure(Learning, Quantity, kind="learner_failure"):
    """The probability that a learner's output is not good, on the worst target."""

    laws: Laws

    def failure(self, f: int, corners: list[Weights]) -> Fraction:
        """Return the failure for the worst corners if only functions good at all corners succeed.

        Each example is drawn from a corner, in increasing order. `chances` maps each multiset of
        the remaining examples to the probability of success, given the distributions so far.
        """
        good, n, m, unit = self.good(f, corners), self.samples, len(corners[0]), sum(corners[0])
        total = sum(self.laws[(0,) * n])
        bits = total.bit_length() + n * unit.bit_length()
        spend(comb(m + n - 1, n) * (50 + 4 * n + len(good) * (2 + (bits >> 8))))
        chances = {
            points: sum(self.laws[tuple(2 * x + (f >> x & 1) for x in points)][h] for h in good)
            for points in combinations_with_replacement(range(m), n)
        }
        success, undrawn = total * unit**n, [(chances, n, 0)]
        while undrawn:
            chances, left, first = undrawn.pop()
            if not left:
                success = min(success, chances[()])
                continue
            steps = m * (20 + 2 * left + (bits * bits >> 15))
            spend((len(corners) - first) * comb(m + left - 2, left - 1) * steps)
            for i in range(first, len(corners)):
                summed = {
                    rest: sum(
                        p * chances[tuple(sorted((*rest, x)))] for x, p in enumerate(corners[i])
                    )
                    for rest in combinations_with_replacement(range(m), left - 1)
                }
                undrawn.append((summed, left - 1, i))
        return 1 - Fraction(success, total * unit**n)

    @least
    def target(self, target: Target) -> Fraction:
        """Return the failure probability on a target."""
        return self.failure(target[0], [target[1]])

    @most
    def subdivisions(self, trees: Raw) -> Fraction:
        """Check a subdivision of the simplex of distributions into simplices, for each concept.

        A node ``[i, j]`` splits at the midpoint of two corners, ``[i, j, p, q]`` at their mixture
        with weights p and q. A function that is good at all corners of a part is good on the whole
        part. The probability of success is an average of the probabilities if each example is drawn
        from a corner.
        """
        m, rows, worst = self.instance.width, self.instance.rows, [Fraction(0)]

        def split(node: object, case: tuple[int, list[Weights]]) -> list[tuple[int, list[Weights]]]:
            f, corners = case
            if node is None:
                worst.append(self.failure(f, corners))
                return []
            i, j = distinct(entries(node)[:2], m, 2)
            p, q = each(partial(integer, least=1), entries(node)[2:] or [1, 1], length=2)
            words = (sum(corners[0]).bit_length() + (p + q).bit_length()) >> 5
            spend(m * m * (20 + words * (1 + ((p + q).bit_length() >> 5))))
            middle = [p * a + q * b for a, b in zip(corners[i], corners[j], strict=True)]
            scaled = [[(p + q) * a for a in corner] for corner in corners]
            return [(f, [*scaled[:k], middle, *scaled[k + 1 :]]) for k in (i, j)]

        vertices = [[int(x == y) for x in range(m)] for y in range(m)]
        for f, tree in zip(rows, each(entries, trees, length=len(rows)), strict=True):
            cases(tree, (f, vertices), split)
        return max(worst)


class PrivateFailure(Learning, Quantity, kind="private_failure"):
    """The minimum failure probability of private learners on their worst targets."""

    factor: Factor
    delta: ClassVar[Fraction] = Fraction(0)

    @least
    def flows(self, targets: Targets, weights: Raw, flows: Raw) -> Fraction:
        """Return a bound from the mean success, by flows ``[i, j, h, y]`` between neighbours.

        The success sums gain times probability over samples and functions. As ``b p <= a q`` on
        neighbours, replacing ``b y`` of the gain of `h` on `i` by ``a y`` on `j` reduces it by at
        most ``b delta`` times the largest `y` of the pair. In the end, it is at most the sum over
        samples of the largest gain.
        """
        samples, n = self.every_sample(), self.samples
        units = [*different(sum(D) for _, D in targets).values()]
        shares = inside("weights", law, weights, len(targets))
        require(len(units) == 1, "distributions must have equal total weights")
        gains = {S: [0] * (1 << self.instance.width) for S in samples}
        bits = n * max(units).bit_length() + sum(shares).bit_length()
        for (f, D), share in zip(targets, shares, strict=True):
            good = self.good(f, [D])
            steps = (bits * bits >> 17) + len(good) * (2 + (bits >> 8))
            for S, chance in self.drawn(f, D, steps):
                for h in good:
                    gains[S][h] += share * chance
        (a, b), moved = self.factor.as_integer_ratio(), dict[str, Counter[int]]()
        for i, j, h, y in inside("flows", each, entries, flows, 4):
            spend(60 + 4 * n + (bits >> 8))
            S, T = (samples[index(k, len(samples))] for k in (i, j))
            near = (Counter(S) - Counter(T)).total() == 1
            require(near, "samples {} and {} are not neighbours", S, T)
            gains[S][index(h, len(gains[S]))] -= b * integer(y)
            gains[T][h] += a * integer(y)
            moved.setdefault(f"{i} {j}", Counter())[h] += integer(y)
        exceeding = self.delta * b * sum(max(amounts.values()) for amounts in moved.values())
        success = sum(map(max, gains.values())) + exceeding
        return 1 - Fraction(success, sum(shares) * max(units) ** n)

    @most
    def learner(self, laws: Laws, trees: Raw) -> Fraction:
        """Check that a learner is private on all neighbours; return a bound on its failure."""
        m, n, (a, b) = self.instance.width, self.samples, self.factor.as_integer_ratio()
        total = sum(laws[(0,) * n])
        spend(len(laws) * 2 * m * (20 + n + (2 + (total.bit_length() >> 8) << m)))
        for S in combinations_with_replacement(range(2 * m), n - 1) if n else ():
            near = [laws[tuple(sorted((*S, example)))] for example in range(2 * m)]
            if all(b * max(p) <= a * min(p) for p in zip(*near, strict=True)):
                continue
            spend(4 * m * m * (20 + (2 + (total.bit_length() >> 8) << m)) if self.delta else 0)
            private = self.delta > 0 and all(
                sum(max(0, b * p - a * q) for p, q in zip(*pair, strict=True))
                <= self.delta * b * total
                for pair in permutations(near, 2)
            )
            require(private, "the learner is not private on samples that add an example to {}", S)
        return LearnerFailure.of(**vars(self) | {"laws": laws}).subdivisions(trees)


class ApproximatePrivateFailure(PrivateFailure, kind="approximate_private_failure"):
    """The minimum failure of ``(ln(factor), delta)``-private learners; see `PrivateFailure`."""

    delta: Probability  # type: ignore[misc] # of a statement


class EffectiveDomain(Quantity, kind="effective_domain"):
    """The number of distinct columns, that is, of points that concepts distinguish."""

    instance: Class
    number: ClassVar[Any] = staticmethod(lambda value, _: integer(value))

    @least
    def apart(self, points: Columns) -> int:
        """Check points whose columns are distinct; return their number."""
        apart = len(different(self.instance.columns[x] for x in points)) == len(points)
        require(apart, "no two points may have equal labels in all concepts")
        return len(points)

    @most
    def representatives(self, points: Entries) -> int:
        """Check a representative with an equal column for each point; return how many there are."""
        columns, width = self.instance.columns, self.instance.width
        alike = columns == [columns[r] for r in indices(points, width, width)]
        require(alike, "each point must have the same labels as its representative")
        return len(set(points))
