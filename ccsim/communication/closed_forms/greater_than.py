"""The error of greater-than: a lower bound, its hard distribution, and optimal protocols.

Proofs: `docs/closed-forms.md`, section 3. A *unit* is a pair of Alice's inputs that share a
message, at a distance that is a power of two; pairs at distance 1 occur twice.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from ccsim.arguments.checked import checked_types
from ccsim.communication.hard_distribution import HardDistribution
from ccsim.communication.problem import check_positive
from ccsim.communication.protocols.tables import DeterministicProtocol, PublicCoinProtocol
from ccsim.errors import DomainError, InstanceTooLargeError
from ccsim.exact import ceil_log2


@checked_types
def external_path_length(n: int) -> int:
    """Return the minimum sum of the depths of the leaves of a binary tree with ``n`` leaves.

    It is ``n - 1 + sum of ceil(log2 i) over i <= n``.

    Parameters
    ----------
    n : int
        Number of leaves, at least 1.

    Examples
    --------
    >>> [external_path_length(n) for n in range(1, 9)]
    [0, 2, 5, 8, 12, 16, 20, 24]
    """
    depth = ceil_log2(n)
    return n * (depth + 1) - (1 << depth)


@checked_types
def greater_than_lower_bound(n: int, messages: int) -> Fraction:
    """Return a lower bound on the public-coin error of greater-than with a number of messages.

    It is ``(n - messages) / external_path_length(n)``.

    Parameters
    ----------
    n, messages : int
        Numbers of inputs and of messages, at least 1; ``n`` may have thousands of bits.

    Examples
    --------
    >>> greater_than_lower_bound(8, 4), greater_than_lower_bound(8, 8)
    (Fraction(1, 6), Fraction(0, 1))
    """
    check_positive("greater_than", n=n, messages=messages)
    return Fraction(max(0, n - messages), max(1, external_path_length(n)))


@checked_types
def greater_than_hard_distribution(n: int) -> HardDistribution:
    """Return the distribution that proves `greater_than_lower_bound`, for ``n >= 2``.

    Parameters
    ----------
    n : int
        Number of inputs of each player, at least 2.

    Examples
    --------
    >>> greater_than_hard_distribution(3).weights
    ((0, 0, 1), (0, 1, 1), (1, 0, 1), (1, 1, 1), (2, 1, 1))
    """
    if n < 2:
        raise DomainError(
            f"greater_than: n must be at least 2 for a hard input distribution, not {n}"
        )
    return HardDistribution.from_integers((x, y, 1) for x, y in _cells(0, n))


def greater_than_joins(n: int) -> tuple[tuple[int, int, int], ...]:
    """Return the steps that merge Alice's inputs and prove `greater_than_lower_bound`."""

    def joins(start: int, end: int) -> Iterator[tuple[int, int, int]]:
        if end - start > 1:
            middle = start + (end - start + 1) // 2
            yield from joins(start, middle)
            yield from joins(middle, end)
            yield middle - 1, start, middle

    return tuple(joins(0, n))


