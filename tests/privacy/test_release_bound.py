"""Bounds on the release of the best solution: the chain, the optimal rule, a linear program."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

import pytest

from ccsim.errors import CertificateError, DomainError
from ccsim.exact import Epsilon
from ccsim.exact.epsilon import BallArithmetic, arithmetic
from ccsim.privacy.mechanisms.stable_choice import release_probability
from ccsim.privacy.release_bound import least_release_lead, release_bound
from ccsim.programs import LinearProgram, solve_linear_program

MILLIONTH, FIFTIETH = Fraction(1, 10**6), Fraction(1, 50)
NINE_TENTHS = Fraction(9, 10)


@pytest.mark.parametrize(("epsilon", "optimal", "corrected"), [("1/10", 249, 297), (1, 31, 32)])
def test_leads_for_release_with_probability_nine_tenths(epsilon, optimal, corrected):
    epsilon = Epsilon.of(epsilon)
    assert least_release_lead(NINE_TENTHS, epsilon, MILLIONTH) == optimal
    assert least_release_lead(NINE_TENTHS, epsilon, MILLIONTH, "corrected") == corrected
    below = release_bound(optimal - 1, epsilon, MILLIONTH)
    below.check()
    assert below.value < NINE_TENTHS <= release_bound(optimal, epsilon, MILLIONTH).value


@pytest.mark.parametrize("epsilon", ["ln 4", "ln(121/100)", "1/10"])
def test_the_optimal_rule_attains_the_bound(epsilon):
    epsilon = Epsilon.of(epsilon)
    balls = BallArithmetic(epsilon, 400)
    for lead in (0, 1, 2, 3, 4, 7, 20, 61):
        found = release_bound(lead, epsilon, FIFTIETH)
        found.check()
        assert found.lead == lead
        with balls.working():
            reached = balls.result(release_probability(lead, FIFTIETH, balls, "optimal"))
        assert reached.lower <= found.value
        assert found.value - reached.upper <= Fraction(1, 2**200)
    if epsilon.exp() == 4:
        exact = release_probability(7, FIFTIETH, arithmetic(epsilon), "optimal")
        assert release_bound(7, epsilon, FIFTIETH).value == exact


def most_release(records, count, solution, factor, delta):
    """Return the largest private release probability on two points, by a linear program.

    The variables are the release at each count of point 0, and the positive differences.
    """

    def is_best(ones, x):
        other = records - ones if x == 0 else ones
        own = ones if x == 0 else records - ones
        return own > other or (own == other and x == 0 and solution == "tie")

    variables = 3 * (records + 1)
    place = {(c, o): 3 * c + i for c in range(records + 1) for i, o in enumerate((0, 1, None))}
    rows = [({place[c, o]: 1 for o in (0, 1, None)}, "=", 1) for c in range(records + 1)]
    rows += [
        ({place[c, x]: 1}, "=", 0) for c in range(records + 1) for x in (0, 1) if not is_best(c, x)
    ]
    for c in range(records):
        for i, j in ((c, c + 1), (c + 1, c)):
            total = {}
            for o in (0, 1, None):
                rows.append(({place[i, o]: 1, place[j, o]: -factor, variables: -1}, "<=", 0))
                total[variables] = 1
                variables += 1
            rows.append((total, "<=", delta))
    wanted = place[count, 0 if solution == "tie" else solution]
    program = LinearProgram.minimise([-(i == wanted) for i in range(variables)], rows)
    return -solve_linear_program(program).value


@pytest.mark.parametrize(("factor", "delta"), [(Fraction(4), FIFTIETH), (Fraction(3, 2), FIFTIETH)])
@pytest.mark.parametrize("records", [5, 6])
def test_the_bound_is_the_value_of_a_linear_program(records, factor, delta):
    epsilon = Epsilon.of(f"ln({factor})")
    for count in range(records + 1):
        lead = 2 * count - records
        expected = release_bound(lead, epsilon, delta).value if lead > 0 else 0
        assert most_release(records, count, 0, factor, delta) == expected
        assert most_release(records, records - count, 1, factor, delta) == expected


def test_who_may_name_the_first_of_two_best_points_releases_that_one_more_often():
    """Therefore the bound requires that nothing is released at ties."""
    factor, epsilon = Fraction(4), Epsilon.of("ln 4")
    for count in (3, 4, 5):
        allowed = release_bound(2 * count - 6, epsilon, FIFTIETH).value
        more = release_bound(2 * count - 4, epsilon, FIFTIETH).value
        assert allowed < most_release(6, count, "tie", factor, FIFTIETH) == more


def test_altered_chains_are_refused():
    found = release_bound(6, Epsilon.of("ln 4"), FIFTIETH)
    for altered, message in (
        (replace(found, bounds=found.bounds[::2]), "one entry for each"),
        (replace(found, bounds=(*found.bounds[:-1], found.value * Fraction(999, 1000))), "allows"),
        (replace(found, bounds=(FIFTIETH, *found.bounds[1:])), "first entry must be 0"),
        (replace(found, bounds=()), "first entry must be 0"),
        (replace(found, delta=2 * FIFTIETH), "allows"),
        (replace(found, epsilon=Epsilon.of("ln 5")), "allows"),
        (replace(found, lead=7), "one entry for each"),
        (replace(found, bounds=found.bounds[:-1]), "one entry for each"),
    ):
        with pytest.raises(CertificateError, match=message):
            altered.check()


def test_bounds_grow_with_the_lead():
    found = release_bound(40, Epsilon.of("ln(5/4)"), FIFTIETH)
    assert all(p < q or q == 1 for p, q in pairwise(found.bounds))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((-1, Epsilon.of(1), FIFTIETH), "lead must be between"),
        ((10**9, Epsilon.of(1), FIFTIETH), "lead must be between"),
        ((3, Epsilon.of(0), FIFTIETH), "epsilon must be positive"),
        ((3, Epsilon.of(1), Fraction(0)), "delta must be positive"),
    ],
)
def test_wrong_parameters_are_refused(arguments, message):
    with pytest.raises(DomainError, match=message):
        release_bound(*arguments)
    with pytest.raises(DomainError, match="probability must be strictly between"):
        least_release_lead(Fraction(1), Epsilon.of(1), FIFTIETH)
