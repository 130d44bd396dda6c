"""The trace of RecConcave: its draws follow the joint law, and it says what the levels compute."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import numpy as np
import pytest

from ccsim.exact import Epsilon
from ccsim.exact.steps import StepFunction
from ccsim.privacy.mechanisms.recursion_trace import (
    RecursionTrace,
    stretches,
    trace_of_draw,
    trace_of_law,
)
from ccsim.privacy.mechanisms.recursive_concave import RecConcave

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
SHALLOW = RecConcave(Fraction(16), Fraction(1, 2), Epsilon.of("ln 4"), Fraction(1, 4), 3, 2)


def decided(trace: RecursionTrace) -> tuple[object, ...]:
    """Return what `joint_law` lists: the innermost point, then intervals and point of each call."""
    found: list[object] = []
    for call in reversed(trace.calls):
        for choice in call.choices:
            found += [f.interval if f.released else None for f in choice.families]
        found.append(call.output)
    return tuple(found)


@pytest.mark.parametrize("precision", [None, 128])
def test_traced_draws_follow_the_joint_law(precision):
    runs = 3000
    rng = np.random.default_rng(11)
    counts = Counter(
        decided(trace_of_draw(ALGORITHM, QUALITY, rng, precision)) for _ in range(runs)
    )
    joint = ALGORITHM.joint_law(QUALITY)
    for outcome, probability in joint.items:
        p = float(probability)
        assert abs(counts.pop(outcome, 0) - runs * p) <= 5 * (runs * p) ** 0.5 + 3
    assert not counts


def brute_lengths(values, j):
    """Return the best minimum over all intervals of length ``2^j``."""
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


@pytest.mark.parametrize("algorithm", [ALGORITHM, SHALLOW])
def test_the_trace_of_a_law_has_the_laws_of_the_levels(algorithm):
    trace = trace_of_law(algorithm, QUALITY)
    assert len(trace.calls) == algorithm.calls(QUALITY.last)
    assert trace.output is None
    joint = algorithm.joint_law(QUALITY)
    for number, call in enumerate(reversed(trace.calls)):
        for choice in call.choices:
            place = 3 * (number - 1)  # of what the recursive call returned
            returned = joint.map(lambda outcome, place=place: outcome[place])
            assert choice.probability == returned[choice.k]
            both = joint.map(lambda outcome, place=place: outcome[place : place + 3])
            for i, family in enumerate(choice.families):
                released = sum(
                    (p for outcome, p in both.items if outcome[0] == choice.k and outcome[i + 1]),
                    Fraction(0),
                )
                assert released == family.probability * choice.probability
                assert family.released is None


def test_stretches_cover_all_places_once():
    values = tuple(map(Fraction, (5, 5, 5, 3, 3, 0)))
    runs = list(stretches(values))
    assert [v for a, b, v in runs for _ in range(a, b + 1)] == list(values)
    assert runs == [(0, 2, 5), (3, 4, 3), (5, 5, 0)]


def test_the_choices_of_a_law_are_all_that_a_call_can_return():
    """Their probabilities sum to 1, and there is one for each length."""
    algorithm = RecConcave(Fraction(9), Fraction(1, 2), Epsilon.of("ln 4"), Fraction(1, 8), 3, 4)
    needle = StepFunction.from_steps({0: 0, 9: 9, 10: 0}, 16)
    trace = trace_of_law(algorithm, needle)
    for call in trace.calls[:-1]:
        assert [choice.k for choice in call.choices] == list(range(len(call.inner)))
        assert sum(choice.probability for choice in call.choices) == 1


def test_the_last_call_draws_from_the_whole_of_its_range():
    call = trace_of_draw(ALGORITHM, QUALITY, np.random.default_rng(1)).calls[-1]
    assert call.domain == ((0, call.last),)
