"""Games of choosing among equations between Bob's answers, in floats.

At each choice of vertices an equation gains, and loses with the error; the best mixture of
equations is a game.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

from ccsim.communication.private_coins.relations.compiled_games import best_equations
from ccsim.communication.private_coins.relations.equations import Equations, Name

Array: TypeAlias = np.ndarray[Any, np.dtype[Any]]
# A column, an equation, and the weight of both, of any sign
Weighed: TypeAlias = tuple[int, Name, float]


class Games:
    """Games of choosing equations against a choice of vertices."""

    def __init__(self, values: Array, rounds: int) -> None:
        self._rounds = rounds
        self._values = np.where(np.isnan(values), -1, values).astype(np.int64)
        self._recent = np.zeros(0, np.int64)

    def mixture(
        self, equations: Equations, sides: list[Array], target: float, known: float, before: Array
    ) -> tuple[float, list[Weighed] | None, Array]:
        """Return an error above the known one that equations force, with them, and the chances.

        There are no equations where none was found. It begins with the choices of chances before.
        """
        both = zip(sides[::2], sides[1::2], strict=True)
        pairs = [(a[:, None] - b).reshape(-1, a.shape[1]) for a, b in both]
        sizes = np.array([len(each) for each in pairs])
        vectors = np.zeros((len(pairs), sizes.max(), len(self._values)))
        for each, vector in zip(pairs, vectors, strict=True):
            vector[: len(each)] = each
        chosen = np.flatnonzero(before) if len(before) == sizes.prod() else np.zeros(1, np.int64)
        number, width = len(equations.names), self._values.shape[1]
        recent = self._recent[self._recent < 2 * number * width]
        bound, columns, shares, chances = best_equations(
            vectors,
            sizes,
            self._values,
            equations.plan,
            (target, known, self._rounds),
            (recent, chosen),
        )
        self._recent = columns[shares > 0]
        weights = [
            (
                int(c % width),
                equations.names[c // width % number],
                float(-w if c // width >= number else w),
            )
            for c, w in zip(columns, shares, strict=True)
            if w > 0
        ]
        return bound, weights or None, chances
