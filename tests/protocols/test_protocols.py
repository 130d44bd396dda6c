"""Families of protocols, compared with their tables; amplification and conversion of tables."""

import tomllib
from collections import Counter
from fractions import Fraction
from importlib import import_module
from inspect import signature
from itertools import combinations, permutations, product
from math import comb, prod
from pathlib import Path

import numpy as np
import pytest

import protocols
from ccsim.communication.minimax import minimax_error
from ccsim.communication.problem import CommunicationProblem, equality
from ccsim.communication.protocols.by_rules import MAX_BITS, ProtocolByRules
from ccsim.communication.protocols.conversions import AmplifiedProtocol, amplify, repetitions_for
from ccsim.communication.protocols.one_way import OneWayProtocol
from ccsim.communication.protocols.procedural import ProceduralProtocol
from ccsim.communication.protocols.tables import (
    DeterministicProtocol,
    PrivateCoinProtocol,
    PublicCoinProtocol,
)
from ccsim.communication.protocols.two_party import error_on, error_table, worst_error
from ccsim.errors import DomainError, InstanceTooLargeError
from ccsim.exact.probability import uniform_below
from ccsim.instances.protocols import describe_protocols
from protocols import (
    AugmentedIndexCoveringCode,
    AugmentedIndexEvenWeight,
    AugmentedIndexGolay,
    AugmentedIndexReedMuller,
    AugmentedIndexRepetition,
    AugmentedIndexSendAll,
    EqualityHashing,
    EqualityOptimal,
    EqualityPartition,
    GreaterThanSendAll,
    IndexCoveringCode,
    IndexEvenWeight,
    IndexGolay,
    IndexReedMuller,
    IndexRepetition,
    IndexSendAll,
    LinesHashing,
    LinesSendAll,
)
from protocols.affine import AffineBinary
from protocols.codes import EvenWeightCode, GolayCode, HammingCode, ReedMullerCode, RepetitionCode
from protocols.hashing import InnerProductHash
from protocols.index import IndexByCode
from protocols.permutations import AllPermutations, pairwise_uniform

SMALL = [
    EqualityHashing(bits=1, repetitions=1),
    EqualityHashing(bits=1, repetitions=3),
    EqualityHashing(bits=3, repetitions=2),
    EqualityHashing(bits=4, repetitions=2),
    EqualityPartition(n=1, messages=1, rejected=1),
    EqualityPartition(n=4, messages=1),
    EqualityPartition(n=5, messages=3, rejected=2),
    EqualityPartition(n=6, messages=4),
    EqualityOptimal(n=1, messages=1),
    EqualityOptimal(n=3, messages=2),
    EqualityOptimal(n=4, messages=3),
    EqualityOptimal(n=5, messages=1),
    EqualityOptimal(n=6, messages=2),
    EqualityOptimal(n=8, messages=3),
    EqualityOptimal(n=3, messages=4),
    GreaterThanSendAll(bits=1),
    GreaterThanSendAll(bits=4),
    IndexSendAll(d=1),
    IndexSendAll(d=4),
    IndexCoveringCode(r=1),
    IndexCoveringCode(r=2),
    IndexCoveringCode(r=3),
    IndexEvenWeight(d=2),
    IndexEvenWeight(d=5),
    IndexRepetition(d=2),
    IndexRepetition(d=5),
    IndexRepetition(d=6),
    IndexReedMuller(m=2),
    AugmentedIndexSendAll(d=1),
    AugmentedIndexSendAll(d=4),
    AugmentedIndexCoveringCode(r=1),
    AugmentedIndexCoveringCode(r=2),
    AugmentedIndexCoveringCode(r=3),
    AugmentedIndexEvenWeight(d=4),
    AugmentedIndexRepetition(d=4),
    AugmentedIndexReedMuller(m=2),
    LinesSendAll(p=2),
    LinesSendAll(p=5),
    LinesHashing(p=2, bits=2),
    LinesHashing(p=3, bits=1),
    LinesHashing(p=5, bits=2),
]
LARGE = [
    EqualityHashing(bits=64, repetitions=3),
    EqualityHashing(bits=65, repetitions=2),
    EqualityHashing(bits=256, repetitions=70),
    EqualityPartition(n=20, messages=3, rejected=7),
    EqualityPartition(n=2**61 - 1, messages=5, rejected=2**59),
    EqualityOptimal(n=100, messages=7),
    EqualityOptimal(n=1009, messages=3),
    EqualityOptimal(n=2**256, messages=4),
    EqualityOptimal(n=2**64, messages=3),
    EqualityOptimal(n=2**65, messages=2**33),
    EqualityOptimal(n=4_294_967_291, messages=3),
    EqualityPartition(n=4_294_967_311, messages=2**32, rejected=1000),
    GreaterThanSendAll(bits=256),
    IndexSendAll(d=100),
    IndexCoveringCode(r=5),
    IndexCoveringCode(r=7),
    IndexEvenWeight(d=100),
    IndexRepetition(d=1000),
    IndexRepetition(d=1001),
    IndexReedMuller(m=3),
    IndexReedMuller(m=4),
    IndexGolay(),
    AugmentedIndexSendAll(d=100),
    AugmentedIndexCoveringCode(r=6),
    AugmentedIndexEvenWeight(d=50),
    AugmentedIndexRepetition(d=64),
    AugmentedIndexReedMuller(m=4),
    AugmentedIndexGolay(),
    LinesSendAll(p=1009),
    LinesHashing(p=1009, bits=3),
    LinesHashing(p=2**31 - 1, bits=5),
]


