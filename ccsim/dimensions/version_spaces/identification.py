"""Costs of identifying a concept: a search over version spaces, and its proofs.

A learner makes moves, and an adversary answers with labels of points. The cost of a version space
is 0 if it has one concept, and is otherwise determined by the costs of its sides: the concepts with
one label on a point. Removing concepts does not increase it. A move is of no use if an answer
leaves the whole version space. Side ``2 x + b`` belongs to label ``b`` on point ``x``.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any, NamedTuple, Protocol, TypeAlias

from ccsim.budget import Budget
from ccsim.classes import ConceptClass
from ccsim.classes.concept_class import columns

_SEARCHING = 0.7  # part of a time limit for the search; the rest is for the proofs
_PATIENCE = 10  # seconds for the proofs after an interrupt
Asked: TypeAlias = tuple[int, int]
"""A side, and by how much its cost must be smaller than the limit: 0 or 1."""
Moves: TypeAlias = Generator[Asked, Any, tuple[Any, tuple[Asked, ...]] | None]
"""It yields questions about sides, and returns a move within the limit with its sides, or None."""
Entry: TypeAlias = tuple[int, tuple[int, ...], tuple[int, ...], tuple[int, ...]]
"""A bound for the concepts that satisfy some literals; these; sides; an entry for each side."""


class Rules(Protocol):
    """The moves of a learner and their costs."""

    def most_of(self, number: int) -> int:
        """Return an upper bound on the cost for this number of concepts."""

    def least_of(self, number: int) -> int:
        """Return a lower bound on the cost for this number of concepts."""

    def counted(self, sizes: list[int], budget: Budget) -> int:
        """Return a lower bound that follows from the sizes of all sides of a version space."""

    def moves(self, sizes: list[int], budget: Budget) -> Moves:
        """Look for a move whose cost is within the limit."""


class _Bound(NamedTuple):
    """A bound on the cost of a version space, with the sides that prove it."""

    cost: int
    sides: tuple[Asked, ...] = ()
    move: Any = None  # for an upper bound


class _Opened:
    """A version space for which a move is looked for."""

    def __init__(self, space: int, limit: int, moves: Moves) -> None:
        self.space, self.limit, self.moves = space, limit, moves
        self.asked: Asked | None = None
        self.larger: dict[int, int] = {}  # sides whose cost is too large


class Costs(NamedTuple):
    """Bounds on the cost of a class, the first move of a learner, and proofs of both bounds."""

    lower: int
    upper: int
    move: Any
    adversary: tuple[Entry, ...]
    learner: tuple[Entry, ...]


def costs(C: ConceptClass, rules: Rules, budget: Budget) -> Costs:
    """Return the cost of a class; if time runs out, bounds with their proofs."""
    hunt = budget.share(_SEARCHING) if budget.limited else budget
    search = _Search(C, rules, hunt)
    low, high = search.bounds(search.everything)
    with hunt:
        while low < high:
            hunt.report(low, high)
            search.is_at_most(search.everything, (low + high) // 2)
            low, high = search.bounds(search.everything)
        hunt.report(low, high)
    low, high = search.bounds(search.everything)
    found = Costs(
        rules.least_of(len(C)),
        rules.most_of(len(C)),
        None,
        ((rules.least_of(len(C)), (), (), ()),),
        ((rules.most_of(len(C)), (), (), ()),),
    )
    if low > found.lower:
        with budget.grace(_PATIENCE) as left:
            proof = search.proof(left, is_upper=False)
            found = found._replace(lower=low, adversary=proof)
    if high < found.upper:
        with budget.grace(_PATIENCE) as left:
            move = search.upper[search.everything].move
            proof = search.proof(left, is_upper=True)
            found = found._replace(upper=high, move=move, learner=proof)
    return found


class _Search:
    """The version spaces of a class, with bounds on their costs."""

    def __init__(self, C: ConceptClass, rules: Rules, budget: Budget) -> None:
        self.rules, self.budget = rules, budget
        self.everything = (1 << len(C)) - 1
        self.sides = [side for ones in columns(C) for side in (self.everything ^ ones, ones)]
        self.lower, self.upper = dict[int, _Bound](), dict[int, _Bound]()

    def bounds(self, space: int) -> tuple[int, int]:
        """Return the bounds on the cost of a version space that are known."""
        low, high = self.lower.get(space), self.upper.get(space)
        number = space.bit_count()
        return (
            low.cost if low else self.rules.least_of(number),
            high.cost if high else self.rules.most_of(number),
        )

    def is_at_most(self, space: int, limit: int) -> bool:
        """Return whether the cost of a version space is at most the limit."""
        waiting = list[_Opened]()
        answer = self._answered(space, limit, waiting)
        while waiting:
            top = waiting[-1]
            if answer is False and top.asked is not None:
                side, less = top.asked
                top.larger[side] = min(less, top.larger.get(side, less))
            try:
                top.asked = side, less = top.moves.send(answer)
            except StopIteration as stop:
                answer = self._closed(waiting.pop(), stop.value)
            else:
                below = top.space & self.sides[side]
                answer = self._answered(below, top.limit - less, waiting)
        return bool(answer)

    def _answered(self, space: int, limit: int, waiting: list[_Opened]) -> bool | None:
        """Return whether the cost is at most the limit, or None if the space has been opened."""
        low, high = self.bounds(space)
        if low > limit or high <= limit:
            return high <= limit
        self.budget.spend()
        sizes = [(space & side).bit_count() for side in self.sides]
        if space not in self.lower:
            self.lower[space] = _Bound(max(low, self.rules.counted(sizes, self.budget)))
            if self.lower[space].cost > limit:
                return False
        waiting.append(_Opened(space, limit, self.rules.moves(sizes, self.budget)))
        return None

    def _closed(self, opened: _Opened, found: tuple[Any, tuple[Asked, ...]] | None) -> bool:
        """Store the bound that a finished search for a move proves; return whether it is upper."""
        if found is None:
            sides = tuple(opened.larger.items())
            self.lower[opened.space] = _Bound(opened.limit + 1, sides)
            return False
        self.upper[opened.space] = _Bound(opened.limit, found[1], found[0])
        return True

    def proof(self, budget: Budget, *, is_upper: bool) -> tuple[Entry, ...]:
        """Return the entries that prove the known bound on the cost of the class."""
        known = self.upper if is_upper else self.lower
        literals: dict[int, tuple[int, ...]] = {self.everything: ()}
        below = dict[int, dict[int, int]]()  # the version spaces of the sides that need an entry
        queue = [self.everything]
        for space in queue:
            budget.spend()
            cost, sides, _ = known[space]
            below[space] = {}
            for side, less in sides:
                part, needed = space & self.sides[side], cost - less
                most, least = (
                    f(part.bit_count()) for f in (self.rules.most_of, self.rules.least_of)
                )
                if most > needed if is_upper else least < needed:
                    below[space][side] = part
                    if part not in literals:
                        literals[part] = (*literals[space], side)
                        queue.append(part)
        queue.sort(key=int.bit_count)
        place = {space: i for i, space in enumerate(queue)}
        return tuple(
            (
                known[space].cost,
                literals[space],
                tuple(below[space]),
                tuple(place[part] for part in below[space].values()),
            )
            for space in queue
        )


def to_json(entries: tuple[Entry, ...]) -> dict[str, Any]:
    """Return the entries of a proof for a certificate."""
    return {"spaces": [[cost, *map(list, lists)] for cost, *lists in entries]}
