"""Communication problems: total and partial ones, those of the papers, and invalid input."""

import pickle
from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings

from ccsim.classes import lines, thresholds
from ccsim.communication.problem import (
    CommunicationProblem,
    augmented_index,
    disjointness,
    equality,
    evaluation_problem,
    gap_hamming,
    greater_than,
    index,
    inner_product,
)
from ccsim.errors import DomainError, InstanceTooLargeError
from tests.small_classes import EMPTY, NO_POINTS
from tests.strategies import concept_classes, problems

DISTRIBUTIONS = settings(max_examples=100, derandomize=True, deadline=None)


def table(f):
    return [[f.value(x, y) for y in range(len(f.bob))] for x in range(len(f.alice))]


@DISTRIBUTIONS
@given(problems())
def test_repr_is_an_expression_for_the_problem_or_says_its_sizes(f):
    if "ones=" in repr(f):
        again = eval(repr(f))  # noqa: S307 - the law itself
        assert again == f
        assert hash(again) == hash(f)
    else:
        assert f"{len(f.alice)} x {len(f.bob)}" in repr(f)
    assert pickle.loads(pickle.dumps(f)) == f  # noqa: S301 - our own bytes


@DISTRIBUTIONS
@given(problems())
def test_the_table_of_a_problem_gives_it_back(f):
    assert CommunicationProblem.from_matrix(table(f), f.alice, f.bob) == f
    stars = [["*" if v is None else v for v in row] for row in table(f)]
    assert CommunicationProblem.from_matrix(stars, f.alice, f.bob) == f


@DISTRIBUTIONS
@given(problems())
def test_inputs_are_the_pairs_inside_the_promise_row_by_row(f):
    cells = [(x, y) for x, row in enumerate(table(f)) for y, v in enumerate(row) if v is not None]
    assert f.inputs() == cells
    assert f.is_total == (len(cells) == len(f.alice) * len(f.bob))


@DISTRIBUTIONS
@given(problems())
def test_json_holds_one_character_for_each_entry(f):
    symbols = {0: "0", 1: "1", None: "*"}
    assert f.to_json()["rows"] == ["".join(symbols[v] for v in row) for row in table(f)]
    assert f.to_json()["alice"] == list(f.alice)


@DISTRIBUTIONS
@given(concept_classes(min_points=1, min_concepts=1))
def test_evaluation_asks_for_the_label_of_a_point(C):
    f = evaluation_problem(C)
    assert (f.alice, f.bob, f.ones) == (C.concepts, C.points, C.rows)
    assert f.is_total
    assert all(f.value(c, x) == C.value(c, x) for c, x in f.inputs())


def test_rows_may_repeat_and_lie_wholly_outside_the_promise():
    f = CommunicationProblem.from_matrix([[0, 1], [0, 1], [None, None], ["*", "*"]])
    assert (f.ones, f.promise) == ((2, 2, 0, 0), (3, 3, 0, 0))
    assert str(f) == "problem: 4 x 2, promise"
    assert str(equality(2)) == "equality:n=2: 2 x 2, total"


def test_the_name_is_no_part_of_the_identity():
    assert replace(equality(2), name="") == CommunicationProblem.from_matrix([[1, 0], [0, 1]])


@pytest.mark.parametrize("kind", [bool, np.int64, np.uint8, np.float64])
def test_arrays_of_every_kind_of_number_are_read(kind):
    f = CommunicationProblem.from_matrix(np.array([[0, 1], [1, 1]], dtype=kind))
    assert f.ones == (2, 3)
    assert all(type(row) is int for row in f.ones)


# --- The problems of the papers ------------------------------------------------------------------


@pytest.mark.parametrize("n", [1, 2, 5])
def test_equality_and_greater_than_are_their_definitions(n):
    assert table(equality(n)) == [[int(x == y) for y in range(n)] for x in range(n)]
    assert table(greater_than(n)) == [[int(x > y) for y in range(n)] for x in range(n)]
    assert equality(n).alice == equality(n).bob == tuple(range(n))


@pytest.mark.parametrize("d", [1, 2, 3, 4])
def test_index_is_its_definition(d):
    f = index(d)
    assert f.bob == tuple(range(1, d + 1))
    for x, string in enumerate(f.alice):
        assert [f.value(x, y) for y in range(d)] == [int(bit) for bit in string]


