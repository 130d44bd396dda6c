"""Minimax errors of two-way and simultaneous protocols, and of one-way protocols by bits."""

from __future__ import annotations

import json
import tracemalloc
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import product
from unittest import mock

import numpy as np
import pytest

import ccsim
from ccsim import CommunicationProblem, error_curve, minimax_error
from ccsim.budget import Budget, OutOfTimeError, OutOfWorkError
from ccsim.certificates.answer import verify
from ccsim.communication import (
    MODELS,
    SimultaneousProtocol,
    SymmetricMixture,
    TwoWayProtocol,
    as_problem,
)
from ccsim.communication.interactive import messages as pairs
from ccsim.communication.interactive import trees
from ccsim.communication.interactive.messages import PairSearch, answers_of_pair
from ccsim.communication.interactive.models import TwoWay
from ccsim.communication.interactive.regret import RegretSearch
from ccsim.communication.interactive.trees import Limits, TreeSearch, answers_of
from ccsim.communication.public_coins.domination import reduce_problem
from ccsim.errors import CertificateError, DomainError
from ccsim.kernel import Rejected
from ccsim.symmetry.matrix import Symmetry, symmetries_of
from tests.communication import reference_trees as reference

SHAPES = ((4, 4), (3, 5), (5, 4))


def some_problem(rng, shape, outside=0.2):
    """Return a random problem in which some inputs are outside the promise."""
    n, m = shape
    while True:
        rows = rng.integers(2, size=(n, m)).tolist()
        out = rng.random((n, m)) < outside
        rows = [
            [None if o else v for v, o in zip(*each, strict=True)]
            for each in zip(rows, out, strict=True)
        ]
        if any(v is not None for row in rows for v in row):
            return CommunicationProblem.from_matrix(rows)


@cache
def listed(model, shape, bits, rounds=None):
    """Return the answers of all deterministic protocols of a model."""
    if model == "two-way":
        return reference.Trees(shape).answers(bits, rounds)
    if model == "simultaneous":
        return reference.simultaneous(shape, bits)
    if model == "one-way":
        return reference.one_way(shape, bits)
    return reference.transposed(reference.one_way(shape[::-1], bits), shape[::-1])


def agrees(problem, model, bits, rounds=None):
    """Check a minimax error against the list of all protocols, and its certificate."""
    shape = len(problem.alice), len(problem.bob)
    result = minimax_error(problem, bits=bits, model=model, rounds=rounds)
    expected = reference.minimax(problem, listed(model, shape, bits, rounds))
    assert abs(float(result.value) - expected) < 1e-7, (problem.ones, problem.promise)
    result.check()
    worst = max(
        abs(result.output_probability(x, y) - problem.value(x, y)) for x, y in problem.inputs()
    )
    assert worst == result.upper


QUESTIONS = [
    *(("two-way", bits, rounds) for bits in (0, 1, 2) for rounds in (None, 1, 2)),
    *(("simultaneous", bits, None) for bits in (0, 1, 2)),
    *((model, bits, None) for model in MODELS[:2] for bits in (0, 1, 2)),
]


@pytest.mark.parametrize(("model", "bits", "rounds"), QUESTIONS)
def test_random_problems_agree_with_all_protocols(model, bits, rounds):
    rng = np.random.default_rng(bits)
    for shape in ((4, 4), (3, 4)):
        agrees(some_problem(rng, shape), model, bits, rounds)


def test_three_bits_agree_with_all_trees():
    rng = np.random.default_rng(3)
    for rounds in (None, 2):
        agrees(some_problem(rng, (3, 4), 0), "two-way", 3, rounds)


@pytest.mark.slow
@pytest.mark.timeout(7200)
@pytest.mark.parametrize(("model", "bits", "rounds"), QUESTIONS)
def test_many_random_problems_agree_with_all_protocols(model, bits, rounds):
    rng = np.random.default_rng(100 + bits)
    for shape in SHAPES:
        for _ in range(10):
            agrees(some_problem(rng, shape, rng.choice([0, 0.2, 0.5])), model, bits, rounds)


