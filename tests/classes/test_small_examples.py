"""Small examples of functions of `ccsim.classes` that no other test calls by name."""

from __future__ import annotations

import re

import pytest

from ccsim.classes.concept_class import ConceptClass
from ccsim.classes.families.dichotomies import Dichotomy
from ccsim.classes.families.elementary import _value, bit_strings, power_of_two
from ccsim.classes.families.grids import (
    _ball_label,
    _halfspace_label,
    _slabs,
    check_bound,
    check_sides,
    grid_labels,
    vector_text,
)
from ccsim.classes.given import class_from_table
from ccsim.classes.masks import essential_points
from ccsim.classes.matrices import open_matrix, refuse_graph
from ccsim.errors import DomainError, InstanceTooLargeError
from ccsim.texts.sets import LabelledSets, labelled_sets, sets_of_graph


def test_balls_label():
    assert _ball_label(Dichotomy(7, (1, 4, 2)), 3) == "centre (1) radius^2 3/2"


def test_boxes_slabs():
    assert _slabs((2, 2), 1) == [0, 5, 15]


def test_elementary_power_of_two():
    assert power_of_two(3, "points", "b") == 8


def test_elementary_bit_strings():
    assert bit_strings(2) == ["00", "10", "01", "11"]


def test_grids_check_sides():
    with pytest.raises(
        DomainError,
        match=re.escape("balls: sides must be one or more integers of at least 1, not (3, 0)"),
    ):
        check_sides((3, 0), "balls")


def test_grids_check_bound():
    with pytest.raises(
        InstanceTooLargeError,
        match=re.escape("C may have 16777216 x 64 entries; the limit is 67108864"),
    ):
        check_bound(1 << 24, (8, 8), "C")


def test_grids_grid_labels():
    assert (grid_labels((3,)), grid_labels((1, 2))) == ([0, 1, 2], ["(0,0)", "(0,1)"])


def test_grids_vector_text():
    assert vector_text((1, -2)) == "(1,-2)"


def test_halfspaces_label():

    assert (
        _halfspace_label(Dichotomy(8, (4, 4, -5))),
        _halfspace_label(Dichotomy(0, (0, 0, -1))),
    ) == (
        "(1,1)>=2",
        "(0,0)>=1",
    )


def test_polynomials_value():
    assert _value((1, 0, 2), 3, 7) == 4


def test_from_data_madefromdata_from_callable():
    from ccsim.classes import ConceptClass

    assert ConceptClass.from_callable(lambda c, x: int(x >= c), range(3), range(3)).rows == (
        7,
        6,
        4,
    )
    corners = [(0, 0), (0, 1), (1, 1)]
    assert ConceptClass.from_callable(lambda c, x: x <= c, corners, corners).points == (
        "(0, 0)",
        "(0, 1)",
        "(1, 1)",
    )


def test_from_data_madefromdata_from_sets():
    from ccsim.classes import ConceptClass

    C = ConceptClass.from_sets({"fruit": {"fig", "plum"}, "blue": {"plum", "sky"}})
    assert (C.concepts, C.points, C.rows) == (("fruit", "blue"), ("fig", "plum", "sky"), (3, 6))
    with pytest.raises(DomainError, match=re.escape("set 1 must contain only points, not 3")):
        ConceptClass.from_sets([{1}, {2, 3}], points=[1, 2])


def test_from_data_madefromdata_from_boolean_functions():
    from ccsim.classes import ConceptClass

    gates = {"and": lambda x, y: x & y, "or": lambda x, y: x | y}
    C = ConceptClass.from_boolean_functions(gates)
    assert (C.points, C.concepts, C.rows) == (("00", "10", "01", "11"), ("and", "or"), (8, 14))


def test_from_data_madefromdata_from_graph():
    import networkx

    from ccsim.classes import ConceptClass

    path = networkx.path_graph(["a", "b", "c"])
    assert ConceptClass.from_graph(path, "neighbourhoods").rows == (2, 5)
    assert ConceptClass.from_graph(path, "cliques").concepts == (
        "{}",
        "{a}",
        "{b}",
        "{c}",
        "{a, b}",
        "{b, c}",
    )
    cuts = ConceptClass.from_graph(path, "cuts")
    assert (cuts.points, cuts.concepts, cuts.rows) == (
        ("a-b", "b-c"),
        ("{}", "{b}", "{c}", "{b, c}"),
        (0, 3, 2, 1),
    )


def test_from_table_class_from_table():
    from ccsim.texts.tables import Table

    assert class_from_table(Table("f.csv", "f", ("01", "11", "01"))).merged == 1


def test_graphs_sets_of_graph():
    import networkx

    assert sets_of_graph(networkx.path_graph(3), "closed neighbourhoods", "C").rows == (3, 7, 6)


def test_masks_essential_points():
    assert essential_points(
        ConceptClass.from_matrix([[0, 0, 1, 1], [0, 1, 0, 0], [0, 1, 0, 1]])
    ) == (1, 3)


def test_matrices_open_matrix():
    assert open_matrix([[0, True], ["1.0", None]], "f", partial=True, signs=False).rows == (
        "01",
        "1*",
    )
    assert open_matrix([[1, -1]], "f", partial=False, signs=True).rows == ("01",)


def test_matrices_refuse_graph():
    import networkx

    with pytest.raises(DomainError, match=r"a graph is not a matrix; use ConceptClass\.from_graph"):
        refuse_graph(networkx.path_graph(2))


def test_sets_labelled_sets():
    assert labelled_sets([{2}, {"a", 10}], None, "C") == LabelledSets(
        rows=(1, 6), points=(2, 10, "a"), concepts=(0, 1)
    )
