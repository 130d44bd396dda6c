"""The page about the Combinatorial Parameters Database: its tables, and the reasons on it."""

from __future__ import annotations

from itertools import combinations

import pytest

from ccsim.interchange import collected_classes
from ccsim.surveys.atlas.table import first_isomorphic
from tests.interchange import recorded_values
from tests.interchange.recorded_values import PAGE, RECORDED, differences, filled, recorded


def test_the_tables_of_the_page_are_those_of_a_comparison():
    text = PAGE.read_text(encoding="utf-8")
    assert filled(text) == text
    assert all(table() in text for table in recorded_values.TABLES.values())


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
        ("tagged_singletons", "star"), ("tagged_singletons", "TD"), ("addressing", "T"),
        ("addressing", "PEQ"),
    }  # fmt: skip
    for key in large:
        assert wrong[key].keys() == collected_classes()[key[0]][2].keys()
    for short, shown in wrong.keys() - large:
        for n in wrong[short, shown]:
            C = collected_classes()[short][2][n]
            assert min(len(C.rows), len(C.points)) <= 2 or len(C.rows) <= 4


def is_star(C, centre, points):
    """Return whether a centre and its neighbours at some points are traces of the class."""
    traces = {row & sum(1 << x for x in points) for row in C.rows}
    return centre in traces and all(centre ^ 1 << x in traces for x in points)


def test_the_formulas_of_the_page_for_tagged_singletons():
    """The stars and teaching sets that the page describes, for all small ``n``."""
    for n, C in collected_classes()["tagged_singletons"][2].items():
        r = (n - 1).bit_length()
        pairs = [row for row in C.rows if row.bit_count() == 2]
        assert sum(row >> n & 1 for row in pairs) == min(n, n // 2 + r + 1) == n
        unused = [n + tag for tag in range(r) if not any(row >> n + tag & 1 for row in pairs)]
        assert is_star(C, 0, [*range(n), *unused])
        assert is_star(C, 1 << n, [*range(n), n])
        assert recorded_values.proved("tagged_singletons", "star")[n] == n + max(1, len(unused))
        assert recorded_values.proved("tagged_singletons", "TD")[n] == n + 1


def test_the_smallest_tagged_singletons_are_the_class_of_the_atlas():
    C = collected_classes()["tagged_singletons"][2][2]
    assert first_isomorphic(3, sorted(C.rows)) == 23


@pytest.mark.parametrize("n", [2, 4, 8])
def test_no_chain_of_addressing_is_longer_than_the_page_says(n):
    """By definition, over all sets of points: a chain of ``log2 n + 2`` traces does not exist."""
    C = collected_classes()["addressing"][2][n]
    d = n.bit_length()  # log2 n + 1
    for chosen in combinations(range(len(C.points)), d):
        traces = {tuple(row >> x & 1 for x in chosen) for row in C.rows}
        sizes = sorted({sum(trace) for trace in traces})
        if sizes != [*range(d + 1)]:
            continue
        assert not _has_chain(traces, (0,) * d)
    assert recorded("addressing", "T")[n] == d


def _has_chain(traces, trace):
    if trace not in traces:
        return False
    zeros = [i for i, bit in enumerate(trace) if not bit]
    return not zeros or any(
        _has_chain(traces, (*trace[:i], 1, *trace[i + 1 :])) for i in zeros
    )  # fmt: skip
