"""Numbers from Python, NumPy, SymPy, decimals and text; NumPy and SymPy are not imported."""

from __future__ import annotations

import math
import numbers
import operator
import re
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from typing import SupportsIndex, cast

MAX_DIGITS = 4000  # maximum number of digits of a number in an input (Python prints at most 4300)

BLANKS = " \t\r\n"  # what may stand around a number

_INTEGER = re.compile(r"[+-]?[0-9]+")
_POWER = re.compile(r"([+-]?[0-9]+)[eE]\+?0*([0-9]{1,4})")
_RATIO = re.compile(r"([+-]?[0-9]+)[ \t]*/[ \t]*(0*[1-9][0-9]*)")
_DECIMAL = re.compile(r"([+-]?(?:[0-9]+(?:\.[0-9]+)?|\.[0-9]+))(?:[eE]([+-]?)0*([0-9]{1,4}))?")
_DENOMINATOR = 10**6
_SHORT = 32  # characters of a text that is remembered, because tables repeat their numbers


def is_truth_value(value: object) -> bool:
    """Return whether a value is True or False, from Python or NumPy."""
    return isinstance(value, bool) or (
        type(value).__module__ == "numpy" and type(value).__name__ in {"bool", "bool_"}
    )


def is_float(value: object) -> bool:
    """Return whether a value is a float of Python, NumPy or SymPy."""
    return isinstance(value, numbers.Real) and not isinstance(value, numbers.Rational)


def integer_of(value: object) -> int | None:
    """Return the value of an integer of any type, or None if the value is not an integer."""
    if type(value) is int:
        return value
    if isinstance(value, str):
        return _integer_from_text(value)
    if is_truth_value(value):
        return None
    try:
        whole: int = operator.index(cast("SupportsIndex", value))
    except TypeError:
        return None
    return whole


def fraction_of(value: object) -> Fraction | None:
    """Return the rational number given by a value of Python, NumPy or SymPy or by a text, or None.

    Texts are ``12``, ``1/3``, ``1 / 3``, ``+0.5``, ``.5``, ``1e-3``. Floats are not accepted.
    """
    if type(value) is Fraction:
        return value
    if isinstance(value, str):
        return _from_short(value) if len(value) <= _SHORT else _from_text(value)
    if isinstance(value, Decimal):
        _, digits, exponent = value.as_tuple()
        short = isinstance(exponent, int) and len(digits) + abs(exponent) <= MAX_DIGITS
        return Fraction(value) if short else None
    if (whole := integer_of(value)) is not None:
        return Fraction(whole)
    if isinstance(value, numbers.Rational) and not is_truth_value(value):
        return Fraction(int(value.numerator), int(value.denominator))
    return None


def _integer_from_text(value: str) -> int | None:
    """Return the integer written in a text, or None if the text is not an integer."""
    text = value.strip(BLANKS)
    if _INTEGER.fullmatch(text):
        return int(text) if len(text) <= MAX_DIGITS else None
    if (found := _POWER.fullmatch(text)) and len(found[1]) + int(found[2]) <= MAX_DIGITS:
        return int(found[1]) * int(10 ** int(found[2]))
    return None


def _from_text(value: str) -> Fraction | None:
    """Return the rational number written in a text, or None if the text is not a number."""
    text = value.strip(BLANKS)
    if len(text) > MAX_DIGITS:
        return None
    if _INTEGER.fullmatch(text):
        return Fraction(int(text))
    if found := _RATIO.fullmatch(text):
        return Fraction(int(found[1]), int(found[2]))
    if not (found := _DECIMAL.fullmatch(text)):
        return None
    number, exponent = Fraction(found[1]), int(found[3] or 0)
    if len(found[1]) + exponent > MAX_DIGITS:
        return None
    power = int(10**exponent)
    return number / power if found[2] == "-" else number * power


_from_short = lru_cache(maxsize=1 << 12)(_from_text)


def exact_spelling(value: object) -> str:
    """Return advice on how to write exactly the decimal number that a float stands for."""
    number = float(value)  # type: ignore[arg-type]  # a float of some library
    if not math.isfinite(number):
        return repr(number)
    short = Fraction(repr(number) if isinstance(value, float) else str(value))
    simple = Fraction(number).limit_denominator(_DENOMINATOR)
    meant = simple if float(simple) == number else short
    text = str(meant) if meant.denominator <= _DENOMINATOR else str(value)
    text = repr(number) if len(text) > len(repr(number)) + 2 else text
    return f'{number!r}: write "{text}" or Fraction({number!r})'
