"""The kernel's checks of privacy: the laws of a mechanism on databases that are neighbours."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, combinations_with_replacement, product

from .instances import bounds
from .parts import Claim, Part, multisets, show, size, times

__all__ = ["Mechanism", "privacy"]

QUALITIES = "mechanism of qualities"


@dataclass(slots=True)
class Mechanism:
    """What is said of a mechanism beside its laws, and which of the laws belong to neighbours."""

    outcomes: int
    databases: str
    listed: Part
    laws: list[Part]
    neighbours: list[tuple[int, int]]

    @classmethod
    def read(cls, instance: Part, *more: str) -> tuple[Mechanism, list[Part]]:
        """Read a mechanism, and further keys of the instance."""
        if instance.form("type", ["mechanism", QUALITIES]) == QUALITIES:
            return cls._read_qualities(instance, *more)
        keys = ("type", "name", "records", "outcomes", "size", "symmetric", "laws")
        some = ["neighbours"] * instance.has("neighbours")
        kind, name, named, answers, entries, order, listed, *rest = instance.fields(
            *keys, *some, *more
        )
        restricted = [rest.pop(0) for _ in some]
        kind.choice(["mechanism"])
        name.require(isinstance(name.value, str), "must be a text, not {}", name.value)
        order.require(isinstance(order.value, bool), "must be true or false, not {}", order.value)
        records, width, size = named.labels(), answers.labels(), entries.integer(1)
        named.require(records > 1, "must be at least 2 records, not {}", records)
        entries.require(size <= len(listed.entries()), "more entries than laws, {}", size)
        shown, said = len(listed.entries()), f"of {size} of {records} records"
        most = 2 * shown + 99  # numbers above are not computed
        if order.value:
            said, number = f"multisets {said}", multisets(records, size, most)
        else:
            said = f"all databases (sequences) {said}"
            number = records ** min(size, most.bit_length())
        least = "at least " * (number > most)
        rule = f"must have {least}{number} entries, not {{}}: the laws on {said}"
        listed.require(shown == number, rule, shown)
        laws = listed.entries()
        listed.afford(shown * size * (20 + records * (20 + size)))
        public, groups, which = _read_public(restricted, size, records, sorts=order.value is True)
        ordered = combinations_with_replacement(range(records), size)
        every = ordered if order.value else product(range(records), repeat=size)
        databases = {database: i for i, database in enumerate(every)}
        neighbours = [
            (i, databases[tuple(sorted(changed)) if order.value else changed])
            for database, i in databases.items()
            for place, record in product(range(public, size), range(records))
            if (changed := (*database[:place], record, *database[place + 1 :])) != database
            and groups[record] == groups[database[place]]
        ]
        return cls(width, said + which, listed, laws, neighbours), rest

    @classmethod
    def _read_qualities(cls, instance: Part, *more: str) -> tuple[Mechanism, list[Part]]:
        """Read a mechanism whose databases are quality functions."""
        keys = ("type", "name", "outcomes", "qualities", "growth", "pairs", "laws")
        _, name, answers, listed, growth, pairs, laws, *rest = instance.fields(*keys, *more)
        name.require(isinstance(name.value, str), "must be a text, not {}", name.value)
        functions: list[tuple[Fraction, ...]] = []
        for part in listed.entries():
            width = len(functions[0]) if functions else None
            functions.append(tuple(entry.fraction() for entry in part.entries(width)))
        listed.require(functions and functions[0], "must hold a function of a solution or more")
        listed.require(len(set(functions)) == len(functions), "a function stands twice")
        number, width = len(functions), len(functions[0])
        most = None if growth.value is None else growth.integer(1)
        unit, flat = listed.scaled([value for function in functions for value in function])
        rows = [flat[i : i + width] for i in range(0, len(flat), width)]
        every: Iterable[tuple[int, int]] = combinations(range(number), 2)
        pairs_read = number * (number - 1) // 2
        if pairs.value is not None:
            every = [
                (i.index(number), j.index(number))
                for i, j in (pair.entries(2) for pair in pairs.entries())
            ]
            pairs_read = len(every)
        step = 6 + width * (3 + (max(map(abs, flat)).bit_length() >> 8))
        listed.afford(pairs_read * step)
        found = set()
        for i, j in every:
            if not (rule := _apart(rows[i], rows[j], unit, most)):
                listed.afford(60)
                found |= {(i, j), (j, i)}
            elif pairs.value is not None:
                pairs.reject(f"functions {i} and {j} are no neighbours: {rule}")
        most_said = "" if most is None else f" and of growth at most {show(most)}"
        which = "all pairs" if pairs.value is None else "listed pairs"
        said = (
            f"{_described(functions)}, {len(found) // 2} neighbours: {which} at distance at most 1"
            f"{most_said}"
        )
        return cls(answers.labels(), said, laws, laws.entries(number), sorted(found)), rest

    def event(self, proof: Part) -> tuple[int, int, list[int]]:
        """Read two neighbours, by the numbers of their laws, and distinct outcomes."""
        database, neighbour, event = proof.fields("database", "neighbour", "event")
        i, j = database.index(len(self.laws)), neighbour.index(len(self.laws))
        is_one = (i, j) in self.neighbours
        neighbour.require(is_one, f"database {j} is no neighbour of database {i}")
        return i, j, event.distinct(self.outcomes, "an outcome stands twice")


def _read_public(
    restricted: list[Part], size: int, records: int, *, sorts: bool
) -> tuple[int, list[int], str]:
    """Read on what neighbours agree: how many first entries, and the group of each record."""
    if not restricted:
        return 0, [0] * records, ""
    first, parts = restricted[0].fields("public", "groups")
    public = first.index(size)
    first.require(not (sorts and public), "must be 0, because multisets have no first entries")
    groups = [part.index(records) for part in parts.entries(records)]
    said = f", the first {public} public" * (public > 0)
    if len(set(groups)) > 1:
        said += f", neighbours with records of one of {len(set(groups))} groups"
    return public, groups, said


def _apart(p: Sequence[int], q: Sequence[int], unit: int, growth: int | None) -> str:
    """Say why two quality functions are no neighbours, or nothing; values are in parts of 1."""
    if p == q:
        return "they are one"
    changes = list(map(int.__sub__, q, p))
    if max(changes) > unit or min(changes) < -unit:
        x = next(x for x, change in enumerate(changes) if abs(change) > unit)
        return f"the quality of solution {x} changes by {show(Fraction(abs(changes[x]), unit))}"
    grown = max(sum(c > 0 for c in changes), sum(c < 0 for c in changes))
    return "" if growth is None or grown <= growth else f"{grown} qualities grow"


def _described(functions: Sequence[Sequence[Fraction]]) -> str:
    """Say which quality functions are listed: all of them, where that is so."""
    width, number = len(functions[0]), len(functions)
    said = f"{number} quality functions of {width} solutions"
    values = {value for function in functions for value in function}
    every = width < number.bit_length() and number == len(values) ** width
    every = every and values == set(range(len(values)))
    return f"{said}, all with values 0 .. {len(values) - 1}" if every else said


def privacy(instance: Part, statement: Part, lower: Part, upper: Part) -> Claim:
    """Check bounds on the least delta with which a mechanism is private."""
    M, _ = Mechanism.read(instance)
    laws = [part.law(M.outcomes) for part in M.laws]
    bits = [math.lcm(*(p.denominator for p in law)).bit_length() for law in laws]
    *stated, ratio = statement.fields("lower", "upper", "factor")
    factor = ratio.fraction()
    ratio.require(factor >= 1, "must be at least 1, not {}", factor)
    least, most, claim = bounds(stated, lower, upper, Part.fraction)
    if least is not None and (least or lower.value != {}):
        i, j, chosen = M.event(lower)
        together = bits[i] + bits[j] + size(factor)
        lower.afford(len(chosen) * (40 + 3 * times(together, together)))
        found = sum((laws[i][o] - factor * laws[j][o] for o in chosen), Fraction(0))
        lower.exactly(found, least, "the difference for this event")
    if most is not None:
        upper.fields()
        worst = Fraction(0)
        for i, j in M.neighbours:
            together = bits[i] + bits[j] + size(factor)
            M.listed.afford(20 + M.outcomes * (40 + 3 * times(together, together)))
            pairs = zip(laws[i], laws[j], strict=True)
            excess = sum((max(p - factor * q, Fraction(0)) for p, q in pairs), Fraction(0))
            M.listed.at_most(excess, most, f"the largest difference for databases {i} and {j}")
            worst = max(worst, excess)
        M.listed.exactly(worst, most, "the largest difference")
    what = f"privacy on {M.databases}, {instance.identity()}"
    return f"{what}, e^epsilon = {show(factor)}, delta", claim