@pytest.mark.slow
@pytest.mark.timeout(7200)
@pytest.mark.parametrize("shape", [(5, 5), (6, 6)])
def test_larger_random_problems_agree_with_all_trees(shape):
    rng = np.random.default_rng(6)
    for _ in range(6):
        problem = some_problem(rng, shape)
        for rounds in (None, 1, 2):
            agrees(problem, "two-way", 1 if shape == (6, 6) else 2, rounds)


VALUES = {
    ("equality:n=6", "two-way"): ["1/2", "1/2", "4/15", "2/19", "0"],
    ("equality:n=6", "simultaneous"): ["1/2", "1/2", "4/15", "4/15", "2/19"],
    ("greater_than:n=6", "one-way"): ["1/2", "1/2", "5/18", "1/8", "0"],
    ("greater_than:n=6", "two-way"): ["1/2", "5/11", "47/199", "1/10", "0"],
    ("greater_than:n=6", "simultaneous"): ["1/2", "5/11", "228/793", "47/199", "14/109"],
    ("greater_than:n=8", "two-way"): ["1/2", "7/15", "50109654/191963041", "5/38", "0"],
    ("disjointness:n=3", "two-way"): ["1/2", "1/2", "17/64", "1/7", "0"],
    ("disjointness:n=3", "one-way"): ["1/2", "1/2", "17/56", "7/41", "0"],
    ("inner_product:n=3", "two-way"): ["1/2", "1/2", "16/49", "10/49"],
}


@pytest.mark.parametrize(("name", "model"), list(VALUES))
def test_known_values(name, model):
    expected = VALUES[name, model]
    curve = error_curve(name, bits=range(len(expected)), model=model)
    assert [str(result.value) for result in curve] == expected
    for result in curve:
        result.check()


def is_ordered(problem, bits):
    """Check that errors decrease with bits, with rounds, and with stronger models."""
    curve = error_curve(problem, bits=range(bits + 1), model="all")
    value = {(result.model, result.bits): result.value for result in curve}
    limited = [
        [minimax_error(problem, bits=c, model="two-way", rounds=r).value for r in (1, 2, 3)]
        for c in range(bits + 1)
    ]
    for c in range(bits + 1):
        two_way = value["two-way", c]
        assert limited[c] == sorted(limited[c], reverse=True)
        assert limited[c][2] >= two_way
        assert limited[c][min(c, 3) - 1] == two_way or c == 0
        assert two_way <= min(value[model, c] for model in MODELS)
        if c >= 2:
            assert value["simultaneous", c] >= min(
                value["one-way", c], value["one-way-from-bob", c]
            )
            assert limited[c][1] <= min(value["one-way", c], value["one-way-from-bob", c])
        if c:
            assert all(value[model, c] <= value[model, c - 1] for model in MODELS)


def test_errors_decrease_with_bits_rounds_and_models():
    rng = np.random.default_rng(5)
    for shape in SHAPES:
        is_ordered(some_problem(rng, shape), 3)


@pytest.mark.slow
@pytest.mark.timeout(7200)
def test_errors_of_500_problems_decrease_with_bits_rounds_and_models():
    rng = np.random.default_rng(500)
    for _ in range(500):
        shape = tuple(map(int, rng.integers(2, 7, 2)))
        is_ordered(some_problem(rng, shape, rng.choice([0, 0.2, 0.5])), 3)


def cost(weights, answers):
    """Return the total weight of the inputs with a wrong answer."""
    return int(np.abs(weights)[(weights != 0) & (answers != (weights > 0))].sum())


def masks(weights, found):
    """Return the least cost over sets of inputs with the answer 1."""
    n, m = weights.shape
    grids = (
        np.array([[mask >> x * m + y & 1 for y in range(m)] for x in range(n)]) for mask in found
    )
    return min(cost(weights, grid == 1) for grid in grids)


