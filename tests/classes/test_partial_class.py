"""Partial classes: their entries and labels, equal rows, the dual, and all accepted forms."""

import json
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import ccsim
from ccsim import CommunicationProblem, ConceptClass, PartialClass
from ccsim.classes.given import as_class, as_total_or_partial
from ccsim.classes.partial import dual_sides, sides
from ccsim.errors import DomainError, InstanceTooLargeError, UnreadableInputError

ROWS = ["00*", "01*", "1*0", "1*1"]
AB = ("a", "b")
C = PartialClass.from_matrix(ROWS, points=list("abc"), concepts=list("pqrs"), name="four")


def entries(partial):
    table = product(range(len(partial)), range(len(partial.points)))
    return "".join({0: "0", 1: "1", None: "*"}[partial.value(c, x)] for c, x in table)


def test_entries_are_those_of_the_matrix():
    assert entries(C) == "".join(ROWS)
    assert C.to_json()["rows"] == ROWS
    assert str(C) == "four: 4 concepts over 3 points, partial"
    assert not C.is_total
    assert PartialClass.from_rows([1], [3], ["a", "b"]).is_total


def test_sides_are_the_positions_of_zeros_and_ones():
    across = ["".join(row[x] for row in ROWS) for x in range(3)]
    for found, lines in ((sides(C), across), (dual_sides(C), ROWS)):
        for both, line in zip(found, lines, strict=True):
            for label, side in zip("01", both, strict=True):
                assert side == sum(1 << i for i, entry in enumerate(line) if entry == label)


def test_equal_rows_are_merged_and_keep_the_first_label():
    found = PartialClass.from_matrix(["0*", "00", "0*"], concepts=[*"xyz"])
    assert (found.concepts, found.merged) == (("x", "y"), 1)


def test_rows_that_differ_only_in_where_they_are_defined_are_different():
    assert len(PartialClass.from_matrix(["0*", "00", "*0", "**"])) == 4


def test_the_dual_exchanges_points_and_concepts():
    dual = C.dual()
    assert (dual.points, dual.concepts, dual.name) == (C.concepts, C.points, "dual of four")
    assert dual.to_json()["rows"] == ["0011", "01**", "**01"]
    assert dual.dual() == C
    assert PartialClass.from_matrix(["0*0"]).dual().merged == 1


def test_a_total_partial_class_is_a_class():
    total = PartialClass.from_matrix(["01", "11"])
    assert as_class(total) == ConceptClass.from_matrix(["01", "11"])
    assert type(as_total_or_partial(total)) is ConceptClass
    with pytest.raises(DomainError, match="four must be total, but some concepts are undefined"):
        as_class(C)


def forms():
    table = [[None if entry == "*" else int(entry) for entry in row] for row in ROWS]
    yield ROWS
    yield table
    yield map(tuple, table)
    yield np.array([[np.nan if e is None else e for e in row] for row in table])
    yield np.array([list(row) for row in ROWS])
    yield CommunicationProblem.from_matrix(ROWS)
    yield PartialClass.from_matrix(ROWS)


@pytest.mark.parametrize("given", list(forms()), ids=lambda given: type(given).__name__)
def test_all_forms_give_the_same_partial_class(given):
    assert as_total_or_partial(given) == PartialClass.from_matrix(ROWS)


def test_labels_of_a_frame_and_of_a_problem_are_kept():
    table = [[None if entry == "*" else int(entry) for entry in row] for row in ROWS]
    frame = pd.DataFrame(table, index=list("pqrs"), columns=list("abc"), dtype="Int64")
    assert as_total_or_partial(frame) == C
    problem = CommunicationProblem.from_matrix(
        ROWS, alice=list("pqrs"), bob=list("abc"), name="four"
    )
    assert problem.to_partial_class() == C
    assert problem.to_partial_class().name == "four"


def test_forms_without_undefined_entries_give_classes():
    total = ConceptClass.from_matrix(["01", "10"])
    for given in (total, "points:b=1", ["10", "01"], ccsim.evaluation_problem(total)):
        assert type(as_total_or_partial(given)) is ConceptClass
    assert as_total_or_partial(["01", "10", "01"]).merged == 1
    assert as_total_or_partial([]) == ConceptClass.from_matrix([])


def test_files_with_undefined_entries(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    lines = [",".join([label, *row]) for label, row in zip("pqrs", ROWS, strict=True)]
    Path("f.csv").write_text("\n".join([",a,b,c", *lines]))
    Path("f.json").write_text(json.dumps(C.to_json()))
    found = as_total_or_partial("@f.csv")
    assert (found, found.name) == (C, "f.csv")
    assert found.reading.outside == 4
    assert as_total_or_partial("@f.json") == C
    with pytest.raises(UnreadableInputError, match="a concept class must have 0 or 1 here"):
        as_class("@f.csv")


def test_a_family_with_a_promise_is_a_partial_class():
    found = as_total_or_partial("augmented_index:d=2")
    assert found == ccsim.augmented_index(2).to_partial_class()
    assert found.name == "augmented_index:d=2"


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: PartialClass.from_rows([2], [1], AB), "a row of ones must lie inside"),
        (lambda: PartialClass.from_rows([0], [4], AB), "below 2\\*\\*2, not 0 and 4"),
        (lambda: PartialClass.from_rows([0], [-1], AB), "not 0 and -1"),
        (lambda: PartialClass.from_rows([0, 1], [1], AB), "defined must have 2 rows, not 1"),
        (lambda: PartialClass(AB, ("p",), (0, 1), (1,)), "concept labels must have"),
        (lambda: PartialClass(AB, ("p", "q"), (0, 0), (1, 1)), "concepts must be distinct"),
        (lambda: PartialClass.from_matrix(["0*"], points=["a"]), "labels must have 2 entries"),
        (lambda: PartialClass.from_matrix([[0, 2]]), "must be 0, 1 or None"),
        (lambda: PartialClass.from_rows([0], [1], ["a", "a"]), "point"),
    ],
)
def test_wrong_entries_and_labels_are_refused(make, message):
    with pytest.raises(DomainError, match=message):
        make()


def test_large_partial_classes_are_refused():
    with pytest.raises(InstanceTooLargeError):
        PartialClass.from_rows(range(1 << 13), range(1 << 13), range(1 << 14))
