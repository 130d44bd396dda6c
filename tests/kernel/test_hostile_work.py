"""Small files whose check would need much more work or memory than their size suggests.

Each of them is rejected before the work is done. Without the count of steps, the check would take
minutes or gigabytes.
"""

import pytest

from ccsim import kernel
from ccsim.kernel import Rejected, check
from ccsim.kernel.rules import Work
from tests.kernel.made import concept_class, problem

LARGE = "9" * 4000
STEPS = 1 << 24  # a second or so


@pytest.fixture(autouse=True)
def few_steps(monkeypatch):
    monkeypatch.setattr(kernel, "Work", lambda tell=None: Work(STEPS, tell))


def certificate(kind, instance, lower=None, upper=None, **statement):
    bounds = {"lower": "0" if lower else None, "upper": "0" if upper else None}
    return {
        "format": 2,
        "kind": kind,
        "instance": instance,
        "statement": bounds | statement,
        "lower": lower,
        "upper": upper,
        "made_by": "hand",
    }


def protocol(alice, bob, *symmetries):
    part = {"weight": 1, "alice": alice, "bob": bob}
    return {"components": [part], "symmetries": [*symmetries]}


def error_of(tables, *rows):
    return certificate("protocol_error", problem(*rows), protocol=tables, upper={"all_inputs": {}})


def test_two_laws_are_not_multiplied_out():
    drawn = protocol([[[1, 0]] * 20000], [[[1, "0"]] * 20000])
    with pytest.raises(Rejected, match="steps"):
        check(error_of(drawn, "0"))


def test_products_of_large_weights_are_counted():
    drawn = protocol([[[LARGE, 0]] * 700], [[[LARGE, "0"]] * 700])
    with pytest.raises(Rejected, match="steps"):
        check(error_of(drawn, "0"))


def large_laws(number):
    """Return messages with probabilities whose denominators are distinct and have 4000 digits."""
    least = 10**3999
    return [[[str(least + 2 * x), 0], [str(least + 7 * x * x + 1), 1]] for x in range(number)]


def test_errors_of_unlike_denominators_are_not_added_over_an_orbit():
    turn = {"rows": [*range(1, 400), 0], "columns": [0], "flips": "0"}
    with pytest.raises(Rejected, match="steps"):
        check(error_of(protocol(large_laws(400), ["0", "1"], turn), *["0"] * 400))


def test_errors_of_unlike_denominators_are_not_added_under_a_distribution():
    upper = {"protocol": {"tables": protocol(large_laws(400), ["0", "1"])}}
    said = {"messages": 2, "distribution": [[x, 0, 1] for x in range(400)]}
    with pytest.raises(Rejected, match="steps"):
        check(certificate("distributional_error", problem(*["0"] * 400), upper=upper, **said))


def partitions(number, symmetries, labels):
    proof = {"partitions": {"symmetries": symmetries, "labels": labels, "partition": None}}
    said = {"messages": 2, "distribution": [[x, 0, 1] for x in range(number)]}
    return certificate("distributional_error", problem(*["0"] * number), lower=proof, **said)


def test_large_labels_are_not_kept_for_millions_of_classes():
    with pytest.raises(Rejected, match="steps"):
        check(partitions(21, [], [LARGE] * 21))


def test_products_of_many_symmetries_are_counted():
    moves = [[1, 2, 3, 4, 5, 0], [1, 0, 2, 3, 4, 5]]
    symmetries = [{"rows": rows, "columns": [0], "flips": "0"} for rows in moves]
    with pytest.raises(Rejected, match="steps"):
        check(partitions(6, symmetries * 2000, [1] * 6))


def test_symmetries_of_too_many_inputs_are_not_restricted_to_them():
    symmetry = {"rows": [*range(40000)], "columns": [0], "flips": "0"}
    with pytest.raises(Rejected, match="40000 rows have positive weight; the limit is 64"):
        check(partitions(40000, [symmetry], []))


