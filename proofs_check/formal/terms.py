"""Numbers, lists and rows as terms of Rocq."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Any, TypeVar

__all__ = [
    "booleans",
    "integers",
    "listed",
    "naturals",
    "number",
    "optional_booleans",
    "rational",
    "tree",
]

_LABELS = ("points", "concepts", "alice", "bob", "records", "outcomes")

T = TypeVar("T")


def listed(values: Iterable[T], term: Callable[[T], str] = str) -> str:
    """Return a list.

    Examples
    --------
    >>> listed([1, 2])
    '[1; 2]'
    """
    return "[" + "; ".join(map(term, values)) + "]"


def integers(values: Iterable[int | str]) -> str:
    """Return a list of integers.

    Examples
    --------
    >>> integers([1, -2, "9007199254740993"])
    '[1; (-2); 9007199254740993]%Z'
    """
    return listed(map(int, values), lambda v: f"({v})" if v < 0 else str(v)) + "%Z"


def naturals(values: Iterable[int]) -> str:
    """Return a list of natural numbers, in unary: small ones."""
    return listed(values) + "%nat"


def booleans(row: str) -> str:
    """Return a text row as a list of truth values.

    Examples
    --------
    >>> booleans("10")
    '[true; false]'
    """
    return listed(row, {"0": "false", "1": "true"}.__getitem__)


def optional_booleans(row: str) -> str:
    """Return a text row in which a star is outside the promise.

    Examples
    --------
    >>> optional_booleans("1*")
    '[Some true; None]'
    """
    return listed(row, {"0": "Some false", "1": "Some true", "*": "None"}.__getitem__)


def number(row: str) -> str:
    """Return a text row as a number, bit ``x`` for the column ``x``.

    Examples
    --------
    >>> number("011")
    '6'
    """
    return str(int(row[::-1], 2) if row else 0)


def rational(text: str) -> str:
    """Return a fraction.

    Examples
    --------
    >>> rational("-1/2")
    '((-1) # 2)'
    """
    value = Fraction(text)
    top = f"({value.numerator})" if value < 0 else str(value.numerator)
    return f"({top} # {value.denominator})"


def tree(value: Any) -> str:  # noqa: ANN401 - a JSON value
    """Return a JSON value as `proofs_check/rocq/Json.v` has it, without names that mean nothing.

    Of an instance the name is left empty, and labels are replaced by their numbers.

    Examples
    --------
    >>> tree({"weights": [1, 2], "edge": None})
    'Object [("weights"%string, Array [Number 1; Number 2]); ("edge"%string, Null)]'
    """
    if isinstance(value, dict):
        plain = dict(value)
        if "type" in plain:
            plain |= {key: range(len(plain[key])) for key in _LABELS if key in plain}
            plain |= {"name": ""} if "name" in plain else {}
        return "Object " + listed(plain.items(), lambda p: f"({_quoted(p[0])}, {tree(p[1])})")
    if isinstance(value, list | range):
        return "Array " + listed(value, tree)
    if isinstance(value, bool):
        return f"Truth {str(value).lower()}"
    if isinstance(value, int):
        return f"Number ({value})" if value < 0 else f"Number {value}"
    return "Null" if value is None else f"Text {_quoted(value)}"


def _quoted(text: str) -> str:
    return '"' + text.replace('"', '""') + '"%string'
