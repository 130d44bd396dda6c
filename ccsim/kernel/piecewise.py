"""Functions of an integer that are sums of terms ``c z^k s^z`` on intervals, and their convolution.

The numbers c and s belong to a field: they are fractions, or quotients of polynomials (`Series`).
A function is a list of disjoint pieces in increasing order; elsewhere it is 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise, product
from math import comb, inf
from typing import Any

from .reader import *
from .rules import *
from .series import Series

MAX_POINTS = 1 << 10  # most integers at which values are compared

Term = tuple[Any, int, Any]  # s, k and c
Piece = tuple[Any, Any, list[Term]]  # the first and the last integer, which may be infinite
Function = list[Piece]


def size(number: Any) -> int:  # noqa: ANN401 - of either field
    """Return the number of bits of a number."""
    if isinstance(number, Series):
        return number.top.bit_length()
    return int(number.numerator.bit_length() + number.denominator.bit_length())


def raised(s: Any, n: int) -> Any:  # noqa: ANN401
    """Return a power of a base."""
    if isinstance(s, Fraction):
        spend(20 + (size(s) * abs(n) >> 8) ** 2)
    return s**n


def over(c: Any, s: Any) -> Any:  # noqa: ANN401
    """Return ``c / (1 - s)``."""
    return c.over(s) if isinstance(c, Series) else c / (1 - s)


def gathered(terms: Sequence[Term]) -> list[Term]:
    """Add terms with the same s and k; return them in an order that depends only on s and k."""
    spend(sum(40 + (size(c) >> 7) ** 2 + (size(s) >> 4) for s, _, c in terms))
    found: dict[str, Term] = {}
    for s, k, c in terms:
        name = s.name if isinstance(s, Series) else f"{s.numerator:x}/{s.denominator:x}"
        known = found.get(name := f"{name} {k}")
        found[name] = (s, k, c if known is None else known[2] + c)
    return [found[name] for name in sorted(found) if found[name][2]]


def overlaid(pieces: Sequence[Piece]) -> Function:
    """Return the sum of pieces, which may overlap."""
    cuts = sorted([low for low, _, _ in pieces] + [high + 1 for _, high, _ in pieces])
    spend(10 + 5 * len(cuts) ** 2)
    found: Function = []
    for low, after in pairwise(cuts):
        every = [t for a, b, terms in pieces if a <= low < after <= b + 1 for t in terms]
        if low < after and (terms := gathered(every)):
            alike = bool(found) and found[-1][1] + 1 == low and found[-1][2] == terms
            found.append((found.pop()[0] if alike else low, after - 1, terms))
    return found


def multiplied(first: Function, second: Function) -> Function:
    """Return the product of two functions."""
    spend(5 * len(first) * len(second))
    found: Function = []
    for (a, b, these), (c, d, those) in product(first, second):
        if (low := max(a, c)) <= (high := min(b, d)):
            spend(20 * len(these) * len(those))
            found.append((low, high, times(these, those)))
    return found


def times(first: Sequence[Term], second: Sequence[Term]) -> list[Term]:
    """Return the product of two sums of terms."""
    return gathered([(s * r, k + m, p * q) for (s, k, p), (r, m, q) in product(first, second)])


def moved(terms: Sequence[Term], a: int, c: int) -> list[Term]:
    """Return terms at ``a z + c`` in place of z; a may be 0."""
    return gathered(
        [
            (raised(s, a), j, p * raised(s, c) * (comb(k, j) * a**j * c ** (k - j)))
            for s, k, p in terms
            for j in range(k + 1)
        ]
    )


def composed(f: Function, a: int, c: int) -> Function:
    """Return the function ``f(a z + c)``, for a that is not 0."""
    found: Function = []
    for low, high, terms in f:
        up = high if high == inf else (high - c) // abs(a)
        down = inf if low == -inf else (c - low) // abs(a)
        first, last = (-down, up) if a > 0 else (-up, down)
        if first <= last:
            found.append((first, last, moved(terms, a, c)))
    return found if a > 0 else found[::-1]


def antidifference(s: Any, n: int, one: Any) -> list[Term]:  # noqa: ANN401
    """Return terms ``A(z) = s^z Q(z)`` with ``A(z + 1) - A(z) = z^n s^z``.

    If D maps Q to ``s Q(z + 1) - Q(z)``, then ``D z^k = (s - 1) z^k + s sum_{j < k} C(k, j) z^j``.
    This determines the Q with ``D Q = z^k`` from those for smaller k. If s = 1, ``D z^(k + 1)``
    begins with ``(k + 1) z^k`` instead.
    """
    spend((20 + (size(s) >> 7) ** 2) * (n + 1) ** 3)
    known: list[list[Any]] = []
    more = int(s == one)
    for k in range(n + 1):
        q = [one * 0] * (k + more) + [one]
        for j, earlier in enumerate(known):
            for i, c in enumerate(earlier):
                q[i] = q[i] + c * s * -comb(k + more, j)
        known.append([c / (k + 1) if more else over(c * -1, s) for c in q])
    return [(s, i, c) for i, c in enumerate(known[n])]


def convolved(f: Function, g: Function, one: Any) -> Function:  # noqa: ANN401
    """Return the function ``h(u) = sum_z f(z) g(u - z)``.

    For pieces on [a, b] and [c, d], z runs from the larger one of a and ``u - d`` to the smaller
    one of b and ``u - c``. The sum is a difference of two values of an antidifference.
    """
    found: list[Piece] = []
    for (a, b, these), (c, d, those) in product(f, g):
        first, last = -inf if -inf in (a, c) else a + c, inf if inf in (b, d) else b + d
        turns = inf if d == inf else -inf if a == -inf else a + d  # where u - d exceeds a
        stays = -inf if c == -inf else inf if b == inf else b + c  # where u - c exceeds b
        for (s, k, p), (r, m, q) in product(these, those):
            base = s * r**-1
            for i in range(m + 1):
                outer = [(r, m - i, p * q * (comb(m, i) * (-1) ** i))]
                inner = antidifference(base, k + i, one)
                require(
                    ((c, b) != (-inf, inf) or base < one) and ((a, d) != (-inf, inf) or one < base),
                    "a sum over the noise does not converge",
                )
                if c != -inf:
                    found.append((first, min(stays, last), times(outer, moved(inner, 1, 1 - c))))
                if b != inf:
                    above = times(outer, moved(inner, 0, b + 1))
                    found.append((max(stays + 1, first), last, above))
                outer = [(r, m - i, outer[0][2] * -1)]
                if a != -inf:
                    found.append((first, min(turns, last), times(outer, moved(inner, 0, a))))
                if d != inf:
                    below = times(outer, moved(inner, 1, -d))
                    found.append((max(turns + 1, first), last, below))
    return overlaid([piece for piece in found if piece[0] <= piece[1]])


def value_at(f: Function, v: int, one: Any) -> Any:  # noqa: ANN401
    """Return the value of a function at an integer."""
    every = [c * raised(s, v) * v**k for low, high, T in f if low <= v <= high for s, k, c in T]
    return sum(every, one * 0)


def constant(c: Any, one: Any, low: Any = -inf, high: Any = inf) -> Function:  # noqa: ANN401
    """Return the function that is c on an interval."""
    return [(low, high, [(one, 0, c)])] if low <= high else []


def total(f: Function, one: Any) -> Any:  # noqa: ANN401
    """Return the sum of all values of a function."""
    return value_at(convolved(f, constant(one, one), one), 0, one)


def is_zero(pieces: Sequence[Piece], one: Any) -> bool:  # noqa: ANN401
    """Whether pieces add up to 0: their terms cancel, or all values on a short interval are 0."""
    for low, high, terms in overlaid(pieces):
        short = high - low < MAX_POINTS
        if not short or any(value_at([(low, high, terms)], v, one) for v in range(low, high + 1)):
            return False
    return True
