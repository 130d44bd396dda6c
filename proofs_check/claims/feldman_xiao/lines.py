"""Section 4.2: lines over Z_p have Littlestone dimension 2, and their complexity exceeds it."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from ccsim import lines, littlestone_dimension
from ccsim.dimensions import line_tree
from ccsim.exact.primes import next_prime
from proofs_check.claims.claim import Claim, Instance, Kind, Size, Verdict, nothing_finite
from proofs_check.claims.evidence import recheck

__all__ = ["CLAIMS"]


def lines_dimension(size: Size) -> Iterator[Instance]:
    """Littlestone dimension 2."""
    for p in (2, 3, 5) if size is Size.SMALL else (2, 3, 5, 7):
        result = littlestone_dimension(lines(p))
        recheck(result)
        yield Instance.of(f"lines:p={p}", result.value == 2, f"LDim {result.value}")


def definition(size: Size) -> Iterator[Instance]:
    """Count the lines, their points, and the points that two of them share."""
    for p in (2, 3, 5) if size is Size.SMALL else (2, 3, 5, 7, 11):
        rows = lines(p).rows
        ours = len(set(rows)) == p**2 and all(row.bit_count() == p for row in rows)
        shared = {(f & g).bit_count() for i, f in enumerate(rows) for g in rows[:i]}
        yield Instance.of(f"lines:p={p}", ours and shared == {0, 1}, f"{len(rows)} lines")


def separation(size: Size) -> Iterator[Instance]:
    """For t = 1, 2, ... the least prime whose lines need t bits at error 1/3, and their LDim.

    A mistake tree of depth 2 is built. None is deeper: two answers 1 leave at most one line.
    """
    p = 5
    for t in range(1, {Size.SMALL: 5, Size.MEDIUM: 6, Size.LARGE: 7}[size]):
        while 4 * p * Fraction(p - 3, 3 * p) ** 2 <= 2 ** (t - 1):
            p = next_prime(p + 1)
        C = lines(p)
        line_tree(p).to_tree(C).check(C)
        apart = all((f & g).bit_count() <= 1 for i, f in enumerate(C.rows) for g in C.rows[:i])
        needed = float(4 * p * Fraction(p - 3, 3 * p) ** 2)
        detail = f"LDim 2, at least {needed:.3f} messages, more than {2 ** (t - 1)}"
        yield Instance.of(f"t={t} lines:p={p}", apart and line_tree(p).depth == 2, detail)


CLAIMS = (
    Claim(
        "fx/def-line",
        "section 4.2 (=section 5)",
        "Lines over a prime field",
        "Line_p has the p^2 concepts f_{a,b}(x, y) = 1 iff a x + b = y with a, b in Z_p (the text "
        "prints Z_p^2): each has p points, and two of them share at most one.",
        Kind.DEFINITION,
        definition,
    ),
    Claim(
        "fx/ldim-line",
        "section 4.2",
        "Lines have LDim 2",
        "LDim(Line_p) = 2 for every prime p.",
        Kind.EXAMPLE,
        lines_dimension,
        uses=("fx/def-line",),
    ),
    Claim(
        "fx/aaronson",
        "section 4.2, cited",
        "Quantum one-way complexity of lines",
        "The quantum one-way complexity of Line_p is of order log2(p).",
        Kind.REMARK,
        nothing_finite,
        recorded=Verdict.NOT_DECIDED,
        reason="quantum protocols are not modelled; the statement is cited, not used",
    ),
    Claim(
        "fx/thm-2",
        "Theorem 2 (=1.2)",
        "Complexity is at least LDim, and can exceed it",
        "R^pub(Eval_C) >= (1 - H(eps)) LDim(C), and for every t there is a class with LDim 2 whose "
        "complexity at error 1/3 is at least t: lines over a prime p with 4 p (1/3 - 1/p)^2 > "
        "2^(t-1).",
        Kind.THEOREM,
        separation,
        uses=("fx/cor-11", "fx/thm-5.3-sharper", "fx/ldim-line"),
    ),
)