def named(instances):
    return pytest.mark.parametrize("protocol", instances, ids=[P.name for P in instances])


# --- Every family against its table ---------------------------------------------------------------


@named(SMALL)
def test_table_has_the_error_of_the_closed_form_on_every_input(protocol):
    problem, table = protocol.problem(), protocol.tabulate()
    assert error_table(table, problem) == {cell: protocol.error(*cell) for cell in problem.inputs()}
    assert (table.messages, table.cost_bits) == (protocol.messages, protocol.cost_bits)


@named(SMALL)
def test_worst_error_is_that_of_the_table_and_made_on_the_hard_input(protocol):
    problem, table = protocol.problem(), protocol.tabulate()
    assert worst_error(table, problem).value == protocol.stated_error
    rng = np.random.default_rng(1)
    for _ in range(20):
        assert error_on(table, problem, *protocol.hard_input(rng)) == protocol.stated_error


@named(SMALL)
def test_value_is_that_of_the_problem_on_every_input(protocol):
    problem = protocol.problem()
    assert (len(problem.alice), len(problem.bob)) == (protocol.num_alice, protocol.num_bob)
    for x, y in product(range(protocol.num_alice), range(protocol.num_bob)):
        assert protocol.value(x, y) == problem.value(x, y)
        if problem.value(x, y) is None:
            assert protocol.error(x, y) == 0
        else:
            assert protocol.output_probability(x, y) == abs(
                problem.value(x, y) - protocol.error(x, y)
            )


@named([P for P in SMALL if P.num_coins * P.num_alice * P.num_bob <= 20_000])
def test_table_is_the_average_of_single_runs_over_all_coins(protocol):
    table = protocol.tabulate()
    for x, y in product(range(protocol.num_alice), range(protocol.num_bob)):
        ones = 0
        for coins in range(protocol.num_coins):
            message = protocol.alice(x, coins)
            assert 0 <= message < protocol.messages
            ones += protocol.bob(message, y, coins)
        assert table.output_probability(x, y) == Fraction(ones, protocol.num_coins)


@named(SMALL + LARGE)
def test_batch_agrees_with_single_runs(protocol):
    rng = np.random.default_rng(2)
    for _ in range(4):
        y = uniform_below(protocol.num_bob, rng)
        pairs = [protocol.hard_input(rng), (uniform_below(protocol.num_alice, rng), y)]
        for x, y in pairs:
            coins = protocol.sample_coins(8, rng)
            messages = protocol.alice_batch(x, coins)
            answers = protocol.bob_batch(messages, y, coins)
            assert len(coins) == len(messages) == len(answers) == 8
            assert np.ndim(answers) == 1
            numbers = [protocol.coins_as_int(c) for c in coins]
            assert all(0 <= number < protocol.num_coins for number in numbers)
            sent = [protocol.alice(x, number) for number in numbers]
            assert sent == [protocol.message_as_int(m) for m in messages]
            answered = [protocol.bob(m, y, n) for m, n in zip(sent, numbers, strict=True)]
            assert answered == [int(answer) for answer in answers]
            again = protocol.coins_from_int(numbers)
            assert [protocol.coins_as_int(c) for c in again] == numbers


