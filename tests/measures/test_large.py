"""Problems beyond the sizes for which a measure is exact."""

import json
import sys
from fractions import Fraction
from itertools import count

import numpy as np
import pytest

import ccsim.cli.bounds  # noqa: F401 - so that it is among the modules
from ccsim.budget import Budget
from ccsim.cli.main import main
from ccsim.errors import InstanceTooLargeError
from ccsim.measures import (
    bounds,
    deterministic_cost,
    discrepancy,
    fooling_number,
    fractional_cover_number,
    fractional_partition_number,
    protocol_size,
    rectangles,
)
from ccsim.measures.trees import Tables

__all__ = []


@pytest.mark.parametrize("distribution", ["uniform", "worst"])
def test_discrepancy_of_many_lines_is_refused(distribution):
    with pytest.raises(InstanceTooLargeError, match="has 19 inputs; the limit"):
        discrepancy("equality:n=19", distribution)


def test_a_table_leaves_out_what_is_too_large():
    table = bounds("equality:n=19", only=["D", "rank", "discrepancy"])
    assert [row.key for row in table.rows] == ["rank", "D"]
    assert table["D"].lower == table["D"].upper == 6
    table.check()
    with pytest.raises(InstanceTooLargeError):
        bounds("equality:n=19", only=["discrepancy"])


def test_rows_that_are_not_checked_are_left_out(capsys, monkeypatch):
    monkeypatch.setattr(
        sys.modules["ccsim.cli.bounds"], "is_checked", lambda result, _: result.lower != 4
    )
    assert main(["bounds", "equality:n=4", "--only", "D", "--only", "rank", "--json"]) == 3
    shown = capsys.readouterr()
    assert {"D", "rank"} & {*json.loads(shown.out)} == {"D"}
    assert "the time limit was reached before their check: rank" in shown.err


def random_rows(height, width):
    entries = np.random.default_rng(height).integers(0, 2, (height, width))
    return ["".join(map(str, row)) for row in entries.tolist()]


def test_ranks_decide_costs_without_tables(monkeypatch):
    monkeypatch.setattr(Tables, "cost", None)
    monkeypatch.setattr(Tables, "size", None)
    result = deterministic_cost(random_rows(10, 10))
    result.check()
    assert result.value == 5
    assert protocol_size(random_rows(14, 14), time_limit=0).lower >= 26


def test_a_side_of_more_lines_than_the_checker_takes():
    """The kernel cannot tabulate all rectangles of 16 rows, so partitions prove the size."""
    for question in (protocol_size, deterministic_cost):
        result = question(random_rows(16, 4))
        result.check()
        assert result.lower == result.upper


def test_discrepancy_of_many_lines_is_close():
    result = discrepancy(random_rows(12, 12))
    result.check()
    assert result.upper - result.lower < Fraction(1, 10**6)
    assert result.lower < Fraction("0.087524") < result.upper + Fraction(1, 10**6)


@pytest.mark.parametrize("rows", [["11", "11"], ["1*0", "*01", "01*"], ["1*", "*0", "11", "0*"]])
def test_tables_that_run_out_of_time_have_proofs(rows):
    for steps in (1, 5, 20, 80):
        table = bounds(rows, time_limit=Budget(steps, clock=count().__next__))
        table.check()
        assert {"rank", "gf2_rank", "discrepancy"} <= {row.key for row in table.rows}


def test_fooling_set_of_many_inputs_is_found_without_all_pairs():
    """Half a million pairs of rows and columns: sets of inputs of all of them take gigabytes."""
    result = fooling_number("greater_than:n=256", time_limit=0)
    assert (result.lower, result.upper) == (255, 255)


def test_search_of_a_fooling_set_ends_without_a_time_limit():
    result = fooling_number(random_rows(48, 48))
    assert 15 <= result.lower <= result.upper <= 48


@pytest.mark.parametrize("question", [fractional_cover_number, fractional_partition_number])
@pytest.mark.parametrize("seed", range(12))
def test_programs_that_grow_agree_with_programs_of_all_rectangles(question, seed, monkeypatch):
    entries = np.random.default_rng(seed).choice([*"01101*"[: 5 + seed % 2]], (5, 6))
    rows = ["".join(row) for row in entries.tolist()]
    both = [question(rows, value).value for value in (0, 1)]
    monkeypatch.setattr(rectangles, "MOST_RECTANGLES", 0)
    for value in (0, 1):
        grown = question(rows, value)
        assert grown.value == both[value]
        grown.check()


def test_the_fractional_partition_number_of_a_square_of_16_inputs_is_exact():
    base = np.array([[0, 0, 1, 1], [0, 1, 0, 1], [1, 0, 1, 1], [1, 1, 1, 1]])
    assert fractional_partition_number(base.tolist()).value == Fraction(10, 3)
    square = fractional_partition_number(np.kron(base, base).tolist())
    assert square.value == Fraction(259, 24)
    square.check()
