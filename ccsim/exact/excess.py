"""Differences ``P - e^epsilon Q`` whose terms are powers of different bases.

Implementation notes: probabilities of one mechanism lie in one field, of powers of ``e`` or of a
fraction, and are computed with exactly there (`ccsim.exact.exponentials`). If ``e^epsilon`` lies in
another one, it is replaced by a fraction below and a fraction above. What is linear in the factor
and has one sign at both has it in between; the arithmetic at either of them is exact.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import total_ordering

import flint

from ccsim.appearance import MOST_CHARACTERS
from ccsim.arguments.values import show_value
from ccsim.errors import DomainError, NotDecidedError
from ccsim.exact.epsilon import Epsilon
from ccsim.exact.exponentials import Exponential, Real
from ccsim.exact.intervals import Interval
from ccsim.exact.polynomials import interval_of

LARGEST_EPSILON = 1 << 21
"""Largest epsilon for which fractions near ``e^epsilon`` are computed."""

PRECISIONS = (64, 400)
"""Bits of the fractions near ``e^epsilon``; what the last do not tell apart is undecided."""

_SPARE = 32
"""Bits that rounding the exponent and the power may cost, as the exponent has at most 22."""


def fractions_near(epsilon: Epsilon, bits: int = PRECISIONS[-1]) -> tuple[Fraction, Fraction]:
    """Return a fraction at most ``e^epsilon``, and one at least ``e^epsilon``.

    Rounding: outwards.
    """
    exponent = epsilon.rational
    if exponent > LARGEST_EPSILON:
        raise DomainError(
            f"epsilon must be at most {LARGEST_EPSILON}, not {show_value(exponent)}, where "
            "probabilities are irrational"
        )
    with flint.ctx.workprec(bits + _SPARE):
        ball = epsilon.ball().exp()
    ends = interval_of(ball)
    return max(ends.lower, Fraction(1)), ends.upper


@total_ordering
@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Excess:
    """The number ``probability - e^epsilon other``, where ``e^epsilon`` lies in another field.

    Such as the least delta at an epsilon of ``1/4`` if the probabilities have powers of the root of
    3. It is compared with numbers of the field of the probabilities, and with numbers of its own
    kind.

    Attributes
    ----------
    probability : Fraction or Exponential
    epsilon : Epsilon
    other : Fraction or Exponential
        Positive.

    Examples
    --------
    >>> from ccsim.exact.powers import power
    >>> root = power(Fraction(3), Fraction(1, 2))
    >>> found = Excess(root / 2, Epsilon.of("1/4"), root / 4)
    >>> found > Fraction(3, 10), found > root / 5
    (True, False)
    >>> print(found, float(found))
    1/2*3^(1/2) - e^(1/4) (1/4*3^(1/2)) 0.3100260888061969
    """

    probability: Real
    epsilon: Epsilon
    other: Real

    def at(self, factor: Fraction) -> Real:
        """Return the number with another factor in place of ``e^epsilon``."""
        return self.probability - factor * self.other

    def enclose(self, precision: int = 128) -> Interval:
        """Return an interval that certainly contains the number."""
        below, above = map(self.at, fractions_near(self.epsilon, precision))
        ends = (_enclosed(end, precision) for end in (above, below))
        lower, upper = next(ends).lower, next(ends).upper
        return Interval(lower, upper)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Excess) and self._text() == other._text()

    def __hash__(self) -> int:
        return hash(self._text())

    def __lt__(self, other: Real | int | Excess) -> bool:
        """Compare at fractions that are closer and closer to ``e^epsilon``."""
        if self == other:
            return False
        for bits in PRECISIONS:
            if isinstance(other, Excess):
                mine, its = self.enclose(bits), other.enclose(bits)
                signs = {mine.upper < its.lower, not mine.lower > its.upper}
            else:
                signs = {self.at(end) < other for end in fractions_near(self.epsilon, bits)}
            if len(signs) == 1:
                return signs.pop()
        raise NotDecidedError(
            f"{self!r} and {other!r} are not told apart by enclosures of {PRECISIONS[-1]} bits"
        )

    def __float__(self) -> float:
        ends = self.enclose()
        return float((ends.lower + ends.upper) / 2)

    def _text(self) -> tuple[str, Epsilon, str]:
        """Return the terms as they are written, which is in one way."""
        return str(self.probability), self.epsilon, str(self.other)

    def __str__(self) -> str:
        exponent, times = self.epsilon.rational, str(self.epsilon.factor)
        if self.epsilon.root > 1:
            times = f"({times})^(1/{self.epsilon.root})"
        raised = "" if exponent == 1 else f"^{exponent}"
        raised = raised if exponent.denominator == 1 else f"^({exponent})"
        parts = ([times] if times != "1" else []) + ([f"e{raised}"] if exponent else [])
        power = " ".join(parts) or "1"
        return f"{self.probability} - {power} ({self.other})"

    def __repr__(self) -> str:
        whole = f"({self})"
        return whole if len(whole) <= MOST_CHARACTERS else f"({len(whole) - 2} digits and signs)"


def _enclosed(value: Real, precision: int) -> Interval:
    return value.enclose(precision) if isinstance(value, Exponential) else Interval(value, value)
