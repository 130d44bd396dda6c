"""Protocols that are run after a random symmetry: their errors are means over orbits."""

# ruff: noqa: S311 - seeds, not secrets

import copy
import json
import random
from fractions import Fraction

import pytest

from ccsim.classes import lines
from ccsim.communication import (
    DeterministicProtocol,
    PublicCoinProtocol,
    SymmetricProtocol,
    augmented_index,
    augmented_index_error,
    equality,
    evaluation_problem,
    expected_error,
    greater_than,
    index,
    index_error,
    protocol_certificate,
)
from ccsim.symmetry.matrix import symmetries_of
from tests.formal.proving import are_no_theorems, is_theorem
from tests.formal.test_communication import is_proved, written

PROBLEMS = {
    "equality": equality(6),
    "index": index(3),
    "greater_than": greater_than(6),
    "lines": evaluation_problem(lines(3)),
    "augmented_index": augmented_index(3),
}


def some_protocol(problem, seed, parts=2):
    """Return a random protocol with two messages that is run after a random symmetry."""
    rng, width = random.Random(seed), len(problem.bob)
    tables = [
        DeterministicProtocol(
            tuple(rng.randrange(2) for _ in problem.alice),
            tuple(rng.randrange(1 << width) for _ in range(2)),
            width,
        )
        for _ in range(parts)
    ]
    mixed = PublicCoinProtocol.mixture((Fraction(1, parts), part) for part in tables)
    return SymmetricProtocol(mixed, symmetries_of(problem.ones, width, problem.promise))


def written_protocol(problem, seed):
    return json.loads(protocol_certificate(some_protocol(problem, seed), problem).to_json())


def group_of(certificate):
    """Return all products of the symmetries as permutations, without using orbits."""
    moves = [
        (tuple(s["rows"]), tuple(s["columns"]))
        for s in certificate["statement"]["protocol"]["symmetries"]
    ]
    rows = certificate["instance"]["rows"]
    found = {(tuple(range(len(rows))), tuple(range(len(rows[0]))))}
    new = found
    while new:
        new = {
            (tuple(r[x] for x in rows), tuple(c[y] for y in columns))
            for rows, columns in new
            for r, c in moves
        } - found
        found = found | new
    return found


def error_by_definition(certificate, x, y):
    """Return the mean error on the images of an input, over the group and the components."""
    rows, group = certificate["instance"]["rows"], group_of(certificate)
    parts = certificate["statement"]["protocol"]["components"]
    wrong = Fraction(0)
    for r, c in group:
        a, b = r[x], c[y]
        wrong += sum(p["weight"] * (p["bob"][p["alice"][a]][b] != rows[a][b]) for p in parts)
    return wrong / len(group) / sum(part["weight"] for part in parts)


def other_question(certificate, kind, statement, proof):
    """Return a certificate in which the same tables prove the upper bound of another kind."""
    tables = {"tables": certificate["statement"]["protocol"]}
    return certificate | {
        "kind": kind,
        "statement": statement,
        "lower": proof,
        "upper": {"protocol": tables},
    }


def test_error_after_a_random_symmetry_is_a_theorem(theory, tmp_path):
    listed = [written_protocol(problem, len(name)) for name, problem in PROBLEMS.items()]
    assert is_theorem(listed, theory, tmp_path)
    words = (tmp_path / "theorem.v").read_text(encoding="utf-8")
    for problem in PROBLEMS.values():
        size = f"{len(problem.alice)} {len(problem.bob)}"
        assert f"error_after {size} rows components moves x y e" in words
    wrong = []
    for certificate in listed:
        for side, step in (("lower", 1), ("upper", -1)):
            wrong.append(copy.deepcopy(certificate))
            stated = Fraction(certificate["statement"][side]) + Fraction(step, 999)
            wrong[-1]["statement"][side] = str(stated)
            assert not is_proved(wrong[-1], theory)
    assert are_no_theorems(wrong, theory, tmp_path)


