"""Lemma 4.2 and Corollary 4.3: augmented index reduces to evaluation."""

from fractions import Fraction
from math import log2

import numpy as np
import pytest

from ccsim.classes import (
    ConceptClass,
    all_functions,
    boxes,
    halfspaces,
    intervals,
    k_points,
    lines,
    parities,
    points,
    thresholds,
)
from ccsim.communication.minimax import minimax_error
from ccsim.communication.mistake_bounds import LittlestoneBound, littlestone_bound
from ccsim.communication.problem import augmented_index, evaluation_problem
from ccsim.communication.protocols.tables import (
    DeterministicProtocol,
    PrivateCoinProtocol,
    PublicCoinProtocol,
)
from ccsim.communication.protocols.two_party import error_on, worst_error
from ccsim.dimensions import MistakeTree, littlestone_dimension
from ccsim.errors import CertificateError, DomainError
from proofs_check.claims.feldman_xiao.constructions.implicit_trees import (
    ImplicitReduction,
    ThresholdTree,
    box_tree,
    halfspace_tree,
    line_tree,
    threshold_tree,
)
from proofs_check.claims.feldman_xiao.constructions.reduction import (
    AugmentedIndexReduction,
    augmented_index_reduction,
)

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
    def distribution():
        weights = [int(rng.integers(1, 6)) for _ in range(messages)]
        return tuple(Fraction(w, sum(weights)) for w in weights)

    return PrivateCoinProtocol(
        tuple(distribution() for _ in C.concepts),
        tuple(tuple(Fraction(int(rng.integers(5)), 4) for _ in C.points) for _ in range(messages)),
    )


def random_public(rng, C, messages):
    parts = [(Fraction(1, 4), random_deterministic(rng, C, messages)) for _ in range(4)]
    return PublicCoinProtocol.mixture(parts)


@pytest.mark.parametrize("C", CLASSES, ids=str)
def test_concept_of_a_string_has_its_bit_on_the_point_of_the_prefix(C):
    reduction = augmented_index_reduction(C)
    assert reduction.depth == littlestone_dimension(C).value
    assert has_its_bits(reduction)


def has_its_bits(reduction):
    """Whether each string's concept has the bits of the string as labels."""
    d, C = reduction.depth, reduction.concept_class
    for x in range(1 << d):
        bits = [x >> i & 1 for i in range(d)]
        for i in range(1, d + 1):
            prefix = sum(bit << j for j, bit in enumerate(bits[: i - 1]))
            if C.value(reduction.concept(x), reduction.point(i, prefix)) != bits[i - 1]:
                return False
    return True


def test_first_bit_is_the_turn_at_the_root():
    C = ConceptClass.from_matrix([[0, 0, 0], [0, 1, 0], [1, 0, 0], [1, 0, 1]])
    reduction = AugmentedIndexReduction(C, MistakeTree((0, (1, 0, 1), (2, 2, 3))))
    assert [reduction.concept(x) for x in (0b00, 0b01, 0b10, 0b11)] == [0, 2, 1, 3]
    assert [reduction.point(1, 0), reduction.point(2, 0), reduction.point(2, 1)] == [0, 1, 2]


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
    with pytest.raises(DomainError, match="at least two concepts, not an empty class"):
        augmented_index_reduction(ConceptClass((0,), (), ()))


def test_tree_of_another_class_is_refused():
    tree = littlestone_dimension(thresholds(2)).tree
    with pytest.raises(CertificateError, match="concept 0 must have the labels on the path"):
        AugmentedIndexReduction(points(2), tree)


def test_inputs_out_of_range_are_refused():
    reduction = augmented_index_reduction(thresholds(2))
    for message, call in (
        (r"a string of 2 bits must be a number from 0 to 3, not 4", lambda: reduction.concept(4)),
        (r"a string of 1 bits must be a number from 0 to 1, not 2", lambda: reduction.point(2, 2)),
        ("position i must be between 1 and 2, not 0", lambda: reduction.point(0, 0)),
        ("position i must be between 1 and 2, not 3", lambda: reduction.point(3, 0)),
    ):
        with pytest.raises(DomainError, match=message):
            call()


def test_protocol_for_another_class_is_refused():
    other = DeterministicProtocol((0,), (0,), 1)
    with pytest.raises(
        DomainError, match="the protocol has 1 x 1 inputs, but the problem has 4 x 4"
    ):
        augmented_index_reduction(thresholds(2)).pull_back(other)


TREES = [
    (threshold_tree(3), thresholds(3)),
    (line_tree(5), lines(5)),
    (box_tree(1, 3), boxes(1, 3)),
    (halfspace_tree(1, 3), halfspaces(1, 3)),
    (halfspace_tree(2, 2, complements=False), halfspaces(2, 2)),
]


@pytest.mark.parametrize(("tree", "C"), TREES, ids=str)
def test_constructed_trees_reduce_augmented_index(tree, C):
    assert has_its_bits(AugmentedIndexReduction(C, tree.to_tree(C)))


@pytest.mark.parametrize(("tree", "C"), TREES, ids=str)
def test_implicit_reduction_maps_as_the_explicit_one(tree, C):
    implicit, explicit = ImplicitReduction(tree), AugmentedIndexReduction(C, tree.to_tree(C))
    points = tree.points()
    number = {x: i for i, x in enumerate(points)}
    assert implicit.depth == explicit.depth
    for x in range(1 << tree.depth):
        assert tree.row(implicit.concept(x), points) == C.rows[explicit.concept(x)]
        for i in range(1, tree.depth + 1):
            prefix = x & (1 << i - 1) - 1
            assert number[implicit.point(i, prefix)] == explicit.point(i, prefix)


