"""Halfspaces, boxes and intervals as classes of queries: true answers, and releases on them."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from ccsim.errors import DomainError
from ccsim.exact import Epsilon
from ccsim.release.queries.public_data import WeightsOptions, release_queries
from ccsim.release.queries.query_classes import GridQueries, largest_error

MILLIONTH = Fraction(1, 10**6)


def drawn(sides, number, seed):
    rng = np.random.default_rng(seed)
    points = zip(*(rng.integers(n, size=number).tolist() for n in sides), strict=True)
    return [point if len(point) > 1 else point[0] for point in points]


def labels_one(family, concept, point):
    point = point if isinstance(point, tuple) else (point,)
    if family == "halfspaces":
        return sum(w * x for w, x in zip(concept, point, strict=False)) >= concept[-1]
    return bool(concept) and all(s <= x <= t for x, (s, t) in zip(point, concept, strict=True))


CASES = [("halfspaces", (6, 6)), ("boxes", (6, 6)), ("boxes", (9,)), ("boxes", (2**40, 2**40))]


@pytest.mark.parametrize(("family", "sides"), CASES)
def test_true_answers(family, sides) -> None:
    queries, records = GridQueries(family, sides), drawn(sides, 25, 1)
    cover = queries.cover(drawn(sides, 5, 2))
    kept = cover.kept
    assert len(kept) == cover.concepts
    for concept, mean in zip(kept, queries.means(kept, records), strict=True):
        ones = sum(labels_one(family, concept, x) for x in records)
        assert mean == Fraction(2 * ones - 25, 25)


@pytest.mark.parametrize(("family", "sides"), CASES[:3])
def test_releases_answer_the_cover_well(family, sides) -> None:
    queries, rng = GridQueries(family, sides), np.random.default_rng(5)
    records, cover = drawn(sides, 5000, 3), queries.cover(drawn(sides, 9, 4))
    release = release_queries(cover, records, 1, MILLIONTH, rng)
    kept = cover.kept
    true = queries.means(kept, records)
    off = [abs(release.answer(c) - float(t)) for c, t in zip(kept, true, strict=True)]
    assert max(off) == pytest.approx(largest_error(queries, release, records)[1])
    assert max(off) < 0.12


def test_a_private_release_takes_points_that_are_not_data() -> None:
    queries, rng = GridQueries("halfspaces", (8, 8)), np.random.default_rng(5)
    one, other = (
        queries.private(drawn((8, 8), 3000, s), Epsilon.of(1), MILLIONTH, rng, WeightsOptions())
        for s in (1, 2)
    )
    assert one.method == "private"
    assert one.cover.public == other.cover.public
    for x, y in product(range(8), repeat=2):
        concept = (1, 1, x + y)
        true = sum(a + b >= x + y for a, b in drawn((8, 8), 3000, 1)) / 3000
        assert abs(one.answer(concept) - (2 * true - 1)) < 0.4


def test_other_families_are_refused() -> None:
    with pytest.raises(DomainError, match="family must be halfspaces or boxes, not 'balls'"):
        GridQueries("balls", (4, 4))
