"""Rigorous enclosures of expressions with logarithms, exponentials and roots.

A bound such as ``(1 - H(eps)) d`` is kept as a sympy expression, so that it can be printed; its
value is enclosed in ball arithmetic (FLINT's ``arb``) and compared with raised precision until the
enclosure decides, or the precision limit is reached and the answer is "not decided".
"""

from __future__ import annotations

from fractions import Fraction
from functools import reduce
from operator import add, mul
from typing import TYPE_CHECKING, Any

import flint

from ccsim.arguments.checked import checked_types
from ccsim.data import validated
from ccsim.errors import DomainError
from ccsim.exact.fractions import as_fraction

if TYPE_CHECKING:
    import sympy

MAX_PRECISION = 4096
"""Bits at which `compare` gives up."""

MAX_EXPONENT = 1 << 24
"""Largest binary exponent of an end; a number beyond it is not enclosed."""


@validated
class Interval:
    """A closed interval with rational ends that contains a real number.

    Examples
    --------
    >>> Interval(Fraction(1, 3), Fraction(1, 2)).width
    Fraction(1, 6)
    """

    lower: Fraction
    upper: Fraction

    def __post_init__(self) -> None:
        if self.lower > self.upper:
            raise DomainError(f"interval must have lower <= upper, not {self.lower} > {self.upper}")

    @property
    def width(self) -> Fraction:
        """Upper end minus lower end."""
        return self.upper - self.lower


def _exact(number: flint.arb) -> Fraction:
    mantissa, exponent = number.man_exp()
    return Fraction(int(mantissa)) * Fraction(2) ** int(exponent)


def _exponent(ball: flint.arb) -> int:
    """Return the largest size of a binary exponent of an end."""
    return max(abs(int(end.man_exp()[1])) for end in (ball.lower(), ball.upper()))


def ball_of(number: Fraction) -> flint.arb:
    """Return a ball around a fraction, at the precision of the context."""
    return flint.arb(flint.fmpq(number.numerator, number.denominator))


def ball_interval(ball: flint.arb) -> Interval:
    """Return the interval with rational ends that a finite ball stands for."""
    return Interval(_exact(ball.lower()), _exact(ball.upper()))


def _evaluated(expression: Any) -> flint.arb:  # noqa: ANN401 - sympy's node classes share no useful type
    """Evaluate one node of a sympy expression in ball arithmetic at the current precision."""
    import sympy

    if expression.is_Rational:
        return flint.arb(flint.fmpq(int(expression.p), int(expression.q)))
    if expression is sympy.E:  # what sympy makes of exp(1)
        return flint.arb(1).exp()
    children = [_evaluated(child) for child in expression.args]
    if isinstance(expression, sympy.Add):
        return reduce(add, children)
    if isinstance(expression, sympy.Mul):
        return reduce(mul, children)
    if isinstance(expression, sympy.Pow):
        power = expression.args[1]
        return children[0] ** (int(power) if power.is_Integer else children[1])
    if isinstance(expression, sympy.log | sympy.exp):
        return children[0].log() if isinstance(expression, sympy.log) else children[0].exp()
    raise DomainError(f"expression must be built from rationals, + * ** log exp, not {expression}")


@checked_types
def enclose(expression: sympy.Expr | Fraction | int | str, precision: int = 128) -> Interval:
    """Return an interval with rational ends that certainly contains a real expression.

    Parameters
    ----------
    expression : sympy.Expr, Fraction, int or str
        Built from rational numbers with ``+ * ** log exp sqrt``; no free symbols.
    precision : int
        Working precision in bits; the width shrinks about like ``2**-precision``.

    Raises
    ------
    DomainError
        If the expression holds something else, or no finite enclosure exists.

    Notes
    -----
    Rounding: outwards at every step, so the interval is valid at every precision.

    Examples
    --------
    >>> interval = enclose(binary_entropy(Fraction(1, 4)))
    >>> interval.lower < Fraction(8113, 10000) < interval.upper + Fraction(1, 1000)
    True
    >>> enclose(Fraction(1, 3)) == Interval(Fraction(1, 3), Fraction(1, 3))
    True
    """
    if precision < 2:
        raise DomainError(f"precision must be an integer, at least 2, not {precision!r}")
    interval = _finite_enclosure(_expression(expression), precision)
    if interval is None:
        raise DomainError(
            f"expression must have a finite real enclosure at {precision} bits, "
            f"which {expression} has not"
        )
    return interval


def _expression(given: sympy.Expr | Fraction | int | str) -> sympy.Expr:
    """Return a number as an expression."""
    import sympy

    if isinstance(given, sympy.Expr):
        return given
    number = as_fraction(given, "expression")
    return sympy.Rational(number.numerator, number.denominator)


def _finite_enclosure(node: sympy.Expr, precision: int) -> Interval | None:
    """Enclose an expression; None where, as far as this precision tells, it may be infinite."""
    if node.is_Rational:
        value = Fraction(int(node.p), int(node.q))
        return Interval(value, value)
    with flint.ctx.workprec(precision):
        ball = _evaluated(node)
        if not ball.is_finite() or _exponent(ball) > MAX_EXPONENT:
            return None
        return ball_interval(ball)


@checked_types
def compare(
    left: sympy.Expr | Fraction | int | str, right: sympy.Expr | Fraction | int | str
) -> int | None:
    """Decide the order of two real expressions: -1, 0, 1, or None when not decided.

    Equality is only ever reported for a difference whose enclosure is exact, such as one that
    sympy reduces to the rational number zero.

    Raises
    ------
    DomainError
        If an expression holds something that `enclose` refuses.

    Examples
    --------
    >>> compare(binary_entropy(Fraction(1, 4)), Fraction(4, 5))
    1
    >>> compare(binary_entropy(Fraction(1, 2)), 1)
    0
    """
    difference = _expression(left) - _expression(right)
    precision = 64
    while precision <= MAX_PRECISION:
        interval = _finite_enclosure(difference, precision)
        precision *= 2
        if interval is None:  # a pole or the end of a logarithm's domain is near
            continue
        if interval.lower > 0:
            return 1
        if interval.upper < 0:
            return -1
        if interval.width == 0:
            return 0
    return None


@checked_types
def binary_entropy(p: Fraction | int | str) -> sympy.Expr:
    """Return ``H(p) = p log2(1/p) + (1-p) log2(1/(1-p))`` as an expression; ``H(0) = H(1) = 0``.

    Raises
    ------
    DomainError
        If ``p`` lies outside ``[0, 1]``.

    Examples
    --------
    >>> binary_entropy(Fraction(1, 2))
    1
    """
    import sympy

    p = as_fraction(p, "p")
    p = as_fraction(p, "p", 0, 1)
    total: sympy.Expr = sympy.Integer(0)
    for q in (p, 1 - p):
        if q:
            weight = sympy.Rational(q.numerator, q.denominator)
            total += weight * sympy.log(1 / weight) / sympy.log(2)
    return total
