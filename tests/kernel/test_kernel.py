"""The trusted base accepts hand-made proofs and rejects each altered one for the right reason."""

# ruff: noqa: S311 - seeds, not secrets

import itertools
import json
import random
import re
import shutil
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest

from ccsim import kernel
from ccsim.kernel import Rejected, Unreadable, check, read
from ccsim.kernel import partitions as kernel_partitions
from ccsim.kernel.communication import MAX_CHOICES
from ccsim.kernel.without_public_coins import MAX_COLOURED_ROWS, conflict_free
from tests.certificate_oracle import mistake_bound, shattered_size

CORPUS = Path(__file__).parents[1] / "certificate_corpus" / "accepted"
NAMES = sorted(path.stem for path in CORPUS.glob("*.json"))
KERNEL = Path(kernel.__file__).parent
PAGE = Path(__file__).parents[2] / "docs" / "certificates.md"


def certificate(name):
    return read(CORPUS / f"{name}.json")


def altered(name, *path_and_value):
    """Return a certificate of the corpus with one entry replaced (or removed, by `...`)."""
    *path, last, value = path_and_value
    result = certificate(name)
    part = result
    for key in path:
        part = part[key]
    if value is ...:
        del part[last]
    else:
        part[last] = value
    return result


def at(certificate, path):
    for key in path:
        certificate = certificate[key]
    return certificate


def nested(depth):
    value = []
    for _ in range(depth):
        value = [value]
    return value


# --- What is accepted --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "claim"),
    [
        ("matrix_game", "value of a 2 x 2 matrix game, DATA: exactly 1/5"),
        ("vc_dimension", "vc_dimension of a 4 x 4 concept class, DATA: exactly 1"),
        ("dual_vc_dimension", "dual_vc_dimension of a 4 x 4 concept class, DATA: exactly 1"),
        ("littlestone_dimension", "of a 8 x 5 concept class, DATA: exactly 2"),
        ("dimensions", "vc exactly 1, dual_vc exactly 1, littlestone exactly 2"),
        ("minimax_error", "problem, DATA, with 2 messages, public coins: exactly 2/9"),
        ("minimax_error_deterministic", "with 4 messages, deterministic coins: exactly 0"),
        ("minimax_error_private", "with 2 messages, private coins: between 1/5 and 1/3"),
        ("communication_complexity_private", "error 1/3, private coins, in messages: exactly 2"),
        ("minimax_error_radon", "with 2 messages, private coins: exactly 1/2"),
        ("minimax_error_unsorted", "with 2 messages, private coins: exactly 1/2"),
        ("minimax_error_boxes", "with 2 messages, private coins: between 1/6 and 1/3"),
        ("communication_complexity_boxes", "error 1/13, private coins, in messages: exactly 3"),
        ("communication_complexity", "error 1/3, public coins, in messages: exactly 2"),
        ("communication_complexity_deterministic", "coins, in messages: exactly 4"),
        ("distributional_error", "with 2 messages: exactly 2/9"),
        (
            "distributional_error_partitions",
            "DATA, under the weights DATA, with 2 messages: exactly 1/8",
        ),
        ("protocol_error", "problem, DATA, of the protocol DATA, 2 messages: exactly 2/9"),
        ("protocol_error_private", "exactly 1/5"),
        ("deterministic_representation", "by 2 hypotheses, DATA, error: exactly 1/2"),
        (
            "deterministic_representation_size",
            "3 x 3 concept class, DATA, any hypotheses, at error 1/4: exactly 3",
        ),
        ("branching", "by 3 sets, DATA, failure at error 1/4: exactly 2/3"),
        ("branching_mixed", "by 1 sets, DATA, failure at error 1/2: exactly 0"),
        ("selection", "failure at error 1/2: between 1/4 and 1/2"),
        ("privacy", "2 of 4 records, DATA, e^epsilon = 9/4, delta: exactly 5665/13634"),
        ("packing", "accuracy 1/4, failure 1/10, e^epsilon = 2, examples: at least 5"),
        ("packing_proper", "accuracy 1/4, failure 1/5, e^epsilon = 3, examples: at least 4"),
        ("release", "accuracy 1/4, failure 1/10, e^epsilon = 2, records: at least 11"),
        ("exponential_privacy", "t = e^(1/2), e^epsilon = 1 t^1, delta: exactly 1/8"),
        ("private_failure", "at error 2/5, e^epsilon = 3: between 10/19 and 43/76"),
    ],
)
def test_hand_made_certificate_is_accepted_for_what_it_says(name, claim):
    said, digests = re.subn("sha256 [0-9a-f]{16}", "DATA", check(certificate(name)))
    assert said.endswith(claim)
    assert digests > 0


def test_corpus_holds_every_kind():
    assert {certificate(name)["kind"] for name in NAMES} == set(kernel.KINDS)


ONE_SIDED = ("packing", "packing_proper", "release")


@pytest.mark.parametrize("name", [n for n in NAMES if n not in ("dimensions", *ONE_SIDED)])
@pytest.mark.parametrize("side", ["lower", "upper"])
def test_one_side_alone_is_accepted(name, side):
    one_sided = altered(name, "statement", side, None)
    one_sided[side] = None
    assert (
        check(one_sided)
        .rpartition(": ")[2]
        .startswith({"lower": "at most", "upper": "at le"}[side])
    )


def test_dimensions_may_leave_sides_unclaimed():
    partial = certificate("dimensions")
    partial["lower"] = None
    for name in ("vc", "dual_vc", "littlestone"):
        partial["statement"][name]["lower"] = None
    assert check(partial).endswith("vc at most 1, dual_vc at most 1, littlestone at most 2")


def test_dual_dimension_may_be_recomputed_up_to_symmetries_of_the_transpose():
    made = certificate("dual_vc_dimension")
    made["instance"]["rows"] = ["1000", "0100", "0010", "0001"]
    made["statement"], made["lower"] = {"lower": None, "upper": 1}, None
    turned = {"rows": [1, 2, 3, 0], "columns": [1, 2, 3, 0], "flips": "0000"}
    made["upper"] = {"symmetries": [turned]}
    assert check(made).endswith("at most 1")
    turned["columns"] = [1, 2, 0, 3]
    with pytest.raises(Rejected, match=r"^upper.symmetries\[0\].rows: row \d does not go to row"):
        check(made)


@pytest.mark.parametrize("kind", ["vc_dimension", "dual_vc_dimension", "littlestone_dimension"])
def test_empty_class_has_dimension_minus_one(kind):
    empty = {"type": "concept class", "name": "empty", "points": [], "concepts": [], "rows": []}
    made = certificate(kind) | {"instance": empty, "statement": {"lower": -1, "upper": -1}}
    made |= {"lower": {}, "upper": {"refutation": []} if kind.startswith("little") else {}}
    assert check(made).endswith("exactly -1")


