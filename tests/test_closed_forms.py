"""Closed forms of least errors: against the search, against altered claims, and at any size."""

from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

import pytest

from ccsim import equality, minimax_error
from ccsim.communication.equality_value import (
    equality_error,
    equality_limit,
    pairs_inside_classes,
)
from ccsim.errors import CertificateError, DomainError
from ccsim.exact import compare


def partitions(n, parts):
    """All multisets of at most ``parts`` positive sizes with sum ``n``."""
    if n == 0:
        return [()]
    if parts == 0:
        return []
    return [
        (s, *rest)
        for s in range(1, n + 1)
        for rest in partitions(n - s, parts - 1)
        if not rest or rest[0] >= s
    ]


# --- Equality -------------------------------------------------------------------------------------


def test_even_partitions_have_the_fewest_pairs_inside():
    for n in range(1, 12):
        for k in range(1, n + 2):
            least = min(sum(s * (s - 1) for s in sizes) for sizes in partitions(n, k))
            assert pairs_inside_classes(n, k) == least


@pytest.mark.claim("ccsim/equality-value")
@pytest.mark.parametrize("n", range(1, 7))
def test_equality_has_the_closed_form_for_every_number_of_messages(n):
    for k in range(1, n + 2):
        result = equality_error(n, k)
        result.check()
        assert result.value == minimax_error(equality(n), k).value
        result.hard_distribution().check(equality(n), k, result.value)


def by_partitions(n, k):
    """The value by definition: the two-orbit game over all partitions and rejected classes."""
    points = set()
    for sizes in partitions(n, k):
        for chosen in range(1 << len(sizes)):
            rejected = sum(s for i, s in enumerate(sizes) if chosen >> i & 1)
            inside = sum(s * (s - 1) for i, s in enumerate(sizes) if not chosen >> i & 1)
            points.add((Fraction(rejected, n), Fraction(inside, n * (n - 1))))
    # The least of max(D, F) over mixtures is reached by a mixture of at most two points.
    best = min(max(point) for point in points)
    for d, f in points:
        for e, g in points:
            if d > f and e < g:
                share = (g - e) / ((d - f) + (g - e))
                best = min(best, share * d + (1 - share) * e)
    return best


@pytest.mark.parametrize("n", [7, 9, 10, 11])
def test_equality_is_the_game_over_all_partitions(n):
    for k in range(1, n + 1):
        assert equality_error(n, k).value == by_partitions(n, k)


def test_equality_of_any_size_passes_its_check():
    for n in (100, 101, 2**64, 2**256, 2**256 - 189, 10**1000):
        for k in (1, 2, 3, 5, 16, 99, 100, 2**63, 2**255):
            equality_error(n, k).check()


def test_equality_error_falls_with_messages_and_rises_with_inputs():
    table = [[equality_error(n, k).value for k in range(1, 30)] for n in range(1, 30)]
    assert all(a >= b for row in table for a, b in pairwise(row))
    assert all(a <= b for column in zip(*table, strict=True) for a, b in pairwise(column))


@pytest.mark.claim("ccsim/equality-limit")
def test_equality_error_is_near_its_limit_from_below():
    for k in range(1, 20):
        for n in range(1, 60):
            value, limit = equality_error(n, k).value, equality_limit(k)
            assert compare(value, limit) in (-1, 0)
            if 4 * n**2 >= k**3 and n > k:
                assert compare(value, limit * (1 - Fraction(k, n))) in (0, 1)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"value": Fraction(1, 5)}, "equal inputs are rejected with probability value"),
        ({"full": Fraction(1, 2)}, "equal inputs are rejected"),
        ({"full": Fraction(14, 13)}, "is at most 1"),
        ({"ratio": Fraction(1)}, "both partitions cost the same"),
        ({"size": 0}, "equal inputs are rejected"),
        ({"size": 4}, "fit into n"),
        ({"messages": 3}, "equal inputs are rejected"),
        ({"n": 5}, "equal inputs are rejected"),
    ],
)
def test_altered_value_of_equality_is_rejected_with_its_reason(change, message):
    result = equality_error(4, 2)
    result.check()
    with pytest.raises(CertificateError, match=message):
        replace(result, **change).check()


def test_protocol_that_is_consistent_but_not_optimal_is_rejected():
    # 20 inputs, 3 messages: with classes of size 3 instead of the best size both sides still
    # balance, but the ratio is no slope of the convex function.
    best, t = equality_error(20, 3), 3
    even, inside, u = pairs_inside_classes(20, 3), 2 * t * (t - 1), 20 - 2 * t
    ratio = Fraction(even - inside, u)
    value = even / (20 * (19 + ratio))
    worse = replace(best, size=t, ratio=ratio, value=value, full=1 - 20 * value / u)
    assert worse.value > best.value
    with pytest.raises(CertificateError, match="slope"):
        worse.check()


def test_parameters_of_equality_are_checked():
    for n, k in ((0, 1), (1, 0), (-3, 2)):
        with pytest.raises(DomainError, match="at least 1"):
            equality_error(n, k)
