"""Readers of the values of a certificate: each converts a JSON value or rejects it.

A set of concepts, points or inputs is an integer; bit ``i`` is set if ``i`` is a member. A law, or
distribution, is a list of integer weights of at least 0, not all 0, divided by their sum.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from hashlib import sha256
from typing import Annotated, Any, TypeVar

MAX_DIGITS = 4000  # maximum number of digits of an integer, a numerator or a denominator
MAX_NAME = 1 << 16  # maximum number of characters of a name or a label
LARGE = 1 << 53  # integers from here on are texts, because not every reader of JSON keeps them

T = TypeVar("T")
_INTEGER = re.compile(f"-?[1-9][0-9]{{15,{MAX_DIGITS - 1}}}")
_FRACTION = re.compile("-?(0|[1-9]N)(/[1-9]N)?".replace("N", f"[0-9]{{,{MAX_DIGITS - 1}}}"))
_LABELS = ("points", "concepts", "labels", "alice", "bob", "records", "outcomes")


class Rejected(Exception):  # noqa: N818 - a verdict, not an accident
    """The certificate does not prove its statement; the message names the place and the rule."""

    def __init__(self, rule: str, *values: object) -> None:
        super().__init__(rule.format(*map(show, values)))
        self.place: list[str | int] = []  # from the inside outwards

    def __str__(self) -> str:
        keys = (f".{key}" if isinstance(key, str) else f"[{key}]" for key in reversed(self.place))
        place = "".join(keys).removeprefix(".") or "certificate"
        place = place if len(place) <= 100 else f"{place[:50]}...{place[-50:]}"
        return f"{place}: {self.args[0]}"


def show(value: object) -> str:
    """Describe any value in a few words, without recursion; this never fails."""
    if isinstance(value, str):
        return ascii(value[:60]) + f"... of {len(value)} characters" * (len(value) > 60)
    if isinstance(value, int | Fraction) and not isinstance(value, bool):
        bits = max(value.numerator.bit_length(), value.denominator.bit_length())
        return str(value) if bits < 3.5 * MAX_DIGITS else f"a number of {bits} bits"
    kind = {dict: "an object", list: "a list", type(None): "null"}.get(type(value))
    return kind or (str(value).lower() if isinstance(value, bool) else str(value)[:600])


def digest(value: object) -> str:
    """Return the SHA-256 of canonical JSON, for instances without name and with label counts."""
    if isinstance(value, dict) and "type" in value:
        plain = {key: part for key, part in value.items() if key != "name"}
        value = plain | {key: len(value[key]) for key in _LABELS if key in value}
    return sha256(json.dumps(value, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def require(fact: object, rule: str, *values: object) -> None:
    """Reject unless `fact` is true; the values fill the braces of the rule."""
    if not fact:
        raise Rejected(rule, *values)


def inside(key: str | int, read: Callable[..., T], *values: object) -> T:
    """Call a function; if it rejects, add the key to the place of the error."""
    try:
        return read(*values)
    except Rejected as error:
        error.place.append(key)
        raise


def each(read: Callable[..., T], data: object, *more: object, length: int | None = None) -> list[T]:
    """Read every entry of a list with the same reader; check the length if one is given."""
    return [inside(i, read, entry, *more) for i, entry in enumerate(entries(data, length))]


def entries(value: object, length: int | None = None) -> list[Any]:
    """Read a list, and check its length if one is given."""
    if not isinstance(value, list):
        raise Rejected("must be a list, not {}", value)
    rule = "must have {} entry, not {}" if length == 1 else "must have {} entries, not {}"
    require(length in (None, len(value)), rule, length, len(value))
    return value


def fields(value: object, *keys: str) -> list[Any]:
    """Read an object with exactly these keys, and return its values."""
    if not isinstance(value, dict):
        raise Rejected("must be an object, not {}", value)
    for key in keys:
        require(key in value, "key {} is missing", key)
    for key in value:
        require(key in keys, "unknown key {}", key)
    return [value[key] for key in keys]


def integer(value: object, least: int | None = 0) -> int:
    """Read an integer, which is written as text of digits from 2^53 on."""
    if isinstance(value, str) and _INTEGER.fullmatch(value) and abs(int(value)) >= LARGE:
        value = int(value)
    elif type(value) is not int or abs(value) >= LARGE:  # True is an int to Python, not here
        raise Rejected("must be an integer (in quotes from 2^53 on), not {}", value)
    require(least is None or value >= least, f"must be at least {least}, not {{}}", value)
    return value


def index(value: object, bound: int) -> int:
    """Read an index from 0 to ``bound - 1``."""
    if type(value) is not int or not 0 <= value < bound:
        raise Rejected(f"must be an index below {bound}, not {{}}", value)
    return value


def indices(value: object, bound: int, length: int | None = None) -> list[int]:
    """Read a list of indices; all of them are checked at once for speed."""
    found = entries(value, length)
    if not set(map(type, found)) <= {int} or (found and not 0 <= min(found) <= max(found) < bound):
        each(index, found, bound)
    return found


def distinct(value: object, bound: int, length: int | None = None) -> list[int]:
    """Read distinct indices below `bound`; a list of `bound` indices is a permutation."""
    order = sorted(found := indices(value, bound, length))
    require(all(map(int.__lt__, order, order[1:])), "an index occurs twice")
    return found


def choice(value: object, names: Collection[str]) -> str:
    """Read a text that must be one of the given names."""
    if not isinstance(value, str) or value not in names:
        raise Rejected(f"must be {' or '.join(names)}, not {{}}", value)
    return value


def fraction(value: object, most: int | None = None) -> Fraction:
    """Read ``"p/q"`` in lowest terms, or ``"p"``; if `most` is given, it must be in [0, most]."""
    if not isinstance(value, str) or not _FRACTION.fullmatch(value):
        raise Rejected(f'must be a fraction "p/q" of at most {MAX_DIGITS} digits, not {{}}', value)
    found = Fraction(value)
    require(str(found) == value, "must be in lowest terms: {}", found)
    require(most is None or 0 <= found <= most, f"must lie between 0 and {most}, not {{}}", found)
    return found


def law(value: object, length: int | None) -> list[int]:
    """Read integer weights of at least 0, not all 0."""
    require(any(weights := each(integer, value, length=length)), "the weights must not all be 0")
    return weights


def text(value: object, width: int, alphabet: str = "01") -> str:
    """Read a text of the given length over an alphabet."""
    if not isinstance(value, str) or len(value) != width or value.strip(alphabet):
        raise Rejected(f"must be a text of {width} characters from {alphabet!r}, not {{}}", value)
    return value


def ones(row: str) -> int:
    """Return, as an integer, the set of columns in which a row, given as text, has 1."""
    return int(row[::-1].replace("*", "0"), 2) if row else 0


def subset(value: object, width: int) -> int:
    """Read a row as text; return the set of columns in which it has 1."""
    return ones(text(value, width))


def naming(value: object) -> str:
    """Read a name."""
    if not isinstance(value, str) or len(value) > MAX_NAME:
        raise Rejected(f"must be a text of at most {MAX_NAME} characters, not {{}}", value)
    return value


def labels(value: object) -> int:
    """Read distinct labels, which are names or integers, and return their number."""
    numbers = different(label for label in entries(value) if type(label) is int)
    texts = {naming(label) for label in entries(value) if type(label) is not int}
    require(len(texts) + len(numbers) == len(entries(value)), "a label occurs twice")
    return len(entries(value))


def different(values: Iterable[int]) -> dict[str, int]:
    """Return distinct integers, keyed by text, as hash collisions of integers are easy to find."""
    return {hex(value): value for value in values}


def members(subset: int) -> Iterator[int]:
    """Yield the elements of a set in increasing order."""
    digits, element = bin(subset)[:1:-1], -1
    while (element := digits.find("1", element + 1)) >= 0:
        yield element


@dataclass
class Matrix:
    """A matrix: the ones of each row and column, and the columns in which each row is defined."""

    title: str
    texts: list[str]
    width: int
    rows = cached_property(lambda F: [*map(ones, F.texts)])
    columns = cached_property(lambda F: [*map(ones, F.across())])
    defined = cached_property(lambda F: [ones(line.replace("0", "1")) for line in F.texts])

    def across(self) -> list[str]:
        """Return the texts of the columns."""
        return [t[y :: self.width] for t in ["".join(self.texts)] for y in range(self.width)]

    @classmethod
    def read(cls, value: object, *kinds: str) -> Matrix:
        """Read a concept class, a partial concept class or a communication problem."""
        is_class = isinstance(value, dict) and str(value.get("type")).endswith("concept class")
        names = ("concepts", "points") if is_class else ("alice", "bob")
        kind, name, *named, rows = fields(value, "type", "name", *names, "rows")
        kind, name = inside("type", choice, kind, kinds), inside("name", naming, name)
        height, width = map(inside, names, (labels, labels), named)
        alphabet = "01" if kind == "concept class" else "01*"
        texts = inside("rows", lambda: each(text, rows, width, alphabet, length=height))
        total = is_class or any(row.strip("*") for row in texts)
        require(total, "at least one entry must lie inside the promise")
        require(not is_class or len(set(texts)) == height, "a concept occurs twice")
        return cls(f"a {height} x {width} {kind}, sha256 {digest(value)[:16]}", texts, width)

    def cell(self, value: object) -> tuple[int, int]:
        """Read an input ``[x, y]`` inside the promise."""
        x, y = map(index, entries(value, 2), (len(self.rows), self.width))
        require(self.defined[x] >> y & 1, f"input {(x, y)} is outside the promise")
        return x, y


# What the fields of statements and proofs are: a reader takes the value and the quantity it is for.
Class = Annotated[Matrix, lambda value, _: Matrix.read(value, "concept class")]
Problem = Annotated[Matrix, lambda value, _: Matrix.read(value, "communication problem")]
Raw = Annotated[Any, lambda value, _: value]
Natural = Annotated[int, lambda value, _: integer(value)]
Positive = Annotated[int, lambda value, _: integer(value, 1)]
Number = Annotated[Fraction, lambda value, _: fraction(value)]
Probability = Annotated[Fraction, lambda value, _: fraction(value, 1)]
Entries = Annotated[list[Any], lambda value, _: entries(value)]
Row = Annotated[int, lambda value, it: index(value, len(it.instance.rows))]
Rows = Annotated[list[int], lambda value, it: distinct(value, len(it.instance.rows))]
Columns = Annotated[list[int], lambda value, it: distinct(value, it.instance.width)]
ColumnLaw = Annotated[list[int], lambda value, it: law(value, it.instance.width)]