@pytest.mark.parametrize("kind", ["vc_dimension", "littlestone_dimension"])
def test_nonempty_class_has_not_dimension_minus_one(kind):
    made = altered(kind, "statement", {"lower": None, "upper": -1})
    made["lower"] = None
    for proof in ({}, {"refutation": []}, {"refutation": [entry([], 0)]}):
        made["upper"] = proof
        with pytest.raises(Rejected):
            check(made)


def entry(space, depth, *steps):
    return {"version_space": space, "depth": depth, "steps": list(steps)}


def test_certificate_that_claims_nothing_is_rejected():
    made = certificate("matrix_game") | {"lower": None, "upper": None}
    made["statement"] = {"lower": None, "upper": None}
    with pytest.raises(Rejected, match=r"statement: claims neither a lower nor an upper bound"):
        check(made)


def test_error_of_zero_needs_no_lower_proof():
    made = altered("minimax_error", "statement", "lower", "0")
    made["lower"] = {}
    assert check(made).endswith("between 0 and 2/9")


def test_failure_of_one_needs_no_upper_proof():
    made = altered("branching", "statement", "upper", "1")
    assert check(made | {"upper": {}}).endswith("between 2/3 and 1")
    with pytest.raises(Rejected, match=r"^upper: key 'method' is missing"):
        check(certificate("branching") | {"upper": {}})


# --- What is rejected, and why -----------------------------------------------------------------

