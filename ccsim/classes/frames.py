"""Data frames and graphs where a matrix is asked: a frame keeps its labels, a graph is refused.

Main definitions: `is_frame`, `open_frame`, `refuse_graph`.

Implementation notes: iterating over a frame gives its column names, and over a graph its vertices,
which may look like the rows of a matrix. A frame (pandas, polars) is known by its methods and a
graph by a module that is already loaded, so that nothing is imported for those who give neither.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from ccsim.border import show_value
from ccsim.classes.labels import check_size, is_bit
from ccsim.errors import DomainError

__all__ = ["is_frame", "open_frame", "refuse_graph"]


def is_frame(value: object) -> bool:
    """Whether a value is a data frame: of pandas, or of polars.

    Examples
    --------
    >>> is_frame([[0, 1]])
    False
    """
    kind = type(value)
    return hasattr(kind, "columns") and (hasattr(kind, "iterrows") or hasattr(kind, "iter_rows"))


def open_frame(
    matrix: Any,  # noqa: ANN401 - a frame of a library that need not be there
    name: str,
    partial: bool = False,  # noqa: FBT001, FBT002 - private to the two readers of matrices
) -> tuple[Iterable[Iterable[Any]], Iterable[Any] | None, Iterable[Any] | None]:
    """Return the rows of a matrix, and the labels of rows and of columns if it is a frame.

    Parameters
    ----------
    matrix : frame or rows
        What is no frame is returned as it is, without labels.
    name : str
        What it is to be, for messages.
    partial : bool
        Whether entries may be missing; they become None.

    Raises
    ------
    DomainError
        When the rows are read, at an entry that is not 0 or 1; and if it is a graph.
    InstanceTooLargeError
        Before any entry is read.
    """
    refuse_graph(matrix)
    if not is_frame(matrix):
        return matrix, None, None
    height, width = matrix.shape
    check_size(height, width, name)
    columns = list(matrix.columns)
    if not hasattr(matrix, "iter_rows"):
        index = list(matrix.index)
        return _entries(matrix.to_numpy(dtype=object), index, columns, partial), index, columns
    return _entries(matrix.iter_rows(), range(height), columns, partial), None, columns


def _entries(
    rows: Iterable[Iterable[Any]],
    index: Sequence[object],
    columns: Sequence[object],
    partial: bool,  # noqa: FBT001
) -> Iterator[list[int | None]]:
    """Yield the rows with their entries as 0, 1 and None."""
    for label, row in zip(index, rows, strict=True):
        entries: list[int | None] = []
        for column, entry in zip(columns, row, strict=True):
            if partial and _is_missing(entry):
                entries.append(None)
            elif not _is_missing(entry) and is_bit(entry):
                entries.append(int(entry))
            else:
                allowed = "0, 1 or missing" if partial else "0 or 1"
                found = "a missing value" if _is_missing(entry) else show_value(entry)
                hint = "; labels of rows stand in the index" if isinstance(entry, str) else ""
                raise DomainError(
                    f"row {label!s}, column {column!s} of the frame must be {allowed}, "
                    f"not {found}{hint}"
                )
        yield entries


def _is_missing(entry: object) -> bool:
    """Whether an entry is None, nan, or what pandas has for a missing value."""
    if entry is None or type(entry).__name__ in {"NAType", "NaTType"}:
        return True
    return isinstance(entry, float) and entry != entry  # noqa: PLR0124 - nan alone


def refuse_graph(value: object) -> None:
    """Refuse a graph of networkx where a matrix is asked: its vertices are no rows.

    Raises
    ------
    DomainError

    Examples
    --------
    >>> import networkx
    >>> refuse_graph(networkx.path_graph(2))
    Traceback (most recent call last):
    ...
    ccsim.errors.DomainError: a graph is no matrix; ConceptClass.from_graph makes classes of graphs
    """
    networkx = sys.modules.get("networkx")
    if networkx is not None and isinstance(value, networkx.Graph):
        raise DomainError("a graph is no matrix; ConceptClass.from_graph makes classes of graphs")
