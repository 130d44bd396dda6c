"""Exact sums of products of one-variable weights over the integer points of a polyhedron.

Weights are piecewise sums of terms ``c z^k s^z``. Variables are summed out one at a time: on a
region in which one lower and one upper bound of the variable are the tightest, a sum of terms is a
difference of two values of its antidifference, which again consists of such terms.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import product
from math import comb, gcd
from typing import Any, TypeAlias

from ccsim.appearance import one_line
from ccsim.budget import check_time
from ccsim.errors import InstanceTooLargeError

Number: TypeAlias = Any
"""A rational number of FLINT, or an `Exponential`."""
Form: TypeAlias = tuple[tuple[int, int], ...]
"""The coefficients of a linear form: pairs of a variable and an integer that is not 0."""
Constraint: TypeAlias = tuple[Form, int]
"""The condition that a linear form plus a constant is at least 0."""
Key: TypeAlias = tuple[tuple[tuple[int, Number], ...], tuple[tuple[int, int], ...]]
"""The bases other than 1 and the positive powers of the variables of a term."""
Terms: TypeAlias = dict[Key, Number]
Region: TypeAlias = tuple[Constraint, ...]
Piece: TypeAlias = tuple[Region, Terms]

MAX_PIECES = 1 << 16
"""Maximum number of pieces of a function."""
MAX_CONSTANT = 1 << 12
"""Largest exponent of a ratio."""


class NoClosedSumError(InstanceTooLargeError):
    """Raised if this method has no closed form for a sum."""


@one_line
@dataclass(slots=True)
class Problem:
    """Functions of few variables and constraints, whose product is summed."""

    factors: list[list[Piece]] = field(default_factory=list)
    constraints: list[Constraint] = field(default_factory=list)


def sum_out(problem: Problem, variables: Iterable[int]) -> list[list[Piece]]:
    """Return factors of the sum over all integer values of some variables.

    A factor without variables has one piece without constraints. Factors of at most one variable
    are in the form of `in_order`.
    """
    left = set(variables)
    factors, constraints = list(problem.factors), list(problem.constraints)
    while left:
        check_time()
        chosen = min(left, key=lambda z: _cost(z, factors, constraints))
        near = [f for f in factors if chosen in scope_of(f)]
        bounds = [c for c in constraints if any(z == chosen for z, _ in c[0])]
        if (split := _needs_residues(chosen, near, bounds)) is not None:
            return _by_residues(Problem(factors, constraints), left, *split)
        factors = [f for f in factors if chosen not in scope_of(f)]
        constraints = [c for c in constraints if c not in bounds]
        factors.append(_sum_one(chosen, near, bounds))
        left.remove(chosen)
    rest: dict[int | None, list[list[Piece]]] = {}
    one = next((c / c for f in problem.factors for _, terms in f for c in terms.values()), 1)
    for f in factors:
        scope = scope_of(f)
        rest.setdefault(min(scope) if len(scope) == 1 else None if scope else -1, []).append(f)
    for form, constant in constraints:
        scope = {z for z, _ in form}
        piece: list[Piece] = [(((form, constant),), {((), ()): one})]
        rest.setdefault(min(scope) if len(scope) == 1 else None if scope else -1, []).append(piece)
    found = []
    for key, group in rest.items():
        if key is None:
            found += group
            continue
        whole = group[0]
        for f in group[1:]:
            whole = canonical(_multiply(whole, f))
        found.append(canonical(whole))
    return found


def scope_of(factor: Sequence[Piece]) -> set[int]:
    """Return the variables of a function."""
    found = {z for region, _ in factor for form, _ in region for z, _ in form}
    for _, terms in factor:
        for bases, powers in terms:
            found.update(z for z, _ in bases)
            found.update(z for z, _ in powers)
    return found


def _cost(
    z: int, factors: Sequence[Sequence[Piece]], constraints: Sequence[Constraint]
) -> tuple[int, int, int, int]:
    scope: set[int] = set()
    pieces, steep = 1, 0
    for f in factors:
        inside = scope_of(f)
        if z in inside:
            scope |= inside
            pieces *= max(len(f), 1)
            steep += sum(abs(a) > 1 for r, _ in f for form, _ in r for y, a in form if y == z)
    for form, _ in constraints:
        found = dict(form)
        if z in found:
            scope |= set(found)
            steep += abs(found[z]) > 1 and len(found) > 1
    return len(scope), steep, pieces, z


def _needs_residues(
    z: int, factors: Sequence[Sequence[Piece]], constraints: Sequence[Constraint]
) -> tuple[int, int] | None:
    """Return a variable and a modulus if a bound of z is not an integral form."""
    every = [*constraints, *(c for f in factors for region, _ in f for c in region)]
    for form, _ in every:
        a = abs(dict(form).get(z, 1))
        for y, b in form:
            if y != z and b % a:
                return y, a // gcd(a, b)
    return None


def _by_residues(problem: Problem, left: set[int], y: int, modulus: int) -> list[list[Piece]]:
    """Return the sum over the residues of a variable, whose quotient becomes the variable."""
    if y not in left:
        raise NoClosedSumError("the output, a multiple of noise, has no closed form")
    whole: list[Piece] = []
    for residue in range(modulus):
        part = Problem(
            [
                [_substituted_piece(piece, y, ((y, modulus),), residue) for piece in f]
                for f in problem.factors
            ],
            [_substituted(c, y, ((y, modulus),), residue) for c in problem.constraints],
        )
        factors = sum_out(part, left)
        joined = factors[0]
        for f in factors[1:]:
            joined = _multiply(joined, f)
        whole += joined
    return [canonical(whole)]


def _substituted(c: Constraint, z: int, form: Form, constant: int) -> Constraint:
    """Return a constraint in which a variable is replaced by a form plus a constant."""
    own, rest = dict(c[0]), c[1]
    a = own.pop(z, 0)
    if not a:
        return c
    for y, b in form:
        own[y] = own.get(y, 0) + a * b
    return tuple(sorted((y, b) for y, b in own.items() if b)), rest + a * constant


def _substituted_terms(terms: Terms, z: int, form: Form, constant: int) -> Terms:
    found: Terms = {}
    for (bases, powers), c in terms.items():
        own, high = dict(bases), dict(powers)
        s, k = own.pop(z, None), high.pop(z, 0)
        if s is None and not k:
            _add(found, (bases, powers), c)
            continue
        if s is not None and abs(constant) > MAX_CONSTANT:
            raise NoClosedSumError(
                f"a condition has a constant beyond {MAX_CONSTANT} units of the noise, which gives "
                "probabilities of thousands of digits; use a larger unit of the noise"
            )
        if s is not None:
            for y, b in form:
                own[y] = own[y] * s**b if y in own else s**b
        share = c if s is None else c * s**constant
        left = tuple(sorted(((y, b) for y, b in own.items() if b != 1), key=lambda p: p[0]))
        for extra, times in _power_of(form, constant, k).items():
            raised = dict(high)
            for y, e in extra:
                raised[y] = raised.get(y, 0) + e
            _add(found, (left, tuple(sorted(raised.items()))), share * times)
    return found


def _substituted_piece(piece: Piece, z: int, form: Form, constant: int) -> Piece:
    region = tuple(_substituted(c, z, form, constant) for c in piece[0])
    return region, _substituted_terms(piece[1], z, form, constant)


def replace_variable(problem: Problem, z: int, form: Form, constant: int) -> Problem:
    """Return a problem in which a variable is replaced by a linear form plus a constant."""
    return Problem(
        [[_substituted_piece(piece, z, form, constant) for piece in f] for f in problem.factors],
        [_substituted(c, z, form, constant) for c in problem.constraints],
    )


@cache
def _power_of(form: Form, constant: int, k: int) -> dict[tuple[tuple[int, int], ...], int]:
    """Return the monomials of ``(form + constant)^k``."""
    found: dict[tuple[tuple[int, int], ...], int] = {(): 1}
    for _ in range(k):
        step: dict[tuple[tuple[int, int], ...], int] = {}
        for monomial, c in found.items():
            if constant:
                step[monomial] = step.get(monomial, 0) + c * constant
            for y, b in form:
                raised = dict(monomial)
                raised[y] = raised.get(y, 0) + 1
                key = tuple(sorted(raised.items()))
                step[key] = step.get(key, 0) + c * b
        found = step
    return found


def _add(terms: Terms, key: Key, c: Number) -> None:
    total = terms[key] + c if key in terms else c
    if total == 0:
        terms.pop(key, None)
    else:
        terms[key] = total


def _multiply(first: Sequence[Piece], second: Sequence[Piece]) -> list[Piece]:
    found = []
    if len(first) * len(second) > MAX_PIECES:
        raise NoClosedSumError(
            f"a sum over noise has more than {MAX_PIECES} pieces; use fewer noise terms"
        )
    for (region, terms), (other, others) in product(first, second):
        joined = _tidy((*region, *other))
        if joined is not None:
            found.append((joined, _times(terms, others)))
    return found


def _times(first: Terms, second: Terms) -> Terms:
    found: Terms = {}
    for ((bases, powers), c), ((other, raised), d) in product(first.items(), second.items()):
        own = dict(bases)
        for z, s in other:
            own[z] = own[z] * s if z in own else s
        high = dict(powers)
        for z, k in raised:
            high[z] = high.get(z, 0) + k
        key = (
            tuple(sorted(((z, s) for z, s in own.items() if s != 1), key=lambda p: p[0])),
            tuple(sorted(high.items())),
        )
        _add(found, key, c * d)
    return found


def _tidy(region: Iterable[Constraint]) -> Region | None:
    """Return the tightest constraints, each with coprime coefficients; None if none can hold."""
    best: dict[Form, int] = {}
    for form, constant in region:
        if not form:
            if constant < 0:
                return None
            continue
        g = gcd(*(a for _, a in form))
        coprime, least = (
            (form, constant)
            if g == 1
            else (
                tuple((z, a // g) for z, a in form),
                constant // g,
            )
        )
        best[coprime] = min(best.get(coprime, least), least)
    for form, constant in best.items():
        opposite = best.get(tuple((z, -a) for z, a in form))
        if opposite is not None and constant + opposite < 0:
            return None
    return tuple(sorted(best.items()))


def _sum_one(z: int, factors: Sequence[list[Piece]], bounds: Sequence[Constraint]) -> list[Piece]:
    """Return the sum over one variable of a product of factors, under constraints."""
    whole: list[Piece] = []
    for i, f in enumerate(factors):
        whole = _multiply(whole, f) if i else f
        if i and scope_of(whole) <= {z}:
            whole = canonical(whole)
    found: list[Piece] = []
    for region, terms in whole:
        check_time()
        joined = _tidy((*region, *bounds))
        if joined is not None:
            found += _sum_piece(z, joined, terms)
            if len(found) > MAX_PIECES:
                raise NoClosedSumError(
                    f"a sum over noise has more than {MAX_PIECES} pieces; use fewer noise terms"
                )
    return canonical(found)


Bound: TypeAlias = tuple[Form, int]


def _sum_piece(z: int, region: Region, terms: Terms) -> list[Piece]:
    """Return the sum over one variable of terms on a region."""
    rest, lowers, uppers = _bounds(z, region)
    found = []
    none: list[Bound | None] = [None]
    for lower, upper in product([*lowers] or none, [*uppers] or none):
        tightest = list(rest)
        if lower is not None:
            place = lowers.index(lower)
            others = enumerate(lowers)
            tightest += [_difference(lower, o, strict=i < place) for i, o in others if i != place]
        if upper is not None:
            place = uppers.index(upper)
            others = enumerate(uppers)
            tightest += [_difference(o, upper, strict=i < place) for i, o in others if i != place]
        if lower is not None and upper is not None:
            tightest.append(_difference(upper, lower, strict=False))
        tidied = _tidy(tightest)
        if tidied is not None:
            found.append((tidied, _between(z, terms, lower, upper)))
    return found


def _bounds(z: int, region: Region) -> tuple[list[Constraint], list[Bound], list[Bound]]:
    """Return the constraints without a variable, and its lower and upper bounds."""
    rest: list[Constraint] = []
    lowers: list[Bound] = []
    uppers: list[Bound] = []
    for form, constant in region:
        own = dict(form)
        a = own.pop(z, 0)
        if not a:
            rest.append((form, constant))
        elif a > 0:  # z >= -(other + constant) / a, whose other coefficients a divides
            lowers.append((tuple((y, -b // a) for y, b in own.items()), -(constant // a)))
        else:
            uppers.append((tuple((y, b // -a) for y, b in own.items()), constant // -a))
    return rest, list(dict.fromkeys(lowers)), list(dict.fromkeys(uppers))


def _difference(first: tuple[Form, int], second: tuple[Form, int], *, strict: bool) -> Constraint:
    own = dict(first[0])
    for y, b in second[0]:
        own[y] = own.get(y, 0) - b
    form = tuple(sorted((y, b) for y, b in own.items() if b))
    return form, first[1] - second[1] - (1 if strict else 0)


def _between(
    z: int, terms: Terms, lower: tuple[Form, int] | None, upper: tuple[Form, int] | None
) -> Terms:
    """Return the sum of terms from one bound to another; None stands for infinity."""
    found: Terms = {}
    for (bases, powers), c in terms.items():
        own, high = dict(bases), dict(powers)
        s, k = own.pop(z, None), high.pop(z, 0)
        one = c / c
        s = one if s is None else s
        if (upper is None and not -one < s < one) or (lower is None and not (s > one or s < -one)):
            raise NoClosedSumError("a sum over noise does not converge")
        others = (tuple(own.items()), tuple(high.items()))
        summed: Terms = {}
        for j, q in enumerate(_antidifference(s, k)):
            if q != 0:
                _add(summed, (((z, s),) if s != 1 else (), ((z, j),) if j else ()), q * c)
        rest: Terms = {others: one}
        if upper is not None:
            above = _substituted_terms(summed, z, upper[0], upper[1] + 1)
            for key, value in _times(rest, above).items():
                _add(found, key, value)
        if lower is not None:
            below = _substituted_terms(summed, z, lower[0], lower[1])
            for key, value in _times(rest, below).items():
                _add(found, key, -value)
    return found


@cache
def _antidifference(s: Number, k: int) -> tuple[Number, ...]:
    """Return the coefficients of the polynomial Q with ``s Q(z + 1) - Q(z) = z^k``."""
    one = s / s
    zero = one - one
    size = k + 2 if s == 1 else k + 1
    q = [zero] * size
    # the coefficient of z^i in s Q(z + 1) - Q(z) is (s - 1) q_i + s sum_{j > i} C(j, i) q_j
    for i in range(size - 1, -1, -1):
        right = one if i == k else zero
        if s == 1:
            if i == 0:
                break
            right = one if i - 1 == k else zero
            above = sum((comb(j, i - 1) * q[j] for j in range(i + 1, size)), zero)
            q[i] = (right - above) / i
        else:
            above = sum((comb(j, i) * q[j] for j in range(i + 1, size)), zero)
            q[i] = (right - s * above) / (s - 1)
    return tuple(q)


def canonical(pieces: Sequence[Piece]) -> list[Piece]:
    """Return equal pieces of a function; those of one variable are disjoint and in order."""
    tidied: dict[Region, Terms] = {}
    for region, terms in pieces:
        kept = _tidy(region)
        if kept is not None:
            own = tidied.setdefault(kept, {})
            for key, c in terms.items():
                _add(own, key, c)
    found = [(region, terms) for region, terms in tidied.items() if terms]
    scope = scope_of(found)
    if len(scope) != 1:
        return found
    (z,) = scope
    return [(_region(z, low, high), terms) for low, high, terms in in_order(found)]


def _region(z: int, low: int | None, high: int | None) -> Region:
    found: list[Constraint] = []
    if high is not None:
        found.append((((z, -1),), high))
    if low is not None:
        found.append((((z, 1),), -low))
    return tuple(found)


def in_order(pieces: Sequence[Piece]) -> list[tuple[int | None, int | None, Terms]]:
    """Return a function of one variable as terms on disjoint intervals in order."""
    spans = [(*_interval(region), terms) for region, terms in pieces]
    spans = [s for s in spans if s[0] is None or s[1] is None or s[0] <= s[1]]
    starts = {low for low, _, _ in spans if low is not None}
    starts |= {high + 1 for _, high, _ in spans if high is not None}
    edges: list[int | None] = [None, *sorted(starts)]
    found: list[tuple[int | None, int | None, Terms]] = []
    for low, after in zip(edges, [*edges[1:], None], strict=True):
        high = None if after is None else after - 1
        total: Terms = {}
        for first, last, terms in spans:
            inside = first is None or (low is not None and first <= low)
            if inside and (last is None or (high is not None and high <= last)):
                for key, c in terms.items():
                    _add(total, key, c)
        before = found[-1] if found else None
        touches = before is not None and before[1] is not None and low == before[1] + 1
        if before is not None and touches and before[2] == total:
            found[-1] = (before[0], high, total)
        elif total:
            found.append((low, high, total))
    return found


def _interval(region: Region) -> tuple[int | None, int | None]:
    """Return the interval of a region of one variable."""
    low = high = None
    for form, constant in region:
        a = form[0][1]
        end = -(constant // a) if a > 0 else constant // -a
        if a > 0:
            low = end if low is None else max(low, end)
        else:
            high = end if high is None else min(high, end)
    return low, high


def value_at(terms: Mapping[Key, Number], v: int) -> Number:
    """Return the value of terms of one variable at an integer."""
    total: Number = None
    for (bases, powers), c in terms.items():
        share = c
        for _, s in bases:
            share = share * s**v
        for _, k in powers:
            share = share * v**k
        total = share if total is None else total + share
    return total


def sum_of(terms: Terms, low: int | None, high: int | None) -> Number:
    """Return the sum of terms of one variable over an interval; None stands for infinity."""
    z = next((y for bases, powers in terms for y, _ in (*bases, *powers)), 0)
    lower = None if low is None else ((), low)
    upper = None if high is None else ((), high)
    return _between(z, terms, lower, upper).get(((), ()), 0)
