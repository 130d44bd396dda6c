"""The kernel's bounds on partitions of Alice's inputs, by classes up to symmetry.

A set of the inputs that have weight is an integer, bit ``i`` for the one in place ``i``. Costs are
doubled, to stay in integers: 2 min(ones, zeros) = ones + zeros - |ones - zeros|.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from itertools import product
from operator import or_, sub

from .instances import Cell, Matrix
from .parts import Part, members
from .symmetry import orbit, symmetries

__all__ = ["least_error"]

MAX_ROWS = 25  # that have weight
MAX_ELEMENTS = 1 << 14  # of the group that the symmetries generate on them
MAX_PROFILES = 1 << 10
MAX_ORBITS = 1 << 18  # of classes
MAX_CLASSES = 1 << 20  # that leave room for a cheaper partition
MAX_CASES = 1 << 16  # partial partitions

Images = tuple[int, ...]  # of each row
Profile = tuple[int, ...]


def least_error(proof: Part, law: dict[Cell, int], F: Matrix, k: int) -> Fraction:
    """Return the least expected error with `k` messages, or a bound on it without a partition."""
    listed, partition = proof.fields("symmetries", "partition")
    xs, ys = sorted({x for x, _ in law}), sorted({y for _, y in law})
    proof.require(len(xs) <= MAX_ROWS, f"{len(xs)} rows have weight, at most {MAX_ROWS} may")
    k = min(k, len(xs))  # more classes than inputs do not help
    moves: list[Callable[[Images], Images]] = []
    for entry, symmetry in zip(listed.entries(), symmetries(listed, F), strict=True):
        for cell, weight in law.items():
            image = symmetry.cell(cell)
            entry.require(law.get(image) == weight, f"{cell} and {image} differ in weight")
        place = [xs.index(symmetry.rows[x]) for x in xs]
        moves.append(partial(_followed, place))
    group = orbit(listed, tuple(range(len(xs))), moves, 5 + len(xs), MAX_ELEMENTS)
    listed.require(len(group) <= MAX_ELEMENTS, f"there are more than {MAX_ELEMENTS} images")
    rows = [[law.get((x, y), 0) * (1 if F.rows[x] >> y & 1 else -1) for y in ys] for x in xs]
    classes = _Classes(rows, group, listed)
    least = classes.bound(classes.everything, k)
    if partition.value is not None:
        sent = [message.index(k) for message in partition.entries(len(xs))]
        sets = [sum(1 << i for i, m in enumerate(sent) if m == message) for message in range(k)]
        stated = sum(map(classes.cost, sets))
        if least < stated:
            classes.none_below(stated, k, partition)
        least = stated
    return Fraction(least, 2 * sum(law.values()))


def _followed(place: list[int], images: Images) -> Images:
    return tuple([place[i] for i in images])


@dataclass(slots=True)
class _Classes:
    """The classes of the rows of a signed matrix, one of each orbit under permutations of rows."""

    rows: list[list[int]]
    group: list[Images]
    place: Part
    width: int = field(init=False)  # steps of a sum of entries
    everything: int = field(init=False)
    kinds: list[int] = field(init=False)  # the orbits of rows
    moved: list[list[int]] = field(init=False)  # the images of each row, as sets
    costs: dict[int, int] = field(default_factory=dict)
    bounds: list[dict[Profile, int]] = field(default_factory=list)  # with 1, 2, ... classes
    cases: int = 0

    def __post_init__(self) -> None:
        self.width = 1 + (sum(abs(w) for row in self.rows for w in row).bit_length() >> 9)
        first = [min(images) for images in zip(*self.group, strict=True)]
        self.everything = (1 << len(first)) - 1
        self.kinds = [sum(1 << i for i, x in enumerate(first) if x == y) for y in set(first)]
        self.moved = [[1 << image for image in each] for each in zip(*self.group, strict=True)]
        number = math.prod(kind.bit_count() + 1 for kind in self.kinds)
        rule = f"there are {number} profiles, at most {MAX_PROFILES} are compared"
        self.place.require(number <= MAX_PROFILES, rule)
        least: dict[Profile, int] = {}
        for S in self._leading(0, len(first), [0] * len(self.group)):
            self.place.afford(30 + (self.width << 3))
            self.costs[S] = self.cost(S)
            rule = f"there are more than {MAX_ORBITS} classes up to symmetry"
            self.place.require(len(self.costs) <= MAX_ORBITS, rule)
            p = self.profile(S)
            least[p] = min(self.costs[S], least.get(p, self.costs[S]))
        self.bounds.append(least)

    def cost(self, S: int) -> int:
        self.place.afford(10 + S.bit_count() * (5 + len(self.rows[0])) * self.width)
        rows = [self.rows[i] for i in members(S)]
        excess = map(sum, zip(*rows, strict=True))
        return sum(abs(w) for row in rows for w in row) - sum(map(abs, excess))

    def profile(self, S: int) -> Profile:
        """Return how many rows of each kind a class has."""
        return tuple([(S & kind).bit_count() for kind in self.kinds])

    def _leading(self, S: int, lowest: int, images: list[int]) -> Iterator[int]:
        """Yield the largest set of each orbit that adds rows below `lowest` to S.

        A set that is the largest of its orbit is so again without its lowest row.
        """
        yield S
        self.place.afford(lowest * (10 + len(self.group) * 5 // 8))
        for i in range(lowest):
            grown = list(map(or_, images, self.moved[i]))
            if max(grown) == S | 1 << i:
                yield from self._leading(S | 1 << i, i, grown)

    def bound(self, S: int, k: int) -> int:
        """Return what a partition of S into at most k classes costs at least."""
        for _ in range(len(self.bounds), k):
            least, last = self.bounds[0], self.bounds[-1]
            pairs = math.prod(math.comb(kind.bit_count() + 2, 2) for kind in self.kinds)
            self.place.afford(pairs * (10 + 2 * len(self.kinds)) * self.width)
            joined = {}
            for p in least:
                parts = product(*(range(n + 1) for n in p))
                joined[p] = min(least[q] + last[tuple(map(sub, p, q))] for q in parts)
            self.bounds.append(joined)
        return self.bounds[k - 1][self.profile(S)]

    def none_below(self, cost: int, k: int, partition: Part) -> None:
        """Reject if some partition costs less: its largest class may be taken from those listed."""
        room = {
            S: c for S, c in self.costs.items() if c + self.bound(self.everything ^ S, k - 1) < cost
        }
        larger = sum(len(self.group) * (3 + S.bit_count()) for S in room) if k > 2 else 0
        partition.afford(larger)
        sets = [(T, c) for S, c in room.items() for T in self._images(S)] if k > 2 else []
        rule = f"{len(sets)} classes leave room for a cheaper partition, {MAX_CLASSES} may"
        partition.require(len(sets) <= MAX_CLASSES, rule)
        partition.afford(len(sets) * 12)
        for S, c in room.items():
            partition.afford(10 + 3 * len(sets))
            others = [(T, d) for T, d in sets if not T & S and T.bit_count() <= S.bit_count()]
            cheaper = self._completed(self.everything ^ S, k - 1, cost - c, others, partition)
            partition.require(not cheaper, f"one with the class {[*members(S)]} costs less")

    def _images(self, S: int) -> set[int]:
        return set(map(sum, zip(*(self.moved[i] for i in members(S)), strict=True)))

    def _completed(
        self, left: int, k: int, below: int, sets: list[tuple[int, int]], partition: Part
    ) -> bool:
        """Decide whether at most k classes, some of the sets and any last one, cost less."""
        self.cases += 1
        rule = f"more than {MAX_CASES} partial partitions are left to compare"
        partition.require(self.cases <= MAX_CASES, rule)
        if k == 1 or not left:
            return self.cost(left) < below
        partition.afford(len(sets) * (10 + 5 * len(self.kinds)) * self.width)
        fits = [(S, c) for S, c in sets if c + self.bound(left ^ S, k - 1) < below]
        return any(
            self._completed(
                left ^ S, k - 1, below - c, [(T, d) for T, d in fits if not S & T], partition
            )
            for S, c in fits
            if S & left & -left  # the class of the lowest row
        )
