"""Exact private sample complexity on tiny domains: a linear program over all mechanisms."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement, product
from math import inf, prod

import pytest

from ccsim.budget import Budget, OutOfTimeError
from ccsim.classes import ConceptClass, all_functions, points, random_class, thresholds
from ccsim.cli.main import main
from ccsim.errors import (
    CertificateError,
    DomainError,
    InstanceTooLargeError,
    NotDecidedError,
)
from ccsim.exact import Distribution, Epsilon
from ccsim.kernel import check, read
from ccsim.learning import PrivateOccam, worst_failure
from ccsim.learning.learning_program import (
    ApproximateProgram,
    LearningProgram,
    check_variables,
    class_symmetries,
)
from ccsim.learning.least_failure import least_private_failure, private_sample_complexity
from ccsim.privacy import RandomizedResponse, audit
from proofs_check.claims.grids import distributions_with_denominator

F = Fraction
THREE_POINTS = ConceptClass.from_matrix([[1, 0, 0], [0, 1, 0], [0, 0, 1]])


@cache
def three_points():
    return least_private_failure(THREE_POINTS, 1, "1/4", "ln 3", gap="1/50")


@pytest.mark.parametrize(
    ("samples", "ratio", "failure"),
    [
        # The examples of one concept turn into those of the other in as many steps; a likelihood
        # and its complement grow at most by the ratio in each.
        (1, 3, F(1, 4)),
        (2, 3, F(1, 6)),
        (3, 3, F(1, 12)),
        (1, 2, F(1, 3)),
        (2, 2, F(1, 4)),
    ],
)
def test_two_complementary_points_are_told_apart_step_by_step(samples, ratio, failure):
    result = least_private_failure(points(1), samples, "1/4", f"ln {ratio}")
    assert result.lower == result.upper == failure
    result.check()


def test_the_learner_is_private_and_accurate_on_a_grid():
    result = three_points()
    assert audit(result.learner, "ln 3", 0, 1).verdict == "holds"
    assert result.upper - result.lower <= F(1, 50)
    for i, j in product(range(9), repeat=2):
        if i + j > 8:
            continue
        D = (F(i, 8), F(j, 8), F(8 - i - j, 8))
        for concept in THREE_POINTS.rows:
            success = sum(
                D[x] * p
                for x in range(3)
                for h, p in result.learner.distribution([(x, concept >> x & 1)]).items
                if sum(D[y] for y in range(3) if (h ^ concept) >> y & 1) <= F(1, 4)
            )
            assert 1 - success <= result.upper


def test_without_privacy_in_the_way_more_examples_help():
    loose = [least_private_failure(points(1), n, "1/4", "ln 1000").upper for n in (1, 2)]
    assert loose[1] < loose[0] < F(1, 1000)


def test_a_class_of_one_concept_needs_no_luck():
    C = ConceptClass.from_matrix([[0, 1]])
    assert least_private_failure(C, 1, 0, "ln 2").upper == 0


RESULT = least_private_failure(points(1), 1, "1/4", "ln 3")
FIRST, *REST = RESULT.targets
FLOW, *FLOWS = RESULT.flows
DISTRIBUTIONS = dict(RESULT.learner.distributions)


def learner_with(database, weights):
    distributions = {
        **DISTRIBUTIONS,
        database: Distribution(tuple((h, F(p)) for h, p in weights.items())),
    }
    return replace(RESULT.learner, distributions=tuple(distributions.items()))


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"lower": F(1, 3)}, "proved is 1/4, not the stated 1/3"),
        ({"lower": F(1, 5)}, "proved is 1/4, not the stated 1/5"),
        ({"epsilon": Epsilon.of("ln 4")}, "proved is 0, not the stated 1/4"),
        ({"flows": ()}, "proved is 0, not the stated 1/4"),
        ({"targets": (FIRST,)}, r"^lower: the bound that is proved is"),
        ({"targets": ((3, *FIRST[1:]), *REST)}, r"^lower.flows.targets.* an index below 2"),
        (
            {"targets": ((FIRST[0], (F(1), F(1)), F(1, 2)), *REST)},
            "distributions must have equal total weights",
        ),
        ({"targets": ((*FIRST[:2], F(0)), *REST)}, r"^lower: the bound that is proved is"),
        ({"flows": ((FLOW[0], FLOW[0], *FLOW[2:]), *FLOWS)}, "are not neighbours"),
        ({"flows": ((FLOW[0], ((5, 0),), *FLOW[2:]), *FLOWS)}, "must be an index below 4"),
        ({"flows": ((*FLOW[:3], -FLOW[3]), *FLOWS)}, r"^lower.flows: must be at least 0"),
        ({"upper": F(1, 5)}, "proved is 1/4, not the stated 1/5"),
        ({"upper": F(1, 3)}, "proved is 1/4, not the stated 1/3"),
        ({"subdivisions": (None,)}, r"^upper.learner: must have 2 entries, not 1"),
        ({"subdivisions": (None, (0, 2, None, None))}, "must be an index below 2"),
        (
            {"learner": learner_with(((0, 1),), {1: 1})},
            "not private on samples that add an example",
        ),
        (
            {"learner": learner_with(((0, 1),), {7: 1})},
            "an output distribution on functions for every",
        ),
        (
            {"learner": replace(RESULT.learner, distributions=RESULT.learner.distributions[1:])},
            "an output distribution for every sample of",
        ),
        ({"samples": 10**9}, "an output distribution for every sample of"),
        ({"samples": -1}, "an output distribution for every sample of"),
    ],
)
def test_altered_bounds_are_rejected_at_their_place(changes, reason):
    RESULT.check()
    with pytest.raises(CertificateError, match=reason):
        replace(RESULT, **changes).check()


def test_a_subdivision_is_needed_where_the_good_hypotheses_change():
    result = three_points()
    result.check()
    assert all(tree is not None for tree in result.subdivisions)
    with pytest.raises(CertificateError, match=r"^upper: the bound that is proved is"):
        replace(result, subdivisions=(None, *result.subdivisions[1:])).check()


@pytest.mark.parametrize("delta", [0, "1/10"])
def test_no_time_leaves_bounds_on_parts_and_of_an_exponential_mechanism(delta):
    known = least_private_failure(THREE_POINTS, 2, "1/4", "ln 3", time_limit=0, delta=delta)
    exact = least_private_failure(THREE_POINTS, 2, "1/4", "ln 3", delta=delta)
    assert F(1, 8) < known.lower <= exact.upper
    assert exact.lower <= known.upper < 1
    known.check()
    with pytest.raises(CertificateError, match="not the stated 1/8"):
        replace(known, upper=F(1, 8)).check()
    certain = known.without_upper()
    assert certain.upper == 1
    certain.check()
    alone = least_private_failure([[0, 1]], 2, "1/4", "ln 3", time_limit=0, delta=delta)
    assert (alone.lower, alone.upper) == (0, 0)
    alone.check()
    result = private_sample_complexity(THREE_POINTS, "1/4", "1/3", "ln 3", time_limit=0)
    assert (result.lower, result.upper) == (1, None)
    assert result.reason == "the time limit was reached with 0 examples"
    result.check()


def test_the_program_of_many_examples_is_not_written_without_time():
    budget, asked = Budget(0), (2, 3, F(1, 4), F(3), class_symmetries(points(1)))
    with budget.heard(), pytest.raises(OutOfTimeError):
        LearningProgram(*asked)
    with budget.heard(), pytest.raises(OutOfTimeError):
        ApproximateProgram(*asked, F(0))


def test_a_check_of_private_learning_hears_the_limit(capsys):
    found = private_sample_complexity(points(1), "1/4", "1/6", "ln 3")
    for result in (RESULT, found, found.possible, found.impossible):
        result.check(inf)
        with pytest.raises(OutOfTimeError):
            result.check(0)
    arguments = ["sample-complexity", "points:b=1", "--accuracy", "1/4", "--epsilon", "ln 3"]
    assert main([*arguments, "--samples", "1", "--time-limit", "0"]) == 3
    assert "least failure  between 0.25 and 0.372093\n" in capsys.readouterr().out


def test_an_interrupt_leaves_bounds_if_there_is_a_limit():
    def interrupt(_low, _high):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        least_private_failure(THREE_POINTS, 1, "1/4", "ln 3", progress=interrupt, gap="1/10")
    result = least_private_failure(
        THREE_POINTS, 1, "1/4", "ln 3", time_limit=1000, progress=interrupt, gap="1/10"
    )
    result.check()
    assert 0 < result.lower < result.upper < 1


def test_a_class_without_points_is_refused():
    with pytest.raises(DomainError, match="gap must be positive"):
        least_private_failure(points(1), 1, "1/4", "ln 2", gap=0)
    with pytest.raises(DomainError, match="must have at least one point"):
        least_private_failure(ConceptClass.from_matrix([[]]), 1, "1/4", "ln 2")
    with pytest.raises(DomainError, match="must have at least one concept"):
        least_private_failure(ConceptClass.from_rows([], range(2)), 1, "1/4", "ln 2")


def test_sample_complexity_is_proved_from_both_sides():
    result = private_sample_complexity(points(1), "1/4", "1/6", "ln 3")
    assert (result.lower, result.upper) == (2, 2)
    assert result.exact
    assert result.value == 2
    result.check()
    more = private_sample_complexity(points(1), "1/4", "1/100", "ln 3", limit=2)
    assert (more.lower, more.upper) == (3, None)
    assert not more.exact
    with pytest.raises(NotDecidedError, match="the least number of examples is at least 3"):
        _ = more.value
    more.check()
    with pytest.raises(CertificateError, match="proved is 0, not the stated 2"):
        replace(result, impossible=None).check()
    with pytest.raises(CertificateError, match="failure 1/6 exceeds the stated one"):
        replace(result, failure=F(1, 7)).check()


def test_the_two_points_take_six_examples_at_a_quarter():
    result = private_sample_complexity(points(1), "1/4", "1/4", "1/4", limit=6)
    assert (result.lower, result.upper) == (6, 6)
    result.check()
    quarter = Epsilon.of("1/4").exp()
    assert result.possible.epsilon.exp() < quarter < result.impossible.epsilon.exp()
    below, above = (part.statement["factor"] for part in result.certificate().parts[::-1])
    assert F(below) < quarter < F(above)
    for fields in ({"epsilon": Epsilon.of("1/5")}, {"epsilon": Epsilon.of("1/3")}):
        with pytest.raises(CertificateError, match=r"must exceed the stated|not private"):
            replace(result, **fields).check()
    swapped = {"impossible": result.possible, "possible": result.impossible}
    with pytest.raises(CertificateError, match=r"must exceed the stated|not private"):
        replace(result, **swapped).check()


def test_without_examples_bounds_are_proved_as_well():
    """The learner is a distribution on functions; the two concepts share no good function."""
    none = least_private_failure(points(1), 0, "1/4", "ln 3")
    assert none.lower == none.upper == F(1, 2)
    none.check()
    for failure, least in (("1/2", 0), ("49/100", 1)):
        found = private_sample_complexity(points(1), "1/4", failure, "ln 3")
        assert (found.lower, found.upper) == (least, least)
        found.check()


@pytest.mark.parametrize(("points", "samples"), [(9, 2), (13, 1)])
def test_beyond_the_limit_of_the_program_are_proved_bounds(points, samples):
    C = random_class(points, points, 0)
    found = least_private_failure(C, samples, "1/4", "ln 3", time_limit=0)
    assert F(1, 2) < found.lower < found.upper < 1
    found.check()
    with pytest.raises(InstanceTooLargeError, match="exceed the limit of 262144"):
        least_private_failure(C, 9, "1/4", "ln 3", time_limit=0)


def test_an_exponential_mechanism_outputs_the_target_with_some_probability():
    """On the worst sample, all 2 examples lie on a point where all functions but one agree."""
    found = least_private_failure(points(2), 2, "1/4", "ln 4", time_limit=0)
    assert found.upper == 1 - F(4, 3 * 4 + 1)
    found.check()


def test_bounds_stay_where_more_examples_are_too_many(monkeypatch):
    monkeypatch.setattr("ccsim.learning.least_failure.MAX_ENTRIES", 30)
    found = private_sample_complexity(points(1), "1/4", "1/6", "ln 3")
    assert (found.lower, found.upper) == (2, None)
    assert found.reason.startswith("40 probabilities of a learner exceed the limit of 30")
    found.check()
    monkeypatch.setattr("ccsim.learning.least_failure.MAX_ENTRIES", 10)
    with pytest.raises(InstanceTooLargeError, match="exceed the limit of 10"):
        private_sample_complexity(points(1), "1/4", "1/6", "ln 3")


@pytest.mark.parametrize(("m", "samples"), [(1, 1), (2, 2), (3, 2), (2, 3)])
def test_the_size_of_the_program_is_known_before_it_is_built(m, samples, monkeypatch):
    databases = combinations_with_replacement(range(2 * m), samples)
    variables = sum(1 for _ in databases) << m
    check_variables(m, samples)
    monkeypatch.setattr("ccsim.learning.learning_program.MAX_VARIABLES", variables - 1)
    with pytest.raises(InstanceTooLargeError, match=f"{variables} probabilities|more than"):
        check_variables(m, samples)


@pytest.mark.parametrize(("m", "samples"), [(10**9, 1), (1, 10**21), (10**21, 10**21)])
def test_absurd_programs_are_refused_at_once(m, samples):
    with pytest.raises(InstanceTooLargeError, match="more than 65536 probabilities"):
        check_variables(m, samples)


def test_unreasonable_requests_are_refused():
    with pytest.raises(InstanceTooLargeError, match="exceed the limit of 262144"):
        least_private_failure(all_functions(4), 10, "1/4", "ln 2")
    with pytest.raises(DomainError, match="samples must be at least 0"):
        least_private_failure(points(1), -1, "1/4", "ln 2")
    with pytest.raises(DomainError, match="must be rational"):
        least_private_failure(points(1), 1, "1/4", "1")


def test_kernel_accepts_what_is_proved():
    one = ConceptClass.from_matrix([[0, 1]])
    small = (least_private_failure(C, 2, "1/4", "ln 3", gap="1/50") for C in (points(1), one))
    for result in (*small, three_points()):
        bounds = {"exactly", "between"}
        assert (
            check(json.loads(result.certificate().to_json())).split(": ")[-1].split()[0] in bounds
        )


def test_command_finds_the_least_number_beside_the_representation(capsys):
    arguments = ["sample-complexity", "points:b=1", "--accuracy", "1/4", "--epsilon", "ln 3"]
    assert main([*arguments, "--failure", "1/6", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert (data["lower"], data["upper"]) == (2, 2)
    assert data["representation"] == {"lower": 2, "upper": 2}
    assert main([*arguments, "--failure", "1/40", "--limit", "2"]) == 3
    assert "at least 3, possibly more than 2" in capsys.readouterr().out


@pytest.mark.parametrize(("epsilon", "said"), [("ln 3", "exactly 1"), ("1", "at most 2")])
def test_command_writes_a_certificate_of_the_least_number(epsilon, said, capsys, tmp_path):
    file = tmp_path / "least.json"
    arguments = ["sample-complexity", "points:b=1", "--accuracy", "1/4", "--epsilon", epsilon]
    assert main([*arguments, "--failure", "1/4", "--certificate", str(file), "--limit", "2"]) == 0
    capsys.readouterr()
    assert check(read(file)).endswith(said)


def test_command_bounds_the_failure_for_one_number(capsys, tmp_path):
    file = tmp_path / "failure.json"
    arguments = ["sample-complexity", "points:b=1", "--accuracy", "1/4", "--epsilon", "ln 3"]
    assert main([*arguments, "--samples", "3", "--certificate", str(file), "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["lower"] == data["upper"] == "1/12"
    assert json.loads(file.read_text())["kind"] == "private_failure"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--epsilon", "ln 3"], "give either --failure or --samples"),
        (["--epsilon", "1", "--samples", "1"], "must be rational"),
        (["--epsilon", "0", "--failure", "1/4"], "epsilon must be positive"),
    ],
)
def test_command_explains_bad_input(capsys, arguments, message):
    assert main(["samples", "points:b=1", "--accuracy", "1/4", *arguments]) == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize("samples", [1, 2])
@pytest.mark.parametrize("C", [points(1), thresholds(1), THREE_POINTS], ids=str)
def test_worst_failure_is_reached_and_not_exceeded_on_a_grid(C, samples):
    m, accuracy = len(C.points), F(1, 4)
    occam = PrivateOccam(m, C.rows, Epsilon.of("ln 16"))
    found = worst_failure(occam, C, samples, accuracy, gap="1/20")
    found.check()
    assert 0 <= found.upper - found.lower <= F(1, 20)

    def fails(concept, D):
        return sum(
            prod(D[x] for x in S) * p
            for S in product(range(m), repeat=samples)
            for h, p in occam.distribution([(x, concept >> x & 1) for x in S]).items
            if sum(D[x] for x in range(m) if (h ^ concept) >> x & 1) > accuracy
        )

    assert fails(C.rows[found.concept], found.distribution) == found.lower
    with pytest.raises(CertificateError, match="not the stated"):
        replace(found, lower=found.lower + F(1, 97)).check()
    with pytest.raises(CertificateError, match="not the stated"):
        replace(found, upper=found.upper - F(1, 97)).check()
    for D in distributions_with_denominator(m, 8):
        for concept in C.rows:
            assert fails(concept, D) <= found.upper


def test_the_best_learner_fails_no_more_than_the_exponential_mechanism():
    best = three_points()
    occam = PrivateOccam(3, THREE_POINTS.rows, Epsilon.of("ln 9/4"))  # more private than ln 3
    assert best.lower <= worst_failure(occam, THREE_POINTS, 1, "1/4", gap="1/50").upper
    own = worst_failure(best.learner, THREE_POINTS, 1, "1/4", gap="1/50")
    assert own.lower <= best.upper


def test_what_cannot_be_tabled_is_refused():
    occam = PrivateOccam(2, (1, 2), Epsilon.of("ln 4"))
    with pytest.raises(InstanceTooLargeError, match="exceed the limit of 4096"):
        worst_failure(occam, points(1), 100, "1/4")
    with pytest.raises(DomainError, match="samples must be at least 1"):
        worst_failure(occam, points(1), 0, "1/4")
    with pytest.raises(DomainError, match="must not depend on the order"):
        worst_failure(RandomizedResponse((0, 1), Epsilon.of("ln 4")), points(1), 1, "1/4")
    with pytest.raises(DomainError, match="must be rational"):
        worst_failure(PrivateOccam(2, (1, 2), Epsilon.of(1)), points(1), 1, "1/4")
