"""Sign rank: the smallest matrices of sign rank 4, inner product, and private-coin protocols."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, permutations, product

from ccsim import CommunicationProblem, inner_product, minimax_error, sign_rank
from proofs_check.claims.claim import Kind, claim
from proofs_check.claims.decision import Decision, below, equal
from proofs_check.claims.evidence import recheck
from proofs_check.claims.grid import table
from proofs_check.claims.variants import near


def _matrices(rows: int, columns: int) -> list[tuple[int, ...]]:
    """Return matrices without equal or opposite columns, up to signs and orders.

    The sign of a column is chosen such that its entry in the last row is 0.
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
        near("One dimension fewer is enough.", more=-1),
        near("One more dimension is needed.", more=1),
    ],
)
def smallest(rows: int, columns: int, most: int, *, more: int = 0) -> Decision:
    """Sign matrices with 4 rows and at most 7 columns, or with 5 rows and 5 columns, have sign rank
    at most 3; some with 4 rows and 8 columns, and some with 5 rows and 6 columns, have sign rank
    4."""
    found = 0
    for matrix in _matrices(rows, columns):
        signs = [[column >> x & 1 for column in matrix] for x in range(rows)]
        found = max(found, recheck(sign_rank(signs)).value)
    return equal(found, most + more)


@claim(
    "ccsim/sign-rank-inner-product",
    "closed-forms.md, Theorem 17",
    "Sign rank of inner product on at most 3 bits",
    Kind.THEOREM,
    over=table("bits value", (1, 2), (2, 3), (3, 5)),
    near=[
        near("One dimension fewer is enough.", more=-1),
        near("One more dimension is needed.", more=1),
    ],
)
def inner_products(bits: int, value: int, *, more: int = 0) -> Decision:
    """The sign ranks of inner product on 1, 2 and 3 bits are 2, 3 and 5."""
    return equal(recheck(sign_rank(inner_product(bits))).value, value + more)


MATRICES = [  # signs and numbers of messages on either side of what they need
    ("100/010/001", 2),
    ("100/010/001", 3),
    ("110/100/000", 2),
    ("00/01/10/11", 2),
    ("00/01/10/11", 3),
    ("10*/*10/0*1", 2),
    ("10101/01111/01100/00011/00000", 3),
    ("10110/01110/00101/00011/00000", 3),
]
MORE_MATRICES = [
    ("000/001/010/011/100/101/110/111", 3),
    ("1*10/0110/01*1/1001/0010", 2),
    ("1*10/0110/01*1/1001/0010", 3),
]


@claim(
    "ccsim/private-signs",
    "closed-forms.md, Theorem 16",
    "The private-coin error is 1/2 if and only if the sign rank with a column of ones exceeds k",
    Kind.THEOREM,
    over=table("rows messages", *MATRICES).medium(*MORE_MATRICES),
    near=[
        near("The statement without the column of ones.", column=""),
        near("One message fewer is enough.", more=1),
    ],
)
def half(rows: str, messages: int, *, column: str = "1", more: int = 0) -> Decision:
    """The private-coin error with k messages is 1/2 if the sign rank of the matrix with an
    additional column of ones is above k, and below 1/2 otherwise."""
    texts = rows.split("/")
    needed = recheck(sign_rank([row + column for row in texts])).value
    problem = CommunicationProblem.from_matrix(texts)
    result = minimax_error(problem, messages, "private", gap="1/20")
    return (equal if needed > messages + more else below)(result, Fraction(1, 2))
