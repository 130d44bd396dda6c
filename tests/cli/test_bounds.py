"""``ccsim bounds``: values of standard functions, certificates, JSON, and status."""

import json
from fractions import Fraction

import pytest

from ccsim import kernel
from ccsim.cli.main import main

__all__ = []

VALUES = {
    "equality:n=8": {
        "D": 4, "leaves": 16, "rank": 8, "gf2_rank": 8, "fooling_1": 8, "fooling_0": 3,
        "cover_1": 8, "cover_0": 5, "partition_1": 8, "partition_0": 8, "one_way": 8,
        "fractional_cover_0": "7/2", "sign_rank": 3,
    },
    "greater_than:n=12": {
        "D": 5, "leaves": 23, "rank": 11, "gf2_rank": 11, "fooling_1": 11, "fooling_0": 12,
        "cover_1": 11, "partition_1": 11, "partition_0": 12,
    },
    "disjointness:n=4": {
        "D": 5, "leaves": 31, "rank": 16, "gf2_rank": 16, "fooling_1": 16, "partition_1": 16,
        "fractional_cover_0": "4", "discrepancy_uniform": "125/256",
    },
    "inner_product:n=3": {"D": 4, "rank": 7, "gf2_rank": 3, "fooling_1": 7, "fooling_0": 7},
}  # fmt: skip
NORMS = {
    "equality:n=8": 2.5,
    "greater_than:n=12": 2.5447661,
    "disjointness:n=4": 2.9584969,
    "inner_product:n=3": 8**0.5,
}


@pytest.mark.parametrize("instance", VALUES)
def test_values_of_standard_functions(instance, tmp_path, capsys):
    expected = VALUES[instance]
    path = tmp_path / "all.json"
    asked = [word for key in (*expected, "gamma_2") for word in ("--only", key)]
    status = main(["bounds", instance, *asked, "--json", "--certificate", str(path)])
    data = json.loads(capsys.readouterr().out)
    assert {key: data[key].get("value") for key in expected} == expected
    lower, upper = (float_of(data["gamma_2"][side]) for side in ("lower", "upper"))
    assert lower <= NORMS[instance] + 1e-7
    assert NORMS[instance] <= upper + 1e-7
    assert upper - lower < 1e-5
    assert status == 0
    proved = kernel.check(json.loads(path.read_text())).split("\n")
    assert len(proved) == len(expected) + 1


def float_of(text):
    over, _, under = str(text).partition("/")
    return int(over) / int(under or 1)


def test_a_table_states_the_cost_in_bits(capsys):
    assert main(["bounds", "equality:n=4", "--only", "D"]) == 0
    assert "two-way 3" in capsys.readouterr().out


def test_unknown_measures_are_refused(capsys):
    assert main(["bounds", "equality:n=4", "--only", "depth"]) == 2
    assert "'depth'" in capsys.readouterr().err


def test_an_interval_is_printed_rounded_outwards_and_never_as_two_equal_numbers(capsys):
    assert main(["bounds", "equality:n=7", "--only", "gamma_2"]) == 0
    header, row = capsys.readouterr().out.splitlines()[1:]
    assert header.split() == ["measure", "key", "value"]  # no bound comes from another measure
    lower, upper = (Fraction(text) for text in row.rpartition("gamma_2 ")[2].split(" .. "))
    assert lower <= Fraction(17, 7) <= upper  # 3 - 4/n
    assert lower < upper < lower + Fraction(1, 10**5)


def test_the_status_says_whether_every_row_with_a_certificate_is_decided(tmp_path, capsys):
    assert main(["bounds", "equality:n=4"]) == 0  # margin and approximate rank are intervals
    path = tmp_path / "partial.csv"
    path.write_text("0,1,*\n1,*,0\n*,0,1\n")
    assert main(["bounds", f"@{path}", "--only", "cover_1"]) == 0
    assert main(["bounds", "equality:n=12", "--only", "cover_0", "--time-limit", "0"]) == 3
    capsys.readouterr()
