"""Case trees of private coins grown in cubes: the same certificates for any number of processes."""

from __future__ import annotations

import json
import time
from fractions import Fraction

import numpy as np
import pytest

from ccsim import (
    equality,
    evaluation_problem,
    greater_than,
    index,
    kernel,
    minimax_error,
    thresholds,
)
from ccsim.budget import Budget, Workers
from ccsim.communication.private_coins import bounds, boxes, case_cubes, simplices
from ccsim.communication.private_coins.boxes import BoxSearch, BoxTree
from ccsim.communication.private_coins.case_cubes import CubeTree, joined, packed, parted, unpacked
from ccsim.communication.private_coins.simplices import (
    DistributionSearch,
    SimplexSearch,
    SimplexTree,
)
from ccsim.communication.public_coins.domination import reduce_problem
from ccsim.parallel.cubes import CubesSampledError


@pytest.fixture
def short(monkeypatch):
    """Let trees be divided into cubes after a few cases."""
    monkeypatch.setattr(CubeTree, "_divide", _few)


def _few(search, _):
    search._alone, search._each = 20, 6


@pytest.fixture
def only(monkeypatch, short):
    """Let only one kind of trees grow."""

    def choose(kind):
        grow = bounds.PrivateCoinSearch._grow

        def grow_one(self, made, *rest, **more):
            if getattr(made, "func", made) is kind:
                grow(self, made, *rest, **more)

        monkeypatch.setattr(bounds.PrivateCoinSearch, "_grow", grow_one)

    return choose


QUESTIONS = [
    (BoxSearch, evaluation_problem(thresholds(2)), 2, "1/200"),
    (DistributionSearch, index(2), 3, "1/300"),
    (SimplexSearch, index(2), 3, "1/20"),
]


@pytest.mark.parametrize(("kind", "problem", "messages", "gap"), QUESTIONS, ids=str)
def test_certificates_do_not_depend_on_the_number_of_processes(only, kind, problem, messages, gap):
    only(kind)
    texts, called = set(), []
    for jobs in (1, 2, 4):
        workers = Workers(jobs, progress=lambda *numbers: called.append(numbers))
        result = minimax_error(problem, messages, "private", gap=gap, jobs=workers)
        texts.add(result.certificate().to_json())
    assert len(texts) == 1
    assert len(called) > 3 * 8
    expected = BoxTree if kind is BoxSearch else SimplexTree
    assert isinstance(result.proof, expected)
    assert result.upper - result.lower <= Fraction(gap)
    result.check()
    kernel.check(json.loads(texts.pop()))


def search_of(kind, problem, messages, target):
    reduced = reduce_problem(problem)
    return kind(reduced, reduced.values(), messages, target)


@pytest.mark.parametrize(
    ("kind", "problem", "target"),
    [
        (BoxSearch, greater_than(4), 0.27),
        (SimplexSearch, greater_than(4), 0.28),
        (DistributionSearch, equality(4), 0.36),
    ],
    ids=str,
)
def test_cubes_prove_what_one_search_proves(monkeypatch, kind, problem, target):
    alone = search_of(kind, problem, 3, target)
    alone.grow(10**5)
    monkeypatch.setattr(CubeTree, "_divide", _few)
    divided = search_of(kind, problem, 3, target)
    divided.grow(10**5)
    parts = [part for case in divided._cases for part in case.parts]
    assert sorted(divided._roots + parts) == list(range(len(divided._cases)))
    trees = [search.tree() for search in (alone, divided)]
    assert all(tree.bound(problem, 3) >= target - 1e-5 for tree in trees)
    # a round cuts only cases that one search cuts as well
    ratio = len(divided._cases) / len(alone._cases)
    assert ratio == 1 if kind is SimplexSearch else 0.8 < ratio < 1.25


def test_a_tree_with_few_cases_is_best_first_in_rounds_as_well(short):
    bound = {}
    for alone in (20, 1500):
        search = search_of(SimplexSearch, greater_than(5), 3, 0.33)
        search._alone = alone
        search.grow(1500)
        assert 1500 <= len(search._cases) < 1600
        bound[alone] = search.bound
    assert bound[20] > 0.98 * bound[1500]


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_time_limit_leaves_bounds(short, jobs):
    begin = time.monotonic()
    result = minimax_error(greater_than(6), 3, "private", gap=0, jobs=jobs, time_limit=3)
    assert time.monotonic() - begin < 20
    assert Fraction(1, 4) <= result.lower < result.upper
    result.check()


def test_a_round_that_is_out_of_time_leaves_a_valid_tree(monkeypatch):
    search = search_of(SimplexSearch, greater_than(5), 3, 0.33)
    search._alone, search._each = 200, 10
    solved = case_cubes.solved

    def first_two(*given):
        found = solved(*given)
        yield next(found)
        yield next(found)
        budget.interrupted = True
        budget.spend()

    monkeypatch.setattr(case_cubes, "solved", first_two)
    budget = Budget(1000)
    with budget:
        search.grow(10_000, budget)
    assert len(search._cases) > 200
    waiting = {number for _, number in search._open}
    leaves = {i for i, case in enumerate(search._cases) if not case.parts}
    assert waiting == leaves
    assert abs(float(search.tree().bound(greater_than(5), 3)) - search.bound) < 1e-5


def test_a_search_continues_with_its_database(monkeypatch, only, tmp_path):
    only(SimplexSearch)
    workers = Workers(store=tmp_path / "a.db")
    first = minimax_error(index(2), 3, "private", gap="1/20", jobs=workers)
    monkeypatch.setattr(CubeTree, "_grown", None)
    again = minimax_error(index(2), 3, "private", gap="1/20", jobs=workers)
    assert again.certificate().to_json() == first.certificate().to_json()


def test_a_sample_estimates_the_time_of_a_round(only):
    only(SimplexSearch)
    with pytest.raises(CubesSampledError, match="cubes need about"):
        minimax_error(index(2), 3, "private", gap="1/20", jobs=Workers(sample=2))


def test_all_work_is_done_alone_for_small_problems():
    """The work of about a second comes before cubes, whatever the size of the problem."""
    for problem, messages in ((greater_than(4), 3), (greater_than(7), 3), (equality(6), 4)):
        search = search_of(SimplexSearch, problem, messages, 0.4)
        assert 100 < search._alone < 10_000
        assert search._each == search._alone // 3
    assert simplices._ALONE > simplices._ALONE_IN_GAMES
    # without a time limit, fewer boxes are cut
    assert boxes._ALONE > bounds._WORK


@pytest.mark.parametrize("kind", ["f8", "i1"])
def test_arrays_survive_as_json(kind):
    array = (np.arange(24).reshape(2, 3, 4) / 3).astype(kind)
    again = unpacked(json.loads(json.dumps(packed(array))))
    assert again.dtype == array.dtype
    assert again.flags.c_contiguous
    assert (again == array).all()


def test_arrays_of_known_shapes_survive_as_one_text():
    arrays = [np.arange(6.0).reshape(2, 3), np.zeros((0, 4)), np.arange(5) / 7]
    again = parted(joined(arrays), "f8", (2, 3), (0, 4), (-1,))
    assert [each.tolist() for each in again] == [each.tolist() for each in arrays]
