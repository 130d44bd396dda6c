"""Small examples of functions of `ccsim.release` that no other test calls by name."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from ccsim.exact.epsilon import Epsilon
from ccsim.release.queries.grid_covers import _threshold, grid_number, grid_point, point_of
from ccsim.release.queries.multiplicative_weights import estimated_counts
from ccsim.release.rectangles import printed_rectangle_size
from ccsim.release.sanitizers.budget import k_points_sample_size, printed_share, rounded_down
from ccsim.release.sanitizers.threshold_recursion import SanThresholds


def test_axis_cuts_printed_rectangle_size():
    tenth, millionth = Fraction(1, 10), Fraction(1, 10**6)
    assert (
        f"{printed_rectangle_size(tenth, tenth, Epsilon.of(1), millionth, 64, 2):.1e}"
    ) == "2.5e+17"


def test_cells_point_of():
    assert (point_of((8,), 3), point_of((8, 8), (3, 7))) == ((3,), (3, 7))


def test_cells_grid_number():
    assert grid_number((4, 8), (1, 3)) == 11


def test_cells_grid_point():
    assert grid_point((4, 8), 11) == (1, 3)


def test_halfspaces_threshold():
    assert (_threshold((4, 4, -5)), _threshold((0, 0, 1))) == ((1, 1, 2), (0, 0, 0))


def test_weights_estimated_counts():
    assert estimated_counts(np.array([-1.0, 0.0, 0.5]), 4).tolist() == [0, 2, 3]


def test_budget_printed_share():
    assert (
        round(float(printed_share(Epsilon.of(1), Fraction(320), Fraction(1, 10**6))), 5) == 0.01423
    )


def test_budget_rounded_down():
    assert Fraction(999, 3000) < rounded_down(Fraction(1, 3)) < Fraction(1, 3)


def test_sizes_k_points_sample_size():
    tenth = Fraction(1, 10)
    one, two = (k_points_sample_size(tenth, tenth, Epsilon.of(1), tenth**6, k) for k in (1, 2))
    assert (one, 2**1.5 < two / one < 2**1.7) == (758535, True)


def test_threshold_recursion_for_budget():
    tenth, millionth = Fraction(1, 10), Fraction(1, 10**6)
    kept = SanThresholds.for_budget(2**64 - 1, tenth, tenth, Epsilon.of(1), millionth)
    assert (kept.allowed, round(1 / float(kept.epsilon)), float(kept.privacy[0]) <= 1) == (
        513,
        252,
        True,
    )
