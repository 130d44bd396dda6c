"""The trusted base: re-check a certificate with the Python standard library alone.

`docs/certificates.md` says what a certificate of each kind looks like and why it is a proof; this
file is that page as a program. It finds nothing and trusts nothing: it reads the instance,
recomputes what the proof says, and compares with the statement in integers and fractions. It runs
on its own, ``python -I -S kernel.py FILE ...``, and is meant to be read from top to bottom.

A set of concepts, points or inputs is an integer whose bit ``i`` says whether ``i`` belongs.
Nothing recurses as deeply as a file pleases: mistake trees and shattered sets have depth at most
``log2`` of the number of concepts, and branching trees are walked with a list.
"""

from __future__ import annotations

import gc
import json
import math
import re
import sys
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from functools import partial, reduce
from itertools import (
    accumulate,
    combinations,
    combinations_with_replacement,
    pairwise,
    permutations,
    product,
)
from operator import and_, mul, or_
from pathlib import Path
from typing import Any, NoReturn, TypeVar, cast

__all__ = ["KINDS", "Rejected", "Unreadable", "check", "main", "read"]

MAX_FILE_BYTES = 1 << 28  # 256 MiB
MAX_DEPTH = 2000  # of lists and objects inside each other
MAX_DIGITS = 4000  # of an integer, a numerator or a denominator
MAX_WEIGHTED_ROWS = 16  # of a hard distribution whose least partition is recomputed
MAX_SUBSET_ROWS = 20  # the same for two messages, and with potentials: no partitions of subsets
MAX_CHOICES = 1 << 16  # of Bob's answers to all messages, where he has few inputs
MAX_COLOURED_ROWS = 24  # distinct rows of a promise problem whose colouring is recomputed
MAX_POOL_POINTS = 12  # points over which all hypotheses are considered
MAX_DENOMINATOR = 1000  # of an error whose entropy is compared

_STRING = re.compile(rb'"(?:[^"\\]|\\.)*+"?', re.DOTALL)
_NO_BRACKET = bytes(set(range(256)) - set(b"[]{}"))
_LONG = re.compile(rb"(?<![0-9])[0-9]{%d}" % (MAX_DIGITS + 1))
_FRACTION = re.compile("-?(0|[1-9]N)(/[1-9]N)?".replace("N", f"[0-9]{{,{MAX_DIGITS - 1}}}"))
_Number = TypeVar("_Number", int, Fraction)
_Claim = tuple[str, str]  # the quantity, and its bounds


class Rejected(Exception):  # noqa: N818 - a verdict, not an accident
    """The certificate does not prove its statement: the place, the rule, and both sides."""


class Unreadable(Exception):  # noqa: N818
    """The file is not JSON within the limits; the message names the file."""


