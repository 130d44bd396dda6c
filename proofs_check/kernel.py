"""The trusted base: re-check a certificate with the Python standard library alone.

`docs/certificates.md` says what a certificate of each kind looks like and why it is a proof; this
file is that page as a program. It finds nothing and trusts nothing: it reads the instance,
recomputes what the proof says, and compares with the statement in integers and fractions. It runs
on its own, ``python -I -S kernel.py FILE ...``, and is meant to be read from top to bottom. The
kinds and proofs that need more are in files beside it, each loaded when a certificate asks for it.

A set of concepts, points or inputs is an integer whose bit ``i`` says whether ``i`` belongs.
Nothing recurses as deeply as a file pleases: mistake trees and shattered sets have depth at most
``log2`` of the number of concepts, and branching trees are walked with a list.
"""

from __future__ import annotations

import gc
import json
import math
import os
import re
import stat
import sys
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial, reduce
from hashlib import sha256
from importlib import import_module
from itertools import accumulate, combinations, product
from pathlib import Path
from types import ModuleType
from typing import Any, NoReturn, TypeVar, cast

__all__ = [
    "KINDS",
    "Rejected",
    "Unreadable",
    "check",
    "digest",
    "main",
    "named",
    "read",
    "shown_path",
]

MAX_FILE_BYTES = 1 << 28  # 256 MiB
MAX_DEPTH = 2000  # of lists and objects inside each other
MAX_VALUES = 1 << 23  # of a file: commas, and brackets that open
MAX_DIGITS = 4000  # of an integer, a numerator or a denominator
MAX_WORK = 1 << 28  # steps of a check: tenths of a microsecond or so, or 8 bytes that are kept
MAX_WEIGHTED_ROWS = 16  # of a hard distribution whose least partition is recomputed
MAX_SUBSET_ROWS = 20  # the same for two messages, and with potentials: no partitions of subsets
MAX_CHOICES = 1 << 16  # of Bob's answers to all messages, where he has few inputs

MAX_PLACE = 100  # characters of a place that are printed

_STRING = re.compile(rb'"(?:[^"\\]|\\.)*+"?', re.DOTALL)
_NO_MARK = bytes(set(range(256)) - set(b"[]{},"))
_LONG = re.compile(rb"(?<![0-9])[0-9]{%d}" % (MAX_DIGITS + 1))
_FRACTION = re.compile("-?(0|[1-9]N)(/[1-9]N)?".replace("N", f"[0-9]{{,{MAX_DIGITS - 1}}}"))
_Number = TypeVar("_Number", int, Fraction)
Claim = tuple[str, str]  # the quantity, and its bounds
Cell = tuple[int, int]
CLASS, PROBLEM = "concept class", "communication problem"
_LABELS = ("points", "concepts", "alice", "bob", "records", "outcomes")


class Rejected(Exception):  # noqa: N818 - a verdict, not an accident
    """The certificate does not prove its statement: the place, the rule, and both sides."""


class Unreadable(Exception):  # noqa: N818
    """The file is not JSON within the limits; the message names the file."""


# --- Files -----------------------------------------------------------------------------------


def read(path: Path | str) -> dict[str, Any]:
    """Return the JSON object that a file of UTF-8 text holds.

    `Unreadable` if there is no JSON text within the limits of size and depth; `Rejected` if there
    is, but it is no object, repeats a key, or holds a number that is no integer or too long.
    """
    faults: list[tuple[str, object]] = []  # of a text that is JSON all the same
    try:
        value = _parse(Path(path), faults)
    except json.JSONDecodeError as error:
        place = f"row {error.lineno}, column {error.colno}"
        msg = f"{shown_path(path)}: {place}: not JSON: {error.msg}"
        raise Unreadable(msg) from None
    except (OSError, ValueError, RecursionError) as error:
        msg = f"{shown_path(path)}: {getattr(error, 'strerror', None) or error}"
        raise Unreadable(msg) from None
    if not isinstance(value, dict):
        faults.append(("must be an object, not {}", value))
    for rule, found in faults:
        Part(value).reject(rule, found)
    return cast(dict[str, Any], value)


