"""The least size of a sample compression scheme of a class."""

from __future__ import annotations

from bisect import bisect_right
from functools import cached_property
from math import comb
from typing import Annotated

from .clauses import refute
from .littlestone import LittlestoneDimension
from .reader import *
from .rules import *

MAX_WIDTH = 12  # columns of a class whose samples are listed
Sample = tuple[int, int]  # a set of columns, and those with label 1


def flag(value: object) -> bool:
    """Read true or false."""
    if type(value) is not bool:
        raise Rejected("must be true or false, not {}", value)
    return value


Flag = Annotated[bool, lambda value, _: flag(value)]
Size = Annotated[int, lambda value, it: index(value, it.instance.width + 1)]


class CompressionSize(Dimension, Quantity, kind="compression_size"):
    """The least size of a scheme; the number of columns plus 1 if there is none of any size.

    Samples are the labellings of a set of columns by some row. A scheme maps each sample to a *key*
    inside it, and each key to a function that has the labels of the sample. Keys are samples of at
    most `size` columns; unlabelled keys are sets of at most `size` columns. In a proper scheme the
    functions are rows. In a stable scheme, the function of a sample is also that of each smaller
    sample which contains its key.
    """

    labelled: Flag
    stable: Flag
    proper: Flag

    @cached_property
    def samples(self) -> list[Sample]:
        """The samples in increasing order of their columns, then of their labels."""
        rows, width = self.instance.rows, self.instance.width
        require(width <= MAX_WIDTH, f"there must be at most {MAX_WIDTH} columns, not {{}}", width)
        require(rows, "the class must have a row")
        spend((4 + 2 * len(rows)) << width)
        return [(D, s) for D in range(1 << width) for s in sorted({row & D for row in rows})]

    def key(self, columns: int, labels: int) -> Sample:
        """Return the key with the given columns inside a sample with the given labels."""
        return columns, labels & columns if self.labelled else 0

    def keys(self, size: int) -> dict[Sample, int]:
        """Return the keys with their numbers, in the order of the samples."""
        spend(4 * len(self.samples))
        few = [(D, s) for D, s in self.samples if D.bit_count() <= size]
        return {key: i for i, key in enumerate(dict.fromkeys(self.key(D, s) for D, s in few))}

    @least
    def counting(self, columns: Columns) -> int:
        """Return the least size with enough keys for the samples on the given columns."""
        rows, n, size = self.instance.rows, len(columns), 0
        require(rows, "the class must have a row")
        spend((len(columns) + len(rows)) * (4 + (self.instance.width >> 9)))
        chosen, keys = sum(1 << x for x in columns), 1
        samples = len(different(row & chosen for row in rows))
        while keys < samples:
            size += 1
            spend(20 + n * (1 + (n >> 6)))
            keys += comb(n, size) << (size if self.labelled else 0)
        return size

    @least
    def refutation(self, size: Size, steps: Entries) -> int:
        """Check a refutation of the clauses that a scheme of the given size satisfies."""
        formula = Formula(self, size)
        inside("steps", refute, steps, formula.clauses, formula.variables)
        return size + 1

    @most
    def points(self) -> int:
        """Return the number of columns, as each labelled sample is a key that belongs to a row.

        The sets of the columns with label 1 are unlabelled keys, whose functions may be no rows.
        """
        width, rows = self.instance.width, self.instance.rows
        return width + (self.proper and not self.labelled) if rows else -1

    @most
    def littlestone(self, symmetries: Symmetries, spaces: Entries) -> int:
        """Return a bound on the Littlestone dimension: the points of mistakes are a stable key."""
        fact = self.labelled and not self.proper
        require(fact, "the form is for labelled schemes that need not be proper")
        it = LittlestoneDimension.of(instance=self.instance)
        return it.refutation(symmetries, spaces)

    @most
    def scheme(self, size: Size, keys: Entries, functions: Entries) -> int:
        """Check the number of the key of each sample, and the function of each key."""
        numbers, width = self.keys(size), self.instance.width
        spend(len(numbers) * (10 + width) + 20 * len(self.samples))
        inside("functions", entries, functions, len(numbers))
        found = inside("functions", each, subset, functions, width)
        for i, text in enumerate(functions if self.proper else ()):
            spend(len(self.instance.rows))
            fact = text in self.instance.texts
            inside("functions", inside, i, require, fact, "must be a row of the class")
        chosen, listed = inside("keys", indices, keys, len(numbers), len(self.samples)), [*numbers]
        made = dict[Sample, int]()  # the function of each sample
        for (D, s), i in zip(self.samples, chosen, strict=True):
            T, _ = listed[i]
            fact = not T & ~D and listed[i] == self.key(T, s)
            require(fact, "the key of the sample {} must be inside it", (D, s))
            fact = found[i] & D == s
            require(fact, "the function of the sample {} must have its labels", (D, s))
            made[D, s] = found[i]
        for (D, s), i in zip(self.samples, chosen, strict=True) if self.stable else ():
            rest = D & ~listed[i][0]
            spend(8 << rest.bit_count())
            for gone in parts(rest):
                same = made[D & ~gone, s & ~gone] == made[D, s]
                rule = "sample {} must have the same function without the columns {}"
                require(same, rule, (D, s), gone)
        return size


