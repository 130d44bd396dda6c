"""Games over equations between Bob's answers, solved by linear programs in floats."""

from itertools import pairwise

import highspy
import numpy as np

from ccsim.programs.highs import QuietHighs

_LEAST = 1e-7


def combined(equations, vectors):
    """Return the weights of inputs in each equation, from those in each dependency, by minors."""
    sizes = [
        [name for name in equations.names if len(name[0]) == size]
        for size in range(1, 1 + max(len(used) for used, _ in equations.names))
    ]
    parts = [vectors]
    for before, names in pairwise(sizes):
        place = {name: i for i, name in enumerate(before)}
        total = np.zeros((len(names), *vectors.shape[1:]))
        for i, (used, removed) in enumerate(names):
            for j, d in enumerate(used):
                minor = parts[-1][place[(*used[:j], *used[j + 1 :]), removed[1:]]]
                total[i] += (-1) ** j * vectors[d, :, removed[0]][:, None] * minor
        parts.append(total)
    return np.concatenate(parts)


class ReferenceGames:
    """The games in which equations play against choices of vertices."""

    def __init__(self, values, rounds):
        self._rounds = rounds
        self.width = values.shape[1]
        self._weighed = np.hstack([values == 1, values == 0, np.isnan(values)]).astype(float)

    def mixture(self, equations, sides, target, known, _):
        """Return a forced error above `known`, the equations, and the weights of vertices."""
        gains, losses = self.payoffs(equations, sides)
        bound, mixed, chances = self.best(gains, losses, target, known)
        if mixed is None:
            return bound, None, chances
        signed = np.subtract(*np.split(mixed, 2)).reshape(-1, self.width)
        weights = [
            (int(y), equations.names[e], float(signed[e, y])) for y, e in np.argwhere(signed.T != 0)
        ]
        return bound, weights, chances

    def payoffs(self, equations, sides):
        """Return the gains and losses of equations at each choice of vertices.

        A column is an equation for one input of Bob; the columns of his inputs are adjacent. The
        negatives of all equations follow.
        """
        sizes = [len(side) for side in sides]
        grid = np.indices(sizes).reshape(len(sizes), -1)
        pairs = range(0, len(sides), 2)
        vectors = [sides[i][grid[i]] - sides[i + 1][grid[i + 1]] for i in pairs]
        weights = combined(equations, np.array(vectors)).transpose(1, 0, 2)
        high = np.maximum(weights, 0.0)
        parts = (part @ self._weighed for part in (high, high - weights))
        (more, falling, free), (less, rising, bound) = (np.split(p, 3, axis=2) for p in parts)
        gains = np.stack([more - less - bound, less - more - free], axis=1)
        losses = np.stack([more + rising, less + falling], axis=1)
        return gains.reshape(len(vectors[0]), -1), losses.reshape(len(vectors[0]), -1)

    def best(self, gains, losses, target, known):
        """Return a forced error, the mixture of equations, and the weights of vertices.

        A single equation is returned if it forces the target. Otherwise the error is above `known`,
        or there is no mixture.
        """
        chances = np.full(len(gains), 1 / len(gains))
        alone = ((gains - target * losses).min(axis=0) >= 0) & (gains.min(axis=0) > _LEAST)
        if alone.any():
            return target, (np.arange(len(alone)) == alone.argmax()).astype(float), chances
        bound, found, t = known, None, target
        for _ in range(self._rounds):
            paid = gains - t * losses
            scales = np.maximum(np.abs(paid).max(axis=0), _LEAST)
            mixed, chances = solved(paid / scales)
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


def solved(paid):
    """Return optimal strategies of a game in which columns pay rows."""
    size, number = paid.shape
    infinite = highspy.kHighsInf
    dense = np.ones((number + 1, size + 1))
    dense[:number, :size], dense[number, :size], dense[number, size] = paid.T, -1.0, 0.0
    highs = QuietHighs()
    highs.passModel(
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
    highs.run()
    solution = highs.getSolution()
    mixed = np.maximum(solution.col_value[:number], 0.0)
    chances = np.maximum(solution.row_dual[:size], 0.0)
    return mixed, chances / max(chances.sum(), _LEAST)
