"""Mistake trees by construction: all paths of small trees, samples of large ones, the kernel."""

import json
import re
from itertools import product

import pytest

from ccsim import kernel
from ccsim.classes import (
    ConceptClass,
    boxes,
    halfspaces,
    lines,
    thresholds,
)
from ccsim.dimensions import littlestone_dimension
from ccsim.errors import CertificateError, DomainError, InstanceTooLargeError
from proofs_check.claims.feldman_xiao.constructions.implicit_trees import (
    Halfspace,
    LineTree,
    ThresholdTree,
    box_tree,
    collision_free,
    halfspace_tree,
    line_tree,
    threshold_tree,
)

PAPER_DEPTHS = {(1, 1): 1, (2, 1): 2, (3, 1): 3, (1, 2): 2, (1, 3): 4, (2, 2): 4, (1, 4): 7}
HALFSPACE_DIMENSIONS = {(1, 1): 2, (2, 1): 3, (3, 1): 4, (1, 2): 3, (1, 3): 6, (2, 2): 7}

SMALL = [
    *((threshold_tree(b), thresholds(b)) for b in range(6)),
    *((line_tree(p), lines(p)) for p in (2, 3, 5, 7)),
    *((box_tree(b, d), boxes(b, d)) for b, d in ((1, 1), (3, 1), (1, 2), (2, 2), (1, 4))),
    *(
        (halfspace_tree(b, d, complements=extra), halfspaces(b, d))
        for b, d in PAPER_DEPTHS
        for extra in (False, True)
    ),
]


@pytest.mark.parametrize(("tree", "C"), SMALL, ids=str)
def test_every_leaf_agrees_with_its_path_and_the_explicit_tree_with_the_class(tree, C):
    for path in map("".join, product("01", repeat=tree.depth)):
        concept = tree.leaf(path)
        for i, bit in enumerate(path):
            assert tree.value(concept, tree.node(path[:i])) == int(bit)
    assert tree.mistaken(tree.every_path()) is None
    explicit = tree.to_tree(C)
    explicit.check(C)
    assert explicit.depth == tree.depth


@pytest.mark.parametrize(("tree", "C"), SMALL, ids=str)
def test_kernel_accepts_the_lower_bound_without_an_upper_one(tree, C):
    certificate = tree.certificate(C)
    assert certificate.statement == {"lower": tree.depth, "upper": None}
    data = json.loads(certificate.to_json())
    assert kernel.check(data)
    data["statement"]["lower"] += 1
    with pytest.raises(kernel.Rejected):
        kernel.check(data)


@pytest.mark.parametrize(("tree", "C"), SMALL, ids=str)
def test_values_of_concepts_are_those_of_the_class(tree, C):
    points = tree.points()
    number = {x: i for i, x in enumerate(points)}
    for path, _, c in tree.to_tree(C).paths():
        concept = tree.leaf(path)
        assert tree.row(concept, points) == C.rows[c]
        assert all(tree.value(concept, x) == C.value(c, number[x]) for x in points)


def test_depths_are_those_of_the_theorems():
    for b in range(15):
        assert threshold_tree(b).depth == b
    for b, d in product(range(1, 6), repeat=2):
        assert box_tree(b, d).depth == b * d
        if b * (d - 1) <= 18:
            paper = b + b * d * (d - 1) // 2
            assert halfspace_tree(b, d, complements=False).depth == paper
            assert halfspace_tree(b, d).depth == paper + 1
    for (b, d), depth in PAPER_DEPTHS.items():
        assert halfspace_tree(b, d, complements=False).depth == depth


def test_depths_are_at_most_the_exact_dimensions():
    for (b, d), dimension in HALFSPACE_DIMENSIONS.items():
        assert littlestone_dimension(halfspaces(b, d)).value == dimension
        assert halfspace_tree(b, d).depth <= dimension
    for b in range(1, 5):
        assert halfspace_tree(b, 1).depth == littlestone_dimension(halfspaces(b, 1)).value
        assert threshold_tree(b).depth == littlestone_dimension(thresholds(b)).value
    for b, d in ((1, 1), (1, 2), (2, 1), (2, 2)):
        assert box_tree(b, d).depth <= littlestone_dimension(boxes(b, d)).value


@pytest.mark.parametrize(
    "tree",
    [threshold_tree(14), box_tree(3, 4), halfspace_tree(2, 3), halfspace_tree(3, 2)],
    ids=str,
)
def test_larger_trees_hold_on_every_path(tree):
    assert tree.mistaken(tree.every_path()) is None


@pytest.mark.parametrize(
    "tree",
    [
        threshold_tree(20),
        threshold_tree(500),
        box_tree(20, 10),
        halfspace_tree(3, 4),
        halfspace_tree(2, 6),
        line_tree(10_007),
    ],
    ids=str,
)
def test_trees_out_of_reach_hold_on_sampled_paths(tree):
    assert tree.mistaken(tree.drawn_paths(20, seed=7)) is None


