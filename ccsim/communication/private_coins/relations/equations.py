"""Equations between Bob's answers, and the games of choosing among them, in floats.

Dependencies of laws are combined by minors so that some inputs have no part. At each choice of
vertices an equation gains, and loses with the error; the best mixture of equations is a game.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Any, TypeAlias

import highspy
import numpy as np

from ccsim.appearance import one_line
from ccsim.programs.quiet import QuietHighs

__all__ = ["Equations", "Games", "Name", "number_of_equations"]

Array: TypeAlias = np.ndarray[Any, np.dtype[Any]]
Name: TypeAlias = tuple[tuple[int, ...], tuple[int, ...]]
"""Dependencies that are combined, and the inputs that are removed."""

_LEAST = 1e-7
_FEW = 128
"""Columns of a game that are all taken up at once."""
_RECENT = 60
"""Columns of the last games with which the next one begins."""
_BETTER = 1e-7
"""What a column of a game must pay more to be taken up."""


def _of_size(number: int, removable: range, size: int) -> Iterator[Name]:
    """Yield what so many of the dependencies give."""
    for used in combinations(range(number), size):
        for removed in combinations(removable, size - 1):
            yield used, removed


def number_of_equations(number: int, messages: int) -> int:
    """Return how many ways there are to combine dependencies, of which messages are removed."""
    sizes = range(1, min(number, messages + 1) + 1)
    return sum(1 for size in sizes for _ in _of_size(number, range(messages), size))


@one_line
@dataclass(frozen=True)
class Equations:
    """All equations of so many dependencies.

    Attributes
    ----------
    number : int
        Of dependencies.
    removable : range
        Inputs that may be removed.

    Examples
    --------
    >>> both = Equations(2, range(1))
    >>> both.names
    [((0,), ()), ((1,), ()), ((0, 1), (0,))]
    >>> both.combined(np.array([[[1.0, -1.0, 0.0]], [[1.0, 0.0, -1.0]]]))[2]
    array([[ 0.,  1., -1.]])
    """

    number: int
    removable: range

    @cached_property
    def _sizes(self) -> list[list[Name]]:
        most = min(self.number, len(self.removable) + 1)
        return [list(_of_size(self.number, self.removable, s)) for s in range(1, most + 1)]

    @cached_property
    def names(self) -> list[Name]:
        """The equations, those of fewer dependencies first."""
        return [name for names in self._sizes for name in names]

    @cached_property
    def _minors(self) -> list[tuple[Array, Array, Array]]:
        """For each size above 1 the dependencies, the first input removed, places of minors."""
        found = []
        for before, names in zip(self._sizes, self._sizes[1:], strict=False):
            place = {name: i for i, name in enumerate(before)}
            minors = [
                [place[(*used[:j], *used[j + 1 :]), removed[1:]] for j in range(len(used))]
                for used, removed in names
            ]
            first = [removed[0] for _, removed in names]
            found.append((np.array([u for u, _ in names]), np.array(first), np.array(minors)))
        return found

    def combined(self, vectors: Array) -> Array:
        """Return the weights of inputs in each equation, given those in each dependence.

        Parameters
        ----------
        vectors : array of float
            For each dependence, choice of vertices and input.
        """
        parts = [vectors]
        for used, first, minors in self._minors:
            total = np.zeros(())
            for j in range(used.shape[1]):
                entries = vectors[used[:, j], :, first][:, :, None]
                total = total + (-1) ** j * entries * parts[-1][minors[:, j]]
            parts.append(total)
        return np.concatenate(parts)


class Games:
    """Games of choosing equations against a choice of vertices.

    Parameters
    ----------
    values : array of float
        One row for each input; ``nan`` outside the promise.
    rounds : int
        Games for a case: the first is for the target, others for what is forced.
    """

    def __init__(self, values: Array, rounds: int) -> None:
        self._rounds = rounds
        outside = np.isnan(values)
        self.width = values.shape[1]
        self._weighed = np.hstack([values == 1, values == 0, outside]).astype(float)
        self._recent = np.zeros(0, dtype=np.intp)
        self._highs = QuietHighs()
        self._highs.setOptionValue("presolve", "off")

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
