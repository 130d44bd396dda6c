"""Certificates of errors of interactive protocols: against the definitions, and with faults."""

import copy
from fractions import Fraction

import pytest

from ccsim.kernel import Rejected, check
from ccsim.kernel.least_trees import Trees
from ccsim.kernel.rules import WORK, Work
from tests.kernel.made import problem
from tests.kernel.random_interactive import interactive_certificates

EQUALITY = problem("100", "010", "001")
OPPOSITE = problem("01", "10")
ROWS = [["rows", [0]], 1, 0]


def certificate(instance, upper=None, lower=None, bound="0", **statement):
    """Return a certificate of one bound; the kind is that of the statement."""
    kind = "two_way_error" if "rounds" in statement else "simultaneous_error"
    stated = {"lower": bound if lower else None, "upper": bound if upper else None}
    document = {"format": 2, "kind": kind, "instance": instance, "statement": stated | statement}
    return document | {"lower": lower, "upper": upper, "made_by": "hand"}


def protocol(*listed, key="trees", symmetries=()):
    return {"protocol": {"symmetries": [*symmetries], key: [*listed]}}


@pytest.mark.parametrize("seed", range(6))
def test_bounds_are_those_of_the_definitions(seed):
    for document in interactive_certificates(seed, 25):
        assert check(copy.deepcopy(document))
        for side, step in (("lower", Fraction(1, 1000)), ("upper", Fraction(-1, 1000))):
            if (bound := document["statement"][side]) is not None:
                false = copy.deepcopy(document)
                false["statement"][side] = str(Fraction(bound) + step)
                with pytest.raises(Rejected):
                    check(false)


@pytest.mark.parametrize(("bits", "weights", "error"), [(2, (5, 2), "4/15"), (3, (4, 3), "2/19")])
def test_equality_of_six_inputs(bits, weights, error):
    rows = ["".join("01"[x == y] for y in range(6)) for x in range(6)]
    inputs = [[x, y, weights[x != y]] for x in range(6) for y in range(6)]
    lower = {"hard_distribution": {"distribution": inputs}}
    made = certificate(problem(*rows), lower=lower, bound=error, bits=bits, rounds=None)
    assert f"bits {bits}, any number of rounds: at least {error}" in check(made)


def test_a_player_may_hand_over_while_two_rounds_remain():
    """If Bob sends the place, Alice answers with its bit; Alice's first bit would be wasted."""
    words = ["0011", "0101", "0110", "1001", "1010", "1100"]
    rows = [[1 if bit == "1" else -1 for bit in word] for word in words]
    token = WORK.set(Work())
    try:
        trees = Trees([rows, [*zip(*rows, strict=True)]])
        assert trees.table(3, 3, 0, 0, is_wide=False)[-1] == 0
        assert trees.sent(3, 3, 0, 0, is_wide=False)[-1] == 3
    finally:
        WORK.reset(token)


@pytest.mark.parametrize("bits", [3, 4])
def test_eight_inputs_of_each_player_take_few_steps(bits):
    """Three bits take two hundredths of a second, four bits about twice as long."""
    rows = ["".join(str((x & y).bit_count() % 2) for y in range(8)) for x in range(8)]
    inputs = [[x, y, 1 + x * y % 7] for x in range(8) for y in range(8)]
    lower = {"hard_distribution": {"distribution": inputs}}
    left = []
    made = certificate(problem(*rows), lower=lower, bound="1", bits=bits, rounds=None)
    with pytest.raises(Rejected, match="the bound that is proved is"):
        check(made, lambda: left.append(WORK.get().left))
    assert left[0] - left[-1] < 1 << 22


