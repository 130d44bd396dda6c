"""The threshold dimension: the longest chain of thresholds inside a class.

Points ``x_1 .. x_k`` and concepts ``c_1 .. c_k`` are *thresholds* if ``c_i(x_j) = 1`` exactly when
``i <= j``. A class of Littlestone dimension ``d >= 1`` has at least ``floor(log2 d)`` thresholds,
and a class with ``k`` thresholds has Littlestone dimension at least ``floor(log2 k)`` (Shelah 1978,
Hodges 1997).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from heapq import nlargest
from random import Random
from typing import Any, NamedTuple

from ccsim.arguments.checked import checked_types
from ccsim.budget import Budget, OutOfWorkError, Progress, TimeLimit
from ccsim.certificates import Certificate
from ccsim.classes import ConceptClass, PartialClass
from ccsim.classes.concept_class import columns
from ccsim.classes.given import PartialClassLike, as_total_or_partial
from ccsim.classes.masks import members
from ccsim.data import frozen
from ccsim.dimensions.answer import ClassAnswer

MAX_THRESHOLDS = 480
"""Maximum length of a chain in the search, which is recursive. Beyond: bounds."""
_WORK = 1 << 23  # steps without a time limit: a few seconds
_FIRST = 1 << 14  # steps before another length is tried
_MOST = 1 << 26  # steps of a proof from above that the kernel checks within its own
_SMALL = 1 << 8  # rows times columns up to which an upper bound has the proof that is a theorem
_WORSE = 0.02  # how often a list may become worse by one
_REST = 8  # steps for which a line that was taken out stays out, at most
_FITTED = 3  # lines at whose sets of kept concepts it is asked whether any chain fits into them
_CONCEPTS = 16  # with most ones, among which the first chain chooses the next
_GREEDY = 0.2  # part of the time for the greedy chain
_PROBES = 12  # random paths by which the size of a search is estimated
State = tuple[int, int]  # the concepts and the points that may follow a chain, as masks


@frozen
class ThresholdResult(ClassAnswer):
    """The threshold dimension of a class, or bounds on it, with their proofs.

    Attributes
    ----------
    concept_class : ConceptClass or PartialClass
    lower, upper : int
        Bounds, at least -1; equal unless the search was stopped.
    points, concepts : tuple of int
        ``lower`` points and concepts: ``concepts[i]`` has label 1 on ``points[j]`` if and only if
        ``i <= j``.
    direction : Direction, optional
        Direction of the search that excluded longer chains; None if counting excludes them.
    """

    quantity = "the threshold dimension"
    _kind = "threshold_dimension"

    points: tuple[int, ...]
    concepts: tuple[int, ...]
    direction: Direction | None = None

    def certificate(self) -> Certificate:
        """Return the certificate of kind ``threshold_dimension``."""
        C, upper = self.concept_class, self.upper
        chain = {"chain": {"concepts": list(self.concepts), "points": list(self.points)}}
        proof: dict[str, Any]
        if isinstance(C, PartialClass):
            proof = {"extension": {"size": upper + 1}}
        elif upper == ones_bound(C):
            proof = {"ones": {}}
        elif upper == rank_bound(C.rows, Budget()):
            proof = {"rank": {}}
        elif self.direction is None or len(C) * len(C.points) <= _SMALL:
            proof = {"extension": {"size": upper + 1}}
        else:
            proof = {"tails": {"size": upper + 1, **self.direction._asdict()}}
        return self._with_proofs({"trivial": {}} if self.lower < 0 else chain, proof)


@checked_types
def threshold_dimension(
    concept_class: PartialClassLike,
    *,
    time_limit: TimeLimit = None,
    progress: Progress | None = None,
) -> ThresholdResult:
    """Return the threshold dimension of a class: the largest number of thresholds in it.

    In a partial class, the concepts must be defined on all points of the thresholds.

    Parameters
    ----------
    concept_class : ConceptClass, PartialClass, problem, INSTANCE text or matrix
    time_limit, progress
        As for `vc_dimension`. Without a time limit, the number of steps is bounded, so equal calls
        return equal results. With a time limit, the search also stops if a proof would be too long
        to check.

    Returns
    -------
    ThresholdResult
        The bounds lie between -1 and the minimum of the numbers of concepts and points.

    Notes
    -----
    Complexity: exponential in general, but fast for ordered classes. Lengths above `MAX_THRESHOLDS`
    are bounded by counting and by a greedy chain only. Thresholds over 512 points and 70 random
    concepts over 40 points (dimension 11) take seconds (docs/benchmarks-shattering.md).

    Examples
    --------
    >>> from ccsim.classes import lines, thresholds
    >>> threshold_dimension(thresholds(3)).value
    8
    >>> result = threshold_dimension(lines(3))
    >>> result.value, result.concepts, result.points
    (2, (0, 6), (6, 0))
    >>> result.check()
    """
    budget = Budget.of(time_limit, progress)
    C = as_total_or_partial(concept_class, budget)
    if not len(C):
        return ThresholdResult(C, -1, -1, (), ())
    if isinstance(C, PartialClass):
        from ccsim.dimensions.partial.chains import longest_chain

        chain, upper = longest_chain(C, budget.or_at_once())
        points, concepts = tuple(x for _, x in chain), tuple(c for c, _ in chain)
        return ThresholdResult(C, len(chain), upper, points, concepts)
    bounds = _Bounds(C, budget)
    with budget.at_once() as first:
        bounds.begin_at_once(first)
    with budget:
        bounds.begin()
        bounds.go_on()
    concepts, points = tuple(c for c, _ in bounds.chain), tuple(x for _, x in bounds.chain)
    return ThresholdResult(C, len(points), bounds.upper, points, concepts, bounds.direction)


class _Bounds:
    """Bounds on the threshold dimension of a nonempty class, with their proofs."""

    def __init__(self, concept_class: ConceptClass, budget: Budget) -> None:
        self.concept_class, self.budget = concept_class, budget
        self.chain: list[tuple[int, int]] = []
        self.upper = ones_bound(concept_class)
        self.direction: Direction | None = None

    def begin_at_once(self, budget: Budget) -> None:
        """Find two greedy chains; the first tries one concept at each step, the second a few."""
        search = ThresholdSearch(self.concept_class, budget)
        for concepts in (1, _CONCEPTS):
            self._follow(search.quick((1 << len(self.concept_class)) - 1, concepts))
            budget.report(len(self.chain), self.upper)

    def begin(self) -> None:
        """Bound the dimension by counting and by a greedy chain."""
        C, budget = self.concept_class, self.budget
        search = ThresholdSearch(C, budget)
        state = search.reduced((1 << len(C)) - 1, (1 << len(C.points)) - 1)
        self.upper = search.bound(state)
        budget.report(len(self.chain), self.upper)
        with budget.share(_GREEDY) as search.budget:
            self._follow(search.greedy(state))
        budget.report(len(self.chain), self.upper)

    def _follow(self, steps: Iterator[tuple[int, int]]) -> None:
        """Store the part of a chain that is found in time, unless a longer chain is known."""
        found: list[tuple[int, int]] = []
        try:
            found.extend(steps)
        finally:
            if len(found) >= len(self.chain):
                self.chain = found

    def go_on(self) -> None:
        """Improve the bounds by exchanges and by searches in all directions, with growing work."""
        searches = [TailSearch(self.concept_class, direction) for direction in directions()]
        work, slice_ = _WORK, _FIRST
        while len(self.chain) < min(self.upper, MAX_THRESHOLDS) and slice_ <= _MOST:
            if not self.budget.limited and work <= 0:
                return
            work -= self._exchange(slice_)
            work -= self._search(searches, slice_)
            slice_ *= 4

    def _exchange(self, most_work: int) -> int:
        """Find longer chains by exchanges; return the work done."""
        budget = self.budget.share(work=most_work)
        while len(self.chain) < min(self.upper, MAX_THRESHOLDS):
            try:
                found = exchanged_chain(self.concept_class, len(self.chain) + 1, budget)
            except OutOfWorkError:
                break
            self._tell(found, self.upper)
        return most_work - budget.work

    def _search(self, searches: list[TailSearch], most_work: int) -> int:
        """Bisect the lengths between the bounds, skipping long searches; return the work done."""
        undecided, done = len(self.chain), 0
        while undecided < (most := min(self.upper, MAX_THRESHOLDS)):
            length = (max(undecided, len(self.chain)) + 1 + most + 1) // 2
            length = min(length, most)
            best = min(searches, key=lambda search: search.estimate(length, self.budget))
            budget = self.budget.share(work=most_work)
            try:
                found = best.find(length, budget)
            except OutOfWorkError:
                undecided = length
            else:
                self._tell(found, self.upper if found else length - 1, best.direction)
                undecided = max(undecided, len(self.chain))
            done += most_work - budget.work
        return done

    def _tell(
        self,
        found: list[tuple[int, int]] | None,
        upper: int,
        direction: Direction | None = None,
    ) -> None:
        """Store a longer chain, or a smaller upper bound with the direction of its search."""
        if found:
            self.chain = found
        if upper < self.upper:
            self.upper, self.direction = upper, direction
        self.budget.report(len(self.chain), self.upper)


class ThresholdSearch:
    """A search for chains that starts with the first threshold.

    A threshold ``(c, x)`` can be followed by concepts with label 0 on ``x`` and by points on which
    ``c`` has label 1. It suffices to try concepts with maximal sets of ones and points with maximal
    sets of zeros.
    """

    def __init__(self, concept_class: ConceptClass, budget: Budget) -> None:
        self.budget = budget
        self.rows, self.columns = concept_class.rows, columns(concept_class)

    def greedy(self, state: State) -> Iterator[tuple[int, int]]:
        """Yield the concepts and points of a chain that keeps most candidates at each step."""
        while state[0]:
            c, x, state = max(
                self.first(state), key=lambda step: step[2][0].bit_count() * step[2][1].bit_count()
            )
            yield c, x

    def quick(self, S: int, concepts: int) -> Iterator[tuple[int, int]]:
        """Yield concepts and points of a chain, choosing among the concepts with most ones."""
        P = -1
        while True:
            self.budget.spend()
            most = nlargest(concepts, members(S), key=lambda c: (self.rows[c] & P).bit_count())
            steps = [
                (left.bit_count() * ones.bit_count(), c, x, left, ones)
                for c, ones in ((c, self.rows[c] & P) for c in most)
                for x, left in ((x, S & ~self.columns[x]) for x in members(ones))
            ]
            if not steps:
                return
            _, c, x, S, P = max(steps)
            yield c, x

    def first(self, state: State) -> Iterator[tuple[int, int, State]]:
        """Yield the undominated first thresholds: concept, point, and the sets that may follow."""
        S, P = state
        rows = {self.rows[c] & P: c for c in members(S)}
        for ones in self._maximal(rows):
            zeros = {S & ~self.columns[x]: x for x in members(ones)}
            for rest in self._maximal(zeros):
                yield rows[ones], zeros[rest], self.reduced(rest, ones)

    def reduced(self, S: int, P: int) -> State:
        """Remove points without ones, then concepts without ones; return the remaining sets."""
        some = 0
        for c in members(S):
            some |= self.rows[c]
        P &= some
        some = 0
        for x in members(P):
            some |= self.columns[x]
        return S & some, P

    def bound(self, state: State) -> int:
        """Return an upper bound on chains inside sets of concepts and points."""
        S, P = state
        rows = {self.rows[c] & P for c in members(S)}
        return min(
            _longest(rows),
            _longest({self.columns[x] & S for x in members(P)}),
            rank_bound(rows, self.budget),
        )

    def _maximal(self, sets: Iterable[int]) -> list[int]:
        """Return the nonempty sets that are maximal under inclusion, largest first."""
        maximal: list[int] = []
        for s in sorted(sets, key=lambda s: (-s.bit_count(), s)):
            self.budget.spend()
            if all(s & ~larger for larger in maximal):
                maximal.append(s)
        return maximal


def ones_bound(concept_class: ConceptClass) -> int:
    """Return an upper bound on the threshold dimension by numbers of ones."""
    C = concept_class
    return min(_longest(set(C.rows)), _longest(set(columns(C)))) if len(C) else -1


def rank_bound(rows: Iterable[int], budget: Budget) -> int:
    """Return the rank over the field of two elements, an upper bound on the length of chains."""
    basis: list[int] = []
    for row in rows:
        budget.spend()
        rest = row
        for b in basis:
            rest = min(rest, rest ^ b)
        if rest:
            basis.append(rest)
    return len(basis)


def _longest(sets: Iterable[int]) -> int:
    """Return the largest ``k`` such that ``k`` of the sets have at least ``k, ..., 1`` elements."""
    sizes = sorted((s.bit_count() for s in sets if s), reverse=True)
    k = len(sizes)
    for i, size in enumerate(sizes):
        if i >= k:
            break
        k = min(k, size + i)
    return k


def exchanged_chain(
    concept_class: ConceptClass, size: int, budget: Budget
) -> list[tuple[int, int]] | None:
    """Return the concepts and points of a chain of the given size, found by exchanges.

    Points ``x_1 .. x_k`` belong to a chain if for each ``i`` some concept has label 1 exactly on
    ``x_i .. x_k``. The search exchanges one point at a time so that this is true for as many ``i``
    as possible.
    """
    rows, across = concept_class.rows, columns(concept_class)
    by_points = len(across) <= len(rows)
    lines, height = (across, len(rows)) if by_points else (rows, len(across))
    if size > min(len(rows), len(across)):
        return None
    everything = (1 << height) - 1
    chosen = _exchange(lines, everything, size, budget)
    pairs = list(zip(_served(lines, everything, chosen), chosen, strict=True))
    found = [((kept & -kept).bit_length() - 1, line) for kept, line in pairs]
    return found if by_points else [(line, other) for other, line in reversed(found)]


def _served(lines: Sequence[int], everything: int, chosen: Sequence[int]) -> list[int]:
    """Return, for each chosen line, the positions with label 1 from it on and 0 before it."""
    after = [everything]
    for line in reversed(chosen):
        after.append(after[-1] & lines[line])
    before, served = everything, []
    for line, ones in zip(chosen, reversed(after[1:]), strict=True):
        served.append(ones & before)
        before &= ~lines[line]
    return served


def _exchange(lines: Sequence[int], everything: int, size: int, budget: Budget) -> list[int]:
    """Return the lines of a chain in order, found by random exchanges of single lines."""
    random = Random(size)  # noqa: S311 - a seed, not a secret
    chosen, most, out = random.sample(range(len(lines)), size), 0, dict[int, int]()
    step = 0
    while True:
        step += 1
        place = random.randrange(size)
        rest = chosen[:place] + chosen[place + 1 :]
        to = random.choice((place, random.randrange(size)))
        free = [y for y in range(len(lines)) if y not in rest and out.get(y, 0) <= step]
        score, new = _best(lines, everything, rest, to, free, random)
        budget.spend(10 * size + len(free) * (size // 2 + 1))
        if score < most and random.random() > _WORSE / 8 ** (most - score - 1):
            continue
        out[chosen[place]] = step + random.randint(3, _REST)
        chosen, most = [*rest[:to], new, *rest[to:]], score
        if most == size:
            return chosen


def _best(
    lines: Sequence[int],
    everything: int,
    rest: Sequence[int],
    to: int,
    free: Sequence[int],
    random: Random,
) -> tuple[int, int]:
    """Return the score of the best free line to insert at a position, and this line."""
    served, last = _served(lines, everything, rest), everything
    for line in rest:
        last &= ~lines[line]
    ones = [kept for kept in [*served, last][: to + 1] if kept]
    zeros = [kept for kept in served[to:] if kept]
    best, found = -1, [rest[0] if rest else 0]
    for y in free:
        line = lines[y]
        score = sum([kept & line > 0 for kept in ones]) + sum([kept & ~line > 0 for kept in zeros])
        if score >= best:
            found = [*found, y] if score == best else [y]
            best = score
    return best, random.choice(found)


class Direction(NamedTuple):
    """The kind of the lines that a search adds, and the end of the chain at which it starts."""

    lines: str  # ``"points"`` or ``"concepts"``
    label: int  # of the kept positions


def directions() -> list[Direction]:
    """Return the four directions: lines of either kind, from either end of the chain."""
    return [Direction(lines, label) for lines in ("concepts", "points") for label in (1, 0)]


class TailSearch:
    """A search for chains of given sizes in one direction, line by line from one end.

    Concepts with label 1 on all points so far are *kept*. The *tail* of a point consists of the
    concepts kept before it that have label 0 on it and on all later points; it must not be empty.
    The kernel checks proofs of the form ``tails`` by the same search.
    """

    def __init__(self, concept_class: ConceptClass, direction: Direction) -> None:
        rows, across = concept_class.rows, columns(concept_class)
        self.direction = direction
        lines, height = (across, len(rows)) if direction.lines == "points" else (rows, len(across))
        self.everything = (1 << height) - 1
        turned = 0 if direction.label else self.everything
        self.number = {turned ^ line: i for i, line in reversed([*enumerate(lines)])}
        self.lines = list(self.number)
        self._steps = 1 + (height >> 9)
        self._known: dict[tuple[int, int], bool] = {}
        self._budget, self._asked = Budget(), 0

    def _starts(self, size: int) -> list[tuple[list[int], int]]:
        """Return the possible first lines of a chain, each with the positions kept after it."""
        if self.direction.label:
            return [([line], line) for line in self.lines if line.bit_count() >= size]
        return [([], self.everything)]

    def find(self, size: int, budget: Budget) -> list[tuple[int, int]] | None:
        """Return the concepts and points of a chain of ``size >= 1``, or None if there is none."""
        self._budget, self._asked = budget, size - _FITTED
        for chosen, kept in self._starts(size):
            path = self._grow(chosen, [], kept, self.lines, size - len(chosen))
            if path is not None:
                return self._chain(path)
        return None

    def _grow(
        self, chosen: list[int], tails: list[int], kept: int, left: list[int], more: int
    ) -> list[int] | None:
        """Return the chosen lines and ``more`` lines that continue the chain, or None."""
        if not more:
            return chosen
        least = more - 1 + self.direction.label
        for line in (fit := self._fitting(tails, kept, left, more)):
            rest = kept & line
            if rest.bit_count() < least:
                continue
            if more >= self._asked and not self._fits(rest, more - 1):
                continue
            behind = [*(tail & ~line for tail in tails), kept & ~line]
            path = self._grow([*chosen, line], behind, rest, fit, more - 1)
            if path is not None:
                return path
        return None

    def _fits(self, kept: int, more: int) -> bool:
        """Whether ``more`` lines can follow if the tails of earlier lines are ignored."""
        if (known := self._known.get((kept, more))) is None:
            known = self._grow([], [], kept, self.lines, more) is not None
            self._known[kept, more] = known
        return known

    def _fitting(self, tails: list[int], kept: int, left: list[int], more: int) -> list[int]:
        """Return the lines that may follow, or an empty list if there are too few."""
        looks = len(left)
        fit = [y for y in left if kept & ~y]
        for tail in tails:
            looks += len(fit)
            fit = [y for y in fit if tail & ~y]
            if len(fit) < more:
                break
        self._budget.spend(20 + looks * self._steps)
        return fit if len(fit) >= more else []

    def _chain(self, path: list[int]) -> list[tuple[int, int]]:
        """Return the concepts and points of a chain with the given lines, in order."""
        size, label = len(path), self.direction.label
        pairs = []
        for i in range(size):
            found = self.everything
            for line in path[: i + label]:
                found &= line
            for line in path[i + label :]:
                found &= ~line
            pairs.append((self.number[path[i]], (found & -found).bit_length() - 1))
        if label:
            pairs.reverse()
        if self.direction.lines == "points":
            return [(c, x) for x, c in pairs]
        return pairs[::-1]

    def estimate(self, size: int, budget: Budget) -> int:
        """Return an estimate of the number of steps of the search for a size, from random paths."""
        random, total = Random(size), 0  # noqa: S311 - a seed, not a secret
        self._budget = budget
        starts = self._starts(size)
        for _ in range(_PROBES if starts else 0):
            chosen, kept = random.choice(starts)
            weight, left = len(starts), self.lines
            tails: list[int] = []
            for more in range(size - len(chosen), 0, -1):
                total += weight * (20 + len(left))
                left = self._fitting(tails, kept, left, more)
                least = more - 1 + self.direction.label
                nexts = [y for y in left if (kept & y).bit_count() >= least]
                if not nexts:
                    break
                line = random.choice(nexts)
                weight *= len(nexts)
                tails = [*(tail & ~line for tail in tails), kept & ~line]
                kept &= line
        return total // _PROBES