@pytest.mark.parametrize("d", [1, 2, 3, 4])
def test_augmented_index_is_its_definition(d):
    f = augmented_index(d)
    assert (len(f.alice), len(f.bob)) == (2**d, 2**d - 1)
    for x, string in enumerate(f.alice):
        for y, label in enumerate(f.bob):
            position, prefix = label.split(":")
            i = int(position)
            assert len(prefix) == i - 1
            inside = string.startswith(prefix)
            assert f.value(x, y) == (int(string[i - 1]) if inside else None)
    assert len(f.inputs()) == d * 2**d


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5])
def test_problems_on_words_are_their_definitions(n):
    def distance(x, y, g):
        excess = 2 * sum(a != b for a, b in zip(x, y, strict=True)) - n
        return None if abs(excess) < g else int(excess > 0)

    cases = [
        (disjointness(n), lambda x, y: int(("1", "1") not in zip(x, y, strict=True))),
        (
            inner_product(n),
            lambda x, y: sum(int(a) * int(b) for a, b in zip(x, y, strict=True)) % 2,
        ),
        *((gap_hamming(n, g), lambda x, y, g=g: distance(x, y, g)) for g in range(1, n + 1)),
    ]
    for f, meaning in cases:
        assert f.alice == f.bob
        assert sorted(f.alice) == ["".join(word) for word in product("01", repeat=n)]
        for x, word in enumerate(f.alice):
            assert [f.value(x, y) for y in range(2**n)] == [meaning(word, v) for v in f.bob]


def test_gap_hamming_refuses_other_gaps():
    assert gap_hamming(3, 1).is_total
    for g in (0, 4):
        with pytest.raises(DomainError, match=f"g must be between 1 and n = 3, not {g}"):
            gap_hamming(3, g)


@pytest.mark.parametrize(
    "family",
    [
        *(equality, greater_than, index, augmented_index, disjointness, inner_product),
        lambda n: gap_hamming(n, 1),
    ],
)
def test_families_refuse_what_is_empty_or_too_large(family):
    with pytest.raises(DomainError, match=r"must be at least 1, not 0"):
        family(0)
    with pytest.raises(InstanceTooLargeError):
        family(10**5)


def test_lines_and_thresholds_keep_their_labels():
    for C in (lines(2), thresholds(2)):
        assert evaluation_problem(C).name == f"Eval({C.name})"
        assert evaluation_problem(C).alice == C.concepts


# --- Refusals ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (([],), "at least one pair of inputs must lie inside the promise"),
        (([[]],), "at least one pair of inputs must lie inside the promise"),
        (([[None, "*"]],), "at least one pair of inputs must lie inside the promise"),
        (([[0, 1], [0]],), "row 1 has 1 entry, but row 0 has 2"),
        (([[0, 2]],), r"entry \(0, 1\) must be 0, 1 or None, not 2"),
        (([["2"]],), r"entry \(0, 0\) must be 0, 1 or None, not '2'"),
        (([[float("nan")]],), "at least one pair of inputs must lie inside the promise"),
        ((np.array([[0, 3]]),), r"entry \(0, 1\) must be 0, 1 or None"),
        (([[0], [1]], ["a", "a"]), "Alice's input labels must be distinct, but 'a' occurs twice"),
        (([[0], [1]], [1, "1"]), "Alice's input labels must be distinct, but '1' occurs twice"),
        (([[0, 1]], None, ["b"]), "Bob's input labels must have 2 entries, not 1|ones inside"),
        (([[0]], [{}]), "Alice's input labels must be hashable, not a dict"),
    ],
)
def test_what_is_no_problem_is_refused(arguments, reason):
    with pytest.raises(DomainError, match=reason):
        CommunicationProblem.from_matrix(*arguments)


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (((0,), (0, 1), (1,), (2,)), "a row of ones must lie inside its promise"),
        (
            ((0,), (0, 1), (4,), (4,)),
            r"inside its promise, and the promise below 2\*\*2, not 4 and 4",
        ),
        (((0,), (0, 1), (-1,), (3,)), "a row of ones must lie inside its promise"),
        (((0,), (0, 1), (0,), (-1,)), "a row of ones must lie inside its promise"),
        (((0,), (0, 1), (0,), (1, 1)), "promise must have 1 rows, not 2"),
        (((0, 1), (0, 1), (0,), (1,)), "Alice's input labels must have 1 entry, not 2"),
    ],
)
def test_what_breaks_the_rules_of_the_constructor_is_refused(arguments, reason):
    with pytest.raises(DomainError, match=reason):
        CommunicationProblem(*arguments)


def test_a_class_without_concepts_or_points_has_no_evaluation_problem():
    for C in (EMPTY, NO_POINTS):
        with pytest.raises(DomainError, match="at least one pair of inputs"):
            evaluation_problem(C)


@pytest.mark.parametrize(("bob", "found"), [(["a"], 1), (["a", "b", "c"], 3)])
def test_labels_must_be_as_many_as_columns(bob, found):
    with pytest.raises(DomainError, match=f"Bob's input labels must have 2 entries, not {found}"):
        CommunicationProblem.from_matrix([[0, 1], [1, 0]], bob=bob)