@contextmanager
def _acyclic() -> Iterator[None]:
    """Spare the collector its search for cycles, which nothing here makes: most of the time."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


# --- Files -----------------------------------------------------------------------------------


@_acyclic()
def read(path: Path | str) -> dict[str, Any]:
    """Return the JSON object that a file of UTF-8 text holds.

    `Unreadable` if there is no JSON text within the limits of size and depth; `Rejected` if there
    is, but it is no object, repeats a key, or holds a number that is no integer or too long.
    """
    faults: list[tuple[str, object]] = []  # of a text that is JSON all the same
    try:
        value = _parse(Path(path), faults)
    except json.JSONDecodeError as error:
        msg = f"{path}: row {error.lineno}, column {error.colno}: not JSON: {error.msg}"
        raise Unreadable(msg) from None
    except (OSError, ValueError, RecursionError) as error:
        msg = f"{path}: {getattr(error, 'strerror', None) or error}"
        raise Unreadable(msg) from None
    if not isinstance(value, dict):
        faults.append(("must be an object, not {}", value))
    for rule, found in faults:
        _Part(value).reject(rule, found)
    return cast(dict[str, Any], value)


def _parse(path: Path, faults: list[tuple[str, object]]) -> object:
    """Return the JSON value in a file; note what JSON allows and a certificate does not."""
    if path.stat().st_size > MAX_FILE_BYTES or not path.is_file():
        msg = f"not a regular file of at most {MAX_FILE_BYTES} bytes"
        raise OSError(msg)
    data = path.read_bytes()
    brackets = _STRING.sub(b"", data).translate(bytes.maketrans(b"{}", b"[]"), _NO_BRACKET)
    if (depth := max(accumulate(map(ord("\\").__sub__, brackets)), default=0)) > MAX_DEPTH:
        msg = f"nested {depth} levels deep, the limit is {MAX_DEPTH}"
        raise ValueError(msg)

    def number(literal: str) -> int:
        digits = literal.removeprefix("-")
        if len(digits) <= MAX_DIGITS and digits.isdigit():
            return int(literal)
        faults.append((f"numbers are integers of at most {MAX_DIGITS} digits, not {{}}", literal))
        return 0

    def distinct(pairs: list[tuple[str, object]]) -> dict[str, object]:
        if len(result := dict(pairs)) < len(pairs):
            [(key, _)] = Counter(key for key, _ in pairs).most_common(1)
            faults.append(("key {} stands twice in one object", key))
        return result

    decoder = json.JSONDecoder(
        object_pairs_hook=distinct,
        parse_int=number if _LONG.search(data) else int,
        parse_float=number,
        parse_constant=number,
    )
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(limit + 2 * MAX_DEPTH)  # the parser recurses; nothing after it does
    try:
        return decoder.decode(data.decode("utf-8-sig"))
    finally:
        sys.setrecursionlimit(limit)


# --- Parts of a certificate ------------------------------------------------------------------


def _show(value: object) -> str:
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
class _Part:
    """A value inside a certificate, together with its place; each method reads one form of it."""

    value: object
    key: str | int = ""
    parent: _Part | None = None

    def reject(self, rule: str, *values: object) -> NoReturn:
        """Reject at this place, such as ``upper.protocol.alice[5]``; values fill the braces."""
        place, part = "", self
        while part.parent is not None:
            place = (f".{part.key}" if isinstance(part.key, str) else f"[{part.key}]") + place
            part = part.parent
        msg = f"{place.removeprefix('.') or 'certificate'}: {rule.format(*map(_show, values))}"
        raise Rejected(msg)

    def require(self, fact: object, rule: str, *values: object) -> None:
        if not fact:
            self.reject(rule, *values)

    def at_least(self, found: Fraction | int, bound: Fraction | int, what: str) -> None:
        self.require(found >= bound, what + " is {}, below the stated {}", found, bound)

    def at_most(self, found: Fraction | int, bound: Fraction | int, what: str) -> None:
        self.require(found <= bound, what + " is {}, above the stated {}", found, bound)

    def exactly(self, found: Fraction | int, bound: Fraction | int, what: str) -> None:
        self.require(found == bound, what + " is {}, not the stated {}", found, bound)

    def fields(self, *keys: str) -> tuple[_Part, ...]:
        """Read an object that has exactly these keys."""
        if not isinstance(self.value, dict):
            self.reject("must be an object, not {}", self.value)
        for key in keys:
            self.require(key in self.value, "key {} is missing", key)
        for key in self.value:
            self.require(key in keys, "unknown key {}", key)
        return tuple(_Part(self.value[key], key, self) for key in keys)

    def has(self, key: str) -> bool:
        return isinstance(self.value, dict) and key in self.value

    def entries(self, length: int | None = None) -> list[_Part]:
        """Read a list, of a given length if there is one."""
        if not isinstance(self.value, list):
            self.reject("must be a list, not {}", self.value)
        found = len(self.value)
        self.require(length in (None, found), "must have {} entries, not {}", length, found)
        return [_Part(value, i, self) for i, value in enumerate(self.value)]

    def integer(self, least: int) -> int:
        if type(self.value) is not int or self.value < least:  # True is an int to Python, not here
            self.reject(f"must be an integer of at least {least}, not {{}}", self.value)
        return self.value

    def nonzero(self) -> int:
        if type(self.value) is not int or not self.value:
            self.reject("must be an integer other than 0, not {}", self.value)
        return self.value

    def index(self, bound: int) -> int:
        if type(self.value) is not int or not 0 <= self.value < bound:
            self.reject(f"must be an index below {bound}, not {{}}", self.value)
        return self.value

    def indices(self, *bounds: int) -> list[int]:
        """Read a list with an index below each of some bounds."""
        found = self.value
        if isinstance(found, list) and len(found) == len(bounds):
            for i, bound in zip(found, bounds, strict=True):
                if type(i) is not int or not 0 <= i < bound:
                    break
            else:
                return found  # millions of times, and quicker than part by part
        entries = self.entries(len(bounds))
        return [entry.index(bound) for entry, bound in zip(entries, bounds, strict=True)]

    def choice(self, names: Collection[str]) -> str:
        if not isinstance(self.value, str) or self.value not in names:
            self.reject(f"must be one of {', '.join(names)}, not {{}}", self.value)
        return self.value

    def form(self, key: str, names: Collection[str]) -> str:
        """Read which of several forms an object has."""
        if not isinstance(self.value, dict) or key not in self.value:
            self.reject(f"must be an object with the key {key}")
        return _Part(self.value[key], key, self).choice(names)

    def fraction(self) -> Fraction:
        """Read ``"p/q"`` in lowest terms, or ``"p"``."""
        if not isinstance(self.value, str) or not _FRACTION.fullmatch(self.value):
            self.reject(f'must be a fraction "p/q" of {MAX_DIGITS} digits, not {{}}', self.value)
        found = Fraction(self.value)
        self.require(str(found) == self.value, "must be in lowest terms, {}", found)
        return found

    def permutation(self, length: int) -> list[int]:
        images = [entry.index(length) for entry in self.entries(length)]
        self.require(len(set(images)) == length, "must be a permutation, but an image repeats")
        return images

    def probability(self, *, positive: bool = False) -> Fraction:
        found = self.fraction()
        self.require(0 <= found <= 1, "must lie between 0 and 1, not {}", found)
        self.require(found or not positive, "must be positive, not 0")
        return found

    def law(self, length: int) -> list[Fraction]:
        """Read a probability vector: mixed strategy, distribution, convex weights."""
        return self.sums_to_one([entry.probability() for entry in self.entries(length)])

    def sums_to_one(self, weights: list[Fraction]) -> list[Fraction]:
        total = sum(weights)
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
        return [_ones(entry.text_row(length)) for entry in self.entries()]

    def labels(self) -> int:
        """Read distinct labels and return their number."""
        seen = set()
        for label in self.entries():
            if type(label.value) is not int and not isinstance(label.value, str):
                label.reject("a label is a text or an integer, not {}", label.value)
            label.require(label.value not in seen, "label {} stands twice", label.value)
            seen.add(label.value)
        return len(seen)


def _ones(text: str) -> int:
    """Return the set of positions of the ones of a text row."""
    return int(text[::-1], 2) if text else 0


def _members(subset: int) -> Iterator[int]:
    while subset:
        low = subset & -subset
        yield low.bit_length() - 1
        subset ^= low


def _totals(weighted: Iterable[tuple[Fraction, int]], width: int) -> list[Fraction]:
    """Return, for each position below `width`, the weight of the sets that contain it."""
    pairs = [(weight, subset) for weight, subset in weighted if weight and subset]
    unit = math.lcm(*(weight.denominator for weight, _ in pairs))
    sums = [0] * width
    for weight, subset in pairs:
        share = weight.numerator * (unit // weight.denominator)
        for position in _members(subset):
            sums[position] += share
    return [Fraction(share, unit) for share in sums]


# --- Instances and bounds --------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Matrix:
    """A labelled matrix: the ones of each row and column, where a row is defined."""

    title: str
    names: tuple[str, str]
    rows: list[int]
    columns: list[int]
    defined: list[int]
    texts: list[str]  # of the columns; not kept for a transpose

    def dual(self) -> _Matrix:
        """Return the transpose of a concept class."""
        defined = [(1 << len(self.rows)) - 1] * len(self.columns)
        return _Matrix(self.title, self.names[::-1], self.columns, self.rows, defined, [])

    def input(self, row: _Part, column: _Part) -> tuple[int, int]:
        """Read an input ``(x, y)`` inside the promise."""
        x, y = row.index(len(self.rows)), column.index(len(self.columns))
        column.require(self.defined[x] >> y & 1, f"input {(x, y)} is outside the promise")
        return x, y


def _matrix(instance: _Part, kind: str) -> _Matrix:
    """Read a concept class or a communication problem."""
    total = kind == "concept class"
    names, alphabet = (("concepts", "points"), "01") if total else (("alice", "bob"), "01*")
    found, name, rows, columns, matrix = instance.fields("type", "name", *names, "rows")
    found.choice([kind])
    if not isinstance(name.value, str):
        name.reject("must be a text, not {}", name.value)
    height, width = rows.labels(), columns.labels()
    texts = [row.text_row(width, alphabet) for row in matrix.entries(height)]
    defined = [_ones(text.replace("0", "1").replace("*", "0")) for text in texts]
    matrix.require(total or any(defined), "at least one entry must lie inside the promise")
    first: dict[str, int] = {}
    for i, text in enumerate(texts if total else ()):
        rule = f"concepts are distinct, but row {i} repeats row {first.setdefault(text, i)}"
        matrix.require(first[text] == i, rule)
    transposed = ["".join(column) for column in zip(*texts, strict=True)] or [""] * width
    plain = name.value.isascii() and name.value.isprintable() and len(name.value) <= 60
    title = f"{name.value if plain else _show(name.value)} ({height} x {width})"
    ones, others = ([_ones(t.replace("*", "0")) for t in lines] for lines in (texts, transposed))
    return _Matrix(title, names, ones, others, defined, transposed)


def _bounds(
    stated: Sequence[_Part], lower: _Part, upper: _Part, number: Callable[[_Part], _Number]
) -> tuple[_Number | None, _Number | None, str]:
    """Read the bounds of a statement and say them; each is null exactly when its proof is."""
    low, high = stated
    for bound, proof in ((low, lower), (high, upper)):
        rule = "must be null exactly when its proof is"
        bound.require((bound.value is None) == (proof.value is None), rule)
    least = None if low.value is None else number(low)
    most = None if high.value is None else number(high)
    if least is None or most is None:
        claim = f"at least {_show(least)}" if most is None else f"at most {_show(most)}"
        return least, most, "" if least is most else claim
    low.require(least <= most, "lower {} is above upper {}", least, most)
    between = f"between {_show(least)} and {_show(most)}"
    return least, most, f"exactly {_show(most)}" if least == most else between


# --- Symmetries ------------------------------------------------------------------------------

_Cell = tuple[int, int]
_Symmetry = tuple[list[int], list[int], int]  # images of rows and of columns, flipped columns


def _symmetries(part: _Part, F: _Matrix) -> list[_Symmetry]:
    """Read a list of symmetries of a matrix up to flips of columns and check each of them."""
    found: list[_Symmetry] = []
    for entry in part.entries():
        rows, columns, text = entry.fields("rows", "columns", "flips")
        sigma, tau = rows.permutation(len(F.rows)), columns.permutation(len(F.columns))
        flips = _ones(text.text_row(len(F.columns)))
        for y, image in enumerate(tau):
            ours = F.texts[y].translate({48: "1", 49: "0"}) if flips >> y & 1 else F.texts[y]
            moved = "".join(map(F.texts[image].__getitem__, sigma))
            if moved != ours:
                x = next(x for x in range(len(sigma)) if moved[x] != ours[x])
                rows.reject(f"row {x} does not go to row {sigma[x]}: column {image} differs")
        found.append((sigma, tau, flips))
    return found


def _orbits(cells: Collection[_Cell], symmetries: list[_Symmetry]) -> list[list[_Cell]]:
    """Return the orbits of a set of cells under the group that symmetries generate."""
    orbits, seen = [], set()
    for start in cells:
        orbit = [] if start in seen else [start]
        seen.add(start)
        for x, y in orbit:  # grows while it is read; in a finite group no inverses are needed
            for sigma, tau, _ in symmetries:
                if (image := (sigma[x], tau[y])) not in seen:
                    seen.add(image)
                    orbit.append(image)
        orbits += [orbit] if orbit else []
    return orbits


# --- Matrix games ----------------------------------------------------------------------------


def _game(instance: _Part, statement: _Part, lower: _Part, upper: _Part) -> _Claim:
    kind, payoff = instance.fields("type", "payoff")
    kind.choice(["matrix game"])
    rows = [[entry.fraction() for entry in row.entries()] for row in payoff.entries()]
    if not rows or not rows[0] or any(len(row) != len(rows[0]) for row in rows):
        payoff.reject("must be a matrix with at least one row and one column")
    stated = statement.fields("lower", "upper")
    least, most, claim = _bounds(stated, lower, upper, _Part.fraction)
    if least is not None:
        (strategy,) = lower.fields("row_strategy")
        law = strategy.law(len(rows))
        means = [sum(map(mul, law, column)) for column in zip(*rows, strict=True)]
        for j, mean in enumerate(means):
            strategy.at_least(mean, least, f"the payoff against column {j}")
        strategy.exactly(min(means), least, "the least payoff")
    if most is not None:
        (strategy,) = upper.fields("column_strategy")
        law = strategy.law(len(rows[0]))
        means = [sum(map(mul, law, row)) for row in rows]
        for i, mean in enumerate(means):
            strategy.at_most(mean, most, f"the payoff against row {i}")
        strategy.exactly(max(means), most, "the largest payoff")
    return f"value of a {len(rows)} x {len(rows[0])} matrix game", claim


# --- Dimensions ------------------------------------------------------------------------------


def _shatters(proof: _Part, d: int, C: _Matrix) -> None:
    """Check that `d` listed columns take every pattern on the listed rows."""
    concepts, points = proof.fields(*C.names)
    xs = [entry.index(len(C.columns)) for entry in points.entries(d)]
    for i, entry in enumerate(concepts.entries(1 << d)):
        row = C.rows[entry.index(len(C.rows))]
        for t, x in enumerate(xs):
            if (found := row >> x & 1) != (wanted := i >> t & 1):
                entry.reject(f"the entry of {entry.value} and {x} must be {wanted}, not {found}")


def _shatters_none(proof: _Part, upper: int, C: _Matrix) -> None:
    """Check that no ``upper + 1`` columns are shattered, by one of the methods."""
    keys = proof.value if isinstance(proof.value, dict) else {}
    if "method" in keys:
        method, *edges = proof.fields("method", *(["edges"] if "edges" in keys else []))
        method.choice(["spanning tree" if edges else "size"])
        bound = _crossing_bound(edges[0], C) if edges else len(set(C.rows)).bit_length() - 1
        proof.exactly(bound, upper, f"the bound by {method.value}")
    else:
        listed = proof.fields(*(["symmetries"] if "symmetries" in keys else []))
        _extends_none(
            proof, upper, C, [tau for part in listed for _, tau, _ in _symmetries(part, C)]
        )


def _crossing_bound(edges: _Part, C: _Matrix) -> int:
    """Return the most columns that cross enough edges of a spanning tree to be shattered."""
    reached, crossed = {0}, [0] * len(C.columns)
    for edge in edges.entries(len(C.rows) - 1):
        r, s = (end.index(len(C.rows)) for end in edge.entries(2))
        edge.require(len(reached & {r, s}) == 1, "must lead from a row reached to a new one")
        reached |= {r, s}
        for x in _members(C.rows[r] ^ C.rows[s]):
            crossed[x] += 1
    labellings = accumulate(sorted(crossed, reverse=True), initial=1)
    return max(d for d, most in enumerate(labellings) if most >> d)


def _extends_none(proof: _Part, upper: int, C: _Matrix, moves: list[list[int]]) -> None:
    """Check that no ``upper + 1`` columns are shattered, by extending shattered sets."""
    size, everything = upper + 1, (1 << len(C.rows)) - 1
    if len(C.rows).bit_length() <= size:
        return  # fewer than 2^size rows
    proof.require(size, f"the empty set is shattered: 0 is above the stated {upper}")

    def extend(
        chosen: list[int], cells: list[int], candidates: int, moves: list[list[int]]
    ) -> None:
        # The chosen columns split the rows into cells; what splits each cell extends the set.
        fits = _splitting(cells, candidates, 1 << (upper - len(chosen)), C)
        if fits and len(chosen) == upper:
            points = f"{C.names[1]} {[*chosen, next(_members(fits))]}"
            proof.reject(f"{points} is shattered: {size} is above the stated {upper}")
        for x in sorted(_members(fits), key=lambda x: -sum(move[x] == x for move in moves)):
            if fits >> x & 1:
                orbit = [x]
                for y in orbit:  # grows while it is read
                    orbit += {move[y] for move in moves} - set(orbit)
                ones, rest = C.columns[x], fits & ~(1 << x)
                fixing = [move for move in moves if move[x] == x]
                parts = [S for cell in cells for S in (cell & ~ones, cell & ones)]
                extend([*chosen, x], parts, rest, fixing)
                # what does not fit here fits no larger set, nor do its images
                fits &= ~sum(1 << y for y in orbit)

    # A column shatters with others what its complement does, so that one of each pair will do.
    distinct = {min(column, everything ^ column): x for x, column in enumerate(C.columns)}
    candidates = range(len(C.columns)) if moves else distinct.values()
    extend([], [everything], sum(1 << x for x in candidates), moves)


def _splitting(cells: list[int], candidates: int, least: int, C: _Matrix) -> int:
    """Return the candidate columns that take both values at least so often on every cell."""
    for cell in cells if len(C.rows) < len(C.columns) else ():  # first all columns at once
        rows = [C.rows[i] for i in _members(cell)]
        candidates &= reduce(or_, rows) & ~reduce(and_, rows)
    sizes = [(cell, cell.bit_count() - least) for cell in cells]
    for x in _members(candidates):
        column = C.columns[x]
        if not all(least <= (cell & column).bit_count() <= most for cell, most in sizes):
            candidates ^= 1 << x
    return candidates


def _mistake_tree(proof: _Part, depth: int, C: _Matrix) -> None:
    """Check a complete mistake tree; its ``2^depth`` leaves are distinct concepts."""
    (tree,) = proof.fields("tree")
    rule = "depth {} needs 2^{} concepts, not {}"
    proof.require(depth < len(C.rows).bit_length(), rule, depth, depth, len(C.rows))

    def visit(node: _Part, space: int, height: int) -> None:
        if height == 0:
            concept = node.index(len(C.rows))
            node.require(space >> concept & 1, f"concept {concept} does not agree with its path")
            return
        point, left, right = node.entries(3)
        ones = C.columns[point.index(len(C.columns))]
        visit(left, space & ~ones, height - 1)
        visit(right, space & ones, height - 1)

    visit(tree, (1 << len(C.rows)) - 1, depth)


def _littlestone_refutation(proof: _Part, upper: int, C: _Matrix) -> None:
    """Check that there is no complete mistake tree of depth ``upper + 1``."""
    shared = isinstance(proof.value, dict) and "symmetries" in proof.value
    *generators, refutation = proof.fields(*["symmetries"] * shared, "refutation")
    symmetries = _symmetries(generators[0], C) if shared else None
    proved: list[_Refuted] = []
    for entry in refutation.entries():
        proved.append(_refuted(entry, C, proved, symmetries))
    if proved:
        rule = "the last entry must refute depth {} for all {} concepts"
        last = (proved[-1].depth, proved[-1].space)
        holds = last == (upper + 1, (1 << len(C.rows)) - 1)
        refutation.require(holds, rule, upper + 1, len(C.rows))
    else:
        rule = "may be empty only if size decides, but 2^{} is not above {} concepts"
        size = len(C.rows).bit_length()
        refutation.require(size <= upper + 1, rule, upper + 1, len(C.rows))
        refutation.exactly(size - 1, upper, "the bound that size gives")


@dataclass(frozen=True, slots=True)
class _Refuted:
    """A version space in which no complete mistake tree has a depth."""

    depth: int
    constraints: list[_Cell]  # points and labels
    space: int

    def image(self, word: Sequence[_Symmetry], C: _Matrix) -> int:
        """Return the image of the version space under symmetries, one after the other."""
        constraints = self.constraints
        for _, tau, flips in word:
            constraints = [(tau[x], b ^ (flips >> x & 1)) for x, b in constraints]
        return _version_space(constraints, C) if word else self.space


def _version_space(constraints: Iterable[_Cell], C: _Matrix) -> int:
    """Return the concepts that have given labels on given points."""
    space = (1 << len(C.rows)) - 1
    for x, b in constraints:
        space &= C.columns[x] if b else ~C.columns[x]
    return space


def _refuted(
    entry: _Part, C: _Matrix, proved: list[_Refuted], symmetries: list[_Symmetry] | None
) -> _Refuted:
    """Check one entry from the earlier ones."""
    listed, depth, steps = entry.fields("version_space", "depth", "steps")
    constraints = [
        (x, b) for x, b in (pair.indices(len(C.columns), 2) for pair in listed.entries())
    ]
    space, d, decided = _version_space(constraints, C), depth.integer(0), 0
    if symmetries is not None:
        held = [(x, space & column) for x, column in enumerate(C.columns)]
        shared = [(x, int(part > 0)) for x, part in held if part in (0, space)]
        listed.require(
            constraints == shared, "must list the {} pairs that all its concepts share", len(shared)
        )
    for step in steps.entries():
        (x, b, e), word = _step(step, (len(C.columns), 2, len(proved)), symmetries)
        step.require(not decided >> x & 1, "point {} has two steps", x)
        decided |= 1 << x
        below = proved[e].depth
        step.require(below < d, f"entry {e} has depth {{}}, not below {{}}", below, d)
        part = space & (C.columns[x] if b else ~C.columns[x])
        for c in _members(part & ~proved[e].image(word, C)):
            step.reject(f"concept {c} is not in the version space of entry {e}")
    total = space.bit_count()
    entry.require(d or not total, "depth 0 needs an empty version space, not {} concepts", total)
    for x in _members(_undecided(space, d, C) & ~decided):
        ones = (space & C.columns[x]).bit_count()
        sizes = f"{total - ones} and {ones} concepts"
        steps.reject(f"no step for point {x}, whose labels 0 and 1 leave {sizes}, depth {d}")
    return _Refuted(d, constraints, space)


def _step(
    step: _Part, bounds: tuple[int, int, int], symmetries: list[_Symmetry] | None
) -> tuple[list[int], list[_Symmetry]]:
    """Read point, label and entry of a step, and the symmetries that its word names."""
    if symmetries is None:
        return step.indices(*bounds), []
    *parts, word = step.entries(4)
    read = [part.index(bound) for part, bound in zip(parts, bounds, strict=True)]
    return read, [symmetries[letter.index(len(symmetries))] for letter in word.entries()]


def _undecided(space: int, d: int, C: _Matrix) -> int:
    """Return the points on which each label has at least ``2^(d - 1)`` concepts of a space."""
    total = space.bit_count()
    if total < 1 << d or d == 0:
        return 0
    if 4 * total > len(C.columns):
        ones = [(space & column).bit_count() for column in C.columns]
        return sum(1 << x for x, n in enumerate(ones) if min(n, total - n).bit_length() >= d)
    rows, everywhere = [C.rows[c] for c in _members(space)], (1 << len(C.columns)) - 1
    return _frequent(rows, d) & _frequent((everywhere ^ row for row in rows), d)


def _frequent(subsets: Iterable[int], d: int) -> int:
    """Return what belongs to ``2^(d - 1)`` of the subsets, adding binary counts all at once."""
    digits, reached = [0] * (d - 1), 0
    for subset in subsets:
        carry = subset
        for i, digit in enumerate(digits):
            digits[i], carry = digit ^ carry, digit & carry
        reached |= carry
    return reached


_DIMENSIONS: dict[str, tuple[Callable[[_Part, int, _Matrix], None], ...]] = {
    "vc": (_shatters, _shatters_none),
    "dual_vc": (_shatters, _shatters_none),
    "littlestone": (_mistake_tree, _littlestone_refutation),
}


def _dimension(name: str, C: _Matrix, statement: _Part, lower: _Part, upper: _Part) -> str:
    """Check the bounds of one dimension and say them."""
    stated = statement.fields("lower", "upper")
    least, most, claim = _bounds(stated, lower, upper, partial(_Part.integer, least=-1))
    check_lower, check_upper = _DIMENSIONS[name]
    if name == "dual_vc":
        C = C.dual()
    if least == -1:
        lower.fields()
        lower.require(not C.rows, "a class with a concept has dimension at least 0, not -1")
    elif least is not None:
        check_lower(lower, least, C)
    if most is not None:
        check_upper(upper, most, C)
        recomputed = name != "littlestone" and "method" not in cast(dict[str, Any], upper.value)
        if least is not None and recomputed:  # then it is the value
            upper.exactly(least, most, "the dimension")
    return claim


def _one_dimension(name: str, instance: _Part, *sides: _Part) -> _Claim:
    C = _matrix(instance, "concept class")
    return f"{name}_dimension of {C.title}", _dimension(name, C, *sides)


def _dimensions(instance: _Part, *sides: _Part) -> _Claim:
    C = _matrix(instance, "concept class")
    for side in sides:
        side.value = side.value if side.value is not None else dict.fromkeys(_DIMENSIONS)
    parts = zip(_DIMENSIONS, *(side.fields(*_DIMENSIONS) for side in sides), strict=True)
    claims = [(name, _dimension(name, C, *part)) for name, *part in parts]
    return f"dimensions of {C.title}", ", ".join(f"{name} {said}" for name, said in claims if said)


# --- Protocols and hard distributions --------------------------------------------------------

_Errors = dict[_Cell, Fraction]
_Law = tuple[int, list[tuple[int, int, int]]]
_Weighted = list[tuple[Fraction, int]]
_Strategy = tuple[list[_Weighted], list[_Weighted]]
_MIXED = {"public-coin": [], "symmetric public-coin": ["symmetries"]}  # and what they add
_COINS = {"deterministic": [], "private": ["private-coin"], "public": list(_MIXED)}


def _protocol(part: _Part, F: _Matrix, kinds: Collection[str]) -> tuple[int, _Errors]:
    """Return the number of messages and the error on every input inside the promise."""
    if not part.has("kind"):
        part.reject("must be a protocol: an object with the key 'kind'")
    kind = _Part(cast(dict[str, Any], part.value)["kind"], "kind", part).choice(kinds)
    symmetries: list[_Symmetry] = []
    if kind in _MIXED:
        _, listed, *generators = part.fields("kind", "components", *_MIXED[kind])
        symmetries = [each for given in generators for each in _symmetries(given, F)]
        parts = [component.fields("weight", "alice", "bob") for component in listed.entries()]
        weights = listed.sums_to_one([weight.probability(positive=True) for weight, _, _ in parts])
    else:
        parts, weights = [part.fields("kind", "alice", "bob")], [Fraction(1)]
    strategies = [_strategy(kind, alice, bob, F) for _, alice, bob in parts]
    messages = len(strategies[0][1])
    for _, _, bob in parts:
        bob.entries(messages)
    mixture = list(zip(weights, strategies, strict=True))
    errors: _Errors = {}
    for x, (ones, defined) in enumerate(zip(F.rows, F.defined, strict=True)):
        answers = ((w * p * q, S) for w, (a, b) in mixture for p, m in a[x] for q, S in b[m])
        accepted = _totals(answers, len(F.columns))
        errors |= {(x, y): abs(accepted[y] - (ones >> y & 1)) for y in _members(defined)}
    for orbit in _orbits(errors, symmetries):
        mean = sum(errors[cell] for cell in orbit) / Fraction(len(orbit))
        errors |= dict.fromkeys(orbit, mean)
    return messages, errors


def _strategy(kind: str, alice: _Part, bob: _Part, F: _Matrix) -> _Strategy:
    """Read Alice's messages for each input, and for each message the inputs that Bob accepts."""
    one = Fraction(1)
    if kind != "private-coin":
        sets = bob.rows(len(F.columns))
        sent = [m.index(len(sets)) for m in alice.entries(len(F.rows))]
        return [[(one, m)] for m in sent], [[(one, S)] for S in sets]
    rows = [row.entries(len(F.columns)) for row in bob.entries()]
    laws = [law.law(len(rows)) for law in alice.entries(len(F.rows))]
    answers = [[(b.probability(), 1 << y) for y, b in enumerate(row)] for row in rows]
    return [[(p, m) for m, p in enumerate(law)] for law in laws], answers


