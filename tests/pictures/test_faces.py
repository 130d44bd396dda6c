"""The pictures by name, pictures of unusual instances, and errors without matplotlib."""

from __future__ import annotations

import inspect
import re
import subprocess
import sys
from fractions import Fraction
from io import BytesIO
from itertools import combinations

import networkx as nx
import pytest
from matplotlib.figure import Figure

import ccsim.pictures
from ccsim import (
    ConceptClass,
    cover_number,
    deterministic_cost,
    equality,
    equivalence_table,
    error_curve,
    littlestone_dimension,
    minimax_error,
    points,
    private_sample_complexity,
    thresholds,
)
from ccsim.errors import DomainError
from ccsim.exact import Epsilon
from ccsim.pictures import (
    Curve,
    draw_curves,
    draw_equivalence,
    draw_errors,
    draw_measure,
    draw_mistake_tree,
    draw_privacy,
    draw_proofs,
    draw_protocol,
    draw_sample_complexity,
    draw_samples,
    draw_trade_off,
    save_figure,
)
from ccsim.privacy import trade_off
from ccsim.privacy.audit import privacy_curve
from ccsim.privacy.mechanisms.randomized_response import RandomizedResponse
from ccsim.surveys.point_learners import Cell
from proofs_check.drawing import draw_graph


def tree(C, **options):
    return draw_mistake_tree(C, littlestone_dimension(C).tree, **options)


def responses(*parameters):
    asked = [0, "1/4", "ln 2", "ln 3"]
    found = {}
    for text in parameters:
        response = RandomizedResponse((0, 1), Epsilon.of(text))
        found[f"response {text}"] = privacy_curve(response, asked, 1)
    return found


PICTURES = {
    "tree": lambda **ax: tree(thresholds(2), **ax),
    "proofs": lambda **ax: draw_proofs(minimax_error(equality(3), 2), **ax),
    "measure": lambda **ax: draw_measure(cover_number("equality:n=4", 0), **ax),
    "protocol": lambda **ax: draw_protocol(deterministic_cost("equality:n=4").protocol, **ax),
    "errors": lambda **ax: draw_errors(error_curve(equality(3)), **ax),
    "privacy": lambda **ax: draw_privacy(responses("ln 2", "ln 3"), **ax),
    "trade-off": lambda **ax: draw_trade_off(
        {"response": trade_off(RandomizedResponse((0, 1), Epsilon.of("ln 3")), 1)}, gaussian=1, **ax
    ),
    "equivalence": lambda **ax: draw_equivalence(equivalence_table(points(1), "1/4", "1/4"), **ax),
    "complexity": lambda **ax: draw_sample_complexity(
        private_sample_complexity(points(1), "1/4", "1/4", "1/4"), **ax
    ),
    "samples": lambda **ax: draw_samples([Cell("proper", 4, 9, 8, None, 20, 3)], **ax),
    "graph": lambda **ax: draw_graph(nx.DiGraph([("theorem", "lemma_1 & 2")]), **ax),
    "curves": lambda **ax: draw_curves([Curve("exact", (4, 8), (9, 20))], **ax),
}
"""Each picture of the package, and that of claims, of a small object."""


def drawers():
    names = (name for name in ccsim.pictures.__all__ if name.startswith("draw_"))
    return [draw_graph, *(getattr(ccsim.pictures, name) for name in names)]


def test_every_picture_is_drawn_below_and_takes_axes():
    assert len(PICTURES) == len(drawers())
    for drawer in drawers():
        parameter = inspect.signature(drawer).parameters["ax"]
        assert parameter.kind is inspect.Parameter.KEYWORD_ONLY
        assert parameter.default is None


@pytest.mark.parametrize("name", PICTURES)
def test_pictures_are_drawn_on_the_axes_that_are_given(name):
    left, right = Figure().subplots(1, 2)
    assert PICTURES[name](ax=right) is right
    assert not left.has_data()


@pytest.mark.parametrize("name", PICTURES)
def test_tikz_is_balanced_and_says_every_text(tmp_path, name):
    axes = PICTURES[name]()
    save_figure(tmp_path / "a.tikz", axes)
    text = (tmp_path / "a.tikz").read_text()
    bare = re.sub(r"\\[{}]", "", text)
    assert bare.count("{") == bare.count("}")
    begun = re.findall(r"\\begin\{(\w+)\}", text)
    assert sorted(begun) == sorted(re.findall(r"\\end\{(\w+)\}", text))
    assert begun[0] == "tikzpicture"
    for line in text.splitlines()[1:]:
        assert line.startswith(("\\path[", "\\node[", "\\clip ", "\\begin", "\\end", "\\useas"))
    nodes = text.count("\\node[")
    shown = [each.get_text() for each in axes.texts if each.get_text()]
    assert nodes >= len(shown) > 0 or name in {
        "errors",
        "samples",
        "curves",
        "privacy",
        "trade-off",
    }
    for each in shown:
        if each.isalnum():
            assert f" {each}}};" in text


def test_tikz_escapes_what_latex_would_read(tmp_path):
    C = ConceptClass.from_rows(range(2), [r"\input{a} $x_1^2$ 100% #&~"], ["a<b", "{|c|}"])
    save_figure(tmp_path / "a.tikz", tree(C, longest=80))
    text = (tmp_path / "a.tikz").read_text()
    assert r"\textbackslash{}input\{a\} \$x\_1\textasciicircum{}2\$ 100\% \#\&" in text
    assert "\\input{" not in text
    assert r"\{\ensuremath{|}c\ensuremath{|}\}" in text


