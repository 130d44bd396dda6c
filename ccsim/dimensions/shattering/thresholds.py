"""The search behind the threshold dimension.

Implementation notes: a chain is built from its first threshold on. What follows ``(c, x)`` are
concepts that are 0 on ``x`` and points where ``c`` is 1, so that what may follow a chain is a pair
of sets, of concepts and of points. The next concept need only be tried where its ones among these
points are maximal under inclusion, the next point where its zeros among these concepts are: any
chain that goes on from another choice also goes on from one of these.

`exchanged_chain` moves one line at a time: a list of points ``x_1 .. x_k`` (or of concepts, in the
dual class) is part of a chain if for each ``i`` some concept has label 1 on ``x_i .. x_k`` alone.
Lists of distinct points with the most ``i`` for which that is so are improved: one point is taken
out, and that one put in, there or elsewhere, with which most ``i`` are served. It finds chains, and
proves nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from random import Random

from ccsim.budget import Budget
from ccsim.classes import ConceptClass
from ccsim.classes.concept_class import columns
from ccsim.classes.masks import members

State = tuple[int, int]
"""The concepts and the points that may follow a chain, as masks."""


class ThresholdSearch:
    """Which numbers of thresholds fit into which pairs of sets, as far as it is known.

    Every method raises `OutOfTimeError` when the time of the budget is over.
    """

    __slots__ = ("budget", "columns", "lower", "rows", "upper")

    def __init__(self, concept_class: ConceptClass, budget: Budget) -> None:
        self.budget = budget
        self.rows = concept_class.rows
        self.columns = columns(concept_class)
        self.lower: dict[State, int] = {}
        self.upper: dict[State, int] = {}

    def greedy(self, state: State) -> Iterator[tuple[int, int]]:
        """Yield concepts and points of a chain that leaves as much as possible at every step."""
        visited = []
        while state[0]:
            visited.append(state)
            c, x, state = max(
                self.first(state), key=lambda step: step[2][0].bit_count() * step[2][1].bit_count()
            )
            yield c, x
        for length, reached in enumerate(reversed(visited), 1):
            self.lower[reached] = length

    def has(self, state: State, length: int) -> bool:
        """Decide whether a chain of some length fits into a pair of sets."""
        if self.lower.get(state, 0) >= length:
            return True
        if state not in self.upper:
            self.upper[state] = self.bound(state)
        if self.upper[state] < length:
            return False
        for _, _, rest in self.first(state):
            if self.has(rest, length - 1):
                self.lower[state] = length
                return True
        self.upper[state] = length - 1
        return False

    def chain(self, state: State, length: int) -> Iterator[tuple[int, int]]:
        """Yield concepts and points of a chain that is known to fit."""
        while length:
            length -= 1
            c, x, state = next(step for step in self.first(state) if self.has(step[2], length))
            yield c, x

    def first(self, state: State) -> Iterator[tuple[int, int, State]]:
        """Yield first thresholds (concept, point, what may follow) that dominate all others."""
        S, P = state
        rows = {self.rows[c] & P: c for c in members(S)}
        for ones in self._maximal(rows):
            zeros = {S & ~self.columns[x]: x for x in members(ones)}
            for rest in self._maximal(zeros):
                yield rows[ones], zeros[rest], self.reduced(rest, ones)

    def reduced(self, S: int, P: int) -> State:
        """Return the points with a one among the concepts, and the concepts with a one there."""
        some = 0
        for c in members(S):
            some |= self.rows[c]
        P &= some
        some = 0
        for x in members(P):
            some |= self.columns[x]
        return S & some, P

    def bound(self, state: State) -> int:
        """Return a number that no chain inside a pair of sets exceeds.

        Ones are counted, and the rank over the field of two elements: thresholds are a triangular
        matrix with ones on the diagonal.
        """
        S, P = state
        rows = {self.rows[c] & P for c in members(S)}
        return min(
            _longest(rows),
            _longest({self.columns[x] & S for x in members(P)}),
            rank_bound(rows, self.budget),
        )

    def _maximal(self, sets: Iterable[int]) -> list[int]:
        """Return the non-empty sets that are maximal under inclusion, largest first."""
        maximal: list[int] = []
        for s in sorted(sets, key=lambda s: (-s.bit_count(), s)):
            self.budget.spend()
            if all(s & ~larger for larger in maximal):
                maximal.append(s)
        return maximal


def ones_bound(concept_class: ConceptClass) -> int:
    """Return the number of thresholds that the ones of concepts and of points leave room for."""
    C = concept_class
    return min(_longest(set(C.rows)), _longest(set(columns(C)))) if len(C) else -1


def rank_bound(rows: Iterable[int], budget: Budget) -> int:
    """Return the rank of bit vectors over the field of two elements."""
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
    """Return the largest ``k`` for which ``k`` of the sets may have ``k, k-1, .., 1`` elements."""
    sizes = sorted((s.bit_count() for s in sets if s), reverse=True)
    k = len(sizes)
    for i, size in enumerate(sizes):
        if i >= k:
            break
        k = min(k, size + i)
    return k


_WORSE = 0.02
"""How often a list may become worse by one."""
_REST = 8
"""Steps for which a line that was taken out stays out, at most."""


def exchanged_chain(
    concept_class: ConceptClass, size: int, budget: Budget
) -> list[tuple[int, int]] | None:
    """Return concepts and points of a chain of a size if exchanges lead to one."""
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
    """Return for each place what has label 1 from there on and 0 before."""
    after = [everything]
    for line in reversed(chosen):
        after.append(after[-1] & lines[line])
    before, served = everything, []
    for line, ones in zip(chosen, reversed(after[1:]), strict=True):
        served.append(ones & before)
        before &= ~lines[line]
    return served


def _exchange(lines: Sequence[int], everything: int, size: int, budget: Budget) -> list[int]:
    """Return lines that are part of a chain, in its order; lists are changed until then."""
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
    """Return how many places are served with the best free line at a place, and such a line."""
    ones = [kept for kept in _around(lines, everything, rest, to + 1) if kept]
    zeros = [kept for kept in _served(lines, everything, rest)[to:] if kept]
    best, found = -1, [rest[0] if rest else 0]
    for y in free:
        line = lines[y]
        score = sum([kept & line > 0 for kept in ones]) + sum([kept & ~line > 0 for kept in zeros])
        if score >= best:
            found = [*found, y] if score == best else [y]
            best = score
    return best, random.choice(found)


def _around(lines: Sequence[int], everything: int, rest: Sequence[int], number: int) -> list[int]:
    """Return for the first places what has label 1 on the lines from there on and 0 before."""
    last = everything
    for line in rest:
        last &= ~lines[line]
    return [*_served(lines, everything, rest), last][:number]
