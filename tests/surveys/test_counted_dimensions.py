"""Dimensions by counting, compared with those of the atlas, class by class."""

from __future__ import annotations

import numpy as np
import pytest

from ccsim.surveys.atlas.counted_dimensions import COUNTED, counted_dimensions
from ccsim.surveys.atlas.table import atlas


def spans(row):
    """Return the bounds in a row, by name."""
    *exact, lower, upper = row
    found = {name: (value, value) for name, value in zip(COUNTED, exact, strict=False)}
    return found | {COUNTED[-2]: (lower, upper)}


def chosen_of(entry):
    return int(entry.instance.rpartition("=")[2])


@pytest.mark.parametrize(("points", "step"), [(1, 1), (2, 1), (3, 1), (4, 1), (5, 40)])
def test_the_atlas_holds_what_is_counted(points, step):
    entries = [entry for entry in atlas() if entry.points == points][::step]
    assert len(entries) > 1
    found = counted_dimensions(points, np.array([chosen_of(entry) for entry in entries]))
    for entry, row in zip(entries, found.tolist(), strict=True):
        assert {name: entry.values[name] for name in COUNTED[:-1]} == spans(row)


def test_classes_that_are_counted_together_are_counted_apart():
    classes = np.random.default_rng(0).integers(1, 1 << 32, 20)  # of some 16 concepts
    together = counted_dimensions(5, classes)
    apart = [counted_dimensions(5, classes[i : i + 1])[0] for i in range(len(classes))]
    assert np.array_equal(together, apart)
    assert len(np.unique(together, axis=0)) > 5


def test_a_search_that_is_cut_short_leaves_an_interval():
    classes = np.random.default_rng(1).integers(1, 1 << 32, 20)
    whole, short = (counted_dimensions(5, classes, limit) for limit in (100_000, 5))
    assert np.array_equal(whole[:, :10], short[:, :10])
    assert (short[:, 10] <= whole[:, 10]).all()
    assert (short[:, 11] >= whole[:, 11]).all()
    assert (short[:, 10] < short[:, 11]).any()
