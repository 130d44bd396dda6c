"""The page about the Combinatorial Parameters Database: its tables, and the reasons on it."""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import combinations

import pytest

from ccsim import (
    dual_vc_dimension,
    littlestone_dimension,
    query_complexity,
    randomized_littlestone_dimension,
    star_number,
)
from ccsim.budget import Budget
from ccsim.instances import parse_class
from ccsim.interchange.combinatorial_parameters import _thresholds as prove_thresholds
from ccsim.surveys.atlas.query import query_atlas
from ccsim.surveys.atlas.table import atlas, first_isomorphic
from tests.interchange import recorded_values
from tests.interchange.recorded_values import (
    CLASSES,
    FURTHER,
    PAGE,
    RECORDED,
    TABLES,
    WITNESSES,
    differences,
    filled,
    recorded,
    size_of,
)


@pytest.mark.parametrize("name", TABLES)
def test_the_tables_of_the_page_are_those_of_a_comparison(name):
    mark = f"<!-- {name} -->"
    assert f"{mark}\n{TABLES[name]()}\n{mark}" in PAGE.read_text(encoding="utf-8")


def test_the_command_replaces_only_tables(monkeypatch):
    monkeypatch.setattr(recorded_values, "TABLES", {"a": lambda: "new"})
    assert filled("x\n<!-- a -->\nold\n<!-- a -->\ny") == "x\n<!-- a -->\nnew\n<!-- a -->\ny"


def test_the_comparison_notices_another_value(monkeypatch):
    before = differences()
    monkeypatch.setitem(RECORDED["warmuth_c5"], "VC", "3")
    after = differences()
    assert after.keys() - before.keys() == {("warmuth_c5", "VC")}
    assert after["warmuth_c5", "VC"] == {1: (3, 2)}
    assert "`VC = 3`" in recorded_values.table_of_differences()


def test_differences_other_than_four_are_small_members():
    wrong = differences()
    large = {key for key, members in wrong.items() if max(members) > 2}
    assert large == {
        ("tagged_singletons", "S"), ("tagged_singletons", "TD"), ("addressing", "T"),
        ("addressing", "PEQ"),
    }  # fmt: skip
    for key in large:
        assert wrong[key].keys() == CLASSES[key[0]][2].keys()
    for short, shown in wrong.keys() - large:
        for n in wrong[short, shown]:
            C = CLASSES[short][2][n]
            assert min(len(C.rows), len(C.points)) <= 2 or len(C.rows) <= 4


def is_star(C, centre, points):
    """Return whether a centre and its neighbours at some points are traces of the class."""
    traces = {row & sum(1 << x for x in points) for row in C.rows}
    return centre in traces and all(centre ^ 1 << x in traces for x in points)


