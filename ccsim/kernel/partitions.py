"""Lower bounds on the cost of partitions of rows of signed integers into classes.

In each column, a class costs the smaller of the sums p of its positive and n of its negative
entries. Costs are doubled: 2 min(p, n) = p + n - |p - n|. An integer encodes a set of rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from math import prod
from operator import add, or_, sub

from .reader import *
from .rules import *

MAX_ROWS = 64
MAX_MOVES = 1 << 8  # maximum number of group elements that compare classes
MAX_SUMS = 1 << 10  # maximum number of sums of labels
LANES = 11  # rows whose splits one integer holds
MAX_KEPT = 1 << 29  # bits of integers kept for later splits

Vectors = list[list[int]]  # weights, or distributions on messages, in parts of a unit
Numbers = tuple[int, ...]
Minors = dict[str, Sequence[int]]  # by the text of dependencies and columns
Units = dict[int, list[Numbers]]  # those of one dependency, for each column
Found = list[tuple[int, int, int]]  # classes, what each costs, and the sum of its labels


def cost(rows: Sequence[Sequence[int]]) -> int:
    """Return twice the cost of a class."""
    excess = map(sum, zip(*rows, strict=True))
    return sum(sum(map(abs, row)) for row in rows) - sum(map(abs, excess))


def leading(rows: list[list[int]], labels: list[int], generators: list[list[int]]) -> Found:
    """Return classes, among them all those that are, as integers, the largest of their orbits.

    Such a class without its lowest row is also the largest of its orbit. So all such classes are
    found by adding rows in decreasing order. Classes that a listed group element maps to a larger
    class are dropped.
    """
    moves = [tuple(range(len(rows)))]
    for move in moves:  # grows while it is read
        spend(len(generators) * (20 + len(rows) + len(moves)))
        fresh = [p for g in generators if (p := tuple([g[i] for i in move])) not in moves]
        moves += fresh[: MAX_MOVES - len(moves)]
    moved = [[1 << image for image in each_row] for each_row in zip(*moves, strict=True)]
    sizes, width, found = [sum(map(abs, row)) for row in rows], len(rows[0]), Found()
    left = [(0, len(rows), [0] * len(moves), [0] * width, 0, 0)]
    bits = sum(sizes).bit_length() + sum(labels).bit_length()
    while left:
        S, lowest, images, excess, size, t = left.pop()
        spend(20 + (2 + (bits >> 9)) * width + lowest * (1 + len(moves) // 2) + (bits >> 6))
        found.append((S, size - sum(map(abs, excess)), t))
        for i in range(lowest):
            grown = list(map(or_, images, moved[i]))
            if max(grown) == S | 1 << i:
                total = list(map(add, excess, rows[i]))
                left.append((grown[0], i, grown, total, size + sizes[i], t + labels[i]))
    return found


def joined_costs(found: Found, k: int) -> list[dict[str, int]]:
    """Return the minimum costs of 0, ..., k - 1 classes, keyed by the sum of labels as text."""
    least, joined = dict[str, int](), [{hex(0): 0}]
    for key, c in ((hex(t), c) for _, c, t in found):
        least[key] = min(c, least.get(key, c))
    rule = "classes have {} different sums of labels; the limit is {}"
    require(len(least) <= MAX_SUMS, rule, len(least), MAX_SUMS)
    while len(joined) < max(k, 2):
        first, last = ([(int(key, 16), c) for key, c in d.items()] for d in (least, joined[-1]))
        spend(2 * len(first) * len(last))
        sums = dict[str, int]()
        for (s, c), (t, d) in product(first, last):
            if (key := hex(s + t)) in least and c + d < sums.get(key, c + d + 1):
                sums[key] = c + d
        joined.append(sums)
    return joined


def errors_of_answers(rows: list[list[int]]) -> list[list[int]]:
    """Return the error of each of Bob's answers on each row; bit j is the answer to column j."""
    table = [[0] * len(rows)]
    for column in zip(*rows, strict=True):
        sides = [[max(sign * w, 0) for w in column] for sign in (1, -1)]
        table = [list(map(add, errors, side)) for side in sides for errors in table]
    return table


