"""Rigorous enclosures of expressions with logarithms, and exact sums of logarithms.

Ball arithmetic is repeated with increasing precision until a comparison is decided. A sum of
logarithms of primes (`LogSum`) is zero only if every coefficient is zero.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache, reduce, total_ordering
from operator import add, mul
from typing import TYPE_CHECKING, Any

import flint

from ccsim.appearance import one_line
from ccsim.arguments.checked import checked_fields, checked_types
from ccsim.arguments.renamed import renamed_arguments
from ccsim.data import validated
from ccsim.errors import DomainError, InstanceTooLargeError, NotDecidedError
from ccsim.exact.fractions import as_fraction

if TYPE_CHECKING:
    import sympy

MAX_PRECISION = 4096
"""Maximum precision in comparisons of real numbers, in bits."""
MAX_EXPONENT = 1 << 24
"""Largest binary exponent of an endpoint of an enclosure."""
MAX_BITS = 128
"""Maximum length of integers that are factored, in bits."""


@validated
class Interval:
    """A closed interval with rational endpoints.

    Attributes
    ----------
    lower, upper : Fraction
        The endpoints, which may be equal.

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
        """Upper endpoint minus lower endpoint."""
        return self.upper - self.lower


@checked_types
def enclose(expression: sympy.Expr | Fraction | int | str, precision: int = 128) -> Interval:
    """Return an interval with rational endpoints that contains the value of a real expression.

    Parameters
    ----------
    expression : sympy.Expr, Fraction, int or str
        Built from rational numbers with ``+ * ** log exp sqrt``; no free symbols.
    precision : int
        Working precision in bits; the width is about ``2**-precision``.

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
            f"but {expression} has none"
        )
    return interval


@checked_types
def compare(
    left: sympy.Expr | Fraction | int | str, right: sympy.Expr | Fraction | int | str
) -> int | None:
    """Return the sign of ``left - right``: -1, 0 or 1, or None if it is undecided.

    Equality is reported only if the enclosure of the difference is exactly zero, for example if
    sympy simplifies it to zero.

    Parameters
    ----------
    left, right : sympy.Expr, Fraction, int or str
        Expressions as accepted by `enclose`.

    Returns
    -------
    int or None
        -1, 0 or 1; None if the enclosures are not narrow enough to decide.

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

    Parameters
    ----------
    p : Fraction, int or str
        A probability.

    Examples
    --------
    >>> binary_entropy(Fraction(1, 2))
    1
    """
    import sympy

    p = as_fraction(p, "p", 0, 1)
    total: sympy.Expr = sympy.Integer(0)
    for q in (p, 1 - p):
        if q:
            weight = sympy.Rational(q.numerator, q.denominator)
            total += weight * sympy.log(1 / weight) / sympy.log(2)
    return total


@checked_fields
@total_ordering
@one_line
@dataclass(frozen=True, slots=True, eq=False)
class LogSum:
    """The real number ``sum of c log2(p)`` over primes ``p``, in bits.

    Comparisons with other sums and with rational numbers are exact; a rational number ``r`` is ``r
    log2(2)``.

    Attributes
    ----------
    terms : tuple of (int, Fraction)
        Primes in increasing order with their non-zero coefficients.

    Examples
    --------
    >>> LogSum.log2(8) == 3
    True
    >>> LogSum.log2(3) < Fraction(8, 5)
    True
    >>> print(LogSum.log2(Fraction(9, 4)) * Fraction(1, 2))
    log2(3) - 1
    """

    terms: tuple[tuple[int, Fraction], ...] = ()

    @classmethod
    def log2(cls, number: Fraction | int) -> LogSum:
        """Return ``log2`` of a positive fraction of integers with at most 128 bits."""
        return cls.combination([(1, number)])

    @classmethod
    @renamed_arguments(parts="terms")
    def combination(cls, terms: Iterable[tuple[Fraction | int, Fraction | int]]) -> LogSum:
        """Return ``sum of c log2(n)`` over pairs ``(c, n)`` with ``n`` positive.

        Examples
        --------
        >>> LogSum.combination([(Fraction(1, 2), 4), (2, Fraction(1, 2))]) == -1
        True
        """
        total: dict[int, Fraction] = {}
        for coefficient, number in terms:
            if number <= 0:
                raise DomainError(f"the argument of a logarithm must be positive, not {number}")
            for integer, sign in ((number.numerator, 1), (number.denominator, -1)):
                for prime, exponent in _factors(integer):
                    total[prime] = total.get(prime, Fraction(0)) + sign * exponent * coefficient
        return cls(tuple(sorted((p, c) for p, c in total.items() if c)))

    @classmethod
    def _of(cls, value: LogSum | Fraction | int) -> LogSum:
        if isinstance(value, LogSum):
            return value
        return cls(((2, Fraction(value)),) if value else ())

    def __add__(self, other: LogSum | Fraction | int) -> LogSum:
        total = dict(self.terms)
        for prime, coefficient in LogSum._of(other).terms:
            total[prime] = total.get(prime, Fraction(0)) + coefficient
        return LogSum(tuple(sorted((p, c) for p, c in total.items() if c)))

    def __neg__(self) -> LogSum:
        return LogSum(tuple((p, -c) for p, c in self.terms))

    def __sub__(self, other: LogSum | Fraction | int) -> LogSum:
        return self + -LogSum._of(other)

    def __rsub__(self, other: Fraction | int) -> LogSum:
        return -self + other

    def __mul__(self, factor: Fraction | int) -> LogSum:
        return LogSum(tuple((p, c * factor) for p, c in self.terms) if factor else ())

    __radd__, __rmul__ = __add__, __mul__

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, LogSum | Fraction | int):
            return NotImplemented
        return self.terms == LogSum._of(other).terms

    def __hash__(self) -> int:
        rational = not self.terms or (len(self.terms) == 1 and self.terms[0][0] == 2)
        return hash(sum(c for _, c in self.terms) if rational else self.terms)

    def __lt__(self, other: LogSum | Fraction | int) -> bool:
        return (self - other).sign() < 0

    def sign(self) -> int:
        """Return the sign -1, 0 or 1; raises `NotDecidedError` if 4096 bits do not decide it."""
        return self._sign_minus(Fraction(0)) if self.terms else 0

    def compare_nats(self, value: Fraction | int) -> int:
        """Return the sign of the difference of this number in nats and a rational number.

        The number in nats is this number times ``ln 2``. It equals a rational number only if both
        are zero, since ``e`` to a nonzero rational power is irrational.

        Examples
        --------
        >>> LogSum.log2(2).compare_nats(Fraction(7, 10))  # ln 2 = 0.693...
        -1
        """
        if not self.terms and not value:
            return 0
        return self._sign_minus(Fraction(value))

    def enclose(self, precision: int = 64) -> Interval:
        """Return an interval with rational endpoints that contains the number, in bits.

        Rounding is outwards; the width is about ``2**-precision``.
        """
        with flint.ctx.workprec(precision):
            return ball_interval(self._nats() / flint.arb(2).log())

    def enclose_nats(self, precision: int = 64) -> Interval:
        """Return an interval with rational endpoints that contains the number in nats."""
        with flint.ctx.workprec(precision):
            return ball_interval(self._nats())

    def _nats(self) -> flint.arb:
        return sum((ball_of(c) * flint.arb(p).log() for p, c in self.terms), flint.arb(0))

    def _sign_minus(self, value: Fraction) -> int:
        """Return the sign of this number in nats minus ``value``, known not to be zero."""
        precision = 64
        while precision <= MAX_PRECISION:
            with flint.ctx.workprec(precision):
                ball = self._nats() - ball_of(value)
                if ball > 0:
                    return 1
                if ball < 0:
                    return -1
            precision *= 2
        raise NotDecidedError(f"the sign of {self} is undecided at {MAX_PRECISION} bits")

    def __float__(self) -> float:
        """Return the value rounded to a float, for display."""
        interval = self.enclose()
        return float((interval.lower + interval.upper) / 2)

    def __str__(self) -> str:
        parts = []
        for prime, coefficient in sorted(self.terms, key=lambda term: (term[0] == 2, term[0])):
            size = abs(coefficient)
            factor = "" if size == 1 and prime != 2 else f"{size}"
            log = "" if prime == 2 else f"log2({prime})"
            text = f"{factor} {log}".strip()
            parts.append(("- " if coefficient < 0 else "+ ") + text)
        text = " ".join(parts).removeprefix("+ ")
        return (f"-{text[2:]}" if text.startswith("- ") else text) or "0"


def ball_of(number: Fraction) -> flint.arb:
    """Return a ball around a fraction, at the precision of the context."""
    return flint.arb(flint.fmpq(number.numerator, number.denominator))


def ball_interval(ball: flint.arb) -> Interval:
    """Return a finite ball as an interval with rational endpoints."""
    return Interval(_exact(ball.lower()), _exact(ball.upper()))


def _exact(number: flint.arb) -> Fraction:
    mantissa, exponent = number.man_exp()
    return Fraction(int(mantissa)) * Fraction(2) ** int(exponent)


def _evaluated(expression: Any) -> flint.arb:  # noqa: ANN401 - sympy's node classes share no useful type
    """Return the value of a node of a sympy expression in ball arithmetic."""
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
    raise DomainError(
        "expression must be built from rational numbers with +, *, **, log and exp, "
        f"not {expression}"
    )


def _expression(given: sympy.Expr | Fraction | int | str) -> sympy.Expr:
    """Return a number as a sympy expression."""
    import sympy

    if isinstance(given, sympy.Expr):
        return given
    number = as_fraction(given, "expression")
    return sympy.Rational(number.numerator, number.denominator)


def _finite_enclosure(node: sympy.Expr, precision: int) -> Interval | None:
    """Return an enclosure of an expression; None if it may be infinite at this precision."""
    if node.is_Rational:
        value = Fraction(int(node.p), int(node.q))
        return Interval(value, value)
    with flint.ctx.workprec(precision):
        ball = _evaluated(node)
        if not ball.is_finite():
            return None
        exponents = (abs(int(end.man_exp()[1])) for end in (ball.lower(), ball.upper()))
        return None if max(exponents) > MAX_EXPONENT else ball_interval(ball)


@lru_cache(maxsize=1 << 14)
def _factors(number: int) -> tuple[tuple[int, int], ...]:
    """Return the prime factors of a positive integer with their exponents."""
    if number.bit_length() > MAX_BITS:
        raise InstanceTooLargeError(
            f"the argument of a logarithm must have at most {MAX_BITS} bits, not {number}"
        )
    return tuple((int(p), int(e)) for p, e in flint.fmpz(number).factor())
