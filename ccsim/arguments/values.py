"""Values as they are shown in messages."""

from __future__ import annotations

import numbers
from fractions import Fraction

_LONGEST_TEXT = 40
_LONGEST_NUMBER = 64


def with_article(name: str) -> str:
    """Return a name with the article ``a`` or ``an``."""
    return f"an {name}" if name[0] in "aeiouAEIU" else f"a {name}"


def show_value(value: object) -> str:
    """Return a value as text for messages; if it is too long, its type or size."""
    if isinstance(value, Fraction) and value.denominator != 1:
        long = max(value.numerator.bit_length(), value.denominator.bit_length())
        return f"a fraction of {long} bits" if long > _LONGEST_NUMBER else str(value)
    if isinstance(value, int | Fraction) and not isinstance(value, bool):
        bits = int(value).bit_length()
        return f"a number of {bits} bits" if bits > _LONGEST_NUMBER else str(value)
    if isinstance(value, str):
        return repr(value[:_LONGEST_TEXT])
    if value is None or isinstance(value, bool | numbers.Number):
        return repr(value)
    if isinstance(value, type):
        return f"the type {value.__name__}"
    return with_article(type(value).__name__)
