"""What proves bounds on stars and teaching sets, looked at again from the definitions.

Main definitions: `Rechecked`, `check_star`, `check_no_star`, `check_teaching`, `check_hard`,
`check_plan`, `check_no_clash`, `check_clash`.

Implementation notes: nothing here is shared with the searches but the class itself.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from itertools import combinations
from math import comb
from typing import Any

from ccsim.budget import Budget, TimeLimit
from ccsim.certificates.shown import as_data, result_table
from ccsim.classes import ConceptClass
from ccsim.errors import CertificateError
from ccsim.exact.bounds import Bounds, check_dimension, check_fields

__all__ = [
    "Rechecked",
    "check_clash",
    "check_hard",
    "check_no_clash",
    "check_no_star",
    "check_plan",
    "check_star",
    "check_teaching",
    "require",
]


def require(holds: object, rule: str) -> None:
    """Refuse what breaks a rule.

    Raises
    ------
    CertificateError
    """
    if not holds:
        raise CertificateError(rule)


class Rechecked(Bounds[int]):
    """Base of bounds on a number of points, with what proves both."""

    __slots__ = ()

    concept_class: ConceptClass

    @abstractmethod
    def _recheck(self, budget: Budget) -> None:
        """Refuse the result unless what it holds proves both bounds."""

    def check(self, time_limit: TimeLimit = None) -> None:
        """Prove both bounds again from what the result holds.

        Parameters
        ----------
        time_limit : float or Budget, optional

        Raises
        ------
        CertificateError
            If they do not follow.
        OutOfTimeError
            If it takes longer.
        """
        check_fields(self)
        check_dimension(self, len(self.concept_class), "concept")
        self._recheck(Budget.of(time_limit))

    def to_dict(self) -> dict[str, Any]:
        """Return what the result says as JSON values."""
        return as_data(self)

    def _repr_html_(self) -> str:
        """Return the table that a notebook shows."""
        return result_table(self)


def mask_of(points: Iterable[int], C: ConceptClass) -> int:
    """Return a set of points as a mask, if all are points of a class."""
    chosen = tuple(points)
    require(all(0 <= x < len(C.points) for x in chosen), f"no points: {chosen}")
    require(len(set(chosen)) == len(chosen), f"a point stands twice: {chosen}")
    return sum(1 << x for x in chosen)


def rows_of(concepts: Iterable[int], C: ConceptClass) -> list[int]:
    """Return rows of a class by their numbers, which must be different."""
    chosen = tuple(concepts)
    require(all(0 <= c < len(C) for c in chosen), f"no concepts: {chosen}")
    require(len(set(chosen)) == len(chosen), f"a concept stands twice: {chosen}")
    return [C.rows[c] for c in chosen]


def check_star(
    C: ConceptClass, size: int, centre: int, points: Sequence[int], neighbours: Sequence[int]
) -> None:
    """Refuse what is no star of a size."""
    require(len(points) == len(neighbours) == size, f"the star has not {size} points")
    [row], chosen = rows_of([centre], C), mask_of(points, C)
    for x, other in zip(points, rows_of(neighbours, C), strict=True):
        require((row ^ other) & chosen == 1 << x, f"a neighbour does not differ on {x} alone")


def check_no_star(C: ConceptClass, size: int, budget: Budget) -> None:
    """Refuse a class that has a star of a size, which is at least 1, by trying all of them."""

    def stars(differences: set[int], chosen: int, number: int, first: int) -> bool:
        budget.spend()
        alone = {each & chosen for each in differences}
        if not all(1 << x in alone for x in range(first) if chosen >> x & 1):
            return False
        if number == size:
            return True
        open_points = range(first, len(C.points) - (size - number) + 1)
        return any(stars(differences, chosen | 1 << x, number + 1, x + 1) for x in open_points)

    for row in C.rows if size <= len(C.points) else ():
        require(not stars({row ^ other for other in C.rows}, 0, 0, 0), f"there is a star of {size}")


def check_teaching(row: int, points: Sequence[int], others: Iterable[int], C: ConceptClass) -> None:
    """Refuse points on which another of some concepts has the same labels as one of them."""
    chosen = mask_of(points, C)
    alike = sum((row ^ other) & chosen == 0 for other in others)
    require(alike == 1, f"the points {tuple(points)} do not single a concept out")


def check_hard(row: int, rows: Sequence[int], size: int, budget: Budget) -> None:
    """Refuse a concept that fewer points than a size single out among some."""

    def taught(others: list[int], left: int, excluded: int) -> bool:
        budget.spend()
        if not others:
            return True
        where = (row ^ others[0]) & ~excluded
        while left and where:
            bit = where & -where
            if taught([o for o in others if not (row ^ o) & bit], left - 1, excluded):
                return True
            excluded, where = excluded | bit, where ^ bit
        return False

    others = sorted(set(rows) - {row}, key=lambda other: (row ^ other).bit_count())
    require(
        not size or not taught(others, size - 1, 0), f"fewer than {size} points teach a concept"
    )


def check_plan(
    C: ConceptClass, order: Sequence[int], sets: Sequence[Sequence[int]], size: int
) -> None:
    """Refuse a list of concepts with points that is no teaching plan of a size."""
    rows = rows_of(order, C)
    require(len(rows) == len(C) == len(sets), "a plan lists all concepts, with points for each")
    require(max(map(len, sets), default=-1) == size, f"the largest set has not {size} points")
    for i, (row, points) in enumerate(zip(rows, sets, strict=True)):
        check_teaching(row, points, rows[i:], C)


def check_no_clash(C: ConceptClass, sets: Sequence[Sequence[int]], size: int) -> None:
    """Refuse sets of points, one for each concept, with a clash or not of a size."""
    require(len(sets) == len(C), "a teacher gives points for each concept")
    require(max(map(len, sets), default=-1) == size, f"the largest set has not {size} points")
    given = list(zip(C.rows, (mask_of(points, C) for points in sets), strict=True))
    for (row, ours), (other, theirs) in combinations(given, 2):
        require((row ^ other) & (ours | theirs), "two concepts clash")


def check_clash(
    C: ConceptClass, size: int, pairs: Sequence[tuple[int, int]], budget: Budget
) -> None:
    """Refuse a tree of cases that does not exclude a teacher with sets of so many points."""
    width = len(C.points)
    require(0 <= size <= width and comb(width, size) < 1 << 20, f"no sets of {size} points")
    everything = frozenset(sum(1 << x for x in xs) for xs in combinations(range(width), size))
    cases = [dict.fromkeys(range(len(C)), everything)]
    for c, e in pairs:
        budget.spend()
        require(cases, "no case is left for a node")
        rows = rows_of((c, e), C)
        case, where = cases.pop(), rows[0] ^ rows[1]
        first = frozenset(each for each in case[c] if each & where)
        second = frozenset(each for each in case[e] if each & where)
        both = case | {c: case[c] - first, e: second}, case | {c: first}
        cases += [each for each in both if each[c] and each[e]]
    require(not cases, "a case is left without a node")
