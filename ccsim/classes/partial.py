"""Finite partial concept classes: functions to 0, 1 and undefined (Alon, Hanneke, Holzman, Moran).

A finite sample is *realised* by a concept that is defined on all of its points and has its labels.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import field
from typing import Any, Self

from ccsim.appearance import counted
from ccsim.arguments.checked import iterated
from ccsim.classes.concept_class import ConceptClass, transposed
from ccsim.classes.matrices import open_matrix
from ccsim.data import validated
from ccsim.errors import DomainError
from ccsim.texts.entries import text_mask
from ccsim.texts.labels import (
    Label,
    as_labels,
    check_labels,
    check_masks,
    check_sides,
    check_size,
    text_row,
)
from ccsim.texts.reading import Reading


@validated
class PartialClass:
    """A finite class of distinct partial Boolean functions over a finite set of points.

    A concept labels each point with 0 or 1, or is undefined there. Partial classes model learning
    under assumptions on the data, such as a margin. The VC, Littlestone and other dimensions of a
    partial class use only concepts that are defined on all the points in question
    (`docs/partial-classes.md`).

    Attributes
    ----------
    points : tuple of int or str
        Labels of the points, distinct.
    concepts : tuple of int or str
        Labels of the concepts, distinct.
    ones : tuple of int
        For each concept the bit mask of the points with label 1.
    defined : tuple of int
        For each concept the bit mask of the points where it is defined; it contains ``ones``.
    name : str
        Name of the class in output; ignored by ``==``.
    merged : int
        Number of equal rows that were merged when the class was read; ignored by ``==``.
    reading : Reading or None
        Assumptions made in reading a matrix or a file; ignored by ``==``.

    Raises
    ------
    InstanceTooLargeError
        If there are more than `MAX_ENTRIES` entries.

    Notes
    -----
    Source: Alon, Hanneke, Holzman and Moran (2021), "A theory of PAC learnability of partial
    concept classes".

    Examples
    --------
    >>> C = PartialClass.from_matrix(["00*", "01*", "1*0", "1*1"])
    >>> C.ones, C.defined, C.value(0, 2), C.is_total
    ((0, 2, 1, 5), (3, 3, 5, 5), None, False)
    >>> PartialClass.from_matrix(["0*"])
    PartialClass(points=(0, 1), concepts=(0,), ones=(0,), defined=(1,), name='', merged=0)
    """

    points: tuple[Label, ...]
    concepts: tuple[Label, ...]
    ones: tuple[int, ...]
    defined: tuple[int, ...]
    name: str = field(default="", compare=False)
    merged: int = field(default=0, compare=False)
    reading: Reading | None = field(default=None, compare=False, repr=False)

    def __post_init__(self) -> None:
        check_masks(self.ones, "ones")
        check_masks(self.defined, "defined")
        check_sides(self.name, points=self.points, concepts=self.concepts)
        check_size(len(self.ones), len(self.points), self.name or "the class")
        check_labels(self.points, len(self.points), "point")
        check_labels(self.concepts, len(self.ones), "concept")
        if len(self.defined) != len(self.ones):
            raise DomainError(f"defined must have {len(self.ones)} rows, not {len(self.defined)}")
        rows = list(zip(self.ones, self.defined, strict=True))
        for ones, defined in rows:
            if not 0 <= defined < 1 << len(self.points) or ones < 0 or ones & ~defined:
                raise DomainError(
                    "a row of ones must lie inside the points where its concept is defined, and "
                    f"these below 2**{len(self.points)}, not {ones} and {defined}"
                )
        if len(set(rows)) != len(rows):
            raise DomainError(
                "concepts must be distinct; use PartialClass.from_matrix to merge equal rows"
            )

    @classmethod
    def from_matrix(
        cls,
        matrix: Iterable[Iterable[int | str | None] | str],
        points: Iterable[Hashable] | None = None,
        concepts: Iterable[Hashable] | None = None,
        name: str = "",
        *,
        signs: bool = False,
    ) -> Self:
        """Return the class whose concepts are the rows of a matrix; equal rows are merged.

        An entry is 0, 1, or undefined (None or ``"*"``). A row may be a text such as ``"01*"``. The
        labels of a data frame are kept. With ``signs``, the entry -1 means 1 and the entry 1 means
        0.

        Examples
        --------
        >>> PartialClass.from_matrix([[0, None], [0, None], [1, 1]]).merged
        1
        """
        check_sides(name)
        found = open_matrix(matrix, name or "the class", partial=True, signs=signs)
        points = found.column_labels if points is None else points
        concepts = found.row_labels if concepts is None else concepts
        labels = as_labels(range(found.width) if points is None else points, "point")
        if found.rows and len(labels) != found.width:
            raise DomainError(
                f"point labels must have {counted(found.width, 'entry', 'entries')}, "
                f"not {len(labels)}"
            )
        ones, defined = ([text_mask(row, symbols) for row in found.rows] for symbols in ("1", "01"))
        return cls.from_rows(ones, defined, labels, concepts, name, found.reading)

    @classmethod
    def from_rows(
        cls,
        ones: Sequence[int],
        defined: Sequence[int],
        points: Iterable[Hashable],
        concepts: Iterable[Hashable] | None = None,
        name: str = "",
        reading: Reading | None = None,
    ) -> Self:
        """Return the class of the given bit masks, in their order; equal concepts are merged.

        Examples
        --------
        >>> PartialClass.from_rows([0, 0, 3], [1, 1, 3], points=["a", "b"]).concepts
        (0, 2)
        """
        ones, defined = (
            tuple(iterated(masks, name, "integers"))
            for masks, name in ((ones, "ones"), (defined, "defined"))
        )
        check_masks(ones, "ones")
        check_masks(defined, "defined")
        labels = as_labels(range(len(ones)) if concepts is None else concepts, "concept")
        check_labels(labels, len(ones), "concept")
        if len(defined) != len(ones):
            raise DomainError(f"defined must have {len(ones)} rows, not {len(defined)}")
        first: dict[tuple[int, int], Label] = {}
        for row, label in zip(zip(ones, defined, strict=True), labels, strict=True):
            first.setdefault(row, label)
        return cls(
            as_labels(points, "point"),
            tuple(first.values()),
            tuple(one for one, _ in first),
            tuple(inside for _, inside in first),
            name,
            len(ones) - len(first),
            reading,
        )

    @property
    def is_total(self) -> bool:
        """Whether every concept is defined on every point."""
        return all(defined == (1 << len(self.points)) - 1 for defined in self.defined)

    def __len__(self) -> int:
        return len(self.ones)

    def __str__(self) -> str:
        concepts = counted(len(self.ones), "concept", "concepts")
        points = counted(len(self.points), "point", "points")
        return f"{self.name or 'class'}: {concepts} over {points}, partial"

    def value(self, concept: int, point: int) -> int | None:
        """Return the label that a concept gives to a point; None if it is undefined there."""
        return self.ones[concept] >> point & 1 if self.defined[concept] >> point & 1 else None

    def to_class(self) -> ConceptClass:
        """Return the class of the same functions, if all of them are total.

        Raises
        ------
        DomainError
            If a concept is undefined on some point.

        Examples
        --------
        >>> PartialClass.from_matrix(["01", "11"]).to_class().rows
        (2, 3)
        """
        if not self.is_total:
            raise DomainError(
                f"{self.name or 'the class'} must be total, but some concepts are undefined on "
                "some points"
            )
        return ConceptClass(
            self.points, self.concepts, self.ones, self.name, self.merged, self.reading
        )

    def dual(self) -> Self:
        """Return the dual class: points become concepts and concepts become points.

        Equal columns are merged.

        Examples
        --------
        >>> C = PartialClass.from_matrix(["00*", "1*0"]).dual()
        >>> C.ones, C.defined
        ((2, 0, 0), (3, 1, 2))
        """
        name = f"dual of {self.name}" if self.name else ""
        columns = sides(self)
        return type(self).from_rows(
            [ones for _, ones in columns],
            [zeros | ones for zeros, ones in columns],
            *(self.concepts, self.points, name),
        )

    def to_json(self) -> dict[str, Any]:
        """Return the instance part of a certificate; an undefined entry is ``*``.

        Examples
        --------
        >>> PartialClass.from_matrix(["00*", "1*0"]).to_json()["rows"]
        ['00*', '1*0']
        """
        return {
            "type": "partial concept class",
            "name": self.name,
            "points": list(self.points),
            "concepts": list(self.concepts),
            "rows": [
                text_row(ones, len(self.points), defined)
                for ones, defined in zip(self.ones, self.defined, strict=True)
            ],
        }


def sides(partial_class: PartialClass) -> list[tuple[int, int]]:
    """Return, for each point, the bit masks of the concepts with label 0 and with label 1."""
    rows = partial_class.ones, partial_class.defined
    ones, defined = (transposed(masks, len(partial_class.points)) for masks in rows)
    return [(inside & ~one, one) for one, inside in zip(ones, defined, strict=True)]


def dual_sides(partial_class: PartialClass) -> list[tuple[int, int]]:
    """Return, for each concept, the bit masks of the points with label 0 and with label 1."""
    both = zip(partial_class.ones, partial_class.defined, strict=True)
    return [(inside & ~one, one) for one, inside in both]
