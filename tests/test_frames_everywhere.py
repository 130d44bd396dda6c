"""Public functions read the entries of a data frame, never its column names, or refuse it."""

from contextlib import suppress
from fractions import Fraction

import numpy as np
import pytest

import ccsim
from ccsim.classes import ConceptClass
from ccsim.communication.hard_distribution import HardDistribution
from ccsim.exact.distribution import Distribution
from ccsim.exact.fractions import probability_vector
from ccsim.exact.steps import StepFunction
from ccsim.frames import rows_in
from ccsim.interchange import TwoPlayerGame
from ccsim.programs import LinearProgram, enclose_matrix_game, solve_matrix_game
from ccsim.representation import HypothesisSet
from tests.cases import every
from tests.classes.test_frames import Frame
from tests.test_argument_types import CALLED_BACK, FUNCTIONS, PARAMETERS, arguments_of


class Watched(Frame):
    """A frame that raises if it is iterated, because this yields column names."""

    def __iter__(self):
        raise AssertionError("the names of the columns are read")


FRAMES = [
    Watched([[0, 1], [1, 0]], index=["a", "b"], columns=["00", "11"]),
    Watched([["1/2", 0], [0, "1/2"]], index=[0, 1], columns=["1/2", "1/2 "]),
    Watched([[3, 1], [1, 2]], index=[0, 1], columns=[7, 9]),
]


def check(call):
    for frame in FRAMES:
        with suppress(ccsim.CcsimError):
            call(frame)


@every("name, key", PARAMETERS)
def test_functions(name, key):
    if key not in CALLED_BACK:
        good = arguments_of(name)
        check(lambda value: FUNCTIONS[name](**{**good, key: value}))


WAYS = {
    "class": ConceptClass.from_matrix,
    "sets": ConceptClass.from_sets,
    "points": lambda labels: ConceptClass.from_rows([1], labels),
    "problem": ccsim.CommunicationProblem.from_matrix,
    "hypotheses": HypothesisSet.from_matrix,
    "distribution": HardDistribution.from_matrix,
    "game": solve_matrix_game,
    "enclosed game": enclose_matrix_game,
    "written game": TwoPlayerGame.zero_sum,
    "joint distribution": Distribution.from_table,
    "weights": Distribution.from_weights,
    "uniform": Distribution.uniform,
    "probabilities": probability_vector,
    "steps": StepFunction.of,
    "objective": lambda costs: LinearProgram.minimise(costs, []),
    "constraint": lambda row: LinearProgram.minimise([1, 1], [(row, "<=", 1)]),
    "rows": lambda matrix: rows_in(matrix, "it"),
}


@pytest.mark.parametrize("way", WAYS)
def test_other_ways(way):
    check(WAYS[way])


def test_a_game_is_the_entries_of_a_frame():
    frame = Frame([[3, 1], [1, 2]], index=["a", "b"], columns=["7", "9"])
    assert solve_matrix_game(frame).value == Fraction(5, 3)
    assert solve_matrix_game(np.array([[3, 1], [1, 2]])).value == Fraction(5, 3)
    lower, upper = (getattr(enclose_matrix_game(frame), end) for end in ("lower", "upper"))
    assert lower <= Fraction(5, 3) <= upper
    for wrong in ("12", {1: 2}, [{1, 2}], [[1], "2"], 7):
        with pytest.raises(ccsim.errors.DomainError, match="must be a list of"):
            solve_matrix_game(wrong)
