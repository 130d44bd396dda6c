"""Minimax errors by listing all deterministic protocols, and a linear program of scipy."""

from itertools import combinations, product

import numpy as np
from scipy.optimize import linprog


def parts(lines):
    """Yield the pairs of a nonempty subset and the rest."""
    for size in range(1, len(lines)):
        for part in combinations(lines, size):
            yield part, tuple(i for i in lines if i not in part)


class Trees:
    """The sets of inputs on which trees answer 1, as frozen bit masks over all inputs."""

    def __init__(self, shape):
        self.shape, self._known = shape, {}

    def answers(self, bits, rounds=None):
        rows, columns = map(tuple, map(range, self.shape))
        changes = bits if rounds is None else rounds - 1
        return set().union(*(self._of(rows, columns, bits, s, changes) for s in (0, 1)))

    def _of(self, rows, columns, bits, speaker, changes):
        key = rows, columns, bits, speaker, changes
        if key in self._known:
            return self._known[key]
        everything = sum(1 << x * self.shape[1] + y for x, y in product(rows, columns))
        found = {0, everything}
        for side in (0, 1) if bits else ():
            left = changes - (side != speaker)
            if left < 0:
                continue
            for own in parts((rows, columns)[side]):
                below = [
                    self._of(*((p, columns) if side == 0 else (rows, p)), bits - 1, side, left)
                    for p in own
                ]
                found |= {a | b for a, b in product(*below)}
        self._known[key] = found
        return found


def simultaneous(shape, bits):
    """Return the same for simultaneous messages."""
    found = set()
    for i in range(bits + 1):
        numbers = [min(2**b, n) for b, n in zip((i, bits - i), shape, strict=True)]
        for rows in product(range(numbers[0]), repeat=shape[0]):
            for columns in product(range(numbers[1]), repeat=shape[1]):
                blocks = {}
                for x, y in product(*map(range, shape)):
                    block = rows[x], columns[y]
                    blocks[block] = blocks.get(block, 0) | 1 << x * shape[1] + y
                unions = [0]
                for block in blocks.values():
                    unions += [each | block for each in unions]
                found.update(unions)
    return found


def one_way(shape, bits):
    """Return the same if Alice's message has one bit less, and Bob answers."""
    if not bits:
        return {0, (1 << shape[0] * shape[1]) - 1}
    found, (n, m) = set(), shape
    for classes in product(range(min(n, 2 ** (bits - 1))), repeat=n):
        for answers in product(range(1 << m), repeat=max(classes) + 1):
            found.add(sum(answers[c] << x * m for x, c in enumerate(classes)))
    return found


def transposed(masks, shape):
    """Return the sets of inputs with the players exchanged; the shape is that of the masks."""
    n, m = shape
    return {
        sum((mask >> x * m + y & 1) << y * n + x for x, y in product(range(n), range(m)))
        for mask in masks
    }


def minimax(problem, masks):
    """Return the value of the game between inputs and the protocols with the given answers."""
    cells, width = problem.inputs(), len(problem.bob)
    errors = {
        tuple((mask >> x * width + y & 1) != problem.value(x, y) for x, y in cells)
        for mask in masks
    }
    table = np.array(sorted(errors), float).T
    number = table.shape[1]
    done = linprog(
        [0.0] * number + [1.0],
        A_ub=np.hstack([table, -np.ones((len(cells), 1))]),
        b_ub=np.zeros(len(cells)),
        A_eq=[[1.0] * number + [0.0]],
        b_eq=[1.0],
    )
    return done.fun
