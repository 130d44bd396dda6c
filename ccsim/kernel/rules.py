"""The framework for forms of proof, and the four rules that proofs use.

A form of proof is a method of the bounded quantity. Its parameters are the fields of the proof.
Their annotations determine how the fields are read. The method returns the proved bound.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, field
from importlib import import_module
from typing import Annotated, Any, ClassVar, Self, TypeVar, get_origin, get_type_hints

from .reader import *

MAX_WORK = 1 << 28  # maximum number of steps of a check, of about 0.1 microseconds or 8 bytes

S = TypeVar("S")
Form = TypeVar("Form", bound=Callable[..., Any])


@dataclass(slots=True)
class Work:
    """The number of remaining steps of a check, and a function that is called during the check."""

    left: int = MAX_WORK
    tell: Callable[[], object] | None = None
    instances: dict[object, Any] = field(default_factory=dict)  # that have been read


class TooLong(Rejected):
    """The check needs too many steps, so the statement is neither proved nor refuted."""


WORK: ContextVar[Work] = ContextVar("WORK")


def spend(steps: int) -> None:
    """Count the steps of the next operation; reject if they exceed the limit."""
    work = WORK.get()
    work.left -= steps
    if work.left < 0:
        raise TooLong(f"the proof takes more than {MAX_WORK} steps to check")
    if work.tell is not None:
        work.tell()


_SIDES: dict[str, str] = {}  # of each proof form, by its qualified name


def least(form: Form, side: str = "lower") -> Form:
    """Mark a method as a form of proof of a lower bound, which the method returns."""
    _SIDES[form.__qualname__] = side
    return form


def most(form: Form) -> Form:
    """Mark a method as a form of proof of an upper bound, which the method returns."""
    return least(form, "upper")


def _readers(annotated: object) -> dict[str, Callable[[object, Any], Any]]:
    """Return the reader of each annotated field of a class or parameter of a function."""
    hints = get_type_hints(annotated, include_extras=True).items()
    return {key: hint.__metadata__[0] for key, hint in hints if get_origin(hint) is Annotated}


class Quantity:
    """A quantity determined by an instance and parameters, with forms of proof of bounds on it.

    Each kind of certificate is a subclass. Its annotated fields are the instance and the
    parameters. Bounds are read by ``number``, as fractions by default.
    """

    kinds: ClassVar[dict[str, type[Quantity]]] = {}
    number: ClassVar[Any] = staticmethod(lambda value, _: fraction(value))
    readers: ClassVar[dict[str, Callable[[object, Any], Any]]]
    forms: ClassVar[dict[str, dict[str, tuple[Callable[..., Any], dict[str, Any]]]]]
    null: ClassVar[str] = "least {}"  # how a parameter that is null is printed
    elsewhere: ClassVar[dict[str, str]] = {}  # forms from below that are functions, and their files
    instance: Any

    def __init_subclass__(cls, kind: str) -> None:
        cls.kinds[kind], cls.readers, cls.forms = cls, _readers(cls), {"lower": {}, "upper": {}}
        for name in dir(cls):
            form = getattr(cls, name)
            if side := _SIDES.get(getattr(form, "__qualname__", "")):
                cls.forms[side][name] = form, _readers(form)

    @classmethod
    def of(cls, **values: object) -> Self:
        """Return the quantity with the given values of its instance and its parameters."""
        it = cls()
        vars(it).update(values)
        return it

    def proved(self, side: str, proof: object) -> Any:  # noqa: ANN401 - a number
        """Return the bound that a proof, given as ``{form: data}``, proves."""
        forms, files = self.forms[side], self.elsewhere if side == "lower" else {}
        known = sorted({*forms, *files})
        is_one = isinstance(proof, dict) and len(proof) == 1 and set(proof) <= set(known)
        require(is_one, f"must be an object with one of the keys {', '.join(known)}")
        [(name, data)] = proof.items()  # type: ignore[attr-defined] # as has just been required
        if name not in forms:
            form = getattr(import_module(f".{files[name]}", __package__), name)
            forms[name] = form, _readers(form)
        return inside(name, self._apply, *forms[name], data)

    def _apply(self, form: Callable[..., Any], readers: dict[str, Any], data: object) -> object:
        values = zip(readers.items(), fields(data, *readers), strict=True)
        return form(self, **{k: inside(k, read, v, self) for (k, read), v in values})


def column_set(value: object, width: int) -> int:
    """Read a list of distinct columns as a set."""
    found = distinct(value, width)
    spend(len(found) * (2 + (width >> 9)))
    return sum(1 << x for x in found)


class Dimension:
    """An integer that is at least -1; it is -1 for the empty class."""

    instance: Class
    number: ClassVar[Any] = staticmethod(lambda value, _: integer(value, -1))

    @least
    def trivial(self) -> int:
        """Return -1, a trivial bound."""
        return -1


def check_statement(
    kind: str, instance: object, statement: object, lower: object, upper: object
) -> str:
    """Check the bounds of a statement; return a line that gives the proved bounds."""
    it = Quantity.kinds[kind]()
    keys = [key for key in it.readers if key != "instance"]
    known, place = WORK.get().instances, (id(instance), it.readers["instance"])
    if place not in known:
        read = inside("instance", it.readers["instance"], instance, it)
        known[place] = read, len(json.dumps(instance, ensure_ascii=False)) >> 3, instance
    it.instance, steps, _ = known[place]
    spend(steps)  # for what a form does once with each part of the instance
    low, high, *values = inside("statement", fields, statement, "lower", "upper", *keys)
    said = [f"{kind} of {it.instance.title}"]
    for key, value in zip(keys, values, strict=True):
        setattr(it, key, inside("statement", inside, key, it.readers[key], value, it))
        plain = value if isinstance(value, str | int) else f"sha256 {digest(value)[:16]}"
        plain = show(value) if type(value) is bool else plain
        said.append(it.null.format(key) if value is None else f"{key} {plain}")
    claims: list[Any] = []
    for side, stated, proof in (("lower", low, lower), ("upper", high, upper)):
        rule = f"the {side} bound must be null exactly if its proof is null"
        require((stated is None) == (proof is None), rule)
        if stated is not None:
            claims.append(inside("statement", inside, side, it.number, stated, it))
            found = inside(side, it.proved, side, proof)
            rule = "the bound that is proved is {}, not the stated {}"
            inside(side, require, found == claims[-1], rule, found, claims[-1])
    require(claims, "the lower and the upper bound must not both be null")
    require(not claims[0] > claims[-1], "lower bound {} is above upper bound {}", *claims[:2])
    both = "exactly {1}" if claims[0] == claims[-1] else "between {0} and {1}"
    claim = both if len(claims) > 1 else f"at {'most' if low is None else 'least'} {{0}}"
    return f"{', '.join(said)}: {'infinite' if low == 'infinity' else claim.format(*claims)}"


def mixture(weights: Iterable[int], sets: Iterable[int], width: int) -> list[int]:
    """Rule 1: return, for each position below `width`, the weight of the sets that contain it."""
    sums = [0] * width
    for weight, each_set in zip(weights, sets, strict=True):
        if weight and each_set:
            spend(5 + (width >> 6) + each_set.bit_count() * (2 + (weight.bit_length() >> 10)))
            for position in members(each_set):
                sums[position] += weight
    return sums


def cases(nodes: Sequence[Any], first: S, split: Callable[[Any, S], Sequence[S]]) -> None:
    """Rule 2: traverse a tree of cases, whose nodes are listed in preorder.

    For each node, `split` returns subcases that cover its case; no subcases if it is closed.
    """
    left = [first]
    for i, node in enumerate(nodes):
        require(left, "node {} is superfluous: all cases are closed", i)
        left.extend(reversed(inside(i, split, node, left.pop())))
    require(not left, "the tree is incomplete: {} cases have no node", len(left))


def table(entries: Iterable[Any], prove: Callable[[Any, list[S]], S]) -> list[S]:
    """Rule 3: return the proved result of each entry, given the results of earlier entries."""
    proved: list[S] = []
    for i, entry in enumerate(entries):
        proved.append(inside(i, prove, entry, proved))
    return proved


@dataclass(frozen=True, slots=True)
class Symmetry:
    """Rule 4: permutations of the rows and columns of a matrix, and a set of flipped columns."""

    rows: list[int]
    columns: list[int]
    flips: int

    @classmethod
    def read(cls, value: object, F: Matrix) -> Symmetry:
        """Read a symmetry; check that it maps entries to equal entries, or to flipped ones."""
        spend(len(F.rows) * F.width)
        rows, columns, flipped = fields(value, "rows", "columns", "flips")
        sigma = inside("rows", distinct, rows, len(F.rows), len(F.rows))
        tau = inside("columns", distinct, columns, F.width, F.width)
        flips = inside("flips", subset, flipped, F.width)
        across = F.across()
        for y, image in enumerate(tau):
            ours = across[y].translate({48: "1", 49: "0"}) if flips >> y & 1 else across[y]
            moved = "".join(map(across[image].__getitem__, sigma))
            rule = "the entries of column {} must be mapped to those of column {}"
            require(moved == ours, rule, y, image)
        return cls(sigma, tau, flips)

    def cell(self, cell: tuple[int, int]) -> tuple[int, int]:
        """Return the image of an entry, given by its row and column."""
        return self.rows[cell[0]], self.columns[cell[1]]


Symmetries = Annotated[list[Symmetry], lambda value, it: each(Symmetry.read, value, it.instance)]


def orbit(start: S, moves: Sequence[Callable[[S], S]], steps: int = 10) -> list[S]:
    """Return the orbit of an element, or its text, under the group generated by some maps."""
    found, seen = [start], {start}
    for element in found:  # grows while it is read
        spend(20 + len(moves) * steps)
        for move in moves:
            if (image := move(element)) not in seen:
                seen.add(image)
                found.append(image)
    return found
