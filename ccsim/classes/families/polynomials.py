"""Graphs of polynomials over a prime field; those of degree below 2 are the lines of `fx` 4.2."""

from __future__ import annotations

from itertools import product

from ccsim.arguments.checked import checked_types
from ccsim.budget import Budget, TimeLimit
from ccsim.classes.concept_class import ConceptClass
from ccsim.classes.families.grids import grid_labels
from ccsim.errors import DomainError
from ccsim.exact.fractions import check_prime
from ccsim.texts.labels import check_size


@checked_types
def polynomials(p: int, k: int, *, time_limit: TimeLimit = None) -> ConceptClass:
    """Return the curves ``y = f(x)`` over ``Z_p x Z_p`` for polynomials of degree below ``k``.

    Point number ``p x + y`` is ``(x,y)``; concepts are in the order of their coefficients, highest
    degree first, so that ``polynomials(p, 2)`` is ``lines(p)``. Two curves meet in fewer than ``k``
    points, hence no two are equal.

    Parameters
    ----------
    p : int
        A prime.
    k : int
        Between 1 and ``p``, the number of coefficients.

    Raises
    ------
    DomainError
    InstanceTooLargeError

    Notes
    -----
    Complexity: ``k p`` steps for each of the ``p**k`` concepts.

    Examples
    --------
    >>> polynomials(2, 2).concepts
    ('0x+0', '0x+1', '1x+0', '1x+1')
    >>> print(polynomials(5, 3), polynomials(5, 3).concepts[31], sep="; ")
    polynomials:p=5,k=3: 125 concepts over 25 points; 1x^2+1x+1
    """
    name = f"polynomials:p={p},k={k}"
    if not 1 <= k <= max(p, 1):
        raise DomainError(f"polynomials: k must lie between 1 and p = {p}, not {k}")
    check_size(p ** min(k, 64), p * p, name)
    check_prime("polynomials: p", p)
    coefficients = list(product(range(p), repeat=k))
    budget, rows, labels = Budget.of(time_limit), [], []
    for f in coefficients:
        budget.spend()
        rows.append(sum(1 << p * x + _value(f, x, p) for x in range(p)))
        labels.append(_text(f))
    return ConceptClass.from_rows(rows, grid_labels((p, p)), labels, name)


def _value(coefficients: tuple[int, ...], x: int, p: int) -> int:
    """Return the value at ``x`` by Horner's rule."""
    value = 0
    for coefficient in coefficients:
        value = (value * x + coefficient) % p
    return value


def _text(coefficients: tuple[int, ...]) -> str:
    powers = [f"x^{i}" for i in range(len(coefficients) - 1, 1, -1)] + ["x", ""]
    return "+".join(
        f"{c}{power}" for c, power in zip(coefficients, powers[-len(coefficients) :], strict=True)
    )
