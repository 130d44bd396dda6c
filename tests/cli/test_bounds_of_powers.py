"""``ccsim bounds --power``: fractional partition numbers of powers."""

import json

import pytest

from ccsim import kernel
from ccsim.cli.main import main


@pytest.fixture
def domino(tmp_path):
    path = tmp_path / "domino.json"
    path.write_text(json.dumps({"rows": ["110", "111", "011"]}), encoding="utf-8")
    return f"@{path}"


def test_values_of_powers_have_roots_and_certificates(domino, tmp_path, capsys):
    path = tmp_path / "proof.json"
    asked = ["--only", "fractional_partition_1", "--only", "fractional_partition_0"]
    assert (
        main(["bounds", domino, "--power", "3", *asked, "--json", "--certificate", str(path)]) == 0
    )
    data = json.loads(capsys.readouterr().out)
    assert data["power"] == 3
    assert data["fractional_partition_1"] == {"value": "2059/149", "root_at_most": "2.3996986"}
    assert data["fractional_partition_0"] == {"value": "8", "root_at_most": "2.0000000"}
    assert kernel.check(json.loads(path.read_text())).count("exactly") == 2


def test_the_table_of_a_power_has_one_row_for_each_measure(domino, capsys):
    assert main(["bounds", domino, "--power", "2"]) == 0
    shown = capsys.readouterr().out.splitlines()
    assert shown[1] == "power    2"
    assert shown[3].split()[-3:] == ["fractional_partition_1", "6", "2.4494898"]


def test_bounds_that_differ_have_status_3(domino, capsys):
    assert main(["bounds", domino, "--power", "6", "--time-limit", "1", "--json"]) == 3
    data = json.loads(capsys.readouterr().out)["fractional_partition_1"]
    assert {*data} == {"lower", "upper", "root_at_most"}


def test_the_eighth_power_has_bounds_at_any_time_limit(domino, capsys):
    assert main(["bounds", domino, "--power", "8", "--time-limit", "0", "--json"]) == 3
    data = json.loads(capsys.readouterr().out)["fractional_partition_1"]
    assert data == {"lower": "256", "upper": "390625/256", "root_at_most": "2.5000000"}


def test_a_better_bound_that_is_not_checked_in_time_is_replaced(domino, capsys, monkeypatch):
    checks = iter([False, True])
    monkeypatch.setattr("ccsim.cli.bounds.is_checked", lambda *_: next(checks))
    assert main(["bounds", domino, "--power", "4", "--time-limit", "1"]) == 3
    told = capsys.readouterr()
    assert "note: the check of better bounds was stopped by the time limit" in told.err
    assert "16 .. " in told.out


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--only", "D"], "--power has the measures fractional_partition_1 and"),
        (["--error", "1/3"], "--power cannot be combined with --error or --out"),
        (["--out", "a.svg"], "--power cannot be combined with --error or --out"),
    ],
)
def test_options_that_do_not_fit_a_power_are_refused(domino, options, message, capsys):
    assert main(["bounds", domino, "--power", "2", *options]) == 2
    assert message in capsys.readouterr().err
