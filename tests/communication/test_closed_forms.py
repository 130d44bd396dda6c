"""Closed forms of minimax errors: against the search, with altered statements, at any size."""

from dataclasses import replace
from fractions import Fraction
from itertools import combinations, pairwise, product
from math import comb

import pytest

from ccsim import augmented_index, equality, greater_than, index, minimax_error
from ccsim.communication.closed_forms.equality import (
    equality_error,
    equality_limit,
    pairs_inside_classes,
)
from ccsim.communication.closed_forms.greater_than import (
    external_path_length,
    greater_than_hard_distribution,
    greater_than_lower_bound,
)
from ccsim.communication.closed_forms.index import (
    augmented_index_error,
    code_error,
    index_error,
    index_lower_bound,
    position_errors,
)
from ccsim.communication.distributional import distributional_error
from ccsim.communication.mistake_bounds import LittlestoneBound
from ccsim.errors import (
    CertificateError,
    DomainError,
    InstanceTooLargeError,
    NotDecidedError,
)
from ccsim.exact import ceil_log2, compare
from ccsim.kernel import Rejected, check
from protocols import IndexGolay, IndexReedMuller, IndexRepetition


def partitions(n, parts):
    """Yield all multisets of at most ``parts`` positive sizes with sum ``n``."""
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
        hard = distributional_error(equality(n), result.hard_distribution(), k)
        assert hard.value == result.value


def by_partitions(n, k):
    """Return the error by definition: the game over all partitions and rejected classes."""
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
        ({"lower": Fraction(1, 5)}, "lower: the bound that is proved is 3/13, not the stated 1/5"),
        ({"upper": Fraction(1, 4)}, "upper: the bound that is proved is 3/13, not the stated 1/4"),
        ({"full": Fraction(1, 2)}, "upper: the bound that is proved"),
        ({"full": Fraction(14, 13)}, "at least 0 and sum to 1"),
        ({"ratio": Fraction(1)}, "lower: the bound that is proved is"),
        (
            {"ratio": Fraction(5)},
            "lower.slope: ratio must be from 2 size - 2 = 0 to 2 size = 2, not 5",
        ),
        ({"ratio": Fraction(0)}, "lower.slope: .* a positive ratio"),
        ({"size": 0}, "lower.slope: ratio must be from 2 size - 2 = -2 to 2 size = 0, not"),
        ({"size": -1}, "lower.slope.size: must be at least 0"),
        ({"messages": 3}, "the bound that is proved"),
        ({"messages": 0}, "messages: must be at least 1"),
        ({"n": 5}, "the bound that is proved"),
        ({"n": 0}, "size: must be at least 1"),
    ],
)
def test_altered_value_of_equality_is_rejected_with_its_reason(change, message):
    result = equality_error(4, 2)
    result.check()
    with pytest.raises(CertificateError, match=message):
        replace(result, **change).check()


def test_classes_that_do_not_fit_are_rejected():
    certificate = equality_error(4, 2).certificate().to_dict()
    certificate["upper"]["random_classes"]["size"] = 5
    with pytest.raises(Rejected, match="disjoint classes of size"):
        check(certificate)


@pytest.mark.parametrize(
    ("n", "messages", "full"), [(12, 2, Fraction(19, 34)), (5, 2, Fraction(5, 9))]
)
def test_of_two_sizes_that_are_equally_good_either_is_accepted(n, messages, full):
    result = equality_error(n, messages)
    assert result.ratio == 2 * result.size
    other = replace(result, size=result.size + 1, full=full)
    other.check()


def test_protocol_that_is_consistent_but_not_optimal_is_rejected():
    # 20 inputs, 3 messages: with classes of size 3 instead of the best size both sides still
    # balance, but the ratio is no slope of the convex function.
    best, t = equality_error(20, 3), 3
    even, inside, u = pairs_inside_classes(20, 3), 2 * t * (t - 1), 20 - 2 * t
    ratio = Fraction(even - inside, u)
    value = even / (20 * (19 + ratio))
    full = 1 - 20 * value / u
    worse = replace(best, size=t, ratio=ratio, lower=value, upper=value, full=full)
    assert worse.value > best.value
    with pytest.raises(CertificateError, match="slope"):
        worse.check()


def test_parameters_of_equality_are_checked():
    for n, k in ((0, 1), (1, 0), (-3, 2)):
        with pytest.raises(DomainError, match="at least 1"):
            equality_error(n, k)


# --- Index ----------------------------------------------------------------------------------------


def best_code_by_definition(d, k):
    """Return the least average distance over all codes, with words as tuples of bits."""
    words = list(product((0, 1), repeat=d))
    least = min(
        sum(min(sum(a != b for a, b in zip(x, c, strict=True)) for c in code) for x in words)
        for code in combinations(words, min(k, len(words)))
    )
    return Fraction(least, d * len(words))


