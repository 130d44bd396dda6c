"""Labelled sets of labelled points, before they are the concepts of a class."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from typing import Any

from ccsim.arguments.values import show_value
from ccsim.data import frozen
from ccsim.errors import DomainError
from ccsim.texts.labels import Label, as_labels, check_size, listed


@frozen
class LabelledSets:
    """Sets of points."""

    rows: tuple[int, ...]  # bit masks of points; they may repeat
    # labels of the points, and of the sets
    points: tuple[Label, ...]
    concepts: tuple[Label, ...]


def labelled_sets(
    sets: Iterable[Iterable[Hashable]] | Mapping[Any, Iterable[Hashable]],
    points: Iterable[Hashable] | None,
    name: str,
) -> LabelledSets:
    """Return sets as masks; the parameters are those of `ConceptClass.from_sets`."""
    given = sets.items() if isinstance(sets, Mapping) else enumerate(listed(sets, "sets", "sets"))
    named = {label: _members(members, label) for label, members in given}
    if points is None:
        every = {point: None for members in named.values() for point in members}
        check_size(len(named), len(every), name)
        points = sorted(every, key=_in_order)
    xs = listed(points, "points")
    check_size(len(named), len(xs), name)
    labels = as_labels(xs, "point")
    place = {x: i for i, x in enumerate(xs)}
    rows = []
    for label, members in named.items():
        if unknown := [point for point in members if point not in place]:
            shown = as_labels(unknown[:1], "point")[0]
            raise DomainError(f"set {label!s} has {shown!s} in it, which is none of the points")
        rows.append(sum(1 << i for i in {place[point] for point in members}))
    return LabelledSets(tuple(rows), labels, as_labels(list(named), "concept"))


def _members(members: Iterable[Hashable], label: object) -> list[Hashable]:
    found = listed(members, f"set {label!s}", "points")
    for point in found:
        try:
            hash(point)
        except TypeError:
            raise DomainError(
                f"set {label!s} must have hashable points, not {show_value(point)}"
            ) from None
    return found


def _in_order(point: Any) -> tuple[bool, Any]:  # noqa: ANN401 - any label
    """Return a key: numbers by size, then all else by its text."""
    number = isinstance(point, int | float) and point == point  # noqa: PLR0124 - nan is no number
    return not number, point if number else str(as_labels([point], "point")[0])
