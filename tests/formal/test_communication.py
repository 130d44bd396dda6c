"""One-way protocols as theorems: new instances of every form, and altered proofs that fail."""

# ruff: noqa: S311 - seeds, not secrets

import copy
import json
import random
from fractions import Fraction
from itertools import product

import pytest

from ccsim import communication_complexity, distributional_error, minimax_error
from ccsim.communication import equality, greater_than
from ccsim.communication.problem import CommunicationProblem
from proofs_check.formal.proved import judge
from tests.formal.proving import are_no_theorems, is_theorem


def is_proved(document, theory):
    """Return whether the extracted checker accepts a certificate."""
    return [each.verdict for each in judge(json.dumps(document).encode(), theory)] == ["proved"]


def written(result):
    return json.loads(result.certificate().to_json())


def some_rows(rng, height=5, width=4):
    return [[rng.choice((0, 1, 1, 0, None)) for _ in range(width)] for _ in range(height)]


def some_error(seed, messages=2, coins="public"):
    rng = random.Random(seed)
    found = (
        minimax_error(CommunicationProblem.from_matrix(some_rows(rng)), messages, coins)
        for _ in range(1000)
    )
    return written(next(result for result in found if 0 < result.value < 1))


def on_average(seed, messages):
    rng = random.Random(seed)
    rows = some_rows(rng)
    law = {(x, y): rng.randint(1, 5) for x in range(5) for y in range(4) if rows[x][y] is not None}
    total = sum(law.values())
    return written(
        distributional_error(
            CommunicationProblem.from_matrix(rows),
            {cell: Fraction(weight, total) for cell, weight in law.items()},
            messages,
        )
    )


def inner(certificate):
    """Return the name and the data of the proof that a distribution forces an error."""
    [(name, data)] = certificate["lower"]["hard_distribution"]["proof"].items()
    return name, data


@pytest.mark.parametrize("messages", [2, pytest.param(3, marks=pytest.mark.slow)])
def test_least_error_is_a_theorem(messages, theory, tmp_path):
    certificate = some_error(messages, messages)
    assert is_theorem(certificate, theory, tmp_path)
    words = (tmp_path / "theorem.v").read_text(encoding="utf-8")
    assert f"minimax_error Public 5 4 (of_table rows) (N.to_nat {messages})" in words
    wrong = [copy.deepcopy(certificate) for _ in range(2)]
    wrong[0]["lower"]["hard_distribution"]["distribution"][0][2] += 1
    wrong[1]["upper"]["protocol"]["tables"]["components"][0]["weight"] += 1
    assert are_no_theorems(wrong, theory, tmp_path)


def test_error_on_the_average_is_a_theorem(theory, tmp_path):
    listed = [on_average(messages, messages) for messages in (1, 2, 5)]
    assert is_theorem(listed, theory, tmp_path)
    words = (tmp_path / "theorem.v").read_text(encoding="utf-8")
    assert words.count("distributional_error 5 4 (of_table rows)") == 3
    for certificate, side in product(listed, ("lower", "upper")):
        wrong = copy.deepcopy(certificate)
        wrong["statement"][side] = str(Fraction(wrong["statement"][side]) + Fraction(1, 99))
        assert not is_proved(wrong, theory)


def test_number_of_messages_is_a_theorem(theory, tmp_path):
    rows = [[int(x == y) for y in range(4)] for x in range(4)]
    F = CommunicationProblem.from_matrix(rows)
    certificate = written(communication_complexity(F, "1/4", "public"))
    assert is_theorem(certificate, theory, tmp_path)
    words = (tmp_path / "theorem.v").read_text(encoding="utf-8")
    assert "complexity Public 4 4 (of_table rows) (1 # 4)" in words
    for coins in ("private", "deterministic"):
        assert not is_proved(
            certificate | {"statement": certificate["statement"] | {"coins": coins}}, theory
        )


