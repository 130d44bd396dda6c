"""Mixtures of protocols in a case: C and numpy give the same mixture, which is optimal."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from scipy.optimize import linprog

from ccsim import native
from ccsim.communication.private_coins.mixtures import best_cut, best_mixture


def cases(number, inputs, columns, seed=0):
    """Yield random cases; odd ones have promises, and every third one has the first vertices."""
    random = np.random.default_rng(seed)
    for i in range(number):
        n, m, k = (int(random.integers(2, most + 1)) for most in (inputs, columns, 3))
        values = random.integers(-(i % 2), 2, (n, m)).astype(np.int8)
        values[0, 0] = 1
        distributions = (
            random.dirichlet(np.ones(k), (n, k)) if i % 3 else np.tile(np.eye(k), (n, 1, 1))
        )
        sizes = random.integers(1, k + 1, n).astype(np.int8)
        ends = np.sort(random.random((2, m, k)), axis=0)
        weights = np.where(values >= 0, random.random((n, m)), 0.0)
        old = int(random.integers(0, 4))
        corners = (
            random.integers(0, sizes, (old, n)).astype(np.int8),
            random.integers(0, 2, (old, m, k)).astype(np.int8),
        )
        yield (values, distributions, sizes, ends), (weights / weights.sum(), *corners)


def errors_of(case, vertices, high):
    """Return the errors of a corner on the inputs inside the promise."""
    values, distributions, _, ends = case
    found = []
    for x, y in np.argwhere(values >= 0):
        distribution = distributions[x, vertices[x]]
        p = sum(distribution[j] * ends[high[y, j], y, j] for j in range(len(distribution)))
        found.append(1 - p if values[x, y] else p)
    return np.array(found)


def signed(values, weights):
    return np.where(values >= 0, (weights + 0.002) * (2.0 * (values == 1) - 1), 0.0)


def mixtures_and_cuts(given):
    for i, (case, begin) in enumerate(given):
        found = best_mixture(*case, (0.9 if i % 4 else 0.3, 0.003 * (i % 5)), begin)
        yield found
        if len(found[2]):
            yield best_cut(signed(case[0], found[1]), *case[1:], found[2:], 0.05 * (i % 3))


def test_c_and_numpy_find_the_same_mixtures_and_cuts(monkeypatch):
    given = list(cases(150, 5, 6))
    in_c = list(mixtures_and_cuts(given))
    monkeypatch.setattr(native, "engine", lambda: None)
    in_numpy = list(mixtures_and_cuts(given))
    assert len(in_c) > 250
    for one, other in zip(in_c, in_numpy, strict=True):
        for a, b in zip(one, other, strict=True):
            assert np.array_equal(a, b)


@pytest.mark.parametrize("has_engine", [True, False])
def test_the_best_mixture_is_that_of_a_linear_program_over_all_corners(monkeypatch, has_engine):
    if not has_engine:
        monkeypatch.setattr(native, "engine", lambda: None)
    for case, begin in cases(12, 2, 2, seed=1):
        values, _, sizes, ends = case
        corners = [
            errors_of(case, vertices, np.array(high).reshape(ends.shape[1:]))
            for vertices in product(*map(range, sizes))
            for high in product(range(2), repeat=ends[0].size)
        ]
        errors = np.array(corners).T
        least = linprog(
            np.append(np.zeros(errors.shape[1]), 1),
            np.hstack([errors, -np.ones((len(errors), 1))]),
            np.zeros(len(errors)),
            [np.append(np.ones(errors.shape[1]), 0)],
            [1],
        ).fun
        bound, weights, shares, *mixture = best_mixture(*case, (1.0, 0.0), begin)
        mixed = sum(
            share * errors_of(case, *corner)
            for share, *corner in zip(shares, *mixture, strict=True)
        )
        assert shares.sum() == pytest.approx(1)
        assert bound == pytest.approx(least, abs=1e-7)
        assert mixed.max() == pytest.approx(least, abs=1e-7)
        assert weights.sum() == pytest.approx(1)
        assert (weights[values >= 0] @ errors).min() == pytest.approx(bound, abs=1e-9)


def test_a_bound_that_is_enough_needs_no_mixture():
    for case, begin in cases(4, 3, 3):
        bound, weights, shares, vertices, high = best_mixture(*case, (0.0, 0.0), begin)
        assert bound >= 0
        assert np.array_equal(weights, begin[0])
        assert len(shares) == len(vertices) == len(high) == 0


def test_a_cut_takes_a_much_longer_edge_of_the_simplex():
    """The mixture gains at the first two vertices; the third vertex is far from both."""
    distributions = np.array([[[0.6, 0.4, 0], [0.5, 0.5, 0], [0, 0, 1.0]]])
    ends = np.stack([np.zeros((1, 3)), np.ones((1, 3))])
    mixture = np.array([0.5, 0.5]), np.array([[0], [1]], np.int8), np.zeros((2, 1, 3), np.int8)
    mixture[2][0, 0, 0] = mixture[2][1, 0, 1] = 1
    cut = best_cut(np.ones((1, 1)), distributions, np.array([3], np.int8), ends, mixture, 0.01)
    assert cut[1:4] == (0, 0, 2)
    assert cut[0] == pytest.approx(0.05)  # half of what each answer gains: 0.5 x 0.5 x 0.1 x 2
    assert best_cut(np.ones((1, 1)), distributions, np.array([2], np.int8), ends, mixture, 0.01)[
        1:4
    ] == (
        0,
        0,
        1,
    )
    assert (
        best_cut(np.ones((1, 1)), distributions, np.array([3], np.int8), ends, mixture, 0.2)[1]
        == -1
    )
