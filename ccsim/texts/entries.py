"""The meaning of matrix entries in memory and in files (table in `docs/your-own-data.md`).

Each entry becomes one character, its symbol: ``0``, ``1``, ``*`` (outside the promise), or ``-``
for -1 before `settled` is called. In a matrix read with ``signs``, -1 means 1 and 1 means 0.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from numbers import Number
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np

_NUMBERS: Mapping[object, str] = MappingProxyType({0: "0", 1: "1", -1: "-"})
_WORDS: Mapping[str, str] = MappingProxyType(
    {"0": "0", "1": "1", "*": "*"}
    | dict.fromkeys(("False", "false", "FALSE"), "0")
    | dict.fromkeys(("True", "true", "TRUE"), "1")
    | dict.fromkeys(("None", "NaN", "nan", "NA", "<NA>"), "*")
)
_NUMBER = re.compile(r"([+-]?)([01])(?:\.0*)?(?:[eE][+-]?0+)?")
"""Numbers with one digit; ``01`` is excluded, as it may be a row of two entries."""
_EXACT = frozenset("biuf")  # kinds of arrays whose entries are truth values or real numbers
_TO_VALUES: Mapping[int, str] = MappingProxyType({ord("1"): "0", ord("-"): "1"})
_LONGEST = 64


def symbol_of(entry: object) -> str | None:
    """Return the symbol of an entry of any type, or None if it is not a valid entry."""
    kind = type(entry)
    if kind is int or kind is bool:
        return _NUMBERS.get(entry)
    if isinstance(entry, str):
        return symbol_of_text(entry)
    if entry is None or kind.__name__ in {"NAType", "MaskedConstant"}:
        return "*"
    return _symbol_of_number(entry) if _is_real(entry) else None


def symbol_of_text(text: str) -> str | None:
    """Return the symbol of an entry written as text, or None if it is not a valid entry."""
    known = _WORDS.get(text)
    if known is not None:
        return known
    stripped = text.strip()
    if stripped != text and stripped in _WORDS:
        return _WORDS[stripped]
    found = _NUMBER.fullmatch(stripped) if len(stripped) <= _LONGEST else None
    if found is None:
        return None
    return "0" if found[2] == "0" else "-" if found[1] == "-" else "1"


def _is_real(entry: object) -> bool:
    """Return whether an object is a real number; complex numbers, dates and times are not."""
    dtype = getattr(entry, "dtype", None)
    if dtype is not None:  # a number of numpy, or of what is like it
        return getattr(entry, "shape", None) == () and getattr(dtype, "kind", "f") in _EXACT
    is_number = isinstance(entry, Number) or hasattr(type(entry), "__index__")
    return is_number and not isinstance(entry, complex)


def _symbol_of_number(number: object) -> str | None:
    try:
        for value, symbol in _NUMBERS.items():
            if bool(number == value):
                return symbol
        return "*" if bool(number != number) else None  # noqa: PLR0124 - nan
    except (TypeError, ValueError, ArithmeticError):  # without a truth value, or a signalling nan
        return None


def array_symbols(array: np.ndarray[Any, Any], spend: Callable[[], object]) -> Any:  # noqa: ANN401
    """Return the codes of the symbols of an array of bools, real numbers or text."""
    import numpy as np

    symbols = np.zeros(array.shape, np.uint8)
    data, kind = np.asarray(np.ma.getdata(array)), array.dtype.kind
    if kind in "US":
        for text in "01*":
            spend()
            symbols[data == (text if kind == "U" else text.encode())] = ord(text)
        others = symbols == 0
        if others.any():
            spend()
            values, places = np.unique(data[others], return_inverse=True)
            known = [ord(_symbol_of_item(value) or "\0") for value in values]
            symbols[others] = np.array(known, np.uint8)[places]
    else:
        for value, symbol in zip((0, 1, -1) if kind in "if" else (0, 1), "01-", strict=False):
            spend()
            symbols[data == value] = ord(symbol)
        if kind == "f":
            symbols[np.isnan(data)] = ord("*")
    if np.ma.isMaskedArray(array):
        symbols[np.ma.getmaskarray(array)] = ord("*")
    return symbols


def _symbol_of_item(item: Any) -> str | None:  # noqa: ANN401 - text of numpy
    try:
        return symbol_of_text(item.decode("ascii") if isinstance(item, bytes) else str(item))
    except ValueError:  # numpy stores what is not a character of any text
        return None


def settled(
    rows: Sequence[str], refusal: Callable[[int, int, str], Exception], hint: str, *, signs: bool
) -> tuple[str, ...]:
    """Return rows of symbols in which signs are converted to 0 and 1, or refused."""
    if signs:
        for i, row in enumerate(rows):
            if (x := row.find("0")) >= 0:
                raise refusal(i, x, "with signs, every entry must be -1 or 1")
        return tuple(row.translate(_TO_VALUES) for row in rows)
    for i, row in enumerate(rows):
        if (x := row.find("-")) >= 0:
            if any("0" in each for each in rows):
                help_ = "write * for an entry outside the promise"
            else:
                help_ = f"use {hint} to read a matrix of -1 and 1, where -1 means 1 as in (-1)^f"
            raise refusal(i, x, help_)
    return tuple(rows)


def text_mask(row: str, symbols: str) -> int:
    """Return the bit mask of the columns of a text row that contain a given symbol."""
    digits = {ord(entry): "1" if entry in symbols else "0" for entry in "01*"}
    return int(row[::-1].translate(digits) or "0", 2)
