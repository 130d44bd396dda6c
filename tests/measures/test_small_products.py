"""The searches in `benchmarks/kronecker_products.py` and `benchmarks/direct_sums.py`."""

import re
import sys
from fractions import Fraction
from importlib import import_module
from itertools import permutations, product
from operator import itemgetter
from pathlib import Path

import numpy as np
import pytest

from ccsim import (
    deterministic_cost,
    fractional_cover_number,
    fractional_partition_number,
    partition_number,
)
from ccsim.communication import and_power, tensor, xor_power

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "powers-small-matrices.md").read_text(encoding="utf-8")
SQUARES = re.findall(r"^\| `([01 ]+)` \| (\S+) \| (\S+) \| (\S+) \| (\S+) \|", PAGE, re.M)
SAVED = ("000 001 010", "000 001 011", "000 011 101", "0000 0011 0101")


@pytest.fixture(scope="module")
def scripts():
    sys.path.insert(0, str(ROOT / "benchmarks"))
    yield {name: import_module(name) for name in
           ("small_matrices", "kronecker_products", "direct_sums")}  # fmt: skip
    sys.path.remove(str(ROOT / "benchmarks"))


def of(text):
    return tuple(tuple(map(int, row)) for row in text.split())


def orbit(matrix, *, complements):
    """Return all matrices that are equivalent to a matrix, by definition."""
    found = set()
    for turned in (matrix, tuple(zip(*matrix, strict=True))):
        for rows in permutations(turned):
            for columns in permutations(zip(*rows, strict=True)):
                one = tuple(zip(*columns, strict=True))
                found.add(one)
                if complements:
                    found.add(tuple(tuple(1 - e for e in row) for row in one))
    return found


@pytest.mark.parametrize("complements", [False, True])
def test_each_class_of_3_x_3_matrices_is_listed_once(scripts, complements):
    listed = scripts["small_matrices"].matrices(3, 3, zeros=True, complements=complements)
    left = set()
    for entries in product((0, 1), repeat=9):
        rows = tuple(entries[i : i + 3] for i in (0, 3, 6))
        if len(set(rows)) == 3 == len(set(zip(*rows, strict=True))):
            left.add(rows)
    for matrix in listed:
        assert matrix in left
        left -= orbit(matrix, complements=complements)
    assert not left


@pytest.mark.parametrize(("m", "n", "listed"), [(3, 4, 10), (4, 3, 10), (4, 4, 47), (3, 7, 1)])
def test_matrices_have_distinct_lines_without_zeros(scripts, m, n, listed):
    found = scripts["small_matrices"].matrices(m, n, zeros=False)
    assert len(found) == listed
    for matrix in found:
        assert np.array(matrix).shape == (m, n)
        assert np.any(matrix, axis=0).all()
        assert np.any(matrix, axis=1).all()


@pytest.mark.parametrize("seed", range(20))
def test_the_lemma_bounds_products(seed):
    entries = np.random.default_rng(seed)
    f, g = (entries.integers(0, 4, shape).astype(bool).astype(int).tolist()
            for shape in ((2 + seed % 2, 3), (3, 3)))  # fmt: skip
    least = fractional_cover_number(f).value * partition_number(g).value
    both = partition_number(tensor(f, g))
    assert least <= both.upper
    least = fractional_cover_number(f).value * fractional_partition_number(g).value
    assert least <= fractional_partition_number(tensor(f, g)).value


@pytest.mark.parametrize("text", ["1", "10 01", "11 01", "011 101", "011 101 111", "110 101 011"])
def test_clauses_agree_with_the_partition_number_of_products(scripts, text):
    pytest.importorskip("pysat")
    products, f = scripts["kronecker_products"], of(text)
    least = partition_number(f).value
    number = partition_number(tensor(f, products.DOMINO)).value
    assert products.has_partition(f, products.DOMINO, least, number)
    assert not products.has_partition(f, products.DOMINO, least, number - 1)
    assert number == 3 * least


