"""Covers from public points, compared with definitions over the whole domain."""

from __future__ import annotations

from itertools import combinations_with_replacement, product

import numpy as np
import pytest

from ccsim.classes import ConceptClass
from ccsim.errors import DomainError, InstanceTooLargeError
from ccsim.release.queries.covers import (
    ClassCover,
    Cover,
    SignTable,
    ThresholdCover,
    check_cover_size,
)
from tests.small_classes import random_classes


def assert_is_cover(cover, domain, concepts, sign) -> None:
    """Check a cover by definition; ``sign(concept, point)`` is +1 or -1."""
    kept = [[int(s) for s in cover.signs(k)] for k in range(cover.concepts)]
    behaviours = {c: tuple(sign(c, w) for w in cover.public) for c in concepts}
    assert cover.concepts == len(set(behaviours.values()))
    for k in range(cover.concepts):  # every kept concept is one of the class, constant on cells
        row = tuple(kept[k][cover.cell(x)] for x in domain)
        assert row in {tuple(sign(c, x) for x in domain) for c in concepts}
    for c in concepts:
        k = cover.project(c)
        assert tuple(kept[k][cover.cell(w)] for w in cover.public) == behaviours[c]
    columns = {tuple(row[i] for row in kept) for i in range(cover.cells)}
    assert len(columns) == cover.cells  # no two cells are alike
    assert {cover.cell(x) for x in domain} == set(range(cover.cells))  # and none is empty
    assert all(cover.cell(cover.representative(i)) == i for i in range(cover.cells))
    counts = cover.counts(list(domain))
    assert counts.tolist() == [sum(cover.cell(x) == i for x in domain) for i in range(cover.cells)]
    weights = np.arange(1.0, cover.cells + 1) ** 2
    expected = [sum(s * w for s, w in zip(row, weights, strict=True)) for row in kept]
    assert cover.sums(weights).tolist() == expected
    assert counts.tolist() == Cover.counts(cover, list(domain)).tolist()
    assert cover.columns(range(cover.cells)).tolist() == kept
    held = [cover.cell(w) for w in cover.public]
    assert cover.behaviours().tolist() == [[row[i] for i in held] for row in kept]


@pytest.mark.parametrize("last", [0, 1, 2, 5])
def test_thresholds_of_small_ranges(last) -> None:
    for size in (1, 2, 3):
        for public in combinations_with_replacement(range(last + 1), size):
            cover = ThresholdCover(last, public)
            assert_is_cover(
                cover, range(last + 1), range(last + 2), lambda t, x: 1 if x < t else -1
            )


def test_enumerated_covers_of_random_classes() -> None:
    rng = np.random.default_rng(5)
    for known in random_classes(40, 5):
        rows = dict(zip(known.concepts, known.rows, strict=True))
        place = {point: x for x, point in enumerate(known.points)}
        public = tuple(known.points[i] for i in rng.integers(len(known.points), size=3))
        assert_is_cover(
            ClassCover(known, public),
            known.points,
            known.concepts,
            lambda c, x, rows=rows, place=place: 2 * (rows[c] >> place[x] & 1) - 1,
        )


def test_all_thresholds_as_a_class_and_as_a_range_have_equally_many() -> None:
    thresholds = ConceptClass.from_matrix([[int(x < t) for x in range(6)] for t in range(7)])
    for public in product(range(6), repeat=2):
        finite, long = ClassCover(thresholds, public), ThresholdCover(5, public)
        assert finite.concepts == long.concepts
        assert [finite.project(t) for t in range(7)] == [long.project(t) for t in range(7)]


def test_long_ranges_cost_nothing() -> None:
    last = 2**64 - 1
    cover = ThresholdCover(last, (0, last, 2**40))
    assert cover.concepts == 4
    assert cover.kept[0] == 0
    assert cover.kept[-1] == last + 1
    assert cover.cells == 3
    assert cover.counts([0, last, last, 5]).tolist() == [2, 0, 2]


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: ThresholdCover(7, ()), "public sample must have at least one record"),
        (lambda: ThresholdCover(7, (8,)), "public point must be an integer from 0 to 7"),
        (lambda: ThresholdCover(-1, (0,)), "last record must be at least 0, not -1"),
        (lambda: ThresholdCover(7, (1,)).project(9), "query must be a threshold from 0 to 8"),
        (lambda: ThresholdCover(7, (1,)).cell(-1), "record must be an integer from 0 to 7"),
        (lambda: ThresholdCover(7, (1,)).counts([1, 9]), "record must be an integer from 0 to 7"),
        (lambda: ClassCover(ConceptClass.from_matrix([[0, 1]]), ()), "public sample must have"),
        (
            lambda: ClassCover(ConceptClass.from_matrix([[0, 1]]), (2,)),
            "must be a record of the domain",
        ),
        (
            lambda: ClassCover(ConceptClass.from_matrix([[0, 1]]), (1,)).project(1),
            "query must be a concept of the class, not 1",
        ),
        (
            lambda: ClassCover(ConceptClass.from_matrix([[0, 1]]), (1,)).counts([2]),
            "record must be a point of the class",
        ),
        (
            lambda: ClassCover(ConceptClass((), (), ()), (1,)),
            "class must have at least one concept",
        ),
    ],
)
def test_refusals(make, words) -> None:
    with pytest.raises(DomainError, match=words) as caught:
        make()
    assert "\n" not in str(caught.value)


def test_large_tables_are_refused_with_their_size() -> None:
    check_cover_size(1 << 17, 1 << 16)
    with pytest.raises(InstanceTooLargeError, match="needs 1073750016 bytes"):
        check_cover_size((1 << 17) + 1, 1 << 16)


@pytest.mark.parametrize("cells", [1, 7, 8, 9, 100])
def test_packed_tables_are_tables(cells) -> None:
    rng = np.random.default_rng(cells)
    signs = rng.choice([-1, 1], size=(23, cells)).astype(np.int8)
    table = SignTable.of([signs[:10], signs[10:]])
    assert (table.concepts, table.cells) == (23, cells)
    assert [table.row(k).tolist() for k in range(23)] == signs.tolist()
    chosen = rng.integers(cells, size=5).tolist()
    assert table.columns(chosen).tolist() == signs[:, chosen].tolist()
    counts = rng.integers(1 << 40, size=cells).astype(np.float64)
    assert (
        table.sums(counts).tolist() == (signs.astype(np.int64) @ counts.astype(np.int64)).tolist()
    )
    with pytest.raises(DomainError, match="rows of signs must have the same length"):
        SignTable.of([signs, signs[:, 1:]] if cells > 1 else [])
