"""Multiclass concept classes: forms in which they are given, files, families and messages."""

import json
from itertools import combinations, product
from math import comb

import numpy as np
import pandas as pd
import pytest

from ccsim import CommunicationProblem, DomainError, UnreadableInputError
from ccsim.classes import (
    ConceptClass,
    MulticlassConceptClass,
    all_labellings,
    as_multiclass,
    first_cantor,
    label_cycle,
    monotone_labellings,
    thresholds,
)
from ccsim.errors import CcsimError, InstanceTooLargeError

ROWS = ((0, 1, 2), (2, 1, 0))


@pytest.mark.parametrize(
    "given",
    [
        ["012", "210"],
        [[0, 1, 2], [2, 1, 0]],
        [["0", "1", "2"], ["2", "1", "0"]],
        np.array([[0, 1, 2], [2, 1, 0]]),
        np.array([[0.0, 1.0, 2.0], [2.0, 1.0, 0.0]]),
        pd.DataFrame([[0, 1, 2], [2, 1, 0]]),
        ((y for y in row) for row in ROWS),
    ],
    ids=lambda given: type(given).__name__,
)
def test_a_matrix_of_labels_may_have_many_forms(given):
    C = as_multiclass(given)
    assert (C.rows, C.labels, C.points, C.concepts) == (ROWS, (0, 1, 2), (0, 1, 2), (0, 1))


def test_names_of_labels_points_and_concepts_are_kept():
    frame = pd.DataFrame([["cat", 7], ["dog", 7]], index=["u", "v"], columns=["p", "q"])
    C = as_multiclass(frame)
    assert (C.points, C.concepts, C.labels) == (("p", "q"), ("u", "v"), (7, "cat", "dog"))
    assert [[C.value(c, x) for x in range(2)] for c in range(2)] == [["cat", 7], ["dog", 7]]
    ordered = MulticlassConceptClass.from_matrix([["b", "a"]], labels=["c", "b", "a"])
    assert (ordered.labels, ordered.rows) == (("c", "b", "a"), ((1, 2),))


def test_boolean_classes_and_total_problems_have_two_labels():
    for given in (thresholds(2), "thresholds:b=2"):
        C = as_multiclass(given)
        assert C.labels == (0, 1)
        assert len(C) == 4
    problem = CommunicationProblem.from_matrix([[0, 1], [1, 1]])
    assert as_multiclass(problem).rows == ((0, 1), (1, 1))


def test_the_graph_class_states_which_points_have_which_labels():
    rng = np.random.default_rng(0)
    for _ in range(30):
        C = as_multiclass(rng.integers(0, 4, (6, 3)))
        graph, literals = C.graph_class(), C.graph_literals()
        assert len(graph) == len(C)
        for c, row in enumerate(C.rows):
            assert [graph.value(c, i) for i in range(len(literals))] == [
                row[x] == y for x, y in literals
            ]
        for x in range(3):
            occur = sorted({row[x] for row in C.rows})
            assert [y for z, y in literals if z == x] == (occur if len(occur) > 2 else occur[1:])


def read(tmp_path, name, text):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return as_multiclass(f"@{path}")


CSV = ",p,q\nu,cat,dog\nv,dog,dog\n"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("f.csv", CSV),
        ("f.tsv", CSV.replace(",", "\t")),
        ("f.json", json.dumps({"points": ["p", "q"], "concepts": ["u", "v"],
                               "rows": [["cat", "dog"], ["dog", "dog"]]})),
    ],
)  # fmt: skip
def test_files_have_names_and_labels(tmp_path, name, text):
    C = read(tmp_path, name, text)
    assert (C.points, C.concepts, C.labels) == (("p", "q"), ("u", "v"), ("cat", "dog"))
    assert (C.rows, C.name) == (((0, 1), (1, 1)), name)


@pytest.mark.parametrize(
    ("text", "points", "concepts"),
    [
        ("0,1,2\n2,1,0\n", (0, 1, 2), (0, 1)),
        ("012\n210\n", (0, 1, 2), (0, 1)),
        ("a,b,c\n0,1,2\n2,1,0\n", ("a", "b", "c"), (0, 1)),
        ("u,0,1,2\nv,2,1,0\n", (0, 1, 2), ("u", "v")),
        ("x,a,b,c\nu,0,1,2\nv,2,1,0\n", ("a", "b", "c"), ("u", "v")),
        (",5,6,7\n8,0,1,2\n9,2,1,0\n", ("5", "6", "7"), ("8", "9")),
    ],
)
def test_names_in_text_files_are_recognised(tmp_path, text, points, concepts):
    C = read(tmp_path, "f.csv", text)
    assert (C.rows, C.points, C.concepts) == (ROWS, points, concepts)


def test_options_state_whether_there_are_names(tmp_path):
    (tmp_path / "f.csv").write_text("a,b\nb,a\n")
    assert len(as_multiclass(f"@{tmp_path}/f.csv")) == 2
    C = as_multiclass(f"@{tmp_path}/f.csv:header=yes,index=yes")
    assert (C.points, C.concepts, C.labels) == (("b",), ("b",), ("a",))


