"""The VC dimension of a finite class and of its dual, with the sets that prove them.

Main definitions: `VCResult`, `vc_dimension`, `DualVCResult`, `dual_vc_dimension`.

Conventions: a set of points is shattered if the concepts give it all labellings; the dimension is
the largest size of a shattered set, 0 for one concept and -1 for the empty class. The dual
dimension is the VC dimension of the dual class, in which points and concepts change places; equal
columns are one concept of the dual.

Implementation notes: every subset of a shattered set is shattered, so that sets grow one point at a
time; a set of ``d`` points needs ``2**d`` concepts, and so does each of its cells in proportion.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ccsim.certificates import Certificate
from ccsim.classes import ConceptClass, Label
from ccsim.classes.concept_class import columns
from ccsim.dimensions.masks import essential_points, members
from ccsim.errors import CertificateError

__all__ = ["DualVCResult", "VCResult", "dual_vc_dimension", "vc_dimension"]


@dataclass(frozen=True, slots=True)
class VCResult:
    """The VC dimension of a class and a shattered set that proves it from below.

    From above the value rests on the search being exhaustive, which `check` repeats more simply.

    Attributes
    ----------
    concept_class : ConceptClass
    value : int
        At least -1.
    points : tuple of int
        A shattered set of ``value`` points.
    concepts : tuple of int
        Concept number ``i`` of these ``2**value`` has label ``(i >> t) & 1`` on point number ``t``
        of ``points``; none for the value -1.
    """

    concept_class: ConceptClass
    value: int
    points: tuple[int, ...]
    concepts: tuple[int, ...]

    def check(self) -> None:
        """Check the shattered set by definition, and that no larger one exists by extension.

        Raises
        ------
        CertificateError
            At the first labelling that is not realised, or with a larger shattered set.
        """
        C = self.concept_class
        table = _Table("point", C.points, "concept", C.concepts, C.rows, columns(C))
        table.check_shattered(self.value, self.points, self.concepts)
        table.check_none_larger(self.value)

    def certificate(self) -> Certificate:
        """Return the certificate of kind ``vc_dimension``."""
        return Certificate(
            "vc_dimension",
            self.concept_class.to_json(),
            {"lower": self.value, "upper": self.value},
            {"points": list(self.points), "concepts": list(self.concepts)},
            {},
        )


@dataclass(frozen=True, slots=True)
class DualVCResult:
    """The VC dimension of the dual of a class and a set of concepts that proves it from below.

    Attributes
    ----------
    concept_class : ConceptClass
        The class itself, not its dual.
    value : int
        At least -1.
    concepts : tuple of int
        A set of ``value`` concepts that the points shatter.
    points : tuple of int
        Point number ``i`` of these ``2**value`` has value ``(i >> t) & 1`` under concept number
        ``t`` of ``concepts``; none for the value -1.
    """

    concept_class: ConceptClass
    value: int
    concepts: tuple[int, ...]
    points: tuple[int, ...]

    def check(self) -> None:
        """Check the shattered set by definition, and that no larger one exists by extension.

        Raises
        ------
        CertificateError
            At the first labelling that is not realised, or with a larger shattered set.
        """
        C = self.concept_class
        table = _Table("concept", C.concepts, "point", C.points, columns(C), C.rows)
        table.check_shattered(self.value, self.concepts, self.points)
        table.check_none_larger(self.value)

    def certificate(self) -> Certificate:
        """Return the certificate of kind ``dual_vc_dimension``."""
        return Certificate(
            "dual_vc_dimension",
            self.concept_class.to_json(),
            {"lower": self.value, "upper": self.value},
            {"concepts": list(self.concepts), "points": list(self.points)},
            {},
        )


def vc_dimension(concept_class: ConceptClass) -> VCResult:
    """Return the largest number of points that a class shatters, with such points.

    Parameters
    ----------
    concept_class : ConceptClass

    Returns
    -------
    VCResult
        ``value`` lies between -1 and the Littlestone dimension.

    Notes
    -----
    Complexity: the number of shattered sets times the number of concepts. Thresholds over 256
    points, intervals on 40 points and lines over Z_7 take milliseconds, 300 random concepts over 20
    points (dimension 7) a second.

    Examples
    --------
    >>> from ccsim.classes import intervals
    >>> result = vc_dimension(intervals(3))
    >>> result.value, result.points, [result.concept_class.concepts[c] for c in result.concepts]
    (2, (0, 1), ['empty', '[0,0]', '[1,1]', '[0,1]'])
    >>> result.check()
    """
    points = _largest_shattered(concept_class)
    realising = {
        sum((row >> x & 1) << t for t, x in enumerate(points)): c
        for c, row in reversed(list(enumerate(concept_class.rows)))
    }
    value = len(points) if realising else -1
    return VCResult(
        concept_class, value, points, tuple(realising[i] for i in range(len(realising)))
    )


def dual_vc_dimension(concept_class: ConceptClass) -> DualVCResult:
    """Return the largest number of concepts that the points shatter, with such concepts.

    Parameters
    ----------
    concept_class : ConceptClass

    Returns
    -------
    DualVCResult
        Indices of the class itself, also where equal columns are one concept of its dual.

    Notes
    -----
    Complexity: as for `vc_dimension` of the dual class.

    Examples
    --------
    >>> from ccsim.classes import decision_stumps
    >>> result = dual_vc_dimension(decision_stumps(3))
    >>> result.value, result.concepts
    (3, (0, 1, 2))
    >>> result.check()
    """
    dual = vc_dimension(concept_class.dual())
    original = {column: x for x, column in reversed(list(enumerate(columns(concept_class))))}
    points = tuple(original[dual.concept_class.rows[x]] for x in dual.concepts)
    return DualVCResult(concept_class, dual.value, dual.points, points)


def _largest_shattered(concept_class: ConceptClass) -> tuple[int, ...]:
    """Return a largest shattered set of points; the empty set if there is none."""
    points = essential_points(concept_class)
    search = _ShatteringSearch(concept_class.project(points))
    everything, candidates = [(1 << len(concept_class)) - 1], (1 << len(points)) - 1
    best: tuple[int, ...] = ()
    while (larger := search.extension(everything, candidates, len(best) + 1)) is not None:
        best = larger
    return tuple(points[x] for x in best)


class _ShatteringSearch:
    """Depth-first extension of shattered sets, with what is known about their cells.

    A *cell* of a set of points is the bit mask of the concepts with one labelling of it; the set is
    shattered if no cell is empty, and a further point extends it if it splits every cell.
    """

    __slots__ = ("columns", "rows", "splitting")

    def __init__(self, core: ConceptClass) -> None:
        self.rows = core.rows
        self.columns = columns(core)
        self.splitting: dict[int, int] = {}

    def extension(self, cells: list[int], candidates: int, more: int) -> tuple[int, ...] | None:
        """Return ``more`` of the candidates that together split each cell, None if none do."""
        if min(cell.bit_count() for cell in cells) < 1 << more:
            return None
        if more == 0:
            return ()
        for cell in cells:
            candidates &= self._splitters(cell)
            if candidates.bit_count() < more:
                return None
        for x in members(candidates):
            candidates ^= 1 << x
            ones = self.columns[x]
            split = [cell & ~ones for cell in cells] + [cell & ones for cell in cells]
            found = self.extension(split, candidates, more - 1)
            if found is not None:
                return (x, *found)
        return None

    def _splitters(self, cell: int) -> int:
        """Return the mask of the points on which the concepts of a cell do not agree."""
        if cell not in self.splitting:
            if cell.bit_count() <= len(self.columns):
                some, every = 0, -1
                for c in members(cell):
                    some |= self.rows[c]
                    every &= self.rows[c]
                self.splitting[cell] = some & ~every
            else:
                self.splitting[cell] = sum(
                    1 << x for x, ones in enumerate(self.columns) if 0 != cell & ones != cell
                )
        return self.splitting[cell]


@dataclass(frozen=True, slots=True)
class _Table:
    """A 0/1 table whose columns are to be shattered by its rows, for checking either dimension."""

    column: str
    column_labels: tuple[Label, ...]
    row: str
    row_labels: tuple[Label, ...]
    rows: tuple[int, ...]
    columns: tuple[int, ...]

    def check_shattered(self, size: int, chosen: Sequence[int], realising: Sequence[int]) -> None:
        """Check that row number ``i`` realises labelling number ``i`` of the chosen columns."""
        self._check_indices(self.column, chosen, size, len(self.columns))
        self._check_indices(self.row, realising, 1 << size if size >= 0 else 0, len(self.rows))
        for i, r in enumerate(realising):
            for t, x in enumerate(chosen):
                if self.rows[r] >> x & 1 != i >> t & 1:
                    msg = (
                        f"{self.row} {r} ({self.row_labels[r]}) has {self.rows[r] >> x & 1} on "
                        f"{self.column} {x} ({self.column_labels[x]}), "
                        f"labelling {i} needs {i >> t & 1}"
                    )
                    raise CertificateError(msg)

    @staticmethod
    def _check_indices(name: str, indices: Sequence[int], number: int, bound: int) -> None:
        if len(set(indices)) != max(number, 0) or len(indices) != len(set(indices)):
            msg = f"{max(number, 0)} different {name}s are needed, not {list(indices)}"
            raise CertificateError(msg)
        for i in indices:
            if not 0 <= i < bound:
                msg = f"{name} {i} does not exist, there are {bound}"
                raise CertificateError(msg)

    def check_none_larger(self, size: int) -> None:
        """Check that no set of more than ``size`` columns is shattered."""
        everything = [(1 << len(self.rows)) - 1]
        larger = self._shattered_set(everything, list(range(len(self.columns))), size + 1)
        if larger is not None:
            named = ", ".join(f"{x} ({self.column_labels[x]})" for x in larger)
            what = f"{self.column}s {named}" if named else "the empty set"
            msg = f"a shattered set of more than {size} {self.column}s exists: {what}"
            raise CertificateError(msg)

    def _shattered_set(
        self, cells: list[int], candidates: list[int], more: int
    ) -> tuple[int, ...] | None:
        """Return ``more`` candidates that split each cell into all labellings, if there are."""
        if min(cell.bit_count() for cell in cells) < 1 << more:
            return None
        if more == 0:
            return ()
        splitting = [
            x for x in candidates if all(0 != cell & self.columns[x] != cell for cell in cells)
        ]
        for i, x in enumerate(splitting[: len(splitting) - more + 1]):
            ones = self.columns[x]
            split = [part for cell in cells for part in (cell & ~ones, cell & ones)]
            found = self._shattered_set(split, splitting[i + 1 :], more - 1)
            if found is not None:
                return (x, *found)
        return None
