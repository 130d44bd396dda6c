"""Proofs by searches and by squares as theorems: choices of answers, tails of chains."""

# ruff: noqa: S311 - seeds, not secrets

import copy
from fractions import Fraction
from functools import cache
from itertools import product
from random import Random

import pytest

from ccsim.communication.partitions.answers import AnswerSearch
from ccsim.communication.partitions.squares import Sizes, bound_by_squares
from ccsim.kernel import Rejected, check
from tests.formal.proving import disagreements, is_theorem, verdicts


def of_weights(weights, messages, bound, proof):
    """Return a certificate for a distribution given by weights, which are negative for value 0."""
    total = sum(abs(w) for row in weights for w in row)
    cells = [[x, y, abs(w)] for x, row in enumerate(weights) for y, w in enumerate(row) if w]
    instance = {
        "type": "communication problem",
        "name": "",
        "alice": list(range(len(weights))),
        "bob": list(range(len(weights[0]))),
        "rows": ["".join("01"[w > 0] if w else "*" for w in row) for row in weights],
    }
    stated = {"messages": messages, "distribution": cells}
    stated |= {"lower": str(Fraction(bound) / total), "upper": None}
    return of(instance, "distributional_error", stated, lower=proof)


def of(instance, kind, statement, lower=None, upper=None):
    envelope = {"format": 2, "kind": kind, "instance": instance, "statement": statement}
    return envelope | {"lower": lower, "upper": upper, "made_by": ""}


def turned(row):
    """Return weights that are invariant under a rotation that flips the last column, with it."""
    width, rows = len(row), [row]
    for _ in range(2 * width - 1):
        rows.append([-rows[-1][-1], *rows[-1][:-1]])
    return rows, {
        "rows": [(x + 1) % (2 * width) for x in range(2 * width)],
        "columns": [(y + 1) % width for y in range(width)],
        "flips": "0" * (width - 1) + "1",
    }


@cache
def choices(row=(2, 4, -6, 4, 0), messages=5):
    weights, symmetry = turned(list(row))
    columns = tuple(symmetry["columns"])
    tree = AnswerSearch(weights, messages, moves=[(columns, 1 << len(row) - 1)]).tree()
    proof = {"choices": {"symmetries": [symmetry], **tree.to_json()}}
    return of_weights(weights, messages, tree.bound, proof)


@cache
def squares(messages=2):
    weights = [[2000, -1000, -999], [-1000, 2001, -1000], [-998, -1000, 2000], [1500, -1, -1500]]
    found = bound_by_squares(weights, messages)
    assert found.bound > 0
    return of_weights(weights, messages, found.bound, {"squares": found.to_json()})


@cache
def sizes(messages=3):
    weights = [
        [(2 if (a * x + b) % 3 == y else -1) for x in range(3) for y in range(3)]
        for a, b in product(range(3), repeat=2)
    ]
    found = Sizes(weights, messages).bound()
    assert found.bound > 0
    return of_weights(weights, messages, found.bound, {"squares": found.to_json()})


def end(proof, size, place):
    """Halve a number that bounds the gain of classes with ``size`` rows."""
    pair = proof["ends"]["sizes"][size]
    pair[place] = str(int(pair[place]) // 2)


def tails(rows, size, lines="points", label=1):
    instance = {"type": "concept class", "name": "", "rows": rows}
    instance |= {"concepts": list(range(len(rows))), "points": list(range(len(rows[0])))}
    proof = {"tails": {"size": size, "lines": lines, "label": label}}
    stated = {"lower": None, "upper": size - 1}
    return of(instance, "threshold_dimension", stated, upper=proof)


ROWS = ["00101", "01101", "11100", "10011", "01010", "00111"]


def longest(rows):
    """Return the largest number of thresholds, by exhaustion over concepts and points."""
    found = [-1]

    def extend(concepts, points):
        found.append(len(points))
        for c, x in product(range(len(rows)), range(len(rows[0]))):
            before = all(rows[b][x] == "1" for b in concepts)
            if rows[c][x] == "1" and before and all(rows[c][y] == "0" for y in points):
                extend([*concepts, c], [*points, x])

    extend([], [])
    return max(found)


def test_each_form_is_a_theorem(theory, tmp_path):
    size = longest(ROWS) + 1
    assert any(node["potentials"] is None for node in choices()["lower"]["choices"]["nodes"])
    found = [
        tails(ROWS, size, lines, label) for lines in ("points", "concepts") for label in (0, 1)
    ]
    assert is_theorem([choices(), squares(), sizes(2), sizes(), *found], theory, tmp_path)


def test_tails_are_as_long_as_chains(theory):
    draw, found, right = Random(4), [], []
    for _ in range(12):
        rows = [f"{row:04b}" for row in draw.sample(range(16), draw.randint(1, 9))]
        most = longest(rows)
        ways = product(range(1, 6), ("points", "concepts"), (0, 1))
        for size, lines, label in ways:
            found.append(tails(rows, size, lines, label))
            right.append("proved" if size > most else "rejected")
    assert verdicts(found, theory) == right


def test_false_proofs_are_rejected(theory):
    made = [choices(), squares(), sizes(2), sizes()]
    for certificate, change in (
        (choices(), lambda proof: proof.update(bound=proof["bound"] + 1)),
        (choices(), lambda proof: proof["symmetries"][0].update(flips="0" * 5)),
        (choices(), lambda proof: proof["nodes"].pop()),
        (squares(), lambda proof: proof.update(potentials=[0] * len(proof["potentials"]))),
        (squares(), lambda proof: proof["ends"][0].reverse()),
        (squares(), lambda proof: proof.update(unit=1)),
        (sizes(2), lambda proof: end(proof, 4, 0)),
        (sizes(2), lambda proof: end(proof, 4, 1)),
        (sizes(), lambda proof: end(proof, 3, 0)),
        (sizes(), lambda proof: end(proof, 3, 1)),
        (sizes(), lambda proof: proof["ends"]["groups"].append(proof["ends"]["groups"].pop(0))),
        (sizes(), lambda proof: proof["potentials"].__setitem__(2, -1)),
        (sizes(), lambda proof: proof["ends"]["sizes"].pop()),
    ):
        wrong = copy.deepcopy(certificate)
        [proof] = wrong["lower"].values()
        change(proof)
        with pytest.raises(Rejected):
            check(copy.deepcopy(wrong))
        made.append(wrong)
    assert verdicts(made, theory) == ["proved"] * 4 + ["rejected"] * 13


@pytest.mark.parametrize("made", [choices, squares, sizes, lambda: tails(ROWS, longest(ROWS) + 1)])
def test_checkers_agree_on_altered_proofs(made, theory):
    only_kernel, only_proved, both = disagreements([made()], theory, 200, 3)
    assert only_kernel == []
    assert both
    for certificate in only_proved:
        labels = [*certificate["instance"].values()]
        assert any(isinstance(each, list) and len({*map(str, each)}) < len(each) for each in labels)
