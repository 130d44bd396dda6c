"""Concept classes: the forms of input, their views, and invalid inputs."""

import copy
import pickle
from dataclasses import FrozenInstanceError
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ccsim.classes import MAX_ENTRIES, ConceptClass, points, random_class, thresholds
from ccsim.classes.concept_class import columns
from ccsim.errors import DomainError, InstanceTooLargeError
from ccsim.texts.labels import MAX_LABELS, check_size
from tests.small_classes import EMPTY
from tests.strategies import concept_classes

DISTRIBUTIONS = settings(max_examples=100, derandomize=True, deadline=None)


def table(C):
    return [[C.value(c, x) for x in range(len(C.points))] for c in range(len(C))]


# --- Laws ----------------------------------------------------------------------------------------


@DISTRIBUTIONS
@given(concept_classes())
def test_repr_is_an_expression_for_the_class_or_says_its_sizes(C):
    if "rows=" not in repr(C):
        concepts = "1 concept" if len(C.concepts) == 1 else f"{len(C.concepts)} concepts"
        points = "1 point" if len(C.points) == 1 else f"{len(C.points)} points"
        sizes = f"{concepts} over {points}"
        assert sizes in repr(C)
        return
    again = eval(repr(C))  # noqa: S307 - the law itself
    assert again == C
    assert (again.name, again.merged) == (C.name, C.merged)


@DISTRIBUTIONS
@given(concept_classes(min_concepts=1))
def test_the_matrix_of_a_class_gives_it_back(C):
    assert ConceptClass.from_matrix(table(C), C.points, C.concepts) == C
    assert (
        ConceptClass.from_matrix(np.array(table(C)).reshape(len(C), -1), C.points, C.concepts) == C
    )


@DISTRIBUTIONS
@given(concept_classes())
def test_a_function_of_the_labels_gives_the_class_back(C):
    values = {
        (c, x): C.value(i, j) for i, c in enumerate(C.concepts) for j, x in enumerate(C.points)
    }
    assert ConceptClass.from_callable(lambda c, x: values[c, x], C.concepts, C.points) == C


@DISTRIBUTIONS
@given(concept_classes())
def test_the_dual_exchanges_points_and_concepts(C):
    dual = C.dual()
    assert dual.points == C.concepts
    assert dual.merged == len(C.points) - len(dual)
    assert set(dual.concepts) <= set(C.points)
    for i, point in enumerate(dual.concepts):
        x = C.points.index(point)
        assert [dual.value(i, c) for c in range(len(C))] == [C.value(c, x) for c in range(len(C))]
    assert len(dual) == len(set(columns(C)))


@DISTRIBUTIONS
@given(concept_classes())
def test_the_dual_of_the_dual_is_the_class_on_different_columns(C):
    kept = [C.points.index(point) for point in C.dual().concepts]
    assert C.dual().dual() == C.project(kept)
    assert C.dual().dual().dual() == C.dual()


@DISTRIBUTIONS
@given(concept_classes())
def test_columns_are_the_transposed_rows(C):
    for x, column in enumerate(columns(C)):
        assert [column >> c & 1 for c in range(len(C))] == [C.value(c, x) for c in range(len(C))]
        assert column < 1 << len(C)
    assert len(columns(C)) == len(C.points)


def test_columns_of_a_large_class_are_found_once_and_shared_with_its_dual():
    C = random_class(1500, 1600, seed=1)  # more entries than are turned at once
    assert columns(C) is columns(C)
    assert columns(C.dual()) is C.rows
    assert columns(ConceptClass.from_rows(columns(C), C.concepts)) == C.rows


@DISTRIBUTIONS
@given(concept_classes(min_points=1), st.data())
def test_restriction_splits_a_class_by_the_label_of_a_point(C, data):
    x = data.draw(st.integers(0, len(C.points) - 1))
    zeros, ones = C.restrict(x, 0), C.restrict(x, 1)
    assert sorted(zeros.rows + ones.rows) == sorted(C.rows)
    assert zeros.points == ones.points == C.points
    assert all(row >> x & 1 for row in ones.rows)
    assert not any(row >> x & 1 for row in zeros.rows)
    assert ones.restrict(x, 0).rows == ()
    assert [C.rows[C.concepts.index(label)] for label in ones.concepts] == list(ones.rows)


