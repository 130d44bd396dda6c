"""Positive definite quadratic forms; sums of squares, which bound the cost of every partition."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import gcd
from operator import add, mul

from .reader import *
from .rules import *

Lines = Sequence[Sequence[int]]


def positive(form: list[list[int]]) -> None:
    """Require that a form is positive definite; each listed row begins at the diagonal.

    Each elimination rounds every entry down by less than 1. No entry of a positive definite form
    exceeds its largest diagonal entry. Elimination reduces the diagonal, so the products of entries
    have at most twice the bits of the form.
    """
    n, top = len(form), max((row[0] for row in form), default=0)
    bits = max((sum(map(abs, row)).bit_length() for row in form), default=0)
    cost = 6 * (1 + (bits > 31) + (bits >> 6) ** 2)
    for i, row in enumerate(form):
        others = [j for j in range(i + 1, n) if row[j - i]]
        spend(2 * (n - i) + cost * (n * len(others) - sum(others)))
        pivot = row[0] - n * i
        require(
            max(map(abs, row)) <= top, "row {} has an entry above the largest diagonal entry", i
        )
        require(
            pivot > 0,
            "the form is not proved positive definite: the pivot of row {} must be positive",
            i,
        )
        for j in others:
            a = row[j - i]
            form[j] = [v - a * b // pivot for v, b in zip(form[j], row[j - i :], strict=True)]


def squares(rows: Lines, k: int, unit: int, potentials: object, ends: object) -> Fraction:
    """Return a lower bound on twice the cost of partitions into k classes, by sums of squares.

    A column with excess b gains |b| <= (g b^2 + h) / 2 if g h >= 1. The sum of g b^2 over the
    columns is a quadratic form in the rows of the class. The form diag(u) minus it must be positive
    definite.
    """
    n, columns, total = len(rows), [*zip(*rows, strict=True)], sum(abs(w) for r in rows for w in r)
    if isinstance(ends, dict):
        return Fraction(max(0, total + 1 - of_sizes(rows, k, unit, potentials, ends)) // 2 * 2)
    u = inside("potentials", lambda: each(integer, potentials, length=n))
    pairs: Lines = inside("ends", each, lambda pair: each(integer, pair, length=2), ends)
    require(
        len(pairs) == len(columns), "there must be {} pairs of ends, one per column", len(columns)
    )
    large = all(g * h >= unit for g, h in pairs)
    require(large, "the product of each pair of ends must be at least 1")
    above(rows, [g for g, _ in pairs], u, [[0] * n for _ in rows])
    squared = sum(g * sum(column) ** 2 for (g, _), column in zip(pairs, columns, strict=True))
    twice = Fraction((k - 1) * sum(u) + squared, k * unit) + k * sum(h for _, h in pairs)
    return max(Fraction(0), total - twice / 2)


def above(rows: Lines, g: list[int], u: list[int], form: list[list[int]]) -> None:
    """Require that a form with diagonal u, minus squares weighted by g, is positive definite."""
    n, bits = len(u), max(sum(map(abs, line)).bit_length() for line in (g, u, *form, *rows))
    spend(n * n * len(g) * (2 + (bits >> 6) ** 2))
    for i, row in enumerate([*map(mul, g, row)] for row in rows):
        form[i] = [v - sum(map(mul, row, other)) for v, other in zip(form[i], rows, strict=True)]
    positive([[row[i] + u[i], *row[i + 1 :]] for i, row in enumerate(form)])


def of_sizes(rows: Lines, k: int, unit: int, potentials: object, ends: object) -> int:
    """Return an upper bound on the total gain of k classes, with separate ends for each class size.

    The excess b of a class lies in a residue class; the excesses sum to B, the sum of all rows.
    Pairs of rows have potentials, reduced within groups. Two classes gain max(|B|, |2b - B|).
    """
    u, pair, alike = inside("potentials", lambda: each(integer, potentials, None, length=3))
    sizes, groups = inside("ends", fields, ends, "sizes", "groups")
    n, number = len(rows), len({*indices(groups, len(rows), len(rows))})
    spend(n * n + 5 * n * len(rows[0]))
    even = alike >= 0 and len({*map(groups.count, groups)}) == len(different(map(sum, rows))) == 1
    require(even, "all groups must have the same size, and all rows the same sum")
    form = [[pair - alike * (m == other) for other in groups] for m in groups]
    above(rows, [unit] * len(rows[0]), [u] * n, form)
    (a, e), gains, kinds = (2, 1) if k == 2 else (1, 0), list[int](), dict[str, list[int]]()
    for column in zip(*rows, strict=True):
        first, gap = column[0], gcd(*(w - column[0] for w in column))
        kind = [first, gap, sum(column), sum(map(abs, column))]
        kinds.setdefault(" ".join(map(hex, kind)), [*kind, 0])[-1] += 1
    for s, end in enumerate(entries(sizes, n + 1)):
        (g, h), top = each(integer, end, None, length=2), 0
        m = s // number * (s + s % number) + s % number  # least squares of the parts in groups
        for v, q, t in (u, s, 1), (pair, s * s, n), (-alike, m, n // number):
            top += max(g, 0) * v * (a * a * q + e * t * (n - 2 * a * s))
        for first, gap, total, most, times in kinds.values():
            B, step = e * total, a * gap or 1
            excesses = range((a * s * first - B + most) % step - most, most + 1, step)
            spend(20 + 15 * len(excesses))
            gain = max(2 * unit * max(abs(B), abs(b)) - (g * b + h) * b for b in excesses)
            top += times * unit * gain
        gains.append((top + unit * h * (a * s - e * n) * sum(rows[0])) // (2 * unit**2))
    best = gains
    for _ in range(0 if e else min(k, n) - 1):
        best = [max(map(add, best, gains[s::-1])) for s in range(n + 1)]
    return max(best) if e else best[n]
