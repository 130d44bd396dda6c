"""The families of concept classes of the papers that need no geometry."""

from __future__ import annotations

from functools import reduce
from itertools import combinations, product
from math import comb

import numpy as np

from ccsim.arguments.checked import checked_types
from ccsim.budget import Budget, TimeLimit
from ccsim.classes.concept_class import ConceptClass
from ccsim.classes.masks import members
from ccsim.errors import DomainError, InstanceTooLargeError
from ccsim.exact.fractions import check_prime
from ccsim.texts.labels import MAX_ENTRIES, check_size

_MAX_EXPONENT = 62
_TOGETHER = 1 << 12  # random concepts that are drawn at once
MAX_POINTS = 5
"""Maximum n of some_functions; with more points, the number of a class is too long."""


def power_of_two(exponent: int, name: str, parameter: str) -> int:
    """Return ``2**exponent`` after checking the range of the exponent."""
    if exponent < 0:
        raise DomainError(f"{name}: {parameter} must be at least 0, not {exponent}")
    if exponent > _MAX_EXPONENT:
        raise InstanceTooLargeError(
            f"{name}: {parameter} must be at most {_MAX_EXPONENT}, not {exponent}"
        )
    return 1 << exponent


def bit_strings(length: int) -> list[str]:
    """Return the labels ``x_1 ... x_n`` of the numbers below ``2**length``, bit 0 first."""
    if length < 2:
        return ["0", "1"] if length else [""]
    ends = bit_strings(length // 2)
    starts = bit_strings(length - length // 2)
    return [start + end for end in ends for start in starts]


@checked_types
def points(b: int) -> ConceptClass:
    """Return the ``2**b`` indicator functions of single points over ``2**b`` points (`fx` 3.1).

    Parameters
    ----------
    b : int
        Number of bits of a point, at least 0; there are ``2**b`` points.

    Examples
    --------
    >>> points(1).rows
    (1, 2)
    """
    size = power_of_two(b, "points", "b")
    check_size(size, size, f"points:b={b}")
    return ConceptClass.from_rows([1 << i for i in range(size)], range(size), name=f"points:b={b}")


@checked_types
def k_points(b: int, k: int, *, time_limit: TimeLimit = None) -> ConceptClass:
    """Return the indicator functions of the ``k``-subsets of ``2**b`` points (`bns` section 5).

    Parameters
    ----------
    b : int
        Number of bits of a point, at least 0; there are ``2**b`` points.
    k : int
        Size of the subsets, at least 0.
    time_limit : float or Budget, optional
        Seconds after which `NotDecidedError` is raised.

    Examples
    --------
    >>> len(k_points(2, 2)), k_points(2, 2).concepts[0]
    (6, '{0,1}')
    """
    size = power_of_two(b, "k_points", "b")
    if not 0 <= k <= size:
        raise DomainError(f"k_points: k must be between 0 and 2**b = {size}, not {k}")
    name = f"k_points:b={b},k={k}"
    check_size(_binomial(size, k), size, name)
    rows, labels = [], []
    for subset in Budget.of(time_limit).each(combinations(range(size), k)):
        rows.append(sum(1 << x for x in subset))
        labels.append("{" + ",".join(map(str, subset)) + "}")
    return ConceptClass.from_rows(rows, range(size), labels, name)


def _binomial(n: int, k: int) -> int:
    """Return ``comb(n, k)``, or ``n**2`` if the number is too large to compute."""
    return comb(n, k) if min(k, n - k) <= 64 else n * n


@checked_types
def thresholds(b: int) -> ConceptClass:
    """Return the thresholds ``t_x(y) = 1 iff y >= x`` over ``0 .. 2**b - 1`` (`fx` section 3.1).

    Parameters
    ----------
    b : int
        Number of bits of a point, at least 0; there are ``2**b`` points.

    Examples
    --------
    >>> thresholds(1).rows
    (3, 2)
    """
    size = power_of_two(b, "thresholds", "b")
    check_size(size, size, f"thresholds:b={b}")
    full = (1 << size) - 1
    rows = [full >> x << x for x in range(size)]
    return ConceptClass.from_rows(rows, range(size), name=f"thresholds:b={b}")


@checked_types
def intervals(n: int) -> ConceptClass:
    """Return the intervals ``1[i <= x <= j]`` over ``n`` points, including the empty interval.

    Parameters
    ----------
    n : int
        Number of points, at least 0.

    Examples
    --------
    >>> intervals(2).concepts
    ('empty', '[0,0]', '[0,1]', '[1,1]')
    """
    if n < 0:
        raise DomainError(f"intervals: n must be at least 0, not {n}")
    check_size(n * (n + 1) // 2 + 1, n, f"intervals:n={n}")
    pairs = [(i, j) for i in range(n) for j in range(i, n)]
    rows = [0, *((1 << j + 1) - (1 << i) for i, j in pairs)]
    labels = ["empty", *(f"[{i},{j}]" for i, j in pairs)]
    return ConceptClass.from_rows(rows, range(n), labels, f"intervals:n={n}")


@checked_types
def lines(p: int) -> ConceptClass:
    """Return the lines ``y = a x + b`` over the plane ``Z_p x Z_p``, ``p`` prime (`fx` 4.2).

    Point number ``p x + y`` is the point ``(x,y)``, and concept number ``p a + b`` is the line
    ``y = a x + b``.

    Parameters
    ----------
    p : int
        Order of the field, a prime.

    Examples
    --------
    >>> lines(2).concepts, lines(2).points
    (('0x+0', '0x+1', '1x+0', '1x+1'), ('(0,0)', '(0,1)', '(1,0)', '(1,1)'))
    """
    check_size(p * p, p * p, f"lines:p={p}")
    check_prime("lines: p", p)
    field = range(p)
    rows = [sum(1 << p * x + (a * x + b) % p for x in field) for a in field for b in field]
    return ConceptClass.from_rows(
        rows,
        [f"({x},{y})" for x in field for y in field],
        [f"{a}x+{b}" for a in field for b in field],
        f"lines:p={p}",
    )


@checked_types
def parities(n: int) -> ConceptClass:
    """Return the ``2**n`` linear functions over ``{0,1}^n``.

    Parameters
    ----------
    n : int
        Length of a point in bits, at least 0.

    Examples
    --------
    >>> parities(1).rows
    (0, 2)
    """
    size = power_of_two(n, "parities", "n")
    check_size(size, size, f"parities:n={n}")
    rows = [0]
    for i in range(n):  # what is over the first i coordinates goes on over the next one
        half = 1 << i
        turned = [(row ^ ((1 << half) - 1)) << half | row for row in rows]
        rows = [row << half | row for row in rows] + turned
    return ConceptClass.from_rows(rows, bit_strings(n), bit_strings(n), f"parities:n={n}")


@checked_types
def decision_stumps(p: int) -> ConceptClass:
    """Return the ``p`` coordinate functions over ``{0,1}^p`` (`pap` Definition 12).

    Parameters
    ----------
    p : int
        Number of coordinates, at least 0.

    Examples
    --------
    >>> decision_stumps(2).rows, decision_stumps(2).points
    ((10, 12), ('00', '10', '01', '11'))
    """
    size = power_of_two(p, "decision_stumps", "p")
    check_size(p, size, f"decision_stumps:p={p}")
    rows: list[int] = []
    for i in range(p):
        half = 1 << i
        rows = [*(row << half | row for row in rows), ((1 << half) - 1) << half]
    return ConceptClass.from_rows(rows, bit_strings(p), range(p), f"decision_stumps:p={p}")


@checked_types
def all_functions(n: int) -> ConceptClass:
    """Return all ``2**n`` functions over ``n`` points.

    Parameters
    ----------
    n : int
        Number of points, at least 0; there are ``2**n`` concepts.

    Examples
    --------
    >>> all_functions(2).rows
    (0, 1, 2, 3)
    """
    size = power_of_two(n, "all_functions", "n")
    check_size(size, n, f"all_functions:n={n}")
    return ConceptClass.from_rows(range(size), range(n), bit_strings(n), f"all_functions:n={n}")


@checked_types
def random_class(m: int, n: int, seed: int, *, time_limit: TimeLimit = None) -> ConceptClass:
    """Return a uniformly random class of ``m`` distinct concepts over ``n`` points.

    Parameters
    ----------
    m, n : int
        Numbers of concepts and points, with ``0 <= m <= 2**n``.
    seed : int
        Seed of the numpy generator; the same seed gives the same class.
    time_limit : float or Budget, optional

    Raises
    ------
    NotDecidedError
        If the time limit is reached.

    Examples
    --------
    >>> random_class(3, 4, seed=0) == random_class(3, 4, seed=0)
    True
    """
    name = f"random:m={m},n={n},seed={seed}"
    if m < 0 or n < 0 or seed < 0:
        raise DomainError(f"{name}: m, n and seed must be at least 0, not {m}, {n} and {seed}")
    if n < 63 and m > 1 << n:
        raise DomainError(f"{name}: m must be at most 2**n = {1 << n}, not {m}")
    check_size(m, n, name)
    rng = np.random.default_rng(seed)
    if n <= 24:
        rows = rng.choice(1 << n, size=m, replace=False).tolist()
    else:
        chosen: dict[int, None] = {}
        length, drawn = (n + 7) // 8, (n + 31) // 32 * 4  # the generator draws four bytes at once
        budget = Budget.of(time_limit)
        while missing := m - len(chosen):
            budget.spend()
            data = rng.bytes(min(missing, _TOGETHER) * drawn)
            for start in range(0, len(data), drawn):
                row = int.from_bytes(data[start : start + length], "little") >> -n % 8
                chosen[row] = None
        rows = list(chosen)
    return ConceptClass.from_rows(rows, range(n), name=name)


@checked_types
def polynomials(p: int, k: int, *, time_limit: TimeLimit = None) -> ConceptClass:
    """Return the curves ``y = f(x)`` over ``Z_p x Z_p`` for polynomials of degree below ``k``.

    Point number ``p x + y`` is ``(x,y)``; concepts are in the order of their coefficients, highest
    degree first, so that ``polynomials(p, 2)`` is ``lines(p)``.

    Parameters
    ----------
    p : int
        Order of the field, a prime.
    k : int
        Number of coefficients, between 1 and ``p``.

    Examples
    --------
    >>> polynomials(2, 2).concepts
    ('0x+0', '0x+1', '1x+0', '1x+1')
    """
    name = f"polynomials:p={p},k={k}"
    if not 1 <= k <= max(p, 1):
        raise DomainError(f"polynomials: k must be between 1 and p = {p}, not {k}")
    check_size(p ** min(k, 64), p * p, name)
    check_prime("polynomials: p", p)
    rows, labels = [], []
    for f in Budget.of(time_limit).each(product(range(p), repeat=k)):
        rows.append(sum(1 << p * x + _value(f, x, p) for x in range(p)))
        labels.append(_text(f))
    return ConceptClass.from_rows(
        rows, [f"({x},{y})" for x in range(p) for y in range(p)], labels, name
    )


def _value(coefficients: tuple[int, ...], x: int, p: int) -> int:
    """Return the value at ``x`` by Horner's rule."""
    return reduce(lambda value, coefficient: (value * x + coefficient) % p, coefficients, 0)


def _text(coefficients: tuple[int, ...]) -> str:
    powers = [f"x^{i}" for i in range(len(coefficients) - 1, 1, -1)] + ["x", ""]
    return "+".join(
        f"{c}{power}" for c, power in zip(coefficients, powers[-len(coefficients) :], strict=True)
    )


@checked_types
def unions(n: int, k: int, *, time_limit: TimeLimit = None) -> ConceptClass:
    """Return the unions of at most ``k`` intervals over ``n`` points, including the empty union.

    There are ``sum_{j <= k} comb(n + 1, 2j)`` concepts, since ``j`` intervals have ``2j`` ends.

    Parameters
    ----------
    n, k : int
        Number of points, and maximum number of intervals; both at least 0.
    time_limit : float or Budget, optional

    Raises
    ------
    NotDecidedError
        If the time limit is reached.

    Examples
    --------
    >>> unions(3, 2).concepts
    ('empty', '[0,0]', '[0,1]', '[0,2]', '[1,1]', '[1,2]', '[2,2]', '[0,0]+[2,2]')
    """
    if n < 0 or k < 0:
        raise DomainError(f"unions: n and k must be at least 0, not {n} and {k}")
    name = f"unions:n={n},k={k}"
    most = min(k, (n + 1) // 2)
    check_size(_count(n, most), n, name)
    budget, rows, labels = Budget.of(time_limit), [], []
    for j in range(most + 1):
        for ends in budget.each(combinations(range(n + 1), 2 * j)):
            parts = list(zip(ends[::2], ends[1::2], strict=True))
            rows.append(sum((1 << stop) - (1 << start) for start, stop in parts))
            labels.append("+".join(f"[{start},{stop - 1}]" for start, stop in parts) or "empty")
    return ConceptClass.from_rows(rows, range(n), labels, name)


def _count(n: int, most: int) -> int:
    """Return the number of concepts, or the first partial sum above the limit."""
    total = 0
    for j in range(most + 1):
        total += comb(n + 1, 2 * j)
        if total > MAX_ENTRIES:
            break
    return total


@checked_types
def some_functions(n: int, chosen: int) -> ConceptClass:
    """Return the class of the functions over ``n`` points given by the bits of ``chosen``.

    Parameters
    ----------
    n : int
        Number of points, between 0 and `MAX_POINTS`.
    chosen : int
        Number of the class, from 0 to ``2**2**n - 1``. If bit ``f`` is 1, the function with mask
        ``f``, whose value on point ``x`` is bit ``x`` of ``f``, is a concept.

    Examples
    --------
    >>> C = some_functions(2, 0b1001)
    >>> C.rows, C.concepts, C.name
    ((0, 3), ('00', '11'), 'some_functions:n=2,chosen=9')
    """
    name = f"some_functions:n={n},chosen={chosen}"
    if n < 0:
        raise DomainError(f"some_functions: n must be at least 0, not {n}")
    if n > MAX_POINTS:
        raise InstanceTooLargeError(f"some_functions: n must be at most {MAX_POINTS}, not {n}")
    if not 0 <= chosen < 1 << (1 << n):
        raise DomainError(
            f"some_functions: chosen must be between 0 and 2^{1 << n} - 1, not {chosen}"
        )
    rows = tuple(members(chosen))
    labels = bit_strings(n)
    return ConceptClass(tuple(range(n)), tuple(labels[row] for row in rows), rows, name)
