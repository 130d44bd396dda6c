"""The trusted base: re-check a certificate with the Python standard library alone.

`docs/certificates.md` says what a certificate of each kind looks like and why it is a proof; this
file is that page as a program. It finds nothing and trusts nothing: it reads the instance,
recomputes what the proof says, and compares with the statement in integers and fractions. It
runs on its own, ``python -I -S kernel.py FILE ...``, and is meant to be read from top to bottom:
files, parts of a certificate, instances, statements, then one function for each kind.

A set of concepts, points or inputs is an integer whose bit ``i`` says whether ``i`` belongs.
Nothing recurses as deeply as a file pleases: mistake trees and shattered sets have depth at most
``log2`` of the number of concepts, and branching trees are walked with a list.
"""

from __future__ import annotations

import json
import math
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any, NoReturn, TypeVar

__all__ = ["KINDS", "Rejected", "Unreadable", "check", "main", "read"]

MAX_FILE_BYTES = 1 << 28  # 256 MiB
MAX_DEPTH = 2000  # of lists and objects inside each other
MAX_DIGITS = 4000  # of an integer, a numerator or a denominator
MAX_WEIGHTED_ROWS = 16  # of a hard distribution whose least partition is recomputed
MAX_COLOURED_ROWS = 24  # distinct rows of a promise problem whose colouring is recomputed

_STRUCTURE = re.compile(r'"(?:[^"\\]|\\.)*+"?|[\[\]{}]', re.DOTALL)
_FRACTION = re.compile(r"(-?)(0|[1-9][0-9]*)(?:/([1-9][0-9]*))?")
_Number = TypeVar("_Number", int, Fraction)


class Rejected(Exception):  # noqa: N818 - a verdict, not an accident
    """The certificate does not prove its statement: the place, the rule, and both sides."""


class Unreadable(Exception):  # noqa: N818
    """The file is not JSON within the limits; the message names the file."""


# ---------------------------------------------------------------------------------------------
# Files


def read(path: Path | str) -> dict[str, Any]:
    """Return the JSON object that a file holds.

    Parameters
    ----------
    path : Path or str
        A regular file of UTF-8 text within `MAX_FILE_BYTES`, `MAX_DEPTH` and `MAX_DIGITS`.

    Returns
    -------
    dict
        The object; its numbers are integers, and no key stood twice.

    Raises
    ------
    Unreadable
        If the file is missing, above a limit or not JSON, or holds a repeated key or a
        floating-point number, ``NaN`` and ``Infinity`` included.
    Rejected
        If the file holds a JSON value that is not an object.
    """
    try:
        value = _parse(_text(Path(path)))
    except Unreadable as error:
        msg = f"{path}: {error}"
        raise Unreadable(msg) from None
    if not isinstance(value, dict):
        _Part(value).reject(f"must be an object, not {_show(value)}")
    return value


def _unreadable(rule: str) -> NoReturn:
    raise Unreadable(rule)


def _text(path: Path) -> str:
    try:
        if not path.is_file():
            _unreadable("not a regular file" if path.exists() else "no such file")
        if (size := path.stat().st_size) > MAX_FILE_BYTES:
            _unreadable(f"{size} bytes are above the limit of {MAX_FILE_BYTES}")
        text = path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        _unreadable(f"not UTF-8 text: byte {error.start}")
    except (OSError, ValueError) as error:
        _unreadable(f"cannot be read: {error}")
    depth = deepest = 0
    for token in _STRUCTURE.finditer(text):
        depth += {"[": 1, "{": 1, "]": -1, "}": -1}.get(token[0], 0)
        deepest = max(deepest, depth)
    if deepest > MAX_DEPTH:
        _unreadable(f"nested {deepest} levels deep, the limit is {MAX_DEPTH}")
    return text


def _parse(text: str) -> object:
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(limit + 2 * MAX_DEPTH)  # the parser recurses; nothing after it does
    try:
        value: object = json.loads(
            text,
            object_pairs_hook=_distinct_keys,
            parse_int=_short_integer,
            parse_float=lambda number: _unreadable(f"floating-point number {number[:40]}"),
            parse_constant=lambda name: _unreadable(f"{name} is not a number"),
        )
    except json.JSONDecodeError as error:
        _unreadable(f"row {error.lineno}, column {error.colno}: not JSON: {error.msg}")
    except RecursionError:
        _unreadable("nested too deeply for the JSON parser of this Python")
    finally:
        sys.setrecursionlimit(limit)
    return value


def _distinct_keys(pairs: list[tuple[str, object]]) -> dict[str, object]:
    result: dict[str, object] = {}
    for key, value in pairs:
        if key in result:
            _unreadable(f"key {_show(key)} stands twice in one object")
        result[key] = value
    return result


def _short_integer(digits: str) -> int:
    if len(digits.lstrip("-")) > MAX_DIGITS:
        _unreadable(f"an integer of {len(digits)} digits, the limit is {MAX_DIGITS}")
    return int(digits)


# ---------------------------------------------------------------------------------------------
# Parts of a certificate


def _show(value: object) -> str:
    """Describe any value in a few words; never recurses, never fails."""
    if value is None or isinstance(value, bool):
        return json.dumps(value)
    if isinstance(value, int | Fraction):
        bits = max(value.numerator.bit_length(), value.denominator.bit_length())
        return str(value) if bits < 3.5 * MAX_DIGITS else f"a number of {bits} bits"
    if isinstance(value, str):
        return ascii(value if len(value) <= 60 else value[:60] + "...")
    if isinstance(value, list):
        return f"a list of {len(value)} entries"
    return "an object" if isinstance(value, dict) else f"a {type(value).__name__}"


