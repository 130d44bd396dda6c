"""Numbers, lists and rows as terms of Rocq.

Rocq takes much longer to read a term than to compute with it: a tenth of a millisecond for a number
or a short text. Lists of more than about ten thousand entries overflow its stack. Therefore long
lists are written in parts, and lists of numbers and text rows as bytes (`rocq/rules/Packed.v`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import Any, TypeGuard, TypeVar

__all__ = [
    "booleans",
    "integers",
    "labels",
    "listed",
    "masks",
    "naturals",
    "optional_booleans",
    "rational",
    "tree",
]

_LABELS = ("points", "concepts", "labels", "alice", "bob", "records", "outcomes")

_LONG = 256  # entries of a list that is written in parts, or as bytes
_MANY = 4096  # bytes of one part, or characters of text rows that are written as bytes

T = TypeVar("T")


def listed(values: Iterable[T], term: Callable[[T], str] = str) -> str:
    """Return a list of values as a term.

    Examples
    --------
    >>> listed([1, 2])
    '[1; 2]'
    """
    terms = [term(value) for value in values]
    parts = [terms[i : i + _LONG] for i in range(0, len(terms), _LONG)]
    written = ["[" + "; ".join(part) + "]" for part in parts or [[]]]
    return f"(concat {listed(written)})" if len(written) > 1 else written[0]


def integers(values: Iterable[int | str]) -> str:
    """Return a list of integers as a term.

    Examples
    --------
    >>> integers([1, -2, "9007199254740993"])
    '[1; (-2); 9007199254740993]%Z'
    """
    return listed(map(int, values), lambda v: f"({v})" if v < 0 else str(v)) + "%Z"


def naturals(values: Iterable[int]) -> str:
    """Return a list of small natural numbers as a term, in unary."""
    return listed(values) + "%nat"


def masks(texts: Sequence[str]) -> str:
    """Return text rows as a term: a list of numbers whose bit ``x`` is column ``x``.

    Examples
    --------
    >>> masks(["011", "100"])
    '[6; 1]%N'
    """
    values = [int(row[::-1], 2) if row else 0 for row in texts]
    if not _are_many_rows(texts):
        return listed(values) + "%N"
    size, parts = _packed(values)
    return f"(packed {size - 1} {parts})"


def _are_many_rows(texts: Sequence[Any]) -> TypeGuard[Sequence[str]]:
    """Return whether values are enough binary texts of one width to be written as bytes."""
    if not texts or not all(isinstance(text, str) for text in texts):
        return False
    whole, width = "".join(texts), len(texts[0])
    equal = all(len(text) == width for text in texts)
    return len(whole) >= _MANY and equal and set(whole) <= {"0", "1"}


def _packed(values: Sequence[int]) -> tuple[int, str]:
    """Return the number of bytes for each number, and the numbers as nested blocks of bytes."""
    size = max(1, -(-max(values).bit_length() // 8))
    data = b"".join(value.to_bytes(size, "big") for value in values)
    parts = [data[i : i + _MANY] for i in range(0, len(data), _MANY)]
    return size, listed(parts, _blocks)


def _blocks(data: bytes) -> str:
    names = [f"x{byte:02x}" for byte in data]
    whole = len(names) // 16 * 16
    blocks = ["(Block " + " ".join(names[i : i + 16]) for i in range(0, whole, 16)]
    blocks += [f"(One {name}" for name in names[whole:]]
    return " ".join([*blocks, "End"]) + ")" * len(blocks)


def booleans(row: str) -> str:
    """Return a text row as a term: a list of truth values.

    Examples
    --------
    >>> booleans("10")
    '[true; false]'
    """
    return listed(row, {"0": "false", "1": "true"}.__getitem__)


def optional_booleans(row: str) -> str:
    """Return a text row as a term, with ``*`` for entries outside the promise.

    Examples
    --------
    >>> optional_booleans("1*")
    '[Some true; None]'
    """
    return listed(row, {"0": "Some false", "1": "Some true", "*": "None"}.__getitem__)


def labels(row: str | Sequence[int]) -> str:
    """Return a row of labels as a term; a text row has labels 0 and 1, and ``*`` for no label.

    Examples
    --------
    >>> labels("1*"), labels([2, 0])
    ('[Some 1; None]', '[Some 2; Some 0]')
    """
    return listed(row, lambda label: "None" if label == "*" else f"Some {label}")


def rational(text: str) -> str:
    """Return a fraction as a term.

    Examples
    --------
    >>> rational("-1/2")
    '((-1) # 2)'
    """
    value = Fraction(text)
    top = f"({value.numerator})" if value < 0 else str(value.numerator)
    return f"({top} # {value.denominator})"


def tree(value: Any) -> str:  # noqa: ANN401 - a JSON value
    """Return a JSON value as a term of `proofs_check/rocq/Json.v`, without names of instances.

    The name of an instance is empty, and labels are replaced by their numbers.

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
        return _array(value)
    if isinstance(value, bool):
        return f"Truth {str(value).lower()}"
    if isinstance(value, int):
        return f"Number ({value})" if value < 0 else f"Number {value}"
    return "Null" if value is None else f"Text {_quoted(value)}"


def _array(values: list[Any] | range) -> str:
    """Return an array as a term: long ranges by their length, long lists as bytes."""
    if isinstance(values, range) and len(values) > _LONG:
        return f"indices {len(values)}"
    if _are_many_rows(values):
        size, parts = _packed([int(row[::-1], 2) for row in values])
        return f"texts {len(values[0])} {size - 1} {parts}"
    is_plain = set(map(type, values)) == {int} and 0 <= min(values) <= max(values) < 1 << 53
    if len(values) > _LONG and is_plain:
        size, parts = _packed(values)
        return f"numbers {size - 1} {parts}"
    return "Array " + listed(values, tree)


def _quoted(text: str) -> str:
    return '"' + text.replace('"', '""') + '"%string'
