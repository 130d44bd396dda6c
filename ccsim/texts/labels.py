"""Labels of the sides of a table, limits of its size, and text forms of rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Set
from itertools import islice
from operator import index
from types import MappingProxyType
from typing import Any, TypeVar

from ccsim.appearance import counted
from ccsim.arguments.checked import iterated
from ccsim.arguments.values import show_value
from ccsim.errors import DomainError, InstanceTooLargeError
from ccsim.frames import opened_frame

Label = int | str  # names of points, concepts and inputs

T = TypeVar("T")

MAX_ENTRIES = 1 << 26
"""Maximum number of entries: concepts times points, or Alice's inputs times Bob's inputs."""

MAX_LABELS = 1 << 21
"""Maximum number of concepts, points or inputs, whose labels take half a gigabyte."""


def check_size(rows: int, columns: int, name: str) -> None:
    """Refuse an instance with more than `MAX_ENTRIES` entries, or `MAX_LABELS` labels on a side."""
    if max(rows, 1) * max(columns, 1) > MAX_ENTRIES:
        raise InstanceTooLargeError(
            f"{name} has {rows} x {columns} entries; the limit is {MAX_ENTRIES} in all"
        )
    if max(rows, columns) > MAX_LABELS:
        raise InstanceTooLargeError(
            f"{name} has {rows} x {columns} entries; the limit is {MAX_LABELS} on each side"
        )


def check_sides(name: object, **sides: object) -> None:
    """Refuse a name that is not a text, or labels of a side that are not a tuple."""
    if not isinstance(name, str):
        raise DomainError(f"name must be text, not {show_value(name)}")
    for side, labels in sides.items():
        if not isinstance(labels, tuple):
            raise DomainError(f"{side} must be a tuple of labels, not {show_value(labels)}")


def check_labels(labels: Iterable[object], expected: int, name: str) -> tuple[Label, ...]:
    """Return labels as a tuple after checks of their number, types and distinctness."""
    result: tuple[Any, ...] = tuple(iterated(labels, f"{name} labels", "labels"))
    kinds = set(map(type, result))
    if not all(issubclass(kind, int | str) and kind is not bool for kind in kinds):
        wrong = next(x for x in result if isinstance(x, bool) or not isinstance(x, int | str))
        raise DomainError(f"{name} labels must be integers or text, not {show_value(wrong)}")
    if len(result) != expected:
        raise DomainError(
            f"{name} labels must have {counted(expected, 'entry', 'entries')}, not {len(result)}"
        )
    texts = result if kinds in ({int}, {str}) else tuple(map(str, result))
    if len(set(texts)) != len(texts):
        twice = next(text for text, number in Counter(map(str, result)).items() if number > 1)
        raise DomainError(f"{name} labels must be distinct, but {twice!r} occurs twice")
    return result


def listed(things: Iterable[T], name: str, what: str = "labels") -> list[T]:
    """Return objects as a list, of which at most ``MAX_LABELS + 1`` are read."""
    return list(islice(iterated(things, name, what), MAX_LABELS + 1))


def as_labels(labels: Iterable[object], name: str) -> tuple[Label, ...]:
    """Return labels: integers unchanged, other objects as text, with the members of sets sorted."""
    result = tuple(listed(labels, f"{name} labels"))
    if set(map(type, result)) <= {int, str}:
        return result  # type: ignore[return-value]  # by the line above
    return tuple(_as_label(label, name) for label in result)


def named(labels: Iterable[object], expected: int, name: str) -> tuple[Label, ...]:
    """Return `as_labels`, after checks that the number is correct and the texts are distinct."""
    return check_labels(as_labels(labels, name), expected, name)


def _as_label(value: object, name: str) -> Label:
    if isinstance(value, str):
        return str(value)
    try:
        hash(value)
    except TypeError:
        raise DomainError(f"{name} labels must be hashable, not {show_value(value)}") from None
    if not isinstance(value, bool):
        try:
            return index(value)  # type: ignore[arg-type]  # whether it is an integer is asked
        except TypeError:
            pass
    if isinstance(value, frozenset):
        return f"{{{', '.join(sorted(map(str, value)))}}}"
    text = str(value)
    if f"0x{id(value):x}" in text:
        raise DomainError(f"{name} labels must be convertible to text, not {show_value(value)}")
    return text


def is_bit(entry: object) -> bool:
    """Return whether a matrix entry of any type is 0 or 1 (True and 1.0 are; an array never is)."""
    try:
        return bool(entry in (0, 1))
    except (TypeError, ValueError):  # neither an array nor a missing value has a truth value
        return False


def rows_of(matrix: Iterable[Iterable[T]], name: str) -> Iterator[list[T]]:
    """Yield the rows of a matrix, a data frame, or texts of 0, 1 and ``*``; check the size."""
    width = -1
    for i, row in enumerate(iterated(opened_frame(matrix), "a matrix", "rows")):
        if isinstance(row, str):
            entries = _entries_in_text(row, i)
        elif isinstance(row, Set):
            raise DomainError(
                f"row {i} must be a list of entries, not a set, since sets have no order"
            )
        else:
            entries = list(islice(iterated(row, f"row {i}"), MAX_LABELS + 1))
        width = len(entries) if width < 0 else width
        if len(entries) != width:
            raise DomainError(
                f"row {i} has {counted(len(entries), 'entry', 'entries')}, but row 0 has {width}"
            )
        check_size(i + 1, width, name)
        yield entries


_IN_TEXT: Mapping[str, Any] = MappingProxyType({"0": 0, "1": 1, "*": "*"})


def _entries_in_text(row: str, number: int) -> list[Any]:
    """Return the entries of a row given as text."""
    if row.strip("01*"):
        raise DomainError(
            f"row {number} must be a list of entries or a string of 0, 1 and *, "
            f"not {show_value(row)}"
        )
    return [_IN_TEXT[entry] for entry in row[: MAX_LABELS + 1]]


def check_masks(masks: object, name: str) -> None:
    """Refuse objects that are not tuples of integers."""
    if not isinstance(masks, tuple):
        raise DomainError(f"{name} must be a tuple of integers, not {show_value(masks)}")
    if not set(map(type, masks)) <= {int}:
        wrong = show_value(next(mask for mask in masks if type(mask) is not int))
        raise DomainError(f"{name} must contain only integers, not {wrong}")


def check_indices(indices: Iterable[int], number: int, name: str) -> list[int]:
    """Return indices as a list after a check that each is below ``number``."""
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
    """Return a bit mask as text, column 0 first, with ``*`` outside ``defined``."""
    row = format(ones, f"0{length}b")[::-1] if length else ""
    if defined is None or defined == (1 << length) - 1:
        return row
    mask = text_row(defined, length)
    return "".join(bit if inside == "1" else "*" for bit, inside in zip(row, mask, strict=True))
