"""Sets of hypotheses that represent a class: their errors, and how few there can be."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from itertools import chain, count, islice
from math import ceil, comb, floor
from typing import Annotated, Any

from .reader import *
from .rules import *

MAX_POINTS = 12  # on which all functions are listed


def hypotheses(value: object, it: Quantity) -> list[int]:
    """Read a set of hypotheses."""
    require(found := each(subset, value, it.instance.width), "needs a hypothesis")
    return found


def support(value: object, it: Quantity) -> tuple[list[list[int]], list[int]]:
    """Read sets of hypotheses, one of which is drawn, and their weights."""
    sets, weights = fields(value, "sets", "weights")
    found = inside("sets", each, hypotheses, sets, it)
    return found, inside("weights", law, weights, len(found))


Hypotheses = Annotated[list[int], hypotheses]
Pool = Annotated[
    list[int] | None, lambda value, it: None if value is None else hypotheses(value, it)
]
Support = Annotated[tuple[list[list[int]], list[int]], support]


def least_error(C: Matrix, f: int, distribution: list[int], H: list[int]) -> Fraction:
    """Return the least error of a hypothesis on the concept `f` under a distribution."""
    spend(len(H) * (20 + 2 * C.width))
    wrong = min(sum(distribution[x] for x in members(h ^ f)) for h in H)
    return Fraction(wrong, sum(distribution))


def disagreement(C: Matrix, f: int, weights: list[int], H: list[int]) -> Fraction:
    """Return on how much of a mixture the concept `f` is wrong on the worst point."""
    return Fraction(max(mixture(weights, (h ^ f for h in H), C.width), default=0), sum(weights))


class DeterministicRepresentation(Quantity, kind="deterministic_representation"):
    """The largest, over concepts and distributions, of the least error of a hypothesis."""

    instance: Class
    hypotheses: Hypotheses

    @least
    def hard_distribution(self, concept: Row, distribution: ColumnLaw) -> Fraction:
        """Every hypothesis errs so much on a concept under a distribution."""
        f = self.instance.rows[concept]
        return least_error(self.instance, f, distribution, self.hypotheses)

    @most
    def mixtures(self, weights: Entries) -> Fraction:
        """For each concept a mixture of the hypotheses that disagrees with it nowhere more."""
        C, H = self.instance, self.hypotheses
        laws = each(law, weights, len(H), length=len(C.rows))
        found = (disagreement(C, f, p, H) for f, p in zip(C.rows, laws, strict=True))
        return max(found, default=Fraction(0))


class ProbabilisticRepresentation(Quantity, kind="probabilistic_representation"):
    """How likely the drawn set fails, at worst: all its hypotheses err more than `error`."""

    instance: Class
    error: Probability
    support: Support

    @least
    def hard_distribution(self, concept: Row, distribution: ColumnLaw) -> Fraction:
        """Weigh the sets that fail on a concept under a distribution."""
        (sets, shares), C = self.support, self.instance
        best = [least_error(C, C.rows[concept], distribution, H) for H in sets]
        failing = sum(w for w, e in zip(shares, best, strict=True) if e > self.error)
        return Fraction(failing, sum(shares))

    @most
    def selection(self, weights: Entries) -> Fraction:
        """For each concept mix all hypotheses, a set's as much as it is drawn (Markov's bound)."""
        (sets, shares), C = self.support, self.instance
        H, bounds = [*chain(*sets)], [Fraction(0)]
        for f, p in zip(C.rows, each(law, weights, len(H), length=len(C.rows)), strict=True):
            rest = iter(p)
            parts = [sum(islice(rest, len(listed))) * sum(shares) for listed in sets]
            require(parts == [sum(p) * share for share in shares], "a set has another share")
            v = disagreement(C, f, p, H)
            bounds.append(min(v / self.error, Fraction(1)) if self.error else Fraction(v > 0))
        return max(bounds)

    @most
    def branching(self, trees: Entries) -> Fraction:
        """For each concept a tree that decides, set by set, which ones fail together."""
        left, rows, weight = [0], self.instance.rows, sum(self.support[1])
        require(len(trees) == len(rows), "must be a tree for each of {} concepts", len(rows))
        for i, tree in enumerate(trees):
            inside(i, cases, entries(tree), (0, [], weight), partial(self.fail, rows[i], left))
        return Fraction(max(left), weight)

    def fail(self, f: int, left: list[int], node: object, case: Any) -> list[Any]:  # noqa: ANN401
        """Decide on the next set; or mix those that fail, which then do not; or weigh the rest."""
        (sets, shares), (number, failing, weight) = self.support, case
        spend(20 + len(failing))
        if node is None:
            require(number < len(sets), "all sets are decided")
            passes = number + 1, failing, weight - shares[number]
            return [(number + 1, failing + sets[number], weight), passes]
        if node == []:
            left.append(weight)
        else:
            found = disagreement(self.instance, f, law(node, len(failing)), failing)
            require(found <= self.error, "the mixture disagrees with probability {}", found)
        return []


class Covering:
    """A question about how few hypotheses of a pool meet all neighbourhoods of the concepts."""

    instance: Class
    error: Probability
    pool: Pool  # null stands for all functions on the points

    def drawn(self, drawn: tuple[Any, Any], failure: object) -> tuple[int, Any]:
        """Return the size of the largest set of a support, and what is proved of its failure."""
        known = self.pool is None or set(self.pool).issuperset(chain(*drawn[0]))
        require(known, "the hypotheses must be in the pool")
        it = ProbabilisticRepresentation.of(instance=self.instance, error=self.error, support=drawn)
        return max(len(set(H)) for H in drawn[0]), inside("failure", it.proved, "upper", failure)

    def nodes(
        self, neighbourhoods: list[Any], weights: object, symmetries: list[Any], tree: list[Any]
    ) -> list[tuple[int, int, int]]:
        """Walk a tree in which hypotheses, known by the neighbourhoods that hold them, are chosen.

        Return for each node how many are, what the neighbourhoods weigh that are *open*, as they
        hold none of these, and the most weight of them that one more may meet.
        """
        C, number, spare = self.instance, len(neighbourhoods), self.instance.width - MAX_POINTS
        require(self.pool or spare <= 0, "all functions are listed up to {} points", MAX_POINTS)
        pool = self.pool or range(1 << C.width)
        spend(len(pool) * (2 * C.width + number))
        columns = [ones("".join("01"[h >> x & 1] for h in pool)) for x in range(C.width)]

        def holds(value: object) -> str:
            place, given = entries(value, 2)
            f, w = C.rows[index(place, len(C.rows))], law(given, C.width)
            wrong = (c ^ ((1 << len(pool)) - 1) * (f >> x & 1) for x, c in enumerate(columns))
            allowed = floor(self.error * sum(w))
            return "".join("01"[e <= allowed] for e in mixture(w, wrong, len(pool)))

        masks = [ones("".join(marks)) for marks in zip(*each(holds, neighbourhoods), strict=True)]
        shares = None if weights is None else law(weights, number)
        moves = [partial(image, move) for move in each(distinct, symmetries, number, number)]
        found: list[tuple[int, int, int]] = []

        def split(node: object, case: Any) -> list[Any]:  # noqa: ANN401
            (chosen, opened, left), below = case, []
            used, branches, own = fields(node, "symmetries", "branches", "weights")
            require((own is None) == (shares is not None), "the tree has weights, or each node")
            w = law(own, number) if shares is None else shares
            group = [moves[k] for k in each(index, used, len(moves))]
            spend(len(left) * (10 + number * (1 + 3 * len(group))))
            for move in group:
                require({*map(move, left)} == left, "a permutation does not keep what is left")
                require(own or [w[i] for i in move.args[0]] == w, "a permutation moves weights")
            for j in each(index, branches, len(masks)):
                rest = opened & ~masks[j]
                spend(len(left) * (10 + (number >> 4)))
                below.append((chosen + 1, rest, {mask & rest for mask in left}))
                for mask in [mask for mask in left if not mask & rest]:
                    if mask in left:  # it meets no more of what is open than this choice
                        left = left.difference(orbit(mask, group, 5 + 3 * number))
            most_met = max((sum(w[i] for i in members(mask)) for mask in left), default=0)
            found.append((chosen, sum(w[i] for i in members(opened)), most_met))
            return below

        cases(tree, (0, (1 << number) - 1, {*masks}), split)
        return found


def image(move: list[int], mask: int) -> int:
    """Return the image of a set under a permutation."""
    return sum(1 << move[i] for i in members(mask))


class LeastFailure(Covering, Quantity, kind="least_failure"):
    """The least failure probability of a support of sets of at most `size` hypotheses."""

    size: Positive

    @least
    def trivial(self) -> Fraction:
        """No probability is smaller."""
        return Fraction(0)

    @least
    def branching(
        self, neighbourhoods: Entries, weights: Entries, symmetries: Entries, tree: Entries
    ) -> Fraction:
        """Weigh neighbourhoods; so much is missed by any `size` hypotheses."""
        found = self.nodes(neighbourhoods, weights, symmetries, tree)
        return Fraction(min(w - (self.size - n) * met for n, w, met in found), found[0][1])

    @most
    def representation(self, support: Support, failure: Raw) -> Fraction:
        """Give a support and prove its failure probability."""
        size, found = self.drawn(support, failure)
        require(size <= self.size, "a set holds {} hypotheses", size)
        return Fraction(found)


class RepresentationSize(Covering, Quantity, kind="representation_size"):
    """The least size for which that is at most `failure`; if 0, sets represent for certain."""

    number = staticmethod(lambda value, _: integer(value))
    failure: Probability

    @least
    def trivial(self) -> int:
        """No set is empty."""
        return 1

    @least
    def separation(self, points: Entries) -> int:
        """Tell points apart as concepts do; if these are 1 on either alone, by an antichain."""
        require(2 * self.error < 1 and not self.failure, "needs an error below 1/2, no failure")
        columns = [self.instance.columns[x] for x in distinct(points, self.instance.width)]
        require(len(set(columns)) == len(columns), "some points are not told apart")
        spend(len(columns) ** 2 * (1 + (len(self.instance.rows) >> 11)))
        apart = all(a & ~b for a in columns for b in columns if a != b)
        told = ((n, comb(n, n // 2) if apart else 1 << n) for n in count(1))
        return next(n for n, number in told if number >= len(columns))

    @least
    def branching(
        self, neighbourhoods: Entries, weights: Raw, symmetries: Entries, tree: Entries
    ) -> int:
        """Weigh neighbourhoods; some set misses at most `failure`. If 0, nodes may weigh them."""
        require(weights is not None or not self.failure, "nodes have no weights if sets may fail")
        found = self.nodes(neighbourhoods, weights, symmetries, tree)
        more = [(n, ceil(w - self.failure * found[0][1]), met) for n, w, met in found]
        bounds = [n + max(0, -(-w // max(met, 1))) for n, w, met in more if met or w <= 0]
        require(bounds, "no hypotheses are enough")
        return min(bounds)

    @most
    def representation(self, support: Support, failure: Raw) -> int:
        """Give a support and prove its failure probability."""
        size, found = self.drawn(support, failure)
        require(found <= self.failure, "the failure that is proved is {}", found)
        return size
