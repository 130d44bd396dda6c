"""Data frames of pandas and polars, recognised by their methods without importing either library.

They need special treatment: iterating over a frame yields column names, not rows.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from typing import Any

from ccsim.errors import DomainError


def is_frame(value: object) -> bool:
    """Whether a value is a data frame of pandas or polars."""
    kind = type(value)
    return hasattr(kind, "columns") and (hasattr(kind, "iterrows") or hasattr(kind, "iter_rows"))


def opened_frame(matrix: Any) -> Any:  # noqa: ANN401 - a frame of a library that need not be there
    """Return the rows of a data frame, and any other value unchanged."""
    if not is_frame(matrix):
        return matrix
    return matrix.iter_rows() if hasattr(matrix, "iter_rows") else matrix.to_numpy(dtype=object)


def rows_in(matrix: Any, name: str) -> list[list[Any]]:  # noqa: ANN401 - nested lists or a frame
    """Return the rows of a matrix of numbers or a data frame as lists."""
    rows = _listed(opened_frame(matrix), name, "rows")
    return [_listed(row, f"{name}[{i}]", "entries") for i, row in enumerate(rows)]


def _listed(things: object, name: str, what: str) -> list[Any]:
    if type(things) is list:
        return things.copy()
    refused = isinstance(things, str | bytes | Mapping | Set) or is_frame(things)
    if refused or not isinstance(things, Iterable):
        article = "an" if type(things).__name__[0] in "aeiouAEIOU" else "a"
        raise DomainError(f"{name} must be a list of {what}, not {article} {type(things).__name__}")
    return list(things)