def test_a_document_holds_the_picture(tmp_path):
    axes = PICTURES["tree"]()
    save_figure(tmp_path / "a.tikz", axes)
    save_figure(tmp_path / "a.tex", axes)
    picture, document = ((tmp_path / name).read_text() for name in ("a.tikz", "a.tex"))
    assert picture in document
    assert document.endswith("\\end{document}\n")


def test_a_circle_in_tikz_is_where_it_is_in_the_picture(tmp_path):
    axes = Figure(figsize=(1, 1)).add_axes((0, 0, 1, 1))
    axes.set_axis_off()
    axes.set_xlim(0, 72)
    axes.set_ylim(0, 72)
    axes.plot([10, 40], [20, 60], color="black", linewidth=2)
    axes.text(30, 30, "x", ha="right", va="baseline", fontsize=9)
    save_figure(tmp_path / "a.tikz", axes)
    text = (tmp_path / "a.tikz").read_text()
    assert "(10,20) -- (40,60);" in text
    assert "line width=2bp" in text
    assert re.search(r"anchor=base east,.*at \(30,30\) \{\\fontsize\{9bp\}\{10.8bp\}", text)


@pytest.mark.parametrize("longest", [14, 24])
def test_long_labels_do_not_cover_each_other(longest):
    names = [f"a very long label of the point {i}" for i in range(4)]
    concepts = [f"a concept of which much is said {i}" for i in range(16)]
    axes = tree(ConceptClass.from_rows(range(16), names, concepts), longest=longest)
    axes.figure.savefig(BytesIO(), format="png")
    boxes = [text.get_window_extent() for text in axes.texts if len(text.get_text()) > 1]
    assert len(boxes) == 15 + 16
    assert not any(a.overlaps(b) for a, b in combinations(boxes, 2))
    whole = axes.figure.bbox
    assert all(whole.x0 <= b.x0 and b.x1 <= whole.x1 and whole.y0 <= b.y0 for b in boxes)


def test_privacy_is_drawn_where_the_audit_found_it():
    axes = PICTURES["privacy"]()
    assert len(axes.lines) == 2
    assert len({line.get_marker() for line in axes.lines}) == 2
    for line, curve in zip(axes.lines, responses("ln 2", "ln 3").values(), strict=True):
        assert list(line.get_ydata()) == [float(delta) for _, delta in curve]
    with pytest.raises(DomainError, match="each with at least one point"):
        draw_privacy({"a": []})


def test_the_equivalence_has_a_row_for_each_inequality():
    table = equivalence_table(points(1), "1/4", "1/4")
    axes = draw_equivalence(table)
    names = [label.get_text() for label in axes.get_yticklabels()]
    assert names == [f"{each.left} <= {each.right}" for each in table.inequalities]
    for row, each in enumerate(table.inequalities):
        drawn = {
            line.get_marker(): line.get_xdata()[0]
            for line in axes.lines
            if line.get_marker() in {"o", "s"} and round(line.get_ydata()[0]) == row
        }
        expected = {"o": table.quantity(each.left), "s": table.quantity(each.right)}
        assert {mark: quantity.lower for mark, quantity in expected.items()} == drawn
        assert each.source in axes.texts[row].get_text()


def test_a_theorem_stands_beside_what_is_needed():
    found = private_sample_complexity(points(1), "1/4", "1/4", "1/4", limit=1)
    assert found.upper is None
    axes = draw_sample_complexity(found)
    shown = [text.get_text() for text in axes.texts if text.get_text()]
    assert shown == [f"at least {found.lower}", "916"]


def test_a_graph_points_to_the_left_and_has_no_cycle():
    graph = nx.DiGraph([("c", "b"), ("b", "a"), ("c", "a"), ("d", "a")])
    axes = draw_graph(graph, {"a": "#ff0000"}, frozenset({("c", "b")}), {"d": ":"})
    frames = {
        text.get_text(): text.get_bbox_patch().get_linestyle()
        for text in axes.texts
        if text.get_text()
    }
    assert frames == {"a": "-", "b": "-", "c": "-", "d": ":"}
    place = {text.get_text(): text.get_position() for text in axes.texts if text.get_text()}
    for start, end in graph.edges:
        assert place[end][0] < place[start][0]
    assert len(set(place.values())) == 4
    with pytest.raises(DomainError, match="no cycle"):
        draw_graph(nx.DiGraph([("a", "b"), ("b", "a")]))


def test_without_matplotlib_a_picture_says_what_is_missing():
    code = """
import sys
sys.modules["matplotlib"] = None
from ccsim import littlestone_dimension, thresholds
from ccsim.pictures import draw_mistake_tree, draw_privacy, draw_proofs
from ccsim.errors import DomainError
C = thresholds(1)
try:
    draw_mistake_tree(C, littlestone_dimension(C).tree)
except DomainError as error:
    print(error)
"""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=100, check=True
    )
    assert done.stdout == "pictures require matplotlib; install it with pip install 'ccsim[plot]'\n"


def test_the_face_is_light():
    heavy = ("matplotlib", "numpy")
    code = f"import sys, ccsim.pictures; print([n for n in {heavy} if n in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_numbers_of_points_are_exact():
    curve = [(Epsilon.of(0), Fraction(1, 3)), (Epsilon.of(1), Fraction(1, 9))]
    axes = draw_privacy(curve)
    assert [text.get_text() for text in axes.texts] == ["1/3", "1/9"]
