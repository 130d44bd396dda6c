"""Pictures on axes: their contents, positions, and file formats."""

import math
from io import BytesIO
from itertools import pairwise

import pytest
from matplotlib.figure import Figure

from ccsim import (
    equality,
    error_curve,
    index,
    littlestone_dimension,
    minimax_error,
    thresholds,
)
from ccsim.errors import DomainError, InstanceTooLargeError
from ccsim.pictures.errors import draw_errors, draw_proofs, information_bound
from ccsim.pictures.figures import SUFFIXES, save_figure, short_label
from ccsim.pictures.mistake_tree import draw_mistake_tree

HEADS = {
    ".svg": b"<?xml",
    ".png": b"\x89PNG",
    ".pdf": b"%PDF",
    ".tikz": b"% Drawn by ccsim.pictures",
    ".tex": b"\\documentclass{article}",
}


def drawn_tree(b, **options):
    C = thresholds(b)
    return draw_mistake_tree(C, littlestone_dimension(C).tree.root, **options)


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_the_suffix_says_the_form_and_the_same_picture_gives_the_same_file(tmp_path, suffix):
    files = [tmp_path / f"{name}{suffix}" for name in "ab"]
    for path in files:
        save_figure(path, drawn_tree(2))
    first, second = (path.read_bytes() for path in files)
    assert first.startswith(HEADS[suffix])
    assert first == second


def test_other_forms_are_refused(tmp_path):
    with pytest.raises(
        DomainError, match=r"must end in \.svg, \.png, \.pdf, \.tikz or \.tex, not '.*t\.gif'"
    ):
        save_figure(tmp_path / "t.gif", drawn_tree(1))
    assert not list(tmp_path.iterdir())


def test_pictures_are_drawn_on_the_axes_that_are_given():
    for axes in Figure().subplots(1, 3).flat[:1]:
        assert drawn_tree(2, ax=axes) is axes
        assert draw_errors(error_curve(equality(4)), ax=axes) is axes
        assert draw_proofs(minimax_error(equality(4), 2), ax=axes) is axes


def test_labels_of_a_tree_stand_beside_their_edges():
    axes = drawn_tree(4)
    axes.figure.savefig(BytesIO(), format="png")
    edges = [line.get_xydata() for line in axes.lines]
    labels = [text for text in axes.texts if text.get_text() in "01" and text.get_va() == "bottom"]
    assert len(edges) == len(labels) == 2 + 4 + 8 + 16
    for text, edge in zip(labels, edges, strict=True):
        box = text.get_window_extent()
        for share in range(101):
            x, y = axes.transData.transform(edge[0] + (edge[1] - edge[0]) * share / 100)
            assert not (box.x0 < x < box.x1 and box.y0 < y < box.y1)


def test_leaves_do_not_cover_each_other():
    for b in (2, 4):
        axes = drawn_tree(b)
        axes.figure.savefig(BytesIO(), format="png")
        leaves = [text.get_window_extent() for text in axes.texts if text.get_va() == "top"]
        assert len(leaves) == 2**b
        boxes = sorted(leaves, key=lambda box: box.x0)
        assert all(a.x1 < b.x0 for a, b in pairwise(boxes))


def test_what_is_deep_is_left_out_and_counted():
    texts = [text.get_text() for text in drawn_tree(5, levels=2).texts]
    assert texts.count("... 8 leaves") == 4
    assert len(texts) == 3 + 6 + 4


def test_the_proofs_are_drawn_as_they_are():
    result = minimax_error(equality(4), 2)
    axes = draw_proofs(result)
    shaded, circles, discs = axes.collections
    shade = shaded.get_array()
    weights = result.distribution.as_mapping()
    heaviest = max(weights.values())
    for number, (x, y) in enumerate((x, y) for x in range(4) for y in range(4)):
        assert math.isclose(shade[x, y], 0.55 * weights.get((x, y), 0) / heaviest, abs_tol=1e-9)
        share = discs.get_sizes()[number] / circles.get_sizes()[0]
        assert math.isclose(share, result.protocol.output_probability(x, y), abs_tol=1e-9)
    values = [str(int(x == y)) for x in range(4) for y in range(4)]
    assert [text.get_text() for text in axes.texts] == values
    assert "3/13" in axes.get_title()


def test_a_matrix_that_cannot_be_read_is_refused():
    with pytest.raises(InstanceTooLargeError, match="to be drawn, not 41 x 41"):
        draw_proofs(minimax_error(equality(41), 41))


def test_the_information_bound_is_below_the_least_errors():
    for d in (1, 2, 3):
        for result in error_curve(index(d)):
            assert information_bound(d, result.messages) <= result.upper + 1e-12
    assert information_bound(3, 1) == 0.5
    e = information_bound(3, 4)
    assert math.isclose(1 + e * math.log2(e) + (1 - e) * math.log2(1 - e), 2 / 3)


def test_curves_show_values_and_the_bound_with_a_name_each():
    curve = error_curve(index(2)) + error_curve(index(2), coins="deterministic")
    axes = draw_errors(curve)
    public, without, information = axes.lines
    assert list(public.get_ydata()) == [float(r.upper) for r in error_curve(index(2))]
    assert information.get_linestyle() == ":"
    assert len({line.get_linestyle() for line in axes.lines}) == 3
    shown = [text.get_text() for text in axes.get_legend().get_texts()]
    assert shown == ["public coins", "no coins", "information bound, 2 shattered"]
    assert without.get_marker() != public.get_marker()


def test_curves_of_several_problems_are_refused():
    with pytest.raises(DomainError, match="results for the same problem"):
        draw_errors([*error_curve(index(1)), *error_curve(index(2))])
    with pytest.raises(DomainError, match="one or more results"):
        draw_errors([])


def test_labels_are_cut_in_the_middle():
    assert short_label("x" * 14) == "x" * 14
    assert short_label("a" * 9 + "b" * 9, 10) == "aaaa..bbbb"