def test_clauses_know_rectangles_in_the_row_and_the_column_of_ones_of_the_domino_matrix(scripts):
    pytest.importorskip("pysat")
    products = scripts["kronecker_products"]
    parts = products.maximal(products.DOMINO)
    assert sorted(parts) == [
        ((0, 1), (0, 1)), ((0, 1, 2), (1,)), ((1,), (0, 1, 2)), ((1, 2), (1, 2)),
    ]  # fmt: skip
    forms = {number for number in products.counts(products.DOMINO, 1, 3)
             if products.Clauses(of("1"), products.DOMINO, number).solver.solve()}  # fmt: skip
    assert forms == {(1, 0, 1, 1), (1, 1, 0, 1), (1, 0, 0, 2)}  # (2, 0, 0, 1) is its mirror image


def test_no_matrix_of_three_rows_has_both_gaps_and_only_one_has_a_fractional_gap(scripts):
    products = scripts["kronecker_products"]
    measured = [products.Measured(f) for n in range(3, 8)
                for f in scripts["small_matrices"].matrices(3, n, zeros=False)]  # fmt: skip
    assert len(measured) == 27
    assert not any(f.gaps[2] for f in measured)
    gaps = [f.matrix for f in measured if f.cover < f.partition]
    assert [orbit(f, complements=False) for f in gaps] == [
        orbit(products.DOMINO, complements=False)
    ]


def test_the_circulant_matrix_is_the_first_with_a_rank_below_the_binary_rank(scripts):
    products = scripts["kronecker_products"]
    measured = [products.Measured(f) for f in scripts["small_matrices"].matrices(4, 4, zeros=False)]
    (found,) = [f for f in measured if f.gaps[0]]
    assert found.matrix in orbit(of("1100 0110 0011 1001"), complements=False)
    assert (found.rank, found.binary, found.cover) == (3, 4, 4)


def test_the_page_lists_the_squares():
    assert len(SQUARES) == 40
    assert all(Fraction(c) < Fraction(p) for _, c, p, *_ in SQUARES)
    assert all(Fraction(square) < Fraction(p) ** 2 for _, _, p, square, _ in SQUARES)


@pytest.mark.parametrize(
    "line",
    [*SQUARES[:11], *(pytest.param(line, marks=pytest.mark.slow) for line in SQUARES[11:])],
    ids=itemgetter(0),
)
def test_a_square_has_the_values_of_the_page(scripts, line):
    text, cover, partition, square, root = line
    products, f = scripts["kronecker_products"], of(text)
    assert str(fractional_cover_number(f).value) == cover
    assert str(fractional_partition_number(f).value) == partition
    found = products.square(f)
    assert str(found) == square
    assert products.root(found) == root


@pytest.mark.parametrize(
    "line",
    [*SQUARES[:3], *(pytest.param(line, marks=pytest.mark.slow) for line in SQUARES[3:])],
    ids=itemgetter(0),
)
def test_the_square_that_is_written_out_has_the_same_value(line):
    found = fractional_partition_number(and_power(of(line[0]), 2), time_limit=600)
    found.check()
    assert str(found.value) == line[3]


@pytest.mark.parametrize(
    ("text", "cover", "partition", "square"),
    [
        ("00011 01100 10111 11101 11111", 3, Fraction(7, 2), Fraction(49, 4)),
        ("00011 01101 10111 11101 11111", 3, Fraction(7, 2), Fraction(49, 4)),
        ("00011 01100 10101 10111 11101", 3, 4, Fraction(5366, 369)),
    ],
)
def test_squares_of_5_x_5_matrices_may_be_as_expensive(scripts, text, cover, partition, square):
    f = of(text)
    assert fractional_cover_number(f).value == cover
    assert fractional_partition_number(f).value == partition
    assert scripts["kronecker_products"].square(f) == square


