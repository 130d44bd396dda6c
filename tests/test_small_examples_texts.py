"""Small examples of functions of `ccsim.texts` that no other test calls by name."""

from __future__ import annotations

import re

import pytest

from ccsim.errors import DomainError, UnreadableInputError
from ccsim.texts.entries import settled, symbol_of, text_mask
from ccsim.texts.json import table_from_json
from ccsim.texts.labels import as_labels, check_masks, check_sides, is_bit
from ccsim.texts.reading import Ways, name_of_file, refuse_ways, split_ways
from ccsim.texts.tables import Cell, Table, labels_by_side, refuse_record, settled_table


def test_entries_symbol_of():
    from fractions import Fraction

    assert (
        [symbol_of(entry) for entry in (1, False, 1.0, Fraction(0), "1.00e+00", None, "*", -1)]
    ) == ["1", "0", "1", "0", "1", "*", "*", "-"]
    assert ([symbol_of(entry) for entry in (2, 1j, 0j, "yes", "", [1], "01")]) == [
        None,
        None,
        None,
        None,
        None,
        None,
        None,
    ]


def test_entries_settled():
    assert settled(["1-", "--"], lambda *_: ValueError(), "", signs=True) == ("01", "11")


def test_entries_text_mask():
    assert (text_mask("10*", "1"), text_mask("10*", "01")) == (1, 3)


def test_json_table_from_json():
    assert table_from_json({"rows": ["01", [1, None]], "bob": ["u", "v"]}, "f.json", "f").rows == (
        "01",
        "1*",
    )


def test_labels_check_sides():
    with pytest.raises(DomainError, match=re.escape("alice must be a tuple of labels, not a list")):
        check_sides("f", alice=[0, 1])


def test_labels_as_labels():
    assert as_labels([3, "a", (0, 1), 0.5, frozenset({"b", "a"})], "point") == (
        3,
        "a",
        "(0, 1)",
        "0.5",
        "{a, b}",
    )


def test_labels_is_bit():
    assert (is_bit(1), is_bit(2), is_bit([1])) == (True, False, False)


def test_labels_check_masks():
    with pytest.raises(DomainError, match=re.escape("rows must contain only integers, not '2'")):
        check_masks((1, "2"), "rows")


def test_tables_refuse_record():
    with pytest.raises(
        UnreadableInputError,
        match=re.escape("f.csv: row 2, column 3: expected 0 or 1 (the value is not"),
    ):
        refuse_record(Cell("f.csv", 2, 3), "expected 0 or 1")


def test_tables_settled_table():
    assert settled_table(Table("f.npy", "f", ("1-", "--")), signs=True).rows == ("01", "11")


def test_tables_labels_by_side():
    assert labels_by_side({"bob": ["u", "v"]}, (3, 2), "f.json") == (None, ("u", "v"), "problem")


def test_ways_split_ways():
    assert split_ways("had4.npy:signs=yes") == (
        "had4.npy",
        Ways(header=None, index=None, signs=True),
    )
    assert split_ways("C:/data/f.csv")[0] == "C:/data/f.csv"
    with pytest.raises(
        UnreadableInputError,
        match=re.escape("f.csv: unknown option head; known: header, index, signs, form, sets"),
    ):
        split_ways("f.csv:head=yes")


def test_ways_name_of_file():
    assert (name_of_file("f.csv:header=yes"), name_of_file("f.csv")) == ("f.csv", "f.csv")


def test_ways_refuse_ways():
    with pytest.raises(
        UnreadableInputError,
        match=re.escape("f.npy: the option header is allowed only for text files"),
    ):
        refuse_ways(Ways(header=True), "f.npy")
