"""Every method for the Littlestone dimension, against the definition and when stopped."""

import ctypes
import json
import math
import sys
from itertools import pairwise, product

import numpy as np
import pytest

from ccsim import kernel
from ccsim.budget import Budget, OutOfTimeError, OutOfWorkError
from ccsim.classes import (
    all_functions,
    intervals,
    lines,
    random_class,
    thresholds,
)
from ccsim.cli.main import main
from ccsim.dimensions import littlestone_dimension
from ccsim.dimensions.version_spaces import native
from ccsim.dimensions.version_spaces import search as python_search
from ccsim.dimensions.version_spaces.dense_table import DenseTable
from ccsim.dimensions.version_spaces.native import NativeSearch
from ccsim.dimensions.version_spaces.search import PythonSearch, SearchFailedError, close_in
from ccsim.errors import DomainError, InstanceTooLargeError, NotDecidedError
from tests.small_classes import bare
from tests.strategies import budgets

METHODS = ("python", "compiled", "dense")


def halfspaces_of_the_cube(d):
    """Return all linear threshold functions on {0,1}^d; for d <= 4, weights up to 3 suffice."""
    cube = np.array(list(product((0, 1), repeat=d)))
    sums = np.array(list(product(range(-3, 4), repeat=d))) @ cube.T
    signs = np.concatenate([sums >= t for t in range(-3 * d, 3 * d + 2)])
    rows = np.unique(signs, axis=0) @ (1 << np.arange(1 << d))
    return bare(map(int, rows), 1 << d)


def unions_of_two_intervals(n):
    return bare(sorted({a | b for a in intervals(n).rows for b in intervals(n).rows}), n)


def quadratics(p):
    field = range(p)
    rows = [
        sum(1 << p * x + (a * x * x + b * x + c) % p for x in field)
        for a, b, c in product(field, repeat=3)
    ]
    return bare(rows, p * p)


def assert_proved(result):
    result.check()
    assert result.exact
    assert "littlestone" in kernel.check(json.loads(result.certificate().to_json()))


def agree(number, seed):
    rng = np.random.default_rng(seed)
    for i in range(number):
        n = int(rng.integers(1, 11))
        C = random_class(int(rng.integers(1, min(200, 1 << n) + 1)), n, seed=i)
        results = [littlestone_dimension(C, method=method) for method in METHODS]
        assert len({result.value for result in results}) == 1, C
        for result in results:
            result.check()


def test_methods_agree_on_200_random_classes():
    agree(200, seed=1)


@pytest.mark.slow
def test_methods_agree_on_2000_random_classes():
    agree(2000, seed=2)


@pytest.mark.parametrize("method", METHODS)
def test_points_that_repeat_or_complement_others_are_proved_too(method):
    wide = [r | (r ^ 255) << 8 | r << 16 | 1 << 24 for r in intervals(8).rows]
    result = littlestone_dimension(bare(wide, 25), method=method)
    assert result.value == 4
    assert result.refutation.entries
    assert_proved(result)


@pytest.mark.parametrize(
    ("C", "value"),
    [
        (halfspaces_of_the_cube(4), 9),
        (unions_of_two_intervals(16), 9),
        (quadratics(7), 3),
        (intervals(70), 10),
        (lines(13), 2),
        (thresholds(8), 8),
    ],
    ids=["halfspaces", "unions", "quadratics", "intervals", "lines", "thresholds"],
)
@pytest.mark.parametrize("method", ["compiled", "python"])
def test_searches_prove_classes_of_more_than_one_word(C, value, method):
    result = littlestone_dimension(C, method=method)
    assert (result.value, result.method) == (value, method)
    assert_proved(result)


def test_automatic_choice_is_compiled_where_the_class_is_not_small(monkeypatch):
    """Small classes are searched in Python, so that their certificates need no engine."""
    small, others = (lines(3), thresholds(5)), (lines(7), unions_of_two_intervals(14))
    assert {littlestone_dimension(C).method for C in small} == {"python"}
    assert {littlestone_dimension(C).method for C in others} == {"compiled"}
    monkeypatch.setattr(native, "found", lambda: None)
    for method in ("auto", "compiled"):
        assert {littlestone_dimension(C, method=method).method for C in others} == {"python"}


def test_unknown_methods_and_too_many_points_are_refused():
    with pytest.raises(DomainError, match=r"method must be one of auto, .* not 'magic'"):
        littlestone_dimension(lines(2), method="magic")
    with pytest.raises(
        InstanceTooLargeError, match=r"has 17 points, .* limit of the dense method is 16"
    ):
        littlestone_dimension(intervals(17), method="dense")
    assert littlestone_dimension(bare([0, (1 << 40) - 1], 40), method="dense").value == 1


