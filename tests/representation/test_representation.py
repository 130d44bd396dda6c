"""Deterministic and probabilistic representations, compared with their definitions."""

# ruff: noqa: S311 - seeds, not secrets

import json
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, product
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ccsim.certificates import verify
from ccsim.classes import ConceptClass, all_functions, k_points, points, thresholds
from ccsim.errors import CertificateError, DomainError, NotDecidedError
from ccsim.programs import solve_matrix_game
from ccsim.representation import (
    HypothesisSet,
    ProbabilisticRepresentation,
    concept_error,
    failing_weight,
    failure_of,
    failure_probability,
    representation_error,
    select,
)
from ccsim.representation.error import masses
from ccsim.representation.failure import MAX_SETS
from tests.small_classes import EMPTY, NO_POINTS
from tests.strategies import (
    concept_classes,
    distributions,
    hypothesis_sets,
    probabilistic_representations,
    probabilities,
)

HALF, THIRD = Fraction(1, 2), Fraction(1, 3)


def mass(distribution, points):
    return masses(distribution, [points])[0]


def check_everywhere(result):
    result.check()
    verify(json.loads(result.certificate().to_json()))


def itself(C):
    return HypothesisSet.from_rows(C.rows, len(C.points))


def error_by_definition(rows, concept, n):
    """Return the value of the game between points and hypotheses."""
    return solve_matrix_game([[(h ^ concept) >> x & 1 for h in rows] for x in range(n)]).value


@st.composite
def classes_with_hypotheses(draw, max_points=4):
    n = draw(st.integers(1, max_points))
    C = draw(concept_classes(max_points=n, min_points=n, min_concepts=1))
    return C, draw(hypothesis_sets(n))


# --- Deterministic -------------------------------------------------------------------------------


@settings(max_examples=60, derandomize=True, deadline=None)
@given(classes_with_hypotheses())
def test_error_is_the_largest_value_of_the_games_of_the_concepts(case):
    C, H = case
    result = representation_error(H, C)
    errors = [error_by_definition(H.rows, row, len(C.points)) for row in C.rows]
    assert result.value == max(errors) == errors[result.concept]
    assert result.represents(result.value)
    assert not result.represents(result.value - Fraction(1, 10**9))
    check_everywhere(result)


@settings(max_examples=60, derandomize=True, deadline=None)
@given(concept_classes(min_points=1, min_concepts=1))
def test_a_class_represents_itself_without_error(C):
    result = representation_error(itself(C), C)
    assert result.value == 0
    check_everywhere(result)


@settings(max_examples=60, derandomize=True, deadline=None)
@given(classes_with_hypotheses(), st.data())
def test_no_distribution_beats_the_value(case, data):
    C, H = case
    D = data.draw(distributions(len(C.points)))
    result = representation_error(H, C)
    for row in C.rows:
        assert min(mass(D, h ^ row) for h in H.rows) <= result.value


def test_a_grid_of_distributions_reaches_the_value_where_its_step_allows():
    C = points(2)
    H = HypothesisSet.from_rows([0b0011, 0b0101, 0b1001, 0b0110, 0b1010, 0b1100], 4)
    grid = [distribution for distribution in product(range(4), repeat=4) if sum(distribution) == 3]
    best = max(
        min(mass(tuple(Fraction(w, 3) for w in distribution), h ^ row) for h in H.rows)
        for distribution in grid
        for row in C.rows
    )
    assert representation_error(H, C).value == best == THIRD


@settings(max_examples=40, derandomize=True, deadline=None)
@given(classes_with_hypotheses(), st.integers(0, 15))
def test_more_hypotheses_never_hurt(case, extra):
    C, H = case
    n = len(C.points)
    wider = HypothesisSet.from_rows([*H.rows, extra % (1 << n)], n)
    assert representation_error(wider, C).value <= representation_error(H, C).value


def test_one_hypothesis_errs_always_on_another_concept():
    for h, concept in product(range(8), repeat=2):
        assert concept_error(HypothesisSet((h,), 3), concept).value == int(h != concept)


def test_all_functions_represent_everything():
    result = representation_error(HypothesisSet(tuple(range(8)), 3), all_functions(3))
    assert result.value == 0