@pytest.mark.parametrize("scale", [1, 1 << 62, 1 << 130])
def test_best_protocols_for_weights(scale):
    rng = np.random.default_rng(1)
    for shape, bits in product(((3, 3), (2, 4)), range(4)):
        small = rng.integers(-9, 10, shape)
        given = [[int(w) * scale for w in row] for row in small]
        for rounds in (None, 1, 2, 3):
            search = TreeSearch(given, Limits(bits, rounds))
            least = masks(small, listed("two-way", shape, bits, rounds))
            found = search.trees()
            assert search.cost == least * scale
            assert cost(small, answers_of(found[0], shape)) == least
        search = PairSearch(given, bits)
        least = masks(small, listed("simultaneous", shape, bits))
        assert search.cost == least * scale
        assert cost(small, answers_of_pair(search.pairs()[0])) == least


def test_the_engine_and_python_find_the_same_protocols():
    rng = np.random.default_rng(2)
    for bits in (2, 3, 4, 5):
        weights = rng.integers(-50, 51, (5, 6)).tolist()
        for search, best in (
            (lambda w, bits=bits: TreeSearch(w, Limits(bits)), lambda s: s.trees()),
            (lambda w, bits=bits: PairSearch(w, bits), lambda s: s.pairs(-1)),
        ):
            compiled = search(weights)
            with (
                mock.patch.object(trees._LIBRARY, "found", return_value=None),
                mock.patch.object(pairs._LIBRARY, "found", return_value=None),
            ):
                plain = search(weights)
                assert (plain.cost, best(plain)) == (compiled.cost, best(compiled))


def test_complements_of_columns_are_kept_for_two_way_protocols():
    problem = CommunicationProblem.from_matrix([[0, 1, 0], [1, 0, 0]])
    assert reduce_problem(problem).columns == (0,)
    assert reduce_problem(problem, flips=False).columns == (0, 1, 2)
    assert minimax_error(problem, bits=1).value == Fraction(1, 2)
    assert minimax_error(problem, bits=2, model="two-way").value == 0


def test_symmetries_that_flip_all_columns_together():
    parity = as_problem([[0, 1], [1, 0]])
    found = symmetries_of(parity.ones, 2, together=True)
    assert {g.flips for g in found} <= {0, 3}
    assert any(g.flips for g in found)
    mixed = as_problem([[0, 0], [1, 0]])
    assert all(g.flips == 0 for g in symmetries_of(mixed.ones, 2, together=True))


@pytest.mark.parametrize(
    ("name", "model", "bits"),
    [
        ("greater_than:n=14", "two-way", 3),
        ("equality:n=30", "two-way", 3),
        ("inner_product:n=5", "simultaneous", 4),
        ("greater_than:n=24", "simultaneous", 2),
        ("random:m=60,n=60,seed=1", "two-way", 2),
    ],
)
def test_large_problems_have_proved_bounds(name, model, bits):
    result = minimax_error(name, bits=bits, model=model, time_limit=1)
    assert 0 <= result.lower <= result.upper <= Fraction(1, 2)
    assert result.needed is not None or result.exact
    result.check()


def test_one_bit_and_no_bit_need_no_tables():
    result = minimax_error("equality:n=60", bits=1, model="two-way")
    assert result.value == Fraction(1, 2)
    result.check()
    for model in MODELS:
        result = minimax_error("greater_than:n=60", bits=0, model=model)
        assert (result.value, result.protocol.cost_bits) == (Fraction(1, 2), 0)
        result.check()
    for value in (0, 1):
        result = minimax_error([[value, None], [value, value]], bits=0, model="two-way")
        assert result.value == 0
        result.check()


def test_a_search_without_time_returns_bounds():
    for model in MODELS:
        result = minimax_error("greater_than:n=8", bits=3, model=model, time_limit=0)
        assert 0 <= result.lower <= result.upper
        result.check()


def test_a_target_ends_the_search():
    result = minimax_error("greater_than:n=8", bits=3, model="two-way", target="1/4")
    assert result.upper <= Fraction(1, 4)
    result.check()
    result = minimax_error("greater_than:n=8", bits=3, model="two-way", target="1/100")
    assert result.lower > Fraction(1, 100)
    result.check()


