"""Small examples of functions of `ccsim.pictures` that no other test calls by name."""

from __future__ import annotations

from ccsim.appearance import show_label
from ccsim.pictures.figures import check_picture
from ccsim.pictures.natural import natural_picture
from ccsim.pictures.tikz import tikz_text


def test_figures_check_picture():
    assert check_picture("tree.PDF") == ".pdf"


def test_labels_show_label():
    assert (show_label("(0,1)"), show_label("a" + chr(10) + "b")) == ("(0,1)", "'a\\nb'")


def test_natural_natural_picture():
    from ccsim import littlestone_dimension, thresholds, vc_dimension

    assert len(natural_picture(littlestone_dimension(thresholds(1))).texts) == 5
    assert natural_picture(vc_dimension(thresholds(1))) is None


def test_tikz_tikz_text():
    from matplotlib.figure import Figure

    axes = Figure().subplots()
    assert str(tikz_text(axes).splitlines()[1]) == "\\begin{tikzpicture}[x=1bp,y=1bp]"
