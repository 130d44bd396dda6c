"""Dimensions of multiclass classes against their definitions, and the relations between them."""

import random
from itertools import count, product
from math import log2

import pytest

from ccsim import littlestone_dimension, vc_dimension
from ccsim.budget import Budget
from ccsim.classes import (
    ConceptClass,
    MulticlassConceptClass,
    all_labellings,
    first_cantor,
    label_cycle,
    monotone_labellings,
)
from ccsim.dimensions import (
    ds_dimension,
    graph_dimension,
    multiclass_littlestone_dimension,
    natarajan_dimension,
)
from tests.truth.multiclass import (
    largest_ds_set,
    largest_graph_set,
    largest_natarajan_set,
    largest_tree,
)

QUESTIONS = {
    "natarajan": (natarajan_dimension, largest_natarajan_set),
    "graph": (graph_dimension, largest_graph_set),
    "ds": (ds_dimension, largest_ds_set),
    "littlestone": (multiclass_littlestone_dimension, largest_tree),
}


def class_of(rows, width):
    return MulticlassConceptClass.from_matrix(rows, points=range(width))


def proved(question, C):
    result = question(C)
    result.check()
    return result.value


def random_class(concepts, points, labels, seed):
    rng = random.Random(seed)  # noqa: S311 - a seed, not a secret
    rows = [[rng.randrange(labels) for _ in range(points)] for _ in range(concepts)]
    return MulticlassConceptClass.from_matrix(rows)


@pytest.mark.parametrize("name", QUESTIONS)
@pytest.mark.parametrize("width", [0, 1, 2])
def test_all_classes_on_few_points_have_the_dimension_of_the_definition(name, width):
    question, truth = QUESTIONS[name]
    everything = list(product(range(3), repeat=width))
    for number in range(1 << len(everything)):
        rows = [row for i, row in enumerate(everything) if number >> i & 1]
        assert proved(question, class_of(rows, width)) == truth(rows, width)


@pytest.mark.parametrize("name", QUESTIONS)
def test_random_classes_on_three_points_have_the_dimension_of_the_definition(name):
    question, truth = QUESTIONS[name]
    rng = random.Random(1)  # noqa: S311 - a seed, not a secret
    for _ in range(300):
        everything = list(product(range(rng.choice((3, 4))), repeat=3))
        rows = rng.sample(everything, rng.randint(0, 11))
        assert proved(question, class_of(rows, 3)) == truth(rows, 3)


def test_with_two_labels_the_dimensions_are_those_of_boolean_classes():
    rng = random.Random(2)  # noqa: S311 - a seed, not a secret
    for _ in range(60):
        width = rng.randint(1, 6)
        rows = rng.sample(range(1 << width), rng.randint(0, min(30, 1 << width)))
        C = ConceptClass.from_rows(rows, range(width))
        vc, tree = vc_dimension(C).value, littlestone_dimension(C).value
        assert [proved(question, C) for question, _ in QUESTIONS.values()] == [vc, vc, vc, tree]


def test_the_natarajan_dimension_is_at_most_the_others():
    for seed in range(60):
        C = random_class(4 + seed % 40, 2 + seed % 5, 2 + seed % 4, seed)
        least, graph, ds, tree = (question(C).value for question, _ in QUESTIONS.values())
        assert least <= min(graph, ds, tree)
        assert max(graph, ds, tree) <= log2(len(C))


def test_the_graph_dimension_is_bounded_by_the_natarajan_dimension_and_the_labels():
    """On d shattered points there are at least 2^d and at most d^N k^(2N) concepts."""
    for seed in range(60):
        C = random_class(4 + seed, 2 + seed % 5, 2 + seed % 5, seed)
        low, d = natarajan_dimension(C).value, graph_dimension(C).value
        assert 2**d <= max(d, 1) ** low * len(C.labels) ** (2 * low)