@pytest.mark.parametrize("d", [1, 2, 3])
def test_least_error_of_index_is_that_of_the_best_code(d):
    for k in range(1, 2**d + 2):
        result = index_error(d, k)
        result.check()
        assert result.value == best_code_by_definition(d, k)
        assert code_error(d, result.code) == result.value


@pytest.mark.claim("ccsim/index-value")
@pytest.mark.parametrize("d", [1, 2, 3])
def test_best_code_has_the_error_that_the_search_finds(d):
    for k in range(1, 2**d + 1):
        assert index_error(d, k).value == minimax_error(index(d), k).value


def test_all_numbers_of_messages_are_exact_up_to_length_5():
    for d in (4, 5):
        for k in range(1, 2**d + 1):
            result = index_error(d, k)
            assert result.exact
            if (d, k) != (5, 6):  # a check of a few seconds
                result.check()
    assert [k for k in range(1, 17) if index_error(4, k).method == "all codes"] == [3]
    assert [k for k in range(1, 33) if index_error(5, k).method == "all codes"] == [3, 5, 6]


def test_longer_codes_give_bounds_that_are_called_so():
    result = index_error(6, 7)
    result.check()
    assert index_lower_bound(6, 7) == result.lower < result.upper
    with pytest.raises(NotDecidedError, match="lies between 3/16 and"):
        _ = result.value
    for d, k in ((7, 16), (8, 16), (9, 2), (6, 32)):
        assert index_error(d, k).value == index_lower_bound(d, k)


@pytest.mark.claim("ccsim/ball-bound")
def test_ball_bound_adds_up_the_least_weights_and_is_no_weaker_than_the_entropy_bound():
    for d in range(1, 9):
        weights = sorted(x.bit_count() for x in range(2**d))
        for k in range(1, 2**d + 1):
            sizes = [2**d // k + (j < 2**d % k) for j in range(k)]
            bound = index_lower_bound(d, k)
            assert bound == Fraction(sum(sum(weights[:s]) for s in sizes), d * 2**d)
            if d <= 6:
                assert LittlestoneBound(d, bound).allows(k)


@pytest.mark.claim("ccsim/index-codes")
def test_optimal_codes_reach_the_ball_bound_and_the_long_reed_muller_code_does_not():
    assert IndexGolay().stated_error == index_lower_bound(23, 2**12) == Fraction(127, 1024)
    assert IndexReedMuller(3).stated_error == index_lower_bound(8, 16)
    assert IndexReedMuller(4).stated_error > index_lower_bound(16, 32)


@pytest.mark.claim("ccsim/augmented-index-one-bit")
@pytest.mark.parametrize("d", range(2, 10))
def test_one_bit_of_augmented_index_is_worth_a_majority(d):
    stated = Fraction(1, 2) - Fraction(comb(d - 1, (d - 1) // 2), 2**d)
    assert augmented_index_error(d, 2).value == stated
    assert IndexRepetition(d).stated_error == index_lower_bound(d, 2) == stated


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"upper": Fraction(1, 5)}, "upper: the bound that is proved is 1/4, not the stated 1/5"),
        (
            {"lower": Fraction(1, 3), "upper": Fraction(1, 3)},
            "lower: .* is 1/4, not the stated 1/3",
        ),
        ({"method": "ball bound"}, "lower: .* is 7/32, not the stated 1/4"),
        ({"messages": 2}, "between 1 and 2 words of length 4"),
        ({"code": (0, 1, 2)}, "upper: the bound that is proved is"),
        ({"code": (0, 1, 2, 3)}, "between 1 and 3 words"),
        ({"code": ()}, "between 1 and 3 words"),
        ({"code": (0, 1, 16)}, "words of length 4, not"),
        ({"d": 3}, "words of length 3, not"),
    ],
)
def test_altered_value_of_index_is_rejected_with_its_reason(change, message):
    result = index_error(4, 3)
    result.check()
    with pytest.raises(CertificateError, match=message):
        replace(result, **change).check()


def test_parameters_of_index_are_checked():
    for function in (index_error, index_lower_bound, augmented_index_error):
        for d, k in ((0, 1), (1, 0)):
            with pytest.raises(DomainError, match="at least 1, not 0"):
                function(d, k)
    with pytest.raises(
        InstanceTooLargeError, match="be at most 9, not 10; use index_lower_bound for larger d"
    ):
        index_error(10, 2)
    with pytest.raises(DomainError, match="words must be one or more integers between 0 and 7"):
        code_error(3, [8])


# --- Augmented index ------------------------------------------------------------------------------


