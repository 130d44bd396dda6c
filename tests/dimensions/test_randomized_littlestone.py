"""The randomised Littlestone dimension: values, both proofs, symmetries and limits."""

from dataclasses import replace
from fractions import Fraction

import pytest

from ccsim import (
    CertificateError,
    DomainError,
    halfspaces,
    intervals,
    littlestone_dimension,
    points,
    random_class,
    randomized_littlestone_dimension,
)
from ccsim.budget import Budget
from ccsim.classes import ConceptClass
from ccsim.dimensions import most_randomized_littlestone, randomized_littlestone
from ccsim.dimensions.randomized_littlestone import MeanDepthPotentials, MeanDepthTree
from ccsim.programs import LinearProgram, solve_linear_program
from tests.small_classes import EMPTY, NO_POINTS, NOTHING, ONE, all_classes, random_classes
from tests.truth.randomized_littlestone import half_of_mean_depth


def proved(C):
    result = randomized_littlestone_dimension(C)
    result.check()
    return result.value


def texts(C):
    return ["".join(str(row >> x & 1) for x in range(len(C.points))) for row in C.rows]


def chain(n):
    """Return the thresholds on n points, which are n + 1 concepts."""
    return ConceptClass.from_rows([(1 << i) - 1 for i in range(n + 1)], range(n))


def test_all_classes_on_three_points():
    for C in all_classes(3):
        if len(C):
            assert proved(C) == half_of_mean_depth(texts(C)), C.rows


def test_random_classes():
    for C in random_classes(40, 6, 8):
        assert proved(C) == half_of_mean_depth(texts(C)), C.rows


def mean_depth_program(C):
    """Minimise e_0 / 2 subject to 2 e_V >= 2 + e_V0 + e_V1 for the sides of version spaces."""
    spaces, constraints = randomized_littlestone.split_spaces(C, Budget()), []
    for i, space in enumerate(spaces):
        for _, *sides in space.splits:
            terms = {i: 2}
            for side in sides:
                if side >= 0:
                    terms[side] = terms.get(side, 0) - 1
            constraints.append((terms, ">=", 2))
    return LinearProgram.minimise([Fraction(not i, 2) for i in range(len(spaces))], constraints)


def test_a_linear_program_solver_finds_the_same():
    for C in (intervals(4), random_class(9, 5, 1)):
        assert solve_linear_program(mean_depth_program(C)).value == proved(C)


def test_it_lies_between_half_of_the_littlestone_dimension_and_the_bound_by_size():
    for C in (intervals(7), random_class(40, 8, 3), points(3)):
        low, high = littlestone_dimension(C).value, most_randomized_littlestone(len(C))
        assert Fraction(low, 2) <= proved(C) <= high


def test_thresholds_reach_the_bound_by_size():
    for n in (*range(20), 33, 48, 64):
        C = chain(n)
        assert randomized_littlestone_dimension(C).value == most_randomized_littlestone(n + 1)


def test_one_point_each_has_a_geometric_value():
    for b in range(4):
        assert proved(points(b)) == 1 - Fraction(2, 1 << (1 << b))


def test_known_values_of_halfspaces():
    assert proved(halfspaces(1, 3)) == Fraction(105, 32)


@pytest.mark.slow
def test_known_values_of_halfspaces_in_four_dimensions():
    assert proved(halfspaces(1, 4)) == Fraction(174375, 32768)


def test_symmetries_change_no_value(monkeypatch):
    classes = [halfspaces(1, 2), intervals(7), random_class(30, 6, 5)]
    classes.append(ConceptClass.from_rows(range(32), range(5)))
    found = [randomized_littlestone_dimension(C) for C in classes]
    monkeypatch.setattr(randomized_littlestone, "_FEW_CONCEPTS", 1 << 30)
    plain = [randomized_littlestone_dimension(C) for C in classes]
    assert [r.value for r in found] == [r.value for r in plain]
    pairs = [
        (r.potentials.entries, s.potentials.entries) for r, s in zip(found, plain, strict=True)
    ]
    assert any(len(r) < len(s) for r, s in pairs)
    for result in (*found, *plain):
        result.check()
    monkeypatch.setattr(randomized_littlestone, "_FEW_CONCEPTS", 2)
    for C in random_classes(20, 5, 9):
        if len(C):
            assert proved(C) == half_of_mean_depth(texts(C)), C.rows


def test_orbits_are_those_of_all_version_spaces(monkeypatch):
    C = halfspaces(1, 2)
    every = randomized_littlestone._all_spaces(C, Budget())
    monkeypatch.setattr(randomized_littlestone, "_FEW_CONCEPTS", 2)
    some = randomized_littlestone.split_spaces(C, Budget())
    assert len(some) < len(every)
    assert {space.size for space in some} == {space.size for space in every}


def test_small_instances():
    assert proved(ONE) == proved(NO_POINTS) == 0
    assert proved(EMPTY) == proved(NOTHING) == most_randomized_littlestone(0) == -1
    with pytest.raises(DomainError, match="at least 0, not -1"):
        most_randomized_littlestone(-1)


def test_limits(monkeypatch):
    exact = randomized_littlestone_dimension(intervals(10)).value
    stopped = randomized_littlestone_dimension(intervals(10), time_limit=0)
    monkeypatch.setattr(randomized_littlestone, "MAX_SPACES", 100)
    for result in (stopped, randomized_littlestone_dimension(intervals(10))):
        assert 2 <= result.lower <= exact <= result.upper < most_randomized_littlestone(56)
        result.check()


def test_bounds_of_stopped_searches_enclose_the_dimension():
    for C in random_classes(60, 6, 12):
        stopped = randomized_littlestone_dimension(C, time_limit=0)
        assert stopped.lower <= proved(C) <= stopped.upper
        stopped.check()


def test_a_thousand_thresholds_are_bisected():
    C = chain(1000)
    result = randomized_littlestone_dimension(C)
    assert result.value == most_randomized_littlestone(1001)
    assert not result.potentials.entries
    result.check()


def test_a_false_value_or_proof_is_refused():
    result = randomized_littlestone_dimension(points(3))
    tree, potentials = result.tree.entries, result.potentials.entries
    faults = [
        {"lower": result.value + Fraction(1, 64)},
        {"upper": result.value - Fraction(1, 64)},
        {"tree": MeanDepthTree(())},
        {"tree": MeanDepthTree(tree[:-1])},
        {"tree": MeanDepthTree((*tree[:-1], (*tree[-1][:2], None, None)))},
        {"potentials": MeanDepthPotentials(())},
        {"potentials": MeanDepthPotentials(potentials[:-1])},
        {"potentials": MeanDepthPotentials((*potentials[:-1], ((), (), ())))},
        {"concept_class": chain(2)},
    ]
    for fault in faults:
        with pytest.raises(CertificateError):
            replace(result, **fault).check()


def test_proofs_by_orbits_hold_for_random_classes_with_symmetries(monkeypatch):
    monkeypatch.setattr(randomized_littlestone, "_FEW_CONCEPTS", 2)
    used = 0
    for seed in range(20):
        half = random_class(5, 4, seed).rows
        rows = sorted({row >> 2 | (row & 3) << 2 for row in half} | set(half))
        found = randomized_littlestone_dimension(ConceptClass.from_rows(rows, range(4)))
        found.check()  # the two halves of the points change places
        assert found.value == half_of_mean_depth(texts(found.concept_class))
        used += any(len(entry) == 2 for entry in found.potentials.entries + found.tree.entries)
    assert used >= 2