def shown_path(path: Path | str) -> str:
    """Return the name of a file on one line, quoted if a terminal would not show it as it is."""
    return text if (text := str(path)).isprintable() else ascii(text)


def _content(path: Path) -> bytes:
    """Return the bytes of a regular file; nothing else is opened, and nothing is waited for."""
    found, no_wait = path.stat(), getattr(os, "O_NONBLOCK", 0)
    if not stat.S_ISREG(found.st_mode) or found.st_size > MAX_FILE_BYTES:
        msg = f"not a regular file of at most {MAX_FILE_BYTES} bytes"
        raise OSError(msg)
    with os.fdopen(os.open(path, os.O_RDONLY | no_wait), "rb") as stream:
        return stream.read() or b""


def _parse(path: Path, faults: list[tuple[str, object]]) -> object:
    """Return the JSON value in a file; note what JSON allows and a certificate does not."""
    data = _content(path)
    marks = _STRING.sub(b"", data).translate(bytes.maketrans(b"{}", b"[]"), _NO_MARK)
    if (values := marks.count(b",") + marks.count(b"[")) > MAX_VALUES:
        msg = f"{values} commas and brackets, the limit is {MAX_VALUES}"
        raise ValueError(msg)
    brackets = marks.replace(b",", b"")
    if (depth := max(accumulate(map(ord("\\").__sub__, brackets)), default=0)) > MAX_DEPTH:
        msg = f"nested {depth} levels deep, the limit is {MAX_DEPTH}"
        raise ValueError(msg)

    def number(literal: str) -> int:
        digits = literal.removeprefix("-")
        if len(digits) <= MAX_DIGITS and digits.isdigit():
            return int(literal)
        faults[1:] = [(f"numbers are integers of at most {MAX_DIGITS} digits, not {{}}", literal)]
        return 0

    def distinct(pairs: list[tuple[str, object]]) -> dict[str, object]:
        if len(result := dict(pairs)) < len(pairs):
            [(key, _)] = Counter(key for key, _ in pairs).most_common(1)
            faults[1:] = [("key {} stands twice in one object", key)]
        return result

    integer = number if _LONG.search(data) else int  # Python's own is quicker
    decoder = json.JSONDecoder(
        object_pairs_hook=distinct, parse_int=integer, parse_float=number, parse_constant=number
    )
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(limit + 2 * MAX_DEPTH)  # the parser recurses; nothing after it does
    try:
        return decoder.decode(data.decode("utf-8-sig"))
    finally:
        sys.setrecursionlimit(limit)


# --- Parts of a certificate ------------------------------------------------------------------


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
        msg = f"{place}: {rule.format(*map(show, values))}"
        raise Rejected(msg)

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


# --- Instances and bounds --------------------------------------------------------------------


@dataclass(slots=True)
class Matrix:
    """A labelled matrix: the ones of each row and each column, and where a row is defined."""

    title: str
    names: tuple[str, str]
    texts: tuple[list[str], list[str]]  # of the rows, and of the columns
    rows: list[int] = field(init=False)
    columns: list[int] = field(init=False)
    defined: list[int] = field(init=False)

    def __post_init__(self) -> None:
        lines = ([ones(text.replace("*", "0")) for text in texts] for texts in self.texts)
        self.rows, self.columns = lines
        self.defined = [ones(t.replace("0", "1").replace("*", "0")) for t in self.texts[0]]

    @classmethod
    def read(cls, instance: Part, kind: str) -> Matrix:
        """Read a concept class or a communication problem."""
        total = kind == CLASS
        names, alphabet = (("concepts", "points"), "01") if total else (("alice", "bob"), "01*")
        found, name, rows, columns, matrix = instance.fields("type", "name", *names, "rows")
        found.choice([kind])
        if not isinstance(name.value, str):
            name.reject("must be a text, not {}", name.value)
        height, width = rows.labels(), columns.labels()
        texts = [row.text_row(width, alphabet) for row in matrix.entries(height)]
        inside = total or any(text.strip("*") for text in texts)
        matrix.require(inside, "at least one entry must lie inside the promise")
        first: dict[str, int] = {}
        for i, text in enumerate(texts if total else ()):
            rule = f"concepts are distinct, but row {i} repeats row {first.setdefault(text, i)}"
            matrix.require(first[text] == i, rule)
        transposed = ["".join(column) for column in zip(*texts, strict=True)] or [""] * width
        title = f"a {height} x {width} {kind}, {instance.identity()}"
        return cls(title, names, (texts, transposed))

    def input(self, row: Part, column: Part) -> Cell:
        """Read an input ``(x, y)`` inside the promise."""
        x, y = row.index(len(self.rows)), column.index(len(self.columns))
        column.require(self.defined[x] >> y & 1, f"input {(x, y)} is outside the promise")
        return x, y

    def weighted(self, cells: Part, length: int) -> Iterator[tuple[Cell, int, list[Part]]]:
        """Read entries ``[x, y, w, ...]``: inputs in increasing order with positive weights."""
        previous = (-1, -1)
        for entry in cells.entries():
            row, column, weight, *more = entry.entries(length)
            cell = self.input(row, column)
            entry.require(cell > previous, f"input {cell} must come after {previous}")
            yield cell, weight.integer(1), more
            previous = cell


