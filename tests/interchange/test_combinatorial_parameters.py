"""Records of the Combinatorial Parameters Database: fields, and values by definition."""

from __future__ import annotations

import json
import re
from itertools import combinations, permutations

import pytest

from ccsim import DomainError, NotDecidedError, thresholds
from ccsim.classes import ConceptClass
from ccsim.interchange import collected_classes, value_records

SCHEMA = {
    "id": int,
    "name": str,
    "short_name": str,
    "class_id": str,
    "parameter_id": str,
    "value": str,
    "value_class": str,
    "details": str,
    "status": str,
    "proof": str,
    "references": str,
}
"""The columns of data/values/schema.json; the first five are required."""
STATUS = {"established", "conjectured", "open", "needs_verification"}
CLASSES = collected_classes()


@pytest.fixture(scope="module")
def records():
    return {
        short: value_records(short, name, members, variable)
        for short, (name, variable, members) in CLASSES.items()
    }


def traces(C, points):
    return {frozenset(x for x in points if row >> x & 1) for row in C.rows}


def all_sets(C):
    points = range(len(C.points))
    return [s for size in range(len(points) + 1) for s in combinations(points, size)]


def vc(C):
    return max(len(s) for s in all_sets(C) if len(traces(C, s)) == 1 << len(s))


def dual_vc(C):
    columns = [
        sum((row >> x & 1) << i for i, row in enumerate(C.rows)) for x in range(len(C.points))
    ]
    return max(
        size
        for size in range(4)
        for s in combinations(range(len(C.rows)), size)
        if len({tuple(column >> i & 1 for i in s) for column in columns}) == 1 << size
    )


def littlestone(rows, width):
    if len(rows) < 2:
        return 0
    best = 0
    for x in range(width):
        ones = [row for row in rows if row >> x & 1]
        zeros = [row for row in rows if not row >> x & 1]
        if ones and zeros:
            best = max(best, 1 + min(littlestone(ones, width), littlestone(zeros, width)))
    return best


def threshold(C):
    """Return the largest d such that, on some points, every trace {x_1 .. x_k}, k <= d, occurs."""
    return max(
        len(s)
        for s in all_sets(C)
        for order in permutations(s)
        if {frozenset(order[:k]) for k in range(len(s) + 1)} <= traces(C, s)
    )


def star(C):
    return max(
        len(s)
        for s in all_sets(C)
        if any(all(t ^ {x} in traces(C, s) for x in s) for t in traces(C, s))
    )


def teaching(C):
    return max(
        min(len(s) for s in all_sets(C) if sum(not (row ^ r) & mask(s) for r in C.rows) == 1)
        for row in C.rows
    )


def mask(points):
    return sum(1 << x for x in points)


BY_DEFINITION = {
    "size": lambda C: len(C.rows),
    "vc_dimension": vc,
    "dual_vc_dimension": dual_vc,
    "littlestone_dimension": lambda C: littlestone(C.rows, len(C.points)),
    "threshold_dimension": threshold,
    "star_number": star,
    "teaching_dimension": teaching,
}


def values(record):
    """Read the formula of a record: the value of each member."""
    found = {}
    for value, members in re.findall(r"\$(\d+)\$ for \$([^$]*)\$", record["value"]):
        if single := re.fullmatch(r"[nd]=(\d+)", members):
            numbers = [int(single[1])]
        elif run := re.fullmatch(r"(\d+)\\le [nd]\\le (\d+)", members):
            numbers = range(int(run[1]), int(run[2]) + 1)
        else:
            numbers = map(int, re.fullmatch(r"[nd]\\in\\\{([\d,]+)\\\}", members)[1].split(","))
        found |= dict.fromkeys(numbers, int(value))
    return found


def test_the_first_nine_classes_of_the_database_are_there():
    assert list(CLASSES) == [
        "trivial_concepts", "singletons", "full_cube", "singletons_plus_empty_set",
        "halfintervals", "tagged_singletons", "majority", "addressing", "blockwiseaddressing",
    ]  # fmt: skip


def test_records_have_the_fields_of_the_schema(records):
    seen = set()
    for short, of_class in records.items():
        for record in of_class:
            assert list(record) == [name for name in SCHEMA if name in record]
            assert set(list(SCHEMA)[:5]) <= set(record)
            assert all(type(record[name]) is SCHEMA[name] for name in record)
            assert record["class_id"] == f"#classes/{short}"
            parameter = record["parameter_id"].removeprefix("#parameters/")
            assert record["short_name"] == f"{parameter}_{short}"
            assert record["status"] in STATUS
            assert json.loads(json.dumps(record)) == record
            assert set(values(record)) == set(CLASSES[short][2])
            seen.add(parameter)
    assert set(BY_DEFINITION) < seen
    assert len(seen) == 9


@pytest.mark.parametrize("parameter", BY_DEFINITION)
def test_values_are_those_of_the_definitions(records, parameter):
    compared = 0
    for short, (_, _, members) in CLASSES.items():
        [record] = [r for r in records[short] if r["short_name"] == f"{parameter}_{short}"]
        for n, value in values(record).items():
            if len(members[n].points) <= 5 and len(members[n].rows) <= 8:
                assert BY_DEFINITION[parameter](members[n]) == value, (short, n)
                compared += 1
    assert compared >= 25


def test_members_are_those_of_the_definitions():
    members = {short: found[2] for short, found in CLASSES.items()}
    assert members["halfintervals"][3].rows == (1, 3, 7)
    assert members["majority"][3].rows == (0, 1, 2, 4, 11, 13, 14, 15)
    assert [len(C.rows) for C in members["tagged_singletons"].values()] == [4, 6, 7, 9, 10]
    for n, C in members["tagged_singletons"].items():  # one tag each, and tags alone
        assert {(row & (1 << n) - 1).bit_count() for row in C.rows} == {0, 1}
        assert {(row >> n).bit_count() for row in C.rows if row} == {1}
    for n, C in members["addressing"].items():
        assert {row & (1 << n) - 1 for row in C.rows} == {1 << i for i in range(n)}
        assert {row >> n for row in C.rows} == set(range(n))
    [block] = members["blockwiseaddressing"].values()
    assert (len(block.rows), len(block.points)) == (8, 9)
    for side, singles, blocks in ((0, 1, 5), (1, 5, 1)):
        half = [row for row in block.rows if row & 1 == side]
        assert {row >> singles & 15 for row in half} == {1, 2, 4, 8}
        assert {row >> blocks & 15 for row in half} == {0, 5, 10, 15}


def test_what_is_not_known_is_not_recorded():
    with pytest.raises(NotDecidedError, match="is undecided; raise the time limit"):
        value_records("t", "Thresholds", {1: thresholds(3)}, time_limit=0)
    for members in ({}, {1: ConceptClass((), ("c",), (0,))}):
        with pytest.raises(DomainError, match="members must be one or more classes"):
            value_records("t", "Thresholds", members)
