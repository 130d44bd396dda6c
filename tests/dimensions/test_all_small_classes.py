"""All 65535 classes over four points, read off bit masks: Fact 4, Claim 3, Sauer and Shelah."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from math import comb, e

import numpy as np

from ccsim.classes import ConceptClass
from ccsim.dimensions import dual_vc_dimension, representative_domain, vc_dimension

POINTS, ROWS = 4, 16
CLASSES = np.arange(1, 1 << ROWS)
"""One bit for each of the 16 concepts."""
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
"""Classes for each pair of VC and dual VC dimension; benchmarks/dual_dimensions.py counts them."""


def holds_one_of(rows):
    """Whether each class has a concept among some rows."""
    return CLASSES & sum(1 << row for row in rows) != 0


def vc_dimensions():
    found = np.zeros(len(CLASSES), dtype=int)
    for size in range(1, POINTS + 1):
        for chosen in combinations(range(POINTS), size):
            patterns = {}
            for row in range(ROWS):
                patterns.setdefault(tuple(row >> x & 1 for x in chosen), []).append(row)
            shattered = np.all([holds_one_of(rows) for rows in patterns.values()], axis=0)
            found[shattered] = size
    return found


def dual_dimensions():
    """Four points give at most four labellings to concepts: at most two are shattered."""
    found = np.zeros(len(CLASSES), dtype=int)
    for size in (1, 2):
        for rows in combinations(range(ROWS), size):
            labellings = {tuple(row >> x & 1 for row in rows) for x in range(POINTS)}
            if len(labellings) == 1 << size:
                found[np.all([holds_one_of([row]) for row in rows], axis=0)] = size
    return found


def different_points():
    """Count the points of which no two are labelled alike, by pairs."""
    alike = {
        (x, y): ~holds_one_of([row for row in range(ROWS) if (row >> x ^ row >> y) & 1])
        for x, y in combinations(range(POINTS), 2)
    }
    repeats = [
        np.any([alike[x, y] for x in range(y)], axis=0) if y else np.zeros(len(CLASSES), bool)
        for y in range(POINTS)
    ]
    return POINTS - np.sum(repeats, axis=0)


def test_all_classes_over_four_points() -> None:
    vc, dual, cells = vc_dimensions(), dual_dimensions(), different_points()
    sizes = np.array([int(mask).bit_count() for mask in CLASSES])
    assert (dual < 2 ** (vc + 1)).all()
    most = np.array([sum(comb(POINTS, i) for i in range(d + 1)) for d in range(POINTS + 1)])
    assert (sizes <= most[vc]).all()
    assert (cells[dual == 0] == 1).all()
    some = dual > 0
    assert (cells[some] <= (e * sizes[some] / dual[some]) ** dual[some]).all()
    assert Counter(zip(vc.tolist(), dual.tolist(), strict=True)) == TABLE


def test_the_results_of_the_package_are_these() -> None:
    vc, dual, cells = vc_dimensions(), dual_dimensions(), different_points()
    for place in range(0, len(CLASSES), 97):
        mask = int(CLASSES[place])
        rows = [row for row in range(ROWS) if mask >> row & 1]
        known = ConceptClass.from_rows(rows, range(POINTS))
        assert vc_dimension(known).value == vc[place]
        assert dual_vc_dimension(known).value == dual[place]
        assert len(representative_domain(known)) == cells[place]
