"""The Littlestone dimension of a finite class (`fx` Definition 2.4), with a proof of each bound."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import Self

from ccsim.arguments.checked import checked_types
from ccsim.budget import Budget, Progress, TimeLimit
from ccsim.certificates import Certificate
from ccsim.certificates.envelope import no_cycles
from ccsim.classes import ConceptClass, PartialClass
from ccsim.classes.concept_class import columns
from ccsim.classes.given import PartialClassLike, as_total_or_partial
from ccsim.data import frozen
from ccsim.dimensions.answer import ClassAnswer
from ccsim.dimensions.mistake_trees import LittlestoneRefutation, MistakeTree, Node
from ccsim.dimensions.version_spaces import native
from ccsim.dimensions.version_spaces.search import Search, SearchFailedError, close_in
from ccsim.errors import DomainError, NotDecidedError

METHODS = ("auto", "python", "compiled", "dense")
"""Names of the methods of search."""
_SMALL = 1 << 10
"""Maximum of concepts times points for the search in Python, which needs no engine."""
_SEARCHING = 0.7  # part of a time limit for the search; the rest is for the proofs
_COLUMNS = 64  # points that a greedy tree compares at each node, and 4 for each concept
_PATIENCE = 10  # seconds for the proofs after an interrupt


@frozen
class LittlestoneResult(ClassAnswer):
    """The Littlestone dimension of a class, or bounds on it, with their proofs.

    Attributes
    ----------
    concept_class : ConceptClass or PartialClass
    lower, upper : int
        Bounds, at least -1; equal unless the search was stopped.
    tree : MistakeTree or None
        Complete mistake tree of depth ``lower``; None if ``lower`` is -1.
    refutation : LittlestoneRefutation
        Proof that no complete mistake tree has depth ``upper + 1``.
    method : str
        Method that found the bounds: ``"python"``, ``"compiled"`` or ``"dense"``.
    """

    quantity = "the Littlestone dimension"
    _kind = "littlestone_dimension"

    tree: MistakeTree | None
    refutation: LittlestoneRefutation
    method: str

    def with_upper_by_size(self) -> Self:
        """Return the result with the upper bound ``log2`` of the number of concepts."""
        upper = len(self.concept_class).bit_length() - 1
        return replace(self, upper=upper, refutation=LittlestoneRefutation(()))

    @no_cycles()
    def certificate(self) -> Certificate:
        """Return the certificate of kind ``littlestone_dimension``.

        The lower bound -1 needs no proof.
        """
        refutation = self.refutation.to_json(self.upper)
        if isinstance(self.concept_class, PartialClass):
            del refutation["refutation"]["symmetries"]  # which are not looked for
        return self._with_proofs(
            {"trivial": {}}
            if self.tree is None
            else {"mistake_tree": {"tree": self.tree.to_json()}},
            refutation,
        )


@checked_types
def littlestone_dimension(
    concept_class: PartialClassLike,
    *,
    time_limit: TimeLimit = None,
    progress: Progress | None = None,
    method: str = "auto",
) -> LittlestoneResult:
    """Return the Littlestone dimension of a class, with proofs of both bounds.

    It is the largest depth of a complete mistake tree of the class. In a partial class, a concept
    realises a branch only if it is defined on all points of the branch.

    Parameters
    ----------
    concept_class : ConceptClass, PartialClass, problem, INSTANCE text or matrix
    time_limit : float or Budget, optional
        As for `vc_dimension`; the search stops early enough to extract the proofs. A second
        interrupt (Ctrl-C) stops the extraction.
    progress : callable, optional
        Called with the lower and the upper bound whenever one of them changes.
    method : str
        ``"python"`` searches with version spaces as Python integers; ``"compiled"`` uses the native
        engine; ``"dense"`` tabulates the dimensions of the version spaces of all partial
        assignments, for at most 16 non-constant points that are distinct up to complement.
        ``"auto"`` is ``"python"`` if concepts times points is at most 1024, and ``"compiled"``
        otherwise. Without the native engine, ``"compiled"`` has the effect of ``"python"``. For a
        partial class, every method has this effect.

    Returns
    -------
    LittlestoneResult
        The bounds lie between -1 and ``log2`` of the number of concepts.

    Notes
    -----
    Complexity: exponential in general; `docs/benchmarks-littlestone.md` has measured times.
    Halfspaces on {0,1}^4 take a tenth of a second, two intervals on 24 points one second.

    Examples
    --------
    >>> from ccsim.classes import thresholds
    >>> result = littlestone_dimension(thresholds(2))
    >>> result.value, result.tree
    (2, MistakeTree(root=(1, (2, 3, 2), (0, 1, 0))))
    >>> result.check()
    >>> littlestone_dimension(["00*", "01*", "1*0", "1*1"]).value  # * is undefined
    2
    """
    if method not in METHODS:
        raise DomainError(f"method must be one of {', '.join(METHODS)}, not {method!r}")
    budget = Budget.of(time_limit, progress)
    C = as_total_or_partial(concept_class, budget)
    if not len(C):
        return LittlestoneResult(C, -1, -1, None, LittlestoneRefutation(()), "python")
    hunt = budget.share(_SEARCHING) if budget.limited else budget
    by_size = (0, len(C).bit_length() - 1)
    if isinstance(C, PartialClass):
        from ccsim.dimensions.partial.mistake_trees import PartialSearch

        search = PartialSearch(C)
        return _of_partial(C, search, close_in(search, by_size, hunt.or_at_once()), budget)
    for name, make in _searches(C, method):
        made: Search | None = None
        try:
            with hunt:
                hunt.spend()
                made = make(hunt)
            if made is None:
                break
            return _proved(C, name, made, close_in(made, by_size, hunt), budget)
        except SearchFailedError:
            continue
    if hunt.expired:
        return _at_no_cost(C, "python", budget)
    raise NotDecidedError(
        "the Littlestone dimension is not decided: no method found a proof; try another method"
    )


def _at_no_cost(C: ConceptClass, method: str, budget: Budget) -> LittlestoneResult:
    """Return the bounds that follow from a tree of balanced splits and the number of concepts."""
    tree = MistakeTree(0)
    if len(C) > 1:
        point = ((C.rows[0] ^ C.rows[1]) & -(C.rows[0] ^ C.rows[1])).bit_length() - 1
        label = C.value(1, point)
        tree = MistakeTree((point, 1 - label, label))
        with budget.at_once() as first:
            tree = MistakeTree(balanced_tree(C, first))
    upper = len(C).bit_length() - 1
    return LittlestoneResult(C, tree.depth, upper, tree, LittlestoneRefutation(()), method)


def balanced_tree(C: ConceptClass, budget: Budget) -> Node:
    """Return a complete mistake tree whose points have balanced labels, by a greedy search."""
    ones = columns(C)

    def grown(V: int, most: int, among: list[int]) -> tuple[int, Node]:
        budget.spend()
        size, found = V.bit_count(), list[tuple[int, int]]()
        few = max(_COLUMNS, 4 * size)
        for i, x in enumerate(among if most and size > 1 else ()):
            if count := min(of_one := (V & ones[x]).bit_count(), size - of_one):
                found.append((count, ~x))
            if i >= few and found:
                break
        if not found:
            return 0, (V & -V).bit_length() - 1
        x, left = ~max(found)[1], [*(~x for _, x in found), *among[i + 1 :]]
        sides = [V & ~ones[x], V & ones[x]]
        small = int(sides[1].bit_count() < sides[0].bit_count())
        depth, first = grown(sides[small], most - 1, left)
        least, second = grown(sides[1 - small], depth, left)
        both = (_cut(first, least), second)
        return least + 1, (x, both[small], both[1 - small])

    return grown((1 << len(C)) - 1, len(C).bit_length() - 1, [*range(len(ones))])[1]


def _cut(node: Node, depth: int) -> Node:
    """Return the first levels of a tree; the subtrees below them are replaced by leaves."""
    while not depth and not isinstance(node, int):
        node = node[1]
    if isinstance(node, int):
        return node
    return node[0], _cut(node[1], depth - 1), _cut(node[2], depth - 1)


def _proved(
    C: ConceptClass, method: str, search: Search, bounds: tuple[int, int], budget: Budget
) -> LittlestoneResult:
    """Return the bounds with their proofs; if time runs out, the bounds proved so far."""
    lower, upper = bounds
    by_size = len(C).bit_length() - 1
    tree, refutation = None, LittlestoneRefutation(()) if upper == by_size else None
    if lower > 1:
        with budget.grace(_PATIENCE) as left:
            tree = search.tree(lower, left)
    if upper < by_size:
        with budget.grace(_PATIENCE) as left:
            refutation = search.refutation(upper + 1, left)
    if tree is not None and refutation is not None:
        return LittlestoneResult(C, lower, upper, tree, refutation, method)
    result = _at_no_cost(C, method, budget)
    if tree is not None:
        result = replace(result, lower=lower, tree=tree)
    if refutation is not None:
        result = replace(result, upper=upper, refutation=refutation)
    return result


def _of_partial(
    C: PartialClass, search: Search, bounds: tuple[int, int], budget: Budget
) -> LittlestoneResult:
    """Return the bounds for a partial class with their proofs, as far as time permits."""
    by_size = len(C).bit_length() - 1
    result = LittlestoneResult(C, 0, by_size, MistakeTree(0), LittlestoneRefutation(()), "python")
    if bounds[0] > 0:
        with budget.or_at_once() as left:
            result = replace(result, lower=bounds[0], tree=search.tree(bounds[0], left))
    if bounds[1] < by_size:
        with budget.or_at_once() as left:
            refutation = search.refutation(bounds[1] + 1, left)
            result = replace(result, upper=bounds[1], refutation=refutation)
    return result


def _searches(C: ConceptClass, method: str) -> Iterator[tuple[str, Callable[[Budget], Search]]]:
    """Yield the searches of a method in the order in which they are tried."""
    is_small = len(C) * len(C.points) <= _SMALL
    if method == "dense":
        from ccsim.dimensions.version_spaces.dense_table import DenseTable

        yield "dense", lambda _: DenseTable(C)
    takes_engine = method == "compiled" or (method == "auto" and not is_small)
    if takes_engine and native.found() is not None:
        yield "compiled", partial(native.NativeSearch, C)
    from ccsim.dimensions.version_spaces.search import PythonSearch

    yield "python", partial(PythonSearch, C)  # also where two version spaces had the same hash