PROTOCOL = ("minimax_error", "upper", "protocol", "components")
WEIGHTS = ("minimax_error", "lower", "distribution", "weights")
REFUTATION = ("littlestone_dimension", "upper", "refutation")
ENVELOPE = [
    (("matrix_game", "format", 2), r"^format: must be 1, not 2"),
    (("matrix_game", "format", True), r"^format: must be an integer of at least 1, not true"),
    (("matrix_game", "kind", "oracle"), r"^kind: must be one of matrix_game, .*, not 'oracle'"),
    (("matrix_game", "kind", ["vc"]), r"^kind: must be one of .*, not a list$"),
    (("matrix_game", "made_by", ...), r"^certificate: key 'made_by' is missing"),
    (("matrix_game", "comment", ""), r"^certificate: unknown key 'comment'"),
    (("matrix_game", "upper", None), r"^statement.upper: must be null exactly when its proof is"),
    (
        ("matrix_game", "statement", "upper", None),
        r"^statement.upper: must be null exactly when its proof is",
    ),
    (("matrix_game", "statement", "lower", "1/4"), r"lower 1/4 is above upper 1/5"),
    (("matrix_game", "instance", []), r"^instance: must be an object, not a list$"),
    (("matrix_game", "statement", "upper", 1), r"must be a fraction \"p/q\" of 4000 digits, not 1"),
    (("matrix_game", "statement", "upper", "2/10"), r"must be in lowest terms, 1/5$"),
    (("matrix_game", "statement", "upper", "1/1"), r"must be in lowest terms, 1$"),
    (("matrix_game", "statement", "upper", "-0"), r"must be in lowest terms, 0$"),
    (("matrix_game", "statement", "upper", "01/5"), r"must be a fraction"),
    (("matrix_game", "statement", "upper", "1/0"), r"must be a fraction"),
    (("matrix_game", "statement", "upper", "1/5\n"), r"must be a fraction"),
    (("matrix_game", "statement", "upper", "\u0661"), r"must be a fraction"),
    (("matrix_game", "statement", "upper", "0.2"), r"must be a fraction"),
    (("matrix_game", "statement", "upper", 0.2), r"must be a fraction .*, not a float"),
    (
        ("matrix_game", "statement", "upper", "9" * 4001),
        r"of 4000 digits, not '9*'\.\.\. of 4001 characters",
    ),
    (("matrix_game", "instance", "payoff", 1, ["1"]), r"^instance.payoff: must be a matrix"),
    (("matrix_game", "lower", "row_strategy", 0, "1/5"), r"must sum to 1, not 4/5"),
    (("matrix_game", "lower", "row_strategy", ["-1", "2"]), r"\[0\]: must lie between 0 and 1"),
    (("matrix_game", "lower", "row_strategy", ["1"]), r"must have 2 entries, not 1"),
    (
        ("matrix_game", "lower", "row_strategy", ["1/2", "1/2"]),
        r"^lower.row_strategy: the payoff against column 1 is 0, below the stated 1/5",
    ),
    (
        ("matrix_game", "upper", "column_strategy", ["1/2", "1/2"]),
        r"^upper.column_strategy: the payoff against row 0 is 1/2, above the stated 1/5",
    ),
]
DIMENSIONS = [
    (("vc_dimension", "instance", "type", "matrix game"), r"instance.type: must be one of concept"),
    (("vc_dimension", "instance", "name", 3), r"instance.name: must be a text, not 3"),
    (("vc_dimension", "instance", "points", 1, 0), r"points\[1\]: label 0 stands twice"),
    (("vc_dimension", "instance", "points", 1, True), r"a label is a text or an integer, not true"),
    (("vc_dimension", "instance", "rows", 1, "1111"), r"rows: .*row 1 repeats row 0"),
    (
        ("vc_dimension", "instance", "rows", 1, "111"),
        r"rows\[1\]: must be a text of 4 characters of 01, not '111'",
    ),
    (
        ("vc_dimension", "instance", "rows", 1, "11*1"),
        r"rows\[1\]: must be a text of 4 characters of 01, not '11\*1'",
    ),
    (("vc_dimension", "instance", "rows", 3, ...), r"rows: must have 4 entries, not 3"),
    (
        ("vc_dimension", "statement", "lower", True),
        r"lower: must be an integer of at least -1, not true",
    ),
    (
        ("vc_dimension", "statement", "lower", -2),
        r"lower: must be an integer of at least -1, not -2",
    ),
    (
        ("vc_dimension", "lower", "concepts", [2, 3]),
        r"concepts\[0\]: the entry of 2 and 2 must be 0",
    ),
    (("vc_dimension", "lower", "concepts", [3]), r"concepts: must have 2 entries, not 1"),
    (("vc_dimension", "lower", "points", [4]), r"points\[0\]: must be an index below 4, not 4"),
    (("vc_dimension", "lower", "points", [2, 2]), r"points: must have 1 entries, not 2"),
    (
        ("vc_dimension", "statement", {"lower": None, "upper": 1}),
        r"statement.lower: must be null exactly",
    ),
    (("vc_dimension", "upper", "note", 1), r"^upper: unknown key 'note'"),
    (("dual_vc_dimension", "lower", "points", [3, 2]), r"lower.points\[0\]: the entry of 3 and 3"),
    (
        ("littlestone_dimension", "lower", "tree", 1, 2, 1),
        r"tree\[1\]\[2\]: concept 1 does not agree with its path",
    ),
    (("littlestone_dimension", "lower", "tree", 1, 3), r"tree\[1\]: must be a list, not 3"),
    (
        ("littlestone_dimension", "lower", "tree", 1, 1, [1, 0, 1]),
        r"must be an index below 8, not a list",
    ),
    (
        ("littlestone_dimension", "lower", "tree", 0, 5),
        r"tree\[0\]: must be an index below 5, not 5",
    ),
    (("littlestone_dimension", "lower", "tree", 1, 1, True), r"must be an index below 8, not true"),
    ((*REFUTATION, 0, ...), r"refutation\[0\].steps\[0\]\[2\]: must be an index below 0, not 0"),
    ((*REFUTATION, 0, "depth", 3), r"steps\[0\]: entry 0 has depth 3, not below 3"),
    ((*REFUTATION, 0, "depth", 1), r"refutation\[0\].steps: no step for point 0, .* 3 and 1 con"),
    ((*REFUTATION, 0, "depth", 0), r"refutation\[0\]: depth 0 needs an empty version space, not 4"),
    (
        (*REFUTATION, 0, "version_space", [[4, 1]]),
        r"concept 0 is not in the version space of entry",
    ),
    ((*REFUTATION, 0, "version_space", [[4, 2]]), r"must be an index below 2, not 2"),
    ((*REFUTATION, 1, "steps", []), r"steps: no step for point 4, whose labels .* 4 and 4"),
    ((*REFUTATION, 1, "steps", [[4, 0, 1]]), r"steps\[0\]\[2\]: must be an index below 1, not 1"),
    ((*REFUTATION, 1, "steps", [[4, 0, 0]] * 2), r"steps\[1\]: point 4 has two steps"),
    (
        (*REFUTATION, 1, "depth", 4),
        r"refutation: the last entry must refute depth 3 for all 8 concepts",
    ),
    ((*REFUTATION, 1, ...), r"refutation: the last entry must refute depth 3 for all"),
    (
        ("littlestone_dimension", "upper", {"refutation": []}),
        r"size decides, but 2\^3 is not above 8",
    ),
    (("dimensions", "statement", "vc", ...), r"^statement: key 'vc' is missing"),
    (
        ("dimensions", "statement", "vc", "lower", 2),
        r"^statement.vc.lower: lower 2 is above upper 1",
    ),
    (
        ("dimensions", "upper", "littlestone", None),
        r"^statement.littlestone.upper: must be null",
    ),
    (
        ("dimensions", "lower", "littlestone", "tree", 0, 2),
        r"^lower.littlestone.tree\[1\]\[2\]: conc",
    ),
]
COMMUNICATION = [
    (("minimax_error", "instance", "rows", ["***"] * 3), r"at least one entry must lie inside"),
    (("minimax_error", "instance", "rows", 0, "10x"), r"must be a text of 3 characters of 01\*"),
    (
        ("minimax_error", "statement", "coins", "quantum"),
        r"must be one of deterministic, private, public, not 'quantum'",
    ),
    (
        ("minimax_error", "statement", "coins", "private"),
        r"protocol.kind: must be one of deterministic, private-coin, not 'public-coin'",
    ),
    (
        ("minimax_error_private", "statement", "coins", "public"),
        r"deterministic, public-coin, symmetric public-coin, not 'private-coin'",
    ),
    (
        ("minimax_error_private", "upper", "protocol", "bob", 0, 0, "1"),
        r"the error on input \(1, 0\) is 1/2, above the stated 1/3",
    ),
    (
        ("minimax_error", "statement", "messages", 0),
        r"messages: must be an integer of at least 1, not 0",
    ),
    (
        ("minimax_error_radon", "statement", "coins", "public"),
        r"lower: key 'distribution' is missing",
    ),
    (
        ("minimax_error_radon", "lower", "radon", "inputs", [0, 1]),
        r"lower.radon.inputs: must have 3 entries, not 2",
    ),
    (
        ("minimax_error_radon", "lower", "radon", "inputs", 2, 1),
        r"lower.radon.inputs: inputs must be distinct",
    ),
    (
        ("minimax_error_radon", "lower", "radon", "separations", 2, ...),
        r"lower.radon.separations: must have 3 entries, not 2",
    ),
    (
        ("minimax_error_radon", "lower", "radon", "separations", 2, 0, 1, 0),
        r"separations\[2\]\[0\]\[1\]: must be an integer other than 0, not 0",
    ),
    (
        ("minimax_error_radon", "lower", "radon", "separations", 2, 0, 1, 1),
        r"lower: the error that is forced is 0, not the stated 1/2",
    ),
    (
        ("minimax_error_radon", "lower", "radon", "separations", 0, [[1, 1], [0, 1]]),
        r"separations\[0\]\[1\]\[0\]: column 0 must come after 1",
    ),
    (
        ("minimax_error_radon", "instance", "rows", 1, "*10"),
        r"separations\[0\]\[0\]\[0\]: input \(1, 0\) is outside the promise",
    ),
    (
        ("minimax_error_unsorted", "statement", "messages", 3),
        r"lower.unsorted: inputs are sorted for 2 messages, not 3",
    ),
    (
        ("minimax_error_unsorted", "lower", "unsorted", [0, 1, 2]),
        r"lower.unsorted: no column changes twice in the order \(1, 0, 2\)",
    ),
    (
        ("minimax_error_unsorted", "instance", "rows", 3, "*1"),
        r"lower.unsorted: no column changes twice in the order",
    ),
    (
        ("minimax_error_unsorted", "statement", "coins", "public"),
        r"lower: key 'distribution' is missing",
    ),
    (
        ("minimax_error_boxes", "lower", "boxes", "ordered", 3),
        r"lower.boxes.ordered: must be an index below 3, not 3",
    ),
    (
        ("minimax_error_boxes", "lower", "boxes", "nodes", 2, ...),
        r"lower.boxes.nodes: 1 boxes are left without a node",
    ),
    (
        ("minimax_error_boxes", "lower", "boxes", "nodes", 0, {"weights": [[0, 0, 1, [1, 1]]]}),
        r"lower.boxes.nodes\[1\]: no box is left",
    ),
    (
        ("minimax_error_boxes", "lower", "boxes", "nodes", 0, 0, "carol"),
        r"lower.boxes.nodes\[0\]\[0\]: must be one of alice, bob, not 'carol'",
    ),
    (
        ("minimax_error_boxes", "lower", "boxes", "nodes", 0, 3, "1"),
        r"lower.boxes.nodes\[0\]\[3\]: must lie strictly between 0 and 1, not 1",
    ),
    (
        ("minimax_error_boxes", "lower", "boxes", "nodes", 1, "weights", []),
        r"lower.boxes.nodes\[1\].weights: at least one input must have weight",
    ),
    (
        ("minimax_error_boxes", "lower", "boxes", "nodes", 1, "weights", 1, 0, 0),
        r"nodes\[1\].weights\[1\]: input \(0, 0\) must come after \(0, 0\)",
    ),
    (
        ("minimax_error_boxes", "lower", "boxes", "nodes", 1, "weights", 1, 3, 0, 3),
        r"nodes\[1\].weights\[1\]\[3\]\[0\]: must be an index below 3, not 3",
    ),
    (
        ("minimax_error_boxes", "lower", "boxes", "nodes", 1, "weights", 1, 2, 9),
        r"lower: the error that is forced is .*, not the stated 1/6",
    ),
    (
        ("minimax_error_boxes", "statement", "messages", 1),
        r"lower.boxes: boxes are for at least 2 messages and fewer than inputs of Alice, not 1",
    ),
    (
        ("minimax_error_boxes", "statement", "messages", 10**30),
        r"lower.boxes: boxes are for at least 2 messages and fewer than inputs of Alice, not 10",
    ),
    (
        ("minimax_error_radon", "statement", "messages", 10**30),
        r"lower.radon.inputs: must have 10+1 entries, not 3",
    ),
    (
        ("minimax_error", "statement", "messages", True),
        r"must be an integer of at least 1, not true",
    ),
    (
        ("minimax_error", "statement", "messages", 1),
        r"the error that is forced is 1/3, not the stated 2/9",
    ),
    (
        ("minimax_error", "statement", "messages", 3),
        r"the error that is forced is 0, not the stated 2/9",
    ),
    (
        (
            "minimax_error",
            "statement",
            {"lower": "1/4", "upper": "1/4", "messages": 2, "coins": "public"},
        ),
        r"^lower: the error that is forced is 2/9, not the stated 1/4",
    ),
    (
        (
            "minimax_error",
            "statement",
            {"lower": "1/9", "upper": "1/5", "messages": 2, "coins": "public"},
        ),
        r"^lower: the error that is forced is 2/9, not the stated 1/9",
    ),
    ((*WEIGHTS, 4, [1, 1, 2]), r"distribution.total: the weights sum to 10, not to 9"),
    ((*WEIGHTS, 4, [1, 1, 0]), r"weights\[4\]\[2\]: must be an integer of at least 1, not 0"),
    ((*WEIGHTS, 4, [1, 0, 1]), r"weights\[4\]: input \(1, 0\) must come after \(1, 0\)"),
    ((*WEIGHTS, 4, [1, 3, 1]), r"weights\[4\]\[1\]: must be an index below 3, not 3"),
    ((*WEIGHTS, 4, [1, 1]), r"weights\[4\]: must have 3 entries, not 2"),
    (("minimax_error", "instance", "rows", 0, "1*0"), r"input \(0, 1\) is outside the promise"),
    ((*PROTOCOL, 1, "weight", "1/9"), r"components: the weights must sum to 1, not 8/9"),
    ((*PROTOCOL, 1, "weight", "0"), r"components\[1\].weight: must be positive, not 0"),
    (
        (*PROTOCOL, 1, "alice", 2, 2),
        r"^upper.protocol.components\[1\].alice\[2\]: must be an index below 2",
    ),
    ((*PROTOCOL, 1, "alice", [0, 1]), r"components\[1\].alice: must have 3 entries, not 2"),
    ((*PROTOCOL, 1, "bob", ["100"] * 3), r"components\[1\].bob: must have 2 entries, not 3"),
    ((*PROTOCOL, 1, "bob", 1, "01*"), r"bob\[1\]: must be a text of 3 characters of 01,"),
    ((*PROTOCOL, 1, "bob", 1, "010"), r"the error on input \(2, 2\) is 4/9, above the stated 2/9"),
    ((*PROTOCOL[:-1], "components", []), r"components: the weights must sum to 1, not 0"),
    (
        (*PROTOCOL[:-1], "kind", "private-coin"),
        r"must be one of deterministic, public-coin, symmetric public-coin, not",
    ),
    ((*PROTOCOL[:-1], "kind", ...), r"upper.protocol: must be an object with the key kind"),
    (
        ("minimax_error_deterministic", "statement", "messages", 3),
        r"number of messages is 4, above",
    ),
    (
        ("minimax_error_deterministic", "upper", "protocol", "alice", 3, 2),
        r"\(3, 2\) is 1, above the",
    ),
    (("communication_complexity", "statement", "error", "1/2"), r"is 1/2, not above 1/2"),
    (("communication_complexity", "statement", "error", "1/9"), r"is 2/9, above the stated 1/9"),
    (
        ("communication_complexity", "statement", "error", "4/3"),
        r"must lie between 0 and 1, not 4/3",
    ),
    (
        ("communication_complexity", "statement", "lower", 0),
        r"lower: must be an integer of at least 1, not 0",
    ),
    (("communication_complexity", "statement", "lower", 1), r"^lower: unknown key 'distribution'"),
    (("communication_complexity", "statement", "upper", 1), r"lower 2 is above upper 1"),
    (("communication_complexity_deterministic", "statement", "error", "1"), r"is 1, not above 1"),
    (
        ("communication_complexity_deterministic", "instance", "rows", 3, "***"),
        r"is 0, not above 0",
    ),
    (
        ("distributional_error", "statement", "messages", 3),
        r"least expected error is 0, not the stated 2/9",
    ),
    (
        ("distributional_error", "upper", "protocol", "bob", 0, "110"),
        r"the expected error is 1/3, not the stated 2/9",
    ),
    (
        ("distributional_error", "upper", "protocol", "kind", "public-coin"),
        r"must be one of determin",
    ),
    (
        ("protocol_error", "lower", "input", [0, 3]),
        r"lower.input\[1\]: must be an index below 3, not 3",
    ),
    (
        ("protocol_error_private", "lower", "input", [1, 0]),
        r"error on input \(1, 0\) is 0, not the",
    ),
    (("protocol_error_private", "statement", "protocol", "alice", 1, ["1/4", "1/2"]), r"sum to 1"),
    (
        ("protocol_error_private", "statement", "protocol", "bob", 0, 0, "1/4"),
        r"\(0, 0\) is 1/4, above",
    ),
]
HYPOTHESES = ("statement", "hypotheses")
TREES = ("branching", "upper", "trees")
REPRESENTATIONS = [
    (("deterministic_representation", *HYPOTHESES, []), r"must hold at least one row"),
    (
        ("deterministic_representation", *HYPOTHESES, 0, "0000"),
        r"must be a text of 3 characters of 01, not '0000'",
    ),
    (("deterministic_representation", "lower", "concept", 1), r"hypothesis 0 is 1/4, below the st"),
    (("deterministic_representation", "lower", "distribution", 1, "1/2"), r"sum to 1, not 5/4"),
    (
        ("deterministic_representation", "upper", "weights", 2, ["1", "0"]),
        r"^upper.weights\[2\]: the weighted disagreement on point 2 is 1, above the stated 1/2",
    ),
    (("branching", "statement", "support", 0, "weight", "1/4"), r"must sum to 1, not 11/12"),
    (
        ("branching", "lower", "distribution", ["0", "1", "0"]),
        r"sets that fail is 0, not the stated",
    ),
    (
        (*TREES, 0, [{"blocked": [[0, 1, "1"]]}, "small"]),
        r"trees\[0\]\[0\]: .* point 0 is 1, above",
    ),
    ((*TREES, 0, [{"blocked": [[1, 0, "1"]]}, "small"]), r"set 1 has not been included"),
    ((*TREES, 0, [{"blocked": [[0, 0, "1/2"]]}, "small"]), r"blocked: the weights must sum to 1"),
    ((*TREES, 0, [{"blocked": [[0, 0, "1/2"]] * 2}, "small"]), r"hypothesis 0 of set 0 stands twi"),
    ((*TREES, 0, ["small", "small"]), r"trees\[0\]\[0\]: the weight .* is 1, above the stated 2/3"),
    ((*TREES, 0, "tiny"), r"trees\[0\]: must be one of small, not 'tiny'"),
    ((*TREES, 0, [[[[1, 2], "small"], "small"], "small"]), r"all 3 sets are decided already"),
    ((*TREES, 0, ["small"]), r"trees\[0\]: must have 2 entries, not 1"),
    ((*TREES, 0, 7), r"trees\[0\]: must be a list, not 7"),
    ((*TREES, 0, nested(5000)), r"trees\[0\]: must have 2 entries, not 1"),
    (("selection", "upper", "method", "hope"), r"must be one of selection, branching, not 'hope'"),
    (("selection", "statement", "error", "1/4"), r"Markov's inequality is 1, above the stated 1/2"),
    (("selection", "statement", "error", "0"), r"Markov's inequality is 1, above the stated 1/2"),
    (
        ("selection", "upper", "selections", 0, 0, ["0", "1", "0"]),
        r"^upper.selections\[0\]: the fai",
    ),
    (("selection", "upper", "selections", 0, 0, ["1", "0"]), r"must have 3 entries, not 2"),
]
ALTERED = ENVELOPE + DIMENSIONS + COMMUNICATION + REPRESENTATIONS


