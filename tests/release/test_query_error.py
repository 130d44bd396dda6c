"""The largest error of a release, compared with the errors of all queries."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations_with_replacement

import numpy as np
import pytest

from ccsim import ConceptClass, DomainError
from ccsim.exact.steps import StepFunction
from ccsim.instances import parse_class
from ccsim.release import max_point_error, max_query_error, max_threshold_error

WIDE = 2**64 - 1


def share(database, holds):
    return Fraction(sum(map(holds, database)), len(database))


@pytest.mark.parametrize("text", ["points:b=2", "thresholds:b=2", "all_functions:n=3"])
def test_databases_on_every_concept(text):
    C = parse_class(text)
    databases = [d for m in (1, 3) for d in combinations_with_replacement(C.points, m)]
    for database in databases:
        for release in databases:
            far = {}
            for i, concept in enumerate(C.concepts):
                labelled = {p for x, p in enumerate(C.points) if C.value(i, x)}
                values = [share(d, labelled.__contains__) for d in (database, release)]
                far[concept] = abs(values[0] - values[1])
            worst = max_query_error(C, database, release)
            assert worst.error == max(far.values()) == far[worst.query]


def test_an_estimate_for_every_concept():
    C = ConceptClass.from_matrix([[1, 0], [1, 1]], points=["a", "b"], concepts=["one", "both"])
    worst = max_query_error(C, ["a", "b", "b"], {"one": "1/2", "both": Fraction(9, 10)})
    assert (worst.query, worst.true, worst.released) == ("one", Fraction(1, 3), Fraction(1, 2))
    assert worst.error == Fraction(1, 6)


def test_thresholds_on_every_threshold_of_short_ranges():
    rng = np.random.default_rng(1)
    for _ in range(200):
        last = int(rng.integers(1, 12))
        database = rng.integers(last + 1, size=rng.integers(1, 7)).tolist()
        release = rng.integers(last + 1, size=rng.integers(1, 7)).tolist()
        values = [Fraction(int(k), 8) for k in rng.integers(9, size=last + 2)]
        by_hand = [share(database, t.__gt__) for t in range(last + 2)]
        synthetic = [share(release, t.__gt__) for t in range(last + 2)]
        for given, other in ((release, synthetic), (StepFunction.of(values), values)):
            worst = max_threshold_error(database, given, last)
            far = [abs(a - b) for a, b in zip(by_hand, other, strict=True)]
            assert worst.error == max(far)
            assert worst.query == far.index(max(far))


def test_thresholds_of_a_long_range():
    assert max_threshold_error([0, WIDE], [WIDE, 0], WIDE).error == 0
    assert max_threshold_error([WIDE], [WIDE - 1], WIDE).query == WIDE
    halfway = StepFunction.from_steps({0: 0, 2**63: Fraction(1, 2), 2**64: 1}, 2**64)
    assert max_threshold_error([0, WIDE], halfway, WIDE).query == 1
    assert max_threshold_error([2**63 - 1, WIDE], halfway, WIDE).error == 0


@pytest.mark.parametrize(
    ("database", "release", "message"),
    [
        ([], [0], "database must have at least one record"),
        ([0], [], "release must have at least one record"),
        ([4], [0], "every record of the database must be between 0 and 3, but at least one is not"),
        ([0], [-1], "every record of the release must be between 0 and 3, but at least one is not"),
        ([0], StepFunction.of([0, 1]), "must estimate the thresholds 0 .. 4, not 0 .. 1"),
    ],
)
def test_wrong_thresholds_are_refused(database, release, message):
    with pytest.raises(DomainError, match=message):
        max_threshold_error(database, release, 3)


@pytest.mark.parametrize(
    ("database", "release", "message"),
    [
        ([], [0], "database must have at least one record"),
        ([0], [], "release must have at least one record"),
        ([0], [7], "entry 1 of a database must be a record"),
        ([0], {0: 1}, "must estimate every concept, but not 1"),
        ([0], {0: 0.5, 1: 0}, "estimate for 0"),
    ],
)
def test_wrong_releases_are_refused(database, release, message):
    with pytest.raises(DomainError, match=message):
        max_query_error(parse_class("points:b=1"), database, release)


def test_a_class_without_concepts_has_no_error():
    with pytest.raises(DomainError, match="class must have at least one concept"):
        max_query_error(ConceptClass.from_matrix([], points=[0]), [0], [0])


def test_records_by_their_numbers():
    rng = np.random.default_rng(2)
    for _ in range(100):
        database, release = (rng.integers(9, size=rng.integers(1, 9)).tolist() for _ in range(2))
        counted = max_threshold_error(Counter(database), Counter(release), 8)
        assert counted == max_threshold_error(database, release, 8)
    many = max_threshold_error({3: 10**7, 5: 0, WIDE: 10**7}, {3: 1}, WIDE)
    assert (many.query, many.error) == (4, Fraction(1, 2))


def test_shares_of_every_point():
    rng = np.random.default_rng(3)
    for _ in range(100):
        database = rng.integers(9, size=rng.integers(1, 9)).tolist()
        points = rng.integers(9, size=3).tolist()
        estimates = {x: Fraction(int(rng.integers(-1, 9)), 8) for x in points}
        worst = max_point_error(database, estimates, 8)
        far = [abs(share(database, x.__eq__) - estimates.get(x, 0)) for x in range(9)]
        assert worst.error == max(far) == far[worst.query]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: max_threshold_error({3: -1}, [3], 8),
            "multiplicity of each record of the database must be",
        ),
        (lambda: max_threshold_error({3: 0}, [3], 8), "database must have at least one record"),
        (
            lambda: max_point_error({3: 1}, {9: Fraction(1)}, 8),
            "points of the release must be between 0 and 8, not 9",
        ),
        (
            lambda: max_point_error({3: 1}, {-1: Fraction(1)}, 8),
            "points of the release must be between 0 and 8, not -1",
        ),
    ],
)
def test_numbers_that_are_none(call, message):
    with pytest.raises(DomainError, match=message):
        call()
