"""The least failure of approximately private learners, and the first difference from pure ones."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from itertools import combinations_with_replacement, pairwise, product
from math import factorial, prod
from time import process_time

import pytest

from ccsim import private_sample_complexity
from ccsim.budget import Budget
from ccsim.classes import ConceptClass, all_functions, points
from ccsim.cli.main import main
from ccsim.errors import CertificateError, DomainError, InstanceTooLargeError
from ccsim.kernel import check
from ccsim.learning import least_failure as search
from ccsim.learning import least_private_failure, worst_failure
from ccsim.learning.learning_program import ApproximateProgram, class_symmetries
from ccsim.privacy import Verdict, audit
from ccsim.programs import LinearProgram, solve_linear_program

F = Fraction
TINY = F(1, 10**6)
PAIR = ConceptClass.from_matrix([[0, 0], [1, 0]])
CHAIN = ConceptClass.from_matrix([[0, 0], [0, 1], [1, 1]])
SINGLES = ConceptClass.from_matrix([[1, 0, 0], [0, 1, 0], [0, 0, 1]])


@pytest.mark.parametrize("delta", [F(0), F(1, 10), F(1, 3)])
def test_one_example_of_two_complementary_points(delta):
    # One example tells which: p <= 3 (1 - p) + delta is all that privacy says of the right answer.
    found = least_private_failure(points(1), 1, "1/4", "ln 3", delta=delta)
    assert found.value == (1 - delta) / 4
    found.check()
    assert audit(found.learner, "ln 3", delta, 1).verdict is Verdict.HOLDS
    assert worst_failure(found.learner, points(1), 1, "1/4").upper == found.upper


def plain_value(C, n, factor, delta, targets):
    """Return the least failure on targets by a program over all samples, functions and excesses."""
    m = len(C.points)
    samples = list(combinations_with_replacement(product(range(m), (0, 1)), n))
    at = {key: i for i, key in enumerate(product(samples, range(1 << m)))}
    failing, columns = len(at), len(at) + 1
    rows = [({at[S, h]: 1 for h in range(1 << m)}, "=", 1) for S in samples]
    for S, T in product(samples, repeat=2):
        left = list(S)
        for z in T:
            if z in left:
                left.remove(z)
        if len(left) == 1:
            rows += [
                ({at[S, h]: 1, at[T, h]: -factor, columns + h: -1}, "<=", 0) for h in range(1 << m)
            ]
            rows.append((dict.fromkeys(range(columns, columns + (1 << m)), 1), "<=", delta))
            columns += 1 << m
    for f, D in targets:
        row = {failing: F(1)}
        for drawn in combinations_with_replacement(range(m), n):
            ways = factorial(n) // prod(factorial(drawn.count(x)) for x in set(drawn))
            S = tuple((x, f >> x & 1) for x in drawn)
            for h in range(1 << m):
                if sum(D[x] for x in range(m) if (f ^ h) >> x & 1) <= F(1, 4):
                    row[at[S, h]] = row.get(at[S, h], 0) + ways * prod(D[x] for x in drawn)
        rows.append((row, ">=", 1))
    cost = [int(j == failing) for j in range(columns)]
    return solve_linear_program(LinearProgram.minimise(cost, rows)).value


@pytest.mark.parametrize(
    ("C", "samples", "delta"),
    [(PAIR, 1, F(1, 10)), (PAIR, 2, F(1, 10)), (CHAIN, 2, F(1, 3)), (CHAIN, 1, F(1)),
     (SINGLES, 1, F(1, 7)), (all_functions(2), 2, F(1, 4))],
)  # fmt: skip
def test_inequalities_as_they_are_broken_give_the_value_of_the_whole_program(C, samples, delta):
    m, moves = len(C.points), class_symmetries(C)
    skew = (F(3, 10), *[F(7, 10 * (m - 1))] * (m - 1))
    targets = [(f, D) for f in C.rows for D in ((F(1, m),) * m, skew)]
    every = sorted({(move.function(f), move.distribution(D)) for move in moves for f, D in targets})
    plain = plain_value(C, samples, 3, delta, every)
    program = ApproximateProgram(m, samples, F(1, 4), F(3), moves, delta)
    rounded = program.solve(targets, Budget(), exactly=False)
    assert plain - TINY < rounded.value <= plain
    exact = program.solve(targets, Budget(), exactly=True)
    assert exact.value <= plain
    assert program.proof(exact)[0] == plain
    for found in (rounded, exact):
        assert audit(found.learner, "ln 3", delta, samples).verdict is Verdict.HOLDS


def test_without_delta_it_is_pure_privacy():
    pure = least_private_failure(PAIR, 2, "1/4", "ln 3")
    assert pure.certificate().kind == "private_failure"


def test_any_learner_is_private_if_delta_is_one():
    # of the two functions on a point that is not drawn a learner guesses one
    one, two = (private_sample_complexity(PAIR, "1/4", f, 0, delta=1) for f in ("1/2", "1/4"))
    assert (one.value, two.value) == (0, 3)
    two.check()
    # an undrawn point of mass above 1/4 is guessed: (3/4)^n / 2 <= 1/4 from n = 3 on
    assert F(3, 4) ** 2 / 2 > F(1, 4) >= F(3, 4) ** 3 / 2


def test_first_gap_between_pure_and_approximate_privacy():
    pure = private_sample_complexity(PAIR, "1/4", "1/3", "ln 3", limit=4)
    found = private_sample_complexity(PAIR, "1/4", "1/3", "ln 3", limit=4, delta="1/10")
    assert (pure.value, found.value) == (4, 3)
    assert found.impossible.lower > F(1, 3) >= found.possible.upper
    assert audit(found.possible.learner, "ln 3", "1/10", 3).verdict is Verdict.HOLDS
    for each in (pure, found):
        each.check()
    for altered in (
        replace(found, lower=2), replace(found, upper=4), replace(found, delta=F(0)),
        replace(found, impossible=replace(found.impossible, flows=())),
        replace(found, possible=pure.possible), replace(found, impossible=pure.impossible),
    ):  # fmt: skip
        with pytest.raises(CertificateError):
            altered.check()


@pytest.mark.parametrize("epsilon", [0, "1/2", 1, "ln 3"])
def test_more_delta_never_takes_more_examples(epsilon):
    pair = [
        private_sample_complexity(PAIR, "1/4", "2/5", epsilon, limit=4, delta=delta)
        for delta in ("1/10", "1/4", "1/2", 1)
    ]
    for one, other in pairwise(pair):
        one.check()
        assert other.lower <= (one.upper or 5)


def test_failures_at_the_boundary_are_decided():
    exact = least_private_failure(points(1), 2, "1/4", "ln 3", delta="1/10").value
    for failure, needed in ((exact, 2), (exact - F(1, 10**12), 3)):
        found = private_sample_complexity(points(1), "1/4", failure, "ln 3", delta="1/10")
        assert found.value == needed
        found.check()


def test_three_points_are_decided_with_five_examples():
    found = private_sample_complexity(
        "some_functions:n=3,chosen=15", "1/4", "1/3", "ln 9", limit=5, delta="1/10"
    )
    found.check()
    assert found.value == 5


def test_the_command_says_what_the_library_finds(tmp_path, capsys):
    file = tmp_path / "few.json"
    argv = ["samples", "some_functions:n=2,chosen=3", "--accuracy", "1/4", "--epsilon", "ln 3"]
    argv += ["--delta", "1/10", "--json", "--certificate", str(file)]
    assert main([*argv, "--failure", "1/3"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["lower"], found["upper"], found["delta"]) == (3, 3, "1/10")
    assert "delta 1/10: exactly 3" in check(json.loads(file.read_text()))
    assert main([*argv, "--samples", "2"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert F(found["lower"]) <= F(found["upper"])
    assert "approximate_private_failure" in check(json.loads(file.read_text()))


def test_bad_input_is_refused():
    with pytest.raises(DomainError, match="samples must be at least 0"):
        least_private_failure(PAIR, -1, "1/4", "ln 3", delta="1/10")
    with pytest.raises(DomainError, match="must be rational"):
        least_private_failure(PAIR, 1, "1/4", 1, delta="1/10")
    with pytest.raises(DomainError, match="delta must"):
        private_sample_complexity(PAIR, "1/4", "1/3", "ln 3", delta=2)
    with pytest.raises(InstanceTooLargeError, match="exceed the limit of 262144"):
        least_private_failure("all_functions:n=4", 10, "1/4", "ln 3", delta="1/10")


def test_three_single_points_need_five_examples_purely_and_four_approximately():
    # with four the rounded prices of all inequalities at once proved too little to decide
    for delta, needed in ((0, 5), ("1/10", 4)):
        found = private_sample_complexity(SINGLES, "1/4", "1/3", "ln 3", limit=5, delta=delta)
        assert found.value == needed
        found.check()


@pytest.mark.parametrize(("delta", "needed"), [(F(0), 5), (F(1, 10), 4)])
def test_learners_that_use_balances_alone_are_enough(delta, needed, monkeypatch):
    C = ConceptClass.from_matrix([[0, 0, 0], [1, 1, 0], [0, 1, 1]])
    every = private_sample_complexity(C, "1/4", "1/3", "ln 3", limit=5, delta=delta)
    monkeypatch.setattr(search, "_LARGE", 0)
    found = private_sample_complexity(C, "1/4", "1/3", "ln 3", limit=5, delta=delta)
    assert found.value == every.value == needed
    assert found.possible.lower == 0 < every.possible.lower
    assert audit(found.possible.learner, "ln 3", delta, needed).verdict is Verdict.HOLDS
    distributions = dict[tuple[int, ...], object]()
    for S, distribution in found.possible.learner.distributions:
        ones = tuple(sum(2 * y - 1 for x, y in S if x == point) for point in range(3))
        assert distributions.setdefault(ones, distribution) == distribution
    assert len(distributions) < len(found.possible.learner.distributions)
    found.check()


def test_eight_examples_of_all_functions_of_two_of_three_points():
    four = "some_functions:n=3,chosen=15"
    found = private_sample_complexity(four, "1/4", "1/3", "ln 3", limit=8, delta="1/10")
    assert found.value == 8
    found.check()


def test_all_functions_of_three_points_are_not_solved_in_rationals_first():
    # whose simplex method took minutes for the many inequalities of few variables
    limit = Budget(60, clock=process_time)
    found = least_private_failure(
        all_functions(3), 6, "1/4", "ln 3", target="1/3", time_limit=limit
    )
    assert found.lower > F(1, 3)
    found.check()