@pytest.mark.parametrize(
    ("change", "reason"), ALTERED, ids=[".".join(map(str, change[:-1])) for change, _ in ALTERED]
)
def test_altered_certificate_is_rejected_for_the_right_reason(change, reason):
    with pytest.raises(Rejected, match=reason):
        check(altered(*change))


@pytest.mark.parametrize(
    "value", [None, True, 1, 0.5, "text", [], {}, nested(5000), {1: 2}, object()]
)
def test_any_value_that_is_no_certificate_is_rejected(value):
    with pytest.raises(Rejected, match=r"^certificate: "):
        check(value)


def test_shattered_set_above_the_stated_bound_is_found():
    both = altered("vc_dimension", "instance", "rows", ["0011", "0111", "0001", "0000"])
    both |= {"statement": {"lower": None, "upper": 0}, "lower": None}
    with pytest.raises(
        Rejected, match=r"^upper: points \[1\] is shattered: 1 is above the stated 0"
    ):
        check(both)


def test_numbers_as_long_as_the_limit_are_no_obstacle():
    deep = altered("littlestone_dimension", "upper", "refutation", 1, "depth", 10**3999)
    with pytest.raises(Rejected, match=r"^upper.refutation: the last entry must refute depth 3 "):
        check(deep)
    near_one = altered("exponential_privacy", "instance", "root", 10**3999)
    assert check(near_one).endswith("delta: exactly 1/8")  # whatever the root is


