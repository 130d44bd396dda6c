"""Small examples of functions of `ccsim.symmetry` that no other test calls by name."""

from __future__ import annotations

import numpy as np

from ccsim.symmetry.matrix import Symmetry, moves_of, shared_literals


def test_literals_moves_of():
    assert list(moves_of([Symmetry((1, 0), (1, 0), 0)], [[(0, 0)], [(1, 0)]])) == [(2, 3, 0, 1)]


def test_matrix_symmetry_restricted():
    assert Symmetry((0, 2, 1), (1, 0), 0b10).restricted((1, 2), (0, 1)) == Symmetry(
        rows=(1, 0), columns=(1, 0), flips=2
    )


def test_tall_shared_literals():
    assert shared_literals(np.array([[0b011], [0b010]], np.uint64), 3).tolist() == [
        [1, 0, 1, 0],
        [0, 2, 1, 1],
        [1, 1, 2, 0],
        [0, 1, 0, 1],
    ]
