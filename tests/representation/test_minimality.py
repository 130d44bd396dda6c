"""Minimal representations: the necessary hypotheses, and the proofs."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest

from ccsim import CertificateError, ConceptClass, DomainError, HypothesisSet, intervals, points
from ccsim.learning import LearningPacking
from ccsim.representation import minimality, representation_error
from proofs_check.claims.grids import random_weights

F = Fraction


def subsets(rows, size):
    for number in range(1, len(rows)):
        for chosen in combinations(rows, number):
            yield HypothesisSet.from_rows(chosen, size)


def test_minimal_are_the_representations_that_no_subset_is():
    rng = np.random.default_rng(0)
    verdicts = set()
    for _ in range(80):
        C = ConceptClass.from_rows({int(r) for r in rng.integers(0, 8, size=3)}, range(3))
        H = HypothesisSet.from_rows((int(r) for r in rng.integers(0, 8, size=4)), 3)
        error = F(int(rng.integers(0, 8)), 8)
        result = minimality(H, C, error)
        result.check()
        represents = representation_error(H, C).represents(error)
        smaller = any(representation_error(G, C).represents(error) for G in subsets(H.rows, 3))
        assert result.minimal == (represents and not smaller)
        verdicts.add((represents, result.minimal))
        if result.dropped is not None:
            assert result.dropped in H.rows
    assert (True, True) in verdicts
    assert (True, False) in verdicts


def test_where_a_hypothesis_is_needed_is_a_packing():
    C = intervals(3)
    own = minimality(HypothesisSet.from_rows(C.rows, 3), C, "1/4")
    packing = LearningPacking.of_minimal(own)
    assert packing.shared() is None
    assert len(packing.targets) == len(C)
    not_minimal = minimality(HypothesisSet((0,), 3), C, "1/4")
    with pytest.raises(DomainError, match="must be minimal to give a packing"):
        LearningPacking.of_minimal(not_minimal)


def test_altered_results_are_rejected():
    C = points(1)
    result = minimality(HypothesisSet.from_rows(C.rows, 2), C, "1/4")
    concept, _ = result.needed[0]
    lazy = ((concept, (F(9, 10), F(1, 10))), result.needed[1])
    replace(result, needed=lazy).check()
    with pytest.raises(CertificateError, match="without hypothesis 1 the error must be above"):
        replace(result, needed=lazy, error=F(1)).check()
    with pytest.raises(CertificateError, match="of 2 hypotheses, not 1"):
        replace(result, needed=result.needed[:1]).check()
    with pytest.raises(
        CertificateError, match="must prove that every hypothesis is necessary, or that"
    ):
        replace(result, needed=()).check()
    with pytest.raises(CertificateError, match="sum to 1"):
        replace(result, needed=((concept, (F(1), F(1))), result.needed[1])).check()
    for beyond in (-1, len(C)):
        distribution = result.needed[0][1]
        with pytest.raises(CertificateError, match="concept"):
            replace(result, needed=((beyond, distribution), result.needed[1])).check()
    spare = minimality(HypothesisSet((0, 1, 2), 2), C, "1/4")
    with pytest.raises(
        CertificateError, match=r"the error without one hypothesis must be at most .* not 1"
    ):
        replace(
            spare, others=representation_error(HypothesisSet((0, 1), 2), C), error=F(1, 8)
        ).check()
    with pytest.raises(CertificateError, match="all hypotheses except one"):
        replace(spare, others=spare.whole).check()


def test_weights_of_a_needed_concept_may_be_any_that_separate():
    C = points(1)
    result = minimality(HypothesisSet.from_rows(C.rows, 2), C, F(0))
    distribution = random_weights(np.random.default_rng(0), 2, least=1)
    replace(result, needed=tuple((concept, distribution) for concept, _ in result.needed)).check()
