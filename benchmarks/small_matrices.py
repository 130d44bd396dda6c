"""All small 0/1 matrices with distinct rows and distinct columns, up to equivalence.

Two matrices are equivalent if permutations of rows and columns, and possibly a transposition, map
one to the other. Equal rows or columns change none of the measures in the scripts that use this
module.
"""

from __future__ import annotations

from itertools import combinations, product

from canonaut import raw

Matrix = tuple[tuple[int, ...], ...]


def canonical(matrix: Matrix) -> bytes:
    """Return a canonical form, which is equal for two matrices exactly if they are equivalent."""
    turned: Matrix = tuple(zip(*matrix, strict=True))
    forms = [_ordered(matrix)] + [_ordered(turned)] * (len(matrix) == len(turned))
    return min(forms)


def _ordered(matrix: Matrix) -> bytes:
    m, n = len(matrix), len(matrix[0])
    edges = [(x, m + y) for x, y in product(range(m), range(n)) if matrix[x][y]]
    return bytes(raw.canonize(m + n, edges, colors=[0] * m + [1] * n).canonical_bytes())


def complement(matrix: Matrix) -> Matrix:
    """Return the matrix with zeros and ones exchanged."""
    return tuple(tuple(1 - entry for entry in row) for row in matrix)


def matrices(m: int, n: int, *, zeros: bool, complements: bool = False) -> list[Matrix]:
    """Return one ``m x n`` matrix of each equivalence class, with distinct rows and columns.

    If ``zeros`` is false, no row and no column is zero. If ``complements`` is true, a matrix is
    also equivalent to its complement.
    """
    if m < n:  # there are fewer sets of short rows than of long rows
        turned = matrices(n, m, zeros=zeros, complements=complements)
        return [tuple(zip(*matrix, strict=True)) for matrix in turned]
    found: dict[bytes, Matrix] = {}
    for matrix in combinations(product((0, 1), repeat=n), m):
        columns = set(zip(*matrix, strict=True))
        if len(columns) == n and (zeros or ((0,) * n not in matrix and (0,) * m not in columns)):
            form = canonical(matrix)
            if complements:
                form = min(form, canonical(complement(matrix)))
            found.setdefault(form, matrix)
    return list(found.values())


def text(matrix: Matrix) -> str:
    """Return the rows of a matrix as words."""
    return " ".join("".join(map(str, row)) for row in matrix)
