"""The exponential mechanism over databases: distribution and privacy by enumeration."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations_with_replacement

import numpy as np
import pytest

from ccsim import DomainError, InstanceTooLargeError
from ccsim.exact import Epsilon
from ccsim.instances import parse_class
from ccsim.privacy import Verdict, audit
from ccsim.release import max_query_error
from ccsim.release.sanitizers.synthetic import SyntheticDatabase, synthetic_sizes


def distribution_by_hand(text, size, database):
    """Return the distribution with weights ``2^-(m a)``, which is exact at ``epsilon = ln 4``."""
    C, m = parse_class(text), len(database)
    queries = [{p for x, p in enumerate(C.points) if row >> x & 1} for row in C.rows]
    weights = {}
    for output in combinations_with_replacement(C.points, size):
        off = max(
            abs(sum(x in query for x in database) - m // size * sum(x in query for x in output))
            for query in queries
        )
        weights[output] = Fraction(1, 2**off)
    return {output: w / sum(weights.values()) for output, w in weights.items()}


@pytest.mark.parametrize(
    ("text", "size", "records", "least"),
    [
        ("points:b=1", 1, 1, "2"),
        ("points:b=1", 3, 3, "12/5"),
        ("points:b=1", 2, 4, "8/3"),
        ("points:b=2", 3, 3, "58/21"),
        ("thresholds:b=2", 2, 2, "11/4"),
        ("thresholds:b=2", 2, 4, "92/33"),
        ("all_functions:n=3", 2, 2, "26/11"),
        ("all_functions:n=3", 2, 4, "66/25"),
    ],
)
def test_distribution_and_privacy_are_those_of_an_enumeration(text, size, records, least):
    """The least ``e^epsilon`` over all neighbours; the mechanism states 4."""
    synthetic = SyntheticDatabase(parse_class(text), Epsilon.of("ln 4"), size)
    points = synthetic.records
    every = combinations_with_replacement(points, records)
    distributions = {d: distribution_by_hand(text, size, d) for d in every}
    worst = Fraction(0)
    for database, distribution in distributions.items():
        assert synthetic.distribution(database).as_mapping() == distribution
        for old in range(records):
            for new in points:
                changed = [*database[:old], new, *database[old + 1 :]]
                other = distributions[tuple(sorted(changed, key=points.index))]
                worst = max(worst, *(p / other[output] for output, p in distribution.items()))
    result = audit(synthetic, "ln 4", 0, records)
    assert result.verdict is Verdict.HOLDS
    assert result.factor == worst == Fraction(least) <= 4
    assert audit(synthetic, "ln(5/4)", 0, records).verdict is Verdict.FAILS


def test_wrong_parameters_are_refused():
    C = parse_class("points:b=3")
    with pytest.raises(DomainError, match="size must be at least 1, not 0"):
        SyntheticDatabase(C, Epsilon.of(1), 0)
    with pytest.raises(InstanceTooLargeError, match="gives 116280 possible outputs"):
        SyntheticDatabase(C, Epsilon.of(1), 14)


def test_draws_have_the_distribution():
    synthetic = SyntheticDatabase(parse_class("thresholds:b=2"), Epsilon.of("ln 16"), 2)
    database, tries, rng = (0, 0, 3, 1), 3000, np.random.default_rng(2)
    found = Counter(synthetic.draw(database, rng) for _ in range(tries))
    distribution = synthetic.distribution(database).as_mapping()
    assert set(found) <= set(distribution)
    for output, p in distribution.items():
        assert abs(found[output] - tries * float(p)) < 5 * (tries * float(p)) ** 0.5 + 1
    with pytest.raises(DomainError, match="database must have at least one record"):
        synthetic.draw((), rng)


@pytest.mark.parametrize("instance", ["thresholds:b=1", "points:b=1", "intervals:n=2"])
def test_the_promised_number_of_records_is_enough(instance):
    """On all databases of that size, by the exact distribution; and a too small output."""
    C, third, epsilon = parse_class(instance), Fraction(1, 3), Epsilon.of("ln 16")
    size, needed = synthetic_sizes(C, third, third, epsilon)
    synthetic = SyntheticDatabase(C, epsilon, size)
    for ones in range(needed + 1):
        database = (C.points[0],) * (needed - ones) + (C.points[1],) * ones
        far = 0.0
        for output, p in synthetic.distribution(database).items:
            if max_query_error(C, database, output).error > third:
                far += float(p)
        assert far <= 1 / 3
    given, more = synthetic_sizes(C, third, third, epsilon, size)
    assert (given, more >= needed) == (size, True)
    with pytest.raises(DomainError, match="size must be at least"):
        synthetic_sizes(C, third, third, epsilon, 1)
    with pytest.raises(DomainError, match="failure must be strictly between 0 and 1, not 1"):
        synthetic_sizes(C, third, Fraction(1), epsilon)
