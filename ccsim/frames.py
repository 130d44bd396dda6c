"""Data frames of pandas and polars, known by their methods, so that neither need be installed.

Main definitions: `is_frame`, `opened_frame`.

Iterating over a frame gives the names of its columns, which may look like the rows of a matrix.
"""

from __future__ import annotations

from typing import Any

__all__ = ["is_frame", "opened_frame"]


def is_frame(value: object) -> bool:
    """Whether a value is a data frame: of pandas, or of polars.

    Examples
    --------
    >>> is_frame([[0, 1]])
    False
    """
    kind = type(value)
    return hasattr(kind, "columns") and (hasattr(kind, "iterrows") or hasattr(kind, "iter_rows"))


def opened_frame(matrix: Any) -> Any:  # noqa: ANN401 - a frame of a library that need not be there
    """Return the rows of a data frame; anything else as it is.

    Examples
    --------
    >>> import pandas
    >>> [list(row) for row in opened_frame(pandas.DataFrame({"a": [1, 2], "b": [3, 4]}))]
    [[1, 3], [2, 4]]
    """
    if not is_frame(matrix):
        return matrix
    return matrix.iter_rows() if hasattr(matrix, "iter_rows") else matrix.to_numpy(dtype=object)
