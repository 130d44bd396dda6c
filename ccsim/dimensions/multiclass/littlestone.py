"""The Littlestone dimension of a multiclass concept class.

The concepts that agree with some literals, which are labels of points, form a version space. Some
label of every point leads to the version space of a subtree, so a mistake tree of depth ``d`` for a
version space is a point with two labels whose sides have trees of depth ``d - 1``.
"""

from __future__ import annotations

from ccsim.arguments.checked import checked_types
from ccsim.budget import Budget, Progress, TimeLimit
from ccsim.certificates import Certificate
from ccsim.classes.masks import members
from ccsim.classes.multiclass import MulticlassConceptClass, MulticlassLike, as_multiclass
from ccsim.data import frozen
from ccsim.dimensions.multiclass.answer import MulticlassAnswer, first_difference, sides

Node = int | tuple[int, int, int]  # a concept at a leaf; otherwise a point and two labels
Entry = tuple[int, tuple[int, ...], tuple[int, ...], tuple[int, ...]]
_SEARCHING = 0.7  # part of a time limit for the search; the rest is for the proofs
_PATIENCE = 10  # seconds for the proofs after an interrupt


@frozen
class MulticlassLittlestoneResult(MulticlassAnswer):
    """The Littlestone dimension of a multiclass class, or bounds on it, with their proofs.

    Attributes
    ----------
    concept_class : MulticlassConceptClass
    lower, upper : int
        Bounds, at least -1; equal unless the search was stopped.
    tree : tuple of int or (int, int, int)
        The nodes of a complete mistake tree of depth ``lower`` in preorder. An inner node is a
        point with the numbers of two different labels, the label of the subtree that follows
        first. A leaf is a concept that has the labels on its path. Empty for the value -1.
    refutation : tuple of (int, tuple, tuple, tuple)
        Entries, each of which follows from earlier ones: a depth, literals, turns and the numbers
        of entries. The literal ``x * k + y`` is label number ``y`` on point ``x``, for ``k``
        labels. The concepts that agree with the literals have no mistake tree of this depth: for
        each turn, another literal, an earlier entry excludes trees of a smaller depth, and on each
        point at most one label is left that enough concepts have. Empty if the number of concepts
        proves the bound.
    """

    quantity = "the multiclass Littlestone dimension"
    _kind = "multiclass_littlestone_dimension"

    tree: tuple[Node, ...]
    refutation: tuple[Entry, ...]

    def certificate(self) -> Certificate:
        """Return the certificate of kind ``multiclass_littlestone_dimension``."""
        nodes = [node if isinstance(node, int) else list(node) for node in self.tree]
        entries = self.refutation or ((self.upper + 1, (), (), ()),)
        spaces = [[depth, *map(list, lists)] for depth, *lists in entries]
        return self._with_proofs(
            {"mistake_tree": {"tree": nodes}} if nodes else {"trivial": {}},
            {"refutation": {"spaces": spaces}},
        )


@checked_types
def multiclass_littlestone_dimension(
    concept_class: MulticlassLike,
    *,
    time_limit: TimeLimit = None,
    progress: Progress | None = None,
) -> MulticlassLittlestoneResult:
    """Return the Littlestone dimension of a multiclass concept class, with proofs of both bounds.

    It is the largest depth of a complete mistake tree: inner nodes are points with two different
    labels, one for each subtree, and for every branch some concept has all labels on it. It is the
    best mistake bound of deterministic online learners that are told the correct label.

    Parameters
    ----------
    concept_class : MulticlassConceptClass, ConceptClass, total problem, INSTANCE text or matrix
        The matrix has labels as entries.
    time_limit : float or Budget, optional
        As for `vc_dimension`; the search stops early enough to extract the proofs.
    progress : callable, optional
        Called with the lower and the upper bound whenever one of them changes.

    Returns
    -------
    MulticlassLittlestoneResult
        The bounds lie between -1 and ``log2`` of the number of concepts.

    Notes
    -----
    Method: a memoised search over version spaces. Complexity: exponential in general; 100 random
    concepts over 10 points take a tenth of a second. Source: Daniely, Sabato, Ben-David and
    Shalev-Shwartz (2015), "Multiclass learnability and the ERM principle".

    Examples
    --------
    >>> result = multiclass_littlestone_dimension(["012", "010", "212"])
    >>> result.value, result.tree, result.refutation
    (1, ((2, 2, 0), 0, 1), ())
    >>> multiclass_littlestone_dimension("monotone_labellings:n=3,k=3").value
    2
    >>> result.check()
    """
    budget = Budget.of(time_limit, progress)
    C = as_multiclass(concept_class, budget)
    if len(C) < 2:
        upper = len(C) - 1
        return MulticlassLittlestoneResult(C, upper, upper, tuple(range(len(C))), ())
    x, a, b = first_difference(C)
    lower, most = 1, len(C).bit_length() - 1
    tree: tuple[Node, ...] = ((x, a, b), 0, 1)
    refutation: tuple[Entry, ...] = ()
    depth, upper, search = lower, most, None
    hunt = budget.share(_SEARCHING) if budget.limited else budget
    with hunt:
        search = _Search(C, hunt)
        while depth < upper:
            budget.report(depth, upper)
            if search.has_tree(search.everything, depth + 1):
                depth += 1
            else:
                upper = depth
        budget.report(depth, upper)
    found = MulticlassLittlestoneResult(C, lower, most, tree, refutation)
    if search is None:
        return found
    if depth > lower:
        with budget.grace(_PATIENCE) as search.budget:
            lower, tree = depth, (*search.tree(search.everything, depth),)
    if upper < most:
        with budget.grace(_PATIENCE) as search.budget:
            refutation = search.refutation(upper + 1)
            most = upper
    return MulticlassLittlestoneResult(C, lower, most, tree, refutation)


