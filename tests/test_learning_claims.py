"""What the claims about learning rest on, against enumeration of samples."""

from __future__ import annotations

from fractions import Fraction

import pytest

from ccsim import HypothesisSet, points, representation_error
from ccsim.privacy import Epsilon, PrivateOccam
from proofs_check.feldman_xiao.introduction import ROUNDING, _failure, _packing
from proofs_check.feldman_xiao.learning import disagreement, failure_chance
from proofs_check.grids import classes_on


@pytest.mark.claim("fx/intro-occam")
@pytest.mark.parametrize("n", [1, 2, 5])
def test_failure_on_two_points_is_rounded_up_from_the_exact_one(n):
    hypotheses = (0b00, 0b01, 0b11)
    learner = PrivateOccam(2, hypotheses, Epsilon.of("ln 4"))
    law = (Fraction(3, 5), Fraction(2, 5))
    for concept in hypotheses:
        exact = failure_chance(learner, concept, law, n, Fraction(1, 2))
        bound = _failure(hypotheses, concept, law, n, Fraction(1, 2))
        assert exact <= bound <= exact + Fraction(n + 1, ROUNDING)
        assert bound > 0


@pytest.mark.claim("fx/rel-metric-entropy")
def test_a_largest_packing_of_points_is_the_class():
    law = (Fraction(1, 4),) * 4
    rows = points(2).rows
    assert _packing(rows, law, Fraction(1, 4)) == sorted(rows)
    assert len(_packing(rows, law, Fraction(1, 2))) == 1


def test_disagreement_is_the_error_of_a_single_hypothesis():
    assert disagreement((Fraction(1, 3), Fraction(2, 3)), 0b01, 0b11) == Fraction(2, 3)
    error = representation_error(HypothesisSet((0b0001,), 4), points(2)).value
    assert error == 1


def test_every_class_on_three_points_is_listed_once():
    classes = classes_on(3)
    assert len(classes) == 3 + 15 + 255
    assert len({(len(C.points), C.rows) for C in classes}) == len(classes)