@named([LinesHashing(p=7, bits=3)])
def test_bob_reads_each_message_of_a_batch(protocol):
    # Messages of different inputs of Alice in one batch, as no single simulation has them.
    coins = protocol.sample_coins(49, np.random.default_rng(3))
    messages = np.concatenate([protocol.alice_batch(x, coins[x : x + 1]) for x in range(49)])
    for y in (0, 10, 48):
        answers = protocol.bob_batch(messages, y, coins)
        for x in range(49):
            number = protocol.coins_as_int(coins[x])
            assert answers[x] == protocol.bob(protocol.alice(x, number), y, number)


class ByDefault(EqualityHashing):
    """Equality with the batch methods of the base class, as in a family that overrides none."""

    sample_coins = ProceduralProtocol.sample_coins
    coins_from_int = ProceduralProtocol.coins_from_int
    coins_as_int = ProceduralProtocol.coins_as_int
    message_as_int = ProceduralProtocol.message_as_int
    alice_batch = ProceduralProtocol.alice_batch
    bob_batch = ProceduralProtocol.bob_batch


def test_defaults_of_the_base_give_the_same_table_as_the_fast_methods():
    slow = ByDefault(bits=2, repetitions=2)
    fast = EqualityHashing(bits=2, repetitions=2)
    assert slow.tabulate() == fast.tabulate()
    coins = slow.sample_coins(5, np.random.default_rng(0))
    answers = slow.bob_batch(slow.alice_batch(1, coins), 3, coins)
    assert answers.tolist() == [slow.bob(slow.alice(1, c), 3, c) for c in coins]


def test_sampled_coins_are_uniform():
    # A fixed seed; every coin value within 5 standard deviations of its expected count.
    for protocol in (EqualityHashing(bits=2, repetitions=2), IndexCoveringCode(r=2)):
        runs = 32_000
        coins = protocol.sample_coins(runs, np.random.default_rng(4))
        counts = np.bincount(
            [protocol.coins_as_int(c) for c in coins], minlength=protocol.num_coins
        )
        expected = runs / protocol.num_coins
        assert len(counts) == protocol.num_coins
        assert np.all(np.abs(counts - expected) < 5 * np.sqrt(expected))


# --- Single families ------------------------------------------------------------------------------


def test_covering_code_for_7_positions_costs_4_bits_and_errs_with_probability_an_eighth_at_each():
    protocol = IndexCoveringCode(r=3)
    assert (protocol.num_bob, protocol.messages, protocol.cost_bits) == (7, 16, 4)
    table, problem = protocol.tabulate(), protocol.problem()
    assert set(error_table(table, problem).values()) == {Fraction(1, 8)}
    augmented = AugmentedIndexCoveringCode(r=3)
    assert (augmented.d, augmented.messages, augmented.cost_bits) == (7, 16, 4)
    errors = error_table(augmented.tabulate(), augmented.problem())
    assert set(errors.values()) == {Fraction(1, 8)}


def test_covering_code_for_3_positions_costs_1_bit_and_errs_with_probability_a_quarter_at_each():
    protocol = IndexCoveringCode(r=2)
    assert (protocol.num_bob, protocol.messages, protocol.cost_bits) == (3, 2, 1)
    errors = error_table(protocol.tabulate(), protocol.problem())
    assert set(errors.values()) == {Fraction(1, 4)}


CODES = [
    HammingCode(1),
    HammingCode(3),
    EvenWeightCode(2),
    EvenWeightCode(5),
    ReedMullerCode(2),
    ReedMullerCode(3),
    RepetitionCode(2),
    RepetitionCode(4),
    RepetitionCode(7),
]


@pytest.mark.parametrize("code", CODES, ids=map(repr, CODES))
def test_codes_decode_to_a_nearest_word_at_the_stated_mean_distance(code):
    codewords = [code.codeword(number) for number in range(1 << code.dimension)]
    assert [code.number(word) for word in codewords] == list(range(1 << code.dimension))
    assert len(set(codewords)) == len(codewords)
    assert all(code.syndrome(word) == 0 for word in codewords)
    wrong = Counter()
    for word in range(1 << code.length):
        nearest = code.nearest(word)
        assert nearest in codewords
        distance = (nearest ^ word).bit_count()
        assert distance == min((c ^ word).bit_count() for c in codewords)
        wrong.update(i for i in range(code.length) if (nearest ^ word) >> i & 1)
    assert Fraction(wrong.total(), 1 << code.length) == code.mean_distance
    assert code.balanced == (len({wrong[i] for i in range(code.length)}) == 1)