@pytest.mark.parametrize(
    ("C", "size", "error"),
    [
        (points(1), 1, 1),
        (points(1), 2, 0),
        (points(2), 1, 1),
        (points(2), 2, HALF),
        (points(2), 3, HALF),
        (points(2), 4, 0),
        (thresholds(2), 2, HALF),
        (thresholds(2), 3, HALF),
        (k_points(2, 2), 2, HALF),
        (k_points(2, 2), 3, HALF),
        (all_functions(3), 2, HALF),
        (all_functions(3), 3, HALF),
        (all_functions(3), 4, THIRD),
    ],
)
def test_least_error_of_a_representation_of_given_size(C, size, error):
    n = len(C.points)
    best = Fraction(1)
    for rows in combinations(range(1 << n), size):
        H = HypothesisSet(rows, n)
        worst = Fraction(0)
        for concept in C.rows:
            worst = max(worst, concept_error(H, concept).value)
            if worst >= best:
                break
        best = min(best, worst)
    assert best == error


@pytest.mark.parametrize("C", [points(2), thresholds(2), k_points(2, 2), all_functions(2)])
def test_a_class_without_one_of_its_concepts_is_refuted_on_it(C):
    for f, row in enumerate(C.rows):
        H = HypothesisSet.from_rows([other for other in C.rows if other != row], len(C.points))
        result = representation_error(H, C)
        assert result.concept == f
        assert result.value > 0
        assert all(mass(result.distribution, h ^ row) >= result.value for h in H.rows)
        check_everywhere(result)


@pytest.mark.parametrize(
    ("H", "C", "reason"),
    [
        (
            HypothesisSet((0,), 3),
            points(1),
            "hypotheses must be over the 2 points of the class, not over 3",
        ),
        (HypothesisSet((0,), 2), EMPTY, "at least one concept and one poin"),
        (HypothesisSet((0,), 0), NO_POINTS, "at least one concept and one poin"),
    ],
)
def test_hypotheses_over_other_points_and_empty_classes_are_refused(H, C, reason):
    with pytest.raises(DomainError, match=reason):
        representation_error(H, C)
    with pytest.raises(DomainError, match=reason):
        failure_probability(ProbabilisticRepresentation((Fraction(1),), (H,)), C, "1/4")


RESULT = representation_error(HypothesisSet((0b0001, 0b0010, 0b0100), 4), points(2))


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (
            {"upper": Fraction(99, 100)},
            "upper: the bound that is proved is 1, not the stated 99/100",
        ),
        (
            {"lower": Fraction(101, 100)},
            "lower: the bound that is proved is 1, not the stated 101/100",
        ),
        ({"lower": Fraction(-1)}, "lower: the bound that is proved is 1, not the stated -1"),
        ({"concept": 0}, "lower: the bound that is proved is 0, not the stated 1"),
        ({"concept": 4}, "concept: must be an index below 4, not 4"),
        ({"concept": -1}, "concept: must be an index below 4, not -1"),
        (
            {"distribution": (HALF, 0, 0, HALF)},
            "lower: the bound that is proved is 1/2, not the stated 1",
        ),
        ({"distribution": (0, 0, 0, HALF)}, "sum to 1, but sum to 1/2"),
        ({"distribution": (0, 0, 1)}, "distribution: must have 4 entries, not 3"),
        ({"weights": RESULT.weights[:3]}, "must have 4 entries, not 3"),
        ({"weights": ((0, 1), *RESULT.weights[1:])}, "must have 3 entries, not 2"),
        ({"weights": ((0, 0, 2), *RESULT.weights[1:])}, "sum to 1, but sum to 2"),
        ({"concept_class": points(1)}, "must be a text of 2 characters"),
        ({"hypotheses": HypothesisSet((0b0001,), 4)}, "must have 1 entry, not 3"),
    ],
)
def test_altered_results_are_rejected(change, reason):
    RESULT.check()
    with pytest.raises(CertificateError, match=reason):
        replace(RESULT, **change).check()


def test_altered_weights_of_a_mixture_are_rejected():
    result = representation_error(HypothesisSet((0b01, 0b10), 2), ConceptClass((0, 1), (0,), (3,)))
    assert (result.value, result.weights) == (HALF, ((HALF, HALF),))
    with pytest.raises(
        CertificateError, match="the bound that is proved is 2/3, not the stated 1/2"
    ):
        replace(result, weights=((2 * THIRD, THIRD),)).check()


@pytest.mark.parametrize(
    ("rows", "num_points", "reason"),
    [
        ((), 2, "at least one hypothesis, all distinct and in increasing order"),
        ((1, 1), 2, "at least one hypothesis"),
        ((2, 1), 2, "in increasing order"),
        ((-1,), 2, r"must be at least 0 and below 2\*\*2"),
        ((4,), 2, r"must be at least 0 and below 2\*\*2"),
    ],
)
def test_what_is_no_set_of_hypotheses_is_refused(rows, num_points, reason):
    with pytest.raises(DomainError, match=reason):
        HypothesisSet(rows, num_points)


