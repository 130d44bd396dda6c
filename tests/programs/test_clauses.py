"""Clauses: assignments satisfy them, and the kernel accepts the steps of refutations."""

import random
from itertools import combinations, product

import pytest

from ccsim.budget import Budget, OutOfTimeError, OutOfWorkError
from ccsim.kernel import Rejected
from ccsim.kernel.clauses import refute
from ccsim.kernel.rules import WORK, Work
from ccsim.programs import clauses as module
from ccsim.programs.clauses import Assignment, satisfy


def pigeons(holes):
    """Return the clauses that put one pigeon more than there are holes into different holes."""
    at = {pair: i + 1 for i, pair in enumerate(product(range(holes + 1), range(holes)))}
    each = [[at[p, h] for h in range(holes)] for p in range(holes + 1)]
    apart = [
        [-at[p, h], -at[q, h]] for h in range(holes) for p, q in combinations(range(holes + 1), 2)
    ]
    return len(at), each + apart


def random_clauses(rng, variables, number):
    sizes = (rng.choice((1, 2, 2, 3, 3, 3, 4)) for _ in range(number))
    return [
        [v * rng.choice((1, -1)) for v in rng.sample(range(1, variables + 1), size)]
        for size in sizes
    ]


def is_satisfiable(variables, clauses):
    return any(
        all(any((v > 0) == true[abs(v) - 1] for v in clause) for clause in clauses)
        for true in product((False, True), repeat=variables)
    )


def as_json(steps):
    return [[list(clause), list(hints)] for clause, hints in steps]


def checked(variables, clauses, work=10**9):
    """Return whether the clauses are satisfiable, after a check of the answer."""
    found = satisfy(variables, clauses, Budget().share(work=work))
    if isinstance(found, Assignment):
        assert all(any((v > 0) == (abs(v) in found.true) for v in clause) for clause in clauses)
        return True
    token = WORK.set(Work())
    refute(as_json(found.steps), clauses, variables)
    WORK.reset(token)
    return False


def test_random_clauses_by_all_assignments():
    rng, answers = random.Random(1), []  # noqa: S311 - a seed, not a secret
    for _ in range(300):
        variables = rng.randint(4, 7)
        clauses = random_clauses(rng, variables, rng.randint(1, 30))
        answers.append(checked(variables, clauses))
        assert answers[-1] == is_satisfiable(variables, clauses), clauses
    assert 50 < sum(answers) < 250


def test_clauses_without_literals_and_no_clauses():
    assert checked(0, [])
    assert not checked(0, [[]])
    assert not checked(1, [[1], [-1]])
    assert not checked(2, [[1, 2], [-1], [-2]])


@pytest.mark.parametrize("holes", range(1, 6))
def test_pigeons_do_not_fit(holes):
    assert not checked(*pigeons(holes))


def test_discarded_clauses_do_not_change_answers(monkeypatch):
    monkeypatch.setattr(module, "_KEPT", 0)
    monkeypatch.setattr(module, "_RESTART", 5)
    variables, clauses = pigeons(5)
    assert not checked(variables, clauses)
    rng = random.Random(3)  # noqa: S311 - a seed, not a secret
    for _ in range(20):
        clauses = [c for c in random_clauses(rng, 10, 70) if len(c) > 2]
        assert checked(10, clauses) == is_satisfiable(10, clauses)


def test_activities_are_rescaled(monkeypatch):
    monkeypatch.setattr(module, "_LARGEST", 2.0)
    assert not checked(*pigeons(4))


def test_a_search_ends_at_its_limits():
    with pytest.raises(OutOfWorkError):
        checked(*pigeons(6), work=20)
    with pytest.raises(OutOfTimeError):
        satisfy(*pigeons(6), Budget(0))


CLAUSES = [[1, 2], [1, -2], [-1, 2], [-1, -2]]
STEPS = [[[1], [0, 1]], [[], [4, 2, 3]]]


@pytest.mark.parametrize(
    ("steps", "reason"),
    [
        (STEPS, None),
        ([], "the last step must be the empty clause"),
        (STEPS[:1], "the last step must be the empty clause"),
        ([[[1], [0]]], "[0]: the hints must end with the clause that becomes empty"),
        ([[[1], [0, 1, 2]]], "[0]: the hints must end with the clause that becomes empty"),
        ([[[1], []]], "[0]: the hints must end with the clause that becomes empty"),
        ([[[], [0, 1]]], "[0]: clause 0 must have at most one literal that is not false"),
        ([[[1], [0, 4]]], "[0][1][1]: must be an index below 4"),
        ([[[3], [0, 1]]], "[0][0][0]: must be a literal of a variable from 1 to 2, not 3"),
        ([[[0], [0, 1]]], "[0][0][0]: must be a literal of a variable from 1 to 2, not 0"),
        ([[[True], [0, 1]]], "[0][0][0]: must be a literal of a variable from 1 to 2, not true"),
        ([[[1]]], "[0]: must have 2 entries, not 1"),
        ([5], "[0]: must be a list, not 5"),
    ],
)
def test_altered_steps_are_rejected_with_the_reason(steps, reason):
    token = WORK.set(Work())
    try:
        if reason is None:
            refute(steps, CLAUSES, 2)
        else:
            with pytest.raises(Rejected) as rejected:
                refute(steps, CLAUSES, 2)
            assert str(rejected.value).removeprefix("certificate: ").startswith(reason)
    finally:
        WORK.reset(token)


def test_no_alteration_refutes_satisfiable_clauses():
    """Steps for unsatisfiable clauses, one of which is removed so that they become satisfiable."""
    rng, rejected = random.Random(5), 0  # noqa: S311 - a seed, not a secret
    while rejected < 2000:
        variables = rng.randint(4, 5)
        clauses = random_clauses(rng, variables, 20)
        found = satisfy(variables, clauses, Budget())
        if isinstance(found, Assignment):
            continue
        for i in range(len(clauses)):
            rest = clauses[:i] + clauses[i + 1 :]
            if not is_satisfiable(variables, rest):
                continue
            for _ in range(20):
                steps = as_json(found.steps)
                for _ in range(rng.randint(0, 3)):
                    part = rng.choice(rng.choice(steps))
                    if part:
                        part[rng.randrange(len(part))] = rng.randint(-5, 25)
                token = WORK.set(Work())
                with pytest.raises(Rejected):
                    refute(steps, rest, variables)
                WORK.reset(token)
                rejected += 1
