"""Searches for partitions: good ones by local search, cheapest ones for weights with symmetries."""

from __future__ import annotations

from ctypes import c_int64
from math import prod
from typing import Any

import numpy as np

from ccsim.budget import Budget
from ccsim.classes.masks import members
from ccsim.communication.partitions.tables import Weights, integer_array
from ccsim.native import Library
from ccsim.symmetry.groups import ClassOrbits, Integers, members_of

Floats = np.ndarray[tuple[int, int], np.dtype[np.float64]]
Partitions = np.ndarray[tuple[int, int], np.dtype[np.int64]]  # a row each, of classes

MAX_CLASSES = 1 << 22  # maximum number of classes that a search combines to partitions
MAX_NODES = 1 << 17  # maximum number of partial partitions of a search
_SHARES = (256, 64, 16, 4, 1)  # parts of the gap: the least cost is mostly near the relaxed bound
_TRIES = 600
_CHUNK = 1 << 16
_SWEEPS = 30

_I32, _I64 = (np.ctypeslib.ndpointer(kind, flags="C_CONTIGUOUS") for kind in ("i4", "i8"))
_MOVES = (_I32, c_int64, c_int64, c_int64, _I64, c_int64, _I64, _I32)
_LIBRARY = Library("moves", {"improve": (None, _MOVES)})


def improve_partition(
    weights: np.ndarray[Any, np.dtype[np.int32]],
    messages: int,
    classes: np.ndarray[Any, np.dtype[np.int64]],
    order: np.ndarray[Any, np.dtype[np.int64]],
) -> np.ndarray[Any, np.dtype[np.int32]]:
    """Move single rows to better classes, in the given order.

    Return the sum of the rows of each class. The absolute values of the weights must sum to less
    than 2^30; `classes` is changed in place.
    """
    rows, columns = weights.shape
    balances = np.zeros((messages, columns), np.int32)
    if (library := _LIBRARY.found()) is not None:
        library.improve(weights, rows, columns, messages, order, _SWEEPS, classes, balances)
        return balances
    np.add.at(balances, classes, weights)
    for _ in range(_SWEEPS):
        moved = False
        for x in order.tolist():
            home, row = classes[x], weights[x]
            balances[home] -= row
            gains = (np.abs(balances + row) - np.abs(balances)).sum(axis=1, dtype=np.int64)
            best = int(gains.argmax())
            if gains[best] <= gains[home]:
                best = home
            balances[best] += row
            classes[x], moved = best, moved or best != home
        if not moved:
            break
    return balances


def good_partitions(
    weights: Floats, messages: int, tries: int, rng: np.random.Generator
) -> tuple[Partitions, Any]:
    """Return partitions from random starts that no move of a single row improves."""
    rows = len(weights)
    each = np.arange(tries)
    classes = rng.integers(messages, size=(tries, rows))
    member = (classes[:, None, :] == np.arange(messages)[None, :, None]).astype(float)
    balances = member @ weights
    for _ in range(_SWEEPS):
        moved = False
        for x in rng.permutation(rows):
            home = classes[:, x]
            balances[each, home] -= weights[x]
            gains = np.abs(balances + weights[x]).sum(axis=2) - np.abs(balances).sum(axis=2)
            best = gains.argmax(axis=1)
            better = gains[each, best] > gains[each, home] + 1e-12
            home = np.where(better, best, home)
            moved = moved or bool(better.any())
            classes[:, x] = home
            balances[each, home] += weights[x]
        if not moved:
            break
    costs = (np.abs(weights).sum() - np.abs(balances).sum(axis=(1, 2))) / 2
    order = np.argsort(costs, kind="stable")
    return classes[order], costs[order]


