"""Grids: the instances on which a claim is decided, by size.

Main definitions: `Grid`, `grid`, `table`, `once`.

A grid gives the parameters of a claim's function, by name. `Grid.medium` and `Grid.large` add
instances to those of the smaller sizes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import Enum
from itertools import product
from typing import TypeAlias

from ccsim.errors import DomainError

__all__ = ["Grid", "Size", "case_name", "grid", "once", "table"]

Axis: TypeAlias = Iterable[object] | Callable[[], Iterable[object]]
"""The values of a parameter; a function is called when they are needed."""

Case: TypeAlias = Mapping[str, object]
"""Parameters of one instance."""


class Size(Enum):
    """Size of a grid of instances; each size contains the smaller ones."""

    SMALL = 1
    MEDIUM = 2
    LARGE = 3

    def allows(self, other: Size) -> bool:
        """Whether instances of size ``other`` belong to this grid."""
        return other.value <= self.value


@dataclass(frozen=True, slots=True)
class Grid:
    """Instances by size.

    Attributes
    ----------
    names : tuple of str
        Names of the parameters, in the order in which they are printed.
    parts : tuple of (Size, callable)
        Each callable returns the values of the parameters of some instances.
    axes : mapping of str to Axis
        Axes of a product, from which the larger sizes start.
    """

    names: tuple[str, ...]
    parts: tuple[tuple[Size, Callable[[], Iterable[tuple[object, ...]]]], ...]
    axes: Mapping[str, Axis] | None = None

    def cases(self, size: Size) -> Iterator[dict[str, object]]:
        """Yield the parameters of every instance of the given size."""
        for needs, rows in self.parts:
            if size.allows(needs):
                for row in rows():
                    yield dict(zip(self.names, row, strict=True))

    def medium(self, *rows: tuple[object, ...], **axes: Axis) -> Grid:
        """Return the grid with more instances of medium size.

        Parameters
        ----------
        *rows : tuple
            More rows, for a `table`.
        **axes : iterable or callable
            Changed axes, for a product; the others are those of the small size.
        """
        return self._with(Size.MEDIUM, rows, axes)

    def large(self, *rows: tuple[object, ...], **axes: Axis) -> Grid:
        """Return the grid with more instances of large size; see `medium`."""
        return self._with(Size.LARGE, rows, axes)

    def _with(
        self, size: Size, rows: tuple[tuple[object, ...], ...], axes: Mapping[str, Axis]
    ) -> Grid:
        if axes:
            if self.axes is None or not axes.keys() <= self.axes.keys():
                raise DomainError(
                    f"axes must be among {', '.join(self.names)}, not {', '.join(axes)}"
                )
            return replace(self, parts=(*self.parts, (size, _product({**self.axes, **axes}))))
        return replace(self, parts=(*self.parts, (size, lambda: rows)))


def _product(axes: Mapping[str, Axis]) -> Callable[[], Iterable[tuple[object, ...]]]:
    return lambda: product(*(axis() if callable(axis) else axis for axis in axes.values()))


def grid(**axes: Axis) -> Grid:
    """Return the product of some axes.

    Examples
    --------
    >>> points = grid(p=[2, 3], k=[1]).medium(p=[5])
    >>> [case_name(case) for case in points.cases(Size.MEDIUM)]
    ['p=2 k=1', 'p=3 k=1', 'p=5 k=1']
    """
    return Grid(tuple(axes), ((Size.SMALL, _product(axes)),), axes)


def table(names: str, *rows: tuple[object, ...]) -> Grid:
    """Return the grid of some rows.

    Parameters
    ----------
    names : str
        Names of the parameters, separated by spaces.
    *rows : tuple
        Values of the parameters.

    Examples
    --------
    >>> few = table("instance messages", ("points:b=2", 2)).large(("points:b=9", 3))
    >>> [case_name(case) for case in few.cases(Size.SMALL)]
    ['instance=points:b=2 messages=2']
    """
    return Grid(tuple(names.split()), ((Size.SMALL, lambda: rows),))


def once() -> Grid:
    """Return the grid of a statement without parameters: one instance."""
    return grid()


def _shown(value: object) -> str:
    if callable(value):
        return getattr(value, "__name__", str(value)).lstrip("_")
    rows = getattr(value, "rows", None)
    name = getattr(value, "name", None)
    if name or rows is None:
        return str(name or value).replace(", ", ",")
    return ",".join(map(str, rows))


def case_name(case: Case) -> str:
    """Return the name of an instance: its parameters in the form of ``--case``.

    Examples
    --------
    >>> case_name({"p": 3, "error": "1/3"})
    'p=3 error=1/3'
    """
    return " ".join(f"{name}={_shown(value)}" for name, value in case.items()) or "the statement"