def bounds(
    stated: Sequence[Part], lower: Part, upper: Part, number: Callable[[Part], _Number]
) -> tuple[_Number | None, _Number | None, str]:
    """Read the bounds of a statement and say them; each is null exactly when its proof is."""
    low, high = stated
    for bound, proof in ((low, lower), (high, upper)):
        rule = "must be null exactly when its proof is"
        bound.require((bound.value is None) == (proof.value is None), rule)
    least = None if low.value is None else number(low)
    most = None if high.value is None else number(high)
    if least is None or most is None:
        claim = f"at least {show(least)}" if most is None else f"at most {show(most)}"
        return least, most, "" if least is most else claim
    low.require(least <= most, "lower {} is above upper {}", least, most)
    between = f"between {show(least)} and {show(most)}"
    return least, most, f"exactly {show(most)}" if least == most else between


# --- Matrix games ----------------------------------------------------------------------------


def _game(instance: Part, statement: Part, lower: Part, upper: Part) -> Claim:
    kind, payoff = instance.fields("type", "payoff")
    kind.choice(["matrix game"])
    rows = [[entry.fraction() for entry in row.entries()] for row in payoff.entries()]
    if not rows or not rows[0] or any(len(row) != len(rows[0]) for row in rows):
        payoff.reject("must be a matrix with at least one row and one column")
    least, most, claim = bounds(statement.fields("lower", "upper"), lower, upper, Part.fraction)
    if least is not None:
        (strategy,) = lower.fields("row_strategy")
        law = strategy.law(len(rows))
        means = [strategy.mean(law, column) for column in zip(*rows, strict=True)]
        for j, mean in enumerate(means):
            strategy.at_least(mean, least, f"the payoff against column {j}")
        strategy.exactly(min(means), least, "the least payoff")
    if most is not None:
        (strategy,) = upper.fields("column_strategy")
        law = strategy.law(len(rows[0]))
        means = [strategy.mean(law, row) for row in rows]
        for i, mean in enumerate(means):
            strategy.at_most(mean, most, f"the payoff against row {i}")
        strategy.exactly(max(means), most, "the largest payoff")
    size = f"{len(rows)} x {len(rows[0])}"
    return f"value of a {size} matrix game, {instance.identity()}", claim


# --- Protocols -------------------------------------------------------------------------------

Weighted = list[tuple[Fraction, int]]
_MIXED = {"public-coin": [], "symmetric public-coin": ["symmetries"]}  # and what they add
_COINS = {"deterministic": [], "private": ["private-coin"], "public": list(_MIXED)}


