"""The probability that public points are a net, by enumeration of all samples."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

from ccsim import ConceptClass
from ccsim.classes import intervals, points, random_class, thresholds
from ccsim.errors import DomainError, InstanceTooLargeError
from ccsim.release.queries.covers import ClassCover
from proofs_check.claims.public_data.constructions.quality.net_families import (
    line_net_probability,
    point_net_probability,
    threshold_net_probability,
)
from proofs_check.claims.public_data.constructions.quality.nets import net_probability
from proofs_check.claims.public_data.constructions.quality.probability import (
    cover_frequency,
    cover_probability,
)

EIGHTHS = [Fraction(1, 8)] * 8
UNEVEN = [Fraction(k, 36) for k in (5, 1, 8, 2, 4, 7, 3, 6)]
WITH_NONE = [Fraction(k, 10) for k in (1, 3, 2, 0, 4)]


def _thresholds(n: int) -> ConceptClass:
    return ConceptClass.from_callable(lambda t, x: int(x < t), range(n + 1), range(n))


def _apart(C: ConceptClass, g: int, h: int, distribution: list[Fraction]) -> Fraction:
    different = (p for x, p in enumerate(distribution) if C.value(g, x) != C.value(h, x))
    return sum(different, Fraction(0))


def _far(C: ConceptClass, distribution: list[Fraction], alpha: Fraction) -> list[tuple[int, int]]:
    pairs = product(range(len(C)), repeat=2)
    return [(g, h) for g, h in pairs if _apart(C, g, h, distribution) > alpha]


def _is_net(C: ConceptClass, far: list[tuple[int, int]], sample: tuple[int, ...]) -> bool:
    """Return whether a sample distinguishes all pairs of distant concepts."""
    return all(any(C.value(g, x) != C.value(h, x) for x in sample) for g, h in far)


def _by_samples(C: ConceptClass, distribution: list[Fraction], m: int, alpha: Fraction) -> Fraction:
    """Return the probability of a net by enumeration of all samples."""
    found, far = Fraction(0), _far(C, distribution, alpha)
    for sample in product(range(len(C.points)), repeat=m):
        if _is_net(C, far, sample):
            part = Fraction(1)
            for x in sample:
                part *= distribution[x]
            found += part
    return found


@pytest.mark.parametrize("distribution", [EIGHTHS, UNEVEN])
@pytest.mark.parametrize("alpha", [Fraction(1, 8), Fraction(2, 9), Fraction(3, 8)])
def test_eight_points(distribution: list[Fraction], alpha: Fraction) -> None:
    for m in (1, 2, 4):
        C = _thresholds(8)
        expected = _by_samples(C, distribution, m, alpha)
        assert net_probability(C, distribution, m, alpha) == expected
        assert threshold_net_probability(distribution, m, alpha) == expected
        one_less = thresholds(3)  # without one of the two constant thresholds
        expected = _by_samples(one_less, distribution, m, alpha)
        assert net_probability(one_less, distribution, m, alpha) == expected
        singles = points(3)
        expected = _by_samples(singles, distribution, m, alpha)
        assert net_probability(singles, distribution, m, alpha) == expected
        assert point_net_probability(distribution, m, alpha) == expected


@pytest.mark.parametrize("distribution", [EIGHTHS[:1] * 4, UNEVEN[:4]])
def test_samples_that_hit_every_point(distribution: list[Fraction]) -> None:
    distribution = [p / sum(distribution) for p in distribution]
    for alpha in (Fraction(0), Fraction(1, 4), Fraction(1, 2)):
        for m in (1, 4, 5):
            expected = _by_samples(points(2), distribution, m, alpha)
            assert point_net_probability(distribution, m, alpha) == expected
            expected = _by_samples(_thresholds(4), distribution, m, alpha)
            assert threshold_net_probability(distribution, m, alpha) == expected


@pytest.mark.parametrize(
    "C", [_thresholds(5), intervals(5), random_class(9, 5, 0), random_class(4, 5, 1)]
)
@pytest.mark.parametrize("alpha", [Fraction(0), Fraction(1, 5), Fraction(3, 10), Fraction(1)])
def test_any_class_against_all_samples(C: ConceptClass, alpha: Fraction) -> None:
    n = len(C.points)
    distribution = [*WITH_NONE[: n - 1], sum(WITH_NONE[n - 1 :], Fraction(0))]
    distribution += [Fraction(0)] * (n - len(distribution))
    for m in (1, 2, 4):
        net = net_probability(C, distribution, m, alpha)
        assert net == _by_samples(C, distribution, m, alpha)
        projected = cover_probability(C, distribution, m, alpha, projected=True)
        assert net <= projected <= cover_probability(C, distribution, m, alpha)


def test_nets_give_the_covers_that_releases_use() -> None:
    """The projection of a `ClassCover` is within the distance that a net guarantees."""
    C, alpha, nets = intervals(5), Fraction(3, 10), 0
    far = _far(C, WITH_NONE, alpha)
    for sample in product(range(5), repeat=3):
        if _is_net(C, far, sample):
            nets += 1
            cover = ClassCover(C, tuple(C.points[x] for x in sample))
            for h, label in enumerate(C.concepts):
                g = C.concepts.index(cover.kept[cover.project(label)])
                assert _apart(C, h, g, WITH_NONE) <= alpha
    assert 0 < nets < 5**3


def test_points_without_atoms_are_the_limit_of_many() -> None:
    exact = line_net_probability(12, "1/5")
    for size in (100, 400):
        near = threshold_net_probability([Fraction(1, size)] * size, 12, "1/5")
        assert 0 < near - exact < Fraction(11, size)
    # two points cut [0, 1] into three parts of at most 1/2 with probability 1/4
    assert line_net_probability(2, "1/2") == Fraction(1, 4)
    assert line_net_probability(1, 1) == 1
    assert line_net_probability(1, "1/3") == 0


@pytest.mark.parametrize("m", [4, 9])
def test_simulations_contain_exact_probabilities(m: int) -> None:
    import numpy as np

    C = intervals(5)
    precise = [Fraction(1, 3**45), Fraction(1, 3), Fraction(1, 3), Fraction(1, 9)]
    precise.append(1 - sum(precise))  # a denominator beyond machine words
    for distribution in (WITH_NONE, precise):
        rng = np.random.default_rng(m)
        found = cover_frequency(C, distribution, m, "3/10", 400, rng, projected=True)
        exact = cover_probability(C, distribution, m, "3/10", projected=True)
        assert found.interval.lower <= exact <= found.interval.upper


def test_bad_arguments() -> None:
    C = thresholds(2)
    for call, words in {
        lambda: net_probability(C, ["1/4"] * 4, 1, "5/4"): "alpha",
        lambda: net_probability(C, ["1/4"] * 4, 0, "1/4"): "m must be at least 1",
        lambda: net_probability(C, ["1/4"] * 3, 1, "1/4"): "each of 4 points",
        lambda: net_probability(
            C.subclass([]), ["1/4"] * 4, 1, "1/4"
        ): "must have at least one concept",
        lambda: threshold_net_probability([], 1, "1/4"): "sum to 1, not 0",
        lambda: point_net_probability(["1/2"] * 3, 1, "1/4"): "sum to 1, not 3/2",
        lambda: line_net_probability(1, 0): "above 0",
    }.items():
        with pytest.raises(DomainError, match=words):
            call()
    with pytest.raises(InstanceTooLargeError, match="at most 16 points, not 32"):
        net_probability(thresholds(5), ["1/32"] * 32, 1, "1/4")
    unlike = [Fraction(2**k, 2**40 - 1) for k in range(40)]
    with pytest.raises(InstanceTooLargeError, match="different masses"):
        threshold_net_probability(unlike, 1, 0)