def _distribution(part: _Part, F: _Matrix) -> _Law:
    """Read a hard distribution: its total and its weighted cells ``(x, y, w)``."""
    total, weights = part.fields("total", "weights")
    cells: list[tuple[int, int, int]] = []
    for cell in weights.entries():
        row, column, weight = cell.entries(3)
        x, y = F.input(row, column)
        if cells and (x, y) <= cells[-1][:2]:
            cell.reject(f"input {(x, y)} must come after {cells[-1][:2]}")
        cells.append((x, y, weight.integer(1)))
    stated, found = total.integer(1), sum(w for _, _, w in cells)
    total.require(found == stated, "the weights sum to {}, not to {}", found, stated)
    return found, cells


def _least_error(
    part: _Part, law: _Law, F: _Matrix, messages: int, potentials: Sequence[_Part] = ()
) -> Fraction:
    """Return the least expected error of a deterministic protocol under a hard distribution.

    With potentials, return the bound from below that they prove.
    """
    total, cells = law
    rows = {x: i for i, x in enumerate(dict.fromkeys(x for x, _, _ in cells))}
    if messages >= len(rows) and not potentials:
        return Fraction(0)  # a class of one row costs nothing
    ys = list(dict.fromkeys(y for _, y, _ in cells))
    if len(ys) <= 16 and math.comb(1 << len(ys), messages) <= MAX_CHOICES and not potentials:
        errors = [[0] * len(rows) for _ in range(1 << len(ys))]  # of each row of Bob's answers
        for x, y, w in cells:
            for q in range(1 << len(ys)):
                errors[q][rows[x]] += w * ((q >> ys.index(y) & 1) != (F.rows[x] >> y & 1))
        chosen = combinations(errors, min(messages, len(errors)))
        # Each row is sent where it costs least.
        return Fraction(min(sum(map(min, zip(*q, strict=True))) for q in chosen), total)
    most = MAX_SUBSET_ROWS if messages == 2 or potentials else MAX_WEIGHTED_ROWS
    rule = f"{len(rows)} rows have weight, at most {most} are recomputed"
    part.require(len(rows) <= most, rule)
    signed = {y: [0] * len(rows) for _, y, _ in cells}  # ones minus zeros, for each column
    sizes = [0] * len(rows)
    for x, y, w in cells:
        signed[y][rows[x]] = w if F.rows[x] >> y & 1 else -w
        sizes[rows[x]] += w
    doubled = _subset_sums(sizes)
    for column in signed.values():  # 2 min(ones, zeros) = ones + zeros - |ones - zeros|
        doubled = [c - abs(s) for c, s in zip(doubled, _subset_sums(column), strict=True)]
    if not potentials:
        return Fraction(_least_partition(doubled, messages), 2 * total)
    u = [entry.fraction() for entry in potentials[0].entries(len(rows))]
    unit = math.lcm(*(share.denominator for share in u))
    gains = _subset_sums([int(2 * unit * share) for share in u])
    excess = max(gain - unit * cost for gain, cost in zip(gains, doubled, strict=True))
    return (sum(u) - messages * Fraction(excess, 2 * unit)) / total


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


