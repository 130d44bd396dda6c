"""Trees of mistakes and thresholds inside a class."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import reduce
from operator import or_
from typing import Annotated, Any

from .reader import *
from .rules import *

Lines = Annotated[str, lambda value, _: choice(value, ("points", "concepts"))]
Label = Annotated[int, lambda value, _: index(value, 2)]
Known = tuple[int, list[int], int]  # depth or length, literals, concepts without one of them


def subsets(
    case: S,
    candidates: int,
    moves: Sequence[Sequence[int]],
    grow: Callable[[S, int, int], tuple[S, int]],
) -> None:
    """Grow a case by sets of candidates, one of every orbit under permutations of them.

    `grow` returns the case with one candidate more and which of the others it may still take.
    When those sets have been tried, its images under moves that fix what is chosen need not be.
    """
    order = members(candidates)
    if moves:
        order = iter(sorted(order, key=lambda x: -sum(move[x] == x for move in moves)))
    for x in order:
        if candidates >> x & 1:
            candidates ^= 1 << x
            child = grow(case, x, candidates)
            if child[1]:
                subsets(*child, [move for move in moves if move[x] == x], grow)
            if moves:
                images = orbit(x, [move.__getitem__ for move in moves])
                candidates &= ~sum(1 << y for y in images)


def even(rows: Iterable[int], half: int, among: int) -> int:
    """Return the columns, of some, with each label in a power of two of the rows, or more."""

    def often(subsets: Iterable[int]) -> int:  # binary counts of all columns at once
        digits, reached = [0] * (half.bit_length() - 1), 0
        for subset in subsets:
            carry = subset
            for i, digit in enumerate(digits):
                digits[i], carry = digit ^ carry, digit & carry
            reached |= carry
        return reached

    found = often(rows) & among
    return found and found & often(found & ~row for row in rows)


def splitting(space: int, half: int, among: int, C: Matrix) -> int:
    """Return the columns, of some, with each label in a power of two of the concepts, or more."""
    total = space.bit_count()
    by_rows = 20 + (len(C.rows) >> 6) + total * (3 + half.bit_length() * (2 + (C.width >> 9)))
    by_columns = 10 + among.bit_count() * (3 + (len(C.rows) >> 9))
    spend(min(by_rows, by_columns))
    if by_rows < by_columns:
        return even([C.rows[i] for i in members(space)], half, among)
    ones = ((x, (space & C.columns[x]).bit_count()) for x in members(among))
    return sum(1 << x for x, number in ones if half <= number <= total - half)


class VersionSpaces:
    """The concepts that agree with literals: ``2 x + b`` is label `b` on point `x`."""

    def __init__(self, C: Matrix, symmetries: list[Symmetry]) -> None:
        self.everything = (1 << len(C.rows)) - 1
        self.sides = [side for column in C.columns for side in (self.everything ^ column, column)]
        self.moves = [
            [2 * y + (b ^ s.flips >> x & 1) for x, y in enumerate(s.columns) for b in (0, 1)]
            for s in symmetries
        ]

    def lacking(self, literals: list[int]) -> int:
        """Return the concepts that do not agree with all literals."""
        rows = self.everything.bit_length()
        spend((len(literals) + 2) * (2 + (rows >> 11)) + (rows >> 5))
        return reduce(or_, (self.sides[i ^ 1] for i in literals), 0)

    def last(self, spaces: list[Any], prove: Callable[[Any, list[Known]], Known]) -> Known:
        """Return what the last entry proves; some are images of earlier ones under symmetries."""

        def step(entry: Any, proved: list[Known]) -> Known:  # noqa: ANN401
            if len(entries(entry)) != 2:
                return prove(entry, proved)
            value, literals, _ = proved[index(entry[0], len(proved))]
            literals = [self.moves[index(entry[1], len(self.moves))][i] for i in literals]
            return value, literals, self.lacking(literals)

        require(spaces, "must not be empty")
        proved: list[Known] = inside("spaces", table, spaces, step)
        return proved[-1]


class ThresholdDimension(Dimension, Quantity, kind="threshold_dimension"):
    """The largest number of concepts and points with ``c_i(x_j) = 1`` exactly if ``i <= j``."""

    @least
    def chain(self, concepts: Rows, points: Columns) -> int:
        """Show such concepts and points."""
        spend(len(concepts) * len(points) * (2 + (self.instance.width >> 9)))
        require(self.instance.rows, "there is no concept")
        require(len(concepts) == len(points), "there must be as many points as concepts")
        for i, row in enumerate(self.instance.rows[c] for c in concepts):
            right = all(row >> x & 1 == (i <= j) for j, x in enumerate(points))
            require(right, "concept {} has another label on a point", concepts[i])
        return len(points)

    @most
    def ones(self) -> int:
        """Count ones: the lines of a chain have 1, 2, ... or more, be they concepts or points."""
        lengths = []
        for lines in (self.instance.rows, self.instance.columns):
            ones = sorted(map(int.bit_count, set(lines)))
            lengths.append(reduce(lambda k, size: k + (size > k), ones, 0))
        return min(lengths) if self.instance.rows else -1

    @most
    def rank(self) -> int:
        """Eliminate over the field of two elements, in which a chain is independent."""
        basis: list[int] = []
        for row in self.instance.rows:
            spend(5 + len(basis) * (2 + (self.instance.width >> 9)))
            if rest := reduce(lambda row, b: min(row, row ^ b), basis, row):
                basis.append(rest)
        return len(basis)

    @most
    def extension(self, size: Positive) -> int:
        """Exclude a chain of a size: lines follow each other while each tail has ones alone."""

        def extend(tails: list[int], zeros: int, lines: list[int]) -> None:
            spend(20 + len(lines) * (3 + len(tails)) * (1 + (self.instance.width >> 10)))
            require(len(tails) < 500, "sets grow to 500 lines at most")
            fit = [y for y in lines if zeros & y and all(tail & y for tail in tails)]
            for y in fit if len(tails) + len(fit) >= size else ():
                require(len(tails) + 1 < size, "there are {} thresholds", size)
                extend([*(tail & y for tail in tails), zeros & y], zeros & ~y, fit)

        rows, columns = list(set(self.instance.rows)), list(set(self.instance.columns))
        extend([], -1, rows if len(rows) <= len(columns) else columns)
        return size - 1

    @most
    def tails(self, size: Positive, lines: Lines, label: Label) -> int:
        """Exclude a chain of a size: its lines follow each other from the end that has a label.

        What has the label on all lines so far is kept. Each line leaves a tail behind, what has the
        label on all earlier ones alone, and no tail may lose all it has by a later line.
        """
        C, known = self.instance, dict[tuple[int, int], bool]()
        found, height = (C.columns, len(C.rows)) if lines == "points" else (C.rows, C.width)
        everything, cost = (1 << height) - 1, 1 + (height >> 9)
        every = list({line if label else everything ^ line for line in found})
        asked = size - 2

        def goes_on(tails: list[int], kept: int, left: list[int], more: int) -> bool:
            """Say whether so many more lines, of those left, fit into what is kept."""
            require(len(tails) < 500, "chains grow to 500 lines at most")
            fit, looks = [y for y in left if kept & ~y], len(left)
            for tail in tails:
                looks += len(fit)
                fit = [y for y in fit if tail & ~y] if len(fit) >= more else []
            spend(20 + looks * cost)
            for y in fit if len(fit) >= more else ():
                rest = kept & y
                if rest.bit_count() < more - 1 + label:
                    continue
                if more < asked or alone(rest, more - 1):
                    behind = [*(tail & ~y for tail in tails), kept & ~y]
                    if more == 1 or goes_on(behind, rest, fit, more - 1):
                        return True
            return not more

        def alone(kept: int, more: int) -> bool:
            """Say whether they fit where no tail is left from before: for all orders of lines."""
            if (kept, more) not in known:
                known[kept, more] = goes_on([], kept, every, more)
            return known[kept, more]

        starts = [y for y in every if y.bit_count() >= size] if label else [everything]
        holds = not any(goes_on([], kept, every, size - label) for kept in starts)
        require(holds, "there are {} thresholds", size)
        return size - 1


class LittlestoneDimension(Dimension, Quantity, kind="littlestone_dimension"):
    """The largest depth of a complete mistake tree."""

    @least
    def mistake_tree(self, tree: Entries) -> int:
        """List a tree in preorder: points, label 0 before 1, and concepts that agree as leaves."""
        C, depth = self.instance, len(tree).bit_length() - 1
        require(len(tree) + 1 == 1 << depth + 1, "{} nodes are not 2^k - 1", len(tree))
        spend(len(tree) * (10 + (len(C.rows) >> 7)))

        def split(node: object, case: tuple[int, int]) -> tuple[tuple[int, int], ...]:
            space, height = case
            if not height:
                agrees = space >> index(node, len(C.rows)) & 1
                require(agrees, "concept {} does not agree with its path", node)
                return ()
            ones = space & C.columns[index(node, C.width)]
            return (space ^ ones, height - 1), (ones, height - 1)

        inside("tree", cases, tree, ((1 << len(C.rows)) - 1, depth), split)
        return depth

    @most
    def refutation(self, symmetries: Symmetries, spaces: Entries) -> int:
        """Prove of version spaces that they have no tree of a depth, at last of the whole class.

        Literal ``2 x + b`` is label `b` on point `x`. Each point at the root has a side without a
        tree of a depth less: it has too few concepts, or lies in the version space of an earlier
        entry. The image of a version space under a symmetry has no such tree either.
        """
        C, spaces_of = self.instance, VersionSpaces(self.instance, symmetries)
        sides = spaces_of.sides

        def prove(entry: Any, proved: list[Known]) -> Known:  # noqa: ANN401
            depth, literals, turns, below = entries(entry, 4)
            depth = inside(0, integer, depth)
            indices(turns, len(sides))
            lacking = spaces_of.lacking(indices(literals, len(sides)))
            spend(len(turns) * (4 + (len(C.rows) >> 11)))
            space, open_points = spaces_of.everything ^ lacking, (1 << C.width) - 1
            for i, e in zip(turns, indices(below, len(proved), len(turns)), strict=True):
                serves = proved[e][0] < depth and not space & sides[i] & proved[e][2]
                require(serves, "entry {} does not refute the side of literal {}", e, i)
                open_points &= ~(1 << (i >> 1))
            if space.bit_count() >> depth:
                require(depth, "depth 0 needs an empty version space")
                left = splitting(space, 1 << depth - 1, open_points, C)
                require(not left, "no side of point {} is refuted", left.bit_length() - 1)
            return depth, literals, lacking

        depth, _, lacking = spaces_of.last(spaces, prove)
        require(not lacking, "the last entry must be about all concepts")
        return depth - 1