def test_sets_and_their_mixtures_are_read_from_tables_and_joined():
    H = HypothesisSet.from_matrix([[1, 0], [0, 0], [1, 0]])
    assert (H.rows, H.size, H.num_points) == ((0, 1), 2, 2)
    G = HypothesisSet((3,), 2)
    R = ProbabilisticRepresentation.mixture([("1/2", H), (0, HypothesisSet((2,), 2)), ("1/2", G)])
    assert (R.weights, R.sets, R.size, R.num_points) == ((HALF, HALF), (H, G), 2, 2)
    assert repr(R) == "ProbabilisticRepresentation(2 sets of at most 2 hypotheses over 2 points)"


@pytest.mark.parametrize(
    ("weights", "sets", "reason"),
    [
        ((HALF,), (HypothesisSet((0,), 1),), "weights must sum to 1, not 1/2"),
        ((1, 0), (HypothesisSet((0,), 1), HypothesisSet((1,), 1)), "a positive weight"),
        ((1,), (), "sets must be distinct, each with a positive weight"),
        (
            (HALF, HALF),
            (HypothesisSet((0,), 1),) * 2,
            "sets must be distinct, each with a positive weight",
        ),
        ((HALF, HALF), (HypothesisSet((0,), 1), HypothesisSet((0,), 2)), "over the same points"),
        ((), (), "weights must sum to 1, not 0"),
    ],
)
def test_what_is_no_probabilistic_representation_is_refused(weights, sets, reason):
    with pytest.raises(DomainError, match=reason):
        ProbabilisticRepresentation(weights, sets)


# --- Probabilistic -------------------------------------------------------------------------------


def failure_by_definition(R, C, error):
    """Return the largest weight of a family of sets whose union does not represent some concept."""
    n, heaviest = len(C.points), Fraction(0)
    for concept in C.rows:
        for family in range(1, 1 << len(R.sets)):
            chosen = [i for i in range(len(R.sets)) if family >> i & 1]
            union = sorted({row for i in chosen for row in R.sets[i].rows})
            if error_by_definition(union, concept, n) > error:
                heaviest = max(heaviest, sum((R.weights[i] for i in chosen), Fraction(0)))
    return heaviest


def selection_by_definition(R, concept):
    """Return the value of the game between points and choices of a hypothesis from every set."""
    choices = list(product(*(H.rows for H in R.sets)))
    return solve_matrix_game(
        [
            [
                sum(w * ((h ^ concept) >> x & 1) for w, h in zip(R.weights, choice, strict=True))
                for choice in choices
            ]
            for x in range(R.num_points)
        ]
    ).value


def random_case(seed):
    rng = Random(seed)
    n = rng.randint(2, 4)
    sets = {
        HypothesisSet.from_rows(rng.sample(range(1 << n), rng.randint(1, 3)), n)
        for _ in range(rng.randint(1, 5))
    }
    sets = sorted(sets, key=lambda H: H.rows)
    weights = [rng.randint(1, 5) for _ in sets]
    R = ProbabilisticRepresentation.mixture(
        (Fraction(w, sum(weights)), H) for w, H in zip(weights, sets, strict=True)
    )
    C = ConceptClass.from_rows(rng.sample(range(1 << n), rng.randint(1, 3)), range(n))
    return R, C, rng.choice([Fraction(0), Fraction(1, 4), THIRD, Fraction(2, 5), HALF, Fraction(1)])


@pytest.mark.parametrize("seed", range(60))
def test_failure_probability_is_the_heaviest_family_that_fails_together(seed):
    R, C, error = random_case(seed)
    result = failure_probability(R, C, error)
    assert result.exact
    assert result.lower == result.upper == failure_by_definition(R, C, error)
    check_everywhere(result)


@pytest.mark.parametrize("seed", range(30))
def test_bounds_without_branching_enclose_the_truth(seed):
    R, C, error = random_case(seed)
    truth = failure_by_definition(R, C, error)
    for nodes in (0, 1, 3):
        result = failure_probability(R, C, error, work=nodes)
        assert result.lower <= truth <= result.upper
        check_everywhere(result)
    for goal in (Fraction(0), truth, (truth + 1) / 2):
        result = failure_probability(R, C, error, target=goal)
        assert result.represents(goal) == (truth <= goal)
        check_everywhere(result)


