"""Wrong objects, given to all public functions, are used or refused in one line."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from dataclasses import fields
from fractions import Fraction

import networkx as nx
import numpy as np
import pytest

import ccsim
from ccsim.exact import Epsilon
from ccsim.privacy import advanced_composition
from ccsim.privacy.mechanisms.randomized_response import RandomizedResponse
from tests.cases import every
from tests.test_argument_types import (
    CALLED_BACK,
    CLASS,
    FUNCTIONS,
    PARAMETERS,
    PROBLEM,
    PROTOCOL,
    SETS,
    STRANGE,
    arguments_of,
)

PUBLIC = ccsim.PublicCoinProtocol.mixture([(1, PROTOCOL)])
REPRESENTATION = ccsim.ProbabilisticRepresentation.mixture([(1, SETS)])
TREE = ccsim.littlestone_dimension(CLASS).tree
MECHANISM = RandomizedResponse((0, 1), Epsilon.of("ln 3"))

HUGE = 10**400
WRONG = (
    [],
    [[]],
    [[0, 1], [1]],
    [["a"]],
    [[[]]],
    [math.nan],
    np.zeros((2, 2)),
    np.array([[0.5, 1.0], [0.0, 1.0]]),
    np.array([1, 2]),
    np.zeros((2, 2, 2)),
    np.float64(0.5),
    np.int64(1),
    {1: 2},
    {"ab": 1},
    {(0, 0): "1/2", (1, 1): "1/2"},
    {(0, 0): Fraction(3, 2), (0, 1): Fraction(-1, 2)},
    Counter("ab"),
    {1, 2},
    frozenset({(0, 1)}),
    range(3),
    b"ab",
    1j,
    HUGE,
    -HUGE,
    Fraction(HUGE, 3),
    math.inf,
    -math.inf,
    ccsim.ConceptClass,
    ValueError,
    ccsim.CcsimError("x"),
    "points:b=-1",
    "thresholds:b=99",
    "x:y=z",
    "@no such file",
    "\n\n",
    "1/0",
    "0" * 5000,
    "ln 0",
    PUBLIC,
    PROTOCOL.to_private_coin(),
    REPRESENTATION,
    TREE,
    MECHANISM,
    Epsilon.of(1),
)
ITERATORS = (  # made anew for each call, as they end
    lambda: ([x, 1 - x] for x in (0, 1)),
    lambda: iter([]),
    lambda: itertools.repeat([0, 1], 3),
)


def given():
    yield from STRANGE
    yield from WRONG
    for make in ITERATORS:
        yield make()


def refusal(call, value):
    """Return the message with which a value is refused; None if it is accepted."""
    try:
        call(value)
    except ccsim.CcsimError as error:
        return str(error)
    return None


def used_or_refused(call, without=()):
    for value in given():
        if not any(value is each for each in without):
            message = refusal(call, value)
            assert message is None or len(message.splitlines()) == 1, value


@every("name, key", PARAMETERS)
def test_functions(name, key):
    good = arguments_of(name)
    endless = [HUGE] if key == "tries" else []  # it tries as often as it is told to
    if key not in CALLED_BACK:  # those are called, and may fail as they like
        used_or_refused(lambda value: FUNCTIONS[name](**{**good, key: value}), endless)


MADE = (CLASS, PROBLEM, PROTOCOL, PUBLIC, PROTOCOL.to_private_coin(), SETS, REPRESENTATION, TREE)


@pytest.mark.parametrize("made", MADE, ids=lambda made: type(made).__name__)
def test_constructors(made):
    good = {field.name: getattr(made, field.name) for field in fields(made) if field.init}
    for key in good:
        used_or_refused(lambda value, key=key: type(made)(**{**good, key: value}))


OTHER_WAYS = {
    ccsim.ConceptClass.from_matrix: {
        "matrix": [[0, 1]],
        "points": [0, 1],
        "concepts": [0],
        "name": "",
    },
    ccsim.ConceptClass.from_rows: {"rows": [1], "points": [0, 1], "concepts": [0], "name": ""},
    ccsim.ConceptClass.from_callable: {
        "function": lambda _c, _x: 0,
        "concepts": [0],
        "points": [0],
        "name": "",
    },
    ccsim.ConceptClass.from_sets: {"sets": [[0]], "points": [0, 1], "name": ""},
    ccsim.ConceptClass.from_graph: {
        "graph": nx.path_graph(2),
        "sets": "cuts",
        "name": "",
    },
    ccsim.ConceptClass.from_boolean_functions: {
        "functions": [min],
        "variables": 2,
        "name": "",
    },
    ccsim.CommunicationProblem.from_callable: {
        "function": lambda _x, _y: 0,
        "alice": [0],
        "bob": [0],
        "name": "",
    },
    ccsim.CommunicationProblem.from_matrix: {
        "matrix": [[0, 1]],
        "alice": [0],
        "bob": [0, 1],
        "name": "",
    },
    ccsim.HypothesisSet.from_rows: {"rows": [1], "num_points": 2},
    ccsim.HypothesisSet.from_matrix: {"matrix": [[0, 1]]},
    ccsim.ProbabilisticRepresentation.mixture: {"components": [(1, SETS)]},
    ccsim.PublicCoinProtocol.mixture: {"components": [(1, PROTOCOL)]},
    ccsim.MistakeTree.from_json: {"value": [0]},
    CLASS.restrict: {"point": 0, "label": 0},
    CLASS.subclass: {"concepts": [0]},
    CLASS.project: {"points": [0]},
    TREE.node: {"path": ""},
    TREE.leaf: {"path": "0"},
    ccsim.audit: {"mechanism": MECHANISM, "epsilon": 1, "delta": 0, "neighbours": 1},
}


@pytest.mark.parametrize("way", OTHER_WAYS, ids=lambda way: way.__qualname__)
def test_other_ways_to_objects(way):
    good = OTHER_WAYS[way]
    way(**good)
    for key in good:
        if key not in {"function", "functions"}:  # they are called, and may fail as they like
            used_or_refused(lambda value, key=key: way(**{**good, key: value}))


def test_how_an_audit_is_done():
    used_or_refused(lambda value: ccsim.audit(MECHANISM, 1, 0, 1, time_limit=value))
    used_or_refused(
        lambda value: callable(value) or ccsim.audit(MECHANISM, 1, 0, 1, progress=value)
    )


@pytest.mark.parametrize(
    "call",
    [
        ccsim.thresholds,
        ccsim.equality,
        ccsim.representation.plane_lines,
        lambda value: advanced_composition(value, 0, 30, "1/10"),
        lambda value: advanced_composition(Fraction(1, value), 0, 30, "1/10"),
    ],
)
def test_numbers_that_python_does_not_write_out_are_refused_by_their_size(call):
    message = refusal(call, 10**5000)
    assert message.endswith(
        (
            ": numbers must have at most 4000 digits, not a number of 16610 bits",
            ": numbers must have at most 4000 digits, not a fraction of 16610 bits",
        )
    )