def test_a_leaf_of_many_messages_is_counted():
    leaf = {"weights": [[[0, 0], 1, [0] * 20000]]}
    boxes = {"boxes": {"unit": 1, "ordered": 0, "nodes": [leaf]}}
    said = {"messages": 20000, "coins": "private"}
    with pytest.raises(Rejected, match="steps"):
        check(certificate("minimax_error", problem("0"), lower=boxes, **said))


def test_rows_are_not_made_for_more_messages_than_can_be_used():
    proof = {"simplices": {"unit": 1, "inputs": [0, 1], "symmetries": [], "nodes": [None]}}
    said = {"messages": 2**53 - 1, "coins": "private"}
    with pytest.raises(Rejected, match="steps"):
        check(certificate("minimax_error", problem("0", "1"), lower=proof, **said))


def test_classes_that_an_input_joins_again_and_again_are_counted():
    said = {"messages": 2, "coins": "deterministic"}
    proof = {"conflicts": {"nodes": [0] * 20000}}
    with pytest.raises(Rejected, match="steps"):
        check(certificate("minimax_error", problem("01" * 200000), lower=proof, **said))


def test_a_large_set_that_fails_for_many_concepts_is_counted():
    rows = [f"{i:012b}" for i in range(4096)]
    said = {"error": "0", "support": {"sets": [["0" * 12] * 70000], "weights": [1]}}
    proof = {"branching": {"trees": [[None, [], []]] * 4096}}
    instance = concept_class(*rows)
    with pytest.raises(Rejected, match="steps"):
        check(certificate("probabilistic_representation", instance, upper=proof, **said))


def test_permutations_of_a_node_are_counted_where_no_mask_is_left():
    near, number = [0, [1]], 3000
    node = {"symmetries": [], "branches": [], "weights": None}
    first = node | {"branches": [0, 1, 0]}
    last = node | {"symmetries": [0] * 50000}
    proof = {
        "neighbourhoods": [near] * number,
        "weights": [1] * number,
        "symmetries": [[*range(number)]],
        "tree": [first, node, node, last],
    }
    said = {"error": "0", "pool": None, "size": 1}
    with pytest.raises(Rejected, match="steps"):
        check(certificate("least_failure", concept_class("0"), lower={"branching": proof}, **said))


def test_rows_looked_at_for_the_last_column_are_counted(monkeypatch):
    """For each column of the smallest difference, all rows but the last share another column."""
    few, number, bits = 40, 8000, 14
    shared = 2 * few
    pad = range(shared + 1 + 2 * bits, shared + 1 + 2 * bits + few)

    def row(*columns):
        return "".join("01"[x in columns] for x in range(pad.stop))

    unlike = [[shared + 1 + 2 * t + (j >> t & 1) for t in range(bits)] for j in range(number)]
    rows = [
        row(),
        row(*range(few)),
        row(*range(few, pad.stop)),
        *(row(shared, *pad, *each) for each in unlike),
        row(*range(few, shared)),
    ]
    said = {"concept": {"concept": 0, "size": 3}}
    monkeypatch.setattr(kernel, "Work", lambda tell=None: Work(1 << 19, tell))
    made = certificate("teaching_dimension", concept_class(*rows), lower=said)
    made["statement"]["lower"] = 3
    with pytest.raises(Rejected, match="steps"):
        check(made)


def test_masks_within_a_branch_are_dropped_one_by_one():
    """A hypothesis in every neighbourhood drops all 2^14 masks, so one hypothesis suffices."""
    points = range(14)
    near = [[0, [int(x == y) for y in points]] for x in points]
    node = {"symmetries": [], "branches": [], "weights": None}
    proof = {
        "neighbourhoods": near,
        "weights": [1] * 14,
        "symmetries": [],
        "tree": [node | {"branches": [0]}, node],
    }
    made = certificate(
        "representation_size",
        concept_class("0" * 14),
        lower={"branching": proof},
        error="0",
        pool=None,
        failure="0",
    )
    made["statement"]["lower"] = 1
    assert check(made).endswith("at least 1")
