"""Littlestone dimension, mistake trees and refutations, against the definitions."""

import json
from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from ccsim import kernel
from ccsim.classes import (
    all_functions,
    intervals,
    k_points,
    lines,
    points,
    random_class,
    thresholds,
)
from ccsim.dimensions import (
    LittlestoneRefutation,
    MistakeTree,
    RefutationEntry,
    dimensions,
    littlestone_dimension,
    vc_dimension,
)
from ccsim.errors import CertificateError, DomainError
from tests.small_classes import EMPTY, NO_POINTS, NOTHING, ONE, bare, random_classes


def test_ldim_of_a_random_class_of_30_by_20_is_proved():
    result = littlestone_dimension(random_class(30, 20, seed=0))
    assert result.value == 4
    result.check()


def test_ldim_lies_between_vc_and_log_of_the_size():
    for C in random_classes(60, seed=500, most=40):
        value = littlestone_dimension(C).value
        assert vc_dimension(C).value <= value
        assert 1 << value <= len(C)


def test_ldim_of_a_subclass_is_at_most_that_of_the_class():
    rng = np.random.default_rng(7)
    for C in random_classes(60, seed=700, most=40):
        part = C.subclass(rng.permutation(len(C))[: rng.integers(len(C) + 1)].tolist())
        assert littlestone_dimension(part).value <= littlestone_dimension(C).value


def test_ldim_does_not_change_when_labels_of_points_are_flipped():
    rng = np.random.default_rng(8)
    for C in random_classes(60, seed=900, most=40):
        flip = int(rng.integers(1 << len(C.points)))
        flipped = bare([row ^ flip for row in C.rows], len(C.points))
        assert littlestone_dimension(flipped).value == littlestone_dimension(C).value


def test_ldim_does_not_notice_repeated_complementary_and_constant_points():
    C = intervals(8)
    wide = [r | (r ^ 255) << 8 | r << 16 | 1 << 24 for r in C.rows]
    result = littlestone_dimension(bare(wide, 25))
    assert result.value == 4
    assert result.refutation.entries
    result.check()


def test_entries_that_serve_proper_subsets_are_proved():
    # Unions of two intervals on 16 points: the smallest family seen in which this happens.
    unions = sorted({a | b for a in intervals(16).rows for b in intervals(16).rows})
    result = littlestone_dimension(bare(unions, 16))
    assert result.value == 9
    result.check()


def test_empty_class_has_dimension_minus_one_and_no_tree():
    result = littlestone_dimension(EMPTY)
    assert (result.value, result.tree, result.refutation.entries) == (-1, None, ())
    result.check()
    assert result.certificate().lower == {"trivial": {}}


def test_one_concept_has_dimension_zero():
    result = littlestone_dimension(ONE)
    assert (result.value, result.tree) == (0, MistakeTree(0))
    result.check()


def test_certificate_states_value_tree_and_refutation():
    certificate = littlestone_dimension(points(2)).certificate()
    assert certificate.kind == "littlestone_dimension"
    assert certificate.statement == {"lower": 1, "upper": 1}
    assert certificate.lower == {"mistake_tree": {"tree": [0, 1, 0]}}
    refutation = {"symmetries": [], "spaces": [[2, [], [], []]]}
    assert certificate.upper == {"refutation": refutation}


# Trees


def test_leaf_of_the_tree_agrees_with_its_path_and_with_no_other_node():
    # {0, 1} as functions on one point is shattered: each leaf disagrees with nothing on its path.
    MistakeTree((0, 0, 1)).check(bare([0, 1], 1))
    # Concept 2 disagrees with the node for point 1, which lies on the other branch.
    MistakeTree((0, (1, 0, 1), (2, 2, 3))).check(bare([0b000, 0b010, 0b011, 0b111], 3))


