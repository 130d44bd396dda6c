"""The kernel's checks of privacy where probabilities are quotients of polynomials in a number t.

It is e^(1/r), or the r-th root of a fraction.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

from .parts import Claim, Part, products, show, size, times
from .privacy import Mechanism

__all__ = ["exponential_privacy"]

MAX_COEFFICIENTS = 4096  # of a polynomial
MAX_TERMS = 4096  # of the exponential series
MAX_BITS = 1 << 18  # of a power of the root of a fraction

_Polynomial = tuple[Fraction, ...]  # in t, from the constant term up, no zero at the end
_Quotient = tuple[_Polynomial, _Polynomial]
_ONE: _Polynomial = (Fraction(1),)


@dataclass(slots=True)
class _Powers:
    """The number t = e^(1/root), or base^(1/root), enclosed as closely as a sign demands."""

    root: int
    base: Fraction | None = None
    known: dict[int, tuple[int, int]] = field(default_factory=dict)

    def enclose(self, terms: int) -> tuple[int, int]:
        """Return bounds on t from so many terms, in units of 8 bits for each of them.

        What is left out is at most twice the next term, and terms are cut off to units, which
        takes less than 2 units from any. A root of the base is cut off too.
        """
        if terms not in self.known and self.base is not None:
            power = self.base.numerator << 8 * terms * self.root
            low = _whole_root(power // self.base.denominator, self.root)
            self.known[terms] = low, low + 1
        elif terms not in self.known:
            low, term = 0, 1 << 8 * terms
            for k in range(1, terms + 1):
                low, term = low + term, term // (self.root * k)
            self.known[terms] = low, low + 2 * terms + 2 * (term + 2)
        return self.known[terms]

    def sign(self, polynomial: _Polynomial, at: Part) -> int:
        """Return the sign of a polynomial at t, which is 0 only if its normal form is 0."""
        polynomial = self.normal(polynomial, at)
        if not polynomial:
            return 0
        _, coefficients = at.scaled(polynomial)
        above = [max(c, 0) for c in coefficients]
        below = [max(-c, 0) for c in coefficients]
        terms, length, width = 16, len(polynomial), size(*coefficients)
        while True:
            at.require(terms <= MAX_TERMS, "a sign shows only with more than {} terms", MAX_TERMS)
            unit = 8 * terms
            if self.base is not None:
                bits = self.root * (unit + self.base.numerator.bit_length())
                at.require(bits <= MAX_BITS, "too large to recompute")
                at.afford((unit + size(self.base)) * (2 + 2 * products(bits)))
            at.afford(terms * (10 + times(unit, size(self.root) + 12)))
            at.afford(length * (50 + 4 * times(length * unit + width, unit)))
            low, high = self.enclose(terms)
            if _value(above, low, unit) > _value(below, high, unit):
                return 1
            if _value(above, high, unit) < _value(below, low, unit):
                return -1
            terms *= 2

    def normal(self, polynomial: _Polynomial, at: Part) -> _Polynomial:
        """Return the polynomial of degree below the root that has the same value, if t has a base.

        It is 0 only if its coefficients are, because x^root - base has no factor.
        """
        if self.base is None:
            return polynomial
        wide = size(self.base) * (len(polynomial) // self.root) + _width(at, polynomial)
        at.afford(len(polynomial) * (40 + times(wide, wide)))
        total = [Fraction(0)] * min(self.root, len(polynomial))
        for k, c in enumerate(polynomial):
            total[k % self.root] += c * self.base ** (k // self.root)
        return _trimmed(total)


def _read_powers(root: Part, bases: list[Part]) -> _Powers:
    """Read what t is: a root of e, or of a fraction above 1 that is no power dividing the root."""
    degree = root.integer(1)
    if not bases:
        return _Powers(degree)
    root.require(degree <= MAX_COEFFICIENTS, "too large to recompute")
    (part,) = bases
    base = part.fraction()
    part.require(base > 1, "must be above 1, not {}", base)
    for k in range(2, degree + 1):
        ends = base.numerator, base.denominator
        part.afford(5 + (size(base) * products(size(base)) // k if degree % k == 0 else 0))
        is_power = degree % k == 0 and all(_whole_root(n, k) ** k == n for n in ends)
        part.require(
            not is_power, "must be no power of a fraction whose exponent divides {}", degree
        )
    return _Powers(degree, base)


def _whole_root(number: int, degree: int) -> int:
    """Return the largest integer whose power is at most a positive number."""
    low, high = 0, 1 << -(-number.bit_length() // degree)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if middle**degree <= number else (low, middle)
    return low


def _value(coefficients: list[int], t: int, unit: int) -> int:
    """Return the value at ``t / 2^unit``, times a power of two that is the same for all t."""
    total, scale = 0, 0
    for c in reversed(coefficients):
        total, scale = total * t + (c << scale), scale + unit
    return total


def _trimmed(coefficients: list[Fraction]) -> _Polynomial:
    while coefficients and not coefficients[-1]:
        coefficients.pop()
    return tuple(coefficients)


def _sum(at: Part, *polynomials: _Polynomial) -> _Polynomial:
    wide = sum(_width(at, polynomial) for polynomial in polynomials)
    at.afford(sum(map(len, polynomials)) * (20 + times(wide, wide)))
    total = [Fraction(0)] * max(map(len, polynomials), default=0)
    for polynomial in polynomials:
        for k, c in enumerate(polynomial):
            total[k] += c
    return _trimmed(total)


def _width(at: Part, polynomial: _Polynomial) -> int:
    """Return the bits of the coefficients over their common denominator."""
    unit = at.common(polynomial).bit_length()
    return unit + max(map(size, polynomial), default=0)


def _product(at: Part, *factors: _Polynomial) -> _Polynomial:
    found, wide = [Fraction(1)], 0
    for factor in factors:
        wide += _width(at, factor)
        at.afford(len(found) * len(factor) * (40 + times(wide, wide)))
        longer = [Fraction(0)] * (len(found) + len(factor))
        for i, a in enumerate(found):
            for k, c in enumerate(factor):
                longer[i + k] += a * c
        found = longer
    return _trimmed(found)


def _minus(polynomial: _Polynomial) -> _Polynomial:
    return tuple(-c for c in polynomial)


def _read(part: Part, powers: _Powers) -> _Polynomial:
    coefficients = [entry.fraction() for entry in part.entries()]
    part.require(len(coefficients) <= MAX_COEFFICIENTS, "too large to recompute")
    short = powers.base is None or len(coefficients) <= powers.root
    part.require(short, "must have a degree below {}", powers.root)
    part.require(not coefficients or coefficients[-1], "the last coefficient must not be 0")
    return tuple(coefficients)


@dataclass(slots=True)
class _Laws:
    """Laws in proportion to weights; equal ones have the same number."""

    weights: list[tuple[_Polynomial, ...]]
    factor: _Polynomial
    place: Part
    number: list[int] = field(init=False)
    sums: list[_Polynomial] = field(init=False)

    def __post_init__(self) -> None:
        numbers: dict[tuple[_Polynomial, ...], int] = {}
        self.number = [numbers.setdefault(law, len(numbers)) for law in self.weights]
        self.sums = [_sum(self.place, *law) for law in numbers]

    def differences(self, i: int, j: int) -> list[_Polynomial]:
        """Return p - factor q of each outcome, times both sums of weights."""
        left = self.sums[self.number[j]]
        right = _minus(_product(self.place, self.factor, self.sums[self.number[i]]))
        pairs = zip(self.weights[i], self.weights[j], strict=True)
        return [
            _sum(self.place, _product(self.place, a, left), _product(self.place, b, right))
            for a, b in pairs
        ]

    def above(self, i: int, j: int, parts: list[_Polynomial], bound: _Quotient) -> _Polynomial:
        """Return by how much differences sum to more than a bound, times what is below the bar."""
        over, under = bound
        sums = self.sums[self.number[i]], self.sums[self.number[j]]
        at = self.place
        reached = _product(at, _sum(at, *parts), under)
        return _sum(at, reached, _product(at, _minus(over), *sums))


def _read_weights(M: Mechanism, powers: _Powers) -> list[tuple[_Polynomial, ...]]:
    """Read weights of at least 0 for each database, not all 0."""
    laws, known = [], set[_Polynomial]([()])
    for part in M.laws:
        law = []
        for entry in part.entries(M.outcomes):
            law.append(_read(entry, powers))
            if law[-1] not in known:
                entry.require(powers.sign(law[-1], entry) > 0, "this weight is negative")
                known.add(law[-1])
        part.require(any(law), "all weights are 0")
        laws.append(tuple(law))
    return laws


def _shown(polynomial: _Polynomial) -> str:
    terms = [f"{show(c)} t^{k}" if k else show(c) for k, c in enumerate(polynomial) if c]
    return " + ".join(terms) or "0"


def _said(bound: _Quotient) -> str:
    over, under = bound
    return _shown(over) if under == _ONE else f"({_shown(over)}) / ({_shown(under)})"


def _bound(part: Part, powers: _Powers) -> _Quotient:
    """Read a fraction, or a quotient of two polynomials."""
    if not isinstance(part.value, dict):
        return _trimmed([part.probability()]), _ONE
    numerator, denominator = part.fields("over", "under")
    over, under = _read(numerator, powers), _read(denominator, powers)
    numerator.require(powers.sign(over, numerator) >= 0, "must be at least 0")
    denominator.require(powers.sign(under, denominator) > 0, "must be positive")
    return over, under


def _bounds(
    stated: list[Part], lower: Part, upper: Part, powers: _Powers
) -> tuple[_Quotient | None, _Quotient | None, str]:
    """Read the bounds of the statement and say them; each is null exactly when its proof is."""
    found: list[_Quotient | None] = []
    for part, proof in zip(stated, (lower, upper), strict=True):
        rule = "must be null exactly when its proof is"
        part.require((part.value is None) == (proof.value is None), rule)
        found.append(None if part.value is None else _bound(part, powers))
    least, most = found
    if least is None or most is None:
        claims = [f"at {which} {_said(b)}" for which, b in (("least", least), ("most", most)) if b]
        return least, most, "".join(claims)
    at = stated[0]
    crossed = _product(at, least[0], most[1]), _minus(_product(at, most[0], least[1]))
    apart = _sum(at, *crossed)
    sign = powers.sign(apart, stated[0])
    stated[0].require(sign <= 0, f"lower {_said(least)} is above upper {_said(most)}")
    between = f"between {_said(least)} and {_said(most)}"
    return least, most, between if sign else f"exactly {_said(most)}"


def exponential_privacy(instance: Part, statement: Part, lower: Part, upper: Part) -> Claim:
    """Check bounds on the least delta with which a mechanism is private."""
    M, (degree, *bases) = Mechanism.read(instance, "root", *["base"] * instance.has("base"))
    powers = _read_powers(degree, bases)
    *stated, ratio = statement.fields("lower", "upper", "factor")
    laws = _Laws(_read_weights(M, powers), _read(ratio, powers), M.listed)
    at_least_one = powers.sign(_sum(ratio, laws.factor, (Fraction(-1),)), ratio) >= 0
    ratio.require(at_least_one, "must be at least 1")
    least, most, claim = _bounds(stated, lower, upper, powers)
    if least is not None and (least[0] or lower.value != {}):
        i, j, event = M.event(lower)
        each = laws.differences(i, j)
        found = laws.above(i, j, [each[o] for o in event], least)
        rule = f"the difference for this event is not the stated {_said(least)}"
        lower.require(not powers.normal(found, lower), rule)
    if most is not None:
        upper.fields()
        reached, seen = not most[0], set()
        for i, j in M.neighbours:
            if (pair := (laws.number[i], laws.number[j])) not in seen:
                seen.add(pair)
                likelier = [d for d in laws.differences(i, j) if powers.sign(d, M.laws[i]) > 0]
                found = laws.above(i, j, likelier, most)
                rule = f"the largest difference for databases {i} and {j} is above the stated bound"
                sign = powers.sign(found, M.laws[i])
                M.listed.require(sign <= 0, rule)
                reached = reached or sign == 0
        rule = f"the largest difference is below the stated {_said(most)}"
        M.listed.require(reached, rule)
    what = f"exponential_privacy on {M.databases}, {instance.identity()}"
    base = "e" if powers.base is None else f"({show(powers.base)})"
    what = f"{what}, t = {base}^(1/{show(powers.root)})"
    return f"{what}, e^epsilon = {_shown(laws.factor)}, delta", claim
