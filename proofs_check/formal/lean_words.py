"""Statements of certificates in the definitions of `proofs_check/lean`, and their proofs.

Main definitions: `LEAN_WORDS`, `Stated`, `Half`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType
from typing import Any

from proofs_check.formal.lean_searches import (
    chains_cost,
    refutation_cost,
    shattering_cost,
    without_symmetries,
)

__all__ = ["LEAN_WORDS", "Half", "Stated"]

_MOST = 100_000  # labels or products that a proof looks at

_DECIDE = "(by decide +kernel)"


@dataclass(frozen=True, slots=True)
class Half:
    """A bound as a Lean proposition, and its proof: a Lean term, or None for a hypothesis."""

    words: str
    proof: str | None


@dataclass(frozen=True, slots=True)
class Stated:
    """Statement of a certificate.

    Attributes
    ----------
    sections : tuple of str
        The files of `proofs_check/lean` that contain the definitions, in order.
    data : tuple of (name, type, term)
        Definitions that the other terms refer to.
    lower, upper : Half or None
        None if the bound is not claimed.
    exactly : str or None
        Proposition for both bounds together, if they are equal.
    """

    sections: tuple[str, ...]
    data: tuple[tuple[str, str, str], ...]
    lower: Half | None
    upper: Half | None
    exactly: str | None


Datum = tuple[str, str, str]


def _listed(values: Iterable[Any], term: Callable[[Any], str] = str) -> str:
    return f"[{', '.join(map(term, values))}]"


def _numbers(values: Iterable[int | str]) -> str:
    return _listed(map(int, values))


def _masks(rows: Iterable[str]) -> list[int]:
    return [int(row[::-1], 2) if row else 0 for row in rows]


def _integer(value: int) -> str:
    return f"({value})" if value < 0 else str(value)


def _fraction(text: str) -> str:
    value = Fraction(text)
    return f"{_integer(value.numerator)} {value.denominator}"


def _form(c: Mapping[str, Any], side: str) -> tuple[str, Mapping[str, Any]]:
    [(form, fields)] = c[side].items()
    return form, fields


def _small(cost: int | None, proof: str) -> str | None:
    return proof if cost is not None and cost <= _MOST else None


class _Dimension:
    """A kind of dimension of a class: its Lean definitions, and proofs of both bounds."""

    section: str
    property: str
    exactly = "dimension ({has}) {v}"

    def __init__(self, c: Mapping[str, Any], suffix: str) -> None:
        self.suffix = suffix
        self.data: list[Datum] = []
        self.width = len(c["instance"]["points"])
        self.texts: Sequence[str] = c["instance"]["rows"]
        self.over = self.name("rows", "List Nat", _numbers(_masks(self.texts))) + ".map bit"

    def name(self, key: str, kind: str, term: str) -> str:
        """Define a name and return it."""
        self.data.append((key + self.suffix, kind, term))
        return key + self.suffix

    def lower(self, v: int, fields: Mapping[str, Any]) -> str | None:
        """Return a proof that the dimension is at least `v`."""
        raise NotImplementedError

    def upper(self, k: int, form: str, fields: Mapping[str, Any]) -> str | None:
        """Return a proof that the dimension is less than `k`."""
        raise NotImplementedError

    @classmethod
    def stated(cls, c: Mapping[str, Any], suffix: str) -> Stated:
        """Return the statement of a certificate."""
        it = cls(c, suffix)
        meant = f"{it.width} (table {it.width} ({it.over}))"
        has = f"{cls.property} {meant}"
        low, high = (c["statement"][side] for side in ("lower", "upper"))
        lower = upper = None
        if low is not None:
            form, fields = _form(c, "lower")
            trivial = "dimension_at_least_trivial _"
            proof = trivial if form == "trivial" else it.lower(low, fields)
            lower = Half(f"dimension_at_least ({has}) {_integer(low)}", proof)
        if high is not None:
            proof = it.upper(high + 1, *_form(c, "upper"))
            upper = Half(f"dimension_at_most ({has}) {_integer(high)}", proof)
        exactly = cls.exactly.format(has=has, meant=meant, v=_integer(low or 0))
        known = low is not None and low == high
        sections = ("Classes", cls.section)
        return Stated(sections, tuple(it.data), lower, upper, exactly if known else None)


class _Littlestone(_Dimension):
    section, property = "Littlestone", "mistakes"
    exactly = "ldim {meant} {v}"

    def lower(self, v: int, fields: Mapping[str, Any]) -> str | None:
        nodes = iter(fields["tree"])

        def term(depth: int) -> str:
            node = next(nodes)
            return f"(.node {node} {term(depth - 1)} {term(depth - 1)})" if depth else ".leaf"

        proof = f"ldim_at_least_by {self.name('tree', 'Tree', term(v))} {v} {_DECIDE}"
        return _small(len(self.texts) * 2 * v, proof)

    def upper(self, k: int, form: str, fields: Mapping[str, Any]) -> str | None:
        spaces = without_symmetries(fields, self.width, _MOST)
        masks = _masks(self.texts)
        if spaces is None or _small(refutation_cost(spaces, masks, self.width), "") is None:
            return None

        def space(entry: tuple[int, tuple[int, ...], list[tuple[int, int]]]) -> str:
            depth, literals, sides = entry
            told = _listed(literals, lambda at: f"({at // 2}, {_truth(at & 1)})")
            closed = _listed(sides, lambda s: f"({s[0] // 2}, {_truth(s[0] & 1)}, {s[1]})")
            return f"⟨{depth}, {told}, {closed}⟩"

        named = self.name("spaces", "List Space", _listed(spaces, space))
        return f"ldim_at_most_by {named} {k} {_DECIDE}"


class _VC(_Dimension):
    section, property = "Shattering", "shattered"
    exactly = "vcdim {meant} {v}"

    def lower(self, v: int, fields: Mapping[str, Any]) -> str | None:
        named = self.name("columns", "List Nat", _numbers(fields["columns"]))
        return _small(len(self.texts) * 2 * (v + 1), f"shattered_at_least_by {named} {_DECIDE}")

    def upper(self, k: int, form: str, fields: Mapping[str, Any]) -> str | None:
        cost = shattering_cost(_masks(self.texts), self.width, k, _MOST)
        return _small(cost, f"shattered_at_most_by {k} {_DECIDE}")


class _DualVC(_VC):
    def __init__(self, c: Mapping[str, Any], suffix: str) -> None:
        super().__init__(c, suffix)
        self.over = f"dual {self.width} ({self.over})"
        points = range(self.width)
        self.texts, self.width = (
            ["".join(row[x] for row in self.texts) for x in points],
            len(self.texts),
        )


class _Threshold(_Dimension):
    section, property = "Thresholds", "thresholds"

    def lower(self, v: int, fields: Mapping[str, Any]) -> str | None:
        concepts, points = (_numbers(fields[key]) for key in ("concepts", "points"))
        proof = f"thresholds_at_least_by {concepts} {points} {v} {_DECIDE}"
        return _small(v * v * (len(self.texts) + v), proof)

    def upper(self, k: int, form: str, fields: Mapping[str, Any]) -> str | None:
        cost = chains_cost(_masks(self.texts), self.width, k, _MOST)
        return _small(cost, f"thresholds_at_most_by {k} {_DECIDE}")


def _truth(bit: int) -> str:
    return "true" if bit else "false"


def _game(c: Mapping[str, Any], suffix: str) -> Stated:
    unit, rows = int(c["instance"]["unit"]), c["instance"]["payoff"]
    n, m = len(rows), len(rows[0])
    named = f"payoffs{suffix}"
    meant = f"{n} {m} {unit} (payoff {named})"
    data = ((named, "List (List Int)", _listed(rows, _numbers)),)
    halves, values = list[Half | None](), list[str | None]()
    for side, words in (("lower", "guarantees"), ("upper", "concedes")):
        value = c["statement"][side]
        values.append(value and _fraction(value))
        if value is None:
            halves.append(None)
            continue
        weights = _numbers(_form(c, side)[1]["weights"])
        proof = _small(n * m * (n + m), f"{words}_by {weights} {_DECIDE}")
        halves.append(Half(f"{words} {meant} {values[-1]}", proof))
    known = values[0] is not None and values[0] == values[1]
    exactly = f"value {meant} {values[0]}" if known else None
    return Stated(("Numbers", "Games"), data, halves[0], halves[1], exactly)


def _representation(c: Mapping[str, Any], suffix: str) -> Stated:
    n, rows = len(c["instance"]["points"]), c["instance"]["rows"]
    sets = c["statement"]["hypotheses"]
    data = (
        (f"rows{suffix}", "List Nat", _numbers(_masks(rows))),
        (f"hypotheses{suffix}", "List Nat", _numbers(_masks(sets))),
    )
    meant = f"{n} (table {n} (rows{suffix}.map bit)) (hypotheses{suffix}.map bit)"
    low, high = (c["statement"][side] for side in ("lower", "upper"))
    lower = upper = None
    if low is not None:
        hard = _form(c, "lower")[1]
        proof = f"error_at_least_by {hard['concept']} {_numbers(hard['distribution'])} {_DECIDE}"
        cost = n * len(sets) + n * n
        lower = Half(f"error_at_least {meant} {_fraction(low)}", _small(cost, proof))
    if high is not None:
        weights = _listed(_form(c, "upper")[1]["weights"], _numbers)
        proof = f"represents_by {weights} {_DECIDE}"
        cost = n * len(rows) * len(sets)
        upper = Half(f"represents {meant} {_fraction(high)}", _small(cost, proof))
    known = low is not None and low == high
    exactly = f"representation_error {meant} {_fraction(low)}" if known else None
    return Stated(("Classes", "Numbers", "Representations"), data, lower, upper, exactly)


LEAN_WORDS: Mapping[str, Callable[[Mapping[str, Any], str], Stated]] = MappingProxyType(
    {
        "littlestone_dimension": _Littlestone.stated,
        "vc_dimension": _VC.stated,
        "dual_vc_dimension": _DualVC.stated,
        "threshold_dimension": _Threshold.stated,
        "matrix_game": _game,
        "deterministic_representation": _representation,
    }
)
"""By kind: a function of a certificate, as the kernel accepts it, and of what its names end in."""
