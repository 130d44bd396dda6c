"""Search small matrices whose Kronecker products have a smaller binary rank than the factors imply.

    python benchmarks/kronecker_products.py [--rows M] [--columns N] [--squares] [--domino]

The binary rank ``b(f)`` is the least number of disjoint rectangles that contain all ones of f, and
``c(f)`` and ``p(f)`` are the least weights of a fractional cover and a fractional partition. The
rank is at most ``b(f)``, and ``c(f) <= p(f) <= b(f)``. For a product, ``b(f x g) <= b(f) b(g)``.

* The rank is multiplicative, so equality holds if rank and binary rank agree for f and for g.
* ``b(f x g) >= c(f) b(g)``. Choose weights of the ones of f with total ``c(f)``, such that each
  rectangle of ones has weight at most 1. Each one of f gives a block of the product that is a copy
  of g, so at least ``b(g)`` rectangles of a partition intersect it. The blocks that one rectangle
  intersects belong to a rectangle of f. So the weighted number of these pairs of blocks and
  rectangles is at least ``c(f) b(g)``, and at most the number of rectangles. In the same way,
  ``p(f x g) >= c(f) p(g)``.

So a pair with ``b(f x g) < b(f) b(g)`` consists of two matrices with ``c < b``, at least one of
which has a rank below its binary rank. The script counts these matrices, without zero or equal rows
and columns, up to permutations of rows and columns and transposition. Every bound has a
certificate, which the kernel checks. With ``--squares``, it also lists ``p(f x f)`` for each f with
``c(f) < p(f)``. With ``--domino``, a clause solver decides for each f with both gaps whether the
product with the Domino matrix has a partition with one rectangle less than ``3 b(f)``; this answer
has no certificate.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, permutations, product
from math import isqrt

from small_matrices import Matrix, matrices, text

from ccsim import fractional_cover_number, fractional_partition_number, partition_number, rank

DOMINO: Matrix = ((1, 1, 0), (1, 1, 1), (0, 1, 1))
Lines = tuple[int, ...]


class Measured:
    """The rank, the binary rank, and the fractional cover and partition numbers of a matrix."""

    def __init__(self, matrix: Matrix) -> None:
        self.matrix = matrix
        results = [
            question(matrix)
            for question in (
                rank,
                partition_number,
                fractional_cover_number,
                fractional_partition_number,
            )
        ]
        for result in results:
            result.check()
        self.rank, self.binary, self.cover, self.partition = (result.value for result in results)

    @property
    def gaps(self) -> tuple[bool, bool, bool]:
        """Whether the rank, the fractional cover number, and both are below the binary rank."""
        below = self.rank < self.binary, self.cover < self.binary
        return *below, all(below)


def maximal(g: Matrix) -> list[tuple[Lines, Lines]]:
    """Return the maximal rectangles of ones."""
    found = set()
    for k in range(1, len(g) + 1):
        for rows in combinations(range(len(g)), k):
            columns = tuple(y for y in range(len(g[0])) if all(g[x][y] for x in rows))
            every = tuple(x for x, row in enumerate(g) if all(row[y] for y in columns))
            if columns:
                found.add((every, columns))
    return sorted(found)


def moves(g: Matrix) -> list[list[int]]:
    """Return how permutations of rows and columns that fix g permute its maximal rectangles."""
    m, n, parts, found = len(g), len(g[0]), maximal(g), []
    for rows, columns in product(permutations(range(m)), permutations(range(n))):
        if all(g[rows[x]][columns[y]] == g[x][y] for x, y in product(range(m), range(n))):
            moved = [
                (tuple(sorted(rows[x] for x in xs)), tuple(sorted(columns[y] for y in ys)))
                for xs, ys in parts
            ]
            found.append([parts.index(part) for part in moved])
    return found


def counts(g: Matrix, least: int, total: int) -> Iterator[tuple[int, ...]]:
    """Yield how many of the rectangles of a product f x g project into each maximal rectangle of g.

    Each one of g gives a block that is a copy of f, so at least ``b(f) = least`` rectangles
    intersect it. A partition with fewer than ``total`` rectangles is completed by empty ones.
    Of equivalent counts only the first is listed.
    """
    parts, symmetries = maximal(g), moves(g)
    ones = [(x, y) for x, row in enumerate(g) for y, one in enumerate(row) if one]
    for number in product(range(total + 1), repeat=len(parts)):
        pairs = list(zip(number, parts, strict=True))
        if (
            sum(number) == total
            and all(number <= tuple(number[i] for i in move) for move in symmetries)
            and all(
                sum(n for n, (rows, columns) in pairs if x in rows and y in columns) >= least
                for x, y in ones
            )
        ):
            yield number


class Clauses:
    """Clauses that are satisfiable exactly if the ones of f x g have a partition of a given form.

    Variables state which rows and columns of each block are in each rectangle.
    """

    def __init__(self, f: Matrix, g: Matrix, number: tuple[int, ...]) -> None:
        from pysat.solvers import Cadical195  # only for this search

        self.solver, self.last = Cadical195(), 0
        self.blocks: dict[tuple[int, int], list[tuple[list[int], list[int]]]] = {}
        for part, n in zip(maximal(g), number, strict=True):
            before: list[int] = []
            for _ in range(n):
                sides = [{i: self.fresh(size) for i in lines} for lines, size in
                         zip(part, (len(f), len(f[0])), strict=True)]  # fmt: skip
                for i, j in product(*part):
                    self.blocks.setdefault((i, j), []).append((sides[0][i], sides[1][j]))
                now = [v for side in sides for block in side.values() for v in block]
                self.in_order(before, now)
                before = now
        for pieces in self.blocks.values():
            self.partition(f, pieces)

    def fresh(self, number: int) -> list[int]:
        """Return new variables."""
        self.last += number
        return [*range(self.last - number + 1, self.last + 1)]

    def in_order(self, first: list[int], second: list[int]) -> None:
        """Require that one rectangle is lexicographically at least the next one of its kind."""
        equal: list[int] = []  # the negated variable for "equal so far"
        for a, b in zip(first, second, strict=False):
            (same,) = self.fresh(1)
            for clause in ([a, -b], [same, a, b], [same, -a, -b]):
                self.solver.add_clause(equal + clause)
            equal = [-same]

    def partition(self, f: Matrix, pieces: list[tuple[list[int], list[int]]]) -> None:
        """Require that each one of f is in exactly one piece, and that no zero is in a piece."""
        for x, y in product(range(len(f)), range(len(f[0]))):
            if not f[x][y]:
                for rows, columns in pieces:
                    self.solver.add_clause([-rows[x], -columns[y]])
                continue
            inside = self.fresh(len(pieces))
            for v, (rows, columns) in zip(inside, pieces, strict=True):
                for clause in ([-v, rows[x]], [-v, columns[y]], [v, -rows[x], -columns[y]]):
                    self.solver.add_clause(clause)
            self.solver.add_clause(inside)
            for u, v in combinations(inside, 2):
                self.solver.add_clause([-u, -v])


def has_partition(f: Matrix, g: Matrix, least: int, total: int) -> bool:
    """Whether the ones of f x g have a partition into at most ``total`` rectangles."""
    return any(Clauses(f, g, number).solver.solve() for number in counts(g, least, total))


def square(f: Matrix) -> Fraction:
    """Return the fractional partition number of f x f, checked."""
    result = fractional_partition_number(f, 1, 2)
    result.check()
    found: Fraction = result.value
    return found


def root(value: Fraction) -> str:
    """Return the square root, rounded down to four digits after the point."""
    digits = isqrt(value.numerator * 10**8 // value.denominator)
    return f"{digits // 10**4}.{digits % 10**4:04}"


def main() -> None:
    """Print the table of matrices with gaps, and the tables that are asked for."""
    arguments = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    arguments.add_argument("--rows", type=int, default=4)
    arguments.add_argument("--columns", type=int, default=5)
    arguments.add_argument("--squares", action="store_true")
    arguments.add_argument("--domino", action="store_true")
    asked = arguments.parse_args()
    heads = ("size", "matrices", "rank < b", "c < b", "both", "c < p")
    lines = [f"| {' | '.join(heads)} |", f"|{'---|' * len(heads)}"]
    every = list[Measured]()
    start = time.process_time()
    for m, n in product(range(2, asked.rows + 1), range(2, asked.columns + 1)):
        measured = [Measured(f) for f in matrices(m, n, zeros=False)] if m <= n else []
        every += measured
        found = Counter(name for f in measured for name, gap in
                        zip((*heads[2:5], heads[5]), (*f.gaps, f.cover < f.partition), strict=True)
                        if gap)  # fmt: skip
        if measured:
            numbers = (len(measured), *(found[name] for name in heads[2:]))
            lines.append(f"| {m} x {n} | {' | '.join(map(str, numbers))} |")
    both = [f for f in every if f.gaps[2]]
    lines += [f"both: {text(f.matrix)}: rank {f.rank}, b {f.binary}, c {f.cover}" for f in both]
    if asked.squares:
        lines += ["", "| f | c | p | p(f x f) | root |", f"|{'---|' * 5}"]
        for f in every:
            if f.cover < f.partition:
                value = square(f.matrix)
                cells = (f.cover, f.partition, value, root(value))
                lines.append(f"| `{text(f.matrix)}` | {' | '.join(map(str, cells))} |")
    if asked.domino:
        for f in both:
            fits = has_partition(f.matrix, DOMINO, f.binary, 3 * f.binary - 1)
            lines.append(f"{text(f.matrix)} x Domino: {3 * f.binary - 1} rectangles: {fits}")
    lines.append(f"\n{time.process_time() - start:.1f} s")
    sys.stdout.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
