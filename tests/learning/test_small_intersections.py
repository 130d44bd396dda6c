"""Sets with small pairwise intersections: the greedy choice, and the resulting packing."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from math import comb

import pytest

from ccsim import DomainError, InstanceTooLargeError, k_points
from ccsim.learning import packing_bound
from proofs_check.claims.beimel_nissim_stemmer.constructions.small_intersections import (
    counting_bound,
    k_point_packing,
    small_intersections,
)


@pytest.mark.parametrize(
    ("points", "size", "number"), [(7, 2, 21), (7, 3, 7), (7, 4, 7), (15, 2, 105), (6, 1, 6)]
)
def test_sizes_of_the_greedy_choice(points, size, number):
    chosen = [set(s) for s in small_intersections(points, size)]
    assert len(chosen) == number >= counting_bound(points, size)
    assert all(len(s) == size and s <= set(range(points)) for s in chosen)
    assert all(2 * len(s & t) <= size for s, t in combinations(chosen, 2))
    for other in combinations(range(points), size):  # none can be added
        assert any(2 * len(s & set(other)) > size for s in chosen)


def test_printed_rule_is_said_never_to_end():
    """After any number of steps, the first chosen set remains."""
    left = set(combinations(range(5), 3))
    for _ in range(20):
        taken = min(left)
        left = {s for s in left if 2 * len({*s} & {*taken}) > 3}
        assert taken in left
    with pytest.raises(DomainError, match="rule 'printed' never ends"):
        small_intersections(5, 3, rule="printed")


@pytest.mark.parametrize("size", [0, 8])
@pytest.mark.parametrize("question", [small_intersections, counting_bound])
def test_sets_have_points_of_the_ground_set(question, size):
    with pytest.raises(
        DomainError, match=f"size must be between 1 and the number of points, 7, not {size}"
    ):
        question(7, size)


@pytest.mark.parametrize(("b", "k", "alpha"), [(3, 2, "1/10"), (3, 3, "1/10"), (3, 4, "1/6")])
def test_packing_bounds_proper_learners(b, k, alpha):
    packing = k_point_packing(b, k, alpha)
    rows, accuracy = k_points(b, k).rows, Fraction(alpha)
    for row in rows:
        good = 0
        for concept, distribution in packing.targets:
            errs = sum(
                (p for x, p in enumerate(distribution) if (row ^ rows[concept]) >> x & 1),
                Fraction(0),
            )
            good += errs <= accuracy
            overlap = (row & rows[concept]).bit_count()
            assert errs > accuracy or 5 * overlap >= 4 * k
        assert good <= 1
    bound = packing_bound(packing, "1/2", "1/2", [0])
    bound.check()
    assert bound.samples > 0


def test_parameters_are_refused():
    with pytest.raises(
        DomainError, match="size must be between 1 and the number of points, 4, not 5"
    ):
        small_intersections(4, 5)
    with pytest.raises(DomainError, match="rule must be"):
        small_intersections(4, 2, rule="other")
    with pytest.raises(InstanceTooLargeError, match="sets must be at most 131072"):
        small_intersections(40, 8)
    with pytest.raises(DomainError, match="accuracy must be strictly between 0 and 1/5"):
        k_point_packing(2, 1, "1/5")


@pytest.mark.parametrize(("points", "size"), [(15, 2), (7, 3), (7, 4), (9, 4), (6, 1)])
def test_count_is_below_the_sets_over_those_that_one_removes(points, size):
    first, least = set(range(size)), size // 2 + 1
    sets = [set(s) for s in combinations(range(points), size)]
    removed = sum(2 * len(s & first) > size for s in sets)
    listed = sum(comb(len(s & first), least) for s in sets)  # each by its subsets in common
    assert (
        counting_bound(points, size) == Fraction(len(sets), listed) <= Fraction(len(sets), removed)
    )
    if size % 2 == 0:  # the count of the paper
        paper = comb(size, size // 2) * comb(points, size // 2)
        assert counting_bound(points, size) >= Fraction(len(sets), paper)