@dataclass(slots=True)
class _Part:
    """A value inside a certificate, together with its place; each method reads one form of it."""

    value: object
    key: str | int = ""
    parent: _Part | None = None

    def place(self) -> str:
        """Return the place as text, such as ``upper.protocol.alice[5]``."""
        steps, part = [], self
        while part.parent is not None:
            steps.append(f".{part.key}" if isinstance(part.key, str) else f"[{part.key}]")
            part = part.parent
        return "".join(reversed(steps)).removeprefix(".") or "certificate"

    def reject(self, rule: str) -> NoReturn:
        msg = f"{self.place()}: {rule}"
        raise Rejected(msg)

    def at_least(self, found: Fraction | int, bound: Fraction | int, what: str) -> None:
        if found < bound:
            self.reject(f"{what} is {_show(found)}, below the stated {_show(bound)}")

    def at_most(self, found: Fraction | int, bound: Fraction | int, what: str) -> None:
        if found > bound:
            self.reject(f"{what} is {_show(found)}, above the stated {_show(bound)}")

    def fields(self, *keys: str) -> tuple[_Part, ...]:
        """Read an object that has exactly these keys."""
        value = self.value
        if not isinstance(value, dict):
            self.reject(f"must be an object, not {_show(value)}")
        for key in keys:
            if key not in value:
                self.reject(f"key {key!r} is missing")
        for key in value:
            if key not in keys:
                self.reject(f"unknown key {_show(key)}")
        return tuple(_Part(value[key], key, self) for key in keys)

    def field(self, key: str) -> _Part:
        """Read an object that has exactly this key."""
        return self.fields(key)[0]

    def entries(self, length: int | None = None) -> list[_Part]:
        """Read a list, of a given length if there is one."""
        if not isinstance(self.value, list):
            self.reject(f"must be a list, not {_show(self.value)}")
        if length is not None and len(self.value) != length:
            self.reject(f"must have {_show(length)} entries, not {len(self.value)}")
        return [_Part(value, i, self) for i, value in enumerate(self.value)]

    def integer(self, least: int) -> int:
        if type(self.value) is not int:  # True is an int to Python, not here
            self.reject(f"must be an integer, not {_show(self.value)}")
        if self.value < least:
            self.reject(f"must be at least {least}, not {_show(self.value)}")
        return self.value

    def index(self, bound: int) -> int:
        value = self.integer(0)
        if value >= bound:
            self.reject(f"must be below {bound}, not {_show(value)}")
        return value

    def choice(self, names: Iterable[str]) -> str:
        if not isinstance(self.value, str) or self.value not in names:
            self.reject(f"must be one of {', '.join(names)}, not {_show(self.value)}")
        return self.value

    def fraction(self) -> Fraction:
        """Read ``"p/q"`` in lowest terms, or ``"p"``."""
        value = self.value
        match = _FRACTION.fullmatch(value) if isinstance(value, str) else None
        if match is None:
            self.reject(f'must be a fraction "p/q", not {_show(value)}')
        sign, p, q = match.groups(default="")
        if max(len(p), len(q)) > MAX_DIGITS:
            self.reject(f"has more than {MAX_DIGITS} digits")
        number = Fraction(int(sign + p), int(q or "1"))
        if str(number) != value:
            self.reject(f"must be in lowest terms, {_show(number)}, not {_show(value)}")
        return number

    def probability(self) -> Fraction:
        number = self.fraction()
        if not 0 <= number <= 1:
            self.reject(f"must lie between 0 and 1, not {_show(number)}")
        return number

    def sums_to_one(self, weights: Iterable[Fraction]) -> None:
        if (total := sum(weights)) != 1:
            self.reject(f"the weights must sum to 1, not {_show(total)}")

    def law(self, length: int) -> list[Fraction]:
        """Read a probability vector: mixed strategy, distribution, convex weights."""
        law = [entry.probability() for entry in self.entries(length)]
        self.sums_to_one(law)
        return law

    def text_row(self, length: int, alphabet: str = "01") -> str:
        if not isinstance(self.value, str) or not set(self.value) <= set(alphabet):
            self.reject(f"must be a text of the characters {alphabet}, not {_show(self.value)}")
        if len(self.value) != length:
            self.reject(f"must have {length} characters, not {len(self.value)}")
        return self.value

    def row_masks(self, length: int) -> list[int]:
        """Read a list of text rows as sets of columns."""
        return [_mask(entry.text_row(length)) for entry in self.entries()]

    def distinct_labels(self) -> int:
        """Read labels and return their number."""
        seen = set()
        for label in self.entries():
            if type(label.value) is not int and not isinstance(label.value, str):
                label.reject(f"a label is a text or an integer, not {_show(label.value)}")
            if label.value in seen:
                label.reject(f"label {_show(label.value)} stands twice")
            seen.add(label.value)
        return len(seen)


def _mask(text: str) -> int:
    """Return the set of positions of the ones of a text row."""
    return int(text[::-1], 2) if text else 0