def test_numbers_too_long_to_print_are_described():
    big = altered("vc_dimension", "statement", "lower", 10**5000)
    with pytest.raises(Rejected, match=r"lower a number of 16610 bits is above upper 1"):
        check(big)
    primes = [f"1/{10**3999 + n}" for n in (1, 3)]
    with pytest.raises(Rejected, match=r"must sum to 1, not a number of \d+ bits"):
        check(altered("matrix_game", "lower", "row_strategy", primes))


def test_more_weighted_rows_than_the_limit_are_refused():
    n = kernel.communication.MAX_WEIGHTED_ROWS + 1
    rows = ["".join("01"[x == y] for y in range(n)) for x in range(n)]
    problem = {"type": "communication problem", "name": "equality", "rows": rows}
    made = certificate("minimax_error") | {
        "instance": problem | {"alice": list(range(n)), "bob": list(range(n))},
        "statement": {"lower": "1/9", "upper": None, "messages": 3, "coins": "public"},
        "lower": {"distribution": {"total": n, "weights": [[x, x, 1] for x in range(n)]}},
        "upper": None,
    }
    with pytest.raises(Rejected, match=r"lower.distribution: 17 rows have weight, at most 16 are"):
        check(made)


def test_one_class_of_many_rows_and_columns_is_recomputed_at_once():
    rows = ["01" * 8] * 200 + ["10" * 8] * 100
    weights = [[x, y, 1] for x in range(300) for y in range(16)]
    made = certificate("distributional_error") | {
        "instance": problem_part(rows).value,
        "statement": {
            "lower": "1/3",
            "upper": None,
            "messages": 1,
            "distribution": {"total": 4800, "weights": weights},
        },
        "lower": {},
        "upper": None,
    }
    assert check(made).endswith("with 1 messages: at least 1/3")


# --- Every form of a proof, as stored ----------------------------------------------------------

