"""Functions used by the claims about learning, compared with enumerations of samples."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import prod

import pytest

from ccsim import HypothesisSet, points, representation_error
from ccsim.exact import Epsilon
from ccsim.learning import NoisyConsistentPoint
from ccsim.learning.sample_size import log_ceiling
from proofs_check.claims.beimel_brenner.point_learners.constant_learner import _looks
from proofs_check.claims.beimel_brenner.point_learners.noisy_learner import (
    answered,
    chance_of_error,
)
from proofs_check.claims.feldman_xiao.introduction.metric_entropy import _packing
from proofs_check.claims.feldman_xiao.learning import disagreement
from proofs_check.claims.grids import classes_on

DISTRIBUTION = (Fraction(1, 2), Fraction(1, 3), Fraction(1, 6))


@pytest.mark.claim("fx/rel-metric-entropy")
def test_a_largest_packing_of_points_is_the_class():
    distribution = (Fraction(1, 4),) * 4
    rows = points(2).rows
    assert _packing(rows, distribution, Fraction(1, 4)) == sorted(rows)
    assert len(_packing(rows, distribution, Fraction(1, 2))) == 1


def test_disagreement_is_the_error_of_a_single_hypothesis():
    assert disagreement((Fraction(1, 3), Fraction(2, 3)), 0b01, 0b11) == Fraction(2, 3)
    error = representation_error(HypothesisSet((0b0001,), 4), points(2)).value
    assert error == 1


def test_every_class_on_three_points_is_listed_once():
    classes = classes_on(3)
    assert len(classes) == 3 + 15 + 255
    assert len({(len(C.points), C.rows) for C in classes}) == len(classes)


@pytest.mark.claim("bbkn/claim-4.5-fresh")
def test_a_fresh_sample_for_three_over_beta_would_be_too_small():
    tenth, hundredth = Fraction(1, 10), Fraction(1, 100)
    few = _looks(tenth, log_ceiling(24 / tenth, 3 / hundredth, Epsilon.of(1)))
    many = _looks(tenth, log_ceiling(24 / tenth, 3 / hundredth**2, Epsilon.of(1)))
    assert few[0] > hundredth**2 / 3 > many[0] > 0


@pytest.mark.claim("bbkn/sec-4.2.1")
def test_failure_of_a_point_learner_is_the_sum_over_samples():
    A1, D, alpha = NoisyConsistentPoint(3, Fraction(1, 20)), DISTRIBUTION, Fraction(2, 5)
    exact = sum(
        prod(D[x] for x in S)
        * chance_of_error(1, D, A1.distribution([(x, int(x == 0)) for x in S]), alpha)
        for S in product(range(3), repeat=3)
    )
    assert answered(A1, D, (1 - D[0]) ** 3, alpha) == exact > 0
