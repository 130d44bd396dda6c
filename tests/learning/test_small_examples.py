"""Small examples of functions of `ccsim.learning` that no other test calls by name."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from ccsim.exact.epsilon import Epsilon
from ccsim.learning.learners.noisy_points import consistent_point
from ccsim.learning.learners.occam import empirical_errors
from ccsim.learning.learners.representation import TabledHypothesis, weighted_values
from ccsim.learning.learning_program import Orbits, near_the_accuracy
from ccsim.learning.packing import exclusion, rational_factor
from ccsim.learning.rules.learn import rules_of
from ccsim.learning.rules.model import Accepted, RuleModel
from ccsim.learning.rules.rule import Numbers, Rule, Values, cell_number
from ccsim.learning.sample_size import nonprivate_point_sample_size, uniform_convergence_size
from ccsim.learning.worst_failure import moved_corners


def test_noisy_points_consistent_point():
    assert (consistent_point([(2, 1), None, (0, 0)], 4), consistent_point([(0, 0)], 4)) == (4, 0)
    assert consistent_point([(0, 0), (0, 1)], 4) is consistent_point([(0, 1), (1, 1)], 4) is None


def test_occam_empirical_errors():
    assert empirical_errors([(0, 1), (1, 1), (1, 0)], 0b01) == 1


def test_representation_tabledhypothesis():
    assert TabledHypothesis(0b101, 3).predict(np.array([0, 1, 2], dtype=np.uint64)).tolist() == [
        True,
        False,
        True,
    ]


def test_representation_weighted_values():
    assert weighted_values([0b01, 0b11], np.array([5, -2])).tolist() == [5, 3]


def test_sizes_uniform_convergence_size():
    assert uniform_convergence_size(Fraction(1, 10), Fraction(1, 10)) == 119830


def test_rows_near_the_accuracy():
    assert near_the_accuracy(2, Fraction(1, 4))[0] == (
        Fraction(16385, 65536),
        Fraction(49151, 65536),
    )


def test_subdivisions_moved_corners():
    assert moved_corners((0, 1, None, (0, 2, 1, 3, None, None)), (1, 2, 0)) == (
        1,
        2,
        None,
        (1, 0, 1, 3, None, None),
    )


def test_symmetries_orbits():
    from ccsim import all_functions
    from ccsim.learning.learning_program import class_symmetries

    orbits = Orbits(3, 2, class_symmetries(all_functions(3)))
    assert (len(orbits.number), len(orbits.firsts), len(orbits.leaders)) == (168, 6, 3)


def test_factors_rational_factor():
    assert rational_factor(
        Epsilon.of(1), lambda above: above.factor < Fraction(272, 100)
    ) == Fraction(87, 32)


def test_sizes_exclusion():
    assert exclusion({Fraction(2): 4}, 1, Fraction(1, 2)) == ({Fraction(2, 1): 0}, 8)


def test_columns_cell_number():
    assert cell_number(" 3/4", "share") == Fraction(3, 4)


def test_families_ruleset():
    stumps = rules_of("stumps", (Numbers.between("age", 0, 3), Values("city", ("Bern", "Rome"))))
    assert (stumps.size, stumps.rule(2).in_words(("no", "yes"))) == (10, "yes if age >= 1, else no")
    errors = stumps.errors([(0, 0), (2, 1), (3, 0)], [0, 1, 1])
    assert errors.tolist() == [1, 2, 0, 0, 1, 3, 3, 2, 1, 2]


def test_model_rulemodel():
    from ccsim.learning.rules.rule import Between

    rule = Rule((Between("age", Fraction(40)),), 1)
    model = RuleModel(
        rule,
        "smokes",
        ("no", "yes"),
        (Accepted("age", Fraction(0), Fraction(100)),),
        "thresholds",
        202,
        500,
        Epsilon.of(1),
        "records",
        "system",
        None,
    )
    assert model.predict([{"age": 38}, {"age": "61"}]) == ["no", "yes"]
    assert str(model.privacy) == "epsilon = 1, delta = 0, if one record is replaced"


def test_sample_size_nonprivate_point_sample_size():
    assert nonprivate_point_sample_size(Fraction(1, 10), Fraction(1, 10)) == 24
