"""Covers under a distribution, compared with sums over public samples and pairs of concepts."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import prod

import numpy as np
import pytest

from ccsim.classes import ConceptClass
from ccsim.errors import DomainError, InstanceTooLargeError
from ccsim.instances import parse_class
from ccsim.release.queries.covers import ClassCover
from proofs_check.claims.public_data.constructions.quality.distance import cover_distance
from proofs_check.claims.public_data.constructions.quality.probability import (
    cover_frequency,
    cover_probability,
)
from proofs_check.claims.public_data.constructions.sizes import public_size
from tests.small_classes import random_classes

F = Fraction
DISTRIBUTIONS = {
    "even": [F(1, 8)] * 8,
    "falling": [F(1, 2), F(1, 4), F(1, 8), F(1, 16), F(1, 32), F(1, 64), F(1, 64), F(0)],
}


def distance_by_definition(rows, kept, distribution):
    """Return the largest distance of a concept from its nearest member, point by point."""
    return max(
        min(
            sum(p for x, p in enumerate(distribution) if (r >> x & 1) != (k >> x & 1)) for k in kept
        )
        for r in rows
    )


def probability_by_samples(C, distribution, m, alpha, *, projected):
    """Return the sum over all samples, with the covers of the release."""
    total = F(0)
    rows = dict(zip(C.concepts, C.rows, strict=True))
    for drawn in product(range(len(distribution)), repeat=m):
        chance = prod((distribution[x] for x in drawn), start=F(1))
        if not chance:
            continue
        cover = ClassCover(C, tuple(C.points[x] for x in drawn))
        if projected:
            far = max(
                distance_by_definition([row], [rows[cover.kept[cover.project(c)]]], distribution)
                for c, row in rows.items()
            )
        else:
            far = distance_by_definition(C.rows, [rows[c] for c in cover.kept], distribution)
        total += chance * (far <= alpha)
    return total


@pytest.mark.parametrize("distribution", DISTRIBUTIONS)
@pytest.mark.parametrize("instance", ["thresholds:b=3", "points:b=3"])
@pytest.mark.parametrize("projected", [False, True])
def test_probabilities_on_eight_points(instance, distribution, projected) -> None:
    C, chances, strict = parse_class(instance), DISTRIBUTIONS[distribution], 0
    for m, alpha in ((1, F(1, 4)), (2, F(1, 4)), (3, F(1, 4)), (3, F(1, 8))):
        expected = probability_by_samples(C, chances, m, alpha, projected=projected)
        assert cover_probability(C, chances, m, alpha, projected=projected) == expected
        strict += 0 < expected < 1
    assert strict or instance == "points:b=3"


def test_thresholds_in_closed_form() -> None:
    """For distance 0 on uniform thresholds, every point except the last must be drawn."""
    C, m = parse_class("thresholds:b=2"), 5
    surjections = sum((-1) ** j * c * (4 - j) ** m for j, c in enumerate((1, 3, 3, 1)))
    assert cover_probability(C, [F(1, 4)] * 4, m, 0) == F(surjections, 4**m)


def test_more_points_never_hurt_and_the_stated_size_is_enough() -> None:
    C, distribution = parse_class("thresholds:b=3"), DISTRIBUTIONS["even"]
    found = [cover_probability(C, distribution, m, "1/4") for m in range(1, 12)]
    assert found == sorted(found)
    size = public_size(1, "9/10", "1/10")
    assert cover_probability(C, distribution, size.records, F(9, 40)) >= F(19, 20)


def test_distances_of_random_families() -> None:
    rng = np.random.default_rng(2)
    for C in random_classes(40, 5):
        parts = [F(int(k), 1) for k in rng.integers(0, 5, size=len(C.points))]
        parts[0] += 1
        distribution = [p / sum(parts) for p in parts]
        family = ConceptClass.from_rows(
            sorted({int(r) for r in rng.integers(1 << len(C.points), size=3)}), C.points
        )
        found = cover_distance(C, family, distribution)
        least = [
            min(
                sum(p for x, p in enumerate(distribution) if (row ^ h) >> x & 1)
                for h in family.rows
            )
            for row in C.rows
        ]
        named = [family.rows[k] for k in found.nearest]
        assert least == [
            sum(p for x, p in enumerate(distribution) if (row ^ h) >> x & 1)
            for row, h in zip(C.rows, named, strict=True)
        ]
        assert least[found.worst] == found.distance
        assert found.distance == distance_by_definition(C.rows, family.rows, distribution)
        assert found.is_cover(found.distance)
        assert not found.is_cover(found.distance - F(1, 1000))


def test_large_denominators_are_exact() -> None:
    big = 3**60
    distribution = [F(1, big), F(big - 2, big), F(1, big)]
    C = ConceptClass.from_matrix([[0, 0, 0], [1, 0, 0], [0, 0, 1]])
    assert cover_distance(C, C.subclass([0]), distribution).distance == F(1, big)
    assert cover_probability(C, distribution, 1, F(1, big) - F(1, big**2)) == 0
    assert cover_probability(C, distribution, 2, 0) == F(2, big**2)


def test_simulation_is_about_the_same_probability() -> None:
    C, rng = parse_class("thresholds:b=3"), np.random.default_rng(11)
    for projected in (False, True):
        exact = cover_probability(C, DISTRIBUTIONS["even"], 4, "1/4", projected=projected)
        found = cover_frequency(
            C,
            DISTRIBUTIONS["even"],
            4,
            "1/4",
            2000,
            rng,
            projected=projected,
            confidence=F(999, 1000),
        )
        assert found.interval.lower <= exact <= found.interval.upper
        assert found.interval.upper - found.interval.lower < F(1, 10)


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        ((["1/2"] * 4, 1, "1/4"), DomainError, "must have one probability for each of 4 points"),
        ((["1/4"] * 3, 1, "1/4"), DomainError, "must have one probability for each of 4 points"),
        ((["1/4"] * 4, 0, "1/4"), DomainError, "m must be at least 1, not 0"),
        ((["-1/4", "3/4", "1/4", "1/4"], 1, 0), DomainError, "probability"),
    ],
)
def test_refusals(arguments, error, words) -> None:
    C = parse_class("thresholds:b=2")
    with pytest.raises(error, match=words) as caught:
        cover_probability(C, *arguments)
    assert "\n" not in str(caught.value)
    with pytest.raises(error, match=words):
        cover_frequency(C, *arguments, 10, np.random.default_rng(0))


def test_large_supports_and_classes_are_refused() -> None:
    with pytest.raises(InstanceTooLargeError, match="at most 16 points"):
        cover_probability(parse_class("thresholds:b=5"), [F(1, 32)] * 32, 2, "1/4")
    with pytest.raises(InstanceTooLargeError, match="at most 2048 concepts"):
        cover_probability(parse_class("intervals:n=80"), [F(1)] + [F(0)] * 79, 2, "1/4")
    C = parse_class("thresholds:b=2")
    with pytest.raises(DomainError, match="the same points as the class"):
        cover_distance(C, parse_class("thresholds:b=3"), ["1/4"] * 4)
    with pytest.raises(DomainError, match="class must have at least one concept"):
        cover_distance(C.subclass([]), C, ["1/4"] * 4)
