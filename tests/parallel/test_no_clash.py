"""The no-clash teaching dimension by cubes: the same certificate for any number of processes."""

from __future__ import annotations

from random import Random

import pytest

from ccsim import Workers, no_clash_teaching_dimension, random_class
from ccsim.budget import Budget
from ccsim.classes import ConceptClass
from ccsim.dimensions.teaching import no_clash
from ccsim.dimensions.teaching.no_clash import Assignments, Cubes
from ccsim.dimensions.teaching.teachers import by_local_search, by_symmetry, clash_free
from tests.small_classes import random_classes

HARD = random_class(40, 30, seed=0)
"""A class whose sets of one point are excluded by a tree of 12 795 cases."""


@pytest.fixture
def early_cubes(monkeypatch):
    """Let searches be divided after little work, by which processes are not affected."""
    monkeypatch.setattr(no_clash, "_FEW_PAIRS", 1)
    monkeypatch.setattr(no_clash, "_FIRST_WORK", 1)
    monkeypatch.setattr(no_clash, "_CUBES", 20)


def certificate(C, jobs, **options):
    return no_clash_teaching_dimension(C, jobs=jobs, **options).certificate().to_json()


def test_certificates_are_the_same_for_any_number_of_processes(monkeypatch, early_cubes):
    found = [no_clash_teaching_dimension(HARD, jobs=jobs) for jobs in (1, 2, 4)]
    assert {str(result.certificate().to_json()) for result in found} == {
        str(found[0].certificate().to_json())
    }
    assert (found[0].value, found[0].bound.form) == (2, "cases")
    found[0].check()
    monkeypatch.undo()  # without cubes
    assert no_clash_teaching_dimension(HARD) == found[0]


def test_cubes_of_small_classes_have_the_values_and_trees_of_the_search(monkeypatch, early_cubes):
    divided = []
    for C in random_classes(60, seed=2, most=16, max_points=5):
        found = no_clash_teaching_dimension(C)
        found.check()
        monkeypatch.setattr(no_clash, "_FIRST_WORK", 1 << 22)
        assert no_clash_teaching_dimension(C).value == found.value
        if found.bound.form == "cases":
            search = Assignments(C.rows, len(C.points), found.lower - 1)
            assert search.search(Budget()) == (None, found.bound.pairs)
        monkeypatch.setattr(no_clash, "_FIRST_WORK", 1)
        search = Assignments(C.rows, len(C.points), min(1, len(C.points)))
        divided.append(
            search.first(Budget(), 1) is None and sum(map(bool, search._divided(Budget())[0]))
        )
    assert max(divided) > 3


def test_a_stopped_search_has_bounds(early_cubes):
    C = random_class(60, 60, seed=0)
    found = no_clash_teaching_dimension(C, time_limit=2, jobs=2)
    found.check()
    assert found.lower == 1 < found.upper


def test_a_second_run_continues_with_stored_results(tmp_path, monkeypatch, early_cubes):
    workers = Workers(2, store=tmp_path / "a.db")
    first = certificate(HARD, workers)
    monkeypatch.setattr(Cubes, "__call__", None)  # every result is in the database
    again = certificate(HARD, Workers(1, store=tmp_path / "a.db"))
    assert again == first


def paley(p):
    """Return a tournament: point x is in concept i if x - i is a square."""
    squares = {x * x % p for x in range(1, p)}
    return [sum(1 << x for x in range(p) if (x - i) % p in squares) for i in range(p)]


@pytest.mark.parametrize("p", [7, 19, 43, 47, 59])
def test_tournaments_of_squares_have_a_teacher_of_one_point(p):
    rows = paley(p)
    Random(p).shuffle(rows)  # noqa: S311 - no secret
    found = no_clash_teaching_dimension(ConceptClass.from_rows(rows, range(p)))
    found.check()
    assert found.value == 1


def test_constructed_teachers_have_no_clashes():
    number = 0
    for C in random_classes(60, seed=4, most=16, max_points=5):
        width = len(C.points)
        by_orbit = by_symmetry(C.rows, width, Budget()) if width else None
        for size in range(width + 1):
            taught = by_local_search(C.rows, width, no_clash._sets(width, size), Budget())
            value = no_clash_teaching_dimension(C).value
            for each in filter(None, (taught, by_orbit)):
                assert clash_free(C.rows, each)
                assert max(map(int.bit_count, each)) >= value
                number += 1
            assert size < value or taught is not None
    assert number > 100
    assert not clash_free([0b01, 0b11], [0b01, 0b01])
    assert clash_free([0b01, 0b11], [0b01, 0b10])