def _cells(start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the cells of a binary tree that separates the inputs from ``start`` to ``end - 1``.

    A node divides an interval of inputs; its cells are those of these inputs in the column that
    separates the halves.
    """
    if end - start > 1:
        middle = start + (end - start + 1) // 2
        yield from ((x, middle - 1) for x in range(start, end))
        yield from _cells(start, middle)
        yield from _cells(middle, end)


MAX_INPUTS = 256  # maximum number of inputs for which a protocol is constructed


class Unit(NamedTuple):
    """Inputs ``first < last`` of Alice; ``copy`` is 1 for the second unit of an adjacent pair."""

    first: int
    last: int
    copy: int

    def charges_first(self, y: int) -> bool:
        """Whether `first` errs on Bob's input ``y``, which lies between `first` and ``last - 1``.

        By this rule, no input errs twice (Theorem 14 of `docs/closed-forms.md`).
        """
        return self.copy == 1 or y - self.first >= self.last - y

    def answers(self) -> int:
        """Return the inputs of Bob with answer 1 if the two inputs of Alice share a message."""
        paid = (1 << y for y in range(self.first, self.last) if self.charges_first(y))
        return (1 << self.first) - 1 | sum(paid)


@checked_types
def fewest_messages_of_pairs(n: int) -> int:
    """Return the minimum ``k`` for which merging disjoint pairs attains the error ``(n - k) / E``.

    The units split into ``2 floor(log2(n - 1)) + 3`` nearly equally large sets of disjoint pairs.
    """
    if n < 2:
        return max(n, 1)
    colours = 2 * (n - 1).bit_length() + 1 if n > 2 else 2
    return n - external_path_length(n) // colours


@checked_types
def greater_than_protocol(n: int, messages: int) -> PublicCoinProtocol:
    """Return a protocol for greater-than of ``n`` inputs with error ``(n - k) / E``."""
    if n > MAX_INPUTS:
        raise InstanceTooLargeError(f"greater_than: n must be at most {MAX_INPUTS}, not {n}")
    least = fewest_messages_of_pairs(n)
    if n < 1 or not least <= messages <= n:
        raise DomainError(
            f"greater_than: messages must be between {least} and n = {n}, not {messages}"
        )
    number = n - messages
    if not number:
        return _component(n, ()).to_public_coin()
    share = Fraction(1, external_path_length(n))
    return PublicCoinProtocol.mixture(
        (share, _component(n, [*units, *units][start : start + number]))
        for units in _matchings(n)
        for start in range(len(units))
    )


def _component(n: int, units: list[Unit] | tuple[Unit, ...]) -> DeterministicProtocol:
    """Return the protocol in which exactly the two inputs of each unit share a message."""
    sent = {x: m for m, unit in enumerate(units) for x in unit[:2]}
    single = [x for x in range(n) if x not in sent]
    sent |= {x: m for m, x in enumerate(single, len(units))}
    answers = [*(unit.answers() for unit in units), *((1 << x) - 1 for x in single)]
    return DeterministicProtocol(tuple(sent[x] for x in range(n)), tuple(answers), n)


@lru_cache(maxsize=8)
def _matchings(n: int) -> tuple[tuple[Unit, ...], ...]:
    """Return a partition of the units into nearly equally large sets of disjoint units.

    The sizes differ by at most one.
    """
    found = [units for units in _by_distance(n) if units]
    while True:
        found.sort(key=len)
        few, many = found[0], found[-1]
        if len(many) - len(few) < 2:
            return tuple(map(tuple, found))
        found[0], found[-1] = _evened(few, many)


def _by_distance(n: int) -> Iterator[list[Unit]]:
    """Yield, for each distance, the units that start in even blocks, then those in odd blocks.

    The blocks are intervals as long as the distance, so the units in a list are disjoint.
    """
    for t in range((n - 1).bit_length()):
        for copy, parity in ((c, p) for c in (0, 1)[: 2 - min(t, 1)] for p in (0, 1)):
            firsts = (x for x in range(n - (1 << t)) if x >> t & 1 == parity)
            yield [Unit(x, x + (1 << t), copy) for x in firsts]


def _evened(few: list[Unit], many: list[Unit]) -> tuple[list[Unit], list[Unit]]:
    """Return two sets of disjoint units after an exchange that moves one unit to the smaller set.

    The exchange is along a path of units from both sets whose ends are in the larger set.
    """
    sides = [{x: unit for unit in units for x in unit[:2]} for units in (few, many)]
    for start in many:
        path, seen = [start], {start}
        for end in start[:2]:
            x, side = end, 1
            while (following := sides[1 - side].get(x)) is not None and following not in seen:
                path.append(following)
                seen.add(following)
                x, side = sum(following[:2]) - x, 1 - side
        taken = [unit for unit in path if sides[1].get(unit.first) == unit]
        if 2 * len(taken) > len(path):
            given = [unit for unit in path if unit not in taken]
            return (
                [u for u in few if u not in given] + taken,
                [u for u in many if u not in taken] + given,
            )
    raise AssertionError(
        "no augmenting path was found, although one of two sets of disjoint pairs is larger"
    )