def test_subclasses_and_fewer_points_have_at_most_the_dimension():
    for seed in range(20):
        C = random_class(20, 4, 3, seed)
        fewer = class_of(C.rows[5:], 4)
        narrower = class_of([row[1:] for row in C.rows], 3)
        for question, _ in QUESTIONS.values():
            assert max(question(fewer).value, question(narrower).value) <= question(C).value


def test_renaming_the_labels_of_each_point_changes_no_dimension():
    rng = random.Random(3)  # noqa: S311 - a seed, not a secret
    for seed in range(20):
        C = random_class(20, 4, 4, seed)
        names = [rng.sample("abcd", 4) for _ in C.points]
        rows = [[names[x][y] for x, y in enumerate(row)] for row in C.rows]
        for question, _ in QUESTIONS.values():
            assert question(rows).value == question(C).value


@pytest.mark.parametrize(
    ("C", "expected"),
    [
        (label_cycle(2), (2, 2, 2, 2)),
        (label_cycle(3), (1, 2, 2, 2)),
        (label_cycle(9), (1, 2, 2, 2)),
        (first_cantor(5), (1, 5, 1, 1)),
        (all_labellings(3, 4), (3, 3, 3, 3)),
        (monotone_labellings(4, 2), (1, 1, 1, 2)),
        (monotone_labellings(5, 3), (2, 2, 2, 3)),
        (monotone_labellings(3, 1), (0, 0, 0, 0)),
    ],
    ids=str,
)
def test_families_have_known_dimensions(C, expected):
    assert tuple(proved(question, C) for question, _ in QUESTIONS.values()) == expected


@pytest.mark.parametrize("name", QUESTIONS)
def test_without_time_the_bounds_are_proved(name):
    question, _ = QUESTIONS[name]
    for C in (random_class(300, 20, 5, 0), label_cycle(3), class_of([], 2), class_of(["0"], 1)):
        result = question(C, time_limit=0)
        result.check()
        assert min(len(C), 2) - 1 <= result.lower <= question(C, time_limit=1).lower
        assert result.upper <= log2(max(len(C), 1))


@pytest.mark.parametrize("name", QUESTIONS)
@pytest.mark.parametrize("steps", [2, 10, 100, 1000])
def test_a_stopped_search_returns_proved_bounds(name, steps):
    question, _ = QUESTIONS[name]
    C = random_class(120, 8, 3, 1)
    result = question(C, time_limit=Budget(steps, clock=count().__next__))
    result.check()
    assert result.lower <= question(C).value <= result.upper


@pytest.mark.parametrize("name", QUESTIONS)
def test_the_same_class_has_the_same_certificate_and_progress(name):
    question, _ = QUESTIONS[name]
    C, told = random_class(60, 6, 3, 4), []
    result = question(C, progress=lambda *bounds: told.append(bounds))
    assert result.certificate().to_json() == question(C).certificate().to_json()
    assert told[-1] == (result.value, result.value)
    assert all(lower <= result.value <= upper for lower, upper in told)


def test_witnesses_are_about_the_points_of_the_class():
    C = MulticlassConceptClass.from_matrix(
        [["a", "u"], ["a", "v"], ["b", "u"], ["b", "v"]], points=["p", "q"]
    )
    result = natarajan_dimension(C)
    assert [(C.points[x], C.labels[a], C.labels[b]) for x, a, b in result.pairs] == [
        ("p", "a", "b"),
        ("q", "u", "v"),
    ]
    assert result.points == ds_dimension(C).points == (0, 1)
    for i, c in enumerate(result.realising):
        assert [C.rows[c][x] == b for x, _, b in result.pairs] == [i & 1 > 0, i >> 1 & 1 > 0]
    graph = graph_dimension(C)
    for i, c in enumerate(graph.realising):
        assert [C.rows[c][x] == y for x, y in graph.literals] == [i & 1 > 0, i >> 1 & 1 > 0]
    tree = multiclass_littlestone_dimension(C).tree
    assert len(tree) == 7
    assert {node for node in tree if isinstance(node, int)} == {0, 1, 2, 3}
