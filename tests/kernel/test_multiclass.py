"""Proofs on classes with any number of labels: altered proofs, and searches for all sizes."""

import copy
import random

import pytest

from ccsim.classes import MulticlassConceptClass, label_cycle, monotone_labellings
from ccsim.dimensions import (
    ds_dimension,
    graph_dimension,
    multiclass_littlestone_dimension,
    natarajan_dimension,
)
from ccsim.kernel import Rejected, check
from tests.kernel.test_teaching import accepted
from tests.truth.multiclass import (
    largest_ds_set,
    largest_graph_set,
    largest_natarajan_set,
    largest_tree,
)

CUBE = MulticlassConceptClass.from_matrix(["01", "02", "31", "32", "11"])
TREE = MulticlassConceptClass.from_matrix(["012", "010", "212", "220", "100", "121", "002"])


def of(question, C):
    return lambda: question(C).certificate().to_dict()


NATARAJAN, DS = of(natarajan_dimension, CUBE), of(ds_dimension, label_cycle(3))
GRAPH, LITTLESTONE = of(graph_dimension, CUBE), of(multiclass_littlestone_dimension, TREE)


def put(*path_and_value):
    """Return a function that replaces a value in a document."""

    def change(document):
        *path, last, value = path_and_value
        for key in path:
            document = document[key]
        document[last] = value

    return change


def entries(document):
    return document["upper"]["refutation"]["spaces"]


def drop_turn(document):
    entries(document)[-1][2].pop()
    entries(document)[-1][3].pop()


SHATTERED, CUBES = ("lower", "shattered"), ("lower", "pseudo_cube")
SPACES, NODES = ("upper", "refutation", "spaces"), ("lower", "mistake_tree", "tree")
MISSES = {
    "instance, equal rows": (
        NATARAJAN, put("instance", "rows", [[0, 1]] * 5), "instance: a concept occurs twice"),
    "instance, label out of range": (
        NATARAJAN, put("instance", "rows", 0, 0, 4), "instance.rows[0][0]: must be an index below"),
    "instance, labels twice": (
        NATARAJAN, put("instance", "labels", [0, 1, 1, 3]), "instance.labels: a label occurs twi"),
    "instance, short row": (
        NATARAJAN, put("instance", "rows", 0, [0]), "instance.rows[0]: must have 2 entries"),
    "instance, Boolean": (
        NATARAJAN, put("instance", "type", "concept class"), "instance.type: must be multiclass"),
    "pairs, equal labels": (
        NATARAJAN, put(*SHATTERED, "pairs", 0, [0, 0, 0]), "lower.shattered: the two labels on"),
    "pairs, one point twice": (
        NATARAJAN, put(*SHATTERED, "pairs", [[0, 0, 3]] * 2), "lower.shattered: an index occurs"),
    "pairs, other label": (
        NATARAJAN, put(*SHATTERED, "pairs", 0, [0, 1, 3]), "lower.shattered: row 0 must have the"),
    "pairs, other rows": (
        NATARAJAN, put(*SHATTERED, "rows", [0, 1, 2, 3]), "lower.shattered: row 1 must have the"),
    "pairs, fewer rows": (
        NATARAJAN, put(*SHATTERED, "rows", [0, 1]), "lower.shattered: must have 4 entries, not 2"),
    "pairs, smaller": (
        of(natarajan_dimension, label_cycle(3)), put("upper", "extension", "size", 1),
        "upper.extension: bound too small: 1 columns are shattered"),
    "pairs, size 0": (
        NATARAJAN, put("upper", "extension", "size", 0), "upper.extension: size must be at"),
    "cube, row missing": (
        DS, put(*CUBES, "rows", [0, 1, 2, 3, 4]), "lower.pseudo_cube: row 0 must have a neighbour"),
    "cube, no rows": (DS, put(*CUBES, "rows", []), "lower.pseudo_cube: at least one row must be"),
    "cube, fewer points": (
        DS, put(*CUBES, "columns", [0]), "lower: the bound that is proved is 1, not the stated 2"),
    "cube, point twice": (
        DS, put(*CUBES, "columns", [0, 0]), "lower.pseudo_cube.columns: an index occurs twice"),
    "cube, smaller": (
        DS, put("upper", "extension", "size", 2), "upper.extension: bound too small: columns ["),
    "graph, other columns": (
        GRAPH, put(*SHATTERED, "columns", [0, 1]), "lower.shattered: the labels of row"),
    "graph, smaller": (
        of(graph_dimension, monotone_labellings(5, 3)), put("upper", "counting", "size", 2),
        "upper.counting: bound too small: columns"),
    "tree, equal labels": (
        LITTLESTONE, put(*NODES, 0, [0, 0, 0]), "lower.mistake_tree.tree[0]: an index occurs"),
    "tree, other leaf": (
        LITTLESTONE, put(*NODES, -1, 0), "lower.mistake_tree.tree[6]: concept 0 must have the"),
    "tree, no node": (
        LITTLESTONE, put(*NODES, 0, 1), "lower.mistake_tree.tree[0]: must be a list, not 1"),
    "spaces, none": (LITTLESTONE, put(*SPACES, []), "upper.refutation: at least one version space"),
    "spaces, not the class": (
        LITTLESTONE, put(*SPACES, -1, 1, [0]), "upper.refutation: the last entry must contain all"),
    "spaces, smaller depth": (
        LITTLESTONE, put(*SPACES, [[2, [], [], []]]),
        "upper.refutation.spaces[0]: a side of column"),
    "spaces, depth 0": (
        LITTLESTONE, put(*SPACES, [[0, [], [], []]]),
        "upper.refutation.spaces[0]: depth 0 requires an empty version space"),
}  # fmt: skip


