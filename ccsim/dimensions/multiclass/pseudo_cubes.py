"""The DS dimension of a multiclass concept class (Daniely and Shalev-Shwartz 2014).

A *pseudo-cube* on some points is a finite non-empty set of labellings of the points, in which each
labelling has for each point a neighbour: a labelling that differs from it on this point only.
"""

from __future__ import annotations

from collections import Counter

from ccsim.arguments.checked import checked_types
from ccsim.budget import Budget, Progress, TimeLimit
from ccsim.certificates import Certificate
from ccsim.classes.multiclass import MulticlassLike, as_multiclass
from ccsim.data import frozen
from ccsim.dimensions.multiclass.answer import MulticlassAnswer, first_difference


@frozen
class DSResult(MulticlassAnswer):
    """The DS dimension of a class, or bounds on it, with a pseudo-cube.

    Attributes
    ----------
    concept_class : MulticlassConceptClass
    lower, upper : int
        Bounds, at least -1; equal unless the search was stopped.
    points : tuple of int
        ``lower`` points.
    pseudo_cube : tuple of int
        Concepts whose labellings of the points form a pseudo-cube. Empty for the value -1.
    """

    quantity = "the DS dimension"
    _kind = "ds_dimension"

    points: tuple[int, ...]
    pseudo_cube: tuple[int, ...]

    def certificate(self) -> Certificate:
        """Return the certificate of kind ``ds_dimension``."""
        witness = {"columns": list(self.points), "rows": list(self.pseudo_cube)}
        return self._with_proofs(
            {"trivial": {}} if self.lower < 0 else {"pseudo_cube": witness},
            {"extension": {"size": self.upper + 1}},
        )


@checked_types
def ds_dimension(
    concept_class: MulticlassLike,
    *,
    time_limit: TimeLimit = None,
    progress: Progress | None = None,
) -> DSResult:
    """Return the DS dimension of a multiclass concept class, with a pseudo-cube.

    It is the largest number of points such that the labellings of the points by some concepts form
    a pseudo-cube: for each labelling and each point, another labelling differs from it on this
    point only.

    Parameters
    ----------
    concept_class : MulticlassConceptClass, ConceptClass, total problem, INSTANCE text or matrix
        The matrix has labels as entries.
    time_limit, progress
        As for `vc_dimension`.

    Returns
    -------
    DSResult
        The bounds lie between -1 and ``log2`` of the number of concepts.

    Notes
    -----
    Method: the largest pseudo-cube on some points remains when labellings without a neighbour are
    removed repeatedly. Its restriction to fewer points is a pseudo-cube, so points are added one by
    one. Complexity: exponential in general; 100 random concepts over 10 points take a tenth of a
    second. Source: Daniely and Shalev-Shwartz (2014), "Optimal learners for multiclass problems".

    Examples
    --------
    >>> result = ds_dimension("label_cycle:k=3")
    >>> result.value, result.points, result.pseudo_cube
    (2, (0, 1), (0, 1, 2, 3, 4, 5))
    >>> result.check()
    """
    budget = Budget.of(time_limit, progress)
    C = as_multiclass(concept_class, budget)
    if len(C) < 2:
        upper = len(C) - 1
        return DSResult(C, upper, upper, (), tuple(range(len(C))))
    points: tuple[int, ...] = (first_difference(C)[0],)
    cube: tuple[int, ...] = (0, 1)
    upper = len(C).bit_length() - 1
    with budget:
        texts = ["".join(map(chr, row)) for row in budget.each(C.rows)]
        while len(points) < upper:
            budget.report(len(points), upper)
            size = len(points) + 1
            found = _grow(texts, (), tuple(range(len(C))), size, budget)
            if found is None:
                upper = size - 1
            else:
                points, cube = found
        budget.report(len(points), upper)
    return DSResult(C, len(points), upper, points, cube)


def _grow(
    texts: list[str], chosen: tuple[int, ...], concepts: tuple[int, ...], size: int, budget: Budget
) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
    """Return ``size`` points that contain the chosen ones, and one concept for each labelling.

    The concepts given are those in the largest pseudo-cube on the chosen points. The result is None
    if there are no such points.
    """
    if len(concepts) < 1 << size:
        return None
    if len(chosen) == size:
        first: dict[str, int] = {}
        for c in concepts:
            first.setdefault("".join([texts[c][x] for x in chosen]), c)
        return chosen, tuple(first.values())
    start = chosen[-1] + 1 if chosen else 0
    for x in range(start, len(texts[0]) - size + len(chosen) + 1):
        budget.spend()
        points = (*chosen, x)
        cut = ["".join([texts[c][y] for y in points]) for c in concepts]
        left = _peeled(set(cut), len(points), budget)
        kept = tuple(c for c, text in zip(concepts, cut, strict=True) if text in left)
        if (found := _grow(texts, points, kept, size, budget)) is not None:
            return found
    return None


def _peeled(labellings: set[str], size: int, budget: Budget) -> set[str]:
    """Return the largest pseudo-cube among labellings of ``size`` points, possibly empty.

    A pseudo-cube has at least ``2**size`` labellings: on each point at least two labels, and the
    labellings with one of them form a pseudo-cube on the other points.
    """
    before = -1
    while len(labellings) != before:
        before = len(labellings)
        for t in range(size):
            if not len(labellings) >> size:
                return set()
            budget.spend()
            alike = Counter([text[:t] + text[t + 1 :] for text in labellings])
            labellings = {text for text in labellings if alike[text[:t] + text[t + 1 :]] > 1}
    return labellings
