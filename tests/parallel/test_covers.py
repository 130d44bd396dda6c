"""Covers by rectangles: the same tree of cases for any number of processes."""

from __future__ import annotations

from functools import reduce
from operator import or_
from random import Random

import pytest

from ccsim.budget import Budget, Workers
from ccsim.communication.problem import CommunicationProblem
from ccsim.measures import cover_number, covers
from ccsim.measures.covers import CoverSearch
from ccsim.measures.rectangles import Side
from ccsim.parallel.cubes import CubesSampledError
from ccsim.programs.highs import QuietHighs


def random_matrix(size, seed, density=0.7):
    rng = Random(seed)  # noqa: S311 - no secret
    return [[int(rng.random() < density) for _ in range(size)] for _ in range(size)]


@pytest.fixture
def small_cubes(monkeypatch):
    monkeypatch.setattr(covers, "_WORK", 0)
    monkeypatch.setattr(covers, "_CUBES", 9)


def solved(matrix, *, disjoint, nodes=4000):
    side = Side.of(CommunicationProblem.from_matrix(matrix), 1)
    known = side.every(Budget()) if disjoint else side.maximal(Budget())
    search = CoverSearch(side, known, Budget().share(work=nodes), disjoint=disjoint)
    return search.solve(len(search.inputs))


@pytest.mark.parametrize(
    ("size", "seed", "density", "disjoint"),
    [(11, 8, 0.7, False), (6, 7, 0.6, True), (7, 8, 0.5, True)],
)
def test_cubes_give_the_tree_of_one_process(size, seed, density, disjoint, monkeypatch):
    matrix = random_matrix(size, seed, density)
    plain = solved(matrix, disjoint=disjoint)
    assert len(plain.nodes) > 8
    monkeypatch.setattr(covers, "_WORK", 0)
    for cubes in (1, 6, 40):
        monkeypatch.setattr(covers, "_CUBES", cubes)
        assert solved(matrix, disjoint=disjoint) == plain


@pytest.mark.slow
@pytest.mark.usefixtures("small_cubes")
def test_a_limit_of_nodes_gives_a_smaller_tree():
    matrix = random_matrix(7, 4)
    trees = [solved(matrix, disjoint=True, nodes=nodes) for nodes in (10, 60, 4000)]
    assert len(trees[0].nodes) < len(trees[1].nodes) < len(trees[2].nodes)
    assert trees[0].lower <= trees[1].lower <= trees[2].lower == trees[2].upper


@pytest.mark.usefixtures("small_cubes")
def test_cubes_share_the_limit_of_nodes():
    found = [solved(random_matrix(11, 8), disjoint=False, nodes=nodes) for nodes in (10, 60, 4000)]
    assert len(found[0].nodes) > 9  # the limit does not end the other cubes
    assert found[0].lower < found[1].lower
    assert found[1] == found[2]  # long cubes get the nodes that short ones do not need


@pytest.mark.slow
@pytest.mark.usefixtures("small_cubes")
def test_the_certificate_does_not_depend_on_the_number_of_processes(tmp_path):
    certificates, done = [], []
    for jobs in (1, 2, 4):
        workers = Workers(jobs, progress=lambda *each: done.append(each))
        found = cover_number("equality:n=7", 0, jobs=workers)
        assert found.value == 5
        certificates.append(found.certificate().to_json())
    assert len(set(certificates)) == 1
    assert done[-1][1] > 8
    found.check()
    store = tmp_path / "a.db"
    first = cover_number("equality:n=7", 0, jobs=Workers(store=store))
    done.clear()
    again = Workers(store=store, progress=lambda *each: done.append(each))
    assert cover_number("equality:n=7", 0, jobs=again) == first == found
    assert not done


@pytest.mark.parametrize(("size", "seed", "disjoint"), [(12, 1, False), (7, 3, True)])
def test_first_covers_do_not_depend_on_the_time(size, seed, disjoint, monkeypatch):
    options, set_option = set(), QuietHighs.setOptionValue

    def record(self, name, value):
        options.add(name)
        return set_option(self, name, value)

    monkeypatch.setattr(QuietHighs, "setOptionValue", record)
    side = Side.of(CommunicationProblem.from_matrix(random_matrix(size, seed)), 1)
    known = side.every(Budget()) if disjoint else side.maximal(Budget())
    for budget in (Budget(), Budget(100)):
        search = CoverSearch(side, known, budget, disjoint=disjoint)
        search._improve()
        assert ("time_limit" in options) == budget.limited
        assert "mip_max_nodes" in options
    monkeypatch.setattr(covers, "_MOST_WHOLE", 0)  # without an integer program
    search.best = []
    search._improve()
    total = sum(map(int.bit_count, search.best))
    assert total == side.inputs.bit_count() if disjoint else total > side.inputs.bit_count()
    assert reduce(or_, search.best) == side.inputs
    assert len(search.best) < len(greedy(side, known, disjoint))


def greedy(side, known, disjoint):
    """Return rectangles, each of which contains the most inputs that are left."""
    chosen, left = [], side.inputs
    while left:
        fit = [m for m in known if not (disjoint and m & ~left)]
        chosen.append(max(fit, key=lambda m: (m & left).bit_count()))
        left &= ~chosen[-1]
    return chosen


@pytest.mark.usefixtures("small_cubes")
def test_a_time_limit_gives_bounds():
    found = cover_number(random_matrix(16, 1), 1, jobs=2, time_limit=2)
    assert found.lower < found.upper
    found.check()


@pytest.mark.usefixtures("small_cubes")
def test_a_sample_of_cubes_estimates_the_time():
    with pytest.raises(CubesSampledError, match="cubes need about"):
        cover_number("equality:n=7", 0, jobs=Workers(sample=2))
