"""The best mixture of equations at the vertices of a case, in floats, by the engine or by numpy."""

from __future__ import annotations

from ctypes import c_double, c_int64
from typing import Any, TypeAlias

import numpy as np

from ccsim.communication.private_coins.relations.plain_games import Found, PlainGame, Plan
from ccsim.native import Library

Floats: TypeAlias = np.ndarray[Any, np.dtype[np.float64]]
Integers: TypeAlias = np.ndarray[Any, np.dtype[np.int64]]

_MOST_ROUNDS = 50  # how often an equation and a choice of vertices may join a game

_FLOATS, _INTEGERS = (np.ctypeslib.ndpointer(kind, flags="C_CONTIGUOUS") for kind in ("f8", "i8"))
_TABLES = (_FLOATS, *[c_int64] * 3, _INTEGERS, _INTEGERS, c_int64)
_PLAN = (c_int64, c_int64, *[_INTEGERS] * 4)
_BEGIN = (c_double, c_int64, c_int64, *[_INTEGERS, c_int64] * 2)
_LIBRARY = Library(
    "games",
    {
        "best_equations": (
            c_int64,
            (*_TABLES, *_PLAN, *_BEGIN, _FLOATS, _INTEGERS, _FLOATS, _FLOATS),
        )
    },
)


def best_equations(
    vectors: Floats,
    sizes: Integers,
    values: Integers,
    plan: Plan,
    goals: tuple[float, float, int],
    given: tuple[Integers, Integers],
) -> Found:
    """Return an error that a mixture of equations forces, with it, and chances of vertices."""
    if (library := _LIBRARY.found()) is None:
        return PlainGame(vectors, sizes, values, plan).best(goals, _MOST_ROUNDS, given)
    target, known, games = goals
    room = games * _MOST_ROUNDS + max(map(len, given))
    bound, chances = np.array([known]), np.zeros(sizes.prod())
    columns, shares = np.zeros(room, np.int64), np.zeros(room)
    number = library.best_equations(
        vectors, *vectors.shape, sizes, values, values.shape[1],
        *plan[1].shape, *plan,
        target, games, _MOST_ROUNDS, given[0], len(given[0]), given[1], len(given[1]),
        bound, columns, shares, chances,
    )  # fmt: skip
    if number < 0:
        raise MemoryError
    return float(bound[0]), columns[:number], shares[:number], chances