def kept(symmetries: list[Symmetry], weights: dict[tuple[int, int], int]) -> list[Symmetry]:
    """Read symmetries, and require that they map each input to an input of equal weight."""
    for g in symmetries:
        alike = all(weights.get(g.cell(cell)) == w for cell, w in weights.items())
        inside("symmetries", require, alike, "a symmetry must preserve the weights of inputs")
    return symmetries


def saves(rows: Vectors, room: int) -> bool:
    """Return whether some partition into two classes saves more than `room`.

    The excesses of a column in all partitions of the last rows are bit fields of one integer. What
    they save depends on the first rows only by their excess. These change sides one at a time.
    """
    sums, *heads = rows[: max(1, len(rows) - LANES)]
    bits = (room + 3 * sum(abs(w) for row in rows for w in row)).bit_length() + 1
    tails, half, ones, found = rows[len(heads) + 1 :], 1 << bits - 1, 1, 0
    work = 50 + (2 + (bits >> 4) << len(tails) >> 4)
    spend(len(sums) * (20 + (work >> 3)) << len(heads))
    for i, row in enumerate(tails):
        pairs = zip(sums, (w * ones for w in row), strict=True)
        sums = [v - w + (v + w << (bits << i)) for v, w in pairs]
        ones += ones << (bits << i)
    rooms = [(half - abs(sum(column))) * ones for column in zip(*rows, strict=True)]
    each_way = [(r + v, r - v, dict[str, int]()) for v, r in zip(sums, rooms, strict=True)]
    shifts = [-sum(column) for column in zip(*heads, [0] * len(sums), strict=True)]
    for step in range(1 << len(heads)):
        if i := (step & -step).bit_length():
            change = sub if step >> i & 1 else add
            shifts = [change(v, 2 * w) for v, w in zip(shifts, heads[i - 1], strict=True)]
        over = (half - room - 1) * ones
        for (up, down, savings), shift in zip(each_way, shifts, strict=True):
            if (saved := savings.get(key := hex(shift))) is None:
                spend(work)
                saved = 0
                for more in (up + shift * ones, down - shift * ones):
                    positive = more >> bits - 1 & ones
                    saved += more & (positive << bits - 1) - positive
                if len(savings) * len(sums) * bits << len(tails) < MAX_KEPT:
                    savings[key] = saved
            over += saved
        found |= over
    return found >> bits - 1 & ones > 0


def least_cost(rows: Vectors, labels: list[int], group: Vectors, k: int, sent: list[int]) -> int:
    """Return twice the cost of the given partition if it is proved optimal, or a lower bound.

    The minimum cost of a class for each sum of labels bounds the cost of a partition. This prunes
    the search that verifies that no partition into k classes is cheaper than the given one.
    """
    everything, label = (1 << len(rows)) - 1, sum(labels)
    total = sum(cost([rows[x] for x, m in enumerate(sent) if m == i]) for i in range(k))
    if sent and k == 2 and not group:
        cheapest = not saves(rows, cost(rows) - total)
        require(cheapest, "a partition into two classes costs less than the given one, {}", total)
        return total
    found = leading(rows, labels, group)
    joined = joined_costs(found, k)
    if not sent:
        ends = ((c, hex(label - int(t, 16))) for t, c in joined[1].items())
        return min(c + joined[k - 1][key] for c, key in ends if key in joined[k - 1])
    bits = [[1 << x for x in g] for g in group]
    moves = [lambda t, b=b: hex(sum(map(b.__getitem__, members(int(t, 16))))) for b in bits]
    first, images = Found(), dict[str, tuple[int, int, int]]()  # leave room: of each orbit one; all
    for S, c, t in found if k > 1 else ():
        if c + joined[k - 1][hex(label - t)] < total and hex(S) not in images:
            first.append((S, c, t))
            moved = orbit(hex(S), moves, 40) if k > 2 else [hex(S)]
            images |= {T: (int(T, 16), c, t) for T in moved}

    def cheaper(left: int, k: int, label: int, below: int, usable: Found, most: int) -> bool:
        """Decide whether `left` splits into k classes that cost less than `below`."""
        if k == 1 or not left:
            spend(10 + left.bit_count() * 3 * len(rows[0]))
            return cost([rows[i] for i in members(left)]) < below
        spend(2 * len(usable))
        within = (one for one in usable if not one[0] & ~left and one[2] <= most)
        fit = [one for one in within if one[1] + joined[k - 1][hex(label - one[2])] < below]
        first = ((S, c, t) for S, c, t in fit if S & left & -left)
        return any(cheaper(left ^ S, k - 1, label - t, below - c, fit, most) for S, c, t in first)

    for S, c, t in first:  # the class of the largest label is one of these
        rest = everything ^ S, k - 1, label - t, total - c, [*images.values()], t
        rule = f"a partition with the class {[*members(S)]} costs less than the given one"
        require(not cheaper(*rest), rule)
    return total


