"""Reading rows in blocks gives the same rows and errors for every size of a block."""

import pytest

from ccsim.budget import Budget
from ccsim.errors import UnreadableInputError
from ccsim.instances.records import read_records
from ccsim.texts import csv as module

TEXTS = {
    "plain": "a,b\n1,2\n3,4\n5,6\n",
    "one column": "1\n2\n 3 \n4\n",
    "blanks at the end": "1\n2\n\n \n\n",
    "a blank line": "1\n2\n\n4\n5\n",
    "quoted empty cells": '1\n""\n3\n',
    "a quote that does not end": '1\n2\n3\n"4\n5\n',
    "a quote that does not end behind a blank line": '1\n\n"4\n5\n',
}


def rows(text):
    found = []
    try:
        found.extend(module.numbered_rows(text.encode(), "f.csv"))
    except UnreadableInputError as error:
        found.append(str(error))
    return found


@pytest.mark.parametrize("name", TEXTS)
@pytest.mark.parametrize("size", [1, 2, 3])
def test_the_size_of_a_block_changes_nothing(monkeypatch, name, size):
    whole = rows(TEXTS[name])
    monkeypatch.setattr(module, "_BLOCK", size)
    assert rows(TEXTS[name]) == whole


def test_rows_are_numbered_and_stripped():
    assert rows(TEXTS["one column"]) == [(1, ["1"]), (2, ["2"]), (3, ["3"]), (4, ["4"])]
    assert "row 3" in rows(TEXTS["a blank line"])[2]
    assert "row 4" in rows(TEXTS["a quote that does not end"])[3]


def number(text):
    return int(text) if text.isdigit() and int(text) < 10 else None


@pytest.mark.parametrize("size", [1, 2, 3, 100])
def test_the_first_record_that_is_none_is_named(monkeypatch, tmp_path, size):
    monkeypatch.setattr(module, "_BLOCK", size)
    path = tmp_path / "r.csv"
    path.write_text("x,y\n1,2\n3, 4\n5,11\n7\n")
    with pytest.raises(UnreadableInputError, match="row 4, column 2"):
        read_records(path, number, "a digit", "y", Budget())
    with pytest.raises(UnreadableInputError, match="row 5, column 2"):
        read_records(path, number, "a digit", "x", Budget())
    path.write_text("x,y\n1,2\n3, 4\n")
    assert read_records(path, number, "a digit", "y", Budget()) == [2, 4]
