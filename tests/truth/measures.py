"""Rectangles, fooling sets, ranks, protocol trees and norms, computed from the definitions."""

from fractions import Fraction
from functools import cache
from itertools import chain, combinations, product

import numpy as np
import sympy
from threadpoolctl import threadpool_limits

from ccsim.programs import LinearProgram, solve_linear_program
from tests.truth.common import between, enclosed, game_value, require_small

__all__ = ["MEANINGS", "fewest_leaves", "rectangles_of"]


def subsets(things, least=0):
    return chain.from_iterable(combinations(things, k) for k in range(least, len(things) + 1))


def cells(rows, value):
    return [(x, y) for x, row in enumerate(rows) for y, c in enumerate(row) if c == str(value)]


@cache
def rectangles_of(rows, value):
    """Return the nonempty sets of the inputs inside the promise of rectangles of a value."""
    require_small(len(rows) + len(rows[0]), 9)
    found = set()
    for xs in subsets(range(len(rows)), 1):
        for ys in subsets(range(len(rows[0])), 1):
            inside = [(x, y) for x in xs for y in ys if rows[x][y] != "*"]
            if all(rows[x][y] == str(value) for x, y in inside) and inside:
                found.add(frozenset(inside))
    return sorted(found, key=sorted)


def fewest(rows, value, disjoint):
    """Return the fewest rectangles that cover the inputs of a value, by exhaustive search."""
    known = rectangles_of(rows, value)

    @cache
    def rest(left):
        if not left:
            return 0
        first = min(left)
        fit = (r for r in known if first in r and not (disjoint and r - left))
        return 1 + min(rest(left - r) for r in fit)

    return rest(frozenset(cells(rows, value)))


def fractional(rows, value, disjoint):
    """Return the fractional cover number, by a game, or the fractional partition number."""
    listed, known = cells(rows, value), rectangles_of(rows, value)
    if not listed:
        return Fraction(0)
    if disjoint:
        rows = [({j: 1 for j, r in enumerate(known) if cell in r}, "=", 1) for cell in listed]
        return solve_linear_program(LinearProgram.minimise([1] * len(known), rows)).value
    payoff = tuple(tuple(int(cell in r) for cell in listed) for r in known)
    return 1 / game_value(payoff)


def fooling(rows, value):
    """Return the largest number of inputs of a value, no two in a common rectangle."""
    listed = cells(rows, value)
    require_small(len(listed), 12)

    def is_apart(first, second):
        (x, y), (z, w) = first, second
        return str(1 - value) in (rows[x][w], rows[z][y])

    fit = (s for s in subsets(listed) if all(is_apart(a, b) for a, b in combinations(s, 2)))
    return max(map(len, fit))


@cache
def fewest_leaves(rows, *, depth=False):
    """Return the fewest leaves of a protocol tree, or its least depth."""
    values = {c for row in rows for c in row} - {"*"}
    if len(values) < 2:
        return 0 if depth else 1
    require_small(len(rows) + len(rows[0]), 9)
    across = tuple("".join(column) for column in zip(*rows, strict=True))
    best = []
    for lines, back in ((rows, False), (across, True)):
        for part in subsets(lines[1:]):
            chosen = (lines[0], *part)
            rest = list(lines)
            for line in chosen:
                rest.remove(line)
            if rest:
                pair = [chosen, tuple(rest)]
                if back:
                    pair = [tuple("".join(c) for c in zip(*p, strict=True)) for p in pair]
                both = [fewest_leaves(p, depth=depth) for p in pair]
                best.append(1 + max(both) if depth else sum(both))
    return min(best)


def rank(rows, field):
    """Return an interval for the least rank of a completion.

    Modulo a prime, all completions are tried. Over the rationals, those with entries 0 and 1 give
    an upper bound; the lower bound is the largest rank of a part without free entries.
    """
    free = [(x, y) for x, row in enumerate(rows) for y, c in enumerate(row) if c == "*"]
    prime = None if field == "rationals" else int(field.split()[1])
    require_small((prime or 2) ** len(free), 1000)
    found = []
    for entries in product(range(prime or 2), repeat=len(free)):
        matrix = [[int(c) if c != "*" else 0 for c in row] for row in rows]
        for (x, y), entry in zip(free, entries, strict=True):
            matrix[x][y] = entry
        if prime:
            domain = sympy.GF(prime)
            found.append(
                sympy.polys.matrices.DomainMatrix(matrix, (len(rows), len(rows[0])), sympy.ZZ)
                .convert_to(domain)
                .rank()
            )
        else:
            found.append(sympy.Matrix(matrix).rank())
    if prime or not free:
        return min(found), min(found)
    least = 0
    for xs in subsets(range(len(rows)), 1):
        ys = [y for y in range(len(rows[0])) if all(rows[x][y] != "*" for x in xs)]
        if ys:
            least = max(least, sympy.Matrix([[int(rows[x][y]) for y in ys] for x in xs]).rank())
    return least, min(found)


def discrepancy(rows, distribution):
    """Return the discrepancy under the uniform distribution or the worst one."""
    require_small(len(rows) + len(rows[0]), 8)
    listed = [(x, y) for x, row in enumerate(rows) for y, c in enumerate(row) if c != "*"]
    payoff = set()
    for xs in subsets(range(len(rows))):
        for ys in subsets(range(len(rows[0]))):
            signs = [
                (1 if rows[x][y] == "1" else -1) if x in xs and y in ys else 0 for x, y in listed
            ]
            payoff |= {tuple(signs), tuple(-s for s in signs)}
    if distribution == "uniform":
        return Fraction(max(map(sum, payoff)), len(listed))
    return game_value(tuple(sorted(payoff)))


