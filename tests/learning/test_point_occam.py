"""The exponential mechanism over points by few weights, and the printed variant, not private."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations_with_replacement

import pytest

from ccsim import points
from ccsim.errors import DomainError
from ccsim.exact import Epsilon
from ccsim.learning import PrivateOccam
from ccsim.privacy import Deterministic, audit
from proofs_check.claims.beimel_brenner.constructions.point_occam import PointOccam, WeightedOccam

NINE_QUARTERS = Epsilon.of("ln 9/4")


@pytest.mark.parametrize("size", [1, 2, 3])
def test_it_is_the_exponential_mechanism_over_the_points(size):
    few, every = PointOccam(4, NINE_QUARTERS), PrivateOccam(4, points(2).rows, NINE_QUARTERS)
    for sample in combinations_with_replacement(few.records, size):
        assert few.distribution(sample).as_mapping() == every.distribution(sample).as_mapping()
        assert len(few.weights(sample)[0]) <= size


@pytest.mark.claim("bbkn/lemma-3.4-printed")
def test_the_printed_sampler_breaks_privacy_on_a_repeated_example():
    printed = PointOccam(4, NINE_QUARTERS, seen=len)
    assert printed.distribution([(0, 1), (0, 1), (1, 1)])[0b10] == Fraction(6, 19)
    assert printed.distribution([(0, 1), (0, 1), (0, 1)])[0b10] == Fraction(8, 105)
    with pytest.raises(DomainError, match="seen must return at most 2, the number of points"):
        PointOccam(2, NINE_QUARTERS, seen=len).distribution([(0, 1), (0, 1), (1, 1)])


def test_a_function_of_the_database_is_private_where_it_is_constant():
    hidden = Deterministic((0, 1, 2), lambda database: max(database) == 2)
    assert audit(hidden, 0, 0, [((0, 1), (0, 0)), ((2, 1), (2, 0))]).factor == 1
    assert audit(hidden, 100, "99/100", 2).witness.delta == 1
    with pytest.raises(DomainError, match="records must be distinct"):
        Deterministic((0, 0), len)


def test_weights_from_the_start_change_the_choice_but_not_the_privacy():
    hypotheses, epsilon = (0b01, 0b10), NINE_QUARTERS
    even = WeightedOccam(2, hypotheses, (Fraction(5), Fraction(5)), epsilon)
    sample = [(0, 1), (1, 1), (1, 1)]
    assert even.distribution(sample) == PrivateOccam(2, hypotheses, epsilon).distribution(sample)
    biased = WeightedOccam(2, hypotheses, (Fraction(100), Fraction(1)), epsilon)
    assert biased.distribution([(1, 1)])[0b01] == Fraction(100 * 2, 100 * 2 + 3)
    assert audit(biased, epsilon, 0, 2).verdict.value == "holds"
    assert audit(biased, "ln 2", 0, 2).verdict.value == "fails"
    with pytest.raises(
        DomainError, match="there must be one weight for each of 2 hypotheses, not 1"
    ):
        WeightedOccam(2, hypotheses, (Fraction(1),), epsilon)