@DISTRIBUTIONS
@given(concept_classes(), st.data())
def test_projection_keeps_the_labels_of_the_points_that_stay(C, data):
    chosen = data.draw(st.permutations(range(len(C.points))))
    chosen = chosen[: data.draw(st.integers(0, len(chosen)))]
    projected = C.project(chosen)
    assert projected.points == tuple(C.points[x] for x in chosen)
    assert projected.merged == len(C) - len(projected)
    patterns = [tuple(row >> x & 1 for x in chosen) for row in C.rows]
    assert [tuple(row) for row in table(projected)] == list(dict.fromkeys(patterns))
    assert set(projected.concepts) <= set(C.concepts)


@DISTRIBUTIONS
@given(concept_classes())
def test_projection_onto_all_points_and_the_whole_subclass_change_nothing(C):
    assert C.project(range(len(C.points))) == C
    assert C.subclass(range(len(C))) == C


def test_a_subclass_keeps_the_given_order():
    C = thresholds(2).subclass([3, 0])
    assert (C.concepts, C.rows) == ((3, 0), (0b1000, 0b1111))


# --- Reading -------------------------------------------------------------------------------------


def test_equal_rows_are_merged_under_the_first_label():
    C = ConceptClass.from_matrix([[0, 1], [1, 1], [0, 1]], concepts=["a", "b", "c"], name="C")
    assert (C.rows, C.concepts, C.merged) == ((2, 3), ("a", "b"), 1)
    assert str(C) == "C: 2 concepts over 2 points"


def test_name_and_number_of_merged_rows_are_no_part_of_the_identity():
    C = ConceptClass.from_matrix([[0, 1], [0, 1]], name="one")
    D = ConceptClass.from_matrix([[0, 1]], name="another")
    assert C == D
    assert hash(C) == hash(D)
    assert (C.merged, D.merged) == (1, 0)


@pytest.mark.parametrize("kind", [bool, np.int8, np.uint64, np.float64])
def test_arrays_of_every_kind_of_number_are_read(kind):
    array = np.array([[0, 1, 1], [1, 0, 1]], dtype=kind)
    assert ConceptClass.from_matrix(array).rows == (0b110, 0b101)
    assert all(type(row) is int for row in ConceptClass.from_matrix(array).rows)


def test_booleans_are_entries():
    assert ConceptClass.from_matrix([[True, False], [np.True_, np.True_]]).rows == (1, 3)


def test_generators_are_read_once():
    C = ConceptClass.from_matrix((iter(row) for row in ([0, 1], [1, 0])), iter("xy"), iter("ab"))
    assert (C.points, C.concepts, C.rows) == (("x", "y"), ("a", "b"), (2, 1))


def test_rows_wider_than_a_machine_word_are_exact():
    n = 200
    C = ConceptClass.from_matrix([[int(x == n - 1) for x in range(n)], [0] * n])
    assert C.rows == (1 << n - 1, 0)


