"""What names the sides of a table of labels, how large it may be, and how a row is written.

Main definitions: `Label`, `check_size`, `check_labels`, `check_indices`, `rows_of`, `text_row`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice
from operator import index
from typing import Any, TypeVar

from ccsim.border import iterated, show_value
from ccsim.errors import DomainError, InstanceTooLargeError

__all__ = [
    "MAX_ENTRIES",
    "MAX_LABELS",
    "Label",
    "check_indices",
    "check_labels",
    "check_masks",
    "check_sides",
    "check_size",
    "is_bit",
    "rows_of",
    "text_row",
]

Label = int | str
"""Names of points, concepts and inputs."""

T = TypeVar("T")

MAX_ENTRIES = 1 << 26
"""Largest number of concepts times points (or of inputs of Alice times inputs of Bob)."""

MAX_LABELS = 1 << 21
"""Largest number of concepts, points or inputs, whose labels take half a gigabyte and a second."""


def check_size(rows: int, columns: int, name: str) -> None:
    """Refuse an instance with more than `MAX_ENTRIES` entries or `MAX_LABELS` labels of a side.

    Raises
    ------
    InstanceTooLargeError

    Examples
    --------
    >>> check_size(1 << 16, 1 << 16, "C")
    Traceback (most recent call last):
    ...
    ccsim.errors.InstanceTooLargeError: C has 65536 x 65536 entries; the limit is 67108864 in all
    """
    if max(rows, 1) * max(columns, 1) > MAX_ENTRIES:
        raise InstanceTooLargeError(
            f"{name} has {rows} x {columns} entries; the limit is {MAX_ENTRIES} in all"
        )
    if max(rows, columns) > MAX_LABELS:
        raise InstanceTooLargeError(
            f"{name} has {rows} x {columns} entries; the limit is {MAX_LABELS} on each side"
        )


def check_sides(name: object, **sides: object) -> None:
    """Refuse a name that is no text, and labels of a side that are no tuple.

    Raises
    ------
    DomainError

    Examples
    --------
    >>> check_sides("f", alice=[0, 1])
    Traceback (most recent call last):
    ...
    ccsim.errors.DomainError: alice must be a tuple of labels, not a list
    """
    if not isinstance(name, str):
        raise DomainError(f"name must be text, not {show_value(name)}")
    for side, labels in sides.items():
        if not isinstance(labels, tuple):
            raise DomainError(f"{side} must be a tuple of labels, not {show_value(labels)}")


def check_labels(labels: Iterable[object], expected: int, name: str) -> tuple[Label, ...]:
    """Return labels as a tuple after checking their number, type and distinctness.

    Raises
    ------
    DomainError
    """
    result: tuple[Any, ...] = tuple(iterated(labels, f"{name} labels", "labels"))
    kinds = set(map(type, result))
    if not all(issubclass(kind, int | str) and kind is not bool for kind in kinds):
        wrong = next(x for x in result if isinstance(x, bool) or not isinstance(x, int | str))
        raise DomainError(f"{name} labels must be integers or text, not {show_value(wrong)}")
    if len(result) != expected:
        raise DomainError(f"{name} labels must be {expected} in number, not {len(result)}")
    texts = result if kinds in ({int}, {str}) else tuple(map(str, result))
    if len(set(texts)) != len(texts):
        twice = next(text for text, number in Counter(map(str, result)).items() if number > 1)
        raise DomainError(f"{name} labels must be distinct, {twice!r} stands twice")
    return result


def is_bit(entry: object) -> bool:
    """Whether a matrix entry of any type is 0 or 1 (True and 1.0 are; an array never is).

    Examples
    --------
    >>> is_bit(1), is_bit(2), is_bit([1])
    (True, False, False)
    """
    try:
        return bool(entry in (0, 1))
    except ValueError:  # an array with several entries has no truth value
        return False


def rows_of(matrix: Iterable[Iterable[T]], name: str) -> Iterator[list[T]]:
    """Yield the rows of a matrix as lists after checking that it is one, of a size that is read.

    Raises
    ------
    DomainError
        At what is no row, or a row of another length.
    InstanceTooLargeError

    Examples
    --------
    >>> list(rows_of([(0, 1), (1, 1)], "the class"))
    [[0, 1], [1, 1]]
    >>> list(rows_of([0, 1], "the class"))
    Traceback (most recent call last):
    ...
    ccsim.errors.DomainError: row 0 must be a list of entries, not 0
    """
    width = -1
    for i, row in enumerate(iterated(matrix, "a matrix", "rows")):
        entries = list(islice(iterated(row, f"row {i}"), MAX_LABELS + 1))
        width = len(entries) if width < 0 else width
        if len(entries) != width:
            raise DomainError(f"row {i} has {len(entries)} entries, row 0 has {width}")
        check_size(i + 1, width, name)
        yield entries


def check_masks(masks: object, name: str) -> None:
    """Refuse what is no tuple of integers.

    Raises
    ------
    DomainError

    Examples
    --------
    >>> check_masks((1, "2"), "rows")
    Traceback (most recent call last):
    ...
    ccsim.errors.DomainError: rows must be a tuple of integers, not with '2' in it
    """
    if not isinstance(masks, tuple):
        raise DomainError(f"{name} must be a tuple of integers, not {show_value(masks)}")
    if not set(map(type, masks)) <= {int}:
        wrong = show_value(next(mask for mask in masks if type(mask) is not int))
        raise DomainError(f"{name} must be a tuple of integers, not with {wrong} in it")


def check_indices(indices: Iterable[int], number: int, name: str) -> list[int]:
    """Return indices as a list after checking that each is below ``number``.

    Raises
    ------
    DomainError
    """
    result = []
    for i in iterated(indices, f"{name} indices", "indices"):
        try:
            result.append(-1 if isinstance(i, bool) else index(i))
        except TypeError:
            result.append(-1)
        if not 0 <= result[-1] < number:
            raise DomainError(f"{name} must be an index below {number}, not {show_value(i)}")
    return result


def text_row(ones: int, length: int, defined: int | None = None) -> str:
    """Return a bit mask as text, column 0 first, with ``*`` where ``defined`` has no bit.

    Examples
    --------
    >>> text_row(0b011, 4), text_row(0b011, 4, 0b0111)
    ('1100', '110*')
    """
    row = format(ones, f"0{length}b")[::-1] if length else ""
    if defined is None:
        return row
    mask = format(defined, f"0{length}b")[::-1] if length else ""
    return "".join(bit if inside == "1" else "*" for bit, inside in zip(row, mask, strict=True))