def test_tree_lookups_follow_the_path():
    tree = MistakeTree((5, (6, 0, 1), (7, 2, 3)))
    assert [tree.node(path) for path in ("", "0", "1")] == [5, 6, 7]
    assert [tree.leaf(path) for path in ("00", "01", "10", "11")] == [0, 1, 2, 3]
    assert list(tree.paths())[2] == ("10", (5, 7), 2)
    for message, lookup in (
        ("ends at a leaf", lambda: tree.node("01")),
        ("ends at an inner node", lambda: tree.leaf("0")),
        ("continues below the leaf at '01'", lambda: tree.leaf("011")),
        ("a path must be a string of 0s and 1s, not '0x'", lambda: tree.leaf("0x")),
    ):
        with pytest.raises(DomainError, match=message):
            lookup()


def test_tree_returns_from_json_and_from_its_repr():
    for C in (thresholds(3), lines(3), ONE):
        tree = littlestone_dimension(C).tree
        assert MistakeTree.from_json(json.loads(json.dumps(tree.to_json()))) == tree
        assert eval(repr(tree)) == tree  # noqa: S307 - the law under test


def nested(depth):
    value = 0
    for _ in range(depth):
        value = [0, value, 0]
    return value


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ([0, 1], "MistakeTree: root must have 3 entries, not 2"),
        ([0, 1, True], "path '1': a point or concept must be a non-negative index"),
        ([0, "1", 0], "path '0': a point or concept must be a non-negative index"),
        ([-1, 0, 1], "path '': a point or concept must be a non-negative index"),
        (None, "MistakeTree: root must be an integer or a tuple, not None"),
        (nested(61), "is longer"),
    ],
)
def test_what_is_not_a_tree_is_refused(value, message):
    with pytest.raises(DomainError, match=message):
        MistakeTree(value)


def test_graph_of_the_tree_has_its_nodes_and_labels():
    graph = littlestone_dimension(thresholds(3)).tree.to_networkx()
    tree = littlestone_dimension(thresholds(3)).tree
    assert graph.number_of_nodes() == 15
    for path in map("".join, product("01", repeat=3)):
        assert graph.nodes[path] == {"concept": tree.leaf(path)}
        for j in range(3):
            assert graph.nodes[path[:j]] == {"point": tree.node(path[:j])}
            assert graph.edges[path[:j], path[: j + 1]] == {"label": int(path[j])}


# Altered certificates


@pytest.fixture
def result():
    return littlestone_dimension(lines(5))


def rejected(result, message):
    with pytest.raises(CertificateError, match=message):
        result.check()


def altered_entry(result, number, **changes):
    entries = list(result.refutation.entries)
    entries[number] = replace(entries[number], **changes)
    return replace(result, refutation=LittlestoneRefutation(tuple(entries)))


def test_raised_value_is_rejected(result):
    rejected(replace(result, lower=3, upper=3), "the bound that is proved is 2, not the stated 3")
    rejected(replace(result, lower=3, upper=3, tree=None), "the bound that is proved is -1")


def test_lowered_value_is_rejected(result):
    point, left, right = result.tree.root
    lower = replace(result, lower=1, upper=1, tree=MistakeTree((point, left[1], right[1])))
    rejected(lower, "the bound that is proved is 2, not the stated 1")
    rejected(
        replace(lower, refutation=LittlestoneRefutation(())),
        "a side of point",
    )
    with pytest.raises(CertificateError, match="a side of point"):
        LittlestoneRefutation(()).check(all_functions(2), 1)


@pytest.mark.parametrize("position", range(4))
def test_changed_leaf_is_rejected(result, position):
    path, _, concept = list(result.tree.paths())[position]
    other = next(c for p, _, c in result.tree.paths() if p[0] != path[0])
    data = result.tree.to_json()
    data[1 + 3 * int(path[0]) + 1 + int(path[1])] = other
    assert other != concept
    message = f"concept {other} must have the labels on the path"
    rejected(replace(result, tree=MistakeTree.from_json(data)), message)


def test_changed_point_is_rejected(result):
    data = result.tree.to_json()
    data[1] = data[0]
    message = "must have the labels on the path"
    rejected(replace(result, tree=MistakeTree.from_json(data)), message)


