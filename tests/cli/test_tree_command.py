"""The tree of `ccsim tree` is the tree that proves the Littlestone dimension."""

import json
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from ccsim import intervals, littlestone_dimension, thresholds
from ccsim.cli.main import main


@pytest.fixture(autouse=True)
def _in_a_directory(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def paths(tree):
    if "concept" in tree:
        return [([], tree["concept"])]
    return [
        ([(tree["point"], label), *path], concept)
        for label in (0, 1)
        for path, concept in paths(tree[str(label)])
    ]


def test_json_tree_is_a_complete_mistake_tree_by_label(capsys):
    assert main(["tree", "intervals:n=5", "--out", "t.json", "--json"]) == 0
    C = intervals(5)
    said = json.loads(capsys.readouterr().out)
    depth = littlestone_dimension(C).value
    assert said == {"instance": "intervals:n=5", "depth": depth, "exact": True, "file": "t.json"}
    found = paths(json.loads(Path("t.json").read_text()))
    assert len(found) == 2**depth
    for path, concept in found:
        c = C.concepts.index(concept)
        assert len(path) == depth
        assert all(C.value(c, C.points.index(point)) == label for point, label in path)


def test_text_tree_has_a_line_for_each_node():
    Path("f.csv").write_text(",a,b\nx,0,1\ny,1,1\nw,0,0\nv,1,0\n")
    assert main(["tree", "@f.csv", "--out", "t.txt"]) == 0
    assert Path("t.txt").read_text() == (
        "point a\n  0: point b\n    0: w\n    1: x\n  1: point b\n    0: v\n    1: y\n"
    )


def test_without_a_file_the_tree_is_printed(capsys):
    Path("f.csv").write_text(",a,b\nx,0,1\ny,1,1\nw,0,0\nv,1,0\n")
    assert main(["tree", "@f.csv"]) == 0
    shown = capsys.readouterr().out
    assert main(["tree", "@f.csv", "--out", "t.txt"]) == 0
    assert shown.splitlines()[1] == "mistake tree  depth 2"
    assert shown.endswith("depth 2\n" + Path("t.txt").read_text())
    capsys.readouterr()
    assert main(["tree", "@f.csv", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["file"] is None
    assert len(paths(found["tree"])) == 4


def test_picture_shows_every_label():
    Path("f.csv").write_text(",$a$,b\nx^2 中,0,1\ny,1,1\n<w>,0,0\nv,1,0\n")
    assert main(["tree", "@f.csv", "--out", "t.svg"]) == 0
    svg = ET.parse("t.svg")  # noqa: S314 - written by ourselves
    texts = [e.text for e in svg.iter("{http://www.w3.org/2000/svg}text")]
    assert sorted(t for t in texts if t not in "01") == ["$a$", "<w>", "b", "b", "v", "x^2 中", "y"]
    assert (texts.count("0"), texts.count("1")) == (3, 3)


def test_tree_of_one_concept_is_its_leaf():
    assert main(["tree", "points:b=0", "--out", "t.txt"]) == 0
    assert Path("t.txt").read_text() == "0\n"
    assert main(["tree", "points:b=0", "--out", "t.svg"]) == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ("thresholds:b=8", "--out", "t.svg"),
            "a tree of depth 8 is too large for .svg; the limit",
        ),
        (
            ("thresholds:b=3", "--out", "t.gif"),
            "--out must end in .svg, .png, .pdf, .tikz, .tex, .txt or .json, not 't.gif'",
        ),
        (("@empty.json", "--out", "t.svg"), "the empty class has no mistake tree"),
        (("thresholds:b=3", "--out", "no/t.svg"), "no/t.svg: cannot be written"),
    ],
)
def test_what_cannot_be_drawn_is_refused_in_one_line(capsys, arguments, message):
    Path("empty.json").write_text("[]")
    assert main(["tree", *arguments]) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1
    assert not Path("t.svg").exists()


def test_deeper_trees_are_written_as_text():
    assert main(["tree", "thresholds:b=8", "--out", "t.txt"]) == 0
    lines = Path("t.txt").read_text().splitlines()
    assert len(lines) == 2 * len(thresholds(8)) - 1