def _conflict_free(part: _Part, F: _Matrix, k: int) -> bool:
    """Decide whether Alice's inputs split into at most `k` classes without a conflict."""
    rows = sorted(set(zip(F.rows, F.defined, strict=True)))
    if len(rows) <= k:
        return True
    if all(defined == (1 << len(F.columns)) - 1 for _, defined in rows):
        return False  # distinct rows of a total function conflict
    rule = f"{len(rows)} distinct rows, at most {MAX_COLOURED_ROWS} are coloured"
    part.require(len(rows) <= MAX_COLOURED_ROWS, rule)
    conflicts = [sum(1 << j for j, (b, q) in enumerate(rows) if (a ^ b) & p & q) for a, p in rows]
    return _colourable(conflicts, [], (1 << len(rows)) - 1, k)


def _colourable(conflicts: list[int], classes: list[int], left: int, k: int) -> bool:
    """Extend a partial colouring, a row that conflicts with most classes first."""
    if not left:
        return True
    urgency = [(sum(1 for S in classes if S & each), each.bit_count()) for each in conflicts]
    x = max(_members(left), key=urgency.__getitem__)
    return any(
        _colourable(conflicts, [*classes[:i], S | 1 << x, *classes[i + 1 :]], left ^ 1 << x, k)
        for i, S in enumerate([*classes, 0][:k])  # the first new class stands for all
        if not S & conflicts[x]
    )


