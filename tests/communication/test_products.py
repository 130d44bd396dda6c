"""Products and powers of problems: their values, labels, promises, and limits of size."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings

from ccsim.communication import CommunicationProblem, and_power, tensor, xor_power
from ccsim.errors import DomainError, InstanceTooLargeError
from tests.strategies import problems

RANDOM = settings(max_examples=60, derandomize=True, deadline=None)
DOMINO = ["110", "111", "011"]


def combined(values, rule):
    return None if None in values else rule(values)


def conjunction(values):
    return int(all(values))


def parity(values):
    return sum(values) % 2


def is_by_definition(found, factors, rule):
    sides = [[*product(*(range(len(side(f))) for f in factors))] for side in (alice, bob)]
    return all(
        found.value(i, j)
        == combined([f.value(x, y) for f, x, y in zip(factors, xs, ys, strict=True)], rule)
        for i, xs in enumerate(sides[0])
        for j, ys in enumerate(sides[1])
    )


def alice(f):
    return f.alice


def bob(f):
    return f.bob


@RANDOM
@given(problems(), problems())
def test_a_tensor_product_is_the_conjunction_in_both_coordinates(f, g):
    found = tensor(f, g)
    assert is_by_definition(found, [f, g], conjunction)
    assert found.alice == tuple(str(pair) for pair in product(f.alice, g.alice))
    assert found.bob == tuple(str(pair) for pair in product(f.bob, g.bob))


@RANDOM
@given(problems())
def test_powers_are_conjunctions_and_parities_of_the_values_of_all_coordinates(f):
    for k in (1, 2, 3):
        if max(len(f.alice), len(f.bob)) ** k <= 64:
            assert is_by_definition(and_power(f, k), [f] * k, conjunction)
            assert is_by_definition(xor_power(f, k), [f] * k, parity)


def test_the_matrix_of_an_and_power_is_a_kronecker_power():
    matrix = np.array([[int(c) for c in row] for row in DOMINO])
    expected = np.kron(np.kron(matrix, matrix), matrix)
    assert and_power(DOMINO, 3) == CommunicationProblem.from_matrix(
        expected.tolist(), and_power(DOMINO, 3).alice, and_power(DOMINO, 3).bob
    )


def test_products_are_named_after_named_factors():
    assert tensor("equality:n=2", "index:d=2").name == "tensor(equality:n=2, index:d=2)"
    assert and_power("equality:n=2", 3).name == "and_power(equality:n=2, 3)"
    assert tensor(DOMINO, "index:d=2").name == and_power(DOMINO, 2).name == ""


@pytest.mark.parametrize("power", [and_power, xor_power])
def test_powers_of_an_invalid_size_are_refused(power):
    with pytest.raises(DomainError, match=f"{power.__name__}: k must be at least 1, got 0"):
        power(DOMINO, 0)
    with pytest.raises(InstanceTooLargeError, match="has 19683 x 19683 entries; the limit is"):
        power(DOMINO, 9)
    with pytest.raises(InstanceTooLargeError, match="k must be at most 26, got 27"):
        power(DOMINO, 27)
    with pytest.raises(InstanceTooLargeError, match="the product has 10000 x 10000 entries"):
        tensor(np.eye(100, dtype=int), np.eye(100, dtype=int))