@named(
    [
        IndexRepetition(d=3),
        IndexRepetition(d=4),
        IndexCoveringCode(r=2),
        IndexEvenWeight(d=3),
        AugmentedIndexRepetition(d=4),
        AugmentedIndexCoveringCode(r=2),
        AugmentedIndexEvenWeight(d=3),
    ]
)
def test_codes_have_the_least_error_that_the_search_finds(protocol):
    least = minimax_error(protocol.problem(), protocol.messages).value
    assert worst_error(protocol.tabulate(), protocol.problem()).value == least


def test_golay_code_has_one_codeword_within_distance_3_of_every_word():
    code = GolayCode()
    codewords = [code.codeword(number) for number in range(1 << 12)]
    assert min(word.bit_count() for word in codewords[1:]) == 7  # so the balls are disjoint,
    assert sum(comb(23, w) for w in range(4)) == 1 << 11  # and they fill the space
    assert Counter(word.bit_count() for word in codewords)[11] == 1288
    rng = np.random.default_rng(14)
    for _ in range(20):
        word = uniform_below(1 << 23, rng)
        assert (code.nearest(word) ^ word).bit_count() <= 3


def test_codewords_of_reed_muller_are_the_affine_functions():
    code = ReedMullerCode(4)
    affine = {
        sum(((a & z).bit_count() + c & 1) << z for z in range(16))
        for a, c in product(range(16), range(2))
    }
    assert {code.codeword(number) for number in range(32)} == affine


@pytest.mark.parametrize("r", [1, 2, 3])
def test_hamming_code_covers_every_word_once_within_distance_1(r):
    code = HammingCode(r)
    codewords = [code.codeword(number) for number in range(1 << code.dimension)]
    assert [code.number(word) for word in codewords] == list(range(1 << code.dimension))
    for a, b in combinations(codewords, 2):
        assert (a ^ b).bit_count() >= 3
    for word in range(1 << code.length):
        near = [c for c in codewords if (c ^ word).bit_count() <= 1]
        assert near == [code.nearest(word)]


def test_hash_values_of_different_numbers_agree_for_exactly_the_stated_share_of_maps():
    family = InnerProductHash(length=3, count=2)
    maps = range(family.num_maps)
    for x, y in combinations(range(8), 2):
        equal = sum(family.hash(x, coins) == family.hash(y, coins) for coins in maps)
        assert Fraction(equal, family.num_maps) == Fraction(1, 4)


