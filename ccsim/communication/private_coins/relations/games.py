"""Games of choosing among equations between Bob's answers, in floats.

At each choice of vertices an equation gains, and loses with the error; the best mixture of
equations is a game.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import highspy
import numpy as np

from ccsim.communication.private_coins.relations.compiled_games import best_equations
from ccsim.communication.private_coins.relations.equations import Equations, Name
from ccsim.programs.highs import QuietHighs

Array: TypeAlias = np.ndarray[Any, np.dtype[Any]]
# A column, an equation, and the weight of both, of any sign
Weighed: TypeAlias = tuple[int, Name, float]

_LEAST = 1e-7
_FEW = 128  # columns of a game that are all taken up at once
_RECENT = 60  # columns of the last games with which the next one begins
_BETTER = 1e-7  # what a column of a game must pay more to be taken up


class Games:
    """Games of choosing equations against a choice of vertices."""

    def __init__(self, values: Array, rounds: int) -> None:
        self._rounds = rounds
        outside = np.isnan(values)
        self.width = values.shape[1]
        self._weighed = np.hstack([values == 1, values == 0, outside]).astype(float)
        self._recent = np.zeros(0, dtype=np.intp)
        self._highs = QuietHighs()
        self._highs.setOptionValue("presolve", "off")

    def mixture(
        self, equations: Equations, sides: list[Array], target: float, known: float, _: Array
    ) -> tuple[float, list[Weighed] | None, Array]:
        """Return an error above the known one that equations force, with them, and the chances.

        There are no equations where none was found.
        """
        gains, losses = self.payoffs(equations, sides)
        bound, mixed, chances = self.best(gains, losses, target, known)
        if mixed is None:
            return bound, None, chances
        signed = np.subtract(*np.split(mixed, 2)).reshape(-1, self.width)
        weights = [
            (int(y), equations.names[e], float(signed[e, y])) for y, e in np.argwhere(signed.T != 0)
        ]
        return bound, weights, chances

    def payoffs(self, equations: Equations, sides: list[Array]) -> tuple[Array, Array]:
        """Return what equations gain and lose at each choice of vertices.

        A column is an equation for one of Bob's inputs, which come next to each other; behind all
        of them stand their negatives.
        """
        sizes = [len(side) for side in sides]
        grid = np.indices(sizes).reshape(len(sizes), -1)
        pairs = range(0, len(sides), 2)
        vectors = [sides[i][grid[i]] - sides[i + 1][grid[i + 1]] for i in pairs]
        combined = equations.combined(np.array(vectors)).transpose(1, 0, 2)
        high = np.maximum(combined, 0.0)
        parts = (part @ self._weighed for part in (high, high - combined))
        (more, falling, free), (less, rising, bound) = (np.split(p, 3, axis=2) for p in parts)
        gains = np.stack([more - less - bound, less - more - free], axis=1)
        losses = np.stack([more + rising, less + falling], axis=1)
        return gains.reshape(len(vectors[0]), -1), losses.reshape(len(vectors[0]), -1)

    def best(
        self, gains: Array, losses: Array, target: float, known: float
    ) -> tuple[float, Array | None, Array]:
        """Return an error that a mixture of equations forces, with it, and the chances of choices.

        One equation alone is taken where it forces the target; else the error is above the known
        one, or there is no mixture.
        """
        chances = np.full(len(gains), 1 / len(gains))
        alone = ((gains - target * losses).min(axis=0) >= 0) & (gains.min(axis=0) > _LEAST)
        if alone.any():  # those of few dependencies come first, and negatives behind all others
            first = min(np.flatnonzero(alone), key=lambda i: i % (len(alone) // 2))
            return target, (np.arange(len(alone)) == first).astype(float), chances
        bound, found, t = known, None, target
        for _ in range(self._rounds):
            paid = gains - t * losses
            scales = np.maximum(np.abs(paid).max(axis=0), _LEAST)
            mixed, chances = self._play(paid / scales)
            mixed /= scales
            loss = losses @ mixed
            errors = np.where(loss > 0, gains @ mixed / np.maximum(loss, 1e-300), 0.0)
            if errors.min() > bound + _LEAST:
                bound, found = float(errors.min()), mixed
                if bound >= target:
                    break
            elif t <= bound:
                break
            t = bound
        return bound, found, chances

    def _play(self, paid: Array) -> tuple[Array, Array]:
        """Return the strategies of the game that rows of columns pay for.

        Columns are taken up as they pay: most have no part, and the last games' are a good start.
        """
        size, number = paid.shape
        if number <= _FEW:
            return self._solved(paid)
        begin = np.argsort(-paid.mean(axis=0))[:size]
        recent = self._recent[self._recent < number]  # of a game of more dependencies, maybe
        chosen = np.unique(np.concatenate([recent, begin]))
        while True:
            part, chances = self._solved(paid[:, chosen])
            worth = chances @ paid
            least = worth[chosen].max() + _BETTER
            worth[chosen] = -np.inf
            more = np.argsort(-worth)[: (size + 1) // 2]
            more = more[worth[more] > least]
            if not len(more):
                break
            chosen = np.concatenate([chosen, more])
        used = chosen[part > 0]
        others = self._recent[~np.isin(self._recent, used)]
        self._recent = np.concatenate([used, others])[:_RECENT]
        mixed = np.zeros(number)
        mixed[chosen] = part
        return mixed, chances

    def _solved(self, paid: Array) -> tuple[Array, Array]:
        """Return the strategies where all columns are taken up."""
        size, number = paid.shape
        infinite = highspy.kHighsInf
        dense = np.ones((number + 1, size + 1))
        dense[:number, :size], dense[number, :size], dense[number, size] = paid.T, -1.0, 0.0
        self._highs.passModel(
            number + 1,
            size + 1,
            dense.size,
            int(highspy.MatrixFormat.kColwise),
            int(highspy.ObjSense.kMinimize),
            0.0,
            -np.eye(1, number + 1, number)[0],
            np.concatenate([np.zeros(number), [-infinite]]),
            np.full(number + 1, infinite),
            np.concatenate([np.zeros(size), [1.0]]),
            np.concatenate([np.full(size, infinite), [1.0]]),
            np.arange(0, dense.size + 1, size + 1, dtype=np.int32),
            np.tile(np.arange(size + 1, dtype=np.int32), number + 1),
            dense.ravel(),
            np.zeros(number + 1, dtype=np.int32),
        )
        self._highs.run()
        solution = self._highs.getSolution()
        mixed = np.maximum(solution.col_value[:number], 0.0)
        chances = np.maximum(solution.row_dual[:size], 0.0)
        return mixed, chances / max(chances.sum(), _LEAST)


class CompiledGames:
    """The same games, played by the engine; without it in numpy, with the same answers."""

    def __init__(self, values: Array, rounds: int) -> None:
        self._rounds = rounds
        self._values = np.where(np.isnan(values), -1, values).astype(np.int64)
        self._recent = np.zeros(0, np.int64)

    def mixture(
        self, equations: Equations, sides: list[Array], target: float, known: float, before: Array
    ) -> tuple[float, list[Weighed] | None, Array]:
        """Return what `Games.mixture` returns; begin with the choices of chances before."""
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