@pytest.mark.parametrize("name", ["equality", "index", "greater_than"])
def test_error_on_each_input_is_that_of_the_group(name, theory):
    """The error by definition, over all elements of the group, is proved, and no other value."""
    certificate = written_protocol(PROBLEMS[name], 1)
    certificate["statement"]["upper"] = certificate["upper"] = None
    rng, values = random.Random(name), set()
    for _ in range(4):
        x, y = rng.randrange(len(PROBLEMS[name].alice)), rng.randrange(len(PROBLEMS[name].bob))
        certificate["lower"] = {"input": {"cell": [x, y]}}
        error = error_by_definition(certificate, x, y)
        values.add(error)
        for step in (0, Fraction(1, 720), Fraction(-1, 720)):
            certificate["statement"]["lower"] = str(error + step)
            assert is_proved(certificate, theory) == (not step)
    assert values != {0}


@pytest.mark.parametrize("name", PROBLEMS)
def test_what_the_tables_prove_of_other_questions(name, theory):
    problem = PROBLEMS[name]
    certificate = written_protocol(problem, 2)
    worst = certificate["statement"]["upper"]
    law = {cell: 1 + i % 3 for i, cell in enumerate(problem.inputs())}
    total = sum(law.values())
    mean = expected_error(
        some_protocol(problem, 2), problem, {c: Fraction(w, total) for c, w in law.items()}
    )
    cells = [[*cell, weight] for cell, weight in law.items()]
    error = {"lower": None, "upper": worst, "messages": 2, "coins": "public"}
    number = {"lower": 1, "upper": 2, "error": worst, "coins": "public"}
    average = {"lower": None, "upper": str(mean), "messages": 2, "distribution": cells}
    for kind, statement, proof in (
        ("minimax_error", error, None),
        ("communication_complexity", number, {"trivial": {}}),
        ("distributional_error", average, None),
    ):
        asked = other_question(certificate, kind, statement, proof)
        assert is_proved(asked, theory)
        private = asked | {"statement": statement | {"coins": "private"}}
        assert "coins" not in statement or not is_proved(private, theory)
        less = {"error": "0"} if "error" in statement else {"upper": "0"}
        assert not is_proved(asked | {"statement": statement | less}, theory)


def test_symmetries_must_be_some_of_the_problem(theory):
    """Other permutations and other maps prove nothing, even if the bound is large."""
    problem = PROBLEMS["index"]
    certificate = written_protocol(problem, 3)
    statement = {"lower": None, "upper": "1", "messages": 2, "coins": "public"}
    asked = other_question(certificate, "minimax_error", statement, None)
    tables = asked["upper"]["protocol"]["tables"]
    move = tables["symmetries"][0]
    statement["upper"] = certificate["statement"]["upper"]
    assert is_proved(asked, theory)
    turned = "".join("10"[int(bit)] for bit in move["flips"])
    rows = [*move["rows"][1:], move["rows"][0]]
    for change in (
        {"flips": turned},
        {"rows": rows},
        {"rows": [0] * len(rows)},
        {"columns": [0] * len(move["columns"])},
        {"columns": move["columns"][1:]},
    ):
        altered = copy.deepcopy(asked)
        altered["upper"]["protocol"]["tables"]["symmetries"][0] |= change
        assert not is_proved(altered, theory)
    altered = copy.deepcopy(asked)
    altered["upper"]["protocol"]["tables"]["symmetries"] = []
    assert not is_proved(altered, theory)


def test_closed_forms_on_tables_are_theorems(theory, tmp_path):
    """The certificates of the library for small members of the families are theorems."""
    results = index_error(3, 3), augmented_index_error(3, 3)
    listed = [next(each for each in written(result) if each["upper"]) for result in results]
    assert all(document["upper"]["protocol"]["tables"]["symmetries"] for document in listed)
    assert is_theorem(listed, theory, tmp_path)