def _radon(part: _Part, F: _Matrix, messages: int) -> Fraction:
    """Return the error that every partition of ``messages + 1`` inputs of Alice forces."""
    inputs, separations = part.fields("inputs", "separations")
    chosen = [entry.index(len(F.rows)) for entry in inputs.entries(messages + 1)]
    inputs.require(len(set(chosen)) == len(chosen), "inputs must be distinct")
    least = Fraction(1)
    for i, separation in enumerate(separations.entries((1 << messages) - 1), 1):
        heights, total, previous = [0] * len(chosen), 0, -1
        for entry in separation.entries():
            column, weight = entry.entries(2)
            y, w = column.index(len(F.columns)), weight.nonzero()
            column.require(y > previous, "column {} must come after {}", y, previous)
            previous, total = y, total + abs(w)
            for t, x in enumerate(chosen):
                heights[t] += w * (F.rows[F.input(_Part(x), column)[0]] >> y & 1)
        sides = [[g for t, g in enumerate(heights) if i >> t & 1 == side] for side in (1, 0)]
        gap = max(0, min(sides[0]) - max(sides[1]))
        least = min(least, Fraction(gap, max(total + gap, 1)))
    return least


def _unsorted(part: _Part, F: _Matrix, messages: int) -> Fraction:
    """Check that in each order of some inputs of Alice a column changes its value twice."""
    part.require(messages == 2, "inputs are sorted for 2 messages, not {}", messages)
    chosen = [entry.index(len(F.rows)) for entry in part.entries()]
    part.require(len(set(chosen)) == len(chosen) <= 6, "inputs must be distinct, at most 6")
    inside = reduce(and_, (F.defined[x] for x in chosen), -1)
    for order in permutations(chosen):
        changed, twice = 0, 0
        for x, z in pairwise(order):
            change = (F.rows[x] ^ F.rows[z]) & inside
            twice |= changed & change
            changed |= change
        part.require(twice, f"no column changes twice in the order {order}")
    return Fraction(1, 2)


_Box = dict[tuple[str, int, int], tuple[Fraction, Fraction]]  # of ("alice", x, m), ("bob", y, m)
_UNIT = (Fraction(0), Fraction(1))


def _boxes(part: _Part, F: _Matrix, messages: int) -> Fraction:
    """Return the least error that a tree of boxes of probabilities leaves possible."""
    rule = "boxes are for at least 2 messages and fewer than inputs of Alice, not {}"
    part.require(1 < messages < len(F.rows), rule, messages)
    ordered, nodes = part.fields("ordered", "nodes")
    x = ordered.index(len(F.rows))
    box: _Box = {("alice", x, m): (Fraction(0), Fraction(1, m + 1)) for m in range(messages)}
    box["alice", x, 0] = (Fraction(1, messages), Fraction(1))
    left, least = [box], Fraction(1)
    for node in nodes.entries():
        node.require(left, "no box is left")
        box = left.pop()
        if isinstance(node.value, dict):
            least = min(least, _relaxed(node, F, messages, box))
            continue
        who, number, message, cut = node.entries(4)
        side = who.choice(["alice", "bob"])
        i = number.index(len(F.rows if side == "alice" else F.columns))
        key = (side, i, message.index(messages))
        (low, high), c = box.get(key, _UNIT), cut.fraction()
        cut.require(low < c < high, "must lie strictly between {} and {}, not {}", low, high, c)
        for half in (c, high), (low, c):
            child = {**box, key: half}
            if side == "alice":  # the entries of a law sum to 1
                bounds = [child.get((side, i, m), _UNIT) for m in range(messages)]
                lows, highs = (sum(ends) for ends in zip(*bounds, strict=True))
                for m, (l, h) in enumerate(bounds):
                    child[side, i, m] = (max(l, 1 - highs + h), min(h, 1 - lows + l))
            left.append(child)
    nodes.require(not left, "{} boxes are left without a node", len(left))
    return least


def _relaxed(node: _Part, F: _Matrix, messages: int, box: _Box) -> Fraction:
    """Return the bound of a leaf: both products of distances to the bounds are at least 0."""
    (weights,) = node.fields("weights")
    weights.require(weights.entries(), "at least one input must have weight")
    slopes: dict[tuple[str, int, int], Fraction] = {}
    bound, total, previous = Fraction(0), 0, (-1, -1)
    for entry in weights.entries():
        row, column, weight, splits = entry.entries(4)
        x, y = F.input(row, column)
        entry.require((x, y) > previous, f"input {(x, y)} must come after {previous}")
        previous, w = (x, y), weight.integer(1)
        total += w
        sign = -1 if F.rows[x] >> y & 1 else 1  # c = b, or c = 1 - b
        for m, split in enumerate(splits.entries(messages)):
            a, b, t = ("alice", x, m), ("bob", y, m), split.index(w + 1)
            ends = [q if sign == 1 else 1 - q for q in box.get(b, _UNIT)][::sign]
            for share, p, q in zip((t, w - t), box.get(a, _UNIT), ends, strict=True):
                # share * (p c + q a - p q)
                slopes[a] = slopes.get(a, Fraction(0)) + share * q
                slopes[b] = slopes.get(b, Fraction(0)) + share * p * sign
                bound += share * p * ((sign == -1) - q)
    for (side, i, m), slope in slopes.items():
        if side == "bob":
            bound += min(slope * end for end in box.get((side, i, m), _UNIT))
        elif m == 0:  # once for each law of Alice
            ranges = [(slopes[side, i, j], *box.get((side, i, j), _UNIT)) for j in range(messages)]
            rest = 1 - sum(low for _, low, _ in ranges)
            for s, low, high in sorted(ranges):
                bound += s * (low + min(rest, high - low))
                rest -= min(rest, high - low)
    return bound / total


def _forced(proof: _Part, F: _Matrix, messages: int, coins: str) -> Fraction:
    """Return an error that the lower proof shows to be unavoidable with so many messages."""
    if coins == "deterministic":
        proof.fields()
        return Fraction(0 if _conflict_free(proof, F, messages) else 1)
    for name, method in {"radon": _radon, "unsorted": _unsorted, "boxes": _boxes}.items():
        if coins == "private" and proof.has(name):
            (part,) = proof.fields(name)
            return method(part, F, messages)
    optional = ["potentials"] if proof.has("potentials") else []
    part, *potentials = proof.fields("distribution", *optional)
    return _least_error(part, _distribution(part, F), F, messages, potentials)


def _reached(
    proof: _Part, F: _Matrix, messages: int, coins: str, error: Fraction
) -> tuple[int, Fraction]:
    """Return messages and worst error of a protocol, after a check that neither is larger."""
    (part,) = proof.fields("protocol")
    used, errors = _protocol(part, F, ["deterministic", *_COINS[coins]])
    part.at_most(used, messages, "the number of messages")
    for cell, found in errors.items():
        part.at_most(found, error, f"the error on input {cell}")
    return used, max(errors.values())


