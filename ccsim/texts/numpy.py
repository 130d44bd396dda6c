"""Tables of entries in ``.npy`` and ``.npz`` files from numpy and scipy, read without pickles.

The header is parsed with a pattern for plain arrays. Nothing in it is evaluated, and sizes are
compared with the limits before memory is allocated.
"""

from __future__ import annotations

import io
import re
import zipfile
import zlib
from math import prod
from typing import Any

import numpy as np

from ccsim.budget import Budget
from ccsim.errors import UnreadableInputError
from ccsim.texts.entries import array_symbols
from ccsim.texts.labels import check_size
from ccsim.texts.reading import Ways, refuse_ways
from ccsim.texts.tables import LABEL_KEYS, Cell, Table, found, labels_by_side, refuse
from ccsim.texts.unpacked import check_archive

_MAGIC = b"\x93NUMPY"
_LONGEST_HEADER = 4096
_TYPE = re.compile(rb"""['"]descr['"]\s*:\s*['"]([<>|=]?[a-zA-Z]\d{0,9})['"]""")
_ORDER = re.compile(rb"""['"]fortran_order['"]\s*:\s*(True|False)""")
_SHAPE = re.compile(rb"""['"]shape['"]\s*:\s*\(([0-9,\s]*)\)""")


def read_npy(data: bytes, source: str, budget: Budget, ways: Ways) -> Table:
    """Return the table in a ``.npy`` file, by the rules of this module."""
    refuse_ways(ways, source)
    array = plain_array(data, source, 2)
    rows = _text_rows(array, source, budget)
    return Table(source, rows=rows, column_labels=_columns(array))


def read_npz(data: bytes, source: str, budget: Budget, ways: Ways) -> Table:
    """Return the table and the labels in a ``.npz`` file, by the rules of this module."""
    refuse_ways(ways, source)
    members = _members(data, source)
    if "format" in members:
        return _sparse(members, source, budget)
    labels = {key: members.pop(key) for key in LABEL_KEYS if key in members}
    if len(members) != 1:
        raise UnreadableInputError(
            f"{source}: expected one array named matrix, with optional labels named "
            f"{', '.join(LABEL_KEYS)}, found {', '.join(map(found, members)) or 'none'}"
        )
    ((name, data),) = members.items()
    array = plain_array(data, f"{source}: {name}", 2)
    rows = _text_rows(array, source, budget)
    given = {key: _label_list(data, f"{source}: {key}") for key, data in labels.items()}
    row_labels, column_labels, kind = labels_by_side(given, array.shape, source)
    columns = column_labels or _columns(array)
    return Table(source, "", rows, row_labels, columns, kind=kind)


def _sparse(members: dict[str, bytes], source: str, budget: Budget) -> Table:
    """Return the matrix in a file of ``scipy.sparse.save_npz`` in format csr, csc or coo."""
    members.pop("_is_array", None)
    kind = plain_array(members.pop("format"), f"{source}: format", 0).tobytes().decode("latin-1")
    kind = kind.replace("\0", "")
    sides = {"csr": ("indptr", "indices"), "csc": ("indices", "indptr"), "coo": ("row", "col")}
    if kind in sides and members.keys() != {"shape", "data", *sides[kind]}:
        needed = ", ".join(("data", *sides[kind], "shape"))
        raise UnreadableInputError(
            f"{source}: a sparse matrix of format {kind} must have exactly the members {needed}, "
            f"found {', '.join(map(found, sorted(members))) or 'none'}; "
            "write it with scipy.sparse.save_npz(file, A)"
        )
    if kind not in sides:
        raise UnreadableInputError(
            f"{source}: expected a sparse matrix of format csr, csc or coo, found {kind[:20]}; "
            "write it with scipy.sparse.save_npz(file, A.tocsr())"
        )
    arrays = {name: plain_array(data, f"{source}: {name}", 1) for name, data in members.items()}
    if any(
        array.dtype.kind not in ("biuf" if name == "data" else "iu")
        for name, array in arrays.items()
    ):
        raise UnreadableInputError(f"{source}: expected numeric entries with integer indices")
    shape = tuple(int(size) for size in arrays["shape"])
    if len(shape) != 2 or min(shape) < 0:
        raise UnreadableInputError(f"{source}: expected 2 dimensions, found shape {shape}")
    check_size(shape[0], shape[1], source)
    places = [arrays[name].astype(np.int64) for name in sides[kind]]
    for side, name in enumerate(sides[kind]):
        if name == "indptr":
            places[side] = _unfolded(places[side], shape[side], len(arrays["data"]), source)
    rows, columns = places
    inside = (rows >= 0) & (rows < shape[0]) & (columns >= 0) & (columns < shape[1])
    if not len(rows) == len(columns) == len(arrays["data"]) or not inside.all():
        raise UnreadableInputError(
            f"{source}: every entry must be inside the matrix, but at least one is outside"
        )
    flat = rows * shape[1] + columns
    if len(np.unique(flat)) != len(flat):
        raise UnreadableInputError(
            f"{source}: an entry occurs twice; call A.sum_duplicates() of scipy before saving"
        )
    array = np.zeros(shape, arrays["data"].dtype)
    array.reshape(-1)[flat] = arrays["data"]
    return Table(source, "", _text_rows(array, source, budget), column_labels=_columns(array))