FORMS = CORPUS.parent / "forms"
REASONS = json.loads((FORMS / "rejected" / "reasons.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("path", sorted((FORMS / "accepted").glob("*.json")), ids=lambda p: p.stem)
def test_stored_form_is_accepted(path):
    assert check(read(path)).startswith(tuple(kernel.KINDS))


@pytest.mark.parametrize("name", REASONS)
def test_stored_fault_is_rejected_for_its_reason(name):
    with pytest.raises(Rejected, match=f"^{re.escape(REASONS[name])}$"):
        check(read(FORMS / "rejected" / f"{name}.json"))


def test_every_kind_is_stored_accepted_and_rejected():
    assert {path.stem for path in (FORMS / "rejected").glob("*.json")} == {*REASONS, "reasons"}
    for stored in ((CORPUS, FORMS / "accepted"), (FORMS / "rejected",)):
        files = [path for folder in stored for path in folder.glob("*.json")]
        assert {read(path).get("kind") for path in files} - {None} == set(kernel.KINDS)


# --- Every number of a proof matters -----------------------------------------------------------

SIZE_TREE = "deterministic_representation_size: lower.tree"
STILL_TRUE = {
    *(
        f"{kind}: lower.neighbourhoods[{f}][1][{x}]"
        for kind in ("least_failure", "probabilistic_representation_size")
        for f in range(2)
        for x in range(2)
    ),
    *(f"probabilistic_representation_size: lower.weights[{i}]" for i in range(2)),
    # The distance of two targets is the same both ways.
    "packing: lower.center",
    "packing_proper: lower.center",
    # Both examples contradict each other on either point: the laws are equal.
    "privacy: lower.database",
    # No hypothesis is in two neighbourhoods, whatever their weights, even with more of one point.
    *(f"{SIZE_TREE}.weights[0][{i}]" for i in range(2)),
    *(f"{SIZE_TREE}.branches[0][1].weights[{i}][1]" for i in range(2)),
    *(
        f"deterministic_representation_size: lower.neighbourhoods[{f}][1][{x}]"
        for f in range(3)
        for x in range(3)
    ),
    # Five messages reach error 0 as four do.
    "minimax_error_deterministic: statement.messages",
    # Every concept proves a lower bound of 0.
    "branching_mixed: lower.concept",
    # The protocol errs by 2/9 on every input (by 1/5 on both of a column): each is a witness.
    "protocol_error: lower.input[0]",
    "protocol_error: lower.input[1]",
    "protocol_error_private: lower.input[0]",
    # One more error of weight 1/9 makes 2/9 the 1/3 that is allowed.
    "communication_complexity: upper.protocol.components[0].alice[0]",
    "communication_complexity: upper.protocol.components[2].alice[1]",
    "communication_complexity: upper.protocol.components[4].alice[2]",
    # Wherever that weight lies, one message errs by 2/5.
    "communication_complexity_private: lower.distribution.weights[1][1]",
    # Only ratios of the weights of a separation matter.
    "minimax_error_radon: lower.radon.separations[0][0][1]",
    "minimax_error_radon: lower.radon.separations[1][0][1]",
    # Inputs 1 and 2 of Alice have the same value there, and the box bounds neither.
    "minimax_error_boxes: lower.boxes.nodes[1].weights[1][0]",
    # Any cut of Alice's other laws, and less weight on an envelope, leave both parts as they were.
    "communication_complexity_boxes: lower.boxes.nodes[0][1]",
    "communication_complexity_boxes: lower.boxes.nodes[0][2]",
    "communication_complexity_boxes: lower.boxes.nodes[1].weights[1][3][0]",
    "communication_complexity_boxes: lower.boxes.nodes[2].weights[1][3][0]",
}


def numbers(value, path=()):
    """Yield the path of every integer and every fraction; text rows are no numbers."""
    if isinstance(value, dict):
        for key, part in value.items():
            if key not in ("hypotheses", "pool"):
                yield from numbers(part, (*path, key))
    elif isinstance(value, list):
        for i, part in enumerate(value):
            yield from numbers(part, (*path, i))
    elif isinstance(value, int) or (isinstance(value, str) and is_number(path, value)):
        yield path


def is_number(path, text):
    in_text_row = "bob" in path[-2:]  # a private-coin protocol has one level more
    return not in_text_row and all(part.isdigit() for part in text.split("/"))


def place(path):
    return "".join(f"[{k}]" if isinstance(k, int) else f".{k}" for k in path).removeprefix(".")


MUTATIONS = [
    (name, (side, *path))
    for name in NAMES
    for side in ("statement", "lower", "upper")
    for path in numbers(certificate(name)[side])
]


def plus_one(value):
    return value + 1 if isinstance(value, int) else str(Fraction(value) + 1)


def outcome(name, path, change):
    try:
        check(altered(name, *path, change(at(certificate(name), path))))
    except Rejected:
        return None
    return f"{name}: {place(path)}"


def test_adding_one_to_any_number_is_rejected_unless_still_true():
    assert len(MUTATIONS) > 300
    accepted = {outcome(name, path, plus_one) for name, path in MUTATIONS} - {None}
    assert accepted == STILL_TRUE


def leaves(value, path=()):
    """Yield the path of every number and text inside a value."""
    if isinstance(value, dict | list):
        for key, part in value.items() if isinstance(value, dict) else enumerate(value):
            yield from leaves(part, (*path, key))
    elif value is not None:
        yield path


def distorted(value, rng):
    """Replace a number by another one, one character of a text, or a value by one of any type."""
    if value == "" or rng.random() < 0.2:
        return rng.choice([None, True, 0.5, [], [value], {}, {"kind": value}, "", "1/2", 10**5000])
    if isinstance(value, int | float):
        return rng.choice([-1, 0, 1, 2, value + 1, value - 1, 10**6])
    if re.fullmatch(r"\d+/[1-9]\d*", value) and rng.random() < 0.5:
        return str(Fraction(value) + Fraction(rng.choice([-2, -1, 1, 2]), rng.randint(1, 9)))
    i = rng.randrange(len(value))
    return value[:i] + rng.choice("0123456789/*-{a") + value[i + 1 :]


def test_distorted_certificates_are_accepted_or_rejected_and_nothing_else():
    rng = random.Random(2026)
    verdicts = []
    for _ in range(300):
        name = rng.choice(NAMES)
        made = certificate(name)
        for _ in range(rng.randint(1, 3)):
            sides = ("statement", "lower", "upper")
            paths = [path for side in sides for path in leaves(made[side], (side,))]
            *path, last = rng.choice(paths)
            part = at(made, path)
            part[last] = distorted(part[last], rng)
        try:
            verdicts.append(check(made).startswith(("value", *kernel.KINDS)))
        except Rejected as error:
            verdicts.append(not str(error))
    assert len(verdicts) == 300
    assert 0 < sum(verdicts) < 100  # most alterations break the proof


def flipped(row, i):
    return row[:i] + "10"[int(row[i])] + row[i + 1 :]


def test_flipping_any_answer_of_a_tight_protocol_is_rejected():
    count = 0
    for c, m in itertools.product(range(6), range(2)):
        path = ("upper", "protocol", "components", c, "bob", m)
        for i in range(3):
            count += 1
            with pytest.raises(Rejected, match=r"^upper.protocol: the error on input"):
                check(
                    altered(
                        "minimax_error", *path, flipped(at(certificate("minimax_error"), path), i)
                    )
                )
    assert count == 36


# --- Recomputations against their definitions --------------------------------------------------


def partition_cost(rows, weights, k):
    """Least cost over all maps of the rows to k classes: the definition."""
    columns = range(len(rows[0]))

    def cost(members):
        return sum(
            min(sum(weights[x][y] for x in members if rows[x][y] == bit) for bit in "01")
            for y in columns
        )

    assignments = itertools.product(range(k), repeat=len(rows))
    return min(
        sum(cost([x for x, c in enumerate(classes) if c == label]) for label in range(k))
        for classes in assignments
    )


def problem_part(rows):
    labels = {"alice": list(range(len(rows))), "bob": list(range(len(rows[0])))}
    named = {"type": "communication problem", "name": "random", "rows": rows}
    return kernel.parts.Part(named | labels)


@pytest.mark.parametrize("choices", [0, MAX_CHOICES])  # by partitions, or by Bob's answers
@pytest.mark.parametrize("seed", range(40))
def test_least_error_equals_minimum_over_all_protocols(seed, choices, monkeypatch):
    monkeypatch.setattr(kernel.communication, "MAX_CHOICES", choices)
    rng = random.Random(seed)
    n, m, k = rng.randint(2, 6), rng.randint(1, 5), rng.randint(1, 4)
    rows = ["".join(rng.choice("01") for _ in range(m)) for _ in range(n)]
    weights = [[rng.randint(0, 4) for _ in range(m)] for _ in range(n)]
    weights[0][0] += 1
    law = {(x, y): weights[x][y] for x in range(n) for y in range(m) if weights[x][y]}
    part = problem_part(rows)
    found = kernel.communication._least_error(
        part, law, kernel.instances.Matrix.read(part, kernel.instances.PROBLEM), k
    )
    assert found == Fraction(partition_cost(rows, weights, k), sum(law.values()))


@pytest.mark.parametrize("seed", range(60))
def test_conflict_free_split_exists_iff_some_assignment_has_no_conflict(seed):
    rng = random.Random(seed)
    n, m, k = rng.randint(2, 6), rng.randint(1, 4), rng.randint(1, 4)
    rows = ["0" * m, *("".join(rng.choice("01*") for _ in range(m)) for _ in range(n - 1))]
    part = problem_part(rows)
    exists = any(
        all(
            classes[x] != classes[z] or {a, b} != {"0", "1"}
            for x, z in itertools.combinations(range(n), 2)
            for a, b in zip(rows[x], rows[z], strict=True)
        )
        for classes in itertools.product(range(k), repeat=n)
    )
    assert (
        conflict_free(part, kernel.instances.Matrix.read(part, kernel.instances.PROBLEM), k)
        == exists
    )


@pytest.mark.parametrize("seed", range(30))
def test_vc_upper_bound_is_accepted_iff_no_larger_set_is_shattered(seed):
    rng = random.Random(seed)
    m = rng.randint(1, 5)
    rows = sorted({"".join(rng.choice("01") for _ in range(m)) for _ in range(rng.randint(1, 14))})
    labels = {"points": list(range(m)), "concepts": list(range(len(rows)))}
    C = {"type": "concept class", "name": "random", "rows": rows} | labels
    duals = ["".join(column) for column in zip(*rows, strict=True)]
    for kind, vc in (
        ("vc_dimension", shattered_size(rows)),
        ("dual_vc_dimension", shattered_size(duals)),
    ):
        made = certificate(kind) | {"instance": C, "lower": None}
        assert check(made | {"statement": {"lower": None, "upper": vc}}).endswith(f"at most {vc}")
        with pytest.raises(Rejected, match=rf"is shattered: {vc} is above the stated {vc - 1}"):
            check(made | {"statement": {"lower": None, "upper": vc - 1}})


def refutation(rows, depth, space=(), entries=None):
    """Write the refutation that restricts to the label of smaller dimension, right or wrong."""
    entries = [] if entries is None else entries
    left = [row for row in rows if all(row[x] == str(b) for x, b in space)]
    steps = []
    for x in range(len(rows[0])):
        parts = [[row for row in left if row[x] == bit] for bit in "01"]
        if min(map(len, parts)) >= 2 ** (depth - 1):
            b = min((0, 1), key=lambda bit: mistake_bound(tuple(parts[bit])))
            refutation(rows, depth - 1, (*space, (x, b)), entries)
            steps.append([x, b, len(entries) - 1])
    entries.append(entry([list(pair) for pair in space], depth, *steps))
    return entries


@pytest.mark.parametrize(("points", "concepts"), [((2, 5), 14), ((20, 24), 5)])  # more columns
@pytest.mark.parametrize("seed", range(30))
def test_refutation_is_accepted_iff_the_dimension_is_below_its_depth(seed, points, concepts):
    rng = random.Random(seed)
    m = rng.randint(*points)
    rows = sorted(
        {"".join(rng.choice("01") for _ in range(m)) for _ in range(rng.randint(2, concepts))}
    )
    labels = {"points": list(range(m)), "concepts": list(range(len(rows)))}
    C = {"type": "concept class", "name": "random", "rows": rows} | labels
    made = certificate("littlestone_dimension") | {"instance": C, "lower": None}
    d = mistake_bound(tuple(rows))

    def claim(upper, entries):
        return made | {
            "statement": {"lower": None, "upper": upper},
            "upper": {"refutation": entries},
        }

    assert check(claim(d, refutation(rows, d + 1))).endswith(f"at most {d}")
    with pytest.raises(Rejected, match=r"^upper.refutation\[0\]"):
        check(claim(d - 1, refutation(rows, d)))


# --- Files -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", r"row 1, column 1: not JSON"),
        ('{"a": }', r"row 1, column 7: not JSON"),
        ('{"a": 0.5, "b": }', r"row 1, column 17: not JSON"),
        ("[" * 2001 + "]" * 2001, r"nested 2001 levels deep, the limit is 2000"),
        ("[" * 100_000, r"nested 100000 levels deep, the limit is 2000"),
        ('"' + '\\"' * 2000, r"not JSON: Unterminated string"),
        (b"\xff{}", r"can't decode byte 0xff in position 0"),
    ],
    ids=lambda value: repr(value[:20]),
)
def test_unreadable_file_is_named_with_its_fault(tmp_path, text, reason):
    file = tmp_path / "bad.json"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(Unreadable, match=rf"bad\.json: .*{reason}"):
        read(file)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('{"a": 1, "b": {"c": 1, "c": 1}}', r"key 'c' stands twice in one object"),
        ('{"{}": 1, "{}": 1}', r"key '{}' stands twice in one object"),
        ('{"a": NaN}', r"numbers are integers of at most 4000 digits, not 'NaN'"),
        ('{"a": -Infinity}', r"not '-Infinity'"),
        ('{"a": 0.5}', r"not '0.5'"),
        ('{"a": 1e3}', r"not '1e3'"),
        ('{"a": -' + "9" * 4001 + "}", r"not '-9*'\.\.\. of 4002 characters"),
        ("[0.5]", r"not '0.5'"),
        ("[]", r"must be an object, not a list"),
    ],
    ids=lambda value: repr(value[:20]),
)
def test_json_that_is_no_certificate_is_rejected(tmp_path, text, reason):
    file = tmp_path / "bad.json"
    file.write_text(text)
    with pytest.raises(Rejected, match=rf"^certificate: .*{reason}$"):
        read(file)