@pytest.mark.parametrize("seed", range(40))
def test_selection_is_the_game_over_all_selectors(seed):
    R, C, _ = random_case(seed)
    for concept in C.rows:
        selection = select(R, concept)
        assert selection.value == selection_by_definition(R, concept)
        errors = [
            sum(
                share * weight * ((h ^ concept) >> x & 1)
                for share, H, distribution in zip(R.weights, R.sets, selection.weights, strict=True)
                for h, weight in zip(H.rows, distribution, strict=True)
            )
            for x in range(R.num_points)
        ]
        assert max(errors) == selection.value
        assert all(sum(distribution) == 1 for distribution in selection.weights)
        against = sum(
            share * min(mass(selection.distribution, h ^ concept) for h in H.rows)
            for share, H in zip(R.weights, R.sets, strict=True)
        )
        assert against == selection.value


@settings(max_examples=60, derandomize=True, deadline=None)
@given(st.integers(1, 3), st.data())
def test_markov_bounds_the_failure_and_failing_weight_is_the_definition(n, data):
    R = data.draw(probabilistic_representations(n))
    C = data.draw(concept_classes(max_points=n, min_points=n, min_concepts=1))
    error = data.draw(probabilities())
    D = data.draw(distributions(n))
    result = failure_probability(R, C, error)
    for row in C.rows:
        failing = sum(
            (
                w
                for w, H in zip(R.weights, R.sets, strict=True)
                if min(mass(D, h ^ row) for h in H.rows) > error
            ),
            Fraction(0),
        )
        assert failing == failing_weight(R, row, error, D) <= result.upper
    if error:
        assert result.upper <= max(select(R, row).value for row in C.rows) / error


def test_one_set_fails_exactly_when_it_does_not_represent():
    for n, size in ((2, 1), (2, 2), (3, 2)):
        for rows in combinations(range(1 << n), size):
            H, C = HypothesisSet(rows, n), ConceptClass.from_rows([0, 3], range(n))
            value = representation_error(H, C).value
            R = ProbabilisticRepresentation((Fraction(1),), (H,))
            for error in (Fraction(0), THIRD, HALF, Fraction(1)):
                result = failure_probability(R, C, error)
                assert (result.lower, result.upper) == (int(value > error),) * 2


def test_error_one_never_fails_and_error_zero_is_missing_the_concept():
    sets = [HypothesisSet((0b01,), 2), HypothesisSet((0b10,), 2), HypothesisSet((0b01, 0b10), 2)]
    R = ProbabilisticRepresentation.mixture(zip(("1/2", "1/3", "1/6"), sets, strict=True))
    C = points(1)
    assert failure_probability(R, C, 1).upper == 0
    result = failure_probability(R, C, 0)
    assert (result.lower, result.upper) == (HALF, HALF)  # concept 0b10 in the first set
    check_everywhere(result)


def test_more_sets_than_are_branched_on_leave_bounds():
    sets = [HypothesisSet((row,), 11) for row in range(1, 3 * MAX_SETS)]
    R = ProbabilisticRepresentation.mixture((Fraction(1, len(sets)), H) for H in sets)
    result = failure_probability(R, ConceptClass.from_rows([0], range(11)), "1/5")
    assert (result.trees, result.exact) == (None, False)
    assert 0 < result.lower < result.upper == 1
    result.check()
    with pytest.raises(NotDecidedError, match=r"lies between .* and 1"):
        failure_of(R, result.concept_class, "1/5")


def test_as_many_sets_as_are_branched_on_are_searched():
    sets = [HypothesisSet((row,), 9) for row in range(1, 1 + MAX_SETS)]
    R = ProbabilisticRepresentation.mixture((Fraction(1, len(sets)), H) for H in sets)
    check_everywhere(failure_probability(R, ConceptClass.from_rows([0], range(9)), "1/20"))


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("3/2",), "error must be between 0 and 1, not 3/2"),
        ((0.25,), "error must be an exact number, not the float 0.25"),
        (("1/4", 2), "target must be between 0 and 1, not 2"),
        (("1/4", "x"), "target must be a fraction p/q"),
    ],
)
def test_what_is_no_probability_is_refused(arguments, reason):
    R = ProbabilisticRepresentation((Fraction(1),), (HypothesisSet((0,), 2),))
    given = dict(zip(("error", "target"), arguments, strict=False))
    with pytest.raises(DomainError, match=reason):
        failure_probability(R, points(1), **given)


