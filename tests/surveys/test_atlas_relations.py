"""Symmetries, neighbours and families of the classes of the atlas, compared with definitions."""

from __future__ import annotations

from collections import Counter
from itertools import permutations, product
from math import factorial

import pytest

from ccsim.instances import parse_class
from ccsim.surveys.atlas.relations import family_names, relations
from ccsim.surveys.atlas.table import atlas, first_isomorphic, rows_of


def isomorphisms(n):
    """Yield the isomorphisms as functions of tuples of labels."""
    for order in permutations(range(n)):
        for flip in product((0, 1), repeat=n):
            yield lambda c, order=order, flip=flip: tuple(
                c[x] ^ b for x, b in zip(order, flip, strict=True)
            )


def symmetries(entry):
    C = {tuple(map(int, text)) for text in entry.concepts}
    return sum({move(c) for c in C} == C for move in isomorphisms(entry.points))


@pytest.mark.parametrize("n", range(1, 5))
def test_the_classes_have_as_many_images_as_there_are_classes(n):
    """The orbits of all nonempty sets of functions, whose sizes follow from the symmetries."""
    entries = [entry for entry in atlas() if entry.points == n]
    found = [relations(n, entry.chosen) for entry in entries]
    assert sum(each.isomorphic for each in found) == 2**2**n - 1
    assert all(each.symmetries * each.isomorphic == factorial(n) * 2**n for each in found)


def test_symmetries_are_the_isomorphisms_of_a_class_with_itself():
    few = [entry for entry in atlas() if entry.points <= 3]
    some = [entry for entry in atlas() if entry.points in (4, 5)][::97]
    for entry in few + some:
        assert relations(entry.points, entry.chosen).symmetries == symmetries(entry)


def test_neighbours_differ_by_one_concept():
    few = [entry for entry in atlas() if entry.points <= 3]
    for entry in [*few, *[entry for entry in atlas() if entry.points == 4][::40]]:
        n, rows = entry.points, rows_of(entry.chosen)
        found = relations(n, entry.chosen)
        smaller = [[row for row in rows if row != left] for left in rows] if rows[1:] else []
        larger = [[*rows, row] for row in range(1 << n) if row not in rows]
        assert found.smaller == Counter(first_isomorphic(n, each) for each in smaller)
        assert found.larger == Counter(first_isomorphic(n, each) for each in larger)


def test_a_class_is_a_neighbour_of_its_neighbours():
    for entry in atlas():
        if entry.points == 4:
            for less in relations(4, entry.chosen).smaller:
                assert entry.chosen in relations(4, less).larger


def test_families_are_named_by_isomorphic_classes():
    names = family_names()
    assert {text for texts in names.values() for text in texts} >= {
        "thresholds:b=2", "points:b=2", "intervals:n=5", "lines:p=2", "all_functions:n=5"
    }  # fmt: skip
    for (n, chosen), texts in names.items():
        own = sorted(tuple(map(int, f"{row:0{n}b}"[::-1])) for row in rows_of(chosen))
        for text in texts:
            C = parse_class(text)
            assert len(C.points) == n
            concepts = {tuple(row >> x & 1 for x in range(n)) for row in C.rows}
            images = (sorted(map(move, concepts)) for move in isomorphisms(n))
            assert own in images, text
