"""Satisfiability of clauses, by a search that learns clauses; a refutation is a list of them.

A clause is a list of literals, and a literal is ``v`` or ``-v`` for a variable ``v`` of at least 1.
Each learned clause follows from earlier clauses by unit propagation. A step of a refutation
is a learned clause with its *hints*: the numbers of clauses that become unit, one after another,
if all literals of the learned clause are false; the last one becomes empty. The clauses are
numbered from 0, and the steps follow them; the last step is the empty clause.

Sources: Marques-Silva and Sakallah (1999), conflict-driven clause learning; Moskewicz, Madigan,
Zhao, Zhang and Malik (2001), watched literals and activities; Sorensson and Biere (2009), smaller
clauses; Cruz-Filipe, Heule, Hunt, Kaufmann and Schneider-Kamp (2017), refutations with hints.
"""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heappop, heappush

from ccsim.budget import Budget
from ccsim.data import frozen

Step = tuple[tuple[int, ...], tuple[int, ...]]  # a learned clause and its hints

_DECAY = 1.0 / 0.95  # growth of the increments of activities
_LARGEST = 1e100  # of an activity
_RESTART = 100  # conflicts, times a number of Luby's sequence
_KEPT = 3000  # learned clauses before half of the long ones are discarded


@frozen
class Assignment:
    """The variables that are true in an assignment that satisfies all clauses."""

    true: frozenset[int]


@frozen
class Refutation:
    """Steps that derive the empty clause."""

    steps: tuple[Step, ...]


def satisfy(
    variables: int, clauses: Sequence[Sequence[int]], budget: Budget
) -> Assignment | Refutation:
    """Return an assignment that satisfies all clauses, or a refutation; a conflict is one work."""
    return _Search(variables, clauses).run(budget)


