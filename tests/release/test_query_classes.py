"""Classes of queries: true answers and the largest error, compared with all queries."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from ccsim.classes import intervals
from ccsim.errors import DomainError
from ccsim.exact import Epsilon
from ccsim.release.queries.public_data import WeightsOptions, release_queries
from ccsim.release.queries.query_classes import ClassQueries, ThresholdQueries, largest_error

MILLIONTH = Fraction(1, 10**6)


@pytest.mark.parametrize("seed", range(8))
def test_largest_error_over_all_thresholds(seed) -> None:
    rng, queries = np.random.default_rng(seed), ThresholdQueries(40)
    public, records = (rng.integers(41, size=n).tolist() for n in (4, 9))
    release = release_queries(queries.cover(public), records, 1, MILLIONTH, rng)
    off = {
        t: abs(release.answer(t) - sum(1 if x < t else -1 for x in records) / 9) for t in range(42)
    }
    query, error = largest_error(queries, release, records)
    assert error == pytest.approx(max(off.values()))
    assert off[query] == pytest.approx(error)


@pytest.mark.parametrize("seed", range(4))
def test_largest_error_over_a_class(seed) -> None:
    rng, C = np.random.default_rng(seed), intervals(5)
    queries = ClassQueries(C)
    records = [C.points[i] for i in rng.integers(5, size=7)]
    release = queries.private(records, Epsilon.of(1), MILLIONTH, rng, WeightsOptions())
    assert release.method == "private"
    assert release.cover.kept == C.concepts
    place = {x: i for i, x in enumerate(C.points)}
    off = {
        c: abs(release.answer(c) - sum(2 * C.value(h, place[x]) - 1 for x in records) / 7)
        for h, c in enumerate(C.concepts)
    }
    query, error = largest_error(queries, release, records)
    assert error == pytest.approx(max(off.values()))
    assert off[query] == pytest.approx(error)


def test_the_private_release_of_thresholds_is_that_of_a_tree() -> None:
    rng, queries = np.random.default_rng(0), ThresholdQueries(2**64 - 1)
    records = [int(x) for x in rng.integers(2**63, size=20_000)]
    release = queries.private(records, Epsilon.of(1), Fraction(0), rng, WeightsOptions())
    assert (release.method, release.epsilon, release.delta) == ("private", Epsilon.of(1), 0)
    assert largest_error(queries, release, records)[1] < min(0.15, release.estimate.noise)
    assert release.estimate.projection is None


def test_unknown_records_are_refused() -> None:
    with pytest.raises(
        DomainError, match="every record must be a point of the class, but at least one is not"
    ):
        ClassQueries(intervals(3)).means(["empty"], [9])