# Stopped searches


@pytest.mark.parametrize("method", ["python", "compiled"])
def test_search_without_time_has_certified_bounds(method):
    C = unions_of_two_intervals(20)
    result = littlestone_dimension(C, method=method, time_limit=0)
    assert result.lower <= 10 <= result.upper
    assert result.lower < result.upper
    assert not result.exact
    with pytest.raises(NotDecidedError, match=rf"between {result.lower} and {result.upper}"):
        _ = result.value
    result.check()
    said = kernel.check(json.loads(result.certificate().to_json()))
    assert said.endswith(f"between {result.lower} and {result.upper}")


@pytest.mark.parametrize("method", METHODS)
def test_progress_closes_in_on_the_value(method):
    seen = []
    result = littlestone_dimension(
        intervals(16), method=method, time_limit=1e9, progress=lambda *bounds: seen.append(bounds)
    )
    assert seen[-1] == (result.value, result.value) == (6, 6)
    for (low, high), (lower, upper) in pairwise(seen):
        assert low <= lower <= upper <= high


class Interrupted:
    """A search that is interrupted as soon as a tree of depth 2 is found."""

    first_work = 1

    def __init__(self, search):
        self.search = search

    def decide(self, depth, budget):
        if depth == 3:
            raise KeyboardInterrupt
        return self.search.decide(depth, budget)


def test_interrupt_gives_bounds_only_where_they_are_asked_for():
    search = Interrupted(PythonSearch(all_functions(4)))
    search.first_work = 1 << 20
    assert close_in(search, (0, 4), Budget(math.inf)) == (2, 4)
    with pytest.raises(KeyboardInterrupt):
        close_in(search, (0, 4), Budget())


@pytest.mark.parametrize("Search", [PythonSearch, NativeSearch])
def test_paused_question_goes_on_where_it_stopped(Search):
    search = Search(unions_of_two_intervals(16))
    work, pauses = 1000, 0
    while True:
        try:
            answer = search.decide(10, Budget().share(work=work))
            break
        except OutOfWorkError:
            work, pauses = 2 * work, pauses + 1
    assert not answer
    assert pauses > 2
    search.refutation(10, Budget()).check(search.concept_class, 9)


@pytest.mark.parametrize("Search", [PythonSearch, NativeSearch])
def test_bounds_move_from_both_sides_when_questions_are_long(Search):
    seen = []
    search = Search(quadratics(7))
    search.first_work = 100
    assert close_in(search, (0, 8), Budget(None, lambda *pair: seen.append(pair))) == (3, 3)
    assert {high for low, high in seen if low == 3} >= {3, 4, 5}
    for low, high in seen:
        search.tree(low, Budget()).check(search.concept_class)
        search.refutation(high + 1, Budget()).check(search.concept_class, high)


def test_dims_without_time_prints_bounds_and_leaves_with_3(tmp_path, capsys):
    made = tmp_path / "made.json"
    arguments = ["dimensions", "intervals:n=70", "--time-limit", "0", "--certificate", str(made)]
    assert main([*arguments, "--json"]) == 3
    data = json.loads(capsys.readouterr().out)
    assert data["littlestone"] is None
    assert data["littlestone_lower"] <= 10 <= data["littlestone_upper"]
    between = f"between {data['littlestone_lower']} and {data['littlestone_upper']}"
    assert between in kernel.check(kernel.read(made))
    assert main(arguments) == 3
    captured = capsys.readouterr()
    assert f"Littlestone dimension  {between}" in captured.out
    assert captured.err == ""