def minors(known: Minors, units: Units, ds: Numbers, xs: Numbers, words: int) -> Sequence[int]:
    """Return one determinant for each choice of vertices; the last dependency varies fastest."""
    if len(ds) == 1:
        return units[ds[0]][xs[0]]
    if (key := f"{ds}{xs}") not in known:
        columns, terms = [units[d][xs[-1]] for d in ds], list[list[int]]()
        for j, column in enumerate(columns):
            if any(column):
                after = prod(map(len, columns[j + 1 :]))
                signed = [(-1) ** (len(ds) - 1 - j) * c for c in column]
                spend((9 + 6 * prod(map(len, columns))) * words)
                less = minors(known, units, ds[:j] + ds[j + 1 :], xs[:-1], words)
                blocks = [less[i : i + after] for i in range(0, len(less), after)]
                terms.append([c * e for block in blocks for c in signed for e in block])
        known[key] = [*map(sum, zip(*terms, strict=True))] or [0] * prod(map(len, columns))
    return known[key]


def related(F: Matrix, listed: object, case: list[Vectors]) -> Fraction:
    """Return a bound by relations: if mixtures p and q coincide, answers times p - q sum to 0."""
    n, relations, bits = len(F.rows), [], 0
    for y, weight, which, gone in each(entries, listed, 4):
        used, w = (*distinct(which, len(case) // 2),), integer(weight, None)
        require(len(used) < 7, "the relation has {} dependencies; the limit is 6", len(used))
        relations.append((index(y, F.width), w, used, (*indices(gone, n, len(used) - 1),)))
        bits = max(bits, w.bit_length() + len(used) * max(case[0][0]).bit_length())
    sizes = {d: len(case[2 * d]) * len(case[2 * d + 1]) for *_, used, _ in relations for d in used}
    choices, long = prod(sizes.values()), 1 + (bits >> 8)
    require(choices <= 1 << 12, "there are {} choices of vertices; the limit is 4096", choices)
    spend(sum(sizes.values()) * (10 + 2 * n) + (choices * long * 2 + 8 * n) * len(relations))
    known, gains, losses = Minors(), [0] * choices, [0] * choices
    pairs = ((d, product(*case[2 * d : 2 * d + 2])) for d in sizes)
    of = {d: [*zip(*(map(sub, *two) for two in both), strict=True)] for d, both in pairs}
    for y, w, used, xs in relations:
        gain = loss = [0] * prod(map(sizes.__getitem__, used))
        for z in {z for d in used for z in range(n) if any(of[d][z])}.difference(xs):
            spend((9 + 6 * len(gain)) * long)
            dets, one = [w * e for e in minors(known, of, used, (*xs, z), long)], F.rows[z] >> y & 1
            if one:
                gain = [*map(add, gain, dets)]
            if F.defined[z] >> y & 1:
                loss = [a + max(e if one else -e, 0) for a, e in zip(loss, dets, strict=True)]
            else:
                gain = [a + min(e, 0) for a, e in zip(gain, dets, strict=True)]
        place = [0]  # of each choice of all vertices among those of the vertices used
        for d, size in sizes.items():
            step = prod(sizes[other] for other in used[used.index(d) + 1 :]) if d in used else 0
            place = [p + i * step for p in place for i in range(size)]
        gains = [*map(add, gains, map(gain.__getitem__, place))]
        losses = [*map(add, losses, map(loss.__getitem__, place))]
    least, over = 1, 1
    for more, less in zip(gains, losses, strict=True):
        if more * over < least * max(less, 1):
            least, over = max(more, 0), max(less, 1)
    return Fraction(least, over)
