"""The exponential mechanism over databases: law and privacy against an enumeration."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations_with_replacement

import pytest

from ccsim import DomainError, InstanceTooLargeError
from ccsim.exact import Epsilon
from ccsim.instances import parse_class
from ccsim.privacy import Verdict, audit
from ccsim.release.sanitizers.synthetic import SyntheticDatabase


def law_by_hand(text, size, database):
    """Weights ``2^-(m a)`` of the outputs at ``epsilon = ln 4``, of size equal to ``m``."""
    C = parse_class(text)
    queries = [{p for x, p in enumerate(C.points) if row >> x & 1} for row in C.rows]
    weights = {}
    for output in combinations_with_replacement(C.points, size):
        off = max(
            abs(sum(x in query for x in database) - sum(x in query for x in output))
            for query in queries
        )
        weights[output] = Fraction(1, 2**off)
    return {output: w / sum(weights.values()) for output, w in weights.items()}


@pytest.mark.parametrize(
    ("text", "size"), [("points:b=1", 3), ("thresholds:b=2", 2), ("all_functions:n=3", 2)]
)
def test_law_and_privacy_are_those_of_an_enumeration(text, size):
    synthetic = SyntheticDatabase(parse_class(text), Epsilon.of("ln 4"), size)
    points = synthetic.records
    laws = {d: law_by_hand(text, size, d) for d in combinations_with_replacement(points, size)}
    least = Fraction(0)
    for database, law in laws.items():
        assert synthetic.law(database).as_mapping() == law
        for old in range(size):
            for new in points:
                changed = [*database[:old], new, *database[old + 1 :]]
                other = laws[tuple(sorted(changed, key=points.index))]
                least = max(least, *(p / other[output] for output, p in law.items()))
    result = audit(synthetic, "ln 4", 0, size)
    assert result.verdict is Verdict.HOLDS
    assert result.factor == least <= 4
    assert audit(synthetic, "ln(5/4)", 0, size).verdict is Verdict.FAILS


def test_wrong_parameters_are_refused():
    C = parse_class("points:b=3")
    with pytest.raises(DomainError, match="size must be at least 1, not 0"):
        SyntheticDatabase(C, Epsilon.of(1), 0)
    with pytest.raises(InstanceTooLargeError, match="outputs must be at most 65536, not 116280"):
        SyntheticDatabase(C, Epsilon.of(1), 14)
