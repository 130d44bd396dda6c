"""Two messages with private coins: which rows can be sorted, and the smallest error."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import combinations_with_replacement, pairwise, permutations

import pytest

from ccsim import (
    CertificateError,
    CommunicationProblem,
    DomainError,
    augmented_index,
    equality,
    evaluation_problem,
    greater_than,
    index,
    kernel,
    minimax_error,
    thresholds,
)
from ccsim.communication import chain_of_rows, two_message_error, two_messages_suffice
from ccsim.communication.private_coins.theorems import UnsortedInputs, unsorted_inputs


def is_sorted(rows):
    return all(sum(a[j] != b[j] for a, b in pairwise(rows)) <= 1 for j in range(len(rows[0])))


@pytest.mark.parametrize(("rows", "columns"), [(2, 1), (3, 2), (4, 2), (3, 3), (4, 3)])
def test_rows_are_sorted_exactly_if_some_order_does(rows, columns):
    for masks in combinations_with_replacement(range(2**columns), rows):
        matrix = [[mask >> j & 1 for j in range(columns)] for mask in masks]
        chain = chain_of_rows(CommunicationProblem.from_matrix(matrix))
        distinct = {tuple(row) for row in matrix}
        assert (chain is not None) == any(map(is_sorted, permutations(distinct)))
        if chain is not None:
            assert len(chain) == len(distinct) == len({tuple(matrix[x]) for x in chain})
            assert is_sorted([matrix[x] for x in chain])


@pytest.mark.claim("ccsim/private-chain")
@pytest.mark.parametrize(
    ("n", "polynomial"),
    [(3, (0, 3, -1)), (4, (1, -3, 1)), (5, (1, 2, -1))],
)
def test_values_of_short_chains_are_roots(n, polynomial):
    a, b, c = polynomial
    value = two_message_error(greater_than(n), bits=80)
    assert value.width <= Fraction(1, 2**80)
    ends = [a * v * v + b * v + c for v in (value.lower, value.upper)]
    assert ends[0] * ends[1] <= 0


@pytest.mark.claim("ccsim/private-chain")
def test_longer_chains_are_harder_and_stay_below_one_half():
    values = [two_message_error(greater_than(n)) for n in range(2, 30)]
    assert all(a.upper < b.lower for a, b in pairwise(values))
    assert values[-1].upper < Fraction(1, 2)
    assert two_messages_suffice(30, Fraction(499, 1000))


@pytest.mark.claim("ccsim/private-two-messages")
@pytest.mark.parametrize(
    ("problem", "value"),
    [
        (equality(2), 0),
        (CommunicationProblem.from_matrix([[0, 1], [0, 1]]), 0),
        (equality(3), Fraction(1, 2)),
        (index(2), Fraction(1, 2)),
    ],
    ids=str,
)
def test_what_cannot_be_sorted_needs_a_fair_coin(problem, value):
    enclosed = two_message_error(problem)
    assert enclosed.lower == enclosed.upper == value
    found = minimax_error(problem, 2, "private", gap="1/10")
    assert found.lower <= value <= found.upper


@pytest.mark.claim("ccsim/private-two-messages")
def test_thresholds_are_a_chain_without_its_constant_column():
    assert two_message_error(evaluation_problem(thresholds(2))) == two_message_error(
        greater_than(4)
    )


@pytest.mark.claim("ccsim/private-two-messages")
def test_total_problems_have_their_value_exactly_unless_they_are_chains():
    for masks in combinations_with_replacement(range(8), 4):
        problem = CommunicationProblem.from_matrix(
            [[mask >> j & 1 for j in range(3)] for mask in masks]
        )
        found = unsorted_inputs(problem, tuple(range(4)))
        assert (found is None) == (chain_of_rows(problem) is not None)


def test_two_messages_toss_a_coin_for_index():
    result = minimax_error(index(2), 2, "private")
    assert (result.value, result.proof) == (Fraction(1, 2), UnsortedInputs((0, 1, 2, 3)))
    result.check()
    certificate = json.loads(result.certificate().to_json())
    assert kernel.check(certificate).endswith("exactly 1/2")
    for inputs, message in [
        ([0, 1, 2], "in each order of rows, a column must change twice"),
        ([0, 1, 2, 2], "an index occurs twice"),
        ([0, 1, 2, 4], "must be an index below 4, not 4"),
        ([], "in each order of rows, a column must change twice"),
    ]:
        certificate["lower"] = {"unsorted": {"inputs": inputs}}
        with pytest.raises(kernel.Rejected, match=message):
            kernel.check(certificate)


@pytest.mark.parametrize(
    ("inputs", "messages", "reason"),
    [
        ((0, 1, 2), 2, "no column changes twice in the order"),
        ((0, 1, 2, 3), 3, "must be 2 for this form of proof, not 3"),
        ((0, 1, 1), 2, "must be at most 6 distinct"),
        ((0, 1, 9), 2, "must be at most 6 distinct"),
    ],
)
def test_inputs_that_can_be_sorted_are_rejected(inputs, messages, reason):
    with pytest.raises(CertificateError, match=reason):
        UnsortedInputs(inputs).bound(index(2), messages)


def test_a_promise_is_refused():
    with pytest.raises(
        DomainError, match="for two messages, but augmented_index:d=2 has a promise"
    ):
        two_message_error(augmented_index(2))
