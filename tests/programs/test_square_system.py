"""Square systems: solutions satisfy the equations, and singular matrices are recognised."""

# ruff: noqa: S311 - seeds, not secrets

from collections import Counter
from fractions import Fraction
from math import gcd
from random import Random

import flint
import numpy as np
import pytest

from ccsim.programs.square_system import SquareSystem
from tests.cases import every


def system_of(matrix):
    entries = [(i, j, a) for i, row in enumerate(matrix) for j, a in enumerate(row) if a]
    rows, columns = (np.array([e[k] for e in entries], np.int64) for k in (0, 1))
    values = np.array([e[2] for e in entries], dtype=object)
    return SquareSystem(len(matrix), rows, columns, values)


def random_matrix(rng):
    """Return a small matrix, or a larger sparse one, with some long entries."""
    n, number = rng.choice([(rng.randint(1, 8), 4), (rng.randint(31, 45), 5)])
    matrix = [[0] * n for _ in range(n)]
    for i, row in enumerate(matrix):
        diagonal = [i] if rng.random() < 0.98 else []
        for j in [*diagonal, *(rng.randrange(n) for _ in range(rng.randint(0, number)))]:
            row[j] = rng.choice([1, -1, 2, -3, 7, 10**30])
    return matrix


def bordered(diagonal):
    """Return the kernel of the game with this diagonal: entries, a column -1 and a row 1."""
    n = len(diagonal)
    rows = [[a * (i == j) for j in range(n)] + [-1] for i, a in enumerate(diagonal)]
    return [*rows, [1] * n + [0]]


@every("seed", range(200))
def test_solutions_satisfy_both_systems_and_singular_matrices_have_none(seed):
    rng = Random(seed)
    matrix = random_matrix(rng)
    n = len(matrix)
    target = [rng.randint(-9, 9) for _ in range(n)]
    if flint.fmpz_mat(matrix).det() == 0:
        with pytest.raises(ZeroDivisionError):
            system_of(matrix).solve(target)
        return
    system = system_of(matrix)
    x, x_scale = system.solve(target)
    y, y_scale = system.solve_transposed(target)
    assert min(x_scale, y_scale) > 0
    for row, b in zip(matrix, target, strict=True):
        assert sum(a * v for a, v in zip(row, x, strict=True)) == b * x_scale
    for column, c in zip(zip(*matrix, strict=True), target, strict=True):
        assert sum(a * v for a, v in zip(column, y, strict=True)) == c * y_scale


def test_both_kinds_of_matrices_occur_at_both_sizes():
    matrices = [random_matrix(Random(seed)) for seed in range(200)]
    found = Counter((len(a) > 8, flint.fmpz_mat(a).det() == 0) for a in matrices)
    assert len(found) == 4
    assert min(found.values()) >= 5


def test_fractions_are_in_lowest_terms():
    """The kernel of the game with the diagonal 2, ..., 41: the value is 1 over a sum of 1/d."""
    diagonal = list(range(2, 42))
    system = system_of(bordered(diagonal))
    target = [0] * len(diagonal) + [1]
    for numbers, scale in (system.solve(target), system.solve_transposed(target)):
        assert Fraction(scale, numbers[-1]) == sum(Fraction(1, d) for d in diagonal)
        assert gcd(scale, *numbers) == 1
