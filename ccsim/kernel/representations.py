"""Representations of a class by sets of hypotheses: their errors and minimum sizes."""

from __future__ import annotations

from bisect import bisect_left
from fractions import Fraction
from functools import partial
from itertools import chain, count, islice
from math import comb, floor, inf
from operator import mul
from struct import unpack
from typing import Annotated, Any

from .littlestone import LittlestoneDimension
from .reader import *
from .rules import *


def hypotheses(value: object, it: Quantity) -> list[int]:
    """Read a set of hypotheses."""
    require(found := each(subset, value, it.instance.width), "must contain at least one hypothesis")
    return found


def support(value: object, it: Quantity) -> tuple[list[list[int]], list[int]]:
    """Read a probabilistic representation: sets of hypotheses and their weights."""
    sets, weights = fields(value, "sets", "weights")
    found = inside("sets", each, hypotheses, sets, it)
    return found, inside("weights", law, weights, len(found))


Support = Annotated[tuple[list[list[int]], list[int]], support]
Pool = Annotated[list[int] | None, lambda v, it: None if v is None else hypotheses(v, it)]


def least_error(C: Matrix, concept: int, D: list[int], H: list[int]) -> Fraction:
    """Return the minimum error of a hypothesis on a concept under a distribution."""
    spend(len(H) * (20 + 2 * C.width) + (sum(D).bit_length() >> 6) ** 2 // 16)
    return Fraction(min(sum(D[x] for x in members(h ^ C.rows[concept])) for h in H), sum(D))


def disagreement(C: Matrix, H: list[int], f: int, weights: list[int]) -> Fraction:
    """Return the maximum, over points, of the weight of hypotheses that disagree with `f`."""
    return Fraction(max(mixture(weights, (h ^ f for h in H), C.width), default=0), sum(weights))


class DeterministicRepresentation(Quantity, kind="deterministic_representation"):
    """The maximum, over concepts and distributions, of the error of the best hypothesis."""

    instance: Class
    hypotheses: Annotated[list[int], hypotheses]

    @least
    def hard_distribution(self, concept: Row, distribution: ColumnLaw) -> Fraction:
        """Return the minimum error of a hypothesis on a concept under a distribution."""
        return least_error(self.instance, concept, distribution, self.hypotheses)

    @most
    def mixtures(self, weights: Entries) -> Fraction:
        """Return the maximum probability that a concept's mixture disagrees with it on a point."""
        C, H = self.instance, self.hypotheses
        laws = each(law, weights, len(H), length=len(C.rows))
        return max(map(partial(disagreement, C, H), C.rows, laws), default=Fraction(0))


class ProbabilisticRepresentation(Quantity, kind="probabilistic_representation"):
    """The largest probability that all hypotheses of the drawn set have error above `error`."""

    instance: Class
    error: Probability
    support: Support

    @least
    def hard_distribution(self, concept: Row, distribution: ColumnLaw) -> Fraction:
        """Return the probability of the sets that fail on a concept under a distribution."""
        error = partial(least_error, self.instance, concept, distribution)
        failing = sum(w for H, w in zip(*self.support, strict=True) if error(H) > self.error)
        return Fraction(failing, sum(self.support[1]))

    @most
    def selection(self, weights: Entries) -> Fraction:
        """Check a mixture of all hypotheses for each concept; return Markov's bound."""
        (sets, shares), C = self.support, self.instance
        H, found = [*chain(*sets)], [Fraction(0)]
        for f, p in zip(C.rows, each(law, weights, len(H), length=len(C.rows)), strict=True):
            rest = iter(p)
            q = [sum(islice(rest, len(listed))) * sum(shares) for listed in sets]
            require(q == [sum(p) * s for s in shares], "the sum of a set must be its probability")
            found.append(disagreement(C, H, f, p))
        return min(max(found) / self.error, Fraction(1)) if self.error else Fraction(any(found))

    @most
    def branching(self, trees: Entries) -> Fraction:
        """Check trees that split on whether a set or hypothesis fails; mixtures close cases."""
        (sets, shares), C, left = self.support, self.instance, [0]
        require(len(trees) == len(C.rows), "each of {} concepts must have a tree", len(C.rows))

        def split(f: int, node: object, case: Any) -> list[Any]:  # noqa: ANN401
            undecided, failing, weight = case
            spend(20 + 2 * len(failing) + 2 * sum(len(sets[i]) for i in undecided))
            if isinstance(node, list):
                found = disagreement(C, failing, f, law(node, len(failing))) if node else self.error
                require(found <= self.error, "the disagreement {} is above the error", found)
                left.append(0 if node else weight)
                return []
            if isinstance(node, str):  # with this hypothesis all pass that err only where it does
                failed = [subset(node, C.width)]
                passed = {i for i in undecided for g in sets[i] if not (g ^ f) & ~(failed[0] ^ f)}
            else:
                require(node is None and undecided, "null requires at least one undecided set")
                failed, passed, undecided = sets[undecided[0]], {undecided[0]}, undecided[1:]
            others, lost = [i for i in undecided if i not in passed], sum(shares[i] for i in passed)
            return [(undecided, failing + failed, weight), (others, failing, weight - lost)]

        start: tuple[Any, ...] = [*range(len(sets))], [], sum(shares)
        for i, tree in enumerate(trees):
            inside(i, cases, entries(tree), start, partial(split, C.rows[i]))
        return Fraction(max(left), sum(shares))


class Covering:
    """Distributions on sets of at most `size` hypotheses with failure at most `failure`."""

    instance: Class
    error: Probability
    pool: Pool  # null stands for all functions on the points
    size: Any = inf  # one of these two is given, the other one is bounded
    failure: Any = 1

    @most
    def representation(self, support: Support, failure: Raw) -> Fraction:
        """Check a support and a proof of its failure probability; return the upper bound."""
        q = None if self.pool is None else different(self.pool).keys()
        require(q is None or q >= different(chain(*support[0])).keys(), "sets must be in the pool")
        C, size = self.instance, max(len(different(H)) for H in support[0])
        require(size <= self.size, "a set contains {} hypotheses; the limit is {}", size, self.size)
        it = ProbabilisticRepresentation.of(instance=C, error=self.error, support=support)
        found = inside("failure", it.proved, "upper", failure)
        require(found <= self.failure, "the proved failure {} exceeds the stated one", found)
        return Fraction(size if self.size == inf else found)

    def near(self, neighbourhoods: list[Any]) -> list[str]:
        """Return, for each neighbourhood, the hypotheses of the pool that have small error."""
        C, pool = self.instance, range(1 << self.instance.width) if self.pool is None else self.pool
        spend(2 * len(pool) * (C.width + len(neighbourhoods)))
        columns = [ones("".join("01"[h >> x & 1] for h in pool)) for x in range(C.width)]

        def holds(value: object) -> str:
            place, given = entries(value, 2)
            f, w = C.rows[index(place, len(C.rows))], law(given, C.width)
            wrong = (c ^ ((1 << len(pool)) - 1) * (f >> x & 1) for x, c in enumerate(columns))
            allowed = floor(self.error * sum(w))
            return "".join("01"[e <= allowed] for e in mixture(w, wrong, len(pool)))

        return each(holds, neighbourhoods)

    def bound(self, chosen: int, opened: int, closed: int, total: int) -> Any:  # noqa: ANN401
        """Return the bound, times the total weight, if each hypothesis closes at most `closed`."""
        if self.size < inf:
            return max(0, opened - max(0, self.size - chosen) * closed)
        opened -= floor(self.failure * total)
        number = chosen + max(0, -(-opened // max(closed, 1)))  # no set is empty
        return max(1, number) * total if closed or opened <= 0 else inf

    @least
    def branching(
        self, neighbourhoods: Entries, weights: Raw, symmetries: Entries, tree: Entries
    ) -> Fraction:
        """Return the minimum bound of the nodes of a tree, by weights of open neighbourhoods."""
        require(weights is not None or not self.failure, "failure above 0 requires weights")
        texts, number = self.near(neighbourhoods), len(neighbourhoods)
        masks = [ones("".join(marks)) for marks in zip(*texts, strict=True)]
        shares = None if weights is None else law(weights, number)
        moves = each(distinct, symmetries, number, number)
        images = [lambda t, g=g: hex(sum(1 << g[i] for i in members(int(t, 16)))) for g in moves]
        found, total = list[Any]([inf]), sum(shares or [1])
        ceilings = [-((-w << 60) // total) for w in shares or ()]  # in 2^60ths, for 8 bytes
        wide = (int(f"1{t}".replace("0", 16 * "0").replace("1", f"{1:016}"), 16) for t in texts)
        lanes = [*map(mul, ceilings, wide)]

        def split(node: object, case: Any) -> list[Any]:  # noqa: ANN401
            (chosen, opened, left, rough), below = case, []
            used, branches, own = fields(node, "symmetries", "branches", "weights")
            require((own is None) != (shares is None), "either the tree or nodes must have weights")
            w = law(own, number) if shares is None else shares
            group = [images[k] for k in indices(used, len(moves))]
            more = (2 + (number >> 10)) * (1 + len(entries(branches)) + len(group))
            spend((1 + len(left)) * (more + number * len(group)) + 2 * len(masks))
            kept = all({*map(move, left)} == left.keys() for move in group)
            kept &= own is not None or all([w[i] for i in moves[k]] == w for k in used)
            require(kept, "a permutation does not preserve the remaining sets and weights")
            for j in indices(branches, len(masks)):
                rest = opened & ~masks[j]
                spend((opened & masks[j]).bit_count() * (2 + (len(masks) >> 6)))
                closed = 0 if own else sum(map(lanes.__getitem__, members(opened & masks[j])))
                fewer = different(map(rest.__and__, left.values()))
                below.append((chosen + 1, rest, fewer, rough - closed))
                for mask in [mask for mask, S in left.items() if not S & rest]:
                    for image in orbit(mask, group, 5 + 3 * number) if mask in left else ():
                        left.pop(image, None)  # it has no more of what is open than the choice
            if own is None:  # at least `low` is open, of which one closes at most `high`
                missed, *met = unpack(f">{1 + len(masks)}Q", rough.to_bytes(8 + 8 * len(masks)))
                parts = dict(zip(map(hex, map(opened.__and__, masks)), met, strict=True))
                largest = max(map(parts.__getitem__, left), default=0)
                low, high = -((number - missed) * total >> 60), largest * total >> 60
                if self.bound(chosen, low, high, total) >= found[0]:
                    return below
                left = {t: S for t, S in left.items() if parts[t] >= largest - number}
            spend((1 + len(left)) * opened.bit_count())
            missed, *met = [sum(w[i] for i in members(S)) for S in (opened, *left.values())]
            found[0] = min(found[0], self.bound(chosen, missed, max(met, default=0), total))
            return below

        cases(tree, (0, (1 << number) - 1, different(masks), sum(lanes)), split)
        require(found[0] < inf, "the tree must prove a finite bound")
        return Fraction(found[0], total)


class LeastFailure(Covering, Quantity, kind="least_failure"):
    """The minimum failure probability of random sets of at most `size` hypotheses."""

    size: Positive


class RepresentationSize(Covering, Quantity, kind="representation_size"):
    """The minimum size of random sets of hypotheses with failure at most `failure`."""

    number = staticmethod(lambda value, _: integer(value))
    failure: Probability

    @least
    def separation(self, points: Entries) -> int:
        """Return a bound on the number of hypotheses, which must distinguish the given points."""
        require(2 * self.error < 1 and not self.failure, "error must be below 1/2 and failure 0")
        columns = different(self.instance.columns[x] for x in indices(points, self.instance.width))
        require(len(columns) == len(points), "no two points may have equal labels in all concepts")
        spend(len(columns) ** 2 * (1 + (len(self.instance.rows) >> 11)))
        apart = all(a & ~b for a in columns.values() for b in columns.values() if a != b)
        return next(n for n in count(1) if (comb(n, n // 2) if apart else 1 << n) >= len(columns))

    @least
    def littlestone(self, dimension: Raw) -> int:
        """Return ``2^((1 - H(e)) d)``, a bound on the messages of protocols of error e."""
        p, q = (1 - (1 - self.error) * (1 - self.failure)).as_integer_ratio()
        require(2 * p <= q <= 1000, "the total error must be at most 1/2 with denominator <= 1000")
        tree = LittlestoneDimension.of(instance=self.instance)
        d = max(0, inside("dimension", tree.proved, "lower", dimension))
        spend(d * d * q * q >> 9)
        left, right = q ** (q * d), (2**q * p**p * (q - p) ** (q - p)) ** d
        return 1 + bisect_left(range(1, 2**d), 1, key=lambda k: k**q * left >= right)