def _members(mask: int) -> Iterator[int]:
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def _totals(weighted: Iterable[tuple[Fraction, int]], width: int) -> list[Fraction]:
    """Return, for each position, the weight of the masks that contain it."""
    pairs = [(weight, mask) for weight, mask in weighted if weight and mask]
    unit = math.lcm(*(weight.denominator for weight, _ in pairs))
    sums = [0] * width
    for weight, mask in pairs:
        share = weight.numerator * (unit // weight.denominator)
        for position in _members(mask):
            sums[position] += share
    return [Fraction(share, unit) for share in sums]


# ---------------------------------------------------------------------------------------------
# Instances and statements


@dataclass(frozen=True, slots=True)
class _Class:
    """A Boolean class: `rows` are sets of points, `columns` are sets of concepts."""

    title: str
    rows: list[int]
    columns: list[int]
    names: tuple[str, str] = ("concepts", "points")

    def dual(self) -> _Class:
        return _Class(self.title, self.columns, self.rows, self.names[::-1])


@dataclass(frozen=True, slots=True)
class _Problem:
    """A Boolean function: for each input of Alice, where its value is 1 and where it is defined."""

    title: str
    ones: list[int]
    promise: list[int]
    width: int

    def input(self, row: _Part, column: _Part) -> tuple[int, int]:
        """Read an input ``(x, y)`` inside the promise."""
        x, y = row.index(len(self.ones)), column.index(self.width)
        if not self.promise[x] >> y & 1:
            column.reject(f"input {(x, y)} is outside the promise")
        return x, y


def _matrix(
    instance: _Part, keys: tuple[str, str, str], alphabet: str
) -> tuple[str, _Part, list[str], int]:
    """Read a labelled matrix; keys: its type, its rows, its columns. Return also its title."""
    kind, name, rows, columns, matrix = instance.fields("type", "name", *keys[1:], "rows")
    kind.choice(keys[:1])
    if not isinstance(name.value, str):
        name.reject(f"must be a text, not {_show(name.value)}")
    height, width = rows.distinct_labels(), columns.distinct_labels()
    texts = [row.text_row(width, alphabet) for row in matrix.entries(height)]
    plain = name.value.isascii() and name.value.isprintable() and len(name.value) <= 60
    title = name.value if plain else _show(name.value)
    return f"{title} ({height} x {width})", matrix, texts, width


def _concept_class(instance: _Part) -> _Class:
    keys = ("concept class", "concepts", "points")
    title, matrix, texts, width = _matrix(instance, keys, "01")
    first: dict[str, int] = {}
    for i, text in enumerate(texts):
        if first.setdefault(text, i) != i:
            matrix.reject(f"concepts are distinct, but row {i} repeats row {first[text]}")
    columns = [_mask("".join(column)) for column in zip(*texts, strict=True)] or [0] * width
    return _Class(title, [_mask(text) for text in texts], columns)


def _problem(instance: _Part) -> _Problem:
    keys = ("communication problem", "alice", "bob")
    title, matrix, texts, width = _matrix(instance, keys, "01*")
    ones = [_mask(text.replace("*", "0")) for text in texts]
    promise = [_mask(text.replace("0", "1").replace("*", "0")) for text in texts]
    if not any(promise):
        matrix.reject("at least one entry must lie inside the promise")
    return _Problem(title, ones, promise, width)


def _bounds(
    low: _Part, high: _Part, lower: _Part, upper: _Part, number: Callable[[_Part], _Number]
) -> tuple[_Number | None, _Number | None]:
    """Read the bounds of a statement; each is null exactly when its proof is."""
    for bound, proof in ((low, lower), (high, upper)):
        if bound.value is None and proof.value is not None:
            bound.reject("the bound is null, but a proof is given")
        if bound.value is not None and proof.value is None:
            bound.reject("the bound is claimed without a proof")
    least = None if low.value is None else number(low)
    most = None if high.value is None else number(high)
    if least is not None and most is not None and least > most:
        low.reject(f"lower {_show(least)} is above upper {_show(most)}")
    return least, most


def _claim(least: Fraction | int | None, most: Fraction | int | None) -> str:
    if least is None and most is None:
        msg = "statement: claims neither a lower nor an upper bound"
        raise Rejected(msg)
    if least is None or most is None:
        return f"at least {_show(least)}" if most is None else f"at most {_show(most)}"
    exact = least == most
    return f"exactly {_show(most)}" if exact else f"between {_show(least)} and {_show(most)}"


# ---------------------------------------------------------------------------------------------
# Matrix games


def _matrix_game(instance: _Part, statement: _Part, lower: _Part, upper: _Part) -> str:
    kind, payoff = instance.fields("type", "payoff")
    kind.choice(["matrix game"])
    rows = [[entry.fraction() for entry in row.entries()] for row in payoff.entries()]
    if not rows or not rows[0] or any(len(row) != len(rows[0]) for row in rows):
        payoff.reject("must be a matrix with at least one row and one column")
    low, high = statement.fields("lower", "upper")
    least, most = _bounds(low, high, lower, upper, _Part.fraction)
    if least is not None:
        strategy = lower.field("row_strategy")
        p = strategy.law(len(rows))
        for j, column in enumerate(zip(*rows, strict=True)):
            strategy.at_least(_mean(p, column), least, f"the payoff against column {j}")
    if most is not None:
        strategy = upper.field("column_strategy")
        q = strategy.law(len(rows[0]))
        for i, row in enumerate(rows):
            strategy.at_most(_mean(q, row), most, f"the payoff against row {i}")
    return f"value of a {len(rows)} x {len(rows[0])} matrix game: {_claim(least, most)}"


def _mean(law: Iterable[Fraction], values: Iterable[Fraction]) -> Fraction:
    return sum((p * a for p, a in zip(law, values, strict=True)), Fraction(0))


# ---------------------------------------------------------------------------------------------
# Dimensions


def _shatters(proof: _Part, d: int, C: _Class) -> None:
    """Check that `d` listed columns take every pattern on the listed rows."""
    if d < 0:  # no set at all, which needs no proof
        proof.fields()
        return
    concepts, points = proof.fields(*C.names)
    xs = [entry.index(len(C.columns)) for entry in points.entries(d)]
    for i, entry in enumerate(concepts.entries(1 << d)):
        row = C.rows[entry.index(len(C.rows))]
        for t, x in enumerate(xs):
            if (found := row >> x & 1) != (wanted := i >> t & 1):
                entry.reject(f"the entry of {entry.value} and {x} must be {wanted}, not {found}")


def _shatters_none(proof: _Part, upper: int, C: _Class) -> None:
    """Check that no ``upper + 1`` columns are shattered, by extending shattered sets."""
    proof.fields()
    size = upper + 1
    if len(C.rows).bit_length() <= size:
        return  # fewer than 2^size rows
    if size == 0:
        proof.reject(f"the empty set is shattered: 0 is above the stated {upper}")

    def extend(chosen: list[int], cells: list[int], candidates: list[int]) -> None:
        # Each cell must split into halves that can still take all patterns on the rest.
        least = 1 << (size - len(chosen) - 1)
        sizes = [(cell, cell.bit_count() - least) for cell in cells]
        fits = [
            x
            for x in candidates
            if all(least <= (cell & C.columns[x]).bit_count() <= most for cell, most in sizes)
        ]
        if fits and len(chosen) == upper:
            points = f"{C.names[1]} {[*chosen, fits[0]]}"
            proof.reject(f"{points} is shattered: {size} is above the stated {upper}")
        for i, x in enumerate(fits):  # what does not fit now fits no larger set
            column = C.columns[x]
            halves = [half for cell in cells for half in (cell & ~column, cell & column)]
            extend([*chosen, x], halves, fits[i + 1 :])

    extend([], [(1 << len(C.rows)) - 1], list(range(len(C.columns))))


def _mistake_tree(proof: _Part, depth: int, C: _Class) -> None:
    """Check a complete mistake tree; its ``2^depth`` leaves are distinct concepts."""
    if depth < 0:
        proof.fields()
        return
    if depth >= len(C.rows).bit_length():
        proof.reject(f"depth {_show(depth)} needs 2^{_show(depth)} concepts, not {len(C.rows)}")

    def visit(node: _Part, path: list[tuple[int, int]]) -> None:
        if len(path) < depth:
            point, left, right = node.entries(3)
            x = point.index(len(C.columns))
            visit(left, [*path, (x, 0)])
            visit(right, [*path, (x, 1)])
            return
        concept = node.index(len(C.rows))
        for x, label in path:
            if C.rows[concept] >> x & 1 != label:
                node.reject(f"concept {concept} has {1 - label} on point {x}, its path {label}")

    visit(proof.field("tree"), [])


def _littlestone_refutation(proof: _Part, upper: int, C: _Class) -> None:
    """Check that there is no complete mistake tree of depth ``upper + 1``."""
    refutation = proof.field("refutation")
    entries = refutation.entries()
    if not entries and len(C.rows).bit_length() > upper + 1:
        size = f"2^{upper + 1} is not above {len(C.rows)} concepts"
        refutation.reject(f"may be empty only if size decides, but {size}")
    proved: list[tuple[int, int]] = []  # no tree of that depth exists in that version space
    for entry in entries:
        proved.append(_refuted(entry, C, proved))
    if entries:
        constraints, depth, _ = entries[-1].fields("version_space", "depth", "steps")
        constraints.entries(0)
        if depth.value != upper + 1:
            wanted = f"upper + 1 = {_show(upper + 1)}"
            depth.reject(f"the last depth must be {wanted}, not {_show(depth.value)}")


def _restrict(space: int, C: _Class, point: _Part, label: _Part) -> tuple[int, int]:
    """Return a point and the concepts of the version space that have the label on it."""
    x = point.index(len(C.columns))
    return x, space & (C.columns[x] if label.index(2) else ~C.columns[x])


def _refuted(entry: _Part, C: _Class, proved: list[tuple[int, int]]) -> tuple[int, int]:
    """Check one entry from the earlier ones; return its version space and its depth."""
    constraints, depth, steps = entry.fields("version_space", "depth", "steps")
    space, d = (1 << len(C.rows)) - 1, depth.integer(0)
    for constraint in constraints.entries():
        _, space = _restrict(space, C, *constraint.entries(2))
    decided = set()
    for step in steps.entries():
        point, label, reference = step.entries(3)
        x, part = _restrict(space, C, point, label)
        if x in decided:
            step.reject(f"point {x} has two steps")
        decided.add(x)
        other, below = proved[reference.index(len(proved))]
        if below >= d:
            step.reject(f"entry {reference.value} has depth {_show(below)}, not below {_show(d)}")
        for c in _members(part & ~other):
            step.reject(f"concept {c} is not in the version space of entry {reference.value}")
    total = space.bit_count()
    if d == 0 and total:
        entry.reject(f"depth 0 needs an empty version space, not {total} concepts")
    for x, column in enumerate(C.columns):
        ones = (space & column).bit_count()
        # min(...) >= 2^(d - 1): on neither label does size decide.
        if min(ones, total - ones).bit_length() >= d > 0 and x not in decided:
            sizes = f"{total - ones} and {ones} concepts"
            steps.reject(f"no step for point {x}, whose labels 0 and 1 leave {sizes}, depth {d}")
    return space, d


_DIMENSIONS = {
    "vc": (_shatters, _shatters_none),
    "dual_vc": (_shatters, _shatters_none),
    "littlestone": (_mistake_tree, _littlestone_refutation),
}


def _bounded(
    name: str, statement: _Part, lower: _Part, upper: _Part, C: _Class
) -> tuple[int | None, int | None]:
    """Check the bounds of one dimension and return them."""
    low, high = statement.fields("lower", "upper")
    least, most = _bounds(low, high, lower, upper, partial(_Part.integer, least=-1))
    check_lower, check_upper = _DIMENSIONS[name]
    given = C.dual() if name == "dual_vc" else C
    if least is not None:
        check_lower(lower, least, given)
    if most is not None:
        check_upper(upper, most, given)
    return least, most


def _dimension(name: str, instance: _Part, statement: _Part, lower: _Part, upper: _Part) -> str:
    C = _concept_class(instance)
    return f"{name}_dimension of {C.title}: {_claim(*_bounded(name, statement, lower, upper, C))}"


def _dimensions(instance: _Part, statement: _Part, lower: _Part, upper: _Part) -> str:
    C = _concept_class(instance)
    claims = statement.fields(*_DIMENSIONS)
    for side in (lower, upper):
        side.value = side.value if side.value is not None else dict.fromkeys(_DIMENSIONS)
    proofs = lower.fields(*_DIMENSIONS), upper.fields(*_DIMENSIONS)
    bounds = list(map(partial(_bounded, C=C), _DIMENSIONS, claims, *proofs))
    proved = [
        f"{name} {_claim(*pair)}"
        for name, pair in zip(_DIMENSIONS, bounds, strict=True)
        if pair != (None, None)
    ]
    return f"dimensions of {C.title}: {', '.join(proved) or _claim(None, None)}"


# ---------------------------------------------------------------------------------------------
# Protocols and hard distributions

_Component = tuple[Fraction, list[int], list[int]]
_Table = list[list[Fraction]]
_Law = tuple[int, list[tuple[int, int, int]]]


def _deterministic(protocol: _Part, problem: _Problem) -> tuple[int, _Table]:
    _, alice, bob = protocol.fields("kind", "alice", "bob")
    return _mixture([(Fraction(1), *_strategy(alice, bob, problem))], problem)


def _public_coin(protocol: _Part, problem: _Problem) -> tuple[int, _Table]:
    components: list[_Component] = []
    _, listed = protocol.fields("kind", "components")
    for component in listed.entries():
        weight, alice, bob = component.fields("weight", "alice", "bob")
        components.append((_positive(weight), *_strategy(alice, bob, problem)))
        bob.entries(len(components[0][2]))
    listed.sums_to_one(weight for weight, _, _ in components)
    return _mixture(components, problem)


def _strategy(alice: _Part, bob: _Part, problem: _Problem) -> tuple[list[int], list[int]]:
    """Read Alice's map and, for each message, the inputs of Bob that he answers by 1."""
    answers = bob.row_masks(problem.width)
    return [m.index(len(answers)) for m in alice.entries(len(problem.ones))], answers


def _mixture(components: list[_Component], problem: _Problem) -> tuple[int, _Table]:
    table = []
    for x, (ones, promise) in enumerate(zip(problem.ones, problem.promise, strict=True)):
        wrong = ((w, (bob[alice[x]] ^ ones) & promise) for w, alice, bob in components)
        table.append(_totals(wrong, problem.width))
    return len(components[0][2]), table


def _positive(part: _Part) -> Fraction:
    if (weight := part.probability()) == 0:
        part.reject("must be positive, not 0")
    return weight


def _private_coin(protocol: _Part, problem: _Problem) -> tuple[int, _Table]:
    _, sent, answered = protocol.fields("kind", "alice", "bob")
    bob = [[b.probability() for b in row.entries(problem.width)] for row in answered.entries()]
    table = [[Fraction(0)] * problem.width for _ in problem.ones]
    for x, row in enumerate(sent.entries(len(problem.ones))):
        law = row.law(len(bob))
        for y in _members(problem.promise[x]):
            one = _mean(law, (answer[y] for answer in bob))
            table[x][y] = 1 - one if problem.ones[x] >> y & 1 else one
    return len(bob), table


_PROTOCOLS = {
    "deterministic": _deterministic,
    "public-coin": _public_coin,
    "private-coin": _private_coin,
}
_ADMITTED = {"deterministic": ["deterministic"], "public": ["deterministic", "public-coin"]}


def _protocol(part: _Part, problem: _Problem, kinds: Iterable[str]) -> tuple[int, _Table]:
    """Return the number of messages and the error on every input (0 outside the promise)."""
    if not isinstance(part.value, dict) or "kind" not in part.value:
        part.reject("must be a protocol: an object with the key 'kind'")
    kind = _Part(part.value["kind"], "kind", part).choice(kinds)
    return _PROTOCOLS[kind](part, problem)


def _distribution(part: _Part, problem: _Problem) -> _Law:
    """Read a hard distribution: its total and its weighted cells ``(x, y, w)``."""
    total, weights = part.fields("total", "weights")
    cells: list[tuple[int, int, int]] = []
    for cell in weights.entries():
        row, column, weight = cell.entries(3)
        x, y = problem.input(row, column)
        if cells and (x, y) <= cells[-1][:2]:
            cell.reject(f"input {(x, y)} must come after {cells[-1][:2]}")
        cells.append((x, y, weight.integer(1)))
    if (found := sum(w for _, _, w in cells)) != total.integer(1):
        total.reject(f"the weights sum to {_show(found)}, not to {_show(total.value)}")
    return found, cells


def _least_error(part: _Part, law: _Law, problem: _Problem, messages: int) -> Fraction:
    """Return the least expected error of a deterministic protocol under a hard distribution."""
    total, cells = law
    rows = {x: i for i, x in enumerate(sorted({x for x, _, _ in cells}))}
    if messages >= len(rows):
        return Fraction(0)  # a class of one row costs nothing
    if len(rows) > MAX_WEIGHTED_ROWS:
        part.reject(f"{len(rows)} rows have weight, at most {MAX_WEIGHTED_ROWS} are recomputed")
    signed = {y: [0] * len(rows) for _, y, _ in cells}  # ones minus zeros, for each column
    sizes = [0] * len(rows)
    for x, y, w in cells:
        signed[y][rows[x]] = w if problem.ones[x] >> y & 1 else -w
        sizes[rows[x]] += w
    doubled = _subset_sums(sizes)
    for column in signed.values():  # 2 min(ones, zeros) = ones + zeros - |ones - zeros|
        doubled = [c - abs(s) for c, s in zip(doubled, _subset_sums(column), strict=True)]
    return Fraction(_least_partition(doubled, messages), 2 * total)


def _subset_sums(values: list[int]) -> list[int]:
    sums = [0]
    for value in values:
        sums += [s + value for s in sums]
    return sums


def _least_partition(costs: list[int], k: int) -> int:
    """Return the least total cost of a partition of the ground set into at most `k` classes.

    ``costs[S]`` is the cost of a class. The class of the lowest element is split off first, so
    what is left never contains element 0: odd sets need no entry in ``best``.
    """
    if k == 1:
        return costs[-1]
    best = costs  # least costs with one class, two classes, ...
    for _ in range(k - 2):
        best = [0 if S & 1 else _split(S, costs, best) for S in range(len(costs))]
    return _split(len(costs) - 1, costs, best)


def _split(S: int, costs: list[int], best: list[int]) -> int:
    """Return the least ``costs[S - T] + best[T]`` over ``T`` without the lowest element of `S`."""
    least, others = costs[S], S & (S - 1)
    T = others
    while T:
        least = min(least, costs[S ^ T] + best[T])
        T = (T - 1) & others
    return least


def _conflict_free(part: _Part, problem: _Problem, k: int) -> bool:
    """Decide whether Alice's inputs split into at most `k` classes without a conflict."""
    rows = sorted(set(zip(problem.ones, problem.promise, strict=True)))
    if len(rows) <= k:
        return True
    if all(promise == (1 << problem.width) - 1 for _, promise in rows):
        return False  # distinct rows of a total function conflict
    if len(rows) > MAX_COLOURED_ROWS:
        part.reject(f"{len(rows)} distinct rows, at most {MAX_COLOURED_ROWS} are coloured")
    conflicts = [sum(1 << j for j, (b, q) in enumerate(rows) if (a ^ b) & p & q) for a, p in rows]
    return _colourable(conflicts, [], (1 << len(rows)) - 1, k)


def _colourable(conflicts: list[int], classes: list[int], left: int, k: int) -> bool:
    """Extend a partial colouring, a row that conflicts with most classes first."""
    if not left:
        return True

    def urgency(v: int) -> tuple[int, int]:
        return sum(1 for S in classes if S & conflicts[v]), conflicts[v].bit_count()

    x = max(_members(left), key=urgency)
    for i in range(min(len(classes) + 1, k)):
        S = classes[i] if i < len(classes) else 0  # the first new class stands for all
        extended = [*classes[:i], S | 1 << x, *classes[i + 1 :]]
        if not S & conflicts[x] and _colourable(conflicts, extended, left ^ 1 << x, k):
            return True
    return False


def _forced(proof: _Part, problem: _Problem, messages: int, coins: str) -> Fraction:
    """Return an error that the lower proof shows to be unavoidable with so many messages."""
    if coins == "deterministic":
        proof.fields()
        return Fraction(0 if _conflict_free(proof, problem, messages) else 1)
    part = proof.field("distribution")
    return _least_error(part, _distribution(part, problem), problem, messages)


def _reached(proof: _Part, problem: _Problem, messages: int, coins: str, error: Fraction) -> None:
    """Check a protocol with at most so many messages and at most this error on every input."""
    part = proof.field("protocol")
    used, errors = _protocol(part, problem, _ADMITTED[coins])
    part.at_most(used, messages, "the number of messages")
    x, y, worst = _worst(errors)
    part.at_most(worst, error, f"the error on input {(x, y)}")


def _worst(errors: _Table) -> tuple[int, int, Fraction]:
    return max(
        ((x, y, found) for x, row in enumerate(errors) for y, found in enumerate(row)),
        key=lambda entry: entry[2],
    )


def _minimax_error(instance: _Part, statement: _Part, lower: _Part, upper: _Part) -> str:
    problem = _problem(instance)
    low, high, number, model = statement.fields("lower", "upper", "messages", "coins")
    messages, coins = number.integer(1), model.choice(_ADMITTED)
    least, most = _bounds(low, high, lower, upper, _Part.fraction)
    if least is not None and (least > 0 or lower.value != {}):  # no error is negative
        found = _forced(lower, problem, messages, coins)
        lower.at_least(found, least, "the error that is forced")
    if most is not None:
        _reached(upper, problem, messages, coins, most)
    what = f"minimax_error of {problem.title} with {_show(messages)} messages, {coins} coins"
    return f"{what}: {_claim(least, most)}"


def _communication_complexity(instance: _Part, statement: _Part, lower: _Part, upper: _Part) -> str:
    problem = _problem(instance)
    low, high, allowed, model = statement.fields("lower", "upper", "error", "coins")
    error, coins = allowed.probability(), model.choice(_ADMITTED)
    least, most = _bounds(low, high, lower, upper, partial(_Part.integer, least=1))
    if least == 1:
        lower.fields()
    elif least is not None:
        found = _forced(lower, problem, least - 1, coins)
        if found <= error:
            what = f"the error forced with {_show(least - 1)} messages"
            lower.reject(f"{what} is {_show(found)}, not above {_show(error)}")
    if most is not None:
        _reached(upper, problem, most, coins, error)
    what = f"communication_complexity of {problem.title} at error {_show(error)}, {coins} coins"
    return f"{what}, in messages: {_claim(least, most)}"


def _distributional_error(instance: _Part, statement: _Part, lower: _Part, upper: _Part) -> str:
    problem = _problem(instance)
    low, high, number, part = statement.fields("lower", "upper", "messages", "distribution")
    messages, law = number.integer(1), _distribution(part, problem)
    least, most = _bounds(low, high, lower, upper, _Part.fraction)
    if least is not None:
        lower.fields()
        low.at_least(_least_error(part, law, problem, messages), least, "the least expected error")
    if most is not None:
        protocol = upper.field("protocol")
        used, errors = _protocol(protocol, problem, ["deterministic"])
        protocol.at_most(used, messages, "the number of messages")
        expected = sum(w * errors[x][y] for x, y, w in law[1]) / Fraction(law[0])
        protocol.at_most(expected, most, "the expected error")
    what = f"distributional_error of {problem.title} with {_show(messages)} messages"
    return f"{what}: {_claim(least, most)}"


def _protocol_error(instance: _Part, statement: _Part, lower: _Part, upper: _Part) -> str:
    problem = _problem(instance)
    low, high, protocol = statement.fields("lower", "upper", "protocol")
    used, errors = _protocol(protocol, problem, _PROTOCOLS)
    least, most = _bounds(low, high, lower, upper, _Part.fraction)
    if least is not None:
        part = lower.field("input")
        row, column = part.entries(2)
        x, y = problem.input(row, column)
        part.at_least(errors[x][y], least, f"the error on input {(x, y)}")
    if most is not None:
        upper.fields()
        x, y, worst = _worst(errors)
        high.at_most(worst, most, f"the error on input {(x, y)}")
    return f"protocol_error on {problem.title}, {used} messages: {_claim(least, most)}"


# ---------------------------------------------------------------------------------------------
# Representations

_Support = list[tuple[Fraction, list[int]]]


def _hypotheses(part: _Part, C: _Class) -> list[int]:
    hypotheses = part.row_masks(len(C.columns))
    if not hypotheses:
        part.reject("must hold at least one hypothesis")
    return hypotheses


def _errors(proof: _Part, C: _Class, sets: list[list[int]]) -> list[list[Fraction]]:
    """Return the error of each hypothesis on the concept and distribution of a lower proof."""
    concept, distribution = proof.fields("concept", "distribution")
    f, law = C.rows[concept.index(len(C.rows))], distribution.law(len(C.columns))
    return [[sum((law[x] for x in _members(h ^ f)), Fraction(0)) for h in H] for H in sets]


def _deterministic_representation(
    instance: _Part, statement: _Part, lower: _Part, upper: _Part
) -> str:
    C = _concept_class(instance)
    low, high, listed = statement.fields("lower", "upper", "hypotheses")
    H = _hypotheses(listed, C)
    least, most = _bounds(low, high, lower, upper, _Part.fraction)
    if least is not None:
        for j, found in enumerate(_errors(lower, C, [H])[0]):
            lower.at_least(found, least, f"the error of hypothesis {j}")
    if most is not None:
        for f, part in zip(C.rows, upper.field("weights").entries(len(C.rows)), strict=True):
            wrong = [(w, h ^ f) for w, h in zip(part.law(len(H)), H, strict=True)]
            for x, found in enumerate(_totals(wrong, len(C.columns))):
                part.at_most(found, most, f"the weighted disagreement on point {x}")
    what = f"deterministic_representation of {C.title} by {len(H)} hypotheses"
    return f"{what}, error: {_claim(least, most)}"


def _probabilistic_representation(
    instance: _Part, statement: _Part, lower: _Part, upper: _Part
) -> str:
    C = _concept_class(instance)
    low, high, allowed, listed = statement.fields("lower", "upper", "error", "support")
    error, support = allowed.probability(), []
    for drawn in listed.entries():
        weight, hypotheses = drawn.fields("weight", "hypotheses")
        support.append((_positive(weight), _hypotheses(hypotheses, C)))
    listed.sums_to_one(w for w, _ in support)
    least, most = _bounds(low, high, lower, upper, _Part.fraction)
    if least is not None:
        errors = _errors(lower, C, [H for _, H in support])
        failing = (w for (w, _), each in zip(support, errors, strict=True) if min(each) > error)
        lower.at_least(sum(failing), least, "the weight of the sets that fail")
    if most is not None and (most < 1 or upper.value != {}):  # no probability is above 1
        branching = isinstance(upper.value, dict) and upper.value.get("method") == "branching"
        (_branching if branching else _selection)(upper, C, support, error, most)
    what = f"probabilistic_representation of {C.title} by {len(support)} sets"
    return f"{what}, failure at error {_show(error)}: {_claim(least, most)}"


def _selection(proof: _Part, C: _Class, support: _Support, error: Fraction, most: Fraction) -> None:
    """Check the bound by Markov's inequality: a set that fails disagrees on more than `error`."""
    method, selections = proof.fields("method", "selections")
    method.choice(["selection", "branching"])
    for f, chosen in zip(C.rows, selections.entries(len(C.rows)), strict=True):
        wrong: list[tuple[Fraction, int]] = []
        for (weight, H), part in zip(support, chosen.entries(len(support)), strict=True):
            wrong += [(weight * a, h ^ f) for a, h in zip(part.law(len(H)), H, strict=True)]
        v = max(_totals(wrong, len(C.columns)), default=Fraction(0))
        bound = min(v / error, Fraction(1)) if error else Fraction(1 if v else 0)
        chosen.at_most(bound, most, "the failure by Markov's inequality")


def _branching(proof: _Part, C: _Class, support: _Support, error: Fraction, most: Fraction) -> None:
    """Check, for each concept, that no sets of larger weight than claimed fail together."""
    _, trees = proof.fields("method", "trees")
    for f, tree in zip(C.rows, trees.entries(len(C.rows)), strict=True):
        # A node, the number of sets decided, those included, and the weight not excluded.
        stack = [(tree, 0, 0, Fraction(1))]
        while stack:
            node, depth, included, possible = stack.pop()
            if isinstance(node.value, str):
                node.choice(["small"])
                node.at_most(possible, most, "the weight of the sets not excluded")
            elif isinstance(node.value, dict):
                wrong = _blocked(node.field("blocked"), f, support, included)
                for x, found in enumerate(_totals(wrong, len(C.columns))):
                    node.at_most(found, error, f"the weighted disagreement on point {x}")
            else:
                inside, outside = node.entries(2)
                if depth == len(support):
                    node.reject(f"all {depth} sets are decided already")
                stack.append((outside, depth + 1, included, possible - support[depth][0]))
                stack.append((inside, depth + 1, included | 1 << depth, possible))


def _blocked(part: _Part, f: int, support: _Support, included: int) -> list[tuple[Fraction, int]]:
    """Read convex weights over hypotheses of included sets, with their disagreements with `f`."""
    weights: dict[tuple[int, int], Fraction] = {}
    for entry in part.entries():
        set_, hypothesis, weight = entry.entries(3)
        if not included >> (i := set_.index(len(support))) & 1:
            set_.reject(f"set {i} has not been included")
        if (i, j := hypothesis.index(len(support[i][1]))) in weights:
            hypothesis.reject(f"hypothesis {j} of set {i} stands twice")
        weights[i, j] = weight.probability()
    part.sums_to_one(weights.values())
    return [(w, support[i][1][j] ^ f) for (i, j), w in weights.items()]


# ---------------------------------------------------------------------------------------------
# The kinds

KINDS: dict[str, Callable[[_Part, _Part, _Part, _Part], str]] = {
    "matrix_game": _matrix_game,
    "vc_dimension": partial(_dimension, "vc"),
    "dual_vc_dimension": partial(_dimension, "dual_vc"),
    "littlestone_dimension": partial(_dimension, "littlestone"),
    "dimensions": _dimensions,
    "minimax_error": _minimax_error,
    "distributional_error": _distributional_error,
    "communication_complexity": _communication_complexity,
    "protocol_error": _protocol_error,
    "deterministic_representation": _deterministic_representation,
    "probabilistic_representation": _probabilistic_representation,
}


def check(certificate: object) -> str:
    """Check a certificate completely and say in one line what it proves.

    Parameters
    ----------
    certificate : object
        Any JSON value, as `read` returns it.

    Returns
    -------
    str
        The quantity, the instance, and the bounds proved.

    Raises
    ------
    Rejected
        At the first place where the certificate breaks the format or does not prove its statement.

    Examples
    --------
    >>> check(
    ...     {
    ...         "format": 1,
    ...         "kind": "matrix_game",
    ...         "instance": {"type": "matrix game", "payoff": [["1", "0"], ["0", "1"]]},
    ...         "statement": {"lower": "1/2", "upper": "1/2"},
    ...         "lower": {"row_strategy": ["1/2", "1/2"]},
    ...         "upper": {"column_strategy": ["1/2", "1/2"]},
    ...         "made_by": "hand",
    ...     }
    ... )
    'value of a 2 x 2 matrix game: exactly 1/2'
    """
    keys = ("format", "kind", "instance", "statement", "lower", "upper", "made_by")
    version, kind, *parts, _ = _Part(certificate).fields(*keys)
    if version.integer(1) != 1:
        version.reject(f"must be 1, not {_show(version.value)}")
    return KINDS[kind.choice(KINDS)](*parts)


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
