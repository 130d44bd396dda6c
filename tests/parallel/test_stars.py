"""Stars found in cubes: the same certificates for any number of processes."""

from __future__ import annotations

import time

import pytest

from ccsim.budget import Budget, Workers
from ccsim.classes import ConceptClass, points, random_class
from ccsim.dimensions import star_number
from ccsim.dimensions.teaching.star import Case, Stars, _NativeStars, _PlainStars
from ccsim.native import engine
from tests.small_classes import random_classes

STAR = "ccsim.dimensions.teaching.star"


@pytest.fixture
def short(monkeypatch):
    """Let all searches be divided into cubes."""
    monkeypatch.setattr(f"{STAR}._LONG", 1)


@pytest.mark.parametrize("C", [random_class(60, 16, seed=1), random_class(40, 20, seed=2)])
def test_certificates_do_not_depend_on_the_number_of_processes(monkeypatch, short, C):
    texts, called = set(), []
    for jobs in (1, 2, 4):
        workers = Workers(jobs, progress=lambda *numbers: called.append(numbers))
        result = star_number(C, jobs=workers)
        texts.add(result.certificate().to_json())
    assert len(texts) == 1
    assert called
    result.check()
    monkeypatch.undo()
    assert result.value == star_number(C).value


def test_small_classes_have_the_same_star_number_in_cubes(monkeypatch):
    for C in random_classes(30, seed=8, most=20, max_points=7):
        plain = star_number(C)
        with monkeypatch.context() as patched:
            patched.setattr(f"{STAR}._LONG", 1)
            result = star_number(C)
        assert result.value == plain.value
        result.check()


@pytest.mark.skipif(engine() is None, reason="there is no engine in C")
def test_both_searches_have_the_same_choices_and_stars():
    C = random_class(50, 12, seed=1)
    searches = _NativeStars(C), _PlainStars(C)
    for size in range(2, 10):
        path: tuple[int, ...] = ()
        while len(path) + 1 < size:
            lefts = [search.left(size, path) for search in searches]
            assert lefts[0] == lefts[1]
            serving = [place for place, (left, _) in enumerate(lefts[0]) if left >= 0]
            for place in serving:
                case = Case(path, place, place + 1)
                stars = [search.of_size(size, Budget(), case) for search in searches]
                assert stars[0] == stars[1]
            if not serving:
                break
            path = (*path, serving[len(serving) // 2])


@pytest.mark.parametrize("search", [_PlainStars, _NativeStars])
def test_the_only_star_is_in_one_cube(search):
    """The centre is the empty set; there is no other star of five points."""
    if search is _NativeStars and engine() is None:
        pytest.skip("there is no engine in C")
    C = ConceptClass.from_rows([0, *(1 << x for x in (1, 4, 5, 8, 9))], range(10))
    found = []
    for path in ((), (1,)):
        for place in range(len(search(C).left(5, path))):
            star = search(C).of_size(5, Budget(), Case(path, place, place + 1))
            found += [] if star is None else [star]
    assert set(found) <= {(0, sum(1 << x for x in (1, 4, 5, 8, 9)))}
    assert found


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_time_limit_leaves_bounds(short, jobs):
    begin = time.monotonic()
    result = star_number(random_class(200, 60, seed=1), jobs=jobs, time_limit=2)
    assert time.monotonic() - begin < 20
    assert 5 <= result.lower < result.upper


def test_a_search_continues_with_its_database(monkeypatch, short, tmp_path):
    C, workers = random_class(60, 16, seed=1), Workers(store=tmp_path / "a.db")
    first = star_number(C, jobs=workers).certificate().to_json()
    monkeypatch.delattr(Stars, "__call__")
    assert star_number(C, jobs=workers).certificate().to_json() == first


def test_the_whole_class_of_points_is_a_star(short):
    assert star_number(points(3)).value == 7