PAIRS = [HypothesisSet((1, 2), 4), HypothesisSet((4, 8), 4), HypothesisSet((1, 8), 4)]
MIXED = ProbabilisticRepresentation.mixture(zip(("1/2", "1/4", "1/4"), PAIRS, strict=True))
BRANCHED = failure_probability(MIXED, points(2), "1/4")
MARKOV = failure_probability(MIXED, points(2), HALF, work=0)
SMALL = ProbabilisticRepresentation.mixture(
    [("9/10", HypothesisSet((1, 2), 2)), ("1/10", HypothesisSet((0,), 2))]
)
SELECTED = failure_probability(SMALL, points(1), HALF, work=0)


def with_tree(result, *nodes):
    return {"trees": (nodes, *result.trees[1:])}


def test_the_results_to_alter_are_of_both_methods():
    assert (BRANCHED.lower, BRANCHED.upper) == (Fraction(3, 4), Fraction(3, 4))
    assert BRANCHED.trees is not None
    assert failure_of(MIXED, points(2), "1/4") == BRANCHED
    assert (SELECTED.trees, SELECTED.lower, SELECTED.upper) == (
        None,
        Fraction(1, 10),
        Fraction(1, 5),
    )
    for result in (BRANCHED, MARKOV, SELECTED):
        check_everywhere(result)


@pytest.mark.parametrize(
    ("result", "change", "reason"),
    [
        (BRANCHED, {"lower": Fraction(4, 5)}, "the bound that is proved is 3/4, not the stated"),
        (BRANCHED, {"upper": Fraction(2, 3)}, "lower 3/4 is above|proved is 3/4, not the stated"),
        (BRANCHED, {"distribution": (1, 0, 0, 0)}, "^lower: the bound that is proved is"),
        (BRANCHED, {"distribution": (1, 0, 0)}, "distribution: must have 4 entries"),
        (BRANCHED, {"distribution": (1, 1, 0, 0)}, "sum to 1, but sum to 2"),
        (BRANCHED, {"concept": 9}, "concept: must be an index below 4, not 9"),
        (BRANCHED, {"concept_class": points(1)}, "must be a text of 2 characters"),
        (BRANCHED, {"trees": BRANCHED.trees[:3]}, "each of 4 concepts must have a tree"),
        (BRANCHED, {"trees": None, "selections": None}, "proved is 1, not the stated 3/4"),
        (BRANCHED, with_tree(BRANCHED, ()), "the bound that is proved is 1, not the stated 3/4"),
        (BRANCHED, with_tree(BRANCHED, (1,)), "must have 0 entries"),
        (BRANCHED, with_tree(BRANCHED, None, (0, 1), ()), "is above the error"),
        (BRANCHED, with_tree(BRANCHED, None, (1, 0, 0), ()), "must have 2 entries, not 3"),
        (BRANCHED, with_tree(BRANCHED, None, (2, -1), ()), "at least 0"),
        (BRANCHED, with_tree(BRANCHED, None, (HALF, 0), ()), "sum to 1, but sum to 1/2"),
        (BRANCHED, with_tree(BRANCHED, None, (), ()), "proved is 1, not the stated 3/4"),
        (BRANCHED, with_tree(BRANCHED, None, ()), "1 cases have no node"),
        (
            BRANCHED,
            with_tree(BRANCHED, *[None] * 4, *[()] * 5),
            "null requires at least one undecided set",
        ),
        (SELECTED, {"upper": Fraction(1, 6)}, "the bound that is proved is 1/5, not the stated"),
        (
            SELECTED,
            {"selections": (((0, 1), (1,)), SELECTED.selections[1])},
            "the bound that is proved is 1, not the stated 1/5",
        ),
        (
            SELECTED,
            {"selections": (((1, 1), (1,)), SELECTED.selections[1])},
            "sum to 1, but sum to 19/10",
        ),
        (
            SELECTED,
            {"selections": (((1, 0),), SELECTED.selections[1])},
            "sum to 1, but sum to 9/10",
        ),
        (SELECTED, {"selections": SELECTED.selections[:1]}, "must have 2 entries, not 1"),
    ],
)
def test_altered_failure_results_are_rejected(result, change, reason):
    with pytest.raises(CertificateError, match=reason):
        replace(result, **change).check()


def test_an_upper_bound_of_one_needs_no_proof():
    replace(BRANCHED, upper=Fraction(1), trees=None, selections=None).check()