def test_explicit_thresholds_do_not_need_the_class():
    tree = threshold_tree(10).to_tree()
    assert tree == threshold_tree(10).to_tree(thresholds(10))
    tree.check(thresholds(10))
    deep = threshold_tree(14).to_tree()
    assert (deep.depth, deep.node(""), deep.leaf("0" * 14)) == (14, (1 << 13) - 1, (1 << 14) - 1)
    assert {leaf for _, _, leaf in deep.paths()} == set(range(1 << 14))


def represented(b, d):
    """Return the halfspaces of a grid: integer weights and thresholds by their labels."""
    for label in halfspaces(b, d).concepts:
        *weights, threshold = map(int, re.findall(r"-?\d+", label))
        yield Halfspace(tuple(weights), threshold)


@pytest.mark.parametrize(("b", "d"), [(1, 1), (2, 1), (4, 1), (1, 2), (2, 2), (1, 3)])
def test_every_halfspace_has_a_collision_free_representation(b, d):
    grid = list(product(range(1 << b), repeat=d))
    halves = list(represented(b, d))
    rows = {tuple(map(h.value, grid)) for h in halves}
    assert len(rows) == len(halfspaces(b, d))
    for h in halves:
        free = collision_free(h, b)
        assert [free.value(x) for x in grid] == [h.value(x) for x in grid]
        assert len({free.dot(x) for x in grid}) == len(grid)


def test_subclass_with_the_leaves_is_enough():
    tree = halfspace_tree(1, 3)
    points = tree.points()
    paths = map("".join, product("01", repeat=tree.depth))
    C = ConceptClass.from_rows([tree.row(tree.leaf(path), points) for path in paths], range(8))
    assert len(C) == 1 << tree.depth
    tree.to_tree(C).check(C)
    assert littlestone_dimension(C).value == tree.depth


class OneLeafWrong(ThresholdTree):
    def leaf(self, path):
        return ThresholdTree.leaf(self, path) ^ (path == "010")


def test_wrong_leaf_is_found_by_an_exhaustive_check_and_named():
    tree = OneLeafWrong(3)
    assert tree.mistaken(tree.every_path()) == "010"
    with pytest.raises(CertificateError, match="concept 4 must have the labels on the path"):
        tree.to_tree(thresholds(3)).check(thresholds(3))


def test_wrong_tree_is_found_by_a_sample():
    class Reversed(LineTree):
        def node(self, prefix):
            return LineTree.node(self, "" if prefix else "0")

    tree = Reversed(5)
    assert tree.mistaken(tree.drawn_paths(20, seed=0)) is not None


def test_class_that_does_not_fit_is_refused():
    with pytest.raises(DomainError, match="the class must have 4 points, not 8"):
        threshold_tree(2).to_tree(thresholds(3))
    with pytest.raises(DomainError, match="path 00: 3 is not a concept of"):
        threshold_tree(2).to_tree(thresholds(2).subclass([0, 1, 2]))


def test_paths_that_lead_elsewhere_are_refused():
    for tree in (threshold_tree(3), box_tree(1, 3), line_tree(5), halfspace_tree(1, 2)):
        for path in ("0" * tree.depth, "x"):
            with pytest.raises(DomainError, match="a path must have 0 to"):
                tree.node(path)
        for path in ("", "0" * (tree.depth + 1)):
            with pytest.raises(DomainError, match=f"a path must have {tree.depth} to {tree.depth}"):
                tree.leaf(path)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: threshold_tree(-1), "threshold_tree: b must be at least 0, not -1"),
        (lambda: box_tree(0, 2), "box_tree: b must be at least 1, not 0"),
        (lambda: box_tree(2, 0), "box_tree: d must be at least 1, not 0"),
        (lambda: line_tree(9), "p must be a prime, not 9"),
        (lambda: line_tree((2**61 - 1) ** 2), "p must be a prime"),
        (lambda: halfspace_tree(0, 1), "halfspace_tree: b must be at least 1, not 0"),
        (lambda: halfspace_tree(1, 0), "halfspace_tree: d must be at least 1, not 0"),
        (lambda: collision_free(Halfspace((1,), 0), 0), "b must be at least 1, not 0"),
    ],
)
def test_parameters_out_of_range_are_refused(call, message):
    with pytest.raises(DomainError, match=message):
        call()


def test_trees_too_large_are_refused():
    with pytest.raises(InstanceTooLargeError, match="depth 20 is too large; the limit is depth 14"):
        threshold_tree(20).every_path()
    with pytest.raises(InstanceTooLargeError, match="depth 20 is too large"):
        threshold_tree(20).to_tree(thresholds(1))
    with pytest.raises(InstanceTooLargeError, match=r"slices of 2\*\*20 points"):
        halfspace_tree(5, 5)
    with pytest.raises(InstanceTooLargeError, match="grid"):
        box_tree(10, 10).points()
