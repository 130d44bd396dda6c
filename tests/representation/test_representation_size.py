"""Smallest deterministic representations, compared with their definition."""

import json
from copy import deepcopy
from dataclasses import replace
from fractions import Fraction
from functools import reduce
from itertools import combinations
from math import comb

import pytest
from hypothesis import given, settings

from ccsim import (
    ConceptClass,
    HypothesisSet,
    all_functions,
    deterministic_representation_size,
    intervals,
    k_points,
    lines,
    parities,
    points,
    probabilistic_representation_size,
    random_class,
    representation_error,
)
from ccsim.certificates import verify
from ccsim.errors import CertificateError, DomainError, NotDecidedError
from ccsim.instances import parse_class
from ccsim.kernel import Rejected
from ccsim.representation import (
    concept_error,
    counting_bound,
    is_minimal_representation,
    littlestone_size_bound,
    separation_bound,
)
from ccsim.representation.size import on_fewer_points
from tests.strategies import concept_classes

QUARTER, THIRD, HALF = Fraction(1, 4), Fraction(1, 3), Fraction(1, 2)


def proved(result):
    """Return the certificate as JSON, after both checks."""
    result.check()
    certificate = json.loads(result.certificate().to_json())
    assert verify(certificate).endswith(f"exactly {result.size}")
    return certificate


def represented(rows, C, error):
    if not rows:
        return False
    H = HypothesisSet.from_rows(rows, len(C.points))
    return all(concept_error(H, row).value <= error for row in C.rows)


def assert_smallest(result, pool):
    """Check by definition that the set represents the class, and that no smaller set does."""
    C, error = result.concept_class, result.error
    assert represented(result.representation.hypotheses.rows, C, error)
    assert not any(represented(rows, C, error) for rows in combinations(pool, result.size - 1))
    proved(result)


@settings(max_examples=15, derandomize=True, deadline=None)
@given(concept_classes(max_points=3, min_points=1, min_concepts=1))
def test_size_is_that_of_the_smallest_set_that_represents_the_class(C):
    for error in (QUARTER, THIRD, HALF):
        result = deterministic_representation_size(C, error)
        assert_smallest(result, range(1 << len(C.points)))


@settings(max_examples=15, derandomize=True, deadline=None)
@given(concept_classes(max_points=4, min_points=2, min_concepts=2))
def test_proper_size_is_that_of_the_smallest_part_of_the_class(C):
    for error in (QUARTER, HALF):
        result = deterministic_representation_size(C, error, pool=C.rows)
        assert set(result.representation.hypotheses.rows) <= set(C.rows)
        assert_smallest(result, C.rows)


def equal(n):
    return parse_class(f"equality:n={n}")


def at_least(n):
    return parse_class(f"greater_than:n={n}")


@pytest.mark.parametrize(
    ("C", "quarter", "third"),
    [
        *((equal(n), n, n) for n in (2, 3, 4, 5)),
        (equal(6), 6, 5),
        *((at_least(n), n, n) for n in (2, 3, 4)),
        (at_least(5), 5, 4),
        (at_least(6), 6, 5),
        (all_functions(2), 4, 4),
        (all_functions(3), 8, 4),
        (lines(2), 4, 4),
        (intervals(4), 8, 6),
        (k_points(2, 2), 6, 5),
    ],
)
def test_sizes_of_small_classes(C, quarter, third):
    for error, size in ((QUARTER, quarter), (THIRD, third)):
        result = deterministic_representation_size(C, error)
        assert result.size == size
        proved(result)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("C", "error", "size"),
    [
        (equal(7), QUARTER, 7),
        (equal(7), THIRD, 5),
        (equal(8), QUARTER, 8),
        (equal(8), THIRD, 6),
        (parities(3), THIRD, 8),
    ],
)
def test_sizes_of_larger_classes(C, error, size):
    result = deterministic_representation_size(C, error)
    assert result.size == size
    proved(result)


# --- What is refused -----------------------------------------------------------------------------


def test_a_representation_without_one_of_its_hypotheses_is_rejected_with_concept_and_distribution():
    C = equal(6)
    H = deterministic_representation_size(C, THIRD).representation.hypotheses
    assert is_minimal_representation(H, C, THIRD)
    for dropped in H.rows:
        rest = HypothesisSet.from_rows(set(H.rows) - {dropped}, H.num_points)
        result = representation_error(rest, C)
        assert not result.represents(THIRD)
        f = C.rows[result.concept]
        masses = [
            sum(p for x, p in enumerate(result.distribution) if (h ^ f) >> x & 1) for h in rest.rows
        ]
        assert min(masses) == result.value > THIRD


def test_a_superset_is_not_minimal_and_what_does_not_represent_neither():
    C = equal(3)
    assert is_minimal_representation(HypothesisSet.from_rows(C.rows, 3), C, QUARTER)
    assert not is_minimal_representation(HypothesisSet.from_rows([0, *C.rows], 3), C, QUARTER)
    assert not is_minimal_representation(HypothesisSet((0,), 3), C, QUARTER)
    assert is_minimal_representation(HypothesisSet((0,), 3), C, 1)


