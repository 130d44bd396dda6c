"""Count the sign ranks of all small matrices, up to the order and the signs of rows and columns.

    python benchmarks/sign_ranks.py [--rows M] [--columns N] [--different]

Two matrices are equivalent if permutations and sign changes of rows and columns map one to the
other (OEIS A352099 counts n x n matrices in this way). The matrices are extended row by row, and a
matrix is kept if its canonical form is new. With ``--different``, no two rows and no two columns
are equal or opposite. Each sign rank is computed with both proofs, which the kernel checks. The
output, in Markdown, is the number of matrices of each sign rank, and the first matrix of the
largest sign rank.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from itertools import product

from canonaut import raw

from ccsim import sign_rank

Matrix = tuple[tuple[int, ...], ...]


def canonical(matrix: Matrix) -> bytes:
    """Return a canonical form, which is equal for two matrices exactly if they are equivalent."""
    m, n = len(matrix), len(matrix[0])
    edges = [(2 * i, 2 * i + 1) for i in range(m + n)]  # a line and its opposite
    edges += [
        (2 * x + sign, 2 * (m + y) + (sign ^ matrix[x][y] ^ 1))
        for x, y, sign in product(range(m), range(n), (0, 1))
    ]
    colours = [0] * 2 * m + [1] * 2 * n
    return bytes(raw.canonize(2 * (m + n), edges, colors=colours).canonical_bytes())


def extended(matrices: list[Matrix], columns: int, *, different: bool) -> list[Matrix]:
    """Return the matrices with one more row, up to equivalence."""
    found: dict[bytes, Matrix] = {}
    for matrix in matrices:
        for rest in product((0, 1), repeat=columns - 1):
            row = (1, *rest)
            if different and any(row in (r, tuple(1 - e for e in r)) for r in matrix):
                continue
            found.setdefault(canonical((*matrix, row)), (*matrix, row))
    return list(found.values())


def separates(matrix: Matrix) -> bool:
    """Whether no two columns are equal or opposite."""
    columns = {min(c, tuple(1 - e for e in c)) for c in zip(*matrix, strict=True)}
    return len(columns) == len(matrix[0])


def main() -> None:
    """List, solve, check and count the matrices."""
    arguments = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    arguments.add_argument("--rows", type=int, default=5)
    arguments.add_argument("--columns", type=int, default=0, help="as many as rows if not given")
    arguments.add_argument("--different", action="store_true")
    asked = arguments.parse_args()
    columns = asked.columns or asked.rows
    matrices: list[Matrix] = [((1,) * columns,)]
    for _ in range(asked.rows - 1):
        matrices = extended(matrices, columns, different=asked.different)
    if asked.different:
        matrices = [matrix for matrix in matrices if separates(matrix)]
    counts: Counter[str] = Counter()
    first: dict[str, Matrix] = {}
    start = time.process_time()
    for matrix in matrices:
        result = sign_rank(matrix)
        result.check()
        value = f"{result.lower}" if result.exact else f"{result.lower} to {result.upper}"
        counts[value] += 1
        first.setdefault(value, matrix)
    values = sorted(counts)
    numbers = (asked.rows, columns, len(matrices), *(counts[value] for value in values))
    heads = ("rows", "columns", "matrices", *(f"sign rank {value}" for value in values))
    shown = " ".join("".join(map(str, row)) for row in first[values[-1]])
    lines = (
        f"| {' | '.join(heads)} |",
        f"|{'---|' * len(heads)}",
        f"| {' | '.join(map(str, numbers))} |",
        f"\nof sign rank {values[-1]}: {shown}",
        f"{time.process_time() - start:.1f} s to solve and to check",
    )
    sys.stdout.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
