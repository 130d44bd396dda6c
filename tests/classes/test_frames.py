"""Data frames: their labels are kept, and their column names are never read as entries.

Small classes imitate the parts of pandas and polars that are used; pandas itself is tested if it is
installed.
"""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

import ccsim
from ccsim import CommunicationProblem, ConceptClass
from ccsim.errors import DomainError, InstanceTooLargeError
from ccsim.frames import is_frame


class Frame:
    """The parts of a pandas data frame that are used."""

    def __init__(self, rows, index, columns):
        self.rows, self.index, self.columns = rows, index, columns
        self.shape = len(index), len(columns)

    columns = ()

    def iterrows(self):
        raise NotImplementedError

    def __iter__(self):
        return iter(self.columns)

    def to_numpy(self, dtype):
        return np.array(self.rows, dtype=dtype).reshape(self.shape)


def frames():
    """Return the functions that create frames from rows, index and columns."""
    yield Frame
    try:
        import pandas as pd
    except ImportError:
        return
    yield pd.DataFrame


MAKERS = list(frames())


@pytest.mark.parametrize("make", MAKERS)
def test_a_frame_keeps_its_labels(make):
    frame = make([[0, 1, 1], [True, False, True]], index=["ann", "bob"], columns=["x", "y", "z"])
    for C in (
        ConceptClass.from_dataframe(frame),
        ConceptClass.from_matrix(frame),
        ccsim.vc_dimension(frame).concept_class,
    ):
        assert (C.concepts, C.points, C.rows) == (("ann", "bob"), ("x", "y", "z"), (6, 5))
    f = ccsim.minimax_error(frame, 2).problem
    assert (f.alice, f.bob, f.ones) == (("ann", "bob"), ("x", "y", "z"), (6, 5))
    assert ConceptClass.from_matrix(frame, concepts=[7, 8]).concepts == (7, 8)


@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize("columns", [["01", "10"], [(0, 1), (1, 0)], ["to_class", "rows"]])
def test_column_names_are_never_the_matrix(make, columns):
    frame = make([[1, 1], [0, 0], [0, 1]], index=[5, 6, 7], columns=columns)
    C = ccsim.vc_dimension(frame).concept_class
    assert (C.rows, C.concepts) == ((3, 0, 2), (5, 6, 7))
    assert C.points == tuple(map(str, columns))


@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize("missing", [None, float("nan")])
def test_missing_values_lie_outside_the_promise(make, missing):
    frame = make([[0, missing], [1, 1]], index=["a", "b"], columns=["x", "y"])
    f = CommunicationProblem.from_matrix(frame)
    assert (f.ones, f.promise, f.bob) == ((0, 3), (1, 3), ("x", "y"))
    with pytest.raises(DomainError, match="row a, column y of the frame must be 0 or 1, not a mis"):
        ConceptClass.from_dataframe(frame)


@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ("ann", "must be 0, 1 or missing, not 'ann'; labels of rows belong in the index"),
        (2, "must be 0, 1 or missing, not 2"),
        (0.5, "must be 0, 1 or missing, not 0.5"),
    ],
)
def test_other_entries_are_refused_by_name(make, entry, message):
    frame = make([[0, 1], [1, entry]], index=["a", "b"], columns=["x", "y"])
    with pytest.raises(DomainError, match=f"row b, column y of the frame {message}"):
        ccsim.littlestone_dimension(frame)


def test_labels_that_stand_twice_are_refused():
    frame = Frame([[0], [1]], index=["a", "a"], columns=["x"])
    with pytest.raises(DomainError, match="concept labels must be distinct, but 'a' occurs twice"):
        ConceptClass.from_dataframe(frame)


def test_the_size_of_a_frame_is_checked_before_it_is_read():
    frame = Frame([], index=range(10**5), columns=range(10**5))
    frame.to_numpy = None
    with pytest.raises(InstanceTooLargeError):
        ConceptClass.from_dataframe(frame)


def test_what_is_no_frame_is_refused():
    assert not is_frame(Frame)
    with pytest.raises(DomainError, match="frame must be a data frame, not a list"):
        ConceptClass.from_dataframe([[0, 1]])


def test_pandas_missing_values_and_types():
    import pandas as pd

    frame = pd.DataFrame({"x": [0, 1], "y": [1, pd.NA]}, dtype="Int64")
    f = CommunicationProblem.from_matrix(frame)
    assert (f.alice, f.ones, f.promise) == ((0, 1), (2, 1), (3, 1))
    boolean = pd.DataFrame({"x": pd.array([True, None], dtype="boolean"), "y": [1.0, 0.0]})
    assert CommunicationProblem.from_matrix(boolean).promise == (3, 2)
    dates = pd.DataFrame([[0, 1]], columns=pd.date_range("2020-01-01", periods=2))
    assert ConceptClass.from_dataframe(dates).points[0] == "2020-01-01 00:00:00"


class OfPolars:
    """The parts of a polars data frame that are used."""

    columns, shape = ("x", "01"), (3, 2)

    def iter_rows(self):
        return iter([(0, True), (1, False), (1, True)])

    def __iter__(self):
        return iter([[0, 1, 1], [True, False, True]])  # its columns


def test_a_frame_of_polars_has_numbered_rows():
    C = ccsim.vc_dimension(OfPolars()).concept_class
    assert (C.concepts, C.points, C.rows) == ((0, 1, 2), ("x", "01"), (2, 1, 3))


def test_neither_pandas_nor_networkx_is_loaded_for_a_matrix():
    code = (
        "import sys, ccsim; ccsim.ConceptClass.from_matrix([[0, 1]], [(0, 1), 2]);"
        "print([name for name in ('pandas', 'polars', 'networkx') if name in sys.modules])"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == "[]"
