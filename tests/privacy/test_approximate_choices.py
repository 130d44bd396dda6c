"""A_dist and the choosing mechanism: their exact deltas, and least sizes."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import pytest

from ccsim import DomainError
from ccsim.exact import Epsilon
from ccsim.exact.epsilon import BallArithmetic, arithmetic
from ccsim.information import divergence
from ccsim.privacy import Verdict, audit
from ccsim.privacy.mechanisms.choosing import (
    ChoosingMechanism,
    choosing_sample_size,
)
from ccsim.privacy.mechanisms.stable_choice import (
    VARIANTS,
    StableChoice,
    best_and_lead,
    release_probability,
)
from proofs_check.claims.beimel_nissim_stemmer.constructions.qualities import is_of_bounded_growth

MILLIONTH = Fraction(1, 10**6)


def count(database, solution):
    return database.count(solution)


def a_dist(epsilon, delta, variant, points=2):
    domain = tuple(range(points))
    return StableChoice(domain, domain, count, Epsilon.of(epsilon), Fraction(delta), variant)


def least_delta(mechanism, epsilon, size):
    return audit(mechanism, epsilon, 0, size).least_delta


@pytest.mark.parametrize("factor", ["5/2", "3", "10"])
def test_printed_noise_is_not_private_with_one_record_once_the_factor_exceeds_two(factor):
    delta = Fraction(1, 100)
    printed = a_dist(f"ln({factor})", delta, "printed")
    result = audit(printed, f"ln({factor})", delta, 1)
    assert result.verdict is Verdict.FAILS
    assert result.least_delta == Fraction(factor) * delta / 2
    result.check()
    result.certificate()


@pytest.mark.parametrize(
    ("factor", "records"), [("3", 1), ("25/16", 2), ("121/100", 13), ("441/400", 32)]
)
def test_the_least_number_of_records_that_violates(factor, records):
    printed = a_dist(f"ln({factor})", MILLIONTH, "printed")
    verdicts = [
        audit(printed, f"ln({factor})", MILLIONTH, size).verdict for size in range(1, records + 1)
    ]
    assert verdicts == [Verdict.HOLDS] * (records - 1) + [Verdict.FAILS]


@pytest.mark.parametrize("epsilon", ["ln 3", "ln(121/100)"])
def test_the_corrected_form_needs_exactly_delta_on_all_databases_up_to_sixty_records(epsilon):
    corrected = a_dist(epsilon, MILLIONTH, "corrected")
    needed = [least_delta(corrected, epsilon, size) for size in range(1, 61)]
    assert max(needed) == MILLIONTH
    printed = a_dist(epsilon, MILLIONTH, "printed")
    assert max(least_delta(printed, epsilon, size) for size in (29, 30, 59, 60)) > MILLIONTH


def test_at_twice_epsilon_the_printed_form_needs_a_known_delta():
    delta = Fraction(1, 100)
    assert least_delta(a_dist("ln 3", delta, "printed"), "ln 9", 12) == 9 * delta / 2


@pytest.mark.parametrize("epsilon", ["ln 4", "ln(121/100)"])
@pytest.mark.parametrize("variant", ["corrected", "optimal"])
def test_the_corrected_forms_need_exactly_delta(epsilon, variant):
    delta = Fraction(1, 50)
    mechanism = a_dist(epsilon, delta, variant)
    needed = [least_delta(mechanism, epsilon, size) for size in (1, 2, 8, 20)]
    assert max(needed) == delta
    three = a_dist(epsilon, delta, variant, 3)
    assert least_delta(three, epsilon, 6) <= delta


def test_the_small_form_is_private_up_to_the_logarithm_of_two():
    delta = Fraction(1, 50)
    assert least_delta(a_dist("ln 2", delta, "corrected-small"), "ln 2", 12) <= delta
    with pytest.raises(DomainError, match="at most ln 2"):
        a_dist("ln 3", delta, "corrected-small")


@pytest.mark.parametrize(("epsilon", "optimal", "corrected"), [("1/10", 249, 297), (1, 31, 32)])
def test_leads_needed_for_release_with_probability_nine_tenths(epsilon, optimal, corrected):
    powers = BallArithmetic(Epsilon.of(epsilon), 128)
    with powers.working():
        for variant, needed in (("optimal", optimal), ("corrected", corrected)):
            below, reached = (
                release_probability(lead, MILLIONTH, powers, variant)
                for lead in (needed - 1, needed)
            )
            assert below < Fraction(9, 10).numerator / powers.number(10) <= reached


def test_the_optimal_rule_is_the_most_that_a_chain_of_neighbours_allows():
    """On counts, one record changes the lead by 2, and each step is the largest private one."""
    epsilon, delta = Epsilon.of("ln 4"), Fraction(1, 50)
    powers = arithmetic(epsilon)
    p = [release_probability(2 * n, delta, powers, "optimal") for n in range(12)]
    assert p[0] == 0
    for a, b in pairwise(p):
        assert b <= min(4 * a + delta, 1 - (1 - a - delta) / 4, 1)
        if b < 1:
            higher = b + Fraction(1, 10**9)  # releases a little more often: not private
            distributions = [{True: q, False: 1 - q} for q in (a, higher)]
            excess = max(
                sum(max(Fraction(0), x[o] - 4 * y[o]) for o in (True, False))
                for x, y in (distributions, distributions[::-1])
            )
            assert excess > delta


def test_one_solution_is_output_and_none_is_bottom_and_ties_go_to_the_first():
    alone = StableChoice((0, 1), (7,), count, Epsilon.of(1), MILLIONTH)
    assert alone.distribution((0, 1))[7] == 1
    nothing = StableChoice((0, 1), (), count, Epsilon.of(1), MILLIONTH)
    assert nothing.distribution((0,))[None] == 1
    assert best_and_lead([2, 2, 1]) == (0, 0)
    tied = a_dist("ln 4", "1/8", "corrected").distribution((0, 1))
    assert tied[0] == Fraction(1, 32)
    assert tied[1] == 0


@pytest.mark.parametrize("variant", VARIANTS)
def test_release_grows_with_the_lead_and_balls_contain_it(variant):
    epsilon, delta = Epsilon.of("ln(36/25)"), Fraction(1, 100)
    exact, balls = arithmetic(epsilon), BallArithmetic(epsilon, 96)
    last = Fraction(-1)
    for lead in range(40):
        p = release_probability(lead, delta, exact, variant)
        assert last <= p <= 1
        last = p
        with balls.working():
            ball = balls.result(release_probability(lead, delta, balls, variant))
        assert ball.lower <= p <= ball.upper


@pytest.mark.parametrize(
    ("setting", "asked", "least"),
    [
        ((1, 2, "1/2", "1/10"), 41, 7),
        ((1, 1, "1/2", "1/10"), 93, 11),
        (("1/2", 1, "1/2", "1/10"), 207, 13),
        pytest.param((1, 1, "1/2", "1/100"), 130, 30, marks=pytest.mark.slow),
    ],
)
def test_least_sizes_of_the_choosing_mechanism(setting, asked, least):
    accuracy, epsilon, failure, delta = map(Fraction, setting)
    privacy = Epsilon.of(epsilon)
    assert choosing_sample_size(accuracy, failure, privacy, delta) == asked
    solutions = tuple(range(3))
    choosing = ChoosingMechanism(
        solutions, solutions, count, privacy, delta, 1, "paper", accuracy, failure, any_size=True
    )
    verdicts = [audit(choosing, privacy, delta, size).verdict for size in (least - 1, least)]
    assert verdicts == [Verdict.FAILS, Verdict.HOLDS]


def test_fewer_records_than_the_lemma_asks_are_an_error_that_names_the_size():
    choosing = ChoosingMechanism(
        (0, 1), (0, 1), count, Epsilon.of(2), Fraction(1, 10), 1, "paper", Fraction(1)
    )
    with pytest.raises(DomainError, match="at least 41 records for the paper's threshold, not 40"):
        choosing.distribution((0,) * 40)
    assert choosing.distribution((0,) * 41)[0] > Fraction(9, 10)


@pytest.mark.parametrize(("epsilon", "delta"), [(1, "1/10"), ("ln 16", "1/100"), (2, "1/20")])
def test_the_fixed_threshold_needs_exactly_delta_on_counts(epsilon, delta):
    domain = tuple(range(3))
    choosing = ChoosingMechanism(domain, domain, count, Epsilon.of(epsilon), Fraction(delta))
    needed = [least_delta(choosing, epsilon, size) for size in range(1, 7)]
    assert max(needed) == needed[0] == Fraction(delta)


def inside(database, pair):
    return sum(record in pair for record in database)


@pytest.mark.parametrize("epsilon", ["1/10", "ln(81/16)"])
def test_the_fixed_threshold_needs_at_most_delta_for_growth_two(epsilon):
    pairs, delta = ((0, 1), (0, 2), (1, 2)), Fraction(1, 10)
    choosing = ChoosingMechanism((0, 1, 2), pairs, inside, Epsilon.of(epsilon), delta, 2)
    assert all(least_delta(choosing, epsilon, size) <= delta for size in range(1, 7))
    lower = ChoosingMechanism((0, 1, 2), pairs, inside, Epsilon.of(epsilon), delta * 4, 1)
    assert least_delta(lower, epsilon, 1) > delta  # the threshold of 8 times the probability


def test_qualities_between_integers_are_refused():
    """A quality that decreases from 19/10 to 9/10 would need more than delta."""
    for value, message in ((Fraction(19, 10), "must be an integer"), (-1, "at least 0")):
        choosing = ChoosingMechanism((0,), (0,), lambda *_, v=value: v, Epsilon.of(1), MILLIONTH)
        with pytest.raises(DomainError, match=message):
            choosing.distribution((0,))


def test_bounded_growth_is_decided():
    assert is_of_bounded_growth(count, "abc", "abc", 1, 4)
    pairs = ("ab", "bc", "ca")
    assert is_of_bounded_growth(inside, "abc", pairs, 2, 3)
    assert not is_of_bounded_growth(inside, "abc", pairs, 1, 3)
    assert not is_of_bounded_growth(lambda d, _: 2 * len(d), "a", "a", 1, 2)
    assert not is_of_bounded_growth(lambda d, _: 1 - len(d), "a", "a", 1, 2)
    assert not is_of_bounded_growth(lambda d, _: 1, "a", "a", 1, 0)


def test_solutions_of_quality_below_one_are_not_chosen():
    choosing = ChoosingMechanism((0, 1), (0, 1), count, Epsilon.of("ln 16"), Fraction(1, 8))
    distribution = choosing.distribution((0, 0, 0, 0))
    assert distribution[1] == 0
    assert distribution[0] + distribution[None] == 1
    assert choosing.distribution(())[None] == 1


def test_two_distributions_of_the_choosing_mechanism_by_hand():
    choosing = ChoosingMechanism((0, 1), (0, 1), count, Epsilon.of("ln 16"), Fraction(1, 8))
    # threshold 1 + 4 ln 4 / ln 16 = 3, noise of scale 4 / ln 16: Pr[2 + noise > 3] = 1/4
    p, q = choosing.distribution((0, 0)), choosing.distribution((0, 1))
    assert (p[0], p[None]) == (Fraction(1, 4), Fraction(3, 4))
    assert (q[0], q[1], q[None]) == (Fraction(1, 16), Fraction(1, 16), Fraction(7, 8))
    assert divergence(q, p, Fraction(1)) == Fraction(3, 16)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"solutions": (0, 0)}, "solutions must be distinct"),
        ({"solutions": (0, None)}, "must not include None"),
        ({"delta": Fraction(0)}, "delta must be positive"),
        ({"delta": Fraction(3, 4)}, "at most 1/2"),
        ({"epsilon": Epsilon.of(0)}, "epsilon must be positive"),
        ({"growth": 0}, "growth must be at least 1"),
        ({"threshold": "low"}, "threshold must be one of"),
        ({"accuracy": Fraction(2)}, "accuracy must be positive and at most 1"),
    ],
)
def test_wrong_parameters_are_refused(fields, message):
    good = {
        "domain": (0, 1),
        "solutions": (0, 1),
        "quality": count,
        "epsilon": Epsilon.of(1),
        "delta": MILLIONTH,
    }
    with pytest.raises(DomainError, match=message):
        ChoosingMechanism(**(good | fields))