class _Search:
    """The version spaces of a class, with bounds on the depths of their trees."""

    def __init__(self, C: MulticlassConceptClass, budget: Budget) -> None:
        self.budget, self.number = budget, len(C.labels)
        self.everything, self.sides = (1 << len(C)) - 1, sides(C, budget)
        self._known: dict[int, tuple[int, int]] = {}  # depths that exist, and at most exist
        self._root: dict[tuple[int, int], tuple[int, int, int]] = {}  # by version space and depth

    def has_tree(self, space: int, depth: int) -> bool:
        """Return whether a version space has a mistake tree of a given depth."""
        number = space.bit_count()
        if depth < 2 or not number >> depth:
            return number >> depth > 0  # two different concepts differ on some point
        low, high = self._known.get(space, (1, number.bit_length() - 1))
        if not low < depth <= high:
            return depth <= low
        self.budget.spend()
        splits = []
        for x, side in enumerate(self.sides):
            parts = self.large(space, side, depth - 1)
            if len(parts) > 1:
                splits.append((-parts[1][0], x, parts))
        for _, x, parts in sorted(splits):
            labels = list[int]()
            for i, (_, y) in enumerate(parts):
                if len(labels) + len(parts) - i < 2:
                    break
                if self.has_tree(space & self.sides[x][y], depth - 1):
                    labels.append(y)
                if len(labels) == 2:
                    self._known[space] = depth, high
                    self._root[space, depth] = x, min(labels), max(labels)
                    return True
        self._known[space] = low, depth - 1
        return False

    def large(self, space: int, side: dict[int, int], depth: int) -> list[tuple[int, int]]:
        """Return the labels that at least ``2**depth`` concepts have, most frequent first.

        Each label comes with the number of concepts.
        """
        parts = [(n, -y) for y, rows in side.items() if (n := (space & rows).bit_count()) >> depth]
        return [(n, -y) for n, y in sorted(parts, reverse=True)]

    def tree(self, space: int, depth: int) -> list[Node]:
        """Return the nodes of a tree of a version space, which has one of this depth."""
        self.budget.spend()
        if depth == 0:
            return [next(members(space))]
        if depth == 1:
            x, a, b = self._split(space)
        else:
            if (space, depth) not in self._root:
                self._known.pop(space, None)  # a deeper tree is known
                self.has_tree(space, depth)
            x, a, b = self._root[space, depth]
        below = (self.tree(space & self.sides[x][y], depth - 1) for y in (a, b))
        return [(x, a, b), *(node for nodes in below for node in nodes)]

    def _split(self, space: int) -> tuple[int, int, int]:
        """Return a point and two labels of concepts in a version space of at least two."""
        for x, side in enumerate(self.sides):
            parts = sorted(y for y, rows in side.items() if space & rows)
            if len(parts) > 1:
                return x, parts[0], parts[1]
        raise AssertionError("different concepts differ on some point")

    def refutation(self, depth: int) -> tuple[Entry, ...]:
        """Return the entries that exclude trees of a depth for the whole class."""
        entries = list[Entry]()
        place: dict[int, tuple[int, int]] = {}  # depth and entry of a version space

        def refute(space: int, literals: tuple[int, ...], depth: int) -> int:
            self.budget.spend()
            if (known := place.get(space, (depth + 1, 0)))[0] <= depth:
                return known[1]
            turns, below = list[int](), list[int]()
            for x, side in enumerate(self.sides):
                parts = self.large(space, side, depth - 1)
                left = len(parts) - 1  # that are to be excluded
                for _, y in reversed(parts):
                    if left > 0 and not self.has_tree(space & side[y], depth - 1):
                        left -= 1
                        literal = x * self.number + y
                        turns.append(literal)
                        below.append(refute(space & side[y], (*literals, literal), depth - 1))
            entries.append((depth, literals, tuple(turns), tuple(below)))
            place[space] = depth, len(entries) - 1
            return len(entries) - 1

        refute(self.everything, (), depth)
        return tuple(entries)
