"""Small examples for functions of `ccsim.communication` that no other test calls."""

from __future__ import annotations

import re
from fractions import Fraction

import numpy as np
import pytest

from ccsim.budget import Budget
from ccsim.communication.chirotopes.cases import relations_of
from ccsim.communication.closed_forms.families import check_digits, family_certificate
from ccsim.communication.closed_forms.index import (
    best_code,
    cheapest_partition_by_counts,
    distances_of_words,
    divisions,
    good_code,
    index_lower_bound,
    nearest_words,
    on_table,
    translations,
    with_best_answers,
)
from ccsim.communication.distributional import prove_bound, prove_by_squares, rounded_potentials
from ccsim.communication.given import problem_from_table
from ccsim.communication.hard_distribution import HardDistribution, as_distribution
from ccsim.communication.partitions.answers import (
    exact_potentials,
    exchanged_choices,
    good_choices,
    needs_answers,
)
from ccsim.communication.partitions.tables import class_costs
from ccsim.communication.private_coins.bounds import (
    SuccessivePrograms,
    coin_protocol,
    random_starts,
)
from ccsim.communication.private_coins.boxes import Envelopes
from ccsim.communication.private_coins.case_trees import least_bound
from ccsim.communication.private_coins.theorems import ExcludedSigns
from ccsim.communication.problem import index
from ccsim.communication.protocols.by_rules import check_parameter
from ccsim.communication.protocols.tables import (
    DeterministicProtocol,
    answer_mask,
    images_of,
    sent_messages,
    weighted_coins,
)
from ccsim.communication.public_coins.orbit_game import renumbered
from ccsim.communication.public_coins.solver import PublicCoinSolver
from ccsim.communication.sign_ranks import Obstruction
from ccsim.errors import DomainError, InstanceTooLargeError
from ccsim.symmetry.matrix import Symmetry
from proofs_check.claims.feldman_xiao.constructions.reduction import check_position, path_of


def test_chirotopes_relations_of():
    assert ([found.node for found in relations_of(1, [(1, 2), (3, 0)])]) == [(0, 1)]


def test_obstructions_obstruction_shown():
    assert (
        Obstruction("shattered", "rows", (0, 1)).description()
        == "fewer dimensions excluded by 2 shattered rows"
    )


def test_augmented_index_divisions():
    assert list(divisions(4, 2)) == [(4,), (3, 1), (2, 2)]


def test_augmented_index_cheapest_partition_by_counts():
    assert cheapest_partition_by_counts([1, 0], 2) == (0, 1, 0, 1)


def test_families_check_digits():
    check_digits(Fraction(2, 3))
    with pytest.raises(
        InstanceTooLargeError,
        match=re.escape("numbers in a certificate must have at most 4000 digits, not about 4001"),
    ):
        check_digits(10**4000)  # doctest: +ELLIPSIS


def test_families_family_certificate():
    assert family_certificate("index", 2, 2, (Fraction(1, 4), {"ball": {}}), None).statement == {
        "messages": 2,
        "lower": "1/4",
        "upper": None,
    }


def test_index_nearest_words():
    assert nearest_words(3, [0b000, 0b111]) == [0, 0, 0, 1, 0, 1, 1, 1]


def test_index_of_too_many_positions():
    with pytest.raises(
        InstanceTooLargeError, match=re.escape("index: d must be at most 4096, not 1000000")
    ):
        index_lower_bound(10**6, 1)


def test_index_distances_of_words():
    assert distances_of_words(2)[0].tolist() == [0, 1, 1, 2]


def test_index_good_code():
    assert good_code(distances_of_words(3), 2, stop=6) == ((0, 7), 6)


def test_index_best_code():
    assert best_code(distances_of_words(3), 3) == ((0, 1, 6), 5)


def test_on_tables_translations():
    assert translations(2, prefixes=True)[0] == Symmetry(
        rows=(1, 0, 3, 2), columns=(0, 2, 1), flips=1
    )


def test_on_tables_with_best_answers():
    assert with_best_answers(index(2), [0, 0, 0, 1]).bob == (0, 3)


def test_on_tables_on_table():
    made = on_table(2, 2, (Fraction(1, 4), Fraction(1, 4)), [(Fraction(1), [0, 0, 0, 1])])
    assert (made.statement["lower"], made.kind) == ("1/4", "minimax_error")


def test_given_problem_from_table():
    from ccsim.texts.tables import Table

    assert problem_from_table(Table("f.csv", "f", ("01", "1*"))).promise == (3, 1)


def test_hard_distribution_as_distribution():
    assert as_distribution({(0, 1): 1}).weights == as_distribution([[0, 1], [0, 0]]).weights


def test_answer_search_exact_potentials():
    errors = np.array([[0, 2, 2], [2, 0, 2], [2, 2, 0]])
    free = np.zeros(3, np.int8)
    start, case = errors[0] / 6, (free, 2)
    unit, potentials = exact_potentials(errors, errors / 6, start, case, 0.3, Budget())
    assert (sum(potentials.tolist()) / unit - 2 * max(potentials.tolist()) / unit) == 2.0


