"""Fractional partitions of the inputs of a value of a power of a matrix, up to symmetry.

An input of the power is a list of inputs of the matrix with the value, its *coordinates*. Inputs of
the matrix that symmetries map to each other form a *class*. The *type* of an input of the power
counts its coordinates in each class: digit c of its code, to the base k + 1, is that of class c.
"""

from __future__ import annotations

from array import array
from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations_with_replacement, product
from math import comb
from sys import byteorder
from typing import Annotated

from .heavy_products import Factor, exceeds, factor
from .reader import *
from .rectangles import Bit, Rectangles
from .rules import *

MAX_POWER = 64
BITS = 64  # of the code of a type

Cell = tuple[int, int]
Power = Annotated[int, lambda value, _: index(integer(value, 1), MAX_POWER + 1)]


@dataclass(slots=True)
class Types:
    """The types of inputs of a power; those that the transposition exchanges count as one type.

    They are the orbits of a group: symmetries may be applied to each coordinate, coordinates may be
    permuted, and the transposition is applied to all coordinates at once.
    """

    power: int
    shape: Cell  # numbers of rows and columns of the matrix
    codes: dict[Cell, int]  # of each input of the matrix with the value, as a coordinate
    sizes: list[int]  # of the classes
    images: list[int]  # of the classes under the transposition, as codes of coordinates
    symmetries: list[Symmetry]

    @classmethod
    def read(cls, it: FractionalPartitionOfPower, given: object, transposition: object) -> Types:
        """Read symmetries of the matrix, and null or a transposition that maps classes to classes.

        A transposition maps row x to a column and column y to a row.
        """
        F, k, sizes, codes = it.instance, it.power, list[int](), dict[Cell, int]()
        n, m = len(F.rows), F.width
        require(all(held == (1 << m) - 1 for held in F.defined), "the matrix must be total")
        symmetries = inside("symmetries", each, symmetry, given, F)
        moves = [g.cell for g in symmetries]
        spend(20 * n * m)
        for cell in product(range(n), range(m)):
            if F.rows[cell[0]] >> cell[1] & 1 == it.value and cell not in codes:
                rule = "there are too many classes for the power {}: more than {}"
                require((k + 1) ** (len(sizes) + 1) <= 1 << BITS, rule, k, len(sizes))
                found = orbit(cell, moves)
                codes |= dict.fromkeys(found, (k + 1) ** len(sizes))
                sizes.append(len(found))
        lines = max(n, m) ** k
        rule = "the power must have fewer than 2^53 rows and columns, not {}"
        require(lines < LARGE, rule, lines)
        spend(20 * n * m)
        images = list(dict.fromkeys(codes.values()))
        if transposition is not None:
            images = inside("transposition", transposed, transposition, (n, m), codes)
        return cls(k, (n, m), codes, sizes, images, symmetries)

    def counts(self, rows: object, columns: object) -> Counter[int]:
        """Read a rectangle of inputs of the power; return the numbers of its inputs by codes."""
        (n, m), k = self.shape, self.power
        xs, ys = inside(0, distinct, rows, n**k), inside(1, distinct, columns, m**k)
        spend(20 + (len(xs) + len(ys)) * k * (3 + n + m))
        ours = [[x // n**i % n for x in xs] for i in range(k)]
        vectors = list[dict[int, int]]()  # for each coordinate and row, the codes in all columns
        for i, mine in enumerate(ours):
            theirs = [y // m**i % m for y in ys]
            wrong = {*product({*mine}, {*theirs})} - self.codes.keys()
            require(not wrong, "coordinate {} of an input has the other value", k - 1 - i)
            lists = ((x, array("Q", [self.codes[x, y] for y in theirs])) for x in {*mine})
            vectors.append({x: int.from_bytes(codes.tobytes(), byteorder) for x, codes in lists})
        found, size = Counter[int](), len(ys) * BITS >> 3
        for row in zip(*ours, strict=True):
            spend(10 + k * (2 + (size >> 6)) + len(ys))
            total = sum(vector[x] for vector, x in zip(vectors, row, strict=True))
            found.update(memoryview(total.to_bytes(size, byteorder)).cast("Q"))
        return found

    def digits(self, code: int) -> list[int]:
        """Return the number of coordinates in each class."""
        spend(20 + 4 * len(self.sizes))
        return [code // (self.power + 1) ** c % (self.power + 1) for c in range(len(self.sizes))]

    def alike(self, code: int) -> set[int]:
        """Return the codes of a type."""
        image = sum(d * each_of for d, each_of in zip(self.digits(code), self.images, strict=True))
        return {code, image}

    def number(self, code: int) -> int:
        """Return the number of inputs of a type."""
        found, left = len(self.alike(code)), self.power
        for d, size in zip(self.digits(code), self.sizes, strict=True):
            found, left = found * comb(left, d) * size**d, left - d
        return found

    def factors(self, maximal: list[int]) -> list[Factor]:
        """Return the tables of codes of maximal rectangles, one for each orbit."""
        cells = {hex(S): [divmod(i, self.shape[1]) for i in members(S)] for S in maximal if S}
        seen, found = set[str](), list[Factor]()

        def image(g: Symmetry, key: str) -> str:
            return hex(sum(1 << x * self.shape[1] + y for x, y in map(g.cell, cells[key])))

        for key, each_of in cells.items():
            if key not in seen:
                moves = [lambda key, g=g: image(g, key) for g in self.symmetries]
                seen.update(orbit(key, moves, 20 + 10 * len(each_of)))
                xs, ys = (sorted({cell[i] for cell in each_of}) for i in (0, 1))
                found.append(factor([[self.codes[x, y] for y in ys] for x in xs]))
        return found


def symmetry(value: object, F: Matrix) -> Symmetry:
    """Read a permutation of the rows and one of the columns that map entries to equal entries."""
    rows, columns = entries(value, 2)
    return Symmetry.read({"rows": rows, "columns": columns, "flips": "0" * F.width}, F)


def transposed(value: object, shape: Cell, codes: dict[Cell, int]) -> list[int]:
    """Read to which column each row is mapped, and each column to which row.

    Return the code of the image of each class.
    """
    ours, theirs = entries(value, 2)
    rows = inside(0, distinct, ours, shape[1], shape[0])
    columns = inside(1, distinct, theirs, shape[0], shape[1])
    require(shape[0] == shape[1], "the matrix must have as many rows as columns")
    found = dict[int, int]()
    for (x, y), code in codes.items():
        image = codes.get((columns[y], rows[x]))
        fits = image is not None and found.setdefault(code, image) == image
        rule = "each class must be mapped to one class; the class of input {} is not"
        require(fits, rule, (x, y))
    twice = all(found[image] == code for code, image in found.items())
    require(twice, "applied twice, it must map each class to itself")
    return [*found.values()]


class FractionalPartitionOfPower(Rectangles, Quantity, kind="fractional_partition_of_power"):
    """The least total weight of rectangles that cover each input of the value exactly once.

    The inputs are those of the power of a matrix, and have the value if all coordinates have it.
    """

    instance: Problem
    value: Bit
    power: Power

    @most
    def rectangles(
        self, symmetries: Raw, transposition: Raw, unit: Positive, listed: Entries
    ) -> Fraction:
        """Check rectangles with total weights of their orbits, in parts of a unit.

        An orbit covers the inputs of a type equally. So the sum at an input is the mean over its
        type.
        """
        types, sums, total = Types.read(self, symmetries, transposition), Counter[int](), 0
        for i, (rows, columns, weight) in enumerate(inside("listed", each, entries, listed, 3)):
            w = inside("listed", inside, i, integer, weight)
            total += w
            for code, number in inside("listed", inside, i, types.counts, rows, columns).items():
                spend(10 + (w.bit_length() >> 6))
                sums[min(types.alike(code))] += w * number
        for code, s in sums.items():
            number, of = unit * types.number(code), ", ".join(map(str, types.digits(code)))
            rule = "the weights at the inputs of type {} sum to {}; required is {}"
            require(s == number, rule, of, s, number)
        covered = sum(sums.values()) == unit * len(types.codes) ** self.power
        require(covered, "an input of the value is in no rectangle")
        return Fraction(total, unit)

    @least
    def weights(
        self, symmetries: Raw, transposition: Raw, types: Entries, heaviest: Positive
    ) -> Fraction:
        """Return the total weight of all inputs over a bound on the weight of each rectangle.

        A rectangle lies in a product of maximal rectangles of the matrix. Up to symmetry, this is a
        product of representatives of their orbits, in a fixed order.
        """
        known, weights, total = Types.read(self, symmetries, transposition), dict[int, int](), 0
        for i, (classes, weight) in enumerate(inside("types", each, entries, types, 2)):
            of = inside("types", inside, i, indices, classes, len(known.sizes), self.power)
            w = inside("types", inside, i, integer, weight, None)
            code = sum((self.power + 1) ** c for c in of)
            require(code not in weights, "the type with the classes {} is listed twice", str(of))
            weights |= dict.fromkeys(known.alike(code), w)
            total += w * known.number(code)
        factors = known.factors(self.maximal())
        for chosen in combinations_with_replacement(range(len(factors)), self.power):
            heavy = exceeds([factors[i] for i in chosen], weights, heaviest)
            rule = "a rectangle in the product of the maximal rectangles {} weighs more than {}"
            require(not heavy, rule, str(chosen), heaviest)
        return Fraction(max(0, total), heaviest)