def test_protocol_pulled_back_by_rules_is_the_one_pulled_back_by_tables():
    rng = np.random.default_rng(5)
    C, tree = thresholds(3), threshold_tree(3)
    for make in (random_deterministic, random_private, random_public):
        protocol = make(rng, C, 3)
        table = AugmentedIndexReduction(C, tree.to_tree()).pull_back(protocol)
        lazy = ImplicitReduction(tree).pull_back(protocol, lambda c: c, lambda x: x)
        assert (lazy.num_alice, lazy.num_bob) == (table.num_alice, table.num_bob) == (8, 7)
        assert (lazy.messages, lazy.cost_bits) == (table.messages, table.cost_bits)
        for x in range(8):
            for y in range(7):
                assert lazy.output_probability(x, y) == table.output_probability(x, y)
        assert worst_error(lazy, augmented_index(3)) == worst_error(table, augmented_index(3))


def test_protocol_pulled_back_by_rules_runs():
    C, tree = thresholds(4), threshold_tree(4)
    send_all = DeterministicProtocol(tuple(range(16)), C.rows, 16)
    pulled = ImplicitReduction(tree).pull_back(send_all, lambda c: c, lambda x: x)
    rng = np.random.default_rng(0)
    for x in range(16):
        for i in range(4):
            y = (1 << i) - 1 + (x & (1 << i) - 1)
            transcript = pulled.run(x, y, rng)
            assert (transcript.x, transcript.y, transcript.answer) == (x, y, x >> i & 1)


@pytest.mark.parametrize(
    "tree", [threshold_tree(200), box_tree(10, 8), halfspace_tree(2, 5)], ids=str
)
def test_lemma_holds_on_samples_out_of_reach(tree):
    ImplicitReduction(tree).check_sample(10, seed=1)


def test_sample_sees_a_wrong_leaf():
    class Shifted(ThresholdTree):
        def leaf(self, path):
            return ThresholdTree.leaf(self, path) ^ 1

    with pytest.raises(
        CertificateError, match=r"string \d+, position 8: concept \d+ must have label [01]"
    ):
        ImplicitReduction(Shifted(8)).check_sample(3, seed=0)


def test_implicit_inputs_out_of_range_are_refused():
    with pytest.raises(DomainError, match="depth at least 1, not 0"):
        ImplicitReduction(threshold_tree(0))
    reduction = ImplicitReduction(threshold_tree(2))
    with pytest.raises(DomainError, match="not 4"):
        reduction.concept(4)
    with pytest.raises(DomainError, match="position i must be between 1 and 2, not 3"):
        reduction.point(3, 0)


@pytest.mark.parametrize("C", [thresholds(2), thresholds(3), lines(2), intervals(3)], ids=str)
def test_best_protocols_respect_the_bound(C):
    d = littlestone_dimension(C).value
    for k in range(1, 5):
        result = minimax_error(evaluation_problem(C), k)
        bound = littlestone_bound(C, result.value)
        assert bound == LittlestoneBound(d, result.value)
        assert bound.allows(result.protocol.messages)
        assert bound.least_messages <= k


def test_bound_is_the_depth_without_error_and_nothing_at_one_half():
    for d in range(6):
        exact = LittlestoneBound(d, Fraction(0))
        assert exact.expression == d
        assert exact.least_messages == 1 << d
        assert d == 0 or not exact.allows((1 << d) - 1)
        assert LittlestoneBound(d, Fraction(1, 2)).least_messages == 1


@pytest.mark.parametrize("error", ["1/8", "1/4", "1/3", "49/100"])
def test_bound_decided_by_integers_agrees_with_its_interval(error):
    for d in range(1, 9):
        bound = LittlestoneBound(d, Fraction(error))
        least = bound.least_messages
        assert not bound.allows(least - 1)
        assert bound.allows(least)
        assert log2(least - 1) < bound.interval().lower
        assert bound.interval().upper < log2(least)


def test_bound_of_a_class_is_that_of_its_deepest_tree():
    C = thresholds(3)
    tree = littlestone_dimension(C).tree
    assert littlestone_bound(C, "1/8") == littlestone_bound(tree, Fraction(1, 8))
    assert littlestone_bound(C, "1/8") == LittlestoneBound(threshold_tree(3).depth, Fraction(1, 8))
    interval = littlestone_bound(C, "1/8").interval()
    # 1 - H(1/8) = (7/8) log2(7) - 2, and log2(7) = 2.80735...
    low, high = (3 * (Fraction(7, 8) * Fraction(n, 100_000) - 2) for n in (280_735, 280_736))
    assert low < interval.lower <= interval.upper < high
    assert interval.width < Fraction(1, 1 << 100)


def test_protocol_below_the_bound_is_impossible():
    assert not LittlestoneBound(2, Fraction(0)).allows(3)


def test_bound_outside_its_range_is_refused():
    for call, message in (
        (lambda: littlestone_bound(thresholds(1), "2/3"), "between 0 and 1/2, not 2/3"),
        (lambda: littlestone_bound(ConceptClass((0,), (), ()), 0), "at least 0, not -1"),
        (lambda: LittlestoneBound(1, Fraction(0)).allows(0), "messages must be at least 1, not 0"),
    ):
        with pytest.raises(DomainError, match=message):
            call()
