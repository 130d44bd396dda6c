"""Records of the Combinatorial Parameters Database: fields, members and values by definition."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from itertools import combinations, permutations

import pytest

from ccsim import (
    DomainError,
    NotDecidedError,
    UnreadableInputError,
    littlestone_dimension,
    offline_mistakes,
    points,
    query_complexity,
    self_directed_complexity,
    thresholds,
)
from ccsim.classes import ConceptClass
from ccsim.cli.main import main
from ccsim.instances import parse_class
from ccsim.interchange import (
    class_record,
    collected_classes,
    compared_values,
    from_combinatorial_parameters,
    to_combinatorial_parameters,
    value_records,
)
from ccsim.texts.class_records import words_of

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


def number(text):
    """Read a number in TeX."""
    up, down = re.fullmatch(r"(?:\\frac\{)?(\d+)(?:\}\{(\d+)\})?", text).groups("1")
    return Fraction(int(up), int(down))


def values(record):
    """Read the formula of a record: the value of each member."""
    if single := re.fullmatch(r"\$([^$]+)\$", record["value"]):
        return {1: number(single[1])}
    found = {}
    for value, members in re.findall(r"\$([^$]+)\$ for \$([^$]*)\$", record["value"]):
        if single := re.fullmatch(r"[a-z]=(\d+)", members):
            numbers = [int(single[1])]
        elif run := re.fullmatch(r"(\d+)\\le [a-z]\\le (\d+)", members):
            numbers = range(int(run[1]), int(run[2]) + 1)
        else:
            numbers = map(int, re.fullmatch(r"[a-z]\\in\\\{([\d,]+)\\\}", members)[1].split(","))
        found |= dict.fromkeys(numbers, number(value))
    return found


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
    assert len(seen) == 10


@pytest.mark.parametrize("parameter", BY_DEFINITION)
def test_values_are_those_of_the_definitions(records, parameter):
    compared = 0
    for short, (_, _, members) in CLASSES.items():
        [record] = [r for r in records[short] if r["short_name"] == f"{parameter}_{short}"]
        for n, value in values(record).items():
            if len(members[n].points) <= 5 and len(members[n].rows) <= 8:
                assert BY_DEFINITION[parameter](members[n]) == value, (short, n)
                compared += 1
    assert compared >= 75


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


def sets_of(short, n):
    """Return a member as a set of sets of points, counted from 1."""
    C = CLASSES[short][2][n]
    return {frozenset(x for x in C.points if row >> x - 1 & 1) for row in C.rows}


def subsets(points):
    return {frozenset(s) for size in range(len(points) + 1) for s in combinations(points, size)}


def test_members_of_later_families_are_those_of_the_definitions():
    three = subsets(range(1, 4))
    assert sets_of("middle_layers", 1) == {s for s in three if len(s) in {1, 2}}
    assert sets_of("even_parity_class", 3) == {s for s in three if len(s) % 2 == 0}
    assert sets_of("antipodally_punctured_cube", 3) == three - {frozenset(), frozenset({1, 2, 3})}
    assert sets_of("cube_with_apex", 3) == three | {frozenset({4})}
    assert sets_of("common_core_singletons", 3) == {frozenset({1, i}) for i in (2, 3, 4)}
    assert sets_of("common_core_cube", 2) == {s | {1} for s in subsets((2, 3))}
    full = frozenset({1, 2, 3, 4})
    assert sets_of("singleton_cosingleton", 4) == {
        s for s in subsets(full) if len(s) in {1, 3}
    }  # fmt: skip
    for n, C in CLASSES["universal_class"][2].items():
        columns = {tuple(row >> x & 1 for row in C.rows) for x in range(len(C.points))}
        assert (len(C.rows), len(C.points), len(columns)) == (n, 2**n, 2**n)
    for n, C in CLASSES["coded_singletons"][2].items():
        assert {row & (1 << n) - 1 for row in C.rows} == {0, *(1 << i for i in range(n))}
        assert len({row >> n for row in C.rows}) == n + 1 == len(C.rows)
        assert len(C.points) == n + n.bit_length()
    for n, C in CLASSES["private_coordinate_cube"][2].items():
        assert {row & (1 << n) - 1 for row in C.rows} == {*range(1 << n)}
        assert {row >> n for row in C.rows} == {1 << v for v in range(1 << n)}
    for n, C in CLASSES["repeated_coordinate_cube"][2].items():
        copies = 1 << n - 1
        assert {row & copies - 1 for row in C.rows} == {*range(copies)}
        assert {row >> n - 1 for row in C.rows} == {0, (1 << copies) - 1}
        assert (len(C.rows), len(C.points)) == (2**n, n - 1 + copies)
    for p, C in CLASSES["quadratic_residue_tournament_classes"][2].items():
        beats = {(a, b) for a, row in enumerate(tournament(p)) for b in range(p) if row >> b & 1}
        assert all(((a, b) in beats) != ((b, a) in beats) for a, b in combinations(range(p), 2))
        assert {*tournament(p)} == {*C.rows}


def tournament(p):
    squares = {pow(x, 2, p) for x in range(1, p)}
    return [sum(1 << b for b in range(p) if (a - b) % p in squares) for a in range(p)]


def test_members_of_single_classes_are_those_of_the_definitions():
    cyclic = {
        tuple(int(x) for x in word)
        for word in ("".join(w) for w in permutations("1001x"))
        for word in (word.replace("x", "0"), word.replace("x", "1"))
    }
    expected = {
        w for w in cyclic
        if any([w[(s + i) % 5] for i in range(4)] == [1, 0, 0, 1] for s in range(5))
    }  # fmt: skip
    [C] = CLASSES["warmuth_c5"][2].values()
    assert {tuple(row >> x & 1 for x in range(5)) for row in C.rows} == expected
    [split] = CLASSES["balanced_six_split"][2].values()
    assert (len(split.rows), len(split.points)) == (6, 10)
    assert [sum(row >> x & 1 for row in split.rows) for x in range(10)] == [3] * 10
    assert len({tuple(row >> x & 1 for row in split.rows) for x in range(10)}) == 10
    [K] = CLASSES["k4_incidence_with_empty"][2].values()
    assert sorted(row.bit_count() for row in K.rows) == [0, 3, 3, 3, 3]
    assert {sum(row >> x & 1 for row in K.rows) for x in range(6)} == {2}
    assert len({tuple(row >> x & 1 for row in K.rows) for x in range(6)}) == 6


@pytest.mark.parametrize(
    ("definition", "words"),
    [
        (r"On three coordinates, let $\mathcal C=\{001,010,100\}$, in order.", "001 010 100"),
        (r"let C consist of the four strings 001, 010, 011, and 100.", "001 010 011 100"),
        (r"the three words $01$, $10$ and $11$", "01 10 11"),
        (r"$$C=\{\mathtt{0000},\mathtt{1111}\},$$ where", "0000 1111"),
        (r"Let $C=\{0010,1000\}$. Its projection is $\{00,11\}$, say.", "0010 1000"),
        ("consists of the 1 string 0110.", "0110"),
        ("consists of the 2 strings 0, 1.", "0 1"),
    ],
)
def test_definitions_that_list_words_are_read(definition, words):
    assert words_of(definition, "file") == tuple(words.split())


@pytest.mark.parametrize(
    ("definition", "reason"),
    [
        ("", "does not list the concepts"),
        (r"On $\{0,1,\ldots,n\}$, all subsets.", "does not list the concepts"),
        ("on four positions its values are $1,0,0,1$ in that order", "does not list the concepts"),
        ("then the fixed word 00110011, then free coordinates", "does not list the concepts"),
        ("the words 00, 01 or the words 10, 11", "several lists"),
        (r"$\{00,01,111\}$", "differ in length"),
        (r"$\{00,01,00\}$", "lists a word twice"),
        ("the four strings 00, 01, 11", "announces four words and lists 3"),
        ("the 4 strings 00, 01, 11", "announces 4 words and lists 3"),
    ],
)
def test_other_definitions_are_refused(definition, reason):
    with pytest.raises(UnreadableInputError, match=reason):
        words_of(definition, "file")


@pytest.mark.parametrize(
    "definition",
    [
        "00," + "0" * 10**6 + "2",
        "00," * 10**6 + "2",
        "00" + " " * 10**6,
        "00," + " " * 10**6 + "2",
        "0 " * 10**6,
        "one string " * 10**5,
        "one string 0" + "1" * 10**6 + "2",
        "\\mathtt{" * 10**5,
    ],
    ids=range(8),
)
def test_long_definitions_are_refused(definition):
    """In linear time: a quadratic search would take hours."""
    with pytest.raises(UnreadableInputError):
        words_of(definition, "file")


@pytest.mark.parametrize("short", CLASSES)
def test_a_class_is_read_again_from_its_record(short, tmp_path):
    for n, C in CLASSES[short][2].items():
        record = class_record(C, f"{short}_{n}", "A class")
        to_combinatorial_parameters({"classes": [record]}, tmp_path)
        read = parse_class(f"@{tmp_path}/classes/100000_{short}_{n}.json")
        assert (read.rows, len(read.points), read.name) == (
            C.rows,
            len(C.points),
            f"{short}_{n}",
        )


def test_a_database_is_read_as_it_was_written(tmp_path):
    tables = {
        "classes": (class_record(points(2), "points", number=7),),
        "parameters": ({"id": 67, "short_name": "", "monotonic": False, "more": {"a": [1]}},),
        "values": tuple(value_records("points", "Points", {1: points(2)}, "")),
        "relationships": ({"id": 1, "short_name": "a_b", "witness": "#classes/points"},),
    }
    to_combinatorial_parameters(tables, tmp_path / "data")
    (tmp_path / "data" / "classes" / "schema.json").write_text("{}")
    for folder in (tmp_path, str(tmp_path / "data")):
        assert from_combinatorial_parameters(folder) == tables


@pytest.mark.parametrize(
    ("tables", "reason"),
    [
        ({"others": ()}, "tables must be classes"),
        ({"classes": ({"short_name": "a"},)}, "must have a number id"),
        ({"classes": ({"id": 1, "short_name": "../a"},)}, "must have a number id"),
        ({"classes": ({"id": True, "short_name": "a"},)}, "must have a number id"),
    ],
)
def test_other_tables_are_not_written(tables, reason, tmp_path):
    with pytest.raises(DomainError, match=reason):
        to_combinatorial_parameters(tables, tmp_path)


def test_other_folders_are_refused(tmp_path):
    with pytest.raises(UnreadableInputError, match="expected a folder with one of classes"):
        from_combinatorial_parameters(tmp_path)
    (tmp_path / "values").mkdir()
    (tmp_path / "values" / "001_a.json").write_text("[]")
    with pytest.raises(UnreadableInputError, match="expected a JSON object with a number id"):
        from_combinatorial_parameters(tmp_path)


@pytest.mark.parametrize("key", ["class_id", "parameter_1_id", "category"])
def test_records_of_other_tables_are_no_classes(key, tmp_path):
    file = tmp_path / "record.json"
    file.write_text(json.dumps({"id": 1, "short_name": "a", "definition": "", key: "b"}))
    with pytest.raises(UnreadableInputError, match="expected a class, found "):
        parse_class(f"@{file}")


def test_values_are_compared_with_proved_ones():
    C = parse_class("random:m=9,n=5,seed=4")
    values = value_records("c", "C", {1: C}, "")
    tables = {"classes": [class_record(C, "c")], "values": values}
    assert [found.agrees for found in compared_values(tables)] == [True] * len(values)
    wrong = [dict(record, value=f"${number(record['value'].strip('$')) + 1}$") for record in values]
    found = compared_values(dict(tables, values=wrong))
    assert [each.agrees for each in found] == [False] * len(values)
    assert all(each.recorded == each.lower + 1 == each.upper + 1 for each in found)
    others = [dict(record, value="$n$") for record in values]
    assert compared_values(dict(tables, values=others)) == ()
    assert compared_values({"values": values}) == ()
    stopped = compared_values(tables, time_limit=0)
    assert {each.agrees for each in stopped} == {True, None}


def test_further_parameters_are_compared():
    """The class that the page has for labelled and for proper stable schemes without labels."""
    C = parse_class("some_functions:n=4,chosen=1641")
    expected = {
        "sign_rank": 3,
        "membership_query_complexity": query_complexity(C, "membership").value,
        "equivalence_queries_complexity": littlestone_dimension(C).value,
        "selfdirected_queries_complexity": self_directed_complexity(C).value,
        "best_mistakes": offline_mistakes(C, "best").value,
        "worst_mistakes": offline_mistakes(C, "worst").value,
        "labeled_sample_compression": 1,
        "proper_labeled_sample_compression": 2,
        "proper_unlabeled_sample_compression": 2,
        "proper_stable_sample_compression": 3,
    }
    values = [
        {"class_id": "#classes/c", "parameter_id": f"#parameters/{name}", "value": f"${value}$"}
        for name, value in expected.items()
    ]
    found = compared_values({"classes": [class_record(C, "c")], "values": values})
    assert [(each.parameter, each.agrees) for each in found] == [(name, True) for name in expected]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("$2$", 2), ("2", 2), (r"$\frac{13}{8}$", "13/8"), (r"$\frac34$", "3/4"), ("1/2", "1/2"),
        (r"$\tfrac12$", "1/2"),
    ],
)  # fmt: skip
def test_numbers_are_read_from_values(text, value):
    C = parse_class("all_functions:n=2")
    record = {"class_id": "#classes/c", "parameter_id": "#parameters/vc_dimension", "value": text}
    [found] = compared_values({"classes": [class_record(C, "c")], "values": [record]})
    assert found.recorded == Fraction(value)


@pytest.mark.parametrize(
    "text", ["$n$", "", "$n/2$", r"$\Theta(1)$", "$2^n$", "1/0", None, 2, "-1"]
)
def test_formulas_are_no_numbers(text):
    C = parse_class("all_functions:n=2")
    record = {"class_id": "#classes/c", "parameter_id": "#parameters/vc_dimension", "value": text}
    assert compared_values({"classes": [class_record(C, "c")], "values": [record]}) == ()


def test_the_command_writes_a_class_with_its_values(tmp_path, capsys):
    folder = tmp_path / "records"
    assert main(["export", "lines:p=2", "--to", "records", "--out", str(folder)]) == 0
    assert "values    10" in capsys.readouterr().out
    tables = from_combinatorial_parameters(folder)
    assert [len(tables[name]) for name in ("classes", "values")] == [1, 10]
    assert all(found.agrees for found in compared_values(tables))
    file = next((folder / "classes").iterdir())
    assert main(["dims", f"@{file}"]) == 0
    assert "lines_p_2: 4 concepts over 4 points" in capsys.readouterr().out
    assert main(["export", "lines:p=2", "--to", "records", "--out", str(folder)]) == 2


def test_what_is_not_known_is_not_recorded():
    with pytest.raises(NotDecidedError, match="is undecided; raise the time limit"):
        value_records("t", "Thresholds", {1: thresholds(3)}, time_limit=0)
    for members in ({}, {1: ConceptClass((), ("c",), (0,))}):
        with pytest.raises(DomainError, match="members must be one or more classes"):
            value_records("t", "Thresholds", members)
