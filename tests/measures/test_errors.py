"""Tables of bounds for protocols with coins and a given error."""

# ruff: noqa: S311 - seeds, not secrets

import random
from dataclasses import replace
from fractions import Fraction

import pytest
import sympy

import ccsim
from ccsim.errors import CertificateError, DomainError
from ccsim.measures import bounds, gamma_2

__all__ = []

KEYS = ["gamma_2", "one_way", "sign_rank", "vc", "littlestone", "discrepancy", "gamma_2_error",
        "public_coins", "private_coins", "leaves", "fractional_cover_1", "fractional_cover_0",
        "fractional_partition_1", "fractional_partition_0", "partition_bound",
        "rectangle_bound_1", "rectangle_bound_0",
        "smooth_rectangle_bound_1", "smooth_rectangle_bound_0"]  # fmt: skip


def test_values_of_a_standard_function():
    table = bounds("equality:n=4", "1/3", only=KEYS)
    table.check()
    found = {row.key: row.lower for row in table.rows if row.lower == row.upper}
    assert (
        found.items() >= {"vc": 1, "littlestone": 1, "public_coins": 2, "private_coins": 4}.items()
    )
    assert table.randomised == 2
    assert table.to_dict()["randomised"] == {"lower": 2}
    assert bounds("equality:n=4", only=["rank"]).randomised is None


@pytest.mark.parametrize("seed", range(25))
def test_no_inequality_is_violated(seed):
    """Bounds that follow from other rows do not contradict the certificate of a row."""
    rng = random.Random(seed)
    height, width = rng.randint(2, 4), rng.randint(2, 4)
    rows = ["".join(rng.choices("01*" if seed % 3 == 0 else "01", k=width)) for _ in range(height)]
    rows[0] = "1" + rows[0][1:]
    error = rng.choice([Fraction(0), Fraction(1, 8), Fraction(1, 3), Fraction(49, 100)])
    is_total = not any("*" in row for row in rows)
    table = bounds(
        rows, error, only=[k for k in KEYS if is_total or k not in {"vc", "littlestone"}]
    )
    table.check()
    for row in table.rows:
        assert row.result.lower <= row.lower <= row.upper <= row.result.upper
    assert ccsim.bounds(rows, only=["D"])["D"].lower >= table.randomised


def test_rows_of_another_error_are_rejected():
    for key in ("gamma_2_error", "public_coins", "private_coins", "rectangle_bound_0"):
        table = bounds("equality:n=3", "1/8", only=[key])
        table.check()
        for error in (None, Fraction(1, 9)):
            with pytest.raises(CertificateError, match="its problem and its error"):
                replace(table, error=error).certificate()


def test_dimensions_of_another_class_are_rejected():
    [row] = bounds("equality:n=3", only=["vc"]).rows
    table = bounds("equality:n=4", only=["vc"])
    with pytest.raises(CertificateError, match="its problem and its error"):
        replace(table, rows=(row,)).certificate()


@pytest.mark.parametrize(
    ("rows", "error", "key", "message"),
    [
        (["10", "01"], None, "public_coins", "public_coins needs an error"),
        (["1*", "01"], "1/3", "littlestone", "littlestone needs a total function"),
        (["10", "01"], "1/2", "D", "error must be between 0 and 999/2000"),
    ],
)
def test_rows_that_cannot_be_asked(rows, error, key, message):
    with pytest.raises(DomainError, match=message):
        bounds(rows, error, only=[key])


DERIVED = ["nonnegative_rank", "margin", "approximate_rank"]


@pytest.mark.parametrize("seed", range(12))
def test_measures_without_certificates(seed):
    """The margin is 1 / gamma_2 for large alpha; the others are ranks of matrices."""
    rng = random.Random(seed)
    height, width = rng.randint(2, 5), rng.randint(2, 5)
    rows = ["".join(rng.choices("01", k=width)) for _ in range(height)]
    table = bounds(rows, "1/3", only=DERIVED)
    table.check()
    nonnegative, margin, approximate = (table[key] for key in DERIVED)
    assert margin.lower <= 1 / gamma_2(rows, 1000).lower
    assert margin.upper >= 1 / gamma_2(rows, 1000).upper
    assert margin.upper - margin.lower < Fraction(1, 10**5)
    matrix = sympy.Matrix([[int(c) for c in row] for row in rows])
    assert approximate.lower <= (2 * matrix - sympy.ones(height, width)).rank()
    if matrix.rank() <= 2:  # then the nonnegative rank is the rank
        assert nonnegative.lower <= matrix.rank() <= nonnegative.upper
    assert matrix.rank() <= nonnegative.lower <= nonnegative.upper <= min(height, width)


def test_ranks_of_partial_functions_are_at_most_those_of_completions():
    table = bounds("gap_hamming:n=3,g=3", only=["rank", "gf2_rank", "partition_1", "one_way"])
    table.check()
    assert [table[key].upper for key in ("rank", "gf2_rank", "partition_1")] == [2, 2, 2]


@pytest.mark.parametrize(
    ("key", "other"),
    [
        ("rank", "gf2_rank"),
        ("cover_1", "cover_0"),
        ("D", "leaves"),
        ("gamma_2", "gamma_2_infinity"),
        ("gamma_2_error", "gamma_2"),
        ("one_way", "one_way_back"),
        ("one_way", "public_coins"),
        ("vc", "littlestone"),
        ("sign_rank", "rank"),
        ("simultaneous", "one_way"),
        ("rectangle_bound_1", "rectangle_bound_0"),
        ("partition_bound", "smooth_rectangle_bound_1"),
        ("discrepancy", "discrepancy_uniform"),
    ],
)
def test_a_row_has_the_result_of_its_own_measure(key, other):
    table = bounds([[0, 1, 1], [1, 0, 1]], "1/5", only=[key, other])
    table.check()
    rows = tuple(replace(table[other], key=key, name=table[key].name) for _ in (0,))
    with pytest.raises(CertificateError, match="about its problem and its error"):
        replace(table, rows=rows).check()


def test_bounds_without_certificates_must_follow():
    table = bounds("inner_product:n=2", only=["nonnegative_rank", "margin"])
    table.check()
    assert table["nonnegative_rank"].lower == table["nonnegative_rank"].upper == 3
    assert table["nonnegative_rank"].upper_by.endswith(", from partition_1")
    for key, side, change in (("margin", "upper", -1), ("nonnegative_rank", "lower", 1)):
        rows = [
            replace(row, **{side: getattr(row, side) + change}) if row.key == key else row
            for row in table.rows
        ]
        with pytest.raises(CertificateError, match="must follow from its results"):
            replace(table, rows=tuple(rows)).certificate()
    rows = tuple(replace(row, result=None) for row in table.rows if row.key == "rank")
    with pytest.raises(CertificateError, match="known measures"):
        replace(table, rows=rows).certificate()
    rows = (*rows, table["margin"], table["cover_1"])
    with pytest.raises(CertificateError, match="must follow from its results"):
        replace(table, rows=rows).certificate()
    rows = (replace(table["margin"], result=table["rank"].result), table["cover_1"])
    with pytest.raises(CertificateError, match="must have no result"):
        replace(table, rows=rows).certificate()
