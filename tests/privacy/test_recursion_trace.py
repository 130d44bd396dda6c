"""The trace of RecConcave: draws have the joint distribution, and levels are stated correctly."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import numpy as np
import pytest

from ccsim.exact import Epsilon
from ccsim.exact.steps import StepFunction
from ccsim.privacy.mechanisms.recursive_concave import (
    RecConcave,
    RecursionTrace,
    stretches,
    trace_of_draw,
)
from proofs_check.claims.beimel_nissim_stemmer.constructions.joint_steps import joint_distribution

QUALITY = StepFunction.of([0, 3, 9, 12, 16, 16, 11, 2, 0, 0, 1, 0, 14])
ALGORITHM = RecConcave(
    Fraction(16),
    Fraction(1, 2),
    Epsilon.of("ln 2"),
    Fraction(1, 4),
    2,
    4,
    last_epsilon=Epsilon.of("ln 4"),
    choice_epsilon=Epsilon.of("ln 3"),
)


def decided(trace: RecursionTrace) -> tuple[object, ...]:
    """Return the entries of `joint_distribution`: the innermost point, then those of each call."""
    found: list[object] = []
    for call in reversed(trace.calls):
        for choice in call.choices:
            found += [f.interval if f.released else None for f in choice.families]
        found.append(call.output)
    return tuple(found)


@pytest.mark.parametrize("precision", [None, 128])
def test_traced_draws_follow_the_joint_distribution(precision):
    runs = 1000
    rng = np.random.default_rng(11)
    counts = Counter(
        decided(trace_of_draw(ALGORITHM, QUALITY, rng, precision)) for _ in range(runs)
    )
    joint = joint_distribution(ALGORITHM, QUALITY)
    for outcome, probability in joint.items:
        p = float(probability)
        assert abs(counts.pop(outcome, 0) - runs * p) <= 5 * (runs * p) ** 0.5 + 3
    assert not counts


def brute_lengths(values, j):
    """Return the largest minimum over all intervals of length ``2^j``."""
    return max(min(values[a : a + 2**j]) for a in range(len(values) + 1 - 2**j))


def test_a_trace_says_what_figure_5_says():
    trace = trace_of_draw(ALGORITHM, QUALITY, np.random.default_rng(1))
    outer, inner = trace.calls
    assert (outer.last, outer.extended, inner.last, inner.extended) == (12, 16, 4, 4)
    values = [*(QUALITY(x) for x in range(13)), *[Fraction(0)] * 4]
    L = [*(brute_lengths(values, j) for j in range(5)), Fraction(0)]
    assert outer.lengths == tuple(L)
    assert outer.inner == tuple(min(L[j] - 8, 16 - L[j + 1]) for j in range(5))
    assert outer.handed == inner.promise == Fraction(1, 2) * 16 / 2
    assert (inner.accuracy, inner.handed, inner.lengths, inner.choices) == (
        Fraction(1, 4),
        None,
        (),
        (),
    )
    (choice,) = outer.choices
    assert choice.k == inner.output
    for family, offset in zip(choice.families, (0, 4 << choice.k), strict=True):
        length = 8 << choice.k
        cut = [
            (a, min(a + length - 1, 16), max(values[a : a + length]))
            for a in range(offset, 17, length)
        ]
        if not cut:
            assert (family.interval, family.released) == (None, False)
            continue
        best = max(cut, key=lambda part: (part[2], -part[0]))
        assert family.interval == best[:2]
        rest = [part[2] for part in cut if part != best]
        assert family.lead == (best[2] - max(rest) if rest else None)
    assert any(a <= outer.output <= b for a, b in outer.domain)
    assert trace.output == outer.output


def test_stretches_cover_all_places_once():
    values = tuple(map(Fraction, (5, 5, 5, 3, 3, 0)))
    runs = list(stretches(values))
    assert [v for a, b, v in runs for _ in range(a, b + 1)] == list(values)
    assert runs == [(0, 2, 5), (3, 4, 3), (5, 5, 0)]


def test_the_last_call_draws_from_the_whole_of_its_range():
    call = trace_of_draw(ALGORITHM, QUALITY, np.random.default_rng(1)).calls[-1]
    assert call.domain == ((0, call.last),)
