"""Problems beyond the sizes for which a measure is exact."""

import json
from fractions import Fraction
from itertools import count

import numpy as np
import pytest

import ccsim.cli.bounds  # noqa: F401 - loaded before functions that it imports are replaced
from ccsim.budget import Budget
from ccsim.certificates.answer import OneBound, certified_parts
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
from ccsim.measures.table import ROWS
from ccsim.measures.trees import Tables

__all__ = []


@pytest.mark.parametrize("distribution", ["uniform", "worst"])
def test_discrepancy_of_many_lines_is_refused(distribution):
    with pytest.raises(InstanceTooLargeError, match="has 19 inputs; the limit"):
        discrepancy("equality:n=19", distribution)


def test_a_table_bounds_by_size_what_is_too_large():
    table = bounds("equality:n=19", only=["D", "rank", "discrepancy"])
    assert [row.key for row in table.rows] == ["rank", "D", "discrepancy"]
    assert table["D"].lower == table["D"].upper == 6
    known = table["discrepancy"]
    assert (known.lower, known.upper, known.upper_by) == (Fraction(1, 38), 1, "size")
    assert known.result is None
    table.check()
    with pytest.raises(InstanceTooLargeError):
        bounds("equality:n=19", only=["discrepancy"])


@pytest.mark.parametrize("key", [key for key, row in ROWS.items() if row.compute])
@pytest.mark.parametrize("rows", [["01", "10"], ["1*0", "*01", "01*"], ["0"], ["11*10", "0*011"]])
def test_bounds_by_size_hold(key, rows):
    if ROWS[key].needs != "total" or "*" not in "".join(rows):
        found = bounds(rows, "1/5", only=[key])[key].result
        low, high = ROWS[key].by_size(len(rows), len(rows[0]))
        assert low <= found.upper
        assert found.lower <= high


@pytest.mark.parametrize("side", ["lower", "upper"])
def test_a_bound_that_is_not_checked_follows_from_other_rows(capsys, monkeypatch, side):
    def held(claim, _):
        return claim.claim.kind != "rank" or claim.part.side == side

    monkeypatch.setattr("ccsim.certificates.answer.is_checked", held)
    words = ["bounds", "equality:n=4", "--only", "cover_1", "--only", "rank", "--json"]
    assert main(words) == 3
    shown = capsys.readouterr()
    rank, by = json.loads(shown.out)["rank"], {"lower": "size", "upper": "size"}
    assert {end: rank[f"{end}_by"] for end in by} == by | {side: "certificate"}
    assert "weaker bounds are printed for rank" in shown.err


@pytest.mark.parametrize("limit", ["0", "0.01"])
def test_every_row_of_a_large_matrix_has_bounds_at_any_limit(capsys, tmp_path, limit):
    """Regression: the command ended without rows, as the dear checks came before the cheap ones."""
    written = tmp_path / "proofs.json"
    words = ["bounds", "greater_than:n=300", "--json", "--certificate", f"{written}"]
    assert main([*words, "--time-limit", limit]) == 3
    known = json.loads(capsys.readouterr().out)
    assert {*known} - {"question", "instance"} == {k for k, r in ROWS.items() if r.needs != "error"}
    assert written.exists()


def test_short_checks_come_first():
    """The clock counts how often it is read: with checks in the given order, the last is late."""
    results = [bounds(random_rows(48, 48), only=[key])[key].result for key in ("fooling_1", "vc")]
    dear, cheap = certified_parts(results, Budget(300, clock=count().__next__))
    assert dear == OneBound(results[0], "lower")
    assert cheap is results[1]


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