def test_the_formulas_of_the_page_for_tagged_singletons():
    """The stars and teaching sets that the page describes, for all small ``n``."""
    for n, C in CLASSES["tagged_singletons"][2].items():
        r = (n - 1).bit_length()
        pairs = [row for row in C.rows if row.bit_count() == 2]
        assert sum(row >> n & 1 for row in pairs) == min(n, n // 2 + r + 1) == n
        unused = [n + tag for tag in range(r) if not any(row >> n + tag & 1 for row in pairs)]
        assert is_star(C, 0, [*range(n), *unused])
        assert is_star(C, 1 << n, [*range(n), n])
        assert recorded_values.proved("tagged_singletons", "S")[n] == n + max(1, len(unused))
        assert recorded_values.proved("tagged_singletons", "TD")[n] == n + 1


def test_the_smallest_tagged_singletons_are_the_class_of_the_atlas():
    C = CLASSES["tagged_singletons"][2][2]
    assert first_isomorphic(3, sorted(C.rows)) == 23


@pytest.mark.parametrize("n", [2, 4, 8])
def test_no_chain_of_addressing_is_longer_than_the_page_says(n):
    """By definition, over all sets of points: a chain of ``log2 n + 2`` traces does not exist."""
    C = CLASSES["addressing"][2][n]
    d = n.bit_length()  # log2 n + 1
    for chosen in combinations(range(len(C.points)), d):
        traces = {tuple(row >> x & 1 for x in chosen) for row in C.rows}
        sizes = sorted({sum(trace) for trace in traces})
        if sizes != [*range(d + 1)]:
            continue
        assert not _has_chain(traces, (0,) * d)
    assert recorded("addressing", "T", RECORDED["addressing"]["T"])[n] == d


def _has_chain(traces, trace):
    if trace not in traces:
        return False
    zeros = [i for i, bit in enumerate(trace) if not bit]
    return not zeros or any(
        _has_chain(traces, (*trace[:i], 1, *trace[i + 1 :])) for i in zeros
    )  # fmt: skip


SMALL = [entry for entry in atlas() if entry.points <= 4]


def rows_of(entry):
    return [row for row in range(1 << entry.points) if entry.chosen >> row & 1]


def extended_teaching_dimension(rows, width):
    """Return the number by its definition in the database."""

    def needed(f):
        return min(
            size
            for size in range(width + 1)
            for points in combinations(range(width), size)
            if sum(all((row ^ f) >> x & 1 == 0 for x in points) for row in rows) <= 1
        )

    return max(map(needed, range(1 << width)))


def test_the_classes_whose_extended_teaching_dimension_is_not_the_star_number():
    found = []
    for entry in SMALL:
        dimension = extended_teaching_dimension(rows_of(entry), entry.points)
        assert dimension <= entry.values["star"][0]
        if dimension != entry.values["star"][0]:
            found.append(entry.instance)
    assert (len(found), found[0]) == (11, "some_functions:n=4,chosen=1091")
    assert query_atlas("star > membership_queries").matches[0].instance == found[0]
    C = parse_class(found[0])
    for result, value in ((star_number(C), 3), (query_complexity(C, "membership"), 2)):
        result.check()
        assert result.value == value
    assert extended_teaching_dimension(C.rows, 4) == 2


def test_other_relationships_of_the_database_hold_for_small_classes():
    relationships = {
        "L >= VC", "star >= VC", "TD >= RTD", "TD >= NCTD", "RTD >= NCTD", "size >= star + 1",
        "L >= EQ", "EQ >= L", "L >= MEQ", "MQ >= MPEQ", "PEQ >= MPEQ", "MPEQ >= MEQ", "PEQ >= EQ",
        "2**MQ >= size", "T >= VC", "RL >= L / 2", "L >= RL", "size >= 4**RL",
        "sign_rank >= dual_VC", "star >= TD",
    }  # fmt: skip
    assert f"compare {len(relationships)} relationships" in PAGE.read_text(encoding="utf-8")
    named = {"VC": "vc", "L": "littlestone", "star": "star", "TD": "teaching",
             "RTD": "recursive_teaching", "NCTD": "no_clash_teaching"}  # fmt: skip
    for entry in SMALL:
        C = parse_class(entry.instance)
        values = {name: entry.values[column][0] for name, column in named.items()}
        values |= {"size": len(C.rows)}
        few = entry.points <= 3
        for name, function in FURTHER.items():
            if name != "sign rank" or few:
                values[name.replace(" ", "_")] = function(C).value
        if few:
            _, T = prove_thresholds(C, Budget())
            RL = randomized_littlestone_dimension(C).value
            values |= {"T": T, "RL": RL, "dual_VC": dual_vc_dimension(C).value}
        for text in relationships:
            if few or not {"T", "RL", "dual_VC"} & {*re.findall(r"\w+", text)}:
                assert eval(text, dict(values)), (entry.instance, text)  # noqa: S307 - our texts


def test_the_smallest_class_whose_average_degree_exceeds_the_no_clash_dimension():
    for entry in SMALL:
        rows = rows_of(entry)
        edges = sum((a ^ b).bit_count() == 1 for a, b in combinations(rows, 2))
        degree = Fraction(2 * edges, len(rows))
        assert degree <= 2 * entry.values["no_clash_teaching"][0]
        if degree > entry.values["no_clash_teaching"][1]:
            break
    assert (entry.instance, degree) == ("some_functions:n=2,chosen=7", Fraction(4, 3))


def test_the_smallest_class_that_needs_fewer_queries_than_its_littlestone_dimension():
    for entry in SMALL:
        C = parse_class(entry.instance)
        dimension = littlestone_dimension(C)
        queries = query_complexity(C, "membership and equivalence")
        if queries.value < dimension.value:
            break
    dimension.check()
    queries.check()
    last = recorded_values.table_of_strict().splitlines()[-1]
    size = f"{entry.points}, {len(C.rows)}"
    assert f"`{entry.instance}` | {size} | {dimension.value}, {queries.value} |" in last


def test_classes_of_the_page_are_classes_of_the_atlas():
    for n, chosen in re.findall(r"some_functions:n=(\d),chosen=(\d+)", PAGE.read_text("utf-8")):
        rows = [row for row in range(1 << int(n)) if int(chosen) >> row & 1]
        assert first_isomorphic(int(n), rows) == int(chosen)


def test_the_lower_bound_for_proper_stable_schemes_of_singletons_is_attained():
    for n, C in CLASSES["singletons"][2].items():  # n = 6 takes two seconds
        assert size_of(C, "psLSC") == n // 2 == -(-(n - 1) // 2)


@pytest.mark.parametrize(
    "number", [53, *(pytest.param(n, marks=pytest.mark.slow) for n in WITNESSES if n != 53)]
)
@pytest.mark.timeout(1200)
def test_no_smaller_class_than_that_of_the_page_is_strict(number):
    one, other, chosen = WITNESSES[number]
    for entry in SMALL:
        if chosen == (entry.points, entry.chosen):
            break
        C = parse_class(entry.instance)
        assert size_of(C, one) == size_of(C, other)
    else:
        assert chosen is None


@pytest.mark.slow
def test_unlabelled_schemes_of_the_class_of_warmuth():
    [C] = CLASSES["warmuth_c5"][2].values()
    assert (size_of(C, "USC"), size_of(C, "sUSC")) == (3, 3)
