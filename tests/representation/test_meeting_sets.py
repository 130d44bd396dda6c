"""Sets that meet more than a target against all sets, in C and without a compiler."""

import random
from itertools import combinations

import numpy as np
import pytest

from ccsim.budget import Budget, OutOfTimeError
from ccsim.representation.failing_sets import meeting
from ccsim.representation.failing_sets.meeting import meeting_sets
from ccsim.representation.failing_sets.missing import missing_less


def drawn(seed):
    rng = random.Random(seed)  # noqa: S311 - instances, no secrets
    rows, columns = rng.randint(1, 90), rng.randint(1, 9)
    density = rng.choice([0.1, 0.4, 0.9])
    holds = np.array([[rng.random() < density for _ in range(columns)] for _ in range(rows)])
    return holds, np.array([rng.randint(0, 50) for _ in range(rows)]), rng.randint(1, 5)


def by_all_sets(holds, weights, size):
    sets = combinations(range(holds.shape[1]), min(size, holds.shape[1]))
    return {each: int(weights[holds[:, list(each)].any(1)].sum()) for each in sets}


@pytest.fixture(params=["in C", "in Python"])
def library(request, monkeypatch):
    if request.param == "in Python":
        monkeypatch.setattr(meeting, "_LIBRARY", type("None", (), {"is_possible": lambda: False}))
    elif not meeting._LIBRARY.is_possible():
        pytest.skip("no C compiler")


@pytest.mark.usefixtures("library")
@pytest.mark.parametrize("seed", range(30))
def test_all_sets_above_a_target_are_told_and_no_others(seed):
    holds, weights, size = drawn(seed)
    met = by_all_sets(holds, weights, size)
    for target in {-1, *sorted(met.values())[-8:], max(met.values()) - 1}:
        found = list(meeting_sets(holds, weights, size, target, Budget()))
        # a set of fewer hypotheses stands for those that hold it
        assert len(found) == len(set(found))
        assert {each for each in met if met[each] > target} == {
            each for each in met for some in found if set(some) <= set(each) and met[each] > target
        }
        assert all(weights[holds[:, list(some)].any(1)].sum() > target for some in found)
    [*_, best] = meeting_sets(holds, weights, size, -1, Budget(), rising=True)
    assert weights[holds[:, list(best)].any(1)].sum() == max(met.values())


@pytest.mark.usefixtures("library")
def test_of_one_kind_one_is_enough():
    holds = np.eye(4, dtype=bool)
    kinds = np.array([0, 0, 1, 1])
    found = list(meeting_sets(holds, np.array([2, 2, 1, 1]), 2, 2, Budget(), kinds=kinds))
    assert found == [(0, 1), (0, 2), (0, 3)]


@pytest.mark.usefixtures("library")
def test_the_search_ends_with_the_budget():
    with pytest.raises(OutOfTimeError):
        list(meeting_sets(np.eye(4, dtype=bool), np.ones(4, int), 2, 1, Budget(0)))


@pytest.mark.parametrize("seed", range(10))
def test_what_misses_least_is_found(seed):
    holds, weights, size = drawn(seed)
    law = (weights + 1) / (weights + 1).sum()
    found = missing_less(
        ~holds.T, law, size, np.arange(holds.shape[1]), np.inf, Budget(), best=True
    )
    least = min(
        law[~holds[:, list(each)].any(1)].sum() for each in by_all_sets(holds, weights, size)
    )
    assert found[0][0] == pytest.approx(least, abs=1e-9)
    fewer = missing_less(~holds.T, law, size, np.arange(holds.shape[1]), least - 1e-9, Budget())
    assert fewer == []
