"""Lemma 4.2 and Corollary 4.3: augmented index reduces to evaluation."""

from fractions import Fraction

import numpy as np
import pytest

from ccsim.classes import (
    ConceptClass,
    all_functions,
    intervals,
    k_points,
    lines,
    parities,
    points,
    thresholds,
)
from ccsim.communication.error import error_on, worst_error
from ccsim.communication.one_way import (
    DeterministicProtocol,
    PrivateCoinProtocol,
    PublicCoinProtocol,
)
from ccsim.communication.problem import augmented_index, evaluation_problem
from ccsim.communication.reduction import AugmentedIndexReduction, augmented_index_reduction
from ccsim.dimensions import MistakeTree, littlestone_dimension
from ccsim.errors import CertificateError, DomainError

CLASSES = [
    thresholds(3),
    thresholds(4),
    lines(3),
    lines(5),
    intervals(8),
    points(2),
    k_points(3, 3),
    parities(3),
    all_functions(4),
]


def random_deterministic(rng, C, messages):
    return DeterministicProtocol(
        tuple(int(rng.integers(messages)) for _ in C.concepts),
        tuple(int(rng.integers(1 << len(C.points))) for _ in range(messages)),
        len(C.points),
    )


def random_private(rng, C, messages):
    def law():
        weights = [int(rng.integers(1, 6)) for _ in range(messages)]
        return tuple(Fraction(w, sum(weights)) for w in weights)

    return PrivateCoinProtocol(
        tuple(law() for _ in C.concepts),
        tuple(tuple(Fraction(int(rng.integers(5)), 4) for _ in C.points) for _ in range(messages)),
    )


def random_public(rng, C, messages):
    parts = [(Fraction(1, 4), random_deterministic(rng, C, messages)) for _ in range(4)]
    return PublicCoinProtocol.mixture(parts)


@pytest.mark.parametrize("C", CLASSES, ids=str)
def test_concept_of_a_string_has_its_bit_on_the_point_of_the_prefix(C):
    reduction = augmented_index_reduction(C)
    d = reduction.depth
    assert d == littlestone_dimension(C).value
    for x in range(1 << d):
        bits = [x >> i & 1 for i in range(d)]
        for i in range(1, d + 1):
            prefix = sum(bit << j for j, bit in enumerate(bits[: i - 1]))
            assert C.value(reduction.concept(x), reduction.point(i, prefix)) == bits[i - 1]
    reduction.check()


def test_first_bit_is_the_turn_at_the_root():
    C = ConceptClass.from_matrix([[0, 0, 0], [0, 1, 0], [1, 0, 0], [1, 0, 1]])
    reduction = AugmentedIndexReduction(C, MistakeTree((0, (1, 0, 1), (2, 2, 3))))
    assert [reduction.concept(x) for x in (0b00, 0b01, 0b10, 0b11)] == [0, 2, 1, 3]
    assert [reduction.point(1, 0), reduction.point(2, 0), reduction.point(2, 1)] == [0, 1, 2]


def test_check_sees_bits_in_the_wrong_order():
    class Reversed(AugmentedIndexReduction):
        def concept(self, x):
            return AugmentedIndexReduction.concept(self, x ^ 1)

    reduction = Reversed(lines(3), littlestone_dimension(lines(3)).tree)
    message = r"string 00, position 1: concept \d \(.*\) on point \d \(.*\) is not 0"
    with pytest.raises(CertificateError, match=message):
        reduction.check()


@pytest.mark.parametrize("make", [random_deterministic, random_private, random_public])
def test_pulled_back_protocol_errs_as_on_the_image(make):
    rng = np.random.default_rng(2)
    for C in (thresholds(3), lines(3), intervals(4)):
        reduction = augmented_index_reduction(C)
        d = reduction.depth
        protocol = make(rng, C, 3)
        pulled = reduction.pull_back(protocol)
        source, target = evaluation_problem(C), augmented_index(d)
        assert type(pulled) is type(protocol)
        assert pulled.messages == protocol.messages
        for x in range(1 << d):
            for i in range(1, d + 1):
                prefix = x & (1 << i - 1) - 1
                image = reduction.concept(x), reduction.point(i, prefix)
                cell = x, (1 << i - 1) - 1 + prefix
                assert error_on(pulled, target, *cell) == error_on(protocol, source, *image)
        assert worst_error(pulled, target).value <= worst_error(protocol, source).value


@pytest.mark.parametrize("C", [thresholds(3), lines(3), all_functions(3)], ids=str)
def test_exact_protocol_for_evaluation_gives_an_exact_one_for_augmented_index(C):
    send_all = DeterministicProtocol(tuple(range(len(C))), C.rows, len(C.points))
    reduction = augmented_index_reduction(C)
    pulled = reduction.pull_back(send_all)
    assert worst_error(pulled, augmented_index(reduction.depth)).value == 0
    assert pulled.messages == len(C)


def test_class_without_two_concepts_is_refused():
    with pytest.raises(DomainError, match="depth at least 1, not 0"):
        augmented_index_reduction(points(0))
    with pytest.raises(DomainError, match="at least two concepts, not the empty class"):
        augmented_index_reduction(ConceptClass((0,), (), ()))


def test_tree_of_another_class_is_refused():
    tree = littlestone_dimension(thresholds(2)).tree
    with pytest.raises(CertificateError, match="path 11: concept 0"):
        AugmentedIndexReduction(points(2), tree)


def test_inputs_out_of_range_are_refused():
    reduction = augmented_index_reduction(thresholds(2))
    for message, call in (
        (r"a string of 2 bits is a number in \[0, 4\), not 4", lambda: reduction.concept(4)),
        (r"a string of 1 bits is a number in \[0, 2\), not 2", lambda: reduction.point(2, 2)),
        ("position i must lie between 1 and 2, not 0", lambda: reduction.point(0, 0)),
        ("position i must lie between 1 and 2, not 3", lambda: reduction.point(3, 0)),
    ):
        with pytest.raises(DomainError, match=message):
            call()


def test_protocol_for_another_class_is_refused():
    other = DeterministicProtocol((0,), (0,), 1)
    with pytest.raises(
        DomainError, match="the protocol is for 1 x 1 inputs, the problem has 4 x 4"
    ):
        augmented_index_reduction(thresholds(2)).pull_back(other)