def _minimax(instance: _Part, statement: _Part, lower: _Part, upper: _Part) -> _Claim:
    F = _matrix(instance, "communication problem")
    *stated, number, model = statement.fields("lower", "upper", "messages", "coins")
    messages, coins = number.integer(1), model.choice(_COINS)
    least, most, claim = _bounds(stated, lower, upper, _Part.fraction)
    if least is not None and (least > 0 or lower.value != {}):  # no error is negative
        lower.exactly(_forced(lower, F, messages, coins), least, "the error that is forced")
    elif least is not None:
        lower.exactly(0, least, "the bound that needs no proof")
    if most is not None:
        upper.exactly(_reached(upper, F, messages, coins, most)[1], most, "the largest error")
    return f"minimax_error of {F.title} with {_show(messages)} messages, {coins} coins", claim


def _complexity(instance: _Part, statement: _Part, lower: _Part, upper: _Part) -> _Claim:
    F = _matrix(instance, "communication problem")
    *stated, allowed, model = statement.fields("lower", "upper", "error", "coins")
    error, coins = allowed.probability(), model.choice(_COINS)
    least, most, claim = _bounds(stated, lower, upper, partial(_Part.integer, least=1))
    if least == 1:
        lower.fields()  # there is always a message
    elif least is not None:
        found = _forced(lower, F, least - 1, coins)
        rule = "the error forced with {} messages is {}, not above {}"
        lower.require(found > error, rule, least - 1, found, error)
    if most is not None:
        upper.exactly(_reached(upper, F, most, coins, error)[0], most, "the number of messages")
    what = f"communication_complexity of {F.title} at error {_show(error)}, {coins} coins"
    return f"{what}, in messages", claim


def _distributional(instance: _Part, statement: _Part, lower: _Part, upper: _Part) -> _Claim:
    F = _matrix(instance, "communication problem")
    *stated, number, part = statement.fields("lower", "upper", "messages", "distribution")
    messages, law = number.integer(1), _distribution(part, F)
    least, most, claim = _bounds(stated, lower, upper, _Part.fraction)
    if least is not None:
        potentials = lower.fields(*(["potentials"] if lower.has("potentials") else []))
        found = _least_error(part, law, F, messages, potentials)
        part.exactly(found, least, "the least expected error")
    if most is not None:
        (protocol,) = upper.fields("protocol")
        used, errors = _protocol(protocol, F, ["deterministic"])
        protocol.at_most(used, messages, "the number of messages")
        expected = sum(w * errors[x, y] for x, y, w in law[1]) / Fraction(law[0])
        protocol.exactly(expected, most, "the expected error")
    return f"distributional_error of {F.title} with {_show(messages)} messages", claim


def _protocol_error(instance: _Part, statement: _Part, lower: _Part, upper: _Part) -> _Claim:
    F = _matrix(instance, "communication problem")
    *stated, protocol = statement.fields("lower", "upper", "protocol")
    used, errors = _protocol(protocol, F, ["deterministic", "private-coin", *_MIXED])
    least, most, claim = _bounds(stated, lower, upper, _Part.fraction)
    if least is not None:
        (part,) = lower.fields("input")
        row, column = part.entries(2)
        cell = F.input(row, column)
        part.exactly(errors[cell], least, f"the error on input {cell}")
    if most is not None:
        upper.fields()
        for cell, found in errors.items():
            protocol.at_most(found, most, f"the error on input {cell}")
        protocol.exactly(max(errors.values()), most, "the largest error")
    return f"protocol_error on {F.title}, {used} messages", claim


# --- Representations -------------------------------------------------------------------------

_Sets = list[tuple[Fraction, list[int]]]


def _refutes(proof: _Part, C: _Matrix, support: _Sets) -> list[list[Fraction]]:
    """Return the errors of all hypotheses on the concept and distribution of a lower proof."""
    concept, distribution = proof.fields("concept", "distribution")
    f, law = C.rows[concept.index(len(C.rows))], distribution.law(len(C.columns))
    return [[sum((law[x] for x in _members(h ^ f)), Fraction(0)) for h in H] for _, H in support]


def _deterministic(instance: _Part, statement: _Part, lower: _Part, upper: _Part) -> _Claim:
    C = _matrix(instance, "concept class")
    *stated, hypotheses = statement.fields("lower", "upper", "hypotheses")
    H = hypotheses.rows(len(C.columns))
    least, most, claim = _bounds(stated, lower, upper, _Part.fraction)
    if least is not None:
        refuted = _refutes(lower, C, [(Fraction(1), H)])[0]
        for j, found in enumerate(refuted):
            lower.at_least(found, least, f"the error of hypothesis {j}")
        lower.exactly(min(refuted), least, "the least error of a hypothesis")
    if most is not None:
        (weights,) = upper.fields("weights")
        found = _disagreement(weights, C, H, most)
        weights.exactly(found, most, "the largest weighted disagreement")
    return f"deterministic_representation of {C.title} by {len(H)} hypotheses, error", claim


def _disagreement(weights: _Part, C: _Matrix, H: list[int], most: Fraction) -> Fraction:
    """Return the largest weighted disagreement, after a check that none is above a bound."""
    worst = Fraction(0)
    for f, part in zip(C.rows, weights.entries(len(C.rows)), strict=True):
        wrong = [(w, h ^ f) for w, h in zip(part.law(len(H)), H, strict=True)]
        for x, found in enumerate(_totals(wrong, len(C.columns))):
            part.at_most(found, most, f"the weighted disagreement on point {x}")
            worst = max(worst, found)
    return worst


def _probabilistic(instance: _Part, statement: _Part, lower: _Part, upper: _Part) -> _Claim:
    C = _matrix(instance, "concept class")
    *stated, allowed, listed = statement.fields("lower", "upper", "error", "support")
    error, support = allowed.probability(), _support(listed, C)
    least, most, claim = _bounds(stated, lower, upper, _Part.fraction)
    if least is not None:
        errors = _refutes(lower, C, support)
        failing = (w for (w, _), each in zip(support, errors, strict=True) if min(each) > error)
        lower.exactly(sum(failing), least, "the weight of the sets that fail")
    if most is not None:
        upper.exactly(_failing(upper, C, support, error, most), most, "the bound that is proved")
    what = f"probabilistic_representation of {C.title} by {len(support)} sets"
    return f"{what}, failure at error {_show(error)}", claim


def _support(listed: _Part, C: _Matrix) -> _Sets:
    """Read a distribution over sets of hypotheses."""
    support = []
    for drawn in listed.entries():
        weight, hypotheses = drawn.fields("weight", "hypotheses")
        support.append((weight.probability(positive=True), hypotheses.rows(len(C.columns))))
    listed.sums_to_one([w for w, _ in support])
    return support


def _failing(proof: _Part, C: _Matrix, support: _Sets, error: Fraction, most: Fraction) -> Fraction:
    """Return the bound that is proved on a failure probability, after a check that it is enough."""
    if most >= 1 and proof.value == {}:
        return Fraction(1)  # no probability is above 1
    branching = isinstance(proof.value, dict) and proof.value.get("method") == "branching"
    return (_branching if branching else _selection)(proof, C, support, error, most)


def _selection(
    proof: _Part, C: _Matrix, support: _Sets, error: Fraction, most: Fraction
) -> Fraction:
    """Return the bound by Markov's inequality: a set that fails disagrees on more than `error`."""
    method, selections = proof.fields("method", "selections")
    method.choice(["selection", "branching"])
    worst = Fraction(0)
    for f, chosen in zip(C.rows, selections.entries(len(C.rows)), strict=True):
        wrong: _Weighted = []
        for (weight, H), part in zip(support, chosen.entries(len(support)), strict=True):
            wrong += [(weight * a, h ^ f) for a, h in zip(part.law(len(H)), H, strict=True)]
        v = max(_totals(wrong, len(C.columns)), default=Fraction(0))
        bound = min(v / error, Fraction(1)) if error else Fraction(1 if v else 0)
        chosen.at_most(bound, most, "the failure by Markov's inequality")
        worst = max(worst, bound)
    return worst


def _branching(
    proof: _Part, C: _Matrix, support: _Sets, error: Fraction, most: Fraction
) -> Fraction:
    """Return the largest weight of sets that are left to fail together for some concept."""
    _, trees = proof.fields("method", "trees")
    worst = Fraction(0)
    for f, tree in zip(C.rows, trees.entries(len(C.rows)), strict=True):
        # A node, the number of sets decided, those included, and the weight not excluded.
        stack = [(tree, 0, 0, Fraction(1))]
        while stack:
            node, depth, included, possible = stack.pop()
            if isinstance(node.value, str):
                node.choice(["small"])
                node.at_most(possible, most, "the weight of the sets not excluded")
                worst = max(worst, possible)
            elif isinstance(node.value, dict):
                wrong = _blocked(node, f, support, included)
                for x, found in enumerate(_totals(wrong, len(C.columns))):
                    node.at_most(found, error, f"the weighted disagreement on point {x}")
            else:
                inside, outside = node.entries(2)
                node.require(depth < len(support), f"all {depth} sets are decided already")
                stack.append((outside, depth + 1, included, possible - support[depth][0]))
                stack.append((inside, depth + 1, included | 1 << depth, possible))
    return worst


