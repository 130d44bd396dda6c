"""Problems beyond the exact sizes of a measure."""

import json
import sys

import pytest

import ccsim.cli.bounds  # noqa: F401 - so that it is among the modules
from ccsim.cli.main import main
from ccsim.errors import InstanceTooLargeError
from ccsim.measures import bounds, discrepancy

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
    assert "not checked in time, left out: rank" in shown.err
