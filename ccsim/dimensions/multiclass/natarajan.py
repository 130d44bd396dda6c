"""The Natarajan dimension of a multiclass concept class."""

from __future__ import annotations

from collections.abc import Sequence

from ccsim.arguments.checked import checked_types
from ccsim.budget import Budget, Progress, TimeLimit
from ccsim.certificates import Certificate
from ccsim.classes.masks import members
from ccsim.classes.multiclass import MulticlassLike, as_multiclass
from ccsim.data import frozen
from ccsim.dimensions.multiclass.answer import MulticlassAnswer, first_difference, sides

Pair = tuple[int, int, int]  # a point and two different labels


@frozen
class NatarajanResult(MulticlassAnswer):
    """The Natarajan dimension of a class, or bounds on it, with a shattered set.

    Attributes
    ----------
    concept_class : MulticlassConceptClass
    lower, upper : int
        Bounds, at least -1; equal unless the search was stopped.
    pairs : tuple of (int, int, int)
        ``lower`` points, each with the numbers of two different labels.
    realising : tuple of int
        ``2**lower`` concepts; on the point of the pair ``pairs[t]``, concept ``realising[i]`` has
        the second label if ``(i >> t) & 1`` and the first one otherwise. Empty for the value -1.
    """

    quantity = "the Natarajan dimension"
    _kind = "natarajan_dimension"

    pairs: tuple[Pair, ...]
    realising: tuple[int, ...]

    @property
    def points(self) -> tuple[int, ...]:
        """The shattered set of points."""
        return tuple(x for x, _, _ in self.pairs)

    def certificate(self) -> Certificate:
        """Return the certificate of kind ``natarajan_dimension``."""
        witness = {"pairs": [list(pair) for pair in self.pairs], "rows": list(self.realising)}
        return self._with_proofs(
            {"trivial": {}} if self.lower < 0 else {"shattered": witness},
            {"extension": {"size": self.upper + 1}},
        )


@checked_types
def natarajan_dimension(
    concept_class: MulticlassLike,
    *,
    time_limit: TimeLimit = None,
    progress: Progress | None = None,
) -> NatarajanResult:
    """Return the Natarajan dimension of a multiclass concept class, with a shattered set.

    A set of points is shattered if there are two labellings of it that differ on every point, such
    that, for each subset, some concept agrees with the second labelling on the subset and with the
    first one on the other points.

    Parameters
    ----------
    concept_class : MulticlassConceptClass, ConceptClass, total problem, INSTANCE text or matrix
        The matrix has labels as entries.
    time_limit, progress
        As for `vc_dimension`.

    Returns
    -------
    NatarajanResult
        The bounds lie between -1 and ``log2`` of the number of concepts.

    Notes
    -----
    Method: points and pairs of labels are added one by one, as long as each cell of concepts is
    large enough for the points to come. Complexity: exponential in general; 100 random concepts
    over 10 points take a tenth of a second. Source: Natarajan (1989), "On learning sets and
    functions".

    Examples
    --------
    >>> result = natarajan_dimension("label_cycle:k=3")
    >>> result.value, result.pairs, result.realising
    (1, ((1, 0, 1),), (0, 1))
    >>> result.check()
    """
    budget = Budget.of(time_limit, progress)
    C = as_multiclass(concept_class, budget)
    if len(C) < 2:
        upper = len(C) - 1
        return NatarajanResult(C, upper, upper, (), tuple(range(len(C))))
    pairs: tuple[Pair, ...] = (first_difference(C),)
    realising: tuple[int, ...] = (0, 1)
    upper = len(C).bit_length() - 1
    with budget:
        table = sides(C, budget)
        while len(pairs) < upper:
            budget.report(len(pairs), upper)
            size = len(pairs) + 1
            found = _grow([(1 << len(C)) - 1], [*enumerate(table)], size, budget)
            if found is None:
                upper = size - 1
            else:
                pairs, cells = found
                realising = tuple(next(members(cell)) for cell in cells)
        budget.report(len(pairs), upper)
    return NatarajanResult(C, len(pairs), upper, pairs, realising)


def _grow(
    cells: list[int], among: Sequence[tuple[int, dict[int, int]]], more: int, budget: Budget
) -> tuple[tuple[Pair, ...], list[int]] | None:
    """Return ``more`` pairs on the given points that split every cell in all ways, and the cells.

    The result is None if there are none. Cell ``i`` of the result has second labels where the
    binary digits of ``i`` are 1, after those of the given cells.
    """
    half, kept = 1 << more - 1, list[tuple[int, dict[int, int]]]()
    for x, side in among:
        budget.spend()
        often = {
            y: rows
            for y, rows in side.items()
            if all((rows & cell).bit_count() >= half for cell in cells)
        }
        if len(often) > 1:
            kept.append((x, often))
    for i, (x, often) in enumerate(kept[: max(0, len(kept) - more + 1)]):
        labels = sorted(often)
        for j, b in enumerate(labels):
            for a in labels[:j]:
                budget.spend()
                halves = [cell & often[y] for y in (a, b) for cell in cells]
                if more == 1:
                    return ((x, a, b),), halves
                found = _grow(halves, kept[i + 1 :], more - 1, budget)
                if found is not None:
                    return ((x, a, b), *found[0]), found[1]
    return None
