"""Noiseless multiplicative weights, and stated sizes, compared with other computations."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import pairwise, product

import numpy as np
import pytest

from ccsim.errors import DomainError
from ccsim.exact import Epsilon
from proofs_check.claims.public_data.constructions.exact_weights import run_exactly
from proofs_check.claims.public_data.constructions.sizes import (
    assisted_sizes,
    cover_logarithms,
    public_size,
    weights_size,
)


def updates_by_hand(run):
    """Return the queries that change unnormalised integer weights, without divisions."""
    scale = run.rate.denominator
    up, down = scale + run.rate.numerator, scale - run.rate.numerator
    common = math.lcm(*(w.denominator for w in run.start), *(t.denominator for t in run.target))
    weights = [int(w * common) for w in run.start]
    target = [int(t * common) for t in run.target]
    made = []
    for _ in range(run.passes):
        for number, query in enumerate(run.queries):
            total = sum(weights)
            off = sum(
                s * (t * total - common * w) for s, t, w in zip(query, target, weights, strict=True)
            )
            if abs(off) * run.alpha.denominator > run.alpha.numerator * total * common:
                sign = 1 if off > 0 else -1
                weights = [
                    w * (up if s == sign else down) for s, w in zip(query, weights, strict=True)
                ]
                made.append((number, sign))
    return tuple(made), [Fraction(w, sum(weights)) for w in weights]


ALL = list(product((1, -1), repeat=4))


@pytest.mark.parametrize("alpha", [Fraction(1, 5), Fraction(1, 2), Fraction(1)])
@pytest.mark.parametrize("share", [Fraction(1, 3), Fraction(1, 2), Fraction(4, 5)])
def test_traces_on_four_points(alpha, share) -> None:
    rng = np.random.default_rng(8)
    for counts in [(1, 0, 0, 0), (0, 1, 0, 1), (3, 0, 2, 1), *rng.integers(1, 5, (6, 4)).tolist()]:
        target = [Fraction(int(c), int(sum(counts))) for c in counts]
        for start in (None, [Fraction(1, 2), Fraction(1, 4), Fraction(1, 8), Fraction(1, 8)]):
            run = run_exactly(ALL, target, alpha, share * alpha, start, 40)
            updates, weights = updates_by_hand(run)
            assert run.updates == updates
            assert list(run.weights) == weights
            assert len(run.updates) <= run.most_updates.lower
            for query, answer in zip(run.queries, run.answers(), strict=True):
                assert abs(answer - sum(s * t for s, t in zip(query, target, strict=True))) <= alpha
            if run.passes < 40:  # then the last weights answer all queries
                for query in run.queries:
                    off = sum(
                        s * (t - w) for s, t, w in zip(query, target, run.weights, strict=True)
                    )
                    assert abs(off) <= alpha


def test_every_update_lowers_the_relative_entropy() -> None:
    target = [Fraction(2, 3), Fraction(1, 3), Fraction(0), Fraction(0)]
    for alpha in (Fraction(1, 4), Fraction(1, 2), Fraction(1)):
        for rate in (alpha / 3, alpha / 2, alpha * Fraction(9, 10)):
            run = run_exactly(ALL, target, alpha, rate, passes=30)
            entropy = [
                sum(float(t) * math.log(t / w) for t, w in zip(target, weights, strict=True) if t)
                for weights in run.history()
            ]
            assert all(
                before - after >= float(alpha) ** 2 / 4 - 1e-12
                for before, after in pairwise(entropy)
            )


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"target": [Fraction(3, 2), Fraction(-1, 2)]}, "target must be a distribution on 2 cells"),
        ({"target": [Fraction(1, 2)] * 3}, "target must be a distribution on 3 cells"),
        ({"target": []}, "target must be a distribution"),
        ({"start": [Fraction(1), Fraction(0)]}, "start must be positive on every cell"),
        ({"queries": [[1, 0]]}, "each query must have 2 signs"),
        ({"alpha": Fraction(2)}, "alpha must be above 0 and below 2, not 2"),
        ({"rate": Fraction(1, 10)}, "rate must be below 1, and from 1/6 to 1/2, not 1/10"),
        ({"passes": 0}, "passes must be at least 1, not 0"),
    ],
)
def test_refusals(given, words) -> None:
    usual = {"queries": [[1, -1]], "target": [Fraction(1), Fraction(0)], "alpha": Fraction(1, 2)}
    with pytest.raises(DomainError, match=words):
        run_exactly(**usual | given)


def test_stated_sizes_by_floats() -> None:
    def stated(log_cells, log_queries, alpha, beta, delta):
        root = math.sqrt(log_cells * math.log(2 / delta))
        inside = log_queries + math.log(128 * log_cells / (alpha**2 * beta))
        return 200 / alpha**2 * root * inside

    one = Epsilon.of(1)
    size = weights_size(200, 200, "1/10", "1/10", one, "1/1000000")
    assert size.records == math.ceil(stated(math.log(200), math.log(200), 0.1, 0.1, 1e-6))
    assert 3.2e6 < size.records < 3.4e6
    assert "constant" in size.warning
    half = weights_size(200, 200, "1/10", "1/10", Epsilon.of("1/2"), "1/1000000")
    assert abs(half.records - 2 * size.records) <= 2
    private, public = assisted_sizes(2, 3, "1/10", "1/5", one, "1/1000000")
    assert public == public_size(2, "1/10", "1/5")
    by_union = 16 / 0.1 * math.log2(4 / 0.2), 64 * 2 / 0.1 * math.log2(48 / 0.1)
    assert public.records == math.ceil(max(by_union))
    concepts = 2 * math.log(math.e * public.records / 2)
    cells = 3 * (1 + concepts - math.log(3))
    found = cover_logarithms(2, 3, public.records)
    assert [float(x.upper) for x in found] == pytest.approx([concepts, cells])
    assert private.records == math.ceil(stated(cells, concepts, 0.05, 0.1, 1e-6))


def test_the_public_size_makes_the_double_sample_bound_small() -> None:
    """``2 (2 e m / d)^(2 d) 2^(-alpha m / 8) <= beta / 2``, in logarithms."""
    for d, alpha, beta in product(
        (1, 2, 10), (Fraction(1, 2), Fraction(1, 100)), (Fraction(1, 2), Fraction(1, 1000))
    ):
        m = public_size(d, alpha, beta).records
        bound = 1 + 2 * d * math.log2(2 * math.e * m / d) - float(alpha) * m / 8
        assert bound <= math.log2(beta / 2)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: weights_size(1, 5, "1/2", "1/2", Epsilon.of(1), "1/2"), "cells must be at leas"),
        (
            lambda: weights_size(2, 5, 1, "1/2", Epsilon.of(1), "1/2"),
            "alpha must be strictly between",
        ),
        (lambda: weights_size(2, 5, "1/2", "1/2", Epsilon.of(0), "1/2"), "epsilon must be pos"),
        (
            lambda: weights_size(2, 5, "1/2", "1/2", Epsilon.of(1), 0),
            "delta must be strictly between",
        ),
        (lambda: public_size(0, "1/2", "1/2"), "VC dimension must be at least 1, not 0"),
        (lambda: cover_logarithms(3, 1, 2), "public records at least the VC dimension"),
    ],
)
def test_sizes_out_of_range(make, words) -> None:
    with pytest.raises(DomainError, match=words):
        make()