def _protocol(part: Part, F: Matrix, kinds: Collection[str]) -> tuple[int, dict[Cell, Fraction]]:
    """Return the number of messages and the error on every input inside the promise."""
    kind = part.form("kind", kinds)
    generators: Sequence[Part] = ()
    if kind in _MIXED:
        _, listed, *generators = part.fields("kind", "components", *_MIXED[kind])
        parts = [component.fields("weight", "alice", "bob") for component in listed.entries()]
        weights = listed.sums_to_one([weight.positive() for weight, _, _ in parts])
    else:
        parts, weights = [part.fields("kind", "alice", "bob")], [Fraction(1)]
    mixture = [_strategy(kind, alice, bob, F) for _, alice, bob in parts]
    messages = len(mixture[0][1])
    for _, _, bob in parts:
        bob.entries(messages)
    errors: dict[Cell, Fraction] = {}
    part.afford(30 * len(F.rows) * len(F.columns))
    for x, row in enumerate(F.rows):
        drawn = zip(weights, mixture, strict=True)
        answers = [(w, p, q, S) for w, (a, b) in drawn for p, m in a[x] for q, S in b[m]]
        part.afford(sum(40 + times(size(w, p), size(p, q)) for w, p, q, _ in answers))
        accepted = totals(part, ((w * p * q, S) for w, p, q, S in answers), len(F.columns))
        errors |= {(x, y): abs(accepted[y] - (row >> y & 1)) for y in members(F.defined[x])}
    for group in generators:
        errors = elsewhere("kernel_symmetries", "averaged")(errors, group, F)
    return messages, errors


def _strategy(
    kind: str, alice: Part, bob: Part, F: Matrix
) -> tuple[list[Weighted], list[Weighted]]:
    """Read Alice's messages for each input, and for each message the inputs that Bob accepts."""
    if kind != "private-coin":
        sets = bob.rows(len(F.columns))
        sent = [m.index(len(sets)) for m in alice.entries(len(F.rows))]
        return [[(Fraction(1), m)] for m in sent], [[(Fraction(1), S)] for S in sets]
    rows = [row.entries(len(F.columns)) for row in bob.entries()]
    laws = [law.law(len(rows)) for law in alice.entries(len(F.rows))]
    bob.afford(len(rows) * len(F.columns) * (10 + (len(F.columns) >> 7)))
    answers = [[(b.probability(), 1 << y) for y, b in enumerate(row)] for row in rows]
    return [[(p, m) for m, p in enumerate(law)] for law in laws], answers


# --- Hard distributions ----------------------------------------------------------------------


def _distribution(part: Part, F: Matrix) -> dict[Cell, int]:
    """Read a hard distribution: its weighted inputs."""
    total, weights = part.fields("total", "weights")
    law = {cell: weight for cell, weight, _ in F.weighted(weights, 3)}
    rule = "the weights sum to {}, not to {}"
    total.require(sum(law.values()) == total.integer(1), rule, sum(law.values()), total.value)
    return law


def _hint(proof: Part) -> list[str]:
    """Return the key of what spares the checker the partitions, if there is one."""
    return [key for key in ("potentials", "partitions") if proof.has(key)][:1]