def _blocked(node: _Part, f: int, support: _Sets, included: int) -> _Weighted:
    """Read convex weights over hypotheses of included sets, with their disagreements with `f`."""
    (part,) = node.fields("blocked")
    weights: dict[tuple[int, int], Fraction] = {}
    for entry in part.entries():
        drawn, hypothesis, weight = entry.entries(3)
        i = drawn.index(len(support))
        drawn.require(included >> i & 1, f"set {i} has not been included")
        j = hypothesis.index(len(support[i][1]))
        hypothesis.require((i, j) not in weights, f"hypothesis {j} of set {i} stands twice")
        weights[i, j] = weight.probability()
    part.sums_to_one(list(weights.values()))
    return [(w, support[i][1][j] ^ f) for (i, j), w in weights.items()]


# --- Privacy ---------------------------------------------------------------------------------


def _privacy(instance: _Part, statement: _Part, lower: _Part, upper: _Part) -> _Claim:
    keys = ("type", "name", "records", "outcomes", "size", "symmetric", "laws")
    kind, name, named, answers, entries, order, listed = instance.fields(*keys)
    kind.choice(["mechanism"])
    name.require(isinstance(name.value, str), "must be a text, not {}", name.value)
    order.require(isinstance(order.value, bool), "must be true or false, not {}", order.value)
    records, width, size = named.labels(), answers.labels(), entries.integer(1)
    named.require(records > 1, "must be at least 2 records, not {}", records)
    entries.require(size <= len(listed.entries()), "more entries than laws, {}", size)
    number = math.comb(records + size - 1, size) if order.value else records**size
    laws = [part.law(width) for part in listed.entries(number)]
    ordered = combinations_with_replacement(range(records), size)
    every = ordered if order.value else product(range(records), repeat=size)
    databases = {database: i for i, database in enumerate(every)}
    neighbours = [
        (i, databases[tuple(sorted(changed)) if order.value else changed])
        for database, i in databases.items()
        for place, record in product(range(size), range(records))
        if (changed := (*database[:place], record, *database[place + 1 :])) != database
    ]
    *stated, ratio = statement.fields("lower", "upper", "factor")
    factor = ratio.fraction()
    ratio.require(factor >= 1, "must be at least 1, not {}", factor)
    least, most, claim = _bounds(stated, lower, upper, _Part.fraction)
    if least is not None and (least or lower.value != {}):
        database, neighbour, event = lower.fields("database", "neighbour", "event")
        i, j = database.index(number), neighbour.index(number)
        neighbour.require((i, j) in neighbours, f"database {j} is no neighbour of database {i}")
        chosen = [outcome.index(width) for outcome in event.entries()]
        event.require(len(set(chosen)) == len(chosen), "an outcome stands twice")
        found = sum((laws[i][o] - factor * laws[j][o] for o in chosen), Fraction(0))
        lower.exactly(found, least, "the difference for this event")
    if most is not None:
        upper.fields()
        worst = Fraction(0)
        for i, j in neighbours:
            pairs = zip(laws[i], laws[j], strict=True)
            excess = sum((max(p - factor * q, Fraction(0)) for p, q in pairs), Fraction(0))
            listed.at_most(excess, most, f"the largest difference for databases {i} and {j}")
            worst = max(worst, excess)
        listed.exactly(worst, most, "the largest difference")
    what = f"privacy on databases of {size} of {records} records, e^epsilon = {_show(factor)}"
    return f"{what}, delta", claim


# --- Sizes of representations ----------------------------------------------------------------

_Permutation = list[int]
_Case = tuple[list[_Part], int, int, set[int]]


def _pool(part: _Part, C: _Matrix) -> Collection[int]:
    """Read which hypotheses count; null stands for all."""
    if part.value is None:
        rule = f"{len(C.columns)} points, all hypotheses are considered up to {MAX_POOL_POINTS}"
        part.require(len(C.columns) <= MAX_POOL_POINTS, rule)
        return range(1 << len(C.columns))
    rows = part.rows(len(C.columns))
    part.require(len(set(rows)) == len(rows), "the hypotheses of a pool must be distinct")
    return rows


def _masks(part: _Part, C: _Matrix, error: Fraction, pool: Collection[int]) -> dict[int, int]:
    """Return for each hypothesis the set of the listed neighbourhoods that hold it."""
    masks = dict.fromkeys(pool, 0)
    for i, entry in enumerate(part.entries()):
        concept, law = entry.entries(2)
        f = C.rows[concept.index(len(C.rows))]
        weights = [weight.integer(0) for weight in law.entries(len(C.columns))]
        law.require(any(weights), "the weights must not all be 0")
        allowed = math.floor(error * sum(weights))
        for h in pool:
            masks[h] |= (sum(weights[x] for x in _members(h ^ f)) <= allowed) << i
    return masks


def _largest(masks: Iterable[int]) -> set[int]:
    """Return the sets that are not empty and in no other one."""
    kept: list[int] = []
    for mask in sorted(set(masks), key=int.bit_count, reverse=True):
        if mask and all(mask & ~other for other in kept):
            kept.append(mask)
    return set(kept)


def _image(mask: int, permutation: _Permutation) -> int:
    return sum(1 << permutation[i] for i in _members(mask))


def _orbit(mask: int, moves: list[_Permutation]) -> list[int]:
    """Return the images of a set under the group that permutations generate."""
    orbit = [mask]
    for each in orbit:  # grows while it is read; in a finite group no inverses are needed
        orbit += {_image(each, move) for move in moves}.difference(orbit)
    return orbit


def _cases(
    parts: Sequence[_Part], C: _Matrix, error: Fraction, pool: Collection[int], weights: list[int]
) -> Iterator[_Case]:
    """Walk a branching tree; yield for each node what was chosen, and what is open and left.

    With `weights` of the neighbourhoods symmetries preserve them; without, each node has its own.
    """
    listed, symmetries, tree = parts
    number = len(listed.entries())
    masks = _masks(listed, C, error, pool)
    permutations = [entry.permutation(number) for entry in symmetries.entries()]
    for entry, move in zip(symmetries.entries(), permutations, strict=True):
        kept = not weights or [weights[i] for i in move] == weights
        entry.require(kept, "must preserve the weights of the neighbourhoods")
    stack = [(tree, 0, (1 << number) - 1, _largest(masks.values()))]
    while stack:
        node, chosen, opened, left = stack.pop()
        used, branches, *own = node.fields("symmetries", "branches", *["weights"][bool(weights) :])
        moves = []
        for each in used.entries():
            moves.append(permutations[each.index(len(permutations))])
            rule = "permutation {} does not map the masks of the node to one another"
            each.require({_image(m, moves[-1]) for m in left} == left, rule, each.value)
        for branch in branches.entries():
            row, child = branch.entries(2)
            h = _ones(row.text_row(len(C.columns)))
            row.require(h in masks, "is not in the pool")
            mask = masks[h] & opened
            row.require(mask in left, "its mask has been dropped or is in another one")
            rest = opened & ~mask
            stack.append((child, chosen + 1, rest, _largest(m & rest for m in left)))
            left = left.difference(_orbit(mask, moves))
        yield own, chosen, opened, left


def _heaviest(left: Iterable[int], weights: dict[int, int]) -> list[int]:
    """Return how much weight no masks, one mask, two masks, ... have together at most."""
    totals = [sum(w for i, w in weights.items() if mask >> i & 1) for mask in left]
    return list(accumulate(sorted(totals, reverse=True), initial=0))


def _least_cover(proof: _Part, C: _Matrix, error: Fraction, pool: Collection[int]) -> int:
    """Return how many hypotheses it takes to meet all neighbourhoods, by branching."""
    _, *parts = proof.fields("method", "neighbourhoods", "symmetries", "tree")
    numbers = []
    for [part], chosen, opened, left in _cases(parts, C, error, pool, []):
        weights: dict[int, int] = {}
        for entry in part.entries():
            place, weight = entry.entries(2)
            i = place.index(opened.bit_length())
            place.require(opened >> i & 1 and i not in weights, "must be open and stand once")
            weights[i] = weight.integer(1)
        reached = _heaviest(left, weights)
        if (total := sum(weights.values())) <= reached[-1]:
            numbers.append(chosen + bisect_left(reached, total))
    proof.require(numbers, "no hypotheses of the pool meet all neighbourhoods")
    return min(numbers)


