"""Commands that draw their answers: pictures, file formats, and errors before the computation."""

from __future__ import annotations

import json
from xml.etree import ElementTree

import pytest

from ccsim import equality, equivalence_table, parse_instance
from ccsim.cli.main import main
from ccsim.pictures.figures import SUFFIXES
from proofs_check.__main__ import main as check
from proofs_check.claims.table import CLAIMS

AUDIT = ["audit", "points:b=1", "--mechanism=randomized-response", "--samples=1"]
DRAWN = {
    "dimensions": ["dimensions", "thresholds:b=2"],
    "proofs": ["error", "equality:n=4", "--messages=2"],
    "errors": ["error", "equality:n=4", "--messages=1..4"],
    "curve": ["error", "equality:n=3", "--curve"],
    "audit": [*AUDIT, "--epsilon=ln 3", "--curve=0,1/2,ln 3"],
    "compose": ["compose", "--parameters=ln 3,0", "--times=2", "--curve=0,ln 3,ln 9"],
    "represent": ["represent", "points:b=1", "--error=1/4", "--failure=1/4"],
    "samples": [
        *("sample-complexity", "points:b=1", "--accuracy=1/4", "--failure=1/4", "--epsilon=1/4"),
        "--limit=1",
    ],
    "tree": ["tree", "thresholds:b=2"],
}
SAID = {
    "dimensions": {"3", "1", "0"},
    "proofs": {"minimax error 3/13, 2 messages"},
    "errors": {"equality:n=4", "public coins", "information bound, 1 shattered"},
    "curve": {"equality:n=3"},
    "audit": {"0", "randomized-response on points:b=1"},
    "compose": {"0", "1/2", "3/8"},
    "represent": {"VC <= LDim", "points:b=1"},
    "samples": {"at least 2", "916"},
    "tree": {"3", "1", "0"},
}


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def texts(path):
    root = ElementTree.parse(path).getroot()  # noqa: S314 - our own file
    return {"".join(each.itertext()) for each in root.iter("{http://www.w3.org/2000/svg}text")}


@pytest.mark.parametrize("name", DRAWN)
def test_the_picture_says_what_the_command_says(folder, capsys, name):
    without = main([*DRAWN[name], "--json"]) if name != "tree" else 0
    said = capsys.readouterr().out
    assert main([*DRAWN[name], "--out", "a.svg", "--json"]) == without
    if name != "tree":
        assert json.loads(capsys.readouterr().out) == json.loads(said)
    shown = texts("a.svg")
    assert SAID[name] <= shown
    assert [path.name for path in folder.iterdir()] == ["a.svg"]


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_every_form_is_written(folder, suffix):
    assert main([*DRAWN["proofs"], "--out", f"a{suffix}"]) == 0
    assert (folder / f"a{suffix}").stat().st_size > 500


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["dimensions", "points:b=1", "--only=vc"], "--out draws a mistake tree"),
        (["error", "greater_than:n=41", "--messages=3"], "to be drawn, not 41 x 41"),
        ([*AUDIT, "--epsilon=1"], "give --curve or --measure trade-off"),
        (["represent", "points:b=1", "--error=1/4"], "--out needs --failure"),
        (
            ["represent", "points:b=1", "--error=1/4", "--failure=1/4", "--proper"],
            "--out needs --failure and must not be combined with --proper",
        ),
        (
            ["sample-complexity", "points:b=1", "--accuracy=1/4", "--samples=1", "--epsilon=ln 3"],
            "--out needs --failure",
        ),
    ],
)
def test_what_has_no_picture_is_refused_before_the_work(folder, capsys, arguments, message):
    assert main([*arguments, "--out", "a.svg"]) == 2
    out, err = capsys.readouterr()
    assert message in err
    assert (out, err.count("\n")) == ("", 1)
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize("name", DRAWN)
def test_another_ending_is_refused_with_the_known_ones(capsys, name):
    assert main([*DRAWN[name][:1], "no-such-instance", *DRAWN[name][2:], "--out", "a.gif"]) == 2
    out, err = capsys.readouterr()
    assert "--out must end in .svg, .png, .pdf, .tikz" in err
    assert " or ." in err
    assert "not 'a.gif'" in err
    assert (out, err.count("\n")) == ("", 1)


def test_without_matplotlib_nothing_is_begun(monkeypatch, capsys):
    monkeypatch.setattr("ccsim.pictures.figures.find_spec", lambda _: None)
    assert main([*DRAWN["dimensions"], "--out", "a.svg"]) == 2
    out, err = capsys.readouterr()
    assert "pictures require matplotlib" in err
    assert (out, err.count("\n")) == ("", 1)
    assert main([*DRAWN["tree"], "--out", "a.txt"]) == 0


def test_an_empty_class_has_no_picture_but_an_answer(folder, capsys):
    (folder / "empty.json").write_text("[]")
    assert main(["dimensions", "@empty.json", "--out", "a.svg"]) == 0
    out, err = capsys.readouterr()
    assert "-1" in out
    assert err == "no picture was written: the empty class has no mistake tree\n"
    assert not (folder / "a.svg").exists()


def test_the_input_is_not_drawn_over(folder, capsys):
    (folder / "a.svg").write_text("0,1\n1,0\n")
    assert main(["dimensions", "@a.svg", "--out", "a.svg"]) == 2
    assert "it is the input" in capsys.readouterr().err


def test_the_graph_of_claims_is_drawn_as_the_ending_says(folder):
    for suffix, head in ((".png", b"\x89PNG"), (".tikz", b"% Drawn"), (".dot", b"digraph")):
        assert check(["graph", "--paper=fx", "--out", f"claims{suffix}"]) == 0
        assert (folder / f"claims{suffix}").read_bytes().startswith(head)
    assert check(["graph", "--paper=fx", "--out", "claims.svg"]) == 0
    of_paper = {claim.key: claim.title for claim in CLAIMS.values() if claim.paper == "fx"}
    assert texts("claims.svg") == set(of_paper)
    root = ElementTree.parse("claims.svg").getroot()  # noqa: S314 - our own file
    space = "{http://www.w3.org/2000/svg}"
    told = {
        group.get("id"): group.findtext(f"{space}title")
        for group in root.iter(f"{space}g")
        if group.find(f"{space}title") is not None
    }
    assert told == of_paper


def test_the_names_in_the_pictures_are_those_of_the_results():
    table = equivalence_table(parse_instance("points:b=1"), "1/4", "1/4")
    assert SAID["represent"] >= {f"{table.inequalities[7].left} <= {table.inequalities[7].right}"}
    assert equality(4).name in SAID["errors"]