def _least_error(
    part: Part, law: dict[Cell, int], F: Matrix, k: int, hint: Sequence[Part] = ()
) -> Fraction:
    """Return the least expected error of a deterministic protocol with `k` messages.

    With a hint, return the bound from below that it proves.
    """
    if hint and hint[0].key == "partitions":
        least = elsewhere("kernel_partitions", "least_error")(hint[0], law, F, k)
        return cast(Fraction, least)
    total, xs, ys = sum(law.values()), sorted({x for x, _ in law}), sorted({y for _, y in law})
    if k >= len(xs) and not hint:
        return Fraction(0)  # a class of one row costs nothing
    if k == 1 and not hint:
        sides = Counter[tuple[int, int]]()  # the weight of the ones and the zeros of each column
        for (x, y), w in law.items():
            sides[y, F.rows[x] >> y & 1] += w
        return Fraction(sum(min(sides[y, 0], sides[y, 1]) for y in ys), total)
    bits = total.bit_length()
    if len(ys) <= 16 and (choices := math.comb(1 << len(ys), k)) <= MAX_CHOICES and not hint:
        part.afford((len(law) + len(xs) * 5) * (4 + (bits >> 6)) << len(ys))
        part.afford(max(choices, 1) * len(xs) * (1 + min(k, 1 << len(ys))) * (1 + (bits >> 11)))
        errors = []  # of each row, for each way to answer the columns
        for answers in product((0, 1), repeat=len(ys)):
            answer = dict(zip(ys, answers, strict=True))
            wrong = dict.fromkeys(xs, 0)
            for (x, y), w in law.items():
                wrong[x] += w * (F.rows[x] >> y & 1 != answer[y])
            errors.append(list(wrong.values()))
        chosen = combinations(errors, min(k, len(errors)))
        # Each row is sent where it costs least.
        return Fraction(min(sum(map(min, zip(*q, strict=True))) for q in chosen), total)
    most = MAX_SUBSET_ROWS if k == 2 or hint else MAX_WEIGHTED_ROWS
    part.require(len(xs) <= most, f"{len(xs)} rows have weight, at most {most} are recomputed")
    part.afford(len(ys) * (4 + (bits >> 10)) + 3 * (5 + (bits >> 6)) << len(xs))
    doubled = _subset_sums([sum(law.get((x, y), 0) for y in ys) for x in xs])
    for y in ys:  # 2 min(ones, zeros) = ones + zeros - |ones - zeros|
        excess = [law.get((x, y), 0) * (1 if F.rows[x] >> y & 1 else -1) for x in xs]
        doubled = [c - abs(s) for c, s in zip(doubled, _subset_sums(excess), strict=True)]
    if not hint:
        pairs = (k - 2) * 3 ** (len(xs) - 1) // 2 + 2 ** (len(xs) - 1)
        part.afford(pairs * (2 + (bits >> 11)))
        return Fraction(_least_partition(doubled, k), 2 * total)
    u = [entry.fraction() for entry in hint[0].entries(len(xs))]
    unit, numerators = hint[0].scaled(u)
    wide = size(*numerators) + unit.bit_length()
    hint[0].afford(8 + (wide >> 6) + times(unit.bit_length(), bits) << len(xs))
    gains = _subset_sums([2 * share for share in numerators])
    largest = max(gain - unit * cost for gain, cost in zip(gains, doubled, strict=True))
    return (hint[0].total(u) - k * Fraction(largest, 2 * unit)) / total


def _subset_sums(values: list[int]) -> list[int]:
    return reduce(lambda sums, value: sums + [s + value for s in sums], values, [0])


def _least_partition(costs: list[int], k: int) -> int:
    """Return the least total cost of a partition of all elements into at most `k` classes.

    ``costs[S]`` is the cost of the class `S`. The class of the lowest element is split off first,
    so that what is left never contains element 0, and only even sets are needed.
    """
    everything = len(costs) - 1
    best = costs  # with one class, two classes, ...
    for classes in range(2, k + 1):
        previous, best = best, costs.copy()
        for S in range(0, everything, 2) if classes < k else [everything]:
            T = others = S & (S - 1)
            while T:
                best[S] = min(best[S], costs[S ^ T] + previous[T])
                T = (T - 1) & others
    return best[everything]


# --- Error and communication -----------------------------------------------------------------


def _forced(proof: Part, F: Matrix, messages: int, coins: str) -> Fraction:
    """Return an error that the lower proof shows to be unavoidable with so many messages."""
    if coins == "deterministic":
        proof.fields()
        return Fraction(not elsewhere("kernel_conflicts", "conflict_free")(proof, F, messages))
    if coins == "private" and not proof.has("distribution"):
        return cast(Fraction, elsewhere("kernel_private_coins", "forced")(proof, F, messages))
    part, *hint = proof.fields("distribution", *_hint(proof))
    return _least_error(part, _distribution(part, F), F, messages, hint)


def _reached(
    proof: Part, F: Matrix, messages: int, coins: str, error: Fraction
) -> tuple[int, Fraction]:
    """Return messages and worst error of a protocol, after a check that neither is larger."""
    (part,) = proof.fields("protocol")
    used, errors = _protocol(part, F, ["deterministic", *_COINS[coins]])
    part.at_most(used, messages, "the number of messages")
    for cell, found in errors.items():
        part.at_most(found, error, f"the error on input {cell}")
    return used, max(errors.values())


