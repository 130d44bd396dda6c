"""Small examples for functions of `ccsim.dimensions` that no other test calls."""

from __future__ import annotations

import re

import pytest

from ccsim.budget import Budget
from ccsim.classes.concept_class import ConceptClass
from ccsim.dimensions.randomized_littlestone import balanced_tree, literal_moves, useful_symmetries
from ccsim.dimensions.shattering.bound import _labels_to_follow
from ccsim.dimensions.shattering.search import exchanged_set, largest_shattered, rows_cut_to
from ccsim.dimensions.shattering.signs import bound_by_fitting, bound_by_places
from ccsim.dimensions.shattering.spanning_tree import crossing_bound, crossings
from ccsim.dimensions.threshold import rank_bound
from ccsim.errors import DomainError
from ccsim.symmetry.matrix import Symmetry
from proofs_check.claims.feldman_xiao.constructions.implicit_trees import (
    check_at_least,
    check_prefix,
)


def test_families_check_at_least():
    with pytest.raises(DomainError, match=re.escape("box_tree: d must be at least 1, not 0")):
        check_at_least("box_tree", "d", 0, 1)


def test_rules_check_prefix():
    with pytest.raises(
        DomainError, match=re.escape("a path must have 0 to 1 characters 0 and 1, not '01'")
    ):
        check_prefix("01", 0, 1)


def test_bound_labels_to_follow():
    assert _labels_to_follow([0b000, 0b001, 0b010, 0b100, 0b011, 0b110, 0b111], 3, 2) == "10"


def test_extension_exchanged_set():
    assert exchanged_set([0, 1, 2], [0b0101, 0b0011, 0b1111], 4, 2, Budget()) == (0, 1)


def test_extension_rows_cut_to():
    assert rows_cut_to([0, 2], [0b01, 0b11, 0b10], 2) == [1, 2]


def test_search_largest_shattered():
    C = ConceptClass.from_matrix([[0, 0], [1, 0], [1, 1]])
    columns, upper, bound = largest_shattered(C, Budget())
    assert (columns, upper, bound.method) == ((0,), 1, "size")


def test_spanning_tree_crossings():
    assert crossings([(0, 1), (1, 2)], [0b001, 0b011, 0b010], 3, Budget()) == [1, 1, 0]


def test_spanning_tree_crossing_bound():
    assert (crossing_bound([2, 2, 2, 2]), crossing_bound([1, 1]), crossing_bound([])) == (2, 1, 0)


def test_thresholds_rank_bound():
    assert rank_bound([0b011, 0b101, 0b110], Budget()) == 2


def test_vectors_bound_by_places():
    from ccsim.classes import halfspaces

    assert (
        (
            bound_by_places(halfspaces(1, 2), Budget())[0],
            bound_by_places(halfspaces(1, 2).dual(), Budget())[0],
        )
    ) == (3, 2)


def test_vectors_bound_by_fitting():
    from ccsim.classes import all_functions, intervals

    assert bound_by_fitting(intervals(4), 3, Budget()).method == "signs"
    assert bound_by_fitting(all_functions(3), 3, Budget()) is None


def test_mean_depths_balanced_tree():
    from ccsim.classes import intervals, thresholds

    length, tree = balanced_tree(thresholds(3), Budget(), only_even=True)
    assert (length, len(tree.entries)) == (3 << 8, 7)
    assert balanced_tree(intervals(6), Budget(), only_even=True)[0] == 0
    assert balanced_tree(intervals(6), Budget())[0] == 278


def test_splits_useful_symmetries():
    from ccsim.classes import thresholds

    assert len(useful_symmetries(thresholds(4), Budget())) == 0


def test_splits_literal_moves():
    assert literal_moves(Symmetry((1, 0), (0,), 0b1)) == (1, 0)
