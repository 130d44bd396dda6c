"""Proofs on partial classes: altered proofs are rejected with the place and the reason."""

import copy

import pytest

from ccsim import (
    dual_vc_dimension,
    littlestone_dimension,
    star_number,
    teaching_dimension,
    threshold_dimension,
    vc_dimension,
)
from ccsim.kernel import Rejected, check
from tests.kernel.made import concept_class, partial_class

ROWS = ["0011*", "0101*", "1*011", "110*0", "00000", "1111*"]
EXAMPLE = ["00*", "01*", "1*0", "1*1"]
MISSES = [
    (
        (vc_dimension, ROWS),
        ("lower", "shattered", "rows", 0, 2),
        "lower.shattered: the labels of row 2 must be the binary digits of 0",
    ),
    (
        (vc_dimension, ["0*", "1*", "*0", "*1"]),
        ("lower", "shattered", {"columns": [0, 1], "rows": [0, 1, 2, 3]}),
        "lower.shattered: the labels of row 0 must be the binary digits of 0",
    ),
    (
        (vc_dimension, ROWS),
        ("upper", "counting", "size", 2),
        "upper.counting: bound too small: 2 columns are shattered",
    ),
    (
        (vc_dimension, ROWS),
        ("upper", "counting", "size", 0),
        "upper.counting: size must be at least 1, as the empty set",
    ),
    (
        (dual_vc_dimension, ROWS),
        ("upper", "counting", "size", 1),
        "upper.counting: bound too small: 1 columns are shattered",
    ),
    (
        (littlestone_dimension, EXAMPLE),
        ("lower", "mistake_tree", "tree", 1, 2),
        "lower.mistake_tree.tree[2]: concept 0 must have the labels on the path to its leaf",
    ),
    (
        (littlestone_dimension, EXAMPLE),
        ("lower", "mistake_tree", "tree", 2, 2),
        "lower.mistake_tree.tree[2]: concept 2 must have the labels on the path to its leaf",
    ),
    (
        (littlestone_dimension, EXAMPLE),
        ("upper", "refutation", "spaces", [[2, [], [], []]]),
        "upper.refutation.spaces[0]: a side of point 0 must be too small or in an earlier entry",
    ),
    (
        (littlestone_dimension, EXAMPLE),
        ("upper", "refutation", "spaces", [[2, [0], [], []]]),
        "upper.refutation: the last entry must contain all concepts",
    ),
    (
        (littlestone_dimension, EXAMPLE),
        ("upper", "refutation", "spaces", [[1, [3, 4], [], []], [2, [], [0], [0]]]),
        "upper.refutation.spaces[1]: entry 0 must have a smaller depth and contain the side",
    ),
    (
        (littlestone_dimension, EXAMPLE),
        ("upper", "refutation", "spaces", [[0, [], [], []]]),
        "upper.refutation.spaces[0]: depth 0 requires an empty version space",
    ),
    (
        (littlestone_dimension, EXAMPLE),
        ("upper", "refutation", "spaces", []),
        "upper.refutation: at least one version space must be listed",
    ),
    (
        (threshold_dimension, EXAMPLE),
        ("lower", "chain", {"concepts": [3, 2], "points": [0, 2]}),
        "lower.chain: concept 2 must have label 1 from position 1 on, and label 0 before it",
    ),
    (
        (threshold_dimension, EXAMPLE),
        ("lower", "chain", {"concepts": [3, 1], "points": [0, 1]}),
        "lower.chain: concept 3 must have label 1 from position 0 on",
    ),
    (
        (threshold_dimension, EXAMPLE),
        ("upper", "extension", "size", 1),
        "upper.extension: bound too small: a chain has 1 thresholds",
    ),
    (
        (star_number, EXAMPLE),
        ("lower", "star", {"centre": 0, "points": [0], "neighbours": [1]}),
        "lower.star: among the points, neighbour 1 must differ only on column 0",
    ),
    (
        (star_number, EXAMPLE),
        ("lower", "star", {"centre": 0, "points": [2], "neighbours": [3]}),
        "lower.star: row 0 must be defined on all the points",
    ),
    (
        (star_number, EXAMPLE),
        ("lower", "star", {"centre": 2, "points": [2, 1], "neighbours": [3, 1]}),
        "lower.star: row 2 must be defined on all the points",
    ),
    (
        (star_number, EXAMPLE),
        ("upper", "extension", "size", 1),
        "upper.extension: bound too small: there is a star of 1 points",
    ),
    (
        (star_number, EXAMPLE),
        ("upper", "extension", "size", 0),
        "upper.extension: bound too small: a row is a star of 0 points",
    ),
    (
        (star_number, EXAMPLE),
        ("upper", {"rows": {}}),
        "upper: the bound that is proved is 3, not the stated 1",
    ),
    (
        (teaching_dimension, ROWS),
        ("lower", "concept", "size", 3),
        "lower.concept: fewer than 3 columns single out the row",
    ),
    (
        (teaching_dimension, EXAMPLE),
        ("upper", "sets", "sets", 0, [2]),
        "upper.sets: row 0 must be defined on its columns",
    ),
    (
        (teaching_dimension, EXAMPLE),
        ("upper", "sets", "sets", 0, [0]),
        "upper.sets: row 0 must be defined on its columns, and they must exclude row 1",
    ),
    (
        (teaching_dimension, EXAMPLE),
        ("upper", "sets", "sets", [[1]]),
        "upper.sets: there must be as many sets as rows",
    ),
]