def test_integer_of_as_many_digits_as_the_limit_is_read(tmp_path):
    file = tmp_path / "long.json"
    file.write_text('{"a": -' + "9" * 4000 + "}")
    assert read(file) == {"a": 1 - 10**4000}


def test_missing_file_directory_and_large_file_are_unreadable(tmp_path):
    with pytest.raises(Unreadable, match=r"none\.json: No such file"):
        read(tmp_path / "none.json")
    with pytest.raises(Unreadable, match=r"not a regular file of at most 268435456 bytes"):
        read(tmp_path)
    large = tmp_path / "large.json"
    with large.open("wb") as stream:
        stream.truncate(kernel.files.MAX_FILE_BYTES + 1)
    with pytest.raises(Unreadable, match=r"not a regular file of at most 268435456 bytes"):
        read(large)


def test_deep_certificate_is_read_and_rejected_without_recursion(tmp_path):
    limit = sys.getrecursionlimit()
    file = tmp_path / "deep.json"
    text = json.dumps(certificate("littlestone_dimension"))
    tree = "[" * 1900 + "]" * 1900
    file.write_text(text.replace('"tree": [4, [0, 3, 0], [0, 7, 4]]', f'"tree": {tree}'))
    with pytest.raises(Rejected, match=r"^lower.tree: must have 3 entries, not 1"):
        check(read(file))
    assert sys.getrecursionlimit() == limit