def _least_separating(proof: _Part, C: _Matrix, error: Fraction) -> int:
    """Return how many hypotheses it takes to tell the listed points apart."""
    _method, listed = proof.fields("method", "points")
    proof.require(error < Fraction(1, 2), "needs an error below 1/2, not {}", error)
    columns = [C.columns[point.index(len(C.columns))] for point in listed.entries()]
    listed.require(len(set(columns)) == len(columns), "some points are not told apart")
    antichain = all(a & ~b for a in columns for b in columns if a is not b)
    number = 1
    while (math.comb(number, number // 2) if antichain else 1 << number) < len(columns):
        number += 1
    return number


def _least_by_tree(proof: _Part, C: _Matrix, error: Fraction) -> int:
    """Return the least ``k`` with ``log2 k >= (1 - H(error)) d``, by a mistake tree of depth d."""
    _method, dimension, tree = proof.fields("method", "dimension", "proof")
    p, q = error.as_integer_ratio()
    rule = f"needs an error of at most 1/2 with denominator at most {MAX_DENOMINATOR}, not {{}}"
    proof.require(2 * p <= q <= MAX_DENOMINATOR, rule, error)
    _mistake_tree(tree, d := dimension.integer(0), C)
    # H(p/q) = log2 q - (p log2 p + (q - p) log2 (q - p)) / q; the q-th powers are compared
    left, right = q ** (q * d), (2**q * p**p * (q - p) ** (q - p)) ** d
    return 1 + bisect_left(range(1, 2**d), 1, key=lambda k: k**q * left >= right)


def _mixture(
    proof: _Part, parts: list[_Part], C: _Matrix, error: Fraction, pool: Collection[int]
) -> tuple[int, list[tuple[int, list[int]]]]:
    """Read a tree about weighted neighbourhoods.

    Return the total weight and, for each node, how many hypotheses were chosen and how much weight
    they meet with no other one, one other one, ... at most.
    """
    *tree, listed = parts
    law = [weight.integer(1) for weight in listed.entries(len(tree[0].entries()))]
    proof.require(law, "needs a neighbourhood")
    found = []
    for _, chosen, opened, left in _cases(tree, C, error, pool, law):
        met = sum(law) - sum(law[i] for i in _members(opened))
        reached = _heaviest(left, {i: law[i] for i in _members(opened)})
        found.append((chosen, [met + more for more in reached]))
    return sum(law), found


def _least_meeting(
    proof: _Part, C: _Matrix, error: Fraction, pool: Collection[int], failure: Fraction
) -> int:
    """Return how many hypotheses it takes to miss at most the share `failure` of a mixture."""
    _, *parts = proof.fields("method", "neighbourhoods", "symmetries", "tree", "weights")
    total, nodes = _mixture(proof, parts, C, error, pool)
    needed = math.ceil((1 - failure) * total)
    numbers = [chosen + bisect_left(met, needed) for chosen, met in nodes if met[-1] >= needed]
    proof.require(numbers, "no hypotheses of the pool miss so little")
    return min(numbers)


def _size_of_deterministic(instance: _Part, statement: _Part, lower: _Part, upper: _Part) -> _Claim:
    C = _matrix(instance, "concept class")
    *stated, allowed, admitted = statement.fields("lower", "upper", "error", "pool")
    error, pool = allowed.probability(), _pool(admitted, C)
    least, most, claim = _bounds(stated, lower, upper, partial(_Part.integer, least=1))
    if least is not None:
        method = lower.form("method", ["branching", "separation", "littlestone"])
        if method == "branching":
            found = _least_cover(lower, C, error, pool)
        else:
            found = (_least_separating if method == "separation" else _least_by_tree)(
                lower, C, error
            )
        lower.exactly(found, least, "the number of hypotheses needed")
    if most is not None:
        hypotheses, weights = upper.fields("hypotheses", "weights")
        H = hypotheses.rows(len(C.columns))
        hypotheses.require(set(H) <= set(pool), "must be in the pool")
        hypotheses.exactly(len(set(H)), most, "the number of hypotheses")
        _disagreement(weights, C, H, error)
    what = f"deterministic_representation_size of {C.title} at error {_show(error)}"
    return what, claim


def _drawn(
    proof: _Part, C: _Matrix, error: Fraction, pool: Collection[int], most: Fraction
) -> tuple[int, Fraction]:
    """Return the size of the largest set of a representation and a bound on its failure."""
    listed, failure = proof.fields("support", "failure")
    support = _support(listed, C)
    listed.require(all(set(H) <= set(pool) for _, H in support), "must be in the pool")
    return max(len(set(H)) for _, H in support), _failing(failure, C, support, error, most)


def _least_failure(instance: _Part, statement: _Part, lower: _Part, upper: _Part) -> _Claim:
    C = _matrix(instance, "concept class")
    keys = ("lower", "upper", "error", "size", "pool")
    *stated, allowed, number, admitted = statement.fields(*keys)
    error, size, pool = allowed.probability(), number.integer(1), _pool(admitted, C)
    least, most, claim = _bounds(stated, lower, upper, _Part.fraction)
    if least is not None and (least or lower.value != {}):  # no probability is negative
        parts = list(lower.fields("neighbourhoods", "symmetries", "tree", "weights"))
        total, nodes = _mixture(lower, parts, C, error, pool)
        lower.require(all(chosen <= size for chosen, _ in nodes), "chooses more than {}", size)
        most_met = max(met[min(size - chosen, len(met) - 1)] for chosen, met in nodes)
        lower.exactly(1 - Fraction(most_met, total), least, "the weight that is missed")
    elif least is not None:
        lower.exactly(0, least, "the bound that needs no proof")
    if most is not None:
        used, found = _drawn(upper, C, error, pool, most)
        upper.at_most(used, size, "the number of hypotheses")
        upper.exactly(found, most, "the bound that is proved")
    what = f"least_failure of {C.title} by sets of {_show(size)}, at error {_show(error)}"
    return what, claim


def _size_of_probabilistic(instance: _Part, statement: _Part, lower: _Part, upper: _Part) -> _Claim:
    C = _matrix(instance, "concept class")
    keys = ("lower", "upper", "error", "failure", "pool")
    *stated, allowed, risk, admitted = statement.fields(*keys)
    error, failure, pool = allowed.probability(), risk.probability(), _pool(admitted, C)
    least, most, claim = _bounds(stated, lower, upper, partial(_Part.integer, least=1))
    if least == 1:
        lower.fields()  # there is always a hypothesis
    elif least is not None:
        if lower.form("method", ["mixture", "littlestone"]) == "mixture":
            found = _least_meeting(lower, C, error, pool, failure)
        else:
            found = _least_by_tree(lower, C, 1 - (1 - error) * (1 - failure))
        lower.exactly(found, least, "the number of hypotheses needed")
    if most is not None:
        upper.exactly(_drawn(upper, C, error, pool, failure)[0], most, "the number of hypotheses")
    what = f"probabilistic_representation_size of {C.title} at error {_show(error)}"
    return f"{what}, failure {_show(failure)}", claim


# --- The kinds -------------------------------------------------------------------------------

KINDS: dict[str, Callable[[_Part, _Part, _Part, _Part], _Claim]] = {
    "matrix_game": _game,
    "vc_dimension": partial(_one_dimension, "vc"),
    "dual_vc_dimension": partial(_one_dimension, "dual_vc"),
    "littlestone_dimension": partial(_one_dimension, "littlestone"),
    "dimensions": _dimensions,
    "minimax_error": _minimax,
    "communication_complexity": _complexity,
    "distributional_error": _distributional,
    "protocol_error": _protocol_error,
    "deterministic_representation": _deterministic,
    "deterministic_representation_size": _size_of_deterministic,
    "probabilistic_representation": _probabilistic,
    "probabilistic_representation_size": _size_of_probabilistic,
    "least_failure": _least_failure,
    "privacy": _privacy,
}


@_acyclic()
def check(certificate: object) -> str:
    """Check a JSON value as a certificate and say in one line what it proves.

    `Rejected` at the first place where it breaks the format or does not prove its statement.

    >>> game = {"type": "matrix game", "payoff": [["1", "0"], ["0", "1"]]}
    >>> made = {"format": 1, "kind": "matrix_game", "instance": game, "made_by": "hand"}
    >>> made |= {"statement": {"lower": "1/2", "upper": "1/2"}}
    >>> made |= {"lower": {"row_strategy": ["1/2", "1/2"]}}
    >>> check(made | {"upper": {"column_strategy": ["1/2", "1/2"]}})
    'value of a 2 x 2 matrix game: exactly 1/2'
    """
    keys = ("format", "kind", "instance", "statement", "lower", "upper", "made_by")
    version, kind, instance, statement, lower, upper, _ = _Part(certificate).fields(*keys)
    version.require(version.integer(1) == 1, "must be 1, not {}", version.value)
    what, claim = KINDS[kind.choice(KINDS)](instance, statement, lower, upper)
    statement.require(claim, "claims neither a lower nor an upper bound")
    return f"{what}: {claim}"


def main(paths: Sequence[str]) -> int:
    """Print one line for each file; return 0 if all are accepted, 4 if one is rejected, else 2."""
    status = 0 if paths else 2
    for path in paths:
        try:
            line = f"{path}: proved: {check(read(path))}"
        except Rejected as error:
            line, status = f"{path}: rejected: {error}", 4
        except Unreadable as error:
            line, status = f"unreadable: {error}", max(status, 2)
        sys.stdout.buffer.write(line.encode("utf-8", "backslashreplace") + b"\n")
    return status


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
