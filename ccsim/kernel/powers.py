"""Exact numbers in Q(t), for a power t of e or a root t of a fraction.

A polynomial in ``t = e^(1/root)``, or ``base^(1/root)``, is a list of integer coefficients, the
constant term first, or one integer. It is stored as bounds on its value at t, and its value at ``X
= 2^bits``. If the latter is 0 and all coefficients are below X, the polynomial is 0.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

from .reader import *
from .rules import *


@dataclass(slots=True, eq=False)
class Value:
    """A polynomial: bounds on its value at t, its value at X, and a bound on its coefficients."""

    low: int
    high: int
    image: int
    norm: int

    def __add__(self, other: Value) -> Value:
        low, high, image = self.low + other.low, self.high + other.high, self.image + other.image
        return Value(low, high, image, self.norm + other.norm)

    def __sub__(self, other: Value) -> Value:
        return self + Value(-other.high, -other.low, -other.image, other.norm)

    def __mul__(self, other: Value) -> Value:
        ends = [a * b for a in (self.low, self.high) for b in (other.low, other.high)]
        return Value(min(ends), max(ends), self.image * other.image, self.norm * other.norm)

    def times(self, n: int) -> Value:
        """Return the product with an integer of at least 0."""
        return Value(n * self.low, n * self.high, n * self.image, n * self.norm)


class Powers:
    """The number t, enclosed in units of ``2^-bits``; if t is null, all numbers are fractions."""

    def __init__(self, given: object) -> None:
        none = {"root": 1, "base": None, "bits": 0}
        root, base, bits = fields(none if given is None else given, "root", "base", "bits")
        self.root, self.bits = r, b = integer(root, 1), integer(bits)
        self.terms = 1 if given is None else r if base else 1 << 30
        self.base = c = Fraction(0) if base is None else fraction(base)
        self.title = f", t = {f'({c})' if base else 'e'}^(1/{r})" if given else ""
        require(c > 0 or base is None, "the base of t must be positive")
        size = b + c.numerator.bit_length()
        spend(size * (20 + (r * size >> 8) ** 2 if c else 20 + (b + r.bit_length() >> 6)))
        low, k, term = 0, 0, 1 << b
        while term and not c:  # terms of the series are cut by less than 2; those left out are < 4
            low, k = low + term, k + 1
            term //= r * k
        for place in reversed(range(size if c else 0)):
            next_low = low + (1 << place)
            low = next_low if next_low**r * c.denominator <= c.numerator << b * r else low
        self.low, self.high = [1 << b, low], [1 << b, low + 2 * k + 4]
        self.known = dict[str, Value]()

    def polynomial(self, given: object) -> Value:
        """Read a polynomial; its degree must be below the root if t has a base."""
        listed = each(integer, given, None) if isinstance(given, list) else [integer(given, None)]
        require(len(listed) <= self.terms, "the polynomial must have at most {} terms", self.terms)
        return self.value(*listed)

    def value(self, *listed: int) -> Value:
        """Return a polynomial with its bounds and values."""
        if (key := " ".join(map(hex, listed))) not in self.known:
            n, b = len(listed), self.bits
            spend(n * (20 + (n * b >> 8)))
            while len(self.low) < n:
                spend(20 + (self.high[-1].bit_length() >> 4))
                self.low.append(self.low[-1] * self.low[1] >> b)
                self.high.append(-(-self.high[-1] * self.high[1] >> b))
            spend(n * (self.high[n - 1].bit_length() >> 5) + (n * b >> 5) if n else 0)
            ends = [sorted((c * self.low[k], c * self.high[k])) for k, c in enumerate(listed)]
            low, high = (sum(each_end) for each_end in zip((0, 0), *ends, strict=True))
            norm = sum(map(abs, listed)) * max(self.base.as_integer_ratio())
            image = sum(c << b * k for k, c in enumerate(listed))
            self.known[key] = Value(low, high, image, norm)
        return self.known[key]

    def sign(self, value: Value) -> int:
        """Return the sign of a sum of products, each of the same number of polynomials."""
        if value.low > 0 or value.high < 0 or value.low == value.high:
            return (value.low > 0) - (value.high < 0)
        p, q = self.base.as_integer_ratio()
        shows = 2 * value.norm < 1 << self.bits  # so p < X, and what is divided by is positive
        left = value.image % ((q << self.bits * self.root) - p) if shows and p else value.image
        require(shows and left == 0, "{} bits do not suffice to decide a sign", self.bits)
        return 0

    def number(self, value: object, *, infinite: bool = False) -> Ratio:
        """Read a number that is at least 0: a fraction, a quotient of polynomials, or infinity."""
        title, is_infinite = str(value), infinite and value == "infinity"
        if isinstance(value, dict):
            over, under = map(self.polynomial, fields(value, "over", "under"))
            title = f"{value['over']} / {value['under']}"
        else:
            over, under = map(
                self.value, (1, 0) if is_infinite else fraction(value).as_integer_ratio()
            )
        fits = over.low >= 0 and (under.low > 0 or is_infinite)
        require(fits, "must be at least 0, not {}", title)
        return Ratio(title, over, under)


@dataclass(slots=True)
class Ratio:
    """A quotient. Proved lower bounds never exceed proved upper bounds, so ``>`` is false."""

    title: str
    over: Value = field(compare=False)
    under: Value = field(compare=False)

    def __gt__(self, other: Ratio) -> bool:
        return False

    def __str__(self) -> str:
        return self.title
