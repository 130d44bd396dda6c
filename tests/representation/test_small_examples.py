"""Small examples of functions of `ccsim.representation` that no other test calls by name."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from ccsim.budget import Budget
from ccsim.representation.branching import (
    HittingSearch,
    Left,
    MeetingSearch,
    Visited,
    image_of,
    least_number,
    most_met,
    preserving,
    undominated,
)
from ccsim.representation.constructions import ReedSolomonSets, containing_sets, finite_field
from ccsim.representation.failure import FailingHypotheses
from ccsim.representation.float_game import row_orbits
from ccsim.representation.hypotheses import HypothesisSet, ProbabilisticRepresentation
from ccsim.representation.neighbourhoods import (
    Listing,
    Neighbourhood,
    masks_of,
    members_of,
    symmetries_fixing,
    uniform_neighbourhoods,
)
from ccsim.representation.size import too_many


def test_finite_field_finitefield():
    four = finite_field(4, "example")
    two, three = np.array([2]), np.array([3])
    assert (four.product(two, three).tolist(), four.sum(two, three).tolist()) == ([1], [1])
    assert finite_field(5, "example").values(np.array([[2, 1]]), 5).tolist() == [[2, 3, 4, 0, 1]]


def test_points_containing_sets():
    assert containing_sets(HypothesisSet((0b01, 0b11), 2)) == [(0, 1), (1,)]


def test_reed_solomon_reedsolomonsets():
    sets = ReedSolomonSets(5, 2, 5)
    assert (sets.size, sets.error) == (25, Fraction(1, 5))
    assert sets.words(np.array([7], dtype=np.uint64)).tolist() == [[2, 3, 4, 0, 1]]


def test_row_orbits_row_orbits():
    from ccsim.classes import points
    from ccsim.symmetry.matrix import symmetries_of

    C = points(1)
    found = row_orbits(C, np.array([[0, 1, 1, 1]], bool), range(4), symmetries_of(C.rows, 2))
    assert (found.rows.tolist(), found.hypotheses.tolist()) == ([0, 0], [0, 1, 1, 0])


def test_supposing_failinghypotheses():
    from ccsim.representation import HypothesisSet

    R = ProbabilisticRepresentation.mixture(
        [("1/3", HypothesisSet((0b01,), 2)), ("2/3", HypothesisSet((0b10,), 2))]
    )
    search = FailingHypotheses(R, 0b11, Fraction(1, 2), Fraction(0), 100)
    assert (search.best, search.tree) == (
        Fraction(2, 3),
        (2, 1, (Fraction(1, 2), Fraction(1, 2)), (), ()),
    )


def test_branching_least_number():
    assert (
        least_number([Visited(0, 5, 2), Visited(1, 1, 0)]),
        least_number([Visited(0, 5, 2)], 4),
    ) == (3, 1)


def test_branching_most_met():
    assert most_met([Visited(0, 7, 2), Visited(1, 4, 3)], 7, 2) == 6


def test_coverage_meetingsearch():
    search = MeetingSearch({0b011: 7, 0b101: 8, 0b110: 9}, [1, 1, 3], lambda chosen: [])
    assert (search.exceed(1, 3), search.exceed(1, 4), search.visited) == (
        (8,),
        None,
        [Visited(chosen=0, opened=5, met=4)],
    )


def test_fewer_points_too_many():
    from ccsim.classes import points

    assert (too_many(points(3)), too_many(points(4))) == (False, True)


def test_left_image_of():
    assert bin(image_of(0b011, (1, 2, 0))) == "0b110"


def test_left_undominated():
    assert undominated({0b0111: 5, 0b0110: 6, 0b1001: 7}, 0b0111) == {7: 5}


def test_left_preserving():
    assert preserving([(1, 0), (0, 1)], {0b01: 5}, Budget()) == [(0, 1)]


def test_left_left():
    left = Left({0b0111: 5, 0b1001: 7}, [0b0111, 0b0110, 0b1001], 0b0111)
    assert (left.items, left.masks) == ({7: 5}, {1, 6, 7})
    left.drop(0b0110, 0b0001, [])
    assert (left.items, left.masks) == ({7: 5}, {1, 7})


def test_listing_members_of():
    from ccsim.classes import points

    assert (
        bin(members_of(points(1), Fraction(1, 2), range(4), Neighbourhood(0, (1, 1)))) == "0b1011"
    )


def test_listing_masks_of():
    assert masks_of([5, 6, 7], [0b011, 0b110]) == {1: 5, 3: 6, 2: 7}


def test_listing_carried():
    from ccsim.classes import points

    C, single, double = points(1), Neighbourhood(0, (1, 0)), Neighbourhood(0, (1, 1))
    listing = Listing(C, Fraction(0), None)
    listing._list([single, double], Budget())
    found = listing._carried({single: 0.5, double: 0.5})
    assert ({near.weights: share for near, share in found.items()}) == {(1, 1): 1.0}


def test_neighbourhoods_neighbourhood_of_point():
    assert Neighbourhood.of_point(2) == Neighbourhood(concept=0, weights=(1, 0))


def test_neighbourhoods_uniform_neighbourhoods():
    from ccsim.classes import points

    pairs, all_points = uniform_neighbourhoods(points(2), Fraction(1, 3))
    assert (len(pairs), pairs[0].weights, len(all_points), all_points[-1].weights) == (
        24,
        (1, 1, 0, 0),
        4,
        (1, 1, 1, 1),
    )


def test_search_hittingsearch():
    search = HittingSearch({0b011: 7, 0b101: 8, 0b110: 9}, 3, lambda chosen: [])
    assert search.refute(2) == (7, 8)
    assert (search.refute(1), search.tree[0].weights) == (None, ((0, 1), (1, 1), (2, 1)))
    assert search.needed == 2


def test_symmetries_symmetries_fixing():
    from ccsim.classes import points

    assert (
        len(symmetries_fixing(points(2), None)),
        len(symmetries_fixing(points(2), None, [0b0111])),
    ) == (3, 2)
