"""Products and powers of problems: every player holds one input of each factor.

There are two ways to combine the values of the factors into one bit, by AND and by XOR. The matrix
of an AND product is the Kronecker product of the 0/1 matrices. In a direct sum, the players compute
the values of all factors; this is not a Boolean function, so there is no function for it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from itertools import product

from ccsim.arguments.checked import checked_types
from ccsim.arguments.values import show_value
from ccsim.classes.masks import members
from ccsim.communication.given import ProblemLike, as_problem
from ccsim.communication.problem import CommunicationProblem
from ccsim.errors import DomainError, InstanceTooLargeError
from ccsim.texts.labels import Label, check_size, named

_MOST_COPIES = 26
_Rows = Sequence[int]
_Sides = tuple[_Rows, _Rows, int]  # masks of the ones and of the promise in each row; the width


@checked_types
def tensor(f: ProblemLike, g: ProblemLike) -> CommunicationProblem:
    """Return the AND of two problems: ``(x1, x2), (y1, y2)`` has value ``f(x1, y1) g(x2, y2)``.

    The 0/1 matrix is the Kronecker product of the matrices of ``f`` and ``g``. A pair of inputs
    lies inside the promise if it does in both problems.

    Parameters
    ----------
    f, g : CommunicationProblem, ConceptClass, INSTANCE text or matrix

    Returns
    -------
    CommunicationProblem
        The labels are the pairs of labels, as text. The inputs of ``f`` vary slowest.

    Raises
    ------
    InstanceTooLargeError
        If the product has more than 2^26 entries, or more than 2^21 inputs on a side.

    Notes
    -----
    Complexity: linear in the number of entries.

    Examples
    --------
    >>> domino = ["110", "111", "011"]
    >>> f = tensor(domino, "equality:n=2")
    >>> f.alice[:3], f.value(0, 2), f.value(0, 3)
    (('(0, 0)', '(0, 1)', '(1, 0)'), 1, 0)
    """
    left, right = as_problem(f), as_problem(g)
    name = f"tensor({_name(left)}, {_name(right)})" if left.name and right.name else ""
    return _combined([left, right], name, _conjunction)


@checked_types
def and_power(f: ProblemLike, k: int) -> CommunicationProblem:
    """Return the AND of k copies of a problem, whose matrix is a Kronecker power.

    A pair of inputs lies inside the promise if it does in every coordinate.

    Parameters
    ----------
    f : CommunicationProblem, ConceptClass, INSTANCE text or matrix
    k : int
        Number of copies, from 1 to 26.

    Returns
    -------
    CommunicationProblem
        The labels are the k-tuples of labels, as text. The first coordinate varies slowest.

    Raises
    ------
    InstanceTooLargeError
        If the power has more than 2^26 entries, or more than 2^21 inputs on a side.

    Notes
    -----
    Complexity: linear in the number of entries.

    Examples
    --------
    >>> f = and_power("greater_than:n=2", 3)
    >>> f.alice[6], f.ones
    ('(1, 1, 0)', (0, 0, 0, 0, 0, 0, 0, 1))
    """
    return _power(f, k, "and_power", _conjunction)


@checked_types
def xor_power(f: ProblemLike, k: int) -> CommunicationProblem:
    """Return the XOR of k copies of a problem.

    A pair of inputs lies inside the promise if it does in every coordinate.

    Parameters
    ----------
    f, k
        As for `and_power`.

    Returns
    -------
    CommunicationProblem
        The labels are the k-tuples of labels, as text. The first coordinate varies slowest.

    Raises
    ------
    InstanceTooLargeError
        If the power has more than 2^26 entries, or more than 2^21 inputs on a side.

    Notes
    -----
    Complexity: linear in the number of entries.

    Examples
    --------
    >>> from ccsim import inner_product
    >>> xor_power([[0, 0], [0, 1]], 3).ones == inner_product(3).ones
    True
    """
    return _power(f, k, "xor_power", _parity)


def _power(
    f: ProblemLike, k: int, called: str, rule: Callable[[_Sides, _Sides], _Sides]
) -> CommunicationProblem:
    if k < 1:
        raise DomainError(f"{called}: k must be at least 1, got {show_value(k)}")
    if k > _MOST_COPIES:
        raise InstanceTooLargeError(
            f"{called}: k must be at most {_MOST_COPIES}, got {show_value(k)}; a larger power of a "
            "problem with two inputs on each side has more than 2^26 entries"
        )
    problem = as_problem(f)
    name = f"{called}({problem.name}, {k})" if problem.name else ""
    return _combined([problem] * k, name, rule)


def _combined(
    factors: Sequence[CommunicationProblem], name: str, rule: Callable[[_Sides, _Sides], _Sides]
) -> CommunicationProblem:
    """Return the problem on tuples of inputs; the rule combines the values of two factors."""
    rows, columns = 1, 1
    for f in factors:
        rows, columns = rows * len(f.alice), columns * len(f.bob)
    check_size(rows, columns, name or "the product")
    parts: list[_Sides] = [(f.ones, f.promise, len(f.bob)) for f in factors]
    ones, promise, _ = reduce(rule, parts)
    alice = _labels([f.alice for f in factors], "Alice's input")
    bob = _labels([f.bob for f in factors], "Bob's input")
    return CommunicationProblem(alice, bob, tuple(ones), tuple(promise), name)


def _labels(sides: Sequence[tuple[Label, ...]], name: str) -> tuple[Label, ...]:
    tuples = [*product(*sides)]
    return named(tuples, len(tuples), name)


def _name(problem: CommunicationProblem) -> str:
    return problem.name or f"{len(problem.alice)} x {len(problem.bob)}"


def _spread(row: int, width: int) -> int:
    """Return the bits of a row at distance ``width`` from each other.

    The product with a row of this width is the row of a Kronecker product.
    """
    return sum(1 << y * width for y in members(row))


def _conjunction(left: _Sides, right: _Sides) -> _Sides:
    width = right[2]
    ones, promise = (
        [row * other for row in spread for other in side]
        for spread, side in (
            ([_spread(row, width) for row in left[0]], right[0]),
            ([_spread(row, width) for row in left[1]], right[1]),
        )
    )
    return ones, promise, left[2] * width


def _parity(left: _Sides, right: _Sides) -> _Sides:
    width = right[2]
    ones, promise = list[int](), list[int]()
    for row, inside in zip(left[0], left[1], strict=True):
        one, zero = _spread(row, width), _spread(inside & ~row, width)
        for other, held in zip(right[0], right[1], strict=True):
            ones.append(one * (held & ~other) | zero * other)
            promise.append((one | zero) * held)
    return ones, promise, left[2] * width
