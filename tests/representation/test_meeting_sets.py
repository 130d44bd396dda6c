"""Sets that hit more than a target, compared with all sets, in C and in Python."""

import json
import random
from functools import partial
from itertools import combinations, count, pairwise

import numpy as np
import pytest

from ccsim import kernel, native
from ccsim.budget import Budget, OutOfTimeError
from ccsim.kernel import Rejected, check, rules
from ccsim.representation import least_failure, meeting
from ccsim.representation.branching import Refutation
from ccsim.representation.float_game import missing_less
from ccsim.representation.meeting import meeting_sets, meeting_tree, tried
from ccsim.representation.neighbourhoods import Neighbourhood


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
        monkeypatch.setattr(native, "engine", lambda: None)
    elif native.engine() is None:
        pytest.skip("there is no engine in C")


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
    distribution = (weights + 1) / (weights + 1).sum()
    found = missing_less(
        ~holds.T, distribution, size, np.arange(holds.shape[1]), np.inf, Budget(), best=True
    )
    least = min(
        distribution[~holds[:, list(each)].any(1)].sum()
        for each in by_all_sets(holds, weights, size)
    )
    assert found[0][0] == pytest.approx(least, abs=1e-9)
    fewer = missing_less(
        ~holds.T, distribution, size, np.arange(holds.shape[1]), least - 1e-9, Budget()
    )
    assert fewer == []


def bounds_of(tree, holds, weights, size):
    """Return the least weight that each node of a tree leaves unhit."""
    numbers = count()

    def walk(opened, left, more):
        left = set(left)
        for column in tree[next(numbers)]:
            assert column in left
            yield from walk(opened & ~holds[:, column], left := left - {column}, more - 1)
        most = max((weights[opened & holds[:, j]].sum() for j in left), default=0)
        yield weights[opened].sum() - more * most

    yield from walk(np.ones(len(weights), bool), range(holds.shape[1]), size)
    assert next(numbers) == len(tree)


@pytest.mark.usefixtures("library")
@pytest.mark.parametrize("seed", range(30))
def test_a_tree_leaves_no_more_than_the_target(seed):
    holds, weights, size = drawn(seed)
    size = min(size, holds.shape[1])
    most = max(by_all_sets(holds, weights, size).values())
    sets, tree = meeting_tree(holds, weights, size, most, Budget())
    assert sets == []
    assert min(bounds_of(tree, holds, weights, size)) == weights.sum() - most
    if most:
        sets, tree = meeting_tree(holds, weights, size, most - 1, Budget())
        assert sets


@pytest.mark.usefixtures("library")
def test_a_tree_that_is_too_large_is_not_returned(monkeypatch):
    monkeypatch.setattr(meeting, "_MOST_STEPS", 200)  # a node of 9 rows and columns counts 62
    holds = np.eye(9, dtype=bool)
    assert meeting_tree(holds, np.ones(9, int), 3, 1, Budget()) is None
    assert meeting_tree(holds, np.ones(9, int), 1, 1, Budget()) == ([], [[]])


def test_a_tree_takes_the_kernel_about_as_many_steps_as_foreseen(monkeypatch):
    result = least_failure("random:m=6,n=6,seed=3", "1/3", 4)
    document = json.loads(result.certificate().to_json()) | {"upper": None}
    document["statement"]["upper"] = None
    shape, nodes = (len(result.proof.neighbourhoods), 64), len(result.proof.tree)
    assert nodes > 2000
    assert meeting._MOST_STEPS < 0.8 * rules.MAX_WORK  # the rest is for a proof from above
    most = meeting._Search(np.zeros(shape, bool), *[None] * 5).most_steps // 2
    steps = meeting._MOST_STEPS / most
    monkeypatch.setattr(kernel, "Work", partial(rules.Work, int(1.25 * steps * nodes)))
    kernel.check(document)
    monkeypatch.setattr(kernel, "Work", partial(rules.Work, int(0.75 * steps * nodes)))
    with pytest.raises(kernel.TooLong):
        kernel.check(document)


@pytest.mark.parametrize("unit", [1, 3**90])
@pytest.mark.parametrize("seed", range(12))
def test_weights_of_any_length_are_compared_exactly(seed, unit):
    """The best set differs from another one by one unit in numbers of 40 digits."""
    holds, small, size = drawn(seed)
    weights = [unit * int(w) + i for i, w in enumerate(small)]
    items = {sum(1 << int(i) for i in np.flatnonzero(c)): j for j, c in enumerate(holds.T)}
    columns = [*items.values()]
    sets = combinations(columns, min(size, len(columns)))
    met = {s: sum(weights[i] for i in np.flatnonzero(holds[:, list(s)].any(1))) for s in sets}
    most, used = max(met.values()), [Neighbourhood(0, (1, i)) for i in range(len(weights))]
    found = tried(used, items, weights, size, most - 1, Budget())
    assert met[tuple(sorted(found))] == most
    proof = tried(used, items, weights, size, most, Budget())
    assert isinstance(proof, Refutation)
    assert [(each.opened, each.met) for each in proof.visited] == [(sum(weights) - most, 0)]


def test_a_tree_without_symmetries_is_checked_and_its_alterations_are_refused():
    """Without its first branch, which hits the most weight, a node proves less than is stated."""
    result = least_failure("random:m=8,n=5,seed=2", "3/8", 3)
    assert result.exact
    result.check()
    document = json.loads(result.certificate().to_json())
    tree = document["lower"]["branching"]["tree"]
    assert document["lower"]["branching"]["symmetries"] == []
    leaves = [i for i, (a, b) in enumerate(pairwise(tree)) if a["branches"] and not b["branches"]]
    assert leaves
    for i in leaves[:20]:
        altered = json.loads(json.dumps(document))
        nodes = altered["lower"]["branching"]["tree"]
        del nodes[i]["branches"][0], nodes[i + 1]
        with pytest.raises(Rejected, match="the bound that is proved"):
            check(altered)