def _unfolded(
    starts: np.ndarray[Any, Any], lines: int, entries: int, source: str
) -> np.ndarray[Any, Any]:
    """Return the row of every entry, given the number of entries before each row (or: column)."""
    if (
        len(starts) != lines + 1
        or starts[0] != 0
        or starts[-1] != entries
        or (np.diff(starts) < 0).any()
    ):
        raise UnreadableInputError(
            f"{source}: indptr must increase from 0 to the number of entries, {entries}, with "
            f"{lines + 1} elements"
        )
    return np.repeat(np.arange(lines), np.diff(starts))


def _columns(array: np.ndarray[Any, Any]) -> tuple[int, ...] | None:
    """Return the column labels 0, 1, ... if there are no rows, to preserve their number."""
    return None if len(array) else tuple(range(array.shape[1]))


def _members(data: bytes, source: str) -> dict[str, bytes]:
    """Return the files in a zip archive by name, unpacked after a check of their declared sizes."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            check_archive(archive, source)
            names = archive.namelist()
            return {name.removesuffix(".npy"): archive.read(name) for name in names}
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, RuntimeError, ValueError) as error:
        if isinstance(error, UnreadableInputError):
            raise
        raise UnreadableInputError(f"{source}: not an npz file: {error}") from None


def plain_array(data: bytes, source: str, dimensions: int) -> np.ndarray[Any, Any]:
    """Return the plain array in the bytes of a ``.npy`` file without copying it."""
    dtype, shape, is_fortran, start = _header(data, source)
    if len(shape) != dimensions:
        raise UnreadableInputError(
            f"{source}: expected {dimensions} dimensions, found {len(shape)}"
        )
    check_size(prod(shape[:1]), prod(shape[1:]), source)
    needed = prod(shape) * dtype.itemsize
    if len(data) - start != needed:
        raise UnreadableInputError(
            f"{source}: expected {needed} bytes of entries, as the header states, found "
            f"{len(data) - start}"
        )
    if needed == 0:
        return np.zeros(shape, dtype)
    flat = np.frombuffer(data, dtype, offset=start)
    return flat.reshape(shape, order="F" if is_fortran else "C")


def _header(data: bytes, source: str) -> tuple[np.dtype[Any], tuple[int, ...], bool, int]:
    """Return the type, the shape, the order, and the position of the first entry."""
    length_bytes = {1: 2, 2: 4, 3: 4}.get(data[6] if len(data) > 6 else 0)
    if not data.startswith(_MAGIC) or length_bytes is None:
        raise UnreadableInputError(f"{source}: not an npy file")
    start = 8 + length_bytes
    length = int.from_bytes(data[8:start], "little")
    header = data[start : start + length]
    parts = _TYPE.search(header), _ORDER.search(header), _SHAPE.search(header)
    if length > _LONGEST_HEADER or None in parts:
        raise UnreadableInputError(f"{source}: not the header of a plain array of numbers or text")
    descr, order, sizes = (match[1].decode("ascii") for match in parts if match)
    if descr.strip("<>|=").startswith("O"):
        raise UnreadableInputError(
            f"{source}: expected numbers or text, found Python objects; pickles are not read"
        )
    try:
        dtype = np.dtype(descr)
        shape = tuple(int(size) for size in sizes.split(",") if size.strip())
    except (TypeError, ValueError) as error:
        raise UnreadableInputError(f"{source}: not the header of a plain array: {error}") from None
    if dtype.kind not in "biufUS":
        raise UnreadableInputError(
            f"{source}: expected numbers or text, found an array of type {dtype}"
        )
    return dtype, shape, order == "True", start + length


def _text_rows(array: np.ndarray[Any, Any], source: str, budget: Budget) -> tuple[str, ...]:
    """Return the rows of an array as text, after a check of every entry."""
    symbols = array_symbols(array, budget.spend)
    if not symbols.all():
        row, column = (int(i) for i in np.argwhere(symbols == 0)[0])
        try:
            what = found(array[row, column].item())
        except ValueError:  # numpy stores what is not a character of any text
            what = "no text"
        refuse(Cell(source, row + 1, column + 1), what)
    return tuple(row.tobytes().decode("ascii") for row in symbols)


def _label_list(data: bytes, source: str) -> list[Any]:
    """Return labels as Python texts or integers."""
    array = plain_array(data, source, 1)
    if array.dtype.kind not in "iuU":
        raise UnreadableInputError(
            f"{source}: labels must be integers or text, not of type {array.dtype}"
        )
    try:
        return list(array.tolist())
    except ValueError as error:
        raise UnreadableInputError(f"{source}: {error}") from None
