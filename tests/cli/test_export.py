"""``ccsim export``: files for other programs, some of which can be read again."""

from __future__ import annotations

import json
from pathlib import Path

import networkx as nx
import pytest

from ccsim import minimax_error, parse_instance
from ccsim.cli.main import main
from ccsim.communication.given import as_problem
from ccsim.interchange import from_incidence_graph, from_nfg

pytestmark = pytest.mark.usefixtures("in_folder")


@pytest.fixture
def in_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("text", ["lines:p=3", "random:m=6,n=5,seed=3", "augmented_index:d=2"])
@pytest.mark.parametrize("ending", ["csv", "json"])
def test_tables_come_back(capsys, text, ending):
    assert main(["export", text, "--out", f"out.{ending}", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {
        "instance": text, "to": ending, "file": f"out.{ending}",
    }  # fmt: skip
    given, again = parse_instance(text), parse_instance(f"@out.{ending}")
    if ending == "json":
        assert (again, again.name) == (given, text)
    else:  # where all labels are texts
        described = {key: again.to_json()[key] for key in again.to_json() if key != "name"}
        assert described == {
            key: [str(each) for each in value] if isinstance(value, list) else value
            for key, value in given.to_json().items()
            if key != "name"
        }


def test_graphs_come_back():
    assert main(["export", "thresholds:b=2", "--to", "graphml", "--out", "graph.xml"]) == 0
    assert from_incidence_graph(nx.read_graphml("graph.xml")) == parse_instance("thresholds:b=2")


def test_strange_labels_come_back():
    Path("mine.csv").write_text('"",a;b,"say ""x"""\n"1,2",0,1\nü,1,1\n', encoding="utf-8")
    for ending in ("csv", "json"):
        assert main(["export", "@mine.csv", "--out", f"out.{ending}"]) == 0
        assert parse_instance(f"@out.{ending}") == parse_instance("@mine.csv")


def test_games_and_programs_have_the_least_error(capsys):
    value = minimax_error("greater_than:n=3", 2).value
    arguments = ["export", "greater_than:n=3", "--messages", "2", "--json"]
    assert main([*arguments, "--out", "game.nfg"]) == 0
    game = from_nfg(Path("game.nfg").read_text(encoding="utf-8"))
    assert game.solve().value == value
    assert game.title == "greater_than:n=3 with 2 messages"
    data = json.loads(capsys.readouterr().out)
    assert (data["inputs"], data["protocols"]) == tuple(map(len, game.strategies))
    assert main([*arguments, "--out", "program.vipr"]) == 0
    assert json.loads(capsys.readouterr().out)["value"] == str(value)
    text = Path("program.vipr").read_text(encoding="utf-8")
    assert f"RTP range {value} {value}\n" in text
    assert as_problem("greater_than:n=3").is_total


@pytest.mark.parametrize(
    ("arguments", "said", "status"),
    [
        (["--out", "file"], "give --to, or a FILE that ends in one of .nfg, .vipr", 2),
        (["--out", "file.nfg"], "--to gambit needs --messages", 2),
        (["--out", "file.csv", "--messages", "2"], "--to csv excludes --messages", 2),
        (["--to", "gml", "--out", "file"], "'gml' is not one of", 2),
        (["--out", "f.vipr", "--messages", "2", "--time-limit", "0"], "time limit was reached", 3),
    ],
)
def test_what_cannot_be_written_is_refused(capsys, arguments, said, status):
    assert main(["export", "equality:n=4", *arguments]) == status
    assert said in capsys.readouterr().err
    assert list(Path().iterdir()) == []


def test_an_empty_table_is_no_csv(capsys):
    Path("empty.json").write_text('{"rows": [""], "points": [], "concepts": ["c"]}')
    assert main(["export", "@empty.json", "--out", "out.csv"]) == 2
    assert "must have at least one row and one column for a csv file" in capsys.readouterr().err
