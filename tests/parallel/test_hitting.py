"""Hitting sets of neighbourhoods: the same certificate for any number of processes."""

from __future__ import annotations

from random import Random

import pytest

from ccsim.budget import Workers
from ccsim.classes import ConceptClass
from ccsim.parallel.cubes import CubesSampledError
from ccsim.representation import deterministic_representation_size, hitting


def random_class(points, concepts, seed):
    rows = Random(seed).sample(range(1 << points), concepts)  # noqa: S311 - no secret
    return ConceptClass.from_rows(rows, range(points))


@pytest.fixture
def small_cubes(monkeypatch):
    monkeypatch.setattr(hitting, "_WORK", 0)
    monkeypatch.setattr(hitting, "_CUBES", 9)


@pytest.mark.parametrize(("seed", "error"), [(1, "1/4"), (2, "1/5"), (8, "1/4")])
def test_cubes_give_the_certificate_of_one_process(seed, error, monkeypatch, tmp_path):
    C = random_class(5, 10, seed)
    plain = deterministic_representation_size(C, error)
    for work, cubes in ((0, 1), (0, 9), (0, 100), (20_000, 5)):
        monkeypatch.setattr(hitting, "_WORK", work)
        monkeypatch.setattr(hitting, "_CUBES", cubes)
        divided = Workers(store=tmp_path / f"{work} {cubes}.db")
        found = deterministic_representation_size(C, error, jobs=divided)
        assert found.certificate() == plain.certificate()
    plain.check()


def test_symmetric_classes_give_the_certificate_of_one_process(monkeypatch, tmp_path):
    rows = [row for row in range(32) if row.bit_count() in {1, 2}]
    C = ConceptClass.from_rows(rows, range(5))
    plain = deterministic_representation_size(C, "1/4")
    monkeypatch.setattr(hitting, "_WORK", 0)
    found = deterministic_representation_size(C, "1/4", jobs=Workers(store=tmp_path / "a.db"))
    assert found.certificate() == plain.certificate()
    assert plain.proof.permutations
    found.check()


@pytest.mark.usefixtures("small_cubes")
def test_the_certificate_does_not_depend_on_the_number_of_processes():
    C = random_class(6, 10, 1)
    done = []
    texts = set()
    for jobs in (1, 2, 4):
        workers = Workers(jobs, progress=lambda cubes, total: done.append((cubes, total)))
        found = deterministic_representation_size(C, "1/4", jobs=workers)
        assert found.value == 10
        texts.add(str(found.certificate()))
    assert len(texts) == 1
    assert done[-1][1] > 8
    found.check()


@pytest.mark.usefixtures("small_cubes")
def test_a_time_limit_gives_bounds():
    C = random_class(7, 30, 1)
    found = deterministic_representation_size(C, "1/4", jobs=2, time_limit=2)
    assert found.lower < found.upper
    found.check()


@pytest.mark.usefixtures("small_cubes")
def test_a_second_run_continues_with_stored_cubes(tmp_path):
    C = random_class(5, 10, 1)
    workers = Workers(store=tmp_path / "a.db")
    first = deterministic_representation_size(C, "1/4", jobs=workers)
    done = []
    again = Workers(store=tmp_path / "a.db", progress=lambda *each: done.append(each))
    assert deterministic_representation_size(C, "1/4", jobs=again) == first
    assert not done


@pytest.mark.usefixtures("small_cubes")
def test_a_sample_of_cubes_estimates_the_time():
    with pytest.raises(CubesSampledError, match="cubes need about"):
        deterministic_representation_size(random_class(6, 10, 1), "1/4", jobs=Workers(sample=2))
