"""The standard optimal algorithm on all sequences, and all learners against the tree."""

from functools import cache

import numpy as np
import pytest
from hypothesis import given

from ccsim.classes import (
    ConceptClass,
    all_functions,
    intervals,
    k_points,
    lines,
    parities,
    points,
    random_class,
    thresholds,
)
from ccsim.dimensions import littlestone_dimension
from ccsim.errors import DomainError
from proofs_check.claims.feldman_xiao.constructions.standard_optimal_algorithm import (
    StandardOptimalAlgorithm,
    standard_optimal_algorithm,
    tree_adversary,
)
from tests.strategies import concept_classes

CLASSES = [
    *(thresholds(b) for b in range(5)),
    *(points(b) for b in range(4)),
    *(intervals(n) for n in range(1, 6)),
    lines(2),
    lines(3),
    k_points(2, 2),
    *(parities(n) for n in range(1, 4)),
    *(all_functions(n) for n in range(1, 5)),
    *(random_class(20, 6, seed) for seed in range(5)),
    *(random_class(12, 10, seed) for seed in range(5)),
]


def most_mistakes(C):
    """Return the maximum number of mistakes of the learner over all adversaries, by exhaustion."""

    @cache
    def worst(V):
        learner = StandardOptimalAlgorithm(C, V)
        best = 0
        for x in range(len(C.points)):
            for label in (0, 1):
                rest = sum(1 << c for c in learner.consistent if C.value(c, x) == label)
                if rest and rest != V:
                    best = max(best, worst(rest) + (learner.predict(x) != label))
        return best

    return worst((1 << len(C)) - 1)


@pytest.mark.parametrize("C", CLASSES, ids=str)
def test_worst_number_of_mistakes_is_the_littlestone_dimension(C):
    assert most_mistakes(C) == littlestone_dimension(C).value


@given(concept_classes(min_concepts=1))
def test_worst_number_of_mistakes_is_the_littlestone_dimension_of_any_class(C):
    assert most_mistakes(C) == littlestone_dimension(C).value


def test_every_sequence_of_a_concept_is_learned_with_few_mistakes():
    rng = np.random.default_rng(1)
    for C in (thresholds(5), lines(5), intervals(9), random_class(40, 12, seed=3)):
        learner = standard_optimal_algorithm(C)
        bound = littlestone_dimension(C).value
        assert learner.mistake_bound == bound
        for c in rng.permutation(len(C))[:8].tolist():
            order = rng.permutation(len(C.points)).tolist()
            game = learner.play((x, C.value(c, x)) for x in order)
            assert game.learner.mistakes <= bound
            assert game.learner.consistent == (c,)
            wrong = [r for r in game.rounds if r.prediction != r.label]
            assert len(wrong) == game.learner.mistakes
            assert [r.point for r in game.rounds] == order


@pytest.mark.parametrize("C", CLASSES, ids=str)
def test_tree_adversary_forces_the_dimension(C):
    tree = littlestone_dimension(C).tree
    game = standard_optimal_algorithm(C).play_against(tree_adversary(tree))
    assert game.learner.mistakes == len(game.rounds) == littlestone_dimension(C).value


def test_every_mistake_lowers_the_bound_and_no_round_raises_it():
    rng = np.random.default_rng(2)
    for seed in range(20):
        C = random_class(16, 8, seed)
        learner = standard_optimal_algorithm(C)
        c = int(rng.integers(len(C)))
        for x in rng.permutation(8).tolist():
            after = learner.update(x, C.value(c, x))
            lowered = learner.mistake_bound - after.mistake_bound
            assert lowered >= after.mistakes - learner.mistakes
            learner = after


def test_learner_is_not_changed_by_an_update():
    learner = standard_optimal_algorithm(thresholds(2))
    after = learner.update(1, 1)
    assert learner == standard_optimal_algorithm(thresholds(2))
    assert (learner.mistakes, after.consistent) == (0, (0, 1))


def test_adversary_who_looks_only_ends_the_game_at_once():
    game = standard_optimal_algorithm(lines(2)).play_against(lambda game: None)
    assert (game.rounds, game.learner.mistakes) == ((), 0)


def test_label_that_no_concept_has_is_refused():
    C = ConceptClass.from_matrix([[0, 0], [1, 0]], points=["p", "q"])
    learner = standard_optimal_algorithm(C)
    assert learner.predict(1) == 0
    message = r"no concept is consistent with label 1 on point 1 \(q\) and"
    with pytest.raises(DomainError, match=message):
        learner.update(1, 1)
    with pytest.raises(
        DomainError, match=r"no concept is consistent with label 0 on point 0 \(p\)"
    ):
        learner.play([(0, 1), (1, 0), (0, 0)])
    with pytest.raises(DomainError, match=message):
        learner.play_against(lambda game: (1, 1))


def test_what_is_no_point_label_or_class_is_refused():
    learner = standard_optimal_algorithm(lines(2))
    for call in (
        lambda: learner.predict(4),
        lambda: learner.update(-1, 0),
        lambda: learner.update(0, 2),
    ):
        with pytest.raises(
            DomainError, match="point must be at least 0 and below 4, and label 0 or 1"
        ):
            call()
    with pytest.raises(DomainError, match="at least one concept, not an empty class"):
        standard_optimal_algorithm(ConceptClass((0,), (), ()))
    with pytest.raises(DomainError, match="must be a nonempty mask of 4 concepts, not 0"):
        StandardOptimalAlgorithm(lines(2), 0)
