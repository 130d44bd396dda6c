"""Privacy of a mechanism: its output distributions on neighbouring databases, in Q or Q(t)."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import combinations_with_replacement, pairwise, permutations, product
from typing import Annotated, Any

from .powers import Powers, Ratio, Value
from .reader import *
from .rules import *

Law = list[Value]
Near = list[list[int]]  # databases any two of which are neighbours


@dataclass(slots=True)
class Mechanism:
    """The output distribution of a mechanism on each database, and the pairs of neighbours."""

    title: str
    powers: Powers
    laws: list[Law]
    near: Near

    @classmethod
    def read(cls, value: object, _: object) -> Mechanism:
        """Read a mechanism on databases of records, on quality functions, or on listed pairs."""
        kind = value.get("type") if isinstance(value, dict) else None
        keys, neighbours = KINDS[inside("type", choice, kind, KINDS)]
        found = fields(value, "type", "name", "outcomes", "t", "laws", *keys)
        _, name, outcomes, t, listed, *own = found
        inside("name", naming, name)
        powers, width = inside("t", Powers, t), inside("outcomes", labels, outcomes)
        laws = inside("laws", each, lambda p: each(powers.polynomial, p, length=width), listed)
        require(
            all(w.low >= 0 for p in laws for w in p),
            "weights must be at least 0, and t must have enough bits to decide their signs",
        )
        require(all(any(w.low for w in p) for p in laws), "the weights must not all be 0")
        said, near = neighbours(len(laws), *own)
        said = f"a mechanism on {said}{powers.title}, sha256 {digest(value)[:16]}"
        return cls(said, powers, laws, near)


def _sum(values: Iterable[Value]) -> Value:
    return sum(values, Value(0, 0, 0, 0))


def _databases(count: int, *given: object) -> tuple[str, Near]:
    """Return a description, and blocks of databases that differ in one private entry."""
    records, size, symmetric, public, groups = given
    n, m = inside("records", labels, records), inside("size", integer, size, 1)
    require(type(symmetric) is bool, "symmetric must be true or false, not {}", symmetric)
    few = "{} distributions are too few for databases of {} records with {} values"
    require(n > 1 and m <= count, few, count, m, n)
    last = 1 if symmetric else m
    first = inside("public", index, public, last)
    blocks: list[list[int]] = [[] for _ in range(n)]
    groups = [0] * n if groups is None else groups
    for r, g in enumerate(inside("groups", lambda: each(index, groups, n, length=n))):
        blocks[g].append(r)
    blocks = [block for block in blocks if block]
    every = combinations_with_replacement if symmetric else lambda R, m: product(R, repeat=m)
    spend(count * m * (10 + m))
    number = {D: i for i, D in zip(range(count + 1), every(range(n), m), strict=False)}
    rule = "there must be one distribution for each database of {} records with {} values, not {}"
    require(len(number) == count, rule, m, n, count)
    near = [
        [number[tuple(sorted(D)) if symmetric else D] for D in around]
        for rest in every(range(n), m - 1)
        for place in range(first, last)
        for block in blocks
        for around in [[(*rest[:place], r, *rest[place:]) for r in block]]
    ]
    said = f"{'multisets' if symmetric else 'all databases (sequences)'} of {m} record"
    said += f"{'s' * (m > 1)} with {n} possible values"
    said += f", the first {first} public" * (first > 0)
    said += f", neighbours with records of one of {len(blocks)} groups" * (len(blocks) > 1)
    return said, near


def _qualities(count: int, *own: object) -> tuple[str, Near]:
    """Return a description and the pairs of functions at distance at most `unit` and `growth`."""
    functions, unit, growth, listed = own
    Q = inside("qualities", each, lambda q: tuple(each(integer, q, None)), functions)
    one, width = inside("unit", integer, unit, 1), len(Q[0]) if Q else 0
    order = sorted(range(len(Q)), key=Q.__getitem__)
    fresh = count == len(Q) and all(Q[i] != Q[j] for i, j in pairwise(order))
    require(fresh, "quality functions must be distinct, with a distribution for each")
    k = None if growth is None else inside("growth", integer, growth, 1)
    require(
        width and all(len(q) == width for q in Q),
        "quality functions must have the same number of values",
    )
    firsts = [Q[i][0] for i in order]
    ends = [bisect_right(firsts, first + one) for first in firsts]
    given = None if listed is None else _pairs(count, listed)[1]
    spend((15 + 3 * width) * (sum(ends) - sum(range(count)) if given is None else len(given)))
    every = ([order[a], j] for a, end in enumerate(ends) for j in order[a + 1 : end])
    near = []
    for i, j in every if given is None else given:
        changes = list(map(int.__sub__, Q[i], Q[j]))
        close = any(changes) and min(changes) >= -one and max(changes) <= one
        if close and k is not None:
            close = max(sum(c > 0 for c in changes), sum(c < 0 for c in changes)) <= k
        require(close or listed is None, "quality functions {} and {} are not neighbours", i, j)
        near += [[i, j]] * close
    values = sorted(different(v for q in Q for v in q).values())
    whole = values == list(range(0, one * len(values), one)) and width < count.bit_length()
    said = f"{count} quality functions of {width} solutions"
    said += f", all with values 0 .. {len(values) - 1}" * (whole and len(values) ** width == count)
    said += f", {len(near)} neighbours: {'all' if listed is None else 'listed'} pairs at distance"
    return f"{said} at most 1" + f" and of growth at most {k}" * (k is not None), near


def _pairs(count: int, listed: object) -> tuple[str, Near]:
    found = inside("pairs", each, lambda pair: each(index, pair, count, length=2), listed)
    return f"{len(found)} listed pairs of {count} databases", found


KINDS: dict[str, tuple[tuple[str, ...], Callable[..., tuple[str, Near]]]] = {
    "mechanism": (("records", "size", "symmetric", "public", "groups"), _databases),
    "mechanism of qualities": (("qualities", "unit", "growth", "pairs"), _qualities),
    "mechanism on pairs": (("pairs",), _pairs),
}


def _bound(value: object, it: Quantity) -> Any:  # noqa: ANN401 - a ratio
    return it.instance.powers.number(value, infinite=True)


Bound = Annotated[Ratio, _bound]
Given = Annotated[Ratio | None, lambda v, it: None if v is None else it.instance.powers.number(v)]
Place = Annotated[int, lambda value, it: index(value, len(it.instance.laws))]
Event = Annotated[list[int], lambda value, it: distinct(value, len(it.instance.laws[0]))]


class Privacy(Quantity, kind="privacy"):
    """The least delta, or the least factor >= 1, with p(E) <= factor q(E) + delta for all events E.

    The bounds are on the parameter that is null; p and q are the distributions on two neighbours.
    """

    instance: Annotated[Mechanism, Mechanism.read]
    factor: Given
    delta: Given
    number = staticmethod(_bound)

    @least
    def event(self, database: Place, neighbour: Place, outcomes: Event, bound: Bound) -> Ratio:
        """Check an event that proves the bound: p(E) - delta = factor q(E), and p(E) > delta."""
        M, f, d = self.instance, *self._both(bound)
        spend(sum(map(len, M.near)) + 60 * len(M.laws[0]))
        near = any(database in block and neighbour in block for block in M.near)
        near = near or database == neighbour
        require(near, "databases {} and {} are not neighbours", database, neighbour)
        p, q, sign = M.laws[database], M.laws[neighbour], M.powers.sign
        more = _sum(p[o] for o in outcomes) * d.under - d.over * _sum(p)
        less = _sum(q[o] for o in outcomes) * d.under * f.over * _sum(p)
        asked = not sign(more * f.under * _sum(q) - less) and (d is bound or sign(more) > 0)
        require(
            asked or (f is bound and not sign(f.over - f.under)),
            "the event E must prove the bound: p(E) = factor q(E) + delta",
        )
        return bound

    @most
    def all_neighbours(self, bound: Bound) -> Ratio:
        """Compare all pairs of neighbours on the worst event, the outputs with p above factor q."""
        M, f, d = self.instance, *self._both(bound)
        known: dict[tuple[Value, ...], int] = {}
        spend(20 * len(M.near) + 20 * sum(map(len, M.laws)))
        number = [known.setdefault(tuple(law), i) for i, law in enumerate(M.laws)]
        sums, seen = {i: _sum(law) for law, i in known.items()}, set[str]()
        for around in ({number[i] for i in block} for block in M.near):
            spend(len(around) ** 2)
            for i, j in permutations(around, 2):
                if (pair := f"{i} {j}") in seen:
                    continue
                seen.add(pair)
                a, b = f.under * sums[j], f.over * sums[i]
                allowed = d.over * sums[i] * a
                spend(60 + len(M.laws[i]) * (10 + (allowed.high.bit_length() >> 8) ** 2))
                pairs = zip(M.laws[i], M.laws[j], strict=True)
                most = [(x, y) for x, y in pairs if a.high * x.high > b.low * y.low]
                high = sum(a.high * x.high - b.low * y.low for x, y in most)
                if high * d.under.high > allowed.low:
                    spend(len(most) * (50 + (allowed.image.bit_length() >> 8) ** 2))
                    apart = (a * x - b * y for x, y in most)
                    likelier = _sum(v for v in apart if M.powers.sign(v) > 0)
                    above = M.powers.sign(likelier * d.under - allowed) > 0
                    require(not above, "databases {} and {} violate the stated bound", i, j)
        return bound

    def _both(self, bound: Ratio) -> tuple[Ratio, Ratio]:
        f, d = self.factor, self.delta
        require((f is None) != (d is None), "exactly one of factor and delta must be null")
        f, d = bound if f is None else f, bound if d is None else d
        require(self.instance.powers.sign(f.over - f.under) >= 0, "the factor must be at least 1")
        return f, d