def least_depth(matrix):
    """Return the least depth of a tree whose leaves are constant, from tables of all rectangles.

    For each set of rows, a table holds the sets of columns with a tree of the current depth.
    """
    rows = list(dict.fromkeys(matrix))
    rows = [*zip(*dict.fromkeys(zip(*rows, strict=True)), strict=True)]
    columns = np.arange(1 << len(rows[0]))
    fits = np.zeros((1 << len(rows), len(columns)), bool)
    for value in {e for row in rows for e in row}:
        others = np.zeros(1, int)  # for sets of rows: the columns with another value
        for row in rows:
            other = sum(1 << j for j, e in enumerate(row) if e != value)
            others = np.concatenate((others, others | other))
        fits |= (others[:, None] & columns) == 0
    depth = 0
    while not fits[-1, -1]:
        depth, fits = depth + 1, split(fits) | split(fits.T).T
    return depth


def split(fits):
    """Return the rectangles whose rows can be divided into two sets with trees."""
    found = fits.copy()
    for A in range(len(fits)):
        part = A & A - 1
        while part:
            found[A] |= fits[part] & fits[A ^ part]
            part = part - 1 & A & A - 1
    return found


@pytest.mark.parametrize(("m", "n"), [(2, 2), (2, 3), (3, 3)])
def test_costs_of_two_copies_agree_with_tables_of_rectangles(scripts, m, n):
    sums = scripts["direct_sums"]
    for f in scripts["small_matrices"].matrices(m, n, zeros=True, complements=True):
        one, two, tree = sums.cost_of_two(f)
        assert one == least_depth(f)
        assert two == least_depth(sums.two_copies(f))
        assert (tree is not None) == (two < 2 * one)


@pytest.mark.parametrize("text", SAVED)
def test_two_copies_save_a_bit(scripts, text):
    sums, f = scripts["direct_sums"], of(text)
    one, two, tree = sums.cost_of_two(f)
    assert (one, two) == (3, 5)
    both = sums.two_copies(f)
    lines = [tuple(range(size)) for size in (len(both), len(both[0]))]
    assert sums.depth_of(tree, both, *lines) == 5
    player, first, left, right = tree
    with pytest.raises(ValueError, match="a leaf of the tree must have one value"):
        sums.depth_of((player, first[1:], left, right), both, *lines)


def test_no_other_matrix_of_four_rows_saves_a_bit(scripts):
    sums = scripts["direct_sums"]
    saved = set()
    for m, n in ((3, 3), (3, 4), (4, 4)):
        for f in scripts["small_matrices"].matrices(m, n, zeros=True, complements=True):
            ranks = sums.leaves(f)
            assert ranks == 5 or ranks**2 > 32
            if ranks == 5:
                saved.add(scripts["small_matrices"].canonical(f))
    forms = scripts["small_matrices"]
    expected = [{forms.canonical(g) for g in (of(text), forms.complement(of(text)))}
                for text in SAVED]  # fmt: skip
    assert len(saved) == 4
    assert all(saved & each for each in expected)


def test_three_copies_of_and_cost_five_bits():
    values = list(product((0, 1), repeat=3))
    copies = [tuple(tuple(a & b for a, b in zip(x, y, strict=True)) for y in values)
              for x in values]  # fmt: skip
    assert deterministic_cost([[0, 0], [0, 1]]).value == 2
    assert least_depth(copies) == 5


@pytest.mark.parametrize("text", ["10 01", "11 01", "000 001 010", "001 010 100"])
def test_costs_of_powers_agree_with_tables_of_rectangles(scripts, text):
    f = of(text)
    combined = [[tuple(op(a, b) for a, b in product(r, s)) for r, s in product(f, f)]
                for op in (int.__and__, int.__or__, int.__xor__)]  # fmt: skip
    expected = (f"{least_depth(each)}" for each in (list(f), *combined))
    assert scripts["direct_sums"].costs_of_powers(f) == tuple(expected)
    assert xor_power(f, 2).ones == tuple(
        sum(e << j for j, e in enumerate(row)) for row in combined[2]
    )