@pytest.mark.claim("ccsim/augmented-index-value")
@pytest.mark.parametrize("d", [1, 2, 3])
def test_augmented_index_by_counts_is_what_the_search_finds(d):
    for k in range(1, 2**d + 2):
        result = augmented_index_error(d, k)
        result.check()
        assert result.value == minimax_error(augmented_index(d), k).value
        assert index_lower_bound(d, k) <= result.value <= index_error(d, k).value


def test_known_values_of_augmented_index_with_four_and_five_positions():
    for d, k, value in ((4, 2, "5/16"), (4, 3, "15/64"), (4, 6, "5/32"), (5, 3, "43/160")):
        result = augmented_index_error(d, k)
        result.check()
        assert result.value == Fraction(value)
        assert len(set(result.weights)) == 1


def test_errors_of_a_partition_are_those_of_the_best_answers():
    partition = (0, 1, 0, 2, 1, 1, 0, 2)
    for i, error in enumerate(position_errors(3, partition)):
        wrong = 0
        for prefix, label in product(range(2**i), range(3)):
            words = [x for x in range(8) if x % 2**i == prefix and partition[x] == label]
            ones = sum(x >> i & 1 for x in words)
            wrong += min(ones, len(words) - ones)
        assert error == Fraction(wrong, 8)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"upper": Fraction(1, 5)}, "upper: the bound that is proved is 15/64"),
        ({"lower": Fraction(1, 4), "upper": Fraction(1, 4)}, "lower: .* is 15/64, not the stated"),
        ({"lower": Fraction(7, 32), "upper": Fraction(7, 32)}, "upper: .* is 15/64, not"),
        ({"weights": (Fraction(1), *[Fraction(0)] * 3)}, "lower: the bound that is proved is"),
        ({"weights": (Fraction(1, 3),) * 4}, "weights must sum to 1"),
        ({"weights": (Fraction(1, 3),) * 3}, "there must be a weight for each"),
        ({"shares": (Fraction(1),)}, "there must be a weight for each"),
        (
            {"partitions": ((0,) * 15,) * 4},
            "a partition must have a class for each of 2.4 words, not 15",
        ),
        ({"messages": 2}, "lower.*|has 3 messages; the statement allows"),
        ({"messages": 4}, "lower.hard_distribution.proof.* costs less"),
        ({"d": 0}, "0 positions"),
    ],
)
def test_altered_value_of_augmented_index_is_rejected_with_its_reason(change, message):
    result = augmented_index_error(4, 3)
    with pytest.raises(CertificateError, match=message):
        replace(result, **change).check()


def test_too_many_divisions_are_refused():
    with pytest.raises(InstanceTooLargeError, match="for d=7 and messages=4, the number"):
        augmented_index_error(7, 4)
    with pytest.raises(InstanceTooLargeError, match="for d=40 and messages=2, the number"):
        augmented_index_error(40, 2)


# --- Greater-than ---------------------------------------------------------------------------------


def test_external_path_length_is_the_sum_of_the_logarithms_and_the_weight_of_the_cells():
    for n in range(2, 40):
        logarithms = sum(ceil_log2(i) for i in range(1, n + 1))
        assert external_path_length(n) == n - 1 + logarithms
        assert greater_than_hard_distribution(n).total == external_path_length(n)


@pytest.mark.claim("ccsim/greater-than-bound")
@pytest.mark.parametrize("n", range(2, 8))
def test_every_class_costs_at_least_one_less_than_its_size(n):
    weights = {(x, y): w for x, y, w in greater_than_hard_distribution(n).weights}
    for chosen in range(1, 2**n):
        members = [x for x in range(n) if chosen >> x & 1]
        cost = 0
        for y in range(n):
            ones = sum(weights.get((x, y), 0) for x in members if x > y)
            cost += min(ones, sum(weights.get((x, y), 0) for x in members if x <= y))
        assert cost >= len(members) - 1


@pytest.mark.claim("ccsim/greater-than-half")
@pytest.mark.parametrize("n", range(2, 8))
def test_bound_for_greater_than_is_reached_with_at_least_half_as_many_messages(n):
    for k in range(1, n + 1):
        value, bound = minimax_error(greater_than(n), k).value, greater_than_lower_bound(n, k)
        assert value >= bound
        assert value == bound or 2 * k < n


def test_parameters_of_greater_than_are_checked():
    with pytest.raises(DomainError, match="messages must be at least 1, not 0"):
        greater_than_lower_bound(3, 0)
    with pytest.raises(
        DomainError, match="n must be at least 2 for a hard input distribution, not 1"
    ):
        greater_than_hard_distribution(1)
    assert greater_than_lower_bound(1, 1) == 0