@pytest.mark.parametrize("name", MISSES)
def test_near_miss_is_rejected_with_its_place(name):
    make, change, reason = MISSES[name]
    document = make()
    check(copy.deepcopy(document))
    change(document)
    with pytest.raises(Rejected) as rejected:
        check(document)
    assert str(rejected.value).startswith(reason)


def test_turns_of_a_refutation_are_necessary_and_checked():
    document = of(multiclass_littlestone_dimension, monotone_labellings(5, 3))()
    assert len(entries(document)) > 2
    check(copy.deepcopy(document))
    for change, reason in (
        (drop_turn, "a side of column"),
        (lambda d: entries(d)[-1][3].__setitem__(0, len(entries(d)) - 1), "must be an index below"),
        (lambda d: entries(d)[0].__setitem__(0, entries(d)[-1][0]), "must have a smaller depth"),
        (lambda d: entries(d)[-1][2].pop(), "must have"),
        (lambda d: entries(d)[-1][3].reverse(), "contain the side of literal"),
    ):
        altered = copy.deepcopy(document)
        change(altered)
        with pytest.raises(Rejected, match=reason):
            check(altered)


@pytest.mark.parametrize(
    ("kind", "truth"),
    [("natarajan_dimension", largest_natarajan_set), ("ds_dimension", largest_ds_set)],
)
def test_extension_excludes_exactly_the_sizes_above_the_dimension(kind, truth):
    rng = random.Random(1)  # noqa: S311 - a seed, not a secret
    for _ in range(80):
        width = rng.randint(1, 4)
        rows = {tuple(rng.choices(range(3), k=width)) for _ in range(rng.randint(1, 12))}
        C = MulticlassConceptClass.from_matrix(sorted(rows))
        value = truth(C.rows, width)
        for size in range(width + 3):
            parts = (C.to_json(), "upper", "extension", {"size": size}, size - 1)
            assert accepted(kind, *parts) == (size > value)


def test_a_path_is_peeled_from_its_ends_until_nothing_is_left():
    path = MulticlassConceptClass.from_matrix(label_cycle(9).rows[:17])
    for C, value in ((path, 1), (label_cycle(9), 2)):
        parts = (C.to_json(), "upper", "extension", {"size": 2}, 1)
        assert accepted("ds_dimension", *parts) == (value == 1)
        assert ds_dimension(C).value == value


def test_refutation_without_turns_excludes_no_depth_that_exists():
    rng = random.Random(2)  # noqa: S311 - a seed, not a secret
    for _ in range(80):
        rows = {tuple(rng.choices(range(3), k=3)) for _ in range(rng.randint(1, 8))}
        C = MulticlassConceptClass.from_matrix(sorted(rows))
        for depth in range(5):
            proof = {"spaces": [[depth, [], [], []]]}
            parts = (C.to_json(), "upper", "refutation", proof, depth - 1)
            is_accepted = accepted("multiclass_littlestone_dimension", *parts)
            assert not is_accepted or depth > largest_tree(C.rows, 3)


def test_the_graph_has_the_columns_that_the_page_defines():
    C = MulticlassConceptClass.from_matrix(["00", "01", "12", "10"], labels=[0, 1, 2, 3])
    assert C.graph_literals() == ((0, 1), (1, 0), (1, 1), (1, 2))
    assert largest_graph_set(C.rows, 2) == graph_dimension(C).value == 2
    for columns, rows in (([0, 1], [1, 2, 0, 3]), ([0, 2], [0, 2, 1, 3])):
        proof = {"columns": columns, "rows": rows}
        parts = (C.to_json(), "lower", "shattered", proof, 2)
        assert accepted("graph_dimension", *parts) == (columns == [0, 1])
