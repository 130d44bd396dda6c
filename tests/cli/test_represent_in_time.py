"""``ccsim represent`` keeps its bounds if its searches or checks are stopped."""

import itertools
import json
from itertools import product

import pytest

from ccsim.budget import Budget
from ccsim.certificates import verify
from ccsim.cli.main import main

SEARCHES = {
    "size": ["represent", "points:b=2", "--error", "1/3"],
    "table": ["represent", "thresholds:b=1", "--error", "1/4", "--failure", "1/8"],
    "proper": ["represent", "points:b=2", "--error", "1/4", "--failure", "1/4", "--proper"],
}
EXACT = {"size": 4, "table": 2, "proper": 3}


def counting(monkeypatch, limit, *, interrupt=False):
    """Replace the command's clock by a counter of its calls that ends or interrupts the search."""
    looked = itertools.count()

    def look():
        if (number := next(looked)) == limit and interrupt:
            raise KeyboardInterrupt
        return 0 if interrupt else number

    seconds = float("inf") if interrupt else limit

    class Counting(Budget):
        @classmethod
        def of(cls, *_, **__):
            return Budget(seconds, clock=look)

    monkeypatch.setattr("ccsim.cli.represent.Budget", Counting)


def without_checks(monkeypatch):
    for module in ("represent",):
        monkeypatch.setattr(f"ccsim.cli.{module}.time_to_check", lambda *_: Budget(0))


@pytest.mark.parametrize("name", SEARCHES)
@pytest.mark.parametrize(
    ("limit", "interrupt"), [*product([3, 60, 1000, 10**9], [False]), *product([60, 500], [True])]
)
def test_what_is_found_by_then_is_printed(monkeypatch, capsys, tmp_path, name, limit, interrupt):
    counting(monkeypatch, limit, interrupt=interrupt)
    target = tmp_path / "c.json"
    status = main([*SEARCHES[name], "--json", "--certificate", str(target)])
    data = json.loads(capsys.readouterr().out)
    assert data["lower"] <= EXACT[name] <= data["upper"]
    assert status == (0 if data["lower"] == data["upper"] else 3)
    assert data["size"] in {None, EXACT[name]}
    assert status == 0 or limit < 10**9
    verify(json.loads(target.read_text(encoding="utf-8")))


@pytest.mark.parametrize("name", SEARCHES)
def test_a_check_without_time_leaves_its_bound_out_of_the_certificate(
    monkeypatch, capsys, tmp_path, name
):
    without_checks(monkeypatch)
    target = tmp_path / "c.json"
    assert main([*SEARCHES[name], "--json", "--certificate", str(target)]) == 0
    out, err = capsys.readouterr()
    data, stated = json.loads(out), json.loads(target.read_text(encoding="utf-8"))
    assert data["size"] == EXACT[name]
    assert ("PRDim(1/4, 1/8)" if name == "table" else "size") in data["unchecked"]
    assert err.endswith(" was stopped by the time limit\n")
    assert (stated["statement"]["lower"], stated["statement"]["upper"]) == (1, EXACT[name])
    verify(stated)


@pytest.mark.parametrize("failure", [(), ("--failure", "1/8")])
def test_given_hypotheses_without_time_are_not_decided(monkeypatch, capsys, tmp_path, failure):
    (tmp_path / "H.csv").write_text("1,1,0,0\n0,1,1,0\n0,0,1,1\n1,0,0,1\n", encoding="utf-8")
    arguments = ["represent", "points:b=2", "--error", "1/2", *failure, "--json"]
    arguments += ["--hypotheses", str(tmp_path / "H.csv")]
    target = tmp_path / "c.json"
    with monkeypatch.context() as patch:
        counting(patch, 3)
        assert main([*arguments, "--certificate", str(target)]) == 3
    data = json.loads(capsys.readouterr().out)
    assert (data["represents"], data["upper"], data["unchecked"]) == (None, "1", [])
    verify(json.loads(target.read_text(encoding="utf-8")))
    without_checks(monkeypatch)
    assert main([*arguments, "--certificate", str(target)]) == 0
    out, err = capsys.readouterr()
    data = json.loads(out)
    assert data["represents"] is not None
    assert data["unchecked"] == ["failure" if failure else "error"]
    assert err == "note: the check of the upper bound was stopped by the time limit\n"
    assert json.loads(target.read_text(encoding="utf-8"))["statement"]["upper"] == "1"
    verify(json.loads(target.read_text(encoding="utf-8")))
