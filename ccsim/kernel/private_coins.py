"""Lower bounds for protocols without public coins: forms of proof of `minimax_error`.

A protocol with private coins is a list of distributions: one over messages for each input of Alice,
and one over the answers 0 and 1 for each input of Bob and each message.
"""

from __future__ import annotations

from fractions import Fraction
from functools import reduce
from itertools import combinations, combinations_with_replacement, pairwise, permutations
from math import comb
from operator import add, and_
from typing import Annotated, Protocol

from .partitions import Vectors, related
from .reader import *
from .rules import *

Law = list[tuple[int, int]]  # bounds on its entries, in parts of a unit
Simplices = tuple[list[Vectors], Law]  # an input alone, vertices of its law, ...; answers 1 of Bob
Classes = list[tuple[int, int]]  # the ones of the inputs of each, and where they are defined
IntegerRows = Annotated[
    list[list[int]],
    lambda value, it: each(lambda row: each(integer, row, None, length=it.instance.width), value),
]
_CHOICES = "there must be at most 65536 choices of vertices, not {}"


class Asked(Protocol):
    """The instance, the number of messages and the coins of a statement of `minimax_error`."""

    instance: Matrix
    messages: int
    coins: str


def halves(case: list[Vectors], i: int, edge: list[object]) -> list[list[Vectors]]:
    """Split a simplex at the midpoint of an edge, which replaces the second or the first vertex."""
    a, b = (index(vertex, len(simplex := case[i])) for vertex in entries(edge, 2))
    twice = [*map(add, simplex[a], simplex[b])]
    require(a < b and not any(s % 2 for s in twice), "the midpoint of the edge must be integral")
    half = [s // 2 for s in twice]
    parts = [[half if j == gone else v for j, v in enumerate(simplex)] for gone in (b, a)]
    return [[*case[:i], part, *case[i + 1 :]] for part in parts]


def where_defined(it: Asked, inputs: list[int]) -> list[int]:
    """Return the ones of the given rows in the columns where all of them are defined."""
    require(it.coins != "public", "this form of proof is not valid for public coins")
    promise = reduce(and_, (it.instance.defined[x] for x in inputs), -1)
    return [it.instance.rows[x] & promise for x in inputs]


def radon(it: Asked, inputs: Rows, separations: IntegerRows) -> Fraction:
    """Return Radon's bound: among k + 1 distributions, two disjoint sets have a common mixture."""
    rows, width, k = where_defined(it, inputs), it.instance.width, it.messages
    complete = len(rows) == k + 1 and len(separations) == 2**k - 1
    require(complete, "k = {} messages require k + 1 inputs and 2^k - 1 separations", k)
    spend(len(rows) * width * (2 + (width >> 8)))
    columns = [sum((row >> y & 1) << t for t, row in enumerate(rows)) for y in range(width)]
    errors = []
    for i, weights in enumerate(separations, 1):
        sums = mixture(weights, columns, k + 1)
        ones, zeros = ([s for t, s in enumerate(sums) if i >> t & 1 == b] for b in (1, 0))
        gap = max(0, min(ones) - max(zeros))
        errors.append(Fraction(gap, max(1, gap + sum(map(abs, weights)))))
    return min(errors)


def unsorted(it: Asked, inputs: Rows) -> Fraction:
    """Check that some column changes twice in each order of the inputs; return 1/2."""
    few = it.messages == 2 and len(inputs) <= 6
    require(few, "this form of proof requires 2 messages and at most 6 inputs")
    for order in permutations(where_defined(it, inputs)):
        changes = combinations([a ^ b for a, b in pairwise(order)], 2)
        require(any(a & b for a, b in changes), "in each order of rows, a column must change twice")
    return Fraction(1, 2)


def boxes(it: Asked, unit: Positive, ordered: Row, nodes: Entries) -> Fraction:
    """Check a tree of boxes of probabilities; return the minimum mean error of its leaves."""
    n, width, k, errors = len(it.instance.rows), it.instance.width, it.messages, [Fraction(1)]
    spend(10 * k + n + k * width + len(where_defined(it, [])))
    root: list[Law] = [[(0, unit)] * k] * n + [[(0, unit)] * 2] * (k * width)
    root[ordered] = [(unit // k * (m == 0), -(-unit // (m + 1))) for m in range(k)]

    def split(node: object, box: list[Law]) -> list[list[Law]]:
        if isinstance(node, dict):
            errors.append(leaf(it, fields(node, "weights")[0], unit, box))
            return []
        number, entry, cut = entries(node, 3)
        law = box[i := index(number, len(box))]
        (low, high), c, parts = law[m := index(entry, len(law))], integer(cut), []
        spend(100 + 2 * len(box) + len(law) * (20 + (unit.bit_length() >> 6)))
        for half in (low, c), (c, high):
            cut_law = [*law[:m], half, *law[m + 1 :]]
            lows, highs = map(sum, zip(*cut_law, strict=True))
            tight = [(max(a, unit - highs + b), min(b, unit - lows + a)) for a, b in cut_law]
            parts.append([*box[:i], tight, *box[i + 1 :]])
        return parts

    inside("nodes", cases, nodes, root, split)
    return min(errors)


def leaf(it: Asked, weights: object, unit: int, box: list[Law]) -> Fraction:
    """Return a lower bound on a mean error in a box, by McCormick's inequalities for products."""
    F, k, total, bound, bits = it.instance, it.messages, 0, 0, unit.bit_length()
    slopes: dict[int, list[int]] = {}  # in parts of the unit; the bound in those of its square
    for cell, weight, shares in each(entries, weights, 3):
        (x, y), w = F.cell(cell), integer(weight)
        spend(k * (40 + (bits + w.bit_length() >> 7) ** 2))
        total, wrong = total + w, 1 - (F.rows[x] >> y & 1)
        for m, t in enumerate(each(index, shares, w + 1, length=k)):
            j = len(F.rows) + y * k + m
            alice, bob = slopes.setdefault(x, [0] * k), slopes.setdefault(j, [0, 0])
            for s, a, b in zip((t, w - t), box[x][m], box[j][wrong], strict=True):
                alice[m] += s * b
                bob[wrong] += s * a
                bound -= s * a * b
    spend(sum(4 * len(slope) ** 2 for slope in slopes.values()) * (1 + (bits >> 9)))
    for i, slope in slopes.items():  # whatever c is, as the entries of a law sum to the unit
        bound += max(
            c * unit + sum((s - c) * ends[s < c] for s, ends in zip(slope, box[i], strict=True))
            for c in slope
        )
    require(total, "the weights must not all be 0")
    return Fraction(bound, total * unit**2)


def simplices(
    it: Asked, unit: Positive, inputs: Rows, symmetries: Symmetries, nodes: Entries
) -> Fraction:
    """Check a tree of simplices of distributions, in which each message is unused on some input."""
    n, k, width, rows = len(inputs), it.messages, it.instance.width, len(it.instance.rows)
    require(it.coins != "public", "this form of proof is not valid for public coins")
    require(k > 1 and n > 1, "at least 2 messages and 2 inputs are required")
    turns = [{i: g.rows[x] for i, x in enumerate(inputs)} for g in symmetries]
    require(all({*t.values()} == {*inputs} for t in turns), "symmetries must permute the inputs")
    moves = [lambda case, t=t: tuple(sorted(inputs.index(t[i]) for i in case)) for t in turns]
    errors = [Fraction(1)]
    spend(comb(n + k - 1, k) * (20 + k * (n + 5)) + (rows + k) * (20 + n + k + width))
    more = Matrix("", [*it.instance.texts, *["*" * width] * k], width)  # a row per message

    def split(node: object, case: Simplices | None) -> list[Simplices]:
        if case is None:
            require(node is None, "the first node must be null, not {}", node)
            return starts()
        if isinstance(node, dict) and "relations" in node:
            (listed,) = fields(node, "relations")
            errors.append(inside("relations", related, more, listed, case[0]))
            return []
        if isinstance(node, dict):
            errors.append(mean(it, fields(node, "weights")[0], unit, inputs, case))
            return []
        (sides, answers), (number, *cut) = case, entries(node) or [None]
        i = index(number, n + len(answers))
        spend(100 + 2 * n + len(answers) + (rows + k) * (10 + (unit.bit_length() >> 6)))
        if i < n:
            return [(part, answers) for part in halves(sides, 2 * i + 1, cut)]
        (low, high), c = answers[j := i - n], integer(entries(cut, 1)[0])
        require(low < c < high, "the cut must be strictly between {} and {}, not {}", low, high, c)
        parts = [[*answers[:j], ends, *answers[j + 1 :]] for ends in ((low, c), (c, high))]
        return [(sides, part) for part in parts]

    def starts() -> list[Simplices]:
        sure = [*inputs, *range(rows, rows + k)]
        corners = [[unit * (z == i) for z in range(rows + k)] for i in sure]
        seen, found = set[tuple[int, ...]](), list[Simplices]()
        for case in combinations_with_replacement(range(n), k):
            if case[0] < case[-1] and case not in seen:
                seen.update(orbit(case, moves, 10 + 5 * k))
                left_out = [*zip(corners[n:], case, strict=True)]
                laws = [[v for v, j in left_out if j != i] for i in range(n)]
                sides = [side for i in range(n) for side in ([corners[i]], laws[i])]
                found.append((sides, [(0, unit)] * (width * k)))
        return found

    inside("nodes", cases, nodes, None, split)
    return min(errors)


def mean(it: Asked, weights: object, unit: int, inputs: list[int], case: Simplices) -> Fraction:
    """Return the minimum mean error; it is attained at vertices, with extreme answers."""
    F, k, width = it.instance, it.messages, it.instance.width
    listed = each(integer, weights, length=len(inputs) * width)
    require(total := sum(listed), "the weights must not all be 0")
    bits = 2 * unit.bit_length() + total.bit_length()
    slopes, ones = [[0] * (width * k)], 0  # of the answers 1, for each choice of vertices
    for i, (x, law) in enumerate(zip(inputs, case[0][1::2], strict=True)):
        row = listed[i * width : (i + 1) * width]
        kept = all(not w or F.defined[x] >> y & 1 for y, w in enumerate(row))
        require(kept, "weights outside the promise must be 0")
        if any(row):
            choices = len(slopes) * len(law)
            require(choices <= 1 << 16, _CHOICES, choices)
            spend(choices * width * k * (2 + (bits >> 9)))
            ones += sum(w for y, w in enumerate(row) if F.rows[x] >> y & 1)
            signed = [-w if F.rows[x] >> y & 1 else w for y, w in enumerate(row)]
            more = [[w * a for w in signed for a in vertex[-k:]] for vertex in law]
            slopes = [[*map(add, slope, new)] for slope in slopes for new in more]
    errors = (sum(s * e[s < 0] for s, e in zip(t, case[1], strict=True)) for t in slopes)
    return Fraction(min(errors) + ones * unit**2, total * unit**2)


def dependencies(it: Asked, unit: Positive, nodes: Entries) -> Fraction:
    """Check a tree of cases of linear dependencies among the distributions of k + 1 inputs."""
    F, n, k, errors = it.instance, len(it.instance.rows), it.messages, [Fraction(1)]
    require(it.coins != "public", "this form of proof is not valid for public coins")

    def split(node: object, case: list[Vectors]) -> list[list[Vectors]]:
        spend(100 + 10 * n + len(case))
        if isinstance(node, list):
            number, *edge = node or [None]
            return halves(case, index(number, len(case)), edge)
        if isinstance(node, dict) and "relations" in node:
            errors.append(inside("relations", related, F, *fields(node, "relations"), case))
            return []
        inputs = distinct(fields(node, "inputs")[0], n, k + 1)
        spend((len(case) + (k + 1) * (n + 10)) << k)
        ends = [[unit * (x == i) for x in range(n)] for i in inputs]
        return [
            [*case, *([e for t, e in enumerate(ends) if i >> t & 1 == b] for b in (1, 0))]
            for i in range(1, 2**k)
        ]

    inside("nodes", cases, nodes, [], split)
    return min(errors)


def conflicts(it: Asked, nodes: Entries) -> Fraction:
    """Check that the inputs cannot be divided into k classes without conflicts; return 1."""
    F = it.instance
    require(it.coins == "deterministic", "this form of proof is valid only without coins")

    def split(node: object, classes: Classes) -> list[Classes]:
        row, here = F.rows[x := index(node, len(F.rows))], F.defined[x]
        fits = [i for i, (ones, held) in enumerate(classes) if not (ones ^ row) & held & here]
        spend(20 + len(classes) * (2 + len(fits) + (F.width >> 8)) + len(fits) * (F.width >> 5))
        parts = [[*classes] for _ in fits] + [[*classes, (row, here)]]
        for i, part in zip(fits, parts, strict=False):
            part[i] = classes[i][0] | row, classes[i][1] | here
        return parts if len(classes) < it.messages else parts[:-1]

    inside("nodes", cases, nodes, [], split)
    return Fraction(1)