def test_a_pool_that_does_not_represent_the_class_is_refused_with_the_concept():
    with pytest.raises(DomainError, match=r"must represent .* error on concept 1 is 1"):
        deterministic_representation_size(equal(3), QUARTER, pool=[0b001])
    with pytest.raises(DomainError, match="must contain only hypotheses over the 3 points"):
        deterministic_representation_size(equal(3), QUARTER, pool=[8])


def test_too_many_points_for_all_hypotheses_leave_bounds():
    C = random_class(12, 12, 1)
    result = deterministic_representation_size(C, QUARTER)
    assert 4 <= result.lower <= result.upper <= 12
    assert "limited to 10 points" in result.needed
    result.check()
    for change in ({"lower": result.lower + 1}, {"upper": result.upper - 1}):
        with pytest.raises(CertificateError):
            replace(result, **change).check()
    random = probabilistic_representation_size(C, QUARTER, QUARTER)
    assert 2 <= random.lower <= random.upper <= 12
    random.check()
    many = deterministic_representation_size(random_class(20, 17, 1), QUARTER)
    assert many.lower == 6
    with pytest.raises(CertificateError):
        replace(many, lower=7).check()
    assert many.upper <= 20
    many.check()


def test_bounds_on_fewer_points_hold_for_all_of_them():
    for seed in range(4):
        C = random_class(6, 5, seed)
        exact = deterministic_representation_size(C, QUARTER)
        fewer = on_fewer_points(C, 3)
        assert all(
            [C.rows[c] >> x & 1 for x in fewer.points] == [row >> i & 1 for i in range(3)]
            for c, row in zip(fewer.concepts, fewer.concept_class.rows, strict=True)
        )
        found = deterministic_representation_size(fewer.concept_class, QUARTER)
        assert found.lower <= exact.size
        lifted = fewer.lifted(found.proof)
        replace(exact, lower=found.lower, proof=lifted).check()


def test_an_empty_class_is_refused():
    with pytest.raises(DomainError, match="at least one concept"):
        deterministic_representation_size(ConceptClass((0,), (), ()), QUARTER)


def test_a_search_without_time_returns_proved_bounds():
    moved = []
    result = deterministic_representation_size(
        equal(6), THIRD, time_limit=0, progress=lambda *bounds: moved.append(bounds)
    )
    assert (result.lower, result.upper) == (1, 6)
    assert (moved, result.exact) == ([], False)
    result.check()
    verify(json.loads(result.certificate().to_json()))
    with pytest.raises(NotDecidedError, match="lies between 1 and 6"):
        _ = result.size


RESULT = deterministic_representation_size(equal(6), THIRD)
ROOT = RESULT.proof.tree[0]


def with_root(**change):
    tree = (replace(ROOT, **change), *RESULT.proof.tree[1:])
    return {"proof": replace(RESULT.proof, tree=tree)}


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"lower": 6}, "the bound that is proved is 5, not the stated 6"),
        ({"upper": 4}, "the bound that is proved is 5, not the stated 4"),
        ({"error": Fraction(2, 7)}, r"^upper.*: the disagreement 1/3 is above the error"),
        ({"pool": (1, 2, 4)}, r"lower.branching|the hypotheses must be in the pool"),
        ({"proof": None}, "the bound that is proved is 1, not the stated 5"),
        (with_root(branches=()), "node 1 is superfluous"),
        (with_root(branches=ROOT.branches[:1] * 2), r"^lower|all cases are closed"),
        ({"proof": replace(RESULT.proof, tree=RESULT.proof.tree[:1])}, "cases have no node"),
    ],
)
def test_altered_results_are_rejected(change, reason):
    with pytest.raises(CertificateError, match=reason):
        replace(RESULT, **change).check()


def swapped(images):
    return [images[1], images[0], *images[2:]]


@pytest.mark.parametrize(
    ("images", "reason"),
    [
        (lambda images: (0,) * len(images), "an index occurs twice"),
        (
            lambda images: tuple(swapped(images)),
            "a permutation does not preserve the remaining sets and weights",
        ),
    ],
)
def test_a_proof_up_to_what_is_no_symmetry_is_rejected(images, reason):
    first, *others = RESULT.proof.permutations
    assert 0 in ROOT.symmetries
    altered = replace(RESULT.proof, permutations=(images(first), *others))
    with pytest.raises(CertificateError, match=reason):
        replace(RESULT, proof=altered).check()


CERTIFICATE = proved(RESULT)
LOWER, UPPER = ("lower", "branching"), ("upper", "representation")