def parts(columns: int) -> list[int]:
    """Return all subsets of a set in increasing order."""
    found = [0]
    for x in members(columns):
        found += [part | 1 << x for part in found]
    return found


class Formula:
    """The clauses of the schemes of a given size; `docs/certificates-dimensions.md` lists them."""

    def __init__(self, it: CompressionSize, size: int) -> None:
        self.it, self.width, keys = it, it.instance.width, it.keys(size)
        self.clauses = list[list[int]]()
        spend(10 * 3**self.width)
        self.inner = [
            [T for T in parts(D) if T.bit_count() <= size] for D in range(1 << self.width)
        ]
        self.variables = len(keys) * self.width  # the labels of the functions of the keys
        self.before = dict[Sample, int]()  # the variables before those of the keys of a sample
        for D, s in it.samples:
            self.before[D, s] = self.variables
            self.variables += len(self.inner[D])
        self.made = self.variables  # the variables before the labels of the functions of samples
        self.variables += len(it.samples) * self.width if it.stable else 0
        for i, (D, s) in enumerate(it.samples):
            spend(20 * len(self.inner[D]))
            first = self.before[D, s] + 1
            self.clauses.append([*range(first, first + len(self.inner[D]))])
            for use, T in enumerate(self.inner[D], first):
                key = keys[it.key(T, s)]
                self.same(use, key, s, D)
                if it.stable:
                    self.stay(use, key, i, T)
        for i in range(len(keys)) if it.proper else ():
            self.choose(i)

    def same(self, use: int, i: int, labels: int, columns: int) -> None:
        """Add: if `use` is true, the function of key `i` has the given labels on the columns."""
        spend(20 * self.width)
        for x in members(columns):
            label = i * self.width + x + 1
            self.clauses.append([-use, label if labels >> x & 1 else -label])

    def stay(self, use: int, key: int, i: int, T: int) -> None:
        """Add: if sample `i` has the key, their functions are equal, also without other columns."""
        spend(60 * self.width)
        D, s = self.it.samples[i]
        for x in members((1 << self.width) - 1 & ~D):
            label, made = key * self.width + x + 1, self.made + i * self.width + x + 1
            self.clauses += [-use, -label, made], [-use, label, -made]
        for x in members(D & ~T):
            less = D & ~(1 << x)
            after = bisect_right(self.inner[less], T)
            self.clauses.append([-use, self.before[less, s & less] + after])

    def choose(self, i: int) -> None:
        """Require that the function of key `i` is a row."""
        rows, first = self.it.instance.rows, self.variables + 1
        spend(10 * len(rows))
        self.variables += len(rows)
        self.clauses.append([*range(first, first + len(rows))])
        for c, row in enumerate(rows):
            self.same(first + c, i, row, (1 << self.width) - 1)