def test_dims_with_time_is_exact(capsys):
    assert main(["dimensions", "intervals:n=70", "--time-limit", "100", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["littlestone"] == 10
    assert "littlestone_lower" not in data


@pytest.mark.parametrize("method", METHODS)
def test_bounds_are_proved_at_whatever_step_the_search_is_stopped(method):
    classes = [intervals(6), lines(3), random_class(30, 7, seed=2)]
    if method != "dense":  # which has 16 points at most; here a lower bound is found by itself
        classes.append(lines(5))
    for C in classes:
        value = littlestone_dimension(C).value
        for budget in budgets():
            result = littlestone_dimension(C, method=method, time_limit=budget)
            assert result.lower <= value <= result.upper
            result.check()
            kernel.check(json.loads(result.certificate().to_json()))
            if result.exact:
                break


# Collisions of hashes


def claim_in_c(search, rng, claim):
    """Make a quarter of the stored bounds (in slots of two words) claim a false bound."""
    slots = ctypes.c_void_p.from_address(search.engine).value
    number = ctypes.c_int64.from_address(search.engine + 8).value
    memory = np.ctypeslib.as_array((ctypes.c_uint64 * (2 * number)).from_address(slots))
    said = memory[1::2]
    filled = np.flatnonzero(said)
    wrong = rng.choice(filled, len(filled) // 4, replace=False)
    said[wrong] = (said[wrong] >> 16 << 16) | (claim[0] + 1) << 8 | claim[1]


@pytest.mark.parametrize("claim", [(0, 1), (9, 100)], ids=["no trees", "deep trees"])
def test_collisions_end_in_a_failure_or_a_right_answer_never_in_a_wrong_one(claim):
    C = unions_of_two_intervals(12)
    value = littlestone_dimension(C, method="python").value
    failures = 0
    for seed in range(8):
        search = NativeSearch(C)
        close_in(search, (0, 9), Budget())
        claim_in_c(search, np.random.default_rng(seed), claim)
        try:
            search.tree(value, Budget()).check(C)
            search.refutation(value + 1, Budget()).check(C, value)
        except SearchFailedError:
            failures += 1
        with pytest.raises(SearchFailedError):
            search.tree(value + 1, Budget())
        with pytest.raises(SearchFailedError):
            search.refutation(value, Budget())
    assert failures > 0


def test_failed_search_hands_over_to_python(monkeypatch):
    def fail(self, depth, budget):
        raise SearchFailedError

    monkeypatch.setattr(NativeSearch, "tree", fail)
    result = littlestone_dimension(lines(3), method="compiled")
    assert (result.value, result.method) == (2, "python")
    assert_proved(result)


@pytest.mark.parametrize("p", [5, 11])  # 25 and 121 points
def test_words_of_another_order_are_not_read_by_c(monkeypatch, p):
    monkeypatch.setattr(sys, "byteorder", "big")
    result = littlestone_dimension(lines(p), method="compiled")
    assert (result.value, result.method) == (2, "python")


# Proofs within the time limit


class Slow:
    """A search whose proofs are not finished in time, or are interrupted."""

    first_work = 1 << 20

    def __init__(self, search, stop, *, slow=("tree", "refutation")):
        self.search, self.stop, self.slow = search, stop, slow

    def decide(self, depth, budget):
        return self.search.decide(depth, budget)

    def tree(self, depth, budget):
        if depth > 1 and "tree" in self.slow:
            raise self.stop
        return self.search.tree(depth, budget)

    def refutation(self, depth, budget):
        if "refutation" in self.slow:
            raise self.stop
        return self.search.refutation(depth, budget)


@pytest.mark.parametrize("stop", [OutOfTimeError, KeyboardInterrupt])
@pytest.mark.parametrize(
    ("slow", "bounds"),
    [(("tree",), (6, 6)), (("refutation",), (6, 7)), (("tree", "refutation"), (6, 7))],
)
def test_only_bounds_with_a_proof_are_stated(monkeypatch, stop, slow, bounds):
    C = intervals(16)
    search = Slow(PythonSearch(C), stop, slow=slow)
    monkeypatch.setattr(python_search, "PythonSearch", lambda C, budget: search)
    result = littlestone_dimension(C, method="python", time_limit=1e6)
    assert (result.lower, result.upper) == bounds
    result.check()
    assert kernel.check(json.loads(result.certificate().to_json()))
    with pytest.raises(stop):
        littlestone_dimension(C, method="python")


@pytest.mark.parametrize("Search", [PythonSearch, NativeSearch, DenseTable])
def test_proofs_hear_a_budget_that_has_expired(Search):
    C = intervals(16)
    search = Search(C)
    close_in(search, (0, 7), Budget())
    for read_off in (search.tree, search.refutation):
        with pytest.raises(OutOfTimeError):
            read_off(6 if read_off == search.tree else 7, Budget(0))
    search.tree(6, Budget()).check(C)
    search.refutation(7, Budget()).check(C, 6)


def test_orbits_hear_a_budget_that_has_expired():
    search = PythonSearch(halfspaces_of_the_cube(4))
    assert search.symmetries
    with pytest.raises(OutOfTimeError):
        search.refutation(10, Budget(0))
    search.refutation(10, Budget()).check(search.concept_class, 9)
