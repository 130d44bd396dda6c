"""Parts of a certificate, each a value with its place, and the work that a check may do."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from hashlib import sha256
from typing import NoReturn, TypeVar

__all__ = ["Rejected", "digest"]

MAX_DIGITS = 4000  # of an integer, a numerator or a denominator
MAX_WORK = 1 << 28  # steps of a check: tenths of a microsecond or so, or 8 bytes that are kept
MAX_PLACE = 100  # characters of a place that are printed

_FRACTION = re.compile("-?(0|[1-9]N)(/[1-9]N)?".replace("N", f"[0-9]{{,{MAX_DIGITS - 1}}}"))
_Number = TypeVar("_Number", int, Fraction)
Claim = tuple[str, str]  # the quantity, and its bounds
_LABELS = ("points", "concepts", "alice", "bob", "records", "outcomes")
Weighted = list[tuple[Fraction, int]]


class Rejected(Exception):  # noqa: N818 - a verdict, not an accident
    """The certificate does not prove its statement: the place, the rule, and both sides."""


def show(value: object) -> str:
    """Describe any value in a few words; never recurses, never fails."""
    if isinstance(value, str):
        start = ascii(value[:60])
        return start if len(value) <= 60 else f"{start}... of {len(value)} characters"
    if isinstance(value, int | Fraction) and not isinstance(value, bool):
        bits = max(value.numerator.bit_length(), value.denominator.bit_length())
        return str(value) if bits < 3.5 * MAX_DIGITS else f"a number of {bits} bits"
    names = {dict: "an object", type(None): "null", bool: str(value is True).lower()}
    return names.get(type(value)) or f"a {type(value).__name__}"


@dataclass(slots=True)
class Work:
    """What a check may still do, in steps."""

    left: int


def size(*numbers: Fraction | int) -> int:
    """Return the bits of all numerators and denominators together."""
    return sum(q.numerator.bit_length() + q.denominator.bit_length() for q in numbers)


def times(bits: int, more: int) -> int:
    """Return about how many steps a product, a quotient or a common divisor takes."""
    return bits * more >> 15


def products(bits: int) -> int:
    """Return about how many steps the product of two long integers takes."""
    return 1 + (times(bits, bits) >> bits.bit_length() // 5)


@dataclass(slots=True)
class Part:
    """A value inside a certificate, together with its place; each method reads one form of it."""

    value: object
    key: str | int = ""
    parent: Part | None = None
    work: Work = field(default_factory=lambda: Work(MAX_WORK))  # one for a whole certificate

    def afford(self, steps: int) -> None:
        """Count the steps of what is done next, or reject if too much has been done."""
        self.work.left -= steps
        if self.work.left < 0:
            self.reject(f"takes more than {MAX_WORK} steps to check")

    def common(self, terms: Iterable[Fraction]) -> int:
        """Return the least common denominator of fractions, counting what it takes to add them."""
        unit, terms = 1, list(terms)
        for denominator in {term.denominator for term in terms}:
            self.afford(1 + times(unit.bit_length(), denominator.bit_length()))
            unit = math.lcm(unit, denominator)
        self.afford(3 * len(terms) + times(unit.bit_length(), size(*terms)))
        return unit

    def scaled(self, terms: Sequence[Fraction]) -> tuple[int, list[int]]:
        """Return a common denominator of fractions and their numerators over it."""
        unit = self.common(terms)
        return unit, [term.numerator * (unit // term.denominator) for term in terms]

    def total(self, terms: Sequence[Fraction]) -> Fraction:
        """Return the sum of fractions."""
        unit, numerators = self.scaled(terms)
        self.afford(times(unit.bit_length(), unit.bit_length()))
        return Fraction(sum(numerators), unit)

    def mean(self, weights: Sequence[Fraction], values: Sequence[Fraction]) -> Fraction:
        """Return the sum of products."""
        pairs = list(zip(weights, values, strict=True))
        self.afford(sum(20 + times(size(p), size(q)) for p, q in pairs))
        return self.total([p * q for p, q in pairs])

    def reject(self, rule: str, *values: object) -> NoReturn:
        """Reject at this place, such as ``upper.protocol.alice[5]``; values fill the braces."""
        place, part = "", self
        while part.parent is not None:
            place = (f".{part.key}" if isinstance(part.key, str) else f"[{part.key}]") + place
            part = part.parent
        place = place.removeprefix(".") or "certificate"
        if len(place) > MAX_PLACE:
            place = f"{place[: MAX_PLACE // 2]}...{place[-MAX_PLACE // 2 :]}"
        raise Rejected(f"{place}: {rule.format(*map(show, values))}")

    def require(self, fact: object, rule: str, *values: object) -> None:
        if not fact:
            self.reject(rule, *values)

    def exactly(self, found: Fraction | int, stated: Fraction | int, what: str) -> None:
        self.require(found == stated, what + " is {}, not the stated {}", found, stated)

    def at_least(self, found: Fraction | int, stated: Fraction | int, what: str) -> None:
        self.require(found >= stated, what + " is {}, below the stated {}", found, stated)

    def at_most(self, found: Fraction | int, stated: Fraction | int, what: str) -> None:
        self.require(found <= stated, what + " is {}, above the stated {}", found, stated)

    def has(self, key: str) -> bool:
        return isinstance(self.value, dict) and key in self.value

    def fields(self, *keys: str) -> tuple[Part, ...]:
        """Read an object that has exactly these keys."""
        if not isinstance(self.value, dict):
            self.reject("must be an object, not {}", self.value)
        for key in keys:
            self.require(key in self.value, "key {} is missing", key)
        for key in self.value:
            self.require(key in keys, "unknown key {}", key)
        return tuple(Part(self.value[key], key, self, self.work) for key in keys)

    def optional(self, key: str) -> list[Part]:
        """Read an object that has this key, or none."""
        return list(self.fields(*[key] * self.has(key)))

    def form(self, key: str, names: Collection[str]) -> str:
        """Read which of several forms an object has."""
        if not isinstance(self.value, dict) or key not in self.value:
            self.reject(f"must be an object with the key {key}")
        return Part(self.value[key], key, self, self.work).choice(names)

    def entries(self, length: int | None = None) -> list[Part]:
        """Read a list, of a given length if there is one."""
        if not isinstance(self.value, list):
            self.reject("must be a list, not {}", self.value)
        found = len(self.value)
        self.require(length in (None, found), "must have {} entries, not {}", length, found)
        return [Part(value, i, self, self.work) for i, value in enumerate(self.value)]

    def integer(self, least: int) -> int:
        if type(self.value) is not int or self.value < least:  # True is an int to Python, not here
            self.reject(f"must be an integer of at least {least}, not {{}}", self.value)
        return self.value

    def index(self, bound: int) -> int:
        if type(self.value) is not int or not 0 <= self.value < bound:
            self.reject(f"must be an index below {bound}, not {{}}", self.value)
        return self.value

    def distinct(self, bound: int, rule: str, length: int | None = None) -> list[int]:
        """Read a list of distinct indices."""
        found = [entry.index(bound) for entry in self.entries(length)]
        self.require(len(set(found)) == len(found), rule)
        return found

    def permutation(self, length: int) -> list[int]:
        return self.distinct(length, "must be a permutation, but an image repeats", length)

    def choice(self, names: Collection[str]) -> str:
        if not isinstance(self.value, str) or self.value not in names:
            self.reject(f"must be one of {', '.join(names)}, not {{}}", self.value)
        return self.value

    def fraction(self) -> Fraction:
        """Read ``"p/q"`` in lowest terms, or ``"p"``."""
        if not isinstance(self.value, str) or not _FRACTION.fullmatch(self.value):
            self.reject(f'must be a fraction "p/q" of {MAX_DIGITS} digits, not {{}}', self.value)
        found = Fraction(self.value)
        self.require(str(found) == self.value, "must be in lowest terms, {}", found)
        return found

    def probability(self) -> Fraction:
        found = self.fraction()
        self.require(0 <= found <= 1, "must lie between 0 and 1, not {}", found)
        return found

    def positive(self) -> Fraction:
        """Read a probability other than 0."""
        found = self.probability()
        self.require(found, "must be positive, not 0")
        return found

    def law(self, length: int) -> list[Fraction]:
        """Read a probability vector: mixed strategy, distribution, convex weights."""
        return self.sums_to_one([entry.probability() for entry in self.entries(length)])

    def sums_to_one(self, weights: list[Fraction]) -> list[Fraction]:
        total = self.total(weights)
        self.require(total == 1, "the weights must sum to 1, not {}", total)
        return weights

    def text_row(self, length: int, alphabet: str = "01") -> str:
        value, characters = self.value, set(alphabet)
        if not isinstance(value, str) or len(value) != length or not characters.issuperset(value):
            self.reject(f"must be a text of {length} characters of {alphabet}, not {{}}", value)
        return value

    def rows(self, length: int) -> list[int]:
        """Read a list of one text row or more, as sets of columns."""
        self.require(self.entries(), "must hold at least one row")
        return [ones(entry.text_row(length)) for entry in self.entries()]

    def identity(self) -> str:
        """Say which data were read: what is equal has the same digest, whatever it is called."""
        return f"sha256 {digest(self.value)[:16]}"

    def labels(self) -> int:
        """Read distinct labels and return their number."""
        seen = set()
        for label in self.entries():
            if type(label.value) is not int and not isinstance(label.value, str):
                label.reject("a label is a text or an integer, not {}", label.value)
            label.require(label.value not in seen, "label {} stands twice", label.value)
            seen.add(label.value)
        return len(seen)


def digest(value: object) -> str:
    """Return the SHA-256 digest of a JSON value in its canonical form, in hexadecimal digits.

    The form is the JSON text with sorted keys, without spaces, and with ASCII characters alone. Of
    an instance its name is left out, and labels are replaced by their number.

    >>> digest({"type": "concept class", "name": "", "points": [7], "concepts": [], "rows": []})
    '32c57698eabe4269bb9b5d7aa8fc28f7593674a91cd0a8957609a91d9a2f571d'
    """
    if isinstance(value, dict) and "type" in value:
        plain = {key: part for key, part in value.items() if key != "name"}
        value = plain | {key: len(value[key]) for key in _LABELS if key in value}
    text = json.dumps(value, sort_keys=True, separators=(",", ":"))
    return sha256(text.encode("ascii")).hexdigest()


def ones(text: str) -> int:
    """Return the set of positions of the ones of a text row."""
    return int(text[::-1], 2) if text else 0


def multisets(kinds: int, length: int, most: int) -> int:
    """Return the number of multisets of so many elements, or `most` and one if it is larger."""
    number = 1
    for i in range(length):
        number = number * (kinds + i) // (i + 1)
        if number > most:
            return most + 1
    return number


def members(subset: int) -> Iterator[int]:
    """Yield the elements of a set in increasing order."""
    digits = bin(subset)[:1:-1]
    element = digits.find("1")
    while element >= 0:
        yield element
        element = digits.find("1", element + 1)


def totals(part: Part, weighted: Iterable[tuple[Fraction, int]], width: int) -> list[Fraction]:
    """Return, for each position below `width`, the weight of the sets that contain it."""
    pairs = [(weight, subset) for weight, subset in weighted if weight and subset]
    unit, shares = part.scaled([weight for weight, _ in pairs])
    bits, number = unit.bit_length(), sum(subset.bit_count() for _, subset in pairs)
    part.afford(number * (2 + (bits >> 11)) + len(pairs) * (5 + (width >> 6)))
    part.afford(width * (60 + 4 * times(bits, bits)))
    sums = [0] * width
    for share, (_, subset) in zip(shares, pairs, strict=True):
        for position in members(subset):
            sums[position] += share
    return [Fraction(share, unit) for share in sums]
