"""Errors that protocols without public coins cannot avoid: forms of proof for `minimax_error`.

With private coins a protocol is a list of laws: one on the messages for each input of Alice, then,
input by input of Bob, one on his answers 0 and 1 to each message. They do not vary together.
"""

from __future__ import annotations

from fractions import Fraction
from functools import reduce
from itertools import combinations, pairwise, permutations
from operator import and_

from .reader import *
from .rules import *

_Law = list[tuple[int, int]]  # what its entries lie between, in parts of a unit
_Classes = tuple[tuple[int, int], ...]  # the ones of the inputs of each, and where they are defined


class WithoutPublicCoins:
    """Forms of proof from below where coins are private, or there are none."""

    instance: Matrix
    messages: int
    coins: str

    @least
    def radon(self, inputs: Rows, separations: IntegerRows) -> Fraction:
        """Among k + 1 laws of Alice an average of some is one of the others: Bob answers alike.

        Weights of columns sum to more on the inputs whose positions form the set `i` than on
        others. With error v a column with value 1 on shares r and s has r (1 - v) <= s + (1 - s) v.
        """
        width, k, errors = self.instance.width, self.messages, []
        require(self.coins != "public", "public coins may avoid this error")
        require(len(inputs) == k + 1, "{} inputs are needed, not {}", k + 1, len(inputs))
        require(len(separations) == 2**k - 1, "{} separations are needed", 2**k - 1)
        spend(len(inputs) * width * (2 + (width >> 8)))
        rows = _where_defined(self.instance, inputs)
        columns = [sum((row >> y & 1) << t for t, row in enumerate(rows)) for y in range(width)]
        for i, weights in enumerate(separations, 1):
            sums = mixture(weights, columns, k + 1)
            ones, zeros = ([s for t, s in enumerate(sums) if i >> t & 1 == b] for b in (1, 0))
            gap = max(0, min(ones) - max(zeros))
            errors.append(Fraction(gap, max(1, gap + sum(map(abs, weights)))))
        return min(errors)

    @least
    def unsorted(self, inputs: Rows) -> Fraction:
        """Laws on two messages are numbers: in their order Bob's answers fall, or rise, once."""
        require(self.coins != "public", "public coins may avoid this error")
        require(self.messages == 2 and len(inputs) <= 6, "is for 2 messages and at most 6 inputs")
        for order in permutations(_where_defined(self.instance, inputs)):
            changes = combinations([a ^ b for a, b in pairwise(order)], 2)
            require(any(a & b for a, b in changes), "no column changes twice in some order")
        return Fraction(1, 2)

    @least
    def boxes(self, unit: Positive, ordered: Row, nodes: Entries) -> Fraction:
        """Intervals for all probabilities are cut in two until weighted inputs bound the error.

        Messages are named by decreasing probability on the input `ordered`.
        """
        F, k, errors = self.instance, self.messages, [Fraction(1)]
        require(self.coins != "public", "public coins may avoid this error")
        spend(10 * k + len(F.rows) + k * F.width)
        root: list[_Law] = [[(0, unit)] * k] * len(F.rows) + [[(0, unit)] * 2] * (k * F.width)
        root[ordered] = [(unit // k * (m == 0), -(-unit // (m + 1))) for m in range(k)]

        def split(node: object, box: list[_Law]) -> list[list[_Law]]:
            if isinstance(node, dict):
                (weights,) = fields(node, "weights")
                errors.append(self._leaf(weights, unit, box))
                return []
            number, entry, cut = entries(node, 3)
            law = box[i := index(number, len(box))]
            (low, high), c = law[m := index(entry, len(law))], integer(cut)
            require(low < c < high, "the cut must lie between {} and {}, not at {}", low, high, c)
            spend(100 + len(box) + len(law) * (20 + (unit.bit_length() >> 6)))
            halves = ([*law[:m], half, *law[m + 1 :]] for half in ((low, c), (c, high)))
            return [[*box[:i], _tightened(half, unit), *box[i + 1 :]] for half in halves]

        inside("nodes", cases, nodes, root, split)
        return min(errors)

    def _leaf(self, weights: object, unit: int, box: list[_Law]) -> Fraction:
        """Bound the mean error, a sum of products of probabilities, by linear functions.

        The products of both distances to the lower ends, and to the upper ends, are at least 0.
        """
        F, k = self.instance, self.messages
        slopes: dict[int, list[int]] = {}
        total, bound = 0, 0  # the bound in parts of the square of the unit
        for cell, weight, shares in (entries(entry, 3) for entry in entries(weights)):
            (x, y), w = F.cell(cell), integer(weight)
            spend(k * (40 + (unit.bit_length() + w.bit_length() >> 7) ** 2))
            total, wrong = total + w, 1 - (F.rows[x] >> y & 1)
            for m, share in enumerate(entries(shares, k)):
                t, j = index(share, w + 1), len(F.rows) + y * k + m
                alice, bob = slopes.setdefault(x, [0] * k), slopes.setdefault(j, [0, 0])
                for s, a, b in zip((t, w - t), box[x][m], box[j][wrong], strict=True):
                    alice[m] += s * b
                    bob[wrong] += s * a
                    bound -= s * a * b
        require(total, "the weights must not all be 0")
        for i, slope in slopes.items():  # entries that cost least get what the lower ends lack
            missing = unit - sum(low for low, _ in box[i])
            for s, (low, high) in sorted(zip(slope, box[i], strict=True)):
                bound += s * (low + min(missing, high - low))
                missing -= min(missing, high - low)
        return Fraction(bound, total * unit**2)

    @least
    def conflicts(self, nodes: Entries) -> Fraction:
        """Each input joins a class without conflict, or opens one while there are messages left."""
        F = self.instance
        require(self.coins == "deterministic", "coins may avoid this error")

        def split(node: object, classes: _Classes) -> list[_Classes]:
            row, here = F.rows[x := index(node, len(F.rows))], F.defined[x]
            fits = [i for i, (ones, held) in enumerate(classes) if not (ones ^ row) & held & here]
            spend(20 + len(classes) * (2 + len(fits) + (F.width >> 8)))
            joined = [(classes[i][0] | row, classes[i][1] | here) for i in fits]
            parts = [
                (*classes[:i], S, *classes[i + 1 :]) for i, S in zip(fits, joined, strict=True)
            ]
            return parts + [(*classes, (row, here))] * (len(classes) < self.messages)

        inside("nodes", cases, nodes, (), split)
        return Fraction(1)


def _where_defined(F: Matrix, inputs: list[int]) -> list[int]:
    """Return the rows of inputs in the columns where all of them are inside the promise."""
    promise = reduce(and_, (F.defined[x] for x in inputs), -1)
    return [F.rows[x] & promise for x in inputs]


def _tightened(law: _Law, unit: int) -> _Law:
    """Return the bounds of the entries of a law that follow from their sum."""
    lows, highs = map(sum, zip(*law, strict=True))
    return [(max(low, unit - highs + high), min(high, unit - lows + low)) for low, high in law]
