"""Compare the deterministic cost of two copies of a small matrix with twice the cost of one copy.

    python benchmarks/direct_sums.py [--rows M] [--columns N]

The *direct sum* of f is the task to compute both f(x1, y1) and f(x2, y2): on each leaf of a
protocol tree, both values are constant. The script lists all matrices up to a size with distinct
rows and columns (zero rows and columns are allowed), up to permutations of rows and columns,
transposition and complement.

A tree for two copies has at least ``(r0 + r1)**2`` leaves, where r0 and r1 are the ranks of the
matrices of zeros and of ones: its leaves with the values a and b are disjoint rectangles whose sum
is a Kronecker product of rank ``ra * rb``. If this bound does not reach twice the cost of one
copy, a search by depth looks for a tree with one bit less, which the script checks. The last table
has the costs of the AND, the OR and the XOR of two copies, which are problems with values 0 and 1.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from functools import cache
from itertools import product

from small_matrices import Matrix, complement, matrices, text

from ccsim import deterministic_cost, rank
from ccsim.communication import and_power, xor_power

Lines = tuple[int, ...]
Tree = tuple[str, Lines, "Tree", "Tree"] | int
"""A player, the lines of the first subtree, and both subtrees; or the value on a leaf."""
_PRIME = (1 << 31) - 1


def two_copies(f: Matrix) -> Matrix:
    """Return the matrix of both values of two copies, as numbers from 0 to 3."""
    return tuple(tuple(2 * a + b for a, b in product(r, s)) for r, s in product(f, f))


def leaves(matrix: Matrix) -> int:
    """Return a lower bound on the leaves of a tree: the ranks modulo a prime, summed over values.

    The rank modulo a prime is at most the rank over the rationals.
    """
    values = {entry for row in matrix for entry in row}
    return sum(_rank([[int(e == value) for e in row] for row in matrix]) for value in values)


def _rank(rows: list[list[int]]) -> int:
    found = 0
    while rows and rows[0]:
        pivot = next((row for row in rows if row[0]), None)
        if pivot is None:
            rows = [row[1:] for row in rows]
            continue
        found, inverse = found + 1, pow(pivot[0], -1, _PRIME)
        rest, rows = [row for row in rows if row is not pivot], []
        for row in rest:
            factor = row[0] * inverse
            pairs = zip(row[1:], pivot[1:], strict=True)
            rows.append([(a - factor * b) % _PRIME for a, b in pairs] if row[0] else row[1:])
    return found


class Search:
    """Trees of a bounded depth for a matrix with any entries, on rectangles of rows and columns."""

    def __init__(self, matrix: Matrix) -> None:
        self.matrix = matrix
        self.bound = cache(lambda rows, columns: leaves(self.part(rows, columns)))
        self.tree = cache(self._tree)

    def part(self, rows: Lines, columns: Lines) -> Matrix:
        """Return a submatrix."""
        return tuple(tuple(self.matrix[x][y] for y in columns) for x in rows)

    def whole(self, depth: int) -> Tree | None:
        """Return a tree of at most the given depth for the whole matrix; None if there is none."""
        sizes = len(self.matrix), len(self.matrix[0])
        return self.tree(*(tuple(range(size)) for size in sizes), depth)

    def _tree(self, rows: Lines, columns: Lines, depth: int) -> Tree | None:
        bound = self.bound(rows, columns)
        if bound == 1:
            return self.matrix[rows[0]][columns[0]]
        if bound > 1 << depth:
            return None
        for player, lines in (("rows", rows), ("columns", columns)):
            for chosen in range(1, 1 << len(lines) - 1):  # the last line is never chosen
                first = tuple(v for i, v in enumerate(lines) if chosen >> i & 1)
                second = tuple(v for i, v in enumerate(lines) if not chosen >> i & 1)
                halves = [(p, columns) if player == "rows" else (rows, p) for p in (first, second)]
                if all(self.bound(*half) <= 1 << depth - 1 for half in halves):
                    trees = [self.tree(*half, depth - 1) for half in halves]
                    if trees[0] is not None and trees[1] is not None:
                        return player, first, trees[0], trees[1]
        return None


def depth_of(tree: Tree, matrix: Matrix, rows: Lines, columns: Lines) -> int:
    """Check a tree on a rectangle of a matrix by its definition, and return its depth."""
    if isinstance(tree, int):
        if {matrix[x][y] for x in rows for y in columns} != {tree}:
            raise ValueError("a leaf of the tree must have one value")
        return 0
    player, lines, first, second = tree
    parts = []
    for inside in (True, False):
        ours, theirs = rows, columns
        if player == "rows":
            ours = tuple(x for x in rows if (x in lines) == inside)
        else:
            theirs = tuple(y for y in columns if (y in lines) == inside)
        parts.append((ours, theirs))
    pairs = zip((first, second), parts, strict=True)
    return 1 + max(depth_of(sub, matrix, *part) for sub, part in pairs)


def cost_of_two(f: Matrix) -> tuple[int, int, Tree | None]:
    """Return the costs of one and of two copies of f, and a tree if two copies save a bit."""
    cost = deterministic_cost(f)
    cost.check()
    ranks = 0
    for one in (f, complement(f)):
        found = rank(one)
        found.check()
        ranks += found.lower
    upper, tree, both = 2 * cost.value, None, two_copies(f)
    search, sizes = Search(both), (len(both), len(both[0]))
    while upper > (ranks**2 - 1).bit_length() and (better := search.whole(upper - 1)) is not None:
        tree, upper = better, upper - 1
        if depth_of(tree, both, *(tuple(range(size)) for size in sizes)) > upper:
            raise ValueError("the tree must have the stated depth")
    return cost.value, upper, tree


def costs_of_powers(f: Matrix) -> tuple[str, ...]:
    """Return the costs of one copy and of the AND, the OR and the XOR of two copies."""
    problems = f, and_power(f, 2), and_power(complement(f), 2), xor_power(f, 2)
    found = [deterministic_cost(problem) for problem in problems]
    for each in found:
        each.check()
    return tuple(f"{e.lower}" if e.exact else f"{e.lower} to {e.upper}" for e in found)


def main() -> None:
    """Print a table of direct sums, the trees that save a bit, and a table of powers."""
    arguments = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    arguments.add_argument("--rows", type=int, default=4)
    arguments.add_argument("--columns", type=int, default=4)
    asked = arguments.parse_args()
    start = time.process_time()
    counts: Counter[tuple[int, ...]] = Counter()
    powers: Counter[tuple[str, ...]] = Counter()
    saved = list[tuple[Matrix, Tree]]()
    for m, n in product(range(2, asked.rows + 1), range(2, asked.columns + 1)):
        for f in matrices(m, n, zeros=True, complements=True) if m <= n else []:
            one, two, tree = cost_of_two(f)
            counts[m, n, one, two] += 1
            if tree is not None:
                saved.append((f, tree))
        for f in matrices(m, n, zeros=True) if m <= n else []:
            powers[f"{m}", f"{n}", *costs_of_powers(f)] += 1
    heads = "| rows | columns | cost of f | cost of two copies | matrices |"
    lines = [heads, f"|{'---|' * 5}"]
    lines += [f"| {' | '.join(map(str, key))} | {k} |" for key, k in sorted(counts.items())]
    lines += ["", *(f"{text(f)}: {tree}" for f, tree in saved), ""]
    lines += ["| rows | columns | cost of f | AND | OR | XOR | matrices |", f"|{'---|' * 7}"]
    lines += [f"| {' | '.join(key)} | {k} |" for key, k in sorted(powers.items())]
    lines.append(f"\n{time.process_time() - start:.1f} s")
    sys.stdout.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
