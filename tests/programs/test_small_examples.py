"""Small examples of functions of `ccsim.programs` that no other test calls by name."""

from __future__ import annotations

from ccsim.programs.game import GrowingGame
from ccsim.programs.sign_vectors import _along_a_curve


def test_game_program_growinggame_add_row():
    game = GrowingGame(1)
    game.add_column([0])
    game.add_column([])
    game.add_row([1])
    assert round(game.solve()[0], 6) == 0.5


def test_sign_vectors_along_a_curve():
    assert _along_a_curve([[1, 1, -1], [1, -1, -1]]) == (
        [[3, -2], [1, -2]],
        [[1, 0], [1, 1], [1, 2]],
    )
