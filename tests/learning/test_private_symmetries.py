"""The linear program over private learners up to symmetry, compared with the full program."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from itertools import combinations_with_replacement, product
from math import factorial, prod

import pytest

from ccsim.budget import Budget
from ccsim.classes import ConceptClass, all_functions
from ccsim.errors import CertificateError
from ccsim.instances import parse_class
from ccsim.kernel import Rejected, check
from ccsim.learning import least_failure as search
from ccsim.learning.learning_program import LearningProgram, Move, class_symmetries
from ccsim.learning.least_failure import least_private_failure, private_sample_complexity
from ccsim.learning.worst_failure import LeastSuccess
from ccsim.privacy import audit
from ccsim.programs import LinearProgram, solve_linear_program
from proofs_check.claims.grids import distributions_with_denominator

F = Fraction
CHAIN = ConceptClass.from_matrix([[0, 0], [0, 1], [1, 1]])
SINGLES = ConceptClass.from_matrix([[1, 0, 0], [0, 1, 0], [0, 0, 1]])


def plain_value(C, n, accuracy, factor, targets):
    """Return the least failure on targets, with a variable for every sample and function."""
    m = len(C.points)
    samples = list(combinations_with_replacement(product(range(m), (0, 1)), n))
    at = {key: i for i, key in enumerate(product(samples, range(1 << m)))}
    rows = [({at[S, h]: 1 for h in range(1 << m)}, "=", 1) for S in samples]
    for S, T in product(samples, repeat=2):
        left = list(S)
        for z in T:
            if z in left:
                left.remove(z)
        if len(left) == 1:
            rows += [({at[S, h]: 1, at[T, h]: -factor}, "<=", 0) for h in range(1 << m)]
    for f, D in targets:
        row = {len(at): F(1)}
        for drawn in combinations_with_replacement(range(m), n):
            ways = factorial(n) // prod(factorial(drawn.count(x)) for x in set(drawn))
            S = tuple((x, f >> x & 1) for x in drawn)
            for h in range(1 << m):
                if sum(D[x] for x in range(m) if (f ^ h) >> x & 1) <= accuracy:
                    row[at[S, h]] = row.get(at[S, h], 0) + ways * prod(D[x] for x in drawn)
        rows.append((row, ">=", 1))
    return solve_linear_program(LinearProgram.minimise([0] * len(at) + [1], rows)).value


def all_targets(C, moves, targets):
    return {(move.function(f), move.distribution(D)) for move in moves for f, D in targets}


@pytest.mark.parametrize(
    ("C", "samples"), [(CHAIN, 1), (CHAIN, 2), (SINGLES, 1), (all_functions(2), 2)]
)
def test_symmetries_change_no_value(C, samples):
    m, moves = len(C.points), class_symmetries(C)
    skew = (F(3, 10), *[F(7, 10 * (m - 1))] * (m - 1))
    targets = [(f, D) for f in C.rows for D in ((F(1, m),) * m, skew)]
    program = LearningProgram(m, samples, F(1, 4), F(3), moves)
    exact = program.solve(targets, Budget(), exactly=True)
    every = sorted(all_targets(C, moves, targets))
    assert len(moves) > 1
    assert exact.value == plain_value(C, samples, F(1, 4), 3, every)
    assert audit(exact.learner, "ln 3", 0, samples).verdict == "holds"


def test_symmetries_are_all_that_keep_the_class():
    for chosen in (7, 22, 105, 255):
        rows = [f for f in range(8) if chosen >> f & 1]
        C = ConceptClass.from_matrix([[f >> x & 1 for x in range(3)] for f in rows])
        moves = class_symmetries(C)
        for one, other in product(moves, repeat=2):  # a group: products are listed
            both = [one.function(other.function(f)) for f in range(8)]
            assert any([move.function(f) for f in range(8)] == both for move in moves)
        S = ((0, 1), (0, 1), (2, 0))
        for move in moves:
            assert {move.function(f) for f in rows} == set(rows)
            for f in range(8):  # a sample of a concept becomes one of its image
                labelled = tuple((x, f >> x & 1) for x, _ in S)
                g = move.function(f)
                assert all(g >> x & 1 == label for x, label in move.sample(labelled))
    assert Move((1, 2, 0), 0).distribution((F(1), F(0), F(0))) == (0, 1, 0)


def test_many_examples_in_rounded_floats_are_proved_and_altered_proofs_refused(monkeypatch):
    monkeypatch.setattr(search, "_EXACT", 0)
    rounded = least_private_failure(CHAIN, 3, "1/4", "ln 9")
    rounded.check()
    monkeypatch.setattr(search, "_EXACT", 1000)
    exact = least_private_failure(CHAIN, 3, "1/4", "ln 9")
    exact.check()
    assert max(rounded.lower, exact.lower) <= min(rounded.upper, exact.upper)
    data = json.dumps(rounded.certificate().to_dict())
    check(json.loads(data))
    for side, form, field in (
        ("upper", "learner", "laws"), ("lower", "flows", "flows"), ("lower", "flows", "weights"),
    ):  # fmt: skip
        other = json.loads(data)
        other[side][form][field].pop(0)
        with pytest.raises(Rejected):
            check(other)
    with pytest.raises(CertificateError):
        replace(rounded, flows=()).check()
    learner = replace(
        rounded.learner,
        distributions=(*rounded.learner.distributions[1:], rounded.learner.distributions[0]),
    )
    skewed = tuple(
        (S, distribution)
        for (S, _), (_, distribution) in zip(
            rounded.learner.distributions, learner.distributions, strict=True
        )
    )
    with pytest.raises(CertificateError):
        replace(rounded, learner=replace(learner, distributions=skewed)).check()


def test_least_success_is_below_all_distributions_of_a_grid():
    found = least_private_failure(SINGLES, 2, "1/4", "ln 9")
    learner, f = found.learner, SINGLES.rows[1]
    success = LeastSuccess(f, learner, 2, F(1, 4))
    bound = success.bound(F(1, 1000), Budget())
    tree, proved = success.subdivide(bound)
    assert tree is not None
    assert bound <= proved <= success.least <= bound + F(1, 1000)
    distributions = {S: dict(distribution.items) for S, distribution in learner.distributions}
    for D in distributions_with_denominator(3, 12):
        value = sum(
            D[x] * D[y] * distributions[tuple(sorted(((x, f >> x & 1), (y, f >> y & 1))))].get(h, 0)
            for x, y, h in product(range(3), range(3), range(8))
            if sum(D[z] for z in range(3) if (f ^ h) >> z & 1) <= F(1, 4)
        )
        assert value >= bound


def test_classes_on_three_points_are_decided_with_four_and_more_examples():
    found = private_sample_complexity(
        parse_class("some_functions:n=3,chosen=15"), "1/4", "1/3", "ln 9", limit=6
    )
    assert (found.lower, found.upper) == (5, 5)
    found.check()
