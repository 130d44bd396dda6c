"""Sums, over all integer vectors, of products of functions of integer linear forms.

A variable that occurs in its own weight f(z) and in one more factor, ``g(z + form)`` or ``g(-z +
form)``, is summed out by a convolution. Other sums are first split into sums of this type.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from math import gcd, inf
from typing import Any

from .piecewise import *
from .piecewise import Function
from .reader import *
from .rules import *

Vector = tuple[int, ...]  # the coefficients of a form
Factor = tuple[Vector, Function]  # a function of the value of a form
Bound = tuple[Vector, Any]  # a form plus a constant


def plus(first: Vector, second: Vector, times: int) -> Vector:
    """Return the sum of a form and of a multiple of another one."""
    return tuple(a + times * b for a, b in zip(first, second, strict=True))


def joined(factors: Sequence[Factor], one: Any) -> list[Factor]:  # noqa: ANN401
    """Return factors with different coprime forms, the first coefficient positive."""
    spend(10 * len(factors) ** 2 * len(factors[0][0]))
    found: list[Factor] = []
    for given, f in factors:
        common = gcd(*given)
        if common and next(a for a in given if a) < 0:
            common = -common
        form = tuple(a // common for a in given) if common else given
        g = composed(f, common, 0) if common else multiplied(f, constant(one, one, 0, 0))
        place = next((i for i, (other, _) in enumerate(found) if other == form), None)
        if place is None:
            found.append((form, g))
        else:
            found[place] = form, multiplied(found[place][1], g)
    return found


def summed(factors: Sequence[Factor], one: Any) -> Function:  # noqa: ANN401
    """Sum over all variables except the last one; return a function of the last variable.

    Each variable must have a factor of its own.
    """
    width = len(factors[0][0])
    units = [tuple(int(v == y) for y in range(width)) for v in range(width)]
    while True:
        factors = joined(factors, one)
        if not all(f for _, f in factors):
            return []
        steep = [[abs(form[v]) for form, _ in factors if form[v]] for v in range(width - 1)]
        order = [(len(listed), max(listed), v) for v, listed in enumerate(steep) if listed]
        if not order:
            break
        number, most, v = min(order)
        [own] = [f for form, f in factors if form == units[v]]
        others = [(form, f) for form, f in factors if form[v] and form != units[v]]
        rest = [(form, f) for form, f in factors if not form[v]]
        if number > 2 or most > 1:
            parts = split(v, own, others, rest, one)
            return overlaid([piece for part in parts for piece in summed(part, one)])
        form, g = others[0] if others else (units[v], constant(one, one))
        h = convolved(composed(own, -form[v], 0), g, one)
        factors = [*rest, (plus(form, units[v], -form[v]), h)]
    scales = [value_at(f, 0, one) for form, f in factors if not any(form)]
    [found] = [f for form, f in factors if any(form)]
    return multiplied(found, constant(scales[0], one)) if scales else found


def split(
    v: int,
    own: Function,
    others: list[Factor],
    rest: list[Factor],
    one: Any,  # noqa: ANN401
) -> Iterator[list[Factor]]:
    """Yield products whose sums add up to the sum of a product in which v has many factors."""
    width = len(others[0][0])
    units = [tuple(int(y == i) for i in range(width)) for y in range(width)]
    every = [(units[v], own), *others, *rest]
    for form, f in others:
        around = [y for y, b in enumerate(form) if b and y != v]
        if (a := abs(form[v])) > 1:  # each other variable is a multiple of a plus a residue
            require(around[-1] < width - 1, "the output, a multiple of noise, has no closed form")
            spend(20 * a * len(around))
            for residues in product(range(a), repeat=len(around)):
                yield [dilated(factor, a, around, residues) for factor in every]
            return
        if len(f) > 1 or f[0][2] != [(one, 0, one)]:  # divide the factor into terms
            kept = [(other, g) for other, g in every if other != form]
            for low, high, s, k, c in ((*ends, *term) for *ends, terms in f for term in terms):
                spend(1000)
                bases = [(units[y], raised(s, form[y])) for y in (v, *around)]
                powers = [(unit, [(-inf, inf, [(base, 0, one)])]) for unit, base in bases]
                for chosen in product((v, *around), repeat=k):
                    share = c
                    for y in chosen:
                        share = share * form[y]
                    linear = [(units[y], [(-inf, inf, [(one, 1, one)])]) for y in chosen]
                    scale = plus(form, form, -1), constant(share, one)
                    yield [*kept, *powers, *linear, scale, (form, constant(one, one, low, high))]
            return
    yield from bounded(v, own, others, rest, one)


def dilated(factor: Factor, a: int, places: Sequence[int], residues: Sequence[int]) -> Factor:
    """Replace each variable y at some places by a y plus a residue."""
    form, f = factor
    shift = sum(form[y] * r for y, r in zip(places, residues, strict=True))
    moved_form = tuple(b * a if y in places else b for y, b in enumerate(form))
    return moved_form, composed(f, 1, shift)


def bounded(
    v: int,
    own: Function,
    others: list[Factor],
    rest: list[Factor],
    one: Any,  # noqa: ANN401
) -> Iterator[list[Factor]]:
    """Yield a product for each choice of the tightest bounds of v, the first of equal ones.

    The other factors are indicators of intervals. If ``T(y) = sum_{z >= y} f(z)`` converges, the
    sum over v from L to U is ``T(L) - T(U + 1)``, if L is at most U. Otherwise f is reflected, or
    divided into a function of ``z >= 0`` and one of ``z < 0``.
    """
    lowers: list[Bound] = []  # v is at least a form plus a constant
    uppers: list[Bound] = []
    for form, [(low, high, _)] in others:
        free = tuple(-form[v] * b if y != v else 0 for y, b in enumerate(form))
        least, most = (low, high) if form[v] > 0 else (-high, -low)
        lowers += [(free, least)] * (least != -inf)
        uppers += [(free, most)] * (most != inf)
    (start, _, first), (_, end, last) = own[0], own[-1]
    falls = start > -inf or all(one < s for s, _, _ in first)
    rises = end < inf or all(s < one for s, _, _ in last)
    if lowers and uppers and not rises and not falls:
        unit = tuple(int(y == v) for y in range(len(others[0][0])))
        for half in (constant(one, one, 0), constant(one, one, -inf, -1)):
            yield [*rest, *others, (unit, multiplied(own, half))]
        return
    f = composed(own, -1, 0)
    if not lowers or not rises:
        turned = [[(plus(u, u, -2), -c) for u, c in bounds] for bounds in (uppers, lowers)]
        f, (lowers, uppers) = own, (turned[0], turned[1])
    require(lowers, "a sum over the noise does not converge")
    tail = composed(convolved(f, constant(one, one, 0), one), -1, 0)
    for i, j in product(range(len(lowers)), range(max(len(uppers), 1))):
        conditions = [
            exceeds(lowers[i], L, int(k < i), one) for k, L in enumerate(lowers) if k != i
        ]
        conditions += [
            exceeds(U, uppers[j], int(k < j), one) for k, U in enumerate(uppers) if k != j
        ]
        conditions += [exceeds(uppers[j], lowers[i], 0, one)] if uppers else []
        ends = [(*lowers[i], one)] + [(form, c + 1, one * -1) for form, c in uppers[j : j + 1]]
        for form, c, sign in ends:
            g = multiplied(composed(tail, 1, c), constant(sign, one))
            yield [*rest, *conditions, (form, g)]


def exceeds(first: Bound, second: Bound, least: int, one: Any) -> Factor:  # noqa: ANN401
    """Return the indicator that one bound exceeds another one by at least a number."""
    return plus(first[0], second[0], -1), constant(one, one, least + second[1] - first[1])
