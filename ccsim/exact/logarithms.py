"""Rational combinations of logarithms of rational numbers, compared without doubt.

Entropies and divergences of laws with rational probabilities are sums ``c_1 log2 n_1 + ...`` with
rational ``c_i`` and ``n_i``. Written over primes such a sum is zero only if every coefficient is
(unique factorisation), so equality is decided exactly; a sum that is not zero has a sign that ball
arithmetic finds at some precision.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache, total_ordering

import flint

from ccsim.appearance import one_line
from ccsim.arguments.checked import checked_fields
from ccsim.errors import DomainError, InstanceTooLargeError, NotDecidedError
from ccsim.exact.intervals import MAX_PRECISION, Interval, ball_interval, ball_of

MAX_BITS = 128
"""Length of the integers that are factored."""


@lru_cache(maxsize=1 << 14)
def _factors(number: int) -> tuple[tuple[int, int], ...]:
    """Return the prime factors of a positive integer with their exponents."""
    if number.bit_length() > MAX_BITS:
        raise InstanceTooLargeError(
            f"a logarithm is taken of integers of at most {MAX_BITS} bits, not {number}"
        )
    return tuple((int(p), int(e)) for p, e in flint.fmpz(number).factor())


@checked_fields
@total_ordering
@one_line
@dataclass(frozen=True, slots=True, eq=False)
class LogSum:
    """The real number ``sum of c log2(p)`` over primes ``p``, in bits.

    Comparisons with other sums and with rational numbers (which are sums over the prime 2) are
    exact.

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
        """Return the binary logarithm of a positive rational number.

        Raises
        ------
        DomainError
            If the number is not positive.
        InstanceTooLargeError
            If its numerator or denominator has more than 128 bits; they are factored.
        """
        return cls.combination([(1, number)])

    @classmethod
    def combination(cls, parts: Iterable[tuple[Fraction | int, Fraction | int]]) -> LogSum:
        """Return ``sum of c log2(n)`` over pairs ``(c, n)`` with ``n`` positive.

        Examples
        --------
        >>> LogSum.combination([(Fraction(1, 2), 4), (2, Fraction(1, 2))]) == -1
        True
        """
        total: dict[int, Fraction] = {}
        for coefficient, number in parts:
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

    def __radd__(self, other: Fraction | int) -> LogSum:
        return self + other

    def __neg__(self) -> LogSum:
        return LogSum(tuple((p, -c) for p, c in self.terms))

    def __sub__(self, other: LogSum | Fraction | int) -> LogSum:
        return self + -LogSum._of(other)

    def __rsub__(self, other: Fraction | int) -> LogSum:
        return -self + other

    def __mul__(self, factor: Fraction | int) -> LogSum:
        return LogSum(tuple((p, c * factor) for p, c in self.terms) if factor else ())

    def __rmul__(self, factor: Fraction | int) -> LogSum:
        return self * factor

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
        """Return -1, 0 or 1.

        Raises
        ------
        NotDecidedError
            If a sum other than zero is closer to it than 4096 bits can tell.
        """
        return self._sign_minus(Fraction(0)) if self.terms else 0

    def compare_nats(self, value: Fraction | int) -> int:
        """Return the sign of this number in nats, that is times ``ln 2``, minus a rational one.

        Equal only if both are zero: ``e`` to a rational power other than zero is irrational.

        Examples
        --------
        >>> LogSum.log2(2).compare_nats(Fraction(7, 10))  # ln 2 = 0.693...
        -1
        """
        if not self.terms and not value:
            return 0
        return self._sign_minus(Fraction(value))

    def enclose(self, precision: int = 64) -> Interval:
        """Return an interval with rational ends that contains the number, in bits.

        Rounding: outwards; the width shrinks about like ``2**-precision``.
        """
        with flint.ctx.workprec(precision):
            return ball_interval(self._nats() / flint.arb(2).log())

    def enclose_nats(self, precision: int = 64) -> Interval:
        """Return an interval with rational ends that contains the number in nats."""
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
        raise NotDecidedError(f"the sign of {self} is not decided at {MAX_PRECISION} bits")

    def __float__(self) -> float:
        """Return a rounded value, for display."""
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