class PartitionSearch:
    """The cheapest partition of rows into at most ``messages`` classes, by branch and bound."""

    def __init__(
        self, weights: Weights, messages: int, orbits: ClassOrbits, budget: Budget | None = None
    ) -> None:
        self._weights = integer_array(weights)
        self._budget = budget or Budget()
        self._orbits = orbits
        self._nodes = 0
        self._full = (1 << orbits.rows) - 1
        leaders, costs = orbits.leaders, self._costs(orbits.leaders)
        if orbits.exchanged:
            self._bounds = self._relaxations(leaders, costs, messages)
            self.relaxed = self.lower = self.cost = int(self._bounds[messages][-1])
            self.classes = self._read_off(leaders, costs, messages)
            return
        signed = (self._weights / max(1, int(np.abs(self._weights).max()))).astype(float)
        found, _ = good_partitions(signed, messages, _TRIES, np.random.default_rng(0))
        self.classes = found[0].tolist()
        used = set(self.classes)
        sets = [sum(1 << x for x, m in enumerate(self.classes) if m == n) for n in used]
        self.cost = int(self._costs(np.array(sets)).sum())
        self._bounds = self._relaxations(leaders, costs, messages)
        self.lower = self.relaxed = int(self._bounds[messages][-1])
        gap = self.cost - self.relaxed
        for share in self._budget.each(_SHARES):
            self._below = min(self.cost, self.relaxed + gap // share + 1)
            if not self._search(leaders, costs, messages):
                return
            if self._below == self.cost:
                self.lower = self.cost
                return

    def _read_off(self, leaders: Integers, costs: Integers, messages: int) -> list[int]:
        """Return a cheapest partition from the bounds for profiles.

        Sets with the same profile (numbers of rows of each kind) must form a single orbit.
        """
        shape = self._orbits.shape
        parts = self._orbits.counts(leaders)
        left = np.array(shape) - 1
        unused = [list(rows) for rows in self._orbits.of_kinds()]
        classes = [0] * self._orbits.rows
        for m in range(messages):
            rest = left - parts
            fits: Integers = np.all(rest >= 0, axis=1)
            places = np.ravel_multi_index(np.where(fits[:, None], rest, 0).T, shape)
            totals = costs + self._bounds[messages - 1 - m][places]
            (place,) = np.ravel_multi_index(left[:, None], shape)
            least = self._bounds[messages - m][place]
            part = parts[int(np.argmax(fits & (totals == least)))]
            for rows, number in zip(unused, part.tolist(), strict=True):
                for x in rows[:number]:
                    classes[x] = m
                del rows[:number]
            left = left - part
        return classes

    def _costs(self, sets: Integers) -> Integers:
        """Return the cost of each set of rows as a class."""
        sizes = np.abs(self._weights).sum(axis=1)
        costs = np.zeros(len(sets), self._weights.dtype)
        for start in self._budget.each(range(0, len(sets), _CHUNK)):
            members = members_of(sets[start : start + _CHUNK], self._orbits.rows)
            balances = np.abs(members @ self._weights).sum(axis=1)
            costs[start : start + _CHUNK] = (members @ sizes - balances) // 2
        return costs

    def _relaxations(self, leaders: Integers, costs: Integers, messages: int) -> list[Integers]:
        """Return, for 0, 1, ... classes, the minimum sum of their costs for each profile.

        The profile of a union of classes is its number of rows of each kind.
        """
        shape = self._orbits.shape
        above = 1 + int(np.abs(self._weights).sum())
        least = np.full(prod(shape), above, self._weights.dtype)
        np.minimum.at(least, self._orbits.profiles(leaders), costs)
        nothing = np.full(shape, above, self._weights.dtype)
        nothing[(0,) * len(shape)] = 0
        bounds = [nothing]
        for _ in self._budget.each(range(messages)):
            joined = np.full_like(nothing, above)
            for part, cost in zip(np.ndindex(shape), least, strict=True):
                unions = joined[tuple(slice(n, None) for n in part)]
                others = tuple(slice(0, all_ - n) for all_, n in zip(shape, part, strict=True))
                np.minimum(unions, bounds[-1][others] + cost, out=unions)
            bounds.append(joined)
        return [bound.ravel() for bound in bounds]

    def _rest(self, messages: int, left: int, sets: Integers) -> Integers:
        """Return, for each set, a lower bound on the cost of the rows in `left` outside it."""
        (profile,) = self._orbits.profiles(np.array([left]))
        return np.asarray(self._bounds[messages][profile - self._orbits.profiles(sets)])

    def _search(self, firsts: Integers, costs: Integers, messages: int) -> bool:
        """Search for partitions cheaper than ``_below``; return whether the search was complete."""
        bounds = costs + self._rest(messages - 1, self._full, firsts)
        room = np.argsort(bounds, kind="stable")[: (bounds < self._below).sum()]
        firsts, costs = firsts[room], costs[room]
        if messages == 2:
            self._close(self._full, 0, [], firsts, costs)
            return True
        self._budget.spend()
        images = [self._orbits.images(int(S)) for S in firsts]
        lengths = [len(orbit) for orbit in images]
        if sum(lengths) > MAX_CLASSES:
            return False
        sets = np.concatenate([np.zeros(0, np.int64), *images])
        every = np.repeat(costs, lengths)
        sizes = members_of(sets, self._orbits.rows).sum(axis=1)
        for first, cost in zip(firsts.tolist(), costs.tolist(), strict=True):
            usable = (sets & first == 0) & (sizes <= first.bit_count())
            left = self._full ^ first
            if not self._extend(left, messages - 1, cost, [first], sets[usable], every[usable]):
                return False
        return True

    def _extend(
        self,
        left: int,
        messages: int,
        spent: int,
        chosen: list[int],
        sets: Integers,
        costs: Integers,
    ) -> bool:
        """Search for cheaper partitions whose next class is one of the given sets."""
        self._budget.spend()
        self._nodes += 1
        if self._nodes > MAX_NODES:
            return False
        if not left:
            self._improve(chosen, spent)
            return True
        bounds = spent + costs + self._rest(messages - 1, left, sets)
        room = bounds < self._below
        sets, costs, bounds = sets[room], costs[room], bounds[room]
        with_row = members_of(sets, self._orbits.rows)
        row = min(members(left), key=with_row.sum(axis=0).__getitem__)
        options = np.flatnonzero(with_row[:, row])
        if messages == 2:
            self._close(left, spent, chosen, sets[options], costs[options])
            return True
        for i in options[np.argsort(bounds[options], kind="stable")]:
            if bounds[i] >= self._below:
                break
            part = int(sets[i])
            apart = sets & part == 0
            state = (left ^ part, messages - 1, spent + int(costs[i]), [*chosen, part])
            if not self._extend(*state, sets[apart], costs[apart]):
                return False
        return True

    def _close(
        self, left: int, spent: int, chosen: list[int], sets: Integers, costs: Integers
    ) -> None:
        """Search for cheaper partitions that end with a given set and its complement."""
        if len(sets):
            totals = costs + self._costs(left ^ sets)
            best = int(totals.argmin())
            last = int(sets[best])
            self._improve([*chosen, last, left ^ last], spent + int(totals[best]))

    def _improve(self, sets: list[int], cost: int) -> None:
        if cost < self._below:
            self.cost = self._below = cost
            self.classes = [
                next(m for m, S in enumerate(sets) if S >> x & 1) for x in range(self._orbits.rows)
            ]
