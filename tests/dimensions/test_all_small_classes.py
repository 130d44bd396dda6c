"""All 65535 classes over four points: Fact 4 and Claim 3 of `pap`, Sauer and Shelah."""

from __future__ import annotations

import numpy as np

from ccsim.dimensions import all_classes
from proofs_check.claims.public_data.constructions.counting_bounds import (
    largest_dual_dimension,
    most_labellings,
    most_representatives,
)

POINTS = 4
TABLE = {
    (0, 0): 2,
    (0, 1): 14,
    (1, 0): 1,  # all points labelled 0, or all 1
    (1, 1): 1175,
    (1, 2): 752,
    (2, 1): 8465,
    (2, 2): 39131,
    (3, 1): 582,
    (3, 2): 15412,
    (4, 2): 1,
}
"""Classes for each pair of VC and dual VC dimension, as benchmarks/dual_dimensions.py counts them
from results with proofs."""


def test_no_class_breaks_a_bound() -> None:
    every = all_classes(POINTS)
    assert every.table() == TABLE
    vc, dual, sizes, cells = (
        found[1:] for found in (every.vc, every.dual_vc, every.concepts, every.effective_sizes)
    )
    most_dual = np.array([largest_dual_dimension(d) for d in range(POINTS + 1)])
    assert (dual <= most_dual[vc]).all()
    most = np.array([most_labellings(d, POINTS) for d in range(POINTS + 1)])
    assert (sizes <= most[vc]).all()
    assert set(vc[sizes == most[vc]].tolist()) == set(range(POINTS + 1))  # each is attained
    assert (cells[dual == 0] == 1).all()
    for p in (1, 2):
        for size in set(sizes[dual == p].tolist()):
            found = int(cells[(dual == p) & (sizes == size)].max())
            assert found <= most_representatives(p, size).lower
            assert found <= most_labellings(p, size)