def test_incomplete_tree_is_rejected(result):
    point, left, right = result.tree.root
    tree = MistakeTree((point, left, right[1]))
    rejected(replace(result, tree=tree), "tree must have 2.k - 1 nodes, not 5")
    tree = MistakeTree((point, left[1], right))
    rejected(replace(result, tree=tree), "tree must have 2.k - 1 nodes, not 5")


def test_indices_outside_the_class_are_rejected():
    with pytest.raises(CertificateError, match="must be an index below 2, not 2"):
        MistakeTree((0, 0, 2)).check(bare([0, 1], 1))
    with pytest.raises(CertificateError, match="must be an index below 1, not 1"):
        MistakeTree((1, 0, 1)).check(bare([0, 1], 1))


@pytest.mark.parametrize("C", [lines(5), k_points(3, 3)], ids=lambda C: C.name)
def test_every_dropped_step_is_rejected(C):
    result = littlestone_dimension(C)
    dropped = 0
    for number, entry in enumerate(result.refutation.entries):
        for step in entry.steps:
            steps = tuple(other for other in entry.steps if other != step)
            altered = altered_entry(result, number, steps=steps)
            rejected(altered, "a side of point")
            dropped += 1
    assert dropped >= len(C.points)


def test_every_dropped_entry_is_rejected(result):
    entries = result.refutation.entries
    for number in range(len(entries)):
        rest = entries[:number] + entries[number + 1 :]
        with pytest.raises(CertificateError):
            LittlestoneRefutation(rest).check(result.concept_class, 2)


def test_changed_depth_of_an_entry_is_rejected(result):
    rejected(
        altered_entry(result, 0, depth=3),
        "entry 0 must have a smaller depth and contain the side of literal",
    )
    rejected(altered_entry(result, 0, depth=1), "a side of point")
    rejected(altered_entry(result, 0, depth=0), "depth 0 requires an empty version space")
    rejected(altered_entry(result, -1, depth=4), "the bound that is proved is 3, not the stated 2")


def test_narrowed_version_space_is_rejected(result):
    first = result.refutation.entries[0]
    narrow = (*first.version_space, (first.version_space[0][0] ^ 1, 1))
    rejected(
        altered_entry(result, 0, version_space=narrow),
        "entry 0 must have a smaller depth and contain the side of literal",
    )
    rejected(altered_entry(result, -1, version_space=((0, 0),)), "must contain all concepts")


def test_steps_that_rest_on_nothing_are_rejected(result):
    number = len(result.refutation.entries) - 1
    last = result.refutation.entries[-1]
    (x, label, earlier), *rest = last.steps
    for step, message in (
        ((x, 1 - label, earlier), "must have a smaller depth and contain the side of literal"),
        ((x, 2 + label, earlier), "must have a smaller depth and contain the side of literal"),
        ((25, label, earlier), "must be an index below 50"),
        (rest[0], "a side of point"),
    ):
        rejected(altered_entry(result, number, steps=(step, *rest)), message)


def test_depth_zero_refutes_no_concept_even_without_points():
    with pytest.raises(CertificateError, match="depth 0 requires an empty"):
        LittlestoneRefutation((RefutationEntry((), 0, ()),)).check(NO_POINTS, -1)


# The trusted kernel


@pytest.mark.parametrize(
    "C",
    [thresholds(5), lines(5), intervals(8), k_points(3, 3), EMPTY, ONE, NOTHING],
    ids=str,
)
def test_kernel_accepts_the_certificates(C):
    for made in (littlestone_dimension(C), dimensions(C)):
        assert "littlestone" in kernel.check(json.loads(made.certificate().to_json()))


def test_kernel_rejects_a_dropped_step(result):
    certificate = json.loads(result.certificate().to_json())
    kernel.check(certificate)
    for listed in certificate["upper"]["refutation"]["spaces"][-1][2:]:
        listed.pop()
    with pytest.raises(kernel.Rejected, match="a side of point 24 must be too small"):
        kernel.check(certificate)
