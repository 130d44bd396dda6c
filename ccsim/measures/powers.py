"""Powers of a problem without their matrices: types of inputs, and products of rectangles.

The inputs of a *value* of the k-th power are the k-tuples of inputs of the problem with this value.
The symmetries of the problem act on each coordinate, and the coordinates may be permuted. The
*class* of an input is its orbit under the symmetries. The *type* of a k-tuple is the multiset of
the classes of its coordinates. If a transposition of the matrix preserves the inputs of the value,
it acts on all coordinates at once, and two types that it exchanges count as one. So types are
orbits.

A rectangle of the power is contained in a product of k maximal rectangles of the problem, the
*factors*. Rows of a factor are *alike* if their entries have the same classes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import (
    chain,
    combinations,
    combinations_with_replacement,
    pairwise,
    permutations,
    product,
)
from math import comb, factorial, lcm, prod
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ccsim.appearance import counted
from ccsim.arguments.values import show_value
from ccsim.budget import Budget
from ccsim.classes.masks import members
from ccsim.errors import InstanceTooLargeError
from ccsim.measures.rectangles import Side
from ccsim.symmetry.groups import orbits_of

MOST_TYPES, MOST_PRODUCTS, MOST_COORDINATES = 1000, 4000, 64
MOST_ENTRIES = 1 << 24  # of the matrices of all products
_ALL = 5  # equal factors up to which all permutations of their coordinates are used
Integers = npt.NDArray[np.int64]
Cell = tuple[int, int]
Pair = tuple[tuple[int, ...], tuple[int, ...]]  # images of rows, and of columns
Multiset = tuple[int, ...]  # sorted


class Factor(NamedTuple):
    """A maximal rectangle: groups of rows and of columns that are alike, and classes of inputs."""

    rows: tuple[tuple[int, ...], ...]
    columns: tuple[tuple[int, ...], ...]
    classes: Integers


class Product(NamedTuple):
    """A product of factors: their numbers, and the types of inputs of groups of rows and columns.

    A group of lines of the product is a tuple of groups of lines of the factors; the first
    coordinate varies slowest. ``heights`` and ``widths`` are the numbers of lines in each group.
    """

    factors: Multiset
    types: Integers
    heights: Integers
    widths: Integers

    def counts(self, rows: npt.NDArray[np.bool_], columns: npt.NDArray[np.bool_]) -> Integers:
        """Return the number of inputs of each type in a rectangle, up to the largest type."""
        sizes = np.outer(self.heights[rows], self.widths[columns])
        found = np.bincount(self.types[np.ix_(rows, columns)].ravel(), sizes.ravel())
        return found.astype(np.int64)


class Power:
    """The inputs of a value of a power of a problem, by types."""

    def __init__(self, side: Side, k: int, budget: Budget, *, turning: bool = True) -> None:
        self.side, self.k = side, k
        _check_lines(max(len(side.held), side.width), k)
        self.cells = [(x, y) for x, held in enumerate(side.held) for y in members(held)]
        self.symmetries, found = symmetries_of_ones(side.held, side.width)
        self.transposition = found if turning else None
        moves = [{c: (g[0][c[0]], g[1][c[1]]) for c in self.cells} for g in self.symmetries]
        first = orbits_of(self.cells, [move.items() for move in moves])
        number = {cell: i for i, cell in enumerate(dict.fromkeys(first.values()))}
        self.class_of = {cell: number[first[cell]] for cell in self.cells}
        self.class_sizes = [*Counter(self.class_of.values()).values()]
        self._check()
        maximal = side.maximal(budget)
        if maximal is None:
            raise InstanceTooLargeError(
                f"power {k}: the problem has more than 2^16 maximal rectangles"
            )
        rectangles = [(tuple(members(rows)), tuple(members(ys))) for rows, ys in maximal.values()]
        turned = [[(r, self._moved(g, r)) for r in rectangles] for g in self.symmetries]
        orbit = orbits_of(rectangles, turned)
        leaders = [*dict.fromkeys(orbit.values())]
        if comb(len(leaders) + k - 1, k) > MOST_PRODUCTS:
            raise InstanceTooLargeError(
                f"power {k}: there are {comb(len(leaders) + k - 1, k)} products of maximal "
                f"rectangles up to symmetry; the limit is {MOST_PRODUCTS}"
            )
        self.factors = [self._factor(*r) for r in leaders]
        self._exchanged = [*range(len(leaders))]
        if self.transposition is not None:
            place = {r: i for i, r in enumerate(leaders)}
            self._exchanged = [place[orbit[self._turned(r)]] for r in leaders]

    def _check(self) -> None:
        classes = len(self.class_sizes)
        number = comb(max(1, classes) + self.k - 1, self.k)
        if number > MOST_TYPES or (self.k + 1) ** classes > 1 << 64:
            of_matrix = counted(classes, "class", "classes")
            raise InstanceTooLargeError(
                f"the matrix has {of_matrix} of inputs under its symmetries, "
                f"so power {self.k} has {number} types of inputs; the limit is {MOST_TYPES}"
            )

    def _moved(self, symmetry: Pair, rectangle: Pair) -> Pair:
        rows, columns = (
            tuple(sorted(images[i] for i in lines))
            for images, lines in zip(symmetry, rectangle, strict=True)
        )
        return rows, columns

    def _turned(self, rectangle: Pair) -> Pair:
        columns, rows = self._moved(self.transposition or ((), ()), rectangle)
        return rows, columns

    def _factor(self, rows: Sequence[int], columns: Sequence[int]) -> Factor:
        classes = np.array([[self.class_of[x, y] for y in columns] for x in rows], np.int64)
        (heads, ours), (tops, theirs) = _alike(classes.tolist()), _alike(classes.T.tolist())
        return Factor(
            tuple(tuple(rows[i] for i in group) for group in ours),
            tuple(tuple(columns[i] for i in group) for group in theirs),
            classes[np.ix_(heads, tops)],
        )

    @cached_property
    def _steps(self) -> tuple[list[Multiset], list[Integers]]:
        """The multisets of k classes, and the places of sums of a smaller multiset and a class."""
        known: list[Multiset] = [()]
        steps = []
        classes = range(len(self.class_sizes))
        for size in range(1, self.k + 1):
            larger = [*combinations_with_replacement(classes, size)]
            place = {one: i for i, one in enumerate(larger)}
            sums = [[place[tuple(sorted((*one, c)))] for c in classes] for one in known]
            steps.append(np.array(sums, np.int64).reshape(len(known), len(self.class_sizes)))
            known = larger
        return known, steps

    @cached_property
    def _merged(self) -> tuple[list[Multiset], Integers]:
        """The types, each named by its first multiset, and the type of each multiset."""
        known, images = self._steps[0], [*range(len(self.class_sizes))]
        if self.transposition is not None:
            xs, ys = self.transposition
            for x, y in self.cells:
                images[self.class_of[x, y]] = self.class_of[ys[y], xs[x]]
        first = [min(one, tuple(sorted(images[c] for c in one))) for one in known]
        number = {one: i for i, one in enumerate(dict.fromkeys(first))}
        return [*number], np.array([number[one] for one in first], np.int64)

    def numbers(self) -> tuple[list[Multiset], Integers]:
        """Return the multisets of k classes, and the number of the type of each."""
        return self._steps[0], self._merged[1]

    @property
    def types(self) -> list[Multiset]:
        """The types, each as a multiset of classes."""
        return self._merged[0]

    @cached_property
    def sizes(self) -> list[int]:
        """The number of inputs of each type."""
        found = [0] * len(self.types)
        for one, number in zip(self._steps[0], self._merged[1].tolist(), strict=True):
            orders = factorial(self.k) // prod(map(factorial, Counter(one).values()))
            found[number] += orders * prod(self.class_sizes[c] for c in one)
        return found

    @cached_property
    def products(self) -> list[Product]:
        """The products of factors, up to permutations of the coordinates."""
        kinds = range(len(self.factors))
        found, entries = list[Product](), 0
        for factors in combinations_with_replacement(kinds, self.k):
            height = prod(len(self.factors[i].rows) for i in factors)
            width = prod(len(self.factors[i].columns) for i in factors)
            if (entries := entries + height * width) > MOST_ENTRIES:
                raise InstanceTooLargeError(
                    f"power {self.k}: the products of maximal rectangles have more than "
                    f"{MOST_ENTRIES} entries in all"
                )
            found.append(self._product(factors))
        return found

    @cached_property
    def leading(self) -> list[int]:
        """The numbers of the products up to the transposition."""
        images = [tuple(sorted(self._exchanged[i] for i in p.factors)) for p in self.products]
        return [i for i, p in enumerate(self.products) if p.factors <= images[i]]

    def _product(self, factors: Multiset) -> Product:
        codes = np.zeros((1, 1), np.int64)
        heights = widths = np.ones(1, np.int64)
        for step, i in zip(self._steps[1], factors, strict=True):
            rows, columns, classes = self.factors[i]
            codes = step[codes[:, None, :, None], classes[None, :, None, :]]
            codes = codes.reshape(codes.shape[0] * len(rows), -1)
            heights = np.kron(heights, [len(group) for group in rows])
            widths = np.kron(widths, [len(group) for group in columns])
        return Product(factors, self._merged[1][codes], heights, widths)

    def lines(self, number: int, taken: npt.NDArray[np.bool_], axis: int) -> list[int]:
        """Return the numbers of the rows (axis 0) or columns (1) in some groups of a product."""
        n = (len(self.side.held), self.side.width)[axis]
        sides = [self.factors[i][axis] for i in self.products[number].factors]
        chosen = (one for one, t in zip(product(*sides), taken.tolist(), strict=True) if t)
        tuples = chain.from_iterable(product(*groups) for groups in chosen)
        return sorted(_number(one, n) for one in tuples)

    def shuffles(self, product_: Product) -> list[tuple[int, ...]]:
        """Return permutations of the coordinates that exchange equal factors only."""
        ends = [i for i, (a, b) in enumerate(pairwise(product_.factors), 1) if a != b]
        blocks = [range(*ends_) for ends_ in pairwise([0, *ends, self.k])]
        return [tuple(chain(*parts)) for parts in product(*map(_orders, blocks))]

    def moved(self, product_: Product, axis: int, order: Sequence[int]) -> npt.NDArray[np.int32]:
        """Return the images of ordered groups of lines under permutations of coordinates."""
        sizes = [len(self.factors[i][axis]) for i in product_.factors]
        at, place = np.indices(sizes).reshape(self.k, -1)[:, order], np.empty(len(order), np.int32)
        place[order] = np.arange(len(order), dtype=np.int32)
        images = [
            place[np.ravel_multi_index([at[i] for i in one], sizes)]
            for one in self.shuffles(product_)
        ]
        return np.array(images, np.int32)

    def in_order(self, product_: Product, weights: Integers, axis: int) -> list[int]:
        """Return the groups of lines, heaviest first, with orbits of coordinates together."""
        sizes = [range(len(self.factors[i][axis])) for i in product_.factors]
        heavy = abs(weights).sum(axis=1 - axis).tolist()
        keys = [(-h, sorted(one), one) for h, one in zip(heavy, product(*sizes), strict=True)]
        return sorted(range(len(keys)), key=keys.__getitem__)


def _check_lines(lines: int, k: int) -> None:
    """Refuse powers with more inputs on a side than a certificate may have."""
    if k > MOST_COORDINATES:
        raise InstanceTooLargeError(
            f"power must be at most {MOST_COORDINATES}, not {show_value(k)}"
        )
    if lines**k >= 1 << 53:
        raise InstanceTooLargeError(
            f"power {k} has {lines}^{k} inputs on a side; the limit is 2^53"
        )


def _orders(block: range) -> Iterable[tuple[int, ...]]:
    """Return all permutations of a short block; of a longer one, the transpositions."""
    if len(block) <= _ALL:
        return permutations(block)
    return _transpositions(block)


def _transpositions(block: range) -> Iterator[tuple[int, ...]]:
    yield tuple(block)
    for i, j in combinations_with_replacement(block, 2):
        if i < j:
            yield tuple(j if one == i else i if one == j else one for one in block)


def _alike(lines: list[list[int]]) -> tuple[list[int], list[list[int]]]:
    """Return the first of the lines that are equal, and the groups of equal lines."""
    groups: dict[tuple[int, ...], list[int]] = {}
    for i, line in enumerate(lines):
        groups.setdefault(tuple(line), []).append(i)
    return [group[0] for group in groups.values()], [*groups.values()]


def _number(digits: Sequence[int], base: int) -> int:
    number = 0
    for digit in digits:
        number = number * base + digit
    return number


def symmetries_of_ones(held: Sequence[int], width: int) -> tuple[list[Pair], Pair | None]:
    """Return generators of the symmetries of a 0/1 matrix, and a transposition if it has one.

    A symmetry permutes rows and columns. A transposition consists of the column that is the image
    of each row, and the row that is the image of each column.
    """
    across = [sum((row >> y & 1) << x for x, row in enumerate(held)) for y in range(width)]
    generators, form, labels = _canonical(held, width)
    found: list[Pair] = []
    n = len(held)
    for image in generators:
        pair = tuple(image[:n]), tuple(y - n for y in image[n:])
        if _is_symmetry(held, pair):
            found.append(pair)
    turned: Pair | None = None
    if n == width:
        _, other, places = _canonical(across, n)
        if form == other:
            turned = _matched(labels, places, n)
            if not _is_transposition(held, turned):
                turned = None
    return found, turned


def _canonical(held: Sequence[int], width: int) -> tuple[list[list[int]], object, list[int]]:
    """Return generators, the canonical form, and the canonical place of each row and column."""
    from canonaut import raw

    n = len(held)
    edges = [(x, n + y) for x, row in enumerate(held) for y in members(row)]
    found = raw.canonize(n + width, edges, colors=[0] * n + [1] * width, generators=True)
    places = [0] * (n + width)
    for place, vertex in enumerate(found.labeling):
        places[vertex] = place
    return found.generators, found.canonical_edges, places


def _matched(places: list[int], others: list[int], n: int) -> Pair:
    """Return, for each row of a matrix, the column at the same place, and for columns the row."""
    at = {place: vertex for vertex, place in enumerate(others)}
    images = [at[place] for place in places]
    return tuple(images[:n]), tuple(y - n for y in images[n:])


def _is_symmetry(held: Sequence[int], pair: Pair) -> bool:
    rows, columns = pair
    return all(
        held[rows[x]] == sum(1 << columns[y] for y in members(row)) for x, row in enumerate(held)
    )


def _is_transposition(held: Sequence[int], pair: Pair) -> bool:
    to_columns, to_rows = pair
    cells = {(x, y) for x, row in enumerate(held) for y in members(row)}
    return cells == {(to_rows[y], to_columns[x]) for x, y in cells}


def mean_weights(power: Power, weights: dict[Cell, int]) -> tuple[list[int], int]:
    """Return integer weights of the classes, and a scale.

    The weights of the inputs of each class, and of its image under the transposition, are replaced
    by their mean times the scale.
    """
    images = {c: c for c in power.cells}
    if power.transposition is not None:
        xs, ys = power.transposition
        images = {(x, y): (ys[y], xs[x]) for x, y in power.cells}
    both = {c: weights.get(c, 0) + weights.get(images[c], 0) for c in power.cells}
    sums = [0] * len(power.class_sizes)
    for cell, w in both.items():
        sums[power.class_of[cell]] += w
    means = [Fraction(w, 2 * size) for w, size in zip(sums, power.class_sizes, strict=True)]
    scale = lcm(*(mean.denominator for mean in means))
    return [int(mean * scale) for mean in means], scale


def product_weights(
    power: Power, means: Sequence[int], smaller: Power, weights: Sequence[int]
) -> list[int]:
    """Return weights of types: sums over all choices of the coordinates of a smaller power.

    The weight of a choice is the weight of the type in the smaller power, times the weights of the
    classes of the other coordinates. There are ``comb(power.k, smaller.k)`` choices.
    """
    kinds, merged = smaller.numbers()
    known = {one: weights[number] for one, number in zip(kinds, merged.tolist(), strict=True)}
    found = []
    for one in power.types:
        total, counts = 0, Counter(one)
        for part in {*combinations(one, smaller.k)}:
            some = Counter(part)
            times = prod(comb(counts[c], n) for c, n in some.items())
            total += times * known[part] * prod(means[c] for c in (counts - some).elements())
        found.append(total)
    return found
