"""Classes up to isomorphism: counts by Burnside's lemma, and all classes on few points."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, permutations, product
from math import factorial

import pytest

from ccsim.classes.families.elementary import some_functions
from ccsim.errors import DomainError, InstanceTooLargeError
from ccsim.instances import parse_class
from ccsim.surveys.instances import small_classes


def functions(n):
    return list(product((0, 1), repeat=n))


def moves(n):
    """Return all permutations of points with exchanges of labels, as functions of tuples."""
    for order in permutations(range(n)):
        for flips in functions(n):
            yield lambda f, order=order, flips=flips: tuple(
                f[x] ^ flip for x, flip in zip(order, flips, strict=True)
            )


def burnside(n):
    """Return the mean over the group of 2 to the number of cycles on functions."""
    total = 0
    for move in moves(n):
        cycles, seen = 0, set()
        for first in functions(n):
            cycles += first not in seen
            f = first
            while f not in seen:
                seen.add(f)
                f = move(f)
        total += 2**cycles
    count = Fraction(total, factorial(n) * 2**n)
    assert count.denominator == 1
    return int(count)


@pytest.mark.parametrize(("n", "known"), [(0, 2), (1, 3), (2, 6), (3, 22), (4, 402)])
def test_there_are_as_many_classes_as_burnside_counts(n, known):
    assert len(small_classes(n)) == burnside(n) == known


@pytest.mark.slow
def test_there_are_as_many_classes_on_five_points_as_burnside_counts():
    assert len(small_classes(5)) == burnside(5) == 1228158


def text_rows(n, chosen):
    C = some_functions(n, chosen)
    return frozenset(tuple(C.value(c, x) for x in range(n)) for c in range(len(C)))


@pytest.mark.parametrize("n", range(4))
def test_every_class_is_isomorphic_to_exactly_one_of_them(n):
    listed = [text_rows(n, chosen) for chosen in small_classes(n)]
    orbits = [{frozenset(map(move, rows)) for move in moves(n)} for rows in listed]
    subsets = [frozenset(rows) for m in range(2**n + 1) for rows in combinations(functions(n), m)]
    assert all(sum(rows in orbit for orbit in orbits) == 1 for rows in subsets)
    assert sum(map(len, orbits)) == len(subsets) == 2**2**n


def test_they_are_sorted_and_begin_with_the_function_zero():
    found = small_classes(4)
    assert list(found) == sorted(set(found), key=lambda chosen: (chosen.bit_count(), chosen))
    assert found[0] == 0
    assert all(chosen & 1 for chosen in found[1:])


@pytest.mark.parametrize("chosen", small_classes(2))
def test_a_class_is_named_by_a_text_that_gives_it_back(chosen):
    C = some_functions(2, chosen)
    assert parse_class(C.name) == C
    assert sum(1 << row for row in C.rows) == chosen


@pytest.mark.parametrize(
    ("n", "chosen", "error", "message"),
    [
        (-1, 0, DomainError, "n must be at least 0, not -1"),
        (6, 0, InstanceTooLargeError, "n must be at most 5, not 6"),
        (2, 16, DomainError, r"chosen must be between 0 and 2\^4 - 1, not 16"),
        (2, -1, DomainError, r"chosen must be between 0 and 2\^4 - 1, not -1"),
    ],
)
def test_numbers_that_name_no_class_are_refused(n, chosen, error, message):
    with pytest.raises(error, match=message):
        some_functions(n, chosen)


@pytest.mark.parametrize(("n", "error"), [(-1, DomainError), (6, InstanceTooLargeError)])
def test_classes_on_too_many_points_are_not_listed(n, error):
    with pytest.raises(error):
        small_classes(n)
