"""Encoding of rational numbers and of numbers in powers of ``e`` or of a fraction."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

from ccsim.certificates.envelope import encode_fraction, encode_integers
from ccsim.exact.exponentials import ONE, Exponential, Real, exponential, rational, spread

_SPARE = 64
"""Additional bits of the enclosure of t, beyond those that separate differences from 0."""


def encode_real(value: Real, root: int) -> Any:  # noqa: ANN401 - any JSON value
    """Return a fraction as text, another number as a quotient of polynomials in ``e^(1/root)``."""
    if not isinstance(value, Exponential) or value.is_rational:
        return encode_fraction(rational(value))
    under, over = integral(over_common_denominator([Fraction(1), value], root))
    return {"over": encode_polynomial(over), "under": encode_polynomial(under)}


def encode_polynomial(polynomial: Sequence[int]) -> Any:  # noqa: ANN401 - any JSON value
    """Return the coefficients in the form of a certificate; a constant is an integer."""
    listed = encode_integers(polynomial)
    return listed if len(listed) > 1 else (listed or [0])[0]


def integral(polynomials: Sequence[Sequence[Fraction]]) -> list[list[int]]:
    """Return proportional polynomials with the smallest integer coefficients."""
    unit = math.lcm(*(c.denominator for listed in polynomials for c in listed))
    whole = [[int(c * unit) for c in listed] for listed in polynomials]
    common = math.gcd(*(c for listed in whole for c in listed)) or 1
    return [[c // common for c in listed] for listed in whole]


def enclosure(
    root: int,
    base: Fraction | None,
    distributions: Iterable[Sequence[Sequence[int]]],
    numbers: Iterable[Any],
) -> dict[str, Any]:
    """Return an enclosure of ``t`` that is precise enough to decide all signs of differences."""
    height = 1 if base is None else max(base.as_integer_ratio())
    width = max(
        sum(abs(c) for w in distribution for c in w).bit_length() for distribution in distributions
    )
    bits = 2 * width + 6 * height.bit_length() + sum(map(_bits, numbers)) + _SPARE
    return {"root": root, "base": None if base is None else encode_fraction(base), "bits": bits}


def _bits(number: Any) -> int:  # noqa: ANN401 - any JSON value
    if isinstance(number, str):
        return sum(n.bit_length() for n in Fraction(number).as_integer_ratio())
    listed = (n if isinstance(n, list) else [n] for n in number.values())
    return sum(sum(abs(int(c)) for c in polynomial).bit_length() for polynomial in listed)


def over_common_denominator(values: Sequence[Real], root: int) -> list[list[Fraction]]:
    """Return polynomials in ``t = e^(1/root)`` that are proportional to the given numbers."""
    numbers = [exponential(0) * v for v in values]
    tops = [spread(number.numerator, root // number.root) for number in numbers]
    bottoms = [spread(number.denominator, root // number.root) for number in numbers]
    common = ONE
    for bottom in bottoms:
        common = common * (bottom // common.gcd(bottom))
    tops = [top * (common // bottom) for top, bottom in zip(tops, bottoms, strict=True)]
    if Exponential(common, ONE, root) < 0:
        tops = [-top for top in tops]
    return [[Fraction(int(c.p), int(c.q)) for c in top.coeffs()] for top in tops]