@pytest.mark.parametrize(
    ("n", "family"),
    [(5, AllPermutations(5)), *((n, pairwise_uniform(n)) for n in (1, 2, 3, 4, 5, 6, 7, 8, 16))],
)
def test_pairs_of_images_are_uniform_among_pairs_of_different_elements(n, family):
    members = family.from_int(range(family.size))
    assert [family.as_int(member) for member in members] == list(range(family.size))
    images = [family.images(x, members)[:, 0].tolist() for x in range(n)]
    for x in range(n):
        assert images[x] == [family.image(x, number) for number in range(family.size)]
    assert all(sorted(member) == list(range(n)) for member in zip(*images, strict=True))
    for x, y in permutations(range(n), 2):
        counts = Counter(zip(images[x], images[y], strict=True))
        assert len(counts) == n * (n - 1)
        assert set(counts.values()) == {family.size // (n * (n - 1))}


def test_affine_maps_multiply_in_the_field():
    # 0x57 * 0x83 = 0xC1 in the field of the Advanced Encryption Standard, whose polynomial is ours.
    field = AffineBinary(8)
    assert field.image(0x57, 0x82) == 0xC1
    assert field.images(0x57, field.from_int([0x82])).tolist() == [[0xC1]]


def test_sizes_without_a_field_are_refused_above_the_limit():
    for n in (1000, 2**300 + 2):
        with pytest.raises(
            InstanceTooLargeError, match="n must be a prime, a power of two or at most"
        ):
            EqualityOptimal(n=n, messages=2)


@pytest.mark.parametrize("n", range(1, 7))
def test_optimal_equality_protocol_has_the_error_that_the_search_finds(n):
    for k in range(1, n + 1):
        protocol = EqualityOptimal(n=n, messages=k)
        assert protocol.stated_error == minimax_error(equality(n), k).value
        assert worst_error(protocol.tabulate(), equality(n)).value == protocol.stated_error


def test_equality_on_4_bits_with_4_repetitions_has_one_component_for_each_subspace():
    # A linear map into 4 bits is known, up to names of messages, by its kernel: 67 subspaces.
    table = EqualityHashing(bits=4, repetitions=4).tabulate()
    assert (len(table.components), table.messages) == (67, 16)
    assert table.output_probability(3, 3) == 1
    assert table.output_probability(3, 4) == Fraction(1, 16)


def test_error_is_one_sided():
    for protocol in (EqualityHashing(bits=3, repetitions=1), LinesHashing(p=3, bits=1)):
        table, problem = protocol.tabulate(), protocol.problem()
        for x, y in problem.inputs():
            if problem.value(x, y):
                assert table.output_probability(x, y) == 1


def test_procedural_protocols_amplify_at_any_size():
    base = EqualityHashing(bits=256, repetitions=2)
    amplified = amplify(base, 3)
    assert isinstance(base, OneWayProtocol)
    assert amplified.output_probability(0, 1) == Fraction(10, 64)  # 3 (1/4)^2 (3/4) + (1/4)^3
    assert amplified.cost_bits == 6
    small = EqualityHashing(bits=2, repetitions=1)
    table = amplify(small.tabulate(), 3).tabulate()
    assert all(
        table.output_probability(x, y) == amplify(small, 3).output_probability(x, y)
        for x, y in product(range(4), repeat=2)
    )


def test_run_has_a_transcript_that_follows_the_rules():
    protocol = LinesHashing(p=101, bits=4)
    rng = np.random.default_rng(5)
    x, y = protocol.hard_input(rng)
    for _ in range(10):
        run = protocol.run(x, y, rng)
        assert run.message == protocol.alice(x, run.coins)
        assert run.answer == protocol.bob(run.message, y, run.coins)


def test_repr_evaluates_to_an_equal_protocol():
    names = vars(protocols) | vars(protocols.augmented_index)
    for protocol in SMALL:
        assert eval(repr(protocol), names) == protocol  # noqa: S307 - our own text


def test_entry_points_name_the_families():
    text = (Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8")
    declared = tomllib.loads(text)["project"]["entry-points"]["ccsim.protocols"]
    assert len(declared) == len(protocols.__all__)
    for name, target in declared.items():
        module, _, attribute = target.partition(":")
        family = getattr(import_module(module), attribute)
        protocol = family(
            **{key: 2 for key, p in signature(family).parameters.items() if p.default is p.empty}
        )
        assert isinstance(protocol, ProtocolByRules)
        assert protocol.name.partition(":")[0] == name
    assert sorted(protocols.__all__) == protocols.__all__
    assert set(protocols.__all__) == {target.partition(":")[2] for target in declared.values()}


# --- Refusals -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("family", "parameters", "message"),
    [
        (EqualityHashing, {"bits": 0, "repetitions": 1}, "bits must be an integer, at least 1"),
        (EqualityHashing, {"bits": 4, "repetitions": 0}, "repetitions must be an integer"),
        (EqualityHashing, {"bits": 4, "repetitions": True}, "repetitions must be an integer"),
        (EqualityHashing, {"bits": "4", "repetitions": 1}, "bits must be an integer, not '4'"),
        (EqualityPartition, {"n": 0, "messages": 1}, "equality_partition: n must be .* not 0"),
        (EqualityPartition, {"n": 4, "messages": 2, "rejected": 5}, "rejected must be at most 4"),
        (EqualityPartition, {"n": 4, "messages": 1, "rejected": 2}, "0 or 4 with one message"),
        (EqualityOptimal, {"n": 4, "messages": 0}, "equality_optimal: messages must be .* not 0"),
        (GreaterThanSendAll, {"bits": -3}, "greater_than: bits .* not -3"),
        (IndexSendAll, {"d": 0}, "index: d must be an integer, at least 1, not 0"),
        (IndexCoveringCode, {"r": 0}, "index_covering_code: r must be .* not 0"),
        (IndexEvenWeight, {"d": 1}, "index_even_weight: d must be an integer, at least 2"),
        (AugmentedIndexRepetition, {"d": 1}, "augmented_index_repetition: d must be"),
        (IndexReedMuller, {"m": 1}, "index_reed_muller: m must be an integer, at least 2"),
        (AugmentedIndexSendAll, {"d": 0}, "d must be an integer, at least 1, not 0"),
        (AugmentedIndexCoveringCode, {"r": 0}, "augmented_index_covering_code: r must be"),
        (HammingCode, {"r": 0}, "HammingCode: r must be an integer, at least 1, not 0"),
        (IndexByCode, {"code": 3}, "code of IndexByCode must be LinearCode, not 3"),
        (LinesSendAll, {"p": 1}, "lines: p must be an integer, at least 2, not 1"),
        (LinesSendAll, {"p": 9}, "lines: p must be a prime, not 9"),
        (LinesHashing, {"p": 1001, "bits": 2}, "lines_hashing: p must be a prime, not 1001"),
        (LinesHashing, {"p": 5, "bits": 0}, "bits must be an integer, at least 1, not 0"),
    ],
)
def test_bad_parameters_are_refused(family, parameters, message):
    with pytest.raises(DomainError, match=message):
        family(**parameters)


@pytest.mark.parametrize(
    ("family", "parameters"),
    [
        (EqualityHashing, {"bits": MAX_BITS, "repetitions": 2}),
        (EqualityOptimal, {"n": 2**1000, "messages": 2}),
        (GreaterThanSendAll, {"bits": 10**5000}),
        (IndexSendAll, {"d": MAX_BITS + 1}),
        (IndexCoveringCode, {"r": 17}),
        (IndexReedMuller, {"m": 5}),
        (RepetitionCode, {"d": 5000}),
        (AugmentedIndexEvenWeight, {"d": 5000}),
        (LinesSendAll, {"p": 2**61 - 1}),
        (LinesHashing, {"p": 2, "bits": MAX_BITS + 1}),
    ],
)
def test_absurd_sizes_are_refused_before_any_work(family, parameters):
    with pytest.raises(InstanceTooLargeError, match="must be at most"):
        family(**parameters)


@named(
    [
        EqualityHashing(bits=5, repetitions=4),
        EqualityHashing(bits=MAX_BITS, repetitions=1),
        EqualityHashing(bits=1, repetitions=MAX_BITS),
        EqualityOptimal(n=10, messages=2),
        GreaterThanSendAll(bits=13),
        IndexCoveringCode(r=4),
        AugmentedIndexCoveringCode(r=16),
        LinesHashing(p=1009, bits=1),
    ]
)
def test_large_tables_are_refused_before_any_work(protocol):
    with pytest.raises(InstanceTooLargeError, match=r"tables would take .* the limit is"):
        protocol.tabulate()


def test_large_problems_are_refused_before_any_work():
    for protocol in (EqualityHashing(bits=MAX_BITS, repetitions=1), LinesSendAll(p=1009)):
        with pytest.raises(InstanceTooLargeError, match="problem would take"):
            protocol.problem()


def test_inputs_out_of_range_or_outside_the_promise_are_refused():
    protocol = AugmentedIndexSendAll(d=3)
    for x, y, message in (
        (8, 0, "x must be at least 0 and below 8"),
        (0, 7, "y must be at least 0 and below 7"),
        (-1, 0, "x must be at least 0 and below 8"),
    ):
        with pytest.raises(DomainError, match=message):
            protocol.check_inputs(x, y)
    with pytest.raises(DomainError, match="outside the promise"):
        protocol.output_probability(1, 1)


# --- Amplification and conversion of tables -------------------------------------------------------


def random_deterministic(rng, alice=3, bob=4, messages=2):
    return DeterministicProtocol(
        tuple(int(m) for m in rng.integers(messages, size=alice)),
        tuple(int(row) for row in rng.integers(1 << bob, size=messages)),
        bob,
    )


def random_distribution(rng, size):
    weights = [int(w) for w in rng.integers(0, 4, size=size)]
    weights[0] += 1
    return tuple(Fraction(w, sum(weights)) for w in weights)


def random_private(rng, alice=3, bob=4, messages=2):
    return PrivateCoinProtocol(
        tuple(random_distribution(rng, messages) for _ in range(alice)),
        tuple(
            tuple(Fraction(int(p), 6) for p in rng.integers(7, size=bob)) for _ in range(messages)
        ),
    )


def random_public(rng, components=3):
    parts = [random_deterministic(rng) for _ in range(components)]
    return PublicCoinProtocol.mixture(zip(random_distribution(rng, components), parts, strict=True))


KINDS = [random_deterministic, random_private, random_public]


def majority_by_definition(one, runs):
    """Return the sum over all answer vectors with more ones than zeros."""
    return sum(
        prod(one if answer else 1 - one for answer in answers)
        for answers in product((0, 1), repeat=runs)
        if 2 * sum(answers) > runs
    )


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("repetitions", [1, 3, 5])
def test_amplified_error_is_the_majority_of_independent_runs_and_that_of_the_tables(
    kind, repetitions
):
    rng = np.random.default_rng(6)
    for _ in range(5):
        base = kind(rng)
        amplified = AmplifiedProtocol(base, repetitions)
        table = amplified.tabulate()
        assert table.messages <= amplified.messages == base.messages**repetitions
        for x, y in product(range(base.num_alice), range(base.num_bob)):
            expected = majority_by_definition(base.output_probability(x, y), repetitions)
            assert amplified.output_probability(x, y) == expected
            assert table.output_probability(x, y) == expected


def test_amplification_refuses_even_repetitions_and_large_tables():
    base = random_private(np.random.default_rng(7))
    for repetitions in (0, 2, -1):
        with pytest.raises(DomainError, match="odd and positive"):
            amplify(base, repetitions)
    with pytest.raises(InstanceTooLargeError, match="the limit is"):
        amplify(base, 31).tabulate()
    with pytest.raises(
        DomainError, match="a protocol given by tables, not of type EqualityHashing"
    ):
        amplify(EqualityHashing(bits=2, repetitions=1), 3).tabulate()


def test_repetitions_for_is_the_least_odd_number_that_suffices():
    for q, t, least in ((4, 16, 9), (3, 9, 13), (3, 3, 1)):
        error, target = Fraction(1, q), Fraction(1, t)
        assert repetitions_for(error, target) == least
        assert majority_by_definition(error, least) <= target
        assert least == 1 or majority_by_definition(error, least - 2) > target
    with pytest.raises(DomainError):
        repetitions_for(Fraction(1, 2), Fraction(1, 4))


def test_public_coins_keep_every_error_of_private_coins_exactly():
    rng = np.random.default_rng(8)
    for messages in (1, 2, 3):
        for _ in range(10):
            private = random_private(rng, messages=messages)
            public = private.to_public_coin()
            values = rng.integers(2, size=(private.num_alice, private.num_bob)).tolist()
            problem = CommunicationProblem.from_matrix(values)
            assert error_table(public, problem) == error_table(private, problem)
            assert public.messages == private.messages


def test_deterministic_protocols_keep_their_answers_with_coins_of_either_kind():
    base = random_deterministic(np.random.default_rng(9))
    for x, y in product(range(base.num_alice), range(base.num_bob)):
        one = base.output_probability(x, y)
        assert base.to_private_coin().output_probability(x, y) == one
        assert base.to_public_coin().output_probability(x, y) == one


@pytest.mark.parametrize("kind", KINDS)
def test_runs_answer_1_with_the_stated_frequency(kind):
    base = kind(np.random.default_rng(10))
    protocol, rng, runs = amplify(base, 3), np.random.default_rng(11), 600
    for x, y in ((0, 0), (1, 2), (2, 3)):
        for tested in (base, protocol):
            ones = sum(tested.run(x, y, rng).answer for _ in range(runs))
            p = float(tested.output_probability(x, y))
            assert abs(ones - runs * p) <= 5 * (runs * p * (1 - p)) ** 0.5


def test_runs_send_messages_and_draw_components_as_the_tables_say():
    rng = np.random.default_rng(12)
    private, public = random_private(rng), random_public(rng)
    runs = 600
    sent = [private.run(1, 0, rng).message for _ in range(runs)]
    for message, p in enumerate(private.alice[1]):
        expected = runs * float(p)
        assert abs(sent.count(message) - expected) <= 5 * (expected * (1 - float(p))) ** 0.5
    drawn = [public.run(1, 0, rng) for _ in range(runs)]
    for number, (weight, component) in enumerate(
        zip(public.weights, public.components, strict=True)
    ):
        chosen = [run for run in drawn if run.coins == number]
        expected = runs * float(weight)
        assert abs(len(chosen) - expected) <= 5 * (expected * (1 - float(weight))) ** 0.5
        assert all(
            (run.message, run.answer) == (component.alice[1], component.answer(1, 0))
            for run in chosen
        )


def test_descriptions_of_families_have_no_code_marks():
    meanings = [meaning for _, meaning in describe_protocols()]
    assert len(meanings) > 15
    assert not [meaning for meaning in meanings if "`" in meaning]