@pytest.mark.parametrize(
    ("path", "value", "reason"),
    [
        (("statement", "lower"), 4, r"^lower: the bound that is proved is 5, not the stated 4"),
        (("statement", "upper"), 6, r"^upper: the bound that is proved is 5, not the stated 6"),
        (("statement", "error"), "2/7", r"the disagreement 1/3 is above the error"),
        (
            ("statement", "failure"),
            "1/7",
            r"^lower.branching: failure above 0 requires weights",
        ),
        (("statement", "pool"), ["100000"], r"^lower.branching"),
        (("statement", "pool"), [], r"^statement.pool: must contain at least one hypothesis"),
        ((*LOWER, "weights"), [1], r"^lower.branching: must have \d+ entries, not 1"),
        ((*LOWER, "neighbourhoods", 0, 1, 0), -1, r"neighbourhoods\[0\]|must be at least 0"),
        ((*LOWER, "neighbourhoods", 0, 1), [0] * 6, r"the weights must not all be 0"),
        ((*LOWER, "neighbourhoods", 0, 0), 6, r"must be an index below 6"),
        (
            (*LOWER, "symmetries", 0),
            swapped,
            r"a permutation does not preserve the remaining sets and weights",
        ),
        ((*LOWER, "symmetries", 0, 0), 1, r"an index occurs twice"),
        ((*LOWER, "tree", 0, "symmetries", 0), 99, r"must be an index below"),
        ((*LOWER, "tree", 0, "branches", 0), 64, r"must be an index below 64"),
        ((*LOWER, "tree", 0, "branches"), [], r"node 1 is superfluous"),
        ((*LOWER, "tree", 0, "weights"), None, r"either the tree or nodes must have weights"),
        ((*LOWER, "tree", 0, "weights"), [1], r"must have \d+ entries, not 1"),
        ((*UPPER, "support", "sets", 0, 0), "111111", r"is above the error"),
        ((*UPPER, "support", "weights"), [1, 1], r"support.weights: must have 1 entry, not 2"),
        (
            (*UPPER, "failure", "branching", "trees", 0, 1),
            [1, 0, 0, 0, 0],
            r"trees\[0\]\[1\]: the disagreement|\[0\]\[1\]: the disagreement",
        ),
        (
            (*UPPER, "failure", "branching", "trees", 0, 1),
            [],
            r"failure 1 exceeds the stated one",
        ),
        (
            (*UPPER, "failure", "branching", "trees", 0, 1),
            None,
            r"null requires at least one undecided set|no case|left",
        ),
    ],
)
def test_altered_certificates_are_rejected_at_the_place(path, value, reason):
    altered = deepcopy(CERTIFICATE)
    *keys, last = path
    part = reduce(lambda value, key: value[key], keys, altered)
    part[last] = value(part[last]) if callable(value) else value
    with pytest.raises(Rejected, match=reason):
        verify(altered)


# --- Bounds without a search ---------------------------------------------------------------------

CLASSES = [equal(4), equal(6), at_least(5), all_functions(3), intervals(3), k_points(2, 2)]


@pytest.mark.parametrize("error", [Fraction(0), Fraction(1, 8), QUARTER, THIRD])
@pytest.mark.parametrize("C", CLASSES, ids=str)
def test_bounds_without_a_search_are_at_most_the_least_size(C, error):
    size = deterministic_representation_size(C, error).size
    for bound in (separation_bound, counting_bound, littlestone_size_bound):
        found = bound(C, error)
        found.check()
        said = verify(json.loads(found.certificate().to_json()))
        assert said.endswith(f"at least {found.lower}")
        assert 1 <= found.lower <= size


def test_the_bound_by_a_tree_is_below_probabilistic_sizes():
    found = littlestone_size_bound(all_functions(3), Fraction(1, 20), Fraction(1, 20))
    found.check()
    assert found.lower == 4  # 2**1.616
    verify(json.loads(found.certificate().to_json()))


@pytest.mark.parametrize("b", [1, 2, 3, 4])
def test_points_need_at_least_the_logarithm_of_their_number(b):
    for error in (QUARTER, Fraction(49, 100)):
        bound = separation_bound(points(b), error)
        assert bound.lower >= b
        assert comb(bound.lower, bound.lower // 2) >= 1 << b
        bound.check()


def test_bounds_refuse_what_they_do_not_hold_for():
    with pytest.raises(DomainError, match="below 1/2, not 1/2"):
        separation_bound(equal(3), HALF)
    with pytest.raises(DomainError, match="at least one concept"):
        separation_bound(ConceptClass((0,), (), ()), 0)
    with pytest.raises(DomainError, match="between 0 and 1/2, not 7/12"):
        littlestone_size_bound(equal(3), THIRD, Fraction(3, 8))


@pytest.mark.parametrize("bound", [separation_bound, counting_bound, littlestone_size_bound])
def test_bounds_that_are_too_large_are_rejected(bound):
    found = bound(all_functions(3), Fraction(1, 8))
    for wrong in (found.lower + 1, found.lower - 1):
        with pytest.raises(CertificateError, match=f"is {found.lower}, not the stated {wrong}"):
            replace(found, lower=wrong).check()


def test_points_that_no_concept_tells_apart_are_rejected():
    found = separation_bound(equal(3), QUARTER)
    twice = replace(found, proof=(0, 0, 1))
    with pytest.raises(
        CertificateError, match=r"no two points may have equal labels in all concepts|occurs twice"
    ):
        twice.check()
    with pytest.raises(
        Rejected, match=r"no two points may have equal labels in all concepts|occurs twice"
    ):
        verify(json.loads(twice.certificate().to_json()))