class _Search:
    """A search for an assignment; literal ``v`` has the index ``2 v``, ``-v`` has ``2 v + 1``."""

    def __init__(self, variables: int, clauses: Sequence[Sequence[int]]) -> None:
        size = 2 * variables + 2
        self.value = [0] * size  # of each literal: 1 if true, -1 if false
        self.level, self.reason = [0] * (variables + 1), [-1] * (variables + 1)
        self.place = [0] * (variables + 1)  # in the trail
        self.trail, self.ends, self.head = list[int](), list[int](), 0
        self.clauses = [[2 * v if v > 0 else 1 - 2 * v for v in clause] for clause in clauses]
        self.given = len(clauses)
        self.hints = list[list[int]]()  # of each learned clause
        self.unit = [-1] * (variables + 1)  # the unit clause of each variable assigned at level 0
        self.pairs: list[list[tuple[int, int]]] = [[] for _ in range(size)]
        self.watches: list[list[int]] = [[] for _ in range(size)]
        self.activity, self.increment = [0.0] * (variables + 1), 1.0
        self.phase = [1] * (variables + 1)
        self.heap = [(0.0, v) for v in range(1, variables + 1)]
        self.long = list[int]()  # learned clauses of at least three literals
        self.spread = dict[int, int]()  # numbers of levels in them, when they were learned

    def run(self, budget: Budget) -> Assignment | Refutation:
        """Search until an assignment or a refutation is found."""
        conflict = next((i for i, clause in enumerate(self.clauses) if not clause), -1)
        for i in range(self.given):
            conflict = self._attach(i) if conflict < 0 else conflict
        round_, left = 1, _RESTART
        while True:
            conflict = self._propagate() if conflict < 0 else conflict
            if conflict >= 0:
                budget.spend()
                if not self.ends:
                    return self._refuted(conflict)
                self._learn(conflict)
                conflict, left = -1, left - 1
            elif left <= 0 and self.ends:
                self._undo(0)
                self._discard()
                round_ += 1
                left = _RESTART * _luby(round_)
            elif not self._decide(budget):
                return Assignment(frozenset(at >> 1 for at in self.trail if not at & 1))

    def _attach(self, number: int) -> int:
        """Watch two literals of a clause; return the clause if it is false, otherwise -1."""
        clause = self.clauses[number]
        if len(clause) == 1:
            return number if not self._assign(clause[0], number) else -1
        if len(clause) == 2:
            first, second = clause
            self.pairs[first ^ 1].append((second, number))
            self.pairs[second ^ 1].append((first, number))
        else:
            for at in clause[:2]:
                self.watches[at ^ 1].append(number)
        return -1

    def _assign(self, at: int, reason: int) -> bool:
        """Make a literal true; return False if it is false already."""
        if self.value[at]:
            return self.value[at] > 0
        self.value[at], self.value[at ^ 1] = 1, -1
        v = at >> 1
        self.level[v], self.reason[v], self.place[v] = len(self.ends), reason, len(self.trail)
        self.trail.append(at)
        if not self.ends:
            clause = self.clauses[reason]
            self.unit[v] = reason
            if len(clause) > 1:
                hints = [self.unit[each >> 1] for each in clause if each != at]
                self.unit[v] = self._added([at], [*hints, reason])
        return True

    def _added(self, clause: list[int], hints: list[int]) -> int:
        """Append a learned clause with its hints; return its number."""
        self.clauses.append(clause)
        self.hints.append(hints)
        return len(self.clauses) - 1

    def _propagate(self) -> int:
        """Assign literals of unit clauses; return a clause that is false, or -1."""
        value, trail = self.value, self.trail
        while self.head < len(trail):
            at = trail[self.head]
            self.head += 1
            for other, number in self.pairs[at]:
                if value[other] <= 0 and not self._assign(other, number):
                    return number
            conflict = self._visit(at)
            if conflict >= 0:
                return conflict
        return -1

    def _visit(self, at: int) -> int:
        """Find other literals for the clauses that watch the negation of a literal."""
        value, clauses, wrong = self.value, self.clauses, at ^ 1
        watched, kept = self.watches[at], list[int]()
        for i, number in enumerate(watched):
            clause = clauses[number]
            if clause[0] == wrong:
                clause[0], clause[1] = clause[1], wrong
            if value[first := clause[0]] > 0:
                kept.append(number)
                continue
            for j in range(2, len(clause)):
                if value[clause[j]] >= 0:
                    clause[1], clause[j] = clause[j], wrong
                    self.watches[clause[1] ^ 1].append(number)
                    break
            else:
                kept.append(number)
                if not self._assign(first, number):
                    self.watches[at] = kept + watched[i + 1 :]
                    return number
        self.watches[at] = kept
        return -1

    def _learn(self, conflict: int) -> None:
        """Derive the clause of the first unique implication point, and assign its literal."""
        marked, below, used = set[int](), list[int](), {conflict: len(self.trail)}
        clause, at, here, i = self.clauses[conflict], 0, len(self.ends), len(self.trail)
        open_ = 0
        while True:
            for each in clause:
                v = each >> 1
                if v in marked or each == at:
                    continue
                marked.add(v)
                self._raise(v)
                if self.level[v] == here:
                    open_ += 1
                elif self.level[v]:
                    below.append(each)
                else:
                    used[self.unit[v]] = -1
            while self.trail[i - 1] >> 1 not in marked:
                i -= 1
            i -= 1
            at, open_ = self.trail[i], open_ - 1
            if not open_:
                break
            reason = self.reason[at >> 1]
            used[reason] = i
            clause = self.clauses[reason]
        redundant = {each for each in below if self._is_implied(each, marked, used)}
        learned = [at ^ 1, *(each for each in below if each not in redundant)]
        self.increment *= _DECAY
        self._backjump(learned, sorted(used, key=used.__getitem__))

    def _is_implied(self, at: int, marked: set[int], used: dict[int, int]) -> bool:
        """Decide whether the other literals of a clause imply one of its literals (one step)."""
        reason = self.reason[at >> 1]
        if reason < 0:
            return False
        others = [each >> 1 for each in self.clauses[reason] if each != at ^ 1]
        if not all(v in marked or not self.level[v] for v in others):
            return False
        used[reason] = self.place[at >> 1]
        used |= {self.unit[v]: -1 for v in others if not self.level[v]}
        return True

    def _backjump(self, learned: list[int], hints: list[int]) -> None:
        """Add a learned clause, return to the level where it is unit, and assign its literal."""
        number = self._added(learned, hints)
        if len(learned) > 1:
            j = max(range(1, len(learned)), key=lambda j: self.level[learned[j] >> 1])
            learned[1], learned[j] = learned[j], learned[1]
            back = self.level[learned[1] >> 1]
            if len(learned) > 2:
                self.long.append(number)
                self.spread[number] = len({self.level[each >> 1] for each in learned})
            self._undo(back)
            self._attach(number)
        else:
            self._undo(0)
        self._assign(learned[0], number)

    def _raise(self, v: int) -> None:
        """Increase the activity of a variable."""
        self.activity[v] += self.increment
        if self.activity[v] > _LARGEST:
            self.activity = [each / _LARGEST for each in self.activity]
            self.increment /= _LARGEST
            self.heap = [(-each, u) for u, each in enumerate(self.activity) if u]
            self.heap.sort()
        elif not self.value[2 * v]:
            heappush(self.heap, (-self.activity[v], v))

    def _undo(self, level: int) -> None:
        """Withdraw the assignments above a level."""
        if len(self.ends) <= level:
            return
        end = self.ends[level]
        for at in self.trail[end:]:
            self.value[at] = self.value[at ^ 1] = 0
            self.phase[at >> 1] = at & 1
            heappush(self.heap, (-self.activity[at >> 1], at >> 1))
        del self.trail[end:], self.ends[level:]
        self.head = end

    def _decide(self, budget: Budget) -> bool:
        """Assign the free variable of the largest activity as it was last; False if none is."""
        budget.spend(0)
        while self.heap:
            _, v = heappop(self.heap)
            if not self.value[2 * v]:
                self.ends.append(len(self.trail))
                self._assign(2 * v + self.phase[v], -1)
                return True
        return False

    def _discard(self) -> None:
        """Discard half of the long learned clauses if there are many, at level 0."""
        if len(self.long) <= _KEPT + self.given // 4:
            return
        self.long.sort(key=lambda number: (self.spread[number], number))
        gone = {number for number in self.long[len(self.long) // 2 :] if self.spread[number] > 3}
        self.long = [number for number in self.long if number not in gone]
        self.watches = [[n for n in watched if n not in gone] for watched in self.watches]

    def _refuted(self, conflict: int) -> Refutation:
        """Return the steps that the empty clause depends on, renumbered."""
        hints = [self.unit[each >> 1] for each in self.clauses[conflict]]
        last = self._added([], [*hints, conflict])
        needed, stack = {last}, [last]
        while stack:
            for number in self.hints[stack.pop() - self.given]:
                if number >= self.given and number not in needed:
                    needed.add(number)
                    stack.append(number)
        name = {number: self.given + i for i, number in enumerate(sorted(needed))}
        return Refutation(
            tuple(
                (
                    tuple(-(at >> 1) if at & 1 else at >> 1 for at in self.clauses[number]),
                    tuple(name.get(each, each) for each in self.hints[number - self.given]),
                )
                for number in sorted(needed)
            )
        )


def _luby(i: int) -> int:
    """Return entry ``i``, from 1, of Luby's sequence 1, 1, 2, 1, 1, 2, 4, ..."""
    while True:
        size = i.bit_length()
        if i == (1 << size) - 1:
            return 1 << size - 1
        i -= (1 << size - 1) - 1
