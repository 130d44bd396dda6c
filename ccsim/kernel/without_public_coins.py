"""The kernel's checks of what protocols without public coins cannot do.

Errors that private coins force, and public ones need not: the pages of `docs/certificates.md` on
private coins say why each of the three is a proof. And messages that deterministic protocols need:
two inputs of Alice *conflict* when their rows differ where both are inside the promise; the classes
of a protocol without error hold no conflict. Whether there are few enough classes is decided by
colouring, with nothing but the instance to go by.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import reduce
from itertools import pairwise, permutations
from operator import and_

from .instances import Matrix
from .parts import Part, members, size, times

__all__ = ["conflict_free", "forced"]

MAX_COLOURED_ROWS = 24  # distinct rows of a promise problem whose colouring is recomputed


def forced(proof: Part, F: Matrix, messages: int) -> Fraction:
    """Return an error that private coins cannot avoid with so many messages."""
    methods = {"radon": _radon, "unsorted": _unsorted, "boxes": _boxes}
    name = next(filter(proof.has, methods), "distribution")
    (part,) = proof.fields(name)
    return methods[name](part, F, messages)


def _radon(part: Part, F: Matrix, messages: int) -> Fraction:
    """Return the error that every partition of ``messages + 1`` inputs of Alice forces."""
    inputs, separations = part.fields("inputs", "separations")
    chosen = inputs.distinct(len(F.rows), "inputs must be distinct", messages + 1)
    least = Fraction(1)
    for i, separation in enumerate(separations.entries((1 << messages) - 1), 1):
        heights, total, previous = [0] * len(chosen), 0, -1
        for entry in separation.entries():
            entry.afford(20 + 15 * len(chosen))
            column, weight = entry.entries(2)
            y, w = column.index(len(F.columns)), weight.value
            if type(w) is not int or not w:
                weight.reject("must be an integer other than 0, not {}", w)
            column.require(y > previous, "column {} must come after {}", y, previous)
            previous, total = y, total + abs(w)
            for t, x in enumerate(chosen):
                heights[t] += w * (F.rows[F.input(Part(x), column)[0]] >> y & 1)
        sides = [[g for t, g in enumerate(heights) if i >> t & 1 == side] for side in (1, 0)]
        gap = max(0, min(sides[0]) - max(sides[1]))
        least = min(least, Fraction(gap, max(total + gap, 1)))
    return least


def _unsorted(part: Part, F: Matrix, messages: int) -> Fraction:
    """Check that in each order of some inputs of Alice a column changes its value twice."""
    part.require(messages == 2, "inputs are sorted for 2 messages, not {}", messages)
    rule = "inputs must be distinct, at most 6"
    chosen = part.distinct(len(F.rows), rule)
    part.require(len(chosen) <= 6, rule)
    inside = reduce(and_, (F.defined[x] for x in chosen), -1)
    for order in permutations(chosen):
        changed, twice = 0, 0
        for x, z in pairwise(order):
            change = (F.rows[x] ^ F.rows[z]) & inside
            twice |= changed & change
            changed |= change
        part.require(twice, f"no column changes twice in the order {order}")
    return Fraction(1, 2)


_Box = dict[tuple[str, int, int], tuple[Fraction, Fraction]]  # of ("alice", x, m), ("bob", y, m)
_UNIT = (Fraction(0), Fraction(1))


def _boxes(part: Part, F: Matrix, messages: int) -> Fraction:
    """Return the least error that a tree of boxes of probabilities leaves possible."""
    rule = "boxes are for at least 2 messages and fewer than inputs of Alice, not {}"
    part.require(1 < messages < len(F.rows), rule, messages)
    ordered, nodes = part.fields("ordered", "nodes")
    x = ordered.index(len(F.rows))
    box: _Box = {("alice", x, m): (Fraction(0), Fraction(1, m + 1)) for m in range(messages)}
    box["alice", x, 0] = (Fraction(1, messages), Fraction(1))
    left, least = [box], Fraction(1)
    for node in nodes.entries():
        node.require(left, "no box is left")
        box = left.pop()
        node.afford(30 + 8 * len(box))
        if isinstance(node.value, dict):
            least = min(least, _relaxed(node, F, messages, box))
            continue
        who, number, message, cut = node.entries(4)
        side = who.choice(["alice", "bob"])
        i = number.index(len(F.rows if side == "alice" else F.columns))
        key = (side, i, message.index(messages))
        (low, high), c = box.get(key, _UNIT), cut.fraction()
        cut.require(low < c < high, "must lie strictly between {} and {}, not {}", low, high, c)
        for half in (c, high), (low, c):
            child = {**box, key: half}
            if side == "alice":  # the entries of a law sum to 1
                bounds = [child.get((side, i, m), _UNIT) for m in range(messages)]
                bits = size(*(end for ends in bounds for end in ends))
                node.afford(messages * (100 + times(bits, bits)))
                lows, highs = (sum(ends) for ends in zip(*bounds, strict=True))
                for m, (l, h) in enumerate(bounds):
                    child[side, i, m] = (max(l, 1 - highs + h), min(h, 1 - lows + l))
            left.append(child)
    nodes.require(not left, "{} boxes are left without a node", len(left))
    return least


def _relaxed(node: Part, F: Matrix, messages: int, box: _Box) -> Fraction:
    """Return the bound of a leaf: both products of distances to the bounds are at least 0."""
    (weights,) = node.fields("weights")
    weights.require(weights.entries(), "at least one input must have weight")
    unit = weights.common([end for ends in box.values() for end in ends])
    bits = unit.bit_length()
    weights.afford(len(box) * (30 + times(bits, bits)))
    scaled = {key: (int(low * unit), int(high * unit)) for key, (low, high) in box.items()}
    free = (0, unit)
    slopes: Counter[tuple[str, int, int]] = Counter()  # in parts of the unit
    bound, total = 0, 0  # in parts of its square
    for (x, y), w, (splits,) in F.weighted(weights, 4):
        total += w
        weights.afford(messages * (60 + 4 * times(bits, 2 * bits + 2 * w.bit_length())))
        sign = -1 if F.rows[x] >> y & 1 else 1  # c = b, or c = 1 - b
        for m, split in enumerate(splits.entries(messages)):
            a, b, t = ("alice", x, m), ("bob", y, m), split.index(w + 1)
            ends = [q if sign == 1 else unit - q for q in scaled.get(b, free)][::sign]
            for share, p, q in zip((t, w - t), scaled.get(a, free), ends, strict=True):
                # share * (p c + q a - p q)
                slopes[a] += share * q
                slopes[b] += share * p * sign
                bound += share * p * (unit * (sign == -1) - q)
    wide = 2 * bits + total.bit_length()
    weights.afford(len(slopes) * (50 + 2 * times(bits, wide)) + times(wide, wide))
    for (side, i, m), slope in slopes.items():
        if side == "bob":
            bound += min(slope * end for end in scaled.get((side, i, m), free))
        elif m == 0:  # once for each law of Alice
            ranges = [
                (slopes[side, i, j], *scaled.get((side, i, j), free)) for j in range(messages)
            ]
            rest = unit - sum(low for _, low, _ in ranges)
            for s, low, high in sorted(ranges):
                bound += s * (low + min(rest, high - low))
                rest -= min(rest, high - low)
    return Fraction(bound, total * unit**2)


def conflict_free(part: Part, F: Matrix, k: int) -> bool:
    """Decide whether Alice's inputs split into at most `k` classes without a conflict."""
    rows = sorted(set(zip(F.rows, F.defined, strict=True)))
    if len(rows) <= k:
        return True
    if all(defined == (1 << len(F.columns)) - 1 for _, defined in rows):
        return False  # distinct rows of a total function conflict
    rule = f"{len(rows)} distinct rows, at most {MAX_COLOURED_ROWS} are coloured"
    part.require(len(rows) <= MAX_COLOURED_ROWS, rule)
    part.afford(len(rows) ** 2 * (10 + (len(F.columns) >> 10)))
    conflicts = [sum(1 << j for j, (b, q) in enumerate(rows) if (a ^ b) & p & q) for a, p in rows]
    return _colourable(part, conflicts, [], (1 << len(rows)) - 1, k)


def _colourable(part: Part, conflicts: list[int], classes: list[int], left: int, k: int) -> bool:
    """Extend a partial colouring, a row that conflicts with most classes first."""
    if not left:
        return True
    part.afford(50 + len(conflicts) * (5 + 2 * len(classes)))
    urgency = [(sum(1 for S in classes if S & each), each.bit_count()) for each in conflicts]
    x = max(members(left), key=urgency.__getitem__)
    return any(
        _colourable(
            part, conflicts, [*classes[:i], S | 1 << x, *classes[i + 1 :]], left ^ 1 << x, k
        )
        for i, S in enumerate([*classes, 0][:k])  # the first new class stands for all
        if not S & conflicts[x]
    )
