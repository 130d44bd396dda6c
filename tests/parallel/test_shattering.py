"""Shattered sets found in cubes: the same certificates for any number of processes."""

from __future__ import annotations

import time
from itertools import product

import pytest

from ccsim import native
from ccsim.budget import Budget, Workers
from ccsim.classes import ConceptClass, lines, random_class
from ccsim.classes.concept_class import columns
from ccsim.dimensions import dual_vc_dimension, vc_dimension
from ccsim.dimensions.shattering.cubes import Shattering
from ccsim.dimensions.shattering.growing import Case, counting_search, trace_search
from ccsim.symmetry.matrix import symmetries_of_class

SEARCH = "ccsim.dimensions.shattering.search"


def rotations(width=20):
    """Return all rotations of five concepts."""
    rows = random_class(5, width, seed=3).rows
    turned = {
        (row << i | row >> width - i) & (1 << width) - 1 for row in rows for i in range(width)
    }
    return ConceptClass.from_rows(sorted(turned), range(width))


@pytest.fixture
def short(monkeypatch):
    """Let all searches be divided into cubes."""
    monkeypatch.setattr(f"{SEARCH}.is_listed", lambda _: False)
    monkeypatch.setattr(f"{SEARCH}._FIRST_WORK", 1)
    monkeypatch.setattr(f"{SEARCH}._TURN", 1)


@pytest.mark.parametrize(
    ("solve", "C"),
    [
        (vc_dimension, random_class(60, 24, seed=1)),
        (vc_dimension, rotations(30)),
        (dual_vc_dimension, random_class(60, 24, seed=1).dual()),
    ],
)
def test_certificates_do_not_depend_on_the_number_of_processes(monkeypatch, short, C, solve):
    texts, called = set(), []
    for jobs in (1, 2, 4):
        workers = Workers(jobs, progress=lambda *numbers: called.append(numbers))
        result = solve(C, jobs=workers)
        texts.add(result.certificate().to_json())
    assert len(texts) == 1
    assert called
    result.check()
    monkeypatch.undo()
    assert result.value == solve(C).value


@pytest.mark.parametrize("engine", [True, False])
@pytest.mark.parametrize("number", [1, 7, 150])
def test_the_only_shattered_set_is_in_one_case(monkeypatch, engine, number):
    """Of all columns, only four given ones are shattered; a fifth one never is."""
    if not engine:
        monkeypatch.setattr(native, "engine", lambda: None)
    for places in ((0, 1, 2, 3), (3, 7, 11, 15), (12, 13, 14, 15), (0, 5, 6, 15)):
        cube = [
            sum(b << x for b, x in zip(bits, places, strict=True))
            for bits in product((0, 1), repeat=4)
        ]
        lone = [1 << x for x in range(16)] + [1 << x | 1 << x + 1 for x in range(15)]
        C = ConceptClass.from_rows(sorted({*cube, *lone}), range(16))
        for size, expected in ((4, [places]), (5, [])):
            search = counting_search(columns(C), len(C), size)
            cases = search.divided(number, Budget())
            for method in (search, trace_search(C.rows, 16, size)):
                found = [method.find_in(case, Budget()) for case in cases]
                assert [each for each in found if each is not None] == expected
                assert [method.find_in(case, Budget()) for case in cases[::-1]] == found[::-1]


@pytest.mark.parametrize("C", [lines(5), rotations(12), lines(3)])
def test_cases_up_to_symmetry_find_the_same_sizes(C):
    moves = [symmetry.columns for symmetry in symmetries_of_class(C, Budget())]
    assert moves
    for size in range(1, len(C).bit_length()):
        whole = counting_search(columns(C), len(C), size).find(Budget())
        for number in (1, 20):
            search = counting_search(columns(C), len(C), size, moves)
            cases = search.divided(number, Budget())
            for method in (search, trace_search(C.rows, len(C.points), size, moves)):
                found = any(method.find_in(case, Budget()) for case in cases)
                assert found == (whole is not None)


def test_cases_are_of_similar_length():
    C = random_class(200, 40, seed=1)
    search = counting_search(columns(C), len(C), 6)
    cases, works = search.divided(50, Budget()), []
    for case in cases:
        before = search.work
        search.find_in(Case(*case), Budget())
        works.append(search.work - before)
    assert 50 <= len(cases) <= 100
    assert max(works) < sum(works) / 20


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_time_limit_leaves_bounds(short, jobs):
    begin = time.monotonic()
    result = vc_dimension(random_class(1000, 50, seed=1), jobs=jobs, time_limit=2)
    assert time.monotonic() - begin < 20
    assert result.lower <= 8 <= result.upper
    assert not result.exact
    result.check()


def test_a_search_continues_with_its_database(monkeypatch, short, tmp_path):
    C, workers = random_class(60, 24, seed=1), Workers(store=tmp_path / "a.db")
    first = vc_dimension(C, jobs=workers).certificate().to_json()
    monkeypatch.delattr(Shattering, "__call__")
    assert vc_dimension(C, jobs=workers).certificate().to_json() == first