def test_answers_good_choices():
    W = np.array([[1.0, -1.0], [-2.0, 1.0]])
    partitions, costs = good_choices(W, 2, 4, np.random.default_rng(0))
    assert (len(set(partitions[0].tolist())), float(costs[0])) == (2, 0.0)


def test_answers_exchanged_choices():
    errors = np.array([[0.0, 1.0, 2.0], [1.0, 0.0, 2.0]])
    assert sorted(exchanged_choices(errors, 2, 1)[0].tolist()) == [0, 1]


def test_answers_needs_answers():
    assert (needs_answers(104, 8, 5), needs_answers(104, 12, 5), needs_answers(12, 8, 5)) == (
        True,
        False,
        False,
    )


def test_proof_prove_bound():
    from ccsim.communication.problem import equality

    uniform = HardDistribution.from_integers((x, y, 1) for x in range(3) for y in range(3))
    assert prove_bound(equality(3), uniform, 1, (0, 0, 0)).labels is None


def test_proof_prove_by_squares():
    from ccsim.communication.problem import equality

    uniform = HardDistribution.from_integers((x, y, 1) for x in range(3) for y in range(3))
    assert prove_by_squares(equality(3), uniform, 2)[0] == Fraction(2, 9)


def test_proof_rounded_potentials():
    assert rounded_potentials([[2, -1, -1], [-1, 2, -1], [-1, -1, 2]], 2, [0, 0, 0]) == [
        133,
        133,
        133,
    ]


def test_subsets_class_costs():
    assert class_costs(np.array([[1, -1], [-2, 1]]), Budget()).tolist() == [0, 0, 0, 4]


def test_box_search_envelopes():
    envelopes = Envelopes(np.array([[0.0], [1.0]]), 1)
    lows, highs = np.array([1.0, 1.0, 0.0]), np.ones(3)
    assert envelopes.solve(lows, highs).value == 0.5


def test_case_trees_least_bound():
    assert least_bound([Fraction(1, 3), Fraction(1, 2)], "ab", lambda case, node: node) == Fraction(
        1, 3
    )


def test_excluded_signs_excludedsigns():
    from ccsim.communication.problem import equality

    assert ExcludedSigns(Obstruction("shattered", "rows", (0, 1, 2))).bound(
        equality(3), 2
    ) == Fraction(1, 2)


def test_protocol_search_random_starts():
    programs = SuccessivePrograms(np.eye(3))
    assert round(min(error for error, _ in random_starts(programs, 2, 50, Budget())), 6) == 0.5


def test_protocol_search_coin_protocol():
    from ccsim.communication.problem import equality

    assert coin_protocol(equality(2), 1).bob == ((Fraction(1, 2), Fraction(1, 2)),)


def test_protocol_search_successiveprograms():
    programs = SuccessivePrograms(np.eye(2))
    start = np.array([[0.6, 0.4], [0.4, 0.6]])
    error, _, _ = programs.improve(start, start)
    assert round(error, 9) == 0.0


def test_coins_weighted_coins():
    assert weighted_coins("ab", "coins") == (("a", Fraction(1, 2)), ("b", Fraction(1, 2)))
    assert weighted_coins({0: "1/3", 1: "2/3"}, "coins") == (
        (0, Fraction(1, 3)),
        (1, Fraction(2, 3)),
    )


def test_coins_sent_messages():
    assert sent_messages(lambda x: x % 2, [(5,), (2,), (7,)]) == ((0, 1, 0), (1, 0))


def test_coins_answer_mask():
    assert answer_mask(lambda message, y: message == y, 0, [(1, 0), (1, 1)]) == 2


def test_parameters_check_parameter():
    with pytest.raises(
        DomainError, match=re.escape("equality: bits must be an integer, at least 1, not 0")
    ):
        check_parameter("equality: bits", 0, 1)


def test_symmetric_images_of():
    turn = Symmetry((1, 2, 0), (1, 2, 0), 0)
    assert len(images_of(DeterministicProtocol((0, 1, 1), (0b001, 0b000), 3), (turn,), 5)) == 3


def test_pricing_renumbered():
    assert renumbered([2, 0, 1, 2], [0, 2, 3]) == [0, 1, 0]


def test_solver_publiccoinsolver():
    from ccsim.communication.problem import equality

    solver = PublicCoinSolver(equality(3))
    best = solver.solve(2)
    assert (best.upper, best.protocol.messages, best.below.distribution.total) == (
        Fraction(2, 9),
        2,
        9,
    )


def test_augmented_index_check_position():
    with pytest.raises(DomainError, match=re.escape("position i must be between 1 and 2, not 3")):
        check_position(3, 2)


def test_augmented_index_path_of():
    assert path_of(0b001, 3) == "100"