FLIPPED = {"rows": [0, 1], "columns": [1, 0], "flips": "11"}
FAULTS = [
    (EQUALITY, protocol([1, [["rows", [0]], *ROWS, 0]]), (1, None), "at most 1 inner nodes"),
    (
        EQUALITY,
        protocol([1, [["rows", [0]], ["columns", [0]], 1, 0, 0]]),
        (2, 1),
        "a path must have at most 1 rounds",
    ),
    (
        EQUALITY,
        protocol([1, [["rows", [0]], ["columns", [0]], ["rows", [1]], 1, 0, 0, 0]]),
        (3, 2),
        "a path must have at most 2 rounds",
    ),
    (EQUALITY, protocol([1, [["rows", [0]], 1]]), (1, None), "tree is incomplete: 1 cases"),
    (EQUALITY, protocol([1, [0, 1]]), (1, None), "node 1 is superfluous"),
    (EQUALITY, protocol([1, [2]]), (1, None), "index below 2"),
    (EQUALITY, protocol([1, [True]]), (1, None), "index below 2"),
    (EQUALITY, protocol([1, [["rows", [0, 0]], 0, 1]]), (1, None), "an index occurs twice"),
    (EQUALITY, protocol([1, [["bits", [0]], 0, 1]]), (1, None), "must be rows or columns"),
    (EQUALITY, protocol([0, [0]]), (1, None), "must be at least 1, not 0"),
    (EQUALITY, protocol(), (1, None), "at least one protocol must be listed"),
    (
        OPPOSITE,
        protocol([1, [0]], symmetries=[FLIPPED | {"flips": "01", "columns": [0, 1]}]),
        (1, None),
        "the entries of column 1",
    ),
    (
        problem("01", "01"),
        protocol([1, [0]], symmetries=[FLIPPED | {"flips": "00"}]),
        (1, None),
        "the entries of column 0",
    ),
    (EQUALITY, protocol([1, [0]]), (0, 0), "rounds: must be at least 1, not 0"),
    (EQUALITY, protocol([1, [0]]), (-1, None), "bits: must be at least 0, not -1"),
]


@pytest.mark.parametrize(("instance", "upper", "limits", "fault"), FAULTS)
def test_faults_of_trees(instance, upper, limits, fault):
    bits, rounds = limits
    with pytest.raises(Rejected, match=fault):
        check(certificate(instance, upper, bound="1", bits=bits, rounds=rounds))


def test_symmetries_that_flip_some_columns_are_rejected():
    """With an answer that depends on the column, one bit would err on equality with only 1/2."""
    rows = problem("0001", "0010", "0011", "0000")
    one = {"rows": [0, 1, 2, 3], "columns": [0, 1, 2, 3], "flips": "0000"}
    flips = one | {"rows": [1, 0, 3, 2], "flips": "0011"}
    with pytest.raises(Rejected, match="must flip all columns or none"):
        check(certificate(rows, protocol([1, [0]], symmetries=[flips]), bits=0, rounds=None))


TABLES = [
    ([1, [0, 1, 1], [0, 0, 1], ["10", "01"]], 1, "have 2 bits; the limit is 1"),
    ([1, [0, 1, 2], [0, 0, 0], ["1", "0", "1"]], 1, "have 2 bits; the limit is 1"),
    ([1, [0, 2, 1], [0, 0, 1], ["10", "01"]], 2, "must be an index below 2"),
    ([1, [0, 1, 1], [0, 2, 1], ["10", "01"]], 2, "must be an index below 2"),
    ([1, [0, 1], [0, 0, 1], ["10", "01"]], 2, "must have 3 entries, not 2"),
    ([1, [0, 1, 1], [0, 1], ["10", "01"]], 2, "must have 3 entries, not 2"),
    ([1, [0, 1, 1], [0, 0, 1], ["10", "0"]], 2, "must be a text of 2 characters"),
    ([1, [0, 1, 1], [0, 0, 1], ["1*", "01"]], 2, "must be a text of 2 characters"),
    ([1, [0, 0, 0], [0, 0, 0], [""]], 2, "there must be at least one answer"),
    ([1, [0, 0, 0], [0, 0, 0], []], 2, "there must be at least one answer"),
    ([1, [0, 0, 0], [0, 0, 0]], 2, "must have 4 entries, not 3"),
]


@pytest.mark.parametrize(("table", "bits", "fault"), TABLES)
def test_faults_of_tables(table, bits, fault):
    with pytest.raises(Rejected, match=fault):
        check(certificate(EQUALITY, protocol(table, key="tables"), bound="1", bits=bits))


@pytest.mark.parametrize("rounds", [{"rounds": None}, {}])
def test_discrepancy_bounds_errors_from_below(rounds):
    """Half of the inputs have each value, and a rectangle has an excess of at most 1/4."""
    lower = {"discrepancy": {"distribution": [[x, y, 1] for x in (0, 1) for y in (0, 1)]}}
    for bits, bound in ((0, "3/8"), (1, "1/4"), (2, "0"), (2**52, "0")):
        assert check(certificate(OPPOSITE, lower=lower, bound=bound, bits=bits, **rounds))
    with pytest.raises(Rejected, match="the bound that is proved is 1/4"):
        check(certificate(OPPOSITE, lower=lower, bound="1/2", bits=1, **rounds))