def of_power(rows, value, power):
    """Return the fractional partition number of a power, which is written out."""
    held = [[c == str(value) for c in row] for row in rows]
    lines = [[*product(range(number), repeat=power)] for number in (len(rows), len(rows[0]))]
    require_small(sum(map(len, lines)), 9)
    texts = (
        "".join("01"[all(held[i][j] for i, j in zip(x, y, strict=True))] for y in lines[1])
        for x in lines[0]
    )
    return fractional(tuple(texts), 1, disjoint=True)


@cache
def with_error(rows, error, value=None, *, smooth=False):
    """The least weight of rectangles; without a value each of them has one, and they partition."""
    require_small(len(rows) + len(rows[0]), 8)
    error, grid = Fraction(error), [*product(range(len(rows)), range(len(rows[0])))]
    sides = product(subsets(range(len(rows)), 1), subsets(range(len(rows[0])), 1))
    values = "01" if value is None else str(value)
    columns = [(v, {*product(xs, ys)}) for xs, ys in sides for v in values]

    def rule(cell, letters, sense, bound):
        return (
            {j: 1 for j, (v, r) in enumerate(columns) if v in letters and cell in r},
            sense,
            bound,
        )

    listed = [(cell, rows[cell[0]][cell[1]]) for cell in grid]
    rules = [rule(cell, c, ">=", 1 - error) for cell, c in listed if c in values]
    if value is None:
        rules += [rule(cell, "01", "=", 1) for cell in grid]
    else:
        rules += [rule(cell, values, "<=", error) for cell, c in listed if c not in (*values, "*")]
        rules += [rule(cell, values, "<=", 1) for cell, c in listed if smooth and c in values]
    return solve_linear_program(LinearProgram.minimise([1] * len(columns), rules)).value


@threadpool_limits.wrap(1, "blas")
def gamma_2(rows, alpha):
    """Return an interval that contains the norm, in floating point with a margin for errors.

    Without free entries, distributions are found for which all vectors of a factorisation have the
    same length. Free entries are moved against the weights that prove the bound.
    """
    signs = np.array([[{"1": 1.0, "0": -1.0, "*": 0.0}[c] for c in row] for row in rows])
    most = float(Fraction(alpha))
    low, high = np.where(signs > 0, 1.0, -most), np.where(signs < 0, -1.0, most)
    B, p, q = np.clip(signs, low, high), np.ones(len(rows)), np.ones(len(rows[0]))
    p, q, lower, upper = p / p.sum(), q / q.sum(), 0.0, np.inf
    for _ in range(5000 if (low == high).all() else 60):
        for _inner in range(1 if (low == high).all() else 5):
            scale = np.sqrt(np.outer(p, q))
            U, s, V = np.linalg.svd(scale * B, full_matrices=False)
            ours, theirs = (U * U) @ s, (V.T * V.T) @ s
            upper = min(upper, max((ours / p).max(), (theirs / q).max()))
            weights = scale * (U @ V)
            lower = max(lower, (np.where(weights > 0, low, high) * weights).sum())
            if upper - lower < 1e-12 or s.sum() < 1e-12:
                return Fraction(lower) - Fraction(1, 10**10), Fraction(upper) + Fraction(1, 10**10)
            p, q = ours / s.sum(), theirs / s.sum()
            p, q = np.maximum(p / p.sum(), 1e-12), np.maximum(q / q.sum(), 1e-12)
        B = np.clip(B - (upper - lower) / 2 * weights / (weights**2).sum(), low, high)
    return Fraction(lower) - Fraction(1, 10**10), Fraction(upper) + Fraction(1, 10**10)


def of_rows(decide):
    return lambda instance, statement: decide(tuple(instance["rows"]), statement)


MEANINGS = {
    "cover_number": of_rows(lambda F, s: between(s, fewest(F, s["value"], disjoint=False))),
    "partition_number": of_rows(lambda F, s: between(s, fewest(F, s["value"], disjoint=True))),
    "fractional_cover_number": of_rows(
        lambda F, s: between(s, fractional(F, s["value"], disjoint=False))
    ),
    "fractional_partition_number": of_rows(
        lambda F, s: between(s, fractional(F, s["value"], disjoint=True))
    ),
    "fractional_partition_of_power": of_rows(
        lambda F, s: between(s, of_power(F, s["value"], s["power"]))
    ),
    "fooling_number": of_rows(lambda F, s: between(s, fooling(F, s["value"]))),
    "protocol_size": of_rows(lambda F, s: between(s, fewest_leaves(F))),
    "deterministic_cost": of_rows(lambda F, s: between(s, fewest_leaves(F, depth=True))),
    "rank": of_rows(lambda F, s: enclosed(s, *rank(F, s["field"]))),
    "discrepancy": of_rows(lambda F, s: between(s, discrepancy(F, s["distribution"]))),
    "rectangle_bound": of_rows(lambda F, s: between(s, with_error(F, s["error"], s["value"]))),
    "smooth_rectangle_bound": of_rows(
        lambda F, s: between(s, with_error(F, s["error"], s["value"], smooth=True))
    ),
    "partition_bound": of_rows(lambda F, s: between(s, with_error(F, s["error"]))),
    "gamma_2": of_rows(lambda F, s: enclosed(s, *gamma_2(F, s["alpha"]))),
}