def test_file_of_more_values_than_the_limit_is_unreadable(tmp_path):
    file = tmp_path / "many.json"
    file.write_bytes(b"[" + b"0," * kernel.files.MAX_VALUES + b"0]")
    with pytest.raises(Unreadable, match=r"8388609 commas and brackets, the limit is 8388608"):
        read(file)


def test_place_that_is_long_is_abridged():
    part = kernel.parts.Part(0)
    for i in range(2000):
        part = kernel.parts.Part(0, i % 7, part)
    with pytest.raises(Rejected) as caught:
        part.reject("is wrong")
    assert re.fullmatch(r"[][0-6]{50}\.\.\.[][0-6]{50}: is wrong", str(caught.value))


def test_branching_tree_may_be_deep(tmp_path):
    n = 1500
    made = altered("branching", "statement", "error", "0")
    sets = [{"weight": f"1/{n}", "hypotheses": ["100", "010", "001"]}] * n
    made["statement"] |= {"support": sets, "lower": None, "upper": "0"}
    made |= {"lower": None, "upper": {"method": "branching", "trees": ["small"] * 3}}
    trees = []  # written as text, because the writer of JSON recurses
    for f in range(3):
        nodes = [f'[{{"blocked": [[{i}, {f}, "1"]]}}, ' for i in range(n)]
        trees.append("".join(nodes) + '"small"' + "]" * n)
    file = tmp_path / "deep.json"
    file.write_text(json.dumps(made).replace('["small", "small", "small"]', f"[{','.join(trees)}]"))
    assert check(read(file)).endswith("at most 0")


def test_page_of_certificates_names_every_kind_and_limit():
    page = PAGE.read_text(encoding="utf-8")
    limits = (
        2**28,
        2000,
        2**23,
        2**28,
        4000,
        65536,
        16,
        20,
        24,
        25,
        16384,
        1024,
        262144,
        1048576,
        65536,
    )
    assert limits == (
        kernel.files.MAX_FILE_BYTES,
        kernel.files.MAX_DEPTH,
        kernel.files.MAX_VALUES,
        kernel.parts.MAX_WORK,
        kernel.parts.MAX_DIGITS,
        MAX_CHOICES,
        kernel.communication.MAX_WEIGHTED_ROWS,
        kernel.communication.MAX_SUBSET_ROWS,
        MAX_COLOURED_ROWS,
        kernel_partitions.MAX_ROWS,
        kernel_partitions.MAX_ELEMENTS,
        kernel_partitions.MAX_PROFILES,
        kernel_partitions.MAX_ORBITS,
        kernel_partitions.MAX_CLASSES,
        kernel_partitions.MAX_CASES,
    )
    assert [f"| {limit} |" in page for limit in limits[1:]] == [True] * 14
    assert "| 2^28 (256 MiB) |" in page
    assert [kind for kind in kernel.KINDS if f"`{kind}`" not in page] == []


# --- A base that stands alone ------------------------------------------------------------------


def run(*paths, kernel=KERNEL):
    command = [sys.executable, "-I", "-S", str(kernel), *map(str, paths)]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)


def test_kernel_runs_alone_and_prints_one_line_a_file(tmp_path):
    bad = tmp_path / "bad.json"
    bad.write_text(json.dumps(altered("matrix_game", "statement", "upper", "1/6")))
    torn = tmp_path / "torn.json"
    torn.write_text("{")
    good = [CORPUS / f"{name}.json" for name in NAMES]
    accepted = run(*good)
    assert (accepted.returncode, accepted.stderr) == (0, "")
    assert [": proved: " in line for line in accepted.stdout.splitlines()] == [True] * len(good)
    mixed = run(good[0], bad, torn)
    assert mixed.returncode == 4
    first, second, third = mixed.stdout.splitlines()
    assert first.startswith(f"{good[0]}: proved: ")
    assert second.startswith(f"{bad}: rejected: statement.lower: lower 1/5 is above upper 1/6")
    assert third.startswith(f"unreadable: {torn}: row 1, column 2: not JSON")
    assert run(torn).returncode == 2
    assert run().returncode == 2


def test_a_copy_of_the_kernel_under_another_name_checks_every_kind(tmp_path):
    copied = shutil.copytree(KERNEL, tmp_path / "copy")
    found = run(*(CORPUS / f"{name}.json" for name in NAMES), kernel=copied)
    assert (found.returncode, found.stderr) == (0, "")


def test_rejection_by_a_neighbouring_file_is_the_kernels_own(tmp_path):
    bad = tmp_path / "bad.json"
    bad.write_text(json.dumps(altered("vc_dimension", "lower", "points", [4])))
    found = run(bad)
    assert (found.returncode, found.stderr) == (4, "")
    assert found.stdout.startswith(f"{bad}: rejected: lower.points[0]: must be an index below 4")