def test_the_instance_of_a_certificate_is_read_as_the_class(tmp_path):
    C = MulticlassConceptClass.from_matrix([["b", "a"], [3, "a"]], ["p", "q"], ["u", "v"])
    assert read(tmp_path, "f.json", json.dumps(C.to_json())) == C
    assert read(tmp_path, "g.json", json.dumps({"instance": C.to_json()})) == C


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ([[0, None]], "entry (0, 1) must be an integer or text, not None"),
        (["01", "2*"], "entry (1, 1) must be a label, not '*'"),
        ([[0, 0.5]], "entry (0, 1) must be an integer or text, not 0.5"),
        ([[0, 1], [1]], "row 1 has 1 entry, but row 0 has 2"),
        ([0, 1], "row 0 must be a list of labels, not 0"),
        ({"a": 1}, "as_multiclass: given must be a MulticlassConceptClass, a ConceptClass, a "
         "total CommunicationProblem, an INSTANCE text or a matrix of labels, not a dict"),
        ("label_cycle:n=3", "label_cycle: unknown parameter n; write label_cycle:k=..."),
        ("label_cycle:k=1", "label_cycle: k must be between 2 and 1024, not 1"),
        ("nothing:k=1", "unknown family 'nothing'"),
    ],
)  # fmt: skip
def test_messages_name_the_place_and_the_rule(given, message):
    with pytest.raises(CcsimError) as caught:
        as_multiclass(given)
    assert str(caught.value).startswith(message)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("f.csv", "", "the file is empty"),
        ("f.csv", "\n \n", "the file is empty"),
        ("f.csv", "0,1\n2\n", "row 2, column 2: expected a row of 2 entries, found a row of 1"),
        ("f.csv", "0,*\n1,2\n", "row 1, column 2: expected a label, found '*'"),
        ("f.csv", "0,1\n\n1,2\n", "row 2, column 1: expected a row of labels, found a blank line"),
        ("f.npy", "x", "a file with more than two labels must end in .csv, .tsv, .txt, .dat"),
        ("f.json", "3", "expected a list of rows or an object with rows, found 3"),
        ("f.json", '{"rows": [[1]], "x": 1}', "unknown key 'x'"),
        ("f.json", "[[1], [[]]]", "row 2, column 1: expected a label, found []"),
        ("f.json", "[[1, 2], [3]]", "row 1 has 1 entry, but row 0 has 2"),
        ("f.json", '{"rows": [[1]], "labels": [2]}', "labels must contain the entry 1"),
        ("f.json", '{"rows": [[0]], "type": "concept class"}', "type must be 'multiclass concept"),
        ("f.json", json.dumps({"type": "multiclass concept class", "labels": ["a"],
                               "rows": [[1]]}),
         "row 1, column 1: expected the number of a label below 1, found 1"),
    ],
)  # fmt: skip
def test_messages_about_files_name_the_place(tmp_path, name, text, message):
    with pytest.raises(UnreadableInputError) as caught:
        read(tmp_path, name, text)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        (((0,), (0,), (0,), ((1,),)), "every entry of rows must be the number of a label below 1"),
        (((0,), (0,), (0,), ((0, 0),)), "every row must have 1 entry, one for each point, not 2"),
        (((0,), (0, 1), (0,), ((0,), (0,))), "rows must be distinct"),
        (((0,), (0,), (0, 0), ((0,),)), "class labels must be distinct, but '0' occurs twice"),
    ],
)
def test_the_constructor_checks_its_fields(fields, message):
    with pytest.raises(DomainError, match=message):
        MulticlassConceptClass(*fields)


def test_families_are_as_defined():
    for n, k in product(range(4), range(1, 4)):
        everything = set(product(range(k), repeat=n))
        assert set(all_labellings(n, k).rows) == everything
        monotone = {row for row in everything if list(row) == sorted(row)}
        assert set(monotone_labellings(n, k).rows) == monotone
        assert len(monotone) == comb(n + k - 1, n)
    for k in range(2, 6):
        near = [
            sum(a != b for a, b in zip(r, s, strict=True)) == 1
            for r, s in combinations(label_cycle(k).rows, 2)
        ]
        assert sum(near) == max(2 * k, 4)
    for n in range(1, 5):
        C = first_cantor(n)
        assert len(C) == 2**n
        for c, name in enumerate(C.concepts):
            inside = {x for x in range(n) if c >> x & 1}
            assert name == "{" + ",".join(map(str, sorted(inside))) + "}"
            assert [C.value(c, x) for x in range(n)] == [
                name if x in inside else "none" for x in range(n)
            ]


@pytest.mark.parametrize(
    "text",
    ["all_labellings:n=20,k=3", "monotone_labellings:n=900,k=900", "first_cantor:n=30"],
)
def test_large_members_are_refused(text):
    with pytest.raises((InstanceTooLargeError, DomainError)):
        as_multiclass(text)


def test_texts_name_the_members():
    for C in (all_labellings(2, 2), monotone_labellings(2, 3), label_cycle(3), first_cantor(2)):
        assert as_multiclass(C.name) == C
    assert str(label_cycle(3)) == "label_cycle:k=3: 6 concepts over 2 points, 3 labels"
    assert MulticlassConceptClass.from_class(ConceptClass.from_rows([1], [0])).rows == ((1,),)
