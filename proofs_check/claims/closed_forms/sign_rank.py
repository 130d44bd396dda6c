"""Sign rank: the smallest matrices that need four dimensions."""

from __future__ import annotations

from itertools import combinations, permutations, product

from ccsim import sign_rank
from proofs_check.claims.claim import Kind, claim
from proofs_check.claims.decision import Decision, equal
from proofs_check.claims.evidence import recheck
from proofs_check.claims.grid import table
from proofs_check.claims.near_miss import near


def _matrices(rows: int, columns: int) -> list[tuple[int, ...]]:
    """Return sets of columns up to signs and orders of lines, of columns that are not alike.

    The sign of a column makes its entry in the last row 0.
    """
    half = 1 << rows - 1

    def moved(order: tuple[int, ...], turned: int, column: int) -> int:
        image = sum(((column ^ turned) >> x & 1) << to for x, to in enumerate(order))
        return image if image < half else image ^ (2 * half - 1)

    moves = [
        [moved(order, turned, column) for column in range(half)]
        for order, turned in product(permutations(range(rows)), range(half))
    ]
    found, seen = [], set[frozenset[int]]()
    for chosen in combinations(range(half), columns):
        if frozenset(chosen) not in seen:
            found.append(chosen)
            seen |= {frozenset(move[column] for column in chosen) for move in moves}
    return found


@claim(
    "ccsim/sign-rank-smallest",
    "closed-forms.md, Theorem 15",
    "Smallest matrices of sign rank 4",
    Kind.THEOREM,
    over=table("rows columns most", (4, 7, 3), (4, 8, 4), (5, 5, 3)).medium((5, 6, 4)),
    near=[
        near("A dimension less is enough.", more=-1),
        near("A dimension more is needed.", more=1),
    ],
)
def smallest(rows: int, columns: int, most: int, *, more: int = 0) -> Decision:
    """Matrices of signs with 4 rows and at most 7 columns, or 5 rows and columns, have a sign rank
    of at most 3; some with 4 rows and 8 columns, and some with 5 rows and 6 columns, have 4."""
    found = 0
    for matrix in _matrices(rows, columns):
        signs = [[column >> x & 1 for column in matrix] for x in range(rows)]
        found = max(found, recheck(sign_rank(signs)).value)
    return equal(found, most + more)
