"""Certificates for problems given by their family and size, without a table."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from ccsim.arguments.numbers import MAX_DIGITS
from ccsim.certificates import Certificate
from ccsim.certificates.envelope import encode_fraction, encode_integers
from ccsim.errors import InstanceTooLargeError

_MOST_BITS = MAX_DIGITS * 3321928 // 10**6  # a little less than log2 10 for each digit


def check_digits(*numbers: Fraction | int) -> None:
    """Raise `InstanceTooLargeError` if a number is too long for a certificate."""
    bits = max(max(map(int.bit_length, q.as_integer_ratio())) for q in numbers)
    if bits > _MOST_BITS:
        digits = bits * 30103 // 10**5 + 1
        raise InstanceTooLargeError(
            f"numbers in a certificate must have at most {MAX_DIGITS} digits, not about {digits}"
        )


def family_certificate(
    family: str,
    size: int,
    messages: int,
    lower: tuple[Fraction, dict[str, Any]] | None,
    upper: tuple[Fraction, dict[str, Any]] | None,
) -> Certificate:
    """Return a certificate of kind ``family_error``."""
    n, k = encode_integers([size, messages])
    bounds = [side and encode_fraction(side[0]) for side in (lower, upper)]
    return Certificate(
        "family_error",
        {"type": family, "name": f"{family.replace(' ', '_')}:{n}", "size": n},
        {"messages": k, "lower": bounds[0], "upper": bounds[1]},
        lower and lower[1],
        upper and upper[1],
    )
