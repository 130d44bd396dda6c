"""Greater-than under other labels: pairs that attain the bound by merging steps."""

from fractions import Fraction
from itertools import combinations, pairwise

import numpy as np
import pytest

from ccsim import DomainError, InstanceTooLargeError, greater_than, minimax_error, worst_error
from ccsim.communication import CommunicationProblem, greater_than_lower_bound
from ccsim.communication.closed_forms import greater_than as pairs
from ccsim.communication.closed_forms.greater_than import (
    external_path_length,
    greater_than_hard_distribution,
    greater_than_joins,
)
from ccsim.communication.public_coins.domination import reduce_problem
from ccsim.communication.public_coins.solver import chain_of
from ccsim.kernel import Rejected, check


def least_cost_by_counting(n, k):
    """Return the minimum weight of errors of a partition into k classes."""
    rows = [dict.fromkeys(range(n), 0) for _ in range(n)]
    for x, y, w in greater_than_hard_distribution(n).weights:
        rows[x][y] = w if x > y else -w

    def cost(members):
        columns = [[rows[x][y] for x in members] for y in range(n)]
        return sum(min(sum(w for w in c if w > 0), -sum(w for w in c if w < 0)) for c in columns)

    def least(left, k):
        if not left or k == 1:
            return cost(left)
        first, rest = left[0], left[1:]
        return min(
            cost((first, *more)) + least(tuple(x for x in rest if x not in more), k - 1)
            for size in range(len(rest) + 1)
            for more in combinations(rest, size)
        )

    return least(tuple(range(n)), k)


@pytest.mark.parametrize("n", range(2, 8))
def test_no_partition_costs_less_than_the_joins_prove(n):
    for k in range(1, n + 1):
        least = least_cost_by_counting(n, k)
        assert least >= n - k
        assert least == n - k or 2 * k < n


def test_units_are_charged_to_no_input_twice():
    for n in (2, 3, 7, 16, 33, 50):
        units = [unit for units in pairs._matchings(n) for unit in units]
        assert len(units) == len(set(units)) == external_path_length(n)
        for y in range(n - 1):
            paid = [
                u.first if u.charges_first(y) else u.last for u in units if u.first <= y < u.last
            ]
            assert len(paid) == len(set(paid)), (n, y)


def test_sets_of_units_are_disjoint_and_equally_large():
    for n in range(2, 70):
        found = pairs._matchings(n)
        sizes = {len(units) for units in found}
        assert max(sizes) - min(sizes) <= 1
        assert min(sizes) >= n - pairs.fewest_messages_of_pairs(n)
        for units in found:
            ends = [x for unit in units for x in unit[:2]]
            assert len(ends) == len(set(ends))


@pytest.mark.parametrize("n", [2, 3, 5, 9, 17, 30, 48])
def test_pairs_reach_the_bound_on_every_input(n):
    for k in {pairs.fewest_messages_of_pairs(n), n - 1, n}:
        if k:
            protocol = pairs.greater_than_protocol(n, k)
            assert protocol.messages == k
            assert worst_error(protocol, greater_than(n)).value == greater_than_lower_bound(n, k)


def test_protocols_of_pairs_need_enough_messages():
    with pytest.raises(DomainError, match="messages must be between 5 and n = 8, not 4"):
        pairs.greater_than_protocol(8, 4)
    with pytest.raises(DomainError, match="messages must be between 1 and n = 0, not 1"):
        pairs.greater_than_protocol(0, 1)
    with pytest.raises(InstanceTooLargeError, match="at most 256"):
        pairs.greater_than_protocol(257, 256)


def shuffled_chain(n, seed):
    """Return greater-than with shuffled inputs, flipped and repeated columns, repeated rows."""
    random = np.random.default_rng(seed)
    rows, cuts = random.permutation(n).tolist(), random.permutation(n - 1).tolist()
    flips = random.integers(2, size=n - 1).tolist()
    matrix = [[int(x > y) ^ flip for y, flip in zip(cuts, flips, strict=True)] for x in rows]
    matrix.append(matrix[0])
    return CommunicationProblem.from_matrix([[*row, 1 - row[0], 1] for row in matrix])


@pytest.mark.parametrize("n", [3, 4, 9, 14])
def test_a_chain_is_found_under_any_names(n):
    problem = shuffled_chain(n, n)
    for k in sorted({(n + 1) // 2, n - 1}):
        result = minimax_error(problem, k)
        assert result.value == greater_than_lower_bound(n, k)
        result.check()
        assert "exactly" in check(result.certificate().to_dict())


def test_what_is_no_chain_is_not_taken_for_one():
    rows = [(1 << x) - 1 for x in range(6)]
    for changed in range(6):
        for bit in range(5):
            altered = [*rows[:changed], rows[changed] ^ 1 << bit, *rows[changed + 1 :]]
            table = [[row >> y & 1 for y in range(5)] for row in altered]
            reduced = reduce_problem(CommunicationProblem.from_matrix(table))
            chain = chain_of(reduced)
            if chain is not None:  # then neighbours differ in one column, each in another one
                kept = [altered[reduced.rows[i]] for i in chain.rows]
                live = sum(1 << y for y in reduced.columns)
                steps = [(a ^ b) & live for a, b in pairwise(kept)]
                assert sorted(steps) == sorted(1 << y for y in reduced.columns)


def test_promise_problems_are_no_chains():
    table = [[int(x > y) for y in range(5)] for x in range(5)]
    table[2][0] = None
    assert chain_of(reduce_problem(CommunicationProblem.from_matrix(table))) is None


def test_more_inputs_than_tables_hold_are_exact():
    result = minimax_error(greater_than(40), 24)
    assert result.value == Fraction(40 - 24, external_path_length(40))
    result.check()


def test_half_as_many_messages_as_inputs_reach_the_bound():
    for n in range(2, 15):
        k = (n + 1) // 2
        assert minimax_error(greater_than(n), k).value == greater_than_lower_bound(n, k)


def certificate(n=6, k=4):
    return minimax_error(greater_than(n), k).certificate().to_dict()


def test_altered_joins_are_rejected():
    made = certificate()
    lower = made["lower"]["hard_distribution"]
    joins, weights = lower["proof"]["joins"]["joins"], lower["distribution"]
    assert joins == [list(join) for join in greater_than_joins(6)] or len(joins) == 5

    def altered(joins=joins, weights=weights):
        proof = {"distribution": weights, "proof": {"joins": {"joins": joins}}}
        return made | {"lower": {"hard_distribution": proof}}

    check(altered())
    lighter = [[x, y, 2] for x, y, _ in weights]
    faults = {
        "the joins must connect all rows": altered(joins[:-1]),
        "must connect two different parts": altered([*joins, joins[-1]]),
        "must separate its two parts": altered([[joins[1][0], *joins[0][1:]], *joins[1:]]),
        "is 1/16, not the stated 1/8": altered(weights=lighter),
        "must have at least weight 1 per join|must have weight": altered(weights=weights[1:]),
        "must be": altered([[9, *joins[0][1:]], *joins[1:]]),
        "must have 3 entries": altered([joins[0][:2], *joins[1:]]),
    }
    for reason, fault in faults.items():
        with pytest.raises(Rejected, match=reason):
            check(fault)


def test_joins_prove_nothing_with_a_message_for_each_input():
    made = certificate(6, 5)
    for messages in (6, 7):
        made["statement"] |= {"messages": messages, "lower": "0", "upper": None}
        assert check(made | {"upper": None}).endswith("at least 0")