def _minimax(instance: Part, statement: Part, lower: Part, upper: Part) -> Claim:
    F = Matrix.read(instance, PROBLEM)
    *stated, number, model = statement.fields("lower", "upper", "messages", "coins")
    messages, coins = number.integer(1), model.choice(_COINS)
    least, most, claim = bounds(stated, lower, upper, Part.fraction)
    if least is not None:
        needless = least <= 0 and lower.value == {}  # no error is negative
        found = 0 if needless else _forced(lower, F, messages, coins)
        lower.exactly(found, least, "the error that is forced")
    if most is not None:
        upper.exactly(_reached(upper, F, messages, coins, most)[1], most, "the largest error")
    return f"minimax_error of {F.title}, with {show(messages)} messages, {coins} coins", claim


def _complexity(instance: Part, statement: Part, lower: Part, upper: Part) -> Claim:
    F = Matrix.read(instance, PROBLEM)
    *stated, allowed, model = statement.fields("lower", "upper", "error", "coins")
    error, coins = allowed.probability(), model.choice(_COINS)
    least, most, claim = bounds(stated, lower, upper, partial(Part.integer, least=1))
    if least == 1:
        lower.fields()  # there is always a message
    elif least is not None:
        found = _forced(lower, F, least - 1, coins)
        rule = "the error forced with {} messages is {}, not above {}"
        lower.require(found > error, rule, least - 1, found, error)
    if most is not None:
        upper.exactly(_reached(upper, F, most, coins, error)[0], most, "the number of messages")
    what = f"communication_complexity of {F.title}, at error {show(error)}, {coins} coins"
    return f"{what}, in messages", claim


def _distributional(instance: Part, statement: Part, lower: Part, upper: Part) -> Claim:
    F = Matrix.read(instance, PROBLEM)
    *stated, number, part = statement.fields("lower", "upper", "messages", "distribution")
    messages, law = number.integer(1), _distribution(part, F)
    least, most, claim = bounds(stated, lower, upper, Part.fraction)
    if least is not None:
        found = _least_error(part, law, F, messages, lower.fields(*_hint(lower)))
        part.exactly(found, least, "the least expected error")
    if most is not None:
        (protocol,) = upper.fields("protocol")
        used, errors = _protocol(protocol, F, ["deterministic"])
        protocol.at_most(used, messages, "the number of messages")
        mean = sum(w * errors[cell] for cell, w in law.items()) / Fraction(sum(law.values()))
        protocol.exactly(mean, most, "the expected error")
    what = f"distributional_error of {F.title}, under the weights {part.identity()}"
    return f"{what}, with {show(messages)} messages", claim


def _protocol_error(instance: Part, statement: Part, lower: Part, upper: Part) -> Claim:
    F = Matrix.read(instance, PROBLEM)
    *stated, protocol = statement.fields("lower", "upper", "protocol")
    used, errors = _protocol(protocol, F, ["deterministic", "private-coin", *_MIXED])
    least, most, claim = bounds(stated, lower, upper, Part.fraction)
    if least is not None:
        (part,) = lower.fields("input")
        cell = F.input(*part.entries(2))
        part.exactly(errors[cell], least, f"the error on input {cell}")
    if most is not None:
        upper.fields()
        for cell, found in errors.items():
            protocol.at_most(found, most, f"the error on input {cell}")
        protocol.exactly(max(errors.values()), most, "the largest error")
    what = f"protocol_error on {F.title}, of the protocol {protocol.identity()}"
    return f"{what}, {used} messages", claim


# --- The kinds -------------------------------------------------------------------------------


def elsewhere(file: str, name: str) -> Callable[..., Any]:
    """Return a function of a file beside this one, which is loaded when the function is called."""

    def call(*arguments: object) -> Any:  # noqa: ANN401
        try:
            module = import_module(f"proofs_check.{file}")
        except ModuleNotFoundError:
            msg = f"this certificate needs {file}.py beside the kernel"
            raise ModuleNotFoundError(msg) from None
        return getattr(module, name)(*arguments)

    return call


