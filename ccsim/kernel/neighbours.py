"""Neighbouring databases of a mechanism, generated from the declaration of the relation."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator
from itertools import chain, combinations_with_replacement, pairwise, product

from .reader import *
from .rules import *

Near = list[list[int]]  # databases any two of which are neighbours
Database = tuple[int, ...]


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


CHANGES = {
    "replace one": "neighbours differ in one record",
    "add or remove one": "one neighbour has one record more",
    "replace key": "neighbours agree in all records with other keys",
    "remove key": "one neighbour lacks all records with one key",
}


def _sizes(count: int, *given: object) -> tuple[str, Near]:
    """Return a description, and blocks of neighbours among the databases of several sizes."""
    records, least, most, change, symmetric, groups = given
    n, m = inside("records", labels, records), inside("most", integer, most, 1)
    low = inside("least", index, least, m + 1)
    how = inside("change", choice, change, CHANGES)
    require(type(symmetric) is bool, "symmetric must be true or false, not {}", symmetric)
    few = "{} distributions are too few for databases of {} to {} records with {} values"
    require(n and m - low < count, few, count, low, m, n)
    require(groups is None or how != "add or remove one", "groups must be null if {}", how)
    listed = [0] * n if groups is None else groups
    group = inside("groups", lambda: each(index, listed, n, length=n))
    every = combinations_with_replacement if symmetric else lambda R, m: product(R, repeat=m)
    parts = min(m, len(different(group)) if "key" in how else n if symmetric else m)
    spend(count * (20 + 4 * m + parts * (10 + m // 2)))
    ordered = chain.from_iterable(every(range(n), k) for k in range(low, m + 1))
    number: dict[Database, int] = {D: i for i, D in zip(range(count + 1), ordered, strict=False)}
    rule = "there must be one distribution for each database of {} to {} records with {} values"
    require(len(number) == count, f"{rule}, not {{}}", low, m, n, count)
    around: dict[tuple[int, int, Database], list[int]] = {}
    for D, i in number.items():
        for block in _rests(D, how, group, 0 if symmetric else 1):
            around.setdefault(block, []).append(i)
    near = list(around.values())
    if how != "replace one":  # the remaining records are a neighbour as well
        whole = [(number[block[-1]], rest) for block, rest in around.items() if block[-1] in number]
        if how == "replace key":
            near = [rest for block, rest in around.items() if block[-1] not in number]
            near += [[i, *rest] for i, rest in whole]
        else:
            near = [[i, j] for i, rest in whole for j in rest]
    said = f"{'multisets' if symmetric else 'all databases (sequences)'} of "
    said += f"{low} to " * (low < m) + f"{m} record"
    said += f"{'s' * (m > 1)} with {n} possible values, {CHANGES[how]}"
    many = len(different(group))
    said += f", {many} {'groups of records' if how == 'replace one' else 'keys'}" * (many > 1)
    return said, near


def _rests(
    D: Database, how: str, group: list[int], ordered: int
) -> Iterator[tuple[int, int, Database]]:
    """Yield what remains of a database without one record, or without the records of one key."""
    if "key" in how:
        for key in {group[r] for r in D}:
            yield key, 0, tuple(r for r in D if group[r] != key)
        return
    known = set[tuple[int, int, Database]]()
    for place, r in enumerate(D):
        if ordered or not place or D[place - 1] != r:
            of = (group[r], place * ordered) if how == "replace one" else (0, 0)
            known.add((*of, D[:place] + D[place + 1 :]))
    yield from known


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


NEIGHBOURS: dict[str, tuple[tuple[str, ...], Callable[..., tuple[str, Near]]]] = {
    "mechanism": (("records", "size", "symmetric", "public", "groups"), _databases),
    "mechanism of sizes": (("records", "least", "most", "change", "symmetric", "groups"), _sizes),
    "mechanism of qualities": (("qualities", "unit", "growth", "pairs"), _qualities),
    "mechanism on pairs": (("pairs",), _pairs),
}
