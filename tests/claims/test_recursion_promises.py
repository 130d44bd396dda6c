"""The functions for Lemma 3.14 are quasi-concave, and their maximum is the promise."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import pytest

from proofs_check.claims.beimel_nissim_stemmer.rec_concave.promises import (
    MILLIONTH,
    NAMES,
    ONE,
    TENTH,
    exact_failure,
    quasi_concave,
    shape,
    step_promise,
)

ACCURACY = Fraction(1, 20)


@pytest.mark.parametrize("best", [1, 1000, 175378])
def test_the_shapes_rise_and_then_fall(best):
    for name in (*NAMES, *map(str, range(100))):
        quality = quasi_concave(name, ACCURACY, best)
        last, place, side = shape(name, ACCURACY)
        assert quality.last == last
        assert quality(place) == quality.highest == best
        top = quality.step_at(place)
        assert all(a < b for a, b in pairwise(quality.values[: top + 1]))
        assert all(a > b for a, b in pairwise(quality.values[top:]))
        far, lost = side[len(side) // 2]
        for point in (place - far, place + far):
            if 0 <= point <= last:
                assert quality(point) == int(best * (1 - lost) // 1)


@pytest.mark.parametrize("depth", [1, 2])
def test_the_promise_is_kept_on_a_hundred_random_functions(depth):
    for seed in range(100):
        last, _, _ = shape(str(seed), ACCURACY)
        promise = step_promise(ACCURACY, TENTH, ONE, MILLIONTH, last, depth)
        failure = exact_failure(str(seed), ACCURACY, promise, depth, ONE, MILLIONTH)
        assert failure.upper <= 2 * TENTH * depth
