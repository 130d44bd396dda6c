"""Classes and problems in all accepted forms give the same answer."""

from __future__ import annotations

import inspect
import itertools
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings

import ccsim
from ccsim.budget import Budget
from ccsim.classes.given import as_class
from ccsim.communication.given import as_problem
from ccsim.errors import DomainError, InstanceTooLargeError, NotDecidedError, UnreadableInputError
from tests.strategies import concept_classes, problems
from tests.test_argument_types import FUNCTIONS, arguments_of

ASKED = [
    (name, key)
    for name, member in FUNCTIONS.items()
    for key, parameter in inspect.signature(member).parameters.items()
    if parameter.annotation in {"ClassLike", "PartialClassLike", "ProblemLike"}
]


def matrix_of(C):
    return [[C.value(c, x) for x in range(len(C.points))] for c in range(len(C))]


def test_every_question_about_a_class_or_a_problem_takes_all_forms():
    strict = {"ConceptClass", "CommunicationProblem"}
    for name, member in FUNCTIONS.items():
        kinds = {str(p.annotation) for p in inspect.signature(member).parameters.values()}
        assert not kinds & strict, name
    assert len(ASKED) > 30


@pytest.mark.parametrize(("name", "key"), ASKED)
def test_all_forms_of_the_same_class_have_the_same_answer(name, key):
    text, C = "points:b=1", ccsim.points(1)
    forms = [C, text, ccsim.evaluation_problem(C)]
    answers = [FUNCTIONS[name](**{**arguments_of(name), key: form}) for form in forms]
    if name == "sign_rank":  # asked of a class, it is a dimension of the class
        assert answers[0].instance is C
        answers[0] = replace(answers[0], instance=forms[2])
    assert answers[1:] == answers[:-1]
    matrix = [[1, 0], [0, 1]]
    forms = [matrix, map(tuple, matrix), np.array(matrix), np.array(matrix, dtype=float)]
    answers = [FUNCTIONS[name](**{**arguments_of(name), key: form}) for form in forms]
    assert answers[1:] == answers[:-1]


@given(concept_classes())
@settings(max_examples=50, derandomize=True, deadline=None)
def test_a_class_is_its_rows(C):
    assert as_class(C) is C
    assert as_class(matrix_of(C)).rows == C.rows
    if C.rows and C.points:
        assert as_class(ccsim.evaluation_problem(C)) == C
        assert as_problem(C) == ccsim.evaluation_problem(C)


@given(problems())
@settings(max_examples=50, derandomize=True, deadline=None)
def test_a_problem_is_its_values(f):
    table = [[f.value(x, y) for y in range(len(f.bob))] for x in range(len(f.alice))]
    again = as_problem(table)
    assert as_problem(f) is f
    assert (again.ones, again.promise) == (f.ones, f.promise)
    stars = [["*" if value is None else value for value in row] for row in table]
    assert as_problem(stars) == again
    if f.is_total:
        assert set(as_class(f).rows) == set(f.ones)
    else:
        with pytest.raises(DomainError, match="has a promise"):
            as_class(f)


def test_a_file_is_read(tmp_path):
    (tmp_path / "f.csv").write_text("0,1\n1,1\n")
    text = f"@{tmp_path / 'f.csv'}:header=no,index=no"
    assert as_class(text).rows == (2, 3)
    assert as_problem(text).ones == (2, 3)
    (tmp_path / "f.csv").write_text("0,*\n1,1\n")
    assert ccsim.minimax_error(text, 1).value == ccsim.minimax_error([[0, None], [1, 1]], 1).value
    with pytest.raises(
        UnreadableInputError, match="row 1, column 2: a concept class must have 0 or 1 here"
    ):
        ccsim.effective_domain_size(text)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ([0, 1], "row 0 must be a list of entries, not 0"),
        ([[0], None], "row 1 must be a list of entries, not None"),
        ([[0], "x"], r"row 1 must be a list of entries or a string of 0, 1 and \*, not 'x'"),
        (["01", "1"], "row 1 has 1 entry, but row 0 has 2"),
        ([[0], {0: 1}], "row 1 must be a list of entries, not a dict"),
        ([[0, 1], [1]], "row 1 has 1 entry, but row 0 has 2"),
        ([[0, 0.5]], r"entry \(0, 1\) must be 0(, 1 or None| or 1), not 0.5"),
        ([[0, "2"]], r"entry \(0, 1\) must be 0(, 1 or None| or 1), not '2'"),
        (np.array([1, 0]), "row 0 must be a list of entries, not np.int64"),
        (np.array(1), "a matrix must be a list of rows, not a ndarray"),
        (np.zeros((2, 2, 2)), r"entry \(0, 0\) must be 0(, 1 or None| or 1), not a ndarray"),
        (np.array([[0, 0.5]]), r"entry \(0, 1\) must be 0(, 1 or None| or 1), not 0.5"),
    ],
)
def test_what_is_no_matrix_is_refused_in_one_line(given, message):
    for convert in (as_class, as_problem):
        with pytest.raises(DomainError, match=f"^{message}") as caught:
            convert(given)
        assert "\n" not in str(caught.value)


def test_rows_without_end_are_refused(monkeypatch):
    monkeypatch.setattr("ccsim.texts.labels.MAX_ENTRIES", 1 << 20)  # what is read before
    with pytest.raises(InstanceTooLargeError):
        as_class([itertools.repeat(0)])
    with pytest.raises(InstanceTooLargeError):
        as_problem(itertools.repeat([0] * 4096))


def test_the_time_limit_counts_the_reading_of_a_text_as_well():
    def clock():  # each look is a second
        return float(next(ticks))

    ticks = itertools.count()
    with pytest.raises(NotDecidedError, match="the instance was not built within the time limit"):
        ccsim.vc_dimension("balls:b=2,d=2", time_limit=Budget(1, clock=clock))
    assert ccsim.vc_dimension("thresholds:b=3", time_limit=0).upper == 3