@pytest.mark.parametrize(
    ("problem", "messages"),
    [pytest.param(equality(6), 3, marks=pytest.mark.slow), (equality(5), 3)],
)
def test_partitions_up_to_symmetry(problem, messages, theory, tmp_path):
    """With symmetries and labels; a cheapest partition completes the proof or not."""
    certificate = written(minimax_error(problem, messages, "public"))
    name, data = inner(certificate)
    assert name == "partitions"
    lower = certificate | {"upper": None}
    lower["statement"] = certificate["statement"] | {"upper": None}
    assert is_theorem(lower, theory, tmp_path)
    assert data["symmetries"]
    for change in (
        {"labels": [label + i for i, label in enumerate(data["labels"])]},
        {"symmetries": [data["symmetries"][0] | {"rows": list(range(len(data["labels"])))}]},
    ):
        wrong = copy.deepcopy(lower)
        wrong["lower"]["hard_distribution"]["proof"]["partitions"] |= change
        assert not is_proved(wrong, theory)


def test_joins_of_ordered_inputs(theory, tmp_path):
    certificate = written(minimax_error(greater_than(5), 3))
    name, data = inner(certificate)
    assert name == "joins"
    assert is_theorem(certificate, theory, tmp_path)
    joins = data["joins"]
    (y, x, z), *later = joins
    for changed in (
        later,
        joins[:-1],
        [*joins, joins[-1]],
        [[y + 1, x, z], *later],
        [[y, x, x], *later],
        [[y, x, 5], *later],
        [joins[-1], *joins[:-1]],
    ):
        wrong = copy.deepcopy(certificate)
        wrong["lower"]["hard_distribution"]["proof"]["joins"]["joins"] = changed
        assert not is_proved(wrong, theory)
    wrong = copy.deepcopy(certificate)
    wrong["lower"]["hard_distribution"]["distribution"].pop(0)
    assert not is_proved(wrong, theory)


def test_a_partition_that_is_not_cheapest_is_rejected(theory):
    rows = [[0, 0, 1], [0, 1, 0], [1, 0, 0], [1, 1, 1]]
    cells = [[x, y, 1] for x in range(4) for y in range(3)]
    certificate = {
        "format": 2,
        "kind": "distributional_error",
        "instance": {
            "type": "communication problem",
            "name": "",
            "alice": [0, 1, 2, 3],
            "bob": [0, 1, 2],
            "rows": ["".join(map(str, row)) for row in rows],
        },
        "statement": {"messages": 3, "distribution": cells, "lower": "1/12", "upper": None},
        "lower": {"partitions": {"symmetries": [], "labels": [0] * 4, "partition": [0, 1, 2, 2]}},
        "upper": None,
        "made_by": "by hand",
    }
    for partition, error in (([0, 0, 1, 2], "1/6"), ([0, 1, 2, 2], "1/6")):
        certificate["lower"]["partitions"]["partition"] = partition
        certificate["statement"]["lower"] = error
        assert is_proved(certificate, theory)
    for partition, error in (([0, 0, 0, 1], "1/4"), ([0, 0, 1, 1], "1/3"), ([0, 0, 1, 2], "1/4")):
        certificate["lower"]["partitions"]["partition"] = partition
        certificate["statement"]["lower"] = error
        assert not is_proved(certificate, theory)


def test_private_coins_of_a_protocol(theory, tmp_path):
    """Distributions on messages and answers: the error on one input is that by definition."""
    part = {
        "weight": 3,
        "alice": [[[1, 0], [2, 1]], 1, [[5, 0]]],
        "bob": [[[1, "100"], [3, "011"]], [[4, "110"]]],
    }
    certificate = {
        "format": 2,
        "kind": "protocol_error",
        "instance": {
            "type": "communication problem",
            "name": "",
            "alice": [0, 1, 2],
            "bob": [0, 1, 2],
            "rows": ["10*", "011", "1*1"],
        },
        "statement": {
            "protocol": {"components": [part], "symmetries": []},
            "lower": "11/12",
            "upper": "1",
        },
        "lower": {"input": {"cell": [0, 1]}},
        "upper": {"all_inputs": {}},
        "made_by": "by hand",
    }
    assert is_theorem(certificate, theory, tmp_path)
    for side, bound in (("lower", "5/6"), ("upper", "11/12")):
        statement = certificate["statement"] | {side: bound}
        assert not is_proved(certificate | {"statement": statement}, theory)
    part["bob"][1] = [[3, "110"]]
    assert not is_proved(certificate, theory)