def test_an_upper_bound_below_the_value_is_rejected():
    result = minimax_error("greater_than:n=5", bits=2, model="two-way")
    data = result.certificate().to_dict()
    data["statement"]["upper"] = str(result.upper - Fraction(1, 1000))
    with pytest.raises(Rejected):
        verify(data)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({}, "either messages or bits must be given"),
        ({"messages": 2, "bits": 2}, "either messages or bits must be given"),
        ({"bits": -1}, "bits must be between 0 and 4096, not -1"),
        ({"bits": 2, "model": "blackboard"}, "model must be one of one-way, one-way-from-bob"),
        ({"bits": 2, "rounds": 2}, "rounds must not be given for the model one-way"),
        ({"bits": 2, "rounds": 0, "model": "two-way"}, "rounds must be at least 1, not 0"),
        ({"bits": 2, "coins": "private"}, "coins must be public if bits are given"),
        ({"messages": 2, "model": "two-way"}, "bits must be given for a model other than one-way"),
    ],
)
def test_questions_without_meaning_are_refused(given, message):
    with pytest.raises(DomainError, match=message):
        minimax_error("equality:n=3", **given)


def test_curves_of_several_models():
    curve = error_curve("equality:n=4", bits=[1, 2], model="all")
    assert len(curve) == 8
    titles, rows = curve.table()
    assert titles == ["bits", *MODELS]
    assert rows[1] == ["2", "3/13", "3/13", "3/13", "3/13"]
    assert json.loads(json.dumps(curve.to_dict()))[5]["model"] == "two-way"
    assert "<table>" in curve._repr_html_()
    assert repr(error_curve("equality:n=4", bits=[])) == "InteractiveCurve()"
    with pytest.raises(DomainError, match="rounds must be given only for the model two-way"):
        error_curve("equality:n=4", bits=[1], rounds=1)


def test_the_length_of_a_message_has_a_new_name():
    result = minimax_error("equality:n=4", 3)
    assert result.message_bits == 2
    with pytest.warns(DeprecationWarning, match="use MinimaxResult.message_bits"):
        assert result.bits == 2


def test_simultaneous_protocols():
    protocol = SimultaneousProtocol((0, 1, 1), (0, 1), ((1, 0), (0, 1)))
    two_way = protocol.to_two_way()
    for x, y in product(range(3), range(2)):
        assert protocol.answer(x, y) == two_way.answer(x, y)
    assert protocol.cost_bits == two_way.cost_bits == 2
    assert protocol.play(2, 1).answer == 1
    with pytest.raises(DomainError, match=r"alice\[1\] must be a message below 2, not 2"):
        SimultaneousProtocol((0, 2), (0,), ((1,), (0,)))
    with pytest.raises(DomainError, match="answers must be a matrix of 0 and 1"):
        SimultaneousProtocol((0,), (0,), ((2,),))


@pytest.mark.parametrize(
    ("name", "value"), [("greater_than:n=6", "4/37"), ("greater_than:n=8", "1/7")]
)
def test_known_values_with_two_rounds(name, value):
    result = minimax_error(name, bits=3, model="two-way", rounds=2)
    assert str(result.value) == value
    result.check()


def test_symmetries_that_negate_the_answer():
    problem = as_problem([[0, 1], [1, 0]])
    swap, turn = Symmetry((1, 0), (0, 1), 3), Symmetry((0, 1), (1, 0), 3)
    constant = TwoWayProtocol((0,), 2, 2)
    for moves in ((swap,), (swap, turn)):
        mixture = SymmetricMixture((Fraction(1),), (constant,), moves)
        table = {cell: mixture.error_on(problem, *cell) for cell in problem.inputs()}
        assert table == mixture.error_table(problem) == dict.fromkeys(table, Fraction(1, 2))
        plays = [mixture.play(0, 0, seed=seed).answer for seed in range(100)]
        assert 30 < sum(plays) < 70


