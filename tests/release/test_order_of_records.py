"""No draw reveals the order of the records, by its values or by their order.

A distribution over sets of values does not determine the order in which a draw lists them.
Therefore no audit of distributions detects a draw that lists values in the order of the records,
which would reveal the first record.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from ccsim.classes import thresholds
from ccsim.exact import Epsilon
from ccsim.learning.learners.thresholds import (
    ExponentialThresholdLearner,
    RecConcaveThresholdLearner,
)
from ccsim.release.queries.covers import ThresholdCover
from ccsim.release.queries.public_data import release_queries
from ccsim.release.sanitizers.frequent_points import PointSets, SanPoints
from ccsim.release.sanitizers.points import StabilityHistogram
from ccsim.release.sanitizers.synthetic import SyntheticDatabase
from ccsim.release.sanitizers.threshold_recursion import SanThresholds
from ccsim.release.sanitizers.thresholds import CountedTree, QuantileTree
from proofs_check.claims.public_data.constructions.tracing.stumps import MarginalRelease

TENTH, MILLIONTH, ONE = Fraction(1, 10), Fraction(1, 10**6), Epsilon.of(1)
LAST = 2**64 - 1
POINTS = [7] * 900 + [2**40] * 1000 + [3] * 1100
LABELLED = [(x, int(x < 2**20)) for x in POINTS]
COVER = ThresholdCover(LAST, (5, 2**30, 2**50))
POWERFUL = SanPoints(LAST, TENTH, TENTH, Epsilon.of(2), MILLIONTH, any_size=True)


def listed(mapping):
    return list(mapping.items())


def synthetic(records, rng):
    return SyntheticDatabase(thresholds(2), ONE, 3).draw([x % 4 for x in records], rng)


def marginals(records, rng):
    signs = np.array([[1 if x >> i & 1 else -1 for i in range(8)] for x in records], dtype=np.int8)
    return MarginalRelease(variance=Fraction(100))(signs, rng).tolist()


def queries(method):
    def release(records, rng):
        made = release_queries(COVER, records, 1, MILLIONTH, rng, method)
        return [float(made.answer(t)) for t in (1, 2**20, 2**41)]

    return release


DRAWS = {
    "histogram": lambda r, g: StabilityHistogram(range(2**64), ONE, MILLIONTH).draw(r, g),
    "blum-ligett-roth": synthetic,
    "san-points": lambda r, g: listed(POWERFUL.sanitize(r, g).released),
    "k-points": lambda r, g: listed(PointSets(POWERFUL, 2).sanitize(r, g).released),
    "san-thresholds": lambda r, g: listed(
        SanThresholds(LAST, TENTH, TENTH, Epsilon.of(8), MILLIONTH).sanitize(r, g).released
    ),
    "marginals": marginals,
    "pap": queries("pap"),
    "private": queries("private"),
    "histogram of cells": queries("histogram"),
}
LEARNERS = {
    "exponential": lambda r, g: (
        ExponentialThresholdLearner(TENTH, TENTH, ONE, 64).learn(r, g).concept
    ),
    "rec-concave": lambda r, g: (
        RecConcaveThresholdLearner(TENTH, TENTH, ONE, 64, 0, MILLIONTH).learn(r, g).concept
    ),
}


@pytest.mark.parametrize("name", [*DRAWS, *LEARNERS])
def test_a_draw_is_the_same_in_every_order_of_the_records(name):
    draw, records = (DRAWS[name], POINTS) if name in DRAWS else (LEARNERS[name], LABELLED)
    shuffled = [records[i] for i in np.random.default_rng(3).permutation(len(records))]
    for seed in range(3):
        orders = (records, records[::-1], shuffled)
        first, *others = [draw(order, np.random.default_rng(seed)) for order in orders]
        assert all(other == first for other in others), (name, seed)


@pytest.mark.parametrize("tree", [QuantileTree(LAST, ONE), CountedTree(LAST, ONE)])
def test_trees_list_what_they_release_in_the_order_of_the_domain(tree):
    # the random low bits are dealt to the records one by one, so that draws agree in law only
    for records in (POINTS, POINTS[::-1]):
        drawn = tree.draw(records, np.random.default_rng(0))
        released = (
            tree.release(drawn, 3000) if isinstance(tree, CountedTree) else tree.release(drawn)
        )
        assert len(released) > 1
        assert list(released) == sorted(released)


def test_the_draws_are_of_something():
    rng = np.random.default_rng(0)
    for name in ("histogram", "san-points", "k-points", "san-thresholds"):
        assert len(DRAWS[name](POINTS, rng)) > 1, name