def document(question, rows):
    return copy.deepcopy(question(rows).certificate().to_dict())


@pytest.mark.parametrize(("asked", "change", "reason"), MISSES)
def test_altered_proof_is_rejected_with_its_place(asked, change, reason):
    made = document(*asked)
    check(made)
    part = made
    *path, key, value = change if len(change) > 2 else (change[0], *change[1:])
    for step in path:
        part = part[step]
    part[key] = value
    with pytest.raises(Rejected) as rejected:
        check(made)
    assert str(rejected.value).startswith(reason)


def test_labels_of_undefined_entries_are_not_zeros():
    """A checker that read * as 0 would accept these proofs."""
    made = document(vc_dimension, ["0*", "1*", "*0", "*1"])
    made["instance"]["rows"] = ["0*", "10", "01", "11"]
    made["statement"] = {"lower": 2, "upper": 2}
    made["lower"]["shattered"] = {"columns": [0, 1], "rows": [0, 1, 2, 3]}
    made["upper"]["counting"]["size"] = 3
    with pytest.raises(Rejected, match="the labels of row 0 must be the binary digits of 0"):
        check(made)
    made["instance"]["rows"][0] = "00"
    check(made)


@pytest.mark.parametrize(
    ("instance", "reason"),
    [
        (concept_class("01", "10"), "instance.type: must be partial concept class, not"),
        (partial_class("0*", "0*"), "instance: a concept occurs twice"),
        (partial_class("0*", "0-"), "instance.rows[1]: must be a text of 2 characters from '01*'"),
        (partial_class("0*") | {"alice": []}, "instance: unknown key 'alice'"),
    ],
)
def test_wrong_instances_are_rejected(instance, reason):
    made = document(vc_dimension, ["0*", "1*"]) | {"instance": instance}
    with pytest.raises(Rejected) as rejected:
        check(made)
    assert str(rejected.value).startswith(reason)


def test_kinds_of_total_classes_reject_partial_classes():
    for question in (vc_dimension, littlestone_dimension, star_number, teaching_dimension):
        made = document(question, EXAMPLE)
        made["kind"] = made["kind"].removeprefix("partial_")
        with pytest.raises(Rejected, match=r"instance\.type: must be concept class, not"):
            check(made)


@pytest.mark.parametrize("size", [0, 1])
def test_a_concept_without_points_has_dimension_0(size):
    about = {"type": "partial concept class", "name": "", "points": [], "concepts": [0]}
    found = {
        "format": 2, "kind": "partial_littlestone_dimension", "instance": about | {"rows": [""]},
        "statement": {"lower": size - 1, "upper": size - 1}, "made_by": "nobody",
        "lower": {"mistake_tree": {"tree": [0]}} if size else {"trivial": {}},
        "upper": {"refutation": {"spaces": [[size, [], [], []]]}},
    }  # fmt: skip
    if size:
        check(found)
        return
    with pytest.raises(Rejected, match="depth 0 requires an empty version space"):
        check(found)