def test_mixtures_after_a_random_symmetry():
    problem = ccsim.equality(4)
    result = minimax_error(problem, bits=2, model="two-way")
    mixture = result.protocol
    assert isinstance(mixture, SymmetricMixture)
    assert mixture.symmetries
    assert mixture.worst_error(problem).value == Fraction(3, 13)
    table = {(x, y): mixture.error_on(problem, x, y) for x, y in problem.inputs()}
    assert table == mixture.error_table(problem)
    plays = [mixture.play(0, 1, problem, seed=seed).answer for seed in range(200)]
    assert 20 < sum(plays) < 80  # the error is 3/13
    with pytest.raises(DomainError, match="symmetries must flip all columns or none"):
        SymmetricMixture((1,), (TwoWayProtocol((0,), 2, 2),), (Symmetry((0, 1), (0, 1), 1),))


def test_a_lower_bound_without_a_distribution_has_no_certificate():
    result = minimax_error("equality:n=4", bits=2, model="two-way")
    with pytest.raises(CertificateError, match="distribution must be given"):
        replace(result, distribution=None).certificate()


def test_a_stopped_best_tree_raises():
    weights = np.ones((9, 9), int).tolist()
    with pytest.raises(OutOfTimeError):
        TreeSearch(weights, Limits(4), Budget(0))
    with pytest.raises(OutOfTimeError):
        PairSearch(weights, 4, Budget(0))


@pytest.mark.parametrize(("shape", "bits"), [((17, 17), 2), ((60, 60), 1)])
def test_best_trees_take_little_memory(shape, bits):
    weights = np.random.default_rng(4).integers(-9, 10, shape).tolist()
    tracemalloc.start()
    try:
        search = TreeSearch(weights, Limits(bits))
        answers = answers_of(search.trees()[0], shape)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert cost(np.array(weights), answers) == search.cost
    assert peak < 8 << 20


def test_local_search_finds_protocols_of_large_problems_that_are_better_than_a_coin():
    result = minimax_error("random:m=20,n=20,seed=1", bits=3, model="simultaneous")
    assert result.method == "bounds"
    assert 0 < result.lower < result.upper < Fraction(45, 100)
    result.check()


def some_bounds():
    """Yield curves of a problem with all bounds at limits that stop most searches."""
    rng = np.random.default_rng(8)
    names = ("random:m=12,n=12,seed=1", "greater_than:n=20", "equality:n=40", "inner_product:n=5")
    for problem in (*names, some_problem(rng, (9, 10)), some_problem(rng, (30, 40))):
        for limit in (0, 0.2):
            yield error_curve(problem, bits=range(5), model="all", time_limit=limit)
            for rounds in (1, 2):
                yield error_curve(
                    problem, bits=range(4), model="two-way", rounds=rounds, time_limit=limit
                )


@pytest.mark.slow
def test_bounds_of_a_curve_decrease_with_bits_and_with_stronger_models():
    for curve in some_bounds():
        known = {(result.model, result.bits): result for result in curve}
        for (model, c), result in known.items():
            result.check()
            assert result.lower <= result.upper <= Fraction(1, 2)
            fewer = known.get((model, c - 1))
            if c >= 2 and fewer is not None:
                assert result.upper <= fewer.upper
                assert model != "two-way" or result.lower <= fewer.lower
            if model == "two-way" and result.rounds is None:
                assert result.upper <= known["simultaneous", c].upper


def test_a_stopped_exact_search_returns_at_most_the_error_of_a_coin():
    for model, bits in product(("two-way", "simultaneous"), (1, 2, 3)):
        result = minimax_error("random:m=9,n=9,seed=1", bits=bits, model=model, time_limit=0)
        assert 0 < result.lower <= result.upper <= Fraction(1, 2)
        result.check()


@pytest.mark.parametrize("turns", [1, 20 * 20 + 1, 20 * 20 + 9])
def test_a_search_that_ends_between_two_turns_has_a_mixture(turns):
    """Also before the first turn after step 20, at which the averages begin anew."""
    reduced = reduce_problem(CommunicationProblem.from_matrix(["0110", "1010", "0011", "1101"]))
    search = RegretSearch(reduced, TwoWay(Limits(2, None)), Budget().share(work=turns))
    with suppress(OutOfWorkError):
        search.run()
    error, parts = search.mixture()
    assert 0 <= error <= 1
    assert sum(weight for weight, _ in parts) == 1
    assert search.heavy().sum() > 0
