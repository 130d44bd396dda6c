"""Effective domain size and representative domain against their definitions."""

from dataclasses import replace
from itertools import combinations, product
from math import e

import numpy as np
import pytest
from hypothesis import given

from ccsim.classes import ConceptClass, random_class
from ccsim.dimensions import (
    dual_vc_dimension,
    effective_domain_size,
    representative_domain,
    vc_dimension,
)
from ccsim.errors import CertificateError, DomainError
from tests.small_classes import EMPTY, NOTHING
from tests.strategies import concept_classes

WITH_A_COPY = ConceptClass.from_matrix([[1, 1, 1], [0, 0, 1]])


def left_and_right(n, d):
    """Return the class of `bns` section 4.4: all labellings of n points, and single points."""
    left = list(range(1 << n))
    right = [1 << j for j in range(n, 1 << d)]
    return ConceptClass.from_rows(left + right, range(1 << d))


def told_apart(C, chosen):
    return all(any(row >> x & 1 != row >> y & 1 for row in C.rows) for x, y in chosen)


@given(concept_classes(max_points=3))
def test_effective_size_is_that_of_the_largest_set_of_points_told_apart(C):
    n = len(C.points)
    largest = max(
        k
        for k in range(n + 1)
        for chosen in combinations(range(n), k)
        if told_apart(C, combinations(chosen, 2))
    )
    assert effective_domain_size(C).value == largest == len(representative_domain(C))


@given(concept_classes(max_points=4))
def test_every_point_has_one_representative_that_all_concepts_label_alike(C):
    domain = representative_domain(C)
    domain.check()
    for x in range(len(C.points)):
        alike = [r for r in domain.points if all(row >> x & 1 == row >> r & 1 for row in C.rows)]
        assert alike == [domain.representatives[x]]


@pytest.mark.parametrize(("n", "d", "concepts"), [(2, 3, 10), (3, 4, 21)])
def test_left_and_right_example_has_vc_n_and_effective_size_two_to_the_d(n, d, concepts):
    C = left_and_right(n, d)
    assert len(C) == concepts
    assert vc_dimension(C).value == n
    assert effective_domain_size(C).value == 1 << d


@pytest.mark.parametrize("m", range(7))
def test_thresholds_have_one_more_representative_than_thresholds(m):
    C = ConceptClass.from_callable(lambda t, x: int(x <= t), range(1, 2 * m, 2), range(2 * m + 1))
    domain = representative_domain(C)
    assert len(domain) == m + 1
    assert [C.points[x] for x in domain.points] == list(range(0, 2 * m + 1, 2))


def test_halfplanes_have_one_representative_for_each_cell_of_the_arrangement():
    grid = list(product(range(7), repeat=2))
    labels = [str(x) for x in grid]
    tests = (lambda x, y: x >= 2, lambda x, y: y >= 3, lambda x, y: x + y >= 7)
    C = ConceptClass.from_matrix([[int(h(*x)) for x in grid] for h in tests], labels)
    domain = representative_domain(C)
    cells = {tuple(h(*x) for h in tests) for x in grid}
    assert len(domain) == len(cells) == 7  # three lines in general position
    assert {tuple(h(*grid[r]) for h in tests) for r in domain.points} == cells


def test_size_is_at_most_the_bounds_by_the_concepts_and_by_the_dual_dimension():
    rng = np.random.default_rng(4)
    for seed in range(100):
        n = int(rng.integers(1, 8))
        C = random_class(int(rng.integers(1, min(6, 1 << n) + 1)), n, seed=seed)
        size, p = effective_domain_size(C).value, dual_vc_dimension(C).value
        assert size <= 1 << len(C)
        if p == 0:
            assert size == 1
        else:
            assert size <= (e * len(C) / p) ** p + 1e-9


def test_projection_keeps_the_concepts_apart():
    C = left_and_right(2, 3)
    wide = ConceptClass.from_rows([row | row << 8 for row in C.rows], range(16))
    projection = representative_domain(wide).projection
    assert len(projection) == len(wide)
    assert projection.rows == C.rows


def test_data_set_is_mapped_entry_by_entry():
    domain = representative_domain(WITH_A_COPY)
    assert domain.represent([1, 2, 0]) == (0, 2, 0)
    assert domain.represent(()) == ()
    with pytest.raises(DomainError, match="points must be at least 0 and below 3, not 3"):
        domain.represent([3])


def test_class_without_concepts_or_points_has_the_sizes_of_the_definition():
    assert effective_domain_size(EMPTY).value == 1
    assert effective_domain_size(NOTHING).value == 0
    assert representative_domain(EMPTY).representatives == (0, 0)


def test_altered_domain_is_rejected():
    domain = representative_domain(WITH_A_COPY)
    for changes, message in (
        ({"representatives": (0, 0)}, "must have 3 entries, not 2"),
        (
            {"representatives": (0, 2, 2)},
            "each point must have the same labels as its representative",
        ),
        ({"representatives": (0, 1, 2)}, "no two points may have equal labels"),
        ({"representatives": (0, 1, 3)}, "must be an index below 3"),
    ):
        with pytest.raises(CertificateError, match=message):
            replace(domain, **changes).check()


def test_effective_size_is_certified_and_an_altered_one_is_rejected():
    found = effective_domain_size(WITH_A_COPY)
    found.check()
    assert (found.value, found.exact, found.to_dict()["value"]) == (2, True, 2)
    for altered in (
        replace(found, lower=1),
        replace(found, upper=3),
        replace(found, points=(0, 1)),
        replace(found, representatives=(0, 0, 0)),
    ):
        with pytest.raises(CertificateError):
            altered.check()