KINDS: dict[str, Callable[[Part, Part, Part, Part], Claim]] = {
    "matrix_game": _game,
    "vc_dimension": partial(elsewhere("kernel_dimensions", "one_dimension"), "vc"),
    "dual_vc_dimension": partial(elsewhere("kernel_dimensions", "one_dimension"), "dual_vc"),
    "littlestone_dimension": partial(
        elsewhere("kernel_dimensions", "one_dimension"), "littlestone"
    ),
    "dimensions": elsewhere("kernel_dimensions", "dimensions"),
    "minimax_error": _minimax,
    "communication_complexity": _complexity,
    "distributional_error": _distributional,
    "protocol_error": _protocol_error,
    "deterministic_representation": elsewhere("kernel_representations", "deterministic"),
    "deterministic_representation_size": elsewhere("kernel_representation_sizes", "deterministic"),
    "probabilistic_representation": elsewhere("kernel_representations", "probabilistic"),
    "probabilistic_representation_size": elsewhere("kernel_representation_sizes", "probabilistic"),
    "least_failure": elsewhere("kernel_representation_sizes", "least_failure"),
    "privacy": elsewhere("kernel_privacy", "privacy"),
    "exponential_privacy": elsewhere("kernel_exponential_privacy", "exponential_privacy"),
    "packing": elsewhere("kernel_packings", "packing"),
    "release": elsewhere("kernel_packings", "release"),
    "private_failure": elsewhere("kernel_private_failure", "private_failure"),
}


def check(certificate: object) -> str:
    """Check a JSON value as a certificate and say in one line what it proves, in its own words.

    `Rejected` at the first place where it breaks the format or does not prove its statement;
    `ModuleNotFoundError` if that takes a file that is not beside this one.

    >>> game = {"type": "matrix game", "payoff": [["1", "0"], ["0", "1"]]}
    >>> made = {"format": 1, "kind": "matrix_game", "instance": game, "made_by": "hand"}
    >>> made |= {"statement": {"lower": "1/2", "upper": "1/2"}}
    >>> made |= {"lower": {"row_strategy": ["1/2", "1/2"]}}
    >>> check(made | {"upper": {"column_strategy": ["1/2", "1/2"]}})
    'value of a 2 x 2 matrix game, sha256 7594b40052ccc715: exactly 1/2'
    """
    keys = ("format", "kind", "instance", "statement", "lower", "upper", "made_by")
    version, kind, instance, statement, lower, upper, _ = Part(certificate).fields(*keys)
    version.require(version.integer(1) == 1, "must be 1, not {}", version.value)
    what, claim = KINDS[kind.choice(KINDS)](instance, statement, lower, upper)
    statement.require(claim, "claims neither a lower nor an upper bound")
    return f"{what}: {claim}"


def named(certificate: dict[str, Any]) -> str:
    """Quote the name that a file gives to its instance, which nothing verifies.

    >>> named({"instance": {"name": "thresholds:b=2"}})
    " [named 'thresholds:b=2' by the file]"
    """
    name = certificate["instance"].get("name")
    return f" [named {show(name)} by the file]" if name else ""


def main(paths: Sequence[str]) -> int:
    """Print one line for each file; return 0 if all are accepted, 4 if one is rejected, else 2."""
    status = 0 if paths else 2
    for path in paths:
        shown = shown_path(path)
        try:
            certificate = read(path)
            line = f"{shown}: proved: {check(certificate)}{named(certificate)}"
        except Rejected as error:
            line, status = f"{shown}: rejected: {error}", 4
        except Unreadable as error:
            line, status = f"unreadable: {error}", max(status, 2)
        except ModuleNotFoundError as error:
            line, status = f"{shown}: not checked: {error}", max(status, 2)
        sys.stdout.buffer.write(line.encode("utf-8", "backslashreplace") + b"\n")
    return status


if __name__ == "__main__":
    # The files beside this one import it by name: as a script it is that module itself, and the
    # package is this folder, so that they are found here and nothing else is.
    package = ModuleType("proofs_check")
    package.__path__ = [str(Path(__file__).parent)]
    sys.modules |= {"proofs_check": package, "proofs_check.kernel": sys.modules[__name__]}
    gc.disable()  # nothing here makes cycles, and the search for them takes a fifth of the time
    raise SystemExit(main(sys.argv[1:]))