@pytest.mark.parametrize(
    ("C", "size"),
    [
        (ConceptClass.from_matrix([]), (0, 0)),
        (ConceptClass.from_matrix([], points=["a", "b"]), (0, 2)),
        (ConceptClass.from_matrix([[]]), (1, 0)),
        (ConceptClass.from_matrix([[], []]), (1, 0)),
        (ConceptClass.from_rows([], [1, 2, 3]), (0, 3)),
        (ConceptClass.from_callable(lambda c, x: 1 // 0, [], [0, 1]), (0, 2)),
        (EMPTY.restrict(0, 1), (0, 2)),
        (EMPTY.project([1]), (0, 1)),
        (EMPTY.dual(), (1, 0)),
        (ConceptClass.from_matrix([[]]).dual(), (0, 1)),
    ],
)
def test_empty_classes_are_classes(C, size):
    assert (len(C), len(C.points)) == size
    assert columns(C) == (0,) * size[1]
    assert C.to_json()["rows"] == ["" for _ in range(size[0])]


def test_a_class_is_frozen_and_travels():
    C = points(2)
    with pytest.raises(FrozenInstanceError):
        C.rows = ()
    assert copy.deepcopy(C) == pickle.loads(pickle.dumps(C)) == C  # noqa: S301 - our own bytes


def test_json_holds_the_data_itself():
    C = ConceptClass.from_matrix([[0, 0, 1], [0, 1, 1]], points=["a", 7, "c"], name="C")
    assert C.to_json() == {
        "type": "concept class",
        "name": "C",
        "points": ["a", 7, "c"],
        "concepts": [0, 1],
        "rows": ["001", "011"],
    }


def test_values_are_the_bits_of_the_rows():
    C = random_class(5, 6, seed=1)
    for c, x in product(range(len(C)), range(6)):
        assert C.value(c, x) == C.rows[c] >> x & 1


# --- Refusals ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (([[0, 1], [0]],), "row 1 has 1 entry, but row 0 has 2"),
        (([[0, 1], [0, 1, 1]],), "row 1 has 3 entries, but row 0 has 2"),
        (([[0, 2]],), r"entry \(0, 1\) must be 0 or 1, not 2"),
        (([[0, 0.5]],), r"entry \(0, 1\) must be 0 or 1, not 0.5"),
        (([[0, 1], ["2", 0]],), r"entry \(1, 0\) must be 0 or 1, not '2'"),
        (([[None]],), r"entry \(0, 0\) must be 0 or 1, not None"),
        (([[float("nan")]],), r"entry \(0, 0\) must be 0 or 1, not nan"),
        (([[0, 1]], [0]), "point labels must have 2 entries, not 1"),
        (([[0, 1]], [0, 0]), "point labels must be distinct, but '0' occurs twice"),
        (([[0, 1]], [1, "1"]), "point labels must be distinct, but '1' occurs twice"),
        (([[0, 1]], [0, [1]]), "point labels must be hashable, not a list"),
        (([[0, 1]], [0, object()]), "point labels must be convertible to text, not an object"),
        (([[0, 1]], [0.5, "0.5"]), "point labels must be distinct, but '0.5' occurs twice"),
        (([[0], [1]], None, ["a"]), "concept labels must have 2 entries, not 1"),
        (([[0], [1]], None, ["a", "a"]), "concept labels must be distinct, but 'a' occurs twice"),
        (([[0], [0]], None, ["a", "a"]), "concept labels must be distinct, but 'a' occurs twice"),
        (([[0], [1]], None, ["1", 1]), "concept labels must be distinct, but '1' occurs twice"),
    ],
)
def test_what_is_no_class_is_refused(arguments, reason):
    with pytest.raises(DomainError, match=reason):
        ConceptClass.from_matrix(*arguments)


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (
            ((0, 1), (0, 1), (1, 1)),
            "rows must be distinct; use ConceptClass.from_matrix to merge equal rows",
        ),
        (((0, 1), (0,), (4,)), r"row must be an integer from 0 to 2\*\*2 - 1 .*, not 4"),
        (((0, 1), (0,), (-1,)), r"row must be an integer from 0 to 2\*\*2 - 1 .*, not -1"),
        (((0, 1), (0, 1), (1,)), "concept labels must have 1 entry, not 2"),
        (((), (0, 1), (0, 1)), r"row must be an integer from 0 to 2\*\*0 - 1 .*, not 1"),
    ],
)
def test_what_breaks_the_rules_of_the_constructor_is_refused(arguments, reason):
    with pytest.raises(DomainError, match=reason):
        ConceptClass(*arguments)


def test_what_is_too_large_is_refused_before_it_is_built():
    def never(concept, point):
        raise AssertionError

    side = 1 << 14
    with pytest.raises(
        InstanceTooLargeError, match=f"C has {side} x {side} .* {MAX_ENTRIES} in all"
    ):
        ConceptClass.from_callable(never, range(side), range(side), name="C")
    check_size(MAX_LABELS, MAX_ENTRIES // MAX_LABELS, "C")
    with pytest.raises(InstanceTooLargeError):
        check_size(MAX_ENTRIES + 1, 0, "C")


def test_what_is_no_index_or_entry_is_refused_by_name():
    C = ConceptClass.from_matrix([[0, 1], [1, 1]])
    with pytest.raises(DomainError, match="point must be an index below 2, not 7"):
        C.restrict(7, 0)
    with pytest.raises(DomainError, match="label must be 0 or 1, not 2"):
        C.restrict(0, 2)
    with pytest.raises(DomainError, match="point must be an index below 2, not -1"):
        C.project([-1])
    with pytest.raises(DomainError, match="concept must be an index below 2, not 2"):
        C.subclass([0, 2])
    with pytest.raises(DomainError, match=r"entry \(0, 0\) must be 0 or 1"):
        ConceptClass.from_matrix(np.zeros((2, 2, 2), dtype=int))
    assert C.dual().name == ""
