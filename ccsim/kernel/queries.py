"""The numbers of queries and of mistakes after which a concept is identified."""

from __future__ import annotations

from typing import Annotated, Any

from .littlestone import Known, VersionSpaces
from .reader import *
from .rules import *

# what may be asked: labels of points, and whether a concept or any hypothesis is the target
QUERIES = {
    "membership": ("point",),
    "proper equivalence": ("concept",),
    "equivalence": ("hypothesis",),
    "membership and proper equivalence": ("point", "concept"),
    "membership and equivalence": ("point", "hypothesis"),
}
Queries = Annotated[str, lambda value, _: choice(value, QUERIES)]
Sides = tuple[int, int]  # columns whose sides with label 0, and with label 1, are meant


class Identification(Dimension):
    """A cost of identifying a concept: 0 for one concept, and monotone in the set of concepts.

    The learner moves and sees a label of a point, so that one side of the point is left.
    """

    def most_of(self, number: int) -> int:
        """Return an upper bound on the cost for this number of concepts."""
        return number.bit_length() - 1

    def least_of(self, number: int) -> int:
        """Return a lower bound on the cost for this number of concepts."""
        return min(1, number - 1)

    def counted(self, space: int, sizes: list[tuple[int, int]]) -> int:
        """Return a lower bound that follows from the sizes of the sides of all points."""
        return self.least_of(space.bit_count())

    def moves(self, near: Sides, far: Sides) -> object:
        """Return whether a move costs at most d if the sides `near` cost at most d - 1.

        The sides `far`, among them those in `near`, cost at most d.
        """
        raise NotImplementedError

    def sizes(self, space: int) -> list[tuple[int, int]]:
        """Return, for each column, how many concepts in the space have label 0 and label 1."""
        C, number = self.instance, space.bit_count()
        spend(20 + C.width * (12 + (len(C.rows) >> 9) + (C.width >> 8)))
        return [(number - k, k) for k in ((space & column).bit_count() for column in C.columns)]

    def both(self, known: list[int], limit: int) -> Sides:
        """Return the sides whose bounds are at most the limit."""
        zeros, labelled = (
            sum(1 << x for x, bound in enumerate(known[b::2]) if bound <= limit) for b in (0, 1)
        )
        return zeros, labelled

    @most
    def learner(self, spaces: Entries) -> int:
        """Check upper bounds on the costs of version spaces; the last one contains the class.

        A side is bounded by an earlier entry whose version space contains it, or by its size.
        """
        C, spaces_of = self.instance, VersionSpaces(self.instance, [])

        def prove(entry: Any, proved: list[Known]) -> Known:  # noqa: ANN401
            cost, literals, turns, below = entries(entry, 4)
            cost = inside(0, integer, cost, -1)
            lacking = spaces_of.lacking(indices(literals, 2 * C.width))
            space = spaces_of.everything ^ lacking
            known = [self.most_of(size) for both in self.sizes(space) for size in both]
            indices(turns, len(known))
            spend(len(turns) * (6 + (len(C.rows) >> 10)))
            for i, e in zip(turns, indices(below, len(proved), len(turns)), strict=True):
                serves = not space & spaces_of.sides[i] & proved[e][2]
                require(serves, "entry {} must contain the side of literal {}", e, i)
                known[i] = min(known[i], proved[e][0])
            if self.most_of(space.bit_count()) > cost:
                near, far = self.both(known, cost - 1), self.both(known, cost)
                require(
                    cost > 0 and self.moves(near, far), "no move has a cost of at most {}", cost
                )
            return cost, literals, lacking

        cost, _, lacking = spaces_of.last(spaces, prove)
        require(not lacking, "the last entry must contain all concepts")
        return cost

    @least
    def adversary(self, spaces: Entries) -> int:
        """Check lower bounds on the costs of version spaces.

        A side is bounded by an earlier entry whose version space it contains, or by its size. A
        move for which the side is the whole version space is of no use to the learner.
        """
        C, spaces_of = self.instance, VersionSpaces(self.instance, [])

        def prove(entry: Any, proved: list[Known]) -> Known:  # noqa: ANN401
            cost, literals, turns, below = entries(entry, 4)
            cost = inside(0, integer, cost)
            lacking = spaces_of.lacking(indices(literals, 2 * C.width))
            space, sizes = (
                spaces_of.everything ^ lacking,
                self.sizes(spaces_of.everything ^ lacking),
            )
            number = space.bit_count()
            require(number, "the version space must not be empty")
            known = [self.least_of(size) if size < number else cost for s in sizes for size in s]
            indices(turns, len(known))
            spend(len(turns) * (6 + (len(C.rows) >> 10)))
            for i, e in zip(turns, indices(below, len(proved), len(turns)), strict=True):
                serves = not (spaces_of.everything ^ space & spaces_of.sides[i]) & ~proved[e][2]
                require(serves, "entry {} must lie in the side of literal {}", e, i)
                known[i] = max(known[i], proved[e][0])
            if max(self.least_of(number), -1 if turns else self.counted(space, sizes)) < cost:
                near, far = self.both(known, cost - 2), self.both(known, cost - 1)
                wins = number > 1 and not self.moves(near, far)
                require(wins, "some move may have a cost of at most {}", cost - 1)
            return cost, literals, lacking

        return spaces_of.last(spaces, prove)[0]


class QueryComplexity(Identification, Quantity, kind="query_complexity"):
    """The least number of queries that identify every concept, whatever the counterexamples."""

    queries: Queries

    def most_of(self, number: int) -> int:
        """Return the bound by halving, or by excluding one concept with each query."""
        has_halving = "hypothesis" in QUERIES[self.queries]
        return number.bit_length() - 1 if has_halving else number - 1

    def least_of(self, number: int) -> int:
        """Return a bound by the number of answers: two labels, or a point or acceptance."""
        queries, points, told, reached = QUERIES[self.queries], self.instance.width, 0, 1
        while reached < number:
            by_points = 2 * reached if "point" in queries else 0
            reached = max(by_points, 0 if queries == ("point",) else points * reached + 1)
            told += 1
        return told if number else -1

    def counted(self, space: int, sizes: list[tuple[int, int]]) -> int:
        """Return the bound that holds if an answer to each query excludes at most m concepts."""
        C, queries, number = self.instance, QUERIES[self.queries], space.bit_count()
        excluded = [min(size) for size in sizes] if "point" in queries else []
        if "hypothesis" in queries:
            excluded.append(min(map(max, sizes), default=0))
        if "concept" in queries:
            spend(len(C.rows) * (10 + C.width))
            labelled = (zip(sizes, row, strict=True) for row in C.texts)
            excluded += [min((n[b == "1"] for n, b in each), default=0) for each in labelled]
        m, told = max(excluded, default=0), 0
        spend(20 + number)
        while number > 1 and m:
            half = (number + 1) // 2 if queries == ("point",) else 0
            number, told = max(number - m, half), told + 1
        return told

    def moves(self, near: Sides, far: Sides) -> object:
        """Return whether all answers to some query lead to the sides `near`."""
        C, queries, (zeros, labelled) = self.instance, QUERIES[self.queries], near
        every = (1 << C.width) - 1
        spend(20 + ("concept" in queries) * len(C.rows) * (3 + (C.width >> 9)))
        return (
            ("point" in queries and zeros & labelled)
            or ("hypothesis" in queries and zeros | labelled == every)
            or (
                "concept" in queries
                and any(not (row & ~zeros | (row ^ every) & ~labelled) for row in C.rows)
            )
        )
